"""`Pass`: a frontier pass for Python, run by `counting`.

Every table is checked before a step is taken.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

from linkoracle.core.arena cimport (
    Arena, arena_close, arena_copy, arena_error, arena_open, arena_take
)
from linkoracle.core.watch cimport StopToken, watch_raise, watch_start
from linkoracle.frontier.checks cimport (
    check_items, check_lists, check_numbers, check_registers, check_step, checked_place, copied,
    copied_words, place_bit, taken
)
from linkoracle.frontier.counting cimport (
    Count, expand_states, go_on, insert_states, next_step, thread_open, trial_open
)
from linkoracle.frontier.lookahead cimport Ahead, Item, trial_begin
from linkoracle.frontier.rounds cimport (
    NO_MEMORY, OUTGROWN, RATE, SHARE, Reason, rounds_share, rounds_together
)
from linkoracle.frontier.shards cimport SLICES, shards_first, shards_open, shards_rows
from linkoracle.frontier.state cimport (
    FIRST_SLOT, NOTHING, Choice, Out, Place, Spec, Step, Touch
)
from linkoracle.frontier.state cimport MAX_DECISIONS as MOST
from linkoracle.frontier.team cimport team_close, team_open
from linkoracle.lines.rules cimport IN_MASK, index_rules, state_rule, take_rules

#: Decisions at a vertex, at most.
MAX_DECISIONS: int = MOST
#: Runs the work of a pass in several threads: see `Pass.advance`.
Share: TypeAlias = "Callable[[Callable[[], object], Callable[[bool], object]], object]"


cdef class Pass:
    """One pass over a plan. Call `advance` until it is over; `answer` is the number of solutions.

    The arguments are the tables of a `linkoracle.frontier.plan.Plan`, rows of the structs of
    `state.pxd`. With ``counted`` false the states have no counts. ``records`` is the initial
    capacity in states, ``memory`` the limit in bytes, and ``wide`` the least number of states that
    threads share.
    Raises ``ValueError`` for tables that do not fit together, and `MemoryLimit`.
    """

    def __cinit__(self):
        arena_open(&self.arena, 0)
        if not team_open(&self.team):
            raise MemoryError

    def __dealloc__(self):
        arena_close(&self.arena)
        team_close(&self.team)

    def __init__(
        self,
        const Step[::1] steps,
        const int32_t[:, ::1] outs,
        const int32_t[:, ::1] choices,
        const int32_t[:, ::1] touches,
        const uint64_t[::1] masks,
        const uint16_t[::1] entries,
        const int32_t[:, ::1] fields,
        const int32_t[:, ::1] order,
        *,
        bint plane,
        int words,
        int decision_bits,
        int field_bits,
        int closed,
        int pairs,
        bint loop,
        bint free_ends,
        bint counted,
        size_t records,
        size_t memory,
        size_t wide,
    ):
        cdef Count *c = &self.count
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
        s.loop, s.plane, s.field_mask = loop, plane, (1 << field_bits) - 1
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
            &c.rounds.shards, &self.arena, self.team.lock, wide, words, c.limbs, records
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
        c.decision_bits, c.most_touches = decision_bits, 0
        for k in range(s.num_steps):
            s.steps[k] = steps[k]
            check_step(s, k, outs.shape[0], choices.shape[0], touches.shape[0])
            check_registers(s, k, masks.shape[0], entries.shape[0], closed)
            c.most_touches = max(c.most_touches, s.steps[k].num_touches)
            if s.steps[k].num_choices > 1 << decision_bits:
                raise ValueError("expected bits of a decision")
        if not thread_open(c, &c.threads[0]):
            arena_error(&self.arena, "the frontier pass")
        # One state, without edges, and one way to it.
        c.rounds.team, c.rounds.owner = &self.team, c
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

    def foresee(
        self,
        const int32_t[::1] starts,
        const int32_t[::1] edges,
        const uint64_t[::1] allowed,
        const int32_t[::1] first,
        const int32_t[::1] step_of,
        const int32_t[::1] outs,
        const int32_t[::1] item_starts,
        const int32_t[:, ::1] items,
        const uint64_t[::1] residuals,
        const int64_t[::1] sizes,
    ) -> None:
        """Exclude decisions without a future from now on, by `linkoracle.frontier.lookahead`.

        Raises ``ValueError`` for tables that do not fit together, and `MemoryLimit`.
        """
        cdef Count *c = &self.count
        cdef Ahead *a = &self.ahead
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
        cdef Count *c = &self.count
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
