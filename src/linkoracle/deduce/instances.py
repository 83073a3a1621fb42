"""Rules laid on a board: every place where the clues of a rule stand, as literals of its edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from linkoracle.deduce.rules import BLOCK, CELL, PAIR, REACH, SQUARE, STATIC, Rule

Ints = NDArray[np.int64]

#: The kinds of patterns that have premises, in the order of `Frame.watch_start`.
KINDS = (REACH, CELL, PAIR, SQUARE, BLOCK)


class Laid(NamedTuple):
    """Rules laid on one board: the rule of each instance, the face that is its anchor, and the rest
    as in `linkoracle.deduce.kernel.Frame`."""

    rule: Ints
    anchor: Ints
    premises: Ints
    conclusions: Ints
    watch_start: Ints
    watchers: Ints
    statics: Ints
    asks: Ints
    asked_start: Ints
    asked_by: Ints
    techniques: Ints


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
            placed = [
                (cell, clue)
                for cell, clue in zip(window.cells(), rule.clues, strict=True)
                if clue is not None
            ]
            (row, col), value = placed[0]
            kind = KINDS.index(rule.technique) if rule.lines or rule.crosses else 0
            heads.append((number, kind, -row, -col, window.rows - row, window.cols - col))
            anchors.append(value)
            clues.append([(r - row, c - col, clue) for (r, c), clue in placed[1:]])
            for listed, lines, crosses in (
                (premises, rule.lines, rule.crosses),
                (conclusions, rule.then_lines, rule.then_crosses),
            ):
                listed.append(
                    [
                        (int(k == "v"), r - row, c - col, cross)
                        for cross, edges in enumerate((lines, crosses))
                        for k, r, c in sorted(edges)
                    ]
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

    def lay(self, clues: Ints, right: Ints, down: Ints, terminals: Ints) -> Laid:
        """Find every place of every rule. ``clues`` are rows of values, -1 for none.

        ``right`` and ``down`` number the edges (`Lattice.right`, `Lattice.down`); no rule is laid
        over a dot of ``terminals``, rows of ``row, col``: its degree is another.
        """
        edges = int(max(right.max(initial=-1), down.max(initial=-1))) + 1
        arrays = self.heads, self.start, self.order, self.clues, self.premises, self.conclusions
        size = 256 + 128 * int(np.count_nonzero(clues >= 0))
        while True:
            rule = np.empty(size, np.int64)
            kind = np.empty(size, np.int64)
            anchor = np.empty(size, np.int64)
            asks = np.empty((size, self.clues.shape[1]), np.int64)
            premises = np.empty((size, self.premises.shape[1]), np.int64)
            conclusions = np.empty((size, self.conclusions.shape[1]), np.int64)
            laid = rule, kind, anchor, premises, conclusions, asks
            found = _lay(arrays, clues, right, down, terminals, laid)
            if found <= size:
                break
            size = found
        # In the order of the rule file, so that the first of two rules gets the step.
        order = np.argsort(rule[:found], kind="stable")
        rule, kind, anchor, premises, conclusions, asks = (array[order] for array in laid)
        start, watchers, asked_start, asked_by = _indices(
            premises, kind, 2 * edges, asks, clues.size
        )
        statics = np.flatnonzero(premises[:, 0] < 0).astype(np.int64)
        techniques = np.where(premises[:, 0] < 0, STATIC, np.array(KINDS)[kind])
        return Laid(
            rule,
            anchor,
            premises,
            conclusions,
            start,
            watchers,
            statics,
            asks,
            asked_start,
            asked_by,
            techniques,
        )


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
def _lay(arrays, clues, right, down, terminals, laid):  # type: ignore[no-untyped-def]
    """Fill the arrays as far as they reach; return how many places there are."""
    heads, start, order, rule_clues, rule_premises, rule_conclusions = arrays
    rule, kind, anchor, premises, conclusions, asks = laid
    found = 0
    for row in range(clues.shape[0]):
        for col in range(clues.shape[1]):
            value = clues[row, col]
            if value < 0:
                continue
            for index in range(start[value], start[value + 1]):
                position = order[index]
                if not _stands(rule_clues, position, clues, row, col):
                    continue
                # What is no place after all is overwritten by the next.
                at = found if found < rule.shape[0] else 0
                if _literals(rule_premises, position, right, down, row, col, premises, at) < 0:
                    continue
                if (
                    _literals(rule_conclusions, position, right, down, row, col, conclusions, at)
                    < 1
                ):
                    continue
                fits = True
                for k in range(terminals.shape[0]):
                    r, c = terminals[k, 0] - row, terminals[k, 1] - col
                    if heads[position, 2] <= r <= heads[position, 4]:
                        fits = fits and not heads[position, 3] <= c <= heads[position, 5]
                if fits:
                    rule[at] = heads[position, 0]
                    kind[at] = heads[position, 1]
                    anchor[at] = row * clues.shape[1] + col
                    asks[at, 0] = anchor[at]
                    asks[at, 1:] = -1
                    for k in range(rule_clues.shape[1]):
                        if rule_clues[position, k, 2] < 0:
                            break
                        away = rule_clues[position, k, 0] * clues.shape[1]
                        asks[at, k + 1] = anchor[at] + away + rule_clues[position, k, 1]
                    found += 1
    return found


@njit(cache=True)
def _indices(premises, kind, literals, asks, faces):  # type: ignore[no-untyped-def]
    """The two indices of `Laid`, in one function, because each takes time to load."""
    start, watchers = _watches(premises, kind, literals)
    asked_start, asked_by = _askers(asks, faces)
    return start, watchers, asked_start, asked_by


@njit
def _watches(premises, kind, literals):  # type: ignore[no-untyped-def]
    """The instances with a literal among their premises: by kind, literal, order of the rules."""
    start = np.zeros(5 * literals + 2, np.int64)
    for instance in range(premises.shape[0]):
        for k in range(premises.shape[1]):
            literal = premises[instance, k]
            if literal < 0:
                break
            start[kind[instance] * literals + literal + 2] += 1
    start = np.cumsum(start).astype(np.int64)
    watchers = np.empty(start[-1], np.int64)
    for instance in range(premises.shape[0]):
        for k in range(premises.shape[1]):
            literal = premises[instance, k]
            if literal < 0:
                break
            key = kind[instance] * literals + literal + 1
            watchers[start[key]] = instance
            start[key] += 1
    return start[:-1], watchers


@njit
def _askers(asks, faces):  # type: ignore[no-untyped-def]
    """The instances that ask for the clue of a face: by face, in the order of the rules."""
    start = np.zeros(faces + 2, np.int64)
    for instance in range(asks.shape[0]):
        for face in asks[instance]:
            if face >= 0:
                start[face + 2] += 1
    start = np.cumsum(start).astype(np.int64)
    askers = np.empty(start[-1], np.int64)
    for instance in range(asks.shape[0]):
        for face in asks[instance]:
            if face >= 0:
                askers[start[face + 1]] = instance
                start[face + 1] += 1
    return start[:-1], askers
