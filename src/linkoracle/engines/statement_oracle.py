"""`StatementOracle`: one solver for all puzzles of one loop on a board, whatever their clues."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, filterfalse
from typing import TYPE_CHECKING, Any, NamedTuple

from linkoracle.board import (
    Board,
    Count,
    Edge,
    LinkModel,
    Solution,
    Statement,
    Statements,
    has_auxiliary,
)
from linkoracle.core import COMPILED, Deadline, Timeout, interruptible
from linkoracle.engines.answers import Assumptions, Edges, Seen
from linkoracle.engines.oracle import Oracle

if TYPE_CHECKING:
    from linkoracle.search import NearbyCounts

#: No statements.
_NONE: Statements = {}


class Stated(NamedTuple):
    """A query: statements in place of the clues of `Assumptions`, and edges."""

    clues: Statements
    edges: dict[int, bool]
    names: dict[int, Edge]
    masks: dict[int, int]

    def fits(self, seen: Seen) -> bool:
        """Return whether a solution of the blank board is known to be one of this query."""
        return all(seen.chosen[edge] == on for edge, on in self.edges.items()) and all(
            _satisfies(seen, statement) for statement in self.clues
        )

    def copy(self) -> Stated:
        """Return a copy that stays when this query is changed in place."""
        return self._replace(edges=dict(self.edges))


class StatementOracle(Oracle):
    """An oracle whose clues are `Statements`: what the models of puzzles state on one board.

    Every statement of a query is an assumption, and what the solver learns holds for the next
    query. So a puzzle with one clue more or less is decided quickly: both puzzles share most
    statements. ``core`` of a verdict names statements.

    >>> from linkoracle.board import Lattice
    >>> from linkoracle.board.statements import statements
    >>> blank = LinkModel.blank_loop(Lattice(3, 3))
    >>> with StatementOracle(blank.board) as oracle:
    ...     oracle.ask(statements(blank)).status
    ...     oracle.ask(statements(blank.with_holes([0, 2, 6]))).status
    'many'
    'unique'
    """

    def __init__(
        self,
        board: Board,
        *,
        solver: str | None = None,
        prompt: bool = False,
        plain: bool = not COMPILED,
    ) -> None:
        # Statements may name any visited vertex: each has a variable without constraints.
        named = [(board.visited(v), -board.visited(v)) for v in range(board.num_vertices)]
        blank = LinkModel.blank_loop(board).with_constraints(clauses=named)
        super().__init__(blank, solver=solver, prompt=prompt, plain=plain)
        self._made_of = board, {"solver": solver, "prompt": prompt, "plain": plain}
        #: The literals under which statements hold, and those under which they do not.
        self._holding: dict[Statement, int] = {}
        self._failing: dict[Statement, int] = {}
        #: A literal that is never true.
        self._never = self._search.new_variables(1)
        self._search.add([[-self._never]])

    @property
    def variables(self) -> int:
        """The number of variables of the solver so far: those of statements stay."""
        return self._search.variables

    def learn(self, stated: Statements, *, timeout: Timeout = None) -> None:
        """State what later queries may assume."""
        self._assume(self._checked(stated, ()), Deadline.of(timeout))

    def note(self, solutions: Iterable[Solution]) -> None:
        """Note loops on the board that may be solutions of the next queries."""
        for solution in solutions:
            self._noted(solution.edges)

    @interruptible
    def implies_all(
        self, stated: Statements, more: Statements, edges: Edges = (), *, timeout: Timeout = None
    ) -> bool:
        """Return whether there are solutions with ``stated``, and each of them has ``more``, too.

        Where statements have auxiliary variables, solutions are looked at one by one until one
        fails.
        """
        deadline = Deadline.of(timeout)
        missing = dict.fromkeys(filterfalse(stated.__contains__, more), True)
        query = self._checked(stated, edges)
        if not missing and self._near(query) is not None:
            return True
        if not missing:
            return self.contradiction(stated, edges, timeout=deadline) is None
        assert isinstance(query, Stated)
        follows = self._all_follow(query, missing, deadline)
        if follows is not None:
            return follows
        for seen in self._seen:
            if query.fits(seen) and any(
                _satisfies(seen, statement) is False for statement in missing
            ):
                return False
        if any(has_auxiliary(statement, self.model.board) for statement in missing):
            every = self.solutions(stated, edges, timeout=deadline)
            first = next(every, None)
            return first is not None and all(
                self._has(solution, missing, deadline) for solution in chain((first,), every)
            )
        fails = self._search.new_variables(1)
        self._search.add([[-fails, *(self._literal_against(one, deadline) for one in missing)]])
        try:
            if self._find([*self._assume(query, deadline), fails], deadline) is not None:
                return False
        finally:
            self._search.add([[-fails]])
        return self.contradiction(stated, edges, timeout=deadline) is None

    def _all_follow(self, query: Stated, more: Statements, deadline: Deadline) -> bool | None:
        """Return whether ``more`` follow from a query, if one of its solutions is known."""
        nearby = self._near(query, more)
        if nearby is None or not more.keys() <= nearby.numbers.keys():
            return None
        if not all(map(nearby.holds, more)):
            return False
        return nearby.follows([*map(nearby.numbers.__getitem__, more)], deadline)

    def _near(self, query: Any, more: Statements = _NONE) -> NearbyCounts | None:
        """Return the search around a known solution of a query; ``None`` if there is none.

        It knows each statement of the query, and those of ``more`` that are counts of variables of
        the board, and keeps what the query demands.
        """
        nearby: NearbyCounts | None = self._nearby
        stated = query.clues
        if not self._is_near:
            return None
        if query.edges:
            stated = stated | {_drawn(edge, on): True for edge, on in query.edges.items()}
        if nearby is None or not (
            stated.keys() <= nearby.numbers.keys()
            and (more.keys() <= nearby.numbers.keys() or self._has_auxiliary(more))
            and nearby.hold(stated)
        ):
            seen = self._seen_of(query)
            if seen is None or self._has_auxiliary(stated):
                return None
            # Boards that are asked about once do not load it.
            from linkoracle.search import NearbyCounts

            named = chain(stated, () if self._has_auxiliary(more) else more)
            counts = {statement: statement[0] for statement in named}
            if nearby is not None and len(nearby.numbers) < 2 * len(counts):
                # One clue after the other is asked about.
                counts |= {statement: statement[0] for statement in nearby.numbers}
            self._open_near(seen, lambda model, true: NearbyCounts(model, true, counts))
            nearby = self._nearby
            if nearby is None or not nearby.hold(stated):
                return None
        return nearby

    def _has_auxiliary(self, stated: Iterable[Statement]) -> bool:
        return any(has_auxiliary(statement, self.model.board) for statement in stated)

    def _follows(
        self, query: Any, _face: int | None, edge: int | None, deadline: Deadline
    ) -> bool | None:
        """Return whether an edge of a query follows from the rest, if that is easy."""
        nearby = self._near(query)
        if nearby is None or edge is None:
            return None
        drawn = _drawn(edge, query.edges[edge])
        if drawn in query.clues:
            return True
        number = nearby.numbers[drawn]
        nearby.kept[number] = 0
        return nearby.follows([number], deadline)

    def _has(self, solution: Solution, stated: Statements, deadline: Deadline) -> bool:
        exactly = dict(enumerate(map(bool, solution.marks())))
        query = self._checked(stated, exactly)
        return self._find(self._assume(query, deadline), deadline) is not None

    def _checked(self, clues: Any, edges: Edges) -> Any:
        self.check_open()
        named = Assumptions.of(self.model.board, (), edges)
        return Stated(dict(clues), named.edges, named.names, {})

    def _assume(self, query: Any, deadline: Deadline) -> list[int]:
        self._search.suppose({}, query.edges)
        assumed = [self._literal_of(statement, deadline) for statement in query.clues]
        assumed += (edge + 1 if on else -1 - edge for edge, on in query.edges.items())
        if not self._may_be_balanced({abs(one): one > 0 for one in assumed}):
            assumed.append(self._never)
        return assumed

    def _clues_in(self, core: set[int], query: Any) -> dict[Any, Any]:
        # Which vertices are visited, or not, makes their colours uneven.
        uneven = self._never in core
        return {
            statement: True
            for statement in query.clues
            if (literal := self._holding[statement]) in core
            or (uneven and abs(literal) <= self.model.num_variables)
        }

    def _literal_of(self, statement: Statement, deadline: Deadline) -> int:
        """Return the literal under which a statement holds."""
        literal = self._holding.get(statement)
        if literal is None:
            literal = _only_literal(statement) or self._state(statement, deadline)
            self._holding[statement] = literal
        return literal

    def _state(self, statement: Statement, deadline: Deadline) -> int:
        selector, new = self._search.new_variables(1), self._search.new_variables
        known = self.model.num_variables
        highest = max(abs(one) for count in statement for one in (*count.literals, known))
        first = new(highest - known) if highest > known else 0

        def named(literal: int) -> int:
            if abs(literal) <= known:
                return literal
            name = first + abs(literal) - known - 1
            return name if literal > 0 else -name

        for literals, allowed in statement:
            clauses = self._search.count_clauses([*map(named, literals)], allowed, [-selector])
            self._search.add(clauses, deadline)
        return selector

    def _literal_against(self, statement: Statement, deadline: Deadline) -> int:
        """Return the literal under which a statement of one count does not hold."""
        literal = self._failing.get(statement)
        if literal is None:
            (count,) = statement
            literal = -(_only_literal(statement) or 0)
            if not literal:
                others = ((2 << len(count.literals)) - 1) & ~count.allowed
                literal = self._state((Count(count.literals, others),), deadline)
            self._failing[statement] = literal
        return literal

    def _may_be_balanced(self, known: dict[int, bool]) -> bool:
        """Return whether as many black vertices may be visited as white ones.

        See `LinkModel.is_balanced`: without this, a solver would have to refute a pigeonhole
        problem.
        """
        board = self.model.board
        if (sides := board.sides) is None:
            return True
        least, most = [0, 0], [0, 0]
        for vertex, side in enumerate(sides):
            visited = known.get(board.visited(vertex))
            least[side] += visited is True
            most[side] += visited is not False
        return least[0] <= most[1] and least[1] <= most[0]


def _drawn(edge: int, on: bool) -> Statement:
    """Return the statement that an edge is on, or off."""
    return (Count((edge + 1 if on else -1 - edge,), 0b10),)


def _satisfies(seen: Seen, statement: Statement) -> bool | None:
    """Return whether a statement holds for a solution; ``None`` if it has auxiliary variables."""
    if statement not in seen.holds:
        found = None
        if not has_auxiliary(statement, seen.solution.board):
            ((literals, allowed),) = statement
            number = sum((one > 0) == (abs(one) in seen.true) for one in literals)
            found = bool(allowed >> number & 1)
        seen.holds[statement] = found
    return seen.holds[statement]


def _only_literal(statement: Iterable[Count]) -> int | None:
    """Return the literal that a statement demands by itself, if it is one."""
    match tuple(statement):
        case (Count((literal,), 0b10),):
            return literal
    return None
