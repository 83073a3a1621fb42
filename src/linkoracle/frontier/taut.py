"""Is there exactly one solution? The frontier pass over the taut solutions of free Numberlink.

`docs/taut.md` says what these are and why they suffice. Which solutions are taut depends on
which side of the board is called the top, and so does, by a factor of ten or more, the number of
states. So up to four passes begin, one from each side that makes the frontier short, and every
step goes to the one that has handled the fewest states so far: together they do at most four
times the work of the best.
"""

from __future__ import annotations

import sys
from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.model import LinkModel, Modelled, model_of
from linkoracle.board.rerouting import rerouted
from linkoracle.board.solution import Solution
from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import Deadline, Progress, checked_memory, processors
from linkoracle.frontier.plan import guards_of
from linkoracle.frontier.running import Step, finished
from linkoracle.frontier.sharing import WIDE, Threads
from linkoracle.frontier.taut_kernel import TautWalk

#: What is told of each vertex, in the order of the pass; `taut_spec.pxd` says what it means.
STEP = np.dtype(
    [
        (name, np.int32)
        for name in ("phase", "code", "guard", "may_hang_right", "may_hang_left", "unseen")
    ]
)


def two_solutions(
    asked: Modelled,
    *,
    timeout: float | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
) -> tuple[Solution, ...]:
    """Up to two solutions of a free model: none if there is none, one if it is the only one.

    Time and memory grow with the states of the frontier, the short side of the board; far less
    than those of `count`, which looks at all solutions. ``memory`` bounds the bytes used (None: no
    bound); `MemoryLimit` is raised when that is not enough. ``timeout`` and ``progress`` as in
    `count`. Raises ``ValueError`` for a model that is not `LinkModel.is_free`.

    >>> from linkoracle.board.lattice import Lattice
    >>> straight = LinkModel.blank_paths(Lattice(2, 3), [(0, 2), (3, 5)])
    >>> [solution.paths() for solution in two_solutions(straight)]
    [[[(0, 0), (0, 1), (0, 2)], [(1, 0), (1, 1), (1, 2)]]]
    >>> len(two_solutions(LinkModel.blank_paths(Lattice(2, 3), [(0, 2)])))
    2
    """
    deadline = Deadline(timeout)
    return finished(deciding(model_of(asked), memory, deadline), deadline, progress)


def deciding(
    model: LinkModel,
    memory: int | None,
    deadline: Deadline | None = None,
    threads: int | None = None,
    wide: int = WIDE,
) -> Generator[Step, None, tuple[Solution, ...]]:
    """`two_solutions`, a step at a time.

    Layers of ``wide`` states or more are shared by so many ``threads``, all processors by default;
    what comes out does not depend on how many.
    """
    if not model.is_free:
        raise ValueError(
            "expected a model of paths that may leave out any vertex, without face rules, holes, "
            "and given or forbidden edges"
        )
    memory = checked_memory(memory)
    rows, cols = model.lattice.rows, model.lattice.cols
    # Quarter turns that make the short side the frontier.
    sides = (0, 1, 2, 3) if rows == cols else (0, 2) if cols < rows else (1, 3)
    passes: list[TautPass] = []
    for turns in sides:
        held = sum(one.bytes for one in passes)
        passes.append(TautPass(model, turns, memory, held, wide))
    with Threads(threads or processors()) as shared:
        found = yield from _race(passes, deadline or Deadline(None), shared)
    if len(found) == 1:
        other = rerouted(model.lattice, found[0])
        if other is not None:
            found.append(Solution(model.lattice, other))
    return tuple(found)


def _race(
    passes: list[TautPass], deadline: Deadline, threads: Threads
) -> Generator[Step, None, list[Solution]]:
    """Give each step to the pass that has handled the fewest states; the first to finish wins."""
    out_of_memory = None
    while passes:
        runner = min(passes, key=lambda one: one.handled)
        if runner.done:
            return runner.solutions()
        try:
            elsewhere = sum(one.bytes for one in passes if one is not runner)
            runner.advance(deadline, elsewhere, threads)
        except MemoryLimit as error:
            # What it held is free for the others.
            out_of_memory = error
            passes.remove(runner)
        yield runner.step, runner.steps_to_do, runner.states
    assert out_of_memory is not None
    raise out_of_memory


