"""Puzzles on the faces of random plane boards against brute force.

The boards are random polygons, triangulations of random points with edges removed, cut squares and
tilings (`tests.boards.plane_board`). networkx lists all loops and paths, and the
tests check each against the rules, using only the corners of faces.
"""

import random
from collections.abc import Collection
from itertools import pairwise

import networkx as nx
import pytest

import linkoracle
from linkoracle import Board, Numberlink, SimpleLoop, Slitherlink
from linkoracle.certificates import verify_certificate as checker
from tests.boards import plane_board, sides
from tests.parts import parts

#: Edges of a solution, each as its two ends.
Lines = frozenset[frozenset[int]]
ENGINES = ("sat", "plain", "frontier")
#: The most solutions of a puzzle to certify.
MOST_CERTIFIED = 30


def loops_of(graph: nx.Graph) -> list[Lines]:
    return [frozenset(map(frozenset, pairwise([*c, c[0]]))) for c in nx.simple_cycles(graph)]


def graph_of(board: Board) -> nx.Graph:
    graph = nx.Graph(list(map(board.ends, range(board.num_edges))))
    graph.add_nodes_from(range(board.num_vertices))
    return graph


def compare(
    puzzle, every: list[Lines], expected: set[Lines], *, certified: bool, engines=ENGINES
) -> int:
    """Compare engines and the check with the solutions ``expected`` out of ``every`` line."""
    board = puzzle.board
    lists = [(engine, linkoracle.solutions(puzzle, engine=engine)) for engine in engines]
    if "plain" in engines:
        lists.append(
            ("diagram", linkoracle.count_result(puzzle, keep=True, engine="plain").solutions)
        )
    for engine, found in lists:
        lines = [frozenset(frozenset(board.ends(edge)) for edge in one.edges) for one in found]
        assert set(lines) == expected, (engine, puzzle)
        assert len(lines) == len(expected), (engine, puzzle)
    for one in every:
        edges = [board.edge(*line) for line in one]
        assert bool(linkoracle.violations(puzzle, edges)) == (one not in expected), puzzle
    if certified and len(expected) <= MOST_CERTIFIED:
        proof = linkoracle.certificate(puzzle, limit=MOST_CERTIFIED)
        _, number, _ = checker.verify(proof.data)
        assert number == len(expected), puzzle
    return min(2, len(expected))


def fixed(
    rng: random.Random, board: Board, holes: Collection[int] = ()
) -> dict[str, list[tuple[int, int]]]:
    """Return up to two given and two forbidden lines; often none."""
    edges = [board.ends(edge) for edge in range(board.num_edges)]
    edges = [ends for ends in edges if not set(ends) & set(holes)]
    chosen = rng.sample(edges, min(len(edges), rng.choice([0, 0, 1, 2, 4])))
    return {"given": chosen[::2], "forbidden": chosen[1::2]}


def fits(one: Lines, given: list[tuple[int, int]], forbidden: list[tuple[int, int]]) -> bool:
    return one.issuperset(map(frozenset, given)) and one.isdisjoint(map(frozenset, forbidden))


def a_slitherlink(rng: random.Random, board: Board, *, certified: bool) -> int:
    """Compare a Slitherlink with clues of one loop, some of them wrong; 0, 1 or more solutions."""
    faces = range(board.num_faces)
    around = [sides(board, face) for face in faces]
    every = loops_of(graph_of(board))
    counts = [[len(one & around[face]) for face in faces] for one in every]
    values = rng.choice(counts) if counts else [1] * board.num_faces
    share = rng.choice([0.3, 0.5, 0.8])
    clues = {face: values[face] for face in faces if rng.random() < share}
    if clues and rng.random() < 0.3:
        face = rng.choice(list(clues))
        clues[face] = rng.randrange(len(around[face]) + 1)
    variant = rng.choice(["loop", "loop", "fill"])
    lines = fixed(rng, board)
    puzzle = Slitherlink.on(board, clues, variant=variant, **lines)
    expected = {
        one
        for one, count in zip(every, counts, strict=True)
        if all(count[face] == clue for face, clue in clues.items())
        and (variant == "loop" or len(one) == board.num_vertices)
        and fits(one, **lines)
    }
    return compare(puzzle, every, expected, certified=certified)


def lines_through_cells(rng: random.Random, tiling: Board, *, certified: bool) -> int:
    """Compare a Simple Loop and a Numberlink of one or two pairs; return its solution count."""
    cells = nx.Graph()
    cells.add_nodes_from(range(tiling.num_faces))
    around = [sides(tiling, face) for face in cells]
    cells.add_edges_from((f, g) for f in cells for g in range(f) if around[f] & around[g])
    assert nx.utils.graphs_equal(graph_of(tiling.dual), cells)
    holes = {face for face in cells if rng.random() < 0.2}
    every = loops_of(cells)
    given = fixed(rng, tiling.dual, holes)
    whole = {one for one in every if set().union(*one) == set(cells) - holes and fits(one, **given)}
    loop = SimpleLoop.on(tiling, dict.fromkeys(holes, 0), **given)
    found = compare(loop, every, whole, certified=certified)
    if len(cells) < 2:
        return found
    pairs = 2 if len(cells) > 3 and rng.random() < 0.5 else 1
    ends = rng.sample(sorted(cells), 2 * pairs)
    systems = joined(cells, list(zip(ends[::2], ends[1::2], strict=True)))
    variant = rng.choice(["free", "fill", "apart", "fill-apart"])
    numbers = {face: 3 + place // 2 for place, face in enumerate(ends)}
    given = fixed(rng, tiling.dual)
    link = Numberlink.on(tiling, numbers, variant=variant, **given)
    expected = {
        lines
        for lines, paths in systems.items()
        if fits(lines, **given)
        and (not variant.startswith("fill") or sum(map(len, paths)) == len(cells))
        and (
            not variant.endswith("apart")
            or all(cells.subgraph(path).size() == len(path) - 1 for path in paths)
        )
    }
    # These rules need extra variables, which the frontier engine refuses.
    engines = ENGINES[:2] if variant.endswith("apart") else ENGINES
    return compare(link, list(systems), expected, certified=certified, engines=engines)


def joined(cells: nx.Graph, pairs: list[tuple[int, int]]) -> dict[Lines, list[list[int]]]:
    """Return all disjoint paths that join one or two pairs, by their lines."""
    (start, end), *others = pairs
    found = {}
    for path in nx.all_simple_paths(cells, start, end):
        if any(cell in pair for cell in path for pair in others):
            continue
        lines = frozenset(map(frozenset, pairwise(path)))
        rest = joined(cells.subgraph(set(cells) - set(path)), others) if others else {Lines(): []}
        for more, paths in rest.items():
            found[lines | more] = [path, *paths]
    return found


def check(seed: int) -> int:
    """Compare a puzzle on a random board; return 0, 1 or 2 for none, one or more solutions."""
    rng = random.Random(seed)
    one = a_slitherlink if seed % 2 else lines_through_cells
    return one(rng, plane_board(rng), certified=seed % 10 < 2)


@pytest.mark.parametrize("part", range(4))
def test_puzzles_have_the_solutions_of_their_rules(part):
    assert {check(1000 * part + k) for k in range(40)} == {0, 1, 2}


@parts(range(50))
def test_very_many_puzzles(part):
    """Check 50,000 seeds in all; half of them have two puzzles each."""
    assert {check(10**6 * (part + 1) + k) for k in range(1000)} == {0, 1, 2}
