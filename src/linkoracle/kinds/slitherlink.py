"""Slitherlink: one closed loop on the dots, or one unbroken line between two given dots.

Rules: connect dots of the lattice by horizontal and vertical lines so that every clue equals the
number of lines around its cell, and the lines form a single loop that neither crosses nor branches.
In the open-path variant they form a single line between two dots on the rim instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Self

from linkoracle.board.lattice import Solution
from linkoracle.board.model import ANY_COUNT, PASS_OR_SKIP, LinkModel
from linkoracle.core.errors import PuzzleError, counted
from linkoracle.core.limits import checked_int
from linkoracle.kinds.codings import FOUR, Pzpr
from linkoracle.kinds.puzzle import Ends, Example, Grid, GridPuzzle, Rows, line_faults

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True)
class Slitherlink(GridPuzzle):
    """A Slitherlink of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` (``clues``) has rows of 0 to 4 or ``None``. ``ends``, when given, are the two dots (in
    dot coordinates, ``0..rows`` by ``0..cols``) that the open path joins; both lie on the rim.

    Raises `PuzzleError` for ragged rows, a clue outside 0-4, or ends that are equal or off the rim.

    >>> puzzle = Slitherlink([[3, None], [None, 2]])
    >>> puzzle.rows, puzzle.cols, puzzle.rule
    (2, 2, 'loop')
    >>> dict(puzzle.clue_cells())
    {(0, 0): 3, (1, 1): 2}
    """

    ends: Ends | None = None

    kind = "slitherlink"
    title = "Slitherlink"
    rules: ClassVar = {"loop": "", "path": "open path"}
    instructions: ClassVar = {
        "loop": "Join neighbouring dots by lines, across or down, so that they form one closed "
        "loop that neither crosses itself nor branches. A number tells how many of the four sides "
        "of its cell belong to the loop.",
        "path": "Join neighbouring dots by lines, across or down, so that they form one line from "
        "one thick dot to the other that neither crosses itself nor branches. A number tells how "
        "many of the four sides of its cell belong to the line.",
    }
    examples: ClassVar = {
        "loop": Example(
            ".132. 3.... .0... 3..2. ..3.3",
            (((0, 0), "RRRDLDRRUURDDDDDLUULLDRDLLLURULURULU"),),
        ),
        "path": Example(
            "22.3. ..0.. 2..3. 11... .2...",
            (((0, 1), "LDDDDDRRURRUULDLLUURURDRURDDDDDL"),),
            {"ends": ((0, 1), (5, 4))},
        ),
    }
    points: ClassVar = {"ends": 2}
    clue = "a clue from 0 to 4"
    most = 4
    formats = ("loopy", "slk")
    pzpr = Pzpr(FOUR, {("slither", ""): None, ("slitherlink", ""): None})

    if TYPE_CHECKING:

        def __init__(self, grid: Rows, ends: Iterable[Iterable[int]] | None = None) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ends is not None:
            object.__setattr__(self, "ends", self._checked_ends(self.ends))

    def _checked_ends(self, ends: Iterable[Iterable[int]]) -> Ends:
        try:
            dots = [tuple(checked_int(part, "a place") for part in dot) for dot in ends]
        except (TypeError, ValueError):
            dots = []
        if len(dots) != 2 or any(len(dot) != 2 for dot in dots):
            raise PuzzleError(f"expected two ends, each as row and column of a dot, found {ends!r}")
        if dots[0] == dots[1]:
            raise PuzzleError("expected two different ends")
        for row, col in dots:
            inside = 0 <= row <= self.rows and 0 <= col <= self.cols
            if not (inside and (row in (0, self.rows) or col in (0, self.cols))):
                raise PuzzleError(
                    f"expected an end on the rim of the {self.rows + 1}x{self.cols + 1} dots, "
                    f"found {row},{col}"
                )
        (row, col), (row2, col2) = sorted(dots)
        return (row, col), (row2, col2)

    @classmethod
    def blank(cls, rows: int, cols: int, ends: Ends | None = None) -> Self:
        """A board without clues."""
        return cls(cls._empty(rows, cols), ends)

    @classmethod
    def from_solution(cls, solution: Solution, ends: Ends | None = None) -> Self:
        """The board on which every cell carries the clue that ``solution`` gives it."""
        return cls(solution.clues(), ends)

    @classmethod
    def from_grid(cls, grid: Rows, rule: str | None = None, **points: Any) -> Self:
        """What a file holds: clues, the rule if it is told, and ``ends`` if there are some."""
        made = cls(grid, **points)
        if rule is not None and rule != made.rule:
            raise PuzzleError(
                "expected 'slitherlink path' for a puzzle with ends"
                if made.ends
                else "expected two ends for the rule 'path', found none"
            )
        return made

    @property
    def clues(self) -> Grid:
        """The cells, by the name that they have in this puzzle."""
        return self.grid

    @property
    def rule(self) -> str:
        """``"loop"``, or ``"path"`` for the open-path variant."""
        return "loop" if self.ends is None else "path"

    @cached_property
    def model(self) -> LinkModel:
        """What the engines solve: the dots as vertices, the cells as faces."""
        lattice = self.lattice
        clues = chain.from_iterable(self.grid)
        faces = bytes([ANY_COUNT if clue is None else 1 << clue for clue in clues])
        if self.ends is None:
            degrees = bytes([PASS_OR_SKIP]) * lattice.num_vertices
            return LinkModel(lattice, degrees, faces, loop=True)
        first, last = (lattice.vertex(*dot) for dot in self.ends)
        return replace(LinkModel.blank_paths(lattice, [(first, last)]), faces=faces)

    def faults(self, lines: nx.Graph[Any]) -> Iterator[str]:
        """The clues that lines between dots break, and why they are no single loop, or line."""
        for (row, col), clue in self.clue_cells():
            corners = [(row, col), (row, col + 1), (row + 1, col + 1), (row + 1, col)]
            around = sum(lines.has_edge(corners[i - 1], corners[i]) for i in range(4))
            if around != clue:
                place = f"row {row + 1}, column {col + 1}"
                yield f"the clue {clue} at {place} has {counted(around, 'line')} around it"
        yield from line_faults(lines, self.ends or ())
