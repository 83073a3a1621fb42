"""Conflict-driven clause learning over the edges of a board, near a known solution.

The rules of the board are not clauses: each counts its literals when some of them change, and
each path of chosen edges knows its two ends (`linkoracle.lines`). The reason why a rule acted is
not stored, but found again when a conflict needs it. Both are in `linkoracle.search.inference`.
Conflicts teach clauses with two watched literals (Moskewicz et al., Chaff, DAC 2001), cut at the
first unique implication point. The variables to branch on come from a queue of the most recently
blamed ones, as in the solvers of the MiniSat and CaDiCaL families (Eén and Sörensson, SAT 2003;
Biere and Fröhlich, SAT 2015).

**Cycles.** A path must not close while anything is on elsewhere. The reason is that nothing joins
the two: from vertex to vertex of the path, either its own edges are on, or those are off that leave
it on the side where the other is; or all edges are off that leave what the other may be joined to.
Such cuts are those of `linkoracle.engines`; what rests on fewer decisions is taken.

**Levels.** Level 0 holds what is true for good, levels 1 and 2 the assumptions of a query,
further levels are decisions. Clauses follow from the rules of the board alone, assumptions being
literals as any other, so they stay for later queries. Only those derived from the query's own
clause contain its variable; they are removed when it is answered.

An alternative is known before everything is decided: see `is_alternative`. A series of queries is
run without returning to Python.

Contents
    Conflicts   what they teach: clauses, and which clues are to blame
    Query       alternatives, assumptions, decisions, restarts, one search
    Series      which clues are redundant
    Board       memory, the rules of a model, the known solution
    For Python  `Engine`, and which keys of two dicts differ
"""

from cpython.dict cimport PyDict_GetItemWithError, PyDict_Next
from cpython.ref cimport PyObject
from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t
from libc.string cimport memset

from linkoracle.board.plane_kernel cimport NO_FACE, Plane, PlaneArrays, far_end
from linkoracle.core.kernels cimport (
    arena_close, arena_error, arena_open, arena_take, watch_raise, watch_start, watch_stops
)
from linkoracle.lines.lines cimport (
    CLAUSE, NONE, NO_REASON, UNKNOWN, Clause, Clauses, Rule, Why, allows, close_ends, grown,
    has_room, learn, open_clauses, open_lines, open_rule, suppose
)
from linkoracle.search.inference cimport (
    ALTERNATIVE, DENIED, FIXED_HIDDEN, FIXED_SHOWN, FREE, KEPT, NOT_FIXED, NO_ALTERNATIVE,
    NO_MEMORY, OPEN, STOPPED, TOO_HARD, Answer, Clue, Face, State, Variable, add_clause, backtrack,
    bump, check_clue, explain, level_of, open_level, propagate, value_of
)


# ---- Conflicts ------------------------------------------------------------------------------------
#
# What a conflict teaches: clauses, and which clues are to blame.

cdef enum:
    MORE_CLAUSES = 300  # learned clauses until the next reduction
    BEST_GLUE = 2  # clauses of so few levels are kept
    MOST_GLUE = 255  # larger values are treated alike


cdef inline void sort_by_stamp(State *s, int touched) noexcept nogil:
    """Bring `touched` in the order of the queue, which bumping keeps (Biere and Fröhlich)."""
    cdef int k, place, number
    for k in range(1, touched):
        number = s.touched[k]
        place = k
        while place > 0 and s.variable[s.touched[place - 1]].stamp > s.variable[number].stamp:
            s.touched[place] = s.touched[place - 1]
            place -= 1
        s.touched[place] = number


cdef inline int analyze(State *s, int count) noexcept nogil:
    """Resolve a conflict, ``count`` literals in `buffer`, back to one literal of its level.

    The clause is in `learnt`; returns its length. It is not made smaller, where literals follow
    from others: one in twenty does, and to look for them takes more time than it saves.

    The literal to be flipped stands first, one of the highest remaining level second.
    """
    cdef int touched = 0, length = 1, here = 0, place = s.lines.trail.known, k, number, level, literal
    while True:
        for k in range(count):
            number = s.buffer[k] >> 1
            level = level_of(s, number)
            if s.variable[number].seen or level == 0:
                continue
            s.variable[number].seen = 1
            s.touched[touched] = number
            touched += 1
            if level == s.lines.trail.level:
                here += 1
            else:
                s.learnt[length] = s.buffer[k] ^ 1
                length += 1
        place -= 1
        while not s.variable[s.lines.trail.literals[place] >> 1].seen:
            place -= 1
        literal = s.lines.trail.literals[place]
        here -= 1
        if here == 0:
            break
        count = explain(s, s.lines.trail.causes[literal >> 1].why, literal >> 1)
    s.learnt[0] = literal ^ 1
    sort_by_stamp(s, touched)
    for k in range(touched):
        s.variable[s.touched[k]].seen = 0
        bump(s, s.touched[k])
    cdef int highest = 1
    for k in range(2, length):
        if level_of(s, s.learnt[k] >> 1) > level_of(s, s.learnt[highest] >> 1):
            highest = k
    if length > 1:
        s.learnt[1], s.learnt[highest] = s.learnt[highest], s.learnt[1]
    return length


