"""`NumberlinkRequest`: the options of a Numberlink, checked once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from linkoracle.board import Board, Lattice, Symmetry, board_lists
from linkoracle.board.symmetry import images
from linkoracle.core import below, check_options, checked_int, counted, declare, pick
from linkoracle.generate.attempts import EFFORT
from linkoracle.generate.paths.numbers import (
    ALL,
    BOARD_PAIRS,
    SHORT_PATHS,
    USUAL_CELLS,
    USUAL_LENGTH,
    USUAL_STRAIGHT,
    USUAL_TURNS,
    Share,
    can_cover,
    checked_share,
    default_pairs,
    missed_by,
    multiples,
    pairs_together,
    usual_pairs,
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

if TYPE_CHECKING:
    from linkoracle.generate.paths import PathSystem

Maker = Literal["links", "diagram"]
MAKERS: tuple[Maker, ...] = get_args(Maker)
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
#: The most cuts that make a puzzle easier, and the most pairs beyond the default that these add.
MOST_CUTS = 4
#: Options that only boards of rows and columns have.
NEEDING_ROWS = ("maker", "symmetry", "mask", "must", "must_not")


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
      except along a diagonal; quarter turns need an even side;
    * ``must``, ``must_not``, ``mask``: cells with a number, and cells without: see `Masked`;
    * ``difficulty``, ``score``, ``techniques``, ``max_depth``, ``keeps``: see `Graded`. Without
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
    symmetry: Symmetry = symmetry_of("numbers")
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
    #: The range of the number of pairs, given or by default, and whether turns are the default.
    pair_range: tuple[int, int] = field(init=False, repr=False, compare=False)
    usual_turns: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.board is None:
            self._take_size(mask=size_of(self.mask))
            checked_size(self.rows, self.cols, MOST_NUMBERLINK_CELLS, "Numberlinks")
        else:
            checked_board(self, MOST_NUMBERLINK_FACES, NEEDING_ROWS)
            for face, around in enumerate(board_lists(self.lines_on).around):
                if not around:
                    raise ValueError(f"no path can use face {face}: it shares no side with another")
        cells = self.cells
        if cells < 2:
            raise ValueError("a board of one cell has no room for a pair of numbers")
        self._fill_in()
        for found in self._take_mask(self.mask).values():
            raise ValueError(f"expected a mask of #, . and ? for numbers, found {found}")
        if self.board is None:
            must, must_not = checked_mask(self.must, self.must_not, self.rows, self.cols)
            self._fill(must=must, must_not=must_not)
        self._check_paths(cells)
        self._check_mask(cells)
        check_options(self)
        self._check_grade(self.kind)
        if self.maker != "diagram":
            return
        if self.symmetry != "none":
            raise ValueError("the diagram maker draws from all boards, so it takes no symmetry")
        if min(self.rows, self.cols) > WIDEST_DIAGRAM or cells > MOST_DIAGRAM_CELLS:
            raise ValueError(
                f"the diagram maker takes boards of up to {MOST_DIAGRAM_CELLS} cells with a short "
                f"side of up to {WIDEST_DIAGRAM}, got {self.rows}x{self.cols}"
            )

    @property
    def across(self) -> int:
        """The approximate length of a row of cells across the board."""
        return max(self.rows, self.cols) if self.board is None else math.isqrt(self.cells)

    @cached_property
    def blank(self) -> Any:
        """The puzzle without numbers."""
        if self.board is None:
            return Numberlink.blank(self.rows, self.cols, self.variant)
        return Numberlink.on(self.board, variant=self.variant)

    @property
    def lines_on(self) -> Board:
        """The board with a vertex for each cell."""
        return Lattice(self.rows, self.cols) if self.board is None else self.board.dual

    @property
    def _is_usual(self) -> bool:
        """Whether the number of pairs should be that of published puzzles."""
        as_published = self.maker == "links" and not self.fills and self.symmetry == "none"
        usual = as_published and self.pairs is None and self.board is None
        return usual and self.cells >= USUAL_CELLS

    def _fill_in(self) -> None:
        """Fill in the default lengths and turns of paths."""
        usual = self._is_usual and self.max_length is None
        self._fill(usual_turns=self.min_turns is None)
        for name, found, otherwise in (
            ("min_length", USUAL_LENGTH, min(3, self.cells)),
            ("straight_share", USUAL_STRAIGHT, ALL),
            ("min_turns", 2 * USUAL_TURNS * self.cells / sum(self._usual_pairs), 0.0),
        ):
            if getattr(self, name) is None:
                self._fill(**{name: found if usual else otherwise})

    @property
    def _usual_pairs(self) -> tuple[float, float]:
        """The default range of the number of pairs."""
        return usual_pairs(self.cells, published=self._is_usual, square=self.board is None)

    def with_cuts(self) -> NumberlinkRequest:
        """Return this request with a few more pairs, whose paths turn less by default."""
        turns = 0.0 if self.usual_turns else self.min_turns
        low, high = self.pair_range
        return replace(self, pairs=(low, high + MOST_CUTS), min_turns=turns)

    @property
    def fills(self) -> bool:
        """Whether players must use every cell."""
        return self.variant.startswith("fill")

    @property
    def most_repairs(self) -> int:
        """Repairs of one board before the next is made."""
        if self.repairs is not None:
            return self.repairs
        if self.maker == "diagram":
            return 0
        return MANY_REPAIRS if self.cells >= MANY_CELLS else REPAIRS

    @property
    def most_conflicts(self) -> int:
        """Conflicts after which a board is dropped as undecided."""
        if self.effort is not None:
            return self.effort
        return EFFORT * max(EFFORT_CELLS, self.cells) // EFFORT_CELLS

    @property
    def shortest(self) -> int:
        """Cells of the shortest path."""
        assert self.min_length is not None
        return self.min_length

    def drawn(self, rng: Random) -> NumberlinkRequest:
        """Return this request with a number of pairs, if it has none; else unchanged."""
        if self.board is not None and self.pairs is None:
            low, high = self.pair_range
            if below(rng, SHORT_PATHS):
                high = max(low, min(high, round(BOARD_PAIRS * math.sqrt(self.cells))))
            return replace(self, pairs=(low, high))
        if not self._is_usual:
            return self
        return replace(self, pairs=pick(rng, multiples(self.pair_range, self._step())))

    def _check_paths(self, cells: int) -> None:
        shortest = checked_int(self.min_length, "cells of the shortest path", 2)
        longest = optional_int(self.max_length, "cells of the longest path", 2, cells)
        if longest < shortest:
            found = f"{longest} and {shortest} cells"
            raise ValueError(f"the longest path cannot be shorter than the shortest ({found})")
        for name in ("short_share", "long_share", "straight_share"):
            self._fill(**{name: checked_share(getattr(self, name), name)})
        if not isinstance(self.min_turns, (int, float)) or not 0 <= self.min_turns < math.inf:
            raise ValueError(f"expected turns of a path from 0, got {self.min_turns!r}")
        step = self._step()
        low, high = self._range(step)
        self._fill(pair_range=(low, high))
        size = f"{self.size} cells" if self.board is None else self.size
        if low * shortest > cells:
            raise ValueError(f"{low} paths of {shortest} cells or more do not fit on {size}")
        if high * longest < cells:
            raise ValueError(f"{high} paths of {longest} cells or fewer do not cover {size}")
        numbers = multiples((low, high), step)
        if not numbers:
            raise ValueError(
                f"with the symmetry {self.symmetry}, {size} hold paths in groups of {step} only, "
                f"got {low if low == high else f'{low} to {high}'} pairs"
            )
        shares = self.short_share, self.long_share
        if shares != (ALL, ALL) and not any(
            can_cover(cells, number, *shares, shortest, longest) for number in numbers
        ):
            found = f"{self.short_share} short and {self.long_share} long paths"
            raise ValueError(f"paths cannot both cover {size} and have these fractions: {found}")

    def _check_mask(self, cells: int) -> None:
        """Check that the mask leaves enough cells for numbers, and does not require too many."""
        low, high = self.pair_range
        if len(self.must) > 2 * high:
            most = f"(most: {counted(high, 'pair')})"
            raise ValueError(f"the mask has {len(self.must)} numbers {most}")
        if (left := cells - len(self.must_not)) < 2 * low:
            least = f"(least: {counted(low, 'pair')})"
            raise ValueError(f"the mask leaves {counted(left, 'cell')} for numbers {least}")
        for image in self.images:
            for named in (self.must, self.must_not):
                at = {row * self.cols + col for row, col in named}
                if at != {image[cell] for cell in at}:
                    raise ValueError(f"the mask does not have the symmetry {self.symmetry}")

    def _step(self) -> int:
        """Return the number of pairs that must come together, by the symmetry."""
        return 1 if self.board is not None else pairs_together(self.rows, self.cols, self.symmetry)

    def _range(self, step: int) -> tuple[int, int]:
        """Return the range of the number of pairs, given or by default."""
        pairs, cells = self.pairs, self.cells
        if pairs is None:
            most = min(cells // self.shortest, (cells - len(self.must_not)) // 2)
            least = max(1, -(-cells // (self.max_length or cells)), -(-len(self.must) // 2))
            return default_pairs(self._usual_pairs, least, most, step)
        both = pairs if isinstance(pairs, (tuple, list)) else (pairs, pairs)
        if len(both) != 2:
            raise ValueError(f"expected a number of pairs, or the least and the most, got {both!r}")
        low, high = (checked_int(number, "pairs", 1) for number in both)
        if low > high:
            raise ValueError(f"expected a range of pairs from 1 up, got {low} to {high}")
        return low, high

    @property
    def images(self) -> list[list[int]]:
        """The image of every cell, for each isometry of the symmetry except the identity."""
        if self.board is not None:
            return []
        moved = images(Lattice(self.rows, self.cols), self.symmetry)[1:]
        return [[*vertices] for _, vertices in moved]

    @property
    def average(self) -> float:
        """The average length of a path, for the middle of the range of pairs."""
        return 2 * self.cells / sum(self.pair_range)

    def misses(self, system: PathSystem) -> int:
        """Return how far a board is from the request: 0 if it is as requested.

        Counts the missing cells of short paths and the excess cells of long ones, missing or excess
        paths, paths by which fractions are missed, missing turns, and numbers against the mask.
        """
        sizes = system.size.values()
        number = len(sizes)
        low, high = self.pair_range
        far = max(0, low - number, number - high)
        least, most = self.shortest, self.max_length
        far += sum(least - size for size in sizes if size < least)
        if most is not None:
            far += sum(size - most for size in sizes if size > most)
        cells = self.cells
        # Called at every change of a board, so conditions that always hold are not checked.
        if self.short_share != ALL:
            short = sum(2 * number * size <= cells for size in sizes)
            far += missed_by(short, self.short_share, number)
        if self.long_share != ALL:
            long = sum(2 * number * size >= 3 * cells for size in sizes)
            far += missed_by(long, self.long_share, number)
        if self.straight_share is not None and self.straight_share != ALL:
            straight = list(system.turns.values()).count(0)
            far += missed_by(straight, self.straight_share, number)
        if self.min_turns:
            far += max(0, math.ceil(self.min_turns * number) - sum(system.turns.values()))
        if self.must or self.must_not:
            linked, cols = system.linked, self.cols
            far += sum(len(linked[row * cols + col]) > 1 for row, col in self.must)
            far += sum(len(linked[row * cols + col]) < 2 for row, col in self.must_not)
        return far
