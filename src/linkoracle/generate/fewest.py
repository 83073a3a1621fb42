"""The smallest puzzles of a line: a clue set of provably minimum size."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from linkoracle.core.errors import SearchTimeout
from linkoracle.core.limits import Deadline, Progress, deferred_signals
from linkoracle.generate.request import SlitherlinkRequest
from linkoracle.generate.thinning import Thinned, thinned
from linkoracle.generate.witnesses import local_alternatives
from linkoracle.kinds import Slitherlink
from linkoracle.sat.alternatives import SatAlternatives

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.generate.colouring import Ends


@dataclass(frozen=True)
class Fewest(Thinned):
    """The smallest puzzle found for a line; it has ``lower_bound`` clues exactly if ``proven``."""

    @property
    def proven(self) -> bool:
        """Whether no smaller puzzle exists."""
        return self.clues == self.lower_bound


def fewest(
    solution: Solution,
    *,
    ends: Ends = None,
    solver: str | None = None,
    timeout: float | None = None,
    progress: Progress | None = None,
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

    ``progress`` is told after each round how many clues are needed at least. Raises `NothingFound`
    when even the full clues have another solution.

    >>> from linkoracle.board.lattice import Lattice
    >>> from linkoracle.board.solution import Solution
    >>> best = fewest(Solution(Lattice(3, 3), (0, 1, 3, 5)))
    >>> best.proven, best.puzzle.clues
    (True, ((4, None), (None, None)))
    """
    return smallest(solution, ends, solver, Deadline(timeout), progress)


def smallest(
    solution: Solution,
    ends: Ends,
    solver: str | None,
    deadline: Deadline,
    progress: Progress | None = None,
) -> Fewest:
    """`fewest` as a step of a maker."""
    from pysat.examples.hitman import Hitman

    full = Slitherlink.from_solution(solution, ends)
    blank = Slitherlink.blank(full.rows, full.cols, ends)
    everything = set(range(full.rows * full.cols))
    bound = questions = 0
    interrupted = False
    # A minimal puzzle is no bad start, and settles whether there is any.
    request = SlitherlinkRequest(full.rows, full.cols, ends=ends, solver=solver)
    start = thinned(request, solution, ends, Random(0), deadline).puzzle
    best = request.faces(cell for cell, _ in start.clue_cells())
    with SatAlternatives(blank.model, solution, solver=solver) as alternatives:
        hitter = Hitman(solver="g4", htype="sorted")
        try:
            for faces in local_alternatives(solution, ends):
                hitter.hit(list(faces))
            while len(best) > bound:
                # As `Hitman.get`, which knows no end.
                with deadline.interrupting(hitter.oracle.interrupt):
                    model = hitter.oracle.compute(expect_interrupt=True)
                clues = {hitter.idpool.obj(variable) for variable in model or () if variable > 0}
                bound = len(clues)
                if progress is not None:
                    progress(f"at least {bound} clues, at most {len(best)}", bound / len(best))
                while True:
                    questions += 1
                    alternative = alternatives.find(clues, timeout=deadline)
                    if alternative is None:
                        break
                    hitter.hit(sorted(alternative))
                    clues |= alternative
                if len(alternatives.core) < len(best):
                    best = set(alternatives.core)
        except SearchTimeout:
            pass
        except KeyboardInterrupt:
            interrupted = True
        finally:
            # For the same reasons as in `LazySearch.close`.
            with deferred_signals():
                hitter.delete()
    puzzle = full.with_clues({divmod(face, full.cols): None for face in everything - best})
    # What has the fewest clues is minimal.
    proven, cost = len(best) == bound, (questions, alternatives.rounds, alternatives.cuts)
    return Fewest(puzzle, proven, *cost, lower_bound=bound, interrupted=interrupted)
