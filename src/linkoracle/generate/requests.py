"""The request class of each kind, and the generators for each class."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import fields, replace
from typing import Any

from linkoracle.core.arguments import LABELS, Option, options_of
from linkoracle.generate.kind_makers import (
    chooses_places,
    has_face_maker,
    is_made,
    makers,
)
from linkoracle.generate.making import Made
from linkoracle.generate.numberlink_maker import numberlink, numberlinks
from linkoracle.generate.numberlink_request import NEEDING_ROWS, NumberlinkRequest
from linkoracle.generate.puzzle_maker import PuzzleRequest, puzzle, puzzles
from linkoracle.generate.request_parts import Graded
from linkoracle.generate.slitherlink_maker import slitherlink, slitherlinks
from linkoracle.generate.slitherlink_request import NEEDING_ROWS as SLITHERLINK_NEEDING_ROWS
from linkoracle.generate.slitherlink_request import SlitherlinkRequest
from linkoracle.kinds import Puzzle, alternatives, kind_named
from linkoracle.kinds.contents import require_no_annotations

#: The kinds with a request of their own.
REQUESTS: dict[str, type[Any]] = {
    "slitherlink": SlitherlinkRequest,
    "numberlink": NumberlinkRequest,
}
#: The options of requests that need rows and columns.
_OF_ROWS: dict[type[Any], Collection[str]] = {
    SlitherlinkRequest: SLITHERLINK_NEEDING_ROWS,
    NumberlinkRequest: NEEDING_ROWS,
    PuzzleRequest: ("minimal", "symmetry"),
}
_MAKERS: dict[type[Any], tuple[Callable[..., Made], Callable[..., Iterator[Made]]]] = {
    SlitherlinkRequest: (slitherlink, slitherlinks),
    NumberlinkRequest: (numberlink, numberlinks),
    PuzzleRequest: (puzzle, puzzles),
}


def made_kinds() -> list[str]:
    """Return the kinds that can be made."""
    return [*REQUESTS, *makers()]


#: The labels that are offered on boards that are not square: generators reach them on all tilings
#: in their usual sizes. Others may be requested.
_OFFERED = {"slitherlink": LABELS[:5], "numberlink": LABELS[1:2], "simpleloop": LABELS[:2]}


def made_on_boards(kind: str) -> bool:
    """Return whether puzzles of a kind are made on boards that are not square."""
    return kind in REQUESTS or has_face_maker(kind_named(kind))


def options_for(kind: str, *, on_board: bool = False) -> dict[str, Option]:
    """Return the options of the request for a kind, by their names.

    With ``on_board``, return the options on boards that are not square.
    """
    if on_board:
        request = REQUESTS.get(kind, PuzzleRequest)
        every = options_of(request)
        reached = _OFFERED.get(kind, LABELS[:-1])
        every["difficulty"] = replace(every["difficulty"], offered=reached)
        return {name: one for name, one in every.items() if name not in _OF_ROWS[request]}
    found = options_of(REQUESTS.get(kind, PuzzleRequest))
    labels = [*kind_named(kind).difficulties]
    text = f"Puzzles of this difficulty (see `linkoracle grade`), or a range: {', '.join(labels)}."
    found["difficulty"] = replace(found["difficulty"], help=text, offered=labels)
    if kind not in REQUESTS:
        made = kind_named(kind)
        if not has_face_maker(made):
            del found["board"]
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

    A Slitherlink of rows and columns keeps all of these; a Numberlink keeps only the cells with
    numbers. On boards that are not square, all clues are new. Raises `PuzzleError` for given or
    forbidden lines on these boards, and on boards of other kinds.

    >>> from linkoracle import Numberlink, Slitherlink
    >>> request_on(Slitherlink([[3, None]])).digits
    {(0, 0): 3}
    >>> sorted(request_on(Numberlink([[1, None, 1]])).must)
    [(0, 0), (0, 2)]
    """
    if puzzle.tiling is not None:
        require_no_annotations(puzzle, "puzzles made on such tilings")
        return request_for(puzzle.kind, board=puzzle.tiling, **options)
    known = {one.name for one in fields(REQUESTS.get(puzzle.kind, PuzzleRequest))}
    if "digits" in known:
        options["board"] = puzzle
    else:
        require_no_annotations(puzzle, f"masks of {puzzle.title}s")
    if "variant" in known:
        options["must"] = [*options.get("must", ()), *(cell for cell, _ in puzzle.clue_cells())]
        options["variant"] = puzzle.variant
    return request_for(puzzle.kind, puzzle.rows, puzzle.cols, **options)


def make(request: Graded, **how: Any) -> Made:
    """Make one puzzle; ``how`` are the arguments of `puzzle` other than those of the request.

    >>> make(request_for("simpleloop", 6, 6), seed=1).puzzle.number_of_clues
    6
    """
    return _MAKERS[type(request)][0](request, **how)


def make_all(request: Graded, **how: Any) -> Iterator[Made]:
    """Yield puzzles, no board twice; ``how`` are the arguments of `puzzles`.

    >>> len([*make_all(request_for("simpleloop", 4, 4), seed=1, limit=2)])
    2
    """
    return _MAKERS[type(request)][1](request, **how)
