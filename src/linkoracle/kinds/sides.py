"""`SidePuzzle`: base of kinds with dots in the middle of cells, and on the sides between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Self

from linkoracle.core import PuzzleError
from linkoracle.kinds.grid import GridPuzzle
from linkoracle.kinds.lines import step
from linkoracle.kinds.puzzle import Cell, Figure

#: The letters of a word in order: the middle of a cell, its right side and its lower side.
_OWN = "oes"


class SidePuzzle(GridPuzzle):
    """Base of kinds whose clues are words of dots: ``o``, ``e`` and ``s`` in this order.

    They stand for a dot in the middle of the cell, on its right side and on its lower side. Raises
    `PuzzleError` for a dot on the border of the board.
    """

    unit = "dots"
    words = "oe?s?|es?|s"
    clue = "a dot 'o', or dots on the right and lower side such as 'e' or 'es'"

    def __post_init__(self) -> None:
        super().__post_init__()
        for cell, letter in self.sides():
            row, col = step(cell, letter)
            if row == self.rows or col == self.cols:
                raise PuzzleError("expected a dot on a side between cells, found one beside", cell)

    def _mirrored(self, step_: Literal[1, -1]) -> Self:
        bare = self.with_clues(dict.fromkeys(cell for cell, _ in self.clue_cells()))
        found: dict[Cell, str] = {}
        turned = {"o": "o", "e": "w" if step_ == 1 else "s", "s": "s" if step_ == 1 else "w"}
        for cell, word in self.clue_cells():
            row, col = cell[::step_]
            for letter in word:
                new = row, (self.cols if step_ == 1 else self.rows) - 1 - col
                if turned[letter] == "w":
                    # The right side of the cell to the left.
                    new = step(new, "w")
                found[new] = found.get(new, "") + turned[letter].replace("w", "e")
        words = {cell: "".join(sorted(word, key=_OWN.index)) for cell, word in found.items()}
        return super(SidePuzzle, bare)._mirrored(step_).with_clues(words)

    @property
    def number_of_clues(self) -> int:
        """The number of dots."""
        return sum(len(word) for _, word in self.clue_cells())

    def middles(self) -> list[Cell]:
        """Return the cells with a dot in the middle."""
        return [cell for cell, word in self.clue_cells() if "o" in word]

    def sides(self) -> list[tuple[Cell, str]]:
        """Return the dots on sides: a cell, and the direction ``e`` or ``s`` of the side."""
        return [(cell, way) for cell, word in self.clue_cells() for way in word if way != "o"]

    def clue_figures(self, cell: Cell, clue: str) -> Iterator[Figure]:
        """Yield what to draw: the dots."""
        for letter in clue:
            own = letter == "o"
            yield Figure("dot", cell, "" if own else letter, None if own else step(cell, letter))
