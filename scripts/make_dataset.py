"""Make the reference data set of puzzles with twins, and check a data set.

    python scripts/make_dataset.py make OUT                # 100,000 triples: hours
    python scripts/make_dataset.py make OUT --count 5      # of each kind and size
    python scripts/make_dataset.py sample                  # instances/dataset, and the page of it
    python scripts/make_dataset.py check OUT
    python scripts/make_dataset.py rates                   # triples a second, a table
    python scripts/make_dataset.py baselines OUT           # how far simple players get

`make` goes on where an earlier run ended. `check` reads every record: the lone verifier accepts its
proof of the puzzle in the record, the plain engine finds as many solutions (for one of ``--plain``
records), no hash occurs twice, and a decision tree on the statistics of clues tells twins from
unique puzzles no better than by chance, cross-validated.
"""

from __future__ import annotations

import base64
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import click

from linkoracle import count_result, read
from linkoracle.batch import Processes
from linkoracle.certificates import record_of, verify_certificate
from linkoracle.core import NothingFound, below, processors, source
from linkoracle.dataset import DataSet, StepGrader, write_dataset
from linkoracle.deduce import TECHNIQUES, deduced
from linkoracle.generate import made_kinds
from looks_of_kinds import told

#: The sizes of the reference set; triples of each kind and size are counted from the first.
SIZES = ("5x5", "6x6", "8x8", "10x10", "12x12", "15x15")
#: Triples of each kind in the sample, records in all, and on the page.
SAMPLED, ALL, SHOWN = 2, 201, 10
#: Kinds that visit every dot need an even number of cells, those that visit every cell also one.
ODD = ("grandtour",)
TILINGS = ("honeycomb 5 5", "triangular 6 6", "cairo 5 5", "kites 4 4")
SEED = 2026
ROOT = Path(__file__).resolve().parents[1]


@click.group()
def main() -> None:
    """Make and check data sets."""


def sets(count: int, kinds: tuple[str, ...]) -> Iterator[tuple[str, DataSet]]:
    """Yield the parts of the reference set by name: those of a kind, and of tilings."""
    for kind in kinds or made_kinds():
        sizes = []
        for size in SIZES:
            side = int(size.split("x")[0])
            for rows in (side, side + 1):
                try:
                    DataSet([kind], [f"{rows}x{rows}"])
                except ValueError:
                    continue
                sizes.append(f"{rows}x{rows}")
                break
        yield kind, DataSet([kind], [*dict.fromkeys(sizes)], count=count, seed=SEED)
    if not kinds:
        yield "tilings", DataSet(["slitherlink"], TILINGS, count=count, seed=SEED)


@main.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--count", default=800, help="Triples of each kind and size.")
@click.option("--kind", "kinds", multiple=True, help="Only this kind.")
def make(out: Path, count: int, kinds: tuple[str, ...]) -> None:
    """Make the reference set in folders of OUT."""
    out.mkdir(exist_ok=True)
    with Processes(processors()) as executor:
        for name, data in sets(count, kinds):
            start = time.monotonic()
            shards = write_dataset(data, out / name, resume=True, executor=executor)
            click.echo(f"{name}: {len(shards)} files, {time.monotonic() - start:.0f} s")


@main.command()
def sample() -> None:
    """Write the sample of small boards, and the page that shows some of it."""
    file, page = ROOT / "instances/dataset/sample.jsonl", ROOT / "docs/reference/dataset-sample.md"
    every: list[dict[str, Any]] = []
    parts = dict(sets(SAMPLED, ()))
    for kind, data in parts.items():
        number = SAMPLED if kind != "tilings" else (ALL - len(every)) // 3
        for triple in islice(data.triples(data.kinds[0], data.sizes[0]), max(number, 1)):
            every += triple
    file.parent.mkdir(exist_ok=True)
    lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in every)
    file.write_text("".join(lines), encoding="utf-8")
    page.write_text(shown(every), encoding="utf-8")
    click.echo(f"{len(every)} records, {file.stat().st_size:,} bytes")


