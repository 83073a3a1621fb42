from linkoracle.core.arena cimport Arena
from linkoracle.deduce.kernel.laying cimport Patterns


cdef class Positions:
    cdef Arena arena
    cdef Patterns patterns
