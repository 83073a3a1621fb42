"""`Deck`: pattern rules in all orientations, to be placed on boards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkoracle.deduce.kernel import Positions
from linkoracle.deduce.rules import BLOCK, CELL, PAIR, REACH, SQUARE, Edge, Rule

if TYPE_CHECKING:
    from linkoracle.deduce.kernel.deduction_rules import Given

#: The kinds of patterns that have premises, in the order of the kernel.
_KINDS = (REACH, CELL, PAIR, SQUARE, BLOCK)


@dataclass(frozen=True)
class Deck:
    """Rules with their rotations and reflections, as the kernel reads them."""

    rules: tuple[Rule, ...]
    positions: Positions

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
                kind = _KINDS.index(one.technique) if premises else 0
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
