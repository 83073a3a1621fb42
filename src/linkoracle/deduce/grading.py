"""Grades: the steps a player needs to solve a puzzle, their score, and predicates for generators.

Simple techniques are tried first, so each step has the simplest argument available. Labels are
cut from the score (`linkoracle.deduce.grades`), so the two never contradict each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from linkoracle.board import LinkModel, Modelled, model_of
from linkoracle.core import Deadline, Timeout, checked_int, named
from linkoracle.deduce.board import (
    LARGE_CONFLICT_BUDGET,
    DeductionState,
    assumed,
    backtrack,
    decided,
    has_patterns,
)
from linkoracle.deduce.deduction import TECHNIQUES, grade_by_rules
from linkoracle.deduce.explaining import next_step, solve_path, technique_runs
from linkoracle.deduce.grades import (
    GUESSED,
    LABELS,
    SPAN,
    Grade,
    Made,
    Status,
    label_of,
    made_by_patterns,
    runs_of,
    score_of_steps,
)
from linkoracle.deduce.paths import PATTERNED, Missed, PathWish, technique_named
from linkoracle.deduce.reduction import Guessing, Reduction
from linkoracle.deduce.rules import (
    CATALOGUE,
    GIVEN,
    PATTERNS,
    Deck,
    Label,
    Subset,
    deck_for,
    subset_names,
)
from linkoracle.deduce.sentences import hint_by_rules, steps_by_rules
from linkoracle.deduce.words import Step
from linkoracle.kinds import Puzzle, Slitherlink

#: The labels of puzzles that need guesses.
_GUESSED = LABELS[GUESSED // SPAN :]

#: The deepest guesses that the kernel follows.
_MAX_DEPTH = 6

#: A score above those of all puzzles.
_HIGHEST = 10**6

#: Labels that are rare unless clues are chosen for them.
_NARROW = LABELS[-3:]


@named
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
    unique; if so, or if it cannot decide, the status is "gave up". ``uniqueness`` allows or forbids
    arguments that assume a unique solution. By default they are allowed for Numberlinks whose paths
    may leave cells empty, and SAT checks the assumption. If paths use all cells, the same arguments
    are allowed when SAT finds that the solution is unique even if cells may stay empty. ``subset``
    restricts the rules to a set in `SUBSETS`. Takes milliseconds without guesses, or seconds where
    SAT does; each level of guesses multiplies the time by the number of open edges.

    Raises `SearchTimeout` after ``timeout`` seconds, and ``ValueError`` for an unknown subset or a
    depth above 6.

    >>> from linkoracle import Slitherlink
    >>> found = grade(Slitherlink([[3, 3], [None, None]]))
    >>> found.status, found.label, found.depth
    ('solved', 'easy', 0)
    >>> grade(Slitherlink([[3, None], [None, None]])).status
    'not unique'
    """
    return deduced(puzzle, timeout, max_depth, uniqueness, subset, backtracking).grade


class Deduced(NamedTuple):
    """The result of solving a puzzle as a player would.

    ``proven`` is true if the steps do not assume a unique solution. ``technique_runs`` returns what
    `linkoracle.deduce.technique_runs` does, and ``steps`` the solve path in sentences. ``path``
    returns the same steps as numbers, which takes no time.
    """

    grade: Grade
    proven: bool
    technique_runs: Callable[[], list[tuple[str, int]]]
    steps: Callable[[Puzzle], list[Step]]
    path: Callable[[], list[Made]]


