"""Simple Loop: one closed loop through every cell that is no hole.

The loop runs from cell to neighbouring cell and neither crosses nor branches. Holes are the only
clues; they are written ``*`` in text, and 0, the lines that go there, in JSON and in grids.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from linkoracle.board.board import Board
from linkoracle.board.lattice import Lattice
from linkoracle.board.model import HOLE, PASS, LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.errors import PuzzleError
from linkoracle.core.limits import MANY
from linkoracle.core.randomness import below, shuffled
from linkoracle.kinds.fixed import FixedLines, FixedPuzzle, Place
from linkoracle.kinds.puzzle import (
    LOOP,
    Another,
    Cell,
    Example,
    IsEasy,
    Pzpr,
    line_faults,
    place_of,
)

if TYPE_CHECKING:
    from linkoracle.board.colouring_kernel import Colouring
    from linkoracle.kinds.lines import Lines

Loop = TypeVar("Loop")


def _made(
    rows: int, cols: int, rng: Random, another: Another, is_easy: IsEasy = None
) -> tuple[SimpleLoop, Solution] | None:
    cells, across = Lattice(rows, cols), max(rows, cols)
    return loop_through(cells, across, rng, another, SimpleLoop.from_solution, is_easy)


def loop_through(
    cells: Board,
    across: int,
    rng: Random,
    another: Another,
    puzzle_of: Callable[[Solution], Loop],
    is_easy: IsEasy = None,
) -> tuple[Loop, Solution] | None:
    """A loop with few holes, changed near every other loop that its holes allow until none is left.

    Afterwards holes are taken away again, few by few, as long as the loop stays the only one and
    the puzzle is no harder than ``is_easy`` demands.
    ``cells`` has a vertex for each cell, and about ``across`` of them in a line.
    """

    def told(loop: Colouring) -> tuple[Loop, Solution]:
        solution = loop.outline()
        return puzzle_of(solution), solution

    def fits(puzzle: Loop) -> bool:
        return is_easy is None or is_easy(puzzle)

    loop = _first(rng, cells)
    rounds = _ROUNDS * across
    for done in range(rounds):
        puzzle, solution = told(loop)
        other = another(puzzle, solution)
        if other is None:
            if not fits(puzzle):
                # Fewer holes would make it even harder.
                return None
            break
        # The more holes, the fewer loops: shrink more readily as time goes on.
        differing = set(solution.edges) ^ set(other.edges)
        _change_near(rng, loop, differing, 0.25 + 0.75 * done / rounds)
    else:
        return None
    for face in shuffled(rng, range(cells.num_faces)):
        if (_gain(loop, face) or 0) > 0:
            loop.flip(face)
            puzzle, solution = told(loop)
            if another(puzzle, solution) is not None or not fits(puzzle):
                loop.flip(face)
    return told(loop)


class HoleLoop(FixedLines, Generic[Place]):
    """What Simple Loops on all boards share."""

    @property
    def holes(self) -> tuple[Place, ...]:
        """The cells that are holes, in reading order."""
        return tuple(cell for cell, _ in self.clue_cells())  # type: ignore[misc]

    def _check_points(self) -> None:
        super()._check_points()
        self._check_avoids(self.holes)

    @abstractmethod
    def _cells(self) -> Iterable[tuple[Place, Any]]:
        """Return each cell, in the order of the vertices, and whether it is a hole."""

    @cached_property
    def model(self) -> LinkModel:
        """What the engines solve: the cells as vertices, each used unless it is a hole."""
        degrees = bytes(PASS if clue is None else HOLE for _, clue in self._cells())
        return self.with_fixed(replace(LinkModel.blank_loop(self.board), degrees=degrees))

    def faults(self, lines: Lines) -> Iterator[str]:
        """Why lines between cells are no single loop, or not through all cells but the holes."""
        cell: Any
        for cell, clue in self._cells():
            if (cell in lines) == (clue is not None):
                what = "the cell is not used" if clue is None else "the hole is used"
                yield f"{what} at {place_of(cell)}"
        yield from self.fixed_faults(lines)
        yield from line_faults(lines, what="cell" if self.tiling is None else "face")


class SimpleLoop(HoleLoop[Cell], FixedPuzzle):
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
    instruction = f"{LOOP}. It passes once through every white cell, and through no black one."
    example = Example("..*.. ..... .*... ...*. .....", (((0, 0), "RDRDRUURDDDDLLULDLUUUU"),))
    through_cells = True
    look = "filled"
    #: What takes no guess is easy to tricky: techniques for lines, not for clues, solve it.
    difficulties: ClassVar = dict.fromkeys(
        ("easy", "normal", "tricky", "fiendish", "brutal"), (1, MANY)
    )
    unit = "holes"
    symbols: ClassVar = {0: "*"}
    clue = "a hole (0)"
    most = 0
    pzpr = Pzpr("bits", {("simpleloop", ""): None})
    maker = _made

    @classmethod
    def from_holes(cls, rows: int, cols: int, holes: Iterable[Cell]) -> Self:
        """The board with holes in these cells."""
        return cls.blank(rows, cols).with_clues(dict.fromkeys(holes, 0))

    @classmethod
    def from_solution(cls, solution: Solution) -> Self:
        """The board whose holes are the cells that no line goes through."""
        used = {cell for walk in solution.paths() for cell in walk}
        blank = cls.blank(solution.lattice.rows, solution.lattice.cols)
        return blank.with_clues((cell, 0) for cell, _ in blank._cells() if cell not in used)

    def _cells(self) -> Iterator[tuple[Cell, Any]]:
        for row, cells in enumerate(self.grid):
            for col, clue in enumerate(cells):
                yield (row, col), clue


#: Loops that are tried on a board, for each row or column.
_ROUNDS = 20


def _first(rng: Random, cells: Board) -> Colouring:
    """A random loop that no flip of a face makes longer."""
    from linkoracle.board.colouring_kernel import Colouring

    if cells.num_faces < 1:
        if isinstance(cells, Lattice):
            found = f"{cells.rows}x{cells.cols}"
            raise PuzzleError(f"expected a board of at least 2x2 cells, found {found}")
        raise PuzzleError("expected a board with cells all around a dot")
    loop = Colouring(cells)
    loop.flip(below(rng, cells.num_faces))
    grown = True
    while grown:
        grown = False
        for face in shuffled(rng, range(cells.num_faces)):
            gain = _gain(loop, face)
            if gain is not None and (gain > 0 or (gain == 0 and rng.random() < 0.5)):
                loop.flip(face)
                grown |= gain > 0
    return loop


def _gain(loop: Colouring, face: int) -> int | None:
    """By how much a flip of a face makes the loop longer; ``None`` if it cannot be flipped."""
    if not loop.can_flip(face):
        return None
    return len(loop.board.edges_of(face)) - 2 * loop.count(face)


def _change_near(rng: Random, loop: Colouring, edges: Iterable[int], shrink: float) -> None:
    """Flip a face beside one of these edges; ``shrink`` is the share of flips that shorten it."""
    order = shuffled(rng, sorted({face for edge in edges for face in loop.board.faces_of(edge)}))
    first = -1 if rng.random() < shrink else 0
    for wanted in (first, -1 - first, 1):
        for face in order:
            gain = _gain(loop, face)
            if gain is not None and (gain > 0) - (gain < 0) == wanted:
                loop.flip(face)
                return
