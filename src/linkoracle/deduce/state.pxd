"""The board of the deduction: what a puzzle fixes, what changes, and how a board changes.

`techniques.pxd` and `deduction_engine.pyx` work on the two structs that are defined here, and change
a board by the functions of the section "Decisions" alone, so that `undo` can restore it.

Contents
    State      `Frame` holds what a puzzle fixes, `State` what changes; techniques and places
    Memory     arrays, numbers from Python, indexes
    Geometry   where the edges, faces, windows and cells of a lattice are
    Decisions  decide an edge, relate two items, show a clue; and undo that
    Patterns   rules in all their positions, and where they match on a board
    Setup      the facts of a puzzle, and the state before anything is known

What techniques call
    `put`, `put_agreed`     decide one edge, or those on which all cases agree
    `unite`                 relate two faces, or two vertices of one path
    `fail`                  note a contradiction; return False, as all do that find one
    `wait`, `next_waiting`  let an item wait for a technique; take one that waits
    `undo`                  return to an earlier length of the trail
    `turn`                  show or hide a clue
    `find_root`, `label_of`, `is_open`, `is_line`, `is_cross`  ask what is known
"""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

from cpython.number cimport PyNumber_Index

from linkoracle.board.plane_kernel cimport Plane
from linkoracle.core.kernels cimport (
    Arena, Index, StopToken, add_item, arena_error, arena_release, arena_take, count_item,
    place_items, watch_raise, watch_stops
)
from linkoracle.lines.lines cimport (
    UNKNOWN, Ends, Trail, Why, ends_open, grown, learn, merge_paths, part_paths, trail_open, unlearn
)


# ---- State ----------------------------------------------------------------------------------------
#
# Vertices, edges, faces, literals and placed rules are numbers of 32 bits: `Engine` takes no board
# for which these do not fit.

cdef enum:
    NOWHERE = -1
    ANY_COUNT = 31  # mask of allowed counts of a face without a clue
    CROSSES_NONE_OR_TWO = 5  # mask of the degrees 0 and 2
    ONE_LINE = 2  # mask of the degree 1
    MOST_GROUPS = 16  # windows with more unrelated groups of faces are left for later
    MAX_DEPTH = 6  # the deepest guess
    PATTERN_KINDS = 5  # kinds of patterns with premises
    WINDOW_FACES = 25  # faces in and around the largest window
    WINDOW_DOTS = 16
    WINDOW_EDGES = 40  # edges at these dots
    CELL_EDGES = 12  # edges of a cell, and those that leave it


cdef enum:  # the ways out of a vertex, in the order of a `Ring`
    UP_WAY
    LEFT_WAY
    RIGHT_WAY
    DOWN_WAY


cdef enum:  # what a line on the trail did to the paths
    APART
    MERGED  # made one of two
    CLOSED  # made a loop of one


cdef enum:  # kinds of items that wait for a technique
    SQUARES  # windows of 2x2 cells
    BLOCKS  # windows of 3x3 cells
    CELLS  # cells that might be flipped
    SITES  # vertices, then faces, around which all sides are tried
    KINDS


#: Why an edge is decided: the techniques, as in `linkoracle.deduce.rules`, which a test compares.
#: Each is the kind of a `Why`, here with what its index is: the place of its steps. A spot is a vertex, or an item counted after the vertices.
cdef enum:  # techniques
    CLUE  # a face: its clue has all its lines, or needs all its open edges
    DOT  # a vertex: a line goes on from where it ends, and never branches
    LOOP  # an edge: it would close a path, or join two, too early; or `NOWHERE`: all is complete
    BESIDE  # a spot, with an edge: a path does not run beside itself
    STATIC  # an instance of a pattern of clues
    REACH  # an instance: a line that reaches a 3
    CELL  # an instance: one clue and the edges at its corners
    PAIR  # an instance: two clues side by side
    SQUARE  # an instance: clues in a block of 2x2 cells
    PARITY  # a cut: a loop crosses it an even number of times
    POCKET  # a vertex: what lies behind it is reached through it, or not at all
    CORNER  # a spot, with an edge: a path turns around a number, or around another turn
    EMPTY  # a vertex: no path could go round through it
    PASSAGE  # a spot, with an edge: every way to join two equal numbers leads through it
    COLOUR  # an edge, with a face on each side
    BLOCK  # an instance: clues in a block of up to 3x3 cells
    SHADE  # a spot, with a face: the sides of faces around it fit in few ways
    ACCESS  # a spot, with an edge: only some labels get there
    REGION  # a face: all inside is connected, and all outside
    WINDOW  # a window of 2x2 cells: all ways to fill it agree
    WIDE  # a window of 3x3 cells, likewise
    UNIQUE  # a face: another choice would leave two solutions
    REFUTED  # an edge: a guess about it contradicts the rest; the first that is not a deduction
    EITHER  # an edge: a guess about it and its opposite lead to the same
    GIVEN  # `NOWHERE`: known from the beginning
    REASONS
    TECHNIQUES = 22


cdef struct Edge:
    int32_t sides[2]  # faces on both sides; the outside stands second, as a face after the others
    int32_t cut  # the straight cut that crosses it


cdef struct Ring:  # of a vertex or face
    int32_t edges[4]  # up, left, right and down; -1: not there


cdef struct Window:
    int32_t faces[WINDOW_FACES]  # in and around it, row by row
    int32_t dots[WINDOW_DOTS]  # row by row


cdef struct Cell:
    int32_t edges[CELL_EDGES]  # its own, and those that leave it; -1: not there


cdef enum:  # parts of a rule; of a placed rule, each is a row of numbers that ends with -1
    CONDITIONS  # faces whose clues are needed, the anchor first
    PREMISES  # literals that must hold
    CONCLUSIONS  # literals that follow
    PARTS


cdef struct Instance:  # a rule at one place of a board
    int32_t rule
    int32_t kind  # of pattern
    int32_t technique  # of the rule
    int32_t conditions  # how many clues it needs


cdef struct Layout:  # the instances on a board
    int32_t size  # instances
    int room  # the numbers that fit into `rows`
    int32_t first[PARTS + 1]  # where each part begins in a row, and the length of a row
    int32_t *rows  # by instance: an `Instance`, and its parts
    int32_t statics  # how many instances have no premises
    int32_t *static  # the instances without premises
    Index watchers  # instances, by kind of pattern and literal among the premises
    Index needing  # instances, by face whose clue they need


