"""The operations of `count-solutions --jsonl` on sessions, besides those of `SessionRequests`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from linkoracle.cli.messages import Request, count_of
from linkoracle.cli.options import Searching
from linkoracle.cli.work import Settings, time_limit
from linkoracle.core.errors import LinkOracleError
from linkoracle.core.limits import options_of
from linkoracle.core.randomness import seed_or_fresh
from linkoracle.kinds import Puzzle
from linkoracle.session import Session
from linkoracle.session.requests import SessionRequests, clues_as_json, shown_solutions

#: A larger board is refused: its solver alone would fill the memory.
MAX_CELLS = 10_000


class Board(SessionRequests):
    """A session, and the operations that a `Request` names."""

    def __init__(self, puzzle: Puzzle, solver: str | None) -> None:
        super().__init__(Session(puzzle, solver=solver), time_limit)

    def _count(self, request: Request, settings: Settings) -> dict[str, Any]:
        changes = self._changes(request)
        how = {name: getattr(settings, name) for name in options_of(Searching)}
        how |= {"limit": settings.limit, "keep": settings.show}
        return count_of(settings, lambda: self.session.count(changes, **how), {})

    def _grade(self, request: Request, settings: Settings) -> dict[str, Any]:
        return asdict(self.session.grade(self._changes(request), timeout=settings.timeout))

    def _hint(self, request: Request, settings: Settings) -> dict[str, Any]:
        from linkoracle.cli.grade import as_json

        step = self.session.hint(self._changes(request), timeout=settings.timeout)
        return {"step": None if step is None else as_json(self.session.board.held.graph, step)}

    def _generate(self, request: Request, settings: Settings) -> dict[str, Any]:
        from linkoracle.generate.api import options_for

        kind = self.session.board.kind
        declared = options_for(kind, on_board=not self.session.board.rows)
        # The session has the board.
        declared.pop("board", None)
        cells = ("must", "must_not") if "mask" in declared else ()
        known = {"op", "id", "session", "seed", "timeout", "show", *cells, *declared}
        for key in request.members:
            if key not in known:
                request.fail(f"the key {key!r} is not for puzzles of the kind {kind}")
        options = request.said(declared)
        options |= {key: self._cells(request, key) for key in cells if key in request.members}
        seed = seed_or_fresh(request.number("seed", None, 0))
        try:
            made = self.session.generate(seed=seed, timeout=settings.timeout, **options)
        except LinkOracleError:
            raise
        except ValueError as error:
            request.fail(str(error))
        members = {"seed": seed, **self.state(), "clues": clues_as_json(self.session.clues)}
        return members | shown_solutions((made.solution,), settings)
