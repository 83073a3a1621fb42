"""`Steps`: deduction for any model by techniques of its rules, step by step.

`linkoracle.deduce.deduction` says what the steps mean to a player. The rules of a model, what is
known of its variables, and the paths of its lines are those of `linkoracle.lines`. Players and
engines differ in two ways. A conclusion takes its turn in a queue and counts only from then on: so
what one use of a rule yields is one step, and the steps that wait are the choice that a player has.
And a loop that misses a vertex, or leaves out a line, closes too early, before any rule shows it.
All that is in `steps.pxd`.

Contents
    Cases        all ways to satisfy the rules of a clue, with what each forces beside it
    Whole lines  even crossings, and exits: what follows from the shape of the open graph
    Trials       of all open facts; what a trial rests on, so that none is repeated in vain
    For Python   `Steps`
"""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memmove, memset

from linkoracle.board.plane_kernel cimport NO_FACE, PlaneArrays, far_end
from linkoracle.core.kernels cimport (
    Arena, arena_close, arena_error, arena_open, arena_take, watch_raise, watch_start, watch_stops
)
from linkoracle.deduce.steps cimport (
    BROKEN, BY_CASES, BY_CLUES, BY_STEP, CASES, CLEAN, CLUES, CROSSING, DECIDED, EXIT, LEVELS, MORE,
    MOST_NODES, NOTHING, NO_LIMIT, NO_MEMORY, OF_CLUE, OF_WHOLE, RATE, SHORT, STOPPED, TIERS, TOO_LONG, TRIAL, Level,
    Link, Lists, Past, Refuted, Round, State, Step, Tally, add_step, apply, begin, conclude, decide,
    follow, gather, length_of, mark_reason, put_all, take_back, unmark_all
)
from linkoracle.lines.lines cimport (
    NONE, NO_REASON, RULE, UNKNOWN, Lines, Rule, Trail, Why, close_ends, grown, open_counts, signed
)

from collections.abc import Collection

from linkoracle.core.limits import Deadline
from linkoracle.core.limits import limit_for


# ---- Cases ---------------------------------------------------------------------------------------
#
# A *group* has the rules of one clue, or of one vertex. All ways to satisfy them are tried, depth
# first: a decision, and what follows from rules that touch the vertices of the group. What all ways
# agree on is true. Mostly nothing is: a few ways show that, if each is made to differ from those
# before wherever it can.

cdef struct Cases:
    int32_t group
    bint wide  # whether rules of clues beside it are applied
    int32_t most  # ways
    int32_t ways
    int32_t nodes
    int32_t start  # on the trail
    bint over


cdef inline bint allows_all(const Rule *rule, int on, int unknown) noexcept nogil:
    """Whether a rule cannot be broken any more."""
    cdef uint64_t every = (<uint64_t>2 << unknown) - 1
    cdef int number
    if rule.least == NULL:
        return (rule.allowed >> on & every) == every
    for number in range(on, on + unknown + 1):
        if rule.least[number] != number:
            return False
    return True


cdef inline int open_literal(const State *s, const Cases *c) noexcept nogil:
    """The first literal of a rule of the group that may still be broken; NONE if none can."""
    cdef int k, j
    cdef Rule *rule
    cdef Tally *tally
    for k in range(s.grouped.starts[c.group], s.grouped.starts[c.group + 1]):
        rule, tally = &s.lines.rules[s.grouped.items[k]], &s.tallies[s.grouped.items[k]]
        if tally.unknown == 0 or allows_all(rule, tally.on, tally.unknown):
            continue
        for j in range(rule.size):
            if s.lines.counted[rule.literals[j]] == UNKNOWN:
                return rule.literals[j]
    return NONE


cdef inline void note_way(State *s, Cases *c) noexcept nogil:
    """Keep the literals that this way has in common with those before."""
    cdef Trail *t = &s.lines.trail
    cdef int k, literal, kept = 0
    c.ways += 1
    if c.ways == 1:
        for k in range(c.start, t.done):
            literal = t.literals[k]
            if literal >> 1 < s.shown:
                s.agreed[kept] = literal
                s.agrees[literal] = True
                kept += 1
    else:
        for k in range(s.num_agreed):
            literal = s.agreed[k]
            if s.lines.counted[literal] == 1:
                s.agreed[kept] = literal
                kept += 1
            else:
                s.agrees[literal] = False
    s.num_agreed = kept
    c.over = kept == 0 or c.ways > c.most


cdef void branch(State *s, Cases *c) noexcept nogil:
    """Go through all ways from here."""
    cdef int literal = open_literal(s, c), side, known = s.lines.trail.done
    if literal == NONE:
        note_way(s, c)
        return
    literal ^= s.agrees[literal]
    for side in range(2):
        c.nodes += 1
        c.over = c.over or c.nodes > MOST_NODES
        if c.over:
            return
        if decide(s, literal ^ side, NO_LIMIT).kind == NO_REASON:
            branch(s, c)
        take_back(s, known)


cdef inline void note_near(State *s, const Cases *c) noexcept nogil:
    """Mark the rules that the cases apply."""
    cdef int k
    s.cases += 1
    for k in range(s.near.starts[c.group], s.near.starts[c.group + 1]):
        s.nearby[s.near.items[k]] = s.cases
    if c.wide:
        for k in range(s.around.starts[c.group], s.around.starts[c.group + 1]):
            s.nearby[s.around.items[k]] = s.cases


cdef inline Round try_cases(State *s, Cases *c) noexcept nogil:
    """Go through all ways to satisfy the group; what they agree on is in `agreed` then.

    The rules to apply are marked: see `note_near`. `MORE` if that may be something, but the ways
    are too many.
    """
    cdef bint records = s.records, touching = s.touching
    cdef int k
    c.ways, c.nodes, c.start, c.over = 0, 0, s.lines.trail.done, False
    s.num_agreed = 0
    if open_literal(s, c) == NONE:
        return NOTHING
    s.records, s.touching, s.is_near = False, False, True
    branch(s, c)
    s.records, s.touching, s.is_near = records, touching, False
    for k in range(s.num_agreed):
        s.agrees[s.agreed[k]] = False
    if c.over:
        k = s.num_agreed
        s.num_agreed = 0
        return MORE if k or c.ways == 0 else NOTHING
    if c.ways == 0:
        return BROKEN
    return DECIDED if s.num_agreed else NOTHING


cdef inline Why take_agreed(State *s, Why why) noexcept nogil:
    """Conclude what all ways agree on, and let it take its turn; return a conflict."""
    cdef int k
    for k in range(s.num_agreed):
        conclude(s, s.agreed[k], why)
    return follow(s, NO_LIMIT)


cdef inline bint yields(State *s, Cases *c, const int32_t *literals, int number) noexcept nogil:
    """Whether the cases of a group yield these literals, with counts before and after them."""
    cdef int k
    cdef Why why = Why(NO_REASON, 0)
    cdef Round came
    s.is_near = True
    for k in range(s.lines.num_rules):
        if why.kind == NO_REASON and s.nearby[k] == s.cases and not apply(s, k):
            why = Why(RULE, k)
    if why.kind == NO_REASON:
        why = follow(s, NO_LIMIT)
    s.is_near = False
    came = BROKEN if why.kind != NO_REASON else try_cases(s, c)
    for k in range(s.lines.num_rules):
        # What fills cells around it belongs to the step.
        if s.sorts[k] < OF_CLUE:
            s.nearby[k] = s.cases
    s.is_near = True
    if came != BROKEN and take_agreed(s, Why(NO_REASON, 0)).kind != NO_REASON:
        came = BROKEN
    s.is_near = False
    for k in range(number):
        if came != BROKEN and s.lines.counted[literals[k]] != 1:
            return False
    return True


