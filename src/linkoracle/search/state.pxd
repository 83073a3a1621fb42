"""What the compiled search works on. `linkoracle.search.engine` says how it is used.

Variables are the edges, then for each face whether it *matches* (has its count in the known
solution), then for each face its side of the line, then one that belongs to the question. A literal
is twice the variable, plus one for its negation. All numbers but those that count up for ever are
32 bits wide: `linkoracle.search.board` refuses boards with more than `MOST_EDGES`.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int64_t

from linkoracle.core.arena cimport Arena
from linkoracle.core.watch cimport Watch

cdef enum:
    NONE = -1  # no such vertex, edge, face, variable, clause
    MOST_EDGES = 1 << 26  # edges of a board: reasons are eight times that, and a few more

#: Tallies: each edge that is on adds `AN_ON`, each that is off `AN_OFF`.
cdef enum:
    AN_ON = 1
    AN_OFF = 5
    TALLIES = 4 * AN_OFF + 1  # of up to four edges

#: What a rule demands.
cdef enum Demand:
    REST  # nothing
    ALL_OFF  # of the edges that are still open, to be off
    ALL_ON  # or on
    WRONG  # what cannot be
    MATCHES  # of a face, to match
    NO_MATCH  # or not to

#: Kinds of reasons; a reason is its kind plus `KINDS` times an index, or `NONE` for assumptions.
cdef enum:
    VERTEX  # the allowed degrees of a vertex
    FACE  # the count of a face, or another one
    SIDE  # an edge is on iff the faces beside it are on different sides
    CLAUSE  # a clause
    CYCLE  # with this edge on, a path would close while anything is on elsewhere
    WHOLE  # a path has closed, and this edge is none of it
    KINDS = 8

#: What a question wants of a face.
cdef enum:
    FREE  # nothing
    KEPT  # that it matches
    DENIED  # that it, or another face that is denied, does not match

#: What is known of the clue of a face for all later questions.
cdef enum:
    UNSETTLED
    STAYS
    GONE

cdef enum Answer:
    NO_ALTERNATIVE
    ALTERNATIVE
    OPEN  # none yet
    TOO_HARD  # more conflicts than allowed
    STOPPED  # no time, or Ctrl-C
    NO_MEMORY


cdef struct Edge:
    int ends[2]  # its vertices
    int faces[2]  # beside it, `NONE` beyond the rim; the only face of an edge on the rim is first
    int beyond  # of an edge on the rim: on which side is beyond, -1 or 1
    int joined[2]  # while on: the ends of the path that it made, `NONE` first if it made none
    int before  # and the length of the path at its first end before


cdef struct Vertex:
    int edges[4]  # up, left, right, down, or `NONE`
    int allowed  # mask of degrees
    int most  # the highest of these
    int tally  # of its propagated edges
    int mate  # while it is the end of a path, the other one; itself for a path of no edges
    int length  # and how many edges the path has
    int64_t walked  # the mark of a walk
    const int8_t *demands  # what is demanded, by tally


cdef struct Face:
    int edges[4]  # top, left, right, bottom
    int count  # how many of them are on in the known solution
    int tally  # of its propagated edges
    int8_t kept  # `FREE`, `KEPT` or `DENIED`
    int8_t soon  # whether one of the next questions is about it
    int8_t settled  # `UNSETTLED`, `STAYS` or `GONE`
    int witness  # in a series: the place of its alternative in `flips`, or `NONE`
    int64_t changed  # the mark of a list of changes
    const int8_t *demands[3]  # by tally: while it does not match, is open, matches


cdef struct Variable:
    int8_t known  # -1 or 1: the value in the known solution, which is what decisions give
    int8_t seen  # whether the present conflict has come to it
    int level  # of its value
    int place  # on the trail
    int reason  # of its value
    int before  # in the queue, or `NONE`
    int after
    int watches[2]  # the first watch of its literal, and of the negated one
    int walked  # of an edge: how much was propagated when it was ruled out for closing a cycle
    int64_t stamp  # the later, the further behind in the queue; `NONE` outside
    int64_t mark  # the mark of a walk


cdef struct Clause:
    int start  # where its literals begin
    int width  # how many these are; 0 if it is struck out
    int glue  # levels in it when it was learned; 0 if it was not
    int next[2]  # the next watch after that of its first literal, of its second
    int saved  # where a literal that is not false was found last


cdef struct State:
    # The board.
    int edges  # how many
    int vertices
    int faces
    int variables
    int columns  # vertices a row
    int question  # the variable of the question
    bint sided  # whether faces have sides
    int ends[2]  # of an open path, or `NONE`
    int known_size  # edges of the known solution
    Edge *edge
    Vertex *vertex
    Face *face
    Variable *variable
    int *rank  # faces in the order in which they are assumed

    # The trail.
    int8_t *value  # by variable: 1 for true, -1 for false, 0 for open
    int *trail  # true literals
    int on_trail  # how many these are
    int head  # for how many the rules of the board were applied
    int visited  # and sides and clauses looked at: up to `head`
    int *starts  # by level: how many there were before
    int level
    int *chosen  # propagated edges that are on; the first for the virtual one between two ends
    int on_board  # how many these are
    int *differing  # propagated edges that are not as in the known solution
    int different  # how many these are
    int closed  # the edge that closed the line, or `NONE`

    # The queue, from the end of which decisions are taken.
    int first  # where to look for an open variable
    int last
    int64_t stamp

    # Clauses.
    Clause *clause
    int clauses  # how many
    int most_clauses  # how many there is room for
    int *literals  # of all clauses
    int room  # how many these are
    int most_literals  # how many there is room for
    int *units  # literals that are true for good, but not yet on the trail
    int new_units
    int learned  # clauses since the last reduction
    int limit  # how many of them bring the next
    int64_t cramped  # conflicts when there last was no memory for more

    # Conflicts.
    int64_t conflicts  # so far
    int64_t restart  # and at the next restart
    int restarts  # in this question
    bint broken  # whether what is true for good contradicts itself
    int64_t marks  # given out
    int *touched  # variables that a conflict has come to
    int *learnt  # the clause to be learned
    int *buffer  # literals of a reason
    int *path  # vertices of a walk
    int *steps  # and the edge from each to the next
    int *region  # vertices apart from them
    int64_t *level_mark  # by level
    int *glues  # clauses by glue, up to `MOST_GLUE`

    # The question.
    int since  # clauses when it was asked
    int asking  # the literal that says what is asked, or `NONE`
    int assumed  # the next assumption
    int *asked  # faces that are denied
    int denied  # how many
    int refuted  # 1 + its own clause, once that is refuted
    bint shaken  # whether level 1 has to be left
    int *core  # faces: what a "no" rests on, or what an alternative changes
    int core_size
    int flipped  # of an alternative: how many of `differing` it flips

    # A series of questions.
    int *order  # faces that are tried one after the other
    int trials  # how many
    int next_trial
    int waiting  # the one that waits to be asked about, or `NONE`
    int batch  # where the present batch ends
    int64_t questions  # so far
    int *flips  # of each alternative that shows that a face is needed, how many edges, and these
    int flips_size
    int most_flips  # how many there is room for

    Arena arena
    Watch watch
