"""The three standard streams: always open, and able to say everything in some way.

What the encoding of a stream cannot say is escaped, such as ``\\u2620`` in the name of a file, and
boards are drawn in ASCII (`drawing`). So no text ends a program.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from linkoracle.kinds import Puzzle
    from linkoracle.render.text import Drawn

#: The errors handler of text that a stream cannot say.
_ESCAPED = "backslashreplace"


def take_streams() -> None:
    """Open those of the three standard streams that the program was started without.

    The next file opened would take the number of a closed stream (``<&-``) and get the output. So
    a stream that fails takes that number. Standard error is silent when it fails.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is this one.
            os.open(os.devnull, os.O_RDONLY if name == "stdout" else os.O_WRONLY)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
    if sys.stderr is sys.__stderr__ or sys.__stderr__ is None:
        sys.stderr = _Messages(
            os.fdopen(2, "wb", closefd=False),
            encoding=sys.stderr.encoding,
            errors=_ESCAPED,
            line_buffering=True,
        )
    else:
        sys.stderr = _escaping(sys.stderr)
    sys.stdout = _escaping(sys.stdout)


class _Escaping(io.TextIOWrapper):
    """A stream in ASCII: click would write UTF-8 in place of a stream that calls itself that."""

    #: A stream that this one took the buffer of, and that would close it.
    before: Any = None

    @property
    def encoding(self) -> str:  # type: ignore[override]
        name = super().encoding
        return f"only {name}" if _is_ascii(name) else name


class _Messages(_Escaping):
    """Standard error; messages that cannot be written are dropped."""

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError:
            silence(self)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError:
            silence(self)


def _is_ascii(encoding: str) -> bool:
    return encoding.lower().replace("_", "-") in ("ascii", "us-ascii", "ansi-x3.4-1968", "646")


def _escaping(stream: TextIO) -> TextIO:
    """Return a stream that escapes what its encoding cannot say."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    if not _is_ascii(stream.encoding):
        stream.reconfigure(errors=_ESCAPED)
        return stream
    found = _Escaping(
        stream.buffer,
        encoding="ascii",
        errors=_ESCAPED,
        line_buffering=stream.line_buffering,
    )
    found.before = stream
    return found


def silence(stream: Any) -> None:
    """Discard what a stream still holds, and all later output."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return bool(sys.stdout.isatty())


def drawing(puzzle: Puzzle, solution: Drawn | None, *, ascii_only: bool) -> str:
    """Return a drawing for standard output: in ASCII if requested, or if it cannot say others."""
    from linkoracle.render.text import draw

    if not ascii_only:
        drawn = draw(puzzle, solution)
        try:
            drawn.encode(sys.stdout.encoding or "ascii")
        except (LookupError, UnicodeEncodeError):
            # A stream in ASCII alone has a name that is no encoding.
            ascii_only = True
        else:
            return drawn
    return draw(puzzle, solution, ascii_only=True)
