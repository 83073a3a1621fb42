"""`Sides`: which faces lie on one side of a loop, as far as known edges and other arguments show.

A line divides its two faces, a cross joins them. So a way from face to face, through edges that are
known, shows whether its ends are on the same side; a way to the outside shows on which side.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from linkoracle.board import Board

if TYPE_CHECKING:
    from linkoracle.deduce.board import DeductionState

R = TypeVar("R", bound=Hashable)


class Sides(Generic[R]):
    """What is known about the sides of the faces of a board; each relation has a reason.

    The face behind the last is the outside. Edges that lie beside one face, and not on the border
    of the board, lie at a hole of it, and relate nothing.

    >>> from linkoracle import Lattice
    >>> sides = Sides[int](Lattice(2, 3))
    >>> sides.relate(0, 1, apart=True, reason=7)
    >>> sides.relate(1, 2, apart=False, reason=8)
    >>> sides.inside(0), sides.way(0, 2), sides.way(0, 0)
    (True, [7, 8], [])
    """

    def __init__(self, board: Board) -> None:
        self.outside = board.num_faces
        self._board = board
        self._around: dict[int, list[tuple[int, bool, R]]] = {}
        try:
            self._border = frozenset(board.border()[1])
        except ValueError:
            self._border = frozenset()

    def beside(self, edge: int) -> tuple[int, int] | None:
        """Return the faces on both sides of an edge; ``None`` if it has not two."""
        faces = self._board.faces_of(edge)
        if len(faces) == 2:
            return faces[0], faces[1]
        return (faces[0], self.outside) if edge in self._border else None

    def learn(self, edge: int, reason: R, *, line: bool) -> None:
        """Note a known edge."""
        if faces := self.beside(edge):
            self.relate(*faces, apart=line, reason=reason)

    def relate(self, one: int, other: int, *, apart: bool, reason: R) -> None:
        """Note that two faces are on the same side of the loop, or ``apart``."""
        self._around.setdefault(one, []).append((other, apart, reason))
        self._around.setdefault(other, []).append((one, apart, reason))

    def way(self, one: int, other: int) -> list[R] | None:
        """Return what shows how two faces are related, on a shortest way; ``None``: nothing."""
        found = self._found(one, other)
        return None if found is None else found[1]

    def apart(self, one: int, other: int) -> bool | None:
        """Return whether two faces are on different sides; ``None`` if that is not known."""
        found = self._found(one, other)
        return None if found is None else found[0]

    def inside(self, face: int) -> bool | None:
        """Return whether a face is inside the loop; ``None`` if that is not known."""
        return self.apart(face, self.outside)

    def absolute(self, faces: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return those of some faces that are known to be inside, and those outside."""
        known = [(face, self.inside(face)) for face in dict.fromkeys(faces) if face < self.outside]
        inside, outside = (
            tuple(face for face, side in known if side is on) for on in (True, False)
        )
        return inside, outside

    def _found(self, start: int, goal: int) -> tuple[bool, list[R]] | None:
        """Return whether two faces are apart, and the reasons on a shortest way between them."""
        came: dict[int, tuple[int, bool, R] | None] = {start: None}
        queue = [start]
        for face in queue:
            if goal in came:
                break
            for far, apart, reason in self._around.get(face, ()):
                if far not in came:
                    came[far] = face, apart, reason
                    queue.append(far)
        if goal not in came:
            return None
        odd, reasons = False, list[R]()
        while (step := came[goal]) is not None:
            goal, apart, reason = step
            odd ^= apart
            reasons.append(reason)
        return odd, reasons[::-1]


class Shown(NamedTuple):
    """What shows some relations: literals, and the numbers of vertices and then faces whose sides
    fit in few ways; ``everywhere`` if the whole board shows them."""

    literals: frozenset[int]
    sites: frozenset[int]
    windows: frozenset[tuple[str, int]]
    everywhere: bool


#: What shows nothing.
_NOTHING = Shown(frozenset(), frozenset(), frozenset(), everywhere=False)


class Related:
    """The relations between faces that a deduction by patterns has found, and what shows them."""

    def __init__(self, board: DeductionState, names: Sequence[str]) -> None:
        """Take the relations of a state, whose techniques have these names."""
        self.board, self.lattice, self.names = board, board.model.lattice, names
        self.sides = Sides[int](self.lattice)
        self._relations = board.relations()
        self._literals = [literal for literal, _, _ in board.trail()]
        self._next = 0
        self._because: dict[int, Shown] = {}

    def go_to(self, known: int) -> None:
        """Take all relations that were found when fewer literals were known."""
        while self._next < len(self._relations) and self._relations[self._next][3] < known:
            one, other, differ, *_ = self._relations[self._next]
            self.sides.relate(one, other, apart=differ, reason=self._next)
            self._next += 1

    def between(self, one: int, other: int) -> Shown:
        """Return what shows how two faces are related, or nothing if they are not."""
        return union(map(self._shown, self.sides.way(one, other) or ()))

    def _shown(self, number: int) -> Shown:
        if number not in self._because:
            self._because[number] = self._looked_up(number)
        return self._because[number]

    def _looked_up(self, number: int) -> Shown:
        *_, differ, known, technique, place = self._relations[number]
        name = self.names[technique]
        if name == "colour":
            shown = frozenset((2 * place + (not differ),) if place >= 0 else ())
            return _NOTHING._replace(literals=shown)
        if name == "region":
            every = union(map(self._shown, range(number)))
            return every._replace(literals=frozenset(self._literals[:known]), everywhere=True)
        if name == "shade":
            around = self.edges_around(place)
            own = _NOTHING._replace(sites=frozenset((place,)))
        else:
            # The ends of all paths may meet in a window.
            around = [literal >> 1 for literal in self._literals]
            own = _NOTHING._replace(windows=frozenset(((name, place),)))
        literals = [one for one in self._literals[:known] if one >> 1 in {*around}]
        faces = self.faces_around(name, place)
        ways = (self.sides.way(one, other) or [number] for one, other in combinations(faces, 2))
        # Faces that this relation joins, or a later one, were not related before.
        before = {step for way in ways if max(way, default=-1) < number for step in way}
        return union([own._replace(literals=frozenset(literals)), *map(self._shown, before)])

    def edges_around(self, site: int) -> list[int]:
        """Return the edges at a vertex, or around a face, which counts on from the vertices."""
        face = site - self.lattice.num_vertices
        return [*(self.lattice.edges_at(site) if face < 0 else self.lattice.edges_of(face))]

    def faces_around(self, name: str, place: int) -> list[int]:
        """Return the faces whose sides a technique tries."""
        if name == "shade":
            edges = self.edges_around(place)
        else:
            side, cols = (2 if name == "window" else 3), self.lattice.cols
            row, col = divmod(place, cols - side)
            block = ((row + down) * (cols - 1) + col for down in range(side))
            faces = [first + right for first in block for right in range(side)]
            edges = [edge for face in faces for edge in self.lattice.edges_of(face)]
        return sorted({face for edge in edges for face in self.board.sides(edge)})


def union(some: Iterable[Shown]) -> Shown:
    """Return what shows several relations."""
    every = [*some]
    return Shown(
        frozenset(chain.from_iterable(one.literals for one in every)),
        frozenset(chain.from_iterable(one.sites for one in every)),
        frozenset(chain.from_iterable(one.windows for one in every)),
        any(one.everywhere for one in every),
    )
