"""The local constraints of a model: what follows from them alone, and clauses for the rest.

Most edges of a usual puzzle follow by unit propagation (see `linkoracle.lines`) and by failed
literals. Such an edge is one clause, and the rules around it leave little open.

Contents
    Shorter     counts over fewer literals that say the same
    Probing     failed literals
    Search      solutions of what probing leaves open
    Clauses     that state the rules for a solver
    For Python  `Rules`
"""

from functools import lru_cache

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from linkoracle.board.plane_kernel cimport NO_FACE, Plane, PlaneArrays
from linkoracle.core.kernels cimport (
    GOES_ON, Arena, arena_close, arena_error, arena_open, arena_release, arena_take, watch_raise,
    watch_start, watch_stops
)
from linkoracle.lines.lines cimport (
    NONE, NO_REASON, RULE, UNKNOWN, Lines, Rule, Why, allows, apply_rule, apply_rules, forget,
    is_line, join, open_counts, signed, suppose, take_next
)


# ---- Shorter -------------------------------------------------------------------------------------
#
# The counts of a model over fewer literals: what they say together is the same.
#
# * **Evenness.** A cycle is the border of some faces, its *inside* (`Board.has_sides`): an edge is
#   on iff one of the faces beside it is inside. So whether an even number of some edges is on, such
#   as those that a ray crosses, depends only on the faces beside an odd number of them: a ray from
#   off the board has one. Variables for the faces, and a rule of three literals for each edge, say
#   that for all rays together. A counter for each ray of *n* edges takes O(n**2) clauses, and none
#   of them knows of another.
# * **Differences.** If all literals of a count with one allowed number are among those of another
#   count, this counts only the others. So counts along a row tell what is between their ends.

cdef enum:
    EVEN = 0b101  # of up to three literals
    MANY_LITERALS = 3  # of a count of evenness for which variables for faces pay


cdef int evenness(tuple literals, object allowed, int edges):
    """0 or 1 if the true ones of some edges must be even or odd, else NONE."""
    cdef object every = (<object>2 << len(literals)) - 1, even = every // 3
    cdef int64_t literal
    if len(literals) % 2 == 0:
        even = (every * 2 + 1) // 3
    allowed &= every
    if allowed not in (even, every ^ even):
        return NONE
    for literal in literals:
        if abs(literal) > edges:
            return NONE
    return allowed != even


cdef tuple odd_faces(Plane *p, tuple literals):
    """The faces beside an odd number of the edges, in order; how many literals are negative."""
    cdef set odd = set()
    cdef int64_t literal
    cdef int side, face, negative = 0
    for literal in literals:
        negative += literal < 0
        for side in range(2):
            face = p.faces[2 * (abs(literal) - 1) + side]
            if face != NO_FACE:
                odd ^= {face}
    return sorted(odd), negative


cdef int say_insides(Plane *p, list counts, int64_t first) except -1:
    """Add a rule for each edge: an even number of it, and of the insides beside it, is true.

    ``first`` is the variable of the first face.
    """
    cdef int edge, side, face
    cdef list literals
    for edge in range(p.num_edges):
        literals = [edge + 1]
        for side in range(2):
            face = p.faces[2 * edge + side]
            if face != NO_FACE:
                literals.append(first + face)
        counts.append((literals, EVEN))
    return 0


cdef list with_differences(list counts):
    """Counts without the literals of those among them that allow one number."""
    cdef dict counting = {}
    cdef list inside = [], found = []
    cdef int number, other
    cdef set left
    for number, (literals, allowed) in enumerate(counts):
        inside.append(frozenset(literals))
        if len(inside[number]) == len(literals):
            for literal in literals:
                counting.setdefault(literal, []).append(number)
    # By number: the counts with one allowed number whose literals it has, too.
    cdef list parts = [[] for _ in counts]
    for number, (literals, allowed) in enumerate(counts):
        if len(literals) > 1 and allowed.bit_count() == 1 and len(inside[number]) == len(literals):
            for other in counting[literals[0]]:
                # Of two counts of the same literals, the first stays.
                if inside[number] < inside[other] or number < other and inside[number] == inside[other]:
                    parts[other].append(number)
    for number, (literals, allowed) in enumerate(counts):
        if parts[number]:
            left = set(inside[number])
            for other in sorted(parts[number], key=lambda part: -len(inside[part])):
                if inside[other] <= left:
                    left -= inside[other]
                    allowed >>= counts[other][1].bit_length() - 1
            literals = tuple([literal for literal in literals if literal in left])
        found.append((literals, allowed & (<object>2 << len(literals)) - 1))
    return found


