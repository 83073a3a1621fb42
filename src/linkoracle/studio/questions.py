"""What the page asks about a board, answered in stages: the quick ones first.

`Questions.answer` tells each stage as a dictionary with the key ``stage``:

* ``status``: ``none``, ``unique`` or ``many`` solutions, and the only solution as ``lines``, with
  the cells that are ``shaded`` then;
* ``forced``: the edges that all solutions have (``lines``), and that none has (``crosses``);
* ``count``: how many solutions, as a string since it may be long; ``exact`` unless time ran out;
* ``shares``: for each open edge how many solutions have it;
* ``values``: for cells how many solutions each clue would leave, ``"20+"`` for at least 20; as a
  list by number, or an object by clue. The cell that is selected comes first;
* ``grade``: of a puzzle with one solution, its ``label``, ``score``, number of ``steps``, ``depth``
  of guesses, and ``looks``;
* ``redundant``: the clues that follow from the others, each by itself;
* ``conflict``: the ``cells`` of clues that contradict each other, with the last edit if there are
  such; ``minimal`` if all are needed for that, ``smallest`` if no fewer are enough. It may come
  twice: fewer were found;
* ``why``: another ``reason`` why there is no solution;
* ``late``: what was given up, since it took too long or too much memory;
* ``wrong``: the board is no puzzle yet, with the reason, and the ``borders`` that close no region;
  ``done``: all is told.

Edges are numbers of the board, cells are numbers in reading order, or of its faces. A board may say
the ``cell`` that is selected, and those that were ``edited`` last. If only the cell differs from
the last question, what was found out before is told again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import HOLE, PASS
from linkoracle.board.solution import Solution
from linkoracle.core.errors import MemoryLimit, NotSupported, PuzzleError, SearchTimeout
from linkoracle.core.limits import Deadline
from linkoracle.kinds import Puzzle
from linkoracle.kinds.puzzle import empty_cells
from linkoracle.sat.answers import Cell, Verdict
from linkoracle.session import Session
from linkoracle.solving import diagram, solutions
from linkoracle.studio.boards import numbers, places, puzzle_of, shaded_cells
from linkoracle.studio.clues import can_go, forms
from linkoracle.studio.limits import Limits, Tell

if TYPE_CHECKING:
    from linkoracle.frontier import Diagram

#: Up to so many solutions are listed one by one; of more, the diagram is asked.
_LISTED = 1000
#: Up to so many solutions are looked at one by one for what clues would leave of them.
_UNROLLED = 200_000
#: Seconds between two signs that something goes on.
_TICK = 0.2
#: Seconds for whether clues of the selected cell leave solutions, and for how many one leaves; up
#: to so many solutions are listed where they are not counted in that time.
_QUICKLY, _PER_CLUE, _ROUGHLY = 0.15, 0.1, 1000
#: What so many clues would leave is found out.
_FEW = 10


class Questions:
    """Answers questions about one board after the other, by a session that it keeps.

    Where clues stand on faces, the next question is cheap when only clues have changed.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._session: Session | None = None
        self._asked: _Asked | None = None

    def answer(self, board: Any, tell: Tell) -> None:
        """Tell all about a board, stage by stage. Whatever the board is, this raises nothing."""
        try:
            puzzle = puzzle_of(board)
            cells = range(len(_named(puzzle)))
            edited = numbers(board.get("edited"), "edited", len(cells))
            cell = board.get("cell") if board.get("cell") in cells else None
        except PuzzleError as error:
            about = {"cell": error.cell, "borders": getattr(error, "borders", [])}
            tell({"stage": "wrong", "reason": error.reason, **about})
            return
        if self._session is None:
            self._session = Session(puzzle, memory=self._limits.memory, prompt=True)
        if self._asked is None or self._asked.puzzle != puzzle:
            self._session.begin(puzzle)
            self._asked = _Asked(self._session, self._limits)
        self._asked.all(tell, cell, edited)
        tell({"stage": "done"})


