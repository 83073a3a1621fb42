"""Pictures of puzzles: unsolved, solved, with several solutions, edge frequencies or a marked step.

Each function returns a `Picture`, which notebooks show. `linkoracle.render.svg`, `png` and `pdf`
make files of pictures.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from linkoracle.board import Board, Solution
from linkoracle.formats import clean_name
from linkoracle.kinds import Puzzle, Slitherlink, edges_shown
from linkoracle.render import figures
from linkoracle.render.pictures import Picture
from linkoracle.render.places import MARGIN, places_of
from linkoracle.render.shapes import SERIES, Disc, Line, Point, Polygon, Shape, Text
from linkoracle.render.text import Drawn, drawn_on

#: The distance of solutions where they differ, and the least weight of a positive edge frequency.
_APART, _LEAST = 0.11, 0.12
#: Half the size of a cross, and of the ground that separates it from numbers beside it.
_CROSS, _GROUND = 0.13, 0.2
#: Half the side of the square in a cell that no line visits, and the radius of the dot in others.
_SHADED, _VISITED = {"known": 0.3, "new": 0.36}, 0.11
#: The inset of the outline of a cell, as a fraction of the way to its middle.
_INSET = 0.12
#: The heights of the numbers of faces, and of dots.
_NUMBER, _DOT_NUMBER = 0.4, 0.18
#: The roles of shapes drawn over numbers.
_ON_TOP = ("ground", "given cross", "known cross", "new cross", "step")
#: The first words of the roles of lines of a solution.
_SOLVED = ("line", "path", "series")
#: The roles of lines that hide the dots along them, which would look like beads.
_SOLID = ("given", "line", "certain", "known", "new")
#: The height of the numbers of steps, and the line spacing in heights of a line.
_STEP, _SIDE, _LEADING = 0.22, 0.22, 1.35
#: In pixels: the preferred longer side of a board; the least and the greatest size of a cell; the
#: height of a line of text.
_BOARD, _LEAST_CELL, _GREATEST_CELL, _TEXT = 900, 14, 40, 16
#: The greatest mean width of a character, in heights of the line; and the least number of
#: characters that fit in a line of text, even on small boards.
_CHARACTER, _FEWEST = 0.6, 36


@dataclass(frozen=True)
class Marks:
    """Marks on a board: edge ids, ids of vertices, and cells as ``(row, column)``, or faces.

    ``lines`` and ``crosses`` are known, vertices ``visited`` or ``unvisited`` (a cell is drawn
    shaded); what is ``new`` follows from them and from the clues at ``cells``, also that faces are
    inside or outside a loop. ``caption`` explains the step. Marks of vertices are drawn where lines
    run through cells.
    """

    lines: Iterable[int] = ()
    crosses: Iterable[int] = ()
    new_lines: Iterable[int] = ()
    new_crosses: Iterable[int] = ()
    cells: Iterable[Any] = ()
    caption: str | None = None
    visited: Iterable[int] = ()
    unvisited: Iterable[int] = ()
    new_visited: Iterable[int] = ()
    new_unvisited: Iterable[int] = ()
    new_inside: Iterable[int] = ()
    new_outside: Iterable[int] = ()


class _Key(NamedTuple):
    """An entry of a legend: a line of this role and weight, and its meaning."""

    role: str
    meaning: str
    weight: float = 1.0


def picture(
    puzzle: Puzzle,
    solution: Drawn | None = None,
    *,
    regions: bool = False,
    title: str | None = None,
    note: str = "",
    labels: bool = False,
) -> Picture:
    """Return the puzzle, with the lines of a solution if given, and ``note`` below the board.

    With ``regions``, the inside of lines between dots is filled, and each path through cells has
    a band of its own. With ``labels``, rows, columns or faces are named. ``solution`` is a
    `Solution` or the ids of its edges. Raises ``ValueError`` if ``puzzle`` is not a puzzle, for
    regions without a solution, or for a solution of another board.

    >>> from linkoracle import Slitherlink
    >>> drawn = picture(Slitherlink([[4, None]]), title="A small one")
    >>> drawn.title
    'A small one: Slitherlink, 1 x 2 cells'
    """
    solution = drawn_on(puzzle, solution)
    if solution is None:
        if regions:
            raise ValueError("regions need a solution")
        return _on_board(puzzle, [], what="", title=title, caption=note, labels=labels)
    places = places_of(puzzle)
    if regions and puzzle.through_cells:
        shapes = figures.bands(solution, places)
    else:
        shapes = figures.insides(puzzle, solution, places) if regions else []
        shapes += strokes(puzzle, "line", solution.edges)
        shapes += [figures.ground(one, places) for one in puzzle.solution_figures(solution)]
    return _on_board(puzzle, shapes, what=", solved", title=title, caption=note, labels=labels)


def board_picture(board: Board, *, numbers: bool = False) -> Picture:
    """Return a board without a puzzle: its dots and the sides of its faces.

    With ``numbers``, faces have their numbers in the middle, and dots at the upper right.
    Raises `NotSupported` for a board without coordinates.

    >>> from linkoracle import boards
    >>> board_picture(boards.honeycomb(2, 2), numbers=True).title
    'honeycomb 2 2'
    """
    puzzle = Slitherlink.on(board)
    places = places_of(puzzle)
    cells = map(board.face_name, range(board.num_faces))
    texts = [
        Text("caption", places.middle(cell), str(face), places.room(cell) * _NUMBER)
        for face, cell in enumerate(cells)
    ]
    for dot in range(board.num_vertices):
        x, y = places.point(dot)
        at = x + _DOT_NUMBER / 2, y - 0.6 * _DOT_NUMBER
        texts.append(Text("caption", at, str(dot), _DOT_NUMBER, start=True))
    drawn = _on_board(puzzle, texts if numbers else [], what="", title=None, caption=None)
    return replace(drawn, title=puzzle.size)


def overlay(
    puzzle: Puzzle, solutions: Sequence[Solution], *, title: str | None = None, note: str = ""
) -> Picture:
    """Return up to four solutions in one picture: a single line where they agree.

    ``note`` goes below the board, for example that there are more solutions.

    Raises ``ValueError`` for none or more than four, or solutions of another board.
    """
    if not 1 <= len(solutions) <= SERIES:
        raise ValueError(f"expected 1 to {SERIES} solutions, got {len(solutions)}")
    if len(solutions) == 1:
        return picture(puzzle, solutions[0], title=title, note=note)
    for solution in solutions:
        drawn_on(puzzle, solution)
    agreed = set(solutions[0].edges).intersection(*(one.edges for one in solutions))
    shapes: list[Shape] = [*strokes(puzzle, "line", agreed)]
    for number, solution in enumerate(solutions):
        # A diagonal shift separates lines in both directions, and corners still meet.
        by = (number - (len(solutions) - 1) / 2) * _APART
        own = strokes(puzzle, f"series {number}", set(solution.edges) - agreed)
        shapes += [line.moved(by, by) for line in own]
    legend = [_Key(f"series {n}", f"solution {n + 1}") for n in range(len(solutions))]
    if agreed:
        legend.insert(0, _Key("line", f"in all {len(solutions)} drawn"))
    what = f", {len(solutions)} solutions"
    return _on_board(puzzle, shapes, what=what, title=title, legend=legend, caption=note)


def shares(
    puzzle: Puzzle,
    by_edge: Mapping[int, Fraction | float],
    *,
    title: str | None = None,
    note: str = "",
) -> Picture:
    """Return every edge with its edge frequency, the fraction of solutions with it, as width.

    ``by_edge`` maps edge ids to frequencies from 0 to 1, as `linkoracle.frontier.Diagram` computes
    them with `edge_frequencies`. Missing edges have frequency 0. ``note`` goes below the board.
    """
    _check(puzzle, by_edge)
    if any(not 0 <= share <= 1 for share in by_edge.values()):
        raise ValueError("a share is from 0 to 1")
    certain = [edge for edge, share in by_edge.items() if share == 1]
    shapes = [
        Line("share", _ends(puzzle, edge), weight=max(_LEAST, float(share)))
        for edge, share in sorted(by_edge.items())
        if 0 < share < 1
    ]
    shapes += strokes(puzzle, "certain", certain)
    legend = [_Key("share", f"{percent}%", percent / 100) for percent in (10, 50, 90)]
    legend.append(_Key("certain", "all"))
    what = ", share of the solutions for each edge"
    return _on_board(puzzle, shapes, what=what, title=title, legend=legend, caption=note)


def marked(
    puzzle: Puzzle, marks: Marks, *, title: str | None = None, labels: bool = False
) -> Picture:
    """Return the board with a step of a solve path: known marks, new marks and their cells.

    With ``labels``, rows, columns or faces are named.

    >>> from linkoracle import Slitherlink
    >>> marks = Marks(new_lines=[0, 1, 2, 3], cells=[(0, 0)], caption="All around a 4")
    >>> marked(Slitherlink([[4]]), marks).title
    'Slitherlink, 1 x 1 cells, a step: All around a 4'
    """
    everything = [*marks.lines, *marks.crosses, *marks.new_lines, *marks.new_crosses]
    _check(puzzle, everything)
    shapes: list[Shape] = []
    places = places_of(puzzle)
    for cell in marks.cells:
        corners, (x, y) = places.corners(cell), places.middle(cell)
        shapes.append(Polygon("face", corners))
        around = tuple((a + _INSET * (x - a), b + _INSET * (y - b)) for a, b in corners)
        shapes.append(Line("face outline", around, closed=True))
    if puzzle.through_cells:
        # Lines show by themselves what they visit.
        lines = [*marks.lines, *marks.new_lines]
        seen = {vertex for edge in lines for vertex in puzzle.board.ends(edge)}
        visited, new_visited = (set(some) - seen for some in (marks.visited, marks.new_visited))
        shapes += _vertices(puzzle, "known", sorted(visited), marks.unvisited)
        shapes += _vertices(puzzle, "new", sorted(new_visited), marks.new_unvisited)
    shapes += _sides(puzzle, marks)
    shapes += strokes(puzzle, "known", marks.lines)
    shapes += _crosses(puzzle, "known cross", marks.crosses)
    shapes += strokes(puzzle, "new", marks.new_lines)
    shapes += _crosses(puzzle, "new cross", marks.new_crosses)
    about: Any = {"title": title, "caption": marks.caption, "labels": labels}
    return _on_board(puzzle, shapes, what=", a step", **about)


def numbered(
    puzzle: Puzzle,
    steps: Sequence[Marks],
    *,
    title: str | None = None,
    note: str = "",
    labels: bool = False,
) -> Picture:
    """Return the board with all steps of a solve path: each mark has the number of its step.

    The new marks of each of ``steps`` count, and of a step without any its cells. Numbers of lines
    are on the lines, others stand alone. With ``labels``, rows, columns or faces are named.

    >>> from linkoracle import Slitherlink
    >>> steps = [Marks(new_lines=[0, 1]), Marks(new_lines=[2, 3])]
    >>> numbered(Slitherlink([[4]]), steps).title
    'Slitherlink, 1 x 1 cells, its path'
    """
    lines = [edge for step in steps for edge in step.new_lines]
    _check(puzzle, [*lines, *(edge for step in steps for edge in step.new_crosses)])
    shapes: list[Shape] = [*strokes(puzzle, "known", lines)]
    places = places_of(puzzle)
    if puzzle.through_cells:
        missed = [vertex for step in steps for vertex in step.new_unvisited]
        shapes += _vertices(puzzle, "known", (), missed)
    for number, step in enumerate(steps, start=1):
        edges = [*step.new_lines, *step.new_crosses]
        at = [_middle(puzzle, edge) for edge in edges]
        if puzzle.through_cells:
            at += map(places.point, [*step.new_visited, *step.new_unvisited])
        at = at or [*map(places.middle, step.cells)]
        for place in at:
            shapes.append(Disc("ground", place, _GROUND * len(str(number)) / 2))
            shapes.append(Text("step", place, str(number), _STEP))
    return _on_board(puzzle, shapes, what=", its path", title=title, caption=note, labels=labels)


def strokes(puzzle: Puzzle, role: str, edges: Iterable[int]) -> list[Line]:
    """Return edges as few long lines; where edges branch, as one line each."""
    chosen = Solution(puzzle.board, tuple(edges))
    try:
        walks = chosen.walks()
    except ValueError:
        return [Line(role, _ends(puzzle, edge)) for edge in chosen]
    lines = []
    places = places_of(puzzle)
    for walk in walks:
        closed, points = walk[0] == walk[-1], places.way(walk)
        lines.append(Line(role, points[:-1] if closed else points, closed))
    return lines


def _crosses(puzzle: Puzzle, role: str, edges: Iterable[int]) -> list[Shape]:
    shapes: list[Shape] = []
    for edge in sorted(edges):
        x, y = _middle(puzzle, edge)
        if puzzle.through_cells:
            shapes.append(Disc("ground", (x, y), _GROUND))
        for way in (1, -1):
            start, end = (x - _CROSS, y - way * _CROSS), (x + _CROSS, y + way * _CROSS)
            shapes.append(Line(role, (start, end)))
    return shapes


def _middle(puzzle: Puzzle, edge: int) -> Point:
    points = _ends(puzzle, edge)
    # Lines through cells cross a side in the middle of three points.
    (x, y), (x2, y2) = points if len(points) == 2 else (points[1], points[1])
    return (x + x2) / 2, (y + y2) / 2


def _labels(puzzle: Puzzle, away: float) -> list[Shape]:
    """Return the names of rows and columns so far from the board, or of its faces in them."""
    return [Text("caption", *label) for label in places_of(puzzle).labels(away)]


def _vertices(
    puzzle: Puzzle, when: str, visited: Iterable[int], unvisited: Iterable[int]
) -> list[Shape]:
    """Return a dot in each visited cell, and a smaller square in each that is not."""
    places, shapes = places_of(puzzle), list[Shape]()
    for vertex in sorted(unvisited):
        x, y = places.point(vertex)
        half = _SHADED[when]
        around = ((x - half, y - half), (x + half, y - half), (x + half, y + half))
        shapes.append(Polygon(f"{when} shaded", (*around, (x - half, y + half))))
    return shapes + [Disc(f"{when} dot", places.point(vertex), _VISITED) for vertex in visited]


def _sides(puzzle: Puzzle, marks: Marks) -> list[Shape]:
    """Return the faces that a step shows to be inside, which are filled, or outside; in words."""
    places, board = places_of(puzzle), puzzle.board
    areas, words = list[Shape](), list[Shape]()
    for word, faces in (("in", marks.new_inside), ("out", marks.new_outside)):
        for face in sorted(faces):
            corners = tuple(map(places.point, board.walk(face)))
            x, y = (sum(axis) / len(corners) for axis in zip(*corners, strict=True))
            if word == "in":
                areas.append(Polygon("inside", corners))
            # Below the middle, where a clue may stand.
            lowest = max(high for _, high in corners)
            words.append(Text("caption", (x, (y + 2 * lowest) / 3), word, _SIDE))
    return [*areas, *words]


def _ends(puzzle: Puzzle, edge: int) -> tuple[Point, ...]:
    return places_of(puzzle).way(puzzle.board.ends(edge))


def _on_board(
    puzzle: Puzzle,
    shapes: Sequence[Shape],
    *,
    what: str,
    title: str | None,
    caption: str | None,
    legend: Sequence[_Key] = (),
    labels: bool = False,
) -> Picture:
    """Return the picture of a board with ``shapes``, a legend, texts and perhaps ``labels``.

    ``what`` is added to the title of the picture.
    """
    # Given lines are wider than the lines of a solution on them.
    shapes = [
        *strokes(puzzle, "given", edges_shown(puzzle, "given")),
        *shapes,
        *_crosses(puzzle, "given cross", edges_shown(puzzle, "cross")),
    ]
    # Areas and bands lie under the board, and crosses over it, as there is little room between
    # numbers.
    areas = [shape for shape in shapes if _is_area(shape)]
    crosses = [shape for shape in shapes if shape.role in _ON_TOP]
    others = [one for one in shapes if not _is_area(one) and one.role not in _ON_TOP]
    walked = {
        point
        for one in others
        if isinstance(one, Line) and one.role in _SOLID
        for point in one.points
    }
    places = places_of(puzzle)
    solved = (one for one in shapes if isinstance(one, Line) and one.role.split()[0] in _SOLVED)
    struck = {point for one in solved for point in one.points}
    below, above = figures.below(puzzle, places, walked), figures.above(puzzle, places, struck)
    # Numbers beside the grid take a row above it, and a column to the left.
    beside = any(figure.look == "beside" for figure in puzzle.figures())
    names = _labels(puzzle, 0.75 * MARGIN + beside) if labels else []
    everything = [*areas, *below, *others, *above, *crosses, *names]
    cell = cell_size(puzzle)
    height = _TEXT / cell
    title, caption = clean_name(title or "") or "", clean_name(caption or "") or ""
    width = float(places.width + beside)
    if title or legend or caption:
        width = max(width, _FEWEST * _CHARACTER * height)
    fit = int(width / (_CHARACTER * height))
    around: list[Shape] = []
    y = MARGIN
    for line in textwrap.wrap(title, int(fit / 1.15)):
        y += _LEADING * height * 1.15
        around.append(Text("title", (MARGIN + width / 2, y - height), line, height * 1.15))
    # The names of columns need room below the title.
    y += MARGIN / (1 if labels else 2) if title else 0.0
    left, y = MARGIN + (width - places.width + beside) / 2, y + beside
    board = [shape.moved(left, y) for shape in everything]
    y += places.height + MARGIN / 2
    for row in _rows(legend, width, height):
        y += _LEADING * height
        around += [shape.moved(MARGIN, y - height / 2) for shape in row]
    for line in textwrap.wrap(caption, fit):
        y += _LEADING * height
        around.append(Text("caption", (MARGIN, y - height / 2), line, height, start=True))
    name = ": ".join(part for part in (title, f"{described(puzzle)}{what}", caption) if part)
    return Picture(width + 2 * MARGIN, y + MARGIN / 2, name, (*board, *around), cell)


def _is_area(shape: Shape) -> bool:
    return isinstance(shape, Polygon) or shape.role.startswith("band ")


def _rows(legend: Sequence[_Key], width: float, height: float) -> list[list[Shape]]:
    """Return the rows of a legend around y = 0, each with as many columns as fit."""
    rows: list[list[Shape]] = []
    sample, gap = max(2.0 * height, 0.8), 0.5 * height
    longest = max((len(key.meaning) for key in legend), default=0)
    wide = sample + gap + _CHARACTER * height * longest
    x = width
    for key in legend:
        if x + wide > width:
            rows.append([])
            x = 0.0
        rows[-1].append(Line(key.role, ((x, 0.0), (x + sample, 0.0)), weight=key.weight))
        rows[-1].append(Text("caption", (x + sample + gap, 0.0), key.meaning, height, start=True))
        x += wide + height
    return rows


def cell_size(puzzle: Puzzle) -> float:
    """Return the pixels per cell: many on small boards, and readable clues on large ones.

    >>> from linkoracle import Numberlink
    >>> [cell_size(Numberlink([[None] * side])) for side in (5, 30, 100)]
    [40, 30, 14]
    """
    places = places_of(puzzle)
    return min(_GREATEST_CELL, max(_LEAST_CELL, int(_BOARD // max(places.width, places.height))))


def described(puzzle: Puzzle) -> str:
    """Return the kind, the size and the variant of a puzzle in a few words.

    >>> from linkoracle import Numberlink
    >>> described(Numberlink([[1, 1]], "fill"))
    'Numberlink, 1 x 2 cells, every cell used'
    """
    variant = puzzle.variants[puzzle.variant]
    size = f"{puzzle.title}, {puzzle.size}"
    return f"{size}, {variant}" if variant else size


def _check(puzzle: Puzzle, edges: Iterable[int]) -> None:
    for edge in edges:
        if not 0 <= edge < puzzle.board.num_edges:
            raise ValueError(f"no edge {edge} on this board")
