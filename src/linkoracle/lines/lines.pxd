"""Lines on a board, for compiled code: which are known, in which order, and why.

Contents
    Trail    literals that are true, in the order in which they became so, and why
    Ends     the two ends of each path of chosen edges
    Rules    the constraints of a model as counts of literals
    Paths    what follows from connectivity
    Clauses  that each watch two of their literals
"""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.string cimport memset

from linkoracle.board.plane_kernel cimport Plane, far_end
from linkoracle.core.kernels cimport (
    Arena, Index, StopToken, add_item, arena_error, arena_grow, arena_take, count_item, place_items
)


# ---- Trail ---------------------------------------------------------------------------------------
#
# Literals that are true, in the order in which they became so, and why.
#
# A literal is twice its variable, and one more for "not".

cdef enum:
    NONE = -1  # no vertex, edge, face, variable, clause
    UNKNOWN = 64  # more than a rule with one word counts, so a sum shows how many are unknown

#: Kinds of a `Why`, each with what its index is. (The deduction of players has others: techniques.)
cdef enum:
    NO_REASON  # an assumption; or as a result, there is no conflict
    RULE  # a rule: so many of its literals must be true
    FACE  # a face: its clue, or that it must have another one
    SIDE  # an edge: it is as in the known solution iff the faces beside it are
    CLAUSE  # a clause: one of its literals must be true
    CYCLE  # how many conclusions were drawn from: then this edge would close a path
    APART  # how many conclusions were drawn from: then this edge would join two pairs
    WHOLE  # 0: a path has closed and is the whole solution, without this edge


cdef struct Why:  # why a literal is true, or nothing fits
    int32_t kind
    int32_t index


cdef struct Cause:
    int32_t level  # on which a variable became known
    int32_t place  # where it is on the trail
    Why why


cdef struct Trail:
    int8_t *values  # of each literal: 0, 1, or UNKNOWN
    int32_t *literals  # that are true, in order
    Cause *causes  # by variable
    int known  # how many are true
    int done  # from how many of them conclusions are drawn
    int level


cdef inline int signed(int literal) noexcept nogil:
    """A literal as in DIMACS: variables are numbered from 1, and negative for "not"."""
    return -1 - (literal >> 1) if literal & 1 else 1 + (literal >> 1)


cdef inline void trail_open(Trail *t, Arena *arena, size_t variables) noexcept nogil:
    """Allocate for a number of variables; sets ``arena.refused`` without memory."""
    t.values = <int8_t *>arena_take(arena, 2 * variables, sizeof(int8_t))
    t.literals = <int32_t *>arena_take(arena, variables, sizeof(int32_t))
    t.causes = <Cause *>arena_take(arena, variables, sizeof(Cause))
    if not arena.refused:
        memset(t.values, UNKNOWN, 2 * variables)


cdef inline void learn(Trail *t, int literal, Why why) noexcept nogil:
    """Note that an unknown literal is true."""
    cdef Cause *cause = &t.causes[literal >> 1]
    t.values[literal], t.values[literal ^ 1] = 1, 0
    cause.level, cause.place, cause.why = t.level, t.known, why
    t.literals[t.known] = literal
    t.known += 1


cdef inline void suppose(Trail *t, int literal) noexcept nogil:
    """Assume that an unknown literal is true: without a reason."""
    learn(t, literal, Why(NO_REASON, 0))


cdef inline void unlearn(Trail *t, int known) noexcept nogil:
    """Undo all literals after the given number of first ones."""
    cdef int literal
    while t.known > known:
        t.known -= 1
        literal = t.literals[t.known]
        t.values[literal] = t.values[literal ^ 1] = UNKNOWN
    t.done = min(t.done, known)


# ---- Ends ----------------------------------------------------------------------------------------
#
# Chosen edges form paths; each path is known by its two ends.
#
# Only the entries of ends are up to date: a vertex within a path keeps its entry from when it was
# an end.

cdef struct Path:
    int32_t end  # the other end of the path of chosen edges that ends in this vertex, or itself
    int32_t length  # its edges


cdef struct Change:
    int32_t place  # of the edge that joined paths, on the trail
    int32_t vertex  # whose path was changed
    Path before  # what it was


cdef struct Ends:
    Path *paths  # by vertex
    Change *changes  # of paths
    int changed  # how many these are


