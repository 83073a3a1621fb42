"""Records: a puzzle with its solutions, the path to them, a proof, and its twins.

A record is a dictionary that JSON holds. `SCHEMA` says what stands in it; each record has all
members, of the same types, so that readers of tables need no code of ours.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from linkoracle import catalogue, certificates, deduce
from linkoracle.board import Solution
from linkoracle.core import CheckFailed, Deadline, FormatError, NoCertificate
from linkoracle.dataset.twins import Change, Twin, Twins
from linkoracle.deduce import Step
from linkoracle.formats import write
from linkoracle.kinds import Puzzle
from linkoracle.render import draw

#: A place: ``[row, column]`` from 0, or ``[number]`` on boards that are not square.
_PLACE = ["int"]
_DRAWING = {"paths": [[_PLACE]], "drawing": "string"}
#: The members of a record: ``"string"``, ``"int"``, a list with the type of its items, or members.
SCHEMA: dict[str, Any] = {
    "id": "string",
    "group": "string",
    "part": "string",
    "twins": ["string"],
    "kind": "string",
    "variant": "string",
    "size": "string",
    "rules": "string",
    "puzzle": "string",
    "json": "string",
    "url": "string",
    "clues": "int",
    "status": "string",
    "solutions": [_DRAWING],
    "path": [
        {
            "technique": "string",
            "text": "string",
            "lines": [[_PLACE]],
            "crosses": [[_PLACE]],
            "visited": [_PLACE],
            "unvisited": [_PLACE],
        }
    ],
    "label": "string",
    "score": "int",
    "proof": "string",
    "change": {"what": "string", "place": "string", "old": "string", "new": "string"},
    "core": ["string"],
    "wrong": {**_DRAWING, "breaks": "string"},
    "hash": "string",
    "splits": {"hash": "string", "size": "string", "kind": "string", "path": "string"},
    "seed": "string",
    "number": "int",
    "version": "string",
}
#: What the members mean, for the data card and the schema file.
MEANINGS = {
    "id": "name of the record, unique in the data set",
    "group": "name of the triple",
    "part": "`unique`, `none` or `two`: which of the triple",
    "twins": "ids of the other records of the triple",
    "kind": "kind of puzzle, as `linkoracle kinds` lists it",
    "variant": "variant of the kind",
    "size": "rows x columns, or the words of a board",
    "rules": "rules in words",
    "puzzle": "the puzzle as text, which `linkoracle.read` takes",
    "json": "the puzzle as JSON",
    "url": "address at puzz.link, empty if it has none",
    "clues": "number of clues",
    "status": "`unique`, `none` or `two`: how many solutions there are",
    "solutions": "all solutions: walks over places, and a drawing",
    "path": "steps of a person, up to the solution, the contradiction, or where two are left",
    "label": "difficulty in a word, empty where nothing is solved",
    "score": "difficulty as a number, -1 where nothing is solved",
    "proof": "certificate of the status in base64, which `verify_certificate.py` checks",
    "change": "the clue that differs from the unique puzzle; empty words for that itself",
    "core": "places of clues that contradict each other, where there is no solution",
    "wrong": "drawing that breaks one rule, and which; empty if there is none",
    "hash": "of the canonical form: equal for puzzles that symmetries of the board make equal",
    "splits": "`train`, `validation` or `test`, by four different questions",
    "seed": "seed of the data set",
    "number": "number of the triple's attempt",
    "version": "version of linkoracle",
}
#: Puzzles that need one of these are the test of the split "path".
_HARD = frozenset(("cases", "clues", "trial", "guess", "refuted", "either", "colour", "parity"))


def key_of(puzzle: Puzzle) -> str:
    """Return a hash that is the same for puzzles which a symmetry of the board makes equal.

    >>> from linkoracle import Slitherlink
    >>> board = Slitherlink([[3, None, 1], [None, None, 0]])
    >>> key_of(board) == key_of(board.reflect()), key_of(board)
    (True, 'a250b4acaa628c92')
    """
    return sha256(catalogue.key_of(puzzle).encode()).hexdigest()[:16]


def size_of(puzzle: Puzzle) -> str:
    """Return the size of the board: ``"6x6"``, or the words of a board that is not square."""
    rows, cols = puzzle.faces.shape
    return f"{rows}x{cols}" if rows else puzzle.size


def split_of(key: str) -> str:
    """Return the split of a hash: 8 of 10 are ``train``, then ``validation`` and ``test``.

    >>> [split_of(key * 16) for key in "08f"]
    ['train', 'train', 'test']
    """
    share = int(key[:8], 16) / 16**8
    return "train" if share < 0.8 else "validation" if share < 0.9 else "test"


def triple(
    group: str,
    puzzle: Puzzle,
    solution: Solution,
    twins: Twins,
    about: Mapping[str, Any],
    deadline: Deadline,
) -> list[dict[str, Any]] | None:
    """Return the records of a puzzle and its twins; ``None`` if a twin or a proof is missing.

    ``about`` has the members ``seed``, ``number``, and the splits ``size`` and ``kind``.
    """
    if twins.none is None or twins.two is None:
        return None
    parts: list[tuple[str, Puzzle, tuple[Solution, ...], Twin | None]] = [
        ("unique", puzzle, (solution,), None),
        ("none", twins.none.change.puzzle, (), twins.none),
        ("two", twins.two.change.puzzle, twins.two.solutions, twins.two),
    ]
    try:
        records = [
            _record(group, part, made, solved, twin, deadline) for part, made, solved, twin in parts
        ]
    except NoCertificate:
        return None
    first = records[0]
    if twins.wrong is not None:
        drawn = _drawing(puzzle, twins.wrong.drawing)
        first["wrong"] = {**drawn, "breaks": twins.wrong.breaks}
    hard = any(step["technique"] in _HARD for step in first["path"])
    splits = {
        "hash": split_of(first["hash"]),
        "size": about["size"],
        "kind": about["kind"],
        "path": "test" if hard else "train",
    }
    for record in records:
        record["splits"] = splits
        record["seed"], record["number"] = str(about["seed"]), about["number"]
    return records


def _record(
    group: str,
    part: str,
    puzzle: Puzzle,
    solved: tuple[Solution, ...],
    twin: Twin | None,
    deadline: Deadline,
) -> dict[str, Any]:
    found = deduce.deduced(puzzle, deadline)
    grade, other = found.grade, [one for one in ("unique", "none", "two") if one != part]
    proof = certificates.certificate(puzzle, timeout=deadline.left)
    if proof.solutions != solved:
        raise CheckFailed(f"{group}: the proof is of other solutions than the search found")
    change = Change(puzzle, "", "", "", "") if twin is None else twin.change
    return {
        "id": f"{group}-{part}",
        "group": group,
        "part": part,
        "twins": [f"{group}-{one}" for one in other],
        "kind": puzzle.kind,
        "variant": puzzle.variant,
        "size": size_of(puzzle),
        "rules": puzzle.instructions[puzzle.variant],
        "puzzle": write(puzzle, "text"),
        "json": write(puzzle, "json"),
        "url": _url(puzzle),
        "clues": puzzle.number_of_clues,
        "status": part,
        "solutions": [_drawing(puzzle, one) for one in solved],
        "path": [_step(puzzle, step) for step in found.steps(puzzle)],
        "label": grade.label or "",
        "score": -1 if grade.score is None else grade.score,
        "proof": base64.b64encode(proof.data).decode(),
        "change": {name: getattr(change, name) for name in SCHEMA["change"]},
        "core": [] if twin is None else [*twin.core],
        "wrong": {"paths": [], "drawing": "", "breaks": ""},
        "hash": key_of(puzzle),
        "splits": {},
        "seed": "",
        "number": 0,
        "version": version("linkoracle"),
    }


def _url(puzzle: Puzzle) -> str:
    # Some kinds, clues and boards have no coding there.
    try:
        return write(puzzle, "pzpr")
    except FormatError:
        return ""


def _place(name: Any) -> list[int]:
    return [*name] if isinstance(name, tuple) else [name]


def _drawing(puzzle: Puzzle, solution: Solution) -> dict[str, Any]:
    paths = [[_place(place) for place in walk] for walk in solution.paths()]
    return {"paths": paths, "drawing": draw(puzzle, solution)}


def _step(puzzle: Puzzle, step: Step) -> dict[str, Any]:
    board = puzzle.board

    def named(vertices: Iterable[int]) -> list[list[int]]:
        return [_place(board.vertex_name(one)) for one in vertices]

    return {
        "technique": step.technique,
        "text": step.sentence,
        "lines": [named(board.ends(edge)) for edge in step.lines],
        "crosses": [named(board.ends(edge)) for edge in step.crosses],
        "visited": named(step.visited),
        "unvisited": named(step.unvisited),
    }


def json_schema() -> str:
    """Return `SCHEMA` as a JSON Schema (https://json-schema.org, draft 2020-12)."""
    members = {name: {**_schema(of), "description": MEANINGS[name]} for name, of in SCHEMA.items()}
    return json.dumps(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A record of a linkoracle data set",
            "type": "object",
            "properties": members,
            "required": [*members],
            "additionalProperties": False,
        },
        indent=2,
    )


def _schema(of: Any) -> dict[str, Any]:
    if isinstance(of, list):
        return {"type": "array", "items": _schema(of[0])}
    if isinstance(of, dict):
        members = {name: _schema(one) for name, one in of.items()}
        return {"type": "object", "properties": members, "required": [*members]}
    return {"type": "integer" if of == "int" else "string"}
