"""The pass over taut solutions: takes the step of `taut_spec`, and keeps two ways to each state."""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t

from linkoracle.core.arena cimport Arena, arena_close, arena_error, arena_open, arena_take
from linkoracle.core.watch cimport GOES_ON, Watch, watch_raise, watch_start, watch_stops
from linkoracle.frontier.store cimport (
    BATCH,
    Batch,
    Child,
    Store,
    batch_add,
    batch_fetch,
    batch_open,
    batch_state,
    store_begin,
    store_enter,
    store_open,
    store_payload,
    store_place,
    store_record,
    store_reserve,
    store_trim,
    store_turn,
)
from linkoracle.frontier.taut_spec cimport REFUSED, Cell, TautSpec, TautStep, decide, pack, unpack

cdef enum:
    CHUNK = 32  # states from one look at the watch to the next
    MOST = (1 << 30) - 2  # states of a layer: their ways have 32 bits, two of which are a decision

# In place of a second way.
cdef uint32_t NO_WAY = 0xFFFFFFFF

cdef enum Reason:
    """Why `take_step` came back."""
    TAKEN  # the step has been taken
    STOPPED  # the watch stopped it
    NO_MEMORY  # the arena has refused memory


cdef struct Ways:
    uint32_t first  # the way that a state was first reached: ``parent << 2 | decision``
    uint32_t second  # the last other one, or `NO_WAY`


cdef struct Walk:
    TautSpec spec  # what a step does
    Store store  # the states, with the two ways in one word, the first one low
    Batch batch  # children on their way into the store
    Ways **kept  # by step: the ways to the states after it
    size_t *sizes  # how many these are
    int step  # the vertex that is being decided
    size_t following  # the state to be taken next
    bint begun  # whether the step has begun


cdef void merge(Walk *w) noexcept nogil:
    """Enter the children of the batch in the next layer."""
    cdef Store *store = &w.store
    cdef Child *child
    cdef int k
    cdef bint fresh
    cdef size_t index
    cdef uint64_t way
    cdef uint64_t *ways
    batch_fetch(&w.batch, store)
    for k in range(w.batch.waiting):
        child = &w.batch.children[k]
        index = store_enter(store, batch_state(&w.batch, store, k), child.place, &fresh)
        ways = store_payload(store, &store.after, index)
        way = child.parent << 2 | child.mark
        if fresh:
            ways[0] = way | <uint64_t>NO_WAY << 32
        else:
            ways[0] = <uint32_t>ways[0] | way << 32
    w.batch.waiting = 0


cdef void expand(Walk *w, int column, size_t parent) noexcept nogil:
    """Take the step for one state: at most four children for the batch."""
    cdef Store *store = &w.store
    cdef int decision, made
    cdef int side = unpack(&w.spec, store_record(store, &store.before, parent))
    if column == 0:
        # Nothing leads from one row's end to the next row.
        side = 0
    for decision in range(4):
        made = decide(&w.spec, w.step, column, side, decision)
        if made != REFUSED:
            pack(&w.spec, made, batch_state(&w.batch, store, w.batch.waiting))
            batch_add(&w.batch, store, parent, decision)


cdef bint keep_ways(Walk *w) noexcept nogil:
    """Keep the ways to the states after the step; False if there is no memory."""
    cdef Store *store = &w.store
    cdef size_t index, number = store.after.count
    cdef uint64_t ways
    cdef Ways *kept
    if number > MOST:
        store.arena.refused = True
        return False
    kept = <Ways *>arena_take(store.arena, number, sizeof(Ways))
    if kept == NULL:
        return False
    for index in range(number):
        ways = store_payload(store, &store.after, index)[0]
        kept[index].first, kept[index].second = <uint32_t>ways, <uint32_t>(ways >> 32)
    w.kept[w.step], w.sizes[w.step] = kept, number
    return True


