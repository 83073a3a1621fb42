"""The studio's server and Chromium, for the tests of the page.

Chromium is looked for where ``CHROMIUM`` says, else on the path.
"""

from __future__ import annotations

import pytest
from scripts.studio_browser import chromium, launched, served

from tests.studio.page import Page


@pytest.fixture(scope="session", autouse=True)
def state_of_the_user(tmp_path_factory):
    """Servers keep their tokens in a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def browser():
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if chromium() is None:
        pytest.skip("no chromium on the path (set CHROMIUM)")
    with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
def address():
    with served() as (_, address):
        yield address


@pytest.fixture
def page(browser, address):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = Page(context.new_page(), address)
    yield page
    assert page.errors == []
    context.close()
