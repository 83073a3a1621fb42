"""Measure the time and peak memory of each census, on boards of growing size.

Three tables: puzzles of a board (1 process), all puzzles of one loop (the mean of some random
loops), Numberlink instances. From row to row the board grows by about half its cells, to show the
growth. Each row runs in a process of its own, to measure its own peak memory. Kernels are compiled
before anything is timed.

    python scripts/bench_census.py --seconds 300
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

from measuring import in_a_process, peak

Board = tuple[int, int]


def run_board(rows: int, cols: int) -> dict[str, object]:
    from linkoracle.census import BoardRun, board_census

    board_census(2, 2)
    start = time.process_time()
    with BoardRun(rows, cols) as run:
        run.work()
        census = run.census()
    return {"seconds": time.process_time() - start, "puzzles": sum(census.puzzles)}


def run_sampled_board(rows: int, cols: int) -> dict[str, object]:
    """Count one loop in a hundred of a large board, and extrapolate."""
    from linkoracle.census import board_census
    from linkoracle.census.board import LoopTable, count_part

    board_census(2, 2)
    table = LoopTable.build(rows, cols)
    classes = len(table.classes)
    chosen = range(0, classes, max(1, classes // max(20, classes // 100)))
    start = time.process_time()
    for number in chosen:
        count_part(table, number, number + 1, fours=False)
    taken = time.process_time() - start
    return {"seconds": taken / len(chosen) * classes, "loops": len(chosen), "classes": classes}


def run_loop(rows: int, cols: int) -> dict[str, object]:
    from linkoracle import Slitherlink, diagram
    from linkoracle.census import puzzles_of

    puzzles_of(diagram(Slitherlink.blank(4, 4)).sample(1, seed=1)[0]).minimal().by_clues()
    loops = diagram(Slitherlink.blank(rows, cols)).sample(3, seed=1)
    start = time.process_time()
    numbers = []
    for loop in loops:
        puzzles = puzzles_of(loop)
        puzzles.minimal().by_clues()
        numbers.append(puzzles.count())
    return {"seconds": (time.process_time() - start) / len(loops), "puzzles": max(numbers)}


def run_numberlink(rows: int, cols: int) -> dict[str, object]:
    from linkoracle.census import instances

    instances(2, 2)
    start = time.process_time()
    found = instances(rows, cols).count()
    return {"seconds": time.process_time() - start, "puzzles": found}


#: By name: the function to run, and the boards.
TABLES: dict[str, tuple[Callable[[int, int], dict[str, object]], list[Board]]] = {
    "board": (run_board, [(2, 3), (3, 3), (3, 4), (4, 4), (3, 6), (4, 5)]),
    "board, from 1 % of the loops": (run_sampled_board, [(4, 5), (4, 6), (5, 5)]),
    "loop": (run_loop, [(3, 3), (3, 4), (4, 4), (4, 5), (5, 5), (6, 5), (7, 5)]),
    "numberlink": (run_numberlink, [(3, 3), (3, 4), (4, 4), (3, 6), (4, 5), (4, 6), (5, 5)]),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=300.0, help="most for one row")
    parser.add_argument("--only", choices=TABLES, help="one of the tables")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, rows, cols = options.child
        result = TABLES[name][0](int(rows), int(cols))
        result["peak"] = peak() >> 20
        print(json.dumps(result))
        return
    for name, (_, boards) in TABLES.items():
        if options.only not in (None, name):
            continue
        print(f"{name}\n  board  cells   seconds  peak MB  result")
        for rows, cols in boards:
            result = in_a_process(__file__, [name, str(rows), str(cols)], options.seconds)
            if "error" in result:
                print(f"  {rows}x{cols}  {result['error']}")
                break
            seconds, memory = result.pop("seconds"), result.pop("peak")
            rest = ", ".join(f"{key} {value}" for key, value in result.items())
            print(f"  {rows}x{cols} {rows * cols:7} {seconds:10.3f} {memory:8}  {rest}", flush=True)


if __name__ == "__main__":
    main()
