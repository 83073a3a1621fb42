"""What the page asks about a board, answered in stages: the quick ones first.

`Questions.answer` tells each stage as a dictionary with the key ``stage``:

* ``status``: ``none``, ``unique`` or ``many`` solutions, and the only solution as ``lines``, with
  the cells that are ``shaded`` then;
* ``forced``: the edges that all solutions have (``lines``), and that none has (``crosses``);
* ``count``: how many solutions, as a string since it may be long; ``exact`` unless time ran out;
* ``shares``: for each open edge how many solutions have it;
* ``values``: for empty cells how many solutions each clue would leave;
* ``grade``: of a puzzle with one solution, its ``label``, ``score``, number of ``steps``, ``depth``
  of guesses, and ``looks``;
* ``redundant``: the clues that follow from the others, each by itself;
* ``conflict``: the ``cells`` of clues that contradict each other; ``minimal`` if all are needed for
  that, which may take too long to find out;
* ``why``: another ``reason`` why there is no solution;
* ``late``: what was given up, since it took too long or too much memory;
* ``wrong``: the board is no puzzle yet, with the reason, and the ``borders`` that close no region;
  ``done``: all is told.

Edges are numbers of the lattice, cells are numbers in reading order.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice
from typing import Any

from linkoracle.board.solution import Solution
from linkoracle.core.errors import MemoryLimit, NotSupported, PuzzleError, SearchTimeout
from linkoracle.core.limits import Deadline
from linkoracle.kinds.puzzle import empty_cells
from linkoracle.sat.answers import Verdict
from linkoracle.session import Session
from linkoracle.solving import diagram, solutions
from linkoracle.studio.boards import places, puzzle_of, shaded_cells
from linkoracle.studio.clues import can_go
from linkoracle.studio.limits import Limits, Tell
from linkoracle.studio.reasons import numberless, uneven

#: How many solutions have each edge, and each number of lines around each face.
_Sums = tuple[list[int], list[list[int]]]

#: Up to so many solutions are listed one by one; of more, the diagram is asked.
_LISTED = 1000
#: Up to so many solutions are looked at one by one for what clues would leave of them.
_UNROLLED = 200_000
#: Seconds between two signs that something goes on.
_TICK = 0.2


class Questions:
    """Answers questions about one board after the other, by a session that it keeps.

    Where clues stand on faces, the next question is cheap when only clues have changed.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._session: Session | None = None

    def answer(self, board: object, tell: Tell) -> None:
        """Tell all about a board, stage by stage. Whatever the board is, this raises nothing."""
        try:
            puzzle = puzzle_of(board)
        except PuzzleError as error:
            about = {"cell": error.cell, "borders": getattr(error, "borders", [])}
            tell({"stage": "wrong", "reason": error.reason, **about})
            return
        if self._session is None:
            self._session = Session(puzzle, memory=self._limits.memory, prompt=True)
        self._session.begin(puzzle)
        _Asked(self._session, self._limits, tell).all()
        tell({"stage": "done"})


