"""What follows from the literals on the trail of the compiled search, and why it follows.

`linkoracle.search.engine` decides, learns and answers; this file draws conclusions and gives
reasons, and never decides. Each conclusion of a board has its two halves here: the check that
draws it, and the explanation that finds its reason again.

Contents
    State        variables, clues, the trail, the queue, a query, a series
    Propagation  levels, the queue, clues, sides, clauses; all conclusions together
    Reasons      paths that would close, regions that they cannot reach; all reasons together

What the solver calls
    `open_level`, `backtrack`  open a level of the trail; undo all levels above one
    `propagate`                draw all conclusions; return the reason of a conflict
    `explain`                  write the literals from which a conclusion or a conflict follows
    `check_clue`               draw the conclusions of one clue, when a query denies it
    `add_clause`               store a clause, for which there must be room
    `bump`                     let the next decision be about a variable
    `value_of`, `level_of`     whether a literal is true; when its variable became known
"""

from libc.stdint cimport int8_t, int32_t, int64_t

from linkoracle.board.plane_kernel cimport NO_FACE, Plane, far_end
from linkoracle.core.kernels cimport Arena
from linkoracle.lines.lines cimport (
    APART, CLAUSE, CYCLE, FACE, NONE, NO_REASON, RULE, SIDE, UNKNOWN, WHOLE, Clause, Clauses, Lines,
    Rule, Why, allows, apply_rule, apply_rules, count_literals, explain_rule, forget, join, learn,
    store_clause, take_next, visit_clauses, watch_clause
)


# ---- State ----------------------------------------------------------------------------------------
#
# A *clue* is a count of literals that a query may demand: by default of a face, as in the known
# solution. Variables are those of the model, beginning with the edges; then for each clue whether it
# *matches* (the solution has it), then for each face whether it is *flipped* (on another side of the
# loop than in the known solution), then one that belongs to the query. All numbers but counters
# without a bound are 32 bits wide.

#: The constraint of a query on a clue.
cdef enum:
    FREE  # none
    KEPT  # it matches
    DENIED  # it, or another denied clue, does not match

#: Whether a clue is fixed for all later queries.
cdef enum:
    NOT_FIXED
    FIXED_SHOWN
    FIXED_HIDDEN

cdef enum Answer:
    NO_ALTERNATIVE
    ALTERNATIVE
    OPEN  # none yet
    TOO_HARD  # more conflicts than allowed
    STOPPED  # no time, or Ctrl-C
    NO_MEMORY


cdef struct Clue:
    Rule rules[2]  # for another count than allowed, and for one that is
    int literal  # that it matches; a literal of the model, if the clue is just that
    int8_t plain  # whether it is one, so that the rules say nothing more
    int8_t kept  # `FREE`, `KEPT` or `DENIED`
    int8_t soon  # whether one of the next queries is about it
    int8_t base  # whether it is assumed on level 1 as long as that stays
    int8_t fixed  # `NOT_FIXED`, `FIXED_SHOWN` or `FIXED_HIDDEN`
    int64_t changed  # the mark of a list of changes
    int witness  # in a series: the place of its alternative in `flips`, or `NONE`


cdef struct Face:
    int8_t inside  # whether it is inside the cycle of a mark
    int64_t checked  # that mark
    int outwards  # the edge that leads to the next face on a way off the board


cdef struct Variable:
    int8_t known  # the value in the known solution, which is what decisions give
    int8_t seen  # whether the present conflict has come to it
    int assumed  # the clue for which it was last assumed, or `NONE`
    int before  # in the queue, or `NONE`
    int after
    int64_t stamp  # grows along the queue; `NONE` outside
    int64_t mark  # the mark of a walk


