"""The page in Design shows facts that hold in all solutions, while there are several."""

from __future__ import annotations

import pytest

from linkoracle import Session, count, write
from linkoracle.generate import puzzle as made_puzzle
from linkoracle.generate import slitherlink

pytestmark = pytest.mark.browser


def loosened(puzzle):
    """Remove clues until there are several solutions."""
    for cell, _ in puzzle.clue_cells():
        fewer = puzzle.with_clues({cell: None})
        if count(fewer, 2) == 2:
            return fewer
    raise AssertionError("no clue is needed")


def drawn(page, layer: str) -> dict[int, str]:
    """Return the classes of the areas in a layer."""
    found = page.page.evaluate(
        f"[...document.querySelectorAll('.{layer} > polygon')]"
        ".map(e => e.getAttribute('class') ?? '')"
    )
    return {place: name for place, name in enumerate(found) if name}


def test_forced_shading_and_sides_are_drawn(page):
    shading = loosened(made_puzzle("yajilin", 6, 6, seed=1).puzzle)
    page.open(write(shading, "json"))
    page.wait_for_answer()
    with Session(shading) as session:
        facts = session.forced()
    closed = {shading.faces.face_of(cell) for cell, _ in shading.clue_cells()}
    assert {*drawn(page, "shades")} == {*facts.missed} - closed != set()
    assert drawn(page, "faces") == {}
    page.page.check("#marks-all")
    passed = {end for edge in facts.lines for end in shading.board.ends(edge)}
    assert drawn(page, "faces") == dict.fromkeys({*facts.visited} - passed, "visited")

    around = loosened(slitherlink(6, 6, seed=2).puzzle)
    page.open(write(around, "json"))
    page.wait_for_answer()
    with Session(around) as session:
        facts = session.forced()
    expected = dict.fromkeys(facts.inside, "inside") | dict.fromkeys(facts.outside, "outside")
    assert drawn(page, "faces") == expected != {}
    page.page.check("#marks-lines")
    assert drawn(page, "faces") == dict.fromkeys(facts.inside, "inside")
    page.page.check("#marks-clues")
    assert drawn(page, "faces") == {}
    # The player's view shows none of it.
    page.page.check("#marks-all")
    page.page.click("#play")
    assert drawn(page, "faces") == {}
