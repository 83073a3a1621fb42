"""Pictures as PDF: drawn from the same shapes as SVG, as lines and letters."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING, Any

from linkoracle.errors import PictureError
from linkoracle.render.png_format import available, font_file
from linkoracle.render.shapes import Area, Disc, Line, Picture, Shape, Text
from linkoracle.render.svg_format import HALF_DIGIT, corners
from linkoracle.render.themes import Style, Theme, theme_named

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

FONT = "Vera"


def pdf(
    pictures: Iterable[Picture],
    theme: str = "light",
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
    for picture in listed:
        scale = picture.cell if cell is None else cell
        document.page(picture.width * scale, picture.height * scale)
        document.place(picture, chosen, 0.0, 0.0, scale)
    return document.finished()


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
        for shape, style in theme.styled(picture):
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
