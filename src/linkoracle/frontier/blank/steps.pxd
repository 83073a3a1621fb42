"""The steps of a row: numbers of words, changed in place.

Before the vertex in column c, place c - 1 of a word says what its left neighbour has, a plug down
*or* one to the right: the two words have the same number, so one place stands for both. Place c is
the plug above. Only a left neighbour with both, the two ends of a new path, is a word of its own: a
*corner*, without that place. Let ``p`` be the places before, ``s`` those behind, and x an end or a
label. After the vertex, the number of

* ``p..s`` is the old one, times the weight of an unused vertex, plus those of all joins here,
* ``p()s`` is the old one plus that of the corner ``p.s``, which takes the old one of ``p..s``,
* ``p.xs`` is the old one plus that of ``px.s``,
* ``px.s`` is the old one, times the weight, plus that of the corner ``pxs``, which takes the old
  one.

Nothing else changes, and sources of joins are only read. So the order of words does not matter, and
a step needs no second array. In the first column, the corner ``s`` takes the old number of ``.s``.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint32_t, uint64_t

from linkoracle.core.watch cimport StopToken, watch_stops
from linkoracle.frontier.blank.moves cimport (
    CHANGES, EMPTY, JOINED, PASSING, Moves, Numbers, shared_by
)
from linkoracle.frontier.blank.ranking cimport (
    Left, Ranking, base_of_start, rank_of_end, rank_of_start, state_of_start
)
from linkoracle.frontier.blank.residues cimport Field, add_moved, add_to, plus, weighed
from linkoracle.frontier.blank.words cimport CLOSE, LABEL, OPEN, SYMBOLS


cdef struct RowPass:
    Field field
    uint64_t *words  # a number for each
    uint64_t *corners
    uint64_t *answer  # solutions so far
    bint loop  # whether a cycle is a solution
    int depth  # most open ends at once so far: deeper words have the number 0
    int first  # the first column of the steps
    int last  # one more than the last column
    const bint *stopped  # set when all threads must stop


cdef struct Range:
    size_t first
    size_t count


cdef inline Range rights_of(
    const Ranking *r, int state, uint64_t first, uint64_t last
) noexcept nogil:
    """Return the right halves from a state whose support is in a range."""
    cdef Range found
    cdef const int64_t *starts = &r.right.starts[<size_t>state << r.right.length]
    found.first = starts[first]
    found.count = (r.rights[state] if last >> r.right.length else starts[last]) - starts[first]
    return found


cdef inline int64_t accepted_at(Ranking *r, const RowPass *w, int column) noexcept nogil:
    """Return the index of the word that is a solution if its two ends meet here, or -1."""
    cdef int ends
    cdef int64_t start, entry
    cdef uint64_t code
    if column == 0 or not (w.loop if r.labels == 0 else r.labels == 2):
        return -1
    ends = LABEL << 2 | LABEL if r.labels else CLOSE << 2 | OPEN
    code = <uint64_t>ends << (2 * (column - 1))
    if column <= r.cut:
        start = rank_of_start(r, code)
        return base_of_start(r, start) if start >= 0 else -1
    entry = rank_of_end(r, 0, code >> (2 * r.cut))
    return r.lefts[0].base + entry if entry >= 0 else -1


cdef inline void accept(Ranking *r, RowPass *w, int column) noexcept nogil:
    """Weigh the solutions so far, which leave out this vertex; add those that end here."""
    cdef int64_t place = accepted_at(r, w, column)
    w.answer[0] = weighed(&w.field, w.answer[0])
    if place >= 0:
        w.answer[0] = plus(&w.field, w.answer[0], w.words[place])


cdef inline void begin_path(
    const Field *field, uint64_t *empty, uint64_t *begun, uint64_t *corner
) noexcept nogil:
    """Update ``p..s``, ``p()s`` and ``p.s``, except for joins."""
    cdef uint64_t before = empty[0]
    begun[0] = plus(field, begun[0], corner[0])
    corner[0] = before
    empty[0] = weighed(field, before)


cdef inline void enter_vertex(
    const Field *field, uint64_t *above, uint64_t *beside, uint64_t *corner
) noexcept nogil:
    """Update ``p.xs``, ``px.s`` and ``pxs``."""
    cdef uint64_t before = beside[0]
    above[0] = plus(field, above[0], before)
    beside[0] = plus(field, weighed(field, before), corner[0])
    corner[0] = before


# ---- up to the middle ---------------------------------------------------------------------------


cdef inline bint step_starts(
    Ranking *r, Moves *m, RowPass *w, uint64_t first, uint64_t last, StopToken *watch
) noexcept nogil:
    """Take steps up to the middle, for right halves with supports in a range; False if stopped."""
    cdef int column, change
    cdef const Numbers *moves
    cdef const uint32_t *item
    cdef size_t k
    for column in range(w.first, min(w.last, r.cut + 1)):
        if first == 0:
            accept(r, w, column)
        for change in range(CHANGES):
            moves = &m.starts[change][column]
            item = moves.items
            for k in range(moves.count // 3):
                if watch_stops(watch) or w.stopped[0]:
                    return False
                if r.lefts[item[0] // SYMBOLS].depth <= w.depth:
                    step_start(r, m, w, change, item, first, last)
                item += 3
    return True


cdef inline void step_start(
    Ranking *r, Moves *m, RowPass *w, int change, const uint32_t *item, uint64_t first, uint64_t last
) noexcept nogil:
    """Take one step for all words that begin with a start."""
    # On the stack, so that the compiler sees that no store changes it.
    cdef Field field = w.field
    cdef Range rights = rights_of(r, state_of_start(r, item[0]), first, last), others
    cdef uint64_t *words = w.words + base_of_start(r, item[0])
    cdef uint64_t *other = w.words + base_of_start(r, item[1])
    cdef uint64_t *corners
    cdef size_t k
    if change == JOINED:
        others = rights_of(r, state_of_start(r, item[1]), first, last)
        other += others.first
        if m.flips[item[2]] == NULL:
            add_to(field.prime, words + rights.first, other, rights.count)
        else:
            add_moved(field.prime, words, m.flips[item[2]] + others.first, other, others.count)
        return
    words += rights.first
    other += rights.first
    corners = w.corners + r.lefts[item[2]].corner + rights.first
    if change == PASSING:
        for k in range(rights.count):
            enter_vertex(&field, words + k, other + k, corners + k)
    elif item[0] != item[1]:
        for k in range(rights.count):
            begin_path(&field, words + k, other + k, corners + k)
    else:
        # In the first column, nothing comes from the left.
        for k in range(rights.count):
            corners[k] = words[k]
            words[k] = weighed(&field, words[k])


# ---- beyond the middle --------------------------------------------------------------------------


cdef inline bint step_ends(
    Ranking *r, Moves *m, RowPass *w, uint64_t first, uint64_t last, StopToken *watch
) noexcept nogil:
    """Take steps beyond the middle, for left halves with supports in a range; False if stopped."""
    cdef int64_t begin = r.left.starts[first], left, end = r.num_lefts
    cdef int column
    if not last >> r.cut:
        end = r.left.starts[last]
    for column in range(max(w.first, r.cut + 1), w.last):
        if first == 0:
            accept(r, w, column)
        for left in range(begin, end):
            if watch_stops(watch) or w.stopped[0]:
                return False
            if r.lefts[left].depth <= w.depth:
                step_row(r, m, w, column, left)
    return True


cdef inline void step_row(
    Ranking *r, Moves *m, RowPass *w, int column, int64_t number
) noexcept nogil:
    """Take one step for all words that begin with a left half."""
    cdef Field field = w.field
    cdef Left *left = &r.lefts[number]
    cdef uint64_t *row = w.words + left.base
    cdef uint64_t *other
    cdef uint64_t *corners = w.corners + left.corner
    cdef size_t where = <size_t>(column - r.cut) * r.states + left.state, k, source
    cdef const Numbers *moves = &m.ends[EMPTY][where]
    cdef const uint32_t *item = moves.items
    for k in range(moves.count // 3):
        begin_path(&field, row + item[0], row + item[1], corners + item[2])
        item += 3
    moves = &m.ends[JOINED][where]
    item = moves.items
    for k in range(moves.count // 2):
        row[item[0]] = plus(&field, row[item[0]], row[item[1]])
        item += 2
    moves = &m.ends[PASSING][where]
    item = moves.items
    for k in range(moves.count // 3):
        enter_vertex(&field, row + item[0], row + item[1], corners + item[2])
        item += 3
    for source in range(m.other_starts[number], m.other_starts[number + 1], 2):
        other = w.words + r.lefts[m.others.items[source]].base
        moves = shared_by(m, r, column, m.others.items[source + 1], left.state)
        item = moves.items
        for k in range(moves.count // 2):
            row[item[0]] = plus(&field, row[item[0]], other[item[1]])
            item += 2
