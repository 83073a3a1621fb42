"""`NearbyFaces` and `NearbyCounts`: a solution that an oracle knows, and the search for others.

An oracle whose clues come and go asks most queries about a puzzle of which it has seen a solution:
is there another one, with all clues, or without one of them? That is what the compiled search
answers, in a fraction of the time of a solver. Where it gets lost it says so.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from linkoracle.board import Count, LinkModel
from linkoracle.core import Closing, Deadline, MemoryLimit, limit_for
from linkoracle.search.engine import Engine, differing

#: Conflicts after which a query is lost, and those when most queries are. A query of a 30x30
#: Slitherlink rarely takes more than 300.
_BUDGET, _SMALL_BUDGET = 2_000, 100

#: Clues that a query lacks of those that exclude all alternatives; with more, the question whether
#: one of these changes is no easier than whether anything does.
_MOST_LOCAL = 16

#: Queries to come for which what follows from all other clues is kept.
_BATCH = 8


class _Nearby(Closing):
    """A known solution, a search for others, and the clues that the query keeps, by their numbers.

    ``true_ones`` are the variables, from 1, that are true in the solution. Answers are remembered:
    the last clues that leave no alternative, and for each clue the last alternative that lacks it.
    """

    #: Which clues of a query are not as in the last one.
    differing = staticmethod(differing)

    def __init__(self, model: LinkModel, true_ones: Iterable[int]) -> None:
        self._model = model
        self._true = array("i", [variable - 1 for variable in true_ones])

    def _open(self, number: int, clues: list[Count] | None = None) -> None:
        """Begin with this number of clues, counts of literals; by default those of all faces."""
        memory = limit_for(self._model.board.num_edges)
        ranks = array("i", range(number))
        self._engine = Engine(self._model, self._true, ranks, memory, clues=clues)
        #: A byte for each clue: whether the query keeps it.
        self.kept = bytearray(number)
        #: The clues of a query without alternatives, as one number.
        self._proven: int | None = None
        #: For some clues, what the last alternative without it changes.
        self._witnesses: dict[int, list[int]] = {}
        self._soon: Collection[int] = ()
        self._answered = self._lost = 0

    def close(self) -> None:
        """Free the memory."""
        super().close()
        self.__dict__.pop("_engine", None)

    def follows(
        self, lacking: Sequence[int], deadline: Deadline, soon: Iterable[int] = ()
    ) -> bool | None:
        """Return whether all solutions with the kept clues have those ``lacking``, too.

        None of these may be kept. Returns ``None`` if that is too hard. ``soon`` are the clues of
        the next queries.
        """
        kept = self.kept
        for number in lacking:
            witness = self._witnesses.get(number)
            if witness is not None and not any(map(kept.__getitem__, witness)):
                return False
        if any(number not in self._soon for number in lacking):
            self._soon = {*lacking, *soon}
        found = self._find(lacking, deadline)
        if found is False and self._proven is not None:
            now = int.from_bytes(kept, "little")
            if not self._proven & ~now & ~sum(1 << 8 * number for number in lacking):
                self._proven = now
        return None if found is None else not found

    def is_alone(self, deadline: Deadline) -> bool | None:
        """Return whether the known solution is the only one with the kept clues.

        ``None`` if that is too hard. If it is not, `flips` lead to another one.
        """
        now, lacking = int.from_bytes(self.kept, "little"), list[int]()
        if self._proven is not None:
            # Another solution lacks one of the clues that exclude all others.
            left = self._proven & ~now
            if not left:
                return True
            while left and len(lacking) < _MOST_LOCAL:
                lacking.append((left & -left).bit_length() >> 3)
                left &= left - 1
            if left:
                lacking = []
        self._soon = {*lacking}
        found = self._find(lacking, deadline)
        if found is False:
            self._proven = now
        return None if found is None else not found

    def flips(self) -> list[int]:
        """Return the edges on which the last alternative and the known solution differ."""
        return self._engine.flips()

    def _find(self, lacking: Sequence[int], deadline: Deadline) -> bool | None:
        """Return whether some solution with the kept clues lacks one of these."""
        self.check_open()
        budget = _BUDGET if self._lost <= self._answered else _SMALL_BUDGET
        soon = array("i", self._soon)
        try:
            found = self._engine.find(self.kept, array("i", lacking), budget, deadline, soon)
        except MemoryLimit:
            found = None
        if found is None:
            self._lost += 1
            return None
        self._answered += 1
        if found:
            changed = self._engine.core()
            for number in lacking:
                if number in changed:
                    self._witnesses[number] = changed
        return found


class NearbyFaces(_Nearby):
    """A known solution and its clues of faces, as count masks, with edges that are on or off.

    >>> from linkoracle.board import Lattice
    >>> model = LinkModel.blank_loop(Lattice(3, 3))
    >>> square = NearbyFaces(model, (1, 2, 4, 6), [4, 1, 1, 0])
    >>> square.hold({1: 1 << 1, 2: 1 << 1}, {}), square.is_alone(Deadline(None))
    (True, False)
    >>> sorted(square.flips())
    [0, 1, 3, 5, 7, 8, 9, 11]
    >>> square.hold({0: 1 << 4, 3: 1 << 0}, {}), square.face_follows(3, [0, 3], Deadline(None))
    (True, True)
    >>> square.hold({1: 1 << 2}, {})
    False
    """

    def __init__(
        self,
        model: LinkModel,
        true_ones: Iterable[int],
        counts: Sequence[int],
    ) -> None:
        super().__init__(model, true_ones)
        #: The number of edges around each face, and the variables from 0, of the solution.
        self._counts, self._known = counts, {*self._true}
        #: Clues other than exact ones: of ``(face, mask)``, and of ``(-1, edge)``.
        self._more: dict[tuple[int, int], Count] = {}
        #: The clue that each face with a mask has, and the faces whose mask excludes its count.
        self._held: dict[int, int] = {}
        self._excluded: set[int] = set()
        self._drawn: list[int] = []
        self._open_with({})

    def hold(
        self,
        masks: Mapping[int, int],
        edges: Mapping[int, bool],
        changed: Iterable[int] | None = None,
    ) -> bool:
        """Keep the clues of a query, and no others; return whether the solution has them all.

        ``changed`` are the faces whose masks are not as in the last call; by default all. O(changed
        faces, and edges).
        """
        for edge in self._drawn:
            self.kept[self._numbers[-1, edge]] = 0
        self._drawn = []
        if changed is None:
            self.kept = bytearray(len(self.kept))
            self._held, self._excluded, changed = {}, set(), masks
        new: dict[tuple[int, int], Count] = {}
        for face in changed:
            self._drop(face)
            mask = masks.get(face)
            if mask is None:
                continue
            if not mask >> self._counts[face] & 1:
                self._excluded.add(face)
            elif mask == 1 << self._counts[face]:
                self._keep(face, face)
            elif (number := self._numbers.get((face, mask))) is not None:
                self._keep(face, number)
            else:
                new[face, mask] = _around(self._model, face, mask)
        if self._excluded or any((edge in self._known) != on for edge, on in edges.items()):
            # What is new is looked at again in the next query.
            self._excluded.update(face for face, _ in new)
            return False
        if edges and (-1, next(iter(edges))) not in self._numbers:
            new |= {
                (-1, edge): Count((edge + 1 if edge in self._known else -1 - edge,), 0b10)
                for edge in range(self._model.board.num_edges)
            }
        if new:
            self._open_with(new)
            return self.hold(masks, edges)
        for edge in edges:
            self.kept[self._numbers[-1, edge]] = 1
        self._drawn = [*edges]
        return True

    def face_follows(self, face: int, faces: Iterable[int], deadline: Deadline) -> bool | None:
        """Return whether the kept clue of a face follows from all others; ``None`` if too hard.

        ``faces`` are those with clues, in the order in which they are asked about. A clue that
        follows is no longer kept: most callers remove it.
        """
        number = self._held[face]
        self.kept[number] = 0
        found = None
        try:
            found = self.follows([number], deadline, self._next(number, face, faces))
            return found
        finally:
            if found:
                del self._held[face]
            else:
                self.kept[number] = 1

    def edge_follows(self, edge: int, deadline: Deadline) -> bool | None:
        """Return whether the value of a kept edge follows from all others; ``None`` if too hard."""
        number = self._numbers[-1, edge]
        self.kept[number] = 0
        try:
            return self.follows([number], deadline)
        finally:
            self.kept[number] = 1

    def _next(self, number: int, face: int, faces: Iterable[int]) -> Iterator[int]:
        if number in self._soon:
            return
        rest = iter(faces)
        for one in rest:
            if one == face:
                break
        yield from (self._held[one] for one in islice(rest, _BATCH) if one in self._held)

    def _drop(self, face: int) -> None:
        number = self._held.pop(face, None)
        if number is not None:
            self.kept[number] = 0
        self._excluded.discard(face)

    def _keep(self, face: int, number: int) -> None:
        self._held[face] = number
        self.kept[number] = 1

    def _open_with(self, new: Mapping[tuple[int, int], Count]) -> None:
        """Begin anew with more clues."""
        self._more |= new
        faces = range(self._model.board.num_faces)
        #: The numbers of the other clues.
        self._numbers = {name: len(faces) + at for at, name in enumerate(self._more)}
        number, clues = len(faces) + len(self._more), None
        if self._more:
            exact = [_around(self._model, face, 1 << self._counts[face]) for face in faces]
            clues = [*exact, *self._more.values()]
        self._open(number, clues)


class NearbyCounts(_Nearby):
    """A known solution and counts of literals that hold in it, each under a name.

    >>> from linkoracle.board import Lattice
    >>> model, names = LinkModel.blank_loop(Lattice(3, 3)), {"on": 1, "off": -5, "far": 9}
    >>> counts = {name: Count((literal,), 0b10) for name, literal in names.items()}
    >>> square = NearbyCounts(model, (1, 2, 4, 6), counts)
    >>> square.holds("on"), square.holds("far"), square.hold(["off", "on"])
    (True, False, True)
    >>> square.is_alone(Deadline(None)), square.hold(["far"])
    (False, False)
    """

    def __init__(
        self, model: LinkModel, true_ones: Iterable[int], clues: Mapping[Any, Count]
    ) -> None:
        super().__init__(model, true_ones)
        self._open(len(clues), [*clues.values()])
        #: The number of each count, by its name.
        self.numbers = {name: number for number, name in enumerate(clues)}
        self._holding = self._engine.holding()
        self._broken = ~int.from_bytes(self._holding, "little")

    def holds(self, name: Any) -> bool:
        """Return whether the known solution has a count."""
        return bool(self._holding[self.numbers[name]])

    def hold(self, names: Collection[Any]) -> bool:
        """Keep these counts, and no others; return whether the known solution has them all."""
        self.kept = bytearray(map(names.__contains__, self.numbers))
        return not int.from_bytes(self.kept, "little") & self._broken


def _around(model: LinkModel, face: int, mask: int) -> Count:
    """Return the count of the edges of a face, out of a mask."""
    return Count(tuple(edge + 1 for edge in model.board.edges_of(face)), mask)
