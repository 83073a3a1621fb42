"""Do threads speed up independent questions? Minimal clues of lines, by one thread and by two.

    python scripts/bench_threads.py
    python scripts/bench_threads.py --size 30 --lines 16 --threads 4

Each line has a `linkoracle.search.Alternatives` of its own, which `thin` asks until no clue can go.
One thread and several take turns; medians of wall time, and the ratio of each turn. Says nothing
on a machine that is busy with other work.
"""

from __future__ import annotations

import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

import click

from linkoracle import Slitherlink, Solution
from linkoracle.generate.shapes import two_colour
from linkoracle.search import Alternatives


def thinned(line: Solution) -> int:
    """How many clues are left of a line."""
    rows, cols = line.lattice.rows - 1, line.lattice.cols - 1
    with Alternatives(Slitherlink.blank(rows, cols), line) as alternatives:
        return len(alternatives.thin())


def seconds(lines: list[Solution], threads: int) -> float:
    """Wall time to thin all lines with so many threads."""
    with ThreadPoolExecutor(threads) as pool:
        started = time.perf_counter()
        list(pool.map(thinned, lines))
        return time.perf_counter() - started


@click.command()
@click.option("--size", default=20, help="Side of the boards.")
@click.option("--lines", default=16, help="How many lines.")
@click.option("--threads", default=2)
@click.option("--turns", default=5)
def main(size: int, lines: int, threads: int, turns: int) -> None:
    boards = [two_colour(Random(seed), size, size) for seed in range(lines)]
    seconds(boards[:2], 1)
    pairs = [(seconds(boards, 1), seconds(boards, threads)) for _ in range(turns)]
    alone, together = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = sorted(one / several for one, several in pairs)
    print(f"{lines} lines of {size}x{size}: one thread {alone:.3f} s, {threads} {together:.3f} s")
    print(f"ratio: median {statistics.median(ratios):.2f}, {ratios[0]:.2f} to {ratios[-1]:.2f}")


if __name__ == "__main__":
    main()