def shown(every: list[dict[str, Any]]) -> str:
    """Return the page of ten records."""
    parts = [
        "# Ten records of a data set\n\nFrom `instances/dataset/sample.jsonl`; "
        "`python scripts/make_dataset.py sample` writes both. See "
        "[Make a data set](../how-to/datasets.md).\n"
    ]
    for one in every[:: len(every) // SHOWN][:SHOWN]:
        told = one["status"] if one["status"] != "two" else "two solutions"
        parts.append(f"\n## {one['id']}\n\n{one['rules']}\n\nStatus: **{told}**.")
        if one["change"]["what"]:
            change = one["change"]
            new = change["new"] or "nothing"
            parts.append(f" Changed at {change['place']}: {change['old']} to {new}.")
        parts.append(f" Path: {len(one['path'])} steps; the last: {one['path'][-1]['text']}\n")
        parts.append(f"\n```text\n{one['puzzle'].rstrip()}\n```\n")
        parts += [f"\n```text\n{found['drawing']}\n```\n" for found in one["solutions"]]
    return "".join(parts)


def records(out: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a data set, or of the folders in a folder."""
    for path in sorted(out.rglob("*.jsonl")):
        with path.open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)


def row_of(record: dict[str, Any]) -> dict[str, float]:
    """Return statistics of the clues of a puzzle."""
    puzzle = read(record["json"])
    clues = dict(puzzle.clue_cells())
    shown = [str(clue) for clue in clues.values()]
    numbers = [int("".join(filter(str.isdigit, one)) or 0) for one in shown]
    row = {f"share {one}": shown.count(one) / len(shown) for one in {*shown}}
    row["clues"] = len(shown)
    row["mean"] = statistics.mean(numbers) if numbers else 0.0
    row["spread"] = statistics.pstdev(numbers) if numbers else 0.0
    cells = [cell for cell in clues if isinstance(cell, tuple)]
    row["equal beside"] = sum(
        clues.get((r, c + 1)) == clues[r, c] or clues.get((r + 1, c)) == clues[r, c]
        for r, c in cells
    )
    last = max((r + 1 for r, _ in cells), default=1), max((c + 1 for _, c in cells), default=1)
    row["turned"] = sum((last[0] - 1 - r, last[1] - 1 - c) in clues for r, c in cells)
    return row


@main.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--plain", default=10, help="Ask the plain engine about one of so many records.")
def check(out: Path, plain: int) -> None:
    """Check a data set."""
    seen: set[str] = set()
    statuses: Counter[str] = Counter()
    rows: dict[str, tuple[list[dict[str, float]], list[bool]]] = {}
    asked = 0
    for number, record in enumerate(records(out)):
        puzzle = read(record["puzzle"])
        given = verify_certificate.Puzzle(record_of(puzzle))
        _, found, _ = verify_certificate.verify(base64.b64decode(record["proof"]), given)
        expected = {"unique": 1, "none": 0, "two": 2}[record["status"]]
        if found != expected or len(record["solutions"]) != expected:
            raise SystemExit(f"{record['id']}: the proof is of {found} solutions")
        if number % plain == 0:
            asked += 1
            counted = count_result(puzzle, 3, engine="plain").count
            if counted != expected:
                raise SystemExit(f"{record['id']}: the plain engine counts {counted} solutions")
        if record["hash"] in seen:
            raise SystemExit(f"{record['id']}: a puzzle twice")
        seen.add(record["hash"])
        statuses[record["status"]] += 1
        for twin in ("none", "two"):
            if record["status"] in ("unique", twin):
                part = rows.setdefault(f"{record['kind']} {twin}", ([], []))
                part[0].append(row_of(record))
                part[1].append(record["status"] == twin)
    click.echo(
        f"{statuses.total()} records, all proofs accepted, {asked} counted by the plain engine"
    )
    for name, (every, labels) in sorted(rows.items()):
        names = sorted({one for row in every for one in row})
        share, first = told(every, labels, names)
        click.echo(f"{name}: told from unique in {share:.0%} of cases, first by {first}")


@main.command()
@click.option("--seconds", default=10.0, help="Processor time for each kind.")
@click.option("--size", default="8x8")
def rates(seconds: float, size: str) -> None:
    """Print how many triples of each kind are made in a second of processor time."""
    click.echo("kind,size,triples a second,attempts a triple,bytes a record")
    for kind in made_kinds():
        side = int(size.split("x")[0]) - (kind in ODD)
        data = DataSet([kind], [f"{side}x{side}"], seed=SEED)
        start, done, many, last = time.process_time(), 0, 0, 0
        try:
            for records in data.triples(kind, f"{side}x{side}"):
                done += 1
                last = records[0]["number"] + 1
                many += sum(len(json.dumps(one)) for one in records)
                if time.process_time() - start > seconds:
                    break
        except NothingFound:
            pass
        spent = time.process_time() - start
        tries, room = last / max(done, 1), many / max(1, 3 * done)
        click.echo(f"{kind},{side}x{side},{done / spent:.2f},{tries:.2f},{room:.0f}")


@main.command()
@click.argument("out", type=click.Path(path_type=Path))
def baselines(out: Path) -> None:
    """Print what share of unique puzzles players solve, and of the lines of each puzzle."""
    every = [record for record in records(out) if record["status"] == "unique"]
    click.echo("player,solved,facts")
    for name, wrong in (("random, until wrong", 1), ("random, ten wrong moves", 10)):
        shares = [played(record, wrong) for record in every]
        solved = sum(share == 1 for share in shares) / len(shares)
        click.echo(f"{name},{solved:.3f},{statistics.mean(shares):.3f}")
    for number in range(1, len(TECHNIQUES) + 1):
        shares = []
        for record in every:
            puzzle = read(record["json"])
            found = deduced(puzzle, None, techniques=TECHNIQUES[:number])
            edges = {edge for step in found.steps(puzzle) for edge in (*step.lines, *step.crosses)}
            done = found.grade.status == "solved"
            shares.append(1.0 if done else len(edges) / puzzle.board.num_edges)
        solved = sum(share == 1 for share in shares) / len(shares)
        used = TECHNIQUES[number - 1] if number == 1 else f"and {TECHNIQUES[number - 1]}"
        click.echo(f"deduction: {used},{solved:.3f},{statistics.mean(shares):.3f}")


def played(record: dict[str, Any], wrong: int) -> float:
    """Return the share of edges that random moves decide before so many are wrong."""
    grader, rng = StepGrader(record), source(SEED, record["number"])
    edges = grader.puzzle.board.num_edges
    while wrong and len(grader.marks) < edges:
        free = [edge for edge in range(edges) if edge not in grader.marks]
        move = free[below(rng, len(free))]
        wrong -= grader.move(move, bool(below(rng, 2)), hint=False).verdict == "wrong"
    return len(grader.marks) / edges


if __name__ == "__main__":
    main()
