"""Booklets: what their pages say, and where."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import date
from typing import ClassVar

import pypdf
import pytest

import linkoracle
from linkoracle import Numberlink, Slitherlink
from linkoracle.core.errors import PictureError
from linkoracle.kinds import SimpleLoop
from linkoracle.render import PAPERS, Sheet, booklet
from linkoracle.render.board import MARGIN
from linkoracle.render.document import Document, width_of

PUZZLE = Slitherlink([[3, None], [None, 3]])
BOARDS = [PUZZLE, Numberlink([[1, None, 2], [1, None, 2]]), Slitherlink.blank(4, 9)]
SOLUTIONS = [linkoracle.solve(one, engine="sat") for one in BOARDS]
TIMES = "\N{MULTIPLICATION SIGN}"
SOLVED = list(zip(BOARDS, SOLUTIONS, strict=True))


def read(data: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(data))


def words(data: bytes) -> list[str]:
    return [page.extract_text() for page in read(data).pages]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("boards", "per_page", "puzzles"), [(9, 4, 3), (3, 1, 3), (7, 3, 3)])
def test_pages(paper, boards, per_page, puzzles):
    sheets = [Sheet(*SOLVED[number % 3], "easy") for number in range(boards)]
    data = booklet(sheets, per_page=per_page, paper=paper, title="A title")
    found = words(data)
    # Title, contents and rules; puzzles; solutions.
    assert len(found) == 1 + puzzles + 1
    assert found[0].splitlines()[1] == "A title"
    assert "Contents" in found[0]
    assert "Rules" in found[0]
    assert found[-1].splitlines()[2] == "Solutions"
    for number, (page, text) in enumerate(zip(read(data).pages, found, strict=True), start=1):
        assert text.splitlines()[0] == str(number)
        size = float(page.mediabox.width), float(page.mediabox.height)
        assert size == pytest.approx(PAPERS[paper], abs=0.01)
    for number, sheet in enumerate(sheets):
        size = f"{sheet.puzzle.rows} {TIMES} {sheet.puzzle.cols} cells"
        label = "\n".join([str(number + 1), sheet.puzzle.title, "easy", size])
        assert f"\n{label}\n" in found[1 + number // per_page]


def test_a_single_page_has_its_words_above_the_puzzles():
    sheets = [Sheet(*SOLVED[0])] * 5
    (page,) = words(booklet([Sheet(PUZZLE)] * 5, title="Five", author="Ada"))
    lines = page.splitlines()
    assert lines[:4] == ["1", "Five", "Ada", "Slitherlink"]
    assert "Join neighbouring dots" in lines[4]
    assert "Contents" not in page
    assert "Solutions" not in page
    front, back = words(booklet(sheets, title="Five"))
    assert "Solutions" in back
    assert front.count("cells") == 5


def test_contents_tell_the_page_of_each_run():
    sheets = [
        Sheet(*SOLVED[number // 8], ("easy", "hard")[number // 4 % 2]) for number in range(16)
    ]
    found = words(booklet(sheets, per_page=4, title="Sixteen"))
    lines = [line for line in found[0].splitlines() if line != "."]
    entries = lines[lines.index("Contents") + 1 : lines.index("Rules")]
    expected = []
    for number, called in enumerate(
        ("Slitherlink, easy", "Slitherlink, hard", "Numberlink, easy", "Numberlink, hard")
    ):
        expected += [f"{called}  {4 * number + 1}\N{EN DASH}{4 * number + 4}", str(number + 2)]
    assert entries == [*expected, "Solutions", "6"]
    assert all("Contents" not in text for text in found[1:])


def test_readers_show_an_outline():
    reader = read(booklet([Sheet(*SOLVED[0])] * 5, per_page=2, title="Five"))
    outline = [(one.title, reader.get_destination_page_number(one)) for one in reader.outline]
    assert outline == [("Contents", 0), ("Puzzles", 1), ("Solutions", 4)]


def test_many_runs_are_told_together():
    sheets = [Sheet(*SOLVED[number % 2]) for number in range(80)]
    front = words(booklet(sheets))[0]
    assert "Puzzles  1\N{EN DASH}80" in front
    assert front.count("Slitherlink") == 1


def test_names_and_scores_stand_beside_puzzles():
    named = Sheet(*SOLVED[0], "hard", name="The  heart\n", score=212)
    (page, _) = words(booklet([named], rules=False))
    assert page.splitlines()[1:5] == [
        "1",
        "The heart",
        "hard 212",
        f"Slitherlink, 2 {TIMES} 2 cells",
    ]
    cut, _ = words(booklet([Sheet(*SOLVED[0], name="many words " * 40)] * 2))
    assert cut.count("\N{HORIZONTAL ELLIPSIS}") == 2
    contents = words(booklet([named, Sheet(PUZZLE)], per_page=1))[0]
    assert "1  The heart" in contents
    assert "2  Slitherlink" in contents


def test_puzzles_with_several_solutions_say_so():
    front, back = words(booklet([Sheet(*SOLVED[2], unique=False), Sheet(*SOLVED[0])]))
    assert f"4 {TIMES} 9 cells, several solutions" in front
    assert back.count("one of several") == 1


def test_every_kind_and_rule_is_told_once():
    loop = SimpleLoop.from_holes(3, 3, [(1, 1)])
    path = Slitherlink.blank(2, 2, ((0, 0), (2, 2)))
    puzzles = [PUZZLE, path, PUZZLE, BOARDS[1], BOARDS[1].with_rule("fill"), loop]
    front = words(booklet([Sheet(one) for one in puzzles], per_page=1))[0].replace("\n", " ")
    for puzzle in puzzles:
        assert front.count(puzzle.instructions[puzzle.rule]) == 1
    assert "Rules" not in "".join(words(booklet([Sheet(PUZZLE)] * 3, per_page=1, rules=False)))


def test_what_stands_beside_clues_is_told_where_some_puzzle_has_it():
    def told(*boards):
        return words(booklet([Sheet(one) for one in boards], per_page=1))[0].replace("\n", " ")

    plain, edge = Slitherlink.blank(2, 2), ((0, 0), (0, 1))
    sentences = {
        "given": "Lines that are drawn already stay.",
        "forbidden": "No line runs where there is a cross.",
        "holes": "Where a dot is missing, no line runs.",
    }
    found = {"given": [edge], "forbidden": [edge], "holes": [(1, 1)]}
    assert not any(one in told(*[plain] * 3) for one in sentences.values())
    for name, sentence in sentences.items():
        rules = told(plain, replace(plain, **{name: found[name]}), plain)
        assert [one for one in sentences.values() if one in rules] == [sentence]
        assert rules.count(plain.instructions["loop"] + " " + sentence) == 1
    loops = SimpleLoop.blank(2, 2)
    front = told(replace(loops, given=[edge]), replace(loops, forbidden=[((1, 0), (1, 1))]), plain)
    assert f"{sentences['given']} {sentences['forbidden']}" in front
    assert front.count(sentences["given"]) == 1


def test_rules_have_examples_where_there_is_room():
    front = words(booklet([Sheet(PUZZLE)] * 3, per_page=1))[0]
    clues = [str(clue) for _, clue in PUZZLE.examples["loop"].of(Slitherlink)[0].clue_cells()]
    # The puzzle, and its solution.
    assert front.split()[-2 * len(clues) :] == clues * 2
    named = [Sheet(PUZZLE, name=f"Number {number}") for number in range(30)]
    front = words(booklet(named, per_page=5))[0]
    assert "30  Number 29" in front


def test_a_kind_may_tell_nothing():
    class Silent(Slitherlink):
        title = "Silent"
        instructions: ClassVar = {}

    (page,) = words(booklet([Sheet(Silent(PUZZLE.grid))]))
    assert "Silent" in page
    assert "Join" not in page


def test_what_the_file_says_about_itself(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    day = date(2026, 3, 1)
    data = booklet([Sheet(PUZZLE)], title="Größe", author="Ö", made=day)
    about = read(data).metadata
    assert (about.title, about.author, about.creation_date.date()) == ("Größe", "Ö", day)
    assert "1 March 2026" in words(data)[0]
    assert data == booklet([Sheet(PUZZLE)], title="Größe", author="Ö", made=day)
    plain = booklet([Sheet(PUZZLE)])
    about = read(plain).metadata
    assert (about.title, about.author, about.creation_date) == ("Puzzles", None, None)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1772323200")
    dated = booklet([Sheet(PUZZLE)])
    assert read(dated).metadata.creation_date.date() == day
    assert dated != plain


@pytest.mark.parametrize("title", ["word " * 30, "x" * 300], ids=["words", "letters"])
def test_a_long_title_stays_on_the_page(title):
    data = booklet([Sheet(PUZZLE)] * 2, title=title, per_page=1)
    assert len(words(data)) == 3
    lines = words(data)[0].splitlines()[1:]
    written = lines[: lines.index("Contents")]
    assert 1 < len(written) <= 3
    assert title.startswith(written[0])
    # Of 300 letters some are left out, which three dots tell.
    assert (written[-1][-1] == "\N{HORIZONTAL ELLIPSIS}") == (title[0] == "x")
    width = PAPERS["a4"][0] - 90
    assert all(width_of(line, 10, heavy=True) <= width for line in written)


def test_wide_boards_have_turned_pages():
    data = booklet([Sheet(Slitherlink.blank(40, 60))], rules=False)
    box = read(data).pages[0].mediabox
    assert (float(box.width), float(box.height)) == pytest.approx((841.89, 595.28), abs=0.01)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("boards", [[(5, 5)] * 30, [(10, 10)] * 9, [(30, 30)], [(50, 12), (7, 7)]])
def test_margins_are_in_proportion_to_the_paper(paper, boards, monkeypatch):
    drawn = []
    monkeypatch.setattr(Document, "place", lambda *args: drawn.append(args))
    booklet([Sheet(Slitherlink.blank(*size)) for size in boards], paper=paper, rules=False)
    width, height = PAPERS[paper]
    side = 45 * (width * height / (PAPERS["a4"][0] * PAPERS["a4"][1])) ** 0.5
    assert len(drawn) == len(boards)
    for (_, board, _, x, y, cell), (rows, cols) in zip(drawn, boards, strict=True):
        # A picture has a margin of its own.
        left, top = x + MARGIN * cell, y + MARGIN * cell
        assert (board.width, board.height) == pytest.approx((cols + 2 * MARGIN, rows + 2 * MARGIN))
        assert side <= left + 0.01
        assert left + cols * cell <= width - side + 0.01
        assert side + 30 <= top
        # The number of the page is below.
        assert top + rows * cell <= height - side * 30 / 45 - 20


def test_what_makes_no_booklet():
    with pytest.raises(ValueError, match="at least one puzzle"):
        booklet([])
    with pytest.raises(ValueError, match="one a page"):
        booklet([Sheet(PUZZLE)], per_page=0)
    with pytest.raises(ValueError, match="papers a4, a5, letter"):
        booklet([Sheet(PUZZLE)], paper="a3")
    for words_of_it in ({"title": "数"}, {"author": "数"}):
        with pytest.raises(PictureError, match="lacks '数'"):
            booklet([Sheet(PUZZLE)], **words_of_it)
    with pytest.raises(PictureError, match="lacks '数'"):
        booklet([Sheet(PUZZLE, name="数独")])