def deduced(
    puzzle: Modelled,
    timeout: Timeout,
    max_depth: int = 1,
    uniqueness: bool | None = None,
    subset: Subset | None = None,
    backtracking: bool = False,
    techniques: Collection[str] | None = None,
) -> Deduced:
    """Solve a puzzle as a player would, by patterns where these apply, and return the path.

    The options are those of `grade`. ``techniques`` are the names of those to use, by default all:
    of `TECHNIQUES`, and where patterns apply of their techniques in `CATALOGUE`. Without ``guess``
    none is made. Raises ``ValueError`` for an unknown name.

    >>> from linkoracle.kinds import KINDS
    >>> puzzle = KINDS["masyu"](["b.w.", "....", "....", "..b."])
    >>> found = deduced(puzzle, None, techniques=("count", "end", "trial"))
    >>> found.grade.status, found.path()[0].technique
    ('solved', 'count')
    """
    model, deadline = model_of(puzzle), Deadline.of(timeout)
    checked_int(max_depth, "a depth of guesses", 0, _MAX_DEPTH)
    if subset is not None:
        subset_names(subset)
    used = checked_techniques(techniques)
    if has_patterns(model):
        depth = max_depth if "guess" in used else 0
        board, graded = attempt(model, depth, uniqueness, subset, backtracking, deadline, used)
        return Deduced(
            graded,
            not board.uniqueness,
            lambda: technique_runs(board),
            lambda puzzle: solve_path(puzzle, board),
            lambda: [*graded.path],
        )
    unique = bool(uniqueness) and "unique" in used
    state, graded = grade_by_rules(model, deadline, techniques=used, uniqueness=unique)
    return Deduced(
        graded,
        not unique,
        lambda: runs_of(graded.path),
        lambda puzzle: steps_by_rules(puzzle, state),
        lambda: [*graded.path],
    )


def checked_techniques(techniques: Collection[str] | None) -> frozenset[str]:
    """Return the names of the techniques to use; ``ValueError`` for one that is unknown."""
    if techniques is None:
        return frozenset([*TECHNIQUES, *(technique.name for technique in CATALOGUE)])
    return frozenset(map(technique_named, techniques))


def hint(
    puzzle: Puzzle,
    edges: Mapping[int, bool] | None = None,
    visited: Mapping[int, bool] | None = None,
    *,
    uniqueness: bool = False,
    techniques: Collection[str] | None = None,
    timeout: Timeout = None,
) -> Step | None:
    """Return the next step of a player who has made these marks; ``None`` if none is found.

    ``edges`` are lines (true) and crosses, ``visited`` vertices that are marked as visited (true)
    or not: as shaded, in kinds that shade cells. They must fit a solution. With ``uniqueness`` the
    player knows that there is one. ``techniques`` is as for `deduced`. Milliseconds; raises
    `SearchTimeout`.

    >>> from linkoracle.kinds import KINDS
    >>> puzzle = KINDS["masyu"](["b.w.", "....", "....", "..b."])
    >>> hint(puzzle, {0: True, 1: True}).technique
    'count'
    """
    used, deadline = checked_techniques(techniques), Deadline.of(timeout)
    edges, visited = edges or {}, visited or {}
    if has_patterns(puzzle.model):
        return next_step(puzzle, edges, uniqueness=uniqueness, timeout=deadline)
    unique = uniqueness and "unique" in used
    return hint_by_rules(puzzle, edges, visited, deadline, techniques=used, uniqueness=unique)


def attempt(
    model: LinkModel,
    max_depth: int,
    uniqueness: bool | None,
    subset: Subset | None,
    backtracking: bool,
    deadline: Deadline,
    techniques: Collection[str],
) -> tuple[DeductionState, Grade]:
    """Return the final state, which `solve_path` explains step by step, and the grade."""
    deck, without = deck_for(subset)
    without |= {
        number for number, technique in enumerate(CATALOGUE) if technique.name not in techniques
    }
    granted = assumed(model, uniqueness, deadline)

    def fresh() -> DeductionState:
        return DeductionState(model, deck=deck, without=without, **granted._asdict())

    board = fresh()
    fits = board.begin(timeout=deadline)
    if fits and not board.solved and granted.relaxed is None:
        # Guesses would take even longer, and rarely help.
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
    moves = [(technique, place) for technique, place, _ in board.moves() if technique != GIVEN]
    used = Counter(technique for technique, _ in moves)
    steps = {CATALOGUE[technique].name: used[technique] for technique in sorted(used)}
    patterns = (board.pattern(place)[0] for technique, place in moves if technique in PATTERNS)
    rules = Counter(board.deck.rules[rule].name for rule in patterns)
    path = made_by_patterns(board)
    points = score_of_steps(board, path) if status == "solved" else None
    label = None if points is None else label_of(points)
    found = dict(rules), board.depth, board.guesses, board.open_edges, backtracking
    return Grade(status, label, points, steps, *found, path=tuple(path))


