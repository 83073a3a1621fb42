"""`linkoracle solve`, `check`, `certify` and `verify`: solutions, and proofs that these are all."""

from __future__ import annotations

import errno
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import click

from linkoracle import certificates, formats
from linkoracle.board import Solution
from linkoracle.cli import options as opt
from linkoracle.cli.program import (
    BAD_INPUT,
    DONE,
    NO,
    OUT_OF_MEMORY,
    TIMED_OUT,
    Named,
    load,
    load_each,
    report,
    text_of,
    write_output,
)
from linkoracle.cli.values import COUNT, FILE, OUTPUT
from linkoracle.cli.work import PuzzleJob, answered, checked, drawing, working
from linkoracle.core import (
    FormatError,
    MemoryLimit,
    NoCertificate,
    NotSupported,
    SearchTimeout,
    cannot_write,
    counted,
)
from linkoracle.formats import read, read_file, write
from linkoracle.kinds import Puzzle, place_of, violations
from linkoracle.solving import decide, solutions

#: The suffix of the files of certificates.
SUFFIX = ".certificate"


@click.command()
@opt.reading_options
@opt.option("--limit", COUNT, "Show up to N solutions.  [default: 1]")
@opt.flag("--all", "Show every solution.", "show_all")
@opt.ascii_option
@opt.json_option()
@opt.searching_options
def solve(
    named: list[Named],
    limit: int | None,
    show_all: bool,
    ascii_only: bool,
    as_json: bool,
    **search: Any,
) -> None:
    """Draw a solution of each puzzle, and say on standard error if there are more.

    Exit status 1 if some puzzle has none. With --json, "exact" is whether all solutions are shown:
    null if --timeout was too short to find out.

    \b
    Examples:
      linkoracle solve puzzle.txt
      linkoracle solve --all puzzle.txt
      linkoracle solve --json --limit 5 puzzle.txt
    """
    if show_all and limit is not None:
        raise click.UsageError("expected --limit or --all, not both")
    limited = None if show_all else limit or 1
    status, timeout = DONE, search["timeout"]
    for entry in named:
        every = solutions(entry.puzzle, **search)
        with working(entry.name, timeout):
            shown = checked(entry.puzzle, islice(every, limited))
        status = status if shown else NO
        if not as_json:
            if len(named) > 1:
                click.echo(f"{entry.name}:")
            pictures = [
                drawing(entry.puzzle, solution, ascii_only=ascii_only) for solution in shown
            ]
            click.echo("\n\n".join(pictures) or "no solution")
        # Print the picture before the next search, which may take longer.
        exact = are_all(entry.name, every, timeout)
        if as_json:
            paths = [solution.paths() for solution in shown]
            click.echo(json.dumps({"name": entry.name, "solutions": paths, "exact": exact}))
        elif exact is not True:
            report(f"note: {entry.name}: {note_of(len(shown), exact)}")
    sys.exit(status)


def are_all(name: str, rest: Iterator[Solution], timeout: float | None) -> bool | None:
    """Return whether there is no further solution; ``None`` if the time was too short."""
    try:
        with working(name, timeout):
            return next(rest, None) is None
    except (SearchTimeout, MemoryLimit):
        return None


def note_of(shown: int, exact: bool | None) -> str:
    """Return a note for shown solutions that may not be all.

    >>> note_of(1, False), note_of(3, False), note_of(3, True)
    ('one of several solutions', '3 of more than 3 solutions', '')
    """
    if exact:
        return ""
    if exact is None:
        return "it is not known whether there are more solutions"
    return "one of several solutions" if shown == 1 else f"{shown} of more than {shown} solutions"


