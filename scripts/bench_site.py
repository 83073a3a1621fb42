"""Measure the site in Chromium, from a local server with all other hosts cut off.

    python scripts/bench_site.py [build/site] [MINUTES]

Seconds until the page is there and until the first verdict, with an empty cache and with a full
one; milliseconds of each answer after random changes of clues; memory before and after MINUTES of
these.
"""

from __future__ import annotations

import functools
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

from linkoracle import Slitherlink, read, write
from linkoracle.generate import slitherlink
from linkoracle.studio.boards import board_of

#: Nothing but this machine has an address.
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
CHANGES = 40

#: In the page: what each answer to a board takes, in milliseconds by stage.
ASK = """async ([module, boards]) => {
  const {socketAt} = await import(module);
  const socket = socketAt("live");
  await new Promise((resolve) => { socket.onopen = resolve; });
  const found = [];
  for (const [number, board] of boards.entries()) {
    const begun = performance.now(), taken = {};
    await new Promise((resolve) => {
      socket.onmessage = ({data}) => {
        const {stage, status} = JSON.parse(data);
        taken[stage] ??= performance.now() - begun;
        if (status) taken.found = status;
        if (["done", "lost", "wrong"].includes(stage)) resolve();
      };
      socket.send(JSON.stringify({number, board}));
    });
    found.push(taken);
  }
  return found;
}"""


class Handler(SimpleHTTPRequestHandler):
    """Serves files without a word, as ones that may be kept."""

    def end_headers(self) -> None:
        self.send_header("cache-control", "max-age=3600")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def site_served(folder: Path) -> Iterator[str]:
    """The address of a folder of static files."""
    handler = functools.partial(Handler, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


def changed(puzzle: Slitherlink, rng: Random) -> Slitherlink:
    """A puzzle with a clue taken away, entered or altered."""
    cell = rng.randrange(puzzle.rows), rng.randrange(puzzle.cols)
    return puzzle.with_clues({cell: rng.choice([None, None, 0, 1, 2, 3])})


def boards(size: int, share: float, rng: Random) -> list[dict[str, Any]]:
    """A puzzle without some of its clues, and after each of some random changes."""
    puzzle: Any = slitherlink(size, size, seed=size).puzzle
    clues = [cell for cell, _ in puzzle.clue_cells()]
    gone = rng.sample(clues, round(len(clues) * share))
    puzzle = puzzle.with_clues(dict.fromkeys(gone))
    found = [board_of(puzzle)]
    for _ in range(CHANGES):
        found.append(board_of(changed(puzzle, rng)))
    return found


def spread(times: list[float]) -> str:
    """Median and 95 % of some times."""
    if len(times) < 2:
        return "-"
    return f"{median(times):.1f} / {quantiles(times, n=20)[-1]:.0f}"


def first_answer(page: Any, address: str, puzzle: str) -> tuple[float, float]:
    """Seconds until the page is there, and until the verdict on a puzzle of its link."""
    begun = time.monotonic()
    page.goto(f"{address}#{puzzle}")
    page.wait_for_selector("#kind option", state="attached")
    there = time.monotonic() - begun
    page.wait_for_selector("#status.unique", timeout=120_000)
    return there, time.monotonic() - begun


def main(arguments: list[str]) -> None:
    from studio_browser import launched, renderer_memory

    folder = Path(arguments[0] if arguments else "build/site")
    minutes = float(arguments[1]) if len(arguments) > 1 else 0
    (ours,) = (path.name for path in folder.glob("linkoracle-*"))
    module, rng = f"./{ours}/transport.js", Random(1)
    link = write(read("instances/slitherlink-10x10.txt"), "pzpr")
    with site_served(folder) as address, launched(ALONE) as browser:
        context = browser.new_context()
        for words in ("empty cache", "full cache", "full cache"):
            page = context.new_page()
            there, verdict = first_answer(page, address, link)
            print(f"{words}: page {there:.2f} s, first verdict {verdict:.1f} s", flush=True)
            print(f"  memory {renderer_memory()} MB")
            page.close()
        page = context.new_page()
        first_answer(page, address, link)
        for size, share in ((7, 0), (10, 0), (10, 0.5), (15, 0.5)):
            asked = boards(size, share, rng)
            found = page.evaluate(ASK, [module, asked])[1:]
            several = [taken for taken in found if taken.get("found") == "many"]
            stages = {
                "verdict": [taken["status"] for taken in found if "status" in taken],
                "forced": [taken["forced"] - taken["status"] for taken in several],
                "all": [taken["done"] for taken in found if "done" in taken],
            }
            told = ", ".join(f"{name} {spread(times)}" for name, times in stages.items())
            words = f"{size}x{size}, {share:.0%} of the clues gone"
            print(f"{words}: {told} ms ({len(several)} of {len(found)} with several)", flush=True)
        print(f"memory {renderer_memory()} MB")
        until = time.monotonic() + 60 * minutes
        number = 0
        while time.monotonic() < until:
            page.evaluate(ASK, [module, boards(10, rng.choice((0, 0.2, 0.5)), rng)])
            number += CHANGES + 1
        if minutes:
            print(f"after {minutes:g} minutes, {number} boards: memory {renderer_memory()} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
