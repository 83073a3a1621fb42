"""The steps of a row: numbers of words, changed in place.

Before the vertex in column c, place c - 1 of a word says what its left neighbour has, a plug down
*or* one to the right: the two words have the same number, so one place stands for both. Place c is
the plug above. Only a left neighbour with both, the two ends of a new path, is a word of its own: a
*corner*, without that place. So with ``p`` before, ``s`` behind, x an end or a label, a vertex
makes

* of ``p..s``: itself, times the weight of a vertex left out, and all that is joined here,
* of ``p()s``: itself and the corner ``p.s``, which becomes what ``p..s`` was,
* of ``p.xs``: itself and ``px.s``,
* of ``px.s``: itself, times the weight, and the corner ``pxs``, which becomes what it was.

Nothing else changes, and what is joined is only read: so the order of words does not matter, and a
step needs no second array. In the first column, the corner ``s`` becomes what ``.s`` was.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint32_t, uint64_t

from linkoracle.core.watch cimport StopToken, watch_stops
from linkoracle.frontier.blank.moves cimport Moves, Numbers, shared_by
from linkoracle.frontier.blank.ranking cimport (
    Left, Ranking, base_of_start, rank_of_end, rank_of_start, state_of_start
)
from linkoracle.frontier.blank.residues cimport (
    Field, add_moved, add_to, plus, rotate, weigh, weighed
)
from linkoracle.frontier.blank.words cimport CLOSE, LABEL, OPEN, SYMBOLS


cdef struct RowPass:
    Field field
    uint64_t *words  # a number for each
    uint64_t *corners
    uint64_t *answer  # solutions so far
    bint loop  # whether a cycle is a solution
    int depth  # ends that may be open at once so far: deeper words have the number 0
    int first  # the columns of the steps: from this
    int last  # to before this
    const bint *stopped  # set when all threads must stop


cdef struct Range:
    size_t first
    size_t count


cdef inline Range rights_of(
    const Ranking *r, int state, uint64_t first, uint64_t last
) noexcept nogil:
    """The right halves from a state whose support is in a range."""
    cdef Range found
    cdef const int64_t *starts = &r.right.starts[<size_t>state << r.right.length]
    found.first = starts[first]
    found.count = (r.rights[state] if last >> r.right.length else starts[last]) - starts[first]
    return found


cdef inline int64_t accepted_at(Ranking *r, const RowPass *w, int column) noexcept nogil:
    """Where the number is that is a solution when its two ends meet in a column, or -1."""
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
    """Whatever was a solution leaves out this vertex; what ends here is one."""
    cdef int64_t place = accepted_at(r, w, column)
    w.answer[0] = weighed(&w.field, w.answer[0])
    if place >= 0:
        w.answer[0] = plus(&w.field, w.answer[0], w.words[place])


cdef inline bint too_deep(const Ranking *r, const RowPass *w, uint32_t start) noexcept nogil:
    return r.lefts[start // SYMBOLS].depth > w.depth


# ---- up to the middle ---------------------------------------------------------------------------


cdef inline bint step_starts(
    Ranking *r, Moves *m, RowPass *w, uint64_t first, uint64_t last, StopToken *watch
) noexcept nogil:
    """Steps up to the middle, for right halves whose support is in a range. False if stopped."""
    cdef int column
    for column in range(w.first, min(w.last, r.cut + 1)):
        if first == 0:
            accept(r, w, column)
        if column == 0:
            if not begin_row(r, m, w, first, last, watch):
                return False
        elif not (
            step_empty(r, m, w, column, first, last, watch)
            and step_passing(r, m, w, column, first, last, watch)
        ):
            return False
    return True


cdef inline bint begin_row(
    Ranking *r, Moves *m, RowPass *w, uint64_t first, uint64_t last, StopToken *watch
) noexcept nogil:
    """The step in the first column: nothing comes from the left, so nothing is joined."""
    cdef const uint32_t *item = m.empty[0].items
    cdef const uint32_t *end = item + m.empty[0].count
    cdef uint64_t *words
    cdef uint64_t *corners
    cdef size_t k
    cdef Range rights
    while item < end:
        if watch_stops(watch) or w.stopped[0]:
            return False
        rights = rights_of(r, state_of_start(r, item[0]), first, last)
        words = w.words + base_of_start(r, item[0]) + rights.first
        corners = w.corners + r.lefts[item[1]].corner + rights.first
        for k in range(rights.count):
            corners[k] = words[k]
        weigh(&w.field, words, rights.count)
        item += 2
    return True


cdef inline bint step_empty(
    Ranking *r, Moves *m, RowPass *w, int column, uint64_t first, uint64_t last, StopToken *watch
) noexcept nogil:
    """Words with nothing at the vertex: a path begins there, or paths are joined there."""
    cdef const uint32_t *item = m.empty[column].items
    cdef const uint32_t *end = item + m.empty[column].count
    cdef uint64_t prime = w.field.prime
    cdef uint64_t *words
    cdef uint64_t *row
    cdef uint32_t k, sources
    cdef Range rights, others
    while item < end:
        if watch_stops(watch) or w.stopped[0]:
            return False
        if too_deep(r, w, item[0]):
            item += 4 + item[3]
            item += 1 + 2 * item[0]
            continue
        rights = rights_of(r, state_of_start(r, item[0]), first, last)
        row = w.words + base_of_start(r, item[0])
        words = row + rights.first
        rotate(
            prime,
            words,
            w.words + base_of_start(r, item[1]) + rights.first,
            w.corners + r.lefts[item[2]].corner + rights.first,
            rights.count,
        )
        weigh(&w.field, words, rights.count)
        sources = item[3]
        item += 4
        for k in range(sources):
            add_to(
                prime, words, w.words + base_of_start(r, item[k]) + rights.first, rights.count
            )
        item += sources
        sources = item[0]
        item += 1
        for k in range(sources):
            others = rights_of(r, state_of_start(r, item[1]), first, last)
            add_moved(
                prime,
                row,
                m.flips[item[0]] + others.first,
                w.words + base_of_start(r, item[1]) + others.first,
                others.count,
            )
            item += 2
    return True


cdef inline bint step_passing(
    Ranking *r, Moves *m, RowPass *w, int column, uint64_t first, uint64_t last, StopToken *watch
) noexcept nogil:
    """Words of which one path enters the vertex."""
    cdef const uint32_t *item = m.passing[column].items
    cdef const uint32_t *end = item + m.passing[column].count
    cdef uint64_t *above
    cdef uint64_t *beside
    cdef uint64_t *corners
    cdef uint64_t before, prime = w.field.prime
    cdef size_t k
    cdef Range rights
    while item < end:
        if watch_stops(watch) or w.stopped[0]:
            return False
        if not too_deep(r, w, item[0]):
            rights = rights_of(r, state_of_start(r, item[0]), first, last)
            above = w.words + base_of_start(r, item[0]) + rights.first
            beside = w.words + base_of_start(r, item[1]) + rights.first
            corners = w.corners + r.lefts[item[2]].corner + rights.first
            add_to(prime, above, beside, rights.count)
            for k in range(rights.count):
                before = beside[k]
                beside[k] = corners[k]
                corners[k] = before
            step_weighed(&w.field, beside, corners, rights.count)
        item += 3
    return True


cdef inline void step_weighed(
    const Field *field, uint64_t *numbers, const uint64_t *before, size_t count
) noexcept nogil:
    """Add what was there before, times the weight."""
    cdef size_t k
    if field.weight == 1:
        add_to(field.prime, numbers, before, count)
    elif field.weight:
        for k in range(count):
            numbers[k] = plus(field, numbers[k], weighed(field, before[k]))


# ---- beyond the middle --------------------------------------------------------------------------


cdef inline bint step_ends(
    Ranking *r, Moves *m, RowPass *w, uint64_t first, uint64_t last, StopToken *watch
) noexcept nogil:
    """Steps beyond the middle, for left halves whose support is in a range. False if stopped."""
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
    """One step, for all words that begin with a left half."""
    cdef Left *left = &r.lefts[number]
    cdef uint64_t *row = w.words + left.base
    cdef uint64_t *other
    cdef uint64_t *corners = w.corners + left.corner
    cdef size_t where = <size_t>(column - r.cut) * r.states + left.state, k, source
    cdef uint64_t before, prime = w.field.prime
    cdef const uint32_t *item = m.empty_ends[where].items
    cdef const Numbers *shared
    for k in range(m.empty_ends[where].count // 3):
        before = row[item[0]]
        row[item[1]] = plus(&w.field, row[item[1]], corners[item[2]])
        corners[item[2]] = before
        row[item[0]] = weighed(&w.field, before)
        item += 3
    item = m.joined_ends[where].items
    for k in range(m.joined_ends[where].count // 2):
        row[item[0]] = plus(&w.field, row[item[0]], row[item[1]])
        item += 2
    item = m.passing_ends[where].items
    for k in range(m.passing_ends[where].count // 3):
        before = row[item[1]]
        row[item[0]] = plus(&w.field, row[item[0]], before)
        row[item[1]] = plus(&w.field, weighed(&w.field, before), corners[item[2]])
        corners[item[2]] = before
        item += 3
    for source in range(m.other_starts[number], m.other_starts[number + 1], 2):
        other = w.words + r.lefts[m.others.items[source]].base
        shared = shared_by(m, r, column, m.others.items[source + 1], left.state)
        item = shared.items
        for k in range(shared.count // 2):
            row[item[0]] = plus(&w.field, row[item[0]], other[item[1]])
            item += 2
