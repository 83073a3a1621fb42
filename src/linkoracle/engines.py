"""`Question`: what is asked about a puzzle, and which engine answers.

With ``engine="auto"`` the engines are used as follows.

* *Is it unique? Is there a solution?* SAT: a question about one or two solutions is what it is
  best at. Only where two or more pairs have to be joined (Numberlink) it may get lost, so there
  it gets `PATIENCE` conflicts, after which the frontier engine has its try. When that runs out
  of memory, SAT goes on without a limit. Under the rule ``free`` SAT knows more (see
  `linkoracle.sat.taut`), and only on boards up to `NARROW` across the frontier engine
  can be expected to know better. Under ``fill``, a board on which SAT gets lost is first
  decided as if cells could stay empty, since its solutions are among those.
* *How many? Which?* SAT first. It settles the usual puzzle, with no or one solution, at once.
  When there are more than `FEW`, the frontier engine counts or lists them all: its time does not
  depend on how many there are. It needs memory instead, and when that is not enough, `count` says
  so with `MemoryLimit`, while `solutions`, which can be stopped at any time, goes on with SAT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from linkoracle.errors import ConflictLimit, MemoryLimit
from linkoracle.memory import default_limit
from linkoracle.sat.oracle import Oracle, Verdict
from linkoracle.sat.search import Deadline

if TYPE_CHECKING:
    from typing import Literal

    from linkoracle.frontier import Diagram
    from linkoracle.model import Solution
    from linkoracle.puzzles import Puzzle

#: Values of ``engine``.
ENGINES = ("auto", "sat", "frontier")

#: With ``engine="auto"``, the number of solutions that SAT lists before the frontier engine takes
#: over. Listing a hundred takes tens of milliseconds; loading the other engine takes longer.
FEW = 100

#: With ``engine="auto"``, the conflicts after which SAT gives a Numberlink to the frontier engine:
#: some tenths of a second.
PATIENCE = 10_000

#: The short side up to which the frontier engine has its try at a free Numberlink. Published boards
#: of 15 x 15 take SAT some seconds, and the frontier engine up to a minute.
NARROW = 12

#: With ``engine="auto"``, the conflicts after which SAT gives up to decide a board that must be
#: filled as if cells could stay empty: some seconds.
FREED_PATIENCE = 200_000

#: The line with which `Progress` is called when the frontier engine is used for the first time.
COMPILING = "compiling the frontier engine for this machine, once"

#: Called with a line about the work, and the share of it that is done where that is known.
Progress = Callable[[str, float | None], None]


@dataclass(frozen=True)
class Tally:
    """How many solutions were counted, and whether that is all.

    ``exact`` is false when the count stopped at the limit and more solutions exist. ``engine`` is
    the one that answered. ``solutions`` holds the solutions counted, when they were asked for.
    """

    count: int
    exact: bool
    engine: str
    solutions: tuple[Solution, ...] = ()


@dataclass(eq=False, repr=False)
class Question:
    """A puzzle, and within which limits it is asked about: see `linkoracle.solving`.

    Raises ``ValueError`` for an unknown engine.

    >>> from linkoracle.puzzles import Slitherlink
    >>> asked = Question(Slitherlink.blank(2, 2), "sat", Deadline(None))
    >>> asked.tally().count, asked.decide()[0].status, sum(1 for _ in asked.solutions())
    (13, 'many', 13)
    """

    puzzle: Puzzle
    engine: str
    deadline: Deadline
    memory: int | None = None
    solver: str | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            known = ", ".join(ENGINES)
            raise ValueError(f"expected one of the engines {known}, got {self.engine!r}")

    def decide(self) -> tuple[Verdict, str]:
        """The verdict, and which engine reached it."""
        if self.engine != "frontier":
            with self._oracle() as oracle:
                try:
                    return oracle.ask(timeout=self._patient), "sat"
                except ConflictLimit:
                    pass
            one = self._as_if_free()
            if one is not None:
                return Verdict(("none", "unique")[len(one)], one, None), "sat"
        try:
            found = self._up_to_two()
        except MemoryLimit:
            if self.engine == "frontier":
                raise
            with self._oracle() as oracle:
                return oracle.ask(timeout=self.deadline), "sat"
        return Verdict(("none", "unique", "many")[len(found)], found, None), "frontier"

    def tally(self, limit: int | None = None, *, keep: bool = False) -> Tally:
        """Count solutions up to ``limit``; with ``keep`` they are kept."""
        model = self.puzzle.model
        if limit == 1 and (model.is_free or (self.engine == "auto" and model.freed)):
            verdict, by = self.decide()
            kept = verdict.solutions[:1] if keep else ()
            return Tally(min(1, len(verdict.solutions)), verdict.status != "many", by, kept)
        if self.engine == "frontier":
            return self._tally_by_frontier(limit, keep)
        lost = False
        try:
            known = self._tally_by_sat(limit, keep, self._patient)
        except ConflictLimit:
            known, lost = None, True
        if known is not None:
            return known
        try:
            if lost:
                found, by = self._at_most_one()
                if found is not None:
                    return Tally(len(found), True, by, found if keep else ())
            return self._tally_by_frontier(limit, keep)
        except MemoryLimit:
            if lost:
                known = self._tally_by_sat(limit, keep, self.deadline)
            if known is None:
                raise
            return known

    def solutions(self) -> Iterator[Solution]:
        """Every solution once."""
        first: set[Solution] = set()
        with self._oracle() as oracle:
            if self.engine == "sat":
                yield from oracle.solutions(timeout=self.deadline)
                return
            lost = False
            if self.engine == "auto":
                try:
                    for solution in self._first(oracle):
                        first.add(solution)
                        yield solution
                    if len(first) < FEW:
                        return
                except ConflictLimit:
                    lost = True
            try:
                if lost and len(first) < 2:
                    found, _ = self._at_most_one()
                    if found is not None:
                        yield from (solution for solution in found if solution not in first)
                        return
                everything = self.diagram()
            except MemoryLimit:
                if self.engine == "frontier":
                    raise
                rest = oracle.solutions(timeout=self.deadline)
            else:
                rest = iter(everything)
            yield from (solution for solution in rest if solution not in first)

    def diagram(self) -> Diagram:
        """All solutions, as the frontier engine holds them."""
        from linkoracle.frontier import Diagram

        self._announce("diagram")
        return Diagram.build(self.puzzle.model, memory=self._room, progress=self._stepping())

    # ---- SAT ----

    def _oracle(self) -> Oracle:
        return Oracle(self.puzzle.model, solver=self.solver)

    @property
    def _may_get_lost(self) -> bool:
        return len(self.puzzle.model.terminals) > 1

    @property
    def _patient(self) -> Deadline:
        """The deadline for SAT's first try."""
        if self.engine != "auto" or not self._may_get_lost:
            return self.deadline
        lattice = self.puzzle.model.lattice
        if self.puzzle.model.is_free and min(lattice.rows, lattice.cols) > NARROW:
            return self.deadline
        return self.deadline.with_conflicts(PATIENCE)

    def _first(self, oracle: Oracle) -> Iterator[Solution]:
        """Up to `FEW` solutions by SAT; `ConflictLimit` where it gets lost in a Numberlink."""
        patient = self._patient
        shown: tuple[Solution, ...] = ()
        if self._may_get_lost:
            # The two-solution question is far cheaper than a list, and often there is no more to
            # list.
            verdict = oracle.ask(timeout=patient)
            shown = verdict.solutions
            yield from shown
            if verdict.status != "many":
                return
        others = (one for one in oracle.solutions(timeout=patient) if one not in shown)
        yield from islice(others, FEW - len(shown))

    def _tally_by_sat(self, limit: int | None, keep: bool, deadline: Deadline) -> Tally | None:
        """Count by listing; with "auto" ``None`` for more than `FEW`, if the limit is no lower."""
        few = FEW if self.engine == "auto" else None
        with self._oracle() as oracle:
            # The two-solution question first: for Numberlink it is far cheaper than a list.
            verdict = oracle.ask(timeout=deadline)
            if verdict.status != "many":
                found = verdict.solutions
                return Tally(len(found), True, "sat", found if keep else ())
            if limit == 1:
                return Tally(1, False, "sat", verdict.solutions[:1] if keep else ())
            stop = min((bound for bound in (limit, few) if bound is not None), default=None)
            number = 0
            kept: list[Solution] = []
            for solution in oracle.solutions(timeout=deadline):
                number += 1
                if self.progress is not None:
                    self.progress(f"{number} solutions so far", None)
                if stop is not None and number > stop:
                    # One more than wanted exists, which is all that has to be known of it.
                    return Tally(stop, False, "sat", tuple(kept)) if stop == limit else None
                if keep:
                    kept.append(solution)
            return Tally(number, True, "sat", tuple(kept))

    def _as_if_free(self) -> tuple[Solution, ...] | None:
        """All solutions of a board to be filled, if it has at most one even where cells may stay
        empty.

        There it has more solutions, but only taut ones have to be sought.
        """
        freed = self.puzzle.model.freed
        if freed is None:
            return None
        with Oracle(freed, solver=self.solver) as oracle:
            try:
                verdict = oracle.ask(timeout=self.deadline.with_conflicts(FREED_PATIENCE))
            except ConflictLimit:
                return None
        if verdict.status == "many":
            return None
        # Paths have one vertex more than edges.
        filled = freed.lattice.num_vertices - len(freed.terminals)
        return tuple(solution for solution in verdict.solutions if len(solution) == filled)

    # ---- the frontier engine ----

    @property
    def _room(self) -> int:
        return self.memory or default_limit()

    def _at_most_one(self) -> tuple[tuple[Solution, ...] | None, str]:
        """All solutions, if that can be said and there is one at most; and the engine that says it.

        For boards on which SAT got lost. Raises `MemoryLimit`.
        """
        if not self.puzzle.model.is_free:
            return self._as_if_free(), "sat"
        found = self._up_to_two()
        return found if len(found) < 2 else None, "frontier"

    def _up_to_two(self) -> tuple[Solution, ...]:
        """Up to two solutions, by the frontier engine."""
        if not self.puzzle.model.is_free:
            return tuple(islice(self.diagram(), 2))
        from linkoracle import frontier

        self._announce("two_solutions")
        return frontier.two_solutions(
            self.puzzle.model, memory=self._room, progress=self._stepping()
        )

    def _tally_by_frontier(self, limit: int | None, keep: bool) -> Tally:
        kept: tuple[Solution, ...] = ()
        if keep:
            everything = self.diagram()
            number = everything.count()
            kept = tuple(islice(everything, limit))
        else:
            from linkoracle import frontier

            self._announce("count")
            number = frontier.count(self.puzzle.model, memory=self._room, progress=self._stepping())
        if limit is not None and number > limit:
            return Tally(limit, False, "frontier", kept)
        return Tally(number, True, "frontier", kept)

    def _announce(self, work: Literal["count", "diagram", "two_solutions"]) -> None:
        """Say that the frontier engine has to be compiled first, if it has."""
        from linkoracle.frontier import compiled

        if self.progress is not None and not compiled(work):
            self.progress(COMPILING, None)

    def _stepping(self) -> Callable[[int, int, int], None] | None:
        """What the frontier engine calls between its steps, if anything has to be done there."""
        deadline, progress = self.deadline, self.progress
        if deadline.never and progress is None:
            return None

        def step(done: int, steps: int, states: int) -> None:
            deadline.check()
            if progress is not None:
                progress(f"step {done} of {steps}, {states} states", done / steps)

        return step
