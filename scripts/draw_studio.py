"""Draw the pictures of docs/how-to/studio.md: the page of `linkoracle studio` at three widths.

    python scripts/draw_studio.py [--only NAME] [FOLDER]

Needs the extras `studio`, `browser` and `pictures`, and Chromium. The letters depend on its fonts.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page

from linkoracle import boards, grade, write
from linkoracle.catalogue import Catalogue
from linkoracle.generate import numberlink, puzzle, slitherlink
from linkoracle.kinds import KINDS
from studio_browser import Opened, launched, served

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT = 60.0
#: Clues of a half-generated puzzle of 40x40 cells.
MANY = 900


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs" / "pictures")
    parser.add_argument("--only", choices=SHOTS, help="the one that is drawn")
    options = parser.parse_args()
    with (
        TemporaryDirectory() as folder,
        served("--catalogue", filled(Path(folder) / "mine.sqlite")) as (_, address),
        launched() as browser,
    ):
        chosen = SHOTS if options.only is None else {options.only: SHOTS[options.only]}
        for name, (width, height, scheme, file, work) in chosen.items():
            page = opened(browser, address, width, height, scheme, file)
            work(page)
            wait_for_answers(page)
            page.evaluate("scrollTo(0, 0); document.querySelector('aside').scrollTo(0, 0)")
            picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
            page.context.close()
            # Few colours, since all pictures go with the sources.
            picture.quantize(32).save(options.folder / f"studio-{name}.png", optimize=True)


def several(page: Page) -> None:
    """Remove clues until there are hundreds of solutions, and show all marks."""
    page.check("#marks-all")
    page.focus("#board")
    for step in range(9):
        page.keyboard.press("ArrowRight" if step % 2 else "ArrowDown")
        page.keyboard.press("Delete")


def none(page: Page) -> None:
    """Enter a clue that contradicts others."""
    page.keyboard.press("2")


def mask(page: Page) -> None:
    """Fill a preset mask, and show it."""
    page.click("#clear")
    page.check("#mode-mask")
    page.select_option("#pattern", "rings")
    page.click("#draw-marks")
    page.wait_for_selector(".overlay .must")
    page.wait_for_selector("#make-mask:enabled")
    page.click("#make-mask")
    page.wait_for_selector("#going:has-text('Made')")


def making(page: Page) -> None:
    """Begin a large puzzle, and look while it is generated."""
    for name in ("#rows", "#cols"):
        page.fill(name, "40")
        page.keyboard.press("Tab")
    page.check("#option-minimal")
    wait_for_answers(page)
    page.click("#make-new")
    page.wait_for_selector("#board.making .lines .forced >> nth=100", state="attached")
    shown = "[...document.querySelectorAll('.clues .clue')].filter((e) => e.textContent)"
    until = time.monotonic() + TIMEOUT
    # Some of the clues are removed.
    while page.evaluate(f"{shown}.length") > MANY:
        assert time.monotonic() < until
        time.sleep(0.02)


def borders(page: Page) -> None:
    """Open a puzzle with regions, and remove some borders."""
    puzzle, _ = KINDS["countryroad"].examples["loop"].of(KINDS["countryroad"])
    page.fill("#text", write(puzzle, "json"))
    page.click("#open")
    page.wait_for_selector(".fixed .border", state="attached")
    page.fill("#text", "")
    page.check("#mode-borders")
    page.focus("#board")
    for key in ("ArrowDown", "ArrowDown", "Shift+ArrowRight", "ArrowUp", "Shift+ArrowRight"):
        page.keyboard.press(key)


def shading(page: Page) -> None:
    """Play a puzzle with shaded cells."""
    puzzle, _ = KINDS["yajilin"].examples["loop"].of(KINDS["yajilin"])
    page.fill("#text", write(puzzle, "json"))
    page.click("#open")
    page.wait_for_selector(".clues .arrow")
    page.click("#play")
    page.wait_for_selector("#play-hint:enabled")
    page.focus("#board")
    page.keyboard.press("Space")
    for _ in range(8):
        hint(page)
        page.click("#hint-take")
    hint(page)


def tiling(page: Page, words: str, seed: int) -> None:
    """Open a puzzle generated on a board."""
    made = slitherlink(boards.named(words), seed=seed)
    page.fill("#text", write(made.puzzle, "json"))
    page.click("#open")
    page.wait_for_selector("#board.tiling")
    page.fill("#text", "")
    page.check("#marks-all")
    page.focus("#board")


def penrose(page: Page) -> None:
    """Open a Penrose board."""
    tiling(page, "penrose_kite_dart 12 12 G136,3726,36", 4)


def honeycomb(page: Page) -> None:
    """Play a honeycomb by keys."""
    tiling(page, "honeycomb 7 7", 1)
    page.click("#play")
    page.wait_for_selector("#play-hint:enabled")
    for _ in range(24):
        hint(page)
        page.click("#hint-take")
    page.focus("#board")
    for key in ("PageDown", "Space", "PageDown", "PageDown", "Shift+ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(key)
    hint(page)


def catalogue(page: Page) -> None:
    """Look through the catalogue."""
    page.click("#catalogue-browse")
    page.wait_for_selector("#catalogue-message:has-text('shown')")


def playing(page: Page) -> None:
    """Follow some hints, and ask for another one."""
    page.click("#play")
    page.wait_for_selector("#play-hint:enabled")
    for _ in range(26):
        hint(page)
        page.click("#hint-take")
    hint(page)
    # The next puzzle is generated meanwhile.
    page.wait_for_selector("#play-next.ready")


def hint(page: Page) -> None:
    """Ask for a hint, and wait for it."""
    page.focus("#board")
    page.keyboard.press("h")
    page.wait_for_selector("#hint-take:visible")


def filled(path: Path) -> str:
    """Fill a catalogue with some puzzles of each kind; return its path."""
    with Catalogue(path) as kept:
        for size in (5, 7, 10):
            for make in (slitherlink, numberlink, partial(puzzle, "simpleloop")):
                made = make(size, size, seed=size)
                kept.add(made.puzzle, made.solution, grade=grade(made.puzzle))
    return str(path)


def opened(
    browser: Browser,
    address: Opened,
    width: int,
    height: int,
    scheme: Literal["light", "dark"],
    file: str,
) -> Page:
    """Open the page with the puzzle of an instance, and focus the board; return the page."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    address.open_in(page)
    page.wait_for_selector("body[data-ready]")
    page.fill("#text", (ROOT / "instances" / file).read_text(encoding="utf-8"))
    page.click("#open")
    page.wait_for_selector("#message:has-text('Opened.')")
    wait_for_answers(page)
    page.fill("#text", "")
    page.focus("#board")
    return page


