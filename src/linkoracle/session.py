"""`Session`: a board whose clues and edges change, and a solver that keeps what it has learned.

The JSON lines of `count-solutions --jsonl`, the page of the studio and the board in a notebook all
use sessions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from linkoracle.changing import NO_CHANGES, Cell, Changes, cell_named
from linkoracle.core.limits import Deadline
from linkoracle.querying import QueriedBoard
from linkoracle.solving import confirm

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.deduce.explaining import Step
    from linkoracle.deduce.grades import Grade
    from linkoracle.generate import Made


class Session(QueriedBoard):
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

    def grade(self, changes: Changes = NO_CHANGES, **options: Any) -> Grade:
        """Grade the puzzle for players; ``options`` are those of `linkoracle.grade`."""
        from linkoracle.deduce.grading import grade

        return grade(self.model(changes), **options)

    def hint(self, changes: Changes = NO_CHANGES, *, timeout: float | None = None) -> Step | None:
        """Find the next step of a player from the current edges; ``None`` if no step is found.

        The edges must fit a solution.

        >>> from linkoracle import Slitherlink
        >>> with Session(Slitherlink([[4, None]])) as session:
        ...     session.hint({0: True, 1: True}).reason
        'The 4 at r1c1 needs every edge that is left'
        """
        from linkoracle.deduce.counted import hint_by_counts
        from linkoracle.deduce.explaining import next_step

        changes = self.read(changes)
        clues, edges = self.changed(changes)
        puzzle, deadline = self._with(clues), Deadline(timeout)
        if not puzzle.model.is_square:
            return hint_by_counts(puzzle, edges, deadline)
        free = {**changes, **dict.fromkeys(edges)}
        unique = puzzle.model.is_free and self.ask(free, timeout=timeout).unique
        return next_step(puzzle, edges, uniqueness=unique, timeout=deadline)

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
            every = [*(self._order(seed) if order is None else order)]
            turns = deque(every if status == "unique" else ())
            while turns:
                cell = turns.popleft()
                if cell in kept or cell in tried or cell not in self.clues:
                    continue
                tried.add(cell)
                if self._is_redundant(cell, deadline):
                    fewer = self._without(self.clues, cell)
                    if self._states_more(fewer):
                        tried.clear()
                        turns.extend(every)
                    self._put(self.without(cell))
        finally:
            gone = {cell: before[cell] for cell in before if cell not in self.clues}
            self._remember(gone)
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
            self._put(gone)
            raise

    def generate(
        self,
        *,
        seed: int | None = None,
        index: int = 0,
        timeout: float | None = None,
        progress: Any = None,
        preview: Any = None,
        **options: Any,
    ) -> Made:
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
        from linkoracle.generate.requests import make, request_on

        request = request_on(self.puzzle, **options)
        how = {"timeout": timeout, "progress": progress, "preview": preview}
        made = make(request, seed=seed, index=index, **how)
        found: dict[Any, Any] = dict(made.puzzle.clue_cells())
        clues: dict[Any, Any] = {cell_named(cell): clue for cell, clue in found.items()}
        blank = dict.fromkeys(found)
        if made.puzzle.with_clues(blank) == self._with({}).with_clues(blank):
            gone: dict[Any, None] = dict.fromkeys([*self.clues, *self.edges])
            self.set({**gone, **clues})
        else:
            self.begin(made.puzzle)
        return made
