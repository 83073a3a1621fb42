"""The object that owns the arrays of a `Plane`."""

from linkoracle.board.plane cimport Plane
from linkoracle.core.arena cimport Arena


cdef class PlaneArrays:
    cdef Arena arena
    cdef Plane plane  # valid as long as this object is
