"""`Board`: a puzzle in a notebook that is edited there while the engines look on."""

from __future__ import annotations

import asyncio
import threading
from functools import cache, partial
from typing import Any

from linkoracle.board.solution import Solution
from linkoracle.core.errors import MissingExtra, PuzzleError
from linkoracle.kinds import Puzzle, kind_named
from linkoracle.studio.boards import board_of, kinds, puzzle_of
from linkoracle.studio.bundle import STATIC, bundle
from linkoracle.studio.geometry import geometry
from linkoracle.studio.limits import Limits
from linkoracle.studio.workers import Worker

try:
    import anywidget
    import traitlets
except ModuleNotFoundError:
    raise MissingExtra("boards in notebooks", "notebook") from None


class Board(anywidget.AnyWidget):
    """A puzzle in a notebook, edited as on the page of the studio, with live answers as traits.

    * ``board``: the board as an object with ``kind``, ``rule``, ``rows``, ``cols``, ``cells`` and
      ``points``, in both directions; `puzzle` is the puzzle that it says;
    * ``status``: ``"none"``, ``"unique"`` or ``"many"`` solutions, ``"wrong"`` for a board that is
      no puzzle, ``""`` until it is known;
    * ``count``: how many solutions, ``None`` until it is known exactly;
    * ``answer``: all that is told of the board so far, as `linkoracle.studio.questions` has it.

    Questions are answered by a process of its own, which a newer change interrupts; `wait` waits
    for the answer (but not in an observer of these traits), `close` ends the process. Raises
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
        #: Observers of what is told may change the board at once.
        self._told = threading.RLock()
        self._ended = False
        super().__init__(board=board_of(puzzle), kinds=kinds(), looks=_looks())
        self.observe(lambda _: self._ask(), "board")
        self._ask()

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it is now; `PuzzleError` while the board is none."""
        return puzzle_of(self.board)

    @puzzle.setter
    def puzzle(self, puzzle: Puzzle) -> None:
        self.board = board_of(puzzle)

    @property
    def solution(self) -> Solution | None:
        """The only solution; ``None`` where there is none, or several, or it is not known yet."""
        for stage in self.answer["stages"]:
            if stage["stage"] == "status" and stage["lines"] is not None:
                return Solution(self.puzzle.board, tuple(stage["lines"]))
        return None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until all is told of the board; false after ``timeout`` seconds."""
        return self._done.wait(timeout)

    def close(self) -> None:
        """End what is going on, and take the board from the notebook."""
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
        with self._told:
            self._number += 1
            self._done.clear()
            self.answer = {"board": board, "stages": []}
            self.status, self.count = "", None
            _loop().call_soon_threadsafe(self._put, self._number, board)

    def _put(self, number: int, board: dict[str, Any]) -> None:
        """Ask a worker, in the loop of the workers."""
        if self._ended:
            return
        if self._worker is None:
            self._worker = Worker(self._limits)
        self._worker.ask(board, partial(self._hear, number))

    def _hear(self, number: int, stage: dict[str, Any]) -> None:
        """A stage of the answer has come, in the loop of the workers."""
        with self._told:
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
    """Where the parts of a board are that is not square; nothing for others, or if it is none."""
    try:
        if board.get("tiling") is None:
            return {}
        through_cells = kind_named(str(board.get("kind"))).through_cells
        told = geometry(board["tiling"], through_cells=through_cells)
    except (PuzzleError, TypeError):
        return {}
    return {**told, "tiling": board["tiling"]}


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """The loop in which workers are heard, in a thread of its own: a notebook may be busy."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop


@cache
def _looks() -> str:
    """The looks of the page, for a board that stands apart from the page that it is on."""
    page = (STATIC / "studio.css").read_text(encoding="utf-8")
    return page.replace(":root", ":host")
