"""A stream of generated puzzles: each is written whole as soon as it is made.

Nothing here knows what is generated. `linkoracle.cli.generate` has a command for each kind of
puzzle; each command hands a function that yields puzzles with their solutions to `stream`.

**What is on the disk.** A file is opened when the first puzzle is ready, so a wrong request leaves
an old file as it was; from then on each puzzle is one call of the operating system at the end of
the file. There is no temporary name: what is written must stay whatever happens, and a rename at
the end would lose it all when the program is killed. Should the disk be full in the middle of a
puzzle, the file is cut back to the last whole one.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar

import click

from linkoracle.cli.collecting import Collection, refuse_to_replace
from linkoracle.cli.progress import shown_progress
from linkoracle.cli.shared import BAD_INPUT, end_interrupted
from linkoracle.errors import FormatError
from linkoracle.formats import FORMATS, write
from linkoracle.interrupts import held_back
from linkoracle.model import Solution
from linkoracle.puzzles import Puzzle

Command = TypeVar("Command", bound=Callable[..., Any])


class Made(Protocol):
    """What a maker yields."""

    @property
    def puzzle(self) -> Puzzle: ...

    @property
    def solution(self) -> Solution: ...


#: A maker: called with how many puzzles are wanted (``None``: as many as are taken), and a function
#: that it calls for every board it tries, it yields puzzles.
Maker = Callable[[int | None, Callable[[], None]], Iterator[Made]]


def streaming_options(command: Command) -> Command:
    """Options that say how many puzzles, and where they go; `Target` takes all but ``count``."""
    for option in (
        click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters."),
        click.option("--grade", is_flag=True, help="With --into: grade every puzzle."),
        click.option(
            "--into",
            metavar="FILE",
            help="Collect the puzzles in this catalogue, and count those only that are new to it. "
            "Without -o, they are not printed.",
        ),
        click.option(
            "--show",
            is_flag=True,
            help="Draw every board with its solution. Without -o, this replaces the puzzle.",
        ),
        click.option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write to FILE, puzzle by puzzle, in place of what it held.",
        ),
        click.option(
            "--format",
            "target",
            type=click.Choice([name for name, one in FORMATS.items() if one.writes]),
            help="The format to write.  [default: text]",
        ),
        click.option(
            "--count",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            metavar="N",
            help="How many puzzles to make, all different.",
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True)
class Target:
    """Where puzzles go and how they look there: the values of `streaming_options`."""

    target: str | None
    output: str | None
    show: bool
    ascii_only: bool
    into: str | None = None
    grade: bool = False

    def __post_init__(self) -> None:
        if self.show and self.target and self.output in (None, "-"):
            raise click.UsageError(
                "--show draws in place of the puzzle: name a FILE with -o to get both"
            )
        if self.grade and self.into is None:
            raise click.UsageError("--grade goes with --into: `linkoracle grade` grades files")
        if self.into is not None and self.named_file:
            refuse_to_replace(self.into, self.output)
        if self.target and self.into and self.output is None:
            raise click.UsageError("--format is for printed puzzles: name a FILE with -o, or -")

    @property
    def format(self) -> str:
        return self.target or "text"

    @property
    def named_file(self) -> bool:
        """Whether puzzles go to a file, and not to standard output."""
        return self.output not in (None, "-")

    @property
    def printed(self) -> bool:
        """Whether puzzles are written in a format, be it to a file or to standard output."""
        if self.named_file:
            return True
        return not self.show and (self.into is None or self.output == "-")


def stream(make: Maker, count: int, to: Target, name: str) -> None:
    """Write up to ``count`` puzzles as they come, with a bar that tells yield and rate.

    ``name`` is what the bar is called. A request that ``make`` refuses with ``ValueError`` ends the
    program with one line and status 2, before anything is written. Puzzles that the catalogue has
    already are passed over, and told at the end on standard error. Ctrl-C says how many were
    written and exits with 130. Any other error, such as "no more different boards", comes out after
    what is written. Raises `FormatError` when the format cannot express the puzzle, or the file
    cannot be written.
    """
    started = time.monotonic()
    tried = 0
    known = Collection(to.into, to.grade)
    sink = _Sink(to, known)
    # On a terminal, puzzles that scroll by are the progress; a bar would be drawn across them.
    quiet = (to.show or to.printed) and not to.named_file and sys.stdout.isatty()
    try:
        with known, sink, shown_progress(name, hidden=quiet) as progress:

            def report() -> None:
                if progress is not None:
                    written = sink.written
                    rate = written / max(time.monotonic() - started, 1e-9)
                    line = f"{written} of {count} made, {tried} tried, {rate:.2f} a second"
                    progress(line, written / count)

            def trying() -> None:
                nonlocal tried
                tried += 1
                report()

            # A catalogue may have some of them already.
            for made in _checked(make, None if to.into else count, trying):
                if not sink.put(made):
                    continue
                report()
                if sink.written == count:
                    break
    except KeyboardInterrupt:
        file = to.output if to.named_file else to.into
        where = f" to {file}" if file else ""
        plural = "" if sink.written == 1 else "s"
        end_interrupted(f"interrupted: {sink.written} puzzle{plural} of {count} written{where}")


def _checked(make: Maker, wanted: int | None, trying: Callable[[], None]) -> Iterator[Made]:
    try:
        return make(wanted, trying)
    except ValueError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(BAD_INPUT)


class _Sink:
    """Takes puzzles one by one; opens its file when the first is there."""

    def __init__(self, to: Target, known: Collection) -> None:
        self._to = to
        self._known = known
        self._file: int | None = None
        self._size = 0
        #: Puzzles so far.
        self.written = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            os.close(self._file)

    def put(self, made: Made) -> bool:
        """Write a puzzle, unless the catalogue has it: whether it is new."""
        to = self._to
        text = ""
        if to.printed:
            # Before anything is written anywhere, since not every format can express every puzzle.
            text = write(made.puzzle, to.format).rstrip("\n") + "\n"
            # A grid takes several lines, and a blank line keeps it from the next.
            if self.written and not FORMATS[to.format].one_line:
                text = "\n" + text
        grade = self._known.grade(made.puzzle)
        with held_back():
            if not self._known.take(made.puzzle, made.solution, grade):
                return False
            if to.named_file:
                self._append(text.encode())
            self.written += 1
        if text and not to.named_file:
            click.echo(text, nl=False)
        if to.show:
            from linkoracle.render.text import draw

            picture = draw(made.puzzle, made.solution, ascii_only=to.ascii_only)
            click.echo(("\n" if self.written > 1 else "") + picture)
        return True

    def _append(self, data: bytes) -> None:
        assert self._to.output is not None
        try:
            if self._file is None:
                flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
                self._file = os.open(self._to.output, flags, 0o666)
            if os.write(self._file, data) < len(data):
                os.ftruncate(self._file, self._size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self._size += len(data)
        except OSError as error:
            raise FormatError(f"cannot write: {error.strerror}", source=self._to.output) from None
