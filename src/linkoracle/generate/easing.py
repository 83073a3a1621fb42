"""Change the clues of a puzzle until it is as hard as requested."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from linkoracle.board.solution import Solution
from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import shuffled
from linkoracle.generate.cell_loops import reduced
from linkoracle.kinds import Puzzle
from linkoracle.kinds.cell_loops import CellLoop
from linkoracle.kinds.cell_paths import CellPath
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import Another

if TYPE_CHECKING:
    from linkoracle.deduce.grading import Within

#: Number of orders in which clues are restored before a puzzle is given up, and number of orders of
#: removal that may fail to make it harder.
_ORDERS, _IDLE = 8, 5
#: For each number of this many clues, one is restored before others are removed.
_RESTORED = 4


def fewest(most: int, is_easy: Callable[[int], bool]) -> int:
    """Return how few of ``most`` groups of clues, in order, make a puzzle easy enough.

    More clues rarely make a puzzle harder. Raises `NothingFound` if all groups do not suffice.
    """
    number = bisect_left(range(most + 1), True, key=is_easy)
    if number > most:
        raise NothingFound("are harder than requested with all clues")
    return number


@dataclass(frozen=True)
class Fitting:
    """Changes the clues of puzzles of one ``loop`` until they have a ``grade``.

    The clues of an orbit in ``every`` are removed together. Given lines count as clues, too.
    ``another`` searches for a second solution.
    """

    loop: Solution
    every: Sequence[Sequence[int]]
    grade: Within
    rng: Random
    deadline: Deadline
    another: Another
    #: The scores of the puzzles graded so far, and the alternatives that `reduced` has found.
    _scores: dict[Puzzle, int | None] = field(default_factory=dict, init=False)
    _met: dict[Any, Solution] = field(default_factory=dict, init=False)

    def fitted(self, puzzle: Puzzle, difference: int) -> Puzzle | None:
        """Remove clues, or restore some, until a puzzle has the grade; ``None`` if that fails.

        ``difference`` is the result of `Within.check` for the puzzle.
        """
        if difference < 0 and isinstance(puzzle, CellLoop):
            puzzle = self._harder(puzzle)
            difference = self.grade.compare(self._points(puzzle))
        if difference > 0:
            return self._easier(puzzle)
        return None if difference else puzzle

    def _points(self, puzzle: Puzzle) -> int | None:
        if puzzle not in self._scores:
            self._scores[puzzle] = self.grade.points(puzzle, self.deadline)
        return self._scores[puzzle]

    def _harder(self, puzzle: CellLoop) -> CellLoop:
        """Remove clues until none is redundant, restore a few, and repeat while it gets harder."""
        low, _ = self.grade.scores
        fuller, best, idle = puzzle, -1, 0
        while idle < _IDLE:
            about = (self.loop, self.rng, self.another, self.every)
            fewer = reduced(fuller, *about, minimal=True, met=self._met)
            points = self._points(fewer)
            if points is None or points >= low:
                return fewer
            idle = 0 if points > best else idle + 1
            if points >= best:
                puzzle, best = fewer, points
            more = 1 + puzzle.number_of_clues // _RESTORED
            *_, fuller = puzzle, *islice(self._fuller(puzzle), more)
            if fuller is puzzle:
                break
        return puzzle

    def _easier(self, puzzle: Puzzle) -> Puzzle | None:
        """Restore clues until a puzzle has the grade.

        If the last clue makes the puzzle too easy, restore others instead.
        """
        for _ in range(_ORDERS):
            steps: list[Puzzle] = [puzzle, *self._fuller(puzzle)]
            low, high, ahead = 0, len(steps), 1
            while high - low > 1:
                # Twice as many clues each time, until they are enough.
                place = low + ahead if high == len(steps) else (low + high) // 2
                place, ahead = min(place, len(steps) - 1), 2 * ahead
                difference = self.grade.compare(self._points(steps[place]))
                if not difference:
                    return steps[place]
                low, high = (place, high) if difference > 0 else (low, place)
            if high == len(steps):
                return None
            puzzle = steps[low]
        return None

    def _fuller(self, puzzle: Any) -> Iterator[Any]:
        """Yield puzzles of the loop, each with one more orbit of clues, or one more given line."""
        if not isinstance(puzzle, CellLoop):
            return
        loop = self.loop
        left = dict(puzzle.clues_of(Lines.of(loop)))
        if isinstance(puzzle, CellPath):
            # The clues of a Zip are 1, 2, 3 ... and leave no room for others along the path.
            puzzle = puzzle.with_clues({cell: left[cell] for cell, _ in puzzle.clue_cells()})
        there = dict(puzzle.clue_cells())
        for orbit in shuffled(self.rng, self.every):
            cells = [divmod(cell, puzzle.cols) for cell in orbit]
            more = {cell: left[cell] for cell in cells if cell in left}
            if len(more) == len(cells) and any(there.get(cell) != more[cell] for cell in cells):
                fuller = puzzle.with_clues(more)
                # With another clue, the loop may break a rule, as in kinds whose clues close cells.
                if not fuller.violations(loop):
                    puzzle = fuller
                    yield puzzle.renumbered()
        if puzzle.given:
            board = loop.lattice
            ends: list[Any] = [tuple(sorted(map(board.position, board.ends(e)))) for e in loop]
            for line in shuffled(self.rng, [one for one in ends if one not in puzzle.given]):
                puzzle = replace(puzzle, given=tuple(sorted((*puzzle.given, line))))
                yield puzzle
