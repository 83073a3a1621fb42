"""Compare five ways to reduce the clues of a Slitherlink until none is redundant.

    python scripts/bench_sessions.py --boards 20 --size 10

From the fastest to the only way for other languages without sessions: our own generator; an
`Oracle` in Python; a request `reduce` of a session; requests `implies` of a session, one a clue;
whole boards, one a clue. The last three go to one `count-solutions --jsonl` through pipes. All try
the clues of the same boards; all but our generator in the same order, so they end with the same
clues. The ways take turns board by board, so that a busy machine slows all alike.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from random import Random
from typing import Any, Self

import click

import linkoracle
from linkoracle.core import source, swept
from linkoracle.generate import reduce_clues
from linkoracle.generate.loops.shapes import two_colour

Cell = tuple[int, int]
Clues = dict[Cell, int]


class Peer:
    """A running `count-solutions --jsonl`, as another program would use it."""

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "linkoracle", "count", "--jsonl", "--limit", "1"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.requests = 0
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def ask(self, **request: Any) -> dict[str, Any]:
        """Return the answer to one request, which must not be an error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.requests += 1
        self._process.stdin.write(json.dumps({"id": self.requests, **request}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert answer["id"] == self.requests
        assert "error" not in answer, answer
        return answer

    def open(self, rows: int, cols: int, clues: Clues) -> str:
        """Open a session with these clues; return its name."""
        name = f"s{self.requests}"
        self.ask(op="open", session=name, kind="slitherlink", rows=rows, cols=cols)
        self.ask(op="set", session=name, clues=[[*cell, clue] for cell, clue in clues.items()])
        return name


def by_oracle(rows: int, cols: int, clues: Clues, order: list[Cell]) -> set[Cell]:
    """Reduce with an `Oracle` in Python."""
    left = dict(clues)
    with linkoracle.Oracle.slitherlink(rows, cols) as oracle:
        assert oracle.ask(left).unique
        for cell in order:
            if oracle.implies(left, cell):
                del left[cell]
    return set(left)


def by_reduce(peer: Peer, rows: int, cols: int, clues: Clues, order: list[Cell]) -> set[Cell]:
    """Reduce with one request."""
    name = peer.open(rows, cols, clues)
    answer = peer.ask(op="reduce", session=name, order=order)
    peer.ask(op="close", session=name)
    assert answer["minimal"]
    return {(row, col) for row, col, _ in answer["clues"]}


def by_implies(peer: Peer, rows: int, cols: int, clues: Clues, order: list[Cell]) -> set[Cell]:
    """Reduce with a request for each clue."""
    name = peer.open(rows, cols, clues)
    assert peer.ask(op="ask", session=name)["status"] == "unique"
    left = set(clues)
    for cell in order:
        if peer.ask(op="implies", session=name, cell=cell, drop=True)["implied"]:
            left.remove(cell)
    peer.ask(op="close", session=name)
    return left


def by_boards(peer: Peer, rows: int, cols: int, clues: Clues, order: list[Cell]) -> set[Cell]:
    """Reduce with a whole board for each clue."""
    grid: list[list[int | None]] = [[clues[row, col] for col in range(cols)] for row in range(rows)]
    for row, col in order:
        clue, grid[row][col] = grid[row][col], None
        answer = peer.ask(kind="slitherlink", grid=grid)
        if (answer["count"], answer["exact"]) != (1, True):
            grid[row][col] = clue
    return {(row, col) for row in range(rows) for col in range(cols) if grid[row][col] is not None}


@click.command()
@click.option("--boards", default=10, help="How many boards.")
@click.option("--size", default=10, help="Rows and columns of cells.")
def main(boards: int, size: int) -> None:
    loops = (two_colour(Random(seed), size, size) for seed in range(10 * boards))
    full = (linkoracle.Slitherlink.from_solution(loop) for loop in loops)
    chosen = [one for one in full if linkoracle.is_unique(one)][:boards]
    seconds: dict[str, list[float]] = {}
    with Peer() as peer:
        # The first request loads modules.
        by_reduce(peer, 2, 2, {(0, 0): 3, (0, 1): 3}, [(0, 0), (0, 1)])
        for seed, puzzle in enumerate(chosen):
            solution = linkoracle.solve(puzzle)
            assert solution is not None
            clues = dict(puzzle.clue_cells())
            order = [divmod(face, size) for face in swept(source(seed, 0), size, size)]
            started = time.perf_counter()
            reduce_clues(solution, Random(seed), strategy="core")
            seconds.setdefault("generate.thin", []).append(time.perf_counter() - started)
            results = []
            for way, ask in (
                ("Oracle.implies", lambda *board: by_oracle(*board)),
                ("session, reduce", lambda *board: by_reduce(peer, *board)),
                ("session, implies", lambda *board: by_implies(peer, *board)),
                ("boards", lambda *board: by_boards(peer, *board)),
            ):
                started = time.perf_counter()
                results.append(ask(size, size, clues, order))
                seconds.setdefault(way, []).append(time.perf_counter() - started)
            assert all(one == results[0] for one in results), "ways end with different clues"
    print(f"{len(chosen)} boards of {size}x{size}, milliseconds a board")
    fastest = statistics.mean(seconds["generate.thin"])
    for way, values in seconds.items():
        mean = statistics.mean(values)
        median = 1000 * statistics.median(values)
        print(
            f"{way:18} mean {1000 * mean:7.1f}  median {median:7.1f}  ratio {mean / fastest:5.2f}"
        )


if __name__ == "__main__":
    main()
