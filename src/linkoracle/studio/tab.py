"""The studio in a browser tab: a worker answers the messages of the page, with the plain engine.

`Tab` takes the messages that the page would send to the studio's server
(`linkoracle.studio.server`), and the requests of other pages through ``linkoracle.js``.
``docs/how-to/site.md`` shows both.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from typing import Any

from linkoracle.board import Solution
from linkoracle.core import (
    FormatError,
    LinkOracleError,
    PuzzleError,
    SearchTimeout,
    counted,
    pick,
    shuffled,
    source,
)
from linkoracle.formats import Members, read
from linkoracle.generate import cell_loop, plain_loop
from linkoracle.kinds import (
    KINDS,
    CellLoop,
    Puzzle,
    RegionPuzzle,
    Slitherlink,
    empty_cells,
    kind_named,
)
from linkoracle.session import Session
from linkoracle.session.requests import SessionRequests, clues_as_json
from linkoracle.solving import solutions
from linkoracle.studio import analysis, boards, clues, playing, puzzle_tasks, texts
from linkoracle.studio.tasks import Done, Limits, Outcome, Report, Task, Tasks

#: Limits for the plain engine, which is slower. Grades require an installed linkoracle.
LIMITS = Limits(
    forced=10.0, count=4.0, shares=4.0, conflict=10.0, grade=0.0, making=120.0, solutions=200
)
#: The largest file that may be dropped on the page, in bytes.
_MAX_BYTES = 100_000
#: Most sessions open at a time; each holds a solver of some megabytes.
MAX_SESSIONS = 64
#: Larger puzzles take too long to generate.
MAX_SIDE, MAX_FACES = 10, 300
_QUERIES = ("ask", "forced", "core", "count", "implies")
_OPERATIONS = (*_QUERIES, "set", "undo", "state", "reduce", "write")


class _Board(SessionRequests):
    """A session, and the operations for other pages."""

    def state(self) -> dict[str, Any]:
        """Return the clues and the edges that are set, as changes that would set them."""
        edges = self._edges_as_json(self.session.edges)
        return {"clues": clues_as_json(self.session.clues), "edges": edges}

    def _state(self, _request: Members, _: Any) -> dict[str, Any]:
        return self.state()

    def _core(self, request: Members, how: Any) -> dict[str, Any]:
        return {"minimal": False, "smallest": False, **super()._core(request, how)}

    def _count(self, request: Members, how: Any) -> dict[str, Any]:
        changes, limit = self.changes(request), request.number("limit", 1000)
        found = self.session.count(changes, limit, timeout=how.timeout)
        return {"count": found.count, "exact": found.exact}

    def _forced(self, request: Members, how: Any) -> dict[str, Any]:
        found = self.session.forced(self.changes(request), timeout=how.timeout)
        lines, crosses = ([*map(self._ends, edges)] for edges in (found.lines, found.crosses))
        return {"lines": lines, "crosses": crosses, "whole": found.whole}

    def _write(self, request: Members, _: Any) -> dict[str, Any]:
        return {"text": texts.text_of(self.session.puzzle, request.name("format"))}


class Sessions:
    """The sessions that other pages have open, by their numbers: objects in, objects out.

    A request has ``op``, the number of the ``session`` that ``open`` returned, and the members of
    that operation: see `SessionRequests`.

    >>> sessions = Sessions()
    >>> sessions.answer('{"op": "open", "puzzle": "slitherlink\\\\n3 3\\\\n1 1"}')
    {'session': 1, 'kind': 'slitherlink', 'rows': 2, 'cols': 2}
    >>> sessions.answer('{"op": "ask", "session": 1, "clues": [[1, 0, null]]}')["status"]
    'unique'
    """

    def __init__(self) -> None:
        self._open: dict[int, _Board] = {}
        self._last = 0

    def answer(self, text: str) -> dict[str, Any]:
        """Return the answer to a request; raise `LinkOracleError` if it is invalid."""
        request = texts.request_of(text)
        name = request.word("op", ["open", "close", *_OPERATIONS])
        if name == "open":
            return self._begin(request)
        number = request.number("session")
        board = None if number is None else self._open.get(number)
        if number is None or board is None:
            raise FormatError("this session is not open")
        if name == "close":
            self._open.pop(number).session.close()
            return {}
        how = SimpleNamespace(timeout=request.seconds("timeout", None), show=True)
        return board.answer(name, request, how)

    def _begin(self, request: Members) -> dict[str, Any]:
        if len(self._open) == MAX_SESSIONS:
            raise FormatError(f"expected at most {MAX_SESSIONS} sessions: close one")
        # A text with a line break is never read as the name of a file.
        puzzle = read(request.name("puzzle"))
        about = {"kind": puzzle.kind, "rows": puzzle.rows, "cols": puzzle.cols}
        self._last += 1
        self._open[self._last] = _Board(Session(puzzle))
        return {"session": self._last, **about}


def offers(kind: str, *, on_faces: bool = False) -> dict[str, Any]:
    """Return the tasks for a kind, and as ``new`` a list if new puzzles can be generated.

    With ``on_faces``, those on boards that are not square.

    >>> offers("slitherlink"), offers("numberlink")
    ({'tasks': ['line', 'thin', 'add'], 'new': []}, {'tasks': ['line'], 'new': None})
    """
    found = KINDS[kind]
    clued = issubclass(found, Slitherlink)
    if on_faces:
        return {"tasks": ["line", "thin"] * clued, "new": [] if clued else None}
    tasks = ["line", *["thin"] * clues.can_go(found), *["add"] * clued]
    return {"tasks": tasks, "new": [] if _is_made(found) else None}


def _is_made(kind: type[Puzzle]) -> bool:
    # Regions that a loop visits twice require a matching, and so networkx.
    twice = issubclass(kind, RegionPuzzle) and kind.visits == 2
    return issubclass(kind, Slitherlink) or (issubclass(kind, CellLoop) and not twice)


def _new(task: Task) -> Outcome:
    kind = kind_named(task.word("kind", list(KINDS)))
    blank, rng = _blank(task, kind), source(task.seed(), 0)
    while True:
        task.deadline.check()
        task.progress("choosing a loop")
        if not issubclass(kind, CellLoop):
            # Some loops are ambiguous even with all clues.
            with suppress(PuzzleError):
                return puzzle_tasks.with_few_clues(task, blank, plain_loop(rng, blank.board))
            continue
        found = cell_loop(kind, blank.rows, blank.cols, rng, partial(_another, task), minimal=True)
        if found is not None:
            return Outcome(*found, f"{found[0].number_of_clues} {found[0].unit}")


def _blank(task: Task, kind: Any) -> Any:
    """Return the board of a new puzzle."""
    words = task.members.get("tiling")
    if not (issubclass(kind, Slitherlink) if words else _is_made(kind)):
        raise PuzzleError(f"puzzles of the kind {kind.kind!r} need an installed studio")
    if words:
        tiling = boards.tiling_of(words)
        if tiling.num_faces > MAX_FACES:
            raise PuzzleError(f"expected at most {MAX_FACES} cells, found {tiling.num_faces}")
        return kind.on(tiling)
    return kind.blank(*task.rows_and_cols(MAX_SIDE))


def _another(task: Task, puzzle: Puzzle, solution: Solution) -> Solution | None:
    """Return an alternative to this solution; ``None`` if there is none."""
    task.progress("removing clues")
    every = solutions(puzzle, timeout=task.deadline.left)
    return next((other for other in every if other != solution), None)


def _add(task: Task) -> Outcome:
    """Add clues of a solution until it is the only one, then remove the redundant ones.

    Earlier clues stay. Another solution might need fewer clues.
    """
    puzzle = task.puzzle
    if not isinstance(puzzle, Slitherlink):
        raise PuzzleError(f"expected a Slitherlink, found the kind {puzzle.kind!r}")
    rng = source(task.seed(), 0)
    before = dict(puzzle.clue_cells())
    with Session(puzzle) as session:
        found = session.ask(timeout=task.deadline.left).solutions
        if not found:
            raise PuzzleError("there is no solution")
        target = found[0]
        if len(found) == 1:
            return Outcome(puzzle, target, "there is one solution already")
        blank = {*empty_cells(puzzle)}
        cells = [*map(puzzle.board.face_name, range(puzzle.board.num_faces))]
        while others := [one for one in found if one != target]:
            counts = zip(cells, target.counts(), others[0].counts(), strict=True)
            differing = [
                (cell, count) for cell, count, other in counts if count != other and cell in blank
            ]
            if not differing:
                raise PuzzleError("no clues make this solution the only one")
            session.set(dict([pick(rng, differing)]))
            found = session.ask(timeout=task.deadline.left).solutions
            task.progress(f"{len(session.clues)} clues")
        order = shuffled(rng, list(session.clues))
        with suppress(SearchTimeout):
            session.reduce(order, keep=before, timeout=task.deadline.left)
        made = session.puzzle
    added = made.number_of_clues - len(before)
    return Outcome(made, target, f"{counted(added, 'clue')} added: none is redundant")


#: The tasks of the page, as in `linkoracle.studio.making`.
TASKS: dict[str, Callable[[Task], Done]] = {
    "new": _new,
    "thin": puzzle_tasks.reduced,
    "add": _add,
    "line": puzzle_tasks.drawn_puzzle,
    "file": puzzle_tasks.file_of,
}


class Tab:
    """Answer one message after another, in sessions that stay open.

    >>> tab, events = Tab(), []
    >>> board = {"kind": "slitherlink", "variant": "loop", "rows": 1, "cols": 1, "cells": [4]}
    >>> tab.answer("live", json.dumps(board), events.append)
    >>> [stage["stage"] for stage in events], events[0]["status"]
    (['status', 'forced', 'count', 'redundant', 'done'], 'unique')
    >>> tab.answer("read", "slitherlink\\n5", events.append)
    >>> events[-1]
    {'stage': 'done', 'error': "2:1: expected a clue from 0 to 4 or '?', found 5"}
    """

    def __init__(self) -> None:
        self._sessions = Sessions()
        self._answering: dict[str, Callable[[Any, Report], None]] = {
            "live": analysis.BoardAnalysis(LIMITS).answer,
            "playing": playing.Playing(LIMITS).answer,
            "making": Tasks(LIMITS, TASKS).answer,
        }

    def answer(self, where: str, text: str, report: Report) -> None:
        """Report the answer in stages, the last one ``done``.

        ``where`` is the address of the message at the server, or ``session``. Raises only the
        ``KeyboardInterrupt`` of `linkoracle.core.limits.heed`.
        """
        if where in self._answering:
            self._answering[where](json.loads(text), report)
            return
        try:
            found = self._sessions.answer(text) if where == "session" else texts.TEXTS[where](text)
        except LinkOracleError as error:
            found = {"error": texts.reason_of(error)}
        except (ValueError, KeyError, TypeError) as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        report({"stage": "done", **found})


def about() -> dict[str, Any]:
    """Return the ``kinds`` and ``offers`` that the page requests first, as the server does."""
    more: dict[str, Any] = {"files": ["certificate"], "catalogue": None, "grades": []}
    return texts.about(offers, LIMITS, _MAX_BYTES, **more)
