"""The pass over taut solutions: takes the step of `taut_spec`, and keeps two ways to each state."""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t

from linkoracle.core.arena cimport Arena, arena_error, arena_take
from linkoracle.core.watch cimport Watch, watch_raise, watch_start
from linkoracle.frontier.rounds cimport (
    NO_MEMORY, OUTSIDE, RATE, SHARE, TAKEN, Reason, Rounds, rounds_begin, rounds_step
)
from linkoracle.frontier.shared_kernel cimport SharedPass
from linkoracle.frontier.shards cimport (
    BATCH, SLICES, Batch, Run, Shards, Slice, shards_first, shards_open, shards_row, shards_rows,
    shards_trim, shards_turn
)
from linkoracle.frontier.store cimport Layer, Store, store_enter, store_payload, store_room
from linkoracle.frontier.taut_spec cimport REFUSED, Cell, TautSpec, TautStep, decide, pack, unpack
from linkoracle.frontier.waiting cimport shards_ready, slice_add

cdef enum:
    CHILDREN = 4  # of a state, at most
    MOST = (1 << 30) - 2  # rows of a layer: its ways have 32 bits, two of which are a decision

# In place of a second way.
cdef uint32_t NO_WAY = 0xFFFFFFFF


cdef struct Ways:
    uint32_t first  # the way that a state was first reached: ``parent << 2 | decision``
    uint32_t second  # the last other one, or `NO_WAY`


# What a thread needs of its own to expand a slice.
cdef struct Hand:
    TautSpec spec  # what a step does, with cells and a scratch of its own
    uint64_t *child  # a state


cdef struct Walk:
    TautSpec spec  # what a step does
    Rounds rounds  # the states, with the two ways in one word, the first one low
    Hand hands[SLICES]  # one for each slice
    Ways **kept  # by step: the ways to the states after it
    size_t *sizes  # how many rows these are
    int step  # the vertex that is being decided


# ---- what any thread does ------------------------------------------------------------------------


cdef void expand_states(void *owner, int number, Run run) noexcept nogil:
    """`Rounds.expand`: at most four children for each state."""
    cdef Walk *w = <Walk *>owner
    cdef Hand *hand = &w.hands[number]
    cdef Slice *slice = &w.rounds.shards.slices[number]
    cdef int column = w.step % w.spec.width, decision, made, side
    while run.states:
        side = unpack(&hand.spec, run.record)
        if column == 0:
            # Nothing leads from one row's end to the next row.
            side = 0
        for decision in range(4):
            made = decide(&hand.spec, w.step, column, side, decision)
            if made != REFUSED:
                pack(&hand.spec, made, hand.child)
                slice_add(&w.rounds.shards, slice, hand.child)[0] = run.row << 2 | decision
        run.states -= 1
        run.record += run.stride
        run.row += run.rows


cdef void enter(void *owner, int shard, Batch *batch) noexcept nogil:
    """`Rounds.enter`"""
    cdef Shards *shards = &(<Walk *>owner).rounds.shards
    cdef Store *store = &shards.stores[shard]
    cdef int k
    cdef bint fresh
    cdef size_t index
    cdef const uint64_t *state = batch.records
    cdef uint64_t *ways
    for k in range(batch.waiting):
        index = store_enter(store, state, batch.hashes[k] & (store.places - 1), &fresh)
        ways = store_payload(store, &store.after, index)
        if fresh:
            ways[0] = state[store.words] | <uint64_t>NO_WAY << 32
        else:
            ways[0] = <uint32_t>ways[0] | state[store.words] << 32
        state += store.words + 1


# ---- what one does -------------------------------------------------------------------------------