cdef tuple shorter_counts(object model, list all_counts, Plane *p):
    """``all_counts`` of a model over fewer literals, and how many variables these add."""
    cdef Py_ssize_t size = len(model.counts)
    cdef list counts = all_counts[:size], others = all_counts[size:], even = [], rest = [], faces
    cdef int64_t first = model.num_variables + 1
    cdef int kind, negative, most = 0
    for literals, allowed in counts:
        kind = evenness(literals, allowed, p.num_edges)
        if kind == NONE:
            rest.append((literals, allowed))
        else:
            even.append((literals, allowed, kind))
            most = max(most, <int>len(literals))
    if most < MANY_LITERALS or not model.loop or not model.board.has_sides:
        return with_differences(counts) + others, 0
    for literals, allowed, kind in even:
        faces, negative = odd_faces(p, literals)
        if len(faces) > len(literals):
            rest.append((literals, allowed))
            continue
        allowed = sum([<object>1 << k for k in range((kind + negative) % 2, len(faces) + 1, 2)])
        others.append(([first + face for face in faces], allowed))
    say_insides(p, others, first)
    return with_differences(rest) + others, p.num_faces


# ---- Probing -------------------------------------------------------------------------------------
#
# Failed literals: what follows for an edge from propagating each of its values.
#
# An edge that cannot have one value, because propagation then ends in a conflict, has the other.
# What both values imply holds, too. Probing stops when it finds little for its effort.

cdef enum:
    EFFORT = 6  # edges that probing may propagate, for each edge of the board
    GAIN = 100  # and as many more for each edge that it has found


cdef struct Probing:
    uint8_t *marked  # whether a variable is worth probing, if it is an edge
    int32_t *implied  # of each variable, its true literal if the edge at hand is off, or NONE
    int32_t *trail  # the variables of which that is known
    int num_implied  # how many these are
    int32_t *common  # literals of them that are the same if the edge at hand is on
    int num_common  # how many these are
    int64_t effort  # edges that were propagated
    int32_t *tried  # of each variable, the edge whose two values both imply what it is, or NONE


cdef inline bint propagate(Lines *b) noexcept nogil:
    """Draw all conclusions from the trail; False at a conflict, or when it is stopped."""
    cdef int literal
    while b.trail.done < b.trail.known:
        if watch_stops(&b.watch):
            return False
        literal = take_next(b)
        if is_line(b, literal) and join(b, literal >> 1).kind != NO_REASON:
            return False
        if apply_rules(b, literal >> 1).kind != NO_REASON:
            return False
    return True


cdef inline bint may_be(Lines *b, Probing *p, int literal) noexcept nogil:
    """Whether propagation does not refute the literal of an edge."""
    cdef int known = b.trail.known, i, other
    cdef bint fits
    suppose(&b.trail, literal)
    fits = propagate(b)
    p.effort += b.trail.known - known
    if fits:
        for i in range(known, b.trail.known):
            other = b.trail.literals[i]
            if literal & 1:
                p.implied[other >> 1] = other
                p.trail[p.num_implied] = other >> 1
                p.num_implied += 1
            elif p.implied[other >> 1] == other:
                p.common[p.num_common] = other
                p.num_common += 1
    forget(b, known)
    return fits


cdef inline bint probe_edge(Lines *b, Probing *p, int edge) noexcept nogil:
    """Learn what follows from any value of an edge; False at a conflict, or when it is stopped."""
    cdef int i, known = b.trail.known
    p.num_implied = p.num_common = 0
    if not may_be(b, p, 2 * edge + 1):
        suppose(&b.trail, 2 * edge)
    elif not may_be(b, p, 2 * edge):
        suppose(&b.trail, 2 * edge + 1)
    else:
        for i in range(p.num_common):
            p.tried[p.common[i] >> 1] = edge
            suppose(&b.trail, p.common[i])
    for i in range(p.num_implied):
        p.implied[p.trail[i]] = NONE
    if b.watch.why != GOES_ON:
        # What looks like a conflict may be none.
        forget(b, known)
        return False
    return propagate(b)


