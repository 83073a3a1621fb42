"""Running a pass: how much memory it may use, when to look ahead, progress.

Within a step the kernel itself looks at the clock and at Ctrl-C.
"""

from __future__ import annotations

import sys
from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.model import LinkModel
from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import (
    Deadline,
    checked_memory,
    default_limit,
    processors,
    shown_size,
)
from linkoracle.frontier.blank.board import count_words
from linkoracle.frontier.plan import Plan
from linkoracle.frontier.running import Step
from linkoracle.frontier.sharing import WIDE, Threads
from linkoracle.frontier.steps import NEVER
from linkoracle.frontier.windows import Windows

#: States that a pass has room for at first: enough for small puzzles.
_FRESH = 1 << 12
#: Bytes that a plan takes for each vertex, the arrays of its lattice included.
_PLAN_BYTES = 1000
#: Bytes for which the machine is not asked how much is free.
_SMALL = 1 << 26


#: The widest board that `least_kept` looks at: a wider one keeps more than any machine has.
_WIDEST = 40


def least_kept(model: LinkModel) -> int:
    """Return a lower bound in bytes for the layers that are kept of a blank board, 0 for another.

    When a row of a board begins, the states of loops are strings of as many ends and gaps as there
    are columns, with no more ends nested than rows above. Before each later vertex of the row there
    are as many again in which that vertex has two edges, and the others are such a string. The
    first and the last row are left out. From 9x9 vertices on this is nine tenths of what one thread
    keeps.

    The path between two ends has as many states on most boards, and never less than 0.96 times as
    many on those of up to 13x11 vertices that were tried. Half of them are taken for granted.

    >>> from linkoracle.board.lattice import Lattice
    >>> least_kept(LinkModel.blank_loop(Lattice(13, 13)))
    54796576
    """
    if not model.is_square:
        return 0
    lattice, pairs = model.lattice, model.terminals
    blank = LinkModel.blank_paths(lattice, pairs) if pairs else LinkModel.blank_loop(lattice)
    if len(pairs) > 1 or model != blank or min(lattice.rows, lattice.cols) < 2:
        return 0
    width = min(lattice.rows, lattice.cols, _WIDEST)
    rows = max(lattice.rows, lattice.cols) - 2
    depths = range(1, min(width // 2, rows + 1))
    states = 0
    for size, steps in ((width, width), (width - 1, max(0, width - 2))):
        words = sum(count_words(size, 0, False, depth) for depth in depths)
        words += max(0, rows - len(depths)) * count_words(size, 0, False)
        states += steps * words
    return 8 * states // (2 if pairs else 1)


def _check_kept(model: LinkModel, memory: int | None) -> None:
    """Raise `MemoryLimit` if a blank board keeps more layers than there is memory for."""
    least = least_kept(model)
    if least <= (memory or _SMALL):
        return
    allowed = memory or 2 * default_limit()
    if least > allowed:
        rows, cols = model.lattice.rows - 1, model.lattice.cols - 1
        lines = "paths between two ends" if model.terminals else "loops"
        raise MemoryLimit(
            f"keeping all {lines} on {rows}x{cols} cells needs at least {shown_size(least)} of "
            f"memory (limit: {shown_size(allowed)}). Choose a smaller board or a higher limit. "
            "Counting needs far less, and linkoracle.generate.loop draws a random line on any board"
        )


class Sweep:
    """One pass over ``model``. With ``keep`` the records carry no counts, and `layers` keeps them.

    Layers of ``wide`` states or more are shared by so many ``threads``, all processors by default;
    what comes out does not depend on how many. With ``by_step`` control comes back after each
    vertex. ``memory`` bounds the bytes of all arrays
    of the pass, kept layers included; `MemoryLimit` is raised before an array that would exceed it
    is made. It is raised at once if the plan alone would exceed it, or what the machine has; and so
    if the layers that a blank board keeps would, by `least_kept`.
    `SearchTimeout` is raised at the ``deadline``.
    """

    def __init__(
        self,
        model: LinkModel,
        *,
        keep: bool = False,
        memory: int | None = None,
        by_step: bool = True,
        deadline: Deadline | None = None,
        threads: int | None = None,
        wide: int = WIDE,
        free_ends: bool = False,
    ) -> None:
        memory, board, deadline = checked_memory(memory), model.board, deadline or NEVER
        plan_bytes = _PLAN_BYTES * board.num_vertices
        if plan_bytes > _SMALL and plan_bytes > (memory or 2 * default_limit()):
            raise MemoryLimit(
                f"a frontier pass over {board.num_vertices} vertices needs "
                f"{plan_bytes >> 20} MB for its plan alone, more than it may use"
            )
        if keep:
            _check_kept(model, memory)
        self.plan = Plan(model, deadline, by_clues=not keep, free_ends=free_ends)
        self._memory, self._keep, self._kept = memory, keep, 0
        self._by_step, self._deadline = by_step, deadline
        self._threads = Threads(threads or processors())
        self._pass = self.plan.begin(
            counted=not keep,
            records=_FRESH,
            memory=min(memory or sys.maxsize, sys.maxsize),
            wide=wide,
        )

    def _explained(self) -> MemoryLimit:
        """The error when memory does not suffice."""
        step, states = self._pass.step + 1, self._pass.states
        allowed = "there is" if self._memory is None else f"the {self._memory >> 20} MB allowed"
        kept = f", with {self._kept >> 20} MB of kept layers; counting alone needs less"
        return MemoryLimit(
            f"the frontier pass needs more than {allowed}: it reached vertex {step} of "
            f"{self.plan.num_steps}, {states} states across{kept if self._keep else ''}. "
            "Allow more memory, or use the SAT engine, which suits puzzles with few solutions"
        )

    def _advance(self, children: NDArray[np.uint32] | None = None) -> None:
        """Take a step; without ``by_step``, all of them."""
        one_step = self._by_step or children is not None
        share = self._threads.shares
        try:
            while not self._pass.advance(self._deadline, one_step, children, share):
                # Layers outgrow what a pass starts with: if there are rules, looking ahead pays.
                if self.plan.model != LinkModel.blank_loop(self.plan.model.board):
                    self._pass.foresee(*Windows(self.plan).arrays())
        except MemoryLimit:
            raise self._explained() from None

    def _at(self) -> Step:
        return self._pass.step, self.plan.num_steps, self._pass.states

    def count(self) -> Generator[Step, None, int]:
        """Run the pass and return the number of solutions."""
        with self._threads:
            while self._pass.step < self.plan.num_steps and self._pass.states:
                self._advance()
                yield self._at()
        return self._pass.answer

    def layers(self) -> Generator[Step, None, list[NDArray[np.uint32]]]:
        """Run the pass and return the children of each layer: a row for each state."""
        found: list[NDArray[np.uint32]] = []
        with self._threads:
            for _ in range(self.plan.num_steps):
                rows = self._pass.rows
                if rows + 2 >> 32 - self.plan.decision_bits:
                    raise MemoryLimit(f"a layer of {rows} states is more than a diagram can number")
                width = self._pass.most_children
                try:
                    self._pass.take(4 * width * rows)
                except MemoryLimit:
                    raise self._explained() from None
                children = np.zeros((rows, width), dtype=np.uint32)
                self._kept += children.nbytes
                if rows:
                    self._advance(children)
                    yield self._at()
                found.append(children)
        return found
