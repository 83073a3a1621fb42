"""`Steps`: deduction for any model from counts, whole lines and probes, step by step.

`linkoracle.deduce.deduction` says what the steps mean to a player. The rules of a model, what is known
of its variables, and the paths of its lines are those of `linkoracle.lines`. Players and engines
differ in two ways. A conclusion takes its turn in a queue and counts only from then on: the length
of the queue is the choice that a player has. And a loop that misses a vertex, or leaves out a line,
closes too early, before any rule shows it.

Contents
    State        what is known, the steps that led there, and the last probe of each literal
    Conclusions  from counts and from whole lines, in the order in which they take their turns
    Probes       of all open edges; what a probe rests on, so that none is repeated in vain
    For Python   `Steps`
"""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t
from libc.stdlib cimport qsort
from libc.string cimport memmove, memset

from linkoracle.board.plane_kernel cimport PlaneArrays, far_end
from linkoracle.core.kernels cimport (
    Arena, arena_close, arena_error, arena_open, arena_take, watch_raise, watch_start, watch_stops
)
from linkoracle.lines.lines cimport (
    APART, CYCLE, NONE, NO_REASON, RULE, UNKNOWN, Left, Lines, Path, Rule, Trail, Why, close_ends,
    forget, grown, is_line, learn, left_by, merge_paths, open_lines, signed, take_next, unlearn
)

from collections.abc import Collection

from linkoracle.core.limits import Deadline
from linkoracle.core.limits import limit_for


# ---- State ---------------------------------------------------------------------------------------

#: What decided a step, easiest first: `linkoracle.deduce.deduction.TECHNIQUES`, and a guess.
cdef enum:
    COUNT  # a rule leaves one choice
    END  # a line would close too early, or join different pairs
    TRIAL = 6  # otherwise a rule would be broken
    GUESS  # it is so in the solution

#: Kinds of a `Why` beside those of `linkoracle.lines`.
cdef enum:
    TOO_LONG = 64  # a probe has decided as many literals as it may

cdef enum Round:  # what came of probing
    NOTHING  # nothing new
    DECIDED  # some edges are decided
    BROKEN  # and that breaks a rule: there is no solution
    STOPPED  # no time, or Ctrl-C
    NO_MEMORY

cdef enum:
    NO_LIMIT = 1_000_000  # literals
    ENDED = 1 << 30  # in place of a limit: a probe came to its end
    RATE = 16  # probes between two looks at the clock


cdef struct Step:
    int32_t literal
    int32_t technique
    int32_t rule  # that decides it, or would be broken; NONE: lines form one loop, or paths
    int32_t length  # of a probe: literals that it decides until a rule is broken
    int32_t choices  # equally easy steps


cdef struct Tally:  # of the literals of a rule
    int32_t on  # true ones
    int32_t unknown


cdef struct Refuted:  # by a probe
    int32_t length
    int32_t literal  # the opposite of what was probed
    Why why  # a rule would be broken


cdef struct Past:  # the last probe of a literal, if no rule was broken
    int32_t limit  # of that probe, or `ENDED`; 0: there was none
    int32_t size  # number of its items; NONE: it rests on all rules
    int32_t start  # where they stand, behind the literal and their number


cdef struct State:
    Lines lines  # the rules; the first ones have the edges of the vertices, in the board's order
    int shown  # variables that are edges, and visited vertices: only these make steps
    int32_t *uses  # with `Lines.starts`: twice each rule that counts a variable; 1 more for "not"
    Tally *tallies  # by rule
    int32_t *fixed  # literals of forbidden and given edges
    int num_fixed
    # The queue: the end of the trail, from which no conclusions are drawn yet.
    int32_t *turns  # by variable: conclusions before the one that gave its value
    int32_t concluded  # number of conclusions, of which many repeat another
    # The rule that lines form one loop, or paths.
    int32_t *terminals  # of several pairs, two each
    int num_terminals
    uint8_t *must  # by vertex: whether lines must visit it
    int num_must
    int32_t *met  # by number of chosen edges: how many such vertices these visit
    bint whole  # whether a path was seen to have all lines
    # Steps and probes.
    Step *steps
    int num_steps
    int32_t *waiting  # literals to be probed
    int num_waiting
    Refuted *refuted  # by the probes of this round
    int num_refuted
    Past *past  # by literal
    int32_t *items  # that probes rest on: variables, and vertices counted after them
    int num_items
    int most_items  # their capacity
    uint8_t *changed  # by rule: whether the last steps change it
    Arena arena


