"""Rules as arrays, `Positions`, and where they stand on a board, `PlacedPatterns`."""

from libc.math cimport INFINITY
from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, uint8_t

from linkoracle.core.arena cimport arena_close, arena_error, arena_open, arena_release
from linkoracle.core.index cimport add_item, count_item
from linkoracle.core.watch cimport StopToken, watch_raise, watch_start
from linkoracle.deduce.kernel.deduction_grid cimport Grid
from linkoracle.deduce.kernel.laying cimport VALUES, PatternLiteral, Patterns, Position, arrange, place_all
from linkoracle.deduce.kernel.loading cimport begin_index, loaded, room, take_items
from linkoracle.deduce.kernel.state cimport (
    ASKED, CONCLUSIONS, PARTS, PATTERN_KINDS, PREMISES, Frame, row_of
)

#: Of a clue or literal: whether the edge goes down, row and column, the clue or whether it crosses.
Parts: TypeAlias = "list[tuple[int, int, int, int]]"
#: A position of a rule: see `Positions`.
Given: TypeAlias = "tuple[int, int, int, tuple[int, int, int, int], Parts, Parts, Parts]"

cdef enum:
    RATE = 2048  # positions tried from one look at the clock to the next
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
            set_position(p, at, rule, kind, value, window)
            for k in range(PARTS):
                p.position[at].parts[k] = size
                size = add_parts(p.part, size, parts[k], VALUES - 1 if k == ASKED else 1)
                # The anchor stands before the clues.
                p.width[k] = max(p.width[k], <int32_t>len(parts[k]) + 1 + (k == ASKED))
            p.position[at].parts[PARTS] = size
        begin_index(&p.by_value, &self.arena, VALUES * p.rules)
        for at in range(p.size):
            count_item(&p.by_value, VALUES * p.position[at].rule + p.position[at].value)
        take_items(&p.by_value, &self.arena, VALUES * p.rules)
        for at in range(p.size):
            add_item(
                &p.by_value, VALUES * p.position[at].rule + p.position[at].value, <int32_t>at
            )

    def __dealloc__(self):
        arena_close(&self.arena)


cdef int set_position(
    Patterns *p, Py_ssize_t at, object rule, object kind, object value, object window
) except -1:
    cdef Position *position = &p.position[at]
    cdef int k
    # A rule has the number of the one before, or the next one.
    position.rule = checked(rule, max(0, p.rules - 1), min(p.rules, at), "the next rule")
    p.rules = position.rule + 1
    position.kind = checked(kind, 0, PATTERN_KINDS - 1, "a kind of pattern")
    position.value = checked(value, 0, VALUES - 1, "a clue")
    if len(window) != 4:
        raise ValueError(f"expected four numbers for a window, got {len(window)}")
    for k in range(4):
        position.window[k] = checked(window[k], -FARTHEST, FARTHEST, "a vertex of a window")
    return 0


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


cdef class PlacedPatterns:
    """Every place of every rule on a board of a ``grid``, in the order of the rules: *instances*.

    ``faces`` are masks of allowed counts. No rule is laid over a vertex of ``ends``: its degree is
    another. Raises ``ValueError`` for another board, and `MemoryLimit` when more than ``limit``
    bytes are needed.
    """

    def __cinit__(
        self,
        Positions positions not None,
        Grid grid not None,
        bytes faces,
        ends: Iterable[int],
        size_t limit,
    ):
        cdef Frame *f = &grid.frame
        cdef Patterns *p = &positions.patterns
        cdef int8_t *clues
        cdef uint8_t *is_end
        cdef uint8_t *masks
        cdef StopToken watch
        cdef bint fits, any_end = False
        cdef int face, clue
        arena_open(&self.arena, limit)
        masks = loaded(&self.arena, faces, f.faces, 32, "masks of counts")
        clues = <int8_t *>room(&self.arena, f.faces, 1)
        is_end = <uint8_t *>room(&self.arena, f.vertices, 1)
        for face in range(f.faces):
            clues[face] = -1
            for clue in range(VALUES):
                if masks[face] == 1 << clue:
                    clues[face] = <int8_t>clue
        for vertex in ends:
            is_end[checked(vertex, 0, f.vertices - 1, "a vertex")] = any_end = True
        self.layout.vertices, self.layout.columns = f.vertices, f.columns
        self.layout.width = p.width
        watch_start(&watch, INFINITY, RATE)
        with nogil:
            fits = place_all(p, f, clues, is_end, any_end, &self.layout, &self.arena, &watch)
        watch_raise(&watch, None)
        if not fits:
            arena_error(&self.arena, "the deduction")
        arena_release(&self.arena, masks)
        arena_release(&self.arena, clues)
        arena_release(&self.arena, is_end)
        arrange(&self.layout, &self.arena, f)

    def __dealloc__(self):
        arena_close(&self.arena)

    def __len__(self) -> int:
        return self.layout.size

    def rule(self, instance: Any) -> int:
        """The number of the rule of an instance."""
        return self.layout.instance[instance_of(self, instance)].rule

    def clues(self, instance: Any) -> list[int]:
        """The faces whose clues are needed, the first one before the others."""
        return listed(row_of(&self.layout, ASKED, instance_of(self, instance)))

    def premises(self, instance: Any) -> list[int]:
        """The literals that must hold."""
        return listed(row_of(&self.layout, PREMISES, instance_of(self, instance)))

    def conclusions(self, instance: Any) -> list[int]:
        """The literals that follow."""
        return listed(row_of(&self.layout, CONCLUSIONS, instance_of(self, instance)))


cdef list listed(const int32_t *literal):
    """Numbers up to the one below 0 that ends them."""
    cdef list found = []
    while literal[0] >= 0:
        found.append(literal[0])
        literal += 1
    return found


cdef int instance_of(PlacedPatterns laid, object number) except -1:
    return checked(number, 0, laid.layout.size - 1, "an instance")
