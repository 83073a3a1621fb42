"""`linkoracle generate`: puzzles that are proven to have one solution."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from linkoracle import generate as library
from linkoracle.cli import masks, streaming
from linkoracle.cli import options as opt
from linkoracle.cli.options import GRADES, choice, option
from linkoracle.cli.program import complete_files
from linkoracle.core.errors import FormatError
from linkoracle.generate import patterns, slitherlink_request
from linkoracle.generate.making import EFFORT, TRIES
from linkoracle.generate.numberlink_request import (
    EFFORT_CELLS,
    MANY_CELLS,
    MANY_REPAIRS,
    NUMBERLINK_TRIES,
    REPAIRS,
)
from linkoracle.kinds import kind_named
from linkoracle.kinds.numberlink import RULES

#: Two numbers, such as 0.1-0.3 or 8-12.
_TWO_NUMBERS = f"{opt.NUMBER}-{opt.NUMBER}"


class _Makers(click.Group):
    """A command for each kind that can be made, those registered later included."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *library.makers()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        return _command(cmd_name) if found is None and cmd_name in library.makers() else found


@click.group(cls=_Makers)
def generate() -> None:
    """Make puzzles, each proven to have exactly one solution.

    The same options and --seed give the same puzzles, and a longer run begins with those of a
    shorter one. Without --seed, a fresh one is told on standard error. Each puzzle is written as
    soon as it is made, and stays when Ctrl-C ends the program.

    \b
    Examples:
      linkoracle generate slitherlink 10 10 --difficulty tricky -o mine.txt
      linkoracle generate numberlink 8 8 --show
      linkoracle generate simpleloop 8 8 --count 20 --format pzpr
    """


def _command(kind: str) -> click.Command:
    """The command for a kind whose page says how it is made."""
    title = kind_named(kind).title

    @click.command(kind, short_help=f"Make puzzles of the kind {title}.")
    @opt.board_arguments
    @streaming.seed_option
    @streaming.tries_option("Runs of the maker", TRIES)
    @streaming.making_options("1 for one puzzle, else all processors")
    def make_some(rows: int, cols: int, seed: int | None, tries: int, run: streaming.Run) -> None:
        make = partial(library.puzzles, kind, rows, cols, tries=tries)
        streaming.stream(make, run, f"{kind} {rows}x{cols}", seed)

    make_some.help = f"""Make puzzles of the kind {title}, of ROWS x COLS cells.

    Each is proven to have one solution.

    \b
    Examples:
      linkoracle generate {kind} 8 8 --show
      linkoracle generate {kind} 8 8 --count 20 -o puzzles.txt
    """
    complete_files(make_some)
    return make_some


_SHARE = opt.ReadParam(
    "A-B",
    "expected a range such as 0.1-0.3, got",
    opt.matching(_TWO_NUMBERS, lambda *ends: tuple(map(float, ends))),
)


_LABEL = "|".join(GRADES)
_LABELS = opt.ReadParam(
    "LABEL[..LABEL]",
    f"expected one of {', '.join(GRADES)}, or a range such as normal..hard, got",
    opt.matching(rf"((?:{_LABEL})(?:\.\.(?:{_LABEL}))?)", str),
)

#: What `linkoracle.deduce` must be able to do with the puzzles.
grade_options = opt.together(
    option(
        "--difficulty",
        _LABELS,
        f"Puzzles of which `linkoracle grade` says just this: {', '.join(GRADES)}; or a range.",
    ),
    option(
        "--score", opt.RANGE, "Puzzles to which `linkoracle grade` gives such a score: 200-300."
    ),
    choice("--rules", ["easy", "hard"], "Make puzzles that these techniques solve."),
    option("--max-depth", click.IntRange(0, 6), "Make puzzles that guesses N deep solve."),
)


def _ask_for_a_grade(asked: dict[str, Any]) -> None:
    """Ask for what the options of a grade say, if one is given."""
    labels, score = asked.pop("difficulty"), asked.pop("score")
    rules, depth = asked.pop("rules"), asked.pop("max_depth")
    if (labels, score, rules, depth) != (None, None, None, None):
        from linkoracle.deduce import within

        least = most = None
        if labels is not None:
            least, _, most = labels.partition("..")
            most = most or least
        elif rules is None and depth is None:
            most = GRADES[-1]
        with opt.arguments():
            asked["keeps"] = within(
                most, subset=rules, max_depth=depth or 0, least=least, score=score
            )


