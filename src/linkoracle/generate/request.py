"""Requests: what a puzzle is asked to be, checked once; they compare, hash and pickle.

Every maker takes either a request or its parts as keyword arguments. A request says all but which
of the puzzles is meant (``seed`` and ``index``), and how long it may take.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, TypedDict, TypeVar, get_args

from linkoracle.board.symmetry import Symmetry, group, orbits
from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import checked_int
from linkoracle.generate.colouring import Ends
from linkoracle.generate.shapes import OPEN_SHAPES, SHAPES, Shape, shape_parameters
from linkoracle.kinds import Slitherlink
from linkoracle.kinds.numberlink import RULES
from linkoracle.sat.search import SOLVERS

#: A cell as ``(row, column)``, counted from 0.
Cell = tuple[int, int]
#: Says of a puzzle with one solution whether it is still as wanted.
Keeps = Callable[[Slitherlink], bool]
#: A range of shares of the links, from 0 to 1.
Share = tuple[float, float]
_ALL: Share = (0.0, 1.0)

Strategy = Literal["core", "random", "prefix", "stack", "fewest", "mask"]
#: How clues are taken away: see `SlitherlinkRequest`.
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
Engine = Literal["sat", "cdcl"]
#: Who looks for other solutions meanwhile.
ENGINES: tuple[Engine, ...] = get_args(Engine)
Maker = Literal["links", "diagram"]
#: Makers of Numberlinks.
MAKERS: tuple[Maker, ...] = get_args(Maker)
Rule = Literal["free", "fill"]

#: The largest boards that are taken on, in cells: see `docs/generating.md` for what they take.
MOST_SLITHERLINK_CELLS = 10_000
MOST_NUMBERLINK_CELLS = 1_000
#: Their longest side: what takes long on thin boards are the many rectangles.
MOST_SIDE = 500
#: Those of the diagram maker, and the longest short side of its boards and of the shape
#: ``uniform``: time and memory grow tenfold, or threefold, from one to the next.
MOST_DIAGRAM_CELLS, WIDEST_DIAGRAM, WIDEST_UNIFORM = 60, 6, 16
#: Lines that are tried before a puzzle is given up, and those for an exact mask.
TRIES, MASK_TRIES = 100, 20
#: Boards put before the oracle, and fruitless tries of the maker, before a Numberlink is given up.
NUMBERLINK_TRIES = 5_000
#: Repairs of one board before the next is made. A board repaired once is unique less often than a
#: new one (on 12x12, one in five against two in five), so on boards with many links repairing is no
#: faster than starting anew; with few links it saves up to a third of the time, and more repairs
#: than three lose it again. `scripts/bench_generate_numberlink.py --without-repair` measures it.
REPAIRS = 3
#: Conflicts of the SAT solver after which a board is given up as undecided.
EFFORT = 20_000
#: Numbers of pairs, as multiples of the square root of the number of cells, when none is asked for.
USUAL_PAIRS = (0.85, 1.15)


class SlitherlinkOptions(TypedDict, total=False):
    """The fields of `SlitherlinkRequest` besides the size, as keyword arguments."""

    shape: Shape
    shape_options: Mapping[str, Any]
    ends: Ends | Literal["random"]
    strategy: Strategy
    symmetry: Symmetry
    must: Collection[Cell]
    must_not: Collection[Cell]
    clues: int | None
    max_clue_density: float
    max_failures: int | None
    balanced: bool
    keeps: Keeps | None
    tries: int | None
    engine: Engine
    solver: str | None


@dataclass(frozen=True)
class SlitherlinkRequest:
    """A Slitherlink of ``rows`` x ``cols`` cells as it is asked for.

    ``shape``, one of `linkoracle.generate.SHAPES`, makes the line, with ``shape_options``;
    ``ends``, two dots on the rim or ``"random"``, make it an open path.

    ``strategy`` says how clues are taken away:

    * ``"core"``: ask once whether the full board has another solution; only the clues on which the
      solver's "no" rests are kept. Then ask of each of these whether the others force it: a local
      question, answered without a search where a known alternative decides it. The order is random
      on boards of less than 64 cells, and where an option stops early or says what to try next.
      Else one diagonal comes after the other, from a random corner on, and only those of a diagonal
      are in random order: in a random order it takes up to twice as long;
    * ``"random"``: the same without the first step, so that every clue has an equal chance;
    * ``"prefix"``: look, by halving, for the longest part of a random order that can go at once;
      what comes next in the order is needed; go on behind it;
    * ``"stack"``: reach exactly ``clues`` clues, putting back the last one that went, and trying
      others, when none can go;
    * ``"fewest"``: as few clues as this line allows (`linkoracle.generate.fewest`);
    * ``"mask"``: search for a line that clues on exactly the cells of ``must`` make unique
      (`linkoracle.generate.from_mask`).

    The last two leave no other wish for the clues, and the last none for the line.

    ``symmetry`` is one of `linkoracle.board.symmetry.SYMMETRIES`: cells that it maps to each other
    lose their clues together. Cells of ``must`` keep theirs, those of ``must_not`` lose theirs at
    once. Stop at ``clues`` clues, or after ``max_failures`` clues in a row that cannot go; lines
    that leave clues on a greater share of the cells than ``max_clue_density`` are dropped. With
    ``balanced`` the next clue to try is not a random one but the most dispensable for the balance
    (`linkoracle.generate.balance`). A clue goes only if ``keeps`` says so of the puzzle without it.
    Where ``keeps`` is a `linkoracle.generate.removal.Graded` one, such as those that
    `linkoracle.deduce.within` makes, clues are taken away without it, and put back as it needs
    them; so the result may have fewer clues, but not another property. Without ``must``,
    ``keeps``, a symmetry or an early stop, the result is minimal: no clue can be taken away.

    ``engine`` looks for other solutions: ``"sat"``, a SAT solver, which ``solver`` may name; or
    ``"cdcl"``, the compiled search of `linkoracle.search`, which is faster, but takes half a second
    to load, and on a new machine some ten seconds to be compiled, once. With the strategy
    ``"core"`` they make different puzzles of the same line.

    Where a line does not lead to a puzzle as asked, the next one is tried, ``tries`` times
    (``None``: `TRIES`, or `MASK_TRIES`).

    Raises ``ValueError`` for what makes no sense, and more than `MOST_SLITHERLINK_CELLS` cells.

    >>> SlitherlinkRequest(6, 6, symmetry="half-turn", must=[(0, 0)]).must
    frozenset({(0, 0)})
    """

    rows: int
    cols: int
    shape: Shape = "two_colour"
    shape_options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    ends: Ends | Literal["random"] = None
    strategy: Strategy = "core"
    symmetry: Symmetry = "none"
    must: Collection[Cell] = frozenset()
    must_not: Collection[Cell] = frozenset()
    clues: int | None = None
    max_clue_density: float = 1.0
    max_failures: int | None = None
    balanced: bool = False
    keeps: Keeps | None = None
    tries: int | None = None
    engine: Engine = "sat"
    solver: str | None = None

    def __post_init__(self) -> None:
        cells = _checked_size(self.rows, self.cols, MOST_SLITHERLINK_CELLS, "Slitherlinks")
        _one_of(self.strategy, "a strategy", STRATEGIES)
        _one_of(self.engine, "an engine", ENGINES)
        _one_of(self.solver, "a solver", SOLVERS, optional=True)
        group(self.rows, self.cols, self.symmetry)
        for name in ("must", "must_not"):
            cells_named = _checked_cells(getattr(self, name), self.rows, self.cols)
            object.__setattr__(self, name, cells_named)
        both = frozenset(self.must).intersection(self.must_not)
        if both:
            raise ValueError(
                f"the cell {min(both)} cannot both have to carry a clue and not be allowed to"
            )
        if self.strategy == "stack" and self.clues is None:
            raise ValueError("the stack method needs a number of clues to reach")
        try:
            checked_int(0 if self.clues is None else self.clues, "clues", 0, cells)
        except ValueError:
            raise ValueError(f"expected 0 to {cells} clues, got {self.clues!r}") from None
        density = self.max_clue_density
        if not (isinstance(density, (int, float)) and 0 < density <= 1):
            raise ValueError(f"expected a clue density above 0 and up to 1, got {density!r}")
        _optional_int(self.max_failures, "a number of failures", 1)
        _optional_int(self.tries, "tries", 1)
        if self.keeps is not None and not callable(self.keeps):
            raise ValueError(f"expected a function of a puzzle to keep it, got {self.keeps!r}")
        self._check_line()
        if self.strategy in ("fewest", "mask"):
            self._check_whole()

    def _check_line(self) -> None:
        shape, rows, cols = self.shape, self.rows, self.cols
        _one_of(shape, "a shape", tuple(SHAPES))
        if self.ends is not None and shape not in OPEN_SHAPES:
            raise ValueError(f"the shape {shape} makes loops only")
        if self.ends is not None and self.ends != "random":
            object.__setattr__(self, "ends", Slitherlink.blank(rows, cols, self.ends).ends)
        if shape == "uniform" and min(rows, cols) > WIDEST_UNIFORM:
            raise ValueError(
                f"the shape uniform takes boards with a short side of up to {WIDEST_UNIFORM} "
                f"cells, got {rows}x{cols}"
            )
        options = dict(self.shape_options)
        object.__setattr__(self, "shape_options", options)
        for option in options:
            if option not in shape_parameters(shape):
                known = ", ".join(shape_parameters(shape)) or "no options"
                raise ValueError(f"the shape {shape} takes {known}; got {option}")
        if options:
            # Whether their values make sense is known to the shape alone; not what the board holds.
            try:
                SHAPES[shape](Random(0), 2, 2, **options)
            except NothingFound:
                pass
            except TypeError:
                raise ValueError(f"the shape {shape} cannot use {options}") from None

    def _check_whole(self) -> None:
        """The strategies that leave no choice take no other wish."""
        what, wishes = "the search for the fewest clues", ["must", "must_not", *_CLUE_WISHES]
        if self.strategy == "mask":
            what = "the search for a line of a mask"
            wishes = ["shape", "shape_options", "ends", *_CLUE_WISHES]
            # No cell is in both.
            if self.must_not and len(self.must) + len(self.must_not) < self.rows * self.cols:
                raise ValueError("an exact mask says of every cell whether it carries a clue")
        fields = type(self).__dataclass_fields__
        for name in wishes:
            default = {} if name == "shape_options" else fields[name].default
            if getattr(self, name) != default:
                raise ValueError(f"{what} takes no {name}, got {getattr(self, name)!r}")

    @property
    def most_tries(self) -> int:
        """How many lines are tried."""
        if self.tries is not None:
            return self.tries
        return MASK_TRIES if self.strategy == "mask" else TRIES

    def faces(self, cells: Iterable[Cell]) -> set[int]:
        """Cells by their numbers, row by row."""
        return {row * self.cols + col for row, col in cells}

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """The faces that lose their clues together, where ``must`` and ``must_not`` say nothing."""
        settled = self.faces(self.must) | self.faces(self.must_not)
        every = orbits(self.rows, self.cols, self.symmetry)
        return [faces for faces in every if settled.isdisjoint(faces)]


#: Wishes for the clues that stand against a strategy which finds its own.
_CLUE_WISHES = (
    *("symmetry", "clues", "max_clue_density", "max_failures", "balanced", "keeps", "engine"),
)


class NumberlinkOptions(TypedDict, total=False):
    """The fields of `NumberlinkRequest` besides the size, as keyword arguments."""

    maker: Maker
    rule: Rule
    pairs: int | tuple[int, int] | None
    min_length: int
    max_length: int | None
    short_share: Share
    long_share: Share
    symmetry: Symmetry
    repairs: int | None
    tries: int
    effort: int


@dataclass(frozen=True)
class NumberlinkRequest:
    """A Numberlink of ``rows`` x ``cols`` cells as it is asked for.

    All lengths are numbers of cells, ends included.

    * ``maker``: ``"links"`` (see `linkoracle.generate.links`) or ``"diagram"``, which draws
      uniformly from all puzzles as requested (see `linkoracle.generate.covers`), on small boards;
    * ``rule``: whether solvers may leave cells empty; the solution uses all of them either way;
    * ``pairs``: their number, or a range; by default 0.85 to 1.15 times the root of the number of
      cells;
    * ``min_length``, ``max_length``: cells of a link;
    * ``short_share``, ``long_share``: ranges for the share of links of at most half, and at least
      one and a half times, the average length;
    * ``symmetry``: of the places of the numbers, one of `linkoracle.board.symmetry.SYMMETRIES`, but
      none along a diagonal, and quarter turns for an even side only;
    * ``repairs``: how often a board with a second solution is re-routed before a new one is made;
      by default `REPAIRS`, and never with the diagram maker;
    * ``tries``: boards put before the oracle, and boards that the maker failed to make, before the
      puzzle is given up;
    * ``effort``: conflicts of the SAT solver after which a board is dropped as undecided.

    Raises ``ValueError`` for what no board can be, and for boards of more than
    `MOST_NUMBERLINK_CELLS` cells (`MOST_DIAGRAM_CELLS` for the diagram maker).

    >>> NumberlinkRequest(6, 6).links
    (6, 6)
    """

    rows: int
    cols: int
    maker: Maker = "links"
    rule: Rule = "free"
    pairs: int | tuple[int, int] | None = None
    min_length: int = 3
    max_length: int | None = None
    short_share: Share = _ALL
    long_share: Share = _ALL
    symmetry: Symmetry = "none"
    repairs: int | None = None
    tries: int = NUMBERLINK_TRIES
    effort: int = EFFORT
    #: The range of the number of pairs, filled in where none is given.
    links: tuple[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cells = _checked_size(self.rows, self.cols, MOST_NUMBERLINK_CELLS, "Numberlinks")
        if cells < 2:
            raise ValueError("a board of one cell has no room for a pair of numbers")
        _one_of(self.maker, "a maker", MAKERS)
        _one_of(self.rule, "a rule", RULES)
        checked_int(self.tries, "tries", 1)
        checked_int(self.effort, "an effort in conflicts", 1)
        _optional_int(self.repairs, "repairs", 0)
        self._check_links(cells)
        if self.maker == "diagram":
            self._check_diagram(cells)

    def _check_links(self, cells: int) -> None:
        shortest = checked_int(self.min_length, "cells of the shortest link", 2)
        longest = _optional_int(self.max_length, "cells of the longest link", 2, cells)
        if longest < shortest:
            raise ValueError(
                f"the longest link cannot be shorter than the shortest: {longest} cells "
                f"against {shortest}"
            )
        for name in ("short_share", "long_share"):
            object.__setattr__(self, name, _checked_share(getattr(self, name), name))
        if self.short_share[0] + self.long_share[0] > 1:
            raise ValueError("short and long links cannot both make up that much of the board")
        step = self._step()
        low, high = self._range(step)
        object.__setattr__(self, "links", (low, high))
        size = f"{self.rows}x{self.cols} cells"
        if low * shortest > cells:
            raise ValueError(f"{low} links of {shortest} cells or more do not fit on {size}")
        if high * longest < cells:
            raise ValueError(f"{high} links of {longest} cells or fewer do not cover {size}")
        if not _has_multiple((low, high), step):
            raise ValueError(
                f"with the symmetry {self.symmetry}, {size} hold links in groups of {step} only, "
                f"got {low if low == high else f'{low} to {high}'} pairs"
            )

    def _step(self) -> int:
        """A number of which that of the links must be a multiple.

        A link that a half turn maps to itself has the centre of the board in its middle, which is a
        cell or a step unless both sides are even. With even sides, links come in twos, or in fours
        where there are quarter turns.

        The links themselves are symmetric, and so are their ends. That rules two symmetries out.
        Under a mirror along a diagonal, a cell on it is joined to both cells right and below, or to
        both above and left. The first cell of the diagonal goes right and below, the last above and
        left, so somewhere two cells in a row go towards each other, and close a ring of four. Under
        a quarter turn, the middle cell of a board with an odd side would be joined to none or to
        all four of its neighbours.
        """
        size = f"{self.rows}x{self.cols}"
        group(self.rows, self.cols, self.symmetry)
        if self.symmetry in ("diagonal", "antidiagonal"):
            raise ValueError(f"links cannot have the symmetry {self.symmetry}: they would be rings")
        if self.symmetry == "quarter-turn" and self.rows % 2:
            raise ValueError(
                f"the symmetry {self.symmetry} needs a square board with an even side, got {size}"
            )
        if self.rows % 2 or self.cols % 2:
            return 1
        return {"half-turn": 2, "both": 2, "quarter-turn": 4}.get(self.symmetry, 1)

    def _range(self, step: int) -> tuple[int, int]:
        """The range of the number of pairs, filled in where none is given."""
        pairs, cells = self.pairs, self.rows * self.cols
        if pairs is None:
            usual = math.sqrt(cells)
            low, high = (math.ceil(USUAL_PAIRS[0] * usual), math.floor(USUAL_PAIRS[1] * usual))
            # Long thin boards and long links leave less room than a square root.
            most = cells // self.min_length
            found = (max(1, min(low, most)), max(1, min(max(low, high), most)))
            nearest = max(step, round(usual / step) * step)
            return found if _has_multiple(found, step) else (nearest, nearest)
        both = tuple(pairs) if isinstance(pairs, (tuple, list)) else (pairs, pairs)
        if len(both) != 2:
            raise ValueError(
                f"expected a number of pairs, or the least and the most, got {pairs!r}"
            )
        low, high = (checked_int(number, "pairs", 1) for number in both)
        if low > high:
            raise ValueError(f"expected a range of pairs from 1 up, got {low} to {high}")
        return low, high

    def _check_diagram(self, cells: int) -> None:
        if self.symmetry != "none":
            raise ValueError("the diagram maker draws from all boards; it knows no symmetry")
        if min(self.rows, self.cols) > WIDEST_DIAGRAM or cells > MOST_DIAGRAM_CELLS:
            raise ValueError(
                f"the diagram maker takes boards of up to {MOST_DIAGRAM_CELLS} cells with a short "
                f"side of up to {WIDEST_DIAGRAM}, got {self.rows}x{self.cols}"
            )

    @property
    def images(self) -> list[list[int]]:
        """For each isometry of the symmetry but the identity, where it takes every cell."""
        turns = group(self.rows, self.cols, self.symmetry)[1:]
        return [turn.cells(self.rows, self.cols).tolist() for turn in turns]

    @property
    def average(self) -> float:
        """The average length of a link, for the middle of the range of pairs."""
        return 2 * self.rows * self.cols / sum(self.links)

    def misses(self, sizes: Collection[int]) -> int:
        """How far links of these sizes are from the request: 0 when all is met.

        The cells that short links lack and long ones have too many, the links that are missing or
        too many, and the links by which the shares are missed.
        """
        number = len(sizes)
        low, high = self.links
        far = max(0, low - number, number - high)
        least, most = self.min_length, self.max_length
        far += sum(least - size for size in sizes if size < least)
        if most is not None:
            far += sum(size - most for size in sizes if size > most)
        average = self.rows * self.cols / number
        # Asked at every change of a board: what is met by all is not counted.
        if self.short_share != _ALL:
            far += _outside(sum(size <= average / 2 for size in sizes), number, self.short_share)
        if self.long_share != _ALL:
            far += _outside(sum(size >= 1.5 * average for size in sizes), number, self.long_share)
        return far


Request = TypeVar("Request", SlitherlinkRequest, NumberlinkRequest)


def asked(
    kind: type[Request], rows: int | Request, cols: int | None, options: Mapping[str, Any]
) -> Request:
    """The request that is given in place of the rows, or one of a size and options."""
    if not isinstance(rows, kind):
        return kind(rows, cols, **options)  # type: ignore[arg-type]
    if cols is not None or options:
        raise ValueError("expected a request, or a size and options, got both")
    return rows


def _one_of(value: object, what: str, names: Collection[str], optional: bool = False) -> None:
    if value not in names and not (optional and value is None):
        raise ValueError(f"expected {what} out of {', '.join(names)}; got {value!r}")


def _checked_size(rows: Any, cols: Any, most: int, what: str) -> int:
    """The number of cells."""
    cells = checked_int(rows, "rows", 1) * checked_int(cols, "columns", 1)
    if cells > most or max(int(rows), int(cols)) > MOST_SIDE:
        raise ValueError(
            f"{what} are made of up to {most} cells, {MOST_SIDE} in a line, got {rows}x{cols}"
        )
    return cells


def _optional_int(value: object, what: str, least: int, default: int = 0) -> int:
    return default if value is None else checked_int(value, what, least)


def _checked_cells(cells: Iterable[Cell], rows: int, cols: int) -> frozenset[Cell]:
    found = set()
    for cell in cells:
        try:
            row, col = cell
            place = checked_int(row, "a row"), checked_int(col, "a column")
        except (TypeError, ValueError):
            raise ValueError(f"expected a cell as (row, column), got {cell!r}") from None
        if not (0 <= place[0] < rows and 0 <= place[1] < cols):
            raise ValueError(f"the board has no cell {row},{col}")
        found.add(place)
    return frozenset(found)


def _checked_share(share: Any, name: str) -> Share:
    try:
        least, most = (float(part) for part in share)
    except (TypeError, ValueError):
        least, most = math.nan, math.nan
    if not 0 <= least <= most <= 1:
        raise ValueError(f"expected a range within 0 to 1 for {name}, got {share!r}")
    return least, most


def _has_multiple(pairs: tuple[int, int], step: int) -> bool:
    return pairs[1] // step * step >= pairs[0]


def _outside(part: int, number: int, share: Share) -> int:
    """By how many links a part of them misses a share; rounded, so that some number meets it."""
    least, most = math.floor(share[0] * number), math.ceil(share[1] * number)
    return max(0, least - part, part - most)
