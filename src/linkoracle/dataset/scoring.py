"""Graders: what a model wrote against the solutions of a record, as a whole or step by step."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, islice
from typing import Any, Literal, NamedTuple

from linkoracle import deduce
from linkoracle.board import Solution
from linkoracle.core import checked_int
from linkoracle.dataset.answers import Claim, answer_of
from linkoracle.deduce import Step
from linkoracle.formats import read
from linkoracle.kinds import Puzzle, place_of
from linkoracle.solving import solutions

#: Solutions that a step grader keeps.
_MOST_SOLUTIONS = 1_000


@dataclass(frozen=True)
class Score:
    """The score of an answer.

    ``right`` is whether it is right as a whole: all lines of the only solution, or the claim that
    there is no solution, or that there are two (or both of them). ``claim`` is what the answer
    claims, ``""`` if nothing; ``claim_right`` whether that is true, with lines taken as the claim
    of a solution. ``share`` is the share of lines that are right, of those of the answer and of the
    nearest solution together. ``first_wrong`` is the first line that is wrong, or missing.
    ``understood`` is false for text without a claim or a drawing.
    """

    right: bool
    claim: Claim
    claim_right: bool
    share: float
    first_wrong: str | None
    understood: bool


def score(record: Mapping[str, Any], answer: object) -> Score:
    """Score an answer to a record of a data set: see `Score`.

    ``answer`` is text as models write it, or what JSON holds. Lines may be a drawing in
    box-drawing characters or ASCII; a grid of letters (``se`` for lines to the south and east,
    ``-`` for none), of numbers of paths, or of ``#`` inside; places such as ``r1c1-r1c2`` (from 1)
    or ``[0, 0]`` (from 0), in pairs or along walks; moves such as ``r1c1 RRDL``; or JSON with these
    as ``"paths"``, ``"edges"`` or ``"solution"``. Fenced blocks count before other text. Claims are
    words such as "no solution" and "two solutions". Never raises for any answer. Microseconds to
    milliseconds.

    >>> from linkoracle.dataset import DataSet
    >>> puzzle, none, two = next(DataSet(["masyu"], ["6x6"], seed=1).triples("masyu", "6x6"))
    >>> score(puzzle, {"paths": puzzle["solutions"][0]["paths"]}).right
    True
    >>> score(two, "There are two solutions.").right, score(two, "unsolvable").claim_right
    (True, False)
    >>> score(puzzle, "r1c1-r1c2, then I am lost").share < 0.1
    True
    """
    puzzle, solved = _known_of(record)
    status, found = record["status"], answer_of(puzzle, answer)
    share, wrong = _compared(puzzle, found.drawn, solved)
    match status:
        case "unique":
            right = found.claim in ("", "unique") and found.drawn == solved
            claim_right = found.claim == "unique" or (found.claim == "" and bool(found.drawn))
        case "two":
            both = len(found.drawn) == 2 and {*found.drawn} == {*solved}
            right = found.claim == "two" or (found.claim == "" and both)
            claim_right = found.claim == "two" or len(found.drawn) > 1
        case _:
            right = claim_right = found.claim == "none"
    understood = bool(found.claim or found.drawn)
    return Score(right, found.claim, claim_right, share, wrong, understood)


def _known_of(record: Mapping[str, Any]) -> tuple[Puzzle, tuple[Solution, ...]]:
    """Return the puzzle and the solutions of a record."""
    return _known(record["json"], json.dumps([one["paths"] for one in record["solutions"]]))


@lru_cache(maxsize=64)
def _known(text: str, paths: str) -> tuple[Puzzle, tuple[Solution, ...]]:
    puzzle = read(text)
    every = ([[*map(_label, walk)] for walk in walks] for walks in json.loads(paths))
    return puzzle, tuple(Solution.from_paths(puzzle.board, walks) for walks in every)


def _label(place: Sequence[int]) -> Any:
    return tuple(place) if len(place) > 1 else place[0]


def _compared(
    puzzle: Puzzle, drawn: Sequence[Solution], solved: Sequence[Solution]
) -> tuple[float, str | None]:
    """Return the share of lines that are right, and the first wrong line."""
    if not drawn or not solved:
        return 0.0, None
    shares = []
    for one in drawn:
        for right in solved:
            mine, theirs = {*one.edges}, {*right.edges}
            shares.append((len(mine & theirs) / (len(mine | theirs) or 1), mine, theirs))
    share, mine, theirs = max(shares, key=lambda found: found[0])
    if extra := sorted(mine - theirs):
        return share, f"{_named(puzzle, extra[0])} is no line of the solution"
    if missing := sorted(theirs - mine):
        return share, f"{_named(puzzle, missing[0])} is missing"
    return share, None


def _named(puzzle: Puzzle, edge: int) -> str:
    names = map(puzzle.board.vertex_name, puzzle.board.ends(edge))
    return "-".join(place_of(one) if isinstance(one, tuple) else str(one) for one in names)


class StepVerdict(NamedTuple):
    """What a move is worth, and the next step of a person.

    ``"forced"``: all solutions that fit the moves so far agree with it; ``"possible"``: some do;
    ``"wrong"``: none does, and the move is not made. ``hint`` is the next step that deduction finds
    from the moves so far, ``None`` if there is none.
    """

    verdict: Literal["forced", "possible", "wrong"]
    hint: Step | None


class StepGrader:
    """Grade the moves of somebody who solves a puzzle, one after the other.

    Takes a record of a data set or a puzzle. Raises ``ValueError`` for a puzzle with more than
    1,000 solutions.

    >>> from linkoracle import Slitherlink
    >>> grader = StepGrader(Slitherlink([[3, 3], [None, None]]))
    >>> grader.move(((0, 0), (0, 1))).verdict, grader.move(((0, 1), (0, 2)), False).verdict
    ('forced', 'wrong')
    >>> grader.hint().technique, grader.solved
    ('dot', False)
    """

    def __init__(self, puzzle: Puzzle | Mapping[str, Any]) -> None:
        if isinstance(puzzle, Mapping):
            self.puzzle, found = _known_of(puzzle)
        else:
            self.puzzle = puzzle
            found = tuple(islice(solutions(puzzle), _MOST_SOLUTIONS + 1))
            if len(found) > _MOST_SOLUTIONS:
                raise ValueError(f"expected a puzzle of at most {_MOST_SOLUTIONS:,} solutions")
        #: The moves so far: edges by their ids, on or off, and vertices, visited or not.
        self.marks: dict[int, bool] = {}
        self.visited: dict[int, bool] = {}
        self._left = [{*one.edges} for one in found]

    def __getstate__(self) -> dict[str, Any]:
        # A copy has moves of its own.
        return {**vars(self), "marks": {**self.marks}, "visited": {**self.visited}}

    def move(self, edge: Any, on: bool = True, *, hint: bool = True) -> StepVerdict:
        """Grade the move that draws a line, or crosses it out; make it unless it is wrong.

        ``edge`` is an id, or two places. Without ``hint``, none is looked for, which takes most of
        the milliseconds. Raises ``ValueError`` for no edge of the board.
        """
        at = self.puzzle.board.edge_of(edge)
        return self._made(self.marks, at, on, [(at in one) == on for one in self._left], hint)

    def visit(self, vertex: int, on: bool = True, *, hint: bool = True) -> StepVerdict:
        """Grade the move that marks a vertex as visited by a line, or as not visited.

        In kinds that shade cells, those that are not visited are shaded. Raises ``ValueError`` for
        no vertex of the board.
        """
        around = self.puzzle.board.edges_at(
            checked_int(vertex, "a vertex", 0, self.puzzle.board.num_vertices - 1)
        )
        fits = [(not one.isdisjoint(around)) == on for one in self._left]
        return self._made(self.visited, vertex, on, fits, hint)

    def _made(
        self, marks: dict[int, bool], at: int, on: bool, fits: Sequence[bool], hint: bool
    ) -> StepVerdict:
        """Make a move that these of the solutions left fit, unless none does."""
        if not any(fits):
            return StepVerdict("wrong", self.hint() if hint else None)
        self._left = [*compress(self._left, fits)]
        marks[at] = on
        verdict: Literal["forced", "possible"] = "forced" if all(fits) else "possible"
        return StepVerdict(verdict, self.hint() if hint else None)

    def hint(self) -> Step | None:
        """Return the next step that deduction finds from the moves so far."""
        return deduce.hint(self.puzzle, self.marks, self.visited) if self._left else None

    @property
    def solved(self) -> bool:
        """Whether the moves have all lines of one solution."""
        drawn = {edge for edge, on in self.marks.items() if on}
        return any(drawn == one for one in self._left)

    def graded(self, moves: Iterable[tuple[Any, bool]]) -> list[StepVerdict]:
        """Grade moves in turn, without hints."""
        return [self.move(edge, on, hint=False) for edge, on in moves]
