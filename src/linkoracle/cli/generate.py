"""`linkoracle generate`: puzzles that are proven to have one solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import click

from linkoracle import generate as library
from linkoracle.cli import masks, streaming
from linkoracle.cli import options as opt
from linkoracle.cli.program import complete_files
from linkoracle.cli.work import jobs_help
from linkoracle.core.errors import FormatError
from linkoracle.kinds import kind_named


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


def _making_options(jobs: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Where puzzles go, and what they may take; ``jobs`` is where that is done by default."""
    seed = opt.seed_help("The same options and seed give the same puzzles.")
    return opt.packed(streaming.Run, "run", jobs=jobs_help(jobs), seed=seed)


def _command(kind: str) -> click.Command:
    """The command for a kind whose page says how it is made."""
    title = kind_named(kind).title

    @click.command(kind, short_help=f"Make puzzles of the kind {title}.")
    @opt.board_arguments
    @opt.options(library.PuzzleRequest)
    @_making_options("1 for one puzzle, else all processors")
    def make_some(rows: int, cols: int, run: streaming.Run, **asked: Any) -> None:
        with opt.arguments():
            wanted = library.PuzzleRequest(kind, rows, cols, **asked)
        streaming.stream(partial(library.make_all, wanted), run, f"{kind} {rows}x{cols}")

    make_some.help = f"""Make puzzles of the kind {title}, of ROWS x COLS cells.

    Each is proven to have one solution.

    \b
    Examples:
      linkoracle generate {kind} 8 8 --show
      linkoracle generate {kind} 8 8 --count 20 -o puzzles.txt
    """
    complete_files(make_some)
    return make_some


@generate.command(short_help="Make Numberlinks.")
@masks.size_arguments
@opt.options(library.NumberlinkRequest)
@masks.mask_option("Cells as rows of # (a number), . (no number) and ? (either).")
@_making_options("1 for one puzzle or --maker diagram, else all processors")
def numberlink(
    rows: int | None,
    cols: int | None,
    mask: Sequence[str] | None,
    run: streaming.Run,
    **asked: Any,
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
    make = partial(library.make_all, wanted)
    streaming.stream(make, run, f"numberlink {rows}x{cols}", alone=alone)


@generate.command(short_help="Make Slitherlinks.")
@masks.size_arguments
@opt.options(library.SlitherlinkRequest)
@opt.flag("--fewest", "As few clues as the line allows; when stopped, the fewest found.")
@masks.mask_option(
    "Cells as rows of # (must have a clue), . (must not), ? (may) and digits (clues that must "
    "stand). A line is searched that these make unique."
)
@masks.drawing_options
@opt.memory_option
@_making_options("1 for one puzzle, --fewest or --shape uniform, else all processors")
def slitherlink(
    rows: int | None,
    cols: int | None,
    fewest: bool,
    memory: int | None,
    mask: Sequence[str] | None,
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
    pattern, letters = asked.pop("pattern"), asked.pop("letters")
    if sum(one is not None for one in (mask, pattern, letters)) > 1:
        raise click.UsageError("expected one of --mask, --pattern and --letters")
    asked |= masks.drawings(asked["loop"], asked["board"])
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
    alone = wanted.strategy == "fewest" or wanted.shape == "uniform"
    streaming.stream(make, run, f"slitherlink {rows}x{cols}", alone=alone)


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
