"""Deduction for any kind and board, from counts, whole lines and probes; its grades and sentences.

`DeductionState` knows patterns of Slitherlink and Numberlink. `Deduction` knows only the
constraints of a `LinkModel`: how many of some literals are true, and that the lines form one loop,
or paths between pairs. Its techniques, easiest first: a count that leaves one choice; a line that
would close too early, or join different pairs; a *probe*, which shows that an edge cannot be on, or
off, because a rule is broken a few steps later. The longest probe shows how hard a puzzle is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from linkoracle.board import Count, LinkModel
from linkoracle.core import Deadline
from linkoracle.deduce.board import decided
from linkoracle.deduce.deduction_kernel import Steps
from linkoracle.deduce.explaining import Step
from linkoracle.deduce.grades import Grade, Made, Status, label_of, score_of, squares_of
from linkoracle.kinds import Puzzle, format_place

#: The techniques, easiest first, and a guess; the kernel numbers them.
TECHNIQUES = ("count", "end", "cases", "crossing", "exit", "clues", "trial", "guess")
#: The weight of a step, by technique; that of a probe grows with its length.
_WEIGHTS = {"count": 1, "end": 2, "trial": 3, "guess": 40}
#: The power of the length of a probe: one of 4, 10 and 25 literals weighs 8, 17 and 34.
_POWER = 0.75


@dataclass(frozen=True)
class Decision:
    """A step: the literal that it decided, its technique, and its rule.

    ``technique`` is one of `TECHNIQUES`; a guess uses the solution. ``rule`` is an index of
    `rules_of`. A probe decided ``length`` literals until that rule was broken; ``None`` is the rule
    that the lines form one loop, or paths. ``choices`` counts the equally easy steps available.
    """

    technique: str
    rule: int | None
    length: int
    literal: int
    choices: int = 1

    @property
    def weight(self) -> float:
        """The weight of the step, on the scale of `linkoracle.deduce.rules.CATALOGUE`.

        >>> Decision("end", None, 0, 1).weight, Decision("trial", 3, 16, 1).weight
        (2.0, 24.0)
        """
        return float(_WEIGHTS[self.technique] * max(1, self.length) ** _POWER)


class Deduction(Steps):
    """The known values of the edges of a model, with the steps that led there.

    Values of auxiliary variables are not steps, since they mean nothing to a player.

    >>> from linkoracle.kinds import KINDS
    >>> puzzle = KINDS["masyu"](["b.w.", "....", "....", "..b."])
    >>> state = Deduction(puzzle.model)
    >>> state.run(), state.solved
    (True, True)
    """

    def __init__(self, model: LinkModel, techniques: Collection[str] = TECHNIQUES) -> None:
        self.model = model
        self.techniques = frozenset(techniques)
        self._steps: list[Decision] = []

    @property
    def steps(self) -> list[Decision]:
        """The steps so far, in order."""
        self._steps += (
            Decision(TECHNIQUES[technique], None if rule < 0 else rule, length, literal, choices)
            for literal, technique, rule, length, choices in self.steps_from(len(self._steps))
        )
        return self._steps

    def path(self) -> list[Made]:
        """Return the steps as numbers."""
        return [
            Made(step.technique, step.weight, step.choices, 1, step.length) for step in self.steps
        ]

    @property
    def solved(self) -> bool:
        """Whether all edges are known."""
        return not self.open_edges

    @property
    def has_decided(self) -> bool:
        """Whether a step has decided an edge."""
        return any(abs(step.literal) <= self.model.board.num_edges for step in self.steps)

    def run(
        self,
        deadline: Deadline | None = None,
        *,
        enough: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Deduce everything that probes find, or until ``enough()``; False if there is no solution.

        Needs O(edges) probes a step at worst. Raises `SearchTimeout` at the ``deadline``.
        """
        deadline = deadline or Deadline(None)
        if not self.begin(deadline):
            return False
        while "trial" in self.techniques and not (self.solved or enough()):
            decided = self.probe(deadline)
            if decided is None:
                return False
            if not decided:
                break
        # A loop has a line.
        return not (self.solved and self.model.loop) or self.has_lines


