"""Measure how threads speed up independent queries, or one pass: one thread against several.

    python scripts/bench_threads.py
    python scripts/bench_threads.py --size 30 --lines 16 --threads 4
    python scripts/bench_threads.py --passes --turns 3

Each loop has a `linkoracle.search.Alternatives` of its own, whose `reduce` ends when no clue is
redundant. One thread and several take turns; medians of wall time, and the ratio of each turn. The
result means nothing on a machine that is busy with other work.

With ``--passes``: frontier passes, whose wide layers threads share. They run to their end, as in
`linkoracle.frontier.count`. Processor time is meaningful on a busy machine, too: the part that the
threads did together, *shared*, and the largest possible speedup by as many idle processors,
*bound*.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import NamedTuple

import click

from linkoracle import Slitherlink, Solution
from linkoracle.board import Lattice, LinkModel
from linkoracle.frontier import Step
from linkoracle.frontier.running import Threads
from linkoracle.frontier.sweep import Sweep
from linkoracle.generate.loops.shapes import two_colour
from linkoracle.search import Alternatives


def reduced(line: Solution) -> int:
    """Return how many clues are left for a loop."""
    rows, cols = line.lattice.rows - 1, line.lattice.cols - 1
    with Alternatives(Slitherlink.blank(rows, cols), line) as alternatives:
        return len(alternatives.reduce())


def seconds(lines: list[Solution], threads: int) -> float:
    """Return the wall time to reduce the clues of all loops with ``threads`` threads."""
    with ThreadPoolExecutor(threads) as pool:
        started = time.perf_counter()
        list(pool.map(reduced, lines))
        return time.perf_counter() - started


def clued(seed: int, rows: int, cols: int, share: float) -> LinkModel:
    """Return a board of ``rows`` x ``cols`` cells, of which about a ``share`` has a clue."""
    rng = Random(seed)
    line = two_colour(rng, rows, cols)
    lattice, on = line.lattice, set(line.edges)
    clues: list[list[int | None]] = [[None] * cols for _ in range(rows)]
    for row in range(rows):
        for col in range(cols):
            if rng.random() < share:
                corners = [(row, col), (row, col + 1), (row + 1, col + 1), (row + 1, col)]
                sides = zip(corners, corners[1:] + corners[:1], strict=True)
                clues[row][col] = sum(lattice.edge(*side) in on for side in sides)
    return Slitherlink(clues).model


def passes() -> dict[str, Callable[[int], Generator[Step, None, object]]]:
    """Return what to measure, by name: a pass by ``threads`` threads."""
    holes = Random(3).sample(range(15 * 15), 6)
    holed = LinkModel.blank_loop(Lattice(15, 15)).with_holes(holes)
    long, square = clued(2, 20, 30, 0.43), clued(1, 14, 14, 0.3)

    def counting(model: LinkModel) -> Callable[[int], Generator[Step, None, object]]:
        return lambda threads: Sweep(model, threads=threads, by_step=False).count()

    return {
        "clued Slitherlink 20x30": counting(long),
        "clued Slitherlink 14x14": counting(square),
        "loops of 14x14 with 6 holes": counting(holed),
    }


class Measured(NamedTuple):
    wall: float
    cpu: float
    shared: float
    found: object


def measured(work: Generator[Step, None, object]) -> Measured:
    """Run a pass, with a clock around what its threads do together."""
    shared, run = 0.0, Threads.run

    def clocked(self: Threads, work: Callable[[], object], stop: Callable[[bool], object]) -> None:
        spent = []

        def timed() -> None:
            start = time.thread_time()
            work()
            spent.append(time.thread_time() - start)

        run(self, timed, stop)
        nonlocal shared
        shared += sum(spent)

    Threads.run = clocked  # type: ignore[method-assign]
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        while True:
            next(work)
    except StopIteration as end:
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        return Measured(wall, cpu, shared, end.value)
    finally:
        Threads.run = run  # type: ignore[method-assign]


def compare_passes(threads: int, turns: int) -> None:
    print(f"| pass | one thread | {threads} threads | shared | bound | wall |")
    for name, make in passes().items():
        pairs = [(measured(make(1)), measured(make(threads))) for _ in range(turns)]
        if any(one.found != several.found for one, several in pairs):
            raise SystemExit(f"{name}: the answer depends on threads")
        one = statistics.median(one.cpu for one, _ in pairs)
        cpu = statistics.median(several.cpu for _, several in pairs)
        shared = statistics.median(several.shared for _, several in pairs)
        wall = statistics.median(one.wall / several.wall for one, several in pairs)
        bound = one / (cpu - shared + shared / threads)
        print(
            f"| {name} | {one:.2f} | {cpu:.2f} | {shared:.2f} | {bound:.2f} | {wall:.2f} |",
            flush=True,
        )


@click.command()
@click.option("--size", default=20, help="Side of the boards.")
@click.option("--lines", default=16, help="How many lines.")
@click.option("--threads", default=2)
@click.option("--turns", default=5)
@click.option("--passes", "of_passes", is_flag=True, help="Frontier passes.")
def main(size: int, lines: int, threads: int, turns: int, of_passes: bool) -> None:
    if of_passes:
        compare_passes(threads, turns)
        return
    boards = [two_colour(Random(seed), size, size) for seed in range(lines)]
    seconds(boards[:2], 1)
    pairs = [(seconds(boards, 1), seconds(boards, threads)) for _ in range(turns)]
    alone, together = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = sorted(one / several for one, several in pairs)
    print(f"{lines} lines of {size}x{size}: one thread {alone:.3f} s, {threads} {together:.3f} s")
    print(f"ratio: median {statistics.median(ratios):.2f}, {ratios[0]:.2f} to {ratios[-1]:.2f}")


if __name__ == "__main__":
    main()
