"""Draw the site for the documentation, from build/site (`make site`).

    python scripts/draw_site.py [FOLDER]

Writes site.png: a Masyu generated in the tab, without one of its pearls.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from bench_site import ALONE, site_served
from linkoracle import write
from linkoracle.generate import puzzle
from linkoracle.kinds.masyu import Masyu
from studio_browser import launched

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: list[str]) -> None:
    from PIL import Image

    folder = Path(arguments[0] if arguments else ROOT / "docs" / "pictures")
    made = puzzle("masyu", 8, 8, seed=2).puzzle
    assert isinstance(made, Masyu)
    pearl = [cell for cell, _ in made.clue_cells()][-1]
    link = write(made.with_clues({pearl: None}), "pzpr")
    with site_served(ROOT / "build" / "site") as address, launched(ALONE) as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 760})
        page.goto(f"{address}#{link}")
        page.wait_for_selector("#status.many", timeout=120_000)
        page.wait_for_selector("#count:has-text('Exactly')", timeout=120_000)
        page.wait_for_timeout(3000)
        picture = Image.open(io.BytesIO(page.screenshot()))
        picture.quantize(32).save(folder / "site.png", optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
