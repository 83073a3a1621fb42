"""Decide an edge, and undo it: counts, paths and their ends, classes of related items."""

from libc.stdint cimport int32_t

from linkoracle.deduce.kernel.state cimport (
    APART, CLOSED, KINDS, MERGED, TECHNIQUES, Edge, Entry, Frame, Node, State, is_open, label_of
)
from linkoracle.lines.ends cimport merge_paths, part_paths
from linkoracle.lines.trail cimport UNKNOWN, learn, unlearn


cdef inline bint fail(State *s, int technique, int place) noexcept nogil:
    s.n.fault, s.n.fault_at = technique, place
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


cdef inline bint join(Frame *f, State *s, int u, int v, Entry *entry) noexcept nogil:
    """Merge the paths that a new line joins; False if no solution has this."""
    cdef int one = label_of(f, s, u), other = label_of(f, s, v)
    if s.ends.paths[u].end == v:
        entry.joined = CLOSED
        s.n.left -= 1
        return f.is_loop and s.n.left == 0 and s.n.segments == 1 and s.n.unmet == 0
    entry.joined = MERGED
    merge_paths(&s.ends, s.trail.known - 1, u, v)
    s.n.segments += 1 - (s.lines[u] > 1) - (s.lines[v] > 1)
    if one and other:
        s.n.left -= 1
        if one != other:
            return False
        return s.n.left > 0 or (s.n.segments == f.pairs and s.n.unmet == 0)
    return s.n.left > 0


cdef inline bint put(Frame *f, State *s, int literal, int technique, int place) noexcept nogil:
    """Decide an edge; False, with the fault noted, if that contradicts the state."""
    cdef int32_t *ends = f.plane.ends + (literal & ~1)
    cdef int known = s.trail.values[literal], k
    cdef Entry *entry
    if known != UNKNOWN:
        return known or fail(s, technique, place)
    entry = &s.entries[s.trail.known]
    learn(&s.trail, literal, technique)
    entry.where, entry.joined = place, APART
    count(f, s, literal, 1)
    if literal & 1:
        return True
    for k in range(2):
        if f.degrees[ends[k]] >> s.lines[ends[k]] == 0:
            return fail(s, technique, place)
    return join(f, s, ends[0], ends[1], entry) or fail(s, technique, place)


cdef inline bint put_agreed(
    Frame *f, State *s, int32_t *edges, int size, int always, int ever, int technique, int place
) noexcept nogil:
    """Decide the open edges among some: lines if always there, as bits, crosses if never."""
    cdef int k
    for k in range(size):
        if edges[k] < 0 or not is_open(s, edges[k]) or (ever & ~always) >> k & 1:
            continue
        if not put(f, s, 2 * edges[k] + 1 - (always >> k & 1), technique, place):
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
    root = s.merged[s.n.merges]
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
        if s.entries[s.trail.known].joined == CLOSED:
            s.n.left += 1
        elif s.entries[s.trail.known].joined == MERGED:
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


cdef inline int unite(
    State *s, int one, int other, int differ, int technique, int place
) noexcept nogil:
    """Relate two items. Returns the root that was put below another; -1: known, -2: impossible."""
    cdef int odd_a, odd_b
    cdef int a = find_root(s, one, &odd_a), b = find_root(s, other, &odd_b)
    if a == b:
        if odd_a ^ odd_b == differ:
            return -1
        fail(s, technique, place)
        return -2
    if s.node[a].size > s.node[b].size:
        a, b = b, a
    s.node[a].parent = b
    s.node[a].odd = odd_a ^ odd_b ^ differ
    s.node[b].size += s.node[a].size
    s.node[a].following, s.node[b].following = s.node[b].following, s.node[a].following
    s.merged[s.n.merges] = a
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
