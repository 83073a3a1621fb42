"""Half an hour of random edits and moves in the tab: no error, no freeze, no memory lost."""

from __future__ import annotations

import random
import time

import pytest
from scripts.studio_browser import renderer_memory

from tests.studio.page import Page
from tests.studio.test_page_soak import at_random

pytestmark = [pytest.mark.browser, pytest.mark.heavy]
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
    sizes = [renderer_memory()]
    for edits in at_random(page, rng, seed):
        if edits % 100 == 0:
            sizes.append(renderer_memory())
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
