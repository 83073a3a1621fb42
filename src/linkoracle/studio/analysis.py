"""The analysis of a board for the page, in stages: the quick ones first.

`BoardAnalysis.answer` reports each stage as a dictionary with the key ``stage``:

* ``status``: ``none``, ``unique`` or ``many`` solutions, and the only solution as ``lines``, with
  the cells that are ``shaded`` then;
* ``forced``: the edges that all solutions have (``lines``), and that none has (``crosses``). Of
  several solutions also the faces that lie ``inside`` all loops, or ``outside``; in kinds that
  shade cells, those that all solutions shade (``shaded``), or visit by different lines
  (``visited``);
* ``count``: how many solutions, as a string since it may be long; ``exact`` unless time ran out;
* ``shares``: for each open edge how many solutions have it;
* ``values``: for cells how many solutions each clue would leave, ``"20+"`` for at least 20; as a
  list by number, or an object by clue. The cell that is selected comes first;
* ``grade``: of a puzzle with one solution, its ``label``, ``score``, number of ``steps``, ``depth``
  of guesses, and ``looks``;
* ``redundant``: the clues that follow from the others, each by itself;
* ``conflict``: the ``cells`` of clues that contradict each other, with the last edit where
  possible; ``minimal`` if all are needed, ``smallest`` if no fewer contradict each other. A second
  ``conflict`` has fewer clues than the first;
* ``why``: another ``reason`` why there is no solution;
* ``late``: a stage given up because it took too long or too much memory;
* ``wrong``: the reason why the board is not a puzzle yet, and the ``borders`` that close no region;
* ``done``: the answer is complete.

Edges are numbers of the board; cells are numbers in reading order, or of its faces. A board may
name the ``cell`` that is selected, and the cells that were ``edited`` last. If only the cell
differs from the last query, earlier results are reported again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from linkoracle.board import HOLE, Solution
from linkoracle.core import Deadline, MemoryLimit, NotSupported, PuzzleError, SearchTimeout
from linkoracle.engines import Cell, Verdict
from linkoracle.kinds import Puzzle, cell_named, empty_cells
from linkoracle.session import Session
from linkoracle.solving import diagram, solutions
from linkoracle.studio.boards import numbers, places, puzzle_of, shaded_cells, shades
from linkoracle.studio.clues import can_go, forms
from linkoracle.studio.tasks import Limits, Report

if TYPE_CHECKING:
    from linkoracle.frontier import Diagram

#: Most solutions that are listed one by one; a diagram counts larger numbers.
_MAX_LISTED = 1000
#: Most solutions whose lines around each face are counted one by one.
_MAX_UNROLLED = 200_000
#: Seconds between two progress reports.
_TICK_SECONDS = 0.2
#: Seconds to decide whether clues of the selected cell leave solutions, and to count those that one
#: clue leaves; most solutions that are listed where the count does not end in time.
_CELL_SECONDS, _CLUE_SECONDS, _MAX_ROUGH = 0.15, 0.1, 1000
#: Most numbers that are tried as clues of one cell.
_MAX_NUMBERS = 10


class BoardAnalysis:
    """Analyse one board after another in a session that stays open.

    Where clues are on faces, the next query is fast if only clues have changed.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._session: Session | None = None
        self._stages: _Stages | None = None

    def answer(self, board: Any, report: Report) -> None:
        """Analyse a board, stage by stage. Raise nothing, whatever the board is."""
        try:
            puzzle = puzzle_of(board)
            cells = range(len(_named(puzzle)))
            edited = numbers(board.get("edited"), "edited", len(cells))
            cell = board.get("cell")
            cell = cell if type(cell) is int and cell in cells else None
        except PuzzleError as error:
            about = {"cell": error.cell, "borders": getattr(error, "borders", [])}
            report({"stage": "wrong", "reason": error.reason, **about})
            return
        if self._session is None:
            self._session = Session(puzzle, memory=self._limits.memory, prompt=True)
        if self._stages is None or self._stages.puzzle != puzzle:
            self._session.begin(puzzle)
            self._stages = _Stages(self._session, self._limits)
        self._stages.all(report, cell, edited)
        report({"stage": "done"})


