"""What stands on a board besides clues: for readers of puzzles, and the base of most kinds.

`FixedPuzzle` is the base of kinds with given and forbidden lines. A designer draws lines that every
solution has (`given`), and crosses where no solution has a line (`forbidden`). Both are edges, as
pairs of neighbouring vertices: dots, or cells. A vertex is a row and a column, or a number on
boards that are not square.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from linkoracle.board import LinkModel
from linkoracle.core import FormatError, PuzzleError
from linkoracle.kinds.grid import GridPuzzle
from linkoracle.kinds.puzzle import AnnotationList, Edges, Ends, Look, Puzzle, Rows, format_edge

#: The lists of edges of a `FixedPuzzle`.
FIXED = {
    "given": AnnotationList(
        "given lines", "given", edges=True, instruction="Lines that are drawn already stay."
    ),
    "forbidden": AnnotationList(
        "forbidden lines", "cross", edges=True, instruction="No line runs where there is a cross."
    ),
}


def listed_items(listed: AnnotationList, found: Iterable[Any]) -> list[Any]:
    """Return the listed values; raise `PuzzleError` for anything but a list."""
    try:
        if isinstance(found, str):
            raise TypeError
        return list(found)
    except TypeError:
        raise PuzzleError(f"expected {listed.what} as a list, found {found!r}") from None


@dataclass(frozen=True, repr=False)
class FixedPuzzle(GridPuzzle):
    """Base of kinds whose lines may be ``given`` or ``forbidden``, in reading order.

    Raises `PuzzleError` for a pair that is not two neighbours, for an edge listed twice, and
    for an edge that is both given and forbidden.
    """

    given: Edges = field(default=(), kw_only=True)
    forbidden: Edges = field(default=(), kw_only=True)

    annotations: ClassVar[Mapping[str, AnnotationList]] = FIXED

    if TYPE_CHECKING:

        def __init__(
            self, clues: Rows, *, given: Iterable[Any] = (), forbidden: Iterable[Any] = ()
        ) -> None: ...

    def _check_annotations(self) -> None:
        for name in FIXED:
            object.__setattr__(self, name, self._checked_edges(name, getattr(self, name)))
        if self.given and self.forbidden:
            lines = set(self.given)
            for place, edge in enumerate(self.forbidden):
                if edge in lines:
                    reason = (
                        f"expected the line {format_edge(edge)} given or forbidden, found it both"
                    )
                    raise PuzzleError(reason, listed=("forbidden", place))

    def _checked_edges(self, name: str, found: Iterable[Any]) -> Edges:
        edges = set()
        for place, pair in enumerate(listed_items(self.annotations[name], found)):
            try:
                vertices = sorted(map(self.board.vertex_of, pair))
                self.board.edge(*map(self.board.position, vertices))
                one, other = map(self.board.vertex_name, vertices)
            except (TypeError, ValueError):
                reason = (
                    f"expected {self.annotations[name].what} between neighbours of the "
                    f"{self._vertices}, found {format_edge(pair)}"
                )
                raise PuzzleError(reason, listed=(name, place)) from None
            if (one, other) in edges:
                reason = f"expected the line {format_edge((one, other))} once, found it twice"
                raise PuzzleError(reason, listed=(name, place))
            edges.add((one, other))
        return tuple(sorted(edges))

    def _check_avoids(self, holes: Collection[Any]) -> None:
        """Raise `PuzzleError` for a given line that ends at a hole."""
        for place, ends in enumerate(self.given if holes else ()):
            if any(end in holes for end in ends):
                reason = f"expected given lines that avoid holes, found {format_edge(ends)}"
                raise PuzzleError(reason, listed=("given", place))

    def with_fixed(self, model: LinkModel) -> LinkModel:
        """Return ``model`` with the given and forbidden lines of this puzzle added."""
        return model.with_edges(*(map(self._edge, lines) for lines in (self.given, self.forbidden)))

    def _edge(self, ends: Ends) -> int:
        return self.board.edge(*map(self._label, ends))


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
