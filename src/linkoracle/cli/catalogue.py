"""`linkoracle catalogue`: puzzles collected in a file, none twice."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import Any, Generic, NoReturn, TypeVar

import click

from linkoracle import catalogue as library
from linkoracle import certificates, deduce
from linkoracle.cli import options as opt
from linkoracle.cli.program import (
    DONE,
    NO,
    OUT_OF_MEMORY,
    TIMED_OUT,
    Named,
    report,
    write_output,
)
from linkoracle.cli.solve import SUFFIX, made_folder
from linkoracle.cli.streaming import refuse_to_replace
from linkoracle.cli.values import FILE, FORMS, OUTPUT, ReadParam
from linkoracle.cli.work import time_limit, working
from linkoracle.core import (
    CatalogueError,
    Deadline,
    FormatError,
    MemoryLimit,
    NoCertificate,
    NothingFound,
    SearchTimeout,
    counted,
    declare,
    seed_or_fresh,
)
from linkoracle.formats import clean_name, write
from linkoracle.kinds import Puzzle, kind_named
from linkoracle.solving import decide

Part = TypeVar("Part")


def _grade(text: str) -> str:
    library.named_grades(text)
    return text


_LABELS = ", ".join((*library.GRADES, library.OUTDATED, library.UNGRADED))
FORMS["LABEL[..LABEL] GRADE"] = ReadParam(
    "LABEL[..LABEL]",
    f"expected one of {_LABELS}, or a range such as normal..hard, found",
    _grade,
)


@dataclass(frozen=True)
class Picked(opt.Seeded):
    """How many of the matching puzzles."""

    limit: int | None = declare(None, "Only the first N.", least=1)
    sample: int | None = declare(None, "Only N, chosen at random.", least=1)

    def __post_init__(self) -> None:
        if self.limit is not None and self.sample is not None:
            raise click.UsageError("expected --limit or --sample, not both")
        if self.seed is not None and self.sample is None:
            raise click.UsageError("--seed goes with --sample")


#: The catalogue, as ``file``, and which of its puzzles, as ``criteria``.
choosing_options = opt.together(
    click.argument("file", metavar="CATALOGUE", type=FILE),
    opt.packed(library.Filter, "criteria"),
)
#: How many of the matching puzzles, as ``picked``.
picking_options = opt.packed(
    Picked,
    "picked",
    seed=opt.seed_help("For --sample: the same seed chooses the same puzzles."),
)


class Skipping:
    """Warns of each row that cannot be read, and sets the exit ``status``."""

    def __init__(self, timeout: float | None = None) -> None:
        self.status = DONE
        self._deadline = Deadline(timeout)

    def __call__(self, error: CatalogueError) -> None:
        report(f"warning: {error}")
        self.status = NO

    def readable(
        self, file: str, records: Iterator[library.Record], read: Callable[[library.Record], Any]
    ) -> Iterator[tuple[library.Record, Any]]:
        """Yield the records, each with the result of ``read``; skip those for which it fails.

        Raises `SearchTimeout` at the deadline.
        """
        for record in records:
            self._deadline.check()
            try:
                value = read(record)
            except ValueError as error:
                self(CatalogueError(f"{file}: puzzle {record.id}: {error}"))
            else:
                yield record, value

    def picked(
        self, kept: library.Catalogue, criteria: library.Filter, picked: Picked
    ) -> Iterator[library.Record]:
        """Return the puzzles that `choosing_options` and `picking_options` describe."""
        drawn = seed_or_fresh(picked.seed)
        how = {"limit": picked.limit, "sample": picked.sample}
        records = kept.find(criteria, seed=drawn, skipped=self, **how)
        if picked.sample is not None:
            opt.show_seed(picked.seed, drawn)
        return records


@click.group()
def catalogue() -> None:
    """Collect puzzles with their solutions and grades, each once up to symmetry.

    `linkoracle generate ... --into FILE` adds the puzzles that it makes. Damaged entries are
    reported on standard error and skipped (exit status 1).

    \b
    Examples:
      linkoracle generate slitherlink 8 8 --count 20 --into catalogue.sqlite
      linkoracle catalogue add puzzles.txt --into catalogue.sqlite
      linkoracle catalogue list catalogue.sqlite --clues 15-25
    """


@catalogue.command("list", short_help="Print a line for each puzzle.")
@choosing_options
@picking_options
@opt.json_option("Print one JSON object per puzzle, with everything known.")
@opt.stop_option
def list_(
    file: str, criteria: library.Filter, picked: Picked, as_json: bool, timeout: float | None
) -> None:
    """Print a line for each puzzle of CATALOGUE, the oldest first.

    A line shows the number, kind, size, clues or pairs, grade, score and source of a puzzle. The
    source is a name, or a command with its seed and the number of the puzzle in that run.

    \b
    Examples:
      linkoracle catalogue list mine.sqlite --kind slitherlink --difficulty hard
    """
    skipping = Skipping(timeout)
    with library.Catalogue(file, readonly=True) as kept, time_limit(timeout):
        read = (lambda record: json.dumps(record.as_json())) if as_json else _line
        for _, line in skipping.readable(file, skipping.picked(kept, criteria, picked), read):
            report(line, err=False)
    sys.exit(skipping.status)


def _line(record: library.Record) -> str:
    puzzle = f"{record.kind} {record.variant}"
    unit = kind_named(record.kind).unit
    source = record.name or str(record.source.get("command", ""))
    if record.seed is not None:
        source += f", seed {record.seed}"
        source += f", number {record.number}" if record.number is not None else ""
    return (
        f"{record.id:>6}  {puzzle:<16}  {record.size:<7}  {record.clues:>3} {unit}  "
        f"{record.grade or '-':<8} {'' if record.score is None else record.score:>5}  "
        f"{clean_name(source) or ''}"
    ).rstrip()


@catalogue.command(short_help="Write puzzles in any format.")
@choosing_options
@picking_options
@opt.option("--format target", opt.WRITTEN, "The format to write.", "text")
@opt.output_option
@opt.option(
    "--certificates",
    OUTPUT,
    "Write N.certificate of puzzle N in `list` to this folder.",
    metavar="DIR",
)
@opt.stop_option
def export(
    file: str,
    criteria: library.Filter,
    picked: Picked,
    target: str,
    output: str | None,
    certificates: str | None,
    timeout: float | None,
) -> None:
    """Write puzzles of CATALOGUE in a format that other programs read.

    Exit status 1 if no puzzle matches (nothing is written then), or if a certificate to be written
    is missing. Certificates are verified before they are written.

    \b
    Examples:
      linkoracle catalogue export catalogue.sqlite --difficulty hard -o hard.txt
      linkoracle catalogue export catalogue.sqlite --size 10x10 --sample 6
      linkoracle catalogue export catalogue.sqlite -o a.txt --certificates proofs
    """
    refuse_to_replace(file, output)
    written: list[str] = []
    without = 0
    skipping = Skipping(timeout)
    with library.Catalogue(file, readonly=True) as kept, working("reading", timeout) as work:

        def read(record: library.Record) -> tuple[Puzzle, bytes | None]:
            return record.puzzle, kept.certificate(record) if certificates else None

        chosen = skipping.picked(kept, criteria, picked)
        for record, (puzzle, proof) in skipping.readable(file, chosen, read):
            try:
                written.append(write(puzzle, target, name=record.name))
            except FormatError as error:
                raise FormatError(f"puzzle {record.id}: {error.reason}", source=file) from None
            if certificates is not None and proof is not None:
                write_output(proof, str(made_folder(certificates) / f"{record.id}{SUFFIX}"))
            without += proof is None
            work(counted(len(written), "puzzle"))
    if not written:
        raise NothingFound(f"{file}: no puzzle matches the options")
    write_output(opt.one_text(written, target), output)
    if certificates is not None and without:
        have = "has" if without == 1 else "have"
        skipping(CatalogueError(f"{file}: {counted(without, 'puzzle')} {have} no certificate"))
    sys.exit(skipping.status)


@catalogue.command(short_help="Count puzzles by kind, size and grade.")
@choosing_options
@opt.json_option("Print one JSON object per row of the table.")
def stats(file: str, criteria: library.Filter, as_json: bool) -> None:
    """Count the puzzles of CATALOGUE by kind, variant, size and grade, with their clues or pairs.

    \b
    Examples:
      linkoracle catalogue stats catalogue.sqlite --size 10x10
    """
    skipping = Skipping()
    with library.Catalogue(file, readonly=True) as kept:
        groups = kept.stats(criteria, skipped=skipping)
    rows: list[list[object]] = [["kind", "variant", "size", "grade", "clues", "puzzles"]]
    for group in groups:
        if as_json:
            click.echo(json.dumps(asdict(group)))
        span = str(group.fewest) if group.fewest == group.most else f"{group.fewest}-{group.most}"
        about = group.kind, group.variant, group.size, group.grade or "-"
        rows.append([*about, span, group.puzzles])
    rows.append(["all", "", "", "", "", sum(group.puzzles for group in groups)])
    if not as_json:
        click.echo(opt.table_of(rows))
    sys.exit(skipping.status)


@catalogue.command(short_help="Check every puzzle again.")
@click.argument("file", metavar="CATALOGUE", type=FILE)
@opt.stop_option
def check(file: str, timeout: float | None) -> None:
    """Check every solution in CATALOGUE by a program that shares no code with the engines.

    Also check the size, clues, grade and source of each puzzle, and verify its certificate, if it
    has one. Without a certificate, uniqueness was proven when the puzzle was added. Exit status 1
    if something is wrong.

    \b
    Examples:
      linkoracle catalogue check catalogue.sqlite
    """
    faulty = False
    deadline = Deadline(timeout)

    def step(line: str, share: float | None) -> None:
        deadline.check()
        work(line, share)

    with library.Catalogue(file, readonly=True) as kept, working("checking", timeout) as work:
        for fault in kept.faults(progress=step):
            work.hide()
            report(fault, err=False)
            faulty = True
        if not faulty:
            click.echo(f"all is well with {counted(len(kept), 'puzzle')}")
    sys.exit(NO if faulty else DONE)


@catalogue.command(short_help="Add the puzzles that are unique and new.")
@opt.reading_options
@opt.option("--into", FILE, "The catalogue to add to.", required=True, metavar="CATALOGUE")
@opt.flag("--grade", "Grade every puzzle that is added.", "graded")
@opt.flag("--certify", "Keep a certificate with every puzzle that is added.", "certified")
@opt.packed(opt.Searching, "search")
def add(
    named: list[Named],
    into: str,
    graded: bool,
    certified: bool,
    search: opt.Searching,
) -> None:
    """Add the puzzles in each FILE that have exactly one solution and are new.

    Each is written as soon as it is decided, and stays when the program is stopped; the same
    command again adds the rest. Exit status 1 if some puzzle does not have exactly one solution, 3
    if some was not decided within --timeout.

    \b
    Examples:
      linkoracle catalogue add puzzles.txt more.json --into catalogue.sqlite
    """
    status = added = there = 0
    timeout, memory = search.timeout, search.memory
    with library.Catalogue(into) as kept, working("adding") as progress:
        for place, entry in enumerate(named):
            progress(f"{place} of {len(named)} puzzles", place / len(named))
            if entry.puzzle in kept:
                there += 1
                continue
            try:
                with time_limit(timeout):
                    verdict = decide(entry.puzzle, **vars(search))
                    grade = proof = None
                    if graded and verdict.unique:
                        grade = deduce.grade(entry.puzzle, timeout=timeout)
                    if certified and verdict.unique:
                        proof = certificates.certificate(
                            entry.puzzle, timeout=timeout, memory=memory
                        )
            except SearchTimeout as error:
                report(f"error: {entry.name}: {error}")
                status = TIMED_OUT
                continue
            if not verdict.unique:
                reason = "not unique" if verdict.solutions else "no solution"
                report(f"{entry.name}: {reason}")
                status = status or NO
                continue
            source, (solution,) = {"command": "catalogue add"}, verdict.solutions
            new = kept.add(
                *(entry.puzzle, solution),
                name=entry.name,
                source=source,
                grade=grade,
                certificate=proof,
            )
            added += new
            there += not new
    refused = len(named) - added - there
    message = f"{added} added, {there} there already"
    click.echo(f"{message}, {refused} refused" if refused else message)
    sys.exit(status)


@catalogue.command("grade", short_help="Grade the puzzles that have no current grade.")
@choosing_options
@opt.flag("--again", "Grade puzzles again that have a grade.")
@opt.timeout_option
def grade_(file: str, criteria: library.Filter, again: bool, timeout: float | None) -> None:
    """Grade the puzzles of CATALOGUE that have no grade, as `linkoracle grade` does.

    Grades by an earlier version, on another scale, are outdated: such puzzles are graded anew.

    Each grade is written as soon as it is found; when the program is stopped, the same command goes
    on where it was. Exit status 3 if some puzzle ran out of time; the others are graded.

    \b
    Examples:
      linkoracle catalogue grade catalogue.sqlite --size 10x10
    """

    def graded(puzzle: Puzzle) -> deduce.Grade:
        grade = deduce.grade(puzzle, timeout=timeout)
        if grade.status == "no solution":
            raise CatalogueError("it has no solution")
        return grade

    lacking = _Lacking("graded", graded, library.Catalogue.set_grade, timeout)
    lacking.fill(file, criteria, lambda record: again or record.grade in (None, library.OUTDATED))


@catalogue.command("certify", short_help="Certify the puzzles that have no certificate.")
@choosing_options
@opt.flag("--again", "Replace existing certificates.")
@opt.memory_option
@opt.timeout_option
def certify_(
    file: str, criteria: library.Filter, again: bool, memory: int | None, timeout: float | None
) -> None:
    """Keep certificates with the puzzles of CATALOGUE, as `linkoracle certify` makes them.

    Each is written as soon as it is made; when the program is stopped, the same command goes on
    where it was. Exit status 3 if some puzzle ran out of time; the others are certified.

    \b
    Examples:
      linkoracle catalogue certify catalogue.sqlite --kind slitherlink
    """

    def certified(puzzle: Puzzle) -> certificates.Certificate:
        try:
            made = certificates.certificate(puzzle, limit=1, timeout=timeout, memory=memory)
        except NoCertificate as error:
            raise CatalogueError(f"it gets no certificate: {error}") from None
        if not made.solutions:
            raise CatalogueError("it has no solution")
        return made

    lacking = _Lacking("certified", certified, library.Catalogue.set_certificate, timeout)
    lacking.fill(file, criteria, lambda record: again or not record.certified)


@dataclass(frozen=True)
class _Lacking(Generic[Part]):
    """A part that puzzles lack: how to find it, and how to write it.

    ``find`` raises `CatalogueError` if a puzzle cannot have it.
    """

    done: str
    find: Callable[[Puzzle], Part]
    write: Callable[[library.Catalogue, int, Part], None]
    timeout: float | None

    def fill(
        self, file: str, which: library.Filter, lacks: Callable[[library.Record], bool]
    ) -> NoReturn:
        """Find the part for all puzzles that lack it, write each at once, and exit."""
        done, status, skipping = 0, DONE, Skipping()
        with library.Catalogue(file, create=False) as kept, working(file) as progress:
            # `find` warns of the damaged rows.
            groups = kept.stats(which, skipped=lambda _: None)
            number = max(1, sum(group.puzzles for group in groups))

            def lacking() -> Iterator[library.Record]:
                for place, record in enumerate(kept.find(which, skipped=skipping)):
                    progress(f"{counted(done, 'puzzle')} {self.done}", min(1.0, place / number))
                    if lacks(record):
                        yield record

            for record, puzzle in skipping.readable(file, lacking(), attrgetter("puzzle")):
                try:
                    with time_limit(self.timeout):
                        part = self.find(puzzle)
                except (SearchTimeout, MemoryLimit) as error:
                    report(f"error: {file}: puzzle {record.id}: {error}")
                    late = isinstance(error, SearchTimeout)
                    status = TIMED_OUT if late else status or OUT_OF_MEMORY
                except CatalogueError as error:
                    skipping(CatalogueError(f"{file}: puzzle {record.id}: {error}"))
                else:
                    self.write(kept, record.id, part)
                    done += 1
        click.echo(f"{done} {self.done}")
        sys.exit(status or skipping.status)
