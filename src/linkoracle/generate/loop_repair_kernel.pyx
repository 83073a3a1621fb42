"""Repair of a loop by flips of faces, until few flips make no other loop with the same clues.

A *free flip* is a flip of one face, or of two, that leaves a single loop and all shown clues
unchanged. So the new loop is an alternative. A face is *wrong* if its clue differs from the
required digit. Faces near free flips and wrong faces are flipped. Flips that make the cost higher
are mostly undone (simulated annealing).

Contents
    Free flips  counted again after each flip
    Annealing   flips near free flips and wrong faces
    For Python  `LoopRepair`
"""

from libc.math cimport ceil, exp
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from linkoracle.board.colouring_kernel cimport Colouring
from linkoracle.board.flipping cimport Faces, across, can_flip, flip, is_single, toggle
from linkoracle.core.index cimport Index
from linkoracle.core.watch cimport StopToken, watch_raise, watch_start, watch_stops


# ---- Free flips ----------------------------------------------------------------------------------
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


# ---- Annealing -----------------------------------------------------------------------------------

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


# ---- For Python ----------------------------------------------------------------------------------


cdef class LoopRepair(Colouring):
    """A `Colouring` whose free flips and wrong faces are repaired by flips.

    For each face, ``shown`` is whether its clue is shown, ``digits`` the required digit or -1, and
    ``may_flip`` whether it may be flipped. ``neighbourhoods`` are the three lists of faces for each
    face that `linkoracle.generate.colouring.neighbourhoods` returns. Clues 0 beyond the fraction
    ``zeros`` of the shown clues add to the cost. Raises ``ValueError`` for arrays of another size.
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