cdef inline int levels_in(State *s, int length) noexcept nogil:
    """How many levels are met in the clause in `learnt`."""
    cdef int glue = 0, k, level
    s.marks += 1
    for k in range(length):
        level = level_of(s, s.learnt[k] >> 1)
        if s.level_mark[level] != s.marks:
            s.level_mark[level] = s.marks
            glue += 1
    return glue


cdef inline bint is_true(State *s, Clause *clause) noexcept nogil:
    cdef int k
    for k in range(clause.start, clause.start + clause.width):
        if value_of(s, s.clauses.literals[k]) == 1:
            return True
    return False


cdef inline void reduce_clauses(State *s) noexcept nogil:
    """On level 0: forget clauses that are satisfied, and about half of the less useful ones."""
    cdef int glue, living = 0, number, clauses = s.clauses.number
    cdef Clauses *c = &s.clauses
    cdef Clause clause
    s.learned = 0
    s.limit += MORE_CLAUSES
    for glue in range(MOST_GLUE + 1):
        s.glues[glue] = 0
    for number in range(clauses):
        glue = min(c.items[number].glue, MOST_GLUE)
        if c.items[number].width and glue > BEST_GLUE:
            s.glues[glue] += 1
            living += 1
    # All of a greater glue than `worst` go, and `spare` of that glue.
    cdef int worst = MOST_GLUE, spare = living // 2
    while worst > BEST_GLUE and s.glues[worst] <= spare:
        spare -= s.glues[worst]
        worst -= 1
    for number in range(2 * s.lines.num_variables):
        c.first[number] = NONE
    # What is kept moves to the front, over clauses that were looked at before.
    c.number = c.num_literals = 0
    for number in range(clauses):
        clause = c.items[number]
        if clause.width == 0 or clause.glue >= MOST_GLUE or clause.glue > worst:
            continue
        if BEST_GLUE < clause.glue == worst and spare > 0:
            spare -= 1
            continue
        if clause.glue > 0 and is_true(s, &clause):
            continue
        add_clause(s, c.literals + clause.start, clause.width, clause.glue)


cdef inline void blame_clue(State *s, int clue) noexcept nogil:
    s.core[s.core_size] = clue
    s.core_size += 1


cdef inline void blame(State *s, int count) noexcept nogil:
    """Write to `core` the assumed clues from which the literals in `buffer` follow."""
    cdef int touched = 0, place, k, number
    cdef Why why
    s.core_size = 0
    for place in range(s.lines.trail.known - 1, -1, -1):
        for k in range(count):
            number = s.buffer[k] >> 1
            if level_of(s, number) > 0 and not s.variable[number].seen:
                s.variable[number].seen = 1
                s.touched[touched] = number
                touched += 1
        count = 0
        number = s.lines.trail.literals[place] >> 1
        if not s.variable[number].seen:
            continue
        why = s.lines.trail.causes[number].why
        if why.kind != NO_REASON:
            count = explain(s, why, number)
        elif s.variable[number].assumed >= 0:
            blame_clue(s, s.variable[number].assumed)
    for k in range(touched):
        s.variable[s.touched[k]].seen = 0


# ---- Query ----------------------------------------------------------------------------------------
#
# One query: find a solution that matches some clues, and differs on one of some others.

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


cdef inline bint differs(const State *s, int clue) noexcept nogil:
    if s.clue[clue].plain:
        return not would_be(s, s.clue[clue].literal)
    return not would_hold(s, &s.clue[clue].rules[1])


