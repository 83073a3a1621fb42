"""Compare the looks of made puzzles of each kind with published ones.

    python scripts/looks_of_kinds.py FOLDER
    python scripts/looks_of_kinds.py FOLDER --kinds yajilin,masyu --made 100
    python scripts/looks_of_kinds.py FOLDER --write docs/tables
    python scripts/looks_of_kinds.py FOLDER --kinds masyu --sheet sheets
    python scripts/looks_of_kinds.py FOLDER --fit src/linkoracle/generate/looks.json

FOLDER has a file ``KIND.jsonl`` of published puzzles for each kind, which `tests/kinds/corpora.py`
reads. For each kind, puzzles of seeds 0, 1, 2 ... with default options are made on the commonest
size of published ones. One line for each statistic: the mean and the quartiles of both, and how
far apart the means are, in standard deviations of the published ones. A statistic is *near* if its
mean is within 15 % or half a standard deviation. A decision tree on all statistics guesses which
puzzles are made: *told* is how often it is right, in five-fold cross-validation; 50 % would be
perfect. *By* is its first question. ``--fit`` writes what generators aim at: shares and quartiles
of published puzzles, no puzzle itself. Times are processor times for a puzzle. ``--sheet`` writes a
page of 12 published and 12 made puzzles for each kind, with their pictures at the same scale; keep
it to yourself, since published puzzles are not ours.
"""

from __future__ import annotations

import csv
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from linkoracle import SearchTimeout
from linkoracle.core import shuffled, source
from linkoracle.deduce import deduced
from linkoracle.generate import LoopStatistics, layout_statistics, puzzles, symmetry_of
from linkoracle.kinds import Puzzle
from linkoracle.render import picture, svg

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.kinds.corpora import records  # noqa: E402 - found only now

#: The kinds with published puzzles, those whose made puzzles once looked least like them first.
KINDS = (
    *("yajilin", "masyu", "countryroad", "regionalyajilin", "koburin", "castlewall", "shingoki"),
    *("geradeweg", "balanceloop", "linesweeper", "entryexit", "doubleback", "dotchiloop"),
    *("detour", "grandtour", "simpleloop"),
)
#: Numbers whose shares are compared, seconds to grade a puzzle, boards on a sheet; the largest
#: region whose frequency is fitted.
NUMBERS, LIMIT, SHOWN, SIZES = 10, 20, 12, 16
#: Means are near if they differ by this part of the published one, or of its deviation.
NEAR, NEAR_DEVIATION = 0.15, 0.5
#: Folds, depth and least leaf of the tree.
FOLDS, DEPTH, LEAF = 5, 3, 3
Row = dict[str, float]


def measured(puzzle: Any, solution: Any) -> Row:
    """Return the statistics of a puzzle as numbers by name."""
    try:
        grade = deduced(puzzle, LIMIT).grade
    except SearchTimeout:
        grade = None
    found = layout_statistics(puzzle, solution, grade)
    assert isinstance(found, LoopStatistics)
    row: Row = {f"share of {n}": share for n, share in enumerate(found.shares[:NUMBERS])}
    for field in fields(found):
        value = getattr(found, field.name)
        if field.name == "symmetry":
            row["symmetric"] = float(value != "none")
        elif field.name != "shares" and value is not None:
            row[field.name] = float(value)
    return row


def published(kind: str) -> tuple[tuple[int, int], list[tuple[Puzzle, Any]]]:
    """Return the commonest size of the published puzzles of a kind, and those of this size."""
    every = [one for one in records(kind) if one.solution is not None]
    sizes = Counter((one.puzzle.rows, one.puzzle.cols) for one in every)
    size = sizes.most_common(1)[0][0]
    found = [one for one in every if (one.puzzle.rows, one.puzzle.cols) == size]
    # Few are wrong: their solution is not one.
    return size, [
        (one.puzzle, one.solution) for one in found if not one.puzzle.violations(one.solution)
    ]


def made(kind: str, size: tuple[int, int], number: int) -> Iterator[tuple[Puzzle, Any, float]]:
    """Yield made puzzles of a kind, their solutions, and the processor time of each."""
    start = time.process_time()
    for one in puzzles(kind, *size, seed=0, limit=number):
        yield one.puzzle, one.solution, time.process_time() - start
        start = time.process_time()


