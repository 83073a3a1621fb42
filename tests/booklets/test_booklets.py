"""Booklets: the texts of their pages, and their places."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import date
from typing import ClassVar

import pypdf
import pytest

import linkoracle
from linkoracle import Numberlink, Slitherlink, boards
from linkoracle.booklets import PAPERS, Sheet, booklet
from linkoracle.booklets.sheets import contents_of
from linkoracle.core import PictureError
from linkoracle.kinds import KINDS, SimpleLoop, Yajilin
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


def entries(text: str) -> list[str]:
    """Return the lines of the contents, without their dots."""
    lines = [line for line in text.splitlines() if line != "."]
    return lines[lines.index("Contents") + 1 :]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("boards", "per_page"), [(9, 4), (3, 1), (7, 3)])
def test_pages(paper, boards, per_page):
    sheets = [Sheet(*SOLVED[number % 3], "easy") for number in range(boards)]
    data = booklet(sheets, per_page=per_page, paper=paper, title="A title", author="Ada")
    cover, contents, *others, back = words(data)
    assert cover.splitlines()[:2] == ["A title", f"{boards} puzzles: Slitherlink and Numberlink"]
    assert "Ada" in cover.splitlines()
    assert {"Contents", "Rules"} <= {*contents.splitlines(), *others[0].splitlines()}
    assert "Solutions" in back.splitlines()
    found = words(data)
    for number, (page, text) in enumerate(zip(read(data).pages, found, strict=True), start=1):
        assert number == 1 or text.splitlines()[0] == str(number)
        size = float(page.mediabox.width), float(page.mediabox.height)
        assert size == pytest.approx(PAPERS[paper], abs=0.01)
    drawn = [text.count("Time") for text in others if "Rules" not in text.splitlines()]
    assert sum(drawn) == boards
    assert max(drawn) <= per_page
    everything = "\n".join(others)
    for number, sheet in enumerate(sheets):
        size = f"{sheet.puzzle.rows} {TIMES} {sheet.puzzle.cols} cells"
        assert f"\n{number + 1}\n{sheet.puzzle.title}\n{size}\n" in everything


def test_a_single_page_has_its_words_above_the_puzzles():
    sheets = [Sheet(*SOLVED[0])] * 5
    (page,) = words(booklet([Sheet(PUZZLE)] * 5, title="Five", author="Ada", foreword="Begin!"))
    lines = page.splitlines()
    assert lines[:5] == ["1", "Five", "Ada", "Begin!", "Slitherlink"]
    assert "Join neighbouring dots" in lines[5]
    assert "Contents" not in page
    assert "Solutions" not in page
    front, back = words(booklet(sheets, title="Five"))
    assert "Solutions" in back
    assert front.count("cells") == 5


def test_contents_tell_the_page_of_each_section_and_level():
    def sheet(number, kind, level):
        return Sheet(*SOLVED[kind], ("easy", "hard")[level])

    def contents(sheets):
        front = words(booklet(sheets, per_page=4, title="Sixteen"))[1]
        return [line for line in entries(front) if line != "\N{EN DASH}"][:6]

    dash = "\N{EN DASH}"
    by_kind = [sheet(number, number // 8, number // 4 % 2) for number in range(16)]
    expected = [f"Slitherlink  1{dash}8", "3", f"Numberlink  9{dash}16", "5", "Solutions", "7"]
    assert contents(by_kind) == expected
    by_level = [sheet(number, number % 2, number // 8) for number in range(16)]
    expected = [f"Puzzles  1{dash}8", "3", f"Puzzles  9{dash}16", "5", "Solutions", "7"]
    assert contents(by_level) == expected


def test_stars_tell_how_hard_a_puzzle_is():
    labels = ("easy", "normal", "tricky", "hard", "extreme", "fiendish", "brutal", "not graded")
    assert [Sheet(PUZZLE, grade=one).stars for one in (*labels, None)] == [
        1,
        2,
        3,
        4,
        5,
        5,
        5,
        0,
        0,
    ]
    lines = contents_of([Sheet(PUZZLE, grade=one) for one in ("easy", "hard")], 9)
    assert lines == [("Slitherlink  1\N{EN DASH}2", 0, (1, 4))]
    # A puzzle without a grade may be harder.
    (line,) = contents_of([Sheet(PUZZLE, grade=one) for one in ("easy", None)], 9)
    assert line.stars == ()


def test_stars_are_drawn_beside_puzzles(monkeypatch):
    drawn = []
    monkeypatch.setattr(Document, "stars", lambda *args: drawn.append(args[4:]))
    booklet([Sheet(PUZZLE, grade="tricky"), Sheet(PUZZLE)])
    assert drawn == [(3, 5)]


def test_readers_show_an_outline():
    reader = read(booklet([Sheet(*SOLVED[n]) for n in (0, 0, 0, 1, 1)], per_page=2, title="Five"))
    outline = [(one.title, reader.get_destination_page_number(one)) for one in reader.outline]
    names = ["Contents", "Rules", "Slitherlink", "Numberlink", "Solutions"]
    assert [title for title, _ in outline] == names
    pages = [page.extract_text() for page in reader.pages]
    assert all(title in pages[number] for title, number in outline)


def test_many_runs_are_told_together():
    sheets = [Sheet(*SOLVED[number % 2]) for number in range(80)]
    front = words(booklet(sheets, rules=False))[1]
    assert "Puzzles  1\N{EN DASH}80" in front
    assert "Slitherlink" not in front


def test_names_and_scores_stand_beside_puzzles():
    named = Sheet(*SOLVED[0], "hard", name="The  heart\n", score=212)
    (page, _) = words(booklet([named], rules=False, blanks="none"))
    assert page.splitlines()[1:4] == [
        "1",
        "The heart",
        f"Slitherlink, 2 {TIMES} 2 cells, hard 212",
    ]
    cut, _ = words(booklet([Sheet(*SOLVED[0], name="many words " * 40)] * 2))
    assert cut.count("\N{HORIZONTAL ELLIPSIS}") == 2
    contents = words(booklet([named, Sheet(PUZZLE)], per_page=1))[1]
    assert "1  The heart" in contents
    assert "2  Slitherlink" in contents


def test_lines_to_fill_in():
    sheets = [Sheet(PUZZLE)] * 3
    found = {
        blanks: words(booklet(sheets, blanks=blanks, rules=False))[0]
        for blanks in ("none", "time", "name")
    }
    assert [found[one].count("Time") for one in found] == [0, 3, 3]
    assert [found[one].count("Name") for one in found] == [0, 0, 3]


def test_puzzles_with_several_solutions_say_so():
    front, back = words(booklet([Sheet(*SOLVED[2], unique=False), Sheet(*SOLVED[0])]))
    assert f"4 {TIMES} 9 cells, several solutions" in front
    assert back.count("one of several") == 1


def rules_page(*boards, **more):
    """Return the text of the pages before the puzzles, as one line."""
    pages = words(booklet([Sheet(one) for one in boards], per_page=1, cover=False, **more))
    return " ".join(" ".join(pages[: len(pages) - len(boards)]).split())


def test_every_kind_and_rule_is_told_once():
    loop = SimpleLoop.from_holes(3, 3, [(1, 1)])
    path = Slitherlink.blank(2, 2, ((0, 0), (2, 2)))
    comb = Slitherlink.on(boards.honeycomb(2, 2))
    puzzles = [PUZZLE, path, PUZZLE, BOARDS[1], BOARDS[1].with_variant("fill"), loop, comb]
    front = rules_page(*puzzles)
    for puzzle in puzzles:
        assert front.count(puzzle.instructions[puzzle.variant]) == 1
    assert "Slitherlink on other tilings" in front
    assert "Rules" not in rules_page(PUZZLE, PUZZLE, rules=False)


def test_rules_in_ones_own_words():
    own = {"slitherlink path": "From end to end.", "numberlink": "Join them.\n\nAll of them."}
    path = Slitherlink.blank(2, 2, ((0, 0), (2, 2)))
    front = rules_page(PUZZLE, path, BOARDS[1], instructions=own)
    assert front.count(PUZZLE.instructions["loop"]) == 1
    assert "From end to end." in front
    assert "Join them. All of them." in front
    assert BOARDS[1].instructions["free"] not in front
    assert path.instructions["path"] not in front


def test_long_words_go_on_on_the_next_page():
    sentences = [f"This is sentence number {number} of them." for number in range(400)]
    text = "\n\n".join(" ".join(sentences[start : start + 100]) for start in range(0, 400, 100))
    rules = {"slitherlink": text}
    for more in ({"foreword": text}, {"instructions": rules}):
        data = booklet([Sheet(PUZZLE)] * 2, per_page=1, cover=False, **more)
        found = [" ".join(page.split("\n")) for page in words(data)]
        assert len(found) > 4
        everything = " ".join(found)
        assert [everything.count(one) for one in (sentences[0], sentences[-1])] == [1, 1]
        lines = [line for page in words(data) for line in page.splitlines()]
        # Page numbers and titles come between pages, and sentences break at the ends of lines.
        assert sum(line.count("sentence") for line in lines) == 400


def test_what_stands_beside_clues_is_told_where_some_puzzle_has_it():
    plain, edge = Slitherlink.blank(2, 2), ((0, 0), (0, 1))
    sentences = {
        "given": "Lines that are drawn already stay.",
        "forbidden": "No line runs where there is a cross.",
        "holes": "Where a dot is missing, no line runs.",
    }
    found = {"given": [edge], "forbidden": [edge], "holes": [(1, 1)]}
    assert not any(one in rules_page(*[plain] * 3) for one in sentences.values())
    for name, sentence in sentences.items():
        rules = rules_page(plain, replace(plain, **{name: found[name]}), plain)
        assert [one for one in sentences.values() if one in rules] == [sentence]
        assert rules.count(plain.instructions["loop"] + " " + sentence) == 1
    loops = SimpleLoop.blank(2, 2)
    front = rules_page(
        replace(loops, given=[edge]), replace(loops, forbidden=[((1, 0), (1, 1))]), plain
    )
    assert f"{sentences['given']} {sentences['forbidden']}" in front
    assert front.count(sentences["given"]) == 1


def test_rules_have_examples():
    front = words(booklet([Sheet(PUZZLE)] * 3, per_page=1, cover=False))[0]
    clues = [str(clue) for _, clue in PUZZLE.examples["loop"].of(Slitherlink)[0].clue_cells()]
    # The puzzle, and its solution.
    assert front.split()[-2 * len(clues) :] == clues * 2


@pytest.mark.parametrize("paper", PAPERS)
def test_rules_have_examples_on_every_page(paper, monkeypatch):
    kinds = [KINDS[name] for name in ("masyu", "yajilin", "castlewall", "detour", "shingoki")]
    shown = [kind.examples["loop"].of(kind)[0] for kind in kinds]
    drawn = []
    monkeypatch.setattr(Document, "place", lambda *args: drawn.append(args[1].title))
    booklet([Sheet(one) for one in shown] * 4, paper=paper, cover=False)
    titles = [f"{one.title}, {one.size}" for one in shown]
    examples = [title + what for title in titles for what in ("", ", solved")]
    assert sorted(drawn[: len(examples)]) == sorted(examples)


def test_the_cover_shows_each_kind(monkeypatch):
    drawn = []
    monkeypatch.setattr(Document, "place", lambda *args: drawn.append(args[1].title))
    comb = Slitherlink.on(boards.honeycomb(2, 2))
    booklet([Sheet(one) for one in (PUZZLE, BOARDS[1], comb, PUZZLE)], per_page=1, rules=False)
    assert drawn[:3] == [
        "Slitherlink, 5 x 5 cells, solved",
        "Numberlink, 5 x 5 cells, solved",
        "Slitherlink, honeycomb 2 2",
    ]
    assert len(drawn) == 3 + 4


def test_cells_that_rules_call_grey_are_grey():
    """A Yajilin without its grey cells has other solutions."""
    data = booklet([Sheet(Yajilin([["x", None, None], [None, None, None]]))], rules=False)
    colours = [
        operands
        for operands, operator in pypdf.generic.ContentStream(
            read(data).pages[0]["/Contents"].get_object(), read(data)
        ).operations
        if operator == b"rg"
    ]
    assert any(0.5 < float(red) < 0.9 for red, *_ in colours)


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
    assert (about.title, about.author, about.creation_date) == ("Slitherlink", None, None)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1772323200")
    dated = booklet([Sheet(PUZZLE)])
    assert read(dated).metadata.creation_date.date() == day
    assert dated != plain


@pytest.mark.parametrize("title", ["word " * 30, "x" * 300], ids=["words", "letters"])
def test_a_long_title_stays_on_the_page(title):
    data = booklet([Sheet(PUZZLE)] * 2, title=title, per_page=1)
    assert len(words(data)) == 4
    lines = words(data)[0].splitlines()
    written = lines[: lines.index("2 puzzles: Slitherlink")]
    assert 1 < len(written) <= 3
    assert title.startswith(written[0])
    # Some of 300 letters are left out, as three dots show.
    assert (written[-1][-1] == "\N{HORIZONTAL ELLIPSIS}") == (title[0] == "x")
    width = PAPERS["a4"][0] - 90
    assert all(width_of(line, 10, heavy=True) <= width for line in written)


def test_wide_boards_have_turned_pages():
    data = booklet([Sheet(Slitherlink.blank(40, 60))], rules=False)
    assert len(read(data).pages) == 3
    box = read(data).pages[2].mediabox
    assert (float(box.width), float(box.height)) == pytest.approx((841.89, 595.28), abs=0.01)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("boards", [[(5, 5)] * 30, [(10, 10)] * 9, [(30, 30)], [(50, 12), (7, 7)]])
def test_margins_are_in_proportion_to_the_paper(paper, boards, monkeypatch):
    drawn = []
    monkeypatch.setattr(Document, "place", lambda *args: drawn.append(args))
    sheets = [Sheet(Slitherlink.blank(*size)) for size in boards]
    booklet(sheets, paper=paper, rules=False, cover=False)
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
        # The page number is below.
        assert top + rows * cell <= height - side * 30 / 45 - 20


def test_what_makes_no_booklet():
    with pytest.raises(ValueError, match="at least one puzzle"):
        booklet([])
    with pytest.raises(ValueError, match="one a page"):
        booklet([Sheet(PUZZLE)], per_page=0)
    with pytest.raises(ValueError, match="papers a4, a5, letter"):
        booklet([Sheet(PUZZLE)], paper="a3")
    with pytest.raises(ValueError, match="blanks out of none, time, name"):
        booklet([Sheet(PUZZLE)], blanks="date")
    for words_of_it in ({"title": "数"}, {"author": "数"}, {"foreword": "数"}):
        with pytest.raises(PictureError, match="lacks '数'"):
            booklet([Sheet(PUZZLE)], **words_of_it)
    with pytest.raises(PictureError, match="lacks '数'"):
        booklet([Sheet(PUZZLE, name="数独")])