class _Asked:
    """A puzzle, and the stages of the answers about it: each is worked on once."""

    def __init__(self, session: Session, limits: Limits) -> None:
        self._session, self._limits = session, limits
        self.puzzle, self._board = session.puzzle, session.puzzle.board
        self._cells = _named(self.puzzle)
        self._tell: Tell = lambda _: None
        #: What was found out by stages that came to an end, and what they told.
        self._found: dict[str, tuple[Any, list[dict[str, Any]]]] = {}
        self._said: list[dict[str, Any]] = []
        #: What is known of how many solutions clues leave, by the number of the cell.
        self._values: dict[int, dict[Any, str]] = {}

    def all(self, tell: Tell, cell: int | None, edited: tuple[int, ...]) -> None:
        """Tell all, first of this cell."""
        self._tell = tell
        verdict = self._in_time("status", self._status)
        if verdict is None:
            return
        if cell is not None:
            self._tell_values([cell], Deadline(_QUICKLY))
        if verdict.status == "none":
            self._in_time("conflict", lambda: self._conflict(edited))
            return
        self._in_time("forced", self._forced)
        if verdict.status == "unique":
            self._tell({"stage": "count", "count": "1", "exact": True})
            if self._session.clues and can_go(type(self.puzzle)):
                self._in_time("redundant", self._redundant)
            if self._limits.grade:
                self._in_time("grade", lambda: self._grade(verdict.solutions[0]))
            return
        total = self._in_time("count", self._count)
        if cell is not None:
            self._tell_values([cell], Deadline(None), _PER_CLUE)
        if total is not None and self._in_time("shares", lambda: self._shares(total)):
            return
        if not self.puzzle.through_cells:
            self._values_one_by_one(cell)

    def _in_time(self, stage: str, work: Callable[[], Any]) -> Any:
        """What a stage finds; ``None``, which is told, when time or memory does not suffice."""
        if stage in self._found:
            found, told = self._found[stage]
            for message in told:
                self._tell(message)
            return found
        found, self._said = None, []
        try:
            found = work()
        except SearchTimeout:
            seconds = getattr(self._limits, stage)
            self._say({"stage": "late", "of": stage, "reason": f"given up after {seconds:g} s"})
        except MemoryError:
            self._say({"stage": "late", "of": stage, "reason": "it takes too much memory"})
        except NotSupported:
            self._say({"stage": "late", "of": stage, "reason": "not known of such a puzzle"})
        self._found[stage] = found, self._said
        return found

    def _say(self, message: dict[str, Any]) -> None:
        """Tell something that is told again when the stage is asked for again."""
        self._said.append(message)
        self._tell(message)

    def _status(self) -> Verdict:
        verdict = self._session.ask(timeout=self._limits.status)
        about: dict[str, Any] = {"lines": None, "shaded": []}
        if verdict.unique:
            (only,) = verdict.solutions
            about = {"lines": list(only.edges), "shaded": shaded_cells(self.puzzle, only)}
        self._say({"stage": "status", "status": verdict.status, **about})
        return verdict

    def _forced(self) -> None:
        found = self._session.forced(timeout=self._limits.forced)
        self._say({"stage": "forced", **found._asdict()})

    def _count(self) -> int | None:
        told = time.monotonic()

        def going(_: str, share: float | None) -> None:
            nonlocal told
            if time.monotonic() - told > _TICK:
                told = time.monotonic()
                self._tell({"stage": "counting", "share": share})

        exact, seen, limit = False, 2, self._limits.solutions
        try:
            found = self._session.count(limit=limit, timeout=self._limits.count, progress=going)
            exact, seen = found.exact, found.count
        except SearchTimeout as error:
            seen = max(seen, error.found)
        except MemoryLimit:
            pass
        self._say({"stage": "count", "count": str(seen), "exact": exact})
        return seen if exact else None

    def _shares(self, total: int) -> bool:
        """Tell shares, and what clues would leave: whether that is known from every solution."""
        left: list[list[int]] | None
        if total <= _LISTED:
            uses, left = self._listed(total)
        else:
            every = diagram(self.puzzle, timeout=self._limits.shares, memory=self._limits.memory)
            uses = [int(share * total) for share in every.edge_shares().values()]
            left = self._left_in(every) if total <= _UNROLLED else None
        lines, crosses = (
            [edge for edge, used in enumerate(uses) if used == all_or_none]
            for all_or_none in (total, 0)
        )
        self._say({"stage": "forced", "lines": lines, "crosses": crosses, "whole": True})
        told: list[Any] = [[edge, str(used)] for edge, used in enumerate(uses) if 0 < used < total]
        self._say({"stage": "shares", "total": str(total), "uses": told})
        if left is None:
            return False
        if not self.puzzle.through_cells:
            told = [[face, [*map(str, left[face])]] for face in self._blank()]
            self._say({"stage": "values", "values": told})
            self._values |= {face: dict(enumerate(counts)) for face, counts in told}
        return True

    def _listed(self, total: int) -> tuple[list[int], list[list[int]]]:
        """How many solutions have each edge, and each number of lines around each face."""
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
        """How many solutions of a diagram have each number of lines around each face."""
        import numpy as np

        deadline, faces = Deadline(self._limits.shares), self._faces()
        left = [np.zeros(len(sides) + 1, dtype=np.int64) for sides in faces]
        for masks in every.masks():
            deadline.check()
            for sides, counts in zip(faces, left, strict=True):
                counts += np.bincount(masks[:, sides].sum(axis=1), minlength=len(counts))
        return [counts.tolist() for counts in left]

    def _faces(self) -> list[Any]:
        """The edges around each face."""
        return [*map(self._board.edges_of, range(self._board.num_faces))]

    def _blank(self) -> list[int]:
        """The cells without a clue."""
        return places(self.puzzle, empty_cells(self.puzzle))

    def _values_one_by_one(self, cell: int | None) -> None:
        """What each clue would leave, where solutions are too many to look at each.

        For every empty cell, those near ``cell`` first, whether it leaves one or several; then how
        many.
        """
        deadline = Deadline(self._limits.values)
        blank = self._blank()
        if cell is not None:
            blank.sort(key=lambda one: math.dist(self._cells[one], self._cells[cell]))
        self._tell_values(blank, deadline)
        self._tell_values(blank, deadline, self._limits.values / 5)

    def _tell_values(
        self, cells: Iterable[int], deadline: Deadline, seconds: float | None = None
    ) -> None:
        """Tell what clues would leave in these cells: none, one or several.

        Or how many, if that takes not more than ``seconds`` for a clue; else some number that there
        are at least.
        """
        told, since = dict[int, Any](), time.monotonic()
        for cell in cells:
            clues = self._clues_for(cell)
            known = self._values.setdefault(cell, {})
            for clue in clues:
                if clue not in known or (seconds is not None and known[clue][-1] == "+"):
                    with suppress(SearchTimeout, MemoryError):
                        known[clue] = self._left(self._cells[cell], clue, deadline, seconds)
                by_number = [known.get(one, "") for one in clues]
                told[cell] = dict(known) if self.puzzle.through_cells else by_number
                if time.monotonic() - since > _TICK:
                    self._tell({"stage": "values", "values": [*map(list, told.items())]})
                    told, since = {}, time.monotonic()
        if told:
            self._tell({"stage": "values", "values": [*map(list, told.items())]})

    def _left(self, cell: Cell, clue: Any, deadline: Deadline, seconds: float | None) -> str:
        """How many solutions a clue leaves, as the page is told it: see `_tell_values`."""
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
            listed = self._session.ask({cell: clue}, limit=_ROUGHLY, timeout=_PER_CLUE)
            found = max(found, len(listed.solutions))
        return f"{found}+"

    def _clues_for(self, cell: int) -> list[Any]:
        """The clues that a cell may have, if they are few."""
        if not self.puzzle.through_cells:
            return [*range(len(self._board.edges_of(cell)) + 1)]
        found = forms(type(self.puzzle)) if self._session.stated else {}
        whole = [one.get("clue", form) for form, one in found.items() if "#" not in form]
        least, most = (found.get("#", {}).get(name) for name in ("least", "most"))
        if least is not None and most is not None and most - least < _FEW:
            whole += range(least, most + 1)
        return whole

    def _redundant(self) -> None:
        cells = self._session.redundant(timeout=self._limits.redundant)
        self._say({"stage": "redundant", "cells": places(self.puzzle, cells)})

    def _grade(self, solution: Solution) -> None:
        # Only who comes to a puzzle with one solution waits for this to load.
        from linkoracle.studio.grading import graded

        self._say({"stage": "grade", **graded(self.puzzle, solution, self._limits.grade)})

    def _conflict(self, edited: tuple[int, ...]) -> None:
        """The fewest clues that contradict each other, or as few as time suffices for."""
        if (why := numberless(self.puzzle) or uneven(self.puzzle)) is not None:
            self._say({"stage": "why", "reason": why})
            return

        def tell(found: Verdict) -> None:
            if found.core is not None:
                self._said = []
                proven = {"minimal": found.core_minimal, "smallest": found.core_smallest}
                cells = places(self.puzzle, sorted(found.core))
                self._say({"stage": "conflict", "cells": cells, **proven})

        containing = [self._cells[cell] for cell in edited]
        limit = self._limits.conflict
        tell(self._session.core(containing=containing, preview=tell, timeout=limit))


