"""`GridPuzzle`: the base of kinds on a grid of cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from itertools import chain
from math import inf
from types import NoneType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast

from linkoracle.board.lattice import Lattice
from linkoracle.board.solution import Solution
from linkoracle.core.errors import PuzzleError, alternatives, counted
from linkoracle.core.limits import checked_int
from linkoracle.kinds.puzzle import (
    Cell,
    Clue,
    ClueChanges,
    Clues,
    DrawnPuzzle,
    Example,
    Figure,
    Grid,
    Rows,
)

if TYPE_CHECKING:
    from linkoracle.board.board import Board

#: A cell without a clue in text.
EMPTY = (".", "-")

#: Puzzles of one size share a board, and everything computed for the board.
_lattice = lru_cache(maxsize=32)(Lattice)

#: Letters of directions on a board mirrored left to right, and on one turned clockwise.
_MIRRORED, _TURNED = (str.maketrans("nesw", moved) for moved in ("nwse", "eswn"))


@dataclass(frozen=True)
class GridPuzzle(DrawnPuzzle):
    """Base of kinds on a grid of cells; a kind adds its rules, its model and its check.

    ``grid`` has rows of clues (numbers or words) and ``None``. A row may be text as in files:
    ``"3.2"``, or ``"10 . 2"`` with spaces. ``print(puzzle)`` shows the board. Raises `PuzzleError`
    for ragged rows, and for a cell with an invalid clue.
    """

    grid: Grid

    tiling: ClassVar = None  # type: ignore[misc]
    #: The only entries of ``instructions`` and ``examples``, for a kind with one variant.
    instruction: ClassVar[str] = ""
    example: ClassVar[Example | None] = None
    #: What messages expect in a cell.
    clue: ClassVar[str] = "a whole number"
    #: The least and the greatest number of a clue; ``None`` is any number.
    min_clue: ClassVar[int] = 0
    max_clue: ClassVar[int | None] = None
    #: A further clue, whose value is unknown, if the kind has one.
    unknown: ClassVar[Any] = None
    #: The class of this kind for boards that are not square, as ``"module:name"``, if any.
    on_faces: ClassVar[str | None] = None
    #: Whether the letters n, e, s and w in words are directions that turn with the board.
    arrows: ClassVar[bool] = False

    if TYPE_CHECKING:

        def __init__(self, grid: Rows) -> None: ...

    def __init_subclass__(cls) -> None:
        for name in ("instruction", "example"):
            if name in vars(cls):
                setattr(cls, f"{name}s", dict.fromkeys(cls.variants, getattr(cls, name)))

    def __post_init__(self) -> None:
        object.__setattr__(self, "grid", self._checked_grid(self.grid))
        # A default needs no check.
        if any(getattr(self, name) is not getattr(type(self), name) for name in self.annotations):
            self._check_annotations()

    def _check_annotations(self) -> None:
        """Raise `PuzzleError` for invalid annotations."""

    def _checked_grid(self, rows: Iterable[Iterable[object]]) -> Grid:
        """Return rows as tuples; whole numbers of other types, such as NumPy's, become ``int``."""
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
                    f"expected {counted(len(grid[0]), 'cell')} in row {place + 1}, as in row 1, "
                    f"found {len(row)}",
                    (place, min(len(row), len(grid[0])) - 1 if row else 0),
                )
        if self.words is None and {*map(type, chain(*grid))} <= {int, NoneType}:
            clues = cast("set[int]", {*chain(*grid)} - {None, self.unknown})
            most = inf if self.max_clue is None else self.max_clue
            if all(self.min_clue <= clue <= most for clue in clues):
                return cast("Grid", grid)
        return tuple(
            tuple(None if cell is None else self._checked(cell, (row, col)) for col, cell in line)
            for row, line in enumerate(map(enumerate, grid))
        )

    @classmethod
    def _cells_of(cls, row: str) -> tuple[object, ...]:
        """Return the cells of a row of text: characters, or words if it has spaces inside."""
        words = row.split()
        return tuple(map(cls.clue_of, words if len(words) > 1 else row.strip()))

    @classmethod
    def clue_of(cls, text: str) -> object:
        """Return the clue that a cell of text stands for; ``text`` itself if it is not a clue.

        >>> from linkoracle.kinds import Masyu, SimpleLoop
        >>> SimpleLoop.clue_of("*"), SimpleLoop.clue_of("."), Masyu.clue_of("w")
        (0, None, 'w')
        """
        if text in EMPTY:
            return None
        if cls.words is None:
            for clue, symbol in cls.symbols.items():
                if symbol == text:
                    return clue
            if re.fullmatch("[0-9]{1,18}", text):
                return int(text)
        return text

    def _checked(self, clue: object, cell: Cell) -> Clue:
        if self.words is None:
            number = self.number_of(clue, self.max_clue)
            if number is not None:
                return number
        elif isinstance(clue, str) and re.fullmatch(self.words, clue):
            return clue
        raise PuzzleError(f"expected {self.clue}, found {clue!r}", cell)

    @classmethod
    def number_of(cls, clue: object, most: int | None) -> int | None:
        """Return a clue as an ``int`` up to ``most``, or the ``unknown`` clue; ``None`` if invalid.

        >>> from linkoracle import Slitherlink
        >>> [Slitherlink.number_of(clue, 4) for clue in (4, -1, 5, "4")]
        [4, -1, None, None]
        """
        try:
            number = clue if type(clue) is int else checked_int(clue, "a clue")
        except ValueError:
            return None
        fits = number == cls.unknown or (
            cls.min_clue <= number and (most is None or number <= most)
        )
        return number if fits else None

    @classmethod
    def _empty(cls, rows: int, cols: int) -> Grid:
        try:
            rows, cols = checked_int(rows, "rows", 1), checked_int(cols, "columns", 1)
        except ValueError as error:
            raise PuzzleError(str(error)) from None
        return ((None,) * cols,) * rows

    @classmethod
    def blank(cls, rows: int, cols: int, **annotations: Any) -> Self:
        """Return a board without clues, with these annotations."""
        return cls(cls._empty(rows, cols), **annotations)

    @classmethod
    def from_grid(cls, grid: Rows, variant: str | None = None, **annotations: Any) -> Self:
        made = cls(grid, **annotations)
        return made if variant is None else made.with_variant(variant)

    @classmethod
    def kind_on_faces(cls) -> Any:
        """Return the class of puzzles of this kind on other boards; ``None`` if there is none."""
        # Derived classes may have other rules.
        on_faces = vars(cls).get("on_faces")
        if on_faces is None:
            return None
        module, name = on_faces.split(":")
        return getattr(import_module(module), name)

    @classmethod
    def on(cls, board: Board, clues: Clues = (), **options: Any) -> Any:
        """Return a puzzle of this kind whose cells are the faces of any board.

        ``clues`` has a clue or ``None`` for each face, in their order, as a sequence or a text such
        as ``"3..2"``; or it maps faces to clues. ``options`` are the ``variant``, if there are
        several, and lines that are ``given`` or ``forbidden``, as pairs of vertex numbers. On a
        square board, returns a puzzle of rows and columns; on any other board, a
        `linkoracle.kinds.plane.PlanePuzzle`.

        Raises `PuzzleError` for a kind that needs rows and columns, and for clues that do not fit.

        >>> import networkx as nx
        >>> from linkoracle import Board, Slitherlink, count
        >>> board = Board.from_graph(nx.hexagonal_lattice_graph(2, 2))
        >>> count(Slitherlink.on(board, {0: 5})), count(Slitherlink.on(board, "5..1"))
        (4, 2)
        """
        made = cls.kind_on_faces()
        if made is None:
            raise PuzzleError(f"{cls.title} needs rows and columns")
        puzzle = made(board, clues, **options)
        if not isinstance(board, Lattice):
            return puzzle
        cells, cols = puzzle.clues, board.cols - 1
        rows = [cells[start : start + cols] for start in range(0, len(cells), cols)]
        across = cols if cls.through_cells else board.cols
        lines = {
            name: [[divmod(end, across) for end in line] for line in found]
            for name in puzzle.annotations
            if (found := getattr(puzzle, name))
        }
        return cls.from_grid(rows, puzzle.variant, **lines)

    @property
    def rows(self) -> int:
        return len(self.grid)

    @property
    def cols(self) -> int:
        return len(self.grid[0])

    @property
    def size(self) -> str:
        """The numbers of rows and columns in words.

        >>> from linkoracle import Slitherlink
        >>> Slitherlink.blank(3, 4).size
        '3 x 4 cells'
        """
        return f"{self.rows} x {self.cols} cells"

    @property
    def variant(self) -> str:
        """The only variant."""
        return next(iter(self.variants))

    @property
    def board(self) -> Lattice:
        """Where lines are drawn: the `lattice`."""
        return self.lattice

    @property
    def lattice(self) -> Lattice:
        """The cells as vertices, or the dots around them."""
        dots = 0 if self.through_cells else 1
        return _lattice(self.rows + dots, self.cols + dots)

    @property
    def _vertices(self) -> str:
        rows, cols = self.lattice.rows, self.lattice.cols
        return f"{rows}x{cols} {'cells' if self.through_cells else 'dots'}"

    def clue_cells(self) -> Iterator[tuple[Cell, Any]]:
        """Yield the clues as ``((row, column), clue)``, in reading order."""
        for row, cells in enumerate(self.grid):
            for col, clue in enumerate(cells):
                if clue is not None:
                    yield (row, col), clue

    def with_clues(self, clues: ClueChanges) -> Self:
        """Return the same board with these cells changed; ``None`` removes a clue.

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
        return self._with_grid(tuple(map(tuple, grid)))

    def _with_grid(self, grid: Grid) -> Self:
        return replace(self, grid=grid)

    def with_variant(self, variant: str) -> Self:
        if variant not in self.variants:
            raise PuzzleError(
                f"expected the variant {alternatives(self.variants)}, found {variant!r}"
            )
        if variant != self.variant:
            raise PuzzleError(
                f"expected the variant {variant!r}, found {self.kind} with the variant "
                f"{self.variant!r}"
            )
        return self

    def rotate(self, quarter_turns: int = 1) -> Self:
        """Turn clockwise by ``quarter_turns`` times 90 degrees."""
        turned = self
        for _ in range(quarter_turns % 4):
            turned = turned._mirrored(-1)
        return turned

    def reflect(self) -> Self:
        """Mirror left to right."""
        return self._mirrored(1)

    def _mirrored(self, step: Literal[1, -1]) -> Self:
        """Mirror left to right, for step -1 after a swap of axes: a quarter turn clockwise."""
        grid = mirrored_rows(self.grid, step)
        if self.arrows:
            moved = _MIRRORED if step == 1 else _TURNED
            grid = tuple(
                tuple(clue.translate(moved) if isinstance(clue, str) else clue for clue in row)
                for row in grid
            )
        last = len(grid[0]) - self.through_cells
        annotations = {
            name: self.annotations[name].mirrored(found, step, last)
            for name, found in self._present_annotations()
        }
        return replace(self, grid=grid, **annotations)

    def _present_annotations(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """Yield the annotations that are not empty."""
        for name in self.annotations:
            if found := getattr(self, name):
                yield name, found

    def annotation_figures(self) -> Iterator[Figure]:
        """Yield what to draw for the annotations."""
        for name, found in self._present_annotations():
            yield from self.annotations[name].figures(found)

    def violations(self, solution: Solution | Iterable[int]) -> list[str]:
        """Return a sentence for each rule that ``solution``, or edge ids, break. O(cells)."""
        from linkoracle.kinds.lines import Lines

        lattice = self.lattice
        solution = Solution.of(lattice, solution)
        if solution.lattice != lattice:
            return [f"the solution is not drawn on {self._vertices}"]
        return list(self.faults(Lines.of(solution)))


def mirrored_rows(rows: Grid, step: Literal[1, -1]) -> Grid:
    """Return rows mirrored left to right, for step -1 after a swap of rows and columns.

    >>> mirrored_rows(((1, 2), (3, 4)), 1), mirrored_rows(((1, 2), (3, 4)), -1)
    (((2, 1), (4, 3)), ((3, 1), (4, 2)))
    """
    turned = rows if step == 1 else tuple(zip(*rows, strict=True))
    return tuple(row[::-1] for row in turned)
