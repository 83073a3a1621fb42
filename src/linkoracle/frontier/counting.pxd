"""The frontier pass: take the step of `spec` for every state of a layer, and count ways.

**Counts never overflow.** The payload of a record is the number of ways to reach its state, in
limbs. A state has at most ``Step.children`` children, so the sum of all counts, with the answer,
grows by at most that factor with a step. The pass keeps an upper bound on the bits of this sum. If
the bound exceeds the limbs, the pass computes the true sum. If the sum is too large as well, every
count gets one limb more.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t

from linkoracle.core.arena cimport Arena, arena_copy, arena_grow, arena_release, arena_take
from linkoracle.core.limbs cimport limbs_add, limbs_bits
from linkoracle.core.watch cimport StopToken
from linkoracle.frontier.lookahead cimport Ahead, Trial, decisions_ahead, trial_begin
from linkoracle.frontier.rounds cimport (
    NO_MEMORY, OUTSIDE, SHARE, TAKEN, Reason, Rounds, rounds_begin, rounds_step
)
from linkoracle.frontier.shards cimport (
    SLICES, Batch, Run, Shards, Slice, shards_row, shards_swap, shards_widen
)
from linkoracle.frontier.spec cimport GOES_ON, REFUSED, Target, View, decide, look
from linkoracle.frontier.state cimport (
    FIRST_RECORD, MAX_GROWTH, NOTHING, TO_ACCEPT, Place, Spec, Vertex, vertex_at
)
from linkoracle.frontier.store cimport Store, store_insert, store_payload
from linkoracle.frontier.waiting cimport slice_add
from linkoracle.lines.rules cimport Lines, Rule
from linkoracle.lines.trail cimport trail_open

# The data of a thread that expands a slice.
cdef struct ThreadState:
    Spec spec  # of the step, with a scratch of its own
    Vertex vertex  # of the step
    uint64_t *rest  # a state without the field and registers of the vertex
    uint32_t *entries  # of the registers of a step: see `View`
    uint64_t *child  # a state after a decision
    uint64_t *answer  # solutions found in this step
    Trial trial  # for looking ahead


cdef struct Count:
    Spec spec  # of the step
    Rounds rounds  # the states, with their counts
    ThreadState threads[SLICES]  # one for each slice
    int limbs  # of a count; 0 if nothing is counted
    int bits  # most bits of the sum of all counts, and of the answer
    uint64_t *answer  # solutions so far
    uint32_t *children  # where the children of each state are kept, or NULL
    int decision_bits  # of a child that is kept
    int most_touches  # registers of a step, at most
    Ahead *ahead  # for the lookahead, or NULL
    int step  # of the vertex to decide next
    bint one_step  # whether to stop after one step


# ---- by any thread -------------------------------------------------------------------------------


cdef inline void expand(
    Count *c,
    ThreadState *thread,
    Spec *spec,
    Vertex *v,
    const uint64_t *state,
    size_t row,
    Slice *slice,
    int words,
) noexcept nogil:
    """Take the step for a state of a slice: add its children, or count solutions."""
    cdef View view
    cdef Target target
    cdef int decision = 0, limb
    cdef size_t born = <size_t>v.step.children * row
    cdef uint64_t choices
    cdef uint64_t *carried
    view.entries = thread.entries
    if not look(spec, v, state, thread.rest, &view, words):
        return
    choices = view.choices
    if c.ahead != NULL:
        choices &= decisions_ahead(c.ahead, &thread.trial, v, state)
    while choices:
        if choices & 1:
            target = decide(spec, v, &view, decision, thread.rest, thread.child, words)
            if target != REFUSED:
                if target == GOES_ON:
                    carried = slice_add(&c.rounds.shards, slice, thread.child, words)
                    if c.limbs:
                        for limb in range(c.limbs):
                            carried[limb] = state[words + limb]
                    else:
                        carried[0] = born << c.decision_bits | <uint64_t>decision
                elif c.limbs:
                    # There is no carry, by the bound on the sum.
                    limbs_add(thread.answer, state + words, c.limbs)
                elif c.children != NULL:
                    c.children[born] = TO_ACCEPT << c.decision_bits | decision
                born += 1
        choices >>= 1
        decision += 1


cdef inline void expand_states(void *owner, int number, Run run) noexcept nogil:
    """`Rounds.expand`"""
    cdef Count *c = <Count *>owner
    cdef ThreadState *thread = &c.threads[number]
    # On the stack, so that the compiler sees that no store changes them.
    cdef Spec spec = thread.spec
    cdef Vertex v = thread.vertex
    cdef Slice *slice = &c.rounds.shards.slices[number]
    while run.states:
        # Most states are of few words: loops over these are unrolled.
        if spec.words == 1:
            expand(c, thread, &spec, &v, run.record, run.row, slice, 1)
        elif spec.words == 2:
            expand(c, thread, &spec, &v, run.record, run.row, slice, 2)
        else:
            expand(c, thread, &spec, &v, run.record, run.row, slice, spec.words)
        run.states -= 1
        run.record += run.stride
        run.row += run.rows


cdef inline void insert_states(void *owner, int shard, Batch *batch) noexcept nogil:
    """`Rounds.insert`: insert the children, or add to the counts of known states."""
    cdef Count *c = <Count *>owner
    cdef Shards *shards = &c.rounds.shards
    cdef Store *store = &shards.stores[shard]
    cdef int limbs = c.limbs, words = store.words, bits = c.decision_bits, k, limb
    cdef bint fresh
    cdef size_t index, row, mask = store.places - 1
    cdef uint64_t *ways
    cdef const uint64_t *state = batch.records
    cdef const uint64_t *more
    for k in range(batch.waiting):
        more = state + words
        if words == 1:
            index = store_insert(store, state, 1, batch.hashes[k] & mask, &fresh)
        elif words == 2:
            index = store_insert(store, state, 2, batch.hashes[k] & mask, &fresh)
        else:
            index = store_insert(store, state, words, batch.hashes[k] & mask, &fresh)
        if limbs:
            ways = store_payload(store, &store.after, index)
            if fresh:
                for limb in range(limbs):
                    ways[limb] = more[limb]
            else:
                limbs_add(ways, more, limbs)
        elif c.children != NULL:
            # `expand` sets the words that a child carries.
            row = shards_row(shards.after, shard, index)
            c.children[more[0] >> bits] = <uint32_t>(
                (row + FIRST_RECORD) << bits | more[0] & ((<uint64_t>1 << bits) - 1)
            )
        state = more + shards.carried


# ---- by one thread -------------------------------------------------------------------------------


cdef inline bint trial_open(Count *c, Trial *trial) noexcept nogil:
    """Allocate the memory of a trial once; false without memory."""
    cdef Arena *arena = c.rounds.shards.arena
    cdef Lines *b = &trial.rules
    if b.rules == NULL:
        b[0] = c.ahead.rules
        b.rules = <Rule *>arena_copy(arena, b.rules, b.num_rules, sizeof(Rule))
        trail_open(&b.trail, arena, b.num_variables)
        b.counted = b.trail.values
        if arena.refused:
            b.rules = NULL
    return b.rules != NULL


cdef inline bint thread_open(Count *c, ThreadState *thread) noexcept nogil:
    """Prepare the state of a thread for the step; return False without memory."""
    cdef Spec *s = &c.spec
    cdef Arena *arena = c.rounds.shards.arena
    cdef int *scratch = thread.spec.scratch
    if scratch == NULL:
        scratch = <int *>arena_take(arena, 6 * <size_t>s.num_slots, sizeof(int))
    if thread.entries == NULL:
        thread.entries = <uint32_t *>arena_take(arena, c.most_touches, sizeof(uint32_t))
    if thread.rest == NULL:
        thread.rest = <uint64_t *>arena_take(arena, 2 * <size_t>s.words, sizeof(uint64_t))
    if thread.answer == NULL:
        thread.answer = <uint64_t *>arena_take(arena, c.limbs, sizeof(uint64_t))
    if scratch == NULL or thread.entries == NULL or thread.rest == NULL or thread.answer == NULL:
        return False
    if c.ahead != NULL:
        if not trial_open(c, &thread.trial):
            return False
        trial_begin(c.ahead, &thread.trial, c.step)
    thread.child = thread.rest + s.words
    thread.vertex = vertex_at(s, c.step)
    thread.spec = s[0]
    thread.spec.scratch = scratch
    return True


cdef inline int bits_of_sum(Count *c) noexcept nogil:
    """Return the bits of the sum of all counts and the answer, computed in the spare limbs."""
    cdef Store *store
    cdef size_t index
    cdef int limb, shard
    cdef uint64_t *total = c.answer + c.limbs
    for limb in range(c.limbs):
        total[limb] = c.answer[limb]
    total[c.limbs] = 0
    for shard in range(c.rounds.shards.before):
        store = &c.rounds.shards.stores[shard]
        for index in range(store.before.count):
            total[c.limbs] += limbs_add(total, store_payload(store, &store.before, index), c.limbs)
    return limbs_bits(total, c.limbs + 1)


cdef inline void choose_key(Count *c) noexcept nogil:
    """Choose as key the half of the fields that the step does not change."""
    cdef uint64_t *key = c.rounds.shards.key
    cdef Vertex *v = &c.threads[0].vertex
    cdef Place place
    cdef int k, used = 0, here = 0
    for k in range(c.spec.words):
        key[k] = 0
    while v.order[used] != NOTHING:
        if v.step.num_outs and v.order[used] == v.outs[0].slot:
            here = used
        used += 1
    for k in range(0 if here >= used // 2 else used // 2, used // 2 if here >= used // 2 else used):
        place = c.spec.fields[v.order[k]]
        key[place.word] |= c.spec.field_mask << place.shift


cdef inline bint begin_step(Count *c) noexcept nogil:
    """Widen the counts if necessary and clear the tables; return False without memory."""
    cdef uint64_t *answer
    cdef int k, growth = 0
    if c.limbs and c.bits + MAX_GROWTH > 64 * c.limbs:
        c.bits = bits_of_sum(c)
        if c.bits + 3 + MAX_GROWTH > 64 * c.limbs:
            # The answer, and a sum that may be one limb longer.
            answer = <uint64_t *>arena_grow(
                c.rounds.shards.arena, c.answer, 2 * c.limbs + 3, sizeof(uint64_t)
            )
            if answer == NULL:
                return False
            c.answer = answer
            if not shards_widen(&c.rounds.shards):
                return False
            c.answer[c.limbs] = 0
            c.limbs += 1
            for k in range(SLICES):
                # It is zero, and will be allocated again.
                arena_release(c.rounds.shards.arena, c.threads[k].answer)
                c.threads[k].answer = NULL
    c.rounds.children = max(c.spec.steps[c.step].children, 1)
    rounds_begin(&c.rounds)
    # A narrow layer is one slice.
    for k in range(SLICES if c.rounds.shards.after > 1 else 1):
        if not thread_open(c, &c.threads[k]):
            c.rounds.phase = OUTSIDE
            return False
    choose_key(c)
    while growth < MAX_GROWTH and 1 << growth < c.rounds.children:
        growth += 1
    c.bits += growth
    return True


cdef inline void end_step(Count *c) noexcept nogil:
    cdef int k, limb
    for k in range(SLICES):
        if c.threads[k].answer != NULL:
            limbs_add(c.answer, c.threads[k].answer, c.limbs)
            for limb in range(c.limbs):
                c.threads[k].answer[limb] = 0
    shards_swap(&c.rounds.shards)
    c.step += 1


cdef inline bint is_over(Count *c) noexcept nogil:
    """Return whether no step is left, or no state."""
    return c.step == c.spec.num_steps or not c.rounds.shards.states


cdef inline Reason next_step(void *owner) noexcept nogil:
    """`Rounds.next_step`"""
    cdef Count *c = <Count *>owner
    if c.one_step:
        return TAKEN
    end_step(c)
    if is_over(c):
        c.rounds.phase = OUTSIDE
        return TAKEN
    return SHARE if begin_step(c) else NO_MEMORY


cdef inline Reason go_on(Count *c, bint shared, StopToken *watch) noexcept nogil:
    """Take steps to the end, or one step; see `rounds_step`."""
    cdef Reason reason
    while not is_over(c):
        if c.rounds.phase == OUTSIDE and not begin_step(c):
            return NO_MEMORY
        reason = rounds_step(&c.rounds, shared, watch)
        if reason != TAKEN:
            return reason
        end_step(c)
        if c.one_step:
            break
    return TAKEN
