"""`Service`: answers about boards of strangers, for a web server; `Limits` on each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

from linkoracle import deduce
from linkoracle.batch import Processes
from linkoracle.core import (
    MemoryLimit,
    PuzzleError,
    SearchTimeout,
    WorkersLost,
    checked_int,
    checked_memory,
    checked_seconds,
)
from linkoracle.engines import CountResult, Verdict
from linkoracle.formats import read
from linkoracle.kinds import Puzzle
from linkoracle.solving import count_result, decide

#: Seconds that a process may take beyond the time limit before it is ended.
_GRACE = 2.0
#: Bytes of a process without any work: Python, and the libraries that it loads.
_ROOM = 1 << 30


@dataclass(frozen=True)
class Limits:
    """What one answer about an untrusted board may take; ``None`` is no limit.

    ``seconds`` of time; ``memory`` in bytes, beside what a process needs anyway; ``cells`` of the
    board. Raises ``ValueError`` unless they are positive.
    """

    seconds: float | None = 10.0
    memory: int | None = 1 << 30
    cells: int | None = 2_500

    def __post_init__(self) -> None:
        checked_seconds(self.seconds)
        checked_memory(self.memory)
        if self.cells is not None:
            checked_int(self.cells, "a limit of cells", 1)


class Service:
    """Answers about puzzles in other processes, which a web server can await.

    A puzzle is a `Puzzle`, or a text in any format. Every answer keeps to ``limits``: a board that
    is too large raises `PuzzleError` before it is stated, and a process that does not end in time
    is ended. ``workers`` is the number of processes. Use it as a context manager, or call `close`.

    Methods raise `FormatError` for a text that is no puzzle, `SearchTimeout`, `MemoryLimit`, and
    `WorkersLost` if a process died twice on a puzzle. A call that is cancelled before a process
    takes it up is not answered.

    >>> async def answer() -> tuple[str, int]:
    ...     async with Service(1, Limits(seconds=20, cells=100)) as service:
    ...         verdict = await service.decide("slitherlink\\n33\\n11\\n")
    ...         return verdict.status, (await service.count("slitherlink\\n...\\n...\\n")).count
    >>> asyncio.run(answer())           # doctest: +SKIP
    ('unique', 39)
    """

    def __init__(self, workers: int = 1, limits: Limits = Limits()) -> None:
        self.limits = limits
        self._processes = Processes(workers)
        self._room = asyncio.Semaphore(workers)

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy has processes of its own; the loop that awaits these is not copied.
        rest = {"_processes": self._processes}
        return type(self), (self._processes.workers, self.limits), rest

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all processes, in the middle of their work."""
        self._processes.shutdown(cancel_futures=True)

    async def decide(self, puzzle: Puzzle | str) -> Verdict:
        """Decide whether there is no solution, one, or more: see `linkoracle.decide`."""
        verdict: Verdict = await self._answer(decide, puzzle)
        return verdict

    async def count(self, puzzle: Puzzle | str, limit: int | None = None) -> CountResult:
        """Count solutions up to ``limit``: see `linkoracle.count_result`."""
        result: CountResult = await self._answer(count_result, puzzle, limit=limit)
        return result

    async def grade(self, puzzle: Puzzle | str) -> deduce.Grade:
        """Grade a puzzle for players: see `linkoracle.grade`."""
        grade: deduce.Grade = await self._answer(deduce.grade, puzzle)
        return grade

    async def _answer(self, ask: Callable[..., Any], puzzle: Puzzle | str, **how: Any) -> Any:
        seconds = self.limits.seconds
        job = partial(_answered, ask, puzzle, self.limits, how)
        for _ in range(2):
            # Time starts when a process is free.
            async with self._room:
                future = asyncio.wrap_future(self._processes.submit(job))
                until = None if seconds is None else seconds + _GRACE
                try:
                    return await asyncio.wait_for(future, until)
                except TimeoutError:
                    self._renew()
                    assert seconds is not None
                    raise SearchTimeout(seconds) from None
                except (BrokenExecutor, asyncio.CancelledError) as error:
                    task = asyncio.current_task()
                    if isinstance(error, asyncio.CancelledError) and task and task.cancelling():
                        raise
        raise WorkersLost("a process died twice on this puzzle")

    def _renew(self) -> None:
        """End all processes; others take up what they were at."""
        processes, self._processes = self._processes, Processes(self._processes.workers)
        processes.shutdown(cancel_futures=True)


def _answered(
    ask: Callable[..., Any], puzzle: Puzzle | str, limits: Limits, how: dict[str, Any]
) -> Any:
    """Answer in a process of a service."""
    if limits.memory is not None:
        _limit_addresses(limits.memory + _ROOM)
    if isinstance(puzzle, str):
        puzzle = read(puzzle)
    if limits.cells is not None and puzzle.faces.num_faces > limits.cells:
        raise PuzzleError(f"expected a board of at most {limits.cells} cells, found {puzzle.size}")
    if ask is not deduce.grade:
        how = {**how, "memory": limits.memory}
    try:
        return ask(puzzle, timeout=limits.seconds, **how)
    except MemoryError as error:
        if isinstance(error, MemoryLimit):
            raise
        raise MemoryLimit("the process of this answer is out of memory") from None


def _limit_addresses(size: int) -> None:
    """Limit the address space of this process, where the system can."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or size <= most:
        resource.setrlimit(resource.RLIMIT_AS, (size, most))
