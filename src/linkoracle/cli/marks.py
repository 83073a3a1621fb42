"""The marks of a player in files, and steps and hints as JSON."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, NoReturn

from linkoracle.board import LinkModel
from linkoracle.cli.messages import as_json as json_of
from linkoracle.cli.messages import from_json, json_object, reading_paths
from linkoracle.cli.program import text_of
from linkoracle.core import FormatError
from linkoracle.formats import Members
from linkoracle.kinds import Puzzle, format_edge
from linkoracle.session import LEVELS, Hint, Marks
from linkoracle.session.requests import PLACES, marked_places

#: The keys of edges in steps, and in files with a partial solution.
_EDGES = ("lines", "crosses")


def as_json(puzzle: Puzzle, step: Any) -> dict[str, Any]:
    """Return a step with its edges as paths, as --partial-solution reads them."""
    board = puzzle.board
    record: dict[str, Any] = {"technique": step.technique, "rule": step.rule}
    for name in _EDGES:
        edges = getattr(step, name)
        record[name] = [[*map(board.vertex_name, board.ends(edge))] for edge in edges]
    name_of = {"visited": board.vertex_name, "inside": board.face_name}
    for name, (what, _) in PLACES.items():
        record[name] = [*map(name_of[what], getattr(step, name))]
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


class BoardFile(Members):
    """The members of a file with a partial solution: see ``--partial-solution``."""

    def __init__(self, file: str) -> None:
        self._source, text = text_of(file)
        with self._reading():
            self.members = json_object(text)
            if self.members.keys().isdisjoint((*_EDGES, *PLACES)):
                raise ValueError("found neither")

    def fail(self, reason: str) -> NoReturn:
        """Raise `FormatError`."""
        raise FormatError(reason, source=self._source)

    def wrong(self, key: str, expected: str, value: object) -> NoReturn:
        """Raise the error that the list ``key`` has ``value``, not ``expected``."""
        self.fail(f"expected {expected}, found {json_of(value)} under {key!r}")

    def model(self, puzzle: Puzzle) -> LinkModel:
        """Return the model of a puzzle with the lines and crosses given and forbidden."""
        with self._reading():
            paths = (self.members.get(key, []) for key in _EDGES)
            lines, crosses = (from_json(puzzle.board, one) for one in paths)
            model = puzzle.model
            drawn, crossed = {*lines, *model.given}, {*crosses, *model.forbidden}
            for edge in sorted(drawn & crossed):
                ends = format_edge([*map(model.board.position, model.board.ends(edge))])
                raise ValueError(f"found {ends} as a line and as a cross")
            return model.with_edges(lines, crosses)

    def marks(self, puzzle: Puzzle, begun: LinkModel) -> Marks:
        """Return the marks of a player, whose lines and crosses are in ``begun``."""
        edges = dict.fromkeys(begun.given, True) | dict.fromkeys(begun.forbidden, False)
        for edge in (*puzzle.model.given, *puzzle.model.forbidden):
            del edges[edge]
        return Marks(edges, **marked_places(puzzle.board, self))

    def _reading(self) -> AbstractContextManager[None]:
        return reading_paths('"lines" and "crosses"', self._source)
