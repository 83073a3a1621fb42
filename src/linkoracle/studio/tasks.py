"""`Request` and `Task`: what the page sends; values are checked where they are read; `Limits`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

from linkoracle.board import Solution
from linkoracle.core import (
    Deadline,
    LinkOracleError,
    NothingFound,
    PuzzleError,
    SearchTimeout,
    counted,
    seed_or_fresh,
)
from linkoracle.formats import Members
from linkoracle.kinds import Puzzle
from linkoracle.session import Session
from linkoracle.solving import confirm
from linkoracle.studio.boards import MAX_SIDE, board_of, check_size, places, puzzle_of

#: Time limit of a task without ``seconds``.
DEFAULT_SECONDS = 60
#: The greatest seed: JavaScript has no exact greater integers.
MAX_SEED = 2**53 - 1
#: Seconds between two progress reports.
_TICK_SECONDS = 0.1


#: Receives each stage of an answer.
Report = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Limits:
    """Time limits in seconds for each stage and for generators, and bytes for diagrams.

    With 0 seconds for ``grade``, nothing is graded.
    """

    status: float = 20.0
    forced: float = 5.0
    count: float = 30.0
    shares: float = 15.0
    values: float = 10.0
    redundant: float = 10.0
    conflict: float = 10.0
    grade: float = 10.0
    making: float = 600.0
    #: Where a count of solutions stops; ``None`` for an exact count.
    solutions: int | None = None
    memory: int = 1 << 30


class Request(Members):
    """An object of JSON that the page sends. Raise `PuzzleError` for any invalid value."""

    def __init__(self, members: object) -> None:
        if not isinstance(members, dict):
            self.fail("expected an object")
        self.members = members

    def fail(self, reason: str) -> NoReturn:
        """Raise `PuzzleError`."""
        raise PuzzleError(reason) from None

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle on the ``board``."""
        return puzzle_of(self.members.get("board"))


class Task(Request):
    """A task: a request with ``what``, and the members that this task needs."""

    def __init__(self, members: object, limits: Limits, report: Report) -> None:
        super().__init__(members)
        #: Members that the answer adds: the seed, if the task used one.
        self.used: dict[str, int] = {}
        self._report, self._reported = report, 0.0
        self.memory = limits.memory
        most = int(limits.making)
        self.limit = self.number("seconds", most=most) or min(DEFAULT_SECONDS, most)
        self.deadline = Deadline(self.limit)

    def seed(self) -> int:
        """Return the given ``seed``, or a new one, and record it in `used`."""
        if "seed" not in self.used:
            self.used["seed"] = seed_or_fresh(self.number("seed", least=0, most=MAX_SEED))
        return self.used["seed"]

    def rows_and_cols(self, most: int = MAX_SIDE) -> tuple[int, int]:
        """Return ``rows`` and ``cols``, each at most ``most``."""
        rows, cols = self.number("rows", most=most), self.number("cols", most=most)
        if rows is None or cols is None:
            self.fail("expected rows and columns")
        check_size(rows, cols)
        return rows, cols

    def how(self) -> dict[str, Any]:
        """Return the arguments of a generator: the seed, and those of `within_time`."""
        return {"seed": self.seed(), **self.within_time()}

    def within_time(self) -> dict[str, Any]:
        """Return the time limit of a generator, and the functions that receive its progress."""
        return {"timeout": self.deadline.left, "progress": self.progress, "preview": self.preview}

    def only_solution(self, session: Session, reason: str = "") -> Solution:
        """Return the only solution of a board; raise `PuzzleError` unless it is unique."""
        verdict = session.ask(timeout=self.deadline.left)
        if not verdict.unique:
            raise PuzzleError(reason or "expected a board with one solution")
        return verdict.solutions[0]

    def progress(self, words: str, share: float | None = None) -> None:
        """Report the current step, and the ``share`` of it that is done if known; not too often."""
        now = time.monotonic()
        if now - self._reported > _TICK_SECONDS:
            self._reported = now
            self._report({"stage": "going", "words": words, "share": share})

    def preview(self, puzzle: Puzzle, solution: Solution) -> None:
        """Show the page the puzzle that a generator has so far."""
        lines = list(solution.edges)
        self._report({"stage": "shown", "board": board_of(puzzle), "lines": lines})


@dataclass(frozen=True)
class Outcome:
    """A puzzle, its only solution (``None`` if it has several), and a message about both."""

    puzzle: Puzzle
    solution: Solution | None
    words: str

    def event(self) -> dict[str, Any]:
        """Return the members of the event for the page."""
        lines = None if self.solution is None else list(self.solution.edges)
        return {"board": board_of(self.puzzle), "lines": lines, "words": self.words}


#: The result of a task.
Done = Outcome | dict[str, Any]


class Tasks:
    """Do one task after another: ``every`` has their functions, by the ``what`` of tasks."""

    def __init__(self, limits: Limits, every: Mapping[str, Callable[[Task], Done]]) -> None:
        self._limits, self._every = limits, every

    def answer(self, members: object, report: Report) -> None:
        """Do a task, and report its stages. Raise nothing, whatever the task is."""
        try:
            task = Task(members, self._limits, report)
            work = self._every[task.word("what", self._every)]
            try:
                done = work(task)
            except (NothingFound, SearchTimeout) as error:
                if error.nearest is not None:
                    report({"stage": "failed", **_near(error)})
                    return
                if isinstance(error, NothingFound):
                    raise
                # The error has the seconds that were left for its step, not those of the task.
                reached = error.reached and f": {error.reached}"
                found = f"nothing was found in {task.limit} s{reached}"
                raise PuzzleError(f"{found}. Raise the time limit, or request less") from None
            if isinstance(done, Outcome) and done.solution is not None:
                # Most tasks have checked it.
                confirm(done.puzzle, done.solution, afresh=False)
            event = done.event() if isinstance(done, Outcome) else done
            report({"stage": "made", **event, **task.used})
        except MemoryError:
            report({"stage": "failed", "reason": "it takes too much memory"})
        except (LinkOracleError, ValueError) as error:
            # Generators raise ValueError for contradictory options. Messages of other errors advise
            # arguments that the page does not have.
            reason = error.reason if isinstance(error, PuzzleError | NothingFound) else str(error)
            report({"stage": "failed", "reason": reason.rstrip(".")})
        finally:
            report({"stage": "done"})


def _near(error: Any) -> dict[str, Any]:
    """Return why no puzzle fits a design, and the nearest: with more clues, or another loop."""
    made = error.nearest
    extra = places(made.puzzle, made.extra)
    if extra:
        has = counted(len(extra), "more clue")
        reason, words = "found no puzzle with clues in these cells only", f"{has} than marked"
    else:
        has = words = "another loop"
        reason = error.reason.rstrip(".")
    nearest = Outcome(made.puzzle, made.solution, words)
    reason = f"{reason}. The nearest puzzle has {has}"
    return {"reason": reason, "nearest": {**nearest.event(), "extra": extra}}
