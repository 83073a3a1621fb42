"""`Session`: a board whose clues and edges change, and a solver that keeps what it has learned.

The JSON lines of `count-solutions --jsonl`, the page of the studio and the board in a notebook all
use sessions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self

from linkoracle import deduce
from linkoracle import generate as library
from linkoracle.board import LinkModel, Solution
from linkoracle.core import (
    COMPILED,
    Deadline,
    Interruptible,
    PuzzleError,
    checked_int,
    exports,
    interruptible,
)
from linkoracle.engines import Clue, CountResult, Engine, Oracle, Verdict
from linkoracle.kinds import Puzzle, cell_named
from linkoracle.session.board import NO_CHANGES, Changes, ChangingBoard, ReadChanges
from linkoracle.session.clues import Cell
from linkoracle.session.forced import Forced, Sides, forced
from linkoracle.session.hints import (
    CORE_SECONDS,
    contradicting_marks,
    hint_of_wrong,
    implied_hint,
    next_hint,
    records_visits,
    wrong_marks,
)
from linkoracle.session.hints import LEVELS as LEVELS
from linkoracle.session.hints import Hint as Hint
from linkoracle.session.hints import Marks as Marks
from linkoracle.session.hints import Wrong as Wrong
from linkoracle.session.queries import Queries, distance
from linkoracle.solving import confirm, count_result, solve

if TYPE_CHECKING:
    from linkoracle.session.serving import Limits as Limits
    from linkoracle.session.serving import Service as Service
else:
    __all__, __getattr__, __dir__ = exports(
        __name__,
        {"hints": "Hint LEVELS Marks Wrong", "serving": "Limits Service"},
        own="Session",
    )

_STATUS: tuple[Literal["none", "unique", "many"], ...] = ("none", "unique", "many")


class Session(Interruptible):
    """A board that begins as a puzzle, and queries about it.

    ``clues`` by cell and ``edges``, on or off by their ids, are the current state; `set`, `reduce`
    and `generate` change the state, and `undo` undoes changes. A query takes ``changes`` that hold
    for this query alone, as a mapping or as pairs: for a cell a clue, as for an `Oracle`, or
    ``None`` for no clue; for an edge, by its id or its two dots or cells, ``True``, ``False``, or
    ``None`` to leave the edge open. The cells of a board that is not square are ``(face,)``. A
    query raises `SearchTimeout` after ``timeout`` seconds.

    Clues of a kind whose lines run through cells are numbers or words, never sets. Each such puzzle
    of one loop states its rules again; the solver reuses the statements of the last query. The
    pairs of a Numberlink are a part of the board: a query with other pairs builds a new `Oracle`,
    which has learned nothing yet. Changes that leave an invalid puzzle, such as a number that
    occurs once, raise `PuzzleError` and change nothing.

    ``engine`` is the engine of `linkoracle.Options`; with ``"plain"``, the kept solver also has the
    clauses of the plain engine. ``solver`` is a PySAT solver in place of the default, ``memory``
    the bytes that engines may use beside the solver. With ``prompt``, queries may be interrupted:
    after ``KeyboardInterrupt`` the session answers as quickly as before. A session with ``prompt``
    must be closed: an interrupt while Python frees an oracle would free its solver twice.

    A copy, and a session that is pickled, has the same board and changes, and a new solver.

    >>> from linkoracle import Numberlink, Slitherlink
    >>> with Session(Slitherlink([[3, 3], [1, 1]])) as session:
    ...     session.ask().status, session.ask(dict.fromkeys(session.clues)).status
    ...     session.implies((0, 0)), session.reduce([(0, 0), (0, 1), (1, 0), (1, 1)])
    ...     session.clues, session.undo(), session.clues
    ('unique', 'many')
    (True, ('unique', True))
    ({(1, 0): 1, (1, 1): 1}, True, {(1, 0): 1, (1, 1): 1, (0, 0): 3, (0, 1): 3})
    >>> with Session(Numberlink.blank(2, 3)) as session:
    ...     session.set({(0, 0): 1, (0, 2): 1})
    ...     session.count().count, session.ask({(1, 0): 2, (1, 2): 2}).status
    True
    (4, 'unique')
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        engine: Engine = "auto",
        solver: str | None = None,
        memory: int | None = None,
        prompt: bool = False,
    ) -> None:
        self._queries = Queries(engine=engine, solver=solver, memory=memory, prompt=prompt)
        self.begin(puzzle)
        if not prompt:
            self.board.held.prepare(self._queries)

    def __copy__(self) -> Self:
        # Changes of a copy do not change the original.
        return deepcopy(self)

    def close(self) -> None:
        """Free the oracle; another query would create a new one."""
        self._queries.close()

    def begin(self, puzzle: Puzzle) -> None:
        """Start over with a puzzle; earlier changes cannot be undone."""
        self.board = ChangingBoard(puzzle)

    @property
    def clues(self) -> dict[Cell, Clue]:
        """The clues by cell."""
        return self.board.held.values

    @property
    def edges(self) -> dict[int, bool]:
        """The edges that are on or off, by their ids."""
        return self.board.edges

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle with the current clues; raises `PuzzleError` if one is a set of numbers."""
        return self.board.held.puzzle

    def model(self, changes: Changes = NO_CHANGES) -> LinkModel:
        """Return the model of the board with its clues and its edges."""
        return self.board.model(changes)

    def set(self, changes: Changes) -> bool:
        """Make changes that stay until `undo`; return whether they changed anything.

        `undo` takes back each call, also one that changed nothing. Raises ``ValueError`` for an
        invalid change, and then changes nothing.

        >>> from linkoracle import Session, Slitherlink
        >>> with Session(Slitherlink.blank(2, 2)) as session:
        ...     session.set({(0, 0): 3, ((0, 0), (0, 1)): False}), session.set({(1, 1): None})
        ...     session.clues, session.edges
        ...     session.undo(), session.clues, session.undo(), session.clues
        (True, False)
        ({(0, 0): 3}, {0: False})
        (True, {(0, 0): 3}, True, {})
        """
        return self.board.set(changes)

    def undo(self) -> bool:
        """Take back the last call that may have changed the board; return false if there is none.

        That is the last `set`, `Session.reduce` or `Session.generate`, even if it changed nothing.
        Calls since `begin` can be undone, up to `MAX_UNDO` clues and edges.
        """
        return self.board.undo()

    def without(self, cell: Cell) -> Changes:
        """Return the changes that remove the clue of a cell; in a Numberlink, its whole pair."""
        return dict.fromkeys(self.clues.keys() - self.board.held.without(cell).values)

    @interruptible
    def ask(
        self,
        changes: Changes = NO_CHANGES,
        *,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> Verdict:
        """Decide whether there is no solution, one, or more.

        The verdict has up to two solutions; with ``limit`` (at least 2) up to ``limit``. It has no
        core: see `core`.
        """
        held, edges = self.board.query(changes)
        if limit is None:
            return held.decide(self._queries, edges, Deadline(timeout))
        most = checked_int(limit, "a limit of solutions", 2)
        listed = held.some(self._queries, edges, most, timeout)
        return Verdict(_STATUS[min(len(listed), 2)], listed, None)

    @interruptible
    def core(
        self,
        changes: Changes = NO_CHANGES,
        *,
        containing: Collection[Any] | None = None,
        preview: Callable[[Verdict], object] | None = None,
        timeout: float | None = None,
    ) -> Verdict:
        """Decide like `ask`, and find the fewest clues and edges that contradict each other.

        The core contains one of ``containing``, cells of clues and edges, if possible; by
        default those of ``changes``, or else of the last change that `undo` would undo. Of several
        such cores, the result is the one nearest to these cells, whatever the earlier queries were.
        ``preview`` gets a minimal core before the search for the smallest one.

        The search takes up to ten more seconds, and at most half of the time left. If time runs
        out, ``core_minimal`` of the verdict may be false: the core may have redundant members. Or
        ``core_smallest`` is false: a smaller core may exist.

        For one loop through cells, the core has clues that contradict each other whatever the other
        cells hold. For a Numberlink, it has pairs that cannot be joined together even if cells may
        stay empty; where all pairs can be joined, it is ``None`` unless edges are on or off.

        >>> from linkoracle import Session
        >>> from linkoracle.kinds.masyu import Masyu
        >>> with Session(Masyu(["w.b", "...", "..."])) as session:
        ...     session.core().core, session.redundant(), session.ask({(0, 0): None}).status
        ({(0, 0): 'w'}, [], 'many')
        >>> from linkoracle import Slitherlink
        >>> with Session(Slitherlink([[3, 0, None], [None, 3, 0]])) as session:
        ...     session.core().core, session.core({(0, 2): 3}).core
        ({(0, 0): 3, (0, 1): 0}, {(0, 1): 0, (0, 2): 3})
        """
        board = self.board
        changes = board.read(changes)
        held, edges = board.query(changes)
        near = board.edited(changes) if containing is None else [*map(board.named, containing)]
        return held.core(
            self._queries,
            edges,
            timeout=Deadline(timeout),
            containing=[("edge" if isinstance(one, int) else "clue", one) for one in near],
            order=partial(distance, [one for one in near if isinstance(one, tuple)]),
            preview=preview,
        )

    @interruptible
    def solution(
        self, changes: Changes = NO_CHANGES, *, timeout: float | None = None
    ) -> Solution | None:
        """Find a solution; ``None`` if there is none."""
        held, edges = self.board.query(changes)
        posed = held.posed
        return self._queries.find(
            posed,
            lambda oracle, until: next(
                oracle.solutions(posed.stated, edges=edges, timeout=until.left), None
            ),
            Deadline(timeout),
        )

    @interruptible
    def implies(
        self, what: Any, changes: Changes = NO_CHANGES, *, timeout: float | None = None
    ) -> bool:
        """Return whether the clue of a cell, or an edge being on or off, follows from all others.

        It follows if there are solutions without it, and each of them is one with it. So a puzzle
        with one solution keeps this solution, and no other, if a clue that follows is removed.
        False if the others contradict each other, as they may where a clue also closes its cell: in
        a Yajilin, a cell without a clue must be visited or shaded. In a Numberlink, both numbers of
        the pair are left out. A clue that restricts nothing, such as ``?`` in a Slitherlink,
        follows wherever there are solutions. Raises ``KeyError`` for a cell without a clue, and for
        an open edge.

        >>> from linkoracle import Session
        >>> from linkoracle.kinds import Yajilin
        >>> with Session(Yajilin([". . .", ". x .", ". . ."])) as session:
        ...     session.ask().status, session.implies((1, 1))
        ('unique', False)
        """
        held, edges = self.board.query(changes)
        return held.implies(self._queries, self.board.named(what), edges, Deadline(timeout))

    @interruptible
    def redundant(self, *, timeout: float | None = None) -> list[Cell]:
        """Return the cells of clues each of which can be removed without changing the solutions.

        That is none if there is no solution.
        """
        deadline, held = Deadline(timeout), self.board.held
        # A known solution makes the other queries easy.
        if held.decide(self._queries, self.edges, deadline).status == "none":
            return []
        return [
            cell
            for cell in held.values
            if held.reduced(self._queries, cell, self.edges, deadline) is not None
        ]

    @interruptible
    def forced(self, changes: Changes = NO_CHANGES, *, timeout: float | None = None) -> Forced:
        """Find the edges, vertices and faces on which all solutions agree.

        After ``timeout`` seconds, return what is known so far. Raises `PuzzleError` if there is no
        solution.

        >>> from linkoracle import Session, Slitherlink
        >>> with Session(Slitherlink([[3, None, None], [None, None, 0]])) as session:
        ...     found = session.forced()
        ...     session.ask().status, found.lines, found.inside, found.outside
        ('many', [0, 1], [0], [2, 4, 5])
        """
        deadline, (held, edges) = Deadline(timeout), self.board.query(changes)
        verdict = held.decide(self._queries, edges, deadline)
        model = self.board.model(changes)
        return forced(self._queries, held.posed, model, edges, verdict, deadline)

    @interruptible
    def count(
        self, changes: Changes = NO_CHANGES, limit: int | None = None, **options: Any
    ) -> CountResult:
        """Count solutions, up to ``limit``; ``options`` are those of `linkoracle.count_result`."""
        return count_result(self.model(changes), limit, **{**self._queries.engines, **options})

    @interruptible
    def grade(self, changes: Changes = NO_CHANGES, **options: Any) -> deduce.Grade:
        """Grade the puzzle for players; ``options`` are those of `linkoracle.grade`."""
        return deduce.grade(self.model(changes), **options)

    @interruptible
    def hint(
        self,
        changes: Changes = NO_CHANGES,
        *,
        visited: Mapping[int, bool] | None = None,
        inside: Mapping[int, bool] | None = None,
        timeout: float | None = None,
    ) -> Hint | None:
        """Tell a player what is wrong, or the next step; ``None`` if no step is found.

        The marks of the player are the current edges; ``visited`` are vertices by their ids, true
        for those that a line visits, false for those that none does (in kinds that shade cells:
        shaded); ``inside`` are faces by their ids, false for those outside the loop. See `Hint`.

        >>> from linkoracle import Session, Slitherlink
        >>> with Session(Slitherlink([[4, None]])) as session:
        ...     hint = session.hint({0: True, 1: True})
        ...     print(hint.where, hint.rule, hint.sentence, sep="\\n")
        ...     session.hint({0: False}).sentence
        Look at r1c1.
        Counting a clue: a clue has all its lines, or needs all its open edges.
        The 4 at r1c1 needs every edge that is left: a line between r1c1 and r1c2, below r1c1.
        'A mark is wrong: the edge above r1c1.'
        """
        puzzle, edges, free = self._unmarked(changes)
        marks, deadline = Marks(edges, visited or {}, inside or {}), Deadline(timeout)
        verdict = self.ask(free, timeout=deadline.left)
        if wrong := self._wrong(puzzle, marks, verdict, deadline):
            return hint_of_wrong(puzzle, wrong)
        found = None
        if COMPILED:
            found = next_hint(
                puzzle,
                marks,
                uniqueness=puzzle.model.is_free and verdict.unique,
                recorded=records_visits(puzzle),
                deadline=deadline,
            )
        if found is None and verdict.unique:
            core = partial(self.core, timeout=CORE_SECONDS)
            only = verdict.solutions[0]
            found = implied_hint(puzzle, marks, only, lambda drawn: core({**free, **drawn}))
        return found

    @interruptible
    def wrong(
        self,
        changes: Changes = NO_CHANGES,
        *,
        visited: Mapping[int, bool] | None = None,
        inside: Mapping[int, bool] | None = None,
        timeout: float | None = None,
    ) -> Wrong:
        """Find the wrong marks of a player: see `hint`.

        Raises `PuzzleError` if the puzzle has no solution.
        """
        (puzzle, edges, free), deadline = self._unmarked(changes), Deadline(timeout)
        verdict = self.ask(free, timeout=deadline.left)
        return self._wrong(puzzle, Marks(edges, visited or {}, inside or {}), verdict, deadline)

    def _unmarked(self, changes: Changes) -> tuple[Puzzle, dict[int, bool], ReadChanges]:
        """Return the puzzle and the edges after changes, and the changes with all edges open."""
        changes = self.board.read(changes)
        clues, edges = self.board.changed(changes)
        return self.board.held.having(clues).puzzle, edges, {**changes, **dict.fromkeys(edges)}

    def _wrong(self, puzzle: Puzzle, marks: Marks, verdict: Verdict, deadline: Deadline) -> Wrong:
        if verdict.status == "none":
            raise PuzzleError("the puzzle has no solution")
        sides = Sides(puzzle.model)
        if verdict.unique:
            return wrong_marks(sides, marks, verdict.solutions[0])
        known = [solution.mask() for solution in verdict.solutions]
        edges: list[int] = []
        if not any(all(mask[edge] == on for edge, on in marks.edges.items()) for mask in known):
            # An oracle keeps all clues; a session would leave some out, and need more edges.
            with Oracle(puzzle.model) as oracle:
                found = oracle.core(edges=marks.edges, timeout=deadline.left)
            edges = sorted(found.core_edges or {}) if found.status == "none" else []
        engines = self._queries.engines
        return contradicting_marks(
            sides, marks, edges, lambda asked: solve(asked, timeout=deadline.left, **engines)
        )

    @interruptible
    def reduce(
        self,
        order: Iterable[Cell] | None = None,
        *,
        seed: int | None = None,
        keep: Iterable[Cell] = (),
        timeout: float | None = None,
    ) -> tuple[str, bool]:
        """Remove clues one after the other, as long as the solution stays unique.

        Cells are tried in the given ``order``, or in one that depends on ``seed`` only; the clues
        of ``keep`` stay. A clue that is needed once stays needed, since fewer clues have more
        solutions; so the result depends on the order only. (`generate` spreads clues evenly.)
        Where fewer clues may have fewer solutions, as in a Yajilin, a removal makes `reduce` try
        all other clues again.

        A fresh engine then decides the puzzle from the clues left, and the rules of its kind check
        the solution; if this fails, all clues are back, and `CheckFailed` is raised.

        Returns the status before, and whether the remaining clues are proven to be minimal: each
        was tried. After a timeout, clues removed so far stay removed. `undo` takes back each call,
        also one that removed nothing.
        """
        deadline, kept, before = Deadline(timeout), {*keep}, dict(self.clues)
        tried: set[Cell] = set()
        try:
            verdict = self.ask(timeout=timeout)
            status = verdict.status
            every = [*(self.board.order(seed) if order is None else order)]
            turns = deque(every if status == "unique" else ())
            while turns:
                cell = turns.popleft()
                if cell in kept or cell in tried or cell not in self.clues:
                    continue
                tried.add(cell)
                held, edges = self.board.held, self.edges
                fewer = held.reduced(self._queries, cell, edges, deadline)
                if fewer is not None:
                    if not held.states_all_of(fewer):
                        tried.clear()
                        turns.extend(every)
                    self.board.held = fewer
        finally:
            gone = {cell: before[cell] for cell in before if cell not in self.clues}
            self.board.remember(gone)
            if gone:
                self._confirm(verdict.solutions[0], gone)
        return status, status == "unique" and self.clues.keys() <= tried

    def _confirm(self, solution: Solution, gone: dict[Cell, Any]) -> None:
        """Check the only solution without the clues that are ``gone``; restore them on failure."""
        numbers = all(isinstance(clue, int | str) for clue in self.clues.values())
        model = self.model()
        try:
            confirm(self.puzzle if numbers else model, solution, model=model)
        except BaseException:
            self.board.put(gone)
            raise

    @interruptible
    def generate(
        self,
        *,
        seed: int | None = None,
        index: int = 0,
        timeout: float | None = None,
        progress: Any = None,
        preview: Any = None,
        **options: Any,
    ) -> library.Made:
        """Generate a puzzle with one solution on this board; the session continues with it.

        ``options`` are the fields of the request for the kind, such as `SlitherlinkRequest`. A
        Slitherlink keeps its clues, ends, given and forbidden lines, and holes. A Numberlink keeps
        its cells with numbers. Other kinds are generated from scratch. Edges set on or off are
        reset. Raises the errors of `linkoracle.generate.puzzle`.

        >>> from linkoracle import Slitherlink
        >>> with Session(Slitherlink.blank(5, 5).with_clues({(0, 0): 3})) as session:
        ...     made = session.generate(seed=1, symmetry="half-turn")
        ...     session.clues[0, 0], session.ask().status, session.undo(), session.clues
        (3, 'unique', True, {(0, 0): 3})
        """
        request = library.request_on(self.puzzle, **options)
        how = {"timeout": timeout, "progress": progress, "preview": preview}
        made = library.make(request, seed=seed, index=index, **how)
        shown: dict[Any, Any] = dict(made.puzzle.clue_cells())
        clues: dict[Any, Any] = {cell_named(cell): clue for cell, clue in shown.items()}
        blank = dict.fromkeys(shown)
        if made.puzzle.with_clues(blank) == self.board.held.having({}).puzzle.with_clues(blank):
            gone: dict[Any, None] = dict.fromkeys([*self.clues, *self.edges])
            self.set({**gone, **clues})
        else:
            self.begin(made.puzzle)
        return made
