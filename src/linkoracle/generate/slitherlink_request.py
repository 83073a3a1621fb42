"""`SlitherlinkRequest`: the options of a Slitherlink, checked once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, Self, get_args

from linkoracle.board.board import Board
from linkoracle.board.motions import face_orbits
from linkoracle.board.solution import Solution
from linkoracle.board.symmetry import Symmetry, group, orbits
from linkoracle.core.limits import check_options, checked_int, declare
from linkoracle.generate.colouring import Ends
from linkoracle.generate.patterns import PATTERNS, Pattern, letters, pattern
from linkoracle.generate.request_parts import (
    Cell,
    Masked,
    as_grade,
    checked_board,
    checked_mask,
    checked_size,
    mask_of,
    options_set,
    refuse_both,
    size_of,
    symmetry_of,
    tries_of,
)
from linkoracle.generate.shapes import SHAPES, Shape
from linkoracle.generate.slitherlink_checks import (
    LINE_OPTIONS,
    check_whole,
    checked_digits,
    checked_line,
)
from linkoracle.kinds import Slitherlink
from linkoracle.kinds.contents import annotation_names
from linkoracle.kinds.slitherlink import unknown_clues

Strategy = Literal["even", "core", "random", "prefix", "stack", "fewest", "mask"]
#: How clues are removed.
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
Layout = Literal["even", "openings", "lines", "pairs", "scattered"]
#: How the cells with clues lie.
LAYOUTS: tuple[Layout, ...] = get_args(Layout)

#: The largest boards that are accepted: see `docs/how-to/generate.md` for their time and memory.
MOST_SLITHERLINK_CELLS = 10_000
#: Loops that are tried before a puzzle is given up, and loops that are searched for a mask.
TRIES, MASK_TRIES = 100, 20
#: Options that only boards of rows and columns have.
NEEDING_ROWS = (
    *("digits", "extra_clues", "pattern", "letters"),
    *("ends", "fill", "layout", "loop", "memory", "techniques", "max_depth"),
)


@dataclass(frozen=True)
class SlitherlinkRequest(Masked):
    """A request for a Slitherlink of ``rows`` x ``cols`` cells, or on a board.

    ``shape``, one of `linkoracle.generate.SHAPES`, draws the loop, with ``shape_options``. With
    ``ends``, two dots on the border or ``"random"``, it draws an open path. Or ``loop`` is the
    loop, as `linkoracle.formats.drawings.read_loop` returns it, or the path between its ``ends``;
    then there is one attempt.

    ``strategy`` is how clues are removed:

    * ``"even"``: keep the clues of the proof that the full board is unique (the core). Then remove
      each of these that is redundant, the most crowded first (`linkoracle.generate.evenness`).
      Finally restore clues in the largest voids, until there are as many as in published puzzles;
      not with ``minimal``, ``clues``, ``max_failures``, or ``keeps`` unless it is a grade;
    * ``"core"``: the same, but no clue is restored. The order is random on boards of fewer than 64
      cells, and with options that stop early. Otherwise one diagonal follows the other, from a
      random corner on, which is the fastest;
    * ``"random"``: the same without the core, so that every clue has an equal chance;
    * ``"prefix"``: find, by bisection, the longest part of a random order that is redundant at
      once. The next clue in the order is needed; continue after it;
    * ``"stack"``: reach exactly ``clues`` clues. If no clue is redundant, restore the last one
      removed and try others;
    * ``"fewest"``: as few clues as this loop allows (`linkoracle.generate.fewest`);
    * ``"mask"``: search for a loop that clues on exactly the cells of ``must`` make unique.

    The last two accept no other option for the clues, and the last none for the loop.

    ``symmetry``, ``layout``, ``clue_density`` and ``difficulty`` are drawn for each puzzle if they
    are ``None``, as often as in published puzzles. They are not drawn if ``must``, ``minimal`` or
    other fields decide which clues stay, or if the difficulty needs a guess, as no published puzzle
    does. Then there is no symmetry. On boards of more than 900 cells, only the symmetry is drawn.

    ``symmetry`` is one of `linkoracle.board.symmetry.SYMMETRIES`: cells that it maps to each other
    lose their clues together. For a ``layout``, one of `LAYOUTS`, cells are chosen first. The loop
    of the shape ``mix`` is changed until it suits them, and clues are added until deduction solves
    the puzzle (`linkoracle.generate.designing`).

    Cells of ``must`` keep their clues, cells of ``must_not`` lose them at once. ``digits`` are
    given clues by cell, which stay, too. ``mask`` has all three as rows of text (see `Masked`; a
    digit stands for itself). ``pattern`` and ``letters`` draw a mask
    (`linkoracle.generate.pattern`). A mask without ``?`` leaves no choice: its strategy is
    ``"mask"``. If no loop is found that the mask makes unique, up to ``extra_clues`` clues may be
    added elsewhere. Rows and columns may be omitted if a mask or another field has a size. With
    ``digits`` or ``must_not``, the loop of the shape is changed until it fits.

    A ``board`` keeps its ends, given and forbidden lines and missing dots, and its clues as
    ``digits``; a clue without a number gets one. The loop is changed until it fits these, too.
    Removal stops at ``clues`` clues, or after ``max_failures`` needed clues in a row. Puzzles with
    a higher density of clues than ``max_clue_density`` are dropped. A clue is removed only if
    ``keeps`` accepts the puzzle without it (see `Graded`). For a difficulty, clues are removed
    without grading, and restored as the grade needs them.

    Without ``must``, ``keeps``, a symmetry or an early stop, no clue of the result is redundant;
    with ``"even"``, only if ``minimal`` is set. With ``minimal`` and such options, the result lists
    the clues that are still `redundant <linkoracle.generate.Reduced>`.

    A `linkoracle.Board` as ``board``, instead of rows and columns, has the cells as its faces. It
    accepts no digits, no ends and no layout. The symmetry, by default none, must be one of the
    board. Cells are numbers of faces, and a mask has a mark for each face, in this order. A
    difficulty is reached by clues in the largest voids.

    Up to ``tries`` loops (``None``: `TRIES`, or `MASK_TRIES`) are tried, until one leads to a
    puzzle as requested. Raises ``ValueError`` for contradictory options, and for more than
    `MOST_SLITHERLINK_CELLS` cells.

    >>> SlitherlinkRequest(6, 6, symmetry="half-turn", must=[(0, 0)]).must
    frozenset({(0, 0)})
    >>> request = SlitherlinkRequest(mask=["#.", ".3"])
    >>> request.rows, request.strategy, request.digits
    (2, 'mask', {(1, 1): 3})
    """

    kind: ClassVar = "slitherlink"

    rows: int = None  # type: ignore[assignment]
    cols: int = None  # type: ignore[assignment]
    shape: Shape = declare("mix", "How the loop is drawn.", words=SHAPES, title="Shape")
    shape_options: Mapping[str, Any] = declare(
        dict,
        "An option of the shape, such as length=40-50 for uniform. May be repeated.",
        form="NAME=VALUE",
        flag="--shape-option",
        hash=False,
    )
    ends: Ends | Literal["random"] = declare(
        None,
        "An open path between two dots on the border, such as 0,3-8,5, instead of a loop.",
        form="random|DOTS",
    )
    fill: bool = declare(False, "A loop through every dot; players know that.")
    strategy: Strategy = declare(
        "even",
        "How clues are removed.",
        words=STRATEGIES,
        title="Clues",
        # The others need a number of clues, or a mask.
        offered=("even", "core", "random", "prefix", "fewest"),
    )
    symmetry: Symmetry | None = symmetry_of(
        "clues",
        None,
        "  [default: as in published puzzles, mostly half-turn; none with options that say which "
        "clues stand, or for fiendish and brutal puzzles]",
    )
    layout: Layout | None = declare(
        None,
        "How the cells with clues lie.  [default: as in published puzzles]",
        words=LAYOUTS,
        title="Layout",
    )
    digits: Mapping[Cell, int] = field(default_factory=dict, hash=False)
    mask: Sequence[str] | None = mask_of(
        "Cells as rows of # (must have a clue), . (must not), ? (may), _ (unmarked) and digits "
        "(clues that must stand). The loop is searched so that these make it unique."
    )
    extra_clues: int | None = declare(
        None,
        "Clues allowed where a mask has none, if it cannot be filled without.  "
        "[default: 0; as few as needed with --letters]",
        least=0,
    )
    pattern: Pattern | None = declare(None, "A mask that is drawn for you.", words=PATTERNS)
    letters: str | None = declare(None, "A mask with these letters and digits.", form="TEXT")
    loop: Solution | None = declare(
        None,
        "The loop, drawn in a file: cells inside as # and outside as ., or lines as --show draws "
        "them.",
        form="FILE LOOP",
    )
    clues: int | None = declare(None, "Stop at N clues.", least=0)
    clue_density: float | None = declare(
        None,
        "Aim at clues in this fraction of cells; a loop or a difficulty may need more.  "
        "[default: as in published puzzles, 0.28 to 0.62]",
        above=0,
        most=1,
    )
    max_clue_density: float = declare(
        1.0, "The largest fraction of cells with a clue.", above=0, most=1
    )
    max_failures: int | None = declare(
        None, "Stop after N clues in a row that are not redundant.", least=1
    )
    minimal: bool = declare(
        False,
        "Remove every redundant clue, although boards with a few more look better.",
        title="No redundant clue",
    )
    tries: int | None = tries_of(
        "Attempts (loops)",
        text=f"  [default: {TRIES}; with --mask or --board {MASK_TRIES}, with --loop 1]",
    )
    board: Slitherlink | Board | None = declare(
        None,
        "A board that is not square, in place of ROWS and COLS: its words, or a file. Or a file "
        "or URL with a Slitherlink: its clues, ends, given and forbidden lines and holes stay.",
        form="WORDS|FILE PUZZLE",
    )
    memory: int | None = declare(
        None,
        "Memory limit of the shape uniform, such as 4GB.  [default: half of the free memory]",
        form="SIZE",
    )

    def __post_init__(self) -> None:
        for name in ("must", "must_not"):
            if not isinstance(getattr(self, name), Iterable):
                raise ValueError(f"expected cells as {name}, got {getattr(self, name)!r}")
        if not isinstance(self.digits, Mapping):
            raise ValueError(f"expected digits by cell, got {self.digits!r}")
        if self.tiling is None:
            self._take_rows()
        else:
            checked_board(self, MOST_SLITHERLINK_CELLS, NEEDING_ROWS)
            face_orbits(self.tiling, self.symmetry or "none")
            if self._take_mask(self.mask, self.tiling.num_faces):
                raise ValueError("digits in a mask need rows and columns")
            if self.strategy == "mask":
                raise ValueError("the strategy mask needs rows and columns")
            for name in ("must", "must_not"):
                faces = frozenset(map(self.tiling.face_of, getattr(self, name)))
                self._fill(**{name: faces})
            refuse_both(self.must, self.must_not)
        clues, cells = self.clues, self.cells
        if self.strategy == "stack" and clues is None:
            raise ValueError("the stack method needs a number of clues to reach")
        try:
            checked_int(0 if clues is None else clues, "clues", 0, cells)
        except ValueError:
            raise ValueError(f"expected 0 to {cells} clues, got {clues!r}") from None
        aimed = 1 if self.clue_density is None else self.clue_density
        for density in (self.max_clue_density, aimed):
            if not (isinstance(density, (int, float)) and 0 < density <= 1):
                raise ValueError(f"expected a clue density above 0 and up to 1, got {density!r}")
        check_options(self)
        self._check_grade(self.kind)
        if any(options_set(self, LINE_OPTIONS)):
            self._fill(**checked_line(self))
        for name in ("layout", "clue_density"):
            if getattr(self, name) is not None and not self.is_open:
                reason = "beside options that choose or remove clues"
                raise ValueError(f"expected no {name.replace('_', ' ')} {reason}")
        if self.strategy in ("fewest", "mask"):
            check_whole(self)

    def _take_rows(self) -> None:
        """Take the size, the mask and the annotations of a board of rows and columns."""
        loop, board = self.loop, self.board
        self._take_size(
            mask=size_of(self.mask),
            loop=(loop.lattice.rows - 1, loop.lattice.cols - 1)
            if isinstance(loop, Solution)
            else None,
            board=(board.rows, board.cols) if isinstance(board, Slitherlink) else None,
        )
        checked_size(self.rows, self.cols, MOST_SLITHERLINK_CELLS, "Slitherlinks")
        group(self.rows, self.cols, self.symmetry or "none")
        self._take_drawn()
        if board is not None:
            self._take(board)
        shown = [*self.must, *(checked_digits(self) if self.digits else ())]
        must, must_not = checked_mask(shown, self.must_not, self.rows, self.cols)
        self._fill(must=must, must_not=must_not, digits=dict(self.digits))

    def _take_drawn(self) -> None:
        """Take the cells of a mask, or of a preset one."""
        drawn = [one for one in (self.mask, self.pattern, self.letters) if one is not None]
        if len(drawn) > 1:
            raise ValueError("expected one of mask, pattern and letters")
        mask = self.mask
        if self.pattern is not None:
            mask = pattern(self.pattern, self.rows, self.cols)
        elif self.letters is not None:
            mask = letters(self.letters, self.rows, self.cols)
        self._fill(digits={**self.digits, **self._take_mask(mask)})
        exact = mask is not None and not any("?" in row for row in self._marked(mask))
        if exact and self.loop is None and self.strategy == "even":
            # There is no choice of the clues.
            self._fill(strategy="mask")

    def _take(self, board: Any) -> None:
        """Take the clues and the ends of a board."""
        if not isinstance(board, Slitherlink) or (board.rows, board.cols) != (self.rows, self.cols):
            raise ValueError(f"expected a board of {self.rows}x{self.cols} cells, got {board!r}")
        if self.ends not in (None, board.ends):
            raise ValueError(f"expected the ends of the board only, got {self.ends!r}")
        unknown = unknown_clues(board)
        clues = {cell: clue for cell, clue in board.clue_cells() if cell not in unknown}
        for cell, digit in self.digits.items():
            if (clue := clues.get(cell, digit)) != digit:
                raise ValueError(f"expected the clue {clue} of the board at {cell}, got {digit!r}")
        # A clue without a number gets one.
        must = [*self.must, *unknown]
        self._fill(ends=board.ends, fill=board.fill, digits={**clues, **self.digits}, must=must)

    @property
    def most_extra(self) -> float:
        """The number of clues that may be added where an exact mask has none."""
        default = 0 if self.letters is None else math.inf
        return default if self.extra_clues is None else self.extra_clues

    @property
    def most_clues(self) -> int:
        """The most clues of an accepted puzzle."""
        most = math.floor(self.max_clue_density * self.cells + 1e-9)
        return most if self.clues is None else min(most, self.clues)

    @property
    def is_searched(self) -> bool:
        """Whether a loop is searched that fits the constraints on clues."""
        board = self.board
        has_more = isinstance(board, Slitherlink) and any(annotation_names(board, optional=True))
        fits = self.must_not or self.digits or has_more or self.strategy == "mask"
        return self.tiling is None and self.loop is None and bool(fits)

    @property
    def is_symmetric(self) -> bool:
        """Whether a symmetry is requested."""
        return self.symmetry not in (None, "none")

    @property
    def is_open(self) -> bool:
        """Whether no option decides which cells have clues, how many, or which are removed."""
        stops = self.clues is not None or self.max_failures is not None or self.minimal
        hooked = self.keeps is not None and as_grade(self.keeps) is None
        cells = self.must or self.must_not or self.digits
        return self.strategy == "even" and not (stops or hooked or cells or self.is_searched)

    def with_drawn(self, **values: Any) -> Self:
        """Return the request with other values, which need no check."""
        other = copy(self)
        vars(other).pop("groups", None)
        other._fill(**values)
        return other

    @property
    def is_drawn(self) -> bool:
        """Whether the loop may be changed so that it suits clues on some cells."""
        return self.shape == "mix" and self.loop is None and not self.fill

    def blank(self, ends: Ends) -> Any:
        """Return the board without its clues, for a loop, or a path with these ends."""
        if self.tiling is not None:
            return Slitherlink.on(self.tiling)
        blank = Slitherlink.blank(self.rows, self.cols, ends)
        if isinstance(self.board, Slitherlink):
            return replace(self.board, clues=blank.clues)
        return replace(blank, fill=True) if self.fill else blank

    @property
    def most_tries(self) -> int:
        """The number of loops that are tried."""
        default = MASK_TRIES if self.is_searched else 1 if self.loop is not None else TRIES
        return default if self.tries is None else self.tries

    def faces(self, cells: Iterable[Cell]) -> set[int]:
        """Return the numbers of cells, row by row; on other boards, cells are numbers."""
        if self.tiling is not None:
            return {*cells}  # type: ignore[arg-type]
        return {row * self.cols + col for row, col in cells}

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        """The faces that lose their clues together, except those of ``must`` and ``must_not``."""
        decided = self.faces(self.must) | self.faces(self.must_not)
        symmetry = self.symmetry or "none"
        every = (
            orbits(self.rows, self.cols, symmetry)
            if self.tiling is None
            else [*face_orbits(self.tiling, symmetry)]
        )
        return [faces for faces in every if decided.isdisjoint(faces)]
