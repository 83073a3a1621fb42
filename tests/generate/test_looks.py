"""Layout statistics, compared with slower, simpler definitions."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from math import sqrt

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import (
    Board,
    Lattice,
    Numberlink,
    SimpleLoop,
    Slitherlink,
    Solution,
    boards,
)
from linkoracle.deduce import grade
from linkoracle.generate import ClueStatistics, LoopStatistics, PathStatistics, layout_statistics
from linkoracle.generate.looks import (
    bands,
    block_densities,
    clue_statistics,
    empty_rectangle,
    empty_square,
    longest_run,
    number_of,
    path_statistics,
)
from linkoracle.kinds import DIRECTIONS, KINDS, Lines

GRIDS = st.integers(1, 8).flatmap(
    lambda cols: st.lists(
        st.lists(st.sampled_from([None, None, 0, 1, 2, 3]), min_size=cols, max_size=cols),
        min_size=1,
        max_size=8,
    )
)


@given(GRIDS)
def test_runs_and_rectangles_are_the_largest(grid):
    """Compare with all rectangles of the board."""
    rows, cols = len(grid), len(grid[0])
    best = {"clue_run": 0, "blank_run": 0, "empty_rectangle": 0}
    for top, left in product(range(rows), range(cols)):
        for bottom, right in product(range(top + 1, rows + 1), range(left + 1, cols + 1)):
            cells = [grid[row][col] for row in range(top, bottom) for col in range(left, right)]
            in_line = bottom == top + 1 or right == left + 1
            if all(cell is None for cell in cells):
                names = ["empty_rectangle", *["blank_run"] * in_line]
            else:
                names = ["clue_run"] * (in_line and None not in cells)
            for name in names:
                best[name] = max(best[name], len(cells))
    found = clue_statistics(grid)
    assert {name: getattr(found, name) for name in best} == best
    clues = [clue for row in grid for clue in row if clue is not None]
    assert found.density == pytest.approx(len(clues) / (rows * cols))
    assert found.shares == tuple(clues.count(number) / max(1, len(clues)) for number in range(4))


@given(GRIDS)
def test_statistics_of_faces_are_those_of_squares(grid):
    """Compare with the same squares as polygons: regions by networkx, and nearly equal blocks."""
    rows, cols = len(grid), len(grid[0])
    board = boards.from_polygons(
        [(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)]
        for row, col in product(range(rows), range(cols))
    )
    found = layout_statistics(Slitherlink.on(board, [clue for row in grid for clue in row]))
    square = clue_statistics(grid)
    assert found.density == pytest.approx(square.density)
    assert found.shares == square.shares[: len(found.shares)]
    assert sum(found.shares) == pytest.approx(sum(square.shares))
    graph = nx.grid_2d_graph(rows, cols)
    for value, size in ((True, found.clue_region), (False, found.blank_region)):
        cells = [(row, col) for row, col in graph if (grid[row][col] is not None) is value]
        assert size == max(map(len, nx.connected_components(graph.subgraph(cells))), default=0)


def test_blocks_of_faces_are_near_each_other():
    board = boards.from_polygons(
        [(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)]
        for row, col in product(range(10), range(10))
    )
    clues = {face: 2 for face in range(50) if face % 10 < 5}
    assert layout_statistics(Slitherlink.on(board, clues)).block_deviation == pytest.approx(
        sqrt(3) / 4
    )
    bare = Board(board.num_vertices, map(board.ends, range(board.num_edges)), [board.walk(0)])
    assert layout_statistics(Slitherlink.on(bare, "2")).block_deviation == 0


def test_blocks_are_those_of_five():
    grid = [[2 if row < 5 and col < 5 else None for col in range(10)] for row in range(10)]
    shown = [[clue is not None for clue in row] for row in grid]
    assert block_densities(shown) == [1, 0, 0, 0]
    assert clue_statistics(grid).block_deviation == pytest.approx(sqrt(3) / 4)


@given(st.integers(1, 200))
def test_bands_are_as_wide_as_each_other(size):
    found = bands(size)
    assert [place for band in found for place in band] == list(range(size))
    widths = {len(band) for band in found}
    assert max(widths) - min(widths) <= 1
    assert size < 8 or all(4 <= width <= 6 for width in widths)


def test_nothing_on_a_board():
    assert clue_statistics([[None] * 3] * 2) == ClueStatistics(0, 0, 0, 3, 6, (0, 0, 0, 0))
    assert longest_run([], True) == 0
    assert empty_rectangle([[True]]) == 0
    assert path_statistics(Solution(Lattice(2, 2), ())) == PathStatistics(0, 0, 0, 0, 0, 0)


def test_paths():
    pairs = [((0, 0), (0, 3)), ((1, 0), (3, 0)), ((1, 3), (2, 3)), ((3, 1), (3, 2))]
    puzzle = Numberlink.from_pairs(5, 4, [*pairs, ((3, 3), (4, 3))])
    walks = [
        [(0, 0), (0, 1), (0, 2), (0, 3)],
        [(1, 0), (1, 1), (2, 1), (2, 0), (3, 0)],
        *([(1, 3), (2, 3)], [(3, 1), (3, 2)], [(3, 3), (4, 3)]),
    ]
    lattice = Lattice(5, 4)
    ends = [sorted(map(lattice.position, pair)) for pair in lattice.edge_vertices.tolist()]
    steps = [sorted(step) for walk in walks for step in pairwise(walk)]
    line = Solution(lattice, tuple(sorted(map(ends.index, steps))))
    found = layout_statistics(puzzle, line)
    assert isinstance(found, PathStatistics)
    assert (found.links, found.straight, found.short) == (5, 0.8, 0.6)
    assert found.turns == pytest.approx(3 / 5)
    assert found.cells == pytest.approx(15 / 5)
    assert found.covered == pytest.approx(15 / 20)
    assert str(found) == "paths 5, straight 80%, short 60%, turns 0.6, cells 3.0, covered 75%"


def test_what_has_no_statistics_is_refused():
    board = SimpleLoop.on(boards.honeycomb(3, 3), {})
    with pytest.raises(ValueError, match="expected rows and columns of a Simple Loop, found anoth"):
        layout_statistics(board)
    with pytest.raises(ValueError, match="expected a solution, since only a solution has a loop"):
        layout_statistics(Numberlink([[1, 1]]))


@pytest.mark.parametrize("kind", [one for one in KINDS if one not in ("slitherlink", "numberlink")])
def test_statistics_of_loops_are_those_of_their_definitions(kind):
    """Compare with the example of the kind, counted by hand in other ways."""
    puzzle, solution = next(iter(KINDS[kind].examples.values())).of(KINDS[kind])
    found = layout_statistics(puzzle, solution, grade(puzzle))
    assert isinstance(found, LoopStatistics)
    clues = dict(puzzle.clue_cells())
    assert found.clues == len(clues) or not clues
    walk = solution.paths()[0]
    assert found.visited == pytest.approx(len({*walk}) / puzzle.lattice.num_vertices)
    if kind != "hidoku":
        lines = Lines.of(solution)
        turns = sum(map(lines.turns, lines))
        lone = sum(lines.turns(cell) and not any(map(lines.turns, lines[cell])) for cell in lines)
        assert found.turns == pytest.approx(turns / len(lines))
        assert walk[0] != walk[-1] or found.lone == pytest.approx(lone / len(lines))
        runs = [1 + lines.arm(cell, way) for cell in lines for way in DIRECTIONS]
        assert found.straight == max(runs)
    if regions := getattr(puzzle, "regions", ()):
        sizes = Counter(name for row in regions for name in row if name is not None)
        expected = len(sizes), max(sizes.values()), min(sizes.values())
        assert (found.regions, found.largest, found.smallest) == expected
        assert found.single == [*sizes.values()].count(1)
    # Holes are no numbers.
    numbers = [number_of(clue) for clue in clues.values() if puzzle.max_clue != 0]
    for number, share in enumerate(found.shares):
        assert share == pytest.approx(numbers.count(number) / len(numbers))
    assert found.steps == len(grade(puzzle).path)
    assert str(found).startswith(f"clues {found.clues}, visited ")


def test_colours_symmetry_and_equal_neighbours():
    puzzle = KINDS["castlewall"](["2eo . x", ". . .", "x . 2eo"])
    solution = Solution(Lattice(3, 3), ())
    found = layout_statistics(puzzle, solution)
    assert (found.clues, found.black, found.white, found.unnumbered) == (4, 0.5, 0.5, 2)
    assert (found.symmetry, found.equal, found.empty_square) == ("quarter-turn", 0, 1)
    puzzle = KINDS["masyu"](["ww.", "wb.", "..."])
    found = layout_statistics(puzzle, solution)
    assert (found.symmetry, found.equal, found.empty_square) == ("diagonal", 2, 1)


@given(GRIDS)
def test_the_largest_square_without_a_clue(grid):
    shown = [[clue is not None for clue in row] for row in grid]
    rows, cols = len(grid), len(grid[0])
    sides = [
        side
        for top, left in product(range(rows), range(cols))
        for side in range(1, min(rows - top, cols - left) + 1)
        if not any(any(row[left : left + side]) for row in shown[top : top + side])
    ]
    assert empty_square(shown) == max(sides, default=0)


def test_an_open_path_has_clues():
    puzzle = Slitherlink([[2, None]], ends=[(0, 0), (1, 2)])
    found = layout_statistics(puzzle)
    assert found == clue_statistics(puzzle.grid)
    assert str(found) == (
        "density 0.50, blocks 0.000, run 1, blank 1, rectangle 1, 0/1/2/3 0/0/100/0 %"
    )
