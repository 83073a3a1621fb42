"""The rounds of a step: process the states of a pass in one thread or in several.

A pass has one function to expand states and one to insert their children. Here is the order of
the calls, when they stop, and where several threads share the work.
"""

from libc.stdint cimport uint32_t

from linkoracle.core.watch cimport GOES_ON as WATCHES_ON
from linkoracle.core.watch cimport StopToken, watch_stops
from linkoracle.frontier.shards cimport Batch, Run, Shards, Slice, shards_begin, shards_partition
from linkoracle.frontier.store cimport Store
from linkoracle.frontier.team cimport (
    Team, team_begin, team_lock, team_wake, team_join, team_last, team_unlock, team_wait
)
from linkoracle.frontier.waiting cimport (
    batch_fetch, batch_fetch_table, shards_inserted, shards_ready, shards_reserve, shards_waiting,
    slice_run
)

cdef enum:
    CHUNK = 64  # states between two looks at the watch
    RATE = 16  # of a watch

cdef enum Reason:
    """The reason why a function returned."""
    TAKEN  # all work is done
    SHARE  # several threads may do the next tasks
    OUTGROWN  # a layer exceeds the initial capacity, for the first time
    STOPPED  # the watch stopped it, or another thread
    NO_MEMORY  # the arena has refused memory

cdef enum Phase:
    """The phase of a step."""
    OUTSIDE  # between two steps
    PARTITIONING  # between two rounds
    EXPANDING  # slices are expanded
    INSERTING  # their children are inserted

# Add the children of some states to their slice.
ctypedef void (*Expand)(void *owner, int slice, Run states) noexcept nogil
# Insert the children of a batch in a shard, which has room for them.
ctypedef void (*Insert)(void *owner, int shard, Batch *batch) noexcept nogil
# End a step and begin the next one; TAKEN if no step continues at once.
ctypedef Reason (*NextStep)(void *owner) noexcept nogil

cdef struct Rounds:
    Shards shards  # the states
    Expand expand
    Insert insert
    NextStep next_step
    void *owner  # the first argument of all three
    int children  # of a state, at most
    Phase phase  # of the step
    Team *team  # of threads that share the tasks
    uint32_t claimed  # mask of the tasks taken by a thread
    bint stopped  # whether all threads must stop
    bint foreseeable  # whether to return at the first growth of a layer


# ---- by any thread -------------------------------------------------------------------------------


cdef inline Reason expand_slice(Rounds *r, int number, StopToken *watch) noexcept nogil:
    """Expand the rest of a slice."""
    cdef Slice *slice = &r.shards.slices[number]
    while slice.states.left:
        if r.stopped or watch_stops(watch):
            return STOPPED
        r.expand(r.owner, number, slice_run(&r.shards, slice, CHUNK))
    return TAKEN


cdef inline Reason fill_shard(Rounds *r, int shard, StopToken *watch) noexcept nogil:
    """Insert all that waits for a shard."""
    cdef Store *store = &r.shards.stores[shard]
    cdef Batch *batch = shards_waiting(&r.shards, shard)
    while batch != NULL:
        if r.stopped or watch_stops(watch):
            return STOPPED
        if not shards_ready(&r.shards, shard):
            return NO_MEMORY
        if r.foreseeable and r.shards.after == 1 and (
            store.after.count + batch.waiting > store.after.capacity // store.stride
        ):
            r.foreseeable = False
            return OUTGROWN
        if not shards_reserve(&r.shards, shard, batch.waiting, watch):
            return NO_MEMORY if watch.why == WATCHES_ON else STOPPED
        batch_fetch(store, batch)
        if batch.following != NULL:
            batch_fetch_table(store, batch.following)
        r.insert(r.owner, shard, batch)
        shards_inserted(&r.shards, shard)
        batch = shards_waiting(&r.shards, shard)
    return TAKEN


cdef inline int rounds_tasks(Rounds *r) noexcept nogil:
    """Return the number of tasks that threads may do now."""
    return r.shards.num_slices if r.phase == EXPANDING else r.shards.after


