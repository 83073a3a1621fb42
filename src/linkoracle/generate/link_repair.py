"""`LinkRepair`: links are changed where the board has a second solution, for the better only.

Whether a board of hundreds of cells has one solution takes seconds to tell, and hardly any has. But
nearly all second solutions differ from the first in a small part, and to ask about a *window*
takes a millisecond (`linkoracle.sat.part_search`). So first the windows are made calm, the small
ones before the larger: a change that takes a second solution out of one is made only if all windows
that it touches have, in sum, fewer of them than before. What is left for the question about the
whole board are the second solutions that no window shows, and what they change is a window from
then on.

A change takes a step y-z that the second solution has not out of a link. Then the end x of a link
goes on into y; or two other links, whose ends touch, become one. Where there is none, a link is cut
at such a step, and the board settles anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import NamedTuple

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import ANY_COUNT, END, HOLE, PASS, PASS_OR_SKIP, LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.errors import ConflictLimit
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import pick, shuffled
from linkoracle.generate.numberlink_request import NumberlinkRequest
from linkoracle.generate.path_system import PathSystem, Step
from linkoracle.sat.part_search import another_in_part
from linkoracle.sat.taut_search import starts

#: The sides of windows, and the cells from one to the next. A board that is hardly larger than such
#: a window has none of them.
_SIZES = ((8, 4), (11, 4), (14, 4))
#: Conflicts after which a window is taken for calm. Nearly all take a tenth.
_CONFLICTS = 1_000
#: Changes of each sort that are tried against one second solution.
_CANDIDATES = 20
#: So many cells buy one change for the worse, when all others were tried, before a board is given
#: up. A new board costs little where it is small.
_CELLS_A_SETBACK = 80

#: Steps of a second solution, each the set of its two cells.
Steps = frozenset[frozenset[int]]
#: A step to take out of a link, and one to put in, if any.
Change = tuple[Step, Step | None]
#: Changes a system until it is as requested, if it can; `numberlink_maker.settle`.
Settle = Callable[[], bool]


class Window(NamedTuple):
    """A rectangle of cells: its first row and column, and how many of both."""

    top: int
    left: int
    rows: int
    cols: int


class LinkRepair:
    """Repairs of one board. The system must be as ``request`` says, and is so after each of them.

    ``settle`` changes the system until it is as requested. Where a method returns False, it is of
    no more use. Every method raises `SearchTimeout` past the ``deadline``.
    """

    def __init__(
        self,
        system: PathSystem,
        request: NumberlinkRequest,
        rng: Random,
        deadline: Deadline,
        settle: Settle,
    ) -> None:
        self._system, self._request, self._rng = system, request, rng
        self._deadline, self._settle = deadline, settle
        self._images = request.images
        #: Numbers of windows by size, and all of them; later ones are larger.
        self._sizes: list[list[int]] = []
        #: For each window the place of its size.
        self._level: list[int] = []
        self._windows: list[Window] = []
        #: For each cell the windows that it lies in.
        self._over: list[list[int]] = [[] for _ in system.linked]
        #: What is known of windows: a second solution, or ``None`` for those that are calm.
        self._rivals: dict[int, Steps | None] = {}
        for size, step in _SIZES:
            if max(system.rows, system.cols) >= size + step:
                self._sizes.append([])
                rows, cols = min(size, system.rows), min(size, system.cols)
                for top in starts(system.rows, rows, step):
                    for left in starts(system.cols, cols, step):
                        self._add(Window(top, left, rows, cols))

    def calm(self) -> bool:
        """Change the board until no window has a second solution; whether that came about."""
        setbacks = len(self._over) // _CELLS_A_SETBACK
        while (window := self._troubled()) is not None:
            rival = self._rivals[window]
            assert rival is not None
            better = self._change(rival, window)
            if better is None:
                return False
            setbacks -= not better
            if setbacks < 0:
                return False
        return True

    def refute(self, other: Solution) -> bool:
        """Change the board so that ``other`` is no solution of it, and then until it is calm.

        Let S be the system's solution and T the other. The end x of a link goes on into a neighbour
        y, and y leaves its own neighbour z, which becomes an end. In T a path ends at x, which is
        no end any more; so T is no solution of the new board. Only if the step y-z is in T as well
        could the same change be made to T; so steps that T has not are taken out first.

        Returns whether it was possible. The board may have one solution now or many.
        """
        rival = frozenset(frozenset(other.lattice.ends(edge)) for edge in other.edges)
        return self._change(rival, self._around(rival)) is not None and self.calm()

    def _add(self, window: Window) -> int:
        """One more window of the largest size."""
        number = len(self._windows)
        self._windows.append(window)
        self._level.append(len(self._sizes) - 1)
        self._sizes[-1].append(number)
        for row in range(window.top, window.top + window.rows):
            for col in range(window.left, window.left + window.cols):
                self._over[row * self._system.cols + col].append(number)
        return number

    def _around(self, rival: Steps) -> int | None:
        """A new window where a rival differs; ``None`` if that is all of the board."""
        ours = {frozenset((cell, near)) for cell, near in self._steps()}
        places = [divmod(cell, self._system.cols) for step in ours ^ rival for cell in step]
        (top, bottom), (left, right) = (
            (min(line), max(line)) for line in zip(*places, strict=True)
        )
        window = Window(top, left, bottom - top + 1, right - left + 1)
        if not self._sizes or window[2:] == (self._system.rows, self._system.cols):
            return None
        number = self._add(window)
        self._rivals[number] = rival
        return number

    def _steps(self) -> Iterator[Step]:
        """All steps of links, in both directions."""
        for cell, linked in enumerate(self._system.linked):
            for near in linked:
                yield cell, near

    def _troubled(self) -> int | None:
        """One of the smallest windows that have a second solution."""
        for numbers in self._sizes:
            if troubled := [number for number in numbers if self._rival(number) is not None]:
                return pick(self._rng, troubled)
        return None

    def _rival(self, number: int) -> Steps | None:
        """A second solution in a window, if it has one."""
        if number not in self._rivals:
            self._rivals[number] = second(
                self._system, self._windows[number], self._request.rule, self._deadline
            )
        return self._rivals[number]

    def _change(self, rival: Steps, window: int | None) -> bool | None:
        """Change the board where it differs from a rival, which is seen in a window if in any.

        Returns whether it is for the better; ``None`` if nothing can be changed.
        """
        system, rivals = self._system, self._rivals
        level = len(self._sizes) if window is None else self._level[window]
        least_worse: tuple[float, Change] | None = None
        for change in self._candidates(rival, window):
            if not system.change(*change):
                continue
            touched = self._touched(change)
            if (window is not None and window not in touched) or self._request.misses(system):
                system.undo()
                continue
            before = {number: rivals.pop(number) for number in touched if number in rivals}
            asked = [number for number in touched if self._level[number] <= level]
            troubled = [number for number in asked if before.get(number) is not None]
            worse = self._troubles(asked, troubled) - len(troubled) + (window is not None)
            if worse <= 0:
                return True
            for number in touched:
                rivals.pop(number, None)
            rivals.update(before)
            system.undo()
            # Not always the same one, or the board may go round in circles.
            rank = worse + 1.5 * self._rng.random()
            if least_worse is None or rank < least_worse[0]:
                least_worse = rank, change
        if least_worse is None:
            return self._cut(rival)
        system.change(*least_worse[1])
        for number in self._touched(least_worse[1]):
            rivals.pop(number, None)
        return False

    def _troubles(self, asked: list[int], troubled: list[int]) -> int:
        """How many windows have a second solution; counted until they are more than they were."""
        found = 0
        for number in [*troubled, *asked]:
            if number not in self._rivals:
                found += self._rival(number) is not None
                if found > len(troubled):
                    break
        return found

    def _touched(self, change: Change) -> list[int]:
        """The windows that see something of a change."""
        cells = {cell for step in change if step is not None for cell in step}
        cells |= {image[cell] for image in self._images for cell in cells}
        return sorted({number for cell in cells for number in self._over[cell]})

    def _candidates(self, rival: Steps, window: int | None) -> Iterator[Change]:
        """Changes that may help against a rival, the most promising first."""
        system, rng = self._system, self._rng
        linked, label = system.linked, system.label
        within = None if window is None else self._windows[window]
        steps = list(self._steps())
        only_ours = [
            step
            for step in steps
            if frozenset(step) not in rival and (within is None or self._inside(step, within))
        ]

        def onward(outs: list[Step]) -> Iterator[Change]:
            """Changes by which the end of a link goes on into y, which leaves z."""
            for y, z in shuffled(rng, outs):
                for x in shuffled(rng, system.neighbours[y]):
                    if len(linked[x]) == 1 and label[x] != label[y]:
                        yield (y, z), (x, y)

        yield from islice(onward(only_ours), _CANDIDATES)
        near = {cell for y, _ in only_ours for cell in (y, *system.neighbours[y])}
        others = [step for step in steps if near.issuperset(step) and frozenset(step) in rival]
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

    def _inside(self, step: Step, window: Window) -> bool:
        """Whether both cells of a step are in a window."""
        places = [divmod(cell, self._system.cols) for cell in step]
        return all(
            0 <= row - window.top < window.rows and 0 <= col - window.left < window.cols
            for row, col in places
        )

    def _cut(self, rival: Steps) -> bool | None:
        """Cut a link at a step that the rival has not, and settle; for the worse, if at all."""
        for y, z in shuffled(self._rng, [s for s in self._steps() if frozenset(s) not in rival]):
            if self._system.change(out=(y, z)):
                self._rivals.clear()
                return False if self._settle() and z not in self._system.linked[y] else None
        return None


class Part(NamedTuple):
    """A window as a board of its own: its model and solution, and its cells on the whole board."""

    model: LinkModel
    chosen: tuple[int, ...]
    cells: list[int]


def part(system: PathSystem, window: Window, rule: str) -> Part:
    """What a window leaves open: each piece of a link in it keeps its ends, all else stays.

    A cell whose link goes on outside only is a hole.

    >>> system = PathSystem(3, 3)
    >>> all(system.change(into=step) for step in [(0, 1), (1, 2), (2, 5), (5, 8)])
    True
    >>> model = part(system, Window(0, 1, 2, 2), "free").model
    >>> model.terminals, model.holes
    (((0, 3),), (2,))
    """
    rows = range(window.top, window.top + window.rows)
    cols = range(window.left, window.left + window.cols)
    cells = [row * system.cols + col for row in rows for col in cols]
    place = {cell: number for number, cell in enumerate(cells)}
    lattice = Lattice(window.rows, window.cols)
    between = PASS_OR_SKIP if rule == "free" else PASS
    degrees = bytearray()
    edges = []
    for cell in cells:
        inside = [near for near in system.linked[cell] if near in place]
        degrees.append((HOLE, END, between)[len(inside)])
        here = lattice.position(place[cell])
        edges += [
            lattice.edge(here, lattice.position(place[near])) for near in inside if near > cell
        ]
    chosen = tuple(sorted(edges))
    pairs = tuple(
        (lattice.vertex(*path[0]), lattice.vertex(*path[-1]))
        for path in Solution(lattice, chosen).paths()
    )
    faces = bytes([ANY_COUNT]) * lattice.num_faces
    return Part(LinkModel(lattice, bytes(degrees), faces, pairs), chosen, cells)


def second(system: PathSystem, window: Window, rule: str, deadline: Deadline) -> Steps | None:
    """The steps of a second solution in a window, if one is soon found. Raises `SearchTimeout`."""
    model, chosen, cells = part(system, window, rule)
    if not model.terminals:
        return None
    try:
        found = another_in_part(model, chosen, deadline.with_conflicts(_CONFLICTS))
    except ConflictLimit:
        return None
    if found is None:
        return None
    ends = map(model.lattice.ends, found)
    return frozenset(frozenset((cells[one], cells[other])) for one, other in ends)
