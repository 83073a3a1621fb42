"""What every kind of puzzle is: the protocol `Puzzle`, and what kinds on a grid of cells share.

A kind is a class on a page of its own; `linkoracle.kinds.KINDS` lists them. Whoever needs to
know something about a kind asks the class: readers, writers, drawings, checks, catalogues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, Self, cast

from linkoracle.board.lattice import Lattice, Solution
from linkoracle.board.model import LinkModel
from linkoracle.core.errors import PuzzleError
from linkoracle.core.limits import checked_int

if TYPE_CHECKING:
    import networkx as nx

    from linkoracle.kinds.codings import Pzpr
    from linkoracle.kinds.fixed import Listed

#: A cell as ``(row, column)``, counted from 0.
Cell = tuple[int, int]
#: Two of the dots between cells, or of whatever else the vertices of a kind are.
Ends = tuple[Cell, Cell]
#: Edges, each as its two vertices in reading order.
Edges = tuple[tuple[Cell, Cell], ...]
#: Rows of cells; ``None`` is an empty cell.
Grid = tuple[tuple[int | None, ...], ...]
#: The same as constructors take it.
Rows = Sequence[Sequence[int | None]]
#: Clues to change, by cell; pairs of a cell and a clue do as well. ``None`` is no clue.
ClueChanges = Mapping[Cell, int | None] | Iterable[tuple[Cell, int | None]]
#: What a `Figure` looks like.
Look = Literal["text", "label", "filled", "end", "gap", "given", "cross"]


class Figure(NamedTuple):
    """Something on a board that is no line: what it looks like, where, and its text if it has one.

    ``"text"`` in a cell, a ``"label"`` in a cell at which a line ends, a ``"filled"`` cell; at a
    vertex the ``"end"`` of a line, or a ``"gap"``, where no line passes; and between neighbouring
    vertices, the second of which is ``to``, a ``"given"`` line or a ``"cross"``.
    """

    look: Look
    place: Cell
    text: str = ""
    to: Cell | None = None


@dataclass(frozen=True)
class Example:
    """A small puzzle and its only solution, which booklets show beside the rules.

    ``rows`` are its cells, with a blank after each row: ``.``, a digit or a symbol of the kind.
    ``walks`` are the lines of the solution: where each begins, and its steps up, right, down and
    left. ``points`` are the lists beside the grid.
    """

    rows: str
    walks: tuple[tuple[Cell, str], ...]
    points: Mapping[str, Any] = field(default_factory=dict)

    def of(self, asked: Puzzle) -> tuple[Puzzle, Solution]:
        """The puzzle, of the kind and under the rule of another, and its solution.

        >>> from linkoracle import Numberlink
        >>> asked = Numberlink([[1, 1]], "fill")
        >>> shown, solution = asked.examples["fill"].of(asked)
        >>> shown.rows, shown.rule, len(solution.paths())
        (5, 'fill', 5)
        """
        clues = {symbol: clue for clue, symbol in asked.symbols.items()}
        grid = [
            [None if cell == "." else clues[cell] if cell in clues else int(cell) for cell in row]
            for row in self.rows.split()
        ]
        shown = type(asked).from_grid(grid, asked.rule, **self.points)
        paths = []
        for (row, col), steps in self.walks:
            paths.append([(row, col)])
            for step in steps:
                row += (step == "D") - (step == "U")
                col += (step == "R") - (step == "L")
                paths[-1].append((row, col))
        return shown, Solution.from_paths(shown.lattice, paths)


#: Another solution of a puzzle than the given one; ``None`` is a proof that there is no other.
Another = Callable[[Any, Solution], Solution | None]
#: Makes a puzzle of so many rows and columns and its only solution, or fails with ``None``.
Maker = Callable[[int, int, Random, Another], tuple[Any, Solution] | None]


class Puzzle(Protocol):
    """A puzzle of some kind: immutable, hashable, comparable.

    A class with these members is a kind once it is registered with `linkoracle.kinds.register`.
    `GridPuzzle` has most of them.
    """

    #: The name in files and on the command line, one lower-case word; and in headings.
    kind: ClassVar[str]
    title: ClassVar[str]
    #: The rules by name, the default first, with what headings say of each (nothing of the usual).
    rules: ClassVar[Mapping[str, str]]
    #: What is to be done, told to who solves such a puzzle on paper, by the name of the rule.
    instructions: ClassVar[Mapping[str, str]]
    #: An example for each rule, or for some.
    examples: ClassVar[Mapping[str, Example]]
    #: Whether lines run through cells, the vertices; else along their sides, between dots.
    through_cells: ClassVar[bool]
    #: What `number_of_clues` counts.
    unit: ClassVar[str]
    #: Symbols for numbers in rows of text; any other number is written in digits.
    symbols: ClassVar[Mapping[int, str]]
    #: Whether numbers are but names, for which dimension formats may use letters.
    letters: ClassVar[bool]
    #: Lists of vertices, or of edges, beside the grid, by the name of attribute and argument.
    points: ClassVar[Mapping[str, Listed]]
    #: How pzpr URLs have it, if they do.
    pzpr: ClassVar[Pzpr | None]
    #: The formats that have no other kind: ``"loopy"``, ``"slk"``.
    formats: ClassVar[tuple[str, ...]]
    #: Makes puzzles with one solution, if there is a way: see `linkoracle.generate.puzzle`.
    maker: ClassVar[Maker | None]

    #: The cells, in rows.
    grid: Grid

    @property
    def rule(self) -> str: ...
    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...
    @property
    def lattice(self) -> Lattice:
        """Where lines are drawn."""

    @property
    def model(self) -> LinkModel:
        """What the engines solve."""

    @property
    def number_of_clues(self) -> int:
        """How many clues there are, in units of ``unit``."""

    @classmethod
    def from_grid(cls, grid: Rows, rule: str | None = None, **points: Any) -> Self:
        """What a file holds: a grid, the rule if it is told, and the lists of ``points`` given."""

    @classmethod
    def from_solution(cls, solution: Solution) -> Self:
        """The puzzle that tells all about this solution."""

    def clue_cells(self) -> Iterator[tuple[Cell, int]]: ...
    def with_clues(self, clues: ClueChanges) -> Self: ...
    def with_rule(self, rule: str) -> Self:
        """The same board under another rule; `PuzzleError` if that would be another board."""

    def rotate(self, quarter_turns: int = 1) -> Self: ...
    def reflect(self) -> Self: ...
    def renumbered(self) -> Self:
        """The same puzzle with the names that numbers have by default, if they are but names."""

    def figures(self) -> Iterator[Figure]: ...
    def violations(self, solution: Solution) -> list[str]: ...


@dataclass(frozen=True)
class GridPuzzle(Puzzle):
    """What kinds on a grid of cells share; a kind adds its rules, its model and its check.

    Raises `PuzzleError` for ragged rows, or anything in a cell that is no number of this kind.
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
            grid = tuple(tuple(row) for row in rows)
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
    def _empty(cls, rows: int, cols: int) -> Rows:
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
        return Lattice(self.rows + dots, self.cols + dots)

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

    def _repr_svg_(self) -> str:
        # For notebooks. Drawing is above puzzles, and is loaded when somebody looks.
        render: Any = import_module("linkoracle.render")
        svg: str = render.svg(render.picture(self))
        return svg


def line_faults(
    lines: nx.Graph[Any], ends: Sequence[Cell] = (), what: str = "dot"
) -> Iterator[str]:
    """Why lines are no single loop, nor a single line between two ``ends`` if these are given."""
    import networkx as nx

    for place in [*ends, *(place for place in lines if place not in ends)]:
        degree = lines.degree(place) if place in lines else 0
        if degree != (1 if place in ends else 2):
            yield f"{degree} lines meet at {what} {place[0]},{place[1]}"
    if not len(lines):
        yield "there is no line at all"
    elif not nx.is_connected(lines):
        yield f"the lines fall into {nx.number_connected_components(lines)} parts"
