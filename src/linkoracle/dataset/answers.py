"""Answers: the lines and the claim in what a model writes about a puzzle, in many forms."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from linkoracle.board import Board, Solution
from linkoracle.core import FormatError
from linkoracle.formats import read_loop
from linkoracle.kinds import Puzzle
from linkoracle.render import BOX, HEAVY_BOX

#: Characters read of an answer; models may write without end.
_MOST_CHARACTERS = 200_000
#: The widest columns of a drawing, in characters without the three of the line.
_WIDEST = 8

#: What an answer may claim.
Claim = Literal["unique", "none", "two", ""]
_NONE = (
    r"(?:no|zero|0|without|doesn't have a|does not have a|has no)(?: any| valid)? solutions?\b"
    r"|unsolvable|unsatisfiable|(?:cannot|can't) be solved|not solvable|impossible to solve"
    r"|puzzle is impossible"
)
_TWO = (
    r"(?:two|2|several|multiple|many|more than one)(?: valid| different| distinct)? solutions\b"
    r"|not unique|ambiguous"
)
_ONE = r"(?:one|1|a|single|unique|only)(?: valid)? solution\b|uniquely solvable"
#: The claims as parts of a sentence, and as all there is.
_CLAIMS: tuple[tuple[Claim, str, str], ...] = (
    ("none", rf"\b(?:{_NONE})", "none|no|impossible|unsolvable"),
    ("two", rf"\b(?:{_TWO})", "two|2|several|multiple"),
    ("unique", rf"\b(?:{_ONE})", "unique|one|1"),
)
#: Claims stand near the end of an answer: before, models think.
_CONCLUSION = 300
_FENCED = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)
#: The arms up, left, right and down of box-drawing characters, as bits 1, 2, 4 and 8.
_ARMS = {sign: bits for signs in (BOX, HEAVY_BOX) for bits, sign in enumerate(signs)}
_ARMS |= {"╭": 12, "╮": 10, "╰": 5, "╯": 3}
#: Signs of lines between places; the last crosses a border of regions.
_LEVEL, _UPRIGHT = "─-━=", "│|┃!╪"
#: Diagonal lines.
_FALLING, _RISING = "\u2572\u2573", "\u2571\u2573"
_R1C1 = r"r(\d{1,4})c(\d{1,4})"
_PAIR = r"[(\[]\s*(\d{1,4})\s*,\s*(\d{1,4})\s*[)\]]"
_DASHED = re.compile("\\s*(?:[-\u2013\u2014\u2192]|->|to)\\s*")
_SPACED = re.compile(r"[\s,;:>\[\]()]*")
_MOVES = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
#: Members of JSON objects with lines, and with the claim.
_WITH_LINES = (
    "solutions",
    "solution",
    "paths",
    "path",
    "lines",
    "edges",
    "loop",
    "drawing",
    "grid",
)
_WITH_CLAIM = ("status", "claim", "answer", "verdict")


class Answer(NamedTuple):
    """What an answer says: its claim about the number of solutions, and the lines it draws."""

    claim: Claim
    drawn: tuple[Solution, ...]


def answer_of(puzzle: Puzzle, answer: object) -> Answer:
    """Read what an answer says about a puzzle: see `score`. Never raises.

    >>> from linkoracle import Slitherlink
    >>> answer_of(Slitherlink([[4]]), "r1c1 RDLU").drawn[0].edges
    (0, 1, 2, 3)
    """
    if not isinstance(answer, str):
        return _of_json(puzzle, answer)
    text = answer[:_MOST_CHARACTERS].replace("\r\n", "\n")
    blocks = _FENCED.findall(text)[::-1]
    claim: Claim = ""
    for block in [*blocks, text]:
        found = _of_text(puzzle, block)
        if found.drawn:
            return found
        claim = claim or found.claim
    return Answer(claim, ())


def _of_text(puzzle: Puzzle, text: str) -> Answer:
    stripped = text.strip()
    if stripped[:1] in ("{", "["):
        try:
            found = _of_json(puzzle, json.loads(stripped))
        except (ValueError, RecursionError):
            found = Answer("", ())
        if found.drawn or found.claim:
            return found
    claim = _claim_of(text)
    for reader in _READERS:
        edges = reader(puzzle, text)
        if edges:
            # A drawing in an answer that says "none" is an example, not the answer.
            return Answer(claim, () if claim == "none" else (Solution(puzzle.board, tuple(edges)),))
    return Answer(claim, ())


def _claim_of(text: str) -> Claim:
    """Return the last claim near the end of a text."""
    lower = text[-_CONCLUSION:].lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    last: Claim = ""
    at = -1
    for claim, pattern, alone in _CLAIMS:
        if re.fullmatch(rf"\W*(?:answer\W*)?(?:{alone})\W*", lower):
            return claim
        for found in re.finditer(pattern, lower):
            if found.start() > at:
                last, at = claim, found.start()
    return last


def _of_json(puzzle: Puzzle, value: object) -> Answer:
    """Return what a value of JSON says."""
    claim: Claim = ""
    if isinstance(value, Mapping):
        for name in _WITH_CLAIM:
            if isinstance(value.get(name), str):
                claim = claim or _claim_of(value[name])
        lines = [value[name] for name in _WITH_LINES if name in value]
        if not lines:
            # The answer itself may be the lines.
            lines = [value[name] for name in _WITH_CLAIM if name in value]
        value = lines[0] if lines else None
    if isinstance(value, str):
        found = _of_text(puzzle, value)
        return Answer(claim or found.claim, found.drawn)
    if not isinstance(value, (list, tuple)):
        return Answer(claim, ())
    # All of it is one drawing, or else each part is.
    parts = [_lines_in(puzzle, value)]
    if not parts[0]:
        parts = [_lines_in(puzzle, one) for one in value]
    drawn = {Solution(puzzle.board, tuple(part)) for part in parts if part}
    return Answer(claim, tuple(sorted(drawn)))


def _lines_in(puzzle: Puzzle, value: object) -> set[int]:
    """Return the edges of a list of walks, of edges, or of a walk; none if it is neither."""
    if isinstance(value, str):
        found = _of_text(puzzle, value)
        return {*found.drawn[0].edges} if found.drawn else set()
    if isinstance(value, Mapping):
        return _lines_in(puzzle, next((value[name] for name in _WITH_LINES if name in value), None))
    if not isinstance(value, (list, tuple)):
        return set()
    if value and all(isinstance(one, str) for one in value):
        return _lines_in(puzzle, "\n".join(map(str, value)))
    walk = [_place(puzzle, one) for one in value]
    if len(walk) > 1 and None not in walk:
        return _along(puzzle, walk)
    edges: set[int] = set()
    for one in value:
        if not isinstance(one, (list, tuple)):
            return set()
        walk = [_place(puzzle, place) for place in one]
        along = set() if None in walk else _along(puzzle, walk)
        if not along:
            return set()
        edges |= along
    return edges


def _place(puzzle: Puzzle, place: object) -> Any:
    """Return the name of a place of the board; ``None`` for anything else.

    It may be given as ``[row, column]`` from 0, ``[number]``, a number, or ``"r1c1"``.
    """
    if isinstance(place, str):
        match = re.fullmatch(_R1C1, place.strip(), re.IGNORECASE)
        return None if match is None else _at(puzzle, int(match[1]) - 1, int(match[2]) - 1)
    parts: list[Any] = [*place] if isinstance(place, (list, tuple)) else [place]
    if any(type(part) is not int for part in parts):
        return None
    if len(parts) == 2:
        return _at(puzzle, *parts)
    return parts[0] if len(parts) == 1 and parts[0] in _grid(puzzle.board).places else None


class _Grid(NamedTuple):
    """The places of a board, and its edges by the two places that they join.

    ``rows`` and ``cols`` are 0 on boards whose places are numbers. A cell of ice is two vertices
    with one name.
    """

    rows: int
    cols: int
    places: frozenset[Any]
    edges: dict[frozenset[Any], int]

    def line(self, place: tuple[int, int], step: tuple[int, int]) -> int | None:
        """Return the edge from a place to the next one in a direction, if there is one."""
        return self.edges.get(frozenset((place, _stepped(place, step))))


def _stepped(place: tuple[int, int], step: tuple[int, int]) -> tuple[int, int]:
    return place[0] + step[0], place[1] + step[1]


@lru_cache(maxsize=32)
def _grid(board: Board) -> _Grid:
    """Return the places and the edges of a board."""
    names = [board.vertex_name(vertex) for vertex in range(board.num_vertices)]
    pairs = (frozenset(map(board.vertex_name, board.ends(e))) for e in range(board.num_edges))
    edges = {pair: edge for edge, pair in enumerate(pairs)}
    rows = cols = 0
    if all(isinstance(name, tuple) and len(name) == 2 for name in names):
        rows, cols = (1 + max(axis) for axis in zip(*names, strict=True))
    return _Grid(rows, cols, frozenset(names), edges)


def _at(puzzle: Puzzle, row: int, col: int) -> Any:
    place = row, col
    return place if place in _grid(puzzle.board).places else None


def _along(puzzle: Puzzle, walk: Sequence[Any]) -> set[int]:
    """Return the edges along a walk over places; none if a step is not one of the board."""
    edges = _grid(puzzle.board).edges
    found = [edges.get(frozenset(step)) for step in pairwise(walk)]
    return set() if None in found else {*found}  # type: ignore[arg-type]


def _drawing(puzzle: Puzzle, text: str) -> set[int]:
    """Return the lines of a drawing as `linkoracle.draw` makes it, or with a sign a place."""
    grid = _grid(puzzle.board)
    if not grid.rows:
        return set()
    lines = [line.rstrip() for line in text.split("\n")]
    tall = 2 * grid.rows - 1
    for first in range(len(lines)):
        rows = lines[first : first + tall]
        if len(rows) == tall and any(one in _ARMS or one in "-|" for one in "".join(rows)):
            for width in range(1, _WIDEST + 1):
                found = _spaced(puzzle, grid, rows, width)
                if found:
                    return found
        compact = ["".join(line.split()) for line in lines[first : first + grid.rows]]
        if len(compact) == grid.rows and all(len(line) == grid.cols for line in compact):
            arms = [[_ARMS.get(sign, 0) for sign in line] for line in compact]
            found = _meeting(grid, arms)
            if found:
                return found
    return set()


def _spaced(puzzle: Puzzle, grid: _Grid, rows: Sequence[str], width: int) -> set[int]:
    """Return the lines of rows of places ``width + 3`` apart with rows of lines between."""
    pitch = width + 3
    middle = width // 2 if puzzle.through_cells else 0
    room = pitch * grid.cols
    if max(map(len, rows)) > room:
        return set()
    wide = [row.ljust(room) for row in rows]
    found, uprights = set[int | None](), 0
    for row, col in grid.places:
        across, below = wide[2 * row], wide[2 * row + 1] if row + 1 < grid.rows else " " * room
        if col + 1 < grid.cols and across[(col + 1) * pitch - 1] in _LEVEL:
            found.add(grid.line((row, col), (0, 1)))
        sign = below[col * pitch + middle]
        if sign not in (*_UPRIGHT, " "):
            # A clue on a line hides it; its ends do not.
            ends = (
                across[col * pitch + middle],
                wide[min(2 * row + 2, len(wide) - 1)][col * pitch + middle],
            )
            arms = _ARMS.get(ends[0], 0) & 8, _ARMS.get(ends[1], 0) & 1
            sign = _UPRIGHT[0] if any(arms) else " "
            uprights -= sign in _UPRIGHT
        if sign in _UPRIGHT:
            uprights += 1
            found.add(grid.line((row, col), (1, 0)))
        slant = below[min(col * pitch + middle + pitch // 2, room - 1)]
        if slant in _FALLING:
            found.add(grid.line((row, col), (1, 1)))
        if slant in _RISING:
            found.add(grid.line((row + 1, col), (-1, 1)))
    # Signs of lines that were not read: the columns have another width.
    signs = sum(row.count(sign) for row in wide[1::2] for sign in _UPRIGHT)
    return found - {None} if signs == uprights else set()  # type: ignore[return-value]


def _meeting(grid: _Grid, arms: Sequence[Sequence[int]]) -> set[int]:
    """Return the edges at both of whose ends an arm leads to the other."""
    found = set()
    for row, col in grid.places:
        for step, out, back in (((0, 1), 4, 2), ((1, 0), 8, 1)):
            there = _stepped((row, col), step)
            edge = grid.line((row, col), step)
            if edge is not None and arms[row][col] & out and arms[there[0]][there[1]] & back:
                found.add(edge)
    return found


def _blocks(text: str, rows: int, cols: int) -> Iterator[list[list[str]]]:
    """Yield the grids of words, or of characters, with so many rows and columns."""
    lines = [re.split(r"[\s,|]+", line.strip(" |,[]")) for line in text.split("\n")]
    for first in range(len(lines) - rows + 1):
        block = lines[first : first + rows]
        if all(len(line) == cols for line in block):
            yield block
        elif cols > 1 and all(len(line) == 1 and len(line[0]) == cols for line in block):
            yield [[*line[0]] for line in block]


def _letters(puzzle: Puzzle, text: str) -> set[int]:
    """Return the lines of a grid of directions, such as ``se`` for a corner."""
    grid = _grid(puzzle.board)
    if not grid.rows:
        return set()
    bits = {"n": 1, "w": 2, "e": 4, "s": 8}
    for block in _blocks(text.lower(), grid.rows, grid.cols):
        words = {word for line in block for word in line}
        if all(re.fullmatch(r"[nesw]{1,4}|[-.x#]", word) for word in words):
            arms = [[sum(bits.get(one, 0) for one in {*word}) for word in line] for line in block]
            found = _meeting(grid, arms)
            if found:
                return found
    return set()


def _inside(puzzle: Puzzle, text: str) -> set[int]:
    """Return the border of cells ``#``, in kinds with lines between dots."""
    if puzzle.through_cells:
        return set()
    # On a board without rows, blocks are empty.
    for block in _blocks(text, *puzzle.faces.shape):
        if {word for line in block for word in line} == {"#", "."}:
            try:
                return {*read_loop("\n".join(map("".join, block))).edges}
            except FormatError:
                continue
    return set()


