"""How fast and how surely are published puzzles of each kind decided? And how fast are they made?

    python scripts/bench_kinds.py CORPUS
    python scripts/bench_kinds.py --made 20 --side 10 CORPUS

CORPUS is a folder of published puzzles, a file of JSON records for each kind, as
`tests/kinds/corpora.py` reads them. Prints a table: records, how many have exactly one solution,
which is the published one, processor time for each in milliseconds (building the model included),
the lines of the kind's page; and with --made, seconds for a puzzle of --side x --side cells.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

import click

from linkoracle import decide
from linkoracle.generate import puzzle
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


def made(kind: str, side: int, number: int) -> list[float]:
    """Return the times of making puzzles; a side that is odd has no loop through every cell."""
    times = []
    for seed in range(number):
        start = time.process_time()
        puzzle(kind, side, side, seed=seed)
        times.append(time.process_time() - start)
    return times


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--made", "number", default=0, help="Puzzles to make of each kind.")
@click.option("--side", default=10, help="Rows and columns of these.")
def main(folder: Path, number: int, side: int) -> None:
    """Print the table."""
    print(
        "kind | records | right | median ms | 95 % ms | slowest ms | lines | made s: median, most"
    )
    for name, kind in KINDS.items():
        if kind.rules.keys() != {"loop"} or not (folder / f"{name}.jsonl").is_file():
            continue
        times, right, slowest = decided(name, folder)
        ms = [1000 * one for one in sorted(times)]
        lines = len((ROOT / f"src/linkoracle/kinds/{name}.py").read_text().splitlines())
        cells = [
            name,
            len(ms),
            right,
            f"{statistics.median(ms):.1f}",
            f"{ms[int(0.95 * len(ms))]:.0f}",
        ]
        cells += [f"{ms[-1]:.0f} ({slowest})", lines]
        if number:
            took = made(name, side + (not kind.through_cells), number)
            cells.append(f"{statistics.median(took):.2f}, {max(took):.2f}")
        print(" | ".join(map(str, cells)), flush=True)


if __name__ == "__main__":
    main()
