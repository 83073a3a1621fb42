"""Boards in files: the words of a tiling, or polygons as JSON.

In JSON, a board is an object of one of three forms; in text, the same object on one line, or only
the words::

    {"name": "honeycomb 7 7"}
    {"polygons": [[[0, 0], [1, 0], [1, 1]], ...]}
    {"vertices": [[0, 0], [1, 0], [1, 1], ...], "faces": [[0, 1, 2], ...]}

The last form is for boards whose vertices are not in the order of their polygons. It may have
``"edges"``, if some edges have no face on either side. For boards without coordinates,
``"vertices"`` is their number.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from linkoracle import boards
from linkoracle.board import Board, stated_edges
from linkoracle.core import FormatError, MemoryLimit, PuzzleError, counted, quoted
from linkoracle.formats import reading as doc
from linkoracle.formats.json_values import not_json
from linkoracle.formats.reading import Document, Place
from linkoracle.kinds import FIXED, Puzzle

#: The corners of a polygon, and of a face, in messages.
_CORNERS = "at least three corners"
#: The bound of coordinates.
_FAR = 1e100
_FORMS = "'name', 'polygons', or 'vertices' and 'faces'"


def board_of_words(text: str) -> Board:
    """Return the board of words or a JSON object; raise ``ValueError`` for any other text.

    If the text is not JSON, the error is a `FormatError` with a place in the text.

    >>> board_of_words("honeycomb 2 2").num_faces
    4
    >>> board_of_words('{"polygons": [[[0, 0], [1, 0], [0, 1.5]]]}').num_vertices
    3
    """
    if not text.lstrip().startswith("{"):
        return boards.named(text)
    try:
        value = json.loads(text, parse_constant=str, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise FormatError(not_json(error), line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise ValueError("expected a board, found too deep a nesting") from None
    return board_of_json(value)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members of an object; raise ``ValueError`` for a repeated key."""
    members = dict(pairs)
    if len(members) < len(pairs):
        repeated = next(
            key for key, number in Counter(key for key, _ in pairs).items() if number > 1
        )
        raise ValueError(f"expected the key {quoted(repeated)} once, found it twice")
    return members


def board_of_json(value: Any) -> Board:
    """Return the board of a decoded object; raise ``ValueError`` for anything else."""
    if not isinstance(value, Mapping):
        raise ValueError(f"expected a board as an object with {_FORMS}")
    keys = set(value)
    if keys == {"name"}:
        if not isinstance(value["name"], str):
            raise ValueError("expected the name of a board as a string")
        return boards.named(value["name"])
    if keys == {"polygons"}:
        polygons = _lists(value["polygons"], "polygons", lambda one: _point(one, "polygons"))
        found = boards.from_polygons(polygons)
    elif {"vertices", "faces"} <= keys <= {"vertices", "faces", "edges"}:
        found = _of_faces(value)
    else:
        raise ValueError(
            f"expected a board with {_FORMS}, found {quoted(', '.join(map(str, value)))}"
        )
    if not found.num_faces:
        raise ValueError("expected a board with faces, found none")
    return found


def _of_faces(value: Mapping[str, Any]) -> Board:
    vertices = value["vertices"]
    points = None
    if type(vertices) is not int:
        if not isinstance(vertices, list):
            raise ValueError("expected vertices as points, or as their number")
        points = [_point(one, "vertices") for one in vertices]
        vertices = len(points)
    if not 0 <= vertices <= 10**7:
        raise ValueError(f"expected a number of vertices from 0, found {vertices}")

    def vertex(one: Any) -> int:
        if type(one) is not int or not 0 <= one < vertices:
            raise ValueError(
                f"expected vertices from 0 to {vertices - 1} in 'faces', found {one!r}"
            )
        return one

    faces = _lists(value["faces"], "faces", vertex)
    sides = {
        (min(two), max(two))
        for walk in faces
        for two in zip(walk, [*walk[1:], walk[0]], strict=True)
    }
    stated = [(min(two), max(two)) for two in _lists(value.get("edges", []), "edges", vertex, 2)]
    if twice := [pair for pair, times in Counter(stated).items() if times > 1]:
        raise ValueError(f"expected every edge once in 'edges', found {list(twice[0])} twice")
    # A list of all edges says how they are numbered.
    edges = stated if sides <= {*stated} else sorted({*sides, *stated})
    return Board(vertices, edges, faces, points=points)


def _lists(value: Any, name: str, item: Callable[[Any], Any], size: int = 0) -> list[list[Any]]:
    """Return lists of at least three items, or of exactly ``size``."""
    what = f"{size} vertices" if size else _CORNERS
    if not isinstance(value, list):
        raise ValueError(f"expected {name!r} as lists of {what}")
    for number, one in enumerate(value):
        if not isinstance(one, list) or (len(one) != size if size else len(one) < 3):
            found = counted(len(one), "item") if isinstance(one, list) else quoted(json.dumps(one))
            raise ValueError(f"expected {what} in {name!r}[{number}], found {found}")
    return [[item(part) for part in one] for one in value]


