"""PDF: pictures on pages of their size, and booklets with solutions at the back.

Drawn from the same shapes as SVG, as lines and letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import ceil
from typing import TYPE_CHECKING, Any, Literal

from linkoracle.board.lattice import Solution
from linkoracle.core.errors import PictureError
from linkoracle.formats.reading import clean_name
from linkoracle.kinds import Puzzle
from linkoracle.render.board import described, picture
from linkoracle.render.pictures import HALF_DIGIT, Picture, available, corners, font_file
from linkoracle.render.shapes import Disc, Line, Shape, Style, Text, Theme, ThemeName, theme_named

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


#: A puzzle of a booklet with its number there.
_Numbered = tuple[int, Sheet]


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
    title = clean_name(title or "") or ""
    puzzles = list(enumerate(sheets, start=1))
    solved = [(number, sheet) for number, sheet in puzzles if sheet.solution is not None]
    in_front, at_back = _pages(puzzles, per_page), _pages(solved, per_page * _DENSER)
    count = len(in_front) + len(at_back)
    document = Document(title or "Puzzles")
    for index, page in enumerate(in_front):
        document.page(*PAPERS[paper])
        heading = (title, _TITLE) if index == 0 else ("", 0.0)
        _write_page(document, count, page, per_page, heading, solved=False)
    for index, page in enumerate(at_back):
        document.page(*PAPERS[paper])
        heading = ("Solutions", _HEADING) if index == 0 else ("", 0.0)
        # A last page that is not full is filled by larger boards.
        places = per_page * _DENSER if index else len(page)
        _write_page(document, count, page, places, heading, solved=True)
    return document.finished()


def _pages(puzzles: list[_Numbered], size: int) -> list[list[_Numbered]]:
    return [puzzles[start : start + size] for start in range(0, len(puzzles), size)]


def columns(places: int, width: float, height: float) -> int:
    """In how many columns square boards on a page are largest.

    >>> [columns(places, 500, 700) for places in (1, 2, 4, 6, 12)]
    [1, 1, 2, 2, 3]
    """
    return max(
        range(1, places + 1),
        key=lambda cols: (min(width / cols, height / ceil(places / cols) - _LABEL), -cols),
    )


def _write_page(
    document: Document,
    count: int,
    puzzles: list[_Numbered],
    places: int,
    heading: tuple[str, float],
    *,
    solved: bool,
) -> None:
    """Write these puzzles on a page that has room for ``places``, one of ``count`` pages."""
    page_width, page_height = document.size
    top = _MARGIN
    text, size = heading
    if text:
        size *= min(1.0, (page_width - 2 * _MARGIN) / document.width(text, size))
        document.text(page_width / 2, top + size * 0.8, text, size)
        top += size + _GAP
    foot = f"{document.pages} / {count}"
    document.text(page_width / 2, page_height - _MARGIN / 2, foot, _SMALL)
    room = page_width - 2 * _MARGIN, page_height - _MARGIN - top
    across = columns(places, *room)
    down = ceil(places / across)
    width = (room[0] - _GAP * (across - 1)) / across
    height = (room[1] - _GAP * (down - 1)) / down
    for index, (number, sheet) in enumerate(puzzles):
        row, col = divmod(index, across)
        x, y = _MARGIN + col * (width + _GAP), top + row * (height + _GAP)
        # The board and its label, in the middle of the width.
        drawn = picture(sheet.puzzle, sheet.solution if solved else None)
        scale = min(width / drawn.width, (height - _LABEL) / drawn.height, _GREATEST_CELL)
        label = _label(number, sheet, solved=solved)
        size = min(_SMALL, _SMALL * width / document.width(label, _SMALL))
        document.text(x + width / 2, y + _SMALL, label, size)
        left = x + (width - drawn.width * scale) / 2
        document.place(drawn, theme_named("print"), left, y + _LABEL, scale)


def _label(number: int, sheet: Sheet, *, solved: bool) -> str:
    if solved:
        return f"{number}" if sheet.unique else f"{number} (one of several)"
    several = "" if sheet.unique else ", several solutions"
    grade = f" ({sheet.grade})" if sheet.grade else ""
    return f"{number}. {described(sheet.puzzle)}{several}{grade}"


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
        #: Pages that were begun, and the size of the last one in points.
        self.pages, self.size = 0, (0.0, 0.0)

    def page(self, width: float, height: float) -> None:
        """Begin a page of this size, in points."""
        if self.pages:
            self._canvas.showPage()
        self.pages += 1
        self.size = width, height
        self._canvas.setPageSize(self.size)

    def finished(self) -> bytes:
        """The file."""
        self._canvas.save()
        return self._buffer.getvalue()

    def place(self, picture: Picture, theme: Theme, x: float, y: float, scale: float) -> None:
        """Draw a picture with its top-left corner at (x, y), ``scale`` points to a cell."""
        canvas = self._canvas
        canvas.saveState()
        canvas.transform(scale, 0, 0, -scale, x, self.size[1] - y)
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        canvas.setFillColor(theme.background)
        canvas.rect(0, 0, picture.width, picture.height, stroke=0, fill=1)
        for shape, style in theme.styled(picture.shapes):
            self._shape(shape, style)
        canvas.restoreState()

    def text(self, x: float, y: float, text: str, size: float) -> None:
        """Write a line in black, its foot at y, around x."""
        self._write(x, self.size[1] - y, text, size, "#000000")

    def width(self, text: str, size: float) -> float:
        """How wide a line of text is, in points."""
        return float(self._canvas.stringWidth(text, FONT, size))

    def _shape(self, shape: Shape, style: Style) -> None:
        canvas = self._canvas
        if isinstance(shape, Line):
            self._line(shape, style)
        elif isinstance(shape, Disc):
            for color, radius in shape.layers(style):
                canvas.setFillColor(color)
                canvas.circle(*shape.centre, radius, stroke=0, fill=1)
        elif isinstance(shape, Text):
            x, y = shape.at
            canvas.saveState()
            # Back to a y axis that points up, or letters would stand on their heads.
            canvas.transform(1, 0, 0, -1, x, y + HALF_DIGIT * shape.size)
            self._write(0, 0, shape.text, shape.size, style.color, start=shape.start)
            canvas.restoreState()
        else:
            (x, y), (x2, y2) = shape.corner, shape.opposite
            canvas.setFillColor(style.color)
            canvas.rect(x, y, x2 - x, y2 - y, stroke=0, fill=1)

    def _line(self, line: Line, style: Style) -> None:
        canvas = self._canvas
        canvas.setStrokeColor(style.color)
        canvas.setLineWidth(style.width * line.weight)
        canvas.setDash(list(style.dash))
        path: Any = canvas.beginPath()
        first, *others = corners(line)
        path.moveTo(*first)
        for point in others:
            path.lineTo(*point)
        if line.closed:
            path.close()
        canvas.drawPath(path)

    def _write(
        self, x: float, y: float, text: str, size: float, color: str, *, start: bool = False
    ) -> None:
        missing = [letter for letter in text if ord(letter) not in self._letters]
        if missing:
            raise PictureError(f"the font of PDF files lacks {missing[0]!r}, in {text!r}")
        self._canvas.setFillColor(color)
        self._canvas.setFont(FONT, size)
        draw = self._canvas.drawString if start else self._canvas.drawCentredString
        draw(x, y, text)
