"""Measure how fast Slitherlinks are made: medians over seeds, beside Simon Tatham's Loopy.

    python scripts/bench_generate.py
    python scripts/bench_generate.py --sizes 10,20 --seeds 5 --shape expand --strategy core

Ours: from the seed to the unique puzzle, in this process, after one puzzle to warm up; with the
searches for an alternative and the conflicts that a puzzle took. Loopy, if installed (Debian's
package `sgt-puzzles`): a process for each puzzle, difficulty *hard*, minus the start of a process.
A process for a 3x3 board just before measures the start. Loopy's puzzles are solvable by its own
rules, and lose that without any clue. The runs of both alternate, so that another load on the
machine meets both. The columns "series" are means of the same number of other puzzles, ours in
sequence, Loopy's from one process. The columns "whole" are whole processes that make 20 boards, the
start included: `linkoracle generate slitherlink` in one process, and Loopy, in turns. Seconds of
processor time.
"""

from __future__ import annotations

import resource
import shutil
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import click

from linkoracle.generate import SHAPES, STRATEGIES, slitherlink

DEBIAN = Path("/usr/games/sgt-loopy")


#: Boards that whole processes make.
MANY = 20


def process_seconds(command: list[str]) -> float:
    """Return the processor time of a process, from its start to its end."""

    def used() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    before = used()
    subprocess.run(command, check=True, capture_output=True)
    return used() - before


def loopy_seconds(loopy: str, size: int, count: int = 1) -> float:
    """Return the processor time of a process of Loopy that makes ``count`` boards."""
    return process_seconds([loopy, "--generate", str(count), f"{size}x{size}t0dh"])


def command_seconds(size: int, seed: int) -> float:
    """Return the processor time of our command, which makes all boards in one process."""
    make = [sys.executable, "-m", "linkoracle", "generate", "slitherlink", str(size), str(size)]
    return process_seconds([*make, "--count", str(MANY), "--seed", str(seed), "--jobs", "1"])


def tiny_seconds(loopy: str) -> float:
    """Return the time of a 3x3 board, without the start of the process."""
    return (loopy_seconds(loopy, 3, 401) - loopy_seconds(loopy, 3)) / 400


@click.command()
@click.option("--sizes", default="10,15,20,30,40", help="Sides of the boards.")
@click.option("--seeds", type=int, default=10)
@click.option("--shape", type=click.Choice(list(SHAPES)), default="mix")
@click.option("--strategy", type=click.Choice(STRATEGIES), default="even")
@click.option("--turns", default=3, help="Turns of whole processes; 0 for none.")
def main(sizes: str, seeds: int, shape: str, strategy: str, turns: int) -> None:
    loopy = shutil.which("sgt-loopy") or (str(DEBIAN) if DEBIAN.exists() else None)
    make = partial(slitherlink, shape=shape, strategy=strategy)
    make(5, 5)
    tiny = tiny_seconds(loopy) if loopy else 0.0
    print(
        f"{'size':>6}{'median':>10}{'slowest':>10}{'series':>10}"
        f"{'Loopy':>10}{'slowest':>10}{'series':>10}"
        f"{'clues':>8}{'searches':>11}{'conflicts':>11}{'whole':>10}{'Loopy':>10}"
    )
    for size in map(int, sizes.split(",")):
        ours, theirs, starts, counts = [], [], [], []
        for seed in range(seeds):
            started = time.process_time()
            made = make(size, size, seed=seed)
            ours.append(time.process_time() - started)
            clues = sum(clue is not None for row in made.puzzle.grid for clue in row)
            counts.append((clues, made.queries, made.conflicts))
            if loopy is not None:
                starts.append(loopy_seconds(loopy, 3) - tiny)
                theirs.append(loopy_seconds(loopy, size) - starts[-1])
        started = time.process_time()
        for seed in range(seeds, 2 * seeds):
            make(size, size, seed=seed)
        series = (time.process_time() - started) / seeds
        clue_count, searches, conflicts = (
            round(statistics.median(column)) for column in zip(*counts, strict=True)
        )
        peer = " " * 30
        if loopy is not None:
            peer_series = (loopy_seconds(loopy, size, seeds) - statistics.median(starts)) / seeds
            peer = f"{statistics.median(theirs):>10.4f}{max(theirs):>10.4f}{peer_series:>10.4f}"
        print(
            f"{size:>6}{statistics.median(ours):>10.4f}{max(ours):>10.4f}{series:>10.4f}{peer}"
            f"{clue_count:>8}{searches:>11}{conflicts:>11}",
            end="",
            flush=True,
        )
        whole, peers = [], []
        for turn in range(turns):
            whole.append(command_seconds(size, turn))
            if loopy is not None:
                peers.append(loopy_seconds(loopy, size, MANY))
        for column in (whole, peers):
            print(f"{statistics.median(column):>10.3f}" if column else "", end="")
        print(flush=True)


if __name__ == "__main__":
    main()
