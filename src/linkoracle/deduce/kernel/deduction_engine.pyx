"""`Engine`: one board in C, and its operations."""

from libc.math cimport INFINITY
from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t

from linkoracle.board.plane_kernel cimport PlaneArrays
from linkoracle.core.arena cimport Arena, arena_close, arena_error, arena_open
from linkoracle.core.watch cimport GOES_ON, watch_raise, watch_start
from linkoracle.deduce.kernel.contents cimport copied, memory_of, tables_of
from linkoracle.deduce.kernel.deduction cimport assume, begin, deduce, guess, show
from linkoracle.deduce.kernel.drawing cimport put, undo
from linkoracle.deduce.kernel.deduction_rules cimport Positions
from linkoracle.deduce.kernel.geometry cimport find_fills, place_board
from linkoracle.deduce.kernel.placing cimport arrange, place_all
from linkoracle.deduce.kernel.loading cimport listed, loaded, numbers, room
from linkoracle.deduce.kernel.local cimport turn
from linkoracle.deduce.kernel.setting cimport (
    find_flips, find_odd_cuts, load_enabled, load_pairs, make_state, relate_ends
)
from linkoracle.deduce.kernel.state cimport (
    CONCLUSIONS, CONDITIONS, GIVEN, KINDS, MAX_DEPTH, PREMISES, REASONS, UNIQUE, Frame, Numbers,
    State, instance_of, is_cross, is_open, row_of
)

from linkoracle.board.lattice import Lattice
from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import Deadline, Timeout

cdef enum:
    # Sums over all edges are numbered with 32 bits, ten literals for each.
    MOST_EDGES = 1 << 27
    # Calls of `watch_stops` between two reads of the clock. A call takes 10 ns to 20 us.
    RATE = 250


