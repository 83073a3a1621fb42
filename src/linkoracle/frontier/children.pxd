"""The children of a node of a kept layer: see `linkoracle.frontier.layers`."""

from libc.stdint cimport uint32_t

from linkoracle.core.watch cimport Watch, watch_raise

cdef enum:
    RATE = 512  # nodes from one look at the clock to the next; of longer work, steps of it


cdef inline int edges_of(uint32_t child) noexcept nogil:
    """How many edges the decision chooses."""
    return (child >> 1 & 1) + (child & 1)


cdef inline int check_children(const uint32_t[:, ::1] children) except -1:
    if children.shape[1] != 2:
        raise ValueError("expected two children for each node")
    return 0


cdef inline int fits_or_raise(bint fits, Watch *watch, object deadline) except -1:
    """At once after the work: raise what stopped it."""
    watch_raise(watch, deadline)
    if not fits:
        raise ValueError("expected children within the next layer")
    return 0
