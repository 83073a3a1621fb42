"""Clauses for paths between terminals: which path a vertex is on, and what holds of taut solutions.

Colours are stated on any board. Taut solutions are those of squares.

Edge *e* is variable ``e + 1``. Each vertex has a *colour*, the number of its path in binary, equal
along each chosen edge. The colour of an unused vertex means nothing. One variable for each pair and
vertex would need O(pairs) variables a vertex instead of O(log pairs), and decides no more of the
published puzzles.

A solution of a free board is *taut* when no path can be straightened and no corner pushed down;
``docs/explanation/taut.md`` defines this, and proves that no other solutions are needed to decide
uniqueness. Any side of the board may be the one that is down. The clauses state what follows from
the definition, which is more than the definition:

* **Chord.** Neighbours on one path are joined. So no face has three of its edges.
* **Corner.** A corner at v with an edge down has a fourth cell d, diagonally below it. Were d
  unused, v could be pushed down to d. So d is used, by another path, since anything else would be
  a chord. As the arms of v are in the way, d is a terminal or a corner that turns like v, and then
  the same holds of d. So the diagonal from v comes to a terminal; where it does not, a clause of
  two literals forbids the corner.
* **Cup.** A straight run with both ends going up. Were all cells above it, between its arms,
  unused, the arms would see each other. So one of them is used, by another path. That path
  cannot cross the run, so it ends there, or makes a narrower cup there. By induction there is a
  terminal in the triangle that stands on the run, one cell narrower at both ends in each row.

What hangs on a terminal, or stands on one, may do so on a hole as well.
"""

from itertools import combinations

from libc.stdint cimport int64_t, uint8_t

from linkoracle.board.plane cimport Plane, edge_between
from linkoracle.board.plane_kernel cimport PlaneArrays

from linkoracle.sat.clauses import on_path

cdef enum:
    STATED = 20_000  # clauses between two looks at the clock: some hundredths of a second
    GOES_ON = 0b100  # of the degree mask of a vertex that is no terminal and no hole
    WIDEST = 8  # edges of the longest cup that is forbidden: longer ones are rare, and their clauses long


cdef struct PathEncoding:
    Plane plane
    int rows  # of vertices, if it is a square board
    int cols
    const uint8_t *degrees
    bint turned  # whether its columns are seen as rows
    bint flipped  # whether rows are seen in the reverse order, after that
    int seen_rows
    int seen_cols


cdef inline int seen_vertex(const PathEncoding *b, int row, int col) noexcept nogil:
    """The vertex that is seen there."""
    row = b.seen_rows - 1 - row if b.flipped else row
    return col * b.cols + row if b.turned else row * b.cols + col


cdef inline int seen_right(const PathEncoding *b, int row, int col) noexcept nogil:
    """The variable of the edge that is seen to the right of a vertex."""
    return 1 + edge_between(&b.plane, seen_vertex(b, row, col), seen_vertex(b, row, col + 1))


cdef inline int seen_down(const PathEncoding *b, int row, int col) noexcept nogil:
    return 1 + edge_between(&b.plane, seen_vertex(b, row, col), seen_vertex(b, row + 1, col))


cdef inline int seen_beside(const PathEncoding *b, int row, int col, int side) noexcept nogil:
    """The variable of the edge to the right (``side`` 1) or to the left (-1)."""
    return seen_right(b, row, col if side > 0 else col - 1)


cdef inline bint supports(const PathEncoding *b, int row, int col) noexcept nogil:
    """Whether a terminal or a hole is seen there."""
    return not b.degrees[seen_vertex(b, row, col)] & GOES_ON


