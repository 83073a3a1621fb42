"""The step of the frontier pass: what one decision at one vertex makes of one state.

`linkoracle.frontier.plan` says what a state is. A decision is ``2 * right + down``: whether each of
these two edges of the vertex is chosen. For every state a pass calls `look`, which takes off the
plugs at the vertex and says which decisions are left, and `decide` for each of these. What is done
with the states that come out is no matter of this file.
"""

from libc.stdint cimport uint64_t

from linkoracle.frontier.state cimport (
    ANY_LABEL, FIRST_LABEL, LEFT_END, RIGHT_END, Spec, Vertex, change, flip, mate_of, plug, read,
    top_at
)

cdef enum Target:
    REFUSED  # no solution comes of it
    ACCEPTED  # it completes a solution
    GOES_ON  # it leads to another state


cdef struct View:
    int left  # the plug to the left of the vertex
    int up  # the plug above it
    int decisions  # mask of those that no rule refuses at once


# ---- what comes in -------------------------------------------------------------------------------


cdef inline int pattern_of(Spec *spec, Vertex *v, const uint64_t *rest) noexcept nogil:
    """What the state knows around the vertex, as `lookahead.lookahead` numbers it, over 4."""
    cdef int column = v.told.column, pattern = 0
    if column:
        pattern |= 1 if plug(spec, rest, column - 1) else 0
        pattern |= top_at(rest, spec.tops[column - 1]) << 1
    if column + 1 < spec.width:
        pattern |= 4 if plug(spec, rest, column + 1) else 0
        pattern |= top_at(rest, spec.tops[column + 1]) << 3
    if column + 2 < spec.width:
        pattern |= 16 if plug(spec, rest, column + 2) else 0
        pattern |= top_at(rest, spec.tops[column + 2]) << 5
    return pattern


cdef inline int fit_above(Spec *spec, Vertex *v, const uint64_t *rest, int up) noexcept nogil:
    """Decisions with which the face to the upper right has a count that it may have.

    It is complete with the edge to the right.
    """
    cdef int column = v.told.column
    cdef int chosen = top_at(rest, v.top) + (up != 0) + (plug(spec, rest, column + 1) != 0)
    cdef int counts = v.told.above >> chosen
    return (0b0011 if counts & 0b01 else 0) | (0b1100 if counts & 0b10 else 0)


cdef inline int fit_beside(Spec *spec, Vertex *v, const uint64_t *rest) noexcept nogil:
    """Decisions with which the face to the lower left can still get such a count.

    It has its right edge with the edge down, and lacks only its bottom edge.
    """
    cdef int column = v.told.column - 1
    cdef int chosen = top_at(rest, spec.tops[column]) + (plug(spec, rest, column) != 0)
    cdef int counts = v.told.beside >> chosen
    return (0b0101 if counts & 0b011 else 0) | (0b1010 if counts & 0b110 else 0)


cdef inline bint look(
    Spec *spec, Vertex *v, const uint64_t *state, uint64_t *rest, View *view
) noexcept nogil:
    """What a state shows at a vertex; False if that leaves no decision.

    ``rest`` gets the state without the plugs at the vertex and without the bit of the face above,
    which need not be known any more. The face to the lower right depends on the decision alone:
    ``Step.decisions`` has dealt with it.
    """
    cdef int k, left, up, decisions
    left, up = read(state, v.left, spec.plug_mask), read(state, v.up, spec.plug_mask)
    decisions = v.allowed[(left != 0) + (up != 0)]
    if decisions == 0:
        return False
    for k in range(spec.words):
        rest[k] = state[k]
    flip(rest, v.left, left)
    flip(rest, v.up, up)
    if v.above_ruled:
        decisions &= fit_above(spec, v, rest, up)
    if v.beside_ruled:
        decisions &= fit_beside(spec, v, rest)
    if v.top.word >= 0:
        rest[v.top.word] &= ~(<uint64_t>1 << v.top.shift)
    if v.ahead != NULL:
        decisions &= v.ahead[pattern_of(spec, v, rest)]
    view.left, view.up, view.decisions = left, up, decisions
    return decisions != 0


