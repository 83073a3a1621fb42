"""How fast are minimal Slitherlinks made? Medians over seeds, beside Simon Tatham's Loopy.

    python scripts/bench_generate.py
    python scripts/bench_generate.py --sizes 10,20 --seeds 5 --shape expand --strategy random

Ours: from the seed to the certified puzzle, in this process, after one puzzle to warm up; with the
searches for another solution, calls of the SAT solver and cuts that a puzzle took. Loopy, where it
is installed (Debian's package `sgt-puzzles`): a process for each puzzle, difficulty *hard*, minus
what a process takes to start, as one for a 3x3 board shows that runs just before. Its puzzles
are solvable by its own rules, and no clue can go without losing that; they are not minimal in our
sense. The runs of both alternate, so that another load on the machine meets both. The columns
"series" are means of as many puzzles again, ours one after the other, Loopy's from one process.
Seconds of processor time.
"""

from __future__ import annotations

import resource
import shutil
import statistics
import subprocess
import time
from functools import partial
from pathlib import Path

import click

from linkoracle.generate import ENGINES, SHAPES, STRATEGIES, slitherlink

DEBIAN = Path("/usr/games/sgt-loopy")


def loopy_seconds(loopy: str, size: int, count: int = 1) -> float:
    """Processor time of a process of Loopy that makes so many boards."""

    def used() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    before = used()
    subprocess.run(
        [loopy, "--generate", str(count), f"{size}x{size}t0dh"], check=True, capture_output=True
    )
    return used() - before


def tiny_seconds(loopy: str) -> float:
    """What a 3x3 board takes, without the start of the process."""
    return (loopy_seconds(loopy, 3, 401) - loopy_seconds(loopy, 3)) / 400


@click.command()
@click.option("--sizes", default="10,15,20,30,40", help="Sides of the boards.")
@click.option("--seeds", type=int, default=10)
@click.option("--shape", type=click.Choice(list(SHAPES)), default="two_colour")
@click.option("--strategy", type=click.Choice(STRATEGIES), default="core")
@click.option("--engine", type=click.Choice(ENGINES), default="cdcl")
@click.option("--solver", help="A PySAT solver.")
def main(
    sizes: str, seeds: int, shape: str, strategy: str, engine: str, solver: str | None
) -> None:
    loopy = shutil.which("sgt-loopy") or (str(DEBIAN) if DEBIAN.exists() else None)
    make = partial(slitherlink, shape=shape, strategy=strategy, engine=engine, solver=solver)
    make(5, 5)
    tiny = tiny_seconds(loopy) if loopy else 0.0
    print(
        f"{'size':>6}{'median':>10}{'slowest':>10}{'series':>10}"
        f"{'Loopy':>10}{'slowest':>10}{'series':>10}"
        f"{'clues':>8}{'questions':>11}{'rounds':>8}{'cuts':>8}"
    )
    for size in map(int, sizes.split(",")):
        ours, theirs, starts, counts = [], [], [], []
        for seed in range(seeds):
            started = time.process_time()
            made = make(size, size, seed=seed)
            ours.append(time.process_time() - started)
            clues = sum(clue is not None for row in made.puzzle.grid for clue in row)
            counts.append((clues, made.questions, made.rounds, made.cuts))
            if loopy is not None:
                starts.append(loopy_seconds(loopy, 3) - tiny)
                theirs.append(loopy_seconds(loopy, size) - starts[-1])
        started = time.process_time()
        for seed in range(seeds, 2 * seeds):
            make(size, size, seed=seed)
        series = (time.process_time() - started) / seeds
        clue_count, questions, rounds, cuts = (
            round(statistics.median(column)) for column in zip(*counts, strict=True)
        )
        peer = " " * 30
        if loopy is not None:
            peer_series = (loopy_seconds(loopy, size, seeds) - statistics.median(starts)) / seeds
            peer = f"{statistics.median(theirs):>10.4f}{max(theirs):>10.4f}{peer_series:>10.4f}"
        print(
            f"{size:>6}{statistics.median(ours):>10.4f}{max(ours):>10.4f}{series:>10.4f}{peer}"
            f"{clue_count:>8}{questions:>11}{rounds:>8}{cuts:>8}",
            flush=True,
        )


if __name__ == "__main__":
    main()
