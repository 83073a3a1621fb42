"""Faces of a board in two colours, the loop between them, and flips of faces that change it.

Contents
    Faces      their colours, the line between them, and what a flip changes
    Colouring  the class `Colouring`, and loops that flip many faces
    Repair     the class `LoopRepair`: flips until few flips make no other loop
"""

from array import array

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport ceil, exp
from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from linkoracle.board.solution import Solution

from linkoracle.board.plane_kernel cimport NO_FACE, Plane, PlaneArrays, far_end
from linkoracle.core.kernels cimport (
    Arena, Index, StopToken, arena_close, arena_error, arena_open, arena_take, watch_raise,
    watch_start, watch_stops
)


# ---- Faces ---------------------------------------------------------------------------------------
#
# Faces of a board in two colours, and the line between them, which flips of faces change.
#
# A flip of a face removes its edges on the line from the line and adds its other edges. The line
# stays a single one iff these edges on the line are one piece, and the rest of the boundary of the
# face meets the line only at the two ends of this piece. The flip then replaces the piece by
# another way between the same ends. The edges and vertices of the face alone decide this, on every
# board.

cdef struct Faces:
    Plane plane
    uint8_t *line  # by edge: whether the line runs there
    int32_t *passed  # by vertex: how many edges of the line it has
    int32_t *count  # by face: how many edges of the line are around it
    uint8_t *colour  # by face, 0 or 1
    uint8_t *outside  # by edge of the border: the colour beyond it
    uint8_t *simple  # by face: whether one cycle bounds it; no other face is ever flipped
    int32_t *walk  # of each face the edges in the order of its boundary, as `face_starts` has them
    int32_t *corner  # the vertex before each of these edges
    int32_t *around_starts  # of each face, where what is around it begins in `around`
    # The faces around a face in the order of its boundary: across an edge, then those that it meets
    # at the next vertex only. The outside beyond an edge of the border is the edge's complement.
    int32_t *around
    uint8_t *is_side  # whether that is across an edge


cdef inline int across(const Plane *p, int edge, int face) noexcept nogil:
    """The face on the other side of an edge, or `NO_FACE`."""
    return p.faces[2 * edge] + p.faces[2 * edge + 1] - face


cdef inline int length_of(const Faces *f, int face) noexcept nogil:
    """How many edges are around a face."""
    return f.plane.face_starts[face + 1] - f.plane.face_starts[face]


cdef inline bint can_flip(const Faces *f, int face) noexcept nogil:
    """Whether the line stays a single one when this face changes its colour."""
    cdef int k, end = f.plane.face_starts[face + 1], pieces = 0
    cdef uint8_t here, before = f.line[f.walk[end - 1]]
    if not f.simple[face]:
        return False
    for k in range(f.plane.face_starts[face], end):
        here = f.line[f.walk[k]]
        if here:
            pieces += not before
        elif not before and f.passed[f.corner[k]]:
            return False
        before = here
    return pieces == 1


cdef inline void toggle(Faces *f, int edge) noexcept nogil:
    """Put an edge on the line, or take it off."""
    cdef int side, face, by = -1 if f.line[edge] else 1
    f.line[edge] ^= 1
    for side in range(2):
        f.passed[f.plane.ends[2 * edge + side]] += by
        face = f.plane.faces[2 * edge + side]
        if face >= 0:
            f.count[face] += by


cdef inline void flip(Faces *f, int face) noexcept nogil:
    """Change the colour of a face; a second time undoes it."""
    cdef int k
    for k in range(f.plane.face_starts[face], f.plane.face_starts[face + 1]):
        toggle(f, f.walk[k])
    f.colour[face] ^= 1


cdef inline bint is_alike(const Faces *f, int face, int place) noexcept nogil:
    """Whether what is around a face at a place has its colour."""
    cdef int other = f.around[place]
    return f.colour[face] == (f.colour[other] if other >= 0 else f.outside[~other])


cdef inline bint winds(const Faces *f, int face, bint ties) noexcept nogil:
    """Whether a flip makes the line longer, or as long and more crooked."""
    cdef int added = length_of(f, face) - 2 * f.count[face], k, gain = 0
    if added or not ties:
        return added > 0
    for k in range(f.around_starts[face], f.around_starts[face + 1]):
        if not f.is_side[k]:
            gain += 1 if is_alike(f, face, k) else -1
    return gain > 0