class _Stages:
    """A puzzle, and the stages of its analysis: each is computed once."""

    def __init__(self, session: Session, limits: Limits) -> None:
        self._session, self._limits = session, limits
        self.puzzle, self._board = session.puzzle, session.puzzle.board
        self._counts_lines = self.puzzle.counts_lines and not self.puzzle.through_cells
        self._cells = _named(self.puzzle)
        self._report: Report = lambda _: None
        #: The result of each finished stage, and its events.
        self._found: dict[str, tuple[Any, list[dict[str, Any]]]] = {}
        self._events: list[dict[str, Any]] = []
        #: By the number of the cell: how many solutions each clue leaves, as far as known.
        self._values: dict[int, dict[Any, str]] = {}

    def all(self, report: Report, cell: int | None, edited: tuple[int, ...]) -> None:
        """Report all stages, those about this cell first."""
        self._report = report
        verdict = self._in_time("status", self._status)
        if verdict is None:
            return
        if cell is not None:
            self._report_values([cell], Deadline(_CELL_SECONDS))
        if verdict.status == "none":
            self._in_time("conflict", lambda: self._conflict(edited))
            return
        self._in_time("forced", lambda: self._forced(verdict))
        if verdict.status == "unique":
            self._report({"stage": "count", "count": "1", "exact": True})
            if self._session.clues and can_go(type(self.puzzle)):
                self._in_time("redundant", self._redundant)
            if self._limits.grade:
                self._in_time("grade", lambda: self._grade(verdict.solutions[0]))
            return
        total = self._in_time("count", self._count)
        if cell is not None:
            self._report_values([cell], Deadline(None), _CLUE_SECONDS)
        if total is not None and self._in_time("shares", lambda: self._shares(total)):
            return
        if self._counts_lines:
            self._values_one_by_one(cell)

    def _in_time(self, stage: str, work: Callable[[], Any]) -> Any:
        """Return the result of a stage; report ``late`` and return ``None`` if a limit ends it."""
        if stage in self._found:
            found, events = self._found[stage]
            for event in events:
                self._report(event)
            return found
        found, self._events = None, []
        try:
            found = work()
        except SearchTimeout:
            seconds = getattr(self._limits, stage)
            self._keep({"stage": "late", "of": stage, "reason": f"given up after {seconds:g} s"})
        except MemoryError:
            self._keep({"stage": "late", "of": stage, "reason": "it takes too much memory"})
        except NotSupported:
            self._keep({"stage": "late", "of": stage, "reason": "not available for this kind"})
        self._found[stage] = found, self._events
        return found

    def _keep(self, event: dict[str, Any]) -> None:
        """Report an event, and keep it for the next query about this stage."""
        self._events.append(event)
        self._report(event)

    def _status(self) -> Verdict:
        verdict = self._session.ask(timeout=self._limits.status)
        about: dict[str, Any] = {"lines": None, "shaded": []}
        if verdict.unique:
            (only,) = verdict.solutions
            about = {"lines": list(only.edges), "shaded": shaded_cells(self.puzzle, only)}
        self._keep({"stage": "status", "status": verdict.status, **about})
        return verdict

    def _forced(self, verdict: Verdict) -> None:
        found = self._session.forced(timeout=self._limits.forced)
        kept = ("lines", "crosses", "whole")
        event: dict[str, Any] = {name: getattr(found, name) for name in kept}
        if verdict.status == "many":
            # Shading and sides say nothing new of the only solution, which is drawn.
            first, missed = verdict.solutions[0], {*found.missed}
            shaded = [cell for cell in shaded_cells(self.puzzle, first) if cell in missed]
            if shades(type(self.puzzle)):
                passed = {end for edge in found.lines for end in self._board.ends(edge)}
                visited = [cell for cell in found.visited if cell not in passed]
                event |= {"shaded": shaded, "visited": visited}
            else:
                event |= {"inside": found.inside, "outside": found.outside}
        self._keep({"stage": "forced", **event})

    def _count(self) -> int | None:
        since = time.monotonic()

        def progress(_: str, share: float | None) -> None:
            nonlocal since
            if time.monotonic() - since > _TICK_SECONDS:
                since = time.monotonic()
                self._report({"stage": "counting", "share": share})

        exact, seen, limit = False, 2, self._limits.solutions
        try:
            found = self._session.count(limit=limit, timeout=self._limits.count, progress=progress)
            exact, seen = found.exact, found.count
        except SearchTimeout as error:
            seen = max(seen, error.found)
        except MemoryLimit:
            pass
        self._keep({"stage": "count", "count": str(seen), "exact": exact})
        return seen if exact else None

    def _shares(self, total: int) -> bool:
        """Report edge frequencies and what clues would leave; false if the latter is unknown."""
        left: list[list[int]] | None
        if total <= _MAX_LISTED:
            uses, left = self._listed(total)
        else:
            every = diagram(self.puzzle, timeout=self._limits.shares, memory=self._limits.memory)
            uses = [int(share * total) for share in every.edge_frequencies().values()]
            left = self._left_in(every) if total <= _MAX_UNROLLED else None
        lines, crosses = (
            [edge for edge, used in enumerate(uses) if used == all_or_none]
            for all_or_none in (total, 0)
        )
        self._keep({"stage": "forced", "lines": lines, "crosses": crosses, "whole": True})
        some: list[Any] = [[edge, str(used)] for edge, used in enumerate(uses) if 0 < used < total]
        self._keep({"stage": "shares", "total": str(total), "uses": some})
        if left is None:
            return False
        if self._counts_lines:
            values: list[Any] = [[face, [*map(str, left[face])]] for face in self._blank()]
            self._keep({"stage": "values", "values": values})
            self._values |= {face: dict(enumerate(counts)) for face, counts in values}
        return True

    def _listed(self, total: int) -> tuple[list[int], list[list[int]]]:
        """Count the solutions with each edge, and with each number of lines around each face."""
        uses = [0] * self._board.num_edges
        left = [[0] * (len(sides) + 1) for sides in self._faces()]
        found = solutions(self.puzzle, timeout=self._limits.shares, memory=self._limits.memory)
        for solution in islice(found, total):
            for edge in solution.edges:
                uses[edge] += 1
            for face, around in enumerate(solution.counts()):
                left[face][around] += 1
        return uses, left

    def _left_in(self, every: Diagram) -> list[list[int]]:
        """Count the solutions of a diagram with each number of lines around each face."""
        import numpy as np

        deadline, faces = Deadline(self._limits.shares), self._faces()
        left = [np.zeros(len(sides) + 1, dtype=np.int64) for sides in faces]
        for masks in every.masks():
            deadline.check()
            for sides, counts in zip(faces, left, strict=True):
                counts += np.bincount(masks[:, sides].sum(axis=1), minlength=len(counts))
        return [counts.tolist() for counts in left]

    def _faces(self) -> list[Any]:
        """Return the edges around each face."""
        return [*map(self._board.edges_of, range(self._board.num_faces))]

    def _blank(self) -> list[int]:
        """Return the cells without a clue."""
        return places(self.puzzle, empty_cells(self.puzzle))

    def _values_one_by_one(self, cell: int | None) -> None:
        """Report what each clue would leave, where there are too many solutions to list.

        The first pass over the empty cells, those near ``cell`` first, decides between none, one
        and several; the second one counts.
        """
        deadline = Deadline(self._limits.values)
        blank = self._blank()
        if cell is not None:
            blank.sort(key=lambda one: math.dist(self._cells[one], self._cells[cell]))
        self._report_values(blank, deadline)
        self._report_values(blank, deadline, self._limits.values / 5)

    def _report_values(
        self, cells: Iterable[int], deadline: Deadline, seconds: float | None = None
    ) -> None:
        """Report what clues would leave in these cells: none, one or several solutions.

        With ``seconds`` for each clue, report their number, or a lower bound if time runs out.
        """
        values, since = dict[int, Any](), time.monotonic()
        for cell in cells:
            clues = self._clues_for(cell)
            known = self._values.setdefault(cell, {})
            for clue in clues:
                if clue not in known or (seconds is not None and known[clue][-1] == "+"):
                    with suppress(SearchTimeout, MemoryError):
                        known[clue] = self._left(self._cells[cell], clue, deadline, seconds)
                by_number = [known.get(one, "") for one in clues]
                values[cell] = by_number if self._counts_lines else dict(known)
                if time.monotonic() - since > _TICK_SECONDS:
                    self._report({"stage": "values", "values": [*map(list, values.items())]})
                    values, since = {}, time.monotonic()
        if values:
            self._report({"stage": "values", "values": [*map(list, values.items())]})

    def _left(self, cell: Cell, clue: Any, deadline: Deadline, seconds: float | None) -> str:
        """Return how many solutions a clue leaves, as the page shows it: see `_report_values`."""
        deadline.check()
        try:
            if seconds is None:
                status = self._session.ask({cell: clue}, timeout=deadline.left).status
                return {"none": "0", "unique": "1", "many": "2+"}[status]
            limits = Deadline(min(seconds, deadline.seconds))
            return str(self._session.count({cell: clue}, timeout=limits.left).count)
        except SearchTimeout as error:
            if seconds is None:
                raise
            found = max(2, error.found)
        except PuzzleError:
            return "0"
        with suppress(SearchTimeout):
            listed = self._session.ask({cell: clue}, limit=_MAX_ROUGH, timeout=_CLUE_SECONDS)
            found = max(found, len(listed.solutions))
        return f"{found}+"

    def _clues_for(self, cell: int) -> list[Any]:
        """Return the clues that a cell may have, if they are few."""
        if self._counts_lines:
            return [*range(len(self._board.edges_of(cell)) + 1)]
        found = forms(type(self.puzzle)) if self.puzzle.variant == "loop" else {}
        whole = [one.get("clue", form) for form, one in found.items() if "#" not in form]
        least, most = (found.get("#", {}).get(name) for name in ("least", "most"))
        if least is not None and most is not None and most - least < _MAX_NUMBERS:
            whole += range(least, most + 1)
        return whole

    def _redundant(self) -> None:
        cells = self._session.redundant(timeout=self._limits.redundant)
        self._keep({"stage": "redundant", "cells": places(self.puzzle, cells)})

    def _grade(self, solution: Solution) -> None:
        # Loaded only once a puzzle has one solution.
        from linkoracle.studio.puzzle_tasks import graded

        self._keep({"stage": "grade", **graded(self.puzzle, solution, self._limits.grade)})

    def _conflict(self, edited: tuple[int, ...]) -> None:
        """Report the fewest clues that contradict each other, as far as time permits."""
        if (why := numberless(self.puzzle) or uneven(self.puzzle)) is not None:
            self._keep({"stage": "why", "reason": why})
            return

        def show(found: Verdict) -> None:
            if found.core is not None:
                self._events = []
                proven = {"minimal": found.core_minimal, "smallest": found.core_smallest}
                cells = places(self.puzzle, sorted(found.core))
                self._keep({"stage": "conflict", "cells": cells, **proven})

        containing = [self._cells[cell] for cell in edited]
        limit = self._limits.conflict
        show(self._session.core(containing=containing, preview=show, timeout=limit))


