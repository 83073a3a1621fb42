"""One step of the pass of `linkoracle.census.loop`: the families of a layer's states."""

import numpy as np

from libc.stdint cimport int32_t, uint8_t
from linkoracle.zdd.zdd_kernel cimport (
    ATTACH, MINIMAL_UNION, NO_NODE, WITHOUT_SUPERSETS, Nodes, Zdd, apply
)


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
