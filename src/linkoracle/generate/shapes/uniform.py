"""`uniform`: every loop of the board equally likely."""

from __future__ import annotations

import math
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from linkoracle.errors import NothingFound
from linkoracle.generate.randomness import below
from linkoracle.generate.shapes.colouring import Ends
from linkoracle.model import Solution
from linkoracle.puzzles import Slitherlink
from linkoracle.solving import diagram

if TYPE_CHECKING:
    from linkoracle.frontier import Diagram


def uniform(
    rng: Random,
    rows: int,
    cols: int,
    *,
    ends: Ends = None,
    length: int | tuple[int, int] | None = None,
    share: tuple[float, float] | None = None,
    memory: int | None = None,
) -> Solution:
    """A loop, or with ``ends`` an open path, drawn uniformly from all of the board.

    With ``length`` (a number of edges, or the least and the greatest) or ``share`` (of the dots
    that the line visits, the least and the greatest) uniformly from those. By the frontier engine,
    whose `Diagram` of all loops is kept for the next call: boards of up to 12x12 cells take seconds
    and hundreds of megabytes the first time, and less than a millisecond a loop from then on.

    Raises `NothingFound` when no loop is as asked, `MemoryLimit` when the diagram needs more than
    ``memory`` bytes (``None``: half of what is free).

    >>> len(uniform(Random(1), 4, 4, length=16))
    16
    """
    dots = (rows + 1) * (cols + 1)
    least, most = (length, length) if isinstance(length, int) else length or (1, dots)
    if share is not None:
        # A path visits one dot more than it has edges.
        extra = ends is not None
        least = max(least, math.ceil(share[0] * dots - 1e-9) - extra)
        most = min(most, math.floor(share[1] * dots + 1e-9) - extra)
    everything = _lines(rows, cols, ends, least, most, memory)
    if not everything:
        raise NothingFound(f"no line on {rows}x{cols} cells has {least} to {most} edges")
    return everything.sample(1, seed=below(rng, 1 << 48))[0]


@lru_cache(maxsize=2)
def _lines(rows: int, cols: int, ends: Ends, least: int, most: int, memory: int | None) -> Diagram:
    everything = diagram(Slitherlink.blank(rows, cols, ends), memory=memory)
    dots = (rows + 1) * (cols + 1)
    return everything if (least, most) == (1, dots) else everything.filter(length=(least, most))
