"""One question: is there another line that matches on these faces, and not on those?"""

from __future__ import annotations

from linkoracle.search.kernel import conflicts, propagation
from linkoracle.search.kernel import state as st


@st.internal
def would_be_on(s, edge):  # type: ignore[no-untyped-def]
    """Whether an edge is on, or else was in the known solution."""
    value = s.value[edge]
    return (value if value else s.variables[st.V * edge + st.KNOWN]) > 0


@st.internal
def would_be(s, node):  # type: ignore[no-untyped-def]
    count = 0
    for k in range(4):
        edge = s.nodes[st.N * node + st.AT + k]
        count += edge >= 0 and would_be_on(s, edge)
    return count


@st.internal
def is_alternative(s):  # type: ignore[no-untyped-def]
    """Whether what is open can be left as in the known solution."""
    vertices = s.numbers[st.VERTICES]
    size = s.numbers[st.KNOWN_ON]
    if s.numbers[st.DIFFERENT] == 0:
        return False
    for k in range(s.numbers[st.DIFFERENT] - 1, -1, -1):
        edge = s.lists[st.DIFFERS * s.width + k]
        for side in range(4):
            node = s.edges[st.E * edge + side]
            if side < 2:
                if not s.nodes[st.N * node + st.RULE] >> would_be(s, node) & 1:
                    return False
            elif node >= 0 and s.nodes[st.N * (vertices + node) + st.KEPT] == 1:
                node += vertices
                if would_be(s, node) != s.nodes[st.N * node + st.RULE]:
                    return False
        size += s.value[edge]
    met = s.numbers[st.DENIED] == 0
    for k in range(s.numbers[st.DENIED]):
        node = vertices + s.lists[st.ASKED * s.width + k]
        met = met or would_be(s, node) != s.nodes[st.N * node + st.RULE]
    if not met or size == 0:
        return False
    first = s.numbers[st.END]
    k = 0
    while first < 0:
        edge = s.lists[st.DIFFERS * s.width + k]
        if s.value[edge] > 0:
            first = s.edges[st.E * edge + st.FROM]
        k += 1
    vertex, came = first, -1
    while size > 0:
        step = -1
        for k in range(4):
            edge = s.nodes[st.N * vertex + st.AT + k]
            if edge >= 0 and edge != came and would_be_on(s, edge):
                step = edge
                break
        vertex = propagation.across(s, step, vertex)
        came = step
        size -= 1
        if vertex == first or vertex == s.numbers[st.OTHER_END]:
            break
    return size == 0


@st.internal
def note_changes(s):  # type: ignore[no-untyped-def]
    """Write to `CORE` the faces whose count an alternative changes."""
    s.numbers[st.MARKS] += 1
    s.numbers[st.CORE_SIZE] = 0
    for k in range(s.numbers[st.DIFFERENT]):
        for side in (st.LEFT, st.RIGHT):
            face = s.edges[st.E * s.lists[st.DIFFERS * s.width + k] + side]
            node = s.numbers[st.VERTICES] + face
            if face >= 0 and s.nodes[st.N * node + st.WALKED] != s.numbers[st.MARKS]:
                s.nodes[st.N * node + st.WALKED] = s.numbers[st.MARKS]
                if would_be(s, node) != s.nodes[st.N * node + st.RULE]:
                    conflicts.blame_face(s, face)


@st.internal
def take_up(s):  # type: ignore[no-untyped-def]
    """Take up a question on level 0, or 1; false if it needs no search."""
    question = s.numbers[st.VARIABLES] - 1
    s.numbers[st.OPENED], s.numbers[st.SINCE] = 1, s.numbers[st.CLAUSES]
    s.numbers[st.ASKING], s.numbers[st.CORE_SIZE], s.numbers[st.SHAKEN] = -1, 0, 0
    s.numbers[st.REFUTED] = 0
    s.numbers[st.RESTART], s.numbers[st.RESTARTS] = s.numbers[st.CONFLICTS] + RESTART_UNIT, 0
    if s.numbers[st.LEVEL] == 0:
        for k in range(s.numbers[st.NEW_UNITS]):
            held = propagation.holds(s, s.lists[st.UNITS * s.width + k])
            if held < 0:
                s.numbers[st.BROKEN] = 1
            elif held == 0:
                propagation.enqueue(s, s.lists[st.UNITS * s.width + k], st.NOTHING)
        s.numbers[st.NEW_UNITS] = 0
        if not s.numbers[st.BROKEN]:
            s.numbers[st.BROKEN] = propagation.propagate(s) != st.NOTHING
    if s.numbers[st.BROKEN]:
        return False
    length = 1
    s.lists[st.LEARNT * s.width] = 2 * question
    met = s.numbers[st.DENIED] == 0
    for k in range(s.numbers[st.DENIED]):
        face = s.lists[st.ASKED * s.width + k]
        s.nodes[st.N * (s.numbers[st.VERTICES] + face) + st.KEPT] = 2
        propagation.check_face(s, face)
        literal = 2 * (s.numbers[st.EDGES] + face) + 1
        held = propagation.holds(s, literal)
        met = met or held > 0
        if held == 0:
            s.lists[st.LEARNT * s.width + length] = literal
            length += 1
    if not met:
        if length == 1:
            return False
        s.numbers[st.ASKING] = s.lists[st.LEARNT * s.width + 1]
        if length > 2:
            propagation.add_clause(s, length, 0)
            s.numbers[st.ASKING] = 2 * question + 1
    return True


