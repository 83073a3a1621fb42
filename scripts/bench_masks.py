"""Measure how often, and how fast, a loop is found that a mask of clues makes unique.

    python scripts/bench_masks.py
    python scripts/bench_masks.py --seeds 1 --only heart
    python scripts/bench_masks.py --draw frame

The set: hearts, letters, frames, rings, checkerboards, stripes, diagonals and crosses on boards of
7x7 to 20x20 cells. A mask counts as filled if that took at most ten seconds of processor time, new
loops included; other programs on the machine hardly change that.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import click

from linkoracle.core import NothingFound, SearchTimeout
from linkoracle.generate import SlitherlinkRequest, slitherlink

Mask = list[str]

HEART = [".##.##.", "#..#..#", "#.....#", "#.....#", ".#...#.", "..#.#..", "...#..."]

LETTERS = {
    "A": ".###. #...# #...# ##### #...# #...# #...#",
    "B": "####. #...# #...# ####. #...# #...# ####.",
    "E": "##### #.... #.... ####. #.... #.... #####",
    "H": "#...# #...# #...# ##### #...# #...# #...#",
    "S": ".#### #.... #.... .###. ....# ....# ####.",
    "T": "##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#..",
    "X": "#...# #...# .#.#. ..#.. .#.#. #...# #...#",
    "8": ".###. #...# #...# .###. #...# #...# .###.",
}


def square(size: int, marked: Callable[[int, int], bool]) -> Mask:
    """Return the cells of a square board for which ``marked`` is true."""
    side = range(size)
    return ["".join("#" if marked(row, col) else "." for col in side) for row in side]


def depth(size: int, row: int, col: int) -> int:
    """Return the distance of a cell from the border."""
    return min(row, col, size - 1 - row, size - 1 - col)


def filled(mask: Mask) -> Mask:
    """Return all cells of a row between the first and the last with a clue."""
    rows = [(row, row.find("#"), row.rfind("#")) for row in mask]
    return ["." * first + "#" * (last - first + 1) + row[last + 1 :] for row, first, last in rows]


def doubled(mask: Mask) -> Mask:
    """Return a mask with four cells for each."""
    return ["".join(mark * 2 for mark in row) for row in mask for _ in range(2)]


def framed(mask: Mask) -> Mask:
    """Return a mask with a frame of blank cells."""
    blank = "." * (len(mask[0]) + 2)
    return [blank, *(f".{row}." for row in mask), blank]


def masks() -> dict[str, Mask]:
    """Return all masks of the set by name."""
    found = {
        "heart": HEART,
        "heart, solid": filled(HEART),
        "heart, solid, doubled": doubled(filled(HEART)),
        "heart, doubled": doubled(HEART),
    }
    for letter, picture in LETTERS.items():
        found[f"letter {letter}"] = picture.split()
        found[f"letter {letter}, framed"] = framed(picture.split())
    for letter in "ABEH":
        found[f"letter {letter}, doubled"] = framed(doubled(LETTERS[letter].split()))
    for n in (7, 10, 15, 20):
        found[f"frame {n}"] = square(n, lambda row, col, n=n: depth(n, row, col) == 0)
        found[f"rings {n}"] = square(n, lambda row, col, n=n: depth(n, row, col) % 2 == 0)
        found[f"checkerboard {n}"] = square(n, lambda row, col: (row + col) % 2 == 0)
        found[f"stripes {n}"] = square(n, lambda row, _: row % 2 == 0)
        found[f"diagonals {n}"] = square(n, lambda row, col: (row + col) % 3 == 0)
    found["cross 9"] = square(9, lambda row, col: 4 in (row, col))
    found["diagonal cross 9"] = square(9, lambda row, col: row in (col, 8 - col))
    return found


def seconds_to_fill(mask: Mask, seed: int, limit: float) -> float | None:
    """Return the processor time until a loop is found; ``None`` past the limit."""
    must = [(row, col) for row, line in enumerate(mask) for col, m in enumerate(line) if m == "#"]
    request = SlitherlinkRequest(len(mask), len(mask[0]), strategy="mask", must=must, tries=1)
    started, index = time.process_time(), 0
    while (spent := time.process_time() - started) < limit:
        try:
            # The timeout is wall time, which runs on while other programs work.
            slitherlink(request, seed=seed, index=index, timeout=10 * limit)
        except NothingFound:
            index += 1
        except SearchTimeout:
            return None
        else:
            spent = time.process_time() - started
            return spent if spent <= limit else None
    return None


@click.command()
@click.option("--seeds", default=3, help="Puzzles of each mask.")
@click.option("--limit", default=10.0, help="Seconds of processor time for each puzzle.")
@click.option("--only", default="", help="Only masks with this in their names.")
@click.option("--draw", is_flag=True, help="Print the masks instead.")
def main(seeds: int, limit: float, only: str, *, draw: bool) -> None:
    """Print a table: a row for each mask, and how many were filled in all."""
    chosen = {name: mask for name, mask in masks().items() if only in name}
    if draw:
        click.echo("\n\n".join("\n".join([name, *mask]) for name, mask in chosen.items()))
        return
    print("| mask | cells | clues | filled | median s |")
    print("| --- | --- | ---: | ---: | ---: |")
    whole = 0
    for name, mask in chosen.items():
        times = [seconds_to_fill(mask, seed, limit) for seed in range(1, seeds + 1)]
        done = sorted(spent for spent in times if spent is not None)
        whole += len(done) == seeds
        size, clues = f"{len(mask)}x{len(mask[0])}", sum(line.count("#") for line in mask)
        median = f"{statistics.median(done):.2f}" if done else ""
        print(f"| {name} | {size} | {clues} | {len(done)}/{seeds} | {median} |", flush=True)
    print(f"\n{whole} of {len(chosen)} masks were filled with every seed.")


if __name__ == "__main__":
    main()
