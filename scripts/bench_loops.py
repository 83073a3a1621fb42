"""Measure the loops of authors of generators: the README's, the tutorial's, sessions, our makers.

    python scripts/bench_loops.py
    python scripts/bench_loops.py --kinds slitherlink --sizes 10,20,30 --boards 4
    python scripts/bench_loops.py --kinds slitherlink,masyu --sizes 10 --solver-alone

Each loop removes the redundant clues of the same boards: all clues that a solution allows. Prints
milliseconds of processor time a board for each kind, size and loop, and how many clues were left:

    README     `Oracle.implies`, clue by clue (Slitherlink)
    tutorial   `Session.ask` without two clues, then without one each, and `Session.set`
    implies    `Session.implies`, clue by clue, and `Session.set`
    reduce     `Session.reduce`
    redundant  `Session.redundant`, which removes nothing
    lines      a request `reduce` of JSON lines
    maker      `generate.reduce_clues` (Slitherlink), or `generate.puzzle` from scratch

With --solver-alone, oracles use no compiled search, as before there was one for them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any, Self

import click

import linkoracle
from linkoracle import Oracle, Session, generate
from linkoracle.generate import reduce_clues
from linkoracle.kinds import Puzzle


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


def readme(puzzle: Puzzle, order: list[Any]) -> int:
    if puzzle.kind != "slitherlink":
        raise NotImplementedError
    clues: dict[Any, Any] = dict(puzzle.clue_cells())
    with Oracle.slitherlink(puzzle.rows, puzzle.cols) as oracle:
        assert oracle.ask(clues).unique
        for cell in order:
            if oracle.implies(clues, cell):
                del clues[cell]
    return len(clues)


def tutorial(puzzle: Puzzle, order: list[Any]) -> int:
    with Session(puzzle) as session:
        for one, other in zip(order[::2], order[1::2], strict=False):
            places = [place for place in (one, other) if place in session.clues]
            pair = {cell: None for place in places for cell in session.without(place)}
            if session.ask(pair).unique:
                session.set(pair)
        for cell in order:
            if cell in session.clues and session.ask(gone := session.without(cell)).unique:
                session.set(gone)
        return len(session.clues)


def implies(puzzle: Puzzle, order: list[Any]) -> int:
    with Session(puzzle) as session:
        assert session.ask().unique
        for cell in order:
            if cell in session.clues and session.implies(cell):
                session.set(session.without(cell))
        return len(session.clues)


def reduce(puzzle: Puzzle, order: list[Any]) -> int:
    with Session(puzzle) as session:
        session.reduce(order)
        return len(session.clues)


def redundant(puzzle: Puzzle, _: list[Any]) -> int:
    with Session(puzzle) as session:
        return len(session.clues) - len(session.redundant())


def maker(puzzle: Puzzle, _: list[Any], seed: int = 1) -> int:
    if puzzle.kind == "slitherlink":
        solution = linkoracle.solve(puzzle)
        assert solution is not None
        return len([*reduce_clues(solution, Random(seed), strategy="core").puzzle.clue_cells()])
    make = generate.numberlink if puzzle.kind == "numberlink" else generate.puzzle
    kind = () if puzzle.kind == "numberlink" else (puzzle.kind,)
    made = make(*kind, puzzle.rows, puzzle.cols, seed=seed)
    return len([*made.puzzle.clue_cells()])


LOOPS: dict[str, Callable[..., int]] = {
    "README": readme,
    "tutorial": tutorial,
    "implies": implies,
    "reduce": reduce,
    "redundant": redundant,
    "maker": maker,
}


def full_board(kind: str, size: int, seed: int) -> Puzzle | None:
    """Return a puzzle with one solution and all clues that this allows."""
    if kind == "slitherlink":
        puzzle = linkoracle.Slitherlink.from_solution(generate.loop(size, size, seed=seed))
        return puzzle if linkoracle.is_unique(puzzle) else None
    if kind == "numberlink":
        return generate.numberlink(size, size, seed=seed).puzzle
    made = generate.puzzle(kind, size, size, seed=seed)
    full = type(made.puzzle).from_solution(made.solution)
    return full if linkoracle.is_unique(full) else made.puzzle


@click.command()
@click.option("--kinds", default="slitherlink,masyu,yajilin,numberlink")
@click.option("--sizes", default="10,20")
@click.option("--boards", default=3, help="How many boards.")
@click.option("--loops", default="", help="Loops to measure, separated by commas.")
@click.option("--solver-alone", is_flag=True, help="Let a SAT solver answer all queries.")
@click.option("--lines/--no-lines", default=True, help="Measure JSON lines, too.")
def main(kinds: str, sizes: str, boards: int, loops: str, solver_alone: bool, lines: bool) -> None:
    if solver_alone:
        Oracle._near = lambda *_: None  # type: ignore[method-assign, assignment]
        linkoracle.engines.StatementOracle._near = lambda *_: None  # type: ignore
    chosen = loops.split(",") if loops else [*LOOPS]
    print("| kind | size | " + " | ".join(chosen) + (" | lines |" if lines else " |"))
    print("| --- | --- |" + " ---: |" * (len(chosen) + lines))
    for kind in kinds.split(","):
        for size in map(int, sizes.split(",")):
            seeds = range(20 * boards)
            made = (full_board(kind, size, seed) for seed in seeds)
            puzzles = [*islice((one for one in made if one is not None), boards)]
            cells = []
            for name in chosen:
                spent, left, shown = 0.0, 0, "-"
                with suppress(NotImplementedError):
                    for at, puzzle in enumerate(puzzles):
                        order = [cell for cell, _ in puzzle.clue_cells()]
                        if at == 0:
                            # What is loaded on first use is not measured.
                            LOOPS[name](full_board(kind, 5, 1) or puzzle, order[:0])
                        started = time.process_time()
                        left += LOOPS[name](puzzle, order)
                        spent += time.process_time() - started
                    shown = f"{1000 * spent / len(puzzles):.1f} ({left / len(puzzles):.0f})"
                cells.append(shown)
            if lines:
                cells.append(by_lines(puzzles))
            print(f"| {kind} | {size}x{size} | " + " | ".join(cells) + " |", flush=True)


def by_lines(puzzles: list[Puzzle]) -> str:
    """Return the milliseconds that a request `reduce` takes, by the clock."""
    spent, left = 0.0, 0
    with Peer() as peer:
        for number, puzzle in enumerate([puzzles[0], *puzzles]):
            name, text = f"s{number}", linkoracle.write(puzzle, "json")
            peer.ask(op="open", session=name, **json.loads(text))
            order = [[*cell] for cell, _ in puzzle.clue_cells()]
            started = time.perf_counter()
            answer = peer.ask(op="reduce", session=name, order=order)
            if number:
                spent += time.perf_counter() - started
                left += len(answer["clues"])
            peer.ask(op="close", session=name)
    return f"{1000 * spent / len(puzzles):.1f} ({left / len(puzzles):.0f})"


if __name__ == "__main__":
    main()
