"""What an argument may be, and what may stop work: time, memory, Ctrl-C.

A call that makes no sense raises ``ValueError`` (``KeyError`` and ``IndexError`` where a place is
asked for that does not exist). Whatever input, limits or the machine can cause derives from
`linkoracle.core.errors.LinkOracleError` instead.
"""

from __future__ import annotations

import math
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import cache
from operator import index
from pathlib import Path
from threading import TIMEOUT_MAX, Thread
from types import FrameType
from typing import Any, BinaryIO, Generic, TypeVar

from linkoracle.core.errors import (
    ConflictLimit,
    FormatError,
    MemoryLimit,
    SearchTimeout,
    counted,
)

#: The labels of grades, the easiest first. `linkoracle.deduce` says what they mean.
LABELS = ("easy", "normal", "tricky", "hard", "extreme", "fiendish", "brutal")


def checked_int(value: object, what: str, least: int | None = None, most: int | None = None) -> int:
    """``value`` as an ``int``, or ``ValueError`` for what is no whole number from least to most.

    Whole numbers of other types, such as NumPy's, are taken; ``True``, ``2.0`` and ``"2"`` are not.

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


def checked_seconds(timeout: object) -> float | None:
    """A time limit in seconds, or ``None`` for none; ``ValueError`` for what is no positive time.

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
    """A memory limit in bytes, or ``None`` for none; ``ValueError`` for no whole number from 1.

    >>> checked_memory(1 << 30), checked_memory(None)
    (1073741824, None)
    >>> checked_memory(0)
    Traceback (most recent call last):
        ...
    ValueError: expected a memory limit in bytes from 1, got 0
    """
    return None if memory is None else checked_int(memory, "a memory limit in bytes", 1)


@dataclass(frozen=True)
class Option:
    """What there is to say of an option of a request besides its type.

    ``words`` are all that it may be; a number is from ``least``, or more than ``above``, to
    ``most``. Of what else it may be, ``form`` names the notation on the command line, where it is
    called ``flag`` if not by its own name; ``was`` is the name that it had before. The page of the
    studio offers an option that has a ``title``, with the words in ``offered`` if not all.
    """

    help: str
    default: Any = None
    words: Collection[str] = ()
    least: float | None = None
    above: float | None = None
    most: float | None = None
    form: str = ""
    flag: str = ""
    was: str = ""
    title: str = ""
    offered: Collection[str] = ()

    def check(self, name: str, value: object) -> None:
        """Raise ``ValueError`` for what is none of the words, or no whole number in the range."""
        if self.words and value not in [*self.words]:
            raise ValueError(f"expected a {name} out of {', '.join(self.words)}; got {value!r}")
        if isinstance(self.least, int):
            checked_int(value, name.replace("_", " "), self.least)


