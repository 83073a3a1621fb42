"""Techniques and pattern rules of the deduction.

The techniques are listed in the order in which they are tried, simplest first. The kernel tries a
technique only if no earlier one finds a step, so each step has the simplest argument available. The
order is part of the meaning of a grade.

A pattern rule derives edges from clues, lines and crosses in a window.

The rules are data, ``rules.jsonl``, one JSON object per line::

    {"name": "3 in a corner", "window": "1x1", "clues": "3", "if": "-v-1,0 -h0,-1", "then": "+h0,0"}

``clues`` are the rows of the window, with ``.`` for an empty cell. ``if`` and ``then`` list edges
of the window (see `Edge`), ``+`` for a line and ``-`` for a cross. A rule also holds rotated and
reflected, and wherever the window fits; an edge outside the board is a cross.

``scripts/derive_rules.py`` writes the file, and proves each rule by enumeration. The kernel reads a
`Deck`: rules with their rotations and reflections.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

from linkoracle.core import LABELS, data_text
from linkoracle.deduce.deduction_engine import Positions

if TYPE_CHECKING:
    from linkoracle.deduce.deduction_engine import Given

#: An edge by the dot at its top left: ``h`` runs to the right of the dot, ``v`` down. So the edge
#: that leaves a window upwards from its dot ``(0, 1)`` is ``("v", -1, 1)``.
Edge = tuple[str, int, int]
#: Clues in reading order; ``None`` is an empty cell.
Clues = tuple[int | None, ...]

CLUE, DOT, LOOP, BESIDE, STATIC, REACH, CELL, PAIR, SQUARE, PARITY, POCKET = range(11)
CORNER, EMPTY, PASSAGE, COLOUR, BLOCK, SHADE, ACCESS, REGION, WINDOW, WIDE, UNIQUE = range(11, 22)
#: Number of techniques.
TECHNIQUES = 22
#: Numbers of steps that are not deductions: decisions by guesses, and given lines.
REFUTED, EITHER, GIVEN = range(22, 25)


#: Sets of rules by how often published puzzles need them: see ``scripts/rule_shares.py``.
Subset = Literal["easy", "hard"]
SUBSETS: tuple[Subset, ...] = ("easy", "hard")

#: The labels of puzzles, easiest first.
Label = Literal["easy", "normal", "tricky", "hard", "extreme", "fiendish", "brutal"]


@dataclass(frozen=True)
class Technique:
    """The name of a technique, the weight of its steps, its label, and its argument.

    See `linkoracle.deduce.score` for the weight. The ``label`` is for puzzles that need a few
    such steps: generators choose clues for it, and `linkoracle.deduce.grades` labels the result.
    """

    name: str
    weight: int
    label: Label | None
    meaning: str


#: The techniques; the number of a technique is its index.
CATALOGUE = (
    Technique("clue", 1, "easy", "a clue has all its lines, or needs all its open edges"),
    Technique("dot", 1, "easy", "a line goes on from where it ends, and never branches"),
    Technique(
        "loop", 2, "easy", "an edge would close a loop, or join what must not be joined, too early"
    ),
    Technique(
        "beside", 2, "easy", "a path does not run beside itself, or it could take the short cut"
    ),
    Technique("static", 2, "easy", "a pattern of clues, wherever it stands"),
    Technique(
        "reach", 3, "easy", "a line that reaches a 3 goes on around it, and what follows from that"
    ),
    Technique("cell", 5, "normal", "a pattern of a 1 or 2 and the edges at its corners"),
    Technique("pair", 6, "normal", "a pattern of two clues side by side and the edges around them"),
    Technique(
        "square", 8, "normal", "a pattern of clues in a block of 2x2 cells and the edges around it"
    ),
    Technique("parity", 10, "normal", "a loop crosses a straight cut an even number of times"),
    Technique(
        "pocket", 10, "normal", "what lies behind a gap must be reached through it, or not at all"
    ),
    Technique("corner", 3, "normal", "a path turns around a number, or around another turn"),
    Technique("empty", 3, "normal", "no path could go round through a cell that stays empty"),
    Technique(
        "passage", 14, "tricky", "every way to join two equal numbers leads through one place"
    ),
    Technique(
        "colour", 12, "tricky", "two cells are known to be on the same side of the loop, or not"
    ),
    Technique("block", 14, "tricky", "a pattern of clues in a block of up to 3x3 cells"),
    Technique("shade", 16, "tricky", "the sides of cells around a clue or a dot fit in few ways"),
    Technique("access", 20, "hard", "only some numbers can get to a place"),
    Technique("region", 20, "hard", "all cells inside hang together, and all outside"),
    Technique("window", 30, "hard", "all ways to fill a block of 2x2 cells agree"),
    Technique("wide", 60, "extreme", "all ways to fill a block of 3x3 cells agree"),
    Technique("unique", 16, "tricky", "another choice would leave two solutions"),
    Technique("refuted", 150, "fiendish", "a guess that leads to a contradiction"),
    Technique("either", 180, "fiendish", "a guess and its opposite lead to the same"),
    Technique("given", 0, None, "was there at the beginning"),
)

#: Techniques for several paths that assume a unique solution.
REROUTING = (BESIDE, CORNER, EMPTY)
#: Techniques for several paths that hold for every solution.
JOINING = (PASSAGE, ACCESS)

#: Techniques whose steps are rules of the rule file.
PATTERNS = (STATIC, REACH, CELL, PAIR, SQUARE, BLOCK)


#: The kind of an edge after a quarter turn.
_ACROSS = {"h": "v", "v": "h"}

_EDGE = re.compile(r"([+-])([hv])(-?\d+),(-?\d+)")


@dataclass(frozen=True)
class Window:
    """A block of ``rows`` x ``cols`` cells, their edges, and the edges from its dots outwards."""

    rows: int
    cols: int

    def cells(self) -> list[tuple[int, int]]:
        """Return the cells in reading order."""
        return list(product(range(self.rows), range(self.cols)))


@dataclass(frozen=True)
class Rule:
    """A pattern rule: in a ``window``, these ``clues``, lines and crosses imply others.

    >>> rule = Rule("", Window(1, 1), (3,), frozenset(), frozenset({("v", -1, 0), ("h", 0, -1)}),
    ...             frozenset({("h", 0, 0), ("v", 0, 0)}), frozenset())
    >>> len(set(rule.turned()))
    4
    """

    name: str
    window: Window
    clues: Clues
    lines: frozenset[Edge]
    crosses: frozenset[Edge]
    then_lines: frozenset[Edge]
    then_crosses: frozenset[Edge]

    def turned(self) -> Iterator[Rule]:
        """Yield the rule in its eight orientations; some may be equal."""
        for rule in (self, self._transposed()):
            for _ in range(4):
                yield rule
                rule = rule._rotated()

    def _transposed(self) -> Rule:
        rows, cols = self.window.rows, self.window.cols
        clues = tuple(self.clues[row * cols + col] for col in range(cols) for row in range(rows))
        return self._moved(Window(cols, rows), clues, lambda kind, r, c: (_ACROSS[kind], c, r))

    def _rotated(self) -> Rule:
        """Return the rule rotated clockwise."""
        rows, cols = self.window.rows, self.window.cols
        upwards = range(rows - 1, -1, -1)
        clues = tuple(self.clues[row * cols + col] for col in range(cols) for row in upwards)

        def move(kind: str, r: int, c: int) -> Edge:
            return _ACROSS[kind], c, rows - r - (kind == "v")

        return self._moved(Window(cols, rows), clues, move)

    def _moved(self, window: Window, clues: Clues, move: Callable[[str, int, int], Edge]) -> Rule:
        """Return the rule in another orientation; ``move`` maps its edges."""
        parts = self.lines, self.crosses, self.then_lines, self.then_crosses
        moved = [frozenset(move(*edge) for edge in edges) for edges in parts]
        return Rule(self.name, window, clues, *moved)

    @property
    def technique(self) -> int:
        """The technique of its steps, if one of its premises is an edge of the board."""
        if not self.lines and not self.crosses:
            return int(STATIC)
        if self.clues == (3,):
            return int(REACH)
        small, large = sorted((self.window.rows, self.window.cols))
        return int({(1, 1): CELL, (1, 2): PAIR, (2, 2): SQUARE}.get((small, large), BLOCK))


def parse(line: str) -> Rule:
    """Read a rule from a line of the file."""
    values = json.loads(line)
    rows, cols = map(int, values["window"].split("x"))
    clues = tuple(None if sign == "." else int(sign) for sign in values["clues"].replace("/", ""))
    lines, crosses = _edges(values["if"])
    then_lines, then_crosses = _edges(values["then"])
    return Rule(values["name"], Window(rows, cols), clues, lines, crosses, then_lines, then_crosses)


def _edges(text: str) -> tuple[frozenset[Edge], frozenset[Edge]]:
    found = [(sign, (kind, int(row), int(col))) for sign, kind, row, col in _EDGE.findall(text)]
    lines, crosses = (frozenset(edge for sign, edge in found if sign == one) for one in "+-")
    return lines, crosses


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return the rules of the rule file, in order."""
    return tuple(map(parse, data_text("linkoracle.deduce", "rules.jsonl").splitlines()))


