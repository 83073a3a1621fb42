"""The trail of literals, and what is kept up to date along it: counts, paths, the queue."""

from __future__ import annotations

from linkoracle.search.kernel.state import (
    AFTER,
    AN_OFF,
    AN_ON,
    ASSUMED,
    AT,
    BEFORE,
    BUMPED,
    CLOSED,
    CYCLE,
    DIFFERENT,
    EDGES,
    FACES,
    FIRST,
    FROM,
    HEAD,
    JOINED,
    JOINED_LENGTH,
    JOINED_TO,
    KINDS,
    KNOWN,
    LAST,
    LEFT,
    LENGTH,
    LEVEL,
    LEVEL_OF,
    MATE,
    ON_BOARD,
    ON_TRAIL,
    PLACE,
    REASON,
    RIGHT,
    SEEN_AT,
    STAMP,
    STARTS,
    TALLY,
    TO,
    TRAIL,
    VERTICES,
    VISITED,
    E,
    N,
    V,
    inlined,
    internal,
)


@inlined
def holds(s, literal):  # type: ignore[no-untyped-def]
    """1 for a true literal, -1 for a false one, 0 for an open one."""
    value = s.value[literal >> 1]
    return -value if literal & 1 else value


@inlined
def enqueue(s, literal, reason):  # type: ignore[no-untyped-def]
    variable = literal >> 1
    place = s.numbers[TRAIL]
    s.value[variable] = 1 - 2 * (literal & 1)
    s.variables[V * variable + LEVEL_OF] = s.numbers[LEVEL]
    s.variables[V * variable + PLACE] = place
    s.variables[V * variable + REASON] = reason
    s.lists[ON_TRAIL * s.width + place] = literal
    s.numbers[TRAIL] = place + 1


@inlined
def count_edge(s, edge, change):  # type: ignore[no-untyped-def]
    """Count an edge at its vertices and faces, or no longer."""
    vertices, right = s.numbers[VERTICES], s.edges[E * edge + RIGHT]
    s.nodes[N * s.edges[E * edge + FROM] + TALLY] += change
    s.nodes[N * s.edges[E * edge + TO] + TALLY] += change
    s.nodes[N * (vertices + s.edges[E * edge + LEFT]) + TALLY] += change
    if right >= 0:
        s.nodes[N * (vertices + right) + TALLY] += change


@inlined
def link(s, edge):  # type: ignore[no-untyped-def]
    """Join the paths at both ends of an edge that is on; whether it closes a cycle."""
    one, other = s.edges[E * edge + FROM], s.edges[E * edge + TO]
    if s.nodes[N * one + MATE] == other:
        return True
    first, last = s.nodes[N * one + MATE], s.nodes[N * other + MATE]
    before = s.nodes[N * one + LENGTH]
    total = before + s.nodes[N * other + LENGTH] + 1
    s.edges[E * edge + JOINED], s.edges[E * edge + JOINED_TO] = first, last
    s.edges[E * edge + JOINED_LENGTH] = before
    s.nodes[N * first + MATE], s.nodes[N * last + MATE] = last, first
    s.nodes[N * first + LENGTH] = s.nodes[N * last + LENGTH] = total
    if s.numbers[ON_BOARD] > total:
        # More is on than this path: it must not close.
        for k in range(4):
            chord = s.nodes[N * first + AT + k]
            if chord < 0 or s.value[chord] != 0:
                continue
            if s.edges[E * chord + FROM] + s.edges[E * chord + TO] - first == last:
                s.variables[V * chord + SEEN_AT] = s.numbers[HEAD]
                enqueue(s, 2 * chord + 1, CYCLE + KINDS * chord)
    return False


@inlined
def unlink(s, edge):  # type: ignore[no-untyped-def]
    first, last = s.edges[E * edge + JOINED], s.edges[E * edge + JOINED_TO]
    if first < 0:
        if s.numbers[CLOSED] == edge:
            s.numbers[CLOSED] = -1
        return
    one, other = s.edges[E * edge + FROM], s.edges[E * edge + TO]
    before = s.edges[E * edge + JOINED_LENGTH]
    after = s.nodes[N * first + LENGTH] - before - 1
    s.nodes[N * first + MATE], s.nodes[N * one + MATE] = one, first
    s.nodes[N * last + MATE], s.nodes[N * other + MATE] = other, last
    s.nodes[N * first + LENGTH] = s.nodes[N * one + LENGTH] = before
    s.nodes[N * last + LENGTH] = s.nodes[N * other + LENGTH] = after


@internal
def backtrack(s, level):  # type: ignore[no-untyped-def]
    """Undo all levels above this one."""
    if s.numbers[LEVEL] <= level:
        return
    start = s.lists[STARTS * s.width + level + 1]
    num_edges, head = s.numbers[EDGES], s.numbers[HEAD]
    first = s.numbers[FIRST]
    latest = s.variables[V * first + BUMPED]
    for place in range(s.numbers[TRAIL] - 1, start - 1, -1):
        literal = s.lists[ON_TRAIL * s.width + place]
        variable = literal >> 1
        s.value[variable] = 0
        stamp = s.variables[V * variable + BUMPED]
        if stamp > latest:
            latest, first = stamp, variable
        if place < head and variable < num_edges:
            is_on = literal & 1 == 0
            count_edge(s, variable, -AN_ON if is_on else -AN_OFF)
            if is_on != (s.variables[V * variable + KNOWN] > 0):
                s.numbers[DIFFERENT] -= 1
            if is_on:
                s.numbers[ON_BOARD] -= 1
                unlink(s, variable)
    s.numbers[FIRST] = first
    s.numbers[TRAIL] = start
    s.numbers[HEAD] = min(head, start)
    s.numbers[VISITED] = min(s.numbers[VISITED], start)
    if level < 2:
        # All of level 1 was assumed before level 2 was opened.
        s.numbers[ASSUMED] = s.numbers[FACES] + 1
    s.numbers[LEVEL] = level


@inlined
def bump(s, variable):  # type: ignore[no-untyped-def]
    """Move a variable to the end of the queue, from which decisions are taken."""
    last = s.numbers[LAST]
    if s.variables[V * variable + BUMPED] < 0 or last == variable:
        return
    before, after = s.variables[V * variable + BEFORE], s.variables[V * variable + AFTER]
    if s.numbers[FIRST] == variable:
        s.numbers[FIRST] = before if before >= 0 else after
    if before >= 0:
        s.variables[V * before + AFTER] = after
    s.variables[V * after + BEFORE] = before
    s.variables[V * variable + BEFORE], s.variables[V * variable + AFTER] = last, -1
    s.variables[V * last + AFTER] = variable
    s.numbers[LAST] = variable
    s.numbers[STAMP] += 1
    s.variables[V * variable + BUMPED] = s.numbers[STAMP]
    if s.value[variable] == 0:
        s.numbers[FIRST] = variable
