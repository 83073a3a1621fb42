"""`Pass`: a frontier pass for Python, which `counting` takes.

Every table is checked before a step is taken.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from linkoracle.core.arena cimport Arena, arena_close, arena_error, arena_open, arena_take
from linkoracle.core.watch cimport Watch, watch_raise, watch_start
from linkoracle.frontier.counting cimport (
    CHILDREN, Count, enter, expand_states, foreseen, go_on, hand_open, turn
)
from linkoracle.frontier.rounds cimport (
    NO_MEMORY, OUTGROWN, RATE, SHARE, Reason, rounds_share, rounds_together
)
from linkoracle.frontier.shards cimport shards_first, shards_open, shards_rows
from linkoracle.frontier.state cimport FIRST_LABEL, RULELESS, SEEN, TO_ACCEPT, TO_NOTHING
from linkoracle.frontier.state cimport Place, Spec, Step, allowed_by
from linkoracle.frontier.team cimport Team, team_close, team_open

#: Targets of a child that are no record of the next layer; record k is target k + 2.
DEAD, ACCEPT = TO_NOTHING, TO_ACCEPT


cdef class Pass:
    """One pass over a plan. `advance` again and again; then `answer` has the number of solutions.

    The arguments are what a `linkoracle.frontier.plan.Plan` has under these names. With ``counted``
    false the states have no counts. ``records`` is the number of states that the pass has room for
    to begin with, ``memory`` the number of bytes that it may use, and ``wide`` how many states are so
    many that threads may share them.
    Raises ``ValueError`` for tables that do not fit together, and `MemoryLimit`.
    """

    cdef Arena arena
    cdef Team team
    cdef bint busy, sharing
    cdef Count count

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
        const int64_t[:, :] faces,
        const int64_t[:, ::1] plugs,
        const int64_t[:, ::1] tops,
        *,
        int words,
        int plug_bits,
        int pair_base,
        int spare_code,
        bint loop,
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
        if not 0 < words < 1 << 16 or not 2 <= plug_bits <= 16:
            raise ValueError("expected words of a state and bits of a plug")
        if not FIRST_LABEL <= pair_base <= 1 << plug_bits or not 0 <= spare_code < 1 << plug_bits:
            raise ValueError("expected codes of met pairs")
        if not 0 < records < 1 << 30:
            raise ValueError("expected room for some records")
        s.width, s.words, s.num_steps = tops.shape[0], words, steps.shape[0]
        if not 0 < tops.shape[0] < 1 << 16 or not 0 < steps.shape[0] < 1 << 30:
            raise ValueError("expected a step for each vertex")
        if steps.shape[0] % tops.shape[0] or plugs.shape[0] != tops.shape[0] + 1:
            raise ValueError("expected places for plugs and face bits")
        if plugs.shape[1] != 2 or tops.shape[1] != 2:
            raise ValueError("expected words and shifts for plugs and face bits")
        s.face_rows = s.num_steps // s.width - 1
        if faces.shape[0] != s.face_rows or faces.shape[1] != s.width - 1:
            raise ValueError("expected a mask for each face")
        s.pair_base, s.spare_code, s.loop = pair_base, spare_code, loop
        s.plug_mask = (1 << plug_bits) - 1
        s.scratch_row = max(s.width + 2, 1 << plug_bits)
        s.steps = <Step *>arena_take(&self.arena, s.num_steps + s.width + 1, sizeof(Step))
        s.plugs = <Place *>arena_take(&self.arena, s.width + 1, sizeof(Place))
        s.tops = <Place *>arena_take(&self.arena, s.width, sizeof(Place))
        s.faces = <uint8_t *>arena_take(
            &self.arena, max(1, s.face_rows * (s.width - 1)), sizeof(uint8_t)
        )
        c.limbs = c.bits = counted
        c.answer = <uint64_t *>arena_take(&self.arena, 2 * c.limbs + 1, sizeof(uint64_t))
        if (
            self.arena.refused
            or not shards_open(
                &c.rounds.shards, &self.arena, self.team.lock, wide, words, c.limbs, records
            )
            or not hand_open(c, &c.hands[0])
        ):
            arena_error(&self.arena, "the frontier pass")
        for k in range(s.width + 1):
            s.plugs[k] = checked_place(plugs[k, 0], plugs[k, 1], words, 65 - plug_bits)
        for k in range(s.width):
            s.tops[k].word = -1
            if tops[k, 0] >= 0:
                s.tops[k] = checked_place(tops[k, 0], tops[k, 1], words, 64)
        for k in range(s.face_rows * (s.width - 1)):
            s.faces[k] = faces[k // (s.width - 1), k % (s.width - 1)] & RULELESS
        for k in range(s.num_steps):
            s.steps[k] = steps[k]
            check_step(s, k)
        # One state, without plugs, and one way to it.
        c.rounds.team, c.rounds.owner = &self.team, c
        c.rounds.expand, c.rounds.enter, c.rounds.turn = expand_states, enter, turn
        c.rounds.children, c.rounds.foreseeable = CHILDREN, True
        first = shards_first(&c.rounds.shards, c.hands[0].rest)
        if counted:
            first[0] = 1

    @property
    def step(self) -> int:
        """The vertex that is to be decided next."""
        return self.count.step

    @property
    def states(self) -> int:
        """The number of states before that vertex."""
        return self.count.rounds.shards.states

    @property
    def rows(self) -> int:
        """Numbers of the states before the next vertex: 0 to before this. Some may be of none."""
        return shards_rows(&self.count.rounds.shards)

    @property
    def room(self) -> int:
        """Bytes in use."""
        return self.arena.used

    @property
    def answer(self) -> int:
        """Solutions found so far."""
        cdef int k
        limbs = [self.count.answer[k] for k in range(self.count.limbs)]
        return sum(limb << 64 * k for k, limb in enumerate(limbs))

    def take(self, size_t size) -> None:
        """Count bytes that are held elsewhere for this pass. Raises `MemoryLimit`."""
        if size > self.arena.limit - self.arena.used:
            arena_error(&self.arena, "the frontier pass")
        self.arena.used += size

    def foresee(self, const uint8_t[:, ::1] table) -> None:
        """Refuse decisions that `linkoracle.frontier.lookahead.lookahead` has refused."""
        cdef Spec *s = &self.count.spec
        cdef size_t k
        if table.shape[0] != s.num_steps or table.shape[1] != 4 * SEEN:
            raise ValueError("expected a row of the table for each vertex")
        if self.busy:
            raise RuntimeError("another thread is in this pass")
        cdef uint8_t *ahead = <uint8_t *>arena_take(&self.arena, s.num_steps * SEEN, 1)
        if ahead == NULL:
            arena_error(&self.arena, "the frontier pass")
        cdef const uint8_t *found = &table[0, 0]
        for k in range(<size_t>s.num_steps * SEEN):
            ahead[k] = (
                (found[4 * k] != 0)
                | (found[4 * k + 1] != 0) << 1
                | (found[4 * k + 2] != 0) << 2
                | (found[4 * k + 3] != 0) << 3
            )
        foreseen(&self.count, ahead)

    def advance(
        self,
        object deadline,
        bint one_step = False,
        uint32_t[:, ::1] children = None,
        object share = None,
    ) -> bool:
        """Take steps until the pass is over, or only one.

        False when a layer, for the first time, outgrows what the pass began with: then call again,
        perhaps after `foresee`. ``children``, zeros at first, receives two numbers for each of the
        `rows` of this one step, in order of the decision: ``target << 2 | decision``, 0 for a child
        that does not exist; only a pass without counts has them. Raises `SearchTimeout`,
        `MemoryLimit`, or what a signal handler raises, all of which leave the pass fit to go on.

        ``share(work, stop)`` is called where a layer is wide. It calls ``work()`` in this thread and
        in others, and comes back when all have. Before it raises what one of them raised, it calls
        ``stop(True)`` and waits for the others.
        """
        cdef Count *c = &self.count
        cdef Watch watch
        cdef Reason reason
        cdef bint shared = share is not None
        if children is not None and (
            not one_step
            or c.limbs
            or children.shape[0] != <Py_ssize_t>shards_rows(&c.rounds.shards)
            or children.shape[1] != 2
        ):
            raise ValueError("expected two children for each state of one step")
        if self.busy:
            raise RuntimeError("another thread is in this pass")
        self.busy = True
        try:
            c.children = NULL
            if children is not None and children.shape[0]:
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

    def work(self, object deadline) -> None:
        """Do some of the tasks that are shared out, until none is left.

        Raises what `advance` does, and ``RuntimeError`` when nothing is shared out.
        """
        cdef Watch watch
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
        """Let every task that goes on in another thread end soon; or, with False, none."""
        self.count.rounds.stopped = stopped


cdef Place checked_place(int64_t word, int64_t shift, int words, int shifts) except *:
    cdef Place place
    if not 0 <= word < words or not 0 <= shift < shifts:
        raise ValueError("expected places within a state")
    place.word, place.shift = word, shift
    return place


cdef int check_step(Spec *s, int number) except -1:
    """What the step relies on, lest it reads or writes where it must not."""
    cdef Step *told = &s.steps[number]
    cdef int entering, allowed
    if told.column != number % s.width:
        raise ValueError("expected the vertices row by row")
    if not 0 <= told.degrees < 32 or not 0 <= told.decisions < 16:
        raise ValueError("expected masks of degrees and decisions")
    if told.column == s.width - 1 and told.decisions & 0b1100:
        raise ValueError("expected no edge to the right in the last column")
    if number + s.width >= s.num_steps and told.decisions & 0b1010:
        raise ValueError("expected no edge down in the last row")
    for entering in range(3):
        allowed = allowed_by(told.degrees, entering) & told.decisions
        # A mask of four bits has two at most if none is left after taking off the lowest twice.
        allowed &= allowed - 1
        if allowed & (allowed - 1):
            raise ValueError("expected at most two decisions")
    if not 0 <= told.phase <= 2 or not 0 <= told.code <= <int>s.plug_mask:
        raise ValueError("expected codes of terminals")
    if not 0 <= told.above <= RULELESS or not 0 <= told.beside <= RULELESS:
        raise ValueError("expected masks of counts")
    if told.column == 0 and told.beside != RULELESS:
        raise ValueError("expected no face to the left of the first column")
    if told.keep_top and s.tops[told.column].word < 0:
        raise ValueError("expected a face bit in a column with rules")
    return 0