cdef inline bint is_allowed(const State *s, int variable) noexcept nogil:
    """Whether the rules that count a variable hold, and kept clues about it match."""
    cdef int k, clue
    for k in range(s.lines.starts[variable], s.lines.starts[variable + 1]):
        if not would_hold(s, &s.lines.rules[s.lines.ruled[k]]):
            return False
    for k in range(s.clue_starts[variable], s.clue_starts[variable + 1]):
        clue = s.clues_of[k]
        if s.clue[clue].kept == KEPT and differs(s, clue):
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
        met = met or differs(s, s.denied_clues[k])
    return met and other and (s.pairs or first >= 0) and would_be_solution(s, first, size)


cdef inline void note_changes(State *s) noexcept nogil:
    """Write to `core` the clues that an alternative does not have, to `flipped` its edges."""
    cdef int k, j, number, clue
    s.marks += 1
    s.core_size = s.num_flipped = 0
    for k in range(s.different):
        number = s.differing[k]
        if number < s.lines.plane.num_edges:
            s.flipped[s.num_flipped] = number
            s.num_flipped += 1
        for j in range(s.clue_starts[number], s.clue_starts[number + 1]):
            clue = s.clues_of[j]
            if s.clue[clue].changed != s.marks:
                s.clue[clue].changed = s.marks
                if differs(s, clue):
                    blame_clue(s, clue)


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
            suppose(&s.lines.trail, s.units[k])
    s.new_units = 0
    if not s.broken:
        s.broken = propagate(s).kind != NO_REASON
    return not s.broken


cdef inline bint take_up(State *s) noexcept nogil:
    """Begin a query on level 0, or 1; false if it needs no search."""
    cdef int k, clue, literal, held, length = 1
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
        clue = s.denied_clues[k]
        s.clue[clue].kept = DENIED
        check_clue(s, clue)
        literal = s.clue[clue].literal ^ 1
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
        s.clue[s.denied_clues[k]].kept = FREE
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
    s.variable[number].assumed = NONE
    suppose(&s.lines.trail, 2 * number + 1 - s.variable[number].known)
    return True


cdef inline bint refuse(State *s, int literal, int clue) noexcept nogil:
    """Blame the reasons for a false assumption, and its clue, if any; return false."""
    s.buffer[0] = literal ^ 1
    blame(s, 1)
    if clue >= 0:
        blame_clue(s, clue)
    s.shaken = s.lines.trail.level == 1
    return False


cdef inline bint assume(State *s) noexcept nogil:
    """Put the next assumption that is open on the trail; false if one is known to be false.

    Each call takes one, so a clue that follows from earlier ones is not assumed, and not blamed.
    Level 2 is for the clues of the next queries, and their denied clues.
    """
    cdef int clue, literal, held, clues = s.num_clues
    if s.lines.trail.level == 0 or s.assumed > clues:
        open_level(s)
        s.assumed = 0
    while s.assumed <= clues:
        clue = NONE
        literal = s.asking if s.lines.trail.level == 2 else NONE
        if s.assumed > 0:
            clue = s.rank[s.assumed - 1]
            literal = s.clue[clue].literal
            if s.clue[clue].kept != KEPT or s.clue[clue].soon != s.lines.trail.level - 1:
                literal = NONE
        s.assumed += 1
        if literal < 0:
            continue
        held = value_of(s, literal)
        if held == UNKNOWN:
            s.variable[literal >> 1].assumed = clue
            suppose(&s.lines.trail, literal)
            return True
        if held == 0:
            return refuse(s, literal, clue)
    return True


