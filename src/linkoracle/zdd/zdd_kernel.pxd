"""The nodes of zero-suppressed decision diagrams, for other kernels.

A node is (variable, low, high): the sets of ``low`` without and those of ``high`` with the
variable, which is smaller than every variable below. Node 0 is the empty family, node 1 the family
of the empty set alone. No two nodes are the same, so equal families are one node.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

from linkoracle.core.kernels cimport Arena, StopToken

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

cdef extern from * nogil:
    """
    /* Load an address that is read soon, far from those read before. */
    #if defined(__GNUC__)
    #define linkoracle_prefetch(place) __builtin_prefetch(place)
    #else
    #define linkoracle_prefetch(place) ((void)(place))
    #endif
    """
    void linkoracle_prefetch(const void *place)


cdef enum:
    AHEAD = 32  # distance in nodes at which a pass loads children in advance
    NO_NODE = -1  # the work was stopped, or there is no memory for another node


cdef struct Node:
    int32_t variable  # smaller than those of its children
    int32_t low  # the node of the sets without the variable
    int32_t high  # the node of the sets with the variable, less the variable; never 0


cdef struct Answer:
    uint64_t key  # the operation and its operands, 0 for none
    int64_t found  # the node


cdef struct Zdd:
    Arena arena  # owns all arrays below
    StopToken watch  # of the current work
    Node *nodes  # children stand before their parents
    int64_t used  # number of nodes
    int64_t capacity  # in nodes
    int64_t first  # nodes from this one on are in the table
    int32_t *table  # numbers of nodes, by their hashes; 0 for none. NULL without an index
    uint64_t table_mask  # one less than its size, a power of two
    uint64_t table_capacity  # largest size within its memory
    Answer *cache  # answers found before, by the hashes of their keys; or NULL
    uint64_t cache_mask  # one less than its size, a power of two
    int32_t variables  # all are smaller than this number


# For kernels without the interpreter's lock: `zdd_kernel.pyx` says what they do.

cdef int32_t apply(Zdd *z, int operation, int32_t f, int32_t g) noexcept nogil
cdef int32_t *users_of(
    Zdd *z, Arena *arena, const int32_t *roots, int64_t size
) noexcept nogil
cdef bint measure(Zdd *z, int32_t *best, int64_t size, int sign) noexcept nogil


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
