"""Techniques for several paths: pockets, and no second way round."""

from __future__ import annotations

import numpy as np

from linkoracle.deduce.kernel.drawing import fail, find_root, put, unite
from linkoracle.deduce.kernel.state import CROSS, LINE, OPEN, PAIRS, SAME, internal
from linkoracle.deduce.rules import POCKET, UNIQUE


@internal
def pockets(f, s):  # type: ignore[no-untyped-def]
    """Decide the edges through which alone a part of the board can be reached.

    Depth first over the edges that are not crosses. Behind a bridge, and behind a vertex that all
    ways lead through, lies a pocket: as many paths must come out of it as labels have one end in
    it. One path can pass through an edge or a vertex. Tarjan, SIAM J. Comput. 1(2), 1972.
    """
    vertices = f.degrees.shape[0]
    words = f.rules[PAIRS] // 62 + 1
    seen = np.full(vertices, -1, np.int64)
    low = np.zeros(vertices, np.int64)
    entry = np.full(vertices, -1, np.int64)
    turn = np.zeros(vertices, np.int64)
    inside = np.zeros((vertices, words), np.int64)
    ends = np.zeros(vertices, np.int64)
    needed = np.zeros(vertices, np.int64)
    stack = np.empty(vertices, np.int64)
    clock = 0
    for start in range(vertices):
        if seen[start] >= 0:
            continue
        stack[0] = start
        height = 1
        while height:
            vertex = stack[height - 1]
            if seen[vertex] < 0:
                seen[vertex] = low[vertex] = clock
                clock += 1
                label = f.terminal[vertex]
                ends[vertex] = label > 0
                if label:
                    inside[vertex, label // 62] ^= 1 << (label % 62)
                needed[vertex] = s.lines[vertex] > 0 or not f.degrees[vertex] & 1
            if turn[vertex] < 4:
                edge = f.around[vertex, turn[vertex]]
                turn[vertex] += 1
                if edge < 0 or edge == entry[vertex] or s.edge[edge] == CROSS:
                    continue
                beside = f.ends[edge, 0] + f.ends[edge, 1] - vertex
                if seen[beside] < 0:
                    entry[beside] = edge
                    stack[height] = beside
                    height += 1
                else:
                    low[vertex] = min(low[vertex], seen[beside])
                continue
            height -= 1
            if height == 0:
                if not _close_region(f, s, vertex, seen, inside, ends, needed):
                    return False
                continue
            above = stack[height - 1]
            if not _leave(f, s, vertex, above, entry, seen, low, inside, ends):
                return False
            low[above] = min(low[above], low[vertex])
            needed[above] += needed[vertex]
            ends[above] += ends[vertex]
            for word in range(words):
                inside[above, word] ^= inside[vertex, word]
    return True


@internal
def _close_region(f, s, start, seen, inside, ends, needed):  # type: ignore[no-untyped-def]
    """Judge all that can be reached from ``start``: labels come in pairs, or nothing is there."""
    for word in range(inside.shape[1]):
        if inside[start, word]:
            return fail(s, POCKET, start)
    if ends[start]:
        return True
    if needed[start]:
        return fail(s, POCKET, start)
    for vertex in range(seen.shape[0]):
        if seen[vertex] >= seen[start]:
            for edge in f.around[vertex]:
                if edge >= 0 and not put(f, s, 2 * edge + 1, POCKET, start):
                    return False
    return True


@internal
def _leave(f, s, vertex, above, entry, seen, low, inside, ends):  # type: ignore[no-untyped-def]
    """Judge the pocket below ``vertex`` if all ways out of it lead through ``above``."""
    if low[vertex] < seen[above]:
        return True
    through = 0
    for word in range(inside.shape[1]):
        labels = inside[vertex, word]
        while labels:
            labels &= labels - 1
            through += 1
    if through > 1:
        return fail(s, POCKET, above)
    edge = entry[vertex]
    if low[vertex] > seen[above]:
        return s.edge[edge] != OPEN or put(f, s, 2 * edge + 1 - through, POCKET, above)
    if ends[vertex]:
        return True
    # A path that came in here could leave by the same vertex only.
    for edge in f.around[above]:
        if edge >= 0 and s.edge[edge] == OPEN:
            beside = f.ends[edge, 0] + f.ends[edge, 1] - above
            # What was first seen since `vertex` was, and is not finished elsewhere, is below it.
            if seen[beside] >= seen[vertex] and not put(f, s, 2 * edge + 1, POCKET, above):
                return False
    return True


@internal
def follow(f, s, at):  # type: ignore[no-untyped-def]
    """Join the vertices of a new line; forbid second ways round at what it changed."""
    edge = s.trail[at] >> 1
    if not s.trail[at] & 1:
        u, v = f.ends[edge, 0], f.ends[edge, 1]
        if unite(s, u, v, SAME, UNIQUE, edge) == -2:
            return False
        vertex = u
        while True:
            if not _no_chord(f, s, vertex):
                return False
            vertex = s.following[vertex]
            if vertex == u:
                break
    for k in range(2):
        vertex = f.ends[edge, k]
        if not _no_chord(f, s, vertex) or not _no_loose_corner(f, s, vertex):
            return False
        for beside in f.around[vertex]:
            if beside >= 0:
                w = f.ends[beside, 0] + f.ends[beside, 1] - vertex
                if not _no_loose_corner(f, s, w):
                    return False
    return True


@internal
def _same_path(s, u, v):  # type: ignore[no-untyped-def]
    return find_root(s, u)[0] == find_root(s, v)[0]


@internal
def _no_chord(f, s, vertex):  # type: ignore[no-untyped-def]
    """A path beside itself, without the edge between, could take the short cut.

    For a ``vertex`` of a path: no end of that path may grow into a cell ``w`` beside ``vertex``,
    unless ``w`` can follow ``vertex`` on the path.
    """
    for k in range(4):
        edge = f.around[vertex, k]
        if edge < 0 or s.edge[edge] != CROSS:
            continue
        w = f.ends[edge, 0] + f.ends[edge, 1] - vertex
        if _same_path(s, vertex, w):
            return fail(s, UNIQUE, edge)
        for other in f.around[w]:
            if other >= 0 and other != edge and s.edge[other] == OPEN:
                end = f.ends[other, 0] + f.ends[other, 1] - w
                forbidden = _same_path(s, vertex, end)
                if forbidden and not put(f, s, 2 * other + 1, UNIQUE, edge):
                    return False
    return True


@internal
def _no_loose_corner(f, s, vertex):  # type: ignore[no-untyped-def]
    """A corner whose fourth cell stays empty could be flipped over it."""
    for k in range(4):
        one = f.around[vertex, k]
        # Up and left, left and down, and so on: any two edges that are not opposite.
        for m in range(k + 1, 4):
            other = f.around[vertex, m]
            if k + m == 3 or one < 0 or other < 0 or CROSS in (s.edge[one], s.edge[other]):
                continue
            a = f.ends[one, 0] + f.ends[one, 1] - vertex
            b = f.ends[other, 0] + f.ends[other, 1] - vertex
            corner = a + b - vertex
            if s.lines[corner] or s.crosses[corner] < 4:
                continue
            if s.edge[one] == LINE and not put(f, s, 2 * other + 1, UNIQUE, corner):
                return False
            if s.edge[other] == LINE and not put(f, s, 2 * one + 1, UNIQUE, corner):
                return False
    return True
