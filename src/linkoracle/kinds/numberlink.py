"""Numberlink: join equal numbers by paths that share no cell.

In the variant ``"free"`` cells may stay empty; in ``"fill"`` every cell belongs to a path.
Paths run from cell to neighbouring cell, and a number is an endpoint: no path passes through it.
Under ``"apart"`` and ``"fill-apart"`` no path touches itself either: a line joins any two
neighbouring cells of one path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast

from linkoracle.board import Apart, LinkModel, Solution, neighbours
from linkoracle.core import PuzzleError
from linkoracle.kinds.fixed import FixedPuzzle
from linkoracle.kinds.puzzle import (
    Cell,
    Example,
    Grid,
    Pzpr,
    Rows,
    cell_named,
    format_place,
    place_of,
    vertex_of,
)

if TYPE_CHECKING:
    from linkoracle.kinds.lines import Lines

#: Whether cells may stay empty, and whether a path may touch itself.
Variant = Literal["free", "fill", "apart", "fill-apart"]
_JOIN = (
    "Join each pair of equal numbers by a line that runs from cell to neighbouring cell, across or "
    "down. There is at most one line in a cell, and no line passes through a number."
)
APART = "No line touches itself: of two neighbouring cells on a line, one follows the other."


@dataclass(frozen=True, repr=False)
class Numberlink(FixedPuzzle):
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

    on_faces: ClassVar = {
        "instructions": {
            variant: "Join each pair of equal numbers by a line that runs from cell to "
            "neighbouring cell across their sides. There is at most one line in a cell, and no "
            f"line passes through a number.{more}"
            for variant, more in (
                ("free", ""),
                ("fill", " Every cell has a line."),
                ("apart", f" {APART}"),
                ("fill-apart", f" {APART} Every cell has a line."),
            )
        },
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            clues: Rows,
            variant: Variant = "free",
            *,
            given: Iterable[Any] = (),
            forbidden: Iterable[Any] = (),
        ) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_variant(self.variant)
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

    @property
    def number_of_clues(self) -> int:
        """The number of pairs."""
        return super().number_of_clues // 2

    def _ends(self) -> dict[int, list[int]]:
        """Return the places of each number in ``clues``, which are vertices of the board."""
        ends: dict[int, list[int]] = {}
        for vertex, number in enumerate(self.clues):
            if number is not None:
                ends.setdefault(number, []).append(vertex)
        return ends

    def _check_pairs(self) -> None:
        """Raise `PuzzleError` for a number that does not occur exactly twice."""
        for number, found in self._ends().items():
            if len(found) != 2:
                times = "once" if len(found) == 1 else f"{len(found)} times"
                raise PuzzleError(
                    f"expected the number {number} to stand exactly twice, found it {times}",
                    cell_named(self.faces.face_name(found[2] if len(found) > 2 else found[0])),
                )

    def pairs(self) -> dict[int, tuple[Any, Any]]:
        """Return the two cells of each number, in reading order, by number.

        >>> from linkoracle import boards
        >>> Numberlink.on(boards.honeycomb(2, 2), "1221").pairs()
        {1: (0, 3), 2: (1, 2)}
        """
        name = self.faces.face_name
        return {
            number: (name(one), name(end)) for number, (one, end) in sorted(self._ends().items())
        }

    def renumbered(self) -> Self:
        """Return the puzzle with its pairs numbered from 1 in reading order.

        >>> Numberlink([[7, 3], [7, 3]]).renumbered().numbers
        ((1, 2), (1, 2))
        """
        number_of = {old: number for number, old in enumerate(self._ends(), start=1)}
        return replace(self, clues=tuple(map(number_of.get, self.clues)))

    @cached_property
    def model(self) -> LinkModel:
        """What the engines solve: the cells as vertices, the numbers as terminals."""
        board, ends = self.board, sorted(self._ends().items())
        pairs = [(one, other) for _, (one, other) in ends]
        if not pairs:
            # A solution has at least one line; without pairs and cells there is none.
            return LinkModel.blank_loop(board).with_holes(range(board.num_vertices))
        model = LinkModel.blank_paths(board, pairs, cover=self.variant.startswith("fill"))
        if self.variant.endswith("apart"):
            model = replace(model, clauses=Apart(board, pairs))
        return self.with_fixed(model)

    def with_variant(self, variant: str) -> Self:
        """Return the same board as this variant; raise `PuzzleError` for an invalid variant."""
        return replace(self, variant=cast("Variant", variant))

    def _after(self, cell: Any) -> Iterator[Any]:
        """Yield the neighbours of a cell that follow it in reading order."""
        here = self.board.vertex_of(cell)
        beside = neighbours(self.board)[here]
        return (self.board.vertex_name(other) for other in beside if other > here)

    def faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each rule that lines between cells break."""
        yield from lines.fixed_faults(self.given, self.forbidden)
        numbers: dict[Any, int] = dict(self.clue_cells())
        if not numbers:
            yield "there are no numbers to join"
        unused: list[set[Any]] = [{cell} for cell in self.faces.face_names if cell not in lines]
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
