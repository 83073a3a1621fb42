"""The families of a layer of states: what each decides, put together variable by variable."""

from libc.stdint cimport int32_t, uint32_t

from linkoracle.zdd.nodes cimport NO_NODE, Zdd, find_or_add

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
    int32_t[1 << MOST_BITS] members  # by the decisions of one state; zeros before and after it


cdef inline int32_t node_of(
    Zdd *z, Layer *layer, const uint32_t *children, int width, bint *fits
) noexcept nogil:
    """The node of a state: its children by their decisions, folded variable by variable."""
    cdef int32_t *members = layer.members
    cdef int32_t found
    cdef int decision, target, step = 1, every = 1 << layer.bits
    cdef int k
    for k in range(width):
        target = <int>(children[k] >> layer.decision_bits)
        if target == 0:
            continue
        decision = <int>(children[k] & ((1 << layer.decision_bits) - 1))
        fits[0] = decision < layer.num_decisions and target < layer.goals
        if fits[0]:
            decision = layer.decisions[decision]
            fits[0] = members[decision] == 0
        if not fits[0]:
            return 0
        members[decision] = layer.targets[target]
    for k in range(layer.bits - 1, -1, -1):
        decision = 0
        while decision < every:
            found = find_or_add(z, layer.variables[k], members[decision], members[decision + step])
            if found == NO_NODE:
                return NO_NODE
            members[decision], members[decision + step] = found, 0
            decision += 2 * step
        step *= 2
    found = members[0]
    members[0] = 0
    return found
