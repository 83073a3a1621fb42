"""Papers with their margins, heights of letters, and lines broken, cut or shrunk to fit a width."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt
from typing import Literal, NamedTuple

from linkoracle.booklets.layout import Room
from linkoracle.render import MARGIN, STAR, Document, Picture, theme_named, width_of

#: The names of papers.
Paper = Literal["a4", "a5", "letter"]
#: Sizes of paper in points.
PAPERS: dict[Paper, tuple[float, float]] = {
    "a4": (595.28, 841.89),
    "a5": (419.53, 595.28),
    "letter": (612.0, 792.0),
}

#: In points, on A4: the side and top margins, and the distance from the foot of a page to its
#: number. They scale with the paper.
_SIDE, _TOP, _FOOT = 45.0, 45.0, 30.0
#: The distance from the number of a page up to its content.
_ABOVE_FOOT = 26.0
#: Distances in heights of the type: from line to line, from the foot of a line to the top of the
#: next line, and under a heading.
LEADING, _DEPTH, _UNDER = 1.4, 0.4, 0.55
#: The most lines of a title, the factor of each shrinking, and the least size of a title.
_TITLE_LINES, _SHRINK, _LEAST_TITLE = 3, 0.9, 12.0
#: The thickness of a line across the page, in points, and the space below the line.
_THICK, _BELOW = 1.5, 10.0
#: The distance between the dots of a leader, in heights of the type.
_DOTS = 0.55
#: The position of the stars in contents, in widths of a line; and a tolerance for rounding.
_STARS, _EVEN = 0.5, 1e-6


class Height:
    """Heights of letters in points."""

    #: These scale with the paper: of titles on a cover, on a page of their own and above puzzles,
    #: and of headings.
    COVER, TITLE, HEADLINE, HEADING = 54.0, 34.0, 24.0, 17.0
    #: Fixed: of text, rules above puzzles, small text, numbers of puzzles and of solutions, and
    #: names of puzzles.
    TEXT, RULES, SMALL, NUMBER, SOLVED_NUMBER, NAME = 10.5, 9.5, 8.5, 16.0, 9.5, 10.5


class Sides(NamedTuple):
    """A page of some paper, and the ``scale`` of its margins and headings."""

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
        """The height of page numbers."""
        return self.height - _FOOT * self.scale

    @property
    def room(self) -> Room:
        """The room between the margins."""
        return Room(self.width - 2 * self.side, self.foot - _ABOVE_FOOT - self.top)

    @property
    def turned(self) -> Sides:
        return Sides(self.height, self.width)


#: Writes an item, with the top left corner of the text of its page at (x, y).
_Write = Callable[[Document, float, float], None]


class Words:
    """Lines of text below each other, ``width`` points wide and so far ``height`` points high.

    Pictures may stand between and beside lines. Pages end where `may_end` was called, else after
    any line. Headings are in the outline of the PDF file.
    """

    def __init__(self, width: float) -> None:
        self.width, self.height = width, 0.0
        #: The top and the foot of each line and picture, and its writer.
        self._written: list[tuple[float, float, _Write]] = []
        self._ends: list[float] = []

    def write(
        self, document: Document, x: float, y: float, top: float = 0.0, foot: float = inf
    ) -> None:
        """Write the items between two heights, with the top left corner at (x, y)."""
        for above, below, write in self._written:
            if top - _EVEN <= above and below <= foot + _EVEN:
                write(document, x, y - top)

    def pages(self, height: float) -> list[tuple[float, float]]:
        """Return the top and the foot of each page, for pages of at most ``height``."""
        found = []
        top = 0.0
        lines = sorted({below for _, below, _ in self._written})
        while top + height < self.height:
            most = top + height + _EVEN
            ends = [
                max((end for end in known if top + _EVEN < end <= most), default=0.0)
                for known in (self._ends, lines)
            ]
            foot = next(filter(None, ends), most)
            found.append((top, foot))
            top = foot
        return [*found, (top, self.height)]

    def may_end(self) -> None:
        """Let a page end here."""
        self._ends.append(self.height)

    def line(self, text: str, size: float, *, heavy: bool = False) -> None:
        """Add one line, cut if it is too long."""
        top, text = self.height, cut(text, size, self.width, heavy=heavy)
        foot = top + (LEADING - _DEPTH) * size
        self.height = foot + _DEPTH * size
        self._write(
            top,
            lambda document, x, y: document.text(x, y + foot, text, size, heavy=heavy),
        )

    def title(self, text: str, size: float) -> None:
        """Add a few lines of heavy type, smaller if the title is long."""
        while (
            len(parts := wrapped(text, size, self.width, heavy=True)) > _TITLE_LINES
            and size > _LEAST_TITLE
        ):
            size *= _SHRINK
        *first, last = parts[:_TITLE_LINES]
        for part in (*first, " ".join((last, *parts[_TITLE_LINES:]))):
            self.line(part, size, heavy=True)

    def heading(self, text: str, size: float) -> None:
        self.height += size if self.height else 0.0
        top = self.height
        self._write(top, lambda document, _x, _y: document.mark(text))
        self.line(text, size, heavy=True)
        self.height += _UNDER * size

    def paragraph(self, text: str, size: float, *, beside: float = 0.0) -> None:
        """Add lines of text that leave the width ``beside`` free."""
        for part in wrapped(text, size, self.width - beside):
            self.line(part, size)
        self.height += _UNDER * size

    def definition(self, name: str, text: str, size: float, *, beside: float = 0.0) -> None:
        """Add a name in heavy type, and the text about it, in paragraphs."""
        self.line(name, size * 1.1, heavy=True)
        for paragraph in text.split("\n\n"):
            self.paragraph(paragraph, size, beside=beside)

    def entry(self, text: str, page: str, size: float, stars: tuple[int, ...] = ()) -> None:
        """Add a line of contents, with dots up to the number of the page.

        ``stars`` are the stars of the easiest and of the hardest puzzle.
        """
        gap = size
        end = self.width - width_of(page, size) - gap
        top, after = self.height, 0.0
        text = cut(text, size, 0.6 * end)
        self.line(text, size)
        foot = top + (LEADING - _DEPTH) * size
        if stars:
            # Align the stars of all lines.
            begin = max(_STARS * self.width, width_of(text, size) + gap)
            dash = width_of("\N{EN DASH}", size)

            def range_of_stars(document: Document, x: float, y: float) -> None:
                low, high = min(stars), max(stars)
                x += begin
                document.stars(x, y + foot, size, low)
                if low < high:
                    x += low * STAR * size
                    document.text(x + STAR * size * 0.1, y + foot, "\N{EN DASH}", size)
                    document.stars(x + STAR * size * 0.3 + dash, y + foot, size, high)

            self._write(top, range_of_stars)
            after = begin + (dash + 10.5 * STAR * size)
        after = max(after, width_of(text, size)) + gap

        def dots_and_page(document: Document, x: float, y: float) -> None:
            # Align the dots of all lines.
            step = _DOTS * size
            for number in range(int((end - after) / step)):
                document.text(x + end - step * number, y + foot, ".", size, anchor="middle")
            document.text(x + self.width, y + foot, page, size, anchor="end")

        self._write(top, dots_and_page)

    def picture(self, drawn: Picture, x: float, y: float, cell: float) -> None:
        """Add a picture in black on white, with its top left corner at (x, y) of these words.

        The picture has a margin, which may overlap other items.
        """
        top, below = y + MARGIN * cell, y + (drawn.height - MARGIN) * cell
        self.height = max(self.height, below)
        theme = theme_named("print")

        def write(document: Document, left: float, upper: float) -> None:
            document.place(drawn, theme, left + x, upper + y, cell)

        self._written.append((top, below, write))

    def rule(self) -> None:
        """Add a line from side to side."""
        self.height += _BELOW / 2
        level = self.height
        self._write(level, lambda document, x, y: document.rule(x, y + level, self.width, _THICK))
        self.height += _BELOW

    def space(self, height: float) -> None:
        self.height += height

    def _write(self, top: float, write: _Write) -> None:
        self._written.append((top, self.height, write))


def wrapped(text: str, size: float, width: float, *, heavy: bool = False) -> list[str]:
    """Return the text in lines of this width; a wider word is broken.

    >>> wrapped("draw a single loop", 10, 50)
    ['draw a', 'single', 'loop']
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if width_of(longer, size, heavy=heavy) <= width:
            line = longer
            continue
        lines += [line] if line else []
        line = ""
        for letter in word:
            if line and width_of(line + letter, size, heavy=heavy) > width:
                lines.append(line)
                line = ""
            line += letter
    return [*lines, line] if line else lines


def cut(text: str, size: float, width: float, *, heavy: bool = False) -> str:
    """Return the text, or as much of its beginning as fits in this width.

    >>> cut("a long name", 10, 100), cut("a long name", 10, 40)
    ('a long name', 'a long…')
    """
    if width_of(text, size, heavy=heavy) <= width:
        return text
    while text and width_of(f"{text}…", size, heavy=heavy) > width:
        text = text[:-1]
    return f"{text.rstrip()}…" if text else ""
