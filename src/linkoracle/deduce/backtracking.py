"""Backtracking over deduction: solutions as a patient person finds them, and how deep it goes."""

from __future__ import annotations

from dataclasses import dataclass

from linkoracle.board.solution import Solution
from linkoracle.core.limits import Deadline
from linkoracle.deduce.board import Board


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
    board: Board, limit: int | None = None, guess_depth: int = 0, *, timeout: float | None = None
) -> Backtracking:
    """List the solutions of a fresh board, at most ``limit``; at each node guess ``guess_depth``.

    The time grows with the number of solutions; `linkoracle.count` counts without listing. Raises
    `SearchTimeout` after ``timeout`` seconds.

    >>> from linkoracle import Slitherlink
    >>> found = backtrack(Board(Slitherlink.blank(2, 2).model))
    >>> len(found.solutions), found.exact
    (13, True)
    """
    return backtrack_within(Deadline(timeout), board, limit, guess_depth)


def backtrack_within(
    deadline: Deadline, board: Board, limit: int | None, guess_depth: int = 0
) -> Backtracking:
    """`backtrack` with a deadline."""
    solutions: list[Solution] = []
    stack: list[tuple[tuple[int, int], int, int]] = []
    depth = 0
    nodes = 1
    fits = board.begin_within(deadline)
    while True:
        deadline.check()
        fits = fits and board.guess_within(deadline, guess_depth)
        if fits and board.solved:
            solutions.append(board.lines())
            if limit is not None and len(solutions) >= limit:
                # The rest would have to be searched to know whether there are more.
                return Backtracking(tuple(solutions), not stack, depth, nodes)
        elif fits:
            literal = 2 * board.next_edge()
            stack.append((board.mark(), literal, 0))
            depth = max(depth, len(stack))
            nodes += 1
            fits = board.put([literal]) and board.deduce_within(deadline)
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
        fits = board.put([literal + 1]) and board.deduce_within(deadline)
