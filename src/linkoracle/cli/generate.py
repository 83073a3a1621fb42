"""`linkoracle generate`: puzzles proven to have one solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click

from linkoracle import generate as library
from linkoracle.cli import masks, streaming
from linkoracle.cli import options as opt
from linkoracle.cli.work import jobs_help
from linkoracle.generate.kind_makers import is_made, visits_all
from linkoracle.generate.request_parts import Graded, all_visited
from linkoracle.generate.requests import REQUESTS, options_for
from linkoracle.kinds import kind_named


class _Makers(click.Group):
    """A command for each kind that can be made, including kinds registered later."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *library.makers()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        return _plain_command(cmd_name) if found is None and is_made(cmd_name) else found


@click.group(cls=_Makers)
def generate() -> None:
    """Make puzzles, each proven to have exactly one solution.

    The same options and --seed give the same puzzles, and a longer run begins with those of a
    shorter one. Without --seed, a fresh one is printed on standard error. Each puzzle is written as
    soon as it is made, and stays when Ctrl-C ends the program.

    \b
    Examples:
      linkoracle generate slitherlink 10 10 --difficulty tricky -o mine.txt
      linkoracle generate numberlink 8 8 --show
      linkoracle generate simpleloop 8 8 --count 20 --format pzpr
    """


def _command(
    kind: str, *more: opt.Decorator, jobs: str = "1 for one puzzle, else all processors"
) -> Callable[[Callable[[], None]], click.Command]:
    """Make a function, whose docstring is the help, the command for a kind with ``more`` options.

    ``jobs`` is the help's default of ``--jobs``.
    """
    declared = options_for(kind)
    size = masks.size_arguments if "board" in declared else opt.board_arguments
    seed = opt.seed_help("The same options and seed give the same puzzles.")

    def decorate(about: Callable[[], None]) -> click.Command:
        @click.command(
            kind, help=about.__doc__, short_help=f"Make {kind_named(kind).title} puzzles."
        )
        @size
        @opt.options(
            REQUESTS.get(kind, library.PuzzleRequest),
            *declared,
            difficulty=declared["difficulty"].help,
        )
        @opt.together(*more)
        @opt.packed(streaming.Run, "run", jobs=jobs_help(jobs), seed=seed)
        def make_some(
            rows: int | None,
            cols: int | None,
            run: streaming.Run,
            fewest: bool = False,
            **values: Any,
        ) -> None:
            if fewest:
                values["strategy"] = "fewest"
            request = masks.request_of(kind, rows, cols, values)
            # Use one process if each would have to prepare much, or would lose its work by Ctrl-C.
            ways = {getattr(request, name, None) for name in ("maker", "strategy", "shape")}
            alone = not ways.isdisjoint({"diagram", "fewest", "uniform"})
            size = getattr(request, "size", None) or f"{request.rows}x{request.cols}"
            name = f"{kind} {size}"
            streaming.stream(partial(_made, request), run, name, alone=alone)

        return make_some

    return decorate


def _plain_command(kind: str) -> click.Command:
    """Return the command for a kind that has no help of its own."""

    def about() -> None: ...

    page, size, needs = kind_named(kind), "8 8", ""
    if visits_all(page):
        every, parity = all_visited(dots=not page.through_cells)
        size = "8 8" if parity == "even" else "7 7"
        needs = f" The loop visits every {every}, so ROWS or COLS must be {parity}."
    about.__doc__ = f"""Make {page.title} puzzles of ROWS x COLS cells.

    Each is proven to have one solution.{needs}

    \b
    Examples:
      linkoracle generate {kind} {size} --show
      linkoracle generate {kind} {size} --count 20 -o puzzles.txt
    """
    return _command(kind)(about)


@_command("numberlink", jobs="1 for one puzzle or --maker diagram, else all processors")
def numberlink() -> None:
    """Make Numberlink puzzles of ROWS x COLS cells, each proven to have one solution.

    With --mask and --board, ROWS and COLS may be left out. With --board, cells are the faces of a
    board that is not square; `linkoracle board` shows such boards.

    By default, the number of pairs and the turns of the paths are as in published puzzles. With
    --maker diagram, each process prepares the board again.

    \b
    Examples:
      linkoracle generate numberlink 10 10 --show
      linkoracle generate numberlink 8 8 --symmetry half-turn --seed 4
      linkoracle generate numberlink 10 10 --difficulty normal
      linkoracle generate numberlink --board cairo 5 5
      linkoracle generate numberlink 9 9 --count 100 --format pzpr -o puzzles.txt
    """


@_command(
    "slitherlink",
    opt.flag("--fewest", "As few clues as the loop allows; Ctrl-C prints the fewest found."),
    jobs="1 for one puzzle, --fewest or --shape uniform, else all processors",
)
def slitherlink() -> None:
    """Make Slitherlink puzzles of ROWS x COLS cells, each proven to have one solution.

    With --mask, --loop or --board, ROWS and COLS may be left out. With --board, cells may be the
    faces of a board that is not square; `linkoracle board` shows such boards.

    Clues lie as evenly as in hand-made puzzles; --minimal removes every redundant clue. If other
    options keep redundant clues, standard error says how many, and JSON and the catalogue list
    them as "redundant". With several processes, --fewest loses its best puzzle on Ctrl-C, and
    --shape uniform needs its memory in each.

    \b
    Examples:
      linkoracle generate slitherlink 10 10 --show
      linkoracle generate slitherlink 9 9 --symmetry both --count 5 -o five.txt
      linkoracle generate slitherlink 15 15 --count 500 -o many.txt
      linkoracle generate slitherlink 8 8 --difficulty normal --format pzpr
      linkoracle generate slitherlink 9 9 --difficulty hard --score 300-340
      linkoracle generate slitherlink 9 9 --minimal
      linkoracle generate slitherlink 10 10 --pattern rings
      linkoracle generate slitherlink 9 19 --letters 2026
      linkoracle generate slitherlink 7 7 --fewest
      linkoracle generate slitherlink --board honeycomb 7 7
    """


for _one in (numberlink, slitherlink):
    generate.add_command(_one)


def _made(request: Graded, **how: Any) -> Iterator[library.Made]:
    """Yield puzzles; report where one with fewer clues may exist, or clues are redundant."""
    for made in library.make_all(request, **how):
        if isinstance(made, library.MadeSlitherlink):
            _report(made)
        yield made
        if getattr(made, "interrupted", False):
            raise KeyboardInterrupt


def _report(made: library.MadeSlitherlink) -> None:
    clues = made.puzzle.number_of_clues
    if made.lower_bound is not None and not made.minimal:
        click.echo(f"{clues} clues; at least {made.lower_bound} are needed", err=True)
    if made.redundant:
        redundant = f"{len(made.redundant)} of the {clues} clues are redundant"
        click.echo(f"not minimal: {redundant}, each by itself; other options kept them", err=True)
