"""Write the census tables of small boards into a folder.

* ``slitherlink_boards.csv``, ``numberlink_boards.csv``: how many puzzles each board has;
* ``slitherlink.csv``, ``numberlink.csv``: the same by number of clues, or of pairs;
* ``sequences.txt``: rows and diagonals of these tables in the form of the OEIS, and whether they
  are known to be in it;
* ``slitherlink.png``, ``numberlink.png``: plots (left out with ``--no-plots``); they need
  ``pip install 'linkoracle[plots]'``.

Every board that should take less than ``--seconds`` is counted. For each number of rows, boards get
longer until one would take more. The numbers of loops are compared with A231829; the program ends
with status 1 if they differ.

With ``--runs FOLDER`` each Slitherlink board is a run kept in FOLDER (``5x5.sqlite`` and so on).
Runs found there are read or resumed, however long they take.

    python scripts/census_tables.py --output tables --seconds 60
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from linkoracle.census import VARIANTS, BoardCensus, BoardRun, instances
from linkoracle.core import LinkOracleError, atomic_write, parse_size

Board = tuple[int, int]

#: Rows of A231829, by rows of cells, from one column on: the terms that its page shows.
A231829 = {
    1: (1, 3, 6, 10, 15, 21, 28, 36, 45, 55),
    2: (3, 13, 40, 108, 275, 681, 1664, 4040, 9779),
    3: (6, 40, 213, 1049, 5034, 23984, 114069, 542295),
    4: (10, 108, 1049, 9349, 80626, 692194, 5948291),
    5: (15, 275, 5034, 80626, 1222363, 18438929, 279285399),
}
#: The columns of a Slitherlink table, by field of `BoardCensus`.
COLUMNS = {
    "puzzles": "puzzles",
    "minimal": "minimal",
    "puzzle_classes": "up to symmetry",
    "minimal_classes": "minimal up to symmetry",
}
#: The longest board of one or two rows: beyond, tables only get longer.
LONGEST = 12


class Mismatch(Exception):
    """Raised if a number differs from a known one."""


def count_boards(seconds: float, runs: Path | None, memory: int | None) -> dict[Board, BoardCensus]:
    """Return the Slitherlink censuses that take less than ``seconds`` each, or are in ``runs``."""
    found = {}
    for rows in range(1, 6):
        for cols in range(rows, LONGEST + 1):
            path = None if runs is None else runs / f"{rows}x{cols}.sqlite"
            known = path is not None and path.exists()
            if not known and (rows * cols > 30 or expected_seconds(rows, cols) > seconds):
                break
            start = time.perf_counter()
            with BoardRun(rows, cols, path=path, resume=True, memory=memory) as run:
                run.work()
                census = run.census()
            print(f"Slitherlink {rows}x{cols}: {time.perf_counter() - start:.1f} s", flush=True)
            check_loops(census)
            found[rows, cols] = census
    return found


def expected_seconds(rows: int, cols: int) -> float:
    """Return a forecast from the comparisons of loops with loops, and the words of the bitsets."""
    from linkoracle.board import Lattice, LinkModel
    from linkoracle.frontier import count

    loops = count(LinkModel.blank_loop(Lattice(rows + 1, cols + 1)))
    classes = loops / (8 if rows == cols else 4)
    return classes * (1.2e-9 * loops + 8e-9 * 2 ** max(0, rows * cols - 6))


def check_loops(census: BoardCensus) -> None:
    known = A231829.get(census.rows, ())
    if census.cols <= len(known) and known[census.cols - 1] != census.loops:
        raise Mismatch(
            f"{census.rows}x{census.cols} has {census.loops} loops, "
            f"A231829 has {known[census.cols - 1]}"
        )


def count_instances(seconds: float, memory: int | None) -> dict[str, dict[Board, dict[int, int]]]:
    """Return Numberlink instances by variant and board that should take less than ``seconds``."""
    found: dict[str, dict[Board, dict[int, int]]] = {}
    for variant in VARIANTS:
        boards = found[variant] = {}
        for rows in range(1, 6):
            for cols in range(max(2, rows), LONGEST + 1):
                # A forecast that fits boards from 4x4 to 5x5 cells.
                if rows * cols > 30 or 3.2e-6 * 1.5 ** (rows * cols) * 3**rows > seconds:
                    break
                start = time.perf_counter()
                boards[rows, cols] = instances(rows, cols, variant, memory=memory).by_pairs()
                taken = time.perf_counter() - start
                print(f"Numberlink {rows}x{cols}, {variant}: {taken:.1f} s", flush=True)
    return found


# ---- tables ----


def csv_text(headings: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return file.getvalue()


def fewest(numbers: tuple[int, ...]) -> int | str:
    return next((clues for clues, number in enumerate(numbers) if number), "")


def most(numbers: tuple[int, ...]) -> int | str:
    return next((c for c in reversed(range(len(numbers))) if numbers[c]), "")


def slitherlink_boards(boards: dict[Board, BoardCensus]) -> str:
    headings = ["board", "loops", "unclueable loops", *COLUMNS.values()]
    headings += ["fewest clues", "most clues, minimal"]
    rows = [
        [
            f"{rows}x{cols}",
            census.loops,
            census.unclueable,
            *(sum(getattr(census, column)) for column in COLUMNS),
            fewest(census.puzzles),
            most(census.minimal),
        ]
        for (rows, cols), census in boards.items()
        if rows > 1
    ]
    return csv_text(headings, rows)


def numberlink_boards(found: dict[str, dict[Board, dict[int, int]]]) -> str:
    boards = dict.fromkeys(board for numbers in found.values() for board in numbers if board[0] > 1)
    rows = [
        [
            "x".join(map(str, board)),
            *(sum(one[board].values()) if board in one else "" for one in found.values()),
        ]
        for board in boards
    ]
    return csv_text(["board", *found], rows)


def slitherlink_csv(boards: dict[Board, BoardCensus]) -> str:
    rows = [
        [*board, clues, *(getattr(census, column)[clues] for column in COLUMNS)]
        for board, census in boards.items()
        for clues in range(len(census.puzzles))
    ]
    return csv_text(["rows", "cols", "clues", *COLUMNS], rows)


def numberlink_csv(found: dict[str, dict[Board, dict[int, int]]]) -> str:
    rows = [
        [variant, *board, pairs, number]
        for variant, boards in found.items()
        for board, numbers in boards.items()
        for pairs, number in numbers.items()
    ]
    return csv_text(["variant", "rows", "cols", "pairs", "instances"], rows)


# ---- sequences ----


def sequences(
    boards: dict[Board, BoardCensus], found: dict[str, dict[Board, dict[int, int]]]
) -> str:
    """Return the diagonal and the rows of each table, as the OEIS writes sequences."""
    tables = {"loops of the board": {board: census.loops for board, census in boards.items()}}
    for column, title in COLUMNS.items():
        tables[f"uniquely solvable Slitherlinks with clues 0 to 3, {title}"] = {
            board: sum(getattr(census, column)) for board, census in boards.items()
        }
    for variant, numbers in found.items():
        tables[f"Numberlink instances, {variant}"] = {
            board: sum(by_pairs.values()) for board, by_pairs in numbers.items()
        }
    parts = []
    for title, table in tables.items():
        for name, terms, first in lines_of(table):
            # The second number of the offset is the place of the first term beyond 1.
            beyond = next(place for place, term in enumerate(terms, 1) if term > 1)
            parts.append(
                f"%S {','.join(map(str, terms))}\n%N {title}, {name} cells.\n"
                f"%O {first},{beyond}\n%C {known_as(title, name)}\n"
            )
    return "\n".join(parts)


def known_as(title: str, name: str) -> str:
    if title.startswith("loops"):
        entry = "A140517, the diagonal of A231829" if name == "n X n" else "a row of A231829"
        return f"In the OEIS: {entry}. The terms that its page shows agree."
    if name == "1 X n" and title.startswith("Numberlink"):
        # One row: covering instances are compositions of n into parts above 1; of the others,
        # every even number of ends makes one.
        entry = "A000225: 2^m - 1" if "free" in title else "A000045: the Fibonacci numbers"
        return f"In the OEIS: {entry}."
    return "Apparently new: the OEIS was searched by subject, not by terms."


def lines_of(table: dict[Board, int]) -> Iterable[tuple[str, list[int], int]]:
    """Yield the diagonal and the rows with three terms or more: name, terms, first index."""
    candidates = [("n X n", [(side, side) for side in range(1, LONGEST + 1)])]
    for rows in range(1, 6):
        longer = [(min(rows, cols), max(rows, cols)) for cols in range(1, LONGEST + 1)]
        candidates.append((f"{rows} X n", longer))
    for name, places in candidates:
        start = next((i for i, board in enumerate(places) if board in table), 0)
        terms = []
        for board in places[start:]:
            if board not in table:
                break
            terms.append(table[board])
        if len(terms) >= 3:
            yield name, terms, start + 1


# ---- plots ----


def plot(path: Path, title: str, label: str, curves: dict[str, dict[int, int]]) -> None:
    """Plot the numbers by clues or pairs, a curve for each board, on a logarithmic scale."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 5))
    axes.set_prop_cycle(color=matplotlib.colormaps["tab20"].colors)
    for name, numbers in curves.items():
        shown = {size: number for size, number in numbers.items() if number}
        axes.plot(list(shown), list(shown.values()), marker=".", label=name)
    axes.set(yscale="log", xlabel=label, ylabel="puzzles", title=title)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    with atomic_write(path) as file:
        figure.savefig(file, format="png", dpi=120, bbox_inches="tight")
    pyplot.close(figure)


