"""A stream of generated puzzles: each is written whole as soon as it is made.

Nothing here knows what is generated: `linkoracle.cli.generate` has a command for each kind.

**What is on the disk.** A file is opened when the first puzzle is ready, so a wrong request leaves
an old file as it was; from then on each puzzle is one call of the operating system at the end of
the file. There is no temporary name: what is written must stay whatever happens, and a rename at
the end would lose it all when the program is killed. Should the disk be full in the middle of a
puzzle, the file is cut back to the last whole one.
"""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click

from linkoracle.cli import options as opt
from linkoracle.cli.certify import SUFFIX, made_folder
from linkoracle.cli.program import cannot_write, end_interrupted, write_output
from linkoracle.cli.work import Spread, time_limit, working
from linkoracle.core.errors import SearchTimeout, counted
from linkoracle.core.limits import declare, deferred_signals, options_of
from linkoracle.core.randomness import seed_or_fresh
from linkoracle.formats import write

if TYPE_CHECKING:
    from linkoracle.catalogue import Catalogue
    from linkoracle.generate import Made
    from linkoracle.kinds import Puzzle


@dataclass(frozen=True)
class Run(Spread, opt.Timed, opt.Seeded):
    """How many puzzles are made, within which limits, and where they go."""

    count: int = declare(1, "How many puzzles to make, all different.", least=1, most=2**63 - 1)
    target: str | None = declare(
        None, "The format to write.  [default: text]", words=opt.WRITTEN, flag="--format"
    )
    output: str | None = declare(
        None,
        "Write to FILE, puzzle by puzzle, in place of what it held.",
        form="FILE",
        flag="-o --output",
    )
    show: bool = declare(
        False, "Draw every board with its solution. Without -o, this replaces the puzzle."
    )
    into: str | None = declare(
        None, "Collect and count those new to this catalogue; print with -o only.", form="FILE"
    )
    grade: bool = declare(False, "With --into: grade every puzzle.")
    certify: bool = declare(False, "With --into: store a certificate with every puzzle.")
    certificates: str | None = declare(
        None, "Write 1.certificate, 2.certificate ... to this folder.", form="DIR"
    )
    ascii_only: bool = declare(False, "Draw with ASCII characters.", flag="--ascii")

    def __post_init__(self) -> None:
        if self.show and self.target and self.file is None:
            told = "--show draws in place of the puzzle: name a FILE with -o to get both"
            raise click.UsageError(told)
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
        """Where puzzles go if not to standard output."""
        return None if self.output == "-" else self.output

    @property
    def printed(self) -> bool:
        """Whether puzzles are written in a format, to a file or to standard output."""
        printed = not self.show and (self.into is None or self.output == "-")
        return self.file is not None or printed


#: Options that say where puzzles go and what making them may cost, not which puzzles are made.
NOT_OF_THE_MAKER = {"memory", *options_of(Run)}


def refuse_to_replace(catalogue: str, output: str | None) -> None:
    """Refuse to write puzzles over the catalogue that they come from or go to."""
    # Unlike `Path.resolve`, this takes a circle of links as it is; whoever writes there says so.
    if output is not None and os.path.realpath(output) == os.path.realpath(catalogue):
        raise click.UsageError(f"-o would replace the catalogue {catalogue}: name another FILE")


