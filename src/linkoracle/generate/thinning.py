"""Clue removal: from the full clues of a line down to a puzzle that it alone solves.

This is the extraction of a minimal unsatisfiable subset (MUS). The hard constraints are the rules
and "not this line", the soft ones the clues, each under a selector that is assumed. The strategies
are deletion-based: take one soft constraint away at a time, and keep it if that makes the rest
satisfiable (Marques-Silva, Janota and Belov, *Minimal sets over monotone predicates in Boolean
formulae*, CAV 2013, which gives ``"prefix"`` as well). ``"core"`` begins with an unsatisfiable core
of the solver. Other solutions (alternatives) are what the enumeration of MUSes calls correction
sets: a clue set is unique iff it hits them all (Liffiton and Sakallah, *Algorithms for computing
minimal unsatisfiable subsets of constraints*, J. Automated Reasoning 40, 2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Unpack

from linkoracle.core.errors import NothingFound, SearchTimeout
from linkoracle.core.limits import Deadline, Progress, deferred_signals
from linkoracle.core.randomness import seed_or_fresh, shuffled, source, swept
from linkoracle.generate.balance import Crowd
from linkoracle.generate.colouring import Ends, local_alternatives
from linkoracle.generate.removal import Graded, Group, Removal, regrade, showing
from linkoracle.generate.slitherlink_request import SlitherlinkOptions, SlitherlinkRequest
from linkoracle.kinds import Slitherlink
from linkoracle.search import Alternatives

if TYPE_CHECKING:
    from linkoracle.board.lattice import Solution

#: Boards of so many cells are swept. On small ones that would only make fewer different puzzles.
_SWEPT_CELLS = 64
#: Questions for each clue of the full board, after which the stack method gives up.
_PATIENCE = 40


@dataclass(frozen=True)
class Thinned:
    """A puzzle with one solution, and what it took to get there.

    ``minimal`` is true when it is proven that no clue can be taken away: `witnesses` says why not.
    ``questions`` counts the searches for another solution, ``conflicts`` how often these went wrong
    on the way. No puzzle of the line has fewer than ``lower_bound`` clues, where that was asked
    for; ``interrupted`` says that Ctrl-C ended the search.
    """

    puzzle: Slitherlink
    minimal: bool
    questions: int
    conflicts: int
    lower_bound: int | None = None
    interrupted: bool = False

    @property
    def clues(self) -> int:
        """How many cells carry a clue."""
        return sum(1 for _ in self.puzzle.clue_cells())


def thin(
    solution: Solution,
    seed: int | Random | None = 0,
    *,
    timeout: float | None = None,
    **options: Unpack[SlitherlinkOptions],
) -> Thinned:
    """Take clues away from the full board of ``solution`` while it stays the only one.

    ``options`` are those fields of `SlitherlinkRequest` that say something about the clues, and
    ``ends`` for an open path. ``seed`` may be a `random.Random`, too.

    Raises `NothingFound` when ``must_not`` leaves more than one solution or too hard a puzzle, or
    the stack method does not get there; ``ValueError`` for contradictions; `SearchTimeout`.

    >>> from linkoracle.generate.shapes import two_colour
    >>> loop = two_colour(Random(1), 6, 6)
    >>> thinned = thin(loop, seed=1)
    >>> thinned.minimal, len(list(thinned.puzzle.clue_cells()))
    (True, 15)
    """
    rows, cols = solution.lattice.rows - 1, solution.lattice.cols - 1
    request = SlitherlinkRequest(rows, cols, **options)
    rng = seed if isinstance(seed, Random) else source(seed_or_fresh(seed), 0)
    if request.strategy in ("fewest", "mask") or request.ends == "random":
        raise ValueError("expected a strategy and ends that take clues away from the line given")
    return thinned(request, solution, request.ends, rng, Deadline(timeout))


def thinned(
    request: SlitherlinkRequest, solution: Solution, ends: Ends, rng: Random, deadline: Deadline
) -> Thinned:
    """`thin` by a request, as a step of a maker."""
    rows, cols, strategy, keeps = request.rows, request.cols, request.strategy, request.keeps
    undecided = groups = request.groups
    whole = not request.balanced and request.clues is None and request.max_failures is None
    full = Slitherlink.from_solution(solution, ends)
    graded = keeps.clues(full, deadline) if isinstance(keeps, Graded) else None
    # Of a grade, clues can be taken away without a look at it, and put back as it needs them.
    regrading = graded is not None and strategy != "stack" and request.max_failures is None

    def wanted(left: set[int]) -> bool:
        if keeps is None or regrading:
            return True
        return keeps(showing(full, left)) if graded is None else graded.passes(left)

    sweeping = strategy == "core" and whole and rows * cols >= _SWEPT_CELLS
    assumed: list[int] | None = None
    if strategy == "core":
        # A core prefers the clues that are assumed first. In reading order, large boards would end
        # without a clue in the last row.
        assumed = swept(rng, rows, cols) if sweeping else shuffled(rng, range(rows * cols))
    with Removal(request, solution, ends, wanted, assumed, deadline) as removal:
        gone = sorted(request.faces(request.must_not))
        if gone:
            left = removal.kept.difference(gone)
            if removal.alternative(left, gone) is not None or not wanted(left):
                raise NothingFound("are not unique without the clues that must not be there")
            removal.drop(gone)
        complete = False
        counts = removal.alternatives.counts
        crowd = Crowd(rows, cols, counts, rng) if request.balanced else None
        if strategy == "stack":
            _by_stack(removal, request, rng)
        else:
            if strategy == "core" and not request.balanced:
                undecided = _keep_core(removal, groups, request.clues)
            undecided = shuffled(rng, undecided)
            if sweeping and assumed is not None:
                # Those first that a core prefers least.
                place = {face: number for number, face in enumerate(assumed)}
                undecided.sort(key=lambda group: -max(place[face] for face in group))
            if strategy == "prefix":
                complete = _by_prefix(removal, undecided, request.clues)
            else:
                if whole and (keeps is None or regrading):
                    removal.decide([group[0] for group in undecided if len(group) == 1])
                    undecided = [group for group in undecided if len(group) > 1]
                complete = _one_by_one(removal, undecided, request, crowd)
        left = removal.kept
        if graded is not None and regrading:
            order = partial(shuffled, rng) if crowd is None else crowd.ordered
            left = regrade(removal, graded, groups, order, request.clues or 0)
            # On a board made anew, which owes nothing to clues that came and went.
            if keeps is not None and not keeps(showing(full, left)):
                raise NothingFound("are not of this grade when solved otherwise")
        minimal = complete and request.symmetry == "none" and keeps is None and not request.must
        cost = removal.questions, removal.alternatives.conflicts
        return Thinned(showing(full, left), minimal, *cost)


def _keep_core(removal: Removal, groups: list[Group], clues: int | None) -> list[Group]:
    """Remove what the proof of uniqueness does not need; the groups that are left to try."""
    core = removal.core()
    gone = [face for group in groups if core.isdisjoint(group) for face in group]
    left = removal.kept.difference(gone)
    if len(left) < (clues or 0) or (gone and not removal.wanted(left)):
        return groups
    removal.drop(gone)
    return [group for group in groups if not core.isdisjoint(group)]


def _one_by_one(
    removal: Removal, groups: list[Group], request: SlitherlinkRequest, crowd: Crowd | None
) -> bool:
    """Try every group once; whether that was done to the end."""
    failures = 0
    waiting = dict.fromkeys(reversed(groups))
    if crowd is not None:
        crowd.remove(request.faces(request.must_not))
    while waiting:
        group = next(reversed(waiting)) if crowd is None else crowd.worst(waiting)
        del waiting[group]
        if len(removal.kept) - len(group) < (request.clues or 0):
            continue
        if removal.remove(group):
            failures = 0
            if crowd is not None:
                crowd.remove(group)
        else:
            failures += 1
            if failures == request.max_failures:
                return False
    return request.clues is None or len(removal.kept) > request.clues


def _by_prefix(removal: Removal, groups: list[Group], clues: int | None) -> bool:
    """Remove the longest prefix that can go, skip what comes next, and so on."""
    spare = len(removal.kept) - (clues or 0)
    start = 0
    while start < len(groups):
        # The first `low` groups from `start` can go together; those up to `high` cannot.
        low, high = 0, len(groups) - start + 1
        while high - low > 1:
            # Short prefixes first: about half of the groups can go, so most ends are near.
            middle = min((low + high) // 2, 2 * low + 1)
            faces = [face for group in groups[start : start + middle] for face in group]
            if len(faces) <= spare and removal.could_remove(faces):
                low = middle
            else:
                high = middle
        faces = [face for group in groups[start : start + low] for face in group]
        removal.drop(faces)
        spare -= len(faces)
        start += low + 1
    return clues is None or spare > 0


def _by_stack(removal: Removal, request: SlitherlinkRequest, rng: Random) -> None:
    """Take groups away until exactly ``request.clues`` clues are left.

    A depth-first search: where no group can go any more, the last one that went is put back and
    others are tried in its place. After a while of this it starts anew in another order, and allows
    itself twice as long. Most removals that are impossible are known by the alternatives met.
    Raises `NothingFound` after a number of questions that grows with the board.
    """
    clues, groups = request.clues, request.groups
    assert clues is not None
    goal = len(removal.kept) - clues
    if goal < 0:
        raise NothingFound(f"have fewer clues that may stand than {clues}")
    patience = removal.questions + _PATIENCE * request.rows * request.cols
    #: For each group that has gone, what can still be tried beside it; the last one is the top.
    stack: list[tuple[Group, list[Group]]] = []
    gone: set[int] = set()
    untried = shuffled(rng, groups)
    backtracks, allowed = 0, len(groups)
    while len(gone) != goal:
        while untried:
            group = untried.pop()
            left = removal.kept - gone - set(group)
            if len(gone) + len(group) > goal or any(map(left.isdisjoint, removal.met)):
                continue
            alternative = removal.alternative(left, group)
            if removal.questions > patience:
                raise NothingFound(f"have no way to {clues} clues that was found")
            if alternative is None and removal.wanted(left):
                stack.append((group, list(untried)))
                gone.update(group)
                break
        else:
            if not stack:
                raise NothingFound(f"have no way to {clues} clues")
            group, untried = stack.pop()
            gone.difference_update(group)
            backtracks += 1
            if backtracks > allowed:
                untried = shuffled(rng, groups)
                stack, gone = [], set()
                backtracks, allowed = 0, 2 * allowed
    removal.drop(sorted(gone))


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
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Fewest:
    """Find a puzzle of a line with as few clues as possible.

    Clues make the line unique iff they meet, for every other line, the set of cells whose numbers
    differ. So a smallest clue set is a smallest *hitting set* of these sets, of which few decide.
    Take a smallest hitting set of those known so far (PySAT's
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
    >>> from linkoracle.board.lattice import Solution
    >>> best = fewest(Solution(Lattice(3, 3), (0, 1, 3, 5)))
    >>> best.proven, best.puzzle.clues
    (True, ((4, None), (None, None)))
    """
    return smallest(solution, ends, Deadline(timeout), progress)


def smallest(solution: Solution, ends: Ends, deadline: Deadline, tell: Progress | None) -> Fewest:
    """`fewest` as a step of a maker."""
    from pysat.examples.hitman import Hitman

    full = Slitherlink.from_solution(solution, ends)
    bound = 0
    interrupted = False
    # A minimal puzzle is no bad start, and settles whether there is any.
    request = SlitherlinkRequest(full.rows, full.cols, ends=ends)
    start = thinned(request, solution, ends, Random(0), deadline).puzzle
    best = request.faces(cell for cell, _ in start.clue_cells())
    blank = Slitherlink.blank(full.rows, full.cols, ends)
    with Alternatives(blank, solution) as alternatives:
        hitter = Hitman(solver="g4", htype="sorted")
        try:
            for faces in local_alternatives(solution, ends):
                hitter.hit(list(faces))
            while len(best) > bound:
                # As `Hitman.get`, which knows no end.
                model = deadline.run(
                    partial(hitter.oracle.compute, expect_interrupt=True), hitter.oracle.interrupt
                )
                clues = {hitter.idpool.obj(variable) for variable in model or () if variable > 0}
                bound = len(clues)
                if tell is not None:
                    tell(f"at least {bound} clues, at most {len(best)}", bound / len(best))
                while (alternative := alternatives.find_within(deadline, clues)) is not None:
                    hitter.hit(sorted(alternative.changed))
                    clues |= alternative.changed
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
        # What has the fewest clues is minimal.
        cost = len(best) == bound, alternatives.questions, alternatives.conflicts
        return Fewest(showing(full, best), *cost, lower_bound=bound, interrupted=interrupted)
