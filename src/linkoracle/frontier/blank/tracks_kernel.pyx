"""`Crossing`: steps of a pass along tracks, for arrays that Python holds.

*Tracks* are lines of vertices side by side, such as the rows of a triangular board. A pass goes along
all of them at once, so that the frontier has one vertex of each track. An edge between two
neighbouring tracks is a step; an edge along a track is none, as the next vertex takes the symbol.
Around a cylinder, the last track and the first are neighbours. A terminal is a step, too.

Contents
    Symbols   of a place, by what is known of its vertex
    Halves    all half words of a frontier, numbered through a hash table
    Choices   what becomes of the symbols of two places
    Edges     the half words that become of one by a step
    Apart     steps whose places are in two halves
    Steps     from one array of numbers to the next
    For Python  `Crossing`

**Words.** Each place is *flat*, the left or right end of a path, or a *label*, the end of the path
that has begun at a terminal. Ends nest like parentheses. A flat place is *free* if its vertex has no
edge yet, *full* if it has two. A vertex that may be either has a symbol more: if it has one edge to
come, free is as good as full. So words have types of places, which change at each step, and with
them the number of words. All words of a step have as many labels.

**Numbers.** A word is a left and a right half. All left halves with as many open ends and labels, a
*class*, go with all right halves with as many ends open to the left and the other labels: the number
of a word is in the row of its left half, at the place of its right half. A step changes one half, or
two places in both. If it joins paths, it may have to turn an end in the other half, or label it.
"""

from typing import TypeAlias

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t

from linkoracle.core.kernels cimport (
    Arena, StopToken, arena_close, arena_error, arena_open, arena_resize, arena_take,
    watch_raise, watch_start, watch_stops
)
from linkoracle.frontier.blank.words cimport (
    CLOSE, OPEN, Field, end_beyond, field_open, partner_of, plus, put, symbol_at, weighed_often
)


# ---- Symbols -------------------------------------------------------------------------------------

cdef enum:
    FLAT = 0  # symbols beside those of ends
    OTHER = 3  # of a vertex that is free or full: full, and FLAT is free
    LABEL = 7  # OTHER with a bit above all places
    MOST_PLACES = 20  # of a half word
    MOST_LABELS = 2
    DEPTHS = MOST_PLACES + 2
    CLASSES = DEPTHS * (MOST_LABELS + 1)
    NOWHERE = 0xFFFFFFFF

# Types of places: what a flat symbol may mean, and whether there are ends.
cdef enum:
    FREE = 1
    FULL = 2
    EITHER = 3
    ENDS = 4


cdef inline int meaning(int type, int symbol) noexcept nogil:
    """Return whether a flat symbol is FREE or FULL."""
    return FULL if symbol == OTHER or not type & FREE else FREE


cdef inline bint is_end(int symbol) noexcept nogil:
    return symbol == OPEN or symbol == CLOSE


cdef inline int symbol_of(uint64_t code, int place) noexcept nogil:
    """Return the symbol at a place, of all five."""
    return symbol_at(code, place) | <int>(code >> (2 * MOST_PLACES + place) & 1) << 2


cdef inline uint64_t with_symbol(uint64_t code, int place, int symbol) noexcept nogil:
    cdef uint64_t bit = <uint64_t>1 << (2 * MOST_PLACES + place)
    code = put(code, place, symbol & 3)
    return code | bit if symbol == LABEL else code & ~bit


# ---- Halves --------------------------------------------------------------------------------------

cdef struct Half:
    bint right
    bint outside  # whether no label is between both ends of a path
    int labels  # the most labels
    int length
    unsigned char types[MOST_PLACES]
    int after[MOST_PLACES + 1]  # the number of places with ends from each place on
    size_t count
    uint64_t *codes
    unsigned char *kind  # its class: ``DEPTHS * labels`` + ends whose paths go on in the other half
    uint32_t *place  # among the halves of this class
    size_t sizes[CLASSES]  # halves by class
    size_t mask
    uint32_t *slots  # hash table: one more than the index of a half


cdef inline int opposite(int kind, int labels) noexcept nogil:
    """Return the class of the other halves, or -1 if this one has more ``labels`` than a word."""
    labels -= kind // DEPTHS
    return kind % DEPTHS + DEPTHS * labels if 0 <= labels <= MOST_LABELS else -1


cdef inline size_t partners(const Half *half, int kind) noexcept nogil:
    """Return the number of halves of a class, 0 for -1."""
    return half.sizes[kind] if kind >= 0 else 0


cdef inline size_t hashed(const Half *half, uint64_t code) noexcept nogil:
    code *= <uint64_t>0x9E3779B97F4A7C15
    return <size_t>(code >> 20) & half.mask


