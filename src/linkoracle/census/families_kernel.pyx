"""One step of a pass over a board whose states have families of sets.

Contents
    Loops  the minimal differences of `linkoracle.census.loop`
    Pairs  the joined pairs of cells of `linkoracle.census.numberlink`
"""

import numpy as np

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint8_t, uint64_t

from linkoracle.core.kernels cimport Arena, arena_close, arena_error, arena_open, watch_stops
from linkoracle.frontier.layers cimport (
    Store, store_begin, store_insert, store_open, store_payload, store_place, store_record,
    store_reserve
)
from linkoracle.frontier.pass_kernel cimport Pass
from linkoracle.frontier.spec cimport (
    EMPTY, FIRST_SLOT, NOTHING, REFUSED, Spec, Vertex, View, code_at, decide, look, vertex_at
)
from linkoracle.zdd.zdd_kernel cimport (
    ATTACH, INTERSECTION, MINIMAL_UNION, NO_NODE, UNION, WITHOUT_SUPERSETS, Nodes, Zdd, apply
)


# ---- Loops ---------------------------------------------------------------------------------------
#
# The families of a layer's states, from those of the layer behind it.

def families_of_layer(
    Nodes sets not None,
    const int32_t[:, ::1] children not None,
    const uint8_t[:, ::1] differing not None,
    int variable,
    const int32_t[::1] families not None,
    int32_t own,
) -> NDArray[np.int32]:
    """Return the family of minimal differences beyond each state of a layer.

    ``children`` has rows of indices into ``families``, or -1. Where ``differing`` is set, the cell
    ``variable`` differs as well. Sets that contain a set of the family ``own`` are omitted.
    Raises ``ValueError`` for arrays that do not fit, and `MemoryLimit`.
    """
    cdef Zdd *z = &sets.z
    cdef Py_ssize_t size = children.shape[0], state
    cdef int32_t family = 0, other, child
    cdef int place, most = children.shape[1]
    if differing.shape[0] != size or differing.shape[1] != most:
        raise ValueError("expected one flag for each child")
    for state in range(size):
        for place in range(most):
            if not -1 <= children[state, place] < families.shape[0]:
                raise ValueError("expected children among the families")
            if differing[state, place] and not 0 <= variable < z.variables:
                raise ValueError(f"no variable {variable} among {z.variables}")
    cdef int32_t[::1] found = (result := np.zeros(size, dtype=np.int32))
    sets.begin_operations()
    try:
        sets.check_nodes(families)
        sets.check_node(own)
        with nogil:
            for state in range(size):
                family = 0
                for place in range(most):
                    child = children[state, place]
                    if child < 0:
                        continue
                    other = families[child]
                    if differing[state, place]:
                        other = apply(z, ATTACH, other, variable)
                    family = apply(z, MINIMAL_UNION, family, other)
                family = apply(z, WITHOUT_SUPERSETS, family, own)
                if family == NO_NODE:
                    break
                found[state] = family
        sets.check()
    finally:
        sets.end()
    return result


# ---- Pairs ---------------------------------------------------------------------------------------
#
# Take one step of the pass over all path systems of a board, by the pairs of cells they join.
#
# The step is that of `linkoracle.frontier.spec` with named ends. Each state has two families of
# sets of pairs, the pairs joined so far. A set is in ``reached`` if a valid path system reaches the
# state with it. It is in ``ambiguous`` if several do, or an invalid one. At the end, the sets in
# ``reached`` and not in ``ambiguous`` are joined in exactly one way.
#
# Source of the method: Yoshinaka et al., *Finding All Solutions and Instances of Numberlink and
# Slitherlink by ZDDs*, Algorithms 5(2), 2012.

cdef enum:
    STATES_AT_FIRST = 1 << 10


cdef struct Families:
    int32_t reached  # the sets with which a valid path system reaches a state
    int32_t ambiguous  # those of several path systems, or of an invalid one


cdef inline int variable_of(int one, int other, int cells) noexcept nogil:
    """Return the variable of a pair. Pairs joined late have small variables."""
    return (cells - 1 - max(one, other)) * cells + min(one, other)


cdef bint enter(
    Zdd *z, Store *store, uint64_t state, int32_t reached, int32_t ambiguous
) noexcept nogil:
    """Add two families to those of a state; return False if stopped."""
    cdef bint fresh = False
    cdef int32_t both
    cdef size_t index
    cdef Families *after
    if not store_reserve(store, 1, &z.watch):
        return False
    index = store_insert(store, &state, 1, store_place(store, &state), &fresh)
    after = <Families *>store_payload(store, &store.after, index)
    if not fresh:
        # Several path systems reach the state.
        both = apply(z, INTERSECTION, reached, after.reached)
        ambiguous = apply(z, UNION, ambiguous, after.ambiguous)
        ambiguous = apply(z, UNION, ambiguous, both)
        reached = apply(z, UNION, reached, after.reached)
    after.reached, after.ambiguous = reached, ambiguous
    return reached != NO_NODE and ambiguous != NO_NODE


