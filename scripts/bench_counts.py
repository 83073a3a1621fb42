"""Count Slitherlinks exactly by the frontier engine, and check the counts against SAT.

    python scripts/bench_counts.py --kind slitherlink puzzles.jsonl
    python scripts/bench_counts.py --kind slitherlink --erase 0.33 --size 10x10 puzzles.jsonl

Without --erase every puzzle is counted by both engines, and the counts must agree. With --erase
that share of the clues is removed at random first. The counts are then often huge; SAT, which lists
solutions one by one, checks counts up to --listed.
"""

from __future__ import annotations

import random
import statistics
import time
from collections import defaultdict

import click

import linkoracle
from linkoracle import frontier
from linkoracle.core import parse_size
from measuring import named_entries


def erased(puzzle: linkoracle.Slitherlink, share: float, seed: int) -> linkoracle.Slitherlink:
    cells = [cell for cell, _ in puzzle.clue_cells()]
    gone = random.Random(seed).sample(cells, round(share * len(cells)))
    return puzzle.with_clues(dict.fromkeys(gone))


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--kind", type=click.Choice(["slitherlink", "numberlink"]))
@click.option("--variant", type=click.Choice(["free", "fill"]))
@click.option("--widest", type=int, default=20, help="Leave out boards whose short side is longer.")
@click.option("--size", help="Only boards of this size, such as 10x10.")
@click.option("--most", type=int, help="Only the first N puzzles.")
@click.option("--erase", type=float, default=0.0, help="Share of the clues to remove.")
@click.option("--seed", type=int, default=1)
@click.option("--listed", type=int, default=2_000, help="The most solutions that SAT lists.")
@click.option("--memory", default="4GB", help="For the frontier engine.")
def main(
    files: tuple[str, ...],
    kind: str | None,
    variant: str | None,
    widest: int,
    size: str | None,
    most: int | None,
    erase: float,
    seed: int,
    listed: int,
    memory: str,
) -> None:
    entries = [
        entry
        for entry in named_entries(files, kind, variant)
        if min(entry.puzzle.rows, entry.puzzle.cols) <= widest
        and size in (None, f"{entry.puzzle.rows}x{entry.puzzle.cols}")
    ][:most]
    frontier.count(linkoracle.Slitherlink.blank(2, 2).model)  # load the kernel
    times = defaultdict(list)
    counts, compared = [], 0
    for number, entry in enumerate(entries):
        puzzle = entry.puzzle
        if erase and isinstance(puzzle, linkoracle.Slitherlink):
            puzzle = erased(puzzle, erase, seed + number)
        started = time.perf_counter()
        try:
            found = frontier.count(puzzle.model, memory=parse_size(memory))
        except linkoracle.MemoryLimit as limit:
            print(f"{entry.name}: {limit}")
            continue
        times[min(puzzle.rows, puzzle.cols)].append((time.perf_counter() - started, entry.name))
        counts.append(found)
        if found <= listed:
            by_sat = linkoracle.count_result(puzzle, listed + 1, engine="sat")
            assert (by_sat.count, by_sat.exact) == (found, True), f"{entry.name}: {found} {by_sat}"
            compared += 1
    print(f"{len(counts)} counted exactly of {len(entries)}; {compared} counts agree with SAT")
    print(
        f"counts: least {min(counts)}, median {statistics.median_low(counts)}, most {max(counts)}"
    )
    print(f"{'short side':>10}{'puzzles':>9}{'median':>11}{'95 %':>11}{'slowest':>11}")
    for side, taken in sorted(times.items()):
        taken.sort()
        middle, high = taken[len(taken) // 2][0], taken[int(len(taken) * 0.95)][0]
        print(
            f"{side:>10}{len(taken):>9}{middle * 1e3:>9.1f}ms{high * 1e3:>9.1f}ms"
            f"{taken[-1][0] * 1e3:>9.1f}ms  {taken[-1][1]}"
        )


if __name__ == "__main__":
    main()