cdef struct Frame:  # what never changes
    int32_t vertices
    int32_t edges
    int32_t faces
    int32_t rows  # of vertices
    int32_t columns  # vertices a row
    int32_t cuts
    int32_t border_edges  # edges with the outside on one side
    int32_t window_first[3]  # where the windows of 2x2, then of 3x3 cells begin
    # Shared by all boards of one size.
    Plane plane
    Edge *edge
    Ring *ring  # by vertex, then by face
    Window *window
    Cell *cell  # by face
    int32_t *border
    Index crossing  # edges, by cut
    Index windows[2]  # windows of 2x2 and of 3x3 cells, by face in or beside them
    Index cells  # cells of which it is an edge, by edge
    int32_t fills
    int16_t *free_fills  # completions of a free cell that cannot be flipped, masks of its edges
    # Added by the puzzle.
    bint is_loop  # else one path for each pair
    bint coloured  # whether faces lie on two sides
    bint is_free  # whether the rules count nothing but the paths
    bint local  # whether windows can be surveyed on their own
    int32_t pairs
    uint8_t *degrees  # by vertex: mask of allowed degrees
    uint8_t *clues  # by face: mask of allowed counts where the clue is shown
    uint8_t *cut_odd  # by cut: whether an odd number of lines crosses it
    uint8_t *flips  # by face: whether that cell may be flipped
    int32_t *terminal  # by vertex: the label of a terminal, 0 for none
    int32_t *ends_of  # by label, from 1 on: its two terminals, the first at 2 * label - 2
    Layout layout
    bint notes  # whether shapes and labels are noted
    uint8_t enabled[2][TECHNIQUES]  # outside and inside of guesses


cdef struct Node:  # in a tree of related items: faces, or vertices that lie on one path
    int32_t parent
    int32_t odd  # whether it differs from its parent
    int32_t size  # of the tree below a root
    int32_t following  # the members of a class as a ring


cdef struct Merge:  # of two classes
    int32_t root  # which was put below another
    int32_t one  # the items that were found to be related
    int32_t other
    int32_t differ  # whether they are on different sides
    int32_t known  # how many literals were known before
    Why why


cdef struct Visit:  # of a face or vertex, depth first
    int32_t seen  # when, from 1; 0: not yet
    int32_t low  # the first that can be reached from below
    int32_t turn  # its edges that have been followed
    int32_t entry  # the edge to it
    int32_t known  # how many below it are known to be on the side that is examined
    int32_t ends  # terminals below it
    bint needed  # whether others are reached only through it, or lines must pass below it
    int32_t side  # 0 as the outside, 1 not so, 2 unknown


cdef struct Numbers:  # the scalars that change
    int32_t undecided  # open edges
    int32_t segments  # paths of at least one line
    int32_t unmet  # faces and vertices whose count of lines is not an allowed one yet
    int32_t left  # loops or pairs still to be completed
    int32_t merges  # of related items
    Why fault  # of the last contradiction
    int32_t merges_seen  # merges that `REGION` has taken into account
    int32_t statics_seen  # static patterns that were applied
    int32_t waiting[KINDS]  # how many of each kind wait
    int32_t heads[TECHNIQUES]  # how far along the trail each technique is
    int32_t cursors[MAX_DEPTH + 1]  # by depth: the edge to guess next
    int32_t noted  # literals of the trail that the notes include, -1: rebuild the notes
    int64_t notes  # how often a note has changed
    int64_t notes_seen[TECHNIQUES]  # changes that each technique has taken into account
    int32_t in_guess  # the current depth of guesses
    int32_t depth  # the greatest one of a guess that decided something
    int64_t guesses  # how many were made
    int64_t budget  # guesses that may still be made, negative for no limit


cdef struct State:
    Numbers n
    StopToken watch  # when the work must stop
    Trail trail  # of literals: 2 * edge for a line, 2 * edge + 1 for a cross; why: the technique
    uint8_t *joined  # by place on the trail: what a line did to the paths
    uint8_t *counts  # by face: mask of allowed counts, by the clues that are shown
    uint8_t *shown  # by face: whether its clue is shown
    uint8_t *missing  # by instance: the number of its clues that are hidden
    int32_t *window_clues  # by window: how many clues it shows; without clues, dots decide as much
    uint8_t *site_mask  # by vertex, then face: allowed counts; 0: not examined
    uint8_t *lines  # by vertex, then face
    uint8_t *crosses  # by vertex, then face; edges that are not there count
    int32_t *cut_open  # by cut: open edges
    int32_t *cut_lines
    Ends ends  # of paths, which may be a vertex alone
    Node *node
    Merge *merged
    int32_t *waiting[KINDS]
    uint8_t *is_waiting[KINDS]
    int8_t *snapshot[MAX_DEPTH + 1]  # by depth: the values of literals after the first guess
    int32_t *agreed[MAX_DEPTH + 1]  # by depth: literals that both guesses led to
    Visit *visit
    int32_t *stack  # the vertices or faces being visited
    uint64_t *inside  # by vertex: labels with one end below it, `label_words` words each
    int32_t label_words
    uint16_t *shapes  # by vertex: bit m: its lines may be those of mask m, see `techniques.pxd`
    uint8_t *shaped_by  # by vertex: the technique that last ruled out a shape
    uint64_t *carried  # by edge: labels of paths that may use it, `label_words` words each
    uint64_t *changed  # for `PASSAGE`, then for `ACCESS`: labels whose notes have changed
    uint8_t *walked  # by vertex and way out: a way from one end leads there 1, from the other 2
    int32_t *queue  # the vertices or ways being walked


cdef inline int32_t *row_of(const Layout *layout, int part, int instance) noexcept nogil:
    return layout.rows + <Py_ssize_t>instance * layout.first[PARTS] + layout.first[part]


cdef inline Instance *instance_of(const Layout *layout, int instance) noexcept nogil:
    return <Instance *>(layout.rows + <Py_ssize_t>instance * layout.first[PARTS])


cdef inline bint is_open(const State *s, int edge) noexcept nogil:
    return s.trail.values[2 * edge] == UNKNOWN


cdef inline bint is_line(const State *s, int edge) noexcept nogil:
    return s.trail.values[2 * edge] == 1


