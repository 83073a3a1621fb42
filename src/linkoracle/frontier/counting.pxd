"""The frontier pass: takes the step of `spec` for every state of a layer, and counts ways.

**Counts never overflow.** The payload of a record is the number of ways to reach its state, in
limbs. Each state has at most two children (see `allowed_by`), so the sum of all counts, with the
answer, at most doubles with a step. The pass keeps an upper bound on the bits of that sum. When the
bound would outgrow the limbs, it adds up the true sum, and when that is too near, it gives every
count one limb more.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t

from linkoracle.core.arena cimport arena_grow
from linkoracle.core.watch cimport GOES_ON as WATCHES_ON
from linkoracle.core.watch cimport Watch, watch_stops
from linkoracle.frontier.limbs cimport limbs_add, limbs_bits
from linkoracle.frontier.spec cimport GOES_ON, REFUSED, Target, View, decide, look
from linkoracle.frontier.state cimport FIRST_RECORD, TO_ACCEPT, Spec, Vertex, vertex_at
from linkoracle.frontier.store cimport (
    BATCH, Batch, Store, batch_add, batch_fetch, batch_state, store_begin, store_enter,
    store_payload, store_record, store_reserve, store_turn, store_widen
)

cdef enum:
    CHUNK = 256  # states from one look at the watch to the next

cdef enum Reason:
    """Why `go_on` came back."""
    DONE  # the pass is over
    LAYER  # a step has been taken, and that was to be told
    OUTGROWN  # a layer outgrows what the pass began with, for the first time
    STOPPED  # the watch stopped it
    NO_MEMORY  # the arena has refused memory

cdef struct Count:
    Spec spec  # what a step does
    Store store  # the states, with their counts
    Batch batch  # children on their way into the store
    int limbs  # of a count; 0 if nothing is counted
    int bits  # at most so many has the sum of all counts and the answer
    uint64_t *answer  # solutions so far
    uint64_t *rest  # a state without what the vertex takes off
    uint32_t *children  # where the children of each state are kept, or NULL
    int step  # the vertex that is being decided
    size_t following  # the state to be taken next
    bint begun  # whether the step has begun
    bint foreseeable  # whether to come back at the first growth of a layer


cdef inline void merge(Count *c) noexcept nogil:
    """Enter the children of the batch in the next layer, or add to the counts there."""
    cdef Store *store = &c.store
    cdef Batch *batch = &c.batch
    cdef int limbs = c.limbs, k, limb
    cdef bint fresh
    cdef size_t index
    cdef uint64_t *ways
    cdef const uint64_t *more
    batch_fetch(batch, store)
    for k in range(batch.waiting):
        index = store_enter(store, batch_state(batch, store, k), batch.children[k].place, &fresh)
        ways = store_payload(store, &store.after, index)
        more = store_payload(store, &store.before, batch.children[k].parent)
        if fresh:
            for limb in range(limbs):
                ways[limb] = more[limb]
        else:
            limbs_add(ways, more, limbs)
        if c.children != NULL:
            c.children[2 * batch.children[k].parent + (batch.children[k].mark >> 2)] = <uint32_t>(
                (index + FIRST_RECORD) << 2 | (batch.children[k].mark & 3)
            )
    batch.waiting = 0


cdef inline void expand(Count *c, Vertex *v, size_t parent) noexcept nogil:
    """Take the step for one state: at most two children for the batch, or solutions."""
    cdef Store *store = &c.store
    cdef Batch *batch = &c.batch
    cdef View view
    cdef Target target
    cdef int decision, born = 0
    if not look(&c.spec, v, store_record(store, &store.before, parent), c.rest, &view):
        return
    for decision in range(4):
        if not view.decisions >> decision & 1:
            continue
        target = decide(
            &c.spec, v, &view, decision, c.rest, batch_state(batch, store, batch.waiting)
        )
        if target == REFUSED:
            continue
        if target == GOES_ON:
            batch_add(batch, store, parent, born << 2 | decision)
        else:
            # No carry: see above.
            limbs_add(c.answer, store_payload(store, &store.before, parent), c.limbs)
            if c.children != NULL:
                c.children[2 * parent + born] = TO_ACCEPT << 2 | decision
        born += 1


cdef inline int bits_of_sum(Count *c) noexcept nogil:
    """Bits of the sum of all counts and the answer, which has a limb to spare."""
    cdef Store *store = &c.store
    cdef size_t index
    cdef int limb
    cdef uint64_t *total = c.answer + c.limbs
    for limb in range(c.limbs):
        total[limb] = c.answer[limb]
    total[c.limbs] = 0
    for index in range(store.before.count):
        total[c.limbs] += limbs_add(total, store_payload(store, &store.before, index), c.limbs)
    return limbs_bits(total, c.limbs + 1)


cdef inline bint begin_step(Count *c) noexcept nogil:
    """Make the counts wide enough and the table empty; False if there is no memory."""
    cdef uint64_t *answer
    if c.limbs and c.bits + 1 > 64 * c.limbs:
        c.bits = bits_of_sum(c)
        if c.bits + 4 > 64 * c.limbs:
            # The answer, and a sum that may be one limb longer.
            answer = <uint64_t *>arena_grow(
                c.store.arena, c.answer, 2 * c.limbs + 3, sizeof(uint64_t)
            )
            if answer == NULL:
                return False
            c.answer = answer
            if not store_widen(&c.store):
                return False
            c.answer[c.limbs] = 0
            c.limbs += 1
    if not store_begin(&c.store):
        return False
    c.bits += 1
    c.following, c.begun = 0, True
    return True


cdef inline Reason take_step(Count *c, Watch *watch) noexcept nogil:
    """Take what is left of a step. The batch is empty whenever it comes back."""
    cdef Store *store = &c.store
    cdef Batch *batch = &c.batch
    cdef size_t end
    cdef Vertex v = vertex_at(&c.spec, c.step)
    while c.following < store.before.count:
        if watch_stops(watch):
            return STOPPED
        end = min(c.following + CHUNK, store.before.count)
        while c.following < end:
            if batch.waiting > BATCH - 2:
                merge(c)
            if store.after.count + batch.waiting + 2 > store.most:
                merge(c)
                if c.foreseeable and store.after.count + 2 > store.after.room // store.stride:
                    c.foreseeable = False
                    return OUTGROWN
                if not store_reserve(store, 2, watch):
                    return NO_MEMORY if watch.why == WATCHES_ON else STOPPED
            expand(c, &v, c.following)
            c.following += 1
        merge(c)
    store_turn(store)
    c.begun = False
    c.step += 1
    return LAYER


cdef inline Reason go_on(Count *c, bint one_step, Watch *watch) noexcept nogil:
    cdef Reason reason = DONE
    while c.step < c.spec.num_steps and c.store.before.count:
        if not c.begun and not begin_step(c):
            return NO_MEMORY
        reason = take_step(c, watch)
        if reason != LAYER or one_step:
            return reason
    return DONE
