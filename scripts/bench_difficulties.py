"""Can every kind be made to every difficulty, and in what time? A row for each kind.

    python scripts/bench_difficulties.py
    python scripts/bench_difficulties.py --kinds masyu,yajilin --seeds 5 --size 8
    python scripts/bench_difficulties.py --kinds grandtour --cols 9

Each cell says how many requests led to a puzzle of the label, and the seconds of processor time
below which 95 % of the requests ended, made or not. A request ends after ``--seconds`` of processor
time, and a label is given up when none of the first three requests led to a puzzle.
"""

from __future__ import annotations

import signal
import time
from typing import Any

import click

from linkoracle import generate
from linkoracle.core.errors import LinkOracleError
from linkoracle.core.limits import LABELS
from linkoracle.deduce import grade
from linkoracle.generate.request_parts import labels_of
from linkoracle.generate.requests import made_kinds

#: Requests after which a label is given up that led to no puzzle.
FEW = 3


class OutOfTimeError(BaseException):
    """A request took too long."""


def ended(*_: Any) -> None:
    """Raise; called by the timer."""
    raise OutOfTimeError


def measured(
    kind: str, size: tuple[int, int], label: str, seed: int, seconds: float
) -> tuple[float, bool]:
    """Return the processor time of a request, and whether it led to a puzzle."""
    started, made = time.process_time(), None
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        request = generate.request_for(kind, *size, difficulty=label)
        made = generate.make(request, seed=seed)
    except (LinkOracleError, OutOfTimeError):
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    taken = time.process_time() - started
    if made is not None:
        assert grade(made.puzzle).label == label
    return taken, made is not None


def shape_of(kind: str, size: int, cols: int | None) -> tuple[int, int]:
    """Return the rows and columns; one column more where a kind has no loop of that size."""
    try:
        generate.request_for(kind, size, cols or size)
    except ValueError:
        return size, size + 1
    return size, cols or size


@click.command()
@click.option("--kinds", default=",".join(made_kinds()), help="Kinds of puzzles.")
@click.option("--size", default=10, show_default=True, help="Cells along each side.")
@click.option("--cols", type=int, help="Columns, where not as many as rows.")
@click.option("--seeds", default=20, show_default=True, help="Requests of each label.")
@click.option("--seconds", default=20.0, show_default=True, help="End a request after so long.")
def main(kinds: str, size: int, cols: int | None, seeds: int, seconds: float) -> None:
    """Print a table: a row for each kind, and a column for each label."""
    signal.signal(signal.SIGPROF, ended)
    print("| kind | " + " | ".join(LABELS) + " |\n| --- " + "| ---: " * len(LABELS) + "|")
    for kind in kinds.split(","):
        shape, cells = shape_of(kind, size, cols), []
        for label in LABELS:
            if label not in labels_of(kind, shape[0] * shape[1])[0]:
                cells.append("-")
                continue
            found: list[tuple[float, bool]] = []
            for seed in range(seeds):
                found.append(measured(kind, shape, label, seed, seconds))
                if len(found) == FEW and not any(one for _, one in found):
                    break
            times = sorted(taken for taken, _ in found)
            made = sum(one for _, one in found)
            cells.append(f"{made}/{len(found)}, {times[max(0, round(0.95 * len(times)) - 1)]:.1f}")
        print(f"| {kind} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
