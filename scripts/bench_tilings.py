"""How long does one solution take on each tiling, beside squares with as many faces?

    python scripts/bench_tilings.py
    python scripts/bench_tilings.py --boards 20 --type 2 --type 11

The puzzles are made by Loopy (Debian's package `sgt-puzzles`), difficulty *hard*: 20 of each type,
and as many on square boards with about as many faces. Both run in turns. Milliseconds of processor
time for each board: to make the board and read the clues, and to show that there is exactly one
solution.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable
from math import sqrt
from statistics import mean

import click

from linkoracle import Puzzle, count, read
from linkoracle.boards.naming import TILINGS

#: Sizes as Loopy's presets have them, in Loopy's order: columns, then rows.
SIZES = {
    **dict.fromkeys(range(5), "10x10"),
    **dict.fromkeys((5, 6, 7, 14), "7x7"),
    8: "5x5",
    9: "5x4",
    **dict.fromkeys((10, 13, 15), "5x4"),
    **dict.fromkeys((11, 12), "10x10"),
}


def made(program: str, boards: int, parameters: str) -> list[str]:
    """Return game IDs that Loopy makes."""
    command = [program, "--generate", str(boards), parameters]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return run.stdout.split()


def seconds(work: Callable[[], object]) -> float:
    """Processor time of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def solve(puzzle: Puzzle) -> None:
    """Show that there is one solution."""
    if count(puzzle, limit=2) != 1:
        raise click.ClickException(f"not one solution: {puzzle!r}")


@click.command()
@click.option("--boards", default=20, show_default=True, help="Boards of each type.")
@click.option("--type", "types", multiple=True, type=click.IntRange(0, 15), help="Types; all.")
def main(boards: int, types: tuple[int, ...]) -> None:
    program = shutil.which("sgt-loopy", path="/usr/games:/usr/bin")
    if program is None:
        raise click.ClickException("sgt-loopy is not installed")
    click.echo("| tiling | Loopy's size | faces | read | solve | squares | read | solve |")
    click.echo("| --- | --- | ---: | ---: | ---: | --- | ---: | ---: |")
    for tiling in sorted(TILINGS.values(), key=lambda tiling: tiling.loopy_type):
        number = tiling.loopy_type
        if types and number not in types:
            continue
        texts = made(program, boards, f"{SIZES[number]}t{number}dh")
        faces = mean(read(text).board.num_faces for text in texts)
        side = round(sqrt(faces))
        squares = made(program, boards, f"{side}x{side}t0dh")
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
            f"| {tiling.name} | {SIZES[number]} | {faces:.0f} | {reading} | {solving} "
            f"| {side}x{side} | {square_reading} | {square_solving} |"
        )


if __name__ == "__main__":
    main()
