"""The pictures of docs/studio.md: the page of `linkoracle studio` at three widths.

    python scripts/draw_studio.py [FOLDER]

Needs the extras `studio`, `browser` and `pictures`, and Chromium. How letters look depends on its
fonts.
"""

from __future__ import annotations

import argparse
import time
from io import BytesIO
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page

from studio_browser import launched, served

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 60.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs" / "pictures")
    asked = parser.parse_args()
    with served() as (_, address), launched() as browser:
        several(opened(browser, address, 1240, 830, "light", "slitherlink-10x10.txt"))
        none(opened(browser, address, 760, 880, "dark", "slitherlink-7x7.txt"))
        phone = opened(browser, address, 390, 800, "light", "numberlink-several.txt")
        names = ("several", "none", "phone")
        pages = [context.pages[0] for context in browser.contexts]
        assert pages[-1] == phone
        for name, page in zip(names, pages, strict=True):
            settle(page)
            page.evaluate("scrollTo(0, 0)")
            picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
            # Few colours, since all pictures go with the sources.
            picture.quantize(32).save(asked.folder / f"studio-{name}.png", optimize=True)


def several(page: Page) -> None:
    """Take clues away until there are hundreds of solutions."""
    for step in range(9):
        page.keyboard.press("ArrowRight" if step % 2 else "ArrowDown")
        page.keyboard.press("Delete")


def none(page: Page) -> None:
    """Enter a clue that contradicts others."""
    page.keyboard.press("2")


def opened(
    browser: Browser,
    address: str,
    width: int,
    height: int,
    scheme: Literal["light", "dark"],
    puzzle: str,
) -> Page:
    """The page with a puzzle, and the focus on the board."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    page.fill("#text", (ROOT / "instances" / puzzle).read_text(encoding="utf-8"))
    page.click("#open")
    page.wait_for_selector("#told:has-text('Opened.')")
    settle(page)
    page.fill("#text", "")
    page.focus("#board")
    return page


def settle(page: Page) -> None:
    """Wait until the newest question is answered to the end."""
    until = time.monotonic() + PATIENCE
    while True:
        told = page.evaluate("({...document.body.dataset})")
        if told["asked"] == told.get("done"):
            return
        assert time.monotonic() < until, told
        time.sleep(0.05)


if __name__ == "__main__":
    main()
