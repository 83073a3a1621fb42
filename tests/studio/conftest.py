"""The studio's server and Chromium, for the tests of the page.

Chromium is looked for where ``CHROMIUM`` says, else on the path.
"""

from __future__ import annotations

import os

import pytest
from scripts.studio_browser import chromium, launched, served

from tests.studio.page import Page

#: How wide the page is, and whether it is dark; other looks take longer: `make test-studio-looks`.
LOOKS = os.environ.get("STUDIO_LOOKS", "1280-light").split()


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


@pytest.fixture(params=LOOKS)
def page(browser, address, request):
    width, scheme = request.param.split("-")
    viewport = {"width": int(width), "height": 900}
    context = browser.new_context(viewport=viewport, color_scheme=scheme)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = Page(context.new_page(), address)
    yield page
    assert page.errors == []
    context.close()
