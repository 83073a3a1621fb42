"""Which clues a puzzle needs: `redundant` ones, and `witnesses` for the others, to be checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkoracle.core.limits import Deadline
from linkoracle.generate.removal import Witnesses, near, showing, with_all_clues
from linkoracle.kinds import Slitherlink, verify
from linkoracle.search import Alternatives

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution


def redundant(
    puzzle: Slitherlink, solution: Solution, deadline: Deadline
) -> tuple[tuple[int, int], ...]:
    """Return the cells whose clue follows from the other clues, each taken by itself.

    ``solution`` must be the only solution of the puzzle. Raises `SearchTimeout`.

    >>> from linkoracle import solve
    >>> puzzle = Slitherlink([[4, 1], [None, None]])
    >>> redundant(puzzle, solve(puzzle), Deadline(None))
    ((0, 1),)
    """
    faces = {row * puzzle.cols + col: (row, col) for (row, col), _ in puzzle.clue_cells()}
    full = with_all_clues(puzzle, solution)
    # Most clues are needed against an alternative nearby, which takes no search.
    needed = Witnesses(near(full, solution), faces).needed
    with Alternatives(showing(full, ()), solution) as alternatives:
        alternatives.settle(sorted(needed), stay=True)
        return tuple(
            cell
            for face, cell in faces.items()
            if face not in needed
            and alternatives.find_within(deadline, faces.keys() - {face}, (face,)) is None
        )


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
