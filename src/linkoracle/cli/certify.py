"""`linkoracle certify` and `verify`: write certificates, and verify them."""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from linkoracle import certificates
from linkoracle.cli import options as opt
from linkoracle.cli.program import (
    DONE,
    NO,
    OUT_OF_MEMORY,
    TIMED_OUT,
    Named,
    report,
    write_output,
)
from linkoracle.cli.work import working
from linkoracle.core import MemoryLimit, NoCertificate, SearchTimeout, cannot_write, counted

SUFFIX = ".certificate"


@click.command(short_help="Write proofs of the number of solutions.")
@opt.reading_options
@opt.option("-o --output", opt.OUTPUT, "Write to this file; several puzzles to this folder.")
@opt.option("--dimacs", opt.OUTPUT, "Write the clauses of the proof in the format DIMACS CNF.")
@opt.option("--drat", opt.OUTPUT, "Write its lemmas for a DRAT checker.")
@opt.option("--lrat", opt.OUTPUT, "Write its lemmas for an LRAT checker.")
@opt.option("--limit", opt.COUNT, "Certify up to N solutions.", 10)
@opt.memory_option
@opt.timeout_option
def certify(
    named: list[Named],
    output: str | None,
    limit: int,
    memory: int | None,
    timeout: float | None,
    **exports: str | None,
) -> None:
    """Write a certificate for each puzzle: a proof that it has these solutions and no other.

    `linkoracle verify` checks certificates, and so does a single file that needs nothing but
    Python: `linkoracle verify --script`. Exit status 1 if some puzzle gets none, because it has
    more than N solutions.

    \b
    Examples:
      linkoracle certify puzzle.txt -o puzzle.certificate
      linkoracle certify collection.txt -o certificates/
      linkoracle certify puzzle.txt --dimacs puzzle.cnf --lrat puzzle.lrat
    """
    files = {name: path for name, path in exports.items() if path is not None}
    if output is None and not files:
        raise click.UsageError(
            "expected -o FILE for the certificate, or --dimacs, --drat or --lrat"
        )
    printed = [output, *files.values()].count("-")
    if printed > 1:
        raise click.UsageError(f"expected one output to standard output, found {printed}")
    if len(named) > 1 and (files or printed):
        what = "for standard output" if printed else "to export"
        raise click.UsageError(f"expected one puzzle {what}, found {len(named)}")
    status = DONE
    for entry, path in zip(named, _places(named, output), strict=True):
        try:
            with working(entry.name, timeout):
                made = certificates.certificate(
                    entry.puzzle, limit=limit, memory=memory, timeout=timeout
                )
        except SearchTimeout:
            status, message = TIMED_OUT, "timeout"
        except MemoryLimit as error:
            status, message = status or OUT_OF_MEMORY, str(error)
        except NoCertificate as error:
            status, message = status or NO, f"no certificate: {error}"
        else:
            if path is not None and output is not None:
                if path != output:
                    made_folder(output)
                write_output(made.data, path)
            for name, file in files.items():
                write_output(getattr(made, name)(), file)
            what = f"exactly {counted(len(made.solutions), 'solution')}"
            message = what if made.solutions else "no solution"
            if made.of_model:
                message += " of its model (the verifier does not know this kind of puzzle)"
            message += f", in {path}" if path not in (None, "-") else ""
        # Standard output must hold the certificate, or an export, and nothing else.
        report(f"{entry.name}: {message}", err=bool(printed))
    sys.exit(status)


def made_folder(path: str) -> Path:
    """Return a folder for certificates; create it if it is missing. Raises ``OSError``."""
    try:
        Path(path).mkdir(exist_ok=True)
    except FileExistsError:
        raise OSError(errno.ENOTDIR, "expected a folder, found a file", path) from None
    except OSError as error:
        raise cannot_write(error, path) from None
    return Path(path)


def _places(named: list[Named], output: str | None) -> Sequence[str | None]:
    """Return a file for each puzzle; several are in a folder."""
    if output is None:
        return [None]
    if len(named) == 1 and not output.endswith("/") and not Path(output).is_dir():
        return [output]
    return [str(Path(output) / name) for name in file_names(entry.name for entry in named)]


def file_names(names: Iterable[str]) -> Iterator[str]:
    """Yield different names of files for certificates of puzzles with these names.

    >>> [*file_names(["boards/mine.txt", "mine.txt:3", "a/b: ?", ""])]
    ['mine.certificate', 'mine-3.certificate', 'b.certificate', 'puzzle.certificate']
    >>> [*file_names(["mine", "Mine"])]
    ['mine.certificate', 'Mine-2.certificate']
    """
    taken: set[str] = set()
    for name in names:
        short = re.sub(r"\.\w{1,5}(?=$|:\d+$)", "", Path(name).name)
        stem = re.sub(r"[^\w-]+", "-", short).strip("-") or "puzzle"
        number, free = 1, stem
        # Some file systems ignore case.
        while free.lower() in taken:
            number += 1
            free = f"{stem}-{number}"
        taken.add(free.lower())
        yield free + SUFFIX


@click.command(short_help="Verify certificates.")
@opt.option(
    "--puzzle",
    opt.FILE,
    "The puzzle that the certificates must be about: a file, or a puzz.link URL.",
)
@opt.flag("--script", "Print the program that checks, a single Python file, and nothing else.")
@click.argument("files", nargs=-1, metavar="FILE...", type=opt.FILE)
def verify(files: tuple[str, ...], puzzle: str | None, script: bool) -> None:
    """Verify certificates, by a program that shares no code with what makes them.

    The program is one file of about 1,250 lines, and runs without this package. Exit status 1 if a
    certificate does not hold, or is of another puzzle.

    \b
    Examples:
      linkoracle verify puzzle.certificate
      linkoracle verify --puzzle puzzle.txt puzzle.certificate
      linkoracle verify --script > verify_certificate.py
    """
    program = certificates.verify_certificate
    if script:
        click.echo(Path(program.__file__).read_text(encoding="utf-8"), nl=False)
        return
    if not files:
        raise click.UsageError("expected a FILE")
    arguments = [*files] if puzzle is None else ["--puzzle", puzzle, *files]
    sys.exit(program.main(arguments))
