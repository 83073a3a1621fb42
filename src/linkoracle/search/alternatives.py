"""`Alternatives`: other solutions of a board than the known one, while clues come and go."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, Self

from linkoracle.board.model import Modelled, model_of
from linkoracle.board.solution import Solution
from linkoracle.core.errors import ClosedError, ConflictLimit
from linkoracle.core.limits import Deadline, checked_int, limit_for
from linkoracle.search.engine import Engine

#: Conflicts that no question has.
_ENDLESS = 2**62


@dataclass(frozen=True)
class Alternative:
    """Another solution than the ``known`` one: the edges of which it has one too many or too few.

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
        """All edges of the other solution."""
        edges = set(self.known.edges).symmetric_difference(self.flipped)
        return Solution(self.known.board, tuple(edges))

    @cached_property
    def changed(self) -> frozenset[int]:
        """The faces that have another number of edges in it. O(flipped edges)."""
        marks, board = self.known.marks(), self.known.board
        more: dict[int, int] = {}
        for edge in self.flipped:
            for face in board.faces_of(edge):
                more[face] = more.get(face, 0) + (-1 if marks[edge] else 1)
        return frozenset(face for face, change in more.items() if change)


class AlternativeSearch(Protocol):
    """What makers ask: `Alternatives`, or whatever answers alike."""

    #: The number of edges around each face in the known solution.
    counts: list[int]
    #: The faces on whose clues the last "no alternative" rests.
    core: set[int]

    @property
    def questions(self) -> int:
        """See `Alternatives.questions`."""

    @property
    def conflicts(self) -> int:
        """See `Alternatives.conflicts`."""

    def find_within(
        self,
        deadline: Deadline,
        shown: Collection[int],
        changing: Sequence[int] = (),
        *,
        conflicts: int | None = None,
    ) -> Alternative | None:
        """See `Alternatives.find`."""

    def settle(self, faces: Iterable[int], *, stay: bool) -> None:
        """See `Alternatives.settle`."""

    def thin_within(
        self, deadline: Deadline, shown: Iterable[int], order: Sequence[int]
    ) -> set[int]:
        """See `Alternatives.thin`."""

    def witness(self, face: int) -> Alternative | None:
        """See `Alternatives.witness`."""

    def close(self) -> None:
        """Free the memory."""


