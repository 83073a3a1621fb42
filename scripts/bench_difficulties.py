"""Can every kind be made to every difficulty, and in what time? A row for each kind.

    python scripts/bench_difficulties.py
    python scripts/bench_difficulties.py --kinds masyu,yajilin --seeds 5 --size 8

Each cell says how many of the seeds led to a puzzle of the label, and the seconds of processor time
below which 95 % of the requests ended, made or not. A request ends after ``--seconds``.
"""

from __future__ import annotations

import time

import click

from linkoracle import generate
from linkoracle.core.errors import LinkOracleError
from linkoracle.core.limits import LABELS
from linkoracle.deduce import grade
from linkoracle.generate.request_parts import labels_of
from linkoracle.generate.requests import made_kinds


def measured(kind: str, size: int, label: str, seed: int, seconds: float) -> tuple[float, bool]:
    """Return the processor time of a request, and whether it led to a puzzle."""
    started, made = time.process_time(), None
    try:
        request = generate.request_for(kind, size, size, difficulty=label)
        made = generate.make(request, seed=seed, timeout=seconds)
    except LinkOracleError:
        pass
    taken = time.process_time() - started
    if made is not None:
        assert grade(made.puzzle).label == label
    return taken, made is not None


@click.command()
@click.option("--kinds", default=",".join(made_kinds()), help="Kinds of puzzles.")
@click.option("--size", default=10, show_default=True, help="Cells along each side.")
@click.option("--seeds", default=20, show_default=True, help="Requests of each label.")
@click.option("--seconds", default=20.0, show_default=True, help="End a request after so long.")
def main(kinds: str, size: int, seeds: int, seconds: float) -> None:
    """Print a table: a row for each kind, and a column for each label."""
    print("| kind | " + " | ".join(LABELS) + " |\n| --- " + "| ---: " * len(LABELS) + "|")
    for kind in kinds.split(","):
        cells = []
        for label in LABELS:
            if label not in labels_of(kind, size * size)[0]:
                cells.append("-")
                continue
            found = [measured(kind, size, label, seed, seconds) for seed in range(seeds)]
            times = sorted(taken for taken, _ in found)
            made = sum(one for _, one in found)
            cells.append(f"{made}/{seeds}, {times[max(0, round(0.95 * seeds) - 1)]:.1f}")
        print(f"| {kind} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
