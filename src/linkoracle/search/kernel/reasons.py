"""Reasons: from which literals did a rule conclude what it did? Found when a conflict asks."""

from __future__ import annotations

from linkoracle.search.kernel.state import (
    AT,
    BUFFER,
    CHOSEN,
    CLAUSE,
    CLOSED,
    COLUMNS,
    CYCLE,
    EDGES,
    END,
    FACE,
    FACES,
    FROM,
    KINDS,
    LEFT,
    LEVEL_OF,
    MARK,
    MARKS,
    MOST,
    ON_BOARD,
    OTHER_END,
    PATH,
    PLACE,
    RULE,
    SEEN_AT,
    SIDE,
    START,
    TO,
    TRAIL,
    VERTEX,
    VERTICES,
    WALKED,
    WHOLE,
    WIDTH,
    C,
    E,
    N,
    V,
    internal,
)


@internal
def walk(s, edge, limit, count):  # type: ignore[no-untyped-def]
    """Note the path that joins the ends of an edge, of edges set before ``limit``.

    Returns how much is noted, and whether something must be on elsewhere for the path to be no
    solution once closed: not where it leaves out the virtual edge between two ends.
    """
    s.numbers[MARKS] += 1
    mark = s.numbers[MARKS]
    vertex, goal = s.edges[E * edge + FROM], s.edges[E * edge + TO]
    came = edge
    s.variables[V * edge + MARK] = mark
    whole = s.numbers[END] < 0
    walked = 0
    while vertex != goal:
        s.nodes[N * vertex + WALKED] = mark
        step = -1
        for k in range(4):
            on = s.nodes[N * vertex + AT + k]
            if on < 0 or on == came or s.value[on] <= 0:
                continue
            if s.variables[V * on + PLACE] < limit:
                step = on
                break
        s.lists[PATH * s.width + walked] = vertex
        walked += 1
        if step < 0:
            vertex = s.numbers[END] + s.numbers[OTHER_END] - vertex
            came = -1
            whole = True
            continue
        s.lists[BUFFER * s.width + count] = 2 * step
        count += 1
        s.variables[V * step + MARK] = mark
        vertex = s.edges[E * step + FROM] + s.edges[E * step + TO] - vertex
        came = step
    s.nodes[N * vertex + WALKED] = mark
    s.lists[PATH * s.width + walked] = vertex
    return count, whole, walked + 1


@internal
def elsewhere(s, count):  # type: ignore[no-untyped-def]
    """Note the first edge that is on and was not walked."""
    for k in range(1 if s.numbers[END] >= 0 else 0, s.numbers[ON_BOARD]):
        literal = s.lists[CHOSEN * s.width + k]
        if s.variables[V * (literal >> 1) + MARK] != s.numbers[MARKS]:
            s.lists[BUFFER * s.width + count] = literal
            return count + 1
    return count


@internal
def price(s, first, count):  # type: ignore[no-untyped-def]
    cost = 0
    for k in range(first, count):
        level = s.variables[V * (s.lists[BUFFER * s.width + k] >> 1) + LEVEL_OF]
        cost += 0 if level == 0 else 1 if level == 1 else 1000
    return cost


@internal
def towards(columns, vertex, other):  # type: ignore[no-untyped-def]
    """In which direction a neighbour lies: up, right, down, left."""
    if other < vertex:
        return 0 if other == vertex - columns else 3
    return 2 if other == vertex + columns else 1


@internal
def is_left(s, walked, edge):  # type: ignore[no-untyped-def]
    """Whether an edge lies to the left of the cycle whose vertices are in `PATH`."""
    columns, mark = s.numbers[COLUMNS], s.numbers[MARKS]
    turns = 0
    for k in range(walked):
        here = s.lists[PATH * s.width + k]
        came = s.lists[PATH * s.width + (k - 1 if k else walked - 1)]
        goes = s.lists[PATH * s.width + (k + 1 if k + 1 < walked else 0)]
        turns += 2 - (towards(columns, here, goes) - towards(columns, here, came)) % 4
    face = s.edges[E * edge + LEFT]
    crossed = 0
    for beside in range(face - face % (columns - 1), face + 1):
        wall = s.nodes[N * (s.numbers[VERTICES] + beside) + AT + 1]
        crossed += s.variables[V * wall + MARK] == mark
    return (turns > 0) == (crossed % 2 == 1)


