"""The page of the studio in a real browser, for tests: what a user does there and sees."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import contextmanager

from linkoracle.studio.boards import puzzle_of

#: Seconds after which a test gives up.
PATIENCE = 30.0
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@contextmanager
def served(*arguments: str):
    """The process that serves the page, and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "linkoracle", "studio", "--no-browser", *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


class Page:
    """The page, and what a user does there and sees."""

    def __init__(self, page, address: str) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "console", lambda line: self.errors.append(line.text) if line.type == "error" else 0
        )
        page.goto(address)
        self.until(lambda: "ready" in self.data())

    def until(self, fits) -> None:
        until = time.monotonic() + PATIENCE
        while not fits():
            assert time.monotonic() < until, (self.data(), self.text("#answer"), self.errors)
            time.sleep(0.01)

    def data(self) -> dict[str, str]:
        return self.page.evaluate("({...document.body.dataset})")

    def settle(self) -> None:
        """Wait until the newest question is answered to the end."""
        self.until(lambda: (data := self.data())["asked"] == data.get("done"))

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)

    @property
    def status(self) -> str:
        self.until(lambda: (data := self.data())["asked"] == data.get("answered"))
        return self.text("#status")

    @property
    def puzzle(self):
        kept = self.page.evaluate("JSON.parse(localStorage.getItem('linkoracle-studio'))")
        return puzzle_of(kept["board"])

    def keys(self, *keys: str) -> None:
        self.page.focus("#board")
        for key in keys:
            self.page.keyboard.press(key)

    def click(self, cell: int, **options) -> None:
        self.page.click(f"[data-cell='{cell}']", **options)

    def size(self, rows: int, cols: int) -> None:
        for name, number in (("#rows", rows), ("#cols", cols)):
            self.page.fill(name, str(number))
            self.page.keyboard.press("Tab")

    def open(self, text: str) -> None:
        self.page.fill("#text", text)
        self.page.click("#open")
        self.until(lambda: self.text("#told") == "Opened.")

    def classes(self, layer: str) -> list[int]:
        """The places in a layer that are marked as forced, in their order."""
        found = self.page.evaluate(
            f"[...document.querySelectorAll('.{layer} > *')].map(e => e.getAttribute('class'))"
        )
        return [place for place, name in enumerate(found) if name == "forced"]
