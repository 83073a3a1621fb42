"""Compare ``engine="auto"`` with the engine that it did not choose.

    python scripts/bench_engines.py [--most SECONDS] [--shapes WORD] [--query decide]

Both engines and "auto" answer the same queries on boards of all shapes, small to large, in one
process with all kernels compiled. Times are processor time. An engine that takes longer than --most
seconds is stopped, and counts as having taken that time; if both are stopped, nothing is compared.
Prints a line a query. The last line is the share of queries on which "auto" took at most 1.5 times
as long as the better engine, and 50 ms.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import click
import networkx as nx

import linkoracle
from linkoracle import (
    Board,
    Lattice,
    LinkModel,
    MemoryLimit,
    NothingFound,
    Numberlink,
    Slitherlink,
    Solution,
)
from linkoracle.generate import loop, numberlink, slitherlink

ENGINES = ("sat", "frontier", "auto")
#: Seconds of loss that users do not notice; the ratio that is near; the share that must be near;
#: the worst ratio.
SLACK, NEARLY, SHARE, WORST = 0.05, 1.5, 0.95, 5.5

Ask = Callable[[LinkModel, str, float], object]
QUERIES: dict[str, Ask] = {
    "decide": lambda model, engine, most: (
        linkoracle.decide(model, engine=engine, timeout=most).status
    ),
    "count": lambda model, engine, most: linkoracle.count(model, engine=engine, timeout=most),
    "count to 500": lambda model, engine, most: linkoracle.count(
        model, 500, engine=engine, timeout=most
    ),
    "list 300": lambda model, engine, most: sum(
        1 for _ in islice(linkoracle.solutions(model, engine=engine, timeout=most), 300)
    ),
}


def reduced(puzzle: Slitherlink, share: float, rng: Random) -> Slitherlink:
    """Return the puzzle without ``share`` of its clues."""
    cells = [cell for cell, _ in puzzle.clue_cells()]
    return puzzle.with_clues(dict.fromkeys(rng.sample(cells, round(share * len(cells)))))


def marked(
    name: str, puzzle: Slitherlink, solution: Solution, rng: Random
) -> Iterator[tuple[str, LinkModel]]:
    """Yield the board with given edges, forbidden edges, or holes, which leave the solution."""
    lattice, model = puzzle.lattice, puzzle.model
    on = list(solution)
    off = sorted(set(range(lattice.num_edges)) - set(on))
    used = {vertex for edge in on for vertex in lattice.edge_vertices[edge].tolist()}
    unused = sorted(set(range(lattice.num_vertices)) - used)
    yield f"{name} given", model.with_edges(given=rng.sample(on, len(on) // 8))
    yield f"{name} forbidden", model.with_edges(forbidden=rng.sample(off, len(off) // 8))
    yield f"{name} holes", model.with_holes(rng.sample(unused, len(unused) // 2))


def boards(seed: int) -> Iterator[tuple[str, LinkModel]]:
    """Yield boards, each with a name."""
    rng = Random(seed)
    for rows, cols in (
        (3, 3),
        (2, 60),
        (3, 500),
        (3, 2000),
        (5, 5),
        (5, 80),
        (7, 7),
        (9, 9),
        (11, 11),
        (30, 30),
    ):
        yield f"blank {rows}x{cols}", Slitherlink.blank(rows, cols).model
        lattice = Lattice(rows + 1, cols + 1)
        corners = [(0, lattice.num_vertices - 1)]
        if rows < 10:
            yield f"path {rows}x{cols}", LinkModel.blank_paths(lattice, corners)
    for rows, cols in ((5, 5), (7, 7), (10, 10), (4, 60), (15, 15), (20, 20)):
        made = slitherlink(rows, cols, seed=seed)
        unique = made.puzzle
        for share in (0.0, 0.05, 0.1, 0.2, 0.4, 0.7, 0.9):
            puzzle = reduced(unique, share, rng)
            yield f"clues {rows}x{cols} -{share:.0%}", puzzle.model
        wrong = dict(unique.clue_cells())
        for cell in rng.sample(sorted(wrong), 3):
            wrong[cell] = (wrong[cell] + 1) % 4
        yield f"clues {rows}x{cols} wrong", unique.with_clues(wrong).model
        yield from marked(f"clues {rows}x{cols}", reduced(unique, 0.5, rng), made.solution, rng)
        blank = Slitherlink.blank(rows, cols)
        yield from marked(f"blank {rows}x{cols}", blank, made.solution, rng)
    for rows, cols in ((5, 5), (7, 7), (8, 8), (10, 10), (12, 12), (4, 40)):
        for variant in ("free", "fill"):
            try:
                made = numberlink(rows, cols, variant=variant, seed=seed).puzzle
            except NothingFound:
                continue
            pairs = list(made.model.terminals)
            yield f"numberlink {variant} {rows}x{cols}", made.model
            fewer = pairs[: max(1, 2 * len(pairs) // 3)]
            cover = variant == "fill"
            looser = LinkModel.blank_paths(made.lattice, fewer, cover=cover)
            yield f"numberlink {variant} {rows}x{cols} fewer", looser
            ends = [end for pair in pairs for end in pair]
            ends[1], ends[3] = ends[3], ends[1]
            mixed = list(zip(ends[::2], ends[1::2], strict=True))
            yield (
                f"numberlink {variant} {rows}x{cols} mixed",
                LinkModel.blank_paths(made.lattice, mixed, cover=cover),
            )
    yield from other_boards(Random(seed))


def other_boards(rng: Random) -> Iterator[tuple[str, LinkModel]]:
    """Yield boards that are not square, most of them plane."""
    for name, sizes, graph_of in (
        ("honeycomb", (2, 4, 7, 10, 14, 25), lambda n: nx.hexagonal_lattice_graph(n, n)),
        ("triangles", (3, 5, 8, 10, 20), lambda n: nx.triangular_lattice_graph(n, 2 * n)),
        (
            "kings",
            (3, 5, 7, 9, 15),
            lambda n: nx.strong_product(nx.path_graph(n), nx.path_graph(n)),
        ),
        ("cubic", (12, 24, 40, 100), lambda n: nx.random_regular_graph(3, n, rng)),
        ("random", (10, 20, 40, 80), lambda n: nx.gnm_random_graph(n, 2 * n, rng)),
    ):
        for size in sizes:
            board = Board.from_graph(graph_of(size))
            yield f"{name} {size} blank", LinkModel.blank_loop(board)
            ends = rng.sample(range(board.num_vertices), 4)
            yield f"{name} {size} path", LinkModel.blank_paths(board, [(ends[0], ends[1])])
            pairs = [(ends[0], ends[1]), (ends[2], ends[3])]
            yield f"{name} {size} pairs", LinkModel.blank_paths(board, pairs)
            if name not in ("honeycomb", "triangles"):
                continue
            line = set(loop(board, seed=size))
            clues = [
                len(line.intersection(edges))
                for edges in map(board.edges_of, range(board.num_faces))
            ]
            for share in (0.0, 0.3, 0.5, 0.7, 0.9):
                shown = [rng.random() >= share for _ in clues]
                faces = [
                    1 << clue if is_shown else free
                    for clue, is_shown, free in zip(clues, shown, board.free_masks, strict=True)
                ]
                model = replace(LinkModel.blank_loop(board), faces=faces)
                yield f"{name} {size} -{share:.0%}", model


def measured(ask: Ask, model: LinkModel, engine: str, most: float) -> tuple[float, object]:
    started = time.process_time()
    try:
        answer = ask(model, engine, most)
    except (linkoracle.SearchTimeout, MemoryLimit):
        return max(most, time.process_time() - started), None
    return time.process_time() - started, answer


@click.command()
@click.option("--most", type=float, default=10.0, help="Seconds for an engine.")
@click.option("--shapes", default="", help="Only boards whose name has this word.")
@click.option("--query", type=click.Choice(list(QUERIES)), help="Only this query.")
@click.option("--seed", type=int, default=1)
def main(most: float, shapes: str, query: str | None, seed: int) -> None:
    for puzzle in (
        Slitherlink.blank(2, 2),
        Numberlink([[1, None, 1]]),
        Numberlink([[1, 1]], "fill"),
    ):
        for ask in QUERIES.values():
            for engine in ENGINES:
                ask(puzzle.model, engine, 600.0)
    ratios, unanswered = [], 0
    for name, model in boards(seed):
        if shapes not in name:
            continue
        for what, ask in QUERIES.items():
            if query not in (None, what):
                continue
            seconds, answers = {}, set()
            for engine in ENGINES:
                if engine == "auto" and min(seconds.values()) >= most:
                    break
                # A long limit, since it is wall time: a busy machine must not stop "auto".
                limit = 20 * most if engine == "auto" else most
                seconds[engine], answer = measured(ask, model, engine, limit)
                answers |= {answer} - {None}
            assert len(answers) < 2, (name, answers)
            if "auto" not in seconds:
                unanswered += 1
                continue
            better = min(seconds["sat"], seconds["frontier"])
            ratios.append(max(0.0, seconds["auto"] - SLACK) / better)
            times = "  ".join(f"{engine} {seconds[engine]:7.3f}" for engine in ENGINES)
            flag = "" if ratios[-1] <= NEARLY else "  <" if ratios[-1] <= WORST else "  <<<"
            click.echo(f"{name:30} {what:13} {times}  {ratios[-1]:6.2f}{flag}")
    near = sum(ratio <= NEARLY for ratio in ratios) / len(ratios)
    click.echo(
        f"{len(ratios)} queries, {unanswered} more that no engine answered; "
        f"{near:.1%} within {NEARLY} times the better engine and "
        f"{SLACK * 1000:.0f} ms; worst {max(ratios):.2f} times"
    )
    if near < SHARE or max(ratios) > WORST:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