@internal
def cut_around(s, edge, walked, limit, first, count):  # type: ignore[no-untyped-def]
    """Say by what surrounds a walked path, not by the path, why an edge must not close it.

    With the edge on, both its ends are done with; when all edges that leave the rest of the path
    are off, nothing joins the path to what is on elsewhere. Where that is known to be to the left,
    only the edges on this side count (Jordan). Kept if it is the better reason.
    """
    mark, columns = s.numbers[MARKS], s.numbers[COLUMNS]
    size = count
    last = s.lists[BUFFER * s.width + count - 1]
    elsewhere = s.variables[V * (last >> 1) + MARK] != mark
    sided = elsewhere and s.numbers[END] < 0
    left = sided and is_left(s, walked, last >> 1)
    for k in range(1, walked - 1):
        vertex = s.lists[PATH * s.width + k]
        came, goes = 0, 0
        if sided:
            came = towards(columns, vertex, s.lists[PATH * s.width + k - 1])
            goes = (towards(columns, vertex, s.lists[PATH * s.width + k + 1]) - came) % 4
        for side in range(4):
            off = s.nodes[N * vertex + AT + side]
            if off < 0 or s.variables[V * off + MARK] == mark:
                continue
            far = s.edges[E * off + FROM] + s.edges[E * off + TO] - vertex
            if s.nodes[N * far + WALKED] == mark:
                continue
            # Clockwise from where the path comes to where it goes is its left.
            if sided and left != ((towards(columns, vertex, far) - came) % 4 < goes):
                continue
            if s.value[off] >= 0:
                return count
            if s.variables[V * off + PLACE] >= limit:
                return count
            s.lists[BUFFER * s.width + size] = 2 * off + 1
            size += 1
    for end in (s.edges[E * edge + FROM], s.edges[E * edge + TO]):
        for side in range(4):
            on = s.nodes[N * end + AT + side]
            if on >= 0 and on != edge and s.variables[V * on + MARK] == mark:
                s.lists[BUFFER * s.width + size] = 2 * on
                size += 1
    if elsewhere:
        s.lists[BUFFER * s.width + size] = last
        size += 1
    if price(s, count, size) >= price(s, first, count):
        return count
    for k in range(size - count):
        s.lists[BUFFER * s.width + first + k] = s.lists[BUFFER * s.width + count + k]
    return first + size - count


@internal
def note_edges(s, node, forced, limit, wanted, most, count):  # type: ignore[no-untyped-def]
    """Note up to ``most`` edges set to ``wanted`` (0: at all) before ``limit``, but the forced."""
    for k in range(4):
        edge = s.nodes[N * node + AT + k]
        if edge < 0 or edge == forced or most == 0:
            continue
        value = s.value[edge]
        if (
            value == 0
            or s.variables[V * edge + PLACE] >= limit
            or (wanted != 0 and value != wanted)
        ):
            continue
        s.lists[BUFFER * s.width + count] = 2 * edge + (value < 0)
        count += 1
        most -= 1
    return count


@internal
def count_edges(s, node, forced, limit, wanted):  # type: ignore[no-untyped-def]
    found = 0
    for k in range(4):
        edge = s.nodes[N * node + AT + k]
        if edge < 0 or edge == forced or s.value[edge] != wanted:
            continue
        if s.variables[V * edge + PLACE] < limit:
            found += 1
    return found


@internal
def explain(s, reason, forced):  # type: ignore[no-untyped-def]
    """Write to `BUFFER` true literals that forced a variable, or (-1) a conflict; how many.

    Only what was on the trail before the variable counts. Edges that suffice stand for the rest.
    """
    kind, index = reason & (KINDS - 1), reason // KINDS
    limit = s.variables[V * forced + PLACE] if forced >= 0 else s.numbers[TRAIL]
    count = 0
    if kind == CLAUSE:
        start = s.clauses[C * index + START]
        for k in range(start, start + s.clauses[C * index + WIDTH]):
            if s.arena[k] >> 1 != forced:
                s.lists[BUFFER * s.width + count] = s.arena[k] ^ 1
                count += 1
    elif kind == SIDE:
        for k in range(3):
            variable = index
            if k < 2:
                if s.edges[E * index + LEFT + k] < 0:
                    continue
                variable = s.numbers[EDGES] + s.numbers[FACES] + s.edges[E * index + LEFT + k]
            if variable != forced:
                s.lists[BUFFER * s.width + count] = 2 * variable + (s.value[variable] < 0)
                count += 1
    elif kind == CYCLE:
        limit = s.variables[V * index + SEEN_AT]
        if forced < 0:
            s.lists[BUFFER * s.width] = 2 * index
            count = 1
        count, whole, walked = walk(s, index, limit, count)
        if whole:
            count = elsewhere(s, count)
        limit = s.variables[V * forced + PLACE] if forced >= 0 else s.numbers[TRAIL]
        first = 1 if forced < 0 else 0
        count = cut_around(s, index, walked, limit, first, count)
    elif kind == WHOLE:
        # The line was closed: nothing else can be on.
        closed = s.numbers[CLOSED]
        s.lists[BUFFER * s.width] = 2 * closed
        count = 1
        if forced < 0:
            s.lists[BUFFER * s.width + 1] = 2 * index
            count = 2
        limit = s.variables[V * closed + PLACE]
        count = walk(s, closed, limit, count)[0]
    else:
        node, most, sign = index, s.nodes[N * index + MOST], 0
        match = -1
        if kind == FACE:
            node = s.numbers[VERTICES] + index
            most = s.nodes[N * node + RULE]
            match = s.numbers[EDGES] + index
            sign = s.value[match]
            if forced != match:
                s.lists[BUFFER * s.width] = 2 * match + (sign < 0)
                count = 1
        wanted, enough = 0, 4
        if kind == VERTEX or sign > 0 or forced == match:
            # With as many on as there may be, or as many off, the others do not matter.
            value = 0 if forced < 0 or forced == match else s.value[forced]
            more = value == 0
            if value <= 0 and count_edges(s, node, forced, limit, 1) >= most + more:
                wanted, enough = 1, most + more
            elif value >= 0 and kind == FACE:
                off = count_edges(s, node, forced, limit, -1)
                if off >= 4 - most + more:
                    wanted, enough = -1, 4 - most + more
        count = note_edges(s, node, forced, limit, wanted, enough, count)
    return count
