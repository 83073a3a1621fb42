"""`Watching`: show the puzzle several times a second while it is generated."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.kinds import Puzzle

#: Called with a puzzle in progress and its target solution.
Preview = Callable[["Puzzle", "Solution"], object]

#: Seconds between two previews, and before the first: fast puzzles are not shown.
_PAUSE = 0.2


class Watching:
    """Passes previews on, at most one in each interval, if there is a function for them.

    >>> from linkoracle import Slitherlink, Solution
    >>> shown = []
    >>> watching = Watching(lambda puzzle, line: shown.append(line.edges), pause=0)
    >>> board = Slitherlink.blank(1, 1)
    >>> watching.show(lambda: (board, Solution(board.lattice, (0, 1, 2, 3))))
    >>> shown
    [(0, 1, 2, 3)]
    """

    def __init__(self, preview: Preview | None = None, pause: float = _PAUSE) -> None:
        self._preview, self._pause = preview, pause
        self._last = time.monotonic()

    def show(self, look: Callable[[], tuple[Puzzle, Solution]], *, now: bool = False) -> None:
        """Show a puzzle and its solution; calls ``look`` only if a preview is due, or ``now``."""
        due = now or time.monotonic() - self._last >= self._pause
        if self._preview is not None and due:
            self._preview(*look())
            self._last = time.monotonic()
