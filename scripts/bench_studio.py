"""Measure the page of the studio from a click to the answer, in a real browser.

Needs Chromium, and ``pip install 'linkoracle[browser]'``.

    python scripts/bench_studio.py [--edits 200] [--limit 2] [SIDE ...]

On each board, clicks on the buttons beside the board enter the clues of a unique puzzle one by one,
and remove them again; then those of the next puzzle, until ``--edits`` edits are measured. The page
measures from the click to the frame that shows "no", "one" or "several" solutions; to the solutions
(none, one or several) that each clue of the selected cell would leave, if shown before the exact
number; and to the exact number. Answers later than ``--limit`` seconds count as that limit.
"""

from __future__ import annotations

import argparse
import random
import time

from playwright.sync_api import Page

from linkoracle.generate import slitherlinks
from studio_browser import launched, served

#: Enters a clue, and resolves to milliseconds until the status and the exact number.
EDIT = """
([cell, clue, limit]) => new Promise((resolve) => {
  const pad = (value) => document.querySelector(`#keypad [value="${value}"]`);
  const board = document.getElementById("board");
  const target = document.querySelector(`[data-cell="${cell}"]`);
  const {x, y, width, height} = target.getBoundingClientRect();
  // An artificial pointer cannot be captured. No pointerup: that would change the clue.
  board.setPointerCapture = () => {};
  for (const type of ["pointerdown", "pointercancel"]) {
    board.dispatchEvent(new PointerEvent(type, {clientX: x + width / 2, clientY: y + height / 2}));
  }
  const begun = performance.now();
  const found = {status: null, cell: null, count: null};
  pad(clue ?? "").click();
  const edit = document.body.dataset.query;
  const look = () => {
    const now = performance.now() - begun;
    if (document.body.dataset.answered === edit) {
      found.status ??= now;
      // The page shows nothing for "?" and "Empty".
      const noted = (number) => pad(number).querySelector("small").textContent;
      if ([0, 1, 2, 3, 4].every(noted)) found.cell ??= now;
      const several = document.getElementById("status").className === "many";
      const exact = document.getElementById("count").textContent.startsWith("Exactly");
      if (exact || !several) found.count = now;
    }
    if (found.count !== null || now > limit) resolve(found);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sides", nargs="*", type=int, default=[10, 20])
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--limit", type=float, default=2.0)
    options = parser.parse_args()
    with served() as (_, address), launched() as browser:
        page = browser.new_page()
        address.open_in(page)
        page.wait_for_selector("body[data-done]")
        for side in options.sides:
            measure(page, side, options.edits, options.limit)


def measure(page: Page, side: int, edits: int, limit: float) -> None:
    for name in ("#rows", "#cols"):
        page.fill(name, str(side))
        page.keyboard.press("Tab")
    page.click("#clear")
    time.sleep(limit)
    status: list[float] = []
    cell_known: list[float] = []
    exact: list[float] = []
    entered = 0
    for made in slitherlinks(side, side, seed=1):
        clues = [(row * side + col, clue) for (row, col), clue in made.puzzle.clue_cells()]
        random.Random(1).shuffle(clues)
        entered += len(clues)
        # Half of the edits fill the board, half empty it; of many clues, an even part is measured.
        back = [(cell, None) for cell, _ in reversed(clues)]
        steps: list[tuple[int, int | None]] = [*clues, *back]
        missing = edits - len(status)
        kept = {round(at * len(steps) / missing) for at in range(missing)}
        for number, (cell, clue) in enumerate(steps):
            found = page.evaluate(EDIT, [cell, clue, 1000 * limit if number in kept else 0])
            if number in kept:
                status.append(found["status"] or 1000 * limit)
                cell_known.append(found["cell"] or 1000 * limit)
                exact.append(found["count"] or 1000 * limit)
        if len(status) >= edits:
            break
    print(f"{side}x{side}, {len(status)} edits measured, {entered} clues")
    every = {
        "no, one or several": status,
        "what each clue of the cell leaves": cell_known,
        "the exact number": exact,
    }
    for name, times in every.items():
        times.sort()
        parts = [times[len(times) * share // 100] for share in (50, 95)]
        late = sum(one >= 1000 * limit for one in times)
        print(
            f"  {name}: median {parts[0]:.0f} ms, 95 % {parts[1]:.0f} ms, "
            f"most {times[-1]:.0f} ms, {late} over {limit:g} s"
        )


if __name__ == "__main__":
    main()
