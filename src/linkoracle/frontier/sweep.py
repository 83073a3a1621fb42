"""Running a pass: how much memory it may use, when to look ahead, progress.

Within a step the kernel itself looks at the clock and at Ctrl-C.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.model import LinkModel, Modelled, model_of
from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import Deadline, Progress, checked_memory, default_limit, processors
from linkoracle.frontier.lookahead import lookahead
from linkoracle.frontier.plan import Plan
from linkoracle.frontier.running import Step, finished
from linkoracle.frontier.scale import Scale, answer_scaled, asks_scale, scaled_board
from linkoracle.frontier.sharing import WIDE, Threads

if TYPE_CHECKING:
    from linkoracle.frontier.blank.board import BlankBoard

#: States that a pass has room for at first: enough for small puzzles.
_FRESH = 1 << 10
#: Targets are kept in 32 bits with a decision of two bits; see `pass_kernel.Pass.advance`.
_MOST_KEPT = (1 << 30) - 4
#: Blank boards from so many vertices across, and up to so many down, are counted with ranks. It is
#: faster there: narrow boards have few states, and long ones need many primes.
_WIDE, _LONG = 9, 200
#: Bytes that a plan takes for each vertex, the arrays of its lattice included.
_PLAN_BYTES = 300


class Sweep:
    """One pass over ``model``. With ``keep`` the records carry no counts, and `layers` keeps them.

    Layers of ``wide`` states or more are shared by so many ``threads``, all processors by default;
    what comes out does not depend on how many. With ``by_step`` control comes back after each
    vertex. ``memory`` bounds the bytes of all arrays
    of the pass, kept layers included; `MemoryLimit` is raised before an array that would exceed it
    is made, and at once for a board whose plan alone would exceed it, or what the machine has.
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
    ) -> None:
        memory = checked_memory(memory)
        plan_bytes = _PLAN_BYTES * model.lattice.num_vertices
        if plan_bytes > 1 << 26 and plan_bytes > (memory or 2 * default_limit()):
            raise MemoryLimit(
                f"a frontier pass over {model.lattice.rows}x{model.lattice.cols} vertices needs "
                f"{plan_bytes >> 20} MB for its plan alone, more than it may use"
            )
        self.plan = Plan(model)
        self._memory, self._keep, self._kept = memory, keep, 0
        self._by_step, self._deadline = by_step, deadline or Deadline(None)
        self._threads = Threads(threads or processors())
        self._pass = self.plan.begin(
            counted=not keep,
            records=_FRESH,
            memory=min(memory or sys.maxsize, sys.maxsize),
            wide=wide,
        )

    def _explained(self) -> MemoryLimit:
        """The error when memory does not suffice."""
        row, states = self._pass.step // self.plan.width + 1, self._pass.states
        allowed = "there is" if self._memory is None else f"the {self._memory >> 20} MB allowed"
        kept = f", with {self._kept >> 20} MB of kept layers; counting alone needs less"
        return MemoryLimit(
            f"the frontier pass needs more than {allowed}: it reached row {row} of "
            f"{self.plan.height}, {states} states across{kept if self._keep else ''}. Allow more "
            "memory, or use the SAT engine, which suits puzzles with few solutions"
        )

    def _advance(self, children: NDArray[np.uint32] | None = None) -> None:
        """Take a step; without ``by_step``, all of them."""
        one_step = self._by_step or children is not None
        share = self._threads.shares
        try:
            while not self._pass.advance(self._deadline, one_step, children, share):
                # Layers outgrow what a pass starts with: if there are rules, looking ahead pays.
                if self.plan.model != LinkModel.blank_loop(self.plan.model.lattice):
                    self._pass.foresee(lookahead(self.plan, self._deadline).view(np.uint8))
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
        """Run the pass and return the children of each layer: shape ``(states, 2)``."""
        found: list[NDArray[np.uint32]] = []
        with self._threads:
            for _ in range(self.plan.num_steps):
                rows = self._pass.rows
                if rows > _MOST_KEPT:
                    raise MemoryLimit(f"a layer of {rows} states is more than a diagram can number")
                try:
                    self._pass.take(8 * rows)
                except MemoryLimit:
                    raise self._explained() from None
                children = np.zeros((rows, 2), dtype=np.uint32)
                self._kept += children.nbytes
                if rows:
                    self._advance(children)
                    yield self._at()
                found.append(children)
        return found


