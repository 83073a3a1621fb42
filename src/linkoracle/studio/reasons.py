"""Why a puzzle whose lines run through cells has no solution, where that can be said in brief."""

from __future__ import annotations

from dataclasses import replace

from linkoracle.board.model import HOLE, PASS
from linkoracle.core.limits import Deadline
from linkoracle.kinds import Numberlink, Puzzle
from linkoracle.sat.answers import Cell
from linkoracle.sat.cores import minimal_core
from linkoracle.solving import solve
from linkoracle.studio.boards import places

#: The two cells of a number.
Pair = tuple[Cell, Cell]


def numberless(puzzle: Puzzle) -> str | None:
    """Say that a Numberlink has no numbers yet, if that is so.

    >>> numberless(Numberlink.blank(2, 2)), numberless(Numberlink([[1, 1]]))
    ('there are no numbers to join yet', None)
    """
    empty = isinstance(puzzle, Numberlink) and not puzzle.number_of_clues
    return "there are no numbers to join yet" if empty else None


def uneven(puzzle: Puzzle) -> str | None:
    """Why no loop can pass through all cells, if they are not as many of both colours.

    A step leads from a cell of one colour of a chessboard to one of the other.

    >>> from linkoracle import SimpleLoop
    >>> uneven(SimpleLoop.from_holes(2, 2, [(0, 0)]))
    '2 cells are black on a chessboard and 1 white, and a loop passes through as many of both'
    """
    model = puzzle.model
    if not model.loop or not set(model.degrees) <= {PASS, HOLE}:
        return None
    colours = [0, 0]
    for vertex, degree in enumerate(model.degrees):
        row, col = model.lattice.position(vertex)
        colours[(row + col) % 2] += degree == PASS
    if colours[0] == colours[1]:
        return None
    more, fewer = max(colours), min(colours)
    return (
        f"{more} cells are black on a chessboard and {fewer} white, "
        "and a loop passes through as many of both"
    )


def hindering(puzzle: Puzzle, timeout: float | None, memory: int) -> tuple[list[int], bool] | None:
    """The cells of pairs that cannot be joined together, and whether without any of them they can.

    The latter is false where time ran out. ``None`` where all can be joined if cells may stay
    empty: then no fewer pairs are a reason. Or where a puzzle has no pairs.
    Raises `SearchTimeout`.

    >>> hindering(Numberlink([[1, 2, None], [2, 1, None], [3, None, 3]]), None, 1 << 30)
    ([0, 1, 3, 4], True)
    """
    if not isinstance(puzzle, Numberlink):
        return None
    deadline = Deadline(timeout)
    # Whatever joins pairs joins fewer of them, where cells may stay empty and no line is given.
    board = replace(puzzle.with_rule("free"), given=())

    def contradiction(pairs: dict[int, Pair]) -> dict[int, Pair] | None:
        others = {cell: None for cell, number in board.clue_cells() if number not in pairs}
        shown = board.with_clues(others)
        joined = not pairs or solve(shown, timeout=deadline.left, memory=memory) is not None
        return None if joined else pairs

    found = contradiction(board.pairs())
    if found is None:
        return None
    core, minimal = minimal_core(found, contradiction)
    cells = (cell for cell, number in board.clue_cells() if number in core)
    return places(board, cells), minimal
