"""The page of the studio in a real browser, for tests: what a user does and sees there."""

from __future__ import annotations

import socket
import time

from scripts.studio_browser import Opened

from linkoracle import write
from linkoracle.studio.boards import puzzle_of

#: Seconds after which a test gives up.
TIMEOUT = 300.0


def free_port() -> str:
    """Return an unused port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return str(listener.getsockname()[1])


class Page:
    """The page of the studio."""

    def __init__(self, page, address: Opened) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "console", lambda line: self.errors.append(line.text) if line.type == "error" else 0
        )
        address.open_in(page)
        self.until(lambda: "ready" in self.data())

    def until(self, fits) -> None:
        until = time.monotonic() + TIMEOUT
        while not fits():
            assert time.monotonic() < until, (
                self.data(),
                self.page.inner_text("main"),
                self.errors,
            )
            time.sleep(0.01)

    def data(self) -> dict[str, str]:
        return self.page.evaluate("({...document.body.dataset})")

    def settle(self) -> None:
        """Wait until the geometry of the newest board is there."""
        self.until(lambda: "learning" not in self.data())

    def wait_for_answer(self) -> None:
        """Wait until the newest query is answered completely."""
        self.settle()
        self.until(lambda: (data := self.data())["query"] == data.get("done"))

    def text(self, selector: str) -> str:
        self.settle()
        return self.page.inner_text(selector)

    @property
    def status(self) -> str:
        self.settle()
        self.until(lambda: (data := self.data())["query"] == data.get("answered"))
        return self.text("#status")

    @property
    def puzzle(self):
        self.settle()
        kept = self.page.evaluate("JSON.parse(localStorage.getItem('linkoracle-studio'))")
        return puzzle_of(kept["board"])

    @property
    def shown(self) -> list[int | None]:
        """Return the clues of this tab, in reading order."""
        self.settle()
        found = self.page.evaluate(
            "[...document.querySelectorAll('.clues .clue')].map(e => e.textContent)"
        )
        return [int(text) if text else None for text in found]

    def kept(self, name: str):
        """Return a part of the stored board, such as ``marks`` or ``sketch``."""
        self.settle()
        found = self.page.evaluate("JSON.parse(localStorage.getItem('linkoracle-studio'))")
        return found["board"].get(name)

    def reload(self) -> None:
        self.page.reload()
        self.until(lambda: "ready" in self.data())

    def keys(self, *keys: str) -> None:
        self.settle()
        self.page.focus("#board")
        for key in keys:
            self.page.keyboard.press(key)

    def click(self, cell: int, **options) -> None:
        self.settle()
        self.page.click(f"[data-cell='{cell}']", **options)

    def size(self, rows: int, cols: int) -> None:
        for name, number in (("#rows", rows), ("#cols", cols)):
            self.page.fill(name, str(number))
            self.page.keyboard.press("Tab")
            self.settle()

    def open(self, text: str) -> None:
        self.page.fill("#text", text)
        self.page.evaluate("document.getElementById('message').textContent = ''")
        # By key: an answer that arrives now may move the button away from under the mouse.
        self.page.press("#open", "Enter")
        self.until(lambda: self.text("#message") == "Opened.")

    def classes(self, layer: str) -> list[int]:
        """Return the indices in a layer that are marked as forced, in order."""
        found = self.page.evaluate(
            f"[...document.querySelectorAll('.{layer} > *')].map(e => e.getAttribute('class'))"
        )
        return [place for place, name in enumerate(found) if (name or "").split()[:1] == ["forced"]]


def made(page: Page) -> str:
    """Wait until a task ends, and return its message."""
    page.until(lambda: page.text("#going").startswith(("Made", "Not made")))
    return page.text("#going")


def make(page: Page, what: str) -> str:
    """Press the button of a task, and return the message at its end."""
    page.page.click(f"#make-{what}")
    return made(page)


class Player:
    """The player's view of the page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def play(self, puzzle) -> None:
        """Open a puzzle, and play it."""
        self.page.open(write(puzzle, "json"))
        self.page.page.click("#play")
        self.wait_for_answer()

    def wait_for_answer(self) -> None:
        """Wait until the last query is answered."""
        self.page.until(lambda: (data := self.page.data()).get("playAnswered") == data["playQuery"])

    def text(self, selector: str) -> str:
        return self.page.page.text_content(selector)

    def hint(self, levels: int = 3) -> None:
        """Ask for a hint up to a level."""
        for _ in range(levels):
            self.page.keys("h")
            self.wait_for_answer()

    def at(self, row: float, col: float) -> tuple[float, float]:
        """Return the coordinates on the page of a place of the lattice."""
        found = self.page.page.evaluate(
            """([row, col]) => {
              const svg = document.getElementById("board");
              svg.scrollIntoView({block: "center"});
              const half = svg.classList.contains("through") ? 20 : 0;
              const at = new DOMPoint(24 + half + 40 * col, 24 + half + 40 * row);
              const {x, y} = at.matrixTransform(svg.getScreenCTM());
              return [x, y];
            }""",
            [row, col],
        )
        return tuple(found)

    def edge_at(self, edge: int) -> tuple[float, float]:
        lattice = self.page.puzzle.lattice
        ends = [lattice.position(int(end)) for end in lattice.edge_vertices[edge]]
        return self.at(*(sum(parts) / 2 for parts in zip(*ends, strict=True)))

    def click_edge(self, edge: int, **options) -> None:
        self.page.page.mouse.click(*self.edge_at(edge), **options)

    def click_at(self, row: float, col: float, **options) -> None:
        self.page.page.mouse.click(*self.at(row, col), **options)

    def drag(self, places) -> None:
        mouse = self.page.page.mouse
        mouse.move(*self.at(*places[0]))
        mouse.down()
        for place in places[1:]:
            mouse.move(*self.at(*place))
        mouse.up()

    def classes(self, layer: str) -> list[str]:
        return self.page.page.evaluate(
            f"[...document.querySelectorAll('.{layer} > *')]"
            ".map(e => e.getAttribute('class') ?? '')"
        )

    def lines(self) -> set[int]:
        return {edge for edge, name in enumerate(self.classes("lines")) if "drawn" in name}

    def edges(self) -> dict[int, str]:
        """Return the marks of the player, by the number of the edge."""
        crosses = {edge for edge, name in enumerate(self.classes("crosses")) if "set" in name}
        marks = dict.fromkeys(self.lines(), "line") | dict.fromkeys(crosses, "cross")
        return dict(sorted(marks.items()))

    def automatic(self) -> set[int]:
        return {edge for edge, name in enumerate(self.classes("crosses")) if name == "auto"}

    def faces(self) -> dict[int, str]:
        return {face: name.split()[0] for face, name in enumerate(self.classes("faces")) if name}

    def wrong(self, layer: str) -> list[int]:
        return [place for place, name in enumerate(self.classes(layer)) if "wrong" in name]
