"""A series of queries: which clues are redundant?"""

from libc.stdint cimport int64_t

from linkoracle.lines.clauses cimport grown
from linkoracle.lines.trail cimport NONE
from linkoracle.search.propagation cimport backtrack
from linkoracle.search.query cimport search
from linkoracle.search.state cimport (
    ALTERNATIVE, FREE, FIXED_HIDDEN, KEPT, NO_ALTERNATIVE, NO_MEMORY, FIXED_SHOWN, NOT_FIXED, Answer, State
)

cdef enum:
    #: Faces of one batch. They are assumed again for each query, all others once.
    BATCH_SIZE = 8


cdef inline void keep(State *s, int face, int kept) noexcept nogil:
    if face >= 0:
        s.face[face].kept = kept


cdef inline void fix_clue(State *s, int face, bint keep) noexcept nogil:
    """Keep a face for good, or never again; the first call for a face counts."""
    if s.face[face].fixed != NOT_FIXED:
        return
    s.face[face].fixed = FIXED_SHOWN if keep else FIXED_HIDDEN
    if keep:
        s.units[s.new_units] = 2 * (s.matches + face)
        s.new_units += 1


cdef inline bint need(State *s, int face) noexcept nogil:
    """Keep a face for good, and the alternative that shows why; false if there is no memory."""
    cdef int k
    cdef int *flips = <int *>grown(
        &s.arena, s.flips, &s.most_flips, s.flips_size + 1 + s.num_flipped, sizeof(int)
    )
    if flips == NULL:
        return False
    s.flips = flips
    s.face[face].witness = s.flips_size
    flips[s.flips_size] = s.num_flipped
    s.flips_size += 1
    for k in range(s.num_flipped):
        flips[s.flips_size + k] = s.flipped[k]
    s.flips_size += s.num_flipped
    keep(s, face, KEPT)
    fix_clue(s, face, True)
    return True


cdef inline void open_batch(State *s, int faces) noexcept nogil:
    """Assume the next faces of `order`, and the waiting one, on a level of their own."""
    cdef int k
    backtrack(s, 0)
    for k in range(s.lines.plane.num_faces):
        s.face[k].soon = False
    s.batch = s.next_trial + faces
    for k in range(s.next_trial, min(s.trials, s.batch)):
        s.face[s.order[k]].soon = True
    if faces and s.waiting >= 0:
        s.face[s.waiting].soon = True


cdef inline Answer ask(State *s, int first, int face) noexcept nogil:
    """Find an alternative that changes one of two faces; ``face`` may be `NONE`.

    `core` has the faces that it changes.
    """
    keep(s, first, FREE)
    keep(s, face, FREE)
    s.denied_faces[0] = first
    s.denied = 1
    if face >= 0:
        s.denied_faces[1] = face
        s.denied = 2
    s.queries += 1
    # No query takes that many conflicts.
    return search(s, <int64_t>1 << 62, 1)


cdef inline bint changes(State *s, int face) noexcept nogil:
    """Whether the last alternative changes a face."""
    cdef int k
    for k in range(s.core_size):
        if s.core[k] == face:
            return True
    return False


cdef inline Answer decide_on(State *s, int first, int face) noexcept nogil:
    """Decide on the waiting face, or the next one, or both; no answer if that is not possible.

    Where both clues are redundant, one query replaces two. Otherwise the alternative mostly changes
    one face only, whose clue is then needed.
    """
    cdef Answer answer = ask(s, first, face)
    cdef bint both = face >= 0 and answer == ALTERNATIVE and changes(s, first) and changes(s, face)
    cdef int needed = first
    if both:
        # Each may be redundant, but not both.
        keep(s, face, KEPT)
        answer = ask(s, first, NONE)
    elif answer == ALTERNATIVE and face >= 0 and changes(s, face):
        needed = face
    if answer == ALTERNATIVE and not need(s, needed):
        answer = NO_MEMORY
    if answer > ALTERNATIVE:
        keep(s, first, KEPT)
        keep(s, face, KEPT)
        return answer
    s.next_trial += face >= 0
    if answer == NO_ALTERNATIVE:
        fix_clue(s, first, False)
        if both:
            s.waiting = face
            return answer
        if face >= 0:
            fix_clue(s, face, False)
        s.waiting = NONE
    elif needed == first:
        keep(s, face, KEPT)
        s.waiting = face
    else:
        keep(s, first, KEPT)
    return answer


cdef inline Answer try_all(State *s) noexcept nogil:
    """Go through `order`; faces with redundant clues are no longer `KEPT`.

    A query without an answer ends the series. Its undecided faces stay as they were: the waiting
    one, if any, and all from `next_trial` on.
    """
    cdef Answer answer = NO_ALTERNATIVE
    cdef int face
    while answer <= ALTERNATIVE and (s.next_trial < s.trials or s.waiting >= 0):
        if s.next_trial >= s.batch:
            open_batch(s, BATCH_SIZE)
        face = s.order[s.next_trial] if s.next_trial < s.trials else NONE
        if s.waiting < 0:
            s.waiting = face
            s.next_trial += 1
        else:
            answer = decide_on(s, s.waiting, face)
    open_batch(s, 0)
    return answer
