"""`Board`: a puzzle that is edited in a notebook while the engines analyse it."""

from __future__ import annotations

import asyncio
import threading
from functools import cache, partial
from typing import Any

from linkoracle.board import Solution
from linkoracle.core import MissingExtra, PuzzleError
from linkoracle.kinds import Puzzle, kind_named
from linkoracle.studio.boards import board_of, kinds, puzzle_of
from linkoracle.studio.bundle import STATIC, bundle
from linkoracle.studio.tasks import Limits
from linkoracle.studio.texts import geometry, words_asked
from linkoracle.studio.workers import Worker

try:
    import anywidget
    import traitlets
except ModuleNotFoundError:
    raise MissingExtra("boards in notebooks", "notebook") from None


class Board(anywidget.AnyWidget):
    """A puzzle in a notebook, edited as on the page of the studio, with live answers as traits.

    * ``board``: the board as an object with ``kind``, ``variant``, ``rows``, ``cols``, ``cells``
      and ``points``, in both directions; `puzzle` is the puzzle on this board;
    * ``status``: ``"none"``, ``"unique"`` or ``"many"`` solutions, ``"wrong"`` for an invalid
      board, ``""`` until the status is known;
    * ``count``: the number of solutions, ``None`` until it is known exactly;
    * ``answer``: all stages of the analysis so far, as in `linkoracle.studio.analysis`.

    Each board has a process that analyses it, and that a newer change interrupts. `wait` waits for
    the answer (but not in an observer of these traits); `close` ends the process. Raises
    `PuzzleError` for a puzzle that is too large for the page.

    Needs the extra ``notebook``.

    >>> from linkoracle import Slitherlink
    >>> from linkoracle.studio import Board
    >>> shown = Board(Slitherlink([[3, 3], [1, 1]]))
    >>> shown.wait(60)
    True
    >>> shown.status, shown.count, len(shown.solution.edges)
    ('unique', 1, 6)
    >>> shown.close()
    """

    _esm = bundle("widget")

    board = traitlets.Dict().tag(sync=True)
    kinds: traitlets.List[Any] = traitlets.List().tag(sync=True)
    looks = traitlets.Unicode().tag(sync=True)
    geometry = traitlets.Dict().tag(sync=True)
    answer = traitlets.Dict().tag(sync=True)
    status = traitlets.Unicode("")
    count = traitlets.Any(None, allow_none=True)

    def __init__(self, puzzle: Puzzle, limits: Limits | None = None) -> None:
        self._limits = limits
        self._worker: Worker | None = None
        self._number = 0
        self._done = threading.Event()
        #: Reentrant, since an observer of the answer may change the board at once.
        self._lock = threading.RLock()
        self._ended = False
        super().__init__(board=board_of(puzzle), kinds=kinds(), looks=_looks())
        self.observe(lambda _: self._ask(), "board")
        self._ask()

    def __reduce__(self) -> tuple[Any, ...]:
        # The copy analyses the board in a process of its own.
        return type(self), (self.puzzle, self._limits)

    @property
    def puzzle(self) -> Puzzle:
        """The current puzzle; raises `PuzzleError` while the board is invalid."""
        return puzzle_of(self.board)

    @puzzle.setter
    def puzzle(self, puzzle: Puzzle) -> None:
        self.board = board_of(puzzle)

    @property
    def solution(self) -> Solution | None:
        """The only solution; ``None`` if there is none, or several, or as long as it is unknown."""
        for stage in self.answer["stages"]:
            if stage["stage"] == "status" and stage["lines"] is not None:
                return Solution(self.puzzle.board, tuple(stage["lines"]))
        return None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the answer is complete; return false after ``timeout`` seconds."""
        return self._done.wait(timeout)

    def close(self) -> None:
        """End the process, and remove the board from the notebook."""
        self._ended = True
        _loop().call_soon_threadsafe(self._end)
        super().close()

    def _end(self) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _ask(self) -> None:
        board = dict(self.board)
        self.geometry = _geometry(board)
        with self._lock:
            self._number += 1
            self._done.clear()
            self.answer = {"board": board, "stages": []}
            self.status, self.count = "", None
            _loop().call_soon_threadsafe(self._put, self._number, board)

    def _put(self, number: int, board: dict[str, Any]) -> None:
        """Send a board to the worker, in the loop of the workers."""
        if self._ended:
            return
        if self._worker is None:
            self._worker = Worker(self._limits)
        self._worker.ask(board, partial(self._hear, number))

    def _hear(self, number: int, stage: dict[str, Any]) -> None:
        """Receive a stage of the answer, in the loop of the workers."""
        with self._lock:
            if number != self._number:
                return
            name = stage["stage"]
            if name in ("status", "wrong"):
                self.status = stage.get("status", "wrong")
            if name == "count" and stage["exact"]:
                self.count = int(stage["count"])
            self.answer = {**self.answer, "stages": [*self.answer["stages"], stage]}
            if name in ("done", "lost", "wrong"):
                self._done.set()


def _geometry(board: dict[str, Any]) -> dict[str, Any]:
    """Return the geometry of a board, with its words as ``board``; empty if it is invalid."""
    try:
        words = words_asked(board)
        kind = kind_named(str(board.get("kind")))
        found = geometry(words, through_cells=kind.through_cells, diagonal=kind.diagonal)
    except (PuzzleError, TypeError):
        return {}
    return {**found, "board": words, "diagonal": kind.diagonal}


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of the workers, in a separate thread since a notebook may be busy."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop


@cache
def _looks() -> str:
    """Return the style sheet of the page, for a board in a shadow tree of another page."""
    page = (STATIC / "studio.css").read_text(encoding="utf-8")
    return page.replace(":root", ":host")
