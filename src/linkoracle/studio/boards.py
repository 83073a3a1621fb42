"""Boards as the page and the server send them to each other, as JSON.

A board is an object with ``kind``, ``variant``, ``rows``, ``cols``, ``cells`` in reading order, all
a number, a word or null, and ``points``: the annotations by their names, such as the ends of a path
or the lines that are given, each as its two ends. Regions are given by their ``borders``, each as
the two cells beside the border, and by the cells ``outside`` all regions.

A board that is not square has a ``tiling`` instead of ``rows`` and ``cols``: the words of the
board, or its polygons as the text of a JSON object. The cells are its faces in their order.

``about`` has the ``name``, ``author`` and ``rules`` of the puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from linkoracle.board import Board, Lattice, Solution
from linkoracle.core import MemoryLimit, PuzzleError, counted
from linkoracle.engines import Cell
from linkoracle.formats import About, board_of_words, words_of_board
from linkoracle.kinds import (
    KINDS,
    REGIONS,
    AnnotationList,
    Ends,
    GridPuzzle,
    Puzzle,
    RegionPuzzle,
    borders,
    kind_named,
    regions_within,
    vertex_of,
)
from linkoracle.studio.clues import forms

#: Larger boards are refused: most queries about them would time out.
MAX_SIDE, MAX_CELLS = 60, 2500
#: The most sides of a cell: the page has a bit for each count.
MAX_SIDES = 29
#: The greatest number in a cell, and the length of the longest word.
_MAX_NUMBER, _MAX_LENGTH = MAX_CELLS, 20
#: The most vertices or edges in a list: more than any board has.
_MAX_POINTS = 10_000
#: The annotations that give regions, and what the page draws for them.
_OF_REGIONS = {
    "borders": AnnotationList("borders", "border", edges=True),
    "outside": AnnotationList("cells outside all regions", "gap"),
}


class OpenBorders(PuzzleError):
    """Borders that close no region: ``borders`` are these, each as the two cells beside it."""

    def __init__(self, found: list[Ends]) -> None:
        super().__init__(
            f"{counted(len(found), 'border')} (dashed) close no region. Extend or erase them"
            if len(found) > 1
            else "a border (dashed) closes no region. Extend or erase it"
        )
        self.borders = found


def puzzle_of(board: object) -> Puzzle:
    """Return the puzzle on a board; raise `PuzzleError` if the board is invalid or too large.

    >>> about = {"kind": "slitherlink", "variant": "loop", "rows": 1, "cols": 2}
    >>> puzzle_of({**about, "cells": [3, None]})
    Slitherlink(((3, None),), ends=None)
    """
    if not isinstance(board, dict):
        raise PuzzleError("expected a board as an object")
    kind, variant = board.get("kind"), board.get("variant")
    if not isinstance(kind, str):
        raise PuzzleError("expected the kind of a board as a string")
    found = kind_named(kind)
    if not isinstance(variant, str) or variant not in found.variants:
        raise PuzzleError(f"expected a variant of the kind {kind!r}, found {variant!r}")
    if board.get("tiling") is not None:
        return _on_tiling(found, variant, board)
    rows, cols, cells = board.get("rows"), board.get("cols"), board.get("cells")
    if type(rows) is not int or type(cols) is not int:
        raise PuzzleError("expected rows and columns as whole numbers")
    check_size(rows, cols)
    cells = _cells(cells, rows * cols, lambda place: divmod(place, cols))
    grid = [cells[at : at + cols] for at in range(0, len(cells), cols)]
    return found.from_grid(grid, variant, **_points(found, grid, board.get("points")))


def _cells(cells: object, size: int, name: Callable[[int], Cell]) -> list[Any]:
    """Return the cells of a board: ``size`` of them, each a number, a word or ``None``."""
    if not isinstance(cells, list) or len(cells) != size:
        raise PuzzleError(f"expected a list of {size} cells")
    for place, cell in enumerate(cells):
        is_clue = type(cell) is int and abs(cell) <= _MAX_NUMBER
        if not (cell is None or is_clue or (isinstance(cell, str) and len(cell) <= _MAX_LENGTH)):
            reason = f"expected a number up to {_MAX_NUMBER}, a short word or null, found {cell!r}"
            raise PuzzleError(reason, name(place))
    return cells


def _on_tiling(kind: Any, variant: str, board: dict[str, Any]) -> Puzzle:
    """Return the puzzle on the faces of a board that is not square."""
    tiling = tiling_of(board["tiling"])
    cells = _cells(board.get("cells"), tiling.num_faces, lambda face: (face,))
    points = _points(kind, [], board.get("points"))
    puzzle: Puzzle = kind.on(tiling, cells, **points)
    return puzzle.with_variant(variant)


def tiling_of(words: object) -> Board:
    """Return the board of these words, which are not those of squares.

    Raises `PuzzleError` for others, and for a board that the page cannot show.

    >>> tiling_of("honeycomb 2 2").num_faces
    4
    """
    board = drawable(words)
    # Of two descriptions of one board, the page and the engines would compare unequal ones.
    if isinstance(board, Lattice):
        raise PuzzleError("expected a board that is not square, or its rows and columns")
    return board


def drawable(words: object) -> Board:
    """Return the board of these words; raise `PuzzleError` if the page cannot show it.

    >>> drawable("square 2 3")
    Lattice(rows=3, cols=4)
    """
    if not isinstance(words, str):
        raise PuzzleError("expected the words of a board as a string")
    return shown_board(_tiling, words)


def shown_board(make: Callable[..., Board], *how: Any) -> Board:
    """Return ``make(*how)``; raise `PuzzleError` if it fails or the page cannot show the board."""
    try:
        board = make(*how)
    except (ValueError, MemoryLimit) as error:
        raise PuzzleError(str(error)) from None
    check_tiling(board)
    return board


#: Cached, since most queries are about the same few boards.
_tiling = lru_cache(maxsize=32)(board_of_words)


def _points(kind: type[Puzzle], grid: list[list[Any]], points: object) -> dict[str, Any]:
    if points is None:
        return {}
    known = lists_of(kind)
    if not isinstance(points, dict) or not points.keys() <= known.keys():
        raise PuzzleError(f"expected points of the kind {kind.kind!r} as an object")
    for place in points.values():
        if not isinstance(place, list) or len(place) > _MAX_POINTS:
            raise PuzzleError(f"expected points as a list of at most {_MAX_POINTS}")
    fitting = {name: found for name, found in points.items() if name in kind.annotations}
    if issubclass(kind, RegionPuzzle) and (regions := _regions(kind, grid, points)):
        fitting[REGIONS.what] = regions
    return fitting


def _regions(kind: type[RegionPuzzle], grid: list[list[Any]], points: dict[str, Any]) -> Any:
    """Return the regions that the borders of a board close; none without borders."""
    if not any(points.get(name) for name in _OF_REGIONS):
        return ()
    try:
        drawn = [(vertex_of(one), vertex_of(other)) for one, other in points.get("borders", ())]
        outside = [vertex_of(one) for one in points.get("outside", ())]
    except (TypeError, ValueError):
        raise PuzzleError("expected borders as pairs of cells, and cells outside") from None
    outside += kind.holes_in(grid)
    regions, unclosed = regions_within(len(grid), len(grid[0]), drawn, outside)
    if unclosed:
        raise OpenBorders(unclosed)
    return regions


def lists_of(kind: type[Puzzle] | Puzzle) -> dict[str, AnnotationList]:
    """Return the annotations of a kind as the page has them, by their names.

    >>> [*lists_of(kind_named("countryroad"))]
    ['given', 'forbidden', 'borders', 'outside']
    """
    found = {name: listed for name, listed in kind.annotations.items() if not listed.grid}
    return found if len(found) == len(kind.annotations) else {**found, **_OF_REGIONS}


def about_of(board: object) -> About:
    """Return the ``about`` of a board: the name, author and rules of its puzzle.

    >>> about_of({"about": {"author": "A. Setter", "name": 7}})
    About(name=None, author='A. Setter', rules=None)
    """
    value = board.get("about") if isinstance(board, dict) else None
    words = value if isinstance(value, dict) else {}
    found = (words.get(name) for name in About._fields)
    return About(*(one if isinstance(one, str) and one else None for one in found))


def numbers(found: object, name: str, end: int) -> tuple[int, ...]:
    """Return a list of different numbers of cells, edges or faces below ``end``; ``None`` is empty.

    Raise `PuzzleError`, with the name of the list, if it is invalid.

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
    """Return the numbers of cells, in reading order of the board.

    >>> places(kind_named("simpleloop").blank(2, 3), [(0, 0), (1, 1)])
    [0, 4]
    """
    return [puzzle.faces.face_of(cell) for cell in cells]