cdef struct State:
    # The board.
    Lines lines  # its rules, and the trail
    int matches  # the first variable that says whether a clue matches
    int sides  # and the first that says whether a face is flipped
    int query  # the variable of the query, the last one
    bint sided  # whether each cycle is the border of some faces
    int pairs  # number of paths of a solution, 0 for a loop
    int32_t *ends  # of each path; the ends of a single one are joined by an edge that is always on
    int known_size  # edges of the known solution
    Clue *clue
    int num_clues
    int *clue_starts  # where the clues of each variable of the model begin in `clues_of`
    int *clues_of
    Face *face
    Variable *variable
    int64_t *walked  # by vertex: the mark of a walk
    int *rank  # clues in the order in which they are assumed

    # The trail.
    int visited  # for how many literals sides and clauses were looked at
    int *starts  # by level: how many there were before
    int *differing  # variables of the model, from which conclusions are drawn, that are not as known
    int different  # how many these are

    # The queue, from the end of which decisions are taken.
    int first  # where to look for an open variable
    int last
    int64_t stamp

    # Clauses.
    Clauses clauses
    int *units  # literals that are true for good, but not yet on the trail
    int new_units
    int learned  # clauses since the last reduction
    int limit  # how many of them bring the next
    int64_t cramped  # conflicts when memory last ran out

    # Conflicts.
    int64_t conflicts  # so far
    int64_t restart  # and at the next restart
    int restarts  # in this query, by what `restart_later` counts
    int units_to_restart  # after that
    bint broken  # whether the literals of level 0 contradict each other
    int64_t marks  # given out
    int *touched  # variables that a conflict has come to
    int32_t *learnt  # the clause to be learned
    int *buffer  # literals of a reason
    int *path  # vertices of a walk
    int *steps  # and the edge from each to the next
    int *region  # vertices apart from them
    int *leaving  # edges that leave the path of a walk at a vertex
    int64_t *level_mark  # by level
    int *glues  # clauses by glue, up to `MOST_GLUE`

    # The query.
    int since  # number of clauses when it began
    int asking  # the literal for "one of `denied_clues` changes", or `NONE`
    int assumed  # the next assumption
    int *denied_clues  # clues of which one must change
    int denied  # how many
    bint shaken  # whether level 1 has to be left
    int *core  # clues: the core of "no alternative", or what an alternative changes
    int core_size
    int *flipped  # edges that an alternative flips
    int num_flipped  # how many these are

    # A series of queries.
    int *order  # clues that are tried one after the other
    int trials  # how many
    int next_trial
    int waiting  # the clue that is queried next, or `NONE`
    int batch  # where the present batch ends
    int64_t queries  # so far
    int *flips  # for each needed clue, how many edges its alternative flips, and these
    int flips_size
    int most_flips  # how many there is room for

    Arena arena


# ---- Propagation ----------------------------------------------------------------------------------
#
# The trail of literals, and what follows from it for open variables.
#
# `linkoracle.lines` has the rules of the board and the ends of paths; here are the clues, the sides
# of the line, the clauses and the queue. Functions that draw conclusions return the
# reason of a conflict, if there is one.

# What draws the conclusions of each kind of `Why`, and what finds the reason again:
#
#   RULE    a rule of the board                      `apply_rules`    `explain_rule`
#   FACE    whether a clue matches                   `check_clue`     `explain_clue`
#   SIDE    which faces beside an edge are flipped   `check_side`     `explain_side`
#   CLAUSE  a learned clause, or that of a query     `visit_clauses`  `explain_clause`
#   CYCLE   an edge would close a path               `join`           `explain_cycle`
#   APART   an edge would join ends of two pairs     `join`           `explain_apart`
#   WHOLE   a closed path is the whole solution      `join`           `explain_whole`

cdef inline int value_of(const State *s, int literal) noexcept nogil:
    """1 for a true literal, 0 for a false one, `UNKNOWN` for an open one."""
    return s.lines.trail.values[literal]


cdef inline int level_of(const State *s, int variable) noexcept nogil:
    return s.lines.trail.causes[variable].level


cdef inline int place_of(const State *s, int variable) noexcept nogil:
    return s.lines.trail.causes[variable].place


cdef inline void open_level(State *s) noexcept nogil:
    s.lines.trail.level += 1
    s.starts[s.lines.trail.level] = s.lines.trail.known