def _point(value: Any, name: str) -> tuple[float, float]:
    fits = isinstance(value, (list, tuple)) and len(value) == 2
    if not fits or not all(type(part) in (int, float) and abs(part) < _FAR for part in value):
        raise ValueError(f"expected points [x, y] in {name!r}, found {quoted(json.dumps(value))}")
    return float(value[0]), float(value[1])


def json_of_board(board: Board, *, named: bool = True) -> dict[str, Any]:
    """Return the board as an object for JSON: its name, its polygons, or its vertices and faces.

    Without ``named``, the name is left out. Labels of vertices are always left out.

    >>> from linkoracle import boards
    >>> json_of_board(boards.honeycomb(2, 2))
    {'name': 'honeycomb 2 2'}
    >>> json_of_board(Board(3, [(0, 1), (0, 2), (1, 2)], [(0, 1, 2)]))
    {'vertices': 3, 'faces': [[0, 1, 2]]}
    """
    if named and (words := boards.words_of(board)) is not None:
        return {"name": words}
    walks = [list(board.walk(face)) for face in range(board.num_faces)]
    points = board.points
    inner = all(board.faces_of(edge) for edge in range(board.num_edges))
    if points is not None:
        polygons = [[list(points[vertex]) for vertex in walk] for walk in walks]
        order = dict.fromkeys(vertex for walk in walks for vertex in walk)
        if (
            inner
            and board.in_order
            and list(order) == list(range(board.num_vertices))
            and len({*points}) == len(order)
        ):
            return {"polygons": polygons}
    said: dict[str, Any] = {
        "vertices": board.num_vertices if points is None else [list(one) for one in points],
        "faces": walks,
    }
    if edges := stated_edges(board):
        said["edges"] = edges
    return said


def words_of_board(board: Board) -> str:
    """Return the board as a line of text for `board_of_words`."""
    said = json_of_board(board)
    return str(said["name"]) if "name" in said else json.dumps(said, separators=(",", ":"))


def board_at(document: Document, said: Any, at: Place) -> Board:
    """Return the board of a text or a decoded object; raise `FormatError` at a place if invalid."""
    try:
        board = board_of_words(said) if isinstance(said, str) else board_of_json(said)
    except FormatError as error:
        line, column = error.line or 1, error.column or 1
        column += at[1] - 1 if line == 1 else 0
        raise document.error(error.reason, at[0] + line - 1, column) from None
    except (ValueError, MemoryLimit) as error:
        raise document.error(str(error), *at) from None
    if board.num_faces > doc.MAX_CELLS:
        raise document.error(f"expected a board of at most {doc.MAX_CELLS} faces", *at)
    return board


def read_on_board(
    draft: doc.Draft, said: str, at: Place, words: list[tuple[str, Place]]
) -> doc.Entry:
    """Return the puzzle of native text; ``words`` are the words of its clues, with their places.

    A clue is a word if there are as many words as faces, else a character.
    """
    document, kind, board = draft.document, draft.kind, board_at(draft.document, said, at)
    size, found = board.num_faces, words
    if len(found) != size:
        found = [
            (char, (number, column + place))
            for word, (number, column) in words
            for place, char in enumerate(word)
        ]
    if len(found) != size and found:
        expected = f"expected {counted(size, 'clue')}, one for each face of the board"
        _, place = found[min(size, len(found) - 1)]
        raise document.error(f"{expected}, found {len(found)}", *place)
    clues = [kind.clue_of(word) for word, _ in found]
    for clue, (word, place) in zip(clues, found, strict=True):
        if isinstance(clue, str) and kind.words is None:
            raise document.error(f"expected a number or '.', found {quoted(word)}", *place)
    places = [place for _, place in found]
    return on_board(draft, board, clues, places.__getitem__)


def on_board(
    draft: doc.Draft, board: Board, clues: Any, place: Callable[[int], Place]
) -> doc.Entry:
    """Return the puzzle on the faces of a board; ``place`` maps a face to the text.

    Apart from that, works like `linkoracle.formats.reading.Draft.of_grid`.
    """
    kind, variant = draft.kind, draft.variant

    def make(**lists: Any) -> Puzzle:
        if not hasattr(kind, "on"):
            raise PuzzleError(f"{kind.title} needs rows and columns")
        puzzle: Puzzle = kind.on(board, clues, **lists)
        return puzzle if variant is None else puzzle.with_variant(variant)

    def place_of(*cell: int) -> Place:
        return place(board.face_of(cell))

    draft.only(FIXED, "on this board")
    return draft.made(make, place_of)