def shades(kind: type[Puzzle]) -> bool:
    """Return whether solutions of a kind shade cells."""
    return kind.solution_figures is not GridPuzzle.solution_figures


def shaded_cells(puzzle: Puzzle, solution: Solution) -> list[int]:
    """Return the numbers of the cells that a solution shades."""
    return places(puzzle, (figure.place for figure in puzzle.solution_figures(solution)))


def check_size(rows: int, cols: int) -> None:
    """Raise `PuzzleError` for a board that is too large for the page."""
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE and rows * cols <= MAX_CELLS):
        raise PuzzleError(
            f"expected a board of at most {MAX_SIDE} rows and columns and {MAX_CELLS} cells, "
            f"found {rows}x{cols}"
        )


def check_tiling(tiling: Board) -> None:
    """Raise `PuzzleError` for a board that the page cannot show."""
    sides = max(len(tiling.edges_of(face)) for face in range(tiling.num_faces))
    if tiling.points is None:
        raise PuzzleError("expected a board with coordinates: others cannot be drawn")
    if tiling.num_faces > MAX_CELLS or sides > MAX_SIDES:
        raise PuzzleError(
            f"expected a board of at most {MAX_CELLS} cells, each with at most {MAX_SIDES} sides, "
            f"found {counted(tiling.num_faces, 'cell')} with up to {sides}"
        )


