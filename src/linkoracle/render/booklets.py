"""Booklets: a page of contents and rules, numbered puzzles, small solutions at the back.

All in black on white. `linkoracle.render.layout` says where each board stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from math import sqrt
from typing import Literal, NamedTuple

from linkoracle.board.solution import Solution
from linkoracle.formats.reading import clean_name
from linkoracle.kinds import Puzzle
from linkoracle.render.board import MARGIN, picture
from linkoracle.render.document import Document, stamp, width_of
from linkoracle.render.fonts import printable
from linkoracle.render.layout import PUZZLES, SOLUTIONS, Page, Place, Room, Size, Spread
from linkoracle.render.pictures import Picture
from linkoracle.render.places import places_of
from linkoracle.render.shapes import theme_named
from linkoracle.render.words import LEADING, Words, cut

#: Papers that booklets are printed on.
Paper = Literal["a4", "a5", "letter"]
#: Sizes of paper in points.
PAPERS: dict[Paper, tuple[float, float]] = {
    "a4": (595.28, 841.89),
    "a5": (419.53, 595.28),
    "letter": (612.0, 792.0),
}

#: In points, on A4: at the sides of a page, above, and from its foot to its number. On other paper
#: they are in proportion.
_SIDE, _TOP, _FOOT = 45.0, 45.0, 30.0
#: From the foot of the number of a page to what stands above it.
_ABOVE_FOOT = 26.0
#: Heights of letters: titles on a page of their own, above puzzles, and headings, in proportion,
#: too; text, rules above puzzles, small text; the numbers of puzzles and of solutions, the names of
#: puzzles.
_TITLE, _HEADLINE, _HEADING, _TEXT, _RULES, _SMALL = 34.0, 24.0, 17.0, 10.5, 9.5, 8.5
_NUMBER, _SOLVED_NUMBER, _NAME = 16.0, 9.5, 10.5
#: Lines of contents that are easy to look through, and that are kept free of examples of the rules.
_CONTENTS, _FEWEST = 30, 5
#: The cells of examples, and the width that they and the space before them have.
_EXAMPLE_CELL, _EXAMPLES = 12.0, 180.0
#: What puzzles in a row are called together, the most detailed first.
_CALLED = (("kind", "grade"), ("grade",), ("kind",))
#: Words above puzzles may take this much of the cells that there would be on a page without.
_TAKEN = 0.9


@dataclass(frozen=True)
class Sheet:
    """A puzzle of a booklet, its solution if that is shown, and what is printed beside it.

    ``grade`` and ``score`` say how hard it is. A puzzle that is not ``unique`` is said to have
    several solutions.
    """

    puzzle: Puzzle
    solution: Solution | None = None
    grade: str | None = None
    unique: bool = True
    name: str | None = None
    score: int | None = None


def booklet(
    sheets: Sequence[Sheet],
    *,
    per_page: int | None = None,
    paper: Paper = "a4",
    title: str | None = None,
    author: str | None = None,
    made: date | None = None,
    rules: bool = True,
) -> bytes:
    """A PDF booklet in black on white: numbered puzzles, then the solutions that are given.

    Puzzles keep their order. As many share a page as have cells of a good size there, or up to
    ``per_page`` with cells of at least 5 mm. A booklet of several pages begins with its ``title``,
    the ``author``, the day on which it was ``made``, the contents and, with ``rules``, the rules of
    each kind; on a single page they stand above the puzzles. Without ``made`` the file has the
    date in ``SOURCE_DATE_EPOCH``, if that is set, else none: the same booklet has the same bytes.

    Raises `MissingExtra` without the extra ``pictures``; `PictureError` for words in letters
    that the font lacks, ``ValueError`` for no puzzle, less than one a page, or unknown paper.
    """
    if not sheets or (per_page is not None and per_page < 1):
        raise ValueError("expected at least one puzzle, and one a page")
    if paper not in PAPERS:
        raise ValueError(f"expected one of the papers {', '.join(PAPERS)}, got {paper!r}")
    title, author = clean_name(title or "") or "", clean_name(author or "") or ""
    document = Document(title or "Puzzles", author, made)
    spread = PUZZLES.at_most(per_page) if per_page else PUZZLES
    about = ", ".join(filter(None, (author, f"{made.day} {made:%B %Y}" if made else "")))
    told = _rules(sheets) if rules else []
    _Booklet(document, paper, title, list(sheets)).write(spread, about, told)
    return document.finished()


def check_words(words: Iterable[str | None], made: date | None = None) -> None:
    """Raise what `booklet` would for a title, an author and names in letters that the font lacks.

    And for a date that cannot be read. So much is known before puzzles are worked on.
    """
    for text in words:
        printable(clean_name(text or "") or "", heavy=True)
    stamp(made)


class _Paper(NamedTuple):
    """A sheet of paper, and the ``scale`` of its margins and headings."""

    width: float
    height: float

    @property
    def scale(self) -> float:
        width, height = PAPERS["a4"]
        return sqrt(self.width * self.height / (width * height))

    @property
    def side(self) -> float:
        return _SIDE * self.scale

    @property
    def top(self) -> float:
        return _TOP * self.scale

    @property
    def foot(self) -> float:
        """Where numbers of pages stand."""
        return self.height - _FOOT * self.scale

    @property
    def room(self) -> Room:
        """What is between the margins."""
        return Room(self.width - 2 * self.side, self.foot - _ABOVE_FOOT - self.top)

    @property
    def turned(self) -> _Paper:
        return _Paper(self.height, self.width)


class _Rule(NamedTuple):
    """The rules of a kind, and a board that has them."""

    name: str
    text: str
    board: Puzzle


def _rules(sheets: Sequence[Sheet]) -> list[_Rule]:
    """The rules of each kind of puzzle, in order of appearance."""
    alike: dict[tuple[str, str], list[Puzzle]] = {}
    for sheet in sheets:
        puzzle = sheet.puzzle
        if text := puzzle.instructions.get(puzzle.rule):
            name = ", ".join(filter(None, (puzzle.title, puzzle.rules[puzzle.rule])))
            alike.setdefault((name, text), []).append(puzzle)
    found = []
    for (name, text), (first, *others) in alike.items():
        # What stands beside the clues is told where some of the puzzles have it.
        more = (
            listed.told
            for beside, listed in first.points.items()
            if any(getattr(one, beside) for one in (first, *others))
        )
        found.append(_Rule(name, " ".join(filter(None, (text, *more))), first))
    return found


class _Booklet:
    """A booklet while it is written."""

    def __init__(self, document: Document, paper: Paper, title: str, sheets: list[Sheet]) -> None:
        self._document, self._title, self._sheets = document, title, sheets
        self._paper = _Paper(*PAPERS[paper])
        self._room, self._scale = self._paper.room, self._paper.scale

    def write(self, spread: Spread, about: str, rules: list[_Rule]) -> None:
        self._puzzles(spread, about, rules)
        solved = [number for number, one in enumerate(self._sheets) if one.solution is not None]
        if solved:
            self._solutions(solved)

    def _puzzles(self, spread: Spread, about: str, rules: list[_Rule]) -> None:
        """The puzzles, below the words that belong to them, or after a page of these."""
        above = Words(self._room.width)
        self._headline(above, _HEADLINE * self._scale, about)
        for rule in rules:
            above.told(rule.name, rule.text, _RULES)
        if above.height:
            above.space(_NUMBER)
        sizes = self._sizes(range(len(self._sheets)))
        together = spread.pages(sizes, self._below(above), self._room)
        apart = spread.pages(sizes, self._room, self._room, self._paper.turned.room)
        if len(together) == 1 and _least(together) >= _TAKEN * _least(apart):
            self._pages(together, spread, above, solved=False)
            return
        if above.height:
            self._front(apart, about, rules)
        self._pages(apart, spread, Words(0.0), solved=False)

    def _solutions(self, solved: list[int]) -> None:
        heading = Words(self._room.width)
        heading.line("Solutions", _HEADING * self._scale, heavy=True)
        heading.rule()
        pages = SOLUTIONS.pages(self._sizes(solved), self._below(heading), self._room)
        of_booklet = [
            Page([one._replace(board=solved[one.board]) for one in page.places]) for page in pages
        ]
        self._pages(of_booklet, SOLUTIONS, heading, solved=True)

    def _sizes(self, numbers: Iterable[int]) -> list[Size]:
        boards = (self._sheets[number].puzzle for number in numbers)
        places = map(places_of, boards)
        return [(place.height, place.width) for place in places]

    def _below(self, words: Words) -> Room:
        return self._room._replace(height=self._room.height - words.height)

    def _headline(self, words: Words, size: float, about: str) -> None:
        if self._title:
            words.title(self._title, size)
        if about:
            words.line(about, _TEXT)
        if words.height:
            words.rule()

    def _front(self, pages: list[Page], about: str, rules: list[_Rule]) -> None:
        """The page of title, contents and rules, with examples if there is room."""
        head = Words(self._room.width)
        self._headline(head, _TITLE * self._scale, about)
        head.heading("Contents", _HEADING * self._scale)
        for pictured in (True, False):
            told = Words(self._room.width)
            levels = self._tell(told, rules, pictured=pictured)
            left = self._below(head).height - told.height
            lines = int(left / (_TEXT * LEADING)) - 1
            if lines >= _FEWEST:
                break
        page_of = {
            place.board: number
            for number, page in enumerate(pages, start=2)
            for place in page.places
        }
        for label, first in self._contents(min(lines, _CONTENTS)):
            head.entry(label, str(page_of[first]), _TEXT)
        if any(sheet.solution is not None for sheet in self._sheets):
            head.entry("Solutions", str(len(pages) + 2), _TEXT)
        self._page("Contents")
        side, top = self._paper.side, self._paper.top
        head.write(self._document, side, top)
        top += head.height
        told.write(self._document, side, top)
        for rule, level in levels:
            self._example(rule.board, top + level)

    def _tell(
        self, words: Words, rules: list[_Rule], *, pictured: bool
    ) -> list[tuple[_Rule, float]]:
        """Write the rules; those that shall have examples, and at which height."""
        levels = []
        if rules:
            words.heading("Rules", _HEADING * self._scale)
        for rule in rules:
            example = rule.board.examples.get(rule.board.rule) if pictured else None
            level = words.height
            words.told(rule.name, rule.text, _TEXT, beside=_EXAMPLES if example else 0.0)
            if example:
                levels.append((rule, level))
                rows = len(example.rows.split())
                words.height = max(words.height, level + (rows + 1.5) * _EXAMPLE_CELL)
        return levels

    def _example(self, board: Puzzle, y: float) -> None:
        """A puzzle and its solution, at the right of a page."""
        shown, solution = board.examples[board.rule].of(type(board), board.rule)
        wide = shown.cols * _EXAMPLE_CELL
        right = self._paper.side + self._room.width
        for x, drawn in (
            (right - 2 * wide - 2 * _EXAMPLE_CELL, picture(shown)),
            (right - wide, picture(shown, solution)),
        ):
            self._draw(drawn, x, y, _EXAMPLE_CELL)

    def _contents(self, lines: int) -> list[tuple[str, int]]:
        """Lines of contents, each with its first puzzle; as detailed as there is room for."""
        sheets = self._sheets
        if any(sheet.name for sheet in sheets) and len(sheets) <= lines:
            called = (", ".join(filter(None, (_heading(one), one.grade))) for one in sheets)
            return [(f"{number + 1}  {name}", number) for number, name in enumerate(called)]
        found = (self._runs(*keys) for keys in _CALLED)
        return next((runs for runs in found if len(runs) <= lines), self._runs())

    def _runs(self, *keys: str) -> list[tuple[str, int]]:
        """Neighbours that have in common what ``keys`` name, and the first of them."""
        found = []
        for called, run in groupby(range(len(self._sheets)), lambda n: self._called(n, keys)):
            first, *_, last = [*run] * 2
            found.append((f"{called}  {_span(first + 1, last + 1)}", first))
        return found

    def _called(self, number: int, keys: tuple[str, ...]) -> str:
        sheet = self._sheets[number]
        said = {"kind": sheet.puzzle.title, "grade": sheet.grade or ""}
        return ", ".join(filter(None, map(said.__getitem__, keys))) or "Puzzles"

    def _page(self, mark: str = "", *, turned: bool = False) -> None:
        """Begin a page, with the title of the booklet and its number at the foot."""
        document = self._document
        paper = self._paper.turned if turned else self._paper
        document.page(paper.width, paper.height)
        if mark:
            document.mark(mark)
        number = str(document.pages)
        document.text(paper.width / 2, paper.foot, number, _TEXT, heavy=True, anchor="middle")
        if document.pages > 1:
            told = cut(self._title, _SMALL, 0.4 * paper.width)
            document.text(paper.side, paper.foot, told, _SMALL)

    def _pages(self, pages: list[Page], spread: Spread, above: Words, *, solved: bool) -> None:
        """Pages of boards, the first with words above these."""
        mark, label = ("Solutions", self._number) if solved else ("Puzzles", self._label)
        for number, page in enumerate(pages):
            self._page("" if number else mark, turned=page.turned)
            side, top = self._paper.side, self._paper.top
            if number == 0:
                above.write(self._document, side, top)
                top += above.height
            for place in page.places:
                sheet = self._sheets[place.board]
                x, y = side + place.x, top + place.y
                label(place, sheet, x, y)
                self._board(place, sheet, x, y + spread.words, solved=solved)

    def _board(self, place: Place, sheet: Sheet, x: float, y: float, *, solved: bool) -> None:
        drawn = picture(sheet.puzzle, sheet.solution if solved else None)
        middle = (place.width - places_of(sheet.puzzle).width * place.cell) / 2
        self._draw(drawn, x + middle, y, place.cell)

    def _draw(self, drawn: Picture, x: float, y: float, cell: float) -> None:
        """Draw a board, which has a margin around it, with its first cell at (x, y)."""
        margin = MARGIN * cell
        self._document.place(drawn, theme_named("print"), x - margin, y - margin, cell)

    def _label(self, place: Place, sheet: Sheet, x: float, y: float) -> None:
        """Two lines: the number, what the puzzle is called, its grade; and its size."""
        document = self._document
        number = str(place.board + 1)
        document.text(x, y + 14, number, _NUMBER, heavy=True)
        x_name = x + width_of(number, _NUMBER, heavy=True) + 6
        score = "" if sheet.score is None else str(sheet.score)
        hardness = " ".join(filter(None, (sheet.grade, score)))
        right = x + place.width
        room = right - x_name - (width_of(hardness, _SMALL) + 6 if hardness else 0)
        name = cut(_heading(sheet), _NAME, room, heavy=True)
        document.text(x_name, y + 14, name, _NAME, heavy=True)
        document.text(right, y + 14, hardness, _SMALL, anchor="end")
        document.text(x, y + 26, cut(_described(sheet), _SMALL, place.width), _SMALL)

    def _number(self, place: Place, sheet: Sheet, x: float, y: float) -> None:
        """One line: the number."""
        number = str(place.board + 1)
        self._document.text(x, y + 9, number, _SOLVED_NUMBER, heavy=True)
        if not sheet.unique:
            after = width_of(number, _SOLVED_NUMBER, heavy=True) + 4
            note = cut("one of several", 7.0, place.width - after)
            self._document.text(x + after, y + 9, note, 7.0)


def _least(pages: list[Page]) -> float:
    """The smallest cells on these pages."""
    return min(place.cell for page in pages for place in page.places)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}\N{EN DASH}{last}"


def _heading(sheet: Sheet) -> str:
    return clean_name(sheet.name or "") or sheet.puzzle.title


def _described(sheet: Sheet) -> str:
    """What is told of a puzzle below its heading."""
    puzzle = sheet.puzzle
    kind = puzzle.title if _heading(sheet) != puzzle.title else ""
    size = puzzle.size.replace(" x ", " \N{MULTIPLICATION SIGN} ")
    several = "" if sheet.unique else "several solutions"
    return ", ".join(filter(None, (kind, size, puzzle.rules[puzzle.rule], several)))
