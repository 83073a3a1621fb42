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

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Unpack

from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import seed_or_fresh, shuffled, source, swept
from linkoracle.generate.evenness import Choice, Evenness
from linkoracle.generate.regrading import Graded, Regrading
from linkoracle.generate.removal import Group, Removal, showing, with_all_clues
from linkoracle.generate.slitherlink_request import PlainOptions, SlitherlinkRequest
from linkoracle.generate.watching import Watch, Watching
from linkoracle.kinds import Slitherlink, verify

if TYPE_CHECKING:
    from linkoracle.board.lattice import Solution

#: Boards of so many cells are swept. On small ones that would only make fewer different puzzles.
_SWEPT_CELLS = 64
#: Clues that `"even"` decides on before it looks again which is the most crowded: so many, and a
#: hundredth of the board on larger ones.
_BATCH, _BATCHES = 8, 100
#: The share of cells with a clue up to which `"even"` fills voids: the mean of puzzles that were
#: made by hand (docs/generating.md).
DENSITY = 0.42
#: By how much less, as a share of all cells, is enough while clues go: there must be voids to fill.
#: The last few clues that can go take half of the time.
_SLACK = 0.01
#: Voids that are tried for each clue that is missing.
_TRIED = 2
#: Cells for each batch of clues that may go besides, where a puzzle is too easy for a narrow grade.
#: Small boards are too easy again without them, mostly, and another line comes sooner.
_PER_BATCH = 100
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
    board: Slitherlink | None = None,
    timeout: float | None = None,
    watch: Watch | None = None,
    **options: Unpack[PlainOptions],
) -> Thinned:
    """Take clues away from the full board of ``solution`` while it stays the only one.

    ``options`` are those fields of `SlitherlinkRequest` that say something about the clues, and
    ``ends`` for an open path. What a ``board`` has beside its clues stays: its ends, lines that are
    given or forbidden, holes; then ``ends`` are not asked for. ``seed`` may be a `random.Random`,
    too. ``watch`` is called some times a second with the puzzle as it stands, and the solution.

    Raises `NothingFound` when ``must_not`` leaves more than one solution or too hard a puzzle, or
    the stack method does not get there; ``ValueError`` for contradictions; `SearchTimeout`.

    >>> from linkoracle.generate.shapes import two_colour
    >>> loop = two_colour(Random(1), 6, 6)
    >>> thinned = thin(loop, seed=1, minimal=True)
    >>> thinned.minimal, thinned.clues
    (True, 14)
    """
    rows, cols = solution.lattice.rows - 1, solution.lattice.cols - 1
    request = SlitherlinkRequest(rows, cols, **options)
    rng = seed if isinstance(seed, Random) else source(seed_or_fresh(seed), 0)
    if request.strategy in ("fewest", "mask") or request.ends == "random":
        raise ValueError("expected a strategy and ends that take clues away from the line given")
    deadline, watching = Deadline(timeout), Watching(watch)
    blank = Slitherlink.blank(rows, cols, request.ends) if board is None else board
    if (blank.rows, blank.cols) != (rows, cols) or (board is not None and request.ends is not None):
        raise ValueError("expected a solution of the board, and no ends beside it")
    full = with_all_clues(blank, solution)
    if board is not None and not verify(full, solution):
        raise ValueError("the solution given does not solve this board")
    return thinned(request, full, solution, rng, deadline, watching)