cdef inline uint32_t find(const Half *half, uint64_t code) noexcept nogil:
    """Return the index of a half word, or NOWHERE."""
    cdef size_t slot = hashed(half, code)
    while half.slots[slot]:
        if half.codes[half.slots[slot] - 1] == code:
            return half.slots[slot] - 1
        slot = (slot + 1) & half.mask
    return NOWHERE


cdef inline size_t halves_of(
    Half *half, int beyond, uint64_t code, int place, int depth, int inner, int labels, bint keep,
) noexcept nogil:
    """Count the half words that begin with places of a code; with ``keep``, list them.

    A left half has ``depth`` open ends; a right half has that many ends open to the left, and
    ``inner`` others. ``beyond`` is the number of places with ends in the other half.
    """
    cdef size_t number = 0
    cdef int type
    if inner > half.after[place] or depth > beyond + (0 if half.right else half.after[place]):
        return 0
    if place == half.length:
        if keep:
            add_half(half, code, depth + DEPTHS * labels)
        return 1
    type = half.types[place]
    number += halves_of(half, beyond, code, place + 1, depth, inner, labels, keep)
    if type & EITHER == EITHER:
        number += halves_of(
            half, beyond, with_symbol(code, place, OTHER), place + 1, depth, inner, labels,
            keep,
        )
    if not type & ENDS:
        return number
    if labels < half.labels and not (half.outside and (inner if half.right else depth)):
        number += halves_of(
            half, beyond, with_symbol(code, place, LABEL), place + 1, depth, inner,
            labels + 1, keep,
        )
    if half.right:
        number += halves_of(
            half, beyond, with_symbol(code, place, OPEN), place + 1, depth, inner + 1,
            labels, keep,
        )
        if inner or not (half.outside and labels):
            number += halves_of(
                half, beyond, with_symbol(code, place, CLOSE), place + 1,
                depth + (inner == 0), max(inner - 1, 0), labels, keep,
            )
        return number
    number += halves_of(
        half, beyond, with_symbol(code, place, OPEN), place + 1, depth + 1, 0, labels, keep
    )
    if depth:
        number += halves_of(
            half, beyond, with_symbol(code, place, CLOSE), place + 1, depth - 1, 0, labels,
            keep,
        )
    return number


cdef inline void add_half(Half *half, uint64_t code, int kind) noexcept nogil:
    cdef size_t slot = hashed(half, code)
    half.codes[half.count] = code
    half.kind[half.count] = <unsigned char>kind
    half.place[half.count] = <uint32_t>half.sizes[kind]
    half.sizes[kind] += 1
    half.count += 1
    while half.slots[slot]:
        slot = (slot + 1) & half.mask
    half.slots[slot] = <uint32_t>half.count


cdef inline bint half_open(Half *half, Arena *arena, int beyond) noexcept nogil:
    """List all half words of given types; False without memory."""
    cdef int place
    cdef size_t number
    half.after[half.length] = 0
    for place in range(half.length - 1, -1, -1):
        half.after[place] = half.after[place + 1] + (1 if half.types[place] & ENDS else 0)
    number = halves_of(half, beyond, 0, 0, 0, 0, 0, False)
    half.mask = 16
    while half.mask < 2 * number:
        half.mask *= 2
    half.codes = <uint64_t *>arena_take(arena, number, sizeof(uint64_t))
    half.kind = <unsigned char *>arena_take(arena, number, 1)
    half.place = <uint32_t *>arena_take(arena, number, sizeof(uint32_t))
    half.slots = <uint32_t *>arena_take(arena, half.mask, sizeof(uint32_t))
    half.mask -= 1
    if arena.refused:
        return False
    halves_of(half, beyond, 0, 0, 0, 0, 0, True)
    return True


cdef inline uint64_t changed(
    const Half *half, uint64_t code, int depth, int symbol
) noexcept nogil:
    """Change an end of a path to the other half, counted from there; ``code`` itself if none."""
    cdef int place = end_beyond(code, half.length, half.right, depth)
    return code if place < 0 else with_symbol(code, place, symbol)


cdef inline int free_if_flat(const Half *half, uint64_t code, int first, int last) noexcept nogil:
    """Return how many places but ``first`` and ``last`` are free; -1 if another one is an end."""
    cdef int place, symbol, number = 0
    for place in range(half.length):
        if place == first or place == last:
            continue
        symbol = symbol_of(code, place)
        if is_end(symbol) or symbol == LABEL:
            return -1
        number += meaning(half.types[place], symbol) == FREE
    return number


# ---- Choices -------------------------------------------------------------------------------------
#
# What becomes of the symbols of two places if their vertices get an edge or not. Then each vertex
# may have too few edges to come: if there is one, free becomes full, with the weight of a vertex
# that is left out; if there is none, an end has no future.

