"""Conclusions: what the rules of the board, and the clauses, demand of what is still open."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkoracle.cdcl.kernel.state import (
    AT,
    BEYOND,
    CHOSEN,
    CLAUSE,
    CLOSED,
    CYCLE,
    DIFFERENT,
    DIFFERS,
    EDGES,
    FACE,
    FACES,
    FOLLOW,
    FROM,
    HEAD,
    JOINED,
    KEPT,
    KINDS,
    KNOWN,
    LEFT,
    LENGTH,
    NOTHING,
    OFF,
    ON,
    ON_BOARD,
    ON_TRAIL,
    REFUTED,
    RIGHT,
    RULE,
    SAVED,
    SEEN_AT,
    SIDE,
    SIDED,
    SIZE,
    START,
    TO,
    TRAIL,
    VARIABLES,
    VERTEX,
    VERTICES,
    WATCH,
    WHOLE,
    WIDTH,
    C,
    E,
    N,
    V,
    internal,
)
from linkoracle.cdcl.kernel.trail import holds, link, put

#: The mask of all counts around a face.
ANY_COUNT = 0b11111

#: What a rule demands of the edges that are still open.
REST, ALL_OFF, ALL_ON, WRONG = range(4)


def _demands() -> NDArray[np.int8]:
    """What is demanded: by mask of allowed counts, edges on, and edges open."""
    table = np.zeros((32, 5, 5), dtype=np.int8)
    for mask in range(32):
        for on in range(5):
            for free in range(5):
                fits = [more for more in range(free + 1) if mask >> (on + more) & 1]
                if not fits:
                    table[mask, on, free] = WRONG
                elif free and fits == [0]:
                    table[mask, on, free] = ALL_OFF
                elif free and fits == [free]:
                    table[mask, on, free] = ALL_ON
    return table


DEMANDS = _demands()


@internal
def demand(s, node, mask, reason):  # type: ignore[no-untyped-def]
    """Do what a mask of allowed counts demands of the open edges of a vertex or face."""
    on, off = s.nodes[N * node + ON], s.nodes[N * node + OFF]
    demanded = DEMANDS[mask, on, s.nodes[N * node + SIZE] - on - off]
    if demanded == WRONG:
        return reason
    if demanded != REST:
        for k in range(4):
            edge = s.nodes[N * node + AT + k]
            if edge >= 0 and s.value[edge] == 0:
                put(s, 2 * edge + (demanded == ALL_OFF), reason)
    return NOTHING


@internal
def check_vertex(s, vertex):  # type: ignore[no-untyped-def]
    return demand(s, vertex, s.nodes[N * vertex + RULE], VERTEX + KINDS * vertex)


@internal
def check_face(s, face):  # type: ignore[no-untyped-def]
    node = s.numbers[VERTICES] + face
    match = s.numbers[EDGES] + face
    on, off, count = s.nodes[N * node + ON], s.nodes[N * node + OFF], s.nodes[N * node + RULE]
    matches = s.value[match]
    reason = FACE + KINDS * face
    if matches == 0:
        if s.nodes[N * node + KEPT] == 0:
            return NOTHING
        if on > count or off > 4 - count:
            put(s, 2 * match + 1, reason)
        elif on + off == 4:
            put(s, 2 * match, reason)
        return NOTHING
    mask = 1 << count
    return demand(s, node, mask if matches > 0 else ANY_COUNT ^ mask, reason)


@internal
def check_side(s, edge):  # type: ignore[no-untyped-def]
    """An edge is on iff the faces beside it are on different sides."""
    first = s.numbers[EDGES] + s.numbers[FACES]
    parity = s.edges[E * edge + BEYOND]
    free = -1
    for k in range(3):
        variable = edge
        if k < 2:
            if s.edges[E * edge + LEFT + k] < 0:
                continue
            variable = first + s.edges[E * edge + LEFT + k]
        value = s.value[variable]
        if value == 0:
            if free >= 0:
                return NOTHING
            free = variable
        elif value > 0:
            parity ^= 1
    reason = SIDE + KINDS * edge
    if free >= 0:
        put(s, 2 * free + 1 - parity, reason)
        return NOTHING
    return reason if parity else NOTHING


@internal
def visit_clauses(s, literal):  # type: ignore[no-untyped-def]
    """Look at the clauses that watch a literal which has become false."""
    node = s.variables[V * (literal >> 1) + WATCH + (literal & 1)]
    last = -1
    while node >= 0:
        clause, mine = node >> 1, node & 1
        following = s.clauses[C * clause + FOLLOW + mine]
        width, start = s.clauses[C * clause + WIDTH], s.clauses[C * clause + START]
        keep = False
        if width:
            other = s.arena[start + 1 - mine]
            held = holds(s, other)
            keep = held > 0
            if not keep:
                better = -1
                saved = s.clauses[C * clause + SAVED]
                for k in range(width - 2):
                    place = saved + k
                    if place >= width:
                        place -= width - 2
                    if holds(s, s.arena[start + place]) >= 0:
                        better = s.arena[start + place]
                        s.arena[start + place] = literal
                        s.arena[start + mine] = better
                        s.clauses[C * clause + SAVED] = place
                        break
                if better >= 0:
                    s.clauses[C * clause + FOLLOW + mine] = s.variables[
                        V * (better >> 1) + WATCH + (better & 1)
                    ]
                    s.variables[V * (better >> 1) + WATCH + (better & 1)] = node
                elif held < 0:
                    return CLAUSE + KINDS * clause
                elif other == 2 * (s.numbers[VARIABLES] - 1):
                    # Not put on the trail, where it would outlive the question.
                    s.numbers[REFUTED] = clause + 1
                    keep = True
                else:
                    put(s, other, CLAUSE + KINDS * clause)
                    keep = True
        if keep:
            last = node
        elif last < 0:
            s.variables[V * (literal >> 1) + WATCH + (literal & 1)] = following
        else:
            s.clauses[C * (last >> 1) + FOLLOW + (last & 1)] = following
        node = following
    return NOTHING


@internal
def propagate(s):  # type: ignore[no-untyped-def]
    """Draw all conclusions; the reason of a conflict, or `NOTHING`."""
    num_edges, faces, vertices = s.numbers[EDGES], s.numbers[FACES], s.numbers[VERTICES]
    while s.numbers[HEAD] < s.numbers[TRAIL]:
        literal = s.lists[ON_TRAIL * s.width + s.numbers[HEAD]]
        s.numbers[HEAD] += 1
        variable = literal >> 1
        if variable < num_edges:
            one, other = s.edges[E * variable + FROM], s.edges[E * variable + TO]
            left, right = s.edges[E * variable + LEFT], s.edges[E * variable + RIGHT]
            tally = OFF if literal & 1 else ON
            s.nodes[N * one + tally] += 1
            s.nodes[N * other + tally] += 1
            if left >= 0:
                s.nodes[N * (vertices + left) + tally] += 1
            if right >= 0:
                s.nodes[N * (vertices + right) + tally] += 1
            if (tally == ON) != (s.variables[V * variable + KNOWN] > 0):
                s.lists[DIFFERS * s.width + s.numbers[DIFFERENT]] = variable
                s.numbers[DIFFERENT] += 1
            if tally == ON:
                s.lists[CHOSEN * s.width + s.numbers[ON_BOARD]] = literal
                s.numbers[ON_BOARD] += 1
                s.edges[E * variable + JOINED] = -1
            for vertex in (one, other):
                wrong = check_vertex(s, vertex)
                if wrong != NOTHING:
                    return wrong
            if tally == ON:
                if link(s, variable):
                    if s.numbers[ON_BOARD] > s.nodes[N * one + LENGTH] + 1:
                        s.variables[V * variable + SEEN_AT] = s.numbers[HEAD]
                        return CYCLE + KINDS * variable
                    s.numbers[CLOSED] = variable
                    for edge in range(num_edges):
                        if s.value[edge] == 0:
                            put(s, 2 * edge + 1, WHOLE + KINDS * edge)
                elif s.numbers[CLOSED] >= 0:
                    return WHOLE + KINDS * variable
            for face in (left, right):
                if face >= 0:
                    wrong = check_face(s, face)
                    if wrong != NOTHING:
                        return wrong
            if s.numbers[SIDED]:
                wrong = check_side(s, variable)
                if wrong != NOTHING:
                    return wrong
        elif variable < num_edges + faces:
            wrong = check_face(s, variable - num_edges)
            if wrong != NOTHING:
                return wrong
        elif variable < num_edges + 2 * faces and s.numbers[SIDED]:
            for k in range(4):
                edge = s.nodes[N * (vertices + variable - num_edges - faces) + AT + k]
                wrong = check_side(s, edge)
                if wrong != NOTHING:
                    return wrong
        wrong = visit_clauses(s, literal ^ 1)
        if wrong != NOTHING:
            return wrong
    return NOTHING