@generate.command(short_help="Make Numberlinks.")
@masks.size_arguments
@option("--pairs", opt.RANGE, "Number of pairs.  [default: as published puzzles have]")
@option("--min-length", click.IntRange(1, 1_000_000), "Cells of the shortest link.")
@option("--max-length", click.IntRange(1, 1_000_000), "Cells of the longest link.")
@option("--short-share", _SHARE, "Share of links of at most half the average length.", "0-1")
@option("--long-share", _SHARE, "Share of links of at least 1.5 times the average length.", "0-1")
@option("--straight-share", _SHARE, "Share of links without a turn.")
@option("--min-turns", click.FloatRange(0, 1000), "Turns of a link, in the mean.", metavar="N")
@option("--mask", masks.MaskParam(), "Cells as rows of # (a number), . (no number) and ? (either).")
@grade_options
@choice("--rule", RULES, "Whether solvers may leave cells empty; the solution never does.", "free")
@streaming.symmetry_option("numbers")
@choice("--maker", library.MAKERS, "links: one by one; diagram: uniform, small boards.", "links")
@streaming.seed_option
@option(
    "--repairs",
    click.IntRange(0),
    f"Re-routings if not unique.  [default: {REPAIRS}, from {MANY_CELLS} cells on {MANY_REPAIRS}; "
    "diagram: 0]",
)
@streaming.tries_option("Boards to try", NUMBERLINK_TRIES)
@option(
    "--effort",
    opt.COUNT,
    f"Conflicts after which a board is dropped as undecided.  [default: {EFFORT}, and as many more "
    f"as there are more cells than {EFFORT_CELLS}]",
)
@streaming.making_options("1 for one puzzle or --maker diagram, else all processors")
def numberlink(
    rows: int | None, cols: int | None, seed: int | None, run: streaming.Run, **asked: Any
) -> None:
    """Make Numberlinks of ROWS x COLS cells, each proven to have one solution.

    With --mask, ROWS and COLS may be left out: the file has them.

    Where no number of pairs and no length is asked for, links are about as many, and turn about as
    often, as in published puzzles. With --maker diagram each process prepares the board anew.

    \b
    Examples:
      linkoracle generate numberlink 10 10 --show
      linkoracle generate numberlink 8 8 --symmetry half-turn --seed 4
      linkoracle generate numberlink 10 10 --difficulty normal
      linkoracle generate numberlink 9 9 --count 100 --format pzpr -o puzzles.txt
    """
    _ask_for_a_grade(asked)
    mask = asked.pop("mask")
    rows, cols = masks.board_size(rows, cols, mask)
    if mask is not None:
        asked |= masks.fields_of(mask)
        if digits := asked.pop("digits"):
            found = next(iter(digits.values()))
            raise FormatError(f"expected a mask of #, . and ? for numbers, found {found}")
    with opt.arguments():
        wanted = library.NumberlinkRequest(rows, cols, **asked)
    # Each process would count all boards of this size before the diagram maker's first draw.
    alone = wanted.maker == "diagram"
    make = partial(library.numberlinks, wanted)
    streaming.stream(make, run, f"numberlink {rows}x{cols}", seed, alone=alone)


_DOT = r"(\d{1,6}),(\d{1,6})"
_ENDS = opt.ReadParam(
    "DOTS",
    "expected random or dots 0,3-8,5, got",
    opt.matching(
        rf"(random)|{_DOT}-{_DOT}",
        lambda random, *at: random or tuple(sorted(zip(*[map(int, at)] * 2, strict=True))),
    ),
)


def _number(text: str) -> int | float:
    return int(text) if text.isdecimal() else float(text)


def _value(text: str) -> Any:
    """On or off, a number, or a range of numbers."""
    if text in ("on", "off"):
        return text == "on"
    ends = re.fullmatch(_TWO_NUMBERS, text, re.ASCII)
    return tuple(map(_number, ends.groups())) if ends else _number(text)


_NAMED = opt.ReadParam(
    "NAME=VALUE",
    "expected NAME=VALUE with on, off, a number or a range, got",
    opt.matching("([^=]*)=(.*)", lambda name, text: (name, _value(text))),
)


