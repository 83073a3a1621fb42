"""A kind of a stranger, by docs/kinds.md alone: All or Nothing, which the package lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import linkoracle
from linkoracle.kinds import KINDS, LoopRules, RegionPuzzle, borders, disagreement, place_of


class AllOrNothing(RegionPuzzle):
    """One loop through all cells of some regions, and none of the others, which do not touch."""

    kind = "allornothing"
    title = "All or Nothing"
    instruction = (
        "Draw one loop. It enters a region at most once, and passes through all of its cells, or "
        "through none. No two regions without the loop touch."
    )
    words = "(?!)"
    clue = "no clue"
    visits = 1

    @property
    def crossings(self) -> list[int]:
        return [0, 2]

    def constrain(self, rules: LoopRules) -> None:
        super().constrain(rules)
        for cells in self.cells_by_region():
            rules.about("region", cells[0])
            for cell in cells[1:]:
                rules.same(rules.visited(cells[0]), rules.visited(cell))
        rules.about()
        for one, other in borders(self.regions):
            if self.avoided.isdisjoint((one, other)):
                rules.clause(rules.visited(one), rules.visited(other))

    def clue_faults(self, lines: Any) -> Iterator[str]:
        yield from super().clue_faults(lines)
        for cells in self.cells_by_region():
            if 0 < sum(cell in lines for cell in cells) < len(cells):
                yield f"the loop misses a part of the region of {place_of(cells[0])}"
        for one, other in borders(self.regions):
            if not {one, other} & {*lines, *self.avoided}:
                yield f"regions without a line touch at {place_of(one)} and {place_of(other)}"

    def clues_of(self, lines: Any) -> Iterator[Any]:  # noqa: ARG002 - there are none
        return iter(())


@pytest.fixture
def registered():
    linkoracle.register(AllOrNothing)
    yield
    KINDS._found.pop("allornothing")


@pytest.mark.usefixtures("registered")
def test_all_or_nothing():
    """A board whose regions leave one loop, in all the ways that a kind of the package is used."""
    puzzle = AllOrNothing.blank(4, 5, regions=["aabcc", "bbbde", "bbfff", "bbfff"])
    assert linkoracle.is_unique(puzzle)
    assert 0 < len(linkoracle.solve(puzzle)) < 20
    assert disagreement(AllOrNothing, 3) is None
    assert linkoracle.read(linkoracle.write(puzzle)) == puzzle
    assert linkoracle.draw(puzzle, linkoracle.solve(puzzle)).count("║") > 2
    assert linkoracle.read(linkoracle.write(puzzle, "penpa")) == puzzle
