"""One query: find a solution that matches on some faces, and differs on one of some others."""

from libc.stdint cimport int64_t

from linkoracle.board.plane cimport NO_FACE, Plane, far_end
from linkoracle.core.watch cimport watch_stops
from linkoracle.lines.clauses cimport Clause, has_room
from linkoracle.lines.rules cimport CLAUSE, KINDS, Rule, allows
from linkoracle.lines.trail cimport NONE, UNKNOWN, learn
from linkoracle.search.conflicts cimport (
    MORE_CLAUSES, analyze, blame, blame_face, levels_in, reduce_clauses
)
from linkoracle.search.propagation cimport (
    add_clause, backtrack, check_face, level_of, open_level, propagate, value_of
)
from linkoracle.search.reasons cimport explain
from linkoracle.search.state cimport (
    ALTERNATIVE, DENIED, FREE, KEPT, NO_ALTERNATIVE, NO_MEMORY, OPEN, STOPPED, TOO_HARD, Answer,
    State
)

cdef enum:
    RESTART_UNIT = 60  # conflicts before the first restart; later ones by the sequence of Luby


cdef inline bint would_be(const State *s, int literal) noexcept nogil:
    """Whether a literal is true, or else was in the known solution."""
    cdef int value = value_of(s, literal)
    return s.variable[literal >> 1].known ^ (literal & 1) if value == UNKNOWN else value


cdef inline bint would_hold(const State *s, const Rule *rule) noexcept nogil:
    cdef int k, on = 0
    for k in range(rule.size):
        on += would_be(s, rule.literals[k])
    return allows(rule, on, on)


cdef inline bint differs(const State *s, int face) noexcept nogil:
    return not would_hold(s, &s.face[face].rules[1])


cdef inline bint is_allowed(const State *s, int variable) noexcept nogil:
    """Whether the rules that count a variable hold, and kept faces beside an edge match."""
    cdef int k, face
    for k in range(s.lines.starts[variable], s.lines.starts[variable + 1]):
        if not would_hold(s, &s.lines.rules[s.lines.ruled[k]]):
            return False
    if variable < s.lines.plane.num_edges:
        for k in range(2):
            face = s.lines.plane.faces[2 * variable + k]
            if face != NO_FACE and s.face[face].kept == KEPT and differs(s, face):
                return False
    return True


cdef inline int would_lead(const State *s, int start, int end, int most) noexcept nogil:
    """Return the number of edges, up to ``most``, of the way from a vertex to another; 0 if none.

    Each vertex between has two of them.
    """
    cdef const Plane *p = &s.lines.plane
    cdef int here = start, came = NONE, steps = 0, step, k
    while steps < most:
        step = NONE
        for k in range(p.starts[here], p.starts[here + 1]):
            if p.edges[k] != came and would_be(s, 2 * p.edges[k]):
                step = p.edges[k]
                break
        if step == NONE:
            return 0
        came, here = step, far_end(p, step, here)
        steps += 1
        if here == end:
            return steps
    return 0


cdef inline bint would_be_solution(const State *s, int first, int size) noexcept nogil:
    """Whether the ``size`` edges that would be on form the loop, or the paths, of a solution.

    Each vertex has two of them, or one at an end. For a loop ``first`` is a vertex on it.
    """
    cdef int k, steps
    if s.pairs == 0:
        return s.lines.loop and would_lead(s, first, first, size) == size > 0
    for k in range(s.pairs):
        steps = would_lead(s, s.ends[2 * k], s.ends[2 * k + 1], size)
        if steps == 0:
            return False
        size -= steps
    return size == 0


cdef inline bint is_alternative(const State *s) noexcept nogil:
    """Whether everything open can stay as in the known solution."""
    cdef int size = s.known_size, first = NONE, k, number
    cdef bint met = s.denied == 0, other = False
    for k in range(s.different - 1, -1, -1):
        number = s.differing[k]
        if not is_allowed(s, number):
            return False
        if number < s.lines.plane.num_edges:
            other = True
            size += 1 - 2 * s.variable[number].known
            if not s.variable[number].known:
                first = s.lines.plane.ends[2 * number]
    for k in range(s.denied):
        met = met or differs(s, s.denied_faces[k])
    return met and other and (s.pairs or first >= 0) and would_be_solution(s, first, size)