# ---- Conclusions ---------------------------------------------------------------------------------
#
# A conclusion takes its turn once, in the order of the trail. It is counted as often as it is drawn,
# since each time is another reason for a player to see it.

cdef inline void conclude(State *s, int literal, Why why) noexcept nogil:
    if s.lines.trail.values[literal] == UNKNOWN:
        s.turns[literal >> 1] = s.concluded
        learn(&s.lines.trail, literal, why)
    s.concluded += 1


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


cdef inline Why apply_all(State *s, int literal) noexcept nogil:
    """Count a literal in its rules and draw their conclusions; return a conflict."""
    cdef int k, first = s.lines.starts[literal >> 1], end = s.lines.starts[(literal >> 1) + 1]
    for k in range(first, end):
        s.tallies[s.uses[k] >> 1].unknown -= 1
        s.tallies[s.uses[k] >> 1].on += (s.uses[k] ^ literal ^ 1) & 1
    for k in range(first, end):
        if not apply(s, s.uses[k] >> 1):
            return Why(RULE, s.uses[k] >> 1)
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
            conclude(s, 2 * edge + 1, Why(APART, 0))


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
        return Why(CYCLE, 0)
    if b.mates[first] != NONE and b.mates[last] != NONE and b.mates[first] != last:
        return Why(APART, 0)
    length = merge_paths(&b.ends, b.trail.done - 1, one, other)
    part_pairs(s, first, last)
    part_pairs(s, last, first)
    for k in range(b.plane.starts[first], b.plane.starts[first + 1]):
        beside = b.plane.edges[k]
        if far_end(&b.plane, beside, first) == last and b.counted[2 * beside] == UNKNOWN:
            if not (b.loop and has_all(s, length)):
                conclude(s, 2 * beside + 1, Why(CYCLE, 0))
    return Why(NO_REASON, 0)


cdef inline void add_step(
    State *s, int literal, int technique, Why why, int length, int choices
) noexcept nogil:
    cdef Step *step = &s.steps[s.num_steps]
    step.literal, step.technique, step.length, step.choices = literal, technique, length, choices
    step.rule = why.index if why.kind == RULE else NONE
    s.num_steps += 1


cdef inline Why follow(State *s, int limit, bint records) noexcept nogil:
    """Let all conclusions take their turns; return a conflict, or `TOO_LONG`.

    ``records``, those with a reason become steps. After a conflict the others are dropped.
    """
    cdef Trail *t = &s.lines.trail
    cdef int start = t.done, literal
    cdef Why why
    while t.done < t.known:
        if t.done - start >= limit:
            return Why(TOO_LONG, 0)
        literal = take_next(&s.lines)
        why = t.causes[literal >> 1].why
        if records and why.kind != NO_REASON and literal >> 1 < s.shown:
            add_step(
                s, literal, COUNT if why.kind == RULE else END, why, 0,
                s.concluded - s.turns[literal >> 1],
            )
        why = apply_all(s, literal)
        if why.kind == NO_REASON and is_line(&s.lines, literal):
            why = join_paths(s, literal >> 1)
        if why.kind != NO_REASON:
            unlearn(t, t.done)
            return why
    return Why(NO_REASON, 0)


cdef inline Why decide(State *s, int literal, int limit, bint records) noexcept nogil:
    """Decide an open literal, and all that follows; return what `follow` does."""
    s.concluded = 0
    conclude(s, literal, Why(NO_REASON, 0))
    return follow(s, limit, records)


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
    s.concluded = 0
    for k in range(s.num_fixed):
        conclude(s, s.fixed[k], Why(NO_REASON, 0))
    for k in range(s.num_terminals):
        part_pairs(s, s.terminals[k], s.terminals[k])
    for k in range(s.lines.num_rules):
        fits = fits and apply(s, k)
    # All these are known from the beginning, and so are no steps.
    for k in range(s.lines.trail.done, s.lines.trail.known):
        s.lines.trail.causes[s.lines.trail.literals[k] >> 1].why = Why(NO_REASON, 0)
    if not fits:
        unlearn(&s.lines.trail, s.lines.trail.done)
        return False
    memset(s.past, 0, 2 * <size_t>s.lines.plane.num_edges * sizeof(Past))
    s.num_items = 0
    return follow(s, NO_LIMIT, True).kind == NO_REASON


