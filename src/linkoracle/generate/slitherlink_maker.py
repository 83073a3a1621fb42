"""`slitherlink` and `slitherlinks`: draw a loop, take its clues, reduce them, prove uniqueness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from linkoracle.board.board import Board
from linkoracle.board.lattice import Lattice
from linkoracle.board.solution import Solution
from linkoracle.core.arguments import Progress
from linkoracle.core.errors import NothingFound, SearchTimeout, counted
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import pick, seed_or_fresh, source
from linkoracle.generate.colouring import Ends
from linkoracle.generate.designing import with_few_clues
from linkoracle.generate.drawn_loops import through_all
from linkoracle.generate.hitting import smallest
from linkoracle.generate.loop_repair import LoopSearch, joining
from linkoracle.generate.making import (
    Attempts,
    Made,
    Make,
    Preview,
    Reduced,
    Watching,
    different,
    request_from,
    single,
    with_all_clues,
)
from linkoracle.generate.shapes import SHAPES, SLOW_SHAPES, Shape
from linkoracle.generate.slitherlink_request import (
    MOST_SLITHERLINK_CELLS,
    SlitherlinkRequest,
)
from linkoracle.kinds import Slitherlink

if TYPE_CHECKING:
    from concurrent.futures import Executor

#: The most cells that a message names.
_NAMED = 8


@dataclass(frozen=True)
class MadeSlitherlink(Reduced, Made):
    """A Slitherlink and its only solution; ``extra`` are the cells with clues against a mask."""

    puzzle: Any
    seed: int = 0
    extra: tuple[Any, ...] = ()

    @property
    def remarks(self) -> dict[str, Any]:
        """Return the cells of redundant clues kept despite ``minimal``, and of ``extra`` clues."""
        return {
            # Faces of a board that is not square are numbers.
            name: [[*one] if isinstance(one, tuple) else one for one in cells]
            for name in ("redundant", "extra")
            if (cells := getattr(self, name))
        }


def slitherlink(
    rows: int | SlitherlinkRequest | Board,
    cols: int | None = None,
    *,
    seed: int | None = None,
    index: int = 0,
    timeout: float | None = None,
    progress: Progress | None = None,
    preview: Preview | None = None,
    **options: Any,
) -> MadeSlitherlink:
    """Make a Slitherlink of ``rows`` x ``cols`` cells, or on a board, that has one solution.

    ``options`` are the other fields of `SlitherlinkRequest`; or pass a request instead of ``rows``.
    Instead of ``rows``, any plane `linkoracle.Board` will do.
    For the other arguments see `puzzle`. ``progress`` is called for each loop that is tried.

    Raises `NothingFound`, `SearchTimeout` after ``timeout`` seconds (but the strategy ``"fewest"``
    returns the smallest puzzle found so far, with a lower bound, also after Ctrl-C), `MemoryLimit`
    (the shape ``uniform``), and ``ValueError`` for invalid arguments.

    >>> made = slitherlink(6, 6, seed=1)
    >>> made.puzzle.number_of_clues, slitherlink(6, 6, seed=1, minimal=True).puzzle.number_of_clues
    (17, 13)
    >>> from linkoracle import boards
    >>> slitherlink(boards.honeycomb(5, 5), seed=1).puzzle.size
    'honeycomb 5 5'
    """
    make = _maker(rows, cols, options)
    return single(make, seed, index, timeout, progress, preview)


def loop(
    rows: int | Board,
    cols: int | None = None,
    *,
    shape: Shape = "mix",
    seed: int | None = None,
    ends: Ends | Literal["random"] = None,
    timeout: float | None = None,
    **options: Any,
) -> Solution:
    """Draw a random loop on a board of ``rows`` x ``cols`` cells, or an open path between ``ends``.

    Instead of ``rows``, any plane `linkoracle.Board` with faces is accepted; the shape ``uniform``
    needs a square board. ``shape`` is one of `SHAPES`, and ``options`` are its options, such as
    ``thickness`` for ``expand``. ``ends`` are two dots on the border, by their labels, or
    ``"random"``.

    Time and memory of all shapes but ``uniform`` grow with the number of cells, and 100x100 cells
    take a fraction of a second. Only ``uniform`` draws all loops with equal probability: it draws
    from `linkoracle.diagram`, whose memory grows threefold with each row and column (about 125 MB
    for 12x12 cells).

    The same ``seed`` draws the same loop; with ``None`` each call draws another one. `slitherlink`
    begins with this loop if it has this seed, and may change it to suit its clues.

    Raises ``ValueError`` for an unknown shape or option, for more than 10,000 cells, for a board
    without faces, and for ends on a board that one cycle does not bound; `SearchTimeout` after
    ``timeout`` seconds, `MemoryLimit` (only ``uniform``), and `NothingFound` for a board without a
    loop around a face, and for a length that no loop has.

    >>> from linkoracle import Slitherlink, check_solution
    >>> drawn = loop(20, 20, seed=1)
    >>> check_solution(Slitherlink.blank(20, 20), drawn), drawn == loop(20, 20, seed=1)
    (True, True)
    >>> len(loop(20, 20, shape="expand", thickness=0, seed=1)) > len(drawn)
    True
    >>> import networkx as nx
    >>> from linkoracle import Board
    >>> len(loop(Board.from_graph(nx.hexagonal_lattice_graph(4, 4)), seed=1).paths())
    1
    """
    rng = source(seed_or_fresh(seed), 0)
    if isinstance(rows, Board) and cols is None:
        board = rows
        if board.num_faces > MOST_SLITHERLINK_CELLS:
            most = f"boards of up to {MOST_SLITHERLINK_CELLS} faces"
            raise ValueError(f"loops are made on {most}, got {board!r}")
        # The options of a shape do not depend on the board.
        known: Literal["random"] | None = None if ends is None else "random"
        request = SlitherlinkRequest(2, 2, shape=shape, shape_options=options, ends=known)
    else:
        request = SlitherlinkRequest(rows, cols, shape=shape, shape_options=options, ends=ends)  # type: ignore[arg-type]
        board, ends = Lattice(request.rows + 1, request.cols + 1), request.ends
    return _loop(request, board, _ends(rng, board, ends), rng, Deadline(timeout))


def slitherlinks(
    rows: int | SlitherlinkRequest | Board,
    cols: int | None = None,
    *,
    seed: int | None = None,
    start: int = 0,
    limit: int | None = None,
    timeout: float | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Iterator[MadeSlitherlink]:
    """Yield Slitherlinks as `slitherlink` makes them, no board twice, from index ``start`` on.

    For the other arguments see `puzzles`.

    >>> from itertools import islice
    >>> boards = [made.puzzle for made in islice(slitherlinks(3, 3, seed=1), 20)]
    >>> len(set(boards))
    20
    """
    make = _maker(rows, cols, options)
    return different(make, seed, start, limit, timeout, executor, progress)


def _maker(rows: Any, cols: int | None, options: Mapping[str, Any]) -> Make[MadeSlitherlink]:
    """Return the function that makes the puzzles of a size, a board or a request."""
    if isinstance(rows, Lattice) and rows.num_faces:
        lattice = rows
        rows, cols = lattice.rows - 1, lattice.cols - 1
    return partial(_make, request_from(SlitherlinkRequest, rows, cols, options))


def _make(
    request: SlitherlinkRequest, seed: int, index: int, attempts: Attempts
) -> MadeSlitherlink:
    rng, deadline, watching = source(seed, index), attempts.deadline, attempts.watching
    board = request.tiling or Lattice(request.rows + 1, request.cols + 1)
    search = LoopSearch(request, deadline, watching) if request.is_searched else None
    nearest: MadeSlitherlink | None = None
    attempts.begin(request)
    for tried in range(1, request.most_tries + 1):
        deadline.check()
        attempts.add()
        about = {"tried": tried, "seed": seed, "index": index}
        ends = _ends(rng, board, request.ends)
        blank = request.blank(ends)
        solution = request.loop
        if solution is None:
            solution = _loop(request, board, ends, rng, deadline)
        try:
            _show(solution, blank, watching)
            if search is not None:
                solution = search.improved(rng, solution, ends)
            if request.strategy == "fewest":
                full = with_all_clues(blank, solution)
                found: Reduced = smallest(full, solution, deadline, None, watching=watching)
            elif search is not None and request.strategy == "mask":
                found = search.puzzle(solution, ends)
            else:
                found, solution = with_few_clues(
                    request, solution, blank, ends, rng, deadline, watching
                )
        except SearchTimeout as error:
            nearest = _nearer(request, search, ends, nearest, **about)
            reached = error.reached or attempts.failures
            if nearest is not None:
                reached = ". ".join(filter(None, (reached, _message_on(nearest))))
            elif search is not None:
                reached = reached or search.gaps
            failure: Exception = SearchTimeout(error.seconds, error.found, reached, nearest)
            break
        except NothingFound as error:
            attempts.fail(str(error), search.missed if search is not None else None)
            nearest = _nearer(request, search, ends, nearest, **about)
            if search is not None and search.proof is not None:
                failure = NothingFound(search.proof, nearest=nearest)
                break
            continue
        if found.clues > request.most_clues:
            attempts.fail(f"kept more than {request.most_clues} clues", found.clues)
            continue
        return MadeSlitherlink(solution=solution, **{**vars(found), **about})
    else:
        if search is not None:
            nearest = _joined(request, seed, index, attempts, nearest)
        failure = _failure(request, attempts, nearest)
    if nearest is not None and len(nearest.extra) <= request.most_extra:
        return nearest
    raise failure


def _failure(
    request: SlitherlinkRequest, attempts: Attempts, nearest: MadeSlitherlink | None
) -> NothingFound:
    """Return the error after all attempts have failed."""
    if request.loop is not None:
        advice = f"the given loop led to no puzzle as requested: {attempts.failures}. Change it"
        return NothingFound(f"{advice}, or request less.")
    default = "" if request.tries is not None else ", the default"
    advice = "Try more attempts, another seed or shape, or request less."
    if nearest is not None:
        advice = f"{_message_on(nearest)}, or try more attempts or another seed."
    reason = (
        f"no puzzle as requested in {counted(request.most_tries, 'attempt')}{default}: "
        f"{attempts.failures}."
    )
    return NothingFound(reason, advice, nearest)


def _nearer(
    request: SlitherlinkRequest,
    search: LoopSearch | None,
    ends: Ends,
    nearest: MadeSlitherlink | None,
    **about: int,
) -> MadeSlitherlink | None:
    """Return the puzzle nearer to a mask: ``nearest``, or that of the failed attempt."""
    if search is None or search.left is None or (near := search.nearest(ends)) is None:
        return nearest
    extra = _extra(request, near.puzzle)
    if nearest is not None and len(nearest.extra) <= len(extra):
        return nearest
    return MadeSlitherlink(solution=search.left, extra=extra, **{**vars(near), **about})


def _message_on(nearest: MadeSlitherlink) -> str:
    """Return a message with the extra clues of a nearest puzzle, and the option that allows it."""
    number = len(nearest.extra)
    *some, last = (f"r{row + 1}c{col + 1}" for row, col in nearest.extra[:_NAMED])
    if number > _NAMED:
        some, last = [*some, last], counted(number - _NAMED, "other cell")
    beside = " and ".join(filter(None, (", ".join(some), last)))
    return (
        f"The nearest puzzle found has {counted(number, 'more clue')}, at {beside}: "
        f"set extra_clues to {number}"
    )


def _joined(
    request: SlitherlinkRequest,
    seed: int,
    index: int,
    attempts: Attempts,
    nearest: MadeSlitherlink | None,
) -> MadeSlitherlink | None:
    """Return ``nearest``, or a nearer puzzle with clues that join those that meet at corners."""
    shown = request.faces({*request.must, *request.digits})
    extra = sorted(
        divmod(face, request.cols) for face in joining(shown, request.rows, request.cols)
    )
    if request.strategy != "mask" or not extra:
        return nearest
    if nearest is not None and len(nearest.extra) <= len(extra):
        return nearest
    must, must_not = {*request.must, *extra}, {*request.must_not}.difference(extra)
    drawn: dict[str, Any] = {"mask": None, "pattern": None, "letters": None, "extra_clues": 0}
    joined = replace(request, must=must, must_not=must_not, **drawn)
    try:
        made = _make(joined, seed, index, Attempts(attempts.deadline.left))
        return replace(made, extra=tuple(extra))
    except (NothingFound, SearchTimeout):
        return nearest


def _show(solution: Solution, blank: Slitherlink, watching: Watching) -> None:
    """Show a loop with all its clues."""
    watching.show(lambda: (with_all_clues(blank, solution), solution))


def _extra(request: SlitherlinkRequest, puzzle: Slitherlink) -> tuple[Any, ...]:
    """Return the cells with clues where a mask has none."""
    cells = [cell for cell, _ in puzzle.clue_cells()]
    if request.strategy == "mask":
        return tuple(cell for cell in cells if cell not in request.must)
    return tuple(cell for cell in cells if cell in request.must_not)


def _loop(
    request: SlitherlinkRequest, board: Board, ends: Ends, rng: Random, deadline: Deadline
) -> Solution:
    if request.fill and isinstance(board, Lattice):
        return through_all(rng, board)
    options = dict(request.shape_options)
    if request.shape in SLOW_SHAPES:
        options["timeout"] = deadline.left
    if ends is not None:
        options["ends"] = ends
    try:
        return SHAPES[request.shape](rng, board, **options)
    except SearchTimeout:
        deadline.check()  # whose message has the whole time limit, not the rest
        raise


def _ends(rng: Random, board: Board, ends: Ends | Literal["random"]) -> Ends:
    if ends != "random":
        return ends
    dots = board.border()[0]
    first = pick(rng, dots)
    second = pick(rng, [dot for dot in dots if dot != first])
    one, other = sorted((first, second))
    return board.position(one), board.position(other)
