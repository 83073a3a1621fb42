"""`GridPuzzle` and `FixedPuzzle`: what kinds on a grid of cells share.

On a `FixedPuzzle` a designer draws lines that every solution has (`given`) and crosses where none
has a line (`forbidden`). Both are edges, as pairs of neighbouring vertices: dots, or cells.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast

from linkoracle import core
from linkoracle.board.lattice import Lattice
from linkoracle.board.model import LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.errors import PuzzleError
from linkoracle.core.limits import checked_int
from linkoracle.kinds.puzzle import (
    Cell,
    ClueChanges,
    Edges,
    Example,
    Figure,
    Grid,
    Listed,
    Maker,
    Puzzle,
    Rows,
)

if TYPE_CHECKING:
    import networkx as nx

    from linkoracle.kinds.codings import Pzpr

#: How text has a cell without a clue.
EMPTY = (".", "-")

#: Puzzles of one size share a board, and so all that is laid out for it once.
_lattice = lru_cache(maxsize=32)(Lattice)

#: The lists of edges that a puzzle has which is a `FixedPuzzle`.
FIXED = {
    "given": Listed("given lines", "given", edges=True, told="Lines that are drawn already stay."),
    "forbidden": Listed(
        "forbidden lines", "cross", edges=True, told="No line runs where there is a cross."
    ),
}


def clue_texts(symbols: Mapping[int, str]) -> dict[str, int | None]:
    """Return what text may have in a cell besides digits, and the clue that it stands for.

    >>> clue_texts({0: "*"})
    {'*': 0, '.': None, '-': None}
    """
    clues: dict[str, int | None] = {symbol: clue for clue, symbol in symbols.items()}
    return clues | dict.fromkeys(EMPTY)


def vertex_of(place: Any) -> Cell:
    """A dot or a cell of two whole numbers; ``TypeError`` or ``ValueError`` for what is none."""
    row, col = (checked_int(part, "a place") for part in place)
    return row, col


def listed_items(listed: Listed, found: Iterable[Any]) -> list[Any]:
    """What somebody lists; `PuzzleError` for what is no list."""
    try:
        if isinstance(found, str):
            raise TypeError
        return list(found)
    except TypeError:
        raise PuzzleError(f"expected {listed.what} as a list, found {found!r}") from None


def told(place: Any) -> str:
    """A vertex or an edge as files write it; anything else as Python does.

    >>> told((0, 1)), told(((0, 1), (0, 2))), told("x")
    ('0,1', '0,1-0,2', "'x'")
    """
    try:
        if isinstance(place[0], int):
            return "{},{}".format(*vertex_of(place))
        return "-".join(told(vertex_of(one)) for one in place)
    except (TypeError, ValueError, LookupError):
        return repr(place)


@dataclass(frozen=True)
class GridPuzzle(Puzzle):
    """What kinds on a grid of cells share; a kind adds its rules, its model and its check.

    ``grid`` has rows of numbers and ``None``. A row may be text as in files: ``"3.2"``, or
    ``"10 . 2"`` with spaces. ``print(puzzle)`` shows the board. Raises `PuzzleError` for ragged
    rows, or anything in a cell that is no number of this kind.
    """

    grid: Grid

    instructions: ClassVar[Mapping[str, str]] = {}
    examples: ClassVar[Mapping[str, Example]] = {}
    through_cells = False
    unit = "clues"
    symbols: ClassVar[Mapping[int, str]] = {}
    letters = False
    points: ClassVar[Mapping[str, Listed]] = {}
    pzpr: ClassVar[Pzpr | None] = None
    formats: ClassVar[tuple[str, ...]] = ()
    maker: ClassVar[Maker | None] = None

    #: What may stand in a cell, in words, and the least and the greatest such number.
    clue: ClassVar[str] = "a whole number"
    least: ClassVar[int] = 0
    most: ClassVar[int | None] = None

    if TYPE_CHECKING:

        def __init__(self, grid: Rows) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "grid", self._checked_grid(self.grid))
        # What nobody gave is the default, and needs no check.
        if any(getattr(self, name) is not getattr(type(self), name) for name in self.points):
            self._check_points()

    def _check_points(self) -> None:
        """`PuzzleError` for something wrong in the lists beside the grid, if there is any."""

    def _checked_grid(self, rows: Iterable[Iterable[object]]) -> Grid:
        """Rows frozen; whole numbers of other types, such as NumPy's, become ``int``."""
        if isinstance(rows, str):
            raise PuzzleError(f"expected rows of cells, found {rows!r}")
        try:
            grid = tuple(
                self._cells_of(row) if isinstance(row, str) else tuple(row) for row in rows
            )
        except TypeError:
            raise PuzzleError(f"expected rows of cells, found {rows!r}") from None
        if not grid or not grid[0]:
            raise PuzzleError("a puzzle needs at least one cell")
        for place, row in enumerate(grid):
            if len(row) != len(grid[0]):
                raise PuzzleError(
                    f"expected {len(grid[0])} cells in row {place + 1}, as in row 1, "
                    f"found {len(row)}",
                    (place, min(len(row), len(grid[0])) - 1 if row else 0),
                )
        least, most = self.least, inf if self.most is None else self.most
        if all(
            cell is None or (type(cell) is int and least <= cell <= most)
            for row in grid
            for cell in row
        ):
            return cast("Grid", grid)
        return tuple(
            tuple(None if cell is None else self._checked(cell, (row, col)) for col, cell in line)
            for row, line in enumerate(map(enumerate, grid))
        )

    @classmethod
    def _cells_of(cls, row: str) -> tuple[object, ...]:
        """The cells of a row of text: characters, or words if it has spaces inside."""
        words, known = row.split(), clue_texts(cls.symbols)
        return tuple(
            int(cell) if re.fullmatch("[0-9]{1,18}", cell) else known.get(cell, cell)
            for cell in (words if len(words) > 1 else row.strip())
        )

    def _checked(self, clue: object, cell: Cell) -> int:
        try:
            return checked_int(clue, self.clue, self.least, self.most)
        except ValueError:
            raise PuzzleError(f"expected {self.clue}, found {clue!r}", cell) from None

    @property
    def model(self) -> LinkModel:
        """What the engines solve; every kind says it."""
        raise NotImplementedError

    @classmethod
    def from_solution(cls, solution: Solution) -> Self:
        """The puzzle that tells all about this solution; every kind says how."""
        raise NotImplementedError

    def faults(self, lines: nx.Graph[Any]) -> Iterator[str]:
        """The rules that lines between positions break; every kind checks its own."""
        raise NotImplementedError

    @classmethod
    def _empty(cls, rows: int, cols: int) -> Grid:
        try:
            rows, cols = checked_int(rows, "rows", 1), checked_int(cols, "columns", 1)
        except ValueError as error:
            raise PuzzleError(str(error)) from None
        return ((None,) * cols,) * rows

    @classmethod
    def blank(cls, rows: int, cols: int) -> Self:
        """A board without clues."""
        return cls(cls._empty(rows, cols))

    @classmethod
    def from_grid(cls, grid: Rows, rule: str | None = None, **points: Any) -> Self:
        made = cls(grid, **points)
        return made if rule is None else made.with_rule(rule)

    @property
    def rows(self) -> int:
        return len(self.grid)

    @property
    def cols(self) -> int:
        return len(self.grid[0])

    @property
    def rule(self) -> str:
        """The rule: here, the only one."""
        return next(iter(self.rules))

    @property
    def lattice(self) -> Lattice:
        """The cells as vertices, or the dots around them."""
        dots = 0 if self.through_cells else 1
        return _lattice(self.rows + dots, self.cols + dots)

    def clue_cells(self) -> Iterator[tuple[Cell, int]]:
        """The clues as ``((row, column), clue)``, in reading order."""
        for row, cells in enumerate(self.grid):
            for col, clue in enumerate(cells):
                if clue is not None:
                    yield (row, col), clue

    @property
    def number_of_clues(self) -> int:
        return sum(1 for _ in self.clue_cells())

    def with_clues(self, clues: ClueChanges) -> Self:
        """Return the same board with these cells changed; ``None`` takes a clue away.

        ``clues`` is a mapping of cells to clues, or pairs such as ``((0, 1), 3)``. Raises
        `PuzzleError` if a cell is not on the board or a clue is invalid.
        """
        grid = [list(row) for row in self.grid]
        pairs = clues.items() if isinstance(clues, Mapping) else clues
        try:
            changes = [(cell, clue) for cell, clue in pairs]
        except (TypeError, ValueError):
            raise PuzzleError(f"expected pairs of a cell and a clue, found {clues!r}") from None
        for cell, clue in changes:
            try:
                row, col = (checked_int(part, "a place", 0) for part in cell)
                grid[row][col] = clue
            except (IndexError, TypeError, ValueError):
                raise PuzzleError(
                    f"expected a cell of the {self.rows}x{self.cols} board, found {cell!r}"
                ) from None
        return replace(self, grid=tuple(map(tuple, grid)))

    def with_rule(self, rule: str) -> Self:
        if rule != self.rule:
            raise PuzzleError(
                f"expected the rule {rule!r}, found {self.kind} with the rule {self.rule!r}"
            )
        return self

    def rotate(self, quarter_turns: int = 1) -> Self:
        """Turn clockwise by ``quarter_turns`` times 90 degrees."""
        turned = self
        for _ in range(quarter_turns % 4):
            turned = turned._mirrored(tuple(zip(*reversed(turned.grid), strict=True)), -1)
        return turned

    def reflect(self) -> Self:
        """Mirror left to right."""
        return self._mirrored(tuple(row[::-1] for row in self.grid), 1)

    def _mirrored(self, grid: Grid, step: Literal[1, -1]) -> Self:
        """With this grid, and points mirrored left to right, after a swap of axes for step -1."""
        last = len(grid[0]) - self.through_cells
        points = {
            name: self.points[name].mirrored(found, step, last) for name, found in self._points()
        }
        return replace(self, grid=grid, **points)

    def _points(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """The lists beside the grid in which there is something."""
        for name in self.points:
            if found := getattr(self, name):
                yield name, found

    def renumbered(self) -> Self:
        return self

    def figures(self) -> Iterator[Figure]:
        """What to draw beside lines: every clue as it is, and what is listed beside the grid."""
        for cell, clue in self.clue_cells():
            yield Figure("text", cell, self.symbols.get(clue) or str(clue))
        yield from self.listed_figures()

    def listed_figures(self) -> Iterator[Figure]:
        """What to draw of the lists beside the grid."""
        for name, found in self._points():
            yield from self.points[name].figures(found)

    def violations(self, solution: Solution | Iterable[int]) -> list[str]:
        """Return the rules that ``solution``, or edge ids, break, a sentence each. O(cells)."""
        lattice = self.lattice
        solution = Solution.of(lattice, solution)
        if solution.lattice != lattice:
            what = "cells" if self.through_cells else "dots"
            return [f"the solution is not drawn on {lattice.rows}x{lattice.cols} {what}"]
        return list(self.faults(solution.graph()))

    # Drawing is above puzzles, so the package says how.

    def __str__(self) -> str:
        """The board in box-drawing characters, as `linkoracle.draw` shows it."""
        return core.draw_text(self)

    def _repr_svg_(self) -> str:
        # For notebooks.
        return core.draw_svg(self)


@dataclass(frozen=True)
class FixedPuzzle(GridPuzzle):
    """What kinds share whose lines may be ``given`` or ``forbidden``; kept in reading order.

    Raises `PuzzleError` for what is no pair of neighbours, for an edge that is listed twice, and
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
                    reason = f"expected the line {told(edge)} given or forbidden, found it both"
                    raise PuzzleError(reason, listed=("forbidden", place))

    def __repr__(self) -> str:
        # What only few puzzles have is told of these only.
        shown = [
            f"{one.name}={value!r}"
            for one in sorted(fields(self), key=lambda one: bool(one.kw_only))
            if (value := getattr(self, one.name)) or not one.kw_only
        ]
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def _checked_edges(self, name: str, found: Iterable[Any]) -> Edges:
        lattice, edges = self.lattice, set()
        for place, pair in enumerate(listed_items(FIXED[name], found)):
            try:
                one, other = sorted(map(vertex_of, pair))
                lattice.edge(one, other)
            except (TypeError, ValueError):
                what = "cells" if self.through_cells else "dots"
                reason = (
                    f"expected {FIXED[name].what} between neighbours of the "
                    f"{lattice.rows}x{lattice.cols} {what}, found {told(pair)}"
                )
                raise PuzzleError(reason, listed=(name, place)) from None
            if (one, other) in edges:
                reason = f"expected the line {told((one, other))} once, found it twice"
                raise PuzzleError(reason, listed=(name, place))
            edges.add((one, other))
        return tuple(sorted(edges))

    def _check_avoids(self, holes: Collection[Cell]) -> None:
        """`PuzzleError` for a given line that has a hole for an end."""
        for place, ends in enumerate(self.given if holes else ()):
            if any(end in holes for end in ends):
                reason = f"expected given lines that avoid holes, found {told(ends)}"
                raise PuzzleError(reason, listed=("given", place))

    def with_fixed(self, model: LinkModel) -> LinkModel:
        """A model of the other rules of this puzzle, with its lines given and forbidden."""
        edge = model.lattice.edge
        return model.with_edges(
            [edge(*ends) for ends in self.given], [edge(*ends) for ends in self.forbidden]
        )

    def fixed_faults(self, lines: nx.Graph[Any]) -> Iterator[str]:
        """The given lines that are missing, and the forbidden ones that are drawn."""
        for ends in self.given:
            if not lines.has_edge(*ends):
                yield f"the line {told(ends)} is given, and is missing"
        for ends in self.forbidden:
            if lines.has_edge(*ends):
                yield f"the line {told(ends)} is forbidden, and is drawn"
