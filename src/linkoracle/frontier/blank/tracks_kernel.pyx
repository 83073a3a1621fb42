"""`Crossing`: steps of a pass along tracks, for arrays that Python holds.

*Tracks* are lines of vertices side by side, such as the rows of a triangular board. A pass goes along
all of them at once, so that the frontier has one vertex of each track. An edge between two
neighbouring tracks is a step; an edge along a track is none, as the next vertex takes the symbol.

Contents
    Symbols   of a place, by what is known of its vertex
    Halves    all half words of a frontier, numbered through a hash table
    Edges     the half words that become of one by a step
    Steps     from one array of numbers to the next
    For Python  `Crossing`

**Words.** Each place is *flat* or the left or right end of a path, and ends nest like parentheses. A
flat place is *free* if its vertex has no edge yet, *full* if it has two. A vertex that may be either
has four symbols, another one three: if it has one edge to come, free is as good as full. So words
have types of places, which change at each step, and with them the number of words.

**Numbers.** A word is a left and a right half. All left halves with as many open ends go with all
right halves with as many ends open to the left: the number of a word is in the row of its left half,
at the place of its right half. A step changes one half, or the two places beside the middle. If it
joins two paths, it may have to turn an end in the other half.
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
    MOST_PLACES = 24  # of a half word
    MOST_DEPTH = MOST_PLACES + 1
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


# ---- Halves --------------------------------------------------------------------------------------

cdef struct Half:
    bint right
    int length
    unsigned char types[MOST_PLACES]
    size_t count
    uint64_t *codes
    unsigned char *depth  # ends whose paths go on in the other half
    uint32_t *place  # among the halves of this depth
    size_t sizes[MOST_DEPTH + 1]  # halves by depth
    size_t mask
    uint32_t *slots  # hash table: one more than the index of a half


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
    Half *half, const int *after, int beyond, uint64_t code, int place, int depth, int inner,
    bint keep,
) noexcept nogil:
    """Count the half words that begin with places of a code; with ``keep``, list them.

    A left half has ``depth`` open ends; a right half has that many ends open to the left, and
    ``inner`` others. ``after`` has the number of places with ends from each place on, ``beyond``
    that of the other half.
    """
    cdef size_t number = 0
    cdef int type
    if inner > after[place] or depth > beyond + (0 if half.right else after[place]):
        return 0
    if place == half.length:
        if keep:
            add_half(half, code, depth)
        return 1
    type = half.types[place]
    number += halves_of(half, after, beyond, code, place + 1, depth, inner, keep)
    if type & EITHER == EITHER:
        number += halves_of(
            half, after, beyond, put(code, place, OTHER), place + 1, depth, inner, keep
        )
    if not type & ENDS:
        return number
    if half.right:
        number += halves_of(
            half, after, beyond, put(code, place, OPEN), place + 1, depth, inner + 1, keep
        )
        return number + halves_of(
            half, after, beyond, put(code, place, CLOSE), place + 1, depth + (inner == 0),
            max(inner - 1, 0), keep,
        )
    number += halves_of(
        half, after, beyond, put(code, place, OPEN), place + 1, depth + 1, 0, keep
    )
    if depth:
        number += halves_of(
            half, after, beyond, put(code, place, CLOSE), place + 1, depth - 1, 0, keep
        )
    return number


cdef inline void add_half(Half *half, uint64_t code, int depth) noexcept nogil:
    cdef size_t slot = hashed(half, code)
    half.codes[half.count] = code
    half.depth[half.count] = <unsigned char>depth
    half.place[half.count] = <uint32_t>half.sizes[depth]
    half.sizes[depth] += 1
    half.count += 1
    while half.slots[slot]:
        slot = (slot + 1) & half.mask
    half.slots[slot] = <uint32_t>half.count


cdef inline bint half_open(Half *half, Arena *arena, int beyond) noexcept nogil:
    """List all half words of given types; False without memory."""
    cdef int after[MOST_PLACES + 1]
    cdef int place
    cdef size_t number
    after[half.length] = 0
    for place in range(half.length - 1, -1, -1):
        after[place] = after[place + 1] + (1 if half.types[place] & ENDS else 0)
    number = halves_of(half, after, beyond, 0, 0, 0, 0, False)
    half.mask = 16
    while half.mask < 2 * number:
        half.mask *= 2
    half.codes = <uint64_t *>arena_take(arena, number, sizeof(uint64_t))
    half.depth = <unsigned char *>arena_take(arena, number, 1)
    half.place = <uint32_t *>arena_take(arena, number, sizeof(uint32_t))
    half.slots = <uint32_t *>arena_take(arena, half.mask, sizeof(uint32_t))
    half.mask -= 1
    if arena.refused:
        return False
    halves_of(half, after, beyond, 0, 0, 0, 0, True)
    return True


cdef inline uint64_t turned(const Half *half, uint64_t code, int depth) noexcept nogil:
    """Turn an end of a path to the other half, counted from there; ``code`` itself if none."""
    cdef int place = end_beyond(code, half.length, half.right, depth)
    return code if place < 0 else put(code, place, OPEN + CLOSE - symbol_at(code, place))


cdef inline int free_if_flat(const Half *half, uint64_t code, int first, int last) noexcept nogil:
    """Return how many places but ``first`` to ``last`` are free; -1 if another one is an end."""
    cdef int place, symbol, number = 0
    for place in range(half.length):
        if first <= place <= last:
            continue
        symbol = symbol_at(code, place)
        if symbol == OPEN or symbol == CLOSE:
            return -1
        number += meaning(half.types[place], symbol) == FREE
    return number


# ---- Edges ---------------------------------------------------------------------------------------
#
# What becomes of the symbols of two neighbouring places if their vertices get an edge or not. Then
# each vertex may have too few edges to come: if there is one, free becomes full, with the weight of
# a vertex that is left out; if there is none, an end has no future.

cdef struct Pair:
    uint64_t code
    int flip  # the end in the other half that is turned, from the middle; -1 if none
    int weights  # vertices left out by now


cdef struct Edge:
    int place  # the first one of two
    bint chosen  # whether the edge may be chosen
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
    if symbol == OPEN or symbol == CLOSE:
        return symbol if edge.after[which] & ENDS else -1
    return flat_after(edge, which, state, weights)


cdef struct Choice:
    int symbols[2]  # after the step
    int weights
    bint joins  # both were ends; then they are flat


cdef inline int choices_of(const Edge *edge, int first, int second, Choice *found) noexcept nogil:
    """Find what two symbols may become; return the number of choices, at most two.

    An edge between both ends of one path is none of them.
    """
    cdef int states[2]
    cdef int number = 0, k
    cdef bint ends[2]
    cdef int symbols[2]
    symbols[0], symbols[1] = first, second
    for k in range(2):
        ends[k] = symbols[k] == OPEN or symbols[k] == CLOSE
        states[k] = 0 if ends[k] else meaning(edge.before[k], symbols[k])
    if choice_open(edge, found, symbols[0], symbols[1], states[0], states[1], False):
        number += 1
        found += 1
    if not edge.chosen or states[0] == FULL or states[1] == FULL:
        return number
    if ends[0] and ends[1]:
        if first == OPEN and second == CLOSE:
            return number
        return number + choice_open(edge, found, FLAT, FLAT, FULL, FULL, True)
    if ends[0]:
        return number + choice_open(edge, found, FLAT, first, FULL, 0, False)
    if ends[1]:
        return number + choice_open(edge, found, second, FLAT, 0, FULL, False)
    return number + choice_open(edge, found, OPEN, CLOSE, 0, 0, False)


cdef inline bint choice_open(
    const Edge *edge, Choice *found, int first, int second, int one, int other, bint joins
) noexcept nogil:
    """Set a choice; False if a vertex may not have it."""
    found.weights, found.joins = 0, joins
    found.symbols[0] = symbol_after(edge, 0, first, one, &found.weights)
    found.symbols[1] = symbol_after(edge, 1, second, other, &found.weights)
    return found.symbols[0] >= 0 and found.symbols[1] >= 0


cdef inline int pairs_of(
    const Edge *edge, const Half *half, uint64_t code, Pair *found
) noexcept nogil:
    """Find what a half word with both places may become; return the number, at most two."""
    cdef Choice choices[2]
    cdef int first = symbol_at(code, edge.place), second = symbol_at(code, edge.place + 1)
    cdef int number = choices_of(edge, first, second, choices), k, partner
    for k in range(number):
        found[k].code, found[k].flip, found[k].weights = code, -1, choices[k].weights
        if choices[k].joins and first == second:
            # The inner path's far end takes the place of the far end of the whole.
            partner = partner_of(code, edge.place + (first == OPEN), half.length)
            if partner < 0:
                found[k].flip = -1 - partner
            else:
                found[k].code = put(found[k].code, partner, OPEN + CLOSE - symbol_at(code, partner))
        found[k].code = put(
            put(found[k].code, edge.place, choices[k].symbols[0]), edge.place + 1,
            choices[k].symbols[1],
        )
    return number


# ---- Steps ---------------------------------------------------------------------------------------
#
# The parts of a step, for half words of the left, of the right, or for one of each.

cdef struct Part:
    uint32_t source
    uint32_t target
    int flip
    int weights


cdef struct Parts:
    Part *items
    size_t count


# Beside the middle, what becomes of the last place of a left half goes with what becomes of the
# first place of a right half.
cdef enum:
    CASES = 32  # two choices for two symbols


cdef struct Beside:
    Choice choice
    int first  # symbols before
    int second


cdef inline uint64_t left_beside(
    const Half *half, const Beside *beside, uint64_t code
) noexcept nogil:
    """Return the left half after a choice."""
    cdef int last = half.length - 1, partner
    if beside.choice.joins and beside.first == CLOSE and beside.second == CLOSE:
        partner = partner_of(code, last, half.length)
        code = put(code, partner, CLOSE)
    return put(code, last, beside.choice.symbols[0])


cdef inline uint64_t right_beside(
    const Half *half, const Beside *beside, uint64_t code
) noexcept nogil:
    """Return the right half after a choice."""
    cdef int partner
    if beside.choice.joins and beside.first == OPEN and beside.second == OPEN:
        partner = partner_of(code, 0, half.length)
        code = put(code, partner, OPEN)
    return put(code, 0, beside.choice.symbols[1])


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

    The other half has ``beyond`` places with ends. ``memory`` bounds the bytes. Raises
    `MemoryLimit`.
    """

    cdef Arena arena
    cdef Half half
    cdef uint32_t **flips  # by depth, then end: the place or index of each turned half

    def __cinit__(self):
        arena_open(&self.arena, 0)

    def __init__(self, object types: bytes, *, bint right, int beyond, size_t memory):
        cdef bint fits
        cdef int place
        if len(types) > MOST_PLACES or self.arena.last != NULL:
            raise ValueError("expected a half word")
        self.arena.limit = memory
        self.half.length, self.half.right = len(types), right
        for place in range(len(types)):
            self.half.types[place] = types[place]
        with nogil:
            fits = half_open(&self.half, &self.arena, min(beyond, MOST_PLACES))
            if fits:
                self.flips = <uint32_t **>arena_take(
                    &self.arena, (MOST_DEPTH + 1) * (MOST_DEPTH + 1), sizeof(uint32_t *)
                )
        if not fits or self.flips == NULL:
            arena_error(&self.arena, "the tables of a pass")

    def __dealloc__(self):
        arena_close(&self.arena)

    @property
    def bytes(self) -> int:
        """The memory taken so far."""
        return self.arena.used

    cdef uint32_t *turns(self, int depth, int end) noexcept nogil:
        """Return the index of each half of a depth with an end turned; NULL without memory.

        Of right halves it is the place.
        """
        cdef Half *half = &self.half
        cdef uint32_t *found = self.flips[depth * (MOST_DEPTH + 1) + end]
        cdef size_t k, number = 0
        cdef uint32_t other
        if found != NULL:
            return found
        found = <uint32_t *>arena_take(&self.arena, half.sizes[depth] + 1, sizeof(uint32_t))
        if found == NULL:
            return NULL
        for k in range(half.count):
            if half.depth[k] == depth:
                other = find(half, turned(half, half.codes[k], end))
                if other != NOWHERE and half.right:
                    other = half.place[other]
                found[number] = other
                number += 1
        self.flips[depth * (MOST_DEPTH + 1) + end] = found
        return found


