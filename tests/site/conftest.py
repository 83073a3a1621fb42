"""The site in Chromium, which can reach no other host. `make test-site` builds it first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from scripts.bench_site import ALONE, ASK, site_served
from scripts.studio_browser import FLAGS, chromium

SITE = Path(__file__).resolve().parents[2] / "build" / "site"


@pytest.fixture(scope="session")
def browser_type():
    module = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if chromium() is None:
        pytest.skip("no chromium on the path (set CHROMIUM)")
    with module.sync_playwright() as running:
        yield running.chromium


@pytest.fixture(scope="session")
def browser(browser_type):
    browser = browser_type.launch(executable_path=chromium(), args=[*FLAGS, ALONE])
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def address():
    if not (SITE / "index.html").exists():
        pytest.skip("no site in build/site (run make site)")
    with site_served(SITE) as address:
        yield address


@pytest.fixture(scope="module")
def context(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


@pytest.fixture
def page(context, address):
    """The studio's page, in a tab of its own; whatever it loads comes from this machine."""
    page = context.new_page()
    errors, loaded = [], []
    page.on("pageerror", lambda error: errors.append(error))
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(address)
    page.evaluate("sessionStorage.clear(); localStorage.clear()")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    yield page
    assert errors == []
    assert [url for url in loaded if not url.startswith((address, "blob:", "data:"))] == []
    page.close()


@pytest.fixture
def bare(context, address):
    """A page of the site without the studio, and so without a worker."""
    with bare_page(context, address) as page:
        yield page


@pytest.fixture(scope="session")
def helpers() -> str:
    """Return the path of the module that connects a page to its workers."""
    (folder,) = SITE.glob("linkoracle-*")
    return f"./{folder.name}/helpers.js"


@pytest.fixture(scope="module")
def put(context, address, helpers):
    """Return a function that sends queries to one worker and returns the stages of each answer."""
    with bare_page(context, address) as page:

        def ask(where: str, query: Any) -> list[dict[str, Any]]:
            (stages,) = page.evaluate(ASK, [helpers, where, [query]])
            for stage in stages:
                del stage["taken"]
            return stages

        yield ask


@contextmanager
def bare_page(context, address: str) -> Iterator[Any]:
    page = context.new_page()
    try:
        page.goto(f"{address}example.html")
        yield page
    finally:
        page.close()
