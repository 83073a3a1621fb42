"""When are two puzzles the same? Turns, mirror images, and one form that stands for them all."""

from __future__ import annotations

from typing import Any, TypeVar

from linkoracle.puzzles.numberlink import Numberlink
from linkoracle.puzzles.slitherlink import Slitherlink

AnyPuzzle = TypeVar("AnyPuzzle", bound=Slitherlink | Numberlink)


def images(puzzle: AnyPuzzle) -> list[AnyPuzzle]:
    """The puzzle under each symmetry of its board: 8 of a square, 4 of any other.

    The first is the puzzle itself. Each symmetry stands once, also where two give the same puzzle.

    >>> [image.clues[0] for image in images(Slitherlink([[1, 2, None]]))]
    [(1, 2, None), (None, 2, 1), (None, 2, 1), (1, 2, None)]
    """
    step = 1 if puzzle.rows == puzzle.cols else 2
    found: list[Any] = []
    for side in (puzzle, puzzle.reflect()):
        found.append(side)
        for _ in range(4 // step - 1):
            found.append(found[-1].rotate(step))
    return found


def canonical(puzzle: AnyPuzzle) -> AnyPuzzle:
    """The puzzle that stands for all its turns, mirror images and, in Numberlink, renumberings.

    Two puzzles have the same canonical form exactly when a symmetry of the board takes one to the
    other: same rule, clues and ends, or numbers up to their names. Boards of 3x4 and of 4x3 cells
    are different boards. It is the least of the images, empty cells first, ends before clues.
    O(cells).

    >>> canonical(Numberlink([[2, None, 7], [2, None, 7]])).numbers
    ((1, None, 2), (1, None, 2))
    >>> canonical(Slitherlink([[None, 3], [None, None]])).clues
    ((None, None), (None, 3))
    """
    return min(map(_plainly_numbered, images(puzzle)), key=_order)


def _plainly_numbered(puzzle: AnyPuzzle) -> AnyPuzzle:
    return puzzle.renumbered() if isinstance(puzzle, Numberlink) else puzzle


def _order(puzzle: Slitherlink | Numberlink) -> tuple[Any, ...]:
    cells = tuple(-1 if cell is None else cell for row in puzzle.grid for cell in row)
    ends = puzzle.ends if isinstance(puzzle, Slitherlink) else None
    return ends or (), cells
