"""Simple Loop: one closed loop through every cell that is no hole.

The loop runs from cell to neighbouring cell and neither crosses nor branches. Holes are the only
clues; they are written ``*`` in text, and 0, the lines that go there, in JSON and in grids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, ClassVar, Self

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import ANY_COUNT, HOLE, PASS, LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.errors import PuzzleError
from linkoracle.core.randomness import below, shuffled
from linkoracle.kinds.fixed import FixedPuzzle
from linkoracle.kinds.puzzle import Another, Cell, Example, Figure, Pzpr, line_faults

if TYPE_CHECKING:
    from linkoracle.board.colouring_kernel import Colouring
    from linkoracle.kinds.lines import Lines


def _made(
    rows: int, cols: int, rng: Random, another: Another
) -> tuple[SimpleLoop, Solution] | None:
    """A loop with few holes, changed near every other loop that its holes allow until none is left.

    Afterwards holes are taken away again, two by two, as long as the loop stays the only one.
    """
    lattice = Lattice(rows, cols)
    loop = _first(rng, lattice)
    rounds = _ROUNDS * max(rows, cols)
    for done in range(rounds):
        puzzle, solution = _puzzle(loop)
        other = another(puzzle, solution)
        if other is None:
            break
        # The more holes, the fewer loops: shrink more readily as time goes on.
        differing = set(solution.edges) ^ set(other.edges)
        _change_near(rng, loop, differing, 0.25 + 0.75 * done / rounds)
    else:
        return None
    for face in shuffled(rng, range(lattice.num_faces)):
        if _turns(loop, face) == 1:
            loop.flip(face)
            if another(*_puzzle(loop)) is not None:
                loop.flip(face)
    return _puzzle(loop)


class SimpleLoop(FixedPuzzle):
    """A Simple Loop of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of 0 for a hole, or ``None``. ``given`` and ``forbidden`` are lines that every
    solution has, or has not, as pairs of neighbouring cells. Raises `PuzzleError` for ragged rows,
    anything else in a cell, and lines that are off the board, at a hole although they are given, or
    both given and forbidden.

    >>> puzzle = SimpleLoop.from_holes(3, 3, [(1, 1)])
    >>> puzzle.grid[1], puzzle.holes
    ((None, 0, None), ((1, 1),))
    """

    kind = "simpleloop"
    on_faces = "linkoracle.kinds.plane_kinds:PlaneSimpleLoop"
    title = "Simple Loop"
    rules: ClassVar = {"loop": ""}
    instructions: ClassVar = {
        "loop": "Draw one closed loop that runs from cell to neighbouring cell, across or down. It "
        "passes once through every white cell, and through no black one."
    }
    examples: ClassVar = {
        "loop": Example("..*.. ..... .*... ...*. .....", (((0, 0), "RDRDRUURDDDDLLULDLUUUU"),)),
    }
    through_cells = True
    unit = "holes"
    symbols: ClassVar = {0: "*"}
    clue = "a hole (0)"
    most = 0
    pzpr = Pzpr("bits", {("simpleloop", ""): None})
    maker = _made

    def _check_points(self) -> None:
        super()._check_points()
        self._check_avoids(self.holes)

    @classmethod
    def from_holes(cls, rows: int, cols: int, holes: Iterable[Cell]) -> Self:
        """The board with holes in these cells."""
        return cls.blank(rows, cols).with_clues(dict.fromkeys(holes, 0))

    @classmethod
    def from_solution(cls, solution: Solution) -> Self:
        """The board whose holes are the cells that no line goes through."""
        lattice = solution.lattice
        used = {cell for walk in solution.paths() for cell in walk}
        cells = map(lattice.position, range(lattice.num_vertices))
        return cls.from_holes(lattice.rows, lattice.cols, (c for c in cells if c not in used))

    @property
    def holes(self) -> tuple[Cell, ...]:
        """The cells that are holes, in reading order."""
        return tuple(cell for cell, _ in self.clue_cells())

    @cached_property
    def model(self) -> LinkModel:
        """What the engines solve: the cells as vertices, each used unless it is a hole."""
        lattice = self.lattice
        degrees = bytes(PASS if cell is None else HOLE for row in self.grid for cell in row)
        model = LinkModel(lattice, degrees, bytes([ANY_COUNT]) * lattice.num_faces, loop=True)
        return self.with_fixed(model)

    def clue_figures(self, cell: Cell, clue: int) -> Iterator[Figure]:  # noqa: ARG002 - all are 0
        """What to draw: a hole, as a cell that is filled."""
        yield Figure("filled", cell)

    def faults(self, lines: Lines) -> Iterator[str]:
        """Why lines between cells are no single loop, or not through all cells but the holes."""
        for row, cells in enumerate(self.grid):
            for col, cell in enumerate(cells):
                if ((row, col) in lines) == (cell is not None):
                    what = "the cell is not used" if cell is None else "the hole is used"
                    yield f"{what} at row {row + 1}, column {col + 1}"
        yield from self.fixed_faults(lines)
        yield from line_faults(lines, what="cell")


#: Loops that are tried on a board, for each row or column.
_ROUNDS = 20


def _first(rng: Random, lattice: Lattice) -> Colouring:
    """A random loop that no flip of a face makes longer."""
    from linkoracle.board.colouring_kernel import Colouring

    if lattice.num_faces < 1:
        raise PuzzleError(
            f"expected a board of at least 2x2 cells, found {lattice.rows}x{lattice.cols}"
        )
    loop = Colouring(lattice)
    loop.flip(below(rng, lattice.num_faces))
    grown = True
    while grown:
        grown = False
        for face in shuffled(rng, range(lattice.num_faces)):
            turns = _turns(loop, face)
            if turns == 1 or (turns == 2 and rng.random() < 0.5):
                loop.flip(face)
                grown |= turns == 1
    return loop


def _turns(loop: Colouring, face: int) -> int:
    """The edges of the loop around a face, or 0 when it cannot be flipped.

    With 1 edge a flip makes the loop longer, with 2 it moves it, with 3 it makes it shorter.
    """
    return loop.count(face) if loop.can_flip(face) else 0


def _change_near(rng: Random, loop: Colouring, edges: Iterable[int], shrink: float) -> None:
    """Flip a face beside one of these edges; ``shrink`` is the share of flips that shorten it."""
    order = shuffled(rng, sorted({face for edge in edges for face in loop.board.faces_of(edge)}))
    first = 3 if rng.random() < shrink else 2
    for wanted in (first, 5 - first, 1):
        for face in order:
            if _turns(loop, face) == wanted:
                loop.flip(face)
                return


def _puzzle(loop: Colouring) -> tuple[SimpleLoop, Solution]:
    solution = loop.outline()
    return SimpleLoop.from_solution(solution), solution
