"""The symmetries of a board: turns and mirror images that take it to itself, from its coordinates.

The same code for squares, tilings and all other plane boards. A board, or a pattern of its faces,
*has a symmetry* when each isometry of a group takes it to itself; the groups have names:

===============  ==================================================================
``none``         the identity alone
``half-turn``    turned by 180 degrees
``quarter-turn`` turned by 90, 180 and 270 degrees
``left-right``   mirrored left to right
``top-bottom``   mirrored top to bottom
``both``         mirrored left to right and top to bottom, and so turned by half
``diagonal``     mirrored along the diagonal from the top left, so that rows are columns
``antidiagonal`` mirrored along the other diagonal
===============  ==================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple, get_args

from linkoracle.board.board import Board
from linkoracle.core import checked_word

Symmetry = Literal[
    "none",
    "half-turn",
    "quarter-turn",
    "left-right",
    "top-bottom",
    "both",
    "diagonal",
    "antidiagonal",
]
#: The names. On rectangles, those from ``diagonal`` on and ``quarter-turn`` need a square.
SYMMETRIES: tuple[Symmetry, ...] = get_args(Symmetry)

#: Where each face and each vertex of a board goes.
Image = tuple[tuple[int, ...], tuple[int, ...]]

#: Coordinates are equal if they differ by less than this part of the size of the board.
_PRECISION = 1e-6


class Isometry(NamedTuple):
    """A mirror image top to bottom if ``mirrored``, then a turn about the centre.

    The turn is a complex number of length 1, as turns of complex numbers are products.
    """

    turn: complex
    mirrored: bool = False

    def place(self, point: complex) -> complex:
        """Return where a point goes, as x + y * 1j from the centre, y down.

        >>> LEFT_RIGHT.place(2 + 1j)
        (-2+1j)
        """
        return self.turn * (point.conjugate() if self.mirrored else point)

    @property
    def swaps_axes(self) -> bool:
        """Whether rows become columns."""
        return abs(self.turn.imag) > abs(self.turn.real)


IDENTITY = Isometry(1)
HALF_TURN = Isometry(-1)
#: Clockwise.
QUARTER_TURN = Isometry(1j)
COUNTER_TURN = Isometry(-1j)
TOP_BOTTOM = Isometry(1, mirrored=True)
LEFT_RIGHT = Isometry(-1, mirrored=True)
DIAGONAL = Isometry(1j, mirrored=True)
ANTIDIAGONAL = Isometry(-1j, mirrored=True)

#: The isometries of each name, the identity first.
_GROUPS: dict[str, tuple[Isometry, ...]] = {
    "none": (IDENTITY,),
    "half-turn": (IDENTITY, HALF_TURN),
    "quarter-turn": (IDENTITY, HALF_TURN, QUARTER_TURN, COUNTER_TURN),
    "left-right": (IDENTITY, LEFT_RIGHT),
    "top-bottom": (IDENTITY, TOP_BOTTOM),
    "both": (IDENTITY, HALF_TURN, LEFT_RIGHT, TOP_BOTTOM),
    "diagonal": (IDENTITY, DIAGONAL),
    "antidiagonal": (IDENTITY, ANTIDIAGONAL),
}


class _Places:
    """A board by its coordinates: each vertex from the centre, and the vertex at each place."""

    def __init__(self, board: Board) -> None:
        points = [complex(*point) for point in board.points or ()]
        centre = sum(points) / max(1, len(points))
        self.at = [point - centre for point in points]
        self.size = max(map(abs, self.at), default=0.0) or 1.0
        self._board = board
        self._edges = {board.ends(edge) for edge in range(board.num_edges)}
        self._vertex_of = {self._rounded(place): vertex for vertex, place in enumerate(self.at)}
        #: Without coordinates, or if two vertices are in one place, nothing moves.
        self.differ = len(self._vertex_of) == board.num_vertices

    @cached_property
    def _face_of(self) -> dict[frozenset[int], int]:
        board = self._board
        return {frozenset(board.walk(face)): face for face in range(board.num_faces)}

    def image(self, isometry: Isometry) -> Image | None:
        """Return where an isometry takes faces and vertices; ``None`` if it changes the board."""
        if isometry == IDENTITY:
            return tuple(range(self._board.num_faces)), tuple(range(self._board.num_vertices))
        vertices = self.vertices(isometry)
        faces = None if vertices is None else self.faces(vertices)
        return None if vertices is None or faces is None else (faces, vertices)

    def vertices(self, isometry: Isometry) -> tuple[int, ...] | None:
        """Return where it takes each vertex; ``None`` if vertices or edges do not fit."""
        images = self.onto(isometry, self)
        if images is None or len(set(images)) < len(images):
            return None
        ends = ((images[one], images[other]) for one, other in self._edges)
        if any((min(two), max(two)) not in self._edges for two in ends):
            return None
        return images

    def onto(self, isometry: Isometry, other: _Places) -> tuple[int, ...] | None:
        """Return which vertex of another board lies where each one goes; ``None`` if one lacks."""
        if not (self.differ and other.differ):
            return None
        found = []
        for place in self.at:
            if (vertex := other._near(isometry.place(place))) is None:
                return None
            found.append(vertex)
        return tuple(found)

    def faces(self, vertices: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return where each face goes with its vertices; ``None`` if not to a face."""
        find = self._face_of.get
        images = [find(frozenset([vertices[one] for one in walk])) for walk in self._face_of]
        return None if None in images else tuple(face for face in images if face is not None)

    def _rounded(self, place: complex) -> tuple[int, int]:
        unit = 4 * _PRECISION * self.size
        return round(place.real / unit), round(place.imag / unit)

    def _near(self, place: complex) -> int | None:
        """Return the vertex at a place, which may be rounded to the next square of a fine grid."""
        x, y = self._rounded(place)
        if (vertex := self._vertex_of.get((x, y))) is not None:
            return vertex
        for near in ((x + dx, y + dy) for dx in (0, -1, 1) for dy in (0, -1, 1)):
            if near in self._vertex_of:
                return self._vertex_of[near]
        return None


