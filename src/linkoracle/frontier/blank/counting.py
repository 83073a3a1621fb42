"""Count on a blank board modulo several primes, and find the number with these residues.

The product of the primes exceeds an upper bound of the answer (`most_solutions`). One more prime
checks the result. Residues modulo primes determine numbers, and values determine polynomials.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import prod
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from linkoracle.core import Deadline, MemoryLimit, default_limit, processors, shown_size
from linkoracle.frontier.blank.board import BlankBoard, Shape
from linkoracle.frontier.blank.passes import (
    Allocate,
    BlankPass,
    Row,
    Tables,
    TrackPass,
    TrackTables,
    in_folder,
    in_memory,
)
from linkoracle.frontier.blank.tracks import AnyBoard, TrackBoard, triangle
from linkoracle.frontier.running import Step, Threads, finished

Answer = TypeVar("Answer")

#: The height and the width of boards that `estimate` measures, and the side of a triangular one.
_TRIALS = {Shape.SQUARES: (14, 14), Shape.HONEYCOMB: (28, 14), Shape.CYLINDER: (13, 13)}
_TRIAL_SIDE = 13
#: The fewest words for which a second thread pays off.
_LEAST_SHARED_WORDS = 1 << 15


@dataclass(frozen=True)
class Residue:
    """One pass over a board, modulo a prime, with a weight for each unused vertex."""

    board: AnyBoard
    prime: int
    weight: int = 1


@dataclass(frozen=True)
class CountPlan(Generic[Answer]):
    """A count on a board: the passes, and the function from their residues to the answer."""

    board: AnyBoard
    #: The name of the count.
    name: str
    passes: list[Residue]
    answer: Callable[[list[int]], Answer]


def moduli(board: AnyBoard) -> list[int]:
    """Return the primes of a count; the last one checks the others.

    >>> len(moduli(BlankBoard(17, 17))), len(moduli(BlankBoard(17, 17, cover=True)))
    (5, 4)
    """
    return checked_primes(board.most_solutions)


def estimate(board: AnyBoard) -> float:
    """Estimate the processor time of a count in seconds, measured on a smaller board.

    Memory is slower than caches: a pass over 20x20 cells took a fifth more than estimated.
    """
    trial: AnyBoard = triangle(_TRIAL_SIDE)
    if not isinstance(board, TrackBoard):
        trial = BlankBoard(*_TRIALS[board.shape], shape=board.shape)
    start = time.thread_time()
    finished(Runner(trial, threads=1).residues([Residue(trial, next(primes()))]))
    seconds = time.thread_time() - start
    return seconds * len(moduli(board)) * board.work / trial.work


class Kept(Protocol):
    """A checkpoint of a pass: see `linkoracle.frontier.blank.units.RowCheckpoint`."""

    def load(self, allocate: Allocate) -> Row | None: ...

    def save(self, row: Row) -> None: ...


class Runner:
    """Runs passes over a board in this process, one after the other.

    Raises `MemoryLimit` if the numbers do not fit into ``memory`` bytes or, without a limit, into
    the free memory. With ``spill``, only the tables are in memory. The numbers are in files of that
    folder; ``OSError`` if they do not fit there.
    """

    def __init__(
        self,
        board: AnyBoard,
        *,
        memory: int | None = None,
        threads: int | None = None,
        deadline: Deadline | None = None,
        spill: Path | None = None,
    ) -> None:
        self.board, self._deadline = board, deadline or Deadline(None)
        allowed = memory if memory is not None else 2 * default_limit()
        self.allocate: Allocate = in_memory if spill is None else partial(in_folder, spill)
        taken = board.bytes if spill is None else 0
        if taken > allowed:
            raise MemoryLimit(
                f"counting on {board.cells} needs "
                f"{shown_size(board.bytes)} of memory (limit: {shown_size(allowed)}). Choose a "
                "board with a shorter side."
            )
        rest = allowed - taken, self._deadline, self.allocate
        self._tables: Tables | TrackTables
        if isinstance(board, TrackBoard):
            self._tables = TrackTables(board, *rest)
            self._begun: Callable[..., BlankPass | TrackPass] = partial(TrackPass, self._tables)
            return
        threads = 1 if board.words < _LEAST_SHARED_WORDS else threads or processors()
        self._tables = Tables(board, threads, *rest)
        self._begun = partial(BlankPass, self._tables)

    def residues(
        self, jobs: list[Residue], kept: Kept | None = None
    ) -> Generator[Step, None, list[int]]:
        """Return the residue of each pass. Raises `SearchTimeout`.

        A single pass may have a checkpoint ``kept``: it continues from there, and writes rows.
        """
        found: list[int] = []
        height = self.board.height
        for job in jobs:
            begun = None if kept is None else kept.load(self.allocate)
            going = self._begun(job.prime, job.weight, begun)
            # After a terminal, words are in another array, so free this one.
            del begun
            with Threads(self._tables.threads) as threads:
                while going.rows < height:
                    going.row(self._deadline, threads)
                    if kept is not None and going.rows < height:
                        kept.save(going.reached)
                    done = len(found) * height + going.rows
                    yield done, len(jobs) * height, self.board.words
            found.append(going.answer)
            # Free its numbers before those of the next pass.
            del going
        return found

    def answer(self, plan: CountPlan[Answer]) -> Generator[Step, None, Answer]:
        """Answer a count, as work that reports its progress after each row of the board.

        >>> from linkoracle.frontier.running import finished
        >>> board = BlankBoard(9, 9)
        >>> finished(Runner(board).answer(solutions(board)))
        2318527339461265
        """
        return plan.answer((yield from self.residues(plan.passes)))


def solutions(board: AnyBoard) -> CountPlan[int]:
    """Return the plan to count all solutions."""
    taken = moduli(board)
    jobs = [Residue(board, prime, int(not board.cover)) for prime in taken]
    return CountPlan(board, "solutions", jobs, partial(checked_number, taken))


def checked_number(taken: list[int], residues: list[int]) -> int:
    """Return the number with these residues; the last one is only a check."""
    number = from_residues(residues[:-1], taken[:-1])
    check(number % taken[-1] == residues[-1])
    return number


def check(agrees: bool) -> None:
    """Raise ``AssertionError`` if the check fails."""
    if not agrees:
        raise AssertionError("the residues of a count contradict each other: a hardware fault")


#: Sums of residues fit into 64 bits, and a product with a weight leaves two bits.
_PRIME_LIMIT = 1 << 62
#: Bases that make the Miller-Rabin test exact for all numbers below 2^64 (J. Sinclair,
#: 2011, https://miller-rabin.appspot.com).
_BASES = (2, 325, 9375, 28178, 450775, 9780504, 1795265022)


def is_prime(number: int) -> bool:
    """Return whether an odd number below 2^64 is prime.

    >>> [number for number in range(3, 30, 2) if is_prime(number)]
    [3, 5, 7, 11, 13, 17, 19, 23, 29]
    """
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in _BASES:
        power = pow(base, odd, number)
        if base % number == 0 or power in (1, number - 1):
            continue
        if all((power := power * power % number) != number - 1 for _ in range(twos - 1)):
            return False
    return True


def primes() -> Iterator[int]:
    """Yield the primes below 2^62, the largest first.

    >>> from itertools import islice
    >>> [(1 << 62) - prime for prime in islice(primes(), 3)]
    [57, 87, 117]
    """
    for number in range(_PRIME_LIMIT - 1, 2, -2):
        if is_prime(number):
            yield number


def enough_primes(bound: int) -> list[int]:
    """Return the largest primes whose product exceeds a bound.

    >>> len(enough_primes(2**62)), len(enough_primes(0))
    (2, 1)
    """
    found: list[int] = []
    for prime in primes():
        found.append(prime)
        if prod(found) > bound:
            break
    return found


def checked_primes(bound: int) -> list[int]:
    """Return `enough_primes`, and one more, whose residue checks a number."""
    return list(islice(primes(), len(enough_primes(bound)) + 1))


def from_residues(residues: Sequence[int], moduli: Sequence[int]) -> int:
    """Return the number below the product of the primes with these residues (Garner, 1959).

    >>> from_residues([2, 3, 2], [3, 5, 7])
    23
    """
    number, product = 0, 1
    for residue, prime in zip(residues, moduli, strict=True):
        number = with_residue(number, product, residue, prime)
        product *= prime
    return number


def with_residue(number: int, product: int, residue: int, prime: int) -> int:
    """Return the number below ``product * prime`` with given residues modulo both.

    The residue modulo ``product`` is ``number``. The prime must not divide ``product``.

    >>> with_residue(8, 15, 2, 7)
    23
    """
    return number + product * ((residue - number) * pow(product, -1, prime) % prime)


def polynomial_through(places: Sequence[int], values: Sequence[int], prime: int) -> list[int]:
    """Return the coefficients, lowest first, of the polynomial with these values modulo a prime.

    Newton's divided differences, O(n^2). The places must differ modulo the prime.

    >>> polynomial_through([1, 2, 3], [6, 11, 18], 101)
    [3, 2, 1]
    """
    differences = list(values)
    for order in range(1, len(places)):
        for k in range(len(places) - 1, order - 1, -1):
            change = differences[k] - differences[k - 1]
            differences[k] = change * pow(places[k] - places[k - order], -1, prime) % prime
    found = [0] * len(places)
    for k in range(len(places) - 1, -1, -1):
        # found * (x - place) + difference
        carried = differences[k]
        for power in range(len(places)):
            carried, found[power] = found[power], (carried - found[power] * places[k]) % prime
    return found
