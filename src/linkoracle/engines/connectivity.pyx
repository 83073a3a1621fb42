"""Connectivity for a solver that knows clauses alone: cuts, and clauses for paths.

`CutMaker` excludes components that no solution has, once a model of the solver has them.
`PathClauses` states beforehand which path a vertex is on, and what holds of taut solutions.

Contents
    Components  of the chosen edges, and vertices added to them
    Cuts        the clauses that exclude a component: `CutMaker`
    Paths       colours of paths, and taut solutions: `PathClauses`
"""

from itertools import chain, combinations
from typing import NamedTuple

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t

from linkoracle.engines.clauses import on_path

from linkoracle.board.plane_kernel cimport NO_FACE, Plane, PlaneArrays, edge_between, far_end
from linkoracle.core.kernels cimport Arena, arena_close, arena_error, arena_open, arena_take
from linkoracle.lines.lines cimport NONE, pair_terminals


# ---- Components ----------------------------------------------------------------------------------
#
# Chosen edges as components, and the vertices that a cut speaks of.
#
# The edges at a vertex are two, or one at an end: at a terminal, or anywhere if ends are free. So a
# component is a path between ends or a cycle, and is found by walking.

cdef enum:
    PASS = 0b100  # degree mask of a vertex that must be used


cdef struct Vertex:
    int32_t chosen[2]  # its chosen edges
    int32_t degree  # how many these are
    bint used_always  # whether every solution uses it
    bint inside  # whether it is in X


cdef struct ComponentData:
    int vertices  # where its vertices begin among those in the order of the walks
    int edges  # where its edges do
    int size  # how many edges; a path has one vertex more
    bint closed  # whether it is a cycle


cdef struct Components:
    Plane plane
    bint single  # whether a solution is one component, rather than paths between mates
    bint free  # whether it is a path that may end anywhere
    Vertex *vertices
    int32_t *mates  # the terminal to be joined to a vertex, or NONE
    uint8_t *demands  # whether the clue of a face makes each of its edges a witness
    int32_t *chosen  # the edges to check
    int num_chosen
    int32_t *terminals  # in the order of the pairs
    int num_terminals
    int32_t *walked_vertices  # in the order of the walks
    int32_t *walked_edges
    int num_walked  # vertices that have been walked over
    ComponentData *parts
    int num_parts
    int32_t *inside  # the vertices of X
    int num_inside
    int32_t *beside  # vertices that may be added to X; each of X brings its neighbours


cdef inline bint meet_edges(Components *b) noexcept nogil:
    """Note the chosen edges at their vertices; False where there are too many, or too few."""
    cdef int i, k, edge, here
    cdef Vertex *vertex
    for i in range(b.num_chosen):
        edge = b.chosen[i]
        for k in range(2):
            here = b.plane.ends[2 * edge + k]
            vertex = &b.vertices[here]
            if vertex.degree == 2 or vertex.degree == 1 and b.mates[here] != NONE:
                return False
            vertex.chosen[vertex.degree] = edge
            vertex.degree += 1
    if b.free:
        return True
    for i in range(b.num_chosen):
        for k in range(2):
            here = b.plane.ends[2 * b.chosen[i] + k]
            if b.vertices[here].degree == 1 and b.mates[here] == NONE:
                return False
    return True


cdef inline void leave_edges(Components *b) noexcept nogil:
    """Forget what `meet_edges` noted."""
    cdef int i, k
    for i in range(b.num_chosen):
        for k in range(2):
            b.vertices[b.plane.ends[2 * b.chosen[i] + k]].degree = 0


cdef inline void walk(Components *b, int start, int edge) noexcept nogil:
    """Walk along a component that was not met yet; its vertices lose their degree."""
    cdef ComponentData *part = &b.parts[b.num_parts]
    cdef int here = start, walked = b.num_walked
    cdef bint ends
    cdef Vertex *vertex
    part.vertices = walked
    part.edges = b.parts[b.num_parts - 1].edges + b.parts[b.num_parts - 1].size if b.num_parts else 0
    part.size = 0
    while True:
        b.walked_vertices[walked] = here
        walked += 1
        vertex = &b.vertices[here]
        ends, vertex.degree = vertex.degree == 1, 0
        if part.size:
            if ends:
                part.closed = False
                break
            edge = vertex.chosen[1] if vertex.chosen[0] == edge else vertex.chosen[0]
        b.walked_edges[part.edges + part.size] = edge
        part.size += 1
        here = far_end(&b.plane, edge, here)
        if here == start:
            part.closed = True
            break
    b.num_walked = walked
    b.num_parts += 1


