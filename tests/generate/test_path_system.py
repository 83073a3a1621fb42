from __future__ import annotations

import networkx as nx
from hypothesis import example, given
from hypothesis import strategies as st

from linkoracle import Lattice, Numberlink, check_solution
from linkoracle.board import SYMMETRIES
from linkoracle.core import below, big_below, pick, shuffled, source
from linkoracle.generate import NumberlinkRequest
from linkoracle.generate.paths import PathSystem


def consistent(system: PathSystem, touching: bool) -> None:
    """The links by networkx, from the steps alone, against what the system keeps."""
    graph = nx.Graph()
    graph.add_nodes_from(range(system.board.num_vertices))
    graph.add_edges_from((a, b) for a, near in enumerate(system.linked) for b in near)
    grid = nx.convert_node_labels_to_integers(
        nx.grid_2d_graph(system.board.rows, system.board.cols)
    )
    parts = list(nx.connected_components(graph))
    assert sorted(map(len, parts)) == sorted(system.size.values())
    for part in parts:
        link = graph.subgraph(part)
        assert link.number_of_edges() == len(part) - 1
        assert max(dict(link.degree).values()) <= 2
        assert {system.size[system.label[cell]] for cell in part} == {len(part)}
        assert len({system.label[cell] for cell in part}) == 1
        turns = sum(
            len(near) == 2 and sum(near) != 2 * cell
            for cell, near in enumerate(system.linked)
            if cell in part
        )
        assert system.turns[system.label[min(part)]] == turns
        if not touching:
            assert grid.subgraph(part).number_of_edges() == len(part) - 1
        elif len(part) > 2:
            first, last = (cell for cell in part if link.degree(cell) == 1)
            assert not grid.has_edge(first, last)


@given(st.integers(0, 10**9), st.booleans(), st.sampled_from(SYMMETRIES[:6]))
@example(73692, True, "none")
def test_random_changes_keep_the_rules(seed, touching, symmetry):
    rng = source(seed, 0)
    turns = NumberlinkRequest(4, 4, symmetry=symmetry).paths.images
    system = PathSystem(Lattice(4, 4), turns, touching=touching)
    for _ in range(60):
        before = [sorted(near) for near in system.linked]
        x = below(rng, 16)
        y = pick(rng, system.neighbours[x])
        if y in system.linked[x]:
            done = system.change(out=(x, y))
            # The ends of a piece may touch, which only matters where other cells may.
            assert done or touching
        else:
            out = (y, pick(rng, system.linked[y])) if system.linked[y] else None
            done = system.change(out=out, into=(x, y))
        after = [sorted(near) for near in system.linked]
        for image in turns:
            assert [sorted(image[b] for b in after[a]) for a in range(16)] == [
                after[image[a]] for a in range(16)
            ]
        if rng.random() < 0.3:
            if done:
                system.undo()
            after = [sorted(near) for near in system.linked]
            assert after == before
        elif not done:
            assert after == before
    consistent(system, touching)
    if min(system.size.values()) > 1:
        solution = system.solution()
        assert check_solution(system.puzzle(Numberlink.blank(4, 4, "fill")), solution)


def test_random_numbers_do_not_depend_on_the_python_version():
    """Computed from `random()` alone, whose sequence Python promises to keep."""
    rng = source(1, 2)
    assert [below(rng, 1000) for _ in range(3)] == BELOW
    assert shuffled(source(1, 2), range(6)) == SHUFFLED
    assert big_below(source(1, 2), 10**30) == BIG


BELOW, SHUFFLED, BIG = [266, 102, 535], [5, 3, 4, 2, 0, 1], 337683826765776776940738028706


def test_big_numbers_are_uniform():
    rng = source(0, 0)
    seen = [0] * 5
    for _ in range(5000):
        seen[big_below(rng, 5)] += 1
    assert min(seen) > 850
    assert max(seen) < 1150
