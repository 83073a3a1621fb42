"""`Pass`: a frontier pass for Python, which counts the ways to each state.

`pass_kernel.pxd` has the state and the step, `layers.pxd` the layers and the threads.

Contents
    Lookahead   decisions without a future, by propagation ahead of the frontier
    Counting    the step for every state of a layer, with counts that never overflow
    Checks      of every table, before a step is taken
    For Python  `Pass`
"""

from typing import NamedTuple

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from linkoracle.core.kernels cimport (
    Arena, StopToken, arena_close, arena_copy, arena_error, arena_grow, arena_open, arena_release,
    arena_take, bits_set, limbs_add, limbs_bits, watch_raise, watch_start
)
from linkoracle.frontier.layers cimport (
    NO_MEMORY, OUTGROWN, OUTSIDE, RATE, SHARE, SLICES, TAKEN, Batch, Reason, Rounds, Run, Shards,
    Slice, Store, Team, rounds_begin, rounds_share, rounds_step, rounds_together, shards_first,
    shards_open, shards_row, shards_rows, shards_swap, shards_widen, slice_add, store_insert,
    store_payload, team_close, team_open
)
from linkoracle.lines.lines cimport (
    IN_MASK, NONE, NO_REASON, RULE, UNKNOWN, Lines, Rule, Why, apply_rule, apply_rules, index_rules,
    state_rule, suppose, take_rules, trail_open, unlearn
)


# ---- Lookahead -----------------------------------------------------------------------------------
#
# Find decisions without a future by unit propagation ahead of the frontier, with a cache.
#
# The pass sees a violated rule when the last of its edges is decided. By then a dead state has had
# descendants for up to a row. So every step has a *window*: a few registers and fields around the
# vertex. Assume their contents and a decision. If the rules that count edges then lead to a
# contradiction, the decision has no future. The answer is computed when a pattern of a window
# occurs for the first time.
#
# **Soundness.** A solution that continues the state has these residuals and degrees and this
# decision, so it would satisfy every rule from which the contradiction follows. Nothing is assumed
# about open rules outside the window; connectivity is ignored.
#
# If several threads meet a pattern at the same time, each computes the same mask, which is one
# word.

cdef extern from * nogil:
    """
    #define LINKORACLE_WORKED_OUT ((uint64_t)1 << 63)
    #define LINKORACLE_ANY (~(uint64_t)0)
    """
    uint64_t WORKED_OUT "LINKORACLE_WORKED_OUT"  # marks a computed mask of decisions
    uint64_t ANY "LINKORACLE_ANY"  # residual of a rule without an assumption


# A part of a state in a window.
cdef struct Item:
    int32_t word  # of the state
    int32_t shift  # bits below it
    int32_t mask  # of its bits
    int32_t bits  # of a pattern
    int32_t rule  # whose residual it holds
    int32_t residuals  # where the residuals of its values begin in `Ahead.residuals`


cdef struct Ahead:
    Lines rules  # of edges that are not fixed, in the order in which these are decided
    int32_t *first  # by rule: the step at which the first of its edges is decided
    int32_t *step_of  # the step that decides each edge, or -1 if it is fixed
    int32_t *outs  # by out: its edge, or NONE
    int32_t *item_starts  # where the items of each step begin
    Item *items
    uint64_t *residuals  # masks of the allowed numbers of edges to come
    size_t *table_starts  # where the masks of each step begin
    uint64_t *masks  # of decisions that may have a future, by pattern; 0 if not computed


# What a thread needs of its own.
cdef struct Trial:
    int step
    int decided  # edges decided before, which come first on the trail
    # A copy with its own counts and trail. A rule allows numbers of edges to come; edges decided
    # before are off.
    Lines rules


cdef inline void trial_begin(const Ahead *a, Trial *t, int step) noexcept nogil:
    cdef int k
    t.step = step
    for k in range(a.rules.num_rules):
        t.rules.rules[k].allowed = a.rules.rules[k].allowed if a.first[k] >= step else ANY
    unlearn(&t.rules.trail, 0)
    for k in range(a.rules.num_variables):
        if 0 <= a.step_of[k] < step:
            suppose(&t.rules.trail, 2 * k + 1)
    t.decided = t.rules.trail.done = t.rules.trail.known