cdef bint expand(
    Zdd *z, Store *store, Spec *spec, Vertex *v, uint64_t state, Families known, bint covering
) noexcept nogil:
    """Take all decisions at a state with the families ``known``; return False if stopped."""
    cdef int decision, pair
    cdef int32_t reached, ambiguous
    cdef uint64_t rest, child = 0
    cdef View view
    # The model has no local constraints, so there are no registers.
    view.entries = NULL
    if not look(spec, v, &state, &rest, &view, 1):
        return True
    for decision in range(v.step.num_choices):
        if not view.choices >> decision & 1 or watch_stops(&z.watch):
            continue
        spec.joined[0] = NOTHING
        if decide(spec, v, &view, decision, &rest, &child, 1) == REFUSED:
            continue
        reached, ambiguous = known.reached, known.ambiguous
        if spec.joined[0] != NOTHING:
            pair = variable_of(spec.joined[0], spec.joined[1], spec.num_steps)
            reached = apply(z, ATTACH, reached, pair)
            ambiguous = apply(z, ATTACH, ambiguous, pair)
        if covering and view.code == EMPTY and v.choices[decision].first == NOTHING:
            ambiguous = apply(z, UNION, reached, ambiguous)
            reached = 0
        if not enter(z, store, child, reached, ambiguous):
            return False
    return True


def advance(
    Nodes sets not None,
    Pass plan not None,
    const uint64_t[::1] states not None,
    const int32_t[:, ::1] families not None,
    int step,
    bint covering,
    size_t memory,
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Decide one cell; return the states after it, ascending, and their families.

    ``plan`` is a pass with named ends over a blank board; only its tables are used. ``families``
    has a row (reached, ambiguous) for each of ``states``, and so has the result. With ``covering``
    a path system with an empty cell is invalid. Raises ``ValueError`` for invalid states, and
    `MemoryLimit` if the states or the nodes need more than ``memory`` bytes.
    """
    cdef Py_ssize_t size = states.shape[0], index
    cdef int slot, code, marked, named
    cdef Spec spec = plan.spec[0]
    cdef Vertex v
    cdef Families known
    cdef Arena arena
    cdef Store store
    if spec.words != 1 or spec.pairs != spec.num_steps or spec.most_touches:
        raise ValueError("expected a pass over a small board, with named ends and no rule")
    if not 0 <= step < spec.num_steps:
        raise ValueError("expected a cell of the board")
    if families.shape[0] != size or families.shape[1] != 2:
        raise ValueError("expected two families for each state")
    if sets.z.variables < spec.num_steps * spec.num_steps:
        raise ValueError("expected a variable for each two cells")
    # Codes from ``marked`` on are those of terminals, and the board has none.
    marked, named = FIRST_SLOT + spec.num_slots, FIRST_SLOT + 2 * spec.num_slots
    for index in range(size):
        for slot in range(spec.num_slots):
            code = code_at(&spec, &states[index], slot)
            if marked <= code < named or code >= named + spec.pairs:
                raise ValueError("expected states of this board")
    v = vertex_at(&spec, step)
    arena_open(&arena, memory)
    try:
        # A state is one word, and its two families are a second word.
        if not store_open(&store, &arena, 1, 1, STATES_AT_FIRST) or not store_begin(&store, 0):
            arena_error(&arena, "the pass over the cells")
        sets.begin_operations()
        try:
            for index in range(size):
                sets.check_node(families[index, 0])
                sets.check_node(families[index, 1])
            with nogil:
                for index in range(size):
                    known.reached, known.ambiguous = families[index, 0], families[index, 1]
                    if not expand(&sets.z, &store, &spec, &v, states[index], known, covering):
                        break
            sets.check()
        finally:
            sets.end()
        if arena.refused:
            arena_error(
                &arena, f"cell {step + 1} of {spec.num_steps}, with {store.after.count} states,"
            )
        return arrays_of(&store)
    finally:
        arena_close(&arena)


cdef object arrays_of(Store *store):
    """Return the states after the step and their families, by the value of the state.

    States with similar fields lead to the same states with similar families. In this order they
    are united sooner: 5 x 5 cells take two thirds of the time.
    """
    cdef size_t index
    cdef Families *known
    states = np.empty(store.after.count, dtype=np.uint64)
    families = np.empty((store.after.count, 2), dtype=np.int32)
    cdef uint64_t[::1] to_states = states
    cdef int32_t[:, ::1] to_families = families
    for index in range(store.after.count):
        to_states[index] = store_record(store, &store.after, index)[0]
        known = <Families *>store_payload(store, &store.after, index)
        to_families[index, 0], to_families[index, 1] = known.reached, known.ambiguous
    order = np.argsort(states)
    return states[order], families[order]


def pair_variable(int one, int other, int cells) -> int:
    """Return the variable of a pair of cells, given the number of cells."""
    if not (0 <= one < cells and 0 <= other < cells):
        raise ValueError(f"expected two of {cells} cells, got {one} and {other}")
    return variable_of(one, other, cells)
