"""What the rules of vertices and faces demand, looked up in one table by what is on and off."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from linkoracle.cdcl.kernel.state import AN_OFF, AN_ON

#: What a rule demands: nothing; of the edges that are still open, to be off, or on; what cannot be;
#: of a clue, to match, or not to.
REST, ALL_OFF, ALL_ON, WRONG, MATCHES, NO_MATCH = range(6)

_MASKS, _SIZES = 32, 5
#: Entries of a row: one for each tally of up to four edges.
_ROW = 4 * max(AN_ON, AN_OFF) + 1


def row_of_mask(size: int, mask: int) -> int:
    """Where the row of a place begins that has so many edges, and allows these numbers of them."""
    return _ROW * (_MASKS * size + mask)


def row_of_count(count: int) -> int:
    """Where the row of a face begins of which it is open whether its clue, this one, matches."""
    return _ROW * (_MASKS * _SIZES + count)


def _of_mask(mask: int, on: int, free: int) -> int:
    fits = [more for more in range(free + 1) if mask >> (on + more) & 1]
    if not fits:
        return WRONG
    if free and fits == [0]:
        return ALL_OFF
    return ALL_ON if free and fits == [free] else REST


def _of_count(count: int, on: int, off: int) -> int:
    if on > count or off > 4 - count:
        return NO_MATCH
    return MATCHES if on + off == 4 else REST


def _table() -> NDArray[np.int8]:
    table = np.zeros(_ROW * (_MASKS * _SIZES + 5), dtype=np.int8)
    for on, off in product(range(5), repeat=2):
        tally = on * AN_ON + off * AN_OFF
        for size, mask in product(range(on + off, _SIZES), range(_MASKS)):
            table[row_of_mask(size, mask) + tally] = _of_mask(mask, on, size - on - off)
        for count in range(5) if on + off <= 4 else ():
            table[row_of_count(count) + tally] = _of_count(count, on, off)
    return table


#: What is demanded, by the beginning of a row plus a tally.
TABLE = _table()
