"""Rules laid on a board: every place where the clues of a rule stand, as literals of its edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.lattice import Lattice
from linkoracle.deduce.geometry import Ints
from linkoracle.deduce.instances_kernel import by_key, lay
from linkoracle.deduce.rules import BLOCK, CELL, PAIR, REACH, SQUARE, STATIC, Rule

#: The kinds of patterns that have premises, in the order of ``watch_start``.
KINDS = (REACH, CELL, PAIR, SQUARE, BLOCK)


class Laid(NamedTuple):
    """Rules laid on one board: the rule of each instance, the face that is its anchor, how many
    clues it asks for, and arrays as `linkoracle.deduce.kernel.Engine` takes them."""

    rule: Ints
    anchor: Ints
    clues: Ints
    arrays: dict[str, Any]


@dataclass(frozen=True)
class Deck:
    """Rules in all their positions as arrays, counted from their first clue, the *anchor*."""

    rules: tuple[Rule, ...]
    #: The rule and the kind of each position, and the corners of its window.
    heads: Ints
    #: Positions by the value of their anchor: ``order[start[value]:start[value + 1]]``.
    start: Ints
    order: Ints
    #: Rows of ``row, col, value``; -1 as value ends them.
    clues: Ints
    #: Rows of ``down (0 or 1), row, col, cross (0 or 1)``; -1 ends them.
    premises: Ints
    conclusions: Ints

    @classmethod
    def of(cls, rules: Sequence[Rule]) -> Deck:
        """Turn and mirror the rules. Some milliseconds for every hundred."""
        positions: dict[tuple[object, ...], tuple[int, Rule]] = {}
        for number, rule in enumerate(rules):
            for turned in rule.turned():
                key = (number, turned.window, turned.clues, turned.lines, turned.crosses)
                positions.setdefault(key, (number, turned))
        heads, anchors = [], []
        clues: list[list[tuple[int, ...]]] = []
        premises: list[list[tuple[int, ...]]] = []
        conclusions: list[list[tuple[int, ...]]] = []
        for number, rule in positions.values():
            window = rule.window
            cells = zip(window.cells(), rule.clues, strict=True)
            placed = [(cell, clue) for cell, clue in cells if clue is not None]
            (row, col), value = placed[0]
            kind = KINDS.index(rule.technique) if rule.lines or rule.crosses else 0
            heads.append((number, kind, -row, -col, window.rows - row, window.cols - col))
            anchors.append(value)
            clues.append([(r - row, c - col, clue) for (r, c), clue in placed[1:]])
            for listed, lines, crosses in (
                (premises, rule.lines, rule.crosses),
                (conclusions, rule.then_lines, rule.then_crosses),
            ):
                marked = [(0, *edge) for edge in sorted(lines)]
                marked += [(1, *edge) for edge in sorted(crosses)]
                listed.append(
                    [(int(k == "v"), r - row, c - col, cross) for cross, k, r, c in marked]
                )
        order = np.argsort(np.array(anchors, dtype=np.int64), kind="stable").astype(np.int64)
        start = np.searchsorted(np.array(sorted(anchors)), np.arange(6)).astype(np.int64)
        return cls(
            tuple(rules),
            np.array(heads, dtype=np.int64).reshape(-1, 6),
            start,
            order,
            _padded(clues, 3),
            _padded(premises, 4),
            _padded(conclusions, 4),
        )

    def lay(self, lattice: Lattice, clues: Ints, ends: NDArray[np.bool_]) -> Laid:
        """Find every place of every rule. ``clues`` are rows of values, -1 for none.

        No rule is laid over a dot that is marked in ``ends``, rows of dots: its degree is another.
        """
        deck = self.heads, self.start, self.order, self.clues, self.premises, self.conclusions
        widths = 4, self.clues.shape[1], self.premises.shape[1], self.conclusions.shape[1]
        dots = np.ascontiguousarray(np.argwhere(ends))
        size = 256 + 128 * int(np.count_nonzero(clues >= 0))
        while True:
            laid = tuple(np.empty((size, width), np.int32) for width in widths)
            found = 0
            if len(self.order) and clues.size:
                found = lay(*deck, clues, lattice.right, lattice.down, dots, *laid)
            if found <= size:
                break
            size = found
        heads, asks, premises, conclusions = (array[:found] for array in laid)
        rule, kind, anchor, asked = np.ascontiguousarray(heads.T, dtype=np.int64)
        literals = 2 * lattice.num_edges
        watch_start, watchers = by_key(premises, literals * kind, len(KINDS) * literals)
        asked_start, asked_by = by_key(asks, np.zeros_like(kind), clues.size)
        static = premises[:, 0] < 0
        arrays = {
            "premises": premises,
            "conclusions": conclusions,
            "watch_start": watch_start,
            "watchers": watchers,
            "statics": np.flatnonzero(static).astype(np.int64),
            "asked_start": asked_start,
            "asked_by": asked_by,
            "techniques": np.where(static, STATIC, np.array(KINDS)[kind]),
        }
        return Laid(rule, anchor, asked, arrays)


def _padded(rows: list[list[tuple[int, ...]]], width: int) -> Ints:
    """Ragged rows as one array, filled up with -9."""
    longest = max((len(row) for row in rows), default=0)
    array = np.full((len(rows), longest + 1, width), -9, dtype=np.int64)
    for index, row in enumerate(rows):
        if row:
            array[index, : len(row)] = row
    return array
