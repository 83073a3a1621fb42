"""`slitherlink` and `slitherlinks`: a line, its clues, fewer clues, and a certificate."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from linkoracle.errors import NothingFound
from linkoracle.generate.fewest import fewest
from linkoracle.generate.hooks import Keeps
from linkoracle.generate.made import Made
from linkoracle.generate.randomness import pick, source
from linkoracle.generate.sequence import different
from linkoracle.generate.shapes import OPEN_SHAPES, SHAPES, Ends, rim_dots
from linkoracle.generate.thinning import Cell, check_request, thin
from linkoracle.puzzles import Slitherlink
from linkoracle.sat.search import Deadline
from linkoracle.solving import certify

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from linkoracle.model import Solution

#: Lines that are tried before a puzzle is given up.
TRIES = 100
#: The solver for the certificates of boards up to so many cells: it takes a fifth less time than
#: the default one there. On larger ones it now and then goes astray for seconds.
QUICK_SOLVER, QUICK_CELLS = "minisat22", 100
#: The options that `check_request` looks at.
_CHECKED = ("strategy", "engine", "symmetry", "must", "must_not", "clues")


@dataclass(frozen=True)
class MadeSlitherlink(Made):
    """A Slitherlink and its only solution; see `linkoracle.generate.thinning.Thinned`.

    ``lower_bound`` is a number of clues below which no puzzle of this solution goes, where that was
    asked for. ``interrupted`` says that the search for it was ended by Ctrl-C.
    """

    puzzle: Slitherlink
    minimal: bool = False
    questions: int = 0
    rounds: int = 0
    cuts: int = 0
    lower_bound: int | None = None
    interrupted: bool = False


def slitherlink(
    rows: int,
    cols: int,
    *,
    seed: int = 0,
    index: int = 0,
    shape: str = "two_colour",
    shape_options: Mapping[str, Any] | None = None,
    ends: Ends | Literal["random"] = None,
    strategy: str = "core",
    symmetry: str = "none",
    must: Iterable[Cell] = (),
    must_not: Iterable[Cell] = (),
    clues: int | None = None,
    max_clue_density: float = 1.0,
    max_failures: int | None = None,
    balanced: bool = False,
    keeps: Keeps | None = None,
    tries: int = TRIES,
    timeout: float | Deadline | None = None,
    engine: str = "sat",
    solver: str | None = None,
    trying: Callable[[], None] | None = None,
) -> MadeSlitherlink:
    """Make a Slitherlink of ``rows`` x ``cols`` cells that provably has one solution.

    The puzzle is a pure function of the other arguments and ``index``, which tells the puzzles of
    one seed apart.

    * ``shape``, a name out of `linkoracle.generate.shapes.SHAPES`, makes the line, with
      ``shape_options``; ``ends``, two dots on the rim or ``"random"``, make it an open path;
    * how clues are taken away: see `linkoracle.generate.thinning.thin`. By default the result is
      minimal, that is, no clue can be taken away. One more strategy is ``"fewest"``: a puzzle with
      as few clues as this line allows (`linkoracle.generate.fewest`), or, when ``timeout`` or
      Ctrl-C ends the search, the smallest that was found, with a lower bound;
    * ``engine``, ``"sat"`` or ``"cdcl"``, looks for other solutions meanwhile; also see there;
    * ``max_clue_density`` is the greatest share of cells that may carry a clue in the result.

    Where a line does not lead to a puzzle as asked, the next one is tried, ``tries`` times;
    ``trying`` is called before each. At last the puzzle is certified by `linkoracle.certify`.

    Raises `NothingFound`, `SearchTimeout` after ``timeout`` seconds, `MemoryLimit` (the shape
    ``uniform``), ``ValueError`` for options that make no sense.

    >>> made = slitherlink(6, 6, seed=1)
    >>> made.minimal, len(list(made.puzzle.clue_cells()))
    (True, 12)
    """
    must, must_not = frozenset(must), frozenset(must_not)
    check_slitherlink(
        rows,
        cols,
        shape=shape,
        ends=ends,
        strategy=strategy,
        engine=engine,
        symmetry=symmetry,
        must=must,
        must_not=must_not,
        clues=clues,
        max_clue_density=max_clue_density,
    )
    deadline = Deadline.of(timeout)
    most = math.floor(max_clue_density * rows * cols + 1e-9)
    rng = source(seed, index)
    for tried in range(1, tries + 1):
        deadline.check()
        if trying is not None:
            trying()
        path = _random_ends(rng, rows, cols) if ends == "random" else ends
        solution = _line(rng, rows, cols, shape, path, shape_options or {})
        if strategy == "fewest":
            return _smallest(solution, path, tried, solver, deadline)
        try:
            thinned = thin(
                solution,
                rng,
                ends=path,
                strategy=strategy,
                symmetry=symmetry,
                must=must,
                must_not=must_not,
                clues=clues,
                max_failures=max_failures,
                balanced=balanced,
                keeps=keeps,
                engine=engine,
                solver=solver,
                timeout=deadline,
            )
        except NothingFound:
            continue
        if thinned.clues > most or (clues is not None and thinned.clues > clues):
            continue
        return certified(
            MadeSlitherlink(
                thinned.puzzle,
                solution,
                tried,
                minimal=thinned.minimal,
                questions=thinned.questions,
                rounds=thinned.rounds,
                cuts=thinned.cuts,
            )
        )
    raise NothingFound(f"none of {tries} lines led to a puzzle as asked")


def certified(made: MadeSlitherlink) -> MadeSlitherlink:
    """The same, after a question to `linkoracle.certify`, which knows nothing of how it was made.

    Raises ``AssertionError`` when the answer is not what it must be.
    """
    solver = QUICK_SOLVER if made.puzzle.rows * made.puzzle.cols <= QUICK_CELLS else None
    if certify(made.puzzle, solver=solver).solutions != (made.solution,):
        raise AssertionError("a generated puzzle failed its independent check")
    return made


def _smallest(
    solution: Solution, ends: Ends, tried: int, solver: str | None, deadline: Deadline
) -> MadeSlitherlink:
    best = fewest(solution, ends=ends, solver=solver, timeout=deadline)
    return certified(
        MadeSlitherlink(
            best.puzzle,
            solution,
            tried,
            minimal=best.proven,
            questions=best.questions,
            rounds=best.rounds,
            cuts=best.cuts,
            lower_bound=best.lower_bound,
            interrupted=best.interrupted,
        )
    )


def check_slitherlink(
    rows: int,
    cols: int,
    *,
    shape: str = "two_colour",
    shape_options: Mapping[str, Any] | None = None,
    ends: Ends | Literal["random"] = None,
    max_clue_density: float = 1.0,
    **thinning: Any,
) -> None:
    """Raise ``ValueError`` for options of `slitherlink` that make no sense."""
    if rows < 1 or cols < 1:
        raise ValueError(f"expected a board of at least 1x1 cells, got {rows}x{cols}")
    if shape not in SHAPES:
        raise ValueError(f"expected a shape out of {', '.join(SHAPES)}; got {shape!r}")
    if ends is not None and shape not in OPEN_SHAPES:
        raise ValueError(f"the shape {shape} makes loops only")
    if ends is not None and ends != "random":
        Slitherlink.blank(rows, cols, ends)
    for option in shape_options or ():
        if option not in shape_parameters(shape):
            known = ", ".join(shape_parameters(shape)) or "no options"
            raise ValueError(f"the shape {shape} takes {known}; got {option}")
    if shape_options:
        # Whether their values make sense is known to the shape alone.
        rng = Random(0)
        path = _random_ends(rng, rows, cols) if ends == "random" else ends
        try:
            _line(rng, rows, cols, shape, path, shape_options)
        except TypeError:
            raise ValueError(f"the shape {shape} cannot use {dict(shape_options)}") from None
    if not 0 < max_clue_density <= 1:
        raise ValueError(f"expected a density above 0 and up to 1, got {max_clue_density}")
    asked = {name: thinning[name] for name in _CHECKED if name in thinning}
    if asked.get("strategy") == "fewest":
        del asked["strategy"]
        if asked.pop("engine", "sat") != "sat":
            raise ValueError("the fewest clues are sought with the engine sat only")
        if asked.pop("symmetry", "none") != "none" or any(asked.values()):
            raise ValueError("the fewest clues go with no other wish for the clues")
    check_request(rows, cols, **asked)


def shape_parameters(shape: str) -> list[str]:
    """The names of the options that a shape takes, besides ``ends``."""
    named = inspect.signature(SHAPES[shape]).parameters.values()
    return [one.name for one in named if one.kind is one.KEYWORD_ONLY and one.name != "ends"]


def slitherlinks(
    rows: int,
    cols: int,
    *,
    seed: int = 0,
    start: int = 0,
    wanted: int | None = None,
    executor: Executor | None = None,
    trying: Callable[[], None] | None = None,
    **options: Any,
) -> Iterator[MadeSlitherlink]:
    """Yield Slitherlinks as `slitherlink` makes them, no board twice, from index ``start`` on.

    Takes the options of `slitherlink`, which are checked at once. Ends after ``wanted`` puzzles, if
    that is given, and with `NothingFound` when no new board comes up any more. An ``executor``
    makes several at a time; the puzzles and their order stay the same.

    >>> from itertools import islice
    >>> boards = [made.puzzle for made in islice(slitherlinks(3, 3, seed=1), 20)]
    >>> len(set(boards))
    20
    """
    check_slitherlink(rows, cols, **options)
    make = partial(slitherlink, rows, cols, seed=seed, **options)
    return different(make, start=start, wanted=wanted, executor=executor, trying=trying)


def _random_ends(rng: Random, rows: int, cols: int) -> Ends:
    dots = rim_dots(rows, cols)
    first = pick(rng, dots)
    second = pick(rng, [dot for dot in dots if dot != first])
    return (first, second) if first < second else (second, first)


def _line(
    rng: Random, rows: int, cols: int, shape: str, ends: Ends, options: Mapping[str, Any]
) -> Solution:
    if ends is not None:
        options = {**options, "ends": ends}
    return SHAPES[shape](rng, rows, cols, **options)
