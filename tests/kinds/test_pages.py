"""Every kind: its model agrees with its rules, and its example has one solution."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

import pytest

from linkoracle import (
    FormatError,
    Lattice,
    NotSupported,
    PuzzleError,
    Solution,
    count_result,
    draw,
    solve,
    violations,
)
from linkoracle.core import source
from linkoracle.formats import read, write
from linkoracle.generate import makers, puzzles
from linkoracle.kinds import KINDS, disagreement, images
from linkoracle.kinds.checking import random_puzzles

EVERY = list(KINDS)


@pytest.mark.parametrize("kind", EVERY)
def test_the_model_says_what_the_rules_say(kind):
    """Compare both on all loops and other sets of lines of small boards."""
    assert disagreement(KINDS[kind], 1) is None


@pytest.mark.heavy
@pytest.mark.parametrize("kind", EVERY)
def test_the_model_says_what_the_rules_say_at_length(kind):
    """Compare 750 sets of clues per kind; `test_brute_force` has more, of loops only."""
    for seed in range(2, 22):
        assert disagreement(KINDS[kind], seed) is None


@cache
def some_puzzles(kind):
    """Yield generated puzzles of a kind without most of their clues, and random ones."""
    some = []
    if kind in makers():
        for made in puzzles(kind, 3, 4, seed=1, limit=4):
            cells = [cell for cell, _ in made.puzzle.clue_cells()]
            some.append(made.puzzle.with_clues(dict.fromkeys(cells[::2])))
    return [*some, *islice(random_puzzles(KINDS[kind], 3, 4, 24, source(5, 0)), 8)]


def answers(puzzle, limit=5_000):
    """Return the solutions by engine, without engines that do not support the model."""
    found = {}
    for engine in ("sat", "plain", "frontier"):
        try:
            listed = count_result(puzzle, limit, keep=True, engine=engine)
        except NotSupported:
            assert puzzle.model.has_auxiliary or engine == "frontier"
            continue
        assert listed.exact
        found[engine] = sorted(solution.edges for solution in listed.solutions)
    return found


@pytest.mark.parametrize("kind", EVERY)
def test_engines_agree(kind):
    compared = 0
    for puzzle in some_puzzles(kind):
        found = answers(puzzle)
        assert {"sat", "plain"} <= found.keys()
        assert len(set(map(str, found.values()))) == 1, puzzle
        compared += 1
    assert compared > 3


@pytest.mark.parametrize("kind", EVERY)
def test_images_have_as_many_solutions(kind):
    for puzzle in some_puzzles(kind)[:7]:
        counts = {count_result(image, 200, engine="sat").count for image in images(puzzle)}
        assert len(counts) == 1, puzzle


@pytest.mark.parametrize("kind", EVERY)
def test_files_keep_a_puzzle(kind):
    kept = 0
    for puzzle in some_puzzles(kind):
        for form in ("text", "json", *["pzpr"] * (puzzle.pzpr is not None)):
            try:
                text = write(puzzle, form)
            except FormatError:
                # pzpr lacks some kinds, and given lines.
                assert form == "pzpr"
                continue
            # The URL of a Numberlink does not state whether cells may stay empty, and others
            # place the clue of a region in its first cell.
            found = read(text, variant=puzzle.variant)
            if form == "pzpr" and puzzle.pzpr.by_region:
                moved = {cells[0]: clue for cells, _, clue in puzzle.clues_by_region()}
                puzzle = puzzle.with_clues(dict.fromkeys(dict(puzzle.clue_cells()))).with_clues(
                    moved
                )
            assert found == puzzle, text
            kept += 1
    assert kept > 7


@pytest.mark.parametrize("kind", EVERY)
def test_the_example_has_the_solution_that_is_shown(kind):
    page = KINDS[kind]
    assert set(page.instructions) == set(page.variants)
    assert page.examples.keys() == page.variants.keys()
    for variant, example in page.examples.items():
        puzzle, solution = example.of(page, variant)
        assert puzzle.variant == variant
        assert violations(puzzle, solution) == []
        assert count_result(puzzle, 2).count == 1
        assert solve(puzzle) == solution
        assert draw(puzzle, solution) != draw(puzzle)


@pytest.mark.parametrize("kind", ["balanceloop", "shingoki", "castlewall"])
def test_clues_of_lines_as_long_as_large_boards(kind):
    """A loop along the sides of a rectangle has clues of three digits, and files keep them."""
    near, low, far = 1, 4, 102
    solution = Solution.from_paths(
        Lattice(6, 104),
        [
            [
                *((near, col) for col in range(near, far)),
                *((row, far) for row in range(near, low)),
                *((low, col) for col in range(far, near, -1)),
                *((row, near) for row in range(low, near - 1, -1)),
            ]
        ],
    )
    full = KINDS[kind].from_solution(solution)
    cell, clue = max(full.clue_cells(), key=lambda found: len(found[1]))
    assert len(re.sub("[^0-9]", "", clue)) == 3
    puzzle = KINDS[kind].blank(6, 104).with_clues({cell: clue})
    assert violations(puzzle, solution) == []
    for form in ("text", "json", *["pzpr"] * (puzzle.pzpr is not None)):
        assert read(write(puzzle, form)) == puzzle


def test_an_arrow_beyond_the_numbers_of_pzpr():
    puzzle = KINDS["castlewall"].blank(1, 300).with_clues({(0, 0): "256e"})
    with pytest.raises(FormatError, match="cannot say a number as large as 256"):
        write(puzzle, "pzpr")


def test_an_unknown_number_is_no_reason_to_accept_those_below_the_least():
    geradeweg = KINDS["geradeweg"]
    assert list(geradeweg([[-1, 1]]).clue_cells()) == [((0, 0), -1), ((0, 1), 1)]
    for clue in (0, -2, True):
        with pytest.raises(PuzzleError, match=f"expected a number from 1, .* found {clue}"):
            geradeweg([[clue]])
