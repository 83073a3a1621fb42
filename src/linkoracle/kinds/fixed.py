"""`FixedPuzzle`: the base of kinds with given and forbidden lines.

A designer draws lines that every solution has (`given`), and crosses where no solution has a line
(`forbidden`). Both are edges, as pairs of neighbouring vertices: dots, or cells. A vertex is a row
and a column, or a number on boards that are not square.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from linkoracle.board import LinkModel
from linkoracle.core import PuzzleError, checked_int
from linkoracle.kinds.grid import GridPuzzle
from linkoracle.kinds.puzzle import AnnotationList, Cell, Edges, Ends, Rows

if TYPE_CHECKING:
    from linkoracle.kinds.lines import Lines

#: The lists of edges of a `FixedPuzzle`.
FIXED = {
    "given": AnnotationList(
        "given lines", "given", edges=True, instruction="Lines that are drawn already stay."
    ),
    "forbidden": AnnotationList(
        "forbidden lines", "cross", edges=True, instruction="No line runs where there is a cross."
    ),
}


def vertex_of(place: Any) -> Cell:
    """Return a vertex as two whole numbers; raise ``TypeError`` or ``ValueError`` otherwise."""
    row, col = (checked_int(part, "a place") for part in place)
    return row, col


def listed_items(listed: AnnotationList, found: Iterable[Any]) -> list[Any]:
    """Return the listed values; raise `PuzzleError` for anything but a list."""
    try:
        if isinstance(found, str):
            raise TypeError
        return list(found)
    except TypeError:
        raise PuzzleError(f"expected {listed.what} as a list, found {found!r}") from None


def format_place(place: Any) -> str:
    """Return a vertex as files write it; anything else as Python does.

    >>> format_place((0, 1)), format_place(7), format_place("x")
    ('0,1', '7', "'x'")
    """
    try:
        return "{},{}".format(*vertex_of(place))
    except (TypeError, ValueError):
        return repr(place)


def format_edge(ends: Any) -> str:
    """Return an edge as files write it; anything else as Python does.

    >>> format_edge(((0, 1), (0, 2))), format_edge((3, 7)), format_edge(5)
    ('0,1-0,2', '3-7', '5')
    """
    return "-".join(map(format_place, ends)) if isinstance(ends, tuple | list) else repr(ends)


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

    def fixed_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each missing given line and each drawn forbidden line."""
        for ends in self.given:
            if not lines.has_edge(*ends):
                yield f"the line {format_edge(ends)} is given, and is missing"
        for ends in self.forbidden:
            if lines.has_edge(*ends):
                yield f"the line {format_edge(ends)} is forbidden, and is drawn"
