"""Pictures as SVG: plain elements, no scripts or fonts from elsewhere, always the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from linkoracle.render.shapes import Area, Disc, Line, Picture, Point, Shape, Text
from linkoracle.render.themes import Style, theme_named

#: From the middle of a digit to its foot, in heights of the type: much the same in all sans serifs.
HALF_DIGIT = 0.36

_FONTS = "Helvetica, Arial, sans-serif"


def svg(picture: Picture, theme: str = "light", *, cell: float | None = None) -> str:
    """The picture as an SVG document, ``cell`` pixels to a cell; it grows and shrinks as a whole.

    Raises ``ValueError`` for an unknown theme.

    >>> from linkoracle import Slitherlink
    >>> from linkoracle.render import picture, svg
    >>> print(svg(picture(Slitherlink([[3]])), "print", cell=20).splitlines()[0][40:])
    viewBox="0 0 40 40" role="img" width="40" height="40">
    """
    chosen = theme_named(theme)
    scale = picture.cell if cell is None else cell
    width, height = _number(picture.width * scale), _number(picture.height * scale)
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "role": "img",
            "width": width,
            "height": height,
        },
        [
            Element("title", {}, [picture.title]),
            Element("rect", {"width": width, "height": height, "fill": chosen.background}),
        ],
    )
    for _, group in groupby(chosen.styled(picture), key=_look):
        drawn = list(group)
        root.children += _group([shape for shape, _ in drawn], drawn[0][1], scale)
    return str(root) + "\n"


@dataclass
class Element:
    """An element of an XML document. Texts and attributes are escaped.

    >>> print(Element("a", {"b": '"<'}, ["1 & 2"]))
    <a b="&quot;&lt;">1 &amp; 2</a>
    """

    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    def __str__(self) -> str:
        given = "".join(f' {name}="{escaped(text)}"' for name, text in self.attributes.items())
        if not self.children:
            return f"<{self.tag}{given}/>"
        if all(isinstance(child, str) for child in self.children):
            inner = "".join(escaped(str(child)) for child in self.children)
        else:
            inner = "\n" + "".join(f"{child}\n" for child in self.children)
        return f"<{self.tag}{given}>{inner}</{self.tag}>"


def escaped(text: str) -> str:
    """Text as it stands in XML, in an element or between double quotes."""
    for character, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(character, written)
    return text


def corners(line: Line) -> list[Point]:
    """The points of a line at which it begins, turns or ends."""
    points = list(line.points)
    ring = [points[-1], *points, points[0]] if line.closed else [points[0], *points, points[-1]]
    kept = []
    for before, here, after in zip(ring, ring[1:], ring[2:], strict=False):
        at_end = not line.closed and here in (points[0], points[-1])
        straight = abs(
            (here[0] - before[0]) * (after[1] - here[1])
            - (here[1] - before[1]) * (after[0] - here[0])
        )
        if at_end or straight > 1e-9:
            kept.append(here)
    return kept


def _look(drawn: tuple[Shape, Style]) -> tuple[object, ...]:
    """What shapes must have in common to be written as one element."""
    shape, style = drawn
    extra: tuple[object, ...] = ()
    if isinstance(shape, Line):
        extra = (shape.weight,)
    elif isinstance(shape, Disc):
        extra = (shape.radius,)
    elif isinstance(shape, Text):
        extra = (shape.size, shape.start)
    return type(shape), shape.role, style, extra


def _group(shapes: list[Shape], style: Style, scale: float) -> Iterator[Element]:
    first = shapes[0]
    name = {"class": first.role.replace(" ", "-")}
    if isinstance(first, Text):
        attributes = {
            **name,
            "fill": style.color,
            "font-family": _FONTS,
            "font-size": _number(first.size * scale),
            "text-anchor": "start" if first.start else "middle",
        }
        yield Element("g", attributes, list(_texts(shapes, scale)))
        return
    if isinstance(first, Line):
        data = "".join(_path(shape, scale) for shape in shapes if isinstance(shape, Line))
        yield Element("path", {**name, "d": data, **_stroke(style, first.weight, scale)})
        return
    if isinstance(first, Area):
        data = "".join(_rectangle(shape, scale) for shape in shapes if isinstance(shape, Area))
        yield Element("path", {**name, "d": data, "fill": style.color})
        return
    centres = [shape.centre for shape in shapes if isinstance(shape, Disc)]
    # A line of no length with round ends is a disc, and hundreds of them are one short element.
    data = "".join(f"M{_place(centre, scale)}h0" for centre in centres)
    layers = [(style.color, 2 * first.radius)]
    if style.outline is not None:
        layers = [
            (style.outline, 2 * first.radius),
            (style.color, 2 * (first.radius - style.width)),
        ]
    for color, width in layers:
        stroke = _stroke(Style(color, width), 1.0, scale)
        yield Element("path", {**name, "d": data, **stroke})


def _stroke(style: Style, weight: float, scale: float) -> dict[str, str]:
    attributes = {
        "fill": "none",
        "stroke": style.color,
        "stroke-width": _number(style.width * weight * scale),
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
    }
    if style.dash:
        attributes["stroke-dasharray"] = " ".join(_number(part * scale) for part in style.dash)
    return attributes


def _path(line: Line, scale: float) -> str:
    points = corners(line)
    written = [f"M{_place(points[0], scale)}"]
    for (x, y), (x2, y2) in pairwise(points):
        if y == y2:
            written.append(f"H{_number(x2 * scale)}")
        elif x == x2:
            written.append(f"V{_number(y2 * scale)}")
        else:
            written.append(f"L{_place((x2, y2), scale)}")
    return "".join(written) + "Z" * line.closed


def _rectangle(area: Area, scale: float) -> str:
    (x, y), (x2, y2) = area.corner, area.opposite
    right, down, left = (_number(part * scale) for part in (x2, y2, x))
    return f"M{_place((x, y), scale)}H{right}V{down}H{left}Z"


def _texts(shapes: Iterable[Shape], scale: float) -> Iterator[Element]:
    for shape in shapes:
        assert isinstance(shape, Text)
        x, y = shape.at
        foot = _number((y + HALF_DIGIT * shape.size) * scale)
        yield Element("text", {"x": _number(x * scale), "y": foot}, [shape.text])


def _place(point: Point, scale: float) -> str:
    return f"{_number(point[0] * scale)},{_number(point[1] * scale)}"


def _number(value: float) -> str:
    """At most two decimals, and no more than needed.

    >>> _number(3.0), _number(2.5), _number(-0.001)
    ('3', '2.5', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
