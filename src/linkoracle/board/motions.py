"""`symmetries`: the motions of the plane that take a board to itself, found from its coordinates.

The same for every board. Squares have names for theirs, and can be turned to boards of another
size: see `linkoracle.board.symmetry`. `face_orbits` knows these names on all boards.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from linkoracle.board.board import Board
from linkoracle.board.symmetry import SYMMETRIES, group

#: Coordinates are equal if they differ by less than this part of the size of the board.
_PRECISION = 1e-6


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
    places = _Places.of(board)
    if places is None:
        return (identity,)
    at, size = places.at, places.size
    far = max(range(board.num_vertices), key=lambda vertex: abs(at[vertex]))
    found = {identity: None}
    for place in at:
        if abs(abs(place) - size) > _PRECISION * size:
            continue
        for mirrored in (False, True):
            permutation = places.moved(
                partial(_turned, start=at[far], end=place, mirrored=mirrored)
            )
            if permutation is not None:
                found[permutation] = None
    return tuple(found)


def _turned(point: complex, *, start: complex, end: complex, mirrored: bool) -> complex:
    """Return where the motion that takes ``start`` to ``end`` takes a point.

    As complex numbers, a rotation is a product, and a mirror image one of the conjugates.
    """
    if mirrored:
        point, start = point.conjugate(), start.conjugate()
    return point * (end / start)


class _Places:
    """The positions of the vertices, from the centre of the board, and the vertex at each."""

    def __init__(self, board: Board, at: list[complex], size: float) -> None:
        self.at, self.size = at, size
        self._edges = {board.ends(edge) for edge in range(board.num_edges)}
        self._vertex_of = {self._rounded(place): vertex for vertex, place in enumerate(at)}

    @classmethod
    def of(cls, board: Board) -> _Places | None:
        """Return the places of a board; ``None`` without coordinates, or if two are equal."""
        if board.points is None or board.num_vertices < 2:
            return None
        sums = (sum(values) for values in zip(*board.points, strict=True))
        centre = complex(*sums) / board.num_vertices
        at = [complex(*point) - centre for point in board.points]
        found = cls(board, at, max(map(abs, at)) or 1.0)
        return found if len(found._vertex_of) == board.num_vertices else None

    def moved(self, move: Callable[[complex], complex]) -> tuple[int, ...] | None:
        """Return where a motion takes each vertex; ``None`` if it changes the board."""
        permutation = []
        for place in self.at:
            if (vertex := self._near(move(place))) is None:
                return None
            permutation.append(vertex)
        if len(set(permutation)) < len(permutation):
            return None
        ends = ((permutation[one], permutation[other]) for one, other in self._edges)
        if any((min(two), max(two)) not in self._edges for two in ends):
            return None
        return tuple(permutation)

    def _rounded(self, place: complex) -> tuple[int, int]:
        unit = 4 * _PRECISION * self.size
        return round(place.real / unit), round(place.imag / unit)

    def _near(self, place: complex) -> int | None:
        """Return the vertex at a place, which may be rounded to the next square of a fine grid."""
        x, y = self._rounded(place)
        for near in ((x + dx, y + dy) for dx in (0, -1, 1) for dy in (0, -1, 1)):
            if near in self._vertex_of:
                return self._vertex_of[near]
        return None


@lru_cache(maxsize=32)
def motions(board: Board) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return where each symmetry of a board takes each face and each vertex, the identity first.

    Symmetries that do not take every face to a face are left out. The last few results are kept.

    >>> from linkoracle.board.lattice import Lattice
    >>> [faces for faces, _ in motions(Lattice(2, 3))]
    [(0, 1), (1, 0), (0, 1), (1, 0)]
    """
    found = ((_images(board, moved), moved) for moved in symmetries(board))
    return tuple((faces, moved) for faces, moved in found if faces is not None)


def _images(board: Board, moved: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return where a symmetry takes each face; ``None`` if it does not map faces to faces."""
    face_of = {frozenset(board.walk(face)): face for face in range(board.num_faces)}
    images = [face_of.get(frozenset(moved[vertex] for vertex in walk)) for walk in face_of]
    return None if None in images else tuple(face for face in images if face is not None)


def face_orbits(board: Board, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """Return the faces in sets that a named symmetry maps to each other, by their least members.

    The names are those of `linkoracle.board.symmetry`. Raises ``ValueError`` for another name, and
    for a symmetry that the board does not have.

    >>> from linkoracle.board.lattice import Lattice
    >>> face_orbits(Lattice(3, 3), "half-turn")
    ((0, 3), (1, 2))
    >>> face_orbits(Lattice(3, 4), "diagonal")
    Traceback (most recent call last):
        ...
    ValueError: expected a symmetry of this board (none, half-turn, left-right, top-bottom, both), \
got 'diagonal'
    """
    group(1, 1, symmetry)
    if symmetry == "none":
        return tuple((face,) for face in range(board.num_faces))
    places = _Places.of(board)
    images = _images_of_group(board, places, symmetry)
    if images is None:
        known = (name for name in SYMMETRIES if _images_of_group(board, places, name) is not None)
        raise ValueError(
            f"expected a symmetry of this board ({', '.join(known)}), got {symmetry!r}"
        )
    sets = (tuple(sorted(set(orbit))) for orbit in zip(*images, strict=True))
    return tuple(dict.fromkeys(sets))


def _images_of_group(
    board: Board, places: _Places | None, symmetry: str
) -> list[tuple[int, ...]] | None:
    """Return where each motion of a symmetry takes each face; ``None`` if the board lacks it."""
    images = [tuple(range(board.num_faces))]
    for isometry in group(1, 1, symmetry)[1:]:
        moved = None if places is None else places.moved(isometry.place)
        faces = None if moved is None else _images(board, moved)
        if faces is None:
            return None
        images.append(faces)
    return images


def moved_edges(board: Board, permutation: tuple[int, ...]) -> tuple[int, ...]:
    """Return where a symmetry takes each edge.

    >>> from linkoracle.board.lattice import Lattice
    >>> moved_edges(Lattice(2, 2), (1, 0, 3, 2))
    (0, 2, 1, 3)
    """
    edge_of = {board.ends(edge): edge for edge in range(board.num_edges)}
    moved = []
    for edge in range(board.num_edges):
        one, other = (permutation[end] for end in board.ends(edge))
        moved.append(edge_of[min(one, other), max(one, other)])
    return tuple(moved)