cdef Reason take_step(Walk *w, Watch *watch) noexcept nogil:
    """Take what is left of a step. The batch is empty whenever it comes back."""
    cdef Store *store = &w.store
    cdef int column = w.step % w.spec.width
    if not w.begun:
        if not store_begin(store) or not store_reserve(store, store.before.count + BATCH, watch):
            return NO_MEMORY
        w.following, w.begun = 0, True
    while w.following < store.before.count:
        if w.following % CHUNK == 0 and watch_stops(watch):
            merge(w)
            return STOPPED
        if w.batch.waiting > BATCH - 4:
            merge(w)
        if store.after.count + w.batch.waiting + 4 > store.most:
            merge(w)
            if not store_reserve(store, 4, watch):
                return NO_MEMORY if watch.why == GOES_ON else STOPPED
        expand(w, column, w.following)
        w.following += 1
    merge(w)
    if not keep_ways(w):
        return NO_MEMORY
    store_turn(store)
    store_trim(store)
    w.begun = False
    w.step += 1
    return TAKEN


cdef class TautWalk:
    """A pass over a board from the top. `advance` once a vertex; then `way` leads back.

    ``steps`` has a row for each vertex, in order: see ``TautStep`` in `taut_spec`; ``width`` is the
    number of vertices in a row, and codes are 1 to ``open_codes``. ``memory`` is the number of
    bytes that it may use. Raises ``ValueError`` for tables that do not fit together, and
    `MemoryLimit`.
    """

    cdef Arena arena
    cdef Walk walk
    cdef bint busy

    def __cinit__(self):
        arena_open(&self.arena, 0)

    def __init__(self, const TautStep[::1] steps, *, int width, int open_codes, size_t memory):
        cdef Walk *w = &self.walk
        cdef TautSpec *s = &w.spec
        cdef Py_ssize_t k
        cdef int colours = 1
        cdef bint fresh
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
        s.old = <Cell *>arena_take(&self.arena, width + 1, sizeof(Cell))
        s.new = <Cell *>arena_take(&self.arena, width + 1, sizeof(Cell))
        s.scratch = <int *>arena_take(&self.arena, 6 * <size_t>s.scratch_row, sizeof(int))
        w.kept = <Ways **>arena_take(&self.arena, s.num_steps, sizeof(Ways *))
        w.sizes = <size_t *>arena_take(&self.arena, s.num_steps, sizeof(size_t))
        if (
            self.arena.refused
            or not store_open(&w.store, &self.arena, s.words, 1, 1)
            or not batch_open(&w.batch, &w.store)
        ):
            arena_error(&self.arena, "the pass over taut solutions")
        for k in range(s.num_steps):
            s.steps[k] = steps[k]
        # One state, without plugs. The batch has zeros, the table is empty and has room.
        store_enter(
            &w.store,
            batch_state(&w.batch, &w.store, 0),
            store_place(&w.store, batch_state(&w.batch, &w.store, 0)),
            &fresh,
        )
        store_turn(&w.store)

    def __dealloc__(self):
        arena_close(&self.arena)

    @property
    def step(self) -> int:
        """The vertex that is to be decided next."""
        return self.walk.step

    @property
    def states(self) -> int:
        """The number of states before that vertex."""
        return self.walk.store.before.count

    @property
    def room(self) -> int:
        """Bytes in use."""
        return self.arena.used

    def advance(self, object deadline, size_t memory) -> None:
        """Take a step. It may now use so many bytes.

        Raises `SearchTimeout`, `MemoryLimit`, or what a signal handler raises, all of which leave
        the pass fit to go on; and ``IndexError`` after the last step.
        """
        cdef Walk *w = &self.walk
        cdef Watch watch
        cdef Reason reason
        if w.step >= w.spec.num_steps:
            raise IndexError("the pass is over")
        if self.busy:
            raise RuntimeError("another thread is in this pass")
        self.busy = True
        try:
            self.arena.limit = max(memory, self.arena.used)
            self.arena.refused = False
            watch_start(&watch, deadline.seconds, 4)
            with nogil:
                reason = take_step(w, &watch)
            watch_raise(&watch, deadline)
            if reason == NO_MEMORY:
                arena_error(&self.arena, "the pass over taut solutions")
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
