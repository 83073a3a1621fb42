"""The shapes below and above the lines of a board, and those that fill regions and paths.

A kind states where its lines run and which figures it has; this module draws them.
"""

from __future__ import annotations

from collections.abc import Set
from itertools import groupby
from math import ceil, floor
from typing import Any

from linkoracle.board import Board, Solution
from linkoracle.kinds import DIRECTIONS, Figure, Puzzle
from linkoracle.render.places import Places, PlanePlaces
from linkoracle.render.shapes import BANDS, Disc, Line, Point, Polygon, Shape, Text

#: The radii of dots, of the ends of a line, of the ground between hatching and a clue, and of discs
#: under labels; and the height of clues.
_DOT, _END, _HALO, _LABEL, _CLUE = 0.07, 0.19, 0.36, 0.4, 0.72
#: The radius of small dots, and the height of clues of one character in which longer ones fit.
_SMALL, _WIDE = 0.12, 1.6
#: How far a number beside a line is from the middle of its cell, and its height.
_CORNER, _IN_CORNER = 0.29, 0.36
#: The height of numbers beside the grid.
_BESIDE_GRID = 0.55
#: Half the length of an arrow, its barbs, and its distance from the middle beside a number; the
#: height of the number.
_SHAFT, _BARB, _BESIDE, _ARROWED = 0.28, 0.12, 0.25, 0.55
#: The height of labels by their number of digits; longer labels shrink further.
_SIZES = {1: 0.6, 2: 0.48, 3: 0.36}


def below(puzzle: Puzzle, places: Places, walked: Set[Point] = frozenset()) -> list[Shape]:
    """Return the shapes below the lines: the dots, or the cells; and filled cells.

    There are no dots at the points in ``walked``.
    """
    figures = list(puzzle.figures())
    shapes: list[Shape] = []
    if isinstance(places, PlanePlaces):
        shapes += _sides(places, framed=puzzle.through_cells)
    elif puzzle.through_cells:
        rows, cols = puzzle.rows, puzzle.cols
        shapes += [Line("grid", ((0, row), (cols, row))) for row in range(1, rows)]
        shapes += [Line("grid", ((col, 0), (col, rows))) for col in range(1, cols)]
        shapes.append(Line("frame", ((0, 0), (cols, 0), (cols, rows), (0, rows)), closed=True))
    if not puzzle.through_cells:
        gaps = {figure.place for figure in figures if figure.look == "gap"}
        position = puzzle.board.position
        dots = (dot for dot in range(puzzle.board.num_vertices) if position(dot) not in gaps)
        shapes += [Disc("dot", at, _DOT) for at in map(places.point, dots) if at not in walked]
    grounds = [ground(one, places) for one in figures if one.look in _GROUNDS]
    borders = [_border(one) for one in figures if one.look == "border"]
    pearls = [
        Disc(_PEARLS[one.look], places.middle(one.place), _LABEL)
        for one in figures
        if one.look in _PEARLS and not one.text
    ]
    return [*grounds, *shapes, *borders, *pearls]


def _sides(places: PlanePlaces, *, framed: bool) -> list[Shape]:
    """Return the sides of faces; the frame has those at the border or at a missing face."""
    board, shapes = places.tiling, list[Shape]()
    for edge in range(board.num_edges):
        one, other = (places.vertices[end] for end in board.ends(edge))
        role = "frame" if framed and len(board.faces_of(edge)) < 2 else "grid"
        shapes.append(Line(role, (one, other)))
    # Draw the frame over the ends of other sides.
    return sorted(shapes, key=lambda shape: shape.role == "frame")


#: The roles of filled cells, and of circles, by look.
_GROUNDS = {"filled": "hole", "grey": "closed", "shaded": "shaded", "ice": "ice"}
_PEARLS = {"white": "terminal", "black": "pearl", "either": "grey pearl"}


def ground(figure: Figure, places: Places) -> Shape:
    """Return the area of a filled, closed or shaded cell; the frame of a white one."""
    if figure.text == "white":
        row, col = figure.place
        a, b = 0.06, 0.94
        around = ((col + a, row + a), (col + b, row + a), (col + b, row + b), (col + a, row + b))
        return Line("frame", around, closed=True)
    role = "pearl" if figure.text == "black" else _GROUNDS[figure.look]
    return Polygon(role, places.corners(figure.place))


