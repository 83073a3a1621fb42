"""`CellLoop`: kinds of one loop through cells, and `LoopRules`, which says their rules to engines.

A page says its rules twice: `CellLoop.constrain` states them as constraints on lines and visited
cells, which engines solve, and `CellLoop.clue_faults` checks a drawn solution as a person does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

from linkoracle.board.constraints import Count, Shape
from linkoracle.board.lattice import Lattice
from linkoracle.board.model import HOLE, PASS, PASS_OR_SKIP, LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.errors import PuzzleError
from linkoracle.kinds.fixed import FixedPuzzle
from linkoracle.kinds.lines import DIRECTIONS, Lines, step
from linkoracle.kinds.puzzle import Cell, line_faults

#: The literal that is never true: a line, or a visited cell, that the board does not have. Its
#: negative is always true. It stands in no model: `LoopRules` simplifies it away.
FALSE = 1 << 60
TRUE = -FALSE


class LoopRules:
    """What a puzzle demands of a loop through the cells of a board.

    Literals are those of `linkoracle.board.constraints`: of a line (`line`), of a visited cell
    (`visited`), of a variable of the rules (`variable`); ``-literal`` is its negation. `FALSE` is
    the line, or the visited cell, that is not there.

    >>> rules = LoopRules(Lattice(2, 3))
    >>> rules.clause(-rules.line((0, 0), "e"), rules.line((0, 1), "e"))
    >>> rules.line((0, 0), "n") == FALSE, rules.model().clauses
    (True, ((-1, 2),))
    """

    def __init__(self, board: Lattice, *, every_cell: bool = False) -> None:
        self.board = board
        self._degrees = bytearray([PASS if every_cell else PASS_OR_SKIP]) * board.num_vertices
        self._shapes: list[Shape] = []
        self._counts: list[Count] = []
        self._clauses: list[tuple[int, ...]] = []
        self._last = board.num_edges + board.num_vertices

    def has(self, cell: Cell) -> bool:
        """Return whether the board has this cell."""
        return 0 <= cell[0] < self.board.rows and 0 <= cell[1] < self.board.cols

    def line(self, cell: Cell, direction: str) -> int:
        """Return the literal of the line that leaves a cell; `FALSE` where it leaves the board."""
        other = step(cell, direction)
        if not (self.has(cell) and self.has(other)):
            return FALSE
        return self.board.edge(cell, other) + 1

    def lines(self, cell: Cell) -> list[int]:
        """Return the literals of all lines that may leave a cell."""
        return [one for d in DIRECTIONS if (one := self.line(cell, d)) != FALSE]

    def ray(self, cell: Cell, direction: str) -> list[int]:
        """Return the literals of the lines from a cell straight on to the border, nearest first."""
        found = []
        while (one := self.line(cell, direction)) != FALSE:
            found.append(one)
            cell = step(cell, direction)
        return found

    def visited(self, cell: Cell) -> int:
        """Return the literal of a visited cell; `FALSE` for one that the loop must avoid."""
        if not self.has(cell):
            return FALSE
        vertex = self.board.vertex(*cell)
        mask = self._degrees[vertex]
        if mask == PASS_OR_SKIP:
            return self.board.visited(vertex)
        return TRUE if mask == PASS else FALSE

    def variable(self) -> int:
        """Return a new variable. Clauses must leave it one value for each loop, or any."""
        self._last += 1
        return self._last

    def visit(self, cell: Cell) -> None:
        """Demand that the loop visits a cell. Say this, and `avoid`, before other rules."""
        self._degrees[self.board.vertex(*cell)] = PASS

    def avoid(self, cell: Cell) -> None:
        """Demand that the loop leaves a cell out."""
        self._degrees[self.board.vertex(*cell)] = HOLE

    def straight(self, cell: Cell) -> None:
        """Demand that the loop, where it visits a cell, goes straight on."""
        self._pairs(cell, ("ns", "we"))

    def turn(self, cell: Cell) -> None:
        """Demand that the loop, where it visits a cell, turns."""
        self._pairs(cell, ("ne", "es", "sw", "nw"))

    def _pairs(self, cell: Cell, allowed: Iterable[str]) -> None:
        pairs = [[self.line(cell, d) for d in pair] for pair in allowed]
        sets = [[line - 1 for line in pair] for pair in pairs if FALSE not in pair]
        vertex = self.board.vertex(*cell)
        self._shapes.append(Shape.of(self.board, vertex, [[], *sets]))

    def clause(self, *literals: int) -> None:
        """Demand that one of these literals is true."""
        if TRUE not in literals:
            self._clauses.append(tuple(one for one in literals if one != FALSE))

    def count(self, literals: Iterable[int], numbers: Iterable[int]) -> None:
        """Demand that as many of these literals are true as one of the numbers says."""
        known = list(literals)
        sure = known.count(TRUE)
        open_ = [one for one in known if abs(one) != FALSE]
        allowed = {number - sure for number in numbers if sure <= number <= sure + len(open_)}
        if not allowed:
            self._clauses.append(())
        elif len(allowed) <= len(open_):
            self._counts.append(Count.of(open_, allowed))

    def model(self) -> LinkModel:
        """Return the model of one loop under these rules."""
        board = self.board
        model = LinkModel(board, bytes(self._degrees), board.free_masks, loop=True)
        return model.with_constraints(
            shapes=self._shapes, counts=self._counts, clauses=self._clauses
        )


@dataclass(frozen=True, repr=False)
class CellLoop(FixedPuzzle):
    """What kinds share whose solution is one loop through cells.

    A kind says `constrain`, `clue_faults` and `clues_of`; `every_cell` is set where the loop visits
    every cell.
    """

    rules: ClassVar = {"loop": ""}
    through_cells = True
    every_cell: ClassVar[bool] = False
    #: Whether cells that the loop leaves out are shaded, and no two of them are neighbours.
    shaded: ClassVar[bool] = False

    def constrain(self, rules: LoopRules) -> None:
        """State what the loop must fulfil; given and forbidden lines are stated already."""
        raise NotImplementedError

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each rule that lines break; that they are one loop is checked."""
        raise NotImplementedError

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield all clues that a loop allows on this board, as cells and clues."""
        raise NotImplementedError

    @cached_property
    def model(self) -> LinkModel:
        """What the engines solve: the cells as vertices, and what `constrain` states."""
        rules = LoopRules(self.lattice, every_cell=self.every_cell)
        self.constrain(rules)
        return self.with_fixed(rules.model())

    @classmethod
    def blank(cls, rows: int, cols: int, **points: Any) -> Self:
        """A board without clues; ``points`` are lists beside the grid."""
        return cls(cls._empty(rows, cols), **points)

    @classmethod
    def from_solution(cls, solution: Solution, **points: Any) -> Self:
        """The board with all clues that ``solution`` allows; ``points`` are lists beside the grid.

        Raises `PuzzleError` if it is not a solution then.
        """
        lattice = solution.lattice
        blank = cls.blank(lattice.rows, lattice.cols, **points)
        puzzle = blank.with_clues(blank.clues_of(Lines.of(solution)))
        for fault in puzzle.violations(solution):
            raise PuzzleError(f"{cls.title} allows no such loop: {fault}")
        return puzzle

    def cells(self) -> list[Cell]:
        """Return all cells in reading order."""
        return [(row, col) for row in range(self.rows) for col in range(self.cols)]

    def faults(self, lines: Lines) -> Iterator[str]:
        """Why lines between cells are no single loop, or not as the rules and clues demand."""
        yield from self.fixed_faults(lines)
        yield from line_faults(lines, what="cell")
        if self.every_cell:
            for cell in self.cells():
                if cell not in lines and self.must_visit(cell):
                    yield f"the cell at {place_of(cell)} is not used"
        yield from self.clue_faults(lines)

    def must_visit(self, cell: Cell) -> bool:  # noqa: ARG002 - kinds with holes use it
        """Return whether the loop visits this cell in a kind with `every_cell`."""
        return True


def place_of(cell: Cell) -> str:
    """Return a cell as messages name it.

    >>> place_of((0, 2))
    'row 1, column 3'
    """
    return f"row {cell[0] + 1}, column {cell[1] + 1}"
