"""A pass whose work several threads may share."""

from linkoracle.core.arena cimport Arena
from linkoracle.frontier.rounds cimport Rounds
from linkoracle.frontier.team cimport Team


cdef class SharedPass:
    cdef Arena arena
    cdef Team team
    cdef bint busy, sharing
    # Of the object that goes on, whose memory it is part of.
    cdef Rounds *rounds

    cdef object share_out(self, object share, object deadline)
