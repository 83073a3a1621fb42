"""Which decisions have no future: unit propagation ahead of the frontier, tabulated.

The kernel sees a violated rule when the last edge of a vertex or face is decided; by then a dead
state has had descendants for up to a row. Here every vertex gets a table over the few
edges around it that a state knows, its *window*: does assuming them lead, by the degree and face
rules alone, to a contradiction anywhere?

**Soundness.** A solution that continues the state contains exactly these window edges, so it would
satisfy every rule from which the contradiction follows. Nothing is assumed about other edges;
connectivity is ignored. So a pattern that is struck out has no solution.

The table costs some microseconds for each vertex and pattern; `Sweep` makes it when layers grow
large enough to pay for it, and a small puzzle never waits for it.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from linkoracle.board.model import ANY_COUNT
from linkoracle.frontier.plan import Plan

#: Bits of a pattern: the decision (right and down), then, in order, the plug and the face bit in
#: the column before, and the plugs and face bits in the two columns after.
PATTERNS = 256


def lookahead(plan: Plan) -> NDArray[np.bool_]:
    """For each step and pattern whether it may have a future: shape ``(steps, PATTERNS)``.

    A pattern is ``decision | before << 2 | after << 4 | next << 6``, where each of the three is
    plug plus twice the face bit, as `kernel.advance` finds them when the decision is made.
    """
    table = np.zeros((plan.num_steps, PATTERNS), dtype=np.bool_)
    _tabulate(plan.degrees, plan.faces, plan.fixed.reshape(-1), _windows(plan), table)
    return table


def _windows(plan: Plan) -> NDArray[np.int64]:
    """The edge behind each bit of a pattern, -1 where there is none or the state does not know it.

    Edges are numbered here as ``2 * step`` (right) and ``2 * step + 1`` (down).
    """
    ruled = np.zeros((plan.height, plan.width), dtype=np.bool_)
    ruled[:-1, :-1] = plan.faces != ANY_COUNT
    step = np.arange(plan.num_steps)
    windows = np.full((plan.num_steps, 8), -1, dtype=np.int64)
    windows[:, 0], windows[:, 1] = 2 * step + 1, 2 * step
    for bit, up, right in ((2, 0, -1), (4, 1, 1), (6, 1, 2)):
        row, col = step // plan.width - up, step % plan.width + right
        there = (row >= 0) & (col >= 0) & (col < plan.width)
        vertex = (row * plan.width + col)[there]
        windows[there, bit] = 2 * vertex + 1
        windows[there, bit + 1] = np.where(ruled.ravel()[vertex], 2 * vertex, -1)
    return windows


@njit(cache=True)
def _rule(number, degrees, faces, around):  # type: ignore[no-untyped-def]
    """Fill ``around`` with the edges of a rule; return how many, and the mask of allowed counts.

    Rules are numbered vertices first, then faces by their top left vertex.
    """
    height, width = degrees.shape
    steps = height * width
    vertex = number % steps
    row, col = vertex // width, vertex % width
    if number < steps:
        around[0], around[1] = 2 * vertex, 2 * vertex + 1
        count = 2
        if col:
            around[count] = 2 * (vertex - 1)
            count += 1
        if row:
            around[count] = 2 * (vertex - width) + 1
            count += 1
        return count, degrees[row, col]
    if row + 1 == height or col + 1 == width:
        return 0, np.int64(1)
    around[0], around[1] = 2 * vertex, 2 * vertex + 1
    around[2], around[3] = 2 * (vertex + 1) + 1, 2 * (vertex + width)
    return 4, faces[row, col]


@njit(cache=True)
def _propagate(values, trail, done, known, degrees, faces, around):  # type: ignore[no-untyped-def]
    """Draw all unit conclusions from ``trail[done:known]``; its new end, or -1 at a conflict."""
    height, width = degrees.shape
    steps = height * width
    while done < known:
        edge = trail[done]
        done += 1
        vertex = edge // 2
        # Two vertices and two faces; negative where the lattice ends.
        if edge & 1:
            rules = (vertex, vertex + width, steps + vertex, steps + vertex - 1)
            missing = vertex % width == 0
        else:
            rules = (vertex, vertex + 1, steps + vertex, steps + vertex - width)
            missing = vertex < width
        for k in range(4):
            number = rules[k]
            if (k == 3 and missing) or (k == 1 and number >= steps):
                continue
            count, mask = _rule(number, degrees, faces, around)
            chosen = unknown = 0
            for j in range(count):
                value = values[around[j]]
                if value < 0:
                    unknown += 1
                else:
                    chosen += value
            window = (1 << unknown) - 1
            if not unknown:
                if not mask >> chosen & 1:
                    return -1
                continue
            may_off = mask >> chosen & window
            may_on = mask >> (chosen + 1) & window
            if not may_off and not may_on:
                return -1
            if may_off and may_on:
                continue
            for j in range(count):
                if values[around[j]] < 0:
                    values[around[j]] = 1 if may_on else 0
                    trail[known] = around[j]
                    known += 1
    return known


@njit(cache=True)
def _try(values, trail, known, edge, value, degrees, faces, around):  # type: ignore[no-untyped-def]
    """Assume one edge and propagate; the new end of the trail, or -1 at a conflict."""
    if values[edge] >= 0:
        return known if values[edge] == value else -1
    values[edge] = value
    trail[known] = edge
    return _propagate(values, trail, known, known + 1, degrees, faces, around)


@njit(cache=True)
def _undo(values, trail, start):  # type: ignore[no-untyped-def]
    """Forget what has been concluded since; entries of the trail end at the first -1."""
    for k in range(start, len(trail)):
        if trail[k] < 0:
            break
        values[trail[k]] = -1
        trail[k] = -1


@njit(cache=True)
def _tabulate(degrees, faces, fixed, windows, table):  # type: ignore[no-untyped-def]
    height, width = degrees.shape
    steps = height * width
    values = np.full(2 * steps, -1, dtype=np.int8)
    trail = np.full(2 * steps + 1, -1, dtype=np.int64)
    around = np.empty(4, dtype=np.int64)
    known = 0
    for edge in range(2 * steps):
        if fixed[edge] >= 0:
            values[edge] = fixed[edge]
            trail[known] = edge
            known += 1
    # What holds without assumptions: propagate what is fixed, then every edge that cannot be one
    # value.
    known = _propagate(values, trail, 0, known, degrees, faces, around)
    for _ in range(2):
        for edge in range(2 * steps):
            for value in range(2):
                if known < 0:
                    return
                if values[edge] < 0:
                    end = _try(values, trail, known, edge, value, degrees, faces, around)
                    _undo(values, trail, known)
                    if end < 0:
                        known = _try(values, trail, known, edge, 1 - value, degrees, faces, around)
    if known < 0:
        return
    # Patterns in increasing order, the highest bit assumed first: one pattern keeps what the one
    # before it has concluded from the bits they share. ends[b] is the trail before bit b.
    ends = np.empty(9, dtype=np.int64)
    for step in range(steps):
        ends[8] = known
        pattern, first = 0, 7
        while pattern < table.shape[1]:
            _undo(values, trail, ends[first + 1])
            skipped = 1
            for bit in range(first, -1, -1):
                edge, value = windows[step, bit], pattern >> bit & 1
                end = ends[bit + 1]
                if edge >= 0:
                    end = _try(values, trail, end, edge, value, degrees, faces, around)
                elif value:
                    end = -1
                if end < 0:
                    # So is every pattern with the same higher bits.
                    skipped = 1 << bit
                    break
                ends[bit] = end
            table[step, pattern] = end >= 0
            following = pattern + skipped
            changed = following ^ pattern
            first = 0
            while changed > 1:
                changed >>= 1
                first += 1
            pattern = following
        _undo(values, trail, known)
