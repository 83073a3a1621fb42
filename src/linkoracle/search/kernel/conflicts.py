"""Conflicts: the reasons for them, and what they teach.

From which literals a rule concluded what it did is found when a conflict asks; what is learned are
clauses, and which clues are to blame.
"""

from __future__ import annotations

from linkoracle.search.kernel import state as st
from linkoracle.search.kernel.propagation import across, bump, enter, holds, level_of


@st.inlined
def note(s, count, literal):  # type: ignore[no-untyped-def]
    """Write a literal behind the ``count`` that are in `BUFFER`; how many there are then."""
    s.lists[st.BUFFER * s.width + count] = literal
    return count + 1


@st.internal
def walk(s, edge, limit, count):  # type: ignore[no-untyped-def]
    """Note the path that joins the ends of an edge, of edges set before ``limit``.

    Returns how much is noted, and whether something must be on elsewhere for the path to be no
    solution once closed: not where it leaves out the virtual edge between two ends.
    """
    s.numbers[st.MARKS] += 1
    mark = s.numbers[st.MARKS]
    vertex, goal = s.edges[st.E * edge + st.FROM], s.edges[st.E * edge + st.TO]
    came = edge
    s.variables[st.V * edge + st.MARK] = mark
    whole = s.numbers[st.END] < 0
    walked = 0
    while vertex != goal:
        s.nodes[st.N * vertex + st.WALKED] = mark
        step = -1
        for k in range(4):
            on = s.nodes[st.N * vertex + st.AT + k]
            if on < 0 or on == came or s.value[on] <= 0:
                continue
            if s.variables[st.V * on + st.PLACE] < limit:
                step = on
                break
        s.lists[st.PATH * s.width + walked] = vertex
        walked += 1
        if step < 0:
            vertex = s.numbers[st.END] + s.numbers[st.OTHER_END] - vertex
            came, whole = -1, True
            continue
        count = note(s, count, 2 * step)
        s.variables[st.V * step + st.MARK] = mark
        vertex = across(s, step, vertex)
        came = step
    s.nodes[st.N * vertex + st.WALKED] = mark
    s.lists[st.PATH * s.width + walked] = vertex
    return count, whole, walked + 1


@st.internal
def elsewhere(s, count):  # type: ignore[no-untyped-def]
    """Note the first edge that is on and was not walked."""
    for k in range(1 if s.numbers[st.END] >= 0 else 0, s.numbers[st.ON_BOARD]):
        literal = s.lists[st.CHOSEN * s.width + k]
        if s.variables[st.V * (literal >> 1) + st.MARK] != s.numbers[st.MARKS]:
            return note(s, count, literal)
    return count


@st.internal
def price(s, first, count):  # type: ignore[no-untyped-def]
    cost = 0
    for k in range(first, count):
        level = level_of(s, s.lists[st.BUFFER * s.width + k])
        cost += 0 if level == 0 else 1 if level == 1 else 1000
    return cost


@st.internal
def towards(columns, vertex, other):  # type: ignore[no-untyped-def]
    """In which direction a neighbour lies: up, right, down, left."""
    if other < vertex:
        return 0 if other == vertex - columns else 3
    return 2 if other == vertex + columns else 1


@st.internal
def is_left(s, walked, edge):  # type: ignore[no-untyped-def]
    """Whether an edge lies to the left of the cycle whose vertices are in `PATH`."""
    columns, mark = s.numbers[st.COLUMNS], s.numbers[st.MARKS]
    turns = 0
    for k in range(walked):
        here = s.lists[st.PATH * s.width + k]
        came = s.lists[st.PATH * s.width + (k - 1 if k else walked - 1)]
        goes = s.lists[st.PATH * s.width + (k + 1 if k + 1 < walked else 0)]
        turns += 2 - (towards(columns, here, goes) - towards(columns, here, came)) % 4
    face = s.edges[st.E * edge + st.LEFT]
    crossed = 0
    for beside in range(face - face % (columns - 1), face + 1):
        wall = s.nodes[st.N * (s.numbers[st.VERTICES] + beside) + st.AT + 1]
        crossed += s.variables[st.V * wall + st.MARK] == mark
    return (turns > 0) == (crossed % 2 == 1)


