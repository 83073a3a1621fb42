"""Sessions that other pages open in a browser tab, by ``linkoracle.js``: objects in, objects out.

Each request is a JSON object with ``op``, the number of the ``session`` that ``open`` returned, and
what that operation needs: see `SessionRequests`.
"""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, NoReturn

from linkoracle.core.errors import FormatError
from linkoracle.formats import read
from linkoracle.formats.members import Members
from linkoracle.session import Session
from linkoracle.session_requests import SessionRequests, clues_as_json
from linkoracle.studio.texts import text_of

#: Sessions that may be open at a time; each holds a solver, some megabytes.
MAX_SESSIONS = 64
_OPERATIONS = {
    *("ask", "forced", "core", "count", "implies"),
    *("set", "undo", "state", "reduce", "write"),
}


class _Request(Members):
    def __init__(self, text: str) -> None:
        self.members = dict(json.loads(text))

    def fail(self, reason: str) -> NoReturn:
        """Raise `FormatError`."""
        raise FormatError(reason) from None


class _Board(SessionRequests):
    """A session, and what other pages ask of it."""

    def state(self) -> dict[str, Any]:
        """The clues and the edges that are set, as the changes that would set them."""
        edges = self._edges_as_json(self.session.edges)
        return {"clues": clues_as_json(self.session.clues), "edges": edges}

    def _state(self, _request: Members, _: Any) -> dict[str, Any]:
        return self.state()

    def _core(self, request: Members, how: Any) -> dict[str, Any]:
        return {"minimal": False, "smallest": False, **super()._core(request, how)}

    def _count(self, request: Members, how: Any) -> dict[str, Any]:
        changes, limit = self._changes(request), request.number("limit", 1000)
        found = self.session.count(changes, limit, timeout=how.timeout)
        return {"count": found.count, "exact": found.exact}

    def _forced(self, request: Members, how: Any) -> dict[str, Any]:
        found = self.session.forced(self._changes(request), timeout=how.timeout)
        lines, crosses = ([*map(self._ends, edges)] for edges in (found.lines, found.crosses))
        return {"lines": lines, "crosses": crosses, "whole": found.whole}

    def _write(self, request: Members, _: Any) -> dict[str, Any]:
        return {"text": text_of(self.session.puzzle, request.name("format"))}


class Sessions:
    """The sessions that are open, by their numbers.

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
        """Return the answer to a request.

        Raises `LinkOracleError`, or ``ValueError`` or ``TypeError`` for what is no object.
        """
        request = _Request(text)
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
        # With a line break, a text is never taken for the name of a file.
        puzzle = read(request.name("puzzle") + "\n")
        self._last += 1
        self._open[self._last] = _Board(Session(puzzle))
        about = {"kind": puzzle.kind, "rows": puzzle.rows, "cols": puzzle.cols}
        return {"session": self._last, **about}