cdef inline bint is_single(const Faces *f) noexcept nogil:
    """Whether the line is one loop, or one path. O(size of the board)."""
    cdef const Plane *p = &f.plane
    cdef int vertex, edge, k, onward, start = -1, before = -1, left = 0
    for vertex in range(p.num_vertices):
        if f.passed[vertex] > 2:
            return False
        if f.passed[vertex] == 1 or (start < 0 and f.passed[vertex]):
            start = vertex
    if start < 0:
        return False
    for edge in range(p.num_edges):
        left += f.line[edge]
    vertex = start
    while True:
        onward = -1
        for k in range(p.starts[vertex], p.starts[vertex + 1]):
            if f.line[p.edges[k]] and p.edges[k] != before:
                onward = p.edges[k]
        if onward < 0:
            break
        left -= 1
        before, vertex = onward, far_end(p, onward, vertex)
        if vertex == start:
            break
    return left == 0


# ---- Colouring -----------------------------------------------------------------------------------
#
# Random numbers come from ``random``, the method of the caller's generator, one at a time and in
# the order in which the same loop in Python would draw them.

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

    cdef Arena arena
    cdef object _board
    cdef PlaneArrays arrays  # has the arrays of the plane of `faces`
    cdef Faces faces

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


# ---- Repair --------------------------------------------------------------------------------------
#
# Repair of a loop by flips of faces, until few flips make no other loop with the same clues.
#
# A *free flip* is a flip of one face, or of two, that leaves a single loop and all shown clues
# unchanged. So the new loop is an alternative. A face is *wrong* if its clue differs from the
# required digit. Faces near free flips and wrong faces are flipped. Flips that make the cost higher
# are mostly undone (simulated annealing).

# -- free flips --
#
# Flips of faces that change no shown clue. O(1) for each flip, whatever the size of the board.

cdef enum:
    NO_DIGIT = -1


cdef struct Repair:
    Faces *faces
    Index near  # by face: later faces that may flip freely together with it
    Index wide  # by face: the faces whose flips may repair it
    Index reach  # by face: the faces whose free flips may change if it flips
    uint8_t *may_flip  # by face
    uint8_t *shown  # by face: whether its clue is shown
    int8_t *digits  # by face: the required digit, or NO_DIGIT
    int32_t *free_flips  # by face: free flips of it alone, or with a later face
    int32_t *change  # by face: 0, except while a flip is tested
    int32_t *touched  # the faces with a change
    int32_t *flipped  # journal: the faces flipped since its start
    int32_t *recounted  # journal: the faces whose free flips were counted again
    int32_t *old_free_flips  # and the numbers before
    int flips  # length of the first list of the journal
    int recounts  # length of the other two lists
    int64_t cost  # free flips, and the weighted errors of digits
    int64_t unclued  # edges of the loop next to no shown clue
    int64_t zeros  # shown clues that are 0 and have no required digit
    int64_t most_zeros  # largest number of zeros without a cost
    int64_t weight  # of a digit that is wrong by one
    uint64_t random  # state of the generator


