"""Derive the window rules of the deduction engine, and write the rule file.

    python scripts/derive_rules.py src/linkoracle/deduce/rules.jsonl

A block of clues is alone, at the border or in a corner of the board; the smallest come first. For
each, the program tries every small set of lines and crosses, and enumerates all completions of the
window. The edges on which they agree become a rule, unless clue and dot arithmetic and earlier
rules imply these edges already. So every rule is proven, and none follows from simpler ones. A rule
in the installed file keeps its name; others are numbered. Takes a few minutes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from linkoracle.deduce import DeductionState
from linkoracle.deduce.board import CROSS
from linkoracle.deduce.rules import (
    CLUE,
    DOT,
    PATTERNS,
    TECHNIQUES,
    Clues,
    Deck,
    Edge,
    Rule,
    Window,
    all_rules,
)
from linkoracle.kinds import Slitherlink
from rule_windows import completed, proven

#: Windows, the most clues in them, and the most lines and crosses among the premises of a rule:
#: inside the board, at its border, in its corner. No clue is 0 or 4: those
#: are arithmetic, which decides all edges of the cell.
PLAN = (
    (Window(1, 1), 1, (2, 2, 2)),
    (Window(1, 2), 2, (2, 1, 1)),
    (Window(2, 2), 4, (1, 0, 0)),
    (Window(1, 3), 3, (1, 0, 0)),
    (Window(2, 3), 3, (1, 0)),
    (Window(3, 3), 3, (1, 0)),
)
#: For the parts beyond the edges of the board above, and to the left.
BORDERS = ((False, False), (True, False), (True, True))
#: Cells around the window, where its edges can continue.
ROOM = 2


def arrangements(window: Window, most: int) -> Iterator[Clues]:
    """Yield clues that touch all sides of the window, one of each symmetry class, fewest first."""
    rows, cols = window.rows, window.cols
    found: dict[Clues, None] = {}
    cells = window.cells()
    for number in range(1, most + 1):
        for clues in product((None, 1, 2, 3), repeat=rows * cols):
            placed = [cell for cell, clue in zip(cells, clues, strict=True) if clue is not None]
            if len(placed) != number:
                continue
            touched_rows, touched_cols = {row for row, _ in placed}, {col for _, col in placed}
            if {0, rows - 1} <= touched_rows and {0, cols - 1} <= touched_cols:
                found.setdefault(clues)
    yield from found


def canonical(window: Window, clues: Clues, border: tuple[bool, bool]) -> bool:
    """Return whether no turned or mirrored arrangement at the same border comes first."""
    up, left = border
    crosses: set[Edge] = set()
    if up:
        crosses |= {("v", -1, col) for col in range(window.cols + 1)}
    if left:
        crosses |= {("h", row, -1) for row in range(window.rows + 1)}
    rule = Rule("", window, clues, frozenset(), frozenset(crosses), frozenset(), frozenset())
    key = [-1 if clue is None else clue for clue in clues]
    for turned in rule.turned():
        if turned.window == window and turned.crosses == rule.crosses:
            other = [-1 if clue is None else clue for clue in turned.clues]
            if other < key:
                return False
    return True


class Place:
    """A window with clues on a board of its own, at a border or not, and its deductions."""

    def __init__(self, window: Window, clues: Clues, border: tuple[bool, bool]) -> None:
        top, left = (0 if at_border else ROOM for at_border in border)
        rows, cols = top + window.rows + ROOM, left + window.cols + ROOM
        grid: list[list[int | None]] = [[None] * cols for _ in range(rows)]
        for (row, col), clue in zip(window.cells(), clues, strict=True):
            grid[top + row][left + col] = clue
        self.puzzle = Slitherlink(tuple(map(tuple, grid)))
        lattice = self.puzzle.lattice
        self.edges: list[int] = []
        for kind, row, col in completed(window).edges:
            start = row + top, col + left
            end = (start[0] + (kind == "v"), start[1] + (kind == "h"))
            inside = min(start) >= 0
            self.edges.append(lattice.edge(start, end) if inside else -1)
        self.board: DeductionState | None = None

    def start(self, deck: Deck) -> bool:
        """Deduce from the clues alone; return false if they contradict each other."""
        kept = {CLUE, DOT, *PATTERNS}
        others = [technique for technique in range(TECHNIQUES) if technique not in kept]
        self.board = DeductionState(self.puzzle.model, deck=deck, without=others)
        return self.board.begin()

    def reached(self, premises: tuple[int, ...]) -> set[int]:
        """Return the window's literals, ``2 * edge + cross``, that deduction reaches from these."""
        assert self.board is not None
        board = self.board
        mark = board.mark()
        fits = board.put([2 * self.edges[p >> 1] + (p & 1) for p in premises]) and board.deduce()
        found = set()
        values = board.edges()
        for edge, there in enumerate(self.edges):
            value = values[there] if there >= 0 else CROSS
            if value:
                found.add(2 * edge + value - 1)
        board.undo(mark)
        # A contradiction implies everything; the enumeration skips such premises anyway.
        return found if fits else set(range(2 * len(self.edges)))


