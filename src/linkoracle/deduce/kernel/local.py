"""Techniques that look at one place: arithmetic, early loops, patterns, straight cuts."""

from __future__ import annotations

from linkoracle.deduce.kernel.drawing import allowed, fail, put
from linkoracle.deduce.kernel.state import (
    ALL_CROSSES,
    IMPOSSIBLE,
    IS_LOOP,
    LEFT,
    LINE,
    NOTHING,
    NOWHERE,
    OPEN,
    PAIRS,
    SEGMENTS,
    UNMET,
    internal,
)
from linkoracle.deduce.techniques import CLUE, DOT, LOOP, PARITY

# ---- arithmetic ----------------------------------------------------------------------------------


@internal
def _count(f, s, item, mask, edges, technique, place):  # type: ignore[no-untyped-def]
    """Apply an allowed count of lines to the edges around a vertex or face."""
    found = f.arithmetic[mask, s.lines[item], s.crosses[item]]
    if found == NOTHING:
        return True
    if found == IMPOSSIBLE:
        return fail(s, technique, place)
    for edge in edges:
        if edge >= 0 and s.edge[edge] == OPEN:
            literal = 2 * edge + (found == ALL_CROSSES)
            if not put(f, s, literal, technique, place):
                return False
    return True


@internal
def clue(f, s, face):  # type: ignore[no-untyped-def]
    item = f.degrees.shape[0] + face
    return _count(f, s, item, s.counts[face], f.ring[face], CLUE, face)


@internal
def dot(f, s, vertex):  # type: ignore[no-untyped-def]
    return _count(f, s, vertex, f.degrees[vertex], f.around[vertex], DOT, vertex)


# ---- loops and joins -----------------------------------------------------------------------------


@internal
def _may_join(f, s, edge):  # type: ignore[no-untyped-def]
    """Whether a line on an open edge breaks no rule about loops and labels at once."""
    u, v = f.ends[edge, 0], f.ends[edge, 1]
    closing = s.mate[u] == v and s.lines[u] > 0 and s.lines[v] > 0
    if closing:
        if not f.rules[IS_LOOP] or s.n[SEGMENTS] != 1:
            return False
        segments = 1
    else:
        one, other = s.label[u], s.label[v]
        if one == 0 or other == 0:
            return True
        if one != other:
            return False
        if s.n[LEFT] > 1:
            return True
        segments = s.n[SEGMENTS] + 1 - (s.lines[u] > 0) - (s.lines[v] > 0)
        if segments != f.rules[PAIRS]:
            return False
    unmet = s.n[UNMET]
    vertices = f.degrees.shape[0]
    for k in range(2):
        vertex = f.ends[edge, k]
        lines = s.lines[vertex]
        unmet += allowed(f.degrees[vertex], lines) - allowed(f.degrees[vertex], lines + 1)
        face = f.sides[edge, k]
        if face < s.counts.shape[0]:
            lines = s.lines[vertices + face]
            unmet += allowed(s.counts[face], lines) - allowed(s.counts[face], lines + 1)
    return unmet == 0


@internal
def _is_end(f, s, vertex):  # type: ignore[no-untyped-def]
    """Whether a path ends here, or a terminal waits for its line."""
    return s.lines[vertex] == 1 - (f.terminal[vertex] > 0)


@internal
def check_end(f, s, vertex):  # type: ignore[no-untyped-def]
    if not _is_end(f, s, vertex):
        return True
    for edge in f.around[vertex]:
        if edge < 0 or s.edge[edge] != OPEN or _may_join(f, s, edge):
            continue
        if not put(f, s, 2 * edge + 1, LOOP, edge):
            return False
    return True


@internal
def loop(f, s, at):  # type: ignore[no-untyped-def]
    """Look at both ends of the path that a literal on the trail lengthened."""
    literal = s.trail[at]
    if s.n[LEFT] == 0:
        for edge in range(f.ends.shape[0]):
            if s.edge[edge] == OPEN and not put(f, s, 2 * edge + 1, LOOP, NOWHERE):
                return False
        return True
    if literal & 1:
        return True
    u, v = f.ends[literal >> 1, 0], f.ends[literal >> 1, 1]
    for end in (u, v):
        if not check_end(f, s, s.mate[end]) or not check_end(f, s, end):
            return False
    if s.lines[u] == 1 and s.lines[v] == 1 and s.n[SEGMENTS] == 2:
        # The first line beside a path: closing that path may have been right until now.
        for vertex in range(f.degrees.shape[0]):
            if not check_end(f, s, vertex):
                return False
    return True


# ---- patterns ------------------------------------------------------------------------------------


@internal
def _holds(s, literal):  # type: ignore[no-untyped-def]
    return s.edge[literal >> 1] == LINE + (literal & 1)


@internal
def premises_hold(f, s, instance):  # type: ignore[no-untyped-def]
    for literal in f.premises[instance]:
        if literal < 0:
            break
        if not _holds(s, literal):
            return False
    return True


@internal
def conclude(f, s, instance, technique):  # type: ignore[no-untyped-def]
    for literal in f.conclusions[instance]:
        if literal < 0:
            break
        if not put(f, s, literal, technique, instance):
            return False
    return True


@internal
def patterns(f, s, technique, kind, at):  # type: ignore[no-untyped-def]
    """Apply the patterns that have a literal of the trail among their premises."""
    key = kind * 2 * f.ends.shape[0] + s.trail[at]
    for index in range(f.watch_start[key], f.watch_start[key + 1]):
        instance = f.watchers[index]
        if s.missing[instance] or not premises_hold(f, s, instance):
            continue
        if not conclude(f, s, instance, technique):
            return False
    return True


# ---- parity --------------------------------------------------------------------------------------


@internal
def parity(f, s, cut):  # type: ignore[no-untyped-def]
    odd = (s.cut_lines[cut] + f.cut_odd[cut]) & 1
    if s.cut_open[cut] == 0:
        return not odd or fail(s, PARITY, cut)
    if s.cut_open[cut] > 1:
        return True
    for index in range(f.cut_start[cut], f.cut_start[cut + 1]):
        edge = f.cut_edges[index]
        if s.edge[edge] == OPEN:
            return put(f, s, 2 * edge + 1 - odd, PARITY, cut)
    return True
