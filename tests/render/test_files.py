"""PNG, PDF and booklets: sizes, pages, words, and what is missing."""

from __future__ import annotations

import io
import struct

import pypdf
import pytest

import linkoracle
from linkoracle import Numberlink, Slitherlink
from linkoracle.core.errors import MissingExtra, PictureError
from linkoracle.render import PAPERS, Sheet, booklet, pdf, picture, png

PUZZLE = Slitherlink([[3, None], [None, 3]])
BOARDS = [PUZZLE, Numberlink([[1, None, 2], [1, None, 2]]), Slitherlink.blank(4, 9)]
SOLUTIONS = [linkoracle.solve(one, engine="sat") for one in BOARDS]


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
    with pytest.raises(PictureError, match="pixels are too many"):
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


def test_pdf_has_a_stroke_for_each_corner_of_the_line():
    solution = linkoracle.solve(Slitherlink([[4]]))
    before, after = (
        pages(pdf([picture(Slitherlink([[4]]), one)]))[0].get_contents().get_data().decode()
        for one in (None, solution)
    )
    assert (
        after.count(" l\n") + after.count(" l ") - before.count(" l\n") - before.count(" l ") == 3
    )


def test_letters_that_the_font_lacks_are_named():
    with pytest.raises(PictureError, match="lacks '数'"):
        pdf([picture(PUZZLE, title="数独")])
    with pytest.raises(PictureError, match="lacks '数'"):
        booklet([Sheet(PUZZLE)], title="数")
    with pytest.raises(ValueError, match="at least one picture"):
        pdf([])


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("boards", "per_page", "expected"), [(9, 4, 3 + 1), (3, 1, 3 + 1), (7, 2, 4 + 2), (6, 6, 2)]
)
def test_booklets(paper, boards, per_page, expected):
    solved = list(zip(BOARDS, SOLUTIONS, strict=True))
    sheets = [Sheet(*solved[number % 3], "easy") for number in range(boards)]
    found = pages(booklet(sheets, per_page=per_page, paper=paper, title="A title"))
    assert len(found) == expected
    words = [page.extract_text() for page in found]
    assert "A title" in words[0]
    assert "1. Slitherlink, 2 x 2 cells (easy)" in words[0]
    assert f"{boards}. " in "".join(words[: -(-boards // per_page)])
    assert "Solutions" in words[-(-boards // per_page)]
    for number, (page, text) in enumerate(zip(found, words, strict=True), start=1):
        assert f"{number} / {expected}" in text
        size = float(page.mediabox.width), float(page.mediabox.height)
        assert size == pytest.approx(PAPERS[paper], abs=0.01)


def test_booklets_without_solutions_have_none():
    found = pages(booklet([Sheet(PUZZLE)] * 5))
    assert len(found) == 2
    assert "Solutions" not in found[1].extract_text()
    with pytest.raises(ValueError, match="at least one puzzle"):
        booklet([])
    with pytest.raises(ValueError, match="papers a4, letter"):
        booklet([Sheet(PUZZLE)], paper="a3")


def test_what_is_missing_is_said(monkeypatch):
    monkeypatch.setattr("linkoracle.render.pictures.find_spec", lambda _: None)
    for make in (png, lambda drawn: pdf([drawn])):
        with pytest.raises(MissingExtra, match=r"pip install 'linkoracle\[pictures\]'"):
            make(picture(PUZZLE))