@dataclass(frozen=True)
class Deck:
    """Rules with their rotations and reflections, as the kernel reads them."""

    rules: tuple[Rule, ...]
    positions: Positions

    def __reduce__(self) -> tuple[Any, ...]:
        return Deck.of, (self.rules,)

    @classmethod
    def of(cls, rules: Sequence[Rule]) -> Deck:
        """Rotate and reflect the rules. Takes 0.1 ms for a rule."""
        given: list[Given] = []
        for number, rule in enumerate(rules):
            positions: dict[object, Rule] = {}
            for one in rule.turned():
                positions.setdefault((one.window, one.clues, one.lines, one.crosses), one)
            for one in positions.values():
                cells = zip(one.window.cells(), one.clues, strict=True)
                ((row, col), value), *others = (
                    (cell, clue) for cell, clue in cells if clue is not None
                )
                premises = _placed(one.lines, one.crosses, row, col)
                # Kinds of patterns with premises are numbered from 0.
                kind = max(0, PATTERNS.index(one.technique) - 1)
                corners = -row, -col, one.window.rows - row, one.window.cols - col
                conditions = [(0, r - row, c - col, clue) for (r, c), clue in others]
                conclusions = _placed(one.then_lines, one.then_crosses, row, col)
                given.append((number, kind, value, corners, conditions, premises, conclusions))
        return cls(tuple(rules), Positions(given))


