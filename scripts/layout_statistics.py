"""Print layout statistics: the means of a collection, beside ours and Loopy's.

    python scripts/layout_statistics.py puzzles.txt
    python scripts/layout_statistics.py --size 10x10 --ours 100 --loopy 100 published.jsonl
    python scripts/layout_statistics.py --size 20x20 --ours 20 --ours-with symmetry=half-turn

One row for each file, which may have puzzles in any format and number, and for generated puzzles;
with `--size` only puzzles of that size. Slitherlinks and Numberlinks have a table each, with the
measures of `linkoracle.generate.looks`. Slitherlinks have another table with the share of
symmetric clues, the spread of their number, and the difficulties. Loopy is Debian's package
`sgt-puzzles`, with the difficulty *hard*.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

import click

from linkoracle.board import SYMMETRIES, orbits
from linkoracle.core import LABELS
from linkoracle.deduce import grade
from linkoracle.formats import read_all
from linkoracle.generate import (
    ClueStatistics,
    PathStatistics,
    has_layout_statistics,
    layout_statistics,
    slitherlink,
)
from linkoracle.kinds import Puzzle
from linkoracle.solving import solve
from loopy_peer import made_by_loopy

CLUES = "boards density blocks run blank rectangle 0 1 2 3"
SPREAD = "boards half-turn other 0% 25% 50% 75% 100% " + " ".join(LABELS) + " stuck"
PATHS = "boards paths turns cells straight short covered"


def measured(puzzles: Iterable[Puzzle]) -> Iterator[ClueStatistics | PathStatistics]:
    """Yield the statistics of each puzzle; leave out puzzles whose paths are unknown."""
    for puzzle in puzzles:
        solution = solve(puzzle) if puzzle.through_cells else None
        if solution is not None or not puzzle.through_cells:
            yield layout_statistics(puzzle, solution)


def row(found: Sequence[ClueStatistics | PathStatistics]) -> str:
    """Return the means of all measures, as cells of a table."""
    flat = [
        [
            float(part)
            for value in astuple(one)
            for part in (value if type(value) is tuple else [value])
        ]
        for one in found
    ]
    means = [statistics.mean(column) for column in zip(*flat, strict=True)]
    return " | ".join([str(len(found)), *(f"{value:.3f}" for value in means)])


def spread(puzzles: Sequence[Puzzle]) -> str:
    """Return the symmetry, numbers of clues and difficulties of Slitherlinks, as cells."""
    shown = [{cell for cell, _ in one.clue_cells()} for one in puzzles]
    turned, other = [], []
    for puzzle, cells in zip(puzzles, shown, strict=True):
        places = {row * puzzle.cols + col for row, col in cells}
        found = [
            name
            for name in SYMMETRIES[1:]
            if (puzzle.rows == puzzle.cols or ("diagonal" not in name and name != "quarter-turn"))
            and all(
                places.issuperset(orbit) or places.isdisjoint(orbit)
                for orbit in orbits(puzzle.board, name)
            )
        ]
        turned.append("half-turn" in found)
        other.append(bool(found) and "half-turn" not in found)
    numbers = sorted(map(len, shown))
    quarters = [numbers[round(part * (len(numbers) - 1) / 4)] for part in range(5)]
    labels = [grade(puzzle).label for puzzle in puzzles]
    shares = [sum(turned), sum(other)], [labels.count(label) for label in (*LABELS, None)]
    first, last = ([f"{100 * many / len(puzzles):.0f}" for many in part] for part in shares)
    return " | ".join([str(len(puzzles)), *first, *map(str, quarters), *last])


def loopy(size: tuple[int, int], number: int) -> list[Puzzle]:
    """Return boards that Loopy makes."""
    rows, cols = size
    made = made_by_loopy(number, f"{cols}x{rows}t0dh")
    return [entry.puzzle for entry in read_all(made, kind="slitherlink")]


@click.command()
@click.argument("files", nargs=-1)
@click.option("--kind", help="The kind of grids that do not name it.")
@click.option("--size", help="Only puzzles of this size, such as 10x10.")
@click.option("--ours", "ours", default=0, help="Slitherlinks of seeds 0, 1, 2 ... to make.")
@click.option("--ours-with", multiple=True, help="An option for ours, such as strategy=core.")
@click.option("--loopy", "theirs", default=0, help="Boards for Loopy to make.")
def main(
    files: tuple[str, ...],
    kind: str | None,
    size: str | None,
    ours: int,
    ours_with: tuple[str, ...],
    theirs: int,
) -> None:
    """Print the mean layout statistics."""
    rows, cols = map(int, (size or "10x10").split("x"))
    options: dict[str, Any] = dict(option.split("=", 1) for option in ours_with)
    collections: dict[str, list[Puzzle]] = {}
    for file in files:
        every = [entry.puzzle for entry in read_all(Path(file), kind=kind)]
        collections[file] = [
            one for one in every if size is None or (one.rows, one.cols) == (rows, cols)
        ]
    if theirs:
        collections["Loopy"] = loopy((rows, cols), theirs)
    if ours:
        made = [slitherlink(rows, cols, seed=seed, **options) for seed in range(ours)]
        collections["ours"] = [one.puzzle for one in made]
    tables: dict[str, list[str]] = {}
    for name, puzzles in collections.items():
        found = list(measured(puzzles))
        for titles, shape in ((CLUES, ClueStatistics), (PATHS, PathStatistics)):
            of_kind = [one for one in found if isinstance(one, shape)]
            if of_kind:
                tables.setdefault(titles, []).append(f"| {name} | {row(of_kind)} |")
        loops = [one for one in puzzles if has_layout_statistics(one) and not one.through_cells]
        if loops:
            tables.setdefault(SPREAD, []).append(f"| {name} | {spread(loops)} |")
    for titles, lines in tables.items():
        print("|  | " + " | ".join(titles.split()) + " |")
        print("| --- |" + " ---: |" * len(titles.split()))
        print(*lines, "", sep="\n")


if __name__ == "__main__":
    main()
