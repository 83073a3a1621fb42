"""The step of the frontier pass, and the loop that takes it for every state of a layer.

The specification of the state space is `_join` to `_settle`: what one decision at one vertex makes
of one state. What is done with the states - merge equal ones, add their counts, keep their
children - is `advance` and the record store above it. `plan` says what a state is.

**Records.** A layer is one flat ``uint64`` array of records of ``words + limbs`` entries: a state,
then its count in base 2**64, lowest limb first. Records stand in the order in which they were
first reached; a hash table of their indices finds them again. State and count are neighbours
because finding the one is nearly always followed by adding to the other.

**Counts never overflow.** Each state has at most two children (see `_allowed`), so the sum of
all counts at most doubles with a step. `advance` keeps an upper bound on the bits of that sum; when
the bound would outgrow the limbs it adds up the true sum, and when that is too near it stops
and asks for wider records.

Everything that `advance` compiles lives in this one file, constants included: Numba's cache
notices a change of the file that a function is in, and of no other.
"""

from __future__ import annotations

import numpy as np
from numba import njit

#: Columns of `Plan.steps`, one row a vertex.
COLUMN, DEGREES, DECISIONS, PHASE, CODE, ABOVE, BESIDE, KEEP_TOP, REST_EMPTY, UNSEEN = range(10)
#: Entries of `Plan.dims`.
WIDTH, WORDS, PAIR_BASE, SPARE_CODE, LOOP, PLUG_MASK, STEPS = range(7)
#: `Plan.guards` of a vertex that any label may enter; 0 says none; else the only code that may.
ANY_LABEL = -1

#: Entries of the cursor, the mutable state of a pass.
STEP, NEXT, OLD, NEW, TABLE, BITS, FLIP, BUDGET, BY_LAYER, STARTED, REHASH, LIMBS = range(12)
CURSOR_FIELDS = 12
#: Why `advance` came back.
DONE, LAYER, PAUSE, NEED_RECORDS, NEED_TABLE, NEED_LIMBS = range(6)

#: Targets of a child that are not a record of the next layer; record k is target k + 2.
DEAD, ACCEPT = 0, 1
#: Children merged at a time, and what is noted about each.
BATCH = 64
PARENT, KEPT_AT, DECIDED, PLACE, FOUND = range(5)

#: The codes of plugs.
LEFT_END, RIGHT_END, FIRST_LABEL = 1, 2, 3

_ZERO, _ONE, _HALF = np.uint64(0), np.uint64(1), np.uint64(32)
_HASH_1, _HASH_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


# ---- records -------------------------------------------------------------------------------------


@njit(inline="always")
def _slot(state, start, words):  # type: ignore[no-untyped-def]
    """Hash the ``words`` words at ``start``."""
    mixed = _ZERO
    for k in range(words):
        mixed = (mixed ^ state[start + k]) * _HASH_1
        mixed ^= mixed >> _HALF
    mixed *= _HASH_2
    return np.int64(mixed >> _HALF)


@njit(inline="always")
def _add(target, to, source, start, limbs):  # type: ignore[no-untyped-def]
    """Add the number at ``source[start:]`` to that at ``target[to:]``, with carries."""
    carry = _ZERO
    for k in range(limbs):
        part = source[start + k] + carry
        carry = _ONE if part < carry else _ZERO
        total = target[to + k] + part
        if total < part:
            carry = _ONE
        target[to + k] = total
    return carry


@njit(cache=True)
def _rehash(table, size, records, count, stride, words):  # type: ignore[no-untyped-def]
    table[:size] = -1
    mask = size - 1
    for index in range(count):
        place = _slot(records, index * stride, words) & mask
        while table[place] >= 0:
            place = (place + 1) & mask
        table[place] = index


