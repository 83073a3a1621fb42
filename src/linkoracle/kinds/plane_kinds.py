"""The kinds whose cells may be the faces of any board: see `linkoracle.kinds.plane`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import isqrt
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Self

from linkoracle.board.adjacency import dual, neighbours
from linkoracle.board.board import Board
from linkoracle.board.model import PASS, LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.errors import counted
from linkoracle.kinds.numberlink import APART, Numberlink, PathPuzzle
from linkoracle.kinds.plane import PlanePuzzle
from linkoracle.kinds.puzzle import Another, IsEasy, line_faults
from linkoracle.kinds.simpleloop import HoleLoop, SimpleLoop, loop_through
from linkoracle.kinds.slitherlink import UNKNOWN, Slitherlink

if TYPE_CHECKING:
    from linkoracle.kinds.lines import Lines


@dataclass(frozen=True, repr=False)
class PlaneSlitherlink(PlanePuzzle):
    """A Slitherlink on any board: one closed loop, and clues for the sides of faces.

    A clue is at most the number of sides of its face. Made by `linkoracle.Slitherlink.on`.

    >>> import networkx as nx
    >>> from linkoracle import Board
    >>> honeycomb = Board.from_graph(nx.hexagonal_lattice_graph(2, 2))
    >>> puzzle = Slitherlink.on(honeycomb, "5..3")
    >>> puzzle, dict(puzzle.clue_cells())
    (Slitherlink.on(<Board: 16 vertices, 19 edges, 4 faces>, '5..3'), {0: 5, 3: 3})
    """

    grid_kind = Slitherlink
    #: The greatest clue depends on the face.
    max_clue: ClassVar[int | None] = None
    clue: ClassVar[str] = "a clue up to the number of sides or '?'"
    formats = ("loopy",)
    variants: ClassVar = {"loop": "", "fill": "every dot used"}
    instructions: ClassVar = {
        variant: "Join neighbouring dots by lines along the sides of the cells, so that they form "
        f"one closed loop{more} that neither crosses itself nor branches. A number shows how many "
        "sides of its cell belong to the loop."
        for variant, more in (("loop", ""), ("fill", " through every dot"))
    }

    def _max_clue(self, face: int) -> int:
        starts = self.tiling.layout.face_starts
        return starts[face + 1] - starts[face]

    def _expected_clue(self, face: int) -> str:
        return f"a clue from 0 to {self._max_clue(face)} or '?'"

    @classmethod
    def from_solution(cls, solution: Solution) -> Self:
        """Return the board with the clue of ``solution`` in every face."""
        return cls(solution.board, tuple(solution.counts()))

    @cached_property
    def model(self) -> LinkModel:
        """The constraints for the engines: the board, and the counts of sides of faces."""
        model = LinkModel.blank_loop(self.board).with_faces(
            {face: clue for face, clue in self.clue_cells() if clue != UNKNOWN}
        )
        if self.variant == "fill":
            model = replace(model, degrees=bytes([PASS]) * self.board.num_vertices)
        return self.with_fixed(model)

    def faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each clue, given line or other rule that lines break."""
        for face, clue in self.clue_cells():
            walk = self.tiling.walk(face)
            sides: Any = zip(walk, [*walk[1:], walk[0]], strict=True)
            around = sum(lines.has_edge(*side) for side in {tuple(sorted(one)) for one in sides})
            if clue not in (UNKNOWN, around):
                yield f"the clue {clue} of face {face} has {counted(around, 'line')} around it"
        yield from self.fixed_faults(lines)
        for dot in range(self.board.num_vertices) if self.variant == "fill" else ():
            if dot not in lines:
                yield f"the dot {dot} is not used"
        yield from line_faults(lines)


@dataclass(frozen=True, repr=False)
class PlaneNumberlink(PathPuzzle[int], PlanePuzzle):
    """A Numberlink on the cells of any board: paths run from face to face across a side.

    >>> import networkx as nx
    >>> from linkoracle import Board
    >>> honeycomb = Board.from_graph(nx.hexagonal_lattice_graph(2, 2))
    >>> Numberlink.on(honeycomb, "1221").pairs()
    {1: (0, 3), 2: (1, 2)}
    """

    grid_kind = Numberlink
    instructions: ClassVar = {
        variant: "Join each pair of equal numbers by a line that runs from cell to neighbouring "
        "cell across their sides. There is at most one line in a cell, and no line passes through "
        f"a number.{more}"
        for variant, more in (
            ("free", ""),
            ("fill", " Every cell has a line."),
            ("apart", f" {APART}"),
            ("fill-apart", f" {APART} Every cell has a line."),
        )
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_pairs()

    @cached_property
    def model(self) -> LinkModel:
        """The constraints for the engines: faces as vertices, numbers as terminals."""
        return self._model_of([*self.pairs().values()])

    def _cells(self) -> Iterable[int]:
        return range(self.tiling.num_faces)

    def _after(self, cell: int) -> Iterable[int]:
        return (other for other in neighbours(self.board)[cell] if other > cell)


def _loop_through_faces(
    tiling: Board, rng: Random, another: Another, is_easy: IsEasy = None
) -> tuple[PlaneSimpleLoop, Solution] | None:
    def puzzle_of(solution: Solution) -> PlaneSimpleLoop:
        used = {face for walk in solution.paths() for face in walk}
        holes = (face for face in range(tiling.num_faces) if face not in used)
        found: PlaneSimpleLoop = SimpleLoop.on(tiling, dict.fromkeys(holes, 0))
        return found

    return loop_through(dual(tiling), isqrt(tiling.num_faces), rng, another, puzzle_of, is_easy)


@dataclass(frozen=True, repr=False)
class PlaneSimpleLoop(HoleLoop[int], PlanePuzzle):
    """A Simple Loop on the cells of any board: one loop through every face that is not a hole.

    >>> import networkx as nx
    >>> from linkoracle import Board
    >>> SimpleLoop.on(Board.from_graph(nx.hexagonal_lattice_graph(2, 2)), "*...").holes
    (0,)
    """

    grid_kind = SimpleLoop
    face_maker = _loop_through_faces
    instructions: ClassVar = {
        "loop": "Draw one closed loop that runs from cell to neighbouring cell across their sides. "
        "It passes once through every white cell, and through no black one."
    }

    def _cells(self) -> Iterable[tuple[int, Any]]:
        return enumerate(self.clues)
