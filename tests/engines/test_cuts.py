"""No cut may exclude a solution, and every cut must exclude what it was made from."""

from __future__ import annotations

import random
from array import array
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import networkx as nx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkoracle import Lattice, LinkModel, Numberlink, Slitherlink, Solution
from linkoracle.board import ANY_COUNT
from linkoracle.board.plane_kernel import PlaneArrays
from linkoracle.core import Deadline
from linkoracle.engines.connectivity import CutMaker
from linkoracle.lines.rules_kernel import Rules
from tests import brute_force

LATTICE = Lattice(4, 4)
LOOPS = [
    frozenset(LATTICE.edge(*sorted(edge)) for edge in curve)
    for curve in brute_force.closed_curves(3, 3, None)
]


def satisfied(clause: list[int], chosen: frozenset[int]) -> bool:
    return any((abs(literal) - 1 in chosen) == (literal > 0) for literal in clause)


def disjoint_loops(data: st.DataObject) -> list[frozenset[int]]:
    """Two or more loops that share no vertex."""
    ends = LATTICE.edge_vertices
    found: list[frozenset[int]] = []
    used: set[int] = set()
    for loop in data.draw(st.permutations([loop for loop in LOOPS if len(loop) <= 8])):
        vertices = {int(v) for edge in loop for v in ends[edge]}
        if not vertices & used:
            used |= vertices
            found.append(loop)
    return found


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_loop_cuts_with_and_without_clues(data):
    parts = disjoint_loops(data)
    assume(len(parts) >= 2)
    chosen = sorted(frozenset().union(*parts))
    counts = Solution(LATTICE, tuple(chosen)).face_counts().reshape(-1).tolist()
    clued = data.draw(st.lists(st.integers(0, 8), unique=True))
    demanding = {face: [-1000 - face] for face in clued if counts[face] >= 2}
    maker = CutMaker(LinkModel.blank_loop(LATTICE))
    components = maker.components(chosen)
    assert {frozenset(component.edges) for component in components} == set(parts)
    cuts = maker.cuts(chosen, demanding)
    assert len(cuts) == len(parts)
    for cut in cuts:
        edge_literals = [literal for literal in cut if abs(literal) < 1000]
        # While all clues are in force, the cut excludes the loops it was made from ...
        assert not satisfied(edge_literals, frozenset(chosen))
        leaned_on = [-1000 - literal for literal in cut if abs(literal) >= 1000]
        for loop in LOOPS:
            clues_hold = all(
                len(loop & set(LATTICE.face_edges[face].tolist())) >= 2 for face in leaned_on
            )
            # ... and never a loop with two edges at the clues that it leans on.
            assert satisfied(edge_literals, loop) or not clues_hold


def test_path_cuts_never_exclude_a_solution():
    """Every board of one pair or more on 3x3, every way to choose edges that breaks it."""
    lattice = Lattice(3, 3)
    systems = brute_force.path_systems(3, 3)
    by_mate: dict[frozenset, list] = {}
    for edges, mate, used in systems:
        key = frozenset(mate.items())
        by_mate.setdefault(key, []).append((edges, used))
    checked = 0
    for edges, mate, _ in systems:
        tips = sorted(mate)
        # The same tips joined otherwise: what these edges draw is wrong for that puzzle.
        for other in by_mate:
            mates = dict(other)
            if sorted(mates) != tips or mates == mate:
                continue
            pairs = [(a, b) for a, b in mates.items() if a < b]
            puzzle = Numberlink.from_pairs(3, 3, pairs)
            maker = CutMaker(puzzle.model)
            chosen = frozenset(lattice.edge(*sorted(edge)) for edge in edges)
            cuts = maker.cuts(sorted(chosen), {})
            assert cuts
            for cut in cuts:
                assert not satisfied(cut, chosen)
                for right, _ in by_mate[other]:
                    assert satisfied(cut, frozenset(lattice.edge(*sorted(e)) for e in right))
                checked += 1
    assert checked > 100


