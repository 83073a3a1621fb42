"""`Task`: something that the page wants made, its values checked where they are read."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

from linkoracle.board.solution import Solution
from linkoracle.core.errors import (
    LinkOracleError,
    NothingFound,
    PuzzleError,
    SearchTimeout,
    counted,
)
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import seed_or_fresh
from linkoracle.formats.json_values import Members
from linkoracle.kinds import Puzzle
from linkoracle.session import Session
from linkoracle.studio.boards import MAX_SIDE, board_of, check_size, places, puzzle_of
from linkoracle.studio.limits import Limits, Tell

#: Seconds that a task takes at most, unless it says how many.
USUAL = 60
#: The greatest seed: greater numbers are no whole numbers to the page.
MAX_SEED = 2**53 - 1
#: Seconds between two signs that something goes on.
_TICK = 0.1


class Task(Members):
    """A task as the page tells it: an object with ``what``, and what that needs.

    `PuzzleError` wherever a value is not as it must be.
    """

    def __init__(self, asked: object, limits: Limits, tell: Tell) -> None:
        if not isinstance(asked, dict):
            raise PuzzleError("expected a task as an object")
        self.members = asked
        #: What the answer should tell besides: the seed, if there was a need of one.
        self.used: dict[str, int] = {}
        self._tell, self._told = tell, 0.0
        self.memory = limits.memory
        most = int(limits.making)
        self.limit = self.number("seconds", most=most) or min(USUAL, most)
        self.deadline = Deadline(self.limit)

    def fail(self, reason: str) -> NoReturn:
        """Raise `PuzzleError`."""
        raise PuzzleError(reason) from None

    def seed(self) -> int:
        """The ``seed`` that is said, or a new one; `used` tells it."""
        if "seed" not in self.used:
            self.used["seed"] = seed_or_fresh(self.number("seed", least=0, most=MAX_SEED))
        return self.used["seed"]

    def rows_and_cols(self, most: int = MAX_SIDE) -> tuple[int, int]:
        """The ``rows`` and ``cols``, at most so many of each."""
        rows, cols = self.number("rows", most=most), self.number("cols", most=most)
        if rows is None or cols is None:
            raise PuzzleError("expected rows and columns")
        check_size(rows, cols)
        return rows, cols

    def how(self) -> dict[str, Any]:
        """How makers are to work: the seed, and `within_time`."""
        return {"seed": self.seed(), **self.within_time()}

    def within_time(self) -> dict[str, Any]:
        """The time limit of a maker, and what is told and shown on the way."""
        return {"timeout": self.deadline.left, "progress": self.progress, "preview": self.preview}

    @cached_property
    def puzzle(self) -> Puzzle:
        """The board that the task is about."""
        return puzzle_of(self.members.get("board"))

    def only_solution(self, session: Session, reason: str = "") -> Solution:
        """The only solution of a board; `PuzzleError` unless there is one."""
        verdict = session.ask(timeout=self.deadline.left)
        if not verdict.unique:
            raise PuzzleError(reason or "expected a board with one solution")
        return verdict.solutions[0]

    def progress(self, words: str, share: float | None = None) -> None:
        """Tell what goes on, and how much of it is done where that is known; not too often."""
        now = time.monotonic()
        if now - self._told > _TICK:
            self._told = now
            self._tell({"stage": "going", "words": words, "share": share})

    def preview(self, puzzle: Puzzle, solution: Solution) -> None:
        """Show the page what a maker has so far."""
        lines = list(solution.edges)
        self._tell({"stage": "shown", "board": board_of(puzzle), "lines": lines})


@dataclass(frozen=True)
class Outcome:
    """A puzzle, its only solution unless it has several, and what there is to say of both."""

    puzzle: Puzzle
    solution: Solution | None
    words: str

    def told(self) -> dict[str, Any]:
        """What the page is told of it."""
        lines = None if self.solution is None else list(self.solution.edges)
        return {"board": board_of(self.puzzle), "lines": lines, "words": self.words}


#: What comes of a task.
Done = Outcome | dict[str, Any]


class Tasks:
    """Does one task after the other: functions by the names that tasks have as ``what``."""

    def __init__(self, limits: Limits, every: Mapping[str, Callable[[Task], Done]]) -> None:
        self._limits, self._every = limits, every

    def answer(self, question: object, tell: Tell) -> None:
        """Do a task, and tell how it goes. Whatever the task is, this raises nothing."""
        try:
            task = Task(question, self._limits, tell)
            work = self._every[task.word("what", self._every)]
            try:
                done = work(task)
            except (NothingFound, SearchTimeout) as error:
                if error.nearest is not None:
                    tell({"stage": "failed", **_near(error.nearest)})
                    return
                if isinstance(error, NothingFound):
                    raise
                # What was left when a step began is not what was said.
                reached = error.reached and f": {error.reached}"
                found = f"nothing was found in {task.limit} s{reached}"
                raise PuzzleError(f"{found}. Raise the time limit, or request less") from None
            told = done.told() if isinstance(done, Outcome) else done
            tell({"stage": "made", **told, **task.used})
        except MemoryError:
            tell({"stage": "failed", "reason": "it takes too much memory"})
        except (LinkOracleError, ValueError) as error:
            # Makers tell by a ValueError that wishes make no sense. What others advise are
            # arguments that the page has not.
            said = error.reason if isinstance(error, PuzzleError | NothingFound) else str(error)
            tell({"stage": "failed", "reason": said.rstrip(".")})
        finally:
            tell({"stage": "done"})


def _near(made: Any) -> dict[str, Any]:
    """Why a mask is not filled, and the nearest puzzle, which has clues in more cells."""
    extra = places(made.puzzle, made.extra)
    more = counted(len(extra), "more clue")
    reason = f"no loop was found that these places alone decide. The nearest puzzle has {more}"
    nearest = Outcome(made.puzzle, made.solution, f"{more} than marked")
    return {"reason": reason, "nearest": {**nearest.told(), "extra": extra}}