cdef inline uint64_t next_random(Repair *r) noexcept nogil:
    """SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    cdef uint64_t z
    r.random += <uint64_t>0x9E3779B97F4A7C15
    z = r.random
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline int below(Repair *r, int bound) noexcept nogil:
    return <int>((next_random(r) >> 32) * <uint64_t>bound >> 32)


cdef inline bint clues_stay(Repair *r, int one, int other, bint anywhere) noexcept nogil:
    """Return whether flips of one face, or of two, leave all shown clues unchanged.

    ``other`` is -1 for one face alone. With ``anywhere``, return whether that is possible for some
    loop: if an even number of the edges around each clue changes.
    """
    cdef Faces *f = r.faces
    cdef int turn, side, k, face = one, beside, seen, size = 0
    cdef bint same = True
    for turn in range(1 if other < 0 else 2):
        for k in range(f.plane.face_starts[face], f.plane.face_starts[face + 1]):
            beside = across(&f.plane, f.walk[k], face)
            if beside >= 0 and beside == one + other - face and other >= 0:
                continue  # an edge between the two faces changes twice
            for side in range(2):
                seen = beside if side else face
                if seen >= 0 and r.shown[seen]:
                    r.change[seen] += -1 if not anywhere and f.line[f.walk[k]] else 1
                    r.touched[size] = seen
                    size += 1
        face = other
    for k in range(size):
        same = same and not (r.change[r.touched[k]] & 1 if anywhere else r.change[r.touched[k]])
    for k in range(size):
        r.change[r.touched[k]] = 0
    return same


cdef inline bint can_flip_both(Faces *f, int one, int other) noexcept nogil:
    """Return whether two faces can flip one after the other, in either order."""
    cdef int turn
    cdef bint possible
    for turn in range(2):
        if can_flip(f, one):
            flip(f, one)
            possible = can_flip(f, other)
            flip(f, one)
            if possible:
                return True
        one, other = other, one
    return False


cdef inline int64_t wrong_at(Repair *r, int face) noexcept nogil:
    """Return the difference between the clue of a face and its required digit."""
    cdef int error
    if r.digits[face] == NO_DIGIT:
        return 0
    error = r.faces.count[face] - r.digits[face]
    return error if error > 0 else -error


cdef inline bint is_zero(Repair *r, int face) noexcept nogil:
    return r.shown[face] and r.digits[face] == NO_DIGIT and r.faces.count[face] == 0


cdef inline bint is_unclued(Repair *r, int edge) noexcept nogil:
    """Return whether an edge of the loop is next to no shown clue."""
    cdef int side, face
    for side in range(2):
        face = r.faces.plane.faces[2 * edge + side]
        if face >= 0 and r.shown[face]:
            return False
    return r.faces.line[edge]


cdef inline int64_t layout_cost(Repair *r) noexcept nogil:
    """Return the extra cost for the layout: unclued edges, and zeros above `most_zeros`."""
    return r.unclued + (r.zeros - r.most_zeros if r.zeros > r.most_zeros else 0)


cdef inline void count_free_flips(Repair *r, int face) noexcept nogil:
    """Count again the free flips of a face, alone or with a later one."""
    cdef int k, found = clues_stay(r, face, -1, False) and can_flip(r.faces, face)
    for k in range(r.near.start[face], r.near.start[face + 1]):
        if clues_stay(r, face, r.near.found[k], False):
            found += can_flip_both(r.faces, face, r.near.found[k])
    r.cost += found - r.free_flips[face]
    r.free_flips[face] = found


cdef inline void add_cost(Repair *r, int edge, int sign) noexcept nogil:
    """Add or subtract the cost of an edge and of the clues on both sides."""
    cdef int side, face
    r.unclued += sign * is_unclued(r, edge)
    for side in range(2):
        face = r.faces.plane.faces[2 * edge + side]
        if face >= 0:
            r.cost += sign * r.weight * wrong_at(r, face)
            r.zeros += sign * is_zero(r, face)


cdef inline void flip_and_count(Repair *r, int face) noexcept nogil:
    """Flip a face, count free flips within its reach again, and record both in the journal."""
    cdef Faces *f = r.faces
    cdef int k, here
    for k in range(f.plane.face_starts[face], f.plane.face_starts[face + 1]):
        add_cost(r, f.walk[k], -1)
        toggle(f, f.walk[k])
        add_cost(r, f.walk[k], 1)
    f.colour[face] ^= 1
    r.flipped[r.flips] = face
    r.flips += 1
    for k in range(r.reach.start[face], r.reach.start[face + 1]):
        here = r.reach.found[k]
        if r.may_flip[here]:
            r.recounted[r.recounts], r.old_free_flips[r.recounts] = here, r.free_flips[here]
            r.recounts += 1
            count_free_flips(r, here)


cdef inline void undo(Repair *r) noexcept nogil:
    """Undo the flips of the journal. The caller resets the costs."""
    while r.flips:
        r.flips -= 1
        flip(r.faces, r.flipped[r.flips])
    while r.recounts:
        r.recounts -= 1
        r.free_flips[r.recounted[r.recounts]] = r.old_free_flips[r.recounts]


# -- annealing --

cdef enum:
    MOST_FLIPS = 2  # of a step


cdef int faulty_face(Repair *r) noexcept nogil:
    """Return a face with a free flip or a wrong digit, searched from a random one; -1 if none."""
    cdef int k, size = r.faces.plane.num_faces, face = below(r, size)
    for k in range(size):
        if r.free_flips[face] or wrong_at(r, face):
            return face
        face += 1
        if face == size:
            face = 0
    return -1


cdef bint flip_near(Repair *r, int face) noexcept nogil:
    """Flip a random face near the given one; return whether it could flip."""
    cdef int first = r.wide.start[face]
    cdef int here = r.wide.found[first + below(r, r.wide.start[face + 1] - first)]
    if not r.may_flip[here] or not can_flip(r.faces, here):
        return False
    flip_and_count(r, here)
    return True


cdef void anneal(
    Repair *r, int steps, double temperature, bint throughout, StopToken *watch
) noexcept nogil:
    cdef int step, k, target
    cdef int64_t cost, unclued, zeros, worse
    for step in range(steps):
        if watch_stops(watch):
            return
        target = faulty_face(r)
        if target < 0:
            if not throughout:
                return
            target = below(r, r.faces.plane.num_faces)
        cost, unclued, zeros, worse = r.cost, r.unclued, r.zeros, -r.cost - layout_cost(r)
        r.flips = r.recounts = 0
        for k in range(1 + below(r, MOST_FLIPS)):
            flip_near(r, target)
        worse += r.cost + layout_cost(r)
        if r.flips and worse > 0 and (next_random(r) >> 11) * 2.0**-53 >= exp(-worse / temperature):
            undo(r)
            r.cost, r.unclued, r.zeros = cost, unclued, zeros


# -- for Python --


cdef class LoopRepair(Colouring):
    """A `Colouring` whose free flips and wrong faces are repaired by flips.

    For each face, ``shown`` is whether its clue is shown, ``digits`` the required digit or -1, and
    ``may_flip`` whether it may be flipped. ``neighbourhoods`` are the three lists of faces for each
    face that `linkoracle.generate.loops.colouring.neighbourhoods` returns. Clues 0 beyond the
    fraction ``zeros`` of the shown clues add to the cost. Raises ``ValueError`` for arrays of another size.
    """

    cdef Repair repair

    def __init__(
        self,
        board: Board,
        outside: Iterable[int],
        const uint8_t[::1] shown not None: bytes,
        const int8_t[::1] digits not None: array[int],
        const uint8_t[::1] may_flip not None: bytes,
        neighbourhoods not None: Iterable[tuple[array[int], array[int]]],
        uint64_t seed,
        double zeros=0.5,
    ):
        cdef Repair *r = &self.repair
        cdef int face, size = self.faces.plane.num_faces
        if r.faces != NULL:
            raise RuntimeError("a board is set up once")
        if not shown.shape[0] == digits.shape[0] == may_flip.shape[0] == size:
            raise ValueError("expected a value for each face")
        near, wide, reach = neighbourhoods
        self.take(&r.near, near)
        self.take(&r.wide, wide)
        self.take(&r.reach, reach)
        r.may_flip = <uint8_t *>self.room(size, 1)
        r.shown = <uint8_t *>self.room(size, 1)
        r.digits = <int8_t *>self.room(size, 1)
        r.free_flips = <int32_t *>self.room(size, sizeof(int32_t))
        r.change = <int32_t *>self.room(size, sizeof(int32_t))
        r.touched = <int32_t *>self.room(4 * self.faces.plane.num_edges, sizeof(int32_t))
        r.flipped = <int32_t *>self.room(MOST_FLIPS, sizeof(int32_t))
        r.recounted = <int32_t *>self.room(MOST_FLIPS * size, sizeof(int32_t))
        r.old_free_flips = <int32_t *>self.room(MOST_FLIPS * size, sizeof(int32_t))
        r.random, r.weight = seed, 4
        for face in range(size):
            r.may_flip[face], r.shown[face] = may_flip[face] != 0, shown[face] != 0
            r.digits[face] = digits[face]
            r.most_zeros += r.shown[face] and r.digits[face] == NO_DIGIT
        r.most_zeros = <int>ceil(zeros * r.most_zeros)
        r.faces = &self.faces
        self.drop_tight_pairs()
        Colouring.__init__(self, board, outside)
        self.count_all()

    cdef int take(self, Index *into, lists) except -1:
        """Copy a list of faces for each face."""
        cdef const int32_t[::1] start = lists[0], found = lists[1]
        cdef int k, size = self.faces.plane.num_faces
        if start.shape[0] != size + 1 or start[0] != 0 or start[size] != found.shape[0]:
            raise ValueError("expected a list for each face")
        into.start = <int32_t *>self.room(size + 1, sizeof(int32_t))
        into.found = <int32_t *>self.room(found.shape[0], sizeof(int32_t))
        for k in range(size):
            if not 0 <= start[k + 1] - start[k] <= size:
                raise ValueError("expected a list for each face")
            into.start[k + 1] = start[k + 1]
        for k in range(<int>found.shape[0]):
            into.found[k] = self.checked(found[k])
        return 0

    cdef void drop_tight_pairs(self) noexcept:
        """Keep in `Repair.near` only faces that may flip freely in a pair."""
        cdef Repair *r = &self.repair
        cdef int face, other, k, end = 0, size = 0
        for face in range(self.faces.plane.num_faces):
            k, end = end, r.near.start[face + 1]
            for k in range(k, end):
                other = r.near.found[k]
                if r.may_flip[other] and clues_stay(r, face, other, True):
                    r.near.found[size] = other
                    size += 1
            r.near.start[face + 1] = size

    cdef int count_all(self) except -1:
        """Count all free flips, errors of digits, unclued edges and zeros again."""
        cdef Repair *r = &self.repair
        cdef int edge, face
        if r.faces == NULL:
            raise ValueError("expected a board that is set up")
        r.cost = r.unclued = r.zeros = 0
        for edge in range(r.faces.plane.num_edges):
            r.unclued += is_unclued(r, edge)
        for face in range(r.faces.plane.num_faces):
            r.free_flips[face] = 0
            if r.may_flip[face]:
                count_free_flips(r, face)
            r.cost += r.weight * wrong_at(r, face)
            r.zeros += is_zero(r, face)
        return 0

    def paint(self, const uint8_t[::1] colours not None: bytes) -> None:
        """Give each face a colour; the loop runs where the colours differ."""
        self.recolour(colours)
        self.count_all()

    def load(self, line: Iterable[int]) -> None:
        """Take the colours whose borders are these edges."""
        Colouring.load(self, line)
        self.count_all()

    def flip(self, Py_ssize_t face) -> None:
        """Change the colour of a face."""
        Colouring.flip(self, face)
        self.count_all()

    def is_free_flip(self, const int64_t[::1] faces not None: array[int]) -> bool:
        """Return whether flips of these faces leave a single loop and all shown clues unchanged."""
        cdef Repair *r = &self.repair
        cdef int k
        cdef bint same = True
        if r.faces == NULL:
            raise ValueError("expected a board that is set up")
        for k in range(<int>faces.shape[0]):
            self.checked(faces[k])
        memcpy(r.change, self.faces.count, self.faces.plane.num_faces * sizeof(int32_t))
        for k in range(<int>faces.shape[0]):
            flip(&self.faces, <int>faces[k])
        for k in range(self.faces.plane.num_faces):
            same = same and not (r.shown[k] and r.change[k] != self.faces.count[k])
            r.change[k] = 0
        same = same and is_single(&self.faces)
        for k in range(<int>faces.shape[0]):
            flip(&self.faces, <int>faces[k])
        return same

    @property
    def cost(self) -> int:
        """The number of free flips, plus four for each unit of error of a digit."""
        return self.repair.cost

    @property
    def layout_cost(self) -> int:
        """The number of edges next to no shown clue, plus the clues 0 beyond those allowed."""
        return layout_cost(&self.repair)

    @property
    def is_unfit(self) -> bool:
        """Whether there is a free flip, a wrong digit, or too many clues 0."""
        return self.repair.cost > 0 or self.repair.zeros > self.repair.most_zeros

    def shake(self, Py_ssize_t face, int flips) -> None:
        """Flip up to ``flips`` random faces near the given one."""
        cdef Repair *r = &self.repair
        cdef int k, near = self.checked(face)
        if r.faces == NULL:
            raise ValueError("expected a board that is set up")
        for k in range(flips):
            r.flips = r.recounts = 0
            flip_near(r, near)

    def anneal(
        self, int steps, double temperature, deadline: Deadline, bint throughout=False
    ) -> None:
        """Flip faces near free flips and wrong faces until there are none, for ``steps`` at most.

        With ``throughout``, then flip any faces for the remaining steps. A step that costs
        ``temperature`` more is kept once in e times. Raises `SearchTimeout`.
        """
        cdef Repair *r = &self.repair
        cdef StopToken watch
        cdef double seconds = deadline.seconds
        if r.faces == NULL or not temperature > 0:
            raise ValueError("expected a temperature above 0")
        watch_start(&watch, seconds, 20)
        with nogil:
            anneal(r, steps, temperature, throughout, &watch)
        watch_raise(&watch, deadline)
