"""`fewest`: a minimum set of clues for a loop, by implicit hitting sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from linkoracle.board.lattice import Lattice
from linkoracle.core.errors import SearchTimeout
from linkoracle.core.limits import Deadline, Progress, deferred_signals
from linkoracle.generate.colouring import Ends
from linkoracle.generate.removal import Group, Removal, near, showing, sweep_order, with_all_clues
from linkoracle.generate.strategies import keep_core
from linkoracle.generate.thinning import Reduced
from linkoracle.generate.watching import Watching
from linkoracle.kinds import Slitherlink
from linkoracle.search import Alternatives

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution


@dataclass(frozen=True)
class Fewest(Reduced):
    """The smallest puzzle found for a loop; it has ``lower_bound`` clues iff ``proven``."""

    @property
    def proven(self) -> bool:
        """Whether no puzzle of this loop has fewer clues."""
        return self.clues == self.lower_bound


def fewest(
    solution: Solution,
    *,
    ends: Ends = None,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Fewest:
    """Find a puzzle of a loop or path with as few clues as possible.

    Clues make a solution unique iff, for every alternative, they include a cell whose clue differs.
    So a minimum clue set is a minimum *hitting set* of these sets of cells; few of them matter.
    Take a minimum hitting set of the sets known so far (PySAT's
    `Hitman <https://pysathq.github.io/docs/html/api/examples/hitman.html>`_) and search for an
    alternative that it misses. If there is none, it is optimal, as no smaller set hits even the
    known ones. Otherwise add the set of the alternative. Then search with the changed cells as
    additional clues for further ones, until there are none; these sets are disjoint, so together
    they raise the bound. (Implicit hitting sets: Chandrasekaran, Karp, Moreno-Centeno and Vempala,
    SODA 2011.)

    A search stopped by ``timeout`` or Ctrl-C returns its best puzzle so far: every round makes a
    valid puzzle, and proves a lower bound. Loops may be on any board, paths between ``ends`` on
    squares. Exponential at worst: 7x7 cells take seconds, 9x9 take
    minutes.

    ``progress`` gets the lower bound after each round. Raises `NothingFound` if even the full clues
    have another solution.

    >>> from linkoracle.board.lattice import Lattice
    >>> from linkoracle.board.solution import Solution
    >>> best = fewest(Solution(Lattice(3, 3), (0, 1, 3, 5)))
    >>> best.proven, best.puzzle.clues
    (True, ((4, None), (None, None)))
    """
    if isinstance(solution.board, Lattice):
        full = Slitherlink.from_solution(solution, ends)
    else:
        full = with_all_clues(Slitherlink.on(solution.board), solution)
    return smallest(full, solution, Deadline(timeout), progress)


def smallest(
    full: Any,
    solution: Solution,
    deadline: Deadline,
    tell: Progress | None,
    given: Iterable[Any] = (),
    watching: Watching | None = None,
) -> Fewest:
    """`fewest`, as a step of a generator, among puzzles with a clue in each ``given`` cell.

    ``full`` is the board with all clues of the solution.
    """
    from pysat.examples.hitman import Hitman

    bound = 0
    interrupted = False
    watching = watching or Watching()
    face_of = full.board.face_of
    # As if an alternative changed this clue only.
    needed = [(face_of(cell),) for cell in given]
    # A minimal puzzle is a good start, and shows that there is one.
    best = _minimal(full, solution, {face for (face,) in needed}, deadline, watching)

    def look(clues: set[int]) -> tuple[Any, Solution]:
        return showing(full, clues), solution

    with Alternatives(showing(full, ()), solution) as alternatives:
        hitter = Hitman(solver="g4", htype="sorted")
        try:
            for faces in [*near(full, solution), *needed]:
                hitter.hit(list(faces))
            while len(best) > bound:
                # Like `Hitman.get`, but honours the deadline.
                model = deadline.run(
                    partial(hitter.oracle.compute, expect_interrupt=True), hitter.oracle.interrupt
                )
                clues = {hitter.idpool.obj(variable) for variable in model or () if variable > 0}
                bound = len(clues)
                watching.show(partial(look, best))
                if tell is not None:
                    tell(f"at least {bound} clues, at most {len(best)}", bound / len(best))
                while (alternative := alternatives.find(clues, timeout=deadline)) is not None:
                    hitter.hit(sorted(alternative.changed))
                    clues |= alternative.changed
                enough = set(alternatives.core).union(*needed)
                if len(enough) < len(best):
                    best = enough
        except SearchTimeout:
            pass
        except KeyboardInterrupt:
            interrupted = True
        finally:
            # For the reasons given in `LazySearch.close`.
            with deferred_signals():
                hitter.delete()
        # A minimum puzzle is minimal.
        cost = len(best) == bound, alternatives.questions, alternatives.conflicts
        return Fewest(showing(full, best), *cost, lower_bound=bound, interrupted=interrupted)


def _minimal(
    full: Any, solution: Solution, given: set[int], deadline: Deadline, watching: Watching
) -> set[int]:
    """Return the faces of clues none of which can go, but those that are given."""
    order = sweep_order(full.board, Random(0))

    def show(left: set[int]) -> None:
        watching.show(lambda: (showing(full, left), solution))

    with Removal(full, solution, lambda _: True, order, deadline, show) as removal:
        groups: list[Group] = [(face,) for face in reversed(order) if face not in given]
        removal.decide([face for (face,) in keep_core(removal, groups, None)])
        return set(removal.kept)