def rules_of(model: LinkModel) -> list[Count]:
    """Return all rules, those of vertices first."""
    board = model.board
    degrees = [
        Count(tuple(edge + 1 for edge in board.edges_at(vertex)), mask)
        for vertex, mask in enumerate(model.degrees)
    ]
    faces = [
        Count(tuple(edge + 1 for edge in board.edges_of(face)), mask)
        for face, (mask, free) in enumerate(zip(model.faces, board.free_masks, strict=True))
        if mask != free
    ]
    return [*degrees, *faces, *model.all_counts()]


def grade_by_rules(
    model: LinkModel,
    deadline: Deadline,
    most: int | None = None,
    *,
    techniques: Collection[str] = TECHNIQUES,
) -> tuple[Deduction, Grade]:
    """Return the deduction for a model, and its grade.

    If the deduction gets stuck and SAT finds the only solution, the rest takes guesses: a rough
    score, since a longer argument may exist. Gives up as soon as the score is above ``most``.
    Raises `SearchTimeout`.
    """
    state = Deduction(model, techniques)

    def enough() -> bool:
        return most is not None and score_of(squares_of(state.path()), model.board.num_edges) > most

    fits = state.run(deadline, enough=enough)
    status: Status = "no solution" if not fits else "solved" if state.solved else "gave up"
    guesses = 0
    # All edges may be known while auxiliary variables are not, so that no rule seems broken.
    unsure = status == "solved" and not state.is_complete
    if unsure or (status == "gave up" and not enough()):
        verdict = decided(model, deadline)
        if verdict is None:
            status = "gave up"
        elif not verdict.unique:
            status = "not unique" if verdict.solutions else "no solution"
        else:
            while "guess" in techniques and not (state.solved or enough()):
                state.guess(frozenset(verdict.solutions[0].edges), deadline)
                state.run(deadline, enough=enough)
                guesses += 1
            status = "solved" if state.solved else status
    score = (
        score_of(squares_of(state.path()), model.board.num_edges) if status == "solved" else None
    )
    label = None if score is None else label_of(score)
    steps = Counter(step.technique for step in state.steps)
    depth = min(guesses, 1)
    return state, Grade(status, label, score, dict(steps), {}, depth, guesses, state.open_edges)


def steps_by_rules(puzzle: Puzzle, state: Deduction) -> list[Step]:
    """Return the steps of a deduction as sentences that name the rules.

    >>> from linkoracle.kinds import KINDS
    >>> puzzle = KINDS["masyu"](["b.w.", "....", "....", "..b."])
    >>> state, _ = grade_by_rules(puzzle.model, Deadline(None))
    >>> print(steps_by_rules(puzzle, state)[0].sentence)
    The black circle at r1c1 leaves no other choice: a line between r1c2 and r1c3.
    """
    return list(_Explained(puzzle, state))


def hint_by_rules(
    puzzle: Puzzle,
    edges: Mapping[int, bool],
    visited: Mapping[int, bool],
    deadline: Deadline,
    *,
    techniques: Collection[str] = TECHNIQUES,
) -> Step | None:
    """Return the first step after these marks, which decides an edge; ``None`` if none.

    The options are those of `linkoracle.deduce.hint`.

    >>> from linkoracle.kinds import KINDS
    >>> puzzle = KINDS["masyu"](["b.w.", "....", "....", "..b."])
    >>> hint_by_rules(puzzle, {0: True, 1: True}, {}, Deadline(None)).sentence
    'The black circle at r1c1 leaves no other choice: a line between r1c2 and r1c3.'
    """
    model = puzzle.model.with_edges(
        given=[edge for edge, on in edges.items() if on],
        forbidden=[edge for edge, on in edges.items() if not on],
    )
    board = model.board
    marked = [board.visited(at) if on else -board.visited(at) for at, on in visited.items()]
    model = model.with_constraints(clauses=[(one,) for one in marked])
    state = Deduction(model, techniques)
    state.run(deadline, enough=lambda: state.has_decided)
    steps = steps_by_rules(puzzle, state)
    return next((step for step in steps if step.lines or step.crosses), None)


