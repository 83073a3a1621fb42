"""Pattern rules in all their positions, and how they are placed on a board.

Python hands the rules over once (`Positions`); each board asks with `Positions.place` for the places
where their clues match, and gets them as its `Frame.layout`. What a placed rule does is up to
`linkoracle.deduce.kernel.board`: this file knows clues and edges, but no lines and crosses.

Contents
    Rules       their clues, premises and conclusions, counted from an anchor
    Placing     find each place where the clues match, and the literals there
    Indexes     instances by the literals they wait for, and by the clues they need
    For Python  `Positions`
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t

from linkoracle.core.kernels cimport (
    Arena, Index, StopToken, add_item, arena_close, arena_error, arena_open, count_item,
    watch_raise, watch_stops
)
from linkoracle.deduce.kernel.board cimport (
    BLOCK, CELL, CONCLUSIONS, CONDITIONS, DOWN_WAY, NOWHERE, PAIR, PARTS, PATTERN_KINDS, PREMISES,
    REACH, RIGHT_WAY, SQUARE, STATIC, Frame, Instance, Layout, Rows, begin_index, edge_from,
    index_rows, instance_of, room, row_of, take_items
)
from linkoracle.lines.lines cimport grown


# ---- Rules ----------------------------------------------------------------------------------------

cdef enum:
    MASKS = 32  # of allowed counts


cdef struct PatternLiteral:  # of a rule: a clue of a face, or an edge, both by the place of their first vertex
    int32_t down  # whether the edge goes down from it, not to the right
    int32_t row  # counted from the anchor's
    int32_t col
    int32_t value  # of the clue; or whether the edge is a cross


cdef struct Position:  # of a rule, turned or mirrored
    int32_t key  # ``MASKS * rule + mask``, with the mask of the clue of its anchor
    int32_t rule
    int32_t kind  # of pattern, from `REACH` on: see `technique_of`
    int32_t window[4]  # row and column of its first vertex, then of its last, from the anchor's
    int32_t parts[PARTS + 1]  # where its other clues, its premises and its conclusions begin and end


cdef struct Patterns:  # the rules in all their positions
    int32_t rules
    int32_t size
    Position *position
    PatternLiteral *part
    int32_t width[PARTS]  # the most numbers of a part in `Layout`, the end included
    Index by_key  # positions


# ---- Placing --------------------------------------------------------------------------------------

cdef inline int technique_of(int kind) noexcept nogil:
    """Return the technique of a kind of pattern."""
    cdef int *techniques = [REACH, CELL, PAIR, SQUARE, BLOCK]
    return techniques[kind]


cdef inline int place_parts(
    const Frame *f, const PatternLiteral *part, const PatternLiteral *end, int row, int col, int32_t *into
) noexcept nogil:
    """Write literals; return how many, `NOWHERE` if a line would leave the board. Crosses may."""
    cdef int edge, size = 0
    while part < end:
        edge = edge_from(f, row + part.row, col + part.col, DOWN_WAY if part.down else RIGHT_WAY)
        if edge >= 0:
            into[size] = 2 * edge + part.value
            size += 1
        elif not part.value:
            return NOWHERE
        part += 1
    into[size] = NOWHERE
    return size


cdef inline bint place_conditions(
    const Frame *f, const PatternLiteral *part, const PatternLiteral *end, int row, int col,
    int32_t *into,
) noexcept nogil:
    """Write the faces of the other clues; return False if one is missing or different."""
    cdef int r, c
    while part < end:
        r, c = row + part.row, col + part.col
        if not (0 <= r < f.rows - 1 and 0 <= c < f.columns - 1):
            return False
        into[0] = r * (f.columns - 1) + c
        if f.clues[into[0]] != 1 << part.value:
            return False
        into += 1
        part += 1
    into[0] = NOWHERE
    return True


cdef inline bint has_no_end(const Frame *f, const Position *position, int row, int col) noexcept nogil:
    """Return whether no vertex of the window is an endpoint, whose degree differs."""
    cdef int r, c
    for r in range(max(0, row + position.window[0]), min(f.rows, row + position.window[2] + 1)):
        for c in range(
            max(0, col + position.window[1]), min(f.columns, col + position.window[3] + 1)
        ):
            if f.terminal[r * f.columns + c]:
                return False
    return True


cdef inline bint place_rule(
    const Patterns *p, Frame *f, const Position *position, int face, Arena *arena
) noexcept nogil:
    """Place a position with its anchor on a face, if it fits; False if memory is full."""
    cdef Layout *layout = &f.layout
    cdef int row = face // (f.columns - 1), col = face % (f.columns - 1), k
    cdef int64_t needed = <int64_t>layout.first[PARTS] * (layout.size + 1)
    cdef int32_t *rows = <int32_t *>grown(arena, layout.rows, &layout.room, needed, sizeof(int32_t))
    cdef const PatternLiteral *parts[PARTS + 1]
    cdef Instance *instance
    if rows == NULL:
        return False
    layout.rows = rows
    for k in range(PARTS + 1):
        parts[k] = p.part + position.parts[k]
    row_of(layout, CONDITIONS, layout.size)[0] = face
    if not place_conditions(
        f, parts[CONDITIONS], parts[PREMISES], row, col, row_of(layout, CONDITIONS, layout.size) + 1
    ) or place_parts(
        f, parts[PREMISES], parts[CONCLUSIONS], row, col, row_of(layout, PREMISES, layout.size)
    ) < 0 or place_parts(
        f, parts[CONCLUSIONS], parts[PARTS], row, col, row_of(layout, CONCLUSIONS, layout.size)
    ) < 1 or not (f.is_loop or has_no_end(f, position, row, col)):
        return True
    instance = instance_of(layout, layout.size)
    instance.rule, instance.kind = position.rule, position.kind
    layout.size += 1
    return True


cdef inline bint place_all(
    const Patterns *p, Frame *f, Arena *arena, StopToken *watch
) noexcept nogil:
    """Place rules in their order: of two, the first gets the step. False if memory is full."""
    cdef int rule, face, key, index
    f.layout.first[0] = sizeof(Instance) // sizeof(int32_t)
    for index in range(PARTS):
        f.layout.first[index + 1] = f.layout.first[index] + p.width[index]
    for rule in range(p.rules):
        for face in range(f.faces):
            key = MASKS * rule + f.clues[face]
            for index in range(p.by_key.start[key], p.by_key.start[key + 1]):
                if watch_stops(watch):
                    return True
                if not place_rule(p, f, &p.position[p.by_key.found[index]], face, arena):
                    return False
    return True


# ---- Indexes --------------------------------------------------------------------------------------

cdef inline int arrange(Frame *f, Arena *arena) except -1:
    """Index the instances by the literals they wait for, and by the clues they need."""
    cdef Layout *layout = &f.layout
    cdef int64_t literals = 2 * <int64_t>f.edges
    cdef Instance *instance
    cdef int at
    layout.static = <int32_t *>room(arena, layout.size, sizeof(int32_t))
    for at in range(layout.size):
        instance = instance_of(layout, at)
        instance.technique, instance.conditions = technique_of(instance.kind), 0
        if row_of(layout, PREMISES, at)[0] < 0:
            instance.technique = STATIC
            layout.static[layout.statics] = at
            layout.statics += 1
        while row_of(layout, CONDITIONS, at)[instance.conditions] >= 0:
            instance.conditions += 1
    index_parts(layout, PREMISES, &layout.watchers, arena, literals, PATTERN_KINDS)
    return index_parts(layout, CONDITIONS, &layout.needing, arena, f.faces, 1)


cdef inline int index_parts(
    const Layout *layout, int part, Index *index, Arena *arena, int64_t below, int kinds
) except -1:
    """Index instances, for each kind, by the numbers of a part, which are less than ``below``."""
    cdef int at, adding, kind
    cdef int32_t *row
    begin_index(index, arena, kinds * below)
    for adding in range(2):
        for at in range(layout.size):
            kind = instance_of(layout, at).kind if kinds > 1 else 0
            row = row_of(layout, part, at)
            while row[0] >= 0:
                if adding:
                    add_item(index, kind * below + row[0], at)
                else:
                    count_item(index, kind * below + row[0])
                row += 1
        if not adding:
            take_items(index, arena, kinds * below)
    return 0


# ---- For Python -----------------------------------------------------------------------------------

#: Of a clue or literal: whether the edge goes down, row and column, the clue or whether it crosses.
Parts: TypeAlias = "list[tuple[int, int, int, int]]"
#: A position of a rule: see `Positions`.
Given: TypeAlias = "tuple[int, int, int, tuple[int, int, int, int], Parts, Parts, Parts]"

cdef enum:
    MOST_CLUE = 4
    FARTHEST = 8  # rows or columns from the anchor of a rule to its clues and edges
    LONGEST = 64  # clues or literals of a rule


cdef class Positions:
    """Rules in all their positions, ready to be placed on boards.

    ``given`` has a tuple for each: the number of its rule, from 0 on without gaps; its kind of
    pattern; the clue at its *anchor*; the first and the last vertex of its window, by row and
    column, four numbers counted from the place of the anchor, as all others that follow; its other
    clues, ``(0, row, col, value)``; its premises and its conclusions, ``(down, row, col, cross)``.
    Raises ``ValueError`` for anything else.
    """

    def __cinit__(self, list given: list[Given]):
        cdef Patterns *p
        cdef Position *position
        cdef Rows rows
        cdef Py_ssize_t at
        cdef int k
        cdef int32_t size = 0
        arena_open(&self.arena, <size_t>-1)
        p = self.patterns = <Patterns *>room(&self.arena, 1, sizeof(Patterns))
        p.size = <int32_t>len(given)
        p.position = <Position *>room(&self.arena, p.size, sizeof(Position))
        p.part = <PatternLiteral *>room(
            &self.arena, sum(len(row) for one in given for row in one[4:]), sizeof(PatternLiteral)
        )
        for at in range(p.size):
            rule, kind, value, window, *parts = given[at]
            position = &p.position[at]
            # A rule has the number of the one before, or the next one.
            position.rule = checked(rule, max(0, p.rules - 1), min(p.rules, at), "the next rule")
            p.rules = position.rule + 1
            position.kind = checked(kind, 0, PATTERN_KINDS - 1, "a kind of pattern")
            position.key = MASKS * position.rule + (1 << checked(value, 0, MOST_CLUE, "a clue"))
            if len(window) != 4:
                raise ValueError(f"expected four numbers for a window, got {len(window)}")
            for k in range(4):
                position.window[k] = checked(window[k], -FARTHEST, FARTHEST, "a vertex of a window")
            for k in range(PARTS):
                position.parts[k] = size
                size = add_parts(p.part, size, parts[k], MOST_CLUE if k == CONDITIONS else 1)
                # The anchor stands before the clues.
                p.width[k] = max(p.width[k], <int32_t>len(parts[k]) + 1 + (k == CONDITIONS))
            position.parts[PARTS] = size
        rows = Rows(&p.position[0].key, p.size, sizeof(Position) // sizeof(int32_t), 1)
        index_rows(&p.by_key, &self.arena, MASKS * p.rules, rows)

    def __dealloc__(self):
        arena_close(&self.arena)

    cdef int place(self, Frame *f, Arena *arena, StopToken *watch) except -1:
        """Place the rules on a board whose clues and terminals are known: make `Frame.layout`.

        Raises `MemoryLimit`, and ``KeyboardInterrupt`` after Ctrl-C.
        """
        cdef bint fits
        with nogil:
            fits = place_all(self.patterns, f, arena, watch)
        watch_raise(watch, None)
        if not fits:
            arena_error(arena, "the deduction")
        return arrange(f, arena)


cdef int add_parts(PatternLiteral *part, int32_t at, object given, int most) except -1:
    """Add clues up to ``most``, or literals, from a place on; return where the next ones begin."""
    if len(given) >= LONGEST:
        raise ValueError(f"expected less than {LONGEST} clues or edges of a rule")
    for down, row, col, value in given:
        part[at].down = checked(down, 0, 1, "whether an edge goes down")
        part[at].row = checked(row, -FARTHEST, FARTHEST, "a row")
        part[at].col = checked(col, -FARTHEST, FARTHEST, "a column")
        part[at].value = checked(value, 0, most, "a clue, or whether an edge is a cross")
        at += 1
    return at


cdef int checked(object number, int least, int most, str what) except? -1:
    if not isinstance(number, int) or not least <= number <= most:
        raise ValueError(f"expected {what} from {least} to {most}, got {number!r}")
    return number
