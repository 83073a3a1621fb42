"""`numberlink` and `numberlinks`: boards made, repaired and proven.

The *links* maker lays links one by one on a blank board until they cover it. The plan is that of
published makers of such puzzles. A first link wanders at random, with up to six turns. Then again
and again: begin at a cell with one way out, if there is one, choose a second cell that can be
reached, and join the two by a shortest path without needless turns. Such a path has no chord,
because a chord would make it shorter. Pockets of three cells or fewer are given to the links around
them. What is left at last (single cells, links too short, too many links) is put right by `settle`:
it joins links whose ends touch, and lets the end of one take over a part of another, until the
board is as requested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Unpack

from linkoracle.board.solution import Solution
from linkoracle.core.errors import ConflictLimit, NothingFound
from linkoracle.core.limits import Deadline, Progress
from linkoracle.core.randomness import below, pick, seed_or_fresh, shuffled, source
from linkoracle.generate.making import Failures, Made, Tally, another, asked, different, single
from linkoracle.generate.numberlink_request import (
    NUMBERLINK_TRIES,
    REPAIRS,
    NumberlinkOptions,
    NumberlinkRequest,
)
from linkoracle.generate.path_system import PathSystem

if TYPE_CHECKING:
    from concurrent.futures import Executor

_MOST_TURNS = 6
_LARGEST_POCKET = 3
#: Changes that `settle` tries for each cell of the board before it gives up.
_PATIENCE = 60


def numberlink(
    rows: int | NumberlinkRequest,
    cols: int | None = None,
    *,
    seed: int | None = 0,
    index: int = 0,
    timeout: float | None = None,
    progress: Progress | None = None,
    **options: Unpack[NumberlinkOptions],
) -> Made:
    """Make a Numberlink of ``rows`` x ``cols`` cells that provably has one solution.

    That solution uses every cell, also under the rule ``"free"``. ``options`` are the other fields
    of `NumberlinkRequest`; or one such request stands in place of all. The puzzle is a pure
    function of that, ``seed`` and ``index``, which tells the puzzles of one seed apart; with
    ``seed=None`` a fresh one is drawn, which the result tells. ``progress`` is called for each
    board that is made, be it as requested or not.

    Raises `NothingFound`, `SearchTimeout` after ``timeout`` seconds, ``ValueError`` for requests
    that no board can meet.

    >>> made = numberlink(6, 6, seed=1)
    >>> from linkoracle import is_unique
    >>> is_unique(made.puzzle), len(made.puzzle.pairs())
    (True, 6)
    """
    make = partial(_make, asked(NumberlinkRequest, rows, cols, options))
    return single(make, seed, index, timeout, progress)


def numberlinks(
    rows: int | NumberlinkRequest,
    cols: int | None = None,
    *,
    seed: int | None = 0,
    start: int = 0,
    wanted: int | None = None,
    timeout: float | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    **options: Unpack[NumberlinkOptions],
) -> Iterator[Made]:
    """Yield puzzles as `numberlink` makes them, no board twice, from index ``start`` on.

    For the other arguments see `puzzles`.

    >>> from itertools import islice
    >>> boards = {made.puzzle for made in islice(numberlinks(5, 5, seed=1), 4)}
    >>> len(boards)
    4
    """
    make = partial(_make, asked(NumberlinkRequest, rows, cols, options), seed_or_fresh(seed))
    return different(make, start, wanted, timeout, executor, progress)


def _make(
    request: NumberlinkRequest, seed: int, index: int, tally: Tally, deadline: Deadline
) -> Made:
    rng = source(seed, index)
    make: Callable[[NumberlinkRequest, Random, Deadline], PathSystem | None] = links
    repairs = REPAIRS if request.repairs is None else request.repairs
    if request.maker == "diagram":
        from linkoracle.generate.covers import covers

        make = covers
        # A repaired board would not be a uniform draw.
        repairs = request.repairs or 0
    tried = repaired = unfit = 0
    failures = tally.failures = Failures()
    while tried < request.tries and unfit < request.tries:
        deadline.check()
        system = make(request, rng, deadline)
        if system is None:
            unfit += 1
            tally.add(0, unfit=1)
            continue
        for left in range(repairs, -1, -1):
            tried += 1
            puzzle, solution = system.puzzle(request.rule), system.solution()
            try:
                other = another(puzzle, solution, request.effort, tally, deadline)
            except ConflictLimit:
                failures.add(f"undecided after {request.effort} conflicts")
                break
            if other is None:
                return Made(puzzle, solution, tried, repaired, seed, index)
            failures.add("with a second solution")
            if not left or not repair(system, other, request, rng, deadline):
                break
            repaired += 1
    default = ", the default" if request.tries == NUMBERLINK_TRIES else ""
    why = f"{tried} boards as requested" + (f" ({failures})" if tried else "")
    raise NothingFound(
        f"found no puzzle with one solution in {request.tries} tries{default}: {why}, {unfit} that "
        "came out otherwise; try other numbers of pairs or lengths, another seed or more tries"
    )


def links(request: NumberlinkRequest, rng: Random, deadline: Deadline) -> PathSystem | None:
    """A random board as requested; ``None`` when this try did not get there. O(cells²) at most."""
    system = PathSystem(request.rows, request.cols, request.images, touching=request.rule == "fill")
    laying = _Laying(system, request, rng)
    laying.wander()
    while laying.empty:
        deadline.check()
        laying.join_two()
    return system if settle(system, request, rng, deadline) else None


class _Laying:
    """The state of a board while links are laid: which cells are empty."""

    def __init__(self, system: PathSystem, request: NumberlinkRequest, rng: Random) -> None:
        self._system = system
        self._request = request
        self._rng = rng
        self._images = request.images
        #: Empty cells; a dict, because its order is that of insertion on every machine.
        self.empty = dict.fromkeys(range(request.rows * request.cols))

    def wander(self) -> None:
        """Lay the first link: straight pieces with random turns, never beside itself."""
        rng = self._rng
        walk = [below(rng, self._request.rows * self._request.cols)]
        length = self._length()
        for _ in range(1 + below(rng, _MOST_TURNS + 1)):
            onward = self._free_steps(walk)
            if not onward:
                break
            step = pick(rng, onward) - walk[-1]
            for _ in range(1 + below(rng, max(self._request.rows, self._request.cols) // 2)):
                if len(walk) < length and walk[-1] + step in self._free_steps(walk):
                    walk.append(walk[-1] + step)
        self._lay(walk)

    def _free_steps(self, walk: list[int]) -> list[int]:
        near = self._system.neighbours
        used = set(walk)
        return [
            cell
            for cell in near[walk[-1]]
            if cell not in used and sum(other in used for other in near[cell]) == 1
        ]

    def _length(self) -> int:
        """A length for the next link: about as many short and long ones as are asked for."""
        rng, request = self._rng, self._request
        draw = rng.random()
        average = request.average
        if draw < request.short_share[0]:
            wanted = average * 0.5 * rng.random()
        elif draw > 1 - request.long_share[0]:
            wanted = average * (1.5 + rng.random())
        else:
            wanted = average * (0.3 + 1.4 * rng.random())
        longest = request.rows * request.cols if request.max_length is None else request.max_length
        return min(max(round(wanted), request.min_length), longest)

    def join_two(self) -> None:
        """Lay a link from a dead end, if there is one, to a cell about as far as wanted."""
        near, empty, rng = self._system.neighbours, self.empty, self._rng
        ways = {cell: sum(other in empty for other in near[cell]) for cell in empty}
        dead_ends = [cell for cell, count in ways.items() if count == 1]
        start = pick(rng, dead_ends or list(ways))
        layers = self._layers(start)
        wanted = min(self._length(), len(layers))
        goal = pick(rng, layers[wanted - 1])
        self._lay(self._straightest(goal, layers, wanted - 1))

    def _layers(self, start: int) -> list[list[int]]:
        """The cells that can be reached from ``start`` over empty ones, by distance."""
        near, empty = self._system.neighbours, self.empty
        layers = [[start]]
        seen = {start}
        while layers[-1]:
            following = []
            for here in layers[-1]:
                for cell in near[here]:
                    if cell in empty and cell not in seen:
                        seen.add(cell)
                        following.append(cell)
            layers.append(following)
        return layers[:-1]

    def _straightest(self, goal: int, layers: list[list[int]], distance: int) -> list[int]:
        """Of the shortest paths from the start of ``layers`` to ``goal``, one of fewest turns."""
        near = self._system.neighbours
        best: dict[tuple[int, int], tuple[int, int]] = {}
        # Turns so far by cell and last step, and that step's predecessor.
        reached = {(layers[0][0], 0): 0}
        for layer in layers[1 : distance + 1]:
            cells = set(layer)
            following: dict[tuple[int, int], int] = {}
            for (here, step), turns in reached.items():
                for cell in near[here]:
                    if cell in cells:
                        key = (cell, cell - here)
                        cost = turns + (step not in (0, cell - here))
                        if key not in following or cost < following[key]:
                            following[key], best[key] = cost, (here, step)
            reached = following
        ends = [(turns, key) for key, turns in reached.items() if key[0] == goal]
        _, state = min(ends)
        walk = [state[0]]
        while state in best:
            state = best[state]
            walk.append(state[0])
        return walk[::-1]

    def _orbit(self, cell: int) -> set[int]:
        return {cell, *(image[cell] for image in self._images)}

    def _lay(self, walk: list[int]) -> None:
        """Lay a link and its images, cut short where they would meet."""
        near, empty = self._system.neighbours, self.empty
        taken: set[int] = set()
        for place, cell in enumerate(walk):
            orbit = self._orbit(cell)
            if len(orbit) <= len(self._images) or orbit & taken:
                break
            if place and not self._system.change(into=(walk[place - 1], cell)):
                break
            taken |= orbit
        # A link that meets its own image at once leaves its start to `settle`.
        taken |= self._orbit(walk[0])
        for cell in sorted(taken):
            empty.pop(cell, None)
        for cell in sorted(taken):
            for beside in near[cell]:
                if beside in empty:
                    self._absorb(beside)

    def _absorb(self, start: int) -> None:
        """Give the cells of a small pocket to the links whose ends touch them."""
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


def settle(system: PathSystem, request: NumberlinkRequest, rng: Random, deadline: Deadline) -> bool:
    """Change a board at random, never for the worse, until it is as requested.

    Three changes: two links whose ends touch become one; the end of a link takes over its
    neighbour's link from there on; a link is cut in two. Returns whether it got there.
    """
    cells = len(system.linked)
    far = request.misses(system.size.values())
    for _ in range(_PATIENCE * cells):
        if not far:
            return True
        deadline.check()
        x = below(rng, cells)
        y = pick(rng, system.neighbours[x])
        if len(system.linked[x]) > 1:
            # Cutting helps only when links are missing or too long.
            changed = y in system.linked[x] and far > 0 and system.change(out=(x, y))
        elif len(system.linked[y]) < 2 and rng.random() < 0.7:
            changed = system.change(into=(x, y))
        else:
            changed = take_over(system, x, y, rng)
        if changed:
            now = request.misses(system.size.values())
            if now <= far:
                far = now
            else:
                system.undo()
    return not far


def take_over(system: PathSystem, x: int, y: int, rng: Random) -> bool:
    """Let the end ``x`` of a link go on into ``y``, which leaves one of its own neighbours."""
    if system.label[x] == system.label[y] or not system.linked[y]:
        return False
    return system.change(out=(y, pick(rng, system.linked[y])), into=(x, y))


def repair(
    system: PathSystem, other: Solution, request: NumberlinkRequest, rng: Random, deadline: Deadline
) -> bool:
    """Change ``system`` so that ``other`` is no solution of it; whether that was possible.

    Let S be the system's solution and T the other. A *take-over* moves one end: the end x of a link
    goes on into a neighbour y, and y leaves its own neighbour z, which becomes an end. In T a path
    ends at x, which is no end any more; so T is no solution of the new board. Only if the step y-z
    is in T as well could the same change be made to T; so steps that T has not are taken out. Where
    no such take-over is possible, a link is cut at a step that T has not, and `settle` goes on.

    The system still is as requested afterwards, and may have one solution now or many. Where it was
    not possible, the system is of no use any more.
    """
    ends = other.lattice.edge_vertices[list(other.edges)].tolist()
    theirs = {(first, second) for first, second in ends}
    only_ours = [
        (cell, before)
        for cell, linked in enumerate(system.linked)
        for before in linked
        if ((cell, before) if cell < before else (before, cell)) not in theirs
    ]
    for y, z in shuffled(rng, only_ours):
        for x in shuffled(rng, system.neighbours[y]):
            if len(system.linked[x]) == 1 and system.label[x] != system.label[y]:
                if not system.change(out=(y, z), into=(x, y)):
                    continue
                if not request.misses(system.size.values()):
                    return True
                system.undo()
    for y, z in shuffled(rng, only_ours):
        if system.change(out=(y, z)):
            return settle(system, request, rng, deadline) and z not in system.linked[y]
    return False
