"""Simple Loop: one closed loop through every cell that is no hole.

The loop runs from cell to neighbouring cell and neither crosses nor branches. Holes are the only
clues; they are written ``*`` in text, and 0, the lines that go there, in JSON and in grids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Self

from linkoracle.board.lattice import Lattice
from linkoracle.board.lists import board_lists
from linkoracle.board.model import ANY_COUNT, HOLE, PASS, LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.errors import PuzzleError
from linkoracle.core.randomness import below, shuffled
from linkoracle.kinds.codings import BITS, Pzpr
from linkoracle.kinds.fixed import FixedPuzzle
from linkoracle.kinds.puzzle import Another, Cell, Example, Figure, line_faults

if TYPE_CHECKING:
    import networkx as nx


def _made(
    rows: int, cols: int, rng: Random, another: Another
) -> tuple[SimpleLoop, Solution] | None:
    """A loop with few holes, changed near every other loop that its holes allow until none is left.

    Afterwards holes are taken away again, two by two, as long as the loop stays the only one.
    """
    lattice = Lattice(rows, cols)
    loop = _Loop(lattice, rng)
    rounds = _ROUNDS * max(rows, cols)
    for done in range(rounds):
        other = another(*loop.puzzle())
        if other is None:
            break
        # The more holes, the fewer loops: shrink more readily as time goes on.
        loop.change_near(loop.edges.symmetric_difference(other.edges), 0.25 + 0.75 * done / rounds)
    else:
        return None
    for face in shuffled(rng, range(lattice.num_faces)):
        if loop.turns(face) == 1:
            loop.flip(face)
            if another(*loop.puzzle()) is not None:
                loop.flip(face)
    return loop.puzzle()


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
    pzpr = Pzpr(BITS, {("simpleloop", ""): None})
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

    def figures(self) -> Iterator[Figure]:
        """What to draw: every hole, as a cell that is filled, and the lines that are fixed."""
        for cell in self.holes:
            yield Figure("filled", cell)
        yield from self.listed_figures()

    def faults(self, lines: nx.Graph[Any]) -> Iterator[str]:
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


class _Loop:
    """A single loop while it is made: a flip of a face changes it to one that is single again.

    A face can be flipped when it has *k* edges of the loop, from 1 to 3, and *k* + 1 corners on it.
    With 1 edge the loop grows by two vertices, with 2 it is moved, with 3 it shrinks by two.
    """

    def __init__(self, lattice: Lattice, rng: Random) -> None:
        if lattice.num_faces < 1:
            raise PuzzleError(
                f"expected a board of at least 2x2 cells, found {lattice.rows}x{lattice.cols}"
            )
        self._lattice = lattice
        self._rng = rng
        lists = board_lists(lattice)
        self._edges_of, self._around = lists.face_edges, lists.around
        self.edges: set[int] = set()
        self._used: set[int] = set()
        self.flip(below(rng, lattice.num_faces))
        grown = True
        while grown:
            grown = False
            for face in shuffled(rng, range(lattice.num_faces)):
                turns = self.turns(face)
                if turns == 1 or (turns == 2 and rng.random() < 0.5):
                    self.flip(face)
                    grown |= turns == 1

    def puzzle(self) -> tuple[SimpleLoop, Solution]:
        solution = Solution(self._lattice, tuple(sorted(self.edges)))
        return SimpleLoop.from_solution(solution), solution

    def _corners(self, face: int) -> tuple[int, int, int, int]:
        cols = self._lattice.cols
        first = face + face // (cols - 1)
        return first, first + 1, first + cols, first + cols + 1

    def turns(self, face: int) -> int:
        """The edges of the loop around a face, or 0 when it cannot be flipped."""
        edges = sum(edge in self.edges for edge in self._edges_of[face])
        corners = sum(vertex in self._used for vertex in self._corners(face))
        return edges if edges < 4 and corners == edges + 1 else 0

    def flip(self, face: int) -> None:
        self.edges.symmetric_difference_update(self._edges_of[face])
        for vertex in self._corners(face):
            if self.edges.isdisjoint(edge for edge, _ in self._around[vertex]):
                self._used.discard(vertex)
            else:
                self._used.add(vertex)

    def change_near(self, edges: set[int], shrink: float) -> None:
        """Flip a face beside one of these edges; ``shrink`` is the share of flips for which."""
        faces = [face for face, around in enumerate(self._edges_of) if not edges.isdisjoint(around)]
        order = shuffled(self._rng, faces)
        first = 3 if self._rng.random() < shrink else 2
        for wanted in (first, 5 - first, 1):
            for face in order:
                if self.turns(face) == wanted:
                    self.flip(face)
                    return
