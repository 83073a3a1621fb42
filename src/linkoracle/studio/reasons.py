"""Why a puzzle whose lines run through cells has no solution, where that can be said in brief."""

from __future__ import annotations

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import HOLE, PASS
from linkoracle.kinds import Puzzle


def numberless(puzzle: Puzzle) -> str | None:
    """Say that a puzzle of pairs to join has none yet, if that is so.

    >>> from linkoracle import Numberlink
    >>> numberless(Numberlink.blank(2, 2)), numberless(Numberlink([[1, 1]]))
    ('there are no numbers to join yet', None)
    """
    empty = puzzle.unit == "pairs" and not puzzle.number_of_clues
    return "there are no numbers to join yet" if empty else None


def uneven(puzzle: Puzzle) -> str | None:
    """Why no loop can pass through all cells, if they are not as many of both colours.

    A step leads from a cell of one colour of a chessboard to one of the other.

    >>> from linkoracle import SimpleLoop
    >>> uneven(SimpleLoop.from_holes(2, 2, [(0, 0)]))
    '2 cells are black on a chessboard and 1 white, and a loop passes through as many of both'
    """
    model = puzzle.model
    lattice = model.board
    squares = isinstance(lattice, Lattice)
    if not squares or not model.loop or not set(model.degrees) <= {PASS, HOLE}:
        return None
    colours = [0, 0]
    for vertex, degree in enumerate(model.degrees):
        row, col = lattice.position(vertex)
        colours[(row + col) % 2] += degree == PASS
    if colours[0] == colours[1]:
        return None
    more, fewer = max(colours), min(colours)
    return (
        f"{more} cells are black on a chessboard and {fewer} white, "
        "and a loop passes through as many of both"
    )
