"""PDF: pictures on pages of their size, and booklets with solutions at the back.

Drawn from the same shapes as SVG, as lines and letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import ceil
from typing import TYPE_CHECKING, Any, Literal

from linkoracle.board.solution import Solution
from linkoracle.core.errors import PictureError
from linkoracle.kinds import Puzzle
from linkoracle.render.board import picture
from linkoracle.render.layout import described, printable
from linkoracle.render.pictures import HALF_DIGIT, Picture, available, corners, font_file
from linkoracle.render.shapes import (
    Area,
    Disc,
    Line,
    Shape,
    Style,
    Text,
    Theme,
    ThemeName,
    theme_named,
)

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

FONT = "Vera"

#: Papers that booklets are printed on.
Paper = Literal["a4", "letter"]
#: Sizes of paper in points.
PAPERS: dict[Paper, tuple[float, float]] = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}

#: In points: around a page, between boards, above a board for its line of text, the greatest cell.
_MARGIN, _GAP, _LABEL, _GREATEST_CELL = 48.0, 18.0, 18.0, 60.0
#: Heights of letters: the title of the booklet, headings, labels and page numbers.
_TITLE, _HEADING, _SMALL = 22.0, 15.0, 10.0

#: Solutions are looked up rather than worked on: as many times more of them stand on a page.
_DENSER = 3


def pdf(
    pictures: Iterable[Picture],
    theme: ThemeName = "light",
    *,
    cell: float | None = None,
    title: str | None = None,
) -> bytes:
    """A PDF file with a page for each picture, as large as it is at ``cell`` points to a cell.

    Raises `MissingExtra` without the extra ``pictures``, `PictureError` for a text in letters
    that the font lacks, ``ValueError`` for an unknown theme or no picture.
    """
    chosen = theme_named(theme)
    listed = list(pictures)
    if not listed:
        raise ValueError("expected at least one picture")
    document = Document(title or listed[0].title)
    for one in listed:
        scale = one.cell if cell is None else cell
        document.page(one.width * scale, one.height * scale)
        document.place(one, chosen, 0.0, 0.0, scale)
    return document.finished()


@dataclass(frozen=True)
class Sheet:
    """A puzzle of a booklet, its solution if that is shown, and its grade if it has one.

    A puzzle that is not ``unique`` is said to have several solutions.
    """

    puzzle: Puzzle
    solution: Solution | None = None
    grade: str | None = None
    unique: bool = True


def booklet(
    sheets: Sequence[Sheet], *, per_page: int = 4, paper: Paper = "a4", title: str | None = None
) -> bytes:
    """A PDF booklet in black on white: numbered puzzles, then the solutions that are given.

    Raises `MissingExtra` without the extra ``pictures``; `PictureError` for a title in letters
    that the font lacks, ``ValueError`` for no puzzle, less than one a page, or unknown paper.
    """
    if not sheets or per_page < 1:
        raise ValueError("expected at least one puzzle, and one a page")
    if paper not in PAPERS:
        raise ValueError(f"expected one of the papers {', '.join(PAPERS)}, got {paper!r}")
    title = printable(title or "")
    solved = [number for number, sheet in enumerate(sheets) if sheet.solution is not None]
    in_front = _pages(list(range(len(sheets))), per_page)
    at_back = _pages(solved, per_page * _DENSER)
    writer = _Writer(
        Document(title or "Puzzles"), PAPERS[paper], len(in_front) + len(at_back), sheets
    )
    for index, numbers in enumerate(in_front):
        writer.page(numbers, per_page, (title, _TITLE) if index == 0 else ("", 0.0), solved=False)
    for index, numbers in enumerate(at_back):
        # A last page that is not full is filled by larger boards.
        places = per_page * _DENSER if index else len(numbers)
        heading = ("Solutions", _HEADING) if index == 0 else ("", 0.0)
        writer.page(numbers, places, heading, solved=True)
    return writer.document.finished()


def _pages(numbers: list[int], size: int) -> list[list[int]]:
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]


def columns(places: int, width: float, height: float) -> int:
    """In how many columns square boards on a page are largest.

    >>> [columns(places, 500, 700) for places in (1, 2, 4, 6, 12)]
    [1, 1, 2, 2, 3]
    """
    return max(
        range(1, places + 1),
        key=lambda cols: (min(width / cols, height / ceil(places / cols) - _LABEL), -cols),
    )


class _Writer:
    def __init__(
        self, document: Document, size: tuple[float, float], pages: int, sheets: Sequence[Sheet]
    ) -> None:
        self.document = document
        self.width, self.height = size
        self.pages = pages
        self.sheets = sheets
        self.number = 0

    def page(
        self, numbers: list[int], places: int, heading: tuple[str, float], *, solved: bool
    ) -> None:
        """Write one page with these puzzles, which has room for ``places``."""
        self.number += 1
        document = self.document
        document.page(self.width, self.height)
        top = _MARGIN
        text, size = heading
        if text:
            wide = document.width(text, size)
            size *= min(1.0, (self.width - 2 * _MARGIN) / wide)
            document.text(self.width / 2, top + size * 0.8, text, size, middle=True)
            top += size + _GAP
        foot = self.height - _MARGIN / 2
        document.text(self.width / 2, foot, f"{self.number} / {self.pages}", _SMALL, middle=True)
        room = self.width - 2 * _MARGIN, self.height - _MARGIN - top
        across = columns(places, *room)
        down = ceil(places / across)
        width = (room[0] - _GAP * (across - 1)) / across
        height = (room[1] - _GAP * (down - 1)) / down
        for index, number in enumerate(numbers):
            row, col = divmod(index, across)
            x, y = _MARGIN + col * (width + _GAP), top + row * (height + _GAP)
            self.board(number, x, y, width, height, solved=solved)

    def board(
        self, number: int, x: float, y: float, width: float, height: float, *, solved: bool
    ) -> None:
        """Write one puzzle and its label into a rectangle, in the middle of its width."""
        sheet = self.sheets[number]
        drawn = picture(sheet.puzzle, sheet.solution if solved else None)
        scale = min(width / drawn.width, (height - _LABEL) / drawn.height, _GREATEST_CELL)
        label = f"{number + 1}"
        if solved:
            label += "" if sheet.unique else " (one of several)"
        else:
            label = ". ".join([label, described(sheet.puzzle)])
            label += "" if sheet.unique else ", several solutions"
            label += f" ({sheet.grade})" if sheet.grade else ""
        size = min(_SMALL, _SMALL * width / self.document.width(label, _SMALL))
        left = x + (width - drawn.width * scale) / 2
        self.document.text(x + width / 2, y + _SMALL, label, size, middle=True)
        self.document.place(drawn, theme_named("print"), left, y + _LABEL, scale)


class Document:
    """A PDF file while it is written: pages, with pictures and texts from the top left."""

    def __init__(self, title: str) -> None:
        available("pdf")
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas

        font = TTFont(FONT, font_file())
        self._letters: frozenset[int] = frozenset(font.face.charToGlyph)
        pdfmetrics.registerFont(font)
        self._buffer = BytesIO()
        # Invariant: no dates and no random ids, so the same pictures make the same bytes.
        self._canvas: Canvas = Canvas(self._buffer, invariant=1, pageCompression=1, lang="en")
        self._canvas.setTitle(title)
        self._canvas.setCreator("linkoracle")
        self._height = 0.0
        self._begun = False

    def page(self, width: float, height: float) -> None:
        """Begin a page of this size, in points."""
        if self._begun:
            self._canvas.showPage()
        self._begun = True
        self._height = height
        self._canvas.setPageSize((width, height))

    def finished(self) -> bytes:
        """The file."""
        self._canvas.save()
        return self._buffer.getvalue()

    def place(self, picture: Picture, theme: Theme, x: float, y: float, scale: float) -> None:
        """Draw a picture with its top-left corner at (x, y), ``scale`` points to a cell."""
        canvas = self._canvas
        canvas.saveState()
        canvas.transform(scale, 0, 0, -scale, x, self._height - y)
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        canvas.setFillColor(theme.background)
        canvas.rect(0, 0, picture.width, picture.height, stroke=0, fill=1)
        for shape, style in theme.styled(picture.shapes):
            self._shape(shape, style)
        canvas.restoreState()

    def text(self, x: float, y: float, text: str, size: float, *, middle: bool = False) -> None:
        """Write a line in black, its foot at y, from x or around it."""
        canvas = self._canvas
        canvas.setFillColor("#000000")
        canvas.setFont(FONT, size)
        self._check(text)
        draw = canvas.drawCentredString if middle else canvas.drawString
        draw(x, self._height - y, text)

    def width(self, text: str, size: float) -> float:
        """How wide a line of text is, in points."""
        return float(self._canvas.stringWidth(text, FONT, size))

    def _shape(self, shape: Shape, style: Style) -> None:
        canvas = self._canvas
        if isinstance(shape, Text):
            self._text(shape, style)
        elif isinstance(shape, Line):
            self._line(shape, style)
        elif isinstance(shape, Area):
            (x, y), (x2, y2) = shape.corner, shape.opposite
            canvas.setFillColor(style.color)
            canvas.rect(x, y, x2 - x, y2 - y, stroke=0, fill=1)
        else:
            self._disc(shape, style)

    def _line(self, line: Line, style: Style) -> None:
        canvas = self._canvas
        canvas.setStrokeColor(style.color)
        canvas.setLineWidth(style.width * line.weight)
        canvas.setDash(list(style.dash))
        path: Any = canvas.beginPath()
        points = corners(line)
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        if line.closed:
            path.close()
        canvas.drawPath(path)

    def _disc(self, disc: Disc, style: Style) -> None:
        canvas = self._canvas
        radius = disc.radius
        if style.outline is not None:
            canvas.setFillColor(style.outline)
            canvas.circle(*disc.centre, radius, stroke=0, fill=1)
            radius -= style.width
        canvas.setFillColor(style.color)
        canvas.circle(*disc.centre, radius, stroke=0, fill=1)

    def _text(self, text: Text, style: Style) -> None:
        canvas = self._canvas
        self._check(text.text)
        canvas.saveState()
        x, y = text.at
        # Back to a y axis that points up, or letters would stand on their heads.
        canvas.transform(1, 0, 0, -1, x, y + HALF_DIGIT * text.size)
        canvas.setFillColor(style.color)
        canvas.setFont(FONT, text.size)
        draw = canvas.drawString if text.start else canvas.drawCentredString
        draw(0, 0, text.text)
        canvas.restoreState()

    def _check(self, text: str) -> None:
        missing = [letter for letter in text if ord(letter) not in self._letters]
        if missing:
            raise PictureError(f"the font of PDF files lacks {missing[0]!r}, in {text!r}")