@njit(cache=True)
def _merge(  # type: ignore[no-untyped-def]
    pending, notes, waiting, old, new, table, mask, reached, words, limbs, children
):
    """Add a batch of children to the next layer; return how many states that has.

    A child costs two memory accesses at random, to the table and to a record, and on a large
    layer both miss every cache. The first two loops make these accesses for the whole batch, none
    waiting for another, so that the processor overlaps them; the third finds them done.
    """
    stride = words + limbs
    for index in range(waiting):
        place = _slot(pending, index * words, words) & mask
        notes[index, PLACE] = place
        notes[index, FOUND] = table[place]
    touched = _ZERO
    for index in range(waiting):
        found = notes[index, FOUND]
        if found >= 0:
            touched ^= new[found * stride]
    # Written, so that the compiler keeps the loop.
    notes[0, FOUND] = np.int64(touched)
    for index in range(waiting):
        place, parent = notes[index, PLACE], notes[index, PARENT]
        while True:
            found = np.int64(table[place])
            if found < 0:
                table[place] = reached
                to = reached * stride
                for k in range(words):
                    new[to + k] = pending[index * words + k]
                for k in range(limbs):
                    new[to + words + k] = old[parent + k]
                found = reached
                reached += 1
                break
            to = found * stride
            same = True
            for k in range(words):
                if new[to + k] != pending[index * words + k]:
                    same = False
                    break
            if same:
                _add(new, to + words, old, parent, limbs)
                break
            place = (place + 1) & mask
        if len(children):
            children[notes[index, KEPT_AT]] = np.uint32((found + 2) << 2 | notes[index, DECIDED])
    return reached


@njit(cache=True)
def _sum_bits(records, count, stride, words, limbs, answer):  # type: ignore[no-untyped-def]
    """Bits of the sum of all counts and the answer."""
    total = np.zeros(limbs + 1, dtype=np.uint64)
    total[limbs] += _add(total, 0, answer, 0, limbs)
    for index in range(count):
        total[limbs] += _add(total, 0, records, index * stride + words, limbs)
    bits = 64 * (limbs + 1)
    while bits > 0 and not (total[(bits - 1) >> 6] >> np.uint64((bits - 1) & 63)) & _ONE:
        bits -= 1
    return bits


# ---- what a step means ---------------------------------------------------------------------------


@njit(inline="always")
def _plug(state, start, plugs, slot, plug_mask):  # type: ignore[no-untyped-def]
    word = state[start + plugs[slot, 0]] >> np.uint64(plugs[slot, 1])
    return np.int64(word & np.uint64(plug_mask))


@njit(inline="always")
def _change(state, plugs, slot, old, new):  # type: ignore[no-untyped-def]
    state[plugs[slot, 0]] ^= np.uint64(old ^ new) << np.uint64(plugs[slot, 1])


@njit(inline="always")
def _top(state, start, tops, column):  # type: ignore[no-untyped-def]
    """The face bit of ``column``, 0 where the column has none."""
    word = tops[column, 0]
    if word < 0:
        return 0
    return np.int64((state[start + word] >> np.uint64(tops[column, 1])) & _ONE)


@njit(inline="always")
def _mate(state, plugs, column, width, plug_mask, end):  # type: ignore[no-untyped-def]
    """Slot of the other end of the path that enters ``column`` as ``end``.

    Both plugs at the vertex have been cleared from ``state``, so what remains of the frontier is
    plugs 0 ... width - 1 in this order, and the mate is the first unmatched parenthesis.
    """
    depth = 0
    if end == LEFT_END:
        for slot in range(column + 1, width):
            code = _plug(state, 0, plugs, slot, plug_mask)
            if code == LEFT_END:
                depth += 1
            elif code == RIGHT_END:
                if depth == 0:
                    return slot
                depth -= 1
    else:
        for slot in range(column - 1, -1, -1):
            code = _plug(state, 0, plugs, slot, plug_mask)
            if code == RIGHT_END:
                depth += 1
            elif code == LEFT_END:
                if depth == 0:
                    return slot
                depth -= 1
    return -1