# ---- Probes --------------------------------------------------------------------------------------
#
# A probe decides one literal, and follows until a rule is broken. It rests on the rules that count
# the variables that it decides, and on those of the ends of paths that it joins: another line there
# changes the path. So a probe that broke no rule is repeated only after a step changed one of these.
# Where a path has all lines it rests on all rules, and so does a path between one of several pairs.

#
# The items of a probe stand behind its literal and their number. Where a literal was probed again,
# its former items are garbage until the next steps.

cdef inline bint note_past(State *s, int literal, int limit, int start, int joined) noexcept nogil:
    """Note that a probe broke no rule: from a place on the trail on, and of the changes of paths.

    False if memory is full.
    """
    cdef Lines *b = &s.lines
    cdef Past *past = &s.past[literal]
    cdef int size = b.trail.done - start + b.ends.changed - joined, place
    cdef int32_t *item
    past.limit, past.start, past.size = limit, NONE, NONE
    if s.whole or s.num_terminals:
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
    return True


cdef inline bint is_changed(const State *s, int item) noexcept nogil:
    """Whether the last steps change a rule of an item."""
    cdef int k
    if item >= s.lines.num_variables:
        # The first rules are those of vertices.
        return s.changed[item - s.lines.num_variables]
    for k in range(s.lines.starts[item], s.lines.starts[item + 1]):
        if s.changed[s.uses[k] >> 1]:
            return True
    return False


cdef inline void note_changes(State *s, int start, int joined) noexcept nogil:
    """Mark the rules that steps changed: from a place on the trail on, and of the changes of paths."""
    cdef Lines *b = &s.lines
    cdef int place, variable, k
    memset(s.changed, 0, b.num_rules)
    for place in range(start, b.trail.done):
        variable = b.trail.literals[place] >> 1
        for k in range(b.starts[variable], b.starts[variable + 1]):
            s.changed[s.uses[k] >> 1] = True
    for place in range(joined, b.ends.changed):
        s.changed[b.ends.changes[place].vertex] = True


cdef inline void forget_probes(State *s) noexcept nogil:
    """Forget the probes that rest on a rule which the last steps changed."""
    cdef int literal, place = 0, kept = 0, size, k
    cdef int32_t *item
    cdef bint goes
    for literal in range(2 * s.lines.plane.num_edges):
        if s.whole or s.past[literal].size == NONE:
            s.past[literal].limit = 0
    while place < s.num_items:
        item = s.items + place
        literal, size = item[0], item[1]
        if s.past[literal].limit and s.past[literal].start == place:
            goes = False
            for k in range(2, size + 2):
                if is_changed(s, item[k]):
                    goes = True
                    break
            if goes:
                s.past[literal].limit = 0
            else:
                memmove(s.items + kept, item, (<size_t>size + 2) * sizeof(int32_t))
                s.past[literal].start = kept
                kept += size + 2
        place += size + 2
    s.num_items = kept


cdef inline int probe(State *s, int literal, int limit) noexcept nogil:
    """Probe a literal; return the limit of the probe, `ENDED`, `BROKEN`, or NONE without memory."""
    cdef int start = s.lines.trail.done, joined = s.lines.ends.changed
    cdef Refuted *refuted = &s.refuted[s.num_refuted]
    cdef Why why
    cdef bint fits = True
    s.whole = False
    why = decide(s, literal, limit, False)
    if why.kind == NO_REASON:
        limit = ENDED
    if why.kind == NO_REASON or why.kind == TOO_LONG:
        fits = note_past(s, literal, limit, start, joined)
    else:
        limit = ENDED
        refuted.length, refuted.literal = s.lines.trail.done - start, literal ^ 1
        refuted.why = why
        s.num_refuted += 1
    take_back(s, start)
    return limit if fits else NONE


cdef int by_length(const void *one, const void *other) noexcept nogil:
    """Compare refuted literals: shorter probes first, then by variable, the last crosses first."""
    cdef const Refuted *a = <const Refuted *>one
    cdef const Refuted *b = <const Refuted *>other
    if a.length != b.length:
        return a.length - b.length
    return signed(a.literal) - signed(b.literal)


