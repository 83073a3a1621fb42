"""Find decisions without a future by unit propagation ahead of the frontier, with a cache.

The pass sees a violated rule when the last of its edges is decided. By then a dead state has had
descendants for up to a row. So every step has a *window*: a few registers and fields around the
vertex. Assume their contents and a decision. If the rules that count edges then lead to a
contradiction, the decision has no future. The answer is computed when a pattern of a window occurs
for the first time.

**Soundness.** A solution that continues the state has these residuals and degrees and this decision,
so it would satisfy every rule from which the contradiction follows. Nothing is assumed about open
rules outside the window; connectivity is ignored.

If several threads meet a pattern at the same time, each computes the same mask, which is one word.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint64_t

from linkoracle.frontier.state cimport Choice, Vertex
from linkoracle.lines.rules cimport RULE, Lines, apply_rule, apply_rules
from linkoracle.lines.trail cimport NONE, UNKNOWN, learn, unlearn

cdef extern from * nogil:
    """
    #define LINKORACLE_WORKED_OUT ((uint64_t)1 << 63)
    #define LINKORACLE_ANY (~(uint64_t)0)
    """
    uint64_t WORKED_OUT "LINKORACLE_WORKED_OUT"  # marks a computed mask of decisions
    uint64_t ANY "LINKORACLE_ANY"  # residual of a rule without an assumption


# A part of a state in a window.
cdef struct Item:
    int32_t word  # of the state
    int32_t shift  # bits below it
    int32_t mask  # of its bits
    int32_t bits  # of a pattern
    int32_t rule  # whose residual it holds
    int32_t residuals  # where the residuals of its values begin in `Ahead.residuals`


cdef struct Ahead:
    Lines rules  # of edges that are not fixed, in the order in which these are decided
    int32_t *first  # by rule: the step at which the first of its edges is decided
    int32_t *step_of  # the step that decides each edge, or -1 if it is fixed
    int32_t *outs  # by out: its edge, or NONE
    int32_t *item_starts  # where the items of each step begin
    Item *items
    uint64_t *residuals  # masks of the allowed numbers of edges to come
    size_t *table_starts  # where the masks of each step begin
    uint64_t *masks  # of decisions that may have a future, by pattern; 0 if not computed


# What a thread needs of its own.
cdef struct Trial:
    int step
    int decided  # edges decided before, which come first on the trail
    # A copy with its own counts and trail. A rule allows numbers of edges to come; edges decided
    # before are off.
    Lines rules


cdef inline void trial_begin(const Ahead *a, Trial *t, int step) noexcept nogil:
    cdef int k
    t.step = step
    for k in range(a.rules.num_rules):
        t.rules.rules[k].allowed = a.rules.rules[k].allowed if a.first[k] >= step else ANY
    unlearn(&t.rules.trail, 0)
    for k in range(a.rules.num_variables):
        if 0 <= a.step_of[k] < step:
            learn(&t.rules.trail, 2 * k + 1, NONE)
    t.decided = t.rules.trail.done = t.rules.trail.known


cdef inline bint propagate(Lines *b) noexcept nogil:
    """Propagate the trail by all rules; return False at a conflict."""
    while b.trail.done < b.trail.known:
        b.trail.done += 1
        if apply_rules(b, b.trail.literals[b.trail.done - 1] >> 1) != NONE:
            return False
    return True


cdef inline bint may_go_on(const Ahead *a, Trial *t, Vertex *v, int decision) noexcept nogil:
    """Return whether propagation finds no conflict with a decision."""
    cdef const Choice *choice = &v.choices[decision]
    cdef int k, literal
    for k in range(v.step.num_outs):
        if a.outs[v.step.outs + k] == NONE:
            continue
        literal = 2 * a.outs[v.step.outs + k] + (k != choice.first and k != choice.second)
        if t.rules.trail.values[literal] == 0:
            return False
        if t.rules.trail.values[literal] == UNKNOWN:
            learn(&t.rules.trail, literal, NONE)
    return propagate(&t.rules)


cdef inline uint64_t worked_out(const Ahead *a, Trial *t, Vertex *v, size_t pattern) noexcept nogil:
    """Return the decisions that may have a future, given the pattern of a window."""
    cdef uint64_t mask = WORKED_OUT
    cdef int k, decision, known
    cdef const Item *item
    cdef bint fits = True
    for k in range(a.item_starts[t.step], a.item_starts[t.step + 1]):
        item = &a.items[k]
        t.rules.rules[item.rule].allowed = a.residuals[
            item.residuals + (pattern & (1 << item.bits) - 1)
        ]
        pattern >>= item.bits
    for k in range(a.item_starts[t.step], a.item_starts[t.step + 1]):
        fits = fits and apply_rule(&t.rules, &t.rules.rules[a.items[k].rule], RULE) == NONE
    if fits and propagate(&t.rules):
        known = t.rules.trail.known
        for decision in range(v.step.num_choices):
            if may_go_on(a, t, v, decision):
                mask |= <uint64_t>1 << decision
            unlearn(&t.rules.trail, known)
    unlearn(&t.rules.trail, t.decided)
    return mask


cdef inline uint64_t decisions_ahead(
    Ahead *a, Trial *t, Vertex *v, const uint64_t *state
) noexcept nogil:
    """Return the decisions that may have a future, as far as the window of the step shows."""
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
