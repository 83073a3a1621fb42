"""PDF files: pages with pictures, drawn from the same shapes as SVG, and lines of text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from functools import cache
from io import BytesIO
from itertools import groupby
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any, Literal

from linkoracle.core import PictureError
from linkoracle.render.pictures import (
    HEAVY,
    Picture,
    available,
    corners,
    embedded,
    printable,
)
from linkoracle.render.shapes import (
    HALF_DIGIT,
    Disc,
    Line,
    Point,
    Polygon,
    Shape,
    Style,
    Text,
    Theme,
    ThemeName,
    theme_named,
)

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

#: The part of a text at its given point.
Anchor = Literal["start", "middle", "end"]

_BLACK, _PALE = "#000000", "#cccccc"
#: The distance from star to star, in heights of the type.
STAR = 1.05
#: The environment variable for the date of files, in seconds since 1970.
EPOCH = "SOURCE_DATE_EPOCH"


def pdf(
    pictures: Iterable[Picture],
    theme: ThemeName = "light",
    *,
    cell: float | None = None,
    title: str | None = None,
) -> bytes:
    """Return a PDF file with a page for each picture, of its size at ``cell`` points per cell.

    The file has the date in ``SOURCE_DATE_EPOCH``, if set, else none.

    Raises `MissingExtra` without the extra ``pictures``, `PictureError` for letters that the font
    lacks, and ``ValueError`` for an unknown theme or without pictures.
    """
    chosen = theme_named(theme)
    listed = list(pictures)
    if not listed:
        raise ValueError("expected at least one picture")
    document = Document(title or listed[0].title)
    for one in listed:
        scale = one.cell if cell is None else cell
        document.page(one.width * scale, one.height * scale)
        document.fill(chosen.background)
        document.place(one, chosen, 0.0, 0.0, scale)
    return document.finished()


class Document:
    """A PDF file while it is written: pages with pictures and texts, measured from the top left."""

    def __init__(self, title: str, author: str = "", made: date | None = None) -> None:
        available("pdf")
        from reportlab.pdfgen.canvas import Canvas

        about = {
            "Title": title,
            "Author": author,
            "Creator": "linkoracle",
            "CreationDate": stamp(made),
        }
        self._buffer = BytesIO()
        # Invariant: no random ids, so the same pictures make the same bytes.
        self._canvas: Canvas = Canvas(
            self._buffer,
            invariant=1,
            pageCompression=1,
            lang="en",
            initialFontName=embedded(heavy=False).fontName,
        )
        self._canvas._doc.info = _about({key: value for key, value in about.items() if value})
        #: The number of pages begun, and the size of the last one in points.
        self.pages, self.size = 0, (0.0, 0.0)
        self._marks = 0

    def page(self, width: float, height: float) -> None:
        """Begin a page of this size, in points."""
        if self.pages:
            self._canvas.showPage()
        self.pages += 1
        self.size = width, height
        self._canvas.setPageSize(self.size)

    def finished(self) -> bytes:
        """Finish and return the file."""
        self._canvas.save()
        return self._buffer.getvalue()

    def mark(self, title: str) -> None:
        """Add this page to the outline of the file."""
        self._marks += 1
        key = f"mark {self._marks}"
        self._canvas.bookmarkPage(key)
        self._canvas.addOutlineEntry(title, key)

    def fill(self, color: str) -> None:
        """Fill the page."""
        self._area(0.0, 0.0, *self.size, color)

    def place(self, picture: Picture, theme: Theme, x: float, y: float, scale: float) -> None:
        """Draw a picture with its top-left corner at (x, y), at ``scale`` points per cell."""

        def at(point: Point) -> Point:
            return round(x + point[0] * scale, 3), round(self.size[1] - y - point[1] * scale, 3)

        def look(drawn: tuple[Shape, Style]) -> Any:
            shape, style = drawn
            strokes = shape.layers(style) if isinstance(shape, Line | Disc) else style
            return type(shape), strokes

        self._canvas.setLineCap(1)
        self._canvas.setLineJoin(1)
        for (kind, how), run in groupby(theme.styled(picture.shapes), key=look):
            shapes: list[Any] = [shape for shape, _ in run]
            if kind is Text:
                for one in shapes:
                    self._write(
                        *at(one.foot),
                        one.text,
                        one.size * scale,
                        how.color,
                        heavy=one.role in HEAVY,
                        anchor="start" if one.start else "middle",
                    )
            elif kind is Polygon:
                for one in shapes:
                    self._polygon([at(point) for point in one.points], how.color)
            else:
                # A line of no length with round ends is a disc.
                paths = [
                    ([at(one.centre)] * 2, False)
                    if kind is Disc
                    else ([at(point) for point in corners(one)], one.closed)
                    for one in shapes
                ]
                for color, width, dash in how:
                    self._strokes(paths, color, width * scale, [part * scale for part in dash])

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        heavy: bool = False,
        anchor: Anchor = "start",
    ) -> None:
        """Write a line in black with its foot at y."""
        self._write(x, self.size[1] - y, text, size, _BLACK, heavy=heavy, anchor=anchor)

    def rule(self, x: float, y: float, width: float, thickness: float) -> None:
        """Draw a level line in black from (x, y)."""
        self._area(x, self.size[1] - y, width, thickness, _BLACK)

    def stars(self, x: float, y: float, size: float, number: int, of: int = 0) -> None:
        """Draw ``number`` stars from (x, y), as high as digits of this size; pale up to ``of``."""
        for place in range(max(number, of)):
            middle = x + (place + 0.5) * STAR * size, self.size[1] - y + HALF_DIGIT * size
            radii = (0.5 * size, 0.2 * size)
            points = [
                (middle[0] + radius * sin(turn * pi / 5), middle[1] + radius * cos(turn * pi / 5))
                for turn, radius in zip(range(10), radii * 5, strict=True)
            ]
            self._polygon(points, _BLACK if place < number else _PALE)

    def blank(self, x: float, y: float, width: float) -> None:
        """Draw a thin line to write on, from (x, y)."""
        foot = self.size[1] - y
        self._strokes([([(x, foot), (x + width, foot)], False)], _BLACK, 0.5, [])

    def _area(self, x: float, y: float, width: float, height: float, color: str) -> None:
        self._canvas.setFillColor(_color(color))
        self._canvas.rect(x, y, width, height, stroke=0, fill=1)

    def _polygon(self, points: list[Point], color: str) -> None:
        self._canvas.setFillColor(_color(color))
        self._canvas.drawPath(self._outline([(points, True)]), stroke=0, fill=1)

    def _strokes(
        self, paths: list[tuple[list[Point], bool]], color: str, width: float, dash: list[float]
    ) -> None:
        canvas = self._canvas
        canvas.setStrokeColor(_color(color))
        canvas.setLineWidth(width)
        canvas.setDash(dash)
        canvas.drawPath(self._outline(paths))

    def _outline(self, paths: list[tuple[list[Point], bool]]) -> Any:
        """Return lines through points, each closed or not, as the canvas takes them."""
        drawn: Any = self._canvas.beginPath()
        for points, closed in paths:
            drawn.moveTo(*points[0])
            for point in points[1:]:
                drawn.lineTo(*point)
            if closed:
                drawn.close()
        return drawn

    def _write(
        self, x: float, y: float, text: str, size: float, color: str, *, heavy: bool, anchor: Anchor
    ) -> None:
        written = printable(text, heavy=heavy)
        self._canvas.setFillColor(_color(color))
        self._canvas.setFont(embedded(heavy=heavy).fontName, size)
        draw = {
            "start": self._canvas.drawString,
            "middle": self._canvas.drawCentredString,
            "end": self._canvas.drawRightString,
        }
        draw[anchor](x, y, written)


@cache
def _color(name: str) -> Any:
    from reportlab.lib.colors import toColor

    return toColor(name)


def width_of(text: str, size: float, *, heavy: bool = False) -> float:
    """Return the width of a line of text in points."""
    return float(embedded(heavy=heavy).stringWidth(printable(text, heavy=heavy), size))


def _about(entries: dict[str, str]) -> Any:
    """Return the metadata of a PDF file, with only these entries."""
    from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFInfo, PDFString

    class About(PDFInfo):  # type: ignore[misc]
        title = entries.get("Title", "")
        author = entries.get("Author", "")

        def format(self, document: Any) -> Any:
            return PDFDictionary({k: PDFString(v) for k, v in entries.items()}).format(document)

    return About()


def stamp(made: date | None) -> str:
    """Return the date of a file in PDF: the given day, else that of `EPOCH`, else none.

    Raises `PictureError` if `EPOCH` does not hold a date.
    """
    if made is not None:
        return made.strftime("D:%Y%m%d")
    seconds = os.environ.get(EPOCH, "").strip()
    if not seconds:
        return ""
    # reportlab reads it, too.
    if not re.fullmatch(r"\d{1,11}", seconds, re.ASCII):
        raise PictureError(f"{EPOCH}: expected seconds since 1970, found {seconds!r}")
    return datetime.fromtimestamp(int(seconds), UTC).strftime("D:%Y%m%d%H%M%SZ")
