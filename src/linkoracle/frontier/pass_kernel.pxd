"""The state of a frontier pass, the step, and the tables of a `Pass` for other kernels.

`linkoracle.frontier.plan` defines a state. A step is one decision at one vertex, for one state.

Contents
    State   fields and registers of a state, and the tables of a pass
    Step    `look` and `decide`: what a decision at a vertex makes of a state
    Tables  of a `Pass`
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t

from linkoracle.core.kernels cimport Arena



# ---- State ---------------------------------------------------------------------------------------

cdef enum:
    EMPTY = 0  # code of a field: its vertex has no chosen edge
    FULL = 1  # its vertex has two chosen edges, or is a terminal with one
    FIRST_SLOT = 2  # its vertex has one: this plus the slot of the other end of its path
    NOTHING = -1  # no slot, no edge, no pair
    TO_NOTHING = 0  # target of a child in a kept layer: no solution
    TO_ACCEPT = 1  # the child completes a solution
    FIRST_RECORD = 2  # the first record of the next layer; further records follow
    MOST_DECISIONS = 63  # at a vertex: a mask of them is a word, with a bit to spare
    MAX_GROWTH = 6  # bits by which the number of ways grows with a step, at most


cdef struct Place:
    int32_t word  # of a state
    int32_t shift  # bits below it in that word


# An edge to a later vertex, or from a vertex to its next step.
cdef struct Out:
    int32_t slot  # of that vertex
    int32_t pair  # of which it is a terminal, or NOTHING
    int32_t passes  # whether it may have two edges


# A decision: the edges that are chosen.
cdef struct Choice:
    int32_t first  # which out, or NOTHING
    int32_t second


# A register that the step changes.
cdef struct Touch:
    int32_t word  # of a state
    int32_t shift  # bits below it
    int32_t held  # mask of its values before the step
    int32_t holds  # mask of its values after the step
    int32_t cases  # rows for each class: 2 if it matters whether the vertex has an edge
    int32_t rows  # where in `Spec.masks` its rows begin
    int32_t entries  # and where in `Spec.entries`


cdef struct Step:
    int32_t slot  # of the vertex, NOTHING if no edge leads to it
    int32_t pair  # of which it is a terminal, or NOTHING
    int32_t outs  # where its edges begin
    int32_t num_outs
    int32_t choices  # where its decisions begin
    int32_t num_choices
    int32_t touches  # where its registers begin
    int32_t num_touches
    int32_t unseen  # terminals that come after it
    int32_t children  # of a state, at most
    int32_t heir  # slot of the same vertex in its next step, NOTHING in its last
    int32_t spare  # unused
    uint64_t allowed[3]  # masks of decisions, by the number of edges chosen before
    uint64_t idle  # mask of the decision to choose no edge


cdef struct Spec:
    int words  # of a state
    int num_steps  # at least one for each vertex
    int num_slots  # fields
    int pairs  # codes of pairs
    int most_touches  # registers of a step, at most
    bint loop  # whether a solution is one cycle; else it is paths without any cycle,
    bint free_ends  # which may end anywhere; a pair is then a reached end, named or not
    int joined[2]  # the two ends of the free path completed last
    uint64_t field_mask  # the bits of one field
    Place *fields  # by slot
    Place closed  # the bit that says that the loop is complete
    uint64_t *unfinished  # by word: the bits that only unfinished paths have
    Step *steps
    Out *outs
    Choice *choices
    Touch *touches
    uint64_t *masks  # of decisions with a future, by row of a table
    uint16_t *entries  # classes after a decision, by row and decision
    int32_t *order  # slots in use behind each step, ended by NOTHING: `num_slots` + 1 for each
    bint plane  # whether these stand along the frontier from one end to the other
    int *scratch  # six rows of `num_slots` for `has_future`


cdef struct Vertex:
    Step step  # from the plan
    bint last  # whether no vertex comes after it
    Place field  # of its slot
    const Out *outs
    const Choice *choices
    const Touch *touches
    const int32_t *order  # slots in use behind it, ended by NOTHING


cdef inline Vertex vertex_at(Spec *spec, int number) noexcept nogil:
    cdef Vertex v
    v.step = spec.steps[number]
    v.last = number + 1 == spec.num_steps
    v.field = spec.fields[max(v.step.slot, 0)]
    v.outs = spec.outs + v.step.outs
    v.choices = spec.choices + v.step.choices
    v.touches = spec.touches + v.step.touches
    v.order = spec.order + <size_t>number * (spec.num_slots + 1)
    return v


cdef inline int code_at(Spec *spec, const uint64_t *state, int slot) noexcept nogil:
    cdef Place place = spec.fields[slot]
    return <int>(state[place.word] >> place.shift & spec.field_mask)


cdef inline void put_code(Spec *spec, uint64_t *state, int slot, int code) noexcept nogil:
    cdef Place place = spec.fields[slot]
    state[place.word] = (
        state[place.word] & ~(spec.field_mask << place.shift) | <uint64_t>code << place.shift
    )


# ---- Step ----------------------------------------------------------------------------------------
#
# A decision is a set of up to two edges to later vertices, or to the same vertex in its next step:
# such an edge carries a path on. For every state a pass calls `look`, which removes the vertex from
# the frontier and returns the decisions left. For each of these it calls `decide`, which makes the
# next state.

cdef enum Target:
    REFUSED  # it leads to no solution
    ACCEPTED  # it completes a solution
    GOES_ON  # it leads to another state

cdef enum:
    DEAD_END = -1  # in place of a code: the edge must not be chosen


cdef struct View:
    int code  # in the field of the vertex
    uint64_t choices  # mask of the decisions that no rule excludes at once
    uint32_t *entries  # by register of the step: its row in `Spec.entries`


# -- before the decision --


cdef inline bint look(
    Spec *spec, Vertex *v, const uint64_t *state, uint64_t *rest, View *view, int words
) noexcept nogil:
    """Read a state at a vertex; return false if no decision is left.

    ``rest`` gets the state without the field of the vertex and the registers of the step.
    """
    cdef int k, row, code = EMPTY
    cdef uint64_t choices
    cdef const Touch *touch
    for k in range(words):
        rest[k] = state[k]
    if v.step.slot >= 0:
        code = <int>(state[v.field.word] >> v.field.shift & spec.field_mask)
        rest[v.field.word] &= ~(spec.field_mask << v.field.shift)
    choices = v.step.allowed[code if code <= FULL else 2]
    if state[spec.closed.word] >> spec.closed.shift & 1:
        choices &= v.step.idle
    for k in range(v.step.num_touches):
        touch = &v.touches[k]
        row = <int>(state[touch.word] >> touch.shift & <uint64_t>touch.held)
        if touch.cases == 2:
            row = 2 * row + (code != EMPTY)
        choices &= spec.masks[touch.rows + row]
        view.entries[k] = <uint32_t>(touch.entries + row * v.step.num_choices)
        rest[touch.word] &= ~(<uint64_t>touch.held << touch.shift)
    view.code, view.choices = code, choices
    return choices != 0


# -- paths --
#
# A code names the other end of a path. In the first range, that end is on the frontier: the code is
# the slot of its vertex. In the second range, ``num_slots + slot``, that end is at a terminal; the
# path that ends at that slot has reached the other terminal of the same pair. The last range has
# the pairs with one terminal reached. If ends are free, it has the vertices at which a path has its
# other end, or one code for all of them.


cdef inline int slot_of(Spec *spec, int code) noexcept nogil:
    """Return the slot that a code of a path names, with or without a terminal."""
    code -= FIRST_SLOT
    return code - spec.num_slots if code >= spec.num_slots else code


cdef inline bint is_plain(Spec *spec, int code) noexcept nogil:
    """Return whether a path has no terminal yet."""
    return code < FIRST_SLOT + spec.num_slots


cdef inline bint is_pair(Spec *spec, int code) noexcept nogil:
    """Return whether a path has a terminal, and no path has the other terminal of its pair."""
    return code >= FIRST_SLOT + 2 * spec.num_slots


cdef inline int extend(Spec *spec, uint64_t *state, const Out *out) noexcept nogil:
    """Lead a path to a vertex; return the code of its new end, or `DEAD_END`.

    The new end is the vertex, the other end of a path that ends at the vertex, or the pair of a
    terminal.
    """
    cdef int code = code_at(spec, state, out.slot)
    if code == FULL:
        return DEAD_END
    if code == EMPTY:
        if out.pair == NOTHING:
            return FIRST_SLOT + out.slot
        code = FIRST_SLOT + 2 * spec.num_slots + out.pair
    elif not out.passes:
        return DEAD_END
    put_code(spec, state, out.slot, FULL)
    return code


cdef inline int holder_of(Spec *spec, const uint64_t *state, int pair) noexcept nogil:
    """Return the slot of the path that has the other terminal of a pair, or NOTHING."""
    cdef int slot
    for slot in range(spec.num_slots):
        if code_at(spec, state, slot) == pair:
            return slot
    return NOTHING


cdef inline void join_ends(Spec *spec, int one, int other) noexcept nogil:
    """Record the two ends of a complete path."""
    spec.joined[0] = one - FIRST_SLOT - 2 * spec.num_slots
    spec.joined[1] = other - FIRST_SLOT - 2 * spec.num_slots


cdef inline bint connect(Spec *spec, uint64_t *state, int one, int other) noexcept nogil:
    """Join two ends of different paths; return False if they must not be joined."""
    cdef int slot, holder
    if is_plain(spec, one) and is_plain(spec, other):
        put_code(spec, state, slot_of(spec, one), other)
        put_code(spec, state, slot_of(spec, other), one)
        return True
    if is_plain(spec, other):
        one, other = other, one
    if not is_plain(spec, one):
        # Both have terminals: the path is complete if these are a pair.
        if spec.free_ends:
            join_ends(spec, one, other)
            return True
        return is_pair(spec, one) and one == other
    slot = slot_of(spec, one)
    if is_pair(spec, other):
        holder = NOTHING if spec.free_ends else holder_of(spec, state, other)
        if holder == NOTHING:
            put_code(spec, state, slot, other)
            return True
    else:
        holder = slot_of(spec, other)
    put_code(spec, state, slot, FIRST_SLOT + spec.num_slots + holder)
    put_code(spec, state, holder, FIRST_SLOT + spec.num_slots + slot)
    return True


cdef inline bint is_single(Spec *spec, const uint64_t *state) noexcept nogil:
    """Return whether there is no unfinished path."""
    cdef int k
    cdef uint64_t unfinished = 0
    for k in range(spec.words):
        unfinished |= state[k] & spec.unfinished[k]
    return unfinished == 0


cdef inline bint lead(
    Spec *spec, uint64_t *state, int end, const Out *out
) noexcept nogil:
    """Lead a path with the other end ``end`` to a vertex; return False if that is invalid."""
    cdef int other
    if end < FIRST_SLOT + 2 * spec.num_slots and slot_of(spec, end) == out.slot:
        # Both ends of one path meet: a cycle, unless it has both terminals of a pair.
        if not out.passes:
            return False
        put_code(spec, state, out.slot, FULL)
        if not is_plain(spec, end):
            return True
        if not spec.loop or not is_single(spec, state):
            return False
        state[spec.closed.word] |= <uint64_t>1 << spec.closed.shift
        return True
    other = extend(spec, state, out)
    return other != DEAD_END and connect(spec, state, end, other)


# -- what has no future --


cdef inline bint is_fresh(Spec *spec, const uint64_t *state, const Out *out) noexcept nogil:
    """Return whether no path leads to a vertex yet, and none begins there."""
    return out.pair == NOTHING and code_at(spec, state, out.slot) == EMPTY


cdef inline bint only_grows(
    Spec *spec, Vertex *v, const uint64_t *rest, int decision
) noexcept nogil:
    """Return whether a decision cannot change the answer of `has_future`.

    A decision cannot if terminals are to come and it only leads a path to empty vertices. Ends then
    keep their order, and no end is under the strip of a new path.
    """
    cdef const Choice *choice = &v.choices[decision]
    return (
        v.step.unseen
        and v.step.pair == NOTHING
        and is_fresh(spec, rest, &v.outs[choice.first])
        and (choice.second == NOTHING or is_fresh(spec, rest, &v.outs[choice.second]))
    )


cdef inline bint has_future(Spec *spec, Vertex *v, const uint64_t *state) noexcept nogil:
    """Return False if some path can no longer join its terminals. Does not find all such states.

    Each reason is sound, that is, no completion of the state is lost:

    * *stranded*: when no terminal is to come and no path has one, an unfinished path can never
      reach a terminal.
    * *crossing*: paths to come lie in the lower half plane and in strips along the unfinished paths
      without terminals. All ends directly under the same innermost strip (or under none) lie on one
      boundary curve. Fill in the other boundaries with discs: this leaves a disc. Two pairs that
      alternate on its border cannot both be joined without crossing. Pairs with ends under
      different strips prove nothing, since a path may go round through a strip.
    """
    cdef int *first = spec.scratch  # first place of each pair of ends to be joined
    cdef int *last = first + spec.num_slots  # its other place, if under the same strip, or -1
    cdef int *strip = last + spec.num_slots  # the strip that the first place is under
    cdef int *pair_of = strip + spec.num_slots  # by slot of the first place: which pair
    cdef int *seen = pair_of + spec.num_slots  # by slot: its place
    cdef int *outer = seen + spec.num_slots  # strip above each open one
    cdef int met = 0, ends = 0, paths = 0, depth = 0, here = 0
    cdef int place, slot, code, other, index, a, b
    for slot in range(spec.num_slots):
        seen[slot] = NOTHING
    place = 0
    while v.order[place] != NOTHING:
        slot = v.order[place]
        code = code_at(spec, state, slot)
        seen[slot] = place
        place += 1
        if code <= FULL:
            continue
        if is_pair(spec, code):
            ends += 1
            continue
        other = slot_of(spec, code)
        if is_plain(spec, code):
            paths += 1
            if seen[other] == NOTHING:
                outer[depth] = here
                depth += 1
                here = paths
            elif depth:
                depth -= 1
                here = outer[depth]
        else:
            ends += 1
            if seen[other] == NOTHING:
                pair_of[slot] = met
                first[met], last[met], strip[met] = place, NOTHING, here
                met += 1
            elif strip[pair_of[other]] == here:
                last[pair_of[other]] = place
    if paths and not ends and not v.step.unseen:
        return False
    if not spec.plane:
        return True
    for a in range(met):
        if last[a] >= 0:
            for b in range(a + 1, met):
                if first[b] < last[a] and last[a] < last[b] and strip[a] == strip[b]:
                    return False
    return True


# -- the decision --


cdef inline Target decide(
    Spec *spec,
    Vertex *v,
    View *view,
    int decision,
    const uint64_t *rest,
    uint64_t *child,
    int words,
) noexcept nogil:
    """Apply a decision to a state; write the next state to ``child``."""
    cdef int k, end, first = v.choices[decision].first, second = v.choices[decision].second
    for k in range(words):
        child[k] = rest[k]
    for k in range(v.step.num_touches):
        child[v.touches[k].word] |= (
            <uint64_t>spec.entries[view.entries[k] + decision] << v.touches[k].shift
        )
    if first != NOTHING:
        if second != NOTHING:
            end = extend(spec, child, &v.outs[first])
            if end == DEAD_END:
                return REFUSED
            first = second
        elif view.code != EMPTY:
            end = view.code
        else:
            end = FIRST_SLOT + 2 * spec.num_slots + v.step.pair
        if not lead(spec, child, end, &v.outs[first]):
            return REFUSED
        if not (
            spec.loop
            or spec.free_ends
            or only_grows(spec, v, rest, decision)
            or has_future(spec, v, child)
        ):
            return REFUSED
    elif spec.free_ends and view.code > FULL:
        # The path ends here.
        end = FIRST_SLOT + 2 * spec.num_slots + v.step.pair
        if is_plain(spec, view.code):
            put_code(spec, child, slot_of(spec, view.code), end)
        else:
            join_ends(spec, view.code, end)
    if v.step.heir != NOTHING and (view.code != EMPTY or first != NOTHING):
        # Without a path that is carried, the vertex has all its edges.
        if code_at(spec, child, v.step.heir) == EMPTY:
            put_code(spec, child, v.step.heir, FULL)
    if v.last:
        # No edge leaves the last vertex, so no path is unfinished.
        return ACCEPTED if not spec.loop or child[spec.closed.word] >> spec.closed.shift & 1 else REFUSED
    return GOES_ON


# ---- Tables --------------------------------------------------------------------------------------

cdef struct Count  # known to `pass_kernel.pyx` alone


cdef class Pass:
    cdef Arena arena
    cdef Count *count
    cdef Spec *spec  # the tables, a part of `count`
    cdef bint busy, sharing
