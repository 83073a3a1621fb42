"""`LinkRepair`: repair the paths of a board where it has alternatives.

Deciding a board of hundreds of cells takes seconds, and hardly any random board is unique. But
nearly all alternatives differ from the target solution in a small part, and deciding a *window* of
the board takes a millisecond (`linkoracle.generate.paths.windows`). So the repair first makes each
window locally unique, smallest windows first. A change is made only if fewer of the windows that it
touches have alternatives afterwards. Only alternatives that no window shows are left for the query
about the whole board. The region of such an alternative becomes another window.

A change removes a step y-z from a path that the alternative does not have. Then the end x of a path
is extended to y, or two other paths with touching ends are joined. If neither is possible, a path
is cut at such a step, and the board is fitted to the request again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby, islice
from math import inf
from random import Random

from linkoracle.board import Solution
from linkoracle.core import Deadline, pick, shuffled
from linkoracle.generate.paths import PathPlan, PathSystem, Step
from linkoracle.generate.paths.windows import Steps, Window, returning, second, windows_of

#: The most changes of each kind that are made against one alternative, to compare them.
_CANDIDATES = 20
#: A step to remove from a path, and a step to add, if any.
Change = tuple[Step, Step | None]
#: Changes a system until it is as requested, if it can: `fit_to_request` of the maker.
Fit = Callable[[], bool]


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
        if plan.variant in self._windows_of.variants:
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