cdef inline bint propagate(Lines *b) noexcept nogil:
    """Propagate the trail by all rules; return False at a conflict."""
    while b.trail.done < b.trail.known:
        b.trail.done += 1
        if apply_rules(b, b.trail.literals[b.trail.done - 1] >> 1).kind != NO_REASON:
            return False
    return True


cdef inline bint may_go_on(const Ahead *a, Trial *t, Vertex *v, int decision) noexcept nogil:
    """Return whether propagation finds no conflict with a decision."""
    cdef const Choice *choice = &v.choices[decision]
    cdef int k, literal
    for k in range(v.step.num_outs):
        if a.outs[v.step.outs + k] == NONE:
            continue
        literal = 2 * a.outs[v.step.outs + k] + (k != choice.first and k != choice.second)
        if t.rules.trail.values[literal] == 0:
            return False
        if t.rules.trail.values[literal] == UNKNOWN:
            suppose(&t.rules.trail, literal)
    return propagate(&t.rules)


cdef inline uint64_t worked_out(const Ahead *a, Trial *t, Vertex *v, size_t pattern) noexcept nogil:
    """Return the decisions that may have a future, given the pattern of a window."""
    cdef uint64_t mask = WORKED_OUT
    cdef int k, decision, known
    cdef const Item *item
    cdef bint fits = True
    for k in range(a.item_starts[t.step], a.item_starts[t.step + 1]):
        item = &a.items[k]
        t.rules.rules[item.rule].allowed = a.residuals[
            item.residuals + (pattern & (1 << item.bits) - 1)
        ]
        pattern >>= item.bits
    for k in range(a.item_starts[t.step], a.item_starts[t.step + 1]):
        item = &a.items[k]
        fits = fits and apply_rule(&t.rules, &t.rules.rules[item.rule], Why(RULE, item.rule))
    if fits and propagate(&t.rules):
        known = t.rules.trail.known
        for decision in range(v.step.num_choices):
            if may_go_on(a, t, v, decision):
                mask |= <uint64_t>1 << decision
            unlearn(&t.rules.trail, known)
    unlearn(&t.rules.trail, t.decided)
    return mask


cdef inline uint64_t decisions_ahead(
    Ahead *a, Trial *t, Vertex *v, const uint64_t *state
) noexcept nogil:
    """Return the decisions that may have a future, as far as the window of the step shows."""
    cdef size_t pattern = 0
    cdef uint64_t seen
    cdef int k, shift = 0
    cdef const Item *item
    cdef uint64_t *mask
    for k in range(a.item_starts[t.step], a.item_starts[t.step + 1]):
        item = &a.items[k]
        seen = state[item.word] >> item.shift & <uint64_t>item.mask
        pattern |= <size_t>min(seen, (<uint64_t>1 << item.bits) - 1) << shift
        shift += item.bits
    mask = &a.masks[a.table_starts[t.step] + pattern]
    if mask[0] == 0:
        mask[0] = worked_out(a, t, v, pattern)
    return mask[0]


# ---- Counting ------------------------------------------------------------------------------------
#
# The frontier pass: take the step of `pass_kernel.pxd` for every state of a layer, and count ways.
#
# **Counts never overflow.** The payload of a record is the number of ways to reach its state, in
# limbs. A state has at most ``Step.children`` children, so the sum of all counts, with the answer,
# grows by at most that factor with a step. The pass keeps an upper bound on the bits of this sum.
# If the bound exceeds the limbs, the pass computes the true sum. If the sum is too large as well,
# every count gets one limb more.

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
    Ahead tables  # of the lookahead
    Ahead *ahead  # these, or NULL before there is one
    Team team  # the threads that share the rounds
    int step  # of the vertex to decide next
    bint one_step  # whether to stop after one step


# -- by any thread --


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


# -- by one thread --


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
        thread.entries = <uint32_t *>arena_take(arena, s.most_touches, sizeof(uint32_t))
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


# ---- Checks --------------------------------------------------------------------------------------
#
# Check and copy the tables of a pass.
#
# With any tables that pass these checks, a pass stays within its memory.

cdef inline void *taken(Arena *arena, const int32_t[:, ::1] rows, Py_ssize_t width) except? NULL:
    """Copy rows of numbers; NULL and ``arena.refused`` without memory."""
    if rows.shape[1] != width or rows.shape[0] >= 1 << 30:
        raise ValueError("expected rows of numbers")
    cdef size_t size = rows.shape[0] * width
    return arena_copy(arena, &rows[0, 0] if size else NULL, size, sizeof(int32_t))


