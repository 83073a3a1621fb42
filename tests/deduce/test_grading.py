"""Grades, solve paths, and the subsets of rules."""

from __future__ import annotations

import pickle

import pytest

import linkoracle
from linkoracle import Numberlink, Slitherlink
from linkoracle.deduce import (
    CATALOGUE,
    LABELS,
    SUBSETS,
    DeductionState,
    grade,
    label_of,
    solve_path,
    within,
)
from linkoracle.deduce.grades import PATTERN_SCALE
from linkoracle.deduce.rules import all_rules, subset_names
from linkoracle.generate import numberlinks
from linkoracle.kinds import KINDS
from tests.interrupting import ends_within

#: Seconds of the processor by which a call may be late.
SLACK = 0.5

INSTANCES = "instances/slitherlink-{}.txt"


def instance(name):
    return linkoracle.read_file(INSTANCES.format(name))


def test_every_technique_has_a_label_and_every_subset_known_rules():
    names = {technique.name for technique in CATALOGUE} - {"given"}
    labels = {technique.name: technique.label for technique in CATALOGUE if technique.label}
    assert set(labels) == names
    assert {*labels.values(), "brutal"} == set(LABELS)
    known = names | {rule.name for rule in all_rules()}
    for subset in SUBSETS:
        assert subset_names(subset) <= known
        assert {"clue", "dot"} <= subset_names(subset)
    assert subset_names("easy") < subset_names("hard")
    with pytest.raises(ValueError, match="subsets"):
        subset_names("none")


@pytest.mark.parametrize(("subset", "fewest", "most"), [("easy", 5, 15), ("hard", 17, 20)])
def test_subsets_have_the_rules_of_every_kind(subset, fewest, most):
    keeps = within(subset=subset)
    made = numberlinks(8, 8, seed=1, limit=20)
    assert fewest <= sum(keeps(one.puzzle) for one in made) <= most


def test_the_solve_path_decides_every_edge_once():
    puzzle = instance("7x7")
    board = DeductionState(puzzle.model)
    assert board.begin()
    steps = solve_path(puzzle, board)
    decided = [edge for step in steps for edge in step.lines + step.crosses]
    assert sorted(decided) == list(range(puzzle.lattice.num_edges))
    assert {edge for step in steps for edge in step.lines} == set(board.lines().edges)
    assert all(step.sentence.startswith(step.reason) for step in steps)
    found = grade(puzzle)
    assert found.total == len(steps)
    for name, number in found.steps.items():
        assert number == sum(step.technique == name for step in steps)


def test_a_refuted_guess_is_told():
    puzzle = instance("10x10")
    board = DeductionState(puzzle.model)
    assert board.begin()
    assert board.guess(1)
    sentences = [step.sentence for step in solve_path(puzzle, board) if step.technique == "refuted"]
    assert sentences
    assert all(sentence.startswith("Suppose ") for sentence in sentences)
    assert grade(puzzle).depth == 1


def test_giving_up_is_not_the_same_as_several_solutions():
    found = grade(instance("10x10"), max_depth=0)
    assert (found.status, found.label, found.open_edges) == ("gave up", None, 83)
    found = grade(Slitherlink.blank(3, 3))
    assert (found.status, found.label, found.open_edges) == ("not unique", None, 24)
    assert grade(instance("10x10-several")).status == "not unique"
    assert grade(instance("none")).status == "no solution"
    # Deduction sees no contradiction here, but there is one.
    several = grade(Numberlink([[1, None, 2], [None, None, None], [2, None, 1]]))
    assert several.status == "no solution"


