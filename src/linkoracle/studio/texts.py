"""Texts that the page sends: puzzles in any format, boards to write, certificates."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from typing import Any

from linkoracle.core import FormatError, LinkOracleError, PuzzleError
from linkoracle.formats import FORMATS, read_all, write
from linkoracle.kinds import Puzzle
from linkoracle.studio.boards import MAX_CELLS, MAX_SIDE, about_of, board_of, kinds
from linkoracle.studio.geometry import geometry, new_board, tilings
from linkoracle.studio.tasks import Limits, Request


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
        from linkoracle.render import picture, svg

        return svg(picture(puzzle))
    return write(puzzle, form, **about)


def choose_board(text: str) -> dict[str, Any]:
    """Return the ``tiling`` of a board by its ``name``, ``rows`` and ``cols``."""
    request = request_of(text)
    rows, cols = (request.number(name) or 0 for name in ("rows", "cols"))
    return {"tiling": new_board(request.name("name"), rows, cols)}


def parts_of_board(text: str) -> dict[str, Any]:
    """Return the geometry of a ``board`` in words, with lines ``throughCells`` or along sides."""
    request = request_of(text)
    return geometry(request.name("board"), through_cells=request.flag("throughCells"))


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
    from linkoracle.certificates import verify_certificate as program

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


#: The functions of texts, by their names in addresses. They raise `LinkOracleError`.
TEXTS: dict[str, Callable[[str], dict[str, Any]]] = {
    "read": read_text,
    "write": write_board,
    "board": choose_board,
    "geometry": parts_of_board,
    "verify": verify,
}