@njit(inline="always")
def _allowed(left, up, degrees, decisions):  # type: ignore[no-untyped-def]
    """Decisions that give the vertex a degree it may have: at most two of the four.

    With degrees {0,2} or subsets: none or both after no plug, one of two after one, none after two.
    With degree {1}: one of two after no plug, none after one.
    """
    entering = (1 if left else 0) + (1 if up else 0)
    allowed = 0
    if degrees >> entering & 1:
        allowed |= 0b0001
    if degrees >> (entering + 1) & 1:
        allowed |= 0b0110
    if degrees >> (entering + 2) & 1:
        allowed |= 0b1000
    return allowed & decisions


@njit(inline="always")
def _faces_fit(above, above_now, beside, beside_now, decision):  # type: ignore[no-untyped-def]
    """Whether the two faces that this decision completes or advances can still keep their rules.

    The face above right is complete with the edge to the right: its count must be allowed. The face
    to the lower left lacks only its bottom edge: the count, or one more, must be. (The face to
    the lower right depends on the decision alone; `Plan.steps` has dealt with it.)
    """
    if not above >> (above_now + (decision >> 1)) & 1:
        return False
    return (beside >> (beside_now + (decision & 1)) & 0b11) != 0


@njit(inline="always")
def _pattern(state, plugs, tops, column, width, plug_mask):  # type: ignore[no-untyped-def]
    """What the state knows around the vertex, as `lookahead.lookahead` numbers it."""
    pattern = 0
    if column:
        pattern |= 4 if _plug(state, 0, plugs, column - 1, plug_mask) else 0
        pattern |= _top(state, 0, tops, column - 1) << 3
    if column + 1 < width:
        pattern |= 16 if _plug(state, 0, plugs, column + 1, plug_mask) else 0
        pattern |= _top(state, 0, tops, column + 1) << 5
    if column + 2 < width:
        pattern |= 64 if _plug(state, 0, plugs, column + 2, plug_mask) else 0
        pattern |= _top(state, 0, tops, column + 2) << 7
    return pattern


@njit(inline="always")
def _find(state, plugs, width, plug_mask, code):  # type: ignore[no-untyped-def]
    """The first of the plugs 0 ... width - 1 that carries ``code``, or -1."""
    for slot in range(width):
        if _plug(state, 0, plugs, slot, plug_mask) == code:
            return slot
    return -1


@njit(inline="always")
def _relabel(state, plugs, slot, old, phase, code, dims):  # type: ignore[no-untyped-def]
    """Let plug ``slot``, now ``old``, carry the terminal just met; False if that is impossible.

    At its pair's first terminal the plug becomes an open label. At the second, the plug that
    carries the first terminal is looked up, and both become a met pair.
    """
    if phase == 1:
        _change(state, plugs, slot, old, code)
        return True
    # With one pair the plug carries the code of a met pair already.
    first = _find(state, plugs, dims[WIDTH], dims[PLUG_MASK], code)
    if first < 0:
        return False
    _change(state, plugs, first, code, dims[SPARE_CODE])
    _change(state, plugs, slot, old, dims[SPARE_CODE])
    return True


@njit(inline="always")
def _end_path(state, plugs, column, entering, decision, phase, code, dims):  # type: ignore[no-untyped-def]
    """A terminal: its path leaves it, or the path that enters it ends there."""
    width, plug_mask = dims[WIDTH], dims[PLUG_MASK]
    if entering == 0:
        slot = width if decision >> 1 else column
        return _relabel(state, plugs, slot, 0, phase, code, dims)
    if entering >= FIRST_LABEL:
        # Joined with its mate if that is what comes in; any other label has ends of its own.
        return phase == 2 and entering == code
    mate = _mate(state, plugs, column, width, plug_mask, entering)
    return _relabel(state, plugs, mate, LEFT_END + RIGHT_END - entering, phase, code, dims)


