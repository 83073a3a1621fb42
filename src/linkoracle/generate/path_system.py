"""A board covered by disjoint links, while a maker joins, cuts and re-routes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

from linkoracle.board.lattice import Lattice
from linkoracle.board.lists import board_lists
from linkoracle.board.solution import Solution
from linkoracle.kinds import Numberlink

#: Two neighbouring cells, as indices in reading order.
Step = tuple[int, int]


class PathSystem:
    """Disjoint paths ("links") that together use every cell of a board.

    At first every cell is a link of its own. `change` takes a step out, puts one in, or both; with
    ``images`` (see `NumberlinkRequest.images`) the same happens at all images at once, so that the
    system stays symmetric. A change that breaks a rule is not made:

    * a link has no cycle and no branch;
    * without ``touching``, no two cells of a link are neighbours unless one follows the other: when
      cells may stay empty, the short cut (*chord*) makes another solution. With ``touching``, only
      the two ends may not touch: that would be a loop with a gap.

    Cells are indices in reading order. A change takes time in proportion to the links it touches.
    """

    def __init__(
        self, rows: int, cols: int, images: Iterable[list[int]] = (), *, touching: bool = False
    ) -> None:
        self.rows, self.cols = rows, cols
        cells = range(rows * cols)
        around = board_lists(Lattice(rows, cols)).around
        self.neighbours = [[beside for _, beside in steps] for steps in around]
        #: The cells before and after each cell on its link.
        self.linked: list[list[int]] = [[] for _ in cells]
        #: The name of each cell's link, and the number of cells by name.
        self.label = list(cells)
        self.size = dict.fromkeys(cells, 1)
        #: The number of turns by name.
        self.turns = dict.fromkeys(cells, 0)
        self._images, self._touching = list(images), touching
        self._next_label = rows * cols
        #: What takes the last change back.
        self._undo: list[tuple[Callable[[int, int], None], Step]] = []

    def walk(self, start: int, before: int = -1) -> list[int]:
        """The cells of a link from ``start`` on, away from ``before``; from an end, all of them."""
        cells = [start]
        while onward := [cell for cell in self.linked[cells[-1]] if cell != before]:
            before = cells[-1]
            cells.append(onward[0])
        return cells

    def links(self) -> list[list[int]]:
        """The cells of every link, from its smaller end; links in the order of these ends."""
        ends = [cell for cell, linked in enumerate(self.linked) if len(linked) < 2]
        first = {self.label[cell]: cell for cell in reversed(ends)}
        return [self.walk(cell) for cell in sorted(first.values())]

    def solution(self) -> Solution:
        """The steps as chosen edges."""
        lattice = Lattice(self.rows, self.cols)
        walks = [[lattice.position(cell) for cell in link] for link in self.links()]
        return Solution.from_paths(lattice, walks)

    def puzzle(self, rule: str) -> Numberlink:
        """The board that shows only the ends, numbered in reading order.

        Raises `PuzzleError` while there is a link of one cell.
        """
        ends = [(divmod(link[0], self.cols), divmod(link[-1], self.cols)) for link in self.links()]
        return Numberlink.from_pairs(self.rows, self.cols, ends, rule)

    def joinable(self, x: int, y: int) -> bool:
        """Whether the step between neighbours ``x`` and ``y`` can be put in."""
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
        """Take the step ``out`` away and put the step ``into`` in, at all images as well.

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
        """Whether the two ends of the link of ``cell`` touch, as those of a cut one may."""
        first = self.walk(cell)[-1]
        link = self.walk(first)
        return len(link) > 2 and link[-1] in self.neighbours[first]

    def undo(self) -> None:
        """Take the last `change` back."""
        for back, step in reversed(self._undo):
            back(*step)
        self._undo = []

    def _orbit(self, step: Step | None) -> list[Step]:
        """The step and its images, each once."""
        if step is None:
            return []
        found = [step]
        for x, y in ((image[step[0]], image[step[1]]) for image in self._images):
            if (x, y) not in found and (y, x) not in found:
                found.append((x, y))
        return found

    def join(self, x: int, y: int) -> None:
        """Put in a step between ends of two links, `joinable` or not; its images stay out."""
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
        """Whether the link that ends at a cell turns there if it goes on to ``beyond``."""
        return bool(self.linked[end]) and self.linked[end][0] + beyond != 2 * end

    def _cut(self, y: int, z: int) -> None:
        self.linked[y].remove(z)
        self.linked[z].remove(y)
        piece = self.walk(z)
        inner = zip(piece, piece[1:], piece[2:], strict=False)
        turns = sum(one + other != 2 * cell for one, cell, other in inner)
        self.size[self.label[y]] -= len(piece)
        self.turns[self.label[y]] -= turns + self._turns(y, z) + self._turns(z, y)
        self.turns[self._next_label] = turns
        for cell in piece:
            self.label[cell] = self._next_label
        self.size[self._next_label] = len(piece)
        self._next_label += 1