cdef bint cup_stands(const PathEncoding *b, int row, int first, int last) noexcept nogil:
    """Whether the triangle on the cells between two columns has a terminal or a hole."""
    cdef int height, col
    for height in range(1, min(row, (last - first) // 2) + 1):
        for col in range(first + height, last - height + 1):
            if supports(b, row - height, col):
                return True
    return False


cdef class PathClauses:
    """The clauses of one model of paths; raises ``ValueError`` for other models.

    >>> from linkoracle.board.lattice import Lattice
    >>> from linkoracle.board.model import LinkModel
    >>> from linkoracle.core.limits import Deadline
    >>> board = PathClauses(LinkModel.blank_paths(Lattice(1, 2), [(0, 1)]))
    >>> board.bits, board.num_colours, board.num_taut
    (1, 2, 3)
    >>> stated = []
    >>> board.state_colours(2, stated.append, Deadline(None))
    >>> stated
    [[-2], [-3], [-1, -2, 3], [-1, 2, -3]]
    """

    cdef PathEncoding board
    cdef PlaneArrays arrays  # of the board's plane
    cdef object model
    cdef bytes degrees
    #: The number of variables for the colour of a vertex.
    cdef readonly int bits

    def __cinit__(self, model: LinkModel):
        if model.loop:
            raise ValueError("expected a model of paths, got one of a loop")
        self.arrays = model.board.plane
        self.board.plane = self.arrays.plane
        if len(model.degrees) != self.board.plane.num_vertices:
            raise ValueError("expected a degree mask for each vertex")
        self.model, self.degrees = model, model.degrees
        self.board.degrees = self.degrees
        self.bits = max(1, (len(model.terminals) - 1).bit_length())

    @property
    def num_colours(self) -> int:
        """The number of variables for `state_colours`: ``bits`` for each vertex, lowest first."""
        return <int64_t>self.board.plane.num_vertices * self.bits

    @property
    def num_taut(self) -> int:
        """The number of further variables for `state_taut`: first whether each vertex is used."""
        return self.board.plane.num_vertices + <int64_t>self.board.plane.num_edges * self.bits

    def state_colours(self, int64_t colours, add: Add, deadline: Deadline) -> None:
        """Call ``add`` with each clause of the colours, whose first variable is ``colours``.

        O(edges * bits) clauses. Raises `SearchTimeout` at the deadline, before all are added.
        """
        cdef PathEncoding *b = &self.board
        cdef Stating stating = Stating(add, [], deadline)
        cdef int number, vertex, bit, edge, sign, size = self.bits
        cdef int64_t one, other
        for number, pair in enumerate(self.model.terminals):
            for vertex in pair:
                one = colours + <int64_t>vertex * size
                for literal in on_path(range(one, one + size), number):
                    stating.say([literal])
        for sign in range(1, -2, -2):
            for edge in range(b.plane.num_edges):
                one = colours + <int64_t>b.plane.ends[2 * edge] * size
                other = colours + <int64_t>b.plane.ends[2 * edge + 1] * size
                for bit in range(size):
                    stating.say([-1 - edge, -sign * (one + bit), sign * (other + bit)])

    def state_taut(
        self,
        int64_t colours,
        int64_t first,
        str side,
        list unless: list[int],
        add: Add,
        deadline: Deadline,
    ) -> None:
        """Call ``add`` with each clause that holds of taut solutions, with ``side`` down: squares.

        ``colours`` is the first variable of the colours, ``first`` that of the new ones; every
        clause has the literals ``unless``. O(vertices * bits) clauses. Raises ``ValueError`` for
        an invalid side, and `SearchTimeout` at the deadline, before all are added.
        """
        if side not in ("bottom", "top", "right", "left"):
            raise ValueError(f"expected a side of the board; got {side!r}")
        cdef PathEncoding b = self.board
        cdef Stating stating = Stating(add, unless, deadline)
        b.rows, b.cols = self.model.lattice.rows, self.model.lattice.cols
        say_chords(&b, stating, self.bits, colours, first)
        b.turned, b.flipped = side in ("right", "left"), side in ("top", "left")
        b.seen_rows, b.seen_cols = (b.cols, b.rows) if b.turned else (b.rows, b.cols)
        say_corners(&b, stating)
        say_cups(&b, stating)


cdef class Stating:
    """Clauses on their way to a solver."""

    cdef object add
    cdef object deadline
    cdef list unless
    cdef int said

    def __init__(self, add: Add, list unless: list[int], deadline: Deadline):
        self.add, self.unless, self.deadline = add, unless, deadline

    cdef int say(self, list clause) except -1:
        self.add(self.unless + clause if self.unless else clause)
        self.said += 1
        if self.said % STATED == 0:
            self.deadline.check()
        return 0


cdef int say_chords(PathEncoding *b, Stating stating, int bits, int64_t colours, int64_t used) except -1:
    """Used neighbours of equal colour are joined; so no face has three of its edges."""
    cdef int edge, vertex, k, bit, sign
    cdef int64_t one, other, differ = used + b.plane.num_vertices
    cdef list clause
    for edge in range(b.plane.num_edges):
        stating.say([-1 - edge, used + b.plane.ends[2 * edge]])
    for edge in range(b.plane.num_edges):
        stating.say([-1 - edge, used + b.plane.ends[2 * edge + 1]])
    for vertex in range(b.plane.num_vertices):
        clause = [-used - vertex]
        for k in range(b.plane.starts[vertex], b.plane.starts[vertex + 1]):
            clause.append(1 + b.plane.edges[k])
        stating.say(clause)
    for sign in range(1, -2, -2):
        for edge in range(b.plane.num_edges):
            one = colours + <int64_t>b.plane.ends[2 * edge] * bits
            other = colours + <int64_t>b.plane.ends[2 * edge + 1] * bits
            for bit in range(bits):
                stating.say(
                    [-differ - <int64_t>edge * bits - bit, sign * (one + bit), sign * (other + bit)]
                )
    for edge in range(b.plane.num_edges):
        clause = [edge + 1, -used - b.plane.ends[2 * edge], -used - b.plane.ends[2 * edge + 1]]
        for bit in range(bits):
            clause.append(differ + <int64_t>edge * bits + bit)
        stating.say(clause)
    for k in range(b.plane.num_faces):
        sides = [-1 - b.plane.face_edges[edge] for edge in range(4 * k, 4 * k + 4)]
        for three in combinations(sides, 3):
            stating.say([*three])
    return 0


cdef int say_corners(PathEncoding *b, Stating stating) except -1:
    """A corner with an edge down needs a diagonal that comes to a terminal or a hole."""
    cdef int side, row, col, beyond, down, beside
    #: Whether the diagonal from a vertex comes there.
    cdef bytearray hangs
    for side in range(-1, 2, 2):
        hangs = bytearray(b.plane.num_vertices)
        for row in range(b.seen_rows - 2, -1, -1):
            for col in range(max(0, -side), min(b.seen_cols, b.seen_cols - side)):
                if supports(b, row, col):
                    continue
                beyond = col + side
                down, beside = -seen_down(b, row, col), -seen_beside(b, row, col, side)
                if supports(b, row + 1, beyond):
                    stating.say([down, beside, -seen_down(b, row, beyond)])
                    stating.say([down, beside, -seen_beside(b, row + 1, beyond, -side)])
                elif hangs[(row + 1) * b.seen_cols + beyond]:
                    stating.say([down, beside, seen_down(b, row + 1, beyond)])
                    stating.say([down, beside, seen_beside(b, row + 1, beyond, side)])
                else:
                    stating.say([down, beside])
                    continue
                hangs[row * b.seen_cols + col] = True
    return 0


cdef int say_cups(PathEncoding *b, Stating stating) except -1:
    """A cup needs a terminal or a hole that it stands on."""
    cdef int row, first, last, col
    cdef list clause
    for row in range(1, b.seen_rows):
        for first in range(b.seen_cols):
            for last in range(first + 2, min(b.seen_cols, first + WIDEST + 1)):
                if not cup_stands(b, row, first, last):
                    clause = [-seen_down(b, row - 1, first)]
                    for col in range(first, last):
                        clause.append(-seen_right(b, row, col))
                    clause.append(-seen_down(b, row - 1, last))
                    stating.say(clause)
    return 0
