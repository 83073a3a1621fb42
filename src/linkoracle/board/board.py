"""`Board`: a plane graph, laid out once as flat arrays; what all puzzles and engines stand on.

A board has *vertices*, *edges* and *faces*, each numbered from 0:

* vertices have coordinates, x to the right and y down, where the board can be drawn;
* an edge joins two different vertices, the smaller id first; edges keep the order in which they
  are given; `Board.from_graph` and the boards of `linkoracle.boards` sort them by their ends;
* a face is bounded by a closed walk of edges. The unbounded outer face is not one of them. Faces
  keep the order in which they are given; `Board.from_graph` sorts them by their vertices.

`linkoracle.board.lattice.Lattice` is the square board, numbered in the same way without being
given a graph.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from math import atan2
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from linkoracle.core import NotSupported, checked_int, counted

if TYPE_CHECKING:
    import networkx as nx

    from linkoracle.board.plane_kernel import PlaneArrays

#: Ids are numbers of 32 bits.
MAX_EDGES = 2**31 - 1

#: Coordinates: x to the right, y down.
Point = tuple[float, float]

#: An edge as users name it: its id, or the two positions that it joins.
Edge = int | tuple[Any, Any]

#: In the array of faces beside an edge: none.
NO_FACE = -1


class Layout(NamedTuple):
    """A board as flat arrays of 32-bit ids, as kernels read it.

    A list of lists is two arrays: the items of list ``i`` are ``items[starts[i]:starts[i + 1]]``.
    """

    #: The two ends of each edge, the smaller first: shape ``(num_edges, 2)``.
    edge_ends: array[int]
    #: The two faces beside each edge, in increasing order; `NO_FACE` after them: same shape.
    edge_faces: array[int]
    #: The edges of each vertex, in the order of their angle: clockwise as drawn, from the right.
    vertex_starts: array[int]
    vertex_edges: array[int]
    #: The edges around each face, in increasing order, each once.
    face_starts: array[int]
    face_edges: array[int]


class Board:
    """A graph with faces: see the module. Immutable, hashable, comparable, picklable.

    ``edges`` are pairs of vertex ids, in the order of their numbers; ``faces`` closed walks of
    vertex ids; ``labels`` the names that positions have outside (the vertex ids themselves by
    default); ``points`` the coordinates. ``words`` describe the board to `linkoracle.boards.named`,
    if they can; comparisons ignore them. Usually built by `from_graph` or a constructor of
    `linkoracle.boards`. Validated in O(size).

    Raises ``ValueError`` for ids that are not whole numbers; for an edge that joins a vertex to
    itself, is given twice, or ends off the board; for a walk that does not follow edges; and for an
    edge with more than two faces beside it.

    >>> triangle = Board(3, [(0, 1), (2, 1), (0, 2)], [(0, 1, 2)])
    >>> triangle.num_vertices, triangle.num_edges, triangle.num_faces
    (3, 3, 1)
    >>> triangle.ends(1), triangle.edges_of(0), triangle.faces_of(2)
    ((1, 2), [0, 1, 2], [0])
    """

    #: Whether the theory of taut solutions covers the board: see `linkoracle.board.homotopy`.
    is_taut: ClassVar[bool] = False
    #: How JSON names a vertex or a face: see `vertex_of` and `face_of`.
    name_form: ClassVar[str] = "a number from 0"
    #: The attributes that make the board.
    _state: ClassVar[tuple[str, ...]] = (
        "_num_vertices",
        "_edges",
        "_edge_of",
        "_walks",
        "_labels",
        "points",
        "words",
    )

    def __init__(
        self,
        num_vertices: int,
        edges: Iterable[tuple[int, int]],
        faces: Iterable[Sequence[int]] = (),
        *,
        labels: Sequence[Hashable] | None = None,
        points: Sequence[Point] | None = None,
        words: str | None = None,
    ) -> None:
        self._num_vertices = checked_int(num_vertices, "a number of vertices", 0)
        self._edges = tuple(map(_ends, edges))
        self._edge_of = {pair: edge for edge, pair in enumerate(self._edges)}
        self._walks = tuple(map(_vertices, faces))
        self._labels = None if labels is None else tuple(labels)
        self.points = None if points is None else tuple((float(x), float(y)) for x, y in points)
        self.words = words
        self._check()

    def _check_pairs(self) -> None:
        if len(self._edge_of) < len(self._edges):
            again, pair = next(
                (edge, pair) for edge, pair in enumerate(self._edges) if self._edge_of[pair] != edge
            )
            second = self._edge_of[pair]
            raise ValueError(f"edges {again} and {second} of the board both join {pair}")

    def _check(self) -> None:
        self._check_pairs()
        for one, other in self._edges:
            if one == other:
                raise ValueError(f"an edge of the board joins vertex {one} to itself")
            if not 0 <= one < other < self.num_vertices:
                raise ValueError(f"no edge of {self.num_vertices} vertices: {one}, {other}")
        for sequence, what in ((self._labels, "labels"), (self.points, "points")):
            if sequence is not None and len(sequence) != self.num_vertices:
                raise ValueError(
                    f"the board has {self.num_vertices} vertices, but {len(sequence)} {what}"
                )
        if self._labels is not None and len(self._vertex_of) < self.num_vertices:
            raise ValueError("two vertices of the board have the same label")
        beside = bytearray(len(self._edges))
        for walk in self._walks:
            if not walk:
                raise ValueError("a face of the board has no vertices")
            for edge in self._along(walk):
                beside[edge] += 1
                if beside[edge] > 2:
                    raise ValueError(f"edge {edge} has more than two faces beside it")

    @staticmethod
    def from_graph(graph: nx.Graph[Any], points: dict[Any, Point] | None = None) -> Board:
        """Return the board of a `networkx` graph; nodes become vertices in their order.

        ``points`` are coordinates by node, by default the node attribute ``pos``, drawn with
        straight edges. A `networkx.PlanarEmbedding` needs none. Without either, and if
        `networkx.check_planarity` finds an embedding, that is taken. The faces are those of the
        drawing; there are none if edges cross in it, if the graph is not plane, or not connected.
        The labels of vertices are the nodes. O(n log n), and O(n**2) at worst to place vertices
        of an embedding.

        Raises ``ValueError`` for a graph with loops or several edges between two nodes, and for
        points that are missing.

        >>> import networkx as nx
        >>> board = Board.from_graph(nx.hexagonal_lattice_graph(2, 2))
        >>> board.num_vertices, board.num_edges, board.num_faces
        (16, 19, 4)
        >>> Board.from_graph(nx.petersen_graph()).num_faces
        0
        """
        from linkoracle.board.topology import drawn

        nodes, edges, faces, places = drawn(graph, points)
        return Board(len(nodes), edges, sorted(faces, key=sorted), labels=nodes, points=places)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        counts = f"{self.num_vertices} vertices, {self.num_edges} edges, {self.num_faces} faces"
        return f"<{type(self).__name__}: {counts}>"

    @cached_property
    def _key(self) -> tuple[object, ...]:
        return self._num_vertices, self._edges, self._walks, self._labels, self.points

    def __getstate__(self) -> dict[str, Any]:
        # Computed attributes are left out; they are computed again when needed.
        return {name: self.__dict__[name] for name in self._state}

    @cached_property
    def in_order(self) -> bool:
        """Whether edges are numbered in the order of their ends, as files number them."""
        return all(one < other for one, other in pairwise(self._edges))

    @property
    def num_vertices(self) -> int:
        return self._num_vertices

    @property
    def num_edges(self) -> int:
        return len(self._edges)

    @property
    def num_faces(self) -> int:
        return len(self._walks)

    @property
    def num_variables(self) -> int:
        """The number of variables of edges and visited vertices, before auxiliary ones."""
        return self.num_edges + self.num_vertices

    def position(self, vertex: int) -> Any:
        """Return the label of a vertex: what `Solution.paths` shows."""
        return vertex if self._labels is None else self._labels[vertex]

    @cached_property
    def _vertex_of(self) -> dict[Any, int]:
        return {self.position(vertex): vertex for vertex in range(self.num_vertices)}

    def edge(self, one: Any, other: Any) -> int:
        """Return the id of the edge between two labels; ``ValueError`` if there is none."""
        try:
            ends = self._vertex_of[one], self._vertex_of[other]
        except (KeyError, TypeError):
            raise ValueError(f"{one} and {other} are not both on the board") from None
        found = self._edge_of.get((min(ends), max(ends)))
        if found is None:
            raise ValueError(f"{one} and {other} are not neighbours")
        return found

    def edge_of(self, name: Edge) -> int:
        """Return the edge that a user names, by its id or by the two positions that it joins.

        Raises ``ValueError`` if the board has no such edge.

        >>> triangle = Board(3, [(0, 1), (2, 1), (0, 2)])
        >>> triangle.edge_of(1), triangle.edge_of((1, 2))
        (1, 1)
        """
        if isinstance(name, (tuple, list)) and len(name) == 2:
            try:
                return self.edge(*name)
            except TypeError:
                raise ValueError(
                    f"expected two positions that an edge joins, got {name!r}"
                ) from None
        return checked_int(name, "the id of an edge", 0, self.num_edges - 1)

    def visited(self, vertex: int) -> int:
        """Return the literal that says that a vertex has a chosen edge: see `Count`."""
        return self.num_edges + vertex + 1

    def ends(self, edge: int) -> tuple[int, int]:
        """Return the two ends of an edge, the smaller id first."""
        return self._edges[edge]

    def walk(self, face: int) -> tuple[int, ...]:
        """Return the vertices around a face, in the order of its boundary."""
        return self._walks[face]

    def edges_of(self, face: int) -> list[int]:
        """Return the edges around a face, in increasing order: those that its clue counts.

        An edge with the face on both sides, which ends in it, is there once.
        """
        return sorted(set(self._along(self.walk(face))))

    def faces_of(self, edge: int) -> list[int]:
        """Return the faces beside an edge, none to two, in increasing order."""
        at = 2 * edge
        return [face for face in self.layout.edge_faces[at : at + 2] if face != NO_FACE]

    def edges_at(self, vertex: int) -> list[int]:
        """Return the edges of a vertex, in the order of their angle."""
        layout = self.layout
        starts = layout.vertex_starts
        return layout.vertex_edges[starts[vertex] : starts[vertex + 1]].tolist()

    def border(self) -> tuple[list[int], list[int]]:
        """Return the vertices on the border of the board, in their order, and the edge after each.

        On squares that is clockwise from the top left. Raises ``ValueError`` for a board that is
        not bounded by one cycle.

        >>> Board(4, [(0, 1), (0, 2), (1, 3), (2, 3)], [(0, 1, 3, 2)]).border()
        ([0, 1, 3, 2], [0, 2, 3, 1])
        """
        from linkoracle.board.topology import border

        return border(self)

    def face_of(self, name: object) -> int:
        """Return the face that a user names; ``ValueError`` for none.

        The name is the number of the face, or a tuple of it, which cannot be meant as an edge.

        >>> triangle = Board(3, [(0, 1), (2, 1), (0, 2)], [(0, 1, 2)])
        >>> triangle.face_of(0), triangle.face_of((0,))
        (0, 0)
        """
        if isinstance(name, tuple) and len(name) == 1:
            (name,) = name
        if not isinstance(name, int) or isinstance(name, bool) or not 0 <= name < self.num_faces:
            raise ValueError(f"expected a face from 0 to {self.num_faces - 1}, got {name!r}")
        return name

    def face_name(self, face: int) -> Any:
        """Return how users name a face: what `face_of` takes."""
        return face

    @cached_property
    def face_names(self) -> tuple[Any, ...]:
        """The names of all faces, in their order."""
        return tuple(map(self.face_name, range(self.num_faces)))

    @cached_property
    def face_sides(self) -> tuple[list[tuple[Any, Any]], ...]:
        """The sides of each face, as the names of their two vertices; each side once."""
        names, sides = self.vertex_names, []
        for face in range(self.num_faces):
            walk = self.walk(face)
            steps = zip(walk, (*walk[1:], walk[0]), strict=True)
            # A line with the face on both sides is one side.
            ends = dict.fromkeys((min(step), max(step)) for step in steps)
            sides.append([(names[one], names[other]) for one, other in ends])
        return tuple(sides)

    def vertex_of(self, name: Any) -> int:
        """Return the vertex that a puzzle names: a number, as labels may be anything.

        Raises ``TypeError`` or ``ValueError`` for no vertex of the board.
        """
        return checked_int(name, "a vertex", 0, self.num_vertices - 1)

    def vertex_name(self, vertex: int) -> Any:
        """Return how puzzles name a vertex: what `vertex_of` takes."""
        return vertex

    @cached_property
    def vertex_names(self) -> tuple[Any, ...]:
        """The names of all vertices, in their order."""
        return tuple(map(self.vertex_name, range(self.num_vertices)))

    def steps(self, walk: Iterable[Any]) -> Iterator[Any]:
        """Yield the labels of a walk as `edge` takes them; ``ValueError`` for what is no label."""
        return iter(walk)

    def squares(self, expected: str = "a square board") -> Any:
        """Return the board as a `Lattice`; raise `NotSupported` if it is another.

        ``expected`` names in the message what was expected.

        >>> from linkoracle.board.lattice import Lattice
        >>> Lattice(2, 2).squares()
        Lattice(rows=2, cols=2)
        """
        found = self.words or f"a board of {counted(self.num_faces, 'face')}"
        raise NotSupported(f"expected {expected}, found {found}")

    @cached_property
    def dual(self) -> Board:
        """The board with a vertex for each face: see `linkoracle.board.topology.dual`."""
        from linkoracle.board.topology import dual

        found = dual(self)
        return Board(self.num_faces, found.edges, found.faces, points=found.points)

    def vertices_in_words(self, noun: str) -> str:
        """Return the vertices in words; a ``noun`` names one.

        >>> from linkoracle.board.lattice import Lattice
        >>> [board.vertices_in_words("dot") for board in (Board(2, [(0, 1)]), Lattice(2, 3))]
        ['2 dots', '2x3 dots']
        """
        return counted(self.num_vertices, noun)

    @property
    def shape(self) -> tuple[int, int]:
        """The rows and columns of cells; 0 and the number of faces on a board without them.

        >>> from linkoracle.board.lattice import Lattice
        >>> Lattice(3, 4).shape, Board(3, [(0, 1), (1, 2), (0, 2)], [(0, 1, 2)]).shape
        ((2, 3), (0, 1))
        """
        return 0, self.num_faces

    @property
    def vertex_shape(self) -> tuple[int, int]:
        """The rows and columns of vertices; 0 and their number on a board without them."""
        return 0, self.num_vertices

    @property
    def dimensions(self) -> dict[str, Any]:
        """The size as answers of programs have it.

        >>> from linkoracle.board.lattice import Lattice
        >>> Lattice(3, 4).dimensions
        {'rows': 2, 'cols': 3}
        >>> Board(3, [(0, 1), (1, 2), (0, 2)], [(0, 1, 2)]).dimensions
        {'board': None, 'faces': 1}
        """
        return {"board": self.words, "faces": self.num_faces}

    @property
    def cells_in_words(self) -> str:
        """The board in words, or its number of faces."""
        return self.words or counted(self.num_faces, "cell")

    def face_counts(self, marks: Sequence[int]) -> list[int]:
        """Return how many edges around each face are marked; a mark is 0 or 1, by edge."""
        layout = self.layout
        starts, edges = layout.face_starts, layout.face_edges
        return [
            sum([marks[edge] for edge in edges[starts[face] : starts[face + 1]]])
            for face in range(self.num_faces)
        ]

    def _along(self, walk: Sequence[int]) -> list[int]:
        """Return the edges of a closed walk of vertices."""
        steps = zip(walk, [*walk[1:], *walk[:1]], strict=True)
        try:
            return [self._edge_of[(one, two) if one < two else (two, one)] for one, two in steps]
        except KeyError as missing:
            raise ValueError(f"a face of the board needs the edge {missing.args[0]}") from None

    @cached_property
    def layout(self) -> Layout:
        """The flat arrays; computed once in O(size), not to be changed."""
        around: list[list[int]] = [[] for _ in range(self.num_vertices)]
        for edge in range(self.num_edges):
            for vertex in self.ends(edge):
                around[vertex].append(edge)
        if self.points is not None:
            for vertex, edges in enumerate(around):
                edges.sort(key=lambda edge, at=vertex: self._angle(at, edge))  # type: ignore[misc]
        faces = [self.edges_of(face) for face in range(self.num_faces)]
        beside: list[list[int]] = [[] for _ in range(self.num_edges)]
        for face, edges in enumerate(faces):
            for edge in edges:
                beside[edge].append(face)
        return Layout(
            array("i", [end for pair in map(self.ends, range(self.num_edges)) for end in pair]),
            array("i", [face for two in beside for face in (*two, NO_FACE, NO_FACE)[:2]]),
            *flat(around),
            *flat(faces),
        )

    @cached_property
    def plane(self) -> PlaneArrays:
        """The layout as kernels read it; computed once in O(size)."""
        from linkoracle.board.plane_kernel import PlaneArrays

        return PlaneArrays(self)

    def _angle(self, vertex: int, edge: int) -> float:
        """Return the angle at which an edge leaves a vertex: from 0, to the right, clockwise."""
        assert self.points is not None
        one, other = self.ends(edge)
        (x, y), (far_x, far_y) = self.points[vertex], self.points[one + other - vertex]
        angle = atan2(far_y - y, far_x - x)
        return angle if angle >= 0 else angle + 7

    @cached_property
    def sides(self) -> bytes | None:
        """For each vertex 0 or 1, so that every edge joins a 0 and a 1; ``None`` if none does.

        A checkerboard, on squares. O(size).
        """
        from linkoracle.board.topology import sides

        return sides(self)

    @cached_property
    def has_sides(self) -> bool:
        """Whether each cycle borders some faces, and edges that meet off it are on one side of it.

        See `linkoracle.board.topology.has_sides`. O(size).
        """
        from linkoracle.board.topology import has_sides

        return has_sides(self, NO_FACE)

    @cached_property
    def free_masks(self) -> tuple[int, ...]:
        """The count mask of each face that allows every number of edges."""
        starts = self.layout.face_starts
        return tuple((2 << starts[face + 1] - starts[face]) - 1 for face in range(self.num_faces))

    @cached_property
    def low_masks(self) -> tuple[int, ...]:
        """The count mask of each face up to its length less three: see ``engines.connectivity``.

        For any chosen edge of the face, this many others fit on it without touching that edge.
        For a face that is not bounded by one cycle, every count is low.
        """
        return tuple(
            (1 << len(walk) - 2) - 1 if len(set(walk)) == len(walk) > 2 else free
            for walk, free in zip(
                map(self.walk, range(self.num_faces)), self.free_masks, strict=True
            )
        )


def _ends(pair: Iterable[int]) -> tuple[int, int]:
    """Return the ends of an edge, the smaller first; raise ``ValueError`` if they are not two."""
    found = _vertices(pair)
    if len(found) != 2:
        raise ValueError(f"expected two vertices that an edge joins, got {found}")
    return min(found), max(found)


def _vertices(ids: Iterable[int]) -> tuple[int, ...]:
    """Return vertex ids as plain numbers; raise ``ValueError`` for anything else."""
    try:
        found = tuple(ids)
    except TypeError:
        raise ValueError(f"expected a list of vertices, got {ids!r}") from None
    # Nearly all boards are made of plain numbers.
    if set(map(type, found)) <= {int}:
        return found
    return tuple(checked_int(vertex, "a vertex") for vertex in found)


def flat(lists: Iterable[Iterable[int]]) -> tuple[array[int], array[int]]:
    """Return where each list begins, and all items: a list of lists as kernels read it."""
    starts, found = array("i", [0]), array("i")
    for items in lists:
        found.extend(items)
        starts.append(len(found))
    return starts, found