cdef inline bint is_cross(const State *s, int edge) noexcept nogil:
    return s.trail.values[2 * edge] == 0


cdef inline int label_of(const Frame *f, const State *s, int end) noexcept nogil:
    """Return the label that the path with this end has reached, 0 for none."""
    return max(f.terminal[end], f.terminal[s.ends.paths[end].end])


cdef inline int step_to(State *s, Visit *v, int node, int edge, int height) noexcept nogil:
    """Go from ``v`` to a node beside it, depth first; return the height of the stack.

    A new node goes on the stack, once before it is seen: its turn comes next.
    """
    if s.visit[node].seen:
        v.low = min(v.low, s.visit[node].seen)
        return height
    s.visit[node].entry = edge
    s.stack[height] = node
    return height + 1


# ---- Memory ---------------------------------------------------------------------------------------
#
# Load data into the memory of a board: arrays, numbers from Python, indexes by key.

cdef inline void *room(Arena *arena, Py_ssize_t count, size_t size) except NULL:
    """Allocate zeros; raise `MemoryLimit` if that is too much."""
    cdef void *taken = arena_take(arena, <size_t>count, size)
    if taken == NULL:
        arena_error(arena, "the deduction")
    return taken


cdef inline uint8_t *loaded(
    Arena *arena, bytes numbers, Py_ssize_t count, int below, str name
) except NULL:
    """Copy small numbers; raise ``ValueError`` for a wrong length or a number that is too large."""
    cdef uint8_t *into = <uint8_t *>room(arena, count, sizeof(uint8_t))
    cdef const uint8_t *given = numbers
    cdef Py_ssize_t at
    if len(numbers) != count:
        raise ValueError(f"expected {count} {name}, got {len(numbers)}")
    for at in range(count):
        if given[at] >= below:
            raise ValueError(f"expected {name} below {below}, got {given[at]}")
    memcpy(into, given, count)
    return into


cdef inline int begin_index(Index *index, Arena *arena, Py_ssize_t keys) except -1:
    """Begin an index of items by key: see `linkoracle.core.kernels`, and `take_items`."""
    index.start = <int32_t *>room(arena, keys + 2, sizeof(int32_t))
    return 0


cdef inline int take_items(Index *index, Arena *arena, Py_ssize_t keys) except -1:
    """Allocate memory for the items that were counted, and place them."""
    cdef int32_t items = place_items(index, keys)
    index.found = <int32_t *>room(arena, items, sizeof(int32_t))
    return 0


cdef struct Rows:  # of numbers
    const int32_t *first  # row
    Py_ssize_t size  # how many rows
    Py_ssize_t stride  # from each row to the next
    int width  # how many numbers of each may be keys, from the first on: those not below 0


cdef inline int index_rows(Index *index, Arena *arena, Py_ssize_t keys, Rows rows) except -1:
    """Index rows by each of their keys."""
    cdef const int32_t *key
    cdef Py_ssize_t row
    cdef int k
    begin_index(index, arena, keys)
    for row in range(rows.size):
        key = rows.first + row * rows.stride
        for k in range(rows.width):
            if key[k] >= 0:
                count_item(index, key[k])
    take_items(index, arena, keys)
    for row in range(rows.size):
        key = rows.first + row * rows.stride
        for k in range(rows.width):
            if key[k] >= 0:
                add_item(index, key[k], <int32_t>row)
    return 0


cdef inline list numbers(object given, int64_t below, str what):
    """Return whole numbers as a list; ``ValueError`` for one outside 0 to ``below - 1``."""
    cdef list found = []
    cdef int64_t number
    for one in given:
        try:
            number = PyNumber_Index(one)
        except (TypeError, OverflowError):
            number = -1
        if not 0 <= number < below:
            raise ValueError(f"expected {what} from 0 to {below - 1}, got {one!r}")
        found.append(number)
    return found


cdef inline list listed(const int32_t *number):
    """Return the numbers before the first negative one."""
    cdef list found = []
    while number[0] >= 0:
        found.append(number[0])
        number += 1
    return found


# ---- Geometry -------------------------------------------------------------------------------------
#
# Where the edges, faces, windows and cells of a lattice are, and which are adjacent.
#
# Numbers are those of `linkoracle.board.lattice.Lattice`. Anything off the board is
# `NOWHERE`, except faces: the outside is face ``faces``, beyond some border edges ``faces + 1``.

cdef inline int edge_from(const Frame *f, int row, int col, int way) noexcept nogil:
    """Return the edge that leaves a vertex that way; `NOWHERE` if there is none."""
    if not (0 <= row < f.rows and 0 <= col < f.columns):
        return NOWHERE
    return f.ring[row * f.columns + col].edges[way]


cdef inline int place_board(Frame *f, Arena *arena, tuple border) except -1:
    """Compute all that follows from the size of a board and its border; see `place_border`."""
    f.vertices, f.edges, f.faces = f.plane.num_vertices, f.plane.num_edges, f.plane.num_faces
    f.cuts = f.rows - 1 + f.columns - 1
    place_edges(f, arena)
    place_border(f, arena, border)
    place_cuts(f, arena)
    place_windows(f, arena)
    return place_cells(f, arena)


cdef inline int place_edges(Frame *f, Arena *arena) except -1:
    """Find the sides of edges, and the edges around vertices and faces, from the plane."""
    cdef int vertex, face, edge, k, one, other
    cdef bint level
    cdef Edge *this
    f.edge = <Edge *>room(arena, f.edges, sizeof(Edge))
    f.ring = <Ring *>room(arena, f.vertices + f.faces, sizeof(Ring))
    for vertex in range(f.vertices):
        for k in range(4):
            f.ring[vertex].edges[k] = NOWHERE
    for edge in range(f.edges):
        this = &f.edge[edge]
        one, other = f.plane.ends[2 * edge], f.plane.ends[2 * edge + 1]
        level = f.columns > 1 and other == one + 1
        this.cut = one % f.columns + f.rows - 1 if level else one // f.columns
        f.ring[one].edges[RIGHT_WAY if level else DOWN_WAY] = edge
        f.ring[other].edges[LEFT_WAY if level else UP_WAY] = edge
        one, other = f.plane.faces[2 * edge], f.plane.faces[2 * edge + 1]
        this.sides[0] = f.faces if one < 0 else one if other < 0 else other
        this.sides[1] = f.faces if other < 0 else one
    for face in range(f.faces):
        memcpy(f.ring[f.vertices + face].edges, f.plane.face_edges + 4 * face, sizeof(Ring))
    return 0


