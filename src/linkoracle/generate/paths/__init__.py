"""A board covered by disjoint paths, which generators join, cut and re-route."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from linkoracle.board import Board, Solution, board_lists
from linkoracle.core import exports

if not TYPE_CHECKING:
    __all__, __getattr__, __dir__ = exports(__name__, {}, own="PathSystem Step")

#: Two neighbouring cells, as vertices of their board.
Step = tuple[int, int]
#: A path goes straight on if it turns by less: the cosine of 40 degrees.
_STRAIGHT = 0.766


@lru_cache(maxsize=4)
def _cells_ahead(board: Board) -> dict[Step, int]:
    """Return the cell straight ahead of each step between neighbours, or -1.

    >>> from linkoracle.board import Lattice
    >>> ahead = _cells_ahead(Lattice(2, 3))
    >>> ahead[0, 1], ahead[1, 2], ahead[1, 4]
    (2, -1, -1)
    """
    places = [complex(*point) for point in board.points or ()]
    found: dict[Step, int] = {}
    for here, steps in enumerate(board_lists(board).around):
        for _, before in steps:
            found[before, here] = -1
            if not places:
                continue
            came = places[here] - places[before]
            best, least = -1, _STRAIGHT
            for _, cell in steps:
                turn = (places[cell] - places[here]) * came.conjugate()
                if turn and turn.real / abs(turn) > least:
                    best, least = cell, turn.real / abs(turn)
            found[before, here] = best
    return found


class PathSystem:
    """Disjoint paths that together use every cell of a board.

    At first every cell is a path. `change` removes a step, adds one, or both; with ``images`` (see
    `PathPlan.images`) it does the same at all images, so the system stays symmetric. A
    change that breaks one of these rules is not made:

    * a path has no cycle and no branch;
    * without ``touching``, cells of a path are neighbours only if consecutive: if cells may stay
      empty, the short cut (*chord*) makes another solution. With ``touching``, only the two ends
      must not touch: that would be a loop with a gap.

    Cells are the vertices of ``board``, by their numbers. A change takes time proportional to the
    paths it touches.
    """

    def __init__(
        self, board: Board, images: Iterable[Sequence[int]] = (), *, touching: bool = False
    ) -> None:
        self.board = board
        cells = range(board.num_vertices)
        around = board_lists(board).around
        self.neighbours = [[beside for _, beside in steps] for steps in around]
        #: The cells before and after each cell on its path.
        self.linked: list[list[int]] = [[] for _ in cells]
        #: The name of each cell's path, and the number of cells by name.
        self.label = list(cells)
        self.size = dict.fromkeys(cells, 1)
        #: The number of turns by name.
        self.turns = dict.fromkeys(cells, 0)
        self._images, self._touching = list(images), touching
        self._next_label = len(cells)
        self._ahead = _cells_ahead(board)
        #: The operations that undo the last change.
        self._undo: list[tuple[Callable[[int, int], None], Step]] = []

    def ahead(self, before: int, here: int) -> int:
        """Return the neighbour of ``here`` where a path from ``before`` goes straight on, or -1."""
        return self._ahead[before, here]

    def walk(self, start: int, before: int = -1) -> list[int]:
        """Return the cells of a path from ``start``, away from ``before``; from an end, all."""
        cells = [start]
        while onward := [cell for cell in self.linked[cells[-1]] if cell != before]:
            before = cells[-1]
            cells.append(onward[0])
        return cells

    def paths(self) -> list[list[int]]:
        """Return the cells of every path from its smaller end, in the order of these ends."""
        ends = [cell for cell, linked in enumerate(self.linked) if len(linked) < 2]
        first = {self.label[cell]: cell for cell in reversed(ends)}
        return [self.walk(cell) for cell in sorted(first.values())]

    def solution(self) -> Solution:
        """Return the steps as chosen edges."""
        walks = [list(map(self.board.position, path)) for path in self.paths()]
        return Solution.from_paths(self.board, walks)

    def puzzle(self, blank: Any) -> Any:
        """Return the ``blank`` Numberlink with the ends, numbered in the order of the cells.

        Raises `PuzzleError` while there is a path of one cell.
        """
        ends = enumerate(((path[0], path[-1]) for path in self.paths()), start=1)
        place = self.board.position
        return blank.with_clues({place(cell): number for number, two in ends for cell in two})

    def joinable(self, x: int, y: int) -> bool:
        """Return whether the step between neighbours ``x`` and ``y`` can be added."""
        label = self.label
        if len(self.linked[x]) > 1 or len(self.linked[y]) > 1 or label[x] == label[y]:
            return False
        if self._touching:
            first, last = self.walk(x)[-1], self.walk(y)[-1]
            return (first, last) == (x, y) or last not in self.neighbours[first]
        if self.size[label[x]] > self.size[label[y]]:
            x, y = y, x
        other = label[y]
        for cell in self.walk(x):
            for near in self.neighbours[cell]:
                if label[near] == other and (cell, near) != (x, y):
                    return False
        return True

    def change(self, out: Step | None = None, into: Step | None = None) -> bool:
        """Remove the step ``out`` and add the step ``into``, at all images as well.

        Returns whether it was possible; if not, nothing has changed.
        """
        self._undo = []
        for y, z in self._orbit(out):
            self._cut(y, z)
            self._undo.append((self.join, (y, z)))
        for x, y in self._orbit(into):
            if not self.joinable(x, y):
                self.undo()
                return False
            self.join(x, y)
            self._undo.append((self._cut, (x, y)))
        if self._touching and any(map(self._is_loop, chain(*self._orbit(out)))):
            self.undo()
            return False
        return True

    def _is_loop(self, cell: int) -> bool:
        """Return whether the two ends of the path of ``cell`` touch."""
        first = self.walk(cell)[-1]
        path = self.walk(first)
        return len(path) > 2 and path[-1] in self.neighbours[first]

    def undo(self) -> None:
        """Undo the last `change`."""
        for back, step in reversed(self._undo):
            back(*step)
        self._undo = []

    def _orbit(self, step: Step | None) -> list[Step]:
        """Return the step and its images, each once."""
        if step is None:
            return []
        found = [step]
        for x, y in ((image[step[0]], image[step[1]]) for image in self._images):
            if (x, y) not in found and (y, x) not in found:
                found.append((x, y))
        return found

    def join(self, x: int, y: int) -> None:
        """Add a step between ends of two paths, `joinable` or not, without its images."""
        if self.size[self.label[x]] > self.size[self.label[y]]:
            x, y = y, x
        small, large = self.label[x], self.label[y]
        for cell in self.walk(x):
            self.label[cell] = large
        self.size[large] += self.size.pop(small)
        self.turns[large] += self.turns.pop(small) + self._turns(x, y) + self._turns(y, x)
        self.linked[x].append(y)
        self.linked[y].append(x)

    def _turns(self, end: int, beyond: int) -> bool:
        """Return whether the path that ends at a cell turns there if extended to ``beyond``."""
        return bool(self.linked[end]) and self.ahead(self.linked[end][0], end) != beyond

    def _cut(self, y: int, z: int) -> None:
        self.linked[y].remove(z)
        self.linked[z].remove(y)
        piece = self.walk(z)
        inner = zip(piece, piece[1:], piece[2:], strict=False)
        turns = sum(self.ahead(one, cell) != other for one, cell, other in inner)
        self.size[self.label[y]] -= len(piece)
        self.turns[self.label[y]] -= turns + self._turns(y, z) + self._turns(z, y)
        self.turns[self._next_label] = turns
        for cell in piece:
            self.label[cell] = self._next_label
        self.size[self._next_label] = len(piece)
        self._next_label += 1
