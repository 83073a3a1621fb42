"""`Positions`: pattern rules in all their positions, as arrays."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t

from linkoracle.core.arena cimport arena_close, arena_open
from linkoracle.deduce.kernel.laying cimport MASKS, PatternLiteral, Patterns, Position
from linkoracle.deduce.kernel.loading cimport index_rows, room
from linkoracle.deduce.kernel.state cimport ASKED, PARTS, PATTERN_KINDS

#: Of a clue or literal: whether the edge goes down, row and column, the clue or whether it crosses.
Parts: TypeAlias = "list[tuple[int, int, int, int]]"
#: A position of a rule: see `Positions`.
Given: TypeAlias = "tuple[int, int, int, tuple[int, int, int, int], Parts, Parts, Parts]"

cdef enum:
    MOST_CLUE = 4
    FARTHEST = 8  # rows or columns from the anchor of a rule to what it speaks of
    LONGEST = 64  # clues or literals of a rule


cdef class Positions:
    """Rules in all their positions, ready to be laid on boards.

    ``given`` has a tuple for each: the number of its rule, from 0 on without gaps; its kind of
    pattern; the clue at its *anchor*; the first and the last vertex of its window, by row and
    column, four numbers counted from the place of the anchor, as all others that follow; its other
    clues, ``(0, row, col, value)``; its premises and its conclusions, ``(down, row, col, cross)``.
    Raises ``ValueError`` for anything else.
    """

    def __cinit__(self, list given: list[Given]):
        cdef Patterns *p = &self.patterns
        cdef Position *position
        cdef Py_ssize_t at
        cdef int k
        cdef int32_t size = 0
        arena_open(&self.arena, <size_t>-1)
        p.size = <int32_t>len(given)
        p.position = <Position *>room(&self.arena, p.size, sizeof(Position))
        p.part = <PatternLiteral *>room(
            &self.arena, sum(len(told) for one in given for told in one[4:]), sizeof(PatternLiteral)
        )
        for at in range(p.size):
            rule, kind, value, window, *parts = given[at]
            position = &p.position[at]
            # A rule has the number of the one before, or the next one.
            position.rule = checked(rule, max(0, p.rules - 1), min(p.rules, at), "the next rule")
            p.rules = position.rule + 1
            position.kind = checked(kind, 0, PATTERN_KINDS - 1, "a kind of pattern")
            position.key = MASKS * position.rule + (1 << checked(value, 0, MOST_CLUE, "a clue"))
            if len(window) != 4:
                raise ValueError(f"expected four numbers for a window, got {len(window)}")
            for k in range(4):
                position.window[k] = checked(window[k], -FARTHEST, FARTHEST, "a vertex of a window")
            for k in range(PARTS):
                position.parts[k] = size
                size = add_parts(p.part, size, parts[k], MOST_CLUE if k == ASKED else 1)
                # The anchor stands before the clues.
                p.width[k] = max(p.width[k], <int32_t>len(parts[k]) + 1 + (k == ASKED))
            position.parts[PARTS] = size
        index_rows(
            &p.by_key, &self.arena, MASKS * p.rules, &p.position[0].key, p.size,
            sizeof(Position) // sizeof(int32_t), 1,
        )

    def __dealloc__(self):
        arena_close(&self.arena)


cdef int add_parts(PatternLiteral *part, int32_t at, object given, int most) except -1:
    """Add clues up to ``most``, or literals, from a place on; where the next ones begin."""
    if len(given) >= LONGEST:
        raise ValueError(f"expected less than {LONGEST} clues or edges of a rule")
    for down, row, col, value in given:
        part[at].down = checked(down, 0, 1, "whether an edge goes down")
        part[at].row = checked(row, -FARTHEST, FARTHEST, "a row")
        part[at].col = checked(col, -FARTHEST, FARTHEST, "a column")
        part[at].value = checked(value, 0, most, "a clue, or whether an edge is a cross")
        at += 1
    return at


cdef int checked(object number, int least, int most, str what) except? -1:
    if not isinstance(number, int) or not least <= number <= most:
        raise ValueError(f"expected {what} from {least} to {most}, got {number!r}")
    return number
