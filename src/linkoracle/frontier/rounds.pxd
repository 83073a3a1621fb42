"""The rounds of a step: what a pass does with its states, by one thread or by several.

A pass says how states are expanded and how their children are entered, as two functions. Here is in
which order that happens, when it stops, and where several threads may share the work.
"""

from cpython.pythread cimport WAIT_LOCK, PyThread_acquire_lock, PyThread_release_lock

from linkoracle.core.watch cimport GOES_ON as WATCHES_ON
from linkoracle.core.watch cimport Watch, watch_stops
from linkoracle.frontier.shards cimport (
    Batch, Run, Shards, Slice, batch_fetch, batch_fetch_table, shards_begin, shards_deal,
    shards_entered, shards_reserve, shards_waiting, slice_run
)
from linkoracle.frontier.store cimport Store

cdef enum:
    CHUNK = 64  # states from one look at the watch to the next
    RATE = 16  # of a watch

cdef enum Reason:
    """Why a function came back."""
    TAKEN  # all is done
    SHARE  # several threads may do what comes next
    OUTGROWN  # a layer outgrows what the pass began with, for the first time
    STOPPED  # the watch stopped it, or another thread
    NO_MEMORY  # the arena has refused memory

cdef enum Phase:
    """Where in a step it is."""
    OUTSIDE  # between two steps
    DEALING  # between two rounds
    EXPANDING  # slices are expanded
    ENTERING  # what came of them is entered

# Add to a slice what some of its states lead to.
ctypedef void (*Expand)(void *owner, int slice, Run states) noexcept nogil
# Enter the children of a batch in a shard, which has room for them.
ctypedef void (*Enter)(void *owner, int shard, Batch *batch) noexcept nogil

cdef struct Rounds:
    Shards shards  # the states
    Expand expand
    Enter enter
    void *owner  # the first argument of both
    int children  # of a state, at most
    Phase phase  # of the step
    int slices  # of a round, at most
    int claimed  # tasks that threads have taken, of those that are shared out
    bint stopped  # whether all threads shall end what they do
    bint foreseeable  # whether to come back at the first growth of a layer


# ---- what any thread does ------------------------------------------------------------------------


cdef inline Reason expand_slice(Rounds *r, int number, Watch *watch) noexcept nogil:
    """Expand what is left of a slice."""
    cdef Slice *slice = &r.shards.slices[number]
    while slice.left:
        if r.stopped or watch_stops(watch):
            return STOPPED
        r.expand(r.owner, number, slice_run(&r.shards, slice, CHUNK))
    return TAKEN


cdef inline Reason enter_shard(Rounds *r, int shard, Watch *watch) noexcept nogil:
    """Enter all that waits for a shard."""
    cdef Store *store = &r.shards.stores[shard]
    cdef Batch *batch = shards_waiting(&r.shards, shard)
    while batch != NULL:
        if r.stopped or watch_stops(watch):
            return STOPPED
        if r.foreseeable and r.shards.after == 1 and (
            store.after.count + batch.waiting > store.after.room // store.stride
        ):
            r.foreseeable = False
            return OUTGROWN
        if not shards_reserve(&r.shards, shard, batch.waiting, watch):
            return NO_MEMORY if watch.why == WATCHES_ON else STOPPED
        batch_fetch(store, batch)
        if batch.following != NULL:
            batch_fetch_table(store, batch.following)
        r.enter(r.owner, shard, batch)
        shards_entered(&r.shards, shard)
        batch = shards_waiting(&r.shards, shard)
    return TAKEN


cdef inline int rounds_tasks(Rounds *r) noexcept nogil:
    """How many tasks several threads may do now."""
    return r.shards.num_slices if r.phase == EXPANDING else r.shards.after


cdef inline int rounds_claim(Rounds *r) noexcept nogil:
    """A task for the thread that asks, or -1 if none is left."""
    cdef int task = -1
    PyThread_acquire_lock(r.shards.lock, WAIT_LOCK)
    if r.claimed < rounds_tasks(r):
        task = r.claimed
        r.claimed += 1
    PyThread_release_lock(r.shards.lock)
    return task


cdef inline Reason rounds_do(Rounds *r, int task, Watch *watch) noexcept nogil:
    return expand_slice(r, task, watch) if r.phase == EXPANDING else enter_shard(r, task, watch)


# ---- what one does -------------------------------------------------------------------------------


cdef inline bint rounds_begin(Rounds *r) noexcept nogil:
    """Begin a step; False if there is no memory."""
    if not shards_begin(&r.shards):
        return False
    r.phase = DEALING
    return True


cdef inline bint rounds_left(Rounds *r) noexcept nogil:
    """Whether anything is left of the tasks."""
    cdef int k
    for k in range(rounds_tasks(r)):
        if r.phase == EXPANDING:
            if r.shards.slices[k].left:
                return True
        elif shards_waiting(&r.shards, k) != NULL:
            return True
    return False


cdef inline Reason rounds_step(Rounds *r, bint shared, Watch *watch) noexcept nogil:
    """Do what is left of a step, between `rounds_begin` and `shards_turn`.

    With ``shared`` it comes back where the layer is wide and threads may share the `rounds_tasks`,
    and goes on after these.
    """
    cdef Reason reason
    cdef int k
    while True:
        if r.phase == DEALING:
            if not shards_deal(&r.shards, r.slices, r.children):
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
        r.phase = ENTERING if r.phase == EXPANDING else DEALING