cdef struct Edge:
    int places[2]  # counted from the side of the half that has the place
    bint chosen  # whether the edge may be chosen
    bint meets  # no edge: the vertex of the first place is a terminal
    unsigned char before[2]  # types of the places
    unsigned char after[2]


cdef inline int flat_after(const Edge *edge, int which, int state, int *weights) noexcept nogil:
    """Return the symbol of a vertex that is FREE or FULL, or -1 if it may not be."""
    if state == FREE and not edge.after[which] & FREE:
        weights[0] += 1
        return FLAT
    if state == FULL and edge.after[which] & EITHER == EITHER:
        return OTHER
    return FLAT if edge.after[which] & state else -1


cdef inline int symbol_after(
    const Edge *edge, int which, int symbol, int state, int *weights
) noexcept nogil:
    """Return the symbol after the step, or -1: of an end, or of a vertex in a flat ``state``."""
    if state == 0:
        return symbol if edge.after[which] & ENDS else -1
    return flat_after(edge, which, state, weights)


cdef struct Choice:
    int symbols[2]  # after the step
    int weights
    bint joins  # both were ends or labels; then they are flat
    bint moves  # one was, and the other vertex has it now


cdef inline int choices_of(const Edge *edge, int first, int second, Choice *found) noexcept nogil:
    """Find what two symbols may become; return the number of choices, at most two.

    The symbols are not both ends of one path, or not joined.
    """
    cdef int states[2]
    cdef int number = 0, k
    cdef bint ends[2]
    cdef int symbols[2]
    symbols[0], symbols[1] = first, second
    for k in range(2):
        ends[k] = is_end(symbols[k]) or symbols[k] == LABEL
        states[k] = 0 if ends[k] else meaning(edge.before[k], symbols[k])
    if choice_open(edge, found, symbols[0], symbols[1], states[0], states[1], False):
        number += 1
        found += 1
    if not edge.chosen or states[0] == FULL or states[1] == FULL:
        return number
    if ends[0] and ends[1]:
        if first == LABEL and second == LABEL:
            return number
        return number + choice_open(edge, found, FLAT, FLAT, FULL, FULL, True)
    if not ends[0] and not ends[1]:
        return number + choice_open(edge, found, OPEN, CLOSE, 0, 0, False)
    if ends[0]:
        number += choice_open(edge, found, FLAT, first, FULL, 0, False)
    else:
        number += choice_open(edge, found, second, FLAT, 0, FULL, False)
    found.moves = True
    return number


cdef inline bint choice_open(
    const Edge *edge, Choice *found, int first, int second, int one, int other, bint joins
) noexcept nogil:
    """Set a choice; False if a vertex may not have it."""
    found.weights, found.joins, found.moves = 0, joins, False
    found.symbols[0] = symbol_after(edge, 0, first, one, &found.weights)
    found.symbols[1] = symbol_after(edge, 1, second, other, &found.weights)
    return found.symbols[0] >= 0 and found.symbols[1] >= 0


# ---- Edges ---------------------------------------------------------------------------------------
#
# The half words that become of one with both places.

cdef struct Pair:
    uint64_t code
    int flip  # the end in the other half that changes, from the middle; -1 if none
    bint labels  # whether it becomes a label
    int weights  # vertices left out by now


cdef inline void change_end(
    const Half *half, Pair *pair, uint64_t code, int place, bint label
) noexcept nogil:
    """Turn the other end of the path with an end at a place, or make it a label."""
    cdef int partner = partner_of(code, place, half.length)
    if partner < 0:
        pair.flip, pair.labels = -1 - partner, label
    else:
        pair.code = with_symbol(
            pair.code, partner, LABEL if label else OPEN + CLOSE - symbol_at(code, partner)
        )


cdef inline int pairs_of(
    const Edge *edge, const Half *half, uint64_t code, Pair *found
) noexcept nogil:
    """Find what a half word with both places may become; return the number, at most two."""
    cdef Choice choices[2]
    cdef int place = edge.places[0], other = edge.places[1]
    cdef int first = symbol_of(code, place), second = symbol_of(code, other)
    cdef int number = choices_of(edge, first, second, choices), k, kept = 0
    for k in range(number):
        found.code, found.flip, found.weights = code, -1, choices[k].weights
        if choices[k].joins:
            if first == OPEN and second == CLOSE:
                continue  # both ends of one path
            if first == LABEL:
                change_end(half, found, code, other, True)
            elif second == LABEL:
                change_end(half, found, code, place, True)
            elif first == second:
                # The inner path's far end takes the place of the far end of the whole.
                change_end(half, found, code, other if first == OPEN else place, False)
        found.code = with_symbol(
            with_symbol(found.code, place, choices[k].symbols[0]), other, choices[k].symbols[1]
        )
        found += 1
        kept += 1
    return kept


