"""`witnesses`: why no clue of a minimal puzzle can be taken away, for anybody to check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkoracle.core.limits import Deadline
from linkoracle.kinds import Slitherlink, verify
from linkoracle.search import Alternatives

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution


def witnesses(
    puzzle: Slitherlink, solution: Solution, *, timeout: float | None = None
) -> dict[tuple[int, int], Solution]:
    """For each cell whose clue cannot go, another solution of the puzzle without that clue.

    ``solution`` is the only one of the puzzle, which is minimal iff every clue has a witness. They
    come from `linkoracle.search` and are checked by `linkoracle.verify`, which knows nothing of it.
    Takes about as long as it took to make the puzzle.

    Raises ``ValueError`` when the solution does not solve the puzzle, or another one does;
    `SearchTimeout`.

    >>> from linkoracle.generate import slitherlink
    >>> made = slitherlink(6, 6, seed=1, minimal=True)
    >>> found = witnesses(made.puzzle, made.solution)
    >>> made.minimal, len(found) == made.puzzle.number_of_clues
    (True, True)
    """
    if not verify(puzzle, solution):
        raise ValueError("the solution given does not solve this puzzle")
    deadline = Deadline(timeout)
    faces = {row * puzzle.cols + col: (row, col) for (row, col), _ in puzzle.clue_cells()}
    blank = puzzle.with_clues(dict.fromkeys(faces.values()))
    found = {}
    with Alternatives(blank, solution) as alternatives:
        if alternatives.find_within(deadline, faces.keys()) is not None:
            raise ValueError("the puzzle has another solution than the one given")
        for face, cell in faces.items():
            other = alternatives.find_within(deadline, faces.keys() - {face}, (face,))
            if other is None:
                continue
            without = puzzle.with_clues({cell: None})
            if other.solution == solution or not verify(without, other.solution):
                raise AssertionError("a witness failed its independent check")
            found[cell] = other.solution
    return found