@st.internal
def cut_around(s, edge, walked, limit, first, count):  # type: ignore[no-untyped-def]
    """Say by what surrounds a walked path, not by the path, why an edge must not close it.

    With the edge on, both its ends are done with; when all edges that leave the rest of the path
    are off, nothing joins the path to what is on elsewhere. Where that is known to be to the left,
    only the edges on this side count (Jordan). Kept if it is the better reason.
    """
    mark, columns = s.numbers[st.MARKS], s.numbers[st.COLUMNS]
    size = count
    last = s.lists[st.BUFFER * s.width + count - 1]
    elsewhere = s.variables[st.V * (last >> 1) + st.MARK] != mark
    sided = elsewhere and s.numbers[st.END] < 0
    left = sided and is_left(s, walked, last >> 1)
    for k in range(1, walked - 1):
        vertex = s.lists[st.PATH * s.width + k]
        came, goes = 0, 0
        if sided:
            came = towards(columns, vertex, s.lists[st.PATH * s.width + k - 1])
            goes = (towards(columns, vertex, s.lists[st.PATH * s.width + k + 1]) - came) % 4
        for side in range(4):
            off = s.nodes[st.N * vertex + st.AT + side]
            if off < 0 or s.variables[st.V * off + st.MARK] == mark:
                continue
            far = across(s, off, vertex)
            if s.nodes[st.N * far + st.WALKED] == mark:
                continue
            # Clockwise from where the path comes to where it goes is its left.
            if sided and left != ((towards(columns, vertex, far) - came) % 4 < goes):
                continue
            if s.value[off] >= 0 or s.variables[st.V * off + st.PLACE] >= limit:
                return count
            size = note(s, size, 2 * off + 1)
    for end in (s.edges[st.E * edge + st.FROM], s.edges[st.E * edge + st.TO]):
        for side in range(4):
            on = s.nodes[st.N * end + st.AT + side]
            if on >= 0 and on != edge and s.variables[st.V * on + st.MARK] == mark:
                size = note(s, size, 2 * on)
    if elsewhere:
        size = note(s, size, last)
    if price(s, count, size) >= price(s, first, count):
        return count
    for k in range(size - count):
        s.lists[st.BUFFER * s.width + first + k] = s.lists[st.BUFFER * s.width + count + k]
    return first + size - count


@st.internal
def note_edges(s, node, forced, limit, wanted, most, count):  # type: ignore[no-untyped-def]
    """Note up to ``most`` edges set to ``wanted`` (0: at all) before ``limit``, but the forced."""
    for k in range(4):
        edge = s.nodes[st.N * node + st.AT + k]
        if edge < 0 or edge == forced or most == 0:
            continue
        value = s.value[edge]
        if value == 0 or (wanted != 0 and value != wanted):
            continue
        if s.variables[st.V * edge + st.PLACE] < limit:
            count = note(s, count, 2 * edge + (value < 0))
            most -= 1
    return count


@st.internal
def count_edges(s, node, forced, limit, wanted):  # type: ignore[no-untyped-def]
    found = 0
    for k in range(4):
        edge = s.nodes[st.N * node + st.AT + k]
        if edge < 0 or edge == forced or s.value[edge] != wanted:
            continue
        found += s.variables[st.V * edge + st.PLACE] < limit
    return found


