"""`linkoracle generate`: puzzles that are proven to have one solution."""

from __future__ import annotations

import click

from linkoracle.cli.generate_numberlink import numberlink
from linkoracle.cli.generate_slitherlink import slitherlink


@click.group()
def generate() -> None:
    """Make puzzles, each proven to have exactly one solution.

    \b
    Examples:
      linkoracle generate slitherlink 10 10 --difficulty tricky -o mine.txt
      linkoracle generate numberlink 8 8 --show
    """


for command in (numberlink, slitherlink):
    generate.add_command(command)