def thinned(
    request: SlitherlinkRequest,
    full: Slitherlink,
    solution: Solution,
    rng: Random,
    deadline: Deadline,
    watching: Watching,
) -> Thinned:
    """`thin` by a request, as a step of a maker; ``full`` has all clues of the solution."""
    rows, cols, strategy, keeps = request.rows, request.cols, request.strategy, request.keeps
    undecided = groups = request.groups
    whole = request.clues is None and request.max_failures is None
    # Without a hook, nothing is asked: a protocol is slow to look at.
    graded = keeps if keeps and isinstance(keeps, Graded) and keeps.monotone else None
    # Of a grade, clues can be taken away without a look at it, and put back as it needs them.
    regrading = graded is not None and strategy != "stack" and request.max_failures is None
    clues = None if graded is None or regrading else graded.clues(full, deadline)
    # Then nothing but the uniqueness decides on a clue.
    alone = whole and (keeps is None or regrading)
    filling = strategy == "even" and alone and not request.minimal
    goal = min(round(DENSITY * rows * cols), request.most_clues) if filling else 0
    enough = goal - round(_SLACK * rows * cols)

    def wanted(left: set[int]) -> bool:
        if keeps is None or regrading:
            return True
        return keeps(showing(full, left)) if clues is None else clues.passes(left)

    sweeping = strategy == "core" and whole and rows * cols >= _SWEPT_CELLS
    assumed: list[int] | None = None
    if strategy in ("core", "even"):
        # A core prefers the clues that are assumed first. In reading order, large boards would end
        # without a clue in the last row.
        assumed = swept(rng, rows, cols) if sweeping else shuffled(rng, range(rows * cols))

    def show(left: set[int]) -> None:
        watching.show(lambda: (showing(full, left), solution))

    with Removal(full, solution, wanted, assumed, deadline, show) as removal:
        gone = sorted(request.faces(request.must_not))
        if gone:
            left = removal.kept.difference(gone)
            if removal.alternative(left, gone) is not None or not wanted(left):
                raise NothingFound("are not unique without the clues that must not be there")
            removal.drop(gone)
        complete = False
        evenness = None
        if strategy in ("core", "even"):
            undecided = _keep_core(removal, groups, request.clues)
        if strategy == "even":
            evenness = Evenness(rows, cols, removal.alternatives.counts, rng)
            evenness.hide(set(range(rows * cols)) - removal.kept)
            choice = evenness.clusters(undecided)
            complete = _evenly(removal, choice, request, alone, max(0, enough))
        elif strategy == "stack":
            _by_stack(removal, request, rng)
        elif strategy == "prefix":
            complete = _by_prefix(removal, shuffled(rng, undecided), request.clues)
        else:
            undecided = shuffled(rng, undecided)
            if sweeping and assumed is not None:
                # Those first that a core prefers least.
                place = {face: number for number, face in enumerate(assumed)}
                undecided.sort(key=lambda group: -max(place[face] for face in group))
            if alone:
                removal.decide([group[0] for group in undecided if len(group) == 1])
                undecided = [group for group in undecided if len(group) > 1]
            complete = _one_by_one(removal, undecided, request)

        def fill(shown: set[int], fits: Callable[[set[int]], bool]) -> set[int]:
            if evenness is None or not filling:
                return shown
            evenness.only(shown)
            return shown | _to_fill(shown, groups, evenness, goal, fits)

        left = removal.kept
        if graded is not None and regrading:
            order = partial(shuffled, rng) if evenness is None else evenness.ordered
            regraded = Regrading(removal, full, graded, groups, order, deadline)
            if not filling:
                left = regraded.minimal(request.clues or 0)
            elif graded.narrow and evenness is not None:

                def further() -> bool:
                    before = len(removal.kept)
                    evenness.only(removal.kept)
                    _evenly(removal, choice, request, alone, before - 1)
                    return len(removal.kept) < before

                found = regraded.close_to(goal, further, rows * cols // _PER_BATCH)
                if found is None:
                    raise NothingFound("are not of this grade")
                left = found
            else:
                found = regraded.as_left(goal, fill)
                if found is None and evenness is not None:
                    # With more clues than it needs it was too easy.
                    evenness.only(removal.kept)
                    _evenly(removal, choice, request, alone, 0)
                    found = regraded.as_left(goal, fill)
                if found is None:
                    raise NothingFound("are not of this grade")
                left = found
        else:
            left = fill(left, lambda _: True)
            complete = complete and len(left) == len(removal.kept)
            if keeps and isinstance(keeps, Graded) and keeps.judge(showing(full, left), deadline):
                raise NothingFound("are not of this grade")
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


def _evenly(
    removal: Removal,
    choice: Choice,
    request: SlitherlinkRequest,
    alone: bool,
    enough: int,
) -> bool:
    """Try groups, the most crowded first; whether all were tried.

    No more are tried when ``enough`` clues are left: the last are those that seldom can go.

    A few are chosen at a time, as if all of them could go, and those that cannot are put back
    before the next are chosen: a series of questions is faster than its questions one by one.
    """
    if not alone or request.symmetry != "none":
        return _one_by_one(removal, choice, request, lambda group: choice.undo([group]), enough)
    size = max(_BATCH, request.rows * request.cols // _BATCHES)
    while batch := list(islice(choice, size)):
        if len(removal.kept) <= enough:
            choice.undo(batch)
            return False
        removal.decide([face for (face,) in batch])
        choice.undo([group for group in batch if group[0] in removal.kept])
    return True


def _one_by_one(
    removal: Removal,
    groups: Iterable[Group],
    request: SlitherlinkRequest,
    stays: Callable[[Group], None] = lambda _: None,
    enough: int = 0,
) -> bool:
    """Try every group once, until ``enough`` clues are left; whether that was done to the end.

    ``stays`` is told which groups cannot go.
    """
    failures = 0
    for group in groups:
        if len(removal.kept) <= enough:
            stays(group)
            return False
        if len(removal.kept) - len(group) < (request.clues or 0):
            stays(group)
        elif removal.remove(group):
            failures = 0
        else:
            stays(group)
            failures += 1
            if failures == request.max_failures:
                return False
    return request.clues is None or len(removal.kept) > request.clues


def _to_fill(
    shown: set[int],
    groups: list[Group],
    evenness: Evenness,
    goal: int,
    fits: Callable[[set[int]], bool],
) -> set[int]:
    """Faces for more clues, up to the goal in all, always in the largest void if that ``fits``."""
    added: set[int] = set()
    choice = evenness.voids(group for group in groups if shown.isdisjoint(group))
    # Of a puzzle as hard as it may be, hardly any clue may be left that makes it no easier.
    for group in islice(choice, _TRIED * max(0, goal - len(shown))):
        if len(shown) + len(added) + len(group) > goal:
            break
        if fits(shown.union(added, group)):
            added.update(group)
        else:
            choice.undo([group])
    return added


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
