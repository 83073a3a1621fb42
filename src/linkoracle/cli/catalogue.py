"""`linkoracle catalogue`: puzzles collected in a file, none twice; `add` and `grade` fill it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Unpack

import click

from linkoracle.cli import catalogue_show as show
from linkoracle.cli import options as opt
from linkoracle.cli.program import NO, TIMED_OUT
from linkoracle.cli.work import announce_compilation, time_limit, working
from linkoracle.core.errors import CatalogueError, SearchTimeout
from linkoracle.solving import certify

if TYPE_CHECKING:
    from linkoracle.deduce import Grade
    from linkoracle.kinds import Puzzle


@click.group(short_help="Collect puzzles, none twice.")
def catalogue() -> None:
    """Collect puzzles with their solutions and grades, none twice up to symmetry.

    `linkoracle generate ... --into FILE` makes puzzles straight into a catalogue.

    \b
    Examples:
      linkoracle generate slitherlink 8 8 --count 20 --into catalogue.sqlite
      linkoracle catalogue add puzzles.txt --into catalogue.sqlite
      linkoracle catalogue list catalogue.sqlite --clues 15-25
    """


@click.command(short_help="Certify puzzles and add those that are new.")
@opt.reading_options
@click.option("--into", required=True, metavar="CATALOGUE", help="The catalogue to add to.")
@opt.flag("--grade", "Grade every puzzle that is added.", "graded")
@opt.searching_options
def add(named: list[opt.Named], into: str, graded: bool, **search: Unpack[opt.Searching]) -> None:
    """Add the puzzles in each FILE that have exactly one solution and are new.

    Each is written as soon as it is certified, and stays when the program is stopped; the same
    command again adds the rest. Exit status 1 if some puzzle does not have exactly one solution, 3
    if some was not certified within --timeout.

    \b
    Examples:
      linkoracle catalogue add puzzles.txt more.json --into catalogue.sqlite
    """
    status = added = there = 0
    timeout = search["timeout"]
    from linkoracle.catalogue import Catalogue

    with Catalogue(into) as catalogue, working("adding") as progress:
        for place, one in enumerate(named):
            progress(f"{place} of {len(named)} puzzles", place / len(named))
            if one.puzzle in catalogue:
                there += 1
                continue
            try:
                with time_limit(timeout):
                    verdict = certify(one.puzzle, **search)
                    grade = _grade(one.puzzle, timeout) if graded and verdict.unique else None
            except SearchTimeout as error:
                click.echo(f"error: {one.name}: {error}", err=True)
                status = TIMED_OUT
                continue
            if not verdict.unique:
                reason = "not unique" if verdict.solutions else "no solution"
                click.echo(f"{one.name}: {reason}", err=True)
                status = status or NO
                continue
            maker, (solution,) = {"command": "catalogue add"}, verdict.solutions
            new = catalogue.add(one.puzzle, solution, name=one.name, maker=maker, grade=grade)
            added += new
            there += not new
    refused = len(named) - added - there
    parts = [f"{added} added", f"{there} there already", *[f"{refused} refused"] * bool(refused)]
    click.echo(", ".join(parts))
    sys.exit(status)


@click.command("grade", short_help="Grade the puzzles that have no grade.")
@show.choosing_options
@opt.flag("--again", "Grade puzzles anew that have a grade.")
@opt.timeout_option()
def grade_(file: str, again: bool, timeout: float | None, **asked: Any) -> None:
    """Grade the puzzles of CATALOGUE that have no grade, as `linkoracle grade` does.

    Each grade is written as soon as it is found; when the program is stopped, the same command goes
    on where it was. Exit status 1 if some puzzle is damaged, 3 if some puzzle ran out of time; it
    is named on standard error, and the others are graded.

    \b
    Examples:
      linkoracle catalogue grade catalogue.sqlite --size 10x10
    """
    from linkoracle.catalogue import Catalogue

    which = show.wanted(**asked)
    done, status = 0, 0
    skipping = show.Skipping()
    announce_compilation()
    with Catalogue(file, create=False) as catalogue, working("grading") as progress:
        records = (
            record
            for record in catalogue.find(which, skipped=skipping)
            if again or record.grade is None
        )
        for record, puzzle in skipping.readable(file, records, lambda record: record.puzzle):
            try:
                with time_limit(timeout):
                    found = _grade(puzzle, timeout)
            except SearchTimeout as error:
                click.echo(f"error: {file}: puzzle {record.id}: {error}", err=True)
                status = TIMED_OUT
                continue
            if found.status == "no solution":
                skipping(CatalogueError(f"{file}: puzzle {record.id}: it has no solution"))
                continue
            catalogue.set_grade(record.id, found)
            done += 1
            progress(f"{done} puzzles")
    click.echo(f"{done} graded")
    sys.exit(status or skipping.status)


def _grade(puzzle: Puzzle, timeout: float | None) -> Grade:
    from linkoracle.deduce import grade

    return grade(puzzle, timeout=timeout)


for command in (add, grade_, show.list_, show.export, show.stats, show.check):
    catalogue.add_command(command)
