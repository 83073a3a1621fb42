"""Many flips of single cells, for shapes: the inner loops of `mixing` and of `shapes.two_colour`.

A board is a `linkoracle.generate.colouring.Colouring`: cells with a ring of one around them. Random
numbers come from ``random``, the method of the caller's generator, one at a time and in the order
in which the same loop in Python would draw them.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport exp
from libc.stddef cimport size_t
from libc.stdint cimport uint8_t

from linkoracle.core.arena cimport Arena, arena_close, arena_error, arena_open, arena_take
from linkoracle.generate.mending_board cimport Board, can_flip, count, lay_out

cdef enum:
    RING = 1  # cells around the board
    CHECKED = 1 << 14  # flips tried between two looks at signals


cdef int attach(
    Board *b, uint8_t[::1] colour, const uint8_t[::1] simple, int rows, int cols
) except -1:
    """Make ``b`` a board of these colours. Raises ``ValueError`` for arrays of another size."""
    cdef int k
    lay_out(b, rows, cols, RING, simple)
    if colour.shape[0] != b.size:
        raise ValueError("expected a colour for each cell of the board and of its ring")
    b.colour = &colour[0]
    for k in range(b.size):
        if colour[k] > 1:
            raise ValueError(f"expected colours 0 and 1, got {colour[k]}")
    return 0


cdef inline int cell_at(Board *b, int face) noexcept nogil:
    return b.origin + face // b.cols * b.step + face % b.cols


cdef inline bint is_on_board(Board *b, int cell) noexcept nogil:
    cdef int row = cell // b.step, col = cell % b.step
    return 0 < row <= b.rows and 0 < col <= b.cols


cdef inline int drawn(object random, int bound) except -1:
    cdef double number = random()
    if not 0 <= number < 1:
        raise ValueError(f"expected random numbers from 0 to 1, got {number}")
    return <int>(number * bound)


def stir(
    uint8_t[::1] colour not None,
    const uint8_t[::1] simple not None,
    int rows,
    int cols,
    const double[::1] worth not None,
    Py_ssize_t tries,
    random,
):
    """What `linkoracle.generate.mixing.stir` does, on the colours of a board and of its ring."""
    cdef Board b
    cdef Py_ssize_t number
    cdef int cell, beside, edges, old, side
    cdef double gain
    attach(&b, colour, simple, rows, cols)
    if worth.shape[0] != 5:
        raise ValueError("expected a worth for each number from 0 to 4")
    for number in range(tries):
        if not number % CHECKED:
            PyErr_CheckSignals()
        cell = cell_at(&b, drawn(random, rows * cols))
        edges = count(&b, cell)
        # Without a line around it, or with four, no cell can flip.
        if not 0 < edges < 4 or not can_flip(&b, cell):
            continue
        gain = worth[4 - edges] - worth[edges]
        for side in range(0, 8, 2):
            beside = cell + b.around[side]
            if is_on_board(&b, beside):
                old = count(&b, beside)
                gain += worth[old + (1 if colour[beside] == colour[cell] else -1)] - worth[old]
        if gain >= 0 or <double>random() < exp(gain):
            colour[cell] ^= 1


def settle(
    uint8_t[::1] colour not None,
    const uint8_t[::1] may_flip not None,
    int rows,
    int cols,
    random,
):
    """Flip cells in random order while ``may_flip`` has one for the pattern of the eight around.

    After each flip, the cells around it may have their turn again.
    """
    cdef Board b
    cdef Arena arena
    cdef int *waiting
    cdef uint8_t *waits
    cdef int k, cell, beside, place, left
    cdef Py_ssize_t number = 0
    attach(&b, colour, may_flip, rows, cols)
    arena_open(&arena, <size_t>-1)
    try:
        waiting = <int *>arena_take(&arena, rows * cols, sizeof(int))
        waits = <uint8_t *>arena_take(&arena, b.size, 1)
        if arena.refused:
            arena_error(&arena, "flipping the cells of a board")
        left = rows * cols
        for k in range(left):
            waiting[k] = cell_at(&b, k)
            waits[waiting[k]] = 1
        while left:
            if not number % CHECKED:
                PyErr_CheckSignals()
            number += 1
            place = drawn(random, left)
            cell = waiting[place]
            left -= 1
            waiting[place] = waiting[left]
            waits[cell] = 0
            if can_flip(&b, cell):
                colour[cell] ^= 1
                for k in range(8):
                    beside = cell + b.around[k]
                    if is_on_board(&b, beside) and not waits[beside]:
                        waits[beside] = 1
                        waiting[left] = beside
                        left += 1
    finally:
        arena_close(&arena)