def count(
    asked: Modelled,
    *,
    timeout: float | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    **scale: Unpack[Scale],
) -> int:
    """Count the solutions of a model, or of what has one, exactly, by passes over the board.

    Time and memory grow with the number of states that the frontier, the short side of the board,
    can be in: about threefold for each column of a board without clues, far less with clues. The
    number of solutions itself does not matter.

    After ``timeout`` seconds `SearchTimeout` is raised (None: no limit). ``memory`` bounds the
    bytes used (None: no bound), and `MemoryLimit` says how far the pass got. ``progress`` is called
    after each vertex or row, with a line and the share of the work that is done. Raises
    ``ValueError`` for limits that make no sense.

    Wide blank boards, on which the same rule holds everywhere, are counted modulo several primes,
    by all processors: see `linkoracle.frontier.blank`. Any other board takes one pass, whose
    large layers processors share.

    What takes hours can be spread and kept (any blank board of 3 to 31 vertices across):

    * ``executor``: each prime is a job for one of `linkoracle.batch`, or any other of
      ``concurrent.futures``; ``memory`` is for all `Processes` together, for other workers each.
    * ``store``: a file (``Path``) that keeps the residues of finished primes. Beside it, in
      ``store.passN``, is the last row of a prime that goes on, once in a minute at most, from
      each worker that sees the store. With ``resume`` a count goes on from there; a store of
      another board, question or version is refused, and one that exists without ``resume``.
    * ``spill``: a folder (``Path``) for files that hold the numbers, mapped into memory, for boards
      whose numbers are larger than that; ``memory`` then bounds the tables only.

    They raise `RunError` for files that cannot be used, `WorkersLost` with Dask.

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
    deadline = Deadline(timeout)
    memory = checked_memory(memory)
    model, by_step = model_of(asked), progress is not None
    if asks_scale(scale):
        from linkoracle.frontier.blank.counting import solutions

        question = solutions(scaled_board(model, scale))
        return answer_scaled(question, scale, memory, deadline, progress)
    work = counting(model, ranked_board(model), memory, deadline, by_step=by_step)
    return finished(work, deadline, progress)


def counting(
    model: LinkModel,
    board: BlankBoard | None,
    memory: int | None,
    deadline: Deadline,
    *,
    by_step: bool,
) -> Generator[Step, None, int]:
    """`count`, as work that can be left and taken up again, of a model and its `ranked_board`.

    The other arguments are as of `Sweep`.
    """
    if board is None:
        return Sweep(model, memory=memory, by_step=by_step, deadline=deadline).count()
    from linkoracle.frontier.blank import counting as ranked

    return ranked.Runner(board, memory=memory, deadline=deadline).answer(ranked.solutions(board))


def ranked_board(model: LinkModel) -> BlankBoard | None:
    """The board of a model that is better counted with ranks than by a pass with a hash table.

    >>> from linkoracle.board.lattice import Lattice
    >>> print(ranked_board(LinkModel.blank_loop(Lattice(4, 40))))
    None
    >>> ranked_board(LinkModel.blank_loop(Lattice(9, 40)))
    BlankBoard(height=40, width=9, cover=False, ends=())
    """
    rows, cols = model.lattice.rows, model.lattice.cols
    if min(rows, cols) < _WIDE or max(rows, cols) > _LONG or model.has_face_rules:
        return None
    from linkoracle.frontier.blank.board import blank_board

    return blank_board(model)
