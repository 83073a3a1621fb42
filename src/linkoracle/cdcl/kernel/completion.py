"""Rivals seen early: what is open may be left as it is in the known solution."""

from __future__ import annotations

from linkoracle.cdcl.kernel.state import (
    ASKED,
    AT,
    CORE,
    CORE_SIZE,
    DENIED,
    DIFFERENT,
    DIFFERS,
    END,
    FROM,
    KEPT,
    KNOWN,
    KNOWN_ON,
    LEFT,
    MARKS,
    OTHER_END,
    RIGHT,
    RULE,
    TO,
    VERTICES,
    WALKED,
    E,
    N,
    V,
    internal,
)


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
def is_rival(s):  # type: ignore[no-untyped-def]
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
    """Write to `CORE` the faces whose count a rival changes."""
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
