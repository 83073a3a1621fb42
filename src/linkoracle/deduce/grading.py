"""Grades: what a person must do to solve a puzzle, and one label for it.

The label is that of the hardest technique needed, where techniques are tried cheapest first, and
of the guesses:

========== ======================================================================================
easy       clue and dot arithmetic, no early loop, patterns of clues, a line that reaches a 3
normal     patterns of up to 2x2 cells with the edges around them; parity; pockets; corners
tricky     colours, larger patterns, the sides around one clue or dot; uniqueness; passages
hard       connected regions; all ways to fill a block of 2x2 cells; who can get to a cell
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
from linkoracle.deduce.assuming import PATIENT, assumed, decided
from linkoracle.deduce.backtracking import backtrack
from linkoracle.deduce.board import DeductionState, standard_deck
from linkoracle.deduce.deck import Deck
from linkoracle.deduce.guessing import Guessing, guessed
from linkoracle.deduce.rules import CATALOGUE, GIVEN, PATTERNS, TECHNIQUES, Rule, all_rules
from linkoracle.deduce.rules import Label as Label
from linkoracle.deduce.score import score as score_of
from linkoracle.deduce.thinning import Thinning
from linkoracle.kinds import Puzzle, Slitherlink

#: The labels, the easiest first.
LABELS: tuple[Label, ...] = get_args(Label)

#: The label of each technique; more than one guess, or a nested one, is `brutal`.
LABEL_OF: dict[str, Label] = {one.name: one.label for one in CATALOGUE if one.label is not None}

#: The labels of puzzles that take guesses.
_GUESSED = LABELS[-2:]

#: The labels that few puzzles have whose clues nobody chose for it.
_NARROW = LABELS[-3:]

#: Sets of rules by how often published puzzles need them: see ``scripts/rule_shares.py``.
Subset = Literal["easy", "hard"]
SUBSETS: tuple[Subset, ...] = ("easy", "hard")

#: What comes of grading.
Status = Literal["solved", "gave up", "not unique", "no solution"]


@dataclass(frozen=True)
class Grade:
    """What it takes to solve a puzzle.

    ``status`` is ``"solved"``, ``"gave up"``, ``"not unique"`` or ``"no solution"``; ``label`` is
    one of `LABELS` when solved, and ``score`` a number from 0, the higher the harder
    (`linkoracle.deduce.score`). ``steps`` counts the steps of each technique, ``rules`` those of
    each pattern; ``depth`` is the greatest depth of a guess that decided something, ``guesses``
    how many were tried, and ``backtracking`` the depth of `backtrack`, if that was asked for.
    """

    status: Status
    label: Label | None
    score: int | None
    steps: dict[str, int]
    rules: dict[str, int]
    depth: int
    guesses: int
    open_edges: int
    backtracking: int | None = None

    @property
    def total(self) -> int:
        """The number of steps."""
        return sum(self.steps.values())


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
    """Solve a puzzle or a model as a person would, and tell what that took.

    ``max_depth`` limits how deep guesses may be nested. Where that is not enough, SAT tells whether
    there is one solution at all; if there is, or if SAT gets lost, the answer is "gave up".
    ``uniqueness`` allows arguments that take for granted that there is one solution, or not; by
    default they are allowed where paths may leave cells empty, and then SAT checks that there is
    one. Where paths use all cells, the same arguments are allowed if SAT says that there is one
    solution even when cells may stay empty. ``subset`` allows only the rules of a set in `SUBSETS`.
    Milliseconds without guesses, but seconds where SAT takes long to say so; each level of guesses
    multiplies the time by the number of open edges.

    Raises `SearchTimeout` after ``timeout`` seconds.

    >>> from linkoracle import Slitherlink
    >>> found = grade(Slitherlink([[3, 3], [None, None]]))
    >>> found.status, found.label, found.depth
    ('solved', 'easy', 0)
    >>> grade(Slitherlink([[3, None], [None, None]])).status
    'not unique'
    """
    return attempt(puzzle, max_depth, uniqueness, subset, backtracking, timeout)[1]


def attempt(
    puzzle: Modelled,
    max_depth: int,
    uniqueness: bool | None,
    subset: Subset | None,
    backtracking: bool,
    timeout: float | None,
) -> tuple[DeductionState, Grade]:
    """What `grade` does, with the board as it is in the end, which `walk` tells step by step."""
    deck, without = _allowed(subset)
    model = model_of(puzzle)
    deadline = Deadline(timeout)
    granted = assumed(model, uniqueness, deadline)

    def fresh() -> DeductionState:
        return DeductionState(model, deck=deck, without=without, **granted._asdict())

    board = fresh()
    fits = board.begin(timeout=deadline)
    if fits and not board.solved and granted.freed is None:
        # Guesses would take longer yet, and seldom lead anywhere.
        granted = assumed(model, uniqueness, deadline, PATIENT)
        board = fresh()
        fits = board.begin(timeout=deadline)
    fits = fits and board.guess(max_depth, timeout=deadline)
    status: Status = "no solution" if not fits else "solved" if board.solved else "gave up"
    depth = backtrack(fresh(), 2, timeout=deadline).depth if backtracking else None
    if status == "gave up" or (board.uniqueness and (not fits or uniqueness is None)):
        # Perhaps there is nothing that could be found, or what was taken for granted is not so.
        verdict = decided(board.model, deadline)
        if verdict is not None and not verdict.unique:
            status = "not unique" if verdict.solutions else "no solution"
        elif not fits:
            status = "gave up"
    return board, _graded(board, status, depth)


def _graded(board: DeductionState, status: Status, backtracking: int | None) -> Grade:
    """The grade of what a board has done."""
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
    """How many steps of each technique a board has made."""
    made = Counter(technique for technique, _, _ in board.moves() if technique != GIVEN)
    return {CATALOGUE[technique].name: made[technique] for technique in sorted(made)}


def label_of(steps: Mapping[str, int], depth: int) -> Label:
    """The label of so many steps of each technique, and guesses so deep.

    >>> label_of({"clue": 20, "pair": 1}, 0), label_of({"refuted": 2}, 1)
    ('normal', 'brutal')
    """
    label = max((LABEL_OF[name] for name in steps), key=LABELS.index, default=LABELS[0])
    guesses = sum(number for name, number in steps.items() if LABEL_OF[name] in _GUESSED)
    return "brutal" if guesses > 1 or depth > 1 else label


@dataclass(frozen=True)
class Within:
    """What `within` makes: a predicate for generators."""

    label: Label | None = None
    max_depth: int = 0
    subset: Subset | None = None
    uniqueness: bool | None = None
    least: Label | None = None
    score: tuple[int, int] | None = None

    def __call__(self, puzzle: Puzzle) -> bool:
        """Whether the puzzle is solved. Milliseconds without guesses."""
        return self._solved(puzzle) is not None

    def judge(self, puzzle: Puzzle, deadline: Deadline | None = None) -> int:
        """1 for a puzzle that does not pass, or has too high a score; -1 for one that is too easy.

        0 for one that passes, has at least the label ``least``, and a score in the range.
        ``deadline`` ends it with `SearchTimeout`.
        """
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

    def _solved(self, puzzle: Puzzle, deadline: Deadline | None = None) -> DeductionState | None:
        """The board when it is solved, with no more guesses than the label allows."""
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
        """How deep guesses may be nested."""
        return self.max_depth or int(self._guesses)

    @property
    def monotone(self) -> bool:
        """Whether more clues make no puzzle harder, as arguments from uniqueness may."""
        return not self.uniqueness

    @property
    def _guesses(self) -> bool:
        """Whether the label is of puzzles that take guesses."""
        return self.label in _GUESSED

    @property
    def _one_guess(self) -> bool:
        """Whether more than one guess is too many."""
        return self.label == "fiendish" and not self.max_depth

    @property
    def narrow(self) -> bool:
        """Whether few of the clues of a line make a puzzle of just this label.

        Those that do are a little too few for the label below.
        """
        exact = self.least == self.label and not self.max_depth and self.score is None
        return exact and self.label in _NARROW

    @property
    def hardest(self) -> bool:
        """Whether no puzzle that guesses one deep solve is too hard."""
        return self.label == LABELS[-1]

    def easier(self) -> Within | None:
        """A level of guesses or a label lower, ``None`` where there is none.

        >>> within("hard").easier().label, within(max_depth=1).easier().max_depth
        ('tricky', 0)
        >>> within("brutal").easier().label, within("easy").easier()
        ('extreme', None)
        """
        if self.max_depth:
            return replace(self, max_depth=self.max_depth - 1)
        place = LABELS.index(self.label or LABELS[0])
        # Whether one guess is enough is not asked about part after part.
        place = min(place, LABELS.index(_GUESSED[0]))
        return replace(self, label=LABELS[place - 1], least=None) if place else None

    def clues(
        self, full: Slitherlink, deadline: Deadline | None = None
    ) -> Thinning | Guessing | None:
        """The same for all puzzles with the clues of ``full`` but some; far faster for each.

        ``deadline`` ends it with `SearchTimeout`. ``None`` with ``uniqueness``: then
        more clues may mean fewer arguments.
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
    """A predicate for generators: whether a puzzle is solved by techniques up to a label.

    With ``max_depth`` guesses are allowed, too, however many; without, the label says so.
    ``uniqueness`` is as for `grade`. Where arguments from there being one solution are not allowed,
    a puzzle that passes has exactly one.

    ``least`` and ``score``, the lowest and the highest, say what a puzzle must be besides when it
    is done, which `Within.judge` tells: ``within("hard", least="hard")`` makes exactly hard ones.

    Raises ``ValueError`` for a label or a subset that is none, and for ends of a range in the wrong
    order.

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
    """The names of techniques and rules in a subset; ``ValueError`` if there is no such subset."""
    if subset not in SUBSETS:
        raise ValueError(f"expected one of the subsets {', '.join(SUBSETS)}, got {subset!r}")
    text = (files("linkoracle.deduce") / "subsets.json").read_text(encoding="utf-8")
    # What only the rules of another kind speak of says nothing of a puzzle.
    return frozenset(name for of_kind in json.loads(text).values() for name in of_kind[subset])


@cache
def _allowed(subset: Subset | None, label: Label | None = None) -> tuple[Deck, frozenset[int]]:
    """The rules of a subset, and the techniques that are not in it, or above a label."""
    harder = () if label is None else LABELS[LABELS.index(label) + 1 :]
    names = [technique.name for technique in CATALOGUE[:TECHNIQUES]]
    without = {number for number, name in enumerate(names) if LABEL_OF[name] in harder}
    if subset is None:
        # Laying rules that are not used takes as long as all else.
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
    """The rules but those of these techniques.

    Crosses are there by themselves at the rim, and a rule that asks for nothing else is static.
    """
    return [rule for rule in rules if not rule.lines or rule.technique not in techniques]