cdef bint hand_open(Walk *w, Hand *hand) noexcept nogil:
    """Memory for a hand, unless it has some; False if there is none."""
    cdef TautSpec *s = &hand.spec
    cdef Arena *arena = w.rounds.shards.arena
    cdef Cell *cells = s.old
    cdef int *scratch = s.scratch
    if cells == NULL:
        cells = <Cell *>arena_take(arena, 2 * <size_t>w.spec.width + 2, sizeof(Cell))
    if scratch == NULL:
        scratch = <int *>arena_take(arena, 6 * <size_t>w.spec.scratch_row, sizeof(int))
    if hand.child == NULL:
        hand.child = <uint64_t *>arena_take(arena, w.spec.words, sizeof(uint64_t))
    s[0] = w.spec
    s.old, s.new, s.scratch = cells, cells, scratch
    if cells != NULL:
        s.new = cells + w.spec.width + 1
    return cells != NULL and scratch != NULL and hand.child != NULL


cdef bint begin_step(Walk *w) noexcept nogil:
    cdef TautSpec *s = &w.spec
    cdef Shards *shards = &w.rounds.shards
    cdef int k, half = s.width // 2
    cdef bint left = w.step % s.width >= half
    # The kinds of vertices in that half of the frontier where nothing is decided now.
    for k in range(s.words):
        shards.key[k] = 0
    for k in range(0 if left else half, half if left else s.width):
        shards.key[k // s.cells_a_word] |= <uint64_t>3 << k % s.cells_a_word * s.bits
    # A narrow layer is one slice.
    rounds_begin(&w.rounds)
    for k in range(SLICES if w.rounds.shards.after > 1 else 1):
        if not hand_open(w, &w.hands[k]):
            w.rounds.phase = OUTSIDE
            return False
    for k in range(shards.after):
        # A layer is about as large as the one before.
        if not shards_ready(shards, k) or not store_room(
            &shards.stores[k], shards.states // shards.after + BATCH
        ):
            w.rounds.phase = OUTSIDE
            return False
    return True


cdef bint end_step(Walk *w) noexcept nogil:
    """Keep the ways to the states after the step; False if there is no memory."""
    cdef Shards *shards = &w.rounds.shards
    cdef Layer *layer
    cdef int shard
    cdef size_t index, rows
    cdef uint64_t ways
    cdef Ways *kept
    rows = shards_rows(shards, True)
    if rows > MOST:
        shards.arena.refused = True
        return False
    kept = <Ways *>arena_take(shards.arena, rows, sizeof(Ways))
    if kept == NULL:
        return False
    for shard in range(shards.after):
        layer = &shards.stores[shard].after
        for index in range(layer.count):
            ways = store_payload(&shards.stores[shard], layer, index)[0]
            kept[shards_row(shards.after, shard, index)].first = <uint32_t>ways
            kept[shards_row(shards.after, shard, index)].second = <uint32_t>(ways >> 32)
    w.kept[w.step], w.sizes[w.step] = kept, rows
    shards_turn(shards)
    shards_trim(shards)
    w.step += 1
    return True


cdef Reason turn(void *owner) noexcept nogil:
    """`Rounds.turn`: between two steps the memory may change."""
    return TAKEN


cdef Reason take_step(Walk *w, bint shared, Watch *watch) noexcept nogil:
    """Take what is left of a step; see `rounds_step`."""
    cdef Reason reason
    if w.rounds.phase == OUTSIDE:
        if not begin_step(w):
            return NO_MEMORY
    reason = rounds_step(&w.rounds, shared, watch)
    if reason == TAKEN and not end_step(w):
        return NO_MEMORY
    return reason


cdef class TautWalk(SharedPass):
    """A pass over a board from the top. `advance` once a vertex; then `way` leads back.

    ``steps`` has a row for each vertex, in order: see ``TautStep`` in `taut_spec`; ``width`` is the
    number of vertices in a row, and codes are 1 to ``open_codes``. ``memory`` is the number of
    bytes that it may use, and ``wide`` how many states are so many that threads may share them. Raises ``ValueError`` for tables that do not fit together, and
    `MemoryLimit`.
    """

    cdef Walk walk

    def __init__(self, const TautStep[::1] steps, *, int width, int open_codes, size_t memory, size_t wide):
        cdef Walk *w = &self.walk
        cdef TautSpec *s = &w.spec
        cdef Py_ssize_t k
        cdef int colours = 1
        if self.arena.last != NULL:
            raise ValueError("expected a new pass")
        if not 0 < width < 1 << 20 or not 0 < steps.shape[0] < 1 << 26 or steps.shape[0] % width:
            raise ValueError("expected a step for each vertex")
        if not 0 <= open_codes <= steps.shape[0]:
            raise ValueError("expected codes of pairs")
        for k in range(steps.shape[0]):
            if not 0 <= steps[k].phase <= 2 or not 0 <= steps[k].code <= open_codes:
                raise ValueError("expected codes of terminals")
        self.arena.limit = memory
        s.width, s.num_steps, s.open_codes = width, steps.shape[0], open_codes
        # At most one colour for each plug and one new, until they are numbered anew.
        s.fresh = open_codes + width + 2
        # So a cell has at most 31 bits.
        while 1 << colours <= s.fresh:
            colours += 1
        s.bits = 4 + colours
        s.cells_a_word = 64 // s.bits
        s.words = width // s.cells_a_word + 1
        s.scratch_row = (1 << colours) + 1
        s.steps = <TautStep *>arena_take(&self.arena, s.num_steps, sizeof(TautStep))
        w.kept = <Ways **>arena_take(&self.arena, s.num_steps, sizeof(Ways *))
        w.sizes = <size_t *>arena_take(&self.arena, s.num_steps, sizeof(size_t))
        if (
            self.arena.refused
            or not shards_open(&w.rounds.shards, &self.arena, self.team.lock, wide, s.words, 1, 1)
            or not hand_open(w, &w.hands[0])
        ):
            arena_error(&self.arena, "the pass over taut solutions")
        for k in range(s.num_steps):
            s.steps[k] = steps[k]
        # One state, without plugs.
        shards_first(&w.rounds.shards, w.hands[0].child)
        self.rounds, w.rounds.team, w.rounds.owner = &w.rounds, &self.team, w
        w.rounds.expand, w.rounds.enter, w.rounds.turn = expand_states, enter, turn
        w.rounds.children = CHILDREN

    @property
    def step(self) -> int:
        """The vertex that is to be decided next."""
        return self.walk.step

    @property
    def states(self) -> int:
        """The number of states before that vertex."""
        return self.walk.rounds.shards.states

    def advance(self, object deadline, size_t memory, object share = None) -> None:
        """Take a step. It may now use so many bytes. ``share`` is as of `Pass.advance`.

        Raises `SearchTimeout`, `MemoryLimit`, or what a signal handler raises, all of which leave
        the pass fit to go on; and ``IndexError`` after the last step.
        """
        cdef Walk *w = &self.walk
        cdef Watch watch
        cdef Reason reason
        cdef bint shared = share is not None
        if w.step >= w.spec.num_steps:
            raise IndexError("the pass is over")
        if self.busy:
            raise RuntimeError("another thread is in this pass")
        self.busy = True
        try:
            self.arena.limit = max(memory, self.arena.used)
            w.rounds.stopped = False
            while True:
                self.arena.refused = False
                watch_start(&watch, deadline.seconds, RATE)
                with nogil:
                    reason = take_step(w, shared, &watch)
                watch_raise(&watch, deadline)
                if reason == NO_MEMORY:
                    arena_error(&self.arena, "the pass over taut solutions")
                if reason != SHARE:
                    break
                self.share_out(share, deadline)
        finally:
            self.busy = False

    def way(self, int step, size_t state) -> tuple[int, int]:
        """Two ways to a state after a step: ``parent << 2 | decision``, -1 for no second way.

        Raises ``IndexError``.
        """
        cdef Walk *w = &self.walk
        if not 0 <= step < w.step or state >= w.sizes[step]:
            raise IndexError("expected a state of a step that has been taken")
        cdef Ways *ways = &w.kept[step][state]
        return ways.first, -1 if ways.second == NO_WAY else ways.second
