"""Where the clues of rules stand on a board: every place of every rule, as literals of its edges."""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t

from linkoracle.core.arena cimport Arena, arena_resize
from linkoracle.core.index cimport Index, add_item, count_item
from linkoracle.core.watch cimport StopToken, watch_stops
from linkoracle.deduce.kernel.geometry cimport edge_from
from linkoracle.deduce.kernel.loading cimport begin_index, room, take_items
from linkoracle.deduce.kernel.state cimport (
    BLOCK, CELL, DOWN_WAY, NOWHERE, PAIR, PATTERN_KINDS, REACH, RIGHT_WAY, SQUARE, STATIC, Frame
)

cdef enum:
    VALUES = 5  # clues are 0 to 4
    FEWEST = 64  # instances that there is room for at first


cdef struct PatternLiteral:  # of a rule: a clue of a face, or an edge, both by the place of their first vertex
    int32_t down  # whether the edge goes down from it, not to the right
    int32_t row  # counted from the anchor's
    int32_t col
    int32_t value  # of the clue; or whether the edge is a cross


cdef struct Position:  # of a rule, turned or mirrored
    int32_t rule
    int32_t kind  # of pattern, from `REACH` on: see `technique_of`
    int32_t value  # of its anchor
    int32_t window[4]  # row and column of its first vertex, then of its last, from the anchor's
    int32_t asks  # where its clues beside the anchor begin; those of the next end them
    int32_t premises
    int32_t conclusions


cdef struct Patterns:  # the rules in all their positions
    int32_t rules
    int32_t size
    Position *position  # one more than there are
    PatternLiteral *ask
    PatternLiteral *premise
    PatternLiteral *conclusion
    int32_t width_asked  # the most clues
    int32_t width_if  # the most premises, and one
    int32_t width_then
    Index by_value  # positions, by rule and value: ``VALUES * rule + value``


cdef struct Instance:  # a rule that is laid
    int32_t rule
    int32_t kind
    int32_t anchor  # a face
    int32_t asks  # for how many clues


cdef struct Layout:  # the rules that are laid on a board
    int32_t vertices  # of the board
    int32_t columns
    int32_t size  # instances
    int32_t room  # for so many
    int32_t width_asked
    int32_t width_if
    int32_t width_then
    Instance *instance
    int32_t *asked  # faces, a row for each instance
    int32_t *premises  # the same of literals, -1 ends them
    int32_t *conclusions
    # What `Frame` takes, besides.
    int32_t statics
    int32_t *static
    uint8_t *technique
    uint8_t *asks
    Index watchers
    Index asking


cdef inline int technique_of(int kind) noexcept nogil:
    """The technique of a kind of pattern."""
    cdef int *techniques = [REACH, CELL, PAIR, SQUARE, BLOCK]
    return techniques[kind]


cdef inline bint resized(Arena *arena, void **taken, size_t count, size_t size) noexcept nogil:
    cdef void *moved = arena_resize(arena, taken[0], count, size)
    if moved == NULL:
        return False
    taken[0] = moved
    return True


cdef inline bint has_room(Layout *laid, Arena *arena) noexcept nogil:
    """Have room for one more instance; False if that is too much."""
    cdef int32_t wanted = max(2 * laid.room, FEWEST)
    cdef size_t size = sizeof(int32_t)
    if laid.size < laid.room:
        return True
    if not (
        resized(arena, <void **>&laid.instance, wanted, sizeof(Instance))
        and resized(arena, <void **>&laid.asked, wanted, laid.width_asked * size)
        and resized(arena, <void **>&laid.premises, wanted, laid.width_if * size)
        and resized(arena, <void **>&laid.conclusions, wanted, laid.width_then * size)
    ):
        return False
    laid.room = wanted
    return True


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


cdef inline int place_asks(
    const Frame *f, const int8_t *clues, const PatternLiteral *ask, const PatternLiteral *end, int row, int col,
    int32_t *into,
) noexcept nogil:
    """Write the faces of other clues; how many, `NOWHERE` if one is not there."""
    cdef int r, c, size = 0
    while ask < end:
        r, c = row + ask.row, col + ask.col
        if not (0 <= r < f.rows - 1 and 0 <= c < f.columns - 1):
            return NOWHERE
        into[size] = r * (f.columns - 1) + c
        if clues[into[size]] != ask.value:
            return NOWHERE
        size += 1
        ask += 1
    return size