cdef inline void backtrack(State *s, int level) noexcept nogil:
    """Undo all levels above this one."""
    if s.lines.trail.level <= level:
        return
    cdef int start = s.starts[level + 1], place, number, first = s.first
    cdef int64_t latest = s.variable[first].stamp
    for place in range(s.lines.trail.known - 1, start - 1, -1):
        number = s.lines.trail.literals[place] >> 1
        if s.variable[number].stamp > latest:
            latest, first = s.variable[number].stamp, number
    while s.different and place_of(s, s.differing[s.different - 1]) >= start:
        s.different -= 1
    forget(&s.lines, start)
    s.first = first
    s.visited = min(s.visited, start)
    if level < 2:
        # All of level 1 was assumed before level 2 was opened.
        s.assumed = s.num_clues + 1
    s.lines.trail.level = level


cdef inline void bump(State *s, int number) noexcept nogil:
    """Move a variable to the end of the queue, from which decisions are taken."""
    cdef Variable *variable = &s.variable[number]
    if variable.stamp < 0 or s.last == number:
        return
    if s.first == number:
        s.first = variable.before if variable.before >= 0 else variable.after
    if variable.before >= 0:
        s.variable[variable.before].after = variable.after
    s.variable[variable.after].before = variable.before
    variable.before, variable.after = s.last, NONE
    s.variable[s.last].after = number
    s.last = number
    s.stamp += 1
    variable.stamp = s.stamp
    if value_of(s, 2 * number) == UNKNOWN:
        s.first = number


cdef inline Why check_clue(State *s, int number) noexcept nogil:
    """Draw the conclusions of what a clue counts, and of whether it is to be kept."""
    cdef Clue *clue = &s.clue[number]
    cdef int value, on = 0, unknown = 0
    if clue.plain:
        return Why(NO_REASON, 0)
    value = value_of(s, clue.literal)
    if value != UNKNOWN:
        if not apply_rule(&s.lines, &clue.rules[value], Why(FACE, number)):
            return Why(FACE, number)
        return Why(NO_REASON, 0)
    if clue.kept == FREE:
        return Why(NO_REASON, 0)
    count_literals(&s.lines, &clue.rules[1], &on, &unknown)
    if not allows(&clue.rules[1], on, on + unknown):
        learn(&s.lines.trail, clue.literal ^ 1, Why(FACE, number))
    elif not allows(&clue.rules[0], on, on + unknown):
        learn(&s.lines.trail, clue.literal, Why(FACE, number))
    return Why(NO_REASON, 0)


cdef inline int flip_of(const State *s, int face) noexcept nogil:
    """Whether a face is flipped, or `UNKNOWN`; what is off the board never is."""
    return 0 if face == NO_FACE else value_of(s, 2 * (s.sides + face))


cdef inline Why check_side(State *s, int number) noexcept nogil:
    """An edge is as in the known solution iff both faces beside it are flipped, or none is.

    Two solutions differ by cycles: at each vertex by none of its edges, two, or four. So where
    `State.sided` they differ by the border of the faces that are flipped.
    """
    cdef const Plane *p = &s.lines.plane
    cdef int one = p.faces[2 * number], other = p.faces[2 * number + 1]
    cdef int known = s.variable[number].known, mine = value_of(s, 2 * number)
    cdef int left = flip_of(s, other), right = flip_of(s, one), total, odd, literal
    total = left + right + (mine if mine == UNKNOWN else mine ^ known)
    odd = total & 1
    if total >= 2 * UNKNOWN:
        return Why(NO_REASON, 0)
    if total < UNKNOWN:
        return Why(SIDE if odd else NO_REASON, number)
    # The only unknown one makes the number of true ones even.
    if left == UNKNOWN:
        literal = 2 * (s.sides + other) + (1 - odd)
    elif right == UNKNOWN:
        literal = 2 * (s.sides + one) + (1 - odd)
    else:
        literal = 2 * number + (1 - (odd ^ known))
    learn(&s.lines.trail, literal, Why(SIDE, number))
    return Why(NO_REASON, 0)


cdef inline Why check_sides(State *s, int number) noexcept nogil:
    """Check all edges of which a variable is a part, or the side of a face beside them."""
    cdef const Plane *p = &s.lines.plane
    cdef int face = number - s.sides, k
    cdef Why wrong
    if number < p.num_edges:
        return check_side(s, number)
    if 0 <= face < p.num_faces:
        for k in range(p.face_starts[face], p.face_starts[face + 1]):
            wrong = check_side(s, p.face_edges[k])
            if wrong.kind != NO_REASON:
                return wrong
    return Why(NO_REASON, 0)