def _named(puzzle: Puzzle) -> list[Cell]:
    """The cells of a puzzle as a session names them, by their numbers."""
    if puzzle.tiling is not None:
        return [(face,) for face in range(puzzle.tiling.num_faces)]
    return [(row, col) for row in range(puzzle.rows) for col in range(puzzle.cols)]


def numberless(puzzle: Puzzle) -> str | None:
    """Say that a puzzle of pairs to join has none yet, if that is so.

    >>> from linkoracle import Numberlink
    >>> numberless(Numberlink.blank(2, 2)), numberless(Numberlink([[1, 1]]))
    ('there are no numbers to join yet', None)
    """
    empty = puzzle.unit == "pairs" and not puzzle.number_of_clues
    return "there are no numbers to join yet" if empty else None


def uneven(puzzle: Puzzle) -> str | None:
    """Why no loop can pass through all cells, if they are not as many of both colours.

    A step leads from a cell of one colour of a chessboard to one of the other.

    >>> from linkoracle import SimpleLoop
    >>> uneven(SimpleLoop.from_holes(2, 2, [(0, 0)]))
    '2 cells are black on a chessboard and 1 white, and a loop passes through as many of both'
    """
    model = puzzle.model
    lattice = model.board
    squares = isinstance(lattice, Lattice)
    if not squares or not model.loop or not set(model.degrees) <= {PASS, HOLE}:
        return None
    colours = [0, 0]
    for vertex, degree in enumerate(model.degrees):
        row, col = lattice.position(vertex)
        colours[(row + col) % 2] += degree == PASS
    if colours[0] == colours[1]:
        return None
    more, fewer = max(colours), min(colours)
    return (
        f"{more} cells are black on a chessboard and {fewer} white, "
        "and a loop passes through as many of both"
    )
