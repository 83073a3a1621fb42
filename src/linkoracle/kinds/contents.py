"""What a puzzle contains, for writers, drawings and generators: empty cells and annotations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from linkoracle.core import FormatError, PuzzleError
from linkoracle.kinds.puzzle import Look, Puzzle


def empty_cells(puzzle: Any) -> list[Any]:
    """Return the cells without a clue in reading order, or the faces without one by number.

    >>> from linkoracle import Slitherlink
    >>> empty_cells(Slitherlink([[3, None], [None, 2]]))
    [(0, 1), (1, 0)]
    """
    every = zip(puzzle.faces.face_names, puzzle.clues, strict=True)
    return [cell for cell, clue in every if clue is None]


def annotation_names(puzzle: Puzzle, *, optional: bool = False) -> Iterator[str]:
    """Yield the names in messages of the annotations that are not empty.

    With ``optional``, yield only those that no variant needs.

    >>> from linkoracle import Slitherlink
    >>> puzzle = Slitherlink.blank(2, 2, ends=((0, 0), (2, 2)))
    >>> list(annotation_names(puzzle)), list(annotation_names(puzzle, optional=True))
    (['ends'], [])
    """
    for name, listed in puzzle.annotations.items():
        if getattr(puzzle, name) and not (optional and listed.required):
            yield listed.what


def refuse(puzzle: Puzzle, where: str) -> None:
    """Raise `FormatError` for a puzzle with annotations, which ``where`` cannot express.

    >>> from linkoracle import SimpleLoop
    >>> refuse(SimpleLoop([[None, None]], given=[((0, 0), (0, 1))]), "a pzpr URL")
    Traceback (most recent call last):
        ...
    linkoracle.core.errors.FormatError: a pzpr URL has no place for given lines
    """
    for what in annotation_names(puzzle):
        raise FormatError(f"{where} has no place for {what}")


def require_no_annotations(puzzle: Puzzle, requested: str) -> None:
    """Raise `PuzzleError` for a puzzle with annotations that its variant does not need.

    >>> from linkoracle import Slitherlink
    >>> require_no_annotations(Slitherlink([[3]], holes=[(0, 0)]), "masks")
    Traceback (most recent call last):
        ...
    linkoracle.core.errors.PuzzleError: masks are for boards without holes
    """
    for what in annotation_names(puzzle, optional=True):
        raise PuzzleError(f"{requested} are for boards without {what}")


def edges_shown(puzzle: Puzzle, look: Look) -> list[int]:
    """Return the edges that a puzzle shows with this look.

    >>> from linkoracle import SimpleLoop
    >>> edges_shown(SimpleLoop([[None, None]], given=[((0, 0), (0, 1))]), "given")
    [0]
    """
    edge = puzzle.board.edge
    return [edge(one.place, one.to) for one in puzzle.figures() if one.look == look and one.to]