cdef inline int add_clause(State *s, const int32_t *literals, int width, int glue) noexcept nogil:
    """Store a clause of two literals or more, for which there must be room; its number."""
    cdef int number = store_clause(&s.clauses, literals, width)
    s.clauses.items[number].glue = glue
    watch_clause(&s.clauses, number)
    return number


cdef inline Why apply_next(State *s) noexcept nogil:
    """Do what the next literal on the trail demands of vertices, paths and clues."""
    cdef int literal = take_next(&s.lines), number = literal >> 1, k
    cdef Why wrong
    if number >= s.matches:
        # Sides and the query come later.
        return check_clue(s, number - s.matches) if number < s.sides else Why(NO_REASON, 0)
    if literal & 1 == s.variable[number].known:
        s.differing[s.different] = number
        s.different += 1
    wrong = apply_rules(&s.lines, number)
    if wrong.kind == NO_REASON and number < s.lines.plane.num_edges and literal & 1 == 0:
        wrong = join(&s.lines, number)
    for k in range(s.clue_starts[number], s.clue_starts[number + 1]):
        if wrong.kind != NO_REASON:
            break
        wrong = check_clue(s, s.clues_of[k])
    return wrong


cdef inline Why propagate(State *s) noexcept nogil:
    """Draw all conclusions; return the reason of a conflict.

    Those of vertices and clues first: they cost the least, and most conflicts are theirs.
    """
    cdef int literal, clause
    cdef Why wrong = Why(NO_REASON, 0)
    while True:
        while wrong.kind == NO_REASON and s.lines.trail.done < s.lines.trail.known:
            wrong = apply_next(s)
        if wrong.kind != NO_REASON or s.visited == s.lines.trail.known:
            return wrong
        literal = s.lines.trail.literals[s.visited]
        s.visited += 1
        if s.sided:
            wrong = check_sides(s, literal >> 1)
        if wrong.kind == NO_REASON:
            clause = visit_clauses(&s.clauses, &s.lines.trail, literal ^ 1)
            if clause != NONE:
                wrong = Why(CLAUSE, clause)


# ---- Reasons --------------------------------------------------------------------------------------
#
# The reasons of conclusions, computed again when conflict analysis needs them.
#
# Most of this section explains why an edge must not close a path: many edges together imply that.

cdef inline int note(State *s, int count, int literal) noexcept nogil:
    """Write a literal behind the ``count`` that are in `buffer`; how many there are then.

    There is room for two reasons, each with two literals for each edge, and four more; and for all
    literals of a rule.
    """
    s.buffer[count] = literal
    return count + 1


cdef inline int price(State *s, int variable) noexcept nogil:
    """Return the cost of a variable in a reason: known for good, by assumptions, by decisions."""
    cdef int level = level_of(s, variable)
    return 0 if level == 0 else 1 if level == 1 else 1000


cdef inline bint was_on(State *s, int edge, int limit) noexcept nogil:
    return value_of(s, 2 * edge) == 1 and place_of(s, edge) < limit


cdef inline int next_edge(State *s, int vertex, int came, int limit) noexcept nogil:
    """An edge of a path of edges set before ``limit``, from a vertex on; NONE at its end."""
    cdef const Plane *p = &s.lines.plane
    cdef int k
    for k in range(p.starts[vertex], p.starts[vertex + 1]):
        if p.edges[k] != came and was_on(s, p.edges[k], limit):
            return p.edges[k]
    return NONE


