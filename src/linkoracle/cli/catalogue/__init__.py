"""`linkoracle catalogue`: puzzles collected in a file, none twice."""

from __future__ import annotations

import click

from linkoracle.cli.catalogue.adding import add
from linkoracle.cli.catalogue.grading import grade
from linkoracle.cli.catalogue.showing import check, export, list_, stats


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


for command in (add, grade, list_, export, stats, check):
    catalogue.add_command(command)
