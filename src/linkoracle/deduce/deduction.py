"""Deduction for any kind and board, by techniques that belong to rules; and its grades.

`DeductionState` knows patterns of Slitherlink and Numberlink. `Deduction` knows only the
constraints of a `LinkModel`: how many of some literals are true, and that the lines form one loop,
or paths between pairs. Its facts are lines, crosses, and which vertices are visited. Its
techniques, easiest first:

* ``count``: a rule leaves one choice;
* ``end``: a line would close too early, or join different pairs;
* ``cases``: all ways to satisfy one clue, or to pass one vertex, agree;
* ``crossing``: a loop crosses the border of any area an even number of times;
* ``exit``: a line could get somewhere, but not back;
* ``clues``: all ways to satisfy two clues together agree;
* ``trial``: an assumption breaks a rule some steps later;
* ``guess``: a trial with trials in it; or deeper, so that the solution decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from linkoracle.board import LinkModel, Solution
from linkoracle.core import Deadline
from linkoracle.deduce.board import decided
from linkoracle.deduce.deduction_kernel import Steps
from linkoracle.deduce.grades import (
    Grade,
    Made,
    Status,
    label_of,
    scale_of,
)
from linkoracle.deduce.groups import Flips, Rules, rules_of

#: The techniques, easiest first: the kernel numbers them.
TECHNIQUES = ("count", "end", "cases", "crossing", "exit", "clues", "trial", "guess")

#: The names of techniques, as the kernel numbers them: the last is used only on request.
_NAMES = (*TECHNIQUES, "unique")

#: The costs of steps, on the scale of `linkoracle.deduce.rules.CATALOGUE`. Those of cases go by the
#: number of ways, each up to the number given; that of a trial is a multiple of a power of its
#: length.
COSTS = {"count": 1, "end": 2, "crossing": 4, "exit": 4, "unique": 6, "guess": 40}
CASES_COSTS = ((2, 2), (4, 3), (12, 5), (24, 8))
CLUES_COST = 3
TRIAL_COST, TRIAL_POWER = 5, 0.75
#: The most guesses that are compared, and the edges of a board by which they get fewer.
_GUESSES, _FEWER = 4, 500
#: A score is compared with its limit when the steps are more by one in so many.
_BETWEEN = 8


def cost_of(technique: str, length: int = 0, ways: int = 0) -> float:
    """Return the cost of a step.

    >>> cost_of("count"), cost_of("cases", ways=3), cost_of("trial", length=16)
    (1, 3, 40.0)
    >>> cost_of("exit"), cost_of("exit", length=1)
    (4, 9.0)
    """
    if technique == "trial" or (technique == "exit" and length):
        # Two lines that lead out of an area are tried together.
        return float(COSTS.get(technique, 0) + TRIAL_COST * length**TRIAL_POWER)
    if technique not in ("cases", "clues"):
        return COSTS[technique]
    cost = next(cost for most, cost in CASES_COSTS if ways <= most)
    return cost if technique == "cases" else CLUES_COST * cost


@dataclass(frozen=True)
class Decision:
    """A step: its technique, what it decides, and why.

    ``technique`` is one of `TECHNIQUES`; a guess uses the solution. ``facts`` are literals of edges
    and visited vertices, as in `linkoracle.board.constraints`. ``kind``, ``index`` and ``other``
    are its reason, as the kernel numbers it. ``length`` is the number of steps of a trial, ``ways``
    the number of cases, ``choices`` the number of steps that were open. ``number`` is that of the
    step in the kernel.
    """

    technique: str
    kind: int
    index: int
    other: int
    length: int
    ways: int
    choices: int
    facts: tuple[int, ...]
    number: int

    @property
    def cost(self) -> float:
        return cost_of(self.technique, self.length, self.ways)


class Deduction(Steps):
    """The known values of the edges and vertices of a model, with the steps that led there.

    ``techniques`` are the names of those to use, ``marks`` literals of edges and visited vertices
    that are known from the beginning. Values of auxiliary variables are not facts, since they mean
    nothing to a player.

    >>> from linkoracle.kinds import KINDS
    >>> puzzle = KINDS["masyu"](["b.w.", "....", "....", "..b."])
    >>> state = Deduction(puzzle.model)
    >>> state.run(), state.solved
    (True, True)
    """

    model: LinkModel
    rules: Rules
    #: The literals that are known from the beginning.
    fixed: tuple[int, ...]
    #: The names of the techniques to use.
    techniques: frozenset[str]

    #: Whether the solution is assumed to be unique.
    uniqueness: bool

    def __new__(
        cls,
        model: LinkModel,
        techniques: Collection[str] = TECHNIQUES,
        marks: Iterable[int] = (),
        *,
        uniqueness: bool = False,
    ) -> Self:
        rules = rules_of(model)
        marks = tuple(marks)
        fixed = [-1 - edge for edge in model.forbidden] + [1 + edge for edge in model.given]
        used = _bits(techniques)
        # The stub of the kernel has this as `__init__`.
        links = [link[:3] for link in rules.links]
        state = super().__new__(  # type: ignore[call-arg]
            cls, model, rules.counts, rules.sorts, rules.members, used, [*fixed, *marks], links
        )
        state.model, state.rules, state.fixed = model, rules, (*fixed, *marks)
        state.techniques, state.uniqueness = frozenset(techniques), uniqueness
        return state

    @property
    def steps(self) -> list[Decision]:
        """The steps so far that decide an edge or a vertex, in order."""
        return [
            Decision(_NAMES[made[0]], *made[1:7], tuple(made[7]), number)
            for number, made in enumerate(self.made())
            if made[7]
        ]

    def path(self) -> list[Made]:
        """Return the steps as numbers."""
        return [
            Made(one.technique, one.cost, one.choices, len(one.facts), one.length, one.ways)
            for one in self.steps
        ]

    @property
    def solved(self) -> bool:
        """Whether all edges are known."""
        return not self.open_edges

    def run(
        self,
        deadline: Deadline | None = None,
        *,
        enough: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Deduce everything that follows, or until ``enough()``; False if there is no solution.

        Needs O(facts) trials a step at worst. Raises `SearchTimeout` at the ``deadline``.
        """
        deadline = deadline or Deadline(None)
        return self.begin(deadline) and self.go_on(deadline, enough=enough)

    def go_on(self, deadline: Deadline, *, enough: Callable[[], bool] = lambda: False) -> bool:
        """Deduce as `run` after the beginning."""
        while not (self.solved or enough()):
            decided = self.go_uniquely(deadline) if self.uniqueness else self.advance(deadline)
            if decided is None:
                return False
            if not decided:
                break
        # A loop has a line.
        return not (self.solved and self.model.loop) or self.has_lines

    def go_uniquely(self, deadline: Deadline) -> bool | None:
        """Make steps as `advance` does; before any trial, one from uniqueness."""
        self.use(_bits(self.techniques - {"trial"}))
        decided = self.advance(deadline)
        self.use(_bits(self.techniques))
        if decided is False:
            found = self.two_solutions(deadline)
            if found is None:
                return self.advance(deadline)
            self.take(-found[0], _NAMES.index("unique"))
            decided = True
        return decided

    def two_solutions(self, deadline: Deadline) -> tuple[int, int] | None:
        """Return an open edge, as a literal, and a face that could be flipped if that were so."""
        for edge, value in enumerate(self.values):
            for literal in (edge + 1, -edge - 1) if value is None else ():
                deadline.check()
                face = self.flippable(literal)
                if face is not None:
                    return literal, face
        return None

    def flippable(self, literal: int) -> int | None:
        """Return a face that could be flipped if a fact were so."""
        followed = self.followed(literal)
        if followed is None:
            return None
        known = {abs(one): one > 0 for one in followed}
        edges = self.model.board.num_edges
        near = {abs(literal) - 1, *(abs(one) - 1 for one in followed if abs(one) <= edges)}
        return next(
            (face for one in near if (face := self.flips.flippable(one, known)) is not None), None
        )

    @cached_property
    def flips(self) -> Flips:
        """The faces that might be flipped."""
        return Flips(self.model, self.rules)

    def known(self) -> list[int]:
        """Return all facts so far, as literals."""
        return [*self.fixed, *(fact for step in self.steps for fact in step.facts)]

    def tried_within(
        self, literal: int, before: Sequence[int], deadline: Deadline
    ) -> Deduction | None:
        """Return the deduction that refutes a literal by trials in a trial, if they suffice."""
        inner = Deduction(self.model, (self.techniques | {"trial"}) - {"guess"}, [*before, literal])
        return inner if not inner.run(deadline) else None

    def guess_from(self, solution: Solution, deadline: Deadline) -> int:
        """Decide an edge as in the only solution; return how deep the guess is.

        That is 1 if a trial refutes the opposite, in which others are made; else 2. Of the edges
        that decide most at once the first is taken for which that suffices; on large boards fewer
        are compared.
        """
        literals, before = self.guesses(solution.edges, deadline), self.known()
        for literal in literals[: min(_GUESSES, 1 + _FEWER // self.model.board.num_edges)]:
            if self.tried_within(-literal, before, deadline) is not None:
                self.take(literal, _NAMES.index("guess"))
                return 1
        self.take(literals[0], _NAMES.index("guess"))
        return 2


def _bits(techniques: Collection[str]) -> int:
    return sum(1 << at for at, name in enumerate(TECHNIQUES) if name in techniques)


def grade_by_rules(
    model: LinkModel,
    deadline: Deadline,
    most: int | None = None,
    *,
    techniques: Collection[str] = TECHNIQUES,
    uniqueness: bool = False,
) -> tuple[Deduction, Grade]:
    """Return the deduction for a model, and its grade.

    If the deduction gets stuck and SAT finds the only solution, the rest takes guesses: a rough
    score, since a longer argument may exist. Gives up as soon as the score is above ``most``.
    With ``uniqueness`` steps may assume that there is one solution. Raises `SearchTimeout`.
    """
    state = Deduction(model, techniques, uniqueness=uniqueness)
    edges, scale = model.board.num_edges, scale_of(model)

    def is_over() -> bool:
        return most is not None and scale.score(scale.effort(state.path(), edges)) > most

    due = 0

    def enough() -> bool:
        """Return whether the score is too high, asked again when there are some more steps."""
        nonlocal due
        if state.num_steps < due:
            return False
        due = state.num_steps + 1 + state.num_steps // _BETWEEN
        return is_over()

    fits = state.run(deadline, enough=enough)
    status: Status = "no solution" if not fits else "solved" if state.solved else "gave up"
    guesses = depth = 0
    # All edges may be known while auxiliary variables are not, so that no rule seems broken.
    unsure = status == "solved" and not state.is_complete
    # With several solutions, arguments from uniqueness may exclude all.
    unsure = unsure or (uniqueness and not fits)
    if unsure or (status == "gave up" and not is_over()):
        verdict = decided(model, deadline)
        if verdict is None:
            status = "gave up"
        elif not verdict.unique:
            status = "not unique" if verdict.solutions else "no solution"
        else:
            while "guess" in techniques and not (state.solved or is_over()):
                depth = max(depth, state.guess_from(verdict.solutions[0], deadline))
                state.go_on(deadline, enough=enough)
                guesses += 1
            status = "solved" if state.solved else status
    path = state.path()
    score = label = None
    if status == "solved":
        score = scale.score(scale.effort(path, edges), guessed=guesses > 0)
        label = label_of(score)
    steps = Counter(step.technique for step in path)
    found = depth, guesses, state.open_edges
    return state, Grade(status, label, score, dict(steps), {}, *found, path=tuple(path))
