"""The site in Firefox, driven by WebDriver BiDi, which it speaks itself: no driver is needed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time

import pytest

import linkoracle
from tests.workers import Program

pytestmark = pytest.mark.browser
FIREFOX = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
#: Tries, a second apart, until the page has answered.
TRIES = 120


class Tab:
    """A tab of Firefox, over its WebSocket."""

    def __init__(self, socket) -> None:
        self._socket, self._number = socket, 0
        self.call("session.new", capabilities={})
        (first, *_) = self.call("browsingContext.getTree")["contexts"]
        self._context = first["context"]

    def call(self, method: str, **params):
        """The answer to a command."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv())).get("id") != self._number:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, address: str) -> None:
        self.call("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, script: str):
        """The value of an expression, which may be a promise."""
        found = self.call(
            "script.evaluate",
            expression=f"Promise.resolve({script}).then((found) => JSON.stringify(found))",
            target={"context": self._context},
            awaitPromise=True,
        )
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])


@pytest.fixture
def tab(tmp_path):
    client = pytest.importorskip("websockets.sync.client")
    if FIREFOX is None:
        pytest.skip("no firefox on the path (set FIREFOX)")
    program = [FIREFOX, "--headless", "--no-remote", "--profile", tmp_path]
    program += ["--remote-debugging-port", "0", "about:blank"]
    with Program(program, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said = (line for line in process.stderr if "BiDi listening on " in line)
            address = next(said).split()[-1]
            with client.connect(f"{address}/session", max_size=None) as socket:
                yield Tab(socket)
        finally:
            process.kill()


def test_the_page_and_the_module_answer(tab, address):
    puzzle = linkoracle.generate.slitherlink(7, 7, seed=2).puzzle
    tab.open(f"{address}#{linkoracle.write(puzzle, 'pzpr')}")
    for _ in range(TRIES):
        data = tab.evaluate("document.body.dataset")
        if "done" in data and data["done"] == data["query"]:
            break
        time.sleep(1)
    assert tab.evaluate("document.getElementById('status').className") == "unique"
    cells = [cell for cell, _ in puzzle.clue_cells()][:2]
    text = json.dumps(linkoracle.write(puzzle, "text"))
    clues = json.dumps([[*cell, None] for cell in cells])
    found = tab.evaluate(
        f"""import("./linkoracle.js").then(async ({{open}}) => {{
          const session = await open({text});
          return [(await session.ask()).status, await session.count({{clues: {clues}}})];
        }})"""
    )
    with linkoracle.Session(puzzle.with_clues(dict.fromkeys(cells))) as session:
        expected = session.count(limit=1000)
    assert found == ["unique", {"count": expected.count, "exact": expected.exact}]
