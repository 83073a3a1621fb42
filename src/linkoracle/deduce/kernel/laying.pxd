"""Where the clues of rules stand on a board: every place of every rule, as literals of its edges."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from linkoracle.core.arena cimport Arena
from linkoracle.core.index cimport Index, add_item, count_item
from linkoracle.core.watch cimport StopToken, watch_stops
from linkoracle.deduce.kernel.geometry cimport edge_from
from linkoracle.deduce.kernel.loading cimport begin_index, room, take_items
from linkoracle.deduce.kernel.state cimport (
    ASKED, BLOCK, CELL, CONCLUSIONS, DOWN_WAY, NOWHERE, PAIR, PARTS, PATTERN_KINDS, PREMISES, REACH,
    RIGHT_WAY, SQUARE, STATIC, Frame, Instance, Layout, instance_of, row_of
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
    """The technique of a kind of pattern."""
    cdef int *techniques = [REACH, CELL, PAIR, SQUARE, BLOCK]
    return techniques[kind]


cdef inline int place_parts(
    const Frame *f, const PatternLiteral *part, const PatternLiteral *end, int row, int col, int32_t *into
) noexcept nogil:
    """Write literals; how many, `NOWHERE` if a line would leave the board. Crosses may."""
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


cdef inline bint place_asks(
    const Frame *f, const PatternLiteral *ask, const PatternLiteral *end, int row, int col,
    int32_t *into,
) noexcept nogil:
    """Write the faces of other clues; False if one is not there."""
    cdef int r, c
    while ask < end:
        r, c = row + ask.row, col + ask.col
        if not (0 <= r < f.rows - 1 and 0 <= c < f.columns - 1):
            return False
        into[0] = r * (f.columns - 1) + c
        if f.clues[into[0]] != 1 << ask.value:
            return False
        into += 1
        ask += 1
    into[0] = NOWHERE
    return True


cdef inline bint has_no_end(const Frame *f, const Position *position, int row, int col) noexcept nogil:
    """Whether no vertex of the window is an end, whose degree is another."""
    cdef int r, c
    for r in range(max(0, row + position.window[0]), min(f.rows, row + position.window[2] + 1)):
        for c in range(
            max(0, col + position.window[1]), min(f.columns, col + position.window[3] + 1)
        ):
            if f.terminal[r * f.columns + c]:
                return False
    return True


cdef inline bint lay(
    const Patterns *p, Frame *f, const Position *position, int face, Arena *arena
) noexcept nogil:
    """Lay a position with its anchor there, if it fits; False if there is no room."""
    cdef Layout *laid = &f.laid
    cdef int row = face // (f.columns - 1), col = face % (f.columns - 1), k
    cdef int64_t wanted = <int64_t>laid.first[PARTS] * (laid.size + 1)
    cdef int32_t *rows = <int32_t *>grown(arena, laid.rows, &laid.room, wanted, sizeof(int32_t))
    cdef const PatternLiteral *parts[PARTS + 1]
    cdef Instance *instance
    if rows == NULL:
        return False
    laid.rows = rows
    for k in range(PARTS + 1):
        parts[k] = p.part + position.parts[k]
    row_of(laid, ASKED, laid.size)[0] = face
    if not place_asks(
        f, parts[ASKED], parts[PREMISES], row, col, row_of(laid, ASKED, laid.size) + 1
    ) or place_parts(
        f, parts[PREMISES], parts[CONCLUSIONS], row, col, row_of(laid, PREMISES, laid.size)
    ) < 0 or place_parts(
        f, parts[CONCLUSIONS], parts[PARTS], row, col, row_of(laid, CONCLUSIONS, laid.size)
    ) < 1 or not (f.is_loop or has_no_end(f, position, row, col)):
        return True
    instance = instance_of(laid, laid.size)
    instance.rule, instance.kind = position.rule, position.kind
    laid.size += 1
    return True


cdef inline bint place_all(
    const Patterns *p, Frame *f, Arena *arena, StopToken *watch
) noexcept nogil:
    """In the order of the rules, so that the first of two gets the step. False if there is no room."""
    cdef int rule, face, key, index
    f.laid.first[0] = sizeof(Instance) // sizeof(int32_t)
    for index in range(PARTS):
        f.laid.first[index + 1] = f.laid.first[index] + p.width[index]
    for rule in range(p.rules):
        for face in range(f.faces):
            key = MASKS * rule + f.clues[face]
            for index in range(p.by_key.start[key], p.by_key.start[key + 1]):
                if watch_stops(watch):
                    return True
                if not lay(p, f, &p.position[p.by_key.found[index]], face, arena):
                    return False
    return True


cdef inline int arrange(Frame *f, Arena *arena) except -1:
    """Which instances wait for which literals, and which ask for which clues."""
    cdef Layout *laid = &f.laid
    cdef int64_t literals = 2 * <int64_t>f.edges
    cdef Instance *instance
    cdef int at
    laid.static = <int32_t *>room(arena, laid.size, sizeof(int32_t))
    for at in range(laid.size):
        instance = instance_of(laid, at)
        instance.technique, instance.asks = technique_of(instance.kind), 0
        if row_of(laid, PREMISES, at)[0] < 0:
            instance.technique = STATIC
            laid.static[laid.statics] = at
            laid.statics += 1
        while row_of(laid, ASKED, at)[instance.asks] >= 0:
            instance.asks += 1
    index_parts(laid, PREMISES, &laid.watchers, arena, literals, PATTERN_KINDS)
    return index_parts(laid, ASKED, &laid.asking, arena, f.faces, 1)


cdef inline int index_parts(
    const Layout *laid, int part, Index *index, Arena *arena, int64_t below, int kinds
) except -1:
    """Instances by the numbers of a part, which are less than ``below``; with ``kinds`` apart."""
    cdef int at, adding, kind
    cdef int32_t *row
    begin_index(index, arena, kinds * below)
    for adding in range(2):
        for at in range(laid.size):
            kind = instance_of(laid, at).kind if kinds > 1 else 0
            row = row_of(laid, part, at)
            while row[0] >= 0:
                if adding:
                    add_item(index, kind * below + row[0], at)
                else:
                    count_item(index, kind * below + row[0])
                row += 1
        if not adding:
            take_items(index, arena, kinds * below)
    return 0