def stream(
    make: Callable[..., Iterator[Made]],
    run: Run,
    name: str,
    *,
    alone: bool = False,
) -> None:
    """Write puzzles as they come, with a bar called ``name`` that tells yield and rate.

    ``make`` yields as many puzzles as ``wanted``, or as are taken; ``seed``, ``timeout``,
    ``executor`` and ``progress`` are the other arguments, all by name. With ``alone``, and for a
    single puzzle, other processes are used only if the user says so. Puzzles that the catalogue has
    already are passed over, and told at the end on standard error. Ctrl-C says how many were
    written and exits with 130. Any other error, such as "no more different boards", comes out after
    what is written.
    Raises `FormatError` when the format cannot express the puzzle, ``OSError`` when the file cannot
    be written.
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

            # A catalogue may have some of them already.
            wanted = None if run.into else count
            with opt.arguments():
                how = {"timeout": timeout, "executor": executor, "progress": report}
                puzzles = make(seed=drawn, wanted=wanted, **how)
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
                    # What was ended by the limit had a puzzle to show for it, and nothing more.
                    raise SearchTimeout(timeout, reached=work.line)
    except SearchTimeout as error:
        advice = "; more time, another seed, or asking for less may help"
        raise SearchTimeout(error.seconds, reached=error.reached + advice) from None
    except KeyboardInterrupt:
        where = run.file or run.into
        told = f"interrupted: {counted(sink.written, 'puzzle')} of {count} written"
        end_interrupted(f"{told} to {where}" if where else told)


class _Sink:
    """Where puzzles go one by one: to standard output or a file, and to a catalogue.

    A catalogue that exists is opened at once, so that a file that is none ends the program before
    work is done; a new one, and the file, are made when the first puzzle is there.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._file: FileIO | None = None
        self._size = 0
        self._catalogue: Catalogue | None = None
        #: Puzzles so far, and those that the catalogue has already.
        self.written = self._passed = 0

    def __enter__(self) -> Self:
        if self._run.into is not None and Path(self._run.into).exists():
            self._open(self._run.into)
        return self

    def __exit__(self, *_: object) -> None:
        for one in (self._file, self._catalogue):
            if one is not None:
                one.close()
        if self._passed:
            passed = f"{counted(self._passed, 'puzzle')} {'was' if self._passed == 1 else 'were'}"
            click.echo(f"{passed} in {self._run.into} already", err=True)

    def known(self, puzzle: Puzzle) -> dict[str, Any]:
        """The grade and the certificate of a puzzle, if they are wanted and it is new."""
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
        """Write a puzzle, unless the catalogue has it: whether it is new."""
        run = self._run
        text = ""
        if run.printed:
            # Before anything is written anywhere, since not every format can express every puzzle.
            target = run.target or "text"
            told = write(made.puzzle, target)
            if made.remarks and target == "json":
                told = json.dumps({**json.loads(told), **made.remarks})
            text = opt.one_text([told], target, more=self.written > 0)
        with deferred_signals():
            if run.into is not None and not self._collect(run.into, made, known):
                self._passed += 1
                return False
            if run.certificates is not None and "certificate" in known:
                file = made_folder(run.certificates) / f"{self.written + 1}{SUFFIX}"
                write_output(known["certificate"].data, str(file))
            if run.file is not None:
                self._append(run.file, text.encode())
            self.written += 1
        if text and run.file is None:
            click.echo(text, nl=False)
        if run.show:
            from linkoracle.render.text import draw

            picture = draw(made.puzzle, made.solution, ascii_only=run.ascii_only)
            click.echo(("\n" if self.written > 1 else "") + picture)
        return True

    def _append(self, path: str, data: bytes) -> None:
        try:
            self._file = self._file or FileIO(path, "w")
            if self._file.write(data) < len(data):
                self._file.truncate(self._size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self._size += len(data)
        except OSError as error:
            raise cannot_write(error, path) from None

    def _collect(self, path: str, made: Made, known: dict[str, Any]) -> bool:
        """Whether a puzzle is new; it is in the catalogue when this returns."""
        catalogue = self._open(path) if self._catalogue is None else self._catalogue
        context = click.get_current_context()
        request = {
            name: value
            for name, value in context.params.items()
            # Zero is a wish, too; flags that are not set and empty lists are none.
            if name not in NOT_OF_THE_MAKER and (value or value == 0) and value is not False
        }
        return catalogue.add(
            made.puzzle,
            made.solution,
            maker={
                "command": " ".join(context.command_path.split()[1:]),
                **request,
                **made.remarks,
            },
            seed=made.seed,
            number=self.written + self._passed + 1,
            **known,
        )

    def _open(self, path: str) -> Catalogue:
        from linkoracle.catalogue import Catalogue

        self._catalogue = Catalogue(path)
        return self._catalogue
