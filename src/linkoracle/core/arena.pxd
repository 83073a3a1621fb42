"""Memory of a kernel: taken in blocks, counted against a limit, and all released at once.

An object that has a kernel's memory has one `Arena`, which its ``__dealloc__`` frees. Every block
is an allocation of its own, so that an address sanitizer sees where it ends.
"""

from libc.stddef cimport size_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset


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
