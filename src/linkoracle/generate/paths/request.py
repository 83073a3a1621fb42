"""`NumberlinkRequest`: the options of a Numberlink, checked once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from random import Random
from typing import Any, ClassVar, Self, get_args

from linkoracle.board import Board, Symmetry, board_lists, images
from linkoracle.core import below, check_options, checked_int, counted, declare, pick, source
from linkoracle.generate.attempts import EFFORT
from linkoracle.generate.paths import (
    ALL,
    MAKERS,
    DrawPairs,
    Maker,
    PathPlan,
    Plan,
    Share,
    can_cover,
)
from linkoracle.generate.request import (
    Masked,
    board_option,
    checked_board,
    checked_mask,
    checked_size,
    mask_of,
    optional_int,
    size_of,
    symmetry_of,
    tries_of,
)
from linkoracle.kinds import Numberlink, Variant

#: The largest boards that are accepted: see `docs/how-to/generate.md` for their time and memory.
MOST_NUMBERLINK_CELLS = 1_600
#: The same for boards that are not square, whose windows are not made unique first.
MOST_NUMBERLINK_FACES = 400
#: The same for the diagram maker, and the longest short side: time and memory grow tenfold with
#: each more.
MOST_DIAGRAM_CELLS, WIDEST_DIAGRAM = 96, 8
#: Attempts: boards that the oracle decides, and failures of the maker, for one Numberlink.
NUMBERLINK_TRIES = 5_000
#: Repairs of one board against the oracle's alternatives before the next board is made. New small
#: boards are fast; `scripts/bench_generate_numberlink.py --repairs` measures the best number.
REPAIRS, MANY_REPAIRS, MANY_CELLS = 3, 10, 400
#: Cells for which `EFFORT` suffices; the budget of larger boards grows in proportion.
EFFORT_CELLS = 225
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
#: The shares of published puzzles with a symmetry of the cells with numbers.
PUBLISHED_SYMMETRIES: dict[Symmetry, float] = {
    "half-turn": 0.08,
    "left-right": 0.03,
    "top-bottom": 0.01,
}
#: Beyond these numbers of cells, mirrored paths, and symmetric ones, take several times as long.
MOST_MIRRORED, MOST_SYMMETRIC = 121, 225
#: Beyond this many cells, the number of pairs per additional cell. Of the two published boards of
#: more than 500 cells that were proved unique, one of 25x32 has 64 pairs, one of 30x30 has 46. With
#: fewer, a proof takes minutes or longer.
LARGE_CELLS, LARGE_PAIRS = 400, (1 / 13, 1 / 11)


@dataclass(frozen=True)
class NumberlinkRequest(Masked):
    """A request for a Numberlink of ``rows`` x ``cols`` cells.

    All lengths are numbers of cells, ends included. Instead of rows and columns, a ``board`` may
    have the cells as its faces. Such a request takes no mask, no symmetry and only the maker
    ``"links"``; a path turns where its direction changes by more than 40 degrees.

    * ``maker``: ``"links"`` or ``"diagram"``, which draws uniformly from all puzzles as requested,
      on small boards (`linkoracle.generate.paths.maker`);
    * ``variant``: one of `Numberlink`; the solution uses all cells, whether solvers must or not;
    * ``pairs``: the number of pairs, or a range;
    * ``min_length``, ``max_length``: lengths of paths;
    * ``short_share``, ``long_share``: ranges for the fraction of paths of at most half, and of at
      least one and a half times, the average length on the board;
    * ``straight_share``: a range for the fraction of paths without a turn;
    * ``min_turns``: the least average number of turns of a path;
    * ``symmetry``: that of the cells with numbers, one of `linkoracle.board.symmetry.SYMMETRIES`,
      except along a diagonal; quarter turns need an even side. By default one of eight puzzles that
      look like published ones is symmetric, as those are;
    * ``must``, ``must_not``, ``mask``: cells with a number, and cells without: see `Masked`;
    * ``difficulty``, ``score``, ``max_depth``, ``keeps``, and the options for the path: see
      `Graded`. Without
      ``pairs``, the maker ``"links"`` cuts paths of too hard a puzzle in two, which may add up to
      `MOST_CUTS` pairs; other puzzles are dropped;
    * ``repairs``: repairs of a board with a second solution before a new board is made; by default
      `REPAIRS`, on large boards `MANY_REPAIRS`, and 0 for the diagram maker, as a repaired board is
      not a uniform draw. Unless it is 0, windows of boards with sides of more than 11 cells are
      first made unique (`linkoracle.generate.paths.link_repair`);
    * ``tries``: number of attempts, which are boards that the oracle decides and failures of the
      maker;
    * ``effort``: conflict budget of the SAT solver for a board. An undecided board is dropped. By
      default `EFFORT`, in proportion to the cells from `EFFORT_CELLS` cells on.

    Without ``pairs``, the number of pairs is about that of published puzzles. Without
    ``max_length`` either, so are lengths, straight paths and turns. On boards of fewer than
    `USUAL_CELLS` cells, with a symmetry, if players must use every cell, and for the diagram maker,
    it is 0.85 to 1.15 times the root of the number of cells, and paths have three cells or more. On
    a ``board`` it is up to twice that root, or a third of the number of cells. From `LARGE_CELLS`
    cells on, each number grows by one for each 11 to 13 cells.

    Raises ``ValueError`` for contradictory options, and for boards of more than
    `MOST_NUMBERLINK_CELLS` cells (`MOST_DIAGRAM_CELLS` for the diagram maker).

    >>> NumberlinkRequest(6, 6).pair_range
    (6, 6)
    """

    kind: ClassVar = "numberlink"
    needing_rows: ClassVar = ("maker", "symmetry", "mask", "must", "must_not")

    rows: int = None  # type: ignore[assignment]
    cols: int = None  # type: ignore[assignment]
    board: Board | None = board_option()
    maker: Maker = declare("links", "links: one by one; diagram: small, uniform.", words=MAKERS)
    variant: Variant = declare(
        "free",
        "Whether players must use all cells (the solution does); apart: no path touches itself.",
        words=get_args(Variant),
        flag="--variant",
    )
    pairs: int | tuple[int, int] | None = declare(
        None,
        "Number of pairs.  [default: as in published puzzles]",
        form="N|LOW-HIGH",
        title="Pairs",
    )
    min_length: int | None = declare(None, "Cells of the shortest path.", least=2)
    max_length: int | None = declare(None, "Cells of the longest path.", least=2)
    short_share: Share = declare(
        ALL, "Fraction of paths of at most half the average length.", form="A-B"
    )
    long_share: Share = declare(
        ALL, "Fraction of paths of at least 1.5 times that length.", form="A-B"
    )
    straight_share: Share | None = declare(None, "Fraction of paths without a turn.", form="A-B")
    min_turns: float | None = declare(
        None, "The least average number of turns of a path.", least=0.0, most=1000.0, form="N"
    )
    symmetry: Symmetry | None = symmetry_of(
        "numbers", None, "  [default: as in published puzzles, mostly none]"
    )
    mask: Sequence[str] | None = mask_of(
        "Cells as rows of # (a number), . (no number) and ? (either)."
    )
    repairs: int | None = declare(
        None,
        f"Repairs of a board that is not unique.  [default: {REPAIRS}, from {MANY_CELLS} cells on "
        f"{MANY_REPAIRS}; diagram: 0]",
        least=0,
    )
    tries: int = tries_of("Attempts (boards)", NUMBERLINK_TRIES)
    effort: int | None = declare(
        None,
        f"Conflicts after which a board is dropped as undecided.  [default: {EFFORT}, and as many "
        f"more as there are more cells than {EFFORT_CELLS}]",
        least=1,
        most=2**63 - 1,
    )

    def __post_init__(self) -> None:
        if self.board is None:
            self._take_rows()
        else:
            checked_board(self, MOST_NUMBERLINK_FACES)
            for face, around in enumerate(board_lists(self.board.dual).around):
                if not around:
                    raise ValueError(f"no path can use face {face}: it shares no side with another")
        if self.cells < 2:
            raise ValueError("a board of one cell has no room for a pair of numbers")
        for name in ("short_share", "long_share", "straight_share"):
            if (share := getattr(self, name)) is not None:
                self._fill(**{name: checked_share(share, name)})
        self._check_paths()
        self._check_mask()
        check_options(self)
        self._check_grade(self.kind)
        if self.maker != "diagram":
            return
        if self.symmetry not in (None, "none"):
            raise ValueError("the diagram maker draws from all boards, so it takes no symmetry")
        if min(self.rows, self.cols) > WIDEST_DIAGRAM or self.cells > MOST_DIAGRAM_CELLS:
            raise ValueError(
                f"the diagram maker takes boards of up to {MOST_DIAGRAM_CELLS} cells with a short "
                f"side of up to {WIDEST_DIAGRAM}, got {self.rows}x{self.cols}"
            )

    def _take_rows(self) -> None:
        """Take the size and the mask of a board of rows and columns."""
        self._take_size(mask=size_of(self.mask))
        checked_size(self.rows, self.cols, MOST_NUMBERLINK_CELLS, "Numberlinks")
        for found in self._take_mask(self.mask).values():
            raise ValueError(f"expected a mask of #, . and ? for numbers, found {found}")
        must, must_not = checked_mask(self.must, self.must_not, self.rows, self.cols)
        self._fill(must=must, must_not=must_not)

    @property
    def pair_range(self) -> tuple[int, int]:
        """The least and the greatest number of pairs, given or by default."""
        return self.paths.pairs

    @cached_property
    def plan(self) -> Plan:
        """What to draw, to repair and to accept."""
        drawn, cells, paths = self.maker == "diagram", self.cells, self.paths
        repairs = MANY_REPAIRS if cells >= MANY_CELLS else REPAIRS
        turns = 0.0 if self.min_turns is None else self.min_turns
        return Plan(
            paths=paths,
            # A board with cut paths is not a uniform draw.
            cut=None if drawn or self.pairs is not None else paths.with_cuts(turns),
            maker=self.maker,
            blank=Numberlink.from_grid((), self.variant, faces=self.faces),
            repairs=(0 if drawn else repairs) if self.repairs is None else self.repairs,
            conflicts=EFFORT * max(EFFORT_CELLS, cells) // EFFORT_CELLS
            if self.effort is None
            else self.effort,
            keeps=self.keeps,
            tries=self.tries,
        )

    @property
    def as_published(self) -> bool:
        """Whether the number of pairs is that of published puzzles."""
        plain = self.maker == "links" and self.pairs is None and self.board is None
        plain = plain and self.symmetry in (None, "none")
        return plain and self.cells >= USUAL_CELLS and not self.variant.startswith("fill")

    def with_symmetry(self, seed: int, index: int) -> Self:
        """Return the request of a puzzle of a series: the symmetry is drawn if it is open.

        A puzzle without one is the same as if that had been requested. Boards that are not square
        have none.

        >>> request = NumberlinkRequest(10, 10)
        >>> sum(request.with_symmetry(1, k).symmetry != "none" for k in range(1000))
        101
        """
        if self.symmetry is not None or self.board is not None:
            return self
        # For a difficulty, paths are cut, which takes an open number of pairs.
        bound = self.must or self.must_not or self.keeps is not None
        free = self.as_published and not bound and self.cells <= MOST_SYMMETRIC
        chance = source(seed, -1 - index).random() if free else 1.0
        shares = PUBLISHED_SYMMETRIES
        if self.cells > MOST_MIRRORED:
            shares = {"half-turn": sum(shares.values())}
        for symmetry, share in shares.items():
            chance -= share
            if chance < 0:
                # Lengths may leave no symmetric number of pairs.
                with suppress(ValueError):
                    return replace(
                        self,
                        symmetry=symmetry,
                        pairs=self.pair_range,
                        min_length=self.paths.shortest,
                        straight_share=self.paths.straight_share,
                        min_turns=self.paths.min_turns,
                    )
                break
        return replace(self, symmetry="none")

    @cached_property
    def paths(self) -> PathPlan:
        """What paths have to be like, as requested or by default."""
        board, cells, square = self.faces.dual, self.cells, self.board is None
        published = self.as_published
        pairs = usual_pairs(cells, published=published, square=square)
        symmetry = self.symmetry or "none"
        step = pairs_together(board, symmetry)
        usual = published and self.max_length is None
        shortest = self.min_length
        if shortest is None:
            shortest = USUAL_LENGTH if usual else min(3, cells)
        straight, turns = self.straight_share, self.min_turns
        if turns is None:
            turns = 2 * USUAL_TURNS * cells / sum(pairs) if usual else 0.0
        if straight is None:
            straight = USUAL_STRAIGHT if usual else ALL
        draw_pairs: DrawPairs | None = None
        if self.pairs is None and not square:
            draw_pairs = partial(few_or_all, cells=cells)
        elif published:
            draw_pairs = partial(one_number, step=step)
        return PathPlan(
            board=board,
            across=max(self.rows, self.cols) if square else math.isqrt(cells),
            variant=self.variant,
            symmetry=symmetry,
            pairs=self._pairs(pairs, shortest, step),
            draw_pairs=draw_pairs,
            shortest=shortest,
            longest=self.max_length,
            short_share=self.short_share,
            long_share=self.long_share,
            straight_share=straight,
            min_turns=turns,
            must=frozenset(map(self.faces.face_of, self.must)),
            must_not=frozenset(map(self.faces.face_of, self.must_not)),
        )

    def _pairs(self, usual: tuple[float, float], shortest: int, step: int) -> tuple[int, int]:
        """Return the range of the number of pairs, given or by default."""
        pairs, cells = self.pairs, self.cells
        shortest = checked_int(shortest, "cells of the shortest path", 2)
        longest = optional_int(self.max_length, "cells of the longest path", 2, cells)
        if longest < shortest:
            found = f"{longest} and {shortest} cells"
            raise ValueError(f"the longest path cannot be shorter than the shortest ({found})")
        if pairs is None:
            most = min(cells // shortest, (cells - len(self.must_not)) // 2)
            least = max(1, -(-cells // longest), -(-len(self.must) // 2))
            return default_pairs(usual, least, most, step)
        both = pairs if isinstance(pairs, (tuple, list)) else (pairs, pairs)
        if len(both) != 2:
            raise ValueError(f"expected a number of pairs, or the least and the most, got {both!r}")
        low, high = (checked_int(number, "pairs", 1) for number in both)
        if low > high:
            raise ValueError(f"expected a range of pairs from 1 up, got {low} to {high}")
        return low, high

    def _check_paths(self) -> None:
        """Check that paths as planned can cover the board."""
        paths = self.paths
        if not isinstance(paths.min_turns, (int, float)) or not 0 <= paths.min_turns < math.inf:
            raise ValueError(f"expected turns of a path from 0, got {paths.min_turns!r}")
        cells, size = self.cells, self.faces.cells_in_words
        shortest, longest = paths.shortest, paths.longest or cells
        low, high = paths.pairs
        if low * shortest > cells:
            raise ValueError(f"{low} paths of {shortest} cells or more do not fit on {size}")
        if high * longest < cells:
            raise ValueError(f"{high} paths of {longest} cells or fewer do not cover {size}")
        step = pairs_together(paths.board, paths.symmetry)
        numbers = multiples((low, high), step)
        if not numbers:
            raise ValueError(
                f"with the symmetry {paths.symmetry}, {size} hold paths in groups of {step} only, "
                f"got {low if low == high else f'{low} to {high}'} pairs"
            )
        shares = paths.short_share, paths.long_share
        if shares != (ALL, ALL) and not any(
            can_cover(cells, number, *shares, shortest, longest) for number in numbers
        ):
            found = f"{self.short_share} short and {self.long_share} long paths"
            raise ValueError(f"paths cannot both cover {size} and have these fractions: {found}")

    def _check_mask(self) -> None:
        """Check that the mask leaves enough cells for numbers, and does not require too many."""
        paths = self.paths
        low, high = paths.pairs
        if len(self.must) > 2 * high:
            most = f"(most: {counted(high, 'pair')})"
            raise ValueError(f"the mask has {len(self.must)} numbers {most}")
        if (left := self.cells - len(self.must_not)) < 2 * low:
            least = f"(least: {counted(low, 'pair')})"
            raise ValueError(f"the mask leaves {counted(left, 'cell')} for numbers {least}")
        for image in paths.images:
            for named in (paths.must, paths.must_not):
                if named != {image[cell] for cell in named}:
                    raise ValueError(f"the mask does not have the symmetry {self.symmetry}")


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


def checked_share(share: Any, name: str) -> Share:
    """Return a range as two floats; raise ``ValueError`` unless it is within 0 to 1."""
    try:
        least, most = (float(part) for part in share)
    except (TypeError, ValueError):
        least, most = math.nan, math.nan
    if not 0 <= least <= most <= 1:
        raise ValueError(f"expected a range within 0 to 1 for {name}, got {share!r}")
    return least, most