def _numbers(puzzle: Puzzle, text: str) -> set[int]:
    """Return the lines of a grid of numbers: equal ones of a Numberlink, or one after the other."""
    grid = _grid(puzzle.board)
    if not grid.rows or not puzzle.through_cells or puzzle.words is not None:
        return set()
    apart = 0 if puzzle.letters else 1
    for block in _blocks(text, grid.rows, grid.cols):
        cells = [word for line in block for word in line]
        if not all(re.fullmatch(r"\d{1,9}|[-.]", cell) for cell in cells):
            continue
        # A grid that repeats the clues alone is the puzzle.
        if sum(cell.isdecimal() for cell in cells) <= puzzle.number_of_clues:
            continue
        found = set()
        for pair, edge in grid.edges.items():
            one, other = (block[row][col] for row, col in pair)
            if one.isdecimal() and other.isdecimal() and abs(int(one) - int(other)) == apart:
                found.add(edge)
        return found
    return set()


def _places(puzzle: Puzzle, text: str) -> set[int]:
    """Return the lines between places in a text, in pairs or along walks, or by moves."""
    edges: set[int] = set()
    for pattern, first in ((_R1C1, 1), (_PAIR, 0)):
        moved = re.compile(rf"{pattern}[\s:,]*([UDLR](?:[\s,]*[UDLR])*)\b")
        for match in moved.finditer(text):
            edges |= _moved(puzzle, int(match[1]) - first, int(match[2]) - first, match[3])
        if edges:
            return edges
        found = [*re.finditer(pattern, text, re.IGNORECASE)]
        places = [_at(puzzle, int(one[1]) - first, int(one[2]) - first) for one in found]
        between = [text[one.end() : other.start()] for one, other in pairwise(found)]
        # In "r1c1-r1c2, r1c3-r1c4" commas separate lines, else they join places.
        joins = _DASHED if any(_DASHED.fullmatch(gap) for gap in between) else _SPACED
        for gap, (here, there) in zip(between, pairwise(places), strict=True):
            if joins.fullmatch(gap):
                edges |= _along(puzzle, (here, there))
        if edges:
            return edges
    return edges


def _moved(puzzle: Puzzle, row: int, col: int, moves: str) -> set[int]:
    """Return the edges of moves from a place; none if they leave the board."""
    walk = [_at(puzzle, row, col)]
    for move in re.findall("[UDLR]", moves):
        row, col = row + _MOVES[move][0], col + _MOVES[move][1]
        walk.append(_at(puzzle, row, col))
    return _along(puzzle, walk)


#: The readers of lines in text, the strictest first.
_READERS = (_drawing, _letters, _inside, _numbers, _places)
