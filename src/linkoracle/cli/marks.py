"""The marks of a player in files, and steps and hints as JSON."""

from __future__ import annotations

from typing import Any

from linkoracle.board import LinkModel
from linkoracle.cli.program import text_of
from linkoracle.kinds import Puzzle, format_edge
from linkoracle.session import LEVELS, Hint, Marks

#: The members of a file with a partial solution: edges, then vertices and faces.
_MARKS = ("lines", "crosses")
PLACES = ("visited", "unvisited", "inside", "outside")


def as_json(puzzle: Puzzle, step: Any) -> dict[str, Any]:
    """Return a step with its edges as paths, as --partial-solution reads them."""
    board = puzzle.board
    record: dict[str, Any] = {"technique": step.technique, "rule": step.rule}
    for name in ("lines", "crosses"):
        edges = getattr(step, name)
        record[name] = [[*map(board.vertex_name, board.ends(edge))] for edge in edges]
    for names, place in ((PLACES[:2], board.vertex_name), (PLACES[2:], board.face_name)):
        record |= {name: [*map(place, getattr(step, name))] for name in names}
    numbers = {name: getattr(step, name) for name in ("choices", "cost", "length", "ways")}
    return {**record, **numbers, "text": step.sentence}


def hint_as_json(puzzle: Puzzle, hint: Hint | None, level: int) -> dict[str, Any]:
    """Return a hint up to a level; only the last one has the step."""
    if hint is None:
        return {"text": None, "step": None, "wrong": None}
    wrong = None
    if hint.wrong is not None:
        board = puzzle.board
        wrong = {
            "edges": [[*map(board.vertex_name, board.ends(edge))] for edge in hint.wrong.edges],
            "vertices": [*map(board.vertex_name, hint.wrong.vertices)],
            "faces": [*map(board.face_name, hint.wrong.faces)],
        }
    shown = hint.step is not None and level == len(LEVELS)
    step = as_json(puzzle, hint.step) if shown and hint.step else None
    return {"text": hint.told(level), "step": step, "wrong": wrong}


def marks_in(file: str, puzzle: Puzzle) -> Marks:
    """Return the marks of a player in a file: see ``--partial-solution``."""
    from linkoracle.cli.messages import json_object, reading_paths

    model, board = begun_board(file, puzzle), puzzle.board
    edges = dict.fromkeys(model.given, True) | dict.fromkeys(model.forbidden, False)
    fixed = {*puzzle.model.given, *puzzle.model.forbidden}
    shown, text = text_of(file)
    found: dict[str, dict[int, bool]] = {}
    vertices = {board.vertex_name(vertex): vertex for vertex in range(board.num_vertices)}
    faces = {board.face_name(face): face for face in range(board.num_faces)}
    with reading_paths("places of the board", shown):
        record = json_object(text)
        for at, name in enumerate(PLACES):
            known, found[name] = faces if at > 1 else vertices, {}
            for place in record.get(name, []):
                key = tuple(place) if isinstance(place, list) else place
                if key not in known:
                    raise ValueError(f"found {place!r} under {name!r}")
                found[name][known[key]] = at % 2 == 0
    return Marks(
        {edge: on for edge, on in edges.items() if edge not in fixed},
        found["visited"] | found["unvisited"],
        found["inside"] | found["outside"],
    )


def begun_board(file: str, puzzle: Puzzle) -> LinkModel:
    """Return the model of a puzzle with the lines and crosses of a file given and forbidden."""
    from linkoracle.cli.messages import from_json, json_object, reading_paths

    shown, text = text_of(file)
    with reading_paths('"lines" and "crosses"', shown):
        record = json_object(text)
        if record.keys().isdisjoint((*_MARKS, *PLACES)):
            raise ValueError("found neither")
        lines, crosses = (from_json(puzzle.board, record.get(key, [])) for key in _MARKS)
        model = puzzle.model
        drawn, crossed = {*lines, *model.given}, {*crosses, *model.forbidden}
        for edge in sorted(drawn & crossed):
            ends = format_edge([*map(model.board.position, model.board.ends(edge))])
            raise ValueError(f"found {ends} as a line and as a cross")
        return model.with_edges(lines, crosses)
