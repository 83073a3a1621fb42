"""Check and copy the tables of a pass.

With any tables that pass these checks, a pass stays within its memory.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

from linkoracle.core.arena cimport Arena, arena_copy
from linkoracle.core.limbs cimport bits_set
from linkoracle.frontier.lookahead cimport Ahead, Item
from linkoracle.frontier.state cimport (
    MAX_DECISIONS, MAX_GROWTH, NOTHING, Choice, Out, Place, Spec, Step, Touch
)


cdef inline void *taken(Arena *arena, const int32_t[:, ::1] rows, Py_ssize_t width) except? NULL:
    """Copy rows of numbers; NULL and ``arena.refused`` without memory."""
    if rows.shape[1] != width or rows.shape[0] >= 1 << 30:
        raise ValueError("expected rows of numbers")
    cdef size_t size = rows.shape[0] * width
    return arena_copy(arena, &rows[0, 0] if size else NULL, size, sizeof(int32_t))


cdef inline int32_t *copied(Arena *arena, const int32_t[::1] numbers) noexcept:
    """Copy numbers; NULL and ``arena.refused`` without memory."""
    cdef Py_ssize_t size = numbers.shape[0]
    return <int32_t *>arena_copy(arena, &numbers[0] if size else NULL, size, sizeof(int32_t))


cdef inline uint64_t *copied_words(Arena *arena, const uint64_t[::1] words) noexcept:
    """Copy words; NULL and ``arena.refused`` without memory."""
    cdef Py_ssize_t size = words.shape[0]
    return <uint64_t *>arena_copy(arena, &words[0] if size else NULL, size, sizeof(uint64_t))


cdef inline int check_numbers(const int32_t[::1] numbers, int least, int most) except -1:
    """Raise ``ValueError`` unless all numbers are from ``least`` to below ``most``."""
    cdef Py_ssize_t k
    if numbers.shape[0] >= 1 << 30:
        raise ValueError("expected fewer numbers")
    for k in range(numbers.shape[0]):
        if not least <= numbers[k] < most:
            raise ValueError("expected numbers of rules and edges")
    return 0


cdef inline int check_lists(
    const int32_t[::1] starts, int number, const int32_t[::1] items, int most
) except -1:
    """Raise ``ValueError`` unless these are lists of numbers below ``most``, in this number."""
    cdef Py_ssize_t k
    check_numbers(items, 0, most)
    if starts.shape[0] != number + 1 or starts[0] != 0 or starts[number] != items.shape[0]:
        raise ValueError("expected where lists begin")
    for k in range(number):
        if starts[k] > starts[k + 1]:
            raise ValueError("expected where lists begin")
    return 0


cdef inline int check_items(
    Ahead *a,
    const int32_t[::1] starts,
    Py_ssize_t number,
    Py_ssize_t residuals,
    const int64_t[::1] sizes,
    int words,
) except -1:
    """Raise ``ValueError`` unless windows stay within a state and patterns within their tables."""
    cdef Py_ssize_t step, k
    cdef Item *item
    cdef int bits
    if starts.shape[0] != sizes.shape[0] + 1 or starts[0] != 0 or starts[sizes.shape[0]] != number:
        raise ValueError("expected items of windows")
    for step in range(sizes.shape[0]):
        bits = 0
        if starts[step] > starts[step + 1]:
            raise ValueError("expected items of windows")
        for k in range(starts[step], starts[step + 1]):
            item = &a.items[k]
            checked_place(item.word, item.shift, words, 64)
            if not 0 <= item.rule < a.rules.num_rules or not 0 < item.bits <= 16 or item.mask < 0:
                raise ValueError("expected items of windows")
            if not is_within(item.residuals, 1 << item.bits, residuals):
                raise ValueError("expected a residual for all that is seen")
            bits += item.bits
        if bits > 30 or sizes[step] != 1 << bits:
            raise ValueError("expected sizes of windows")
    return 0


cdef inline Place checked_place(int64_t word, int64_t shift, int words, int shifts) except *:
    cdef Place place
    if not 0 <= word < words or not 0 <= shift < shifts:
        raise ValueError("expected places within a state")
    place.word, place.shift = <int32_t>word, <int32_t>shift
    return place


cdef inline int64_t place_bit(Place place) noexcept:
    """Return the bit of a state at a place."""
    return 64 * <int64_t>place.word + place.shift


cdef inline bint is_within(int64_t first, int64_t number, int64_t size) noexcept:
    return first >= 0 and number >= 0 and first + number <= size


cdef inline int check_step(
    Spec *s, int number, Py_ssize_t outs, Py_ssize_t choices, Py_ssize_t touches
) except -1:
    """Raise ``ValueError`` unless a step stays within its tables."""
    cdef Step *step = &s.steps[number]
    cdef Out *out
    cdef Choice *choice
    cdef int k
    if not NOTHING <= step.slot < s.num_slots or not NOTHING <= step.pair < s.pairs:
        raise ValueError("expected the slot of a vertex, and its pair")
    if (
        not is_within(step.outs, step.num_outs, outs)
        or not is_within(step.choices, step.num_choices, choices)
        or not is_within(step.touches, step.num_touches, touches)
        or step.num_choices > MAX_DECISIONS
    ):
        raise ValueError("expected edges, decisions and registers of a step")
    if not NOTHING <= step.heir < s.num_slots:
        raise ValueError("expected the slot of a vertex in its next step")
    for k in range(step.num_outs):
        out = &s.outs[step.outs + k]
        if not 0 <= out.slot < s.num_slots or not NOTHING <= out.pair < s.pairs:
            raise ValueError("expected edges to vertices on the frontier")
    for k in range(step.num_choices):
        choice = &s.choices[step.choices + k]
        if not NOTHING <= choice.first < step.num_outs:
            raise ValueError("expected decisions on the edges of a step")
        if not NOTHING <= choice.second < step.num_outs:
            raise ValueError("expected decisions on the edges of a step")
    for k in range(3):
        if step.allowed[k] >> step.num_choices:
            raise ValueError("expected masks of decisions")
        if bits_set(step.allowed[k]) > step.children:
            raise ValueError("expected as many children as decisions")
    if not 0 <= step.children <= 1 << MAX_GROWTH:
        raise ValueError("expected as many children as decisions")
    return 0


cdef inline int check_registers(
    Spec *s, int number, Py_ssize_t masks, Py_ssize_t entries, int closed
) except -1:
    """Raise ``ValueError`` unless registers are behind the fields and have complete tables."""
    cdef Step *step = &s.steps[number]
    cdef Touch *touch
    cdef int k
    cdef int64_t rows, at, each
    for k in range(step.num_touches):
        touch = &s.touches[step.touches + k]
        checked_place(touch.word, touch.shift, s.words, 64)
        if touch.held | touch.holds and 64 * touch.word + touch.shift <= closed:
            raise ValueError("expected registers behind the fields")
        for each in (touch.held, touch.holds):
            if not 0 <= each < 1 << 16 or each & (each + 1) or (
                <uint64_t>each << touch.shift >> touch.shift != <uint64_t>each
            ):
                raise ValueError("expected masks of what registers hold")
        if not 1 <= touch.cases <= 2:
            raise ValueError("expected one case or two")
        rows = (<int64_t>touch.held + 1) * touch.cases
        if not is_within(touch.rows, rows, masks):
            raise ValueError("expected a row for all that a register can hold")
        if not is_within(touch.entries, rows * step.num_choices, entries):
            raise ValueError("expected an entry for each row and decision")
        for at in range(touch.entries, touch.entries + rows * step.num_choices):
            if s.entries[at] > touch.holds:
                raise ValueError("expected what registers can hold")
    return 0
