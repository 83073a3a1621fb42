"""Measure Slitherlinks on each of Loopy's tilings: one solution, and a new puzzle.

    python scripts/bench_tilings.py solve
    python scripts/bench_tilings.py make --boards 20 --type 2 --type 11

Loopy is `sgt-loopy` of Debian's package `sgt-puzzles`. All times are processor time for each board.

`solve` takes puzzles that Loopy makes, difficulty *hard*: 20 of each type, and as many on square
boards with about as many faces, in turns. Milliseconds to make the board and read the clues, and to
prove that there is exactly one solution.

`make` makes puzzles beside Loopy, in turns: seconds of Loopy's difficulties *easy* and *hard*, the
start of its program included, and of linkoracle with default clues and with ``minimal``, without
the import. A board is laid out once for all its puzzles; each puzzle on a Penrose tiling has a
board of its own. The plain engine checks that puzzles of linkoracle have one solution.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from math import sqrt
from statistics import mean

import click

from linkoracle import Puzzle, boards, count, read
from linkoracle.boards import TILINGS
from linkoracle.generate import slitherlink
from loopy_peer import made_by_loopy

#: Sizes as Loopy's presets have them, in Loopy's order: columns, then rows.
SIZES = {
    **dict.fromkeys(range(5), "10x10"),
    **dict.fromkeys((5, 6, 7, 14), "7x7"),
    8: "5x5",
    9: "5x4",
    **dict.fromkeys((10, 13, 15), "5x4"),
    **dict.fromkeys((11, 12), "10x10"),
}


def made(number: int, parameters: str) -> list[str]:
    """Return game IDs that Loopy makes."""
    return made_by_loopy(number, parameters).split()


def chosen(types: tuple[int, ...]) -> Iterator[tuple[int, str]]:
    """Yield the numbers and names of tilings, in Loopy's order; all if no types are given."""
    for tiling in sorted(TILINGS.values(), key=lambda tiling: tiling.loopy_type):
        if tiling.loopy_type in (types or SIZES):
            yield tiling.loopy_type, tiling.name


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def solve(puzzle: Puzzle) -> None:
    """Decide that there is one solution."""
    if count(puzzle, limit=2) != 1:
        raise click.ClickException(f"not one solution: {puzzle!r}")


@click.group()
def main() -> None:
    """Measure Slitherlinks on Loopy's tilings."""


BOARDS = click.option("--boards", "number", default=20, show_default=True, help="Of each type.")
TYPES = click.option(
    "--type", "types", multiple=True, type=click.IntRange(0, 15), help="Types; all."
)


@main.command("solve")
@BOARDS
@TYPES
def solve_all(number: int, types: tuple[int, ...]) -> None:
    """Solve puzzles of Loopy, beside squares with as many faces."""
    click.echo("| tiling | Loopy's size | faces | read | solve | squares | read | solve |")
    click.echo("| --- | --- | ---: | ---: | ---: | --- | ---: | ---: |")
    for kind, name in chosen(types):
        texts = made(number, f"{SIZES[kind]}t{kind}dh")
        faces = mean(read(text).board.num_faces for text in texts)
        side = round(sqrt(faces))
        squares = made(number, f"{side}x{side}t0dh")
        # The first board of a size is slower.
        solve(read(texts[0]))
        solve(read(squares[0]))
        times: list[list[float]] = [[], [], [], []]
        for pair in zip(texts, squares, strict=True):
            for which, text in enumerate(pair):
                times[2 * which].append(seconds(lambda text=text: read(text)))
                puzzle = read(text)
                times[2 * which + 1].append(seconds(lambda puzzle=puzzle: solve(puzzle)))
        reading, solving, square_reading, square_solving = (
            f"{1000 * mean(found):.1f}" for found in times
        )
        click.echo(
            f"| {name} | {SIZES[kind]} | {faces:.0f} | {reading} | {solving} "
            f"| {side}x{side} | {square_reading} | {square_solving} |"
        )


def child_seconds() -> float:
    """Return the processor time of all programs that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def our_own(words: str, seed: int, minimal: bool) -> tuple[Puzzle, float]:
    """Make a puzzle on a board; return it, and the processor time."""
    start = time.process_time()
    made = slitherlink(boards.named(words), seed=seed, minimal=minimal)
    return made.puzzle, time.process_time() - start


@main.command("make")
@BOARDS
@TYPES
@click.option("--double", is_flag=True, help="Boards twice as wide and high.")
def make_all(number: int, types: tuple[int, ...], double: bool) -> None:
    """Make puzzles beside Loopy."""
    slitherlink(boards.honeycomb(3, 3), seed=1)  # which loads what makers need
    click.echo("| tiling | Loopy's size | faces | Loopy easy | Loopy hard | even | minimal |")
    click.echo("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for kind, name in chosen(types):
        cols, rows = ((1 + double) * int(side) for side in SIZES[kind].split("x"))
        times: list[list[float]] = [[], [], [], []]
        faces = []
        for seed in range(number):
            for which, level in enumerate("eh"):
                before = child_seconds()
                (text,) = made(1, f"{cols}x{rows}t{kind}d{level}")
                times[which].append(child_seconds() - before)
            # The same board each time, but for Penrose tilings.
            words = read(text).board.words if kind else f"square {rows} {cols}"
            faces.append(boards.named(words).num_faces)
            for minimal in (False, True):
                puzzle, taken = our_own(words, seed, minimal)
                times[2 + minimal].append(taken)
                if count(puzzle, limit=2, engine="plain") != 1:
                    raise click.ClickException(f"not one solution: {puzzle!r}")
        shown = " | ".join(f"{mean(found):.3f}" for found in times)
        click.echo(f"| {name} | {cols}x{rows} | {mean(faces):.0f} | {shown} |")


if __name__ == "__main__":
    main()
