"""`Colouring`: faces in two colours with a line between them, and the loops that flip many faces.

Random numbers come from ``random``, the method of the caller's generator, one at a time and in the
order in which the same loop in Python would draw them.
"""

from array import array

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport exp
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

from linkoracle.board.flipping cimport (
    Faces, across, can_flip, flip, is_single, length_of, toggle, winds
)
from linkoracle.board.plane cimport NO_FACE, Plane, far_end
from linkoracle.core.arena cimport arena_close, arena_error, arena_open, arena_take

from linkoracle.board.solution import Solution

cdef enum:
    CHECKED = 1 << 14  # flips tried between two looks at signals
    UNKNOWN = 2  # the colour of a face while colours are worked out


cdef class Colouring:
    """A colour, 0 or 1, for each face of a plane ``board``, and the line where they differ.

    All faces are 0 at first, and so is what is outside the board, but beyond the edges ``outside``
    it is 1. Flips of faces that `can_flip` keep a single line single. The outside, and faces that
    are not bounded by one cycle, are never flipped.

    Raises ``ValueError`` for edges and faces that are not on the board, and `MemoryLimit`.

    >>> from linkoracle import Lattice
    >>> square = Colouring(Lattice(3, 3))
    >>> square.flip(0)
    >>> square.outline().paths()
    [[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]]
    >>> [square.can_flip(face) for face in range(4)]
    [False, True, True, False]
    """

    def __cinit__(self, board, *_, **__):
        cdef Faces *f = &self.faces
        arena_open(&self.arena, <size_t>-1)
        self._board, self.arrays = board, board.plane
        f.plane = self.arrays.plane
        f.line = <uint8_t *>self.room(f.plane.num_edges, 1)
        f.outside = <uint8_t *>self.room(f.plane.num_edges, 1)
        f.passed = <int32_t *>self.room(f.plane.num_vertices, sizeof(int32_t))
        f.count = <int32_t *>self.room(f.plane.num_faces, sizeof(int32_t))
        f.colour = <uint8_t *>self.room(f.plane.num_faces, 1)
        self.lay_walks()
        self.lay_around()

    def __init__(self, board: Board, outside: Iterable[int] = ()):
        cdef Py_ssize_t edge
        for edge in outside:
            if not 0 <= edge < self.faces.plane.num_edges:
                raise ValueError(f"expected edges of the board, got {edge}")
            self.faces.outside[edge] = 1
        self.recolour(bytes(self.faces.plane.num_faces))

    def __dealloc__(self):
        arena_close(&self.arena)

    cdef void *room(self, size_t count, size_t size) except NULL:
        cdef void *taken = arena_take(&self.arena, count, size)
        if taken == NULL:
            arena_error(&self.arena, "the colours of a board")
        return taken

    cdef int checked(self, Py_ssize_t face) except -1:
        if not 0 <= face < self.faces.plane.num_faces:
            raise ValueError(f"expected a face of the board, got {face}")
        return <int>face

    cdef int lay_walks(self) except -1:
        """The edges around each face in the order of its boundary, from the first edge on."""
        cdef Faces *f = &self.faces
        cdef Plane *p = &f.plane
        cdef int face, first, end, k, j, edge, vertex, onward
        cdef int size = p.face_starts[p.num_faces]
        f.walk = <int32_t *>self.room(size, sizeof(int32_t))
        f.corner = <int32_t *>self.room(size, sizeof(int32_t))
        f.simple = <uint8_t *>self.room(p.num_faces, 1)
        for face in range(p.num_faces):
            first, end = p.face_starts[face], p.face_starts[face + 1]
            if end - first < 3:
                continue
            edge = p.face_edges[first]
            vertex = p.ends[2 * edge]
            f.simple[face] = True
            for k in range(first, end):
                f.walk[k], f.corner[k] = edge, vertex
                vertex, onward = far_end(p, edge, vertex), -1
                for j in range(first, end):
                    if p.face_edges[j] != edge and vertex in (
                        p.ends[2 * p.face_edges[j]], p.ends[2 * p.face_edges[j] + 1]
                    ):
                        # A vertex with three edges of the face stands twice in its boundary.
                        f.simple[face] = f.simple[face] and onward < 0
                        onward = p.face_edges[j]
                if onward < 0 or (onward == f.walk[first]) != (k == end - 1):
                    f.simple[face] = False
                    break
                edge = onward
        for face in range(p.num_faces):
            for k in range(p.face_starts[face], p.face_starts[face + 1]):
                if not f.simple[face]:
                    f.walk[k] = p.face_edges[k]
                    f.corner[k] = p.ends[2 * f.walk[k]]
        return 0

    cdef int lay_around(self) except -1:
        """What is around each face that is bounded by a cycle."""
        cdef Faces *f = &self.faces
        cdef Plane *p = &f.plane
        cdef int face, first, end, k, j, side, edge, onward, vertex, other
        cdef int border, corner, here, at = 0
        cdef size_t most = 0
        for k in range(p.face_starts[p.num_faces]):
            most += 2 + p.starts[f.corner[k] + 1] - p.starts[f.corner[k]]
        f.around = <int32_t *>self.room(most, sizeof(int32_t))
        f.is_side = <uint8_t *>self.room(most, 1)
        f.around_starts = <int32_t *>self.room(p.num_faces + 1, sizeof(int32_t))
        for face in range(p.num_faces):
            first, end = p.face_starts[face], p.face_starts[face + 1]
            for k in range(first, end if f.simple[face] else first):
                edge, onward = f.walk[k], f.walk[k + 1 if k + 1 < end else first]
                vertex = far_end(p, edge, f.corner[k])
                other = across(p, edge, face)
                f.around[at], f.is_side[at] = other if other >= 0 else ~edge, True
                at += 1
                corner, border = at, -1
                for j in range(p.starts[vertex], p.starts[vertex + 1]):
                    for side in range(2):
                        other = p.faces[2 * p.edges[j] + side]
                        if other < 0:
                            # Beyond an edge of the border that another face has, if there is one.
                            if border < 0 or border == edge or p.edges[j] not in (edge, onward):
                                border = p.edges[j]
                        elif other not in (face, across(p, edge, face), across(p, onward, face)):
                            # Each once, though two edges have it beside them.
                            here = corner
                            while here < at and f.around[here] != other:
                                here += 1
                            if here == at:
                                f.around[at] = other
                                at += 1
                if border >= 0:
                    f.around[at] = ~border
                    at += 1
            f.around_starts[face + 1] = at
        return 0

    @property
    def board(self) -> Board:
        return self._board

    @property
    def colours(self) -> bytes:
        """The colour of each face."""
        return self.faces.colour[: self.faces.plane.num_faces]

    def paint(self, const uint8_t[::1] colours not None: bytes) -> None:
        """Give each face a colour; the line runs where they differ."""
        self.recolour(colours)

    cdef int recolour(self, const uint8_t[::1] colours) except -1:
        cdef Faces *f = &self.faces
        cdef int edge, face, side
        cdef uint8_t found
        if colours.shape[0] != f.plane.num_faces:
            raise ValueError("expected a colour for each face")
        for face in range(f.plane.num_faces):
            f.colour[face] = colours[face] & 1
        for edge in range(f.plane.num_edges):
            found = f.outside[edge]
            if f.plane.faces[2 * edge + 1] >= 0:
                found = f.colour[f.plane.faces[2 * edge + 1]]
            if f.plane.faces[2 * edge] >= 0:
                found ^= f.colour[f.plane.faces[2 * edge]]
            if found != f.line[edge]:
                toggle(f, edge)
        return 0

    def load(self, line: Iterable[int]) -> None:
        """Take the colours between which these edges run."""
        cdef Faces *f = &self.faces
        cdef Plane *p = &f.plane
        cdef Py_ssize_t edge
        cdef int face, k, other, at = 0
        cdef list waiting = []
        for k in range(p.num_edges):
            if f.line[k]:
                toggle(f, k)
        for edge in line:
            if not 0 <= edge < p.num_edges:
                raise ValueError(f"expected edges of the board, got {edge}")
            if not f.line[edge]:
                toggle(f, <int>edge)
        memset(f.colour, UNKNOWN, p.num_faces)
        for k in range(p.num_edges):
            face = p.faces[2 * k]
            if face >= 0 and p.faces[2 * k + 1] < 0 and f.colour[face] == UNKNOWN:
                f.colour[face] = f.line[k] ^ f.outside[k]
                waiting.append(face)
        while at < len(waiting):
            face = waiting[at]
            at += 1
            for k in range(p.face_starts[face], p.face_starts[face + 1]):
                other = across(p, p.face_edges[k], face)
                if other >= 0 and f.colour[other] == UNKNOWN:
                    f.colour[other] = f.colour[face] ^ f.line[p.face_edges[k]]
                    waiting.append(other)
        for face in range(p.num_faces):
            f.colour[face] &= 1

    def outline(self) -> Solution:
        """The line between the two colours."""
        cdef int edge
        edges = [edge for edge in range(self.faces.plane.num_edges) if self.faces.line[edge]]
        return Solution(self._board, tuple(edges))

    def flip(self, Py_ssize_t face) -> None:
        """Change the colour of a face."""
        flip(&self.faces, self.checked(face))

    def can_flip(self, Py_ssize_t face) -> bool:
        """Whether the line stays a single one when this face changes its colour."""
        return can_flip(&self.faces, self.checked(face))

    def is_inside(self, Py_ssize_t face) -> bool:
        """Whether a face has the colour 1."""
        return self.faces.colour[self.checked(face)] == 1

    def count(self, Py_ssize_t face) -> int:
        """How many edges of the line are around a face."""
        return self.faces.count[self.checked(face)]

    def added(self, Py_ssize_t face) -> int:
        """By how much the line grows when this face changes its colour."""
        return length_of(&self.faces, self.checked(face)) - 2 * self.faces.count[face]

    def is_visited(self, Py_ssize_t vertex) -> bool:
        """Whether the line passes through a vertex, or ends there."""
        if not 0 <= vertex < self.faces.plane.num_vertices:
            raise ValueError(f"expected a vertex of the board, got {vertex}")
        return self.faces.passed[vertex] > 0

    def across(self, Py_ssize_t face) -> list[int]:
        """The faces beyond the edges around a face, in their order; -1 for the outside."""
        cdef Plane *p = &self.faces.plane
        cdef int k, one = self.checked(face)
        return [
            across(p, self.faces.walk[k], one) for k in range(p.face_starts[one], p.face_starts[one + 1])
        ]

    def meeting(self, Py_ssize_t vertex) -> list[int]:
        """The faces that meet at a vertex."""
        cdef Plane *p = &self.faces.plane
        cdef int k, side
        if not 0 <= vertex < p.num_vertices:
            raise ValueError(f"expected a vertex of the board, got {vertex}")
        found = {
            p.faces[2 * p.edges[k] + side]
            for k in range(p.starts[vertex], p.starts[vertex + 1]) for side in range(2)
        }
        return sorted(found - {NO_FACE})

    def contact(self, Py_ssize_t face, Py_ssize_t place) -> int:
        """How the face across the edge at a place around a face touches faces of the colour 1.

        Those are ahead (2) that do not touch the edge. Else they are beside it, and share an edge
        with that face (1) or do not (0). The face itself does not count.
        """
        cdef Faces *f = &self.faces
        cdef int k, j, edge, new, other, found = 0
        cdef bint near
        if not 0 <= place < length_of(f, self.checked(face)):
            raise ValueError(f"expected a place around the face, got {place}")
        edge = f.walk[f.plane.face_starts[face] + place]
        new = self.checked(across(&f.plane, edge, <int>face))
        for k in range(f.around_starts[new], f.around_starts[new + 1]):
            other = f.around[k]
            if other < 0 or other == face or not f.colour[other]:
                continue
            near = False
            for j in range(f.plane.face_starts[other], f.plane.face_starts[other + 1]):
                if f.corner[j] in (f.plane.ends[2 * edge], f.plane.ends[2 * edge + 1]):
                    near = True
            if not near:
                return 2
            if f.is_side[k]:
                found = 1
        return found

    def around(self, Py_ssize_t face) -> list[int]:
        """The faces that share an edge or a vertex with a face, in the order of its boundary."""
        cdef Faces *f = &self.faces
        cdef int k, one = self.checked(face)
        places = range(f.around_starts[one], f.around_starts[one + 1])
        return list(dict.fromkeys([f.around[k] for k in places if f.around[k] >= 0]))

    def is_single_line(self) -> bool:
        """Whether the line is one loop, or one path, by a look at all edges. O(size)."""
        return is_single(&self.faces)

    def stir(
        self,
        dict worth not None: dict[int, list[float]],
        Py_ssize_t tries,
        random: Callable[[], float],
    ) -> None:
        """Try to flip ``tries`` random faces, each with the probability that its change is worth.

        ``worth`` has a list for each number of edges around a face, with a value for each number of
        these that may be on the line. A flip that is worth more is always made, one that is worth
        *d* less with probability exp(-*d*). O(tries).
        """
        cdef Faces *f = &self.faces
        cdef Plane *p = &f.plane
        cdef Py_ssize_t number
        cdef int face, other, k, here
        cdef double gain
        # By face, where the values for its number of edges begin.
        cdef int32_t[::1] first = array("i", bytes(p.num_faces * sizeof(int32_t)))
        cdef double[::1] value
        cdef dict begins = {}
        values = array("d")
        for face in range(p.num_faces):
            k = length_of(f, face)
            if k not in begins:
                if len(worth.get(k, ())) != k + 1:
                    raise ValueError("expected a worth for each number of edges around a face")
                begins[k] = len(values)
                values.extend(worth[k])
            first[face] = begins[k]
        value = values
        for number in range(tries):
            if not number % CHECKED:
                PyErr_CheckSignals()
            face = drawn(random, p.num_faces)
            if not can_flip(f, face):
                continue
            here = first[face] + f.count[face]
            gain = value[first[face] + length_of(f, face) - f.count[face]] - value[here]
            for k in range(p.face_starts[face], p.face_starts[face + 1]):
                other = across(p, f.walk[k], face)
                if other >= 0:
                    here = first[other] + f.count[other]
                    gain += value[here + (-1 if f.line[f.walk[k]] else 1)] - value[here]
            if gain >= 0 or <double>random() < exp(gain):
                flip(f, face)

    def flip_until_stable(self, bint ties, random: Callable[[], float]) -> None:
        """Flip faces in random order while that makes the line longer.

        With ``ties``, it also flips a face that keeps the length, if most of the faces that the
        face meets only at a vertex have its colour. After each flip, the faces around it get
        another turn. This ends: each flip makes the line longer, or increases the number of such
        pairs with different colours.
        """
        cdef Faces *f = &self.faces
        cdef Plane *p = &f.plane
        cdef int32_t[::1] waiting = array("i", range(p.num_faces))
        cdef uint8_t[::1] waits = bytearray(b"\1") * p.num_faces
        cdef int k, face, other, place, left = p.num_faces
        cdef Py_ssize_t number = 0
        while left:
            if not number % CHECKED:
                PyErr_CheckSignals()
            number += 1
            place = drawn(random, left)
            face = waiting[place]
            left -= 1
            waiting[place] = waiting[left]
            waits[face] = False
            if not winds(f, face, ties) or not can_flip(f, face):
                continue
            flip(f, face)
            for k in range(f.around_starts[face], f.around_starts[face + 1]):
                other = f.around[k]
                if other >= 0 and not waits[other]:
                    waits[other] = True
                    waiting[left] = other
                    left += 1


cdef inline int drawn(object random, int bound) except -1:
    cdef double number = random()
    if not 0 <= number < 1:
        raise ValueError(f"expected random numbers from 0 to 1, got {number}")
    return <int>(number * bound)
