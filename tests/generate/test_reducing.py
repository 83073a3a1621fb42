"""Clue removal: unique, minimal where claimed, and what each strategy promises."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import mean

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkoracle import Slitherlink, is_unique, solve
from linkoracle.board import Lattice, orbits
from linkoracle.core import NothingFound, swept
from linkoracle.deduce import within
from linkoracle.generate import Reduced, reduce_clues
from linkoracle.generate.clues import removal
from linkoracle.generate.clues.removal import Witnesses
from linkoracle.generate.loops.colouring import local_alternatives
from linkoracle.generate.loops.shapes import two_colour
from tests import brute_force
from tests.boards import rim_dots
from tests.search.twin import OracleAlternatives
from tests.strategies import slitherlinks

#: Those that take clues away from a line that is given.
STRATEGIES = ("even", "core", "random", "prefix", "stack")

CENSUS = Path(__file__).resolve().parents[3] / "shared" / "reference" / "slitherlink_census.json"

#: Minimal puzzles of a board without a clue of 4, by brute force over all loops and clue sets: the
#: numbers of the reference file of the census.
MINIMAL = {(1, 1): 1, (1, 2): 4, (2, 2): 24, (2, 3): 276, (3, 3): 5290}


#: Where a cell of a 7x7 board goes.
IMAGES = {
    "half-turn": [lambda row, col: (6 - row, 6 - col)],
    "left-right": [lambda row, col: (row, 6 - col)],
    "top-bottom": [lambda row, col: (6 - row, col)],
    "both": [lambda row, col: (row, 6 - col), lambda row, col: (6 - row, col)],
    "quarter-turn": [lambda row, col: (col, 6 - row)],
    "diagonal": [lambda row, col: (col, row)],
    "antidiagonal": [lambda row, col: (6 - col, 6 - row)],
}


def clues_of(puzzle):
    return dict(puzzle.clue_cells())


def is_minimal(puzzle):
    return not any(is_unique(puzzle.with_clues({cell: None})) for cell in clues_of(puzzle))


def assert_reduced(reduced: Reduced, line):
    assert is_unique(reduced.puzzle)
    assert solve(reduced.puzzle) == line
    assert reduced.clues == len(clues_of(reduced.puzzle))
    if reduced.minimal:
        assert is_minimal(reduced.puzzle)


@pytest.mark.parametrize("strategy", ["even", "core", "random", "prefix"])
@given(rows=st.integers(1, 7), cols=st.integers(1, 7), seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_minimal_on_loops_and_paths(strategy, rows, cols, seed):
    rng = Random(seed)
    ends = tuple(sorted(rng.sample(rim_dots(rows, cols), 2))) if seed % 2 else None
    line = two_colour(rng, rows, cols, ends=ends)
    try:
        reduced = reduce_clues(line, rng, ends=ends, strategy=strategy, minimal=True)
    except NothingFound:
        assert not is_unique(Slitherlink.from_solution(line, ends))
        return
    assert reduced.minimal
    assert_reduced(reduced, line)


@pytest.mark.parametrize(
    "options",
    [
        {"symmetry": "half-turn"},
        {"clues": 24},
        {"must": [(row, col) for row in range(3) for col in range(3)]},
        {"keeps": within("normal")},
        {"keeps": lambda puzzle: puzzle.number_of_clues > 20},
        {"max_failures": 1, "strategy": "random"},
        {"strategy": "stack", "clues": 22},
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_redundant_clues_are_named_where_other_options_keep_them(options, seed):
    reduced = reduce_clues(two_colour(Random(seed), 6, 6), seed, minimal=True, **options)
    redundant = [
        cell
        for cell in clues_of(reduced.puzzle)
        if is_unique(reduced.puzzle.with_clues({cell: None}))
    ]
    assert list(reduced.redundant) == redundant
    assert reduced.minimal == (not redundant)


def test_redundant_clues_are_sought_only_for_minimal_puzzles():
    line = two_colour(Random(1), 6, 6)
    assert reduce_clues(line, 1).redundant is None
    assert reduce_clues(line, 1, minimal=True).redundant == ()


@pytest.mark.parametrize("strategy", ["random", "prefix"])
@given(rows=st.integers(2, 9), cols=st.integers(2, 9), seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_it_reduces_as_its_twin_in_a_given_order(strategy, rows, cols, seed):
    """Without a core, which is the engine's own, the result depends on yes and no alone."""
    ends = tuple(sorted(Random(seed).sample(rim_dots(rows, cols), 2))) if seed % 2 else None
    line = two_colour(Random(seed), rows, cols, ends=ends)
    results = []
    for search in (removal.Alternatives, OracleAlternatives):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(removal, "Alternatives", search)
            try:
                reduced = reduce_clues(line, Random(seed), ends=ends, strategy=strategy)
                results.append(reduced.puzzle)
            except NothingFound:
                results.append(None)
    assert results[0] == results[1]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"symmetry": "half-turn"},
        {"minimal": True},
        {"max_clue_density": 0.4},
        {"max_failures": 3},
        {"strategy": "stack", "clues": 26},
        {"clues": 30},
        {"keeps": within("easy")},
        {"must_not": [(0, 0), (3, 3)], "must": [(1, 1)]},
    ],
)
def test_options_are_respected(options):
    line = two_colour(Random(5), 8, 8)
    reduced = reduce_clues(line, Random(1), **options)
    assert_reduced(reduced, line)
    assert reduced.clues == options.get("clues", reduced.clues)
    assert reduced.minimal == is_minimal(reduced.puzzle) or not reduced.minimal
    assert "keeps" not in options or options["keeps"](reduced.puzzle)
    clues = clues_of(reduced.puzzle)
    assert set(options.get("must", ())) <= set(clues)
    assert set(options.get("must_not", ())).isdisjoint(clues)
    if "symmetry" in options:
        assert all((7 - row, 7 - col) in clues for row, col in clues)


