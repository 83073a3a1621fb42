"""The papers of booklets, with their margins, and heights of letters."""

from __future__ import annotations

from math import sqrt
from typing import Literal, NamedTuple

from linkoracle.render.layout import Room

#: The names of papers.
Paper = Literal["a4", "a5", "letter"]
#: Sizes of paper in points.
PAPERS: dict[Paper, tuple[float, float]] = {
    "a4": (595.28, 841.89),
    "a5": (419.53, 595.28),
    "letter": (612.0, 792.0),
}

#: In points, on A4: the side and top margins, and the distance from the foot of a page to its
#: number. They scale with the paper.
_SIDE, _TOP, _FOOT = 45.0, 45.0, 30.0
#: The distance from the number of a page up to its content.
_ABOVE_FOOT = 26.0
#: Heights of letters that scale with the paper: of titles on a cover, on a page of their own and
#: above puzzles, and of headings. Fixed heights follow: of text, rules above puzzles, small text,
#: numbers of puzzles and of solutions, and names of puzzles.
COVER, TITLE, HEADLINE, HEADING = 54.0, 34.0, 24.0, 17.0
TEXT, RULES, SMALL, NUMBER, SOLVED_NUMBER, NAME = 10.5, 9.5, 8.5, 16.0, 9.5, 10.5


class Sides(NamedTuple):
    """A page of some paper, and the ``scale`` of its margins and headings."""

    width: float
    height: float

    @property
    def scale(self) -> float:
        width, height = PAPERS["a4"]
        return sqrt(self.width * self.height / (width * height))

    @property
    def side(self) -> float:
        return _SIDE * self.scale

    @property
    def top(self) -> float:
        return _TOP * self.scale

    @property
    def foot(self) -> float:
        """The height of page numbers."""
        return self.height - _FOOT * self.scale

    @property
    def room(self) -> Room:
        """The room between the margins."""
        return Room(self.width - 2 * self.side, self.foot - _ABOVE_FOOT - self.top)

    @property
    def turned(self) -> Sides:
        return Sides(self.height, self.width)
