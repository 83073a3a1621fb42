"""Which decisions have no future: unit propagation ahead of the frontier, remembered.

The pass sees a violated rule when the last of its edges is decided; by then a dead state has had
descendants for up to a row. So for every step a few registers and fields around the vertex are its
*window*. What these hold, and a decision, is assumed: do the rules that count edges then lead to a
contradiction anywhere? The answer is worked out when a pattern of a window is met for the first
time.

**Soundness.** A solution that continues the state has these residuals and degrees and this decision,
so it would satisfy every rule from which the contradiction follows. Of rules that are open and not
in the window nothing is assumed; connectivity is ignored.

Several threads may meet a pattern at the same time. Then each works the same mask out, and a mask is
one word.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint64_t

from linkoracle.frontier.state cimport Choice, Vertex
from linkoracle.lines.trail cimport NONE, UNKNOWN, Trail, learn, unlearn

cdef extern from * nogil:
    """
    #define LINKORACLE_WORKED_OUT ((uint64_t)1 << 63)
    #define LINKORACLE_ANY (~(uint64_t)0)
    """
    uint64_t WORKED_OUT "LINKORACLE_WORKED_OUT"  # in a mask of decisions that is known
    uint64_t ANY "LINKORACLE_ANY"  # residual of a rule of which nothing is assumed


# What a window sees of a state.
cdef struct Item:
    int32_t word  # of the state
    int32_t shift  # bits below it
    int32_t mask  # of its bits
    int32_t bits  # that it takes of a pattern
    int32_t rule  # that it says something of
    int32_t residuals  # where what it says begins in `Ahead.residuals`


cdef struct Ahead:
    int num_rules
    int num_edges
    int32_t *starts  # where the edges of each rule begin, in the order in which they are decided
    int32_t *edges
    uint64_t *allowed  # numbers of these that may be chosen, as a mask
    int32_t *first  # the step at which the first of them is decided
    int32_t *rule_starts  # where the rules of each edge begin
    int32_t *rules
    int32_t *step_of  # when each edge is decided, or -1 if it is fixed
    int32_t *outs  # by out: its edge
    int32_t *item_starts  # where the items of each step begin
    Item *items
    uint64_t *residuals  # masks of how many edges to come may be chosen
    size_t *table_starts  # where the masks of each step begin
    uint64_t *masks  # of decisions that may have a future, by pattern; 0 if not worked out


# What a thread needs of its own.
cdef struct Trial:
    int step
    Trail trail  # of edges; nothing is on it but while a pattern is worked out
    uint64_t *residuals  # of each rule


cdef inline void trial_begin(const Ahead *a, Trial *t, int step) noexcept nogil:
    cdef int k
    t.step = step
    for k in range(a.num_rules):
        t.residuals[k] = a.allowed[k] if a.first[k] >= step else ANY


cdef inline bint apply_rule(const Ahead *a, Trial *t, int rule) noexcept nogil:
    """Draw the conclusions of one rule; False at a conflict."""
    cdef int k, edge, on = 0, unknown = 0
    cdef uint64_t residual = t.residuals[rule], span
    if residual == ANY:
        return True
    for k in range(a.starts[rule], a.starts[rule + 1]):
        edge = a.edges[k]
        if a.step_of[edge] >= t.step:
            if t.trail.values[2 * edge] == UNKNOWN:
                unknown += 1
            else:
                on += t.trail.values[2 * edge]
    residual >>= on
    if unknown == 0:
        return residual & 1
    span = (<uint64_t>1 << unknown) - 1
    cdef bint may_be_off = (residual & span) != 0
    cdef bint may_be_on = (residual >> 1 & span) != 0
    if may_be_off and may_be_on:
        return True
    if not may_be_off and not may_be_on:
        return False
    for k in range(a.starts[rule], a.starts[rule + 1]):
        edge = a.edges[k]
        if a.step_of[edge] >= t.step and t.trail.values[2 * edge] == UNKNOWN:
            learn(&t.trail, 2 * edge + may_be_off, NONE)
    return True


cdef inline bint propagate(const Ahead *a, Trial *t) noexcept nogil:
    """Draw all conclusions from the trail; False at a conflict."""
    cdef int k, edge
    while t.trail.done < t.trail.known:
        edge = t.trail.literals[t.trail.done] >> 1
        t.trail.done += 1
        for k in range(a.rule_starts[edge], a.rule_starts[edge + 1]):
            if not apply_rule(a, t, a.rules[k]):
                return False
    return True


cdef inline bint assume(const Ahead *a, Trial *t, int edge, bint value) noexcept nogil:
    """Assume one edge; False at a conflict with what is known."""
    if a.step_of[edge] < 0:
        return True
    if t.trail.values[2 * edge] != UNKNOWN:
        return t.trail.values[2 * edge] == value
    learn(&t.trail, 2 * edge + (not value), NONE)
    return True


cdef inline bint may_go_on(const Ahead *a, Trial *t, Vertex *v, int decision) noexcept nogil:
    """Whether propagation tells nothing against a decision."""
    cdef int k
    cdef const Choice *choice = &v.choices[decision]
    for k in range(v.step.num_outs):
        if not assume(a, t, a.outs[v.step.outs + k], k == choice.first or k == choice.second):
            return False
    return propagate(a, t)


cdef inline uint64_t worked_out(const Ahead *a, Trial *t, Vertex *v, size_t pattern) noexcept nogil:
    """The decisions that may have a future where a window has a pattern."""
    cdef uint64_t mask = WORKED_OUT
    cdef int k, decision, known
    cdef const Item *item
    cdef bint fits = True
    for k in range(a.item_starts[t.step], a.item_starts[t.step + 1]):
        item = &a.items[k]
        t.residuals[item.rule] = a.residuals[item.residuals + (pattern & (1 << item.bits) - 1)]
        pattern >>= item.bits
    for k in range(a.item_starts[t.step], a.item_starts[t.step + 1]):
        fits = fits and apply_rule(a, t, a.items[k].rule)
    if fits and propagate(a, t):
        known = t.trail.known
        for decision in range(v.step.num_choices):
            if may_go_on(a, t, v, decision):
                mask |= <uint64_t>1 << decision
            unlearn(&t.trail, known)
    unlearn(&t.trail, 0)
    return mask


cdef inline uint64_t decisions_ahead(
    Ahead *a, Trial *t, Vertex *v, const uint64_t *state
) noexcept nogil:
    """The decisions that may have a future, as far as the window of the step shows."""
    cdef size_t pattern = 0
    cdef uint64_t seen
    cdef int k, shift = 0
    cdef const Item *item
    cdef uint64_t *mask
    for k in range(a.item_starts[t.step], a.item_starts[t.step + 1]):
        item = &a.items[k]
        seen = state[item.word] >> item.shift & <uint64_t>item.mask
        pattern |= <size_t>min(seen, (<uint64_t>1 << item.bits) - 1) << shift
        shift += item.bits
    mask = &a.masks[a.table_starts[t.step] + pattern]
    if mask[0] == 0:
        mask[0] = worked_out(a, t, v, pattern)
    return mask[0]
