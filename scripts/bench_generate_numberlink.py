"""Measure how fast Numberlinks are made, and what their paths look like.

    python scripts/bench_generate_numberlink.py
    python scripts/bench_generate_numberlink.py --sizes 8,10 --seeds 50 --without-repair
    python scripts/bench_generate_numberlink.py --sizes 6 --maker diagram

For every size: median and longest processor time over the seeds, the share of the attempts that
were kept, how many of the others were repaired, the numbers of pairs, the means of the layout
statistics, the labels, and the histogram of the lengths of paths (in cells). --without-repair
measures the same seeds again, and drops every board that is not unique. --check decides every
puzzle once more.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter
from typing import Any

import click

import linkoracle
from linkoracle.board import SYMMETRIES
from linkoracle.deduce import grade
from linkoracle.generate import MAKERS, Made, numberlink
from linkoracle.generate.looks import path_statistics


def timed(side: int, seeds: int, options: dict[str, Any]) -> tuple[list[Made], list[float]]:
    made, seconds = [], []
    for seed in range(seeds):
        started = time.process_time()
        made.append(numberlink(side, side, seed=seed, **options))
        seconds.append(time.process_time() - started)
    return made, seconds


def report(side: int, what: str, made: list[Made], seconds: list[float]) -> None:
    tried, repaired = sum(one.tried for one in made), sum(one.repaired for one in made)
    pairs = Counter(len(one.puzzle.pairs()) for one in made)
    print(
        f"{side}x{side} {what}: median {statistics.median(seconds):.3f} s, mean "
        f"{statistics.mean(seconds):.3f} s, longest {max(seconds):.3f} s; {len(made)} kept of "
        f"{tried} tried ({len(made) / tried:.0%}), {repaired} repairs; pairs "
        + ", ".join(f"{number} ({times}x)" for number, times in sorted(pairs.items())),
        flush=True,
    )


def appearance(made: list[Made]) -> None:
    seen = [path_statistics(one.solution) for one in made]
    names = ("links", "straight", "short", "turns", "cells")
    means = {name: statistics.mean(getattr(one, name) for one in seen) for name in names}
    print("  " + ", ".join(f"{name} {mean:.3g}" for name, mean in means.items()))
    labels = Counter(grade(one.puzzle).label for one in made)
    print("  " + ", ".join(f"{label} {number}" for label, number in labels.most_common()))


def histogram(made: list[Made]) -> None:
    lengths = Counter(len(path) for one in made for path in one.solution.paths())
    total = lengths.total()
    for low in range(1, max(lengths) + 1, 2):
        number = lengths[low] + lengths[low + 1]
        bar = "#" * round(60 * number / total)
        print(f"  {low:3}-{low + 1:<3} cells {number / total:6.1%} {bar}")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--sizes", default="8,10,12,15", help="Sides of the square boards.")
@click.option("--seeds", type=click.IntRange(min=1), default=20, help="Puzzles of each size.")
@click.option("--maker", type=click.Choice(MAKERS), default="links")
@click.option("--variant", type=click.Choice(["free", "fill"]), default="free")
@click.option("--symmetry", type=click.Choice(SYMMETRIES), default="none")
@click.option("--effort", type=click.IntRange(min=1), help="Conflicts before a board is dropped.")
@click.option("--repairs", type=click.IntRange(min=0), help="Repairs of one board.")
@click.option("--without-repair", is_flag=True, help="Measure that, too.")
@click.option("--check", is_flag=True, help="Decide every puzzle once more.")
def main(
    sizes: str,
    seeds: int,
    effort: int | None,
    repairs: int | None,
    without_repair: bool,
    check: bool,
    **options: Any,
) -> None:
    """Measure the Numberlink makers."""
    if effort:
        options["effort"] = effort
    for side in map(int, sizes.split(",")):
        made, seconds = timed(side, seeds, {**options, "repairs": repairs})
        report(side, "made", made, seconds)
        appearance(made)
        histogram(made)
        if check:
            assert all(linkoracle.decide(one.puzzle).unique for one in made)
            print(f"  all {len(made)} certified")
        if without_repair:
            report(side, "without repair", *timed(side, seeds, {**options, "repairs": 0}))


if __name__ == "__main__":
    main()