def declare(default: Any, help: str, *, hash: bool | None = None, **more: Any) -> Any:  # noqa: A002
    """A field of a dataclass that users may ask for, declared once; ``more`` is as in `Option`.

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
    """The options of a dataclass by the names of their fields."""
    found = {one.name: one.metadata.get("option") for one in fields(request)}
    return {name: one for name, one in found.items() if one is not None}


def check_options(request: Any) -> None:
    """Raise ``ValueError`` for an option of a request that is not as declared, nor the default."""
    for name, one in options_of(type(request)).items():
        if (value := getattr(request, name)) is not None or one.default is not None:
            one.check(name, value)


#: Seconds between two calls that shall stop what goes on past a deadline.
_AGAIN = 0.02

Done = TypeVar("Done")


class Deadline:
    """A moment after which `check` raises, and a number of conflicts after which `spend` does.

    Questions may share it. ``None`` is no limit. ``ValueError`` for limits that are not positive.
    """

    def __init__(self, seconds: float | None, conflicts: int | None = None) -> None:
        seconds = checked_seconds(seconds)
        if conflicts is not None:
            checked_int(conflicts, "a limit of conflicts", 1)
        self._seconds = seconds
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self._conflicts = conflicts
        self._spent = 0
        self._answered: Callable[[], bool] | None = None
        #: Solutions seen so far, for the error message.
        self.found = 0

    @classmethod
    def of(cls, timeout: float | Deadline | None) -> Deadline:
        """The deadline itself, or a new one so many seconds from now."""
        return timeout if isinstance(timeout, Deadline) else cls(timeout)

    def with_conflicts(
        self, conflicts: int, answered: Callable[[], bool] | None = None
    ) -> Deadline:
        """The same moment, with a limit of conflicts of its own.

        They are used up, too, when ``answered`` says that others have the answer.
        """
        limited = Deadline(None, conflicts)
        limited._seconds, limited._until, limited.found = self._seconds, self._until, self.found
        limited._answered = answered or self._answered
        return limited

    @property
    def left(self) -> float | None:
        """Seconds until then, above 0, as a ``timeout``."""
        return None if self._seconds is None else max(self._until - time.monotonic(), 1e-9)

    @property
    def seconds(self) -> float:
        """Seconds until then, as a kernel takes them: infinite without a limit."""
        return self._until - time.monotonic()

    def run(self, work: Callable[[], Done], stop: Callable[[], object]) -> Done:
        """What compiled ``work`` returns, done in another thread: Ctrl-C waits for this one.

        It must release the interpreter's lock. At the moment or Ctrl-C, ``stop`` is called again
        and again until it is over; then raises `SearchTimeout` or ``KeyboardInterrupt``.
        """
        from concurrent.futures import Future, wait

        done: Future[Done] = Future()

        def do() -> None:
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        worker = Thread(target=do, daemon=True)
        try:
            with deferred_signals():
                worker.start()
            # Thousands of years are more than a lock can wait.
            wait([done], None if self.left is None else min(self.left, TIMEOUT_MAX))
        finally:
            with deferred_signals():
                while worker.is_alive() and not wait([done], _AGAIN).done:
                    stop()
        self.check()
        return done.result()

    def check(self) -> None:
        """Raise `SearchTimeout` if the moment has come."""
        if self._seconds is not None and time.monotonic() >= self._until:
            raise SearchTimeout(self._seconds, self.found)

    def spend(self, conflicts: int) -> None:
        """Count conflicts; raise `ConflictLimit` if they are used up."""
        self._spent += conflicts
        if self.used_up or (self._answered is not None and self._answered()):
            raise ConflictLimit(f"undecided after {self._spent} conflicts")

    @property
    def conflicts(self) -> int | None:
        """Conflicts that are left, at least one; ``None`` without a limit."""
        return None if self._conflicts is None else max(1, self._conflicts - self._spent)

    @property
    def used_up(self) -> bool:
        """Whether all conflicts are, whatever others have answered."""
        return self._conflicts is not None and self._spent >= self._conflicts


#: Work that says what it has spent since it said so last. `None` is no answer.
Work = Generator[float, None, Done]


class Turns(Generic[Done]):
    """Work that can be left and taken up again."""

    def __init__(self, work: Work[Done | None]) -> None:
        self._work = work
        self._spent = 0.0
        self._lost: MemoryLimit | None = None
        self.answer: Done | None = None

    def go_on(self, effort: float) -> bool:
        """Work until ``effort`` has been spent in all; True when that is the end of it.

        Raises `MemoryLimit` when the work did, and at each later turn again.
        """
        if self._lost is not None:
            raise self._lost
        while self._spent < effort:
            try:
                self._spent += next(self._work)
            except StopIteration as end:
                self.answer = end.value
                return True
            except MemoryLimit as error:
                self._lost = error
                raise
        return False

    def close(self) -> None:
        self._work.close()


#: Called with a line about the work, and the share of it that is done where that is known.
Progress = Callable[[str, float | None], None]


_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]i?)?b?", re.IGNORECASE)


def parse_size(text: str) -> int:
    """Read a size in bytes, such as ``4GB``, ``512 MiB`` or ``4096``.

    Raises ``ValueError`` for anything else, and for less than one byte.

    >>> parse_size("4GB"), parse_size("1.5 GiB"), parse_size("4096")
    (4000000000, 1610612736, 4096)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"expected a size such as 4GB or 512MiB, found {text!r}")
    unit = (match[2] or "").lower()
    size = int(float(match[1]) * (_UNITS | _BINARY)[unit])
    if size < 1:
        raise ValueError(f"expected a size of at least one byte, found {text!r}")
    return size


