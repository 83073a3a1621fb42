"""The number of solutions, in all or of each length, by the pass that suits the board.

Each pass loads its modules when it begins, as names of `linkoracle.frontier.blank` load on first
use: a pass with ranks needs no NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TypedDict, TypeVar, Unpack

from linkoracle.board import LinkModel, Modelled, model_of
from linkoracle.core import Deadline, Progress, checked_memory
from linkoracle.frontier import blank
from linkoracle.frontier.running import Step, finished

Answer = TypeVar("Answer")


class Scale(TypedDict, total=False):
    """Arguments of `count` and `by_length` for large blank boards: other processes, and files."""

    #: Runs the passes, one for each prime: see `linkoracle.batch`. ``None`` is this process.
    executor: Executor | None
    #: The file of finished passes; beside it are the last rows of unfinished ones.
    store: Path | None
    #: Whether to continue from an existing store; otherwise the file must not exist.
    resume: bool
    #: A folder for files of numbers, used instead of memory.
    spill: Path | None


def count(
    puzzle: Modelled,
    *,
    timeout: float | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    order: Sequence[int] | None = None,
    **scale: Unpack[Scale],
) -> int:
    """Count the solutions of a puzzle or model exactly, by passes over the board.

    Time and memory grow with the number of states of the frontier, which is as wide as the short
    side of the board: about threefold for each column of a board without clues, far less with
    clues. They do not depend on the number of solutions.

    Raises `SearchTimeout` after ``timeout`` seconds (None: no limit). ``memory`` bounds the bytes
    used (None: no bound); `MemoryLimit` reports the progress of the pass. ``progress`` is called
    after each vertex or row with a line of text and the fraction of work done. ``order`` has all
    vertices, by their ids, in the order of the pass (None: `linkoracle.frontier.order` finds one).
    Raises ``ValueError`` for invalid limits and orders.

    Wide blank boards with the same rule at each vertex are counted modulo several primes, by all
    processors: see `linkoracle.frontier.blank`. Any other board takes one pass, and processors
    share its large layers.

    A count that takes hours can be distributed and resumed (blank boards of 3 to 31 vertices
    across):

    * ``executor``: an executor of `linkoracle.batch` or ``concurrent.futures``; each prime is a
      job. ``memory`` is the total for `Processes`, and the limit of each worker otherwise.
    * ``store``: a checkpoint file (``Path``) with the residues of finished primes. Beside it,
      ``store.passN`` has the last row of an unfinished prime; each worker that sees the store
      writes one at most once a minute. With ``resume`` the count continues from there. A store of
      another board, query or version is refused, and so is an existing one without ``resume``.
    * ``spill``: a folder (``Path``) for memory-mapped files of counts that exceed the memory;
      ``memory`` then bounds the tables only.

    They raise `RunError` for unusable files, and `WorkersLost` with Dask.

    The method is Knuth's *simpath* (The Art of Computer Programming 4A, 7.1.4, exercise 225) with
    the states of Iwashita, Nakazawa, Kawahara, Uno and Minato, *Efficient computation of the number
    of paths in a grid graph with minimal perfect hash functions* (TCS-TR-A-13-64, 2013), and face
    counts as in Yoshinaka et al., *Finding all solutions and instances of Numberlink and
    Slitherlink by ZDDs* (Algorithms 5(2), 2012).

    >>> from linkoracle.board import Lattice
    >>> count(LinkModel.blank_loop(Lattice(3, 3)))
    13
    >>> count(LinkModel.blank_loop(Lattice(13, 13)))
    36954917962039884953387868334644457
    """
    deadline = Deadline(timeout)
    memory = checked_memory(memory)
    model, by_step = model_of(puzzle), progress is not None
    if any(scale.values()):
        return _in_units(model, blank.solutions, scale, memory, deadline, progress)
    board = ranked_board(model) if order is None else None
    work = counting(model, board, memory, deadline, by_step=by_step, order=order)
    return finished(work, deadline, progress)


def counting(
    model: LinkModel,
    board: blank.AnyBoard | None,
    memory: int | None,
    deadline: Deadline,
    *,
    by_step: bool,
    order: Sequence[int] | None = None,
) -> Generator[Step, None, int]:
    """Like `count`, in steps that can be interrupted, for a model and its `ranked_board`.

    The other arguments are those of `linkoracle.frontier.sweep.Sweep`.
    """
    if board is None:
        from linkoracle.frontier.sweep import Sweep

        return Sweep(model, memory=memory, by_step=by_step, deadline=deadline, order=order).count()
    return blank.Runner(board, memory=memory, deadline=deadline).answer(blank.solutions(board))


def by_length(
    puzzle: Modelled,
    *,
    timeout: float | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    **scale: Unpack[Scale],
) -> dict[int, int]:
    """Return the number of solutions of each length, by increasing length.

    Wide blank boards with the same rule at each vertex are counted repeatedly with other weights
    (`linkoracle.frontier.blank`): for each prime as often as there are lengths that earlier primes
    do not determine. Any other board gets a `Diagram`. Limits, and the options that spread the work
    on many processors, are those of `count`.

    >>> from linkoracle.board import Lattice
    >>> from linkoracle.board import LinkModel
    >>> by_length(LinkModel.blank_loop(Lattice(3, 3)))
    {4: 4, 6: 4, 8: 5}
    >>> sum(by_length(LinkModel.blank_loop(Lattice(9, 9))).values())
    2318527339461265
    """
    deadline, model = Deadline(timeout), model_of(puzzle)
    memory = checked_memory(memory)
    if any(scale.values()):
        return _in_units(model, blank.lengths, scale, memory, deadline, progress)
    board = ranked_board(model)
    if board is None or not board.pays_by_length:
        from linkoracle.frontier.diagram import Diagram

        every = Diagram.build(model, timeout=timeout, memory=memory, progress=progress)
        return dict(sorted(every.by_length().items()))
    work = blank.Runner(board, memory=memory, deadline=deadline).answer(blank.lengths(board))
    return finished(work, deadline, progress)


def _in_units(
    model: LinkModel,
    plan: Callable[[blank.AnyBoard], blank.CountPlan[Answer]],
    scale: Scale,
    memory: int | None,
    deadline: Deadline,
    progress: Progress | None,
) -> Answer:
    """Answer a count on the blank board of a model; ``ValueError`` for others and bad options."""
    board = blank.blank_board(model)
    if board is None:
        raise ValueError(
            f"expected a blank board of {blank.LEAST_WIDTH} to {blank.PLACES} vertices across, of "
            "squares, triangles, a honeycomb or a cylinder, for a count with an executor, a store "
            "or a folder to spill to"
        )
    if scale.get("resume") and scale.get("store") is None:
        raise ValueError("expected a store to resume from")
    return blank.answer_in_units(
        plan(board), **scale, memory=memory, deadline=deadline, progress=progress
    )


def ranked_board(model: LinkModel) -> blank.AnyBoard | None:
    """Return the board of a model that is counted faster with ranks, ``None`` for other models.

    >>> from linkoracle.board import Lattice
    >>> print(ranked_board(LinkModel.blank_loop(Lattice(4, 40))))
    None
    >>> ranked_board(LinkModel.blank_loop(Lattice(9, 40)))
    BlankBoard(height=40, width=9, cover=False, ends=(), shape='squares')
    """
    board = None if model.has_face_rules else blank.blank_board(model)
    return board if board is not None and board.pays else None