cdef inline void ends_open(Ends *e, Arena *arena, int vertices, int edges) noexcept nogil:
    """Allocate for a board; sets ``arena.refused`` without memory."""
    cdef int vertex
    e.paths = <Path *>arena_take(arena, vertices, sizeof(Path))
    # A chosen edge changes the paths of two vertices.
    e.changes = <Change *>arena_take(arena, 2 * <size_t>edges, sizeof(Change))
    if not arena.refused:
        for vertex in range(vertices):
            e.paths[vertex].end = vertex


cdef inline void set_path(Ends *e, int place, int vertex, int end, int length) noexcept nogil:
    cdef Change *change = &e.changes[e.changed]
    change.place, change.vertex, change.before = place, vertex, e.paths[vertex]
    e.changed += 1
    e.paths[vertex].end, e.paths[vertex].length = end, length


cdef inline int merge_paths(Ends *e, int place, int one, int other) noexcept nogil:
    """Make one path of two that an edge joins, at its place on the trail; return its length."""
    cdef Path here = e.paths[one], there = e.paths[other]
    cdef int length = here.length + there.length + 1
    set_path(e, place, here.end, there.end, length)
    set_path(e, place, there.end, here.end, length)
    return length


cdef inline void part_paths(Ends *e, int known) noexcept nogil:
    """Undo the effects of edges after the given number of first ones on the trail."""
    while e.changed and e.changes[e.changed - 1].place >= known:
        e.changed -= 1
        e.paths[e.changes[e.changed].vertex] = e.changes[e.changed].before


# ---- Rules ---------------------------------------------------------------------------------------
#
# The constraints of a model as rules, and what follows from each of them.
#
# Every local constraint is a *rule*: an allowed number of its literals is true. Each vertex and
# each face with a clue counts its edges; counts, shapes and clauses are rules over edges, visited
# vertices and auxiliary variables. Where the true and the unknown literals leave only one value for
# an unknown one, it gets this value. *Paths* below have what follows from connectivity.
#
# Everything learned holds in every solution that has the assumed literals.

cdef enum:
    IN_MASK = 62  # literals of a rule whose numbers are bits of one word
    MOST = 1 << 27  # variables, and rules


cdef struct Rule:
    int32_t *literals  # what it counts
    int32_t size  # how many literals
    uint64_t allowed  # the mask of numbers of true ones, unless they are more than `IN_MASK`
    int32_t *least  # else for each number up to size + 1, the least allowed one from there on


cdef struct Lines:
    Plane plane
    int num_variables  # the edges, and then visited vertices, auxiliary and other ones, if any
    bint loop  # whether a solution is one cycle, rather than paths between mates
    Rule *rules  # of the vertices, in their order, then of faces that have one, then all others
    int num_rules
    int32_t *literals  # of all rules, in their order
    int32_t *starts  # where the rules of each variable begin in `ruled`, and their end
    int32_t *ruled
    int32_t *mates  # the terminal to be joined to a vertex, or NONE
    Trail trail
    int8_t *counted  # the values that rules count: all, or those from which conclusions are drawn
    Ends ends
    int32_t *chosen  # edges that are on, as far as conclusions are drawn
    int num_chosen
    int closed  # the edge that made the chosen edges a cycle, or NONE
    StopToken watch


cdef inline bint allows(const Rule *rule, int least, int most) noexcept nogil:
    """Whether some number of literals from ``least`` up to ``most`` may be true."""
    if rule.least == NULL:
        return (rule.allowed >> least & (<uint64_t>2 << most - least) - 1) != 0
    return rule.least[least] <= most


cdef inline int open_rule(
    Rule *rule, Arena *arena, int32_t *literals, int size, object allowed
) except -1:
    """Make a rule of ``size`` literals, which allows the numbers of a mask of any length."""
    cdef int number
    rule.literals, rule.size = literals, size
    if size <= IN_MASK:
        rule.allowed = allowed
    else:
        rule.least = <int32_t *>arena_take(arena, <size_t>size + 2, sizeof(int32_t))
        if arena.refused:
            arena_error(arena, "this board")
        rule.least[size + 1] = size + 2
        for number in range(size, -1, -1):
            rule.least[number] = number if allowed >> number & 1 else rule.least[number + 1]
    return 0