cdef inline int met_of(
    const Edge *edge, const Half *half, uint64_t code, Pair *found
) noexcept nogil:
    """Find what a half word with a terminal becomes; return the number, at most one."""
    cdef int place = edge.places[0], symbol = symbol_of(code, place)
    found.code, found.flip, found.weights = code, -1, 0
    if is_end(symbol):
        change_end(half, found, code, place, True)
        symbol = flat_after(edge, 0, FULL, &found.weights)
    elif symbol != LABEL and meaning(edge.before[0], symbol) == FREE:
        symbol = LABEL if edge.after[0] & ENDS else -1
    else:
        return 0
    if symbol < 0:
        return 0
    found.code = with_symbol(found.code, place, symbol)
    return 1


# ---- Apart ---------------------------------------------------------------------------------------
#
# The places of a step beside the middle are the last of a left half and the first of a right half;
# around a cylinder, the first of a left and the last of a right half. What becomes of the left half
# goes with what becomes of the right one, by the *standing* of both places: the other end of a path
# is in the same half or beyond. Beyond, it is the *nearest* of the ends there whose paths go on.

cdef enum:
    STANDINGS = 5  # flat, OTHER, an end of a path inside, one of a path that goes on, a label
    INSIDE = 2
    BEYOND = 3
    LABELLED = 4
    CASES = 2 * STANDINGS * STANDINGS  # at most two choices for two standings


cdef struct Side:
    int standing
    int symbol  # of the place after the step
    int own  # what the other end of its path inside becomes, or -1
    int nearest  # what the nearest end of a path that goes on becomes, or -1


cdef struct Apart:
    Side sides[2]  # left and right
    int weights


cdef inline int standing_of(const Half *half, uint64_t code, int place) noexcept nogil:
    cdef int symbol = symbol_of(code, place)
    if symbol == LABEL:
        return LABELLED
    if is_end(symbol):
        return BEYOND if partner_of(code, place, half.length) < 0 else INSIDE
    return 1 if symbol == OTHER else 0


cdef inline int symbol_standing(int standing, bint right, bint around) noexcept nogil:
    """Return the symbol of a place beside the middle or, ``around`` a cylinder, at the side."""
    if standing == LABELLED:
        return LABEL
    if standing < INSIDE:
        return OTHER if standing else FLAT
    if around:
        return CLOSE if right else OPEN
    return OPEN if (standing == INSIDE) == right else CLOSE


cdef inline void turn_ends(Apart *apart, bint around, bint joins) noexcept nogil:
    """Find what becomes of other ends if paths are joined or, ``around`` a cylinder, moved."""
    cdef Side *left = &apart.sides[0]
    cdef Side *right = &apart.sides[1]
    cdef bint label = joins and (left.standing == LABELLED or right.standing == LABELLED)
    # Of two ends the first opens. Only around a cylinder, all other ends lie on the other side.
    if left.standing == INSIDE and (around or label or right.standing == BEYOND):
        left.own = LABEL if label else OPEN if around else CLOSE
    if right.standing == INSIDE and (around or label or left.standing == BEYOND):
        right.own = LABEL if label else CLOSE if around else OPEN
    if left.standing == BEYOND and (around or label):
        right.nearest = LABEL if label else OPEN
    if right.standing == BEYOND and (around or label):
        left.nearest = LABEL if label else CLOSE


cdef inline int aparts_of(
    const Edge *edge, bint around, int left, int right, Apart *found
) noexcept nogil:
    """Find what two standings may become; return the number, at most two."""
    cdef Choice choices[2]
    cdef int first = symbol_standing(left, False, around)
    cdef int second = symbol_standing(right, True, around)
    cdef int k, side, kept = 0
    for k in range(choices_of(edge, first, second, choices)):
        if choices[k].joins and left == BEYOND and right == BEYOND:
            continue  # both ends of one path
        found.weights = choices[k].weights
        for side in range(2):
            found.sides[side] = [right if side else left, choices[k].symbols[side], -1, -1]
            if around and choices[k].moves and is_end(found.sides[side].symbol):
                # The other side's end is the first, or the last.
                found.sides[side].symbol = OPEN + CLOSE - found.sides[side].symbol
        if choices[k].joins or around and choices[k].moves:
            turn_ends(found, around, choices[k].joins)
        found += 1
        kept += 1
    return kept


cdef inline uint64_t half_after(
    const Half *half, const Side *side, uint64_t code, int depth, int place, bint around
) noexcept nogil:
    """Return a half word after a step, with ``depth`` ends of paths that go on."""
    cdef uint64_t found = code
    if side.own >= 0:
        found = with_symbol(found, partner_of(code, place, half.length), side.own)
    if side.nearest >= 0:
        found = changed(half, found, depth - 1 if around else 0, side.nearest)
    return with_symbol(found, place, side.symbol)


