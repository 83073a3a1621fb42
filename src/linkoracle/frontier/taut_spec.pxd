"""The step of the pass over taut solutions: what one decision at one vertex makes of one state.

`docs/taut.md` has the terms. **A state** stands between two vertices, as in `plan`. Every column
has a cell for the vertex on the frontier there: its *kind*, the last two of which have the edge
down; the *turn* it made, if it was a corner that hangs on a vertex of the next row; and its
*colour*, equal for two vertices exactly when they are known to be on one path. One more number,
the *side*, is for the edge to the right of the vertex decided last: 0, `LOOSE` or `LABELLED`, and
two marks.

Colours 1 ... ``open_codes`` are pairs of which one terminal has been met, under the code that
`taut` gave them. Others are numbered from left to right, so that equal situations are equal
states. When both terminals of a pair have been met, or none has, the name does not matter any
more, or not yet: such a colour stands on two plugs, which are the two ends of one loose piece, or
both `LABELLED` and to be joined. Colour 0 is of no consequence any more.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

cdef enum:
    UNUSED = 0  # kinds: no path is at the vertex,
    PASSED = 1  # a path, without the edge down,
    LOOSE = 2  # a path that begins at no terminal yet, with the edge down,
    LABELLED = 3  # a path from a terminal, with the edge down
    HANGS_RIGHT = 1  # turns that hang on a vertex of the next row: right and down,
    HANGS_LEFT = 2  # left and down
    EDGE = 3  # of a side: the edge to the right
    HANG = 4  # a corner hangs on the next vertex
    BARE = 8  # the edge is of a run that began at an edge from above, unused vertices above it
    ANY_LABEL = -1  # guard of a vertex that any label may enter; 0 says none, else the only one
    REFUSED = -1  # no side: the decision cannot be made


cdef struct Cell:
    uint8_t kind  # of the vertex
    uint8_t turn  # that it made, if a corner hangs on the next row
    int32_t colour  # of its path


cdef struct TautStep:
    int32_t phase  # 0, or which terminal of its pair the vertex is: 1 or 2
    int32_t code  # colour of the pair while it is open
    int32_t guard  # which colour may enter the vertex
    int32_t may_hang_right  # whether the diagonal down to the right comes to a terminal
    int32_t may_hang_left  # whether the diagonal down to the left does
    int32_t unseen  # terminals that come after it


cdef struct TautSpec:
    int width  # vertices along the frontier
    int num_steps  # vertices
    int open_codes  # colours of open pairs are 1 to this
    int fresh  # a colour that no state has: more than can be on the frontier
    int bits  # of a cell in a state: two each for kind and turn, and those of a colour
    int cells_a_word  # cells do not straddle words
    int words  # of a state
    TautStep *steps  # by vertex
    Cell *old  # the state that is left, by column
    Cell *new  # the state that is made
    int *scratch  # six rows of `scratch_row` for `settle`
    int scratch_row  # more than there are colours


cdef inline int unpack(TautSpec *s, const uint64_t *state) noexcept nogil:
    """Fill ``old`` from a state; return the side."""
    cdef int place, field = 0, within = 0
    cdef uint64_t word = state[0], mask = (<uint64_t>1 << s.bits) - 1
    for place in range(s.width + 1):
        if within == s.cells_a_word:
            state += 1
            word, within = state[0], 0
        field = <int>(word & mask)
        word >>= s.bits
        within += 1
        if place < s.width:
            s.old[place].kind = field & 3
            s.old[place].turn = field >> 2 & 3
            s.old[place].colour = field >> 4
    return field


cdef inline void pack(TautSpec *s, int side, uint64_t *state) noexcept nogil:
    """Write ``new`` and the side as a state."""
    cdef int place, within = 0
    cdef uint64_t field
    state[0] = 0
    for place in range(s.width + 1):
        if within == s.cells_a_word:
            state += 1
            state[0] = 0
            within = 0
        field = side
        if place < s.width:
            field = s.new[place].kind | s.new[place].turn << 2 | s.new[place].colour << 4
        state[0] |= field << (within * s.bits)
        within += 1


# ---- colours -------------------------------------------------------------------------------------


cdef inline void rename(TautSpec *s, int old, int new, bint labelled) noexcept nogil:
    """Let colour ``old`` be ``new``; its plugs carry a label from now on if ``labelled``."""
    cdef int column
    for column in range(s.width):
        if s.new[column].colour == old:
            s.new[column].colour = new
            if labelled and s.new[column].kind == LOOSE:
                s.new[column].kind = LABELLED


cdef inline bint part_sees(TautSpec *s, int first, int last, int one, int other) noexcept nogil:
    cdef int column, colour, before = 0
    for column in range(first, last):
        if s.old[column].kind != UNUSED:
            colour = s.old[column].colour
            if (colour == one and before == other) or (colour == other and before == one):
                return True
            before = colour
    return False


cdef inline bint see(TautSpec *s, int column, int one, int other) noexcept nogil:
    """Whether two vertices of these colours see each other before ``column``, or from it on.

    When the colours become one, the two would be on one path without being joined straight.
    """
    return part_sees(s, 0, column, one, other) or part_sees(s, column, s.width, one, other)


cdef inline int seen_left(const Cell *cells, int column) noexcept nogil:
    """Colour of the first used vertex to the left in this row, 0 if there is none."""
    while column > 0:
        column -= 1
        if cells[column].kind != UNUSED:
            return cells[column].colour
    return 0


# ---- the vertex ----------------------------------------------------------------------------------


cdef inline int go_through(TautSpec *s, int column, int right, int left, int up) noexcept nogil:
    """A path goes through the vertex: make ``new``, return what the edge to the right carries."""
    cdef int above = s.old[column].colour, beside = s.old[column - 1].colour if left else 0
    cdef Cell *here = &s.new[column]
    if left and up:
        here.kind = PASSED
        if above == beside:
            if left == LOOSE:
                return REFUSED
            # The two ends of a pair meet.
            rename(s, above, 0, False)
            return 0
        if (left == LABELLED and up == LABELLED) or see(s, column, above, beside):
            return REFUSED
        if left == LABELLED:
            rename(s, above, beside, True)
        else:
            rename(s, beside, above, up == LABELLED)
        return 0
    if up or left:
        here.colour = above if up else beside
        here.kind = PASSED if right else up + left
        return up + left if right else 0
    here.colour, here.kind = s.fresh, LOOSE
    return LOOSE


cdef inline int end_there(
    TautSpec *s, TautStep *told, int column, int right, int left, int up
) noexcept nogil:
    """A path ends at the vertex, a terminal: make ``new`` like `go_through`."""
    cdef int above = s.old[column].colour, beside = s.old[column - 1].colour if left else 0
    cdef int code = told.code, name = code if told.phase == 1 else s.fresh, entering, colour
    cdef Cell *here = &s.new[column]
    if left or up:
        entering, colour = (left, beside) if left else (up, above)
        # The vertex above is on this path, or on the other part of it, and not joined with it.
        if left and above and (above == beside or (told.phase == 2 and above == code)):
            return REFUSED
        here.kind = PASSED
        if entering == LABELLED:
            if told.phase == 1 or colour != code or (up and seen_left(s.old, column) == code):
                return REFUSED
            rename(s, code, 0, False)
            here.colour = 0
            return 0
        if told.phase == 2:
            if see(s, column, colour, code):
                return REFUSED
            rename(s, code, name, True)
        rename(s, colour, name, True)
        here.colour = name
        return 0
    if told.phase == 2:
        if above == code:
            return REFUSED
        rename(s, code, name, True)
    here.colour = name
    here.kind = PASSED if right else LABELLED
    return LABELLED if right else 0


cdef inline bint chorded(TautSpec *s, int column, int right, int left) noexcept nogil:
    """Whether the vertex just decided is beside its own path, or about to be."""
    cdef int colour = s.new[column].colour, above = s.old[column].colour
    if not colour:
        return False
    if s.old[column].kind < LOOSE and above:
        if above == colour:
            return True
        # The edge to the right meets the path that comes down in the next column.
        if right and s.old[column + 1].kind >= LOOSE and s.old[column + 1].colour == above:
            return True
    return not left and seen_left(s.new, column) == colour


cdef inline bint settle(TautSpec *s, int step, int column, int right) noexcept nogil:
    """Number the colours anew, and say whether the state can still lead to a solution.

    The reasons to give up are *guard*, *meeting*, *stranded* and *crossing*, as `spec.settle`
    proves them, and one more: a vertex of an open pair's path that is not joined with the pair's
    second terminal must not be beside it.
    """
    cdef int *number = s.scratch  # new number of a colour
    cdef int *begun = number + s.scratch_row  # whether one end of a loose piece has been met
    cdef int *first = begun + s.scratch_row  # first place of a pair to be joined
    cdef int *last = first + s.scratch_row  # its other place, if under the same strip, or -1
    cdef int *strip = last + s.scratch_row  # the strip that the first place is under
    cdef int *outer = strip + s.scratch_row  # strips that enclose the place
    cdef int following = s.open_codes + 1, row_start = step - column
    cdef int labels = 0, loose = 0, pieces = 0, depth = 0, here = 0
    cdef int place, at, kind, colour, guard, a, b
    cdef bint last_row = step + s.width >= s.num_steps, both, same
    cdef Cell *cells = s.new
    for colour in range(s.open_codes + 1, s.fresh + 1):
        number[colour] = -1
    if right and cells[column + 1].kind >= LOOSE:
        same = cells[column].colour == cells[column + 1].colour
        both = right == LABELLED and cells[column + 1].kind == LABELLED
        if (both and not same) or (same and not both):
            return False
    if column + 1 < s.width:
        guard, colour = s.steps[step + 1].guard, cells[column].colour
        if right == LABELLED and guard != ANY_LABEL and guard != colour:
            return False
        if not right and cells[column].kind != UNUSED and guard > 0 and guard == colour:
            return False
    for place in range(s.width + 1):
        if place == column + 1:
            # The edge to the right has the colour of its vertex, which has been renumbered.
            kind, colour = right, cells[column].colour
            if not kind:
                continue
        else:
            at = place if place <= column else place - 1
            kind, colour = cells[at].kind, cells[at].colour
            if not colour:
                continue
            if not (last_row and at <= column):
                guard = s.steps[row_start + at + (s.width if at <= column else 0)].guard
                if kind == LABELLED:
                    if guard != ANY_LABEL and guard != colour:
                        return False
                elif kind == PASSED and guard > 0 and guard == colour:
                    return False
            if colour > s.open_codes:
                if number[colour] < 0:
                    number[colour] = following
                    begun[following] = 0
                    first[following] = last[following] = -1
                    following += 1
                colour = number[colour]
                cells[at].colour = colour
        if kind == LOOSE:
            loose += 1
            if begun[colour]:
                if depth == 0:
                    # Not in a state that comes of a board.
                    return False
                depth -= 1
                here = outer[depth]
            else:
                begun[colour] = 1
                pieces += 1
                outer[depth] = here
                depth += 1
                here = pieces
        elif kind == LABELLED:
            labels += 1
            if colour > s.open_codes:
                if first[colour] < 0:
                    first[colour], strip[colour] = place, here
                elif strip[colour] == here:
                    last[colour] = place
    if loose and not labels and not s.steps[step].unseen:
        return False
    for a in range(s.open_codes + 1, following):
        if last[a] >= 0:
            for b in range(s.open_codes + 1, following):
                if (
                    first[a] < first[b]
                    and first[b] < last[a]
                    and last[a] < last[b]
                    and strip[a] == strip[b]
                ):
                    return False
    if last_row:
        # Nothing below will ask.
        for at in range(column + 1):
            cells[at].kind = UNUSED
            if at < column or not right:
                cells[at].colour = 0
    return True


cdef inline int decide(TautSpec *s, int step, int column, int side, int decision) noexcept nogil:
    """What ``decision``, ``2 * right + down``, makes of ``old``: fill ``new``, return the side."""
    cdef TautStep *told = &s.steps[step]
    cdef int left = side & EDGE, right = decision >> 1, down = decision & 1, at, edge
    cdef int kind = s.old[column].kind, up = kind if kind >= LOOSE else 0
    cdef int degree = right + down + (up != 0) + (left != 0), turn = 0
    cdef bint hang_left = column + 1 < s.width and s.old[column + 1].turn == HANGS_LEFT
    if (right and column + 1 == s.width) or (down and step + s.width >= s.num_steps):
        return REFUSED
    if degree != 1 if told.phase else degree != 2 and degree != 0:
        return REFUSED
    # A corner behind the one above right or above left hangs on this vertex, so this is a terminal
    # or turns in the same way, and has no edge towards that corner's arms.
    if side & HANG and (up or left or (not told.phase and decision != 0b11)):
        return REFUSED
    if hang_left and (up or right or (not told.phase and not (left and down))):
        return REFUSED
    if not told.phase:
        if decision == 0b11:
            turn = HANGS_RIGHT
            if not told.may_hang_right:
                return REFUSED
        elif left and down:
            turn = HANGS_LEFT
            if not told.may_hang_left:
                return REFUSED
        elif left and up and side & BARE:
            return REFUSED
    for at in range(s.width):
        s.new[at] = s.old[at]
    s.new[column].turn = turn
    if degree == 0:
        s.new[column].kind, s.new[column].colour = UNUSED, 0
        edge = 0
    else:
        if told.phase:
            edge = end_there(s, told, column, right, left, up)
        else:
            edge = go_through(s, column, right, left, up)
        if edge == REFUSED or chorded(s, column, right, left):
            return REFUSED
    if not settle(s, step, column, edge):
        return REFUSED
    if s.old[column].turn == HANGS_RIGHT:
        edge |= HANG
    if right and not told.phase and (up or (side & BARE and kind == UNUSED)):
        edge |= BARE
    return edge