def _border(figure: Figure) -> Shape:
    """Return the side between two cells."""
    (row, col), (row2, col2) = figure.place, figure.to or figure.place
    return Line("border", ((col2, row2), (col + 1, row + 1)))


def _arrow(figure: Figure, *, on_black: bool) -> list[Shape]:
    """Return a number with an arrow beside or above it; an arrow alone is in the middle."""
    roles = ("arrow on black", "number on black") if on_black else ("arrow", "clue")
    (row, col), number, direction = figure.place, figure.text[:-1], figure.text[-1]
    down, right = DIRECTIONS[direction]
    upright = direction in "ns"
    away = _BESIDE if number else 0.0
    x, y = col + 0.5 + (away if upright else 0.0), row + 0.5 - (0.0 if upright else away)
    tip = (x + _SHAFT * right, y + _SHAFT * down)
    shaft = Line(roles[0], ((x - _SHAFT * right, y - _SHAFT * down), tip))
    barbs = tuple(
        (tip[0] - _BARB * right + side * down, tip[1] - _BARB * down + side * right)
        for side in (-_BARB, _BARB)
    )
    head = Line(roles[0], (barbs[0], tip, barbs[1]))
    if not number:
        return [shaft, head]
    size = _ARROWED if len(number) == 1 else 0.8 * _ARROWED
    at = (col + (0.4 if upright else 0.5), row + (0.5 if upright else 0.6))
    return [shaft, head, Text(roles[1], at, number, size)]


def above(puzzle: Puzzle, places: Places, struck: Set[Point] = frozenset()) -> list[Shape]:
    """Return the shapes above the lines: clues, labels on discs, the ends of lines.

    Where a line of a solution passes the middle of a cell, a point of ``struck``, its number is
    small and in the corner, as in print.
    """
    discs: list[Shape] = []
    texts: list[Shape] = []
    ends: list[Shape] = []
    figures = list(puzzle.figures())
    black = {one.place for one in figures if (one.look, one.text) == ("grey", "black")}
    for figure in figures:
        look, place, text, to = figure
        if look == "dot":
            ends_at = places.middle(place), places.middle(to or place)
            x, y = ((one + other) / 2 for one, other in zip(*ends_at, strict=True))
            discs.append(Disc("terminal", (x, y), _SMALL))
            continue
        if to is not None or look == "gap":
            # Lines are drawn elsewhere.
            continue
        if look == "end":
            # The only look of a vertex.
            ends.append(Disc("end", places.point(puzzle.lattice.vertex(*place)), _END))
            continue
        middle, room = places.middle(place), places.room(place)
        if look == "beside":
            texts.append(Text("clue", middle, text, _BESIDE_GRID))
        elif look == "text" and puzzle.through_cells and middle in struck:
            x, y = middle
            texts.append(Text("clue", (x - _CORNER, y - _CORNER), text, room * _IN_CORNER))
        elif look == "text":
            texts.append(Text("clue", middle, text, room * min(_CLUE, _WIDE / len(text))))
        elif look == "label" or (look in _PEARLS and text):
            discs.append(Disc(_PEARLS.get(look, "terminal"), middle, room * _LABEL))
            size = room * _SIZES.get(len(text), 0.93 / len(text))
            role = "number on black" if look == "black" else "number"
            texts.append(Text(role, middle, text, size))
        elif look == "arrow":
            texts += _arrow(figure, on_black=figure.place in black)
    return [*discs, *texts, *ends]


def insides(puzzle: Puzzle, solution: Solution, places: Places) -> list[Shape]:
    """Return the areas inside the loop, or on one side of the open path, and their hatching."""
    faces = inner_faces(solution, loop=puzzle.model.loop)
    cells: list[Any] = [*map(solution.board.face_name, faces)]
    filled: list[Polygon] = []
    hatched: list[tuple[Point, Point]] = []
    if isinstance(places, PlanePlaces):
        filled = [Polygon("inside", places.corners(cell)) for cell in cells]
        hatched = [line for area in filled for line in _hatched(area.points)]
    else:
        # Cells side by side form one area.
        for _, run in groupby(enumerate(cells), lambda one: (one[1][0], one[1][1] - one[0])):
            (_, first), *_, (_, last) = [*run] * 2
            left, right = places.corners(first), places.corners(last)
            filled.append(Polygon("inside", (left[0], *right[1:3], left[3])))
        for row, col in cells:
            # Two strokes per cell, which continue in the next cell.
            hatched.append(((col, row + 0.5), (col + 0.5, row)))
            hatched.append(((col + 0.5, row + 1), (col + 1, row + 0.5)))
    clued: set[Any] = {cell for cell, _ in puzzle.clue_cells()}
    halos = (cell for cell in cells if cell in clued)
    return [
        *filled,
        *(Line("hatch", line) for line in hatched),
        *(Disc("halo", places.middle(cell), places.room(cell) * _HALO) for cell in halos),
    ]