# ---- Steps ---------------------------------------------------------------------------------------
#
# The parts of a step, for half words of the left, of the right, or for one of each.

cdef struct Part:
    uint32_t source
    uint32_t target
    int flip  # twice the end in the other half that changes, plus one if to a label; -1 if none
    int weights


cdef struct Parts:
    Part *items
    size_t count


cdef inline bint add_part(
    Arena *arena, Parts *parts, uint32_t source, uint32_t target, int flip, int weights
) noexcept nogil:
    """Append a part; False without memory."""
    cdef Part *grown
    if parts.count & (parts.count - 1) == 0 and parts.count >= 16 or parts.items == NULL:
        grown = <Part *>arena_resize(
            arena, parts.items, max(<size_t>16, 2 * parts.count), sizeof(Part)
        )
        if grown == NULL:
            return False
        parts.items = grown
    parts.items[parts.count] = [source, target, flip, weights]
    parts.count += 1
    return True


# ---- For Python ----------------------------------------------------------------------------------

#: Whole numbers below 2^64, in one dimension.
Numbers: TypeAlias = "memoryview[int]"

#: Types of places: a flat vertex may be free or full, and there may be ends.
IS_FREE: int = FREE
IS_FULL: int = FULL
HAS_ENDS: int = ENDS

#: Most places of a half word.
HALF_PLACES: int = MOST_PLACES


