"""`FixedPuzzle`: what kinds share whose lines may be given or forbidden.

A designer draws lines that every solution has (`given`) and crosses where none has a line
(`forbidden`). Both are edges, as pairs of neighbouring vertices: dots, or cells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar

from linkoracle.board.model import LinkModel
from linkoracle.core.errors import PuzzleError
from linkoracle.core.limits import checked_int
from linkoracle.kinds.grid import GridPuzzle
from linkoracle.kinds.puzzle import Cell, Edges, Listed, Rows

if TYPE_CHECKING:
    from linkoracle.kinds.lines import Lines

#: The lists of edges that a puzzle has which is a `FixedPuzzle`.
FIXED = {
    "given": Listed(
        "given lines", "given", edges=True, instruction="Lines that are drawn already stay."
    ),
    "forbidden": Listed(
        "forbidden lines", "cross", edges=True, instruction="No line runs where there is a cross."
    ),
}


def vertex_of(place: Any) -> Cell:
    """A dot or a cell of two whole numbers; ``TypeError`` or ``ValueError`` otherwise."""
    row, col = (checked_int(part, "a place") for part in place)
    return row, col


def listed_items(listed: Listed, found: Iterable[Any]) -> list[Any]:
    """Return the listed values; raise `PuzzleError` for anything but a list."""
    try:
        if isinstance(found, str):
            raise TypeError
        return list(found)
    except TypeError:
        raise PuzzleError(f"expected {listed.what} as a list, found {found!r}") from None


def format_place(place: Any) -> str:
    """Return a vertex or an edge as files write it; anything else as Python does.

    >>> format_place((0, 1)), format_place(((0, 1), (0, 2))), format_place("x")
    ('0,1', '0,1-0,2', "'x'")
    """
    try:
        if isinstance(place[0], int):
            return "{},{}".format(*vertex_of(place))
        return "-".join(format_place(vertex_of(one)) for one in place)
    except (TypeError, ValueError, LookupError):
        return repr(place)


@dataclass(frozen=True)
class FixedPuzzle(GridPuzzle):
    """What kinds share whose lines may be ``given`` or ``forbidden``; kept in reading order.

    Raises `PuzzleError` for a pair that is not two neighbours, for an edge listed twice, and
    for one that is both given and forbidden.
    """

    given: Edges = field(default=(), kw_only=True)
    forbidden: Edges = field(default=(), kw_only=True)

    points: ClassVar = FIXED

    if TYPE_CHECKING:

        def __init__(
            self, grid: Rows, *, given: Iterable[Any] = (), forbidden: Iterable[Any] = ()
        ) -> None: ...

    def _check_points(self) -> None:
        for name in FIXED:
            object.__setattr__(self, name, self._checked_edges(name, getattr(self, name)))
        if self.given and self.forbidden:
            lines = set(self.given)
            for place, edge in enumerate(self.forbidden):
                if edge in lines:
                    reason = (
                        f"expected the line {format_place(edge)} given or forbidden, found it both"
                    )
                    raise PuzzleError(reason, listed=("forbidden", place))

    def __repr__(self) -> str:
        # Only few puzzles have these; others do not list them.
        shown = [
            f"{one.name}={value!r}"
            for one in sorted(fields(self), key=lambda one: bool(one.kw_only))
            if (value := getattr(self, one.name)) or not one.kw_only
        ]
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def _checked_edges(self, name: str, found: Iterable[Any]) -> Edges:
        lattice, edges = self.lattice, set()
        for place, pair in enumerate(listed_items(self.points[name], found)):
            try:
                one, other = sorted(map(vertex_of, pair))
                lattice.edge(one, other)
            except (TypeError, ValueError):
                what = "cells" if self.through_cells else "dots"
                reason = (
                    f"expected {self.points[name].what} between neighbours of the "
                    f"{lattice.rows}x{lattice.cols} {what}, found {format_place(pair)}"
                )
                raise PuzzleError(reason, listed=(name, place)) from None
            if (one, other) in edges:
                reason = f"expected the line {format_place((one, other))} once, found it twice"
                raise PuzzleError(reason, listed=(name, place))
            edges.add((one, other))
        return tuple(sorted(edges))

    def _check_avoids(self, holes: Collection[Cell]) -> None:
        """`PuzzleError` for a given line that has a hole for an end."""
        for place, ends in enumerate(self.given if holes else ()):
            if any(end in holes for end in ends):
                reason = f"expected given lines that avoid holes, found {format_place(ends)}"
                raise PuzzleError(reason, listed=("given", place))

    def with_fixed(self, model: LinkModel) -> LinkModel:
        """A model of the other rules of this puzzle, with its lines given and forbidden."""
        edge = model.lattice.edge
        return model.with_edges(
            [edge(*ends) for ends in self.given], [edge(*ends) for ends in self.forbidden]
        )

    def fixed_faults(self, lines: Lines) -> Iterator[str]:
        """The given lines that are missing, and the forbidden ones that are drawn."""
        for ends in self.given:
            if not lines.has_edge(*ends):
                yield f"the line {format_place(ends)} is given, and is missing"
        for ends in self.forbidden:
            if lines.has_edge(*ends):
                yield f"the line {format_place(ends)} is forbidden, and is drawn"
