"""`Guessing`: which clues of a puzzle suffice for a solution with few guesses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from linkoracle.core.limits import Deadline
from linkoracle.deduce.board import DeductionState
from linkoracle.deduce.deck import Deck
from linkoracle.deduce.thinning import Group, Known, spare
from linkoracle.kinds import Slitherlink


@dataclass(frozen=True)
class Guessing:
    """Like `linkoracle.deduce.thinning.Thinning`, for puzzles that need up to ``most`` guesses.

    The first guess depends on all clues, so results for a subset do not apply to another one. Each
    query starts from a new state.

    >>> from linkoracle.deduce.board import standard_deck
    >>> full = Slitherlink([[3, 3], [2, 2]])
    >>> guessing = Guessing(full, deck=standard_deck(), without=(), most=1)
    >>> guessing.passes([0, 1]), guessing.passes([])
    (True, False)
    """

    full: Slitherlink
    deck: Deck
    without: Iterable[int]
    most: int | None
    deadline: Deadline = field(default_factory=lambda: Deadline(None))

    def passes(self, shown: Iterable[int]) -> bool:
        """Return whether the clues of these faces suffice. Takes as long as solving the puzzle."""
        kept, full = set(shown), self.full
        bare = full.with_clues(
            {
                divmod(face, full.cols): None
                for face in range(full.rows * full.cols)
                if face not in kept
            }
        )
        board = DeductionState(bare.model, deck=self.deck, without=self.without)
        self.deadline.check()
        return board.begin(timeout=self.deadline) and self._guess(board)

    def grow(
        self, shown: Iterable[int], groups: Sequence[Group], goal: int | None = None
    ) -> list[int] | None:
        """Add groups, by index, until the clues suffice; ``None`` if all together do not.

        When the guesses are used up, groups are added in the order of `spare` until the puzzle is
        solved. This repeats if other guesses come first then. Finally, groups that make guesses
        unnecessary are removed again, with a ``goal`` while there are more clues than that.
        """
        deadline = self.deadline
        faces, added = list(shown), list[int]()
        while True:
            # A state that has guessed before would begin with another guess.
            board = DeductionState(
                self.full.model, deck=self.deck, without=self.without, hidden=True
            )
            before, taken = len(added), set(added)
            solved = (
                board.begin(timeout=deadline)
                and board.show(sorted(faces), timeout=deadline)
                and self._guess(board)
            )
            others = spare(board, [() if n in taken else group for n, group in enumerate(groups)])
            while not solved and (number := next(others, None)) is not None:
                added.append(number)
                faces.extend(groups[number])
                solved = board.show(groups[number], timeout=deadline) and board.solved
            if not solved:
                return None
            # Otherwise, other guesses come first on a new state, and no group is left to add.
            if self.passes(faces) or len(added) == before:
                most = None if goal is None else max(0, len(faces) - goal)
                gone = set(self.thin(faces, [groups[number] for number in added], most=most))
                return [number for place, number in enumerate(added) if place not in gone]

    def thin(
        self,
        shown: Iterable[int],
        groups: Sequence[Group],
        known: Known | None = None,
        most: int | None = None,
    ) -> list[int]:
        """Return the groups, by index, that are redundant one after the other.

        Groups in ``known.needed`` are not tried; ``known`` is notified of each group removed. Stops
        after ``most`` groups.
        """
        needed: set[int] = set() if known is None else set(known.needed)
        left, gone = set(shown), list[int]()
        for number, group in enumerate(groups):
            if most is not None and len(gone) >= most:
                break
            if number not in needed and self.passes(left.difference(group)):
                left.difference_update(group)
                gone.append(number)
                if known is not None:
                    needed.update(known.remove(number))
        return gone

    def _guess(self, board: DeductionState) -> bool:
        """Return whether the allowed number of guesses solves the puzzle."""
        if self.most is None:
            return board.guess(1, timeout=self.deadline) and board.solved
        return guessed(board, self.most, self.deadline)


def guessed(board: DeductionState, most: int, deadline: Deadline) -> bool:
    """Return whether up to ``most`` guesses solve the puzzle, as in `DeductionState.guess`.

    Guesses without a contradiction do not count.
    """
    guesses = idle = 0
    while not board.solved and guesses < most and idle < board.open_edges:
        known, _ = board.mark()
        if not board.guess(1, budget=1, timeout=deadline):
            return False
        news = board.mark()[0] > known
        guesses, idle = guesses + news, 0 if news else idle + 1
    return board.solved