@njit(inline="always")
def _join(state, plugs, column, left, up, dims):  # type: ignore[no-untyped-def]
    """Two paths meet at the vertex and become one; False when they must not.

    A pair of parentheses that meets itself closes a cycle; `_child` has dealt with that.
    """
    width, plug_mask = dims[WIDTH], dims[PLUG_MASK]
    if left >= FIRST_LABEL and up >= FIRST_LABEL:
        # An open label stands on one plug only, so equal labels are the two ends of a met pair.
        return left == up
    if left >= FIRST_LABEL or up >= FIRST_LABEL:
        label = max(left, up)
        end = min(left, up)
        mate = _mate(state, plugs, column, width, plug_mask, end)
        _change(state, plugs, mate, LEFT_END + RIGHT_END - end, label)
    elif left == up:
        # "((": the mate of the inner one turns round; the outer one's mate stays the outer end.
        mate = _mate(state, plugs, column, width, plug_mask, left)
        _change(state, plugs, mate, LEFT_END, RIGHT_END)
    # ")(": the two outer ends are each other's mates as they stand.
    return True


@njit(inline="always")
def _closes(state, tops, faces, step, column, rest_empty, plugs, dims):  # type: ignore[no-untyped-def]
    """Whether a cycle closed here is a solution: nothing else chosen, nothing else needed.

    Every other plug must be empty. Then all that the open faces will ever have is their top edge,
    and vertices and faces to come get no edge at all.
    """
    width, plug_mask = dims[WIDTH], dims[PLUG_MASK]
    if not rest_empty:
        return False
    for slot in range(width):
        if _plug(state, 0, plugs, slot, plug_mask):
            return False
    row = step // width
    for other in range(faces.shape[1]):
        if other != column:
            face_row = row if other < column else row - 1
            if 0 <= face_row < faces.shape[0]:
                top = _top(state, 0, tops, other)
                if not faces[face_row, other] >> top & 1:
                    return False
    return True


@njit(inline="always")
def _settle(state, plugs, guards, step, column, unseen, dims, scratch):  # type: ignore[no-untyped-def]
    """Number the met pairs anew and say whether the state can still lead to a solution.

    Each reason to give up is sound, that is, no completion of the state is lost:

    * *guard*: the edge of a plug is chosen, so its path enters the vertex ahead of it. If that is
      a terminal, the path ends there; only an unfinished path or that pair's own open label may.
    * *meeting*: the plugs ahead of the next vertex are both chosen and will be joined there: two
      different labels must not be, nor, as paths have no cycles, two ends of the same path.
    * *stranded*: when no terminal is to come and no label is on the frontier, an unfinished path
      can never reach a terminal.
    * *crossing*: what is decided so far, seen from below, is the lower half plane with a
      strip for each unfinished path, and what lies directly under the same innermost strip (or
      under none) is one boundary curve of it. Fill in the other boundaries with discs: this leaves
      a disc, on whose rim two pairs that alternate cannot both be joined without crossing. Pairs
      with ends under different strips prove nothing, since a path may go round through a strip.
    """
    width, plug_mask, pair_base = dims[WIDTH], dims[PLUG_MASK], dims[PAIR_BASE]
    row = step // width
    most = width + 2
    # scratch: new number of a code; strip above each open parenthesis; first place, last place and
    # common strip of each met pair.
    number, outer, first, last, strip = 0, most, 2 * most, 3 * most, 4 * most
    for code in range(most):
        scratch[number + code] = -1
    met = labels = paths = depth = 0
    here = 0
    beside = 0
    for place in range(width + 1):
        if place <= column:
            slot, vertex = place, step - column + width + place
        elif place == column + 1:
            slot, vertex = width, step + 1
        else:
            slot, vertex = place - 1, row * width + place - 1
        code = _plug(state, 0, plugs, slot, plug_mask)
        if code == 0:
            continue
        if place == column + 1:
            beside = code
        elif place == column + 2 and beside:
            if code >= FIRST_LABEL and beside >= FIRST_LABEL:
                if code != beside:
                    return False
            elif code == RIGHT_END and beside == LEFT_END:
                return False
        if code == LEFT_END:
            paths += 1
            scratch[outer + depth] = here
            depth += 1
            here = paths
        elif code == RIGHT_END:
            depth -= 1
            here = scratch[outer + depth]
        else:
            labels += 1
            guard = guards[vertex]
            if guard != ANY_LABEL and guard != code:
                return False
            if code >= pair_base:
                index = scratch[number + code - pair_base]
                if index < 0:
                    index = met
                    met += 1
                    scratch[number + code - pair_base] = index
                    scratch[first + index] = place
                    scratch[strip + index] = here
                    # Only one end so far (with one pair, an open label looks like this).
                    scratch[last + index] = -1
                elif scratch[strip + index] == here:
                    scratch[last + index] = place
                if code != pair_base + index:
                    _change(state, plugs, slot, code, pair_base + index)
    if paths and not labels and not unseen:
        return False
    for a in range(met):
        if scratch[last + a] >= 0:
            for b in range(a + 1, met):
                if scratch[first + b] < scratch[last + a] < scratch[last + b] and (
                    scratch[strip + a] == scratch[strip + b]
                ):
                    return False
    return True


