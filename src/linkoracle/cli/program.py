"""The common parts of the two programs: input, output, and every way to end.

However a program ends, its exit status is one of those below, and standard error has at most one
line about the end. Commands need no code for that. ``docs/reference/commands.md`` has the table.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from glob import glob
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import click

from linkoracle import core, formats
from linkoracle.core import (
    FormatError,
    LinkOracleError,
    NothingFound,
    SearchTimeout,
    deferred_signals,
)

if TYPE_CHECKING:
    from linkoracle.kinds import Puzzle

#: Exit statuses. 1 is an answer ("not unique", "no solution", "none found"), not a failure.
DONE, NO, BAD_INPUT, TIMED_OUT, OUT_OF_MEMORY, SYSTEM_ERROR = range(6)
#: A defect of linkoracle, never an answer: ``EX_SOFTWARE`` of sysexits.h.
INTERNAL_ERROR = 70
#: Ctrl-C, and a closed output, as the shell reports `SIGINT` and `SIGPIPE`.
INTERRUPTED, READER_GONE = 130, 141

#: Exit statuses by exception; the first class that fits.
_STATUSES: tuple[tuple[type[Exception], int], ...] = (
    (SearchTimeout, TIMED_OUT),
    (MemoryError, OUT_OF_MEMORY),
    (NothingFound, NO),
    (LinkOracleError, BAD_INPUT),
    (OSError, SYSTEM_ERROR),
)

#: Errors that, without the name of a file, belong to standard output: standard error never fails.
_OF_STREAMS = {errno.EPIPE, errno.EBADF, errno.EIO, errno.ENOSPC, errno.EFBIG, errno.EDQUOT}

#: The errors handler of text that the encoding of a stream lacks: escapes, such as ``\\u2620``.
_ESCAPED = "backslashreplace"

#: Digits of the longest number read or printed: no count of a million cells has more.
_MOST_DIGITS = 500_000

#: Set to anything, this variable of the environment shows where an unexpected error comes from.
TRACEBACK = "LINKORACLE_TRACEBACK"


class Program(click.Command):
    """A program with its name on the command line and its exit statuses."""

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, *, standalone_mode: bool = True, **extra: Any
    ) -> Any:
        if not standalone_mode:
            return super().main(args, standalone_mode=False, **extra)
        _take_streams()
        sys.set_int_max_str_digits(_MOST_DIGITS)
        status: Any = DONE
        try:
            with clean_endings():
                status = super().main(args, standalone_mode=False, **extra)
        except SystemExit as ending:
            status = ending.code
        # A command that ends as usual returns nothing.
        sys.exit(_output_written(status if isinstance(status, int) else DONE))

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        try:
            return super().make_context(*args, **kwargs)
        except (KeyboardInterrupt, OSError):
            # In --help: Ctrl-C, or a closed output. click would end in its own way.
            with clean_endings():
                raise

    def invoke(self, ctx: click.Context) -> Any:
        with clean_endings():
            return super().invoke(ctx)


class ProgramGroup(Program, click.Group):
    """A program with commands, loaded when used.

    ``places`` maps names to ``module:attribute``, and to what the command does, in a line.
    """

    def __init__(self, *args: Any, places: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._places = places

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in self._places:
            return None
        place, short_help = self._places[cmd_name]
        module, _, attribute = place.partition(":")
        # An interrupt inside an import can come out as another exception.
        with deferred_signals():
            command: click.Command = getattr(import_module(module), attribute)
        command.short_help = short_help
        return command

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, what) in sorted(self._places.items())])


@contextmanager
def clean_endings() -> Iterator[None]:
    """Turn every exception into one line and an exit status, around a whole program."""
    try:
        yield
    except KeyboardInterrupt:
        end_interrupted()
    except (click.exceptions.Exit, SystemExit):
        raise
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(BAD_INPUT)
    except click.UsageError as error:
        where = f" (see {error.ctx.command_path} --help)" if error.ctx is not None else ""
        # The message of click about an option with several words has a line for each word.
        end(f"{' '.join(error.format_message().split()).rstrip('.')}{where}", BAD_INPUT)
    except click.ClickException as error:
        end(error.format_message(), BAD_INPUT)
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None and error.errno in _OF_STREAMS:
            sys.exit(_output_failed(error))
        for kind, status in _STATUSES:
            if isinstance(error, kind):
                end(_line(error), status)
        if os.environ.get(TRACEBACK):
            import traceback

            traceback.print_exc()
        end(
            f"internal error, {type(error).__name__}: {_line(error)} "
            f"(please report it; {TRACEBACK}=1 shows where it comes from)",
            INTERNAL_ERROR,
        )


def end(reason: str, status: int) -> NoReturn:
    """End the program with a line on standard error."""
    report(f"error: {reason}")
    sys.exit(status)


def report(message: str, *, err: bool = True) -> None:
    """Print a message on one line; what a terminal would not print, such as in names, is escaped.

    With ``err``, to standard error.
    """
    click.echo(printable(message), err=err)


def printable(text: str) -> str:
    """Return a text that a terminal prints as it is, on one line: other characters are escaped.

    For names in messages: a line break or a control character in the name of a file could imitate
    another message.

    >>> print(printable("good\\x1b[2K\\rbad\\n"))
    good\\x1b[2K\\rbad\\n
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def end_interrupted(message: str = "interrupted") -> NoReturn:
    """Report that Ctrl-C ended the program, and end the program.

    Unfinished objects of a library may fail when Python deletes them; Python must not report that.
    """
    sys.unraisablehook = lambda _: None
    click.echo(message, err=True)
    sys.exit(INTERRUPTED)


def _line(error: Exception) -> str:
    """Return the message of an exception on one line."""
    if isinstance(error, OSError) and not isinstance(error, LinkOracleError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    text = " ".join(str(error).split())
    return text or ("out of memory" if isinstance(error, MemoryError) else type(error).__name__)


def _take_streams() -> None:
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
            _silence(self)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError:
            _silence(self)


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


def _silence(stream: Any) -> None:
    """Discard what a stream still holds, and all later output."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _output_written(status: int) -> int:
    """Write what standard output still holds; return the exit status."""
    try:
        sys.stdout.flush()
    except OSError as error:
        if status in (DONE, NO):
            return _output_failed(error)
        _silence(sys.stdout)
    return status


def _output_failed(error: OSError) -> int:
    """Return the exit status when standard output cannot be written."""
    _silence(sys.stdout)
    if error.errno == errno.EPIPE:
        return READER_GONE
    click.echo(f"error: cannot write to standard output: {error.strerror}", err=True)
    return SYSTEM_ERROR


#: A longer argument names no file.
_LONGEST_PATH = 4096


@dataclass(frozen=True)
class Named:
    """A puzzle, its name in answers, and what its file says about it."""

    name: str
    puzzle: Puzzle
    about: formats.About


def load(files: Sequence[str], kind: str | None, variant: str | None) -> list[Named]:
    """Read every puzzle of every file; ``-`` is standard input, and a URL is a puzzle itself.

    Folders and patterns stand for the files in them: see `load_each`. All files are read first; bad
    files end the program with exit status 2 and a line for each.
    """
    entries, failed = list[Named](), False
    for _, found in load_each(files, kind, variant):
        if isinstance(found, FormatError):
            report(f"error: {found}")
            failed = True
        else:
            entries += found
    if failed:
        sys.exit(BAD_INPUT)
    return entries


def load_each(
    files: Sequence[str], kind: str | None, variant: str | None
) -> Iterator[tuple[str, list[Named] | FormatError]]:
    """Yield each file with its puzzles, or with what is wrong with it.

    A folder stands for all files in it and below, without hidden ones, and a pattern such as
    ``boards/*.txt`` for the files that it fits, both in the order of their names.
    """
    # A script may pass the empty text of an unset variable.
    if not all(files or [""]):
        raise click.UsageError("expected a FILE, or - for standard input")
    for given in files:
        for file in _files_of(given):
            try:
                yield file, _load_one(file, kind, variant)
            except FormatError as error:
                yield file, error


def _files_of(given: str) -> list[str]:
    """Return the files that an argument stands for; the argument itself if it is no pattern."""
    if given == "-" or len(given) > _LONGEST_PATH or "\0" in given:
        return [given]
    path = Path(given)
    found: list[Path] = []
    if path.is_dir():
        below = (one.relative_to(path).parts for one in path.rglob("*"))
        found = [
            path.joinpath(*parts)
            for parts in below
            if not any(part.startswith(".") for part in parts)
        ]
    elif set(given) & set("*?[") and not path.exists() and not formats.is_one_line_puzzle(given):
        found = [Path(one) for one in glob(given, recursive=True)]  # noqa: PTH207 - takes any path
    return sorted(str(one) for one in found if one.is_file()) or [given]


def load_one(file: str, kind: str | None, variant: str | None) -> Named:
    """Read a file with exactly one puzzle."""
    named = load([file], kind, variant)
    if len(named) != 1:
        shown = "<stdin>" if file == "-" else file
        raise FormatError(f"expected one puzzle, found {len(named)}", source=shown)
    return named[0]


def _load_one(file: str, kind: str | None, variant: str | None) -> list[Named]:
    shown = "<stdin>" if file == "-" else file
    if file == "-":
        entries = formats.read_all(standard_input(), kind=kind, variant=variant, name=shown)
    else:
        # An argument that names no file may be a URL or another puzzle on one line.
        is_text = not os.path.exists(file) and formats.is_one_line_puzzle(file)  # noqa: PTH110 - takes any string
        source = file if is_text else Path(file)
        entries = formats.read_all(source, kind=kind, variant=variant)
    places = [shown] if len(entries) == 1 else [f"{shown}:{entry.line}" for entry in entries]
    return [
        Named(entry.name or printable(place), entry.puzzle, entry.about)
        for entry, place in zip(entries, places, strict=True)
    ]


def standard_input() -> str:
    """Return all of standard input as text; `FormatError` if it is not text or cannot be read."""
    try:
        return formats.decoded(formats.whole(sys.stdin.buffer, "<stdin>"), "<stdin>")
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", source="<stdin>") from None


def text_of(file: str) -> tuple[str, str]:
    """Return a file's name in messages and its text, not as puzzles; ``-`` is standard input."""
    shown, text = (
        ("<stdin>", standard_input()) if file == "-" else (file, formats.file_text(file, file))
    )
    return shown, formats.plain_text(text, shown)


def write_output(text: str | bytes, path: str | None) -> None:
    """Print text or bytes, or replace the file ``path`` by them, as a whole or not at all.

    Raises ``OSError``.
    """
    if path is None or path == "-":
        # What a file would hold is in UTF-8 there, too, but a terminal shows text.
        if isinstance(text, str) and not sys.stdout.isatty():
            text = text.encode()
        click.echo(text, nl=False)
        return
    try:
        with core.atomic_write(Path(path)) as file:
            file.write(text.encode("utf-8") if isinstance(text, str) else text)
    except OSError as error:
        raise core.cannot_write(error, path) from None


def load_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--load MODULE``: load modules that register kinds, also in processes started later."""

    def load(_context: click.Context, _param: click.Parameter, modules: tuple[str, ...]) -> None:
        if not modules:
            return
        from linkoracle.kinds import load_kinds

        for module in modules:
            try:
                load_kinds(module)
            except Exception as error:  # A module may raise anything while it is loaded.
                reason = " ".join(str(error).split())
                if not isinstance(error, (ImportError, ValueError)):
                    reason = f"{type(error).__name__}: {reason}"
                raise click.BadParameter(f"cannot load {module}: {reason}") from None

    return click.option(
        "--load",
        multiple=True,
        metavar="MODULE",
        expose_value=False,
        is_eager=True,
        callback=load,
        help="Load a Python module that registers kinds of puzzles.",
    )(command)
