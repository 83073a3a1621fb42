"""Counting by backtracking: where deduction ends, try a line, then a cross, and deduce again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkoracle.deduce import kernel
from linkoracle.deduce.board import Board
from linkoracle.model import Solution
from linkoracle.sat.search import Deadline


@dataclass(frozen=True)
class Backtracking:
    """What backtracking found.

    ``exact`` is false when it stopped at the limit. ``depth`` is the greatest number of edges
    tried one within the other, 0 when deduction alone decided everything: a measure of difficulty.
    ``nodes`` counts the boards on which deduction was asked.
    """

    solutions: tuple[Solution, ...]
    exact: bool
    depth: int
    nodes: int


def backtrack(
    board: Board,
    limit: int | None = None,
    guess_depth: int = 0,
    deadline: Deadline | None = None,
) -> Backtracking:
    """List the solutions of a fresh board, at most ``limit``; at each node guess ``guess_depth``.

    The time grows with the number of solutions; `linkoracle.count` counts without listing. Raises
    `SearchTimeout` past the deadline.

    >>> from linkoracle import Slitherlink
    >>> found = backtrack(Board(Slitherlink.blank(2, 2).model))
    >>> len(found.solutions), found.exact
    (13, True)
    """
    solutions: list[Solution] = []
    stack: list[tuple[tuple[int, int], int, int]] = []
    depth = 0
    nodes = 1
    fits = board.begin()
    while True:
        if deadline is not None:
            deadline.check()
        fits = fits and board.guess(guess_depth, deadline=deadline)
        if fits and board.solved:
            solutions.append(board.lines())
            if limit is not None and len(solutions) >= limit:
                # The rest would have to be searched to know whether there are more.
                return Backtracking(tuple(solutions), not stack, depth, nodes)
        elif fits:
            literal = 2 * _next_edge(board)
            stack.append((board.mark(), literal, 0))
            depth = max(depth, len(stack))
            nodes += 1
            fits = board.put([literal]) and board.deduce()
            continue
        while stack:
            mark, literal, tried = stack.pop()
            board.undo(mark)
            if not tried:
                break
        else:
            return Backtracking(tuple(solutions), True, depth, nodes)
        stack.append((mark, literal, 1))
        nodes += 1
        fits = board.put([literal + 1]) and board.deduce()


def _next_edge(board: Board) -> int:
    """An open edge where a path ends, else the first open one."""
    state, frame = board.state, board.frame
    is_open = state.edge == kernel.OPEN
    at_end = (state.lines[frame.ends] == 1).any(axis=1)
    # The first place of the greatest value.
    return int(np.argmax(is_open.astype(np.int64) + (is_open & at_end)))
