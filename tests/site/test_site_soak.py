"""Half an hour of random edits and moves in the tab: no error, no freeze, no memory lost."""

from __future__ import annotations

import os
import random
import time

import pytest
from scripts.studio_browser import renderer_memory

from tests.studio.page import Page, Player
from tests.studio.test_page_soak import edit, play

pytestmark = [pytest.mark.browser, pytest.mark.heavy]
MINUTES = float(os.environ.get("STUDIO_MINUTES", "30"))
#: Megabytes that the tab may have at last, and seconds after which a worker that rests is let go.
MOST, REST = 200, 65

#: Notes how long the page was busy at a time, in milliseconds.
WATCH = """() => {
  document.body.busiest = 0;
  new PerformanceObserver((list) => {
    for (const {duration} of list.getEntries()) {
      document.body.busiest = Math.max(document.body.busiest, duration);
    }
  }).observe({entryTypes: ["longtask"]});
}"""


def test_random_edits_and_moves_in_the_tab(browser, address):
    seed = random.SystemRandom().randrange(10**6)
    rng = random.Random(seed)
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = Page(context.new_page(), address)
    page.settle()
    page.page.evaluate(WATCH)
    player, edits, sizes = Player(page), 0, [renderer_memory()]
    until = time.monotonic() + 60 * MINUTES
    while time.monotonic() < until:
        plays = page.data()["view"] == "play"
        if rng.random() < 0.02:
            page.page.click("#design" if plays else "#play")
        elif plays:
            play(player, rng)
        else:
            edit(page, rng)
        edits += 1
        if edits % 100 == 0:
            sizes.append(renderer_memory())
        assert page.errors == [], seed
    busiest = page.page.evaluate("document.body.busiest")
    # What was asked last is answered: no worker hangs.
    page.page.click("#design")
    page.settle()
    time.sleep(REST)
    last = renderer_memory()
    told = f"{sizes[0]} MB at first, {max(sizes)} at most, {last} at rest"
    print(f"{edits} edits; {told}; the page was busy for {busiest:.0f} ms at most")
    assert last <= MOST, seed
    context.close()