class _Asked:
    """One question: a puzzle, and the stages of the answer."""

    def __init__(self, session: Session, limits: Limits, tell: Tell) -> None:
        self._session, self._limits, self._tell = session, limits, tell
        self._puzzle, self._lattice = session.puzzle, session.puzzle.lattice

    def all(self) -> None:
        verdict = self._in_time("status", self._status)
        if verdict is None:
            return
        if verdict.status == "none":
            self._in_time("conflict", self._conflict)
            return
        self._in_time("forced", self._forced)
        if verdict.status == "unique":
            self._tell({"stage": "count", "count": "1", "exact": True})
            if self._session.clues and can_go(type(self._puzzle)):
                self._in_time("redundant", self._redundant)
            if self._limits.grade:
                self._in_time("grade", lambda: self._grade(verdict.solutions[0]))
            return
        total = self._in_time("count", self._count)
        if total is None:
            return
        if total > _UNROLLED:
            self._in_time("shares", lambda: self._shares_by_diagram(total))
            if not self._puzzle.through_cells:
                self._in_time("values", self._values_one_by_one)
        else:
            self._in_time("shares", lambda: self._from_all_solutions(total))

    def _in_time(self, stage: str, work: Callable[[], Any]) -> Any:
        """What a stage finds; ``None``, which is told, when time or memory does not suffice."""
        try:
            return work()
        except SearchTimeout:
            seconds = getattr(self._limits, stage)
            self._tell({"stage": "late", "of": stage, "reason": f"given up after {seconds:g} s"})
        except MemoryError:
            self._tell({"stage": "late", "of": stage, "reason": "it takes too much memory"})
        except NotSupported:
            self._tell({"stage": "late", "of": stage, "reason": "not known of such a puzzle"})
        return None

    def _status(self) -> Verdict:
        verdict = self._session.ask(timeout=self._limits.status)
        about: dict[str, Any] = {"lines": None, "shaded": []}
        if verdict.unique:
            (only,) = verdict.solutions
            about = {"lines": list(only.edges), "shaded": shaded_cells(self._puzzle, only)}
        self._tell({"stage": "status", "status": verdict.status, **about})
        return verdict

    def _forced(self) -> None:
        found = self._session.forced(timeout=self._limits.forced)
        self._tell({"stage": "forced", **found._asdict()})

    def _count(self) -> int | None:
        told = time.monotonic()

        def going(_: str, share: float | None) -> None:
            nonlocal told
            if time.monotonic() - told > _TICK:
                told = time.monotonic()
                self._tell({"stage": "counting", "share": share})

        total, seen, limit = None, 2, self._limits.solutions
        try:
            found = self._session.count(limit=limit, timeout=self._limits.count, progress=going)
            total, seen = (found.count if found.exact else None), found.count
        except SearchTimeout as error:
            seen = max(seen, error.found)
        except MemoryLimit:
            pass
        exact = total is not None
        self._tell({"stage": "count", "count": str(total if exact else seen), "exact": exact})
        return total

    def _tell_shares(self, uses: list[int], total: int, offered: bool) -> None:
        lines, crosses = (
            [edge for edge, used in enumerate(uses) if used == all_or_none]
            for all_or_none in (total, 0)
        )
        self._tell({"stage": "forced", "lines": lines, "crosses": crosses, "whole": True})
        told = [[edge, str(used)] for edge, used in enumerate(uses) if 0 < used < total]
        self._tell({"stage": "shares", "total": str(total), "uses": told, "values": offered})

    def _shares_by_diagram(self, total: int) -> None:
        every = diagram(
            self._puzzle, timeout=self._limits.shares, memory=self._limits.memory
        ).edge_shares()
        uses = [int(share * total) for share in every.values()]
        self._tell_shares(uses, total, not self._puzzle.through_cells)

    def _from_all_solutions(self, total: int) -> None:
        """Shares, and what clues would leave, from a look at every solution."""
        uses, left = self._listed(total) if total <= _LISTED else self._in_diagram()
        by_face = not self._puzzle.through_cells
        self._tell_shares(uses, total, by_face)
        if by_face:
            blank = places(self._puzzle, empty_cells(self._puzzle))
            told = [[face, [*map(str, left[face])]] for face in blank]
            self._tell({"stage": "values", "values": told, "whole": True})

    def _listed(self, total: int) -> _Sums:
        """Sums over solutions that are listed."""
        seconds, memory = self._limits.shares, self._limits.memory
        uses = [0] * self._lattice.num_edges
        left = [[0] * 5 for _ in range(self._lattice.num_faces)]
        found = solutions(self._puzzle, timeout=seconds, memory=memory)
        for solution in islice(found, total):
            for edge in solution.edges:
                uses[edge] += 1
            for face, around in enumerate(solution.counts()):
                left[face][around] += 1
        return uses, left

    def _in_diagram(self) -> _Sums:
        """Sums over the solutions in a diagram."""
        import numpy as np

        seconds, memory = self._limits.shares, self._limits.memory
        deadline = Deadline(seconds)
        uses = np.zeros(self._lattice.num_edges, dtype=np.int64)
        faces = self._lattice.face_edges
        left = np.zeros((len(faces), 5), dtype=np.int64)
        for masks in diagram(self._puzzle, timeout=seconds, memory=memory).masks():
            deadline.check()
            uses += masks.sum(axis=0)
            around = masks[:, faces].sum(axis=2)
            for value in range(5):
                left[:, value] += (around == value).sum(axis=0)
        return uses.tolist(), left.tolist()

    def _values_one_by_one(self) -> None:
        """What each clue would leave, where solutions are too many to look at each."""
        deadline = Deadline(self._limits.values)
        told, since = [], time.monotonic()
        blank = empty_cells(self._puzzle)
        for face, cell in zip(places(self._puzzle, blank), blank, strict=True):
            count = self._session.count
            counts = (count({cell: value}, timeout=deadline.left).count for value in range(5))
            told.append([face, [*map(str, counts)]])
            whole = cell == blank[-1]
            if whole or time.monotonic() - since > _TICK:
                self._tell({"stage": "values", "values": told, "whole": whole})
                told, since = [], time.monotonic()

    def _redundant(self) -> None:
        cells = self._session.redundant(timeout=self._limits.redundant)
        self._tell({"stage": "redundant", "cells": places(self._puzzle, cells)})

    def _grade(self, solution: Solution) -> None:
        # Only who comes to a puzzle with one solution waits for this to load.
        from linkoracle.studio.grading import graded

        self._tell({"stage": "grade", **graded(self._puzzle, solution, self._limits.grade)})

    def _conflict(self) -> None:
        """Clues that contradict each other, all of which are needed for that if time suffices."""
        if (why := numberless(self._puzzle) or uneven(self._puzzle)) is not None:
            self._tell({"stage": "why", "reason": why})
            return
        found = self._session.core(timeout=self._limits.conflict)
        if found.core is not None:
            cells = places(self._puzzle, sorted(found.core))
            self._tell({"stage": "conflict", "cells": cells, "minimal": found.core_minimal})
