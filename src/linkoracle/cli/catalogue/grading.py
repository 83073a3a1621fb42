"""`linkoracle catalogue grade`: grades for puzzles that were added without."""

from __future__ import annotations

from typing import Any

import click

from linkoracle.cli.catalogue.options import choosing_options, wanted
from linkoracle.cli.progress import shown_progress
from linkoracle.cli.shared import clean_endings


@click.command(short_help="Grade the puzzles that have no grade.")
@choosing_options
@click.option("--again", is_flag=True, help="Grade puzzles anew that have a grade.")
def grade(file: str, again: bool, **asked: Any) -> None:
    """Grade the puzzles of CATALOGUE that have no grade, as `linkoracle grade` does.

    Each grade is written as soon as it is found; when the program is stopped, the same command goes
    on where it was.

    \b
    Examples:
      linkoracle catalogue grade catalogue.sqlite --size 10x10
    """
    with clean_endings():
        from linkoracle.catalogue import Catalogue

        which = wanted(**asked)
        done = 0
        with Catalogue(file, create=False) as catalogue, shown_progress("grading") as progress:
            for record in catalogue.find(which):
                if record.grade is not None and not again:
                    continue
                from linkoracle import deduce

                catalogue.set_grade(record.id, deduce.grade(record.puzzle))
                done += 1
                if progress is not None:
                    progress(f"{done} puzzles", None)
    click.echo(f"{done} graded")
