"""The number of solutions of each length."""

from __future__ import annotations

from typing import Unpack

from linkoracle.board.model import Modelled, model_of
from linkoracle.core.limits import Deadline, Progress, checked_memory
from linkoracle.core.renamed import with_old_arguments
from linkoracle.frontier.counts import ranked_board
from linkoracle.frontier.running import finished
from linkoracle.frontier.scale import Scale, answer_scaled, asks_scale, scaled_board


@with_old_arguments
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

    >>> from linkoracle.board.lattice import Lattice
    >>> from linkoracle.board.model import LinkModel
    >>> by_length(LinkModel.blank_loop(Lattice(3, 3)))
    {4: 4, 6: 4, 8: 5}
    >>> sum(by_length(LinkModel.blank_loop(Lattice(9, 9))).values())
    2318527339461265
    """
    deadline, model = Deadline(timeout), model_of(puzzle)
    memory = checked_memory(memory)
    board = scaled_board(model, scale) if asks_scale(scale) else ranked_board(model)
    if board is None:
        from linkoracle.frontier.diagram import Diagram

        every = Diagram.build(model, timeout=timeout, memory=memory, progress=progress)
        return dict(sorted(every.by_length().items()))
    from linkoracle.frontier.blank.counting import Runner
    from linkoracle.frontier.blank.lengths import lengths

    if asks_scale(scale):
        return answer_scaled(lengths(board), scale, memory, deadline, progress)
    work = Runner(board, memory=memory, deadline=deadline).answer(lengths(board))
    return finished(work, deadline, progress)
