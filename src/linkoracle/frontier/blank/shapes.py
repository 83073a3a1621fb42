"""`blank_board`: the blank board of a model. Recognise all but squares as graphs.

Numbers of vertices and edges leave one or two candidates. Whether a board is the same graph is
found by *colours*: in each round, a vertex gets a new colour from its old one and from those of its
neighbours (Weisfeiler and Leman, 1968). When that ends, one vertex in each graph gets a colour of
its own, and so on until all differ. The edges show whether the pairs of vertices of one colour are
a match. As equal colours mean symmetric vertices on these boards, no choice is taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import isqrt
from operator import attrgetter, itemgetter

from linkoracle.board import END, PASS, PASS_OR_SKIP, Board, LinkModel, neighbours
from linkoracle.frontier.blank.board import LEAST_WIDTH, BlankBoard, Place, Shape, orientations
from linkoracle.frontier.blank.ranks_kernel import PLACES
from linkoracle.frontier.blank.tracks import (
    MOST_ROWS,
    AnyBoard,
    TrackBoard,
    graph_of,
    triangle,
    triangular,
)

#: The fewest vertices around a cylinder, and one more than the most: a table has numbers of words
#: below 2^32.
_LEAST_AROUND, _MOST_AROUND = 3, 24


def blank_board(model: LinkModel) -> AnyBoard | None:
    """Return the blank board of a model in its cheapest orientation; ``None`` for other models.

    >>> from linkoracle.board import Lattice
    >>> blank_board(LinkModel.blank_paths(Lattice(4, 7), [(21, 0)])).ends
    ((6, 0), (6, 3))
    """
    if not model.only_masks or model.has_fixed_edges or model.has_face_rules:
        return None
    ends = [vertex for pair in model.terminals for vertex in pair]
    inner = set(model.degrees) if not ends else set(model.degrees.replace(bytes([END]), b""))
    is_blank = inner == {PASS} or inner == {PASS_OR_SKIP}
    if not is_blank or len(ends) != (0 if model.loop else 2):
        return None
    cover = inner == {PASS}
    # Without rows and columns of squares, a side is 0.
    rows, cols = (side + 1 for side in model.board.shape)
    if min(rows, cols) == 1:
        found = shape_of(model.board)
        if found is None or not ends:
            return found and replace(found, cover=cover)
        board, tracks = _tracks_of(model.board, found)
        if board is None:
            return None
        return _laid(replace(board, cover=cover), [tracks[vertex] for vertex in ends])
    if not LEAST_WIDTH <= min(rows, cols) <= PLACES:
        return None
    places = [divmod(vertex, cols) for vertex in ends]
    lying = orientations(rows, cols, cover, places)
    return min(lying, key=lambda board: (board.bytes, board.work, board.ends))


@lru_cache(maxsize=16)
def shape_of(board: Board) -> AnyBoard | None:
    """Return the blank board of a honeycomb, a cylinder or triangles; ``None`` for other boards.

    O(1) for most other boards.

    >>> from linkoracle.boards import named
    >>> shape_of(named("honeycomb 5 3"))
    BlankBoard(height=12, width=4, cover=False, ends=(), shape='honeycomb')
    >>> import networkx as nx
    >>> ring = nx.cartesian_product(nx.path_graph(4), nx.cycle_graph(5))
    >>> found = shape_of(Board.from_graph(ring))
    >>> found.cells, shape_of(Board.from_graph(nx.complete_graph(4)))
    ('a cylinder of 3x5 cells', None)
    """
    near = None
    for candidate, pattern in _candidates(board.num_vertices, board.num_edges):
        near = near or neighbours(board)
        if Counter(map(len, near)) == Counter(map(len, pattern)) and _match(near, pattern):
            return candidate
    return None


@lru_cache(maxsize=16)
def _tracks_of(board: Board, found: AnyBoard) -> tuple[TrackBoard | None, list[Place]]:
    """Return the rows of a recognised board, and the place of each vertex there."""
    tracks = found if isinstance(found, TrackBoard) else _as_tracks(found)
    if tracks.width > MOST_ROWS or tracks.width < LEAST_WIDTH:
        return None, []
    places = list(tracks.places)
    match = _match(neighbours(board), graph_of(tracks))
    return tracks, [places[at] for at in match]


def _as_tracks(board: BlankBoard) -> TrackBoard:
    """Return the same board with lines of a honeycomb, or lines along a cylinder, as rows."""
    rows = [(0, board.height)] * board.width
    if board.shape is Shape.HONEYCOMB:
        # As `honeycomb` has them.
        rows[0] = (0, board.height - 1)
        rows[-1] = (board.width % 2, board.height - 1)
    return TrackBoard(tuple(rows), shape=board.shape)


def _laid(board: TrackBoard, ends: list[Place]) -> TrackBoard:
    """Return the board with these terminals, turned so that a pass has the fewest words."""
    first = replace(board, ends=tuple(sorted(ends, key=itemgetter(1, 0))))
    every = [first, first.mirrored(rows=True)]
    every += [one.mirrored(rows=False) for one in every]
    return min(every, key=attrgetter("bytes", "work", "rows", "ends"))


def _candidates(vertices: int, edges: int) -> Iterator[tuple[AnyBoard, list[list[int]]]]:
    """Yield boards with these numbers, and the neighbours of their vertices."""
    # Others have fewer edges, but for triangular boards of a few rows.
    if edges >= 2 * vertices:
        for triangles in _triangles(vertices):
            if sum(map(len, graph_of(triangles))) == 2 * edges:
                yield triangles, graph_of(triangles)
        return
    around = 2 * vertices - edges
    if _LEAST_AROUND <= around < _MOST_AROUND and vertices % around == 0 and vertices > around:
        yield cylinder(vertices // around, around)
    # The product of the sides of a honeycomb in cells, and their sum.
    cells = edges - vertices + 1
    both = vertices // 2 - cells
    root = isqrt(max(0, both * both - 4 * cells))
    sides = (both + root) // 2, (both - root) // 2
    if vertices % 2 == 0 and sides[0] * sides[1] == cells > 0 and sum(sides) == both:
        for rows, cols in {sides, sides[::-1]}:
            if LEAST_WIDTH <= cols + 1 <= PLACES:
                yield honeycomb(rows, cols)


def _triangles(vertices: int) -> Iterator[TrackBoard]:
    """Yield triangular boards with so many vertices."""
    side = (isqrt(8 * vertices + 1) - 1) // 2
    if side * (side + 1) == 2 * vertices and 2 <= side <= MOST_ROWS:
        yield triangle(side)
    # A board of some rows of triangles has a row of vertices more, one longer than the other.
    for rows in range(1, min(MOST_ROWS, vertices)):
        more = (vertices - rows // 2) // (rows + 1) - 1
        for cols in range(max(more - 1, 1), more + 3):
            found = triangular(rows, cols)
            if found.vertices == vertices:
                yield found


def cylinder(length: int, around: int) -> tuple[BlankBoard, list[list[int]]]:
    """Return a cylinder, and the neighbours of its vertices.

    >>> cylinder(1, 4)[1]
    [[1, 3], [0, 2], [1, 3], [2, 0]]
    """
    pairs = []
    for first in range(0, length * around, around):
        pairs += [(first + at, first + (at + 1) % around) for at in range(around)]
    pairs += [(vertex, vertex + around) for vertex in range((length - 1) * around)]
    return BlankBoard(length, around, shape=Shape.CYLINDER), _near(length * around, pairs)


def honeycomb(rows: int, cols: int) -> tuple[BlankBoard, list[list[int]]]:
    """Return a honeycomb of cells, and the neighbours of its vertices.

    >>> [len(near) for near in honeycomb(1, 2)[1]]
    [2, 2, 2, 2, 3, 3, 2, 2, 2, 2]
    """
    height = 2 * rows + 2
    found = BlankBoard(height, cols + 1, shape=Shape.HONEYCOMB)
    # Lines, each from the top down; an outer line has no vertex at one of its ends.
    missing = {(0, height - 1), (cols, height - 1 if cols % 2 else 0)}
    places = [
        (line, at) for line in range(cols + 1) for at in range(height) if (line, at) not in missing
    ]
    number = {place: vertex for vertex, place in enumerate(places)}
    pairs = []
    for line, at in places:
        steps = [(line, at + 1)] + [(line + 1, at)] * ((line + at) % 2 == 0)
        pairs += [(number[line, at], number[there]) for there in steps if there in number]
    return found, _near(len(places), pairs)


def _near(number: int, pairs: list[tuple[int, int]]) -> list[list[int]]:
    """Return the neighbours of each vertex."""
    near: list[list[int]] = [[] for _ in range(number)]
    for one, other in pairs:
        near[one].append(other)
        near[other].append(one)
    return near


def _match(near: list[list[int]], pattern: list[list[int]]) -> list[int]:
    """Return the vertex of the pattern for each of a graph with as many vertices.

    It is empty for other graphs; for the same one, if no match was found.
    """
    number = len(near)
    both = [*near, *([other + number for other in others] for others in pattern)]
    colours = [len(others) for others in both]
    while True:
        colours = _refined(both, colours)
        ours, theirs = colours[:number], colours[number:]
        if sorted(ours) != sorted(theirs):
            return []
        place = {colour: vertex for vertex, colour in enumerate(theirs)}
        if len(place) == number:
            break
        shared = next(colour for colour, size in Counter(ours).items() if size > 1)
        colours[ours.index(shared)] = colours[number + theirs.index(shared)] = -1
    match = [place[colour] for colour in ours]
    agrees = all(
        sorted(match[other] for other in others) == sorted(pattern[match[vertex]])
        for vertex, others in enumerate(near)
    )
    return match if agrees else []


def _refined(near: list[list[int]], colours: list[int]) -> list[int]:
    """Return the colours after rounds until their number no longer grows."""
    before = 0
    while (now := len(set(colours))) > before:
        before = now
        names: dict[tuple[int, ...], int] = {}
        colours = [
            names.setdefault((colours[vertex], *sorted([colours[at] for at in others])), len(names))
            for vertex, others in enumerate(near)
        ]
    return colours
