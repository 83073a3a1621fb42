"""Puzzles aim at the looks of published ones: loops, regions, clues, and the path."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random
from statistics import fmean

import pytest

import linkoracle
from linkoracle.core import source
from linkoracle.deduce import grade
from linkoracle.generate import PuzzleRequest, layout_statistics, puzzles
from linkoracle.generate.loops.aims import has_aims, wanted
from linkoracle.generate.loops.drawing import Aim, Drawn, changed_to
from linkoracle.generate.loops.regions import partition
from linkoracle.generate.loops.shading import Shading
from linkoracle.kinds import DIRECTIONS, KINDS, Lines, step


@pytest.mark.parametrize(
    "aim", [Aim(0.75, 0.65, 6, 1.0), Aim(0.85, 0.45, 8, lone=0.18), Aim(0.9, 0.6, 12)], ids=str
)
def test_a_loop_is_drawn_near_its_aim(aim):
    runs, near = [], []
    for seed in range(8):
        drawn = Drawn(9, 10, aim, Random(seed))
        drawn.anneal()
        loop = drawn.solution()
        lines = Lines.of(loop)
        assert not [*lines.faults()]
        turns = sum(map(lines.turns, lines)) / len(lines)
        lone = sum(
            lines.turns(cell) and not any(map(lines.turns, lines[cell])) for cell in lines
        ) / len(lines)
        near.append((len(lines) / 90, turns, lone))
        runs.append(max(1 + lines.arm(cell, way) for cell in lines for way in DIRECTIONS))
    visited, turns, lone = map(fmean, zip(*near, strict=True))
    assert visited == pytest.approx(aim.visited, abs=0.04)
    assert turns == pytest.approx(aim.turns, abs=0.04)
    assert aim.lone is None or lone == pytest.approx(aim.lone, abs=0.04)
    assert max(runs) <= aim.straight + 1


def test_what_a_loop_knows_of_itself_is_true():
    """After many flips, some undone, as after reading the same loop anew."""
    drawn = Drawn(6, 7, Aim(0.8, 0.6, 5, 0.5, 0.1), Random(3))
    drawn.anneal(5)
    other = Drawn(6, 7, drawn.aim, Random(1))
    other.load(drawn.solution())
    assert other.kept() == drawn.kept()
    kept = drawn.kept()
    assert drawn.change([(row, col) for row in range(5) for col in range(6)], 50, 5.0)
    assert drawn.kept() != kept
    drawn.restore(kept)
    assert drawn.solution() == other.solution()
    assert drawn.kept() == kept


def test_a_loop_changes_near_an_alternative():
    aim = Aim(0.8, 0.6, 6)
    loops = []
    for seed in range(2):
        drawn = Drawn(8, 8, aim, Random(seed))
        drawn.anneal()
        loops.append(drawn.solution())
    loop, other = loops
    found = changed_to(loop, [other], aim, Random(1))
    assert found not in (None, loop)
    assert not [*Lines.of(found).faults()]
    beside = {face for edge in {*loop} ^ {*other} for face in loop.board.faces_of(edge)}
    assert all(beside & {*loop.board.faces_of(edge)} for edge in {*loop} ^ {*found})


@pytest.mark.parametrize("kind", ["regionalyajilin", "detour", "countryroad"])
def test_regions_have_sizes_as_published(kind):
    cells = [(row, col) for row in range(10) for col in range(10)]
    sizes = Counter()
    for seed in range(20):
        looks = wanted(kind, 10, 10, source(seed, 0))
        owners = partition(cells, looks, source(seed, 1))
        assert [*sorted(owners)] == cells
        for region in {*owners.values()}:
            inside = {cell for cell in cells if owners[cell] == region}
            found, waiting = set(), [min(inside)]
            while waiting:
                cell = waiting.pop()
                found.add(cell)
                waiting += {step(cell, way) for way in DIRECTIONS} & inside - found
            assert found == inside
            sizes[len(inside)] += 1
    shares = wanted(kind, 10, 10, source(1, 0)).sizes
    assert sizes[1] <= (shares[0] + 0.05) * sum(sizes.values())
    mean = sum(size * many for size, many in sizes.items()) / sum(sizes.values())
    assert 3 < mean < 8


def test_a_design_knows_which_loops_fit():
    """As the kind does, for alternatives of random designs."""
    for seed in range(4):
        kind, rng = KINDS["yajilin" if seed % 2 else "koburin"], source(seed, 0)
        looks = wanted(kind.kind, 6, 6, rng, "none")
        shading = Shading(kind, 6, 6, rng, looks)
        drawn = Drawn(6, 6, Aim(looks.visited, looks.turns, 6, 1.0), rng, shading.lacking)
        drawn.anneal()
        clues = shading.divided(drawn.left_out)
        design = shading.design(drawn.left_out, clues, {})
        puzzle = shading.puzzle(design)
        assert not puzzle.violations(drawn.solution())
        assert puzzle.number_of_clues == clues.bit_count()
        hidden = puzzle.with_clues(
            dict.fromkeys((cell for cell, _ in puzzle.clue_cells()), kind.unknown)
        )
        for other in islice(linkoracle.solutions(hidden), 40):
            fits = shading.fits(design, shading.cells_left_out(other))
            assert fits == (not puzzle.violations(other))


KINDS_WITH_AIMS = [one for one in KINDS if has_aims(one) and KINDS[one].maker is None]


@pytest.mark.parametrize("kind", KINDS_WITH_AIMS)
@pytest.mark.parametrize(("side", "number"), [(6, 1), pytest.param(10, 6, marks=pytest.mark.heavy)])
def test_made_puzzles_are_unique_by_the_plain_engine_and_need_no_guess(kind, side, number):
    size = (side + 1, side + 1) if kind == "grandtour" else (side, side)
    for made in puzzles(kind, *size, seed=5, limit=number):
        assert list(islice(linkoracle.solutions(made.puzzle, engine="plain"), 2)) == [made.solution]
        found = grade(made.puzzle)
        assert found.status == "solved"
        assert not found.guesses
        statistics = layout_statistics(made.puzzle, made.solution)
        assert statistics.unnumbered == 0


@pytest.mark.parametrize("number", [4, pytest.param(30, marks=pytest.mark.heavy)])
def test_masyus_have_as_many_black_pearls_as_published(number):
    """Before, 20 % were black."""
    made = [*puzzles("masyu", 10, 10, seed=1, limit=number)]
    black = fmean(layout_statistics(one.puzzle, one.solution).black for one in made)
    assert 0.28 < black < 0.5


def test_yajilins_have_few_clues_all_with_numbers():
    """Before, 18 clues, most of them without a number."""
    made = [*puzzles("yajilin", 7, 7, seed=1, limit=2)]
    for one in made:
        assert one.puzzle.number_of_clues <= 0.24 * 49
        assert all(clue != "x" for _, clue in one.puzzle.clue_cells())


def test_symmetry_is_drawn_unless_it_is_requested():
    drawn = Counter(
        PuzzleRequest("yajilin", 10, 10).looks(source(seed, 0)).symmetry for seed in range(400)
    )
    assert 0.6 < drawn["none"] / 400 < 0.8
    assert drawn["half-turn"] > 60
    asked = PuzzleRequest("yajilin", 10, 10, symmetry="none").looks(source(3, 0))
    assert asked.symmetry == "none"
    oblong = {
        PuzzleRequest("yajilin", 10, 9).looks(source(seed, 0)).symmetry for seed in range(200)
    }
    assert oblong <= {"none", "half-turn", "left-right"}
    assert PuzzleRequest("yajilin", 10, 10, minimal=True).looks(source(3, 0)) is None