@generate.command(short_help="Make Slitherlinks.")
@masks.size_arguments
@choice("--shape", library.SHAPES, "How the line is made.", "mix")
@option(
    "--with shape_options",
    _NAMED,
    "An option of the shape, such as length=40-50 for uniform. May be repeated.",
    multiple=True,
    callback=lambda _context, _param, pairs: dict(pairs),
)
@option(
    "--ends",
    _ENDS,
    "An open path between two dots on the rim, such as 0,3-8,5, in place of a loop.",
    metavar="random|DOTS",
)
@streaming.seed_option
@choice(
    "--strategy", ["even", "core", "random", "prefix", "stack"], "How clues are taken away.", "even"
)
@opt.flag("--minimal", "No clue more than needed, although boards with some more look better.")
@opt.flag("--fewest", "As few clues as the line allows; when stopped, the fewest found.")
@streaming.symmetry_option("clues")
@option("--clues", click.IntRange(0, 1_000_000), "Stop at N clues.")
@option(
    "--max-clue-density",
    click.FloatRange(0, 1, min_open=True),
    "The greatest share of cells with a clue.",
    1.0,
)
@option("--max-failures", opt.COUNT, "Stop after N clues in a row that cannot go.")
@grade_options
@option(
    "--mask",
    masks.MaskParam(),
    "Cells as rows of # (must have a clue), . (must not), ? (may) and digits (clues that must "
    "stand). A line is searched that these make unique.",
)
@option(
    "--loop",
    masks.LoopParam(),
    "The loop, drawn in a file: cells inside as # and outside as ., or lines as --show draws them.",
)
@option(
    "--board",
    masks.BoardParam(),
    "A Slitherlink in a file: its clues, ends, given and forbidden lines and holes stay.",
)
@choice("--pattern", patterns.PATTERNS, "A mask that is drawn for you.")
@option("--letters", click.STRING, "A mask with these letters and digits.", metavar="TEXT")
@option(
    "--tries",
    opt.COUNT,
    "Lines to try for one puzzle before giving up (exit status 1).  "
    f"[default: {slitherlink_request.TRIES}; with --mask or --board "
    f"{slitherlink_request.MASK_TRIES}, with --loop 1]",
)
@opt.memory_option
@streaming.making_options("1 for one puzzle, --fewest or --shape uniform, else all processors")
def slitherlink(
    rows: int | None,
    cols: int | None,
    seed: int | None,
    fewest: bool,
    run: streaming.Run,
    **asked: Any,
) -> None:
    """Make Slitherlinks of ROWS x COLS cells, each proven to have one solution.

    With --mask, --loop or --board, ROWS and COLS may be left out: the file has them.

    Clues lie as evenly as in puzzles made by hand; with --minimal, no clue can be taken away.
    Where other options keep redundant clues, standard error says how many, and JSON and the
    catalogue list them as "redundant". In several processes, --fewest forgets what it has when
    Ctrl-C ends it, and --shape uniform needs its memory in each.

    \b
    Examples:
      linkoracle generate slitherlink 10 10 --show
      linkoracle generate slitherlink 9 9 --symmetry both --count 5 -o five.txt
      linkoracle generate slitherlink 15 15 --count 500 -o many.txt
      linkoracle generate slitherlink 8 8 --difficulty normal --format pzpr
      linkoracle generate slitherlink 9 9 --difficulty hard --score 200-300
      linkoracle generate slitherlink 9 9 --minimal
      linkoracle generate slitherlink 10 10 --pattern rings
      linkoracle generate slitherlink 9 19 --letters 2026
      linkoracle generate slitherlink 7 7 --fewest
    """
    _ask_for_a_grade(asked)
    memory, mask = asked.pop("memory"), asked.pop("mask")
    pattern, letters = asked.pop("pattern"), asked.pop("letters")
    if sum(one is not None for one in (mask, pattern, letters)) > 1:
        raise click.UsageError("expected one of --mask, --pattern and --letters")
    if asked["loop"] is not None:
        from linkoracle.formats.drawings import read_loop

        asked["loop"] = read_loop(asked["loop"])
    if asked["board"] is not None:
        from linkoracle.formats import read

        asked["board"] = read(asked["board"])
    rows, cols = masks.board_size(rows, cols, mask, asked["loop"], asked["board"])
    mask = mask or masks.drawn_mask(rows, cols, pattern, letters)
    if memory is not None and asked["shape"] == "uniform":
        asked["shape_options"] = {**asked["shape_options"], "memory": memory}
    if mask is not None:
        asked |= masks.fields_of(mask)
        if asked["loop"] is None and not any("?" in row for row in mask):
            _refuse_wishes()
            asked["strategy"] = "mask"
    if fewest:
        asked["strategy"] = "fewest"
    with opt.arguments():
        wanted = library.SlitherlinkRequest(rows, cols, **asked)

    def make(**how: Any) -> Iterator[library.MadeSlitherlink]:
        return _told(library.slitherlinks(wanted, **how))

    # Ctrl-C gets the fewest found so far out of this process only, and a diagram of all loops shall
    # not be built in each process unless that is asked for.
    alone = fewest or wanted.shape == "uniform"
    streaming.stream(make, run, f"slitherlink {rows}x{cols}", seed, alone=alone)


def _refuse_wishes() -> None:
    """A mask without ? leaves no choice of the clues, so it goes with no wish for these."""
    context = click.get_current_context()
    places = {"rows", "cols", "mask", "pattern", "letters", "board", "ends"}
    possible = {*places, "tries", *streaming.NOT_OF_THE_MAKER}
    for param in context.command.params:
        given = context.get_parameter_source(param.name or "")
        if given is click.core.ParameterSource.COMMANDLINE and param.name not in possible:
            raise click.UsageError(f"a mask without ? does not go with {param.opts[0]}")


def _told(run: Iterator[library.MadeSlitherlink]) -> Iterator[library.MadeSlitherlink]:
    """Pass puzzles on; say so where a smaller one may exist, or clues could go yet."""
    for made in run:
        if made.lower_bound is not None and not made.minimal:
            clues = made.puzzle.number_of_clues
            click.echo(f"{clues} clues; at least {made.lower_bound} are needed", err=True)
        if made.redundant:
            told = f"{len(made.redundant)} of the {made.puzzle.number_of_clues} clues are redundant"
            click.echo(f"not minimal: {told}, each by itself; other options kept them", err=True)
        yield made
        if made.interrupted:
            raise KeyboardInterrupt
