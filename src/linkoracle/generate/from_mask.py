"""From a mask alone: a line whose clues on exactly the given cells make it unique."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import count as from_
from random import Random
from typing import TYPE_CHECKING

from linkoracle.errors import NothingFound
from linkoracle.generate.randomness import below, pick, source
from linkoracle.generate.shapes import two_colour
from linkoracle.generate.shapes.colouring import Colouring
from linkoracle.generate.slitherlinks import MadeSlitherlink, certified
from linkoracle.generate.witnesses import local_rivals
from linkoracle.puzzles import Slitherlink
from linkoracle.sat.rivals import Rivals
from linkoracle.sat.search import Deadline

if TYPE_CHECKING:
    from linkoracle.model import Solution

#: A cell as ``(row, column)``, counted from 0.
Cell = tuple[int, int]

#: Rivals looked at to see how far a line is from being unique.
_RIVALS = 4
#: Steps without progress after which a new line is begun.
_PATIENCE = 150
#: How much worse a step may be, in cells, in the beginning.
_WARMTH = 3.0
#: Cells that one step flips, at most.
_FLIPS = 4


def from_mask(
    rows: int,
    cols: int,
    mask: Iterable[Cell],
    *,
    seed: int = 0,
    index: int = 0,
    tries: int | None = 20,
    timeout: float | Deadline | None = None,
    solver: str | None = None,
    trying: Callable[[], None] | None = None,
) -> MadeSlitherlink:
    """Make a Slitherlink whose clues stand on exactly the cells of ``mask``.

    A line is unique iff every other line changes the number of a cell of the mask; those that do
    not are what is wrong with it. Begin with a `two_colour` line and flip a few cells next to where
    another line differs, wherever that leaves it single; keep the change if the other lines then
    found differ in fewer cells, or now and then if in few more (simulated annealing, Kirkpatrick,
    Gelatt and Vecchi, Science 220, 1983). Other lines that differ by one or two flips are found by
    looking, and only a line without any is put before the SAT solver.

    Raises `NothingFound` when ``tries`` lines led nowhere, which proves nothing (``None``: go on
    until the time is over); `SearchTimeout` after ``timeout`` seconds; ``ValueError`` for a cell
    outside the board.

    >>> ring = [(r, c) for r in range(5) for c in range(5) if r in (0, 4) or c in (0, 4)]
    >>> made = from_mask(5, 5, ring, seed=1)
    >>> [cell for cell, _ in made.puzzle.clue_cells()] == ring
    True
    """
    kept = set()
    for row, col in mask:
        if not (0 <= row < rows and 0 <= col < cols):
            raise ValueError(f"the board has no cell {row},{col}")
        kept.add(row * cols + col)
    deadline = Deadline.of(timeout)
    rng = source(seed, index)
    asked = _Asked(rows, cols, kept, solver, deadline)
    for tried in from_(1) if tries is None else range(1, tries + 1):
        if trying is not None:
            trying()
        line = _anneal(rng, rows, cols, asked)
        if line is None:
            continue
        full = Slitherlink.from_solution(line)
        gone = {divmod(face, cols): None for face in set(range(rows * cols)) - kept}
        puzzle = full.with_clues(gone)
        return certified(
            MadeSlitherlink(
                puzzle,
                line,
                tried,
                questions=asked.questions,
                rounds=asked.rounds,
                cuts=asked.cuts,
            )
        )
    raise NothingFound(f"no line for this mask in {tries} tries, which proves nothing")


class _Asked:
    """What other lines agree with one on the mask, and what it took to find out."""

    def __init__(
        self, rows: int, cols: int, kept: set[int], solver: str | None, deadline: Deadline
    ) -> None:
        self._model = Slitherlink.blank(rows, cols).model
        self._kept = kept
        self._solver = solver
        self._deadline = deadline
        self.questions = self.rounds = self.cuts = 0

    def open_faces(self, line: Solution) -> set[int]:
        """Faces at which other lines with the same clues differ, out of a sample of these."""
        self._deadline.check()
        loose = [faces for faces in local_rivals(line) if self._kept.isdisjoint(faces)]
        if loose:
            return {face for faces in loose for face in faces}
        changed: set[int] = set()
        with Rivals(self._model, line, solver=self._solver) as rivals:
            everything = set(range(len(rivals.counts)))
            for _ in range(_RIVALS):
                self.questions += 1
                # Each rival shall differ at a face where none did so far.
                denied = sorted(everything - self._kept - changed) if changed else []
                rival = rivals.find(self._kept, denied, timeout=self._deadline)
                if rival is None:
                    break
                # A rival may have the same numbers everywhere; any face will do to tell.
                changed |= rival or everything
            self.rounds += rivals.rounds
            self.cuts += rivals.cuts
        return changed


def _anneal(rng: Random, rows: int, cols: int, asked: _Asked) -> Solution | None:
    """One line, improved until it is unique or nothing helps for a while."""
    board = Colouring.of(two_colour(rng, rows, cols))
    line = board.outline()
    wrong = asked.open_faces(line)
    best, idle = len(wrong), 0
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
        found = asked.open_faces(changed)
        worse = len(found) - len(wrong)
        warmth = _WARMTH * (1 - idle / _PATIENCE) + 1e-9
        if worse <= 0 or rng.random() < math.exp(-worse / warmth):
            line, wrong = changed, found
            if len(wrong) < best:
                best, idle = len(wrong), 0
        else:
            board.colour[:] = before
    return None if wrong else line
