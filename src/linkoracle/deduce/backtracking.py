"""Backtracking over deduction: a thorough player's search for solutions, and its depth."""

from __future__ import annotations

from dataclasses import dataclass

from linkoracle.board.solution import Solution
from linkoracle.core.limits import Deadline, Timeout, checked_int
from linkoracle.deduce.board import DeductionState


@dataclass(frozen=True)
class Backtracking:
    """The result of backtracking.

    ``exact`` is false if it stopped at the limit. ``depth`` is the greatest number of nested
    assumptions, 0 if deduction alone decided everything: a measure of difficulty. ``nodes`` is the
    number of boards on which deduction ran.
    """

    solutions: tuple[Solution, ...]
    exact: bool
    depth: int
    nodes: int


def backtrack(
    board: DeductionState,
    limit: int | None = None,
    guess_depth: int = 0,
    *,
    timeout: Timeout = None,
) -> Backtracking:
    """List up to ``limit`` solutions of a fresh board; guess ``guess_depth`` deep at each node.

    Time grows with the number of solutions; `linkoracle.count` counts without listing. Raises
    `SearchTimeout` after ``timeout`` seconds, and ``ValueError`` for a limit below 1.

    >>> from linkoracle import Slitherlink
    >>> found = backtrack(DeductionState(Slitherlink.blank(2, 2).model))
    >>> len(found.solutions), found.exact
    (13, True)
    """
    if limit is not None:
        checked_int(limit, "a limit of solutions", 1)
    deadline = Deadline.of(timeout)
    solutions: list[Solution] = []
    stack: list[tuple[tuple[int, int], int, int]] = []
    depth = 0
    nodes = 1
    fits = board.begin(timeout=deadline)
    while True:
        deadline.check()
        fits = fits and board.guess(guess_depth, timeout=deadline)
        if fits and board.solved:
            solutions.append(board.lines())
            if limit is not None and len(solutions) >= limit:
                # Only a search of the rest would show whether there are more.
                return Backtracking(tuple(solutions), not stack, depth, nodes)
        elif fits:
            literal = 2 * board.next_edge()
            stack.append((board.mark(), literal, 0))
            depth = max(depth, len(stack))
            nodes += 1
            fits = board.put([literal]) and board.deduce(timeout=deadline)
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
        fits = board.put([literal + 1]) and board.deduce(timeout=deadline)
