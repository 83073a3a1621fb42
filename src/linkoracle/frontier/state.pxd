"""The state of the frontier pass: its fields and registers, and the step at a vertex.

`linkoracle.frontier.plan` defines a state; `spec` applies a decision to it.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint16_t, uint64_t

cdef enum:
    EMPTY = 0  # code of a field: its vertex has no chosen edge
    FULL = 1  # its vertex has two chosen edges, or is a terminal with one
    FIRST_SLOT = 2  # its vertex has one: this plus the slot of the other end of its path
    NOTHING = -1  # no slot, no edge, no pair
    TO_NOTHING = 0  # target of a child in a kept layer: no solution
    TO_ACCEPT = 1  # the child completes a solution
    FIRST_RECORD = 2  # the first record of the next layer; further records follow
    MAX_DECISIONS = 63  # at a vertex: a mask of them is a word, with a bit to spare
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
