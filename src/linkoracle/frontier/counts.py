"""How many solutions a model has, by the pass that suits its board.

What a pass needs is loaded when it begins: one with ranks needs no NumPy.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Unpack

from linkoracle.board.model import LinkModel, Modelled, model_of
from linkoracle.core.limits import Deadline, Progress, checked_memory
from linkoracle.frontier.running import Step, finished
from linkoracle.frontier.scale import Scale, answer_scaled, asks_scale, scaled_board

if TYPE_CHECKING:
    from linkoracle.frontier.blank.board import BlankBoard

#: Blank boards from so many vertices across, and up to so many down, are counted with ranks. It is
#: faster there: narrow boards have few states, and long ones need many primes.
_WIDE, _LONG = 9, 200


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

    The other arguments are as of `linkoracle.frontier.sweep.Sweep`.
    """
    if board is None:
        from linkoracle.frontier.sweep import Sweep

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
    if not model.is_square:
        return None
    rows, cols = model.lattice.rows, model.lattice.cols
    if min(rows, cols) < _WIDE or max(rows, cols) > _LONG or model.has_face_rules:
        return None
    from linkoracle.frontier.blank.board import blank_board

    return blank_board(model)