# ---- what goes out -------------------------------------------------------------------------------


cdef inline bint relabel(Spec *spec, Vertex *v, uint64_t *state, int slot, int old) noexcept nogil:
    """Let plug ``slot``, now ``old``, carry the terminal just met; False if that is impossible.

    At its pair's first terminal the plug becomes an open label. At the second, the plug that
    carries the first terminal is looked up, and both become a met pair.
    """
    cdef int first = 0, code = v.told.code
    if slot < 0:
        return False
    if v.told.phase == 1:
        change(spec, state, slot, old, code)
        return True
    # With one pair the plug carries the code of a met pair already.
    while plug(spec, state, first) != code:
        first += 1
        if first == spec.width:
            return False
    change(spec, state, first, code, spec.spare_code)
    change(spec, state, slot, old, spec.spare_code)
    return True


cdef inline bint end_path(
    Spec *spec, Vertex *v, uint64_t *state, int entering, int decision
) noexcept nogil:
    """A terminal: its path leaves it, or the path that enters it ends there."""
    cdef int column = v.told.column, mate
    if entering == 0:
        return relabel(spec, v, state, spec.width if decision >> 1 else column, 0)
    if entering >= FIRST_LABEL:
        # Joined with its mate if that is what comes in; any other label has ends of its own.
        return v.told.phase == 2 and entering == v.told.code
    mate = mate_of(spec, state, column, entering)
    return relabel(spec, v, state, mate, LEFT_END + RIGHT_END - entering)


cdef inline bint join(Spec *spec, Vertex *v, uint64_t *state, int left, int up) noexcept nogil:
    """Two paths meet at the vertex and become one; False when they must not.

    A pair of parentheses that meets itself closes a cycle; `decide` has dealt with that.
    """
    cdef int end, mate
    if left >= FIRST_LABEL and up >= FIRST_LABEL:
        # An open label stands on one plug only, so equal labels are the two ends of a met pair.
        return left == up
    if left >= FIRST_LABEL or up >= FIRST_LABEL:
        end = min(left, up)
        mate = mate_of(spec, state, v.told.column, end)
        if mate < 0:
            return False
        change(spec, state, mate, LEFT_END + RIGHT_END - end, max(left, up))
    elif left == up:
        # "((": the mate of the inner one turns round; the outer one's mate stays the outer end.
        mate = mate_of(spec, state, v.told.column, left)
        if mate < 0:
            return False
        change(spec, state, mate, LEFT_END, RIGHT_END)
    # ")(": the two outer ends are each other's mates as they stand.
    return True


cdef inline bint closes(Spec *spec, Vertex *v, const uint64_t *state) noexcept nogil:
    """Whether a cycle closed here is a solution: nothing else chosen, nothing else needed.

    Every other plug must be empty. Then all that the open faces will ever have is their top edge,
    and vertices and faces to come get no edge at all.
    """
    cdef int slot, other, row = v.number // spec.width, face_row
    if not v.told.rest_empty:
        return False
    for slot in range(spec.width):
        if plug(spec, state, slot):
            return False
    for other in range(spec.width - 1):
        if other != v.told.column:
            face_row = row if other < v.told.column else row - 1
            if 0 <= face_row < spec.face_rows and not (
                spec.faces[face_row * (spec.width - 1) + other]
                >> top_at(state, spec.tops[other]) & 1
            ):
                return False
    return True