class Alternatives:
    """Finds solutions of a board that differ from a known one on other faces than the given.

    ``board`` is a model, or has one, on any board and without clues; ``known`` is one of its
    solutions. A *face*, a cell of a Slitherlink, is its number, on squares ``row * cols + col``.
    Its clue is how many edges around it the known solution has. ``order`` has all faces in the
    order in which their clues are assumed, which makes a `core` of early ones likely. Takes up to
    ``memory`` bytes, by default half of what is free.

    What a question has taught is kept for the next, so a series is cheaper than its questions one
    by one. Questions let other threads work; different objects may be asked at once, one object may
    not (``RuntimeError``). Use as a context manager, or call `close`, to free the memory early.

    Raises ``ValueError`` for a board with clues, for what is no solution of it, and for an
    ``order`` without every face; `MemoryLimit` for a board that is too large. All questions raise
    ``ValueError`` for faces that the board has not, `ClosedError` after `close`, and
    `SearchTimeout` after ``timeout`` seconds, `ConflictLimit` after so many ``conflicts`` and
    `MemoryLimit`; then they can be asked again. Ctrl-C ends them.

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
        if self.model.has_face_rules:
            raise ValueError("alternatives are sought on a board without clues")
        self.known = known
        plane = self.model.board
        if known.board != plane:
            raise ValueError("the solution given does not solve this board")
        if memory is None:
            limit = limit_for(plane.num_edges)
        else:
            limit = checked_int(memory, "a limit of memory", 1)
        self._closed = False
        self._faces = frozenset(range(plane.num_faces))
        self._order = list(range(plane.num_faces) if order is None else order)
        if sorted(self._on_board(self._order)) != sorted(self._faces):
            raise ValueError(f"expected an order of {len(self._faces)} faces, each of them once")
        true_ones = _array(self._true_ones())
        self._engine = Engine(self.model, true_ones, _array(self._order), limit)
        #: The number of edges around each face in the known solution.
        self.counts: list[int] = known.counts()
        #: The faces on whose clues the last "no alternative" rests.
        self.core: set[int] = set()
        self._staying: set[int] = set()
        self._gone: set[int] = set()

    def _true_ones(self) -> Sequence[int]:
        """The variables, from 0, that are true in the known solution."""
        if self.model.only_masks:
            return self.known.edges
        from linkoracle.sat.clauses import completed

        true = completed(self.model, self.known.edges, Deadline(None))
        if true is None:
            raise ValueError("the solution given does not solve this board")
        return [variable - 1 for variable in true]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the memory; every question raises `ClosedError` afterwards."""
        self._closed = True
        # Another thread that is at work frees it when it is done.
        self.__dict__.pop("_engine", None)

    @property
    def questions(self) -> int:
        """Questions so far, also those that a series has asked."""
        self._check_open()
        return self._engine.questions

    @property
    def conflicts(self) -> int:
        """Conflicts so far: how much work it was."""
        self._check_open()
        return self._engine.conflicts

    def find(
        self,
        shown: Collection[int],
        changing: Sequence[int] = (),
        *,
        timeout: float | None = None,
        conflicts: int | None = None,
    ) -> Alternative | None:
        """Another solution with the same numbers on all faces ``shown``; ``None`` without any.

        With ``changing`` it has another number on one of these at least, which is a more local and
        so a faster question: once ``shown`` and a face make the known solution the only one,
        ``find(shown, [face])`` says whether ``shown`` alone do. Clues that `settle` made stay are
        always shown. After ``None``, `core` is a part of what is shown that already leaves no
        alternative. Exponential at worst; most questions take less than a millisecond.
        """
        return self.find_within(Deadline(timeout), shown, changing, conflicts=conflicts)

    def find_within(
        self,
        deadline: Deadline,
        shown: Collection[int],
        changing: Sequence[int] = (),
        *,
        conflicts: int | None = None,
    ) -> Alternative | None:
        """`find`, for callers that share a deadline among questions."""
        kept = self._staying.union(self._on_board(shown))
        asked = dict.fromkeys(self._on_board(changing))
        open_to_change = [face for face in asked if face not in kept]
        if asked and not open_to_change:
            self.core = set(asked)
            return None
        most = _ENDLESS if conflicts is None else checked_int(conflicts, "a limit of conflicts", 1)
        found = self._engine.find(self._mask(kept), _array(open_to_change), most, deadline)
        if found is None:
            raise ConflictLimit(f"undecided after {most} conflicts")
        if found:
            return self._alternative(self._engine.flips())
        self.core = self._staying.union(self._engine.core(), asked.keys() & kept)
        return None

    def implies(
        self,
        shown: Collection[int],
        face: int,
        *,
        timeout: float | None = None,
        conflicts: int | None = None,
    ) -> bool:
        """Whether the clues ``shown`` force the number of a face.

        >>> from linkoracle import Lattice, Slitherlink
        >>> square = Solution(Lattice(3, 3), (0, 1, 3, 5))
        >>> with Alternatives(Slitherlink.blank(2, 2), square) as alternatives:
        ...     alternatives.implies({0}, 3), alternatives.implies({1, 2}, 3)
        (True, False)
        """
        return self.find(shown, (face,), timeout=timeout, conflicts=conflicts) is None

    def settle(self, faces: Iterable[int], *, stay: bool) -> None:
        """Promise that these clues stay in all later questions, or else that none comes back.

        Of each face only what is said first counts. What is promised need not be assumed any more.
        """
        new = set(self._on_board(list(faces))) - self._staying - self._gone
        self._engine.settle(_array(sorted(new)), stay)
        (self._staying if stay else self._gone).update(new)

    def thin(
        self,
        shown: Iterable[int] | None = None,
        order: Sequence[int] | None = None,
        *,
        timeout: float | None = None,
    ) -> set[int]:
        """Hide the clue of each face of ``order``, one after the other, unless it is needed.

        ``shown`` are the faces that have clues at first, by default all, which must leave no
        alternative, and ``order`` by default those of them from first to last. Returns the faces
        whose clues are left; no clue of ``order`` can go, and `witness` says why not. It settles
        all that it decides on, also if it then raises `SearchTimeout`; what was settled before
        stays as it is.

        >>> from linkoracle import Lattice, Slitherlink
        >>> square = Solution(Lattice(3, 3), (0, 1, 3, 5))
        >>> with Alternatives(Slitherlink.blank(2, 2), square) as alternatives:
        ...     alternatives.thin(order=[0, 3, 2, 1]), sorted(alternatives.witness(3).changed)
        ({3}, [0, 3])
        """
        shown = self._order if shown is None else list(shown)
        order = shown if order is None else order
        return self.thin_within(Deadline(timeout), shown, order)

    def thin_within(
        self, deadline: Deadline, shown: Iterable[int], order: Sequence[int]
    ) -> set[int]:
        """`thin`, for callers that share a deadline among questions."""
        kept = self._staying.union(self._on_board(list(shown)), self._on_board(order))
        kept -= self._gone
        # The engine's memory of what is settled holds also for a series that is stopped.
        engine = self._engine
        try:
            engine.thin(self._mask(kept), _array(list(dict.fromkeys(order))), _ENDLESS, deadline)
        finally:
            self._staying = set(engine.settled(stay=True))
            self._gone = set(engine.settled(stay=False))
        return kept - self._gone

    def witness(self, face: int) -> Alternative | None:
        """The alternative that showed `thin` that the clue of a face is needed, if it did.

        Of the clues that are left it changes this one only.
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

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("the search is closed: it cannot be asked any more")

    def _on_board(self, faces: Collection[int]) -> Collection[int]:
        """These faces; ``ValueError`` for one that the board has not, `ClosedError` if closed."""
        self._check_open()
        # True is in a set that has 1, but is no index of an array.
        if not self._faces.issuperset(faces) or bool in map(type, faces):
            wrong = next(f for f in faces if f not in self._faces or isinstance(f, bool))
            raise ValueError(f"expected a face from 0 to {len(self._faces) - 1}, got {wrong!r}")
        return faces


def _array(numbers: Sequence[int]) -> array[int]:
    """Numbers of 32 bits, for the engine."""
    return array("i", numbers)
