"""What follows from the constraints of a model and some edges: unit propagation, lines that join.

Every local constraint is a *rule*: of its literals, so many are true. Each vertex and each face
with a clue counts its edges; counts, shapes and clauses are rules over edges, visited vertices and
auxiliary variables. Where the true and the unknown literals leave but one value for an unknown one,
it gets that. Besides, the chosen edges form paths, and each path knows its two ends. That tells the
edges that would close a path, or join the ends of two pairs of terminals, before a rule does:

* A cycle is a solution of a loop, and then nothing else is chosen. So an edge that closes a path
  while another edge is chosen beside it is off; one that closes a path of all chosen edges makes
  every other edge be off. With terminals no cycle is part of a solution.
* A path between two terminals joins a pair.

All that is learned holds in every solution that has the edges assumed.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, uint64_t
from libc.string cimport memset

from linkoracle.board.plane cimport Plane, far_end
from linkoracle.core.arena cimport Arena, arena_error, arena_take
from linkoracle.core.watch cimport Watch, watch_stops

cdef enum:
    UNKNOWN = 64  # more than `IN_MASK`, so that a sum of values tells how many are unknown
    NO_MATE = -1
    IN_MASK = 62  # literals of a rule whose numbers are bits of one word


cdef struct Rule:
    int32_t *literals  # what it counts: twice the variable, and one more for "not"
    int32_t size  # how many literals
    uint64_t allowed  # the mask of numbers of true ones, unless they are more than `IN_MASK`
    int32_t *least  # else for each number up to size + 1, the least allowed one from there on


cdef struct Path:
    int32_t end  # the other end of the path of chosen edges that ends in this vertex, or itself
    int32_t length  # its edges


cdef struct Change:
    int32_t vertex  # whose path was changed
    Path before  # what it was


cdef struct Board:
    Plane plane
    int num_variables  # the edges, and then visited vertices and auxiliary ones, if any
    bint loop  # whether a solution is one cycle, rather than paths between mates
    Rule *rules  # of the vertices, in their order, then of faces that have one, then all others
    int num_rules
    int32_t *literals  # of all rules, in their order
    int32_t *starts  # where the rules of each variable begin in `ruled`, and their end
    int32_t *ruled
    int32_t *mates  # the terminal to be joined to a vertex, or NO_MATE
    int8_t *values  # of each literal: 0, 1, or UNKNOWN
    int32_t *trail  # variables that are known, in the order in which they became so
    int known  # how many these are
    int done  # from how many of them conclusions are drawn
    Path *paths  # by vertex; of use for ends of paths only
    Change *changes  # of paths, while something is assumed
    int changed  # how many these are
    int chosen  # edges that are part of paths or of the cycle
    bint assuming  # whether a value is assumed
    bint closed  # whether the chosen edges are a cycle
    Watch watch


cdef inline bint allows(const Rule *rule, int least, int most) noexcept nogil:
    """Whether some number of literals from ``least`` up to ``most`` may be true."""
    if rule.least == NULL:
        return (rule.allowed >> least & (<uint64_t>2 << most - least) - 1) != 0
    return rule.least[least] <= most


cdef inline int state_rule(Board *b, Arena *arena, int size, object allowed) except -1:
    """Add a rule of the next ``size`` literals, which allows the numbers of a mask of any length."""
    cdef Rule *rule = &b.rules[b.num_rules]
    cdef int number
    rule.literals = b.literals
    if b.num_rules:
        rule.literals = rule[-1].literals + rule[-1].size
    rule.size = size
    b.num_rules += 1
    if size <= IN_MASK:
        rule.allowed = allowed
        return 0
    rule.least = <int32_t *>arena_take(arena, <size_t>size + 2, sizeof(int32_t))
    if arena.refused:
        arena_error(arena, "stating the rules")
    rule.least[size + 1] = size + 2
    for number in range(size, -1, -1):
        rule.least[number] = number if allowed >> number & 1 else rule.least[number + 1]
    return 0


cdef inline int board_open(Board *b, Arena *arena, object model) except -1:
    """The rules of a model, whose plane ``b`` has; of its variables nothing is known."""
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
    b.num_variables = model.num_variables
    b.rules = <Rule *>arena_take(arena, rules, sizeof(Rule))
    b.literals = <int32_t *>arena_take(arena, size, sizeof(int32_t))
    b.starts = <int32_t *>arena_take(arena, <size_t>b.num_variables + 1, sizeof(int32_t))
    b.ruled = <int32_t *>arena_take(arena, size, sizeof(int32_t))
    b.mates = <int32_t *>arena_take(arena, p.num_vertices, sizeof(int32_t))
    b.values = <int8_t *>arena_take(arena, 2 * <size_t>b.num_variables, sizeof(int8_t))
    b.trail = <int32_t *>arena_take(arena, b.num_variables, sizeof(int32_t))
    b.paths = <Path *>arena_take(arena, p.num_vertices, sizeof(Path))
    # A chosen edge changes the paths of two vertices.
    b.changes = <Change *>arena_take(arena, 2 * <size_t>p.num_edges, sizeof(Change))
    if arena.refused:
        arena_error(arena, "stating the rules")
    memset(b.values, UNKNOWN, 2 * <size_t>b.num_variables)
    for place in range(2 * p.num_edges):
        b.literals[place] = 2 * p.edges[place]
    for k in range(p.num_vertices):
        b.mates[k] = NO_MATE
        b.paths[k].end = k
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
    return 0


cdef inline void index_rules(Board *b) noexcept nogil:
    """For each variable note the rules that count it, in their order."""
    cdef int rule, k, variable
    for rule in range(b.num_rules):
        for k in range(b.rules[rule].size):
            b.starts[(b.rules[rule].literals[k] >> 1) + 1] += 1
    for variable in range(b.num_variables):
        b.starts[variable + 1] += b.starts[variable]
    for rule in range(b.num_rules - 1, -1, -1):
        for k in range(b.rules[rule].size):
            variable = b.rules[rule].literals[k] >> 1
            b.starts[variable + 1] -= 1
            b.ruled[b.starts[variable + 1]] = rule
    # Now the ends stand where the starts belong.
    k = 0
    for rule in range(b.num_rules):
        k += b.rules[rule].size
    for variable in range(b.num_variables):
        b.starts[variable] = b.starts[variable + 1]
    b.starts[b.num_variables] = k


cdef inline void learn(Board *b, int variable, int value) noexcept nogil:
    b.values[2 * variable], b.values[2 * variable + 1] = value, 1 - value
    b.trail[b.known] = variable
    b.known += 1


cdef inline bint apply_rule(Board *b, const Rule *rule) noexcept nogil:
    """Draw the conclusions of one rule; False at a conflict.

    A variable that stands twice is taken for two until it is known: sound, but less is found.
    """
    cdef int k, literal, on = 0, unknown = 0
    cdef unsigned int total = 0
    cdef const int32_t *at = rule.literals
    if rule.least == NULL:
        # Without branches, which nothing would predict; most rules on squares have four literals.
        if rule.size == 4:
            total = b.values[at[0]] + b.values[at[1]] + b.values[at[2]] + b.values[at[3]]
        else:
            for k in range(rule.size):
                total += b.values[at[k]]
        on, unknown = total % UNKNOWN, total // UNKNOWN
    else:
        for k in range(rule.size):
            if b.values[rule.literals[k]] == UNKNOWN:
                unknown += 1
            else:
                on += b.values[rule.literals[k]]
    if unknown == 0:
        return allows(rule, on, on)
    cdef bint may_be_off = allows(rule, on, on + unknown - 1)
    cdef bint may_be_on = allows(rule, on + 1, on + unknown)
    if may_be_off and may_be_on:
        return True
    if not may_be_off and not may_be_on:
        return False
    for k in range(rule.size):
        literal = rule.literals[k]
        if b.values[literal] == UNKNOWN:
            learn(b, literal >> 1, may_be_on ^ literal & 1)
    return True


cdef inline void set_path(Board *b, int vertex, int end, int length) noexcept nogil:
    if b.assuming:
        b.changes[b.changed].vertex = vertex
        b.changes[b.changed].before = b.paths[vertex]
        b.changed += 1
    b.paths[vertex].end = end
    b.paths[vertex].length = length


cdef inline bint close_path(Board *b, int length) noexcept nogil:
    """Draw the conclusions of a cycle of so many chosen edges; False at a conflict."""
    cdef int edge
    if not b.loop or b.chosen != length:
        return False
    b.closed = True
    for edge in range(b.plane.num_edges):
        if b.values[2 * edge] == UNKNOWN:
            learn(b, edge, 0)
    return True


cdef inline void part_ends(Board *b, int here, int terminal) noexcept nogil:
    """No edge from here joins a path from a terminal to one from a terminal that is no mate."""
    cdef int k, edge, far
    for k in range(b.plane.starts[here], b.plane.starts[here + 1]):
        edge = b.plane.edges[k]
        if b.values[2 * edge] == UNKNOWN:
            far = b.paths[far_end(&b.plane, edge, here)].end
            if b.mates[far] != NO_MATE and b.mates[far] != terminal:
                learn(b, edge, 0)


cdef inline bint join(Board *b, int edge) noexcept nogil:
    """Draw the conclusions of the lines from an edge that is on; False at a conflict."""
    cdef int one = b.plane.ends[2 * edge], other = b.plane.ends[2 * edge + 1]
    cdef int start = b.paths[one].end, end = b.paths[other].end
    cdef int length = b.paths[one].length + b.paths[other].length + 1
    cdef int k, between
    if b.closed:
        return False
    b.chosen += 1
    if start == other:
        return close_path(b, b.paths[one].length + 1)
    if b.mates[start] != NO_MATE and b.mates[end] != NO_MATE and b.mates[start] != end:
        return False
    set_path(b, start, end, length)
    set_path(b, end, start, length)
    if not b.loop or b.chosen > length:
        for k in range(b.plane.starts[start], b.plane.starts[start + 1]):
            between = b.plane.edges[k]
            if b.values[2 * between] == UNKNOWN and far_end(&b.plane, between, start) == end:
                learn(b, between, 0)
    if b.mates[start] != NO_MATE:
        part_ends(b, end, start)
    if b.mates[end] != NO_MATE:
        part_ends(b, start, end)
    return True


cdef inline bint propagate(Board *b) noexcept nogil:
    """Draw all conclusions from the trail; False at a conflict, or when it is stopped."""
    cdef int known, k
    while b.done < b.known:
        if watch_stops(&b.watch):
            return False
        known = b.trail[b.done]
        if known < b.plane.num_edges and b.values[2 * known] == 1 and not join(b, known):
            return False
        for k in range(b.starts[known], b.starts[known + 1]):
            if not apply_rule(b, &b.rules[b.ruled[k]]):
                return False
        b.done += 1
    return True
