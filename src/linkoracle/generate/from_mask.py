"""From a mask alone: a line whose clues on exactly the given cells make it unique.

A line is unique iff every other line changes the number of a cell of the mask; those that do not
are what is wrong with it. Begin with a `two_colour` line and flip a few cells next to where another
line differs, wherever that leaves it single; keep the change if the other lines then found differ
in fewer cells, or now and then if in few more (simulated annealing, Kirkpatrick, Gelatt and Vecchi,
Science 220, 1983). Other lines that differ by one or two flips are found by looking, and only a
line without any is put before the SAT solver. When none is found, that proves nothing.
"""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import below, pick
from linkoracle.generate.colouring import Colouring
from linkoracle.generate.request import SlitherlinkRequest
from linkoracle.generate.shapes import two_colour
from linkoracle.generate.thinning import Thinned
from linkoracle.generate.witnesses import local_alternatives
from linkoracle.kinds import Slitherlink
from linkoracle.sat.alternatives import SatAlternatives

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution

#: Alternatives looked at to see how far a line is from being unique.
_ALTERNATIVES = 4
#: Steps without progress after which a new line is begun.
_PATIENCE = 150
#: How much worse a step may be, in cells, in the beginning.
_WARMTH = 3.0
#: Cells that one step flips, at most.
_FLIPS = 4


class Annealing:
    """Tries for one mask, the cells of ``request.must``; the statistics are those of all."""

    def __init__(self, request: SlitherlinkRequest, deadline: Deadline) -> None:
        self._blank = Slitherlink.blank(request.rows, request.cols)
        self._kept = request.faces(request.must)
        self._solver = request.solver
        self._deadline = deadline
        self._questions = self._rounds = self._cuts = 0
        #: Of the last try, in how many cells other lines differed at best.
        self.missed = 0

    def attempt(self, rng: Random) -> tuple[Solution, Thinned | None]:
        """One line, improved until it is unique or nothing helps for a while; then ``None``."""
        rows, cols = self._blank.rows, self._blank.cols
        board = Colouring.of(two_colour(rng, rows, cols))
        line = board.outline()
        wrong = self._open_faces(line)
        self.missed, idle = len(wrong), 0
        while wrong and idle < _PATIENCE:
            idle += 1
            before = list(board.colour)
            face = pick(rng, sorted(wrong))
            row, col = divmod(face, cols)
            for _ in range(1 + below(rng, _FLIPS)):
                near_row = min(max(row + below(rng, 5) - 2, 0), rows - 1)
                near_col = min(max(col + below(rng, 5) - 2, 0), cols - 1)
                cell = (near_row + 1) * board.step + near_col + 1
                if board.can_flip(cell):
                    board.flip(cell)
            if board.colour == before:
                continue
            changed = board.outline()
            found = self._open_faces(changed)
            worse = len(found) - len(wrong)
            warmth = _WARMTH * (1 - idle / _PATIENCE) + 1e-9
            if worse <= 0 or rng.random() < math.exp(-worse / warmth):
                line, wrong = changed, found
                if len(wrong) < self.missed:
                    self.missed, idle = len(wrong), 0
            else:
                board.colour[:] = before
        return line, None if wrong else self._result(line)

    def _result(self, line: Solution) -> Thinned:
        full = Slitherlink.from_solution(line)
        puzzle = self._blank.with_clues(
            {(r, c): clue for (r, c), clue in full.clue_cells() if r * full.cols + c in self._kept}
        )
        return Thinned(puzzle, False, self._questions, self._rounds, self._cuts)

    def _open_faces(self, line: Solution) -> set[int]:
        """Faces at which other lines with the same clues differ, out of a sample of these."""
        self._deadline.check()
        loose = [faces for faces in local_alternatives(line) if self._kept.isdisjoint(faces)]
        if loose:
            return {face for faces in loose for face in faces}
        changed: set[int] = set()
        with SatAlternatives(self._blank.model, line, solver=self._solver) as alternatives:
            everything = set(range(len(alternatives.counts)))
            for _ in range(_ALTERNATIVES):
                self._questions += 1
                # Each alternative shall differ at a face where none did so far.
                denied = sorted(everything - self._kept - changed) if changed else []
                alternative = alternatives.find(self._kept, denied, timeout=self._deadline)
                if alternative is None:
                    break
                # An alternative may have the same numbers everywhere; any face will do to tell.
                changed |= alternative or everything
            self._rounds += alternatives.rounds
            self._cuts += alternatives.cuts
        return changed
