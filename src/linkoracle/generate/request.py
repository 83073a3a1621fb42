"""What a Numberlink is asked to be: checked once, measured on every board."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from linkoracle.generate.symmetry import images
from linkoracle.puzzles.numberlink import RULES

#: A range of shares of the links, from 0 to 1.
Share = tuple[float, float]

#: Numbers of pairs, as multiples of the square root of the number of cells, when none is asked for.
USUAL_PAIRS = (0.85, 1.15)


@dataclass(frozen=True)
class Request:
    """The board asked for. All lengths are numbers of cells, ends included.

    ``pairs`` is the range of the number of links. ``short_share`` bounds the share of links of at
    most half the average length, ``long_share`` that of links of at least one and a half times the
    average. Raises ``ValueError`` for what no board can be.
    """

    rows: int
    cols: int
    rule: str = "free"
    pairs: tuple[int, int] = (0, 0)
    min_length: int = 3
    max_length: int | None = None
    short_share: Share = (0.0, 1.0)
    long_share: Share = (0.0, 1.0)
    symmetry: str = "none"

    @classmethod
    def of(
        cls,
        rows: int,
        cols: int,
        rule: str,
        pairs: int | tuple[int, int] | None,
        min_length: int,
        max_length: int | None,
        short_share: Share,
        long_share: Share,
        symmetry: str,
    ) -> Request:
        """The request with its number of pairs filled in."""
        if rows < 1 or cols < 1:
            raise ValueError(f"a board needs at least one row and column, got {rows}x{cols}")
        if pairs is None:
            usual = math.sqrt(rows * cols)
            low, high = (math.ceil(USUAL_PAIRS[0] * usual), math.floor(USUAL_PAIRS[1] * usual))
            # Long thin boards and long links leave less room than a square root.
            most = rows * cols // max(min_length, 1)
            pairs = (max(1, min(low, most)), max(1, min(max(low, high), most)))
            step = together(rows, cols, symmetry)
            if not _has_multiple(pairs, step):
                pairs = (max(step, round(usual / step) * step),) * 2
        elif isinstance(pairs, int):
            pairs = (pairs, pairs)
        return cls(
            rows,
            cols,
            rule,
            pairs,
            min_length,
            max_length,
            short_share,
            long_share,
            symmetry,
        )

    def __post_init__(self) -> None:
        cells = self.rows * self.cols
        low, high = self.pairs
        longest = cells if self.max_length is None else self.max_length
        if self.rule not in RULES:
            raise ValueError(f"expected the rule {' or '.join(RULES)}, got {self.rule!r}")
        if cells < 2:
            raise ValueError("a board of one cell has no room for a pair of numbers")
        if self.min_length < 2:
            raise ValueError(f"a link has at least 2 cells, got a minimum of {self.min_length}")
        if longest < self.min_length:
            raise ValueError(
                f"the longest link cannot be shorter than the shortest: {longest} cells "
                f"against {self.min_length}"
            )
        if not 1 <= low <= high:
            raise ValueError(f"expected a range of pairs from 1 up, got {low} to {high}")
        if low * self.min_length > cells:
            raise ValueError(
                f"{low} links of {self.min_length} cells or more do not fit on "
                f"{self.rows}x{self.cols} cells"
            )
        if high * longest < cells:
            raise ValueError(
                f"{high} links of {longest} cells or fewer do not cover {self.rows}x{self.cols} "
                "cells"
            )
        for name, (least, most) in (("short", self.short_share), ("long", self.long_share)):
            if not 0 <= least <= most <= 1:
                raise ValueError(
                    f"expected a range within 0 to 1 for the share of {name} links, "
                    f"got {least:g} to {most:g}"
                )
        if self.short_share[0] + self.long_share[0] > 1:
            raise ValueError("short and long links cannot both make up that much of the board")
        images(self.rows, self.cols, self.symmetry)
        step = together(self.rows, self.cols, self.symmetry)
        if not _has_multiple(self.pairs, step):
            raise ValueError(
                f"with the symmetry {self.symmetry}, {self.rows}x{self.cols} cells hold links in "
                f"groups of {step} only, got {low if low == high else f'{low} to {high}'} pairs"
            )

    @property
    def average(self) -> float:
        """The average length of a link, for the middle of the range of pairs."""
        return 2 * self.rows * self.cols / (self.pairs[0] + self.pairs[1])

    def misses(self, sizes: Collection[int]) -> int:
        """How far links of these sizes are from the request: 0 when all is met.

        The cells that short links lack and long ones have too many, the links that are missing or
        too many, and the links by which the shares are missed.
        """
        number = len(sizes)
        low, high = self.pairs
        far = max(0, low - number, number - high)
        least, most = self.min_length, self.max_length
        far += sum(least - size for size in sizes if size < least)
        if most is not None:
            far += sum(size - most for size in sizes if size > most)
        average = self.rows * self.cols / number
        if self.short_share != (0.0, 1.0):
            short = sum(size <= average / 2 for size in sizes)
            far += _outside(short, number, self.short_share)
        if self.long_share != (0.0, 1.0):
            long = sum(size >= 1.5 * average for size in sizes)
            far += _outside(long, number, self.long_share)
        return far


def together(rows: int, cols: int, symmetry: str) -> int:
    """A number of which that of the links must be a multiple.

    A link that a half turn maps to itself has the centre of the board in its middle, which is a
    cell or a step unless both sides are even. With even sides, links come in twos, or in fours
    where there are quarter turns.
    """
    if rows % 2 or cols % 2:
        return 1
    return {"180": 2, "both": 2, "90": 4}.get(symmetry, 1)


def _has_multiple(pairs: tuple[int, int], step: int) -> bool:
    return pairs[1] // step * step >= pairs[0]


def _outside(part: int, number: int, share: Share) -> int:
    """By how many links a part of them misses a share; rounded, so that some number meets it."""
    least, most = math.floor(share[0] * number), math.ceil(share[1] * number)
    return max(0, least - part, part - most)