def test_a_cycle_beside_a_path_is_cut_for_the_paths_that_cross_it():
    puzzle = Slitherlink.blank(2, 3, ((0, 0), (2, 0)))
    lattice = puzzle.lattice
    square = [(0, 2), (0, 3), (1, 3), (1, 2), (0, 2)]
    wrong = Solution.from_paths(lattice, [[(0, 0), (1, 0), (2, 0)], square])
    maker = CutMaker(puzzle.model)
    components = maker.components(wrong.edges)
    assert [component.closed for component in components] == [False, True]
    (cut,) = maker.cuts(wrong.edges, {})
    assert not satisfied(cut, frozenset(wrong.edges))
    for path in brute_force.closed_curves(2, 3, puzzle.ends):
        assert satisfied(cut, frozenset(lattice.edge(*sorted(edge)) for edge in path))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_cuts_that_lean_on_what_is_known_exclude_no_solution(data):
    """Rules of the board, and edges that follow from them, are reasons that no literal tells."""
    edges = data.draw(st.sampled_from(LOOPS))
    counts = Solution(LATTICE, tuple(edges)).face_counts().ravel().tolist()
    clued = data.draw(st.sets(st.integers(0, 8)))
    faces = bytes(1 << n if face in clued else ANY_COUNT for face, n in enumerate(counts))
    model = replace(LinkModel.blank_loop(LATTICE), faces=faces)
    parts = disjoint_loops(data)
    assume(len(parts) >= 2)
    rules = Rules(model)
    assert rules.preprocess(Deadline(None))
    maker = CutMaker(model, rules.fixed())
    right = brute_force.model_solutions(model)
    for thorough in (False, True):
        cuts = maker.cuts(sorted(frozenset().union(*parts)), {}, thorough=thorough)
        assert len(cuts) == len(parts)
        assert all(satisfied(cut, frozenset(loop)) for cut in cuts for loop in right)


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 10**6))
def test_components_are_those_of_the_graph(rows, cols, seed):
    """Cycles around faces, and a path; against networkx, and as the walk says it."""
    rng = random.Random(seed)
    lattice = Lattice(rows, cols)
    ends = lattice.edge_vertices.tolist()
    edges: list[int] = []
    used: set[int] = set()
    for face in rng.sample(range(lattice.num_faces), rng.randrange(lattice.num_faces + 1)):
        square = lattice.face_edges[face].tolist()
        vertices = {vertex for edge in square for vertex in ends[edge]}
        if not vertices & used:
            used |= vertices
            edges += square
    here = path = rng.choice(range(lattice.num_vertices))
    walk = nx.Graph(map(tuple, ends))
    walk.remove_nodes_from(used - {here})
    terminals = []
    if here not in used:
        way = rng.choice(list(nx.single_source_shortest_path(walk, here).values()))
        path = way[-1]
        if path != here:
            terminals = [(here, path)]
            edges += [lattice.edge(*map(lattice.position, step)) for step in pairwise(way)]
    rng.shuffle(edges)
    model = LinkModel.blank_paths(lattice, terminals)
    graph = nx.Graph([ends[edge] for edge in edges])
    maker = CutMaker(model)
    components = maker.components(edges)
    assert sorted(sorted(part.vertices) for part in components) == sorted(
        map(sorted, nx.connected_components(graph))
    )
    assert sorted(edge for part in components for edge in part.edges) == sorted(edges)
    for part in components:
        steps = [*part.vertices, part.vertices[0]] if part.closed else part.vertices
        assert [set(ends[edge]) for edge in part.edges] == [set(step) for step in pairwise(steps)]
    assert [part.closed for part in components] == [False] * len(terminals) + [True] * (
        len(components) - len(terminals)
    )
    literals = [e + 1 if e in edges else -1 - e for e in range(lattice.num_edges)]
    insides: list[list[int]] = []
    chosen, cuts = maker.check([*literals, 10**6], {}, thorough=False, insides=insides)
    assert chosen == tuple(sorted(edges))
    assert len(cuts) == len(components) - len(terminals)
    cycles = maker.components(chosen)[len(terminals) :]
    for cut, part, inside in zip(cuts, cycles, map(set, insides), strict=True):
        assert inside == set(part.vertices)
        crossing = {e + 1 for e, (u, v) in enumerate(ends) if (u in inside) != (v in inside)}
        assert set(cut) == {*crossing, -1 - part.edges[0]}


