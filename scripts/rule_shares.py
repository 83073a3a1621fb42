"""Measure how often each rule is used in published puzzles; write the two subsets of rules.

    python scripts/rule_shares.py --kind slitherlink puzzles.jsonl
    python scripts/rule_shares.py --kind slitherlink --write src/linkoracle/deduce/subsets.json \
        puzzles.jsonl

A *rule* is a technique, or a single pattern. Five in six steps are clue and dot arithmetic, which
every set of rules has; shares are those of the other steps. The subset *easy* has the rules with
over 5 % of these steps, *hard* those with over 1 %, for each kind measured. Also prints the labels
by size, and the guesses needed.
"""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter, defaultdict
from pathlib import Path

import click

from linkoracle.deduce import CATALOGUE, LABELS, Grade, grade
from linkoracle.deduce.rules import PATTERNS
from linkoracle.formats import read_all

SHARES = {"easy": 0.05, "hard": 0.01}
ALWAYS = ("clue", "dot")
#: Upper ends of the classes of sizes, in cells.
CLASSES = (99, 100, 249, 10**9)


def shares(grades: list[Grade]) -> dict[str, float]:
    """Return the share of each rule in the steps beyond arithmetic, the largest first."""
    patterns = {CATALOGUE[technique].name for technique in PATTERNS}
    counts: Counter[str] = Counter()
    for one in grades:
        counts.update({name: n for name, n in one.steps.items() if name not in patterns})
        counts.update(one.rules)
    for name in (*ALWAYS, "refuted", "either"):
        del counts[name]
    total = sum(counts.values())
    return {name: number / total for name, number in counts.most_common()}


@click.command()
@click.option("--kind", default="slitherlink", show_default=True)
@click.option("--max-depth", default=1, show_default=True)
@click.option("--write", type=click.Path(dir_okay=False, path_type=Path), help="Write the subsets.")
@click.argument("file")
def main(kind: str, max_depth: int, write: Path | None, file: str) -> None:
    """Grade every puzzle in FILE and print the techniques used."""
    entries = read_all(Path(file), kind=kind)
    grade(entries[0].puzzle, max_depth=max_depth)
    grades, seconds = [], defaultdict(list)
    by_class: dict[int, Counter[str]] = defaultdict(Counter)
    depths: dict[int, Counter[str]] = defaultdict(Counter)
    for entry in entries:
        started = time.process_time()
        found = grade(entry.puzzle, max_depth=max_depth)
        cells = entry.puzzle.rows * entry.puzzle.cols
        size = next(limit for limit in CLASSES if cells <= limit)
        seconds[size].append(time.process_time() - started)
        grades.append(found)
        by_class[size][found.label or found.status] += 1
        depths[size][str(found.depth) if found.label else found.status] += 1
    print(
        "| cells up to | puzzles | " + " | ".join([*LABELS, "gave up"]) + " | depth | median ms |"
    )
    print("| ---: " * (len(LABELS) + 5) + "|")
    for size in sorted(by_class):
        row = [by_class[size][label] for label in (*LABELS, "gave up")]
        needed = ", ".join(f"{depth}: {n}" for depth, n in sorted(depths[size].items()))
        median = statistics.median(seconds[size]) * 1e3
        print(
            f"| {size} | {sum(by_class[size].values())} | "
            + " | ".join(map(str, row))
            + f" | {needed} | {median:.2f} |"
        )
    found_shares = shares([one for one in grades if one.status != "no solution"])
    print()
    for name, share in found_shares.items():
        if share >= 0.005:
            print(f"{share:7.2%}  {name}")
    if write:
        subsets = {
            subset: [*ALWAYS, *(name for name, share in found_shares.items() if share > least)]
            for subset, least in SHARES.items()
        }
        of_kinds = json.loads(write.read_text(encoding="utf-8")) if write.exists() else {}
        text = json.dumps({**of_kinds, kind: subsets}, indent=1)
        write.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