class Measured(NamedTuple):
    """The score of a puzzle, ``None`` if it is not solved; and the result of `Within.check`.

    ``missed`` is the reason, if the difference is not 0.
    """

    points: int | None
    difference: int
    missed: Missed | None = None


@dataclass(frozen=True)
class Within:
    """A predicate for generators, made by `within`."""

    label: Label | None = None
    max_depth: int = 0
    subset: Subset | None = None
    uniqueness: bool | None = None
    least: Label | None = None
    score: tuple[int, int] | None = None
    path: PathWish | None = None

    def __call__(self, puzzle: Puzzle) -> bool:
        """Return whether the puzzle is not too hard. Milliseconds without guesses."""
        return self.check(puzzle) < 1

    def check(self, puzzle: Puzzle, deadline: Deadline | None = None) -> int:
        """Return 1 for a puzzle that is too hard, -1 for one that is too easy, else 0.

        Too hard: the techniques or guesses do not solve it, its score is too high, or its path is
        harder than requested. Raises `SearchTimeout` at the ``deadline``.
        """
        return self.measured(puzzle, deadline or Deadline(None)).difference

    def _compare(self, points: int | None) -> int:
        low, high = self.scores
        return 1 if points is None or points > high else -int(points < low)

    @property
    def scores(self) -> tuple[int, int]:
        """The lowest and the highest score that ``label``, ``least`` and ``score`` allow.

        >>> within("hard", least="normal", score=(0, 320)).scores
        (100, 320)
        """
        low, high = self.score or (0, _HIGHEST)
        if self.least is not None:
            low = max(low, SPAN * LABELS.index(self.least))
        if self.label not in (None, LABELS[-1]):
            high = min(high, SPAN * (1 + LABELS.index(self.label)) - 1)
        return low, high

    def measured(self, puzzle: Puzzle, until: Deadline) -> Measured:
        """Return the score of a puzzle, and how it differs from what is requested.

        Gives up a puzzle that is graded by rules as soon as its score is too high.
        """
        points, path = self._solved(puzzle, until)
        difference = self._compare(points)
        if difference:
            return Measured(points, difference, self._missed(points, difference))
        if self.path is not None:
            difference = self.path.difference(path)
            if difference:
                return Measured(points, difference, self.path.missed(path))
            if self.path.begins is not None:
                begun = hint(puzzle, techniques=self.path.enough(self._order(puzzle)))
                if not self.path.begins_at(puzzle, begun):
                    return Measured(points, -1, Missed("beginning elsewhere"))
        return Measured(points, 0)

    def _missed(self, points: int | None, difference: int) -> Missed:
        """Return why the score is not as requested."""
        low, high = self.scores
        if points is None and self.path is not None and high == _HIGHEST:
            return Missed(self.path.not_allowed())
        if difference > 0:
            return Missed(f"harder than {self.label or f'score {high}'}", points)
        return Missed(f"easier than {self.least or f'score {low}'}")

    def _order(self, puzzle: Puzzle) -> tuple[str, ...]:
        """Return the techniques for a puzzle, easiest first."""
        return (*PATTERNED, "guess") if has_patterns(puzzle.model) else TECHNIQUES

    def _solved(self, puzzle: Puzzle, until: Deadline) -> tuple[int | None, list[Made]]:
        """Return the score and the path; no score if techniques and guesses do not suffice."""
        if not has_patterns(puzzle.model):
            used = TECHNIQUES if self.path is None else self.path.enough(TECHNIQUES)
            most = self.scores[1]
            _, found = grade_by_rules(puzzle.model, until, most, techniques=used)
            return found.score, [*found.path]
        granted = assumed(puzzle.model, self.uniqueness, until)._asdict()
        points, path = 0, list[Made]()
        for subset in dict.fromkeys((self.subset, None)):
            deck, without = self._deck(subset)
            board = DeductionState(puzzle.model, deck=deck, without=without, **granted)
            if not (board.begin(timeout=until) and board.guess(self._depth, timeout=until)):
                return None, path
            if not board.solved:
                return None, path
            if self.scores == (0, _HIGHEST) and self.path is None:
                break
            path = made_by_patterns(board)
            points = score_of_steps(board, path)
        return points, path

    def _deck(self, subset: Subset | None, label: Label | None = None) -> tuple[Deck, set[int]]:
        """Return the rules to use, and the techniques not to use."""
        deck, without = deck_for(subset, label)
        if self.path is None:
            return deck, set(without)
        enough = self.path.enough(PATTERNED)
        return deck, {*without} | {
            number for number, technique in enumerate(CATALOGUE) if technique.name not in enough
        }

    @property
    def _depth(self) -> int:
        """The greatest allowed depth of guesses."""
        if self.path is not None and not self.path.allows("refuted"):
            return 0
        guesses = self.max_depth or int(self._guesses)
        return guesses if self.label is None or self._guesses else 0

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

        Such clues are slightly too few for the label below.
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
        # Labels with guesses are not decided step by step. The hardest other one is next.
        place = min(place, LABELS.index(_GUESSED[0]))
        return replace(self, label=LABELS[place - 1], least=None) if place else None

    def clues(
        self, full: Slitherlink, deadline: Deadline | None = None
    ) -> Reduction | Guessing | None:
        """Return the predicate for puzzles with some of the clues of ``full``, far faster for each.

        Raises `SearchTimeout` at the ``deadline``. Returns ``None`` with ``uniqueness``, since more
        clues may then allow fewer arguments.
        """
        if self.uniqueness:
            return None
        deck, without = self._deck(self.subset, self.label)
        deadline = deadline or Deadline(None)
        if self._guesses and not self.max_depth:
            return Guessing(full, deck, without, 1 if self._one_guess else None, deadline)
        depth = self._depth
        return Reduction(full, deck=deck, without=without, max_depth=depth, deadline=deadline)