def symmetries(board: Board) -> tuple[tuple[int, ...], ...]:
    """Return all symmetries as permutations of the vertices: entry *v* is where vertex *v* goes.

    Rotations and mirror images about the centre that take vertices to vertices and edges to edges;
    the identity first. A board without coordinates, or with two vertices in one place, has the
    identity only. O(vertices * symmetries), and more where many vertices are as far from the
    centre as the farthest one.

    >>> import networkx as nx
    >>> hexagon = Board.from_graph(nx.hexagonal_lattice_graph(1, 1))
    >>> len(symmetries(hexagon))
    12
    >>> from linkoracle.board.lattice import Lattice
    >>> len(symmetries(Lattice(3, 3))), len(symmetries(Lattice(3, 4)))
    (8, 4)
    """
    identity = tuple(range(board.num_vertices))
    places = _Places(board)
    if not places.differ or board.num_vertices < 2:
        return (identity,)
    start = max(places.at, key=abs)
    found = {identity: None}
    for end in places.at:
        if abs(abs(end) - places.size) > _PRECISION * places.size:
            continue
        for mirrored in (False, True):
            isometry = Isometry(end / (start.conjugate() if mirrored else start), mirrored)
            if (permutation := places.vertices(isometry)) is not None:
                found[permutation] = None
    return tuple(found)


@lru_cache(maxsize=32)
def motions(board: Board) -> tuple[Image, ...]:
    """Return where each symmetry of a board takes each face and each vertex, the identity first.

    Symmetries that do not take every face to a face are left out. The last few results are kept.

    >>> from linkoracle.board.lattice import Lattice
    >>> [faces for faces, _ in motions(Lattice(2, 3))]
    [(0, 1), (1, 0), (0, 1), (1, 0)]
    """
    places = _Places(board)
    found = ((places.faces(vertices), vertices) for vertices in symmetries(board))
    return tuple((faces, vertices) for faces, vertices in found if faces is not None)


@lru_cache(maxsize=32)
def images(board: Board, symmetry: str) -> tuple[Image, ...]:
    """Return where each isometry of a named symmetry takes each face and each vertex.

    The identity comes first. The last few results are kept. O(size). Raises ``ValueError`` for a
    name that is not one of `SYMMETRIES`, and for a symmetry that the board does not have.

    >>> from linkoracle.board.lattice import Lattice
    >>> [vertices for _, vertices in images(Lattice(1, 3), "half-turn")]
    [(0, 1, 2), (2, 1, 0)]
    >>> images(Lattice(3, 4), "diagonal")
    Traceback (most recent call last):
        ...
    ValueError: expected a symmetry of this board (none, half-turn, left-right, top-bottom, both), \
got 'diagonal'
    """
    checked_word(symmetry, "a symmetry", SYMMETRIES)
    places = _Places(board)
    found = [*map(places.image, _GROUPS[symmetry])]
    if None in found:
        known = (name for name in SYMMETRIES if all(map(places.image, _GROUPS[name])))
        raise ValueError(
            f"expected a symmetry of this board ({', '.join(known)}), got {symmetry!r}"
        )
    return tuple(image for image in found if image is not None)


@lru_cache(maxsize=32)
def orbits(board: Board, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """Return the sets of faces that a symmetry maps to each other, by their smallest members.

    A pattern of faces has the symmetry iff it is a union of these. The last few results are kept.
    Raises ``ValueError`` as `images` does.

    >>> from linkoracle.board.lattice import Lattice
    >>> orbits(Lattice(3, 3), "half-turn")
    ((0, 3), (1, 2))
    >>> orbits(Lattice(2, 4), "left-right")
    ((0, 2), (1,))
    """
    faces = (faces for faces, _ in images(board, symmetry))
    return tuple(dict.fromkeys(tuple(sorted({*orbit})) for orbit in zip(*faces, strict=True)))


def moved_vertices(board: Board, isometry: Isometry, onto: Board) -> tuple[int, ...]:
    """Return on which vertex of another board an isometry lays each vertex.

    Raises ``ValueError`` if there is none.

    >>> from linkoracle.board.lattice import Lattice
    >>> moved_vertices(Lattice(1, 3), QUARTER_TURN, Lattice(3, 1))
    (0, 1, 2)
    """
    vertices = _Places(board).onto(isometry, _Places(onto))
    if vertices is None:
        raise ValueError(f"this motion does not take {board!r} to {onto!r}")
    return vertices


def moved_edges(
    board: Board, permutation: Sequence[int], onto: Board | None = None
) -> tuple[int, ...]:
    """Return where each edge goes if its ends go to these vertices, of ``onto`` if given.

    >>> from linkoracle.board.lattice import Lattice
    >>> moved_edges(Lattice(2, 2), (1, 0, 3, 2))
    (0, 2, 1, 3)
    """
    onto = board if onto is None else onto
    edge_of = {onto.ends(edge): edge for edge in range(onto.num_edges)}
    ends = ([permutation[end] for end in board.ends(edge)] for edge in range(board.num_edges))
    return tuple(edge_of[min(two), max(two)] for two in ends)