@st.internal
def explain(s, reason, forced):  # type: ignore[no-untyped-def]
    """Write to `BUFFER` true literals that forced a variable, or (-1) a conflict; how many.

    Only what was on the trail before the variable counts. Edges that suffice stand for the rest.
    """
    kind, index = reason & (st.KINDS - 1), reason // st.KINDS
    limit = s.variables[st.V * forced + st.PLACE] if forced >= 0 else s.numbers[st.TRAIL]
    count = 0
    if kind == st.CLAUSE:
        start = s.clauses[st.C * index + st.START]
        for k in range(start, start + s.clauses[st.C * index + st.WIDTH]):
            if s.arena[k] >> 1 != forced:
                count = note(s, count, s.arena[k] ^ 1)
    elif kind == st.SIDE:
        first = s.numbers[st.EDGES] + s.numbers[st.FACES]
        for k in range(3):
            face = s.edges[st.E * index + st.LEFT + k] if k < 2 else 0
            variable = first + face if k < 2 else index
            if face >= 0 and variable != forced:
                count = note(s, count, 2 * variable + (s.value[variable] < 0))
    elif kind == st.CYCLE:
        if forced < 0:
            count = note(s, 0, 2 * index)
        first = count
        count, whole, walked = walk(s, index, s.variables[st.V * index + st.SEEN_AT], count)
        if whole:
            count = elsewhere(s, count)
        count = cut_around(s, index, walked, limit, first, count)
    elif kind == st.WHOLE:
        # The line was closed: nothing else can be on.
        closed = s.numbers[st.CLOSED]
        count = note(s, 0, 2 * closed)
        if forced < 0:
            count = note(s, count, 2 * index)
        count = walk(s, closed, s.variables[st.V * closed + st.PLACE], count)[0]
    else:
        node, most, sign = index, s.nodes[st.N * index + st.MOST], 0
        match = -1
        if kind == st.FACE:
            node = s.numbers[st.VERTICES] + index
            most = s.nodes[st.N * node + st.RULE]
            match = s.numbers[st.EDGES] + index
            sign = s.value[match]
            if forced != match:
                count = note(s, 0, 2 * match + (sign < 0))
        wanted, enough = 0, 4
        if kind == st.VERTEX or sign > 0 or forced == match:
            # With as many on as there may be, or as many off, the others do not matter.
            value = 0 if forced < 0 or forced == match else s.value[forced]
            more = value == 0
            if value <= 0 and count_edges(s, node, forced, limit, 1) >= most + more:
                wanted, enough = 1, most + more
            elif value >= 0 and kind == st.FACE:
                off = count_edges(s, node, forced, limit, -1)
                if off >= 4 - most + more:
                    wanted, enough = -1, 4 - most + more
        count = note_edges(s, node, forced, limit, wanted, enough, count)
    return count


#: Clauses learned before the first reduction; after each, so many more before the next.
FIRST_LIMIT, MORE_CLAUSES = 2000, 300


@st.internal
def analyze(s, count):  # type: ignore[no-untyped-def]
    """Resolve a conflict, ``count`` literals in `BUFFER`, back to one literal of its level.

    The clause is in `LEARNT`; returns its length. It is not made smaller, where literals follow
    from others: one in twenty does, and to look for them takes more time than it saves.

    The literal to be flipped stands first, one of the highest remaining level second.
    """
    level = s.numbers[st.LEVEL]
    touched, length, here = 0, 1, 0
    place = s.numbers[st.TRAIL]
    while True:
        for k in range(count):
            literal = s.lists[st.BUFFER * s.width + k]
            variable = literal >> 1
            its_level = level_of(s, literal)
            if s.variables[st.V * variable + st.SEEN] or its_level == 0:
                continue
            s.variables[st.V * variable + st.SEEN] = 1
            s.lists[st.TOUCHED * s.width + touched] = variable
            touched += 1
            if its_level == level:
                here += 1
            else:
                s.lists[st.LEARNT * s.width + length] = literal ^ 1
                length += 1
        place -= 1
        while not s.variables[st.V * (s.lists[st.ON_TRAIL * s.width + place] >> 1) + st.SEEN]:
            place -= 1
        literal = s.lists[st.ON_TRAIL * s.width + place]
        here -= 1
        if here == 0:
            break
        count = explain(s, s.variables[st.V * (literal >> 1) + st.REASON], literal >> 1)
    s.lists[st.LEARNT * s.width] = literal ^ 1
    for k in range(touched):
        s.variables[st.V * s.lists[st.TOUCHED * s.width + k] + st.SEEN] = 0
        bump(s, s.lists[st.TOUCHED * s.width + k])
    highest = 1
    learnt = st.LEARNT * s.width
    for k in range(2, length):
        if level_of(s, s.lists[learnt + k]) > level_of(s, s.lists[learnt + highest]):
            highest = k
    if length > 1:
        literal = s.lists[learnt + 1]
        s.lists[learnt + 1] = s.lists[learnt + highest]
        s.lists[learnt + highest] = literal
    return length


