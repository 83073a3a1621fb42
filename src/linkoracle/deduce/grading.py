"""Grades: what a person must do to solve a puzzle, and one label for it.

The label is that of the hardest technique needed, where techniques are tried cheapest first:

========== ======================================================================================
easy       clue and dot arithmetic, no early loop, patterns of clues, a line that reaches a 3
normal     patterns of up to 2x2 cells with the edges around them; parity; pockets
tricky     colours, larger patterns, the sides around one clue or dot; uniqueness
hard       connected regions; all ways to fill a block of 2x2 cells
extreme    all ways to fill a block of 3x3 cells; guesses
========== ======================================================================================
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby

from linkoracle.deduce.board import Board, standard_deck
from linkoracle.deduce.instances import Deck
from linkoracle.deduce.rules import all_rules
from linkoracle.deduce.search import backtrack
from linkoracle.deduce.techniques import CATALOGUE, GIVEN, PATTERNS, TECHNIQUES
from linkoracle.deduce.thinning import Thinning
from linkoracle.puzzles import Puzzle, Slitherlink
from linkoracle.sat.search import Deadline

#: The labels, the easiest first.
LABELS = ("easy", "normal", "tricky", "hard", "extreme")

#: The label of each technique.
LABEL_OF = {
    "clue": "easy",
    "dot": "easy",
    "loop": "easy",
    "static": "easy",
    "reach": "easy",
    "cell": "normal",
    "pair": "normal",
    "square": "normal",
    "parity": "normal",
    "pocket": "normal",
    "colour": "tricky",
    "block": "tricky",
    "shade": "tricky",
    "unique": "tricky",
    "region": "hard",
    "window": "hard",
    "wide": "extreme",
    "refuted": "extreme",
    "either": "extreme",
}

#: Sets of rules by how often published puzzles need them: see ``scripts/rule_shares.py``.
SUBSETS = ("easy", "hard")


@dataclass(frozen=True)
class Grade:
    """What it takes to solve a puzzle.

    ``status`` is ``"solved"``, ``"gave up"`` or ``"no solution"``; ``label`` is one of `LABELS`
    when solved. ``steps`` counts the steps of each technique, ``rules`` those of each pattern;
    ``depth`` is the greatest depth of a guess that decided something, ``guesses`` their number, and
    ``backtracking`` the depth of `backtrack`, if that was asked for.
    """

    status: str
    label: str | None
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


def grade(
    puzzle: Puzzle,
    *,
    max_depth: int = 1,
    uniqueness: bool = False,
    subset: str | None = None,
    backtracking: bool = False,
    timeout: float | Deadline | None = None,
) -> Grade:
    """Solve the puzzle as a person would, and tell what that took.

    ``max_depth`` limits how deep guesses may be nested; beyond it the answer is "gave up".
    ``uniqueness`` allows arguments that take for granted that there is one solution. ``subset``
    allows only the rules of a set in `SUBSETS`. Milliseconds without guesses; each level of guesses
    multiplies the time by the number of open edges.

    Raises `SearchTimeout` after ``timeout`` seconds.

    >>> from linkoracle import Slitherlink
    >>> found = grade(Slitherlink([[3, 3], [None, None]]))
    >>> found.status, found.label, found.depth
    ('solved', 'easy', 0)
    """
    deadline = Deadline.of(timeout)
    board = board_of(puzzle, uniqueness=uniqueness, subset=subset)
    fits = board.begin() and board.guess(max_depth, deadline=deadline)
    depth = None
    if backtracking:
        fresh = board_of(puzzle, uniqueness=uniqueness, subset=subset)
        depth = backtrack(fresh, limit=2, deadline=deadline).depth
    return graded(board, fits, backtracking=depth)


def board_of(puzzle: Puzzle, *, uniqueness: bool = False, subset: str | None = None) -> Board:
    """A fresh board with the techniques of a subset, or all."""
    deck, without = _allowed(subset)
    return Board(puzzle.model, deck=deck, without=without, uniqueness=uniqueness)


def graded(board: Board, fits: bool, *, backtracking: int | None = None) -> Grade:
    """The grade of what a board has done; ``fits`` as its last deduction said."""
    steps: Counter[int] = Counter()
    rules: Counter[str] = Counter()
    for (technique, place), _ in groupby(board.trail(), key=lambda entry: entry[1:]):
        if technique == GIVEN:
            continue
        steps[technique] += 1
        if technique in PATTERNS:
            rules[board.deck.rules[board.laid.rule[place]].name] += 1
    status = "no solution" if not fits else "solved" if board.solved else "gave up"
    used = {CATALOGUE[technique].name: steps[technique] for technique in sorted(steps)}
    label = None
    if status == "solved":
        label = max((LABEL_OF[name] for name in used), key=LABELS.index, default=LABELS[0])
    return Grade(
        status,
        label,
        used,
        dict(rules),
        board.depth,
        board.trials,
        board.open_edges,
        backtracking,
    )


@dataclass(frozen=True)
class Within:
    """A predicate for generators: whether a puzzle is solved by some techniques.

    A puzzle that passes has exactly one solution unless ``uniqueness`` is given. See `within`.
    """

    label: str | None = None
    max_depth: int = 0
    subset: str | None = None
    uniqueness: bool = False

    def __call__(self, puzzle: Puzzle) -> bool:
        """Whether the puzzle is solved. Milliseconds without guesses."""
        deck, without = _up_to(self.label, self.subset)
        board = Board(puzzle.model, deck=deck, without=without, uniqueness=self.uniqueness)
        return board.begin() and (board.solved or (board.guess(self.max_depth) and board.solved))

    def clues(self, full: Slitherlink, tick: Callable[[], None] = lambda: None) -> Thinning | None:
        """The same for all puzzles with the clues of ``full`` but some; far faster for each.

        ``tick`` is called before every deduction, and may raise. ``None`` with ``uniqueness``: then
        more clues may mean fewer arguments.
        """
        if self.uniqueness:
            return None
        deck, without = _up_to(self.label, self.subset)
        return Thinning(full, deck=deck, without=without, max_depth=self.max_depth, tick=tick)


def within(
    label: str | None = None,
    *,
    max_depth: int = 0,
    subset: str | None = None,
    uniqueness: bool = False,
) -> Within:
    """A predicate for generators: whether a puzzle is solved by techniques up to a label.

    With ``max_depth`` guesses are allowed, too. A puzzle that passes has exactly one solution
    unless ``uniqueness`` is given. Raises ``ValueError`` for a label or a subset that is none.

    >>> from linkoracle import Slitherlink
    >>> is_easy = within("easy")
    >>> is_easy(Slitherlink([[3, 3], [None, None]])), is_easy(Slitherlink.blank(2, 2))
    (True, False)
    """
    if label is not None and label not in LABELS:
        raise ValueError(f"expected one of the labels {', '.join(LABELS)}, got {label!r}")
    if subset is not None:
        subset_names(subset)
    return Within(label, max_depth, subset, uniqueness)


@cache
def subset_names(subset: str) -> frozenset[str]:
    """The names of techniques and rules in a subset; ``ValueError`` if there is no such subset."""
    if subset not in SUBSETS:
        raise ValueError(f"expected one of the subsets {', '.join(SUBSETS)}, got {subset!r}")
    text = (files("linkoracle.deduce") / "subsets.json").read_text(encoding="utf-8")
    return frozenset(json.loads(text)[subset])


@cache
def _allowed(subset: str | None) -> tuple[Deck, frozenset[int]]:
    """The rules of a subset, and the techniques that are not in it."""
    if subset is None:
        return standard_deck(), frozenset()
    names = subset_names(subset)
    kept = Deck.of([rule for rule in all_rules() if rule.name in names])
    missing = {
        technique
        for technique in range(TECHNIQUES)
        if technique not in PATTERNS and CATALOGUE[technique].name not in names
    }
    return kept, frozenset(missing)


@cache
def _up_to(label: str | None, subset: str | None) -> tuple[Deck, frozenset[int]]:
    """The rules of a subset, and the techniques that are not in it, or above a label."""
    deck, without = _allowed(subset)
    harder = () if label is None else LABELS[LABELS.index(label) + 1 :]
    return deck, without | {
        technique
        for technique in range(TECHNIQUES)
        if LABEL_OF[CATALOGUE[technique].name] in harder
    }