cdef inline int32_t *copied(Arena *arena, const int32_t[::1] numbers) noexcept:
    """Copy numbers; NULL and ``arena.refused`` without memory."""
    cdef Py_ssize_t size = numbers.shape[0]
    return <int32_t *>arena_copy(arena, &numbers[0] if size else NULL, size, sizeof(int32_t))


cdef inline uint64_t *copied_words(Arena *arena, const uint64_t[::1] words) noexcept:
    """Copy words; NULL and ``arena.refused`` without memory."""
    cdef Py_ssize_t size = words.shape[0]
    return <uint64_t *>arena_copy(arena, &words[0] if size else NULL, size, sizeof(uint64_t))


cdef inline int check_numbers(const int32_t[::1] numbers, int least, int most) except -1:
    """Raise ``ValueError`` unless all numbers are from ``least`` to below ``most``."""
    cdef Py_ssize_t k
    if numbers.shape[0] >= 1 << 30:
        raise ValueError("expected fewer numbers")
    for k in range(numbers.shape[0]):
        if not least <= numbers[k] < most:
            raise ValueError("expected numbers of rules and edges")
    return 0


cdef inline int check_lists(
    const int32_t[::1] starts, int number, const int32_t[::1] items, int most
) except -1:
    """Raise ``ValueError`` unless these are lists of numbers below ``most``, in this number."""
    cdef Py_ssize_t k
    check_numbers(items, 0, most)
    if starts.shape[0] != number + 1 or starts[0] != 0 or starts[number] != items.shape[0]:
        raise ValueError("expected where lists begin")
    for k in range(number):
        if starts[k] > starts[k + 1]:
            raise ValueError("expected where lists begin")
    return 0


cdef inline int check_items(
    Ahead *a,
    const int32_t[::1] starts,
    Py_ssize_t number,
    Py_ssize_t residuals,
    const int64_t[::1] sizes,
    int words,
) except -1:
    """Raise ``ValueError`` unless windows stay within a state and patterns within their tables."""
    cdef Py_ssize_t step, k
    cdef Item *item
    cdef int bits
    if starts.shape[0] != sizes.shape[0] + 1 or starts[0] != 0 or starts[sizes.shape[0]] != number:
        raise ValueError("expected items of windows")
    for step in range(sizes.shape[0]):
        bits = 0
        if starts[step] > starts[step + 1]:
            raise ValueError("expected items of windows")
        for k in range(starts[step], starts[step + 1]):
            item = &a.items[k]
            checked_place(item.word, item.shift, words, 64)
            if not 0 <= item.rule < a.rules.num_rules or not 0 < item.bits <= 16 or item.mask < 0:
                raise ValueError("expected items of windows")
            if not is_within(item.residuals, 1 << item.bits, residuals):
                raise ValueError("expected a residual for all that is seen")
            bits += item.bits
        if bits > 30 or sizes[step] != 1 << bits:
            raise ValueError("expected sizes of windows")
    return 0


cdef inline Place checked_place(int64_t word, int64_t shift, int words, int shifts) except *:
    cdef Place place
    if not 0 <= word < words or not 0 <= shift < shifts:
        raise ValueError("expected places within a state")
    place.word, place.shift = <int32_t>word, <int32_t>shift
    return place


cdef inline int64_t place_bit(Place place) noexcept:
    """Return the bit of a state at a place."""
    return 64 * <int64_t>place.word + place.shift


cdef inline bint is_within(int64_t first, int64_t number, int64_t size) noexcept:
    return first >= 0 and number >= 0 and first + number <= size