@pytest.mark.parametrize(
    ("rows", "cols", "ends"),
    [
        (8, 8, None),
        (9, 11, None),
        (10, 8, ((0, 3), (7, 8))),
        pytest.param(13, 13, None, marks=pytest.mark.heavy),
        pytest.param(9, 14, None, marks=pytest.mark.heavy),
    ],
)
def test_larger_boards_are_minimal(rows, cols, ends):
    for seed in range(2):
        line = two_colour(Random(seed), rows, cols, ends=ends)
        for strategy in ("even", "core"):
            reduced = reduce_clues(line, Random(seed), ends=ends, strategy=strategy, minimal=True)
            assert reduced.minimal
            assert reduced.queries < rows * cols
            assert_reduced(reduced, line)
        reduced = reduce_clues(line, Random(seed), ends=ends)
        assert_reduced(reduced, line)


@pytest.mark.parametrize("size", [6, 12])
def test_no_side_goes_without_clues(size):
    """With clues assumed in reading order, the last row of large boards had none."""
    shares = {"top": [], "left": [], "right": [], "bottom": []}
    for seed in range(25):
        line = two_colour(Random(seed), size, size)
        clues = reduce_clues(line, Random(seed), strategy="core").puzzle.grid
        left, *_, right = zip(*clues, strict=True)
        for name, line in zip(shares, (clues[0], left, right, clues[-1]), strict=True):
            shares[name].append(1 - line.count(None) / size)
    means = [mean(share) for share in shares.values()]
    assert min(means) > 0.25
    assert max(means) < 0.55


@given(rows=st.integers(1, 12), cols=st.integers(1, 12), seed=st.integers(0, 10**6))
def test_a_board_is_swept_from_a_corner(rows, cols, seed):
    cells = [divmod(cell, cols) for cell in swept(Random(seed), rows, cols)]
    assert sorted(cells) == [(row, col) for row in range(rows) for col in range(cols)]
    (top, left) = cells[0]
    assert top in (0, rows - 1)
    assert left in (0, cols - 1)
    away = [abs(row - top) + abs(col - left) for row, col in cells]
    assert away == sorted(away)


