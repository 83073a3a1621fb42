"""Place rules on a board: find every place where their clues match, and the literals there."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from linkoracle.core.arena cimport Arena
from linkoracle.core.index cimport Index, add_item, count_item
from linkoracle.core.watch cimport StopToken, watch_stops
from linkoracle.deduce.kernel.geometry cimport edge_from
from linkoracle.deduce.kernel.loading cimport begin_index, room, take_items
from linkoracle.deduce.kernel.state cimport (
    BLOCK, CELL, CONCLUSIONS, CONDITIONS, DOWN_WAY, NOWHERE, PAIR, PARTS, PATTERN_KINDS, PREMISES,
    REACH, RIGHT_WAY, SQUARE, STATIC, Frame, Instance, Layout, instance_of, row_of
)
from linkoracle.lines.clauses cimport grown

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
