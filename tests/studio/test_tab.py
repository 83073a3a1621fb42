"""Sessions of other pages: messages as in JSON lines, and a few more operations."""

from __future__ import annotations

import json
from typing import Any

import pytest

import linkoracle
from linkoracle import Slitherlink
from linkoracle.cli.jsonl import Server
from linkoracle.cli.work import Settings
from linkoracle.core import LinkOracleError
from linkoracle.studio.tab import MAX_SESSIONS, Sessions, Tab
from linkoracle.studio.texts import reason_of

PUZZLE = Slitherlink([[3, 3], [1, 1]])


@pytest.fixture
def both():
    """Send requests about the same board to a tab and to JSON lines; return both answers."""
    sessions, server = Sessions(), Server(Settings(show=True))

    def ask(**request: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        opening = request["op"] == "open"
        here = json.loads(json.dumps(said(sessions, {"session": 1} | request)))
        line = server.answer(1, json.dumps({"session": "a"} | request).encode())
        assert line is not None
        there = json.loads(line.line)
        assert opening or set(there) - set(here) <= {"op", "session", "seconds", "line", "code"}
        return here, there

    yield ask
    server.close()


def said(sessions: Sessions, request: dict[str, Any]) -> dict[str, Any]:
    try:
        return sessions.answer(json.dumps(request))
    except LinkOracleError as error:
        return {"error": reason_of(error)}


@pytest.mark.parametrize(
    "request_",
    [
        {"op": "ask", "clues": [[9, 9, 1]]},
        {"op": "ask", "clues": [[0, 0, 5]]},
        {"op": "set", "edges": [[[0, 0], [1, 1], True]]},
        {"op": "implies"},
        {"op": "ask", "limit": 0},
    ],
    ids=str,
)
def test_invalid_requests_have_the_same_messages(both, request_):
    both(op="open", puzzle=linkoracle.write(PUZZLE, "text"))
    here, there = both(**request_)
    assert f"<stdin>:1: {here['error']}" == there["error"]
    assert both(op="ask")[0]["status"] == "unique"


def test_changes_stay_until_they_are_undone():
    sessions = Sessions()
    said(sessions, {"op": "open", "puzzle": linkoracle.write(PUZZLE, "text")})
    before = said(sessions, {"op": "state", "session": 1})
    edges = [[[0, 0], [0, 1], True]]
    changes = {"op": "set", "session": 1, "clues": [[0, 0, [2, 3]]], "edges": edges}
    assert said(sessions, changes) == {
        "changed": True,
        "clues": [[0, 0, [2, 3]], *before["clues"][1:]],
        "edges": edges,
    }
    found = said(sessions, {"op": "forced", "session": 1})
    assert edges[0][:2] in found["lines"]
    assert found["whole"]
    assert said(sessions, {"op": "undo", "session": 1}) == {"undone": True, **before}
    text = said(sessions, {"op": "write", "session": 1, "format": "pzpr"})["text"]
    assert linkoracle.read(text) == PUZZLE


def test_sessions_are_limited_and_end():
    tab, events = Tab(), []
    opening = json.dumps({"op": "open", "puzzle": "slitherlink\n. .\n"})
    honeycomb = json.dumps({"op": "open", "puzzle": "slitherlink\nboard honeycomb 1 2\n3 .\n"})
    tab.answer("session", honeycomb, events.append)
    assert "rows and columns" in events[-1]["error"]
    for _ in range(MAX_SESSIONS + 1):
        tab.answer("session", opening, events.append)
    assert events[-2]["session"] == MAX_SESSIONS
    assert "close one" in events[-1]["error"]
    for op in ("close", "ask"):
        tab.answer("session", json.dumps({"op": op, "session": 1}), events.append)
    assert events[-2] == {"stage": "done"}
    assert events[-1]["error"] == "this session is not open"
    for nothing in ("[]", "7", '{"op": "solve"}', "{"):
        tab.answer("session", nothing, events.append)
        assert events[-1]["error"]