cdef inline int walk(State *s, int edge, int limit) noexcept nogil:
    """Find the path that joins the ends of an edge, of edges set before ``limit``.

    Its vertices are in `path`, each with the edge to the next in `steps`, `NONE` for the virtual one
    between two ends; all are marked. Returns how many vertices these are.
    """
    cdef int vertex = s.lines.plane.ends[2 * edge], goal = s.lines.plane.ends[2 * edge + 1]
    cdef int walked = 0, step = edge
    s.marks += 1
    s.variable[edge].mark = s.marks
    while True:
        s.walked[vertex] = s.marks
        s.path[walked] = vertex
        if vertex == goal:
            return walked + 1
        step = next_edge(s, vertex, step, limit)
        s.steps[walked] = step
        walked += 1
        if step == NONE:
            vertex = s.ends[0] + s.ends[1] - vertex
        else:
            s.variable[step].mark = s.marks
            vertex = far_end(&s.lines.plane, step, vertex)


cdef inline int elsewhere(State *s) noexcept nogil:
    """The first edge that is on and was not walked, or `NONE`."""
    cdef int k, edge
    for k in range(s.lines.num_chosen):
        edge = s.lines.chosen[k]
        if edge != NONE and s.variable[edge].mark != s.marks:
            return edge
    return NONE


cdef inline int past(State *s, int face) noexcept nogil:
    """The next face on a way off the board."""
    cdef const int32_t *beside = &s.lines.plane.faces[2 * s.face[face].outwards]
    return beside[1] if beside[0] == face else beside[0]


cdef inline bint is_inside(State *s, int face) noexcept nogil:
    """Whether a face is inside the cycle whose edges are marked: a way off the board crosses it.

    What is met on the way is kept until the next walk. O(faces that are met for the first time).
    """
    cdef int here = face
    cdef bint inside = False, crossed
    while here != NO_FACE and s.face[here].checked != s.marks:
        inside ^= s.variable[s.face[here].outwards].mark == s.marks
        here = past(s, here)
    if here != NO_FACE:
        inside ^= s.face[here].inside
    here = face
    crossed = inside
    while here != NO_FACE and s.face[here].checked != s.marks:
        s.face[here].checked, s.face[here].inside = s.marks, crossed
        crossed ^= s.variable[s.face[here].outwards].mark == s.marks
        here = past(s, here)
    return inside


cdef struct Cut:
    int closing  # the edge that would close the cycle
    int64_t path  # the mark of the path that joins its ends
    int limit  # what was set from here on does not count
    bint sided  # whether only edges on one side of the cycle count
    bint inside  # which side that is


cdef inline bint is_off(State *s, int edge, int limit) noexcept nogil:
    return value_of(s, 2 * edge) == 0 and place_of(s, edge) < limit


cdef inline int find_leaving(State *s, Cut *cut, int vertex) noexcept nogil:
    """Find the edges that leave the path at a vertex of it, but at its ends; how many.

    -1 if one of them is not off.
    """
    cdef const Plane *p = &s.lines.plane
    cdef int k, edge, found = 0
    for k in range(p.starts[vertex], p.starts[vertex + 1]):
        edge = p.edges[k]
        if s.variable[edge].mark == s.marks or s.walked[far_end(p, edge, vertex)] == s.marks:
            continue
        if cut.sided and is_inside(s, p.faces[2 * edge]) != cut.inside:
            continue
        if not is_off(s, edge, cut.limit):
            return -1
        s.leaving[found] = edge
        found += 1
    return found


cdef inline int note_path(State *s, Cut *cut, int walked, int count) noexcept nogil:
    """Note why nothing joins a path, whose ends an edge joins, to what is on elsewhere.

    At each vertex between its ends either the edges are off that leave the path there, or the edges
    of the path are on, so that others must be off: what rests on fewer decisions. At its ends there
    is the edge that joins them, and one of the path.
    """
    cdef int k, j, found, cost, alone
    cdef bint noted = s.steps[0] >= 0  # the edge of the path before the present vertex
    if noted:
        count = note(s, count, 2 * s.steps[0])
    for k in range(1, walked - 1):
        found = find_leaving(s, cut, s.path[k])
        alone = 0 if noted or s.steps[k - 1] < 0 else price(s, s.steps[k - 1])
        alone += price(s, s.steps[k]) if 0 <= s.steps[k] and k < walked - 2 else 0
        cost = 0
        for j in range(found):
            cost += price(s, s.leaving[j])
        if found == 0 or (found > 0 and cost < alone):
            for j in range(found):
                count = note(s, count, 2 * s.leaving[j] + 1)
            noted = False
            continue
        if not noted and s.steps[k - 1] >= 0:
            count = note(s, count, 2 * s.steps[k - 1])
        noted = s.steps[k] >= 0
        if noted:
            count = note(s, count, 2 * s.steps[k])
    if walked > 2 and not noted and s.steps[walked - 2] >= 0:
        count = note(s, count, 2 * s.steps[walked - 2])
    return count


