"""Errors for bad input and for limits that are reached, and texts in messages.

All errors that input, limits or the machine can cause derive from `LinkOracleError`, so a caller
can catch one class. The command line turns them into one line on standard error. An invalid
argument raises ``ValueError`` instead: see `linkoracle.core.limits`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Self


class LinkOracleError(Exception):
    """Base of the errors that input, limits or the machine can cause."""


class PuzzleError(LinkOracleError, ValueError):
    """A puzzle that breaks its own definition: a clue 5, a number that occurs once.

    ``cell`` is the offending cell ``(row, column)``, or ``(face,)`` on a board that is not square,
    counted from 0, if there is one; readers turn it into a line and column of the file. For
    annotations, ``listed`` is the name of the list and the index of the wrong item, from 0.
    """

    def __init__(
        self,
        reason: str,
        cell: tuple[int, ...] | None = None,
        listed: tuple[str, int] | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.cell = cell
        self.listed = listed


class FormatError(LinkOracleError, ValueError):
    """Text that cannot be read, or a puzzle that a format cannot express.

    The message is one line, ``source:line:column: reason``, with the parts that are known. Lines
    and columns count from 1.

    >>> print(FormatError("expected a clue 0-4, found '7'", source="a.txt", line=3, column=5))
    a.txt:3:5: expected a clue 0-4, found '7'
    """

    def __init__(
        self,
        reason: str,
        *,
        source: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.reason = reason
        self.source = source
        self.line = line
        self.column = column
        super().__init__(reason)

    def __str__(self) -> str:
        place = [str(part) for part in (self.source, self.line, self.column) if part is not None]
        return f"{':'.join(place)}: {self.reason}" if place else self.reason


class SearchTimeout(LinkOracleError, TimeoutError):
    """A search reached its time limit.

    ``found`` is the number of solutions seen so far; ``reached``, if known, is the progress of
    other work; ``nearest`` is as in `NothingFound`.

    >>> print(SearchTimeout(2, reached="row 7 of 30"))
    no answer within 2 s (reached: row 7 of 30)
    """

    def __init__(
        self, seconds: float, found: int = 0, reached: str = "", nearest: Any = None
    ) -> None:
        self.seconds = seconds
        self.found = found
        self.reached = reached
        self.nearest = nearest
        so_far = "no solution" if not found else f"{found} solution{'s' if found > 1 else ''}"
        so_far = f"reached: {reached}" if reached else f"{so_far} found so far"
        super().__init__(f"no answer within {seconds:g} s ({so_far})")

    def __reduce__(self) -> tuple[type[Self], tuple[float, int, str, Any]]:
        # By default an error is unpickled from its message alone.
        return type(self), (self.seconds, self.found, self.reached, self.nearest)


class NotSupported(LinkOracleError, ValueError):
    """A model that an engine does not support: its kind of board, or its constraints."""


class NotCompiled(NotSupported, ImportError):
    """A feature that needs compiled modules, in a package without any: see `core.COMPILED`.

    >>> print(NotCompiled("linkoracle.frontier.pass_kernel"))
    this needs an installed linkoracle: linkoracle.frontier.pass_kernel is not in the plain one
    """

    def __init__(self, module: str) -> None:
        self.module = module
        super().__init__(f"this needs an installed linkoracle: {module} is not in the plain one")

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        # By default an error is unpickled from its message alone.
        return type(self), (self.module,)


class Interrupted(LinkOracleError):
    """A query that another thread, or a request, has ended: see `Oracle.interrupt`."""


class ConflictLimit(LinkOracleError):
    """A SAT search exhausted its conflict budget, a limit that does not depend on the clock."""


class MemoryLimit(MemoryError, LinkOracleError):
    """A search reached its memory limit. The message reports its progress and what to try."""


class ClosedError(LinkOracleError, RuntimeError):
    """A query to an oracle or a search that is closed."""


class NothingFound(LinkOracleError):
    """A generator gave up: its attempts led to no (further) puzzle as requested.

    ``advice`` says which arguments to change; ``nearest`` is the puzzle that comes closest to a
    mask, if there is one.

    >>> error = NothingFound("no puzzle in 3 attempts.", "Try another seed.")
    >>> error.reason, str(error)
    ('no puzzle in 3 attempts.', 'no puzzle in 3 attempts. Try another seed.')
    """

    def __init__(self, reason: str, advice: str = "", nearest: Any = None) -> None:
        super().__init__(reason, advice)
        self.reason, self.nearest = reason, nearest

    def __str__(self) -> str:
        return " ".join(filter(None, self.args))


class CheckFailed(LinkOracleError):
    """A made puzzle that failed its check, so that it was not handed out.

    Either the solver finds other solutions than the puzzle's own, or the rules of its kind refuse
    that: the kind, its generator or linkoracle has a mistake.
    """


class NoCertificate(LinkOracleError):
    """A puzzle without a certificate: of another kind, or with too many solutions."""


class RunError(LinkOracleError, ValueError):
    """A file of a long run that is damaged, or belongs to another run."""


class CatalogueError(LinkOracleError, ValueError):
    """A file that is not a catalogue of puzzles, or that cannot be read."""


class PictureError(LinkOracleError, ValueError):
    """A picture that cannot be made: too many pixels, or letters that its font lacks."""


class MissingExtra(LinkOracleError, ImportError):
    """A feature that needs an optional part of the installation.

    >>> print(MissingExtra("PDF files", "pictures"))
    PDF files need more packages: pip install 'linkoracle[pictures]'
    """

    def __init__(self, what: str, extra: str) -> None:
        self.what, self.extra = what, extra
        super().__init__(f"{what} need more packages: pip install 'linkoracle[{extra}]'")

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        # By default an error is unpickled from its message alone.
        return type(self), (self.what, self.extra)


class WorkersLost(LinkOracleError):
    """Workers cannot be reached, or died repeatedly on the same job."""


#: Most characters of a quoted text in a message.
_MAX_SHOWN = 40


def quoted(text: str) -> str:
    """Return ``text`` for a message: in quotes, with control characters escaped, shortened.

    >>> quoted("a\\x1b[31m")
    "'a\\\\x1b[31m'"
    """
    shown = repr(text[:_MAX_SHOWN])
    if len(text) > _MAX_SHOWN or len(shown) > _MAX_SHOWN + 2:
        return shown[:_MAX_SHOWN] + "..."
    return shown


def counted(number: int, thing: str) -> str:
    """Return ``1 row``, ``2 rows``: a number with its noun."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


#: Messages list at most one more choice than this number.
_MOST_LISTED = 5


def alternatives(names: Any) -> str:
    """Return names in quotes, the last after an "or"; if there are many, only the first two.

    >>> alternatives(["one", "two", "three"])
    "'one', 'two' or 'three'"
    """
    *others, last = map(repr, names)
    if len(others) > _MOST_LISTED:
        others, last = others[:2], f"one of {len(others) - 1} others"
    return f"{', '.join(others)} or {last}" if others else last


def listing(names: Iterable[str]) -> str:
    """Return names in words, the last after an "and".

    >>> listing(["r1c1", "r1c2", "r2c1"])
    'r1c1, r1c2 and r2c1'
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


#: The bytes of each unit.
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
    unit = (_UNITS | _BINARY)[(match[2] or "").lower()]
    whole, _, part = match[1].partition(".")
    # Exact: a float is not, and overflows.
    size: int = int(whole + part) * unit // 10 ** len(part)
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