cdef inline bint is_free(
    const Frame *f, const Position *position, const uint8_t *is_end, int row, int col
) noexcept nogil:
    """Whether no vertex of the window is an end."""
    cdef int r, c
    for r in range(max(0, row + position.window[0]), min(f.rows, row + position.window[2] + 1)):
        for c in range(
            max(0, col + position.window[1]), min(f.columns, col + position.window[3] + 1)
        ):
            if is_end[r * f.columns + c]:
                return False
    return True


cdef inline bint lay(
    const Patterns *p, const Frame *f, int number, const int8_t *clues, const uint8_t *is_end,
    bint any_end, int face, Layout *laid, Arena *arena,
) noexcept nogil:
    """Lay a position with its anchor there, if it fits; False if there is no room."""
    cdef const Position *position = &p.position[number]
    cdef const Position *following = position + 1
    cdef int row = face // (f.columns - 1), col = face % (f.columns - 1), asks
    cdef Instance *instance
    cdef int32_t *asked
    if not has_room(laid, arena):
        return False
    asked = laid.asked + <size_t>laid.size * laid.width_asked
    asks = place_asks(
        f, clues, p.ask + position.asks, p.ask + following.asks, row, col, asked + 1
    )
    if asks < 0 or place_parts(
        f, p.premise + position.premises, p.premise + following.premises, row, col,
        laid.premises + <size_t>laid.size * laid.width_if,
    ) < 0 or place_parts(
        f, p.conclusion + position.conclusions, p.conclusion + following.conclusions, row, col,
        laid.conclusions + <size_t>laid.size * laid.width_then,
    ) < 1 or any_end and not is_free(f, position, is_end, row, col):
        return True
    asked[0] = face
    instance = &laid.instance[laid.size]
    instance.rule, instance.kind = position.rule, position.kind
    instance.anchor, instance.asks = face, asks + 1
    laid.size += 1
    return True


cdef inline bint place_all(
    const Patterns *p, const Frame *f, const int8_t *clues, const uint8_t *is_end, bint any_end,
    Layout *laid, Arena *arena, StopToken *watch,
) noexcept nogil:
    """In the order of the rules, so that the first of two gets the step. False if there is no room."""
    cdef int rule, face, key, index
    for rule in range(p.rules):
        for face in range(f.faces):
            if clues[face] < 0:
                continue
            key = VALUES * rule + clues[face]
            for index in range(p.by_value.start[key], p.by_value.start[key + 1]):
                if watch_stops(watch):
                    return True
                if not lay(
                    p, f, p.by_value.found[index], clues, is_end, any_end, face, laid, arena
                ):
                    return False
    return True


cdef inline int arrange(Layout *laid, Arena *arena, const Frame *f) except -1:
    """What the engine takes: which instances wait for which literals, which ask for which clues."""
    cdef int64_t literals = 2 * <int64_t>f.edges
    cdef int at, k
    cdef Instance *instance
    cdef int32_t *premises
    cdef int32_t *asked
    laid.technique = <uint8_t *>room(arena, laid.size, 1)
    laid.asks = <uint8_t *>room(arena, laid.size, 1)
    laid.static = <int32_t *>room(arena, laid.size, sizeof(int32_t))
    begin_index(&laid.watchers, arena, PATTERN_KINDS * literals)
    begin_index(&laid.asking, arena, f.faces)
    for at in range(laid.size):
        instance = &laid.instance[at]
        premises = laid.premises + <size_t>at * laid.width_if
        asked = laid.asked + <size_t>at * laid.width_asked
        laid.technique[at] = <uint8_t>technique_of(instance.kind)
        laid.asks[at] = <uint8_t>instance.asks
        if premises[0] < 0:
            laid.technique[at] = STATIC
            laid.static[laid.statics] = at
            laid.statics += 1
        while premises[0] >= 0:
            count_item(&laid.watchers, instance.kind * literals + premises[0])
            premises += 1
        for k in range(instance.asks):
            count_item(&laid.asking, asked[k])
    take_items(&laid.watchers, arena, PATTERN_KINDS * literals)
    take_items(&laid.asking, arena, f.faces)
    for at in range(laid.size):
        instance = &laid.instance[at]
        premises = laid.premises + <size_t>at * laid.width_if
        asked = laid.asked + <size_t>at * laid.width_asked
        while premises[0] >= 0:
            add_item(&laid.watchers, instance.kind * literals + premises[0], at)
            premises += 1
        for k in range(instance.asks):
            add_item(&laid.asking, asked[k], at)
    return 0
