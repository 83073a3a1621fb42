"""`Picture`, and its files: SVG, and PNG, which resvg renders from the SVG.

An SVG has only plain elements, without scripts or external fonts, and always the same bytes.

The font of PNG and PDF is Open Sans, whose licence allows to embed it in documents. It has the
letters of Latin, Greek and Cyrillic scripts, and comes with the package ttf-opensans. Without the
package, the font is Bitstream Vera Sans, which comes with reportlab and has Latin letters only.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from linkoracle.core import MissingExtra, PictureError
from linkoracle.render.shapes import (
    Disc,
    Line,
    Point,
    Polygon,
    Shape,
    Stroke,
    Style,
    Text,
    ThemeName,
    theme_named,
)

#: The roles of texts in heavy type.
HEAVY = ("clue", "number", "title")

_FONTS = "Helvetica, Arial, sans-serif"

#: A picture of more pixels is refused: it would take gigabytes.
MAX_PIXELS = 100_000_000

#: Pixels of a PNG per pixel of an SVG, as a bitmap cannot be enlarged later.
_FINER = 2


@dataclass(frozen=True)
class Picture:
    """Shapes on a rectangle of ``width`` x ``height`` cells, drawn in this order.

    ``title`` is the text for screen readers. ``cell`` is the default number of pixels (in a PDF:
    points) per cell.
    """

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]
    cell: float

    def _repr_svg_(self) -> str:
        return svg(self)


def svg(picture: Picture, theme: ThemeName = "light", *, cell: float | None = None) -> str:
    """Return the picture as an SVG document that can be scaled, with ``cell`` pixels per cell.

    Raises ``ValueError`` for an unknown theme.

    >>> from linkoracle import Slitherlink
    >>> from linkoracle.render import picture, svg
    >>> print(svg(picture(Slitherlink([[3]])), "print", cell=20).splitlines()[0][40:])
    viewBox="0 0 40 40" role="img" width="40" height="40">
    """
    root = svg_element(picture, theme, cell)
    indent(root, "")
    return tostring(root, "unicode") + "\n"


def svg_element(picture: Picture, theme: ThemeName, cell: float | None) -> Element:
    """Return the picture as an SVG element for another document."""
    chosen = theme_named(theme)
    scale = picture.cell if cell is None else cell
    width, height = _number(picture.width * scale), _number(picture.height * scale)
    size = {"width": width, "height": height}
    view = {"viewBox": f"0 0 {width} {height}", "role": "img", **size}
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **view})
    SubElement(root, "title").text = picture.title
    SubElement(root, "rect", {**size, "fill": chosen.background})
    drawn = ((one, _looks(one, style, scale)) for one, style in chosen.styled(picture.shapes))
    for (role, looks), run in groupby(drawn, lambda one: (one[0].role, one[1])):
        shapes: list[Any] = [shape for shape, _ in run]
        name = {"class": role.replace(" ", "-")}
        if isinstance(shapes[0], Text):
            group = SubElement(root, "g", {**name, **looks[0]})
            for text in shapes:
                x, y = (_number(part * scale) for part in text.foot)
                place = {"x": x, "y": y}
                SubElement(group, "text", place).text = text.text
            continue
        data = "".join(_path(shape, scale) for shape in shapes)
        for look in looks:
            SubElement(root, "path", {**name, "d": data, **look})
    return root


def png(picture: Picture, theme: ThemeName = "light", *, cell: float | None = None) -> bytes:
    """Return the picture as a PNG file with ``cell`` pixels per cell.

    Raises `MissingExtra` without the extra ``pictures``, `PictureError` for more than `MAX_PIXELS`,
    ``ValueError`` for an unknown theme.
    """
    available("png")
    import resvg_py

    scale = picture.cell * _FINER if cell is None else cell
    pixels = picture.width * scale * picture.height * scale
    if pixels > MAX_PIXELS:
        raise PictureError(
            f"expected a picture of at most {MAX_PIXELS:,} pixels, found {pixels:,.0f}. "
            "Choose a smaller cell"
        )
    written = svg(picture, theme, cell=scale)
    font = fonts()
    # Load the fonts of this computer only for letters that the font lacks.
    foreign = lacked("".join(written.split()), heavy=False)
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=written,
            font_files=[str(font.regular), str(font.heavy)],
            sans_serif_family=font.family,
            font_family=font.family,
            skip_system_fonts=not foreign,
        )
    )


def available(suffix: str) -> None:
    """Raise `MissingExtra` unless files of this kind (``svg``, ``png``, ``pdf``) can be made."""
    needed = {"svg": (), "png": ("reportlab", "resvg_py"), "pdf": ("reportlab",)}[suffix]
    if any(find_spec(module) is None for module in needed):
        raise MissingExtra(f"{suffix.upper()} files", "pictures")


def corners(line: Line) -> list[Point]:
    """Return the points at which a line begins, turns or ends."""
    points = list(line.points)
    ring = [points[-1], *points, points[0]] if line.closed else [points[0], *points, points[-1]]
    kept = []
    for (x0, y0), (x, y), (x2, y2) in zip(ring, ring[1:], ring[2:], strict=False):
        at_end = not line.closed and (x, y) in (points[0], points[-1])
        if at_end or abs((x - x0) * (y2 - y) - (y - y0) * (x2 - x)) > 1e-9:
            kept.append((x, y))
    return kept


def _looks(shape: Shape, style: Style, scale: float) -> list[dict[str, str]]:
    """Return the attributes of the elements, from the lowest, for shapes like this one."""
    if isinstance(shape, Line | Disc):
        return [_stroke(one, scale) for one in shape.layers(style)]
    if isinstance(shape, Polygon):
        return [{"fill": style.color}]
    font = {"font-family": _FONTS, "font-size": _number(shape.size * scale)}
    if shape.role in HEAVY:
        font["font-weight"] = "600"
    return [{"fill": style.color, **font, "text-anchor": "start" if shape.start else "middle"}]


@lru_cache(maxsize=64)
def _stroke(stroke: Stroke, scale: float) -> dict[str, str]:
    attributes = {
        "fill": "none",
        "stroke": stroke.color,
        "stroke-width": _number(stroke.width * scale),
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
    }
    if stroke.dash:
        attributes["stroke-dasharray"] = " ".join(_number(part * scale) for part in stroke.dash)
    return attributes


def _path(shape: Line | Disc | Polygon, scale: float) -> str:
    """Return the path data of a shape."""
    if isinstance(shape, Disc):
        # A line of no length with round ends is a disc, and hundreds of them are one short element.
        return f"M{_place(shape.centre, scale)}h0"
    if isinstance(shape, Polygon):
        shape = Line(shape.role, shape.points, closed=True)
    points = corners(shape)
    written = [f"M{_place(points[0], scale)}"]
    for (x, y), (x2, y2) in pairwise(points):
        if y == y2:
            written.append(f"H{_number(x2 * scale)}")
        elif x == x2:
            written.append(f"V{_number(y2 * scale)}")
        else:
            written.append(f"L{_place((x2, y2), scale)}")
    return "".join(written) + "Z" * shape.closed


def _place(point: Point, scale: float) -> str:
    return f"{_number(point[0] * scale)},{_number(point[1] * scale)}"


def _number(value: float) -> str:
    """Return a number as text with at most two decimals, without trailing zeros.

    >>> _number(3.0), _number(2.5), _number(-0.001)
    ('3', '2.5', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Fonts(NamedTuple):
    """A font: its name, and its files in the regular weight and in a heavy one."""

    family: str
    regular: Path
    heavy: Path


@cache
def fonts() -> Fonts:
    """Return the font of this installation. Requires reportlab."""
    found = _folder("ttf_opensans")
    if found is not None:
        files = (found / "ttf" / f"OpenSans-{weight}.ttf" for weight in ("Regular", "SemiBold"))
        return Fonts("Open Sans", *files)
    found = _folder("reportlab")
    assert found is not None
    files = (found / "fonts" / name for name in ("Vera.ttf", "VeraBd.ttf"))
    return Fonts("Bitstream Vera Sans", *files)


def _folder(package: str) -> Path | None:
    spec = find_spec(package)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


@cache
def embedded(*, heavy: bool) -> Any:
    """Return the font of this weight, registered with reportlab under its ``fontName``."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    path = fonts().heavy if heavy else fonts().regular
    font = TTFont(path.stem, path)
    pdfmetrics.registerFont(font)
    return font


def lacked(text: str, *, heavy: bool) -> list[str]:
    """Return the letters of a text that the font lacks."""
    letters = embedded(heavy=heavy).face.charToGlyph
    return [letter for letter in text if ord(letter) not in letters]


def printable(text: str, *, heavy: bool) -> str:
    """Return the text with composed letters: ``u`` and two dots as ``ü``.

    Raises `PictureError` for letters that the font lacks.
    """
    composed = unicodedata.normalize("NFC", text)
    missing = lacked(composed, heavy=heavy)
    if missing:
        reason = f"the font of PDF files lacks {missing[0]!r}, in {text!r}"
        raise PictureError(f"{reason}. Use other letters, or write SVG or HTML")
    return composed
