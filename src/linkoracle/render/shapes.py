"""Shapes, each with a role, and themes, which define the style of each role.

Positions and sizes are in cells of the board, x to the right and y down. This module does not
depend on puzzles.

The themes ``light`` and ``dark`` are for screens. ``print`` is black on white, for any printer and
copier: it has dashes and hatching in place of colours. Only cells that the rules of a kind call
grey are grey. The palettes of lines and of light bands are Paul Tol's qualitative schemes, made for
all kinds of colour vision. Dark bands were searched for the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

#: From the middle of a digit to its foot, in heights of the type; similar in all sans serifs.
HALF_DIGIT = 0.36

#: A position as ``(x, y)``.
Point = tuple[float, float]


class Stroke(NamedTuple):
    """A colour, and a width and dashes in cells."""

    color: str
    width: float
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Line:
    """A line through ``points``, ``weight`` times as wide as in the theme."""

    role: str
    points: tuple[Point, ...]
    closed: bool = False
    weight: float = 1.0

    def moved(self, dx: float, dy: float) -> Line:
        return replace(self, points=tuple(_moved(point, dx, dy) for point in self.points))

    def layers(self, style: Style) -> list[Stroke]:
        """Return the strokes to draw, from the lowest."""
        return [Stroke(style.color, style.width * self.weight, style.dash)]


@dataclass(frozen=True)
class Disc:
    role: str
    centre: Point
    radius: float

    def moved(self, dx: float, dy: float) -> Disc:
        return replace(self, centre=_moved(self.centre, dx, dy))

    def layers(self, style: Style) -> list[Stroke]:
        """Return the strokes to draw, from the lowest, of length 0 and with round ends."""
        inner = Stroke(style.color, 2 * (self.radius - (style.width if style.outline else 0.0)))
        return [Stroke(style.outline, 2 * self.radius), inner] if style.outline else [inner]


@dataclass(frozen=True)
class Polygon:
    """A filled polygon."""

    role: str
    points: tuple[Point, ...]

    def moved(self, dx: float, dy: float) -> Polygon:
        return Polygon(self.role, tuple(_moved(point, dx, dy) for point in self.points))


@dataclass(frozen=True)
class Text:
    """One line of text of height ``size``: its middle at ``at``, or its left end with ``start``."""

    role: str
    at: Point
    text: str
    size: float
    start: bool = False

    @property
    def foot(self) -> Point:
        """The position of the text: the foot of its digits."""
        return self.at[0], self.at[1] + HALF_DIGIT * self.size

    def moved(self, dx: float, dy: float) -> Text:
        return replace(self, at=_moved(self.at, dx, dy))


Shape = Line | Disc | Polygon | Text


def _moved(point: Point, dx: float, dy: float) -> Point:
    return point[0] + dx, point[1] + dy


#: The names of the themes.
ThemeName = Literal["light", "dark", "print"]

#: The most solutions in one picture, and the number of colours of bands along paths.
SERIES, BANDS = 4, 6


@dataclass(frozen=True)
class Style:
    """A colour as ``#rrggbb``; the width of lines and outlines and the dashes, in cells.

    ``outline`` is the colour around a disc; ``core`` is that of a line half as wide on a line.
    """

    color: str
    width: float = 0.0
    dash: tuple[float, ...] = ()
    outline: str | None = None
    core: str | None = None


@dataclass(frozen=True)
class Theme:
    """The style of each role. Shapes whose role has no style are left out."""

    name: ThemeName
    background: str
    styles: dict[str, Style]

    def styled(self, shapes: Iterable[Shape]) -> Iterator[tuple[Shape, Style]]:
        """Yield the shapes to draw and their styles, in order."""
        for shape in shapes:
            style = self.styles.get(shape.role)
            if style is None:
                continue
            yield shape, style
            if style.core is not None:
                yield shape, Style(style.core, style.width / 2)


#: The dashes of lines of several solutions, besides their colours.
_DASHES: tuple[tuple[float, ...], ...] = ((), (0.2, 0.16), (0.01, 0.17), (0.34, 0.14, 0.01, 0.14))

#: On screens: the roles of each colour of a palette, and their widths.
_ON_SCREENS: dict[str, dict[str, float]] = {
    "paper": {"ground": 0.0, "number on black": 0.0, "arrow on black": 0.05},
    "ink": {
        **dict.fromkeys(("clue", "number", "pearl", "title", "caption", "step"), 0.0),
        "arrow": 0.05,
        "border": 0.08,
        "certain": 0.24,
        "given": 0.22,
        "given cross": 0.05,
    },
    "faint": {
        "frame": 0.05,
        "dot": 0.0,
        "hole": 0.0,
        **dict.fromkeys(("shaded", "known shaded", "known dot"), 0.0),
        "known": 0.13,
        "known cross": 0.05,
    },
    "grid": {"grid": 0.03, "closed": 0.0},
    "line": {"line": 0.13},
    "accent": {
        **dict.fromkeys(("end", "new shaded", "new dot"), 0.0),
        "share": 0.24,
        "new": 0.16,
        "new cross": 0.08,
    },
    "inside": {"inside": 0.0, "ice": 0.0},
    "face": {"face": 0.0},
}


def _screen(name: ThemeName, colors: str, series: str, bands: str) -> Theme:
    """Return a theme with these colours in the order of `_ON_SCREENS`."""
    palette = dict(zip(_ON_SCREENS, colors.split(), strict=True))
    styles = {
        role: Style(palette[color], width)
        for color, widths in _ON_SCREENS.items()
        for role, width in widths.items()
    }
    styles["terminal"] = Style(palette["paper"], 0.045, outline=palette["ink"])
    styles["grey pearl"] = Style(palette["grid"], 0.045, outline=palette["ink"])
    for number, (color, dash) in enumerate(zip(series.split(), _DASHES, strict=True)):
        styles[f"series {number}"] = Style(color, 0.1, dash)
    for number, color in enumerate(bands.split()):
        styles[f"band {number}"] = Style(color, 0.72)
        styles[f"path {number}"] = Style(palette["line"], 0.1)
    return Theme(name, palette["paper"], styles)


_LIGHT = _screen(
    "light",
    "#ffffff #1a1a1a #767676 #c4c4c4 #12406b #b3261e #cfe3f5 #ffe9a8",
    "#0077bb #cc3311 #009988 #aa3377",
    "#77aadd #eedd88 #ffaabb #44bb99 #ee8866 #bbcc33",
)
_DARK = _screen(
    "dark",
    "#14181d #f0f0f0 #8b949e #3a424c #9fd0ff #ff8a70 #243b55 #54470f",
    "#66ccee #ff8a70 #7fd34e #e8a0e0",
    "#4a588c #595000 #7c2841 #237970 #925944 #263b00",
)
_BLACK, _WHITE = "#000000", "#ffffff"
_PRINT = Theme(
    "print",
    _WHITE,
    {
        **dict.fromkeys(
            (
                *("dot", "pearl", "clue", "number", "hole", "shaded", "end"),
                *("title", "caption", "step"),
            ),
            Style(_BLACK),
        ),
        **dict.fromkeys(
            ("known shaded", "known dot", "new shaded", "new dot"),
            Style(_BLACK),
        ),
        # Rules call these cells grey.
        "closed": Style("#c4c4c4"),
        "ice": Style("#dcdcdc"),
        **dict.fromkeys(("ground", "halo", "number on black"), Style(_WHITE)),
        "grid": Style(_BLACK, 0.02),
        "frame": Style(_BLACK, 0.06),
        "arrow": Style(_BLACK, 0.05),
        "arrow on black": Style(_WHITE, 0.05),
        "border": Style(_BLACK, 0.08),
        "terminal": Style(_WHITE, 0.045, outline=_BLACK),
        "grey pearl": Style("#c4c4c4", 0.045, outline=_BLACK),
        "given": Style(_BLACK, 0.24),
        "given cross": Style(_BLACK, 0.05),
        "line": Style(_BLACK, 0.14),
        "share": Style(_BLACK, 0.26),
        "certain": Style(_BLACK, 0.26, core=_WHITE),
        "known": Style(_BLACK, 0.08),
        "known cross": Style(_BLACK, 0.035),
        "new": Style(_BLACK, 0.24),
        "new cross": Style(_BLACK, 0.1),
        "face outline": Style(_BLACK, 0.05, (0.12, 0.08)),
        "hatch": Style(_BLACK, 0.025),
        **{f"series {n}": Style(_BLACK, 0.09, dash) for n, dash in enumerate(_DASHES)},
        "path 0": Style(_BLACK, 0.14),
        "path 1": Style(_BLACK, 0.14, (0.01, 0.24)),
        "path 2": Style(_BLACK, 0.3, core=_WHITE),
        "path 3": Style(_BLACK, 0.1, (0.3, 0.18)),
        "path 4": Style(_BLACK, 0.07),
        "path 5": Style(_BLACK, 0.1, (0.4, 0.2, 0.01, 0.2)),
    },
)

_GREY = "#8c8c8c"
#: Like ``print``, with a grey board under wider lines: for solutions in a booklet.
ANSWER = Theme(
    "print",
    _WHITE,
    {
        role: style
        if (style.color == _WHITE and style.outline is None) or role.startswith(("line", "path"))
        else replace(
            style,
            color=_GREY if style.color == _BLACK else style.color,
            outline=style.outline and _GREY,
        )
        for role, style in _PRINT.styles.items()
    }
    | {
        "line": Style(_BLACK, 0.2),
        "given": Style(_BLACK, 0.3),
        "border": Style("#595959", 0.1),
        "closed": Style("#dedede"),
    },
)

#: The themes by name.
THEMES: dict[ThemeName, Theme] = {theme.name: theme for theme in (_LIGHT, _DARK, _PRINT)}


def theme_named(name: ThemeName) -> Theme:
    """Return the theme of this name; raise ``ValueError`` if there is none.

    >>> theme_named("print").background
    '#ffffff'
    """
    if name not in THEMES:
        raise ValueError(f"expected one of the themes {', '.join(THEMES)}, got {name!r}")
    return THEMES[name]
