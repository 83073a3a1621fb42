"""Clue reduction: from the full clues of a loop down to few, or the fewest, that make it unique.

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

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from linkoracle.board import Solution
from linkoracle.core import (
    Deadline,
    NothingFound,
    Progress,
    SearchTimeout,
    seed_or_fresh,
    shuffled,
    source,
)
from linkoracle.engines import HittingSets
from linkoracle.generate.attempts import (
    Preview,
    Reduced,
    Watching,
    checked,
    misfit,
    showing,
    with_all_clues,
)
from linkoracle.generate.clues import CluePlan, plan_of
from linkoracle.generate.clues.grading import eased, regraded
from linkoracle.generate.clues.removal import STRATEGIES, Course, Removal, Witnesses, near
from linkoracle.generate.clues.request import SlitherlinkRequest
from linkoracle.kinds import Ends, Slitherlink, check_solution, unknown_clues
from linkoracle.search import Alternatives


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

    >>> from linkoracle.generate.loops.shapes import two_colour
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
    found = reduced(plan_of(request).clues, full, solution, rng, deadline, watching)
    checked(found.puzzle, solution, deadline)
    return replace(found, seed=drawn)


def reduced(
    plan: CluePlan,
    full: Slitherlink,
    solution: Solution,
    rng: Random,
    deadline: Deadline,
    watching: Watching,
) -> Reduced:
    """`reduce_clues` by a plan; ``full`` has all clues of the solution."""

    def show(left: set[int]) -> None:
        watching.show(lambda: (showing(full, left), solution))

    accepts = _hook(plan, full, deadline)
    remove, cored = STRATEGIES[plan.strategy]
    # A core prefers clues assumed first. In reading order, large boards would have no clue in the
    # last row.
    sweep = None if plan.sweep is None else plan.sweep(rng)
    order = shuffled(rng, range(plan.cells)) if cored and sweep is None else sweep
    with Removal(full, solution, accepts, order, deadline, show) as removal:
        _drop_unwanted(plan, removal)
        course = Course(plan, removal, rng, sweep)
        removed = remove(course)
        if plan.regrades:
            restored = eased if plan.by_counts else regraded
            left, complete = restored(course, full, removed, deadline), False
        else:
            left = removal.kept
            if removed.evenness is not None and plan.goal is not None:
                left = removed.evenness.filled(left, course.fillable(left), plan.goal)
            complete = removed.complete and len(left) == len(removal.kept)
            if unfit := misfit(plan.grade, showing(full, left), deadline):
                raise NothingFound(unfit.reason)
        # Options that keep clues.
        kept = plan.is_symmetric or plan.keeps is not None or plan.must
        cost = removal.queries, removal.alternatives.conflicts
        result = Reduced(showing(full, left), complete and not kept, *cost)
    if not plan.minimal:
        return result
    if result.minimal:
        return replace(result, redundant=())
    # Other options may have kept clues, or restored some.
    spare = redundant(result.puzzle, solution, deadline)
    return replace(result, minimal=not spare, redundant=spare)


def _hook(plan: CluePlan, full: Slitherlink, deadline: Deadline) -> Callable[[set[int]], bool]:
    """Return what accepts the clues left, where a hook decides on each removal."""
    keeps, grade = plan.keeps, plan.grade
    if keeps is None or plan.regrades:
        return lambda _: True
    if grade is not None and grade.monotone and not plan.by_counts:
        clues = grade.clues(full, deadline)
        if clues is not None:
            return clues.passes
    return lambda left: keeps(showing(full, left))


def _drop_unwanted(plan: CluePlan, removal: Removal) -> None:
    """Remove the clues of ``must_not``."""
    gone = sorted(plan.must_not)
    if gone:
        left = removal.kept.difference(gone)
        if removal.alternative(left, gone) is not None or not removal.accepts(left):
            raise NothingFound("are not unique without the clues that must not be there")
        removal.drop(gone)


def _cells_of(puzzle: Any) -> dict[int, Any]:
    """Return the cells whose clues have a number, by their numbers as faces."""
    face_of, unknown = puzzle.board.face_of, unknown_clues(puzzle)
    return {face_of(cell): cell for cell, _ in puzzle.clue_cells() if cell not in unknown}


def redundant(
    puzzle: Slitherlink, solution: Solution, deadline: Deadline
) -> tuple[tuple[int, int], ...]:
    """Return the cells whose clue follows from the other clues, each taken by itself.

    ``solution`` must be the only solution of the puzzle. Raises `SearchTimeout`.

    >>> from linkoracle import solve
    >>> puzzle = Slitherlink([[4, 1], [None, None]])
    >>> redundant(puzzle, solve(puzzle), Deadline(None))
    ((0, 1),)
    """
    faces = _cells_of(puzzle)
    full = with_all_clues(puzzle, solution)
    # A near alternative shows that most clues are needed, without a search.
    needed = Witnesses(near(full, solution), faces).needed
    with Alternatives(showing(full, ()), solution) as alternatives:
        alternatives.fix_clues(sorted(needed), keep=True)
        return tuple(
            cell
            for face, cell in faces.items()
            if face not in needed
            and alternatives.find(faces.keys() - {face}, (face,), timeout=deadline) is None
        )


def witnesses(
    puzzle: Slitherlink, solution: Solution, *, timeout: float | None = None
) -> dict[tuple[int, int], Solution]:
    """Return for each needed clue another solution of the puzzle without that clue.

    ``solution`` is the only one of the puzzle, which is minimal iff every clue has a witness. They
    come from `linkoracle.search` and are checked independently by `linkoracle.check_solution`.
    Takes about as long as making the puzzle.

    Raises ``ValueError`` if the solution does not solve the puzzle, or another one does, and
    `SearchTimeout`.

    >>> from linkoracle.generate import slitherlink
    >>> made = slitherlink(6, 6, seed=1, minimal=True)
    >>> found = witnesses(made.puzzle, made.solution)
    >>> made.minimal, len(found) == made.puzzle.number_of_clues
    (True, True)
    """
    if not check_solution(puzzle, solution):
        raise ValueError("the solution given does not solve this puzzle")
    deadline = Deadline(timeout)
    faces = _cells_of(puzzle)
    blank = puzzle.with_clues(dict.fromkeys(dict(puzzle.clue_cells())))
    found = {}
    with Alternatives(blank, solution) as alternatives:
        if alternatives.find(faces.keys(), timeout=deadline) is not None:
            raise ValueError("the puzzle has another solution than the one given")
        for face, cell in faces.items():
            other = alternatives.find(faces.keys() - {face}, (face,), timeout=deadline)
            if other is None:
                continue
            without = puzzle.with_clues({cell: None})
            if other.solution == solution or not check_solution(without, other.solution):
                raise AssertionError("a witness failed its independent check")
            found[cell] = other.solution
    return found


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
    ends: Ends | None = None,
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
    squares. Exponential at worst: 7x7 cells take seconds, 9x9 take minutes.

    ``progress`` gets the lower bound after each round. Raises `NothingFound` if even the full clues
    have another solution.

    >>> from linkoracle.board import Lattice
    >>> from linkoracle.board import Solution
    >>> best = fewest(Solution(Lattice(3, 3), (0, 1, 3, 5)))
    >>> best.proven, best.puzzle.grid
    (True, ((4, None), (None, None)))
    """
    full = Slitherlink.from_solution(solution, ends)
    found = smallest(full, solution, Deadline(timeout), progress)
    checked(found.puzzle, solution)
    return found


