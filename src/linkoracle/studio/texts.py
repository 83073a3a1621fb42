"""Texts that the page sends: puzzles in any format, boards to write or to draw, certificates.

The page draws all boards, squares too, from their `geometry`.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from linkoracle import boards, certificates, render
from linkoracle.board import touching
from linkoracle.core import FormatError, LinkOracleError, PuzzleError
from linkoracle.formats import FORMATS, read_all, words_of_board, write
from linkoracle.kinds import Puzzle
from linkoracle.studio.boards import (
    MAX_CELLS,
    MAX_SIDE,
    about_of,
    board_of,
    drawable,
    kinds,
    shown_board,
)
from linkoracle.studio.tasks import Limits, Request

#: Decimal places: a cell is at most a few hundred pixels wide.
_DIGITS = 4
#: The page asks for these rows and columns of squares, and shows smaller boards as parts of them.
SMALL = 20

#: The rows and columns of a new board of some tilings, so that it has some 40 to 120 faces; others
#: have `_USUAL`.
_USUAL = 7, 7
_SIZES = {
    **dict.fromkeys(("great_hexagonal", "great_great_dodecagonal", "compass_dodecagonal"), (4, 4)),
    **dict.fromkeys(("kites", "floret"), (3, 3)),
    **dict.fromkeys(("snub_square", "great_dodecagonal", "kagome"), (5, 5)),
    "dodecagonal": (4, 4),
    **dict.fromkeys(("hats", "spectres"), (9, 9)),
    "penrose_kite_dart": (10, 10),
    "penrose_rhombs": (12, 12),
}


def reason_of(error: LinkOracleError) -> str:
    """Return the reason of an error without its cell, which the page shows elsewhere."""
    return error.reason if isinstance(error, PuzzleError) else str(error)


def about(
    tasks: Callable[..., dict[str, Any]], limits: Limits, size: int, **more: Any
) -> dict[str, Any]:
    """Return what the page requests first: the ``kinds`` with their ``tasks``, and the ``offers``.

    The offers are tilings, limits, among them the ``size`` of a request in bytes, and the ``more``
    of the caller: files, the grades of the catalogue, and its name.
    """
    most: dict[str, Any] = {"side": MAX_SIDE, "cells": MAX_CELLS, "bytes": size}
    most |= {"grade": limits.grade, "seconds": int(limits.making)}
    return {"kinds": kinds(tasks), "offers": {"tilings": tilings(), "limits": most, **more}}


def read_text(text: str) -> dict[str, Any]:
    """Return the board of a puzzle in any text format.

    >>> read_text("slitherlink\\n3 .")["board"]["cells"]
    [3, None]
    """
    # A text with a line break is never read as the name of a file.
    entries = read_all(text)
    if len(entries) != 1:
        raise FormatError(f"expected one puzzle, found {len(entries)}")
    board, known = board_of(entries[0].puzzle), entries[0].about._asdict()
    if about := {name: words for name, words in known.items() if words}:
        board["about"] = about
    return {"board": board}


def write_board(text: str) -> dict[str, Any]:
    """Return the ``text`` of a ``board`` in a ``format``, or as an SVG picture."""
    request = request_of(text)
    name = request.word("format", ["svg", *(one for one, how in FORMATS.items() if how.writes)])
    about = about_of(request.members.get("board"))
    return {"text": text_of(request.puzzle, name, **about._asdict())}


def text_of(puzzle: Puzzle, form: str, **about: str | None) -> str:
    """Return a puzzle in the format ``form``, or as ``"svg"``."""
    if form == "svg":
        return render.svg(render.picture(puzzle))
    return write(puzzle, form, **about)


def choose_board(text: str) -> dict[str, Any]:
    """Return the ``tiling`` of a board by its ``name``, ``rows`` and ``cols``."""
    request = request_of(text)
    rows, cols = (request.number(name) or 0 for name in ("rows", "cols"))
    return {"tiling": new_board(request.name("name"), rows, cols)}


def parts_of_board(text: str) -> dict[str, Any]:
    """Return the geometry of a ``board`` in words, with lines ``throughCells`` or along sides."""
    request = request_of(text)
    through, diagonal = (request.flag(name) for name in ("throughCells", "diagonal"))
    return geometry(request.name("board"), through_cells=through, diagonal=diagonal)


def request_of(text: str) -> Request:
    """Return the request of a text; raise `FormatError` unless it is JSON."""
    try:
        members = json.loads(text)
    except (ValueError, RecursionError):
        raise FormatError("expected JSON") from None
    return Request(members)


def verify(text: str) -> dict[str, Any]:
    """Verify a certificate in base64 with the single-file verifier.

    ``holds`` is whether the certificate is valid, ``words`` the message of the verifier.

    >>> verify("bm9uZQ==")
    {'holds': False, 'words': 'refused: not a certificate (no XZ file), or a damaged one'}
    """
    program = certificates.verify_certificate
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        raise FormatError("expected a file in base64") from None
    try:
        puzzle, number, _ = program.verify(data)
    except (program.Refused, MemoryError) as reason:
        return {"holds": False, "words": f"refused: {reason}"}
    what = f"exactly {number} solution{'s' * (number != 1)}" if number else "no solution"
    board = f"{puzzle.kind} ({puzzle.variant}) of {puzzle.size}"
    return {"holds": True, "words": f"verified: {board}: {what}"}


def tilings() -> dict[str, tuple[int, int]]:
    """Return the boards to choose from by name, each with the rows and columns of a new one.

    >>> list(tilings())[1], tilings()["honeycomb"]
    ('honeycomb', (7, 7))
    """
    return {name: _SIZES.get(name, _USUAL) for name in boards.TILINGS if name != "square"}


def new_board(name: str, rows: int, cols: int) -> str:
    """Return the words of a board of a tiling; a random part of a tiling that does not repeat.

    Raises `PuzzleError` for an unknown tiling, and for a size that the page cannot show.

    >>> new_board("honeycomb", 7, 5)
    'honeycomb 7 5'
    """
    if name not in boards.TILINGS or name == "square":
        raise PuzzleError(f"expected a board out of {', '.join(boards.TILINGS)}, found {name!r}")
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
        raise PuzzleError(f"expected 1 to {MAX_SIDE} rows and columns, found {rows}x{cols}")
    return words_of_board(shown_board(getattr(boards, name), rows, cols))


def words_asked(board: dict[str, Any]) -> str:
    """Return the words of the board whose geometry the page asks for to show this one.

    Raises ``TypeError`` if rows and columns are not numbers.

    >>> words_asked({"rows": 3, "cols": 4}), words_asked({"rows": 3, "cols": 40})
    ('square 20 20', 'square 3 40')
    >>> words_asked({"tiling": "honeycomb 2 2"})
    'honeycomb 2 2'
    """
    if board.get("tiling") is not None:
        return str(board["tiling"])
    rows, cols = board.get("rows"), board.get("cols")
    if type(rows) is not int or type(cols) is not int:
        raise TypeError(f"expected rows and columns as numbers, got {rows!r} and {cols!r}")
    return f"square {SMALL} {SMALL}" if max(rows, cols) <= SMALL else f"square {rows} {cols}"


@lru_cache(maxsize=16)
def geometry(words: str, *, through_cells: bool, diagonal: bool = False) -> dict[str, Any]:
    """Return the geometry of a board with lines along sides or ``through_cells``.

    With ``diagonal``, lines join cells that touch, and there are no faces between them.

    Lengths are in units of the mean side. The result has ``width`` and ``height``; the ``corners``
    of cells, and the ``cells`` as the numbers of the corners around each; for each cell the
    ``middles`` and the ``rooms`` for text there, at most 1; and ``edges`` as pairs of points where
    lines meet. These are the corners; or, if lines run through cells, the middles. Then there are
    also the ``faces`` between lines, as the points around each, and where each edge ``bends``.
    Raises `PuzzleError` for a board that the page cannot show.

    >>> found = geometry("honeycomb 1 1", through_cells=False)
    >>> len(found["corners"]), found["cells"], round(found["rooms"][0], 2)
    (6, [(0, 1, 2, 3, 4, 5)], 1.0)
    >>> geometry("square 1 2", through_cells=True)["bends"]
    [[1.0, 0.5]]
    """
    tiling = drawable(words)
    places = render.PlanePlaces(tiling, through_cells=through_cells)
    cells = range(tiling.num_faces)
    board = tiling.dual if through_cells else tiling
    if diagonal:
        board = touching(tiling)
    ends = [board.ends(edge) for edge in range(board.num_edges)]
    found: dict[str, Any] = {
        "width": places.width,
        "height": places.height,
        "corners": [*map(_rounded, places.vertices)],
        "cells": [*map(tiling.walk, cells)],
        "middles": [_rounded(places.middle(cell)) for cell in cells],
        "rooms": [round(places.room(cell), _DIGITS) for cell in cells],
        "edges": ends,
    }
    if diagonal:
        middles = found["middles"]
        ends_at = ([middles[cell] for cell in both] for both in ends)
        found["faces"] = []
        found["bends"] = [_rounded(((x + x2) / 2, (y + y2) / 2)) for (x, y), (x2, y2) in ends_at]
    elif through_cells:
        found["faces"] = [*map(board.walk, range(board.num_faces))]
        found["bends"] = [_rounded(places.side(*both)) for both in ends]
    return found


def _rounded(point: render.Point) -> list[float]:
    x, y = point
    return [round(x, _DIGITS), round(y, _DIGITS)]


#: The functions of texts, by their names in addresses. They raise `LinkOracleError`.
TEXTS: dict[str, Callable[[str], dict[str, Any]]] = {
    "read": read_text,
    "write": write_board,
    "board": choose_board,
    "geometry": parts_of_board,
    "verify": verify,
}
