"""`linkoracle catalogue`: puzzles collected in a file, none twice."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Unpack

import click

from linkoracle.cli import options as opt
from linkoracle.cli.options import GRADES, choice, option
from linkoracle.cli.program import DONE, NO, TIMED_OUT, Named
from linkoracle.cli.streaming import refuse_to_replace
from linkoracle.cli.work import time_limit, working
from linkoracle.core.errors import CatalogueError, FormatError, NothingFound, SearchTimeout, counted
from linkoracle.core.limits import Deadline
from linkoracle.formats import write
from linkoracle.formats.reading import clean_name
from linkoracle.kinds import KINDS, kind_named
from linkoracle.solving import certify

if TYPE_CHECKING:
    from linkoracle.catalogue import Catalogue, Filter, Record

_SIZE = opt.ReadParam(
    "ROWSxCOLS",
    "expected a size such as 10x10 or 8-12x10, found",
    opt.matching(
        f"{opt.SPAN}x{opt.SPAN}", lambda *ends: (opt.span(*ends[:2]), opt.span(*ends[2:]))
    ),
)
_RULES = dict.fromkeys(rule for kind in KINDS.values() for rule in kind.rules)
#: The catalogue, and options that say which of its puzzles; `_wanted` takes all but ``file``.
_choosing_options = opt.together(
    click.argument("file", metavar="CATALOGUE"),
    choice("--kind", KINDS, "Only these puzzles."),
    choice("--rule", _RULES, "Only puzzles under this rule."),
    option("--size", _SIZE, "Only boards of this size, such as 10x10 or 8-12x10."),
    choice(
        "--grade grades",
        [*GRADES, "gave up", "none"],
        "Only puzzles of this grade; none: without one. May be repeated: one must fit.",
        multiple=True,
    ),
    option("--clues --pairs clues", opt.RANGE, "Only puzzles with so many clues, or pairs."),
    click.option(
        "--maker",
        "makers",
        multiple=True,
        metavar="WORD|NAME=VALUE",
        help="Only puzzles of commands with this word, such as generate, or of requests with "
        "this value, such as shape=uniform. May be repeated: all must fit.",
    ),
)
#: Options that say how many of the puzzles that fit.
_picking_options = opt.together(
    option("--limit", click.IntRange(1), "Only the first N."),
    option("--sample", click.IntRange(1), "Only N, chosen at random."),
    option("--seed", click.INT, "For --sample: the same seed, the same puzzles."),
)


@click.group(short_help="Collect puzzles, none twice.")
def catalogue() -> None:
    """Collect puzzles with their solutions and grades, none twice up to symmetry.

    `linkoracle generate ... --into FILE` makes puzzles straight into a catalogue. A damaged one is
    named on standard error and passed over; the exit status is 1 then.

    \b
    Examples:
      linkoracle generate slitherlink 8 8 --count 20 --into catalogue.sqlite
      linkoracle catalogue add puzzles.txt --into catalogue.sqlite
      linkoracle catalogue list catalogue.sqlite --clues 15-25
    """


def _opened(file: str, **how: bool) -> Catalogue:
    """The catalogue; SQLite need not be loaded for --help."""
    from linkoracle.catalogue import Catalogue

    return Catalogue(file, **how)


def _wanted(size: Any, **asked: Any) -> Filter:
    """The filter that `_choosing_options` describe."""
    from linkoracle.catalogue import Filter

    rows, cols = size or (None, None)
    return Filter(rows=rows, cols=cols, **asked)


class _Skipping:
    """Warns of each row that cannot be read; ``status`` is the exit status then."""

    def __init__(self, timeout: float | None = None) -> None:
        self.status = DONE
        self._deadline = Deadline(timeout)

    def __call__(self, error: CatalogueError) -> None:
        click.echo(f"warning: {error}", err=True)
        self.status = NO

    def readable(
        self, file: str, records: Iterator[Record], read: Callable[[Record], Any]
    ) -> Iterator[tuple[Record, Any]]:
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

    def picked(
        self, kept: Catalogue, limit: int | None, sample: int | None, seed: int | None, **asked: Any
    ) -> Iterator[Record]:
        """The puzzles that `_choosing_options` and `_picking_options` describe."""
        if limit is not None and sample is not None:
            raise click.UsageError("expected --limit or --sample, not both")
        if seed is not None and sample is None:
            raise click.UsageError("--seed goes with --sample")
        return kept.find(_wanted(**asked), limit=limit, sample=sample, seed=seed, skipped=self)


@catalogue.command(short_help="Certify puzzles and add those that are new.")
@opt.reading_options
@click.option("--into", required=True, metavar="CATALOGUE", help="The catalogue to add to.")
@opt.flag("--grade", "Grade every puzzle that is added.", "graded")
@opt.searching_options
def add(named: list[Named], into: str, graded: bool, **search: Unpack[opt.Searching]) -> None:
    """Add the puzzles in each FILE that have exactly one solution and are new.

    Each is written as soon as it is certified, and stays when the program is stopped; the same
    command again adds the rest. Exit status 1 if some puzzle does not have exactly one solution, 3
    if some was not certified within --timeout.

    \b
    Examples:
      linkoracle catalogue add puzzles.txt more.json --into catalogue.sqlite
    """
    status = added = there = 0
    timeout = search["timeout"]
    if graded:
        from linkoracle import deduce
    with _opened(into) as kept, working("adding") as progress:
        for place, one in enumerate(named):
            progress(f"{place} of {len(named)} puzzles", place / len(named))
            if one.puzzle in kept:
                there += 1
                continue
            try:
                with time_limit(timeout):
                    verdict = certify(one.puzzle, **search)
                    wanted = graded and verdict.unique
                    grade = deduce.grade(one.puzzle, timeout=timeout) if wanted else None
            except SearchTimeout as error:
                click.echo(f"error: {one.name}: {error}", err=True)
                status = TIMED_OUT
                continue
            if not verdict.unique:
                reason = "not unique" if verdict.solutions else "no solution"
                click.echo(f"{one.name}: {reason}", err=True)
                status = status or NO
                continue
            maker, (solution,) = {"command": "catalogue add"}, verdict.solutions
            new = kept.add(one.puzzle, solution, name=one.name, maker=maker, grade=grade)
            added += new
            there += not new
    refused = len(named) - added - there
    told = f"{added} added, {there} there already"
    click.echo(f"{told}, {refused} refused" if refused else told)
    sys.exit(status)


@catalogue.command("grade", short_help="Grade the puzzles that have no grade.")
@_choosing_options
@opt.flag("--again", "Grade puzzles anew that have a grade.")
@opt.timeout_option()
def grade_(file: str, again: bool, timeout: float | None, **asked: Any) -> None:
    """Grade the puzzles of CATALOGUE that have no grade, as `linkoracle grade` does.

    Each grade is written as soon as it is found; when the program is stopped, the same command goes
    on where it was. Exit status 3 if some puzzle ran out of time; the others are graded.

    \b
    Examples:
      linkoracle catalogue grade catalogue.sqlite --size 10x10
    """
    from linkoracle import deduce

    which = _wanted(**asked)
    done, status, skipping = 0, DONE, _Skipping()
    with _opened(file, create=False) as kept, working("grading") as progress:
        every = kept.find(which, skipped=skipping)
        records = (record for record in every if again or record.grade is None)
        for record, puzzle in skipping.readable(file, records, attrgetter("puzzle")):
            try:
                with time_limit(timeout):
                    grade = deduce.grade(puzzle, timeout=timeout)
            except SearchTimeout as error:
                click.echo(f"error: {file}: puzzle {record.id}: {error}", err=True)
                status = TIMED_OUT
                continue
            if grade.status == "no solution":
                skipping(CatalogueError(f"{file}: puzzle {record.id}: it has no solution"))
                continue
            kept.set_grade(record.id, grade)
            done += 1
            progress(f"{done} puzzles")
    click.echo(f"{done} graded")
    sys.exit(status or skipping.status)


@catalogue.command("list", short_help="Print a line for each puzzle.")
@_choosing_options
@_picking_options
@opt.json_option("Print one JSON object a puzzle, with all.")
@opt.timeout_option("Stop after this time")
def list_(file: str, as_json: bool, timeout: float | None, **asked: Any) -> None:
    """Print a line for each puzzle of CATALOGUE, in the order in which they came.

    Tells its number, kind, size, clues or pairs, grade, and where it is from: a name, or a command
    with the seed and the place in that run.

    \b
    Examples:
      linkoracle catalogue list catalogue.sqlite --kind slitherlink --grade hard
    """
    skipping = _Skipping(timeout)
    with _opened(file, readonly=True) as kept, time_limit(timeout):
        read = (lambda record: json.dumps(record.as_json())) if as_json else _line
        for _, line in skipping.readable(file, skipping.picked(kept, **asked), read):
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


@catalogue.command(short_help="Write puzzles in any format.")
@_choosing_options
@_picking_options
@option("--format target", opt.WRITTEN, "The format to write.", "text")
@opt.output_option
@opt.timeout_option("Stop after this time")
def export(file: str, target: str, output: str | None, timeout: float | None, **asked: Any) -> None:
    """Write puzzles of CATALOGUE in a format that other programs read.

    Exit status 1 if there is none that fits, and nothing is written then.

    \b
    Examples:
      linkoracle catalogue export catalogue.sqlite --grade hard -o hard.txt
      linkoracle catalogue export catalogue.sqlite --size 10x10 --sample 6
    """
    refuse_to_replace(file, output)
    written: list[str] = []
    skipping = _Skipping(timeout)
    with _opened(file, readonly=True) as kept, working("reading", timeout) as work:
        picked = skipping.picked(kept, **asked)
        for record, puzzle in skipping.readable(file, picked, attrgetter("puzzle")):
            try:
                written.append(write(puzzle, target, name=record.name))
            except FormatError as error:
                raise FormatError(f"puzzle {record.id}: {error.reason}", source=file) from None
            work(counted(len(written), "puzzle"))
    if not written:
        raise NothingFound(f"no puzzle of {file} fits")
    opt.write_output(opt.one_text(written, target), output)
    sys.exit(skipping.status)


@catalogue.command(short_help="Count puzzles by kind, size and grade.")
@_choosing_options
@opt.json_option("Print one JSON object a line of the table.")
def stats(file: str, as_json: bool, **asked: Any) -> None:
    """Count the puzzles of CATALOGUE by kind, rule, size and grade, with their clues or pairs.

    \b
    Examples:
      linkoracle catalogue stats catalogue.sqlite --size 10x10
    """
    skipping = _Skipping()
    with _opened(file, readonly=True) as kept:
        groups = kept.stats(_wanted(**asked), skipped=skipping)
    rows: list[list[object]] = []
    for one in groups:
        if as_json:
            click.echo(json.dumps(asdict(one)))
        span = str(one.fewest) if one.fewest == one.most else f"{one.fewest}-{one.most}"
        size, grade = f"{one.rows}x{one.cols}", one.grade or "-"
        rows.append([one.kind, one.rule, size, grade, span, one.puzzles])
    rows.append(["all", "", "", "", "", sum(one.puzzles for one in groups)])
    if not as_json:
        headings = ["kind", "rule", "size", "grade", "clues", "puzzles"]
        click.echo(opt.table_of(headings, rows))
    sys.exit(skipping.status)


@catalogue.command(short_help="Read everything again.")
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

    with _opened(file, readonly=True) as kept, working("checking", timeout) as work:
        for fault in kept.faults(progress=step):
            work.hide()
            click.echo(fault)
            faulty = True
        if not faulty:
            click.echo(f"all is well with {counted(len(kept), 'puzzle')}")
    sys.exit(NO if faulty else DONE)
