"""What a caller of the generator may say about the puzzles that it wants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, runtime_checkable

from linkoracle.puzzles import Slitherlink

#: Says of a puzzle with one solution whether it is still as wanted.
Keeps = Callable[[Slitherlink], bool]
#: Faces whose clues come and go together.
Group = tuple[int, ...]


class Known(Protocol):
    """What is known of the groups that cannot go, whatever the grade."""

    needed: set[int]

    def remove(self, group: int) -> Iterable[int]:
        """Take note that a group is gone; the groups that are needed from now on."""


class Clues(Protocol):
    """The clues of one full board under a `Graded`; see `linkoracle.deduce.thinning.Thinning`."""

    def passes(self, shown: Iterable[int]) -> bool:
        """Whether the clues of these faces are enough."""

    def grow(self, shown: Iterable[int], groups: Sequence[Group]) -> list[int] | None:
        """Groups, by index, that make the clues shown enough; ``None`` when all do not."""

    def thin(self, shown: Iterable[int], groups: Sequence[Group], known: Known) -> list[int]:
        """The groups, by index, that can go one after the other; all that are not ``known``."""


@runtime_checkable
class Graded(Protocol):
    """A hook that is monotone: what passes has one solution, and passes with more clues, too.

    Therefore it can be asked in other ways than puzzle by puzzle.
    """

    def __call__(self, puzzle: Slitherlink) -> bool:
        """Whether the puzzle is as wanted."""

    def clues(self, full: Slitherlink, tick: Callable[[], None]) -> Clues | None:
        """The same for all puzzles with the clues of ``full`` but some; ``None``: not monotone.

        ``tick`` is called often, and raises where time is up.
        """
