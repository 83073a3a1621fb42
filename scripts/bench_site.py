"""Measure the site in Chromium, from a local server with all other hosts cut off.

    python scripts/bench_site.py [build/site]

Time until the board can be edited and until the first verdict, with an empty cache and with a full
one; milliseconds of each answer after random changes of clues, median and 95 %. `make
test-site-soak` measures memory.
"""

from __future__ import annotations

import functools
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

from linkoracle import Slitherlink, read_file, write
from linkoracle.generate import slitherlink
from linkoracle.studio.boards import board_of

#: Chromium finds no address but those of this machine.
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
CHANGES = 40

#: Runs of which the best and the median are reported.
RUNS = 10

#: In a page without a worker of its own: sends requests to a worker, and returns the stages of each
#: answer, with the milliseconds ``taken``; a stage in ``enough`` ends an answer.
ASK = """async ([module, where, requests, enough = []]) => {
  const {Helpers} = await import(module);
  window.helpers ??= new Helpers();
  const found = [];
  for (const request of requests) {
    const stages = [], begun = performance.now();
    found.push(stages);
    await new Promise((resolve) => {
      const job = helpers.ask(where, JSON.stringify(request), (stage) => {
        stages.push({...stage, taken: performance.now() - begun});
        if (enough.includes(stage.stage)) {
          helpers.drop(job);
          resolve();
        }
        if (["done", "lost", "wrong", "made", "failed"].includes(stage.stage)) resolve();
      }, true);
    });
  }
  return found;
}"""
#: Notes when the board can be edited, in milliseconds from the navigation.
READY = """new MutationObserver(() => {
  if ("ready" in (document.body?.dataset ?? {})) window.ready ??= performance.now();
}).observe(document, {subtree: true, attributeFilter: ["data-ready"]});"""


class Handler(SimpleHTTPRequestHandler):
    """Serve files without logging; browsers may cache them."""

    def end_headers(self) -> None:
        self.send_header("cache-control", "max-age=3600")
        super().end_headers()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        # A page closed during a transfer reads no more.
        with suppress(ConnectionError):
            super().copyfile(source, outputfile)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def site_served(folder: Path) -> Iterator[str]:
    """Serve a folder of static files; yield its address."""
    handler = functools.partial(Handler, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


def changed(puzzle: Slitherlink, rng: Random) -> Slitherlink:
    """Return a puzzle with a clue removed, entered or altered."""
    cell = rng.randrange(puzzle.rows), rng.randrange(puzzle.cols)
    return puzzle.with_clues({cell: rng.choice([None, None, 0, 1, 2, 3])})


def boards(size: int, share: float, rng: Random) -> list[dict[str, Any]]:
    """Return a puzzle without some of its clues, and after each of some random changes."""
    puzzle: Any = slitherlink(size, size, seed=size).puzzle
    clues = [cell for cell, _ in puzzle.clue_cells()]
    gone = rng.sample(clues, round(len(clues) * share))
    puzzle = puzzle.with_clues(dict.fromkeys(gone))
    found = [board_of(puzzle)]
    for _ in range(CHANGES):
        found.append(board_of(changed(puzzle, rng)))
    return found


def spread(times: list[float]) -> str:
    """Return the median and the 95 % quantile of some times."""
    if len(times) < 2:
        return "-"
    return f"{median(times):.1f} / {quantiles(times, n=20)[-1]:.0f}"


def page_opened(context: Any, address: str) -> tuple[float, float]:
    """Return the milliseconds until the board can be edited, and those of the page's thread."""
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.add_init_script(READY)
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    metrics = session.send("Performance.getMetrics")["metrics"]
    worked = next(one["value"] for one in metrics if one["name"] == "TaskDuration")
    taken: float = page.evaluate("window.ready")
    page.close()
    return taken, 1000 * worked


def first_verdict(page: Any, address: str, puzzle: str) -> float:
    """Return the seconds until the verdict on a puzzle of a link."""
    begun = time.monotonic()
    page.goto(f"{address}#{puzzle}")
    page.wait_for_selector("#status.unique", timeout=120_000)
    return time.monotonic() - begun


def main(arguments: list[str]) -> None:
    from studio_browser import launched

    folder = Path(arguments[0] if arguments else "build/site")
    (ours,) = (path.name for path in folder.glob("linkoracle-*"))
    module, rng = f"./{ours}/helpers.js", Random(1)
    link = write(read_file("instances/slitherlink-10x10.txt"), "pzpr")
    with site_served(folder) as address, launched(ALONE) as browser:
        for words in ("empty", "full"):
            opened, verdicts, context = [], [], browser.new_context()
            for _ in range(RUNS):
                if words == "empty":
                    context.close()
                    context = browser.new_context()
                opened.append(page_opened(context, address))
            for _ in range(3):
                if words == "empty":
                    context.close()
                    context = browser.new_context()
                page = context.new_page()
                verdicts.append(first_verdict(page, address, link))
                page.close()
            there, worked = (
                f"{min(times):.0f} / {median(times):.0f}" for times in zip(*opened, strict=True)
            )
            print(f"{words} cache, best / median: page {there} ms, its thread {worked} ms,")
            verdict = f"{min(verdicts):.1f} / {median(verdicts):.1f} s"
            print(f"  first verdict {verdict}", flush=True)
            context.close()
        page = browser.new_page()
        page.goto(f"{address}example.html")
        page.evaluate(ASK, [module, "live", boards(7, 0, rng)[:1]])
        for size, share in ((7, 0), (10, 0), (10, 0.5), (15, 0.5)):
            # These stages end an answer; then the next change comes.
            arguments = [module, "live", boards(size, share, rng), ["forced", "conflict"]]
            answers = page.evaluate(ASK, arguments)[1:]
            found = [{stage["stage"]: stage for stage in stages} for stages in answers]
            with_forced = [one for one in found if "forced" in one]
            several = [one for one in with_forced if one["status"]["status"] == "many"]
            times = {
                "verdict": [one["status"]["taken"] for one in found if "status" in one],
                "forced": [one["forced"]["taken"] - one["status"]["taken"] for one in several],
            }
            spreads = ", ".join(f"{name} {spread(taken)}" for name, taken in times.items())
            words = f"{size}x{size}, {share:.0%} of the clues gone"
            print(
                f"{words}: {spreads} ms ({len(several)} of {len(found)} with several)", flush=True
            )


if __name__ == "__main__":
    main(sys.argv[1:])
