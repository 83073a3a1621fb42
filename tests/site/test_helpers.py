"""The workers of the site's page, with a worker that cannot load the solver at first."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

SOURCES = Path(__file__).resolve().parents[2] / "src" / "site"
#: Fails at the first start, as without a network, and answers after the second one.
WORKER = """
const count = await fetch("count");
if (await count.text() === "1") postMessage({failed: "no network"});
else {
  onmessage = ({data}) => {
    postMessage({id: data.id, stage: {stage: "done", text: data.text}});
    postMessage({id: data.id, ended: true});
  };
  postMessage({ready: true, suspends: true});
}
"""
ASK = """async () => {
  const {Helpers} = await import("./helpers.js");
  const failures = [];
  const helpers = new Helpers(() => {}, (reason) => failures.push(reason));
  const ask = (text) => helpers.answer("read", text).then(({text}) => text, ({message}) => message);
  return [await ask("one"), await ask("two"), failures];
}"""


def test_the_solver_is_loaded_again_after_a_failure(browser):
    context, starts = browser.new_context(), []
    files = {
        "/": ("text/html", "<!doctype html><title>empty</title>"),
        "/helpers.js": ("text/javascript", (SOURCES / "helpers.js").read_text("utf-8")),
        "/worker.js": ("text/javascript", WORKER),
    }

    def fulfil(route):
        path = "/" + route.request.url.split("/", 3)[3]
        if path == "/count":
            starts.append(path)
        kind, body = files.get(path, ("text/plain", str(len(starts))))
        route.fulfill(content_type=kind, body=body)

    context.route("https://site.test/**", fulfil)
    page = context.new_page()
    page.goto("https://site.test/")
    assert page.evaluate(ASK) == ["no network", "two", ["no network"]]
    context.close()