class TautPass:
    """One pass over ``model``, turned clockwise by ``turns`` times 90 degrees, from the top.

    ``memory`` bounds its bytes and those ``elsewhere``, which the other passes hold (None: no
    bound); `MemoryLimit` is raised when that is not enough.
    """

    def __init__(
        self,
        model: LinkModel,
        turns: int,
        memory: int | None,
        elsewhere: int = 0,
        wide: int = WIDE,
    ) -> None:
        self._model, self._memory = model, memory
        grid = np.arange(model.lattice.num_vertices).reshape(model.lattice.rows, -1)
        #: The vertex of the model in each place.
        self._vertices = np.rot90(grid, -turns)
        #: States handled so far.
        self.handled = 0
        self._walk = TautWalk(
            self.steps,
            width=self._vertices.shape[1],
            open_codes=len(model.terminals),
            memory=self._allowed(elsewhere),
            wide=wide,
        )

    def _allowed(self, elsewhere: int) -> int:
        """Bytes that the pass may use."""
        return max(min(self._memory or sys.maxsize, sys.maxsize) - elsewhere, 0)

    @property
    def step(self) -> int:
        return self._walk.step

    @property
    def states(self) -> int:
        return self._walk.states

    @property
    def steps_to_do(self) -> int:
        return self._vertices.size

    @property
    def done(self) -> bool:
        return self.step == self.steps_to_do or not self.states

    @property
    def bytes(self) -> int:
        return self._walk.room

    @property
    def _codes(self) -> tuple[list[int], list[int]]:
        """For each place in order, its phase (0, or which terminal of its pair) and code."""
        pair_of = {v: number for number, pair in enumerate(self._model.terminals) for v in pair}
        phases, codes = [0] * self.steps_to_do, [0] * self.steps_to_do
        code_of: dict[int, int] = {}
        for place, vertex in enumerate(self._vertices.ravel().tolist()):
            if vertex in pair_of:
                phases[place] = 2 if pair_of[vertex] in code_of else 1
                codes[place] = code_of.setdefault(pair_of[vertex], len(code_of) + 1)
        return phases, codes

    @property
    def steps(self) -> NDArray[np.void]:
        """A row of `STEP` for each place in order."""
        height, width = self._vertices.shape
        phases, codes = self._codes
        # Whether the diagonal that leads down to the right, to the left comes to a terminal.
        hangs = np.zeros((2, height, width), dtype=np.bool_)
        terminal = np.array(phases).reshape(height, width) > 0
        for row in reversed(range(height - 1)):
            hangs[0, row, :-1] = terminal[row + 1, 1:] | hangs[0, row + 1, 1:]
            hangs[1, row, 1:] = terminal[row + 1, :-1] | hangs[1, row + 1, :-1]
        steps = np.empty(self.steps_to_do, dtype=STEP)
        steps["phase"], steps["code"] = phases, codes
        steps["guard"] = guards_of(phases, codes)
        steps["may_hang_right"], steps["may_hang_left"] = hangs.reshape(2, -1)
        steps["unseen"] = np.count_nonzero(terminal) - np.cumsum(terminal.ravel())
        return steps

    def advance(self, deadline: Deadline, elsewhere: int, threads: Threads | None = None) -> None:
        """Take the next step, while the other passes hold ``elsewhere`` bytes."""
        share = None if threads is None else threads.shares
        try:
            self._walk.advance(deadline, self._allowed(elsewhere), share)
        except MemoryLimit:
            row = self.step // self._vertices.shape[1] + 1
            limit = "there is" if self._memory is None else f"the {self._memory >> 20} MB allowed"
            raise MemoryLimit(
                f"the frontier pass needs more than {limit}: it reached row {row} of "
                f"{self._vertices.shape[0]}, {self.states} states across. Allow more memory, or "
                "use the SAT engine"
            ) from None
        self.handled += self.states

    def solutions(self) -> list[Solution]:
        """Up to two of the solutions that the pass found: all of them, if fewer."""
        if not self.states:
            return []
        found, fork = self._traced(None)
        return [found] if fork is None else [found, self._traced(fork)[0]]

    def _traced(self, second_at: int | None) -> tuple[Solution, int | None]:
        """The solution by the first ways, but for one step, and the last step with a second way."""
        lattice = self._model.lattice
        edges, fork = [], None
        # All that is left of the board is the one state without plugs.
        index = 0
        for step in reversed(range(self.steps_to_do)):
            ways = self._walk.way(step, index)
            if fork is None and ways[1] >= 0:
                fork = step
            index, decision = divmod(ways[step == second_at], 4)
            row, col = divmod(step, self._vertices.shape[1])
            for chosen, (r, c) in ((decision & 2, (row, col + 1)), (decision & 1, (row + 1, col))):
                if chosen:
                    ends = int(self._vertices[row, col]), int(self._vertices[r, c])
                    edges.append(lattice.edge(*map(lattice.position, ends)))
        return Solution(lattice, tuple(edges)), fork
