"""Every rule of the rule file is proven again, by an enumeration that shares no code with it."""

from __future__ import annotations

import re
from itertools import combinations, product
from pathlib import Path

import pytest

from derive_rules import as_line
from linkoracle.deduce import CATALOGUE, SUBSETS
from linkoracle.deduce.rules import Window, all_rules, parse, subset_names
from rule_windows import completed, proven
from tests.deduce.tables import lasting_fills

ROOT = Path(__file__).resolve().parents[2]


def fillings(rule):
    """All sets of edges of the rule's window that fit it, dot by dot, as masks; each edge's bit."""
    found, bits = [0], {}
    for row, col in product(range(rule.window.rows + 1), range(rule.window.cols + 1)):
        around = [("v", row - 1, col), ("h", row, col - 1), ("h", row, col), ("v", row, col)]
        fresh = [edge for edge in around if edge not in bits]
        bits |= {edge: 1 << number for number, edge in enumerate(fresh, len(bits))}
        least = mask(rule.lines.intersection(fresh), bits)
        free = [bits[edge] for edge in fresh if edge not in rule.lines | rule.crosses]
        choices = [
            least + sum(chosen)
            for size in range(len(free) + 1)
            for chosen in combinations(free, size)
        ]
        dot = mask(around, bits)
        cell, clue = cell_that_ends_at(rule, row, col)
        cell = mask(cell, bits)
        found = [
            grown
            for lines in found
            for chosen in choices
            if ((grown := lines | chosen) & dot).bit_count() in (0, 2)
            and (clue is None or (grown & cell).bit_count() == clue)
        ]
    return found, bits


def mask(edges, bits):
    return sum(bits[edge] for edge in edges)


def cell_that_ends_at(rule, row, col):
    """The edges of the cell whose last dot this is, and its clue; none where no cell ends."""
    if not (row and col):
        return (), None
    row, col = row - 1, col - 1
    four = ("h", row, col), ("h", row + 1, col), ("v", row, col), ("v", row, col + 1)
    return four, rule.clues[row * rule.window.cols + col]


def test_there_are_rules_of_every_size():
    sizes = {(rule.window.rows, rule.window.cols) for rule in all_rules()}
    assert sizes == {(1, 1), (1, 2), (2, 2), (1, 3), (2, 3), (3, 3)}
    names = [rule.name for rule in all_rules()]
    assert len(set(names)) == len(names)
    assert {"adjacent 3s", "diagonal 3s", "diagonal 3-2-3"} <= set(names)
    # No name is a number.
    assert not any("#" in name for name in names)
    page = (ROOT / "docs" / "reference" / "techniques.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([^`]+)`", page.split("\n## Patterns")[1].split("\n## ")[0], re.M)
    assert len(listed) > 10
    assert {*listed} <= set(names)
    rows = [f"| `{t.name}` | {t.weight} | {t.label} | {t.meaning} |" for t in CATALOGUE if t.label]
    assert "\n".join(rows) in page
    for subset in SUBSETS:
        techniques = {one.name for one in CATALOGUE}
        assert subset_names(subset) <= techniques | set(names)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_rule_is_proven_again(rule):
    ways, bits = fillings(rule)
    assert ways
    then_lines, then_crosses = mask(rule.then_lines, bits), mask(rule.then_crosses, bits)
    for lines in ways:
        assert lines & then_lines == then_lines
        assert not lines & then_crosses
    assert proven(rule)
    assert parse(as_line(rule)) == rule


def test_a_wrong_rule_is_not_proven():
    rule = parse('{"name": "", "window": "1x1", "clues": "2", "if": "", "then": "+h0,0"}')
    assert not proven(rule)


def test_turned_rules_are_the_symmetric_ones():
    rule = parse('{"name": "", "window": "1x2", "clues": "3.", "if": "+h0,2", "then": "-v0,1"}')
    turned = set(rule.turned())
    assert len(turned) == 8
    assert all(len(one.lines) == 1 for one in turned)


def test_completions_are_all_there():
    cell = completed(Window(1, 1))
    dots = [cell.at_dot(*dot) for dot in cell.dots]
    expected = [
        mask
        for mask in range(1 << 12)
        if all(sum(mask >> edge & 1 for edge in dot) in (0, 2) for dot in dots)
    ]
    assert cell.ways.tolist() == expected
    assert set(lasting_fills()) < set(expected)
