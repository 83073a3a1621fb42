from linkoracle.board.plane_kernel cimport PlaneArrays
from linkoracle.core.arena cimport Arena
from linkoracle.deduce.kernel.laying cimport Patterns
from linkoracle.deduce.kernel.state cimport Frame


cdef class Grid:
    cdef Arena arena
    cdef PlaneArrays board  # has the arrays of the frame's plane
    cdef Frame frame  # what all boards of one size share; the rest is zeros


cdef class Positions:
    cdef Arena arena
    cdef Patterns patterns