cdef inline int place_border(Frame *f, Arena *arena, tuple border) except -1:
    """Find the edges with the outside on one side; beyond the given ones is the other outside."""
    cdef int edge
    f.border = <int32_t *>room(arena, f.edges, sizeof(int32_t))
    for edge in range(f.edges):
        if f.edge[edge].sides[1] == f.faces:
            f.border[f.border_edges] = edge
            f.border_edges += 1
    for edge in border:
        if not (0 <= edge < f.edges and f.edge[edge].sides[1] == f.faces):
            raise ValueError(f"expected edges of the border, got {edge}")
        f.edge[edge].sides[1] = f.faces + 1
    return 0


cdef inline int place_cuts(Frame *f, Arena *arena) except -1:
    """Index the edges that each straight cut crosses: between rows, then between columns."""
    cdef Py_ssize_t width = sizeof(Edge) // sizeof(int32_t)
    return index_rows(&f.crossing, arena, f.cuts, Rows(&f.edge[0].cut, f.edges, width, 1))


cdef inline int face_near(const Frame *f, int row, int col) noexcept nogil:
    """Return a face, or the outside beside the border.

    Beyond a corner vertex is the same outside as beside it. If a path ends there, either outside
    will do, since nothing is required of that vertex.
    """
    cdef int last_row = f.rows - 2, last_col = f.columns - 2, edge
    if 0 <= row <= last_row and 0 <= col <= last_col:
        return row * (f.columns - 1) + col
    if 0 <= row <= last_row:
        edge = edge_from(f, row, 0 if col < 0 else f.columns - 1, DOWN_WAY)
    else:
        col = max(0, min(col, last_col))
        edge = edge_from(f, 0 if row < 0 else f.rows - 1, col, RIGHT_WAY)
    return f.edge[edge].sides[1]


