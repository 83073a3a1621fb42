"""The generator of Numberlinks: cover a board by paths, repair and prove it.

The *links* generator places paths one by one on a blank board until they cover it, like published
generators. The first path wanders at random, with up to six turns. For each later one, it begins at
a cell with one way out, if there is one, chooses a second cell that can be reached, and joins the
two by a shortest path with few turns. Such a path has no chord, which would make it shorter.
Pockets of up to three cells are added to the paths around them. `fit_to_request` repairs the
remaining faults (single cells, short paths, too many paths).
`linkoracle.generate.paths.link_repair` repairs boards with alternatives.

The *diagram* generator draws uniformly from all covers of a small board by paths. The covers are
one `Diagram`, of a frontier pass over the cells in which paths may end anywhere. The number of
edges of a cover is the number of cells less the number of paths. So a filter by length is a filter
by the number of paths. If cells may stay empty, a solution with a chord is never the only one.
Chords around a single square (three of its four edges) are excluded from the diagram. Draws with
longer chords are rejected, so the others stay uniform.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from linkoracle.board import Board, Lattice, LinkModel
from linkoracle.core import (
    ConflictLimit,
    Deadline,
    NothingFound,
    below,
    big_below,
    counted,
    default_limit,
    pick,
    shuffled,
    source,
)
from linkoracle.generate.attempts import HARDER, Attempts, Made, misfit
from linkoracle.generate.paths import MOST_CUTS, PathPlan, PathSystem, Plan, Step
from linkoracle.generate.paths.link_repair import LinkRepair
from linkoracle.generate.paths.request import NUMBERLINK_TRIES, NumberlinkRequest
from linkoracle.generate.request import as_grade

if TYPE_CHECKING:
    from linkoracle.frontier import Diagram

_MOST_TURNS = 6
_LARGEST_POCKET = 3
#: Number of changes that `fit_to_request` tries for each cell before it gives up.
_CHANGES_PER_CELL = 60
#: How many steps, drawn at random, are tried for each cut.
_CUTS_TRIED = 12


def make_numberlink(request: NumberlinkRequest, seed: int, index: int, attempts: Attempts) -> Made:
    """Make the Numberlink of a request, a seed and an index; raise `NothingFound` if that fails."""
    request = request.with_symmetry(seed, index)
    rng, deadline, plan = source(seed, index), attempts.deadline, request.plan
    make = covers if plan.maker == "diagram" else links
    tried = repaired = unfit = 0
    attempts.begin(request)
    while tried < plan.tries and unfit < plan.tries:
        deadline.check()
        drawn = plan.paths.drawn(rng)
        system = make(drawn, rng, deadline)
        if system is None:
            unfit += 1
            attempts.add(0, unfit=1)
            continue
        fit = partial(fit_to_request, system, drawn, rng, deadline)
        repairs = LinkRepair(system, drawn, rng, deadline, fit)
        if plan.repairs and not repairs.calm():
            tried += 1
            attempts.add()
            attempts.fail("with second solutions in parts")
            continue
        for left in range(plan.repairs, -1, -1):
            tried += 1
            puzzle, solution = system.puzzle(plan.blank), system.solution()
            effort, reason = plan.conflicts, None
            try:
                other = attempts.another(puzzle, solution, effort)
                if other is None:
                    reason = misfit(plan.keeps, puzzle, deadline)
                if reason is not None and reason.difference == HARDER and plan.cut is not None:
                    cut = cut_to_grade(system, plan, plan.cut, rng, deadline)
                    if cut is not None:
                        tried += 1
                        puzzle, solution, reason = cut, system.solution(), None
                        other = attempts.another(puzzle, solution, effort)
            except ConflictLimit:
                attempts.fail(f"undecided after {effort} conflicts")
                break
            if other is None:
                if reason is None:
                    return Made(puzzle, solution, tried, repaired, seed, index)
                attempts.fail(reason.reason, reason.number)
                break
            attempts.fail("with a second solution")
            if not left or not repairs.refute(other):
                break
            repaired += 1
    default = ", the default" if plan.tries == NUMBERLINK_TRIES else ""
    why = f"{tried} boards as requested" + (f" ({attempts.failures})" if tried else "")
    what = "with one solution" if plan.keeps is None else "as requested"
    raise NothingFound(
        f"found no puzzle {what} in {counted(plan.tries, 'attempt')}{default}: "
        f"{why}, {unfit} not as requested.",
        "Try other numbers of pairs or lengths, another seed or more attempts.",
    )


def links(plan: PathPlan, rng: Random, deadline: Deadline) -> PathSystem | None:
    """Return a random board as requested; ``None`` if the attempt failed. O(cells²) at most."""
    system = PathSystem(plan.board, plan.images, touching=plan.touching)
    laying = _Laying(system, plan, rng)
    laying.wander()
    while laying.empty:
        deadline.check()
        laying.join_two()
    return system if fit_to_request(system, plan, rng, deadline) else None


def cut_to_grade(
    system: PathSystem, plan: Plan, allowed: PathPlan, rng: Random, deadline: Deadline
) -> Any | None:
    """Cut paths in two until the puzzle has the requested grade; ``None`` if that fails.

    Of a few cuts, each time the one that makes the puzzle easiest is made. If a path may touch
    itself, the puzzle still has one solution: with the parts of the cut paths joined, any
    alternative would also solve the old puzzle. Otherwise the puzzle may have more solutions. If
    the result is ``None``, the cuts remain.
    """
    grade = as_grade(plan.keeps)
    assert grade is not None
    for _ in range(MOST_CUTS):
        scores: dict[Step, int] = {}
        steps = [(x, y) for x, linked in enumerate(system.linked) for y in linked if x < y]
        for step in islice(shuffled(rng, steps), _CUTS_TRIED):
            if not system.change(out=step):
                continue
            if not allowed.misses(system):
                puzzle = system.puzzle(plan.blank)
                points, difference, _ = grade.measured(puzzle, deadline)
                if not difference:
                    return puzzle
                if difference > 0 and points is not None:
                    scores[step] = points
            system.undo()
        if not scores:
            break
        system.change(out=min(scores, key=lambda step: scores[step]))
    return None


class _Laying:
    """The empty cells of a board while paths are placed."""

    def __init__(self, system: PathSystem, plan: PathPlan, rng: Random) -> None:
        self._system, self._plan, self._rng = system, plan, rng
        self._images = plan.images
        #: The empty cells, as a dict for a reproducible order.
        self.empty = dict.fromkeys(range(plan.board.num_vertices))

    def wander(self) -> None:
        """Place the first path: straight pieces with random turns, never next to itself."""
        rng, near = self._rng, self._system.neighbours
        walk = [below(rng, len(near))]

        def onward() -> list[int]:
            beside = [cell for cell in near[walk[-1]] if cell not in walk]
            return [cell for cell in beside if sum(other in walk for other in near[cell]) == 1]

        length = self._length()
        for _ in range(1 + below(rng, _MOST_TURNS + 1)):
            if not onward():
                break
            cell = pick(rng, onward())
            for _ in range(1 + below(rng, self._plan.across // 2)):
                if len(walk) < length and cell in onward():
                    walk.append(cell)
                    cell = self._system.ahead(walk[-2], cell)
        self._lay(walk)

    def _length(self) -> int:
        """Draw a length for the next path, in the requested proportions of short and long."""
        plan = self._plan
        draw, within = self._rng.random(), self._rng.random()
        ratio = 0.3 + 1.4 * within
        if draw < plan.short_share[0]:
            ratio = 0.5 * within
        elif draw > 1 - plan.long_share[0]:
            ratio = 1.5 + within
        longest = plan.longest or plan.board.num_vertices
        return min(max(round(plan.average * ratio), plan.shortest), longest)

    def join_two(self) -> None:
        """Place a path from a dead end, if there is one, to a cell at about the drawn length."""
        near, empty, rng = self._system.neighbours, self.empty, self._rng
        dead_ends = [cell for cell in empty if sum(other in empty for other in near[cell]) == 1]
        start = pick(rng, dead_ends or list(empty))
        self._lay(self._straightest(start, self._length()))

    def _straightest(self, start: int, length: int) -> list[int]:
        """Return a shortest path of up to ``length`` cells, with the fewest turns."""
        near, empty = self._system.neighbours, self.empty
        ahead = self._system.ahead
        # The number of turns, by a cell and the one before it, and the predecessor.
        reached = {(start, -1): 0}
        best: dict[tuple[int, int], tuple[int, int]] = {}
        seen = {start}
        for _ in range(length - 1):
            following: dict[tuple[int, int], int] = {}
            for (here, before), turns in reached.items():
                for cell in near[here]:
                    key = (cell, here)
                    cost = turns + (before >= 0 and ahead(before, here) != cell)
                    free = cell in empty and cell not in seen
                    if free and cost < following.get(key, cost + 1):
                        following[key], best[key] = cost, (here, before)
            if not following:
                break
            reached = following
            seen.update(cell for cell, _ in reached)
        goal = pick(self._rng, list(dict.fromkeys(cell for cell, _ in reached)))
        state = min((one for one in reached if one[0] == goal), key=lambda s: (reached[s], -s[1]))
        walk = [state[0]]
        while state in best:
            state = best[state]
            walk.append(state[0])
        return walk[::-1]

    def _orbit(self, cell: int) -> set[int]:
        return {cell, *(image[cell] for image in self._images)}

    def _lay(self, walk: list[int]) -> None:
        """Place a path and its images, cut short where they would meet."""
        near, empty = self._system.neighbours, self.empty
        taken: set[int] = set()
        for place, cell in enumerate(walk):
            orbit = self._orbit(cell)
            apart = len(orbit) > len(self._images) and orbit.isdisjoint(taken)
            if not apart or (place and not self._system.change(into=(walk[place - 1], cell))):
                break
            taken |= orbit
        # If a path meets its own image at once, `fit_to_request` deals with its start.
        taken |= self._orbit(walk[0])
        for cell in sorted(taken):
            empty.pop(cell, None)
        for cell in sorted(taken):
            for beside in near[cell]:
                if beside in empty:
                    self._absorb(beside)

    def _absorb(self, start: int) -> None:
        """Add the cells of a small pocket to the paths whose ends touch them."""
        near, empty = self._system.neighbours, self.empty
        pocket = [start]
        for here in pocket:
            pocket += [cell for cell in near[here] if cell in empty and cell not in pocket]
            if len(pocket) > _LARGEST_POCKET:
                return
        for cell in pocket:
            for end in near[cell]:
                if end not in empty and self._system.change(into=(end, cell)):
                    break
            for gone in self._orbit(cell):
                empty.pop(gone, None)


def fit_to_request(system: PathSystem, plan: PathPlan, rng: Random, deadline: Deadline) -> bool:
    """Change a board at random, never for the worse, until it is as requested.

    Cuts a path in two, joins two paths whose ends touch, or extends the end x of a path to a
    neighbour y, which is separated from one of its own neighbours. Returns whether it succeeded.
    """
    cells = len(system.linked)
    far = plan.misses(system)
    for _ in range(_CHANGES_PER_CELL * cells):
        if not far:
            return True
        deadline.check()
        x = below(rng, cells)
        y = pick(rng, system.neighbours[x])
        if len(system.linked[x]) > 1:
            # Cutting helps only if paths are missing or too long.
            changed = y in system.linked[x] and system.change(out=(x, y))
        elif len(system.linked[y]) < 2 and rng.random() < 0.7:
            changed = system.change(into=(x, y))
        elif system.label[x] == system.label[y] or not system.linked[y]:
            changed = False
        else:
            changed = system.change(out=(y, pick(rng, system.linked[y])), into=(x, y))
        if changed:
            now = plan.misses(system)
            if now <= far:
                far = now
            else:
                system.undo()
    return not far


#: Face mask of a square without a chord: up to two of its edges.
_NO_CHORD = 0b00111


def covers(plan: PathPlan, rng: Random, deadline: Deadline) -> PathSystem | None:
    """Draw a cover; ``None`` if it has a chord or a path of another length than requested.

    Draws are uniform over all boards as requested; in the variant ``"fill"`` these include boards
    on which the two ends of a path touch.
    """
    board, chordless = plan.board.squares(), not plan.touching
    every = _covers_of(board, pairs_of_cells=plan.shortest < 3, chordless=chordless)
    found = every.with_paths(*plan.pairs, deadline)
    if not found:
        return None
    drawn = found[big_below(rng, found.count())]
    system = PathSystem(board, touching=not chordless)
    for x, y in sorted(map(drawn.board.ends, drawn.edges)):
        # A chord stays a chord. Ends that touch now may not be ends later.
        if chordless and not system.joinable(x, y):
            return None
        system.join(x, y)
    return None if plan.misses(system) else system


class Covers:
    """All covers of a board of cells by paths of at least two cells.

    Without ``pairs_of_cells``, of at least three. With ``chordless``, no unit square has three of
    its edges chosen. Time and memory are exponential in the short side.

    >>> every = Covers(Lattice(2, 2), pairs_of_cells=True)
    >>> [every.with_paths(number, number, Deadline(None)).count() for number in (1, 2)]
    [4, 2]
    """

    def __init__(
        self, board: Lattice, *, pairs_of_cells: bool = False, chordless: bool = False
    ) -> None:
        model = LinkModel.blank_paths(board, (), cover=True)
        if chordless:
            model = replace(model, faces=[_NO_CHORD] * board.num_faces)
        if not pairs_of_cells:
            model = model.with_constraints(clauses=_longer_paths(board))
        self._model = model
        self._every: Diagram | None = None
        self._parts: dict[tuple[int, int], Diagram] = {}

    def with_paths(self, least: int, most: int, deadline: Deadline) -> Diagram:
        """Return the covers with ``least`` to ``most`` paths.

        Raises `SearchTimeout` at the deadline, and `MemoryLimit`.
        """
        if self._every is None:
            from linkoracle.frontier import building, finished

            work = building(self._model, default_limit(), deadline, free_ends=True)
            self._every = finished(work, deadline)
        if (least, most) not in self._parts:
            cells = self._model.board.num_vertices
            lengths = range(cells - most, cells - least + 1)
            self._parts[least, most] = self._every.filter(length=lengths, timeout=deadline.left)
        return self._parts[least, most]


_covers_of = lru_cache(maxsize=4)(Covers)


def _longer_paths(board: Board) -> Iterator[tuple[int, ...]]:
    """Yield clauses: if an edge is chosen, so is another edge at one of its ends."""
    for edge in range(board.num_edges):
        beside = {other for end in board.ends(edge) for other in board.edges_at(end)} - {edge}
        yield (-1 - edge, *(1 + other for other in sorted(beside)))
