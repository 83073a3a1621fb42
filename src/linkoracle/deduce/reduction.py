"""`Reduction` and `Guessing`: find clues that suffice for deduction, or for few guesses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from linkoracle.core import Deadline
from linkoracle.deduce.board import DeductionState
from linkoracle.deduce.rules import Deck
from linkoracle.kinds import Slitherlink

#: The number of deciding groups that are compared, to add the one that decides the most edges.
_COMPARED = 8
#: Faces whose clues are added and removed together.
Group = Sequence[int]


class Known(Protocol):
    """Groups that are known to be needed, by index, with any techniques."""

    needed: set[int]

    def remove(self, group: int) -> Iterable[int]:
        """Record that a group is removed; return the groups that are needed from now on."""


def groups_to_add(
    board: DeductionState, groups: Sequence[Group], *, only_deciding: bool = False
) -> Iterator[int]:
    """Yield groups of clues, by index, each to be added when deduction is stuck.

    Groups that decide edges at once come first: of the first few, the group that decides the most.
    Other groups follow in their order, unless ``only_deciding``.
    """
    left = dict(enumerate(groups))
    # The number of lines that the clue requires.
    counts = [mask.bit_length() - 1 for mask in board.model.faces]
    while True:
        around = [*zip(counts, *board.face_counts(), strict=True)]
        waiting: int | None = None
        best, most, deciding = None, 0, 0
        for number, group in left.items():
            decided = 0
            for clue, lines, crosses in map(around.__getitem__, group):
                if lines + crosses == 4:
                    continue
                if lines == clue or clue + crosses == 4:
                    decided += 4 - lines - crosses
                elif waiting is None:
                    waiting = number
            if decided > most:
                best, most = number, decided
            deciding += decided > 0
            if deciding == _COMPARED:
                break
        found = best if best is not None or only_deciding else waiting
        if found is None:
            return
        del left[found]
        yield found


class Reduction:
    """The clues of a puzzle, some of them shown; faces are numbered row by row.

    ``deck`` and ``without`` are as for `DeductionState`; ``max_depth`` limits nested guesses.
    ``deadline`` ends every deduction and guess with `SearchTimeout`; then the object is unusable.

    >>> from linkoracle.deduce.rules import standard_deck
    >>> full = Slitherlink([[3, 3], [2, 2]])
    >>> reduction = Reduction(full, deck=standard_deck(), without=(), max_depth=0)
    >>> reduction.passes([0, 1]), reduction.passes([])
    (True, False)
    """

    def __init__(
        self,
        full: Slitherlink,
        *,
        deck: Deck,
        without: Iterable[int],
        max_depth: int,
        deadline: Deadline | None = None,
    ) -> None:
        self._board = DeductionState(full.model, deck=deck, without=without, hidden=True)
        self._depth = max_depth
        self._deadline = deadline or Deadline(None)
        self._fits = self._board.begin(timeout=self._deadline)

    def _show(self, faces: Sequence[int]) -> bool:
        """Show these clues; return whether that solves the puzzle."""
        board, deadline = self._board, self._deadline
        deadline.check()
        if not board.show(faces, timeout=deadline):
            return False
        return board.solved or (board.guess(self._depth, timeout=deadline) and board.solved)

    def passes(self, shown: Iterable[int]) -> bool:
        """Return whether the clues of these faces suffice. Takes as long as solving the puzzle."""
        with self._shown_meanwhile(shown) as (_, solved):
            return solved

    @contextmanager
    def _shown_meanwhile(self, shown: Iterable[int]) -> Iterator[tuple[list[int], bool]]:
        """Show the clues of these faces; yield a list of them, and whether they solve the puzzle.

        At the end of the block, all faces of the list are hidden, also those appended to it.
        """
        faces = sorted(shown)
        mark = self._board.mark()
        yield faces, self._fits and self._show(faces)
        self._board.hide(faces, mark)

    def grow(
        self, shown: Iterable[int], groups: Sequence[Group], goal: int | None = None
    ) -> list[int] | None:
        """Add groups, by index, until the clues suffice; ``None`` if all together do not.

        `groups_to_add` gives their order. With a ``goal``, then remove redundant groups, while
        there are more clues than the goal.
        """
        board = self._board
        others = groups_to_add(board, groups)
        added: list[int] = []
        with self._shown_meanwhile(shown) as (faces, solved):
            mark, before = board.mark(), len(faces)
            while not solved and (number := next(others, None)) is not None:
                added.append(number)
                faces.extend(groups[number])
                solved = self._show(groups[number])
            most = 0 if goal is None else len(faces) - goal
            if solved and added and most > 0:
                board.hide(faces[before:], mark)
                del faces[before:]
                # The last group was not redundant.
                last = len(added) - 1
                some = [groups[number] for number in added]
                gone = self._redundant(some, {last}, None, -(-most // len(some[0])))
                added = [number for place, number in enumerate(added) if place not in gone]
        return added if solved else None

    def approach(
        self, shown: Iterable[int], groups: Sequence[Group], most: int
    ) -> list[int] | None:
        """Add groups, by index, that decide an edge, while the clues do not suffice.

        Skips groups that would suffice, and adds at most ``most`` clues. Returns ``None`` if the
        shown clues suffice. Takes about as long as solving the puzzle.

        >>> from linkoracle.deduce.rules import standard_deck
        >>> full = Slitherlink([[3, 3], [2, 2]])
        >>> reduction = Reduction(full, deck=standard_deck(), without=(), max_depth=0)
        >>> reduction.approach([0], [[1], [2], [3]], 2), reduction.approach([0, 1], [[2], [3]], 2)
        ([], None)
        """
        board = self._board
        others = groups_to_add(board, groups, only_deciding=True)
        added: list[int] = []
        with self._shown_meanwhile(shown) as (faces, solved):
            while not solved and most and (number := next(others, None)) is not None:
                group = groups[number]
                if len(group) > most:
                    continue
                before = board.mark()
                if self._show(group):
                    board.hide(group, before)
                    continue
                added.append(number)
                faces.extend(group)
                most -= len(group)
        return None if solved else added

    def reduce(
        self,
        shown: Iterable[int],
        groups: Sequence[Group],
        known: Known | None = None,
        most: int | None = None,
    ) -> list[int]:
        """Return the groups, by index, that can be removed one after the other.

        All other clues are shown first. Then each half of the groups is tested while the other half
        is shown, recursively, so deductions without either half are shared. Groups in
        ``known.needed`` are kept; ``known`` is notified of each group removed. Stops after ``most``
        groups.
        """
        board = self._board
        grouped = {face for group in groups for face in group}
        faces = [face for face in sorted(shown) if face not in grouped]
        gone: set[int] = set()
        mark = board.mark()
        if self._fits and groups:
            self._show(faces)
            needed: set[int] = set() if known is None else set(known.needed)
            gone = self._redundant(groups, needed, known, len(groups) if most is None else most)
            board.hide(faces, mark)
        return sorted(gone)

    def _redundant(
        self, groups: Sequence[Group], needed: set[int], known: Known | None, enough: int
    ) -> set[int]:
        """Return the redundant groups, as `reduce` does, beside the clues that are shown."""
        board = self._board
        gone: set[int] = set()

        def showing(numbers: Iterable[int], part: Sequence[int]) -> None:
            """Decide a part of the groups while others are shown."""
            kept = [number for number in part if number in needed]
            open_ = [number for number in part if number not in needed]
            faces = [face for number in (*numbers, *kept) for face in groups[number]]
            if open_ and len(gone) < enough:
                mark = board.mark()
                decide(open_, self._show(faces))
                board.hide(faces, mark)

        def decide(part: list[int], solved: bool) -> None:
            if solved:
                gone.update(part)
                if known is not None:
                    for number in part:
                        needed.update(known.remove(number))
            elif len(part) > 1:
                half = len(part) // 2
                first, second = part[:half], part[half:]
                showing(second, first)
                showing([number for number in first if number not in gone], second)

        showing((), range(len(groups)))
        return gone


@dataclass(frozen=True)
class Guessing:
    """Like `Reduction`, for puzzles that need up to ``most`` guesses.

    The first guess depends on all clues, so the result for one set of clues says nothing about
    others. Each query starts from a new state.

    >>> from linkoracle.deduce.rules import standard_deck
    >>> full = Slitherlink([[3, 3], [2, 2]])
    >>> guessing = Guessing(full, standard_deck(), without=(), most=1, deadline=Deadline(None))
    >>> guessing.passes([0, 1]), guessing.passes([])
    (True, False)
    """

    full: Slitherlink
    deck: Deck
    without: Iterable[int]
    most: int | None
    deadline: Deadline

    def passes(self, shown: Iterable[int]) -> bool:
        """Return whether the clues of these faces suffice. Takes as long as solving the puzzle."""
        full = self.full
        hidden = set(range(full.rows * full.cols)).difference(shown)
        bare = full.with_clues({divmod(face, full.cols): None for face in hidden})
        board = DeductionState(bare.model, deck=self.deck, without=self.without)
        self.deadline.check()
        return board.begin(timeout=self.deadline) and self._guess(board)

    def grow(
        self, shown: Iterable[int], groups: Sequence[Group], goal: int | None = None
    ) -> list[int] | None:
        """Add groups, by index, until the clues suffice; ``None`` if all together do not.

        When the guesses are used up, groups are added in the order of `groups_to_add` until the
        puzzle is solved. This repeats if other guesses then come first. Finally, redundant groups
        are removed again, with a ``goal`` only while there are more clues.
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
            left = [() if number in taken else group for number, group in enumerate(groups)]
            others = groups_to_add(board, left)
            while not solved and (number := next(others, None)) is not None:
                added.append(number)
                faces.extend(groups[number])
                solved = board.show(groups[number], timeout=deadline) and board.solved
            if not solved:
                return None
            # If a new state begins with other guesses, repeat, unless no group was added.
            if self.passes(faces) or len(added) == before:
                most = None if goal is None else max(0, len(faces) - goal)
                gone = set(self.reduce(faces, [groups[number] for number in added], most=most))
                return [number for place, number in enumerate(added) if place not in gone]

    def reduce(
        self,
        shown: Iterable[int],
        groups: Sequence[Group],
        known: Known | None = None,
        most: int | None = None,
    ) -> list[int]:
        """Return the groups, by index, that can be removed one after the other.

        Groups in ``known.needed`` are kept; ``known`` is notified of each group removed. Stops
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
        decided = board.mark()[0] > known
        guesses, idle = guesses + decided, 0 if decided else idle + 1
    return board.solved
