"""Every rule of the rule file is proven again, by an enumeration that shares no code with it."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from linkoracle.deduce.geometry import Window, lasting_fills
from linkoracle.deduce.rules import all_rules, parse


def fillings(rule):
    """All sets of edges of the rule's window that fit it, dot by dot, as sets of edges."""
    rows, cols = rule.window.rows, rule.window.cols
    found = [frozenset()]
    known: set = set()
    for row, col in product(range(rows + 1), range(cols + 1)):
        around = [("v", row - 1, col), ("h", row, col - 1), ("h", row, col), ("v", row, col)]
        fresh = [edge for edge in around if edge not in known]
        known |= set(fresh)
        grown = []
        for lines in found:
            before = sum(edge in lines for edge in around)
            for size in range(len(fresh) + 1):
                if before + size not in (0, 2):
                    continue
                for chosen in map(frozenset, combinations(fresh, size)):
                    fits = not chosen & rule.crosses and rule.lines & set(fresh) <= chosen
                    if fits and fits_clues(rule, lines | chosen, row, col):
                        grown.append(lines | chosen)
        found = grown
    return found


def fits_clues(rule, lines, row, col):
    """Whether the cell whose last dot is ``(row, col)`` has its clue."""
    if not (row and col):
        return True
    clue = rule.clues[(row - 1) * rule.window.cols + col - 1]
    four = (
        ("h", row - 1, col - 1),
        ("h", row, col - 1),
        ("v", row - 1, col - 1),
        ("v", row - 1, col),
    )
    return clue is None or sum(edge in lines for edge in four) == clue


def test_there_are_rules_of_every_size():
    sizes = {(rule.window.rows, rule.window.cols) for rule in all_rules()}
    assert sizes == {(1, 1), (1, 2), (2, 2), (1, 3), (2, 3), (3, 3)}
    names = [rule.name for rule in all_rules()]
    assert len(set(names)) == len(names)
    assert {"adjacent 3s", "diagonal 3s", "diagonal 3-2-3"} <= set(names)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_rule_is_proven_again(rule):
    ways = fillings(rule)
    assert ways
    for lines in ways:
        assert rule.then_lines <= lines
        assert not rule.then_crosses & lines
    assert rule.proven()
    assert parse(str(rule)) == rule


def test_a_wrong_rule_is_not_proven():
    rule = parse('{"name": "", "window": "1x1", "clues": "2", "if": "", "then": "+h0,0"}')
    assert not rule.proven()


def test_turned_rules_are_the_symmetric_ones():
    rule = parse('{"name": "", "window": "1x2", "clues": "3.", "if": "+h0,2", "then": "-v0,1"}')
    turned = set(rule.turned())
    assert len(turned) == 8
    assert all(len(one.lines) == 1 for one in turned)


def test_completions_are_all_there():
    window = Window(1, 1)
    dots = [window.dot_edges(*dot) for dot in window.dots()]
    expected = [
        mask
        for mask in range(1 << 12)
        if all(sum(mask >> edge & 1 for edge in dot) in (0, 2) for dot in dots)
    ]
    assert window.completions().tolist() == expected
    assert set(lasting_fills().tolist()) < set(expected)
