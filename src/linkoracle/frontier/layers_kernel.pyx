"""Passes over the kept layers of a finished frontier pass: see `linkoracle.frontier.layers`.

Every child is looked at before it is followed; one that leads out of its layer is a ``ValueError``.
Until then other rows may have been filled.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from linkoracle.core.watch cimport Watch, watch_start, watch_stops
from linkoracle.frontier.children cimport RATE, check_children, edges_of, fits_or_raise
from linkoracle.frontier.state cimport TO_ACCEPT as ACCEPT
from linkoracle.frontier.state cimport TO_NOTHING as DEAD

cdef enum:
    FAR = 1 << 30  # more than any number of edges


def reduce_layer(
    uint32_t[:, ::1] children not None,
    const uint32_t[::1] renamed not None,
    int32_t[::1] table not None,
    uint32_t[::1] new_name not None,
    object deadline,
):
    """Rename targets, drop nodes without children, merge equal ones; in place.

    ``renamed[target]`` is the new target of a target of the next layer. ``new_name`` (nodes + 2
    entries) receives the same for this layer. ``table``'s length is a power of two above the
    number of nodes. Returns how many nodes remain, at the front of ``children``.
    """
    cdef Py_ssize_t size = children.shape[0], node, mask = table.shape[0] - 1, place
    cdef uint32_t first, second, target, child, kept = 0
    cdef int32_t found
    cdef int which
    cdef bint fits = True
    cdef Watch watch
    check_children(children)
    if new_name.shape[0] != size + 2 or size > 1 << 30:
        raise ValueError("expected a new name for each node")
    if mask < size or mask & (mask + 1):
        raise ValueError("expected a table with a power of two of places, more than nodes")
    watch_start(&watch, deadline.seconds, RATE)
    with nogil:
        memset(&table[0], 0xFF, (mask + 1) * sizeof(int32_t))
        new_name[DEAD], new_name[ACCEPT] = DEAD, ACCEPT
        for node in range(size):
            if not fits or watch_stops(&watch):
                break
            first = second = 0
            for which in range(2):
                child = children[node, which]
                if child >> 2 >= renamed.shape[0]:
                    fits = False
                    break
                target = renamed[child >> 2]
                if target != DEAD:
                    child = target << 2 | (child & 3)
                    if first == 0:
                        first = child
                    else:
                        second = child
            if first == 0:
                new_name[node + 2] = DEAD
                continue
            place = (((<uint64_t>first << 32 | second) * <uint64_t>0x9E3779B97F4A7C15) >> 32) & mask
            while True:
                found = table[place]
                if found < 0:
                    table[place] = <int32_t>kept
                    new_name[node + 2] = kept + 2
                    children[kept, 0], children[kept, 1] = first, second
                    kept += 1
                    break
                if children[found, 0] == first and children[found, 1] == second:
                    new_name[node + 2] = found + 2
                    break
                place = (place + 1) & mask
    fits_or_raise(fits, &watch, deadline)
    return kept


cdef int check_starts(const int64_t[::1] starts, Py_ssize_t nodes) except -1:
    cdef Py_ssize_t layer
    if starts.shape[0] < 1 or starts[0] != 0 or starts[starts.shape[0] - 1] != nodes:
        raise ValueError("expected where the layers begin, and where the last one ends")
    for layer in range(starts.shape[0] - 1):
        if starts[layer] > starts[layer + 1]:
            raise ValueError("expected layers one after another")
    return 0


def extents(
    const uint32_t[:, ::1] nodes not None, const int64_t[::1] starts not None, int sign, object deadline
):
    """Most (``sign`` 1) or fewest (-1) edges below each node, times ``sign``."""
    cdef Py_ssize_t layer, node, ahead
    cdef uint32_t child, target
    cdef int which, value, top
    cdef bint fits = True
    cdef Watch watch
    check_children(nodes)
    check_starts(starts, nodes.shape[0])
    cdef int32_t[::1] best = (result := np.empty(nodes.shape[0], dtype=np.int32))
    watch_start(&watch, deadline.seconds, RATE)
    with nogil:
        for layer in range(starts.shape[0] - 2, -1, -1):
            for node in range(starts[layer], starts[layer + 1]):
                if not fits or watch_stops(&watch):
                    break
                top = -FAR
                for which in range(2):
                    child = nodes[node, which]
                    target = child >> 2
                    if target == DEAD:
                        continue
                    value = sign * edges_of(child)
                    if target > ACCEPT:
                        ahead = starts[layer + 1] + target - 2
                        if layer + 2 >= starts.shape[0] or ahead >= starts[layer + 2]:
                            fits = False
                            break
                        value += best[ahead]
                    top = max(top, value)
                best[node] = top
    fits_or_raise(fits, &watch, deadline)
    return result


# ---- parts of a diagram --------------------------------------------------------------------------


cdef struct Rule:
    int decisions  # mask of allowed decisions
    bint accepts  # whether a solution may end here
    int64_t low  # the smallest length that is allowed
    int64_t high  # the largest one


def restrict_layer(
    const uint32_t[:, ::1] children not None,
    const int64_t[:, ::1] pairs not None,
    int decisions,
    bint accepts,
    const int64_t[::1] weights not None,
    const uint8_t[::1] lengths not None,
    const int32_t[::1] fewest not None,
    const int32_t[::1] most not None,
    int32_t[:, ::1] seen not None,
    uint32_t[:, ::1] out not None,
    int64_t[:, ::1] reached not None,
    object deadline,
):
    """One layer of the product of a diagram with a rule on edges and length.

    A state is a node and the edges used so far, counted by ``weights`` (a row of ``pairs``).
    ``decisions`` is the set of allowed decisions, ``accepts`` whether a solution may end here,
    ``lengths[n]`` whether it may have n edges. ``fewest`` and ``most`` bound what the nodes of the
    next layer add. ``seen`` (next nodes x lengths, all -1) numbers the states of the next layer.
    Fills ``out`` (children) and ``reached``; returns how many were reached.
    """
    cdef Py_ssize_t size = pairs.shape[0], nexts = fewest.shape[0], index, n
    cdef Rule rule
    cdef uint32_t child, name, decision
    cdef int64_t used, node
    cdef int32_t count = 0
    cdef int which, born
    cdef bint fits = True
    cdef Watch watch
    check_children(children)
    check_children(out)
    if pairs.shape[1] != 2 or reached.shape[1] != 2 or out.shape[0] != size:
        raise ValueError("expected a node and a length for each state, and room for children")
    if most.shape[0] != nexts or seen.shape[0] != nexts or seen.shape[1] != lengths.shape[0]:
        raise ValueError("expected bounds and a place for each state of the next layer")
    if reached.shape[0] < min(2 * size, nexts * lengths.shape[0]) or weights.shape[0] != 4:
        raise ValueError("expected room for all that may be reached, and a weight for a decision")
    for n in range(4):
        if not 0 <= weights[n] <= 2:
            raise ValueError("expected decisions that choose up to two edges")
    rule.decisions, rule.accepts, rule.low, rule.high = decisions, accepts, -1, -1
    for n in range(lengths.shape[0]):
        if lengths[n]:
            rule.high = n
            if rule.low < 0:
                rule.low = n
    watch_start(&watch, deadline.seconds, RATE)
    with nogil:
        for index in range(size):
            if watch_stops(&watch):
                break
            born = 0
            out[index, 0] = out[index, 1] = 0
            fits = 0 <= pairs[index, 0] < children.shape[0] and 0 <= pairs[index, 1] < FAR
            if not fits:
                break
            for which in range(2):
                child = children[pairs[index, 0], which]
                decision = child & 3
                if child >> 2 == DEAD or not rule.decisions >> decision & 1:
                    continue
                used = pairs[index, 1] + weights[decision]
                if child >> 2 == ACCEPT:
                    if not rule.accepts or used >= lengths.shape[0] or not lengths[used]:
                        continue
                    name = ACCEPT
                else:
                    node = (child >> 2) - 2
                    if node >= nexts:
                        fits = False
                        break
                    if used + fewest[node] > rule.high or used + most[node] < rule.low:
                        continue
                    if used >= lengths.shape[0] or seen[node, used] >= count:
                        fits = False
                        break
                    if seen[node, used] < 0:
                        if count >= reached.shape[0]:
                            fits = False
                            break
                        seen[node, used] = count
                        reached[count, 0], reached[count, 1] = node, used
                        count += 1
                    name = seen[node, used] + 2
                out[index, born] = name << 2 | decision
                born += 1
            if not fits:
                break
    fits_or_raise(fits, &watch, deadline)
    return count


def unroll(
    const uint32_t[:, ::1] nodes not None,
    const int64_t[::1] starts not None,
    int64_t[::1] place not None,
    int64_t[::1] taken not None,
    uint8_t[:, ::1] decisions not None,
    object deadline,
):
    """Fill rows of ``decisions`` with the next solutions, in order; return how many.

    ``place[t]`` is the node at layer t on the current walk and ``taken[t]`` which child comes
    next there; both are zero before the first call and carry the walk from call to call.
    ``place[-1]`` is the depth of the walk, -1 when there are no more.
    """
    cdef Py_ssize_t layers = starts.shape[0] - 1, count = 0, layer
    cdef int64_t depth
    cdef uint32_t child
    cdef bint fits = True
    cdef Watch watch
    check_children(nodes)
    check_starts(starts, nodes.shape[0])
    if place.shape[0] != layers + 1 or taken.shape[0] != layers + 1:
        raise ValueError("expected a place in each layer, and the depth of the walk")
    if layers < 1 or decisions.shape[1] != layers or not -1 <= place[layers] < layers:
        raise ValueError("expected a decision for each layer")
    depth = place[layers]
    for layer in range(depth + 1):
        if not 0 <= place[layer] < starts[layer + 1] - starts[layer]:
            raise ValueError("expected places within the layers")
        if not 0 <= taken[layer] <= 2 or (layer < depth and taken[layer] == 0):
            raise ValueError("expected which child comes next")
    cdef uint8_t[::1] row = np.zeros(layers, dtype=np.uint8)
    for layer in range(depth):
        row[layer] = nodes[starts[layer] + place[layer], taken[layer] - 1] & 3
    watch_start(&watch, deadline.seconds, RATE)
    with nogil:
        while depth >= 0 and count < decisions.shape[0] and not watch_stops(&watch):
            child = 0
            if taken[depth] < 2:
                child = nodes[starts[depth] + place[depth], taken[depth]]
            if child == 0:
                taken[depth] = 0
                row[depth] = 0
                depth -= 1
                continue
            taken[depth] += 1
            row[depth] = child & 3
            if child >> 2 == ACCEPT:
                for layer in range(layers):
                    decisions[count, layer] = row[layer]
                count += 1
            else:
                fits = child >> 2 > ACCEPT and depth + 1 < layers
                if fits:
                    fits = (child >> 2) - 2 < starts[depth + 2] - starts[depth + 1]
                if not fits:
                    break
                depth += 1
                place[depth] = (child >> 2) - 2
        place[layers] = depth
    fits_or_raise(fits, &watch, deadline)
    return count
