"""Compare the time to make a Slitherlink of a given grade and one without: ratios of medians.

    python scripts/bench_grades.py
    python scripts/bench_grades.py --sizes 10 --seeds 5 --only easy,extreme

From the seed to the certified puzzle, in this process, after one puzzle of each kind to warm up;
every seed is made without a grade first, then at each grade in turn, so that another load on the
machine meets all. Milliseconds of processor time, the clues of the puzzles, and how many of them
have exactly the requested label.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import click

from linkoracle.deduce import LABELS, SUBSETS, grade, within
from linkoracle.generate import MadeSlitherlink, slitherlink

#: The options of each row, by name.
KINDS: dict[str, Callable[[], dict[str, object]]] = {
    "none": dict,
    **{label: lambda label=label: {"keeps": within(label, least=label)} for label in LABELS},
    **{f"rules {name}": lambda name=name: {"keeps": within(subset=name)} for name in SUBSETS},
}


def measured(size: int, seed: int, kind: str) -> tuple[float, MadeSlitherlink]:
    """Return the processor time, and the puzzle."""
    started = time.process_time()
    made = slitherlink(size, size, seed=seed, **KINDS[kind]())  # type: ignore[arg-type]
    return time.process_time() - started, made


@click.command()
@click.option("--sizes", default="10,15,20", help="Sides of the boards.")
@click.option("--seeds", default=20, help="Boards of each size.")
@click.option("--only", default=",".join(KINDS), help="Rows, besides the one without a grade.")
def main(sizes: str, seeds: int, only: str) -> None:
    """Print a table: a row for each size and grade."""
    kinds = ["none", *(kind for kind in only.split(",") if kind != "none")]
    for kind in kinds:
        measured(6, 0, kind)
    print("| cells | grade | median ms | slowest ms | ratio | clues | of that label |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for size in map(int, sizes.split(",")):
        rows = [[measured(size, seed, kind) for kind in kinds] for seed in range(seeds)]
        for kind, column in zip(kinds, zip(*rows, strict=True), strict=True):
            times = [seconds for seconds, _ in column]
            base = [row[0][0] for row in rows]
            ratio = statistics.median(times) / statistics.median(base)
            clues = statistics.median(len(list(made.puzzle.clue_cells())) for _, made in column)
            shown = ""
            if kind in LABELS:
                labels = [
                    grade(
                        made.puzzle,
                    ).label
                    for _, made in column
                ]
                shown = f"{labels.count(kind)}/{seeds}"
            print(
                f"| {size}x{size} | {kind} | {statistics.median(times) * 1e3:.0f} "
                f"| {max(times) * 1e3:.0f} | {ratio:.2f} | {clues:.0f} | {shown} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
