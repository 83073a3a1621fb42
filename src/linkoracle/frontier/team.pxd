"""A team of threads that do the tasks of a pass together, and wait for each other.

A *member* takes tasks until none is left, then waits. The last member does not wait: it begins the
next tasks and wakes the others. No member waits for a thread that has not joined yet.

Each member waits at a *gate* of its own, a lock that is free only while the member may go on. The
member spins for some microseconds before it sleeps, as waking up takes longer than most waits.
"""

from cpython.pythread cimport (
    NOWAIT_LOCK, WAIT_LOCK, PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock,
    PyThread_release_lock, PyThread_type_lock
)
from libc.stdint cimport uint32_t

from linkoracle.core.watch cimport linkoracle_seconds

cdef enum:
    MEMBERS = 16  # of a team, at most
    TRIES = 64  # at a gate between two looks at the clock
    AWAKE = 50  # microseconds after which a member sleeps


cdef struct Team:
    PyThread_type_lock lock  # of all fields below, and of the shared data of tasks
    PyThread_type_lock gates[MEMBERS]
    int members
    uint32_t waiting  # mask of the waiting members
    bint over  # whether no tasks are left for the team


cdef inline bint team_open(Team *team) noexcept:
    """Allocate the locks; return False without memory."""
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
    """Release the lock."""
    PyThread_release_lock(team.lock)


cdef inline void team_begin(Team *team) noexcept nogil:
    """Reset the team before the first member joins."""
    team.members, team.waiting, team.over = 0, 0, False


cdef inline int team_join(Team *team) noexcept nogil:
    """Return the number of a new member, or -1 if it is not needed."""
    cdef int member = -1
    team_lock(team)
    if not team.over and team.members < MEMBERS:
        member = team.members
        team.members += 1
    team_unlock(team)
    return member


cdef inline bint team_last(Team *team, int member) noexcept nogil:
    """Return whether all other members wait. Needs the lock."""
    return (team.waiting | <uint32_t>1 << member) == (<uint32_t>1 << team.members) - 1


cdef inline void team_wake(Team *team) noexcept nogil:
    """Wake all waiting members. Needs the lock."""
    cdef int k
    for k in range(team.members):
        if team.waiting >> k & 1:
            PyThread_release_lock(team.gates[k])
    team.waiting = 0


cdef inline void team_wait(Team *team, int member) noexcept nogil:
    """Wait for `team_wake`. Needs the lock, and releases it."""
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
