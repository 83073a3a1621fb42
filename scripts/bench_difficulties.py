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

With ``--labels`` each label is tried at several sizes, whatever is offered now, and the file of
what is offered gets the smallest and the largest size at which every request led to a puzzle:

    python scripts/bench_difficulties.py --seeds 3 --labels src/linkoracle/generate/labels.json
"""

from __future__ import annotations

import json
import re
import signal
import statistics
import time
from pathlib import Path
from typing import Any

import click

from linkoracle import deduce, generate
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
    kind: str,
    size: tuple[int, int],
    label: str | None,
    seed: int,
    seconds: float,
    *,
    any_label: bool = False,
) -> tuple[float, bool]:
    """Return the processor time of a request, and whether it led to a puzzle.

    With ``any_label``, labels that are not offered are requested, too.
    """
    started, made = time.process_time(), None
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        if any_label:
            # A predicate is never refused.
            keeps = deduce.within(label, least=label)
            request = generate.request_for(kind, *size, keeps=keeps)
        else:
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


#: The sizes at which labels are tried. A label reached at the last one is offered on larger boards,
#: too; one reached at the first from `FEWEST` cells on, if it is not the easiest.
SIZES, FEWEST = (6, 10), 25


def reached(kind: str, seeds: int, seconds: float) -> dict[str, list[int | None]]:
    """Return the labels to which puzzles of a kind are made, with the fewest and the most cells."""
    shapes = [shape_of(kind, size, None) for size in SIZES]
    found: dict[str, list[int | None]] = {}
    for label in LABELS:
        good = []
        for rows, cols in shapes:
            made = (
                measured(kind, (rows, cols), label, seed, seconds, any_label=True)[1]
                for seed in range(seeds)
            )
            good.append(all(made))
        if not any(good):
            continue
        first, last = longest(good)
        cells = [rows * cols for rows, cols in shapes]
        found[label] = [
            cells[first] if first else 1 if label == LABELS[0] else FEWEST,
            None if last == len(cells) - 1 else cells[last],
        ]
    return found


def longest(good: list[bool]) -> tuple[int, int]:
    """Return the first and the last place of the longest run of true values."""
    best, start = (0, -1), None
    for at, is_good in enumerate([*good, False]):
        if is_good and start is None:
            start = at
        if not is_good and start is not None:
            best, start = max(best, (start, at - 1), key=lambda run: run[1] - run[0]), None
    return best


@click.command()
@click.option("--kinds", default=",".join(made_kinds()), help="Kinds of puzzles.")
@click.option("--size", default=10, show_default=True, help="Cells along each side.")
@click.option("--cols", type=int, help="Columns, where not as many as rows.")
@click.option("--seeds", default=20, show_default=True, help="Requests of each label.")
@click.option("--seconds", default=20.0, show_default=True, help="Processor time for a request.")
@click.option("--write", type=click.Path(path_type=Path), help="Write the medians to a file.")
@click.option("--labels", type=click.Path(path_type=Path), help="Write what is offered to a file.")
def main(
    kinds: str,
    size: int,
    cols: int | None,
    seeds: int,
    seconds: float,
    write: Path | None,
    labels: Path | None,
) -> None:
    """Print a table: a row for each kind, and a column for each label."""
    signal.signal(signal.SIGPROF, ended)
    if labels is not None:
        for kind in kinds.split(","):
            known = json.loads(labels.read_text())
            known["squares"][kind] = reached(kind, seeds, seconds)
            text = json.dumps(known, indent=1, sort_keys=True) + "\n"
            # A span on one line.
            labels.write_text(re.sub(r"\[\s+([0-9]+),\s+([0-9]+|null)\s+\]", r"[\1, \2]", text))
            print(kind, known["squares"][kind], flush=True)
        return
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
