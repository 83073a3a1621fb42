"""Counts over a blank board: residues modulo several primes, and the number that leaves them.

So many primes are taken that their product is larger than any answer can be (`bounds`). One more
prime has no part in the answer, and must agree with it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import Deadline, default_limit, processors
from linkoracle.frontier.blank.arrays import Allocate, in_folder, in_memory
from linkoracle.frontier.blank.board import BlankBoard
from linkoracle.frontier.blank.bounds import most_solutions
from linkoracle.frontier.blank.passes import BlankPass, Tables
from linkoracle.frontier.blank.primes import (
    enough_primes,
    from_residues,
    primes,
)
from linkoracle.frontier.running import Step, finished
from linkoracle.frontier.sharing import Threads

if TYPE_CHECKING:
    from linkoracle.frontier.blank.kept import KeptRow

Answer = TypeVar("Answer")

#: Words for which a second thread is worth the time to call it.
_MANY = 1 << 15


@dataclass(frozen=True)
class Residue:
    """One pass: of a board, modulo a prime, each vertex left out with a weight."""

    board: BlankBoard
    prime: int
    weight: int = 1


@dataclass(frozen=True)
class Question(Generic[Answer]):
    """What is asked of a board: passes, and how their residues give the answer."""

    board: BlankBoard
    #: A word for what is asked.
    name: str
    passes: list[Residue]
    answer: Callable[[list[int]], Answer]


def moduli(board: BlankBoard) -> list[int]:
    """The primes of a count; the last one checks the others.

    >>> len(moduli(BlankBoard(17, 17))), len(moduli(BlankBoard(17, 17, cover=True)))
    (5, 4)
    """
    bound = most_solutions(board.height, board.width, cover=board.cover, ends=board.ends)
    return list(islice(primes(), len(enough_primes(bound)) + 1))


def estimate(board: BlankBoard) -> float:
    """Seconds of processor time that a count will take, about: measured on a smaller board.

    Memory is slower than caches: a pass over 20x20 cells took a fifth more than this says.
    """
    trial = BlankBoard(14, 14)
    start = time.thread_time()
    finished(Runner(trial, threads=1).residues([Residue(trial, next(primes()))]))
    seconds = time.thread_time() - start
    return seconds * len(moduli(board)) * board.work / trial.work


class Runner:
    """Does passes over a board in this process, one after the other.

    Raises `MemoryLimit` for a board whose numbers do not fit into ``memory`` bytes, or, without a
    limit, into what the machine has left. With ``spill``, a folder, they are in files there
    (`RunError` if these do not fit), and only the tables in memory.
    """

    def __init__(
        self,
        board: BlankBoard,
        *,
        memory: int | None = None,
        threads: int | None = None,
        deadline: Deadline | None = None,
        spill: Path | None = None,
    ) -> None:
        self.board, self._deadline = board, deadline or Deadline(None)
        threads = 1 if board.words < _MANY else threads or processors()
        allowed = memory if memory is not None else 2 * default_limit()
        self.allocate: Allocate = in_memory if spill is None else partial(in_folder, spill)
        taken = board.bytes if spill is None else 0
        if taken > allowed:
            limit = "there is" if memory is None else f"the {allowed} allowed"
            raise MemoryLimit(
                f"a blank board of {board.height}x{board.width} vertices needs {board.bytes} bytes "
                f"for the numbers of {board.words} words, more than {limit}"
            )
        self._tables = Tables(board, threads, allowed - taken, self._deadline, self.allocate)

    def residues(
        self, jobs: list[Residue], kept: KeptRow | None = None
    ) -> Generator[Step, None, list[int]]:
        """The answer of each pass. Raises `SearchTimeout`.

        A single pass may be ``kept``: it goes on from there, and keeps rows there.
        """
        found: list[int] = []
        height = self.board.height
        for job in jobs:
            begun = None if kept is None else kept.load(self.allocate)
            going = BlankPass(self._tables, job.prime, job.weight, begun)
            # Once a terminal is met, words are another array, and these need no memory.
            del begun
            with Threads(self._tables.threads) as threads:
                while going.rows < height:
                    going.row(self._deadline, threads)
                    if kept is not None and going.rows < height:
                        kept.save(going.reached)
                    done = len(found) * height + going.rows
                    yield done, len(jobs) * height, self.board.words
            found.append(going.answer)
            # Its numbers go before those of the next pass come.
            del going
        return found

    def answer(self, question: Question[Answer]) -> Generator[Step, None, Answer]:
        """Answer a question, as work that says after each row of the board how far it is.

        >>> from linkoracle.frontier.running import finished
        >>> board = BlankBoard(9, 9)
        >>> finished(Runner(board).answer(solutions(board)))
        2318527339461265
        """
        return question.answer((yield from self.residues(question.passes)))


def solutions(board: BlankBoard) -> Question[int]:
    """How many solutions there are."""
    taken = moduli(board)
    jobs = [Residue(board, prime, int(not board.cover)) for prime in taken]
    return Question(board, "solutions", jobs, partial(checked_number, taken))


def checked_number(taken: list[int], residues: list[int]) -> int:
    """The number with these residues, of which the last one only checks."""
    number = from_residues(residues[:-1], taken[:-1])
    check(number % taken[-1] == residues[-1])
    return number


def check(agrees: bool) -> None:
    """Raise ``AssertionError`` if the residue that checks the others does not agree with them."""
    if not agrees:
        raise AssertionError(
            "the residues of a count contradict each other: a fault of the machine"
        )
