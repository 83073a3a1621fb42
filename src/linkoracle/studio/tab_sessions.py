"""Sessions that other pages open in a browser tab, by ``linkoracle.js``: objects in, objects out.

Each request is a JSON object with ``op``, the number of the ``session`` that ``open`` returned, and
what that operation needs. Cells and dots are ``[row, column]``, counted from 0. ``clues`` are
changes ``[row, column, clue]``, ``edges`` are changes ``[end, end, true or false or null]``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from linkoracle.core.errors import FormatError
from linkoracle.core.randomness import seed_or_fresh
from linkoracle.formats import read
from linkoracle.session import Session
from linkoracle.studio.texts import text_of

#: Sessions that may be open at a time; each holds a solver, some megabytes.
MAX_SESSIONS = 64


class Sessions:
    """The sessions that are open, by their numbers.

    >>> sessions = Sessions()
    >>> sessions.answer('{"op": "open", "puzzle": "slitherlink\\\\n3 3\\\\n1 1"}')
    {'session': 1, 'kind': 'slitherlink', 'rows': 2, 'cols': 2}
    >>> sessions.answer('{"op": "ask", "session": 1, "clues": [[1, 0, null]]}')["status"]
    'unique'
    """

    def __init__(self) -> None:
        self._open: dict[int, Session] = {}
        self._last = 0

    def answer(self, text: str) -> dict[str, Any]:
        """Return the answer to a request.

        Raises `LinkOracleError`, or ``ValueError``, ``KeyError`` or ``TypeError`` for a request
        that makes no sense.
        """
        request = json.loads(text)
        name = request["op"]
        if name == "open":
            return self._begin(request)
        session = self._open.get(request.get("session"))
        if session is None:
            raise FormatError("this session is not open")
        if name == "close":
            del self._open[request["session"]]
            session.close()
            return {}
        if name not in _OPERATIONS:
            raise FormatError(f"expected one of {', '.join(_OPERATIONS)}; found {name!r}")
        found: dict[str, Any] = _OPERATIONS[name](session, request)
        return found

    def _begin(self, request: Mapping[str, Any]) -> dict[str, Any]:
        if len(self._open) == MAX_SESSIONS:
            raise FormatError(f"expected at most {MAX_SESSIONS} sessions: close one")
        # With a line break, a text is never taken for the name of a file.
        puzzle = read(f"{request['puzzle']}\n")
        self._last += 1
        self._open[self._last] = Session(puzzle)
        about = {"kind": puzzle.kind, "rows": puzzle.rows, "cols": puzzle.cols}
        return {"session": self._last, **about}


def _changes(session: Session, request: Mapping[str, Any]) -> dict[Any, Any]:
    changes: dict[Any, Any] = {}
    for row, col, clue in request.get("clues", ()):
        changes[row, col] = frozenset(clue) if isinstance(clue, list) else clue
    for one, other, on in request.get("edges", ()):
        changes[session.board.lattice.edge(tuple(one), tuple(other))] = on
    return changes


def _places(session: Session, edges: Any) -> list[Any]:
    lattice = session.board.lattice
    return [[list(lattice.position(end)) for end in lattice.ends(edge)] for edge in edges]


def _clues(clues: Mapping[Any, Any]) -> list[Any]:
    return [
        [*cell, clue if isinstance(clue, int | str) else sorted(clue)]
        for cell, clue in sorted(clues.items())
    ]


def _ask(session: Session, request: Mapping[str, Any]) -> dict[str, Any]:
    timeout = request.get("timeout")
    verdict = session.ask(_changes(session, request), limit=request.get("limit"), timeout=timeout)
    return {"status": verdict.status, "solutions": [one.paths() for one in verdict.solutions]}


def _forced(session: Session, request: Mapping[str, Any]) -> dict[str, Any]:
    found = session.forced(_changes(session, request), timeout=request.get("timeout"))
    lines, crosses = (_places(session, edges) for edges in (found.lines, found.crosses))
    return {"lines": lines, "crosses": crosses, "whole": found.whole}


def _core(session: Session, request: Mapping[str, Any]) -> dict[str, Any]:
    verdict = session.core(_changes(session, request), timeout=request.get("timeout"))
    core = None
    if verdict.core is not None:
        held = verdict.core_edges or {}
        places = zip(_places(session, held), held.values(), strict=True)
        edges = [[*ends, on] for ends, on in places]
        core = {"clues": _clues(verdict.core), "edges": edges}
    proven = {"minimal": verdict.core_minimal, "smallest": verdict.core_smallest}
    return {"status": verdict.status, "core": core, **proven}


def _count(session: Session, request: Mapping[str, Any]) -> dict[str, Any]:
    changes, limit = _changes(session, request), request.get("limit", 1000)
    found = session.count(changes, limit, timeout=request.get("timeout"))
    return {"count": found.count, "exact": found.exact}


def _implies(session: Session, request: Mapping[str, Any]) -> dict[str, Any]:
    row, col = request["cell"]
    changes = _changes(session, request)
    return {"implied": session.implies((row, col), changes, timeout=request.get("timeout"))}


def _set(session: Session, request: Mapping[str, Any]) -> dict[str, Any]:
    session.set(_changes(session, request))
    return _state(session, request)


def _undo(session: Session, request: Mapping[str, Any]) -> dict[str, Any]:
    return {"undone": session.undo(), **_state(session, request)}


def _state(session: Session, _: Mapping[str, Any]) -> dict[str, Any]:
    on = [
        [*ends, session.edges[edge]] for edge in session.edges for ends in _places(session, [edge])
    ]
    return {"clues": _clues(session.clues), "edges": on}


def _reduce(session: Session, request: Mapping[str, Any]) -> dict[str, Any]:
    seed, keep = seed_or_fresh(request.get("seed")), [tuple(one) for one in request.get("keep", ())]
    status, minimal = session.reduce(seed=seed, keep=keep, timeout=request.get("timeout"))
    return {"status": status, "minimal": minimal, "seed": seed, "clues": _clues(session.clues)}


def _write(session: Session, request: Mapping[str, Any]) -> dict[str, Any]:
    return {"text": text_of(session.puzzle, request["format"])}


_OPERATIONS: dict[str, Any] = {
    work.__name__[1:]: work
    for work in (_ask, _forced, _core, _count, _implies, _set, _undo, _state, _reduce, _write)
}
