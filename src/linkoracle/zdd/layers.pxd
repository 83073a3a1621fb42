"""The families of a layer of states: what each decides, put together variable by variable."""

from libc.stdint cimport int32_t, int64_t, uint32_t

from linkoracle.core.watch cimport watch_stops
from linkoracle.zdd.nodes cimport NO_NODE, Zdd, find_or_add, start_layer

cdef enum:
    MOST_BITS = 10  # variables of a layer


# What the states of a layer decide, and where that leads: see `Nodes.add_layer`.
cdef struct Layer:
    int bits
    int decision_bits
    int num_decisions
    const int32_t *variables
    const int32_t *decisions
    const int32_t *targets
    Py_ssize_t goals
    int32_t *members  # for each state, and each mask of variables, the family that follows
    bint fits  # whether all children lead to the layer that follows, by different decisions


cdef inline bint place_children(
    Zdd *z, Layer *layer, const uint32_t *children, int64_t states, int width
) noexcept nogil:
    """Put the children of each state where their decisions say.

    False if that was stopped, or one leads elsewhere: then the layer does not fit.
    """
    cdef int32_t *members = layer.members
    cdef int64_t state, target
    cdef int decision, k
    for state in range(states):
        if watch_stops(&z.watch):
            return False
        for k in range(width):
            target = children[k] >> layer.decision_bits
            if target == 0:
                continue
            decision = <int>(children[k] & ((1 << layer.decision_bits) - 1))
            layer.fits = decision < layer.num_decisions and target < layer.goals
            if layer.fits:
                decision = layer.decisions[decision]
                layer.fits = members[decision] == 0
            if not layer.fits:
                return False
            members[decision] = layer.targets[target]
        children += width
        members += 1 << layer.bits
    return True


cdef inline bint fold(Zdd *z, const Layer *layer, int64_t states) noexcept nogil:
    """Make one node for each state, at the front of ``members``; False if that was stopped.

    All nodes of a variable stand together, after those of the variables that follow.
    """
    cdef int64_t size = states << layer.bits, k
    cdef int32_t *members = layer.members
    cdef int bit
    for bit in range(layer.bits - 1, -1, -1):
        size >>= 1
        if not start_layer(z):
            return False
        for k in range(size):
            members[k] = find_or_add(z, layer.variables[bit], members[2 * k], members[2 * k + 1])
            if members[k] == NO_NODE or watch_stops(&z.watch):
                return False
    return True
