"""The site in Chromium, which can reach no other host. `make test-site` builds it first."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts.bench_site import ALONE, site_served
from scripts.studio_browser import chromium, launched

SITE = Path(__file__).resolve().parents[2] / "build" / "site"


@pytest.fixture(scope="session")
def browser():
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if chromium() is None:
        pytest.skip("no chromium on the path (set CHROMIUM)")
    with launched(ALONE) as browser:
        yield browser


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


@pytest.fixture(scope="session")
def transport() -> str:
    """The address of the module by which the page reaches its worker."""
    (folder,) = SITE.glob("linkoracle-*")
    return f"./{folder.name}/transport.js"
