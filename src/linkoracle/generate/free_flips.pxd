"""Free flips: flips of faces that change no shown clue, counted again after each flip.

`linkoracle.generate.loop_repair_kernel` defines the terms. O(1) for each flip, whatever the size of
the board.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from linkoracle.board.flipping cimport Faces, across, can_flip, flip, toggle
from linkoracle.core.index cimport Index

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
