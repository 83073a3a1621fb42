"""Measure how fast published puzzles of each kind are decided, and new ones made.

    python scripts/bench_kinds.py CORPUS
    python scripts/bench_kinds.py --made 20 --side 10 CORPUS
    python scripts/bench_kinds.py --peer run_solver CORPUS

CORPUS is a folder of published puzzles, a file of JSON records for each kind, as
`tests/kinds/corpora.py` reads them. Prints a table, a line for each kind and variant: records, how
many have exactly one solution, the published one, processor time for each in milliseconds (building
the model included), and the lines of the kind's page. With --made, also seconds for a puzzle of
--side x --side cells, which the plain engine finds unique, too.

With --peer, Masyu, Yajilin and Country Road are also decided by cspuz_core, in turns, puzzle by
puzzle. PROGRAM is the output of `cargo build --release --bin run_solver` in
https://github.com/semiexp/cspuz_core; it finds all lines that every solution has. PROGRAM reads a
puzz.link URL and writes its answer as JSON, in a process of its own, which takes about a
millisecond of its processor time. Country Roads with cells outside all regions have no URL, and are
left out. On our side, reading the same URL is part of the time.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from linkoracle import FormatError, decide, is_unique, read, write
from linkoracle.generate import Made, numberlink, puzzle, slitherlink
from linkoracle.kinds import KINDS

ROOT = Path(__file__).resolve().parents[1]


def decided(kind: str, folder: Path) -> tuple[list[float], int, str]:
    """Return the times of all records, how many are right, and the name of the slowest."""
    sys.path.insert(0, str(ROOT))
    from tests.kinds import corpora

    corpora.CORPUS = folder
    times: list[tuple[float, str]] = []
    right = 0
    for record in corpora.records(kind):
        start = time.process_time()
        verdict = decide(record.puzzle)
        times.append((time.process_time() - start, record.name))
        right += verdict.unique and record.solution in (None, *verdict.solutions)
    return [seconds for seconds, _ in times], right, max(times)[1]


def made(kind: str, variant: str, side: int, number: int) -> list[float]:
    """Return the times of making puzzles; a side that is odd has no loop through every cell."""
    how: dict[str, Callable[..., Made]] = {
        "slitherlink": partial(slitherlink, fill=variant == "fill"),
        "numberlink": partial(numberlink, variant=variant),
    }
    times = []
    for seed in range(number):
        start = time.process_time()
        one = how.get(kind, partial(puzzle, kind))(side, side, seed=seed)
        times.append(time.process_time() - start)
        if one.puzzle.variant != variant or not is_unique(one.puzzle, engine="plain", timeout=60):
            raise AssertionError(f"{kind} {variant}, seed {seed}: not as it should be")
    return times


def beside(kind: str, folder: Path, program: str) -> None:
    """Print how fast and how often both decide the puzzles of a kind, and what differs."""
    sys.path.insert(0, str(ROOT))
    from tests.kinds import corpora

    corpora.CORPUS = folder
    times: dict[str, list[float]] = {"linkoracle": [], "cspuz_core": []}
    right = dict.fromkeys(times, 0)
    for record in corpora.records(kind):
        try:
            url = write(record.puzzle, "pzpr").strip()
        except FormatError:
            continue
        start = time.process_time()
        verdict = decide(read(url))
        times["linkoracle"].append(time.process_time() - start)
        (only,) = verdict.solutions if verdict.unique else (None,)
        right["linkoracle"] += only is not None and record.solution in (None, only)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([program, "--json", url], capture_output=True, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
        times["cspuz_core"].append(user + system)
        found = json.loads(done.stdout)
        # Twice the position, and the middle of the line.
        lines = {(one["y"], one["x"]) for one in found["data"] if one["item"] == "line"}
        lattice = record.puzzle.lattice
        expected = set()
        for edge in only or ():
            (row, col), (other, beyond) = map(lattice.position, lattice.ends(edge))
            expected.add((row + other + 1, col + beyond + 1))
        right["cspuz_core"] += found.get("isUnique") is True and lines == expected
    for name, seconds in times.items():
        ms = [1000 * one for one in sorted(seconds)]
        median, high = statistics.median(ms), ms[int(0.95 * len(ms))]
        cells = [kind, name, len(ms), right[name], f"{median:.1f}", f"{high:.0f}"]
        print(" | ".join(map(str, [*cells, f"{ms[-1]:.0f}", f"{sum(ms) / 1000:.1f}"])), flush=True)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--made", "number", default=0, help="Puzzles to make of each kind.")
@click.option("--side", default=10, help="Rows and columns of these.")
@click.option("--peer", metavar="PROGRAM", help="Compare with cspuz_core's run_solver.")
def main(folder: Path, number: int, side: int, peer: str | None) -> None:
    """Print the table."""
    if peer is not None:
        print("kind | by | puzzles | right | median ms | 95 % ms | slowest ms | total s")
        for name in ("masyu", "yajilin", "countryroad"):
            beside(name, folder, peer)
        return
    print(
        "kind | records | right | median ms | 95 % ms | slowest ms | lines | made s: median, most"
    )
    for name, variant in (
        (name, variant) for name, kind in KINDS.items() for variant in kind.variants
    ):
        several = len(KINDS[name].variants) > 1
        if several and variant in ("loop", "path", "free"):
            # Measured elsewhere.
            continue
        cells: list[object] = [f"{name} {variant}" if several else name]
        if several or not (folder / f"{name}.jsonl").is_file():
            cells += [""] * 5
        else:
            times, right, slowest = decided(name, folder)
            ms = [1000 * one for one in sorted(times)]
            cells += [len(ms), right, f"{statistics.median(ms):.1f}"]
            cells += [f"{ms[int(0.95 * len(ms))]:.0f}", f"{ms[-1]:.0f} ({slowest})"]
        page = sys.modules[KINDS[name].__module__].__file__
        cells.append(len(Path(page or "").read_text().splitlines()))
        if number:
            took = made(name, variant, side + (not KINDS[name].through_cells), number)
            cells.append(f"{statistics.median(took):.2f}, {max(took):.2f}")
        print(" | ".join(map(str, cells)), flush=True)


if __name__ == "__main__":
    main()
