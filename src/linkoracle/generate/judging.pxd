"""What flips of faces change where only some clues are shown, and whether they are *loose*.

`linkoracle.generate.mending_kernel` says what is loose, wrong and stray. O(1) for each flip,
whatever the size of the board.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from linkoracle.board.flipping cimport Faces, across, can_flip, flip, toggle
from linkoracle.core.index cimport Index

cdef enum:
    NO_NUMBER = -1


cdef struct Mend:
    Faces *faces
    Index near  # by face, others that may be the second of a loose pair, all after the face
    Index wide  # those among which a flip mends it
    Index reach  # those whose looseness a flip can change
    uint8_t *free  # by face: whether it may flip
    uint8_t *shown  # by face: whether its clue is shown
    int8_t *wanted  # by face: the number that it must have, or NO_NUMBER
    int32_t *loose  # by face: loose flips with it, of pairs the first face
    int32_t *change  # by face: zeros but while a flip is looked at
    int32_t *touched  # the faces with a change
    int32_t *flipped  # journal: the faces flipped since it was begun
    int32_t *judged  # and those judged anew, with what was loose before
    int32_t *was_loose
    int flips
    int judgements
    int64_t cost  # loose flips, and wrong numbers by their weight
    int64_t stray  # edges of the line beside no clue that is shown
    int64_t zeros  # clues that are shown, and 0, though they may be any number
    int64_t most_zeros  # largest harmless number of zeros
    int64_t weight  # of a number that is wrong by one
    uint64_t random  # state of the generator


cdef inline uint64_t next_random(Mend *m) noexcept nogil:
    """SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    cdef uint64_t z
    m.random += <uint64_t>0x9E3779B97F4A7C15
    z = m.random
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline int below(Mend *m, int bound) noexcept nogil:
    return <int>((next_random(m) >> 32) * <uint64_t>bound >> 32)


cdef inline bint clues_stay(Mend *m, int one, int other, bint anywhere) noexcept nogil:
    """Whether flips of one face, or of two, leave all clues shown as they are.

    ``other`` is -1 for one face alone. With ``anywhere``, whether they may do so for some line: if
    an even number of the edges around each clue changes.
    """
    cdef Faces *f = m.faces
    cdef int turn, side, k, face = one, beside, seen, size = 0
    cdef bint same = True
    for turn in range(1 if other < 0 else 2):
        for k in range(f.plane.face_starts[face], f.plane.face_starts[face + 1]):
            beside = across(&f.plane, f.walk[k], face)
            if beside >= 0 and beside == one + other - face and other >= 0:
                continue  # an edge of both changes twice
            for side in range(2):
                seen = beside if side else face
                if seen >= 0 and m.shown[seen]:
                    m.change[seen] += -1 if not anywhere and f.line[f.walk[k]] else 1
                    m.touched[size] = seen
                    size += 1
        face = other
    for k in range(size):
        same = same and not (m.change[m.touched[k]] & 1 if anywhere else m.change[m.touched[k]])
    for k in range(size):
        m.change[m.touched[k]] = 0
    return same


cdef inline bint can_flip_both(Faces *f, int one, int other) noexcept nogil:
    """Whether two faces can flip one after the other, in either order."""
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


cdef inline int64_t wrong_at(Mend *m, int face) noexcept nogil:
    """By how much the number of a face is wrong."""
    cdef int error
    if m.wanted[face] == NO_NUMBER:
        return 0
    error = m.faces.count[face] - m.wanted[face]
    return error if error > 0 else -error


cdef inline bint is_zero(Mend *m, int face) noexcept nogil:
    return m.shown[face] and m.wanted[face] == NO_NUMBER and m.faces.count[face] == 0


cdef inline bint is_stray(Mend *m, int edge) noexcept nogil:
    """Whether the line runs along an edge beside no clue that is shown."""
    cdef int side, face
    for side in range(2):
        face = m.faces.plane.faces[2 * edge + side]
        if face >= 0 and m.shown[face]:
            return False
    return m.faces.line[edge]


cdef inline int64_t dull(Mend *m) noexcept nogil:
    """What is no mistake, but not wanted: stray edges, and zeros above what does no harm."""
    return m.stray + (m.zeros - m.most_zeros if m.zeros > m.most_zeros else 0)


cdef inline void judge(Mend *m, int face) noexcept nogil:
    """Count anew the loose flips that begin with a face."""
    cdef int k, found = clues_stay(m, face, -1, False) and can_flip(m.faces, face)
    for k in range(m.near.start[face], m.near.start[face + 1]):
        if clues_stay(m, face, m.near.found[k], False):
            found += can_flip_both(m.faces, face, m.near.found[k])
    m.cost += found - m.loose[face]
    m.loose[face] = found


cdef inline void weigh(Mend *m, int edge, int sign) noexcept nogil:
    """Add or subtract what the edge, and the numbers of the faces beside it, cost."""
    cdef int side, face
    m.stray += sign * is_stray(m, edge)
    for side in range(2):
        face = m.faces.plane.faces[2 * edge + side]
        if face >= 0:
            m.cost += sign * m.weight * wrong_at(m, face)
            m.zeros += sign * is_zero(m, face)


cdef inline void flip_judged(Mend *m, int face) noexcept nogil:
    """Flip a face, judge what that can change, and note both in the journal."""
    cdef Faces *f = m.faces
    cdef int k, here
    for k in range(f.plane.face_starts[face], f.plane.face_starts[face + 1]):
        weigh(m, f.walk[k], -1)
        toggle(f, f.walk[k])
        weigh(m, f.walk[k], 1)
    f.colour[face] ^= 1
    m.flipped[m.flips] = face
    m.flips += 1
    for k in range(m.reach.start[face], m.reach.start[face + 1]):
        here = m.reach.found[k]
        if m.free[here]:
            m.judged[m.judgements], m.was_loose[m.judgements] = here, m.loose[here]
            m.judgements += 1
            judge(m, here)


cdef inline void undo(Mend *m) noexcept nogil:
    """Undo the flips of the journal; what they cost is set back by the caller."""
    while m.flips:
        m.flips -= 1
        flip(m.faces, m.flipped[m.flips])
    while m.judgements:
        m.judgements -= 1
        m.loose[m.judged[m.judgements]] = m.was_loose[m.judgements]
