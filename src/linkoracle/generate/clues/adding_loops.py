"""`added_to_loop`: `add_clues` for the kinds of one loop or path through cells.

A clue is a place and a value; which solutions allow it says their kind (`clues_of`). While a board
has more solutions than are listed, the clue that the fewest of them allow is added. Of the rest, a
SAT solver finds the fewest clues that exactly one solution allows. So these are the fewest of all
if no clue was added before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import combinations, islice
from random import Random
from typing import Any

from linkoracle.board import Solution
from linkoracle.core import Deadline, NothingFound, Progress, SearchTimeout
from linkoracle.engines import Oracle, PieceSolver
from linkoracle.generate.attempts import EFFORT, Attempts
from linkoracle.generate.loops.choosing import allowed
from linkoracle.generate.loops.designing import Design, Designing, random_loop
from linkoracle.generate.loops.shading import divides
from linkoracle.kinds import CellLoop, RegionPuzzle

#: Number of solutions considered at a time, and conflicts between two checks of the deadline.
_LISTED, _SLICE = 150, 2_000
#: Seconds for the fewest clues of the solutions listed, and puzzles that are designed at least,
#: and attempts at most.
_SECONDS, _DESIGNS, _DESIGNED = 3.0, 4, 20
#: Number of solutions near random loops.
_DIVERSE = 30
_ALIKE = "clues cannot distinguish any solution from all others"
#: A place and its clue.
Clue = tuple[Any, Any]
#: The clues that a solution allows, by place.
_Fits = Mapping[Any, Collection[Any]]


def added_to_loop(
    puzzle: CellLoop, deadline: Deadline, progress: Progress | None
) -> tuple[dict[Any, Any], Solution, int]:
    """Return the clues to add, the only solution then, and the fewest that can suffice.

    Raises `NothingFound` as `add_clues` does, and `SearchTimeout`.
    """
    solutions, whole = _listed(puzzle, deadline)
    if not solutions:
        raise NothingFound("the puzzle has no solution, and more clues cannot add one.")
    if len(solutions) > 1 and divides(type(puzzle)):
        return _designed(puzzle, deadline)
    places = _Places(puzzle)
    chosen: dict[Any, Any] = {}
    while True:
        fits = [places.fits(one) for one in solutions]
        found = _fewest(fits, deadline) if whole else None
        if found is None:
            clue = _sharpest(fits)
            if clue is None:
                raise NothingFound(_ALIKE)
            more, only = {clue[0]: clue[1]}, None
        else:
            more, only = found
        if only is not None:
            added, solution = {**chosen, **more}, solutions[only]
            other = _another(puzzle.with_clues(added), solution, deadline)
            if other is None:
                break
            # It fits these clues, although its own ones are others.
            places.note(other, more)
            solutions = [*dict.fromkeys([*solutions, other])]
            continue
        chosen |= more
        if progress is not None:
            progress(f"{len(chosen)} clues, and some more", None)
        fuller = puzzle.with_clues(chosen)
        # A number may tell the two directions of a path apart.
        places = _Places(fuller)
        solutions, whole = _listed(fuller, deadline)
    bound = len(added) if not chosen else 1
    # What was added at first may have become redundant.
    for place in chosen:
        fewer = {one: clue for one, clue in added.items() if one != place}
        if _another(puzzle.with_clues(fewer), solution, deadline) is None:
            added = fewer
    return added, solution, min(bound, len(added))


def _another(puzzle: CellLoop, solution: Solution, deadline: Deadline) -> Solution | None:
    with Oracle(puzzle.model) as oracle:
        return oracle.another(solution, timeout=deadline)


def _designed(puzzle: CellLoop, deadline: Deadline) -> tuple[dict[Any, Any], Solution, int]:
    """Return the fewest new clues of a few puzzles designed on the board of this one.

    Where all cells without a clue are visited or shaded, a clue in a shaded cell changes what
    others count. So a solution does not say alone which clues it allows.
    """
    attempts, rng, there = Attempts(deadline.left), Random(0), dict(puzzle.every_clue())
    best: tuple[dict[Any, Any], Solution] | None = None
    another = partial(_counted_another, attempts)
    designing = Designing(Design(puzzle), (), rng, another, deadline)
    for tried in range(_DESIGNED):
        if best is not None and tried >= _DESIGNS:
            break
        found = designing.made(minimal=True)
        if found is not None:
            made, solution = found
            new = {place: clue for place, clue in made.every_clue() if there.get(place) != clue}
            if best is None or len(new) < len(best[0]):
                best = new, solution
    if best is None:
        raise NothingFound(_ALIKE)
    return *best, min(1, len(best[0]))


def _counted_another(
    attempts: Attempts, puzzle: Any, solution: Solution, edges: Mapping[Any, bool] | None = None
) -> Solution | None:
    return attempts.another(puzzle, solution, EFFORT, edges)


class _Places:
    """The places of a puzzle that may get a clue."""

    def __init__(self, puzzle: CellLoop) -> None:
        self._puzzle = puzzle
        self._there = dict(puzzle.every_clue())
        #: Clues that solutions fit beside those that they allow by themselves.
        self._noted: dict[Solution, dict[Any, set[Any]]] = {}
        self._region: dict[Any, Any] = {}
        if isinstance(puzzle, RegionPuzzle) and puzzle.region_clues:
            for cells in puzzle.cells_by_region():
                held = next((cell for cell in cells if cell in self._there), cells[0])
                self._region[cells[0]] = held

    def fits(self, solution: Solution) -> _Fits:
        """Return the clues that a solution allows where the puzzle may get one."""
        every = allowed(self._puzzle, solution).items()
        named = {self._region.get(place, place): clues for place, clues in every}
        found = {place: {*clues} for place, clues in named.items() if self._is_open(place)}
        full = {place: clues[-1] for place, clues in named.items() if place in found}
        if self._puzzle.with_clues(full).violations(solution):
            # Some do not fit together with those that are there.
            puzzle = self._puzzle
            for place, clue in full.items():
                fuller = puzzle.with_clues({place: clue})
                if fuller.violations(solution):
                    del found[place]
                else:
                    puzzle = fuller
        for place, clues in self._noted.get(solution, {}).items():
            found.setdefault(place, set()).update(clues)
        return found

    def note(self, solution: Solution, clues: Mapping[Any, Any]) -> None:
        """Note clues that a solution fits."""
        noted = self._noted.setdefault(solution, {})
        for place, clue in clues.items():
            noted.setdefault(place, set()).add(clue)

    def _is_open(self, place: Any) -> bool:
        if place not in self._there:
            return True
        # A clue without a number may get one.
        return self._puzzle.unknown is not None and self._there[place] == self._puzzle.unknown


def _listed(puzzle: CellLoop, deadline: Deadline) -> tuple[list[Solution], bool]:
    """Return some solutions, and whether these are all."""
    rng = Random(0)
    with Oracle(puzzle.model) as oracle:
        with closing(oracle.solutions(timeout=deadline)) as every:
            found = [*islice(every, _LISTED + 1)]
        if len(found) <= _LISTED:
            return found, True
        # Solutions that are found one after the other are alike: take some near random loops.
        for _ in range(_DIVERSE):
            other = oracle.another(random_loop(puzzle, rng), timeout=deadline)
            found += [] if other is None else [other]
    return [*dict.fromkeys(found)], False


def _clues(fits: Sequence[_Fits]) -> Iterator[Clue]:
    """Yield each clue that a solution allows, once."""
    yield from dict.fromkeys((place, clue) for one in fits for place in one for clue in one[place])


def _sharpest(fits: Sequence[_Fits]) -> Clue | None:
    """Return the clue that the fewest solutions allow; ``None`` if all allow each."""
    fewest = len(fits)
    best: Clue | None = None
    for place, clue in _clues(fits):
        number = sum(clue in one.get(place, ()) for one in fits)
        if number < fewest:
            fewest, best = number, (place, clue)
    return best


def _fewest(fits: Sequence[_Fits], deadline: Deadline) -> tuple[dict[Any, Any], int] | None:
    """Return the fewest clues that only one solution allows, and the number of this solution.

    ``None`` if that takes too long.
    """
    if len(fits) == 1:
        return {}, 0
    from pysat.card import ITotalizer

    every = [*_clues(fits)]
    has = {clue: number for number, clue in enumerate(every, start=1)}
    fitting = range(len(every) + 1, len(every) + len(fits) + 1)
    most = len({place for place, _ in every})
    totalizer = ITotalizer([*has.values()], ubound=most, top_id=fitting[-1])
    with closing(PieceSolver("glucose4", _SLICE)) as solver:
        for clause in totalizer.cnf.clauses:
            solver.add(clause)
        bounds = [*totalizer.rhs]
        top = totalizer.top_id
        totalizer.delete()
        by_place: dict[Any, list[int]] = {}
        for (place, _), number in has.items():
            by_place.setdefault(place, []).append(number)
        for numbers in by_place.values():
            for one, other in combinations(numbers, 2):
                solver.add([-one, -other])
        for fit, fitted in zip(fitting, fits, strict=True):
            excluding = [has[c] for c in every if c[1] not in fitted.get(c[0], ())]
            solver.add([fit, *excluding])
            for number in excluding:
                solver.add([-fit, -number])
        solver.add([*fitting])
        # At most one: each after another one that fits does not.
        last = fitting[0]
        for fit in fitting[1:]:
            top += 1
            solver.add([-last, -fit])
            solver.add([-last, top])
            solver.add([-fit, top])
            last = top
        brief = Deadline(_SECONDS if deadline.left is None else min(_SECONDS, deadline.left / 4))
        for size in range(1, most + 1):
            bound = [-bounds[size]] if size < len(bounds) else []
            try:
                solved = solver.solve(bound, brief)
            except SearchTimeout:
                return None
            if solved:
                true = {literal for literal in solver.model() if literal > 0}
                only = next(place for place, fit in enumerate(fitting) if fit in true)
                return dict(clue for clue, number in has.items() if number in true), only
    raise NothingFound(_ALIKE)
