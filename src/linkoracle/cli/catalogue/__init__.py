"""`linkoracle catalogue`: puzzles collected in a file, none twice."""

from __future__ import annotations

import click

from linkoracle.cli.catalogue.adding import add
from linkoracle.cli.catalogue.grading import grade
from linkoracle.cli.catalogue.showing import check, export, list_, stats


@click.group()
def catalogue() -> None:
    """Collect puzzles with their solutions and grades, none twice up to symmetry.

    `linkoracle generate ... --into FILE` makes puzzles straight into a catalogue.
    """


for command in (add, grade, list_, export, stats, check):
    catalogue.add_command(command)
