"""Measure the processor time of each operation of a diagram, or of a family of a census.

A table for each case: one row for each operation, the median of some runs. With the Python of
another installation, such as of an earlier version, both run in turns, and a column compares them.

    python scripts/bench_diagrams.py
    python scripts/bench_diagrams.py --only loops --against ../earlier/.venv/bin/python
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from typing import Any

import networkx as nx

from linkoracle import LinkModel, Numberlink, Slitherlink, diagram
from linkoracle.census import instances, puzzles_of

Operations = dict[str, Callable[[Any], object]]

#: Three pairs on 11x11 cells, which may stay empty.
FREE_PATHS: list[list[int | None]] = [[None] * 11 for _ in range(11)]
for number, cells in enumerate([[(1, 1), (7, 6)], [(2, 6), (6, 1)], [(4, 4), (10, 9)]], start=1):
    for cell_row, cell_col in cells:
        FREE_PATHS[cell_row][cell_col] = number

#: The operations of a diagram, in this order: some cache results that later ones use.
DIAGRAM: Operations = {
    "count": lambda found: found.count(),
    "by length": lambda found: found.by_length(),
    "shares": lambda found: found.edge_frequencies(),
    "including 3": lambda found: found.filter(required=spread(found)[:3]),
    "excluding 3": lambda found: found.filter(forbidden=spread(found)[3:]),
    "including 3, excluding 3": lambda found: found.filter(
        required=spread(found)[:3], forbidden=spread(found)[3:]
    ),
    "one length": lambda found: found.filter(length=typical(found)),
    "lengths up to that": lambda found: found.filter(length=(0, typical(found))),
    "longest": lambda found: found.longest(),
    "sample of 300": lambda found: found.sample(300, seed=1),
    "first 1000": lambda found: list(islice(found, 1000)),
}

#: The operations of the puzzles of one loop.
PUZZLES: Operations = {
    "count": lambda found: found.count(),
    "by clues": lambda found: found.by_clues(),
    "minimal": lambda found: found.minimal(),
    "filter": lambda found: found.filter(forbidden=[(0, 0)], required=[(1, 1)], clues=(0, 18)),
    "sample of 300": lambda found: found.sample(300, seed=1),
    "first 1000": lambda found: list(islice(found, 1000)),
}

#: The operations of the Numberlink instances of a board.
INSTANCES: Operations = {
    "count": lambda found: found.count(),
    "by pairs": lambda found: found.by_pairs(),
    "filter": lambda found: found.filter(adjacent_ends=False),
    "sample of 300": lambda found: found.sample(300, seed=1),
    "first 1000": lambda found: list(islice(found, 1000)),
}


def typical(found: Any) -> int:
    """Return the length of a random solution."""
    return len(found.sample(1, seed=2)[0])


def spread(found: Any) -> list[int]:
    """Return edges of one solution from all over the board, and as many that it does not choose."""
    chosen = found[found.count() // 2].edges
    others = sorted(set(range(len(found.edge_order))) - set(chosen))
    places = (5, 11, 17)
    return [edges[len(edges) * k // 20] for edges in (chosen, others) for k in places]


def half_of_the_clues(size: int) -> Slitherlink:
    """Return a random loop on ``size`` cells a side, with a random half of its clues."""
    (loop,) = diagram(Slitherlink.blank(size, size)).sample(1, seed=1)
    rng = random.Random(1)
    return Slitherlink(
        [[clue if rng.random() < 0.5 else None for clue in row] for row in loop.clues()]
    )


def honeycomb(size: int) -> LinkModel:
    from linkoracle.board import Board

    return LinkModel.blank_loop(Board.from_graph(nx.hexagonal_lattice_graph(size, size)))


def loop_puzzles(size: int) -> object:
    (loop,) = diagram(Slitherlink.blank(size, size)).sample(1, seed=1)
    return puzzles_of(loop)


#: By name: a puzzle or a model, what to build from it, and the operations.
CASES: dict[str, tuple[Callable[[], Any], Callable[[Any], Any], Operations]] = {
    "loops, 11x11 cells": (lambda: Slitherlink.blank(11, 11), diagram, DIAGRAM),
    "Slitherlink, half its clues, 12x12": (lambda: half_of_the_clues(12), diagram, DIAGRAM),
    "Numberlink, 11x11": (lambda: Numberlink(FREE_PATHS), diagram, DIAGRAM),
    "honeycomb, 10x10": (lambda: honeycomb(10), diagram, DIAGRAM),
    "puzzles of a loop, 5x5": (lambda: 5, loop_puzzles, PUZZLES),
    "Numberlink instances, 4x5": (lambda: (4, 5), lambda size: instances(*size), INSTANCES),
}


def measured(case: str) -> dict[str, float]:
    """Return the milliseconds of building, and of each operation on what was built."""
    make, build, operations = CASES[case]
    argument, spent = make(), {}

    def timed(name: str, work: Callable[[], Any]) -> Any:
        begun = time.process_time()
        result = work()
        spent[name] = 1000 * (time.process_time() - begun)
        return result

    found = timed("build", lambda: build(argument))
    for name, operation in operations.items():
        timed(name, lambda operation=operation: operation(found))
    return spent


def medians(case: str, pythons: list[str], runs: int) -> list[dict[str, float]]:
    """Return the medians for each Python, over runs in their own processes, which take turns.

    An installation that does not know the boards of a case is left out.
    """
    found: list[list[dict[str, float]]] = [[] for _ in pythons]
    for _ in range(runs):
        for python, results in zip(pythons, found, strict=True):
            command = [python, __file__, "--measure", case]
            run = subprocess.run(command, check=python == sys.executable, capture_output=True)
            if run.returncode == 0:
                results.append(json.loads(run.stdout))
    return [
        {name: statistics.median(run[name] for run in results) for name in results[0]}
        for results in found
        if results
    ]


def print_table(case: str, found: list[dict[str, float]]) -> None:
    headings = ["ms", "against ms", "ratio"][: 2 * len(found) - 1]
    print("| " + " | ".join([case, *headings]) + " |")
    print("| --- " + "| ---: " * len(headings) + "|")
    sums = [sum(spent.values()) for spent in found]
    for name in [*found[0], "sum"]:
        times = sums if name == "sum" else [spent[name] for spent in found]
        columns = [f"{spent:.1f}" for spent in times]
        if len(times) == 2:
            columns.append(f"{times[0] / times[1]:.2f}")
        print("| " + " | ".join([name, *columns]) + " |", flush=True)
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="cases with this in their names")
    parser.add_argument("--against", metavar="PYTHON", help="of the installation to compare with")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--measure", choices=CASES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        # What is loaded when it is first used.
        diagram(Slitherlink.blank(2, 2)).filter(length=4).sample(1, seed=1)
        instances(2, 2).by_pairs()
        print(json.dumps(measured(options.measure)))
        return
    pythons = [sys.executable, *filter(None, [options.against])]
    for case in CASES:
        if options.only in case:
            print_table(case, medians(case, pythons, options.runs))


if __name__ == "__main__":
    main()