def told(rows: Sequence[Row], labels: Sequence[bool], names: Sequence[str]) -> tuple[float, str]:
    """Return how often a tree tells labels, each label counting half; and its first question."""
    order = shuffled(source(0, 0), range(len(rows)))
    right = {True: 0, False: 0}
    for fold in range(FOLDS):
        there = order[fold::FOLDS]
        rest = [one for one in order if one not in set(there)]
        tree = grown([rows[one] for one in rest], [labels[one] for one in rest], names, DEPTH)
        for one in there:
            right[labels[one]] += guessed(tree, rows[one]) == labels[one]
    many = Counter(labels)
    tree = grown(rows, labels, names, 1)
    return statistics.mean(right[label] / many[label] for label in right), str(tree[0])


def grown(rows: Sequence[Row], labels: Sequence[bool], names: Sequence[str], depth: int) -> Any:
    """Return a decision tree: a label, or ``(name, bound, below, above)`` by Gini impurity."""
    many = Counter(labels)
    # Each label counts as much as the other, however many puzzles have it.
    weight = {label: 1 / max(1, many[label]) for label in (True, False)}
    return _grown(rows, labels, names, depth, weight)


def _grown(
    rows: Sequence[Row],
    labels: Sequence[bool],
    names: Sequence[str],
    depth: int,
    weight: dict[bool, float],
) -> Any:
    mass = {label: weight[label] * labels.count(label) for label in weight}
    best: tuple[float, str, float] | None = None
    for name in names if depth and min(mass.values()) else ():
        items = sorted((row.get(name, 0.0), label) for row, label in zip(rows, labels, strict=True))
        left = {True: 0.0, False: 0.0}
        for place, (value, label) in enumerate(items[:-1], start=1):
            left[label] += weight[label]
            if value == items[place][0] or not LEAF <= place <= len(items) - LEAF:
                continue
            right = {one: mass[one] - left[one] for one in mass}
            impurity = sum(
                2 * part[True] * part[False] / max(1e-12, sum(part.values()))
                for part in (left, right)
            )
            if best is None or impurity < best[0] - 1e-12:
                best = impurity, name, (value + items[place][0]) / 2
    if best is None:
        return mass[True] > mass[False]
    _, name, bound = best
    below = [at for at, row in enumerate(rows) if row.get(name, 0.0) < bound]
    above = [at for at, row in enumerate(rows) if row.get(name, 0.0) >= bound]
    parts = (
        _grown([rows[at] for at in side], [labels[at] for at in side], names, depth - 1, weight)
        for side in (below, above)
    )
    return name, bound, *parts


def guessed(tree: Any, row: Row) -> bool:
    """Return the label that a tree gives."""
    while isinstance(tree, tuple):
        tree = tree[2] if row.get(tree[0], 0.0) < tree[1] else tree[3]
    return bool(tree)


def quartiles(values: Sequence[float]) -> str:
    """Return the quartiles, briefly."""
    ends = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return " ".join(f"{end:.3g}" for end in ends)