def consequences(
    ways: NDArray[np.int64], size: int, most: int
) -> Iterator[tuple[tuple[int, ...], set[int]]]:
    """Yield premises of up to ``most`` literals with what follows from them, not from fewer."""
    lines = (ways[:, None] >> np.arange(size)) & 1
    holds = np.empty((len(ways), 2 * size), dtype=np.float32)
    holds[:, 0::2], holds[:, 1::2] = lines, 1 - lines
    negation = np.arange(2 * size) ^ 1
    never = holds.sum(axis=0) == 0
    base = set(negation[never].tolist())
    yield (), base
    if most < 1:
        return
    together = holds.T @ holds
    single = {}
    free = [p for p in range(2 * size) if p not in base and p ^ 1 not in base]
    for p in free:
        single[p] = set(negation[together[p] == 0].tolist())
        if single[p] - base - {p}:
            yield (p,), single[p]
    if most < 2:
        return
    for p in free:
        chosen = holds[holds[:, p] == 1]
        both = chosen.T @ chosen
        for q in free:
            # Implied or excluded already, or met the other way round.
            if q <= p or q in single[p] or q ^ 1 in single[p] or p in single[q]:
                continue
            found = set(negation[both[q] == 0].tolist())
            if found - single[p] - single[q]:
                yield (p, q), found


def derive(window: Window, most_clues: int, premises: tuple[int, ...], rules: list[Rule]) -> None:
    """Add the rules of a window to the list."""
    deck, completions = Deck.of(rules), completed(window)
    for clues in arrangements(window, most_clues):
        ways = completions.fitting(clues)
        for border, most in zip(BORDERS, premises, strict=False):
            if not canonical(window, clues, border):
                continue
            place = Place(window, clues, border)
            off = sum(1 << number for number, there in enumerate(place.edges) if there < 0)
            fitting = ways[ways & off == 0]
            if not len(fitting) or not place.start(deck):
                continue
            for literals, implied in consequences(fitting, len(place.edges), most):
                fresh = implied - place.reached(literals)
                if fresh:
                    rules.append(rule_of(window, clues, off, literals, fresh, rules))
                    deck = Deck.of(rules)
                    place.start(deck)


def rule_of(
    window: Window,
    clues: Clues,
    off: int,
    literals: tuple[int, ...],
    fresh: set[int],
    rules: list[Rule],
) -> Rule:
    """Return a rule, proven once more, with its name in the rule file."""
    named = {premises_of(rule): rule.name for rule in all_rules()}
    edges = completed(window).edges
    sides: tuple[set[Edge], ...] = (set(), set(), set(), set())
    for literal in literals:
        sides[literal & 1].add(edges[literal >> 1])
    for literal in fresh:
        sides[2 + (literal & 1)].add(edges[literal >> 1])
    sides[1].update(edge for number, edge in enumerate(edges) if off >> number & 1)
    rule = Rule("", window, clues, *map(frozenset, sides))
    assert proven(rule)
    return replace(rule, name=named.get(premises_of(rule), f"new pattern {len(rules) + 1}"))


def premises_of(rule: Rule) -> tuple[object, ...]:
    """Return the parts of a rule that identify it."""
    return rule.window, rule.clues, rule.lines, rule.crosses


def as_line(rule: Rule) -> str:
    """Return a rule as a line of the file, which `parse` reads."""
    cols = rule.window.cols
    signs = "".join("." if clue is None else str(clue) for clue in rule.clues)
    values = {
        "name": rule.name,
        "window": f"{rule.window.rows}x{cols}",
        "clues": "/".join(signs[at : at + cols] for at in range(0, len(signs), cols)),
        "if": _listed(rule.lines, rule.crosses),
        "then": _listed(rule.then_lines, rule.then_crosses),
    }
    return json.dumps(values)


def _listed(lines: Iterable[Edge], crosses: Iterable[Edge]) -> str:
    marked = [("+", *edge) for edge in sorted(lines)] + [("-", *edge) for edge in sorted(crosses)]
    return " ".join(f"{sign}{kind}{row},{col}" for sign, kind, row, col in marked)


@click.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
def main(path: Path) -> None:
    """Derive all rules and write them to PATH."""
    rules: list[Rule] = []
    for window, most_clues, premises in PLAN:
        started = time.perf_counter()
        before = len(rules)
        derive(window, most_clues, premises, rules)
        seconds = time.perf_counter() - started
        print(
            f"{window.rows}x{window.cols}: {len(rules) - before} rules, {seconds:.1f} s", flush=True
        )
    # Static patterns first, then the fewer premises the earlier; the order is their rank.
    rules.sort(key=lambda rule: (rule.technique, len(rule.lines) + len(rule.crosses)))
    path.write_text("".join(f"{as_line(rule)}\n" for rule in rules), encoding="utf-8")


if __name__ == "__main__":
    main()
