"""`IceLoop`: base of kinds with ice, on which a loop goes straight on and may cross itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Self

from linkoracle.board import Solution, crossing
from linkoracle.core import PuzzleError, below, shuffled
from linkoracle.kinds.cell_loops import CellLoop, LoopRules
from linkoracle.kinds.fixed import FIXED, listed_items
from linkoracle.kinds.lines import DIRECTIONS, OPPOSITE, Lines, step
from linkoracle.kinds.puzzle import AnnotationList, Another, Cell, Rows, format_place, place_of

#: The icy cells of an `IceLoop`.
ICE = AnnotationList("icy cells", "ice")


@dataclass(frozen=True, repr=False)
class IceLoop(CellLoop):
    """Base of kinds with ``ice``, a list of cells in which the loop may cross itself.

    The loop goes straight on in them. An icy cell is two vertices of the board, one for each
    direction: see `linkoracle.board.corners.Crossing`. So the model needs no rule for it. Raises
    `PuzzleError` for a cell off the board, for one listed twice, and for one with a clue.
    """

    ice: tuple[Cell, ...] = field(default=(), kw_only=True)

    annotations: ClassVar = {**FIXED, "ice": ICE}

    if TYPE_CHECKING:

        def __init__(
            self,
            clues: Rows,
            *,
            ice: Iterable[Any] = (),
            given: Iterable[Any] = (),
            forbidden: Iterable[Any] = (),
        ) -> None: ...

    def _check_annotations(self) -> None:
        found: set[Cell] = set()
        clues = dict(self.clue_cells())
        for place, cell in enumerate(listed_items(ICE, self.ice)):
            try:
                self.faces.face_of(cell := tuple(cell))
            except (TypeError, ValueError):
                reason = f"expected icy cells of the board, found {format_place(cell)}"
                raise PuzzleError(reason, listed=("ice", place)) from None
            if cell in found or cell in clues:
                twice = "it twice" if cell in found else "a clue there"
                reason = f"expected the icy cell {format_place(cell)} once, found {twice}"
                raise PuzzleError(reason, listed=("ice", place))
            found.add(cell)
        object.__setattr__(self, "ice", tuple(sorted(found)))
        super()._check_annotations()

    @cached_property
    def board(self) -> Any:
        """The cells as vertices, the icy ones twice."""
        return crossing(self.faces, self.ice)

    @cached_property
    def model(self) -> Any:
        """What the engines solve; icy cells may be visited in either direction."""
        rules = LoopRules(self.board, every_cell=self.covers, kind=self.kind)
        for cell in self.ice:
            rules.leave_open(*self.board.vertices_of(cell))
        self.constrain(rules)
        return self.with_fixed(rules.model())

    def used(self, rules: LoopRules, cell: Cell) -> int:
        """Return the literal of an icy cell through which the loop passes, in either direction."""
        return rules.some(map(self.board.visited, self.board.vertices_of(cell)))

    def use_ice(self, rules: LoopRules) -> None:
        """Require that the loop passes every icy cell."""
        for cell in self.ice:
            rules.clause(*map(self.board.visited, self.board.vertices_of(cell)))

    def faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each rule that lines break: those of one loop that may cross."""
        yield from lines.fixed_faults(self.given, self.forbidden)
        broken = [*self._loop_faults(lines)]
        yield from broken
        for cell in self.cells() if self.covers else ():
            if cell not in lines:
                yield f"the cell at {place_of(cell)} is not used"
        if not broken:
            yield from self.clue_faults(lines)

    def _loop_faults(self, lines: Lines) -> Iterator[str]:
        icy = {*self.ice}
        allowed = {"ns", "ew", "ensw"}
        for cell in lines:
            ways = lines.directions(cell)
            if ways not in allowed if cell in icy else len(ways) != 2:
                what = "ends, turns or branches on ice" if cell in icy else "ends or branches"
                yield f"a line {what} at {place_of(cell)}"
                return
        steps = sum(map(lines.degree, lines)) // 2
        if len(walk_over(lines, icy)) != steps or not steps:
            yield "the lines are not one loop"

    @classmethod
    def from_solution(cls, solution: Solution, **annotations: Any) -> Self:
        """Return the board with all clues of a solution, and the ice of its board."""
        return super().from_solution(
            solution, **{"ice": getattr(solution.board, "ice", ()), **annotations}
        )

    def cells(self) -> list[Cell]:
        """Return all cells in reading order, each once."""
        return list(self.faces.face_names)


def walk_over(lines: Lines, ice: Sequence[Cell] | set[Cell]) -> list[Cell]:
    """Return the cells along a loop that goes straight on over ice; crossed cells come twice.

    It begins in its first cell that is not icy, if there is one.
    """
    start = min(lines, key=lambda cell: (cell in ice, cell), default=None)
    if start is None:
        return []
    way = lines.directions(start)[0]
    walk, cell = [start], step(start, way)
    while cell != start or (cell in ice and way != lines.directions(start)[0]):
        walk.append(cell)
        if cell not in ice:
            others = lines.directions(cell).replace(OPPOSITE[way], "")
            way = others[:1] or OPPOSITE[way]
        cell = step(cell, way)
        if len(walk) > 4 * len(lines):
            break
    return walk


#: In puzzles that are made, at most one in so many cells is icy, and the loop crosses itself in one
#: of so many of these.
_ICY, _CROSSED = 3, 3


def drawn_over_ice(
    kind: type[IceLoop], rows: int, cols: int, rng: Random, another: Another
) -> Solution | None:
    """Return a random loop over random ice, which crosses itself; ``None`` if that fails."""
    # A loop turns in corners.
    corners = {(row, col) for row in (0, rows - 1) for col in (0, cols - 1)}
    cells = shuffled(rng, sorted({*product(range(rows), range(cols))} - corners))
    ice = cells[: below(rng, 2 + rows * cols // _ICY)]
    blank = kind.blank(rows, cols, ice=ice)
    every = Solution(blank.board, tuple(range(blank.board.num_edges)))
    found = another(blank, every)
    given: set[Any] = set()
    for cell in ice[: 1 + len(ice) // _CROSSED]:
        beside = [step(cell, way) for way in DIRECTIONS]
        if all(map(blank.has, beside)):
            more: set[Any] = given | {tuple(sorted((cell, other))) for other in beside}
            if (loop := another(replace(blank, given=tuple(more)), every)) is not None:
                found, given = loop, more
    return found
