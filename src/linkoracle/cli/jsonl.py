"""`count-solutions --jsonl`: an oracle for programs in any language, a line in, a line out.

``docs/reference/jsonl.md`` is the specification. `OPERATIONS` lists the operations of requests;
`Server` answers them.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
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
    Call,
    CheckFailed,
    FormatError,
    Interrupted,
    LinkOracleError,
    NothingFound,
    NotSupported,
    SearchTimeout,
    check_call,
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

#: Requests read ahead for each worker, and without workers.
_DEPTH, _AHEAD = 8, 64

#: Exit statuses by priority: of several, the command returns the first.
_WORST = (BAD_INPUT, OUT_OF_MEMORY, TIMED_OUT, NO, DONE)

#: The ``code`` of an error, and its exit status.
_STATUS = {
    "bad_input": BAD_INPUT,
    "not_supported": BAD_INPUT,
    "no_session": BAD_INPUT,
    "check_failed": BAD_INPUT,
    "memory": OUT_OF_MEMORY,
    "timeout": TIMED_OUT,
    "not_found": NO,
    "cancelled": DONE,
}


class _NoSession(FormatError):
    """A request to a session that is not open."""


#: The error that each code stands for; all others are bad input.
_CODES: tuple[tuple[type[Exception], str], ...] = (
    (_NoSession, "no_session"),
    (SearchTimeout, "timeout"),
    (MemoryError, "memory"),
    (NothingFound, "not_found"),
    (Interrupted, "cancelled"),
    (NotSupported, "not_supported"),
    (CheckFailed, "check_failed"),
)

_COUNTING = ("limit", "timeout", "engine", "solver", "memory", "show")
_CHANGES = ("clues", "edges")
#: The marks of a player besides edges.
MARKS = ("visited", "unvisited", "inside", "outside")
_REDUCING = ("order", "seed", "keep", "timeout")


class Answer(NamedTuple):
    """A line for standard output, and its exit status."""

    line: str
    status: int


class Requests:
    """Which requests are at work, so that a later line may cancel them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        #: By ``id``, the last line that cancels it, and those at work.
        self._lines: dict[str, int] = {}
        self._calls: dict[str, Call] = {}
        #: Those that a thread will take up, and those that were ended.
        self._waiting: set[str] = set()
        self._ended: set[str] = set()

    def read(self, line: int, data: bytes) -> Request | None:
        """Return a request that cancels another, or is for a session; end what it cancels."""
        request = None
        if b'"cancel"' in data or b'"session"' in data:
            with suppress(FormatError):
                request = Request(decoded(data, "<stdin>", line), line)
        if request is None or "op" not in request.members:
            return request if request and "session" in request.members else None
        if request.members["op"] == "cancel" and request.id is not None:
            with self._lock:
                self._lines[request.id] = line
                if request.id in self._calls:
                    self._calls[request.id].stop()
                if request.id in self._calls or request.id in self._waiting:
                    self._ended.add(request.id)
            return request
        return request if "session" in request.members else None

    def wait(self, request: Request) -> None:
        """Note that a thread will take up a request."""
        if request.id is not None and request.members.get("op") != "cancel":
            with self._lock:
                self._waiting.add(request.id)

    @contextmanager
    def at_work(self, request: Request) -> Iterator[None]:
        """Do the work of a request, unless a later line has cancelled it."""
        name = request.id
        if name is None or request.members.get("op") == "cancel":
            yield
            return
        with self._lock:
            call = self._calls[name] = Call()
            self._waiting.discard(name)
            if self._lines.get(name, 0) > request.line:
                self._ended.add(name)
                call.stop()
        try:
            with call:
                check_call()
                yield
        finally:
            with self._lock:
                self._calls.pop(name, None)

    def stop(self) -> None:
        """End all requests at work."""
        with self._lock:
            for call in self._calls.values():
                call.stop()

    def cancelled(self, name: str) -> bool:
        """Return whether a line that cancels a request has ended one."""
        with self._lock:
            if name not in self._waiting:
                self._lines.pop(name, None)
            found = name in self._ended
            self._ended.discard(name)
        return found


