"""`Family` against Python's sets, on both kinds of decision diagram."""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import LinkModel
from linkoracle.board.solution import Solution
from linkoracle.frontier import Diagram, Family
from linkoracle.frontier import family as family_module
from tests import brute_force
from tests.strategies import models

pytest.importorskip("dd")


@pytest.fixture(params=["zdd", "bdd"])
def package(request: pytest.FixtureRequest) -> Iterator[str]:
    """Both back-ends: the second as if CUDD's diagrams were not built."""
    gc.collect()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(family_module, "_forests", type(family_module._forests)())
        if request.param == "bdd":
            patch.setitem(sys.modules, "dd.cudd_zdd", None)
        else:
            pytest.importorskip("dd.cudd_zdd")
        yield request.param


Sets = set[frozenset[int]]


def _members(family: Family) -> Sets:
    listed = [frozenset(solution.edges) for solution in family]
    assert len(listed) == len(set(listed)) == family.count()
    return set(listed)


def _from_sets(lattice: Lattice, sets: Sets) -> Family:
    return Family.from_solutions(lattice, [Solution(lattice, tuple(s)) for s in sets])


def _random_sets(rng: random.Random, lattice: Lattice) -> Sets:
    edges = range(lattice.num_edges)
    return {
        frozenset(rng.sample(edges, rng.randint(0, 4))) for _ in range(rng.choice([0, 1, 5, 40]))
    }


def test_backend(package: str) -> None:
    family = _from_sets(Lattice(2, 2), {frozenset()})
    assert type(family._forest).__name__ == {"zdd": "_Sparse", "bdd": "_Dense"}[package]


@pytest.mark.usefixtures("package")
def test_algebra() -> None:
    """Forty pairs of families: to change the package takes longer than one of them."""
    for seed in range(40):
        check_algebra(seed)


def check_algebra(seed: int) -> None:
    rng = random.Random(seed)
    lattice = Lattice(*rng.choice([(2, 2), (2, 3), (3, 2), (3, 3)]))
    a, b = _random_sets(rng, lattice), _random_sets(rng, lattice)
    if seed % 3 == 0:
        b |= set(list(a)[: len(a) // 2])
    first, second = _from_sets(lattice, a), _from_sets(lattice, b)
    assert _members(first | second) == _members(first.union(second)) == a | b
    assert _members(first & second) == a & b
    assert _members(first - second) == a - b
    assert (first == second) == (a == b)
    assert first == _from_sets(lattice, a)
    assert hash(first) == hash(_from_sets(lattice, a))
    assert bool(first) == bool(a)
    both = first | second
    assert _members(both.maximal()) == {s for s in a | b if not any(s < t for t in a | b)}
    assert _members(both.minimal()) == {s for s in a | b if not any(t < s for t in a | b)}
    for s in a:
        assert Solution(lattice, tuple(s)) in first
        assert (Solution(lattice, tuple(s)) in second) == (s in b)


@given(models())
@settings(max_examples=100, deadline=None)
def test_from_diagram(model: LinkModel) -> None:
    diagram = Diagram.build(model)
    family = diagram.family()
    assert list(family) == list(diagram)
    assert family.count() == diagram.count()
    assert family == _from_sets(model.lattice, brute_force.model_solutions(model))


@pytest.mark.usefixtures("package")
def test_from_diagram_on_both() -> None:
    for rows, cols in ((2, 2), (3, 4), (4, 3), (1, 3)):
        lattice = Lattice(rows, cols)
        loops = Diagram.build(LinkModel.blank_loop(lattice))
        paths = Diagram.build(LinkModel.blank_paths(lattice, [(0, rows * cols - 1)]))
        for diagram in (loops, paths):
            assert list(diagram.family()) == list(diagram)
        union = loops.family() | paths.family()
        assert union.count() == loops.count() + paths.count()
        # No cycle contains another, and no path between two ends contains another.
        assert loops.family().maximal() == loops.family().minimal() == loops.family()


def test_large_family_counts_exactly() -> None:
    diagram = Diagram.build(LinkModel.blank_loop(Lattice(7, 7)))
    assert diagram.family().count() == 487150371


def test_other_lattices_do_not_mix() -> None:
    one, two = (_from_sets(Lattice(2, side), {frozenset([0])}) for side in (2, 3))
    with pytest.raises(ValueError, match="different boards"):
        one | two
    assert one != two
    with pytest.raises(ValueError, match="another board"):
        Family.from_solutions(Lattice(2, 2), [Solution(Lattice(2, 3))])
    assert Solution(Lattice(2, 3), (0,)) not in one
    assert "edges" not in one
    with pytest.raises(TypeError):
        one | {1}  # type: ignore[operator]
