"""One question: is there another line that matches on these faces, and not on those?"""

from __future__ import annotations

from linkoracle.search.kernel.learning import add_clause, analyze, blame, levels_in, luby, reduce
from linkoracle.search.kernel.reasons import explain
from linkoracle.search.kernel.rules import check_face, propagate
from linkoracle.search.kernel.state import (
    ALTERNATIVE,
    ARENA_SIZE,
    ASKED,
    ASKING,
    ASSUMED,
    AT,
    BEFORE,
    BROKEN,
    BUFFER,
    CLAUSE,
    CLAUSES,
    CONFLICTS,
    CORE,
    CORE_SIZE,
    DENIED,
    DIFFERENT,
    DIFFERS,
    EDGES,
    END,
    FACES,
    FIRST,
    FROM,
    KEPT,
    KINDS,
    KNOWN,
    KNOWN_ON,
    LEARNED,
    LEARNT,
    LEFT,
    LEVEL,
    LEVEL_OF,
    LIMIT,
    MARKS,
    MOST_CLAUSES,
    NEW_UNITS,
    NO_ALTERNATIVE,
    NOTHING,
    OPENED,
    OTHER_END,
    PAUSE,
    RANK,
    REFUTED,
    RESTART,
    RESTARTS,
    RIGHT,
    ROOM,
    RULE,
    SHAKEN,
    SINCE,
    SOON,
    START,
    STARTS,
    TO,
    TRAIL,
    UNITS,
    VARIABLES,
    VERTICES,
    WALKED,
    WIDTH,
    C,
    E,
    N,
    V,
    internal,
)
from linkoracle.search.kernel.trail import backtrack, enqueue, holds


@internal
def would_be_on(s, edge):  # type: ignore[no-untyped-def]
    """Whether an edge is on, or else was in the known solution."""
    value = s.value[edge]
    return (value if value else s.variables[V * edge + KNOWN]) > 0


@internal
def would_be(s, node):  # type: ignore[no-untyped-def]
    count = 0
    for k in range(4):
        edge = s.nodes[N * node + AT + k]
        if edge >= 0 and would_be_on(s, edge):
            count += 1
    return count


@internal
def is_alternative(s):  # type: ignore[no-untyped-def]
    """Whether what is open can be left as in the known solution."""
    vertices = s.numbers[VERTICES]
    size = s.numbers[KNOWN_ON]
    if s.numbers[DIFFERENT] == 0:
        return False
    for k in range(s.numbers[DIFFERENT] - 1, -1, -1):
        edge = s.lists[DIFFERS * s.width + k]
        for side in range(4):
            node = s.edges[E * edge + side]
            if side < 2:
                if not s.nodes[N * node + RULE] >> would_be(s, node) & 1:
                    return False
            elif node >= 0 and s.nodes[N * (vertices + node) + KEPT] == 1:
                node += vertices
                if would_be(s, node) != s.nodes[N * node + RULE]:
                    return False
        size += s.value[edge]
    met = s.numbers[DENIED] == 0
    for k in range(s.numbers[DENIED]):
        node = vertices + s.lists[ASKED * s.width + k]
        met = met or would_be(s, node) != s.nodes[N * node + RULE]
    if not met or size == 0:
        return False
    first = s.numbers[END]
    k = 0
    while first < 0:
        edge = s.lists[DIFFERS * s.width + k]
        if s.value[edge] > 0:
            first = s.edges[E * edge + FROM]
        k += 1
    vertex, came = first, -1
    while size > 0:
        step = -1
        for k in range(4):
            edge = s.nodes[N * vertex + AT + k]
            if edge >= 0 and edge != came and would_be_on(s, edge):
                step = edge
                break
        vertex = s.edges[E * step + FROM] + s.edges[E * step + TO] - vertex
        came = step
        size -= 1
        if vertex == first or vertex == s.numbers[OTHER_END]:
            break
    return size == 0


@internal
def note_changes(s):  # type: ignore[no-untyped-def]
    """Write to `CORE` the faces whose count an alternative changes."""
    s.numbers[MARKS] += 1
    size = 0
    for k in range(s.numbers[DIFFERENT]):
        for side in (LEFT, RIGHT):
            face = s.edges[E * s.lists[DIFFERS * s.width + k] + side]
            node = s.numbers[VERTICES] + face
            if face >= 0 and s.nodes[N * node + WALKED] != s.numbers[MARKS]:
                s.nodes[N * node + WALKED] = s.numbers[MARKS]
                if would_be(s, node) != s.nodes[N * node + RULE]:
                    s.lists[CORE * s.width + size] = face
                    size += 1
    s.numbers[CORE_SIZE] = size


