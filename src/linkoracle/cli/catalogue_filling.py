"""`linkoracle catalogue add`, `grade` and `certify`: commands that write to a catalogue."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Generic, NoReturn, TypeVar

import click

from linkoracle import catalogue as library
from linkoracle.cli import options as opt
from linkoracle.cli.catalogue_choosing import Skipping, choosing_options
from linkoracle.cli.options import FILE
from linkoracle.cli.program import DONE, NO, OUT_OF_MEMORY, TIMED_OUT, Named, report
from linkoracle.cli.work import time_limit, working
from linkoracle.core.errors import (
    CatalogueError,
    MemoryLimit,
    NoCertificate,
    SearchTimeout,
    counted,
)
from linkoracle.solving import decide

if TYPE_CHECKING:
    from linkoracle.catalogue import Record
    from linkoracle.certificates import Certificate
    from linkoracle.deduce import Grade
    from linkoracle.kinds import Puzzle

Found = TypeVar("Found")


@click.command(short_help="Add the puzzles that are unique and new.")
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
    if graded:
        from linkoracle import deduce
    if certified:
        from linkoracle.certificates import certificate
    with library.Catalogue(into) as kept, working("adding") as progress:
        for place, one in enumerate(named):
            progress(f"{place} of {len(named)} puzzles", place / len(named))
            if one.puzzle in kept:
                there += 1
                continue
            try:
                with time_limit(timeout):
                    verdict = decide(one.puzzle, **vars(search))
                    grade = proof = None
                    if graded and verdict.unique:
                        grade = deduce.grade(one.puzzle, timeout=timeout)
                    if certified and verdict.unique:
                        proof = certificate(one.puzzle, timeout=timeout, memory=memory)
            except SearchTimeout as error:
                report(f"error: {one.name}: {error}")
                status = TIMED_OUT
                continue
            if not verdict.unique:
                reason = "not unique" if verdict.solutions else "no solution"
                report(f"{one.name}: {reason}")
                status = status or NO
                continue
            source, (solution,) = {"command": "catalogue add"}, verdict.solutions
            new = kept.add(
                *(one.puzzle, solution),
                name=one.name,
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


@click.command("grade", short_help="Grade the puzzles that have no current grade.")
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
    from linkoracle import deduce

    def graded(puzzle: Puzzle) -> Grade:
        found = deduce.grade(puzzle, timeout=timeout)
        if found.status == "no solution":
            raise CatalogueError("it has no solution")
        return found

    lacking = _Lacking("graded", graded, library.Catalogue.set_grade, timeout)
    lacking.fill(file, criteria, lambda record: again or record.grade in (None, library.OUTDATED))


@click.command("certify", short_help="Certify the puzzles that have no certificate.")
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
    from linkoracle.certificates import certificate

    def certified(puzzle: Puzzle) -> Certificate:
        try:
            made = certificate(puzzle, limit=1, timeout=timeout, memory=memory)
        except NoCertificate as error:
            raise CatalogueError(f"it gets no certificate: {error}") from None
        if not made.solutions:
            raise CatalogueError("it has no solution")
        return made

    lacking = _Lacking("certified", certified, library.Catalogue.set_certificate, timeout)
    lacking.fill(file, criteria, lambda record: again or not record.certified)


@dataclass(frozen=True)
class _Lacking(Generic[Found]):
    """A part that puzzles lack: how to find it, and how to write it.

    ``find`` raises `CatalogueError` if a puzzle cannot have it.
    """

    done: str
    find: Callable[[Puzzle], Found]
    write: Callable[[library.Catalogue, int, Found], None]
    timeout: float | None

    def fill(self, file: str, which: library.Filter, lacks: Callable[[Record], bool]) -> NoReturn:
        """Find the part for all puzzles that lack it, write each at once, and exit."""
        done, status, skipping = 0, DONE, Skipping()
        with library.Catalogue(file, create=False) as kept, working(file) as progress:
            # `find` warns of the damaged rows.
            groups = kept.stats(which, skipped=lambda _: None)
            number = max(1, sum(group.puzzles for group in groups))

            def lacking() -> Iterator[Record]:
                for place, record in enumerate(kept.find(which, skipped=skipping)):
                    progress(f"{counted(done, 'puzzle')} {self.done}", min(1.0, place / number))
                    if lacks(record):
                        yield record

            for record, puzzle in skipping.readable(file, lacking(), attrgetter("puzzle")):
                try:
                    with time_limit(self.timeout):
                        found = self.find(puzzle)
                except (SearchTimeout, MemoryLimit) as error:
                    report(f"error: {file}: puzzle {record.id}: {error}")
                    late = isinstance(error, SearchTimeout)
                    status = TIMED_OUT if late else status or OUT_OF_MEMORY
                except CatalogueError as error:
                    skipping(CatalogueError(f"{file}: puzzle {record.id}: {error}"))
                else:
                    self.write(kept, record.id, found)
                    done += 1
        click.echo(f"{done} {self.done}")
        sys.exit(status or skipping.status)
