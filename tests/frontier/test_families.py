"""`Family` against Python's sets, and as functions of the package `dd`."""

from __future__ import annotations

import pickle
import random
from threading import Thread
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings

from linkoracle import census, graphs
from linkoracle.board import Lattice, LinkModel, Solution
from linkoracle.frontier import Diagram, Family
from tests import brute_force
from tests.strategies import models

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


@pytest.mark.parametrize("seed", range(40))
def test_algebra(seed: int) -> None:
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


def test_families_of_loops_and_paths() -> None:
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
    puzzles = census.instances(2, 2)
    for family in (one, puzzles):
        with pytest.raises(TypeError, match="expected a family, got set"):
            family | {1}  # type: ignore[operator]
    with pytest.raises(ValueError, match="different boards"):
        one | puzzles  # type: ignore[operator]
    with pytest.raises(ValueError, match="one call"):
        puzzles | one  # type: ignore[operator]


def test_other_orders_do_not_mix() -> None:
    graph = nx.complete_graph(5)
    one, two = (
        graphs.all_simple_paths(graph, 0, 1, order=order).family()
        for order in (None, [3, 1, 0, 2, 4])
    )
    assert one.count() == two.count() == 16
    with pytest.raises(ValueError, match="different boards or orders"):
        one | two
    assert set(one) == set(two)
    assert one != two


def test_equal_families_are_one_node_however_they_were_made() -> None:
    """Also in a space with other nodes: in an index, and in no layers."""
    lattice = Lattice(4, 4)
    loops = Diagram.build(LinkModel.blank_loop(lattice))
    before = loops.excluding([5]).family()
    part = loops.including([0]).family()
    assert part == loops.family().including([0]) == loops.family() - loops.excluding([0]).family()
    assert part == Family.from_solutions(lattice, loops.including([0]))
    assert pickle.loads(pickle.dumps(part)) == part
    assert before == Family.from_solutions(lattice, loops) - loops.including([5]).family()
    assert (before | part).count() == sum(0 in one.edges or 5 not in one.edges for one in loops)


@pytest.mark.parametrize("side", [44, 45, 46])
def test_large_boards(side: int) -> None:
    """Operations are calls nested as deep as there are edges, also in a thread."""
    lattice = Lattice(side, side)
    last = lattice.num_edges - 1
    sets = [frozenset({0, last}), frozenset(range(last)), frozenset({0}), frozenset({last})]
    family = _from_sets(lattice, set(sets))
    assert _members(family) == set(sets)
    assert _members(family.including([0]).excluding([last])) == {sets[1], sets[2]}
    assert Solution(lattice, (0, last)) in family
    assert pickle.loads(pickle.dumps(family)) == family
    found: list[Any] = []

    def work() -> None:
        try:
            least, most = family.minimal(), family.maximal()
            found.extend(map(_members, (least, most, least | most, family - least)))
        except ValueError as error:
            found.append(str(error))

    thread = Thread(target=work)
    thread.start()
    thread.join()
    if lattice.num_edges > 4096:
        assert found == [f"expected at most 4096 variables for operations, got {last + 1}"]
    else:
        assert found == [set(sets[2:]), set(sets[:2]), set(sets), set(sets[:2])]


def _manager(name: str) -> Any:
    """A manager of `dd`; the compiled one is not built everywhere."""
    module, kind = name.rsplit(".", 1)
    return getattr(pytest.importorskip(f"dd.{module}"), kind)()


def _of_dd(manager: Any, function: Any, board: Any) -> Sets:
    """The edge sets for which a function is true."""
    care = {f"e{edge}" for edge in range(board.num_edges)}
    return {
        frozenset(int(name[1:]) for name, value in values.items() if value)
        for values in manager.pick_iter(function, care_vars=care)
    }


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["autoref.BDD", "cudd.BDD"])
def test_families_for_dd(name: str, seed: int) -> None:
    """Into a manager whose variables stand in another order, and beside one of its own."""
    rng = random.Random(seed)
    lattice = Lattice(*rng.choice([(2, 2), (2, 3), (3, 2)]))
    manager = _manager(name)
    manager.declare("a", *(f"e{edge}" for edge in rng.sample(range(lattice.num_edges), 3)))
    a, b = _random_sets(rng, lattice), _random_sets(rng, lattice)
    (same, one), (_, other) = (_from_sets(lattice, sets).to_dd(manager) for sets in (a, b))
    assert same is manager
    assert _of_dd(manager, one, lattice) == a
    assert _of_dd(manager, one | other, lattice) == a | b
    assert _of_dd(manager, one & ~other, lattice) == a - b
    assert (one == other) == (a == b)


@given(models())
@settings(max_examples=40, deadline=None)
def test_diagrams_for_dd(model: LinkModel) -> None:
    diagram = Diagram.build(model)
    manager, function = diagram.to_dd()
    expected = {frozenset(one.edges) for one in diagram}
    assert _of_dd(manager, function, model.board) == expected
    assert function.count(nvars=model.board.num_edges) == diagram.count()
    assert manager.var_levels == {f"e{edge}": at for at, edge in enumerate(diagram.edge_order)}