def _placed(
    lines: Iterable[Edge], crosses: Iterable[Edge], row: int, col: int
) -> list[tuple[int, int, int, int]]:
    """Return edges relative to a cell, as ``(down, row, col, cross)``."""
    return [
        (int(kind == "v"), r - row, c - col, cross)
        for cross, edges in enumerate((lines, crosses))
        for kind, r, c in sorted(edges)
    ]


@cache
def standard_deck() -> Deck:
    """Return the rules of the rule file, ready to be placed on boards."""
    return Deck.of(all_rules())


@cache
def subset_names(subset: Subset) -> frozenset[str]:
    """Return the names of techniques and rules in a subset; ``ValueError`` if it is unknown."""
    if subset not in SUBSETS:
        raise ValueError(f"expected one of the subsets {', '.join(SUBSETS)}, got {subset!r}")
    kinds = json.loads(data_text("linkoracle.deduce", "subsets.json")).values()
    # Rules of other kinds have no effect on a puzzle, so the names of all kinds are united.
    return frozenset(name for of_kind in kinds for name in of_kind[subset])


@cache
def deck_for(subset: Subset | None, label: Label | None = None) -> tuple[Deck, frozenset[int]]:
    """Return the rules of a subset, and the techniques outside it or above a label."""
    harder = () if label is None else LABELS[LABELS.index(label) + 1 :]
    kept = None if subset is None else subset_names(subset)
    without = frozenset(
        number
        for number, one in enumerate(CATALOGUE[:TECHNIQUES])
        if one.label in harder or not (kept is None or one.name in kept or number in PATTERNS)
    )
    # Placing unused rules on the board would take as long as the deduction. The border always has
    # crosses, so a rule whose premises are crosses may be static.
    used = [
        rule
        for rule in all_rules()
        if (kept is None or rule.name in kept) and (not rule.lines or rule.technique not in without)
    ]
    return standard_deck() if len(used) == len(all_rules()) else Deck.of(used), without
