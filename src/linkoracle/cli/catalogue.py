"""`linkoracle catalogue`: puzzles collected in a file, none twice."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from linkoracle import catalogue as library
from linkoracle.cli import catalogue_filling
from linkoracle.cli import options as opt
from linkoracle.cli.catalogue_choosing import (
    Picked,
    Skipping,
    choosing_options,
    picking_options,
)
from linkoracle.cli.certify import SUFFIX, made_folder
from linkoracle.cli.options import FILE, OUTPUT, option
from linkoracle.cli.program import DONE, NO, report, write_output
from linkoracle.cli.streaming import refuse_to_replace
from linkoracle.cli.work import time_limit, working
from linkoracle.core.errors import CatalogueError, FormatError, NothingFound, counted
from linkoracle.core.limits import Deadline
from linkoracle.formats import write
from linkoracle.formats.reading import clean_name
from linkoracle.kinds import kind_named

if TYPE_CHECKING:
    from linkoracle.catalogue import Record
    from linkoracle.kinds import Puzzle


@click.group(short_help="Collect puzzles, each once.")
def catalogue() -> None:
    """Collect puzzles with their solutions and grades, each once up to symmetry.

    `linkoracle generate ... --into FILE` adds the puzzles that it makes. Damaged entries are
    reported on standard error and skipped (exit status 1).

    \b
    Examples:
      linkoracle generate slitherlink 8 8 --count 20 --into catalogue.sqlite
      linkoracle catalogue add puzzles.txt --into catalogue.sqlite
      linkoracle catalogue list catalogue.sqlite --clues 15-25
    """


for _command in (catalogue_filling.add, catalogue_filling.grade_, catalogue_filling.certify_):
    catalogue.add_command(_command)


@catalogue.command("list", short_help="Print a line for each puzzle.")
@choosing_options
@picking_options
@opt.json_option("Print one JSON object per puzzle, with everything known.")
@opt.stop_option
def list_(
    file: str, criteria: library.Filter, picked: Picked, as_json: bool, timeout: float | None
) -> None:
    """Print a line for each puzzle of CATALOGUE, the oldest first.

    A line shows the number, kind, size, clues or pairs, grade, score and source of a puzzle. The
    source is a name, or a command with its seed and the number of the puzzle in that run.

    \b
    Examples:
      linkoracle catalogue list mine.sqlite --kind slitherlink --difficulty hard
    """
    skipping = Skipping(timeout)
    with library.Catalogue(file, readonly=True) as kept, time_limit(timeout):
        read = (lambda record: json.dumps(record.as_json())) if as_json else _line
        for _, line in skipping.readable(file, skipping.picked(kept, criteria, picked), read):
            report(line, err=False)
    sys.exit(skipping.status)


def _line(record: Record) -> str:
    puzzle = f"{record.kind} {record.variant}"
    unit = kind_named(record.kind).unit
    source = record.name or str(record.source.get("command", ""))
    if record.seed is not None:
        source += f", seed {record.seed}"
        source += f", number {record.number}" if record.number is not None else ""
    return (
        f"{record.id:>6}  {puzzle:<16}  {record.size:<7}  {record.clues:>3} {unit}  "
        f"{record.grade or '-':<8} {'' if record.score is None else record.score:>5}  "
        f"{clean_name(source) or ''}"
    ).rstrip()


@catalogue.command(short_help="Write puzzles in any format.")
@choosing_options
@picking_options
@option("--format target", opt.WRITTEN, "The format to write.", "text")
@opt.output_option
@option(
    "--certificates",
    OUTPUT,
    "Write N.certificate of puzzle N in `list` to this folder.",
    metavar="DIR",
)
@opt.stop_option
def export(
    file: str,
    criteria: library.Filter,
    picked: Picked,
    target: str,
    output: str | None,
    certificates: str | None,
    timeout: float | None,
) -> None:
    """Write puzzles of CATALOGUE in a format that other programs read.

    Exit status 1 if no puzzle matches (nothing is written then), or if a certificate to be written
    is missing. Certificates are verified before they are written.

    \b
    Examples:
      linkoracle catalogue export catalogue.sqlite --difficulty hard -o hard.txt
      linkoracle catalogue export catalogue.sqlite --size 10x10 --sample 6
      linkoracle catalogue export catalogue.sqlite -o a.txt --certificates proofs
    """
    refuse_to_replace(file, output)
    written: list[str] = []
    without = 0
    skipping = Skipping(timeout)
    with library.Catalogue(file, readonly=True) as kept, working("reading", timeout) as work:

        def read(record: Record) -> tuple[Puzzle, bytes | None]:
            return record.puzzle, kept.certificate(record) if certificates else None

        chosen = skipping.picked(kept, criteria, picked)
        for record, (puzzle, proof) in skipping.readable(file, chosen, read):
            try:
                written.append(write(puzzle, target, name=record.name))
            except FormatError as error:
                raise FormatError(f"puzzle {record.id}: {error.reason}", source=file) from None
            if certificates is not None and proof is not None:
                write_output(proof, str(made_folder(certificates) / f"{record.id}{SUFFIX}"))
            without += proof is None
            work(counted(len(written), "puzzle"))
    if not written:
        raise NothingFound(f"{file}: no puzzle matches the options")
    write_output(opt.one_text(written, target), output)
    if certificates is not None and without:
        have = "has" if without == 1 else "have"
        skipping(CatalogueError(f"{file}: {counted(without, 'puzzle')} {have} no certificate"))
    sys.exit(skipping.status)


@catalogue.command(short_help="Count puzzles by kind, size and grade.")
@choosing_options
@opt.json_option("Print one JSON object per row of the table.")
def stats(file: str, criteria: library.Filter, as_json: bool) -> None:
    """Count the puzzles of CATALOGUE by kind, variant, size and grade, with their clues or pairs.

    \b
    Examples:
      linkoracle catalogue stats catalogue.sqlite --size 10x10
    """
    skipping = Skipping()
    with library.Catalogue(file, readonly=True) as kept:
        groups = kept.stats(criteria, skipped=skipping)
    rows: list[list[object]] = [["kind", "variant", "size", "grade", "clues", "puzzles"]]
    for one in groups:
        if as_json:
            click.echo(json.dumps(asdict(one)))
        span = str(one.fewest) if one.fewest == one.most else f"{one.fewest}-{one.most}"
        rows.append([one.kind, one.variant, one.size, one.grade or "-", span, one.puzzles])
    rows.append(["all", "", "", "", "", sum(one.puzzles for one in groups)])
    if not as_json:
        click.echo(opt.table_of(rows))
    sys.exit(skipping.status)


@catalogue.command(short_help="Check every puzzle again.")
@click.argument("file", metavar="CATALOGUE", type=FILE)
@opt.stop_option
def check(file: str, timeout: float | None) -> None:
    """Check every solution in CATALOGUE by a program that shares no code with the engines.

    Also check the size, clues, grade and source of each puzzle, and verify its certificate, if it
    has one. Without a certificate, uniqueness was proven when the puzzle was added. Exit status 1
    if something is wrong.

    \b
    Examples:
      linkoracle catalogue check catalogue.sqlite
    """
    faulty = False
    deadline = Deadline(timeout)

    def step(line: str, share: float | None) -> None:
        deadline.check()
        work(line, share)

    with library.Catalogue(file, readonly=True) as kept, working("checking", timeout) as work:
        for fault in kept.faults(progress=step):
            work.hide()
            report(fault, err=False)
            faulty = True
        if not faulty:
            click.echo(f"all is well with {counted(len(kept), 'puzzle')}")
    sys.exit(NO if faulty else DONE)