def draw_plots(
    folder: Path,
    boards: dict[Board, BoardCensus],
    found: dict[str, dict[Board, dict[int, int]]],
) -> None:
    curves = {}
    for (rows, cols), census in boards.items():
        if rows == cols > 1:
            curves[f"{rows} x {cols}"] = dict(enumerate(census.puzzles))
            curves[f"{rows} x {cols}, minimal"] = dict(enumerate(census.minimal))
    plot(folder / "slitherlink.png", "Uniquely solvable Slitherlinks", "clues", curves)
    covering = {
        f"{rows} x {cols}": numbers
        for (rows, cols), numbers in found["unique_and_covering"].items()
        if rows > 2
    }
    plot(folder / "numberlink.png", "Numberlinks: unique and covering", "pairs", covering)


def write(path: Path, text: str) -> None:
    with atomic_write(path) as file:
        file.write(text.encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True, help="the folder to write to")
    parser.add_argument("--seconds", type=float, default=60.0, help="most for one board")
    parser.add_argument("--runs", type=Path, help="folder of Slitherlink runs to keep and read")
    parser.add_argument("--memory", type=parse_size, help="limit, such as 4GB")
    parser.add_argument("--no-plots", action="store_true", help="leave the plots out")
    options = parser.parse_args()
    try:
        for folder in (options.output, options.runs):
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
        boards = count_boards(options.seconds, options.runs, options.memory)
        found = count_instances(options.seconds, options.memory)
    except (LinkOracleError, Mismatch, OSError) as error:
        sys.exit(f"{parser.prog}: {error}")
    write(options.output / "slitherlink_boards.csv", slitherlink_boards(boards))
    write(options.output / "slitherlink.csv", slitherlink_csv(boards))
    write(options.output / "numberlink_boards.csv", numberlink_boards(found))
    write(options.output / "numberlink.csv", numberlink_csv(found))
    write(options.output / "sequences.txt", sequences(boards, found))
    if not options.no_plots:
        draw_plots(options.output, boards, found)


if __name__ == "__main__":
    main()
