"""Blank boards whose kept layers cannot fit are refused before a pass begins, and no others."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkoracle
from linkoracle import Lattice, LinkModel, MemoryLimit, Slitherlink
from linkoracle.frontier import finished
from linkoracle.frontier.sweep import Sweep, least_kept


def kept(model: LinkModel) -> int:
    """The bytes of all layers that a pass keeps."""
    return sum(layer.nbytes for layer in finished(Sweep(model, keep=True, threads=1).layers()))


@given(st.integers(1, 9), st.integers(1, 12))
@settings(max_examples=40, deadline=None)
def test_the_bound_holds_for_loops(rows, cols):
    model = LinkModel.blank_loop(Lattice(rows, cols))
    assert least_kept(model) <= kept(model)


@given(st.data(), st.integers(2, 8), st.integers(2, 10))
@settings(max_examples=60, deadline=None)
def test_the_bound_holds_for_paths(data, rows, cols):
    vertices = st.integers(0, rows * cols - 1)
    pair = data.draw(st.tuples(vertices, vertices).filter(lambda ends: ends[0] != ends[1]))
    model = LinkModel.blank_paths(Lattice(rows, cols), [pair])
    assert least_kept(model) <= kept(model)


def test_the_bound_is_tight_on_large_boards():
    model = LinkModel.blank_loop(Lattice(11, 11))
    assert least_kept(model) > 0.9 * kept(model)


@pytest.mark.parametrize(
    ("board", "said"),
    [
        (Slitherlink.blank(20, 20), r"all loops on 20x20 cells needs at least 5\d\d GB of memory "),
        (Slitherlink.blank(20, 20, ((0, 0), (20, 20))), "all paths between two ends on 20x20"),
        (Slitherlink.blank(13, 2000), "on 13x2000 cells needs at least 33 GB"),
        (Slitherlink.blank(900, 1000), "on 900x1000 cells needs at least"),
    ],
    ids=["loops", "paths", "long", "huge"],
)
@pytest.mark.parametrize("memory", [10**9, None])
def test_what_cannot_fit_is_refused_before_the_first_step(board, said, memory, monkeypatch):
    monkeypatch.setattr("linkoracle.frontier.sweep.default_limit", lambda: 4 * 10**9)
    steps: list[str] = []
    with pytest.raises(MemoryLimit, match=said) as caught:
        linkoracle.frontier.Diagram.build(
            board, memory=memory, progress=lambda line, _: steps.append(line)
        )
    assert f"(limit: {'8 GB' if memory is None else '1 GB'}). Choose a smaller" in str(caught.value)
    assert steps == []


def test_what_fits_is_not_refused():
    board = Slitherlink.blank(9, 9)
    needed = least_kept(board.model)
    assert linkoracle.diagram(board, memory=5 * needed).count() == 27359264067916806101
    with pytest.raises(MemoryLimit, match=r"at least 1\.6 MB"):
        linkoracle.diagram(board, memory=needed - 1)


def test_clues_and_other_rules_are_not_refused():
    """They keep the frontier in few states: only the pass itself can say what it needs."""
    full = Slitherlink.from_solution(linkoracle.generate.loop(20, 20, seed=1))
    assert linkoracle.diagram(full, memory=50_000_000).count() == 1
    blank = Slitherlink.blank(20, 20).model
    assert least_kept(blank.with_edges(given=[0])) == least_kept(blank.with_holes([30])) == 0
    assert least_kept(Slitherlink.blank(20, 20).with_clues({(0, 0): 3}).model) == 0
    assert least_kept(linkoracle.SimpleLoop.blank(20, 20).model) == 0
    two_pairs = LinkModel.blank_paths(Lattice(20, 20), [(0, 5), (9, 300)])
    assert least_kept(two_pairs) == 0
    assert least_kept(LinkModel.blank_loop(linkoracle.boards.honeycomb(20, 20))) == 0


@pytest.mark.parametrize("sides", [(3, 300), (3, 2000)])
def test_a_list_goes_on_without_the_diagram(sides):
    board = Slitherlink.blank(*sides)
    listed = linkoracle.solutions(board, memory=1000)
    found = {next(listed) for _ in range(130)}
    assert len(found) == 130
    assert all(linkoracle.check_solution(board, one) for one in found)
