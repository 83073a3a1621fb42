"""`add_clues`: add the fewest clues that make one solution of a puzzle the only one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations, islice
from math import inf
from typing import Any, Self

import numpy as np

from linkoracle.board import Solution
from linkoracle.core import Deadline, NothingFound, NotSupported, Progress, SearchTimeout, counted
from linkoracle.engines import Cell, Oracle, PieceSolver
from linkoracle.generate.attempts import Preview, Watching, checked, with_all_clues
from linkoracle.generate.clues.reducing import smallest
from linkoracle.generate.loops.kinds import NO_WORD, designs
from linkoracle.kinds import Puzzle, Slitherlink, empty_cells, unknown_clues

#: Number of solutions considered at a time.
_LISTED = 300
#: Conflicts between two checks of the deadline.
_SLICE = 2_000
#: The fraction of the time limit, and the seconds without one, for the first search for few clues.
_SHARE, _SECONDS = 0.25, 5.0
#: Number of candidates between two greedy searches, and seconds to reduce the clues found.
_EACH, _BRIEF = 20, 0.5
_ALIKE = "clues cannot distinguish any solution from all others"
#: Clues by the numbers of their faces.
_Clues = dict[int, int]


@dataclass(frozen=True)
class Added:
    """A puzzle that has become unique, its solution, and the cells with new clues.

    Fewer than ``lower_bound`` new clues leave no solution or several. ``interrupted`` is true if
    Ctrl-C ended the search.
    """

    puzzle: Any
    solution: Solution
    cells: tuple[Cell, ...]
    lower_bound: int
    interrupted: bool = False

    @property
    def proven(self) -> bool:
        """Whether fewer clues cannot suffice."""
        return len(self.cells) == self.lower_bound

    def __str__(self) -> str:
        """Return the numbers of added and of needed clues as a sentence.

        >>> from linkoracle import Slitherlink
        >>> print(add_clues(Slitherlink([[3, None], [None, None]])))
        1 clue added, and fewer do not do
        """
        if not self.cells:
            return "there is one solution already"
        are = "is" if self.lower_bound == 1 else "are"
        bound = f"at least {self.lower_bound} {are} needed"
        if self.proven:
            bound = "fewer do not do"
        return f"{counted(len(self.cells), 'clue')} added, and {bound}"


def adds_clues(kind: type[Puzzle]) -> bool:
    """Return whether `add_clues` takes puzzles of a kind: Slitherlinks, and loops through cells.

    >>> from linkoracle.kinds import KINDS
    >>> adds_clues(KINDS["masyu"]), adds_clues(KINDS["numberlink"])
    (True, False)
    """
    return issubclass(kind, Slitherlink) or (designs(kind) and kind.words != NO_WORD)


def add_clues(
    puzzle: Any,
    *,
    timeout: float | None = None,
    progress: Progress | None = None,
    preview: Preview | None = None,
) -> Added:
    """Make a puzzle unique with as few additional clues as possible; its own clues stay.

    It is a Slitherlink on any board, or of a kind of loops through cells (`adds_clues`). A clue
    without a number may get one, which counts as added. Any of the solutions may become the only
    one.

    For Slitherlinks, a greedy search first adds the clues that leave the fewest of some hundred
    solutions, until one is left. `linkoracle.generate.fewest` then reduces the clues for that
    solution. Next, a SAT solver looks for 0, 1, 2, ... clues that fit at most one of the known
    solutions. An oracle counts the solutions of such clues. If there is one, they are the fewest.
    If there are more, one of them was unknown; if there is none, some clues contradict the board.
    The solver gets this as a constraint and continues. Now and then the greedy search goes on from
    such clues, which may lead to fewer clues for another solution. For other kinds, the fewest
    clues are proven if there are few solutions: see `linkoracle.generate.clues.adding_loops`.

    After ``timeout`` seconds or Ctrl-C, returns the fewest clues found so far. Raises
    `SearchTimeout` or ``KeyboardInterrupt`` if there are none yet, `NothingFound` if the puzzle has
    no solution, or if clues cannot distinguish any solution from all others, and `NotSupported` for
    other kinds. ``progress`` gets the lower bound and the best number, and ``preview`` each best
    puzzle.

    >>> from linkoracle import Slitherlink
    >>> added = add_clues(Slitherlink([[3, None, None], [None, None, None], [3, None, 3]]))
    >>> len(added.cells), added.proven
    (1, True)
    """
    if not adds_clues(type(puzzle)):
        raise NotSupported(
            "clues are added to Slitherlinks and loops through cells, "
            f"not to the kind {puzzle.kind!r}"
        )
    if not isinstance(puzzle, Slitherlink):
        from linkoracle.generate.clues.adding_loops import added_to_loop

        new, solution, bound = added_to_loop(puzzle, Deadline(timeout), progress)
        fuller = puzzle.with_clues(new)
        checked(fuller, solution)
        return Added(fuller, solution, tuple(new), bound)
    unknown, deadline = unknown_clues(puzzle), Deadline(timeout)
    bare = puzzle.with_clues(dict.fromkeys(unknown))
    with Oracle(bare.model) as oracle:
        added = _Adding(bare, oracle, deadline, Watching(preview), progress).run()
    left = {cell: clue for cell, clue in unknown.items() if cell not in added.cells}
    added = replace(added, puzzle=added.puzzle.with_clues(left))
    checked(added.puzzle, added.solution)
    return added


class _Adding:
    """The search for the fewest clues."""

    def __init__(
        self,
        puzzle: Any,
        oracle: Oracle,
        deadline: Deadline,
        watching: Watching,
        progress: Progress | None,
    ) -> None:
        self._puzzle, self._oracle, self._deadline = puzzle, oracle, deadline
        self._watching, self._progress = watching, progress
        board = puzzle.board
        self._name = board.face_name
        self._face = board.face_of
        self._given = [self._face(cell) for cell, _ in puzzle.clue_cells()]
        #: For each empty face, the clues that it may have.
        self._empty = {
            face: range(len(board.edges_of(face)) + 1)
            for face in map(self._face, empty_cells(puzzle))
        }
        self._best: Added | None = None
        self._bound = 0

    def run(self) -> Added:
        interrupted = False
        try:
            self._search()
        except (SearchTimeout, KeyboardInterrupt) as stop:
            if self._best is None:
                raise
            interrupted = isinstance(stop, KeyboardInterrupt)
        if self._best is None:
            raise NothingFound(_ALIKE)
        best = self._best
        return Added(best.puzzle, best.solution, best.cells, self._bound, interrupted)

    def _search(self) -> None:
        """Search until the best puzzle is proven to be the best."""
        first = self._sample({})
        if not first.solutions:
            raise NothingFound("the puzzle has no solution, and more clues cannot add one")
        if not self._empty and len(first.solutions) > 1:
            raise NothingFound(_ALIKE)
        left = self._deadline.left
        # Find any minimal puzzle first: there may be no time for a better one.
        self._reduce(first.solutions[0], inf, below=0)
        self._improve({}, first, _SECONDS if left is None else _SHARE * left)
        if not self._most:
            return
        known, candidates = [one.counts() for one in first.solutions], 0
        with _Formula(self._empty, self._most, known, self._deadline) as formula:
            while self._bound < self._most:
                self._report()
                clues = formula.clues(self._bound, self._deadline)
                if clues is None:
                    self._bound += 1
                    continue
                verdict = self._oracle.ask(self._named(clues), core=True, timeout=self._deadline)
                if verdict.unique:
                    self._found(clues, verdict.solutions[0])
                    return
                if verdict.core is not None:
                    formula.contradict(
                        {self._face(cell): clues[self._face(cell)] for cell in verdict.core}
                    )
                for solution in verdict.solutions:
                    formula.know(solution.counts())
                candidates += 1
                if verdict.solutions and candidates % _EACH == 0:
                    self._improve(clues, self._sample(clues), _BRIEF)

    @property
    def _most(self) -> int:
        """The number of clues known to suffice; if unknown, one more than the empty cells."""
        return len(self._empty) + 1 if self._best is None else len(self._best.cells)

    def _report(self) -> None:
        if self._progress is not None and self._best is not None:
            most = self._most
            self._progress(f"at least {self._bound} clues, at most {most}", self._bound / most)

    def _named(self, clues: _Clues) -> dict[Cell, int]:
        return {self._name(face): clue for face, clue in clues.items()}

    def _sample(self, clues: _Clues) -> _Sample:
        return _Sample(self._oracle, self._named(clues), [*self._empty], self._deadline)

    def _found(self, clues: _Clues, solution: Solution) -> None:
        """Keep clues that leave only this solution, if they are the fewest so far."""
        if self._best is not None and len(clues) >= len(self._best.cells):
            return
        named = self._named(clues)
        best = Added(self._puzzle.with_clues(named), solution, tuple(named), 0)
        self._best = best
        self._watching.show(lambda: (best.puzzle, solution), now=True)

    def _improve(self, clues: _Clues, sample: _Sample, seconds: float) -> None:
        """Add to these clues until one solution is left, then reduce the clues of that solution."""
        while True:
            chosen = sample.greedily(self._deadline)
            if chosen is None:
                return
            solution, more = chosen
            clues = {**clues, **more}
            if sample.whole:
                break
            sample = self._sample(clues)
        self._found(clues, solution)
        if clues:
            self._reduce(solution, seconds, self._most + len(self._given))

    def _reduce(self, solution: Solution, seconds: float, below: int) -> None:
        """Find few clues for this solution; a minimum if it has fewer than ``below`` clues."""
        full, given = with_all_clues(self._puzzle, solution), map(self._name, self._given)
        left = self._deadline.left
        brief = Deadline(seconds if left is None else min(seconds, left))
        try:
            best = smallest(full, solution, brief, None, given, below=below)
        except SearchTimeout:
            self._deadline.check()
            return
        except NothingFound:
            # Another solution has the same clues.
            return
        faces = {self._face(cell): clue for cell, clue in best.puzzle.clue_cells()}
        self._found({face: faces[face] for face in self._empty if face in faces}, solution)
        if best.interrupted:
            raise KeyboardInterrupt


class _Sample:
    """Solutions of a puzzle with some clues; all solutions, unless there are too many.

    Only the clues of the solutions at these ``faces`` matter.
    """

    def __init__(
        self, oracle: Oracle, clues: dict[Cell, int], faces: list[int], deadline: Deadline
    ) -> None:
        with closing(oracle.solutions(clues, timeout=deadline.left)) as listed:
            self.solutions = list(islice(listed, _LISTED + 1))
        self.whole = len(self.solutions) <= _LISTED
        self._faces = faces
        every = [solution.counts() for solution in self.solutions]
        counts = [[numbers[face] for face in faces] for numbers in every]
        self._counts = np.array(counts, dtype=np.uint8)

    def greedily(self, deadline: Deadline) -> tuple[Solution, _Clues] | None:
        """Return clues that leave one of the solutions; each leaves as few as possible.

        ``None`` if each solution shares all its clues with another one.
        """
        _, kind, times = np.unique(self._counts, axis=0, return_inverse=True, return_counts=True)
        alone = times[kind.reshape(-1)] == 1
        if not alone.any():
            return None
        left = np.ones(len(self._counts), dtype=np.bool_)
        clues: _Clues = {}
        while left.sum() > 1:
            deadline.check()
            best = (len(left), 0, 0)
            for clue in range(int(self._counts.max()) + 1):
                fits = self._counts == clue
                sizes = fits[left].sum(axis=0)
                # The solutions left must include one with clues unlike all others.
                sizes[~fits[left & alone].any(axis=0)] = len(left)
                column = int(sizes.argmin())
                best = min(best, (int(sizes[column]), column, clue))
            _, column, clue = best
            clues[self._faces[column]] = clue
            left &= self._counts[:, column] == clue
        return self.solutions[int(left.argmax())], clues


class _Formula:
    """A formula for clues, with constraints from known solutions. Use as a context manager.

    ``faces`` has the clues that each may have. Variables: the face has this clue; the face has a
    clue other than this; the clues fit this solution; the clues fit this solution or an earlier
    one.
    """

    def __init__(
        self,
        faces: Mapping[int, range],
        most: int,
        known: Iterable[list[int]],
        deadline: Deadline,
    ) -> None:
        from pysat.card import ITotalizer

        self._clues = [(face, clue) for face, clues in faces.items() for clue in clues]
        #: The variable of each face and clue; the variable of another clue is `_other` later.
        self._has = {one: number for number, one in enumerate(self._clues, start=1)}
        self._faces, self._other = faces, len(self._clues)
        inputs = list(self._has.values())
        totalizer = ITotalizer(inputs, ubound=most, top_id=2 * self._other)
        self._bounds, self._top = totalizer.rhs, totalizer.top_id
        self._solver = PieceSolver("glucose4", _SLICE)
        for clause in totalizer.cnf.clauses:
            self._solver.add(clause)
        totalizer.delete()
        self._last: int | None = None
        for face, clues in faces.items():
            variables = [self._has[face, clue] for clue in clues]
            for one, another in combinations(variables, 2):
                self._solver.add([-one, -another])
            for one in variables:
                others = [other for other in variables if other != one]
                self._solver.add([-one - self._other, *others])
        for numbers in known:
            deadline.check()
            self.know(numbers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.close()

    def know(self, counts: list[int]) -> None:
        """Add a solution, by its counts: the clues fit at most one of all added solutions."""
        fits, some = self._top + 1, self._top + 2
        self._top += 2
        differs = [self._has[face, counts[face]] + self._other for face in self._faces]
        self._solver.add([fits, *differs])
        self._solver.add([-fits, some])
        if self._last is not None:
            self._solver.add([-self._last, some])
            self._solver.add([-self._last, -fits])
        self._last = some

    def contradict(self, clues: _Clues) -> None:
        """Exclude clues that leave no solution."""
        self._solver.add([-self._has[one] for one in clues.items()])

    def clues(self, size: int, deadline: Deadline) -> _Clues | None:
        """Return up to ``size`` clues that may leave one solution; ``None`` if there are none."""
        # If all faces may have a clue, there is no bound.
        bound = [-self._bounds[size]] if size < len(self._bounds) else []
        if not self._solver.solve(bound, deadline):
            return None
        chosen = (literal - 1 for literal in self._solver.model()[: self._other] if literal > 0)
        return dict(self._clues[one] for one in chosen)
