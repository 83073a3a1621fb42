"""Rules laid on a board: every place where the clues of a rule stand, as literals of its edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from linkoracle.board.lattice import Lattice
from linkoracle.deduce.geometry import Ints
from linkoracle.deduce.rules import BLOCK, CELL, PAIR, REACH, SQUARE, STATIC, Rule

#: The kinds of patterns that have premises, in the order of `Frame.watch_start`.
KINDS = (REACH, CELL, PAIR, SQUARE, BLOCK)


class Laid(NamedTuple):
    """Rules laid on one board: the rule of each instance, the face that is its anchor, how many
    clues it asks for, and the arrays of these names of `linkoracle.deduce.kernel.state.Frame`."""

    rule: Ints
    anchor: Ints
    clues: Ints
    arrays: dict[str, Ints]


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
            laid = tuple(np.empty((size, width), np.int64) for width in widths)
            found = _lay(deck, clues, lattice.right, lattice.down, dots, laid)
            if found <= size:
                break
            size = found
        # In the order of the rule file, so that the first of two rules gets the step.
        order = np.argsort(laid[0][:found, 0], kind="stable")
        heads, asks, premises, conclusions = (array[order] for array in laid)
        rule, kind, anchor, asked = np.ascontiguousarray(heads.T)
        literals = 2 * lattice.num_edges
        watch_start, watchers = _by_key(premises, literals * kind, len(KINDS) * literals)
        asked_start, asked_by = _by_key(asks, np.zeros_like(kind), clues.size)
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


@njit
def _stands(rule_clues, position, clues, row, col):  # type: ignore[no-untyped-def]
    """Whether the other clues of a position stand where its anchor's place asks for them."""
    for k in range(rule_clues.shape[1]):
        value = rule_clues[position, k, 2]
        if value < 0:
            return True
        r, c = row + rule_clues[position, k, 0], col + rule_clues[position, k, 1]
        if r < 0 or c < 0 or r >= clues.shape[0] or c >= clues.shape[1] or clues[r, c] != value:
            return False
    return True


@njit
def _literals(parts, position, right, down, row, col, found, at):  # type: ignore[no-untyped-def]
    """Write the literals of a position; return how many, -1 if a line would leave the board."""
    size = 0
    for k in range(parts.shape[1]):
        if parts[position, k, 0] < 0:
            break
        r, c = row + parts[position, k, 1], col + parts[position, k, 2]
        edge = -1
        if r >= 0 and c >= 0 and r < right.shape[0] and c < right.shape[1]:
            edge = down[r, c] if parts[position, k, 0] else right[r, c]
        if edge >= 0:
            found[at, size] = 2 * edge + parts[position, k, 3]
            size += 1
        elif parts[position, k, 3] == 0:
            return -1
    found[at, size] = -1
    return size


@njit(cache=True)
def _lay(deck, clues, right, down, ends, laid):  # type: ignore[no-untyped-def]
    """Fill the arrays as far as they reach; return how many places there are."""
    heads, start, order, others, premises, conclusions = deck
    # The rule, the kind, the anchor, how many clues are asked for; their faces.
    places, asks, if_literals, then_literals = laid
    found = 0
    for row in range(clues.shape[0]):
        for col in range(clues.shape[1]):
            value = clues[row, col]
            if value < 0:
                continue
            for index in range(start[value], start[value + 1]):
                position = order[index]
                if not _stands(others, position, clues, row, col):
                    continue
                # What is no place after all is overwritten by the next.
                at = found if found < places.shape[0] else 0
                if _literals(premises, position, right, down, row, col, if_literals, at) < 0:
                    continue
                if _literals(conclusions, position, right, down, row, col, then_literals, at) < 1:
                    continue
                fits = True
                for k in range(ends.shape[0]):
                    r, c = ends[k, 0] - row, ends[k, 1] - col
                    if heads[position, 2] <= r <= heads[position, 4]:
                        fits = fits and not heads[position, 3] <= c <= heads[position, 5]
                if not fits:
                    continue
                found += 1
                anchor = row * clues.shape[1] + col
                places[at, 0], places[at, 1] = heads[position, 0], heads[position, 1]
                places[at, 2] = asks[at, 0] = anchor
                asks[at, 1:] = -1
                for k in range(others.shape[1]):
                    if others[position, k, 2] < 0:
                        places[at, 3] = k + 1
                        break
                    away = others[position, k, 0] * clues.shape[1] + others[position, k, 1]
                    asks[at, k + 1] = anchor + away
    return found


@njit(cache=True)
def _by_key(rows, offsets, size):  # type: ignore[no-untyped-def]
    """An index of rows of numbers, each up to the first that is negative, as ``(start, found)``.

    A number plus the offset of its row is a key; ``found[start[key]:start[key + 1]]`` are the rows
    that have it, in their order.
    """
    start = np.zeros(size + 2, np.int64)
    for row in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            number = rows[row, k]
            if number < 0:
                break
            start[offsets[row] + number + 2] += 1
    start = np.cumsum(start).astype(np.int64)
    found = np.empty(start[-1], np.int64)
    for row in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            number = rows[row, k]
            if number < 0:
                break
            key = offsets[row] + number + 1
            found[start[key]] = row
            start[key] += 1
    return start[:-1], found