class _Explained:
    """The decisions of a state, each explained as a `Step`."""

    def __init__(self, puzzle: Puzzle, state: Deduction) -> None:
        self.puzzle = puzzle
        self.state = state
        self.board = puzzle.board
        self.rules = rules_of(state.model)

    def __iter__(self) -> Iterator[Step]:
        edges = self.board.num_edges
        for step in self.state.steps:
            edge = abs(step.literal) - 1
            lines = (edge,) if edge < edges and step.literal > 0 else ()
            crosses = (edge,) if edge < edges and step.literal < 0 else ()
            reason, conclusion = self.reason(step), self.conclusion(step.literal)
            cells = () if (cell := self.cell(step.rule)) is None else (cell,)
            name = step.technique
            yield Step(name, None, lines, crosses, reason, f"{reason}: {conclusion}.", cells)

    def reason(self, step: Decision) -> str:
        whole, otherwise = self.whole
        if step.technique == "guess":
            return "Only this leads to a solution, but no short argument says so"
        rule = whole if step.rule is None else self.named(step.rule)
        if step.technique == "end":
            return otherwise
        if step.technique == "count":
            return f"{rule} leaves no other choice"
        steps = "at once" if step.length < 2 else f"{step.length} steps later"
        return f"{rule} would be broken {steps}, if it were not so"

    def conclusion(self, literal: int) -> str:
        edge = abs(literal) - 1
        if edge < self.board.num_edges:
            one, other = map(self.place, self.board.ends(edge))
            what = "a line" if literal > 0 else "no line"
            return f"{what} between {one} and {other}"
        what = "is" if literal > 0 else "is not"
        return f"{self.place(edge - self.board.num_edges)} {what} on {self.lines}"

    @property
    def lines(self) -> str:
        """The name for the lines of a solution."""
        return "the loop" if self.state.model.loop else "a line"

    @property
    def whole(self) -> tuple[str, str]:
        """The rule for all lines together, and what would happen otherwise."""
        if self.state.model.loop:
            return "The rule of one loop", "Otherwise a loop would close too early"
        if len(self.state.model.terminals) > 1:
            return (
                "The rule that lines join equal numbers",
                "Otherwise a loop would close, or a line would join different numbers",
            )
        return "The rule of one path", "Otherwise the path would close or end too early"

    def place(self, vertex: int) -> str:
        place = self.board.vertex_name(vertex)
        return _short(place) if self.puzzle.through_cells else f"dot {format_place(place)}"

    def named(self, number: int) -> str:
        """Return the name of a rule: of a place on the loop, of a clue, or of the kind."""
        if (vertex := self.vertex(number)) is not None:
            return f"A {self.lines.split()[1]} through {self.place(vertex)}"
        if not self.state.model.loop:
            return self.puzzle.general_rule
        if (cell := self.cell(number)) is not None:
            clue = dict(self.puzzle.clue_cells())[cell]
            return f"The {self.clue_name(cell, clue)} at {_short(cell)}"
        return self.puzzle.general_rule

    def vertex(self, number: int) -> int | None:
        """Return the vertex whose lines a rule counts, or which must have one, if there is one."""
        edges, vertices = self.board.num_edges, self.board.num_vertices
        if number < vertices:
            return number
        literals = set(map(abs, self.rules[number].literals))
        highest = max(literals) - edges - 1
        if not 0 <= highest < vertices:
            return None
        lines = {edge + 1 for edge in self.board.edges_at(highest)}
        return highest if literals & lines and literals - lines == {max(literals)} else None

    def clue_name(self, cell: Any, clue: Any) -> str:
        """Return the name of a clue for a player."""
        puzzle: Any = self.puzzle
        figures = [*puzzle.clue_figures(cell, clue)]
        if len(figures) == 1 and figures[0].look in ("white", "black"):
            return f"{figures[0].look} circle {figures[0].text}".rstrip()
        return self.puzzle.symbols.get(clue) or str(clue)

    def cell(self, number: int | None) -> Any:
        """Return the cell of the clue that states a rule, if one does.

        ``None`` for paths: without one of its clues, a path would have different rules throughout.
        """
        if number is None or not self.state.model.loop or self.vertex(number) is not None:
            return None
        return self._clues.get(self.rules[number])

    @cached_property
    def _clues(self) -> dict[Count, Any]:
        """The cell of the clue without which a rule would be missing, by rule."""
        found: dict[Count, Any] = {}
        every = set(self.rules)
        for cell, _ in self.puzzle.clue_cells():
            fewer = self.puzzle.with_clues({cell: None}).model
            for rule in every.difference(rules_of(fewer)):
                found.setdefault(rule, cell)
        return found


def _short(cell: Any) -> str:
    """Return the name of a cell, or of a face, for a player."""
    return f"r{cell[0] + 1}c{cell[1] + 1}" if isinstance(cell, tuple) else f"face {cell}"
