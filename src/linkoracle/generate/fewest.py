"""The smallest puzzles of a line: a clue set of provably minimum size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from linkoracle.errors import SearchTimeout
from linkoracle.generate.thinning import thin
from linkoracle.generate.witnesses import local_rivals
from linkoracle.interrupts import held_back
from linkoracle.puzzles import Slitherlink
from linkoracle.sat.rivals import Rivals
from linkoracle.sat.search import Deadline

if TYPE_CHECKING:
    from linkoracle.generate.shapes import Ends
    from linkoracle.model import Solution

#: Called after each step with the lower bound so far.
Watching = Callable[[int], None]


@dataclass(frozen=True)
class Fewest:
    """The smallest puzzle found for a line, and what is proven of it.

    No puzzle of this line has fewer than ``lower_bound`` clues; ``puzzle`` has as many exactly if
    ``proven``. ``questions`` counts the searches for another solution, ``rounds`` calls of the SAT
    solver, ``cuts`` clauses added to it; ``interrupted`` says that Ctrl-C ended the search.
    """

    puzzle: Slitherlink
    lower_bound: int
    questions: int
    rounds: int
    cuts: int
    interrupted: bool

    @property
    def proven(self) -> bool:
        """Whether no smaller puzzle exists."""
        return sum(1 for _ in self.puzzle.clue_cells()) == self.lower_bound


def fewest(
    solution: Solution,
    *,
    ends: Ends = None,
    solver: str | None = None,
    timeout: float | Deadline | None = None,
    watching: Watching | None = None,
) -> Fewest:
    """Find a puzzle of a line with as few clues as possible.

    Clues make the line unique iff they meet, for every other line, the set of cells whose numbers
    differ. So a smallest clue set is a smallest *hitting set* of these sets, of which there are far
    too many; but few decide. Take a smallest hitting set of those known so far (PySAT's
    `Hitman <https://pysathq.github.io/docs/html/api/examples/hitman.html>`_); ask for another line
    that it misses; if there is none, it is optimal, since no smaller set hits even the known ones;
    else add what that line changes, and then, each time with the changed cells as clues, what
    further lines change, until none is left. These sets share no cell, and so raise the bound
    together. (Implicit hitting sets: Chandrasekaran, Karp, Moreno-Centeno and Vempala, SODA 2011.)

    A search that is stopped by ``timeout`` or Ctrl-C returns what it has: every round makes a valid
    puzzle, and proves that none has fewer clues than its hitting set. Exponential at worst: boards
    of 7x7 take seconds, of 9x9 minutes.

    Raises `NothingFound` when even the full clues have another solution.

    >>> from linkoracle.lattice import Lattice
    >>> from linkoracle.model import Solution
    >>> best = fewest(Solution(Lattice(3, 3), (0, 1, 3, 5)))
    >>> best.proven, best.puzzle.clues
    (True, ((4, None), (None, None)))
    """
    from pysat.examples.hitman import Hitman

    full = Slitherlink.from_solution(solution, ends)
    blank = Slitherlink.blank(full.rows, full.cols, ends)
    deadline = Deadline.of(timeout)
    everything = set(range(full.rows * full.cols))
    bound = 0
    questions = 0
    interrupted = False
    # A minimal puzzle is no bad start, and settles whether there is any.
    thinned = thin(solution, Random(0), ends=ends, solver=solver, timeout=deadline)
    best = {row * full.cols + col for (row, col), _ in thinned.puzzle.clue_cells()}
    with Rivals(blank.model, solution, solver=solver) as rivals:
        hitter = Hitman(solver="g4", htype="sorted")
        try:
            for faces in local_rivals(solution, ends):
                hitter.hit(list(faces))
            while len(best) > bound:
                deadline.check()
                clues = set(hitter.get() or ())
                bound = len(clues)
                if watching is not None:
                    watching(bound)
                while True:
                    questions += 1
                    rival = rivals.find(clues, timeout=deadline)
                    if rival is None:
                        break
                    hitter.hit(sorted(rival))
                    clues |= rival
                if len(rivals.core) < len(best):
                    best = set(rivals.core)
        except SearchTimeout:
            pass
        except KeyboardInterrupt:
            interrupted = True
        finally:
            # For the same reasons as in `LazySearch.close`.
            with held_back():
                hitter.delete()
        rounds, cuts = rivals.rounds, rivals.cuts
    gone = everything - best
    puzzle = full.with_clues({divmod(face, full.cols): None for face in gone})
    return Fewest(puzzle, bound, questions, rounds, cuts, interrupted)