# ---- the pass ------------------------------------------------------------------------------------


@njit(cache=True)
def advance(  # type: ignore[no-untyped-def]
    cursor,
    steps,
    faces,
    guards,
    plugs,
    tops,
    dims,
    one,
    two,
    table,
    answer,
    children,
    ahead,
    scratch,
):
    """Take states until the pass is done or something is needed; return why it came back.

    ``one`` and ``two`` hold the records of the current and the next layer, changing places with
    every step (``cursor[FLIP]``). With ``cursor[BY_LAYER]`` it returns `LAYER` after every step; if
    ``children``, zeros at first, is not empty, it then holds two numbers for each state of the
    layer just left: ``target << 2 | decision`` in order of the decision, 0 for a child that does
    not exist. ``ahead`` is empty or the table of `lookahead.lookahead`.
    """
    words, width, plug_mask = dims[WORDS], dims[WIDTH], dims[PLUG_MASK]
    loop, labelled = dims[LOOP] == 1, dims[LOOP] == 0
    limbs = cursor[LIMBS]
    stride = words + limbs
    keep = len(children) > 0
    rest = np.zeros(words, dtype=np.uint64)
    child = np.zeros(words, dtype=np.uint64)
    pending = np.empty(BATCH * words, dtype=np.uint64)
    notes = np.empty((BATCH, 5), dtype=np.int64)
    old, new = (two, one) if cursor[FLIP] else (one, two)
    budget = cursor[BUDGET]

    while cursor[STEP] < dims[STEPS]:
        step, count = cursor[STEP], cursor[OLD]
        if not cursor[STARTED]:
            if limbs and cursor[BITS] + 1 > 64 * limbs:
                cursor[BITS] = _sum_bits(old, count, stride, words, limbs, answer)
                if cursor[BITS] + 4 > 64 * limbs:
                    return NEED_LIMBS
            cursor[BITS] += 1
            size = 64
            while size < 2 * count + 2:
                size *= 2
            if size > len(table):
                cursor[TABLE] = size
                return NEED_TABLE
            cursor[TABLE] = size
            cursor[NEXT] = cursor[NEW] = 0
            table[:size] = -1
            cursor[STARTED] = 1
        elif cursor[REHASH]:
            _rehash(table, cursor[TABLE], new, cursor[NEW], stride, words)
        cursor[REHASH] = 0
        table_size = cursor[TABLE]
        mask = table_size - 1
        reached = cursor[NEW]
        room = min(len(new) // stride, table_size * 5 // 8)
        told = steps[step]
        column, degrees, decisions = told[COLUMN], told[DEGREES], told[DECISIONS]
        phase, code, above, beside = told[PHASE], told[CODE], told[ABOVE], told[BESIDE]
        keep_top, rest_empty, unseen = told[KEEP_TOP], told[REST_EMPTY], told[UNSEEN]
        last = step + 1 == dims[STEPS]
        above_ruled, beside_ruled = above != 0b11111, beside != 0b11111
        has_top = tops[column, 0] >= 0
        foreseen = len(ahead) > 0

        index = cursor[NEXT]
        waiting = 0
        while index < count:
            full = waiting > BATCH - 2
            if full or (waiting and (reached + waiting + 2 > room or budget == 0)):
                reached = _merge(
                    pending, notes, waiting, old, new, table, mask, reached, words, limbs, children
                )
                waiting = 0
            if reached + waiting + 2 > room or budget == 0:
                cursor[NEXT], cursor[NEW] = index, reached
                if budget == 0:
                    return PAUSE
                if reached + 2 > len(new) // stride:
                    return NEED_RECORDS
                cursor[TABLE] = 2 * table_size
                cursor[REHASH] = 1
                if cursor[TABLE] > len(table):
                    return NEED_TABLE
                _rehash(table, cursor[TABLE], new, reached, stride, words)
                cursor[REHASH] = 0
                table_size = cursor[TABLE]
                mask = table_size - 1
                room = min(len(new) // stride, table_size * 5 // 8)
            budget -= 1
            start = index * stride
            left = _plug(old, start, plugs, width, plug_mask)
            up = _plug(old, start, plugs, column, plug_mask)
            allowed = _allowed(left, up, degrees, decisions)
            index += 1
            if not allowed:
                continue
            for k in range(words):
                rest[k] = old[start + k]
            if left:
                _change(rest, plugs, width, left, 0)
            if up:
                _change(rest, plugs, column, up, 0)
            above_now = beside_now = 0
            if above_ruled:
                next_up = _plug(rest, 0, plugs, column + 1, plug_mask)
                above_now = _top(rest, 0, tops, column) + (up != 0) + (next_up != 0)
            if beside_ruled:
                last_down = _plug(rest, 0, plugs, column - 1, plug_mask)
                beside_now = _top(rest, 0, tops, column - 1) + (last_down != 0)
            if has_top and _top(rest, 0, tops, column):
                rest[tops[column, 0]] ^= _ONE << np.uint64(tops[column, 1])

            pattern = 0
            if foreseen:
                pattern = _pattern(rest, plugs, tops, column, width, plug_mask)
            born = 0
            for decision in range(4):
                if not allowed >> decision & 1:
                    continue
                if foreseen and not ahead[step, pattern | decision]:
                    continue
                if not _faces_fit(above, above_now, beside, beside_now, decision):
                    continue
                for k in range(words):
                    child[k] = rest[k]
                target = -1
                if phase:
                    if not _end_path(child, plugs, column, left + up, decision, phase, code, dims):
                        continue
                elif left and up:
                    if left == LEFT_END and up == RIGHT_END:
                        if not loop or not _closes(
                            child, tops, faces, step, column, rest_empty, plugs, dims
                        ):
                            continue
                        target = ACCEPT
                    elif not _join(child, plugs, column, left, up, dims):
                        continue
                elif decision == 3:
                    _change(child, plugs, column, 0, LEFT_END)
                    _change(child, plugs, width, 0, RIGHT_END)
                elif decision:
                    _change(child, plugs, width if decision >> 1 else column, 0, left + up)

                if target < 0:
                    if labelled and not _settle(
                        child, plugs, guards, step, column, unseen, dims, scratch
                    ):
                        continue
                    if last:
                        # No edge leaves the last vertex, so nothing is left on the frontier.
                        if loop:
                            continue
                        target = ACCEPT
                if target == ACCEPT:
                    _add(answer, 0, old, start + words, limbs)
                    if keep:
                        children[2 * (index - 1) + born] = np.uint32(ACCEPT << 2 | decision)
                else:
                    if keep_top and decision >> 1:
                        child[tops[column, 0]] |= _ONE << np.uint64(tops[column, 1])
                    for k in range(words):
                        pending[waiting * words + k] = child[k]
                    notes[waiting, PARENT] = start + words
                    notes[waiting, KEPT_AT] = 2 * (index - 1) + born
                    notes[waiting, DECIDED] = decision
                    waiting += 1
                born += 1

        reached = _merge(
            pending, notes, waiting, old, new, table, mask, reached, words, limbs, children
        )
        cursor[OLD], cursor[NEW], cursor[NEXT] = reached, 0, 0
        cursor[STARTED] = 0
        cursor[STEP] = step + 1
        cursor[FLIP] ^= 1
        old, new = new, old
        if cursor[BY_LAYER]:
            return LAYER
        if reached == 0:
            break
    return DONE
