"""What the compiled functions work on: eight flat arrays, and what stands where in them."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

#: Entries of ``numbers``: edges, faces, vertices and variables of the board, columns of vertices.
EDGES, FACES, VERTICES, VARIABLES, COLUMNS = range(5)
#: Whether faces have sides; the two ends of an open line, or -1; edges of the known solution.
SIDED, END, OTHER_END, KNOWN_ON = range(5, 9)
#: Literals on the trail, and how many of them were propagated; the level.
TRAIL, HEAD, LEVEL = range(9, 12)
#: Propagated edges that are on, with a virtual one between two ends; those that differ from the
#: known solution; the edge that closed the line, or -1.
ON_BOARD, DIFFERENT, CLOSED = range(12, 15)
#: The queue of variables: where to look for an open one, the last one, its stamp.
FIRST, LAST, STAMP = range(15, 18)
#: Clauses, and the literals in them; how many there is room for; clauses learned since the last
#: reduction, and how many of them bring the next.
CLAUSES, ROOM, MOST_CLAUSES, ARENA_SIZE, LEARNED, LIMIT = range(18, 24)
#: Conflicts so far, and at the next restart; restarts in this question.
CONFLICTS, RESTART, RESTARTS = range(24, 27)
#: Whether what is true for good contradicts itself; marks given out.
BROKEN, MARKS = range(27, 29)
#: Of the present question: whether there is one; clauses when it was asked; the literal that says
#: it, or -1; the next assumption; faces in `ASKED`; 1 + the question's clause once it is refuted;
#: whether level 1 has to be left.
OPENED, SINCE, ASKING, ASSUMED, DENIED, REFUTED, SHAKEN = range(29, 36)
#: Literals in `UNITS`; faces in `CORE`.
NEW_UNITS, CORE_SIZE = range(36, 38)
#: Of the faces in `ORDER`, which are tried one after the other: how many there are, the next, the
#: one that waits to be asked about, where the present batch ends, and questions so far.
TRIALS, NEXT, WAITING, BATCH, QUESTIONS = range(38, 43)
#: For how many literals on the trail sides and clauses were looked at: up to `HEAD`.
VISITED = 43
NUMBERS = 44

#: Columns of ``edges``: vertices; faces beside, -1 beyond the rim; 1 where beyond the rim is the
#: other side; the ends of the paths it joined, -1 if it did not, and the length of the first.
FROM, TO, LEFT, RIGHT, BEYOND, JOINED, JOINED_TO, JOINED_LENGTH = range(8)
E = 8

#: Columns of ``nodes``, the vertices and then the faces: their up to four edges, -1 for none; the
#: mask of allowed degrees, or the true count; the highest allowed degree; `AN_ON` for each
#: propagated edge that is on, and `AN_OFF` for each that is off; for the end of a path, its other
#: end and its length; the mark of a walk; for a face, whether its clue is kept (1) or denied (2),
#: and whether it comes up soon; its row in the table of demands, for a face the one while it is
#: open whether its clue matches, after the one while it does not, and before the one while it does.
AT, RULE, MOST, TALLY, MATE, LENGTH, WALKED, KEPT, SOON, DEMANDS = 0, 4, 5, 6, 7, 8, 9, 10, 11, 13
N = 16
AN_ON, AN_OFF = 1, 5

#: Columns of ``variables``: the value in the known solution, as in ``value``, which is what
#: decisions give, so that a search stays near it; level, place on the trail, and reason of the
#: value; whether it was seen in the present conflict; the mark of a walk; neighbours in the queue,
#: and the stamp (-1 outside the queue); the first watch of its literal, and of the negated one; for
#: an edge, how much was propagated when it was ruled out, or blamed, for closing a cycle.
KNOWN, LEVEL_OF, PLACE, REASON, SEEN, MARK = range(6)
BEFORE, AFTER, BUMPED, WATCH, WATCH_NOT, SEEN_AT = range(6, 12)
V = 12

#: Rows of ``lists``, each a list of its own.
ON_TRAIL, STARTS, TOUCHED, LEARNT, BUFFER, UNITS, CORE, LEVEL_MARK = range(8)
ASKED, RANK, ORDER, CHOSEN, DIFFERS, PATH, GLUES = range(8, 15)
LISTS = 15

#: Columns of ``clauses``: where the literals begin; how many, 0 if struck out; the levels in it
#: when it was learned, 0 if it was not; the next watch after that of its first literal, of its
#: second; where a literal that is not false was found last.
START, WIDTH, GLUE, FOLLOW, FOLLOW_SECOND, SAVED = range(6)
C = 6

#: Kinds of reasons; a reason is its kind plus `KINDS` times an index.
VERTEX, FACE, SIDE, CLAUSE, CYCLE, WHOLE = range(6)
KINDS = 8
NOTHING = -1

#: Answers to a question; `PAUSE` is none yet.
NO_ALTERNATIVE, ALTERNATIVE, PAUSE = range(3)

#: What `linkoracle.search.kernel.run` does: answer a question; drop it; go through `ORDER`; store
#: the clause in `LEARNT` for good.
FIND, DROP, THIN, STATE = range(4)


class State(NamedTuple):
    """Pointers to the arrays.

    Pointers, since an array that is passed on, or looked up in a tuple, has its references counted
    each time, which takes five times as long as all the rest.
    """

    numbers: Any  # int64
    value: Any  # int8: for each variable 1 for true, -1 for false, 0 for open
    edges: Any  # int32, E columns, and so on
    nodes: Any
    variables: Any
    lists: Any
    width: Any  # the length of a row of lists
    clauses: Any
    arena: Any  # the literals of all clauses


#: For functions that only compiled functions call.
internal = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)  # type: ignore[call-overload]

#: For those of them that are called for each literal: a call that is not inlined hands all pointers
#: over, which takes as long as what is done with them.
inlined = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)  # type: ignore[call-overload]

#: What a rule demands: nothing; of the edges that are still open, to be off, or on; what cannot be;
#: of a clue, to match, or not to.
REST, ALL_OFF, ALL_ON, WRONG, MATCHES, NO_MATCH = range(6)

_MASKS, _SIZES = 32, 5
#: Entries of a row: one for each tally of up to four edges.
_ROW = 4 * max(AN_ON, AN_OFF) + 1


def row_of_mask(size: int, mask: int) -> int:
    """Where the row of a place begins that has so many edges, and allows these numbers of them."""
    return _ROW * (_MASKS * size + mask)


def row_of_count(count: int) -> int:
    """Where the row of a face begins of which it is open whether its clue, this one, matches."""
    return _ROW * (_MASKS * _SIZES + count)


def _of_mask(mask: int, on: int, free: int) -> int:
    fits = [more for more in range(free + 1) if mask >> (on + more) & 1]
    if not fits:
        return WRONG
    if free and fits == [0]:
        return ALL_OFF
    return ALL_ON if free and fits == [free] else REST


def _of_count(count: int, on: int, off: int) -> int:
    if on > count or off > 4 - count:
        return NO_MATCH
    return MATCHES if on + off == 4 else REST


def _table() -> NDArray[np.int8]:
    table = np.zeros(_ROW * (_MASKS * _SIZES + 5), dtype=np.int8)
    for on, off in product(range(5), repeat=2):
        tally = on * AN_ON + off * AN_OFF
        for size, mask in product(range(on + off, _SIZES), range(_MASKS)):
            table[row_of_mask(size, mask) + tally] = _of_mask(mask, on, size - on - off)
        for count in range(5) if on + off <= 4 else ():
            table[row_of_count(count) + tally] = _of_count(count, on, off)
    return table


#: What is demanded, by the beginning of a row plus a tally.
TABLE = _table()