cdef inline void note_changes(State *s) noexcept nogil:
    """Write to `core` the faces whose count an alternative changes, to `flipped` its edges."""
    cdef int k, side, face, edge
    s.marks += 1
    s.core_size = s.num_flipped = 0
    for k in range(s.different):
        edge = s.differing[k]
        if edge >= s.lines.plane.num_edges:
            continue
        s.flipped[s.num_flipped] = edge
        s.num_flipped += 1
        for side in range(1, -1, -1):
            face = s.lines.plane.faces[2 * edge + side]
            if face != NO_FACE and s.face[face].changed != s.marks:
                s.face[face].changed = s.marks
                if differs(s, face):
                    blame_face(s, face)


cdef inline bint make_space(State *s) noexcept nogil:
    """Make room for two more clauses; false if there is no memory for them."""
    return has_room(&s.clauses, &s.arena, 2, 2 * s.lines.num_variables)


cdef inline bint enqueue_units(State *s) noexcept nogil:
    """On level 0: learn the waiting units; false if they contradict the rest."""
    cdef int k, held
    for k in range(s.new_units):
        held = value_of(s, s.units[k])
        if held == 0:
            s.broken = True
        elif held == UNKNOWN:
            learn(&s.lines.trail, s.units[k], NONE)
    s.new_units = 0
    if not s.broken:
        s.broken = propagate(s) != NONE
    return not s.broken


cdef inline bint take_up(State *s) noexcept nogil:
    """Begin a query on level 0, or 1; false if it needs no search."""
    cdef int k, face, literal, held, length = 1
    cdef bint met = s.denied == 0
    s.since, s.asking, s.core_size, s.shaken = s.clauses.number, NONE, 0, False
    s.clauses.refuted = 0
    s.restarts = s.units_to_restart = 1
    restart_later(s)
    if s.lines.trail.level == 0:
        enqueue_units(s)
    if s.broken:
        return False
    s.learnt[0] = 2 * s.query
    for k in range(s.denied):
        face = s.denied_faces[k]
        s.face[face].kept = DENIED
        check_face(s, face)
        literal = 2 * (s.matches + face) + 1
        held = value_of(s, literal)
        met = met or held == 1
        if held == UNKNOWN:
            s.learnt[length] = literal
            length += 1
    if met:
        return True
    if length == 1:
        return False
    s.asking = s.learnt[1]
    if length > 2:
        add_clause(s, s.learnt, length, 0)
        s.asking = 2 * s.query + 1
    return True


cdef inline void leave(State *s, int level) noexcept nogil:
    """End a query and forget the clauses learned under its own clause."""
    cdef int k, number
    cdef Clause *clause
    backtrack(s, 0 if s.shaken else level)
    for k in range(s.denied):
        s.face[s.denied_faces[k]].kept = FREE
    for number in range(s.since, s.clauses.number):
        clause = &s.clauses.items[number]
        for k in range(clause.width):
            if s.clauses.literals[clause.start + k] == 2 * s.query:
                clause.width = 0
                break


cdef inline bint decide(State *s) noexcept nogil:
    """Open a level with a decision; false when nothing is open."""
    cdef int number = s.first
    while number >= 0 and value_of(s, 2 * number) != UNKNOWN:
        number = s.variable[number].before
    if number < 0:
        return False
    s.first = number
    open_level(s)
    learn(&s.lines.trail, 2 * number + 1 - s.variable[number].known, NONE)
    return True


cdef inline bint refuse(State *s, int literal, int face) noexcept nogil:
    """Blame the reasons for a false assumption, and its face, if any; return false."""
    s.buffer[0] = literal ^ 1
    blame(s, 1)
    if face >= 0:
        blame_face(s, face)
    s.shaken = s.lines.trail.level == 1
    return False


cdef inline bint assume(State *s) noexcept nogil:
    """Put the next assumption that is open on the trail; false if one is known to be false.

    Each call takes one, so a clue that follows from earlier ones is not assumed, and not blamed.
    Level 2 is for the clues of the next queries, and their denied faces.
    """
    cdef int face, literal, held, faces = s.lines.plane.num_faces
    if s.lines.trail.level == 0 or s.assumed > faces:
        open_level(s)
        s.assumed = 0
    while s.assumed <= faces:
        face = NONE
        literal = s.asking if s.lines.trail.level == 2 else NONE
        if s.assumed > 0:
            face = s.rank[s.assumed - 1]
            literal = 2 * (s.matches + face)
            if s.face[face].kept != KEPT or s.face[face].soon != s.lines.trail.level - 1:
                literal = NONE
        s.assumed += 1
        if literal < 0:
            continue
        held = value_of(s, literal)
        if held == UNKNOWN:
            learn(&s.lines.trail, literal, NONE)
            return True
        if held == 0:
            return refuse(s, literal, face)
    return True


