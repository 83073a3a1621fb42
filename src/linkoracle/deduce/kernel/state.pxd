"""The data of the techniques: the frame, which a puzzle fixes, and the state, which changes.

Vertices, edges, faces, literals and placed rules are numbers of 32 bits: `Engine` takes no board
for which these do not fit.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from linkoracle.board.plane cimport Plane
from linkoracle.core.index cimport Index
from linkoracle.core.watch cimport StopToken
from linkoracle.lines.ends cimport Ends
from linkoracle.lines.trail cimport UNKNOWN, Trail

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


cdef enum:  # techniques, as in `linkoracle.deduce.rules`, which a test compares
    CLUE
    DOT
    LOOP
    BESIDE
    STATIC
    REACH
    CELL
    PAIR
    SQUARE
    PARITY
    POCKET
    CORNER
    EMPTY
    PASSAGE
    COLOUR
    BLOCK
    SHADE
    ACCESS
    REGION
    WINDOW
    WIDE
    UNIQUE
    REFUTED  # first reason that is not a deduction: guesses and given lines
    EITHER
    GIVEN
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


cdef struct Entry:  # of a literal on the trail
    int32_t where  # the place that decided it
    uint8_t joined


cdef struct Node:  # in a tree of related items: faces, or vertices that lie on one path
    int32_t parent
    int32_t odd  # whether it differs from its parent
    int32_t size  # of the tree below a root
    int32_t following  # the members of a class as a ring


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
    int32_t fault  # the technique that met a contradiction
    int32_t fault_at
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
    Entry *entries  # by place on the trail
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
    int32_t *merged  # by merge: the root that was put below another
    int32_t *waiting[KINDS]
    uint8_t *is_waiting[KINDS]
    int8_t *snapshot[MAX_DEPTH + 1]  # by depth: the values of literals after the first guess
    int32_t *agreed[MAX_DEPTH + 1]  # by depth: literals that both guesses led to
    Visit *visit
    int32_t *stack  # the vertices or faces being visited
    uint64_t *inside  # by vertex: labels with one end below it, `label_words` words each
    int32_t label_words
    uint16_t *shapes  # by vertex: bit m: its lines may be those of mask m, see `notes.pxd`
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


cdef inline int step_to(
    State *s, Visit *v, int node, int edge, int height
) noexcept nogil:
    """Go from ``v`` to a node beside it, depth first; return the height of the stack.

    A new node goes on the stack, once before it is seen: its turn comes next.
    """
    if s.visit[node].seen:
        v.low = min(v.low, s.visit[node].seen)
        return height
    s.visit[node].entry = edge
    s.stack[height] = node
    return height + 1