cdef inline int find_region(State *s, Cut *cut, int other, int most) noexcept nogil:
    """Find what an edge may be joined to, as things stand, without the path of a cut.

    Its vertices are in `region`, and marked. Returns how many; -1 for more than ``most``,
    or where the edge touches the path.
    """
    cdef const Plane *p = &s.lines.plane
    cdef int k, here, far, done = 0, found = 2
    s.marks += 1
    for k in range(2):
        s.region[k] = p.ends[2 * other + k]
        if s.walked[s.region[k]] == cut.path:
            return -1
        s.walked[s.region[k]] = s.marks
    while done < found:
        here = s.region[done]
        for k in range(p.starts[here], p.starts[here + 1]):
            if is_off(s, p.edges[k], cut.limit):
                continue
            far = far_end(p, p.edges[k], here)
            if s.walked[far] == s.marks or s.walked[far] == cut.path:
                continue
            if found >= most:
                return -1
            s.walked[far] = s.marks
            s.region[found] = far
            found += 1
        done += 1
    return found


cdef inline int note_region(State *s, Cut *cut, int size, int count) noexcept nogil:
    """Note why nothing joins a region to the path of a cut: what leaves the region is off.

    Or else ends where the path is, whose edges are on.
    """
    cdef const Plane *p = &s.lines.plane
    cdef int place, here, k, j, edge, far, step
    for place in range(size):
        here = s.region[place]
        for k in range(p.starts[here], p.starts[here + 1]):
            edge = p.edges[k]
            far = far_end(p, edge, here)
            if s.walked[far] == s.marks:
                continue
            if is_off(s, edge, cut.limit):
                count = note(s, count, 2 * edge + 1)
                continue
            for j in range(p.starts[far], p.starts[far + 1]):
                step = p.edges[j]
                if step != cut.closing and s.variable[step].mark == cut.path:
                    # Once is enough.
                    s.variable[step].mark = 0
                    count = note(s, count, 2 * step)
    return count


cdef inline int cheaper(State *s, int first, int middle, int last) noexcept nogil:
    """Keep the cheaper of two reasons in `buffer`, up to ``middle`` and behind it."""
    cdef int k, difference = 0
    for k in range(first, middle):
        difference += price(s, s.buffer[k] >> 1)
    for k in range(middle, last):
        difference -= price(s, s.buffer[k] >> 1)
    if difference <= 0:
        return middle
    for k in range(last - middle):
        s.buffer[first + k] = s.buffer[middle + k]
    return first + last - middle


cdef inline int explain_cycle(State *s, int propagated, int forced, int limit) noexcept nogil:
    """With the edge on, its ends and the path that joins them are apart from what is on elsewhere.

    The edge is the forced one, or in a conflict the one that was taken last. Where the other is
    known to be on one side of the cycle, only edges on this side count (Jordan). Nothing need be on
    elsewhere in a model of paths, and the cycle leaves out the virtual edge between two ends, or
    there are several pairs: ends are elsewhere. Or seen from the other, with all that it may still
    be joined to: that is the better reason where the path is most of the line, and without it such
    boards can take hours.
    """
    cdef int edge = forced if forced >= 0 else s.lines.trail.literals[propagated - 1] >> 1
    cdef int count = note(s, 0, 2 * edge) if forced < 0 else 0, other = NONE
    cdef int walked = walk(s, edge, propagated)
    cdef Cut cut
    if s.pairs == 0 or s.pairs == 1 and s.walked[s.ends[0]] == s.marks:
        other = elsewhere(s)
        if other >= 0:
            count = note(s, count, 2 * other)
    cut.closing, cut.path, cut.limit = edge, s.marks, limit
    cut.sided = other >= 0 and s.pairs == 0 and s.sided
    cut.inside = cut.sided and is_inside(s, s.lines.plane.faces[2 * other])
    cdef int middle = note_path(s, &cut, walked, count), size
    if other < 0:
        return middle
    size = find_region(s, &cut, other, walked)
    if size < 0:
        return middle
    return cheaper(s, count, middle, note_region(s, &cut, size, middle))