@click.command()
@opt.files_options
@opt.option(
    "--solution given",
    FILE,
    "Check these solutions, as `count-solutions --json --show` prints them.",
)
@opt.option(
    "--certificate", FILE, "Verify this certificate of the puzzle, as `linkoracle verify` does."
)
@opt.json_option()
@opt.flag("--annotate", "Print annotations of GitHub Actions for what is not unique, too.")
@opt.packed(opt.Searching, "search")
def check(
    files: tuple[str, ...],
    kind: str | None,
    variant: str | None,
    given: str | None,
    certificate: str | None,
    as_json: bool,
    annotate: bool,
    search: opt.Searching,
) -> None:
    """Check whether each puzzle has exactly one solution.

    A FILE may be a folder, or a pattern such as 'boards/*.txt'. Every file gets its verdict,
    whatever happens to another; for several puzzles, a summary follows on standard error. Exit
    status: 0 if all are unique, 1 if some are not, 3 if some took too long, 2 if some cannot be
    read or decided. With --json, "status" is unique, none, many, timeout or error.

    For a unique Slitherlink, the answer says how many of its clues suffice. With --solution, check
    given solutions instead, by a program that shares no code with the engines; exit status 1 if
    some solution is wrong.

    \b
    Examples:
      linkoracle check puzzle.txt
      linkoracle check --json boards/
      count-solutions --json --show p.txt | linkoracle check --solution - p.txt
    """
    if certificate is not None:
        named = load(files, kind, variant)
        if given is not None or len(named) != 1:
            raise click.UsageError("--certificate goes with one puzzle, and without --solution")
        sys.exit(_verified(named[0].puzzle, certificate))
    if given is not None:
        sys.exit(_check_solutions(load(files, kind, variant), given))
    found = [*load_each(files, kind, variant)]
    several = sum(1 if isinstance(one, FormatError) else len(one) for _, one in found) > 1
    tally: Counter[str] = Counter()
    for name, file, finding, status in _findings(found, search):
        tally[status] += 1
        if as_json:
            shown = {"name": name, "file": file, "status": status, "finding": finding}
            click.echo(json.dumps(shown))
        elif several and status != "error":
            click.echo(f"{name}: {finding}")
        elif status not in ("timeout", "error"):
            click.echo(finding)
        if annotate and status != "unique":
            place = "" if file == "-" else f" file={_escaped(file, '%,:')}"
            click.echo(f"::error{place}::{_escaped(f'{name}: {finding}', '%')}")
    if several:
        shares = ", ".join(f"{tally[one]} {words}" for one, words in _TALLY.items() if tally[one])
        report(f"{counted(tally.total(), 'puzzle')}: {shares}")
    sys.exit(next(exit_ for one, exit_ in _STATUSES.items() if tally[one] or one == "unique"))


#: What a summary calls each status.
_TALLY = {
    "unique": "unique",
    "many": "not unique",
    "none": "without a solution",
    "timeout": "undecided in time",
    "error": "unreadable",
}
#: The exit status for each status, the worst first.
_STATUSES = {"error": BAD_INPUT, "timeout": TIMED_OUT, "many": NO, "none": NO, "unique": DONE}


def _findings(
    found: Iterable[tuple[str, list[Named] | FormatError]], search: opt.Searching
) -> Iterator[tuple[str, str, str, str]]:
    """Yield for each puzzle, or unreadable file, its name, its file, a finding and its status."""
    for file, entries in found:
        if isinstance(entries, FormatError):
            report(f"error: {entries}")
            yield file, file, str(entries), "error"
            continue
        for entry, answer in answered(_Deciding(search), entries, None, search.timeout):
            if isinstance(answer, SearchTimeout):
                yield entry.name, file, "timeout", "timeout"
            else:
                if answer[1] == "error":
                    report(f"error: {entry.name}: {answer[0]}")
                yield entry.name, file, *answer


def _escaped(text: str, signs: str) -> str:
    """Return a text for an annotation: these signs, and line breaks, are escaped."""
    return "".join(f"%{ord(one):02X}" if one in f"{signs}\r\n" else one for one in text)


def _verified(puzzle: Puzzle, file: str) -> int:
    """Verify a certificate, which must belong to the puzzle."""
    checker = certificates.verify_certificate
    return checker.main([file], checker.Puzzle(certificates.record_of(puzzle)))


@dataclass
class _Deciding(PuzzleJob[tuple[str, str]]):
    """Decide whether a puzzle is unique; return the finding as text, and the status."""

    search: opt.Searching

    def __call__(self, puzzle: Puzzle) -> tuple[str, str]:
        try:
            verdict = decide(puzzle, core=self.search.engine != "frontier", **vars(self.search))
        except NotSupported as error:
            return str(error), "error"
        if verdict.core is not None and verdict.unique:
            clues = sum(1 for _ in puzzle.clue_cells())
            return f"unique ({len(verdict.core)} of the {clues} clues suffice)", "unique"
        if verdict.core is not None:
            if not verdict.core:
                return "no solution, even without clues", "none"
            cells = ", ".join(map(place_of, verdict.core))
            # The search for redundant clues in the core takes some seconds at most.
            more = "" if verdict.core_minimal else "; time ran out, so not all may be needed"
            return f"no solution (these clues contradict each other: {cells}{more})", "none"
        names = {"unique": "unique", "none": "no solution", "many": "not unique"}
        return names[verdict.status], verdict.status


