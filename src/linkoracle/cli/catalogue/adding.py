"""`linkoracle catalogue add`: puzzles from files, certified as they enter."""

from __future__ import annotations

import sys
from typing import Any

import click

from linkoracle.cli.progress import shown_progress
from linkoracle.cli.shared import (
    NO,
    TIMED_OUT,
    clean_endings,
    load,
    reading_options,
    searching_options,
)
from linkoracle.errors import SearchTimeout
from linkoracle.solving import certify


@click.command(short_help="Certify puzzles and add those that are new.")
@reading_options
@click.option("--into", required=True, metavar="CATALOGUE", help="The catalogue to add to.")
@click.option("--grade", "graded", is_flag=True, help="Grade every puzzle that is added.")
@searching_options
def add(
    files: tuple[str, ...],
    kind: str | None,
    rule: str | None,
    into: str,
    graded: bool,
    **asked: Any,
) -> None:
    """Add the puzzles in each FILE that have exactly one solution and are new.

    Each is written as soon as it is certified, and stays when the program is stopped; the same
    command again adds the rest. Exit status 1 if some puzzle does not have exactly one solution, 3
    if some was not certified within --timeout.

    \b
    Examples:
      linkoracle catalogue add puzzles.txt more.json --into catalogue.sqlite
    """
    status = added = there = 0
    with clean_endings():
        named = load(files, kind, rule)
        from linkoracle.catalogue import Catalogue

        with Catalogue(into) as catalogue, shown_progress("adding") as progress:
            for place, one in enumerate(named):
                if progress is not None:
                    progress(f"{place} of {len(named)} puzzles", place / len(named))
                if one.puzzle in catalogue:
                    there += 1
                    continue
                try:
                    verdict = certify(one.puzzle, **asked)
                except SearchTimeout as error:
                    click.echo(f"error: {one.name}: {error}", err=True)
                    status = TIMED_OUT
                    continue
                if not verdict.unique:
                    reason = "not unique" if verdict.solutions else "no solution"
                    click.echo(f"{one.name}: {reason}", err=True)
                    status = status or NO
                    continue
                grade = None
                if graded:
                    from linkoracle import deduce

                    grade = deduce.grade(one.puzzle)
                new = catalogue.add(
                    one.puzzle,
                    verdict.solutions[0],
                    name=one.name,
                    maker={"command": "catalogue add"},
                    grade=grade,
                )
                added += new
                there += not new
    refused = len(named) - added - there
    parts = [f"{added} added", f"{there} there already", *[f"{refused} refused"] * bool(refused)]
    click.echo(", ".join(parts))
    sys.exit(status)
