"""What every kernel uses: memory, lists, words, and a look at the clock.

Contents
    Memory  an `Arena`: blocks that are counted against a limit, and released at once
    Lists   an `Index`: which items belong to each key
    Words   bits of a word, and whole numbers of several words
    Watch   a `StopToken`: when a kernel must stop, at a moment or because of Ctrl-C
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset


# ---- Memory --------------------------------------------------------------------------------------
#
# Memory of a kernel: taken in blocks, counted against a limit, and all released at once.
#
# An object that has a kernel's memory has one `Arena`, which its ``__dealloc__`` frees. Every block
# is an allocation of its own, so that an address sanitizer sees where it ends.

cdef struct Block:
    Block *previous  # the one taken before, or NULL
    Block *following  # the one taken after, or NULL
    size_t size  # bytes, this head included
    size_t unused  # what is taken begins at a multiple of 16 bytes


cdef struct Arena:
    Block *last  # the block taken last, or NULL
    size_t used  # bytes in all blocks
    size_t limit  # bytes that may be in them
    bint refused  # whether the limit, or the machine, has refused a block


cdef inline void arena_open(Arena *arena, size_t limit) noexcept nogil:
    arena.last = NULL
    arena.used = 0
    arena.limit = limit
    arena.refused = False


cdef inline size_t arena_size(size_t count, size_t size) noexcept nogil:
    """Bytes of a block for ``count`` items, 0 if that is no size."""
    if size and count > (<size_t>-1 - sizeof(Block)) // size:
        return 0
    return sizeof(Block) + count * size


cdef inline void *arena_take(Arena *arena, size_t count, size_t size) noexcept nogil:
    """Zeros for ``count`` items of ``size`` bytes; NULL, and ``refused``, if that is too much."""
    cdef size_t needed = arena_size(count, size)
    cdef Block *block
    if needed == 0 or needed > arena.limit - arena.used:
        arena.refused = True
        return NULL
    block = <Block *>calloc(1, needed)
    if block == NULL:
        arena.refused = True
        return NULL
    block.previous = arena.last
    block.size = needed
    if arena.last != NULL:
        arena.last.following = block
    arena.last = block
    arena.used += needed
    return block + 1


cdef inline void *arena_copy(
    Arena *arena, const void *items, size_t count, size_t size
) noexcept nogil:
    """A copy of ``count`` items; NULL, and ``refused``, if that is too much."""
    cdef void *made = arena_take(arena, count, size)
    if made != NULL and count:
        memcpy(made, items, count * size)
    return made


cdef inline void *arena_resize(Arena *arena, void *taken, size_t count, size_t size) noexcept nogil:
    """Room for ``count`` items where ``taken`` was, which is kept; what is new is undefined.

    NULL, and ``refused``, if that is too much: then ``taken`` is as it was. The limit must hold
    while both stand, because moving a block needs both.
    """
    if taken == NULL:
        return arena_take(arena, count, size)
    cdef Block *block = <Block *>taken - 1
    cdef size_t before = block.size
    cdef size_t needed = arena_size(count, size)
    if needed == 0 or needed > arena.limit - arena.used:
        arena.refused = True
        return NULL
    cdef Block *moved = <Block *>realloc(block, needed)
    if moved == NULL:
        arena.refused = True
        return NULL
    moved.size = needed
    arena.used = arena.used - before + needed
    if moved.previous != NULL:
        moved.previous.following = moved
    if moved.following != NULL:
        moved.following.previous = moved
    else:
        arena.last = moved
    return moved + 1


cdef inline void *arena_grow(Arena *arena, void *taken, size_t count, size_t size) noexcept nogil:
    """As `arena_resize`, but what is new is zeros."""
    cdef size_t before = 0 if taken == NULL else (<Block *>taken - 1).size
    cdef void *moved = arena_resize(arena, taken, count, size)
    cdef size_t needed = arena_size(count, size)
    if moved != NULL and taken != NULL and needed > before:
        memset(<char *>(<Block *>moved - 1) + before, 0, needed - before)
    return moved


cdef inline void arena_release(Arena *arena, void *taken) noexcept nogil:
    """Free one block before the others. Nothing happens for NULL."""
    if taken == NULL:
        return
    cdef Block *block = <Block *>taken - 1
    if block.previous != NULL:
        block.previous.following = block.following
    if block.following != NULL:
        block.following.previous = block.previous
    else:
        arena.last = block.previous
    arena.used -= block.size
    free(block)


cdef inline void arena_close(Arena *arena) noexcept nogil:
    """Free everything."""
    cdef Block *previous
    while arena.last != NULL:
        previous = arena.last.previous
        free(arena.last)
        arena.last = previous
    arena.used = 0


cdef inline int arena_error(Arena *arena, str what) except -1:
    """Raise `MemoryLimit`: ``what`` needs more than the limit."""
    from linkoracle.core.errors import MemoryLimit, shown_size

    raise MemoryLimit(f"{what} needs more than the {shown_size(arena.limit)} allowed")


# ---- Lists ---------------------------------------------------------------------------------------
#
# Lists by key, one behind the other: which items belong to each key.
#
# `Index.start` is zeros at first, two more than there are keys. Call `count_item` for each pair of
# a key and an item that belongs to it, `place_items` once, and `add_item` for each such pair again.
# Then the items of a key are ``found[start[key]]`` up to ``found[start[key + 1]]``, in the order in
# which they were added.

cdef struct Index:
    int32_t *start
    int32_t *found


cdef inline void count_item(Index *index, int64_t key) noexcept nogil:
    index.start[key + 2] += 1


cdef inline int32_t place_items(Index *index, int64_t keys) noexcept nogil:
    """Find where the items of each key begin; how many items there are."""
    cdef int64_t key
    for key in range(keys):
        index.start[key + 2] += index.start[key + 1]
    return index.start[keys + 1]


cdef inline void add_item(Index *index, int64_t key, int32_t item) noexcept nogil:
    # Until all are added, a list begins where `start` has the next one.
    index.found[index.start[key + 1]] = item
    index.start[key + 1] += 1


# ---- Words ---------------------------------------------------------------------------------------
#
# The bits of a word, and whole numbers of several 64-bit words, *limbs*, the lowest first.

cdef inline int bits_set(uint64_t word) noexcept nogil:
    """How many bits of a word are 1."""
    cdef int number = 0
    while word:
        word &= word - 1
        number += 1
    return number


cdef inline uint64_t limbs_add(uint64_t *total, const uint64_t *number, int limbs) noexcept nogil:
    """Add ``number`` to ``total``; return the carry, 0 or 1, out of the last limb."""
    cdef uint64_t carry = 0, part, summed
    cdef int k
    for k in range(limbs):
        part = number[k] + carry
        # At most one of the two additions overflows: the first only if it gives 0.
        summed = total[k] + part
        carry = (part < carry) | (summed < part)
        total[k] = summed
    return carry


cdef inline int limbs_bits(const uint64_t *number, int limbs) noexcept nogil:
    """Bits of ``number``: the least b with ``number < 2**b``."""
    cdef int bits = 64 * limbs
    while bits > 0 and not number[(bits - 1) >> 6] >> ((bits - 1) & 63) & 1:
        bits -= 1
    return bits


# ---- Watch ---------------------------------------------------------------------------------------
#
# When a kernel must stop: at a moment, or because of Ctrl-C.
#
# A kernel without the interpreter's lock calls `watch_stops` repeatedly, at least every few
# microseconds. Most calls only count down. Some read the clock, and every few milliseconds one
# takes the lock and lets Python handle signals, as `PyErr_CheckSignals` asks of work that takes
# long (https://docs.python.org/3/c-api/exceptions.html#c.PyErr_CheckSignals).

cdef extern from "Python.h":
    # Not from cpython.exc, where it raises: what a handler has raised must stay set.
    int PyErr_CheckSignals() noexcept

cdef extern from * nogil:
    """
    #ifdef _WIN32
    #include <windows.h>
    static double linkoracle_seconds(void) {
        LARGE_INTEGER ticks, rate;
        QueryPerformanceCounter(&ticks);
        QueryPerformanceFrequency(&rate);
        return (double)ticks.QuadPart / (double)rate.QuadPart;
    }
    #else
    #include <time.h>
    static double linkoracle_seconds(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    #endif
    """
    double linkoracle_seconds()

cdef enum Stopped:
    GOES_ON  # it need not stop
    OUT_OF_TIME  # the moment has come
    INTERRUPTED  # a signal handler raised an exception, which is set


cdef struct StopToken:
    double until  # the moment, in seconds of a steady clock
    double signals  # when Python handles signals again
    int rate  # calls from one look at the clock to the next
    int calls  # calls until the next one
    Stopped why  # why it must stop, if it must


cdef inline void watch_start(StopToken *watch, double seconds, int rate) noexcept nogil:
    """Begin work with a time limit in seconds, infinite for none.

    The clock is read once in ``rate`` calls: these should take 0.1 to 1 ms.
    """
    cdef double now = linkoracle_seconds()
    watch.until = now + seconds
    watch.signals = now + 0.005
    watch.rate = rate
    watch.calls = rate
    watch.why = GOES_ON


cdef inline bint watch_looks(StopToken *watch) noexcept nogil:
    """The part of `watch_stops` that reads the clock."""
    cdef double now = linkoracle_seconds()
    watch.calls = watch.rate
    if now >= watch.until:
        watch.why = OUT_OF_TIME
    elif now >= watch.signals:
        with gil:
            if PyErr_CheckSignals() < 0:
                watch.why = INTERRUPTED
        watch.signals = linkoracle_seconds() + 0.005
    return watch.why != GOES_ON


cdef inline bint watch_stops(StopToken *watch) noexcept nogil:
    """Whether to stop now; once true, it stays true."""
    if watch.why != GOES_ON:
        return True
    watch.calls -= 1
    return watch.calls <= 0 and watch_looks(watch)


cdef inline int watch_raise(StopToken *watch, object deadline) except -1:
    """After the work, with the lock: raise what stopped it, if anything did.

    ``deadline`` is the `linkoracle.core.limits.Deadline` that gave the seconds; it raises the
    `SearchTimeout`.
    """
    if watch.why == INTERRUPTED:
        return -1
    while watch.why == OUT_OF_TIME:
        # Until it raises: Python's clock may tick less often than the one here.
        deadline.check()
    return 0
