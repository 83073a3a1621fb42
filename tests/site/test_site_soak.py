"""Half an hour of random edits and moves in the tab: no error, no freeze, no memory lost."""

from __future__ import annotations

import json
import random

import pytest
from scripts.bench_site import ALONE
from scripts.studio_browser import joined, renderer_memory

from tests.studio.page import Page
from tests.studio.test_page_soak import at_random

pytestmark = [pytest.mark.browser, pytest.mark.heavy]
#: Megabytes that the tab may hold at last, and seconds after which a worker that rests is let go.
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


@pytest.fixture
def join(browser_type):
    with joined(browser_type, ALONE) as join:
        yield join


def at_rest(join) -> tuple[int, int]:
    """The tab's megabytes as it is, and those without garbage and what an inspector has kept."""
    as_it_is, page = renderer_memory(), join()
    session, workers = page.context.new_cdp_session(page), []
    session.on("Target.attachedToTarget", lambda worker: workers.append(worker["sessionId"]))
    attach = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": False}
    session.send("Target.setAutoAttach", attach)
    page.wait_for_timeout(1000)
    # The last query is answered, and no second worker is left.
    (worker,) = workers
    collect = {"id": 1, "method": "HeapProfiler.collectGarbage"}
    session.send(collect["method"])
    message = {"sessionId": worker, "message": json.dumps(collect)}
    session.send("Target.sendMessageToTarget", message)
    page.wait_for_timeout(3000)
    return as_it_is, renderer_memory()


def opened(join, address: str) -> Page:
    tab = join()
    tab.set_viewport_size({"width": 1280, "height": 900})
    page = Page(tab, address)
    page.wait_for_answer()
    return page


def test_random_edits_and_moves_in_the_tab(join, address):
    seed = random.SystemRandom().randrange(10**6)
    rng = random.Random(seed)
    opened(join, address)
    first, held_first = at_rest(join)
    page = opened(join, address)
    page.page.evaluate(WATCH)
    sizes = [first]
    for edits in at_random(page, rng, seed):
        if edits % 100 == 0:
            sizes.append(renderer_memory())
    busiest = page.page.evaluate("document.body.busiest")
    # The last query is answered: no worker hangs.
    page.page.click("#design")
    page.wait_for_answer()
    page.page.wait_for_timeout(1000 * REST)
    last, held = at_rest(join)
    print(f"{edits} edits; the page was busy for {busiest:.0f} ms at most")
    print(f"inspected: {first} MB at first, {max(sizes)} at most, {last} at rest")
    print(f"held: {held_first} MB at first, {held} at rest")
    assert held <= MOST, seed
