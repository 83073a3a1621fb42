"""One pass over a blank board: the number of solutions modulo a prime.

The steps of a row work on independent blocks of words: up to the middle of the frontier on right
halves of some supports, then on left halves. Threads take one block after the other.

The numbers of words are in arrays in memory or, if they are larger, in files. These are
`memoryview` objects, which do not need NumPy: loading it takes longer than most counts.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from pathlib import Path

from linkoracle.core import Deadline
from linkoracle.frontier.blank.board import NUMBER_BYTES, BlankBoard, Shape
from linkoracle.frontier.blank.ranks_kernel import (
    AROUND,
    AT_LINKS,
    AT_VERTICES,
    Numbers,
    PassNumbers,
    Ranks,
)
from linkoracle.frontier.blank.tracks import KEPT_BYTES, TrackBoard, TrackStep
from linkoracle.frontier.blank.tracks_kernel import Crossing, HalfWords
from linkoracle.frontier.running import Threads

#: Makes an array of this many zeros.
Allocate = Callable[[int], Numbers]


def in_memory(number: int) -> Numbers:
    """Return zeros in memory. Raises ``MemoryError``.

    >>> in_memory(2).tolist()
    [0, 0]
    """
    return memoryview(bytearray(NUMBER_BYTES * number)).cast("Q")


def in_folder(folder: Path, number: int) -> Numbers:
    """Return zeros in a memory-mapped file of a folder.

    The file has no name, so it disappears when the program ends for any reason. Its disk space is
    allocated at once, as a disk that is full later would kill the program. Raises ``OSError`` if
    there is not enough space.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     in_folder(Path(folder), 2).tolist(), os.listdir(folder)
    ([0, 0], [])
    """
    size = NUMBER_BYTES * number
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            _reserve(file.fileno(), size)
            mapped = mmap.mmap(file.fileno(), size)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OSError(error.errno, f"cannot keep {size} bytes: {reason}", str(folder)) from None
    if hasattr(mmap, "MADV_RANDOM"):
        # Steps read short pieces all over the file, so reading ahead is useless.
        mapped.madvise(mmap.MADV_RANDOM)
    return memoryview(mapped).cast("Q")


def _reserve(file: int, size: int) -> None:
    """Allocate ``size`` bytes of the disk."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, size)
        return
    nothing = bytes(1 << 20)
    for start in range(0, size, len(nothing)):
        os.write(file, nothing[: size - start])


#: The most words of a block, whose numbers fit into the cache of a processor.
_BLOCK_WORDS = 1 << 18
#: The same for numbers in files: larger, as each block reads many pages.
_FILE_BLOCK_WORDS = 1 << 21
#: Several blocks per thread, so that no thread waits long for another one.
_BLOCKS_PER_THREAD = 4


@dataclass(frozen=True)
class Row:
    """A pass between two rows: the numbers of decided rows and labels, and the sums so far."""

    rows: int
    labels: int
    answer: int
    words: Numbers


