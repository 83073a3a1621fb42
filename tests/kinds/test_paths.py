"""Zip and Numbrix: order along a path. Variants that use every dot, or with paths apart."""

from __future__ import annotations

import pytest

from linkoracle import (
    Numberlink,
    PuzzleError,
    Slitherlink,
    certificate,
    count,
    generate,
    is_unique,
    read,
    solutions,
    solve,
    violations,
    write,
)
from linkoracle.certificates import record_of
from linkoracle.certificates import verify_certificate as checker
from linkoracle.deduce import DeductionState
from linkoracle.deduce.board import CROSS, LINE, OPEN
from linkoracle.kinds import KINDS

Zip, Numbrix = KINDS["zip"], KINDS["numbrix"]


def test_a_path_and_its_reverse():
    """A path and its reverse have the same lines, so numbers must show which end is first."""
    three = Numbrix([[None] * 3])
    assert [count(three.with_clues({(0, 0): number})) for number in (1, 2, 3, 4)] == [1, 0, 1, 0]
    # A number in the middle of the path leaves no solution on any cell.
    assert count(three.with_clues({(0, 1): 2})) == count(three) == 0
    path = solve(three.with_clues({(0, 0): 1}))
    assert violations(three.with_clues({(0, 1): 2}), path) == [
        "no number shows which end of the path is the first"
    ]
    # A path of even length has no middle cell.
    assert count(Numbrix([[None, 2, None, None]])) == count(Numbrix([[None, 3, None, None]])) == 1
    assert count(Zip([[1, None, 2]])) == count(Zip([[2, None, 1]])) == 1
    assert violations(Zip([[1, None, None]]), path) == ["there are fewer than two numbers"]


def test_numbers_in_order():
    for numbers, expected in (([1, 2, 3], 1), ([1, 3, 2], 0), ([3, 2, 1], 1), ([2, 5, 9], 1)):
        puzzle = Zip([[numbers[0], None, numbers[1], None, numbers[2]]])
        assert count(puzzle, engine="sat") == count(puzzle, engine="plain") == expected
    puzzle = Zip([[4, None, 7, None, 12]])
    assert puzzle.renumbered() == Zip([[1, None, 2, None, 3]])
    assert count(Numbrix([[1, None, 4, None]])) == 0
    assert count(Numbrix([[1, None, 3, None]])) == 1
    assert count(Numbrix([[1, None, 3, 40]])) == 0


def test_walls_and_holes():
    blank = Zip([[1, None], [2, None]])
    assert count(blank) == 1
    assert count(Zip(blank.grid, walls=[((0, 0), (1, 0))])) == 1
    assert count(Zip(blank.grid, walls=[((0, 1), (1, 1))])) == 0
    walled = Zip([[1, None, None], [None, None, None], [None, None, 2]], walls=[((1, 0), (1, 1))])
    assert {count(image) for image in (walled, walled.rotate(), walled.reflect())} == {1}
    through = next(one for one in solutions(Zip(walled.grid)) if one != solve(walled))
    assert violations(walled, through) == ["a line passes through the wall 1,0-1,1"]
    for kind in (Zip, Numbrix):
        ring = kind([[1, None, None], [8, 0, None], [None, None, None]])
        assert count(ring) == 1
        assert read(write(ring, "text")) == ring
        assert violations(ring, solve(kind([[1, None], [4, None]]))) != []


@pytest.mark.parametrize(
    ("kind", "grid", "more", "reason"),
    [
        (Zip, [[1, 2, 1]], {}, "expected the number 1 once, found it twice"),
        (Numbrix, [[3, None, 3]], {}, "expected the number 3 once, found it twice"),
        (Numbrix, [[-1]], {}, "expected a number from 1, or a hole"),
        (Zip, [["a"]], {}, "expected a number from 1, or a hole"),
        (Zip, [[1, 2]], {"walls": [((0, 0), (1, 0))]}, "expected walls between neighbours"),
        (
            Zip,
            [[1, 2]],
            {"walls": [((0, 0), (0, 1))], "given": [((0, 1), (0, 0))]},
            "expected no wall across a given line, found 0,0-0,1",
        ),
        (Zip, [[1, 0]], {"given": [((0, 0), (0, 1))]}, "expected given lines that avoid holes"),
    ],
)
def test_what_makes_no_sense(kind, grid, more, reason):
    with pytest.raises(PuzzleError, match=reason):
        kind(grid, **more)