cdef inline int state_rule(Lines *b, Arena *arena, int size, object allowed) except -1:
    """Add a rule of the next ``size`` literals."""
    cdef Rule *last = &b.rules[b.num_rules - 1]
    cdef int32_t *literals = last.literals + last.size if b.num_rules else b.literals
    b.num_rules += 1
    return open_rule(last + 1, arena, literals, size, allowed)


cdef inline int take_rules(
    Lines *b, Arena *arena, int64_t variables, size_t rules, size_t literals
) except -1:
    """Allocate for numbers of rules and literals; sets ``arena.refused`` without memory.

    Then state them, and `index_rules`. Raises ``ValueError`` for more than can be numbered.
    """
    if rules >= MOST or variables >= MOST:
        raise ValueError("expected a smaller board")
    b.num_variables, b.num_rules = <int>variables, 0
    b.rules = <Rule *>arena_take(arena, rules, sizeof(Rule))
    b.literals = <int32_t *>arena_take(arena, literals, sizeof(int32_t))
    b.starts = <int32_t *>arena_take(arena, <size_t>variables + 2, sizeof(int32_t))
    b.ruled = <int32_t *>arena_take(arena, literals, sizeof(int32_t))
    return 0


cdef inline int open_lines(Lines *b, Arena *arena, object model, int more_variables) except -1:
    """The rules of a model, whose plane ``b`` has; of its variables nothing is known.

    They are followed by as many more that no rule counts.
    """
    cdef list counts = [] if model.only_masks else list(model.all_counts())
    return open_counts(b, arena, model, model.faces, counts, more_variables)


cdef inline int open_counts(
    Lines *b, Arena *arena, object model, tuple faces, list more, int64_t more_variables
) except -1:
    """The rules of a model as `open_lines`, with these ``faces``, and ``more`` for its counts."""
    cdef Plane *p = &b.plane
    cdef bytes degrees = model.degrees
    cdef tuple free = model.board.free_masks
    cdef int k, i, place, variable, literal
    # As if every face had a rule.
    cdef size_t rules = <size_t>p.num_vertices + p.num_faces + len(more)
    cdef size_t size = 2 * <size_t>p.num_edges + p.face_starts[p.num_faces]
    if len(degrees) != p.num_vertices or not len(faces) == len(free) == p.num_faces:
        raise ValueError("expected a degree mask for each vertex, a count mask for each face")
    for literals, _ in more:
        size += len(literals)
    take_rules(b, arena, model.num_variables + more_variables, rules, size)
    b.mates = <int32_t *>arena_take(arena, p.num_vertices, sizeof(int32_t))
    b.chosen = <int32_t *>arena_take(arena, <size_t>p.num_edges + 1, sizeof(int32_t))
    trail_open(&b.trail, arena, b.num_variables)
    ends_open(&b.ends, arena, p.num_vertices, p.num_edges)
    if arena.refused:
        arena_error(arena, "this board")
    b.counted = b.trail.values
    b.loop, b.closed = model.loop, NONE
    for place in range(2 * p.num_edges):
        b.literals[place] = 2 * p.edges[place]
    for k in range(p.num_vertices):
        state_rule(b, arena, p.starts[k + 1] - p.starts[k], degrees[k])
    place = 2 * p.num_edges
    for k in range(p.num_faces):
        # Most faces without a clue have the very same object.
        if faces[k] is not free[k] and faces[k] != free[k]:
            for i in range(p.face_starts[k], p.face_starts[k + 1]):
                b.literals[place] = 2 * p.face_edges[i]
                place += 1
            state_rule(b, arena, p.face_starts[k + 1] - p.face_starts[k], faces[k])
    for literals, allowed in more:
        for literal in literals:
            variable = (literal if literal > 0 else -literal) - 1
            if not 0 <= variable < b.num_variables:
                raise ValueError("expected literals of the model")
            b.literals[place] = 2 * variable + (literal < 0)
            place += 1
        state_rule(b, arena, <int>len(literals), allowed)
    index_rules(b)
    pair_terminals(b.mates, p.num_vertices, model)
    return 0


