"""Clue reduction: from the full clues of a loop down to few clues that make it unique.

This is the extraction of a minimal unsatisfiable subset (MUS). The hard constraints are the rules
and "not this loop"; the soft constraints are the clues, each under an assumed selector. The
strategies are deletion-based: remove one soft constraint at a time, and restore it if the rest is
satisfiable (Marques-Silva, Janota and Belov, *Minimal sets over monotone predicates in Boolean
formulae*, CAV 2013, which also has ``"prefix"``). ``"core"`` begins with an unsatisfiable core of
the solver. The alternatives correspond to the correction sets of MUS enumeration: a clue set is
unique iff it hits them all (Liffiton and Sakallah, *Algorithms for computing minimal unsatisfiable
subsets of constraints*, J. Automated Reasoning 40, 2008).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import seed_or_fresh, shuffled, source
from linkoracle.core.renamed import with_old_arguments
from linkoracle.generate.evenness import Evenness
from linkoracle.generate.evenness_kernel import Choice
from linkoracle.generate.making import (
    Preview,
    Reduced,
    Watching,
    checked,
    showing,
    with_all_clues,
)
from linkoracle.generate.removal import Removal, redundant, sweep_order
from linkoracle.generate.request_parts import as_grade
from linkoracle.generate.slitherlink_request import SlitherlinkRequest
from linkoracle.generate.strategies import (
    by_prefix,
    by_stack,
    evenly,
    keep_core,
    one_by_one,
)
from linkoracle.kinds import Slitherlink, check_solution

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution

#: Least cells of a board that is swept. On small boards, sweeping only gives fewer puzzles. Boards
#: that are not square are swept from the second number on, and for minimal puzzles: with clues in
#: the order of their crowding, a honeycomb of 900 faces takes a hundred times as long.
_SWEPT_CELLS, _SWEPT_FACES = 64, 400
#: The density of clues up to which `"even"` fills voids: the mean of published puzzles
#: (docs/explanation/generating.md).
DENSITY = 0.42
#: Reduction may stop at the goal less this fraction of all cells, which leaves voids to fill. The
#: last few redundant clues would take half of the time.
SLACK = 0.01
#: Cells of the board for each additional batch of removals if a puzzle is too easy for a narrow
#: grade. Small boards mostly stay too easy, and another loop is faster.
_PER_BATCH = 100


@with_old_arguments
def reduce_clues(
    solution: Solution,
    seed: int | Random | None = None,
    *,
    board: Slitherlink | None = None,
    timeout: float | None = None,
    preview: Preview | None = None,
    **options: Any,
) -> Reduced:
    """Remove clues from the full board of ``solution`` while it stays the only one.

    ``options`` are the fields of `SlitherlinkRequest` that concern clues, and ``ends`` for an open
    path. The annotations of a ``board`` (ends, given and forbidden lines, missing dots) are kept;
    then omit ``ends``. ``seed`` may also be a `random.Random`; ``None`` draws a fresh seed, which
    is in the result. ``preview`` is called several times a
    second with the puzzle in progress, and the solution.

    Raises `NothingFound` if ``must_not`` leaves several solutions or too hard a puzzle, or if the
    stack method fails; ``ValueError`` for contradictory options; `SearchTimeout`.

    >>> from linkoracle.generate.shapes import two_colour
    >>> loop = two_colour(Random(1), 6, 6)
    >>> reduced = reduce_clues(loop, seed=1, minimal=True)
    >>> reduced.minimal, reduced.clues
    (True, 14)
    """
    rows, cols = solution.lattice.rows - 1, solution.lattice.cols - 1
    request = SlitherlinkRequest(rows, cols, **options)
    if isinstance(seed, Random):
        rng, drawn = seed, None
    else:
        drawn = seed_or_fresh(seed)
        rng = source(drawn, 0)
    if request.strategy in ("fewest", "mask") or request.ends == "random":
        raise ValueError("expected a strategy and ends that remove clues from the given solution")
    deadline, watching = Deadline(timeout), Watching(preview)
    blank = Slitherlink.blank(rows, cols, request.ends) if board is None else board
    if (blank.rows, blank.cols) != (rows, cols) or (board is not None and request.ends is not None):
        raise ValueError("expected a solution of the board, and no ends beside it")
    full = with_all_clues(blank, solution)
    if board is not None and not check_solution(full, solution):
        raise ValueError("the solution given does not solve this board")
    found = reduced(request, full, solution, rng, deadline, watching)
    checked(found.puzzle, solution, deadline)
    return replace(found, seed=drawn)


def reduced(
    request: SlitherlinkRequest,
    full: Slitherlink,
    solution: Solution,
    rng: Random,
    deadline: Deadline,
    watching: Watching,
) -> Reduced:
    """`reduce_clues` with a request; ``full`` has all clues of the solution."""
    found = _Reduction(request, full, rng, deadline).of(solution, watching)
    if not request.minimal:
        return found
    if found.minimal:
        return replace(found, redundant=())
    # Other options may have kept clues, or restored some.
    spare = redundant(found.puzzle, solution, deadline)
    return replace(found, minimal=not spare, redundant=spare)


class _Reduction:
    """The reduction of the clues of one board by a request."""

    def __init__(
        self,
        request: SlitherlinkRequest,
        full: Slitherlink,
        rng: Random,
        deadline: Deadline,
    ) -> None:
        self._request, self._full, self._rng, self._deadline = request, full, rng, deadline
        keeps, strategy = request.keeps, request.strategy
        cells, is_square = request.cells, request.tiling is None
        #: The requested grade, if any.
        self._grade = as_grade(keeps)
        monotone = self._grade is not None and self._grade.monotone
        # For a grade, remove clues without grading, and restore them as the grade needs.
        self._regrades = monotone and strategy != "stack" and request.max_failures is None
        #: The predicate for clues left, if a monotone hook decides on each.
        self._clues = None
        if self._grade is not None and monotone and is_square and not self._regrades:
            self._clues = self._grade.clues(full, deadline)
        whole = request.clues is None and request.max_failures is None
        #: Whether only uniqueness decides on a clue.
        self._alone = whole and (keeps is None or self._regrades)
        #: Whether voids are filled afterwards, up to a total number of clues.
        self._filling = strategy == "even" and self._alone and not request.minimal
        # On other boards, only restored clues make a puzzle as easy as requested.
        self._filling &= is_square or self._grade is None
        density = DENSITY if request.clue_density is None else request.clue_density
        self._goal = min(round(density * cells), request.most_clues) if self._filling else 0
        #: Whether a core should omit one corner after the other.
        self._sweeping = strategy == "core" and whole and cells >= _SWEPT_CELLS
        if not is_square and strategy == "even":
            self._sweeping = request.minimal or cells > _SWEPT_FACES
        self._evenness: Evenness | None = None

    def of(self, solution: Solution, watching: Watching) -> Reduced:
        """Return the puzzle left of the solution's clues."""
        request, full = self._request, self._full

        def show(left: set[int]) -> None:
            watching.show(lambda: (showing(full, left), solution))

        order = self._order()
        with Removal(full, solution, self._accepts, order, self._deadline, show) as removal:
            self._bare(removal)
            complete, choice = self._removed(removal, order)
            if self._regrades:
                left = self._regraded(removal, choice)
            else:
                left = self._filled(removal.kept, lambda _: True, self._goal)
                complete = complete and len(left) == len(removal.kept)
                grade = self._grade
                if grade is not None and grade.check(showing(full, left), self._deadline):
                    raise NothingFound("are not of this grade")
            alone = not request.is_symmetric and request.keeps is None and not request.must
            cost = removal.queries, removal.alternatives.conflicts
            return Reduced(showing(full, left), complete and alone, *cost)

    def _order(self) -> list[int] | None:
        """Return all faces, the preferred ones of a core first; ``None`` without a core.

        A core prefers clues assumed first. In reading order, large boards would have no clue in the
        last row.
        """
        if self._sweeping:
            return sweep_order(self._full.board, self._rng)
        cored = self._request.strategy in ("core", "even")
        return shuffled(self._rng, range(self._request.cells)) if cored else None

    def _accepts(self, left: set[int]) -> bool:
        """Return whether the hook accepts these clues, if it decides on each removal."""
        keeps = self._request.keeps
        if keeps is None or self._regrades:
            return True
        return keeps(showing(self._full, left)) if self._clues is None else self._clues.passes(left)

    def _bare(self, removal: Removal) -> None:
        """Remove the clues of ``must_not``."""
        gone = sorted(self._request.faces(self._request.must_not))
        if gone:
            left = removal.kept.difference(gone)
            if removal.alternative(left, gone) is not None or not self._accepts(left):
                raise NothingFound("are not unique without the clues that must not be there")
            removal.drop(gone)

    def _removed(self, removal: Removal, order: list[int] | None) -> tuple[bool, Choice | None]:
        """Remove clues by the strategy.

        Returns whether every clue was tried, and those left to try, the most crowded first.
        """
        request, rng = self._request, self._rng
        strategy, undecided = request.strategy, request.groups
        if strategy in ("core", "even"):
            undecided = keep_core(removal, undecided, request.clues)
        if strategy == "even":
            evenness = Evenness(self._full.board, removal.alternatives.counts, rng)
            self._evenness = evenness
            evenness.only(removal.kept)
            if not self._sweeping:
                choice = evenness.clusters(undecided)
                enough = max(0, self._goal - round(SLACK * request.cells)) if self._filling else 0
                return evenly(removal, choice, request, self._alone, enough), choice
        if strategy == "stack":
            by_stack(removal, request, rng)
            return False, None
        if strategy == "prefix":
            return by_prefix(removal, shuffled(rng, undecided), request.clues), None
        undecided = shuffled(rng, undecided)
        if self._sweeping and order is not None:
            # The least preferred ones of a core first.
            place = {face: number for number, face in enumerate(order)}
            undecided.sort(key=lambda group: -max(place[face] for face in group))
        if self._alone:
            removal.decide([group[0] for group in undecided if len(group) == 1])
            undecided = [group for group in undecided if len(group) > 1]
        return one_by_one(removal, undecided, request), None

    def _filled(self, shown: set[int], fits: Callable[[set[int]], bool], goal: int) -> set[int]:
        """Add clues in the largest voids while that ``fits``, up to the goal."""
        if self._evenness is None or not self._filling:
            return shown
        return self._evenness.filled(shown, self._request.groups, goal, fits)

    def _regraded(self, removal: Removal, choice: Choice | None) -> set[int]:
        """Return the clues of a puzzle of the grade. Raises `NothingFound` if it fails."""
        from linkoracle.generate.regrading import Regrading

        request, evenness, graded = self._request, self._evenness, self._grade
        assert graded is not None
        order = partial(shuffled, self._rng) if evenness is None else evenness.ordered
        if evenness is not None and request.tiling is not None:
            # Groups come back one after the other, each in the largest void that is left.
            evenness.only(removal.kept)
            order = evenness.filling
        groups, goal = request.groups, self._goal
        regraded = Regrading(removal, self._full, graded, groups, order, self._deadline)
        if request.tiling is not None:
            return regraded.eased(removal.kept)
        if not self._filling or evenness is None or choice is None:
            return regraded.minimal(request.clues or 0)

        def further(enough: int) -> bool:
            before = len(removal.kept)
            evenness.only(removal.kept)
            evenly(removal, choice, request, self._alone, enough)
            return len(removal.kept) < before

        if graded.narrow:
            most = request.cells // _PER_BATCH
            found = regraded.close_to(goal, lambda: further(len(removal.kept) - 1), most)
        else:
            found = regraded.as_left(goal, self._filled)
            if found is None:
                # With more clues than needed, it was too easy.
                further(0)
                found = regraded.as_left(goal, self._filled)
        if found is None:
            raise NothingFound("are not of this grade")
        return found
