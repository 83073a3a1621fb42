"""`linkoracle generate slitherlink`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click

from linkoracle.cli import options as opt
from linkoracle.cli.program import FileName
from linkoracle.cli.streaming import Run, making_options, seed_option, stream, symmetry_option
from linkoracle.cli.work import announce_compilation
from linkoracle.core.errors import FormatError
from linkoracle.generate import (
    ENGINES,
    SHAPES,
    STRATEGIES,
    MadeSlitherlink,
    SlitherlinkRequest,
    slitherlinks,
)
from linkoracle.generate.slitherlink_request import TRIES, Cell
from linkoracle.sat.search import SOLVERS

_DOT = r"(\d{1,6}),(\d{1,6})"
_ENDS = opt.ReadParam(
    "DOTS",
    "expected random or dots 0,3-8,5, got",
    opt.matching(
        rf"(random)|{_DOT}-{_DOT}",
        lambda random, *at: random or tuple(sorted(zip(*[map(int, at)] * 2, strict=True))),
    ),
)
_RANGE = re.compile(r"(\d*\.?\d{1,9})-(\d*\.?\d{1,9})", re.ASCII)


def _options(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    """``NAME=VALUE``: on or off, a number, or a range of numbers."""
    found: dict[str, Any] = {}
    for text in values:
        name, _, value = text.partition("=")
        ends = _RANGE.fullmatch(value)
        try:
            if value in ("on", "off"):
                found[name] = value == "on"
            else:
                found[name] = tuple(map(_number, ends.groups())) if ends else _number(value)
        except ValueError:
            raise click.BadParameter(
                f"expected NAME=VALUE with on, off, a number or a range, got {text!r}", ctx, param
            ) from None
    return found


def _number(text: str) -> int | float:
    return int(text) if text.isdecimal() else float(text)


class _MaskParam(FileName):
    """The rows of a mask, from its file."""

    def convert(self, value: Any, *_: object) -> Any:
        path, text = opt.text_of(value)
        rows = text.split()
        for number, row in enumerate(rows, start=1):
            for place, mark in enumerate(row, start=1):
                if mark not in "#.?":
                    reason = f"expected # (clue), . (no clue) or ? (either), found {mark!r}"
                    raise FormatError(reason, source=path, line=number, column=place)
        return rows


def _marked(mask: list[str], mark: str) -> list[Cell]:
    """The cells of a mask with a mark."""
    return [
        (row, col) for row, line in enumerate(mask) for col, one in enumerate(line) if one == mark
    ]


@click.command(short_help="Make Slitherlinks.")
@opt.board_arguments
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
    type=_ENDS,
    metavar="random|DOTS",
    help="An open path between two dots on the rim, such as 0,3-8,5, in place of a loop.",
)
@seed_option
@click.option(
    "--strategy",
    type=click.Choice([name for name in STRATEGIES if name not in ("fewest", "mask")]),
    default="core",
    show_default=True,
    help="How clues are taken away.",
)
@opt.flag(
    "--fewest", "As few clues as the line allows; when stopped, the fewest found and a lower bound."
)
@symmetry_option("clues")
@click.option("--clues", type=click.IntRange(0, 1_000_000), metavar="N", help="Stop at N clues.")
@click.option(
    "--max-clue-density",
    type=click.FloatRange(min=0, min_open=True, max=1),
    default=1.0,
    metavar="SHARE",
    help="The greatest share of cells with a clue.",
)
@click.option(
    "--max-failures",
    type=opt.COUNT,
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
@opt.flag("--balanced", "Spread clues and numbers evenly.")
@click.option(
    "--mask",
    type=_MaskParam(),
    metavar="FILE",
    help="Cells as rows of # (a clue), . (no clue) and ? (either). Without ?, the line is searched "
    "that this very pattern makes unique.",
)
@click.option(
    "--tries",
    type=opt.COUNT,
    metavar="N",
    help=f"Lines to try for one puzzle before giving up (exit status 1).  [default: {TRIES}]",
)
@opt.memory_option
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="sat",
    show_default=True,
    help="Who looks for other solutions meanwhile. cdcl is compiled: for long runs, which it makes "
    "in a third of the time or less. The two make different puzzles.",
)
@click.option("--solver", type=click.Choice(SOLVERS), metavar="NAME", help="The PySAT solver.")
@making_options("1 for one puzzle, --fewest or --shape uniform, else all processors")
def slitherlink(
    rows: int,
    cols: int,
    seed: int,
    mask: list[str] | None,
    fewest: bool,
    memory: int | None,
    difficulty: Any,
    rules: Any,
    max_depth: int | None,
    run: Run,
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
      linkoracle generate slitherlink 9 9 --symmetry both --count 5 -o five.txt
      linkoracle generate slitherlink 15 15 --engine cdcl --count 500 -o many.txt
      linkoracle generate slitherlink 8 8 --difficulty normal --format pzpr
      linkoracle generate slitherlink 7 7 --fewest
    """
    if (difficulty, rules, max_depth) != (None, None, None):
        from linkoracle.deduce import within

        announce_compilation()
        asked["keeps"] = within(difficulty, subset=rules, max_depth=max_depth or 0)
    if asked["engine"] == "cdcl":
        announce_compilation("search", "linkoracle.search.kernel")
    if memory is not None and asked["shape"] == "uniform":
        asked["shape_options"] = {**asked["shape_options"], "memory": memory}
    if mask is not None:
        if len(mask) != rows or any(len(line) != cols for line in mask):
            raise FormatError(f"expected a mask of {rows} rows of {cols} cells")
        asked["must"], asked["must_not"] = _marked(mask, "#"), _marked(mask, ".")
        if not _marked(mask, "?"):
            _refuse_with_exact_mask()
            asked["strategy"] = "mask"
    if fewest:
        asked["strategy"] = "fewest"
    with opt.arguments():
        request = SlitherlinkRequest(rows, cols, **asked)

    def make(**how: Any) -> Iterator[MadeSlitherlink]:
        return _told(slitherlinks(request, seed=seed, **how))

    # Ctrl-C gets the fewest found so far out of this process only, and a diagram of all loops shall
    # not be built in each process unless that is asked for.
    alone = fewest or request.shape == "uniform"
    stream(make, run, f"slitherlink {rows}x{cols}", alone=alone)


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
