"""Where the clues of rules stand on a board: the loops of `linkoracle.deduce.instances`."""

import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

from linkoracle.core.watch cimport Watch, watch_raise, watch_start, watch_stops

cdef enum:
    RATE = 2048  # positions tried from one look at the clock to the next
    NO_PLACE = -1
    MOST_CELLS = 1 << 28  # of a board, so that numbers of literals fit


cdef struct Deck:
    const int64_t *heads  # rule, kind, and the corners of the window, of each position
    const int64_t *clues  # row, col, value of its clues behind the anchor; a value below 0 ends
    const int64_t *premises  # down, row, col, cross of its edges; below 0 ends
    const int64_t *conclusions
    Py_ssize_t clue_width  # entries a position
    Py_ssize_t premise_width
    Py_ssize_t conclusion_width


cdef struct Board:
    const int64_t *clues  # values, below 0 for none
    const int32_t *right  # edges of each dot, -1 for none
    const int32_t *down
    const int64_t *ends  # dots that no rule may be laid over
    Py_ssize_t rows  # of cells
    Py_ssize_t cols
    Py_ssize_t num_ends


cdef bint stands(Deck *deck, Board *board, int64_t position, int64_t row, int64_t col) noexcept nogil:
    """Whether the other clues of a position stand where its anchor's place asks for them."""
    cdef const int64_t *asked = deck.clues + 3 * position * deck.clue_width
    cdef int64_t r, c
    while asked[2] >= 0:
        r, c = row + asked[0], col + asked[1]
        if not (0 <= r < board.rows and 0 <= c < board.cols):
            return False
        if board.clues[r * board.cols + c] != asked[2]:
            return False
        asked += 3
    return True


cdef int write_literals(
    const int64_t *parts, Board *board, int64_t row, int64_t col, int32_t *found
) noexcept nogil:
    """Write literals; return how many, `NO_PLACE` if a line would leave the board."""
    cdef int64_t r, c, edge
    cdef int size = 0
    while parts[0] >= 0:
        r, c, edge = row + parts[1], col + parts[2], -1
        if 0 <= r <= board.rows and 0 <= c <= board.cols:
            edge = (board.down if parts[0] else board.right)[r * (board.cols + 1) + c]
        if edge >= 0:
            found[size] = <int32_t>(2 * edge + parts[3])
            size += 1
        elif parts[3] == 0:
            return NO_PLACE
        parts += 4
    found[size] = -1
    return size


cdef bint is_free(const int64_t *head, Board *board, int64_t row, int64_t col) noexcept nogil:
    """Whether the window of a position has no dot that is an end."""
    cdef Py_ssize_t k
    cdef int64_t r, c
    for k in range(board.num_ends):
        r, c = board.ends[2 * k] - row, board.ends[2 * k + 1] - col
        if head[2] <= r <= head[4] and head[3] <= c <= head[5]:
            return False
    return True


cdef int check_parts(const int64_t[:, :, ::1] parts, Py_ssize_t size, int numbers, int at) except -1:
    """Rows of numbers for each position, the last of them one that ends."""
    cdef Py_ssize_t position, last = parts.shape[1] - 1, k
    if parts.shape[0] != size or parts.shape[2] != numbers or last < 0:
        raise ValueError("expected rows for each position")
    for position in range(size):
        if parts[position, last, at] >= 0:
            raise ValueError("expected rows that end")
        for k in range(last):
            if numbers == 4 and parts[position, k, 0] >= 0 and not 0 <= parts[position, k, 3] <= 1:
                raise ValueError("expected lines and crosses")
    return 0


cdef int check_room(
    int32_t[:, ::1] given, Py_ssize_t room, const int64_t[:, :, ::1] parts
) except -1:
    if given.shape[0] != room or given.shape[1] != parts.shape[1]:
        raise ValueError("expected room for what a place asks and says")
    return 0


