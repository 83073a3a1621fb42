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
* ``hint``: ``checked`` if something is wrong, else ``hint``: the next step, with the ``name``
  of its technique, its ``sentence``, the ``lines`` and ``crosses`` that follow, and the ``cells``
  that the step is about.

All queries but the first have the marks of the player, too: ``lines`` and ``crosses``, edges by
number, and ``inside`` and ``outside``, faces by number. In kinds with shaded cells, these are the
cells that are shaded and those that are not. The last stage is ``done``; ``wrong`` gives the reason
for an invalid query, and ``late`` says that a limit was reached.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from linkoracle.board import Solution
from linkoracle.core import NotSupported, PuzzleError, SearchTimeout
from linkoracle.engines import Oracle, Verdict
from linkoracle.kinds import Puzzle
from linkoracle.render import inner_faces
from linkoracle.session import Session
from linkoracle.studio.boards import numbers, puzzle_of, shaded_cells, shades
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

    def _verdict(self, puzzle: Puzzle) -> Verdict:
        if self._session is None:
            self._session = Session(puzzle, memory=self._limits.memory, prompt=True)
        self._session.begin(puzzle)
        return self._session.ask(timeout=self._limits.status)

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
        wrong = self._wrong(puzzle, marks)
        if any(wrong.values()):
            report({"stage": "checked", **wrong})
            return
        assert self._session is not None
        step = self._session.hint(marks.edges, timeout=_STEP_SECONDS)
        found = as_json(puzzle, step) if step else self._without_a_step(puzzle, marks)
        report({"stage": "hint", **found})

    def _without_a_step(self, puzzle: Puzzle, marks: Marks) -> dict[str, Any]:
        """Return a hint where no argument is found."""
        verdict = self._verdict(puzzle)
        lines: list[int] = []
        sentence = "Nothing more follows: the marks so far fit multiple solutions."
        if verdict.unique and (left := {*verdict.solutions[0].edges} - {*marks.lines}):
            lines = [min(left)]
            sentence = "No short argument is known from here. This line is in the solution."
        return {"lines": lines, "crosses": [], "cells": [], "name": None, "sentence": sentence}

    def _wrong(self, puzzle: Puzzle, marks: Marks) -> dict[str, list[int]]:
        """Return the ``edges`` and the ``faces`` that are wrong."""
        verdict = self._verdict(puzzle)
        if verdict.status == "none":
            raise PuzzleError("the puzzle has no solution")
        if verdict.status == "many":
            return {"edges": self._contradiction(puzzle, marks), "faces": []}
        only = verdict.solutions[0]
        lines = {*only.edges}
        edges = sorted({*marks.lines} - lines | {*marks.crosses} & lines)
        if not puzzle.model.loop:
            return {"edges": edges, "faces": []}
        within = {*(shaded_cells(puzzle, only) if shades(type(puzzle)) else inner_faces(only))}
        faces = sorted({*marks.inside} - within | {*marks.outside} & within)
        return {"edges": edges, "faces": faces}

    def _contradiction(self, puzzle: Puzzle, marks: Marks) -> list[int]:
        """Return edges that no solution has together, as few as time allows; none if all fit."""
        masks = [solution.mask() for solution in self._verdict(puzzle).solutions]
        if any(all(mask[edge] == on for edge, on in marks.edges.items()) for mask in masks):
            return []
        # An oracle keeps all clues; a session would leave some out, and need more edges.
        with Oracle(puzzle.model) as oracle:
            verdict = oracle.core(edges=marks.edges, timeout=self._limits.conflict)
        return sorted(verdict.core_edges or {}) if verdict.status == "none" else []


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
