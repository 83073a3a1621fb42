"""`different`: the puzzles of a seed one after the other, made here or by an executor."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import count as from_
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from linkoracle.errors import NothingFound
from linkoracle.generate.made import Made
from linkoracle.puzzles import Puzzle

if TYPE_CHECKING:
    from concurrent.futures import Executor

Puzzled = TypeVar("Puzzled", bound=Made)

#: Boards made before in a row, after which a run has no more to give.
_REPEATS = 300


def different(
    make: Callable[..., Puzzled],
    *,
    start: int = 0,
    wanted: int | None = None,
    executor: Executor | None = None,
    trying: Callable[[], None] | None = None,
) -> Iterator[Puzzled]:
    """Yield ``make(index=index, trying=...)`` for ``start``, ``start + 1`` ..., no board twice.

    ``make`` must give the same for the same index; so the puzzles and their order do not depend on
    the ``executor``, which makes several at a time (``None``: one by one, in this process). Of
    ``wanted`` puzzles no more are begun than are missing; without it the run is endless.
    ``trying`` is called for every board that is tried, late where that was in another process.

    Raises `NothingFound` after a few hundred boards in a row that came up before, and what ``make``
    raises.
    """
    seen: set[Puzzle] = set()
    repeated = 0
    index = start
    job = _Job(make, trying)
    while wanted is None or len(seen) < wanted:
        indices = from_(index) if wanted is None else range(index, index + wanted - len(seen))
        with closing(_results(executor, job, indices)) as results:
            for made, told in results:
                index += 1
                if trying is not None and not told:
                    for _ in range(made.tried):
                        trying()
                if made.puzzle not in seen:
                    repeated = 0
                    seen.add(made.puzzle)
                    yield made
                    continue
                repeated += 1
                if repeated == _REPEATS:
                    raise NothingFound(
                        f"found no more than {len(seen)} different boards: the last {repeated} "
                        "had been made before"
                    )


def _results(
    executor: Executor | None, job: _Job[Puzzled], indices: Iterable[int]
) -> Generator[tuple[Puzzled, bool], None, None]:
    if executor is None:
        return (job(index) for index in indices)
    from linkoracle.batch import ordered

    return ordered(executor, job, indices)


class _Job(Generic[Puzzled]):
    """Makes a puzzle, and says whether ``trying`` was called, which stays in its process."""

    def __init__(
        self, make: Callable[..., Puzzled], trying: Callable[[], None] | None = None
    ) -> None:
        self._make = make
        self._trying = trying

    def __call__(self, index: int) -> tuple[Puzzled, bool]:
        return self._make(index=index, trying=self._trying), self._trying is not None

    def __reduce__(self) -> tuple[Any, ...]:
        return _Job, (self._make,)