cdef inline int pair_terminals(int32_t *mates, int vertices, object model) except -1:
    """Note for each vertex the terminal to be joined to it, or NONE."""
    cdef int64_t one, other
    cdef int k
    for k in range(vertices):
        mates[k] = NONE
    for one, other in model.terminals:
        if not (0 <= one < vertices and 0 <= other < vertices and one != other):
            raise ValueError("expected pairs of vertices of the board")
        if mates[one] != NONE or mates[other] != NONE:
            raise ValueError("expected different terminals")
        mates[one], mates[other] = other, one
    return 0


cdef inline void index_rules(Lines *b) noexcept nogil:
    """For each variable note the rules that count it, in their order."""
    cdef Index index
    cdef int rule, k
    index.start, index.found = b.starts, b.ruled
    for rule in range(b.num_rules):
        for k in range(b.rules[rule].size):
            count_item(&index, b.rules[rule].literals[k] >> 1)
    place_items(&index, b.num_variables)
    for rule in range(b.num_rules):
        for k in range(b.rules[rule].size):
            add_item(&index, b.rules[rule].literals[k] >> 1, rule)


cdef inline void count_literals(const Lines *b, const Rule *rule, int *on, int *unknown) noexcept nogil:
    """How many literals of a rule are true, and how many may still become so."""
    cdef int k
    cdef unsigned int total = 0
    cdef const int32_t *at = rule.literals
    if rule.least == NULL:
        # Without branches, which nothing would predict; most rules on squares have four literals.
        if rule.size == 4:
            total = b.counted[at[0]] + b.counted[at[1]] + b.counted[at[2]] + b.counted[at[3]]
        else:
            for k in range(rule.size):
                total += b.counted[at[k]]
        on[0], unknown[0] = total % UNKNOWN, total // UNKNOWN
        return
    on[0] = unknown[0] = 0
    for k in range(rule.size):
        if b.counted[at[k]] == UNKNOWN:
            unknown[0] += 1
        else:
            on[0] += b.counted[at[k]]


cdef struct Left:  # what a rule leaves to its unknown literals
    bint fits  # anything: it is not broken
    bint may_be_off  # for one of them
    bint may_be_on


cdef inline Left left_by(const Rule *rule, int on, int unknown) noexcept nogil:
    """What a rule leaves open where so many of its literals are true, and so many unknown."""
    cdef uint64_t fits
    cdef Left left
    if rule.least == NULL:
        fits = rule.allowed >> on & (<uint64_t>2 << unknown) - 1
        left.fits = fits != 0
        left.may_be_off, left.may_be_on = fits & (<uint64_t>1 << unknown) - 1 != 0, fits > 1
    else:
        left.fits = allows(rule, on, on + unknown)
        left.may_be_off = allows(rule, on, on + unknown - 1)
        left.may_be_on = allows(rule, on + 1, on + unknown)
    return left


cdef inline bint apply_rule(Lines *b, const Rule *rule, Why why) noexcept nogil:
    """Draw the conclusions of one rule; False if it is broken.

    A variable that stands twice is taken for two until it is known: sound, but less is found.
    """
    cdef int k, literal, on = 0, unknown = 0
    cdef Left left
    count_literals(b, rule, &on, &unknown)
    left = left_by(rule, on, unknown)
    # One branch for both: it is the usual case.
    if left.may_be_off & left.may_be_on:
        return True
    if not left.fits:
        return False
    if unknown:
        for k in range(rule.size):
            literal = rule.literals[k]
            if b.trail.values[literal] == UNKNOWN:
                learn(&b.trail, literal ^ left.may_be_off, why)
    return True


cdef inline Why apply_rules(Lines *b, int variable) noexcept nogil:
    """Draw the conclusions of all rules that count a variable; return the reason of a conflict."""
    cdef int k, number
    for k in range(b.starts[variable], b.starts[variable + 1]):
        number = b.ruled[k]
        if not apply_rule(b, &b.rules[number], Why(RULE, number)):
            return Why(RULE, number)
    return Why(NO_REASON, 0)


