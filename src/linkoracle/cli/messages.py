"""JSON: the `lines` of `count-solutions --jsonl`, the `Request` on a line, answers, and paths."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, Queue
from typing import Any, BinaryIO, NoReturn

from linkoracle.board import Board, Solution
from linkoracle.cli.work import Settings, time_limit
from linkoracle.core import FormatError, SearchTimeout, quoted
from linkoracle.engines import CountResult
from linkoracle.formats import (
    DECODER,
    MAX_LINE,
    Members,
    NoInteger,
    Pairs,
    not_json,
    place_named,
    shown,
)
from linkoracle.kinds import Puzzle

#: The most bytes of a line: a character takes four at most.
MOST_BYTES = 4 * MAX_LINE
#: The number of a line, from 1, and the bytes of the line.
Line = tuple[int, bytes]


def _no_number(text: str) -> NoReturn:
    # Python reads NaN and Infinity; other languages need not, and an `id` is sent back.
    raise ValueError(f"no number is called {text}")


def _integer(text: str) -> object:
    """Return a number, or its text if Python would write the number in another way."""
    number = DECODER.parse_int(text)
    return number if str(number) == text else NoInteger(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=Pairs, parse_int=_integer, parse_float=NoInteger, parse_constant=_no_number
)


class Request(Members):
    """Line ``line`` of standard input, and its members if the line is a JSON object.

    Invalid input raises `FormatError`.

    >>> request = Request('{"id": {"x": 1.50}, "limit": 2}', 1)
    >>> request.id, request.number("limit"), request.flag("show")
    ('{"x": 1.50}', 2, False)
    """

    def __init__(self, text: str, line: int) -> None:
        self.line = line
        self.text = text
        #: The member ``id`` as JSON, written as it came; ``None`` when there is none.
        self.id: str | None = None
        self.members: dict[str, Any] = {}
        self._repeated = False
        if text.lstrip("\ufeff \t")[:1] != "{":
            return
        try:
            pairs = _DECODER.decode(text.removeprefix("\ufeff"))
            self.members = dict(pairs)
            if "id" in self.members:
                self.id = as_json(self.members["id"])
        except RecursionError:
            self.fail("expected a request, found too deep a nesting")
        except ValueError as error:
            if isinstance(error, json.JSONDecodeError):
                self.fail(not_json(error), error.colno)
            self.fail(f"not valid JSON: {error}")
        self._repeated = len(pairs) > len(self.members)

    def fail(self, reason: str, column: int | None = None) -> NoReturn:
        """Raise the error of this line for ``reason``."""
        raise FormatError(reason, source="<stdin>", line=self.line, column=column) from None

    def only(self, known: Collection[str]) -> None:
        """Raise an error for a key that is not ``known``, or is given twice."""
        for key in self.members:
            if key not in known:
                self.fail(f"unknown key {quoted(key)}; known here: {', '.join(known)}")
        if self._repeated:
            self.fail("expected every key once, found one twice")


def as_json(value: object) -> str:
    """Return a decoded value as JSON: the same numbers to the last digit, the same keys."""
    if isinstance(value, Pairs):
        return f"{{{', '.join(f'{json.dumps(key)}: {as_json(one)}' for key, one in value)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(as_json, value))}]"
    return value.text if isinstance(value, NoInteger) else json.dumps(value)


def lines(stream: BinaryIO) -> Iterator[Line]:
    """Yield every line as soon as it is complete, or too long; skip the rest of a long line.

    Raises `FormatError` if the input cannot be read. A file is read unbuffered: a thread that waits
    for a buffered line holds a lock that Python needs at exit.
    """
    read: Callable[[int], bytes] = stream.read
    with suppress(OSError):
        read = partial(os.read, stream.fileno())
    number = 1
    begun = bytearray()
    skipping = False
    try:
        while data := read(1 << 16):
            *whole, rest = data.split(b"\n")
            for part in whole:
                if not skipping:
                    yield number, bytes(begun + part)
                number, skipping = number + 1, False
                begun.clear()
            begun += rest * (not skipping)
            if len(begun) > MOST_BYTES:
                yield number, bytes(begun)
                begun.clear()
                skipping = True
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", source="<stdin>") from None
    if begun:
        yield number, bytes(begun)


class Arrived(Iterator[Line]):
    """Yield the lines available now, without waiting for more; the iteration can go on later.

    So a program that sends its next line only after the last answer does not wait for ever.
    """

    def __init__(self, ahead: Queue[Line | FormatError | None]) -> None:
        self._ahead = ahead
        self._next: Line | FormatError | None = None

    def wait(self) -> bool:
        """Wait for a line; return whether there is one. Raises what reading the line raised."""
        self._next = self._ahead.get()
        if isinstance(self._next, FormatError):
            raise self._next
        return self._next is not None

    def __next__(self) -> Line:
        one, self._next = self._next, None
        try:
            one = one or self._ahead.get_nowait()
        except Empty:
            raise StopIteration from None
        if isinstance(one, tuple):
            return one
        # `wait` reports the end. The queue has space for the end, as nothing comes after it.
        self._ahead.put(one)
        raise StopIteration


def about(puzzle: Puzzle) -> dict[str, Any]:
    """Return the members of an answer that describe its puzzle."""
    members: dict[str, Any] = {"kind": puzzle.kind, "variant": puzzle.variant}
    return {**members, **puzzle.faces.dimensions}


def count_members(answer: tuple[CountResult, float] | SearchTimeout, show: bool) -> dict[str, Any]:
    """Return the members of an answer for a count and its seconds, or for a timeout.

    Solutions are lists of paths over ``[row, column]``.
    """
    if isinstance(answer, SearchTimeout):
        return {"count": answer.found, "exact": False, "error": str(answer)}
    result, seconds = answer
    members = {key: getattr(result, key) for key in ("count", "exact", "engine")}
    members["seconds"] = round(seconds, 6)
    if show:
        members["solutions"] = [solution.paths() for solution in result.solutions]
    return members


def count_of(
    settings: Settings, count: Callable[[], CountResult], known: dict[str, Any]
) -> dict[str, Any]:
    """Return the ``known`` members of a puzzle or a session, and those of its count."""
    started = time.perf_counter()
    try:
        with time_limit(settings.timeout):
            result = count()
    except SearchTimeout as error:
        return {**known, "code": "timeout", **count_members(error, settings.show)}
    return {**known, **count_members((result, time.perf_counter() - started), settings.show)}


@contextmanager
def reading_paths(what: str, source: str, line: int | None = None) -> Iterator[None]:
    """Raise `FormatError` if the code inside finds that JSON is not an object with ``what``."""
    try:
        yield
    except (ValueError, RecursionError) as error:
        found = "found too deep a nesting" if isinstance(error, RecursionError) else str(error)
        if isinstance(error, json.JSONDecodeError):
            found, line = not_json(error), error.lineno if line is None else line
        reason = f"expected a JSON object with {what}, lists of paths over [row, column]; {found}"
        column = error.colno if isinstance(error, json.JSONDecodeError) else None
        raise FormatError(reason, source=source, line=line, column=column) from None


def json_object(text: str) -> dict[str, Any]:
    """Return the members of a JSON object; ``ValueError`` for other text or a repeated key."""
    found = DECODER.decode(text)
    if not isinstance(found, Pairs):
        raise ValueError(f"found {shown(found)}")
    if len(members := dict(found)) < len(found):
        raise ValueError("found a key twice")
    return members


def from_json(board: Board, paths: object) -> Solution:
    """Return the edges of vertex paths from JSON; ``ValueError`` if invalid."""
    if type(paths) is not list:
        raise ValueError(f"found {shown(paths)} in place of a list of paths")
    for path in paths:
        if type(path) is not list or len(path) < 2:
            raise ValueError(f"found {shown(path)} in place of a path over two places or more")
    walks = [[board.position(_vertex(board, place)) for place in path] for path in paths]
    return Solution.from_paths(board, walks)


def _vertex(board: Board, place: Any) -> int:
    """Return the vertex of this name; raise ``ValueError`` if there is none."""
    try:
        return place_named(board.vertex_of, place)
    except ValueError:
        expected = f"{board.name_form}, of {board.vertices_in_words('place')}"
        raise ValueError(f"found {shown(place)} in place of {expected}") from None
