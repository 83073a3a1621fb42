"""Print the tables of docs/explanation/benchmarks.md on grades: guesses, boards, Loopy's.

    python scripts/grade_tables.py sizes puzzles.jsonl
    python scripts/grade_tables.py scores puzzles.jsonl
    python scripts/grade_tables.py links numberlinks.jsonl
    python scripts/grade_tables.py links --variant fill --max-depth 1 numberlinks.jsonl
    python scripts/grade_tables.py loopy --number 100

`sizes` solves the published puzzles of 10x10, 30x25 and 40x30 cells; `scores` are their scores by
label and by size, and how much a score changes when the puzzle is turned; `links` grades published
Numberlinks of a variant; `loopy` grades new puzzles of each level of `sgt-loopy`, from Debian's
package sgt-puzzles.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter
from pathlib import Path

import click

from linkoracle.deduce import CATALOGUE, LABELS, Grade, grade
from linkoracle.deduce.rules import CLUE, DOT
from linkoracle.formats import read_all
from linkoracle.kinds import Numberlink, Variant
from loopy_peer import LEVELS, made_by_loopy

SIZES = ((10, 10), (30, 25), (30, 40))
#: Puzzles of a size below which it has no row in `links`.
SEVERAL = 5


@click.group()
def main() -> None:
    """Print the tables of docs/explanation/benchmarks.md."""


@main.command()
@click.argument("file")
def sizes(file: str) -> None:
    """Print published puzzles by size: the depth that each needs, and the time."""
    entries = [
        (e.puzzle.rows, e.puzzle.cols, e.puzzle) for e in read_all(Path(file), kind="slitherlink")
    ]
    grade(entries[0][2], max_depth=2)
    print("| size | puzzles | no guess | depth 1 | depth 2 | gave up | median ms | slowest ms |")
    print("| ---: " * 8 + "|")
    for rows, cols in SIZES:
        times, depths = [], Counter[str]()
        for puzzle in (p for r, c, p in entries if {r, c} == {rows, cols}):
            started = time.perf_counter()
            found = grade(puzzle, max_depth=1)
            if found.status == "gave up":
                found = grade(puzzle, max_depth=2)
            times.append((time.perf_counter() - started) * 1e3)
            depths[str(found.depth) if found.label else found.status] += 1
        shown = " | ".join(str(depths[key]) for key in ("0", "1", "2", "gave up"))
        print(
            f"| {cols}x{rows} | {len(times)} | {shown} | {statistics.median(times):.1f} "
            f"| {max(times):.0f} |"
        )


def score_rows(grades: list[tuple[str, Grade]]) -> None:
    """Print a row for each name: the solved puzzles, and the distribution of their scores."""
    for name in dict.fromkeys(name for name, _ in grades):
        found = sorted(one.score for other, one in grades if other == name and one.score)
        if len(found) > 1:
            low, middle, high = statistics.quantiles(found, n=4, method="inclusive")
            row = (len(found), *map(round, (found[0], low, middle, high, found[-1])))
            print(f"| {name} | " + " | ".join(map(str, row)) + " |")


@main.command()
@click.argument("file")
@click.option("--sizes", "shown", default="5x5,6x6,7x7,8x8,10x10,15x15,20x20", show_default=True)
def scores(file: str, shown: str) -> None:
    """Print scores of published puzzles: those of 10x10 cells by label, then all by size."""
    entries = [entry.puzzle for entry in read_all(Path(file), kind="slitherlink")]
    titles = "puzzles | lowest | a quarter below | median | three quarters below | highest |"
    alike = [grade(puzzle) for puzzle in entries if (puzzle.rows, puzzle.cols) == (10, 10)]
    print(f"| label | {titles}\n| --- " + "| ---: " * 6 + "|")
    score_rows([(label, one) for label in LABELS for one in alike if one.label == label])
    print(f"\n| cells | {titles}\n| --- " + "| ---: " * 6 + "|")
    names = shown.split(",")
    sized = [(f"{one.cols}x{one.rows}", one) for one in entries]
    score_rows([(size, grade(one)) for name in names for size, one in sized if size == name])
    changes = [
        abs(turned / one.score - 1)
        for one, puzzle in zip(
            alike, (p for p in entries if (p.rows, p.cols) == (10, 10)), strict=True
        )
        if one.score and (turned := grade(puzzle.rotate()).score)
    ]
    print(f"\nturned: {statistics.median(changes):.1%} in the median, {max(changes):.0%} at most")


@main.command()
@click.argument("file")
@click.option("--most-cells", default=400, show_default=True, help="Leave out larger boards.")
@click.option("--variant", type=click.Choice([*Numberlink.variants]), default="free")
@click.option("--max-depth", default=2, show_default=True, help="How deep guesses may be nested.")
def links(file: str, most_cells: int, variant: Variant, max_depth: int) -> None:
    """Print published Numberlinks by size: milliseconds of processor time, with all SAT queries."""
    by_size: dict[tuple[int, int], list[Numberlink]] = {}
    for entry in read_all(Path(file), kind="numberlink", variant=variant):
        puzzle = entry.puzzle
        assert isinstance(puzzle, Numberlink)
        by_size.setdefault((puzzle.rows * puzzle.cols, puzzle.cols), []).append(puzzle)
    others = "gave up", "not unique", "no solution"
    names = " | ".join((*LABELS, *others))
    print(f"| size | puzzles | {names} | median ms | slowest ms |")
    print("| ---: " * (len(LABELS) + len(others) + 4) + "|")
    for (cells, cols), puzzles in sorted(by_size.items()):
        if cells > most_cells or len(puzzles) < SEVERAL:
            continue
        times, found = [], Counter[str]()
        for puzzle in puzzles:
            started = time.process_time()
            graded = grade(puzzle, max_depth=max_depth)
            times.append((time.process_time() - started) * 1e3)
            found[graded.label or graded.status] += 1
        shown = " | ".join(str(found[key]) for key in (*LABELS, *others))
        print(
            f"| {cells // cols}x{cols} | {len(puzzles)} | {shown} "
            f"| {statistics.median(times):.1f} | {max(times):.0f} |",
            flush=True,
        )


def beyond_arithmetic(one: Grade) -> int:
    """Return the steps that are neither clue nor dot arithmetic."""
    easy = (CATALOGUE[CLUE].name, CATALOGUE[DOT].name)
    return sum(number for name, number in one.steps.items() if name not in easy)


@main.command()
@click.option("--number", default=100, show_default=True, help="Puzzles of each level.")
@click.option("--size", default=10, show_default=True, help="Cells along each side.")
def loopy(number: int, size: int) -> None:
    """Print the puzzles that Loopy makes at each of its levels."""
    print(
        "| level | " + " | ".join(LABELS) + " | gave up | mean label | mean score | steps "
        "| beyond arithmetic |"
    )
    print("| --- |" + " ---: |" * (len(LABELS) + 5))
    by_label: dict[str, list[tuple[int, Grade]]] = {label: [] for label in LABELS}
    for rank, (level, name) in enumerate(LEVELS.items(), start=1):
        made = made_by_loopy(number, f"{size}x{size}t0d{level}")
        grades = [grade(entry.puzzle) for entry in read_all(made, kind="slitherlink")]
        labels = Counter(one.label or one.status for one in grades)
        solved = [one for one in grades if one.label]
        mean = statistics.mean(LABELS.index(str(one.label)) for one in solved)
        for one in solved:
            by_label[str(one.label)].append((rank, one))
        print(
            f"| {name} | "
            + " | ".join(str(labels[label]) for label in (*LABELS, "gave up"))
            + f" | {mean:.2f} | {statistics.mean(one.score or 0 for one in solved):.0f} "
            f"| {statistics.mean(one.total for one in solved):.0f} "
            f"| {statistics.mean(map(beyond_arithmetic, solved)):.1f} |"
        )
    print(
        "\n| our label | puzzles | mean level of Loopy (1-4) | mean score "
        "| steps beyond arithmetic |"
    )
    print("| --- | ---: | ---: | ---: | ---: |")
    for label, members in by_label.items():
        if members:
            level_mean = statistics.mean(rank for rank, _ in members)
            steps = statistics.mean(beyond_arithmetic(one) for _, one in members)
            points = statistics.mean(one.score or 0 for _, one in members)
            print(f"| {label} | {len(members)} | {level_mean:.2f} | {points:.0f} | {steps:.1f} |")


if __name__ == "__main__":
    main()
