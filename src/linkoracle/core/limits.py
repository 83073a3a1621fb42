"""Limits: on options and other arguments; on time and conflicts; on memory; Ctrl-C.

An invalid argument raises ``ValueError``; a missing key or index raises ``KeyError`` or
``IndexError``. Errors caused by input, limits or the machine derive from
`linkoracle.core.errors.LinkOracleError` instead.
"""

from __future__ import annotations

import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import cache, wraps
from operator import index
from types import FrameType
from typing import Any, Self, SupportsFloat, TypeVar

from linkoracle.core.errors import (
    ClosedError,
    ConflictLimit,
    Interrupted,
    MemoryLimit,
    SearchTimeout,
    shown_size,
)


def checked_int(value: object, what: str, least: int | None = None, most: int | None = None) -> int:
    """Return ``value`` as an ``int``; ``ValueError`` unless it is a whole number in the range.

    Accepts whole numbers of other types, such as NumPy's, but not ``True``, ``2.0`` or ``"2"``.

    >>> checked_int(3, "a limit", 1)
    3
    >>> checked_int(2.9, "a clue", 0, 4)
    Traceback (most recent call last):
        ...
    ValueError: expected a clue from 0 to 4, got 2.9
    """
    try:
        number = None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    low, high = -math.inf if least is None else least, math.inf if most is None else most
    if number is None or not low <= number <= high:
        bounds = "" if least is None else f" from {least}"
        bounds += "" if most is None else f" to {most}"
        kind = "" if bounds else ", a whole number"
        raise ValueError(f"expected {what}{bounds}{kind}, got {value!r}")
    return number


def checked_word(value: object, what: str, words: Collection[str]) -> str:
    """Return ``value`` if it is one of the words; ``ValueError`` if not.

    >>> checked_word("up", "a side", ["left", "right"])
    Traceback (most recent call last):
        ...
    ValueError: expected a side out of left, right; got 'up'
    """
    if value not in [*words]:
        raise ValueError(f"expected {what} out of {', '.join(words)}; got {value!r}")
    return str(value)


