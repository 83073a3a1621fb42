"""What conflicts teach: clauses, and which clues are to blame."""

from __future__ import annotations

from linkoracle.search.kernel.reasons import explain
from linkoracle.search.kernel.state import (
    BUFFER,
    CLAUSES,
    CORE,
    CORE_SIZE,
    EDGES,
    FACES,
    FOLLOW,
    GLUE,
    GLUES,
    LEARNED,
    LEARNT,
    LEVEL,
    LEVEL_MARK,
    LEVEL_OF,
    LIMIT,
    MARKS,
    NOTHING,
    ON_TRAIL,
    REASON,
    ROOM,
    SAVED,
    SEEN,
    START,
    TOUCHED,
    TRAIL,
    VARIABLES,
    WATCH,
    WATCH_NOT,
    WIDTH,
    C,
    V,
    internal,
)
from linkoracle.search.kernel.trail import bump, holds

#: Clauses learned before the first reduction; after each, so many more before the next.
FIRST_LIMIT, MORE_CLAUSES = 2000, 300


@internal
def analyze(s, count):  # type: ignore[no-untyped-def]
    """Resolve a conflict, ``count`` literals in `BUFFER`, back to one literal of its level.

    The clause is in `LEARNT`; returns its length. It is not made smaller, where literals follow
    from others: one in twenty does, and to look for them takes more time than it saves.

    The literal to be flipped stands first, one of the highest remaining level second.
    """
    level = s.numbers[LEVEL]
    touched, length, here = 0, 1, 0
    place = s.numbers[TRAIL]
    while True:
        for k in range(count):
            literal = s.lists[BUFFER * s.width + k]
            variable = literal >> 1
            if s.variables[V * variable + SEEN] or s.variables[V * variable + LEVEL_OF] == 0:
                continue
            s.variables[V * variable + SEEN] = 1
            s.lists[TOUCHED * s.width + touched] = variable
            touched += 1
            if s.variables[V * variable + LEVEL_OF] == level:
                here += 1
            else:
                s.lists[LEARNT * s.width + length] = literal ^ 1
                length += 1
        place -= 1
        while not s.variables[V * (s.lists[ON_TRAIL * s.width + place] >> 1) + SEEN]:
            place -= 1
        literal = s.lists[ON_TRAIL * s.width + place]
        here -= 1
        if here == 0:
            break
        variable = literal >> 1
        reason = s.variables[V * variable + REASON]
        count = explain(s, reason, variable)
    s.lists[LEARNT * s.width] = literal ^ 1
    for k in range(touched):
        s.variables[V * s.lists[TOUCHED * s.width + k] + SEEN] = 0
        bump(s, s.lists[TOUCHED * s.width + k])
    highest = 1
    for k in range(2, length):
        if (
            s.variables[V * (s.lists[LEARNT * s.width + k] >> 1) + LEVEL_OF]
            > (s.variables[V * (s.lists[LEARNT * s.width + highest] >> 1) + LEVEL_OF])
        ):
            highest = k
    if length > 1:
        literal = s.lists[LEARNT * s.width + 1]
        s.lists[LEARNT * s.width + 1] = s.lists[LEARNT * s.width + highest]
        s.lists[LEARNT * s.width + highest] = literal
    return length


@internal
def levels_in(s, length):  # type: ignore[no-untyped-def]
    """How many levels are met in the clause in `LEARNT`."""
    s.numbers[MARKS] += 1
    glue = 0
    for k in range(length):
        level = s.variables[V * (s.lists[LEARNT * s.width + k] >> 1) + LEVEL_OF]
        if s.lists[LEVEL_MARK * s.width + level] != s.numbers[MARKS]:
            s.lists[LEVEL_MARK * s.width + level] = s.numbers[MARKS]
            glue += 1
    return glue


@internal
def add_clause(s, length, glue):  # type: ignore[no-untyped-def]
    """Store a clause of two literals or more; its number."""
    start = s.numbers[ROOM]
    for k in range(length):
        s.arena[start + k] = s.lists[LEARNT * s.width + k]
    return enter(s, length, glue)


