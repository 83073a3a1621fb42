"""All techniques together, and guesses.

A function that returns False has met a contradiction, or was stopped: then `State.watch` says so,
and the board must be undone, because a stopped guess looks like one that failed.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy

from linkoracle.core.watch cimport watch_stops
from linkoracle.deduce.kernel.blocks cimport free_cell, note_windows, survey
from linkoracle.deduce.kernel.drawing cimport fail, next_waiting, put, undo, wait
from linkoracle.deduce.kernel.links cimport beside, corner, empty, follow
from linkoracle.deduce.kernel.local cimport (
    check_ends, clue, conclude, cross_out, dot, look, loop, parity, patterns, turn
)
from linkoracle.deduce.kernel.notes cimport catch_up
from linkoracle.deduce.kernel.paths cimport pockets
from linkoracle.deduce.kernel.routes cimport accesses, passages
from linkoracle.deduce.kernel.sides cimport colour, regions, shade
from linkoracle.deduce.kernel.state cimport (
    ACCESS, BESIDE, BLOCK, BLOCKS, CELLS, CLUE, COLOUR, CORNER, DOT, EITHER, EMPTY, LOOP, NOWHERE,
    PARITY, PASSAGE, PATTERN_KINDS, POCKET, REACH, REFUTED, REGION, SHADE, SITES, SQUARE, SQUARES,
    STATIC, TECHNIQUES, UNIQUE, WIDE, WINDOW, Edge, Frame, State, is_open
)


cdef inline bint uses_notes(int technique) noexcept nogil:
    """Return whether a technique works on notes."""
    return technique in (BESIDE, CORNER, EMPTY, PASSAGE, ACCESS)


cdef inline bint is_behind(Frame *f, State *s, int technique) noexcept nogil:
    """Return whether something has changed that a technique has not processed."""
    if technique == STATIC:
        return s.n.statics_seen < f.layout.statics
    if s.n.heads[technique] < s.trail.known:
        return True
    if technique == REGION:
        return s.n.merges_seen < s.n.merges
    if uses_notes(technique):
        return s.n.notes_seen[technique] < s.n.notes
    if technique == SHADE:
        return s.n.waiting[SITES] > 0
    if technique == WINDOW:
        return s.n.waiting[SQUARES] > 0
    if technique == WIDE:
        return s.n.waiting[BLOCKS] > 0
    return technique == UNIQUE and s.n.waiting[CELLS] > 0


cdef inline int first_behind(Frame *f, State *s) noexcept nogil:
    """Return the first technique that is behind, -1 for none."""
    cdef uint8_t *enabled = f.enabled[s.n.in_guess > 0]
    cdef int technique
    for technique in range(TECHNIQUES):
        if enabled[technique] and is_behind(f, s, technique):
            return technique
    return -1


cdef inline bint apply_clues(Frame *f, State *s, Edge *edge) noexcept nogil:
    cdef int k
    for k in range(2):
        if edge.sides[k] < f.faces and not clue(f, s, edge.sides[k]):
            return False
    return True


cdef inline void note_cells(Frame *f, State *s, int edge) noexcept nogil:
    """Let the cells of an edge wait that might be flipped."""
    cdef int index
    for index in range(f.cells.start[edge], f.cells.start[edge + 1]):
        if f.flips[f.cells.found[index]]:
            wait(s, CELLS, f.cells.found[index])


cdef inline bint apply_notes(Frame *f, State *s, int technique) noexcept nogil:
    """Let a technique process the notes, once these are up to date."""
    cdef int trail = s.trail.known
    if not catch_up(f, s):
        return False
    if s.trail.known > trail:
        # Earlier techniques may find a step.
        return True
    s.n.heads[technique] = s.trail.known
    s.n.notes_seen[technique] = s.n.notes
    if technique == BESIDE:
        return beside(f, s)
    if technique == CORNER:
        return corner(f, s)
    if technique == EMPTY:
        return empty(f, s)
    return passages(f, s) if technique == PASSAGE else accesses(f, s)


cdef inline bint apply_technique(Frame *f, State *s, int technique) noexcept nogil:
    """Let a technique process the next change."""
    cdef int at = s.n.heads[technique], instance
    cdef Edge *edge
    cdef int32_t *ends
    if technique == STATIC:
        instance = f.layout.static[s.n.statics_seen]
        s.n.statics_seen += 1
        return s.missing[instance] > 0 or conclude(f, s, instance, STATIC)
    if technique == POCKET or technique == REGION:
        # These process the whole board.
        s.n.heads[technique] = s.trail.known
        s.n.merges_seen = s.n.merges
        return pockets(f, s) if technique == POCKET else regions(f, s)
    if technique == BESIDE and at < s.trail.known:
        s.n.heads[BESIDE] = at + 1
        return follow(f, s, at)
    if uses_notes(technique):
        return apply_notes(f, s, technique)
    if technique == SHADE:
        s.n.heads[SHADE] = s.trail.known
        return s.n.waiting[SITES] == 0 or shade(f, s, next_waiting(s, SITES))
    if at >= s.trail.known:
        # Only the waiting items are left.
        if technique == UNIQUE:
            return free_cell(f, s, next_waiting(s, CELLS))
        return survey(f, s, technique - WINDOW, next_waiting(s, technique - WINDOW))
    s.n.heads[technique] = at + 1
    edge = &f.edge[s.trail.literals[at] >> 1]
    ends = f.plane.ends + (s.trail.literals[at] & ~1)
    if technique == CLUE:
        return apply_clues(f, s, edge)
    if technique == DOT:
        return dot(f, s, ends[0]) and dot(f, s, ends[1])
    if technique == LOOP:
        return loop(f, s, at)
    if REACH <= technique <= SQUARE:
        return patterns(f, s, technique, technique - REACH, at)
    if technique == BLOCK:
        return patterns(f, s, technique, PATTERN_KINDS - 1, at)
    if technique == PARITY:
        return parity(f, s, edge.cut)
    if technique == COLOUR:
        return colour(f, s, at)
    if technique == UNIQUE:
        note_cells(f, s, s.trail.literals[at] >> 1)
    else:
        note_windows(f, s, technique - WINDOW, at)
    return True


cdef inline bint deduce(Frame *f, State *s) noexcept nogil:
    """Apply the techniques, always the first that is behind, until none is; False: no solution.

    They process only what is new on the trail; `begin` is for the first time.
    """
    cdef int technique = first_behind(f, s)
    while technique >= 0:
        if watch_stops(&s.watch) or not apply_technique(f, s, technique):
            return False
        technique = first_behind(f, s)
    if watch_stops(&s.watch):
        return False
    return s.n.undecided > 0 or s.n.left == 0 or fail(s, LOOP, NOWHERE)


cdef inline bint begin(Frame *f, State *s) noexcept nogil:
    """Apply every clue, dot and window once, then `deduce`; False: no solution."""
    cdef int item, kind
    if s.n.left == 0 and not cross_out(f, s):
        return False
    if f.enabled[0][CLUE]:
        for item in range(f.faces):
            if not clue(f, s, item):
                return False
    if f.enabled[0][DOT]:
        for item in range(f.vertices):
            if not dot(f, s, item):
                return False
    if f.enabled[0][LOOP] and not check_ends(f, s):
        return False
    if f.enabled[0][SHADE]:
        for item in range(f.vertices + f.faces):
            if s.site_mask[item]:
                wait(s, SITES, item)
    for kind in range(2):
        if f.enabled[0][WINDOW + kind]:
            for item in range(f.window_first[kind + 1] - f.window_first[kind]):
                if s.window_clues[f.window_first[kind] + item] > 0:
                    wait(s, kind, item)
    if f.enabled[0][UNIQUE]:
        for item in range(f.faces):
            if f.flips[item]:
                wait(s, CELLS, item)
    return deduce(f, s)


cdef inline bint show(Frame *f, State *s, int32_t *faces, int size) noexcept nogil:
    """Show the clues of these faces and deduce; False: no solution."""
    cdef int index
    for index in range(size):
        turn(f, s, faces[index], True)
    for index in range(size):
        if watch_stops(&s.watch) or not look(f, s, faces[index]):
            return False
    return deduce(f, s)


cdef inline bint assume(Frame *f, State *s, int literal, int depth) noexcept nogil:
    """Put a guess on the trail, deduce and guess further; False: a contradiction.

    ``depth`` is that of the further guesses, so recursion ends within `MAX_DEPTH`.
    """
    cdef bint fits
    s.n.guesses += 1
    s.n.in_guess += 1
    fits = put(f, s, literal, REFUTED, literal >> 1) and deduce(f, s)
    fits = fits and (depth == 0 or guess(f, s, depth))
    s.n.in_guess -= 1
    return fits


cdef inline int agree(State *s, int level, int trail) noexcept nogil:
    """Collect the literals since ``trail`` that the snapshot has, too; return how many."""
    cdef int found = 0, at, literal
    for at in range(trail, s.trail.known):
        literal = s.trail.literals[at]
        if s.snapshot[level][literal] == 1:
            s.agreed[level][found] = literal
            found += 1
    return found


cdef inline int learn(
    Frame *f, State *s, int level, int edge, bint line_fits, bint cross_fits, int agreed
) noexcept nogil:
    """Decide what both guesses about an edge show; 1: an edge, 0: nothing, -1: no solution."""
    cdef int index
    cdef bint fits = True
    if line_fits and cross_fits and agreed == 0:
        return 0
    if s.n.in_guess == 0:
        s.n.depth = max(s.n.depth, level)
    if line_fits and cross_fits:
        for index in range(agreed):
            fits = fits and put(f, s, s.agreed[level][index], EITHER, edge)
    else:
        fits = put(f, s, 2 * edge + (not line_fits), REFUTED, edge)
    return 1 if fits and deduce(f, s) else -1


cdef inline int guess_edge(Frame *f, State *s, int level, int edge) noexcept nogil:
    """Assume a line, undo it, assume a cross; return what `learn` does."""
    cdef int trail = s.trail.known, merges = s.n.merges, agreed = 0
    cdef bint line_fits = assume(f, s, 2 * edge, level - 1), cross_fits = True
    if line_fits:
        memcpy(s.snapshot[level], s.trail.values, 2 * <size_t>f.edges)
    undo(f, s, trail, merges)
    if line_fits:
        cross_fits = assume(f, s, 2 * edge + 1, level - 1)
        if cross_fits:
            agreed = agree(s, level, trail)
        undo(f, s, trail, merges)
    return learn(f, s, level, edge, line_fits, cross_fits, agreed)


cdef inline bint guess(Frame *f, State *s, int depth) noexcept nogil:
    """Guess up to ``depth`` deep until that decides nothing more; False: no solution.

    Assume a line and deduce, then a cross and deduce: a contradiction decides the edge, else the
    literals of both are kept. Deeper guesses wait until shallow ones decide nothing.
    """
    cdef int level = 1, decided, idle, edge, found
    while level <= depth and s.n.undecided > 0:
        decided = idle = 0
        while idle < f.edges and s.n.undecided > 0 and (level == 1 or not decided):
            edge = s.n.cursors[level]
            # With a new budget, this edge is the next guess.
            if s.n.budget == 0 and is_open(s, edge):
                return True
            s.n.cursors[level] = (edge + 1) % f.edges
            idle += 1
            if not is_open(s, edge):
                continue
            s.n.budget -= 1
            found = guess_edge(f, s, level, edge)
            if found < 0:
                return False
            if found > 0:
                decided, idle = 1, 0
        level = 1 if decided and level > 1 else level + 1
    return True
