"""Queries of the page while a player solves a puzzle: its rules, a check of the marks, a hint.

`Playing.answer` reports the answer in stages, as dictionaries with the key ``stage``. Every query
has ``what``, and a ``board``:

* ``rules``: the stages ``rules``, the constraints of `LinkModel` at vertices and faces; ``status``:
  ``none``, ``unique`` or ``many`` solutions; and ``grade``: the label, or null. If the rules are
  the ``whole`` rules of the puzzle, the page checks a solution by them;
* ``finished``: the stage ``finished``, with the ``faults`` of the ``lines`` as a solution, a
  sentence each;
* ``check``: the stage ``checked`` with the ``edges`` and ``faces`` that are wrong. Of a puzzle with
  several solutions, the edges are some that no solution has together;
* ``hint``: ``checked`` if something is wrong, else ``hint``: the next step in three levels
  (``where`` to look, which ``rule`` helps, and the ``sentence``), with the ``name`` of its
  technique, the ``lines`` and ``crosses`` that follow, the areas that are ``inside`` and
  ``outside`` (or shaded and not shaded), and the ``cells`` that the step is about.

All queries but the first have the marks of the player, too: ``lines`` and ``crosses``, edges by
number, and ``inside`` and ``outside``, faces by number. In kinds with shaded cells, these are the
cells that are shaded and those that are not. The last stage is ``done``; ``wrong`` gives the reason
for an invalid query, and ``late`` says that a limit was reached.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from linkoracle.board import HOLE, Solution
from linkoracle.core import NotSupported, PuzzleError, SearchTimeout
from linkoracle.engines import Verdict
from linkoracle.kinds import Puzzle
from linkoracle.session import Hint, Session, Wrong
from linkoracle.studio.boards import numbers, puzzle_of, shades
from linkoracle.studio.puzzle_tasks import as_json, grade_in_time
from linkoracle.studio.tasks import Limits, Report

#: What a query may be: each is a method of `Playing`.
_QUERIES = ("rules", "finished", "check", "hint")
#: Time limit for a step and for a grade: a player would find a step sooner.
_STEP_SECONDS = 8.0


class Marks(NamedTuple):
    """The marks of a player: edges and faces by number, each once."""

    lines: tuple[int, ...]
    crosses: tuple[int, ...]
    inside: tuple[int, ...]
    outside: tuple[int, ...]

    @property
    def edges(self) -> dict[int, bool]:
        """Return the marked edges: true for lines, false for crosses."""
        return dict.fromkeys(self.lines, True) | dict.fromkeys(self.crosses, False)


class Playing:
    """Answer one query after another, in a session that stays open."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._session: Session | None = None

    def answer(self, query: object, report: Report) -> None:
        """Report the answer to a query. Raise nothing, whatever the query is."""
        try:
            if not isinstance(query, dict) or query.get("what") not in _QUERIES:
                raise PuzzleError(f"expected one of the queries {', '.join(_QUERIES)}")
            puzzle = puzzle_of(query.get("board"))
            getattr(self, f"_{query['what']}")(puzzle, query, report)
        except PuzzleError as error:
            report({"stage": "wrong", "reason": error.reason})
        except SearchTimeout:
            report({"stage": "late", "reason": "the time limit was reached"})
        except NotSupported:
            report({"stage": "late", "reason": "not available for this kind"})
        except MemoryError:
            report({"stage": "late", "reason": "it takes too much memory"})
        report({"stage": "done"})

    def _begun(self, puzzle: Puzzle) -> Session:
        """Return the session, which begins with a puzzle."""
        if self._session is None:
            self._session = Session(puzzle, memory=self._limits.memory, prompt=True)
        self._session.begin(puzzle)
        return self._session

    def _verdict(self, puzzle: Puzzle) -> Verdict:
        return self._begun(puzzle).ask(timeout=self._limits.status)

    def _rules(self, puzzle: Puzzle, _: dict[str, Any], report: Report) -> None:
        model = puzzle.model
        allowed = {"degrees": [*model.degrees], "faces": [*model.faces]}
        pairs = [*map(list, model.terminals)]
        about = {"terminals": pairs, "loop": model.loop, "whole": model.only_masks}
        report({"stage": "rules", **allowed, **about})
        status = self._verdict(puzzle).status
        report({"stage": "status", "status": status})
        if status == "unique":
            grade = grade_in_time(puzzle, _STEP_SECONDS)
            report({"stage": "grade", "label": grade and grade.label})

    def _finished(self, puzzle: Puzzle, query: dict[str, Any], report: Report) -> None:
        lines = marks_of(puzzle, query).lines
        report({"stage": "finished", "faults": puzzle.violations(Solution(puzzle.board, lines))})

    def _check(self, puzzle: Puzzle, query: dict[str, Any], report: Report) -> None:
        report({"stage": "checked", **self._wrong(puzzle, marks_of(puzzle, query))})

    def _hint(self, puzzle: Puzzle, query: dict[str, Any], report: Report) -> None:
        marks = marks_of(puzzle, query)
        hint = self._begun(puzzle).hint(
            marks.edges, **_places(puzzle, marks), timeout=_STEP_SECONDS
        )
        wrong = Wrong([], [], []) if hint is None or hint.wrong is None else hint.wrong
        if any((checked := _checked(puzzle, marks, wrong)).values()):
            report({"stage": "checked", **checked})
            return
        found = _as_json(puzzle, hint) if hint else self._without_a_step(puzzle, marks)
        report({"stage": "hint", **found})

    def _without_a_step(self, puzzle: Puzzle, marks: Marks) -> dict[str, Any]:
        """Return a hint where no argument is found."""
        verdict = self._verdict(puzzle)
        lines: list[int] = []
        sentence = "Nothing more follows: the marks so far fit multiple solutions."
        if verdict.unique and (left := {*verdict.solutions[0].edges} - {*marks.lines}):
            lines = [min(left)]
            sentence = "No short argument is known from here. This line is in the solution."
        empty: dict[str, list[int]] = {name: [] for name in ("crosses", "cells", *_AREAS)}
        levels = dict.fromkeys(("where", "rule", "sentence"), sentence)
        return {"lines": lines, **empty, "name": None, **levels}

    def _wrong(self, puzzle: Puzzle, marks: Marks) -> dict[str, list[int]]:
        """Return the ``edges`` and the ``faces`` that are wrong."""
        session, places = self._begun(puzzle), _places(puzzle, marks)
        found = session.wrong(marks.edges, **places, timeout=self._limits.status)
        return _checked(puzzle, marks, found)


