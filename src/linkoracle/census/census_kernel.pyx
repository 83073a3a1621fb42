"""The clue sets that are puzzles of one loop, and the pairs that are puzzles of a board.

**With bitsets** over all sets of cells, for the census of a board. A bitset has a bit for each of
the 2^n sets of n cells; set S is bit ``S % 64`` of word ``S // 64``. A clue set is *bad* for a loop
L when some other loop has the same clues on it. Where another loop agrees with L on the cells E,
exactly the subsets of E are bad. So the bad sets are the downward closure of these E. The closure
takes one pass over the bitset for each cell, a word at a time.

The bitset of a board fits into a cache. Passes for the last cells, whose words lie far apart, are
done together (`close_far`); all other passes stay within blocks. Inner loops go over `CHUNK`
adjacent words, so that the compiler vectorises them.

**With families** of sets, as diagrams, for all puzzles of one loop and for all of Numberlink: one
step of a pass over a board whose states have families.

Contents
    Chunks   of a bitset, and loops over words
    Bitsets  of all sets of cells
    Loops    the minimal differences of `linkoracle.census.loop`
    Pairs    the joined pairs of cells of `linkoracle.census.numberlink`
"""

import numpy as np

from libc.math cimport INFINITY
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from linkoracle.core.kernels cimport (
    Arena, StopToken, arena_close, arena_error, arena_open, arena_take, watch_raise, watch_start,
    watch_stops
)
from linkoracle.frontier.layers cimport (
    Store, store_begin, store_insert, store_open, store_payload, store_place, store_record,
    store_reserve
)
from linkoracle.frontier.pass_kernel cimport (
    EMPTY, FIRST_SLOT, NOTHING, REFUSED, Pass, Spec, Vertex, View, code_at, decide, look, vertex_at
)
from linkoracle.zdd.zdd_kernel cimport (
    ATTACH, INTERSECTION, MINIMAL_UNION, NO_NODE, UNION, WITHOUT_SUPERSETS, Nodes, Zdd, apply
)


# ---- Chunks --------------------------------------------------------------------------------------
#
# Chunks of a bitset, and loops over words that the compiler vectorises.

cdef enum:
    CHUNK = 64  # words


cdef struct Chunk:
    uint64_t[CHUNK] puzzles  # sets that are not bad
    uint64_t[CHUNK] minimal  # the puzzles from which no cell can be removed


cdef inline bint find_puzzles(
    const uint64_t *bad, Py_ssize_t start, Py_ssize_t words, int cells, Chunk *chunk
) noexcept nogil:
    """Copy one chunk of the complement; return whether it has a set."""
    cdef uint64_t some = 0, valid = ~<uint64_t>0
    cdef int t
    if cells < 6:
        valid = (<uint64_t>1 << (1 << cells)) - 1
    if words < CHUNK:
        memset(chunk.puzzles, 0, sizeof(chunk.puzzles))
        for t in range(words):
            chunk.puzzles[t] = ~bad[t] & valid
            some |= chunk.puzzles[t]
    else:
        for t in range(CHUNK):
            chunk.puzzles[t] = ~bad[start + t]
            some |= chunk.puzzles[t]
    return some != 0