cdef inline bint find_parts(Components *b) noexcept nogil:
    """Split the chosen edges into components; False if a vertex has a number that is not allowed.

    Paths come first: those of terminals, in their order, or those with free ends. Cycles follow, in
    the order of the edges.
    """
    cdef int i, vertex, place
    b.num_parts = b.num_walked = 0
    if not meet_edges(b):
        leave_edges(b)
        return False
    for i in range(b.num_terminals):
        vertex = b.terminals[i]
        if b.vertices[vertex].degree:
            walk(b, vertex, b.vertices[vertex].chosen[0])
    for place in range(2 * b.num_chosen if b.free else 0):
        vertex = b.plane.ends[2 * b.chosen[place // 2] + place % 2]
        if b.vertices[vertex].degree == 1:
            walk(b, vertex, b.vertices[vertex].chosen[0])
    for i in range(b.num_chosen):
        vertex = b.plane.ends[2 * b.chosen[i]]
        if b.vertices[vertex].degree:
            walk(b, vertex, b.chosen[i])
    return True


cdef inline int extent(ComponentData *part) noexcept nogil:
    """How many vertices a component has."""
    return part.size if part.closed else part.size + 1


cdef inline bint is_bad(Components *b, ComponentData *part) noexcept nogil:
    """Whether a component is part of no solution: it is neither a path of a pair nor a loop."""
    cdef int32_t *vertices = &b.walked_vertices[part.vertices]
    return part.closed or b.mates[vertices[0]] != vertices[part.size]


cdef inline bint breaks_rule(Components *b) noexcept nogil:
    """Whether the components break the connectivity constraint."""
    cdef int i
    if b.single:
        return b.num_parts != 1
    for i in range(b.num_parts):
        if is_bad(b, &b.parts[i]):
            return True
    return False


cdef inline void enter(Components *b, int vertex) noexcept nogil:
    if not b.vertices[vertex].inside:
        b.vertices[vertex].inside = True
        b.inside[b.num_inside] = vertex
        b.num_inside += 1


cdef inline void grow(Components *b, const uint8_t *used) noexcept nogil:
    """Add unused vertices to X where that makes D(X) smaller.

    O(vertices of X), as each one added leaves fewer edges in D(X) than before.
    """
    cdef Plane *p = &b.plane
    cdef int i, k, waiting = 0, joined, here
    for i in range(b.num_inside):
        here = b.inside[i]
        for k in range(p.starts[here], p.starts[here + 1]):
            b.beside[waiting] = far_end(p, p.edges[k], here)
            waiting += 1
    while waiting:
        waiting -= 1
        here = b.beside[waiting]
        if b.vertices[here].inside or used[here]:
            continue
        joined = 0
        for k in range(p.starts[here], p.starts[here + 1]):
            joined += b.vertices[far_end(p, p.edges[k], here)].inside
        if 2 * joined > p.starts[here + 1] - p.starts[here]:
            enter(b, here)
            for k in range(p.starts[here], p.starts[here + 1]):
                b.beside[waiting] = far_end(p, p.edges[k], here)
                waiting += 1


cdef inline void leave(Components *b) noexcept nogil:
    """Empty X."""
    cdef int i
    for i in range(b.num_inside):
        b.vertices[b.inside[i]].inside = False
    b.num_inside = 0


# ---- Cuts ----------------------------------------------------------------------------------------
#
# The components of chosen edges, and cuts that exclude those that no solution has.
#
# A model of the solver satisfies the local constraints, so its edges form paths between terminals
# or free ends, and cycles. Every cut has the vertex-cut form. Let X be the vertex set of one
# component of the chosen edges, with any unused vertices added, and D(X) the edges with one end in
# X. The model has chosen none of D(X). Soundness, case by case, for *every* solution of the model:
#
# * **Loop, or a path with free ends.** The solution is one cycle, or one path. If some edge inside
#   X and some edge outside X are chosen, it passes from X to its complement, so an edge of D(X) is
#   chosen. One component breaks no constraint here: a local constraint gives a path one edge less
#   than vertices.
# * **Paths, X a cycle.** X has no terminal. If some edge inside X is chosen, it lies on a path
#   whose ends are outside X, so an edge of D(X) is chosen.
# * **Paths, X a path that joins ends of different pairs.** X has one end of a pair and not the
#   other, whose path must leave X: an edge of D(X) is chosen, unconditionally.
#
# "Some edge inside X is chosen" needs a reason, the *witness*. The plain witness is an edge e of
# the component itself, and the clause then begins with not-e. A better one is a clue: a face whose
# edges are one cycle of length k, that requires at least k - 2 of them, and that has an edge e of
# the component. Of its edges, e and the two beside it meet X, and only the other k - 3 can miss X
# altogether: so at least one chosen edge lies inside X or in D(X). The clause needs no not-e and is
# stronger. On squares that is a clue of at least two. (The complement has the same witness, seen
# from another component.) If the clue may be withdrawn, the clause has the negated selector of the
# clue, and so stays valid forever.
#
# A vertex of X that must be used, or is the end of an edge that every solution has, is a witness,
# too: it has a chosen edge inside X or in D(X). Forbidden edges and holes only take solutions away,
# so every cut that holds without them holds with them.
#
# Unused vertices are added where that makes D(X) smaller. The clause then speaks for every
# component that X has room for, where otherwise each of its many variants would need a cut of its
# own: on boards of 40x40 cells with few clues, queries that took thousands of rounds take some
# tens.

class Component(NamedTuple):
    """A connected part of the chosen edges: a path from its first to last vertex, or a cycle."""

    vertices: list[int]
    edges: list[int]
    closed: bool


cdef list take_boundary(Components *b):
    """The literals of D(X); X is empty afterwards."""
    cdef int i, k, here, edge
    cdef list literals = []
    for i in range(b.num_inside):
        here = b.inside[i]
        for k in range(b.plane.starts[here], b.plane.starts[here + 1]):
            edge = b.plane.edges[k]
            if not b.vertices[far_end(&b.plane, edge, here)].inside:
                literals.append(edge + 1)
    leave(b)
    return literals


cdef list witness(Components *b, ComponentData *part, dict demanding):
    """The literals without which some edge inside the component or at its border is chosen."""
    cdef int i, k, face
    for i in range(extent(part)):
        if b.vertices[b.walked_vertices[part.vertices + i]].used_always:
            return []
    for i in range(part.size):
        for k in range(2):
            face = b.plane.faces[2 * b.walked_edges[part.edges + i] + k]
            if face != NO_FACE:
                if b.demands[face]:
                    return []
                if demanding and face in demanding:
                    return demanding[face]
    return [-1 - b.walked_edges[part.edges]]


# -- for Python --


cdef class CutMaker:
    """Finds the components of chosen edges and writes the cuts that exclude them.

    One instance serves one `LinkModel`, in one thread at a time. ``fixed`` has for each edge 1 if
    every solution has it. Edges to check are at most two at a vertex and at most one at a terminal;
    no other vertex has only one, unless ends are free. Raises ``ValueError`` for other edges, and
    for ids that are not on the board.
    """

    cdef Arena arena
    cdef Components board
    cdef PlaneArrays arrays  # of the board's plane
    cdef object model  # until the clues of its faces are read
    cdef uint8_t *used  # by vertex: whether a component has it

    def __cinit__(self, model: LinkModel, bytes fixed=b""):
        cdef Components *b = &self.board
        cdef bytes degrees = model.degrees
        cdef int64_t vertices, edges
        cdef int i
        arena_open(&self.arena, <size_t>-1)
        self.arrays = model.board.plane
        b.plane = self.arrays.plane
        vertices, edges = b.plane.num_vertices, b.plane.num_edges
        if len(degrees) != vertices or len(model.faces) != b.plane.num_faces:
            raise ValueError("expected a degree mask for each vertex, a count mask for each face")
        if len(fixed) not in (0, edges):
            raise ValueError("expected a value for each edge")
        b.free = model.free_ends
        b.single = model.loop or b.free
        b.demands = <uint8_t *>arena_take(&self.arena, b.plane.num_faces, sizeof(uint8_t))
        b.chosen = <int32_t *>arena_take(&self.arena, edges, sizeof(int32_t))
        b.mates = <int32_t *>arena_take(&self.arena, vertices, sizeof(int32_t))
        b.terminals = <int32_t *>arena_take(&self.arena, vertices, sizeof(int32_t))
        b.walked_vertices = <int32_t *>arena_take(&self.arena, vertices, sizeof(int32_t))
        b.walked_edges = <int32_t *>arena_take(&self.arena, edges, sizeof(int32_t))
        b.parts = <ComponentData *>arena_take(&self.arena, vertices, sizeof(ComponentData))
        b.inside = <int32_t *>arena_take(&self.arena, vertices, sizeof(int32_t))
        b.beside = <int32_t *>arena_take(&self.arena, 2 * edges, sizeof(int32_t))
        self.used = <uint8_t *>arena_take(&self.arena, vertices, sizeof(uint8_t))
        b.vertices = <Vertex *>arena_take(&self.arena, vertices, sizeof(Vertex))
        if self.arena.refused:
            arena_error(&self.arena, "checking edges")
        pair_terminals(b.mates, b.plane.num_vertices, model)
        for terminal in chain.from_iterable(model.terminals):
            b.terminals[b.num_terminals] = terminal
            b.num_terminals += 1
        for i in range(b.plane.num_vertices):
            b.vertices[i].used_always = degrees[i] == PASS
        for i in range(len(fixed)):
            if fixed[i] == 1:
                b.vertices[b.plane.ends[2 * i]].used_always = True
                b.vertices[b.plane.ends[2 * i + 1]].used_always = True
        self.model = model

    def __dealloc__(self):
        arena_close(&self.arena)

    def check(
        self,
        list model: list[int],
        dict demanding: dict[int, list[int]],
        *,
        bint thorough,
        list insides: list[list[int]] | None = None,
    ) -> tuple[tuple[int, ...], list[list[int]]]:
        """The chosen edges of a solver's model, and the `cuts` that it deserves.

        ``model`` is what PySAT returns: the literal of variable *i* at place *i - 1*. For each cut
        its vertices are added to ``insides``.
        """
        cdef Components *b = &self.board
        cdef int edge
        cdef int64_t literal
        if len(model) < b.plane.num_edges:
            raise ValueError("expected a literal for each edge")
        b.num_chosen = 0
        for edge in range(b.plane.num_edges):
            literal = model[edge]
            if literal > 0:
                b.chosen[b.num_chosen] = edge
                b.num_chosen += 1
        chosen = tuple([b.chosen[edge] for edge in range(b.num_chosen)])
        return chosen, self._cuts(demanding, thorough, insides)

    def cuts(
        self, edges: Iterable[int], dict demanding: dict[int, list[int]], *, bint thorough=True
    ) -> list[list[int]]:
        """Return clauses that exclude these edges: one for each component that no solution has.

        None for a solution. Beside the rules of the model, ``demanding`` maps every face that is to
        have two edges or more to the literals that are false meanwhile. Only if ``thorough``,
        unused vertices are added to the components: that takes as long as all the rest, and pays
        if queries are hard.
        """
        self._load(edges)
        return self._cuts(demanding, thorough, None)

    def components(self, edges: Iterable[int]) -> list[Component]:
        """Split edges into paths and cycles. O(edges)."""
        cdef Components *b = &self.board
        cdef ComponentData *part
        cdef int i, k
        cdef list found = []
        self._load(edges)
        self._find_parts()
        for i in range(b.num_parts):
            part = &b.parts[i]
            vertices = [b.walked_vertices[part.vertices + k] for k in range(extent(part))]
            walked = [b.walked_edges[part.edges + k] for k in range(part.size)]
            found.append(Component(vertices, walked, part.closed))
        return found

    cdef int _load(self, edges) except -1:
        """Take these edges to check."""
        cdef Components *b = &self.board
        cdef int64_t edge
        b.num_chosen = 0
        for edge in edges:
            if not 0 <= edge < b.plane.num_edges or b.num_chosen == b.plane.num_edges:
                raise ValueError(f"expected different edges of the board, got {edge}")
            b.chosen[b.num_chosen] = edge
            b.num_chosen += 1
        return 0

    cdef int _find_parts(self) except -1:
        if not find_parts(&self.board):
            raise ValueError("expected two edges at a vertex, one at a terminal, or none")
        return 0

    cdef list _cuts(self, dict demanding, bint thorough, list insides):
        cdef Components *b = &self.board
        cdef ComponentData *part
        cdef int i, k
        cdef Py_ssize_t face
        cdef list found = [], witnesses = []
        self._find_parts()
        if not breaks_rule(b):
            return found
        if self.model is not None:
            # Most puzzles need no cut.
            for face, (mask, low) in enumerate(zip(self.model.faces, self.model.board.low_masks)):
                b.demands[face] = not mask & low
            self.model = None
        for k in range(b.num_walked):
            self.used[b.walked_vertices[k]] = True
        for i in range(b.num_parts):
            part = &b.parts[i]
            # A path that joins ends of different pairs needs none.
            witnesses.append(witness(b, part, demanding) if part.closed or b.single else [])
        try:
            for i in range(b.num_parts):
                part = &b.parts[i]
                if not b.single and not is_bad(b, part):
                    continue
                for k in range(extent(part)):
                    enter(b, b.walked_vertices[part.vertices + k])
                if thorough:
                    grow(b, self.used)
                if insides is not None:
                    insides.append([b.inside[k] for k in range(b.num_inside)])
                clause = take_boundary(b) + witnesses[i]
                if b.single:
                    # It must have an edge outside, too.
                    clause += witnesses[i - 1 if i else b.num_parts - 1]
                found.append(clause)
        finally:
            leave(b)
            for k in range(b.num_walked):
                self.used[b.walked_vertices[k]] = False
        return found


# ---- Paths ---------------------------------------------------------------------------------------
#
# Clauses for paths between terminals: which path a vertex is on, and what holds of taut solutions.
#
# Colours are stated on any board. Taut solutions are those of squares.
#
# Edge *e* is variable ``e + 1``. Each vertex has a *colour*, the number of its path in binary,
# equal along each chosen edge. The colour of an unused vertex means nothing. One variable for each
# pair and vertex would need O(pairs) variables a vertex instead of O(log pairs), and decides no
# more of the published puzzles.
#
# A solution of a free board is *taut* when no path can be straightened and no corner pushed down;
# ``docs/explanation/taut.md`` defines this, and proves that no other solutions are needed to decide
# uniqueness. Any side of the board may be the one that is down. The clauses state what follows from
# the definition, which is more than the definition:
#
# * **Chord.** Neighbours on one path are joined. So no face has three of its edges.
# * **Corner.** A corner at v with an edge down has a fourth cell d, diagonally below it. Were d
#   unused, v could be pushed down to d. So d is used, by another path, since anything else would be
#   a chord. As the arms of v are in the way, d is a terminal or a corner that turns like v, and
#   then the same holds of d. So the diagonal from v comes to a terminal; where it does not, a
#   clause of two literals forbids the corner.
# * **Cup.** A straight run with both ends going up. Were all cells above it, between its arms,
#   unused, the arms would see each other. So one of them is used, by another path. That path cannot
#   cross the run, so it ends there, or makes a narrower cup there. By induction there is a terminal
#   in the triangle that stands on the run, one cell narrower at both ends in each row.
#
# What hangs on a terminal, or stands on one, may do so on a hole as well.

cdef enum:
    STATED = 20_000  # clauses between two looks at the clock: some hundredths of a second
    GOES_ON = 0b100  # of the degree mask of a vertex that is no terminal and no hole
    WIDEST = 8  # edges of the longest cup that is forbidden: longer ones are rare, and their clauses long


cdef struct PathEncoding:
    Plane plane
    int rows  # of vertices, if it is a square board
    int cols
    const uint8_t *degrees
    bint turned  # whether its columns are seen as rows
    bint flipped  # whether rows are seen in the reverse order, after that
    int seen_rows
    int seen_cols


cdef inline int seen_vertex(const PathEncoding *b, int row, int col) noexcept nogil:
    """The vertex that is seen there."""
    row = b.seen_rows - 1 - row if b.flipped else row
    return col * b.cols + row if b.turned else row * b.cols + col


cdef inline int seen_right(const PathEncoding *b, int row, int col) noexcept nogil:
    """The variable of the edge that is seen to the right of a vertex."""
    return 1 + edge_between(&b.plane, seen_vertex(b, row, col), seen_vertex(b, row, col + 1))


cdef inline int seen_down(const PathEncoding *b, int row, int col) noexcept nogil:
    return 1 + edge_between(&b.plane, seen_vertex(b, row, col), seen_vertex(b, row + 1, col))


cdef inline int seen_beside(const PathEncoding *b, int row, int col, int side) noexcept nogil:
    """The variable of the edge to the right (``side`` 1) or to the left (-1)."""
    return seen_right(b, row, col if side > 0 else col - 1)


cdef inline bint supports(const PathEncoding *b, int row, int col) noexcept nogil:
    """Whether a terminal or a hole is seen there."""
    return not b.degrees[seen_vertex(b, row, col)] & GOES_ON


cdef bint cup_stands(const PathEncoding *b, int row, int first, int last) noexcept nogil:
    """Whether the triangle on the cells between two columns has a terminal or a hole."""
    cdef int height, col
    for height in range(1, min(row, (last - first) // 2) + 1):
        for col in range(first + height, last - height + 1):
            if supports(b, row - height, col):
                return True
    return False


cdef class PathClauses:
    """The clauses of one model of paths; raises ``ValueError`` for other models.

    >>> from linkoracle.board.lattice import Lattice
    >>> from linkoracle.board.model import LinkModel
    >>> from linkoracle.core.limits import Deadline
    >>> board = PathClauses(LinkModel.blank_paths(Lattice(1, 2), [(0, 1)]))
    >>> board.bits, board.num_colours, board.num_taut
    (1, 2, 3)
    >>> stated = []
    >>> board.state_colours(2, stated.append, Deadline(None))
    >>> stated
    [[-2], [-3], [-1, -2, 3], [-1, 2, -3]]
    """

    cdef PathEncoding board
    cdef PlaneArrays arrays  # of the board's plane
    cdef object model
    cdef bytes degrees
    #: The number of variables for the colour of a vertex.
    cdef readonly int bits

    def __cinit__(self, model: LinkModel):
        if model.loop:
            raise ValueError("expected a model of paths, got one of a loop")
        self.arrays = model.board.plane
        self.board.plane = self.arrays.plane
        if len(model.degrees) != self.board.plane.num_vertices:
            raise ValueError("expected a degree mask for each vertex")
        self.model, self.degrees = model, model.degrees
        self.board.degrees = self.degrees
        self.bits = max(1, (len(model.terminals) - 1).bit_length())

    @property
    def num_colours(self) -> int:
        """The number of variables for `state_colours`: ``bits`` for each vertex, lowest first."""
        return <int64_t>self.board.plane.num_vertices * self.bits

    @property
    def num_taut(self) -> int:
        """The number of further variables for `state_taut`: first whether each vertex is used."""
        return self.board.plane.num_vertices + <int64_t>self.board.plane.num_edges * self.bits

    def state_colours(self, int64_t colours, add: Add, deadline: Deadline) -> None:
        """Call ``add`` with each clause of the colours, whose first variable is ``colours``.

        O(edges * bits) clauses. Raises `SearchTimeout` at the deadline, before all are added.
        """
        cdef PathEncoding *b = &self.board
        cdef Stating stating = Stating(add, [], deadline)
        cdef int number, vertex, bit, edge, sign, size = self.bits
        cdef int64_t one, other
        for number, pair in enumerate(self.model.terminals):
            for vertex in pair:
                one = colours + <int64_t>vertex * size
                for literal in on_path(range(one, one + size), number):
                    stating.say([literal])
        for sign in range(1, -2, -2):
            for edge in range(b.plane.num_edges):
                one = colours + <int64_t>b.plane.ends[2 * edge] * size
                other = colours + <int64_t>b.plane.ends[2 * edge + 1] * size
                for bit in range(size):
                    stating.say([-1 - edge, -sign * (one + bit), sign * (other + bit)])

    def state_taut(
        self,
        int64_t colours,
        int64_t first,
        str side,
        list unless: list[int],
        add: Add,
        deadline: Deadline,
    ) -> None:
        """Call ``add`` with each clause that holds of taut solutions, with ``side`` down: squares.

        ``colours`` is the first variable of the colours, ``first`` that of the new ones; every
        clause has the literals ``unless``. O(vertices * bits) clauses. Raises ``ValueError`` for
        an invalid side, and `SearchTimeout` at the deadline, before all are added.
        """
        if side not in ("bottom", "top", "right", "left"):
            raise ValueError(f"expected a side of the board; got {side!r}")
        cdef PathEncoding b = self.board
        cdef Stating stating = Stating(add, unless, deadline)
        b.rows, b.cols = self.model.lattice.rows, self.model.lattice.cols
        say_chords(&b, stating, self.bits, colours, first)
        b.turned, b.flipped = side in ("right", "left"), side in ("top", "left")
        b.seen_rows, b.seen_cols = (b.cols, b.rows) if b.turned else (b.rows, b.cols)
        say_corners(&b, stating)
        say_cups(&b, stating)


cdef class Stating:
    """Clauses on their way to a solver."""

    cdef object add
    cdef object deadline
    cdef list unless
    cdef int said

    def __init__(self, add: Add, list unless: list[int], deadline: Deadline):
        self.add, self.unless, self.deadline = add, unless, deadline

    cdef int say(self, list clause) except -1:
        self.add(self.unless + clause if self.unless else clause)
        self.said += 1
        if self.said % STATED == 0:
            self.deadline.check()
        return 0


cdef int say_chords(PathEncoding *b, Stating stating, int bits, int64_t colours, int64_t used) except -1:
    """Used neighbours of equal colour are joined; so no face has three of its edges."""
    cdef int edge, vertex, k, bit, sign
    cdef int64_t one, other, differ = used + b.plane.num_vertices
    cdef list clause
    for edge in range(b.plane.num_edges):
        stating.say([-1 - edge, used + b.plane.ends[2 * edge]])
    for edge in range(b.plane.num_edges):
        stating.say([-1 - edge, used + b.plane.ends[2 * edge + 1]])
    for vertex in range(b.plane.num_vertices):
        clause = [-used - vertex]
        for k in range(b.plane.starts[vertex], b.plane.starts[vertex + 1]):
            clause.append(1 + b.plane.edges[k])
        stating.say(clause)
    for sign in range(1, -2, -2):
        for edge in range(b.plane.num_edges):
            one = colours + <int64_t>b.plane.ends[2 * edge] * bits
            other = colours + <int64_t>b.plane.ends[2 * edge + 1] * bits
            for bit in range(bits):
                stating.say(
                    [-differ - <int64_t>edge * bits - bit, sign * (one + bit), sign * (other + bit)]
                )
    for edge in range(b.plane.num_edges):
        clause = [edge + 1, -used - b.plane.ends[2 * edge], -used - b.plane.ends[2 * edge + 1]]
        for bit in range(bits):
            clause.append(differ + <int64_t>edge * bits + bit)
        stating.say(clause)
    for k in range(b.plane.num_faces):
        sides = [-1 - b.plane.face_edges[edge] for edge in range(4 * k, 4 * k + 4)]
        for three in combinations(sides, 3):
            stating.say([*three])
    return 0


cdef int say_corners(PathEncoding *b, Stating stating) except -1:
    """A corner with an edge down needs a diagonal that comes to a terminal or a hole."""
    cdef int side, row, col, beyond, down, beside
    #: Whether the diagonal from a vertex comes there.
    cdef bytearray hangs
    for side in range(-1, 2, 2):
        hangs = bytearray(b.plane.num_vertices)
        for row in range(b.seen_rows - 2, -1, -1):
            for col in range(max(0, -side), min(b.seen_cols, b.seen_cols - side)):
                if supports(b, row, col):
                    continue
                beyond = col + side
                down, beside = -seen_down(b, row, col), -seen_beside(b, row, col, side)
                if supports(b, row + 1, beyond):
                    stating.say([down, beside, -seen_down(b, row, beyond)])
                    stating.say([down, beside, -seen_beside(b, row + 1, beyond, -side)])
                elif hangs[(row + 1) * b.seen_cols + beyond]:
                    stating.say([down, beside, seen_down(b, row + 1, beyond)])
                    stating.say([down, beside, seen_beside(b, row + 1, beyond, side)])
                else:
                    stating.say([down, beside])
                    continue
                hangs[row * b.seen_cols + col] = True
    return 0


cdef int say_cups(PathEncoding *b, Stating stating) except -1:
    """A cup needs a terminal or a hole that it stands on."""
    cdef int row, first, last, col
    cdef list clause
    for row in range(1, b.seen_rows):
        for first in range(b.seen_cols):
            for last in range(first + 2, min(b.seen_cols, first + WIDEST + 1)):
                if not cup_stands(b, row, first, last):
                    clause = [-seen_down(b, row - 1, first)]
                    for col in range(first, last):
                        clause.append(-seen_right(b, row, col))
                    clause.append(-seen_down(b, row - 1, last))
                    stating.say(clause)
    return 0
