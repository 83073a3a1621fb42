"""The constraints of a model as rules, and what follows from each of them.

Every local constraint is a *rule*: an allowed number of its literals is true. Each vertex and each
face with a clue counts its edges; counts, shapes and clauses are rules over edges, visited vertices
and auxiliary variables. Where the true and the unknown literals leave only one value for an unknown
one, it gets this value. `linkoracle.lines.paths` has what follows from the connectivity constraint.

Everything learned holds in every solution that has the assumed literals.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

from linkoracle.board.plane cimport Plane
from linkoracle.core.arena cimport Arena, arena_error, arena_take
from linkoracle.core.index cimport Index, add_item, count_item, place_items
from linkoracle.core.watch cimport StopToken
from linkoracle.lines.ends cimport Ends, ends_open
from linkoracle.lines.trail cimport NONE, UNKNOWN, Trail, learn, trail_open

cdef enum:
    IN_MASK = 62  # literals of a rule whose numbers are bits of one word
    MOST = 1 << 27  # variables, and rules: reasons are eight times that

#: Kinds of reasons; a reason is its kind plus `KINDS` times an index.
cdef enum:
    RULE  # the rule of this index
    FACE  # the number of a face, or another one
    SIDE  # an edge is as in the known solution iff the faces beside it are
    CLAUSE  # the clause of this index
    CYCLE  # this edge would close a path, after a number of conclusions
    APART  # this edge joins ends of different pairs, after a number of conclusions
    WHOLE  # a path has closed and is the whole solution, without this edge
    KINDS = 8


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
    cdef Plane *p = &b.plane
    cdef bytes degrees = model.degrees
    cdef tuple faces = model.faces, free = model.board.free_masks
    cdef list more = [] if model.only_masks else list(model.all_counts())
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


cdef inline int apply_rule(Lines *b, const Rule *rule, int reason) noexcept nogil:
    """Draw the conclusions of one rule; NONE, or its ``reason`` if it is broken.

    A variable that stands twice is taken for two until it is known: sound, but less is found.
    """
    cdef int k, literal, on = 0, unknown = 0
    cdef uint64_t fits
    cdef bint may_be_off, may_be_on
    count_literals(b, rule, &on, &unknown)
    if rule.least == NULL:
        fits = rule.allowed >> on & (<uint64_t>2 << unknown) - 1
        may_be_off, may_be_on = fits & (<uint64_t>1 << unknown) - 1 != 0, fits > 1
    else:
        fits = allows(rule, on, on + unknown)
        may_be_off, may_be_on = allows(rule, on, on + unknown - 1), allows(rule, on + 1, on + unknown)
    # One branch for both: it is the usual case.
    if may_be_off & may_be_on:
        return NONE
    if not fits:
        return reason
    if unknown:
        for k in range(rule.size):
            literal = rule.literals[k]
            if b.trail.values[literal] == UNKNOWN:
                learn(&b.trail, literal ^ may_be_off, reason)
    return NONE


cdef inline int apply_rules(Lines *b, int variable) noexcept nogil:
    """Draw the conclusions of all rules that count a variable; NONE, or the reason of a conflict."""
    cdef int k, number
    for k in range(b.starts[variable], b.starts[variable + 1]):
        number = b.ruled[k]
        if apply_rule(b, &b.rules[number], RULE + KINDS * number) != NONE:
            return RULE + KINDS * number
    return NONE


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
