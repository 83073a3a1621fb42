"""Techniques that try all ways to fill a block of cells."""

from __future__ import annotations

import numpy as np

from linkoracle.deduce.kernel import state as st
from linkoracle.deduce.kernel.drawing import allowed, fail, find_root, put, wait
from linkoracle.deduce.kernel.sides import relate
from linkoracle.deduce.rules import UNIQUE, WINDOW


@st.internal
def free_cell(f, s, free):  # type: ignore[no-untyped-def]
    """Keep what all completions of a cell agree on that fit its known edges, and are no choice."""
    edges = f.cell_edges[free]
    size = edges.shape[0]
    lines, crosses = 0, 0
    for k in range(size):
        edge = edges[k]
        if edge < 0 or s.edge[edge] == st.CROSS:
            crosses |= 1 << k
        elif s.edge[edge] == st.LINE:
            lines |= 1 << k
    everything = (1 << size) - 1
    always, ever = everything, 0
    for way in f.free_fills:
        if way & lines == lines and way & crosses == 0:
            always &= way
            ever |= way
            if always == lines and ever | crosses == everything:
                return True
    if ever == 0 and always == everything:
        return fail(s, UNIQUE, free)
    for k in range(size):
        if edges[k] >= 0 and s.edge[edges[k]] == st.OPEN:
            if (always >> k) & 1:
                if not put(f, s, 2 * edges[k], UNIQUE, free):
                    return False
            elif not (ever >> k) & 1 and not put(f, s, 2 * edges[k] + 1, UNIQUE, free):
                return False
    return True


@st.internal
def _open_edges(f, s, dots, side, found):  # type: ignore[no-untyped-def]
    """List the open edges at the dots of a window: both ends, and the faces that they divide.

    The faces are numbered as in `Frame.window_faces`. Returns how many edges there are.
    """
    wide = side + 2
    size = 0
    for row in range(side + 1):
        for col in range(side + 1):
            vertex = dots[row * (side + 1) + col]
            corner = row * wide + col
            for k in range(4):
                edge = f.around[vertex, k]
                # Each edge once: up and left only from the first row and column.
                if edge < 0 or s.edge[edge] != st.OPEN or (k == 0 and row) or (k == 1 and col):
                    continue
                found[size, 0], found[size, 1] = f.ends[edge, 0], f.ends[edge, 1]
                found[size, 2] = corner + (0 if k < 2 else (1 if k == 2 else wide))
                found[size, 3] = corner + (1 if k == 0 else wide + 1 if k > 1 else wide)
                size += 1
    return size


@st.internal
def _unmet_elsewhere(f, s, dots, faces, side):  # type: ignore[no-untyped-def]
    """Whether lines are missing somewhere that no line at these dots can reach."""
    vertices = f.degrees.shape[0]
    unmet = s.n[st.UNMET]
    for k in range((side + 1) * (side + 1)):
        unmet -= 1 - allowed(f.degrees[dots[k]], s.lines[dots[k]])
        # The ends of the edges that leave the window.
        for edge in f.around[dots[k]]:
            if edge >= 0:
                beside = f.ends[edge, 0] + f.ends[edge, 1] - dots[k]
                unmet -= 1 - allowed(f.degrees[beside], s.lines[beside])
    for k in range((side + 2) * (side + 2)):
        if faces[k] < s.counts.shape[0]:
            unmet -= 1 - allowed(s.counts[faces[k]], s.lines[vertices + faces[k]])
    return unmet > 0