cdef inline int check_step(
    Spec *s, int number, Py_ssize_t outs, Py_ssize_t choices, Py_ssize_t touches
) except -1:
    """Raise ``ValueError`` unless a step stays within its tables."""
    cdef Step *step = &s.steps[number]
    cdef Out *out
    cdef Choice *choice
    cdef int k
    if not NOTHING <= step.slot < s.num_slots or not NOTHING <= step.pair < s.pairs:
        raise ValueError("expected the slot of a vertex, and its pair")
    if (
        not is_within(step.outs, step.num_outs, outs)
        or not is_within(step.choices, step.num_choices, choices)
        or not is_within(step.touches, step.num_touches, touches)
        or step.num_choices > MOST_DECISIONS
    ):
        raise ValueError("expected edges, decisions and registers of a step")
    if not NOTHING <= step.heir < s.num_slots:
        raise ValueError("expected the slot of a vertex in its next step")
    for k in range(step.num_outs):
        out = &s.outs[step.outs + k]
        if not 0 <= out.slot < s.num_slots or not NOTHING <= out.pair < s.pairs:
            raise ValueError("expected edges to vertices on the frontier")
    for k in range(step.num_choices):
        choice = &s.choices[step.choices + k]
        if not NOTHING <= choice.first < step.num_outs:
            raise ValueError("expected decisions on the edges of a step")
        if not NOTHING <= choice.second < step.num_outs:
            raise ValueError("expected decisions on the edges of a step")
    for k in range(3):
        if step.allowed[k] >> step.num_choices:
            raise ValueError("expected masks of decisions")
        if bits_set(step.allowed[k]) > step.children:
            raise ValueError("expected as many children as decisions")
    if not 0 <= step.children <= 1 << MAX_GROWTH:
        raise ValueError("expected as many children as decisions")
    return 0


cdef inline int check_registers(
    Spec *s, int number, Py_ssize_t masks, Py_ssize_t entries, int closed
) except -1:
    """Raise ``ValueError`` unless registers are behind the fields and have complete tables."""
    cdef Step *step = &s.steps[number]
    cdef Touch *touch
    cdef int k
    cdef int64_t rows, at, each
    for k in range(step.num_touches):
        touch = &s.touches[step.touches + k]
        checked_place(touch.word, touch.shift, s.words, 64)
        if touch.held | touch.holds and 64 * touch.word + touch.shift <= closed:
            raise ValueError("expected registers behind the fields")
        for each in (touch.held, touch.holds):
            if not 0 <= each < 1 << 16 or each & (each + 1) or (
                <uint64_t>each << touch.shift >> touch.shift != <uint64_t>each
            ):
                raise ValueError("expected masks of what registers hold")
        if not 1 <= touch.cases <= 2:
            raise ValueError("expected one case or two")
        rows = (<int64_t>touch.held + 1) * touch.cases
        if not is_within(touch.rows, rows, masks):
            raise ValueError("expected a row for all that a register can hold")
        if not is_within(touch.entries, rows * step.num_choices, entries):
            raise ValueError("expected an entry for each row and decision")
        for at in range(touch.entries, touch.entries + rows * step.num_choices):
            if s.entries[at] > touch.holds:
                raise ValueError("expected what registers can hold")
    return 0


# ---- For Python ----------------------------------------------------------------------------------

#: Decisions at a vertex, at most.
MAX_DECISIONS: int = MOST_DECISIONS
#: Runs the work of a pass in several threads: see `Pass.advance`.
Share: TypeAlias = "Callable[[Callable[[], object], Callable[[bool], object]], object]"


class Tables(NamedTuple):
    """The tables of a `linkoracle.frontier.plan.Plan`: rows of the structs of `pass_kernel.pxd`."""

    steps: NDArray[np.void]
    outs: NDArray[np.int32]
    choices: NDArray[np.int32]
    touches: NDArray[np.int32]
    masks: NDArray[np.uint64]
    entries: NDArray[np.uint16]
    fields: NDArray[np.int32]
    order: NDArray[np.int32]
    plane: bool
    words: int
    decision_bits: int
    field_bits: int
    closed: int
    pairs: int
    loop: bool
    free_ends: bool


class Prospects(NamedTuple):
    """The tables of `linkoracle.frontier.sweep.Windows`, for the lookahead of a pass."""

    starts: NDArray[np.int32]
    edges: NDArray[np.int32]
    allowed: NDArray[np.uint64]
    first: NDArray[np.int32]
    step_of: NDArray[np.int32]
    outs: NDArray[np.int32]
    item_starts: NDArray[np.int32]
    items: NDArray[np.int32]
    residuals: NDArray[np.uint64]
    sizes: NDArray[np.int64]