def within(
    label: Label | None = None,
    *,
    max_depth: int = 0,
    subset: Subset | None = None,
    uniqueness: bool | None = None,
    least: Label | None = None,
    score: tuple[int, int] | None = None,
    path: PathWish | None = None,
) -> Within:
    """Return a predicate for generators: whether a puzzle is not harder than a label.

    ``max_depth`` limits nested guesses, if the label allows guesses or there is no label.
    ``subset`` are techniques that must solve the puzzle. ``uniqueness`` is as for `grade`. If
    arguments from uniqueness are forbidden, a puzzle that passes has exactly one solution.

    ``least`` is the lowest label and ``score`` the lowest and highest score of a finished puzzle,
    which `Within.check` compares: ``within("hard", least="hard")`` makes exactly hard puzzles.
    ``path`` are conditions for the path of a finished puzzle.

    Raises ``ValueError`` for an unknown label or subset, a depth above 6, an invalid range, and for
    scores that no puzzle of the labels has.

    >>> from linkoracle import Slitherlink
    >>> is_easy = within("easy")
    >>> is_easy(Slitherlink([[3, 3], [None, None]])), is_easy(Slitherlink.blank(2, 2))
    (True, False)
    """
    for name in (label, least):
        if name is not None and name not in LABELS:
            raise ValueError(f"expected one of the labels {', '.join(LABELS)}, got {name!r}")
    if label is not None and least is not None and LABELS.index(least) > LABELS.index(label):
        raise ValueError(f"expected the easier label first, got {least} and {label}")
    checked_int(max_depth, "a depth of guesses", 0, _MAX_DEPTH)
    if score is not None:
        low, high = (checked_int(end, "a score") for end in score)
        if low > high:
            raise ValueError(f"the range {low}-{high} is empty. Give the lower score first")
    if subset is not None:
        subset_names(subset)
    made = Within(label, max_depth, subset, uniqueness, least, score, path)
    if (ends := made.scores)[0] > ends[1]:
        least_score, most_score = replace(made, score=None).scores
        labels = f"scores of these labels, {least_score} to {most_score}"
        raise ValueError(f"expected {labels}, got {score}")
    return made
