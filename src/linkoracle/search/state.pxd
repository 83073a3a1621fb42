"""The data structures of the compiled search, which `linkoracle.search.engine` explains.

Variables are those of the model, beginning with the edges; then for each face whether it *matches*
(has its count in the known solution), then for each face whether it is *flipped* (on another side
of the loop than there), then one that belongs to the query. All numbers but counters without a
bound are 32 bits wide.
"""

from libc.stdint cimport int8_t, int32_t, int64_t

from linkoracle.core.arena cimport Arena
from linkoracle.lines.clauses cimport Clauses
from linkoracle.lines.rules cimport Lines, Rule

#: The constraint of a query on a face.
cdef enum:
    FREE  # none
    KEPT  # it matches
    DENIED  # it, or another denied face, does not match

#: Whether the clue of a face is fixed for all later queries.
cdef enum:
    NOT_FIXED
    FIXED_SHOWN
    FIXED_HIDDEN

cdef enum Answer:
    NO_ALTERNATIVE
    ALTERNATIVE
    OPEN  # none yet
    TOO_HARD  # more conflicts than allowed
    STOPPED  # no time, or Ctrl-C
    NO_MEMORY


cdef struct Face:
    Rule rules[2]  # for another count than in the known solution, and for that one
    int count  # how many of its edges are on there
    int8_t kept  # `FREE`, `KEPT` or `DENIED`
    int8_t soon  # whether one of the next queries is about it
    int8_t fixed  # `NOT_FIXED`, `FIXED_SHOWN` or `FIXED_HIDDEN`
    int8_t inside  # whether it is inside the cycle of a mark
    int64_t checked  # that mark
    int64_t changed  # the mark of a list of changes
    int outwards  # the edge that leads to the next face on a way off the board
    int witness  # in a series: the place of its alternative in `flips`, or `NONE`


cdef struct Variable:
    int8_t known  # the value in the known solution, which is what decisions give
    int8_t seen  # whether the present conflict has come to it
    int before  # in the queue, or `NONE`
    int after
    int64_t stamp  # grows along the queue; `NONE` outside
    int64_t mark  # the mark of a walk


cdef struct State:
    # The board.
    Lines lines  # its rules, and the trail
    int matches  # the first variable that says whether a face matches
    int sides  # and the first that says whether one is flipped
    int query  # the variable of the query, the last one
    bint sided  # whether each cycle is the border of some faces
    int pairs  # number of paths of a solution, 0 for a loop
    int32_t *ends  # of each path; the ends of a single one are joined by an edge that is always on
    int known_size  # edges of the known solution
    Face *face
    Variable *variable
    int64_t *walked  # by vertex: the mark of a walk
    int *rank  # faces in the order in which they are assumed

    # The trail.
    int visited  # for how many literals sides and clauses were looked at
    int *starts  # by level: how many there were before
    int *differing  # variables of the model, from which conclusions are drawn, that are not as known
    int different  # how many these are

    # The queue, from the end of which decisions are taken.
    int first  # where to look for an open variable
    int last
    int64_t stamp

    # Clauses.
    Clauses clauses
    int *units  # literals that are true for good, but not yet on the trail
    int new_units
    int learned  # clauses since the last reduction
    int limit  # how many of them bring the next
    int64_t cramped  # conflicts when memory last ran out

    # Conflicts.
    int64_t conflicts  # so far
    int64_t restart  # and at the next restart
    int restarts  # in this query, by what `restart_later` counts
    int units_to_restart  # after that
    bint broken  # whether the literals of level 0 contradict each other
    int64_t marks  # given out
    int *touched  # variables that a conflict has come to
    int32_t *learnt  # the clause to be learned
    int *buffer  # literals of a reason
    int *path  # vertices of a walk
    int *steps  # and the edge from each to the next
    int *region  # vertices apart from them
    int *leaving  # edges that leave the path of a walk at a vertex
    int64_t *level_mark  # by level
    int *glues  # clauses by glue, up to `MOST_GLUE`

    # The query.
    int since  # number of clauses when it began
    int asking  # the literal for "one of `denied_faces` changes", or `NONE`
    int assumed  # the next assumption
    int *denied_faces  # faces of which one must change
    int denied  # how many
    bint shaken  # whether level 1 has to be left
    int *core  # faces: the core of "no alternative", or what an alternative changes
    int core_size
    int *flipped  # edges that an alternative flips
    int num_flipped  # how many these are

    # A series of queries.
    int *order  # faces that are tried one after the other
    int trials  # how many
    int next_trial
    int waiting  # the face that is queried next, or `NONE`
    int batch  # where the present batch ends
    int64_t queries  # so far
    int *flips  # for each needed face, how many edges its alternative flips, and these
    int flips_size
    int most_flips  # how many there is room for

    Arena arena
