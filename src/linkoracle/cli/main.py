"""`linkoracle`: one command for each thing to do with puzzles."""

from __future__ import annotations

import click

from linkoracle.cli.booklet import booklet
from linkoracle.cli.catalogue import catalogue
from linkoracle.cli.census import census
from linkoracle.cli.check import check
from linkoracle.cli.completion import completion
from linkoracle.cli.convert import convert
from linkoracle.cli.count_solutions import main as count
from linkoracle.cli.draw import draw
from linkoracle.cli.generate import generate
from linkoracle.cli.grade import grade
from linkoracle.cli.loops import loops
from linkoracle.cli.program import ProgramGroup, complete_files
from linkoracle.cli.solve import solve


@click.group(cls=ProgramGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="linkoracle")
def main() -> None:
    """Count, enumerate and certify the solutions of Slitherlink and Numberlink puzzles.

    \b
    Examples:
      linkoracle generate slitherlink 10 10 -o mine.txt
      linkoracle check mine.txt
      linkoracle grade --explain mine.txt
      linkoracle COMMAND --help
    """


main.add_command(count, "count")
for command in (
    solve,
    draw,
    booklet,
    convert,
    check,
    loops,
    generate,
    grade,
    census,
    catalogue,
    completion,
):
    main.add_command(command)
complete_files(main)
