"""Puzzles made on the faces of boards that are not square."""

from __future__ import annotations

from itertools import combinations
from random import Random

import networkx as nx
import pytest

from linkoracle import (
    Board,
    Lattice,
    Numberlink,
    SimpleLoop,
    Slitherlink,
    Solution,
    boards,
    check_solution,
    count,
    is_unique,
    solutions,
)
from linkoracle.board import orbits
from linkoracle.core import NothingFound, PuzzleError
from linkoracle.generate import (
    NumberlinkRequest,
    PuzzleRequest,
    SlitherlinkRequest,
    add_clues,
    fewest,
    made_on_boards,
    make,
    numberlink,
    puzzle,
    puzzles,
    request_for,
    request_on,
    slitherlink,
)
from tests.boards import delaunay, plane_board, polygons, without_labels

NAMES = ("honeycomb 4 5", "triangular 3 4", "cairo 3 4", "kagome 3 3", "snub_square 3 3")
#: Two triangles with a side in common, and one that shares only a corner.
APART = Board(
    6,
    [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 5)],
    [[0, 1, 2], [1, 3, 2], [3, 4, 5]],
)
OWN = without_labels(delaunay(Random(4), 40, 1.0))


def named(name: str):
    return OWN if name == "own" else boards.named(name)


@pytest.mark.parametrize("name", [*NAMES, "own"])
def test_simple_loops_have_one_solution(name):
    board = named(name)
    made = puzzle("simpleloop", board, seed=3)
    assert count(made.puzzle, limit=2, engine="plain") == 1
    assert check_solution(made.puzzle, made.solution)
    assert made.puzzle == make(request_for("simpleloop", board=board), seed=3).puzzle
    assert made.puzzle.number_of_clues < board.num_faces / 2


def test_the_holes_of_a_simple_loop_are_needed():
    """No flip that fills holes leaves one solution, as where all cells are passed."""
    made = puzzle("simpleloop", board=boards.named("honeycomb 4 4"), seed=1)
    for hole in made.puzzle.holes:
        assert count(made.puzzle.with_clues({hole: None}), limit=2) != 1


@pytest.mark.parametrize("minimal", [False, True])
@pytest.mark.parametrize("unmarked", ["none", "either"])
@pytest.mark.parametrize("name", [*NAMES, "own"])
def test_masks_say_which_faces_have_clues(name, unmarked, minimal):
    board = named(name)
    marks = [Random(seed).choice("??????#._") for seed in range(board.num_faces)]
    mask = ["".join(marks)]
    options = {"mask": mask, "unmarked": unmarked, "minimal": minimal}
    request = request_for("slitherlink", board=board, **options)
    made = slitherlink(request, seed=1)
    shown = {face for face, _ in made.puzzle.clue_cells()}
    hidden = "._" if unmarked == "none" else "."
    assert shown.issuperset(face for face, mark in enumerate(marks) if mark == "#")
    assert shown.isdisjoint(face for face, mark in enumerate(marks) if mark in hidden)
    assert list(solutions(made.puzzle, engine="plain")) == [made.solution]
    if minimal:
        spare = {face for face in shown if is_unique(made.puzzle.with_clues({face: None}))}
        assert spare == set(made.redundant) <= request.must


def test_loops_that_a_mask_does_not_suit_are_counted():
    with pytest.raises(NothingFound, match="3 are not unique without the clues that must"):
        slitherlink(BOARD, must_not=range(1, BOARD.num_faces), tries=3, seed=1)


@pytest.mark.parametrize("variant", ["free", "fill"])
@pytest.mark.parametrize("name", [*NAMES, "own"])
def test_numberlinks_have_one_solution_that_passes_every_cell(name, variant):
    board = named(name)
    request = NumberlinkRequest(board=board, variant=variant)
    made = numberlink(request, seed=2)
    assert made.puzzle.variant == variant
    assert count(made.puzzle, limit=2, engine="plain") == 1
    assert check_solution(made.puzzle, made.solution)
    walks = made.solution.paths()
    assert sorted(face for walk in walks for face in walk) == list(range(board.num_faces))
    low, high = request.pair_range
    assert low <= len(walks) <= high
    assert min(map(len, walks)) >= request.paths.shortest
    assert numberlink(request, seed=2) == made


def test_numberlinks_are_as_requested():
    board = boards.triangular(4, 4)
    for pairs, longest in ((4, 14), (6, 8), ((7, 8), None)):
        made = numberlink(board, pairs=pairs, max_length=longest, seed=5)
        low, high = pairs if isinstance(pairs, tuple) else (pairs, pairs)
        assert low <= len(made.puzzle.pairs()) <= high
        assert max(map(len, made.solution.paths())) <= (longest or board.num_faces)
        assert is_unique(made.puzzle)


