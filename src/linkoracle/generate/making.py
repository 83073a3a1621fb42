"""`Made`, and `different`: the puzzles of a seed one after the other, made here or elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import count as from_
from typing import TYPE_CHECKING, TypeVar

from linkoracle.board.solution import Solution
from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import Deadline, Progress, checked_int
from linkoracle.core.randomness import seed_or_fresh
from linkoracle.kinds import Puzzle

if TYPE_CHECKING:
    from concurrent.futures import Executor

#: Boards made before in a row, after which a run has no more to give.
_REPEATS = 300


@dataclass(frozen=True)
class Made:
    """A puzzle and its only solution.

    ``tried`` boards were put before the oracle until this one passed; ``repaired`` of them were
    changed where a second solution showed, instead of being made anew. ``seed`` and ``index`` make
    the same puzzle again from the same request.
    """

    puzzle: Puzzle
    solution: Solution
    tried: int = 1
    repaired: int = 0
    seed: int = 0
    index: int = 0

    def _repr_svg_(self) -> str:
        from linkoracle.render import picture, svg

        return svg(picture(self.puzzle, self.solution))


class Tally:
    """How many boards were tried for a puzzle, or a run of them, as a `Progress` is told."""

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress
        self._tried = self._unfit = 0
        #: Why tries for the puzzle that is being made led to nothing.
        self.failures = Failures()
        #: The share of the puzzles that are made.
        self.share: float | None = None

    def add(self, tried: int = 1) -> None:
        """So many more boards are tried."""
        self._tried += tried
        self._tell()

    def unfit(self) -> None:
        """A maker failed to make a board as requested."""
        self._unfit += 1
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            unfit = f", {self._unfit} not as requested" if self._unfit else ""
            why = f": {self.failures}" if str(self.failures) else ""
            self._progress(f"{self._tried} tried{unfit}{why}", self.share)


class Failures:
    """Why tries led to nothing, and how close they came.

    >>> failures = Failures()
    >>> for clues in (31, 28):
    ...     failures.add("kept more than 20 clues", clues)
    >>> str(failures)
    '2 kept more than 20 clues (28 at best)'
    """

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._best: dict[str, int] = {}

    def add(self, reason: str, measure: int | None = None) -> None:
        """One more try failed for a reason, by a measure of which the least is the best."""
        self._counts[reason] += 1
        if measure is not None:
            self._best[reason] = min(measure, self._best.get(reason, measure))

    def __str__(self) -> str:
        parts = []
        for reason, count in self._counts.most_common():
            best = f" ({self._best[reason]} at best)" if reason in self._best else ""
            parts.append(f"{count} {reason}{best}")
        return ", ".join(parts)


Puzzled = TypeVar("Puzzled", bound=Made)
#: Makes the puzzle of an index: always the same, unless time is up.
Make = Callable[[int, Tally, Deadline], Puzzled]


def single(
    make: Callable[[int, int, Tally, Deadline], Puzzled],
    seed: int | None,
    index: int,
    timeout: float | None,
    progress: Progress | None,
) -> Puzzled:
    """One puzzle of a seed, a fresh one if that is ``None``. Arguments are checked."""
    seed = seed_or_fresh(seed)
    return make(seed, checked_int(index, "an index", 0), Tally(progress), Deadline(timeout))


def different(
    make: Make[Puzzled],
    start: int = 0,
    wanted: int | None = None,
    timeout: float | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[Puzzled]:
    """Yield the puzzles of the indices ``start``, ``start + 1`` ..., no board twice.

    The puzzles and their order do not depend on the ``executor``, which makes several at a time
    (``None``: one by one, in this process). Of ``wanted`` puzzles no more are begun than are
    missing; without it the run is endless. ``progress`` is called for every board that is tried,
    late where that was in another process. Arguments are checked at once.

    Raises `NothingFound` after a few hundred boards in a row that came up before, `SearchTimeout`
    when there is no new puzzle for ``timeout`` seconds, and what ``make`` raises.
    """
    checked_int(start, "a first index", 0)
    if wanted is not None:
        checked_int(wanted, "a number of puzzles", 0)
    return _different(make, start, wanted, Deadline(timeout), timeout, executor, Tally(progress))


def _different(
    make: Make[Puzzled],
    index: int,
    wanted: int | None,
    deadline: Deadline,
    timeout: float | None,
    executor: Executor | None,
    tally: Tally,
) -> Iterator[Puzzled]:
    seen: set[Puzzle] = set()
    repeated = 0
    while wanted is None or len(seen) < wanted:
        indices = from_(index) if wanted is None else range(index, index + wanted - len(seen))
        # Looks up the deadline anew for each puzzle.
        here = (make(number, tally, deadline) for number in indices)
        results = here if executor is None else _ordered(executor, make, timeout, indices)
        with closing(results):
            for made in results:
                index += 1
                if executor is not None:
                    tally.add(made.tried)
                if made.puzzle not in seen:
                    repeated = 0
                    seen.add(made.puzzle)
                    tally.share = None if wanted is None else len(seen) / wanted
                    yield made
                    deadline = Deadline(timeout)
                    continue
                repeated += 1
                if repeated == _REPEATS:
                    raise NothingFound(
                        f"found no more than {len(seen)} different boards: the last {repeated} "
                        "had been made before; ask for a larger board, or for less of it"
                    )
                deadline.check()


def _ordered(
    executor: Executor, make: Make[Puzzled], timeout: float | None, indices: Iterable[int]
) -> Generator[Puzzled, None, None]:
    from linkoracle.batch import ordered

    return ordered(executor, partial(_elsewhere, make, timeout), indices)


def _elsewhere(make: Make[Puzzled], timeout: float | None, index: int) -> Puzzled:
    return make(index, Tally(), Deadline(timeout))
