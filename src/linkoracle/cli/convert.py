"""`linkoracle convert`: the same puzzles in another format."""

from __future__ import annotations

import click

from linkoracle.cli.shared import clean_endings, load, reading_options, write_output
from linkoracle.errors import FormatError
from linkoracle.formats import FORMATS, write


@click.command()
@reading_options
@click.option(
    "--to",
    "target",
    type=click.Choice([name for name, one in FORMATS.items() if one.writes]),
    required=True,
    help="The format to write.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, not to standard output.")
def convert(
    files: tuple[str, ...], kind: str | None, rule: str | None, target: str, output: str | None
) -> None:
    """Write the puzzles in another format.

    Every format is recognized when it is read; docs/formats.md says what each can hold.

    \b
    Examples:
      linkoracle convert --to pzpr puzzle.txt
      linkoracle convert --to json -o puzzles.jsonl one.txt two.txt
      linkoracle convert --to text 'https://puzz.link/p?slither/4/4/1ai1220ch'
    """
    with clean_endings():
        written = []
        named = load(files, kind, rule)
        for one in named:
            try:
                text = write(one.puzzle, target, name=one.name if len(named) > 1 else None)
            except FormatError as error:
                raise FormatError(f"{one.name}: {error.reason}") from None
            written.append(text.rstrip("\n") + "\n")
        # A grid takes several lines, and a blank line keeps it from the next.
        between = "" if FORMATS[target].one_line else "\n"
        write_output(between.join(written), output)
