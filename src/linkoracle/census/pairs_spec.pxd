"""The states of the pass over all path systems of a board, and what a decision makes of one.

The pass goes over the cells row by row and decides at each the edges to the right and down. A state
is what can be seen from the undecided part: for each *plug*, a place where an edge leads there,
whether it is chosen, and where the other end of its path is - at another plug, or fixed at a
cell.

A state is a word of six bits for each plug: 0 for none, ``1 + p`` when the other end is at plug p,
``plugs + 1 + t`` when it is cell t. Plug c is the edge down in column c, the last plug the edge to
the right of the cell decided last.

Source of the method: Yoshinaka et al., *Finding All Solutions and Instances of Numberlink and
Slitherlink by ZDDs*, Algorithms 5(2), 2012.
"""

from libc.stdint cimport int64_t

cdef enum:
    BITS = 6  # of a plug
    MASK = 63  # what they can hold
    MOST_PLUGS = 10  # of a word that is not negative


cdef struct Place:
    int cell  # the cell that is decided, counted along the rows
    int col  # its column, and the plug above it
    int cols  # columns, and the last plug, to its left
    int cells  # of the board
    bint may_right  # whether there is a cell to the right
    bint may_down  # whether there is one below


cdef struct Move:
    int64_t state  # the state after a decision, -1 for one that cannot be
    int one  # a pair of cells that is joined, -1 for none
    int other


cdef inline Place place_of(int cell, int cols, int cells) noexcept nogil:
    cdef Place place
    place.cell, place.col, place.cols, place.cells = cell, cell % cols, cols, cells
    place.may_right = place.col < cols - 1
    place.may_down = cell + cols < cells
    return place


cdef inline int plug(int64_t state, int place) noexcept nogil:
    return <int>(state >> BITS * place & MASK)


cdef inline int64_t with_plug(int64_t state, int place, int64_t value) noexcept nogil:
    return state & ~(<int64_t>MASK << BITS * place) | value << BITS * place


cdef inline bint is_unused(int64_t before, Place *at, bint right, bint down) noexcept nogil:
    """Whether the cell stays empty."""
    return not right and not down and not plug(before, at.col) and not plug(before, at.cols)


cdef inline Move decided(int64_t before, Place *at, bint right, bint down) noexcept nogil:
    """What becomes of a state when two edges are chosen or not."""
    cdef int last = at.cols, plugs = at.cols + 1
    cdef int above = plug(before, at.col), left = plug(before, last)
    cdef int inward = (above != 0) + (left != 0), outward = right + down
    cdef int place, one, other
    cdef Move move
    move.state = move.one = move.other = -1
    if (right and not at.may_right) or (down and not at.may_down):
        return move
    if inward + outward > 2 or (inward == 2 and above == 1 + last):
        return move
    move.state = with_plug(with_plug(before, at.col, 0), last, 0)
    place = at.col if down else last
    if inward == 0:
        if outward == 2:
            move.state = with_plug(with_plug(move.state, at.col, 1 + last), last, 1 + at.col)
        elif outward == 1:
            move.state = with_plug(move.state, place, plugs + 1 + at.cell)
        return move
    if inward == 1:
        one = above + left
        if outward:
            # The path goes on: its far end has to know where it leads now.
            move.state = with_plug(move.state, place, one)
            if one <= plugs:
                move.state = with_plug(move.state, one - 1, 1 + place)
            return move
        other = plugs + 1 + at.cell
    else:
        one, other = above, left
    # Two ends meet, ``one`` and ``other`` being what is at the far ends of their paths.
    if one > plugs and other > plugs:
        move.one, move.other = one - plugs - 1, other - plugs - 1
    else:
        if one <= plugs:
            move.state = with_plug(move.state, one - 1, other)
        if other <= plugs:
            move.state = with_plug(move.state, other - 1, one)
    return move


cdef inline int variable_of(int one, int other, int cells) noexcept nogil:
    """The variable of a pair: pairs with a late cell come first, as they are joined last."""
    return (cells - 1 - max(one, other)) * cells + min(one, other)
