"""`DeductionState`, the state of a puzzle during its deduction, and `Deck`, the rules it uses.

The state is an `Engine` of the kernel, set up from a model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, Self

from linkoracle.board.checking import square_model
from linkoracle.board.lattice import Lattice
from linkoracle.board.model import END, HOLE, PASS, PASS_OR_SKIP, LinkModel, Modelled, model_of
from linkoracle.board.solution import Solution
from linkoracle.core.limits import LABELS, Timeout
from linkoracle.core.machine import limit_for
from linkoracle.deduce import rules
from linkoracle.deduce.kernel import Engine, Positions
from linkoracle.deduce.rules import CATALOGUE, PATTERNS, Edge, Label, Rule

if TYPE_CHECKING:
    from linkoracle.deduce.kernel.deduction_rules import Given

#: Sets of rules by how often published puzzles need them: see ``scripts/rule_shares.py``.
Subset = Literal["easy", "hard"]
SUBSETS: tuple[Subset, ...] = ("easy", "hard")

#: Techniques that are too slow for what they find while following a guess.
NOT_IN_GUESSES = frozenset({rules.WINDOW, rules.WIDE, rules.UNIQUE})

#: The values in `DeductionState.edges`.
OPEN, LINE, CROSS = range(3)

#: A step: its technique, its place (an index whose meaning depends on the technique), its literals.
Move = tuple[int, int, list[int]]


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
    return Deck.of(rules.all_rules())


@cache
def subset_names(subset: Subset) -> frozenset[str]:
    """Return the names of techniques and rules in a subset; ``ValueError`` if it is unknown."""
    if subset not in SUBSETS:
        raise ValueError(f"expected one of the subsets {', '.join(SUBSETS)}, got {subset!r}")
    text = (files("linkoracle.deduce") / "subsets.json").read_text(encoding="utf-8")
    # Rules of other kinds have no effect on a puzzle, so the names of all kinds are united.
    return frozenset(name for of_kind in json.loads(text).values() for name in of_kind[subset])


@cache
def deck_for(subset: Subset | None, label: Label | None = None) -> tuple[Deck, frozenset[int]]:
    """Return the rules of a subset, and the techniques outside it or above a label."""
    harder = () if label is None else LABELS[LABELS.index(label) + 1 :]
    kept = None if subset is None else subset_names(subset)
    without = frozenset(
        number
        for number, one in enumerate(CATALOGUE[: rules.TECHNIQUES])
        if one.label in harder or not (kept is None or one.name in kept or number in PATTERNS)
    )
    # Placing unused rules on the board would take as long as the deduction. The border always has
    # crosses, so a rule whose premises are crosses may be static.
    used = [
        rule
        for rule in rules.all_rules()
        if (kept is None or rule.name in kept) and (not rule.lines or rule.technique not in without)
    ]
    return standard_deck() if len(used) == len(rules.all_rules()) else Deck.of(used), without


class DeductionState(Engine):
    """The lines and crosses on the board of a puzzle or model, and the reasons for them.

    ``deck`` has the rules to use, by default `standard_deck`; ``without`` are the numbers of
    techniques not to use. The technique `UNIQUE` assumes a unique solution. It is used only with
    ``uniqueness``, and only on boards without fixed edges and holes. ``relaxed`` assumes, on boards
    whose paths use all cells, that the solution is unique even if cells may stay empty, so that
    arguments about empty cells hold; it has no effect on other boards. With ``hidden`` all clues
    are hidden until `show` shows them; then `UNIQUE` cannot be used, as it needs places without
    clues.

    Methods that may take long have a ``timeout`` in seconds, after which they raise
    `SearchTimeout`. Then, and after Ctrl-C, the state is as before the call and can be used again.
    Raises ``RuntimeError`` if two threads use one object at the same time; different objects may be
    used at the same time. A copy, and a state that is pickled, has the same lines and crosses, all
    of them given. Raises `MemoryLimit` if the board needs more than half of the free memory.

    >>> from linkoracle import Slitherlink
    >>> board = DeductionState(Slitherlink([[3, 3], [None, None]]))
    >>> board.begin(), board.solved
    (True, True)
    """

    #: The board, and the rules to use.
    model: LinkModel
    deck: Deck
    #: Whether `UNIQUE` is used.
    uniqueness: bool
    #: Whether the solution is assumed to be unique even if cells may stay empty.
    relaxed: bool
    _how: dict[str, Any]

    def __new__(
        cls,
        model: Modelled,
        *,
        deck: Deck | None = None,
        without: Iterable[int] = (),
        uniqueness: bool = False,
        relaxed: bool | None = False,
        hidden: bool = False,
    ) -> Self:
        model, without = model_of(model), tuple(without)
        square_model(model, "deduction")
        how = {"without": without, "uniqueness": uniqueness, "relaxed": relaxed, "hidden": hidden}
        deck = standard_deck() if deck is None else deck
        left_out = {int(technique) for technique in without}
        if hidden and uniqueness:
            raise ValueError("uniqueness cannot be combined with hidden clues")
        uniqueness = uniqueness and not model.has_fixed_edges and HOLE not in model.degrees
        relaxed = bool(relaxed) and model.relaxed is not None
        if not uniqueness:
            # Perhaps only a fixed edge or a hole excludes a second solution.
            left_out.add(rules.UNIQUE)
        if not relaxed and not (uniqueness and model.is_free):
            left_out.update(rules.REROUTING)
        lattice = model.lattice
        border = border_between(lattice, model.terminals[0]) if len(model.terminals) == 1 else None
        coloured = model.loop or border is not None
        # Pattern rules and windows hold where each dot has 0 or 2 lines, or is an endpoint or hole.
        local = set(model.degrees) <= {PASS_OR_SKIP, END, HOLE}
        positions = deck.positions if coloured and local else Positions([])
        # The stub of the kernel has this as `__init__`.
        state = super().__new__(  # type: ignore[call-arg]
            cls,
            *(lattice, border or (), positions),
            degrees=model.degrees,
            faces=bytes(model.faces),
            pairs=[(min(pair), max(pair)) for pair in model.terminals],
            is_loop=model.loop,
            coloured=coloured,
            is_free=model.is_free,
            local=local,
            enabled=_enabled(model, left_out, coloured),
            hidden=hidden,
            limit=limit_for(lattice.num_edges),
        )
        state._how = how
        state.model, state.deck, state.uniqueness, state.relaxed = model, deck, uniqueness, relaxed
        return state

    def __reduce__(self) -> tuple[Any, ...]:
        if self._how["hidden"]:
            raise TypeError(
                "a state with hidden clues cannot be copied or pickled. Make another of its model"
            )
        literals = [literal for literal, _, _ in self.trail()]
        return _deduced, (type(self), self.model, self.deck, self._how, literals)

    def begin(self, put: Iterable[int] = (), *, timeout: Timeout = None) -> bool:
        """Deduce for the first time, after ``put`` (literals); False if there is no solution."""
        if not self.model.lattice.num_edges:
            # The kernel needs regions between edges.
            return not (self.model.loop or self.model.terminals or PASS in self.model.degrees)
        fixed = [2 * edge for edge in self.model.given]
        fixed += [2 * edge + 1 for edge in self.model.forbidden]
        return super().begin([*fixed, *put], timeout=timeout)

    def moves(self) -> list[Move]:
        """Return the steps in order: technique, place, literals. Given lines are a step, too."""
        return [
            (technique, place, [literal for literal, _, _ in part])
            for (technique, place), part in groupby(self.trail(), key=lambda entry: entry[1:])
        ]

    def lines(self) -> Solution:
        """Return the lines so far."""
        found = (edge for edge, what in enumerate(self.edges()) if what == LINE)
        return Solution(self.model.lattice, tuple(found))

    def crosses(self) -> tuple[int, ...]:
        """Return the edges that are crosses, by id."""
        return tuple(edge for edge, what in enumerate(self.edges()) if what == CROSS)


def _deduced(
    kind: type[DeductionState], model: LinkModel, deck: Deck, how: dict[str, Any], put: list[int]
) -> DeductionState:
    """Return a copied state."""
    state = kind(model, deck=deck, **how)
    if put:
        state.begin(put)
    return state


def _enabled(model: LinkModel, without: set[int], coloured: bool) -> bytes:
    """Return for each technique whether it is used, and then whether it is used in guesses."""
    out = set(without)
    if not coloured:
        out.update((rules.COLOUR, rules.SHADE, rules.REGION, rules.UNIQUE))
    else:
        out.update(rules.REROUTING)
    if coloured or (len(model.terminals) < 2 and not model.is_free):
        # For one path, or none, its sides or pockets show what it must pass.
        out.update(rules.JOINING)
    if model.loop:
        out.add(rules.POCKET)
    out_in_guesses = out | NOT_IN_GUESSES if coloured else out
    return bytes(
        technique not in left_out
        for left_out in (out, out_in_guesses)
        for technique in range(rules.TECHNIQUES)
    )


def border_between(lattice: Lattice, ends: tuple[int, int]) -> tuple[int, ...] | None:
    """Return the border edges from one vertex to the other; ``None`` if one is not on the border.

    >>> border_between(Lattice(2, 3), (0, 5))
    (0, 2, 4)
    """
    vertices, edges = lattice.border() if min(lattice.rows, lattice.cols) > 1 else ([], [])
    if not set(ends) <= set(vertices):
        return None
    first, last = sorted(map(vertices.index, ends))
    return tuple(edges[first:last])
