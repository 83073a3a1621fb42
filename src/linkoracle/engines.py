"""`Question`: what is asked about a model, and which engine answers.

With ``engine="auto"`` both engines may work on a question, in turns. `schedule` is the table that
says who begins and how much effort each spends in its first turn; every round doubles that, and
whoever finishes first has answered. A turn goes on where the one before stopped. So a first guess
that is right costs nothing, and one that is wrong costs a small multiple of what the better engine
needs.

What the guesses rest on:

* *Is there a solution, is it unique?* is what SAT is best at. It gets lost in a Numberlink now and
  then. Where all cells must be used, its solutions are among those of the board whose cells may
  stay empty, for which SAT knows more (see `linkoracle.sat.paths_kernel`): that is tried too.
* *How many? Which?* SAT lists some tens of solutions sooner than the frontier engine has loaded.
  The time of the frontier engine does not depend on their number. On a board with few rules
  they are too many to list.
* The frontier engine needs memory, up to threefold for each row of the short side of a board.
  When that runs out, SAT goes on alone: `count` with it, if there are few solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from sys import maxsize
from typing import TYPE_CHECKING, Literal, TypeVar

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import PASS, PASS_OR_SKIP, LinkModel, without_auxiliary
from linkoracle.board.solution import Solution
from linkoracle.core.errors import ConflictLimit, MemoryLimit, NotSupported
from linkoracle.core.limits import Deadline, Progress, Turns, Work, checked_memory, default_limit
from linkoracle.sat.answers import (
    CONFLICT_BUDGET,
    DEFAULT_SOLVER,
    ENGINES,
    SOLVERS,
    Engine,
    Tally,
    Verdict,
)

if TYPE_CHECKING:
    from linkoracle.frontier import Diagram
    from linkoracle.frontier.running import Step
    from linkoracle.sat.oracle import Oracle

#: With ``engine="auto"``, the number of solutions that SAT lists in its first turn. Listing a
#: hundred takes tens of milliseconds; loading the other engine takes longer.
FEW = 100

#: The effort of a turn that is not to be felt, and of listing `FEW`.
SHORT = 0.1

#: The effort of a turn of SAT where it knows most about a board.
VERY_LONG = 20.0

#: What things cost, about, in seconds of one processor. Estimates rather than the clock, so that
#: the same question gets the same answer from the same engine on any machine.
CONFLICT, ROUND, ROUND_EDGE, VERTEX, STATE = 40e-6, 100e-6, 0.7e-6, 8e-6, 0.2e-6
#: The same for a state and a vertex of a blank board, counted with ranks.
WORD = 1.5e-9

Result = TypeVar("Result")


def schedule(
    model: LinkModel, question: Literal["decide", "count", "list"], limit: int | None = None
) -> tuple[tuple[str, float], ...]:
    """Who works on a question, in this order, and the effort that each has spent after its turn.

    ============================================  =====================================
    question and board                            turns
    ============================================  =====================================
    any, long and very thin, with rules           frontier, SAT
    count, no rule but the global one, wide       frontier
    the same, less wide                           frontier for long, SAT
    count to a limit or list, no such rule        who takes less by the size of the board
    count to a limit, with rules                  SAT (`FEW` solutions), frontier for half of
                                                  what SAT takes to the limit, SAT to the limit
    count or list, other boards                   SAT (`FEW` solutions), frontier
    decide, a loop or one path                    SAT for long, frontier
    decide, pairs, empty cells, wide              SAT for very long, frontier
    decide, pairs, all cells used                 SAT, as if cells could stay empty (for very
                                                  long if wide), frontier
    decide, other pairs                           SAT, frontier
    ============================================  =====================================

    To count up to `FEW` is to decide. What rules save the frontier engine shows only when it tries.
    """
    ruled = model.has_face_rules or not model.only_masks
    ruled = ruled or len(model.terminals) > 1 or PASS in model.degrees
    large = LONG // 2 if len(model.terminals) > 1 else LONG
    long = model.board.num_edges >= large and a_pass(model) < 30 * listing_one(model)
    if long and (ruled or question != "decide"):
        return ("frontier", 1.0), ("sat", 1.0)
    blank = not ruled and model.board.num_edges >= MANY_EDGES
    if question == "list":
        few = few_of(model) * listing_one(model)
        if blank and a_pass(model) < FEW * listing_one(model):
            return ("frontier", 2.0), ("sat", 1.0)
        return ("sat", min(1.0, a_pass(model)) if blank else few), ("frontier", SHORT / 2)
    if question == "count" and (limit is None or limit > FEW):
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
    wide = is_wide(model)
    if model.is_free and wide:
        return ("sat", VERY_LONG), ("frontier", 1.0)
    turn = patience(model) * CONFLICT
    if model.freed:
        return ("sat", turn), ("freed", VERY_LONG if wide else turn), ("frontier", turn)
    return ("sat", turn), ("frontier", turn)


def listing_one(model: LinkModel) -> float:
    """What it takes SAT to list one solution more."""
    return ROUND + ROUND_EDGE * model.board.num_edges


def few_of(model: LinkModel) -> int:
    """How many solutions SAT lists in its first turn: `FEW`, and less where one takes long."""
    return max(20, min(FEW, int(SHORT / 6 / listing_one(model))))


def a_pass(model: LinkModel) -> float:
    """What it takes the frontier engine to pass over the board, if no face has a rule."""
    board, growth = model.board, 2.1
    if PASS_OR_SKIP in model.degrees:
        growth = 2.6 if model.terminals else 2.25
    # More edges to later vertices, more ways to lead paths to these.
    growth += 0.15 * max(0.0, 2 * board.num_edges / board.num_vertices - 4)
    return float(board.num_vertices * (VERTEX + STATE * growth ** min(across(model), 100)))


def across(model: LinkModel) -> int:
    """The vertices on the frontier of a pass, at most: of a square board its short side."""
    board = model.board
    if isinstance(board, Lattice):
        return min(board.rows, board.cols)
    from linkoracle.frontier.order import frontier_width

    return frontier_width(board)


def patience(model: LinkModel) -> int:
    """Conflicts after which SAT is asked for the first time whether it is still its turn."""
    return min(CONFLICT_BUDGET, max(1_000, int(min(a_pass(model), 1.0) / CONFLICT)))


#: Edges from which on a board without rules has more loops than are worth to be listed.
MANY_EDGES = 24

#: Vertices across from which on such a board has more of them than can be listed at all.
WIDE = 9

#: Edges from which on stating a board to SAT takes some hundredths of a second. Half as many where
#: SAT may get lost: between pairs.
LONG = 400

#: The short side up to which the frontier engine decides a Numberlink in a second or less.
NARROW = 12


def is_wide(model: LinkModel) -> bool:
    """Whether SAT decides such a board, without any rule but pairs, far sooner than the other."""
    return across(model) > NARROW


@dataclass(eq=False, repr=False)
class Question:
    """A model, and within which limits it is asked about: see `linkoracle.solving`.

    Raises ``ValueError`` for options that make no sense.

    >>> from linkoracle.kinds import Slitherlink
    >>> asked = Question(Slitherlink.blank(2, 2).model, "sat")
    >>> asked.tally().count, asked.decide().status
    (13, 'many')
    """

    model: LinkModel
    engine: Engine = "auto"
    timeout: float | None = None
    memory: int | None = None
    solver: str | None = None
    progress: Progress | None = None
    #: Starts with the first work, so that a list that is asked for later has all its time.
    deadline: Deadline = field(init=False)

    def __post_init__(self) -> None:
        for name, value, known in (
            ("an engine", self.engine, ENGINES),
            ("a solver", SOLVERS[0] if self.solver is None else self.solver, SOLVERS),
        ):
            if value not in known:
                raise ValueError(f"expected {name} out of {', '.join(known)}; got {value!r}")
        self.memory = checked_memory(self.memory)
        self.deadline = Deadline(self.timeout)
        if self.engine == "frontier":
            without_auxiliary(self.model, "the frontier engine")
        elif self.engine == "auto" and self.model.has_auxiliary:
            self.engine = "sat"

    def decide(self) -> Verdict:
        """Whether there is no solution, one, or more, and up to two of them."""
        found = self._first_answer("decide", self._works(1, keep=True)).solutions
        return Verdict(("none", "unique", "many")[len(found)], found, None)

    def decide_briefly(self, conflicts: int) -> Verdict | None:
        """`decide` by SAT, or ``None`` where so many conflicts do not suffice."""
        with self.opened() as oracle:
            try:
                return oracle.ask_within(self.patient(conflicts))
            except ConflictLimit:
                return None

    def tally(self, limit: int | None = None, *, keep: bool = False) -> Tally:
        """Count solutions up to ``limit``; with ``keep`` they are kept."""
        found = self._first_answer("count", self._works(limit, keep=keep), limit)
        return replace(found, solutions=found.solutions[: found.count] if keep else ())

    def diagram(self) -> Diagram:
        """All solutions, as the frontier engine holds them."""
        work = Turns(self.building())
        work.go_on(inf)
        assert work.answer is not None
        return work.answer

    def _works(self, limit: int | None, *, keep: bool) -> dict[str, Work[Tally | None]]:
        """What each may do to count; with a limit of 1, a kept answer has up to two solutions."""
        return {
            "sat": self._by_sat(limit, keep),
            "freed": self._freed_by_sat(limit),
            "frontier": self._by_frontier(limit, keep),
            "plain": self._by_plain(limit, keep),
        }

    def _first_answer(
        self,
        question: Literal["decide", "count"],
        works: dict[str, Work[Tally | None]],
        limit: int | None = None,
    ) -> Tally:
        """Let everybody work in turns until one has the answer."""
        turns: tuple[tuple[str, float], ...] = ((self.engine, inf),)
        if self.engine == "auto":
            turns = schedule(self.model, question, limit)
        running = {name: Turns(works[name]) for name, _ in turns}
        out_of_memory: MemoryLimit | NotSupported | None = None
        factor = 1
        try:
            while running:
                for name, turn in turns:
                    work = running.get(name)
                    if work is None:
                        continue
                    # To list all solutions may take for ever: out of memory, SAT has one turn more.
                    last = out_of_memory is not None and question == "count" and limit is None
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
            # Threads and processes of theirs are not left to the garbage collector.
            for work in running.values():
                work.close()
        assert out_of_memory is not None
        raise out_of_memory

    def opened(self, model: LinkModel | None = None) -> Oracle:
        """The SAT engine with this model, or with another in its place."""
        # Compiled: not needed to check options.
        from linkoracle.sat.oracle import Oracle

        return Oracle.opened_within(self.deadline, model or self.model, solver=self.solver)

    def patient(self, conflicts: int, answered: Callable[[], bool] | None = None) -> Deadline:
        """The deadline; with several engines, `ConflictLimit` after so many conflicts.

        Then also when somebody else has ``answered``.
        """
        if self.engine != "auto":
            return self.deadline
        return self.deadline.with_conflicts(conflicts, answered)

    def asking(self, oracle: Oracle) -> Work[tuple[Solution, ...]]:
        """Up to two solutions of the oracle's board: if there are less, these are all."""
        conflicts = patience(oracle.model)
        try:
            return oracle.ask_within(self.patient(conflicts)).solutions
        except ConflictLimit:
            yield conflicts * CONFLICT
        # Hardly any question gets so far.
        from linkoracle.sat.racing import Rivals

        with Rivals(oracle, self.solver, self.deadline) as rivals:
            while True:
                conflicts *= 2
                patient = self.patient(conflicts, rivals.heard)
                while not patient.used_up:
                    try:
                        return oracle.ask_within(patient).solutions
                    except ConflictLimit:
                        if rivals.solutions is not None:
                            return rivals.solutions
                yield conflicts * CONFLICT

    def _by_sat(self, limit: int | None, keep: bool) -> Work[Tally]:
        """Count by listing."""
        with self.opened() as oracle:
            # The two-solution question first: for Numberlink it is far cheaper than a list.
            found = yield from self.asking(oracle)
            if len(found) < 2 or limit == 1:
                return _up_to(1, found, "sat")
            few, conflicts = few_of(self.model), CONFLICT_BUDGET
            while True:
                number = 0
                kept: list[Solution] = []
                listed = oracle.solutions_within(self.patient(conflicts))
                try:
                    for number, solution in enumerate(listed, start=1):
                        if self.progress is not None:
                            self.progress(f"{number} solutions so far", None)
                        if number - 1 == limit:
                            # One more than wanted exists, which is all that has to be known of it.
                            return Tally(limit, False, "sat", tuple(kept))
                        if keep:
                            kept.append(solution)
                        if number > few:
                            yield listing_one(self.model)
                        elif number == few:
                            yield SHORT
                    return Tally(number, True, "sat", tuple(kept))
                except ConflictLimit:
                    yield conflicts * CONFLICT
                conflicts *= 2

    def plain_solutions(self) -> Iterator[Solution]:
        """All solutions, as the plain engine lists them."""
        from linkoracle.plain import solutions

        name = self.solver or DEFAULT_SOLVER
        for edges in solutions(self.model, self.deadline, solver=name):
            yield Solution(self.model.board, edges)

    def _by_plain(self, limit: int | None, keep: bool) -> Work[Tally]:
        """Count with a diagram if that is enough, and else by listing."""
        yield 0
        if limit is None and not keep:
            from linkoracle.plain_count import count

            return Tally(count(self.model, self.deadline), True, "plain")
        most = maxsize if limit is None else limit + 1
        return _up_to(limit, tuple(islice(self.plain_solutions(), most)), "plain")

    def _freed_by_sat(self, limit: int | None) -> Work[Tally | None]:
        """Decide a board to be filled by its solutions where cells may stay empty."""
        freed = self.model.freed
        if freed is None:
            return None
        # Where its turn is very long, to fill the board takes four of those of the board as it is.
        dear = VERY_LONG / patience(self.model) / 4 if is_wide(self.model) else CONFLICT
        enough = inf if limit is None else limit + 1
        with self.opened(freed) as oracle:
            taut = yield from self.asking(oracle)
            # Most boards are decided without.
            from linkoracle.relaxation import filling_solutions

            found = yield from filling_solutions(
                self.model, self.solver, oracle, taut, self.deadline, dear, enough
            )
        return None if found is None else _up_to(limit, found, "sat")

    def timed(self, steps: Generator[Step, None, Result], state: float = STATE) -> Work[Result]:
        """A pass of the frontier engine, with an eye on the clock; what a state costs in a step."""
        try:
            while True:
                done, total, states = next(steps)
                self.deadline.check()
                if self.progress is not None:
                    self.progress(f"step {done} of {total}, {states} states", done / total)
                # What is more than half done is worth finishing: from there on, steps count half.
                yield (VERTEX + state * states) / (1 if 2 * done < total else 2)
        except StopIteration as end:
            result: Result = end.value
            return result

    def building(self) -> Work[Diagram]:
        """`diagram`, as work that can be left and taken up again."""
        from linkoracle.frontier import Diagram

        room = self.memory or default_limit()
        return (yield from self.timed(Diagram.building_within(self.model, room, self.deadline)))

    def _by_frontier(self, limit: int | None, keep: bool) -> Work[Tally]:
        """Count by a pass over the board. Small boards are decided without loading this engine."""
        room = self.memory or default_limit()
        if keep:
            everything = yield from self.building()
            number = everything.count()
            most = maxsize if limit is None else min(max(limit, 2), maxsize)
            kept = tuple(islice(everything, most))
        else:
            from linkoracle.frontier.counts import counting, ranked_board

            # Alone and without a limit, no one waits for the pass to come back between its steps.
            watched = self.engine == "auto" or self.timeout is not None or self.progress is not None
            board, kept = ranked_board(self.model), ()
            steps = counting(self.model, board, room, self.deadline, by_step=watched)
            number = yield from self.timed(steps, STATE if board is None else WORD * board.width)
        if limit is not None and number > limit:
            return Tally(limit, False, "frontier", kept)
        return Tally(number, True, "frontier", kept)


def _up_to(limit: int | None, solutions: tuple[Solution, ...], engine: str) -> Tally:
    """The tally of a board of which these are all solutions, or one more than the limit."""
    count = len(solutions[:limit])
    return Tally(count, count == len(solutions), engine, solutions)
