"""Half an hour of random edits and moves: no error, no dead process, no leaked memory."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator

import pytest
from scripts.studio_browser import family, served

from linkoracle import read_file, write
from tests.studio.page import Page, Player

pytestmark = [pytest.mark.browser, pytest.mark.heavy]
MINUTES = float(os.environ.get("STUDIO_MINUTES", "30"))
PUZZLES = [
    read_file(f"instances/{name}")
    for name in ("slitherlink-7x7.txt", "slitherlink-10x10.txt", "numberlink-8x8.txt")
]
#: Bytes that a step in the history may take, and by which all other memory may vary.
PER_EDIT, SLACK = 1000, 4 << 20


def memory(page: Page) -> dict[str, float]:
    """Return the memory in use by the page, in bytes and nodes."""
    session = page.page.context.new_cdp_session(page.page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    found = session.send("Performance.getMetrics")["metrics"]
    session.detach()
    return {one["name"]: one["value"] for one in found}


def resident(pid: int) -> int:
    return sum(family(pid).values())


def edit(page: Page, rng: random.Random) -> None:
    arrows = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Shift+ArrowRight"]
    keys = [*"0123", *["Backspace"] * 2, "Control+z", "Control+y", "Alt+ArrowLeft", "Space"]
    page.keys(rng.choice(arrows), rng.choice(keys))
    if rng.random() < 0.02:
        page.page.click(rng.choice(["#rotate", "#reflect", "#clear"]))
    if rng.random() < 0.01:
        page.size(rng.randint(2, 9), rng.randint(2, 9))
    if rng.random() < 0.01:
        page.open(write(rng.choice(PUZZLES), "json"))


def play(player: Player, rng: random.Random) -> None:
    board = player.page.page.locator("#board").bounding_box()
    if rng.random() < 0.5:
        place = [rng.uniform(0.05, 0.95) * board[side] for side in ("width", "height")]
        button = rng.choice(["left", "right"])
        player.page.page.click(
            "#board", position={"x": place[0], "y": place[1]}, button=button, force=True
        )
    else:
        keys = ["Shift+ArrowUp", "Alt+ArrowLeft", "ArrowDown", "ArrowRight", "Space", "Control+z"]
        player.page.keys(*rng.sample([*keys, "h", "c"], 2))


def at_random(page: Page, rng: random.Random, seed: int) -> Iterator[int]:
    """Edit and play at random for `MINUTES`; yield the number of edits after each one."""
    player, edits, until = Player(page), 0, time.monotonic() + 60 * MINUTES
    while time.monotonic() < until:
        plays = page.data()["view"] == "play"
        if rng.random() < 0.02:
            page.page.click("#design" if plays else "#play")
        elif plays:
            play(player, rng)
        else:
            edit(page, rng)
        edits += 1
        assert page.errors == [], seed
        yield edits


def test_random_edits_and_moves(browser, monkeypatch):
    # A dead worker is replaced unnoticed, so it must report where it died.
    monkeypatch.setenv("PYTHONFAULTHANDLER", "1")
    seed = random.SystemRandom().randrange(10**6)
    rng = random.Random(seed)
    with served() as (process, address):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = Page(context.new_page(), address)
        begun, baseline = time.monotonic(), None
        workers: set[int] = set()
        for edits in at_random(page, rng, seed):
            if edits % 100 == 0:
                alive = family(process.pid).keys()
                assert alive >= workers, ("a process has died", seed)
                workers |= alive
            if baseline is None and time.monotonic() - begun > 15 * MINUTES:
                baseline = edits, memory(page), resident(process.pid)
        assert baseline is not None
        before, first, size = baseline
        last, grown = memory(page), resident(process.pid)
        heaps = [f"{one['JSHeapUsedSize'] / 1e6:.1f} MB" for one in (first, last)]
        servers = [f"{one / 1e6:.0f} MB" for one in (size, grown)]
        print(f"{edits} edits; heap {heaps}, server {servers}: after a quarter and at last")
        allowed = PER_EDIT * (edits - before) + SLACK
        assert last["JSHeapUsedSize"] < first["JSHeapUsedSize"] + allowed, seed
        assert last["Nodes"] < 2 * first["Nodes"] + 10_000, seed
        assert last["JSEventListeners"] < 2 * first["JSEventListeners"] + 1000, seed
        assert grown < 2 * size + (200 << 20), seed
        context.close()
