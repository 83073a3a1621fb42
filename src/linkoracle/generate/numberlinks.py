"""`numberlink` and `numberlinks`: boards made, repaired and proven."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from linkoracle.errors import NothingFound
from linkoracle.generate.links import links
from linkoracle.generate.made import Made
from linkoracle.generate.path_system import PathSystem
from linkoracle.generate.proving import Undecided, another
from linkoracle.generate.randomness import source
from linkoracle.generate.repair import repair
from linkoracle.generate.request import Request, Share
from linkoracle.generate.sequence import different

if TYPE_CHECKING:
    from concurrent.futures import Executor

#: Makers by name.
MAKERS = ("links", "diagram")
#: Boards put before the oracle, and fruitless tries of the maker, before a puzzle is given up.
TRIES = 5_000
#: Repairs of one board before the next is made. A board repaired once is unique less often than a
#: new one (on 12x12, one in five against two in five), so on boards with many links repairing is no
#: faster than starting anew; with few links it saves up to a third of the time, and more repairs
#: than three lose it again. `scripts/bench_generate_numberlink.py --without-repair` measures it.
REPAIRS = 3
#: Conflicts of the SAT solver after which a board is given up as undecided.
EFFORT = 20_000


def numberlink(
    rows: int,
    cols: int,
    *,
    seed: int = 0,
    index: int = 0,
    maker: str = "links",
    rule: str = "free",
    pairs: int | tuple[int, int] | None = None,
    min_length: int = 3,
    max_length: int | None = None,
    short_share: Share = (0.0, 1.0),
    long_share: Share = (0.0, 1.0),
    symmetry: str = "none",
    repairs: int | None = None,
    tries: int = TRIES,
    effort: int = EFFORT,
    trying: Callable[[], None] | None = None,
) -> Made:
    """Make a Numberlink of ``rows`` x ``cols`` cells that provably has one solution.

    That solution uses every cell, also under the rule ``"free"``. The puzzle is a pure function
    of the other arguments and ``index``, which tells the puzzles of one seed apart.

    * ``maker``: ``"links"`` (see `linkoracle.generate.links`) or ``"diagram"``, which draws
      uniformly from all puzzles as requested (see `linkoracle.generate.covers`), on small boards;
    * ``pairs``: their number, or a range; by default 0.85 to 1.15 times the root of the number of
      cells;
    * ``min_length``, ``max_length``: cells of a link, ends included;
    * ``short_share``, ``long_share``: ranges for the share of links of at most half, and at least
      one and a half times, the average length;
    * ``symmetry``: of the places of the numbers, one of `linkoracle.generate.SYMMETRIES`;
    * ``repairs``: how often a board with a second solution is re-routed before a new one is made;
      by default `REPAIRS`, and never with the diagram maker;
    * ``tries``: boards put before the oracle before `NothingFound` is raised;
    * ``effort``: conflicts of the SAT solver after which a board is dropped as undecided;
    * ``trying``: called for every board before it is put before the oracle.

    Raises ``ValueError`` for requests that no board can meet.

    >>> made = numberlink(6, 6, seed=1)
    >>> from linkoracle import is_unique
    >>> is_unique(made.puzzle), len(made.puzzle.pairs())
    (True, 6)
    """
    request = Request.of(
        rows, cols, rule, pairs, min_length, max_length, short_share, long_share, symmetry
    )
    return _search(request, seed, index, maker, repairs, tries, effort, trying)


def numberlinks(
    rows: int,
    cols: int,
    *,
    seed: int = 0,
    maker: str = "links",
    rule: str = "free",
    pairs: int | tuple[int, int] | None = None,
    min_length: int = 3,
    max_length: int | None = None,
    short_share: Share = (0.0, 1.0),
    long_share: Share = (0.0, 1.0),
    symmetry: str = "none",
    repairs: int | None = None,
    tries: int = TRIES,
    effort: int = EFFORT,
    wanted: int | None = None,
    executor: Executor | None = None,
    trying: Callable[[], None] | None = None,
) -> Iterator[Made]:
    """Yield puzzles as `numberlink` makes them for index 0, 1, 2 ..., leaving out repeated boards.

    Ends after ``wanted`` puzzles, if that is given; raises `NothingFound` where small boards run
    out. Arguments are checked at once. An ``executor`` makes several puzzles at a time; they and
    their order stay the same.

    >>> from itertools import islice
    >>> boards = {made.puzzle for made in islice(numberlinks(5, 5, seed=1), 4)}
    >>> len(boards)
    4
    """
    request = Request.of(
        rows, cols, rule, pairs, min_length, max_length, short_share, long_share, symmetry
    )
    _check(request, maker, tries, effort)
    make = partial(
        numberlink,
        rows,
        cols,
        seed=seed,
        maker=maker,
        rule=rule,
        pairs=pairs,
        min_length=min_length,
        max_length=max_length,
        short_share=short_share,
        long_share=long_share,
        symmetry=symmetry,
        repairs=repairs,
        tries=tries,
        effort=effort,
    )
    return different(make, wanted=wanted, executor=executor, trying=trying)


def _check(request: Request, maker: str, tries: int, effort: int) -> None:
    if maker not in MAKERS:
        raise ValueError(f"expected one of the makers {', '.join(MAKERS)}, got {maker!r}")
    if tries < 1 or effort < 1:
        raise ValueError(f"expected at least one try and one conflict, got {tries} and {effort}")
    if maker == "diagram":
        from linkoracle.generate.covers import check

        check(request)


def _search(
    request: Request,
    seed: int,
    index: int,
    maker: str,
    repairs: int | None,
    tries: int,
    effort: int,
    trying: Callable[[], None] | None,
) -> Made:
    _check(request, maker, tries, effort)
    rng = source(seed, index)
    make: Callable[[Request, Random], PathSystem | None] = links
    if maker == "diagram":
        from linkoracle.generate.covers import covers

        make = covers
    if repairs is None:
        # A repaired board would not be a uniform draw.
        repairs = 0 if maker == "diagram" else REPAIRS
    tried = repaired = fruitless = undecided = 0
    while tried < tries and fruitless < tries:
        system = make(request, rng)
        if system is None:
            fruitless += 1
            continue
        for left in range(repairs, -1, -1):
            if trying is not None:
                trying()
            tried += 1
            puzzle, solution = system.puzzle(request.rule), system.solution()
            try:
                other = another(puzzle, solution, effort)
            except Undecided:
                undecided += 1
                break
            if other is None:
                return Made(puzzle, solution, tried, repaired)
            if not left or not repair(system, other, request, rng):
                break
            repaired += 1
    if not tried:
        raise NothingFound(f"found no board as requested in {fruitless} tries")
    raise NothingFound(
        f"found no puzzle with one solution on {tried} boards"
        + (f", {undecided} of which stayed undecided" if undecided else "")
    )
