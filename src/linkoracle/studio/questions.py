"""What the page asks about a board, answered in stages: the quick ones first.

`Questions.answer` tells each stage as a dictionary with the key ``stage``:

* ``status``: ``none``, ``unique`` or ``many`` solutions, and the only solution as ``lines``;
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
* ``wrong``: the board is no puzzle yet, with the reason; ``done``: all is told.

Edges are numbers of the lattice, cells are numbers in reading order.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.solution import Solution
from linkoracle.core.errors import MemoryLimit, PuzzleError, SearchTimeout
from linkoracle.core.limits import Deadline
from linkoracle.kinds import Puzzle
from linkoracle.kinds.puzzle import empty_cells
from linkoracle.sat.answers import Cell, Clue, Verdict
from linkoracle.sat.cores import minimal_core
from linkoracle.session import Session
from linkoracle.solving import certify, diagram, solutions, tally
from linkoracle.studio.boards import places, puzzle_of
from linkoracle.studio.limits import Limits, Tell
from linkoracle.studio.reasons import hindering, numberless, uneven

#: Chosen edges: a row for each solution, a column for each edge.
_Masks = NDArray[np.bool_]

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
            tell({"stage": "wrong", "reason": error.reason, "cell": error.cell})
            return
        if self._session is None:
            self._session = Session(puzzle, prompt=True)
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
            if self._puzzle.through_cells:
                self._in_time("conflict", self._reasons)
            else:
                self._in_time("conflict", lambda: self._conflict(verdict))
            return
        self._in_time("forced", lambda: self._forced(verdict))
        if verdict.status == "unique":
            self._tell({"stage": "count", "count": "1", "exact": True})
            if self._session.clues:
                self._in_time("redundant", self._redundant)
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
        return None

    def _status(self) -> Verdict:
        seconds = self._limits.status
        if self._puzzle.through_cells:
            verdict = certify(self._puzzle, timeout=seconds, memory=self._limits.memory)
        else:
            verdict = self._session.ask(timeout=seconds)
        only = list(verdict.solutions[0].edges) if verdict.status == "unique" else None
        self._tell({"stage": "status", "status": verdict.status, "lines": only})
        return verdict

    def _forced(self, verdict: Verdict) -> None:
        """The edges on which all solutions agree: each that is left is asked for the opposite."""
        deadline = Deadline(self._limits.forced)
        masks = [solution.mask() for solution in verdict.solutions]
        always, ever = np.logical_and.reduce(masks), np.logical_or.reduce(masks)
        proven = np.full(len(always), verdict.unique)
        whole = True
        try:
            for edge in range(len(always)):
                if proven[edge] or always[edge] != ever[edge]:
                    continue
                other = self._session.solution({edge: not always[edge]}, timeout=deadline.left)
                if other is None:
                    proven[edge] = True
                else:
                    always, ever = always & other.mask(), ever | other.mask()
        except SearchTimeout:
            whole = False
        self._tell_forced(proven & always, proven & ~ever, whole)

    def _tell_forced(self, lines: NDArray[Any], crosses: NDArray[Any], whole: bool) -> None:
        edges = {"lines": lines, "crosses": crosses}
        told = {name: np.flatnonzero(found).tolist() for name, found in edges.items()}
        self._tell({"stage": "forced", **told, "whole": whole})

    def _count(self) -> int | None:
        told = time.monotonic()

        def going(_: str, share: float | None) -> None:
            nonlocal told
            if time.monotonic() - told > _TICK:
                told = time.monotonic()
                self._tell({"stage": "counting", "share": share})

        total, seen = None, 2
        try:
            total = self._tally(self._puzzle, self._limits.count, progress=going)
        except SearchTimeout as error:
            seen = max(seen, error.found)
        except MemoryLimit:
            pass
        exact = total is not None
        self._tell({"stage": "count", "count": str(total if exact else seen), "exact": exact})
        return total

    def _tally(self, puzzle: Puzzle, timeout: float | None, **how: Any) -> int:
        return tally(puzzle, timeout=timeout, memory=self._limits.memory, **how).count

    def _tell_shares(self, uses: list[int], total: int, offered: bool) -> None:
        chosen = np.array([used == total for used in uses])
        never = np.array([used == 0 for used in uses])
        self._tell_forced(chosen, never, True)
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
        uses = np.zeros(self._lattice.num_edges, dtype=np.int64)
        faces = self._lattice.face_edges
        left = np.zeros((len(faces), 5), dtype=np.int64)
        by_face = not self._puzzle.through_cells
        for masks in self._masks(total):
            uses += masks.sum(axis=0)
            if by_face:
                around = masks[:, faces].sum(axis=2)
                for value in range(5):
                    left[:, value] += (around == value).sum(axis=0)
        self._tell_shares(uses.tolist(), total, by_face)
        if by_face:
            blank = places(self._puzzle, empty_cells(self._puzzle))
            told = [[face, [*map(str, left[face].tolist())]] for face in blank]
            self._tell({"stage": "values", "values": told, "whole": True})

    def _masks(self, total: int) -> Iterator[_Masks]:
        seconds, memory = self._limits.shares, self._limits.memory
        if total > _LISTED:
            deadline = Deadline(seconds)
            for batch in diagram(self._puzzle, timeout=seconds, memory=memory).masks():
                deadline.check()
                yield batch
            return
        found: Iterable[Solution] = solutions(self._puzzle, timeout=seconds, memory=memory)
        yield np.array([solution.mask() for solution in islice(found, total)])

    def _values_one_by_one(self) -> None:
        """What each clue would leave, where solutions are too many to look at each."""
        deadline = Deadline(self._limits.values)
        told, since = [], time.monotonic()
        blank = empty_cells(self._puzzle)
        for face, cell in zip(places(self._puzzle, blank), blank, strict=True):
            tried = (self._puzzle.with_clues({cell: value}) for value in range(5))
            counts = [str(self._tally(puzzle, deadline.left)) for puzzle in tried]
            told.append([face, counts])
            whole = cell == blank[-1]
            if whole or time.monotonic() - since > _TICK:
                self._tell({"stage": "values", "values": told, "whole": whole})
                told, since = [], time.monotonic()

    def _redundant(self) -> None:
        deadline = Deadline(self._limits.redundant)
        implies = self._session.implies
        cells = [one for one in self._session.clues if implies(one, timeout=deadline.left)]
        self._tell({"stage": "redundant", "cells": places(self._puzzle, cells)})

    def _reasons(self) -> None:
        """Why lines through cells have no solution, where something is found."""
        if (why := numberless(self._puzzle) or uneven(self._puzzle)) is not None:
            self._tell({"stage": "why", "reason": why})
            return
        found = hindering(self._puzzle, self._limits.conflict, self._limits.memory)
        if found is not None:
            self._tell({"stage": "conflict", "cells": found[0], "minimal": found[1]})

    def _grade(self, solution: Solution) -> None:
        # Only who comes to a puzzle with one solution waits for this to load.
        from linkoracle.studio.grading import graded

        self._tell({"stage": "grade", **graded(self._puzzle, solution, self._limits.grade)})

    def _conflict(self, verdict: Verdict) -> None:
        """Clues that contradict each other, all of which are needed for that if time suffices."""
        deadline = Deadline(self._limits.conflict)

        def contradiction(clues: dict[Cell, Clue]) -> dict[Cell, Clue] | None:
            answer = self._session.contradiction_within(deadline, clues, {})
            return None if answer is None else dict(answer.core or {})

        core, minimal = minimal_core(dict(verdict.core or {}), contradiction)
        cells = places(self._puzzle, sorted(core))
        self._tell({"stage": "conflict", "cells": cells, "minimal": minimal})
