from libc.stddef cimport size_t
from libc.stdint cimport uint8_t

from linkoracle.board.flipping cimport Faces
from linkoracle.board.plane_kernel cimport PlaneArrays
from linkoracle.core.arena cimport Arena


cdef class Colouring:
    cdef Arena arena
    cdef object _board
    cdef PlaneArrays arrays  # has the arrays of the plane of `faces`
    cdef Faces faces

    cdef int checked(self, Py_ssize_t face) except -1
    cdef void *room(self, size_t count, size_t size) except NULL
    cdef int lay_walks(self) except -1
    cdef int lay_around(self) except -1
    cdef int recolour(self, const uint8_t[::1] colours) except -1
