"""One step of the frontier pass over taut solutions: see `taut`, and `docs/taut.md` for the terms.

**A state** stands between two vertices, as in `plan`. Every column has a field for the vertex on
the frontier there: its *kind*, one of `UNUSED` ... `LABELLED`, the last two of which have the edge
down; the *turn* it made, if it was a corner that hangs on a vertex of the next row; and its
*colour*, equal for two vertices exactly when they are known to be on one path. One more field is
for the edge to the right of the vertex decided last, with two marks (see `_transition`).

Colours 1 ... ``open_codes`` are pairs of which one terminal has been met, under the code that
`taut` gave them. Others are numbered from left to right, so that equal situations are equal
states. When both terminals of a pair have been met, or none has, the name does not matter any
more, or not yet: such a colour stands on two plugs, which are the two ends of one loose piece, or
both `LABELLED` and to be joined. Colour 0 is of no consequence any more.
"""

from __future__ import annotations

import numpy as np
from numba import njit

#: Rows of a state in work: numbers by column.
KIND, TURN, COLOUR = range(3)
UNUSED, PASSED, LOOSE, LABELLED = range(4)
#: Turns that hang on a vertex of the next row: right and down, left and down.
HANGS_RIGHT, HANGS_LEFT = 1, 2

#: Columns of the table of steps, one row a vertex.
COLUMN, PHASE, CODE, MAY_HANG_RIGHT, MAY_HANG_LEFT, UNSEEN, LAST_ROW = range(7)
#: Entries of ``dims``.
WIDTH, OPEN_CODES, FIELD_BITS, FIELDS_A_WORD, WORDS, FRESH = range(6)
#: Guards: which label may enter a vertex. Otherwise 0, none, or the only code that may.
ANY_LABEL = -1
#: No state: the decision cannot be made.
REFUSED = -1

_ZERO, _HALF, _HASH = np.uint64(0), np.uint64(32), np.uint64(0x9E3779B97F4A7C15)


@njit
def _slot(states, index, words):  # type: ignore[no-untyped-def]
    mixed = _ZERO
    for k in range(words):
        mixed = (mixed ^ states[index, k]) * _HASH
        mixed ^= mixed >> _HALF
    mixed *= _HASH
    return np.int64(mixed >> _HALF)


