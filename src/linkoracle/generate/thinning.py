"""Clue removal: from the full clues of a line down to a puzzle that it alone solves.

This is the extraction of a minimal unsatisfiable subset (MUS). The hard constraints are the rules
and "not this line", the soft ones the clues, each under a selector that is assumed; what cannot be
satisfied with all clues, and with no clue less, is a minimal puzzle. The strategies are deletion-
based: take one soft constraint away at a time, and keep it if that makes the rest satisfiable
(Marques-Silva, Janota and Belov, *Minimal sets over monotone predicates in Boolean formulae*, CAV
2013, which gives ``"prefix"`` as well). ``"core"`` begins with an unsatisfiable core of the
solver. Alternatives are what the enumeration of MUSes calls correction sets: a clue set is unique
iff it hits them all (Liffiton and Sakallah, *Algorithms for computing minimal unsatisfiable subsets
of constraints*, J. Automated Reasoning 40, 2008), so a clue that alone is left of one is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Unpack

from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import seed_or_fresh, shuffled, source, swept
from linkoracle.generate.balance import Crowd
from linkoracle.generate.removal import Graded, Group, Removal, regrade
from linkoracle.generate.request import SlitherlinkOptions, SlitherlinkRequest
from linkoracle.kinds import Slitherlink

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.generate.colouring import Ends

#: Boards of so many cells are swept. On small ones that would save nothing that matters, and of the
#: puzzles of a line fewer would ever be made.
_SWEPT_CELLS = 64
#: Questions for each clue of the full board, after which the stack method gives up.
_PATIENCE = 40


@dataclass(frozen=True)
class Thinned:
    """A puzzle with one solution, and what it took to get there.

    ``minimal`` is true when it is proven that no clue can be taken away. ``questions`` counts the
    searches for another solution, ``rounds`` calls of the SAT solver, ``cuts`` clauses added to it.
    No puzzle of the line has fewer than ``lower_bound`` clues, where that was asked for;
    ``interrupted`` says that Ctrl-C ended the search.
    """

    puzzle: Slitherlink
    minimal: bool
    questions: int
    rounds: int
    cuts: int
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
    the stack method does not get there; ``ValueError`` for options that contradict each other;
    `SearchTimeout`.

    >>> from linkoracle.generate.shapes import two_colour
    >>> loop = two_colour(Random(1), 6, 6)
    >>> thinned = thin(loop, seed=1)
    >>> thinned.minimal, len(list(thinned.puzzle.clue_cells()))
    (True, 14)
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
    groups = request.groups
    whole = not request.balanced and request.clues is None and request.max_failures is None
    clues_of_grade = None
    if isinstance(keeps, Graded) and strategy != "stack" and request.max_failures is None:
        clues_of_grade = keeps.clues(Slitherlink.from_solution(solution, ends), deadline)
    hook = keeps if clues_of_grade is None else None
    sweeping = strategy == "core" and whole and rows * cols >= _SWEPT_CELLS
    assumed: list[int] | None = None
    if strategy == "core":
        # A core prefers the clues that are assumed first. In reading order, large boards would end
        # without a clue in the last row.
        assumed = swept(rng, rows, cols) if sweeping else shuffled(rng, range(rows * cols))
    with Removal(
        solution,
        ends,
        keeps=hook,
        engine=request.engine,
        solver=request.solver,
        order=assumed,
        deadline=deadline,
    ) as removal:
        if not removal.remove_at_once(sorted(request.faces(request.must_not))):
            raise NothingFound("are not unique without the clues that must not be there")
        left = removal.kept
        if strategy == "stack":
            assert request.clues is not None
            _by_stack(removal, groups, request.clues, rng)
            complete = False
        else:
            crowd = Crowd(rows, cols, removal.alternatives.counts) if request.balanced else None
            undecided = groups
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
                if hook is None and whole:
                    undecided = _in_pairs(removal, undecided, at_once=clues_of_grade is None)
                complete = _one_by_one(removal, undecided, request, crowd, rng)
            if clues_of_grade is not None:
                order = partial(shuffled, rng) if crowd is None else crowd.ordered
                left = regrade(removal, clues_of_grade, groups, order, request.clues or 0)
                # On a board made anew, which owes nothing to clues that came and went.
                if keeps is not None and not keeps(removal.puzzle(left)):
                    raise NothingFound("are not of this grade when solved otherwise")
        minimal = complete and request.symmetry == "none" and keeps is None and not request.must
        alternatives = removal.alternatives
        return Thinned(
            removal.puzzle(left), minimal, removal.questions, alternatives.rounds, alternatives.cuts
        )


def _keep_core(removal: Removal, groups: list[Group], clues: int | None) -> list[Group]:
    """Remove what the proof of uniqueness does not need; the groups that are left to try."""
    core = removal.core()
    spare = [group for group in groups if core.isdisjoint(group)]
    gone = [face for group in spare for face in group]
    too_few = clues is not None and len(removal.kept) - len(gone) < clues
    if too_few or not removal.remove_at_once(gone, known_unique=True):
        return groups
    return [group for group in groups if not core.isdisjoint(group)]


def _in_pairs(removal: Removal, groups: list[Group], *, at_once: bool) -> list[Group]:
    """Decide on single clues two at a time; the groups that are left to try."""
    waiting = [group[0] for group in reversed(groups) if len(group) == 1]
    first: int | None = None
    while waiting:
        if at_once and first is None:
            waiting = removal.decide_at_once(waiting[::-1])[::-1]
            if not waiting:
                break
        face = waiting.pop()
        if removal.needs(face):
            continue
        if first is None or removal.needs(first):
            first = face
            continue
        decided = removal.decide(first, face)
        undecided = [one for one in (first, face) if one not in decided]
        first = undecided[0] if undecided else None
        if at_once and first is not None:
            waiting.append(first)
            first = None
    left = [] if first is None else [(first,)]
    return left + [group for group in groups if len(group) > 1]


def _one_by_one(
    removal: Removal,
    groups: list[Group],
    request: SlitherlinkRequest,
    crowd: Crowd | None,
    rng: Random,
) -> bool:
    """Try every group once; whether that was done to the end."""
    clues, max_failures = request.clues, request.max_failures
    failures = 0
    waiting = dict.fromkeys(reversed(groups))
    if crowd is not None:
        crowd.remove(set(range(len(removal.alternatives.counts))) - removal.kept)
    while waiting:
        group = next(reversed(waiting)) if crowd is None else crowd.worst(waiting, rng)
        del waiting[group]
        if clues is not None and len(removal.kept) - len(group) < clues:
            continue
        if removal.remove(group):
            failures = 0
            if crowd is not None:
                crowd.remove(group)
        else:
            failures += 1
            if max_failures is not None and failures >= max_failures:
                return False
    return clues is None or len(removal.kept) > clues


def _by_prefix(removal: Removal, groups: list[Group], clues: int | None) -> bool:
    """Remove the longest prefix that can go, skip what comes next, and so on."""
    spare = len(removal.kept) - clues if clues is not None else len(removal.kept)
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
        removal.remove_at_once(faces, known_unique=True, known_kept=True)
        spare -= len(faces)
        start += low + 1
    return clues is None or spare > 0


def _by_stack(removal: Removal, groups: list[Group], clues: int, rng: Random) -> None:
    """Take groups away until exactly ``clues`` clues are left.

    A depth-first search: where no group can go any more, the last one that went is put back and
    others are tried in its place. After a while of this it starts anew in another order, and allows
    itself twice as long. What every alternative changes is kept in mind, and most removals that are
    impossible are recognised by it without a question.

    Raises `NothingFound` after a number of questions that grows with the board.
    """
    goal = len(removal.kept) - clues
    if goal < 0:
        raise NothingFound(f"have fewer clues that may stand than {clues}")
    patience = removal.questions + _PATIENCE * len(removal.alternatives.counts)
    alternatives: list[frozenset[int]] = []
    #: For each group that has gone, what can still be tried beside it; the last one is the top.
    stack: list[tuple[Group, list[Group]]] = []
    gone: set[int] = set()
    untried = shuffled(rng, groups)
    backtracks, allowed = 0, len(groups)
    while len(gone) != goal:
        while untried:
            group = untried.pop()
            left = removal.kept - gone - set(group)
            if len(gone) + len(group) > goal or any(map(left.isdisjoint, alternatives)):
                continue
            alternative = removal.alternative(left, group)
            if removal.questions > patience:
                raise NothingFound(f"have no way to {clues} clues that was found")
            if alternative is not None:
                alternatives.append(alternative)
                continue
            if not removal.wanted(left):
                continue
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
    removal.remove_at_once(sorted(gone), known_unique=True, known_kept=True)