@st.internal
def levels_in(s, length):  # type: ignore[no-untyped-def]
    """How many levels are met in the clause in `LEARNT`."""
    s.numbers[st.MARKS] += 1
    glue = 0
    for k in range(length):
        level = level_of(s, s.lists[st.LEARNT * s.width + k])
        if s.lists[st.LEVEL_MARK * s.width + level] != s.numbers[st.MARKS]:
            s.lists[st.LEVEL_MARK * s.width + level] = s.numbers[st.MARKS]
            glue += 1
    return glue


@st.internal
def reduce(s):  # type: ignore[no-untyped-def]
    """On level 0: forget clauses that are satisfied, and about half of the less useful ones."""
    s.numbers[st.LEARNED] = 0
    s.numbers[st.LIMIT] += MORE_CLAUSES
    for glue in range(256):
        s.lists[st.GLUES * s.width + glue] = 0
    living = 0
    for clause in range(s.numbers[st.CLAUSES]):
        if s.clauses[st.C * clause + st.WIDTH] and s.clauses[st.C * clause + st.GLUE] > 2:
            s.lists[st.GLUES * s.width + min(s.clauses[st.C * clause + st.GLUE], 255)] += 1
            living += 1
    # All of a greater glue than `worst` go, and `spare` of that glue.
    worst, spare = 255, living // 2
    while worst > 2 and s.lists[st.GLUES * s.width + worst] <= spare:
        spare -= s.lists[st.GLUES * s.width + worst]
        worst -= 1
    for variable in range(s.numbers[st.VARIABLES]):
        s.variables[st.V * variable + st.WATCH] = -1
        s.variables[st.V * variable + st.WATCH_NOT] = -1
    # What is kept moves to the front, over clauses that were looked at before.
    clauses = s.numbers[st.CLAUSES]
    s.numbers[st.CLAUSES], s.numbers[st.ROOM] = 0, 0
    for clause in range(clauses):
        width, start = s.clauses[st.C * clause + st.WIDTH], s.clauses[st.C * clause + st.START]
        glue = s.clauses[st.C * clause + st.GLUE]
        gone = width == 0 or glue >= 255 or glue > worst
        if 2 < glue == worst < 255 and spare > 0:
            gone = True
            spare -= 1
        if glue > 0:
            for k in range(start, start + width):
                gone = gone or holds(s, s.arena[k]) > 0
        if gone:
            continue
        for k in range(width):
            s.arena[s.numbers[st.ROOM] + k] = s.arena[start + k]
        enter(s, width, glue)


@st.inlined
def blame_face(s, face):  # type: ignore[no-untyped-def]
    s.lists[st.CORE * s.width + s.numbers[st.CORE_SIZE]] = face
    s.numbers[st.CORE_SIZE] += 1


@st.internal
def blame(s, count):  # type: ignore[no-untyped-def]
    """Write to `CORE` the assumed matches from which the literals in `BUFFER` follow."""
    s.numbers[st.CORE_SIZE] = 0
    num_edges, faces = s.numbers[st.EDGES], s.numbers[st.FACES]
    touched = 0
    for place in range(s.numbers[st.TRAIL] - 1, -1, -1):
        for k in range(count):
            literal = s.lists[st.BUFFER * s.width + k]
            if level_of(s, literal) > 0 and not s.variables[st.V * (literal >> 1) + st.SEEN]:
                s.variables[st.V * (literal >> 1) + st.SEEN] = 1
                s.lists[st.TOUCHED * s.width + touched] = literal >> 1
                touched += 1
        count = 0
        variable = s.lists[st.ON_TRAIL * s.width + place] >> 1
        if not s.variables[st.V * variable + st.SEEN]:
            continue
        reason = s.variables[st.V * variable + st.REASON]
        if reason != st.NOTHING:
            count = explain(s, reason, variable)
        elif num_edges <= variable < num_edges + faces and s.value[variable] > 0:
            blame_face(s, variable - num_edges)
    for k in range(touched):
        s.variables[st.V * s.lists[st.TOUCHED * s.width + k] + st.SEEN] = 0
