"""The theorem behind free Numberlink, checked over every path system of small boards."""

from __future__ import annotations

import pytest

from linkoracle import Lattice, Numberlink, Solution, verify
from linkoracle.sat.normal_form import changed_locally
from tests import brute_force


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 4), (3, 3), (3, 4)])
def test_a_local_change_gives_another_solution_and_its_absence_means_something(rows, cols):
    lattice = Lattice(rows, cols)
    by_mate: dict[frozenset, list[Solution]] = {}
    for edges, mate, _ in brute_force.path_systems(rows, cols):
        solution = Solution(lattice, tuple(lattice.edge(*sorted(edge)) for edge in edges))
        by_mate.setdefault(frozenset(mate.items()), []).append(solution)
    changed_ones = rigid_ones = 0
    for mate, solutions in by_mate.items():
        pairs = [(a, b) for a, b in mate if a < b]
        puzzle = Numberlink.from_pairs(rows, cols, pairs)
        normal = [solution for solution in solutions if is_normal(solution)]
        # Every board that has a solution has one in normal form.
        assert normal
        for solution in solutions:
            changed = changed_locally(lattice, solution.edges)
            if changed is not None:
                other = Solution(lattice, changed)
                assert other != solution
                assert verify(puzzle, other)
                changed_ones += 1
            elif is_normal(solution):
                # The theorem: unique iff the only one in normal form.
                assert (len(solutions) == 1) == (normal == [solution])
                rigid_ones += 1
    assert rigid_ones
    if rows * cols > 4:
        assert changed_ones


def is_normal(solution: Solution) -> bool:
    """No chord, and no loose corner whose free cell lies in the row above: by definition."""
    lattice = solution.lattice
    walks = solution.paths()
    path_of = {cell: number for number, walk in enumerate(walks) for cell in walk}
    for u, v in (map(lattice.position, pair) for pair in lattice.edge_vertices.tolist()):
        chosen = lattice.edge(u, v) in solution
        if path_of.get(u, -1) == path_of.get(v, -2) and not chosen:
            return False
    for walk in walks:
        for a, corner, b in zip(walk, walk[1:], walk[2:], strict=False):
            free = (a[0] + b[0] - corner[0], a[1] + b[1] - corner[1])
            if free[0] < corner[0] and free != corner and free not in path_of and a[0] != b[0]:
                return False
    return True
