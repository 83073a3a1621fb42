"""How a query is answered: `Query`, its engines in turns, and the table that gives their order.

With ``engine="auto"`` several engines may work on a query. `schedule` gives their order and the
effort of each in its first turn. Every round doubles the effort, and a turn continues where the
last one of its engine stopped. The first engine to finish gives the answer. So a right first guess
costs nothing, and a wrong one costs a small multiple of the better engine's time. The work of SAT
is here; `linkoracle.engines.works` has that of the others.

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

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Generic, Literal

from linkoracle.board import PASS, PASS_OR_SKIP, LinkModel, Solution, without_auxiliary
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
from linkoracle.engines.lanes import has_lanes
from linkoracle.engines.works import CONFLICT, STATE, VERTEX, WORKS, Result, Work, direct

if TYPE_CHECKING:
    from linkoracle.engines.oracle import Oracle


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
        named = DEFAULT_SOLVER if self.solver is None else self.solver
        self.solver = checked_word(named, "a solver", SOLVERS)
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

    def decide(self) -> Verdict:
        """Decide whether there is no solution, one, or more, and return up to two of them."""
        found = self._first_answer("decide", 1, keep=True).solutions
        return Verdict(("none", "unique", "many")[len(found)], found, None)

    def count_result(self, limit: int | None = None, *, keep: bool = False) -> CountResult:
        """Count solutions up to ``limit``; with ``keep`` the result has them."""
        found = self._first_answer("count", limit, keep=keep)
        return replace(found, solutions=found.solutions[: found.count] if keep else ())

    def _first_answer(
        self, asked: Literal["decide", "count"], limit: int | None, *, keep: bool
    ) -> CountResult:
        """Let the engines work in turns until one has the answer.

        With a limit of 1 and ``keep``, it has up to two solutions.
        """
        if limit is not None and self.any_cycle and (found := direct(self, limit, keep)):
            return found
        turns: tuple[tuple[str, float], ...] = ((self.engine, inf),)
        if self.engine == "auto":
            turns = schedule(self.model, asked, limit)
        running: dict[str, Turns[CountResult] | None] = dict.fromkeys(name for name, _ in turns)
        out_of_memory: MemoryLimit | NotSupported | None = None
        factor = 1
        try:
            while running:
                for name, turn in turns:
                    if name not in running:
                        continue
                    # Its engine is loaded now.
                    work = running[name] = running[name] or Turns(self._work(name, limit, keep))
                    # Listing all may take forever, so after `MemoryLimit` SAT has one turn.
                    last = out_of_memory is not None and asked == "count" and limit is None
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
            for work in filter(None, running.values()):
                work.close()
        assert out_of_memory is not None
        raise out_of_memory

    @property
    def any_cycle(self) -> bool:
        """Whether the board is large, any cycle is a solution, and no engine is requested."""
        model = self.model
        if self.engine != "auto" or not model.loop or model.board.num_edges < LARGE_EDGES:
            return False
        return model.only_masks and not (
            model.given or PASS in model.degrees or model.has_face_rules
        )

    def _work(self, engine: str, limit: int | None, keep: bool) -> Work[CountResult | None]:
        """Return the work of an engine to count up to a limit."""
        if engine == "sat":
            return self._by_sat(limit, keep)
        if engine == "relaxed":
            # Most boards are decided without this module.
            from linkoracle.engines.relaxation import by_relaxation

            wide = across(self.model) > NARROW
            # A turn that is very long has as much effort as four turns on the board itself.
            conflict_cost = VERY_LONG / first_budget(self.model) / 4 if wide else CONFLICT
            return by_relaxation(self, limit, conflict_cost)
        return WORKS[engine](self, limit, keep)

    def _by_sat(self, limit: int | None, keep: bool) -> Work[CountResult]:
        """Count by listing."""
        with self.opened() as oracle:
            # Look for two solutions first: on Numberlinks that is far cheaper than a list.
            found = yield from self.asking(oracle)
            if len(found) < 2 or limit == 1:
                return CountResult(min(len(found), 1), len(found) < 2, "sat", found)
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

    def asking(self, oracle: Oracle) -> Work[tuple[Solution, ...]]:
        """Return up to two solutions of the oracle's board; fewer than two are all."""
        conflicts = SHORTLY if oracle.model.relaxed else first_budget(oracle.model)
        try:
            return oracle.ask(timeout=self.turn_deadline(conflicts)).solutions
        except ConflictLimit:
            yield conflicts * CONFLICT
        # Hardly any query gets this far.
        from linkoracle.engines.racing import race

        return (yield from race(self, oracle, conflicts))

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


#: With ``engine="auto"``, the number of solutions that SAT lists in its first turn. Listing a
#: hundred takes tens of milliseconds; loading the other engine takes longer.
FEW = 100

#: The effort of a turn that users do not notice, and of listing `FEW` solutions.
SHORT = 0.1

#: The conflicts of a first turn of SAT on boards that suit it worst.
SHORTLY = 300

#: The effort of a turn of SAT on boards that suit it best.
VERY_LONG = 20.0

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


#: Estimated costs of a list in seconds of one processor: of each solution, and of its edges.
ROUND, ROUND_EDGE = 100e-6, 0.7e-6


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
    """Return the largest frontier of a pass in vertices: the short side of rows and columns."""
    if side := min(model.board.vertex_shape):
        return side
    # Most queries need not load the frontier engine.
    from linkoracle.frontier import frontier_width

    return frontier_width(model.board)


def first_budget(model: LinkModel) -> int:
    """Return the conflict budget of the first turn of SAT."""
    return min(CONFLICT_BUDGET, max(1_000, int(min(a_pass(model), 1.0) / CONFLICT)))
