"""Conflict-driven clause learning over the edges of a board, near a known solution.

The rules of the board are not clauses: each counts its literals when some of them change, and
each path of chosen edges knows its two ends (`linkoracle.lines`, `propagation`). The reason why a
rule acted is not stored, but found again when a conflict needs it (`reasons`). Conflicts teach
(`conflicts`) clauses with two watched literals (Moskewicz et al., Chaff, DAC 2001), cut at the
first unique implication point. The variables to branch on come from a queue of the most recently
blamed ones, as in the solvers of the MiniSat and CaDiCaL families (Eén and Sörensson, SAT 2003;
Biere and Fröhlich, SAT 2015).

**Cycles.** A path must not close while anything is on elsewhere. The reason is that nothing joins
the two: from vertex to vertex of the path, either its own edges are on, or those are off that leave
it on the side where the other is; or all edges are off that leave what the other may be joined to.
Such cuts are those of `linkoracle.sat`; what rests on fewer decisions is taken (`reasons`).

**Levels.** Level 0 holds what is true for good, levels 1 and 2 the assumptions of a query,
further levels are decisions. Clauses follow from the rules of the board alone, assumptions being
literals as any other, so they stay for later queries. Only those derived from the query's own
clause contain its variable; they are removed when it is answered (`query`).

An alternative is known before everything is decided: see `is_alternative`. A series of queries is
run without returning to Python (`series`). `state` has the data structures, `board` their setup.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t

from linkoracle.board.plane_kernel cimport PlaneArrays
from linkoracle.core.arena cimport arena_close, arena_error, arena_open
from linkoracle.core.watch cimport watch_raise, watch_start
from linkoracle.lines.trail cimport NONE
from linkoracle.search.board cimport know_solution, open_board, open_faces, open_queue
from linkoracle.search.conflicts cimport MORE_CLAUSES
from linkoracle.search.propagation cimport add_clause
from linkoracle.search.query cimport make_space, search
from linkoracle.search.series cimport fix_clue, try_all
from linkoracle.search.state cimport (
    ALTERNATIVE, FREE, FIXED_HIDDEN, KEPT, NO_MEMORY, FIXED_SHOWN, STOPPED, NOT_FIXED, Answer, State
)

cdef enum:
    FIRST_LIMIT = 2000  # learned clauses before the first reduction
    RATE = 16  # steps of a search between two looks at the clock: up to some milliseconds


cdef class Engine:
    """Finds alternatives to the known solution of a board: see `linkoracle.search`.

    ``model`` is a `LinkModel`. ``true_ones`` are the variables, from 0, that are true in the known
    solution: its edges, and others that the model has; ``order`` all faces as they are assumed. The
    engine takes up to ``memory`` bytes, and forgets clauses when it has learned ``limit``, and then
    300 more each time.

    Raises ``ValueError`` for an order without every face and for an invalid solution, and
    `MemoryLimit`. All methods raise ``ValueError`` for faces off the board, and
    ``RuntimeError`` while another thread is in one.
    """

    cdef State s
    cdef PlaneArrays arrays  # of the board's plane
    cdef bint busy  # a thread is in it, maybe without the interpreter's lock

    def __cinit__(
        self,
        model: LinkModel,
        const int32_t[::1] true_ones: array[int],
        const int32_t[::1] order: array[int],
        size_t memory,
        int limit=FIRST_LIMIT,
    ):
        cdef State *s = &self.s
        cdef int k
        cdef bint known = False
        if limit < 1:
            raise ValueError("expected a limit of clauses from 1")
        self.arrays = model.board.plane
        s.lines.plane = self.arrays.plane
        self.check_faces(order)
        if order.shape[0] != s.lines.plane.num_faces:
            raise ValueError("expected an order of all faces")
        arena_open(&s.arena, memory)
        open_board(s, model)
        s.waiting = s.asking = NONE
        s.limit, s.cramped = limit, -MORE_CLAUSES
        for k in range(order.shape[0]):
            s.rank[k] = order[k]
        if true_ones.shape[0] <= s.matches:
            known = True
            for k in range(true_ones.shape[0]):
                known = known and 0 <= true_ones[k] < s.matches
        if not known or not true_ones.shape[0] or not know_solution(s, &true_ones[0], <int>true_ones.shape[0]):
            raise ValueError("the solution given does not solve this board")
        open_faces(s)
        open_queue(s)
        self.state_difference()
        for edges, sign in ((model.given, 0), (model.forbidden, 1)):
            for k in edges:
                if s.variable[k].known == sign:
                    raise ValueError("the solution given does not solve this board")
                s.units[s.new_units] = 2 * k + sign
                s.new_units += 1

    def __dealloc__(self):
        arena_close(&self.s.arena)

    cdef int check_faces(self, const int32_t[::1] faces) except -1:
        """Raise unless these are different faces of the board."""
        cdef int faces_here = self.s.lines.plane.num_faces
        cdef bytearray seen = bytearray(faces_here)
        cdef Py_ssize_t k
        for k in range(faces.shape[0]):
            if not 0 <= faces[k] < faces_here or seen[faces[k]]:
                raise ValueError("expected different faces of the board")
            seen[faces[k]] = 1
        return 0

    cdef int state_difference(self) except -1:
        """State that an alternative lacks some edge of the known solution, and has some edge."""
        cdef State *s = &self.s
        cdef int number, sign, size
        for sign in range(-1, 2, 2):
            size = 0
            for number in range(s.lines.plane.num_edges):
                # Not all edges of the known solution; then at least one edge.
                if sign > 0 or s.variable[number].known:
                    s.learnt[size] = 2 * number + (sign < 0)
                    size += 1
            if size == 1:
                s.units[s.new_units] = s.learnt[0]
                s.new_units += 1
                continue
            if not make_space(s):
                arena_error(&s.arena, "this board")
            add_clause(s, s.learnt, size, 0)
        return 0

    cdef int check_idle(self) except -1:
        """Raise while another thread works."""
        if self.busy:
            raise RuntimeError("the search is at work in another thread")
        return 0

    cdef int enter(self) except -1:
        self.check_idle()
        self.busy = True
        return 0

    cdef int keep(self, const uint8_t[::1] kept) except -1:
        cdef int face
        if kept.shape[0] != self.s.lines.plane.num_faces:
            raise ValueError("expected one byte for each face")
        for face in range(self.s.lines.plane.num_faces):
            self.s.face[face].kept = KEPT if kept[face] else FREE
        return 0

    cdef int ended(self, Answer answer, object deadline) except -1:
        """Raise the error that stopped a query, if it was not its conflict budget."""
        if answer == STOPPED:
            watch_raise(&self.s.lines.watch, deadline)
        if answer == NO_MEMORY:
            arena_error(&self.s.arena, "this search")
        return 0

    def fix_clues(self, const int32_t[::1] faces: array[int], bint keep) -> None:
        """Keep the clues of these faces in all later queries, or else show them in no `reduce`.

        The first call for a face counts.
        """
        cdef Py_ssize_t k
        self.check_faces(faces)
        self.enter()
        try:
            for k in range(faces.shape[0]):
                fix_clue(&self.s, faces[k], keep)
        finally:
            self.busy = False

    def find(
        self,
        const uint8_t[::1] kept: bytearray,
        const int32_t[::1] denied: array[int],
        int64_t conflicts,
        object deadline: Deadline,
    ) -> bool | None:
        """Return whether an alternative matches on the faces that are not 0 in ``kept``.

        It must differ on a face of ``denied``, if there are any; none of them may be kept. Returns
        ``None`` after this number of ``conflicts``. Afterwards `core` has the faces that prove
        "no", or that the alternative changes, and `flips` its edges. Raises `SearchTimeout` and
        `MemoryLimit`, and can be called again.
        """
        cdef State *s = &self.s
        cdef Answer answer
        cdef Py_ssize_t k
        self.check_faces(denied)
        self.enter()
        try:
            deadline.check()
            self.keep(kept)
            for k in range(denied.shape[0]):
                s.denied_faces[k] = denied[k]
            s.denied = denied.shape[0]
            s.queries += 1
            watch_start(&s.lines.watch, deadline.seconds, RATE)
            with nogil:
                answer = search(s, conflicts, 0)
            self.ended(answer, deadline)
        finally:
            self.busy = False
        return None if answer > ALTERNATIVE else answer == ALTERNATIVE

    def reduce(
        self,
        const uint8_t[::1] kept: bytearray,
        const int32_t[::1] order: array[int],
        object deadline: Deadline,
    ) -> None:
        """Remove the clue of each face of ``order``, one after the other, unless it is needed.

        Raises `SearchTimeout` and `MemoryLimit`. The decisions are then in `fixed_clues`, and
        `witness` shows why a clue is needed. Faces fixed before are left out. All faces of
        ``order`` must be kept.
        """
        cdef State *s = &self.s
        cdef Answer answer
        cdef Py_ssize_t k
        self.check_faces(order)
        self.enter()
        try:
            self.keep(kept)
            s.trials = s.next_trial = s.batch = 0
            for k in range(order.shape[0]):
                if s.face[order[k]].fixed == NOT_FIXED:
                    s.order[s.trials] = order[k]
                    s.trials += 1
            s.waiting = NONE
            deadline.check()
            watch_start(&s.lines.watch, deadline.seconds, RATE)
            with nogil:
                answer = try_all(s)
            self.ended(answer, deadline)
        finally:
            self.busy = False

    def core(self) -> list[int]:
        """Return the faces that prove the last "no", or that the last alternative changes."""
        self.check_idle()
        return [self.s.core[k] for k in range(self.s.core_size)]

    def fixed_clues(self, bint keep) -> list[int]:
        """Return the faces whose clues are fixed as kept, or else those fixed as removed."""
        cdef int fixed = FIXED_SHOWN if keep else FIXED_HIDDEN
        self.check_idle()
        return [k for k in range(self.s.lines.plane.num_faces) if self.s.face[k].fixed == fixed]

    def flips(self) -> list[int]:
        """Return the edges on which the last alternative and the known solution differ."""
        self.check_idle()
        return [self.s.flipped[k] for k in range(self.s.num_flipped)]

    def witness(self, int face) -> list[int] | None:
        """Return the `flips` of the alternative that made `reduce` keep the clue of a face.

        ``None`` if there is none.
        """
        cdef State *s = &self.s
        cdef int first, k
        self.check_idle()
        if not 0 <= face < s.lines.plane.num_faces:
            raise ValueError("expected a face of the board")
        first = s.face[face].witness
        if first < 0:
            return None
        return [s.flips[first + 1 + k] for k in range(s.flips[first])]

    @property
    def conflicts(self) -> int:
        """The number of conflicts so far."""
        return self.s.conflicts

    @property
    def queries(self) -> int:
        """The number of queries so far, including those of `reduce`."""
        return self.s.queries

    @property
    def memory(self) -> int:
        """The bytes in use."""
        return self.s.arena.used

    @property
    def limit(self) -> int:
        """The number of learned clauses that starts the next reduction."""
        return self.s.limit