cdef inline void mark_around(Lines *b, Probing *p, int known) noexcept nogil:
    """Mark the neighbours of edges that became known after the given number."""
    cdef Rule *rule
    cdef int k, i, variable
    while known < b.trail.known:
        variable = b.trail.literals[known] >> 1
        for k in range(b.starts[variable], b.starts[variable + 1]):
            rule = &b.rules[b.ruled[k]]
            for i in range(rule.size):
                p.marked[rule.literals[i] >> 1] = True
        known += 1


cdef inline bint probe(Lines *b, Probing *p) noexcept nogil:
    """Probe marked edges until little comes of it; False at a conflict, or when it is stopped."""
    cdef int edge = 0, idle = 0, known, edges = b.plane.num_edges
    cdef int64_t most = <int64_t>EFFORT * edges
    # Where there are few clues nothing comes of it, but it would take as long as the search.
    while idle < edges and p.effort < most:
        idle += 1
        if p.marked[edge] and b.trail.values[2 * edge] == UNKNOWN:
            known = b.trail.known
            if not probe_edge(b, p, edge):
                return False
            if b.trail.known > known:
                mark_around(b, p, known)
                most += GAIN * <int64_t>(b.trail.known - known)
                idle = 0
        edge = edge + 1 if edge + 1 < edges else 0
    return True


# ---- Search --------------------------------------------------------------------------------------
#
# Solutions of what probing leaves open, by backtracking in the order of the decisions.
#
# With a known solution, the first decision takes an edge from it, and the later ones keep to it, next
# to what has changed so far: so another solution near the known one is found soon, if there is any.
# If there is none, the edge is as in the known solution for good. Nothing is learned otherwise, so
# the search has a budget; what needs more is for a solver.

cdef enum:
    FOUND  # what is known of the variables is a solution, apart from connectivity
    NO_MORE
    GAVE_UP  # it was stopped, or is too hard


cdef struct Search:
    int32_t *decisions  # literals, in order
    int32_t *known  # how many were known before each
    int depth  # how many these are
    int decided  # variables up to this one are known as long as no decision is undone
    int8_t *liked  # the value of each edge in the known solution, or UNKNOWN
    int64_t effort  # literals that may still be propagated


cdef inline bint turn(Lines *b, Search *s) noexcept nogil:
    """Refute the last decision; False if there is none."""
    if s.depth == 0:
        return False
    s.depth -= 1
    s.decided = 0
    forget(b, s.known[s.depth])
    suppose(&b.trail, s.decisions[s.depth] ^ 1)
    return True


cdef inline int beside_changes(Lines *b, Search *s) noexcept nogil:
    """An unknown variable in a rule of what is known last, the nearest first; NONE if none.

    What the first decision changed is looked at; without a known solution, all that is known.
    """
    cdef int place, k, i, variable, first
    cdef Rule *rule
    first = s.known[0] if s.depth and s.liked[0] != UNKNOWN else 0
    for place in range(b.trail.known - 1, first - 1, -1):
        variable = b.trail.literals[place] >> 1
        for k in range(b.starts[variable], b.starts[variable + 1]):
            rule = &b.rules[b.ruled[k]]
            for i in range(rule.size):
                if b.trail.values[rule.literals[i]] == UNKNOWN:
                    return rule.literals[i] >> 1
    return NONE


cdef inline int choose(Lines *b, Search *s) noexcept nogil:
    """The next decision; NONE if every variable that a rule counts is known."""
    cdef int variable = NONE, edges = b.plane.num_edges
    if s.depth or s.liked[0] == UNKNOWN:
        variable = beside_changes(b, s)
    while variable == NONE:
        if s.decided == b.num_variables:
            return NONE
        if b.trail.values[2 * s.decided] == UNKNOWN and b.starts[s.decided] < b.starts[s.decided + 1]:
            variable = s.decided
        else:
            s.decided += 1
    if variable >= edges or s.liked[variable] == UNKNOWN:
        return 2 * variable
    return 2 * variable + (s.liked[variable] ^ (s.depth > 0))


