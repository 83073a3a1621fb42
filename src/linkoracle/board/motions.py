"""`symmetries`: the motions of the plane that take a board to itself, found from its coordinates.

The same for every board. Squares have names for theirs, and can be turned to boards of another
size: see `linkoracle.board.symmetry`.
"""

from __future__ import annotations

from functools import lru_cache

from linkoracle.board.board import Board

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
    if board.points is None or board.num_vertices < 2:
        return (identity,)
    # As complex numbers, a rotation is a product, and a mirror image one of the conjugates.
    centre = complex(
        *(sum(values) / board.num_vertices for values in zip(*board.points, strict=True))
    )
    places = [complex(*point) - centre for point in board.points]
    size = max(map(abs, places))
    if size == 0:
        return (identity,)
    vertex_of: dict[tuple[int, int], int] = {}
    for vertex, place in enumerate(places):
        vertex_of[_rounded(place, size)] = vertex
    if len(vertex_of) < board.num_vertices:
        return (identity,)
    far = max(range(board.num_vertices), key=lambda vertex: abs(places[vertex]))
    edges = {board.ends(edge) for edge in range(board.num_edges)}
    found = {identity: None}
    for place in places:
        if abs(abs(place) - size) > _PRECISION * size:
            continue
        for mirrored in (False, True):
            seen = [place.conjugate() for place in places] if mirrored else places
            turn = place / seen[far]
            moved = [_near(vertex_of, one * turn, size) for one in seen]
            if None not in moved and len(set(moved)) == len(moved):
                permutation = tuple(vertex for vertex in moved if vertex is not None)
                if all(
                    tuple(sorted((permutation[one], permutation[other]))) in edges
                    for one, other in edges
                ):
                    found[permutation] = None
    return tuple(found)


def _rounded(place: complex, size: float) -> tuple[int, int]:
    unit = 4 * _PRECISION * size
    return round(place.real / unit), round(place.imag / unit)


def _near(vertex_of: dict[tuple[int, int], int], place: complex, size: float) -> int | None:
    """The vertex at a place; rounding may have taken it to the next square of a fine grid."""
    x, y = _rounded(place, size)
    for near in ((x + dx, y + dy) for dx in (0, -1, 1) for dy in (0, -1, 1)):
        if near in vertex_of:
            return vertex_of[near]
    return None


@lru_cache(maxsize=32)
def moved_faces(board: Board) -> tuple[tuple[int, ...], ...]:
    """Return where each symmetry of a board takes each face, the identity first.

    Symmetries that take a face to what is not one, as where a face is left out, do not count. The
    last few are kept.

    >>> from linkoracle.board.lattice import Lattice
    >>> moved_faces(Lattice(2, 3))
    ((0, 1), (1, 0), (0, 1), (1, 0))
    """
    face_of = {frozenset(board.walk(face)): face for face in range(board.num_faces)}
    found = []
    for moved in symmetries(board):
        images = [frozenset(moved[vertex] for vertex in walk) for walk in face_of]
        if all(image in face_of for image in images):
            found.append(tuple(face_of[image] for image in images))
    return tuple(found)


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