def inner_faces(solution: Solution, *, loop: bool = True) -> list[int]:
    """Return the faces inside a loop on any board.

    Neighbours lie on different sides exactly when a line separates them. Without ``loop``, for an
    open path between two dots of the border, return the faces not on the side of the top-left cell.

    >>> from linkoracle.board import Lattice
    >>> inner_faces(Solution(Lattice(2, 3), (0, 1, 3, 5)))
    [0]
    """
    board, marks = solution.board, solution.marks()
    border = [edge for edge in range(board.num_edges) if len(board.faces_of(edge)) == 1]
    points = board.points
    if points is not None:
        # The outer border begins farther to the left than the border of any hole.
        border.sort(key=lambda edge: min(points[end][0] for end in board.ends(edge)))
    #: Whether a face is inside, by face; at first for faces at the border.
    sides: dict[int, bool] = {}
    for begun in border:
        (first,) = board.faces_of(begun)
        if first in sides:
            continue
        sides[first] = loop and bool(marks[begun])
        waiting = [first]
        for face in waiting:
            for edge in board.edges_of(face):
                for other in board.faces_of(edge):
                    if other not in sides:
                        sides[other] = sides[face] ^ bool(marks[edge])
                        waiting.append(other)
    return sorted(face for face, is_inside in sides.items() if is_inside)


def _hatched(corners: tuple[Point, ...]) -> list[tuple[Point, Point]]:
    """Return parallel lines in a polygon, from the lower left to the upper right, as on squares."""
    lines = []
    sums = [x + y for x, y in corners]
    for step in range(floor(2 * min(sums)), ceil(2 * max(sums)) + 1):
        level = step / 2 + 0.25
        cuts = []
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
            if (ax + ay > level) != (bx + by > level):
                part = (level - ax - ay) / (bx + by - ax - ay)
                cuts.append((ax + part * (bx - ax), ay + part * (by - ay)))
        cuts.sort()
        lines += list(zip(cuts[::2], cuts[1::2], strict=True))
    return lines


def bands(solution: Solution, places: Places) -> list[Shape]:
    """Return a band and a line along each path; neighbouring paths differ, up to `BANDS`."""
    walks = solution.walks()
    colours = colours_of(walks, solution.board)
    coloured = list(zip(colours, map(places.way, walks), strict=True))
    weight = places.least_room
    return [
        Line(f"{what} {one}", line, weight=weight)
        for what in ("band", "path")
        for one, line in coloured
    ]


def colours_of(walks: list[list[int]], board: Board) -> list[int]:
    """Return a colour below `BANDS` for each path: the least used by neighbours, then by all.

    >>> from linkoracle.board import Lattice
    >>> colours_of([[0, 1], [2, 3], [4, 5]], Lattice(3, 2))
    [1, 0, 2]
    """
    owner = {vertex: index for index, walk in enumerate(walks) for vertex in walk}
    touching: list[set[int]] = [set() for _ in walks]
    for edge in range(board.num_edges):
        one, other = (owner.get(end) for end in board.ends(edge))
        if one is not None and other is not None and one != other:
            touching[one].add(other)
            touching[other].add(one)
    colours: dict[int, int] = {}
    # Paths with most neighbours have the least choice, so they come first.
    for index in sorted(range(len(walks)), key=lambda walk: (-len(touching[walk]), walk)):
        near = [colours[other] for other in touching[index] if other in colours]
        used = list(colours.values())
        colours[index] = min(range(BANDS), key=lambda one: (near.count(one), used.count(one)))
    return [colours[index] for index in range(len(walks))]