#: The names of areas in queries, and of the marks of a hint.
_AREAS = ("inside", "outside")


def _places(puzzle: Puzzle, marks: Marks) -> dict[str, dict[int, bool]]:
    """Return the marks of areas as a session takes them: of cells, or of faces."""
    if shades(type(puzzle)):
        # Shaded cells are those that no line visits.
        visited = dict.fromkeys(marks.inside, False) | dict.fromkeys(marks.outside, True)
        return {"visited": visited}
    if not puzzle.model.loop:
        return {}
    return {"inside": dict.fromkeys(marks.inside, True) | dict.fromkeys(marks.outside, False)}


def _checked(puzzle: Puzzle, marks: Marks, wrong: Wrong) -> dict[str, list[int]]:
    """Return wrong edges and areas; cells that clues close are never shaded."""
    if not shades(type(puzzle)):
        return {"edges": wrong.edges, "faces": wrong.faces}
    degrees = puzzle.model.degrees
    closed = {cell for cell in marks.inside if degrees[cell] == HOLE}
    return {"edges": wrong.edges, "faces": sorted({*wrong.vertices} | closed)}


def _as_json(puzzle: Puzzle, hint: Hint) -> dict[str, Any]:
    """Return a hint as an object of JSON."""
    step = hint.step
    assert step is not None
    return {
        **as_json(puzzle, step),
        "where": hint.where,
        "rule": hint.rule,
        "sentence": hint.sentence,
    }


def marks_of(puzzle: Puzzle, query: dict[str, Any]) -> Marks:
    """Return the marks of a query; raise `PuzzleError` if they are invalid."""
    board = puzzle.board
    faces = puzzle.rows * puzzle.cols if shades(type(puzzle)) else board.num_faces
    marks = Marks(
        *(numbers(query.get(name), name, board.num_edges) for name in ("lines", "crosses")),
        *(numbers(query.get(name), name, faces) for name in ("inside", "outside")),
    )
    if {*marks.lines} & {*marks.crosses} or {*marks.inside} & {*marks.outside}:
        raise PuzzleError("expected each edge and each face to be marked once")
    return marks