def _named(puzzle: Puzzle) -> list[Cell]:
    """Return the cells of a puzzle as a session names them, in the order of their numbers."""
    return [*map(cell_named, puzzle.faces.face_names)]


def numberless(puzzle: Puzzle) -> str | None:
    """Say why a puzzle of pairs without numbers has no solution; ``None`` for all others.

    >>> from linkoracle import Numberlink
    >>> numberless(Numberlink.blank(2, 2)), numberless(Numberlink([[1, 1]]))
    ('there are no numbers to join yet', None)
    """
    empty = puzzle.unit == "pairs" and not puzzle.number_of_clues
    return "there are no numbers to join yet" if empty else None


def uneven(puzzle: Puzzle) -> str | None:
    """Say why no loop passes through all cells or dots; ``None`` if as many are black as white.

    Each step of a loop joins two of different colours of a chessboard.

    >>> from linkoracle import SimpleLoop
    >>> uneven(SimpleLoop.from_holes(2, 2, [(0, 0)]))
    '2 cells are black on a chessboard and 1 white, and a loop passes through as many of both'
    """
    model = puzzle.model
    if model.is_balanced or not model.loop or (sides := model.board.sides) is None:
        return None
    passed = [side for side, degree in zip(sides, model.degrees, strict=True) if degree != HOLE]
    fewer, more = sorted((passed.count(0), passed.count(1)))
    places = "cells" if puzzle.through_cells else "dots"
    return (
        f"{more} {places} are black on a chessboard and {fewer} white, "
        "and a loop passes through as many of both"
    )