cdef inline int look(Lines *b, Search *s, bint again) noexcept nogil:
    """Find a solution; with ``again``, one with other edges than the last."""
    cdef int known, literal
    if again:
        # Other values of other variables make no other solution.
        while s.depth and s.decisions[s.depth - 1] >= 2 * b.plane.num_edges:
            s.depth -= 1
            forget(b, s.known[s.depth])
        if not turn(b, s):
            return NO_MORE
    while True:
        known = b.trail.done
        if propagate(b):
            literal = choose(b, s)
            if literal == NONE:
                return FOUND
            s.decisions[s.depth], s.known[s.depth] = literal, b.trail.known
            s.depth += 1
            s.effort -= b.trail.known - known
            suppose(&b.trail, literal)
        else:
            s.effort -= b.trail.known - known
            # What looks like a conflict may be none.
            if b.watch.why != GOES_ON:
                return GAVE_UP
            if not turn(b, s):
                return NO_MORE
        if s.effort < 0:
            return GAVE_UP


cdef inline bint is_liked(const Lines *b, const Search *s) noexcept nogil:
    """Whether what was found is the known solution."""
    cdef int edge
    for edge in range(b.plane.num_edges):
        if b.trail.values[2 * edge] != s.liked[edge]:
            return False
    return True


cdef inline void like_found(Lines *b, Search *s) noexcept nogil:
    """Make what was found the known solution, and undo all decisions."""
    cdef int edge
    for edge in range(b.plane.num_edges):
        s.liked[edge] = b.trail.values[2 * edge]
    if s.depth:
        forget(b, s.known[0])
    s.depth = s.decided = 0


# ---- Clauses -------------------------------------------------------------------------------------
#
# A clause, and a rule of up to `SHORT` literals, is stated over these. A longer one has a counter:
# new variables say whether at least *j* of the first *i* literals are true, up to one more than the
# largest number that is not alone excluded (Sinz, "Towards an optimal CNF encoding of Boolean
# cardinality constraints", 2005, with both directions, so that every gap can be excluded).

cdef enum:
    RATE = 2048  # edges that are propagated between two looks at the clock
    STATED = 20_000  # clauses between two of them: some hundredths of a second
    SHORT = 8  # literals of a rule that needs no counter
    PASS_OR_SKIP = 0b101


@lru_cache(maxsize=256)
def _patterns(size: int, allowed: int) -> list[tuple[int, ...]]:
    """Return the clauses of a count, as places among its literals and then their negations.

    Counts above the greatest allowed one are excluded together by short clauses ("of these k, not
    all"), likewise counts below the least; a count between allowed ones is excluded pattern by
    pattern.
    """
    found = []
    least = min(number for number in range(size + 1) if allowed >> number & 1)
    most = allowed.bit_length() - 1
    for some in range(1 << size):
        number = some.bit_count()
        above, below = number > least, number < most
        if above and below:
            if allowed >> number & 1:
                continue
        elif number == most + 1:
            below = False
        elif number == least - 1:
            above = False
        else:
            continue
        # The pattern without the literals that do not matter: off above, and on below.
        on = [bool(some >> k & 1) for k in range(size)]
        kept = (k for k in range(size) if (above if on[k] else below))
        found.append(tuple([size + k if on[k] else k for k in kept]))
    return found


cdef int add_count(object add, int size, list literals, int allowed, list unless) except -1:
    """Call ``add`` with clauses that hold iff of ``size`` <= `SHORT` literals the true ones number a
    bit of ``allowed``, or a literal of ``unless`` is true; how many clauses that were.

    ``literals`` has them, and then their negations. ``allowed`` has no more bits than that.
    """
    cdef list patterns = _patterns(size, allowed) if allowed else [()]
    cdef tuple pattern
    for pattern in patterns:
        add(unless + [literals[<Py_ssize_t>k] for k in pattern])
    return <int>len(patterns)


cdef list with_negations(list literals):
    cdef int64_t literal
    return literals + [-literal for literal in literals]


