"""Boards as the page and the server tell them to each other, as JSON.

A board is an object with ``kind``, ``rule``, ``rows``, ``cols``, ``cells`` in reading order, each a
number or null, and ``points``: the lists beside the grid by their names, such as the ends of a path
or the lines that are given, each as its two ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from linkoracle.core.errors import PuzzleError
from linkoracle.kinds import KINDS, Puzzle, kind_named
from linkoracle.kinds.cell_loops import CellLoop
from linkoracle.sat.answers import Cell

#: Larger boards are refused: most answers about them would never come.
MAX_SIDE, MAX_CELLS = 60, 2500
#: Greatest number in a cell: no board that is let in has more pairs.
_MOST = MAX_CELLS // 2
#: The most vertices or edges in a list: more than any board has.
_MAX_POINTS = 10_000


def puzzle_of(board: object) -> Puzzle:
    """The puzzle that a board says; `PuzzleError` for what is none, or too large.

    >>> puzzle_of({"kind": "slitherlink", "rule": "loop", "rows": 1, "cols": 2, "cells": [3, None]})
    Slitherlink(grid=((3, None),), ends=None)
    """
    if not isinstance(board, dict):
        raise PuzzleError("expected a board as an object")
    kind, rule = board.get("kind"), board.get("rule")
    if not isinstance(kind, str):
        raise PuzzleError("expected the kind of a board as a string")
    found = kind_named(kind)
    if not isinstance(rule, str) or rule not in found.rules:
        raise PuzzleError(f"expected a rule of the kind {kind!r}, found {rule!r}")
    rows, cols, cells = board.get("rows"), board.get("cols"), board.get("cells")
    if type(rows) is not int or type(cols) is not int:
        raise PuzzleError("expected rows and columns as whole numbers")
    check_size(rows, cols)
    if not isinstance(cells, list) or len(cells) != rows * cols:
        raise PuzzleError(f"expected a list of {rows * cols} cells")
    for place, cell in enumerate(cells):
        if cell is not None and (type(cell) is not int or not 0 <= cell <= _MOST):
            raise PuzzleError(
                f"expected a number up to {_MOST} or null, found {cell!r}", divmod(place, cols)
            )
    grid = [cells[at : at + cols] for at in range(0, len(cells), cols)]
    return found.from_grid(grid, rule, **_points(found, board.get("points")))


def _points(kind: type[Puzzle], points: object) -> dict[str, Any]:
    if points is None:
        return {}
    if not isinstance(points, dict) or not points.keys() <= kind.points.keys():
        raise PuzzleError(f"expected points of the kind {kind.kind!r} as an object")
    for place in points.values():
        if not isinstance(place, list) or len(place) > _MAX_POINTS:
            raise PuzzleError(f"expected points as a list of at most {_MAX_POINTS}")
    return points


def numbers(found: object, name: str, end: int) -> tuple[int, ...]:
    """A list of different numbers of cells, edges or faces, below ``end``; none for ``None``.

    `PuzzleError`, with the name of the list, for what is none.

    >>> numbers([3, 1], "lines", 4), numbers(None, "lines", 4)
    ((3, 1), ())
    """
    if found is None:
        return ()
    if (
        not isinstance(found, list)
        or any(type(number) is not int or not 0 <= number < end for number in found)
        or len(set(found)) != len(found)
    ):
        raise PuzzleError(f"expected {name} as a list of different numbers below {end}")
    return tuple(found)


def places(puzzle: Puzzle, cells: Iterable[Cell]) -> list[int]:
    """The numbers of cells, in reading order of the board.

    >>> places(kind_named("simpleloop").blank(2, 3), [(0, 0), (1, 1)])
    [0, 4]
    """
    return [row * puzzle.cols + col for row, col in cells]


def check_size(rows: int, cols: int) -> None:
    """`PuzzleError` for a board that is too large for the page."""
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE and rows * cols <= MAX_CELLS):
        raise PuzzleError(
            f"expected a board of at most {MAX_SIDE} rows and columns and {MAX_CELLS} cells, "
            f"found {rows}x{cols}"
        )


def board_of(puzzle: Puzzle) -> dict[str, Any]:
    """The board of a puzzle; `PuzzleError` for one that is too large for the page.

    >>> board = board_of(kind_named("simpleloop").from_grid([[0, None]]))
    >>> board["rule"], board["cells"], puzzle_of(board).grid
    ('loop', [0, None], ((0, None),))
    """
    check_size(puzzle.rows, puzzle.cols)
    points = {name: _as_lists(found) for name in puzzle.points if (found := getattr(puzzle, name))}
    about = {key: getattr(puzzle, key) for key in ("kind", "rule", "rows", "cols")}
    return {**about, "cells": [cell for row in puzzle.grid for cell in row], "points": points}


def _as_lists(found: Any) -> Any:
    """Tuples in tuples as JSON has them."""
    return list(map(_as_lists, found)) if isinstance(found, tuple) else found


def kinds() -> list[dict[str, Any]]:
    """Return what the page needs to know about each kind that it can edit."""
    return [_described(KINDS[name]) for name in edited_kinds()]


def edited_kinds() -> list[str]:
    """Return the kinds that the page edits: it has no keys for words, nor tools for regions."""
    return [name for name, kind in KINDS.items() if not issubclass(kind, CellLoop)]


def _described(kind: type[Puzzle]) -> dict[str, Any]:
    least, most = getattr(kind, "least", 0), getattr(kind, "most", None)
    # The same number twice is right for every kind, also where numbers stand in pairs.
    example = kind.from_grid([[least, least]])
    return {
        "name": kind.kind,
        "title": kind.title,
        "rules": [
            {"name": rule, "says": says or rule, "points": dict(_needed(kind, rule))}
            for rule, says in kind.rules.items()
        ],
        "lists": [name for name, listed in kind.points.items() if listed.length is None],
        "told": {name: listed.told for name, listed in kind.points.items() if listed.told},
        "throughCells": kind.through_cells,
        "pairs": kind.letters,
        "least": least,
        "most": most,
        "look": next(iter(example.figures())).look,
        "instructions": dict(kind.instructions),
        "url": kind.pzpr is not None,
        "formats": list(kind.formats),
    }


def _needed(kind: type[Puzzle], rule: str) -> dict[str, int]:
    """The lists without which a board has not this rule, and how long they are."""
    try:
        kind.from_grid([[None, None], [None, None]], rule)
    except PuzzleError:
        return {name: one.length for name, one in kind.points.items() if one.length is not None}
    return {}
