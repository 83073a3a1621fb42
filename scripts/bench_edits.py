"""Measure an edit of a clue: a session that keeps its solver, and a fresh solver each time.

    python scripts/bench_edits.py CORPUS
    python scripts/bench_edits.py CORPUS --sizes 10,20,30,40 --kinds slitherlink,masyu

CORPUS is a folder of published puzzles, a file of JSON records for each kind, as
`tests/kinds/corpora.py` reads them. On boards of up to 100 cells, the largest first, a clue is
removed or put back, and the uniqueness of the board is decided. Prints milliseconds of processor
time for each edit, by kind: building the model, which both ways do; a query of the session, which
keeps its solver; a query of a fresh `Oracle`; and the longest edit. Then the time of the session to
find a contradiction after a clue was changed, and the redundant clues.

With --sizes, puzzles of about so many cells a side, made ones if none of a Slitherlink is
published: the median of the first answer, and of those after one clue was removed, each by the
session and by `linkoracle.decide` from scratch, with the model; and the median of their ratios.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import click

from linkoracle import Oracle, Session, decide, generate
from linkoracle.core import PuzzleError
from linkoracle.kinds import KINDS

ROOT = Path(__file__).resolve().parents[1]


def edits(puzzle: Any, rng: Random, number: int, took: dict[str, list[float]]) -> None:
    """Remove clues and put them back; note the times of each way."""
    clues = dict(puzzle.clue_cells())
    left = dict(clues)
    with Session(puzzle) as session:
        session.ask()
        for _ in range(number):
            gone = [cell for cell in clues if cell not in left]
            cell = rng.choice(gone if len(gone) > 4 else list(clues))
            change = {cell: None if cell in left else clues[cell]}
            left = {one: clues[one] for one in clues if (one in left) != (one == cell)}
            start = time.process_time()
            session.set(change)
            model = session.puzzle.model
            built = time.process_time()
            kept = session.ask().status
            answered = time.process_time()
            with Oracle(model) as fresh:
                status = fresh.ask().status
            ended = time.process_time()
            assert kept == status, (puzzle, left)
            for name, seconds in (
                ("model", built - start),
                ("kept", answered - built),
                ("fresh", ended - answered),
            ):
                took[name].append(seconds)


def explained(puzzle: Any, rng: Random, took: dict[str, list[float]]) -> None:
    """Note the time of a core after a clue got another cell's value, and of all redundant clues."""
    with Session(puzzle) as session:
        start = time.process_time()
        session.redundant()
        took["redundant"].append(time.process_time() - start)
        for cell in rng.sample(list(session.clues), min(8, len(session.clues))):
            try:
                session.set({cell: rng.choice(list(session.clues.values()))})
            except PuzzleError:
                continue
            start = time.process_time()
            if session.core().status == "none":
                took["core"].append(time.process_time() - start)
            session.undo()


def against_scratch(name: str, size: int, some: list[Any], number: int) -> None:
    """Print the medians of first answers, and of those after a clue was removed."""
    took: dict[str, list[float]] = defaultdict(list)
    for puzzle in some:
        start = time.process_time()
        # A copy without the model that is on the puzzle.
        decide(puzzle.rotate(0).reflect().reflect())
        middle = time.process_time()
        with Session(puzzle) as session:
            status = session.ask().status
            took["first"].append(time.process_time() - middle)
            took["first, scratch"].append(middle - start)
            cells = list(session.clues)
            for cell in Random(2).sample(cells, min(number, len(cells))):
                start = time.process_time()
                try:
                    status = session.ask({cell: None}).status
                except PuzzleError:
                    continue
                middle = time.process_time()
                # From the clues alone, as if there were no session.
                scratch = decide(session.board.query({cell: None}).held.full_model()).status
                took["scratch"].append(time.process_time() - middle)
                took["kept"].append(middle - start)
                assert status == scratch, (puzzle, cell)
    ratios = [kept / other for kept, other in zip(took["kept"], took["scratch"], strict=True)]
    times = [f"{1000 * statistics.median(took[what]):.2f}" for what in sorted(took)]
    print(name, f"{size}x{size}", *times, f"{statistics.median(ratios):.2f}", sep=" | ", flush=True)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--puzzles", default=6, help="Puzzles of each kind.")
@click.option("--edits", "number", default=40, help="Edits of each puzzle.")
@click.option("--sizes", help="Compare with deciding from scratch, at these sizes.")
@click.option("--kinds", help="Only these kinds, for --sizes.")
def main(folder: Path, puzzles: int, number: int, sizes: str | None, kinds: str | None) -> None:
    """Print the table."""
    sys.path.insert(0, str(ROOT))
    from tests.kinds import corpora

    corpora.CORPUS = folder
    if sizes is not None:
        print("kind | size | first ms | first, scratch | kept | scratch | ratio")
        for name in kinds.split(",") if kinds else KINDS:
            if name == "numberlink" or not (folder / f"{name}.jsonl").is_file():
                continue
            every = [record.puzzle for record in corpora.records(name)]
            for size in map(int, sizes.split(",")):
                some = [one for one in every if 0.7 < one.rows * one.cols / size**2 < 1.4]
                Random(1).shuffle(some)
                if not some and name == "slitherlink":
                    some = [generate.slitherlink(size, size, seed=1).puzzle]
                if some:
                    against_scratch(name, size, some[:puzzles], number)
        return
    print("kind | edits | model ms | kept ms | most | fresh ms | most | core ms | redundant ms")
    for name, kind in KINDS.items():
        loops = kind.through_cells and kind.variants.keys() == {"loop"}
        if not loops or not (folder / f"{name}.jsonl").is_file():
            continue
        rng = Random(1)
        some = [record.puzzle for record in corpora.records(name)]
        some = [one for one in some if one.rows * one.cols <= 100 and any(one.clue_cells())]
        some.sort(key=lambda one: -one.rows * one.cols)
        took: dict[str, list[float]] = defaultdict(list)
        for puzzle in some[:puzzles]:
            edits(puzzle, rng, number, took)
            explained(puzzle, rng, took)
        if not took:
            continue

        def mean(what: str, took: dict[str, list[float]] = took) -> str:
            times = took[what]
            return f"{1000 * sum(times) / len(times):.1f}" if times else "-"

        most = {what: f"{1000 * max(took[what]):.0f}" for what in ("kept", "fresh")}
        cells = [name, len(took["kept"]), mean("model"), mean("kept"), most["kept"]]
        cells += [mean("fresh"), most["fresh"], mean("core"), mean("redundant")]
        print(" | ".join(map(str, cells)), flush=True)


if __name__ == "__main__":
    main()
