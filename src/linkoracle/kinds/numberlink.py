"""Numberlink: join equal numbers by paths that share no cell.

In the variant ``"free"`` cells may stay empty; in ``"fill"`` every cell belongs to a path.
Paths run from cell to neighbouring cell, and a number is an endpoint: no path passes through it.
Under ``"apart"`` and ``"fill-apart"`` no path touches itself either: a line joins any two
neighbouring cells of one path.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, cast

from linkoracle.board.constraints import Apart
from linkoracle.board.model import LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.errors import PuzzleError, alternatives
from linkoracle.core.limits import MANY
from linkoracle.kinds.fixed import FixedLines, FixedPuzzle, Place, format_place, vertex_of
from linkoracle.kinds.puzzle import Cell, Example, Grid, Pzpr, Rows, place_of

if TYPE_CHECKING:
    from linkoracle.kinds.lines import Lines

#: Whether cells may stay empty, and whether a path may touch itself.
Variant = Literal["free", "fill", "apart", "fill-apart"]
_JOIN = (
    "Join each pair of equal numbers by a line that runs from cell to neighbouring cell, across or "
    "down. There is at most one line in a cell, and no line passes through a number."
)
APART = "No line touches itself: of two neighbouring cells on a line, one follows the other."


class PathPuzzle(FixedLines, Generic[Place]):
    """Base of Numberlinks on all boards. Cells are places in reading order."""

    variant: Any

    @property
    def number_of_clues(self) -> int:
        """The number of pairs."""
        return super().number_of_clues // 2

    def _places(self) -> dict[int, list[Place]]:
        """Return the cells of each number, in their order."""
        places: dict[int, list[Place]] = {}
        for cell, number in self.clue_cells():
            places.setdefault(number, []).append(cell)  # type: ignore[arg-type]
        return places

    def _check_pairs(self) -> None:
        """Raise `PuzzleError` for a number that does not occur exactly twice."""
        for number, cells in self._places().items():
            if len(cells) != 2:
                times = "once" if len(cells) == 1 else f"{len(cells)} times"
                cell: Any = cells[2] if len(cells) > 2 else cells[0]
                raise PuzzleError(
                    f"expected the number {number} to stand exactly twice, found it {times}",
                    cell if isinstance(cell, tuple) else (cell,),
                )

    def pairs(self) -> dict[int, tuple[Place, Place]]:
        """Return the two cells of each number, in reading order, by number."""
        return {number: (one, other) for number, (one, other) in sorted(self._places().items())}

    def renumbered(self) -> Self:
        """Return the puzzle with its pairs numbered from 1 in reading order.

        >>> Numberlink([[7, 3], [7, 3]]).renumbered().numbers
        ((1, 2), (1, 2))
        """
        places: Any = enumerate(self._places().values(), start=1)
        return self.with_clues([(cell, number) for number, pair in places for cell in pair])

    def _model_of(self, pairs: Sequence[tuple[int, int]]) -> LinkModel:
        """Return the model of paths that join pairs of vertices."""
        if not pairs:
            # A solution has at least one line; without pairs and cells there is none.
            return LinkModel.blank_loop(self.board).with_holes(range(self.board.num_vertices))
        model = LinkModel.blank_paths(self.board, pairs, cover=self.variant.startswith("fill"))
        if self.variant.endswith("apart"):
            model = replace(model, clauses=Apart(self.board, pairs))
        return self.with_fixed(model)

    @abstractmethod
    def _cells(self) -> Iterable[Place]:
        """Return all cells."""

    @abstractmethod
    def _after(self, cell: Place) -> Iterable[Any]:
        """Return the neighbours of a cell that follow it in reading order."""

    def faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each rule that lines between cells break."""
        yield from self.fixed_faults(lines)
        numbers: dict[Any, int] = dict(self.clue_cells())
        if not numbers:
            yield "there are no numbers to join"
        unused: list[set[Any]] = [{cell} for cell in self._cells() if cell not in lines]
        for part in [*lines.parts(), *unused]:
            first = place_of(min(part))
            held = sorted(numbers[cell] for cell in part if cell in numbers)
            if len(part) == 1 and not held:
                if self.variant.startswith("fill"):
                    yield f"the cell at {first} is not used"
            elif len(held) != 2 or held[0] != held[1]:
                what = " and ".join(map(str, held)) if held else "no number"
                yield f"the line through {first} joins {what}"
            else:
                tips = sorted(cell for cell in part if lines.degree(cell) == 1)
                if sum(map(lines.degree, part)) != 2 * len(part) - 2 or len(tips) != 2:
                    yield f"the line of the number {held[0]} branches or closes"
                elif any(cell not in numbers for cell in tips):
                    yield f"the line of the number {held[0]} goes on beyond it"
                elif self.variant.endswith("apart"):
                    beside = ((one, other) for one in sorted(part) for other in self._after(one))
                    for cell, other in beside:
                        if other in part and not lines.has_edge(cell, other):
                            where = place_of(cell)
                            yield f"the line of the number {held[0]} touches itself at {where}"