@njit
def _field(states, index, place, dims):  # type: ignore[no-untyped-def]
    bits, a_word = dims[FIELD_BITS], dims[FIELDS_A_WORD]
    word = states[index, place // a_word] >> np.uint64(place % a_word * bits)
    return np.int64(word & np.uint64((1 << bits) - 1))


@njit
def _rename(state, width, old, new, labelled):  # type: ignore[no-untyped-def]
    """Let colour ``old`` be ``new``; its plugs carry a label from now on if ``labelled``."""
    for column in range(width):
        if state[COLOUR, column] == old:
            state[COLOUR, column] = new
            if labelled and state[KIND, column] == LOOSE:
                state[KIND, column] = LABELLED


@njit
def _see(state, first, last, one, other):  # type: ignore[no-untyped-def]
    """Whether two vertices of these colours see each other in a part of one row.

    When the colours become one, the two would be on one path without being joined straight.
    """
    before = 0
    for column in range(first, last):
        if state[KIND, column] != UNUSED:
            colour = state[COLOUR, column]
            if (colour == one and before == other) or (colour == other and before == one):
                return True
            before = colour
    return False


@njit
def _seen_left(state, column):  # type: ignore[no-untyped-def]
    """Colour of the first used vertex to the left in this row, 0 if there is none."""
    for other in range(column - 1, -1, -1):
        if state[KIND, other] != UNUSED:
            return state[COLOUR, other]
    return 0


@njit
def _pass(old, new, column, decision, left, width, fresh):  # type: ignore[no-untyped-def]
    """A path goes through the vertex: make ``new``, return what the edge to the right carries."""
    right = decision >> 1
    up = old[KIND, column] if old[KIND, column] >= LOOSE else 0
    above, beside = old[COLOUR, column], old[COLOUR, column - 1] if left else 0
    if left and up:
        new[KIND, column] = PASSED
        if above == beside:
            if left == LOOSE:
                return REFUSED
            # The two ends of a pair meet.
            _rename(new, width, above, 0, False)
            return 0
        if left == LABELLED and up == LABELLED:
            return REFUSED
        if _see(old, 0, column, above, beside) or _see(old, column, width, above, beside):
            return REFUSED
        if left == LABELLED:
            _rename(new, width, above, beside, True)
        else:
            _rename(new, width, beside, above, up == LABELLED)
        return 0
    if up or left:
        new[COLOUR, column] = above if up else beside
        new[KIND, column] = PASSED if right else up + left
        return up + left if right else 0
    new[COLOUR, column] = fresh
    new[KIND, column] = LOOSE
    return LOOSE


@njit
def _end(old, new, column, decision, left, width, fresh, phase, code):  # type: ignore[no-untyped-def]
    """A path ends at the vertex, a terminal: make ``new`` like `_pass`."""
    right = decision >> 1
    up = old[KIND, column] if old[KIND, column] >= LOOSE else 0
    above, beside = old[COLOUR, column], old[COLOUR, column - 1] if left else 0
    name = code if phase == 1 else fresh
    if left or up:
        entering, colour = (left, beside) if left else (up, above)
        # The vertex above is on this path, or on the other part of it, and not joined with it.
        if left and above and (above == beside or (phase == 2 and above == code)):
            return REFUSED
        new[KIND, column] = PASSED
        if entering == LABELLED:
            if phase == 1 or colour != code or (up and _seen_left(old, column) == code):
                return REFUSED
            _rename(new, width, code, 0, False)
            new[COLOUR, column] = 0
            return 0
        if phase == 2:
            if _see(old, 0, column, colour, code) or _see(old, column, width, colour, code):
                return REFUSED
            _rename(new, width, code, name, True)
        _rename(new, width, colour, name, True)
        new[COLOUR, column] = name
        return 0
    if phase == 2:
        if above == code:
            return REFUSED
        _rename(new, width, code, name, True)
    new[COLOUR, column] = name
    new[KIND, column] = PASSED if right else LABELLED
    return LABELLED if right else 0


@njit
def _chorded(old, new, column, decision, left):  # type: ignore[no-untyped-def]
    """Whether the vertex just decided is beside its own path, or about to be."""
    colour = new[COLOUR, column]
    if not colour:
        return False
    above = old[COLOUR, column]
    if old[KIND, column] < LOOSE and above:
        if above == colour:
            return True
        # The edge to the right meets the path that comes down in the next column.
        if decision >> 1 and old[KIND, column + 1] >= LOOSE and old[COLOUR, column + 1] == above:
            return True
    return not left and _seen_left(new, column) == colour


@njit
def _settle(state, step, column, right, guards, dims, steps, scratch):  # type: ignore[no-untyped-def]
    """Number the colours anew, and say whether the state can still lead to a solution.

    The reasons to give up are *guard*, *meeting*, *stranded* and *crossing*, as `kernel._settle`
    proves them, and one more: a vertex of an open pair's path that is not joined with the pair's
    second terminal must not be beside it.
    """
    width, open_codes, fresh = dims[WIDTH], dims[OPEN_CODES], dims[FRESH]
    last_row = steps[step, LAST_ROW]
    row_start = step - column
    # scratch rows: new number of a colour; whether a loose piece has begun; first and last place
    # and strip of a pair to be joined; strips that enclose the place.
    number, begun, first, last, strip, outer = 0, 1, 2, 3, 4, 5
    for colour in range(fresh + 1):
        scratch[number, colour] = -1
    if right and state[KIND, column + 1] >= LOOSE:
        same = state[COLOUR, column] == state[COLOUR, column + 1]
        both = right == LABELLED and state[KIND, column + 1] == LABELLED
        if (both and not same) or (same and not both):
            return False
    if column + 1 < width:
        guard = guards[step + 1]
        colour = state[COLOUR, column]
        if right == LABELLED and guard != ANY_LABEL and guard != colour:
            return False
        if not right and state[KIND, column] != UNUSED and guard > 0 and guard == colour:
            return False
    labels = loose = pieces = depth = here = 0
    following = open_codes + 1
    for place in range(width + 1):
        if place == column + 1:
            # The edge to the right has the colour of its vertex, which has been renumbered.
            kind, colour = right, state[COLOUR, column]
            if not kind:
                continue
        else:
            at = place if place <= column else place - 1
            kind, colour = state[KIND, at], state[COLOUR, at]
            if not colour:
                continue
            if not (last_row and at <= column):
                guard = guards[row_start + width + at if at <= column else row_start + at]
                if kind == LABELLED:
                    if guard != ANY_LABEL and guard != colour:
                        return False
                elif kind == PASSED and guard > 0 and guard == colour:
                    return False
            if colour > open_codes:
                if scratch[number, colour] < 0:
                    scratch[number, colour] = following
                    scratch[begun, following] = 0
                    scratch[first, following] = scratch[last, following] = -1
                    following += 1
                colour = scratch[number, colour]
                state[COLOUR, at] = colour
        if kind == LOOSE:
            loose += 1
            if scratch[begun, colour]:
                depth -= 1
                here = scratch[outer, depth]
            else:
                scratch[begun, colour] = 1
                pieces += 1
                scratch[outer, depth] = here
                depth += 1
                here = pieces
        elif kind == LABELLED:
            labels += 1
            if colour > open_codes:
                if scratch[first, colour] < 0:
                    scratch[first, colour] = place
                    scratch[strip, colour] = here
                elif scratch[strip, colour] == here:
                    scratch[last, colour] = place
    if loose and not labels and not steps[step, UNSEEN]:
        return False
    for a in range(open_codes + 1, following):
        if scratch[last, a] >= 0:
            for b in range(open_codes + 1, following):
                inside = scratch[first, a] < scratch[first, b] < scratch[last, a]
                beyond = scratch[last, a] < scratch[last, b]
                if inside and beyond and scratch[strip, a] == scratch[strip, b]:
                    return False
    if last_row:
        # Nothing below will ask.
        for at in range(column + 1):
            state[KIND, at] = UNUSED
            if at < column or not right:
                state[COLOUR, at] = 0
    return True


@njit
def _transition(old, new, step, side, decision, guards, dims, steps, scratch):  # type: ignore[no-untyped-def]
    """What ``decision`` makes of a state: fill ``new``, return its last field, or `REFUSED`.

    The last field, ``side``, is the edge to the right (0, `LOOSE` or `LABELLED`), and two marks:
    a corner hangs on the next vertex (``4``); the edge belongs to a run that began at an edge from
    above and has had only unused vertices above it since (``8``).
    """
    width, column, phase = dims[WIDTH], steps[step, COLUMN], steps[step, PHASE]
    left, hang, bare = side & 3, side & 4, side & 8
    right, down = decision >> 1, decision & 1
    above = old[KIND, column]
    up = above >= LOOSE
    degree = right + down + (1 if up else 0) + (1 if left else 0)
    if (right and column + 1 == width) or (down and steps[step, LAST_ROW]):
        return REFUSED
    if degree != 1 if phase else degree != 2 and degree != 0:
        return REFUSED
    # A corner behind the one above right or above left hangs on this vertex, so this is a terminal
    # or turns in the same way, and has no edge towards that corner's arms.
    hang_left = column + 1 < width and old[TURN, column + 1] == HANGS_LEFT
    if hang and (up or left or (not phase and decision != 3)):
        return REFUSED
    if hang_left and (up or right or (not phase and not (left and down))):
        return REFUSED
    turn = 0
    if not phase:
        if decision == 3:
            turn = HANGS_RIGHT
            if not steps[step, MAY_HANG_RIGHT]:
                return REFUSED
        elif left and down:
            turn = HANGS_LEFT
            if not steps[step, MAY_HANG_LEFT]:
                return REFUSED
        elif left and up and bare:
            return REFUSED
    for k in range(3):
        for at in range(width):
            new[k, at] = old[k, at]
    new[TURN, column] = turn
    if degree == 0:
        new[KIND, column] = UNUSED
        new[COLOUR, column] = 0
        edge = 0
    else:
        fresh = dims[FRESH]
        if phase:
            code = steps[step, CODE]
            edge = _end(old, new, column, decision, left, width, fresh, phase, code)
        else:
            edge = _pass(old, new, column, decision, left, width, fresh)
        if edge == REFUSED or _chorded(old, new, column, decision, left):
            return REFUSED
    if not _settle(new, step, column, edge, guards, dims, steps, scratch):
        return REFUSED
    if old[TURN, column] == HANGS_RIGHT:
        edge |= 4
    if right and not phase and (up or (bare and above == UNUSED)):
        edge |= 8
    return edge


@njit(cache=True)
def advance(states, count, step, guards, dims, steps, most):  # type: ignore[no-untyped-def]
    """Take one step for every state.

    Returns the next states, for each the way it was first reached (``parent << 2 | decision``) and
    a second way or -1, and their number; or -1 as the number, when they are more than ``most``.
    """
    width, words, fresh = dims[WIDTH], dims[WORDS], dims[FRESH]
    bits, a_word = dims[FIELD_BITS], dims[FIELDS_A_WORD]
    room = 1 << 10
    while room < count:
        room *= 2
    following = np.empty((room, words), dtype=np.uint64)
    reached = np.empty((room, 2), dtype=np.int32)
    table = np.full(4 * room, -1, dtype=np.int32)
    old = np.zeros((3, width + 1), dtype=np.int64)
    new = np.zeros((3, width + 1), dtype=np.int64)
    scratch = np.zeros((6, fresh + 2), dtype=np.int64)
    number = 0
    for index in range(count):
        for at in range(width):
            field = _field(states, index, at, dims)
            old[KIND, at] = field & 3
            old[TURN, at] = field >> 2 & 3
            old[COLOUR, at] = field >> 4
        side = _field(states, index, width, dims) if steps[step, COLUMN] else 0
        for decision in range(4):
            edge = _transition(old, new, step, side, decision, guards, dims, steps, scratch)
            if edge == REFUSED:
                continue
            if number == room:
                if number >= most:
                    return following, reached, -1
                room *= 2
                following = np.concatenate((following, np.empty_like(following)))
                reached = np.concatenate((reached, np.empty_like(reached)))
                table = np.full(4 * room, -1, dtype=np.int32)
                for known in range(number):
                    place = _slot(following, known, words) & (4 * room - 1)
                    while table[place] >= 0:
                        place = (place + 1) & (4 * room - 1)
                    table[place] = known
            # Written where it will stay if it is new.
            for k in range(words):
                following[number, k] = _ZERO
            for at in range(width + 1):
                field = edge
                if at < width:
                    field = new[KIND, at] | new[TURN, at] << 2 | new[COLOUR, at] << 4
                following[number, at // a_word] |= np.uint64(field) << np.uint64(at % a_word * bits)
            way = index << 2 | decision
            place = _slot(following, number, words) & (4 * room - 1)
            while True:
                known = table[place]
                if known < 0:
                    table[place] = number
                    reached[number, 0] = way
                    reached[number, 1] = -1
                    number += 1
                    break
                same = True
                for k in range(words):
                    if following[known, k] != following[number, k]:
                        same = False
                        break
                if same:
                    reached[known, 1] = way
                    break
                place = (place + 1) & (4 * room - 1)
    return following[:number], reached[:number], number
