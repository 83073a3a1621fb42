"""Flips of single faces that mend a line where few flips would make another with the same clues.

A *loose* pair of faces, or single face, is one whose flips leave a single line, and all clues that
are shown as they were: so that line is another solution. A *wrong* face has not the number that it
must have. Faces are flipped beside loose or wrong ones, and flipped back where that makes more of
them, but for now and then (simulated annealing).
"""

from libc.math cimport ceil, exp
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from linkoracle.board.colouring_kernel cimport Colouring
from linkoracle.board.flipping cimport can_flip, flip, is_single
from linkoracle.core.index cimport Index
from linkoracle.core.watch cimport StopToken, watch_raise, watch_start, watch_stops
from linkoracle.generate.judging cimport (
    NO_NUMBER, Mend, below, clues_stay, dull, flip_judged, is_stray, is_zero, judge, next_random,
    undo, wrong_at
)

cdef enum:
    MOST_FLIPS = 2  # of a step


cdef int bad_face(Mend *m) noexcept nogil:
    """Return a face with a free flip or a wrong digit, searched from a random one; -1 if none."""
    cdef int k, size = m.faces.plane.num_faces, face = below(m, size)
    for k in range(size):
        if m.loose[face] or wrong_at(m, face):
            return face
        face += 1
        if face == size:
            face = 0
    return -1


cdef bint flip_near(Mend *m, int face) noexcept nogil:
    """Flip a random face near one if that is possible; whether it was."""
    cdef int first = m.wide.start[face]
    cdef int here = m.wide.found[first + below(m, m.wide.start[face + 1] - first)]
    if not m.free[here] or not can_flip(m.faces, here):
        return False
    flip_judged(m, here)
    return True


cdef void anneal(
    Mend *m, int steps, double warmth, bint throughout, StopToken *watch
) noexcept nogil:
    cdef int step, k, target
    cdef int64_t cost, stray, zeros, worse
    for step in range(steps):
        if watch_stops(watch):
            return
        target = bad_face(m)
        if target < 0:
            if not throughout:
                return
            target = below(m, m.faces.plane.num_faces)
        cost, stray, zeros, worse = m.cost, m.stray, m.zeros, -m.cost - dull(m)
        m.flips = m.judgements = 0
        for k in range(1 + below(m, MOST_FLIPS)):
            flip_near(m, target)
        worse += m.cost + dull(m)
        if m.flips and worse > 0 and (next_random(m) >> 11) * 2.0**-53 >= exp(-worse / warmth):
            undo(m)
            m.cost, m.stray, m.zeros = cost, stray, zeros