def test_puzzles_differ():
    found = {made.puzzle for made in puzzles("simpleloop", OWN, seed=1, limit=4)}
    assert len(found) == 4


def test_what_is_made_on_boards():
    kinds = ("slitherlink", "numberlink", "simpleloop", "masyu", "yajilin")
    assert [*map(made_on_boards, kinds)] == [True, True, True, False, False]
    board = boards.cairo(3, 3)
    for kind in (Slitherlink, Numberlink, SimpleLoop):
        made = make(request_on(kind.on(board)), seed=1)
        assert made.puzzle.tiling == board
        assert is_unique(made.puzzle)


@pytest.mark.parametrize(
    ("name", "symmetry"),
    [
        ("honeycomb 5 5", "left-right"),
        ("honeycomb 4 6", "half-turn"),
        ("snub_square 5 5", "quarter-turn"),
        ("cairo 5 5", "both"),
        ("compass_dodecagonal 3 3", "diagonal"),
        ("octagonal 6 6", "antidiagonal"),
    ],
)
@pytest.mark.parametrize("minimal", [False, True])
def test_cells_with_clues_have_the_symmetry(name, symmetry, minimal):
    board = boards.named(name)
    made = slitherlink(board, seed=1, symmetry=symmetry, minimal=minimal)
    shown = {face for face, _ in made.puzzle.clue_cells()}
    every = orbits(board, symmetry)
    assert max(map(len, every)) > 1
    assert all(shown >= {*orbit} or shown.isdisjoint(orbit) for orbit in every)
    assert is_unique(made.puzzle)
    if minimal and board.num_faces < 100:
        for orbit in every:
            if shown.issuperset(orbit):
                assert not is_unique(made.puzzle.with_clues(dict.fromkeys(orbit)))
        spare = [face for face in shown if is_unique(made.puzzle.with_clues({face: None}))]
        assert sorted(made.redundant) == sorted(spare)


@pytest.mark.parametrize(
    ("options", "least", "most"),
    [
        ({"clue_density": 0.6}, 18, 18),
        ({"strategy": "stack", "clues": 14}, 14, 14),
        ({"strategy": "random", "clues": 15}, 15, 30),
        ({"strategy": "prefix"}, 1, 17),
        ({"strategy": "core", "symmetry": "half-turn"}, 1, 20),
        ({"max_failures": 2}, 1, 30),
        ({"difficulty": "easy", "clue_density": 0.5}, 10, 30),
    ],
)
def test_clues_of_a_board_are_as_asked_for(options, least, most):
    board = boards.honeycomb(5, 6)
    made = slitherlink(board, seed=3, **options)
    assert count(made.puzzle, limit=2, engine="plain") == 1
    assert least <= made.puzzle.number_of_clues <= most
    if "prefix" in options.values():
        clues = dict(made.puzzle.clue_cells())
        assert made.minimal
        assert not any(is_unique(made.puzzle.with_clues({face: None})) for face in clues)


def told_by_fewest(every: list[tuple[int, ...]], mine: tuple[int, ...], free: list[int]) -> int:
    """Return the least number of ``free`` faces that distinguish a loop from all others."""
    others = [one for one in every if one != mine]
    return next(
        size
        for size in range(len(free) + 1)
        for some in combinations(free, size)
        if all(any(one[face] != mine[face] for face in some) for one in others)
    )


def counts_of_loops(board) -> list[tuple[int, ...]]:
    """The counts around faces of each loop, once for each loop."""
    graph = nx.Graph(list(map(board.ends, range(board.num_edges))))
    found = []
    for cycle in nx.simple_cycles(graph):
        edges = {board.edge(*two) for two in zip(cycle, [*cycle[1:], cycle[0]], strict=True)}
        found.append(Solution(board, tuple(edges)))
    return [tuple(map(int, one.counts())) for one in found]


@pytest.mark.parametrize("seed", range(12))
def test_the_fewest_clues_of_a_loop(seed):
    rng = Random(seed)
    board = plane_board(rng)
    every = sorted(counts_of_loops(board))
    alone = [one for one in every if every.count(one) == 1]
    for mine in rng.sample(alone, min(3, len(alone))):
        (loop,) = solutions(Slitherlink.on(board, dict(enumerate(mine))))
        found = fewest(loop)
        assert found.proven
        assert is_unique(found.puzzle)
        assert found.clues == told_by_fewest(every, mine, list(range(board.num_faces)))
    if alone != every:
        shared = next(one for one in every if every.count(one) > 1)
        loop = next(iter(solutions(Slitherlink.on(board, dict(enumerate(shared))))))
        with pytest.raises(NothingFound):
            fewest(loop)