cdef inline void remove(Chunk *chunk, int step) noexcept nogil:
    """Remove sets that are puzzles without a cell, whose words lie ``step`` apart."""
    cdef int first, t
    for first in range(CHUNK // 2 // step):
        for t in range(step):
            chunk.minimal[(2 * first + 1) * step + t] &= ~chunk.puzzles[2 * first * step + t]


cdef inline bint keep_minimal(const uint64_t *bad, Py_ssize_t start, Chunk *chunk) noexcept nogil:
    """Keep the puzzles of a chunk from which no cell can be removed; return whether any is left.

    Adding clues to a puzzle leaves it a puzzle, so it is enough to try all sets one cell smaller.
    """
    cdef uint64_t word, more, some = 0
    cdef Py_ssize_t step = CHUNK, t
    for t in range(CHUNK):
        word = chunk.puzzles[t]
        more = (word << 1) & <uint64_t>0xAAAAAAAAAAAAAAAA
        more |= (word << 2) & <uint64_t>0xCCCCCCCCCCCCCCCC
        more |= (word << 4) & <uint64_t>0xF0F0F0F0F0F0F0F0
        more |= (word << 8) & <uint64_t>0xFF00FF00FF00FF00
        more |= (word << 16) & <uint64_t>0xFFFF0000FFFF0000
        more |= (word << 32) & <uint64_t>0xFFFFFFFF00000000
        chunk.minimal[t] = word & ~more
        some |= chunk.minimal[t]
    if not some:
        return False
    remove(chunk, 1)
    remove(chunk, 2)
    remove(chunk, 4)
    remove(chunk, 8)
    remove(chunk, 16)
    remove(chunk, 32)
    while step <= start:
        if start & step:
            some = 0
            for t in range(CHUNK):
                # Only a set that is bad without this cell can be minimal.
                chunk.minimal[t] &= bad[(start ^ step) + t]
                some |= chunk.minimal[t]
            if not some:
                return False
        step <<= 1
    return True


# -- words --


cdef inline int ones(uint64_t word) noexcept nogil:
    """Count the set bits, without an instruction that some processors lack."""
    word -= word >> 1 & <uint64_t>0x5555555555555555
    word = (word & <uint64_t>0x3333333333333333) + (word >> 2 & <uint64_t>0x3333333333333333)
    word = (word + (word >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0F
    return word * <uint64_t>0x0101010101010101 >> 56


cdef inline void unite(uint64_t *low, const uint64_t *high, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t t
    for t in range(size):
        low[t] |= high[t]


cdef inline void close_words(uint64_t *words, Py_ssize_t size, Py_ssize_t least) noexcept nogil:
    """Do the passes for cells whose words lie ``least`` or more apart."""
    cdef Py_ssize_t step = size >> 1, start
    while step >= least:
        start = 0
        while start < size:
            unite(words + start, words + start + step, step)
            start += 2 * step
        step >>= 1


cdef inline void close_inside(uint64_t *words, Py_ssize_t size) noexcept nogil:
    """Do the passes for the cells of a word."""
    cdef Py_ssize_t t
    cdef uint64_t word
    for t in range(size):
        word = words[t]
        word |= (word & <uint64_t>0xFFFFFFFF00000000) >> 32
        word |= (word & <uint64_t>0xFFFF0000FFFF0000) >> 16
        word |= (word & <uint64_t>0xFF00FF00FF00FF00) >> 8
        word |= (word & <uint64_t>0xF0F0F0F0F0F0F0F0) >> 4
        word |= (word & <uint64_t>0xCCCCCCCCCCCCCCCC) >> 2
        word |= (word & <uint64_t>0xAAAAAAAAAAAAAAAA) >> 1
        words[t] = word


# ---- Bitsets -------------------------------------------------------------------------------------

cdef enum:
    MOST_CELLS = 30  # whose masks are words of 32 bits
    CHUNK_CELLS = 6  # cells in which the words of a chunk differ; equally many within a word
    BLOCK = 1 << 15  # words of a block that stays in the second-level cache
    NEAR = 1 << 11  # words of a block that stays in the first-level cache
    LEVELS = 20  # digits of a count: at most one for each of 2^18 chunks
    AT_ONCE = 1 << 10  # comparisons of loops, a nanosecond or two each
    RATE = 64  # steps of some microseconds between two looks at the clock

#: Bit S of word k is set where cell k is in S.
cdef uint64_t[6] WITH = [
    0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000,
]
#: Bit S of word k is set where S has k of the six lowest cells.
cdef uint64_t[7] OF_SIZE = [
    0x0000000000000001, 0x0000000100010116, 0x0001011601161668, 0x0116166816686880,
    0x1668688068808000, 0x6880800080000000, 0x8000000000000000,
]


def new_bitset(int cells) -> NDArray[np.uint64]:
    """Return an uninitialised bitset for the sets of ``cells`` cells."""
    if not 0 <= cells <= MOST_CELLS:
        raise ValueError(f"expected at most {MOST_CELLS} cells, got {cells}")
    return np.empty(max(1, 1 << cells >> 6), dtype=np.uint64)


cdef int check_size(Py_ssize_t words, int cells) except -1:
    if not 0 <= cells <= MOST_CELLS or words != max(1, 1 << cells >> 6):
        raise ValueError(f"expected a bitset for {cells} cells, got {words} words")
    return 0


cdef int check_words(Py_ssize_t words) except -1:
    if not 1 <= words <= 1 << (MOST_CELLS - 6) or words & (words - 1):
        raise ValueError(f"expected a power of two of words, got {words}")
    return 0


# -- marking --


def mark_agreements(
    const uint32_t[:, ::1] planes not None,
    Py_ssize_t loop,
    uint32_t full,
    uint64_t[::1] bad not None,
) -> None:
    """Clear ``bad``; mark in it, for every other loop, the set of cells that agree with ``loop``.

    ``planes`` is as in `LoopTable`. ``full`` is the mask of all cells; ``bad`` has room for it.
    """
    cdef Py_ssize_t loops = planes.shape[1], words = bad.shape[0], start = 0, other
    cdef const uint32_t *first
    cdef const uint32_t *second
    cdef const uint32_t *third
    cdef uint32_t mine0, mine1, mine2, agreeing
    cdef uint64_t *to = &bad[0] if words else NULL
    cdef StopToken watch
    check_words(words)
    if planes.shape[0] != 3 or not 0 <= loop < loops:
        raise ValueError("expected three planes, and one of their loops")
    if full >> 6 >= words:
        raise ValueError("expected a bitset for all cells")
    first, second, third = &planes[0, 0], &planes[1, 0], &planes[2, 0]
    mine0, mine1, mine2 = first[loop], second[loop], third[loop]
    watch_start(&watch, INFINITY, RATE)
    with nogil:
        memset(to, 0, words * sizeof(uint64_t))
        while start < loops and not watch_stops(&watch):
            for other in range(start, min(start + AT_ONCE, loops)):
                agreeing = full & ~(
                    (first[other] ^ mine0) | (second[other] ^ mine1) | (third[other] ^ mine2)
                )
                to[agreeing >> 6] |= <uint64_t>(other != loop) << (agreeing & 63)
            start += AT_ONCE
    watch_raise(&watch, None)


def forbid(uint64_t[::1] bad not None, uint32_t mask) -> None:
    """Mark every set that has a cell in common with ``mask``."""
    cdef Py_ssize_t word, words = bad.shape[0]
    cdef uint64_t near = 0
    cdef uint32_t far = mask >> 6
    cdef int cell
    check_words(words)
    for cell in range(6):
        if mask >> cell & 1:
            near |= WITH[cell]
    with nogil:
        for word in range(words):
            bad[word] |= ~<uint64_t>0 if word & far else near


# -- closing downward --


cdef void close_far(uint64_t *words, Py_ssize_t size, uint64_t *near, StopToken *watch) noexcept nogil:
    """Do the passes for cells whose words lie a block or more apart, in one sweep over the memory.

    ``near`` has room for a chunk of each block.
    """
    cdef Py_ssize_t blocks = size // BLOCK, offset = 0, k
    while offset < BLOCK and not watch_stops(watch):
        for k in range(blocks):
            memcpy(near + k * CHUNK, words + k * BLOCK + offset, CHUNK * sizeof(uint64_t))
        close_words(near, blocks * CHUNK, CHUNK)
        for k in range(blocks):
            memcpy(words + k * BLOCK + offset, near + k * CHUNK, CHUNK * sizeof(uint64_t))
        offset += CHUNK


def close_downward(uint64_t[::1] bad not None) -> None:
    """Mark every subset of a marked set, in place. O(words x cells) word operations."""
    cdef Py_ssize_t words = bad.shape[0], block, near, start
    cdef StopToken watch
    cdef Arena arena
    cdef uint64_t *copy = NULL
    check_words(words)
    block = min(words, BLOCK)
    near = min(words, NEAR)
    arena_open(&arena, <size_t>-1)
    try:
        if words > BLOCK:
            copy = <uint64_t *>arena_take(&arena, words // BLOCK * CHUNK, sizeof(uint64_t))
            if copy == NULL:
                arena_error(&arena, "closing a bitset")
        watch_start(&watch, INFINITY, RATE)
        with nogil:
            if copy != NULL:
                close_far(&bad[0], words, copy, &watch)
            start = 0
            while start < words and not watch_stops(&watch):
                if start % block == 0:
                    close_words(&bad[start], block, near)
                close_inside(&bad[start], near)
                close_words(&bad[start], near, 1)
                start += near
        watch_raise(&watch, None)
    finally:
        arena_close(&arena)


# -- counting --


cdef struct BitCounter:
    uint64_t added  # chunks so far; words wait at the levels of its set bits
    uint64_t[LEVELS][CHUNK] sums  # digit k of the count of each bit
    uint64_t[LEVELS][CHUNK] waiting  # further words of the same weight


cdef void add(BitCounter *counter, const uint64_t *words) noexcept nogil:
    """Count the set bits of a chunk, all positions at once, with full adders.

    Each level combines three numbers of one weight into one of the next level, so a chunk takes
    two additions on average.
    """
    cdef uint64_t[CHUNK] carry
    cdef uint64_t *sums
    cdef uint64_t *waiting
    cdef uint64_t half
    cdef int level = 0, t
    memcpy(carry, words, sizeof(carry))
    while counter.added >> level & 1:
        sums, waiting = counter.sums[level], counter.waiting[level]
        for t in range(CHUNK):
            half = sums[t] ^ waiting[t]
            waiting[t] = (sums[t] & waiting[t]) | (half & carry[t])
            sums[t] = half ^ carry[t]
        memcpy(carry, waiting, sizeof(carry))
        level += 1
    memcpy(counter.waiting[level], carry, sizeof(carry))
    counter.added += 1


cdef void add_words(const uint64_t *words, int level, int outer, int64_t[::1] sizes) noexcept nogil:
    """Count each set of a chunk 2^level times."""
    cdef int t, size
    cdef uint64_t word
    for t in range(CHUNK):
        word = words[t]
        if word:
            for size in range(7):
                sizes[outer + ones(t) + size] += <int64_t>ones(word & OF_SIZE[size]) << level


cdef void add_sizes(BitCounter *counter, int outer, int64_t[::1] sizes) noexcept nogil:
    """Add a counter to the numbers of sets by size; ``outer`` cells are in every set."""
    cdef int level = 0
    while counter.added >> level:
        add_words(counter.sums[level], level, outer, sizes)
        if counter.added >> level & 1:
            add_words(counter.waiting[level], level, outer, sizes)
        level += 1


def count_sizes(const uint64_t[::1] bad not None, int cells) -> NDArray[np.int64]:
    """Count the sets that are not bad, and the minimal ones among these, by size.

    ``bad`` is closed downward. Returns an array of shape (2, cells + 1).
    """
    cdef Py_ssize_t words = bad.shape[0], start = 0
    cdef int outer, counters = max(1, cells - 2 * CHUNK_CELLS + 1)
    cdef StopToken watch
    cdef Arena arena
    cdef Chunk chunk
    cdef BitCounter *puzzles
    cdef BitCounter *minimal
    check_size(words, cells)
    # Longer than needed, as a small board fills only a part of a chunk.
    cdef int64_t[:, ::1] sizes = np.zeros((2, cells + 2 * CHUNK_CELLS + 1), dtype=np.int64)
    arena_open(&arena, <size_t>-1)
    try:
        # Indexed by the number of cells outside a chunk that are in its sets.
        puzzles = <BitCounter *>arena_take(&arena, counters, sizeof(BitCounter))
        minimal = <BitCounter *>arena_take(&arena, counters, sizeof(BitCounter))
        if arena.refused:
            arena_error(&arena, "counting a bitset")
        watch_start(&watch, INFINITY, RATE)
        with nogil:
            while start < words and not watch_stops(&watch):
                if find_puzzles(&bad[0], start, words, cells, &chunk):
                    outer = ones(start)
                    add(&puzzles[outer], chunk.puzzles)
                    if keep_minimal(&bad[0], start, &chunk):
                        add(&minimal[outer], chunk.minimal)
                start += CHUNK
            for outer in range(counters):
                add_sizes(&puzzles[outer], outer, sizes[0])
                add_sizes(&minimal[outer], outer, sizes[1])
        watch_raise(&watch, None)
    finally:
        arena_close(&arena)
    return np.ascontiguousarray(np.asarray(sizes)[:, : cells + 1])


def first_minimal(const uint64_t[::1] bad not None, int cells, int size) -> int:
    """Return the first minimal set of ``size`` cells that is not bad, or -1."""
    cdef Py_ssize_t words = bad.shape[0], start = -CHUNK
    cdef int t, inner, bit
    cdef int64_t found = -1
    cdef uint64_t word
    cdef StopToken watch
    cdef Chunk chunk
    check_size(words, cells)
    watch_start(&watch, INFINITY, RATE)
    with nogil:
        while found < 0 and start + CHUNK < words and not watch_stops(&watch):
            start += CHUNK
            if not find_puzzles(&bad[0], start, words, cells, &chunk):
                continue
            if not keep_minimal(&bad[0], start, &chunk):
                continue
            for t in range(CHUNK):
                inner = size - ones(start + t)
                word = chunk.minimal[t] & OF_SIZE[inner] if 0 <= inner <= 6 else 0
                if word:
                    bit = 0
                    while not word >> bit & 1:
                        bit += 1
                    found = (start + t) * 64 + bit
                    break
    watch_raise(&watch, None)
    return found


cdef inline bint is_marked(const uint64_t *bad, uint32_t mask) noexcept nogil:
    return bad[mask >> 6] >> (mask & 63) & 1


def count_fixed(
    const uint64_t[::1] bad not None, int cells, const int64_t[::1] orbits not None
) -> NDArray[np.int64]:
    """Like `count_sizes`, but count only unions of ``orbits`` (masks)."""
    cdef Py_ssize_t number = orbits.shape[0], words = bad.shape[0], k
    cdef int64_t step
    cdef uint32_t mask = 0
    cdef int cell, size, orbit
    cdef StopToken watch
    check_size(words, cells)
    for k in range(number):
        if not 0 <= orbits[k] < <int64_t>1 << cells:
            raise ValueError("expected masks of cells of the board")
    if number > MOST_CELLS:
        raise ValueError(f"expected at most {MOST_CELLS} orbits, got {number}")
    cdef int64_t[:, ::1] sizes = (result := np.zeros((2, cells + 1), dtype=np.int64))
    watch_start(&watch, INFINITY, RATE)
    with nogil:
        for step in range(<int64_t>1 << number):
            if watch_stops(&watch):
                break
            if step:
                # In Gray code order each set differs from the one before by one orbit.
                orbit = 0
                while not step >> orbit & 1:
                    orbit += 1
                mask ^= <uint32_t>orbits[orbit]
            if is_marked(&bad[0], mask):
                continue
            size = ones(mask)
            sizes[0, size] += 1
            for cell in range(cells):
                if mask >> cell & 1 and not is_marked(&bad[0], mask ^ <uint32_t>1 << cell):
                    break
            else:
                sizes[1, size] += 1
    watch_raise(&watch, None)
    return result


# ---- Loops ---------------------------------------------------------------------------------------
#
# The families of a layer's states, from those of the layer behind it.

def families_of_layer(
    Nodes sets not None,
    const int32_t[:, ::1] children not None,
    const uint8_t[:, ::1] differing not None,
    int variable,
    const int32_t[::1] families not None,
    int32_t own,
) -> NDArray[np.int32]:
    """Return the family of minimal differences beyond each state of a layer.

    ``children`` has rows of indices into ``families``, or -1. Where ``differing`` is set, the cell
    ``variable`` differs as well. Sets that contain a set of the family ``own`` are omitted.
    Raises ``ValueError`` for arrays that do not fit, and `MemoryLimit`.
    """
    cdef Zdd *z = &sets.z
    cdef Py_ssize_t size = children.shape[0], state
    cdef int32_t family = 0, other, child
    cdef int place, most = children.shape[1]
    if differing.shape[0] != size or differing.shape[1] != most:
        raise ValueError("expected one flag for each child")
    for state in range(size):
        for place in range(most):
            if not -1 <= children[state, place] < families.shape[0]:
                raise ValueError("expected children among the families")
            if differing[state, place] and not 0 <= variable < z.variables:
                raise ValueError(f"no variable {variable} among {z.variables}")
    cdef int32_t[::1] found = (result := np.zeros(size, dtype=np.int32))
    sets.begin_operations()
    try:
        sets.check_nodes(families)
        sets.check_node(own)
        with nogil:
            for state in range(size):
                family = 0
                for place in range(most):
                    child = children[state, place]
                    if child < 0:
                        continue
                    other = families[child]
                    if differing[state, place]:
                        other = apply(z, ATTACH, other, variable)
                    family = apply(z, MINIMAL_UNION, family, other)
                family = apply(z, WITHOUT_SUPERSETS, family, own)
                if family == NO_NODE:
                    break
                found[state] = family
        sets.check()
    finally:
        sets.end()
    return result


# ---- Pairs ---------------------------------------------------------------------------------------
#
# Take one step of the pass over all path systems of a board, by the pairs of cells they join.
#
# The step is that of `linkoracle.frontier.pass_kernel` with named ends. Each state has two families of
# sets of pairs, the pairs joined so far. A set is in ``reached`` if a valid path system reaches the
# state with it. It is in ``ambiguous`` if several do, or an invalid one. At the end, the sets in
# ``reached`` and not in ``ambiguous`` are joined in exactly one way.
#
# Source of the method: Yoshinaka et al., *Finding All Solutions and Instances of Numberlink and
# Slitherlink by ZDDs*, Algorithms 5(2), 2012.

cdef enum:
    STATES_AT_FIRST = 1 << 10


cdef struct Families:
    int32_t reached  # the sets with which a valid path system reaches a state
    int32_t ambiguous  # those of several path systems, or of an invalid one


cdef inline int variable_of(int one, int other, int cells) noexcept nogil:
    """Return the variable of a pair. Pairs joined late have small variables."""
    return (cells - 1 - max(one, other)) * cells + min(one, other)


cdef bint enter(
    Zdd *z, Store *store, uint64_t state, int32_t reached, int32_t ambiguous
) noexcept nogil:
    """Add two families to those of a state; return False if stopped."""
    cdef bint fresh = False
    cdef int32_t both
    cdef size_t index
    cdef Families *after
    if not store_reserve(store, 1, &z.watch):
        return False
    index = store_insert(store, &state, 1, store_place(store, &state), &fresh)
    after = <Families *>store_payload(store, &store.after, index)
    if not fresh:
        # Several path systems reach the state.
        both = apply(z, INTERSECTION, reached, after.reached)
        ambiguous = apply(z, UNION, ambiguous, after.ambiguous)
        ambiguous = apply(z, UNION, ambiguous, both)
        reached = apply(z, UNION, reached, after.reached)
    after.reached, after.ambiguous = reached, ambiguous
    return reached != NO_NODE and ambiguous != NO_NODE


cdef bint expand(
    Zdd *z, Store *store, Spec *spec, Vertex *v, uint64_t state, Families known, bint covering
) noexcept nogil:
    """Take all decisions at a state with the families ``known``; return False if stopped."""
    cdef int decision, pair
    cdef int32_t reached, ambiguous
    cdef uint64_t rest, child = 0
    cdef View view
    # The model has no local constraints, so there are no registers.
    view.entries = NULL
    if not look(spec, v, &state, &rest, &view, 1):
        return True
    for decision in range(v.step.num_choices):
        if not view.choices >> decision & 1 or watch_stops(&z.watch):
            continue
        spec.joined[0] = NOTHING
        if decide(spec, v, &view, decision, &rest, &child, 1) == REFUSED:
            continue
        reached, ambiguous = known.reached, known.ambiguous
        if spec.joined[0] != NOTHING:
            pair = variable_of(spec.joined[0], spec.joined[1], spec.num_steps)
            reached = apply(z, ATTACH, reached, pair)
            ambiguous = apply(z, ATTACH, ambiguous, pair)
        if covering and view.code == EMPTY and v.choices[decision].first == NOTHING:
            ambiguous = apply(z, UNION, reached, ambiguous)
            reached = 0
        if not enter(z, store, child, reached, ambiguous):
            return False
    return True


def advance(
    Nodes sets not None,
    Pass plan not None,
    const uint64_t[::1] states not None,
    const int32_t[:, ::1] families not None,
    int step,
    bint covering,
    size_t memory,
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Decide one cell; return the states after it, ascending, and their families.

    ``plan`` is a pass with named ends over a blank board; only its tables are used. ``families``
    has a row (reached, ambiguous) for each of ``states``, and so has the result. With ``covering``
    a path system with an empty cell is invalid. Raises ``ValueError`` for invalid states, and
    `MemoryLimit` if the states or the nodes need more than ``memory`` bytes.
    """
    cdef Py_ssize_t size = states.shape[0], index
    cdef int slot, code, marked, named
    cdef Spec spec = plan.spec[0]
    cdef Vertex v
    cdef Families known
    cdef Arena arena
    cdef Store store
    if spec.words != 1 or spec.pairs != spec.num_steps or spec.most_touches:
        raise ValueError("expected a pass over a small board, with named ends and no rule")
    if not 0 <= step < spec.num_steps:
        raise ValueError("expected a cell of the board")
    if families.shape[0] != size or families.shape[1] != 2:
        raise ValueError("expected two families for each state")
    if sets.z.variables < spec.num_steps * spec.num_steps:
        raise ValueError("expected a variable for each two cells")
    # Codes from ``marked`` on are those of terminals, and the board has none.
    marked, named = FIRST_SLOT + spec.num_slots, FIRST_SLOT + 2 * spec.num_slots
    for index in range(size):
        for slot in range(spec.num_slots):
            code = code_at(&spec, &states[index], slot)
            if marked <= code < named or code >= named + spec.pairs:
                raise ValueError("expected states of this board")
    v = vertex_at(&spec, step)
    arena_open(&arena, memory)
    try:
        # A state is one word, and its two families are a second word.
        if not store_open(&store, &arena, 1, 1, STATES_AT_FIRST) or not store_begin(&store, 0):
            arena_error(&arena, "the pass over the cells")
        sets.begin_operations()
        try:
            for index in range(size):
                sets.check_node(families[index, 0])
                sets.check_node(families[index, 1])
            with nogil:
                for index in range(size):
                    known.reached, known.ambiguous = families[index, 0], families[index, 1]
                    if not expand(&sets.z, &store, &spec, &v, states[index], known, covering):
                        break
            sets.check()
        finally:
            sets.end()
        if arena.refused:
            arena_error(
                &arena, f"cell {step + 1} of {spec.num_steps}, with {store.after.count} states,"
            )
        return arrays_of(&store)
    finally:
        arena_close(&arena)


cdef object arrays_of(Store *store):
    """Return the states after the step and their families, by the value of the state.

    States with similar fields lead to the same states with similar families. In this order they
    are united sooner: 5 x 5 cells take two thirds of the time.
    """
    cdef size_t index
    cdef Families *known
    states = np.empty(store.after.count, dtype=np.uint64)
    families = np.empty((store.after.count, 2), dtype=np.int32)
    cdef uint64_t[::1] to_states = states
    cdef int32_t[:, ::1] to_families = families
    for index in range(store.after.count):
        to_states[index] = store_record(store, &store.after, index)[0]
        known = <Families *>store_payload(store, &store.after, index)
        to_families[index, 0], to_families[index, 1] = known.reached, known.ambiguous
    order = np.argsort(states)
    return states[order], families[order]


def pair_variable(int one, int other, int cells) -> int:
    """Return the variable of a pair of cells, given the number of cells."""
    if not (0 <= one < cells and 0 <= other < cells):
        raise ValueError(f"expected two of {cells} cells, got {one} and {other}")
    return variable_of(one, other, cells)
