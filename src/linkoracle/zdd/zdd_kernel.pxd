"""The operations of `Nodes` for other kernels."""

from libc.stdint cimport int32_t, int64_t

from linkoracle.zdd.nodes cimport Zdd

cpdef enum:
    # Operations of `apply`, with two families f and g.
    UNION
    INTERSECTION
    DIFFERENCE
    # The minimal sets of the union, where f and g are antichains.
    MINIMAL_UNION
    # The sets of f that contain no set of g.
    WITHOUT_SUPERSETS
    # The sets of f that no set of g contains.
    WITHOUT_SUBSETS
    # The minimal sets of f, where every superset of a set of f is in f; g is 0.
    MINIMAL_OF_UPSET
    # The minimal sets of f; g is 0.
    MINIMAL
    # The maximal sets of f; g is 0.
    MAXIMAL
    # The sets of variables from g on that meet every set of f, an antichain over these variables.
    HITTING
    # The sets of f, each with the variable g added.
    ATTACH
    OPERATIONS  # the number of operations

cpdef enum:
    # The variable of the two terminal nodes: greater than any other.
    LAST = 1 << 30


cdef int32_t apply(Zdd *z, int operation, int32_t f, int32_t g) noexcept nogil


cdef class Nodes:
    cdef Zdd z
    cdef object lock  # held while the nodes are read or changed
    cdef bint busy  # whether the nodes are in use, perhaps by this thread
    cdef bint broken  # whether packing the nodes was interrupted

    cdef int begin(self, object deadline=*) except -1
    cdef int begin_operations(self, object deadline=*) except -1
    cdef int check(self, object deadline=*) except -1
    cdef int end(self) except -1
    cdef int check_node(self, int64_t node) except -1
    cdef int check_nodes(self, const int32_t[::1] families) except -1
