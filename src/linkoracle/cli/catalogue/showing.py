"""`linkoracle catalogue list`, `export`, `stats` and `check`: what a catalogue holds."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

import click

from linkoracle.cli.catalogue.options import choosing_options, wanted
from linkoracle.cli.collecting import refuse_to_replace
from linkoracle.cli.shared import NO, clean_endings, table_of, write_output
from linkoracle.errors import FormatError, NothingFound
from linkoracle.formats import FORMATS, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkoracle.catalogue import Catalogue, Record

Command = TypeVar("Command", bound=Callable[..., Any])


def _picking_options(command: Command) -> Command:
    """Options that say how many of the puzzles that fit."""
    for option in (
        click.option("--seed", type=int, help="For --sample: the same seed, the same puzzles."),
        click.option(
            "--sample", type=click.IntRange(min=1), metavar="N", help="Only N, chosen at random."
        ),
        click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N."),
    ):
        command = option(command)
    return command


def _picked(
    catalogue: Catalogue, limit: int | None, sample: int | None, seed: int | None, asked: Any
) -> Iterator[Record]:
    if limit is not None and sample is not None:
        raise click.UsageError("expected --limit or --sample, not both")
    if seed is not None and sample is None:
        raise click.UsageError("--seed goes with --sample")
    return catalogue.find(wanted(**asked), limit=limit, sample=sample, seed=seed)


def _reading(file: str) -> Catalogue:
    from linkoracle.catalogue import Catalogue

    return Catalogue(file, readonly=True)


@click.command("list", short_help="Print a line for each puzzle.")
@choosing_options
@_picking_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a puzzle, with all.")
def list_(
    file: str, limit: int | None, sample: int | None, seed: int | None, as_json: bool, **asked: Any
) -> None:
    """Print a line for each puzzle of CATALOGUE, in the order in which they came.

    Tells its number, kind, size, clues or pairs, grade, and where it is from: a name, or a command
    with the seed and the place in that run.

    \b
    Examples:
      linkoracle catalogue list catalogue.sqlite --kind slitherlink --grade hard
    """
    with clean_endings(), _reading(file) as catalogue:
        for record in _picked(catalogue, limit, sample, seed, asked):
            click.echo(json.dumps(record.as_json()) if as_json else _line(record))


def _line(record: Record) -> str:
    puzzle = f"{record.kind} {record.rule}"
    unit = "clues" if record.kind == "slitherlink" else "pairs"
    source = record.name or record.maker.get("command", "")
    if record.seed is not None:
        source += f", seed {record.seed}"
        source += f", number {record.number}" if record.number is not None else ""
    return (
        f"{record.id:>6}  {puzzle:<16}  {record.size:<7}  {record.clues:>3} {unit}  "
        f"{record.grade or '-':<7}  {source}"
    ).rstrip()


@click.command(short_help="Write puzzles in any format.")
@choosing_options
@_picking_options
@click.option(
    "--format",
    "target",
    type=click.Choice([name for name, one in FORMATS.items() if one.writes]),
    default="text",
    show_default=True,
    help="The format to write.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, not to standard output.")
def export(
    file: str,
    limit: int | None,
    sample: int | None,
    seed: int | None,
    target: str,
    output: str | None,
    **asked: Any,
) -> None:
    """Write puzzles of CATALOGUE in a format that other programs read.

    Exit status 1 if there is none that fits; nothing is written then.

    \b
    Examples:
      linkoracle catalogue export catalogue.sqlite --grade hard -o hard.txt
      linkoracle catalogue export catalogue.sqlite --size 10x10 --sample 6
    """
    refuse_to_replace(file, output)
    written = []
    with clean_endings():
        with _reading(file) as catalogue:
            for record in _picked(catalogue, limit, sample, seed, asked):
                try:
                    text = write(record.puzzle, target, name=record.name)
                except FormatError as error:
                    raise FormatError(f"puzzle {record.id}: {error.reason}", source=file) from None
                written.append(text.rstrip("\n") + "\n")
        if not written:
            raise NothingFound(f"no puzzle of {file} fits")
        # A grid takes several lines, and a blank line keeps it from the next.
        write_output(("" if FORMATS[target].one_line else "\n").join(written), output)


@click.command(short_help="Count puzzles by kind, size and grade.")
@choosing_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line of the table.")
def stats(file: str, as_json: bool, **asked: Any) -> None:
    """Count the puzzles of CATALOGUE by kind, rule, size and grade, with their clues or pairs.

    \b
    Examples:
      linkoracle catalogue stats catalogue.sqlite --size 10x10
    """
    with clean_endings():
        with _reading(file) as catalogue:
            groups = catalogue.stats(wanted(**asked))
        if as_json:
            for group in groups:
                click.echo(json.dumps(asdict(group)))
            return
        rows: list[list[object]] = []
        for group in groups:
            size = f"{group.rows}x{group.cols}"
            few, most = group.fewest, group.most
            span = str(few) if few == most else f"{few}-{most}"
            rows.append([group.kind, group.rule, size, group.grade or "-", span, group.puzzles])
        total = sum(group.puzzles for group in groups)
        headings = ["kind", "rule", "size", "grade", "clues", "puzzles"]
        click.echo(table_of(headings, [*rows, ["all", "", "", "", "", total]]))


@click.command(short_help="Read everything again.")
@click.argument("file", metavar="CATALOGUE")
def check(file: str) -> None:
    """Read all of CATALOGUE again, and put every solution before an independent checker.

    That a solution is the only one was proven when the puzzle came; `linkoracle catalogue export`
    and `linkoracle check` prove it again. Exit status 1 if something is wrong.

    \b
    Examples:
      linkoracle catalogue check catalogue.sqlite
    """
    faulty = False
    with clean_endings(), _reading(file) as catalogue:
        for fault in catalogue.faults():
            click.echo(fault)
            faulty = True
        if not faulty:
            count = len(catalogue)
            click.echo(f"all is well with {count} puzzle{'' if count == 1 else 's'}")
    sys.exit(NO if faulty else 0)
