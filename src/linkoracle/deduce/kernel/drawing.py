"""Deciding an edge, and undoing it: counts, paths and their ends, classes of related items."""

from __future__ import annotations

from linkoracle.deduce.kernel import state as st
from linkoracle.deduce.rules import TECHNIQUES


@st.internal
def fail(s, technique, place):  # type: ignore[no-untyped-def]
    s.n[st.FAULT], s.n[st.FAULT_AT] = technique, place
    return False


@st.internal
def allowed(mask, lines):  # type: ignore[no-untyped-def]
    return (mask >> lines) & 1


@st.internal
def put(f, s, literal, technique, place):  # type: ignore[no-untyped-def]
    """Decide an edge; False, with the fault noted, if that contradicts what is known."""
    edge = literal >> 1
    value = st.LINE + (literal & 1)
    known = s.edge[edge]
    if known != st.OPEN:
        return known == value or fail(s, technique, place)
    at = s.n[st.TRAIL]
    s.edge[edge] = value
    s.trail[at] = literal
    s.why[at], s.where[at] = technique, place
    s.joined[at] = 0
    s.n[st.TRAIL] = at + 1
    _count(f, s, literal, st.ONE)
    if literal & 1:
        return True
    for k in range(2):
        vertex = f.ends[edge, k]
        if f.degrees[vertex] >> s.lines[vertex] == 0:
            return fail(s, technique, place)
    return _join(f, s, edge, at) or fail(s, technique, place)


@st.internal
def _count(f, s, literal, step):  # type: ignore[no-untyped-def]
    """Count a decided edge at its ends, faces and cut; with ``step`` -1 no longer."""
    edge = literal >> 1
    vertices = f.degrees.shape[0]
    s.n[st.UNDECIDED] -= step
    s.cut_open[f.cut_of[edge]] -= step
    if not literal & 1:
        s.cut_lines[f.cut_of[edge]] += step
    for k in range(2):
        vertex, face = f.ends[edge, k], f.sides[edge, k]
        beside = face < s.counts.shape[0]
        if literal & 1:
            s.crosses[vertex] += step
            if beside:
                s.crosses[vertices + face] += step
        else:
            _count_line(s, vertex, f.degrees[vertex], step)
            if beside:
                _count_line(s, vertices + face, s.counts[face], step)


@st.internal
def _count_line(s, item, mask, step):  # type: ignore[no-untyped-def]
    s.n[st.UNMET] += allowed(mask, s.lines[item])
    s.lines[item] += step
    s.n[st.UNMET] -= allowed(mask, s.lines[item])


@st.internal
def _join(f, s, edge, at):  # type: ignore[no-untyped-def]
    """Merge the paths that a new line joins; False if that can be in no solution."""
    u, v = f.ends[edge, 0], f.ends[edge, 1]
    a, b = s.mate[u], s.mate[v]
    if a == v:
        s.joined[at] = 2
        s.n[st.LEFT] -= 1
        is_all = s.n[st.LEFT] == 0 and s.n[st.SEGMENTS] == 1 and s.n[st.UNMET] == 0
        return f.rules[st.IS_LOOP] and is_all
    s.joined[at] = 1
    one, other = s.label[a], s.label[b]
    s.labels_before[at, 0], s.labels_before[at, 1] = one, other
    s.mate[a], s.mate[b] = b, a
    s.label[a] = s.label[b] = max(one, other)
    s.n[st.SEGMENTS] += 1 - (s.lines[u] > 1) - (s.lines[v] > 1)
    if one and other:
        s.n[st.LEFT] -= 1
        if one != other:
            return False
        return s.n[st.LEFT] > 0 or (s.n[st.SEGMENTS] == f.rules[st.PAIRS] and s.n[st.UNMET] == 0)
    return s.n[st.LEFT] > 0


@st.internal
def undo(f, s, trail, merges):  # type: ignore[no-untyped-def]
    """Go back to when the trail and the merges had these lengths."""
    while s.n[st.TRAIL] > trail:
        at = s.n[st.TRAIL] - 1
        s.n[st.TRAIL] = at
        edge = s.trail[at] >> 1
        s.edge[edge] = st.OPEN
        _count(f, s, s.trail[at], -st.ONE)
        if s.joined[at] == 2:
            s.n[st.LEFT] += 1
        elif s.joined[at] == 1:
            u, v = f.ends[edge, 0], f.ends[edge, 1]
            # A vertex within a path keeps the mate that it had as its end.
            a = s.mate[u] if s.lines[u] else u
            b = s.mate[v] if s.lines[v] else v
            s.mate[a], s.mate[b] = u, v
            s.label[a] = s.label[u] = s.labels_before[at, 0]
            s.label[b] = s.label[v] = s.labels_before[at, 1]
            s.n[st.LEFT] += s.labels_before[at, 0] > 0 and s.labels_before[at, 1] > 0
            s.n[st.SEGMENTS] -= 1 - (s.lines[u] > 0) - (s.lines[v] > 0)
    while s.n[st.MERGES] > merges:
        s.n[st.MERGES] -= 1
        root = s.merged[s.n[st.MERGES]]
        above = s.parent[root]
        s.size[above] -= s.size[root]
        s.following[root], s.following[above] = s.following[above], s.following[root]
        s.parent[root], s.odd[root] = root, 0
    s.n[st.MERGES_SEEN] = min(s.n[st.MERGES_SEEN], merges)
    for technique in range(TECHNIQUES):
        s.heads[technique] = min(s.heads[technique], trail)
    for kind in range(4):
        for index in range(s.n[st.SQUARES_WAITING + kind]):
            s.is_waiting[kind, s.waiting[kind, index]] = 0
        s.n[st.SQUARES_WAITING + kind] = 0


@st.internal
def find_root(s, item):  # type: ignore[no-untyped-def]
    """The root of a class, and whether the item differs from it."""
    odd = 0
    while s.parent[item] != item:
        odd ^= s.odd[item]
        item = s.parent[item]
    return item, odd


@st.internal
def wait(s, kind, item):  # type: ignore[no-untyped-def]
    if not s.is_waiting[kind, item]:
        s.is_waiting[kind, item] = 1
        s.waiting[kind, s.n[st.SQUARES_WAITING + kind]] = item
        s.n[st.SQUARES_WAITING + kind] += 1


@st.internal
def unite(s, one, other, differ, technique, place):  # type: ignore[no-untyped-def]
    """Relate two items. Returns the root that was put below another; -1: known, -2: impossible."""
    a, odd_a = find_root(s, one)
    b, odd_b = find_root(s, other)
    if a == b:
        if odd_a ^ odd_b == differ:
            return -1
        fail(s, technique, place)
        return -2
    if s.size[a] > s.size[b]:
        a, b = b, a
    s.parent[a] = b
    s.odd[a] = odd_a ^ odd_b ^ differ
    s.size[b] += s.size[a]
    s.following[a], s.following[b] = s.following[b], s.following[a]
    s.merged[s.n[st.MERGES]] = a
    s.n[st.MERGES] += 1
    return a


@st.internal
def next_waiting(s, kind):  # type: ignore[no-untyped-def]
    s.n[st.SQUARES_WAITING + kind] -= 1
    item = s.waiting[kind, s.n[st.SQUARES_WAITING + kind]]
    s.is_waiting[kind, item] = 0
    return item


@st.internal
def note(s, kind, edge, start, items, code):  # type: ignore[no-untyped-def]
    for index in range(start[edge], start[edge + 1]):
        if code[items[index]] >= 0:
            wait(s, kind, items[index])
