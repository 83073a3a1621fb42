"""The tables of a `Pass` for other kernels."""

from linkoracle.core.arena cimport Arena
from linkoracle.frontier.counting cimport Count
from linkoracle.frontier.lookahead cimport Ahead
from linkoracle.frontier.team cimport Team


cdef class Pass:
    cdef Arena arena
    cdef Team team
    cdef bint busy, sharing
    cdef Count count
    cdef Ahead ahead