cdef firsts(
    const int64_t[:, ::1] heads,
    const int64_t[::1] start,
    const int64_t[::1] order,
    int64_t rules,
):
    """Where the positions of each rule begin in the order, by value: ``value * (rules + 1) + rule``."""
    cdef Py_ssize_t values = start.shape[0] - 1, value, position
    cdef int64_t rule, index
    for position in range(heads.shape[0]):
        if not (heads[position - 1, 0] if position else 0) <= heads[position, 0] < rules:
            raise ValueError("expected positions in the order of the rules")
    if rules > heads.shape[0]:
        raise ValueError("expected rules without gaps")
    found = np.empty(values * (rules + 1), dtype=np.int64)
    cdef int64_t[::1] first = found
    for value in range(values):
        index = start[value]
        for rule in range(rules + 1):
            while index < start[value + 1] and heads[order[index], 0] < rule:
                index += 1
            first[value * (rules + 1) + rule] = index
        for index in range(start[value] + 1, start[value + 1]):
            if order[index] <= order[index - 1]:
                raise ValueError("expected an order of positions")
    return found


def lay(
    const int64_t[:, ::1] heads not None,
    const int64_t[::1] start not None,
    const int64_t[::1] order not None,
    const int64_t[:, :, ::1] clues not None,
    const int64_t[:, :, ::1] premises not None,
    const int64_t[:, :, ::1] conclusions not None,
    const int64_t[:, ::1] board not None,
    const int32_t[:, ::1] right not None,
    const int32_t[:, ::1] down not None,
    const int64_t[:, ::1] ends not None,
    int32_t[:, ::1] places not None,
    int32_t[:, ::1] asks not None,
    int32_t[:, ::1] if_literals not None,
    int32_t[:, ::1] then_literals not None,
):
    """Find every place of every rule, in their order, and fill the last four arrays as far as they
    reach.

    The first six are those of `linkoracle.deduce.instances.Deck`, ``board`` rows of clues.
    ``places`` receives the rule, the kind, the anchor, and how many clues are asked for; ``asks``
    their faces; the other two the literals of premises and conclusions; -1 ends each row. Returns
    how many places there are. Raises ``ValueError`` for arrays that do not belong together.
    """
    cdef Py_ssize_t positions = heads.shape[0], room = places.shape[0], row, col, k
    cdef int64_t value, index, position, found = 0, at, anchor, rule, rules
    cdef Deck deck
    cdef Board b
    cdef Watch watch
    if heads.shape[1] != 6 or positions < 1 or start.shape[0] < 1 or order.shape[0] != positions:
        raise ValueError("expected six numbers for each position, and their order")
    for k in range(positions):
        if not 0 <= order[k] < positions:
            raise ValueError("expected an order of positions")
    for k in range(start.shape[0]):
        if not (start[k - 1] if k else 0) <= start[k] <= positions:
            raise ValueError("expected where each value begins in the order")
    rules = heads[positions - 1, 0] + 1
    cdef const int64_t[::1] first = firsts(heads, start, order, rules)
    check_parts(clues, positions, 3, 2)
    check_parts(premises, positions, 4, 0)
    check_parts(conclusions, positions, 4, 0)
    b.rows, b.cols, b.num_ends = board.shape[0], board.shape[1], ends.shape[0]
    if b.rows < 1 or b.cols < 1 or b.rows > MOST_CELLS // b.cols:
        raise ValueError("expected rows of clues")
    if (right.shape[0], right.shape[1]) != (b.rows + 1, b.cols + 1):
        raise ValueError("expected an edge to the right of each dot")
    if (down.shape[0], down.shape[1]) != (b.rows + 1, b.cols + 1):
        raise ValueError("expected an edge down from each dot")
    for row in range(b.rows):
        for col in range(b.cols):
            if board[row, col] >= start.shape[0] - 1:
                raise ValueError("expected clues that rules know")
    if ends.shape[1] != 2 or places.shape[1] != 4 or room < 1:
        raise ValueError("expected dots, and room for places")
    check_room(asks, room, clues)
    check_room(if_literals, room, premises)
    check_room(then_literals, room, conclusions)
    deck.heads, deck.clues = &heads[0, 0], &clues[0, 0, 0]
    deck.premises, deck.conclusions = &premises[0, 0, 0], &conclusions[0, 0, 0]
    deck.clue_width, deck.premise_width = clues.shape[1], premises.shape[1]
    deck.conclusion_width = conclusions.shape[1]
    b.clues, b.right, b.down = &board[0, 0], &right[0, 0], &down[0, 0]
    b.ends = &ends[0, 0] if b.num_ends else NULL
    watch_start(&watch, INFINITY, RATE)
    with nogil:
        # In the order of the rules, so that the first of two gets the step.
        for rule in range(rules):
            for row in range(b.rows):
                for col in range(b.cols):
                    value = board[row, col]
                    if value < 0:
                        continue
                    for index in range(
                        first[value * (rules + 1) + rule], first[value * (rules + 1) + rule + 1]
                    ):
                        if watch_stops(&watch):
                            break
                        position = order[index]
                        if not stands(&deck, &b, position, row, col):
                            continue
                        # What is no place after all is overwritten by the next.
                        at = found if found < room else 0
                        if write_literals(
                            deck.premises + 4 * position * deck.premise_width,
                            &b,
                            row,
                            col,
                            &if_literals[at, 0],
                        ) < 0:
                            continue
                        if write_literals(
                            deck.conclusions + 4 * position * deck.conclusion_width,
                            &b,
                            row,
                            col,
                            &then_literals[at, 0],
                        ) < 1:
                            continue
                        if not is_free(deck.heads + 6 * position, &b, row, col):
                            continue
                        found += 1
                        anchor = row * b.cols + col
                        places[at, 0], places[at, 1] = <int32_t>rule, <int32_t>heads[position, 1]
                        places[at, 2] = asks[at, 0] = <int32_t>anchor
                        k = 0
                        while clues[position, k, 2] >= 0:
                            asks[at, k + 1] = <int32_t>(
                                anchor + clues[position, k, 0] * b.cols + clues[position, k, 1]
                            )
                            k += 1
                        places[at, 3] = <int32_t>(k + 1)
                        for k in range(k + 1, asks.shape[1]):
                            asks[at, k] = -1
    watch_raise(&watch, None)
    return found


