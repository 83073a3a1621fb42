"""`add_clues`: add the fewest clues that make one solution of a puzzle the only one."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from linkoracle.core.errors import NothingFound, SearchTimeout
from linkoracle.core.limits import Deadline, Progress
from linkoracle.core.renamed import with_old_arguments
from linkoracle.generate.hitting import smallest
from linkoracle.generate.removal import with_all_clues
from linkoracle.generate.watching import Preview, Watching
from linkoracle.kinds.puzzle import empty_cells
from linkoracle.sat.answers import Cell
from linkoracle.sat.clauses import PieceSolver
from linkoracle.sat.oracle import Oracle

if TYPE_CHECKING:
    from linkoracle.board.board import Board
    from linkoracle.board.solution import Solution

#: Number of solutions considered at the start.
_LISTED = 300
#: Conflicts between two checks of the deadline.
_SLICE = 2_000
#: The fraction of the time limit, and the seconds without one, for the first search for few clues.
_SHARE, _SECONDS = 0.25, 5.0

_ALIKE = "clues cannot tell any solution from all others"

#: Clues by cell.
_Clues = dict[Cell, int]


@dataclass(frozen=True)
class Added:
    """A puzzle that has become unique, its solution, and the cells with new clues.

    Fewer than ``lower_bound`` new clues leave no solution or several.
    """

    puzzle: Any
    solution: Solution
    cells: tuple[Cell, ...]
    lower_bound: int

    @property
    def proven(self) -> bool:
        """Whether fewer clues cannot suffice."""
        return len(self.cells) == self.lower_bound


@with_old_arguments
def add_clues(
    puzzle: Any,
    *,
    timeout: float | None = None,
    progress: Progress | None = None,
    preview: Preview | None = None,
) -> Added:
    """Make a puzzle unique with as few additional clues as possible; its own clues stay.

    Any of the solutions may become the only one. The puzzle may be on any board.

    A greedy search first adds the clues that leave the fewest of some hundred solutions, until one
    is left. `linkoracle.generate.fewest` then reduces the clues for that solution. Next, a SAT
    solver looks for 0, 1, 2, ... clues that fit at most one of the known solutions. An oracle
    counts the solutions of such clues. If there is one, they are the fewest. If there are more, one
    of them was unknown; if there is none, some clues contradict the board. The solver gets this as
    a constraint and continues.

    After ``timeout`` seconds, returns the fewest clues found so far. Raises `SearchTimeout` if
    there are none yet, and `NothingFound` if the puzzle has no solution, or if clues cannot
    distinguish any solution from all others. ``progress`` gets the lower bound, and ``preview`` the
    best puzzle so far.

    >>> from linkoracle import Slitherlink
    >>> added = add_clues(Slitherlink([[3, None, None], [None, None, None], [3, None, 3]]))
    >>> len(added.cells), added.proven
    (1, True)
    """
    deadline, watching = Deadline(timeout), Watching(preview)
    with Oracle(puzzle.model) as oracle:
        first = _Sample(puzzle, oracle, {}, deadline)
        if not first.solutions:
            raise NothingFound("the puzzle has no solution, and more clues cannot add one")
        if not first.empty and len(first.solutions) > 1:
            raise NothingFound(_ALIKE)
        few = _few(puzzle, oracle, first, deadline, watching)
        if few is not None and not few.cells:
            return few
        most, size = len(first.empty) + 1 if few is None else len(few.cells), 0
        try:
            with _Formula(puzzle, first, most, deadline) as formula:
                for size in range(most):
                    if progress is not None:
                        progress(f"at least {size} clues, at most {most}", size / most)
                    found = _unique(puzzle, oracle, formula, size, deadline)
                    if found is not None:
                        return found
        except SearchTimeout:
            if few is None:
                raise
            return Added(few.puzzle, few.solution, few.cells, size)
    if few is None:
        raise NothingFound(_ALIKE)
    return Added(few.puzzle, few.solution, few.cells, most)


def _unique(
    puzzle: Any, oracle: Oracle, formula: _Formula, size: int, deadline: Deadline
) -> Added | None:
    """Return this number of clues that leave one solution; ``None`` proves there are none."""
    while (clues := formula.clues(size, deadline)) is not None:
        verdict = oracle.ask(clues, timeout=deadline)
        if verdict.unique:
            return Added(puzzle.with_clues(clues), verdict.solutions[0], tuple(clues), size)
        if verdict.core is not None:
            formula.contradict(verdict.core)
        for solution in verdict.solutions:
            formula.know(formula.counts_of(solution))
    return None


def _few(
    puzzle: Any, oracle: Oracle, sample: _Sample, deadline: Deadline, watching: Watching
) -> Added | None:
    """Return few clues that leave one solution; ``None`` if none were found."""
    clues: _Clues = {}
    while True:
        chosen = sample.greedily(deadline)
        if chosen is None:
            return None
        solution, more = chosen
        clues |= more
        if sample.whole:
            break
        sample = _Sample(puzzle, oracle, clues, deadline)
    made = puzzle.with_clues(clues)
    found = Added(made, solution, tuple(clues), 0)
    watching.show(lambda: (made, solution))
    given = [cell for cell, _ in puzzle.clue_cells()]
    left = deadline.left
    brief = Deadline(_SECONDS if left is None else _SHARE * left)
    try:
        full = with_all_clues(puzzle, solution)
        best = smallest(full, solution, brief, None, given, watching)
    except SearchTimeout:
        return found
    if best.interrupted:
        raise KeyboardInterrupt
    if best.clues >= made.number_of_clues:
        return found
    cells = tuple(cell for cell, _ in best.puzzle.clue_cells() if cell not in given)
    return Added(best.puzzle, solution, cells, 0)


class _Sample:
    """Solutions of a puzzle, all of them if there are not too many.

    ``counts`` has a row for each solution, with its clue in each of the ``empty`` cells.
    """

    def __init__(self, puzzle: Any, oracle: Oracle, clues: _Clues, deadline: Deadline) -> None:
        with closing(oracle.solutions(clues, timeout=deadline.left)) as listed:
            self.solutions = list(islice(listed, _LISTED + 1))
        self.whole = len(self.solutions) <= _LISTED
        self.empty = empty_cells(puzzle)
        counts = [_counts(puzzle.board, solution, self.empty) for solution in self.solutions]
        self.counts: NDArray[np.uint8] = np.array(counts, dtype=np.uint8)
        #: The most sides of a cell.
        self.sides = max(map(len, map(puzzle.board.edges_of, range(puzzle.board.num_faces))))

    def greedily(self, deadline: Deadline) -> tuple[Solution, _Clues] | None:
        """Return clues that leave one of the solutions; each leaves as few as possible.

        ``None`` if each solution shares all its clues with another one.
        """
        _, kind, times = np.unique(self.counts, axis=0, return_inverse=True, return_counts=True)
        alone = times[kind.reshape(-1)] == 1
        if not alone.any():
            return None
        left = np.ones(len(self.counts), dtype=np.bool_)
        clues: _Clues = {}
        while left.sum() > 1:
            deadline.check()
            best = (len(left), 0, 0)
            for clue in range(self.sides):
                fits = self.counts == clue
                sizes = fits[left].sum(axis=0)
                # The solutions left must include one with clues unlike all others.
                sizes[~fits[left & alone].any(axis=0)] = len(left)
                column = int(sizes.argmin())
                best = min(best, (int(sizes[column]), column, clue))
            _, column, clue = best
            clues[self.empty[column]] = clue
            left &= self.counts[:, column] == clue
        return self.solutions[int(left.argmax())], clues


def _counts(board: Board, solution: Solution, cells: list[Cell]) -> list[int]:
    """Return the clues of a solution in these cells."""
    counts = solution.counts()
    return [int(counts[board.face_of(cell)]) for cell in cells]


class _Formula:
    """A formula for clues, with constraints from known solutions. Use as a context manager.

    Variables: the cell has this clue; the cell has a clue other than this; the clues fit this
    solution; the clues fit this solution or an earlier one.
    """

    def __init__(self, puzzle: Any, sample: _Sample, most: int, deadline: Deadline) -> None:
        from pysat.card import ITotalizer

        self._board, self._cells = puzzle.board, sample.empty
        #: The clues from 0 to as many as a cell has sides.
        self._width = sample.sides + 1
        clues = range(1, 1 + self._width * len(self._cells))
        self._other = len(clues)
        totalizer = ITotalizer(list(clues), ubound=most, top_id=2 * len(clues))
        self._bounds, self._top = totalizer.rhs, totalizer.top_id
        self._solver = PieceSolver("glucose4", _SLICE)
        for clause in totalizer.cnf.clauses:
            self._solver.add(clause)
        totalizer.delete()
        self._last: int | None = None
        for cell, first in zip(self._cells, clues[:: self._width], strict=True):
            every = range(first, first + self._width)
            sides = len(self._board.edges_of(self._board.face_of(cell)))
            for clue in every[sides + 1 :]:
                self._solver.add([-clue])
            for one, another in combinations(every, 2):
                self._solver.add([-one, -another])
            for clue in every:
                others = [other for other in every if other != clue]
                self._solver.add([-clue - self._other, *others])
        for numbers in sample.counts.tolist():
            deadline.check()
            self.know(numbers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.close()

    def counts_of(self, solution: Solution) -> list[int]:
        """Return the clues of a solution in the cells, as `know` takes them."""
        return _counts(self._board, solution, self._cells)

    def know(self, numbers: list[int]) -> None:
        """Add a solution, by its clues: the clues fit at most one of it and the earlier ones."""
        fits, some = self._top + 1, self._top + 2
        self._top += 2
        width = self._width
        differs = [1 + width * cell + number + self._other for cell, number in enumerate(numbers)]
        self._solver.add([fits, *differs])
        self._solver.add([-fits, some])
        if self._last is not None:
            self._solver.add([-self._last, some])
            self._solver.add([-self._last, -fits])
        self._last = some

    def contradict(self, clues: Mapping[Cell, Any]) -> None:
        """Exclude clues that leave no solution."""
        place = {cell: number for number, cell in enumerate(self._cells)}
        self._solver.add([-1 - self._width * place[cell] - clue for cell, clue in clues.items()])

    def clues(self, size: int, deadline: Deadline) -> _Clues | None:
        """Return up to ``size`` clues that may leave one solution; ``None`` if there are none."""
        if not self._solver.solve([-self._bounds[size]], deadline):
            return None
        chosen = (literal - 1 for literal in self._solver.model()[: self._other] if literal > 0)
        return {self._cells[one // self._width]: one % self._width for one in chosen}