@st.internal
def leave(s, level):  # type: ignore[no-untyped-def]
    """Leave a question; what was learned under its own clause goes with it."""
    propagation.backtrack(s, 0 if s.numbers[st.SHAKEN] else level)
    s.numbers[st.OPENED] = 0
    for k in range(s.numbers[st.DENIED]):
        s.nodes[st.N * (s.numbers[st.VERTICES] + s.lists[st.ASKED * s.width + k]) + st.KEPT] = 0
    tainted = 2 * (s.numbers[st.VARIABLES] - 1)
    for clause in range(s.numbers[st.SINCE], s.numbers[st.CLAUSES]):
        start = s.clauses[st.C * clause + st.START]
        for k in range(start, start + s.clauses[st.C * clause + st.WIDTH]):
            if s.arena[k] == tainted:
                s.clauses[st.C * clause + st.WIDTH] = 0
                break


@st.inlined
def open_level(s):  # type: ignore[no-untyped-def]
    s.numbers[st.LEVEL] += 1
    s.lists[st.STARTS * s.width + s.numbers[st.LEVEL]] = s.numbers[st.TRAIL]


@st.internal
def decide(s):  # type: ignore[no-untyped-def]
    """Open a level with a decision; false when nothing is open."""
    variable = s.numbers[st.FIRST]
    while variable >= 0 and s.value[variable] != 0:
        variable = s.variables[st.V * variable + st.BEFORE]
    if variable < 0:
        return False
    s.numbers[st.FIRST] = variable
    open_level(s)
    propagation.enqueue(s, 2 * variable + (s.variables[st.V * variable + st.KNOWN] < 0), st.NOTHING)
    return True


@st.internal
def assume(s):  # type: ignore[no-untyped-def]
    """Put the next assumption that is open on the trail; false if one is known to be false.

    One after the other, so that a clue that follows from earlier ones is not assumed, and not
    blamed. Level 2 is for the clues of the next questions, and what is asked.
    """
    if s.numbers[st.LEVEL] == 0 or s.numbers[st.ASSUMED] > s.numbers[st.FACES]:
        open_level(s)
        s.numbers[st.ASSUMED] = 0
    level = s.numbers[st.LEVEL]
    while s.numbers[st.ASSUMED] <= s.numbers[st.FACES]:
        k = s.numbers[st.ASSUMED]
        s.numbers[st.ASSUMED] += 1
        face = -1
        if k == 0:
            literal = s.numbers[st.ASKING]
            if level == 1 or literal < 0:
                continue
        else:
            face = s.lists[st.RANK * s.width + k - 1]
            at = st.N * (s.numbers[st.VERTICES] + face)
            if s.nodes[at + st.KEPT] != 1 or s.nodes[at + st.SOON] != level - 1:
                continue
            literal = 2 * (s.numbers[st.EDGES] + face)
        held = propagation.holds(s, literal)
        if held == 0:
            propagation.enqueue(s, literal, st.NOTHING)
            return True
        if held < 0:
            s.lists[st.BUFFER * s.width] = literal ^ 1
            conflicts.blame(s, 1)
            if face >= 0:
                conflicts.blame_face(s, face)
            s.numbers[st.SHAKEN] = level == 1
            return False
    return True