cdef inline Round cases_of_tier(State *s, int tier) noexcept nogil:
    """Try the cases of all groups where something changed, with so many ways at most."""
    cdef int *ways = [2, 4, 12, 24]
    cdef int *following = [1, 2, 3, 4, 5, 6, 7, CLEAN]
    cdef Cases c
    cdef Round came
    cdef Why why
    cdef int group, k, found = 0, step
    cdef uint8_t failed = 4 if tier < 4 and s.allowed >> CLUES & 1 else CLEAN
    c.most, c.wide = ways[tier % 4], tier >= 4
    for group in range(s.num_groups):
        if s.tiers[group] > tier:
            continue
        if watch_stops(&s.lines.watch):
            return STOPPED
        c.group = group
        note_near(s, &c)
        came = try_cases(s, &c)
        if came == BROKEN:
            return BROKEN
        s.tiers[group] = <uint8_t>following[tier] if came == MORE else failed
        if came == DECIDED:
            s.tiers[group] = <uint8_t>tier
            s.found[found] = group
            found += 1
    for k in range(found):
        c.group = s.found[k]
        note_near(s, &c)
        came = try_cases(s, &c)
        s.tiers[c.group] = failed
        if came != DECIDED:
            continue
        why = Why(BY_CLUES if c.wide else BY_CASES, c.group)
        step = s.current = add_step(s, CLUES if c.wide else CASES, why.kind, why.index)
        s.steps[step].ways, s.steps[step].choices = c.ways, found - k
        if take_agreed(s, why).kind != NO_REASON:
            return BROKEN
    return DECIDED if found else NOTHING


# ---- Whole lines ---------------------------------------------------------------------------------
#
# A loop crosses the border of any area an even number of times, and a path an odd number of times
# if one of its ends is inside. So where an edge alone joins two parts of the graph of unknown edges,
# it is a bridge and its value follows from the lines that are known. A loop stays within one block
# of the graph of all edges that are not excluded: it cannot come back through the vertex by which
# it left (Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1, 1972). Where a
# clue says which side of the loop it is on, known edges and such clues show the sides of faces.

cdef inline void enter(State *s, int vertex, int edge, int number) noexcept nogil:
    """Begin the search at a vertex that was reached by an edge."""
    s.order[vertex] = s.low[vertex] = number
    s.into[vertex], s.at[vertex] = edge, s.lines.plane.starts[vertex]


cdef inline Round find_bridges(State *s) noexcept nogil:
    """Find the bridges among the unknown edges, and their values; in `found`."""
    cdef Lines *b = &s.lines
    cdef int root, vertex, edge, far, k, depth, entered = 0
    memset(s.odd, 0, b.plane.num_vertices)
    s.num_found = 0
    for k in range(s.num_terminals):
        s.odd[s.terminals[k]] = True
    for k in range(b.num_chosen):
        if b.chosen[k] != NONE:
            s.odd[b.plane.ends[2 * b.chosen[k]]] ^= True
            s.odd[b.plane.ends[2 * b.chosen[k] + 1]] ^= True
    for vertex in range(b.plane.num_vertices):
        s.order[vertex] = NONE
    for root in range(b.plane.num_vertices):
        if s.order[root] != NONE:
            continue
        enter(s, root, NONE, entered)
        entered += 1
        depth, s.path[0] = 0, root
        while depth >= 0:
            vertex = s.path[depth]
            if s.at[vertex] < b.plane.starts[vertex + 1]:
                edge = b.plane.edges[s.at[vertex]]
                s.at[vertex] += 1
                if b.counted[2 * edge] != UNKNOWN or edge == s.into[vertex]:
                    continue
                far = far_end(&b.plane, edge, vertex)
                if s.order[far] == NONE:
                    enter(s, far, edge, entered)
                    entered += 1
                    depth += 1
                    s.path[depth] = far
                else:
                    s.low[vertex] = min(s.low[vertex], s.order[far])
                continue
            depth -= 1
            if depth < 0:
                if s.odd[vertex]:
                    return BROKEN
                continue
            if s.low[vertex] == s.order[vertex]:
                s.found[s.num_found] = 2 * s.into[vertex] + (not s.odd[vertex])
                s.num_found += 1
            s.low[s.path[depth]] = min(s.low[s.path[depth]], s.low[vertex])
            s.odd[s.path[depth]] ^= s.odd[vertex]
    return DECIDED if s.num_found else NOTHING


