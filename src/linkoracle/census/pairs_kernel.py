"""All path systems of a board at once, by the pairs of cells that they join: the pass.

It goes over the cells row by row and decides at each the edges to the right and down. A state is
what can be seen from the undecided part: for each *plug*, a place where an edge leads there,
whether it is chosen, and where the other end of its path is - at another plug, or fixed at a
cell. To a state belong two families of sets of pairs, the pairs joined so far: ``once``, the sets
that one path system reaches this state with, and ``spoiled``, those that several do, or one that
may not count.

A state is a word of six bits for each plug: 0 for none, ``1 + p`` when the other end is at plug p,
``plugs + 1 + t`` when it is cell t. Plug c is the edge down in column c, the last plug the edge to
the right of the cell decided last.

Source of the method: Yoshinaka et al., *Finding All Solutions and Instances of Numberlink and
Slitherlink by ZDDs*, Algorithms 5(2), 2012.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from linkoracle.census import zdd_kernel as kernel

#: Bits of a plug, and what they can hold.
BITS = np.int64(6)
_MASK = np.int64(63)
#: What an empty cell means: nothing, that the system does not count as one, that there is none.
ALLOWED, SPOILING, FORBIDDEN = 0, 1, 2


@njit(cache=True)
def pair_variable(one, other, cells):  # type: ignore[no-untyped-def]
    """The variable of a pair: pairs with a late cell come first, as they are joined last."""
    return (cells - 1 - max(one, other)) * cells + min(one, other)


@njit(cache=True)
def _plug(state, place):  # type: ignore[no-untyped-def]
    return state >> BITS * place & _MASK


@njit(cache=True)
def _with_plug(state, place, value):  # type: ignore[no-untyped-def]
    return state & ~(_MASK << BITS * place) | np.int64(value) << BITS * place


@njit(cache=True)
def _moved(state, cell, col, cols, right, down):  # type: ignore[no-untyped-def]
    """The state after a decision, and the pair that it completes.

    Returns (state, one, other): -1 for a state that cannot be, -1 for cells when no pair is joined.
    """
    last = cols
    plugs = cols + 1
    above, left = _plug(state, col), _plug(state, last)
    inward = (above != 0) + (left != 0)
    outward = right + down
    none = np.int64(-1)
    if inward + outward > 2:
        return none, none, none
    state = _with_plug(_with_plug(state, col, 0), last, 0)
    if inward == 2:
        if above == 1 + last:
            return none, none, none
        one, other = above, left
    elif inward == 1:
        one = above + left
        if outward:
            # The path goes on: its far end has to know where it leads now.
            place = col if down else last
            state = _with_plug(state, place, one)
            if one <= plugs:
                state = _with_plug(state, one - 1, 1 + place)
            return state, none, none
        other = plugs + 1 + cell
    elif outward == 2:
        return _with_plug(_with_plug(state, col, 1 + last), last, 1 + col), none, none
    elif outward == 1:
        return _with_plug(state, col if down else last, plugs + 1 + cell), none, none
    else:
        return state, none, none
    # Two ends meet, ``one`` and ``other`` being what is at the far ends of their paths.
    if one > plugs and other > plugs:
        return state, np.int64(one - plugs - 1), np.int64(other - plugs - 1)
    if one <= plugs:
        state = _with_plug(state, one - 1, other)
    if other <= plugs:
        state = _with_plug(state, other - 1, one)
    return state, none, none


@njit(cache=True)
def advance(  # type: ignore[no-untyped-def]
    states, families, cell, cols, rows, empty, begin, index, found, found_families, number, room
):
    """Decide one cell from every state, entering the states after it.

    ``families`` has a row (once, spoiled) for each of ``states``. ``index`` is a hash table of the
    states ``found`` so far, ``number[0]`` of them. Decisions are numbered, four a state; those
    before ``begin`` are done already. Returns the number of decisions done: fewer than there are
    when there was no ``room`` for nodes, or (``number[1]`` = 1) for states.
    """
    row, col = cell // cols, cell % cols
    cells = rows * cols
    mask = len(index) - 1
    for decision in range(begin, 4 * len(states)):
        right, down = decision >> 1 & 1, decision & 1
        if (right and col == cols - 1) or (down and row == rows - 1):
            continue
        before = states[decision >> 2]
        unused = not right and not down and _plug(before, col) == 0 and _plug(before, cols) == 0
        if unused and empty == FORBIDDEN:
            continue
        after, one, other = _moved(before, cell, col, cols, right, down)
        if after < 0:
            continue
        once = np.int64(families[decision >> 2, 0])
        spoiled = np.int64(families[decision >> 2, 1])
        if one >= 0:
            pair = pair_variable(one, other, cells)
            once = kernel.go_on(kernel.ATTACH, once, pair, 0, room)
            spoiled = kernel.go_on(kernel.ATTACH, spoiled, pair, 0, room)
        if unused and empty == SPOILING:
            once, spoiled = np.int64(0), kernel.go_on(kernel.UNION, once, spoiled, 0, room)
        place = kernel.hash_of(after, 0, 0) & mask
        while index[place] and found[index[place] - 1] != after:
            place = (place + 1) & mask
        known = np.int64(index[place] - 1)
        if known >= 0:
            # Two ways to one state.
            other = np.int64(found_families[known, 0])
            twice = kernel.go_on(kernel.INTERSECTION, once, other, 0, room)
            spoiled = kernel.go_on(
                kernel.UNION, spoiled, np.int64(found_families[known, 1]), 0, room
            )
            spoiled = kernel.go_on(kernel.UNION, spoiled, twice, 0, room)
            once = kernel.go_on(kernel.UNION, once, other, 0, room)
            once = kernel.go_on(kernel.DIFFERENCE, once, spoiled, 0, room)
        if once == kernel.FULL or spoiled == kernel.FULL:
            return decision
        if known < 0:
            known = number[0]
            if known == len(found):
                number[1] = 1
                return decision
            number[0] = known + 1
            index[place] = known + 1
            found[known] = after
        found_families[known, 0] = once
        found_families[known, 1] = spoiled
    return 4 * len(states)


@njit(cache=True)
def rehash(found, number, index):  # type: ignore[no-untyped-def]
    """Enter the states found so far in an empty table."""
    mask = len(index) - 1
    for known in range(number[0]):
        place = kernel.hash_of(found[known], 0, 0) & mask
        while index[place]:
            place = (place + 1) & mask
        index[place] = known + 1
