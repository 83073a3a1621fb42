from linkoracle.core.arena cimport Arena
from linkoracle.deduce.kernel.laying cimport Patterns
from linkoracle.deduce.kernel.state cimport Layout


cdef class Positions:
    cdef Arena arena
    cdef Patterns patterns


cdef class PlacedPatterns:
    cdef Arena arena
    cdef Layout layout