cdef int add_counter(object add, list literals, object allowed, list unless, object new) except -1:
    """Like `add_count` for any number of literals; ``new`` reserves auxiliary variables.

    ``literals`` are without negations. What the variables mean is stated without ``unless``.
    """
    cdef Py_ssize_t size = len(literals), top, at, k, number = 0
    # Shifts of Python's numbers, of any length.
    cdef object every = 2
    every = (every << size) - 1
    allowed &= every
    if allowed == every:
        return 0
    if not allowed:
        add(unless[:])
        return 1
    if allowed == every ^ 1:
        # A clause, which needs no variable.
        add(unless + literals)
        return 1
    # How many more there are than the least number above all allowed makes no difference.
    top = min(<Py_ssize_t>allowed.bit_length(), size)
    cdef list before = [], now
    for at, literal in enumerate(literals):
        now = []
        first = new(min(at + 1, top))
        for k in range(min(at + 1, top)):
            # At least k + 1 of those up to here: of those before, or k of them and this one.
            more = first + k
            now.append(more)
            add([-literal, more] if k == 0 else [-literal, -before[k - 1], more])
            if k < at:
                add([-before[k], more])
                add([-more, before[k], literal])
            else:
                add([-more, literal])
            if k > 0:
                add([-more, before[k - 1]])
            number += 4
        before = now
    for k in range(top + 1):
        if not allowed >> k & 1:
            # Not exactly k: not at least k, or at least k + 1.
            clause = [-before[k - 1]] if k > 0 else []
            add(unless + clause + ([before[k]] if k < len(before) else []))
            number += 1
    return number


def count_clauses(
    literals: Iterable[int],
    allowed: int,
    unless: Iterable[int] = (),
    new: Callable[[int], int] | None = None,
) -> list[list[int]]:
    """Return clauses: of ``literals`` the true ones number a bit of ``allowed``.

    Each literal of ``unless`` lifts the rule. ``new(n)`` returns the first of ``n``
    new variables; it is called for more than eight literals only. O(2**n) clauses for n <= 8
    literals, O(n * m) for more, where m is the largest allowed number; and one for "at least one".

    >>> count_clauses([1, 2], 0b010), count_clauses(range(1, 11), (2 << 10) - 2)
    ([[1, 2], [-1, -2]], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]])
    """
    cdef list clauses = [], chosen = list(literals)
    if len(chosen) <= SHORT:
        add_count(
            clauses.append, <int>len(chosen), with_negations(chosen),
            allowed & (2 << len(chosen)) - 1, list(unless),
        )
    else:
        add_counter(clauses.append, chosen, allowed, list(unless), new)
    return clauses


cdef bint begin(Lines *b, Probing *p) noexcept nogil:
    """Draw the conclusions of all rules, and mark where probing may help; False at a conflict."""
    cdef int number, variable, k
    cdef Rule *rule
    for variable in range(b.num_variables):
        p.implied[variable] = p.tried[variable] = NONE
    for number in range(b.num_rules):
        if watch_stops(&b.watch):
            return False
        if not apply_rule(b, &b.rules[number], Why(RULE, number)):
            return False
    if not propagate(b):
        return False
    mark_around(b, p, 0)
    for number in range(b.num_rules):
        rule = &b.rules[number]
        # A dot that a line may pass through or leave out implies nothing by itself.
        if number >= b.plane.num_vertices or rule.allowed != PASS_OR_SKIP:
            for k in range(rule.size):
                p.marked[rule.literals[k] >> 1] = True
    # A loop has an edge.
    return b.plane.num_edges > 0 or not b.loop


cdef object mask_of(const Rule *rule, int on, int size):
    """The mask of how many more of ``size`` literals may be true: a Python number, of any length."""
    cdef int k
    if rule.least == NULL:
        return rule.allowed >> on & (<uint64_t>2 << size) - 1
    return sum([<object>1 << k for k in range(size + 1) if allows(rule, on + k, on + k)])


# ---- For Python ----------------------------------------------------------------------------------


