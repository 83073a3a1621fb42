"""`linkoracle check`: certify puzzles, or check solutions that somebody gives."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from linkoracle.cli.shared import (
    Named,
    clean_endings,
    load,
    reading_options,
    searching_options,
    standard_input,
)
from linkoracle.errors import FormatError
from linkoracle.model import Solution
from linkoracle.puzzles import Puzzle, Slitherlink
from linkoracle.sat.oracle import Oracle
from linkoracle.solving import certify


@click.command(short_help="Certify puzzles, or judge solutions.")
@reading_options
@click.option(
    "--solution",
    "given",
    metavar="FILE",
    help="Check these solutions: JSON lines as `count-solutions --json --show` prints them.",
)
@searching_options
def check(
    files: tuple[str, ...],
    kind: str | None,
    rule: str | None,
    given: str | None,
    engine: str,
    solver: str | None,
    memory: int | None,
    timeout: float | None,
) -> None:
    """Certify each puzzle: unique, not unique, or without a solution.

    Says for a unique Slitherlink how many of its clues suffice. With --solution, tells instead
    whether given solutions are right, by a checker that shares no code with the engines. Exit
    status 1 if some puzzle is not unique, or some solution is wrong.

    \b
    Examples:
      linkoracle check puzzle.txt
      count-solutions --json --show p.txt | linkoracle check --solution - p.txt
    """
    status = 0
    with clean_endings():
        named = load(files, kind, rule)
        if given is None:
            asked = {"engine": engine, "solver": solver, "memory": memory, "timeout": timeout}
            findings = [(one, *_certificate(one.puzzle, **asked)) for one in named]
        else:
            findings = [
                (one, *_judgement(one.puzzle, solution)) for one, solution in _given(named, given)
            ]
    for one, finding, good in findings:
        click.echo(f"{one.name}: {finding}" if len(findings) > 1 else finding)
        status |= not good
    sys.exit(status)


def _certificate(puzzle: Puzzle, **asked: Any) -> tuple[str, bool]:
    if isinstance(puzzle, Slitherlink) and asked["engine"] != "frontier":
        # Clues as assumptions rather than rules, for the sake of the core.
        clues = dict(puzzle.clue_cells())
        ends, solver = puzzle.ends, asked["solver"]
        with Oracle.slitherlink(puzzle.rows, puzzle.cols, ends, solver=solver) as oracle:
            verdict = oracle.ask(clues, timeout=asked["timeout"])
        if verdict.core is not None and verdict.unique:
            return f"unique ({len(verdict.core)} of the {len(clues)} clues suffice)", True
        if verdict.core is not None:
            cells = ", ".join(f"row {row + 1} column {col + 1}" for row, col in verdict.core)
            return f"no solution (these clues contradict each other: {cells})", False
    else:
        verdict = certify(puzzle, **asked)
    names = {"unique": "unique", "none": "no solution", "many": "not unique"}
    return names[verdict.status], verdict.unique


def _judgement(puzzle: Puzzle, solution: Solution) -> tuple[str, bool]:
    from linkoracle.verify import violations

    broken = violations(puzzle, solution)
    return ("right", True) if not broken else (f"wrong: {'; '.join(broken)}", False)


def _given(named: list[Named], file: str) -> list[tuple[Named, Solution]]:
    """The solutions in ``file``, each with its puzzle: the one of its name, or the only one."""
    if file == "-":
        shown, text = "<stdin>", standard_input()
    else:
        shown = file
        try:
            text = Path(file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise FormatError(f"cannot read: {error}", source=file) from None
    by_name = {one.name: one for one in named}
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record: Any = json.loads(line)
            one = named[0] if len(named) == 1 else by_name[record["name"]]
            for paths in record["solutions"]:
                found.append((one, Solution.from_paths(one.puzzle.lattice, paths)))
        except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
            raise FormatError(
                "expected a JSON object with the name of a puzzle and its solutions, lists of "
                f"walks over [row, column]; {type(error).__name__}: {error}",
                source=shown,
                line=number,
            ) from None
    if not found:
        raise FormatError("expected at least one solution, found none", source=shown)
    return found
