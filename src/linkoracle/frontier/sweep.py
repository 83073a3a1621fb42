"""Running the kernel: buffers, the memory limit, wider counts, progress.

`Sweep` owns the arrays of one pass and hands them to `kernel.advance` until that is done, enlarging
what it asks for. Between two calls control is back in Python, so that an interrupt is
heard: a call handles at most `CHUNK` states.

A pass is a generator that says after each `Step` how far it is, so that whoever runs it can look
at the clock, leave it for something else and come back.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.model import LinkModel, Modelled, model_of
from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import Deadline, Progress, checked_int, default_limit
from linkoracle.frontier import kernel
from linkoracle.frontier.lookahead import PATTERNS, lookahead
from linkoracle.frontier.plan import Plan

#: How far a pass is: vertices decided, all vertices, states that the frontier is in.
Step = tuple[int, int, int]
Result = TypeVar("Result")

#: Numba's stubs know nothing of the signature.
_run_kernel: Callable[..., int] = kernel.advance

#: States a call of the kernel handles at most: some tenths of a second.
CHUNK = 1 << 20
#: Records a pass starts with. It costs nothing to allocate, and is enough for small puzzles.
_FRESH = 1 << 10
#: Targets are kept in 32 bits with a decision of two bits; see `kernel.advance`.
_MOST_KEPT = (1 << 30) - 4
#: Bytes that a plan takes for each vertex, the arrays of its lattice included.
_PLAN_BYTES = 300


class Sweep:
    """One pass over ``model``. With ``keep`` the records carry no counts, and `layers` keeps them.

    With ``by_step`` control comes back after each vertex, and not only between blocks of states.
    ``memory`` bounds the bytes of all arrays of the pass, kept layers included; `MemoryLimit` is
    raised before an array that would exceed it is made, and at once for a board whose plan alone
    would exceed it, or what the machine has.
    """

    def __init__(
        self,
        model: LinkModel,
        *,
        keep: bool = False,
        memory: int | None = None,
        by_step: bool = True,
    ) -> None:
        if memory is not None:
            checked_int(memory, "a memory limit in bytes", 1)
        plan_bytes = _PLAN_BYTES * model.lattice.num_vertices
        if plan_bytes > 1 << 26 and plan_bytes > (memory or 2 * default_limit()):
            raise MemoryLimit(
                f"a frontier pass over {model.lattice.rows}x{model.lattice.cols} vertices needs "
                f"{plan_bytes >> 20} MB for its plan alone, more than it may use"
            )
        self.plan = Plan(model)
        self._memory, self._keep, self._kept = memory, keep, 0
        self._cursor = np.zeros(kernel.CURSOR_FIELDS, dtype=np.int64)
        fields = [kernel.OLD, kernel.BITS, kernel.BUDGET, kernel.BY_LAYER, kernel.LIMBS]
        self._cursor[fields] = 1, 1, CHUNK, keep or by_step, not keep
        self._lookahead = np.empty((0, PATTERNS), dtype=np.bool_)
        self._answer = np.zeros(int(not keep), dtype=np.uint64)
        self._records = [np.empty(_FRESH * self._stride, dtype=np.uint64) for _ in range(2)]
        # One state without plugs, and one way to it.
        self._records[0][: self._stride] = np.arange(self._stride) >= self.plan.words
        self._table = np.empty(4 * _FRESH, dtype=np.int32)

    @property
    def _stride(self) -> int:
        return self.plan.words + int(self._cursor[kernel.LIMBS])

    def _bytes(self) -> int:
        return sum(array.nbytes for array in self._records) + self._table.nbytes + self._kept

    def _fits(self, extra: int) -> bool:
        """Whether ``extra`` more bytes are allowed."""
        return self._memory is None or self._bytes() + extra <= self._memory

    def _reserve(self, extra: int) -> None:
        """Raise `MemoryLimit` if ``extra`` more bytes are too many."""
        if self._fits(extra):
            return
        row = int(self._cursor[kernel.STEP]) // self.plan.width + 1
        states = int(max(self._cursor[kernel.OLD], self._cursor[kernel.NEW]))
        kept = f", with {self._kept >> 20} MB of kept layers; counting alone needs less"
        raise MemoryLimit(
            f"the frontier pass needs more than the {(self._memory or 0) >> 20} MB allowed: it "
            f"reached row {row} of {self.plan.height}, {states} states across"
            f"{kept if self._keep else ''}. Allow more memory, or use the SAT engine, which suits "
            "puzzles with few solutions"
        )

    def _enlarge(self, which: int, entries: int) -> None:
        """Give records ``which`` room for at least ``entries``, and more if memory allows."""
        array = self._records[which]
        room = max(2 * len(array), entries)
        if not self._fits(8 * room):
            room = max(len(array) * 5 // 4, entries)
        self._reserve(8 * room)
        larger = np.empty(room, dtype=np.uint64)
        used = int(self._cursor[kernel.NEW]) * self._stride
        larger[:used] = array[:used]
        self._records[which] = larger

    def _widen(self) -> None:
        """Give every count of the layer one limb more."""
        stride = self._stride
        which, count = int(self._cursor[kernel.FLIP]), int(self._cursor[kernel.OLD])
        needed, narrow = (stride + 1) * count, self._records[which]
        self._reserve(8 * needed)
        wider = np.zeros(max(needed, len(narrow)), dtype=np.uint64)
        body = wider[:needed].reshape(count, stride + 1)
        body[:, :stride] = narrow[: stride * count].reshape(count, stride)
        self._records[which] = wider
        self._answer = np.append(self._answer, np.uint64(0))
        self._cursor[kernel.LIMBS] += 1

    def _advance(self, children: NDArray[np.uint32]) -> Generator[Step, None, int]:
        """Call the kernel until the layer or the pass is done; yield between blocks of states."""
        plan, cursor = self.plan, self._cursor
        rules = plan.steps, plan.faces, plan.guards, plan.plug_places, plan.top_places, plan.dims
        scratch = np.empty(5 * (plan.width + 2), dtype=np.int64)
        while True:
            arrays = *self._records, self._table, self._answer, children
            reason = _run_kernel(cursor, *rules, *arrays, self._lookahead, scratch)
            if reason == kernel.NEED_RECORDS:
                # Layers outgrow what a pass starts with: if there are rules, looking ahead pays.
                blank = LinkModel.blank_loop(plan.model.lattice)
                if plan.model != blank and not len(self._lookahead):
                    self._lookahead = lookahead(plan)
                self._enlarge(1 - int(cursor[kernel.FLIP]), 4 * self._stride)
            elif reason == kernel.NEED_TABLE:
                self._reserve(4 * int(cursor[kernel.TABLE]))
                self._table = np.empty(int(cursor[kernel.TABLE]), dtype=np.int32)
            elif reason == kernel.NEED_LIMBS:
                self._widen()
            elif reason == kernel.PAUSE:
                yield self._at()
            else:
                return int(reason)

    def _at(self) -> Step:
        step, states = self._cursor[[kernel.STEP, kernel.OLD]].tolist()
        return step, self.plan.num_steps, states

    def count(self) -> Generator[Step, None, int]:
        """Run the pass and return the number of solutions."""
        nothing = np.empty(0, dtype=np.uint32)
        while (yield from self._advance(nothing)) == kernel.LAYER:
            yield self._at()
            if not self._cursor[kernel.OLD]:
                break
        return int.from_bytes(self._answer.astype("<u8").tobytes(), "little")

    def layers(self) -> Generator[Step, None, list[NDArray[np.uint32]]]:
        """Run the pass and return the children of each layer: shape ``(states, 2)``."""
        cursor = self._cursor
        found: list[NDArray[np.uint32]] = []
        while cursor[kernel.STEP] < self.plan.num_steps:
            states = int(cursor[kernel.OLD])
            if states > _MOST_KEPT:
                raise MemoryLimit(f"a layer of {states} states is more than a diagram can number")
            self._reserve(8 * states)
            children = np.zeros((states, 2), dtype=np.uint32)
            self._kept += children.nbytes
            if states:
                yield from self._advance(children.reshape(-1))
                yield self._at()
            else:
                cursor[kernel.STEP] += 1
            found.append(children)
        return found


def finished(
    work: Generator[Step, None, Result],
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Result:
    """What a pass returns when it is run to its end; `SearchTimeout` if that takes too long."""
    deadline = Deadline(timeout)
    while True:
        try:
            done, steps, states = next(work)
        except StopIteration as end:
            result: Result = end.value
            return result
        deadline.check()
        if progress is not None:
            progress(f"step {done} of {steps}, {states} states", done / steps)


def count(
    asked: Modelled,
    *,
    timeout: float | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Count the solutions of a model, or of what has one, exactly, by one pass over the board.

    Time and memory grow with the number of states that the frontier, the short side of the board,
    can be in: about threefold for each column of a board without clues, far less with clues. The
    number of solutions itself does not matter.

    After ``timeout`` seconds `SearchTimeout` is raised (None: no limit). ``memory`` bounds the
    bytes used (None: no bound), and `MemoryLimit` says how far the pass got. ``progress`` is called
    after each vertex, with a line and the share of vertices that are decided. Raises ``ValueError``
    for limits that make no sense.

    The method is Knuth's *simpath* (The Art of Computer Programming 4A, 7.1.4, exercise 225) with
    the states of Iwashita, Nakazawa, Kawahara, Uno and Minato, *Efficient computation of the number
    of paths in a grid graph with minimal perfect hash functions* (TCS-TR-A-13-64, 2013), and face
    counts as in Yoshinaka et al., *Finding all solutions and instances of Numberlink and
    Slitherlink by ZDDs* (Algorithms 5(2), 2012).

    >>> from linkoracle.board.lattice import Lattice
    >>> count(LinkModel.blank_loop(Lattice(3, 3)))
    13
    >>> count(LinkModel.blank_loop(Lattice(13, 13)))
    36954917962039884953387868334644457
    """
    sweep = Sweep(model_of(asked), memory=memory, by_step=progress is not None)
    return finished(sweep.count(), timeout, progress)
