"""`Thinning`: one puzzle whose clues come and go, while it must stay solvable by deduction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from linkoracle.core.limits import Deadline
from linkoracle.deduce.board import DeductionState
from linkoracle.deduce.deck import Deck
from linkoracle.kinds import Slitherlink

#: Faces whose clues come and go together.
Group = Sequence[int]


class Known(Protocol):
    """Groups that are known to be needed, by index, whatever the techniques."""

    needed: set[int]

    def remove(self, group: int) -> Iterable[int]:
        """Take note that a group is gone; the groups that are needed from now on."""


class Spare:
    """Groups of clues that may come to a board on which deduction stands still."""

    def __init__(self, board: DeductionState, groups: Sequence[Group]) -> None:
        self._board = board
        #: Those that have not come, by index.
        self._left = dict(enumerate(groups))
        # The only count of lines that the clue allows.
        self._counts = [mask.bit_length() - 1 for mask in board.model.faces]

    def take(self, *, only_telling: bool = False) -> int | None:
        """The next group, by index; ``None`` when none is left.

        Takes those that decide an edge at once before others, or ``only_telling`` ones; otherwise
        earlier ones first.
        """
        around = [*zip(self._counts, *self._board.face_counts(), strict=True)]
        waiting: int | None = None
        for number, group in self._left.items():
            for clue, lines, crosses in map(around.__getitem__, group):
                if lines + crosses == 4:
                    continue
                if lines == clue or clue + crosses == 4:
                    del self._left[number]
                    return number
                if waiting is None:
                    waiting = number
        if waiting is not None and not only_telling:
            del self._left[waiting]
            return waiting
        return None


class Thinning:
    """The clues of one puzzle, of which some are shown; faces are numbered row by row.

    ``deck`` and ``without`` are as for `DeductionState`; ``max_depth`` limits nested guesses.
    ``deadline`` ends every deduction and guess with `SearchTimeout`; then the object is unusable.

    >>> from linkoracle.deduce.board import standard_deck
    >>> full = Slitherlink([[3, 3], [2, 2]])
    >>> thinning = Thinning(full, deck=standard_deck(), without=(), max_depth=0)
    >>> thinning.passes([0, 1]), thinning.passes([])
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
        """Show these clues; whether that solves the puzzle."""
        board, deadline = self._board, self._deadline
        deadline.check()
        if not board.show(faces, timeout=deadline):
            return False
        return board.solved or (board.guess(self._depth, timeout=deadline) and board.solved)

    def passes(self, shown: Iterable[int]) -> bool:
        """Whether the clues of these faces are enough. About the time of solving the puzzle."""
        with self._shown_meanwhile(shown) as (_, solved):
            return solved

    @contextmanager
    def _shown_meanwhile(self, shown: Iterable[int]) -> Iterator[tuple[list[int], bool]]:
        """Show the clues of these faces; these, and whether that solves the puzzle.

        Afterwards they are hidden, and so is what was shown and put to the list meanwhile.
        """
        faces = sorted(shown)
        mark = self._board.mark()
        yield faces, self._fits and self._show(faces)
        self._board.hide(faces, mark)

    def grow(self, shown: Iterable[int], groups: Sequence[Group]) -> list[int] | None:
        """Add groups, by index, until the clues are enough; ``None`` when all are not.

        `Spare` says which.
        """
        spare = Spare(self._board, groups)
        added: list[int] = []
        with self._shown_meanwhile(shown) as (faces, solved):
            while not solved and (number := spare.take()) is not None:
                added.append(number)
                faces.extend(groups[number])
                solved = self._show(groups[number])
        return added if solved else None

    def approach(
        self, shown: Iterable[int], groups: Sequence[Group], most: int
    ) -> list[int] | None:
        """Add groups, by index, that decide something, while the clues are not enough.

        Those that would be enough are passed over, and no more than ``most`` clues are added.
        ``None`` when the clues shown are enough. About the time of solving the puzzle.

        >>> from linkoracle.deduce.board import standard_deck
        >>> full = Slitherlink([[3, 3], [2, 2]])
        >>> thinning = Thinning(full, deck=standard_deck(), without=(), max_depth=0)
        >>> thinning.approach([0], [[1], [2], [3]], 2), thinning.approach([0, 1], [[2], [3]], 2)
        ([], None)
        """
        board = self._board
        spare = Spare(board, groups)
        added: list[int] = []
        with self._shown_meanwhile(shown) as (faces, solved):
            while not solved and most and (number := spare.take(only_telling=True)) is not None:
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

    def thin(
        self,
        shown: Iterable[int],
        groups: Sequence[Group],
        known: Known | None = None,
        most: int | None = None,
    ) -> list[int]:
        """The groups, by index, that can go one after the other, out of the clues shown.

        All other clues are shown first. Then one half of the groups is asked about while the other
        is shown, and so on, so that what is deduced without either half is deduced once for both.
        Groups in ``known.needed`` are not asked about; it is told of each group that goes. When
        ``most`` have gone, no more are asked about.
        """
        board = self._board
        enough = len(groups) if most is None else most
        needed: set[int] = set() if known is None else set(known.needed)
        gone: set[int] = set()

        def showing(numbers: Iterable[int], part: Sequence[int]) -> None:
            """Decide on a part of the groups while others are shown."""
            stays = [number for number in part if number in needed]
            asked = [number for number in part if number not in needed]
            faces = [face for number in (*numbers, *stays) for face in groups[number]]
            if asked and len(gone) < enough:
                mark = board.mark()
                decide(asked, self._show(faces))
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

        asked = {face for group in groups for face in group}
        faces = [face for face in sorted(shown) if face not in asked]
        mark = board.mark()
        if self._fits and groups:
            self._show(faces)
            showing((), range(len(groups)))
        board.hide(faces, mark)
        return sorted(gone)
