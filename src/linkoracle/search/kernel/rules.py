"""Conclusions: what the rules of the board, and the clauses, demand of what is still open."""

from __future__ import annotations

from linkoracle.search.kernel.state import (
    ALL_OFF,
    AN_OFF,
    AN_ON,
    AT,
    BEYOND,
    CHOSEN,
    CLAUSE,
    CLOSED,
    CYCLE,
    DEMANDS,
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
    MATCHES,
    NO_MATCH,
    NOTHING,
    ON_BOARD,
    ON_TRAIL,
    REFUTED,
    REST,
    RIGHT,
    SAVED,
    SEEN_AT,
    SIDE,
    SIDED,
    START,
    TABLE,
    TALLY,
    TO,
    TRAIL,
    VARIABLES,
    VERTEX,
    VERTICES,
    VISITED,
    WATCH,
    WHOLE,
    WIDTH,
    WRONG,
    C,
    E,
    N,
    V,
    inlined,
    internal,
)
from linkoracle.search.kernel.trail import count_edge, enqueue, holds, link


@inlined
def fulfil(s, node, demanded, reason):  # type: ignore[no-untyped-def]
    """Do what is demanded of the open edges of a vertex or face."""
    if demanded == WRONG:
        return reason
    for k in range(4):
        edge = s.nodes[N * node + AT + k]
        if edge >= 0 and s.value[edge] == 0:
            enqueue(s, 2 * edge + (demanded == ALL_OFF), reason)
    return NOTHING


@inlined
def check_vertex(s, vertex):  # type: ignore[no-untyped-def]
    demanded = TABLE[s.nodes[N * vertex + DEMANDS] + s.nodes[N * vertex + TALLY]]
    if demanded == REST:
        return NOTHING
    return fulfil(s, vertex, demanded, VERTEX + KINDS * vertex)


@inlined
def check_face(s, face):  # type: ignore[no-untyped-def]
    at = N * (s.numbers[VERTICES] + face)
    matches = s.value[s.numbers[EDGES] + face]
    if matches == 0 and s.nodes[at + KEPT] == 0:
        return NOTHING
    demanded = TABLE[s.nodes[at + DEMANDS + matches] + s.nodes[at + TALLY]]
    if demanded == REST:
        return NOTHING
    reason = FACE + KINDS * face
    if demanded < MATCHES:
        return fulfil(s, s.numbers[VERTICES] + face, demanded, reason)
    enqueue(s, 2 * (s.numbers[EDGES] + face) + (demanded == NO_MATCH), reason)
    return NOTHING


@inlined
def check_side(s, edge):  # type: ignore[no-untyped-def]
    """An edge is on iff the faces beside it are on different sides."""
    first = s.numbers[EDGES] + s.numbers[FACES]
    face = s.edges[E * edge + RIGHT]
    left, mine = s.value[first + s.edges[E * edge + LEFT]], s.value[edge]
    right = s.value[first + face] if face >= 0 else 2 * s.edges[E * edge + BEYOND] - 1
    reason = SIDE + KINDS * edge
    if left * right * mine > 0:
        return reason
    if left == 0:
        if right * mine != 0:
            enqueue(s, 2 * (first + s.edges[E * edge + LEFT]) + (right * mine > 0), reason)
    elif right == 0:
        if mine != 0:
            enqueue(s, 2 * (first + face) + (left * mine > 0), reason)
    elif mine == 0:
        enqueue(s, 2 * edge + (left * right > 0), reason)
    return NOTHING


@inlined
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
                    enqueue(s, other, CLAUSE + KINDS * clause)
                    keep = True
        if keep:
            last = node
        elif last < 0:
            s.variables[V * (literal >> 1) + WATCH + (literal & 1)] = following
        else:
            s.clauses[C * (last >> 1) + FOLLOW + (last & 1)] = following
        node = following
    return NOTHING


@inlined
def apply_rules(s):  # type: ignore[no-untyped-def]
    """Do what edges on the trail demand of vertices, faces and paths, and clues of their faces."""
    num_edges, faces = s.numbers[EDGES], s.numbers[FACES]
    while s.numbers[HEAD] < s.numbers[TRAIL]:
        literal = s.lists[ON_TRAIL * s.width + s.numbers[HEAD]]
        s.numbers[HEAD] += 1
        variable = literal >> 1
        if variable < num_edges:
            one, other = s.edges[E * variable + FROM], s.edges[E * variable + TO]
            is_on = literal & 1 == 0
            count_edge(s, variable, AN_ON if is_on else AN_OFF)
            if is_on != (s.variables[V * variable + KNOWN] > 0):
                s.lists[DIFFERS * s.width + s.numbers[DIFFERENT]] = variable
                s.numbers[DIFFERENT] += 1
            if is_on:
                s.lists[CHOSEN * s.width + s.numbers[ON_BOARD]] = literal
                s.numbers[ON_BOARD] += 1
                s.edges[E * variable + JOINED] = -1
            for vertex in (one, other):
                wrong = check_vertex(s, vertex)
                if wrong != NOTHING:
                    return wrong
            if is_on:
                if link(s, variable):
                    if s.numbers[ON_BOARD] > s.nodes[N * one + LENGTH] + 1:
                        s.variables[V * variable + SEEN_AT] = s.numbers[HEAD]
                        return CYCLE + KINDS * variable
                    s.numbers[CLOSED] = variable
                    for edge in range(num_edges):
                        if s.value[edge] == 0:
                            enqueue(s, 2 * edge + 1, WHOLE + KINDS * edge)
                elif s.numbers[CLOSED] >= 0:
                    return WHOLE + KINDS * variable
            wrong = check_face(s, s.edges[E * variable + LEFT])
            if wrong != NOTHING:
                return wrong
            if s.edges[E * variable + RIGHT] >= 0:
                wrong = check_face(s, s.edges[E * variable + RIGHT])
                if wrong != NOTHING:
                    return wrong
        elif variable < num_edges + faces:
            wrong = check_face(s, variable - num_edges)
            if wrong != NOTHING:
                return wrong
    return NOTHING


@inlined
def check_sides(s, variable):  # type: ignore[no-untyped-def]
    """Check all edges of which a variable is a part, or the side of a face beside them."""
    num_edges, faces = s.numbers[EDGES], s.numbers[FACES]
    if variable < num_edges:
        return check_side(s, variable)
    face = variable - num_edges - faces
    if 0 <= face < faces:
        for k in range(4):
            wrong = check_side(s, s.nodes[N * (s.numbers[VERTICES] + face) + AT + k])
            if wrong != NOTHING:
                return wrong
    return NOTHING


@internal
def propagate(s):  # type: ignore[no-untyped-def]
    """Draw all conclusions; the reason of a conflict, or `NOTHING`.

    Those of vertices and faces first: they cost the least, and most conflicts are theirs.
    """
    while True:
        wrong = apply_rules(s)
        if wrong != NOTHING or s.numbers[VISITED] == s.numbers[TRAIL]:
            return wrong
        literal = s.lists[ON_TRAIL * s.width + s.numbers[VISITED]]
        s.numbers[VISITED] += 1
        if s.numbers[SIDED]:
            wrong = check_sides(s, literal >> 1)
            if wrong != NOTHING:
                return wrong
        wrong = visit_clauses(s, literal ^ 1)
        if wrong != NOTHING:
            return wrong
