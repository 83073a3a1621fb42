"""`count-solutions --jsonl`: an oracle for programs in any language, a line in, a line out.

``docs/reference/jsonl.md`` is the specification. `OPERATIONS` lists the operations of requests;
`Server` answers them.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator
from contextlib import closing
from functools import partial
from queue import Queue
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import click

from linkoracle.cli.messages import (
    MOST_BYTES,
    Arrived,
    Line,
    Request,
    about,
    as_json,
    count_of,
    lines,
)
from linkoracle.cli.options import Searching
from linkoracle.cli.program import BAD_INPUT, DONE, NO, OUT_OF_MEMORY, TIMED_OUT
from linkoracle.cli.work import Settings, time_limit
from linkoracle.core import (
    FormatError,
    LinkOracleError,
    NothingFound,
    SearchTimeout,
    options_of,
    quoted,
)
from linkoracle.formats import MAX_LINE, About, Pairs, clean_name, decoded, misplaced, read_all
from linkoracle.kinds import KINDS, Puzzle

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from linkoracle.session.requests import SessionRequests

#: Most sessions open at a time; each holds a solver of some megabytes.
MAX_SESSIONS = 64
#: A larger board of a session is refused: its solver alone would fill the memory.
MAX_CELLS = 10_000

#: Requests read ahead for each worker.
_DEPTH = 8

#: Exit statuses by priority: of several, the command returns the first.
_WORST = (BAD_INPUT, OUT_OF_MEMORY, TIMED_OUT, NO, DONE)

#: The ``code`` of an error, and its exit status.
_STATUS = {"bad_input": BAD_INPUT, "memory": OUT_OF_MEMORY, "timeout": TIMED_OUT, "not_found": NO}

_COUNTING = ("limit", "timeout", "engine", "solver", "memory", "show")
_CHANGES = ("clues", "edges")
#: The marks of a player besides edges.
MARKS = ("visited", "unvisited", "inside", "outside")
_REDUCING = ("order", "seed", "keep", "timeout")


class Answer(NamedTuple):
    """A line for standard output, and its exit status."""

    line: str
    status: int


class Server:
    """Answer lines one by one; with ``with_sessions``, boards may be kept between lines.

    >>> from linkoracle.cli.work import Settings
    >>> server = Server(Settings(limit=1))
    >>> print(server.answer(1, b'{"id": 7, "op": "close", "session": "a"}').line)
    {"id": 7, "line": 1, "code": "bad_input", "error": "<stdin>:1: no session 'a' is open"}
    """

    def __init__(self, settings: Settings, *, with_sessions: bool = True) -> None:
        self.settings = settings
        self.sessions: dict[str, SessionRequests] = {}
        self._with_sessions = with_sessions

    def answer(self, line: int, data: bytes) -> Answer | None:
        """Return the answer to one line; ``None`` if it is blank. Errors become answers."""
        started = time.perf_counter()
        request, status = None, DONE
        try:
            # Of a longer line, only the first bytes are here.
            whole = len(data) <= MOST_BYTES
            text = decoded(data, "<stdin>", line).rstrip("\r\n") if whole else ""
            if whole and not text.strip():
                return None
            if not whole or len(text) > MAX_LINE:
                reason = f"expected a line of at most {MAX_LINE} characters, found a longer one"
                raise FormatError(reason, source="<stdin>", line=line)
            request = Request(text, line)
            members = self._operate(request)
        except (LinkOracleError, MemoryError, RecursionError) as error:
            members = _error_members(error, line)
        if "code" in members:
            status = _STATUS[members["code"]]
        elif self.settings.unique and "count" in members:
            status = DONE if (members["count"], members["exact"]) == (1, True) else NO
        if "error" not in members:
            members.setdefault("seconds", round(time.perf_counter() - started, 6))
        text = json.dumps(members)
        if request and request.id is not None:
            text = f'{{"id": {request.id}, {text[1:]}'
        return Answer(text, status)

    def close(self) -> None:
        """Close all sessions."""
        for session in self.sessions.values():
            session.session.close()
        self.sessions.clear()

    def _operate(self, request: Request) -> dict[str, Any]:
        name = request.word("op", OPERATIONS, "count")
        if name == "count" and "session" not in request.members:
            request.only(("op", "id", "puzzle", *_puzzle_keys(), *_COUNTING))
            settings = request.options(self.settings, _COUNTING)
            title, puzzle = self._read(request, self._text(request))
            known = {"name": title, **about(puzzle)}
            return count_of(settings, lambda: settings.count_result(puzzle), known)
        request.only(("op", "id", "session", *OPERATIONS[name], *_more_keys(name)))
        if not self._with_sessions:
            request.fail("sessions do not go with --jobs")
        called = request.name("session")
        known = {"op": name, "session": called}
        if name == "open":
            return {**known, **self._open(called, request)}
        session = self.sessions.get(called)
        if session is None:
            request.fail(f"no session {quoted(called)} is open")
        if name == "close":
            self.sessions.pop(called).session.close()
            return known
        settings = request.options(self.settings, _COUNTING)
        return {**known, **session.answer(name, request, settings)}

    @staticmethod
    def _text(request: Request) -> str:
        """Return the text of the puzzle: the whole request, or its member ``puzzle``."""
        if "puzzle" not in request.members:
            if "clues" in request.members and "board" not in request.members:
                request.fail("expected the key 'board' beside the key 'clues', found none")
            return request.text
        for key in _puzzle_keys():
            if key not in ("kind", "variant", *About._fields) and key in request.members:
                request.fail(f"expected 'puzzle' or {key!r}, found both")
        return request.name("puzzle")

    def _read(self, request: Request, text: str) -> tuple[str, Puzzle]:
        """Return the name and the puzzle of a text; the request overrides the command line."""
        line, members = request.line, request.members
        inside = "puzzle" in members
        # The text itself may have its kind and variant.
        kind, variant = (
            default if members.get(key) is None else members[key] if inside else None
            for key, default in (("kind", self.settings.kind), ("variant", self.settings.variant))
        )
        source, place = (f"<stdin>:{line}:puzzle", None) if inside else ("<stdin>", line)
        try:
            entries = read_all(text, kind=kind, variant=variant, name=source)
        except FormatError as error:
            # The reader saw one line; the user knows its number in the stream.
            error.line = place or error.line
            raise
        if len(entries) != 1:
            reason = f"expected one puzzle, found {len(entries)}"
            raise FormatError(reason, source=source, line=place)
        where = "under 'rules'"
        if fault := misplaced(members.get("rules"), type(entries[0].puzzle), where):
            request.fail(fault)
        found, name = entries[0].name, members.get("name", members.get("id"))
        if type(name) is int:
            found = str(name)
        elif isinstance(name, str):
            # As it came, so that programs find it again.
            found = name if clean_name(name) else None
        return found or f"<stdin>:{line}", entries[0].puzzle

    def _open(self, name: str, request: Request) -> dict[str, Any]:
        """Keep a board under a name."""
        from linkoracle.session import Session
        from linkoracle.session.requests import SessionRequests

        def check(cells: int, size: str) -> None:
            if cells > MAX_CELLS:
                request.fail(f"expected a board of at most {MAX_CELLS} cells, found {size}")

        if name in self.sessions:
            request.fail(f"the session {quoted(name)} is open already")
        if len(self.sessions) >= MAX_SESSIONS:
            request.fail(f"{MAX_SESSIONS} sessions are open, which is the most; close one first")
        rows, cols = request.number("rows", None), request.number("cols", None)
        if rows and cols:
            check(rows * cols, f"{rows} x {cols} cells")
        text, members = self._text(request), request.members
        if rows and cols and not {"puzzle", "grid", "board"} & members.keys():
            blank = {key: members[key] for key in _puzzle_keys() if key in members}
            text = as_json(Pairs({**blank, "grid": [[None] * cols] * rows}.items()))
        solver = request.options(self.settings, ("solver",)).solver
        _, puzzle = self._read(request, text)
        check(puzzle.faces.num_faces, puzzle.size)
        kept = Session(puzzle, solver=solver)
        session = self.sessions[name] = SessionRequests(kept, time_limit, _MORE)
        return {**about(puzzle), **session.state()}


def _count(board: SessionRequests, request: Request, settings: Settings) -> dict[str, Any]:
    changes = board.changes(request)
    how = {name: getattr(settings, name) for name in options_of(Searching)}
    how |= {"limit": settings.limit, "keep": settings.show}
    return count_of(settings, lambda: board.session.count(changes, **how), {})


def _hint(board: SessionRequests, request: Request, settings: Settings) -> dict[str, Any]:
    from linkoracle.cli.marks import hint_as_json

    level = request.number("level", 3, 1, 3) or 3
    changes, marks = board.changes(request), board.marks(request)
    hint = board.session.hint(changes, **marks, timeout=settings.timeout)
    return hint_as_json(board.session.board.held.begun, hint, level)


#: The operations on sessions besides those of `SessionRequests`.
_MORE = {"count": _count, "hint": _hint}


def _puzzle_keys() -> tuple[str, ...]:
    """Return the keys of a puzzle as JSON, with the annotations of all kinds."""
    lists = (name for kind in KINDS.values() for name in kind.annotations)
    form = ("kind", "variant", "rows", "cols", "grid", "board", "clues")
    return (*form, *dict.fromkeys(lists), *About._fields)


#: The values of ``op``, each with its keys besides ``id`` and ``session``.
OPERATIONS = {
    "count": (*_CHANGES, *_COUNTING),
    "open": ("solver",),
    "set": _CHANGES,
    "undo": (),
    "ask": (*_CHANGES, "limit", "timeout", "show"),
    "implies": (*_CHANGES, "cell", "edge", "drop", "timeout"),
    "core": (*_CHANGES, "timeout", "show"),
    "reduce": _REDUCING,
    "grade": (*_CHANGES, "timeout"),
    "hint": (*_CHANGES, *MARKS, "level", "timeout"),
    "generate": ("must", "must_not", "seed", "timeout", "show"),
    "close": (),
}


def _more_keys(name: str) -> tuple[str, ...]:
    """Return the keys of an operation that depend on the registered kinds."""
    if name == "open":
        return ("puzzle", *_puzzle_keys())
    if name != "generate":
        return ()
    from linkoracle.generate import made_kinds, options_for

    every = dict.fromkeys(key for kind in made_kinds() for key in options_for(kind))
    # The session has the board and its variant, and a loop is drawn in a file.
    return tuple(key for key in every if key not in ("board", "variant", "loop"))


def _error_members(error: Exception, line: int) -> dict[str, Any]:
    """Return the members of the answer for an error."""
    reason, code = str(error), "timeout" if isinstance(error, SearchTimeout) else "bad_input"
    if isinstance(error, MemoryError):
        reason, code = reason or "out of memory", "memory"
    elif isinstance(error, NothingFound):
        code = "not_found"
    elif isinstance(error, RecursionError):
        reason = f"<stdin>:{line}: too deep a nesting"
    return {"line": line, "code": code, "error": reason}


def serve(stream: BinaryIO, settings: Settings, executor: Executor | None) -> int:
    """Answer every line of ``stream`` on standard output, in order; return the exit status.

    Without an ``executor``, each line is answered before the next one is read. With an
    ``executor``, lines are read ahead and answered by its workers, and sessions are refused.
    """
    statuses = {0}
    with closing(_answers(stream, settings, executor)) as answers:
        for answer in answers:
            if answer is not None:
                click.echo(answer.line)
                statuses.add(answer.status)
    return next(status for status in _WORST if status in statuses)


def _answers(
    stream: BinaryIO, settings: Settings, executor: Executor | None
) -> Generator[Answer | None, None, None]:
    if executor is None:
        with closing(Server(settings)) as server:
            for line, data in lines(stream):
                yield server.answer(line, data)
        return
    from linkoracle.batch import ordered

    workers = getattr(executor, "workers", 1)
    settings = settings.shared(workers)
    ahead: Queue[Line | FormatError | None] = Queue(_DEPTH * workers)

    def read() -> None:
        try:
            for one in lines(stream):
                ahead.put(one)
            ahead.put(None)
        except FormatError as error:
            ahead.put(error)

    threading.Thread(target=read, daemon=True).start()
    arrived = Arrived(ahead)
    while arrived.wait():
        yield from ordered(executor, partial(_answer, settings), arrived)


def _answer(settings: Settings, one: Line) -> Answer | None:
    return Server(settings, with_sessions=False).answer(*one)
