"""Puzzles of every kind on every sort of board, in every form, and damage to them."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from math import cos, sin
from typing import Any

from linkoracle import FormatError, Puzzle, write
from linkoracle.certificates import record_of
from linkoracle.kinds import KINDS
from linkoracle.kinds.checking import random_puzzles
from tests import boards
from tests.certificates.forging import random_puzzle

#: What ends a line for some programs, turns the direction of writing, or is a digit for some.
CONTROLS = [
    *("\0", "\x08", "\x0b", "\x0c", "\r", "\x1b", "\x1c", "\x1d", "\x1e", "\x1f", "\x7f"),
    *("\x80", "\x85", "\x9f", "\u2028", "\u2029", "\u202e", "\u2066"),
]
DIGITS = ["\u0663", "\uff13", "\u00b3", "\u06f3", "\U0001d7db"]
_SPACES = [" ", "\t", "\n", "\r\n", "\n\n", "\n# ", " #", "#", "# name: x\n"]
TOKENS = [
    *(*CONTROLS, *DIGITS, *_SPACES, "\ufeff", "\xa0", "\u3000"),
    *(".", "-", "*", "0", "3", "10", "_1", "+1", "a", "g", "z", "f", "/", "?", ":", ",", "\u212a"),
    *("slitherlink", " path", "\nends 0,0 1,1", "\ngiven 0,0-0,1", "\n2 2", "\n0 0\n", "numlin"),
    *('"', "{", "}", "[", "]", "null", '"name": "#",', '"cols": 1,', '"rows": 2,', '"id": 1,'),
    *(
        '"variant": null,',
        '"ends": [],',
        '"given": [],',
        "\\n",
        "\\u0663",
        "1e1",
        "true",
        "https://",
    ),
    *("\nregions\n", "\nboard ", '"regions": [],', '"board": null,', '"clues": [],', '"grid": 0,'),
    *("w", "b", "x", "w1", "1n", "0e", "o", "\nwalls 0,0-0,1", "\nholes 0,0", "fill", "1e-11"),
]
#: Values of JSON that are seldom right.
ODD: list[Any] = [
    *(None, True, False, 0, -1, 1, 2, 3, 5, 6, 63, -0.0, 0.5, 1.0, 1e-9, 1e99, 1e101, 10**18),
    *(
        10**30,
        float("nan"),
        float("inf"),
        "",
        "x",
        ".",
        "-",
        "ab",
        "3",
        "w",
        "1n",
        "\ud800",
        [],
        {},
    ),
    *([[]], [0], [0, 1], [0, 0], [-1, -1], ["a"], "..\n..", {"name": "square 2 2"}),
]


def any_puzzle(rng: random.Random) -> Puzzle:
    """A puzzle of any kind, on rows and columns or on the faces of any board."""
    if rng.random() < 0.25:
        return random_puzzle(rng, rng.randint(1, 3), rng.randint(1, 3))
    if rng.random() < 0.4:
        board = boards.plane_board(rng)
        clues = [
            rng.choice([None, None, rng.randrange(len(board.edges_of(face))), -1])
            for face in range(board.num_faces)
        ]
        kind = rng.choice([*["slitherlink"] * 6, "simpleloop"])
        if kind == "simpleloop":
            clues = [0 if clue == -1 else None for clue in clues]
        return KINDS[kind].on(board, clues)
    while True:
        kind = KINDS[rng.choice([*KINDS])]
        rows, cols = rng.choice([(2, 2), (2, 3), (3, 2), (3, 3)])
        if found := [*random_puzzles(kind, rows, cols, 1, rng)]:
            return found[0]


def text_of(rng: random.Random, puzzle: Puzzle) -> str:
    """The puzzle in any form, most of the time with changes."""
    text = _on_a_board(rng, puzzle) if puzzle.tiling is not None else _in_rows(rng, puzzle)
    if text.startswith("{") and rng.random() < 0.5:
        text = damaged_json(rng, text)
        damages = 0
    else:
        damages = rng.choice([0, 1, 1, 1, 2, 3])
    for _ in range(damages):
        start = rng.randint(0, len(text))
        end = start + rng.choice([0, 0, 1, 2])
        text = text[:start] + rng.choice([*TOKENS, text[start : end + 4]]) + text[end:]
    return rng.choice(["", "", "", "# a comment\n", "\n", "\ufeff"]) + text


def _in_rows(rng: random.Random, puzzle: Puzzle) -> str:
    forms = ["text", "text", "json", "record", "strings", "string", "pzpr", "loopy", "rows-cols"]
    form, spaced = rng.choice(forms), rng.choice(["", " ", "\t"])
    record = json.loads(write(puzzle, "json"))
    signs: dict[Any, str] = {None: ".", **puzzle.symbols}
    rows = [spaced.join(signs.get(cell) or str(cell) for cell in row) for row in puzzle.grid]
    if form == "record":
        return json.dumps(record_of(puzzle))
    if form == "strings":
        return json.dumps(record | {"grid": rows}, indent=rng.choice([None, 1]))
    if form == "string":
        return json.dumps(record | {"grid": "\n".join(rows)})
    try:
        text = write(puzzle, form)
    except FormatError:
        return write(puzzle)
    if form == "text" and spaced and "regions" not in text:
        text = text.removesuffix("\n".join([*write(puzzle).splitlines()[-puzzle.rows :], ""]))
        text += "\n".join([*rows, ""])
    return text


def _on_a_board(rng: random.Random, puzzle: Any) -> str:
    form = rng.choice(["text", "json", "record", "polygons", "polygons", "polygons", "vertices"])
    board = puzzle.tiling
    record = json.loads(write(puzzle, "json"))
    if form == "text":
        return write(puzzle)
    if form == "record":
        return json.dumps(record_of(puzzle))
    walks = [[*board.walk(face)] for face in range(board.num_faces)]
    if form == "polygons" and board.points is not None:
        place = _placing(rng)
        polygons = [[place(*board.points[vertex]) for vertex in walk] for walk in walks]
        record["board"] = {"polygons": polygons}
    elif form == "vertices":
        edges = [board.ends(edge) for edge in range(board.num_edges)]
        vertices = board.num_vertices
        if board.points is not None:
            vertices = rng.choice([vertices, board.points])
        record["board"] = {"vertices": vertices, "faces": walks, "edges": edges}
    return json.dumps(record)


def _placing(rng: random.Random) -> Any:
    """A function that moves corners, with errors of rounding, and perhaps others on top."""
    scale, far = 10 ** rng.uniform(-3, 3), rng.choice([0, 0, 10 ** rng.uniform(-2, 6)])
    angle = rng.choice([0, rng.uniform(0, 7)])
    noise = rng.choice([0, 0, 0, 10 ** rng.uniform(-18, -2)])

    def place(x: float, y: float) -> list[float]:
        a, b = x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)
        if rng.random() < 0.5:
            a, b = cos(angle) * x + cos(angle + 1.5707963267948966) * y, b
        off = noise * rng.random() ** 3
        return [scale * (a + off) + far, scale * b + far]

    return place


def damaged_json(rng: random.Random, text: str) -> str:
    """The text of a value with some parts replaced, dropped, repeated or exchanged."""
    value = damaged_value(rng, json.loads(text))
    text = json.dumps(value)
    if rng.random() < 0.1 and (keys := [at for at, char in enumerate(text) if char == ":"]):
        # A key a second time.
        at = rng.choice(keys)
        start = text.rfind('"', 0, at - 1)
        text = f"{text[:start]}{text[start : at + 1]} {json.dumps(rng.choice(ODD))}, {text[start:]}"
    return text


def damaged_value(rng: random.Random, value: Any) -> Any:
    """A copy of a decoded value with some parts replaced, dropped, repeated or exchanged."""
    value = [deepcopy(value)]
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        holder, key = _part_of(rng, value)
        part = holder[key]
        match rng.randrange(7):
            case 0 | 1:
                holder[key] = deepcopy(rng.choice(ODD))
            case 2 if type(part) is int:
                holder[key] = part + rng.choice([-1, 1, 1, 7, -part])
            case 3 if type(part) in (int, float):
                holder[key] = part * (1 + 10 ** rng.uniform(-18, 0)) + rng.choice([0, 1e-9, 1e-13])
            case 4 if holder is not value:
                del holder[key]
            case 5 if isinstance(holder, list) and holder is not value:
                holder.insert(key, deepcopy(part))
            case _:
                other, place = _part_of(rng, value)
                holder[key] = deepcopy(other[place])
    return value[0]


def _part_of(rng: random.Random, value: list[Any]) -> tuple[Any, Any]:
    """A random list or object in a value, and a key of it: outer parts as often as inner ones."""
    holder, key = value, 0
    while rng.random() < 0.8 and isinstance(holder[key], list | dict) and holder[key]:
        holder = holder[key]
        key = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    return holder, key
