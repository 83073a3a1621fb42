"""Grades: the steps a player needs to solve a puzzle, and a label for its difficulty.

The label depends on the hardest technique needed, trying cheap techniques first, and on guesses:

========== ======================================================================================
easy       clue and dot arithmetic, no early loop, patterns of clues, a line that reaches a 3
normal     patterns of up to 2x2 cells with the edges around them; parity; pockets; corners
tricky     colours, larger patterns, the sides around one clue or dot; uniqueness; passages
hard       connected regions; all ways to fill a block of 2x2 cells; paths that can reach a cell
extreme    all ways to fill a block of 3x3 cells
fiendish   one guess
brutal     more guesses, or guesses within guesses
========== ======================================================================================
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from linkoracle.board.model import Modelled, model_of
from linkoracle.core.limits import Deadline
from linkoracle.core.renamed import with_old_arguments
from linkoracle.deduce.assuming import LARGE_CONFLICT_BUDGET, assumed, decided
from linkoracle.deduce.backtracking import backtrack
from linkoracle.deduce.board import DeductionState, standard_deck
from linkoracle.deduce.counted import grade_by_counts as by_counts
from linkoracle.deduce.deck import Deck
from linkoracle.deduce.grades import Grade as Grade
from linkoracle.deduce.grades import Status as Status
from linkoracle.deduce.guessing import Guessing, guessed
from linkoracle.deduce.rules import CATALOGUE, GIVEN, PATTERNS, TECHNIQUES, Rule, all_rules
from linkoracle.deduce.rules import Label as Label
from linkoracle.deduce.score import score as score_of
from linkoracle.deduce.thinning import Thinning
from linkoracle.kinds import Puzzle, Slitherlink

#: The labels, the easiest first.
LABELS: tuple[Label, ...] = get_args(Label)

#: The label of each technique. More than one guess, or a nested one, is "brutal".
LABEL_OF: dict[str, Label] = {one.name: one.label for one in CATALOGUE if one.label is not None}

#: The labels of puzzles that need guesses.
_GUESSED = LABELS[-2:]

#: Labels that are rare unless clues are chosen for them.
_NARROW = LABELS[-3:]

#: Sets of rules by how often published puzzles need them: see ``scripts/rule_shares.py``.
Subset = Literal["easy", "hard"]
SUBSETS: tuple[Subset, ...] = ("easy", "hard")


@with_old_arguments
def grade(
    puzzle: Modelled,
    *,
    max_depth: int = 1,
    uniqueness: bool | None = None,
    subset: Subset | None = None,
    backtracking: bool = False,
    timeout: float | None = None,
) -> Grade:
    """Solve a puzzle or a model as a player would, and grade its difficulty.

    ``max_depth`` limits nested guesses. If it does not suffice, SAT decides whether the solution is
    unique; if so, or if SAT gets lost, the status is "gave up". ``uniqueness`` allows or forbids
    arguments that assume a unique solution. By default they are allowed if paths may leave cells
    empty, and SAT checks the assumption. If paths use all cells, the same arguments are allowed
    when SAT finds that the solution is unique even if cells may stay empty. ``subset`` restricts
    the rules to a set in `SUBSETS`. Takes milliseconds without guesses, or seconds where SAT does;
    each level of guesses multiplies the time by the number of open edges.

    Raises `SearchTimeout` after ``timeout`` seconds.

    >>> from linkoracle import Slitherlink
    >>> found = grade(Slitherlink([[3, 3], [None, None]]))
    >>> found.status, found.label, found.depth
    ('solved', 'easy', 0)
    >>> grade(Slitherlink([[3, None], [None, None]])).status
    'not unique'
    """
    model = model_of(puzzle)
    if not model.is_square:
        return by_counts(model, Deadline(timeout))[1]
    return attempt(puzzle, max_depth, uniqueness, subset, backtracking, timeout)[1]


def attempt(
    puzzle: Modelled,
    max_depth: int,
    uniqueness: bool | None,
    subset: Subset | None,
    backtracking: bool,
    timeout: float | None,
) -> tuple[DeductionState, Grade]:
    """Return the final state, which `walk` explains step by step, and the grade."""
    deck, without = _allowed(subset)
    model = model_of(puzzle)
    deadline = Deadline(timeout)
    granted = assumed(model, uniqueness, deadline)

    def fresh() -> DeductionState:
        return DeductionState(model, deck=deck, without=without, **granted._asdict())

    board = fresh()
    fits = board.begin(timeout=deadline)
    if fits and not board.solved and granted.freed is None:
        # Guesses would take even longer, and seldom help.
        granted = assumed(model, uniqueness, deadline, LARGE_CONFLICT_BUDGET)
        board = fresh()
        fits = board.begin(timeout=deadline)
    fits = fits and board.guess(max_depth, timeout=deadline)
    status: Status = "no solution" if not fits else "solved" if board.solved else "gave up"
    depth = backtrack(fresh(), 2, timeout=deadline).depth if backtracking else None
    if status == "gave up" or (board.uniqueness and (not fits or uniqueness is None)):
        # Perhaps there is no unique solution, or an assumption is wrong.
        verdict = decided(board.model, deadline)
        if verdict is not None and not verdict.unique:
            status = "not unique" if verdict.solutions else "no solution"
        elif not fits:
            status = "gave up"
    return board, _graded(board, status, depth)


def _graded(board: DeductionState, status: Status, backtracking: int | None) -> Grade:
    """Return the grade for the steps of a state."""
    rules: Counter[str] = Counter()
    for technique, place, _ in board.moves():
        if technique in PATTERNS:
            rules[board.deck.rules[board.laid.rule(place)].name] += 1
    used = _steps(board)
    label, points = None, None
    if status == "solved":
        label, points = label_of(used, board.depth), score_of(board)
    found = dict(rules), board.depth, board.trials, board.open_edges, backtracking
    return Grade(status, label, points, used, *found)


def _steps(board: DeductionState) -> dict[str, int]:
    """Return the number of steps of each technique."""
    made = Counter(technique for technique, _, _ in board.moves() if technique != GIVEN)
    return {CATALOGUE[technique].name: made[technique] for technique in sorted(made)}


def label_of(steps: Mapping[str, int], depth: int) -> Label:
    """Return the label for these numbers of steps and this depth of guesses.

    >>> label_of({"clue": 20, "pair": 1}, 0), label_of({"refuted": 2}, 1)
    ('normal', 'brutal')
    """
    label = max((LABEL_OF[name] for name in steps), key=LABELS.index, default=LABELS[0])
    guesses = sum(number for name, number in steps.items() if LABEL_OF[name] in _GUESSED)
    return "brutal" if guesses > 1 or depth > 1 else label


@dataclass(frozen=True)
class Within:
    """A predicate for generators, made by `within`."""

    label: Label | None = None
    max_depth: int = 0
    subset: Subset | None = None
    uniqueness: bool | None = None
    least: Label | None = None
    score: tuple[int, int] | None = None

    def __call__(self, puzzle: Puzzle) -> bool:
        """Return whether the techniques solve the puzzle. Milliseconds without guesses."""
        if not puzzle.model.is_square:
            return self._judge_by_counts(puzzle, Deadline(None)) < 1
        return self._solved(puzzle) is not None

    def judge(self, puzzle: Puzzle, deadline: Deadline | None = None) -> int:
        """Return 1 for a puzzle that is too hard, -1 for one that is too easy, else 0.

        Too hard: it does not pass, or its score is too high. Too easy: its label is below
        ``least``, or its score too low. Raises `SearchTimeout` at the ``deadline``.
        """
        if not puzzle.model.is_square:
            return self._judge_by_counts(puzzle, deadline or Deadline(None))
        board = self._solved(puzzle, deadline)
        if board is None:
            return 1
        if self.least is not None:
            label = self._labelled(board)
            if LABELS.index(label) < LABELS.index(self.least or LABELS[0]):
                return -1
        if self.score is None:
            return 0
        points = score_of(board)
        return -1 if points < self.score[0] else int(points > self.score[1])

    def _judge_by_counts(self, puzzle: Puzzle, deadline: Deadline) -> int:
        found = by_counts(puzzle.model, deadline)[1]
        if found.label is None or found.score is None:
            return 1
        place, score = LABELS.index(found.label), self.score or (0, found.score)
        if (self.label is not None and place > LABELS.index(self.label)) or found.score > score[1]:
            return 1
        too_easy = self.least is not None and place < LABELS.index(self.least)
        return -1 if too_easy or found.score < score[0] else 0

    def _solved(self, puzzle: Puzzle, deadline: Deadline | None = None) -> DeductionState | None:
        """Return the state if it is solved without more guesses than the label allows."""
        deck, without = _allowed(self.subset, self.label)
        until = deadline or Deadline(None)
        granted = assumed(puzzle.model, self.uniqueness, until)._asdict()
        board = DeductionState(puzzle.model, deck=deck, without=without, **granted)
        if not board.begin(timeout=until):
            return None
        if self._one_guess:
            return board if guessed(board, 1, until) else None
        return board if board.guess(self._depth, timeout=until) and board.solved else None

    def _labelled(self, board: DeductionState) -> Label:
        return label_of(_steps(board), board.depth)

    @property
    def _depth(self) -> int:
        """The greatest allowed depth of guesses."""
        return self.max_depth or int(self._guesses)

    @property
    def monotone(self) -> bool:
        """Whether more clues never make a puzzle harder; with uniqueness they may."""
        return not self.uniqueness

    @property
    def _guesses(self) -> bool:
        """Whether the label is one of puzzles that need guesses."""
        return self.label in _GUESSED

    @property
    def _one_guess(self) -> bool:
        """Whether only one guess is allowed."""
        return self.label == "fiendish" and not self.max_depth

    @property
    def narrow(self) -> bool:
        """Whether few choices of clues for a loop lead to exactly this label.

        Those clues are slightly too few for the label below.
        """
        exact = self.least == self.label and not self.max_depth and self.score is None
        return exact and self.label in _NARROW

    @property
    def hardest(self) -> bool:
        """Whether every puzzle that single guesses solve is easy enough."""
        return self.label == LABELS[-1]

    def easier(self) -> Within | None:
        """Return the predicate with one level of guesses, or one label, less; ``None`` at the end.

        >>> within("hard").easier().label, within(max_depth=1).easier().max_depth
        ('tricky', 0)
        >>> within("brutal").easier().label, within("easy").easier()
        ('extreme', None)
        """
        if self.max_depth:
            return replace(self, max_depth=self.max_depth - 1)
        place = LABELS.index(self.label or LABELS[0])
        # "One guess" is not decided step by step.
        place = min(place, LABELS.index(_GUESSED[0]))
        return replace(self, label=LABELS[place - 1], least=None) if place else None

    def clues(
        self, full: Slitherlink, deadline: Deadline | None = None
    ) -> Thinning | Guessing | None:
        """Return the predicate for puzzles with some of the clues of ``full``; far faster for each.

        Raises `SearchTimeout` at the ``deadline``. ``None`` with ``uniqueness``, as more clues may
        then mean fewer arguments.
        """
        if self.uniqueness:
            return None
        deck, without = _allowed(self.subset, self.label)
        if self._guesses and not self.max_depth:
            most = 1 if self._one_guess else None
            return Guessing(full, deck=deck, without=without, most=most, deadline=deadline)
        depth = self.max_depth
        return Thinning(full, deck=deck, without=without, max_depth=depth, deadline=deadline)


def within(
    label: Label | None = None,
    *,
    max_depth: int = 0,
    subset: Subset | None = None,
    uniqueness: bool | None = None,
    least: Label | None = None,
    score: tuple[int, int] | None = None,
) -> Within:
    """Return a predicate for generators: whether techniques up to a label solve a puzzle.

    With ``max_depth``, any number of guesses of that depth is allowed; otherwise the label decides.
    ``uniqueness`` is as for `grade`. If arguments from uniqueness are forbidden, a puzzle that
    passes has exactly one solution.

    ``least`` is the lowest label and ``score`` the lowest and highest score of a finished puzzle,
    which `Within.judge` checks: ``within("hard", least="hard")`` makes exactly hard puzzles.

    Raises ``ValueError`` for an unknown label or subset, or a range in the wrong order.

    >>> from linkoracle import Slitherlink
    >>> is_easy = within("easy")
    >>> is_easy(Slitherlink([[3, 3], [None, None]])), is_easy(Slitherlink.blank(2, 2))
    (True, False)
    """
    for one in (label, least):
        if one is not None and one not in LABELS:
            raise ValueError(f"expected one of the labels {', '.join(LABELS)}, got {one!r}")
    if label is not None and least is not None and LABELS.index(least) > LABELS.index(label):
        raise ValueError(f"expected the easier label first, got {least} and {label}")
    if score is not None and score[0] > score[1]:
        raise ValueError(f"expected the lower score first, got {score[0]} and {score[1]}")
    if subset is not None:
        subset_names(subset)
    return Within(label, max_depth, subset, uniqueness, least, score)


@cache
def subset_names(subset: Subset) -> frozenset[str]:
    """Return the names of techniques and rules in a subset; ``ValueError`` if it is unknown."""
    if subset not in SUBSETS:
        raise ValueError(f"expected one of the subsets {', '.join(SUBSETS)}, got {subset!r}")
    text = (files("linkoracle.deduce") / "subsets.json").read_text(encoding="utf-8")
    # Rules of another kind have no effect on a puzzle, so all kinds are united.
    return frozenset(name for of_kind in json.loads(text).values() for name in of_kind[subset])


@cache
def _allowed(subset: Subset | None, label: Label | None = None) -> tuple[Deck, frozenset[int]]:
    """Return the rules of a subset, and the techniques outside it or above a label."""
    harder = () if label is None else LABELS[LABELS.index(label) + 1 :]
    names = [technique.name for technique in CATALOGUE[:TECHNIQUES]]
    without = {number for number, name in enumerate(names) if LABEL_OF[name] in harder}
    if subset is None:
        # Placing unused rules on the board would take as long as everything else.
        used = without.isdisjoint(PATTERNS)
        deck = standard_deck() if used else Deck.of(_without(all_rules(), without))
        return deck, frozenset(without)
    kept = subset_names(subset)
    for number, name in enumerate(names):
        if name not in kept and number not in PATTERNS:
            without.add(number)
    rules = [rule for rule in all_rules() if rule.name in kept]
    return Deck.of(_without(rules, without)), frozenset(without)


def _without(rules: Iterable[Rule], techniques: Collection[int]) -> list[Rule]:
    """Return the rules without those of these techniques.

    Crosses at the border are always there, so a rule that needs only crosses is static.
    """
    return [rule for rule in rules if not rule.lines or rule.technique not in techniques]
