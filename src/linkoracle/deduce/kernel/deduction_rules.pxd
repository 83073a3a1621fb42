"""What a board needs of the pattern rules: to have them placed."""

from linkoracle.core.kernels cimport Arena, StopToken
from linkoracle.deduce.kernel.board cimport Frame

cdef struct Patterns


cdef class Positions:
    cdef Arena arena
    cdef Patterns *patterns

    cdef int place(self, Frame *f, Arena *arena, StopToken *watch) except -1
