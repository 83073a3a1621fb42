"""A board during its deduction by rules: what is known, the steps that led there, and why.

Part of `deduction_kernel`.

Contents
    State        what is known, the steps that led there, and what each technique has tried
    Conclusions  from counts and from whole lines, in the order in which they take their turns
    Reasons      the facts from which a conclusion follows; the steps that refute a trial
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from linkoracle.board.plane_kernel cimport far_end
from linkoracle.core.kernels cimport Arena
from linkoracle.lines.lines cimport (
    APART, CYCLE, NONE, NO_REASON, RULE, UNKNOWN, Left, Lines, Path, Rule, Trail, Why, explain_rule,
    forget, is_line, learn, left_by, merge_paths, take_next, unlearn
)


# ---- State ---------------------------------------------------------------------------------------

#: The techniques, by their places in `linkoracle.deduce.deduction.TECHNIQUES`.
cdef enum:
    COUNT  # a rule leaves one choice
    END  # a line would close too early, or join different pairs
    CASES  # all ways to satisfy a clue agree
    CROSSING  # a closed curve is crossed an even number of times
    EXIT  # no line can get there and back
    CLUES  # all ways to satisfy two clues agree
    TRIAL  # otherwise a rule would be broken
    GUESS  # it is so in the solution

#: What states a rule.
cdef enum:
    AT_VERTEX  # how many lines a vertex has
    DEFINES  # that a vertex with lines is visited, and no other
    OF_KIND  # a rule of the kind
    OF_CLUE  # a clue, or a region
    OF_WHOLE  # a rule of the kind that has auxiliary variables, such as the order of numbers

#: Kinds of a `Why` beside those of `linkoracle.lines`.
cdef enum:
    TOO_LONG = 64  # a trial has decided as many literals as it may
    BY_CASES  # a group of rules
    BY_CLUES  # the same, and rules of clues that touch what it touches
    BY_STEP  # a step, which says more

cdef enum Round:  # what came of a technique
    NOTHING  # nothing new
    DECIDED  # some facts
    BROKEN  # a rule: there is no solution
    STOPPED  # no time, or Ctrl-C
    NO_MEMORY
    MORE  # a technique might find something if it tried for longer

cdef enum:
    NO_LIMIT = 1_000_000  # literals
    RATE = 16  # trials between two looks at the clock
    SHORT = 10  # literals: as far as two edges that lead out of an area are followed
    MOST_NODES = 160  # decisions in all ways to satisfy a clue
    TIERS = 8  # of cases, by the number of ways: of one clue, and then with those beside it
    CLEAN = 255  # in place of a tier: nothing to try
    LEVELS = 7  # of trials
    ON_PATH = 2  # a mark of a line on the path that the last early end closes


cdef struct Step:
    int32_t technique
    int32_t kind  # of its reason, as in `Why`
    int32_t index
    int32_t other  # the second clue, or NONE
    int32_t length  # of a trial: steps until a rule is broken
    int32_t ways  # of cases
    int32_t choices  # steps that were open
    bint taken  # whether its first fact has taken its turn


cdef struct Made:  # the step made last by a rule: all that it concludes in one turn is one step
    int32_t rule
    int32_t turn
    int32_t step
    int32_t late


cdef struct Tally:  # of the literals of a rule
    int32_t on  # true ones
    int32_t unknown


cdef struct Refuted:  # by a trial
    int32_t length
    int32_t literal  # the opposite of what was tried
    Why why  # a rule would be broken


cdef struct Past:  # the last trial of a literal, if no rule was broken
    uint8_t level  # 1 more than that of the trial; 0: there was none
    bint ended  # whether counts led no further
    int32_t size  # number of its items; NONE: it rests on all rules
    int32_t start  # where they stand, behind the literal and their number


cdef struct Level:  # of trials: those of a level are made where the levels before find nothing
    int32_t limit  # literals that a trial decides
    int32_t ways  # of cases within a trial, or 0
    bint wide  # whether these apply rules of clues beside them


cdef struct Link:  # what a clue says of two faces, of which the last number is the outside
    int32_t one
    int32_t other
    bint apart  # whether just one of them is inside the loop


cdef struct Lists:  # of numbers, one for each key
    int32_t *starts
    int32_t *items


cdef struct State:
    Lines lines  # the rules; the first ones have the edges of the vertices, in the board's order
    int shown  # variables that are edges, and visited vertices: only these are facts
    uint64_t allowed  # techniques, as bits
    int32_t *uses  # with `Lines.starts`: twice each rule that counts a variable; 1 more for "not"
    Tally *tallies  # by rule
    uint8_t *sorts  # by rule: what states it
    int32_t *fixed  # literals of forbidden and given edges
    int num_fixed
    uint8_t *holes  # by vertex: whether no line may use it
    # The rule that lines form one loop, or paths.
    int32_t *terminals  # two of each pair
    int num_terminals
    bint parted  # whether there are several pairs
    bint even  # whether all vertices but terminals have an even number of lines
    uint8_t *must  # by vertex: whether lines must visit it
    int num_must
    int32_t *met  # by number of chosen edges: how many such vertices these visit
    bint whole  # whether a path was seen to have all lines
    bint loose  # whether early ends are left out, to see what does without
    # Steps.
    bint records  # whether conclusions are made for good
    Step *steps
    int num_steps
    int current  # the step of a conclusion without a rule
    int32_t *step_of  # by variable; NONE for what is known from the beginning
    uint8_t *later  # by variable: how many rules after the one of its step
    Made made
    # Reasons.
    uint8_t *marked  # by variable; or `ON_PATH`
    int32_t *marks  # the variables that are marked
    int num_marks
    int32_t *stamps  # by rule, and then by group: the last search for reasons
    int stamp
    int *reasons  # what `explain_rule` writes
    # Cases.
    int num_groups
    Lists grouped  # by group: its rules
    Lists near  # by group: the rules that its cases apply
    Lists around  # by group: those of clues beside it
    Lists seen  # by variable: the groups whose cases it may change
    uint8_t *tiers  # by group: what to try next
    int32_t *nearby  # by rule: the last cases to which it is near
    int cases  # how many cases were tried
    bint is_near  # whether only rules near these cases are applied
    int32_t *agreed  # literals that all ways so far have
    int num_agreed
    uint8_t *agrees  # by literal
    int32_t *touched  # groups that a trial may change, if it has cases
    int num_touched
    uint8_t *is_touched
    bint touching
    int32_t *cased  # groups whose cases a trial went through
    int num_cased
    uint8_t *is_cased
    # Whole lines.
    int32_t *order  # by vertex: its number in a search
    int32_t *low  # the lowest number that its subtree reaches
    int32_t *path  # of vertices being searched
    int32_t *into  # by vertex: the edge by which it was reached
    int32_t *at  # by vertex: the next of its edges
    uint8_t *odd  # by vertex: whether its subtree has an odd number of ends of lines
    int32_t *edges  # of the search that are in no block yet
    int32_t *block_of  # by edge
    uint64_t *labels  # by edge: equal ones are cuts of two edges
    uint64_t *sums  # by vertex: of the labels of edges at its subtree
    Link *links  # between faces, by clues
    int num_links
    int32_t *parents  # by face, and the outside: of those whose sides are compared
    uint8_t *differs  # by face: whether its parent is on the other side
    int32_t *found  # literals
    int num_found
    # Trials.
    int32_t *waiting  # literals to be tried
    int num_waiting
    Refuted *refuted  # by the trials of the last level
    int num_refuted
    int next_refuted
    Past *past  # by literal
    int32_t *items  # that trials rest on: variables, then vertices, then groups, counted on
    int num_items
    int most_items  # their capacity
    uint8_t *changed  # by rule: whether the last steps change it
    uint8_t *affected  # by group: whether they change its cases
    int noted  # what was known at the last trials
    int joined
    Arena arena


# ---- Conclusions ---------------------------------------------------------------------------------
#
# A conclusion takes its turn once, in the order of the trail. Those that one rule draws in one turn
# are one step. What this forces at once by the number of lines at a vertex, or by a rule of the
# kind, belongs to the same step; so does whether a vertex is visited. All other conclusions make
# steps of their own.

cdef inline int add_step(State *s, int technique, int kind, int index) noexcept nogil:
    cdef Step *step = &s.steps[s.num_steps]
    step.technique, step.kind, step.index, step.other = technique, kind, index, NONE
    step.length, step.ways, step.choices, step.taken = 0, 0, 1, technique > END
    s.num_steps += 1
    return s.num_steps - 1


cdef inline void make(State *s, int rule, int step, int late) noexcept nogil:
    s.made = Made(rule, s.lines.trail.done, step, late)


cdef inline void place_step(State *s, int variable, Why why) noexcept nogil:
    """Note the step of a conclusion, which may be a new one."""
    cdef Rule *rule
    cdef int k, other, sort, step = NONE, late = 0
    cdef int mine = why.index if why.kind == RULE else -2 - why.kind
    if why.kind == NO_REASON or why.kind > TOO_LONG:
        s.step_of[variable], s.later[variable] = s.current, 0
        return
    if s.made.rule != mine or s.made.turn != s.lines.trail.done:
        if why.kind == RULE:
            rule, sort = &s.lines.rules[why.index], s.sorts[why.index]
            for k in range(rule.size):
                other = rule.literals[k] >> 1
                if s.lines.counted[2 * other] == UNKNOWN:
                    continue
                if s.step_of[other] > step:
                    step, late = s.step_of[other], s.later[other]
                elif s.step_of[other] == step and s.later[other] > late:
                    late = s.later[other]
            if step == NONE or sort >= OF_CLUE or (sort != DEFINES and late):
                make(s, mine, add_step(s, COUNT, RULE, why.index), 0)
            else:
                make(s, mine, step, late + (sort != DEFINES))
        else:
            make(s, mine, add_step(s, END, why.kind, variable), 0)
    s.step_of[variable], s.later[variable] = s.made.step, <uint8_t>s.made.late


cdef inline void conclude(State *s, int literal, Why why) noexcept nogil:
    if s.lines.trail.values[literal] == UNKNOWN:
        learn(&s.lines.trail, literal, why)
        if s.records:
            place_step(s, literal >> 1, why)


cdef inline bint apply(State *s, int number) noexcept nogil:
    """Draw the conclusions of a rule from its tally; False if it is broken."""
    cdef Rule *rule = &s.lines.rules[number]
    cdef Tally *tally = &s.tallies[number]
    cdef Left left = left_by(rule, tally.on, tally.unknown)
    cdef int k, literal
    if left.may_be_off & left.may_be_on:
        return True
    if left.fits and tally.unknown:
        for k in range(rule.size):
            literal = rule.literals[k]
            if s.lines.counted[literal] == UNKNOWN:
                conclude(s, literal ^ left.may_be_off, Why(RULE, number))
    return left.fits


cdef inline void count_uses(State *s, int literal) noexcept nogil:
    """Count a literal in its rules."""
    cdef int k
    for k in range(s.lines.starts[literal >> 1], s.lines.starts[(literal >> 1) + 1]):
        s.tallies[s.uses[k] >> 1].unknown -= 1
        s.tallies[s.uses[k] >> 1].on += (s.uses[k] ^ literal ^ 1) & 1


cdef inline Why apply_all(State *s, int literal) noexcept nogil:
    """Count a literal in its rules and draw their conclusions; return a conflict."""
    cdef int k, number
    count_uses(s, literal)
    for k in range(s.lines.starts[literal >> 1], s.lines.starts[(literal >> 1) + 1]):
        number = s.uses[k] >> 1
        if s.is_near and s.nearby[number] != s.cases:
            continue
        if not apply(s, number):
            return Why(RULE, number)
    return Why(NO_REASON, 0)


cdef inline bint has_all(State *s, int length) noexcept nogil:
    """Whether a path of this length has all lines, and visits all vertices that it must.

    While the path does not change, false stays false.
    """
    cdef int chosen = s.lines.num_chosen
    cdef bint whole = length == chosen and s.met[chosen] == s.num_must
    s.whole |= whole
    return whole


cdef inline void part_pairs(State *s, int here, int start) noexcept nogil:
    """Exclude edges by which a path from here to a terminal would join another pair."""
    cdef Lines *b = &s.lines
    cdef Rule *around = &b.rules[here]
    cdef int k, edge, end
    if b.mates[start] == NONE:
        return
    for k in range(around.size):
        edge = around.literals[k] >> 1
        end = b.ends.paths[far_end(&b.plane, edge, here)].end
        if b.mates[end] != NONE and end != start and end != b.mates[start]:
            conclude(s, 2 * edge + 1, Why(APART, b.trail.done))


cdef inline bint is_met(const State *s, int vertex) noexcept nogil:
    """Whether a vertex must be visited, and has no line yet."""
    return s.must[vertex] and s.lines.ends.paths[vertex].length == 0


cdef inline Why join_paths(State *s, int edge) noexcept nogil:
    """Draw the conclusions of a line, which joins two paths; return a conflict."""
    cdef Lines *b = &s.lines
    cdef Path *paths = b.ends.paths
    cdef int one = b.plane.ends[2 * edge], other = b.plane.ends[2 * edge + 1]
    cdef int first = paths[one].end, last = paths[other].end, length, k, beside
    s.met[b.num_chosen] = s.met[b.num_chosen - 1] + is_met(s, one) + is_met(s, other)
    if first == other and last == one:
        if b.loop and has_all(s, paths[one].length + 1):
            return Why(NO_REASON, 0)
        return Why(CYCLE, b.trail.done)
    if b.mates[first] != NONE and b.mates[last] != NONE and b.mates[first] != last:
        return Why(APART, b.trail.done)
    length = merge_paths(&b.ends, b.trail.done - 1, one, other)
    part_pairs(s, first, last)
    part_pairs(s, last, first)
    for k in range(b.plane.starts[first], b.plane.starts[first + 1]):
        beside = b.plane.edges[k]
        if far_end(&b.plane, beside, first) == last and b.counted[2 * beside] == UNKNOWN:
            if not (b.loop and has_all(s, length)):
                conclude(s, 2 * beside + 1, Why(CYCLE, b.trail.done))
    return Why(NO_REASON, 0)


cdef inline void note_taken(State *s, int variable) noexcept nogil:
    """Note that a fact takes its turn: its step was open among others, and cases may change."""
    cdef Step *step
    cdef int k
    if s.step_of[variable] != NONE:
        step = &s.steps[s.step_of[variable]]
        if not step.taken:
            step.taken, step.choices = True, s.num_steps - s.step_of[variable]
    for k in range(s.seen.starts[variable], s.seen.starts[variable + 1]):
        s.tiers[s.seen.items[k]] = 0


cdef inline void touch(State *s, int variable) noexcept nogil:
    """Note the groups whose cases a fact of a trial may change."""
    cdef int k, group
    for k in range(s.seen.starts[variable], s.seen.starts[variable + 1]):
        group = s.seen.items[k]
        if not s.is_touched[group]:
            s.is_touched[group] = True
            s.touched[s.num_touched] = group
            s.num_touched += 1


cdef inline Why follow(State *s, int limit) noexcept nogil:
    """Let all conclusions take their turns; return a conflict, or `TOO_LONG`.

    After a conflict the others are dropped.
    """
    cdef Trail *t = &s.lines.trail
    cdef int start = t.done, literal
    cdef Why why
    while t.done < t.known:
        if t.done - start >= limit:
            return Why(TOO_LONG, 0)
        literal = take_next(&s.lines)
        if s.records:
            note_taken(s, literal >> 1)
        elif s.touching:
            touch(s, literal >> 1)
        why = apply_all(s, literal)
        if why.kind == NO_REASON and is_line(&s.lines, literal) and not s.loose:
            why = join_paths(s, literal >> 1)
        if why.kind != NO_REASON:
            unlearn(t, t.done)
            return why
    return Why(NO_REASON, 0)


cdef inline Why decide(State *s, int literal, int limit) noexcept nogil:
    """Decide an open literal, and all that follows; return what `follow` does."""
    conclude(s, literal, Why(NO_REASON, 0))
    return follow(s, limit)


cdef inline void take_back(State *s, int known) noexcept nogil:
    """Undo all literals after the given number of first ones."""
    cdef int place, k, literal
    for place in range(known, s.lines.trail.done):
        literal = s.lines.trail.literals[place]
        for k in range(s.lines.starts[literal >> 1], s.lines.starts[(literal >> 1) + 1]):
            s.tallies[s.uses[k] >> 1].unknown += 1
            s.tallies[s.uses[k] >> 1].on -= (s.uses[k] ^ literal ^ 1) & 1
    forget(&s.lines, known)


cdef inline bint begin(State *s) noexcept nogil:
    """Deduce what follows from fixed literals and all rules; False if a rule is broken."""
    cdef int k
    cdef bint fits = True
    # These are known from the beginning, and so are no steps.
    s.records = False
    for k in range(s.num_fixed):
        conclude(s, s.fixed[k], Why(NO_REASON, 0))
    for k in range(s.lines.plane.num_vertices):
        if s.holes[k]:
            fits = fits and apply(s, k)
    for k in range(s.lines.trail.done, s.lines.trail.known):
        s.lines.trail.causes[s.lines.trail.literals[k] >> 1].why = Why(NO_REASON, 0)
        s.step_of[s.lines.trail.literals[k] >> 1] = NONE
    s.records = True
    make(s, NONE, NONE, 0)
    if s.parted:
        for k in range(s.num_terminals):
            part_pairs(s, s.terminals[k], s.terminals[k])
    for k in range(s.lines.num_rules):
        fits = fits and apply(s, k)
    if not fits:
        unlearn(&s.lines.trail, s.lines.trail.done)
        return False
    memset(s.past, 0, 2 * <size_t>s.shown * sizeof(Past))
    memset(s.tiers, 0, s.num_groups)
    return follow(s, NO_LIMIT).kind == NO_REASON


# ---- Reasons -------------------------------------------------------------------------------------
#
# A conclusion follows from a rule and from facts known before. Where a trial ends in a broken rule,
# its length is the number of rules by which that follows from what was tried; others that were
# applied on the way do not count.

cdef inline void mark(State *s, int variable) noexcept nogil:
    if not s.marked[variable]:
        s.marked[variable] = True
        s.marks[s.num_marks] = variable
        s.num_marks += 1


cdef inline void unmark_all(State *s) noexcept nogil:
    cdef int k
    for k in range(s.num_marks):
        s.marked[s.marks[k]] = False
    s.num_marks = 0


cdef inline bint is_before(const State *s, int variable, int limit) noexcept nogil:
    """Whether a variable was known before a place on the trail."""
    cdef const Trail *t = &s.lines.trail
    return t.values[2 * variable] != UNKNOWN and t.causes[variable].place < limit


cdef inline int mark_path(State *s, int edge, int vertex, int limit) noexcept nogil:
    """Mark the lines of the path from a vertex on, away from an edge at it; how many they are."""
    cdef Lines *b = &s.lines
    cdef int k, steps, following, previous = edge, length = 0
    for steps in range(b.plane.num_edges + 2):
        following = NONE
        for k in range(b.plane.starts[vertex], b.plane.starts[vertex + 1]):
            if b.plane.edges[k] != previous and b.trail.values[2 * b.plane.edges[k]] == 1:
                if is_before(s, b.plane.edges[k], limit):
                    following = b.plane.edges[k]
                    break
        if following == edge:
            break
        if following != NONE:
            mark(s, following)
            s.marked[following] = ON_PATH
            length += 1
            vertex = far_end(&b.plane, following, vertex)
            previous = following
        elif s.parted or s.num_terminals == 0 or previous == NONE:
            break
        elif vertex == s.terminals[0] or vertex == s.terminals[1]:
            # On from the other end of the only path.
            vertex = s.terminals[0] + s.terminals[1] - vertex
            previous = NONE
        else:
            break
    return length


cdef inline void mark_known(
    State *s, const Lists *rules, int group, int limit
) noexcept nogil:
    """Mark what was known in the rules of a group."""
    cdef int k, i
    cdef Rule *rule
    for k in range(rules.starts[group], rules.starts[group + 1]):
        rule = &s.lines.rules[rules.items[k]]
        for i in range(rule.size):
            if is_before(s, rule.literals[i] >> 1, limit):
                mark(s, rule.literals[i] >> 1)


cdef inline void mark_reason(State *s, Why why, int variable, int limit) noexcept nogil:
    """Mark what a conclusion about a variable, or a conflict (NONE), follows from."""
    cdef Lines *b = &s.lines
    cdef int k, found, edge = variable
    if why.kind == RULE:
        found = explain_rule(b, &b.rules[why.index], variable, limit, s.reasons)
        for k in range(found):
            mark(s, s.reasons[k] >> 1)
    elif why.kind == CYCLE or why.kind == APART:
        # Later lines are no part of the path, although they may have been queued before.
        limit = why.index
        if variable == NONE:
            edge = b.trail.literals[limit - 1] >> 1
            mark(s, edge)
        mark_path(s, edge, b.plane.ends[2 * edge], limit)
        found = mark_path(s, edge, b.plane.ends[2 * edge + 1], limit)
        if why.kind == CYCLE and b.loop and s.num_must <= found + 1:
            # Some other line shows that this loop would not be all; else a vertex does.
            for k in range(b.num_chosen):
                if b.chosen[k] not in (NONE, edge) and s.marked[b.chosen[k]] != ON_PATH:
                    if is_before(s, b.chosen[k], limit):
                        mark(s, b.chosen[k])
                        break
    elif why.kind == BY_CASES or why.kind == BY_CLUES:
        mark_known(s, &s.near, why.index, limit)
        if why.kind == BY_CLUES:
            mark_known(s, &s.around, why.index, limit)


cdef inline int length_of(State *s, Why why, int start) noexcept nogil:
    """How many rules lead from what was tried, at a place on the trail, to a conflict."""
    cdef Trail *t = &s.lines.trail
    cdef int place, variable, number, length = 0
    cdef Why cause
    s.stamp += 1
    mark_reason(s, why, NONE, t.done)
    for place in range(t.done - 1, start, -1):
        variable = t.literals[place] >> 1
        if not s.marked[variable]:
            continue
        cause = t.causes[variable].why
        number = cause.index if cause.kind == RULE else s.lines.num_rules + cause.index
        if cause.kind != RULE and cause.kind != BY_CASES:
            length += 1
        elif s.stamps[number] != s.stamp:
            s.stamps[number] = s.stamp
            length += cause.kind != RULE or s.sorts[number] != DEFINES
        mark_reason(s, cause, variable, place)
    unmark_all(s)
    return max(1, length)


cdef inline void gather(State *s, int number) noexcept nogil:
    """Mark what a step follows from, by rules and by cases: facts before it, and its own ones."""
    cdef Trail *t = &s.lines.trail
    cdef int place, variable, first = NONE, k = 0
    cdef Why why
    for place in range(t.done):
        variable = t.literals[place] >> 1
        if s.step_of[variable] == number:
            first = place if first == NONE else first
            why = t.causes[variable].why
            mark_reason(s, why, variable, first if why.kind >= BY_CASES else place)
    while k < s.num_marks:
        variable = s.marks[k]
        if variable >= s.shown:
            # Means nothing to a player: what it follows from does.
            mark_reason(s, t.causes[variable].why, variable, t.causes[variable].place)
        k += 1


cdef inline void put(State *s, int literal) noexcept nogil:
    """Make a literal known without conclusions."""
    cdef Lines *b = &s.lines
    cdef int one, other, edge = literal >> 1
    if b.counted[literal] != UNKNOWN:
        return
    learn(&b.trail, literal, Why(NO_REASON, 0))
    take_next(b)
    count_uses(s, literal)
    if is_line(b, literal):
        one, other = b.plane.ends[2 * edge], b.plane.ends[2 * edge + 1]
        s.met[b.num_chosen] = s.met[b.num_chosen - 1] + is_met(s, one) + is_met(s, other)
        if b.ends.paths[one].end != other or b.ends.paths[other].end != one:
            merge_paths(&b.ends, b.trail.done - 1, one, other)


cdef inline void put_all(State *s, const int32_t *literals, int number) noexcept nogil:
    """Forget everything, and make literals known, besides that no line is at a hole."""
    cdef Lines *b = &s.lines
    cdef int k, vertex
    s.records = False
    take_back(s, 0)
    for vertex in range(b.plane.num_vertices):
        if s.holes[vertex]:
            for k in range(b.plane.starts[vertex], b.plane.starts[vertex + 1]):
                put(s, 2 * b.plane.edges[k] + 1)
    for k in range(number):
        put(s, literals[k])
