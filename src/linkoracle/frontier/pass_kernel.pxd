"""The tables of a `Pass` for other kernels."""

from linkoracle.core.kernels cimport Arena
from linkoracle.frontier.spec cimport Spec

cdef struct Count  # known to `pass_kernel.pyx` alone


cdef class Pass:
    cdef Arena arena
    cdef Count *count
    cdef Spec *spec  # the tables, a part of `count`
    cdef bint busy, sharing