cdef class Mending(Colouring):
    """A `Colouring` whose loose and wrong faces are mended by flips.

    ``shown`` says of each face whether its clue is shown, ``wanted`` which number it must have, -1
    for any, ``free`` whether it may be flipped. ``near``, ``wide`` and ``reach`` are lists of
    faces for each face, as `linkoracle.generate.colouring.neighbourhoods` makes them. More clues 0
    than the fraction ``zeros`` of those shown cost. Raises ``ValueError`` for arrays of another
    size.
    """

    cdef Mend mend

    def __init__(
        self,
        board: Board,
        outside: Iterable[int],
        const uint8_t[::1] shown not None: bytes,
        const int8_t[::1] wanted not None: array[int],
        const uint8_t[::1] free not None: bytes,
        neighbourhoods not None: Iterable[tuple[array[int], array[int]]],
        uint64_t seed,
        double zeros=0.5,
    ):
        cdef Mend *m = &self.mend
        cdef int face, size = self.faces.plane.num_faces
        if m.faces != NULL:
            raise RuntimeError("a board is set up once")
        if not shown.shape[0] == wanted.shape[0] == free.shape[0] == size:
            raise ValueError("expected a value for each face")
        near, wide, reach = neighbourhoods
        self.take(&m.near, near)
        self.take(&m.wide, wide)
        self.take(&m.reach, reach)
        m.free = <uint8_t *>self.room(size, 1)
        m.shown = <uint8_t *>self.room(size, 1)
        m.wanted = <int8_t *>self.room(size, 1)
        m.loose = <int32_t *>self.room(size, sizeof(int32_t))
        m.change = <int32_t *>self.room(size, sizeof(int32_t))
        m.touched = <int32_t *>self.room(4 * self.faces.plane.num_edges, sizeof(int32_t))
        m.flipped = <int32_t *>self.room(MOST_FLIPS, sizeof(int32_t))
        m.judged = <int32_t *>self.room(MOST_FLIPS * size, sizeof(int32_t))
        m.was_loose = <int32_t *>self.room(MOST_FLIPS * size, sizeof(int32_t))
        m.random, m.weight = seed, 4
        for face in range(size):
            m.free[face], m.shown[face] = free[face] != 0, shown[face] != 0
            m.wanted[face] = wanted[face]
            m.most_zeros += m.shown[face] and m.wanted[face] == NO_NUMBER
        m.most_zeros = <int>ceil(zeros * m.most_zeros)
        m.faces = &self.faces
        self.drop_tight_pairs()
        Colouring.__init__(self, board, outside)
        self.weigh_all()

    cdef int take(self, Index *into, lists) except -1:
        """A copy of a list of faces for each face."""
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
        """Keep of `Mend.near` only faces that may flip and be loose in a pair."""
        cdef Mend *m = &self.mend
        cdef int face, other, k, end = 0, size = 0
        for face in range(self.faces.plane.num_faces):
            k, end = end, m.near.start[face + 1]
            for k in range(k, end):
                other = m.near.found[k]
                if m.free[other] and clues_stay(m, face, other, True):
                    m.near.found[size] = other
                    size += 1
            m.near.start[face + 1] = size

    cdef int weigh_all(self) except -1:
        """Count anew what is loose, wrong, stray or zero."""
        cdef Mend *m = &self.mend
        cdef int edge, face
        if m.faces == NULL:
            raise ValueError("expected a board that is set up")
        m.cost = m.stray = m.zeros = 0
        for edge in range(m.faces.plane.num_edges):
            m.stray += is_stray(m, edge)
        for face in range(m.faces.plane.num_faces):
            m.loose[face] = 0
            if m.free[face]:
                judge(m, face)
            m.cost += m.weight * wrong_at(m, face)
            m.zeros += is_zero(m, face)
        return 0

    def paint(self, const uint8_t[::1] colours not None: bytes) -> None:
        """Give each face a colour; the line runs where they differ."""
        self.recolour(colours)
        self.weigh_all()

    def load(self, line: Iterable[int]) -> None:
        """Take the colours between which such edges run."""
        Colouring.load(self, line)
        self.weigh_all()

    def flip(self, Py_ssize_t face) -> None:
        """Change the colour of a face."""
        Colouring.flip(self, face)
        self.weigh_all()

    def is_loose(self, const int64_t[::1] faces not None: array[int]) -> bool:
        """Whether flips of these faces together leave a single line and all clues shown."""
        cdef Mend *m = &self.mend
        cdef int k
        cdef bint same = True
        if m.faces == NULL:
            raise ValueError("expected a board that is set up")
        for k in range(<int>faces.shape[0]):
            self.checked(faces[k])
        memcpy(m.change, self.faces.count, self.faces.plane.num_faces * sizeof(int32_t))
        for k in range(<int>faces.shape[0]):
            flip(&self.faces, <int>faces[k])
        for k in range(self.faces.plane.num_faces):
            same = same and not (m.shown[k] and m.change[k] != self.faces.count[k])
            m.change[k] = 0
        same = same and is_single(&self.faces)
        for k in range(<int>faces.shape[0]):
            flip(&self.faces, <int>faces[k])
        return same

    @property
    def cost(self) -> int:
        """How many flips are loose, and four for each by which a number is wrong."""
        return self.mend.cost

    @property
    def dull(self) -> int:
        """How many edges are beside no clue that is shown, and clues 0 beyond those allowed."""
        return dull(&self.mend)

    @property
    def is_unfit(self) -> bool:
        """Whether a flip is loose, a number wrong, or too many clues 0."""
        return self.mend.cost > 0 or self.mend.zeros > self.mend.most_zeros

    def shake(self, Py_ssize_t face, int flips) -> None:
        """Flip up to a number of random faces near one."""
        cdef Mend *m = &self.mend
        cdef int k, near = self.checked(face)
        if m.faces == NULL:
            raise ValueError("expected a board that is set up")
        for k in range(flips):
            m.flips = m.judgements = 0
            flip_near(m, near)

    def anneal(
        self, int steps, double warmth, deadline: Deadline, bint throughout=False
    ) -> None:
        """Flip faces beside bad ones until there are none, or the number of flips is reached.

        With ``throughout``, then flip any faces, until the number is reached. A flip that costs
        ``warmth`` more is kept once in e times. Raises `SearchTimeout`.
        """
        cdef Mend *m = &self.mend
        cdef StopToken watch
        cdef double seconds = deadline.seconds
        if m.faces == NULL or not warmth > 0:
            raise ValueError("expected a warmth above 0")
        watch_start(&watch, seconds, 20)
        with nogil:
            anneal(m, steps, warmth, throughout, &watch)
        watch_raise(&watch, deadline)
