"""The state of the frontier pass: where its plugs and bits are, and what a vertex asks of it.

`linkoracle.frontier.plan` says what a state is; `spec` says what a decision makes of it.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint8_t, uint64_t

cdef enum:
    LEFT_END = 1  # codes of plugs: the left end of an unfinished path,
    RIGHT_END = 2  # its right end,
    FIRST_LABEL = 3  # and the first label
    ANY_LABEL = -1  # guard of a vertex that any label may enter; 0 says none, else the only one
    RULELESS = 0b11111  # mask of a face that may have any count
    TO_NOTHING = 0  # targets of a child in a layer that is kept: no solution comes of it,
    TO_ACCEPT = 1  # it completes a solution,
    FIRST_RECORD = 2  # or it is the first record of the next layer, and so on
    SEEN = 64  # patterns of what a state shows around a vertex


cdef struct Place:
    int word  # of a state, or -1 for what no state has
    int shift  # bits below it in that word


cdef struct Step:
    int32_t column  # of the vertex
    int32_t degrees  # mask of the degrees that it may have
    int32_t decisions  # mask of what its edges, and the face to its lower right, leave open
    int32_t phase  # 0, or which terminal of its pair the vertex is: 1 or 2
    int32_t code  # label of the pair while it is open
    int32_t guard  # which label may enter the vertex
    int32_t above  # mask of the counts that the face to its upper right may have
    int32_t beside  # mask of the counts that the face to its lower left may have
    int32_t keep_top  # whether the face to its lower right has a rule
    int32_t rest_empty  # whether all that comes after it may be without edges
    int32_t unseen  # terminals that come after it


cdef struct Spec:
    int width  # vertices along the frontier
    int words  # of a state
    int num_steps  # vertices
    int pair_base  # the first code of met pairs
    int spare_code  # the code of a pair just met, until it is numbered anew
    int face_rows  # rows of faces
    bint loop  # whether a solution is one cycle; else it is paths without any cycle
    uint64_t plug_mask  # the bits of one plug
    Step *steps  # by vertex; behind the last a row of zeros, at which a look ahead may end
    Place *plugs  # by slot: 0 to width - 1 down in that column, width to the right
    Place *tops  # by column: the bit for the top edge of its open face
    uint8_t *faces  # mask of allowed counts, by row and column: width - 1 a row
    uint8_t *ahead  # mask of decisions with a future, by vertex and pattern; NULL if unknown
    int *scratch  # five rows of `scratch_row` for `settle`
    int scratch_row  # more than there are codes, and than there are plugs


cdef struct Vertex:
    Step told  # what the plan says
    int number  # of the step
    int allowed[3]  # mask of decisions, by how many of its plugs are chosen
    bint last  # whether no vertex comes after it
    bint above_ruled  # whether the face to its upper right has a rule
    bint beside_ruled  # whether the face to its lower left has one
    Place up  # the plug above
    Place left  # the plug to its left, and later the one to its right
    Place top  # the bit of its column
    const uint8_t *ahead  # the patterns of this vertex, or NULL


cdef inline int allowed_by(int degrees, int entering) noexcept nogil:
    """Decisions that give a vertex with so many plugs a degree it may have: at most two of four.

    With degrees {0,2} or subsets: none or both after no plug, one of two after one, none after two.
    With degree {1}: one of two after no plug, none after one.
    """
    return (
        (0b0001 if degrees >> entering & 1 else 0)
        | (0b0110 if degrees >> (entering + 1) & 1 else 0)
        | (0b1000 if degrees >> (entering + 2) & 1 else 0)
    )


cdef inline Vertex vertex_at(Spec *spec, int step) noexcept nogil:
    cdef Vertex v
    cdef int entering
    v.told = spec.steps[step]
    v.number = step
    for entering in range(3):
        v.allowed[entering] = allowed_by(v.told.degrees, entering) & v.told.decisions
    v.last = step + 1 == spec.num_steps
    v.above_ruled = v.told.above != RULELESS
    v.beside_ruled = v.told.beside != RULELESS
    v.up = spec.plugs[v.told.column]
    v.left = spec.plugs[spec.width]
    v.top = spec.tops[v.told.column]
    v.ahead = NULL if spec.ahead == NULL else spec.ahead + <size_t>step * SEEN
    return v


cdef inline int read(const uint64_t *state, Place place, uint64_t mask) noexcept nogil:
    return <int>(state[place.word] >> place.shift & mask)


cdef inline void flip(uint64_t *state, Place place, int change) noexcept nogil:
    state[place.word] ^= <uint64_t>change << place.shift


cdef inline int plug(Spec *spec, const uint64_t *state, int slot) noexcept nogil:
    return read(state, spec.plugs[slot], spec.plug_mask)


cdef inline void change(Spec *spec, uint64_t *state, int slot, int old, int new) noexcept nogil:
    flip(state, spec.plugs[slot], old ^ new)


cdef inline int top_at(const uint64_t *state, Place place) noexcept nogil:
    """A face bit, 0 where there is none."""
    return 0 if place.word < 0 else <int>(state[place.word] >> place.shift & 1)


cdef inline int mate_of(Spec *spec, const uint64_t *state, int column, int end) noexcept nogil:
    """Slot of the other end of the path that enters ``column`` as ``end``.

    Both plugs at the vertex have been taken off, so what remains of the frontier is plugs
    0 ... width - 1 in this order, and the mate is the first unmatched parenthesis. There is one,
    because parentheses nest; -1 is for tables that are no plan's.
    """
    cdef int depth = 0, other = LEFT_END + RIGHT_END - end, slot = column, code
    cdef int step = 1 if end == LEFT_END else -1
    while True:
        slot += step
        if slot < 0 or slot >= spec.width:
            return -1
        code = plug(spec, state, slot)
        if code == end:
            depth += 1
        elif code == other:
            if depth == 0:
                return slot
            depth -= 1