cdef class HalfWords:
    """All half words with places of these ``types``, of the left or the ``right`` half.

    They have at most so many ``labels``, all ``outside`` of paths or anywhere. The other half has
    ``beyond`` places with ends. ``memory`` bounds the bytes. Raises `MemoryLimit`.
    """

    cdef Arena arena
    cdef Half half
    cdef uint32_t **flips[CLASSES]  # by class, then flip: the place or index of each changed half

    def __cinit__(self):
        arena_open(&self.arena, 0)

    def __init__(
        self,
        object types: bytes,
        *,
        bint right,
        int beyond,
        int labels,
        bint outside,
        size_t memory,
    ):
        cdef bint fits
        cdef int place
        if len(types) > MOST_PLACES or self.arena.last != NULL:
            raise ValueError("expected a half word")
        if not 0 <= labels <= MOST_LABELS:
            raise ValueError("expected at most two labels")
        self.arena.limit = memory
        self.half.length, self.half.right = len(types), right
        self.half.labels, self.half.outside = labels, outside
        for place in range(len(types)):
            self.half.types[place] = types[place]
        with nogil:
            fits = half_open(&self.half, &self.arena, min(beyond, MOST_PLACES))
        if not fits:
            arena_error(&self.arena, "the tables of a pass")

    def __dealloc__(self):
        arena_close(&self.arena)

    @property
    def bytes(self) -> int:
        """The memory taken so far."""
        return self.arena.used

    cdef uint32_t *turns(self, int kind, int flip) noexcept nogil:
        """Return the index of each half of a class after a flip; NULL without memory.

        Of right halves it is the place.
        """
        cdef Half *half = &self.half
        cdef uint32_t **found = self.flips[kind]
        cdef uint32_t *after
        cdef size_t k, number = 0
        cdef uint32_t other
        cdef uint64_t code
        cdef int place, symbol
        if found == NULL:
            found = <uint32_t **>arena_take(&self.arena, 2 * DEPTHS, sizeof(uint32_t *))
            if found == NULL:
                return NULL
            self.flips[kind] = found
        if found[flip] != NULL:
            return found[flip]
        after = <uint32_t *>arena_take(&self.arena, half.sizes[kind] + 1, sizeof(uint32_t))
        if after == NULL:
            return NULL
        for k in range(half.count):
            if half.kind[k] == kind:
                code = half.codes[k]
                # An end of a path that goes on opens in a left half.
                symbol = LABEL if flip & 1 else OPEN if half.right else CLOSE
                other = find(half, changed(half, code, flip // 2, symbol))
                if other != NOWHERE and half.right:
                    other = half.place[other]
                after[number] = other
                number += 1
        found[flip] = after
        return after


cdef class Crossing:
    """A step between neighbouring places of words with ``labels``, from ``before`` to ``after``.

    Both are a left and a right half. ``place`` is the first of the two places, counted from the
    left; the last one's neighbour is the first. Or the step ``meets`` a terminal at one place, and
    words have a label more. Only the types of these places may differ. If the edge may be
    ``chosen``, what it closes is a solution: a cycle or, if the board has ``ends``, the path between
    them. Raises `MemoryLimit`, and ``ValueError`` for halves that do not fit.
    """

    cdef Arena arena
    cdef HalfWords left, right, new_left, new_right
    cdef Edge edge
    cdef int labels, new_labels
    cdef Parts parts  # of the half with both places, by class of right halves
    cdef size_t starts[CLASSES + 1]
    cdef bint around
    cdef Apart cases[CASES]
    cdef int num_cases
    cdef uint32_t *lefts[CASES]  # target of each left half
    cdef Parts rights[CASES]  # of right halves, by class
    cdef size_t right_starts[CASES][CLASSES + 1]
    cdef size_t *bases  # of the rows of left halves
    cdef size_t *new_bases
    cdef size_t num_words, num_new_words
    cdef Parts closing_lefts, closing_rights  # halves of solutions, with free places
    cdef bint in_left  # whether both places are

    def __cinit__(self):
        arena_open(&self.arena, 0)

    def __init__(
        self,
        HalfWords left,
        HalfWords right,
        HalfWords new_left,
        HalfWords new_right,
        *,
        int place,
        bint chosen,
        bint meets,
        int labels,
        bint ends,
        size_t memory,
    ):
        cdef int cut = left.half.length, width = cut + right.half.length, other, k, at
        cdef bint fits, apart
        if new_left.half.length != cut or new_right.half.length != right.half.length:
            raise ValueError("expected words of one length")
        if not 0 <= place < width or width < 2:
            raise ValueError("expected two places of a word")
        if not 0 <= labels <= MOST_LABELS - meets:
            raise ValueError("expected at most two labels")
        other = place if meets else (place + 1) % width
        apart = (place < cut) != (other < cut)
        self.around = other < place
        self.in_left = place < cut and not apart
        if not apart and (new_right is not right if place < cut else new_left is not left):
            raise ValueError("expected one half as it was")
        self.arena.limit = memory
        self.labels, self.new_labels = labels, labels + meets
        self.left, self.right, self.new_left, self.new_right = left, right, new_left, new_right
        self.edge.chosen, self.edge.meets = chosen, meets
        if self.around:
            place, other = other, place
        for k in range(2):
            at = other if k else place
            self.edge.places[k] = at if at < cut else at - cut
            self.edge.before[k] = (
                left.half.types[at] if at < cut else right.half.types[at - cut]
            )
            self.edge.after[k] = (
                new_left.half.types[at] if at < cut else new_right.half.types[at - cut]
            )
        with nogil:
            fits = self.find_bases() and self.find_closing(ends, place < cut, other < cut)
            if fits:
                fits = self.find_apart() if apart else self.find_parts(not self.in_left)
        if not fits:
            arena_error(&self.arena, "the tables of a pass")

    def __dealloc__(self):
        arena_close(&self.arena)

    @property
    def new_words(self) -> int:
        """The number of words after the step."""
        return self.num_new_words

    @property
    def bytes(self) -> int:
        """The memory of these tables, without those of half words."""
        return self.arena.used

    cdef bint find_bases(self) noexcept nogil:
        """Find where the rows of left halves begin."""
        cdef size_t k
        cdef Half *left = &self.left.half
        cdef Half *new_left = &self.new_left.half
        self.bases = <size_t *>arena_take(&self.arena, left.count, sizeof(size_t))
        self.new_bases = <size_t *>arena_take(&self.arena, new_left.count, sizeof(size_t))
        if self.arena.refused:
            return False
        self.num_words = self.num_new_words = 0
        for k in range(left.count):
            self.bases[k] = self.num_words
            self.num_words += partners(&self.right.half, opposite(left.kind[k], self.labels))
        for k in range(new_left.count):
            self.new_bases[k] = self.num_new_words
            self.num_new_words += partners(
                &self.new_right.half, opposite(new_left.kind[k], self.new_labels)
            )
        return True

    cdef bint find_closing(self, bint ends, bint first, bint second) noexcept nogil:
        """List the halves of words in which the step closes the only path.

        The ``first`` and the ``second`` place may be in the left half.
        """
        cdef int symbols[2]
        symbols[0], symbols[1] = OPEN, CLOSE
        if ends:
            symbols[0] = symbols[1] = LABEL
            if self.labels != (1 if self.edge.meets else MOST_LABELS):
                return True
        self.closing_lefts = self.closing(&self.left.half, symbols, first, second)
        self.closing_rights = self.closing(&self.right.half, symbols, not first, not second)
        return not self.arena.refused

    cdef Parts closing(
        self, const Half *half, const int *symbols, bint first, bint second
    ) noexcept nogil:
        """List the halves whose ends are those of the step; ``flip`` is the number of free places."""
        cdef Parts found
        cdef size_t k
        cdef int number, one = self.edge.places[0] if first else -1
        cdef int other = self.edge.places[1] if second else -1
        cdef uint64_t code
        found.count = 0
        found.items = NULL
        for k in range(half.count):
            code = half.codes[k]
            number = free_if_flat(half, code, one, other)
            if number < 0 or (one >= 0 and symbol_of(code, one) != symbols[0]) or (
                other >= 0 and symbol_of(code, other) != symbols[1]
            ):
                continue
            if not add_part(&self.arena, &found, <uint32_t>k, 0, number, 0):
                break
        return found

    cdef bint find_parts(self, bint right) noexcept nogil:
        """List what becomes of half words with all places of the step; right halves by class."""
        cdef Half *half = &self.right.half if right else &self.left.half
        cdef Half *new_half = &self.new_right.half if right else &self.new_left.half
        cdef Pair pairs[2]
        cdef size_t k
        cdef uint32_t target
        cdef int kind, n, number, flip, beyond
        for kind in range(CLASSES):
            self.starts[kind] = self.parts.count
            beyond = opposite(kind, self.labels)
            if half.sizes[kind] == 0 or beyond < 0:
                continue
            for k in range(half.count):
                if half.kind[k] != kind:
                    continue
                if self.edge.meets:
                    number = met_of(&self.edge, half, half.codes[k], pairs)
                else:
                    number = pairs_of(&self.edge, half, half.codes[k], pairs)
                for n in range(number):
                    target = find(new_half, pairs[n].code)
                    if target == NOWHERE:
                        continue
                    flip = -1
                    if pairs[n].flip >= 0:
                        flip = 2 * pairs[n].flip + pairs[n].labels
                        if not self.can_turn(right, beyond, flip):
                            return False
                    add_part(
                        &self.arena, &self.parts,
                        half.place[k] if right else <uint32_t>k,
                        new_half.place[target] if right else target,
                        flip, pairs[n].weights,
                    )
        self.starts[CLASSES] = self.parts.count
        return not self.arena.refused

    cdef bint can_turn(self, bint right, int kind, int flip) noexcept nogil:
        """Make the table of changed ends of the other half; False without memory."""
        if right:
            return self.left.turns(kind, flip) != NULL
        return self.right.turns(kind, flip) != NULL

    cdef bint find_apart(self) noexcept nogil:
        """List what becomes of left halves and of right halves, by choices for two halves."""
        cdef Half *left = &self.left.half
        cdef Half *right = &self.right.half
        cdef Apart *apart
        cdef int first, second, n, kind
        cdef int place = self.edge.places[0], other = self.edge.places[1]
        cdef size_t k
        cdef uint32_t target
        for first in range(STANDINGS):
            for second in range(STANDINGS):
                self.num_cases += aparts_of(
                    &self.edge, self.around, first, second, &self.cases[self.num_cases]
                )
        for n in range(self.num_cases):
            apart = &self.cases[n]
            self.lefts[n] = <uint32_t *>arena_take(&self.arena, left.count, sizeof(uint32_t))
            if self.lefts[n] == NULL:
                return False
            for k in range(left.count):
                self.lefts[n][k] = NOWHERE
                if standing_of(left, left.codes[k], place) == apart.sides[0].standing:
                    self.lefts[n][k] = find(&self.new_left.half, half_after(
                        left, &apart.sides[0], left.codes[k], left.kind[k] % DEPTHS, place,
                        self.around,
                    ))
            for kind in range(CLASSES):
                self.right_starts[n][kind] = self.rights[n].count
                if right.sizes[kind] == 0:
                    continue
                for k in range(right.count):
                    if right.kind[k] != kind or (
                        standing_of(right, right.codes[k], other) != apart.sides[1].standing
                    ):
                        continue
                    target = find(&self.new_right.half, half_after(
                        right, &apart.sides[1], right.codes[k], kind % DEPTHS, other, self.around
                    ))
                    if target != NOWHERE and not add_part(
                        &self.arena, &self.rights[n], right.place[k],
                        self.new_right.half.place[target], -1, apart.weights,
                    ):
                        return False
            self.right_starts[n][CLASSES] = self.rights[n].count
        return True

    def cross(
        self,
        const uint64_t[::1] numbers: Numbers,
        uint64_t[::1] targets: Numbers,
        uint64_t[::1] answer: Numbers,
        *,
        uint64_t prime,
        uint64_t weight,
        int to_come,
        object deadline: Deadline,
    ) -> None:
        """Take the step from ``numbers`` to ``targets``, zeros at first, modulo a prime.

        A vertex that is left out has the ``weight``. Solutions leave out ``to_come`` vertices that
        the pass has not reached. Raises `SearchTimeout`, or the error of a signal handler.
        """
        cdef Field field
        cdef StopToken watch
        cdef uint64_t *to = NULL
        if numbers.shape[0] != self.num_words or targets.shape[0] != self.num_new_words:
            raise ValueError("expected a number for each word")
        if answer.shape[0] != 1:
            raise ValueError("expected one number for the answer")
        if self.num_words == 0:
            return
        if self.num_new_words:
            to = &targets[0]
        field_open(&field, prime, weight)
        watch_start(&watch, deadline.seconds, 64)
        with nogil:
            if self.edge.chosen or self.edge.meets:
                self.accept(&field, &numbers[0], &answer[0], to_come)
            if self.num_cases:
                self.cross_apart(&field, &numbers[0], to, &watch)
            elif self.in_left:
                self.cross_left(&field, &numbers[0], to, &watch)
            else:
                self.cross_right(&field, &numbers[0], to, &watch)
        watch_raise(&watch, deadline)

    cdef void accept(
        self, const Field *field, const uint64_t *numbers, uint64_t *answer, int to_come
    ) noexcept nogil:
        """Add the solutions that the step closes."""
        cdef size_t k, n
        cdef const Part *left
        cdef const Part *right
        for k in range(self.closing_lefts.count):
            left = &self.closing_lefts.items[k]
            for n in range(self.closing_rights.count):
                right = &self.closing_rights.items[n]
                answer[0] = plus(
                    field,
                    answer[0],
                    weighed_often(
                        field,
                        numbers[self.bases[left.source] + self.right.half.place[right.source]],
                        left.flip + right.flip + to_come,
                    ),
                )

    cdef void cross_left(
        self, const Field *given, const uint64_t *numbers, uint64_t *targets, StopToken *watch
    ) noexcept nogil:
        """Take a step within left halves."""
        cdef Field field = given[0]
        cdef const Part *part
        cdef const uint64_t *row
        cdef uint64_t *to
        cdef const uint32_t *flips
        cdef size_t k, n, size
        cdef int kind
        for k in range(self.parts.count):
            if watch_stops(watch):
                return
            part = &self.parts.items[k]
            kind = opposite(self.left.half.kind[part.source], self.labels)
            size = partners(&self.right.half, kind)
            if size == 0:
                continue
            row = numbers + self.bases[part.source]
            to = targets + self.new_bases[part.target]
            if part.flip >= 0:
                flips = self.right.turns(kind, part.flip)
                for n in range(size):
                    if flips[n] != NOWHERE:
                        to[flips[n]] = plus(&field, to[flips[n]], row[n])
            elif part.weights and field.weight != 1:
                for n in range(size):
                    to[n] = plus(&field, to[n], weighed_often(&field, row[n], part.weights))
            else:
                for n in range(size):
                    to[n] = plus(&field, to[n], row[n])

    cdef void cross_right(
        self, const Field *given, const uint64_t *numbers, uint64_t *targets, StopToken *watch
    ) noexcept nogil:
        """Take a step within right halves."""
        cdef Field field = given[0]
        cdef const Part *part
        cdef size_t k, n, target
        cdef uint32_t other
        cdef int kind, beyond
        cdef uint64_t *to
        for k in range(self.left.half.count):
            if watch_stops(watch):
                return
            kind = self.left.half.kind[k]
            beyond = opposite(kind, self.labels)
            if beyond < 0:
                continue
            to = targets + self.new_bases[k]
            for n in range(self.starts[beyond], self.starts[beyond + 1]):
                part = &self.parts.items[n]
                target = part.target
                if part.flip >= 0:
                    other = self.left.turns(kind, part.flip)[self.left.half.place[k]]
                    if other == NOWHERE:
                        continue
                    target += self.new_bases[other]
                    targets[target] = plus(
                        &field, targets[target], numbers[self.bases[k] + part.source]
                    )
                    continue
                to[target] = plus(
                    &field, to[target],
                    weighed_often(&field, numbers[self.bases[k] + part.source], part.weights),
                )

    cdef void cross_apart(
        self, const Field *given, const uint64_t *numbers, uint64_t *targets, StopToken *watch
    ) noexcept nogil:
        """Take a step between places of two halves."""
        cdef Field field = given[0]
        cdef const Part *part
        cdef const uint64_t *row
        cdef uint64_t *to
        cdef size_t k, n
        cdef int which, beyond
        for k in range(self.left.half.count):
            if watch_stops(watch):
                return
            beyond = opposite(self.left.half.kind[k], self.labels)
            if beyond < 0:
                continue
            row = numbers + self.bases[k]
            for which in range(self.num_cases):
                if self.lefts[which][k] == NOWHERE:
                    continue
                to = targets + self.new_bases[self.lefts[which][k]]
                for n in range(
                    self.right_starts[which][beyond], self.right_starts[which][beyond + 1]
                ):
                    part = &self.rights[which].items[n]
                    to[part.target] = plus(
                        &field, to[part.target],
                        weighed_often(&field, row[part.source], part.weights),
                    )