def test_every_corner_is_swept_from():
    assert {swept(Random(seed), 3, 3)[0] for seed in range(40)} == {0, 2, 6, 8}


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3)])
def test_every_minimal_puzzle_of_a_small_board_can_come_out(size):
    """What reducing yields, from every loop in many orders, is what brute force calls minimal."""
    rows, cols = size
    curves = [
        brute_force.face_counts(curve, rows, cols)
        for curve in brute_force.closed_curves(rows, cols, None)
    ]
    minimal = set()
    for number, mine in enumerate(curves):
        differing = [
            sum(1 << face for face in range(rows * cols) if mine[face] != other[face])
            for index, other in enumerate(curves)
            if index != number
        ]
        hits = [all(mask & each for each in differing) for mask in range(1 << rows * cols)]
        for mask, unique in enumerate(hits):
            faces = [face for face in range(rows * cols) if mask >> face & 1]
            if unique and not any(hits[mask ^ 1 << face] for face in faces):
                minimal.add(tuple(mine[f] if f in faces else None for f in range(rows * cols)))
    # The census leaves out the clue 4.
    assert len([p for p in minimal if 4 not in p]) == MINIMAL[size]
    assert MINIMAL[size] == _census().get(f"{rows}x{cols}", {"minimal": MINIMAL[size]})["minimal"]
    reached = set()
    runs = 40 if size != (3, 3) else 3
    for line in _loops(rows, cols):
        for seed in range(runs):
            try:
                reduced = reduce_clues(line, Random(seed), strategy="random")
            except NothingFound:
                break
            puzzle = tuple(clue for row in reduced.puzzle.grid for clue in row)
            assert puzzle in minimal
            reached.add(puzzle)
    share = {(2, 3): 0.9, (3, 3): 0.1}.get(size, 1)
    assert len(reached) >= share * len(minimal)


def _census():
    return json.loads(CENSUS.read_text())["boards"] if CENSUS.exists() else {}


def _loops(rows, cols):
    from linkoracle import solutions

    return list(solutions(Slitherlink.blank(rows, cols)))


@pytest.mark.parametrize("symmetry", IMAGES)
def test_symmetry_is_kept(symmetry):
    for strategy in ("even", "core", "prefix"):
        line = two_colour(Random(2), 7, 7)
        reduced = reduce_clues(line, Random(2), symmetry=symmetry, strategy=strategy, minimal=True)
        assert_reduced(reduced, line)
        assert not reduced.minimal
        kept = {row * 7 + col for row, col in clues_of(reduced.puzzle)}
        assert len(kept) < 49
        for row, col in clues_of(reduced.puzzle):
            for image in IMAGES[symmetry]:
                assert image(row, col) in clues_of(reduced.puzzle)
        for gone in orbits(Lattice(8, 8), symmetry):
            if kept.isdisjoint(gone):
                continue
            without = reduced.puzzle.with_clues({divmod(one, 7): None for one in gone})
            assert not is_unique(without)


def test_a_mask_is_kept():
    line = two_colour(Random(5), 8, 8)
    must = {(0, col) for col in range(8)}
    must_not = {(5, 5), (2, 2), (3, 6)}
    for strategy in STRATEGIES:
        reduced = reduce_clues(
            line, Random(5), must=must, must_not=must_not, strategy=strategy, clues=36
        )
        assert_reduced(reduced, line)
        kept = set(clues_of(reduced.puzzle))
        assert must <= kept
        assert must_not.isdisjoint(kept)
    everything = {(row, col) for row in range(8) for col in range(8)}
    with pytest.raises(NothingFound, match="not unique"):
        reduce_clues(line, Random(5), must_not=everything)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_target_number_of_clues_is_reached(strategy):
    line = two_colour(Random(6), 8, 8)
    reduced = reduce_clues(line, Random(6), strategy=strategy, clues=40)
    assert reduced.clues == 40
    assert_reduced(reduced, line)


def test_the_stack_goes_below_what_one_pass_reaches():
    line = two_colour(Random(1), 6, 6)
    passes = [reduce_clues(line, Random(seed), strategy="random").clues for seed in range(10)]
    goal = sorted(passes)[3]
    assert goal < max(passes)
    for seed in range(5):
        reduced = reduce_clues(line, Random(seed), strategy="stack", clues=goal)
        assert reduced.clues == goal
        assert_reduced(reduced, line)
    with pytest.raises(
        NothingFound, match="were not reduced to 2 clues within 40 queries per cell"
    ):
        reduce_clues(line, Random(1), strategy="stack", clues=2)