#: Conflicts before the first restart; later ones by the sequence of Luby.
RESTART_UNIT = 60


@internal
def take_up(s):  # type: ignore[no-untyped-def]
    """Take up a question on level 0, or 1; false if it needs no search."""
    num_edges = s.numbers[EDGES]
    question = s.numbers[VARIABLES] - 1
    s.numbers[OPENED], s.numbers[SINCE] = 1, s.numbers[CLAUSES]
    s.numbers[ASKING], s.numbers[CORE_SIZE], s.numbers[SHAKEN] = -1, 0, 0
    s.numbers[REFUTED] = 0
    s.numbers[RESTART], s.numbers[RESTARTS] = s.numbers[CONFLICTS] + RESTART_UNIT, 0
    if s.numbers[LEVEL] == 0:
        for k in range(s.numbers[NEW_UNITS]):
            held = holds(s, s.lists[UNITS * s.width + k])
            if held < 0:
                s.numbers[BROKEN] = 1
            elif held == 0:
                enqueue(s, s.lists[UNITS * s.width + k], NOTHING)
        s.numbers[NEW_UNITS] = 0
        if not s.numbers[BROKEN]:
            wrong = propagate(s)
            s.numbers[BROKEN] = wrong != NOTHING
    if s.numbers[BROKEN]:
        return False
    length = 1
    s.lists[LEARNT * s.width] = 2 * question
    met = s.numbers[DENIED] == 0
    for k in range(s.numbers[DENIED]):
        face = s.lists[ASKED * s.width + k]
        node = s.numbers[VERTICES] + face
        s.nodes[N * node + KEPT] = 2
        check_face(s, face)
        literal = 2 * (num_edges + face) + 1
        held = holds(s, literal)
        met = met or held > 0
        if held == 0:
            s.lists[LEARNT * s.width + length] = literal
            length += 1
    if not met:
        if length == 1:
            return False
        s.numbers[ASKING] = s.lists[LEARNT * s.width + 1]
        if length > 2:
            add_clause(s, length, 0)
            s.numbers[ASKING] = 2 * question + 1
    return True


@internal
def leave(s, level):  # type: ignore[no-untyped-def]
    """Leave a question; what was learned under its own clause goes with it."""
    backtrack(s, 0 if s.numbers[SHAKEN] else level)
    s.numbers[OPENED] = 0
    for k in range(s.numbers[DENIED]):
        s.nodes[N * (s.numbers[VERTICES] + s.lists[ASKED * s.width + k]) + KEPT] = 0
    tainted = 2 * (s.numbers[VARIABLES] - 1)
    for clause in range(s.numbers[SINCE], s.numbers[CLAUSES]):
        start = s.clauses[C * clause + START]
        for k in range(start, start + s.clauses[C * clause + WIDTH]):
            if s.arena[k] == tainted:
                s.clauses[C * clause + WIDTH] = 0
                break


@internal
def decide(s):  # type: ignore[no-untyped-def]
    """Open a level with a decision; false when nothing is open."""
    variable = s.numbers[FIRST]
    while variable >= 0 and s.value[variable] != 0:
        variable = s.variables[V * variable + BEFORE]
    if variable < 0:
        return False
    s.numbers[FIRST] = variable
    s.numbers[LEVEL] += 1
    s.lists[STARTS * s.width + s.numbers[LEVEL]] = s.numbers[TRAIL]
    literal = 2 * variable + (s.variables[V * variable + KNOWN] < 0)
    enqueue(s, literal, NOTHING)
    return True