cdef class Pass:
    """One pass over a plan. Call `advance` until it is over; `answer` is the number of solutions.

    With ``counted`` false the states have no counts. ``records`` is the initial capacity in states,
    ``memory`` the limit in bytes, and ``wide`` the least number of states that threads share.
    Raises ``ValueError`` for tables that do not fit together, and `MemoryLimit`.
    """

    def __cinit__(self):
        arena_open(&self.arena, 0)
        self.count = <Count *>calloc(1, sizeof(Count))
        if self.count == NULL or not team_open(&self.count.team):
            raise MemoryError
        self.spec = &self.count.spec

    def __dealloc__(self):
        arena_close(&self.arena)
        if self.count != NULL:
            team_close(&self.count.team)
            free(self.count)

    def __init__(
        self,
        object tables: Tables,
        *,
        bint counted,
        size_t records,
        size_t memory,
        size_t wide,
    ):
        cdef const Step[::1] steps = tables.steps
        cdef const int32_t[:, ::1] outs = tables.outs
        cdef const int32_t[:, ::1] choices = tables.choices
        cdef const int32_t[:, ::1] touches = tables.touches
        cdef const uint64_t[::1] masks = tables.masks
        cdef const uint16_t[::1] entries = tables.entries
        cdef const int32_t[:, ::1] fields = tables.fields
        cdef const int32_t[:, ::1] order = tables.order
        cdef int words = tables.words, decision_bits = tables.decision_bits
        cdef int field_bits = tables.field_bits, closed = tables.closed, pairs = tables.pairs
        cdef bint loop = tables.loop, free_ends = tables.free_ends
        cdef Count *c = self.count
        cdef Spec *s = &c.spec
        cdef Py_ssize_t k
        cdef uint64_t *first
        if self.arena.last != NULL:
            raise ValueError("expected a new pass")
        self.arena.limit = memory
        if not 0 < words < 1 << 16 or not 1 <= field_bits <= 30:
            raise ValueError("expected words of a state and bits of a field")
        if not 0 < records < 1 << 30:
            raise ValueError("expected room for some records")
        if not 0 < steps.shape[0] < 1 << 30 or not 0 <= fields.shape[0] < 1 << 28:
            raise ValueError("expected a step for each vertex")
        if order.shape[0] != steps.shape[0] or order.shape[1] != fields.shape[0] + 1:
            raise ValueError("expected the slots in use behind each step")
        if not 0 <= pairs < 1 << 28 or not 0 <= closed < 64 * words:
            raise ValueError("expected a number of pairs, and the bit of a closed loop")
        s.words, s.num_steps, s.num_slots, s.pairs = words, steps.shape[0], fields.shape[0], pairs
        s.loop, s.plane, s.field_mask = loop, tables.plane, (1 << field_bits) - 1
        s.free_ends = free_ends
        if free_ends and (loop or pairs not in (1, s.num_steps)):
            raise ValueError("expected one number for all free ends, or one for each vertex")
        if FIRST_SLOT + s.num_slots * (2 if pairs else 1) + pairs > 1 << field_bits:
            raise ValueError("expected fields that can hold all codes")
        s.closed.word, s.closed.shift = closed // 64, closed % 64
        s.fields = <Place *>arena_take(&self.arena, s.num_slots + 1, sizeof(Place))
        s.unfinished = <uint64_t *>arena_take(&self.arena, words, sizeof(uint64_t))
        s.steps = <Step *>arena_take(&self.arena, s.num_steps, sizeof(Step))
        s.outs = <Out *>taken(&self.arena, outs, 3)
        s.choices = <Choice *>taken(&self.arena, choices, 2)
        s.touches = <Touch *>taken(&self.arena, touches, 7)
        s.order = <int32_t *>taken(&self.arena, order, s.num_slots + 1)
        s.masks = copied_words(&self.arena, masks)
        k = entries.shape[0]
        s.entries = <uint16_t *>arena_copy(
            &self.arena, &entries[0] if k else NULL, k, sizeof(uint16_t)
        )
        c.limbs = c.bits = counted
        c.answer = <uint64_t *>arena_take(&self.arena, 2 * c.limbs + 1, sizeof(uint64_t))
        if self.arena.refused or not shards_open(
            &c.rounds.shards, &self.arena, c.team.lock, wide, words, c.limbs, records
        ):
            arena_error(&self.arena, "the frontier pass")
        for k in range(s.num_slots):
            s.fields[k] = checked_place(fields[k, 0], fields[k, 1], words, 65 - field_bits)
            if k and place_bit(s.fields[k]) < place_bit(s.fields[k - 1]) + field_bits:
                raise ValueError("expected one field behind the other")
            if closed < place_bit(s.fields[k]) + field_bits:
                raise ValueError("expected the bit of a closed loop behind the fields")
            s.unfinished[s.fields[k].word] |= (s.field_mask - 1) << s.fields[k].shift
        for k in range(order.shape[0] * order.shape[1]):
            if not NOTHING <= s.order[k] < s.num_slots:
                raise ValueError("expected slots of the frontier")
        for k in range(order.shape[0]):
            if order[k, s.num_slots] != NOTHING:
                raise ValueError("expected an end of the slots of the frontier")
        if not 1 <= decision_bits <= 16:
            raise ValueError("expected bits of a decision")
        c.decision_bits, s.most_touches = decision_bits, 0
        for k in range(s.num_steps):
            s.steps[k] = steps[k]
            check_step(s, k, outs.shape[0], choices.shape[0], touches.shape[0])
            check_registers(s, k, masks.shape[0], entries.shape[0], closed)
            s.most_touches = max(s.most_touches, s.steps[k].num_touches)
            if s.steps[k].num_choices > 1 << decision_bits:
                raise ValueError("expected bits of a decision")
        if not thread_open(c, &c.threads[0]):
            arena_error(&self.arena, "the frontier pass")
        # One state, without edges, and one way to it.
        c.rounds.team, c.rounds.owner = &c.team, c
        c.rounds.expand, c.rounds.insert = expand_states, insert_states
        c.rounds.next_step = next_step
        c.rounds.foreseeable = True
        first = shards_first(&c.rounds.shards, c.threads[0].rest)
        if counted:
            first[0] = 1

    @property
    def step(self) -> int:
        """The vertex to decide next."""
        return self.count.step

    @property
    def states(self) -> int:
        """The number of states before that vertex."""
        return self.count.rounds.shards.states

    @property
    def rows(self) -> int:
        """The range of the numbers of the states before the next vertex; some may be unused."""
        return shards_rows(&self.count.rounds.shards)

    @property
    def used(self) -> int:
        """The bytes in use."""
        return self.arena.used

    @property
    def answer(self) -> int:
        """The number of solutions found so far."""
        cdef int k
        limbs = [self.count.answer[k] for k in range(self.count.limbs)]
        return sum(limb << 64 * k for k, limb in enumerate(limbs))

    def take(self, size_t size) -> None:
        """Count bytes that are held elsewhere for this pass. Raises `MemoryLimit`."""
        if size > self.arena.limit - self.arena.used:
            arena_error(&self.arena, "the frontier pass")
        self.arena.used += size

    @property
    def most_children(self) -> int:
        """The most children of a state in the next step."""
        return self.count.spec.steps[self.count.step].children

    def foresee(self, object prospects: Prospects) -> None:
        """Exclude decisions without a future from now on: see `linkoracle.frontier.sweep`.

        Raises ``ValueError`` for tables that do not fit together, and `MemoryLimit`.
        """
        cdef const int32_t[::1] starts = prospects.starts
        cdef const int32_t[::1] edges = prospects.edges
        cdef const uint64_t[::1] allowed = prospects.allowed
        cdef const int32_t[::1] first = prospects.first
        cdef const int32_t[::1] step_of = prospects.step_of
        cdef const int32_t[::1] outs = prospects.outs
        cdef const int32_t[::1] item_starts = prospects.item_starts
        cdef const int32_t[:, ::1] items = prospects.items
        cdef const uint64_t[::1] residuals = prospects.residuals
        cdef const int64_t[::1] sizes = prospects.sizes
        cdef Count *c = self.count
        cdef Ahead *a = &c.tables
        cdef Arena *arena = &self.arena
        cdef Py_ssize_t k
        cdef size_t total = 0
        if self.busy or c.ahead != NULL:
            raise RuntimeError("expected a pass that is not at work, once")
        check_lists(starts, allowed.shape[0], edges, step_of.shape[0])
        check_numbers(outs, -1, step_of.shape[0])
        if first.shape[0] != allowed.shape[0] or sizes.shape[0] != c.spec.num_steps:
            raise ValueError("expected a step for each rule, and a size for each window")
        for k in range(c.spec.num_steps):
            if c.spec.steps[k].outs + c.spec.steps[k].num_outs > outs.shape[0]:
                raise ValueError("expected an edge for each out")
        take_rules(&a.rules, arena, step_of.shape[0], allowed.shape[0], edges.shape[0])
        for k in range(SLICES):
            # From a call that was refused.
            c.threads[k].trial.rules.rules = NULL
        a.first, a.step_of = copied(arena, first), copied(arena, step_of)
        a.outs, a.item_starts = copied(arena, outs), copied(arena, item_starts)
        a.items = <Item *>taken(arena, items, 6)
        a.residuals = copied_words(arena, residuals)
        a.table_starts = <size_t *>arena_take(arena, sizes.shape[0], sizeof(size_t))
        for k in range(sizes.shape[0]):
            if not 0 < sizes[k] <= 1 << 30:
                raise ValueError("expected sizes of windows")
            if a.table_starts != NULL:
                a.table_starts[k] = total
            total += sizes[k]
        a.masks = <uint64_t *>arena_take(arena, total, sizeof(uint64_t))
        if arena.refused:
            arena_error(arena, "looking ahead")
        for k in range(edges.shape[0]):
            a.rules.literals[k] = 2 * edges[k]
        for k in range(allowed.shape[0]):
            if starts[k + 1] - starts[k] > IN_MASK:
                raise ValueError("expected rules whose numbers are bits of one word")
            state_rule(&a.rules, arena, starts[k + 1] - starts[k], allowed[k])
        index_rules(&a.rules)
        check_items(a, item_starts, items.shape[0], residuals.shape[0], sizes, c.spec.words)
        c.ahead = a
        for k in range(SLICES):
            if c.threads[k].rest != NULL:
                if not trial_open(c, &c.threads[k].trial):
                    c.ahead = NULL
                    arena_error(arena, "looking ahead")
                trial_begin(a, &c.threads[k].trial, c.step)

    def advance(
        self,
        object deadline: Deadline,
        bint one_step = False,
        uint32_t[:, ::1] children = None,
        object share: Share | None = None,
    ) -> bool:
        """Take steps until the pass is over, or one step.

        Return False when a layer exceeds the initial capacity for the first time: then call again,
        perhaps after `foresee`. ``children``, zeros at first, receives `most_children` numbers for
        each of the `rows` of this one step, in order of the decision: ``target << decision_bits |
        decision``, 0 for a missing child; only a pass without counts has them. Raises
        `SearchTimeout`, `MemoryLimit`, or the error of a signal handler; the pass can then go on.

        ``share(work, stop)`` is called where a layer is wide. It calls ``work()`` in this thread
        and in others, and returns when all have returned. If a call raises, it calls ``stop(True)``,
        waits for the others, and raises the error.
        """
        cdef Count *c = self.count
        cdef StopToken watch
        cdef Reason reason
        cdef bint shared = share is not None
        if children is not None and (
            not one_step
            or c.limbs
            or children.shape[0] != <Py_ssize_t>shards_rows(&c.rounds.shards)
            or children.shape[1] != c.spec.steps[c.step].children
        ):
            raise ValueError("expected room for the children of each state of one step")
        if self.busy:
            raise RuntimeError("another thread is in this pass")
        self.busy = True
        try:
            c.children = NULL
            if children is not None and children.shape[0] and children.shape[1]:
                c.children = &children[0, 0]
            c.rounds.stopped, c.one_step = False, one_step
            while True:
                self.arena.refused = False
                watch_start(&watch, deadline.seconds, RATE)
                with nogil:
                    reason = go_on(c, shared, &watch)
                watch_raise(&watch, deadline)
                if reason == NO_MEMORY:
                    arena_error(&self.arena, "the frontier pass")
                if reason != SHARE:
                    break
                rounds_share(&c.rounds)
                self.sharing = True
                try:
                    share(lambda: self.work(deadline), self.stop)
                finally:
                    self.sharing = False
        finally:
            c.children = NULL
            self.busy = False
        return reason != OUTGROWN

    def work(self, object deadline: Deadline) -> None:
        """Do shared tasks until none is left.

        Raises the errors of `advance`, and ``RuntimeError`` if no tasks are shared.
        """
        cdef StopToken watch
        cdef Reason reason
        if not self.sharing:
            raise RuntimeError("expected a pass that shares its work out")
        watch_start(&watch, deadline.seconds, RATE)
        with nogil:
            reason = rounds_together(&self.count.rounds, &watch)
        watch_raise(&watch, deadline)
        if reason == NO_MEMORY:
            arena_error(&self.arena, "the frontier pass")

    def stop(self, bint stopped) -> None:
        """Ask every task in another thread to end; with False, withdraw that request."""
        self.count.rounds.stopped = stopped
