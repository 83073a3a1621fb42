"""Techniques that look at one place: arithmetic, early loops, patterns, straight cuts; and clues
that come and go."""

from __future__ import annotations

from linkoracle.board.model import ANY_COUNT
from linkoracle.deduce.kernel import state as st
from linkoracle.deduce.kernel.drawing import allowed, fail, put, wait
from linkoracle.deduce.rules import CLUE, DOT, LOOP, PARITY, SHADE, WINDOW


@st.internal
def _count(f, s, item, mask, edges, technique, place):  # type: ignore[no-untyped-def]
    """Apply an allowed count of lines to the edges around a vertex or face."""
    found = f.arithmetic[mask, s.lines[item], s.crosses[item]]
    if found == st.NOTHING:
        return True
    if found == st.IMPOSSIBLE:
        return fail(s, technique, place)
    for edge in edges:
        if edge >= 0 and s.edge[edge] == st.OPEN:
            literal = 2 * edge + (found == st.ALL_CROSSES)
            if not put(f, s, literal, technique, place):
                return False
    return True


@st.internal
def clue(f, s, face):  # type: ignore[no-untyped-def]
    item = f.degrees.shape[0] + face
    return _count(f, s, item, s.counts[face], f.ring[face], CLUE, face)


@st.internal
def dot(f, s, vertex):  # type: ignore[no-untyped-def]
    return _count(f, s, vertex, f.degrees[vertex], f.around[vertex], DOT, vertex)


@st.internal
def _may_join(f, s, edge):  # type: ignore[no-untyped-def]
    """Whether a line on an open edge breaks no rule about loops and labels at once."""
    u, v = f.ends[edge, 0], f.ends[edge, 1]
    closing = s.mate[u] == v and s.lines[u] > 0 and s.lines[v] > 0
    if closing:
        if not f.rules[st.IS_LOOP] or s.n[st.SEGMENTS] != 1:
            return False
        segments = 1
    else:
        one, other = s.label[u], s.label[v]
        if one == 0 or other == 0:
            return True
        if one != other:
            return False
        if s.n[st.LEFT] > 1:
            return True
        segments = s.n[st.SEGMENTS] + 1 - (s.lines[u] > 0) - (s.lines[v] > 0)
        if segments != f.rules[st.PAIRS]:
            return False
    unmet = s.n[st.UNMET]
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


@st.internal
def _check_end(f, s, vertex):  # type: ignore[no-untyped-def]
    """Look at a vertex if a path ends there, or a terminal waits for its line."""
    if s.lines[vertex] == 1 - (f.terminal[vertex] > 0):
        for edge in f.around[vertex]:
            if edge < 0 or s.edge[edge] != st.OPEN or _may_join(f, s, edge):
                continue
            if not put(f, s, 2 * edge + 1, LOOP, edge):
                return False
    return True


@st.internal
def check_ends(f, s):  # type: ignore[no-untyped-def]
    fits = True
    for vertex in range(f.degrees.shape[0]):
        fits = fits and _check_end(f, s, vertex)
    return fits


@st.internal
def cross_out(f, s):  # type: ignore[no-untyped-def]
    """Put a cross on all open edges, when nothing is left to be drawn."""
    for edge in range(f.ends.shape[0]):
        if s.edge[edge] == st.OPEN and not put(f, s, 2 * edge + 1, LOOP, st.NOWHERE):
            return False
    return True


@st.internal
def loop(f, s, at):  # type: ignore[no-untyped-def]
    """Look at both ends of the path that a literal on the trail lengthened."""
    literal = s.trail[at]
    if s.n[st.LEFT] == 0:
        return cross_out(f, s)
    if literal & 1:
        return True
    u, v = f.ends[literal >> 1, 0], f.ends[literal >> 1, 1]
    for end in (u, v):
        if not _check_end(f, s, s.mate[end]) or not _check_end(f, s, end):
            return False
    # The first line beside a path: closing that path may have been right until now.
    first = s.lines[u] == 1 and s.lines[v] == 1 and s.n[st.SEGMENTS] == 2
    return not first or check_ends(f, s)


@st.internal
def premises_hold(f, s, instance):  # type: ignore[no-untyped-def]
    for literal in f.premises[instance]:
        if literal < 0:
            break
        if s.edge[literal >> 1] != st.LINE + (literal & 1):
            return False
    return True


@st.internal
def conclude(f, s, instance, technique):  # type: ignore[no-untyped-def]
    for literal in f.conclusions[instance]:
        if literal < 0:
            break
        if not put(f, s, literal, technique, instance):
            return False
    return True


@st.internal
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


@st.internal
def parity(f, s, cut):  # type: ignore[no-untyped-def]
    odd = (s.cut_lines[cut] + f.cut_odd[cut]) & 1
    if s.cut_open[cut] == 0:
        return not odd or fail(s, PARITY, cut)
    if s.cut_open[cut] > 1:
        return True
    for index in range(f.cut_start[cut], f.cut_start[cut + 1]):
        edge = f.cut_edges[index]
        if s.edge[edge] == st.OPEN:
            return put(f, s, 2 * edge + 1 - odd, PARITY, cut)
    return True


@st.internal
def show(f, s, face, shown):  # type: ignore[no-untyped-def]
    """Show a clue, to `look` at it when all that come together are shown; or (``shown`` 0) take it
    back, after what was decided since then was undone."""
    item = f.degrees.shape[0] + face
    step = 2 * shown - 1
    s.counts[face] = f.clues[face] if shown else ANY_COUNT
    s.site_mask[item] = f.clues[face] if shown else 0
    s.n[st.UNMET] += step * (1 - allowed(f.clues[face], s.lines[item]))
    for kind in st.KINDS[:2]:
        start = f.face_start[kind]
        for index in range(start[face], start[face + 1]):
            at = f.window_first[kind] + f.windows_at[index]
            s.window_clues[at] += step * _lies_in(f, at, 2 + kind, face)
            if shown and s.window_clues[at] > 0 and f.enabled[0, WINDOW + kind]:
                wait(s, kind, f.windows_at[index])
    if shown and f.enabled[0, SHADE]:
        wait(s, st.SITES, item)
    for index in range(f.asked_start[face], f.asked_start[face + 1]):
        s.missing[f.asked_by[index]] -= step


@st.internal
def _lies_in(f, at, side, face):  # type: ignore[no-untyped-def]
    """1 for a face in a window, 0 for one beside it."""
    for row in range(1, side + 1):
        for col in range(1, side + 1):
            if f.window_faces[at, row * (side + 2) + col] == face:
                return 1
    return 0


@st.internal
def look(f, s, face):  # type: ignore[no-untyped-def]
    """Deduce at once what a new clue says; False: no solution."""
    if f.enabled[0, CLUE] and not clue(f, s, face):
        return False
    for index in range(f.asked_start[face], f.asked_start[face + 1]):
        instance = f.asked_by[index]
        technique = f.techniques[instance]
        if s.missing[instance] or not f.enabled[0, technique]:
            continue
        if premises_hold(f, s, instance) and not conclude(f, s, instance, technique):
            return False
    # Closing the only path, or joining the only two, may have been right until now.
    return not f.enabled[0, LOOP] or s.n[st.SEGMENTS] > 2 or check_ends(f, s)