@internal
def assume(s):  # type: ignore[no-untyped-def]
    """Put the next assumption that is open on the trail; false if one is known to be false.

    One after the other, so that a clue that follows from earlier ones is not assumed, and not
    blamed. Level 2 is for the clues of the next questions, and what is asked.
    """
    if s.numbers[LEVEL] == 0 or s.numbers[ASSUMED] > s.numbers[FACES]:
        s.numbers[LEVEL] += 1
        s.lists[STARTS * s.width + s.numbers[LEVEL]] = s.numbers[TRAIL]
        s.numbers[ASSUMED] = 0
    level = s.numbers[LEVEL]
    while s.numbers[ASSUMED] <= s.numbers[FACES]:
        k = s.numbers[ASSUMED]
        s.numbers[ASSUMED] += 1
        face = -1
        if k == 0:
            literal = s.numbers[ASKING]
            if level == 1 or literal < 0:
                continue
        else:
            face = s.lists[RANK * s.width + k - 1]
            at = N * (s.numbers[VERTICES] + face)
            if s.nodes[at + KEPT] != 1 or s.nodes[at + SOON] != level - 1:
                continue
            literal = 2 * (s.numbers[EDGES] + face)
        held = holds(s, literal)
        if held == 0:
            enqueue(s, literal, NOTHING)
            return True
        if held < 0:
            s.lists[BUFFER * s.width] = literal ^ 1
            blame(s, 1)
            if face >= 0:
                s.lists[CORE * s.width + s.numbers[CORE_SIZE]] = face
                s.numbers[CORE_SIZE] += 1
            s.numbers[SHAKEN] = level == 1
            return False
    return True


@internal
def resolve(s, wrong):  # type: ignore[no-untyped-def]
    """Learn from a conflict and go back; false if it shows that there is no alternative."""
    s.numbers[CONFLICTS] += 1
    count = explain(s, wrong, -1)
    level = 0
    for k in range(count):
        level = max(level, s.variables[V * (s.lists[BUFFER * s.width + k] >> 1) + LEVEL_OF])
    if level <= 2:
        s.numbers[BROKEN], s.numbers[SHAKEN] = level == 0, level < 2
        blame(s, count)
        return False
    backtrack(s, level)
    length = analyze(s, count)
    flipped = s.lists[LEARNT * s.width]
    if length == 1:
        backtrack(s, 0)
        enqueue(s, flipped, NOTHING)
        return True
    glue = max(1, levels_in(s, length))
    below = s.variables[V * (s.lists[LEARNT * s.width + 1] >> 1) + LEVEL_OF]
    backtrack(s, below)
    clause = add_clause(s, length, glue)
    s.numbers[LEARNED] += 1
    enqueue(s, flipped, CLAUSE + KINDS * clause)
    return True


@internal
def is_full(s):  # type: ignore[no-untyped-def]
    """Whether there may be no room for two more clauses."""
    return (
        s.numbers[ROOM] + 2 * s.numbers[VARIABLES] > s.numbers[ARENA_SIZE]
        or s.numbers[CLAUSES] + 2 > s.numbers[MOST_CLAUSES]
    )


@internal
def search(s, conflicts, floor):  # type: ignore[no-untyped-def]
    """Find a line that matches where `KEPT` says so, and does not on one of `ASKED`, if any.

    `PAUSE` after so many conflicts, or when there is no room for clauses.
    """
    until = s.numbers[CONFLICTS] + conflicts
    if not s.numbers[OPENED]:
        if is_full(s):
            backtrack(s, 0)
            reduce(s)
            if is_full(s):
                return PAUSE
        if not take_up(s):
            leave(s, floor)
            return NO_ALTERNATIVE
    answer = PAUSE
    while answer == PAUSE:
        wrong = propagate(s)
        if wrong == NOTHING:
            if s.numbers[REFUTED]:
                refuted = CLAUSE + KINDS * (s.numbers[REFUTED] - 1)
                count = explain(s, refuted, -1)
                blame(s, count)
                answer = NO_ALTERNATIVE
            elif s.numbers[LEVEL] < 2 or s.numbers[ASSUMED] <= s.numbers[FACES]:
                if not assume(s):
                    answer = NO_ALTERNATIVE
            elif is_alternative(s) or not decide(s):
                note_changes(s)
                answer = ALTERNATIVE
            continue
        if not resolve(s, wrong):
            answer = NO_ALTERNATIVE
            continue
        if is_full(s) or s.numbers[LEARNED] >= s.numbers[LIMIT]:
            backtrack(s, 0)
            if propagate(s) != NOTHING:
                s.numbers[BROKEN], s.numbers[CORE_SIZE] = 1, 0
                answer = NO_ALTERNATIVE
            elif not s.numbers[REFUTED]:
                reduce(s)
                s.numbers[SINCE] = 0
                if is_full(s):
                    return PAUSE
        elif s.numbers[CONFLICTS] >= s.numbers[RESTART]:
            backtrack(s, 2)
            s.numbers[RESTARTS] += 1
            more = RESTART_UNIT * luby(s.numbers[RESTARTS])
            s.numbers[RESTART] = s.numbers[CONFLICTS] + more
        if answer == PAUSE and s.numbers[CONFLICTS] >= until:
            return PAUSE
    leave(s, floor)
    return answer
