"""What a picture consists of: lines, discs, areas and texts, each with a role.

Positions and sizes are in cells of the board, x to the right and y down. A theme says what a role
looks like, a writer puts that into a file; neither knows what a puzzle is.
"""

from __future__ import annotations

from dataclasses import dataclass

#: A position as ``(x, y)``.
Point = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """A line through ``points``; ``weight`` times as wide as the theme has it."""

    role: str
    points: tuple[Point, ...]
    closed: bool = False
    weight: float = 1.0

    def moved(self, dx: float, dy: float) -> Line:
        return Line(self.role, _moved(self.points, dx, dy), self.closed, self.weight)


@dataclass(frozen=True)
class Disc:
    role: str
    centre: Point
    radius: float

    def moved(self, dx: float, dy: float) -> Disc:
        return Disc(self.role, _moved((self.centre,), dx, dy)[0], self.radius)


@dataclass(frozen=True)
class Area:
    """A filled rectangle, from its top-left corner to the opposite one."""

    role: str
    corner: Point
    opposite: Point

    def moved(self, dx: float, dy: float) -> Area:
        return Area(self.role, *_moved((self.corner, self.opposite), dx, dy))


@dataclass(frozen=True)
class Text:
    """One line of text of height ``size``: its middle at ``at``, or its left end with ``start``."""

    role: str
    at: Point
    text: str
    size: float
    start: bool = False

    def moved(self, dx: float, dy: float) -> Text:
        return Text(self.role, _moved((self.at,), dx, dy)[0], self.text, self.size, self.start)


Shape = Line | Disc | Area | Text


@dataclass(frozen=True)
class Picture:
    """Shapes on a rectangle of ``width`` x ``height`` cells, drawn in this order.

    ``title`` names the picture for those who cannot see it; ``cell`` is the number of pixels (in a
    PDF: points) that a cell has unless something else is asked for.
    """

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]
    cell: float

    def _repr_svg_(self) -> str:
        from linkoracle.render.svg_format import svg

        return svg(self)


def _moved(points: tuple[Point, ...], dx: float, dy: float) -> tuple[Point, ...]:
    return tuple((x + dx, y + dy) for x, y in points)
