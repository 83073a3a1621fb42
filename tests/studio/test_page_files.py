"""Files and the catalogue in a real browser: ``make test-studio``."""

from __future__ import annotations

import pytest
from scripts.studio_browser import served

from linkoracle import Slitherlink, is_unique, read, write
from linkoracle.catalogue import Catalogue
from linkoracle.certificates import verify_certificate
from linkoracle.generate import numberlink, slitherlink
from linkoracle.studio.puzzle_tasks import ways
from tests.studio.page import Page

pytestmark = pytest.mark.browser
UNIQUE = Slitherlink([[3, 3], [1, 1]])
#: Drops text in the middle of the page, as a file if it has a name.
DROP = """([text, name]) => {
  const data = new DataTransfer();
  if (name) data.items.add(new File([text], name));
  else data.setData("text/plain", text);
  for (const type of ["dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true}));
  }
}"""


@pytest.mark.parametrize("form", ["svg", "png", "pdf", "certificate"])
def test_files_are_saved(page, tmp_path, form):
    if form == "pdf" and form not in ways():
        pytest.skip("the extra pictures is not installed")
    page.open(write(UNIQUE, "pzpr"))
    page.page.focus(f"#save-{form}")
    with page.page.expect_download() as download:
        page.page.keyboard.press("Enter")
    page.until(lambda: page.text("#message") == "Saved.")
    assert download.value.suggested_filename == f"slitherlink.{form}"
    file = tmp_path / "saved"
    download.value.save_as(file)
    begins = {"svg": b"<", "png": b"\x89PNG", "pdf": b"%PDF", "certificate": b"\xfd7zXZ"}
    assert file.read_bytes().startswith(begins[form])
    if form == "certificate":
        assert verify_certificate.main([str(file)]) == 0


def test_what_cannot_be_saved_is_said(page):
    page.size(9, 9)
    page.page.click("#save-certificate")
    page.until(lambda: "solutions" in page.text("#message"))


def test_loopy_ids_are_for_kinds_that_have_them(page):
    puzzle = slitherlink(5, 5, seed=1).puzzle
    page.open(write(puzzle, "pzpr"))
    page.page.click("#copy-loopy")
    page.until(lambda: page.text("#message") == "Copied.")
    assert page.page.input_value("#text") == write(puzzle, "loopy")
    assert read(page.page.evaluate("navigator.clipboard.readText()") + "\n") == puzzle
    page.page.select_option("#kind", "simpleloop")
    assert not page.page.is_visible("#copy-loopy")


def test_files_and_texts_are_dropped(page):
    page.page.evaluate(DROP, [write(UNIQUE, "text"), "mine.txt"])
    page.until(lambda: page.text("#message") == "Opened.")
    assert page.puzzle == UNIQUE
    page.page.evaluate(DROP, [write(UNIQUE.rotate(), "pzpr"), None])
    page.until(lambda: page.puzzle == UNIQUE.rotate())
    page.page.evaluate(DROP, ["nonsense", "mine.txt"])
    page.until(lambda: "expected" in page.text("#message"))
    page.page.evaluate(DROP, ["x" * 200_001, "large.txt"])
    page.until(lambda: page.text("#message") == "Expected a file of at most 200000 bytes.")
    assert page.puzzle == UNIQUE.rotate()
    # The browser also reports that the server refuses the text.
    assert all("400" in error for error in page.errors)
    page.errors.clear()
    assert "dropping" not in page.page.evaluate("document.body.className")


def test_without_a_catalogue_there_is_nothing_to_save_to(page):
    assert not page.page.is_visible("#catalogue-save")


def test_the_catalogue_by_mouse_and_by_keyboard(browser, tmp_path):
    path = tmp_path / "mine.sqlite"
    with Catalogue(path) as kept:
        for index in range(25):
            made = slitherlink(4, 4, seed=1, index=index)
            kept.add(made.puzzle, made.solution)
    with served("--catalogue", str(path)) as (_, address):
        page = Page(browser.new_context().new_page(), address)
        link = numberlink(5, 5, seed=1).puzzle
        page.open(write(link, "pzpr"))
        page.page.fill("#about-name", "a link")
        page.page.click("#catalogue-save")
        page.until(lambda: page.text("#message") == "Saved; the catalogue has 26 puzzles.")
        page.page.click("#catalogue-save")
        page.until(lambda: "already" in page.text("#message"))
        page.page.select_option("#kind", "slitherlink")
        page.page.click("#catalogue-save")
        page.until(lambda: page.text("#message").startswith("Not saved: "))
        page.page.focus("#catalogue-browse")
        page.page.keyboard.press("Enter")
        page.until(lambda: page.text("#catalogue-message") == "24 shown, and there are more.")
        page.page.click("#catalogue-more")
        page.until(lambda: page.text("#catalogue-message") == "26 shown.")
        page.page.select_option("#catalogue-kind", "numberlink")
        page.until(lambda: page.text("#catalogue-message") == "1 shown.")
        assert page.text("#catalogue-shelf").startswith("a link, Numberlink 5x5, ")
        page.page.fill("#catalogue-rows", "6")
        page.page.keyboard.press("Tab")
        page.until(lambda: page.text("#catalogue-message") == "No puzzle fits.")
        page.page.fill("#catalogue-rows", "")
        page.page.keyboard.press("Tab")
        page.until(lambda: page.text("#catalogue-message") == "1 shown.")
        page.page.focus("#catalogue-shelf button")
        page.page.keyboard.press("Enter")
        page.until(lambda: page.text("#message") == "Opened.")
        assert page.puzzle == link
        assert not page.page.is_visible("#catalogue")
        page.page.click("#catalogue-browse")
        page.page.select_option("#catalogue-kind", "slitherlink")
        page.until(lambda: page.text("#catalogue-message").startswith("24 shown"))
        page.page.keyboard.press("Escape")
        assert not page.page.is_visible("#catalogue")
        page.page.click("#catalogue-browse")
        page.until(lambda: page.text("#catalogue-message").startswith("24 shown"))
        page.page.click("#catalogue-shelf li:nth-child(3) button")
        page.until(lambda: page.text("#message") == "Opened.")
        assert is_unique(page.puzzle)
        assert page.errors == []
        page.page.context.close()
