"""`linkoracle census`: every puzzle of a loop, every puzzle of a board, every Numberlink."""

from __future__ import annotations

import click

from linkoracle.cli.census.board import board
from linkoracle.cli.census.loop import loop
from linkoracle.cli.census.numberlink import numberlink


@click.group()
def census() -> None:
    """Count and list whole spaces of uniquely solvable puzzles.

    \b
    Examples:
      linkoracle census board 4 4
      linkoracle census loop puzzle.txt --minimal
      linkoracle census numberlink 4 4
    """


for command in (loop, board, numberlink):
    census.add_command(command)
