"""Numberlink: join equal numbers by paths that share no cell.

Under the rule ``"free"`` cells may stay empty; under ``"fill"`` every cell belongs to a path.
Paths run from cell to neighbouring cell, and a number is an end: no path passes through it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

from linkoracle.errors import PuzzleError
from linkoracle.lattice import Lattice
from linkoracle.model import LinkModel
from linkoracle.puzzles.grid import Grid, checked_grid, reflected, rotated
from linkoracle.puzzles.notebooks import Shown

#: A cell as ``(row, column)``, counted from 0.
Cell = tuple[int, int]

RULES = ("free", "fill")


@dataclass(frozen=True)
class Numberlink(Shown):
    """A Numberlink of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``numbers`` are rows of whole numbers from 1, each standing exactly twice, or ``None``.
    ``rule`` is ``"free"`` (cells may stay empty, the default) or ``"fill"`` (every cell used).

    Raises `PuzzleError` for ragged rows, a number below 1, or one that does not stand twice.

    >>> puzzle = Numberlink([[1, None, 2], [None, None, None], [2, None, 1]])
    >>> puzzle.pairs()
    {1: ((0, 0), (2, 2)), 2: ((0, 2), (2, 0))}
    """

    numbers: Grid
    rule: str = "free"

    kind: ClassVar[str] = "numberlink"

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", checked_grid(self.numbers))
        if self.rule not in RULES:
            raise PuzzleError(f"expected the rule 'free' or 'fill', found {self.rule!r}")
        for number, cells in self._cells().items():
            if number < 1:
                raise PuzzleError(f"expected a number from 1, found {number}", cells[0])
            if len(cells) != 2:
                times = "once" if len(cells) == 1 else f"{len(cells)} times"
                raise PuzzleError(
                    f"expected the number {number} to stand exactly twice, found it {times}",
                    cells[2] if len(cells) > 2 else cells[0],
                )

    def _cells(self) -> dict[int, list[Cell]]:
        places: dict[int, list[Cell]] = {}
        for row, cells in enumerate(self.numbers):
            for col, number in enumerate(cells):
                if number is not None:
                    places.setdefault(number, []).append((row, col))
        return places

    @classmethod
    def from_pairs(
        cls, rows: int, cols: int, pairs: Iterable[tuple[Cell, Cell]], rule: str = "free"
    ) -> Self:
        """The board whose numbers 1, 2, 3 ... stand at these pairs of cells, in this order."""
        grid: list[list[int | None]] = [[None] * cols for _ in range(rows)]
        for number, pair in enumerate(pairs, start=1):
            for row, col in pair:
                if not (0 <= row < rows and 0 <= col < cols) or grid[row][col] is not None:
                    raise PuzzleError(f"expected a free cell of the board, found {row},{col}")
                grid[row][col] = number
        return cls(tuple(map(tuple, grid)), rule)

    @property
    def rows(self) -> int:
        return len(self.numbers)

    @property
    def cols(self) -> int:
        return len(self.numbers[0])

    @property
    def grid(self) -> Grid:
        """The cells as both puzzles offer them: here, the numbers."""
        return self.numbers

    @property
    def lattice(self) -> Lattice:
        """The cells, as vertices."""
        return Lattice(self.rows, self.cols)

    def pairs(self) -> dict[int, tuple[Cell, Cell]]:
        """The two cells of each number, in reading order, by number."""
        places = self._cells()
        return {number: (places[number][0], places[number][1]) for number in sorted(places)}

    @cached_property
    def model(self) -> LinkModel:
        """What the engines solve: the cells as vertices, the numbers as terminals."""
        lattice = self.lattice
        pairs = [(lattice.vertex(*a), lattice.vertex(*b)) for a, b in self.pairs().values()]
        return LinkModel.blank_paths(lattice, pairs, cover=self.rule == "fill")

    def rotate(self, quarter_turns: int = 1) -> Self:
        """Turn clockwise by ``quarter_turns`` times 90 degrees."""
        turned = self
        for _ in range(quarter_turns % 4):
            turned = replace(turned, numbers=rotated(turned.numbers))
        return turned

    def reflect(self) -> Self:
        """Mirror left to right."""
        return replace(self, numbers=reflected(self.numbers))

    def renumbered(self) -> Self:
        """The same pairs, numbered from 1 in reading order.

        >>> Numberlink([[7, 3], [7, 3]]).renumbered().numbers
        ((1, 2), (1, 2))
        """
        names: dict[int | None, int | None] = {None: None}
        for row in self.numbers:
            for number in row:
                names.setdefault(number, len(names))
        return replace(
            self, numbers=tuple(tuple(names[cell] for cell in row) for row in self.numbers)
        )
