"""Time decisions of Slitherlinks on boards that are not square: microseconds for each edge.

    python scripts/bench_boards.py
    python scripts/bench_boards.py --edges 220 --share 0

On each board random regions of faces grow, whose borders are long loops. Every face gets its clue.
Clues that the rest implies are removed in random order, down to a share of the faces (published
squares have clues on some 45 %). One `Oracle` finds which, as in a generator.

The table has, for each board: the median time to decide a board with all clues, then with the
remaining clues, from the board's model to the answer; and the time of a query while clues are
removed. All of these are processor time divided by the edges of the board. The ratios are to
squares of as many edges. The boards take turns, so that another load on the machine meets all.

"squares, as a graph" are squares that the package gets as any graph.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from itertools import count
from random import Random

import click
import networkx as nx

from linkoracle import Oracle
from linkoracle.board import Board, Lattice, LinkModel

#: Boards of growing size, by name.
BOARDS: dict[str, Callable[[int], Board]] = {
    "squares": lambda n: Lattice(n + 1, n + 1),
    "squares, as a graph": lambda n: Board.from_graph(
        nx.grid_2d_graph(n + 1, n + 1), {(x, y): (x, y) for x in range(n + 1) for y in range(n + 1)}
    ),
    "honeycomb": lambda n: Board.from_graph(nx.hexagonal_lattice_graph(n, n)),
    "triangles": lambda n: Board.from_graph(nx.triangular_lattice_graph(n, 2 * n)),
}
#: How often a board is decided; the median counts.
REPEAT = 5
#: Share of the faces inside a loop, at most. Fewer fit where another face would touch the loop.
INSIDE = 0.6


def board_of(name: str, edges: int) -> Board:
    """Return the smallest board of a kind with at least ``edges`` edges."""
    boards = map(BOARDS[name], count(1))
    return next(board for board in boards if board.num_edges >= edges)


def random_loop(board: Board, random: Random) -> set[int]:
    """Return the border of a random region, grown face by face, connected and without holes."""
    loop = set(board.edges_of(random.randrange(board.num_faces)))
    degrees = [0] * board.num_vertices
    for edge in loop:
        for vertex in board.ends(edge):
            degrees[vertex] += 1
    for _ in range(int(INSIDE * board.num_faces) * 20):
        face = random.randrange(board.num_faces)
        walk = board.walk(face)
        around = [
            board.edge(board.position(one), board.position(other))
            for one, other in zip(walk, [*walk[1:], walk[0]], strict=True)
        ]
        on = [edge in loop for edge in around]
        begins = [
            vertex
            for vertex, here, before in zip(walk, on, on[-1:] + on, strict=False)
            if here and not before
        ]
        # Vertices between two unused edges: the loop must not be there yet.
        free = [
            vertex
            for vertex, here, before in zip(walk, on, on[-1:] + on, strict=False)
            if not here and not before
        ]
        # The face must touch the region along one path, and make the loop longer, or nearly so.
        if len(begins) != 1 or any(degrees[vertex] for vertex in free):
            continue
        if 2 * sum(on) > len(on) and random.random() < 0.9:
            continue
        for edge in around:
            change = -1 if edge in loop else 1
            loop ^= {edge}
            for vertex in board.ends(edge):
                degrees[vertex] += change
    return loop


def reduced(
    oracle: Oracle, clues: dict[object, int], share: float, random: Random
) -> tuple[dict[object, int], float]:
    """Remove redundant clues down to a ``share``; return the rest and the mean time of a query."""
    least, queries = share * len(clues), 0
    started = time.process_time()
    for face in random.sample(list(clues), len(clues)):
        if len(clues) <= least:
            break
        queries += 1
        if oracle.implies(clues, face):
            del clues[face]
    return clues, (time.process_time() - started) / queries


def deciding(board: Board, clues: dict[object, int]) -> float:
    """Return the median time from a model to its answer, which must be "unique"."""
    times = []
    for _ in range(REPEAT):
        model = LinkModel.blank_loop(board).with_faces(clues)
        started = time.process_time()
        with Oracle(model) as oracle:
            assert oracle.ask().unique
        times.append(time.process_time() - started)
    return statistics.median(times)


def measured(board: Board, share: float, random: Random) -> tuple[float, float, float, int]:
    """Return the times for all clues, the remaining ones and a query; and how many clues remain."""
    with Oracle(LinkModel.blank_loop(board)) as oracle:
        while True:
            loop = random_loop(board, random)
            counts = board.face_counts([edge in loop for edge in range(board.num_edges)])
            clues: dict[object, int] = {
                board.face_name(face): number for face, number in enumerate(counts)
            }
            if oracle.ask(clues).unique:
                break
        full = deciding(board, clues)
        clues, query = reduced(oracle, clues, share, random)
    return full, deciding(board, clues), query, len(clues)


@click.command()
@click.option("--edges", default="220,840", help="Edges of the boards, at least.")
@click.option("--puzzles", default=8, help="Puzzles on each board.")
@click.option("--share", default=0.5, help="Share of the faces that keep their clues, at least.")
@click.option("--seed", default=1)
def main(edges: str, puzzles: int, share: float, seed: int) -> None:
    """Print a table: a row for each board."""
    print("| board | edges | faces | clues | all clues | ratio | fewer | ratio | query | ratio |")
    print("| --- |" + " ---: |" * 9)
    for least in map(int, edges.split(",")):
        boards = {name: board_of(name, least) for name in BOARDS}
        rows = defaultdict(list)
        for number in range(puzzles):
            for name, board in boards.items():
                rows[name].append(measured(board, share, Random(seed + number)))
        base: list[float] = []
        for name, board in boards.items():
            columns = [statistics.median(column) for column in zip(*rows[name], strict=True)]
            times = [1e6 * seconds / board.num_edges for seconds in columns[:3]]
            base = base or times
            cells = (
                f"{one:.3f} | {one / other:.2f}" for one, other in zip(times, base, strict=True)
            )
            sizes = f"{board.num_edges} | {board.num_faces} | {columns[3]:.0f}"
            print(f"| {name} | {sizes} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
