"""`linkoracle catalogue list`, `export`, `stats` and `check`: what a catalogue holds."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

import click

from linkoracle.cli import options as opt
from linkoracle.cli.program import DONE, NO
from linkoracle.cli.streaming import refuse_to_replace
from linkoracle.cli.work import time_limit, working
from linkoracle.core.errors import CatalogueError, FormatError, NothingFound
from linkoracle.core.limits import Deadline
from linkoracle.formats import write
from linkoracle.formats.document import clean_name, counted
from linkoracle.kinds import KINDS, kind_named

if TYPE_CHECKING:
    from linkoracle.catalogue import Catalogue, Filter, Record

Told = TypeVar("Told")

_SIZE = opt.ReadParam(
    "ROWSxCOLS",
    "expected a size such as 10x10 or 8-12x10, found",
    opt.matching(
        f"{opt.SPAN}x{opt.SPAN}",
        lambda low, high, low2, high2: (opt.span(low, high), opt.span(low2, high2)),
    ),
)


#: The catalogue, and options that say which of its puzzles; `wanted` takes all but ``file``.
choosing_options = opt.together(
    click.argument("file", metavar="CATALOGUE"),
    click.option("--kind", type=click.Choice(list(KINDS)), help="Only these puzzles."),
    click.option(
        "--rule",
        type=click.Choice(list(dict.fromkeys(r for kind in KINDS.values() for r in kind.rules))),
        help="Only puzzles under this rule.",
    ),
    click.option("--size", type=_SIZE, help="Only boards of this size, such as 10x10 or 8-12x10."),
    click.option(
        "--grade",
        "grades",
        # Spelled out, so that --help need not load SQLite.
        type=click.Choice(["easy", "normal", "tricky", "hard", "extreme", "gave up", "none"]),
        multiple=True,
        help="Only puzzles of this grade; none: without one. May be repeated: one must fit.",
    ),
    click.option(
        "--clues",
        "--pairs",
        "clues",
        type=opt.RANGE,
        help="Only puzzles with so many clues, or pairs.",
    ),
    click.option(
        "--maker",
        "makers",
        multiple=True,
        metavar="WORD|NAME=VALUE",
        help="Only puzzles of commands with this word, such as generate, or of requests with "
        "this value, such as shape=uniform. May be repeated: all must fit.",
    ),
)


def wanted(size: Any, **asked: Any) -> Filter:
    """The filter that the options describe."""
    from linkoracle.catalogue import Filter

    rows, cols = size or (None, None)
    return Filter(rows=rows, cols=cols, **asked)


class Skipping:
    """Warns of each row that cannot be read; ``status`` is the exit status then."""

    def __init__(self, timeout: float | None = None) -> None:
        self.status = DONE
        self._deadline = Deadline(timeout)

    def __call__(self, error: CatalogueError) -> None:
        click.echo(f"warning: {error}", err=True)
        self.status = NO

    def readable(
        self, file: str, records: Iterator[Record], read: Callable[[Record], Told]
    ) -> Iterator[tuple[Record, Told]]:
        """The records with what is read of them, without those for which that fails.

        Raises `SearchTimeout` when the time is over.
        """
        for record in records:
            self._deadline.check()
            try:
                told = read(record)
            except ValueError as error:
                self(CatalogueError(f"{file}: puzzle {record.id}: {error}"))
            else:
                yield record, told


#: Options that say how many of the puzzles that fit.
_picking_options = opt.together(
    click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N."),
    click.option(
        "--sample", type=click.IntRange(min=1), metavar="N", help="Only N, chosen at random."
    ),
    click.option("--seed", type=int, help="For --sample: the same seed, the same puzzles."),
)


def _picked(
    catalogue: Catalogue,
    skipping: Skipping,
    limit: int | None,
    sample: int | None,
    seed: int | None,
    **asked: Any,
) -> Iterator[Record]:
    """The puzzles that the options describe."""
    if limit is not None and sample is not None:
        raise click.UsageError("expected --limit or --sample, not both")
    if seed is not None and sample is None:
        raise click.UsageError("--seed goes with --sample")
    return catalogue.find(wanted(**asked), limit=limit, sample=sample, seed=seed, skipped=skipping)


def _reading(file: str) -> Catalogue:
    from linkoracle.catalogue import Catalogue

    return Catalogue(file, readonly=True)


@click.command("list", short_help="Print a line for each puzzle.")
@choosing_options
@_picking_options
@opt.json_option("Print one JSON object a puzzle, with all.")
@opt.timeout_option("Stop after this time")
def list_(file: str, as_json: bool, timeout: float | None, **asked: Any) -> None:
    """Print a line for each puzzle of CATALOGUE, in the order in which they came.

    Tells its number, kind, size, clues or pairs, grade, and where it is from: a name, or a command
    with the seed and the place in that run. Exit status 1 if some puzzle is damaged: it is named
    on standard error, and the others are printed.

    \b
    Examples:
      linkoracle catalogue list catalogue.sqlite --kind slitherlink --grade hard
    """
    skipping = Skipping(timeout)
    with _reading(file) as catalogue, time_limit(timeout):
        found = _picked(catalogue, skipping, **asked)
        read = (lambda record: json.dumps(record.as_json())) if as_json else _line
        for _, line in skipping.readable(file, found, read):
            click.echo(line)
    sys.exit(skipping.status)


def _line(record: Record) -> str:
    puzzle = f"{record.kind} {record.rule}"
    unit = kind_named(record.kind).unit
    source = record.name or str(record.maker.get("command", ""))
    if record.seed is not None:
        source += f", seed {record.seed}"
        source += f", number {record.number}" if record.number is not None else ""
    return (
        f"{record.id:>6}  {puzzle:<16}  {record.size:<7}  {record.clues:>3} {unit}  "
        f"{record.grade or '-':<7}  {clean_name(source) or ''}"
    ).rstrip()


@click.command(short_help="Write puzzles in any format.")
@choosing_options
@_picking_options
@click.option(
    "--format",
    "target",
    type=opt.WRITTEN,
    default="text",
    show_default=True,
    help="The format to write.",
)
@opt.output_option
@opt.timeout_option("Stop after this time")
def export(file: str, target: str, output: str | None, timeout: float | None, **asked: Any) -> None:
    """Write puzzles of CATALOGUE in a format that other programs read.

    Exit status 1 if there is none that fits, and nothing is written then; or if some puzzle is
    damaged: it is named on standard error, and the others are written.

    \b
    Examples:
      linkoracle catalogue export catalogue.sqlite --grade hard -o hard.txt
      linkoracle catalogue export catalogue.sqlite --size 10x10 --sample 6
    """
    refuse_to_replace(file, output)
    written: list[str] = []
    skipping = Skipping(timeout)
    with _reading(file) as catalogue, working("reading", timeout) as work:
        found = _picked(catalogue, skipping, **asked)
        for record, puzzle in skipping.readable(file, found, lambda record: record.puzzle):
            try:
                text = write(puzzle, target, name=record.name)
            except FormatError as error:
                raise FormatError(f"puzzle {record.id}: {error.reason}", source=file) from None
            written.append(text)
            work(counted(len(written), "puzzle"))
    if not written:
        raise NothingFound(f"no puzzle of {file} fits")
    opt.write_output(opt.one_text(written, target), output)
    sys.exit(skipping.status)


@click.command(short_help="Count puzzles by kind, size and grade.")
@choosing_options
@opt.json_option("Print one JSON object a line of the table.")
def stats(file: str, as_json: bool, **asked: Any) -> None:
    """Count the puzzles of CATALOGUE by kind, rule, size and grade, with their clues or pairs.

    Exit status 1 if some puzzle is damaged: it is named on standard error and not counted.

    \b
    Examples:
      linkoracle catalogue stats catalogue.sqlite --size 10x10
    """
    skipping = Skipping()
    with _reading(file) as catalogue:
        groups = catalogue.stats(wanted(**asked), skipped=skipping)
    if as_json:
        for group in groups:
            click.echo(json.dumps(asdict(group)))
        sys.exit(skipping.status)
    rows: list[list[object]] = []
    for group in groups:
        size = f"{group.rows}x{group.cols}"
        few, most = group.fewest, group.most
        span = str(few) if few == most else f"{few}-{most}"
        rows.append([group.kind, group.rule, size, group.grade or "-", span, group.puzzles])
    total = sum(group.puzzles for group in groups)
    headings = ["kind", "rule", "size", "grade", "clues", "puzzles"]
    click.echo(opt.table_of(headings, [*rows, ["all", "", "", "", "", total]]))
    sys.exit(skipping.status)


@click.command(short_help="Read everything again.")
@click.argument("file", metavar="CATALOGUE")
@opt.timeout_option("Stop after this time")
def check(file: str, timeout: float | None) -> None:
    """Read all of CATALOGUE again, and put every solution before an independent checker.

    Compares what the file says of each puzzle, too: size, clues, grade, maker. That a solution is
    the only one was proven when the puzzle came; `linkoracle catalogue export` and `linkoracle
    check` prove it again. Exit status 1 if something is wrong.

    \b
    Examples:
      linkoracle catalogue check catalogue.sqlite
    """
    faulty = False
    deadline = Deadline(timeout)

    def step(line: str, share: float | None) -> None:
        deadline.check()
        work(line, share)

    with _reading(file) as catalogue, working("checking", timeout) as work:
        for fault in catalogue.faults(progress=step):
            work.hide()
            click.echo(fault)
            faulty = True
        if not faulty:
            click.echo(f"all is well with {counted(len(catalogue), 'puzzle')}")
    sys.exit(NO if faulty else DONE)