@pytest.mark.parametrize("kind", ["zip", "numbrix"])
def test_made_puzzles(kind):
    for size, minimal in ((5, True), (6, False)):
        made = generate.puzzle(kind, size, size, seed=size, minimal=minimal)
        assert list(solutions(made.puzzle, engine="plain")) == [made.solution]
        assert made.puzzle == made.puzzle.renumbered()
        proof = certificate(made.puzzle)
        assert checker.verify(proof.data, checker.Puzzle(record_of(made.puzzle)))[1] == 1
        if minimal:
            for cell, _ in made.puzzle.clue_cells():
                fewer = made.puzzle.with_clues({cell: None})
                # Without a number at an end, the path may end elsewhere.
                assert not is_unique(fewer) or solve(fewer) != made.solution


def test_every_dot():
    url = "https://puzz.link/p?slither/f/5/5/kdgbdp"
    puzzle = read(url)
    assert (puzzle.variant, write(puzzle, "pzpr")) == ("fill", url)
    loop = puzzle.with_variant("loop")
    assert (loop.variant, write(loop, "pzpr")) == ("loop", url.replace("/f", ""))
    assert count(puzzle) == 1 < count(loop, limit=2)
    shorter = next(one for one in solutions(loop) if len(one) < 36)
    assert violations(loop, shorter) == []
    assert violations(puzzle, shorter)[0].startswith("no line passes the dot ")
    proof = certificate(puzzle)
    assert checker.verify(proof.data, checker.Puzzle(record_of(puzzle)))[1] == 1
    assert proof.of_model
    with pytest.raises(PuzzleError, match="expected a loop through every dot, found ends"):
        Slitherlink([[None]], ((0, 0), (1, 1)), fill=True)
    with pytest.raises(PuzzleError, match="expected the variant 'fill'"):
        Slitherlink([[None]], ((0, 0), (1, 1))).with_variant("fill")
    holes = Slitherlink.blank(2, 2).with_variant("fill")
    assert [count(holes), count(Slitherlink(holes.grid, holes=[(1, 1)], fill=True))] == [0, 1]


def test_deduction_uses_every_dot_soundly():
    solved = 0
    for seed in range(12):
        made = generate.slitherlink(5, 5, seed=seed, fill=True, minimal=True)
        state = DeductionState(made.puzzle.model)
        assert state.begin()
        assert state.deduce()
        for edge, known in enumerate(state.edges()):
            assert known in (OPEN, LINE if edge in made.solution.edges else CROSS)
        assert list(solutions(made.puzzle, engine="frontier")) == [made.solution]
        solved += state.solved
    assert solved


def test_apart():
    """A path along three sides of a square touches itself."""
    puzzle = Numberlink([[1, 1], [None, None]])
    rules = ("free", "fill", "apart", "fill-apart")
    assert [count(puzzle.with_variant(variant)) for variant in rules] == [2, 1, 1, 0]
    for engine in ("sat", "plain", "frontier"):
        assert count(puzzle.with_variant("apart"), engine=engine) == 1
    around = solve(puzzle.with_variant("fill"))
    assert violations(puzzle.with_variant("fill-apart"), around) == [
        "the line of the number 1 touches itself at r1c1"
    ]
    # Two paths may touch each other.
    assert count(Numberlink([[1, 2], [1, 2]], "fill-apart")) == 1
    example, _ = Numberlink.examples["apart"].of(Numberlink, "apart")
    assert count(example.with_variant("free")) > 1
    proof = certificate(example)
    assert checker.verify(proof.data, checker.Puzzle(record_of(example)))[1] == 1
