"""Threads that do the tasks of a pass together: where each waits for the others.

A *member* takes tasks until none is left. Then it waits, but for the last one, which says what
comes next, and lets the others go on. Nobody waits for a thread that has not come yet: it becomes a
member when it does.

Each member waits at a *gate* of its own, a lock that is free only while the member may go on. It
tries again and again for some microseconds before it sleeps: to be woken takes longer than most
waits do.
"""

from cpython.pythread cimport (
    NOWAIT_LOCK, WAIT_LOCK, PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock,
    PyThread_release_lock, PyThread_type_lock
)
from libc.stdint cimport uint32_t

from linkoracle.core.watch cimport linkoracle_seconds

cdef enum:
    MEMBERS = 16  # of a team, at most
    TRIES = 64  # at a gate, from one look at the clock to the next
    AWAKE = 50  # microseconds after which a member sleeps


cdef struct Team:
    PyThread_type_lock lock  # of all that follows, and of what tasks have in common
    PyThread_type_lock gates[MEMBERS]
    int members
    uint32_t waiting  # mask of the members that do
    bint over  # whether nothing more is to be done together


cdef inline bint team_open(Team *team) noexcept:
    """Take the locks; False if there is no memory."""
    cdef int k
    team.lock = PyThread_allocate_lock()
    for k in range(MEMBERS):
        team.gates[k] = PyThread_allocate_lock()
        if team.gates[k] == NULL:
            return False
        PyThread_acquire_lock(team.gates[k], WAIT_LOCK)
    return team.lock != NULL


cdef inline void team_close(Team *team) noexcept:
    cdef int k
    if team.lock != NULL:
        PyThread_free_lock(team.lock)
    for k in range(MEMBERS):
        if team.gates[k] != NULL:
            PyThread_release_lock(team.gates[k])
            PyThread_free_lock(team.gates[k])


cdef inline void team_lock(Team *team) noexcept nogil:
    """Take the lock."""
    PyThread_acquire_lock(team.lock, WAIT_LOCK)


cdef inline void team_unlock(Team *team) noexcept nogil:
    """Give the lock back."""
    PyThread_release_lock(team.lock)


cdef inline void team_begin(Team *team) noexcept nogil:
    """Before the first member comes."""
    team.members, team.waiting, team.over = 0, 0, False


cdef inline int team_join(Team *team) noexcept nogil:
    """The number of a new member, or -1 if there is nothing for it to do."""
    cdef int member = -1
    team_lock(team)
    if not team.over and team.members < MEMBERS:
        member = team.members
        team.members += 1
    team_unlock(team)
    return member


cdef inline bint team_last(Team *team, int member) noexcept nogil:
    """Whether all others wait. Needs the lock."""
    return (team.waiting | <uint32_t>1 << member) == (<uint32_t>1 << team.members) - 1


cdef inline void team_wake(Team *team) noexcept nogil:
    """Let all that wait go on. Needs the lock."""
    cdef int k
    for k in range(team.members):
        if team.waiting >> k & 1:
            PyThread_release_lock(team.gates[k])
    team.waiting = 0


cdef inline void team_wait(Team *team, int member) noexcept nogil:
    """Wait for `team_wake`. Needs the lock, and gives it back."""
    cdef int k
    cdef double until
    team.waiting |= <uint32_t>1 << member
    team_unlock(team)
    until = linkoracle_seconds() + 1e-6 * AWAKE
    while linkoracle_seconds() < until:
        for k in range(TRIES):
            if PyThread_acquire_lock(team.gates[member], NOWAIT_LOCK):
                return
    PyThread_acquire_lock(team.gates[member], WAIT_LOCK)