cdef inline bint resolve(State *s, Why wrong) noexcept nogil:
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
        suppose(&s.lines.trail, flipped)
        return True
    glue = max(1, levels_in(s, length))
    backtrack(s, level_of(s, s.learnt[1] >> 1))
    clause = add_clause(s, s.learnt, length, glue)
    s.learned += 1
    learn(&s.lines.trail, flipped, Why(CLAUSE, clause))
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
        blame(s, explain(s, Why(CLAUSE, s.clauses.refuted - 1), NONE))
        return NO_ALTERNATIVE
    if s.lines.trail.level < 2 or s.assumed <= s.num_clues:
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
    if propagate(s).kind != NO_REASON:
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
    cdef Why wrong
    while answer == OPEN:
        if watch_stops(&s.lines.watch):
            return STOPPED
        wrong = propagate(s)
        if wrong.kind == NO_REASON:
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
    """Find a solution with the `KEPT` clues, and without one of `denied_clues`, if there are any.

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


# ---- Series ---------------------------------------------------------------------------------------
#
# A series of queries: which clues are redundant?

cdef enum:
    #: Clues of one batch. They are assumed again for each query, all others once.
    BATCH_SIZE = 8


cdef inline void keep(State *s, int clue, int kept) noexcept nogil:
    if clue >= 0:
        s.clue[clue].kept = kept


cdef inline void fix_clue(State *s, int clue, bint keep) noexcept nogil:
    """Keep a clue for good, or never again; the first call for a clue counts."""
    if s.clue[clue].fixed != NOT_FIXED:
        return
    s.clue[clue].fixed = FIXED_SHOWN if keep else FIXED_HIDDEN
    if keep:
        s.units[s.new_units] = s.clue[clue].literal
        s.new_units += 1


cdef inline void stay(State *s, const int32_t *soon, int size) noexcept nogil:
    """Keep level 1 if all of its assumptions are `KEPT`; what is new to it is assumed later.

    Otherwise begin it anew, without the clues that are ``soon`` asked about.
    """
    cdef int k, later = 0
    cdef bint stays = s.lines.trail.level == 1
    cdef Clue *clue
    for k in range(s.num_clues):
        clue = &s.clue[k]
        if stays and clue.kept != KEPT and clue.base:
            stays = False
        later += clue.kept == KEPT and not clue.base
    if stays and later <= 2 * BATCH_SIZE:
        for k in range(s.num_clues):
            s.clue[k].soon = not s.clue[k].base
        return
    backtrack(s, 0)
    for k in range(s.num_clues):
        s.clue[k].soon = False
    for k in range(size):
        s.clue[soon[k]].soon = True
    for k in range(s.num_clues):
        s.clue[k].base = s.clue[k].kept == KEPT and not s.clue[k].soon



cdef inline bint need(State *s, int clue) noexcept nogil:
    """Keep a clue for good, and the alternative that shows why; false if there is no memory."""
    cdef int k
    cdef int *flips = <int *>grown(
        &s.arena, s.flips, &s.most_flips, s.flips_size + 1 + s.num_flipped, sizeof(int)
    )
    if flips == NULL:
        return False
    s.flips = flips
    s.clue[clue].witness = s.flips_size
    flips[s.flips_size] = s.num_flipped
    s.flips_size += 1
    for k in range(s.num_flipped):
        flips[s.flips_size + k] = s.flipped[k]
    s.flips_size += s.num_flipped
    keep(s, clue, KEPT)
    fix_clue(s, clue, True)
    return True


cdef inline void open_batch(State *s, int clues) noexcept nogil:
    """Assume the next clues of `order`, and the waiting one, on a level of their own."""
    cdef int k
    backtrack(s, 0)
    for k in range(s.num_clues):
        s.clue[k].soon = False
    s.batch = s.next_trial + clues
    for k in range(s.next_trial, min(s.trials, s.batch)):
        s.clue[s.order[k]].soon = True
    if clues and s.waiting >= 0:
        s.clue[s.waiting].soon = True


cdef inline Answer ask(State *s, int first, int clue) noexcept nogil:
    """Find an alternative that changes one of two clues; ``clue`` may be `NONE`.

    `core` has the clues that it changes.
    """
    keep(s, first, FREE)
    keep(s, clue, FREE)
    s.denied_clues[0] = first
    s.denied = 1
    if clue >= 0:
        s.denied_clues[1] = clue
        s.denied = 2
    s.queries += 1
    # No query takes that many conflicts.
    return search(s, <int64_t>1 << 62, 1)


cdef inline bint changes(State *s, int clue) noexcept nogil:
    """Whether the last alternative changes a clue."""
    cdef int k
    for k in range(s.core_size):
        if s.core[k] == clue:
            return True
    return False


cdef inline Answer decide_on(State *s, int first, int clue) noexcept nogil:
    """Decide on the waiting clue, or the next one, or both; no answer if that is not possible.

    Where both clues are redundant, one query replaces two. Otherwise the alternative mostly changes
    one clue only, whose clue is then needed.
    """
    cdef Answer answer = ask(s, first, clue)
    cdef bint both = clue >= 0 and answer == ALTERNATIVE and changes(s, first) and changes(s, clue)
    cdef int needed = first
    if both:
        # Each may be redundant, but not both.
        keep(s, clue, KEPT)
        answer = ask(s, first, NONE)
    elif answer == ALTERNATIVE and clue >= 0 and changes(s, clue):
        needed = clue
    if answer == ALTERNATIVE and not need(s, needed):
        answer = NO_MEMORY
    if answer > ALTERNATIVE:
        keep(s, first, KEPT)
        keep(s, clue, KEPT)
        return answer
    s.next_trial += clue >= 0
    if answer == NO_ALTERNATIVE:
        fix_clue(s, first, False)
        if both:
            s.waiting = clue
            return answer
        if clue >= 0:
            fix_clue(s, clue, False)
        s.waiting = NONE
    elif needed == first:
        keep(s, clue, KEPT)
        s.waiting = clue
    else:
        keep(s, first, KEPT)
    return answer


cdef inline Answer try_all(State *s) noexcept nogil:
    """Go through `order`; clues with redundant clues are no longer `KEPT`.

    A query without an answer ends the series. Its undecided clues stay as they were: the waiting
    one, if any, and all from `next_trial` on.
    """
    cdef Answer answer = NO_ALTERNATIVE
    cdef int clue
    while answer <= ALTERNATIVE and (s.next_trial < s.trials or s.waiting >= 0):
        if s.next_trial >= s.batch:
            open_batch(s, BATCH_SIZE)
        clue = s.order[s.next_trial] if s.next_trial < s.trials else NONE
        if s.waiting < 0:
            s.waiting = clue
            s.next_trial += 1
        else:
            answer = decide_on(s, s.waiting, clue)
    open_batch(s, 0)
    return answer


# ---- Board ----------------------------------------------------------------------------------------
#
# A board, and the solution of it that is known, as the search sees them.

cdef enum:
    FIRST_CLAUSES = 200  # that there is room for at first


cdef inline int take_memory(State *s, size_t widest) except -1:
    """Take what a board of this size needs, and clues of up to ``widest`` literals."""
    cdef Plane *p = &s.lines.plane
    cdef size_t one = sizeof(int), vertices = p.num_vertices, edges = p.num_edges
    cdef size_t faces = p.num_faces, variables = s.lines.num_variables, clues = s.num_clues
    cdef size_t levels = variables + 4  # three at most without a variable of their own
    cdef size_t noted = 4 * variables + 8  # see `note`
    cdef int k
    for k in range(s.lines.num_rules):
        noted = max(noted, <size_t>s.lines.rules[k].size + 1)
    noted = max(noted, widest + 1)
    # What is on the trail beyond conclusions is not counted yet.
    s.lines.counted = <int8_t *>arena_take(&s.arena, 2 * variables, sizeof(int8_t))
    s.face = <Face *>arena_take(&s.arena, faces, sizeof(Face))
    s.clue = <Clue *>arena_take(&s.arena, clues, sizeof(Clue))
    s.variable = <Variable *>arena_take(&s.arena, variables, sizeof(Variable))
    s.walked = <int64_t *>arena_take(&s.arena, vertices, sizeof(int64_t))
    s.level_mark = <int64_t *>arena_take(&s.arena, levels, sizeof(int64_t))
    s.ends = <int32_t *>arena_take(&s.arena, 2 * <size_t>s.pairs, sizeof(int32_t))
    s.starts = <int *>arena_take(&s.arena, levels, one)
    s.buffer = <int *>arena_take(&s.arena, noted, one)
    s.touched = <int *>arena_take(&s.arena, variables, one)
    s.learnt = <int32_t *>arena_take(&s.arena, variables, sizeof(int32_t))
    s.differing = <int *>arena_take(&s.arena, variables, one)
    s.flipped = <int *>arena_take(&s.arena, edges, one)
    s.path = <int *>arena_take(&s.arena, vertices + 1, one)
    s.steps = <int *>arena_take(&s.arena, vertices + 1, one)
    s.region = <int *>arena_take(&s.arena, vertices + 1, one)
    s.leaving = <int *>arena_take(&s.arena, vertices, one)
    s.clue_starts = <int *>arena_take(&s.arena, variables + 1, one)
    s.rank = <int *>arena_take(&s.arena, clues, one)
    s.denied_clues = <int *>arena_take(&s.arena, clues + 2, one)
    s.core = <int *>arena_take(&s.arena, max(clues, faces) + 1, one)
    s.order = <int *>arena_take(&s.arena, clues, one)
    s.units = <int *>arena_take(&s.arena, edges + clues + 2, one)
    s.glues = <int *>arena_take(&s.arena, 256, one)
    open_clauses(
        &s.clauses, &s.arena, s.lines.num_variables, FIRST_CLAUSES, 3 * s.lines.num_variables, False
    )
    if s.arena.refused:
        arena_error(&s.arena, "this board")
    return 0


cdef inline int open_board(State *s, object model, list clues) except -1:
    """State the rules of a model, whose plane is there, for clues or (``None``) those of faces."""
    cdef int faces = s.lines.plane.num_faces, k
    s.num_clues = faces if clues is None else <int>len(clues)
    open_lines(&s.lines, &s.arena, model, faces + s.num_clues + 1)
    s.matches = s.lines.num_variables - faces - s.num_clues - 1
    s.sides, s.query = s.matches + s.num_clues, s.lines.num_variables - 1
    s.pairs = <int>len(model.terminals)
    take_memory(s, max([len(literals) for literals, _ in clues], default=0) if clues else 0)
    s.clauses.spared = 2 * s.query
    memset(s.lines.counted, UNKNOWN, 2 * <size_t>s.lines.num_variables)
    for k, pair in enumerate(model.terminals):
        s.ends[2 * k], s.ends[2 * k + 1] = pair
    if s.pairs == 1:
        close_ends(&s.lines, s.ends[0], s.ends[1])
    s.sided = model.board.has_sides
    find_ways(s)
    return 0


cdef inline void find_ways(State *s) noexcept nogil:
    """Find a short way off the board from each face that has one, over edges."""
    cdef Plane *p = &s.lines.plane
    cdef int face, edge, k, side, beside, done = 0, found = 0
    cdef int *waiting = s.core
    for face in range(p.num_faces):
        s.face[face].outwards = NONE
    for edge in range(p.num_edges):
        face = p.faces[2 * edge]
        if face != NO_FACE and p.faces[2 * edge + 1] == NO_FACE and s.face[face].outwards == NONE:
            s.face[face].outwards = edge
            waiting[found] = face
            found += 1
    while done < found:
        for k in range(p.face_starts[waiting[done]], p.face_starts[waiting[done] + 1]):
            for side in range(2):
                beside = p.faces[2 * p.face_edges[k] + side]
                if beside != NO_FACE and s.face[beside].outwards == NONE:
                    s.face[beside].outwards = p.face_edges[k]
                    waiting[found] = beside
                    found += 1
        done += 1


cdef inline void open_queue(State *s) noexcept nogil:
    """Decisions start at the end of the queue: with edges, then sides, then other variables."""
    cdef int number, edges = s.lines.plane.num_edges
    s.first = s.last = NONE
    for number in range(s.lines.num_variables):
        s.variable[number].stamp = NONE
        s.variable[number].before = s.variable[number].after = NONE
    for number in range(edges, s.matches):
        if s.lines.starts[number] < s.lines.starts[number + 1]:
            queue_up(s, number)
    if s.sided:
        for number in range(s.sides, s.query):
            queue_up(s, number)
    for number in range(edges):
        queue_up(s, number)
    s.first = s.last


cdef inline void queue_up(State *s, int number) noexcept nogil:
    cdef Variable *variable = &s.variable[number]
    variable.before = s.last
    if s.last >= 0:
        s.variable[s.last].after = number
    variable.stamp = s.stamp
    s.stamp += 1
    s.last = number


cdef inline bint know_solution(State *s, const int32_t *true_ones, int size) noexcept nogil:
    """Note the variables that are true in the known solution; false if it does not solve the board."""
    cdef int k, first = NONE, edges = s.lines.plane.num_edges
    s.known_size = 0
    for k in range(size):
        if s.variable[true_ones[k]].known:
            return False
        s.variable[true_ones[k]].known = 1
        if true_ones[k] < edges:
            s.known_size += 1
            first = s.lines.plane.ends[2 * true_ones[k]]
    for k in range(s.lines.num_rules):
        if not would_hold(s, &s.lines.rules[k]):
            return False
    return first >= 0 and would_be_solution(s, first, s.known_size)


cdef inline int32_t *take_literals(State *s, size_t size, size_t listed) except NULL:
    """Allocate for ``size`` literals of clues, ``listed`` of them under their variables."""
    cdef int32_t *literals = <int32_t *>arena_take(&s.arena, size + 1, sizeof(int32_t))
    s.clues_of = <int *>arena_take(&s.arena, listed + 1, sizeof(int))
    if s.arena.refused:
        arena_error(&s.arena, "this board")
    return literals


cdef inline int open_clue(
    State *s, int number, int32_t *literals, int size, object allowed
) except -1:
    """Once the solution is known: a clue is a count of literals, out of those ``allowed``."""
    cdef Clue *clue = &s.clue[number]
    clue.kept, clue.witness, clue.literal = FREE, NONE, 2 * (s.matches + number)
    open_rule(&clue.rules[0], &s.arena, literals, size, ((2 << <object>size) - 1) ^ allowed)
    open_rule(&clue.rules[1], &s.arena, literals, size, allowed)
    s.variable[s.matches + number].known = would_hold(s, &clue.rules[1])
    return 0


cdef inline int open_faces(State *s) except -1:
    """Once the solution is known: the clue of a face is its count there."""
    cdef Plane *p = &s.lines.plane
    cdef int number, k, size, count, listed = 0
    cdef int32_t *literals = take_literals(s, p.face_starts[p.num_faces], 2 * <size_t>p.num_edges)
    for k in range(p.face_starts[p.num_faces]):
        literals[k] = 2 * p.face_edges[k]
    for number in range(p.num_faces):
        size, count = p.face_starts[number + 1] - p.face_starts[number], 0
        for k in range(p.face_starts[number], p.face_starts[number + 1]):
            count += s.variable[p.face_edges[k]].known
        open_clue(s, number, literals + p.face_starts[number], size, 1 << <object>count)
    for number in range(p.num_edges):
        s.clue_starts[number] = listed
        for k in range(1, -1, -1):
            if p.faces[2 * number + k] != NO_FACE:
                s.clues_of[listed] = p.faces[2 * number + k]
                listed += 1
    for number in range(p.num_edges, s.lines.num_variables + 1):
        s.clue_starts[number] = listed
    return 0


cdef inline int open_clues(State *s, list clues) except -1:
    """Once the solution is known: the clues are counts of literals, as in `linkoracle.board`."""
    cdef size_t size = sum([len(literals) for literals, _ in clues])
    cdef int32_t *free = take_literals(s, size, size)
    cdef int number, k, literal, variable
    for number, (literals, allowed) in enumerate(clues):
        for k in range(<int>len(literals)):
            literal = literals[k]
            variable = (literal if literal > 0 else -literal) - 1
            if not 0 <= variable < s.matches:
                raise ValueError("expected literals of the model")
            free[k] = 2 * variable + (literal < 0)
            s.clue_starts[variable + 1] += 1
        open_clue(s, number, free, <int>len(literals), allowed)
        if len(literals) == 1 and allowed == 2:
            s.clue[number].plain, s.clue[number].literal = True, free[0]
        free += len(literals)
    for variable in range(s.lines.num_variables):
        s.clue_starts[variable + 1] += s.clue_starts[variable]
    # Backwards, so that the clues of a variable are in their order and its start is the end of this.
    for number in range(s.num_clues - 1, -1, -1):
        free -= s.clue[number].rules[1].size
        for k in range(s.clue[number].rules[1].size):
            variable = free[k] >> 1
            s.clue_starts[variable + 1] -= 1
            s.clues_of[s.clue_starts[variable + 1]] = number
    # What was the end of each variable is now its start.
    for variable in range(s.lines.num_variables):
        s.clue_starts[variable] = s.clue_starts[variable + 1]
    s.clue_starts[s.lines.num_variables] = <int>size
    return 0


# ---- For Python -----------------------------------------------------------------------------------

cdef enum:
    FIRST_LIMIT = 2000  # learned clauses before the first reduction
    RATE = 16  # steps of a search between two looks at the clock: up to some milliseconds


cdef class Engine:
    """Finds alternatives to the known solution of a board: see `linkoracle.search`.

    ``model`` is a `LinkModel`. ``true_ones`` are the variables, from 0, that are true in the known
    solution: its edges, and others that the model has. ``clues`` are pairs of literals and of the
    mask of the numbers of them that may be true, as in `linkoracle.board.Count`; by default the
    clue of each face is its number of edges in the known solution, and clues are called by their
    faces. ``order`` has all clues as they are assumed. The
    engine takes up to ``memory`` bytes, and forgets clauses when it has learned ``limit``, and then
    300 more each time.

    Raises ``ValueError`` for an order without every clue and for an invalid solution, and
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
        list clues: Sequence[Any] | None = None,
    ):
        cdef State *s = &self.s
        cdef int k
        cdef bint known = False
        if limit < 1:
            raise ValueError("expected a limit of clauses from 1")
        self.arrays = model.board.plane
        s.lines.plane = self.arrays.plane
        arena_open(&s.arena, memory)
        open_board(s, model, clues)
        self.check_clues(order)
        if order.shape[0] != s.num_clues:
            raise ValueError("expected an order of all faces")
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
        if clues is None:
            open_faces(s)
        else:
            open_clues(s, clues)
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

    cdef int check_clues(self, const int32_t[::1] clues) except -1:
        """Raise unless these are different clues."""
        cdef bytearray seen = bytearray(self.s.num_clues)
        cdef Py_ssize_t k
        for k in range(clues.shape[0]):
            if not 0 <= clues[k] < self.s.num_clues or seen[clues[k]]:
                raise ValueError("expected different faces of the board")
            seen[clues[k]] = 1
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
        cdef int clue
        if kept.shape[0] != self.s.num_clues:
            raise ValueError("expected one byte for each face")
        for clue in range(self.s.num_clues):
            if kept[clue] and not self.s.variable[self.s.matches + clue].known:
                raise ValueError("expected clues of the known solution")
            self.s.clue[clue].kept = KEPT if kept[clue] else FREE
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
        self.check_clues(faces)
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
        const int32_t[::1] soon: array[int] | None = None,
    ) -> bool | None:
        """Return whether an alternative has the clues that are not 0 in ``kept``.

        It must not have a clue of ``denied``, if there are any; none of them may be kept. Returns
        ``None`` after this number of ``conflicts``. Afterwards `core` has the clues that prove
        "no", or that the alternative changes, and `flips` its edges. Raises `SearchTimeout` and
        `MemoryLimit`, and can be called again.

        With ``soon``, the clues of the next queries, those are cheaper: what follows from all other
        clues stays.
        """
        cdef State *s = &self.s
        cdef Answer answer
        cdef Py_ssize_t k
        self.check_clues(denied)
        if soon is not None:
            self.check_clues(soon)
        self.enter()
        try:
            deadline.check()
            self.keep(kept)
            for k in range(denied.shape[0]):
                s.denied_clues[k] = denied[k]
            s.denied = denied.shape[0]
            s.queries += 1
            if soon is None:
                open_batch(s, 0)
            else:
                stay(s, &soon[0] if soon.shape[0] else NULL, soon.shape[0])
            watch_start(&s.lines.watch, deadline.seconds, RATE)
            with nogil:
                answer = search(s, conflicts, 0 if soon is None else 1)
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
        self.check_clues(order)
        self.enter()
        try:
            self.keep(kept)
            s.trials = s.next_trial = s.batch = 0
            for k in range(order.shape[0]):
                if s.clue[order[k]].fixed == NOT_FIXED:
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

    def holding(self) -> bytes:
        """Return a byte for each clue: whether the known solution has it."""
        return bytes([self.s.variable[self.s.matches + k].known for k in range(self.s.num_clues)])

    def core(self) -> list[int]:
        """Return the faces that prove the last "no", or that the last alternative changes."""
        self.check_idle()
        return [self.s.core[k] for k in range(self.s.core_size)]

    def fixed_clues(self, bint keep) -> list[int]:
        """Return the faces whose clues are fixed as kept, or else those fixed as removed."""
        cdef int fixed = FIXED_SHOWN if keep else FIXED_HIDDEN
        self.check_idle()
        return [k for k in range(self.s.num_clues) if self.s.clue[k].fixed == fixed]

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
        if not 0 <= face < s.num_clues:
            raise ValueError("expected a face of the board")
        first = s.clue[face].witness
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


def differing(dict one: dict[Any, Any], dict other: dict[Any, Any], int most) -> list[Any] | None:
    """Return the keys whose values differ between two dicts, or that one of them lacks.

    ``None`` for more than ``most`` keys. For two dicts that are nearly equal, in one pass.
    """
    cdef list found = []
    cdef PyObject *key
    cdef PyObject *value
    cdef PyObject *there
    cdef Py_ssize_t place = 0, shared = 0
    while PyDict_Next(one, &place, &key, &value):
        there = PyDict_GetItemWithError(other, <object>key)
        shared += there != NULL
        if there == value or (there != NULL and <object>there == <object>value):
            continue
        if len(found) == most:
            return None
        found.append(<object>key)
    if shared < len(other):
        if len(other) - shared > most - len(found):
            return None
        found += [name for name in other if name not in one]
    return found
