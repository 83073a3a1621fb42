"""`Query`: a query about a model, and the choice of the engine that answers it.

With ``engine="auto"`` both engines may work on a query, in turns. The table `schedule` gives their
order and the effort of each in its first turn. Every round doubles the effort, and a turn continues
where the last one of its engine stopped. The first engine to finish gives the answer. So a right
first guess costs nothing, and a wrong one costs a small multiple of the better engine's time.

The guesses rest on these facts:

* *Is there a solution, is it unique?* SAT is best at this, but now and then gets lost in a
  Numberlink. If all cells must be used, every solution also solves the relaxation, whose cells may
  stay empty. SAT knows more about that board (see `linkoracle.engines.connectivity`), so it has a
  turn.
* *How many? Which?* SAT lists some tens of solutions before the frontier engine has loaded. The
  time of the frontier engine does not depend on their number, and a board with few rules has too
  many to list.
* *Two loops of a large board without constraints* are found without any engine.
* The frontier engine needs memory, up to threefold for each row of the short side of a board.
  When memory runs out, SAT goes on alone, which suits `count` if there are few solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from sys import maxsize
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from linkoracle.board import PASS, PASS_OR_SKIP, Lattice, LinkModel, Solution, without_auxiliary
from linkoracle.core import (
    COMPILED,
    ConflictLimit,
    Deadline,
    MemoryLimit,
    NotCompiled,
    NotSupported,
    Progress,
    checked_memory,
    checked_word,
)
from linkoracle.engines.answers import (
    CONFLICT_BUDGET,
    DEFAULT_SOLVER,
    ENGINES,
    SOLVERS,
    CountResult,
    Engine,
    Verdict,
)
from linkoracle.engines.lanes import CELL, CELLS, coverings, has_lanes

if TYPE_CHECKING:
    from linkoracle.engines.oracle import Oracle
    from linkoracle.frontier import Diagram, Step

#: With ``engine="auto"``, the number of solutions that SAT lists in its first turn. Listing a
#: hundred takes tens of milliseconds; loading the other engine takes longer.
FEW = 100

#: The effort of a turn that users do not notice, and of listing `FEW` solutions.
SHORT = 0.1

#: The conflicts of a first turn of SAT on boards that suit it worst.
SHORTLY = 300

#: The effort of a turn of SAT on boards that suit it best.
VERY_LONG = 20.0

#: Estimated costs in seconds of one processor. With estimates instead of the clock, the same query
#: is answered by the same engine on any machine.
CONFLICT, ROUND, ROUND_EDGE, VERTEX, STATE = 40e-6, 100e-6, 0.7e-6, 8e-6, 0.2e-6
#: The same for a state and a vertex of a blank board, counted with ranks.
WORD = 1.5e-9

Result = TypeVar("Result")

#: Work that yields the effort spent since it yielded last. The result `None` means "no answer".
Work = Generator[float, None, Result]


class Turns(Generic[Result]):
    """Work that can be interrupted and continued."""

    def __init__(self, work: Work[Result | None]) -> None:
        self._work = work
        self._spent = 0.0
        self._lost: MemoryLimit | None = None
        self.answer: Result | None = None

    def go_on(self, effort: float) -> bool:
        """Work until the total effort reaches ``effort``; return whether the work is finished.

        If the work raises `MemoryLimit`, so does every later turn.
        """
        if self._lost is not None:
            raise self._lost
        while self._spent < effort:
            try:
                self._spent += next(self._work)
            except StopIteration as end:
                self.answer = end.value
                return True
            except MemoryLimit as error:
                self._lost = error
                raise
        return False

    def close(self) -> None:
        self._work.close()


def schedule(
    model: LinkModel, query: Literal["decide", "count", "list"], limit: int | None = None
) -> tuple[tuple[str, float], ...]:
    """Return the engines that work on a query, in order, and the effort of each after its turn.

    ============================================  =====================================
    query and board                               turns
    ============================================  =====================================
    any, all cells used, no path touches itself   lanes for very long, SAT
    any, long and very thin, with constraints     frontier, SAT
    count, no local constraints, wide             frontier
    the same, less wide                           frontier for long, SAT
    count to a limit or list, no constraints      the faster one for this size of board
    count to a limit, with constraints            SAT (`FEW` solutions), frontier for half of
                                                  SAT's effort to the limit, SAT to the limit
    count or list, other boards                   SAT (`FEW` solutions), frontier
    decide, a loop or one path                    SAT for long, frontier
    decide, pairs, empty cells, wide              SAT for very long, frontier
    decide, pairs, all cells used                 SAT shortly, SAT on the relaxation, SAT, frontier
    the same, wide                                SAT on the relaxation for long, SAT, then on the
                                                  relaxation for very long, frontier
    decide, other pairs                           SAT, frontier
    ============================================  =====================================

    Counting up to `FEW` solutions is scheduled like deciding. How much constraints speed up the
    frontier engine is known only after it has tried.
    """
    if model.clauses and has_lanes(model):
        return ("lanes", VERY_LONG), ("sat", first_budget(model) * CONFLICT)
    ruled = model.has_face_rules or not model.only_masks
    ruled = ruled or len(model.terminals) > 1 or PASS in model.degrees
    large = LONG // 2 if len(model.terminals) > 1 else LONG
    long = model.board.num_edges >= large and a_pass(model) < 30 * listing_one(model)
    if long and (ruled or query != "decide"):
        return ("frontier", 1.0), ("sat", 1.0)
    blank = not ruled and model.board.num_edges >= MANY_EDGES
    if query == "list":
        few = few_of(model) * listing_one(model)
        if blank and a_pass(model) < FEW * listing_one(model):
            return ("frontier", 2.0), ("sat", 1.0)
        return ("sat", min(1.0, a_pass(model)) if blank else few), ("frontier", SHORT / 2)
    if query == "count" and (limit is None or limit > FEW):
        to_the_limit = inf if limit is None else limit * listing_one(model)
        if blank and limit is None and across(model) >= WIDE:
            return (("frontier", inf),)
        if blank and a_pass(model) < to_the_limit:
            return ("frontier", 2.0), ("sat", 1.0)
        if to_the_limit > 1.0:
            return ("sat", SHORT), ("frontier", 3 * SHORT)
        last = ("sat", SHORT + to_the_limit)
        if blank:
            return last, ("frontier", 3 * SHORT)
        return ("sat", SHORT), ("frontier", to_the_limit / 2), last
    if len(model.terminals) < 2:
        return ("sat", 1.0), ("frontier", 0.5)
    wide = across(model) > NARROW
    if model.is_free and wide:
        return ("sat", VERY_LONG), ("frontier", 1.0)
    turn = first_budget(model) * CONFLICT
    if model.relaxed:
        if wide:
            last = ("relaxed", VERY_LONG)
            return ("relaxed", 4 * turn), ("sat", turn), last, ("frontier", turn)
        return ("sat", SHORTLY * CONFLICT), ("relaxed", turn), ("sat", turn), ("frontier", turn)
    return ("sat", turn), ("frontier", turn)


def listing_one(model: LinkModel) -> float:
    """Return the effort of SAT to list one more solution."""
    return ROUND + ROUND_EDGE * model.board.num_edges


def few_of(model: LinkModel) -> int:
    """Return how many solutions SAT lists in its first turn: `FEW`, or less on large boards."""
    return max(20, min(FEW, int(SHORT / 6 / listing_one(model))))


def a_pass(model: LinkModel) -> float:
    """Return the effort of a pass of the frontier engine, if no face has a clue."""
    board, growth = model.board, 2.1
    if PASS_OR_SKIP in model.degrees:
        growth = 2.6 if model.terminals else 2.25
    # With more edges to later vertices there are more ways to continue a path.
    growth += 0.15 * max(0.0, 2 * board.num_edges / board.num_vertices - 4)
    return float(board.num_vertices * (VERTEX + STATE * growth ** min(across(model), 100)))


def across(model: LinkModel) -> int:
    """Return the largest frontier of a pass in vertices: the short side of a square board."""
    board = model.board
    if isinstance(board, Lattice):
        return min(board.rows, board.cols)
    from linkoracle.frontier import frontier_width

    return frontier_width(board)


def first_budget(model: LinkModel) -> int:
    """Return the conflict budget of the first turn of SAT."""
    return min(CONFLICT_BUDGET, max(1_000, int(min(a_pass(model), 1.0) / CONFLICT)))


#: Least edges of a board without constraints that has too many loops to list.
MANY_EDGES = 24

#: Least edges of such a board that takes SAT some hundredths of a second.
LARGE_EDGES = 2_000

#: Least vertices across such a board for which listing is hopeless.
WIDE = 9

#: Least edges of a board that takes SAT some hundredths of a second to encode. Half as many apply
#: to boards with pairs, where SAT may get lost.
LONG = 400

#: The longest short side of a Numberlink that the frontier engine decides within a second: SAT
#: decides wider ones far sooner.
NARROW = 12


@dataclass(eq=False, repr=False)
class Query:
    """A model, and the options and limits of a query about it: see `linkoracle.solving`.

    Raises ``ValueError`` for invalid options.

    >>> from linkoracle.kinds import Slitherlink
    >>> query = Query(Slitherlink.blank(2, 2).model, "sat")
    >>> query.count_result().count, query.decide().status
    (13, 'many')
    """

    model: LinkModel
    engine: Engine = "auto"
    timeout: float | None = None
    memory: int | None = None
    solver: str | None = None
    progress: Progress | None = None
    #: `linkoracle.solving.solutions` starts it anew with the first solution requested.
    deadline: Deadline = field(init=False)

    def __post_init__(self) -> None:
        checked_word(self.engine, "an engine", ENGINES)
        checked_word(self._solver_name, "a solver", SOLVERS)
        self.memory = checked_memory(self.memory)
        self.deadline = Deadline(self.timeout)
        if self.engine == "frontier":
            without_auxiliary(self.model, "the frontier engine")
        elif not COMPILED and self.engine != "plain":
            if self.engine != "auto":
                raise NotCompiled(f"linkoracle.{self.engine}")
            # In a browser tab, the only engine may know more than it does as the twin of others.
            from linkoracle.engines.plain import with_pair_labels

            self.engine, self.model = "plain", with_pair_labels(self.model)
        elif self.engine == "auto" and (
            self.model.free_ends or (self.model.has_auxiliary and not has_lanes(self.model))
        ):
            self.engine = "sat"

    def cycles(self) -> Iterator[Solution]:
        """Yield some solutions of a large board where any cycle is one; none for other models.

        O(1) for each on a board of small faces, whatever its size.
        """
        model = self.model
        if self.engine != "auto" or not model.loop or model.board.num_edges < LARGE_EDGES:
            return
        if model.given or not model.only_masks or model.has_face_rules or PASS in model.degrees:
            return
        # Most puzzles have clues.
        from linkoracle.board.topology import fundamental_cycles

        holes, forbidden = set(model.holes), set(model.forbidden)
        for edges in fundamental_cycles(model.board, holes, forbidden):
            yield Solution(model.board, edges)

    def _cycles_to(self, limit: int, *, keep: bool) -> CountResult | None:
        """Return the result if `cycles` are more than the limit; with ``keep``, it has them all."""
        kept: list[Solution] = []
        # No board has as many cycles that need no engine.
        if limit >= self.model.board.num_edges:
            return None
        for number, cycle in enumerate(self.cycles()):
            self.deadline.check()
            if keep:
                kept.append(cycle)
            if number == limit:
                return CountResult(limit, False, "direct", tuple(kept))
        return None

    @property
    def _solver_name(self) -> str:
        return DEFAULT_SOLVER if self.solver is None else self.solver

    def decide(self) -> Verdict:
        """Decide whether there is no solution, one, or more, and return up to two of them."""
        result = self._cycles_to(1, keep=True)
        if result is None:
            result = self._first_answer("decide", self._works(1, keep=True))
        found = result.solutions
        return Verdict(("none", "unique", "many")[len(found)], found, None)

    def decide_briefly(self, conflicts: int) -> Verdict | None:
        """Return `decide` by SAT, or ``None`` if this conflict budget does not suffice."""
        with self.opened() as oracle:
            try:
                return oracle.ask(timeout=self.turn_deadline(conflicts))
            except ConflictLimit:
                return None

    def count_result(self, limit: int | None = None, *, keep: bool = False) -> CountResult:
        """Count solutions up to ``limit``; with ``keep`` the result has them."""
        found = None if limit is None else self._cycles_to(limit, keep=keep)
        if found is None:
            found = self._first_answer("count", self._works(limit, keep=keep), limit)
        return replace(found, solutions=found.solutions[: found.count] if keep else ())

    def diagram(self) -> Diagram:
        """Return all solutions as a decision diagram of the frontier engine."""
        work = Turns(self.building())
        work.go_on(inf)
        assert work.answer is not None
        return work.answer

    def _works(self, limit: int | None, *, keep: bool) -> dict[str, Work[CountResult | None]]:
        """Return the work of each engine to count.

        With a limit of 1 and ``keep``, the result has up to two solutions.
        """
        return {
            "lanes": self._by_lanes(limit, keep),
            "sat": self._by_sat(limit, keep),
            "relaxed": self._relaxed_by_sat(limit),
            "frontier": self._by_frontier(limit, keep),
            "plain": self._by_plain(limit, keep),
        }

    def _first_answer(
        self,
        query: Literal["decide", "count"],
        works: dict[str, Work[CountResult | None]],
        limit: int | None = None,
    ) -> CountResult:
        """Let the engines work in turns until one has the answer."""
        turns: tuple[tuple[str, float], ...] = ((self.engine, inf),)
        if self.engine == "auto":
            turns = schedule(self.model, query, limit)
        running = {name: Turns(works[name]) for name, _ in turns}
        out_of_memory: MemoryLimit | NotSupported | None = None
        factor = 1
        try:
            while running:
                for name, turn in turns:
                    work = running.get(name)
                    if work is None:
                        continue
                    # Listing all may take forever, so after `MemoryLimit` SAT has one turn.
                    last = out_of_memory is not None and query == "count" and limit is None
                    effort = inf if len(running) == 1 and not last else factor * turn
                    try:
                        ended = work.go_on(effort)
                    except (MemoryLimit, NotSupported) as error:
                        out_of_memory, ended = error, True
                    if ended and work.answer is not None:
                        return work.answer
                    if ended or last:
                        work.close()
                        del running[name]
                factor *= 2
        finally:
            # Their threads and processes must not wait for the garbage collector.
            for work in running.values():
                work.close()
        assert out_of_memory is not None
        raise out_of_memory

    def opened(self, model: LinkModel | None = None) -> Oracle:
        """Return the oracle of this model, or of another one."""
        # Compiled, and not needed to check options.
        from linkoracle.engines.oracle import Oracle

        return Oracle(model or self.model, solver=self.solver, timeout=self.deadline)

    def turn_deadline(self, conflicts: int, answered: Callable[[], bool] | None = None) -> Deadline:
        """Return the deadline; with several engines, `ConflictLimit` ends a turn.

        It is raised after ``conflicts``, and when another process has ``answered``.
        """
        if self.engine != "auto":
            return self.deadline
        return self.deadline.with_conflicts(conflicts, answered)

    def asking(self, oracle: Oracle) -> Work[tuple[Solution, ...]]:
        """Return up to two solutions of the oracle's board; fewer than two are all."""
        conflicts = SHORTLY if oracle.model.relaxed else first_budget(oracle.model)
        try:
            return oracle.ask(timeout=self.turn_deadline(conflicts)).solutions
        except ConflictLimit:
            yield conflicts * CONFLICT
        # Hardly any query gets this far.
        from linkoracle.engines.racing import Racers

        with Racers(oracle, self.solver, self.deadline) as racers:
            while True:
                conflicts *= 2
                turn = self.turn_deadline(conflicts, racers.heard)
                while not turn.used_up:
                    try:
                        return oracle.ask(timeout=turn).solutions
                    except ConflictLimit:
                        if racers.solutions is not None:
                            return racers.solutions
                yield conflicts * CONFLICT

    def _by_lanes(self, limit: int | None, keep: bool) -> Work[CountResult]:
        """Count by a search along lanes."""
        number = 0
        kept: list[Solution] = []
        for solution in coverings(self.model, self.deadline, self.memory):
            if solution is None:
                yield CELLS * CELL
                continue
            number += 1
            if keep:
                kept.append(solution())
            if limit is not None and number > limit:
                return CountResult(limit, False, "lanes", tuple(kept))
        return CountResult(number, True, "lanes", tuple(kept))

    def _by_sat(self, limit: int | None, keep: bool) -> Work[CountResult]:
        """Count by listing."""
        with self.opened() as oracle:
            # Look for two solutions first: on Numberlinks that is far cheaper than a list.
            found = yield from self.asking(oracle)
            if len(found) < 2 or limit == 1:
                return _up_to(1, found, "sat")
            few, conflicts = few_of(self.model), CONFLICT_BUDGET
            while True:
                number = 0
                kept: list[Solution] = []
                listed = oracle.solutions(timeout=self.turn_deadline(conflicts))
                try:
                    for number, solution in enumerate(listed, start=1):
                        if self.progress is not None:
                            self.progress(f"{number} solutions so far", None)
                        if number - 1 == limit:
                            # One more than the limit exists; nothing else matters.
                            return CountResult(limit, False, "sat", tuple(kept))
                        if keep:
                            kept.append(solution)
                        if number > few:
                            yield listing_one(self.model)
                        elif number == few:
                            yield SHORT
                    return CountResult(number, True, "sat", tuple(kept))
                except ConflictLimit:
                    yield conflicts * CONFLICT
                conflicts *= 2

    def plain_solutions(self) -> Iterator[Solution]:
        """Yield all solutions, as the plain engine lists them."""
        from linkoracle.engines.plain import solutions

        for edges in solutions(self.model, self.deadline, solver=self._solver_name):
            yield Solution(self.model.board, edges)

    def _by_plain(self, limit: int | None, keep: bool) -> Work[CountResult]:
        """Count, and list, all solutions with a diagram; up to a limit by the solver."""
        yield 0
        if limit is None:
            from linkoracle.engines import plain_diagram

            if keep:
                found = plain_diagram.solutions(self.model, self.deadline)
                kept = tuple(Solution(self.model.board, edges) for edges in found)
                return CountResult(len(kept), True, "plain", kept)
            return CountResult(plain_diagram.count(self.model, self.deadline), True, "plain")
        most = maxsize if limit is None else limit + 1
        return _up_to(limit, tuple(islice(self.plain_solutions(), most)), "plain")

    def _relaxed_by_sat(self, limit: int | None) -> Work[CountResult | None]:
        """Decide a board whose cells must all be used by the solutions of its relaxation."""
        relaxed = self.model.relaxed
        if relaxed is None:
            return None
        if not self.model.is_balanced:
            # Which is seen sooner than that the relaxation has solutions.
            return _up_to(limit, (), "sat")
        # Where its turn is very long, it has as much effort as four turns on the board itself.
        wide = across(self.model) > NARROW
        conflict_cost = VERY_LONG / first_budget(self.model) / 4 if wide else CONFLICT
        enough = inf if limit is None else limit + 1
        with self.opened(relaxed) as oracle:
            taut = yield from self.asking(oracle)
            # Most boards are decided without this module.
            from linkoracle.engines.relaxation import filling_solutions

            found = yield from filling_solutions(
                self.model, self.solver, oracle, taut, self.deadline, conflict_cost, enough
            )
        return None if found is None else _up_to(limit, found, "sat")

    def timed(self, steps: Generator[Step, None, Result], state: float = STATE) -> Work[Result]:
        """Run a pass of the frontier engine within the deadline; yield the effort of its steps."""
        try:
            while True:
                done, total, states = next(steps)
                self.deadline.check()
                if self.progress is not None:
                    self.progress(f"step {done} of {total}, {states} states", done / total)
                # A pass that is more than half done is worth finishing, so its steps count half.
                yield (VERTEX + state * states) / (1 if 2 * done < total else 2)
        except StopIteration as end:
            result: Result = end.value
            return result

    def building(self) -> Work[Diagram]:
        """Return `diagram`, as work that can be interrupted and continued."""
        from linkoracle.core import default_limit
        from linkoracle.frontier import building

        room = self.memory or default_limit()
        return (yield from self.timed(building(self.model, room, self.deadline)))

    def _by_frontier(self, limit: int | None, keep: bool) -> Work[CountResult]:
        """Count by a pass over the board. Small boards do not load this engine."""
        from linkoracle.core import default_limit

        room = self.memory or default_limit()
        if keep:
            everything = yield from self.building()
            number = everything.count()
            most = maxsize if limit is None else min(max(limit, 2), maxsize)
            kept = tuple(islice(everything, most))
        else:
            from linkoracle.frontier import counting, ranked_board

            # Only turns, time limits and progress need the pass to return between its steps.
            watched = self.engine == "auto" or self.timeout is not None or self.progress is not None
            board, kept = ranked_board(self.model), ()
            steps = counting(self.model, board, room, self.deadline, by_step=watched)
            number = yield from self.timed(steps, STATE if board is None else WORD * board.width)
        if limit is not None and number > limit:
            return CountResult(limit, False, "frontier", kept)
        return CountResult(number, True, "frontier", kept)


def _up_to(limit: int | None, solutions: tuple[Solution, ...], engine: str) -> CountResult:
    """Return the result for ``solutions``: all of them, or one more than the limit."""
    count = len(solutions[:limit])
    return CountResult(count, count == len(solutions), engine, solutions)
