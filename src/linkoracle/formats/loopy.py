"""Game IDs of Loopy, the Slitherlink in Simon Tatham's Portable Puzzle Collection.

``WIDTHxHEIGHTtTYPE:CELLS``, with an optional difficulty before the colon. A type is a kind of
board; ``t0`` is the square board. A description of the board and an underscore may precede the
cells: the patch of a Penrose tiling, or ``0`` for triangles without ears. Source:
``loopy.c`` (``decode_params``, ``validate_desc``) and ``grid.c`` (``grid_validate_desc``) of
https://www.chiark.greenend.org.uk/~sgtatham/puzzles/

Game IDs of Pearl, the Masyu of the same collection, have no type, and ``B`` and ``W`` for pearls
(``pearl.c``). A saved game (``midend.c``) has lines ``KEY:LENGTH:VALUE``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from linkoracle.board import Board
from linkoracle.boards import PATCHED, TILINGS, Tiling, made, words_of
from linkoracle.core import FormatError, MemoryLimit, quoted
from linkoracle.formats import reading as doc
from linkoracle.formats.board_texts import on_board
from linkoracle.formats.pzpr import Fail, decode
from linkoracle.kinds import Code, Coding, Puzzle, kind_of_format, refuse

#: A game ID, and the text after it.
_LINE = re.compile(r"[ \t]*([^ \t]+)[ \t]*(.*)", re.DOTALL)
_PARAMETERS = re.compile(
    r"(?P<width>\d{1,18})(?:x(?P<height>\d{1,18}))?(?:t(?P<type>\d{1,18}))?(?:d[a-z])?n?", re.ASCII
)
_PEARLS = re.compile("[a-z]*[BW][BWa-z]*")
#: A line of a saved game: its key and its value.
_SAVED = re.compile(r"([A-Z]+) *:\d+:(.*)", re.ASCII)

_OF_TYPE = {tiling.loopy_type: tiling for tiling in TILINGS.values()}
#: The most cells per character of a game ID: a character is at most 26 faces, and all but the
#: smallest boards have a face for every four cells. Larger boards are refused before they are made.
_MOST_CELLS = 26 * 16
#: The description of the board of triangles without ears.
_NO_EARS = "0"


def read(document: doc.Document, index: int) -> tuple[list[doc.Entry], int]:
    """Read the game ID or the saved game on line ``index`` (from 0); return also the next index."""
    line = index + 1
    found = _LINE.match(document.lines[index])
    assert found is not None
    text, start, rest = found[1], found.start(1), found[2]
    if text.startswith("SAVEFILE:"):
        game, place, end = _saved(document, index)
        return [_game(document, line, game, place)], end
    if rest and not rest.startswith("#"):
        reason = f"expected nothing after a game ID, found {quoted(rest)}"
        raise document.error(reason, line, found.start(2) + 1)
    return [_game(document, line, text, lambda at: (line, start + at + 1))], line


#: The place of a character of a game ID.
PlaceOf = Callable[[int], doc.Place]


def _game(document: doc.Document, line: int, text: str, place: PlaceOf) -> doc.Entry:
    """Return the puzzle of a game ID that begins on a line."""

    def fail(reason: str, at: int) -> FormatError:
        return document.error(reason, *place(at))

    parameters = _PARAMETERS.match(text)
    end = parameters.end() if parameters else 0
    if parameters is None or text[end : end + 1] not in (":", "#"):
        raise fail(f"expected a game ID like '5x5t0:...', found {quoted(text)}", end)
    cols = int(parameters["width"])
    rows = int(parameters["height"] or cols)
    if parameters["type"] is None and _PEARLS.fullmatch(text, end + 1):
        kind = doc.decide_kind(document, "masyu", line)
        doc.checked_size(document, rows, cols, *place(0))
        cells, at, _ = decode(text[end + 1 :], end + 1, rows * cols, _PEARL_CODING, fail)
        pearls = [cells[first : first + cols] for first in range(0, rows * cols, cols)]
        draft = doc.Draft(document, line, kind)
        return draft.of_grid(pearls, lambda row, col: place(at[row * cols + col]))
    kind = doc.decide_kind(document, kind_of_format("loopy"), line)
    grid = _OF_TYPE.get(int(parameters["type"] or 0))
    if grid is None:
        most = max(_OF_TYPE)
        reason = f"expected a grid from 't0' to 't{most}' in a game ID"
        raise fail(f"{reason}, found 't{parameters['type']}'", parameters.start("type"))
    if text[end] == "#":
        raise fail(
            "expected a game ID with the clues after ':', found a random seed after '#'"
            " (open it in Loopy and copy the game ID by description)",
            end,
        )
    doc.checked_size(document, rows, cols, *place(0))
    if rows * cols > _MOST_CELLS * (len(text) - end):
        reason = f"expected clues of {rows}x{cols} cells, found {len(text) - end - 1} characters"
        raise fail(reason, end + 1)
    board, found = _board(grid, rows, cols, _Text(text[end + 1 :], end + 1), fail)
    clues, origins, _ = decode(*found, board.num_faces, _CODING, fail)
    return on_board(
        doc.Draft(document, line, kind), board, clues, lambda face: place(origins[face])
    )


def _saved(document: doc.Document, index: int) -> tuple[str, PlaceOf, int]:
    """Return the game ID in a saved game, the places of its characters, and the index after it."""
    held: dict[str, tuple[str, int, int]] = {}
    end = index
    while end < len(document.lines) and (found := _SAVED.match(document.lines[end])):
        end += 1
        held.setdefault(found[1], (found[2], end, found.start(2)))
    game = held.get("GAME", ("", index + 1, 0))
    missing = [key for key in ("PARAMS", "DESC") if key not in held]
    if game[0] not in ("Loopy", "Pearl") or missing:
        wrong = f"no line {missing[0]}" if game[0] and missing else quoted(game[0])
        reason = f"expected a saved game of Loopy or Pearl, found {wrong}"
        raise document.error(reason, game[1], game[2] + 1)
    (parameters, *above), (clues, *below) = held["PARAMS"], held["DESC"]

    def place(at: int) -> doc.Place:
        first = len(parameters) + 1
        line, start = above if at < first else below
        return line, start + (at if at < first else at - first) + 1

    return f"{parameters}:{clues}", place, end


class _Text(NamedTuple):
    """Part of a line, and its start."""

    text: str
    start: int


def _board(tiling: Tiling, rows: int, cols: int, text: _Text, fail: Fail) -> tuple[Board, _Text]:
    """Return the board, and the text of the cells after any description of the board."""
    description, underscore, cells = text.text.partition("_")
    patched = tiling.name in PATCHED
    if not underscore:
        if patched:
            raise fail("expected the part of the tiling, and '_', before the cells", text.start)
        description, cells = "", text.text
    elif not patched and (tiling.name, description) != ("triangular", _NO_EARS):
        raise fail(
            f"expected no description of this board, found {quoted(description)}", text.start
        )
    ears = "ears" if tiling.name == "triangular" and not underscore else None
    try:
        board = made(tiling.name, rows, cols, description if patched else ears)
    except (ValueError, MemoryLimit) as error:
        raise fail(str(error), text.start) from None
    return board, _Text(cells, text.start + len(text.text) - len(cells))


def _read_code(body: str, position: int) -> Code:
    char = body[position]
    if "0" <= char <= "9":
        return Code((int(char),))
    if "A" <= char <= "Z":
        return Code((ord(char) - ord("A") + 10,))
    if "a" <= char <= "z":
        return Code((None,) * (ord(char) - ord("a") + 1))
    raise ValueError(
        f"expected a clue 0-9 or A-Z, or a run a-z of empty cells, found {quoted(char)}"
    )


def _write_codes(cells: Sequence[Any]) -> str:
    text = "".join("." if clue is None else _DIGITS[clue] for clue in cells)
    return re.sub(r"\.{1,26}", lambda run: chr(ord("a") + len(run[0]) - 1), text)


def _read_pearl(body: str, position: int) -> Code:
    char = body[position]
    if char in "BW":
        return Code((char.lower(),))
    return Code((None,) * (ord(char) - ord("a") + 1))


#: Clues by their numbers. No face of Loopy's boards has more sides than 14.
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CODING = Coding(_read_code, _write_codes)
#: The coding of Pearl, which is read only.
_PEARL_CODING = Coding(_read_pearl, _write_codes)


def write(puzzle: Puzzle, about: doc.About) -> str:  # noqa: ARG001 - an ID has no place for it
    """Return the game ID of a loop puzzle on one of Loopy's boards."""
    if "loopy" not in puzzle.formats or puzzle.variant != "loop":
        raise FormatError(f"Loopy has only Slitherlink loops, not {puzzle.kind} {puzzle.variant}")
    refuse(puzzle, "a Loopy game ID")
    words = words_of(puzzle.board)
    if words is None:
        raise FormatError(f"Loopy has only its own boards, not {puzzle.board!r}")
    board, *sides = words.split()
    tiling = TILINGS[board]
    rows, cols = map(int, sides[:2])
    most = max(rows, cols)
    if min(rows, cols) < tiling.both_sides or most < tiling.one_side:
        least = f"{tiling.both_sides}x{tiling.one_side}"
        raise FormatError(f"Loopy has boards from {least} cells, not {rows}x{cols}")
    description = _NO_EARS if (board, sides[2:]) == ("triangular", []) else ""
    if board in PATCHED:
        description = sides[2]
    clues = [None] * puzzle.board.num_faces
    for cell, clue in puzzle.clue_cells():
        if isinstance(clue, int) and clue < 0:
            raise FormatError("a Loopy game ID has no place for clues without a number, '?'")
        clues[puzzle.board.face_of(cell)] = clue
    cells = _CODING.write(clues)
    return f"{cols}x{rows}t{tiling.loopy_type}:{description}{'_' * bool(description)}{cells}"