def test_only_what_is_on_the_board_is_judged():
    """Edges, vertices and arrays from anywhere are refused, and it goes on working."""
    model = LinkModel.blank_paths(LATTICE, [(0, 3)])
    maker = CutMaker(model)
    for edges in ([24], [-1], [2**40], [0, 2, 4, 6], [0], [7], [0, 1], [*range(24)] * 2, [0, 0, 0]):
        with pytest.raises((ValueError, OverflowError)):
            maker.components(edges)
        with pytest.raises((ValueError, OverflowError)):
            maker.cuts(edges, {})
        assert [part.edges for part in maker.components([0, 2, 4])] == [[0, 2, 4]]
    with pytest.raises(ValueError, match="a literal for each edge"):
        maker.check([1] * 23, {}, thorough=True)
    with pytest.raises(TypeError):
        maker.check(["x"] * 24, {}, thorough=True)
    with pytest.raises(ValueError, match="a value for each edge"):
        CutMaker(model, bytes(23))
    rng = random.Random(1)
    for _ in range(2000):
        edges = [rng.randrange(-2, 26) for _ in range(rng.randrange(30))]
        try:
            parts = maker.components(edges)
        except ValueError:
            continue
        assert sorted(edge for part in parts for edge in part.edges) == sorted(edges)


class Fake(SimpleNamespace):
    """What says that it is a board."""

    @property
    def plane(self):
        return PlaneArrays(self)


def faked(**changes):
    """What says that it is the board of 4x4 vertices, but for these changes."""
    board = Lattice(4, 4)
    names = ("num_vertices", "num_edges", "num_faces", "free_masks", "low_masks")
    fake = {name: getattr(board, name) for name in names}
    layout = SimpleNamespace(**board.layout._asdict())
    for name, change in changes.items():
        if name in fake:
            fake[name] = change
        else:
            setattr(layout, name, change)
    return Fake(layout=layout, **fake)


@pytest.mark.parametrize(
    "change",
    [
        {"degrees": bytes(15)},
        {"faces": (0,) * 8},
        {"board": faked(num_vertices=-4)},
        {"board": faked(num_edges=2**33)},
        {"board": faked(num_faces=8)},
        {"board": faked(edge_ends=array("i", [0, 16] * 24))},
        {"board": faked(edge_faces=array("i", [-2, 0] * 24))},
        {"board": faked(edge_ends=array("i", [0, 1]))},
        {"board": faked(face_starts=array("i", [0] * 10))},
        {"board": faked(face_starts=array("i", [0, 36, 0, 36, 0, 36, 0, 36, 0, 36]))},
        {"board": faked(face_starts=array("i", [4, *range(4, 37, 4)]))},
        {"board": faked(face_edges=array("i", [24] * 36))},
        {"terminals": ((0, 16),)},
        {"terminals": ((-1, 0),)},
        {"terminals": ((1, 1),)},
        {"terminals": ((0, 1), (1, 2))},
    ],
)
@pytest.mark.parametrize("kernel", [CutMaker, Rules])
def test_what_is_no_model_is_refused(kernel, change):
    model = LinkModel.blank_paths(LATTICE, [(0, 3)])
    known = {**vars(model), "only_masks": True, "num_variables": 24, "free_ends": False}
    kernel(SimpleNamespace(**known))
    with pytest.raises(ValueError, match="expected"):
        kernel(SimpleNamespace(**known | change))
