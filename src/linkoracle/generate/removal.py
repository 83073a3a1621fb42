"""`Removal`: remove clues one after the other while the puzzle stays unique.

`linkoracle.generate.reducing` relates this to the literature.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, Any, Self

from linkoracle.board.board import Board
from linkoracle.board.dual import middle
from linkoracle.board.lattice import Lattice
from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import pick, swept
from linkoracle.generate.colouring import local_alternatives
from linkoracle.generate.making import Group, showing, with_all_clues
from linkoracle.kinds import Slitherlink, check_solution
from linkoracle.kinds.slitherlink import unknown_clues
from linkoracle.search import Alternatives, AlternativeSearch

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution


def sweep_order(board: Board, rng: Random) -> list[int]:
    """Return the faces in order from a random corner of the board to the opposite one.

    Of squares, one diagonal comes after the other. Boards without coordinates keep their order.
    """
    if isinstance(board, Lattice):
        return swept(rng, board.rows - 1, board.cols - 1)
    if board.points is None:
        return list(range(board.num_faces))
    right, down = (pick(rng, (1, -1)) for _ in range(2))
    faces = range(board.num_faces)
    walks = [[board.points[vertex] for vertex in board.walk(face)] for face in faces]
    places = [middle(walk) for walk in walks]
    return sorted(faces, key=lambda face: right * places[face][0] + down * places[face][1])


def near(full: Any, solution: Solution) -> list[tuple[int, ...]]:
    """Return the sets of faces whose counts near alternatives change.

    Given or forbidden lines, missing dots, and the rule to visit all dots may exclude near
    alternatives: then there are none.
    """
    fixed = full.given or full.forbidden or full.holes or full.fill
    return [] if fixed else local_alternatives(solution, full.ends)


class Witnesses:
    """Sets of faces that the clues must hit: those whose counts an alternative changes.

    Clues make the solution unique iff they hit the set of every alternative. If a set has a single
    clue, that clue is needed from then on. So every known alternative saves queries.

    >>> witnesses = Witnesses([{0, 1}, {1, 2}], clues=range(3))
    >>> sorted(witnesses.needed), witnesses.remove(0), witnesses.remove(2)
    ([], [1], [])
    """

    def __init__(self, alternatives: Iterable[Collection[int]], clues: Iterable[int]) -> None:
        #: For each clue, the remaining sets with it.
        self._with: dict[int, list[set[int]]] = {face: [] for face in clues}
        #: The clues that are needed.
        self.needed: set[int] = set()
        for alternative in alternatives:
            members = self._with.keys() & alternative
            for face in members:
                self._with[face].append(members)
            if len(members) == 1:
                self.needed |= members

    def remove(self, face: int) -> list[int]:
        """Remove a clue; return the clues that are newly needed. O(sets with it)."""
        now_needed: list[int] = []
        for members in self._with.pop(face, ()):
            members.discard(face)
            if len(members) == 1 and not members <= self.needed:
                self.needed |= members
                now_needed += members
        return now_needed


class Removal:
    """The clues left of the ``full`` ones of a solution.

    Removals are final; `could_remove` only tests one. ``accepts`` returns whether a set of clues
    with one solution is acceptable. ``order`` has all faces, the preferred ones of a core first.
    ``show`` is called with the clues left whenever they change. Use as a context manager.

    Raises `NothingFound` if even the full clues have another solution.
    """

    def __init__(
        self,
        full: Slitherlink,
        solution: Solution,
        accepts: Callable[[set[int]], bool],
        order: Sequence[int] | None,
        deadline: Deadline,
        show: Callable[[set[int]], object],
    ) -> None:
        self._full, self._solution, self._deadline = full, solution, deadline
        self._show = show
        self.accepts = accepts
        self.alternatives: AlternativeSearch = Alternatives(
            showing(full, ()), solution, order=order
        )
        #: The faces that have a clue.
        self.kept = set(range(len(self.alternatives.counts)))
        #: The alternatives found by queries, except in `decide`.
        self.met: list[frozenset[int]] = []
        self._witnesses: Witnesses | None = None
        if self.alternative(self.kept) is not None:
            self.alternatives.close()
            raise NothingFound("have another solution even with all clues")
        self._core = set(self.alternatives.core)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.alternatives.close()

    @property
    def queries(self) -> int:
        """The number of searches so far."""
        return self.alternatives.queries

    def core(self) -> set[int]:
        """Return a subset of the clues left that makes the solution unique."""
        if not self._core <= self.kept:
            self.alternative(self.kept)
            self._core = set(self.alternatives.core)
        return self._core

    def alternative(self, kept: set[int], denied: Sequence[int] = ()) -> frozenset[int] | None:
        """Find an alternative that agrees on ``kept`` and differs on one of ``denied``."""
        alternative = self.alternatives.find(kept, denied, timeout=self._deadline)
        if alternative is None:
            return None
        self.met.append(alternative.changed)
        return alternative.changed

    def could_remove(self, faces: Sequence[int]) -> bool:
        """Return whether the puzzle stays acceptable without these clues."""
        if not self.needed.isdisjoint(faces):
            return False
        left = self.kept.difference(faces)
        if self.alternative(left, faces) is None:
            return self.accepts(left)
        if len(faces) == 1:
            self._keep(faces[0])
        return False

    def remove(self, faces: Sequence[int]) -> bool:
        """Remove these clues if the puzzle stays acceptable; return whether it does."""
        possible = self.could_remove(faces)
        if possible:
            self.drop(faces)
        return possible

    def drop(self, faces: Sequence[int]) -> None:
        """Remove these clues, which are known to be redundant."""
        self.alternatives.fix_clues(faces, keep=False)
        self._note(faces)

    def witnesses(self, shown: set[int], groups: Sequence[Group]) -> Witnesses:
        """Return known alternatives for the clues ``shown``, as sets of indices of groups.

        Alternatives that change any other clue are omitted.
        """
        place = {face: number for number, group in enumerate(groups) for face in group}
        needed = filter(None, map(self.alternatives.witness, shown))
        alternatives = chain(self._local, self.met, (one.changed for one in needed))
        changed = map(shown.intersection, alternatives)
        sets = ({place[face] for face in faces} for faces in changed if faces <= place.keys())
        return Witnesses(sets, range(len(groups)))

    def decide(self, faces: Sequence[int]) -> None:
        """Remove or fix each of these clues, in order. Only if every clue set is acceptable."""
        kept = self.alternatives.reduce(self.kept, faces, timeout=self._deadline)
        self._note(self.kept - kept)

    def _keep(self, face: int) -> None:
        self.needed.add(face)
        self.alternatives.fix_clues((face,), keep=True)

    def _note(self, gone: Iterable[int]) -> None:
        """Record removed clues, and those that are needed from then on."""
        self.kept.difference_update(gone)
        self._show(self.kept)
        if self._witnesses is not None:
            for face in gone:
                self.alternatives.fix_clues(self._witnesses.remove(face), keep=True)

    @cached_property
    def _local(self) -> list[tuple[int, ...]]:
        return near(self._full, self._solution)

    @property
    def needed(self) -> set[int]:
        """The clues known to be needed; computed first after many removals."""
        if self._witnesses is None:
            self._witnesses = Witnesses([*self._local, *self.met], self.kept)
            self.alternatives.fix_clues(sorted(self._witnesses.needed), keep=True)
        return self._witnesses.needed


def _cells_of(puzzle: Any) -> dict[int, Any]:
    """Return the cells whose clues have a number, by their numbers as faces."""
    face_of, unknown = puzzle.board.face_of, unknown_clues(puzzle)
    return {face_of(cell): cell for cell, _ in puzzle.clue_cells() if cell not in unknown}


def redundant(
    puzzle: Slitherlink, solution: Solution, deadline: Deadline
) -> tuple[tuple[int, int], ...]:
    """Return the cells whose clue follows from the other clues, each taken by itself.

    ``solution`` must be the only solution of the puzzle. Raises `SearchTimeout`.

    >>> from linkoracle import solve
    >>> puzzle = Slitherlink([[4, 1], [None, None]])
    >>> redundant(puzzle, solve(puzzle), Deadline(None))
    ((0, 1),)
    """
    faces = _cells_of(puzzle)
    full = with_all_clues(puzzle, solution)
    # A near alternative shows that most clues are needed, without a search.
    needed = Witnesses(near(full, solution), faces).needed
    with Alternatives(showing(full, ()), solution) as alternatives:
        alternatives.fix_clues(sorted(needed), keep=True)
        return tuple(
            cell
            for face, cell in faces.items()
            if face not in needed
            and alternatives.find(faces.keys() - {face}, (face,), timeout=deadline) is None
        )


def witnesses(
    puzzle: Slitherlink, solution: Solution, *, timeout: float | None = None
) -> dict[tuple[int, int], Solution]:
    """Return for each needed clue another solution of the puzzle without that clue.

    ``solution`` is the only one of the puzzle, which is minimal iff every clue has a witness. They
    come from `linkoracle.search` and are checked independently by `linkoracle.check_solution`.
    Takes about as long as making the puzzle.

    Raises ``ValueError`` if the solution does not solve the puzzle, or another one does, and
    `SearchTimeout`.

    >>> from linkoracle.generate import slitherlink
    >>> made = slitherlink(6, 6, seed=1, minimal=True)
    >>> found = witnesses(made.puzzle, made.solution)
    >>> made.minimal, len(found) == made.puzzle.number_of_clues
    (True, True)
    """
    if not check_solution(puzzle, solution):
        raise ValueError("the solution given does not solve this puzzle")
    deadline = Deadline(timeout)
    faces = _cells_of(puzzle)
    blank = puzzle.with_clues(dict.fromkeys(dict(puzzle.clue_cells())))
    found = {}
    with Alternatives(blank, solution) as alternatives:
        if alternatives.find(faces.keys(), timeout=deadline) is not None:
            raise ValueError("the puzzle has another solution than the one given")
        for face, cell in faces.items():
            other = alternatives.find(faces.keys() - {face}, (face,), timeout=deadline)
            if other is None:
                continue
            without = puzzle.with_clues({cell: None})
            if other.solution == solution or not check_solution(without, other.solution):
                raise AssertionError("a witness failed its independent check")
            found[cell] = other.solution
    return found