cdef inline int explain_rule(
    const Lines *b, const Rule *rule, int forced, int limit, int *out
) noexcept nogil:
    """Write true literals that force a variable, or (``forced`` NONE) break a rule; how many.

    They were known before ``limit``. If as many literals as allowed are true (one more if the rule
    is broken), the forced one is false, whatever the others are. If as many as allowed are false,
    it is true. So these literals suffice. For other rules, all known literals are the reason:
    unknown ones counted as either value when the conclusion was drawn.
    """
    cdef const int8_t *values = b.trail.values
    cdef int k, literal, value, on = 0, off = 0, mine = UNKNOWN, needed = UNKNOWN
    cdef int left = rule.size, found = 0, more = forced == NONE, bottom = 0, top = rule.size
    for k in range(rule.size):
        literal = rule.literals[k]
        value = values[literal]
        if literal >> 1 == forced:
            # Of a variable that stands twice, the first place is the one that was concluded.
            mine = value if mine == UNKNOWN else mine
        elif value != UNKNOWN and b.trail.causes[literal >> 1].place < limit:
            on += value
            off += 1 - value
    # The least and the greatest number that are allowed.
    while bottom <= rule.size and not allows(rule, bottom, bottom):
        bottom += 1
    while top >= 0 and not allows(rule, top, top):
        top -= 1
    if mine != 1 and on >= top + more:
        needed, left = 1, top + more
    elif mine != 0 and off >= rule.size - bottom + more:
        needed, left = 0, rule.size - bottom + more
    for k in range(rule.size):
        literal = rule.literals[k]
        value = values[literal]
        if left == 0:
            break
        if value == UNKNOWN or (needed != UNKNOWN and value != needed) or literal >> 1 == forced:
            continue
        if b.trail.causes[literal >> 1].place < limit:
            out[found] = literal ^ (value == 0)
            found += 1
            left -= 1
    return found


# ---- Paths ---------------------------------------------------------------------------------------
#
# The chosen edges form paths, and each path knows its two ends.
#
# So edges that would close a path, or join terminals of different pairs, are found before a rule
# finds them:
#
# * A cycle is a solution of a loop, and then nothing else is chosen. So an edge that closes a path
#   while another edge is chosen beside it is off; one that closes a path of all chosen edges makes
#   every other edge be off. With terminals no cycle is part of a solution.
# * A path between two terminals joins a pair.
#
# One path between two terminals becomes a loop by a virtual edge between them that is always
# chosen: see `close_ends`.

cdef inline int take_next(Lines *b) noexcept nogil:
    """The next literal of the trail from which conclusions are to be drawn."""
    cdef int literal = b.trail.literals[b.trail.done]
    b.trail.done += 1
    b.counted[literal], b.counted[literal ^ 1] = 1, 0
    if is_line(b, literal):
        b.chosen[b.num_chosen] = literal >> 1
        b.num_chosen += 1
    return literal


cdef inline bint is_line(const Lines *b, int literal) noexcept nogil:
    """Whether a literal says that an edge is on."""
    return literal < 2 * b.plane.num_edges and literal & 1 == 0


cdef inline void forget(Lines *b, int known) noexcept nogil:
    """Undo all literals after the given number of first ones, and their conclusions."""
    cdef int place, literal
    for place in range(known, b.trail.done):
        literal = b.trail.literals[place]
        b.counted[literal] = b.counted[literal ^ 1] = UNKNOWN
    part_paths(&b.ends, known)
    while b.num_chosen and place_of(b, b.chosen[b.num_chosen - 1]) >= known:
        b.num_chosen -= 1
    if place_of(b, b.closed) >= known:
        b.closed = NONE
    unlearn(&b.trail, known)


cdef inline int place_of(const Lines *b, int edge) noexcept nogil:
    """Where an edge that is known is on the trail; NONE for the edge between two ends, or none."""
    return NONE if edge == NONE else b.trail.causes[edge].place


cdef inline void close_ends(Lines *b, int one, int other) noexcept nogil:
    """Make a path between two ends a loop, before anything is known."""
    b.loop = True
    b.mates[one], b.mates[other] = NONE, NONE
    b.ends.paths[one].end, b.ends.paths[other].end = other, one
    b.ends.paths[one].length = b.ends.paths[other].length = 1
    b.chosen[0] = NONE
    b.num_chosen = 1


