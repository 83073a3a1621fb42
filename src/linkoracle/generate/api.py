"""The public functions that make puzzles: one for each request, and `make` for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from linkoracle.board import Board
from linkoracle.core import Option, Progress, check_names, options_of
from linkoracle.generate.attempts import Made, Make, Preview, different, single
from linkoracle.generate.clues.maker import MadeSlitherlink, make_slitherlink
from linkoracle.generate.clues.request import SlitherlinkRequest
from linkoracle.generate.loops.kinds import (
    NO_WORD,
    PuzzleRequest,
    chooses_places,
    designs,
    face_maker_of,
    make_puzzle,
)
from linkoracle.generate.paths.maker import make_numberlink
from linkoracle.generate.paths.request import NumberlinkRequest
from linkoracle.generate.request import (
    Graded,
    board_labels,
    is_made,
    label_spans,
    makers,
)
from linkoracle.kinds import (
    KINDS,
    CellPath,
    Puzzle,
    alternatives,
    kind_named,
    require_no_annotations,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

#: The kinds with a request of their own.
REQUESTS: dict[str, type[Any]] = {
    "slitherlink": SlitherlinkRequest,
    "numberlink": NumberlinkRequest,
}
#: What makes a puzzle of each request.
_MAKERS: dict[type[Any], Any] = {
    SlitherlinkRequest: make_slitherlink,
    NumberlinkRequest: make_numberlink,
    PuzzleRequest: make_puzzle,
}

Request = TypeVar("Request", bound=Graded)


def puzzle(
    kind: str | PuzzleRequest,
    rows: int | Board | None = None,
    cols: int | None = None,
    *,
    seed: int | None = None,
    index: int = 0,
    timeout: float | None = None,
    progress: Progress | None = None,
    preview: Preview | None = None,
    **options: Any,
) -> Made:
    """Make a puzzle of a kind, of ``rows`` x ``cols`` cells, that provably has one solution.

    The cells of a Simple Loop may be the faces of a board given instead of ``rows``. ``options``
    are the other fields of `PuzzleRequest`; or pass a request instead of kind, size and options. A
    pure function of the request, ``seed`` and ``index``, which numbers the puzzles of one seed. In
    all generators, the seed ``None`` draws a fresh one, which is in the result. ``progress`` is
    called for each board that the oracle decides. ``preview`` is called several times a second with
    the board in progress and its target solution.

    All generators check each puzzle at last: a fresh engine decides it from the clues alone, and
    the rules of its kind check its solution.

    Raises `NothingFound`, `SearchTimeout` after ``timeout`` seconds, `CheckFailed` for a puzzle of
    a wrong kind or generator, and ``ValueError`` for a kind that is not in `makers` or a size that
    it does not support.

    >>> made = puzzle("simpleloop", 6, 6, seed=1)
    >>> from linkoracle import is_unique
    >>> is_unique(made.puzzle), made.puzzle.number_of_clues
    (True, 6)
    """
    request = _puzzle_request(kind, rows, cols, options)
    return single(_maker(request), seed, index, timeout, progress, preview)


def puzzles(
    kind: str | PuzzleRequest,
    rows: int | Board | None = None,
    cols: int | None = None,
    *,
    seed: int | None = None,
    start: int = 0,
    limit: int | None = None,
    timeout: float | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    preview: Preview | None = None,
    **options: Any,
) -> Iterator[Made]:
    """Yield puzzles as `puzzle` makes them, no board twice, from index ``start`` on.

    Checks arguments at once. Ends after ``limit`` puzzles, if given. Raises `NothingFound` if a
    small board has no more puzzles, and `SearchTimeout` after ``timeout`` seconds without a new
    puzzle. An ``executor`` makes several puzzles at a time. The puzzles and their order stay the
    same, but ``preview`` is not called.

    >>> [made.puzzle.number_of_clues for made in puzzles("simpleloop", 4, 4, seed=0, limit=2)]
    [2, 2]
    """
    request = _puzzle_request(kind, rows, cols, options)
    return different(_maker(request), seed, start, limit, timeout, executor, progress, preview)


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
    (15, 13)
    >>> from linkoracle import boards
    >>> slitherlink(boards.honeycomb(5, 5), seed=1).puzzle.size
    'honeycomb 5 5'
    """
    request = _request(SlitherlinkRequest, rows, cols, options)
    return single(partial(make_slitherlink, request), seed, index, timeout, progress, preview)


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
    made = partial(make_slitherlink, _request(SlitherlinkRequest, rows, cols, options))
    return different(made, seed, start, limit, timeout, executor, progress)


