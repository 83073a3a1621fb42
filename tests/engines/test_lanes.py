"""The search along lanes against all coverings of small boards, and against the SAT engine."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import chain, islice
from pathlib import Path

import pytest

import linkoracle
from linkoracle import (
    Lattice,
    LinkModel,
    MemoryLimit,
    Numberlink,
    count,
    count_result,
    decide,
    solutions,
)
from linkoracle.board import Apart, neighbours
from linkoracle.engines.lanes import ROOM, has_lanes
from linkoracle.engines.lanes_kernel import Lanes

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"

Pairs = frozenset[tuple[int, int]]


def coverings(rows: int, cols: int) -> dict[Pairs, set[tuple[int, ...]]]:
    """All coverings of a board by paths that do not touch themselves, by the ends of the paths.

    By the definition: each vertex has one or two edges, no cycle, no path with a neighbour on
    itself that the path does not lead to. Edge by edge, without any theory.
    """
    board = Lattice(rows, cols)
    found: dict[Pairs, set[tuple[int, ...]]] = defaultdict(set)
    ends = [board.ends(edge) for edge in range(board.num_edges)]
    last = [max(e for e in range(board.num_edges) if v in ends[e]) for v in range(rows * cols)]
    degree, part = [0] * (rows * cols), list(range(rows * cols))

    def grow(edge: int, chosen: tuple[int, ...], part: list[int]) -> None:
        if edge == board.num_edges:
            together = all(e in chosen or part[u] != part[v] for e, (u, v) in enumerate(ends))
            if together:
                tips = defaultdict(list)
                for vertex, number in enumerate(degree):
                    if number == 1:
                        tips[part[vertex]].append(vertex)
                found[frozenset(map(tuple, tips.values()))].add(chosen)
            return
        u, v = ends[edge]
        for take in (False, True):
            if take and (degree[u] == 2 or degree[v] == 2 or part[u] == part[v]):
                continue
            degree[u] += take
            degree[v] += take
            if all(degree[w] for w in (u, v) if last[w] == edge):
                joined = [part[u] if p == part[v] else p for p in part] if take else part
                grow(edge + 1, (*chosen, edge) if take else chosen, joined)
            degree[u] -= take
            degree[v] -= take

    grow(0, (), part)
    return found


def filled(board: Lattice, pairs: Pairs, **edges: tuple[int, ...]) -> LinkModel:
    model = LinkModel.blank_paths(board, sorted(pairs), cover=True)
    return LinkModel(
        board, model.degrees, model.faces, model.terminals, clauses=Apart(board, pairs), **edges
    )


SIDES = [(2, 2), (2, 3), (3, 2), (3, 3), (4, 3), (3, 4), (2, 6), (4, 4)]


@pytest.mark.parametrize(("rows", "cols"), [*SIDES, pytest.param(4, 5, marks=pytest.mark.heavy)])
def test_all_coverings_of_small_boards(rows, cols):
    """Each set of pairs that has a covering, has just these; so do its neighbours."""
    board, known = Lattice(rows, cols), coverings(rows, cols)
    assert known
    rng = random.Random(f"{rows} {cols}")
    for pairs, right in islice(known.items(), 3_000):
        model = filled(board, pairs)
        assert has_lanes(model)
        assert {found.edges for found in solutions(model)} == right
        ends = [vertex for pair in pairs for vertex in pair]
        rng.shuffle(ends)
        others = frozenset(
            (min(pair), max(pair)) for pair in zip(ends[::2], ends[1::2], strict=True)
        )
        assert count(filled(board, others)) == len(known.get(others, ()))


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (4, 3), (3, 4), (4, 4)])
def test_edges_given_and_forbidden(rows, cols):
    board, known = Lattice(rows, cols), coverings(rows, cols)
    rng = random.Random(f"{rows} {cols}")
    for pairs, right in rng.sample(sorted(known.items(), key=str), 20):
        for _ in range(5):
            given, forbidden = set(), set()
            for edge in rng.sample(range(board.num_edges), 3):
                (given if rng.random() < 0.5 else forbidden).add(edge)
            model = filled(board, pairs, given=tuple(given), forbidden=tuple(forbidden))
            expected = {
                edges for edges in right if given <= set(edges) and not forbidden & set(edges)
            }
            assert {found.edges for found in solutions(model)} == expected
            assert count(model) == len(expected)


def random_pairs(rng: random.Random, board: Lattice) -> Pairs:
    """The ends of paths that grew at random, or cells that were drawn."""
    if rng.random() < 0.3:
        number = rng.randint(1, board.num_vertices // 3)
        cells = rng.sample(range(board.num_vertices), 2 * number)
        return frozenset(zip(cells[::2], cells[1::2], strict=True))
    return grown_pairs(rng, board)


def grown_pairs(rng: random.Random, board: Lattice) -> Pairs:
    """The ends of paths that grew at random until no free cell was left, or one alone."""
    free, pairs, near = set(range(board.num_vertices)), set(), neighbours(board)
    while free:
        path = [min(free)]
        free.discard(path[0])
        stop = rng.randint(2, 12)
        while len(path) < stop:
            ways = [v for v in near[path[-1]] if v in free and sum(w in path for w in near[v]) == 1]
            if not ways:
                break
            path.append(rng.choice(ways))
            free.discard(path[-1])
        if len(path) > 1:
            pairs.add((path[0], path[-1]))
    return frozenset(pairs)


def agree(number: int, seed: int, most: int) -> int:
    """How many of these boards have solutions; SAT finds the same ones on all."""
    rng, solved = random.Random(seed), 0
    for _ in range(number):
        board = Lattice(rng.randint(2, most), rng.randint(2, most))
        model = filled(board, random_pairs(rng, board))
        found = decide(model)
        right = decide(model, engine="sat")
        assert found.status == right.status
        if found.status == "unique":
            assert found.solutions == right.solutions
        assert count(model, 5) == count(model, 5, engine="sat")
        solved += found.status != "none"
    return solved


def test_random_boards_as_sat_says():
    assert agree(150, 1, 7) > 20


@pytest.mark.heavy
def test_many_random_boards_as_sat_says():
    assert agree(20_000, 2, 8) > 2_000


@pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no published puzzles at {CORPUS}")
def test_published_boards():
    """Nearly all have one solution under this variant, too, which takes SAT a minute."""
    entries = linkoracle.read_all(CORPUS / "numberlink.jsonl", kind="numberlink")
    statuses = {}
    for entry in entries:
        puzzle = entry.puzzle.with_variant("fill-apart")
        verdict = decide(puzzle)
        statuses[entry.name] = verdict.status
        assert not any(map(puzzle.violations, verdict.solutions))
    assert Counter(statuses.values()) == {"unique": 284, "none": 5}


def test_the_search_continues_where_it_stopped():
    lanes = Lanes(4, 4, [(0, 15), (1, 7)], [], [], ROOM)
    whole = [lanes.edges() for _ in iter(lambda: lanes.search(10_000), False)]
    lanes = Lanes(4, 4, [(0, 15), (1, 7)], [], [], ROOM)
    parts = []
    while (found := lanes.search(1)) is not False:
        if found:
            parts.append(lanes.edges())
    assert whole == parts
    assert lanes.search(5) is False


def test_refuted_rows_count_towards_the_memory():
    """With less memory fewer rows are remembered, and the answer is the same."""
    rng = random.Random(60)
    pairs = sorted(grown_pairs(rng, Lattice(30, 30)))
    remembered = []
    for memory in (ROOM, 140_000, 120_000, 80_000):
        lanes = Lanes(30, 30, pairs, [], [], memory)
        board = lanes.used
        while (found := lanes.search(1_000)) is None:
            assert lanes.used <= memory
        assert found is False
        remembered.append(lanes.remembered)
        # Each has three bytes for a column, and some for its place in a list.
        assert lanes.used - board >= lanes.remembered * (3 * 30 + 16)
    assert remembered == sorted(set(remembered), reverse=True)
    assert remembered[0] > 500
    assert remembered[-1] == 0
    with pytest.raises(MemoryLimit, match="a search along lanes needs more than the 10 kB"):
        Lanes(30, 30, pairs, [], [], 10_000)


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (4, 4)])
def test_coverings_without_a_memory(rows, cols):
    for pairs, right in islice(coverings(rows, cols).items(), 300):
        lanes, found = Lanes(rows, cols, sorted(pairs), [], [], 3_200), set()
        while lanes.search(10_000):
            edges = (
                Lattice(rows, cols).edge(*map(Lattice(rows, cols).position, edge))
                for edge in lanes.edges()
            )
            found.add(tuple(sorted(edges)))
        assert found == right
        assert lanes.remembered == 0


def test_memory_of_queries():
    """SAT goes on where the board alone takes more memory than allowed."""
    puzzle = Numberlink([[1, 2], [None, None], [1, 2]], "fill-apart")
    for memory in (1, 1_000, 10**9):
        assert count_result(puzzle, memory=memory).engine == ("lanes" if memory > 10**6 else "sat")
        assert [found.edges for found in solutions(puzzle, memory=memory)] == [(1, 2, 4, 5)]
        assert decide(puzzle.with_variant("free"), memory=memory).status == "unique"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 3, [(0, 1)], [], []), "expected a board, and pairs to join"),
        ((3, 3, [], [], []), "expected a board, and pairs to join"),
        ((3, 3, [(0, 9)], [], []), "expected a cell of the board, got 9"),
        ((3, 3, [(0, 1), (1, 2)], [], []), "expected each cell in one pair, got 1 twice"),
        ((3, 3, [(0, 1)], [(0, 4)], []), "expected neighbours, got 0 and 4"),
        ((3, 3, [(0, 1)], [], [(2, 3)]), "expected neighbours, got 2 and 3"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        Lanes(*arguments, ROOM)


def test_clauses_are_made_when_they_are_read():
    puzzle = Numberlink([[1, 2], [1, 2]], "fill-apart")
    clauses = puzzle.model.clauses
    assert isinstance(clauses, Apart)
    assert count(puzzle) == 1
    assert "_clauses" not in vars(clauses)
    assert clauses.highest == max(map(abs, chain.from_iterable(clauses)))
    assert clauses == Apart(puzzle.board, puzzle.model.terminals)
    assert puzzle.model.with_constraints(clauses=[(1, 2)]).clauses == (*clauses, (1, 2))
    assert puzzle.model.with_constraints().clauses is clauses