class Server:
    """Answer lines one by one; with ``with_sessions``, boards may be kept between lines.

    >>> from linkoracle.cli.work import Settings
    >>> server = Server(Settings(limit=1))
    >>> print(server.answer(1, b'{"id": 7, "op": "close", "session": "a"}').line)
    {"id": 7, "line": 1, "code": "no_session", "error": "<stdin>:1: no session 'a' is open"}
    """

    def __init__(self, settings: Settings, *, with_sessions: bool = True) -> None:
        self.settings = settings
        self.sessions: dict[str, SessionRequests] = {}
        self.requests = Requests()
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
            with self.requests.at_work(request):
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
        if name == "cancel":
            request.only(("op", "id"))
            if request.id is None:
                request.fail("expected the 'id' of the request to cancel, found none")
            return {"op": name, "cancelled": self.requests.cancelled(request.id)}
        request.only(("op", "id", "session", *OPERATIONS[name], *_more_keys(name)))
        if not self._with_sessions:
            request.fail("sessions are answered by threads of one process")
        called = request.name("session")
        known = {"op": name, "session": called}
        if name == "open":
            return {**known, **self._open(called, request)}
        session = self.sessions.get(called)
        if session is None:
            reason = f"no session {quoted(called)} is open"
            raise _NoSession(reason, source="<stdin>", line=request.line)
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
    "cancel": (),
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
    code = next((code for kind, code in _CODES if isinstance(error, kind)), "bad_input")
    reason = str(error) or "out of memory"
    if isinstance(error, RecursionError):
        reason = f"<stdin>:{line}: too deep a nesting"
    return {"line": line, "code": code, "error": reason}


def serve(stream: BinaryIO, settings: Settings, executor: Executor | None) -> int:
    """Answer every line of ``stream`` on standard output; return the exit status.

    Without an ``executor``, lines are answered in their order. With an ``executor``, its workers
    count puzzles in their order; sessions are answered by as many threads, each session in its
    order.
    """
    statuses, lock = {0}, threading.Lock()

    def show(answer: Answer | None) -> None:
        if answer is not None:
            with lock:
                click.echo(answer.line)
                statuses.add(answer.status)

    with closing(Server(settings)) as server, closing(Threads(server, executor, show)) as threads:
        with closing(_answers(stream, settings, executor, server, threads)) as answers:
            for answer in answers:
                show(answer)
        threads.finish()
    return next(status for status in _WORST if status in statuses)


class Threads:
    """Threads that answer the requests of sessions, as many as there are workers.

    The requests of one session are answered one by one, those of others meanwhile.
    """

    def __init__(
        self, server: Server, executor: Executor | None, show: Callable[[Answer | None], None]
    ) -> None:
        self._server, self._show = server, show
        workers = getattr(executor, "workers", 1)
        self._pool: Executor | None = None
        if executor is not None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(workers)
        self._waiting: dict[str, deque[Line]] = {}
        self._lock = threading.Lock()

    def take(self, line: int, data: bytes) -> bool:
        """Answer a line if it is for a session, or cancels a request; return whether it is."""
        request = self._server.requests.read(line, data)
        if request is None or self._pool is None:
            return False
        name = str(request.members.get("session", f"cancel {line}"))
        self._server.requests.wait(request)
        with self._lock:
            begins = name not in self._waiting
            self._waiting.setdefault(name, deque()).append((line, data))
        if begins:
            self._pool.submit(self._answer, name)
        return True

    def _answer(self, name: str) -> None:
        while True:
            with self._lock:
                if not self._waiting[name]:
                    del self._waiting[name]
                    return
                one = self._waiting[name].popleft()
            self._show(self._server.answer(*one))

    def finish(self) -> None:
        """Wait until all is answered."""
        if self._pool is not None:
            self._pool.shutdown()

    def close(self) -> None:
        """End what is at work."""
        if self._pool is not None:
            self._server.requests.stop()
            self._pool.shutdown(cancel_futures=True)


def _answers(
    stream: BinaryIO,
    settings: Settings,
    executor: Executor | None,
    server: Server,
    threads: Threads,
) -> Generator[Answer | None, None, None]:
    workers = getattr(executor, "workers", 1)
    depth = _AHEAD if executor is None else _DEPTH * workers
    ahead: Queue[Line | FormatError | None] = Queue(depth)

    def read() -> None:
        try:
            for one in lines(stream):
                if not threads.take(*one):
                    ahead.put(one)
            ahead.put(None)
        except FormatError as error:
            ahead.put(error)

    threading.Thread(target=read, daemon=True).start()
    arrived = Arrived(ahead)
    if executor is None:
        while arrived.wait():
            yield from (server.answer(*one) for one in arrived)
        return
    from linkoracle.batch import ordered

    settings = settings.shared(workers)
    while arrived.wait():
        yield from ordered(executor, partial(_answer, settings), arrived)


def _answer(settings: Settings, one: Line) -> Answer | None:
    return Server(settings, with_sessions=False).answer(*one)