cdef inline Round probe_waiting(State *s, int limit) noexcept nogil:
    """Probe open edges, and apply the results, shortest first.

    Leaves in `waiting` the literals that take more than ``limit``.
    """
    cdef int k, literal, reached, left = 0, start, joined
    cdef Refuted *refuted
    s.num_refuted = 0
    for k in range(s.num_waiting):
        literal = s.waiting[k]
        if watch_stops(&s.lines.watch):
            return STOPPED
        if s.lines.counted[literal] != UNKNOWN:
            continue
        reached = s.past[literal].limit
        if reached < limit:
            reached = probe(s, literal, limit)
        if reached == NONE:
            return NO_MEMORY
        if reached < ENDED:
            s.waiting[left] = literal
            left += 1
    s.num_waiting = left
    if s.num_refuted == 0:
        return NOTHING
    qsort(s.refuted, s.num_refuted, sizeof(Refuted), by_length)
    start, joined = s.lines.trail.done, s.lines.ends.changed
    s.whole = False
    for k in range(s.num_refuted):
        refuted = &s.refuted[k]
        if s.lines.counted[refuted.literal] == UNKNOWN:
            add_step(s, refuted.literal, TRIAL, refuted.why, refuted.length, k + 1)
            if decide(s, refuted.literal, NO_LIMIT, True).kind != NO_REASON:
                return BROKEN
    note_changes(s, start, joined)
    forget_probes(s)
    return DECIDED


cdef inline Round probe_all(State *s) noexcept nogil:
    """Probe all open edges: each limit is used where those before it find nothing."""
    cdef int *limits = [4, 10, 25, NO_LIMIT]
    cdef int literal, k
    cdef Round found = NOTHING
    s.num_waiting = 2 * s.lines.plane.num_edges
    for literal in range(s.num_waiting):
        s.waiting[literal] = literal
    for k in range(4):
        if found == NOTHING:
            found = probe_waiting(s, limits[k])
    return found


cdef inline bint guess(State *s, const uint8_t *solution) noexcept nogil:
    """Decide the edge that decides most others, as in a solution; False if stopped before."""
    cdef int edge, literal, length, most = 0, best = NONE, start = s.lines.trail.done
    for edge in range(s.lines.plane.num_edges):
        if watch_stops(&s.lines.watch):
            return False
        literal = 2 * edge + (not solution[edge])
        if s.lines.counted[literal] != UNKNOWN:
            continue
        decide(s, literal, NO_LIMIT, False)
        length = s.lines.trail.done - start
        take_back(s, start)
        if length > most or length == most and signed(literal) > signed(best):
            most, best = length, literal
    if best != NONE:
        add_step(s, best, GUESS, Why(NO_REASON, 0), 0, 1)
        decide(s, best, NO_LIMIT, True)
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


