"""Slitherlink: one closed loop on the dots, or one unbroken line between two given dots.

Rules: connect dots of the lattice by horizontal and vertical lines so that every clue equals the
number of lines around its cell, and the lines form a single loop that neither crosses nor branches.
In the open-path variant they form a single line between two dots on the rim instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

from linkoracle.errors import PuzzleError
from linkoracle.lattice import Lattice
from linkoracle.model import ANY_COUNT, LinkModel, Solution
from linkoracle.puzzles.grid import Grid, checked_grid, reflected, rotated
from linkoracle.puzzles.notebooks import Shown

#: A dot as ``(row, column)``, counted from 0.
Dot = tuple[int, int]


@dataclass(frozen=True)
class Slitherlink(Shown):
    """A Slitherlink of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``clues`` are rows of 0 to 4 or ``None``. ``ends``, when given, are the two dots (in dot
    coordinates, ``0..rows`` by ``0..cols``) that the open path joins; both lie on the rim.

    Raises `PuzzleError` for ragged rows, a clue outside 0-4, or ends that are equal or off the rim.

    >>> puzzle = Slitherlink([[3, None], [None, 2]])
    >>> puzzle.rows, puzzle.cols, puzzle.rule
    (2, 2, 'loop')
    >>> dict(puzzle.clue_cells())
    {(0, 0): 3, (1, 1): 2}
    """

    clues: Grid
    ends: tuple[Dot, Dot] | None = None

    kind: ClassVar[str] = "slitherlink"

    def __post_init__(self) -> None:
        object.__setattr__(self, "clues", checked_grid(self.clues))
        for cell, clue in self.clue_cells():
            if not 0 <= clue <= 4:
                raise PuzzleError(f"expected a clue from 0 to 4, found {clue}", cell)
        if self.ends is not None:
            object.__setattr__(self, "ends", self._checked_ends(self.ends))

    def _checked_ends(self, ends: Iterable[Iterable[int]]) -> tuple[Dot, Dot]:
        dots = sorted(tuple(int(part) for part in dot) for dot in ends)
        if len(dots) != 2 or any(len(dot) != 2 for dot in dots):
            raise PuzzleError("expected two ends, each as row and column of a dot")
        if dots[0] == dots[1]:
            raise PuzzleError("expected two different ends")
        for row, col in dots:
            inside = 0 <= row <= self.rows and 0 <= col <= self.cols
            if not (inside and (row in (0, self.rows) or col in (0, self.cols))):
                raise PuzzleError(
                    f"expected an end on the rim of the {self.rows + 1}x{self.cols + 1} dots, "
                    f"found {row},{col}"
                )
        (row, col), (row2, col2) = dots
        return (row, col), (row2, col2)

    @classmethod
    def blank(cls, rows: int, cols: int, ends: tuple[Dot, Dot] | None = None) -> Self:
        """A board without clues."""
        return cls(((None,) * cols,) * rows, ends)

    @classmethod
    def from_solution(cls, solution: Solution, ends: tuple[Dot, Dot] | None = None) -> Self:
        """The board on which every cell carries the clue that ``solution`` gives it."""
        return cls(tuple(map(tuple, solution.face_counts().tolist())), ends)

    @property
    def rows(self) -> int:
        return len(self.clues)

    @property
    def cols(self) -> int:
        return len(self.clues[0])

    @property
    def rule(self) -> str:
        """``"loop"``, or ``"path"`` for the open-path variant."""
        return "loop" if self.ends is None else "path"

    @property
    def grid(self) -> Grid:
        """The cells as both puzzles offer them: here, the clues."""
        return self.clues

    @property
    def lattice(self) -> Lattice:
        """The dots."""
        return Lattice(self.rows + 1, self.cols + 1)

    def clue_cells(self) -> Iterator[tuple[tuple[int, int], int]]:
        """The clues as ``((row, column), clue)``, in reading order."""
        for row, cells in enumerate(self.clues):
            for col, clue in enumerate(cells):
                if clue is not None:
                    yield (row, col), clue

    def with_clues(self, clues: Mapping[tuple[int, int], int | None]) -> Self:
        """The same board with these cells changed; ``None`` takes a clue away."""
        grid = [list(row) for row in self.clues]
        for (row, col), clue in clues.items():
            grid[row][col] = clue
        return replace(self, clues=tuple(map(tuple, grid)))

    @cached_property
    def model(self) -> LinkModel:
        """What the engines solve: the dots as vertices, the cells as faces."""
        lattice = self.lattice
        faces = bytes(
            ANY_COUNT if clue is None else 1 << clue for row in self.clues for clue in row
        )
        if self.ends is None:
            return replace(LinkModel.blank_loop(lattice), faces=faces)
        first, last = (lattice.vertex(*dot) for dot in self.ends)
        return replace(LinkModel.blank_paths(lattice, [(first, last)]), faces=faces)

    def rotate(self, quarter_turns: int = 1) -> Self:
        """Turn clockwise by ``quarter_turns`` times 90 degrees."""
        turned = self
        for _ in range(quarter_turns % 4):
            ends = turned.ends
            if ends is not None:
                (row, col), (row2, col2) = ends
                ends = (col, turned.rows - row), (col2, turned.rows - row2)
            turned = replace(turned, clues=rotated(turned.clues), ends=ends)
        return turned

    def reflect(self) -> Self:
        """Mirror left to right."""
        ends = self.ends
        if ends is not None:
            (row, col), (row2, col2) = ends
            ends = (row, self.cols - col), (row2, self.cols - col2)
        return replace(self, clues=reflected(self.clues), ends=ends)
