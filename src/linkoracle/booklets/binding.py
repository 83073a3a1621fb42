"""Bind sheets: a cover, contents and rules, numbered puzzles, and their solutions at the back.

Everything is black on white; only solutions have a grey board under their lines.
`linkoracle.booklets.layout` places the boards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from linkoracle.booklets.layout import PUZZLES, SOLUTIONS, Page, Place, Room, Size, Spread
from linkoracle.booklets.sheets import (
    MOST_STARS,
    Imprint,
    Rule,
    Sheet,
    contents_of,
    counted_kinds,
    rules_of,
    title_of,
)
from linkoracle.booklets.typesetting import PAPERS, Height, Paper, Sides, Words, cut
from linkoracle.formats import clean_name
from linkoracle.kinds import Puzzle
from linkoracle.render import (
    ANSWER,
    MARGIN,
    STAR,
    Document,
    Picture,
    picture,
    places_of,
    printable,
    stamp,
    theme_named,
    width_of,
)

#: The lines to fill in beside a puzzle.
Blanks = Literal["none", "time", "name"]
BLANKS: tuple[Blanks, ...] = ("none", "time", "name")

#: The least size of cells on a page with words above puzzles, as a fraction of that without words.
_TAKEN = 0.9
#: The distances from the top of a puzzle's words to its two lines; the height of a line for a
#: name; the least width of a line for the time.
_FIRST, _SECOND, _THIRD, _TIME = 14.0, 27.0, 17.0, 34.0
#: The most lines of contents.
_CONTENTS = 32
#: The size of cells of examples, the space between examples, and the most of a page's width.
_EXAMPLE_CELL, _BETWEEN, _EXAMPLES = 13.0, 10.0, 0.55
#: The most pictures on a cover, and the space between them in their widths.
_PICTURES, _APART = 9, 0.08
#: Thick lines of a cover, in points on A4, and the space between pictures and words.
_BAR, _SPACE = 6.0, 24.0


def booklet(
    sheets: Sequence[Sheet],
    *,
    per_page: int | None = None,
    paper: Paper = "a4",
    title: str | None = None,
    author: str | None = None,
    made: date | None = None,
    foreword: str | None = None,
    cover: bool = True,
    rules: bool = True,
    instructions: Mapping[str, str] | None = None,
    blanks: Blanks = "time",
) -> bytes:
    """Return a PDF booklet in black on white: numbered puzzles, then the given solutions.

    Puzzles keep their order. A page has as many puzzles as fit with cells of a good size, or up to
    ``per_page`` with cells of at least 5 mm. A booklet of several pages begins with a ``cover``
    with the ``title``, the ``author`` and the date ``made``. The ``foreword``, the contents and,
    with ``rules``, the rules of each kind follow; blank lines separate the paragraphs of the
    foreword. If everything fits on a single page, it stands there above the puzzles.
    ``instructions`` replace the rules of some kinds, by the name of the kind, or of kind and
    variant with a blank between. ``blanks`` are lines to fill in: for the time, or for the name and
    the time. Without ``made`` the file has the date in ``SOURCE_DATE_EPOCH``, if set, else none, so
    that the same booklet has the same bytes.

    Raises `MissingExtra` without the extra ``pictures``, and `PictureError` for letters that the
    font lacks. Raises ``ValueError`` without puzzles, for less than one puzzle per page, and for
    unknown paper or blanks.
    """
    if not sheets or (per_page is not None and per_page < 1):
        raise ValueError("expected at least one puzzle, and one a page")
    if paper not in PAPERS:
        raise ValueError(f"expected one of the papers {', '.join(PAPERS)}, got {paper!r}")
    if blanks not in BLANKS:
        raise ValueError(f"expected blanks out of {', '.join(BLANKS)}, got {blanks!r}")
    imprint = Imprint.of(title, author, made, foreword)
    named = replace(imprint, title=imprint.title or title_of(sheets))
    document = Document(named.title, clean_name(author or "") or "", made)
    spread = PUZZLES.at_most(per_page) if per_page else PUZZLES
    if blanks == "name":
        spread = replace(spread, words=spread.words + _THIRD)
    printed = rules_of(sheets, instructions or {}) if rules else []
    book = _Booklet(document, Sides(*PAPERS[paper]), list(sheets), named.title, blanks)
    above = book.above(imprint, [(rule.name, rule.text) for rule in printed])
    if not book.single(spread, above):
        book.several(spread, Front(book.sides, named if cover else imprint, sheets, printed, cover))
    book.solutions()
    return document.finished()


def check_words(words: Iterable[str | None], made: date | None = None) -> None:
    """Raise the errors of `booklet` for letters that the font lacks and for an invalid date.

    Call this before the work on the puzzles begins.
    """
    for word in " ".join(filter(None, words)).split():
        printable(word, heavy=True)
    stamp(made)


class _Booklet:
    """A booklet while it is written."""

    def __init__(
        self, document: Document, sides: Sides, sheets: list[Sheet], title: str, blanks: Blanks
    ) -> None:
        self.sides, self._sheets, self._title, self._blanks = sides, sheets, title, blanks
        self._document, self._room = document, sides.room

    def above(self, imprint: Imprint, rules: Iterable[tuple[str, str]]) -> Words:
        """Return the words above the puzzles of a single page."""
        above = Words(self._room.width)
        headline(above, imprint, Height.HEADLINE * self.sides.scale)
        for paragraph in imprint.foreword:
            above.paragraph(paragraph, Height.RULES)
        for name, text in rules:
            above.definition(name, text, Height.RULES)
        if above.height:
            above.space(Height.NUMBER)
        return above

    def single(self, spread: Spread, above: Words) -> bool:
        """Write all puzzles on one page, if they fit and do not become much smaller."""
        everything = range(len(self._sheets))
        room = self._room._replace(height=self._room.height - above.height)
        # A page full of words has no room for puzzles.
        together = self._laid(spread, everything, room) if room.height > 2 * spread.words else []
        apart = self._laid(spread, everything, self._room, self.sides.turned.room)
        if len(together) != 1 or _least(together) < _TAKEN * _least(apart):
            return False
        self._pages(together, spread, above, solved=False)
        return True

    def several(self, spread: Spread, front: Front) -> None:
        """Write the pages before the puzzles, and the puzzles."""
        pages = self._laid(spread, range(len(self._sheets)), self._room, self.sides.turned.room)
        if front.cover:
            front.write_cover(self._document)
        # Page numbers in the contents take no room, so the pages can be counted without them.
        before = int(front.cover) + len(front.pages(pages))
        for words, top, foot in front.pages(pages, before):
            self._page()
            words.write(self._document, self.sides.side, self.sides.top, top, foot)
        self._pages(pages, spread, Words(0.0), solved=False)

    def solutions(self) -> None:
        """Write the solutions of puzzles that have one."""
        solved = [number for number, one in enumerate(self._sheets) if one.solution is not None]
        if not solved:
            return
        heading = Words(self._room.width)
        heading.heading("Solutions", Height.HEADING * self.sides.scale)
        heading.rule()
        room = self._room._replace(height=self._room.height - heading.height)
        self._pages(self._laid(SOLUTIONS, solved, room), SOLUTIONS, heading, solved=True)

    def _laid(
        self, spread: Spread, numbers: Sequence[int], room: Room, turned: Room | None = None
    ) -> list[Page]:
        chosen = [self._sheets[number] for number in numbers]
        pages = spread.pages(
            [_size(one) for one in chosen], room, turned, [one.section for one in chosen]
        )

        def shown(place: Place) -> Place:
            unit = places_of(chosen[place.board].puzzle).unit
            return place._replace(board=numbers[place.board], cell=place.cell / unit)

        return [page._replace(places=[*map(shown, page.places)]) for page in pages]

    def _page(self, *, turned: bool = False) -> None:
        """Begin a page, with the title of the booklet and the page number at the foot."""
        document = self._document
        sides = self.sides.turned if turned else self.sides
        document.page(sides.width, sides.height)
        number = str(document.pages)
        document.text(sides.width / 2, sides.foot, number, Height.TEXT, heavy=True, anchor="middle")
        if document.pages > 1:
            title = cut(self._title, Height.SMALL, 0.4 * sides.width)
            document.text(sides.side, sides.foot, title, Height.SMALL)

    def _pages(self, pages: list[Page], spread: Spread, above: Words, *, solved: bool) -> None:
        """Write pages of boards, each page with the words ``above``."""
        label = self._number if solved else self._label
        section = ""
        for page in pages:
            self._page(turned=page.turned)
            side, top = self.sides.side, self.sides.top
            above.write(self._document, side, top)
            for place in page.places:
                sheet = self._sheets[place.board]
                if not solved and sheet.section != section:
                    section = sheet.section
                    self._document.mark(section)
                x, y = side + place.x, top + above.height + place.y
                label(place, sheet, x, y)
                drawn = picture(sheet.puzzle, sheet.solution if solved else None)
                margin = MARGIN * place.cell
                at = x - margin, y + spread.words - margin
                theme = ANSWER if solved else theme_named("print")
                self._document.place(drawn, theme, *at, place.cell)

    def _label(self, place: Place, sheet: Sheet, x: float, y: float) -> None:
        """Write the number, heading, stars and size of a puzzle, and the lines to fill in."""
        document = self._document
        number, right = str(place.board + 1), x + place.width
        if self._blanks == "name":
            document.text(x, y + _FIRST - 2, "Name", Height.SMALL)
            document.blank(x + 28, y + _FIRST, place.width - 28)
            y += _THIRD
        document.text(x, y + _FIRST, number, Height.NUMBER, heavy=True)
        x_name = x + width_of(number, Height.NUMBER, heavy=True) + 6
        stars = MOST_STARS * STAR * Height.NAME if sheet.stars else 0.0
        name = cut(sheet.heading, Height.NAME, right - x_name - stars - 6, heavy=True)
        document.text(x_name, y + _FIRST, name, Height.NAME, heavy=True)
        if sheet.stars:
            document.stars(right - stars, y + _FIRST, Height.NAME, sheet.stars, MOST_STARS)
        described = cut(sheet.described, Height.SMALL, place.width)
        document.text(x, y + _SECOND - 1, described, Height.SMALL)
        word = width_of("Time", Height.SMALL)
        left = x + width_of(described, Height.SMALL) + 8
        if self._blanks != "none" and right - left >= word + 4 + _TIME:
            left = max(left, right - word - 4 - 1.5 * _TIME)
            document.text(left, y + _SECOND - 1, "Time", Height.SMALL)
            document.blank(left + word + 4, y + _SECOND, right - left - word - 4)

    def _number(self, place: Place, sheet: Sheet, x: float, y: float) -> None:
        """Write the number of a solution."""
        number = str(place.board + 1)
        self._document.text(x, y + 9, number, Height.SOLVED_NUMBER, heavy=True)
        if not sheet.unique:
            after = width_of(number, Height.SOLVED_NUMBER, heavy=True) + 4
            note = cut("one of several", 7.0, place.width - after)
            self._document.text(x + after, y + 9, note, 7.0)


def _size(sheet: Sheet) -> Size:
    """Return the size of a board, in cells as easy to work in as squares."""
    places = places_of(sheet.puzzle)
    return places.height / places.unit, places.width / places.unit


def _least(pages: list[Page]) -> float:
    """Return the smallest cells on these pages."""
    return min(place.cell for page in pages for place in page.places)


@dataclass(frozen=True)
class Front:
    """The pages before the puzzles."""

    sides: Sides
    imprint: Imprint
    sheets: Sequence[Sheet]
    rules: Sequence[Rule]
    cover: bool

    def pages(self, puzzles: Sequence[Page], before: int = 0) -> list[tuple[Words, float, float]]:
        """Return the pages between cover and puzzles: words, and their top and foot on the page.

        ``before`` is the number of pages before those of ``puzzles``. Rules begin a page of their
        own unless everything fits on one page.
        """
        first, height = Words(self.sides.room.width), self.sides.room.height
        self._begin(first, puzzles, before)
        rules = Words(first.width)
        words = [first, rules] if self.rules else [first]
        self._rules(rules)
        if first.height + Height.HEADING * self.sides.scale + rules.height <= height:
            self._rules(first)
            words = [first]
        return [(one, *ends) for one in words for ends in one.pages(height)]

    def _begin(self, words: Words, puzzles: Sequence[Page], before: int) -> None:
        """Add the foreword and the contents."""
        scale = self.sides.scale
        if not self.cover:
            headline(words, self.imprint, Height.TITLE * scale)
        if self.imprint.foreword:
            words.heading("Foreword", Height.HEADING * scale)
            for paragraph in self.imprint.foreword:
                words.paragraph(paragraph, Height.TEXT)
            words.may_end()
        words.heading("Contents", Height.HEADING * scale)
        page_of = {
            place.board: number
            for number, page in enumerate(puzzles, start=before + 1)
            for place in page.places
        }
        for called, first, stars in contents_of(self.sheets, _CONTENTS):
            words.entry(called, str(page_of[first]), Height.TEXT, stars)
        if any(sheet.solution is not None for sheet in self.sheets):
            words.entry("Solutions", str(before + len(puzzles) + 1), Height.TEXT)

    def _rules(self, words: Words) -> None:
        for number, rule in enumerate(self.rules):
            if number:
                words.may_end()
            else:
                words.heading("Rules", Height.HEADING * self.sides.scale)
            self._rule(words, rule)

    def _rule(self, words: Words, rule: Rule) -> None:
        """Add a rule, with a puzzle and its solution at the right."""
        drawn = _examples(rule.board)
        top = words.height
        width = sum((one.width - 1) * _EXAMPLE_CELL + _BETWEEN for one in drawn)
        cell = _EXAMPLE_CELL * min(1.0, _EXAMPLES * words.width / width) if drawn else 0.0
        beside = width * cell / _EXAMPLE_CELL
        words.definition(rule.name, rule.text, Height.TEXT, beside=beside and beside + _BETWEEN)
        below = words.height
        x = words.width
        for one in reversed(drawn):
            x -= (one.width - 0.5) * cell
            words.picture(one, x, top - 0.5 * cell + 0.3 * Height.NAME, cell)
            x -= _BETWEEN - 0.5 * cell
        words.height = max(below, words.height)

    def write_cover(self, document: Document) -> None:
        """Write the cover: title, solved examples, kinds of puzzles, and author."""
        sides, scale = self.sides, self.sides.scale
        document.page(sides.width, sides.height)
        room, left = sides.room, sides.side
        head, foot = Words(room.width), Words(room.width)
        head.title(self.imprint.title, Height.COVER * scale)
        head.space(0.3 * Height.COVER * scale)
        head.paragraph(counted_kinds(self.sheets), 1.25 * Height.TEXT * scale)
        for line in self.imprint.about:
            foot.line(line, 1.25 * Height.TEXT * scale, heavy=line == self.imprint.about[0])
        bar, space = _BAR * scale, _SPACE * scale
        document.rule(left, sides.top + bar, room.width, bar)
        top = sides.top + bar + space
        head.write(document, left, top)
        bottom = sides.foot - foot.height
        foot.write(document, left, bottom)
        document.rule(left, bottom - space / 2, room.width, bar / 3)
        self._art(document, top + head.height + space / 2, bottom - 1.5 * space)

    def _art(self, document: Document, top: float, bottom: float) -> None:
        """Draw pictures in rows between two heights, as large as possible."""
        firsts: dict[str, Puzzle] = {}
        for sheet in self.sheets:
            firsts.setdefault(sheet.section, sheet.puzzle)
        drawn = [[picture(one), *_examples(one)][-1] for one in [*firsts.values()][:_PICTURES]]
        width, height = self.sides.room.width, bottom - top
        side, across = max(
            (min(width / (n + _APART * (n - 1)), height / (down + _APART * (down - 1))), n)
            for n in range(1, len(drawn) + 1)
            for down in [-(-len(drawn) // n)]
        )
        step = side * (1 + _APART)
        rows = [drawn[start : start + across] for start in range(0, len(drawn), across)]
        y = top + (height - step * len(rows) + _APART * side) / 2
        for row in rows:
            x = self.sides.side + (width - step * len(row) + _APART * side) / 2
            for one in row:
                cell = side / max(one.width, one.height)
                middle = (side - one.width * cell) / 2, (side - one.height * cell) / 2
                document.place(one, theme_named("print"), x + middle[0], y + middle[1], cell)
                x += step
            y += step


def headline(words: Words, imprint: Imprint, size: float) -> None:
    """Add title, author and date, above a line."""
    if imprint.title:
        words.title(imprint.title, size)
    if imprint.about:
        words.line(", ".join(imprint.about), Height.TEXT)
    if words.height:
        words.rule()


def _examples(board: Puzzle) -> list[Picture]:
    """Return pictures of the example of a kind and its solution; none if there is no example."""
    example = board.examples.get(board.variant)
    if example is None:
        return []
    shown, solution = example.of(type(board), board.variant)
    return [picture(shown), picture(shown, solution)]