def _check_solutions(named: list[Named], file: str) -> int:
    """Check the solutions in ``file``: each belongs to the puzzle of its name, or the only one."""
    from linkoracle.cli.messages import from_json, json_object, reading_paths

    source, text = text_of(file)
    by_name = {entry.name: entry for entry in named}
    if len(by_name) < len(named):
        raise click.UsageError("expected puzzles of different names, since solutions name theirs")
    given: dict[tuple[str, Solution], Named] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        with reading_paths("the name of a puzzle and its solutions", source, number):
            record = json_object(line)
            name, listed = record.get("name"), record.get("solutions")
            entry = named[0] if len(named) == 1 else by_name.get(name if type(name) is str else "")
            if entry is None:
                raise ValueError(f"found the name {formats.shown(name)}")
            if type(listed) is not list:
                raise ValueError(f"found {formats.shown(listed)} in place of a list of solutions")
            for value in listed:
                solution = from_json(entry.puzzle.board, value)
                if (entry.name, solution) in given:
                    raise ValueError("found a solution a second time")
                given[entry.name, solution] = entry
    checked_names = {name for name, _ in given}
    for name in by_name:
        if name not in checked_names:
            raise FormatError(
                f"expected at least one solution of {name}, found none", source=source
            )
    status = DONE
    for (_, solution), entry in given.items():
        broken = violations(entry.puzzle, solution)
        finding = f"wrong: {'; '.join(broken)}" if broken else "right"
        click.echo(f"{entry.name}: {finding}" if len(given) > 1 else finding)
        status = NO if broken else status
    return status


@click.command()
@opt.reading_options
@opt.option("-o --output", OUTPUT, "Write to this file; several puzzles to this folder.")
@opt.option("--dimacs", OUTPUT, "Write the clauses of the proof in the format DIMACS CNF.")
@opt.option("--drat", OUTPUT, "Write its lemmas for a DRAT checker.")
@opt.option("--lrat", OUTPUT, "Write its lemmas for an LRAT checker.")
@opt.option("--limit", COUNT, "Certify up to N solutions.", 10)
@opt.flag("--no-taut", "Do without taut solutions, which `verify --proved` does not know.")
@opt.memory_option
@opt.timeout_option
def certify(
    named: list[Named],
    output: str | None,
    limit: int,
    no_taut: bool,
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
                    entry.puzzle, limit=limit, taut=not no_taut, memory=memory, timeout=timeout
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


@click.command()
@opt.option(
    "--puzzle",
    FILE,
    "The puzzle that the certificates must be about: a file, or a puzz.link URL.",
)
@opt.flag("--script", "Print the program that checks, a single Python file, and nothing else.")
@opt.flag("--proved", "Check by the program that is proved correct (`make verified` builds it).")
@click.argument("files", nargs=-1, metavar="FILE...", type=FILE)
def verify(files: tuple[str, ...], puzzle: str | None, script: bool, proved: bool) -> None:
    """Verify certificates, by a program that shares no code with what makes them.

    The program is one file of about 1,250 lines, and runs without this package. Exit status 1 if a
    certificate does not hold, or is of another puzzle.

    \b
    Examples:
      linkoracle verify puzzle.certificate
      linkoracle verify --puzzle puzzle.txt puzzle.certificate
      linkoracle verify --script > verify_certificate.py
      linkoracle verify --proved --puzzle puzzle.txt puzzle.certificate
    """
    program = certificates.verify_certificate
    if script:
        click.echo(Path(program.__file__).read_text(encoding="utf-8"), nl=False)
        return
    if not files:
        raise click.UsageError("expected a FILE")
    if proved:
        sys.exit(max(_verify_proved(file, puzzle) for file in files))
    arguments = [*files] if puzzle is None else ["--puzzle", puzzle, *files]
    sys.exit(program.main(arguments))


def _verify_proved(file: str, puzzle: str | None) -> int:
    """Print what the proved checker says of a file; return 0 if it holds, else 1 or 2."""
    refused = certificates.verify_certificate.Refused
    texts: list[str] = []
    known = None
    try:
        if puzzle is not None:
            known = read(puzzle) if "://" in puzzle else read_file(puzzle)
            texts = [] if "://" in puzzle else [Path(puzzle).read_text(encoding="utf-8")]
            # What the checker does not read, such as JSON, is written anew.
            texts.append(write(known, "text"))
        holds, answer = certificates.verify_proved(Path(file).read_bytes(), known, texts)
    except refused as reason:
        click.echo(f"{file}: refused: {reason}")
        return 1
    except (OSError, ValueError, NoCertificate) as reason:
        click.echo(f"error: {file}: cannot be checked: {reason}", err=True)
        return 2
    click.echo(f"{file}: {answer}")
    return not holds
