"""Correlate scores with orders from elsewhere, for docs/explanation/grading.md.

    python scripts/grade_orders.py
    python scripts/grade_orders.py --number 20 --sizes 7,10 --file puzzles.jsonl

Orders are: the four levels of `sgt-loopy`, from Debian's package sgt-puzzles; one loop with fewer
and fewer clues; and, from a FILE with names such as ``21_8x8``, the numbers of puzzles of one size
in one group of ten. Kendall's tau over all pairs of an order: the pairs in the same order by the
measure, less the inverted pairs, divided by all. The measures are the weight of the hardest
technique, and the score. Run this program in two versions to compare these.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import click

from linkoracle.core import shuffled
from linkoracle.deduce import CATALOGUE, Grade, grade
from linkoracle.formats import read_all
from linkoracle.generate import slitherlink
from linkoracle.kinds import Slitherlink
from loopy_peer import LEVELS, made_by_loopy

#: The clues of a chain beyond those of a puzzle without redundant ones, as shares of all others.
CHAIN = (0.4, 0.25, 0.14, 0.07, 0.0)
WEIGHTS = {one.name: one.weight for one in CATALOGUE}
#: A place in an order, and the grade of the puzzle there.
Ranked = tuple[Any, Grade]


def loopy(size: int, number: int) -> list[Ranked]:
    """Return puzzles of each level of Loopy."""
    found = []
    for rank, level in enumerate(LEVELS):
        made = made_by_loopy(number, f"{size}x{size}t0d{level}")
        found += [(rank, grade(one.puzzle)) for one in read_all(made, kind="slitherlink")]
    return found


def chains(number: int) -> Iterator[list[Ranked]]:
    """Yield puzzles of one loop, with fewer and fewer clues."""
    for seed in range(number):
        made = slitherlink(10, 10, seed=seed, minimal=True)
        full = Slitherlink.from_solution(made.solution)
        kept = {cell for cell, _ in made.puzzle.clue_cells()}
        spare = shuffled(Random(seed), [c for c, _ in full.clue_cells() if c not in kept])
        gone = (spare[round(share * len(spare)) :] for share in CHAIN)
        puzzles = [full.with_clues(dict.fromkeys(cells)) for cells in gone]
        yield [(rank, grade(puzzle)) for rank, puzzle in enumerate(puzzles)]


def books(file: str) -> Iterator[list[Ranked]]:
    """Yield the puzzles of one size of each group of ten."""
    groups = defaultdict(list)
    for entry in read_all(Path(file)):
        if found := re.fullmatch(r"(\d+)_(\d+x\d+)", entry.name or ""):
            number = int(found[1])
            groups[(number - 1) // 10, found[2]].append((number, entry.puzzle))
    for members in groups.values():
        if len(members) > 1:
            yield [(number, grade(puzzle)) for number, puzzle in members]


def row(name: str, *orders: list[Ranked]) -> None:
    """Print the correlations of the pairs within each order."""
    pairs, hardest, scores = 0, 0, 0
    for order in orders:
        solved = [(rank, one) for rank, one in order if one.score is not None]
        for one, other in combinations(solved, 2):
            (low, easier), (high, harder) = sorted((one, other), key=lambda pair: pair[0])
            if low == high:
                continue
            pairs += 1
            ends = [max(WEIGHTS[name] for name in found.steps) for found in (easier, harder)]
            hardest += (ends[0] < ends[1]) - (ends[0] > ends[1])
            points = easier.score or 0, harder.score or 0
            scores += (points[0] < points[1]) - (points[0] > points[1])
    shown = [f"{total / max(1, pairs):.2f}" for total in (hardest, scores)]
    print(f"| {name} | {pairs} | {' | '.join(shown)} |", flush=True)


@click.command()
@click.option("--number", default=60, show_default=True, help="Puzzles of each level, and chains.")
@click.option("--sizes", default="7,10,15", show_default=True, help="Cells along each side.")
@click.option("--file", "file", default=None, help="Published puzzles.")
def main(number: int, sizes: str, file: str | None) -> None:
    """Print a row for each order."""
    print("| order | pairs | hardest technique | score |\n| --- | ---: | ---: | ---: |")
    every: list[Ranked] = []
    for size in map(int, sizes.split(",")):
        found = loopy(size, number)
        row(f"Loopy's levels, {size}x{size}", found)
        every += found
    row("Loopy's levels, of all sizes", every)
    row("fewer clues of one loop, 10x10", *chains(number))
    if file is not None:
        row("published, by number", *books(file))


if __name__ == "__main__":
    main()
