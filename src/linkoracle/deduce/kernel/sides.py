"""Techniques on the sides of cells: colours, shades around a dot or clue, whole regions."""

from __future__ import annotations

import numpy as np

from linkoracle.deduce.kernel import state as st
from linkoracle.deduce.kernel.drawing import fail, find_root, put, unite, wait
from linkoracle.deduce.rules import COLOUR, REGION, SHADE, WIDE, WINDOW


@st.internal
def relate(f, s, one, other, differ, technique, place):  # type: ignore[no-untyped-def]
    """Two faces are on the same side of the loop, or not; decide the edges that this decides."""
    small = unite(s, one, other, differ, technique, place)
    if small < 0:
        return small == -1
    # The small class is a part of a longer ring now; its members are those below `small`.
    size = s.size[small]
    vertices = f.degrees.shape[0]
    shades = f.enabled[min(s.n[st.IN_TRIAL], 1), SHADE]
    surveys = f.enabled[min(s.n[st.IN_TRIAL], 1), WINDOW : WIDE + 1]
    face = s.following[s.parent[small]]
    for _ in range(size):
        if face < s.counts.shape[0]:
            for kind in st.KINDS[:2]:
                if surveys[kind]:
                    start = f.face_start[kind]
                    for index in range(start[face], start[face + 1]):
                        window = f.windows_at[index]
                        if s.window_clues[f.window_first[kind] + window] > 0:
                            wait(s, kind, window)
            if shades and s.site_mask[vertices + face]:
                wait(s, st.SITES, vertices + face)
            for edge in f.ring[face]:
                beside = f.sides[edge, 0] + f.sides[edge, 1] - face
                if shades:
                    if beside < s.counts.shape[0] and s.site_mask[vertices + beside]:
                        wait(s, st.SITES, vertices + beside)
                    for k in range(2):
                        if s.site_mask[f.ends[edge, k]]:
                            wait(s, st.SITES, f.ends[edge, k])
                if s.edge[edge] == st.OPEN and not _decide(f, s, edge, technique, place):
                    return False
        else:
            for edge in range(f.ends.shape[0]):
                if f.sides[edge, 1] != face or s.edge[edge] != st.OPEN:
                    continue
                if not _decide(f, s, edge, technique, place):
                    return False
        face = s.following[face]
    return True


@st.internal
def _decide(f, s, edge, technique, place):  # type: ignore[no-untyped-def]
    """Decide an open edge if its two sides are related."""
    a, odd_a = find_root(s, f.sides[edge, 0])
    b, odd_b = find_root(s, f.sides[edge, 1])
    return a != b or put(f, s, 2 * edge + 1 - (odd_a ^ odd_b), technique, place)


@st.internal
def colour(f, s, at):  # type: ignore[no-untyped-def]
    literal = s.trail[at]
    edge = literal >> 1
    one, other = f.sides[edge, 0], f.sides[edge, 1]
    return relate(f, s, one, other, 1 - (literal & 1), COLOUR, edge)


@st.internal
def shade(f, s, site):  # type: ignore[no-untyped-def]
    """Try all sides of the faces around a dot, or of a clue and its neighbours."""
    faces = f.site_faces[site]
    size = 0
    roots = np.empty(5, np.int64)
    odds = np.empty(5, np.int64)
    while size < 5 and faces[size] >= 0:
        roots[size], odds[size] = find_root(s, faces[size])
        size += 1
    # Bit 5 * i + j: some way has i and j alike; and the same for different.
    alike, differ, fitting = 0, 0, False
    for way in range(1 << (size - 1)):
        sides = way << 1
        lines = 0
        for k in range(4):
            i = f.site_pairs[site, k, 0]
            if i >= 0:
                lines += ((sides >> i) ^ (sides >> f.site_pairs[site, k, 1])) & 1
        if not (s.site_mask[site] >> lines) & 1:
            continue
        same, other, fits = 0, 0, True
        for i in range(size):
            for j in range(i + 1, size):
                different = ((sides >> i) ^ (sides >> j)) & 1
                if roots[i] == roots[j] and different != odds[i] ^ odds[j]:
                    fits = False
                if different:
                    other |= 1 << (5 * i + j)
                else:
                    same |= 1 << (5 * i + j)
        if fits:
            alike |= same
            differ |= other
            fitting = True
    if not fitting:
        return fail(s, SHADE, site)
    for i in range(size):
        for j in range(i + 1, size):
            bit = 1 << (5 * i + j)
            if roots[i] != roots[j] and bool(alike & bit) != bool(differ & bit):
                different = 1 if differ & bit else 0
                if not relate(f, s, faces[i], faces[j], different, SHADE, site):
                    return False
    return True


@st.internal
def regions(f, s):  # type: ignore[no-untyped-def]
    """Keep the cells inside connected with each other, and so the cells outside.

    Depth first from a cell known to be on that side, over cells that may be, through edges that are
    no lines: a cell through which alone others on that side are reached is on that side as well,
    and what is not reached at all is not. Tarjan, SIAM J. Comput. 1(2), 1972.
    """
    faces = s.counts.shape[0]
    nodes = faces + 2 - f.rules[st.IS_LOOP]
    outside, flip = find_root(s, faces)
    # 0: as the outside, 1: not as the outside, 2: not known.
    side = np.empty(nodes, np.int64)
    for node in range(nodes):
        root, odd = find_root(s, node)
        side[node] = odd ^ flip if root == outside else 2
    return _connect(f, s, side, st.ZERO) and _connect(f, s, side, st.ONE)


@st.internal
def _connect(f, s, side, inside):  # type: ignore[no-untyped-def]
    """One half of `regions`: the cells whose side is ``inside``, 0 or 1."""
    faces = s.counts.shape[0]
    nodes = side.shape[0]
    start = nodes - 1
    while start >= 0 and side[start] != inside:
        start -= 1
    if start < 0:
        return True
    seen = np.full(nodes, -1, np.int64)
    low = np.zeros(nodes, np.int64)
    turn = np.zeros(nodes, np.int64)
    known = np.zeros(nodes, np.int64)
    needed = np.zeros(nodes, np.int64)
    stack = np.empty(nodes, np.int64)
    stack[0] = start
    height, clock = 1, 0
    while height:
        node = stack[height - 1]
        if seen[node] < 0:
            seen[node] = low[node] = clock
            clock += 1
            known[node] = side[node] == inside
        if turn[node] < (4 if node < faces else f.rim.shape[0]):
            edge = f.ring[node, turn[node]] if node < faces else f.rim[turn[node]]
            turn[node] += 1
            one, other = f.sides[edge, 0], f.sides[edge, 1]
            if s.edge[edge] == st.LINE or (one != node and other != node):
                continue
            beside = one + other - node
            if side[beside] == 1 - inside:
                continue
            if seen[beside] < 0:
                stack[height] = beside
                height += 1
            else:
                low[node] = min(low[node], seen[beside])
            continue
        height -= 1
        if height:
            above = stack[height - 1]
            low[above] = min(low[above], low[node])
            known[above] += known[node]
            if low[node] >= seen[above] and known[node]:
                needed[above] = 1
    for node in range(nodes):
        if seen[node] < 0 and side[node] == inside:
            return fail(s, REGION, node)
        if side[node] == 2 and (seen[node] < 0 or needed[node]):
            known_side = inside if needed[node] else 1 - inside
            if not relate(f, s, node, faces, known_side, REGION, node):
                return False
    return True
