"""What users see when input is bad or a limit is hit.

Whatever input, limits or the machine can cause derives from `LinkOracleError`, so a caller can
catch one class; the command line turns them into one line on standard error. A call that makes no
sense raises ``ValueError`` instead: see `linkoracle.core.limits`.
"""

from __future__ import annotations

from typing import Self


class LinkOracleError(Exception):
    """Base of the errors that input, limits or the machine can cause."""


class PuzzleError(LinkOracleError, ValueError):
    """A puzzle that breaks its own definition: a clue 5, a number that stands once.

    ``cell`` is the offending cell as ``(row, column)`` counted from 0, where there is one; readers
    use it to name the line and column of the file. So is ``listed``, the name of a list beside the
    grid and the number in it, from 0, of what is wrong.
    """

    def __init__(
        self,
        reason: str,
        cell: tuple[int, int] | None = None,
        listed: tuple[str, int] | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.cell = cell
        self.listed = listed


class FormatError(LinkOracleError, ValueError):
    """Input text that cannot be read, or a puzzle that a format cannot express.

    The message is one line, ``source:line:column: reason``, with the parts that are known.
    Lines and columns count from 1.

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

    ``found`` is the number of solutions seen until then; ``reached``, if it is known, says how far
    other work got.

    >>> print(SearchTimeout(2, reached="row 7 of 30"))
    no answer within 2 s (reached: row 7 of 30)
    """

    def __init__(self, seconds: float, found: int = 0, reached: str = "") -> None:
        self.seconds = seconds
        self.found = found
        self.reached = reached
        so_far = "no solution" if not found else f"{found} solution{'s' if found > 1 else ''}"
        so_far = f"reached: {reached}" if reached else f"{so_far} found so far"
        super().__init__(f"no answer within {seconds:g} s ({so_far})")

    def __reduce__(self) -> tuple[type[Self], tuple[float, int, str]]:
        # By default an error is made anew from its message.
        return type(self), (self.seconds, self.found, self.reached)


class NotSupported(LinkOracleError, ValueError):
    """A model that an engine does not take: another board, or constraints that it does not know."""


class ConflictLimit(LinkOracleError):
    """A SAT search used up its conflicts: a limit that does not depend on the clock."""


class MemoryLimit(MemoryError, LinkOracleError):
    """A search reached its memory limit. The message says how far it got and what to try."""


class ClosedError(LinkOracleError, RuntimeError):
    """A question to an oracle or a search that was closed."""


class NothingFound(LinkOracleError):
    """A generator gave up: it made no (further) puzzle of the kind asked for in its tries."""


class NoCertificate(LinkOracleError):
    """A claim that no certificate can be made for: another kind, or too many solutions."""


class RunError(LinkOracleError, ValueError):
    """A file that keeps a long run does not fit what is asked of it."""


class CatalogueError(LinkOracleError, ValueError):
    """A file that is no catalogue of puzzles, or one that cannot be read or written."""


class PictureError(LinkOracleError, ValueError):
    """A picture that cannot be made so: too many pixels, or letters that its font lacks."""


class MissingExtra(LinkOracleError, ImportError):
    """Something was asked for that needs an optional part of the installation.

    >>> print(MissingExtra("PDF files", "pictures"))
    PDF files need more packages: pip install 'linkoracle[pictures]'
    """

    def __init__(self, what: str, extra: str) -> None:
        self.what, self.extra = what, extra
        super().__init__(f"{what} need more packages: pip install 'linkoracle[{extra}]'")

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        # By default an error is made anew from its message.
        return type(self), (self.what, self.extra)


class WorkersLost(LinkOracleError):
    """Workers cannot be reached, or died again and again over the same job."""


#: Characters of what was found that a message shows.
_MAX_SHOWN = 40


def quoted(text: str) -> str:
    """Return ``text`` fit for a message: in quotes, control characters escaped, cut when long.

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