@dataclass(frozen=True, repr=False)
class Numberlink(PathPuzzle[Cell], FixedPuzzle):
    """A Numberlink of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` (``numbers``) has rows of whole numbers from 1, each exactly twice, or ``None``.
    ``variant`` is ``"free"`` (cells may stay empty, the default), ``"fill"`` (every cell used),
    ``"apart"`` or ``"fill-apart"`` (the same, and no path touches itself). ``given`` and
    ``forbidden`` are lines that every solution has, or lacks, as pairs of neighbouring cells.

    Raises `PuzzleError` for ragged rows, a number below 1 or not exactly twice on the board, and
    lines that are off the board or both given and forbidden.

    >>> puzzle = Numberlink([[1, None, 2], [None, None, None], [2, None, 1]])
    >>> puzzle.pairs()
    {1: ((0, 0), (2, 2)), 2: ((0, 2), (2, 0))}
    """

    variant: Variant = "free"

    kind = "numberlink"
    on_faces = "linkoracle.kinds.plane_kinds:PlaneNumberlink"
    title = "Numberlink"
    variants: ClassVar = {
        "free": "",
        "fill": "every cell used",
        "apart": "no line touches itself",
        "fill-apart": "every cell used, no line touches itself",
    }
    instructions: ClassVar = {
        "free": f"{_JOIN} Cells may stay empty.",
        "fill": f"{_JOIN} A line passes through every cell.",
        "apart": f"{_JOIN} {APART} Cells may stay empty.",
        "fill-apart": f"{_JOIN} {APART} A line passes through every cell.",
    }
    examples: ClassVar = {
        "free": Example(
            "..1.2 ..3.4 1.2.. ...3. .4...",
            (((0, 2), "LLDD"), ((0, 4), "LDDL"), ((1, 2), "LDDRR"), ((1, 4), "DDDLLL")),
        ),
        "fill": Example(
            "12... ..34. ..... .12.. 5.543",
            (
                ((0, 0), "DDDR"),
                ((0, 1), "DDRD"),
                ((1, 2), "URRDDDD"),
                ((1, 3), "DDD"),
                ((4, 0), "RR"),
            ),
        ),
        "apart": Example(
            ".1... .2... ..13. 3..2. .....",
            (((0, 1), "RDD"), ((1, 1), "DDRR"), ((2, 3), "RDDLLLLU")),
        ),
        "fill-apart": Example(
            "1...2 ..1.. ...2. ..... 3...3",
            (((0, 0), "DDDRRRRUULL"), ((0, 4), "LLLDDRR"), ((4, 0), "RRRR")),
        ),
    }
    through_cells = True
    look = "label"
    unit = "pairs"
    general_rule = "The rule that no line touches itself"
    difficulties: ClassVar = {
        "easy": (1, 35),
        "normal": (1, MANY),
        **dict.fromkeys(("tricky", "hard"), (17, MANY)),
        "extreme": (101, MANY),
    }
    letters = True
    clue = "a number from 1"
    min_clue = 1
    # Arukone has letters for numbers; every cell is used unless a flag allows empty cells.
    pzpr = Pzpr(
        "hex",
        {
            ("numlin", ""): None,
            ("numberlink", ""): None,
            ("arukone", ""): "fill",
            ("arukone", "e"): "free",
        },
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            grid: Rows,
            variant: Variant = "free",
            *,
            given: Iterable[Any] = (),
            forbidden: Iterable[Any] = (),
        ) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant not in self.variants:
            known = alternatives(self.variants)
            raise PuzzleError(f"expected the variant {known}, found {self.variant!r}")
        self._check_pairs()

    @classmethod
    def blank(cls, rows: int, cols: int, variant: Variant = "free", **annotations: Any) -> Self:
        """Return a board without numbers, with these annotations."""
        return cls(cls._empty(rows, cols), variant, **annotations)

    @classmethod
    def from_pairs(
        cls, rows: int, cols: int, pairs: Iterable[tuple[Cell, Cell]], variant: str = "free"
    ) -> Self:
        """Return the board with the numbers 1, 2, 3 ... at these pairs of cells, in this order.

        Raises `PuzzleError` for a cell that is off the board or occurs twice.
        """
        grid = [list(row) for row in cls._empty(rows, cols)]
        for number, pair in enumerate(pairs, start=1):
            for cell in pair:
                try:
                    row, col = vertex_of(cell)
                    inside = 0 <= row < rows and 0 <= col < cols
                except (TypeError, ValueError):
                    inside = False
                if not inside or grid[row][col] is not None:
                    reason = f"expected a free cell of the board, found {format_place(cell)}"
                    raise PuzzleError(reason)
                grid[row][col] = number
        return cls(grid, cast("Variant", variant))

    @classmethod
    def from_solution(cls, solution: Solution, variant: Variant = "free") -> Self:
        """Return the board with numbers at the endpoints of the paths, numbered in reading order.

        Raises `PuzzleError` for lines that are not paths.

        >>> from linkoracle import Lattice
        >>> Numberlink.from_solution(Solution(Lattice(2, 2), (1, 2))).grid
        ((1, 2), (1, 2))
        """
        try:
            walks = solution.paths()
        except ValueError as error:
            raise PuzzleError(str(error)) from None
        if any(walk[0] == walk[-1] for walk in walks):
            raise PuzzleError("expected paths, found a loop")
        pairs = sorted((walk[0], walk[-1]) for walk in walks)
        return cls.from_pairs(solution.lattice.rows, solution.lattice.cols, pairs, variant)

    @property
    def numbers(self) -> Grid:
        """The grid under its name in Numberlink."""
        return self.grid

    @cached_property
    def model(self) -> LinkModel:
        """What the engines solve: the cells as vertices, the numbers as terminals."""
        vertex = self.lattice.vertex
        return self._model_of([(vertex(*a), vertex(*b)) for a, b in self.pairs().values()])

    def with_variant(self, variant: str) -> Self:
        """Return the same board as this variant; raise `PuzzleError` for an invalid variant."""
        return replace(self, variant=cast("Variant", variant))

    def _cells(self) -> Iterable[Cell]:
        return product(range(self.rows), range(self.cols))

    def _after(self, cell: Cell) -> Iterable[Cell]:
        row, col = cell
        return (row, col + 1), (row + 1, col)
