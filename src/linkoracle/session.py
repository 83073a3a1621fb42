"""`Session`: a board whose clues and edges change, and an oracle that keeps what it has learned.

The JSON lines of `count-solutions --jsonl`, the page of the studio and the board in a notebook are
ways to talk to one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Self, TypeVar

from linkoracle.board.model import ANY_COUNT, LinkModel
from linkoracle.core.errors import PuzzleError, SearchTimeout
from linkoracle.core.limits import Deadline, deferred_signals
from linkoracle.core.randomness import seed_or_fresh, shuffled, source, swept
from linkoracle.sat.answers import Clue, Clues, Verdict
from linkoracle.sat.cores import core_within
from linkoracle.sat.oracle import Oracle

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.kinds import Puzzle

Found = TypeVar("Found")

#: A cell as ``(row, column)``, counted from 0.
Cell = tuple[int, int]
#: What becomes of clues, by cell, and of edges, by their ids. ``None`` is no clue, and an edge that
#: is left open.
Changes = Mapping[Any, Clue | bool | None]
_NONE: Changes = {}

#: Boards of so many cells lose clues diagonal by diagonal, which is faster than in any order.
_SWEPT_CELLS = 64
#: Seconds of the first step of a query that may be interrupted; each is twice as long as the one
#: before, since what does not come to an end in one step may begin again in the next.
_FIRST = 0.02
#: Steps up to so many seconds. What takes longer may be interrupted, and is lost then.
_LONGEST = 0.4


class Session:
    """A board that begins as a puzzle, and queries about it.

    ``clues`` by cell and ``edges``, on or off by their ids, hold now; `set` changes them. A query
    takes ``changes`` that hold for it alone: by cell a clue, as for an `Oracle`, or ``None`` for
    none; by the id of an edge ``True``, ``False``, or ``None`` to leave it open. It raises
    `SearchTimeout` after ``timeout`` seconds. Kinds whose lines run through cells have no clues
    that change: their puzzle is a part of the board.

    With ``prompt``, queries are answered quickly one after the other, and may be interrupted:
    after ``KeyboardInterrupt`` the session answers as quickly as before. An interrupt in the midst
    of a solver's work would leave the solver in an unknown state; so the session works in short
    steps, and interrupts take effect between these. Such a session must be closed: an interrupt
    while Python frees an oracle would free its solver twice.

    >>> from linkoracle import Slitherlink
    >>> with Session(Slitherlink([[3, 3], [1, 1]])) as session:
    ...     session.ask().status, session.ask(dict.fromkeys(session.clues)).status
    ...     session.implies((0, 0)), session.thin([(0, 0), (0, 1), (1, 0), (1, 1)])
    ...     session.clues
    ('unique', 'many')
    (True, ('unique', True))
    {(1, 0): 1, (1, 1): 1}
    """

    def __init__(self, puzzle: Puzzle, *, solver: str | None = None, prompt: bool = False) -> None:
        self._solver, self._prompt = solver, prompt
        self._oracle: Oracle | None = None
        #: The board without clues on its faces.
        self.board = _bare(puzzle)
        self.begin(puzzle)
        if not prompt:
            self._whole()

    def begin(self, puzzle: Puzzle) -> None:
        """Begin anew; where only clues differ, the oracle stays with what it has learned."""
        board = _bare(puzzle)
        if board != self.board:
            self.close()
        self.puzzle, self.board = puzzle, board
        self.clues: dict[Cell, Clue] = {}
        self.edges: dict[int, bool] = {}
        if not puzzle.through_cells:
            self.clues = {
                divmod(face, puzzle.cols): _clue(mask)
                for face, mask in enumerate(puzzle.model.faces)
                if mask != ANY_COUNT
            }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the oracle; the next query would begin with a new one."""
        with deferred_signals():
            if self._oracle is not None:
                self._oracle.close()
            self._oracle = None

    def changed(self, changes: Changes = _NONE) -> tuple[dict[Cell, Clue], dict[int, bool]]:
        """The clues and the edges after changes."""
        clues: dict[Any, Any] = dict(self.clues)
        edges: dict[Any, Any] = dict(self.edges)
        for where, what in changes.items():
            held = clues if isinstance(where, tuple) else edges
            if what is None:
                held.pop(where, None)
            else:
                held[where] = what
        return clues, edges

    def set(self, changes: Changes) -> None:
        """Make changes that stay."""
        self.clues, self.edges = self.changed(changes)

    def ask(self, changes: Changes = _NONE, *, timeout: float | None = None) -> Verdict:
        """Decide whether there is no solution, one, or more."""
        return self.ask_within(Deadline(timeout), *self.changed(changes))

    def core(self, changes: Changes = _NONE, *, timeout: float | None = None) -> Verdict:
        """`ask`, and find clues and edges that contradict each other: see `Oracle.core`."""
        return core_within(self, Deadline(timeout), *self.changed(changes))

    def solution(
        self, changes: Changes = _NONE, *, timeout: float | None = None
    ) -> Solution | None:
        """Find a solution; ``None`` if there is none."""
        clues, edges = self.changed(changes)

        def find(oracle: Oracle, deadline: Deadline) -> Solution | None:
            with closing(oracle.solutions(clues, edges=edges, timeout=deadline.left)) as found:
                return next(found, None)

        return self._query(find, Deadline(timeout))

    def implies(
        self, what: Cell | int, changes: Changes = _NONE, *, timeout: float | None = None
    ) -> bool:
        """Tell whether the clue of a cell, or an edge being on or off, follows from all others."""
        clues, edges = self.changed(changes)
        return self._query(
            lambda oracle, until: oracle.implies(clues, what, edges=edges, timeout=until.left),
            Deadline(timeout),
        )

    def model(self, changes: Changes = _NONE) -> LinkModel:
        """The model to count the solutions of."""
        clues, edges = self.changed(changes)
        return self.board.with_faces(clues).with_edges(
            given=[edge for edge, on in edges.items() if on],
            forbidden=[edge for edge, on in edges.items() if not on],
        )

    def thin(
        self,
        order: Iterable[Cell] | None = None,
        *,
        seed: int | None = None,
        keep: Iterable[Cell] = (),
        timeout: float | None = None,
    ) -> tuple[str, bool]:
        """Take clues away one after the other, as long as there is one solution.

        Cells come in the ``order`` given, or in one that depends on ``seed`` only; those in
        ``keep`` stay. A clue that its turn finds needed stays needed, since fewer clues have more
        solutions; so what is left depends on the order only. Returns the status before, and whether
        the clues that are left are proven to be minimal: every one had its turn. After a timeout,
        what is gone until then stays gone. Raises `PuzzleError` for kinds without such clues.
        """
        if self.puzzle.through_cells:
            raise PuzzleError(f"a {self.puzzle.kind} has no clues that can be taken away")
        deadline, kept, tried = Deadline(timeout), {*keep}, set()
        status = self.ask(timeout=timeout).status
        for cell in (self._order(seed) if order is None else order) if status == "unique" else ():
            if cell in kept or cell in tried or cell not in self.clues:
                continue
            if self.implies(cell, timeout=deadline.left):
                del self.clues[cell]
            tried.add(cell)
        return status, status == "unique" and self.clues.keys() <= tried

    def _order(self, seed: int | None) -> list[Cell]:
        """All cells in an order that depends on ``seed`` only."""
        rows, cols = self.puzzle.rows, self.puzzle.cols
        rng = source(seed_or_fresh(seed), 0)
        many = rows * cols >= _SWEPT_CELLS
        faces = swept(rng, rows, cols) if many else shuffled(rng, range(rows * cols))
        return [divmod(face, cols) for face in faces]

    # ---- what `core_within` asks, with all clues and edges ----

    def ask_within(
        self, deadline: Deadline, clues: Clues = (), edges: Mapping[int, bool] | None = None
    ) -> Verdict:
        """`ask` for these clues and edges alone."""
        return self._query(lambda oracle, until: oracle.ask_within(until, clues, edges), deadline)

    def contradiction_within(
        self, deadline: Deadline, clues: Clues, edges: Mapping[int, bool]
    ) -> Verdict | None:
        """The verdict that there is no solution; ``None`` if there is one."""
        return self._query(
            lambda oracle, until: oracle.contradiction_within(until, clues, edges), deadline
        )

    def _query(self, work: Callable[[Oracle, Deadline], Found], deadline: Deadline) -> Found:
        if not self._prompt:
            return work(self._whole(), deadline)
        step = _FIRST
        while step <= _LONGEST:
            with deferred_signals():
                try:
                    return work(self._whole(), Deadline(min(step, deadline.left or step)))
                except SearchTimeout:
                    pass
            deadline.check()
            step *= 2
        oracle, self._oracle = self._whole(), None
        try:
            found = work(oracle, deadline)
        except SearchTimeout:
            self._oracle = oracle
            raise
        except BaseException:
            oracle.close()
            raise
        self._oracle = oracle
        return found

    def _whole(self) -> Oracle:
        if self._oracle is None:
            self._oracle = Oracle(self.board, solver=self._solver, prompt=self._prompt)
        return self._oracle


def _bare(puzzle: Puzzle) -> LinkModel:
    """The board of a puzzle without clues on its faces."""
    return replace(puzzle.model, faces=bytes([ANY_COUNT]) * len(puzzle.model.faces))


@cache
def _clue(mask: int) -> Clue:
    """What a mask of counts allows; one count is an exact clue."""
    allowed = frozenset(count for count in range(5) if mask >> count & 1)
    return next(iter(allowed)) if len(allowed) == 1 else allowed
