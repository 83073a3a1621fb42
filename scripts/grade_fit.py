"""Fit the scale of scores of each kind to published puzzles, and write the constants.

    python scripts/grade_fit.py FOLDER --grades grades.jsonl
    python scripts/grade_fit.py FOLDER --grades grades.jsonl --stars stars.tsv
    python scripts/grade_fit.py FOLDER --write src/linkoracle/deduce/scales.json

FOLDER and the file of grades are those of `scripts/grade_corpora.py`. A score is a line through the
logarithm of the effort, with a bend where a label begins: see `linkoracle.deduce.grades`. Of the
published puzzles of a kind that need no guess, weighted so that no size rules, `SHARES` are easy,
up to normal, and so on. Kinds without published puzzles are fitted to generated ones. So is
``other``, the scale of other boards than squares, and of kinds of your own. Prints for each kind
its constants, its puzzles by label, and for a file with ``stars<TAB>URL`` a line the rank
correlation (Spearman's) of stars and scores.
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, product
from pathlib import Path

import click

from grade_corpora import Graded, all_graded, graded, published
from linkoracle import FormatError, generate, read
from linkoracle.boards import named
from linkoracle.core import LABELS
from linkoracle.deduce.grades import Scale, scale_with
from linkoracle.generate import made_kinds
from linkoracle.kinds import KINDS, Puzzle

#: The shares of puzzles without guesses that are easier than normal, tricky, hard and extreme.
SHARES = 0.25, 0.65, 0.8, 0.92
#: The least span of a label in efforts, so that puzzles that differ little have one label.
NARROWEST = 0.1
#: Kinds on squares whose scale is that of patterns.
PATTERNS = "slitherlink", "numberlink"
#: Seconds for a puzzle.
TIMEOUT = 20.0
#: Sizes of generated puzzles, and seeds of each.
SIZES, SEEDS = (6, 8, 10), 10
#: Boards of generated Slitherlinks for the scale ``other``.
BOARDS = "honeycomb 6 6", "triangular 7 7", "cairo 5 5", "snub_square 5 5"


def generated(kind: str) -> Iterator[tuple[str, str, Puzzle]]:
    """Yield kind, name and puzzle of generated ones: ``other`` are Slitherlinks on other boards."""
    if kind == "other":
        for words, seed in product(BOARDS, range(SEEDS)):
            made = generate.slitherlink(named(words), seed=seed)
            yield kind, f"{words} {seed}", made.puzzle
        return
    for size, seed in product(SIZES, range(SEEDS)):
        yield kind, f"{size} {seed}", generate.puzzle(kind, size, size, seed=seed).puzzle


def quantile(values: Sequence[tuple[float, float]], share: float) -> float:
    """Return the least value up to which the weights, which stand second, are that share."""
    reached, total = 0.0, sum(weight for _, weight in values)
    for value, weight in sorted(values):
        reached += weight
        if reached >= share * total:
            return value
    raise ValueError("no values")


def fitted(some: Sequence[Graded]) -> Scale:
    """Return the scale on which the shares of puzzles without guesses are as wanted."""
    sizes = Counter(one.cells for one in some)
    blank = scale_with((0, 1))
    efforts = [(blank.effort_of(one.squares, one.edges), sizes[one.cells] ** -0.5) for one in some]
    cuts = [quantile(efforts, share) for share in SHARES]
    for place in range(1, len(cuts)):
        cuts[place] = max(cuts[place], cuts[place - 1] + NARROWEST)
    # The easiest puzzle scores 0, and the hardest is as far from guesses.
    low, high = (end(efforts)[0] for end in (min, max))
    cuts = [min(low, cuts[0] - NARROWEST), *cuts, max(high, cuts[-1] + NARROWEST)]
    return scale_with(round(cut, 2) for cut in cuts)


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value; equal ones share theirs."""
    order = sorted(values)
    return [order.index(value) + (order.count(value) - 1) / 2 for value in values]


def spearman(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return the rank correlation; ``None`` where all values of a side are equal.

    >>> spearman([1, 2, 2, 4], [10, 20, 20, 50])
    1.0
    """
    if len(set(one)) < 2 or len(set(other)) < 2:
        return None
    return round(statistics.correlation(ranks(one), ranks(other)), 6)


def starred(file: Path, scales: dict[str, Scale]) -> Iterator[str]:
    """Yield a row for each kind: the rank correlation of stars and scores."""
    orders = defaultdict(list)
    for line in file.read_text(encoding="utf-8").splitlines():
        stars, _, url = line.partition("\t")
        if stars.isdigit():
            try:
                puzzle = read(url)
            except FormatError as error:
                print(f"left out: {url}: {error}")
                continue
            found = graded(puzzle.kind, url, puzzle, TIMEOUT)
            if found.score is not None:
                orders[puzzle.kind].append((int(stars), score(found, scales)))
    for kind, pairs in orders.items():
        stars, scores = zip(*pairs, strict=True)
        listed = ", ".join(f"{one}: {points}" for one, points in sorted(pairs))
        yield f"| {kind} | {len(pairs)} | {spearman(stars, scores)} | {listed} |"


def score(one: Graded, scales: dict[str, Scale]) -> int:
    """Return the score of a graded puzzle on its scale; that of patterns stays as it is."""
    if one.kind in PATTERNS and one.score is not None:
        return one.score
    scale = scales[one.kind]
    return scale.score(scale.effort_of(one.squares, one.edges), guessed=one.guesses > 0)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--grades", type=click.Path(path_type=Path), help="Keep the grades in this file.")
@click.option("--most-cells", default=400, show_default=True, help="Leave out larger boards.")
@click.option("--stars", type=click.Path(exists=True, path_type=Path), help="Puzzles with stars.")
@click.option("--write", type=click.Path(path_type=Path), help="Write the constants to this file.")
def main(
    folder: Path, grades: Path | None, most_cells: int, stars: Path | None, write: Path | None
) -> None:
    """Print the tables, and write the constants."""
    names = [name for name in KINDS if (folder / f"{name}.jsonl").is_file()]
    others = ["other", *(kind for kind in made_kinds() if kind not in names)]
    puzzles = chain(published(names, folder, most_cells), *map(generated, others))
    by_kind = defaultdict(list)
    for one in all_graded(puzzles, TIMEOUT, grades):
        by_kind[one.kind].append(one)
    scales = {}
    print("| kind | puzzles | efforts at which labels begin | " + " | ".join(LABELS) + " |")
    print("| --- | ---: | --- " + "| ---: " * len(LABELS) + "|")
    for kind, members in by_kind.items():
        solved = [one for one in members if one.score is not None]
        shown = "| as for patterns "
        if kind not in PATTERNS:
            scales[kind] = fitted([one for one in solved if not one.guesses])
            shown = "| " + ", ".join(f"{cut:.2f}" for cut in scales[kind].cuts) + " "
        labels = Counter(min(6, score(one, scales) // 100) for one in solved)
        cells = " | ".join(str(labels[place]) for place in range(len(LABELS)))
        print(f"| {kind} | {len(members)} {shown}| {cells} |")
    if write is not None:
        lines = (f'"{kind}": {list(scale.cuts)}' for kind, scale in sorted(scales.items()))
        write.write_text("{\n " + ",\n ".join(lines) + "\n}\n", encoding="utf-8")
    if stars is not None:
        print(
            "\n| kind | puzzles | rank correlation | stars: scores |\n| --- | ---: | ---: | --- |"
        )
        for line in starred(stars, scales):
            print(line)


if __name__ == "__main__":
    main()
