"""Long work: a progress bar, limits, several processes."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from linkoracle.board import Modelled, Solution, model_of
from linkoracle.cli.options import Reading, Searching
from linkoracle.cli.program import Named, report
from linkoracle.core import (
    NothingFound,
    NotSupported,
    Progress,
    SearchTimeout,
    declare,
    default_limit,
    importing,
    processors,
)
from linkoracle.engines import CountResult, schedule

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from linkoracle.kinds import Puzzle
    from linkoracle.render import Drawn

Answer = TypeVar("Answer")

#: Seconds before the bar is shown: most answers come sooner.
_BAR_DELAY = 1.0
#: Without --jobs, seconds of work in this process before others are started, which takes time.
_SERIAL_SECONDS = 1.0
#: Seconds after the time limit until it is enforced here; where it can, the library ends in time.
_GRACE = 0.2
#: Seconds between two attempts to interrupt: enough to clean up, if the first one was swallowed.
_RETRY_SECONDS = 3.0
#: Seconds of the longest time limit that is enforced here; longer limits are left to the library.
_LONGEST = 10.0**7


class Limit:
    """Record whether the time limit fired, even if the interrupted work still gave an answer."""

    over = False


class ProgressReporter:
    """Report the progress of work. Call it as a `Progress` with the message.

    On a terminal, a bar appears on standard error after a second; later messages appear at once.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        #: The last message.
        self.line = ""
        self.limit = Limit()
        self._share: float | None = None
        self._bar: Any = None
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None
        self._wait()

    def __call__(self, line: str, share: float | None = None) -> None:
        self.line, self._share = line, share
        self._update()

    def hide(self) -> None:
        """Hide the bar, since something is printed; the bar comes back after a second."""
        if self._timer is not None:
            self.close()
            self._wait()

    def close(self) -> None:
        """Remove the bar for good."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer, bar, self._bar = None, self._bar, None
            if bar is not None:
                bar.stop()

    def _wait(self) -> None:
        if sys.stderr.isatty():
            self._timer = threading.Timer(_BAR_DELAY, self._show)
            self._timer.daemon = True
            self._timer.start()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._timer is not threading.current_thread():
                return
            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
                # By default, standard output would be redirected to the console of the bar.
                redirect_stdout=False,
            )
            self._bar.add_task("", total=None)
            self._update()
            self._bar.start()

    def _update(self) -> None:
        with self._lock:
            if self._bar is not None:
                self._bar.update(
                    self._bar.task_ids[0],
                    description=f"{self.name}: {self.line}" if self.line else self.name,
                    total=None if self._share is None else 1,
                    completed=self._share or 0,
                )


@contextmanager
def working(name: str, timeout: float | None = None) -> Iterator[ProgressReporter]:
    """Show a progress bar and enforce a limit of ``timeout`` seconds.

    Work inside should check the limit, too; otherwise it is interrupted as by Ctrl-C. Either way
    `SearchTimeout` is raised, with the last progress; never while something compiles.
    """
    work = ProgressReporter(name)
    try:
        with time_limit(timeout) as work.limit:
            yield work
    except SearchTimeout as error:
        raise SearchTimeout(error.seconds, error.found, error.reached or work.line) from None
    finally:
        work.close()


@contextmanager
def time_limit(seconds: float | None) -> Iterator[Limit]:
    """Raise `SearchTimeout` after ``seconds`` of work inside: see `working`."""
    limit = Limit()
    main = threading.current_thread() is threading.main_thread()
    if seconds is None or seconds > _LONGEST or not main or not hasattr(signal, "setitimer"):
        yield limit
        return

    def ring(_number: int, frame: FrameType | None) -> None:
        if importing(frame):
            # An interrupted import would be as slow the next time.
            signal.setitimer(signal.ITIMER_REAL, _GRACE, _RETRY_SECONDS)
            return
        limit.over = True
        # Like Ctrl-C, which every part of this package can defer and handle.
        handler = signal.getsignal(signal.SIGINT)
        if callable(handler):
            handler(signal.SIGINT, frame)
        else:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE, _RETRY_SECONDS)
    try:
        yield limit
    except KeyboardInterrupt:
        if limit.over:
            raise SearchTimeout(seconds) from None
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def naming(entry: Named) -> Iterator[None]:
    """Put the name of a puzzle before the message if the puzzle cannot have what is requested."""
    try:
        yield
    except NotSupported as error:
        raise NotSupported(f"{entry.name}: {error}") from None
    except NothingFound as error:
        raise NothingFound(f"{entry.name}: {error}") from None


@dataclass(frozen=True)
class Spread:
    """Where work is done: in this process, in several, or on a cluster."""

    # Equal to `linkoracle.batch.MAX_WORKERS`, whose module would load multiprocessing.
    jobs: int | None = declare(None, "", least=1, most=1024)
    dask: str | None = declare(
        None,
        "Work on the workers of this Dask scheduler, such as tcp://10.0.0.1:8786 (needs the extra "
        "linkoracle[dask]).",
        form="ADDRESS",
    )

    def executor(self, *, alone: bool) -> AbstractContextManager[Executor | None]:
        """Return the requested executor; ``None`` is this process.

        Without ``jobs``, this process is used with ``alone``, else all processors if the work takes
        long. Raises `WorkersLost` when Dask cannot be reached.
        """
        if self.dask is not None:
            if self.jobs is not None:
                raise click.UsageError("--jobs is for this machine; it does not go with --dask")
            import logging

            from linkoracle.batch import Cluster

            # Errors of the cluster are reported in one line, if they matter, not in several logs.
            logging.disable(logging.CRITICAL)
            return Cluster(self.dask)
        workers = self.jobs or 1
        if self.jobs is None and not alone:
            workers = processors()
        if workers == 1:
            return nullcontext()
        from linkoracle.batch import Processes

        return Processes(workers, serial_seconds=0.0 if self.jobs else _SERIAL_SECONDS)


@dataclass(frozen=True)
class Stored:
    """The checkpoint file of a long run."""

    checkpoint: str | None = declare(None, "", form="FILE")
    resume: bool = declare(False, "Go on with the run in --checkpoint, if it exists.")

    def __post_init__(self) -> None:
        if self.resume and self.checkpoint is None:
            raise click.UsageError("--resume needs --checkpoint FILE")

    @property
    def path(self) -> Path | None:
        """The checkpoint file, for the library."""
        return None if self.checkpoint is None else Path(self.checkpoint)


#: The help of ``--timeout`` for commands with a checkpoint file.
STOP = "Stop after this time; what is in --checkpoint stays (exit status 3)."


def jobs_help(default: str) -> str:
    """Return the help of ``--jobs``."""
    return f"Work in N processes; the output is the same.  [default: {default}]"


@dataclass(frozen=True)
class Settings(Searching, Reading):
    """What to count for every puzzle, and within which limits."""

    limit: int | None = declare(
        None, "Stop at N solutions, and print N+ if there are more.", least=1
    )
    unique: bool = declare(False, "Exit 0 if every puzzle has exactly one solution, else 1.")
    show: bool = declare(False, "Draw the solutions counted.")

    def shared(self, workers: int) -> Settings:
        """Return the settings of each of ``workers`` processes, which share the free memory."""
        share = self.memory if self.memory is not None else max(default_limit() // workers, 1)
        return replace(self, memory=share)

    def count_result(self, puzzle: Modelled, progress: Progress | None = None) -> CountResult:
        """Count the solutions of a puzzle or a model within these limits."""
        return schedule.Query(
            model_of(puzzle), self.engine, self.timeout, self.memory, self.solver, progress
        ).count_result(self.limit, keep=self.show)


def checked(puzzle: Puzzle, found: Iterable[Solution]) -> list[Solution]:
    """Return the solutions to show, each checked against the rules of its kind.

    A wrong solution is a defect of linkoracle, or of a kind from elsewhere, and ends the program.
    """
    solutions = list(found)
    for solution in solutions:
        for fault in puzzle.violations(solution):
            raise AssertionError(f"an engine breaks a rule of {puzzle.kind}: {fault}")
    return solutions


class PuzzleJob(Generic[Answer]):
    """A query for each puzzle, answered in this process or, pickled, in another one."""

    #: Set in this process only.
    progress: Progress | None = None

    def __call__(self, puzzle: Puzzle) -> Answer:
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "progress"}


def _limited(job: PuzzleJob[Answer], timeout: float | None, puzzle: Puzzle) -> Any:
    """Return the answer, or the `SearchTimeout`, in whatever process."""
    try:
        with time_limit(timeout):
            return job(puzzle)
    except SearchTimeout as error:
        return error


def answered(
    job: PuzzleJob[Answer],
    named: Sequence[Named],
    executor: Executor | None,
    timeout: float | None = None,
) -> Generator[tuple[Named, Answer | SearchTimeout], None, None]:
    """Yield each puzzle with its answer, in order; show a bar while no answer is there.

    A puzzle that takes longer than ``timeout`` gets a `SearchTimeout`, and an error line.
    """
    if executor is None:
        for entry in named:
            answer: Answer | SearchTimeout
            try:
                with working(entry.name, timeout) as job.progress:
                    answer = job(entry.puzzle)
            except SearchTimeout as error:
                report(f"error: {entry.name}: {error}")
                answer = error
            yield entry, answer
        return
    from linkoracle.batch import ordered

    done = 0
    with working(f"{len(named)} puzzles") as work:

        def show(line: str = "", _share: float | None = None) -> None:
            work(f"{done} answered{line and ', '}{line}", done / len(named))

        job.progress = show
        puzzles = (entry.puzzle for entry in named)
        limited = partial(_limited, job, timeout)
        with closing(ordered(executor, limited, puzzles, waiting=show)) as answers:
            for entry, answer in zip(named, answers, strict=True):
                done += 1
                work.hide()
                if isinstance(answer, SearchTimeout):
                    report(f"error: {entry.name}: {answer}")
                yield entry, answer
                show()


def drawing(puzzle: Puzzle, solution: Drawn | None, *, ascii_only: bool) -> str:
    """Return a drawing for standard output: in ASCII if requested, or if it cannot say others."""
    from linkoracle.render import draw

    if not ascii_only:
        drawn = draw(puzzle, solution)
        try:
            drawn.encode(sys.stdout.encoding or "ascii")
        except (LookupError, UnicodeEncodeError):
            # A stream in ASCII has a name that is no encoding: see `program`.
            return draw(puzzle, solution, ascii_only=True)
        return drawn
    return draw(puzzle, solution, ascii_only=True)