def check_names(options: Iterable[str], known: Collection[str]) -> None:
    """Raise ``TypeError`` for an option that is not known, with the nearest that is.

    >>> check_names(["seed", "symetry"], ["seed", "symmetry"])
    Traceback (most recent call last):
        ...
    TypeError: unexpected option 'symetry'. Did you mean 'symmetry'? The options are seed, symmetry.
    """
    for name in options:
        if name not in known:
            from difflib import get_close_matches

            near = get_close_matches(name, [*known], 1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise TypeError(
                f"unexpected option {name!r}.{hint} The options are {', '.join(known)}."
            )


Function = TypeVar("Function", bound=Callable[..., Any])


def named(function: Function) -> Function:
    """Return a function that answers a misspelt option with the nearest: see `check_names`."""

    @wraps(function)
    def called(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except TypeError:
            explain_names(function, options)
            raise

    return called  # type: ignore[return-value]


def explain_names(function: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Raise `check_names` for options that a function does not have, if it takes no others."""
    from inspect import Parameter, signature

    takes = signature(function).parameters.values()
    if all(one.kind != Parameter.VAR_KEYWORD for one in takes):
        check_names(options, [one.name for one in takes if one.name != "self"])


def checked_seconds(timeout: object) -> float | None:
    """Return a time limit in seconds, ``None`` for no limit; ``ValueError`` unless positive.

    >>> checked_seconds(2), checked_seconds(None)
    (2.0, None)
    >>> checked_seconds(float("nan"))
    Traceback (most recent call last):
        ...
    ValueError: expected a positive number of seconds, got nan
    """
    if timeout is None:
        return None
    try:
        seconds = math.nan if isinstance(timeout, (bool, str)) else float(timeout)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        seconds = math.nan
    if not seconds > 0:
        raise ValueError(f"expected a positive number of seconds, got {timeout!r}")
    return seconds


def checked_memory(memory: object) -> int | None:
    """Return a memory limit in bytes, ``None`` for no limit; ``ValueError`` if invalid.

    >>> checked_memory(1 << 30), checked_memory(None)
    (1073741824, None)
    >>> checked_memory(0)
    Traceback (most recent call last):
        ...
    ValueError: expected a memory limit in bytes from 1, got 0
    """
    if memory is None:
        return None
    # More than any machine can address is no limit.
    return min(checked_int(memory, "a memory limit in bytes", 1), sys.maxsize)


# -- options of requests --

#: The labels of grades, the easiest first. `linkoracle.deduce` says what they mean.
LABELS = ("easy", "normal", "tricky", "hard", "extreme", "fiendish", "brutal")
#: More cells than any board has.
MANY = 10**9
#: The version of scores and labels; grades of the first, which do not compare, have no number.
SCALE = 3

#: Called with a line of text about the work, and the fraction of it that is done, if known.
Progress = Callable[[str, float | None], None]


@dataclass(frozen=True)
class Option:
    """The description of an option of a request, apart from its type and its default.

    ``words`` are the allowed values. A number is allowed from ``least``, or above ``above``, to
    ``most``. ``form`` is the notation of other values on the command line, and ``flag`` the name
    there if it differs. The studio offers an option that has a ``title``, with the values in
    ``offered`` or else all ``words``.
    """

    help: str
    default: Any = None
    words: Collection[str] = ()
    least: float | None = None
    above: float | None = None
    most: float | None = None
    form: str = ""
    flag: str = ""
    title: str = ""
    offered: Collection[str] = ()

    def check(self, name: str, value: object) -> None:
        """Raise ``ValueError`` unless the value is one of the words, in the range, or a bool."""
        if self.words:
            checked_word(value, name, self.words)
        if isinstance(self.least, int):
            checked_int(value, name.replace("_", " "), self.least)
        if isinstance(self.default, bool) and not isinstance(value, bool):
            raise ValueError(f"expected True or False for {name}, got {value!r}")


def declare(default: Any, help: str, *, hash: bool | None = None, **more: Any) -> Any:  # noqa: A002
    """Declare an option of a request: a field of a dataclass; ``more`` is as in `Option`.

    >>> @dataclass(frozen=True)
    ... class Request:
    ...     limit: int | None = declare(None, "Stop at N solutions.", least=1)
    >>> options_of(Request)["limit"].least
    1
    """
    made = {"default_factory": default} if default is dict else {"default": default}
    return field(
        **made, hash=hash, metadata={"option": Option(help, made.get("default", {}), **more)}
    )


def options_of(request: type[Any]) -> dict[str, Option]:
    """Return the options of a dataclass by field name."""
    return {one.name: one.metadata["option"] for one in fields(request) if "option" in one.metadata}


_declared = cache(options_of)


def check_options(request: Any) -> None:
    """Raise ``ValueError`` for an option of a request that is not as declared, nor the default."""
    for name, one in _declared(type(request)).items():  # type: ignore[arg-type]
        if (value := getattr(request, name)) is not None or one.default is not None:
            one.check(name, value)


# -- time and conflicts --

#: A function that `Deadline.check` calls. It may raise ``KeyboardInterrupt`` where there are no
#: signals, as in a browser.
heed: Callable[[], object] | None = None


#: Seconds between two calls that stop work which goes on past its deadline.
RETRY_SECONDS = 0.02

#: A time limit in seconds, or ``None`` for none. Calls that share a time limit pass a `Deadline`.
Timeout = SupportsFloat | None

Done = TypeVar("Done")


#: What is left of a time limit that is over.
_NO_TIME = 1e-9


class Call:
    """Work of this thread, in a ``with`` block, that another thread may `stop`.

    `Deadline.check` then raises `Interrupted`. Of blocks in each other the outermost one counts.

    >>> with Call() as call:
    ...     call.stop()
    ...     Deadline(None).check()
    Traceback (most recent call last):
        ...
    linkoracle.core.errors.Interrupted: interrupted
    """

    _stopped = False

    def stop(self) -> None:
        """End the work at its next look at the clock."""
        self._stopped = True

    def __enter__(self) -> Self:
        self._thread = threading.get_ident()
        if _calls.setdefault(self._thread, self) is not self:
            self._thread = 0
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread:
            del _calls[self._thread]


#: By thread, the work that may be stopped.
_calls: dict[int, Call] = {}


def check_call() -> None:
    """Raise `Interrupted` if the work of this thread was stopped."""
    call = _calls.get(threading.get_ident())
    if call is not None and call._stopped:
        raise Interrupted("interrupted")


Method = TypeVar("Method", bound=Callable[..., Any])


def interruptible(method: Method) -> Method:
    """Return a method of an `Interruptible` that `Interruptible.interrupt` ends."""

    @wraps(method)
    def called(self: Interruptible, *arguments: Any, **options: Any) -> Any:
        if self._call is not None:
            return method(self, *arguments, **options)
        self._call = Call()
        try:
            with self._call:
                return method(self, *arguments, **options)
        except TypeError:
            explain_names(method, options)
            raise
        finally:
            self._call = None

    return called  # type: ignore[return-value]


class Deadline:
    """A time after which `check` raises, and a conflict budget after which `spend` raises.

    Queries may share it. ``None`` means no limit. Raises ``ValueError`` for limits that are not
    positive.
    """

    def __init__(self, timeout: Timeout, conflicts: int | None = None) -> None:
        self._seconds = checked_seconds(timeout)
        if conflicts is not None:
            checked_int(conflicts, "a limit of conflicts", 1)
        self._until = time.monotonic() + (self._seconds or math.inf)
        self._conflicts = conflicts
        self._spent = 0
        self._answered: Callable[[], bool] | None = None
        #: Number of solutions seen so far, for the error message.
        self.found = 0

    @classmethod
    def of(cls, timeout: Timeout) -> Deadline:
        """Return ``timeout`` if it is a deadline, else a new one in ``timeout`` seconds."""
        return timeout if isinstance(timeout, Deadline) else cls(timeout)

    def __float__(self) -> float:
        return self.seconds

    def with_conflicts(
        self, conflicts: int, answered: Callable[[], bool] | None = None
    ) -> Deadline:
        """Return a deadline at the same time, with its own conflict budget.

        The budget counts as exhausted, too, once ``answered`` returns true.
        """
        limited = Deadline(None, conflicts)
        limited._seconds, limited._until, limited.found = self._seconds, self._until, self.found
        limited._answered = answered or self._answered
        return limited

    def after(self, share: float) -> Deadline:
        """Return a deadline of the same limit, at which this share of the time left is over."""
        sooner = Deadline(None)
        sooner._seconds, sooner._until = self._seconds, time.monotonic() + share * self.seconds
        return sooner

    @property
    def left(self) -> float | None:
        """The seconds left, above 0, to pass on as a ``timeout``; ``None`` without a limit."""
        return None if self._seconds is None else max(self._until - time.monotonic(), _NO_TIME)

    @property
    def seconds(self) -> float:
        """The seconds left, for a kernel: infinite without a limit."""
        return self._until - time.monotonic()

    def run(self, work: Callable[[], Done], stop: Callable[[], object]) -> Done:
        """Run compiled ``work`` in another thread and return its result, so that Ctrl-C works.

        ``work`` must release the interpreter's lock. At the deadline or on Ctrl-C, ``stop`` is
        called repeatedly until the work ends; then `SearchTimeout` or ``KeyboardInterrupt`` is
        raised.
        """
        from concurrent.futures import Future, wait

        done: Future[Done] = Future()

        def do() -> None:
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        worker = threading.Thread(target=do, daemon=True)
        try:
            with deferred_signals():
                worker.start()
            while threading.get_ident() in _calls and not done.done() and self.left != _NO_TIME:
                check_call()
                wait([done], RETRY_SECONDS)
            # A lock cannot wait for thousands of years.
            wait([done], None if self.left is None else min(self.left, threading.TIMEOUT_MAX))
        finally:
            with deferred_signals():
                while worker.is_alive() and not wait([done], RETRY_SECONDS).done:
                    stop()
        self.check()
        return done.result()

    def check(self) -> None:
        """Raise `SearchTimeout` if the time is up, `Interrupted` after `Call.stop`; call `heed`."""
        if heed is not None:
            heed()
        if _calls:
            check_call()
        if self._seconds is not None and time.monotonic() >= self._until:
            raise SearchTimeout(self._seconds, self.found)

    def spend(self, conflicts: int) -> None:
        """Count conflicts; raise `ConflictLimit` if the budget is exhausted."""
        self._spent += conflicts
        if self.used_up or (self._answered is not None and self._answered()):
            raise ConflictLimit(f"undecided after {self._spent} conflicts")

    @property
    def conflicts(self) -> int | None:
        """The conflicts left, at least one; ``None`` without a limit."""
        return None if self._conflicts is None else max(1, self._conflicts - self._spent)

    @property
    def used_up(self) -> bool:
        """Whether the conflict budget is exhausted; does not call ``answered``."""
        return self._conflicts is not None and self._spent >= self._conflicts


class Closing:
    """A base of what holds memory, files or processes until `close`.

    >>> with Closing() as search:
    ...     search.check_open()
    >>> search.check_open()
    Traceback (most recent call last):
        ...
    linkoracle.core.errors.ClosedError: the search is closed. Make a new one.
    """

    _closed = False

    def close(self) -> None:
        """Free what this holds; it cannot be used afterwards."""
        self._closed = True

    def check_open(self) -> None:
        """Raise `ClosedError` after `close`."""
        if self._closed:
            raise ClosedError("the search is closed. Make a new one.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Interruptible(Closing):
    """A base of what answers queries that another thread may `interrupt`."""

    _call: Call | None = None

    @contextmanager
    def _calling(self, call: Call) -> Iterator[None]:
        """Let `interrupt` end the work inside."""
        if self._call is not None:
            yield
            return
        self._call = call
        try:
            with call:
                yield
        finally:
            self._call = None

    def interrupt(self) -> bool:
        """End the query that is running; it raises `Interrupted`, mostly within 0.1 s.

        For other threads. Returns whether a query was running. Later queries are answered as if
        there had been none.
        """
        call = self._call
        if call is not None:
            call.stop()
        return call is not None


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Delay Ctrl-C until the end of this block, so that its steps are done together.

    For short steps. Does nothing outside the main thread, or if Python does not handle Ctrl-C.
    """
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: held.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if held:
            handler(*held[0])


# -- memory --


def check_memory(what: str, needed: int, limit: int) -> None:
    """Raise `MemoryLimit` with the message "``what`` 5 MB ..." if ``needed`` exceeds ``limit``."""
    if needed > limit:
        raise MemoryLimit(f"{what} {shown_size(needed)}, over the limit of {shown_size(limit)}")


#: Most edges of a board whose memory limit is fixed, as it needs little; the limit in bytes.
_SMALL_BOARD, _SMALL_LIMIT = 100_000, 1 << 30


def checked_limit(memory: object) -> int:
    """Return a memory limit in bytes, `default_limit` for ``None``; ``ValueError`` if invalid."""
    from linkoracle.core.machine import default_limit

    return checked_memory(memory) or default_limit()


def limit_for(edges: int) -> int:
    """Return the memory limit for work on a board with this number of edges.

    `default_limit`, but a constant for small boards: finding the free memory takes 0.1 ms.
    """
    if edges <= _SMALL_BOARD:
        return _SMALL_LIMIT
    from linkoracle.core.machine import default_limit

    return default_limit()
