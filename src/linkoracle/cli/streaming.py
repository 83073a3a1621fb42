"""A stream of generated puzzles: each is written whole as soon as it is made.

This module is independent of the kind: `linkoracle.cli.generate` has a command for each kind.

**What is on the disk.** A file is opened when the first puzzle is ready, so an invalid request
leaves an old file unchanged. Each puzzle is then appended by one system call. There is no temporary
name: a rename at the end would lose all puzzles if the program is killed. If the disk is full, the
file is truncated to its last whole puzzle.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click

from linkoracle import catalogue as library
from linkoracle.cli import options as opt
from linkoracle.cli.program import end_interrupted, report, write_output
from linkoracle.cli.values import arguments
from linkoracle.cli.work import Spread, drawing, time_limit, working
from linkoracle.core import (
    SearchTimeout,
    cannot_write,
    counted,
    declare,
    deferred_signals,
    options_of,
    seed_or_fresh,
)
from linkoracle.formats import write

if TYPE_CHECKING:
    from linkoracle.generate import Made
    from linkoracle.kinds import Puzzle


@dataclass(frozen=True)
class Run(Spread, opt.Timed, opt.Seeded):
    """How many puzzles to make, within which limits, and where to write them."""

    count: int = declare(1, "How many puzzles to make, all different.", least=1, most=2**63 - 1)
    target: str | None = declare(
        None, "The format to write.  [default: text]", words=opt.WRITTEN, flag="--format"
    )
    output: str | None = declare(
        None,
        "Write to FILE, puzzle by puzzle, in place of what it held.",
        form="FILE OUTPUT",
        flag="-o --output",
    )
    show: bool = declare(
        False, "Draw every board with its solution. Without -o, this replaces the puzzle."
    )
    into: str | None = declare(
        None,
        "Add new puzzles to this catalogue, and count only these; print with -o only.",
        form="FILE",
    )
    grade: bool = declare(False, "With --into: grade every puzzle.")
    certify: bool = declare(False, "With --into: store a certificate with every puzzle.")
    certificates: str | None = declare(
        None, "Write 1.certificate, 2.certificate ... to this folder.", form="DIR OUTPUT"
    )
    ascii_only: bool = declare(False, "Draw with ASCII characters.", flag="--ascii")

    def __post_init__(self) -> None:
        if self.show and self.target and self.file is None:
            reason = "--show draws in place of the puzzle: name a FILE with -o to get both"
            raise click.UsageError(reason)
        if self.grade and self.into is None:
            raise click.UsageError("--grade goes with --into: `linkoracle grade` grades files")
        if self.certify and self.into is None:
            raise click.UsageError("--certify goes with --into; for files, name --certificates")
        if self.into is not None:
            refuse_to_replace(self.into, self.file)
        if self.target and self.into and self.output is None:
            raise click.UsageError("--format is for printed puzzles: name a FILE with -o, or -")

    @property
    def file(self) -> str | None:
        """The file for puzzles; ``None`` for standard output."""
        return None if self.output == "-" else self.output

    @property
    def printed(self) -> bool:
        """Whether puzzles are written in a format, to a file or to standard output."""
        printed = not self.show and (self.into is None or self.output == "-")
        return self.file is not None or printed


#: Options for output and resources: they do not determine which puzzles are generated.
NOT_OF_THE_MAKER = {"memory", *options_of(Run)}


def refuse_to_replace(catalogue: str, output: str | None) -> None:
    """Refuse to write puzzles over the catalogue that they come from or go to."""
    # Unlike `Path.resolve`, this accepts a circle of links; writing to the file reports it later.
    if output is not None and os.path.realpath(output) == os.path.realpath(catalogue):
        raise click.UsageError(f"-o would replace the catalogue {catalogue}: name another FILE")


def stream(
    make: Callable[..., Iterator[Made]],
    run: Run,
    name: str,
    *,
    alone: bool = False,
) -> None:
    """Write puzzles as they are made, with a bar called ``name`` that shows yield and rate.

    ``make`` yields ``limit`` puzzles, for ``None`` as many as are taken; its other arguments are
    ``seed``, ``timeout``, ``executor`` and ``progress``, all by name. With ``alone``, and for a
    single puzzle, other processes are used only on request. The command skips puzzles already in
    the catalogue, and reports at the end on standard error how many it skipped. Ctrl-C reports how
    many were written and exits with 130. Any other error, such as "no more different boards", is
    raised after all finished puzzles are written.
    Raises `FormatError` if the format cannot express the puzzle, ``OSError`` if the file cannot be
    written.
    """
    started = time.monotonic()
    sink = _Sink(run)
    count, timeout, drawn = run.count, run.timeout, seed_or_fresh(run.seed)
    try:
        jobs = run.executor(alone=alone or count == 1)
        with jobs as executor, sink, working(name) as work:
            tried = "0 tried"

            def report(line: str | None = None, _: float | None = None) -> None:
                nonlocal tried
                tried = tried if line is None else line
                made, seconds = sink.written, max(time.monotonic() - started, 1e-9)
                rate = f"{made / seconds:.2f} a second"
                work(f"{made} of {count} made, {tried}, {rate}", made / count)

            # The catalogue may already have some of the puzzles.
            most = None if run.into else count
            with arguments():
                how = {"timeout": timeout, "executor": executor, "progress": report}
                puzzles = make(seed=drawn, limit=most, **how)
            opt.show_seed(run.seed, drawn)
            report()
            while sink.written < count:
                with time_limit(timeout) as limit:
                    if (made := next(puzzles, None)) is None:
                        break
                    known = sink.known(made.puzzle)
                work.hide()
                if sink.put(made, known):
                    report()
                if limit.over and timeout is not None and sink.written < count:
                    # The generator still yielded a puzzle when the limit ended it.
                    raise SearchTimeout(timeout, reached=work.line)
    except SearchTimeout as error:
        advice = "; more time, another seed, or asking for less may help"
        raise SearchTimeout(error.seconds, reached=error.reached + advice) from None
    except KeyboardInterrupt:
        where = run.file or run.into
        message = f"interrupted: {counted(sink.written, 'puzzle')} of {count} written"
        end_interrupted(f"{message} to {where}" if where else message)


class _Sink:
    """Write puzzles one by one: to standard output or a file, and to a catalogue.

    A catalogue that exists is opened at once, so that an invalid file ends the program before any
    work is done. A new catalogue and the output file are created for the first puzzle.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._file: FileIO | None = None
        self._size = 0
        self._catalogue: library.Catalogue | None = None
        #: Puzzles written so far, and those skipped since the catalogue has them.
        self.written = self._skipped = 0

    def __enter__(self) -> Self:
        if self._run.into is not None and Path(self._run.into).exists():
            self._open(self._run.into)
        return self

    def __exit__(self, *_: object) -> None:
        for one in (self._file, self._catalogue):
            if one is not None:
                one.close()
        if (skipped := self._skipped) > 0:
            puzzles = f"{counted(skipped, 'puzzle')} {'was' if skipped == 1 else 'were'}"
            report(f"{puzzles} in {self._run.into} already")

    def known(self, puzzle: Puzzle) -> dict[str, Any]:
        """Return the grade and the certificate of a new puzzle, as far as requested."""
        run, found = self._run, dict[str, Any]()
        if self._catalogue is not None and puzzle in self._catalogue:
            return found
        if run.grade:
            from linkoracle.deduce import grade

            found["grade"] = grade(puzzle)
        if run.certify or run.certificates:
            from linkoracle.certificates import certificate

            found["certificate"] = certificate(puzzle)
        return found

    def put(self, made: Made, known: dict[str, Any]) -> bool:
        """Write a puzzle unless the catalogue has it; return whether it is new."""
        run = self._run
        text = ""
        if run.printed:
            # First, since not every format can express every puzzle.
            target = run.target or "text"
            form = write(made.puzzle, target)
            if made.remarks and target == "json":
                form = json.dumps({**json.loads(form), **made.remarks})
            text = opt.one_text([form], target, more=self.written > 0)
        with deferred_signals():
            if run.into is not None and not self._collect(run.into, made, known):
                self._skipped += 1
                return False
            if run.certificates is not None and "certificate" in known:
                from linkoracle.cli.solve import SUFFIX, made_folder

                file = made_folder(run.certificates) / f"{self.written + 1}{SUFFIX}"
                write_output(known["certificate"].data, str(file))
            if run.file is not None:
                self._append(run.file, text.encode())
            self.written += 1
        if text and run.file is None:
            click.echo(text, nl=False)
        if run.show:
            picture = drawing(made.puzzle, made.solution, ascii_only=run.ascii_only)
            click.echo(("\n" if self.written > 1 else "") + picture)
        return True

    def _append(self, path: str, data: bytes) -> None:
        """Write a puzzle, as a whole or not at all; the first one replaces the file."""
        if self._file is None and (Path(path).is_file() or not Path(path).exists()):
            write_output(data, path)
            self._file, self._size = FileIO(path, "a"), len(data)
            return
        try:
            # A device or a pipe is opened once.
            self._file = self._file or FileIO(path, "w")
            while data:
                data = data[self._file.write(data) :]
        except OSError as error:
            if self._file is not None:
                with suppress(OSError):
                    self._file.truncate(self._size)
            raise cannot_write(error, path) from None
        self._size = self._file.tell() if self._file.seekable() else 0

    def _collect(self, path: str, made: Made, known: dict[str, Any]) -> bool:
        """Add a puzzle to the catalogue, and return whether it is new."""
        catalogue = self._open(path) if self._catalogue is None else self._catalogue
        context = click.get_current_context()
        request = {
            name: value
            for name, value in context.params.items()
            # Zero is a value, too; unset flags and empty lists are not.
            if name not in NOT_OF_THE_MAKER and (value or value == 0) and value is not False
        }
        return catalogue.add(
            made.puzzle,
            made.solution,
            source={
                "command": " ".join(context.command_path.split()[1:]),
                **request,
                **made.remarks,
            },
            seed=made.seed,
            number=self.written + self._skipped + 1,
            **known,
        )

    def _open(self, path: str) -> library.Catalogue:
        self._catalogue = library.Catalogue(path)
        return self._catalogue
