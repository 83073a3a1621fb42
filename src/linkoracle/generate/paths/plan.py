"""The plan of a made Numberlink: what paths to draw, what to repair, and what to accept.

A request is translated once, and each step sees its own part of the plan only. The number of pairs,
and what paths look like, are by default those of published puzzles.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any, Literal, get_args

from linkoracle.board import Board, Symmetry
from linkoracle.board.symmetry import images
from linkoracle.core import below, pick
from linkoracle.kinds import Numberlink, Variant

if TYPE_CHECKING:
    from linkoracle.generate.paths import PathSystem

Maker = Literal["links", "diagram"]
MAKERS: tuple[Maker, ...] = get_args(Maker)

#: The defaults for boards of at least this many cells are those of published puzzles. Of 116 with
#: 10x10 and 58 with 15x15 cells, the mean number of pairs is 7.3 and 12.3: a power of the number of
#: cells. Hardly any path has three cells, and one on every third board is straight. With the least
#: number of turns per cell, generated boards have the published mean.
USUAL_CELLS = 49
USUAL_PAIRS, PAIRS_POWER = (0.34, 0.43), 0.643
USUAL_LENGTH = 4
USUAL_STRAIGHT = (0.0, 0.15)
USUAL_TURNS = 0.185
#: The same for small boards, and if all cells must be used or numbers are symmetric: with fewer
#: pairs, few of these have one solution.
OTHER_PAIRS, OTHER_POWER = (0.85, 1.15), 0.5
#: The most pairs on other boards: times the root of the number of cells, or a fraction of the cells
#: if their neighbours allow no long paths, as one attempt in `SHORT_PATHS` supposes.
BOARD_PAIRS, MOST_OF_CELLS, SHORT_PATHS = 2.0, 1 / 3, 4
#: Beyond this many cells, the number of pairs per additional cell. Of the two published boards of
#: more than 500 cells that were proved unique, one of 25x32 has 64 pairs, one of 30x30 has 46. With
#: fewer, a proof takes minutes or longer.
LARGE_CELLS, LARGE_PAIRS = 400, (1 / 13, 1 / 11)
#: The most cuts that make a puzzle easier, and the most pairs beyond the default that these add.
MOST_CUTS = 4


def usual_pairs(cells: int, *, published: bool, square: bool) -> tuple[float, float]:
    """Return the default range of the number of pairs.

    ``published`` is true for boards that should look like published ones.

    >>> usual_pairs(100, published=False, square=True)
    (8.5, 11.5)
    """
    (low, high), power = (USUAL_PAIRS, PAIRS_POWER) if published else (OTHER_PAIRS, OTHER_POWER)
    scale, more = math.pow(min(cells, LARGE_CELLS), power), max(0, cells - LARGE_CELLS)
    if not square:
        return low * scale, max(low * scale, MOST_OF_CELLS * cells)
    return low * scale + LARGE_PAIRS[0] * more, high * scale + LARGE_PAIRS[1] * more


def default_pairs(usual: tuple[float, float], least: int, most: int, step: int) -> tuple[int, int]:
    """Return the part of the ``usual`` range of the number of pairs between two bounds.

    If it has no multiple of ``step``, return the nearest one.

    >>> default_pairs((8.5, 11.5), 1, 10, 1), default_pairs((8.5, 11.5), 1, 10, 4)
    ((9, 10), (8, 8))
    """
    low, high = math.ceil(usual[0]), math.floor(usual[1])
    low, high = (max(least, min(end, most)) for end in (low, max(low, high)))
    nearest = max(step, round(sum(usual) / 2 / step) * step)
    return (low, high) if multiples((low, high), step) else (nearest, nearest)


def pairs_together(board: Board, symmetry: Symmetry) -> int:
    """Return the number of paths that a symmetry maps to each other; check the symmetry.

    A path that a half turn maps to itself has the centre of the board in its middle. The centre is
    a cell or a step unless both sides are even; then paths come in twos, or fours. The paths are
    symmetric, not only their ends. So on the diagonal of a mirror, the first cell is joined to
    both cells right and below, the last to both above and left, and two consecutive cells in
    between close a ring of four. Under a quarter turn, the middle cell of a board with an odd
    side would be joined to none or to all four of its neighbours.
    """
    images(board, symmetry)
    if symmetry in ("diagonal", "antidiagonal"):
        raise ValueError(f"paths cannot have the symmetry {symmetry}: they would be rings")
    # Cells are vertices: of a side of an even number of them, the centre is between two.
    even = all(between % 2 for between in board.shape)
    if symmetry == "quarter-turn" and not even:
        needed = f"needs a square board with an even side, got {board.vertices_in_words('cell')}"
        raise ValueError(f"the symmetry {symmetry} {needed}")
    return {"half-turn": 2, "both": 2, "quarter-turn": 4}.get(symmetry, 1) if even else 1


def multiples(pairs: tuple[int, int], step: int) -> range:
    """Return the numbers of pairs from the least to the most that are multiples of a step."""
    return range(-(-pairs[0] // step) * step, pairs[1] + 1, step)


#: A range of fractions that includes both ends.
Share = tuple[float, float]
ALL: Share = (0.0, 1.0)


def checked_share(share: Any, name: str) -> Share:
    """Return a range as two floats; raise ``ValueError`` unless it is within 0 to 1."""
    try:
        least, most = (float(part) for part in share)
    except (TypeError, ValueError):
        least, most = math.nan, math.nan
    if not 0 <= least <= most <= 1:
        raise ValueError(f"expected a range within 0 to 1 for {name}, got {share!r}")
    return least, most


@lru_cache(maxsize=1024)
def numbers_within(share: Share, number: int) -> range:
    """Return the numbers of paths, out of ``number``, in a range of fractions; may be empty.

    >>> numbers_within((0.25, 0.5), 8), list(numbers_within((0.3, 0.4), 2))
    (range(2, 5), [])
    """
    # Divided and not multiplied, since 7 / 100 is 0.07 and 0.07 * 100 more than 7.
    fewest = next(part for part in range(number + 1) if part / number >= share[0])
    return range(fewest, 1 + next(k for k in range(number, -1, -1) if k / number <= share[1]))


def missed_by(part: int, share: Share, number: int) -> int:
    """Return by how much ``part`` out of ``number`` misses a range; never 0 if that is empty.

    >>> [missed_by(part, (0.25, 0.5), 8) for part in (1, 2, 6)]
    [1, 0, 2]
    """
    within = numbers_within(share, number)
    return max(0, within.start - part, part + 1 - within.stop)


def can_cover(
    cells: int, number: int, short_share: Share, long_share: Share, shortest: int, longest: int
) -> bool:
    """Return whether paths of ``shortest`` to ``longest`` cells can cover all cells.

    The ranges are for the fractions of paths of at most half, and of at least one and a half times,
    the average length.

    >>> can_cover(36, 6, (0, 1), (0, 1), 3, 36), can_cover(36, 6, (1, 1), (0, 1), 3, 36)
    (True, False)
    """
    half, much = cells // (2 * number), -(-3 * cells // (2 * number))
    lengths = (
        (shortest, min(half, longest)),
        (max(shortest, much), longest),
        (max(shortest, half + 1), min(much - 1, longest)),
    )
    shorts, longs = numbers_within(short_share, number), numbers_within(long_share, number)
    # A long path can give cells to a short one until that is average; it is then at least average
    # itself. So checking the fewest of one of the two suffices.
    for short, long in [*product(shorts, longs[:1]), *product(shorts[:1], longs)]:
        parts = list(zip((short, long, number - short - long), lengths, strict=True))
        if (
            all(not part or (part > 0 and least <= most) for part, (least, most) in parts)
            and sum(part * least for part, (least, _) in parts) <= cells
            and sum(part * most for part, (_, most) in parts) >= cells
        ):
            return True
    return False


#: Draws the range of the number of pairs of one attempt.
DrawPairs = Callable[[tuple[int, int], Random], tuple[int, int]]


def one_number(pairs: tuple[int, int], rng: Random, *, step: int) -> tuple[int, int]:
    """Draw one of the numbers in a range that are multiples of a step."""
    number = pick(rng, multiples(pairs, step))
    return number, number


def few_or_all(pairs: tuple[int, int], rng: Random, *, cells: int) -> tuple[int, int]:
    """Return a range, or mostly its part below twice the root of the number of cells."""
    low, high = pairs
    if below(rng, SHORT_PATHS):
        high = max(low, min(high, round(BOARD_PAIRS * math.sqrt(cells))))
    return low, high


def as_requested(pairs: tuple[int, int], _: Random) -> tuple[int, int]:
    """Return the range itself."""
    return pairs


@dataclass(frozen=True)
class PathPlan:
    """What to draw: paths that cover a ``board``, which has a vertex for each cell.

    The number of ``pairs`` is a range, of which `drawn` may draw a part. Fields are as in
    `NumberlinkRequest`. A cell of ``must`` is an end of a path, and a cell of ``must_not`` is none.
    The first path has straight pieces of up to half the length ``across`` the board.
    """

    board: Board
    across: int
    variant: Variant
    symmetry: Symmetry
    pairs: tuple[int, int]
    draw_pairs: DrawPairs
    shortest: int
    longest: int | None
    short_share: Share
    long_share: Share
    straight_share: Share
    min_turns: float
    must: frozenset[int]
    must_not: frozenset[int]

    @property
    def fills(self) -> bool:
        """Whether players must use every cell."""
        return self.variant.startswith("fill")

    @property
    def touching(self) -> bool:
        """Whether a path may touch itself."""
        return self.variant == "fill"

    @cached_property
    def images(self) -> list[Sequence[int]]:
        """The image of every cell, for each isometry of the symmetry except the identity."""
        return [vertices for _, vertices in images(self.board, self.symmetry)[1:]]

    @property
    def average(self) -> float:
        """The average length of a path, for the middle of the range of pairs."""
        return 2 * self.board.num_vertices / sum(self.pairs)

    def drawn(self, rng: Random) -> PathPlan:
        """Return the plan of one attempt, whose number of pairs is drawn."""
        pairs = self.draw_pairs(self.pairs, rng)
        return self if pairs == self.pairs else replace(self, pairs=pairs)

    def with_cuts(self, min_turns: float) -> PathPlan:
        """Return this plan with a few more pairs, whose paths turn so often at least."""
        low, high = self.pairs
        return replace(self, pairs=(low, high + MOST_CUTS), min_turns=min_turns)

    def misses(self, system: PathSystem) -> int:
        """Return how far a board is from the plan: 0 if it is as requested.

        Counts the missing cells of short paths and the excess cells of long ones, missing or excess
        paths, paths by which fractions are missed, missing turns, and ends against the mask.
        """
        sizes = system.size.values()
        number, cells = len(sizes), self.board.num_vertices
        low, high = self.pairs
        far = max(0, low - number, number - high)
        least, most = self.shortest, self.longest
        far += sum(least - size for size in sizes if size < least)
        if most is not None:
            far += sum(size - most for size in sizes if size > most)
        # Called at every change of a board, so conditions that always hold are not checked.
        if self.short_share != ALL:
            short = sum(2 * number * size <= cells for size in sizes)
            far += missed_by(short, self.short_share, number)
        if self.long_share != ALL:
            long = sum(2 * number * size >= 3 * cells for size in sizes)
            far += missed_by(long, self.long_share, number)
        if self.straight_share != ALL:
            straight = list(system.turns.values()).count(0)
            far += missed_by(straight, self.straight_share, number)
        if self.min_turns:
            far += max(0, math.ceil(self.min_turns * number) - sum(system.turns.values()))
        if self.must or self.must_not:
            far += sum(len(system.linked[cell]) > 1 for cell in self.must)
            far += sum(len(system.linked[cell]) < 2 for cell in self.must_not)
        return far


@dataclass(frozen=True)
class Plan:
    """The parts of a plan.

    ``paths`` is what a ``maker`` draws, and ``cut`` what paths may be after some were cut to make
    a puzzle easier; ``None`` if none may be cut. Before a new board is drawn, there are ``repairs``
    of one with a second solution. A board is dropped as undecided after ``conflicts``; ``keeps``
    decides on a puzzle; there are up to ``tries`` attempts. ``blank`` has no numbers.
    """

    paths: PathPlan
    cut: PathPlan | None
    maker: Maker
    blank: Numberlink
    repairs: int
    conflicts: int
    keeps: Callable[[Any], bool] | None
    tries: int
