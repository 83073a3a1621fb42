"""The kernel: published counts, brute force, symmetry, limits."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Slitherlink
from linkoracle.board import ANY_COUNT, PASS, PASS_OR_SKIP, Board, Lattice, LinkModel, Solution
from linkoracle.core import LinkOracleError, MemoryLimit, SearchTimeout
from linkoracle.frontier import Diagram, Plan, Windows, count, finished, plan, sweep
from linkoracle.frontier.registers import Registers
from tests import brute_force
from tests.frontier import reference
from tests.strategies import models, random_model

# ---- published counts ----------------------------------------------------------------------------


@pytest.mark.parametrize("sides", reference.LOOPS)
def test_loops(sides: tuple[int, int]) -> None:
    rows, cols = sides
    for lattice in (Lattice(rows + 1, cols + 1), Lattice(cols + 1, rows + 1)):
        assert count(LinkModel.blank_loop(lattice)) == reference.LOOPS[sides]


@pytest.mark.parametrize("side", range(2, 9))
def test_hamiltonian_cycles(side: int) -> None:
    lattice = Lattice(side, side)
    faces = bytes([ANY_COUNT]) * lattice.num_faces
    model = LinkModel(lattice, bytes([PASS]) * lattice.num_vertices, faces, loop=True)
    assert count(model) == reference.HAMILTONIAN_CYCLES.get(side, 0)


@pytest.mark.parametrize("side", reference.CORNER_PATHS)
def test_corner_paths(side: int) -> None:
    model = LinkModel.blank_paths(Lattice(side, side), [(0, side * side - 1)])
    assert count(model) == reference.CORNER_PATHS[side]


# ---- brute force ---------------------------------------------------------------------------------


@given(models())
@settings(max_examples=400, deadline=None)
def test_agrees_with_brute_force(model: LinkModel) -> None:
    assert count(model) == len(brute_force.model_solutions(model))


@given(models())
@settings(max_examples=200, deadline=None)
def test_lookahead_is_sound(model: LinkModel) -> None:
    with_table = sweep.Sweep(model)
    with_table._pass.foresee(Windows(with_table.plan).prospects())
    assert finished(with_table.count()) == len(brute_force.model_solutions(model))


@pytest.mark.parametrize("spokes", [8, 62, 63, 65, 130])
def test_lookahead_takes_vertices_of_any_degree(spokes: int) -> None:
    model = LinkModel.blank_loop(Board.from_graph(nx.wheel_graph(spokes + 1)))
    with_table = sweep.Sweep(model)
    with_table._pass.foresee(Windows(with_table.plan).prospects())
    # The rim, or an arc of it and two spokes.
    assert finished(with_table.count()) == spokes * (spokes - 1) + 1


@given(models())
@settings(max_examples=150, deadline=None)
def test_tiny_buffers(model: LinkModel) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep, "FIRST_STATES", 1)
        assert count(model) == len(brute_force.model_solutions(model))


@given(models(), st.integers(0, 2**32))
@settings(max_examples=200, deadline=None)
def test_many_words(model: LinkModel, seed: int) -> None:
    """Fields and registers scattered over several words, on boards where one would do."""
    rng = random.Random(seed)

    class Scattered(Registers):
        def keep(self, size: int) -> int:
            self._kept += rng.choice([0, 0, 1, 20, 64])
            return super().keep(size)

        def lend(self, size: int, first: int, last: int) -> int:
            self._free_from.extend([0] * rng.choice([0, 0, 1, 20]))
            return super().lend(size, first + rng.choice([0, -1]), last)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "Registers", Scattered)
        assert count(model) == len(brute_force.model_solutions(model))


def _linked_board(rng: random.Random, rows: int, cols: int) -> list[tuple[int, int]]:
    """Ends of random disjoint walks: pairs that can be joined."""
    lattice = Lattice(rows, cols)
    used: set[int] = set()
    pairs = []
    for _ in range(rng.randint(2, 6)):
        free = sorted(set(range(rows * cols)) - used)
        if not free:
            break
        walk = [rng.choice(free)]
        used.add(walk[0])
        for _ in range(rng.randint(1, 12)):
            ends = lattice.edge_vertices[[e for e in lattice.vertex_edges[walk[-1]] if e >= 0]]
            onward = sorted(set(ends.ravel().tolist()) - used)
            if not onward:
                break
            walk.append(rng.choice(onward))
            used.add(walk[-1])
        if len(walk) > 1:
            pairs.append((walk[0], walk[-1]))
    return pairs


@pytest.mark.parametrize("seed", range(150))
def test_linkings(seed: int) -> None:
    """Boards large enough for paths to go round each other, which small ones do not show."""
    rng = random.Random(seed)
    rows, cols = rng.choice([(4, 4), (4, 5), (5, 4), (4, 6), (5, 5)])
    pairs = _linked_board(rng, rows, cols)
    while len(pairs) < 2:
        pairs = _linked_board(rng, rows, cols)
    model = LinkModel.blank_paths(Lattice(rows, cols), pairs, cover=seed % 3 == 0)
    assert count(model) == brute_force.linkings(model)


def test_pairs_that_alternate_on_the_frontier() -> None:
    """Ends in the order a b a b under a strip: the case that a naive crossing rule loses."""
    # Row 0 holds b, enclosed by an arch of a's path; a's ends stand left and right of it.
    #   . . . . . .
    #   . . b . . .
    #   a . . a . b     and room below for all of them
    #   . . . . . .
    model = LinkModel.blank_paths(Lattice(4, 6), [(12, 15), (8, 17)])
    assert count(model) == brute_force.linkings(model) > 0
    crossing = LinkModel.blank_paths(Lattice(1, 4), [(0, 2), (1, 3)])
    assert count(crossing) == 0


# ---- special boards ------------------------------------------------------------------------------


def test_no_pairs_means_the_empty_set() -> None:
    lattice = Lattice(3, 3)
    blank = LinkModel.blank_paths(lattice, [])
    assert count(blank) == 1
    assert count(LinkModel.blank_paths(lattice, [], cover=True)) == 0
    one = LinkModel(lattice, blank.degrees, bytes([0b10, 31, 31, 31]))
    assert count(one) == 0


def test_empty_set_is_no_loop() -> None:
    lattice = Lattice(3, 3)
    zeros = LinkModel(lattice, bytes([PASS_OR_SKIP]) * 9, bytes([1]) * 4, loop=True)
    assert count(zeros) == 0


def test_single_vertex_and_lines() -> None:
    assert count(LinkModel.blank_loop(Lattice(1, 1))) == 0
    assert count(LinkModel.blank_paths(Lattice(1, 1), [])) == 1
    assert count(LinkModel.blank_paths(Lattice(1, 9), [(0, 8)])) == 1
    assert count(LinkModel.blank_paths(Lattice(9, 1), [(0, 8)], cover=True)) == 1


def _random_loop(rng: random.Random, cells: int) -> Solution:
    """A large loop: the outline of a simply connected region grown at random."""
    inside = {(cells // 2, cells // 2)}
    lattice = Lattice(cells + 1, cells + 1)
    around = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
    for _ in range(cells * cells * 30):
        row, col = rng.randrange(cells), rng.randrange(cells)
        ring = [(row + dr, col + dc) in inside for dr, dc in around]
        changes = sum(ring[k] != ring[k - 1] for k in range(8))
        # One run of neighbours, an edge among them: region and rest both stay connected.
        if (row, col) not in inside and changes == 2 and any(ring[1::2]) and sum(ring) < 6:
            inside.add((row, col))
    chosen = [
        edge
        for edge, (u, v) in enumerate(lattice.edge_vertices.tolist())
        if len(inside & _beside(lattice.position(u), lattice.position(v))) == 1
    ]
    return Solution(lattice, tuple(chosen))


def _beside(u: tuple[int, int], v: tuple[int, int]) -> set[tuple[int, int]]:
    (row, col), (row2, _) = u, v
    return {(row, col), (row, col - 1)} if row2 > row else {(row, col), (row - 1, col)}


@pytest.mark.parametrize("seed", range(3))
def test_wide_clued_boards(seed: int) -> None:
    """26 x 26 cells: several words a state, unless probing finds the line."""
    rng = random.Random(seed)
    loop = _random_loop(rng, 26)
    assert len(loop.paths()) == 1
    clues = loop.face_counts().ravel().tolist()
    for share, exact in ((1.0, 1), (0.9, None)):
        faces = bytes(1 << clue if rng.random() < share else ANY_COUNT for clue in clues)
        blank = LinkModel.blank_loop(loop.lattice)
        model = LinkModel(loop.lattice, blank.degrees, faces, loop=True)
        assert Plan(model).words > 1 or share == 1
        found = count(model, memory=2 << 30)
        assert found >= 1
        assert exact in (None, found)
        assert count(_turned(model), memory=2 << 30) == found


def test_fifteen_pairs_fit() -> None:
    """15 x 15 with 15 pairs, each straight down its column: every vertex used, one way."""
    pairs = [(c, 14 * 15 + c) for c in range(15)]
    model = LinkModel.blank_paths(Lattice(15, 15), pairs)
    assert Plan(model).num_slots == 15
    assert count(model) == 1


# ---- symmetry ------------------------------------------------------------------------------------


def _turned(model: LinkModel) -> LinkModel:
    """The model turned a quarter clockwise."""
    lattice = model.lattice

    def turn(values: bytes, rows: int, cols: int) -> bytes:
        return np.rot90(np.array(list(values), dtype=np.uint8).reshape(rows, cols), -1).tobytes()

    def vertex(v: int) -> int:
        row, col = lattice.position(v)
        return col * lattice.rows + lattice.rows - 1 - row

    return LinkModel(
        Lattice(lattice.cols, lattice.rows),
        turn(model.degrees, lattice.rows, lattice.cols),
        turn(model.faces, lattice.rows - 1, lattice.cols - 1),
        tuple((vertex(a), vertex(b)) for a, b in model.terminals),
        model.loop,
        *_moved_edges(model, vertex),
    )


def _moved_edges(model: LinkModel, vertex: Callable[[int], int]) -> Iterator[tuple[int, ...]]:
    """The given and the forbidden edges of a model whose vertices have been moved."""
    moved = Lattice(model.lattice.cols, model.lattice.rows)
    for edges in (model.given, model.forbidden):
        ends = model.lattice.edge_vertices[list(edges)].tolist()
        yield tuple(moved.edge(*(moved.position(vertex(end)) for end in pair)) for pair in ends)


def _mirrored(model: LinkModel) -> LinkModel:
    """The model turned upside down by transposition: rows become columns."""
    lattice = model.lattice

    def flip(values: bytes, rows: int, cols: int) -> bytes:
        grid = np.array(list(values), dtype=np.uint8).reshape(rows, cols)
        return np.ascontiguousarray(grid.T).tobytes()

    def vertex(v: int) -> int:
        row, col = lattice.position(v)
        return col * lattice.rows + row

    return LinkModel(
        Lattice(lattice.cols, lattice.rows),
        flip(model.degrees, lattice.rows, lattice.cols),
        flip(model.faces, lattice.rows - 1, lattice.cols - 1),
        tuple((vertex(a), vertex(b)) for a, b in model.terminals),
        model.loop,
        *_moved_edges(model, vertex),
    )


@given(st.integers(0, 2**32), st.integers(0, 4), st.sampled_from(["loop", "paths"]))
@settings(max_examples=40, deadline=None)
def test_symmetry(seed: int, pairs: int, kind: str) -> None:
    rng = random.Random(seed)
    rows, cols = rng.choice([(4, 4), (3, 5), (4, 5), (2, 7)])
    model = random_model(rng, rows, cols, pairs, kind)
    expected = count(model)
    for _ in range(4):
        model = _turned(model)
        assert count(model) == expected
        assert count(_mirrored(model)) == expected


# ---- limits, progress, start-up ------------------------------------------------------------------


def test_memory_limit_names_how_far() -> None:
    model = LinkModel.blank_loop(Lattice(17, 17)).with_edges(forbidden=[0])
    with pytest.raises(
        MemoryLimit, match=r"67 MB allowed: .*vertex \d+ of 288 with \d+ states"
    ) as caught:
        count(model, memory=64 << 20)
    assert isinstance(caught.value, LinkOracleError)
    assert isinstance(caught.value, MemoryError)


def test_memory_limit_is_kept() -> None:
    """What a pass that succeeds under a limit holds at any time is within the limit."""
    limit, most = 5 << 20, 0
    running = sweep.Sweep(LinkModel.blank_loop(Lattice(12, 12)), memory=limit)
    for _ in running.count():
        most = max(most, running._pass.used)
    assert running._pass.answer == reference.LOOPS[11, 11]
    assert limit // 2 < most <= limit


@pytest.mark.parametrize("ask", [count, Diagram.build])
def test_any_memory_limit_answers_or_raises(ask: Callable[..., object]) -> None:
    """From less than a pass begins with to more than it needs."""
    raised = 0
    for shift in range(40, 96):
        try:
            ask(LinkModel.blank_loop(Lattice(9, 9)), memory=int(2 ** (shift / 4)))
        except MemoryLimit:
            raised += 1
    assert 10 < raised < 56


def test_progress_sees_every_step() -> None:
    seen: list[tuple[str, float | None]] = []
    model = LinkModel.blank_loop(Lattice(5, 6))
    assert count(model, progress=lambda *state: seen.append(state)) == reference.LOOPS[4, 5]
    assert seen[0] == ("step 1 of 30, 2 states", 1 / 30)
    assert [share for _, share in seen] == [step / 30 for step in range(1, len(seen) + 1)]


def test_progress_may_interrupt() -> None:
    def stop(line: str, share: float | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count(LinkModel.blank_loop(Lattice(8, 8)), progress=stop)
    assert count(LinkModel.blank_loop(Lattice(8, 8))) == reference.LOOPS[7, 7]


@pytest.mark.parametrize("ask", [count, Diagram.build])
def test_limits_that_make_no_sense_are_refused(ask: Callable[..., object]) -> None:
    model = LinkModel.blank_paths(Lattice(2, 3), [(0, 5)])
    for memory in (0, -5, 2.5, "1GB"):
        with pytest.raises(ValueError, match="a memory limit in bytes from 1, got"):
            ask(model, memory=memory)
    for timeout in (0, -1, math.nan, "soon"):
        with pytest.raises(ValueError, match="a positive number of seconds, got"):
            ask(model, timeout=timeout)
    with pytest.raises(ValueError, match="expected a LinkModel or something with"):
        ask(None)


@pytest.mark.parametrize("ask", [count, Diagram.build])
def test_a_time_limit_holds_within_a_step(ask: Callable[..., object]) -> None:
    """Layers of this board take seconds each when it is half done."""
    with pytest.raises(SearchTimeout, match=r"0\.5 s"):
        ask(LinkModel.blank_loop(Lattice(24, 24)).with_edges(given=[0]), timeout=0.5)


def test_puzzles_are_asked_about_as_models_are() -> None:
    puzzle = Slitherlink([[3, None], [None, None]])
    assert count(puzzle) == count(puzzle.model) == Diagram.build(puzzle).count() == 4


@pytest.mark.parametrize("ask", [count, Diagram.build])
def test_what_cannot_fit_is_refused_before_it_is_laid_out(ask: Callable[..., object]) -> None:
    model = LinkModel.blank_loop(Lattice(10**6, 4))
    with pytest.raises(MemoryLimit, match=r"4000000 vertices needs 4 GB for its plan"):
        ask(model, memory=1 << 30)


def test_a_long_board_is_counted() -> None:
    """Loops on a ladder are runs of its rungs."""
    assert count(LinkModel.blank_loop(Lattice(20_000, 2)), timeout=600) == 20_000 * 19_999 // 2
