"""What boards share: `Grid`, those of one size, and `Positions`, the rules that stand on them."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t

from linkoracle.core.arena cimport arena_close, arena_open
from linkoracle.core.index cimport Index
from linkoracle.deduce.kernel.geometry cimport (
    find_fills, place_cells, place_cuts, place_edges, place_rim, place_windows
)
from linkoracle.deduce.kernel.laying cimport MASKS, PatternLiteral, Patterns, Position
from linkoracle.deduce.kernel.loading cimport index_rows, room
from linkoracle.deduce.kernel.state cimport ASKED, PARTS, PATTERN_KINDS, Frame

from linkoracle.board.lattice import Lattice
from linkoracle.core.errors import MemoryLimit

#: Of a clue or literal: whether the edge goes down, row and column, the clue or whether it crosses.
Parts: TypeAlias = "list[tuple[int, int, int, int]]"
#: A position of a rule: see `Positions`.
Given: TypeAlias = "tuple[int, int, int, tuple[int, int, int, int], Parts, Parts, Parts]"

cdef enum:
    # Sums over all edges are numbered with 32 bits, ten literals for each.
    MOST_EDGES = 1 << 27
    MOST_CLUE = 4
    FARTHEST = 8  # rows or columns from the anchor of a rule to what it speaks of
    LONGEST = 64  # clues or literals of a rule


cdef class Grid:
    """The geometry of lattices with ``rows`` x ``cols`` vertices, in memory of its own.

    The outside is face ``num_faces``, beyond the edges of ``rim`` one more. Raises ``ValueError``
    for what is no lattice, or no edge of its rim, and `MemoryLimit` when more than ``limit`` bytes
    are needed. O(rows * cols).
    """

    def __cinit__(self, Py_ssize_t rows, Py_ssize_t cols, tuple rim: tuple[int, ...], size_t limit):
        cdef Frame *f = &self.frame
        arena_open(&self.arena, limit)
        if not (0 < rows <= MOST_EDGES and 0 < cols <= MOST_EDGES):
            raise ValueError(f"expected a lattice, got {rows} rows and {cols} columns")
        if rows > MOST_EDGES // (2 * cols):
            raise MemoryLimit(f"the deduction takes boards of up to {MOST_EDGES} edges")
        f.rows, f.columns = <int>rows, <int>cols
        self.board = Lattice(rows, cols).plane
        f.plane = self.board.plane
        f.vertices, f.edges, f.faces = f.plane.num_vertices, f.plane.num_edges, f.plane.num_faces
        f.cuts = f.rows - 1 + f.columns - 1
        place_edges(f, &self.arena)
        place_rim(f, &self.arena, rim)
        place_cuts(f, &self.arena)
        place_windows(f, &self.arena)
        place_cells(f, &self.arena)
        find_fills(f, &self.arena)

    def __dealloc__(self):
        arena_close(&self.arena)

    def sides(self, Py_ssize_t edge) -> tuple[int, int]:
        """The faces on both sides of an edge; ``num_faces`` and the next are outside."""
        if not 0 <= edge < self.frame.edges:
            raise ValueError(f"expected an edge from 0 to {self.frame.edges - 1}, got {edge}")
        return self.frame.edge[edge].sides[0], self.frame.edge[edge].sides[1]

    def tables(self) -> dict[str, list[Any]]:
        """A copy of all that boards of this size share, by name, for tests and debugging.

        Rows as lists; what belongs to a key as a list for each.
        """
        cdef Frame *f = &self.frame
        cdef Py_ssize_t at
        cdef int kind
        found = {
            "edges": [
                ([f.plane.ends[2 * at], f.plane.ends[2 * at + 1]], f.edge[at].sides, f.edge[at].cut)
                for at in range(f.edges)
            ],
            "rings": [f.ring[at].edges for at in range(f.vertices + f.faces)],
            "rim": [f.rim[at] for at in range(f.rims)],
            "crossing": items(&f.crossing, f.cuts),
            "cells": [f.cell[at].edges for at in range(f.faces)],
            "cells at": items(&f.cells, f.edges),
            "fills": [f.free_fills[at] for at in range(f.fills)],
        }
        for kind in range(2):
            found[f"windows {kind + 2}"] = [
                (f.window[at].faces, f.window[at].dots)
                for at in range(f.window_first[kind], f.window_first[kind + 1])
            ]
            found[f"windows {kind + 2} at"] = items(&f.windows[kind], f.faces + 2)
        return found


cdef list items(Index *index, Py_ssize_t keys):
    """The items of each key."""
    cdef Py_ssize_t key, at
    return [
        [index.found[at] for at in range(index.start[key], index.start[key + 1])]
        for key in range(keys)
    ]


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
                size = add_parts(p.part, size, parts[k], MOST_CLUE if k == ASKED else 1)
                # The anchor stands before the clues.
                p.width[k] = max(p.width[k], <int32_t>len(parts[k]) + 1 + (k == ASKED))
            p.position[at].parts[PARTS] = size
        index_rows(
            &p.by_key, &self.arena, MASKS * p.rules, &p.position[0].key, p.size,
            sizeof(Position) // sizeof(int32_t), 1,
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
    position.key = MASKS * position.rule + (1 << checked(value, 0, MOST_CLUE, "a clue"))
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
