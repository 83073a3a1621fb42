"""`ChangingBoard`: the clues and edges of a puzzle, changes of them, and how to undo changes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from linkoracle.board import LinkModel
from linkoracle.core import seed_or_fresh, shuffled, source, swept
from linkoracle.engines import Clue
from linkoracle.kinds import Puzzle
from linkoracle.session.clues import Cell, Drawn, HeldClues, clues_of

#: New values of clues, by cell, and of edges, by id or by their two dots or cells, as a mapping or
#: as pairs. ``None`` is no clue, or an edge left open.
Changes = Mapping[Any, Clue | bool | None] | Iterable[tuple[Any, Clue | bool | None]]
#: Changes as a mapping, with edges by their ids.
ReadChanges = Mapping[Any, Clue | bool | None]
NO_CHANGES: ReadChanges = {}

#: Most changes of single clues and edges that can be undone; a change of nothing counts as one.
MAX_UNDO = 100_000

#: From this number of cells on, clues are removed diagonal by diagonal, which is faster.
_SWEPT_CELLS = 64


class Query(NamedTuple):
    """What a session asks about."""

    held: HeldClues
    edges: Drawn


class ChangingBoard:
    """The current clues, and the edges that are on or off by their ids; see `Session`.

    >>> from linkoracle import Slitherlink
    >>> board = ChangingBoard(Slitherlink.blank(2, 2))
    >>> board.set({(0, 0): 3, ((0, 0), (0, 1)): False}), board.held.values, board.edges
    (True, {(0, 0): 3}, {0: False})
    >>> board.undo(), board.held.values, board.undo()
    (True, {}, False)
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.kind, self.faces = puzzle.kind, puzzle.faces
        #: Rows and columns of cells; 0 and the number of faces on boards that are not square.
        self.rows, self.cols = puzzle.faces.shape
        self.held = clues_of(puzzle)
        self.edges: dict[int, bool] = {}
        self._past: deque[ReadChanges] = deque()
        self._kept = 0

    def named(self, where: Any) -> Cell | int:
        """Return a cell, or the id of an edge that may be named by its two dots or cells.

        Raises ``ValueError`` for a pair without an edge.
        """
        is_pair = isinstance(where, tuple) and len(where) == 2
        if is_pair and (not self.rows or isinstance(where[0], tuple)):
            return self.held.graph.edge_of(where)
        found: Cell | int = where
        return found

    def read(self, changes: Changes) -> ReadChanges:
        """Return changes as a mapping, with edges by their ids."""
        return {self.named(where): what for where, what in dict(changes).items()}

    def changed(self, changes: Changes) -> tuple[dict[Cell, Clue], dict[int, bool]]:
        """Return the clues and the edges after changes."""
        clues: dict[Any, Any] = dict(self.held.values)
        edges: dict[Any, Any] = dict(self.edges)
        for where, what in self.read(changes).items():
            held = clues if isinstance(where, tuple) else edges
            if what is None:
                held.pop(where, None)
            else:
                held[where] = what
        return clues, edges

    def query(self, changes: Changes = NO_CHANGES) -> Query:
        """Return the clues and the edges after changes, as a query.

        Raises `PuzzleError` if they leave an invalid puzzle.
        """
        clues, edges = self.changed(changes)
        held = self.held.having(clues)
        held.admit(edges)
        return Query(held, edges)

    def model(self, changes: Changes = NO_CHANGES) -> LinkModel:
        """Return the model of the board with its clues and its edges after changes."""
        held, edges = self.query(changes)
        return held.full_model().with_drawn(edges)

    def set(self, changes: Changes) -> bool:
        """Make changes that stay until `undo`; return whether they changed anything.

        Raises ``ValueError`` for an invalid change, and then changes nothing.
        """
        changes = self.read(changes)
        now: dict[Any, Any] = {**self.held.values, **self.edges}
        before = {where: now.get(where) for where in changes}
        edges = {where: on for where, on in changes.items() if not isinstance(where, tuple)}
        self.held.check({cell: changes[cell] for cell in changes.keys() - edges}, edges)
        self.held, self.edges = self.query(changes)
        self.remember(before)
        return before != changes

    def undo(self) -> bool:
        """Take back the last change, even if it changed nothing; return false if there is none."""
        if not self._past:
            return False
        changes = self._past.pop()
        self._kept -= _size(changes)
        self.put(changes)
        return True

    @property
    def last_change(self) -> ReadChanges:
        """The clues and edges of the change that `undo` would undo, with their values before it."""
        return self._past[-1] if self._past else NO_CHANGES

    def remember(self, before: ReadChanges) -> None:
        """Keep values from before a change, so that `undo` can restore them."""
        self._past.append(before)
        self._kept += _size(before)
        while self._kept > MAX_UNDO:
            self._kept -= _size(self._past.popleft())

    def put(self, changes: Changes) -> None:
        """Make changes that are known to be valid, and that `undo` does not see."""
        clues, self.edges = self.changed(changes)
        self.held = self.held.having(clues)

    def edited(self, changes: ReadChanges) -> list[Any]:
        """Return the cells and edges that changes set, or else those that `undo` would restore."""
        clues, edges = self.changed(changes)
        return [one for one in changes or self.last_change if one in clues or one in edges]

    def order(self, seed: int | None) -> list[Cell]:
        """Return all cells in an order that depends on ``seed`` only."""
        rows, cols = self.rows, self.cols
        rng = source(seed_or_fresh(seed), 0)
        if not rows:
            return [(face,) for face in shuffled(rng, range(cols))]
        many = rows * cols >= _SWEPT_CELLS
        faces = swept(rng, rows, cols) if many else shuffled(rng, range(rows * cols))
        return [divmod(face, cols) for face in faces]


def _size(changes: ReadChanges) -> int:
    """Return what a change counts in `MAX_UNDO`."""
    return max(1, len(changes))