@pytest.mark.parametrize("seed", range(12))
def test_the_fewest_clues_that_make_a_board_unique(seed):
    """Against all sets of faces, for all loops that the clues of the board allow."""
    rng = Random(seed)
    board = polygons(rng, 8) if seed % 2 else plane_board(rng)
    every = sorted(counts_of_loops(board))
    if not every:
        return
    model = rng.choice(every)
    clues = {face: number for face, number in enumerate(model) if rng.random() < 0.2}
    puzzle = Slitherlink.on(board, clues)
    fit = [one for one in every if all(one[face] == number for face, number in clues.items())]
    free = [face for face in range(board.num_faces) if face not in clues]
    alone = [one for one in fit if fit.count(one) == 1]
    if not alone:
        with pytest.raises(NothingFound):
            add_clues(puzzle)
        return
    added = add_clues(puzzle)
    assert added.proven
    assert is_unique(added.puzzle)
    assert dict(added.puzzle.clue_cells()).items() >= clues.items()
    assert len(added.cells) == min(told_by_fewest(fit, one, free) for one in alone)


def test_as_few_clues_as_a_made_loop_allows():
    made = slitherlink(boards.cairo(3, 3), seed=1, strategy="fewest")
    assert made.lower_bound == made.puzzle.number_of_clues
    assert made.minimal
    assert is_unique(made.puzzle)


BOARD = boards.honeycomb(4, 4)


@pytest.mark.parametrize(
    ("request_of", "reason"),
    [
        (lambda: PuzzleRequest("masyu", board=BOARD), "Masyus are made on rows and columns only"),
        (lambda: PuzzleRequest("simpleloop", 4, 4, board=BOARD), "or a board, got both"),
        (lambda: PuzzleRequest("simpleloop", board=Lattice(3, 3)), "that is not square"),
        (
            lambda: NumberlinkRequest(board=BOARD, symmetry="both"),
            "symmetry needs rows and columns",
        ),
        (lambda: NumberlinkRequest(board=BOARD, must=[(0, 0)]), "must needs rows and columns"),
        (lambda: NumberlinkRequest(4, 4, board=BOARD), "rows and columns, or a board, got both"),
        (lambda: NumberlinkRequest(board=BOARD, pairs=9), "do not fit on honeycomb 4 4"),
        (
            lambda: SlitherlinkRequest(board=BOARD, symmetry="diagonal"),
            r"this board \(none, half-turn\), got",
        ),
        (
            lambda: SlitherlinkRequest(board=BOARD, strategy="fewest", minimal=True),
            "the search for the fewest clues takes no minimal",
        ),
        (
            lambda: request_for("slitherlink", board=BOARD, strategy="fewest", must_not=[0]),
            "the search for the fewest clues takes no must_not",
        ),
        (
            lambda: request_for("slitherlink", board=BOARD, strategy="mask"),
            "the strategy mask needs rows and columns",
        ),
        (
            lambda: request_for("slitherlink", board=BOARD, must=[16]),
            "expected a face from 0 to 15, got 16",
        ),
        (
            lambda: request_for("slitherlink", board=BOARD, must=[1], must_not=[1]),
            "the cell 1 cannot both",
        ),
        (
            lambda: request_for("slitherlink", board=BOARD, mask=["#" * 9]),
            "a mask of 16 marks, .* got 9",
        ),
        (
            lambda: request_for("slitherlink", board=BOARD, mask=["3" * 16]),
            "digits in a mask need rows and columns",
        ),
        (
            lambda: request_for("numberlink", board=APART),
            "no path can use face 2: it shares no side with another",
        ),
    ],
)
def test_what_makes_no_sense(request_of, reason):
    with pytest.raises(ValueError, match=reason):
        request_of()


def test_a_board_may_be_asked_for_without_a_symmetry():
    made = [numberlink(BOARD, seed=4, **how).puzzle for how in ({}, {"symmetry": "none"})]
    assert made[0] == made[1]


def test_a_board_without_a_loop_through_cells():
    with pytest.raises(PuzzleError, match="cells all around a dot"):
        puzzle("simpleloop", board=boards.from_polygons([[(0, 0), (1, 0), (0, 1)]]), seed=1)