@internal
def enter(s, length, glue):  # type: ignore[no-untyped-def]
    """Make the literals behind the last clause the next one; its number."""
    clause, start = s.numbers[CLAUSES], s.numbers[ROOM]
    s.clauses[C * clause + START] = start
    s.clauses[C * clause + WIDTH] = length
    s.clauses[C * clause + GLUE] = glue
    s.clauses[C * clause + SAVED] = 2
    s.numbers[CLAUSES] += 1
    s.numbers[ROOM] += length
    for k in range(2):
        literal = s.arena[start + k]
        s.clauses[C * clause + FOLLOW + k] = s.variables[V * (literal >> 1) + WATCH + (literal & 1)]
        s.variables[V * (literal >> 1) + WATCH + (literal & 1)] = 2 * clause + k
    return clause


@internal
def reduce(s):  # type: ignore[no-untyped-def]
    """On level 0: forget clauses that are satisfied, and about half of the less useful ones."""
    s.numbers[LEARNED] = 0
    s.numbers[LIMIT] += MORE_CLAUSES
    for glue in range(256):
        s.lists[GLUES * s.width + glue] = 0
    living = 0
    for clause in range(s.numbers[CLAUSES]):
        if s.clauses[C * clause + WIDTH] and s.clauses[C * clause + GLUE] > 2:
            s.lists[GLUES * s.width + min(s.clauses[C * clause + GLUE], 255)] += 1
            living += 1
    # All of a greater glue than `worst` go, and `spare` of that glue.
    worst, spare = 255, living // 2
    while worst > 2 and s.lists[GLUES * s.width + worst] <= spare:
        spare -= s.lists[GLUES * s.width + worst]
        worst -= 1
    for variable in range(s.numbers[VARIABLES]):
        s.variables[V * variable + WATCH] = -1
        s.variables[V * variable + WATCH_NOT] = -1
    # What is kept moves to the front, over clauses that were looked at before.
    clauses = s.numbers[CLAUSES]
    s.numbers[CLAUSES], s.numbers[ROOM] = 0, 0
    for clause in range(clauses):
        width, start = s.clauses[C * clause + WIDTH], s.clauses[C * clause + START]
        glue = s.clauses[C * clause + GLUE]
        gone = width == 0
        if glue > 2:
            if glue >= 255 or glue > worst:
                gone = True
            elif glue == worst and spare > 0:
                gone = True
                spare -= 1
        if glue > 0:
            for k in range(start, start + width):
                gone = gone or holds(s, s.arena[k]) > 0
        if gone:
            continue
        for k in range(width):
            s.arena[s.numbers[ROOM] + k] = s.arena[start + k]
        enter(s, width, glue)


@internal
def blame(s, count):  # type: ignore[no-untyped-def]
    """Write to `CORE` the assumed matches from which the literals in `BUFFER` follow."""
    s.numbers[CORE_SIZE] = 0
    num_edges, faces = s.numbers[EDGES], s.numbers[FACES]
    touched = 0
    place = s.numbers[TRAIL]
    while True:
        for k in range(count):
            variable = s.lists[BUFFER * s.width + k] >> 1
            if s.variables[V * variable + LEVEL_OF] > 0 and not s.variables[V * variable + SEEN]:
                s.variables[V * variable + SEEN] = 1
                s.lists[TOUCHED * s.width + touched] = variable
                touched += 1
        place -= 1
        while place >= 0 and not s.variables[V * (s.lists[ON_TRAIL * s.width + place] >> 1) + SEEN]:
            place -= 1
        if place < 0:
            break
        variable = s.lists[ON_TRAIL * s.width + place] >> 1
        reason = s.variables[V * variable + REASON]
        count = 0
        if reason != NOTHING:
            count = explain(s, reason, variable)
        elif num_edges <= variable < num_edges + faces and s.value[variable] > 0:
            s.lists[CORE * s.width + s.numbers[CORE_SIZE]] = variable - num_edges
            s.numbers[CORE_SIZE] += 1
    for k in range(touched):
        s.variables[V * s.lists[TOUCHED * s.width + k] + SEEN] = 0


@internal
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