def test_fewer_rules_solve_no_more():
    puzzle = instance("7x7")
    assert grade(puzzle, max_depth=0).status == "solved"
    assert grade(puzzle, max_depth=0, subset="easy").open_edges >= 0
    for label in LABELS:
        passed = within(label)(puzzle)
        assert passed == (LABELS.index(grade(puzzle).label) <= LABELS.index(label))
    with pytest.raises(ValueError, match="labels"):
        within("simple")
    for options in ({"max_depth": 7}, {"max_depth": -1}, {"max_depth": 1.5}, {"score": (0.5, 9)}):
        with pytest.raises(ValueError, match=r"expected a (depth of guesses from 0 to 6|score)"):
            within(**options)
    for puzzle in (Slitherlink([[4]]), KINDS["masyu"](["b.w.", "....", "....", "..b."])):
        with pytest.raises(ValueError, match="one of the subsets"):
            grade(puzzle, subset="simple")
        with pytest.raises(ValueError, match="a depth of guesses from 0 to 6, got 7"):
            grade(puzzle, max_depth=7)


def test_labels_are_cut_from_the_score():
    assert [label_of(score) for score in range(0, 800, 100)] == [*LABELS, LABELS[-1]]
    assert [label_of(score) for score in range(99, 700, 100)] == [*LABELS]


def test_one_hard_step_in_a_long_easy_solve_path_does_not_make_a_puzzle_hard():
    def score_of(squares, edges):
        return PATTERN_SCALE.score(PATTERN_SCALE.effort_of(squares, edges))

    window = next(one for one in CATALOGUE if one.name == "window")
    easy, step = 60 * 1 / 4, window.weight**2
    labels = [label_of(score_of(easy + n * step, 220)) for n in (0, 1, 2, 5)]
    assert labels == ["easy", "tricky", "hard", "extreme"]
    # As many steps of a kind on twice the board are less hard, but twice as many are harder.
    one, more, twice = (
        score_of(squares, edges)
        for squares, edges in ((5 * step, 220), (5 * step, 440), (10 * step, 440))
    )
    assert more < one < twice < one + 50


ONE_GUESS = """\
slitherlink
2..23.3
...11..
2...23.
..111..
2..222.
..3...2
.1.2.3.
"""


def test_one_guess_is_less_than_several():
    one, several = linkoracle.read(ONE_GUESS), instance("10x10")
    assert (grade(one).label, grade(several).label) == ("fiendish", "brutal")
    for label, of_one, of_several in (
        *(("extreme", False, False), ("fiendish", True, False), ("brutal", True, True)),
    ):
        keeps = within(label)
        assert (keeps(one), keeps(several)) == (of_one, of_several)
    assert within(max_depth=1)(several)
    assert not within(max_depth=0)(one)


def test_backtracking_depth_is_reported_when_asked_for():
    assert grade(instance("7x7")).backtracking is None
    assert grade(instance("7x7"), backtracking=True).backtracking == 0
    assert grade(instance("10x10"), max_depth=0, backtracking=True).backtracking >= 1


@pytest.mark.parametrize("timeout", [600, 1e20, float("inf")])
@pytest.mark.filterwarnings("error")
def test_a_limit_that_is_not_reached_changes_nothing(timeout):
    puzzle = instance("10x10")
    assert grade(puzzle, timeout=timeout, backtracking=True) == grade(puzzle, backtracking=True)


@pytest.mark.parametrize(("depth", "backtracking"), [(4, False), (0, True)])
def test_limits_end_guesses_and_backtracking(depth, backtracking):
    puzzle = (
        instance("20x20") if backtracking else Slitherlink.blank(25, 25).with_clues({(0, 0): 0})
    )
    grade(instance("7x7"))  # The rules are loaded.
    with ends_within(0.2 + SLACK), pytest.raises(linkoracle.SearchTimeout):
        grade(puzzle, max_depth=depth, backtracking=backtracking, timeout=0.2)


def test_predicates_can_be_sent_to_other_processes():
    easy = within("easy", subset="easy")
    puzzles = [Slitherlink([[3, 3], [None, None]]), Slitherlink.blank(2, 2)]
    assert [easy(puzzle) for puzzle in puzzles] == [True, False]
    again = pickle.loads(pickle.dumps(easy))
    assert [again(puzzle) for puzzle in puzzles] == [True, False]
