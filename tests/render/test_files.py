"""PNG and PDF: sizes, pages, words, and what is missing."""

from __future__ import annotations

import importlib.util
import io
import struct
import unicodedata
from datetime import UTC, datetime

import pypdf
import pytest

import linkoracle
from linkoracle import Numberlink, Slitherlink
from linkoracle.core import MissingExtra, PictureError
from linkoracle.render import pdf, picture, pictures, png

PUZZLE = Slitherlink([[3, None], [None, 3]])
BOARDS = [PUZZLE, Numberlink([[1, None, 2], [1, None, 2]]), Slitherlink.blank(4, 9)]


def pages(data: bytes) -> list[pypdf.PageObject]:
    return list(pypdf.PdfReader(io.BytesIO(data)).pages)


def test_png_has_the_size_that_was_asked_for():
    drawn = picture(PUZZLE, linkoracle.solve(PUZZLE))
    data = png(drawn, cell=50)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (round(drawn.width * 50), round(drawn.height * 50))
    finer = struct.unpack(">II", png(drawn)[16:24])
    assert finer == (round(drawn.width * 80), round(drawn.height * 80))
    assert png(drawn) != png(picture(PUZZLE))
    assert png(drawn) == png(drawn)


def test_png_letters_do_not_vanish():
    plain, titled = (len(png(picture(Slitherlink([[clue]])))) for clue in (None, 3))
    assert titled > plain + 100


def test_a_png_of_too_many_pixels_is_refused():
    with pytest.raises(PictureError, match="at most 100,000,000 pixels, found 595,360,000"):
        png(picture(Slitherlink.blank(60, 60)), cell=400)


def test_pdf_has_a_page_for_each_picture():
    drawn = [picture(one, title=f"Board {number}") for number, one in enumerate(BOARDS)]
    data = pdf(drawn, title="All of them", cell=20)
    found = pages(data)
    assert len(found) == 3
    for number, (page, one) in enumerate(zip(found, drawn, strict=True)):
        assert f"Board {number}" in page.extract_text()
        assert float(page.mediabox.width) == pytest.approx(one.width * 20, abs=0.01)
        assert float(page.mediabox.height) == pytest.approx(one.height * 20, abs=0.01)
    assert sorted(pages(pdf([picture(PUZZLE)]))[0].extract_text().split()) == ["3", "3"]
    assert pypdf.PdfReader(io.BytesIO(data)).metadata.title == "All of them"
    assert data == pdf(drawn, title="All of them", cell=20)


def test_fonts_are_in_the_file():
    page = pages(pdf([picture(PUZZLE, title="A title")]))[0]
    used = [one.get_object() for one in page["/Resources"]["/Font"].values()]
    assert used
    for one in used:
        assert one["/Subtype"] == "/TrueType"
        assert len(one["/FontDescriptor"]["/FontFile2"].get_object().get_data()) > 1000
    names = [str(one["/BaseFont"]) for one in used]
    assert any("+" in name and "Bold" in name for name in names)


@pytest.mark.parametrize("title", ["Über Größe", "Λαβύρινθος", "Лабиринт", "Łódź", "Cafe\u0301"])
def test_letters_of_many_languages(title):
    pytest.importorskip("ttf_opensans")
    words = pages(pdf([picture(PUZZLE, title=title)]))[0].extract_text()
    assert unicodedata.normalize("NFC", title) in words


def test_without_the_package_of_the_font_there_is_another(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "linkoracle.render.pictures.find_spec",
        lambda name: None if name == "ttf_opensans" else found(name),
    )
    pictures.fonts.cache_clear()
    pictures.embedded.cache_clear()
    try:
        assert pictures.fonts().family == "Bitstream Vera Sans"
        assert "Über" in pages(pdf([picture(PUZZLE, title="Über")]))[0].extract_text()
        assert png(picture(PUZZLE)) != png(picture(PUZZLE.reflect()))
    finally:
        pictures.fonts.cache_clear()
        pictures.embedded.cache_clear()


def test_the_date_is_that_of_the_environment(monkeypatch):
    drawn = [picture(PUZZLE)]
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert pypdf.PdfReader(io.BytesIO(pdf(drawn))).metadata.creation_date is None
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    made = pypdf.PdfReader(io.BytesIO(pdf(drawn))).metadata.creation_date
    assert made == datetime(1970, 1, 2, tzinfo=UTC)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "today")
    with pytest.raises(PictureError, match="SOURCE_DATE_EPOCH: expected seconds since 1970"):
        pdf(drawn)


def test_pdf_has_a_stroke_for_each_corner_of_the_line():
    solution = linkoracle.solve(Slitherlink([[4]]))
    before, after = (
        pages(pdf([picture(Slitherlink([[4]]), one)]))[0].get_contents().get_data().decode()
        for one in (None, solution)
    )
    # Four dots, each a line of length 0, give way to one line around the clue.
    assert [text.split().count("l") for text in (before, after)] == [4, 3]
    assert [text.split().count("m") for text in (before, after)] == [4, 1]
    assert [text.split().count("h") for text in (before, after)] == [0, 1]


def test_letters_that_the_font_lacks_are_named():
    with pytest.raises(PictureError, match="lacks '数'"):
        pdf([picture(PUZZLE, title="数独")])
    with pytest.raises(ValueError, match="at least one picture"):
        pdf([])


def test_what_is_missing_is_said(monkeypatch):
    monkeypatch.setattr("linkoracle.render.pictures.find_spec", lambda _: None)
    for make in (png, lambda drawn: pdf([drawn])):
        with pytest.raises(MissingExtra, match=r"pip install 'linkoracle\[pictures\]'"):
            make(picture(PUZZLE))


def test_pngs_take_fonts_of_the_computer_for_foreign_letters_only(monkeypatch):
    import resvg_py

    pytest.importorskip("ttf_opensans")
    skipped = []
    drawing = resvg_py.svg_to_bytes

    def watched(**options):
        skipped.append(options["skip_system_fonts"])
        return drawing(**options)

    monkeypatch.setattr(resvg_py, "svg_to_bytes", watched)
    for title in ("A title", "Λαβύρινθος", "数独"):
        png(picture(PUZZLE, title=title))
    assert skipped == [True, True, False]
