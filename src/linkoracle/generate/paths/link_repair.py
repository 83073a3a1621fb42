"""`LinkRepair`: repair the paths of a board where it has alternatives.

Deciding a board of hundreds of cells takes seconds, and hardly any random board is unique. But
nearly all alternatives differ from the target solution in a small part, and deciding a *window* of
the board takes a millisecond (`linkoracle.engines.taut_search`). So the repair first makes each
window locally unique, smallest windows first. A path that leaves a window and comes back could join
its pieces in another order, or stay inside; so its pieces outside belong to the window. A change is
made only if fewer of the windows that it touches have alternatives afterwards. Only alternatives
that no window shows are left for the query about the whole board. The region of such an alternative
becomes another window.

A change removes a step y-z from a path that the alternative does not have. Then the end x of a path
is extended to y, or two other paths with touching ends are joined. If neither is possible, a path
is cut at such a step, and the board is fitted to the request again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from math import inf
from random import Random
from typing import NamedTuple

from linkoracle.board import (
    END,
    HOLE,
    PASS,
    PASS_OR_SKIP,
    Board,
    Lattice,
    LinkModel,
    Solution,
    board_lists,
)
from linkoracle.core import ConflictLimit, Deadline, pick, shuffled
from linkoracle.engines import another_in_part, starts
from linkoracle.generate.paths import PathPlan, PathSystem, Step

#: Conflict budget of a window, which counts as unique if undecided. Nearly all need a tenth.
_CONFLICTS = 1_000
#: The most changes of each kind that are made against one alternative, to compare them.
_CANDIDATES = 20
#: Steps of an alternative, each the set of its two cells.
Steps = frozenset[frozenset[int]]
#: A step to remove from a path, and a step to add, if any.
Change = tuple[Step, Step | None]
#: Changes a system until it is as requested, if it can: `fit_to_request` of the maker.
Fit = Callable[[], bool]


class Window(NamedTuple):
    """Some cells, in increasing order, and the board that they form."""

    cells: tuple[int, ...]
    board: Board


def rectangle(board: Lattice, top: int, left: int, rows: int, cols: int) -> Window:
    """Return the window of ``rows`` x ``cols`` cells with this first row and column."""
    down, width = range(top, top + rows), board.cols
    cells = (cell for row in down for cell in range(row * width + left, row * width + left + cols))
    return Window(tuple(cells), Lattice(rows, cols))


def region(board: Board, cells: Iterable[int]) -> Window:
    """Return the window of any cells.

    >>> region(Lattice(2, 3), [0, 4, 1])
    Window(cells=(0, 1, 4), board=<Board: 3 vertices, 2 edges, 0 faces>)
    """
    inside = tuple(sorted(cells))
    place = {cell: number for number, cell in enumerate(inside)}
    edges = sorted(
        (place[one], place[other])
        for one, other in map(board.ends, range(board.num_edges))
        if one in place and other in place
    )
    walks = map(board.walk, range(board.num_faces))
    faces = [[place[cell] for cell in walk] for walk in walks if place.keys() >= {*walk}]
    return Window(inside, Board(len(inside), edges, faces))


@dataclass(frozen=True)
class Rectangles:
    """The windows of rows and columns.

    ``sizes`` are the sides of windows, and the distances between them. Boards hardly larger than
    such a window have none of that size. For each number of cells of the board that is
    ``a_setback``, one change for the worse is allowed before the board is given up: on small boards
    a new attempt is fast. Windows are decided by taut solutions if cells may stay empty.
    """

    board: Lattice

    sizes = ((8, 4), (11, 4), (14, 4))
    a_setback, takes_free = 80, True

    def every(self) -> Iterator[list[Window]]:
        """Yield the windows of each size, the smallest first."""
        board = self.board
        for size, step in self.sizes:
            if max(board.rows, board.cols) >= size + step:
                rows, cols = min(size, board.rows), min(size, board.cols)
                yield [
                    rectangle(board, top, left, rows, cols)
                    for top in starts(board.rows, rows, step)
                    for left in starts(board.cols, cols, step)
                ]

    def over(self, cells: set[int]) -> Window:
        """Return the smallest window with all these cells."""
        places = [divmod(cell, self.board.cols) for cell in cells]
        (top, bottom), (left, right) = (
            (min(line), max(line)) for line in zip(*places, strict=True)
        )
        return rectangle(self.board, top, left, bottom - top + 1, right - left + 1)

    around = over


@dataclass(frozen=True)
class Regions:
    """The windows of other boards: discs, whose ``sizes`` are roots of numbers of cells.

    Their cells have more neighbours, and paths more routes. There are no taut solutions, which need
    rows.
    """

    board: Board

    sizes = ((3, 1), (5, 2), (8, 4))
    a_setback, takes_free = 12, False

    def every(self) -> Iterator[list[Window]]:
        """Yield the windows of each size, the smallest first."""
        for size, step in self.sizes:
            if self.board.num_vertices >= size * (size + step):
                yield list(self._discs(size * size, step * step))

    def _discs(self, size: int, core: int) -> Iterator[Window]:
        """Yield windows of up to ``size`` cells, such that each cell is in the ``core`` of one."""
        around = board_lists(self.board).around
        left = dict.fromkeys(range(self.board.num_vertices))
        while left:
            disc = dict.fromkeys([next(iter(left))])
            waiting = deque(disc)
            while waiting and len(disc) < size:
                fresh = [cell for _, cell in around[waiting.popleft()] if cell not in disc]
                disc |= dict.fromkeys(fresh)
                waiting += fresh
            yield region(self.board, islice(disc, size))
            for cell in islice(disc, core):
                left.pop(cell, None)

    def over(self, cells: set[int]) -> Window:
        """Return the window of these cells."""
        return region(self.board, cells)

    def around(self, cells: set[int]) -> Window:
        """Return the window of these cells and all their neighbours."""
        beside = board_lists(self.board).around
        return region(self.board, cells.union(*([near for _, near in beside[c]] for c in cells)))


def windows_of(board: Board) -> Rectangles | Regions:
    """Return the windows of a board."""
    # Rectangles are decided fast, along lanes, and their alternatives are taut.
    return Rectangles(board) if isinstance(board, Lattice) else Regions(board)


class LinkRepair:
    """Repairs of one board. The system must satisfy a ``plan``, before and after each repair.

    ``fit`` changes the system until it is as requested. After a method has returned false, the
    object is unusable. Every method raises `SearchTimeout` past the ``deadline``.
    """

    def __init__(
        self,
        system: PathSystem,
        plan: PathPlan,
        rng: Random,
        deadline: Deadline,
        fit: Fit,
    ) -> None:
        self._system, self._plan, self._rng = system, plan, rng
        self._deadline, self._fit = deadline, fit
        self._images = plan.images
        self._windows_of = windows_of(system.board)
        #: For each window the index of its size; later ones are larger.
        self._level: list[int] = []
        self._windows: list[Window] = []
        #: For each cell the windows that contain it.
        self._over: list[list[int]] = [[] for _ in system.linked]
        #: The results for windows: an alternative, or ``None`` if locally unique.
        self._alternatives: dict[int, Steps | None] = {}
        #: The `returning` cells of windows for which they hold.
        self._outside: dict[int, list[int]] = {}
        if plan.fills or self._windows_of.takes_free:
            for level, found in enumerate(self._windows_of.every()):
                for window in found:
                    self._add(window, level)

    def calm(self) -> bool:
        """Change the board until every window is locally unique; return whether that succeeded."""
        setbacks = len(self._over) // self._windows_of.a_setback
        while (window := self._troubled()) is not None:
            alternative = self._alternatives[window]
            assert alternative is not None
            better = self._change(alternative, window)
            if better is None:
                return False
            setbacks -= not better
            if setbacks < 0:
                return False
        return True

    def refute(self, other: Solution) -> bool:
        """Change the board so that it excludes ``other``, then until all windows are unique.

        Let S be the target solution and T the other one. The end x of a path is extended to a
        neighbour y, which is separated from its neighbour z, and z becomes an end. In T a path ends
        at x, which is no longer an end, so T does not solve the new board. If T had the step y-z,
        the same change could be made to T; so steps that are not in T are removed first.

        Returns whether this was possible. The changed board may still have other alternatives.
        """
        alternative = frozenset(frozenset(other.board.ends(edge)) for edge in other.edges)
        return self._change(alternative, self._around(alternative)) is not None and self.calm()

    def _add(self, window: Window, level: int) -> int:
        """Add a window. No window so far may be larger."""
        number = len(self._windows)
        self._windows.append(window)
        self._level.append(level)
        for cell in window.cells:
            self._over[cell].append(number)
        return number

    def _around(self, alternative: Steps) -> int | None:
        """Add a window around an alternative; ``None`` if that is the whole board."""
        if not self._windows:
            return None
        ours = {frozenset((cell, near)) for cell, near in self._steps()}
        cells = {cell for step in ours ^ alternative for cell in step}
        window = self._windows_of.around(cells)
        if len(window.cells) == len(self._over):
            return None
        number = self._add(window, self._level[-1])
        self._alternatives[number] = alternative
        self._outside[number] = returning(self._system, self._windows[number])
        return number

    def _steps(self) -> Iterator[Step]:
        """Yield all steps of paths, in both directions."""
        for cell, linked in enumerate(self._system.linked):
            for near in linked:
                yield cell, near

    def _troubled(self) -> int | None:
        """Return one of the smallest windows with an alternative."""
        while True:
            for _, numbers in groupby(range(len(self._windows)), self._level.__getitem__):
                troubled = [number for number in numbers if self._alternative(number) is not None]
                if troubled:
                    return pick(self._rng, troubled)
            # A change outside a window can matter, too.
            for number, window in enumerate(self._windows):
                if self._outside[number] != returning(self._system, window):
                    del self._alternatives[number]
            if len(self._alternatives) == len(self._windows):
                return None

    def _alternative(self, number: int) -> Steps | None:
        """Return an alternative in a window, or ``None``."""
        if number not in self._alternatives:
            window = self._windows[number]
            self._outside[number] = returning(self._system, window)
            self._alternatives[number] = second(
                self._system, window, self._plan.variant, self._deadline
            )
        return self._alternatives[number]

    def _change(self, alternative: Steps, window: int | None) -> bool | None:
        """Change the board where it differs from an alternative, inside ``window`` if given.

        Returns whether it is an improvement; ``None`` if nothing can be changed.
        """
        system, known = self._system, self._alternatives
        level = inf if window is None else self._level[window]
        least_worse: tuple[float, Change] | None = None
        for change in self._candidates(alternative, window):
            if not system.change(*change):
                continue
            touched = self._touched(change)
            if (window is not None and window not in touched) or self._plan.misses(system):
                system.undo()
                continue
            before = {number: known.pop(number) for number in touched if number in known}
            outside = {number: self._outside[number] for number in before}
            windows = [number for number in touched if self._level[number] <= level]
            troubled = [number for number in windows if before.get(number) is not None]
            worse = self._troubles(windows, troubled) - len(troubled) + (window is not None)
            if worse <= 0:
                return True
            for number in touched:
                known.pop(number, None)
            known.update(before)
            self._outside.update(outside)
            system.undo()
            # Randomised, as the board could cycle otherwise.
            rank = worse + 1.5 * self._rng.random()
            if least_worse is None or rank < least_worse[0]:
                least_worse = rank, change
        if least_worse is None:
            return self._cut(alternative)
        system.change(*least_worse[1])
        for number in self._touched(least_worse[1]):
            known.pop(number, None)
        return False

    def _troubles(self, windows: list[int], troubled: list[int]) -> int:
        """Count windows with an alternative, until they outnumber those before (``troubled``)."""
        found = 0
        for number in [*troubled, *windows]:
            if number not in self._alternatives:
                found += self._alternative(number) is not None
                if found > len(troubled):
                    break
        return found

    def _touched(self, change: Change) -> list[int]:
        """Return the windows that a change touches."""
        cells = {cell for step in change if step is not None for cell in step}
        cells |= {image[cell] for image in self._images for cell in cells}
        return sorted({number for cell in cells for number in self._over[cell]})

    def _candidates(self, alternative: Steps, window: int | None) -> Iterator[Change]:
        """Yield changes against an alternative, the most promising first."""
        system, rng = self._system, self._rng
        linked, label = system.linked, system.label
        within = None if window is None else set(self._windows[window].cells)
        steps = list(self._steps())
        only_ours = [
            step
            for step in steps
            if frozenset(step) not in alternative and (within is None or within.issuperset(step))
        ]

        def onward(outs: list[Step]) -> Iterator[Change]:
            """Yield changes that extend the end of a path to y and separate y from z."""
            for y, z in shuffled(rng, outs):
                for x in shuffled(rng, system.neighbours[y]):
                    if len(linked[x]) == 1 and label[x] != label[y]:
                        yield (y, z), (x, y)

        yield from islice(onward(only_ours), _CANDIDATES)
        near = {cell for y, _ in only_ours for cell in (y, *system.neighbours[y])}
        others = [
            step for step in steps if near.issuperset(step) and frozenset(step) in alternative
        ]
        yield from islice(onward(others), _CANDIDATES)
        joins = [
            (x, y)
            for x, ends in enumerate(linked)
            if len(ends) == 1
            for y in system.neighbours[x]
            if x < y and len(linked[y]) == 1 and label[x] != label[y]
        ]
        if joins:
            for step in shuffled(rng, only_ours)[:_CANDIDATES]:
                yield step, pick(rng, joins)

    def _cut(self, alternative: Steps) -> bool | None:
        """Cut a path at a step that the alternative lacks, and refit; false or ``None``."""
        for y, z in shuffled(
            self._rng, [s for s in self._steps() if frozenset(s) not in alternative]
        ):
            if self._system.change(out=(y, z)):
                self._alternatives.clear()
                return False if self._fit() and z not in self._system.linked[y] else None
        return None


def returning(system: PathSystem, window: Window) -> list[int]:
    """Return the cells of the pieces outside a window of paths that come back into it.

    >>> system = PathSystem(Lattice(3, 3))
    >>> all(system.change(into=step) for step in [(1, 2), (2, 5), (5, 8), (8, 7)])
    True
    >>> returning(system, rectangle(Lattice(3, 3), 0, 0, 3, 2))
    [2, 5, 8]
    """
    inside, found = set(window.cells), dict[int, None]()
    for cell in window.cells:
        for near in system.linked[cell]:
            if near not in inside and near not in found:
                beyond = system.walk(near, cell)
                back = next((at for at, one in enumerate(beyond) if one in inside), 0)
                found.update(dict.fromkeys(beyond[:back]))
    return list(found)


def part(
    system: PathSystem, window: Window, variant: str, cells: Container[int] | None = None
) -> tuple[LinkModel, tuple[int, ...]]:
    """Return the model of a window, and its solution; pieces of paths have their ends as terminals.

    A cell whose path continues only outside is a hole, and so are all but the given ``cells``.

    >>> system = PathSystem(Lattice(3, 3))
    >>> all(system.change(into=step) for step in [(0, 1), (1, 2), (2, 5), (5, 8)])
    True
    >>> model, chosen = part(system, rectangle(Lattice(3, 3), 0, 1, 2, 2), "free")
    >>> model.terminals, model.holes
    (((0, 3),), (2,))
    """
    board = window.board
    place = {cell: board.position(number) for number, cell in enumerate(window.cells)}
    cells = place if cells is None else cells
    between = PASS if variant.startswith("fill") else PASS_OR_SKIP
    degrees = bytearray()
    edges = []
    for cell, here in place.items():
        inside = [near for near in system.linked[cell] if near in cells] if cell in cells else []
        degrees.append((HOLE, END, between)[len(inside)])
        edges += [board.edge(here, place[near]) for near in inside if near > cell]
    chosen = tuple(sorted(edges))
    vertex = {label: number for number, label in enumerate(place.values())}
    paths = Solution(board, chosen).paths()
    pairs = tuple((vertex[path[0]], vertex[path[-1]]) for path in paths)
    return LinkModel(board, bytes(degrees), board.free_masks, pairs), chosen


def second(system: PathSystem, window: Window, variant: str, deadline: Deadline) -> Steps | None:
    """Return the steps of an alternative in a window, if one is found soon.

    A path that leaves the window and comes back may join its pieces in another order, or need no
    piece outside: so these pieces belong to the window.
    """
    cells = {*window.cells, *returning(system, window)}
    if len(cells) > len(window.cells):
        window = windows_of(system.board).over(cells)
    model, chosen = part(system, window, variant, cells)
    if not model.terminals:
        return None
    try:
        found = another_in_part(model, chosen, deadline.with_conflicts(_CONFLICTS))
    except ConflictLimit:
        return None
    if found is None:
        return None
    inside = window.cells
    ends = map(window.board.ends, found)
    return frozenset(frozenset((inside[one], inside[other])) for one, other in ends)
