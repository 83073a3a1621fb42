"""Measure which difficulties each kind can be made to, and how fast: a row for each kind.

    python scripts/bench_difficulties.py
    python scripts/bench_difficulties.py --kinds masyu,yajilin --seeds 5 --size 8
    python scripts/bench_difficulties.py --kinds grandtour --cols 9

Each cell has the number of requests that led to a puzzle of the label, and the seconds of processor
time within which 95 % of all requests ended; the first column is without a label. A request ends
after ``--seconds`` of processor time. The last line counts all requests with a label. With
``--write`` the median times of the puzzles go to a file of estimates, by kind and label, and
replace the estimates of the same kinds:

    python scripts/bench_difficulties.py --write src/linkoracle/generate/times.json
"""

from __future__ import annotations

import json
import signal
import statistics
import time
from pathlib import Path
from typing import Any

import click

from linkoracle import generate
from linkoracle.core import LABELS, LinkOracleError
from linkoracle.deduce import grade
from linkoracle.generate import made_kinds
from linkoracle.generate.request import labels_of

#: Seconds within which a puzzle should be made.
SOON = 3


class OutOfTimeError(BaseException):
    """Raised if a request takes too long."""


def ended(*_: Any) -> None:
    """Raise; called by the timer."""
    raise OutOfTimeError


def measured(
    kind: str, size: tuple[int, int], label: str | None, seed: int, seconds: float
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
    if made is not None and label is not None:
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
@click.option("--seconds", default=20.0, show_default=True, help="Processor time for a request.")
@click.option("--write", type=click.Path(path_type=Path), help="Write the medians to a file.")
def main(
    kinds: str, size: int, cols: int | None, seeds: int, seconds: float, write: Path | None
) -> None:
    """Print a table: a row for each kind, and a column for each label."""
    signal.signal(signal.SIGPROF, ended)
    print("| kind | any | " + " | ".join(LABELS) + " |")
    print("| --- " + "| ---: " * (1 + len(LABELS)) + "|")
    medians: dict[str, dict[str, float]] = {}
    every: list[tuple[float, bool]] = []
    for kind in kinds.split(","):
        shape, cells = shape_of(kind, size, cols), []
        known = medians[kind] = {}
        for label in (None, *LABELS):
            if label is not None and label not in labels_of(kind, shape[0] * shape[1])[0]:
                cells.append("-")
                continue
            found = [measured(kind, shape, label, seed, seconds) for seed in range(seeds)]
            every += found if label is not None else []
            times = sorted(taken for taken, _ in found)
            good = [taken for taken, made in found if made]
            if good:
                known[label or ""] = round(statistics.median(good), 2)
            high = times[max(0, round(0.95 * len(times)) - 1)]
            cells.append(f"{len(good)}/{len(found)}, {high:.1f}")
        print(f"| {kind} | " + " | ".join(cells) + " |", flush=True)
        if write is not None:
            before = json.loads(write.read_text()) if write.is_file() else {}
            there = json.dumps({**before, kind: known}, indent=1, sort_keys=True)
            write.write_text(there + "\n")
    made = sum(good for _, good in every)
    soon = sum(good and taken <= SOON for taken, good in every)
    print(f"{made} of {len(every)} requests with a label led to a puzzle, {soon} in {SOON} s")


if __name__ == "__main__":
    main()