cdef inline bint resolve(State *s, int wrong) noexcept nogil:
    """Learn from a conflict and go back; false if it shows that there is no alternative."""
    cdef int count = explain(s, wrong, NONE), level = 0, k, length, flipped, glue, clause
    s.conflicts += 1
    for k in range(count):
        level = max(level, level_of(s, s.buffer[k] >> 1))
    if level <= 2:
        s.broken, s.shaken = level == 0, level < 2
        blame(s, count)
        return False
    backtrack(s, level)
    length = analyze(s, count)
    flipped = s.learnt[0]
    if length == 1:
        backtrack(s, 0)
        learn(&s.lines.trail, flipped, NONE)
        return True
    glue = max(1, levels_in(s, length))
    backtrack(s, level_of(s, s.learnt[1] >> 1))
    clause = add_clause(s, s.learnt, length, glue)
    s.learned += 1
    learn(&s.lines.trail, flipped, CLAUSE + KINDS * clause)
    return True


cdef inline void restart_later(State *s) noexcept nogil:
    """Set the next restart, after 1, 1, 2, 1, 1, 2, 4 ... units (Luby, Sinclair, Zuckerman, 1993).

    In Knuth's way: The Art of Computer Programming 4B, 7.2.2.2, (130).
    """
    s.restart = s.conflicts + RESTART_UNIT * s.units_to_restart
    if s.restarts & -s.restarts == s.units_to_restart:
        s.restarts += 1
        s.units_to_restart = 1
    else:
        s.units_to_restart *= 2


cdef inline Answer advance(State *s) noexcept nogil:
    """With nothing left to propagate: give the answer, or else assume or decide."""
    if s.clauses.refuted:
        blame(s, explain(s, CLAUSE + KINDS * (s.clauses.refuted - 1), NONE))
        return NO_ALTERNATIVE
    if s.lines.trail.level < 2 or s.assumed <= s.lines.plane.num_faces:
        return OPEN if assume(s) else NO_ALTERNATIVE
    if is_alternative(s) or not decide(s):
        note_changes(s)
        return ALTERNATIVE
    return OPEN


cdef inline Answer make_room(State *s) noexcept nogil:
    """Forget clauses in the middle of a query.

    A search that repeatedly forgets its latest clauses makes no progress: that is `NO_MEMORY`, too.
    """
    if s.learned < s.limit:
        if s.conflicts < s.cramped + MORE_CLAUSES:
            return NO_MEMORY
        s.cramped = s.conflicts
    backtrack(s, 0)
    if propagate(s) != NONE:
        s.broken, s.core_size = True, 0
        return NO_ALTERNATIVE
    if s.clauses.refuted:
        return OPEN
    reduce_clauses(s)
    s.since = 0
    return OPEN if make_space(s) else NO_MEMORY


cdef inline Answer run_search(State *s, int64_t budget) noexcept nogil:
    """Answer a query that has begun."""
    cdef int64_t until = s.conflicts + budget
    cdef Answer answer = OPEN
    cdef int wrong
    while answer == OPEN:
        if watch_stops(&s.lines.watch):
            return STOPPED
        wrong = propagate(s)
        if wrong == NONE:
            answer = advance(s)
            continue
        if not resolve(s, wrong):
            return NO_ALTERNATIVE
        if s.learned >= s.limit or not make_space(s):
            answer = make_room(s)
        elif s.conflicts >= s.restart:
            backtrack(s, 2)
            restart_later(s)
        if answer == OPEN and s.conflicts >= until:
            return TOO_HARD
    return answer


cdef inline Answer search(State *s, int64_t budget, int floor) noexcept nogil:
    """Find a solution that matches on the `KEPT` faces, and differs on one of `denied_faces`, if any.

    ``budget`` is a number of conflicts. Without an answer the trail ends on level 0, else on
    ``floor`` if that still holds.
    """
    if not make_space(s):
        s.cramped = s.conflicts
        backtrack(s, 0)
        reduce_clauses(s)
        if not make_space(s):
            return NO_MEMORY
    cdef Answer answer = run_search(s, budget) if take_up(s) else NO_ALTERNATIVE
    leave(s, floor if answer <= ALTERNATIVE else 0)
    return answer
