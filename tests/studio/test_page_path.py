"""The form of new puzzles: a path as requested, and labels that are made."""

from __future__ import annotations

import pytest

from linkoracle.deduce import deduced
from linkoracle.generate import label_spans, made_kinds
from linkoracle.kinds import kind_named
from tests.studio.page import make

pytestmark = pytest.mark.browser


def test_a_puzzle_with_a_path(page):
    page.size(6, 6)
    page.page.click("#options summary")
    page.page.fill("#option-steps", "1-60")
    page.page.fill("#option-techniques", "clue,dot,loop,static,cell")
    assert make(page, "new").startswith("Made: ")
    grade = deduced(page.puzzle, None).grade
    assert grade.status == "solved"
    assert grade.total <= 60
    assert {*grade.steps} <= {"clue", "dot", "loop", "static", "cell"}
    page.page.fill("#option-techniques", "cleu")
    assert make(page, "new") == "Not made: no technique is called 'cleu': did you mean 'clue'?."


def test_the_form_and_the_next_puzzle_offer_what_can_be_made(page):
    for kind in made_kinds():
        if "loop" not in kind_named(kind).variants and kind != "numberlink":
            continue
        page.page.select_option("#kind", kind)
        page.size(6, 7)
        offered = page.page.eval_on_selector_all(
            "#option-difficulty option", "all => all.map(one => one.value)"
        )
        spans = label_spans(kind).items()
        known = [label for label, (few, most) in spans if few <= 42 <= most]
        assert offered == ["any", *known], kind
