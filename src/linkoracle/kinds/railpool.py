"""Rail Pool: a loop through all cells, with the lengths of its straight lines in regions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from linkoracle.core import listing
from linkoracle.kinds.cell_loops import LoopRules
from linkoracle.kinds.lines import Lines, step
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Figure, Pzpr, place_of
from linkoracle.kinds.regions import RegionPuzzle


class RailPool(RegionPuzzle):
    """A Rail Pool of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of words such as ``"1,3"``, or ``None``, one at most in each of the
    ``regions``. The loop visits every cell. The numbers of a region are all lengths of the straight
    lines of the loop that run through its cells, also beyond its border: each length once, with
    ``?`` for a further length.

    >>> from linkoracle import count
    >>> regions = ["aabb", "aabb", "cccc", "cccc"]
    >>> count(RailPool(["1,3 . . .", ". . . .", ". . . .", ". . . ."], regions=regions))
    2
    """

    kind = "railpool"
    title = "Rail Pool"
    instruction = (
        f"{LOOP}, and passes through every cell. The numbers in a region show all lengths, in "
        "steps, of the straight lines that run through its cells, at least in part. A question "
        "mark is one more length."
    )
    example = Example(
        ". . . ./. . . ./1,2,3 . . 3/. . . .",
        (((0, 0), "RDDRUURDDDLLLUUU"),),
        {"regions": ["aabb", "aabc", "ddde", "ffee"]},
    )
    every_cell = True
    region_clues = True
    words = r"([1-9][0-9]*|\?)(,([1-9][0-9]*|\?)){0,3}"
    clue = "lengths of lines such as '1,3,?'"
    unknown = "?"
    pzpr = Pzpr(
        "lengths",
        {("railpool", ""): None},
        layout="cells regions holes",
        saved="cells holes regions",
    )

    def constrain(self, rules: LoopRules) -> None:
        """Require that straight lines in regions have the given lengths, and no others."""
        runs: dict[Cell, dict[int, list[list[int]]]] = {}
        for cell, ways in product(self.cells(), ("ew", "sn")):
            ray = rules.ray(cell, ways[0])
            for length in range(1, len(ray) + 1):
                ends = -rules.line(cell, ways[1]), *(-line for line in ray[length : length + 1])
                # A run is a line of this length: its steps, and none before or after.
                run = [*ray[:length], *ends]
                for at in range(length + 1):
                    by_length = runs.setdefault(step(cell, ways[0], at), {})
                    by_length.setdefault(length, []).append(run)
        for cells, place, word in self.clues_by_region():
            rules.about("clue", place)
            numbers = word.split(",")
            found: dict[int, int] = {}
            for length in range(1, max(self.rows, self.cols)):
                some = {tuple(run) for cell in cells for run in runs.get(cell, {}).get(length, [])}
                if "?" not in numbers and str(length) not in numbers:
                    for steps in sorted(some):
                        rules.clause(*(-one for one in steps))
                    continue
                found[length] = rules.some(map(rules.every, sorted(some)))
            for number in sorted({*numbers} - {"?"}):
                rules.clause(*filter(None, [found.get(int(number))]))
            if "?" in numbers:
                rules.count(found.values(), [len({*numbers} - {"?"}) + numbers.count("?")])

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each region whose lines have other lengths than its numbers."""
        for cells, cell, word in self.clues_by_region():
            numbers, found = word.split(","), {*map(str, lengths_in(lines, cells))}
            given = {*numbers} - {"?"}
            if not given <= found or len(found - given) != numbers.count("?"):
                told = listing(sorted(found, key=int)) if found else "none"
                yield f"the lengths in the region of the {word} at {place_of(cell)} are {told}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the lengths of each region in its first cell, if they are at most four."""
        for cells in self.cells_by_region():
            if len(found := lengths_in(lines, cells)) <= 4:
                yield cells[0], ",".join(map(str, sorted(found)))

    def clue_figures(self, cell: Cell, clue: str) -> Iterator[Figure]:
        """Yield what to draw: the numbers."""
        yield Figure("text", cell, str(clue).replace(",", " "))


def lengths_in(lines: Lines, cells: list[Cell]) -> set[int]:
    """Return the lengths of the straight lines that pass these cells."""
    pairs = ([lines.arm(cell, way) for way in ways] for cell in cells for ways in ("ns", "ew"))
    return {*map(sum, pairs)} - {0}
