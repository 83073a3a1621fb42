"""The frontier pass: takes the step of `spec` for every state of a layer, and counts ways.

**Counts never overflow.** The payload of a record is the number of ways to reach its state, in
limbs. Each state has at most two children (see `allowed_by`), so the sum of all counts, with the
answer, at most doubles with a step. The pass keeps an upper bound on the bits of that sum. When the
bound would outgrow the limbs, it adds up the true sum, and when that is too near, it gives every
count one limb more.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from linkoracle.core.arena cimport arena_grow, arena_release, arena_take
from linkoracle.core.watch cimport Watch
from linkoracle.frontier.limbs cimport limbs_add, limbs_bits
from linkoracle.frontier.rounds cimport (
    NO_MEMORY, OUTSIDE, SHARE, TAKEN, Reason, Rounds, rounds_begin, rounds_step
)
from linkoracle.frontier.shards cimport (
    SLICES, Batch, Run, Shards, Slice, shards_row, shards_turn, shards_widen
)
from linkoracle.frontier.spec cimport GOES_ON, REFUSED, Target, View, decide, look
from linkoracle.frontier.state cimport FIRST_RECORD, TO_ACCEPT, Place, Spec, Vertex, vertex_at
from linkoracle.frontier.store cimport Store, store_enter, store_payload
from linkoracle.frontier.waiting cimport slice_add

cdef enum:
    CHILDREN = 2  # of a state, at most: see `allowed_by`


# What a thread needs of its own to expand a slice.
cdef struct Hand:
    Spec spec  # what a step does, with a scratch of its own
    Vertex vertex  # that is being decided
    uint64_t *rest  # a state without what the vertex takes off
    uint64_t *child  # a state that comes of it
    uint64_t *answer  # solutions found in this step


cdef struct Count:
    Spec spec  # what a step does
    Rounds rounds  # the states, with their counts
    Hand hands[SLICES]  # one for each slice
    int limbs  # of a count; 0 if nothing is counted
    int bits  # at most so many has the sum of all counts and the answer
    uint64_t *answer  # solutions so far
    uint32_t *children  # where the children of each state are kept, or NULL
    int step  # the vertex that is being decided
    bint one_step  # whether no other is to follow


# ---- what any thread does ------------------------------------------------------------------------


cdef inline void expand(
    Count *c, Hand *hand, Spec *spec, Vertex *v, const uint64_t *state, size_t row, Slice *slice
) noexcept nogil:
    """Take the step for a state of a slice: at most two children, or solutions."""
    cdef View view
    cdef Target target
    cdef int decision, limb
    cdef size_t born = 2 * row
    cdef uint64_t *carried
    if not look(spec, v, state, hand.rest, &view):
        return
    for decision in range(4):
        if not view.decisions >> decision & 1:
            continue
        target = decide(spec, v, &view, decision, hand.rest, hand.child)
        if target == REFUSED:
            continue
        if target == GOES_ON:
            carried = slice_add(&c.rounds.shards, slice, hand.child)
            if c.limbs:
                for limb in range(c.limbs):
                    carried[limb] = state[spec.words + limb]
            else:
                carried[0] = born << 2 | decision
        elif c.limbs:
            # No carry: see above.
            limbs_add(hand.answer, state + spec.words, c.limbs)
        elif c.children != NULL:
            c.children[born] = TO_ACCEPT << 2 | decision
        born += 1


cdef inline void expand_states(void *owner, int number, Run run) noexcept nogil:
    """`Rounds.expand`"""
    cdef Count *c = <Count *>owner
    cdef Hand *hand = &c.hands[number]
    # On the stack, where nothing that is written can change them.
    cdef Spec spec = hand.spec
    cdef Vertex v = hand.vertex
    while run.states:
        expand(c, hand, &spec, &v, run.record, run.row, &c.rounds.shards.slices[number])
        run.states -= 1
        run.record += run.stride
        run.row += run.rows


cdef inline void enter(void *owner, int shard, Batch *batch) noexcept nogil:
    """`Rounds.enter`: or add to the counts of what is there."""
    cdef Count *c = <Count *>owner
    cdef Shards *shards = &c.rounds.shards
    cdef Store *store = &shards.stores[shard]
    cdef int limbs = c.limbs, words = store.words, k, limb
    cdef bint fresh
    cdef size_t index, row, mask = store.places - 1
    cdef uint64_t *ways
    cdef const uint64_t *state = batch.records
    cdef const uint64_t *more
    for k in range(batch.waiting):
        more = state + words
        index = store_enter(store, state, batch.hashes[k] & mask, &fresh)
        if limbs:
            ways = store_payload(store, &store.after, index)
            if fresh:
                for limb in range(limbs):
                    ways[limb] = more[limb]
            else:
                limbs_add(ways, more, limbs)
        elif c.children != NULL:
            # `expand` says what it carries.
            row = shards_row(shards.after, shard, index)
            c.children[more[0] >> 2] = <uint32_t>((row + FIRST_RECORD) << 2 | (more[0] & 3))
        state = more + shards.carried


# ---- what one does -------------------------------------------------------------------------------


cdef inline bint hand_open(Count *c, Hand *hand) noexcept nogil:
    """Make a hand ready for the step; False if there is no memory."""
    cdef Spec *s = &c.spec
    cdef int *scratch = hand.spec.scratch
    if scratch == NULL:
        scratch = <int *>arena_take(c.rounds.shards.arena, 5 * <size_t>s.scratch_row, sizeof(int))
    if hand.rest == NULL:
        hand.rest = <uint64_t *>arena_take(c.rounds.shards.arena, 2 * <size_t>s.words, sizeof(uint64_t))
    if hand.answer == NULL:
        hand.answer = <uint64_t *>arena_take(c.rounds.shards.arena, c.limbs, sizeof(uint64_t))
    if scratch == NULL or hand.rest == NULL or hand.answer == NULL:
        return False
    hand.child = hand.rest + s.words
    hand.vertex = vertex_at(s, c.step)
    hand.spec = s[0]
    hand.spec.scratch = scratch
    return True


cdef inline void foreseen(Count *c, uint8_t *ahead) noexcept nogil:
    """From now on refuse the decisions that are not in ``ahead``, also in this step."""
    cdef int k
    c.spec.ahead = ahead
    for k in range(SLICES):
        c.hands[k].spec.ahead = ahead
        c.hands[k].vertex = vertex_at(&c.spec, c.step)


cdef inline int bits_of_sum(Count *c) noexcept nogil:
    """Bits of the sum of all counts and the answer, which has a limb to spare."""
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
    """Let the plugs of that half of the frontier where nothing is decided now say the shard."""
    cdef uint64_t *key = c.rounds.shards.key
    cdef Place place
    cdef int k, half = c.spec.width // 2
    cdef bint left = c.spec.steps[c.step].column >= half
    for k in range(c.spec.words):
        key[k] = 0
    for k in range(0 if left else half, half if left else c.spec.width):
        place = c.spec.plugs[k]
        key[place.word] |= c.spec.plug_mask << place.shift


cdef inline bint begin_step(Count *c) noexcept nogil:
    """Make the counts wide enough and the tables empty; False if there is no memory."""
    cdef uint64_t *answer
    cdef int k
    if c.limbs and c.bits + 1 > 64 * c.limbs:
        c.bits = bits_of_sum(c)
        if c.bits + 4 > 64 * c.limbs:
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
                # It has nothing in it, and will be taken again.
                arena_release(c.rounds.shards.arena, c.hands[k].answer)
                c.hands[k].answer = NULL
    choose_key(c)
    rounds_begin(&c.rounds)
    # A narrow layer is one slice.
    for k in range(SLICES if c.rounds.shards.after > 1 else 1):
        if not hand_open(c, &c.hands[k]):
            c.rounds.phase = OUTSIDE
            return False
    c.bits += 1
    return True


cdef inline void end_step(Count *c) noexcept nogil:
    cdef int k, limb
    for k in range(SLICES):
        if c.hands[k].answer != NULL:
            limbs_add(c.answer, c.hands[k].answer, c.limbs)
            for limb in range(c.limbs):
                c.hands[k].answer[limb] = 0
    shards_turn(&c.rounds.shards)
    c.step += 1


cdef inline bint is_over(Count *c) noexcept nogil:
    """Whether no step is left, or no state."""
    return c.step == c.spec.num_steps or not c.rounds.shards.states


cdef inline Reason turn(void *owner) noexcept nogil:
    """`Rounds.turn`"""
    cdef Count *c = <Count *>owner
    if c.one_step:
        return TAKEN
    end_step(c)
    if is_over(c):
        c.rounds.phase = OUTSIDE
        return TAKEN
    return SHARE if begin_step(c) else NO_MEMORY


cdef inline Reason go_on(Count *c, bint shared, Watch *watch) noexcept nogil:
    """Take steps to the end, or only one; see `rounds_step`."""
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