cdef class Rules:
    """The rules of a `LinkModel`, and what is known of its edges.

    At first these are the given and forbidden edges; `preprocess` finds more. O(edges) memory;
    raises `MemoryLimit` without that. If ``shorter``, counts are over fewer literals, with further
    variables up to ``num_variables``, and more is found: but not by each rule alone. ``masks`` are
    count masks of faces that hold beside those of the model, and ``edges`` are on or off likewise.
    """

    cdef Arena arena
    cdef Lines board
    cdef PlaneArrays arrays  # of the board's plane
    cdef int32_t *tried  # as in `Probing`; NULL before `preprocess`
    cdef Search search
    cdef bint broken  # whether edges that were to be on are off, or the other way round
    cdef bint busy  # whether another thread, or a call that calls back, is at work

    def __cinit__(
        self,
        model: LinkModel,
        *,
        bint shorter: bool = False,
        dict masks: dict[int, int] | None = None,
        dict edges: dict[int, bool] | None = None,
    ):
        cdef int64_t edge, more_variables = 0
        cdef list counts = [], narrowed
        cdef tuple faces = model.faces
        arena_open(&self.arena, <size_t>-1)
        self.arrays = model.board.plane
        self.board.plane = self.arrays.plane
        if not model.only_masks:
            counts = list(model.all_counts())
            if shorter and model.counts:
                counts, more_variables = shorter_counts(model, counts, &self.board.plane)
        if masks:
            narrowed = list(faces)
            for face, mask in masks.items():
                narrowed[face] &= mask
            faces = tuple(narrowed)
        open_counts(&self.board, &self.arena, model, faces, counts, more_variables)
        for sign, known in ((1, model.forbidden), (0, model.given)):
            for edge in known:
                if not 0 <= edge < self.board.plane.num_edges:
                    raise ValueError("expected edges of the board")
                if self.board.trail.values[2 * edge] != UNKNOWN:
                    raise ValueError("expected different edges of the board")
                suppose(&self.board.trail, 2 * edge + sign)
        if edges:
            for edge, on in edges.items():
                if not 0 <= edge < self.board.plane.num_edges:
                    raise ValueError("expected edges of the board")
                if self.board.trail.values[2 * edge] == UNKNOWN:
                    suppose(&self.board.trail, 2 * edge + (not on))
                elif self.board.trail.values[2 * edge] != on:
                    self.broken = True

    def __dealloc__(self):
        arena_close(&self.arena)

    @property
    def num_variables(self) -> int:
        """The number of variables: those of the model, and those of shorter counts."""
        return self.board.num_variables

    def preprocess(self, deadline: Deadline) -> bool:
        """Find some edges that all solutions have, or none has; False if there is no solution.

        O(edges), times a constant that is large only where it finds many. Raises `SearchTimeout`,
        and keeps the edges found before.
        """
        cdef bint fits
        cdef int size = self.board.num_variables
        cdef Probing p
        self._enter()
        try:
            p.marked = <uint8_t *>arena_take(&self.arena, size, sizeof(uint8_t))
            p.implied = <int32_t *>arena_take(&self.arena, size, sizeof(int32_t))
            p.trail = <int32_t *>arena_take(&self.arena, size, sizeof(int32_t))
            p.common = <int32_t *>arena_take(&self.arena, size, sizeof(int32_t))
            p.effort = 0
            if self.tried == NULL:
                self.tried = <int32_t *>arena_take(&self.arena, size, sizeof(int32_t))
            if self.arena.refused:
                arena_error(&self.arena, "probing")
            p.tried = self.tried
            watch_start(&self.board.watch, deadline.seconds, RATE)
            with nogil:
                fits = not self.broken and begin(&self.board, &p) and probe(&self.board, &p)
            watch_raise(&self.board.watch, deadline)
        finally:
            arena_release(&self.arena, p.marked)
            arena_release(&self.arena, p.implied)
            arena_release(&self.arena, p.trail)
            arena_release(&self.arena, p.common)
            self.busy = False
        return fits

    def solutions(
        self, known: Sequence[int] | None, most: int, effort: int, deadline: Deadline
    ) -> tuple[list[tuple[int, ...]], bool]:
        """After `preprocess`, find up to ``most`` edge sets that satisfy the rules.

        Also returns whether these are all. An edge set may break the connectivity constraint. With
        ``known``, edges of one, the search is for others, near that. It ends after ``effort``
        literals were propagated. Raises `SearchTimeout`. Only one call is allowed.
        """
        cdef Lines *b = &self.board
        cdef Search *s = &self.search
        cdef int edge, found = FOUND, edges = b.plane.num_edges, size = b.num_variables
        cdef bint again = False
        cdef list sets = []
        if s.decisions != NULL or self.tried == NULL:
            raise ValueError("expected rules after `preprocess`, and no search before")
        self._enter()
        try:
            s.decisions = <int32_t *>arena_take(&self.arena, size, sizeof(int32_t))
            s.known = <int32_t *>arena_take(&self.arena, size, sizeof(int32_t))
            s.liked = <int8_t *>arena_take(&self.arena, <size_t>edges + 1, sizeof(int8_t))
            if self.arena.refused:
                arena_error(&self.arena, "a search")
            for edge in range(edges + 1):
                s.liked[edge] = UNKNOWN if known is None else 0
            for edge in known or ():
                if not 0 <= edge < edges:
                    raise ValueError("expected edges of the board")
                s.liked[edge] = 1
            s.effort = effort
            watch_start(&b.watch, deadline.seconds, RATE)
            while len(sets) < most:
                with nogil:
                    found = look(b, s, again)
                watch_raise(&b.watch, deadline)
                if found != FOUND:
                    break
                again = True
                if is_liked(b, s):
                    continue
                sets.append(tuple([e for e in range(edges) if b.trail.values[2 * e] == 1]))
                if s.liked[0] == UNKNOWN:
                    like_found(b, s)
                    again = False
        finally:
            self.busy = False
        return sets, found == NO_MORE

    def fixed(self) -> bytes:
        """For each edge 1 if it is known to be on, 0 if off, 2 if neither, as ``bytes``."""
        cdef int edge
        cdef bytearray values = bytearray(self.board.plane.num_edges)
        for edge in range(self.board.plane.num_edges):
            values[edge] = min(self.board.trail.values[2 * edge], 2)
        return bytes(values)

    def is_complete(self) -> bool:
        """Whether every variable that a rule counts is known."""
        cdef Lines *b = &self.board
        cdef int variable
        for variable in range(b.num_variables):
            if b.trail.values[2 * variable] == UNKNOWN and b.starts[variable] < b.starts[variable + 1]:
                return False
        return True

    def steps(self) -> list[tuple[int, int]]:
        """Return the known variables after `preprocess`, in the order in which they became known.

        Each comes with -1, or with an edge both of whose values imply the variable's value.
        """
        cdef Lines *b = &self.board
        cdef int place, variable
        cdef list found = []
        if self.tried == NULL:
            raise ValueError("expected rules after `preprocess`")
        for place in range(b.trail.known):
            variable = b.trail.literals[place] >> 1
            found.append((variable, self.tried[variable]))
        return found

    def state(
        self,
        add: Callable[[list[int]], object],
        deadline: Deadline,
        new: Callable[[int], int] | None = None,
    ) -> None:
        """Call ``add`` with each clause that the rules still need, a list of literals.

        Variable *v* is literal ``v + 1``. ``new(n)`` returns the first of ``n`` new variables; see
        `count_clauses`. Raises `SearchTimeout` at the deadline, before all clauses are added.
        """
        cdef Lines *b = &self.board
        cdef Rule *rule
        cdef int literal, k, on, size, number, clauses = 0
        cdef list literals
        self._enter()
        try:
            for number in range(b.trail.known):
                add([signed(b.trail.literals[number])])
            for number in range(b.num_rules):
                rule = &b.rules[number]
                literals = []
                on = 0
                for k in range(rule.size):
                    literal = rule.literals[k]
                    if b.trail.values[literal] == UNKNOWN:
                        literals.append(signed(literal))
                    else:
                        on += b.trail.values[literal]
                size = <int>len(literals)
                mask = mask_of(rule, on, size)
                if mask == (<object>2 << size) - 1:
                    continue
                if size <= SHORT:
                    clauses += add_count(add, size, with_negations(literals), mask, [])
                else:
                    clauses += add_counter(add, literals, mask, [], new)
                if clauses >= STATED:
                    clauses = 0
                    deadline.check()
            if b.loop and b.num_chosen == 0:
                add(list(range(1, b.plane.num_edges + 1)))
        finally:
            self.busy = False

    cdef int _enter(self) except -1:
        if self.busy:
            raise RuntimeError("the rules of a board serve one thread at a time")
        self.busy = True
        return 0
