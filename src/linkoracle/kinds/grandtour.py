"""Grand Tour: a loop through every dot, some lines of which are given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

from linkoracle.board import Solution
from linkoracle.kinds.cell_loops import CellLoop, LoopRules
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import Cell, Example


class GrandTour(CellLoop):
    """A Grand Tour of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    The loop joins neighbouring dots, the corners of cells, visits every dot, and has all lines that
    are ``given`` as pairs of dots. ``grid`` has no clues: rows of ``None``.

    >>> from linkoracle import count
    >>> count(GrandTour.blank(3, 3, given=[((0, 1), (1, 1)), ((1, 1), (2, 1))]))
    1
    """

    kind = "grandtour"
    title = "Grand Tour"
    instruction = (
        "Join neighbouring dots by lines, across or down, so that they form one closed loop "
        "through all dots. Lines that are drawn already belong to it."
    )
    example = Example(
        "..... ..... ..... ..... .....",
        (((0, 0), "RRRRRDDDLUULLDRDLDRRRDLLLLLURULURULU"),),
        {
            "given": (
                ((1, 1), (2, 1)),
                ((2, 0), (2, 1)),
                ((2, 0), (3, 0)),
                ((2, 4), (3, 4)),
                ((3, 2), (3, 3)),
                ((3, 2), (4, 2)),
                ((3, 4), (3, 5)),
            )
        },
    )
    through_cells = False
    every_cell = True
    words = "(?!)"
    clue = "no clue"

    def constrain(self, rules: LoopRules) -> None:
        """Add nothing: given lines and the visit of every dot suffice."""

    def clue_faults(self, lines: Lines) -> Iterator[str]:  # noqa: ARG002 - there are no clues
        """Yield nothing: there are no clues."""
        return iter(())

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:  # noqa: ARG002 - none
        """Yield no clue: there are none."""
        return iter(())

    @classmethod
    def from_solution(cls, solution: Solution, **annotations: Any) -> Self:
        """Return the board on which every line of the solution is given."""
        board = solution.board
        given = (
            (board.position(one), board.position(other)) for one, other in map(board.ends, solution)
        )
        return replace(super().from_solution(solution, **annotations), given=tuple(given))