def shown_size(size: int) -> str:
    """Return a size in bytes as messages show it, with two digits.

    >>> shown_size(3_240_000_000_000), shown_size(999), shown_size(12_345_678)
    ('3.2 TB', '999 bytes', '12 MB')
    """
    if size < 1000:
        return counted(size, "byte")
    # Rounded first, since 999 950 bytes are 1 MB.
    digits = len(str(size)) - 2
    rounded = (size + 10**digits // 2) // 10**digits * 10**digits
    power = min((len(str(rounded)) - 1) // 3, 6)
    return f"{rounded / 1000**power:,g} {'kMGTPE'[power - 1]}B"


#: Bytes of the longest text: more would fill the memory before anything is answered.
MAX_TEXT = 100_000_000


def whole(stream: BinaryIO, name: str) -> bytes:
    """All that is in a stream; `FormatError`, with its name, for more than `MAX_TEXT` bytes."""
    data = stream.read(MAX_TEXT + 1)
    if len(data) > MAX_TEXT:
        raise FormatError(f"expected at most {MAX_TEXT} bytes, found more", source=name)
    return data


def check_memory(what: str, needed: int, limit: int) -> None:
    """Raise `MemoryLimit`, "``what`` so many MB ...", when more bytes are needed than allowed."""
    if needed > limit:
        raise MemoryLimit(f"{what} {needed >> 20} MB, over the limit of {limit >> 20} MB")


#: Edges up to which a board takes so little memory that the machine is not asked how much is free.
_SMALL_BOARD, _SMALL_LIMIT = 100_000, 1 << 30


def default_limit() -> int:
    """Half of the memory that is free now, in bytes.

    On Linux, free is what is available, also to the control group; elsewhere half of all memory.
    """
    try:
        fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        free = int(fields["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
    try:
        group = Path("/sys/fs/cgroup")
        limit = int((group / "memory.max").read_text())
        free = min(free, limit - int((group / "memory.current").read_text()))
    except (OSError, ValueError):
        pass  # No limit, or not this kind of control group.
    return max(free // 2, 1)


def limit_for(edges: int) -> int:
    """`default_limit` for what is done on a board of so many edges, in memory that grows with it.

    To ask the machine takes a tenth of a millisecond.
    """
    return default_limit() if edges > _SMALL_BOARD else _SMALL_LIMIT


#: How many processes share the processors that this one may use.
_sharing = 1


def share_processors(processes: int) -> None:
    """Say that so many processes, this one among them, are at work at a time."""
    global _sharing
    _sharing = checked_int(processes, "a number of processes", 1)


def processors() -> int:
    """How many processors this process may use: on Linux maybe fewer than the machine has.

    Of those that `share_processors` says are shared, its share, at least one.
    """
    known = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        known = len(os.sched_getaffinity(0))
    return max(1, known // _sharing)


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Ctrl-C takes effect after what happens inside, so that it is done and counted, or neither.

    For short steps. Does nothing outside of the main thread, or where Python does not see Ctrl-C.
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


@cache
def leave_interrupts_to_python() -> None:
    """See to Ctrl-C during PySAT's work as soon as its call is over.

    In the main thread, PySAT's C code leaves its work by a long jump from a signal handler, maybe
    in the middle of an allocation; then the process hangs or aborts now and then. In other threads
    Python raises ``KeyboardInterrupt`` after the call, with the solver whole. So PySAT is told that
    it is in another thread when one of our modules calls. What may take long is asked in pieces.
    """
    from pysat.solvers import MainThread

    original = MainThread.check
    # No state, such as a flag for the time of a call: an interrupt could come before it is reset.
    MainThread.check = staticmethod(lambda: not _called_by_us() and original())


def _called_by_us() -> bool:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        package = frame.f_globals.get("__name__", "").partition(".")[0]
        if package == "linkoracle" and frame.f_code.co_filename != __file__:
            return True
        if package not in ("linkoracle", "pysat"):
            return False
        frame = frame.f_back
    return False