def test_it_stops_after_failures():
    line = two_colour(Random(7), 9, 9)
    counts = [
        reduce_clues(line, Random(7), strategy="random", max_failures=k).clues for k in (1, 3, 10)
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[2] >= reduce_clues(line, Random(7), strategy="random").clues
    assert not reduce_clues(line, Random(7), max_failures=1).minimal


def test_a_hook_decides_what_goes():
    line = two_colour(Random(8), 7, 7)
    tested = []

    def many_threes(puzzle):
        tested.append(puzzle)
        return sum(clue == 3 for _, clue in puzzle.clue_cells()) >= 8

    assert many_threes(Slitherlink.from_solution(line))
    for strategy in ("even", "core", "random", "prefix"):
        reduced = reduce_clues(line, Random(8), strategy=strategy, keeps=many_threes)
        assert many_threes(reduced.puzzle)
        assert not reduced.minimal
        assert_reduced(reduced, line)
        for cell in clues_of(reduced.puzzle):
            without = reduced.puzzle.with_clues({cell: None})
            assert not (is_unique(without) and many_threes(without))
    assert all(is_unique(puzzle) for puzzle in tested[:30])


@given(st.sampled_from([(2, 2), (3, 3), (2, 4), (3, 4)]), st.integers(0, 10**6), st.booleans())
@settings(max_examples=30, deadline=None)
def test_local_alternatives_are_alternatives(size, seed, path):
    rows, cols = size
    rng = Random(seed)
    ends = tuple(sorted(rng.sample(rim_dots(rows, cols), 2))) if path else None
    line = two_colour(rng, rows, cols, ends=ends)
    mine = line.face_counts().ravel().tolist()
    differing = set()
    for curve in brute_force.closed_curves(rows, cols, ends):
        theirs = brute_force.face_counts(curve, rows, cols)
        pairs = enumerate(zip(mine, theirs, strict=True))
        differing.add(tuple(face for face, (a, b) in pairs if a != b))
    found = local_alternatives(line, ends)
    assert len(set(found)) == len(found)
    assert set(found) <= differing


@pytest.mark.parametrize("strategy", ["even", "core", "random", "prefix"])
@given(slitherlinks(fixed=True))
@settings(max_examples=25, deadline=None)
def test_what_is_beside_the_clues_of_a_board_stays(strategy, board):
    line = solve(board)
    assume(line is not None)
    bare = replace(board, clues=())
    try:
        reduced = reduce_clues(line, 1, board=board, strategy=strategy, minimal=True)
    except NothingFound:
        assert not is_unique(replace(board, clues=line.counts()))
        return
    assert_reduced(reduced, line)
    assert reduced.minimal
    assert replace(reduced.puzzle, clues=bare.clues) == bare


def test_lines_that_are_given_spare_clues():
    """With all of a line given, it needs no clue."""
    line = two_colour(Random(3), 6, 6)
    position = line.lattice.position
    given_lines = [tuple(map(position, line.lattice.ends(edge))) for edge in line]
    board = Slitherlink([[None] * 6] * 6, given=given_lines)
    assert reduce_clues(line, 1, board=board, minimal=True).clues == 0
    assert reduce_clues(line, 1, minimal=True).clues > 0


def test_a_board_that_the_line_does_not_solve():
    line = two_colour(Random(3), 6, 6)
    unused = next(edge for edge in range(line.lattice.num_edges) if edge not in line)
    ends = tuple(map(line.lattice.position, line.lattice.ends(unused)))
    with pytest.raises(ValueError, match="does not solve this board"):
        reduce_clues(line, board=Slitherlink([[None] * 6] * 6, given=[ends]), seed=0)
    with pytest.raises(ValueError, match="expected a solution of the board"):
        reduce_clues(line, board=Slitherlink.blank(5, 6), seed=0)
    with pytest.raises(ValueError, match="no ends beside it"):
        reduce_clues(line, board=Slitherlink.blank(6, 6), ends=((0, 0), (6, 6)), seed=0)


def test_witnesses_name_what_is_needed():
    witnesses = Witnesses([(0, 1, 2), (2, 3), (4,)], range(4))
    assert witnesses.needed == set()
    assert witnesses.remove(3) == [2]
    assert witnesses.remove(0) == []
    assert witnesses.needed == {2}
