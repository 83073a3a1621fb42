"""Readers of published puzzles and their solutions, one for each kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from linkoracle import Solution, read
from linkoracle.kinds import KINDS, Puzzle, step

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"

Words = list[list[str]]


def _circle_first(word: str) -> str:
    """Return a circle with its colour first; published files have both ``3b`` and ``b3``."""
    return word[-1] + word[:-1] if word[0].isdigit() else word


#: Conversions of cells, for kinds with another notation; ``-`` is an empty cell.
WORDS: dict[str, Callable[[str], str]] = {
    "masyu": lambda word: {"1": "w", "2": "b"}.get(word, word),
    "simpleloop": lambda word: word.replace("x", "*"),
    "yajilin": lambda word: word.replace("@", "x"),
    "geradeweg": lambda word: "?" if word == "0" else word,
    "balanceloop": _circle_first,
    "grandtour": lambda _: "-",
}
#: The sides of a cell by bit, as the offsets of two corners.
SIDES = {1: ((0, 1), (1, 1)), 2: ((1, 0), (1, 1)), 4: ((0, 0), (1, 0)), 8: ((0, 0), (0, 1))}


@dataclass(frozen=True)
class Record:
    """A published puzzle; ``solution`` is ``None`` if it cannot be read."""

    name: str
    puzzle: Puzzle
    solution: Solution | None


def records(kind: str) -> Iterator[Record]:
    """Yield all published puzzles of a kind, in the order of their file."""
    with (CORPUS / f"{kind}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if "grid" in record:
                yield Record(record["id"], read(f"{kind}\n{record['grid']}\n"), None)
                continue
            yield _read(kind, record["id"], record["problem"], record["solution"])


def _read(kind: str, name: str, problem: str, answer: str) -> Record:
    (rows, _), *cells = (line.split() for line in problem.strip().splitlines())
    height = int(rows)
    grid, regions = cells[:height], cells[height:]
    points: dict[str, Any] = {}
    if regions:
        # Country Roads have cells outside all regions.
        points["regions"] = [["." if word == "@" else word for word in row] for row in regions]
    if kind == "doubleback":
        # The rows have only regions, and holes outside all regions.
        points["regions"] = [["." if word == "#" else word for word in row] for row in grid]
        grid = [["*" if word == "#" else "." for word in row] for row in grid]
    if kind == "grandtour":
        points["given"] = sorted(_given(grid))
    of_word = WORDS.get(kind, str)
    texts = [" ".join(map(of_word, row)) for row in grid]
    puzzle = KINDS[kind].from_grid(texts, **points)
    # Some solutions are repeated, or followed by a line such as "[end]".
    drawn = [line.split() for line in answer.strip().splitlines()[1:]]
    drawn = [row for row in drawn if len(row) == puzzle.cols][: puzzle.rows]
    solution = None
    if [len(row) for row in drawn] == [puzzle.cols] * puzzle.rows:
        board, readers = puzzle.board, {"grandtour": _outline, "hidoku": _path}
        edges = readers.get(kind, _loop)(drawn)
        solution = Solution(board, [board.edge(*edge) for edge in sorted(edges)])
    return Record(name, puzzle, solution)


def _loop(drawn: Words) -> set[Any]:
    """Return the lines between cells; each cell names the sides with a line."""
    edges = set()
    for row, words in enumerate(drawn):
        for col, word in enumerate(words):
            sides = word if word != "x" else ""
            for side in sides.replace("-", ""):
                edges.add(tuple(sorted([(row, col), step((row, col), side)])))
    return edges


def _path(drawn: Words) -> set[Any]:
    """Return the lines between cells with consecutive numbers."""
    cells = {
        int(word): (row, col) for row, words in enumerate(drawn) for col, word in enumerate(words)
    }
    return {*pairwise(cells[number] for number in sorted(cells))}


def _outline(drawn: Words) -> set[Any]:
    """Return the lines between dots around cells marked with ``x``, the inside of the loop."""
    inside = {
        (row, col)
        for row, words in enumerate(drawn)
        for col, word in enumerate(words)
        if word == "x"
    }
    edges = set()
    for row, col in inside:
        for bit, direction in ((1, "e"), (2, "s"), (4, "w"), (8, "n")):
            if step((row, col), direction) not in inside:
                edges.add(tuple((row + down, col + right) for down, right in SIDES[bit]))
    return edges


def _given(grid: Words) -> set[Any]:
    edges = set()
    for row, words in enumerate(grid):
        for col, word in enumerate(words):
            bits = 0 if word == "-" else int(word)
            for bit, corners in SIDES.items():
                if bits & bit:
                    edges.add(tuple((row + down, col + right) for down, right in corners))
    return edges