@st.internal
def _closes(s, edges, size, colour, unmet):  # type: ignore[no-untyped-def]
    """Whether the lines that these sides of faces mean close a loop too early."""
    changed = np.empty((40, 4), np.int64)
    lines, tips, closed = 0, 0, False
    for k in range(size):
        if colour[edges[k, 2]] == colour[edges[k, 3]]:
            continue
        u, v = edges[k, 0], edges[k, 1]
        tips += (s.lines[u] == 1) + (s.lines[v] == 1)
        a, b = s.mate[u], s.mate[v]
        if a == v:
            closed = True
            continue
        changed[lines, 0], changed[lines, 1] = a, b
        changed[lines, 2], changed[lines, 3] = u, v
        s.mate[a], s.mate[b] = b, a
        lines += 1
    while lines:
        lines -= 1
        s.mate[changed[lines, 0]] = changed[lines, 2]
        s.mate[changed[lines, 1]] = changed[lines, 3]
    return closed and (unmet or s.n[st.SEGMENTS] > tips // 2)


@st.internal
def note_windows(f, s, kind, at):  # type: ignore[no-untyped-def]
    """Windows wait in which lines might now close a path that a literal on the trail lengthened.

    These are the ones with both its ends at their dots, or one step away.
    """
    literal = s.trail[at]
    if literal & 1:
        return
    columns = f.rules[st.COLUMNS]
    side = 2 + kind
    # Those of a path that grew further are out of date, but then more is to come on the trail.
    u, v = f.ends[literal >> 1, 0], f.ends[literal >> 1, 1]
    a = s.mate[u] if s.lines[u] > 1 else u
    b = s.mate[v] if s.lines[v] > 1 else v
    top, bottom = min(a // columns, b // columns), max(a // columns, b // columns)
    left, right = min(a % columns, b % columns), max(a % columns, b % columns)
    high, wide = f.degrees.shape[0] // columns - side, columns - side
    for row in range(max(bottom - side - 1, 0), min(top + 2, high)):
        for col in range(max(right - side - 1, 0), min(left + 2, wide)):
            window = row * wide + col
            if s.window_clues[f.window_first[kind] + window] > 0:
                wait(s, kind, window)


@st.internal
def _fits(f, s, dots, faces, side, colour):  # type: ignore[no-untyped-def]
    """Whether these sides of faces make no cross at a dot, and are right for the clues."""
    wide = side + 2
    vertices = f.degrees.shape[0]
    for row in range(1, wide):
        for col in range(1, wide):
            k = row * wide + col
            if f.degrees[dots[(row - 1) * (side + 1) + col - 1]] == 0b101:
                across = colour[k - wide - 1], colour[k - wide], colour[k - 1]
                if colour[k] == across[0] and across[1] == across[2] and colour[k] != across[1]:
                    return False
            if row <= side and col <= side:
                mask = s.site_mask[vertices + faces[k]]
                if mask:
                    here = colour[k]
                    lines = (here ^ colour[k - wide]) + (here ^ colour[k + wide])
                    lines += (here ^ colour[k - 1]) + (here ^ colour[k + 1])
                    if not (mask >> lines) & 1:
                        return False
    return True


@st.internal
def _note_way(differ, alike, chosen, groups):  # type: ignore[no-untyped-def]
    """Take note of how a way relates the groups: 0, nothing new; 1, new; 2, nothing is left."""
    everything = (1 << groups) - 1
    sides = 0
    for group in range(groups):
        sides |= chosen[group] << group
    new, left = 0, 0
    for group in range(groups):
        others = ~sides & everything if chosen[group] else sides
        new |= (others & ~differ[group]) | (~others & everything & ~alike[group])
        differ[group] |= others
        alike[group] |= ~others & everything
        left |= everything & ~(differ[group] & alike[group]) & ~(1 << group)
    return 2 if left == 0 else 1 if new else 0


@st.internal
def _remembered(f, s, at, side, edges, size, unmet, groups, group_of, odd_of, differ, alike):  # type: ignore[no-untyped-def]
    """Look first at ways that were found before and still fit; True when nothing is left."""
    faces, dots = f.window_faces[at], f.window_dots[at]
    cells = (side + 2) * (side + 2)
    colour = np.zeros(cells, np.int64)
    chosen = np.zeros(groups, np.int64)
    for index in range(min(s.ways_known[at], s.ways.shape[1])):
        way = s.ways[at, index]
        chosen[:] = -1
        fits = True
        for k in range(cells):
            colour[k] = (way >> k) & 1
            group = group_of[k]
            if chosen[group] < 0:
                chosen[group] = colour[k] ^ odd_of[k]
            elif chosen[group] != colour[k] ^ odd_of[k]:
                fits = False
                break
        if not fits or not _fits(f, s, dots, faces, side, colour):
            continue
        if _closes(s, edges, size, colour, unmet):
            continue
        if _note_way(differ, alike, chosen, groups) == 2:
            return True
    return False


@st.internal
def _leaning(differ, alike, by_side):  # type: ignore[no-untyped-def]
    """The side of a group, 0 or 1, that shows more that was not seen yet."""
    for_one = (by_side[1] & ~alike) | (by_side[0] & ~differ)
    for_zero = (by_side[0] & ~alike) | (by_side[1] & ~differ)
    more = 0
    while for_one:
        for_one &= for_one - 1
        more += 1
    while for_zero:
        for_zero &= for_zero - 1
        more -= 1
    return 1 if more > 0 else 0


@st.internal
def survey(f, s, kind, window):  # type: ignore[no-untyped-def]
    """Try all sides of the faces in and around a window, and keep the relations that all have.

    Edges need no look: each that is decided has related its two sides. Faces known to be related
    move together, as a group; where there are too many groups, the window is left for later.
    """
    side, wide, technique = 2 + kind, 4 + kind, WINDOW + kind
    at = f.window_first[kind] + window
    faces, dots = f.window_faces[at], f.window_dots[at]
    cells, groups = wide * wide, 0
    root_of = np.empty(cells, np.int64)
    first_of = np.empty(cells, np.int64)
    group_of = np.empty(cells, np.int64)
    odd_of = np.empty(cells, np.int64)
    for k in range(cells):
        root, odd_of[k] = find_root(s, faces[k])
        group = 0
        while group < groups and root_of[group] != root:
            group += 1
        if group == groups:
            root_of[group] = root
            first_of[group] = k
            groups += 1
        group_of[k] = group
    if groups == 1 or groups > st.MOST_GROUPS:
        return True
    edges = np.empty((40, 4), np.int64)
    size = _open_edges(f, s, dots, side, edges)
    unmet = _unmet_elsewhere(f, s, dots, faces, side)
    differ = np.zeros(groups, np.int64)
    alike = np.zeros(groups, np.int64)
    # The side that each group would have at an even place, the groups with side 0 and 1, which side
    # was tried first, and how many.
    chosen = np.zeros(groups, np.int64)
    by_side = np.zeros(2, np.int64)
    leaning = np.zeros(cells, np.int64)
    tried = np.zeros(cells, np.int64)
    colour = np.zeros(cells, np.int64)
    vertices = f.degrees.shape[0]
    if _remembered(f, s, at, side, edges, size, unmet, groups, group_of, odd_of, differ, alike):
        return True
    ways, leaping, k = 0, True, 0
    while k >= 0:
        group = group_of[k]
        if first_of[group] == k:
            if tried[k] == 0:
                leaning[k] = _leaning(differ[group], alike[group], by_side) if k else odd_of[k]
            else:
                by_side[chosen[group]] &= ~(1 << group)
            # The first face may be taken to be on side 0: only differences matter.
            if tried[k] == (1 if k == 0 else 2):
                tried[k] = 0
                k -= 1
                continue
            chosen[group] = tried[k] ^ leaning[k]
            by_side[chosen[group]] |= 1 << group
        elif tried[k]:
            tried[k] = 0
            k -= 1
            continue
        tried[k] += 1
        colour[k] = chosen[group] ^ odd_of[k]
        row, col = k // wide, k % wide
        if row and col and f.degrees[dots[(row - 1) * (side + 1) + col - 1]] == 0b101:
            across = colour[k - wide - 1], colour[k - wide], colour[k - 1]
            if colour[k] == across[0] and across[1] == across[2] and colour[k] != across[1]:
                continue  # four lines at a dot
        if row > 1 and 0 < col <= side:
            cell = k - wide
            mask = s.site_mask[vertices + faces[cell]]
            if mask:
                here = colour[cell]
                lines = (here ^ colour[cell - wide]) + (here ^ colour[cell + wide])
                lines += (here ^ colour[cell - 1]) + (here ^ colour[cell + 1])
                if not (mask >> lines) & 1:
                    continue
        if k < cells - 1:
            k += 1
            continue
        if _closes(s, edges, size, colour, unmet):
            continue
        ways += 1
        told = _note_way(differ, alike, chosen, groups)
        if told:
            way = 0
            for cell in range(cells):
                way |= colour[cell] << cell
            s.ways[at, s.ways_known[at] % s.ways.shape[1]] = way
            s.ways_known[at] += 1
        if told == 2:
            return True
        if leaping:
            # Begin anew while that leads to ways that are quite different; then try all in turn.
            leaping = told > 0
            tried[:] = 0
            by_side[:] = 0
            k = 0
    if ways == 0:
        return fail(s, technique, window)
    for group in range(groups):
        for beside in range(group + 1, groups):
            different = (differ[group] >> beside) & 1
            if different == (alike[group] >> beside) & 1:
                continue
            one, other = first_of[group], first_of[beside]
            different ^= odd_of[one] ^ odd_of[other]
            if not relate(f, s, faces[one], faces[other], different, technique, window):
                return False
    return True