cdef class Crossing:
    """A step between two neighbouring places of words, from ``before`` to ``after``.

    Both are a left and a right half. ``place`` is the first of the two places, counted from the
    left. If the edge may be ``chosen``, a cycle that it closes is a solution. Only the types of both
    places may differ. Raises `MemoryLimit`, and ``ValueError`` for halves that do not fit.
    """

    cdef Arena arena
    cdef HalfWords left, right, new_left, new_right
    cdef Edge edge
    cdef Parts parts  # of the half with both places, by depth of right halves
    cdef size_t starts[MOST_DEPTH + 2]
    cdef Beside cases[CASES]
    cdef int num_cases
    cdef uint32_t *lefts[CASES]  # target of each left half
    cdef Parts rights[CASES]  # of right halves, by depth
    cdef size_t right_starts[CASES][MOST_DEPTH + 2]
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
        size_t memory,
    ):
        cdef int cut = left.half.length, k, at
        cdef bint fits
        if new_left.half.length != cut or new_right.half.length != right.half.length:
            raise ValueError("expected words of one length")
        if not 0 <= place < cut + right.half.length - 1:
            raise ValueError("expected two places of a word")
        if place + 1 < cut and new_right is not right or place >= cut and new_left is not left:
            raise ValueError("expected one half as it was")
        self.arena.limit, self.in_left = memory, place + 1 < cut
        self.left, self.right, self.new_left, self.new_right = left, right, new_left, new_right
        self.edge.chosen = chosen
        self.edge.place = place if place < cut else place - cut
        for k in range(2):
            at = place + k
            self.edge.before[k] = (
                left.half.types[at] if at < cut else right.half.types[at - cut]
            )
            self.edge.after[k] = (
                new_left.half.types[at] if at < cut else new_right.half.types[at - cut]
            )
        with nogil:
            fits = self.find_bases() and self.find_closing(place, cut)
            if fits:
                if place + 1 == cut:
                    fits = self.find_beside()
                else:
                    fits = self.find_parts(place >= cut)
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
            self.num_words += self.right.half.sizes[left.depth[k]]
        for k in range(new_left.count):
            self.new_bases[k] = self.num_new_words
            self.num_new_words += self.new_right.half.sizes[new_left.depth[k]]
        return True

    cdef bint find_closing(self, int place, int cut) noexcept nogil:
        """List the halves of words in which the edge closes the only path."""
        self.closing_lefts = self.closing(&self.left.half, place, place + 1)
        self.closing_rights = self.closing(&self.right.half, place - cut, place + 1 - cut)
        return not self.arena.refused

    cdef Parts closing(self, const Half *half, int first, int last) noexcept nogil:
        """List the halves whose ends are those of the edge; ``flip`` is the number of free places."""
        cdef Parts found
        cdef size_t k
        cdef int number
        cdef uint64_t code
        found.count = 0
        found.items = NULL
        for k in range(half.count):
            code = half.codes[k]
            number = free_if_flat(half, code, first, last)
            if number < 0 or (
                0 <= first < half.length and symbol_at(code, first) != OPEN
            ) or (0 <= last < half.length and symbol_at(code, last) != CLOSE):
                continue
            if not add_part(&self.arena, &found, <uint32_t>k, 0, number, 0):
                break
        return found

    cdef bint find_parts(self, bint right) noexcept nogil:
        """List what becomes of half words with both places; right halves by depth."""
        cdef Half *half = &self.right.half if right else &self.left.half
        cdef Half *new_half = &self.new_right.half if right else &self.new_left.half
        cdef Pair pairs[2]
        cdef size_t k
        cdef uint32_t target
        cdef int depth, n
        for depth in range(MOST_DEPTH + 1):
            self.starts[depth] = self.parts.count
            for k in range(half.count):
                if half.depth[k] != depth:
                    continue
                for n in range(pairs_of(&self.edge, half, half.codes[k], pairs)):
                    target = find(new_half, pairs[n].code)
                    if target == NOWHERE:
                        continue
                    if pairs[n].flip >= 0 and not self.can_turn(right, depth, pairs[n].flip):
                        return False
                    add_part(
                        &self.arena, &self.parts,
                        half.place[k] if right else <uint32_t>k,
                        new_half.place[target] if right else target,
                        pairs[n].flip, pairs[n].weights,
                    )
        self.starts[MOST_DEPTH + 1] = self.parts.count
        return not self.arena.refused

    cdef bint can_turn(self, bint right, int depth, int end) noexcept nogil:
        """Make the table of turned ends of the other half; False without memory."""
        if right:
            return self.left.turns(depth, end) != NULL
        return self.right.turns(depth, end) != NULL

    cdef bint find_beside(self) noexcept nogil:
        """List what becomes of left halves and of right halves, by choices beside the middle."""
        cdef Choice choices[2]
        cdef Half *left = &self.left.half
        cdef Half *right = &self.right.half
        cdef Beside *beside
        cdef int first, second, n, depth, last = left.length - 1
        cdef size_t k
        cdef uint32_t target
        for first in range(4):
            for second in range(4):
                for n in range(choices_of(&self.edge, first, second, choices)):
                    beside = &self.cases[self.num_cases]
                    beside.choice, beside.first, beside.second = choices[n], first, second
                    self.num_cases += 1
        for n in range(self.num_cases):
            beside = &self.cases[n]
            self.lefts[n] = <uint32_t *>arena_take(&self.arena, left.count, sizeof(uint32_t))
            if self.lefts[n] == NULL:
                return False
            for k in range(left.count):
                self.lefts[n][k] = NOWHERE
                if symbol_at(left.codes[k], last) == beside.first:
                    self.lefts[n][k] = find(
                        &self.new_left.half, left_beside(left, beside, left.codes[k])
                    )
            for depth in range(MOST_DEPTH + 1):
                self.right_starts[n][depth] = self.rights[n].count
                for k in range(right.count):
                    if right.depth[k] != depth or symbol_at(right.codes[k], 0) != beside.second:
                        continue
                    target = find(
                        &self.new_right.half, right_beside(right, beside, right.codes[k])
                    )
                    if target != NOWHERE and not add_part(
                        &self.arena, &self.rights[n], right.place[k],
                        self.new_right.half.place[target], -1, beside.choice.weights,
                    ):
                        return False
            self.right_starts[n][MOST_DEPTH + 1] = self.rights[n].count
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
        if numbers.shape[0] != self.num_words or targets.shape[0] != self.num_new_words:
            raise ValueError("expected a number for each word")
        if answer.shape[0] != 1:
            raise ValueError("expected one number for the answer")
        field_open(&field, prime, weight)
        watch_start(&watch, deadline.seconds, 64)
        with nogil:
            if self.edge.chosen:
                self.accept(&field, &numbers[0], &answer[0], to_come)
            if self.num_cases:
                self.cross_beside(&field, &numbers[0], &targets[0], &watch)
            elif self.in_left:
                self.cross_left(&field, &numbers[0], &targets[0], &watch)
            else:
                self.cross_right(&field, &numbers[0], &targets[0], &watch)
        watch_raise(&watch, deadline)

    cdef void accept(
        self, const Field *field, const uint64_t *numbers, uint64_t *answer, int to_come
    ) noexcept nogil:
        """Add the solutions that the edge closes."""
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
        cdef int depth
        for k in range(self.parts.count):
            if watch_stops(watch):
                return
            part = &self.parts.items[k]
            depth = self.left.half.depth[part.source]
            size = self.right.half.sizes[depth]
            if size == 0:
                continue
            row = numbers + self.bases[part.source]
            to = targets + self.new_bases[part.target]
            if part.flip >= 0:
                flips = self.right.turns(depth, part.flip)
                for n in range(size):
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
        cdef int depth
        cdef uint64_t *to
        for k in range(self.left.half.count):
            if watch_stops(watch):
                return
            depth = self.left.half.depth[k]
            to = targets + self.new_bases[k]
            for n in range(self.starts[depth], self.starts[depth + 1]):
                part = &self.parts.items[n]
                target = part.target
                if part.flip >= 0:
                    target += self.new_bases[
                        self.left.turns(depth, part.flip)[self.left.half.place[k]]
                    ]
                    targets[target] = plus(
                        &field, targets[target], numbers[self.bases[k] + part.source]
                    )
                    continue
                to[target] = plus(
                    &field, to[target],
                    weighed_often(&field, numbers[self.bases[k] + part.source], part.weights),
                )

    cdef void cross_beside(
        self, const Field *given, const uint64_t *numbers, uint64_t *targets, StopToken *watch
    ) noexcept nogil:
        """Take a step beside the middle."""
        cdef Field field = given[0]
        cdef const Part *part
        cdef const uint64_t *row
        cdef uint64_t *to
        cdef size_t k, n
        cdef int which, depth
        for k in range(self.left.half.count):
            if watch_stops(watch):
                return
            depth = self.left.half.depth[k]
            row = numbers + self.bases[k]
            for which in range(self.num_cases):
                if self.lefts[which][k] == NOWHERE:
                    continue
                to = targets + self.new_bases[self.lefts[which][k]]
                for n in range(
                    self.right_starts[which][depth], self.right_starts[which][depth + 1]
                ):
                    part = &self.rights[which].items[n]
                    to[part.target] = plus(
                        &field, to[part.target],
                        weighed_often(&field, row[part.source], part.weights),
                    )