def smallest(
    full: Any,
    solution: Solution,
    deadline: Deadline,
    progress: Progress | None,
    given: Iterable[Any] = (),
    watching: Watching | None = None,
    below: int | None = None,
) -> Fewest:
    """`fewest`, as a step of a generator, among puzzles with a clue in each ``given`` cell.

    ``full`` is the board, of any tiling, with all clues of the solution. Gives up when it is known
    that no puzzle has fewer clues than ``below``.
    """
    bound, interrupted = 0, False
    watching = watching or Watching()
    board = solution.board
    needed = {board.face_of(cell) for cell in given}

    def show(clues: set[int]) -> None:
        watching.show(lambda: (showing(full, clues), solution))

    # A minimal puzzle is a good start, and shows that there is one.
    faces = shuffled(Random(0), range(board.num_faces))
    with Removal(full, solution, lambda _: True, faces, deadline, show) as removal:
        free = [(face,) for face in faces if face not in needed]
        removal.decide([face for (face,) in removal.keep_core(free, None)])
        best = set(removal.kept)
    with (
        Alternatives(showing(full, ()), solution) as alternatives,
        HittingSets(range(board.num_faces)) as sets,
    ):
        try:
            # As if an alternative changed a given clue only.
            for changed in [*near(full, solution), *((face,) for face in needed)]:
                sets.hit(changed)
            while len(best) > bound and (below is None or bound < below):
                clues = sets.smallest(deadline) or set()
                bound = len(clues)
                show(best)
                if progress is not None:
                    progress(f"at least {bound} clues, at most {len(best)}", bound / len(best))
                while (alternative := alternatives.find(clues, timeout=deadline)) is not None:
                    sets.hit(alternative.changed)
                    clues |= alternative.changed
                enough = needed.union(alternatives.core)
                if len(enough) < len(best):
                    best = enough
        except SearchTimeout:
            pass
        except KeyboardInterrupt:
            interrupted = True
        # A minimum puzzle is minimal.
        cost = len(best) == bound, alternatives.queries, alternatives.conflicts
        return Fewest(showing(full, best), *cost, lower_bound=bound, interrupted=interrupted)
