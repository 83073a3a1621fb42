"""`Session`: a puzzle that loses clues one after the other and stays unique."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Self

from linkoracle.errors import NothingFound
from linkoracle.generate.hooks import Graded, Group, Keeps
from linkoracle.generate.witnesses import Witnesses, local_rivals
from linkoracle.puzzles import Slitherlink
from linkoracle.sat.rivals import Rivals
from linkoracle.sat.search import Deadline

if TYPE_CHECKING:
    from linkoracle.cdcl.rivals import CompiledRivals
    from linkoracle.generate.shapes import Ends
    from linkoracle.model import Solution

#: Values of ``engine``: see `linkoracle.generate.thinning.thin`.
ENGINES = ("sat", "cdcl")


class Session:
    """The clues that are left of a solution, and the questions about taking more away.

    Faces are numbered ``row * cols + col``. A removal is for good, unless it is only asked about
    with `could_remove`. ``order`` has all faces, those first whose clues are to be in a core rather
    than others. Use as a context manager.

    Raises `NothingFound` when even the full clues have another solution.

    >>> from linkoracle.generate.shapes import two_colour
    >>> from random import Random
    >>> with Session(two_colour(Random(1), 3, 3)) as session:
    ...     session.remove((0,)), session.remove((1,)), len(session.kept)
    (True, True, 7)
    """

    def __init__(
        self,
        solution: Solution,
        ends: Ends = None,
        *,
        keeps: Keeps | None = None,
        engine: str = "sat",
        solver: str | None = None,
        order: Sequence[int] | None = None,
        timeout: float | Deadline | None = None,
    ) -> None:
        self._full = Slitherlink.from_solution(solution, ends)
        self._deadline = Deadline.of(timeout)
        self._keeps = keeps
        self._clues = (
            keeps.clues(self._full, self._deadline.check) if isinstance(keeps, Graded) else None
        )
        blank = Slitherlink.blank(self._full.rows, self._full.cols, ends)
        self.rivals: Rivals | CompiledRivals
        if engine == "cdcl":
            # Loads Numba, which takes half a second.
            from linkoracle.cdcl.rivals import CompiledRivals

            self.rivals = CompiledRivals(blank.model, solution, solver=solver, order=order)
        else:
            self.rivals = Rivals(blank.model, solution, solver=solver, order=order)
        #: The faces that carry a clue.
        self.kept = set(range(len(self.rivals.counts)))
        #: Searches so far.
        self.questions = 0
        self._found: list[frozenset[int]] = []
        if not self._is_unique(self.kept, ()):
            self.rivals.close()
            raise NothingFound("this line shares its full clues with another one")
        self._core = set(self.rivals.core)
        self._solution, self._ends = solution, ends
        self._witnesses: Witnesses | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.rivals.close()

    def puzzle(self, kept: Iterable[int] | None = None) -> Slitherlink:
        """The board with the clues that are left, or with these."""
        left = self.kept if kept is None else set(kept)
        cols = self._full.cols
        return Slitherlink(
            tuple(
                tuple(clue if row * cols + col in left else None for col, clue in enumerate(clues))
                for row, clues in enumerate(self._full.clues)
            ),
            self._full.ends,
        )

    def core(self) -> set[int]:
        """Clues out of those left that already make the solution unique."""
        if not self._core <= self.kept:
            self._is_unique(self.kept, ())
            self._core = set(self.rivals.core)
        return self._core

    def rival(self, kept: set[int], denied: Sequence[int]) -> frozenset[int] | None:
        """What another solution changes that agrees on ``kept`` and changes one of ``denied``."""
        self.questions += 1
        rival = self.rivals.find(kept, denied, timeout=self._deadline)
        if rival is not None:
            self._found.append(rival)
        return rival

    def could_remove(self, faces: Sequence[int]) -> bool:
        """Whether the puzzle stays as wanted without these clues."""
        needed = self._known().needed
        if not needed.isdisjoint(faces):
            return False
        left = self.kept.difference(faces)
        return self._is_unique(left, faces) and self.wanted(left)

    def remove(self, group: Sequence[int]) -> bool:
        """Take these clues away if the puzzle stays as wanted; whether it does."""
        known = self._known()
        if not known.needed.isdisjoint(group):
            return False
        left = self.kept.difference(group)
        if self._is_unique(left, group):
            if not self.wanted(left):
                return False
            self._drop(group)
            return True
        if len(group) == 1:
            self._keep(group[0])
        return False

    def needs(self, face: int) -> bool:
        """Whether it is known that this clue cannot go."""
        return face in self._known().needed

    def witnesses(self, shown: set[int], groups: Sequence[Group]) -> Witnesses:
        """What is known of rivals with the clues ``shown``, as sets of groups by their index.

        Rivals that change any other clue are left out.
        """
        number_of = {face: number for number, group in enumerate(groups) for face in group}
        members = ([face for face in rival if face in shown] for rival in self._all_rivals())
        sets = (
            frozenset(number_of[face] for face in faces)
            for faces in members
            if all(face in number_of for face in faces)
        )
        return Witnesses(sets, range(len(groups)))

    @cached_property
    def _local(self) -> list[tuple[int, ...]]:
        return local_rivals(self._solution, self._ends)

    def _all_rivals(self) -> Iterable[Collection[int]]:
        return chain(self._local, self._found)

    def decide_at_once(self, faces: list[int]) -> list[int]:
        """Remove or keep for good each of these clues; those that are left undecided.

        All are left if the engine answers one question at a time; else the ones from a question on
        that it gives up. Rivals that are met are not kept in mind. Only without a hook.
        """
        if isinstance(self.rivals, Rivals):
            return faces
        kept, left, asked = self.rivals.try_all(self.kept, faces, self._deadline)
        self.questions += asked
        gone = self.kept - kept
        self.kept.difference_update(gone)
        if self._witnesses is not None:
            for face in gone:
                self.rivals.settle(self._witnesses.remove(face), stay=True)
        return left

    def decide(self, one: int, other: int) -> list[int]:
        """Remove or keep for good one of two clues, or both, with one question; those decided.

        Where both can go, one question takes the place of two. Where not, the rival that shows it
        mostly changes one of the two only, which is then needed. Only without a hook.
        """
        left = self.kept.difference((one, other))
        rival = self.rival(left, (one, other))
        if rival is None:
            self._drop((one, other))
            return [one, other]
        if one in rival and other in rival:
            self.remove((one,))
            return [one]
        self._keep(one if one in rival else other)
        return [one if one in rival else other]

    def remove_at_once(
        self, faces: Sequence[int], *, known_unique: bool = False, known_kept: bool = False
    ) -> bool:
        """Take all these clues away, or none; whether they are gone."""
        left = self.kept.difference(faces)
        if not faces:
            return True
        if not known_unique and not self._is_unique(left, faces):
            return False
        if not known_kept and not self.wanted(left):
            return False
        self._drop(faces)
        return True

    def _keep(self, face: int) -> None:
        self._known().needed.add(face)
        self.rivals.settle((face,), stay=True)

    def _drop(self, faces: Sequence[int]) -> None:
        self.kept.difference_update(faces)
        self.rivals.settle(faces, stay=False)
        if self._witnesses is not None:
            for face in faces:
                self.rivals.settle(self._witnesses.remove(face), stay=True)

    def _known(self) -> Witnesses:
        """The witnesses; made when first needed, since by then many clues have gone at once."""
        if self._witnesses is None:
            self._witnesses = Witnesses(self._local, self.kept)
            self.rivals.settle(sorted(self._witnesses.needed), stay=True)
        return self._witnesses

    def _is_unique(self, left: set[int], without: Sequence[int]) -> bool:
        return self.rival(left, without) is None

    def wanted(self, left: set[int]) -> bool:
        if self._clues is not None:
            return self._clues.passes(left)
        return self._keeps is None or self._keeps(self.puzzle(left))