@st.internal
def resolve(s, wrong):  # type: ignore[no-untyped-def]
    """Learn from a conflict and go back; false if it shows that there is no alternative."""
    s.numbers[st.CONFLICTS] += 1
    count = conflicts.explain(s, wrong, -1)
    level = 0
    for k in range(count):
        level = max(level, propagation.level_of(s, s.lists[st.BUFFER * s.width + k]))
    if level <= 2:
        s.numbers[st.BROKEN], s.numbers[st.SHAKEN] = level == 0, level < 2
        conflicts.blame(s, count)
        return False
    propagation.backtrack(s, level)
    length = conflicts.analyze(s, count)
    flipped = s.lists[st.LEARNT * s.width]
    if length == 1:
        propagation.backtrack(s, 0)
        propagation.enqueue(s, flipped, st.NOTHING)
        return True
    glue = max(1, conflicts.levels_in(s, length))
    propagation.backtrack(s, propagation.level_of(s, s.lists[st.LEARNT * s.width + 1]))
    clause = propagation.add_clause(s, length, glue)
    s.numbers[st.LEARNED] += 1
    propagation.enqueue(s, flipped, st.CLAUSE + st.KINDS * clause)
    return True


@st.internal
def is_full(s):  # type: ignore[no-untyped-def]
    """Whether there may be no room for two more clauses."""
    return (
        s.numbers[st.ROOM] + 2 * s.numbers[st.VARIABLES] > s.numbers[st.ARENA_SIZE]
        or s.numbers[st.CLAUSES] + 2 > s.numbers[st.MOST_CLAUSES]
    )


#: Conflicts before the first restart; later ones by the sequence of Luby.
RESTART_UNIT = 60


@st.internal
def luby(index):  # type: ignore[no-untyped-def]
    """The sequence 1 1 2 1 1 2 4 ... of Luby, Sinclair and Zuckerman (1993), from 0 on."""
    size, power = 1, 0
    while size < index + 1:
        size = 2 * size + 1
        power += 1
    while size - 1 != index:
        size = (size - 1) // 2
        power -= 1
        index %= size
    return 1 << power


@st.internal
def search(s, patience, floor):  # type: ignore[no-untyped-def]
    """Find a line that matches where `KEPT` says so, and does not on one of `ASKED`, if any.

    `PAUSE` after ``patience`` conflicts, or when there is no room for clauses.
    """
    until = s.numbers[st.CONFLICTS] + patience
    if not s.numbers[st.OPENED]:
        if is_full(s):
            propagation.backtrack(s, 0)
            conflicts.reduce(s)
            if is_full(s):
                return st.PAUSE
        if not take_up(s):
            leave(s, floor)
            return st.NO_ALTERNATIVE
    answer = st.PAUSE
    while answer == st.PAUSE:
        wrong = propagation.propagate(s)
        if wrong == st.NOTHING:
            if s.numbers[st.REFUTED]:
                refuted = st.CLAUSE + st.KINDS * (s.numbers[st.REFUTED] - 1)
                conflicts.blame(s, conflicts.explain(s, refuted, -1))
                answer = st.NO_ALTERNATIVE
            elif s.numbers[st.LEVEL] < 2 or s.numbers[st.ASSUMED] <= s.numbers[st.FACES]:
                if not assume(s):
                    answer = st.NO_ALTERNATIVE
            elif is_alternative(s) or not decide(s):
                note_changes(s)
                answer = st.ALTERNATIVE
            continue
        if not resolve(s, wrong):
            answer = st.NO_ALTERNATIVE
            continue
        if is_full(s) or s.numbers[st.LEARNED] >= s.numbers[st.LIMIT]:
            propagation.backtrack(s, 0)
            if propagation.propagate(s) != st.NOTHING:
                s.numbers[st.BROKEN], s.numbers[st.CORE_SIZE] = 1, 0
                answer = st.NO_ALTERNATIVE
            elif not s.numbers[st.REFUTED]:
                conflicts.reduce(s)
                s.numbers[st.SINCE] = 0
                if is_full(s):
                    return st.PAUSE
        elif s.numbers[st.CONFLICTS] >= s.numbers[st.RESTART]:
            propagation.backtrack(s, 2)
            s.numbers[st.RESTARTS] += 1
            more = RESTART_UNIT * luby(s.numbers[st.RESTARTS])
            s.numbers[st.RESTART] = s.numbers[st.CONFLICTS] + more
        if answer == st.PAUSE and s.numbers[st.CONFLICTS] >= until:
            return st.PAUSE
    leave(s, floor)
    return answer