class Tables:
    """The tables shared by all passes over a board: ranks, and the division into blocks.

    ``memory`` bounds the bytes of the tables. Making more of them raises `MemoryLimit`, or
    `SearchTimeout` at the ``deadline``. ``allocate`` makes the arrays of numbers.
    """

    def __init__(
        self,
        board: BlankBoard,
        threads: int,
        memory: int,
        deadline: Deadline,
        allocate: Allocate = in_memory,
    ) -> None:
        self.board, self.threads = board, threads
        #: Makes an array of numbers.
        self.zeros = allocate
        self._block = _BLOCK_WORDS if allocate is in_memory else _FILE_BLOCK_WORDS
        self._memory, self._deadline = memory, deadline
        self._ranks: dict[int, Ranks] = {}
        self._blocks: dict[tuple[int, bool], list[tuple[int, int]]] = {}

    def ranks(self, labels: int) -> Ranks:
        if labels not in self._ranks:
            board = self.board
            self._ranks[labels] = Ranks(
                board.places, board.cut, labels, board.outside, self._memory, self._deadline
            )
        return self._ranks[labels]

    def blocks(self, labels: int, ends: bool) -> list[tuple[int, int]]:
        """Return ranges of supports with about equal numbers of words."""
        key = labels, ends
        if key not in self._blocks:
            ranks = self.ranks(labels)
            until = list(accumulate(ranks.sizes(ends)))
            shares = _BLOCKS_PER_THREAD * self.threads if self.threads > 1 else 1
            parts = max(shares, ranks.words // self._block)
            cuts = {bisect_left(until, until[-1] * part / parts) + 1 for part in range(1, parts)}
            edges = [0, *sorted(cuts - {len(until)}), len(until)]
            self._blocks[key] = list(pairwise(edges))
        return self._blocks[key]


class BlankPass:
    """A pass modulo ``prime``, with a ``weight`` for each unused vertex.

    Call `row` for each row of the board. Then `answer` is the sum, over all solutions, of the
    weight to the power of their number of unused vertices. With weight 1 that is the number of
    solutions, with 0 the number of those that use every vertex. A pass with a saved row continues
    after it.
    """

    def __init__(
        self, tables: Tables, prime: int, weight: int = 1, begun: Row | None = None
    ) -> None:
        self.tables, self.prime, self.weight = tables, prime, weight
        begun = begun or self._first()
        self.rows, self.labels, self.words = begun.rows, begun.labels, begun.words
        self._answer = in_memory(1)
        self._answer[0] = begun.answer
        # The numbers of corners are not needed after a row.
        self._corners = tables.zeros(tables.ranks(self.labels).corners)

    def _first(self) -> Row:
        """Return the state before the first row."""
        board = self.tables.board
        labels = 1 if board.first_vertex else 0
        ranks = self.tables.ranks(labels)
        words = self.tables.zeros(ranks.words)
        # The path leaves its terminal downwards or to the right, with the same word.
        words[ranks.rank([3 * labels, *[0] * (board.places - 1)])] = 1
        return Row(0, labels, 0, words)

    @property
    def answer(self) -> int:
        return int(self._answer[0])

    @property
    def reached(self) -> Row:
        """Return the state to continue from; the next row changes its words."""
        return Row(self.rows, self.labels, self.answer, self.words)

    def row(self, deadline: Deadline, threads: Threads | None = None) -> None:
        """Decide the vertices of the next row. After `SearchTimeout` the pass is unusable."""
        threads = threads or Threads(1)
        {
            Shape.SQUARES: self._row,
            Shape.HONEYCOMB: self._row_of_links,
            Shape.CYLINDER: self._row_around,
        }[self.tables.board.shape](deadline, threads)
        self.rows += 1

    def _row_of_links(self, deadline: Deadline, threads: Threads) -> None:
        """Decide the links at the next height of a honeycomb."""
        # No outer line has a second link before the third row.
        self._steps(
            1 + self.rows % 2,
            self.tables.board.width,
            deadline,
            threads,
            way=AT_LINKS,
            outer=int(self.rows > 1),
        )

    def _row_around(self, deadline: Deadline, threads: Threads) -> None:
        """Decide the next row around a cylinder."""
        width = self.tables.board.width
        ranks = self.tables.ranks(self.labels)
        ranks.turn(self._numbers(), deadline=deadline)
        # The first vertex, where its edge to the last one is not used.
        self._step(0, 1, deadline)(ends=False, first=0, last=ranks.without_last)
        self._steps(1, width, deadline, threads)
        self._steps(width, width + 1, deadline, threads, way=AROUND)

    def _row(self, deadline: Deadline, threads: Threads) -> None:
        """Decide the next row of squares."""
        board, column = self.tables.board, 0
        for at in [at for row, at in board.ends if row == self.rows]:
            if (self.rows, at) == (0, 0):
                column = 1
                continue
            self._steps(column, at, deadline, threads)
            self._meet(at, deadline)
            column = at + 1
        self._steps(column, board.width, deadline, threads)

    def _numbers(self) -> PassNumbers:
        return PassNumbers(self.words, self._corners, self._answer, self.prime, self.weight)

    def _meet(self, column: int, deadline: Deadline) -> None:
        """Decide the vertex of a terminal."""
        board, ranks = self.tables.board, self.tables.ranks(self.labels)
        last = self.labels == 1 and board.last_vertex
        after = None if last else self.tables.ranks(self.labels + 1)
        words = self.words if after is None else self.tables.zeros(after.words)
        ranks.meet(self._numbers(), after, words, column=column, deadline=deadline)
        if after is not None:
            self.labels += 1
            del self._corners
            self.words = words
            self._corners = self.tables.zeros(after.corners)

    def _step(
        self, first: int, until: int, deadline: Deadline, way: int = AT_VERTICES, outer: int = 0
    ) -> Callable[..., None]:
        """Return the call that takes steps in a range of columns, for a block of words."""
        board = self.tables.board
        return partial(
            self.tables.ranks(self.labels).step,
            self._numbers(),
            column=first,
            until=until,
            loop=not board.ends,
            depth=board.deepest(self.rows),
            deadline=deadline,
            way=way,
            outer=outer,
        )

    def _steps(
        self,
        first: int,
        until: int,
        deadline: Deadline,
        threads: Threads,
        way: int = AT_VERTICES,
        outer: int = 0,
    ) -> None:
        """Decide the vertices in a range of columns."""
        tables, ranks = self.tables, self.tables.ranks(self.labels)
        step = self._step(first, until, deadline, way, outer)
        for ends in (False, True):
            if until > max(first, tables.board.cut + 1) if ends else first <= tables.board.cut:

                def work(block: tuple[int, int], ends: bool = ends) -> None:
                    step(ends=ends, first=block[0], last=block[1])

                threads.share(work, tables.blocks(self.labels, ends), ranks.stop)


class TrackTables:
    """The tables of the steps of all passes over a board; ``memory`` bounds their bytes."""

    threads = 1

    def __init__(
        self, board: TrackBoard, memory: int, deadline: Deadline, allocate: Allocate = in_memory
    ) -> None:
        self.board, self.deadline = board, deadline
        #: Makes an array of numbers.
        self.zeros = allocate
        self._memory, self._taken = memory, 0
        self._halves: dict[tuple[bytes, bool, int], HalfWords] = {}
        self._crossings: dict[TrackStep, Crossing] = {}

    def crossing(self, number: int) -> Crossing:
        """Return the tables of a step."""
        step = self.board.steps[number]._replace(to_come=0)
        if step not in self._crossings:
            kept = min(KEPT_BYTES, self._memory // 2)
            if self._taken > kept:
                self._halves.clear()
                self._crossings.clear()
                self._taken = 0
            left = self._memory - self._taken
            halves = [*self._halves_of(step.before, left), *self._halves_of(step.after, left)]
            made = Crossing(
                *halves,
                place=step.place,
                chosen=step.chosen,
                meets=step.meets,
                labels=step.labels,
                ends=bool(self.board.ends),
                memory=left,
            )
            self._taken += made.bytes
            self._crossings[step] = made
        return self._crossings[step]

    def _halves_of(self, types: bytes, memory: int) -> Iterator[HalfWords]:
        board = self.board
        parts = types[: board.cut], types[board.cut :]
        for right in (False, True):
            # Whatever the types of the other half are, so that a step there changes nothing here.
            beyond = len(parts[not right])
            key = parts[right], right, beyond
            if key not in self._halves:
                made = HalfWords(
                    parts[right],
                    right=right,
                    beyond=beyond,
                    labels=len(board.ends),
                    outside=board.outside,
                    memory=memory,
                )
                self._halves[key] = made
                self._taken += made.bytes
            yield self._halves[key]


class TrackPass:
    """A pass modulo ``prime``: like `BlankPass`, but its rows are steps."""

    def __init__(
        self, tables: TrackTables, prime: int, weight: int = 1, begun: Row | None = None
    ) -> None:
        self.tables, self.prime, self.weight = tables, prime, weight
        if begun is None:
            words = tables.zeros(1)
            words[0] = 1
            begun = Row(0, 0, 0, words)
        self.rows, self.words = begun.rows, begun.words
        self._answer = in_memory(1)
        self._answer[0] = begun.answer

    @property
    def answer(self) -> int:
        return int(self._answer[0])

    @property
    def reached(self) -> Row:
        """Return the state to continue from."""
        return Row(self.rows, 0, self.answer, self.words)

    def row(self, deadline: Deadline, _threads: Threads | None = None) -> None:
        """Take the next step. After `SearchTimeout` the pass is unusable."""
        step = self.tables.board.steps[self.rows]
        crossing = self.tables.crossing(self.rows)
        targets = self.tables.zeros(crossing.new_words)
        crossing.cross(
            self.words,
            targets,
            self._answer,
            prime=self.prime,
            weight=self.weight,
            to_come=step.to_come,
            deadline=deadline,
        )
        self.words = targets
        self.rows += 1