cdef class Engine:
    """One board on a ``lattice``. The outside is face ``num_faces``, and ``num_faces + 1`` beyond
    the edges of ``border``.

    ``positions`` are the rules, placed wherever their clues match: *instances*, in the order of the
    rules. No instance covers an endpoint, whose degree differs. ``degrees`` and ``faces`` are
    masks of allowed counts, ``pairs`` the terminals, none for a loop. ``coloured``: the faces lie
    on two sides; ``is_free``: the rules count only the paths; ``local``: vertices except
    endpoints have no lines or two. ``enabled`` has a 1 for each technique in use, then the same
    within guesses. With ``hidden`` no clue is shown at first.

    A call raises `SearchTimeout` after ``timeout`` seconds, and ``KeyboardInterrupt`` after Ctrl-C,
    within some milliseconds. Then the board is as before the call, which can be made again. (After
    a contradiction that was not undone, the items that waited for a technique are forgotten.)

    Raises ``ValueError`` for arguments out of range, before anything is changed; ``RuntimeError``
    for a call while another thread is in one; and `MemoryLimit` if more than ``limit`` bytes are
    needed.
    """

    cdef PlaneArrays board  # whose arrays the frame points to
    cdef Arena arena
    cdef Frame frame
    cdef State state
    cdef Numbers before  # the numbers before this call, restored when it is stopped
    cdef int known  # the length of the trail before this call
    cdef int32_t *chosen  # faces whose clues this call shows or hides
    cdef int first_merges  # merges that come before every mark
    cdef bint busy
    cdef object deadline  # of this call

    def __cinit__(
        self, object lattice: Lattice, tuple border: tuple[int, ...], Positions positions not None, *,
        bytes degrees not None, bytes faces not None, list pairs not None: list[tuple[int, int]],
        bint is_loop, bint coloured, bint is_free, bint local, bytes enabled not None, bint hidden,
        size_t limit,
    ):
        cdef Frame *f = &self.frame
        cdef bint fits
        arena_open(&self.arena, limit)
        if not isinstance(lattice, Lattice):
            raise ValueError(f"expected a lattice, got {lattice!r}")
        if 2 * lattice.num_vertices > MOST_EDGES:
            raise MemoryLimit(f"the deduction takes boards of up to {MOST_EDGES} edges")
        self.board = lattice.plane
        f.plane, f.rows, f.columns = self.board.plane, lattice.rows, lattice.cols
        place_board(f, &self.arena, border)
        f.is_loop, f.coloured, f.is_free, f.local = is_loop, coloured, is_free, local
        f.degrees = loaded(&self.arena, degrees, f.vertices, 32, "masks of degrees")
        f.clues = loaded(&self.arena, faces, f.faces, 32, "masks of counts")
        load_pairs(f, &self.arena, pairs)
        load_enabled(f, &self.arena, enabled)
        watch_start(&self.state.watch, INFINITY, RATE)
        with nogil:
            fits = place_all(&positions.patterns, f, &self.arena, &self.state.watch)
        watch_raise(&self.state.watch, None)
        if not fits:
            arena_error(&self.arena, "the deduction")
        arrange(f, &self.arena)
        if f.enabled[0][UNIQUE] or f.enabled[1][UNIQUE]:
            find_fills(f, &self.arena)
        find_odd_cuts(f, &self.arena)
        find_flips(f, &self.arena)
        make_state(f, &self.state, &self.arena, hidden)
        self.chosen = <int32_t *>room(&self.arena, f.faces, sizeof(int32_t))
        relate_ends(f, &self.state)
        self.first_merges = self.state.n.merges

    def __dealloc__(self):
        arena_close(&self.arena)

    cdef int check_free(self) except -1:
        """Raise ``RuntimeError`` if a call is running. The interpreter is locked meanwhile."""
        if self.busy:
            raise RuntimeError("another call is at work on this board")
        return 0

    cdef int start(self, object timeout) except -1:
        """Begin a call that may be stopped."""
        cdef double seconds
        self.check_free()
        self.deadline = Deadline.of(timeout)
        seconds = self.deadline.seconds
        self.busy = True
        self.before, self.known = self.state.n, self.state.trail.known
        watch_start(&self.state.watch, seconds, RATE)
        return 0

    cdef bint finish(self, bint fits) except -1:
        """End a call: return its result, or restore the board and raise what stopped it."""
        cdef int kind
        if self.state.watch.why != GOES_ON:
            undo(&self.frame, &self.state, self.known, self.before.merges)
            self.state.n = self.before
            self.state.n.noted = -1
            for kind in range(KINDS):
                self.state.n.waiting[kind] = 0
        self.busy = False
        if self.state.watch.why != GOES_ON:
            watch_raise(&self.state.watch, self.deadline)
        return fits

    def put(self, literals: Iterable[int], technique: int = GIVEN) -> bool:
        """Decide edges: literal ``2 * edge`` is a line, ``2 * edge + 1`` a cross.

        Returns false at the first literal that contradicts the state, and ignores the later ones.
        """
        cdef list given = numbers(literals, 2 * <int64_t>self.frame.edges, "literals")
        cdef int why = numbers((technique,), REASONS, "a technique")[0]
        cdef int literal
        self.check_free()
        for literal in given:
            if not put(&self.frame, &self.state, literal, why, -1):
                return False
        return True

    def begin(self, literals: Iterable[int] = (), *, timeout: Timeout = None) -> bool:
        """Put literals and deduce for the first time; return false if there is no solution."""
        cdef list given = numbers(literals, 2 * <int64_t>self.frame.edges, "literals")
        cdef bint fits = True
        cdef int literal
        self.start(timeout)
        for literal in given:
            fits = fits and put(&self.frame, &self.state, literal, GIVEN, -1)
        if fits:
            with nogil:
                fits = begin(&self.frame, &self.state)
        return self.finish(fits)

    def deduce(self, *, timeout: Timeout = None) -> bool:
        """Deduce from the literals put since the last call; false if there is no solution."""
        cdef bint fits
        self.start(timeout)
        with nogil:
            fits = deduce(&self.frame, &self.state)
        return self.finish(fits)

    def assume(self, literal: int, *, timeout: Timeout = None) -> bool:
        """Follow one guess, as `guess` does, and keep it; return false for a contradiction."""
        cdef int guessed = numbers((literal,), 2 * <int64_t>self.frame.edges, "a literal")[0]
        cdef bint fits
        self.start(timeout)
        with nogil:
            fits = assume(&self.frame, &self.state, guessed, 0)
        return self.finish(fits)

    def guess(self, depth: int, budget: int = -1, *, timeout: Timeout = None) -> bool:
        """Make guesses up to ``depth`` deep, at most ``budget``; false if there is no solution.

        Without a limit if ``budget`` is negative. Raises ``ValueError`` for a depth outside 0 to 6.
        """
        cdef int deepest = numbers((depth,), MAX_DEPTH + 1, "a depth of guesses")[0]
        cdef int64_t most = budget
        cdef bint fits
        cdef int level
        cdef State *s = &self.state
        self.check_free()
        for level in range(1, deepest + 1):
            if s.snapshot[level] == NULL:
                s.snapshot[level] = <int8_t *>room(&self.arena, 2 * self.frame.edges, 1)
            if s.agreed[level] == NULL:
                s.agreed[level] = <int32_t *>room(&self.arena, self.frame.edges, sizeof(int32_t))
        self.start(timeout)
        s.n.budget = most
        with nogil:
            fits = guess(&self.frame, s, deepest)
        return self.finish(fits)

    cdef int choose(self, object faces, bint shown) except -1:
        """Note the faces of a call, and that their clues are shown or not; return how many.

        Raises ``ValueError``, and notes nothing, if a face is given twice or is so already.
        """
        cdef list named = numbers(faces, self.frame.faces, "faces")
        cdef int size = 0, face
        self.check_free()
        for face in named:
            if self.state.shown[face] == shown:
                for at in range(size):
                    self.state.shown[self.chosen[at]] = not shown
                raise ValueError(f"the clue of face {face} is {'' if shown else 'not '}shown")
            self.state.shown[face] = shown
            self.chosen[size] = face
            size += 1
        return size

    def show(self, faces: Iterable[int], *, timeout: Timeout = None) -> bool:
        """Show the clues of these faces and deduce; false if there is no solution.

        Raises ``ValueError`` for a face whose clue is shown already.
        """
        # Checked before anything is changed.
        deadline = Deadline.of(timeout)
        cdef int size = self.choose(faces, True), at
        cdef bint fits
        self.start(deadline)
        with nogil:
            fits = show(&self.frame, &self.state, self.chosen, size)
        if self.state.watch.why != GOES_ON:
            undo(&self.frame, &self.state, self.known, self.before.merges)
            for at in range(size):
                turn(&self.frame, &self.state, self.chosen[at], False)
        return self.finish(fits)

    def hide(self, faces: Iterable[int], mark: tuple[int, int]) -> None:
        """Return to a mark that was made before these clues were shown."""
        cdef int length, related, size, at
        length, related = self.checked(mark)
        size = self.choose(faces, False)
        undo(&self.frame, &self.state, length, related)
        for at in range(size):
            turn(&self.frame, &self.state, self.chosen[at], False)

    cdef (int, int) checked(self, object mark) except *:
        cdef int length = numbers(mark[:1], self.state.trail.known + 1, "lengths of the trail")[0]
        cdef int related = numbers(mark[1:], self.state.n.merges + 1, "numbers of relations")[0]
        self.check_free()
        if related < self.first_merges:
            raise ValueError(f"expected a mark of this board, got {related} relations")
        return length, related

    def undo(self, mark: tuple[int, int]) -> None:
        """Undo all decisions since the mark was made."""
        cdef int length, related
        length, related = self.checked(mark)
        undo(&self.frame, &self.state, length, related)

    def mark(self) -> tuple[int, int]:
        """Return a mark for `undo`: how many literals, and how many relations, are known."""
        self.check_free()
        return self.state.trail.known, self.state.n.merges

    def trail(self) -> list[tuple[int, int, int]]:
        """Return the decided literals in order, each with its technique and place."""
        cdef State *s = &self.state
        cdef int at, literal
        cdef list found = []
        self.check_free()
        for at in range(s.trail.known):
            literal = s.trail.literals[at]
            found.append((literal, s.trail.causes[literal >> 1].reason, s.entries[at].where))
        return found

    def pattern(self, place: int) -> tuple[int, list[int], list[int], list[int]]:
        """Return the instance at a place: the number of its rule, the faces of its clues with the
        anchor first, the literals that must hold, and those that follow."""
        cdef Frame *f = &self.frame
        cdef int at = numbers((place,), f.layout.size, "places of patterns")[0], part
        rows = [listed(row_of(&f.layout, part, at)) for part in (CONDITIONS, PREMISES, CONCLUSIONS)]
        return instance_of(&f.layout, at).rule, *rows

    def sides(self, edge: int) -> tuple[int, int]:
        """Return the faces on both sides of an edge; ``num_faces`` and the next are outside."""
        cdef int at = numbers((edge,), self.frame.edges, "edges")[0]
        return self.frame.edge[at].sides[0], self.frame.edge[at].sides[1]

    def edges(self) -> bytes:
        """Return the value of each edge, by id: ``OPEN``, ``LINE`` or ``CROSS``."""
        cdef int edge
        cdef bytearray found = bytearray(self.frame.edges)
        self.check_free()
        for edge in range(self.frame.edges):
            found[edge] = 0 if is_open(&self.state, edge) else 1 + is_cross(&self.state, edge)
        return bytes(found)

    def face_counts(self) -> tuple[bytes, bytes]:
        """Return the number of lines around each face, and that of crosses."""
        cdef Frame *f = &self.frame
        self.check_free()
        return (
            copied(self.state.lines + f.vertices, f.faces),
            copied(self.state.crosses + f.vertices, f.faces),
        )

    def next_edge(self) -> int:
        """Return an open edge where a path ends, else the first open one, else edge 0."""
        cdef int edge, found = -1
        cdef int32_t *ends
        self.check_free()
        for edge in range(self.frame.edges):
            if not is_open(&self.state, edge):
                continue
            ends = self.frame.plane.ends + 2 * edge
            if self.state.lines[ends[0]] == 1 or self.state.lines[ends[1]] == 1:
                return edge
            if found < 0:
                found = edge
        return max(found, 0)

    @property
    def fault(self) -> tuple[int, int]:
        """The technique and the place of the last contradiction."""
        self.check_free()
        return self.state.n.fault, self.state.n.fault_at

    @property
    def open_edges(self) -> int:
        """The number of edges that are neither lines nor crosses."""
        self.check_free()
        return self.state.n.undecided

    @property
    def solved(self) -> bool:
        """Whether every edge is decided, and the lines are a solution."""
        self.check_free()
        return self.state.n.undecided == 0 and self.state.n.left == 0

    @property
    def depth(self) -> int:
        """The greatest depth of a guess that decided something."""
        self.check_free()
        return self.state.n.depth

    @property
    def guesses(self) -> int:
        """The number of guesses made."""
        self.check_free()
        return self.state.n.guesses

    def memory(self) -> dict[str, object]:
        """Return a copy of everything that determines the next steps, by name, for tests.

        Equal for boards in the same state. Stacks are copied as far as they are filled, without
        scratch memory and the records of earlier contradictions and guesses."""
        self.check_free()
        return memory_of(&self.frame, &self.state)

    def tables(self) -> dict[str, list[Any]]:
        """Return a copy of the tables that boards of this size share, for tests.

        Rows are lists; an index has a list for each key.
        """
        return tables_of(&self.frame)