cdef inline Reason rounds_do(Rounds *r, int task, StopToken *watch) noexcept nogil:
    return expand_slice(r, task, watch) if r.phase == EXPANDING else fill_shard(r, task, watch)


# ---- by one thread -------------------------------------------------------------------------------


cdef inline void rounds_begin(Rounds *r) noexcept nogil:
    """Begin a step."""
    shards_begin(&r.shards)
    r.phase = PARTITIONING


cdef inline bint rounds_left(Rounds *r) noexcept nogil:
    """Return whether a task is left."""
    cdef int k
    for k in range(rounds_tasks(r)):
        if r.phase == EXPANDING:
            if r.shards.slices[k].states.left:
                return True
        elif shards_waiting(&r.shards, k) != NULL:
            return True
    return False


cdef inline Reason rounds_step(Rounds *r, bint shared, StopToken *watch) noexcept nogil:
    """Do the rest of a step, between `rounds_begin` and `shards_swap`.

    With ``shared``, return where the layer is wide, so that threads can share the `rounds_tasks`.
    The next call continues after these tasks.
    """
    cdef Reason reason
    cdef int k
    while True:
        if r.phase == PARTITIONING:
            if not shards_partition(&r.shards, r.children):
                return NO_MEMORY
            if r.shards.num_slices == 0:
                r.phase = OUTSIDE
                return TAKEN
            r.phase = EXPANDING
        if shared and r.shards.after > 1 and rounds_left(r):
            return SHARE
        for k in range(rounds_tasks(r)):
            reason = rounds_do(r, k, watch)
            if reason != TAKEN:
                return reason
        r.phase = INSERTING if r.phase == EXPANDING else PARTITIONING


# ---- by several threads --------------------------------------------------------------------------


cdef inline void rounds_share(Rounds *r) noexcept nogil:
    """Prepare for threads that call `rounds_together`."""
    r.claimed = 0
    team_begin(r.team)


cdef inline int rounds_claim(Rounds *r, int member) noexcept nogil:
    """Return a task for a member of the team, or -1 if none is left.

    Each member always begins at the same task: the children of a shard are mostly in the cache of
    the member that inserted them.
    """
    cdef int tasks, first, k, task, found = -1
    team_lock(r.team)
    tasks = 0 if r.team.over else rounds_tasks(r)
    first = tasks * member // r.team.members
    for k in range(tasks):
        task = (first + k) % tasks
        if not r.claimed >> task & 1:
            r.claimed |= <uint32_t>1 << task
            found = task
            break
    team_unlock(r.team)
    return found


cdef inline Reason rounds_next(Rounds *r) noexcept nogil:
    """Begin the next tasks when all are done. Return `SHARE` if there are any."""
    cdef Reason reason = SHARE
    r.claimed = 0
    if r.phase == EXPANDING:
        r.phase = INSERTING
        return SHARE
    r.phase = PARTITIONING
    while reason == SHARE and r.shards.after > 1:
        if not shards_partition(&r.shards, r.children):
            return NO_MEMORY
        if r.shards.num_slices:
            r.phase = EXPANDING
            return SHARE
        reason = r.next_step(r.owner)
    return TAKEN if reason == SHARE else reason


cdef inline Reason rounds_together(Rounds *r, StopToken *watch) noexcept nogil:
    """Do tasks together with all other threads that call this, until the team is done."""
    cdef Reason reason = TAKEN  # why this member ends, or SHARE if it goes on
    cdef int task, member = team_join(r.team)
    if member < 0:
        return TAKEN
    while True:
        task = rounds_claim(r, member)
        if task >= 0:
            reason = rounds_do(r, task, watch)
            if reason == TAKEN:
                continue
        team_lock(r.team)
        if reason != TAKEN:
            r.stopped = True
        elif not r.team.over and not r.stopped:
            if not team_last(r.team, member):
                team_wait(r.team, member)
                continue
            reason = rounds_next(r)
            r.team.over = reason != SHARE
        team_wake(r.team)
        team_unlock(r.team)
        if reason != SHARE:
            return reason
        reason = TAKEN
