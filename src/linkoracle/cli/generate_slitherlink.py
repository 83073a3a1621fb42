"""`linkoracle generate slitherlink`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from linkoracle.cli.jobs import executor_for, jobs_options
from linkoracle.cli.progress import announce_compilation, announce_search
from linkoracle.cli.shared import clean_endings, memory_option
from linkoracle.cli.streaming import Target, stream, streaming_options
from linkoracle.errors import FormatError
from linkoracle.generate import (
    CLUE_SYMMETRIES,
    ENGINES,
    SHAPES,
    STRATEGIES,
    MadeSlitherlink,
    from_mask,
    slitherlinks,
)
from linkoracle.generate.sequence import different
from linkoracle.generate.slitherlinks import TRIES
from linkoracle.generate.thinning import Cell
from linkoracle.sat.search import SOLVERS

_ENDS = re.compile(r"(\d{1,6}),(\d{1,6})-(\d{1,6}),(\d{1,6})", re.ASCII)
_RANGE = re.compile(r"(\d*\.?\d{1,9})-(\d*\.?\d{1,9})", re.ASCII)


def _ends(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
    if value in (None, "random"):
        return value
    match = _ENDS.fullmatch(value or "")
    if match is None:
        raise click.BadParameter(f"expected random or dots 0,3-8,5, got {value!r}", ctx, param)
    row, col, row2, col2 = map(int, match.groups())
    return tuple(sorted([(row, col), (row2, col2)]))


def _options(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    """``NAME=VALUE``: on or off, a number, or a range of numbers."""
    found: dict[str, Any] = {}
    for text in values:
        name, _, value = text.partition("=")
        match = _RANGE.fullmatch(value)
        try:
            if value in ("on", "off"):
                found[name] = value == "on"
            elif match is not None:
                found[name] = _number(match[1]), _number(match[2])
            else:
                found[name] = _number(value)
        except ValueError:
            raise click.BadParameter(
                f"expected NAME=VALUE with on, off, a number or a range, got {text!r}", ctx, param
            ) from None
    return found


def _number(text: str) -> int | float:
    return int(text) if text.isdecimal() else float(text)


def _read_mask(path: str, rows: int, cols: int) -> tuple[list[Cell], list[Cell], bool]:
    """The cells of a mask that must and must not carry a clue, and whether these are all."""
    try:
        lines = Path(path).read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise FormatError(f"cannot be read: {reason}", source=path) from None
    if len(lines) != rows or any(len(line) != cols for line in lines):
        raise FormatError(f"expected {rows} rows of {cols} cells", source=path)
    places: dict[str, list[Cell]] = {"#": [], ".": [], "?": []}
    for row, line in enumerate(lines):
        for col, mark in enumerate(line):
            if mark not in places:
                raise FormatError(
                    f"expected # (clue), . (no clue) or ? (either), found {mark!r}",
                    source=path,
                    line=row + 1,
                    column=col + 1,
                )
            places[mark].append((row, col))
    return places["#"], places["."], not places["?"]


@click.command(short_help="Make Slitherlinks.")
@click.argument("rows", type=click.IntRange(min=1))
@click.argument("cols", type=click.IntRange(min=1))
@click.option(
    "--shape",
    type=click.Choice(list(SHAPES)),
    default="two_colour",
    show_default=True,
    help="How the line is made.",
)
@click.option(
    "--with",
    "shape_options",
    callback=_options,
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the shape, such as length=40-50 for uniform. May be repeated.",
)
@click.option(
    "--ends",
    callback=_ends,
    metavar="random|DOTS",
    help="An open path between two dots on the rim, such as 0,3-8,5, in place of a loop.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Other seeds, other puzzles.")
@click.option(
    "--strategy",
    type=click.Choice(STRATEGIES),
    default="core",
    show_default=True,
    help="How clues are taken away.",
)
@click.option(
    "--fewest",
    is_flag=True,
    help="As few clues as the line allows; when stopped, the fewest found and a lower bound.",
)
@click.option(
    "--symmetry",
    type=click.Choice(CLUE_SYMMETRIES),
    default="none",
    show_default=True,
    help="Of the places of the clues.",
)
@click.option("--clues", type=click.IntRange(min=0), metavar="N", help="Stop at N clues.")
@click.option(
    "--max-clue-density",
    type=click.FloatRange(min=0, min_open=True, max=1),
    default=1.0,
    metavar="SHARE",
    help="The greatest share of cells with a clue.",
)
@click.option(
    "--max-failures",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after N clues in a row that cannot go.",
)
@click.option(
    "--difficulty",
    # Spelled out, since the package that defines them takes Numba to load.
    type=click.Choice(["easy", "normal", "tricky", "hard", "extreme"]),
    help="Take clues away only while the grade (`linkoracle grade`) stays at or below this.",
)
@click.option(
    "--rules",
    type=click.Choice(["easy", "hard"]),
    help="Take clues away only while these techniques solve the puzzle.",
)
@click.option(
    "--max-depth",
    type=click.IntRange(0, 6),
    metavar="N",
    help="Take clues away only while guesses N deep solve the puzzle.",
)
@click.option("--balanced", is_flag=True, help="Spread clues and numbers evenly.")
@click.option(
    "--mask",
    metavar="FILE",
    help="Cells as rows of # (a clue), . (no clue) and ? (either). Without ?, the line is searched "
    "that this very pattern makes unique.",
)
@click.option(
    "--tries",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Lines to try for one puzzle before giving up (exit status 1).  [default: {TRIES}]",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Give up on a puzzle after this time (exit status 3).",
)
@memory_option
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="sat",
    show_default=True,
    help="Who looks for other solutions meanwhile. cdcl is compiled: for long runs, which it makes "
    "in a third of the time or less. The two make different puzzles.",
)
@click.option("--solver", type=click.Choice(SOLVERS), metavar="NAME", help="The PySAT solver.")
@jobs_options("1 for one puzzle, --fewest or --shape uniform, else all processors")
@streaming_options
def slitherlink(
    rows: int,
    cols: int,
    seed: int,
    mask: str | None,
    fewest: bool,
    memory: int | None,
    count: int,
    target: str | None,
    output: str | None,
    show: bool,
    ascii_only: bool,
    into: str | None,
    grade: bool,
    jobs: int | None,
    dask: str | None,
    **asked: Any,
) -> None:
    """Make Slitherlinks of ROWS x COLS cells, each proven to have one solution.

    No clue can be taken away from them, unless other wishes stand against it. The same options and
    seed give the same puzzles; more of them begin with the same ones. Each is written as soon as it
    is made, and stays when Ctrl-C ends the program. In several processes, --fewest forgets what it
    has when Ctrl-C ends it, and --shape uniform needs its memory in each.

    \b
    Examples:
      linkoracle generate slitherlink 10 10 --show
      linkoracle generate slitherlink 9 9 --symmetry 180 --count 50 -o fifty.txt
      linkoracle generate slitherlink 15 15 --engine cdcl --count 500 -o many.txt
      linkoracle generate slitherlink 8 8 --difficulty normal --format pzpr
      linkoracle generate slitherlink 7 7 --fewest
    """
    with clean_endings():
        to = Target(target, output, show, ascii_only, into, grade)
        graded = {name: asked.pop(name) for name in ("difficulty", "rules", "max_depth")}
        if any(value is not None for value in graded.values()):
            from linkoracle.deduce import within

            announce_compilation()
            asked["keeps"] = within(
                graded["difficulty"], subset=graded["rules"], max_depth=graded["max_depth"] or 0
            )
        if asked["engine"] == "cdcl":
            announce_search()
        if asked["tries"] is None:
            del asked["tries"]
        if memory is not None and asked["shape"] == "uniform":
            asked["shape_options"] = {**asked["shape_options"], "memory": memory}
        exact = False
        if mask is not None:
            asked["must"], asked["must_not"], exact = _read_mask(mask, rows, cols)
        if fewest:
            asked["strategy"] = "fewest"
        if exact:
            _refuse_with_exact_mask()
            kept = {name: asked[name] for name in ("tries", "timeout", "solver") if name in asked}
        # Ctrl-C gets the fewest found so far out of this process only, and a diagram of all loops
        # shall not be built in each process unless that is asked for.
        alone = count == 1 or fewest or asked["shape"] == "uniform"
        with executor_for(jobs, dask, alone=alone) as executor:

            def make(wanted: int | None, trying: Callable[[], None]) -> Iterator[MadeSlitherlink]:
                how: dict[str, Any] = {"wanted": wanted, "executor": executor, "trying": trying}
                if exact:
                    fitting = partial(from_mask, rows, cols, asked["must"], seed=seed, **kept)
                    return different(fitting, **how)
                return _told(slitherlinks(rows, cols, seed=seed, **how, **asked))

            stream(make, count, to, f"slitherlink {rows}x{cols}")


#: Options that say something about the line or the clues, of which an exact mask leaves no choice.
_NOT_WITH_EXACT_MASK = frozenset(
    (
        *("shape", "shape_options", "ends", "strategy", "fewest", "symmetry", "clues", "balanced"),
        *("max_clue_density", "max_failures", "difficulty", "rules", "max_depth", "engine"),
    )
)


def _refuse_with_exact_mask() -> None:
    context = click.get_current_context()
    for option in context.command.params:
        if option.name in _NOT_WITH_EXACT_MASK:
            given = context.get_parameter_source(option.name)
            if given is click.core.ParameterSource.COMMANDLINE:
                raise click.UsageError(f"a mask without ? does not go with {option.opts[0]}")


def _told(run: Iterator[MadeSlitherlink]) -> Iterator[MadeSlitherlink]:
    """Pass puzzles on; say so where it is not proven that a smaller one does not exist."""
    for made in run:
        if made.lower_bound is not None and not made.minimal:
            clues = sum(clue is not None for row in made.puzzle.grid for clue in row)
            click.echo(f"{clues} clues; at least {made.lower_bound} are needed", err=True)
        yield made
        if made.interrupted:
            raise KeyboardInterrupt