cdef inline Why close_path(Lines *b, int edge, int length) noexcept nogil:
    """Draw the conclusions of a cycle with a number of chosen edges; return a conflict."""
    cdef int other
    if not b.loop or b.num_chosen != length:
        return Why(CYCLE, b.trail.done)
    b.closed = edge
    for other in range(b.plane.num_edges):
        if b.trail.values[2 * other] == UNKNOWN:
            learn(&b.trail, 2 * other + 1, Why(WHOLE, 0))
    return Why(NO_REASON, 0)


cdef inline void part_ends(Lines *b, int here, int terminal) noexcept nogil:
    """Exclude edges from here that join the path of a terminal to that of another pair."""
    cdef int k, edge, far
    for k in range(b.plane.starts[here], b.plane.starts[here + 1]):
        edge = b.plane.edges[k]
        if b.trail.values[2 * edge] == UNKNOWN:
            far = b.ends.paths[far_end(&b.plane, edge, here)].end
            if b.mates[far] != NONE and b.mates[far] != terminal:
                learn(&b.trail, 2 * edge + 1, Why(APART, b.trail.done))


cdef inline Why join(Lines *b, int edge) noexcept nogil:
    """Draw the conclusions of the paths from an edge that is on; return the reason of a conflict.

    The edge is the one taken last from the trail.
    """
    cdef int one = b.plane.ends[2 * edge], other = b.plane.ends[2 * edge + 1]
    cdef int start = b.ends.paths[one].end, end = b.ends.paths[other].end, length, k, between
    if b.closed != NONE:
        return Why(WHOLE, 0)
    if start == other:
        return close_path(b, edge, b.ends.paths[one].length + 1)
    if b.mates[start] != NONE and b.mates[end] != NONE and b.mates[start] != end:
        return Why(APART, b.trail.done)
    length = merge_paths(&b.ends, b.trail.done - 1, one, other)
    if not b.loop or b.num_chosen > length:
        for k in range(b.plane.starts[start], b.plane.starts[start + 1]):
            between = b.plane.edges[k]
            if b.trail.values[2 * between] == UNKNOWN and far_end(&b.plane, between, start) == end:
                learn(&b.trail, 2 * between + 1, Why(CYCLE, b.trail.done))
    if b.mates[start] != NONE:
        part_ends(b, end, start)
    if b.mates[end] != NONE:
        part_ends(b, start, end)
    return Why(NO_REASON, 0)


# ---- Clauses -------------------------------------------------------------------------------------
#
# Clauses that each watch two of their literals, and are visited when one of these becomes false.
#
# So a clause whose literals are all false but one is found without visiting other clauses
# (Moskewicz et al., Chaff, DAC 2001). The watches of a literal are a list; a watch is twice its
# clause, and one more for the second literal.

cdef enum:
    MOST_ITEMS = 1 << 30  # of an array that grows


cdef struct Clause:
    int start  # where its literals begin
    int width  # how many these are; 0 if it was removed
    int glue  # levels in it when it was learned; 0 if it was not
    int32_t next[2]  # the next watch after that of its first literal, of its second
    int saved  # where a literal that is not false was found last


cdef struct Clauses:
    Clause *items
    int number  # how many
    int room  # how many there is room for
    int32_t *literals  # of all clauses
    int num_literals
    int most_literals  # how many there is room for
    int32_t *first  # by literal: its first watch, or NONE
    int32_t *last  # its last one, if new watches come last; NULL if they come first
    int spared  # a literal that is not learned, or NONE
    int refuted  # 1 + a clause of which all but that literal are false, or 0