cdef class Steps:
    """What is known of the edges of a `LinkModel`, and the steps that led there.

    Methods that may take long have a deadline, at which they raise `SearchTimeout`: the steps until
    then stay. Raises ``RuntimeError`` if two threads use one object at the same time, and
    `MemoryLimit`.
    """

    cdef PlaneArrays arrays  # of the board's plane
    cdef State state
    cdef bint busy

    def __cinit__(self, model: LinkModel, *options: object):
        cdef State *s = &self.state
        cdef Lines *b = &s.lines
        cdef Arena *arena = &s.arena
        cdef int k, number, variable, edges
        arena_open(arena, limit_for(model.board.num_edges))
        self.arrays = model.board.plane
        b.plane = self.arrays.plane
        open_lines(b, arena, model, 0)
        order_edges(b, model.board)
        edges = b.plane.num_edges
        s.shown = min(b.num_variables, edges + b.plane.num_vertices)
        s.uses = <int32_t *>arena_take(arena, b.starts[b.num_variables], sizeof(int32_t))
        s.tallies = <Tally *>arena_take(arena, b.num_rules, sizeof(Tally))
        k = len(model.forbidden) + len(model.given)
        s.fixed = <int32_t *>arena_take(arena, k, sizeof(int32_t))
        s.turns = <int32_t *>arena_take(arena, b.num_variables, sizeof(int32_t))
        s.terminals = <int32_t *>arena_take(arena, 2 * len(model.terminals), sizeof(int32_t))
        s.must = <uint8_t *>arena_take(arena, b.plane.num_vertices, 1)
        s.met = <int32_t *>arena_take(arena, <size_t>edges + 2, sizeof(int32_t))
        s.steps = <Step *>arena_take(arena, s.shown, sizeof(Step))
        s.waiting = <int32_t *>arena_take(arena, 2 * <size_t>edges, sizeof(int32_t))
        s.refuted = <Refuted *>arena_take(arena, 2 * <size_t>edges, sizeof(Refuted))
        s.past = <Past *>arena_take(arena, 2 * <size_t>edges, sizeof(Past))
        s.changed = <uint8_t *>arena_take(arena, b.num_rules, 1)
        b.counted = <int8_t *>arena_take(arena, 2 * <size_t>b.num_variables, 1)
        if arena.refused:
            arena_error(arena, "the deduction")
        memset(b.counted, UNKNOWN, 2 * <size_t>b.num_variables)
        # Like `Lines.ruled`, with signs. Until then `turns` counts the rules of each variable.
        for number in range(b.num_rules):
            s.tallies[number].unknown = b.rules[number].size
            for k in range(b.rules[number].size):
                variable = b.rules[number].literals[k] >> 1
                s.uses[b.starts[variable] + s.turns[variable]] = (
                    2 * number + (b.rules[number].literals[k] & 1)
                )
                s.turns[variable] += 1
        if len(model.terminals) == 1:
            close_ends(b, model.terminals[0][0], model.terminals[0][1])
        else:
            for pair in model.terminals:
                for end in pair:
                    s.terminals[s.num_terminals] = end
                    s.num_terminals += 1
        for k in range(b.plane.num_vertices):
            # The ends of a single path count as visited.
            s.must[k] = not model.degrees[k] & 1 and b.ends.paths[k].length == 0
            s.num_must += s.must[k]
        for sign, fixed in ((1, model.forbidden), (0, model.given)):
            for edge in fixed:
                if not 0 <= edge < edges:
                    raise ValueError("expected edges of the board")
                s.fixed[s.num_fixed] = 2 * edge + sign
                s.num_fixed += 1

    def __dealloc__(self):
        arena_close(&self.state.arena)

    cdef int start(self, object deadline) except -1:
        """Begin work that ends with `finish`."""
        if self.busy:
            raise RuntimeError("a deduction serves one thread at a time")
        deadline.check()
        self.busy = True
        watch_start(&self.state.lines.watch, deadline.seconds, RATE)
        return 0

    cdef int finish(self, object deadline) except -1:
        self.busy = False
        return watch_raise(&self.state.lines.watch, deadline)

    def begin(self, deadline: Deadline) -> bool:
        """Deduce what follows from the rules without probes; False if there is no solution."""
        cdef bint fits
        self.start(deadline)
        with nogil:
            fits = begin(&self.state)
        self.finish(deadline)
        return fits

    def probe(self, deadline: Deadline) -> bool | None:
        """Probe the open edges; return whether some are decided, ``None`` if a rule is broken then.

        O(edges) probes; those that broke no rule before are repeated only where it may help.
        """
        cdef Round found
        self.start(deadline)
        with nogil:
            found = probe_all(&self.state)
        self.finish(deadline)
        if found == NO_MEMORY:
            arena_error(&self.state.arena, "the deduction")
        return None if found == BROKEN else found == DECIDED

    def guess(self, solution: Collection[int], deadline: Deadline) -> None:
        """Decide the edge that decides most others, with its value in a solution.

        For a player this is a guess, or a long argument: no probe found it.
        """
        cdef bytearray on = bytearray(self.state.lines.plane.num_edges)
        cdef const uint8_t *known = <const uint8_t *>on
        for edge in solution:
            on[edge] = 1
        self.start(deadline)
        with nogil:
            guess(&self.state, known)
        self.finish(deadline)

    def steps_from(self, first: int) -> list[tuple[int, int, int, int, int]]:
        """Return the steps from a number on.

        Each is a literal, as in `linkoracle.board.constraints`; the index of its technique; the
        rule that decides it or would be broken, -1 for that of one loop or paths; for a probe, how
        many literals it decides until then; and the number of steps that were as easy.
        """
        cdef Step *step
        cdef Py_ssize_t at
        cdef list found = []
        for at in range(max(0, first), self.state.num_steps):
            step = &self.state.steps[at]
            found.append(
                (signed(step.literal), step.technique, step.rule, step.length, step.choices)
            )
        return found

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