def by_key(
    const int32_t[:, ::1] rows not None, const int64_t[::1] offsets not None, Py_ssize_t size
):
    """An index of rows of numbers, each up to the first that is negative, as ``(start, found)``.

    A number plus the offset of its row is a key; ``found[start[key]:start[key + 1]]`` are the rows
    that have it, in their order. Raises ``ValueError`` for a key that is not from 0 to ``size`` - 1.
    """
    cdef Py_ssize_t row, k, key
    cdef int64_t number, total = 0
    if offsets.shape[0] != rows.shape[0] or size < 0:
        raise ValueError("expected an offset for each row")
    starts = np.zeros(size + 2, dtype=np.int64)
    # Where the rows of the key before begin; after all are entered, where those of the key do.
    cdef int64_t[::1] start = starts
    for row in range(rows.shape[0]):
        if not 0 <= offsets[row] < size:
            raise ValueError(f"expected keys less than {size}")
        for k in range(rows.shape[1]):
            number = rows[row, k]
            if number < 0:
                break
            if number >= size - offsets[row]:
                raise ValueError(f"expected keys less than {size}")
            start[offsets[row] + number + 2] += 1
            total += 1
    for key in range(size):
        start[key + 2] += start[key + 1]
    founds = np.empty(total, dtype=np.int64)
    cdef int64_t[::1] found = founds
    for row in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            number = rows[row, k]
            if number < 0:
                break
            key = offsets[row] + number + 1
            found[start[key]] = row
            start[key] += 1
    return starts[: size + 1], founds
