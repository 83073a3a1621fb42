"""What the page asks while a player solves a puzzle: its rules, whether all is right, a hint.

`Playing.answer` tells the answer in stages, as dictionaries with the key ``stage``. Every question
has ``what``, and a ``board``:

* ``rules``: the stages ``rules``, what `LinkModel` says of vertices and faces, by which the page
  knows a solution when it sees one, if these are the ``whole`` rules; ``status``: ``none``,
  ``unique`` or ``many`` solutions; and ``grade``: the label, or null;
* ``finished``: the stage of that name, with the ``faults`` of the ``lines`` as a solution, a
  sentence each;
* ``check``: the stage ``checked`` with the ``edges`` and ``faces`` that are wrong. Where there are
  several solutions, these are edges that no solution has together;
* ``hint``: ``checked`` if something is wrong, else ``hint``: the next step, with the ``name``
  of its technique, its ``sentence``, the ``lines`` and ``crosses`` that follow, and the ``cells``
  that it is about.

All but the first have the marks of the player, too: ``lines`` and ``crosses``, edges by number,
and ``inside`` and ``outside``, faces by number; in kinds with shaded cells, these are the cells
that are shaded and those that are not. At last comes ``done``; ``wrong`` says what makes no sense,
and ``late`` what took too long.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from linkoracle.board.solution import Solution
from linkoracle.core.errors import NotSupported, PuzzleError, SearchTimeout
from linkoracle.kinds import Puzzle
from linkoracle.render.figures import inner_faces
from linkoracle.sat.answers import Verdict
from linkoracle.sat.oracle import Oracle
from linkoracle.session import Session
from linkoracle.studio.boards import numbers, puzzle_of, shaded_cells, shades
from linkoracle.studio.grading import grade_in_time, told
from linkoracle.studio.limits import Limits, Tell

#: What may be asked: each is a method of `Playing`.
_QUESTIONS = ("rules", "finished", "check", "hint")
#: Seconds for a step and for a grade: a player who waits longer finds a step before.
_PATIENCE = 8.0


class Marks(NamedTuple):
    """What a player has drawn: edges and faces by number, each once."""

    lines: tuple[int, ...]
    crosses: tuple[int, ...]
    inside: tuple[int, ...]
    outside: tuple[int, ...]

    @property
    def edges(self) -> dict[int, bool]:
        """Whether the edges that are marked are lines."""
        return dict.fromkeys(self.lines, True) | dict.fromkeys(self.crosses, False)


class Playing:
    """Answers one question after the other, by a session that it keeps."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._session: Session | None = None

    def answer(self, question: object, tell: Tell) -> None:
        """Tell all that is asked. Whatever the question is, this raises nothing."""
        try:
            if not isinstance(question, dict) or question.get("what") not in _QUESTIONS:
                raise PuzzleError(f"expected one of the questions {', '.join(_QUESTIONS)}")
            puzzle = puzzle_of(question.get("board"))
            getattr(self, f"_{question['what']}")(puzzle, question, tell)
        except PuzzleError as error:
            tell({"stage": "wrong", "reason": error.reason})
        except SearchTimeout:
            tell({"stage": "late", "reason": "that takes too long to find out"})
        except NotSupported:
            tell({"stage": "late", "reason": "that is not known of such a puzzle"})
        except MemoryError:
            tell({"stage": "late", "reason": "that takes too much memory to find out"})
        tell({"stage": "done"})

    def _verdict(self, puzzle: Puzzle) -> Verdict:
        if self._session is None:
            self._session = Session(puzzle, memory=self._limits.memory, prompt=True)
        self._session.begin(puzzle)
        return self._session.ask(timeout=self._limits.status)

    def _rules(self, puzzle: Puzzle, _: dict[str, Any], tell: Tell) -> None:
        model = puzzle.model
        allowed = {"degrees": [*model.degrees], "faces": [*model.faces]}
        pairs = [*map(list, model.terminals)]
        about = {"terminals": pairs, "loop": model.loop, "whole": model.only_masks}
        tell({"stage": "rules", **allowed, **about})
        status = self._verdict(puzzle).status
        tell({"stage": "status", "status": status})
        if status == "unique":
            grade = grade_in_time(puzzle, _PATIENCE)
            tell({"stage": "grade", "label": grade and grade.label})

    def _finished(self, puzzle: Puzzle, question: dict[str, Any], tell: Tell) -> None:
        lines = marks_of(puzzle, question).lines
        tell({"stage": "finished", "faults": puzzle.violations(Solution(puzzle.board, lines))})

    def _check(self, puzzle: Puzzle, question: dict[str, Any], tell: Tell) -> None:
        tell({"stage": "checked", **self._wrong(puzzle, marks_of(puzzle, question))})

    def _hint(self, puzzle: Puzzle, question: dict[str, Any], tell: Tell) -> None:
        marks = marks_of(puzzle, question)
        wrong = self._wrong(puzzle, marks)
        if any(wrong.values()):
            tell({"stage": "checked", **wrong})
            return
        assert self._session is not None
        step = self._session.hint(marks.edges, timeout=_PATIENCE)
        found = told(puzzle, step) if step else self._without_a_step(puzzle, marks)
        tell({"stage": "hint", **found})

    def _without_a_step(self, puzzle: Puzzle, marks: Marks) -> dict[str, Any]:
        """What to say where no argument is found."""
        verdict = self._verdict(puzzle)
        lines: list[int] = []
        sentence = "Nothing more follows: choose one of the ways that are left."
        if verdict.unique and (left := {*verdict.solutions[0].edges} - {*marks.lines}):
            lines = [min(left)]
            sentence = "No short argument is known from here. This line is in the solution."
        return {"lines": lines, "crosses": [], "cells": [], "name": None, "sentence": sentence}

    def _wrong(self, puzzle: Puzzle, marks: Marks) -> dict[str, list[int]]:
        """The ``edges`` and the ``faces`` that are wrong."""
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
        """Edges that no solution has together, as few as time allows; none if all fit."""
        masks = [solution.mask() for solution in self._verdict(puzzle).solutions]
        if any(all(mask[edge] == on for edge, on in marks.edges.items()) for mask in masks):
            return []
        # All clues hold: a session would leave some out, and need more edges.
        with Oracle(puzzle.model) as oracle:
            verdict = oracle.core(edges=marks.edges, timeout=self._limits.conflict)
        return sorted(verdict.core_edges or {}) if verdict.status == "none" else []


def marks_of(puzzle: Puzzle, question: dict[str, Any]) -> Marks:
    """The marks of a question; `PuzzleError` for what is none."""
    board = puzzle.board
    faces = puzzle.rows * puzzle.cols if shades(type(puzzle)) else board.num_faces
    marks = Marks(
        *(numbers(question.get(name), name, board.num_edges) for name in ("lines", "crosses")),
        *(numbers(question.get(name), name, faces) for name in ("inside", "outside")),
    )
    if {*marks.lines} & {*marks.crosses} or {*marks.inside} & {*marks.outside}:
        raise PuzzleError("expected each edge and each face to be marked once")
    return marks