def board_of(puzzle: Puzzle) -> dict[str, Any]:
    """Return the board of a puzzle; raise `PuzzleError` if it is too large for the page.

    >>> board = board_of(kind_named("simpleloop").from_grid([[0, None]]))
    >>> board["variant"], board["cells"], puzzle_of(board).grid
    ('loop', [0, None], ((0, None),))
    """
    about: dict[str, Any] = {key: getattr(puzzle, key) for key in ("kind", "variant")}
    points: dict[str, Any] = {}
    for name, listed in puzzle.annotations.items():
        found = getattr(puzzle, name)
        if found and listed.grid:
            points.update(_region_lists(puzzle))
        elif found:
            points[name] = _as_lists(found)
    # The page lays out rows and columns itself; of other boards it asks for the geometry.
    if puzzle.tiling is not None:
        check_tiling(puzzle.tiling)
        about["tiling"] = words_of_board(puzzle.tiling)
    else:
        check_size(puzzle.rows, puzzle.cols)
        about |= {"rows": puzzle.rows, "cols": puzzle.cols}
    return {**about, "cells": [*puzzle.clues], "points": points}


def _region_lists(puzzle: Any) -> dict[str, Any]:
    """Return the borders of regions, and the cells outside all regions that are not holes."""
    rows, holes = enumerate(puzzle.regions), puzzle.holes_in(puzzle.grid)
    outside = [(row, col) for row, cells in rows for col, at in enumerate(cells) if at is None]
    drawn = list(borders(puzzle.regions))
    lists: dict[str, list[Any]] = {
        "borders": drawn,
        "outside": [cell for cell in outside if cell not in holes],
    }
    return {name: _as_lists(tuple(found)) for name, found in lists.items() if found}


def _as_lists(found: Any) -> Any:
    """Return nested tuples as nested lists."""
    return list(map(_as_lists, found)) if isinstance(found, tuple) else found


def kinds(offers: Callable[..., dict[str, Any]] | None = None) -> list[dict[str, Any]]:
    """Return what the page needs to know about each kind.

    ``making`` is the result of ``offers``: what can be made. ``onFaces`` describes the kind on
    boards that are not square; null if there are none.
    """

    def described(kind: type[Puzzle] | Puzzle, name: str, on_faces: bool) -> dict[str, Any]:
        return _described(kind) | ((offers and {"making": offers(name, on_faces=on_faces)}) or {})

    found = []
    for name, kind in KINDS.items():
        on_faces = None
        if issubclass(kind, GridPuzzle) and kind.fits_boards():
            # A puzzle on such a board has the members of its kind there.
            on_faces = described(kind.on(tiling_of("honeycomb 1 1")), name, True)
        found.append({**described(kind, name, False), "onFaces": on_faces})
    return found


def _described(kind: type[Puzzle] | Puzzle) -> dict[str, Any]:
    return {
        "name": kind.kind,
        "title": kind.title,
        "variants": [
            {"name": variant, "says": says or variant, "points": _needed(kind, variant)}
            for variant, says in kind.variants.items()
        ],
        "lists": {
            name: {"look": listed.look, "instruction": listed.instruction}
            for name, listed in lists_of(kind).items()
        },
        "throughCells": kind.through_cells,
        "diagonal": kind.diagonal,
        "pairs": kind.letters,
        "clues": forms(kind),  # type: ignore[arg-type]
        "clue": getattr(kind, "clue", "a clue"),
        "arrows": getattr(kind, "arrows", False),
        "shades": shades(KINDS[kind.kind]),
        "instructions": dict(kind.instructions),
        "url": kind.pzpr is not None,
        "formats": list(kind.formats),
    }


def _needed(kind: type[Puzzle] | Puzzle, variant: str) -> dict[str, int]:
    """Return the annotations that a variant requires, and how many of each."""
    try:
        kind.from_grid([[None, None], [None, None]], variant)
    except PuzzleError:
        return {
            name: one.length for name, one in kind.annotations.items() if one.length is not None
        }
    return {}