cdef inline void *grown(
    Arena *arena, void *items, int *room, int64_t needed, size_t size
) noexcept nogil:
    """Allocate items of a size with half as many spare ones; NULL without memory."""
    cdef int64_t more = min(room[0] + room[0] // 2, <int64_t>MOST_ITEMS)
    cdef void *moved
    if needed <= room[0]:
        return items
    if needed > MOST_ITEMS:
        return NULL
    if more > needed:
        moved = arena_grow(arena, items, more, size)
        if moved != NULL:
            room[0] = <int>more
            return moved
    moved = arena_grow(arena, items, needed, size)
    if moved != NULL:
        room[0] = <int>needed
    return moved


cdef inline void open_clauses(
    Clauses *c, Arena *arena, int variables, int room, int literals, bint in_order
) noexcept nogil:
    """Allocate for a number of variables; sets ``arena.refused`` without memory.

    ``in_order``, the older of two clauses is looked at first, and the first of two literals.
    """
    cdef int literal
    c.room, c.most_literals = room, literals
    c.items = <Clause *>arena_take(arena, room, sizeof(Clause))
    c.literals = <int32_t *>arena_take(arena, literals, sizeof(int32_t))
    c.first = <int32_t *>arena_take(arena, 2 * <size_t>variables, sizeof(int32_t))
    if in_order:
        c.last = <int32_t *>arena_take(arena, 2 * <size_t>variables, sizeof(int32_t))
    c.spared = NONE
    if not arena.refused:
        for literal in range(2 * variables):
            c.first[literal] = NONE


cdef inline bint has_room(Clauses *c, Arena *arena, int number, int literals) noexcept nogil:
    """Reserve memory for more clauses and literals; false without memory."""
    cdef int64_t needed = <int64_t>c.number + number
    cdef Clause *items = NULL
    cdef int32_t *moved
    if needed <= MOST:
        items = <Clause *>grown(arena, c.items, &c.room, needed, sizeof(Clause))
    if items == NULL:
        return False
    c.items = items
    moved = <int32_t *>grown(
        arena, c.literals, &c.most_literals, <int64_t>c.num_literals + literals, sizeof(int32_t)
    )
    if moved == NULL:
        return False
    c.literals = moved
    return True


cdef inline int store_clause(Clauses *c, const int32_t *literals, int width) noexcept nogil:
    """Store a clause, for which there must be room, and which is not watched yet; its number.

    The literals may be some that were stored before, further behind.
    """
    cdef Clause *clause = &c.items[c.number]
    cdef int k
    clause.start, clause.width, clause.glue, clause.saved = c.num_literals, width, 0, 2
    for k in range(width):
        c.literals[c.num_literals + k] = literals[k]
    c.num_literals += width
    c.number += 1
    return c.number - 1


cdef inline void add_watch(Clauses *c, int node) noexcept nogil:
    cdef Clause *clause = &c.items[node >> 1]
    cdef int literal = c.literals[clause.start + (node & 1)]
    if c.last == NULL:
        clause.next[node & 1] = c.first[literal]
        c.first[literal] = node
        return
    clause.next[node & 1] = NONE
    if c.first[literal] == NONE:
        c.first[literal] = node
    else:
        c.items[c.last[literal] >> 1].next[c.last[literal] & 1] = node
    c.last[literal] = node


cdef inline void watch_clause(Clauses *c, int number) noexcept nogil:
    """Watch the first two literals of a clause, if it has two."""
    add_watch(c, 2 * number)
    add_watch(c, 2 * number + 1)


cdef inline bint find_watch(Clauses *c, const Trail *t, Clause *clause, int mine) noexcept nogil:
    """Put a literal that is not false in the place of a watched one; whether there is any."""
    cdef int32_t *literals = c.literals + clause.start
    cdef int k, place = clause.saved if c.last == NULL else 2
    for k in range(clause.width - 2):
        if place >= clause.width:
            place -= clause.width - 2
        if t.values[literals[place]] != 0:
            literals[mine], literals[place] = literals[place], literals[mine]
            clause.saved = place
            return True
        place += 1
    return False


cdef inline int visit_clauses(Clauses *c, Trail *t, int literal) noexcept nogil:
    """Learn from the clauses that watch a literal which has become false; NONE, or a broken one."""
    cdef int32_t *slot = &c.first[literal]
    cdef int node = slot[0], before = NONE, mine, other, value, following
    cdef Clause *clause
    while node >= 0:
        clause, mine = &c.items[node >> 1], node & 1
        following = clause.next[mine]
        if clause.width:
            other = c.literals[clause.start + 1 - mine]
            value = t.values[other]
            if value == 1 or not find_watch(c, t, clause, mine):
                if value == 0:
                    return node >> 1
                if value == UNKNOWN and other == c.spared:
                    c.refuted = (node >> 1) + 1
                elif value == UNKNOWN:
                    learn(t, other, Why(CLAUSE, node >> 1))
                before = node
                slot = &clause.next[mine]
                node = following
                continue
        # It leaves the list.
        slot[0] = following
        if c.last != NULL and following == NONE:
            c.last[literal] = before
        if clause.width:
            add_watch(c, node)
        node = following
    return NONE