cdef inline int place_windows(Frame *f, Arena *arena) except -1:
    """Find the windows of 2x2, then of 3x3 cells, row by row."""
    cdef int side, row, col, at
    cdef Rows rows
    cdef Window *window
    for side in range(2, 4):
        f.window_first[side - 1] = f.window_first[side - 2]
        if f.rows > side and f.columns > side:
            f.window_first[side - 1] += (f.rows - side) * (f.columns - side)
    f.window = <Window *>room(arena, f.window_first[2], sizeof(Window))
    for side in range(2, 4):
        window = f.window + f.window_first[side - 2]
        for row in range(f.rows - side):
            for col in range(f.columns - side):
                for at in range((side + 2) * (side + 2)):
                    window.faces[at] = face_near(
                        f, row + at // (side + 2) - 1, col + at % (side + 2) - 1
                    )
                for at in range((side + 1) * (side + 1)):
                    window.dots[at] = (row + at // (side + 1)) * f.columns + col + at % (side + 1)
                window += 1
        window = f.window + f.window_first[side - 2]
        rows = Rows(
            &window.faces[0], f.window_first[side - 1] - f.window_first[side - 2],
            sizeof(Window) // sizeof(int32_t), (side + 2) * (side + 2),
        )
        index_rows(&f.windows[side - 2], arena, f.faces + 2, rows)
    return 0


cdef inline int place_cells(Frame *f, Arena *arena) except -1:
    """Find the edges of each cell and those that leave it, and index the cells by edge.

    Edges come vertex by vertex, at each vertex the new ones: up, left, right, down.
    """
    cdef int face, corner, way, vertex, k
    f.cell = <Cell *>room(arena, f.faces, sizeof(Cell))
    for face in range(f.faces):
        k = 0
        for corner in range(4):
            vertex = face + face // (f.columns - 1) + corner // 2 * f.columns + corner % 2
            for way in range(4):
                if not (way == UP_WAY and corner > 1 or way == LEFT_WAY and corner % 2):
                    f.cell[face].edges[k] = f.ring[vertex].edges[way]
                    k += 1
    cdef Rows rows = Rows(&f.cell.edges[0], f.faces, CELL_EDGES, CELL_EDGES)
    return index_rows(&f.cells, arena, f.edges, rows)


cdef enum:
    # The edges of a cell in its own numbers: those around it; and, below, around its vertices.
    TOP = 2
    LEFT = 3
    RIGHT = 6
    BOTTOM = 8


cdef inline int find_fills(Frame *f, Arena *arena) except -1:
    """Find the completions of a cell without a clue that cannot be flipped.

    Flipping swaps the lines and crosses around a cell. It needs one piece of a path there, and
    unused vertices for the new lines. The result is a loop, too, and only the counts of the four
    neighbours change. So if these have no clues either, there are two solutions.
    """
    cdef int *around = [0, 1, 2, 3, 4, 2, 5, 6, 3, 7, 8, 9, 6, 8, 10, 11]
    cdef int way, flipped, lines
    cdef bint one_piece
    f.free_fills = <int16_t *>room(arena, 1 << CELL_EDGES, sizeof(int16_t))
    for way in range(1 << CELL_EDGES):
        if not no_ends(way, around):
            continue
        lines = (way >> TOP & 1) + (way >> LEFT & 1) + (way >> RIGHT & 1) + (way >> BOTTOM & 1)
        one_piece = lines == 1 or lines == 3 or (
            lines == 2 and way >> TOP & 1 != way >> BOTTOM & 1 and way >> LEFT & 1 != way >> RIGHT & 1
        )
        flipped = way ^ (1 << TOP | 1 << LEFT | 1 << RIGHT | 1 << BOTTOM)
        if not one_piece or not no_ends(flipped, around):
            f.free_fills[f.fills] = <int16_t>way
            f.fills += 1
    return 0


cdef inline bint no_ends(int way, const int *around) noexcept nogil:
    """Return whether each of the four vertices of a cell has none or two of these edges."""
    cdef int vertex, k, lines
    for vertex in range(4):
        lines = 0
        for k in range(4):
            lines += way >> around[4 * vertex + k] & 1
        if lines != 0 and lines != 2:
            return False
    return True


# ---- Decisions ------------------------------------------------------------------------------------
#
# Decide an edge, and undo it: counts, paths and their ends, classes of related items; and clues that
# are shown or hidden.

cdef inline bint fail(State *s, Why why) noexcept nogil:
    s.n.fault = why
    return False


cdef inline bint allowed(int mask, int lines) noexcept nogil:
    return mask >> lines & 1


cdef inline int beyond(Edge *edge, int face) noexcept nogil:
    """Return the face on the other side of an edge."""
    return edge.sides[0] + edge.sides[1] - face


cdef inline void count_line(State *s, int item, int mask, int step) noexcept nogil:
    s.n.unmet += allowed(mask, s.lines[item])
    s.lines[item] += step
    s.n.unmet -= allowed(mask, s.lines[item])


cdef inline void count(Frame *f, State *s, int literal, int step) noexcept nogil:
    """Count a decided edge at its ends, faces and cut; with ``step`` -1, undo that."""
    cdef Edge *edge = &f.edge[literal >> 1]
    cdef int k, vertex, face
    s.n.undecided -= step
    s.cut_open[edge.cut] -= step
    if not literal & 1:
        s.cut_lines[edge.cut] += step
    for k in range(2):
        vertex, face = f.plane.ends[(literal & ~1) + k], edge.sides[k]
        if literal & 1:
            s.crosses[vertex] += step
            if face < f.faces:
                s.crosses[f.vertices + face] += step
        else:
            count_line(s, vertex, f.degrees[vertex], step)
            if face < f.faces:
                count_line(s, f.vertices + face, s.counts[face], step)


cdef inline bint join(Frame *f, State *s, int u, int v, uint8_t *joined) noexcept nogil:
    """Merge the paths that a new line joins; False if no solution has this."""
    cdef int one = label_of(f, s, u), other = label_of(f, s, v)
    if s.ends.paths[u].end == v:
        joined[0] = CLOSED
        s.n.left -= 1
        return f.is_loop and s.n.left == 0 and s.n.segments == 1 and s.n.unmet == 0
    joined[0] = MERGED
    merge_paths(&s.ends, s.trail.known - 1, u, v)
    s.n.segments += 1 - (s.lines[u] > 1) - (s.lines[v] > 1)
    if one and other:
        s.n.left -= 1
        if one != other:
            return False
        return s.n.left > 0 or (s.n.segments == f.pairs and s.n.unmet == 0)
    return s.n.left > 0


cdef inline bint put(Frame *f, State *s, int literal, Why why) noexcept nogil:
    """Decide an edge; False, with the fault noted, if that contradicts the state."""
    cdef int32_t *ends = f.plane.ends + (literal & ~1)
    cdef int known = s.trail.values[literal], k
    cdef uint8_t *joined
    if known != UNKNOWN:
        return known or fail(s, why)
    joined = &s.joined[s.trail.known]
    learn(&s.trail, literal, why)
    joined[0] = APART
    count(f, s, literal, 1)
    if literal & 1:
        return True
    for k in range(2):
        if f.degrees[ends[k]] >> s.lines[ends[k]] == 0:
            return fail(s, why)
    return join(f, s, ends[0], ends[1], joined) or fail(s, why)


cdef struct Ways:  # to decide some edges that are tried, as masks of these
    int always  # lines in all ways
    int ever  # lines in some way


cdef inline bint put_agreed(
    Frame *f, State *s, int32_t *edges, int size, Ways ways, Why why
) noexcept nogil:
    """Decide the open edges among some on which all ways agree."""
    cdef int k
    for k in range(size):
        if edges[k] < 0 or not is_open(s, edges[k]) or (ways.ever & ~ways.always) >> k & 1:
            continue
        if not put(f, s, 2 * edges[k] + 1 - (ways.always >> k & 1), why):
            return False
    return True


cdef inline void part(Frame *f, State *s, int u, int v) noexcept nogil:
    """Undo `join`."""
    part_paths(&s.ends, s.trail.known)
    s.n.left += label_of(f, s, u) > 0 and label_of(f, s, v) > 0
    s.n.segments -= 1 - (s.lines[u] > 0) - (s.lines[v] > 0)


cdef inline void separate(State *s) noexcept nogil:
    """Undo the last `unite`."""
    cdef int32_t root
    cdef Node *node
    cdef Node *above
    s.n.merges -= 1
    root = s.merged[s.n.merges].root
    node = &s.node[root]
    above = &s.node[node.parent]
    above.size -= node.size
    node.following, above.following = above.following, node.following
    node.parent, node.odd = root, 0


cdef inline void forget_waiting(State *s) noexcept nogil:
    """Forget all items that wait for a technique."""
    cdef int kind
    for kind in range(KINDS):
        while s.n.waiting[kind]:
            s.n.waiting[kind] -= 1
            s.is_waiting[kind][s.waiting[kind][s.n.waiting[kind]]] = 0


cdef inline void undo(Frame *f, State *s, int trail, int merges) noexcept nogil:
    """Return to the state in which the trail and the merges had these lengths."""
    cdef int technique, literal
    while s.trail.known > trail:
        literal = s.trail.literals[s.trail.known - 1]
        unlearn(&s.trail, s.trail.known - 1)
        count(f, s, literal, -1)
        if s.joined[s.trail.known] == CLOSED:
            s.n.left += 1
        elif s.joined[s.trail.known] == MERGED:
            part(f, s, f.plane.ends[literal], f.plane.ends[literal + 1])
    while s.n.merges > merges:
        separate(s)
    s.n.merges_seen = min(s.n.merges_seen, merges)
    if s.n.noted > trail:
        s.n.noted = -1
    for technique in range(TECHNIQUES):
        s.n.heads[technique] = min(s.n.heads[technique], trail)
    forget_waiting(s)


cdef inline int find_root(State *s, int item, int *odd) noexcept nogil:
    """Return the root of a class; set ``odd`` if the item differs from it.

    Trees are merged by size, so none is higher than the logarithm of the board.
    """
    cdef int found = 0
    while s.node[item].parent != item:
        found ^= s.node[item].odd
        item = s.node[item].parent
    odd[0] = found
    return item


cdef inline int unite(State *s, int one, int other, int differ, Why why) noexcept nogil:
    """Relate two items. Returns the root that was put below another; -1: known, -2: impossible."""
    cdef int odd_a, odd_b
    cdef int a = find_root(s, one, &odd_a), b = find_root(s, other, &odd_b)
    if a == b:
        if odd_a ^ odd_b == differ:
            return -1
        fail(s, why)
        return -2
    if s.node[a].size > s.node[b].size:
        a, b = b, a
    s.node[a].parent = b
    s.node[a].odd = odd_a ^ odd_b ^ differ
    s.node[b].size += s.node[a].size
    s.node[a].following, s.node[b].following = s.node[b].following, s.node[a].following
    cdef Merge *made = &s.merged[s.n.merges]
    made.root, made.one, made.other, made.differ = a, one, other, differ
    made.known, made.why = s.trail.known, why
    s.n.merges += 1
    return a


cdef inline void wait(State *s, int kind, int item) noexcept nogil:
    if not s.is_waiting[kind][item]:
        s.is_waiting[kind][item] = True
        s.waiting[kind][s.n.waiting[kind]] = item
        s.n.waiting[kind] += 1


cdef inline int next_waiting(State *s, int kind) noexcept nogil:
    s.n.waiting[kind] -= 1
    cdef int item = s.waiting[kind][s.n.waiting[kind]]
    s.is_waiting[kind][item] = False
    return item


cdef inline bint lies_in(Frame *f, int at, int side, int face) noexcept nogil:
    """Return whether a face lies in a window, and not beside it."""
    cdef int row, col
    for row in range(1, side + 1):
        for col in range(1, side + 1):
            if f.window[at].faces[row * (side + 2) + col] == face:
                return True
    return False


cdef inline void turn(Frame *f, State *s, int face, bint shown) noexcept nogil:
    """Show a clue, for `look` once all clues of the call are shown; or hide a clue, once all later
    decisions are undone."""
    cdef int item = f.vertices + face, step = 1 if shown else -1
    cdef int kind, index, at
    s.shown[face] = shown
    s.counts[face] = f.clues[face] if shown else <uint8_t>ANY_COUNT
    s.site_mask[item] = f.clues[face] if shown else 0
    s.n.unmet += step * (1 - allowed(f.clues[face], s.lines[item]))
    for kind in range(2):
        for index in range(f.windows[kind].start[face], f.windows[kind].start[face + 1]):
            at = f.window_first[kind] + f.windows[kind].found[index]
            s.window_clues[at] += step * lies_in(f, at, 2 + kind, face)
            if shown and s.window_clues[at] > 0 and f.enabled[0][WINDOW + kind]:
                wait(s, kind, f.windows[kind].found[index])
    if shown and f.enabled[0][SHADE]:
        wait(s, SITES, item)
    for index in range(f.layout.needing.start[face], f.layout.needing.start[face + 1]):
        s.missing[f.layout.needing.found[index]] -= step


# ---- Patterns -------------------------------------------------------------------------------------
#
# Pattern rules in all their positions, and how they are placed on a board.
#
# Python hands the rules over once (`Positions`). For each board `place_patterns` finds where their
# clues match: its `Frame.layout`. This section knows clues and edges, but no lines and crosses.

cdef enum:
    MASKS = 32  # of allowed counts


cdef struct PatternLiteral:  # of a rule: a clue of a face, or an edge, both by the place of their first vertex
    int32_t down  # whether the edge goes down from it, not to the right
    int32_t row  # counted from the anchor's
    int32_t col
    int32_t value  # of the clue; or whether the edge is a cross


cdef struct Position:  # of a rule, turned or mirrored
    int32_t key  # ``MASKS * rule + mask``, with the mask of the clue of its anchor
    int32_t rule
    int32_t kind  # of pattern, from `REACH` on: see `technique_of`
    int32_t window[4]  # row and column of its first vertex, then of its last, from the anchor's
    int32_t parts[PARTS + 1]  # where its other clues, its premises and its conclusions begin and end


cdef struct Patterns:  # the rules in all their positions
    int32_t rules
    int32_t size
    Position *position
    PatternLiteral *part
    int32_t width[PARTS]  # the most numbers of a part in `Layout`, the end included
    Index by_key  # positions


cdef inline int technique_of(int kind) noexcept nogil:
    """Return the technique of a kind of pattern."""
    cdef int *techniques = [REACH, CELL, PAIR, SQUARE, BLOCK]
    return techniques[kind]


cdef inline int place_parts(
    const Frame *f, const PatternLiteral *part, const PatternLiteral *end, int row, int col, int32_t *into
) noexcept nogil:
    """Write literals; return how many, `NOWHERE` if a line would leave the board. Crosses may."""
    cdef int edge, size = 0
    while part < end:
        edge = edge_from(f, row + part.row, col + part.col, DOWN_WAY if part.down else RIGHT_WAY)
        if edge >= 0:
            into[size] = 2 * edge + part.value
            size += 1
        elif not part.value:
            return NOWHERE
        part += 1
    into[size] = NOWHERE
    return size


cdef inline bint place_conditions(
    const Frame *f, const PatternLiteral *part, const PatternLiteral *end, int row, int col,
    int32_t *into,
) noexcept nogil:
    """Write the faces of the other clues; return False if one is missing or different."""
    cdef int r, c
    while part < end:
        r, c = row + part.row, col + part.col
        if not (0 <= r < f.rows - 1 and 0 <= c < f.columns - 1):
            return False
        into[0] = r * (f.columns - 1) + c
        if f.clues[into[0]] != 1 << part.value:
            return False
        into += 1
        part += 1
    into[0] = NOWHERE
    return True


cdef inline bint has_no_end(const Frame *f, const Position *position, int row, int col) noexcept nogil:
    """Return whether no vertex of the window is an endpoint, whose degree differs."""
    cdef int r, c
    for r in range(max(0, row + position.window[0]), min(f.rows, row + position.window[2] + 1)):
        for c in range(
            max(0, col + position.window[1]), min(f.columns, col + position.window[3] + 1)
        ):
            if f.terminal[r * f.columns + c]:
                return False
    return True


cdef inline bint place_rule(
    const Patterns *p, Frame *f, const Position *position, int face, Arena *arena
) noexcept nogil:
    """Place a position with its anchor on a face, if it fits; False if memory is full."""
    cdef Layout *layout = &f.layout
    cdef int row = face // (f.columns - 1), col = face % (f.columns - 1), k
    cdef int64_t needed = <int64_t>layout.first[PARTS] * (layout.size + 1)
    cdef int32_t *rows = <int32_t *>grown(arena, layout.rows, &layout.room, needed, sizeof(int32_t))
    cdef const PatternLiteral *parts[PARTS + 1]
    cdef Instance *instance
    if rows == NULL:
        return False
    layout.rows = rows
    for k in range(PARTS + 1):
        parts[k] = p.part + position.parts[k]
    row_of(layout, CONDITIONS, layout.size)[0] = face
    if not place_conditions(
        f, parts[CONDITIONS], parts[PREMISES], row, col, row_of(layout, CONDITIONS, layout.size) + 1
    ) or place_parts(
        f, parts[PREMISES], parts[CONCLUSIONS], row, col, row_of(layout, PREMISES, layout.size)
    ) < 0 or place_parts(
        f, parts[CONCLUSIONS], parts[PARTS], row, col, row_of(layout, CONCLUSIONS, layout.size)
    ) < 1 or not (f.is_loop or has_no_end(f, position, row, col)):
        return True
    instance = instance_of(layout, layout.size)
    instance.rule, instance.kind = position.rule, position.kind
    layout.size += 1
    return True


cdef inline bint place_all(
    const Patterns *p, Frame *f, Arena *arena, StopToken *watch
) noexcept nogil:
    """Place rules in their order: of two, the first gets the step. False if memory is full."""
    cdef int rule, face, key, index
    f.layout.first[0] = sizeof(Instance) // sizeof(int32_t)
    for index in range(PARTS):
        f.layout.first[index + 1] = f.layout.first[index] + p.width[index]
    for rule in range(p.rules):
        for face in range(f.faces):
            key = MASKS * rule + f.clues[face]
            for index in range(p.by_key.start[key], p.by_key.start[key + 1]):
                if watch_stops(watch):
                    return True
                if not place_rule(p, f, &p.position[p.by_key.found[index]], face, arena):
                    return False
    return True


cdef inline int arrange(Frame *f, Arena *arena) except -1:
    """Index the instances by the literals they wait for, and by the clues they need."""
    cdef Layout *layout = &f.layout
    cdef int64_t literals = 2 * <int64_t>f.edges
    cdef Instance *instance
    cdef int at
    layout.static = <int32_t *>room(arena, layout.size, sizeof(int32_t))
    for at in range(layout.size):
        instance = instance_of(layout, at)
        instance.technique, instance.conditions = technique_of(instance.kind), 0
        if row_of(layout, PREMISES, at)[0] < 0:
            instance.technique = STATIC
            layout.static[layout.statics] = at
            layout.statics += 1
        while row_of(layout, CONDITIONS, at)[instance.conditions] >= 0:
            instance.conditions += 1
    index_parts(layout, PREMISES, &layout.watchers, arena, literals, PATTERN_KINDS)
    return index_parts(layout, CONDITIONS, &layout.needing, arena, f.faces, 1)


cdef inline int index_parts(
    const Layout *layout, int part, Index *index, Arena *arena, int64_t below, int kinds
) except -1:
    """Index instances, for each kind, by the numbers of a part, which are less than ``below``."""
    cdef int at, adding, kind
    cdef int32_t *row
    begin_index(index, arena, kinds * below)
    for adding in range(2):
        for at in range(layout.size):
            kind = instance_of(layout, at).kind if kinds > 1 else 0
            row = row_of(layout, part, at)
            while row[0] >= 0:
                if adding:
                    add_item(index, kind * below + row[0], at)
                else:
                    count_item(index, kind * below + row[0])
                row += 1
        if not adding:
            take_items(index, arena, kinds * below)
    return 0


cdef inline int place_patterns(
    const Patterns *p, Frame *f, Arena *arena, StopToken *watch
) except -1:
    """Place the rules on a board whose clues and terminals are known: make `Frame.layout`.

    Raises `MemoryLimit`, and ``KeyboardInterrupt`` after Ctrl-C.
    """
    cdef bint fits
    with nogil:
        fits = place_all(p, f, arena, watch)
    watch_raise(watch, None)
    if not fits:
        arena_error(arena, "the deduction")
    return arrange(f, arena)


# ---- Setup ----------------------------------------------------------------------------------------
#
# The facts that a puzzle fixes, and the state before anything is known.

cdef inline int load_pairs(Frame *f, Arena *arena, list pairs) except -1:
    """Load terminals, the first pair with label 1; ``ValueError`` unless all are pairs of vertices.

    A loop has no pairs, and counts as one pair that must still be completed.
    """
    cdef int at
    cdef Py_ssize_t vertex
    if len(pairs) > f.vertices or f.is_loop and pairs:
        raise ValueError(f"expected fewer pairs, got {len(pairs)}")
    if f.is_loop and not f.coloured:
        raise ValueError("expected a loop to have two sides")
    f.pairs = 1 if f.is_loop else <int32_t>len(pairs)
    f.terminal = <int32_t *>room(arena, f.vertices, sizeof(int32_t))
    f.ends_of = <int32_t *>room(arena, 2 * <Py_ssize_t>f.pairs, sizeof(int32_t))
    for at in range(2 * f.pairs):
        f.ends_of[at] = NOWHERE
    for at in range(2 * len(pairs)):
        one, other = pairs[at // 2]
        vertex = other if at % 2 else one
        if not 0 <= vertex < f.vertices or f.terminal[vertex]:
            raise ValueError(f"expected two vertices that no other pair has, got {pairs[at // 2]}")
        f.terminal[vertex] = at // 2 + 1
        f.ends_of[at] = <int32_t>vertex
    return 0


cdef inline int load_enabled(Frame *f, Arena *arena, bytes enabled) except -1:
    """Load which techniques are used: outside of guesses, then within them."""
    cdef uint8_t *bits = loaded(arena, enabled, 2 * TECHNIQUES, 2, "bits of techniques")
    cdef int at
    for at in range(TECHNIQUES):
        f.enabled[0][at], f.enabled[1][at] = bits[at], bits[TECHNIQUES + at]
    arena_release(arena, bits)
    for at in (BESIDE, CORNER, EMPTY, PASSAGE, ACCESS):
        f.notes = f.notes or f.enabled[0][at]
    if f.notes and f.is_loop:
        raise ValueError("expected paths for techniques that follow ways between ends")
    return 0


cdef inline int find_odd_cuts(Frame *f, Arena *arena) except -1:
    """Find the straight cuts with an odd number of ends before them: their lines are odd."""
    cdef int vertex, cut, row, col
    f.cut_odd = <uint8_t *>room(arena, f.cuts, 1)
    for vertex in range(f.vertices):
        if not f.terminal[vertex]:
            continue
        row, col = vertex // f.columns, vertex % f.columns
        for cut in range(row, f.rows - 1):
            f.cut_odd[cut] ^= 1
        for cut in range(f.rows - 1 + col, f.cuts):
            f.cut_odd[cut] ^= 1
    return 0


cdef inline int find_flips(Frame *f, Arena *arena) except -1:
    """Find the cells without a clue, without clues beside them, and without ends at their dots."""
    cdef int face, row, col, k, beside
    cdef int32_t *edges
    cdef int32_t *ends
    f.flips = <uint8_t *>room(arena, f.faces, 1)
    if not (f.coloured and f.local):
        return 0
    for face in range(f.faces):
        f.flips[face] = f.clues[face] == ANY_COUNT
        edges = f.ring[f.vertices + face].edges
        for k in range(4):
            ends = f.plane.ends + 2 * edges[k]
            beside = f.edge[edges[k]].sides[0] + f.edge[edges[k]].sides[1] - face
            if beside < f.faces and f.clues[beside] != ANY_COUNT:
                f.flips[face] = 0
            if f.terminal[ends[0]] or f.terminal[ends[1]]:
                f.flips[face] = 0
    return 0


cdef inline int make_state(Frame *f, State *s, Arena *arena, bint hidden) except -1:
    """Allocate the state of a board, and set it up as it is before anything is known."""
    cdef int items = f.vertices + f.faces, nodes = max(f.vertices, f.faces + 2), item, kind
    trail_open(&s.trail, arena, f.edges)
    ends_open(&s.ends, arena, f.vertices, f.edges)
    if arena.refused:
        arena_error(arena, "the deduction")
    s.joined = <uint8_t *>room(arena, f.edges, 1)
    s.counts = <uint8_t *>room(arena, f.faces, 1)
    s.shown = <uint8_t *>room(arena, f.faces, 1)
    s.missing = <uint8_t *>room(arena, f.layout.size, 1)
    s.window_clues = <int32_t *>room(arena, f.window_first[2], sizeof(int32_t))
    s.site_mask = <uint8_t *>room(arena, items, 1)
    s.lines = <uint8_t *>room(arena, items, 1)
    s.crosses = <uint8_t *>room(arena, items, 1)
    s.cut_open = <int32_t *>room(arena, f.cuts, sizeof(int32_t))
    s.cut_lines = <int32_t *>room(arena, f.cuts, sizeof(int32_t))
    s.node = <Node *>room(arena, nodes, sizeof(Node))
    s.merged = <Merge *>room(arena, nodes, sizeof(Merge))
    for kind in range(KINDS):
        s.waiting[kind] = <int32_t *>room(arena, items, sizeof(int32_t))
        s.is_waiting[kind] = <uint8_t *>room(arena, items, 1)
    s.visit = <Visit *>room(arena, nodes, sizeof(Visit))
    s.stack = <int32_t *>room(arena, nodes, sizeof(int32_t))
    s.label_words = f.pairs // 64 + 1
    # Notes hold something new even before an edge is decided.
    s.n.noted, s.n.notes = -1, 1
    if f.notes:
        make_notes(f, s, arena)
    if f.enabled[0][POCKET]:
        s.inside = <uint64_t *>room(arena, <Py_ssize_t>f.vertices * s.label_words, sizeof(uint64_t))
    for item in range(nodes):
        s.node[item].parent = s.node[item].following = item
        # The outside is never the smaller part of a merge: it has no ring of edges.
        s.node[item].size = nodes if f.coloured and item >= f.faces else 1
    for item in range(f.cuts):
        s.cut_open[item] = f.crossing.start[item + 1] - f.crossing.start[item]
    s.n.undecided = f.edges
    s.n.left = f.pairs
    s.n.budget = -1
    set_counts(f, s, hidden)
    return 0


cdef inline int make_notes(Frame *f, State *s, Arena *arena) except -1:
    """Make room for what is noted of vertices, edges and labels."""
    s.shapes = <uint16_t *>room(arena, f.vertices, sizeof(uint16_t))
    s.shaped_by = <uint8_t *>room(arena, f.vertices, 1)
    s.carried = <uint64_t *>room(arena, <Py_ssize_t>f.edges * s.label_words, sizeof(uint64_t))
    s.changed = <uint64_t *>room(arena, 2 * <Py_ssize_t>s.label_words, sizeof(uint64_t))
    s.walked = <uint8_t *>room(arena, 4 * <Py_ssize_t>f.vertices, 1)
    s.queue = <int32_t *>room(arena, 4 * <Py_ssize_t>f.vertices, sizeof(int32_t))
    return 0


cdef inline void set_counts(Frame *f, State *s, bint hidden) noexcept:
    """Set what depends on which clues are shown: all or none."""
    cdef int vertex, face, k, at
    for vertex in range(f.vertices):
        # The sides around endpoints, and of faces without a clue, are not examined.
        s.site_mask[vertex] = 0 if f.degrees[vertex] == ONE_LINE else f.degrees[vertex]
        s.n.unmet += not f.degrees[vertex] & 1
        for k in range(4):
            s.crosses[vertex] += f.ring[vertex].edges[k] < 0
    for at in range(f.layout.size):
        s.missing[at] = <uint8_t>instance_of(&f.layout, at).conditions
    for at in range(f.window_first[2]):
        # Windows that show nothing never get above 0, however many clues are shown.
        s.window_clues[at] = 0 if f.coloured and f.local else -f.faces
    for face in range(f.faces):
        s.counts[face] = <uint8_t>ANY_COUNT
        s.shown[face] = not hidden
        if not hidden and f.clues[face] != ANY_COUNT:
            turn(f, s, face, True)
    forget_waiting(s)


cdef inline void relate_ends(Frame *f, State *s) noexcept:
    """Relate what is related before any line is drawn."""
    cdef int label
    if f.coloured:
        if not f.is_loop:
            # The path divides the outside in two.
            unite(s, f.faces, f.faces + 1, 1, Why(COLOUR, NOWHERE))
        return
    for label in range(f.pairs):
        unite(s, f.ends_of[2 * label], f.ends_of[2 * label + 1], 0, Why(BESIDE, NOWHERE))
