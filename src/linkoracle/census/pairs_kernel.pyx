"""All path systems of a board at once, by the pairs of cells that they join: one step of the pass.

To a state (`pairs_spec.pxd`) belong two families of sets of pairs, the pairs joined so far:
``once``, the sets that one path system reaches this state with, and ``spoiled``, those that several
do, or one that may not count.
"""

import numpy as np

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint64_t

from linkoracle.census.pairs_spec cimport (
    MOST_PLUGS,
    Move,
    Place,
    decided,
    is_unused,
    place_of,
    plug,
    variable_of,
)
from linkoracle.zdd.zdd_kernel cimport (
    ATTACH,
    DIFFERENCE,
    INTERSECTION,
    UNION,
    Nodes,
    apply,
)
from linkoracle.zdd.nodes cimport NO_NODE, Zdd
from linkoracle.core.arena cimport Arena, arena_close, arena_error, arena_open
from linkoracle.core.watch cimport watch_stops
from linkoracle.frontier.store cimport (
    Store,
    store_begin,
    store_enter,
    store_open,
    store_payload,
    store_place,
    store_record,
    store_reserve,
)

cpdef enum:
    # What an empty cell means: nothing, that the system does not count as one, that there is none.
    ALLOWED
    SPOILING
    FORBIDDEN

cdef enum:
    STATES_AT_FIRST = 1 << 10


cdef struct Families:
    int32_t once  # the sets that one path system reaches a state with
    int32_t spoiled  # those that several do, or one that may not count


cdef bint decide(
    Zdd *z,
    Store *store,
    int64_t before,
    Families known,
    Place *at,
    bint right,
    bint down,
    int empty,
) noexcept nogil:
    """Take one decision at one state, whose families are ``known``; False if that was stopped."""
    cdef bint unused = is_unused(before, at, right, down), fresh = False
    cdef int32_t once = known.once, spoiled = known.spoiled, pair, twice
    cdef uint64_t state
    cdef Move move
    cdef size_t index
    cdef Families *after
    if unused and empty == FORBIDDEN:
        return True
    move = decided(before, at, right, down)
    if move.state < 0:
        return True
    if move.one >= 0:
        pair = variable_of(move.one, move.other, at.cells)
        once = apply(z, ATTACH, once, pair)
        spoiled = apply(z, ATTACH, spoiled, pair)
    if unused and empty == SPOILING:
        spoiled = apply(z, UNION, once, spoiled)
        once = 0
    if not store_reserve(store, 1, &z.watch):
        return False
    state = <uint64_t>move.state
    index = store_enter(store, &state, store_place(store, &state), &fresh)
    after = <Families *>store_payload(store, &store.after, index)
    if not fresh:
        # Two ways to one state.
        twice = apply(z, INTERSECTION, once, after.once)
        spoiled = apply(z, UNION, spoiled, after.spoiled)
        spoiled = apply(z, UNION, spoiled, twice)
        once = apply(z, UNION, once, after.once)
        once = apply(z, DIFFERENCE, once, spoiled)
    after.once, after.spoiled = once, spoiled
    return once != NO_NODE and spoiled != NO_NODE


def advance(
    Nodes sets not None,
    const int64_t[::1] states not None,
    const int32_t[:, ::1] families not None,
    int cell,
    int cols,
    int rows,
    int empty,
    size_t memory,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Decide one cell from every state: the states after it, and their families.

    ``families`` has a row (once, spoiled) for each of ``states``; so has what is returned, in the
    order in which the states are found. Raises ``ValueError`` for what cannot be the states of a
    pass, `MemoryLimit` for more than ``memory`` bytes of states, or of nodes.
    """
    cdef Py_ssize_t size = states.shape[0], index, column
    cdef int cells = rows * cols
    cdef int64_t decision
    cdef Place at
    cdef Families known
    cdef Arena arena
    cdef Store store
    if not 1 <= cols < MOST_PLUGS or not 1 <= rows < 64 or cols + 2 + cells > 64:
        raise ValueError(f"expected a smaller board than {rows}x{cols}")
    if not 0 <= cell < cells or not ALLOWED <= empty <= FORBIDDEN:
        raise ValueError("expected a cell of the board, and what an empty one means")
    if families.shape[0] != size or families.shape[1] != 2:
        raise ValueError("expected two families for each state")
    if sets.z.variables < cells * cells:
        raise ValueError("expected a variable for each two cells")
    for index in range(size):
        if not 0 <= states[index] < <int64_t>1 << 6 * (cols + 1):
            raise ValueError("expected states of this board")
        for column in range(cols + 1):
            if plug(states[index], column) > cols + 1 + cells:
                raise ValueError("expected states of this board")
    at = place_of(cell, cols, cells)
    arena_open(&arena, memory)
    try:
        # A state is a word, its two families are another.
        if not store_open(&store, &arena, 1, 1, STATES_AT_FIRST) or not store_begin(&store, 0):
            arena_error(&arena, "the pass over the cells")
        sets.begin_operations()
        try:
            for index in range(size):
                sets.check_node(families[index, 0])
                sets.check_node(families[index, 1])
            with nogil:
                for decision in range(4 * size):
                    index = decision >> 2
                    known.once, known.spoiled = families[index, 0], families[index, 1]
                    if watch_stops(&sets.z.watch) or not decide(
                        &sets.z,
                        &store,
                        states[index],
                        known,
                        &at,
                        decision >> 1 & 1,
                        decision & 1,
                        empty,
                    ):
                        break
            sets.check()
        finally:
            sets.end()
        if arena.refused:
            arena_error(&arena, f"cell {cell + 1} of {cells}, with {store.after.count} states,")
        return arrays_of(&store)
    finally:
        arena_close(&arena)


cdef object arrays_of(Store *store):
    """What the step has entered, as two arrays."""
    cdef size_t index
    cdef Families *known
    states = np.empty(store.after.count, dtype=np.int64)
    families = np.empty((store.after.count, 2), dtype=np.int32)
    cdef int64_t[::1] to_states = states
    cdef int32_t[:, ::1] to_families = families
    for index in range(store.after.count):
        to_states[index] = store_record(store, &store.after, index)[0]
        known = <Families *>store_payload(store, &store.after, index)
        to_families[index, 0], to_families[index, 1] = known.once, known.spoiled
    return states, families


def pair_variable(int one, int other, int cells) -> int:
    """The variable of the pair of two cells, of so many."""
    if not (0 <= one < cells and 0 <= other < cells):
        raise ValueError(f"expected two of {cells} cells, got {one} and {other}")
    return variable_of(one, other, cells)