cdef inline uint64_t mixed(uint64_t number) noexcept nogil:
    """Return a random-looking word for a number (SplitMix64: Steele et al., OOPSLA 2014)."""
    number = (number + 1) * <uint64_t>0x9E3779B97F4A7C15
    number = (number ^ number >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    number = (number ^ number >> 27) * <uint64_t>0x94D049BB133111EB
    return number ^ number >> 31


cdef inline void label_edges(State *s) noexcept nogil:
    """Label the unknown edges so that two with one label leave a part of the board together.

    After `find_bridges`, whose searches `order` and `into` describe. An edge outside the tree has a
    word of its own, and one of the tree the sum of those that lead past it: a cut has the sum 0.
    (Pritchard and Thurimella, Fast computation of small cuts via cycle space sampling, ACM Trans.
    Algorithms 7, 2011.)
    """
    cdef Lines *b = &s.lines
    cdef int edge, vertex, far, place, one, other
    memset(s.sums, 0, b.plane.num_vertices * sizeof(uint64_t))
    for edge in range(b.plane.num_edges):
        s.labels[edge] = 0
        one, other = b.plane.ends[2 * edge], b.plane.ends[2 * edge + 1]
        if b.counted[2 * edge] == UNKNOWN and s.into[one] != edge and s.into[other] != edge:
            s.labels[edge] = mixed(edge)
            s.sums[one] ^= s.labels[edge]
            s.sums[other] ^= s.labels[edge]
    for vertex in range(b.plane.num_vertices):
        s.path[s.order[vertex]] = vertex
    for place in range(b.plane.num_vertices - 1, -1, -1):
        vertex = s.path[place]
        edge = s.into[vertex]
        if edge != NONE:
            far = far_end(&b.plane, edge, vertex)
            s.labels[edge] = s.sums[vertex]
            s.sums[far] ^= s.sums[vertex]


cdef inline bint is_odd_below(const State *s, int edge) noexcept nogil:
    """Whether the part of the search below an edge has an odd number of ends of lines."""
    cdef int k, vertex
    for k in range(2):
        vertex = s.lines.plane.ends[2 * edge + k]
        if s.into[vertex] == edge:
            return s.odd[vertex]
    return False


cdef inline Round leave_by_two(State *s) noexcept nogil:
    """Decide two edges that alone lead out of an area, where a rule refutes one of their two ways.

    Both are lines or neither is, or just one. Each by itself breaks no rule: else trials say so.
    """
    cdef Lines *b = &s.lines
    cdef int one, other, way, first, second, start = b.trail.done
    cdef bint odd
    cdef Why why, alone
    if find_bridges(s) != NOTHING:
        return NOTHING
    label_edges(s)
    for one in range(b.plane.num_edges):
        if s.labels[one] == 0:
            continue
        if watch_stops(&b.watch):
            return STOPPED
        for other in range(one + 1, b.plane.num_edges):
            if s.labels[other] != s.labels[one]:
                continue
            odd = is_odd_below(s, one) ^ is_odd_below(s, other)
            for way in range(2):
                first, second = 2 * one + way, 2 * other + (way ^ odd)
                s.records = False
                alone = decide(s, first, SHORT)
                why = Why(NO_REASON, 0)
                if alone.kind == NO_REASON and b.counted[second] == UNKNOWN:
                    why = decide(s, second, SHORT)
                elif alone.kind == NO_REASON and b.counted[second] == 0:
                    why = Why(BY_STEP, 0)
                s.records = True
                if why.kind != NO_REASON and why.kind != TOO_LONG:
                    s.current = add_step(s, EXIT, BY_STEP, one)
                    s.steps[s.current].other = other
                    s.steps[s.current].length = length_of(s, why, start) if why.kind != BY_STEP else 1
                    take_back(s, start)
                    conclude(s, first ^ 1, Why(BY_STEP, s.current))
                    conclude(s, second ^ 1, Why(BY_STEP, s.current))
                    return DECIDED if follow(s, NO_LIMIT).kind == NO_REASON else BROKEN
                take_back(s, start)
            # The next of a chain of cuts may say more.
            break
    return NOTHING


cdef inline int side_of(State *s, int face, bint *apart) noexcept nogil:
    """The root of a face; ``apart`` changes if that is on the other side."""
    while s.parents[face] != face:
        if s.parents[s.parents[face]] != s.parents[face]:
            # Halve the way.
            s.differs[face] ^= s.differs[s.parents[face]]
            s.parents[face] = s.parents[s.parents[face]]
        apart[0] ^= s.differs[face]
        face = s.parents[face]
    return face


cdef inline bint compare(State *s, Link link) noexcept nogil:
    """Note that two faces are on one side, or not; False if that is known to be wrong."""
    cdef bint apart = link.apart
    cdef int one = side_of(s, link.one, &apart), other = side_of(s, link.other, &apart)
    if one == other:
        return not apart
    s.parents[one], s.differs[one] = other, apart
    return True


cdef inline Link across(const State *s, int edge) noexcept nogil:
    """The faces beside an edge."""
    cdef const int32_t *faces = &s.lines.plane.faces[2 * edge]
    cdef int outside = s.lines.plane.num_faces
    return Link(
        outside if faces[0] == NO_FACE else faces[0],
        outside if faces[1] == NO_FACE else faces[1],
        s.lines.counted[2 * edge] == 1,
    )


cdef inline Round find_sides(State *s) noexcept nogil:
    """Find the unknown edges whose faces are known to be on one side of the loop, or not."""
    cdef int k, edge
    cdef bint apart
    cdef Link link
    s.num_found = 0
    for k in range(s.lines.plane.num_faces + 1):
        s.parents[k], s.differs[k] = k, False
    for k in range(s.num_links):
        if not compare(s, s.links[k]):
            return BROKEN
    for edge in range(s.lines.plane.num_edges):
        if s.lines.counted[2 * edge] != UNKNOWN and not compare(s, across(s, edge)):
            return BROKEN
    for edge in range(s.lines.plane.num_edges):
        if s.lines.counted[2 * edge] == UNKNOWN:
            link, apart = across(s, edge), False
            if side_of(s, link.one, &apart) == side_of(s, link.other, &apart):
                s.found[s.num_found] = 2 * edge + (not apart)
                s.num_found += 1
    return DECIDED if s.num_found else NOTHING


cdef inline Round cross(State *s) noexcept nogil:
    """Decide all bridges, and then what follows from the sides that clues show."""
    cdef Round came = find_bridges(s)
    cdef int k, literal
    if came == NOTHING and s.num_links:
        came = find_sides(s)
    if came != DECIDED:
        return came
    came = NOTHING
    for k in range(s.num_found):
        literal = s.found[k]
        if s.lines.trail.values[literal] == UNKNOWN:
            s.current = add_step(s, CROSSING, BY_STEP, literal >> 1)
            s.steps[s.current].choices = s.num_found - k
            conclude(s, literal, Why(BY_STEP, s.current))
            if follow(s, NO_LIMIT).kind != NO_REASON:
                return BROKEN
            came = DECIDED
    return came


cdef inline int edge_at(const State *s, int vertex, int k) noexcept nogil:
    """An edge of a vertex that is not excluded, by its place, or NONE.

    Behind the last one is that between the ends of a single path.
    """
    cdef const Lines *b = &s.lines
    if k < b.plane.starts[vertex + 1]:
        return NONE if b.counted[2 * b.plane.edges[k]] == 0 else b.plane.edges[k]
    if b.loop and s.num_terminals and (vertex == s.terminals[0] or vertex == s.terminals[1]):
        return b.plane.num_edges
    return NONE


cdef inline int end_of(const State *s, int edge, int vertex) noexcept nogil:
    """The other end of an edge, which may be that between the ends of a single path."""
    if edge == s.lines.plane.num_edges:
        return s.terminals[0] + s.terminals[1] - vertex
    return far_end(&s.lines.plane, edge, vertex)


cdef inline void find_blocks(State *s) noexcept nogil:
    """Number the blocks of the graph of edges that are not excluded: in `block_of`."""
    cdef Lines *b = &s.lines
    cdef int root, vertex, edge, far, depth, entered = 0, stacked = 0, blocks = 0
    for vertex in range(b.plane.num_vertices):
        s.order[vertex] = NONE
    for edge in range(b.plane.num_edges + 1):
        s.block_of[edge] = NONE
    for root in range(b.plane.num_vertices):
        if s.order[root] != NONE:
            continue
        enter(s, root, NONE, entered)
        entered += 1
        depth, s.path[0] = 0, root
        while depth >= 0:
            vertex = s.path[depth]
            if s.at[vertex] <= b.plane.starts[vertex + 1]:
                edge = edge_at(s, vertex, s.at[vertex])
                s.at[vertex] += 1
                if edge == NONE or edge == s.into[vertex]:
                    continue
                far = end_of(s, edge, vertex)
                if s.order[far] == NONE:
                    s.edges[stacked] = edge
                    stacked += 1
                    enter(s, far, edge, entered)
                    entered += 1
                    depth += 1
                    s.path[depth] = far
                elif s.order[far] < s.order[vertex]:
                    s.edges[stacked] = edge
                    stacked += 1
                    s.low[vertex] = min(s.low[vertex], s.order[far])
                continue
            depth -= 1
            if depth < 0:
                continue
            if s.low[vertex] >= s.order[s.path[depth]]:
                while True:
                    stacked -= 1
                    s.block_of[s.edges[stacked]] = blocks
                    if s.edges[stacked] == s.into[vertex]:
                        break
                blocks += 1
            s.low[s.path[depth]] = min(s.low[s.path[depth]], s.low[vertex])


cdef inline int block_of_loop(const State *s) noexcept nogil:
    """The block in which the loop is, or NONE if that is unknown."""
    cdef const Lines *b = &s.lines
    cdef int vertex, k, edge, block
    if b.num_chosen:
        edge = b.chosen[b.num_chosen - 1]
        return s.block_of[b.plane.num_edges if edge == NONE else edge]
    for vertex in range(b.plane.num_vertices):
        block = NONE
        if s.must[vertex]:
            for k in range(b.plane.starts[vertex], b.plane.starts[vertex + 1]):
                edge = edge_at(s, vertex, k)
                if edge == NONE or s.block_of[edge] == block:
                    continue
                if block != NONE:
                    block = NONE
                    break
                block = s.block_of[edge]
            if block != NONE:
                return block
    return NONE


cdef inline Round leave_out(State *s) noexcept nogil:
    """Exclude all edges outside the block of the loop: one step for each part that hangs together."""
    cdef Lines *b = &s.lines
    cdef int edge, vertex, far, k, depth, first, block, parts = 0, before = s.num_steps
    find_blocks(s)
    block = block_of_loop(s)
    if block == NONE:
        return NOTHING
    memset(s.odd, 0, b.plane.num_vertices)
    for edge in range(b.plane.num_edges):
        if s.block_of[edge] == block:
            s.odd[b.plane.ends[2 * edge]] = s.odd[b.plane.ends[2 * edge + 1]] = True
        elif b.counted[2 * edge] == 1:
            return BROKEN
    if s.block_of[b.plane.num_edges] == block:
        s.odd[s.terminals[0]] = s.odd[s.terminals[1]] = True
    for first in range(b.plane.num_edges):
        if s.block_of[first] == NONE or s.block_of[first] == block:
            continue
        depth = 0
        for k in range(2):
            s.path[depth] = b.plane.ends[2 * first + k]
            if not s.odd[s.path[depth]]:
                s.odd[s.path[depth]] = True
                depth += 1
        s.current = add_step(s, EXIT, BY_STEP, first)
        parts += 1
        while depth:
            depth -= 1
            vertex = s.path[depth]
            for k in range(b.plane.starts[vertex], b.plane.starts[vertex + 1]):
                edge = b.plane.edges[k]
                if s.block_of[edge] != NONE:
                    s.block_of[edge] = NONE
                    conclude(s, 2 * edge + 1, Why(BY_STEP, s.current))
                    far = far_end(&b.plane, edge, vertex)
                    if not s.odd[far]:
                        s.odd[far] = True
                        s.path[depth] = far
                        depth += 1
    for k in range(before, s.num_steps):
        s.steps[k].choices = parts
    if parts == 0:
        return NOTHING
    return DECIDED if follow(s, NO_LIMIT).kind == NO_REASON else BROKEN


# ---- Trials --------------------------------------------------------------------------------------
#
# A trial decides one literal, and follows until a rule is broken. It rests on the rules that count
# the variables that it decides, and on those of the ends of paths that it joins: another line there
# changes the path. So a trial that broke no rule is repeated only after a step changed one of these.
# A trial with cases rests on what may change these, too. Where a path has all lines it rests on all
# rules, and so does a path between one of several pairs.
#
# The items of a trial stand behind its literal and their number. Where a literal was tried again,
# its former items are garbage until the next steps.

cdef inline bint note_past(State *s, int literal, int start, int joined) noexcept nogil:
    """Note what a trial rests on that broke no rule: from a place on the trail on, and paths.

    False if memory is full.
    """
    cdef Lines *b = &s.lines
    cdef Past *past = &s.past[literal]
    cdef int size = b.trail.done - start + b.ends.changed - joined + s.num_cased, place
    cdef int32_t *item
    past.start, past.size = NONE, NONE
    if s.whole or s.parted:
        return True
    item = <int32_t *>grown(
        &s.arena, s.items, &s.most_items, <int64_t>s.num_items + 2 + size, sizeof(int32_t)
    )
    if item == NULL:
        return False
    s.items = item
    item += s.num_items
    item[0], item[1] = literal, size
    past.start, past.size = s.num_items, size
    s.num_items += 2 + size
    item += 2
    for place in range(start, b.trail.done):
        item[0] = b.trail.literals[place] >> 1
        item += 1
    for place in range(joined, b.ends.changed):
        item[0] = b.num_variables + b.ends.changes[place].vertex
        item += 1
    for place in range(s.num_cased):
        item[0] = b.num_variables + b.plane.num_vertices + s.cased[place]
        item += 1
    return True


cdef inline bint is_changed(const State *s, int item) noexcept nogil:
    """Whether the last steps change a rule of an item."""
    cdef int k
    if item >= s.lines.num_variables:
        item -= s.lines.num_variables
        if item >= s.lines.plane.num_vertices:
            return s.affected[item - s.lines.plane.num_vertices]
        # The first rules are those of vertices.
        return s.changed[item]
    for k in range(s.lines.starts[item], s.lines.starts[item + 1]):
        if s.changed[s.uses[k] >> 1]:
            return True
    return False


cdef inline void note_changes(State *s) noexcept nogil:
    """Mark the rules that steps changed since the last trials, and at the changes of paths."""
    cdef Lines *b = &s.lines
    cdef int place, variable, k
    memset(s.changed, 0, b.num_rules)
    memset(s.affected, 0, s.num_groups)
    for place in range(s.noted, b.trail.done):
        variable = b.trail.literals[place] >> 1
        for k in range(s.seen.starts[variable], s.seen.starts[variable + 1]):
            s.affected[s.seen.items[k]] = True
        for k in range(b.starts[variable], b.starts[variable + 1]):
            s.changed[s.uses[k] >> 1] = True
    for place in range(s.joined, b.ends.changed):
        s.changed[b.ends.changes[place].vertex] = True
    s.noted, s.joined = b.trail.done, b.ends.changed


cdef inline void forget_trials(State *s) noexcept nogil:
    """Forget the trials that rest on a rule which the last steps changed."""
    cdef int literal, place = 0, kept = 0, size, k
    cdef int32_t *item
    cdef bint goes
    for literal in range(2 * s.shown):
        if s.whole or s.past[literal].size == NONE:
            s.past[literal].level, s.past[literal].ended = 0, False
    while place < s.num_items:
        item = s.items + place
        literal, size = item[0], item[1]
        if s.past[literal].level and s.past[literal].start == place:
            goes = False
            for k in range(2, size + 2):
                if is_changed(s, item[k]):
                    goes = True
                    break
            if goes:
                s.past[literal].level, s.past[literal].ended = 0, False
            else:
                memmove(s.items + kept, item, (<size_t>size + 2) * sizeof(int32_t))
                s.past[literal].start = kept
                kept += size + 2
        place += size + 2
    s.num_items = kept


cdef inline Why try_touched(State *s, Level level, int start) noexcept nogil:
    """Take the cases of what a trial touches as far as they lead; return a conflict."""
    cdef Cases c
    cdef Round came
    cdef Why why
    cdef int kind = BY_CLUES if level.wide else BY_CASES
    c.most, c.wide = level.ways, level.wide
    while s.num_touched:
        s.num_touched -= 1
        c.group = s.touched[s.num_touched]
        s.is_touched[c.group] = False
        if not s.is_cased[c.group]:
            s.is_cased[c.group] = True
            s.cased[s.num_cased] = c.group
            s.num_cased += 1
        note_near(s, &c)
        came = try_cases(s, &c)
        if came == BROKEN:
            return Why(kind, c.group)
        if came == DECIDED:
            why = take_agreed(s, Why(kind, c.group))
            if why.kind != NO_REASON:
                return why
            if s.lines.trail.done - start > level.limit:
                return Why(TOO_LONG, 0)
    return Why(NO_REASON, 0)


cdef inline void forget_touched(State *s) noexcept nogil:
    while s.num_touched:
        s.num_touched -= 1
        s.is_touched[s.touched[s.num_touched]] = False
    while s.num_cased:
        s.num_cased -= 1
        s.is_cased[s.cased[s.num_cased]] = False


cdef inline bint make_trial(State *s, int literal, int number, Level level) noexcept nogil:
    """Try a literal; what is refuted is added to `refuted`. False without memory."""
    cdef int start = s.lines.trail.done, joined = s.lines.ends.changed
    cdef Refuted *refuted = &s.refuted[s.num_refuted]
    cdef Past *past = &s.past[literal]
    cdef Why why
    cdef bint fits = True
    s.whole = False
    s.records, s.touching = False, level.ways > 0
    why = decide(s, literal, level.limit)
    if why.kind == NO_REASON and s.touching:
        why = try_touched(s, level, start)
    s.records, s.touching = True, False
    past.level = <uint8_t>(number + 1)
    if why.kind == NO_REASON or why.kind == TOO_LONG:
        past.ended = why.kind == NO_REASON
        fits = note_past(s, literal, start, joined)
    else:
        refuted.length, refuted.literal = length_of(s, why, start), literal ^ 1
        refuted.why = why
        s.num_refuted += 1
    forget_touched(s)
    take_back(s, start)
    return fits


cdef int by_length(const void *one, const void *other) noexcept nogil:
    """Compare refuted literals: shorter trials first, then by variable, the last crosses first."""
    cdef const Refuted *a = <const Refuted *>one
    cdef const Refuted *b = <const Refuted *>other
    if a.length != b.length:
        return a.length - b.length
    return signed(a.literal) - signed(b.literal)


cdef inline Round take_refuted(State *s) noexcept nogil:
    """Apply the next result of the last trials that is still open, the shortest first."""
    cdef Refuted *refuted
    cdef Step *step
    while s.next_refuted < s.num_refuted:
        refuted = &s.refuted[s.next_refuted]
        s.next_refuted += 1
        if s.lines.counted[refuted.literal] != UNKNOWN:
            continue
        s.current = add_step(s, TRIAL, refuted.why.kind, refuted.why.index)
        step = &s.steps[s.current]
        step.length, step.choices = refuted.length, s.next_refuted
        conclude(s, refuted.literal, Why(BY_STEP, s.current))
        return DECIDED if follow(s, NO_LIMIT).kind == NO_REASON else BROKEN
    return NOTHING


cdef inline Round trials_of_level(State *s, int number, Level level) noexcept nogil:
    """Try open literals; leave in `waiting` those that were not refuted."""
    cdef int k, literal, left = 0
    cdef Past *past
    for k in range(s.num_waiting):
        literal = s.waiting[k]
        if watch_stops(&s.lines.watch):
            return STOPPED
        if s.lines.counted[literal] != UNKNOWN:
            continue
        past = &s.past[literal]
        if past.level <= number and not (past.ended and level.ways == 0):
            if not make_trial(s, literal, number, level):
                return NO_MEMORY
        s.waiting[left] = literal
        left += 1
    s.num_waiting = left
    if s.num_refuted == 0:
        return NOTHING
    qsort(s.refuted, s.num_refuted, sizeof(Refuted), by_length)
    return take_refuted(s)


cdef inline Round try_all(State *s) noexcept nogil:
    """Try all open facts, each level where those before it find nothing."""
    cdef Level *levels = [
        Level(4, 0, False), Level(10, 0, False), Level(25, 0, False), Level(40, 4, False),
        Level(NO_LIMIT, 0, False), Level(NO_LIMIT, 12, False), Level(NO_LIMIT, 12, True),
    ]
    cdef int literal, k
    cdef bint cases = s.allowed >> CASES & 1, clues = s.allowed >> CLUES & 1
    cdef Round found = NOTHING
    note_changes(s)
    forget_trials(s)
    s.num_waiting = 0
    for literal in range(2 * s.shown):
        if s.lines.starts[literal >> 1] < s.lines.starts[(literal >> 1) + 1]:
            s.waiting[s.num_waiting] = literal
            s.num_waiting += 1
    s.num_refuted = s.next_refuted = 0
    for k in range(LEVELS):
        if found == NOTHING and (cases or levels[k].ways == 0) and (clues or not levels[k].wide):
            found = trials_of_level(s, k, levels[k])
    return found


cdef inline Round advance(State *s) noexcept nogil:
    """Make the steps that the easiest technique finds, and what counts yield after them."""
    cdef Round came = NOTHING
    cdef int tier
    for tier in range(TIERS):
        if came == NOTHING and s.allowed >> (CASES if tier < 4 else CLUES) & 1:
            came = cases_of_tier(s, tier)
        if tier == 0:
            if came == NOTHING and s.allowed >> CROSSING & 1 and s.even:
                came = cross(s)
            if came == NOTHING and s.allowed >> EXIT & 1 and s.lines.loop:
                came = leave_out(s)
    if came == NOTHING and s.allowed >> EXIT & 1 and s.even:
        came = leave_by_two(s)
    if came == NOTHING and s.allowed >> TRIAL & 1:
        came = take_refuted(s)
        if came == NOTHING:
            came = try_all(s)
    return came


cdef inline bint weigh(State *s, const uint8_t *solution) noexcept nogil:
    """Count what each open edge decides with its value in a solution; False if stopped before.

    The literals are in `waiting`, and in `found` how many each decides.
    """
    cdef int edge, literal, start = s.lines.trail.done
    s.num_waiting = 0
    s.records = False
    for edge in range(s.lines.plane.num_edges):
        if watch_stops(&s.lines.watch):
            s.records = True
            return False
        literal = 2 * edge + (not solution[edge])
        if s.lines.counted[literal] != UNKNOWN:
            continue
        decide(s, literal, NO_LIMIT)
        s.waiting[s.num_waiting], s.found[s.num_waiting] = literal, s.lines.trail.done - start
        s.num_waiting += 1
        take_back(s, start)
    s.records = True
    return True


# ---- For Python ----------------------------------------------------------------------------------

cdef int order_edges(Lines *b, object board) except -1:
    """Give the rule of each vertex its edges in the order of the board, which is around it."""
    cdef int vertex, k
    cdef Rule *rule
    cdef list edges
    for vertex in range(b.plane.num_vertices):
        rule, edges = &b.rules[vertex], list(board.edges_at(vertex))
        if sorted(edges) != [rule.literals[k] >> 1 for k in range(rule.size)]:
            raise ValueError("expected the edges of each vertex")
        for k in range(rule.size):
            rule.literals[k] = 2 * <int>edges[k]
    return 0


cdef int take_lists(Lists *lists, Arena *arena, list numbers, int most) except -1:
    """Copy lists of numbers below a bound."""
    cdef int key, at = 0
    lists.starts = <int32_t *>arena_take(arena, len(numbers) + 1, sizeof(int32_t))
    lists.items = <int32_t *>arena_take(arena, sum(map(len, numbers)), sizeof(int32_t))
    if arena.refused:
        arena_error(arena, "the deduction")
    for key in range(len(numbers)):
        lists.starts[key] = at
        for number in numbers[key]:
            if not 0 <= number < most:
                raise ValueError("expected numbers of rules")
            lists.items[at] = number
            at += 1
    lists.starts[len(numbers)] = at
    return 0


cdef list beside(State *s):
    """Return for each group the variables that its cases may change: those at vertices it touches.

    A group touches the ends of its edges, and its visited vertices.
    """
    cdef Lines *b = &s.lines
    cdef int group, k, i, j, variable, edges = b.plane.num_edges, vertex
    cdef Rule *rule
    cdef set touched, variables
    cdef list found = []
    for group in range(s.num_groups):
        touched, variables = set(), set()
        for k in range(s.grouped.starts[group], s.grouped.starts[group + 1]):
            rule = &b.rules[s.grouped.items[k]]
            for i in range(rule.size):
                variable = rule.literals[i] >> 1
                variables.add(variable)
                if variable < edges:
                    touched.add(b.plane.ends[2 * variable])
                    touched.add(b.plane.ends[2 * variable + 1])
                elif variable < s.shown:
                    touched.add(variable - edges)
        for vertex in touched:
            for j in range(b.plane.starts[vertex], b.plane.starts[vertex + 1]):
                variables.add(b.plane.edges[j])
            if edges + vertex < s.shown:
                variables.add(edges + vertex)
        found.append(variables)
    return found


cdef int take_groups(State *s, Arena *arena, list groups) except -1:
    """Note the rules of each group, those near to it, and which groups a variable may change."""
    cdef Lines *b = &s.lines
    cdef list variables, near = [], around = [], seen = [[] for _ in range(b.num_variables)]
    cdef int group, k, variable, number
    cdef set rules, others
    s.num_groups = <int>len(groups)
    take_lists(&s.grouped, arena, groups, b.num_rules)
    variables = beside(s)
    for group in range(s.num_groups):
        rules, others = set(groups[group]), set()
        for variable in variables[group]:
            seen[variable].append(group)
            for k in range(b.starts[variable], b.starts[variable + 1]):
                number = s.uses[k] >> 1
                if s.sorts[number] >= OF_CLUE:
                    others.add(number)
                else:
                    rules.add(number)
        near.append(sorted(rules))
        around.append(sorted(others - rules))
    take_lists(&s.near, arena, near, b.num_rules)
    take_lists(&s.around, arena, around, b.num_rules)
    take_lists(&s.seen, arena, seen, s.num_groups)
    s.tiers = <uint8_t *>arena_take(arena, s.num_groups, 1)
    s.touched = <int32_t *>arena_take(arena, s.num_groups, sizeof(int32_t))
    s.is_touched = <uint8_t *>arena_take(arena, s.num_groups, 1)
    s.cased = <int32_t *>arena_take(arena, s.num_groups, sizeof(int32_t))
    s.is_cased = <uint8_t *>arena_take(arena, s.num_groups, 1)
    s.affected = <uint8_t *>arena_take(arena, s.num_groups, 1)
    s.nearby = <int32_t *>arena_take(arena, b.num_rules, sizeof(int32_t))
    s.stamps = <int32_t *>arena_take(arena, <size_t>b.num_rules + s.num_groups, sizeof(int32_t))
    return 0


cdef class Steps:
    """What is known of the edges and vertices of a `LinkModel`, and the steps that led there.

    ``counts`` are the rules behind those of vertices and faces, ``sorts`` what states each of them
    (0 a vertex, 1 the definition of a visited one, 2 the kind, 3 a clue, 4 the kind, by
    auxiliary variables), ``groups`` the numbers of
    the rules of each clue, ``techniques`` the bits of those to use, ``fixed`` the literals of given
    and forbidden edges, and of marks, ``links`` what clues say of two faces (see `Rules`).

    Methods that may take long have a deadline, at which they raise `SearchTimeout`: the steps until
    then stay. Raises ``RuntimeError`` if two threads use one object at the same time, and
    `MemoryLimit`.
    """

    cdef PlaneArrays arrays  # of the board's plane
    cdef State state
    cdef bint busy

    def __cinit__(
        self,
        model: LinkModel,
        list counts: list[tuple[tuple[int, ...], int]],
        bytes sorts,
        list groups: list[list[int]],
        uint64_t techniques: int,
        list fixed: list[int],
        list links: list[tuple[int, int, bool]],
    ):
        cdef State *s = &self.state
        cdef Lines *b = &s.lines
        cdef Arena *arena = &s.arena
        cdef int k, number, variable, edges, vertices, first
        cdef size_t every, most
        arena_open(arena, limit_for(model.board.num_edges))
        self.arrays = model.board.plane
        b.plane = self.arrays.plane
        edges, vertices = b.plane.num_edges, b.plane.num_vertices
        k = max(0, edges + vertices - model.num_variables)
        open_counts(b, arena, model, model.faces, counts, k)
        order_edges(b, model.board)
        s.shown, s.allowed = edges + vertices, techniques
        first = b.num_rules - len(counts)
        if len(sorts) != len(counts):
            raise ValueError("expected what states each rule")
        every = b.num_variables
        most = max(2 * every + 2, len(groups))
        s.uses = <int32_t *>arena_take(arena, b.starts[b.num_variables], sizeof(int32_t))
        s.tallies = <Tally *>arena_take(arena, b.num_rules, sizeof(Tally))
        s.sorts = <uint8_t *>arena_take(arena, b.num_rules, 1)
        s.fixed = <int32_t *>arena_take(arena, len(fixed), sizeof(int32_t))
        s.holes = <uint8_t *>arena_take(arena, vertices, 1)
        s.terminals = <int32_t *>arena_take(arena, 2 * len(model.terminals), sizeof(int32_t))
        s.must = <uint8_t *>arena_take(arena, vertices, 1)
        s.met = <int32_t *>arena_take(arena, <size_t>edges + 2, sizeof(int32_t))
        s.steps = <Step *>arena_take(arena, every + 1, sizeof(Step))
        s.step_of = <int32_t *>arena_take(arena, every, sizeof(int32_t))
        s.later = <uint8_t *>arena_take(arena, every, 1)
        s.marked = <uint8_t *>arena_take(arena, every, 1)
        s.marks = <int32_t *>arena_take(arena, every, sizeof(int32_t))
        s.reasons = <int *>arena_take(arena, most, sizeof(int))
        s.agreed = <int32_t *>arena_take(arena, every, sizeof(int32_t))
        s.agrees = <uint8_t *>arena_take(arena, 2 * every, 1)
        s.order = <int32_t *>arena_take(arena, vertices, sizeof(int32_t))
        s.low = <int32_t *>arena_take(arena, vertices, sizeof(int32_t))
        s.path = <int32_t *>arena_take(arena, <size_t>vertices + 2, sizeof(int32_t))
        s.into = <int32_t *>arena_take(arena, vertices, sizeof(int32_t))
        s.at = <int32_t *>arena_take(arena, vertices, sizeof(int32_t))
        s.odd = <uint8_t *>arena_take(arena, vertices, 1)
        s.edges = <int32_t *>arena_take(arena, <size_t>edges + 1, sizeof(int32_t))
        s.block_of = <int32_t *>arena_take(arena, <size_t>edges + 1, sizeof(int32_t))
        s.labels = <uint64_t *>arena_take(arena, <size_t>edges + 1, sizeof(uint64_t))
        s.sums = <uint64_t *>arena_take(arena, vertices, sizeof(uint64_t))
        s.found = <int32_t *>arena_take(arena, most, sizeof(int32_t))
        s.waiting = <int32_t *>arena_take(arena, 2 * <size_t>s.shown, sizeof(int32_t))
        s.refuted = <Refuted *>arena_take(arena, 2 * <size_t>s.shown, sizeof(Refuted))
        s.past = <Past *>arena_take(arena, 2 * <size_t>s.shown, sizeof(Past))
        s.changed = <uint8_t *>arena_take(arena, b.num_rules, 1)
        b.counted = <int8_t *>arena_take(arena, 2 * every, 1)
        if arena.refused:
            arena_error(arena, "the deduction")
        memset(b.counted, UNKNOWN, 2 * every)
        # Like `Lines.ruled`, with signs. Until then `marks` counts the rules of each variable.
        for number in range(b.num_rules):
            s.tallies[number].unknown = b.rules[number].size
            for k in range(b.rules[number].size):
                variable = b.rules[number].literals[k] >> 1
                s.uses[b.starts[variable] + s.marks[variable]] = (
                    2 * number + (b.rules[number].literals[k] & 1)
                )
                s.marks[variable] += 1
        for number in range(vertices, first):
            s.sorts[number] = OF_CLUE
        for k in range(len(counts)):
            s.sorts[first + k] = sorts[k]
        s.links = <Link *>arena_take(arena, len(links), sizeof(Link))
        s.parents = <int32_t *>arena_take(arena, <size_t>b.plane.num_faces + 1, sizeof(int32_t))
        s.differs = <uint8_t *>arena_take(arena, <size_t>b.plane.num_faces + 1, 1)
        if arena.refused:
            arena_error(arena, "the deduction")
        for one, other, apart in links:
            if not (0 <= one <= b.plane.num_faces and 0 <= other <= b.plane.num_faces):
                raise ValueError("expected faces of the board")
            s.links[s.num_links] = Link(one, other, apart)
            s.num_links += 1
        take_groups(s, arena, groups)
        if arena.refused:
            arena_error(arena, "the deduction")
        for pair in model.terminals:
            for end in pair:
                s.terminals[s.num_terminals] = end
                s.num_terminals += 1
        s.parted = s.num_terminals > 2
        s.even = model.loop or s.num_terminals > 0
        if s.num_terminals == 2:
            close_ends(b, s.terminals[0], s.terminals[1])
        for k in range(vertices):
            # The ends of a single path count as visited.
            s.holes[k] = model.degrees[k] == 1
            s.must[k] = not model.degrees[k] & 1 and b.ends.paths[k].length == 0
            s.num_must += s.must[k]
        for literal in fixed:
            s.fixed[s.num_fixed] = self.number(literal)
            s.num_fixed += 1

    def __dealloc__(self):
        arena_close(&self.state.arena)

    cdef int number(self, object literal) except -1:
        """The number of a literal of a fact."""
        if not 0 < abs(literal) <= self.state.shown:
            raise ValueError("expected literals of edges and vertices")
        return 2 * (<int>abs(literal) - 1) + (literal < 0)

    cdef int check_free(self) except -1:
        if self.busy:
            raise RuntimeError("a deduction serves one thread at a time")
        return 0

    cdef int start(self, object deadline) except -1:
        """Begin work that ends with `finish`."""
        self.check_free()
        deadline.check()
        self.busy = True
        watch_start(&self.state.lines.watch, deadline.seconds, RATE)
        return 0

    cdef int finish(self, object deadline) except -1:
        self.busy = False
        return watch_raise(&self.state.lines.watch, deadline)

    def begin(self, deadline: Deadline) -> bool:
        """Deduce what follows by counts and early ends; False if there is no solution."""
        cdef bint fits
        self.start(deadline)
        with nogil:
            fits = begin(&self.state)
        self.finish(deadline)
        return fits

    def advance(self, deadline: Deadline) -> bool | None:
        """Make the easiest steps; return whether there are any, ``None`` if a rule is broken then.

        O(facts) trials at worst; those that broke no rule before are repeated only where it helps.
        """
        cdef Round found
        self.start(deadline)
        with nogil:
            found = advance(&self.state)
        self.finish(deadline)
        if found == NO_MEMORY:
            arena_error(&self.state.arena, "the deduction")
        return None if found == BROKEN else found == DECIDED

    def guesses(self, solution: Collection[int], deadline: Deadline) -> list[int]:
        """Return the literals of the open edges in a solution, those that decide most first."""
        cdef bytearray on = bytearray(self.state.lines.plane.num_edges)
        cdef const uint8_t *known = <const uint8_t *>on
        cdef State *s = &self.state
        cdef int k
        for edge in solution:
            on[edge] = 1
        self.start(deadline)
        with nogil:
            weigh(s, known)
        self.finish(deadline)
        weights = {signed(s.waiting[k]): s.found[k] for k in range(s.num_waiting)}
        return sorted(weights, key=lambda literal: (-weights[literal], -literal))

    def take(self, literal: int, technique: int) -> None:
        """Decide an open edge by a technique of the caller, and what follows at once."""
        cdef State *s = &self.state
        cdef int taken = self.number(literal)
        self.check_free()
        if s.lines.counted[taken] != UNKNOWN:
            raise ValueError("expected an open edge")
        s.current = add_step(s, technique, BY_STEP, taken >> 1)
        conclude(s, taken, Why(BY_STEP, s.current))
        follow(s, NO_LIMIT)

    def use(self, techniques: int) -> None:
        """Set the techniques to use from now on, as bits."""
        self.check_free()
        self.state.allowed = techniques

    def followed(self, literal: int) -> list[int] | None:
        """Return all facts that an open one implies by counts and early ends, with those known;
        ``None`` if it breaks a rule."""
        cdef State *s = &self.state
        cdef int tried = self.number(literal), start = s.lines.trail.done, place
        cdef list found = []
        cdef bint fits
        self.check_free()
        s.records = False
        fits = decide(s, tried, NO_LIMIT).kind == NO_REASON
        for place in range(s.lines.trail.done if fits else 0):
            if s.lines.trail.literals[place] >> 1 < s.shown:
                found.append(signed(s.lines.trail.literals[place]))
        take_back(s, start)
        s.records = True
        return found if fits else None

    def premises(self, number: int) -> list[int]:
        """Return literals from which a step follows by the rules that it uses.

        None for steps without such a rule: trials, and steps from whole lines.
        """
        cdef State *s = &self.state
        cdef int k, variable
        cdef list found = []
        if not 0 <= number < s.num_steps:
            raise ValueError("expected a step")
        self.check_free()
        gather(s, number)
        for k in range(s.num_marks):
            variable = s.marks[k]
            if variable < s.shown and s.step_of[variable] != number:
                found.append(signed(2 * variable + (s.lines.counted[2 * variable] != 1)))
        unmark_all(s)
        return sorted(found, key=abs)

    cdef int suppose(self, list known) except -1:
        """Forget all steps, and take these literals for known."""
        cdef State *s = &self.state
        cdef int k, number = min(<int>len(known), 2 * s.shown)
        self.check_free()
        for k in range(number):
            s.waiting[k] = self.number(known[k])
        s.num_steps = 0
        put_all(s, s.waiting, number)
        return 0

    def beside(self, int group) -> list[int]:
        """Return the other groups that have a rule of those beside a group."""
        cdef State *s = &self.state
        cdef int k, other
        cdef set rules
        if not 0 <= group < s.num_groups:
            raise ValueError("expected a group of rules")
        rules = {
            s.around.items[k] for k in range(s.around.starts[group], s.around.starts[group + 1])
        }
        return [
            other
            for other in range(s.num_groups)
            if other != group and any(
                s.grouped.items[k] in rules
                for k in range(s.grouped.starts[other], s.grouped.starts[other + 1])
            )
        ]

    def cases_yield(
        self,
        list known: list[int],
        list groups: list[int],
        list facts: list[int],
        bint ends,
        bint whole,
    ) -> bool:
        """Return whether all ways to satisfy a group yield ``facts``, if only ``known`` is.

        The rules of all these groups are applied, and those of the kind near the first; with ``ends``, early
        ends, too, and with ``whole``, rules that have auxiliary variables. Forgets all steps.
        """
        cdef State *s = &self.state
        cdef Cases c
        cdef bint found
        cdef int k, group, number = min(<int>len(facts), 2 * s.shown)
        if not groups or not all(0 <= one < s.num_groups for one in groups):
            raise ValueError("expected groups of rules")
        self.suppose(known)
        c.group, c.wide, c.most = groups[0], False, NO_LIMIT
        note_near(s, &c)
        for k in range(s.lines.num_rules):
            if whole and s.sorts[k] == OF_WHOLE:
                s.nearby[k] = s.cases
        for group in groups:
            for k in range(s.grouped.starts[group], s.grouped.starts[group + 1]):
                s.nearby[s.grouped.items[k]] = s.cases
        for k in range(number):
            s.waiting[k] = self.number(facts[k])
        s.loose = not ends
        found = yields(s, &c, s.waiting, number)
        s.loose = False
        return found

    def refute(
        self, list known: list[int], int literal, int cases
    ) -> tuple[list[int], list[tuple[int, int, list[int]]]] | None:
        """Return how a literal is refuted, if only ``known`` is; ``None`` if it is not.

        First what of ``known`` that takes, then the rules by which it is done: the kind and the
        index of each, with its conclusions; those of the last one, which is broken, are none.
        Cases are used if ``cases`` is 1, and with rules of clues beside them if it is 2. Forgets all
        steps.
        """
        cdef State *s = &self.state
        cdef Trail *t = &s.lines.trail
        cdef Why why = Why(NO_REASON, 0), cause
        cdef int k, place, variable, start, tried = self.number(literal)
        cdef list premises = [], chain = [], last
        self.suppose(known)
        start = t.done
        s.touching = cases > 0
        conclude(s, tried, why)
        for k in range(s.lines.num_rules):
            # What is known need not have been used so far.
            if why.kind == NO_REASON and not apply(s, k):
                why = Why(RULE, k)
        if why.kind == NO_REASON:
            why = follow(s, NO_LIMIT)
        if why.kind == NO_REASON and cases:
            why = try_touched(s, Level(NO_LIMIT, 24, cases == 2), start)
        forget_touched(s)
        s.touching = False
        if why.kind == NO_REASON:
            return None
        mark_reason(s, why, NONE, t.done)
        last = []
        chain.append((why.kind, why.index, last))
        why = Why(NO_REASON, 0)
        for place in range(t.done - 1, -1, -1):
            variable = t.literals[place] >> 1
            if not s.marked[variable]:
                continue
            cause = t.causes[variable].why
            if cause.kind == NO_REASON:
                if variable < s.shown and place != start:
                    premises.append(signed(t.literals[place]))
                continue
            if cause.kind != why.kind or cause.index != why.index:
                last = []
                chain.append((cause.kind, cause.index, last))
            why = cause
            if variable < s.shown:
                last.append(signed(t.literals[place]))
            mark_reason(s, cause, variable, place)
        unmark_all(s)
        return sorted(premises, key=abs), chain[::-1]

    def made(self) -> list[tuple[int, int, int, int, int, int, int, list[int]]]:
        """Return the steps so far, also those that decide auxiliary variables only.

        Each is the index of its technique; the kind and the index of its reason, and that of a
        second one; the length of a trial; the number of cases; how many steps were open; and the
        literals of what it decides, as in `linkoracle.board.constraints`.
        """
        cdef State *s = &self.state
        cdef Step *step
        cdef int place, literal
        cdef list facts = [[] for _ in range(s.num_steps)]
        for place in range(s.lines.trail.done):
            literal = s.lines.trail.literals[place]
            if literal >> 1 < s.shown and s.step_of[literal >> 1] != NONE:
                facts[s.step_of[literal >> 1]].append(signed(literal))
        return [
            (
                s.steps[place].technique, s.steps[place].kind, s.steps[place].index,
                s.steps[place].other, s.steps[place].length, s.steps[place].ways,
                s.steps[place].choices, facts[place],
            )
            for place in range(s.num_steps)
        ]

    @property
    def values(self) -> list[bool | None]:
        """The value of each edge, ``None`` if unknown."""
        cdef Lines *b = &self.state.lines
        cdef int edge
        return [
            None if b.counted[2 * edge] == UNKNOWN else b.counted[2 * edge] == 1
            for edge in range(b.plane.num_edges)
        ]

    @property
    def num_steps(self) -> int:
        """The number of steps."""
        return self.state.num_steps

    @property
    def open_edges(self) -> int:
        """The number of unknown edges."""
        cdef Lines *b = &self.state.lines
        cdef int edge, unknown = 0
        for edge in range(b.plane.num_edges):
            unknown += b.counted[2 * edge] == UNKNOWN
        return unknown

    @property
    def has_lines(self) -> bool:
        """Whether an edge is known to be on."""
        # A single path has a virtual edge between its ends.
        cdef Lines *b = &self.state.lines
        return b.num_chosen > 0 and b.chosen[b.num_chosen - 1] != NONE

    @property
    def is_complete(self) -> bool:
        """Whether all variables in rules are known, so that no rule can be broken."""
        cdef int number
        for number in range(self.state.lines.num_rules):
            if self.state.tallies[number].unknown:
                return False
        return True
