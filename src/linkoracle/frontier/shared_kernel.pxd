"""A pass whose work several threads may share."""

from cpython.pythread cimport PyThread_type_lock

from linkoracle.core.arena cimport Arena
from linkoracle.frontier.rounds cimport Rounds


cdef class SharedPass:
    cdef Arena arena
    cdef PyThread_type_lock lock
    cdef bint busy, sharing
    # Of the object that goes on, whose memory it is part of.
    cdef Rounds *rounds

    cdef object share_out(self, object share, object deadline)
