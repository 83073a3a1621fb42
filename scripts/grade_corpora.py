"""Grade published puzzles of all kinds: how each kind is solved, how fast, and its labels.

    python scripts/grade_corpora.py FOLDER
    python scripts/grade_corpora.py FOLDER --kinds yajilin,masyu --most-cells 200 --every 3
    python scripts/grade_corpora.py FOLDER --write grades.jsonl

FOLDER has a file ``KIND.jsonl`` for each kind, which `tests/kinds/corpora.py` reads. Prints a table
with a row for each kind, another with a row for each size of a kind, and the labels. Puzzles are
sorted by what the hardest of their steps is: *without trial*; a *trial* of up to 5 steps; a
*longer* trial; a *guess*, or a refuted one. *Late facts* is the share of all facts that come from
longer trials. Times are processor times. ``--write`` appends a line for each puzzle to a file, and
a puzzle that is there already is not graded again; `scripts/grade_fit.py` reads that file.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from linkoracle import SearchTimeout
from linkoracle.deduce import LABELS, deduced
from linkoracle.kinds import KINDS, Puzzle

ROOT = Path(__file__).resolve().parents[1]
#: A trial with more steps is a long one.
LONG = 5
#: Techniques of guesses: where patterns apply, also refuted ones.
GUESSES = ("guess", "refuted", "either")
#: What the hardest step of a puzzle may be, the easiest first.
CLASSES = ("without trial", f"trial to {LONG}", "longer", "guess")


@dataclass(frozen=True)
class Graded:
    """A graded puzzle, in numbers.

    ``squares`` is the sum of the squares of all costs; ``longest`` the number of steps of the
    longest trial, ``late`` the number of facts that come from trials with more than `LONG` steps.
    """

    kind: str
    name: str
    size: str
    cells: int
    edges: int
    status: str
    label: str | None
    score: int | None
    squares: float
    steps: int
    facts: int
    late: int
    longest: int
    trials: int
    guesses: int
    seconds: float

    @property
    def hardest(self) -> str | None:
        """One of `CLASSES`; ``None`` for a puzzle that is not graded."""
        if self.score is None:
            return None
        place = 3 if self.guesses else 2 if self.longest > LONG else 1 if self.trials else 0
        return CLASSES[place]


def graded(kind: str, name: str, puzzle: Puzzle, timeout: float) -> Graded:
    """Grade a puzzle; one that takes longer than ``timeout`` seconds has the status "too long"."""
    tiling = puzzle.tiling
    size = f"{puzzle.rows}x{puzzle.cols}" if tiling is None else tiling.words
    cells = puzzle.rows * puzzle.cols if tiling is None else tiling.num_faces
    about = kind, name, size, cells, puzzle.board.num_edges
    started = time.process_time()
    try:
        found = deduced(puzzle, timeout)
    except SearchTimeout:
        return Graded(*about, "too long", None, None, 0, 0, 0, 0, 0, 0, 0, timeout)
    seconds = time.process_time() - started
    path, grade = found.path(), found.grade
    trials = [step for step in path if step.technique == "trial"]
    return Graded(
        *about,
        status=grade.status,
        label=grade.label,
        score=grade.score,
        squares=sum(step.cost**2 for step in path),
        steps=len(path),
        facts=sum(step.facts for step in path),
        late=sum(step.facts for step in trials if step.length > LONG),
        longest=max((step.length for step in trials), default=0),
        trials=len(trials),
        guesses=sum(step.technique in GUESSES for step in path),
        seconds=seconds,
    )


def published(
    kinds: Iterable[str], folder: Path, most_cells: int = 400, every: int = 1
) -> Iterator[tuple[str, str, Puzzle]]:
    """Yield kind, name and puzzle of published puzzles, the smallest boards of a kind first."""
    sys.path.insert(0, str(ROOT))
    from tests.kinds import corpora

    corpora.CORPUS = folder
    for kind in kinds:
        records = list(corpora.records(kind))
        records.sort(key=lambda record: record.puzzle.rows * record.puzzle.cols)
        for record in records[::every]:
            if record.puzzle.rows * record.puzzle.cols <= most_cells:
                yield kind, record.name, record.puzzle


def kept(file: Path | None) -> list[Graded]:
    """Return the grades in a file; none if there is no such file."""
    if file is None or not file.is_file():
        return []
    return [Graded(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def all_graded(
    puzzles: Iterable[tuple[str, str, Puzzle]], timeout: float, file: Path | None
) -> Iterator[Graded]:
    """Yield grades of puzzles, which have a kind and a name: new ones are added to the file."""
    before = {(one.kind, one.name): one for one in kept(file)}
    for kind, name, puzzle in puzzles:
        one = before.get((kind, name)) or graded(kind, name, puzzle, timeout)
        if file is not None and (kind, name) not in before:
            with file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(asdict(one)) + "\n")
        yield one


def row(title: str, some: Sequence[Graded]) -> str:
    """Return a row of the tables."""
    solved = Counter(one.hardest for one in some if one.hardest)
    facts = sum(one.facts for one in some) or 1
    times = [one.seconds * 1e3 for one in some]
    labels = Counter(one.label for one in some)
    cells = (
        len(some),
        sum(solved.values()),
        *(solved[name] for name in CLASSES),
        f"{sum(one.late for one in some) / facts:.1%}",
        f"{statistics.median(times):.0f}",
        f"{max(times):.0f}",
        *(labels[label] for label in LABELS),
    )
    return f"| {title} | " + " | ".join(map(str, cells)) + " |"


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--kinds", help="Names of kinds, with commas between; by default all with a file.")
@click.option("--most-cells", default=400, show_default=True, help="Leave out larger boards.")
@click.option("--every", default=1, show_default=True, help="Take every so many-th puzzle.")
@click.option("--timeout", default=20.0, show_default=True, help="Seconds for a puzzle.")
@click.option("--write", type=click.Path(path_type=Path), help="Keep the grades in this file.")
def main(
    folder: Path, kinds: str | None, most_cells: int, every: int, timeout: float, write: Path | None
) -> None:
    """Print the tables."""
    names = kinds.split(",") if kinds else [*KINDS]
    names = [name for name in names if (folder / f"{name}.jsonl").is_file()]
    some = list(all_graded(published(names, folder, most_cells, every), timeout, write))
    heads = "puzzles", "graded", *CLASSES, "late facts", "median ms", "slowest ms", *LABELS
    for what in ("kind", "kind and size"):
        groups = defaultdict(list)
        for one in some:
            size = f" {one.size}" if what != "kind" else ""
            groups[one.kind + size].append(one)
        print(f"| {what} | {' | '.join(heads)} |\n| --- " + "| ---: " * len(heads) + "|")
        for title, members in groups.items():
            print(row(title, members))
        print()


if __name__ == "__main__":
    main()
