"""The accessibility of the page, by the rules of axe-core."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from linkoracle import Numberlink, Slitherlink, write
from tests.studio.page import Page, Player

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]
AXE = Path(os.environ.get("AXE", ROOT / "node_modules" / "axe-core" / "axe.min.js"))
WRONG = Slitherlink([[0, 3, None], [3, None, None]])
SEVERAL = Slitherlink([[3, None, None], [None, None, 2]])
PAIRS = Numberlink([[1, None, 2], [None, None, None], [1, None, 2]])


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm install axe-core")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_no_rule_of_axe_is_broken(browser, address, width, scheme):
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True
    )
    page = Page(context.new_page(), address)
    page.page.evaluate(AXE.read_text(encoding="utf-8"))

    def broken() -> list[str]:
        kept, found = page.page.evaluate(
            "axe.run().then(found => [found.passes.length, found.violations.flatMap(rule => "
            "rule.nodes.map(node => `${rule.id}: ${node.html} ${node.failureSummary}`))])"
        )
        assert kept > 10
        return found

    for puzzle in (SEVERAL, WRONG, PAIRS):
        page.open(write(puzzle, "json"))
        page.wait_for_answer()
        assert broken() == []
    player = Player(page)
    player.play(PAIRS)
    player.page.keys("Shift+ArrowRight", "c")
    player.wait_for_answer()
    assert broken() == []
    player.page.keys("Control+z", "h")
    player.wait_for_answer()
    assert broken() == []
    context.close()
