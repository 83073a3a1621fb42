from linkoracle.core.arena cimport Arena
from linkoracle.deduce.kernel.state cimport Frame


cdef class Grid:
    cdef Arena arena
    cdef Frame frame  # what all boards of one size share; the rest is zeros
