"""`Alternatives`: solutions of a board other than a known one, while clues come and go."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from linkoracle.board import Modelled, Solution, model_of
from linkoracle.core import (
    Closing,
    ConflictLimit,
    Deadline,
    NotSupported,
    Timeout,
    checked_int,
    checked_memory,
    limit_for,
)
from linkoracle.search.engine import Engine

#: A conflict budget that no query exhausts.
_ENDLESS = 2**62


@dataclass(frozen=True)
class Alternative:
    """A solution other than the ``known`` one, as the edges on which they differ.

    >>> from linkoracle import Lattice
    >>> square = Solution(Lattice(3, 3), (0, 1, 3, 5))
    >>> other = Alternative(square, (2, 3, 4, 6))
    >>> other.solution.edges, sorted(other.changed)
    ((0, 1, 2, 4, 5, 6), [0, 1, 2])
    """

    known: Solution
    flipped: tuple[int, ...]

    @cached_property
    def solution(self) -> Solution:
        """The alternative as a solution."""
        edges = set(self.known.edges).symmetric_difference(self.flipped)
        return Solution(self.known.board, tuple(edges))

    @cached_property
    def changed(self) -> frozenset[int]:
        """The faces whose clue differs between the two. O(flipped edges)."""
        marks, board = self.known.marks(), self.known.board
        more: dict[int, int] = {}
        for edge in self.flipped:
            for face in board.faces_of(edge):
                more[face] = more.get(face, 0) + (-1 if marks[edge] else 1)
        return frozenset(face for face, change in more.items() if change)


class AlternativeSearch(Protocol):
    """The interface that generators use: `Alternatives`, or a substitute for it."""

    #: The number of edges around each face in the known solution.
    counts: list[int]
    #: The faces whose clues prove the last "no alternative".
    core: set[int]

    @property
    def queries(self) -> int:
        """See `Alternatives.queries`."""

    @property
    def conflicts(self) -> int:
        """See `Alternatives.conflicts`."""

    def find(
        self,
        shown: Collection[int],
        changing: Sequence[int] = (),
        *,
        timeout: Timeout = None,
        conflicts: int | None = None,
    ) -> Alternative | None:
        """See `Alternatives.find`."""

    def fix_clues(self, faces: Iterable[int], *, keep: bool) -> None:
        """See `Alternatives.fix_clues`."""

    def reduce(
        self,
        shown: Iterable[int] | None = None,
        order: Sequence[int] | None = None,
        *,
        timeout: Timeout = None,
    ) -> set[int]:
        """See `Alternatives.reduce`."""

    def witness(self, face: int) -> Alternative | None:
        """See `Alternatives.witness`."""

    def close(self) -> None:
        """Free the memory."""


class Alternatives(Closing):
    """A search for solutions that agree with a known one on the clues of some faces.

    ``board`` is a model or puzzle without clues, on any board; ``known`` is one of its solutions. A
    *face*, a cell of a Slitherlink, is its number, on squares ``row * cols + col``. Its clue is its
    number of edges in the known solution. ``order`` has all faces in the order in which their clues
    are assumed; early faces are likely to be in a `core`. Uses up to ``memory`` bytes, by default
    half of the free memory.

    Learned clauses are kept from one query to the next, so a series is cheaper than single queries.
    Queries release the interpreter's lock. Different objects can be used at the same time, one
    object cannot (``RuntimeError``). Use it as a context manager, or call `close`, to free the
    memory early.

    Raises ``ValueError`` if the board has clues, if ``known`` is not a solution of it, or if
    ``order`` lacks a face; `NotSupported` for a path with free ends; `MemoryLimit` if the board is
    too large. All queries raise ``ValueError`` for a face that is not on the board and
    `ClosedError` after `close`. They raise `SearchTimeout` after ``timeout`` seconds,
    `ConflictLimit` after ``conflicts`` conflicts, and `MemoryLimit`, and can be repeated then.
    Ctrl-C ends them. A copy, and one that is pickled, begins with the same clues and without
    learned clauses.

    >>> from linkoracle import Lattice, Slitherlink
    >>> square = Solution(Lattice(3, 3), (0, 1, 3, 5))      # around face 0
    >>> alternatives = Alternatives(Slitherlink.blank(2, 2), square)
    >>> alternatives.find({1, 2, 3}) is None, sorted(alternatives.core)
    (True, [1, 2, 3])
    >>> alternatives.find({1, 2}).solution.paths()          # around face 3
    [[(1, 1), (1, 2), (2, 2), (2, 1), (1, 1)]]
    """

    def __init__(
        self,
        board: Modelled,
        known: Solution,
        *,
        order: Sequence[int] | None = None,
        memory: int | None = None,
    ) -> None:
        self.model = model_of(board)
        if self.model.free_ends:
            raise NotSupported("the search for alternatives does not take a path with free ends")
        if self.model.has_face_rules:
            raise ValueError("expected a board without clues, got one with clues")
        self.known = known
        plane = self.model.board
        if known.board != plane:
            raise ValueError("the solution given does not solve this board")
        self._limit = checked_memory(memory)
        self._faces = frozenset(range(plane.num_faces))
        self._order = list(range(plane.num_faces) if order is None else order)
        if sorted(self._on_board(self._order)) != sorted(self._faces):
            raise ValueError(f"expected an order of {len(self._faces)} faces, each of them once")
        true_ones = _array(self._true_ones())
        self._engine = Engine(
            self.model, true_ones, _array(self._order), self._limit or limit_for(plane.num_edges)
        )
        #: The number of edges around each face in the known solution: its clue.
        self.counts: list[int] = known.counts()
        #: The faces whose clues prove the last "no alternative".
        self.core: set[int] = set()
        self._kept: set[int] = set()
        self._removed: set[int] = set()

    def _true_ones(self) -> Sequence[int]:
        """Return the variables, from 0, that are true in the known solution."""
        if self.model.only_masks:
            return self.known.edges
        from linkoracle.engines import completed

        true = completed(self.model, self.known.edges, Deadline(None))
        if true is None:
            raise ValueError("the solution given does not solve this board")
        return [variable - 1 for variable in true]

    def __reduce__(self) -> tuple[Any, ...]:
        made_of = self.model, self.known, self._order, self._limit
        return _opened, (type(self), made_of, self._kept, self._removed, self.core, self._closed)

    def close(self) -> None:
        """Free the memory; later queries raise `ClosedError`."""
        super().close()
        # A thread that is still using it frees it when it is done.
        self.__dict__.pop("_engine", None)

    @property
    def queries(self) -> int:
        """The number of queries so far, including those of `reduce`."""
        self.check_open()
        return self._engine.queries

    @property
    def conflicts(self) -> int:
        """The number of conflicts so far: a measure of the work done."""
        self.check_open()
        return self._engine.conflicts

    def find(
        self,
        shown: Collection[int],
        changing: Sequence[int] = (),
        *,
        timeout: Timeout = None,
        conflicts: int | None = None,
    ) -> Alternative | None:
        """Return another solution with the same clues on all faces ``shown``, or ``None``.

        With ``changing``, its clue differs on at least one of these faces, which is a more local
        and faster query: once ``shown`` and a face make the known solution unique,
        ``find(shown, [face])`` decides whether ``shown`` alone do. Clues kept by `fix_clues` are
        always shown. After ``None``, `core` is a subset of the faces shown that already excludes
        every alternative. Exponential at worst; most queries take less than a millisecond.
        """
        kept = self._kept.union(self._on_board(shown))
        changed = dict.fromkeys(self._on_board(changing))
        open_to_change = [face for face in changed if face not in kept]
        if changed and not open_to_change:
            self.core = set(changed)
            return None
        budget = (
            _ENDLESS if conflicts is None else checked_int(conflicts, "a limit of conflicts", 1)
        )
        found = self._engine.find(
            self._mask(kept), _array(open_to_change), budget, Deadline.of(timeout)
        )
        if found is None:
            raise ConflictLimit(f"undecided after {budget} conflicts")
        if found:
            return self._alternative(self._engine.flips())
        self.core = self._kept.union(self._engine.core(), changed.keys() & kept)
        return None

    def implies(
        self,
        shown: Collection[int],
        face: int,
        *,
        timeout: Timeout = None,
        conflicts: int | None = None,
    ) -> bool:
        """Return whether the clues ``shown`` imply the clue of a face.

        >>> from linkoracle import Lattice, Slitherlink
        >>> square = Solution(Lattice(3, 3), (0, 1, 3, 5))
        >>> with Alternatives(Slitherlink.blank(2, 2), square) as alternatives:
        ...     alternatives.implies({0}, 3), alternatives.implies({1, 2}, 3)
        (True, False)
        """
        return self.find(shown, (face,), timeout=timeout, conflicts=conflicts) is None

    def fix_clues(self, faces: Iterable[int], *, keep: bool) -> None:
        """Keep these clues in all later queries, or else show them in no later `reduce`.

        The first call for a face counts. Kept clues need not be assumed any more, so later queries
        are faster.
        """
        new = set(self._on_board(list(faces))) - self._kept - self._removed
        self._engine.fix_clues(_array(sorted(new)), keep)
        (self._kept if keep else self._removed).update(new)

    def reduce(
        self,
        shown: Iterable[int] | None = None,
        order: Sequence[int] | None = None,
        *,
        timeout: Timeout = None,
    ) -> set[int]:
        """Remove the redundant clues among the faces of ``order``, one after the other.

        ``shown`` are the faces with clues at first, by default all; they must exclude every
        alternative. ``order`` is by default ``shown``. Returns the faces whose clues are left: none
        of ``order`` is redundant among them, and `witness` shows why. Every decision is fixed as by
        `fix_clues`, even if the call then raises `SearchTimeout`. Clues fixed before stay so.

        >>> from linkoracle import Lattice, Slitherlink
        >>> square = Solution(Lattice(3, 3), (0, 1, 3, 5))
        >>> with Alternatives(Slitherlink.blank(2, 2), square) as alternatives:
        ...     alternatives.reduce(order=[0, 3, 2, 1]), sorted(alternatives.witness(3).changed)
        ({3}, [0, 3])
        """
        shown = self._order if shown is None else list(shown)
        order = shown if order is None else order
        kept = self._kept.union(self._on_board(list(shown)), self._on_board(order))
        kept -= self._removed
        deadline, engine = Deadline.of(timeout), self._engine
        try:
            engine.reduce(self._mask(kept), _array(list(dict.fromkeys(order))), deadline)
        finally:
            # A series that is interrupted has fixed clues, too.
            self._kept = set(engine.fixed_clues(keep=True))
            self._removed = set(engine.fixed_clues(keep=False))
        return kept - self._removed

    def witness(self, face: int) -> Alternative | None:
        """Return the alternative that made `reduce` keep the clue of a face, if there was one.

        Among the clues that are left it changes this one only.
        """
        self._on_board((face,))
        flips = self._engine.witness(face)
        return None if flips is None else self._alternative(flips)

    def _alternative(self, flips: Sequence[int]) -> Alternative:
        return Alternative(self.known, tuple(sorted(flips)))

    def _mask(self, kept: Collection[int]) -> bytearray:
        mask = bytearray(len(self._faces))
        for face in kept:
            mask[face] = 1
        return mask

    def _on_board(self, faces: Collection[int]) -> Collection[int]:
        """Return these faces; ``ValueError`` if one is off the board, `ClosedError` if closed."""
        self.check_open()
        # True and 1.0 are in a set that has 1, but are not indices of an array.
        if not self._faces.issuperset(faces) or not {bool, float}.isdisjoint(map(type, faces)):
            wrong = next(f for f in faces if f not in self._faces or isinstance(f, (bool, float)))
            raise ValueError(f"expected a face from 0 to {len(self._faces) - 1}, got {wrong!r}")
        return faces


def _opened(
    kind: type[Alternatives],
    made_of: tuple[Any, ...],
    kept: set[int],
    removed: set[int],
    core: set[int],
    closed: bool,
) -> Alternatives:
    """Return a copied search."""
    board, known, order, memory = made_of
    search = kind(board, known, order=order, memory=memory)
    search.fix_clues(kept, keep=True)
    search.fix_clues(removed, keep=False)
    search.core = {*core}
    if closed:
        search.close()
    return search


def _array(numbers: Sequence[int]) -> array[int]:
    """Return 32-bit numbers for the engine."""
    return array("i", numbers)