def wait_for_answers(page: Page) -> None:
    """Wait until the last query is answered completely."""
    until = time.monotonic() + TIMEOUT
    while True:
        state = page.evaluate("({...document.body.dataset})")
        # While playing, no query runs in the background.
        if state["view"] == "play" or state["query"] == state.get("done"):
            return
        assert time.monotonic() < until, state
        time.sleep(0.05)


#: The pictures: width, height, light or dark, the instance, and the steps before the picture.
SHOTS = {
    "several": (1240, 780, "light", "slitherlink-10x10.txt", several),
    "none": (760, 880, "dark", "slitherlink-7x7.txt", none),
    "mask": (1240, 780, "light", "slitherlink-10x10.txt", mask),
    "making": (1140, 840, "light", "slitherlink-7x7.txt", making),
    "catalogue": (1100, 560, "light", "slitherlink-7x7.txt", catalogue),
    "playing": (1240, 760, "light", "slitherlink-7x7.txt", playing),
    "playing-phone": (390, 800, "dark", "slitherlink-7x7.txt", playing),
    "borders": (760, 900, "light", "slitherlink-7x7.txt", borders),
    "shading": (390, 800, "light", "slitherlink-7x7.txt", shading),
    "penrose": (1100, 640, "light", "slitherlink-7x7.txt", penrose),
    "honeycomb": (390, 800, "dark", "slitherlink-7x7.txt", honeycomb),
    "phone": (390, 800, "light", "numberlink-several.txt", lambda _: None),
}

if __name__ == "__main__":
    main()