def compared(kind: str, number: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the lines of a kind for the table, and that for the table of kinds."""
    size, known = published(kind)
    ours = [*made(kind, size, number)]
    theirs_rows = [measured(*one) for one in known]
    ours_rows = [measured(puzzle, solution) for puzzle, solution, _ in ours]
    every = [*theirs_rows, *ours_rows]
    names = [
        name
        for name in dict.fromkeys(name for row in every for name in row)
        if len({row.get(name, 0.0) for row in every}) > 1
    ]
    share, first = told(every, [False] * len(known) + [True] * len(ours), names)
    lines, near = [], 0
    for name in sorted(names):
        one, two = ([row.get(name, 0.0) for row in rows] for rows in (theirs_rows, ours_rows))
        mean, other, spread = statistics.mean(one), statistics.mean(two), statistics.pstdev(one)
        is_near = abs(mean - other) <= max(NEAR * abs(mean), NEAR_DEVIATION * spread)
        near += is_near
        lines.append(
            {
                "kind": kind,
                "size": f"{size[0]}x{size[1]}",
                "statistic": name,
                "published": f"{mean:.3g}",
                "made": f"{other:.3g}",
                "published quartiles": quartiles(one),
                "made quartiles": quartiles(two),
                "near": "yes" if is_near else "no",
            }
        )
    times = sorted(seconds for *_, seconds in ours)
    summary = {
        "kind": kind,
        "size": f"{size[0]}x{size[1]}",
        "published": len(known),
        "made": len(ours),
        "near": f"{near} of {len(names)}",
        "told": f"{share:.0%}",
        "by": first,
        "median s": f"{statistics.median(times):.2f}",
        "slowest s": f"{times[-1]:.1f}",
    }
    return lines, summary


def fitted(kind: str) -> dict[str, Any]:
    """Return what the generator of a kind aims at, from published puzzles."""
    size, known = published(kind)
    cells = size[0] * size[1]
    rows = [measured(*one) for one in known]
    found: dict[str, Any] = {"cells": cells, "boards": len(known)}
    plain = sum(row.get("trials") == 0 for row in rows)
    found["plain"] = round(plain / len(rows), 3)

    def column(name: str) -> list[float]:
        return [row.get(name, 0.0) for row in rows]

    symmetries = Counter(symmetry_of(dict(one.clue_cells()), *size) for one, _ in known)
    if any(column("clues")):
        found["density"] = spread([clues / cells for clues in column("clues")])
        # Regions are not symmetric.
        if not any(column("regions")) or kind == "dotchiloop":
            shares = {name: round(many / len(known), 3) for name, many in symmetries.items()}
            found["symmetry"] = dict(sorted(shares.items()))
    for name in ("visited", "turns", "lone", "straight", "border"):
        if any(column(name)):
            found[name] = spread(column(name))
    if any(column("regions")):
        found["region"] = spread([cells / many for many in column("regions")])
        sizes = Counter(len(part) for one, _ in known for part in one.cells_by_region())
        many = sum(sizes.values())
        found["sizes"] = [round(sizes[n] / many, 4) for n in range(1, SIZES + 1)]
    numbers = [statistics.mean(column(f"share of {number}")) for number in range(NUMBERS)]
    # Holes are no numbers.
    if any(numbers[1:]):
        found["numbers"] = [round(share, 3) for share in numbers]
    if any(column("black")):
        found["black"] = spread(column("black"))
    return found


def spread(values: Sequence[float]) -> list[float]:
    """Return the tenth, the quartiles and the ninetieth hundredth of some values."""
    cuts = statistics.quantiles(values, n=20, method="inclusive")
    return [round(cuts[at], 4) for at in (1, 4, 9, 14, 17)]


def sheet(kind: str, folder: Path) -> None:
    """Write a page of published puzzles and made ones."""
    size, known = published(kind)
    theirs = [puzzle for puzzle, _ in shuffled(source(1, 0), known)[:SHOWN]]
    ours = [puzzle for puzzle, *_ in made(kind, size, SHOWN)]
    style = "body{display:grid;grid-template-columns:repeat(6,1fr);gap:10px;font:14px sans-serif}"
    style += "h2{grid-column:1/-1;margin:0}svg{width:100%;height:auto}"
    parts = [
        f"<h2>{title}</h2>" + "".join(f"<div>{svg(picture(one))}</div>" for one in every)
        for title, every in ((f"{kind}: published", theirs), (f"{kind}: made", ours))
    ]
    page = f"<!doctype html><meta charset=utf-8><style>{style}</style>{''.join(parts)}\n"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{kind}.html").write_text(page, encoding="utf-8")


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--kinds", help="Only these kinds, separated by commas.")
@click.option("--made", "number", default=40, show_default=True, help="Puzzles of a kind to make.")
@click.option(
    "--write",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder for looks.csv and looks_kinds.csv.",
)
@click.option("--fit", type=click.Path(dir_okay=False, path_type=Path), help="A JSON file.")
@click.option("--sheet", "sheets", type=click.Path(path_type=Path), help="A folder for pages.")
def main(
    folder: Path,
    kinds: str | None,
    number: int,
    write: Path | None,
    fit: Path | None,
    sheets: Path | None,
) -> None:
    """Compare made puzzles with published ones."""
    import tests.kinds.corpora as corpora

    corpora.CORPUS = folder
    if fit is not None:
        aims = {kind: fitted(kind) for kind in sorted(KINDS)}
        lines_of = (f'  "{kind}": {json.dumps(aim)}' for kind, aim in aims.items())
        fit.write_text("{\n" + ",\n".join(lines_of) + "\n}\n", encoding="utf-8")
        return
    lines: list[dict[str, Any]] = []
    about: list[dict[str, Any]] = []
    for kind in kinds.split(",") if kinds else KINDS:
        if sheets is not None:
            sheet(kind, sheets)
            continue
        more, summary = compared(kind, number)
        lines += more
        about.append(summary)
        click.echo(", ".join(f"{name} {value}" for name, value in summary.items()))
        for line in more if kinds else ():
            click.echo(
                f"  {line['statistic']:16} {line['published']:>7} {line['made']:>7}   "
                f"[{line['published quartiles']}] [{line['made quartiles']}] "
                f"{'' if line['near'] == 'yes' else 'FAR'}"
            )
    for name, table in (("looks", lines), ("looks_kinds", about)) if write is not None else ():
        with (write / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, [*table[0]], lineterminator="\n")
            writer.writeheader()
            writer.writerows(table)


if __name__ == "__main__":
    main()
