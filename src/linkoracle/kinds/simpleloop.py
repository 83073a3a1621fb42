"""Simple Loop: one closed loop through every cell that is not a hole.

The loop runs from cell to neighbouring cell and neither crosses nor branches. Holes are the only
clues. A hole is ``*`` in text, and 0, its number of lines, in JSON and in grids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from math import isqrt
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from linkoracle.board import HOLE, PASS, Board, Lattice, LinkModel, Solution
from linkoracle.core import PuzzleError, below, shuffled
from linkoracle.kinds.fixed import FixedPuzzle
from linkoracle.kinds.puzzle import (
    LOOP,
    Another,
    Cell,
    Example,
    IsEasy,
    Pzpr,
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
    return _loop_through(cells, across, rng, another, SimpleLoop.from_solution, is_easy)


def _made_on_faces(
    tiling: Board, rng: Random, another: Another, is_easy: IsEasy = None
) -> tuple[SimpleLoop, Solution] | None:
    def puzzle_of(solution: Solution) -> SimpleLoop:
        used = {face for walk in solution.walks() for face in walk}
        holes = (face for face in range(tiling.num_faces) if face not in used)
        return SimpleLoop.on(tiling, dict.fromkeys(holes, 0))

    across = isqrt(tiling.num_faces)
    return _loop_through(tiling.dual, across, rng, another, puzzle_of, is_easy)


def _loop_through(
    cells: Board,
    across: int,
    rng: Random,
    another: Another,
    puzzle_of: Callable[[Solution], Loop],
    is_easy: IsEasy = None,
) -> tuple[Loop, Solution] | None:
    """Make a puzzle with few holes whose loop is its only solution; return ``None`` on failure.

    First changes a random loop near its differences from an alternative, until there is none. Then
    removes holes as long as the loop is unique and the puzzle satisfies ``is_easy``. ``cells`` has
    a vertex for each cell, and about ``across`` vertices in a row.
    """

    def outlined(loop: Colouring) -> tuple[Loop, Solution]:
        solution = loop.outline()
        return puzzle_of(solution), solution

    def fits(puzzle: Loop) -> bool:
        return is_easy is None or is_easy(puzzle)

    loop = _first(rng, cells)
    rounds = _ROUNDS_PER_ROW * across
    for done in range(rounds):
        puzzle, solution = outlined(loop)
        other = another(puzzle, solution)
        if other is None:
            if not fits(puzzle):
                # Fewer holes would make it even harder.
                return None
            break
        # More holes leave fewer loops, so shrink the loop more often as time goes on.
        differing = set(solution.edges) ^ set(other.edges)
        _change_near(rng, loop, differing, 0.25 + 0.75 * done / rounds)
    else:
        return None
    for face in shuffled(rng, range(cells.num_faces)):
        if (_gain(loop, face) or 0) > 0:
            loop.flip(face)
            puzzle, solution = outlined(loop)
            if another(puzzle, solution) is not None or not fits(puzzle):
                loop.flip(face)
    return outlined(loop)


class SimpleLoop(FixedPuzzle):
    """A Simple Loop of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of 0 for a hole, or ``None``. ``given`` and ``forbidden`` are lines that every
    solution has, or lacks, as pairs of neighbouring cells. Raises `PuzzleError` for ragged rows,
    anything else in a cell, and lines that are off the board, at a hole although they are given, or
    both given and forbidden.

    >>> puzzle = SimpleLoop.from_holes(3, 3, [(1, 1)])
    >>> puzzle.grid[1], puzzle.holes
    ((None, 0, None), ((1, 1),))
    """

    kind = "simpleloop"
    title = "Simple Loop"
    variants: ClassVar = {"loop": ""}
    instruction = f"{LOOP}. It passes once through every white cell, and through no black one."
    example = Example("..*.. ..... .*... ...*. .....", (((0, 0), "RDRDRUURDDDDLLULDLUUUU"),))
    through_cells = True
    look = "filled"
    unit = "holes"
    symbols: ClassVar = {0: "*"}
    clue = "a hole (0)"
    max_clue = 0
    pzpr = Pzpr("bits", {("simpleloop", ""): None})
    maker = _made
    face_maker = _made_on_faces
    on_faces: ClassVar = {
        "instructions": {
            "loop": "Draw one closed loop that runs from cell to neighbouring cell across their "
            "sides. It passes once through every white cell, and through no black one."
        }
    }

    @classmethod
    def from_holes(cls, rows: int, cols: int, holes: Iterable[Cell]) -> Self:
        """Return the board with holes in these cells."""
        return cls.blank(rows, cols).with_clues(dict.fromkeys(holes, 0))

    @classmethod
    def from_solution(cls, solution: Solution) -> Self:
        """Return the board whose holes are the cells without a line."""
        used = {cell for walk in solution.paths() for cell in walk}
        blank = cls.blank(solution.lattice.rows, solution.lattice.cols)
        return blank.with_clues((cell, 0) for cell in blank.faces.face_names if cell not in used)

    @property
    def holes(self) -> tuple[Any, ...]:
        """The cells that are holes, in reading order."""
        return tuple(cell for cell, _ in self.clue_cells())

    def _check_annotations(self) -> None:
        super()._check_annotations()
        self._check_avoids(self.holes)

    @cached_property
    def model(self) -> LinkModel:
        """The constraints for the engines: cells as vertices, each used unless it is a hole."""
        degrees = bytes(PASS if clue is None else HOLE for clue in self.clues)
        model = LinkModel.blank_loop(self.board)
        return self.with_fixed(replace(model, degrees=degrees, kind=self.kind))

    def faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each rule that lines break: one loop through all cells but holes."""
        for cell, clue in zip(self.faces.face_names, self.clues, strict=True):
            if (cell in lines) == (clue is not None):
                what = "the cell is not used" if clue is None else "the hole is used"
                yield f"{what} at {place_of(cell)}"
        yield from lines.fixed_faults(self.given, self.forbidden)
        yield from lines.faults(what="cell")


#: The loops to try on a board, for each row or column.
_ROUNDS_PER_ROW = 20


def _first(rng: Random, cells: Board) -> Colouring:
    """Return a random loop that no flip of one face lengthens."""
    from linkoracle.board.colouring_kernel import Colouring

    if cells.num_faces < 1:
        found = cells.vertices_in_words("cell")
        raise PuzzleError(f"expected a board with cells all around a dot, found {found}")
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
    """Return by how much a flip of a face lengthens the loop; ``None`` if it cannot flip."""
    if not loop.can_flip(face):
        return None
    return len(loop.board.edges_of(face)) - 2 * loop.count(face)


def _change_near(rng: Random, loop: Colouring, edges: Iterable[int], shrink: float) -> None:
    """Flip a face beside one of these edges, to shorten the loop with probability ``shrink``."""
    order = shuffled(rng, sorted({face for edge in edges for face in loop.board.faces_of(edge)}))
    first = -1 if rng.random() < shrink else 0
    for sign in (first, -1 - first, 1):
        for face in order:
            gain = _gain(loop, face)
            if gain is not None and (gain > 0) - (gain < 0) == sign:
                loop.flip(face)
                return