cdef inline bint settle(Spec *spec, Vertex *v, uint64_t *state) noexcept nogil:
    """Number the met pairs anew and say whether the state can still lead to a solution.

    Each reason to give up is sound, that is, no completion of the state is lost:

    * *guard*: the edge of a plug is chosen, so its path enters the vertex ahead of it. If that is
      a terminal, the path ends there; only an unfinished path or that pair's own open label may.
    * *meeting*: the plugs ahead of the next vertex are both chosen and will be joined there: two
      different labels must not be, nor, as paths have no cycles, two ends of the same path.
    * *stranded*: when no terminal is to come and no label is on the frontier, an unfinished path
      can never reach a terminal.
    * *crossing*: what is decided so far, seen from below, is the lower half plane with a
      strip for each unfinished path, and what lies directly under the same innermost strip (or
      under none) is one boundary curve of it. Fill in the other boundaries with discs: this leaves
      a disc, on whose rim two pairs that alternate cannot both be joined without crossing. Pairs
      with ends under different strips prove nothing, since a path may go round through a strip.
    """
    cdef int *number = spec.scratch  # new number of a met pair, by code from `pair_base` on
    cdef int *outer = number + spec.scratch_row  # strip above each open parenthesis
    cdef int *first = outer + spec.scratch_row  # first place of each met pair
    cdef int *last = first + spec.scratch_row  # its other place, if under the same strip, or -1
    cdef int *strip = last + spec.scratch_row  # the strip that the first place is under
    cdef int column = v.told.column, row_start = v.number - v.told.column
    cdef int met = 0, labels = 0, paths = 0, depth = 0, here = 0, beside = 0
    cdef int place, slot, vertex, code, guard, index, a, b
    for code in range(spec.width + 2):
        number[code] = -1
    for place in range(spec.width + 1):
        if place <= column:
            slot, vertex = place, row_start + spec.width + place
        elif place == column + 1:
            slot, vertex = spec.width, v.number + 1
        else:
            slot, vertex = place - 1, row_start + place - 1
        code = plug(spec, state, slot)
        if code == 0:
            continue
        if place == column + 1:
            beside = code
        elif place == column + 2 and beside:
            if code >= FIRST_LABEL and beside >= FIRST_LABEL:
                if code != beside:
                    return False
            elif code == RIGHT_END and beside == LEFT_END:
                return False
        if code == LEFT_END:
            outer[depth] = here
            depth += 1
            paths += 1
            here = paths
        elif code == RIGHT_END:
            if depth == 0:
                return False
            depth -= 1
            here = outer[depth]
        else:
            labels += 1
            guard = spec.steps[vertex].guard
            if guard != ANY_LABEL and guard != code:
                return False
            if code >= spec.pair_base:
                index = number[code - spec.pair_base]
                if index < 0:
                    index = met
                    met += 1
                    number[code - spec.pair_base] = index
                    first[index], strip[index] = place, here
                    # Only one end so far (with one pair, an open label looks like this).
                    last[index] = -1
                elif strip[index] == here:
                    last[index] = place
                if code != spec.pair_base + index:
                    change(spec, state, slot, code, spec.pair_base + index)
    if paths and not labels and not v.told.unseen:
        return False
    for a in range(met):
        if last[a] >= 0:
            for b in range(a + 1, met):
                if first[b] < last[a] and last[a] < last[b] and strip[a] == strip[b]:
                    return False
    return True


cdef inline Target decide(
    Spec *spec, Vertex *v, View *view, int decision, const uint64_t *rest, uint64_t *child
) noexcept nogil:
    """What a decision makes of a state: ``child``, when it goes on."""
    cdef int left = view.left, up = view.up, k
    for k in range(spec.words):
        child[k] = rest[k]
    if v.told.phase:
        if not end_path(spec, v, child, left + up, decision):
            return REFUSED
    elif left and up:
        if left == LEFT_END and up == RIGHT_END:
            return ACCEPTED if spec.loop and closes(spec, v, child) else REFUSED
        if not join(spec, v, child, left, up):
            return REFUSED
    elif decision == 0b11:
        flip(child, v.up, LEFT_END)
        flip(child, v.left, RIGHT_END)
    elif decision:
        flip(child, v.left if decision >> 1 else v.up, left + up)
    if not spec.loop and not settle(spec, v, child):
        return REFUSED
    if v.last:
        # No edge leaves the last vertex, so nothing is left on the frontier.
        return REFUSED if spec.loop else ACCEPTED
    if v.told.keep_top and decision >> 1:
        child[v.top.word] |= <uint64_t>1 << v.top.shift
    return GOES_ON
