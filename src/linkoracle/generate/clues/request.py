"""`SlitherlinkRequest`: the options of a Slitherlink, checked once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, get_args

from linkoracle.board import Board, Solution, Symmetry, orbits
from linkoracle.core import check_options, checked_int, checked_memory, declare
from linkoracle.generate.clues.layout import LAYOUTS, PATTERNS, Layout, Pattern, letters, pattern
from linkoracle.generate.loops.shapes import (
    OPEN_SHAPES,
    SHAPES,
    WIDEST_UNIFORM,
    Shape,
    checked_options,
)
from linkoracle.generate.request import (
    PATH_OPTIONS,
    Cell,
    Masked,
    as_grade,
    check_even,
    checked_board,
    checked_cells,
    checked_mask,
    checked_size,
    mask_of,
    options_set,
    refuse_both,
    size_of,
    symmetry_of,
    tries_of,
)
from linkoracle.kinds import Ends, Slitherlink, annotation_names, check_solution, unknown_clues

Strategy = Literal["even", "core", "random", "prefix", "stack", "fewest", "mask"]
#: How clues are removed.
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
#: The largest boards that are accepted: see ``docs/how-to/generate.md`` for their time and memory.
MOST_SLITHERLINK_CELLS = 10_000
#: Loops that are tried before a puzzle is given up, and loops that are searched for a mask.
TRIES, MASK_TRIES, LOOP_TRIES = 100, 20, 10


@dataclass(frozen=True)
class SlitherlinkRequest(Masked):
    """A request for a Slitherlink of ``rows`` x ``cols`` cells, or on a board.

    ``docs/how-to/generate.md`` has tables of the shapes, of the strategies, and of the options that
    exclude each other.

    * ``shape``, ``shape_options``: one of `linkoracle.generate.SHAPES` draws the loop;
    * ``ends``: two dots on the border or ``"random"``, for an open path; ``fill``: a loop through
      every dot;
    * ``loop``: the loop itself, as `linkoracle.formats.drawings.read_loop` returns it, or the path
      between its ``ends``; then there is one attempt;
    * ``strategy``: how clues are removed (`linkoracle.generate.clues.reducing`), or ``"fewest"``
      (`linkoracle.generate.fewest`), or ``"mask"``, which searches for a loop that clues on exactly
      the cells of ``must`` make unique;
    * ``clues``, ``max_failures``: removal stops at this number of clues, or after this number of
      needed clues in a row; ``max_clue_density``: puzzles with more clues are dropped;
    * ``minimal``: no clue is redundant. If other options keep some, the result lists those that are
      `redundant <linkoracle.generate.Reduced>`;
    * ``symmetry``, ``layout``, ``clue_density``, ``difficulty``: drawn for each puzzle if they are
      ``None``, as in published puzzles (`linkoracle.generate.clues`). Cells that a symmetry of
      `linkoracle.board.symmetry.SYMMETRIES` maps to each other lose their clues together. For a
      layout, one of `LAYOUTS`, cells are chosen first, and clues are added until deduction solves
      the puzzle (`linkoracle.generate.clues.maker`);
    * ``difficulty``, ``score``, ``max_depth``, ``keeps``, and the options for the path: see
      `Graded`;
    * ``must``, ``must_not``, ``digits``: cells that keep their clues, that lose them at once, and
      given clues by cell; the loop is changed until it fits. ``mask`` has all three as rows of text
      (see `Masked`; a digit stands for itself); ``pattern`` and ``letters`` draw a mask
      (`linkoracle.generate.pattern`). Up to ``extra_clues`` clues may be where an exact mask, which
      has no ``?``, has none;
    * ``board``: a Slitherlink, which keeps its ends, given and forbidden lines, missing dots and
      clues (a clue without a number gets one). Or a `linkoracle.Board` instead of rows and columns:
      its faces are the cells, by their numbers; a mask has a mark for each face, in this order;
    * ``tries``: loops that are tried (``None``: `TRIES`, or `MASK_TRIES`);
    * ``memory``: bytes for the shape ``"uniform"``.

    Rows and columns may be omitted if a mask or another field has a size. Raises ``ValueError`` for
    contradictory options, and for more than `MOST_SLITHERLINK_CELLS` cells.

    >>> SlitherlinkRequest(6, 6, symmetry="half-turn", must=[(0, 0)]).must
    frozenset({(0, 0)})
    >>> request = SlitherlinkRequest(mask=["#.", ".3"])
    >>> request.rows, request.strategy, request.digits
    (2, 'mask', {(1, 1): 3})
    """

    kind: ClassVar = "slitherlink"
    needing_rows: ClassVar = (
        *("digits", "extra_clues", "pattern", "letters"),
        *("ends", "fill", "layout", "loop", "memory", "max_depth"),
    )

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
    ends: Ends | Literal["random"] | None = declare(
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
        text=f"  [default: {TRIES}; with --mask or --board {MASK_TRIES}, with --loop {LOOP_TRIES}]",
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
        # Rows and columns have a size, annotations and digits to check; a board has its faces.
        if self.tiling is None:
            self._take_rows()
        else:
            self._take_faces()
        orbits(self.faces, self.symmetry or "none")
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
        self._take_drawn()
        if board is not None:
            self._take(board)
        shown = [*self.must, *(checked_digits(self) if self.digits else ())]
        must, must_not = checked_mask(shown, self.must_not, self.rows, self.cols)
        self._fill(must=must, must_not=must_not, digits=dict(self.digits))

    def _take_faces(self) -> None:
        """Take the cells of a board that is not square."""
        checked_board(self, MOST_SLITHERLINK_CELLS)
        for name in ("strategy", "shape"):
            if (value := getattr(self, name)) in ("mask", "uniform"):
                raise ValueError(f"the {name} {value} needs rows and columns")
        if self._take_mask(self.mask, self.cells):
            raise ValueError("digits in a mask need rows and columns")
        for name in ("must", "must_not"):
            faces = frozenset(map(self.faces.face_of, getattr(self, name)))
            self._fill(**{name: faces})
        refuse_both(self.must, self.must_not)

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
    def is_bound(self) -> bool:
        """Whether the loop must fit constraints on clues, or annotations of the board."""
        board = self.board
        has_more = isinstance(board, Slitherlink) and any(annotation_names(board, optional=True))
        fits = self.must_not or self.digits or has_more or self.strategy == "mask"
        return self.loop is None and bool(fits)

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
        return self.strategy == "even" and not (stops or hooked or cells or self.is_bound)

    def blank(self, ends: Ends | None) -> Any:
        """Return the board without its clues, for a loop, or a path with these ends."""
        if isinstance(self.board, Slitherlink):
            return replace(self.board, clues=(None,) * self.cells)
        return Slitherlink.from_grid((), ends=ends, fill=self.fill, faces=self.faces)


#: Options for the loop.
LINE_OPTIONS = ("shape", "shape_options", "ends", "fill", "loop", "memory")
#: Options for clues that contradict a strategy which finds its own clues.
_CLUE_OPTIONS = (
    *("clues", "clue_density", "max_clue_density", "max_failures", "minimal"),
    *("difficulty", "score", "max_depth", "keeps", *PATH_OPTIONS),
)


def checked_digits(request: Any) -> frozenset[Cell]:
    """Return the cells with digits; raise ``ValueError`` for digits other than 0 to 4."""
    cells = checked_cells(request.digits, request.rows, request.cols)
    for cell, digit in request.digits.items():
        try:
            checked_int(digit, "a digit", 0, 4)
        except ValueError:
            raise ValueError(f"expected a digit from 0 to 4 at {cell}, got {digit!r}") from None
    return cells


def _check_loop(request: Any, loop: Solution) -> None:
    if not isinstance(loop, Solution) or loop.board != request.faces:
        raise ValueError(f"expected a loop on {request.faces.cells_in_words}")
    if request.ends == "random":
        raise ValueError("expected the ends of the given loop, got 'random'")
    blank = Slitherlink.blank(request.rows, request.cols, request.ends)
    ends = blank.ends
    if not check_solution(blank, loop):
        what = "loop" if ends is None else f"path between its ends {ends[0]} and {ends[1]}"
        raise ValueError(f"expected a single {what} that does not touch itself")
    for reason in request.blank(ends).violations(loop):
        raise ValueError(f"expected a loop that fits the board: {reason}")
    for name in options_set(request, ("shape", "shape_options")):
        raise ValueError(f"a given loop takes no {name}")
    counts = loop.clues()
    for cell, digit in request.digits.items():
        if (found := counts[cell[0]][cell[1]]) != digit:
            raise ValueError(f"the given loop has {found} edges around {cell}, not {digit}")


def checked_line(request: Any) -> dict[str, Any]:
    """Return the ends and the options of the shape; raise ``ValueError`` for an impossible loop."""
    shape, rows, cols, ends = request.shape, request.rows, request.cols, request.ends
    if request.loop is not None:
        _check_loop(request, request.loop)
    if request.fill and (ends is not None or shape != "mix"):
        raise ValueError("a loop through every dot takes no shape and no ends")
    if request.fill:
        check_even(rows, cols, dots=True)
    if request.fill and request.is_bound:
        raise ValueError("a loop through every dot cannot be searched for given clues")
    if ends is not None and shape not in OPEN_SHAPES:
        raise ValueError(f"the shape {shape} makes loops only")
    if ends is not None and ends != "random":
        ends = Slitherlink.blank(rows, cols, ends).ends
    if shape == "uniform" and min(rows, cols) > WIDEST_UNIFORM:
        most = f"boards with a short side of up to {WIDEST_UNIFORM} cells"
        raise ValueError(f"the shape uniform takes {most}, got {rows}x{cols}")
    options = checked_options(shape, request.shape_options, checked_memory(request.memory))
    return {"ends": ends, "shape_options": options}


def check_whole(request: Any) -> None:
    """Raise ``ValueError`` for options that a strategy without a choice of clues excludes."""
    what, advice = "the search for the fewest clues", ""
    excluded = ["must", "must_not", "digits"]
    if request.strategy == "mask":
        what, advice = "an exact mask", ". Mark some cells ? to leave a choice"
        excluded = ["shape", "shape_options", "loop"]
        # No cell is in both.
        if request.must_not and len(request.must) + len(request.must_not) < request.cells:
            raise ValueError("an exact mask needs a mark for every cell: a clue, or none")
    excluded += ["symmetry"] * request.is_symmetric
    for name in options_set(request, (*excluded, *_CLUE_OPTIONS)):
        raise ValueError(f"{what} takes no {name}, got {getattr(request, name)!r}{advice}")