def numberlink(
    rows: int | Board | NumberlinkRequest,
    cols: int | None = None,
    *,
    seed: int | None = None,
    index: int = 0,
    timeout: float | None = None,
    progress: Progress | None = None,
    preview: Preview | None = None,
    **options: Any,
) -> Made:
    """Make a Numberlink of ``rows`` x ``cols`` cells that provably has one solution.

    Pass a board instead of ``rows`` to use its faces as cells. The solution uses every cell, in any
    variant. ``options`` are the other fields of `NumberlinkRequest`; or pass a request instead of
    ``rows``. For the other arguments see `puzzle`. ``progress`` is called for each board made, as
    requested or not.

    Raises `NothingFound`, `SearchTimeout` after ``timeout`` seconds, and ``ValueError`` for
    requests that no board can satisfy.

    >>> made = numberlink(6, 6, seed=1)
    >>> from linkoracle import is_unique
    >>> is_unique(made.puzzle), len(made.puzzle.pairs())
    (True, 6)
    """
    request = _request(NumberlinkRequest, rows, cols, options)
    return single(partial(make_numberlink, request), seed, index, timeout, progress, preview)


def numberlinks(
    rows: int | Board | NumberlinkRequest,
    cols: int | None = None,
    *,
    seed: int | None = None,
    start: int = 0,
    limit: int | None = None,
    timeout: float | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Iterator[Made]:
    """Yield puzzles as `numberlink` makes them, no board twice, from index ``start`` on.

    For the other arguments see `puzzles`.

    >>> from itertools import islice
    >>> boards = {made.puzzle for made in islice(numberlinks(5, 5, seed=1), 4)}
    >>> len(boards)
    4
    """
    request = _request(NumberlinkRequest, rows, cols, options)
    made = partial(make_numberlink, request)
    return different(made, seed, start, limit, timeout, executor, progress)


def make(
    request: Graded,
    *,
    seed: int | None = None,
    index: int = 0,
    timeout: float | None = None,
    progress: Progress | None = None,
    preview: Preview | None = None,
) -> Made:
    """Make one puzzle of a request; the other arguments are as in `puzzle`.

    >>> make(request_for("simpleloop", 6, 6), seed=1).puzzle.number_of_clues
    6
    """
    return single(_maker(request), seed, index, timeout, progress, preview)


def make_all(
    request: Graded,
    *,
    seed: int | None = None,
    start: int = 0,
    limit: int | None = None,
    timeout: float | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    preview: Preview | None = None,
) -> Iterator[Made]:
    """Yield puzzles of a request, no board twice; the other arguments are as in `puzzles`.

    >>> len([*make_all(request_for("simpleloop", 4, 4), seed=1, limit=2)])
    2
    """
    return different(_maker(request), seed, start, limit, timeout, executor, progress, preview)


def _maker(request: Graded) -> Make[Made]:
    return partial(_MAKERS[type(request)], request)


def _request(
    kind: type[Request], rows: Any, cols: int | None, options: Mapping[str, Any]
) -> Request:
    """Return the request given instead of the rows, or a new one with a size and options."""
    if not isinstance(rows, kind):
        check_names(options, [one.name for one in fields(kind)])
    if isinstance(rows, Board) and all(rows.shape):
        rows, cols = rows.shape
    if isinstance(rows, Board):
        return kind(cols=cols, board=rows, **options)  # type: ignore[call-arg]
    if not isinstance(rows, kind):
        return kind(rows=rows, cols=cols, **options)  # type: ignore[call-arg]
    if cols is not None or options:
        raise ValueError("expected a request, or a size and options, got both")
    return rows


def _puzzle_request(
    kind: str | PuzzleRequest, rows: Any, cols: Any, options: Mapping[str, Any]
) -> Graded:
    if isinstance(kind, str) and kind in REQUESTS:
        found: Graded = _request(REQUESTS[kind], rows, cols, options)
        return found
    if isinstance(kind, str):
        return _request(PuzzleRequest, rows, cols, {"kind": kind, **options})
    if options or (rows, cols) != (None, None):
        raise ValueError("expected a request, or a kind, a size and options, got both")
    return kind


def made_kinds() -> list[str]:
    """Return the kinds that can be made."""
    return [*REQUESTS, *makers()]


def made_on_boards(kind: str) -> bool:
    """Return whether puzzles of a kind are made on boards that are not square."""
    return kind in REQUESTS or face_maker_of(kind_named(kind)) is not None


def options_for(kind: str, *, on_board: bool = False) -> dict[str, Option]:
    """Return the options of the request for a kind, by their names.

    With ``on_board``, return the options on boards that are not square.
    """
    if on_board:
        request = REQUESTS.get(kind, PuzzleRequest)
        every = options_of(request)
        every["difficulty"] = replace(every["difficulty"], offered=board_labels(kind))
        return {name: one for name, one in every.items() if name not in request.needing_rows}
    found = options_of(REQUESTS.get(kind, PuzzleRequest))
    labels = [*label_spans(kind)]
    text = f"Puzzles of this difficulty (see `linkoracle grade`), or a range: {', '.join(labels)}."
    found["difficulty"] = replace(found["difficulty"], help=text, offered=labels)
    if kind not in REQUESTS:
        made = kind_named(kind)
        marks = ["mask", "unmarked", "extra_clues"]
        if not designs(made):
            unknown = [*marks, "loop", *["board"] * (face_maker_of(made) is None)]
        else:
            # Cells of a path, and of kinds without clues, cannot be marked.
            unknown = marks * (issubclass(made, CellPath) or made.words == NO_WORD)
        for name in unknown:
            del found[name]
        if not chooses_places(made):
            del found["symmetry"]
        # A kind's own generator leaves no redundant clue.
        if made.maker is not None:
            del found["minimal"]
    return found


def request_for(
    kind: str, rows: int | None = None, cols: int | None = None, **options: Any
) -> Graded:
    """Return the request for a puzzle of a kind and a size. A mask has a size, too.

    Instead of the size, ``board`` is a board that is not square. Raises ``ValueError`` for a kind
    that cannot be made, and for contradictory options.

    >>> request_for("numberlink", 6, 6, pairs=5).pairs, request_for("simpleloop", 6, 6).kind
    (5, 'simpleloop')
    """
    if kind not in REQUESTS and not is_made(kind):
        known = alternatives(made_kinds())
        raise ValueError(f"expected a kind that can be made, {known}, got {kind!r}")
    request: type[Any] = REQUESTS.get(kind, PuzzleRequest)
    if request is PuzzleRequest:
        options["kind"] = kind
    found: Graded = request(rows=rows, cols=cols, **options)
    return found


def request_on(puzzle: Puzzle, **options: Any) -> Graded:
    """Return the request for a puzzle that keeps the clues and lines of a board.

    Puzzles of rows and columns keep all of these; a Numberlink keeps only the cells with numbers.
    On boards that are not square, all clues are new. Raises `PuzzleError` for given or forbidden
    lines on these boards, and on Numberlinks.

    >>> from linkoracle import Numberlink, Slitherlink
    >>> request_on(Slitherlink([[3, None]])).digits
    {(0, 0): 3}
    >>> sorted(request_on(Numberlink([[1, None, 1]])).must)
    [(0, 0), (0, 2)]
    """
    # Generators complete only puzzles of rows and columns.
    if puzzle.tiling is not None:
        require_no_annotations(puzzle, "puzzles made on such tilings")
        return request_for(puzzle.kind, board=puzzle.tiling, **options)
    known = {one.name for one in fields(REQUESTS.get(puzzle.kind, PuzzleRequest))}
    if "digits" in known or designs(KINDS[puzzle.kind]):
        options["board"] = puzzle
    else:
        require_no_annotations(puzzle, f"masks of {puzzle.title}s")
    if "variant" in known:
        options["must"] = [*options.get("must", ()), *(cell for cell, _ in puzzle.clue_cells())]
        options["variant"] = puzzle.variant
    return request_for(puzzle.kind, puzzle.rows, puzzle.cols, **options)