cdef inline int explain_apart(State *s, int propagated, int forced) noexcept nogil:
    """The edge would join the paths from two terminals that are no pair: these paths are on.

    A path that comes from a terminal can go on in one way only, so it would be one with both ends.
    """
    cdef int edge = forced if forced >= 0 else s.lines.trail.literals[propagated - 1] >> 1
    cdef int count = note(s, 0, 2 * edge) if forced < 0 else 0, k, vertex, step
    for k in range(2):
        vertex, step = s.lines.plane.ends[2 * edge + k], edge
        while True:
            step = next_edge(s, vertex, step, propagated)
            if step == NONE:
                break
            count = note(s, count, 2 * step)
            vertex = far_end(&s.lines.plane, step, vertex)
    return count


cdef inline int explain_whole(State *s, int forced) noexcept nogil:
    """The line was closed: nothing else can be on."""
    cdef int closed = s.lines.closed, count = note(s, 0, 2 * closed), k, walked
    if forced < 0:
        count = note(s, count, 2 * (s.lines.trail.literals[s.lines.trail.done - 1] >> 1))
    walked = walk(s, closed, place_of(s, closed))
    for k in range(walked - 1):
        if s.steps[k] >= 0:
            count = note(s, count, 2 * s.steps[k])
    return count


cdef inline int explain_clause(State *s, int number, int forced) noexcept nogil:
    cdef Clause *clause = &s.clauses.items[number]
    cdef const int32_t *literals = s.clauses.literals + clause.start
    cdef int k, count = 0
    for k in range(clause.width):
        if literals[k] >> 1 != forced:
            count = note(s, count, literals[k] ^ 1)
    return count


cdef inline int note_value(State *s, int count, int variable) noexcept nogil:
    """Note the literal of a variable that is true."""
    return note(s, count, 2 * variable + 1 - value_of(s, 2 * variable))


cdef inline int explain_side(State *s, int number, int forced) noexcept nogil:
    cdef int k, face, count = 0
    for k in range(1, -1, -1):
        face = s.lines.plane.faces[2 * number + k]
        if face != NO_FACE and s.sides + face != forced:
            count = note_value(s, count, s.sides + face)
    return count if forced == number else note_value(s, count, number)


cdef inline int explain_clue(State *s, int number, int forced, int limit) noexcept nogil:
    """That it matches, or does not, is a reason, or follows from the other rule being broken."""
    cdef Clue *clue = &s.clue[number]
    cdef int match = clue.literal >> 1, value = value_of(s, clue.literal)
    if forced == match:
        return explain_rule(&s.lines, &clue.rules[1 - value], NONE, limit, s.buffer)
    note_value(s, 0, match)
    return 1 + explain_rule(&s.lines, &clue.rules[value], forced, limit, s.buffer + 1)


cdef inline int explain(State *s, Why why, int forced) noexcept nogil:
    """Write to `buffer` true literals that forced a variable, or (`NONE`) a conflict; how many.

    Only what was on the trail before the variable counts. Literals that suffice stand for the rest.
    """
    cdef int limit = place_of(s, forced) if forced >= 0 else s.lines.trail.known
    if why.kind == CLAUSE:
        return explain_clause(s, why.index, forced)
    if why.kind == SIDE:
        return explain_side(s, why.index, forced)
    if why.kind == CYCLE:
        return explain_cycle(s, why.index, forced, limit)
    if why.kind == APART:
        return explain_apart(s, why.index, forced)
    if why.kind == WHOLE:
        return explain_whole(s, forced)
    if why.kind == RULE:
        return explain_rule(&s.lines, &s.lines.rules[why.index], forced, limit, s.buffer)
    return explain_clue(s, why.index, forced, limit)
