"""No cut may exclude a solution, and every cut must exclude what it was made from."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkoracle import Lattice, LinkModel, Numberlink, Slitherlink, Solution
from linkoracle.sat.clauses import CutMaker
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
    assert not maker.is_solution(components)
    cuts = maker.cuts(components, demanding)
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
            wanted = dict(other)
            if sorted(wanted) != tips or wanted == mate:
                continue
            pairs = [(a, b) for a, b in wanted.items() if a < b]
            puzzle = Numberlink.from_pairs(3, 3, pairs)
            maker = CutMaker(puzzle.model)
            chosen = frozenset(lattice.edge(*sorted(edge)) for edge in edges)
            components = maker.components(sorted(chosen))
            assert not maker.is_solution(components)
            cuts = maker.cuts(components, {})
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
    (cut,) = maker.cuts(components, {})
    assert not satisfied(cut, frozenset(wrong.edges))
    for path in brute_force.closed_curves(2, 3, puzzle.ends):
        assert satisfied(cut, frozenset(lattice.edge(*sorted(edge)) for edge in path))
