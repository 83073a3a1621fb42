"""`Thinning`: which clues of a puzzle suffice for a solution by deduction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from linkoracle.core.limits import Deadline
from linkoracle.deduce.board import DeductionState
from linkoracle.deduce.deck import Deck
from linkoracle.kinds import Slitherlink

#: Groups out of which the one is added that decides the most edges.
_COMPARED = 8
#: Faces whose clues are added and removed together.
Group = Sequence[int]


class Known(Protocol):
    """Groups that are known to be needed, by index, whatever the techniques."""

    needed: set[int]

    def remove(self, group: int) -> Iterable[int]:
        """Record that a group is removed; return the groups that are needed from now on."""


def spare(
    board: DeductionState, groups: Sequence[Group], *, only_telling: bool = False
) -> Iterator[int]:
    """Yield groups of clues, by index, to be added where deduction is stuck, while one is left.

    Groups that decide edges at once come first: of the first few, that which decides the most.
    With ``only_telling`` there are no others. Apart from that, earlier groups come first.
    """
    left = dict(enumerate(groups))
    # The number of lines that the clue requires.
    counts = [mask.bit_length() - 1 for mask in board.model.faces]
    while True:
        around = [*zip(counts, *board.face_counts(), strict=True)]
        waiting: int | None = None
        best, most, told = None, 0, 0
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
            told += decided > 0
            if told == _COMPARED:
                break
        found = best if best is not None or only_telling else waiting
        if found is None:
            return
        del left[found]
        yield found


class Thinning:
    """The clues of a puzzle, some of them shown; faces are numbered row by row.

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

        At the end of the block they are hidden, and so are faces appended to the list.
        """
        faces = sorted(shown)
        mark = self._board.mark()
        yield faces, self._fits and self._show(faces)
        self._board.hide(faces, mark)

    def grow(
        self, shown: Iterable[int], groups: Sequence[Group], goal: int | None = None
    ) -> list[int] | None:
        """Add groups, by index, until the clues suffice; ``None`` if all together do not.

        `spare` gives their order. With a ``goal``, then remove those that are redundant, while
        there are more clues than that.
        """
        board = self._board
        others = spare(board, groups)
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
                # The last one was not redundant.
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

        >>> from linkoracle.deduce.board import standard_deck
        >>> full = Slitherlink([[3, 3], [2, 2]])
        >>> thinning = Thinning(full, deck=standard_deck(), without=(), max_depth=0)
        >>> thinning.approach([0], [[1], [2], [3]], 2), thinning.approach([0, 1], [[2], [3]], 2)
        ([], None)
        """
        board = self._board
        others = spare(board, groups, only_telling=True)
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

    def thin(
        self,
        shown: Iterable[int],
        groups: Sequence[Group],
        known: Known | None = None,
        most: int | None = None,
    ) -> list[int]:
        """Return the groups, by index, that are redundant one after the other.

        All other clues are shown first. Then each half of the groups is tried while the other half
        is shown, recursively, so deductions without either half are shared. Groups in
        ``known.needed`` are not tried; ``known`` is notified of each group removed. Stops after
        ``most`` groups.
        """
        board = self._board
        tried = {face for group in groups for face in group}
        faces = [face for face in sorted(shown) if face not in tried]
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
        """Return the groups that are redundant, as `thin` does, beside the clues that are shown."""
        board = self._board
        gone: set[int] = set()

        def showing(numbers: Iterable[int], part: Sequence[int]) -> None:
            """Decide a part of the groups while others are shown."""
            stays = [number for number in part if number in needed]
            tried = [number for number in part if number not in needed]
            faces = [face for number in (*numbers, *stays) for face in groups[number]]
            if tried and len(gone) < enough:
                mark = board.mark()
                decide(tried, self._show(faces))
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
