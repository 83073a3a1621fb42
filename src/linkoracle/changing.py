"""`ChangingBoard`: a puzzle whose clues and edges change."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Set
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any, Self

from linkoracle.board.model import HOLE, LinkModel
from linkoracle.board.statements import Statements, statements
from linkoracle.core.errors import PuzzleError
from linkoracle.core.randomness import seed_or_fresh, shuffled, source, swept
from linkoracle.kinds import Puzzle
from linkoracle.sat.answers import Assumptions, Clue, Clues

#: A cell as ``(row, column)``, counted from 0; a face of a board that is not square as ``(face,)``.
Cell = tuple[int, ...]
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


def size_of(puzzle: Puzzle) -> tuple[int, int]:
    """Return rows and columns; 0 and the number of faces on a board that is not square.

    >>> from linkoracle import Slitherlink, boards
    >>> size_of(Slitherlink.blank(2, 3)), size_of(Slitherlink.on(boards.honeycomb(2, 3)))
    ((2, 3), (0, 6))
    """
    if puzzle.tiling is not None:
        return 0, puzzle.tiling.num_faces
    return puzzle.rows, puzzle.cols


class ChangingBoard:
    """The clues of a puzzle by their cells, and edges that are on or off by their ids."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.begin(puzzle)

    def __copy__(self) -> Self:
        # Changes of a copy do not change the original.
        return deepcopy(self)

    def begin(self, puzzle: Puzzle) -> None:
        """Start over with a puzzle; earlier changes cannot be undone."""
        self._puzzle = puzzle
        self.kind = puzzle.kind
        #: Rows and columns of cells; 0 and the number of faces on boards that are not square.
        self.rows, self.cols = size_of(puzzle)
        #: Whether clues are a part of the board, since lines run through cells.
        self.through_cells = puzzle.through_cells
        #: Whether one loop runs through cells, so that puzzles differ in their statements.
        self.stated = puzzle.through_cells and puzzle.variant == "loop"
        #: The board of the last query, without clues on faces.
        self.board = _bare(puzzle)
        self.clues: dict[Cell, Clue] = {
            cell_named(name): clue for name, clue in dict[Any, Any](puzzle.clue_cells()).items()
        }
        if not puzzle.through_cells:
            model, name = puzzle.model, puzzle.board.face_name
            self.clues = {
                cell_named(name(face)): _clue(mask)
                for face, (mask, free) in enumerate(
                    zip(model.faces, model.board.free_masks, strict=True)
                )
                if mask != free
            }
        #: Cells with clues that imply nothing, such as a clue of a Slitherlink without a number.
        self._silent = {cell_named(name) for name, _ in puzzle.clue_cells()} - self.clues.keys()
        self.edges: dict[int, bool] = {}
        self._past: deque[ReadChanges] = deque()
        self._kept = 0

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle with the current clues; raises `PuzzleError` if one is a set of numbers."""
        return self._with(self.clues)

    def named(self, where: Any) -> Cell | int:
        """Return a cell, or the id of an edge that may be named by its two dots or cells.

        Raises ``ValueError`` for a pair without an edge.
        """
        is_pair = isinstance(where, tuple) and len(where) == 2
        if is_pair and (not self.rows or isinstance(where[0], tuple)):
            return self.board.board.edge_of(where)
        found: Cell | int = where
        return found

    def read(self, changes: Changes) -> ReadChanges:
        """Return changes as a mapping, with edges by their ids."""
        return {self.named(where): what for where, what in dict(changes).items()}

    def changed(self, changes: Changes = NO_CHANGES) -> tuple[dict[Cell, Clue], dict[int, bool]]:
        """Return the clues and the edges after changes."""
        clues: dict[Any, Any] = dict(self.clues)
        edges: dict[Any, Any] = dict(self.edges)
        for where, what in self.read(changes).items():
            held = clues if isinstance(where, tuple) else edges
            if what is None:
                held.pop(where, None)
            else:
                held[where] = what
        return clues, edges

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
        changes = self.read(changes)
        held: dict[Any, Any] = {**self.clues, **self.edges}
        before = {where: held.get(where) for where in changes}
        edges = {where: on for where, on in changes.items() if not isinstance(where, tuple)}
        # Lines run through the cells of other kinds, which check their clues themselves.
        faces = {} if self.through_cells else {c: changes[c] for c in changes.keys() - edges}
        Assumptions.of(self.board.board, faces, edges)
        self.pose(changes)
        self._put(changes)
        self._remember(before)
        return before != changes

    def undo(self) -> bool:
        """Take back the last call that may have changed the board; return false if there is none.

        That is the last `set`, `Session.reduce` or `Session.generate`, even if it changed nothing.
        Calls since `begin` can be undone, up to `MAX_UNDO` clues and edges.
        """
        if not self._past:
            return False
        changes = self._past.pop()
        self._kept -= _size(changes)
        self._put(changes)
        return True

    @property
    def last_change(self) -> ReadChanges:
        """The clues and edges of the change that `undo` would undo, with their values before it."""
        return self._past[-1] if self._past else NO_CHANGES

    def _remember(self, before: ReadChanges) -> None:
        """Keep values from before a change, so that `undo` can restore them."""
        self._past.append(before)
        self._kept += _size(before)
        while self._kept > MAX_UNDO:
            self._kept -= _size(self._past.popleft())

    def _put(self, changes: Changes) -> None:
        clues, edges = self.changed(changes)
        if self.through_cells:
            self._puzzle = self._with(clues)
        self.clues, self.edges = clues, edges

    def model(self, changes: Changes = NO_CHANGES) -> LinkModel:
        """Return the model of the board with its clues and its edges."""
        clues, edges = self.pose(changes)
        return self.board.with_faces(clues).with_edges(
            given=[edge for edge, on in edges.items() if on],
            forbidden=[edge for edge, on in edges.items() if not on],
        )

    def pose(self, changes: Changes) -> tuple[dict[Cell, Clue], dict[int, bool]]:
        """Return the clues on faces and the edges of a query, and set `board` to its board."""
        clues, edges = self.changed(changes)
        if not self.through_cells:
            return clues, edges
        board = (self._puzzle if clues == self.clues else self._with(clues)).model
        for edge, on in edges.items():
            for end in board.board.ends(edge):
                if on and board.degrees[end] == HOLE:
                    place = board.board.position(end)
                    at = "{},{}".format(*place) if isinstance(place, tuple) else f"face {place}"
                    raise PuzzleError(f"expected no hole at {at}, where an edge is on")
        self.board = board
        return {}, edges

    def _statements(self, clues: Mapping[Cell, Any]) -> Statements:
        return statements(self._with(clues).model)

    def _states_more(self, fewer: Mapping[Cell, Any]) -> bool:
        """Return whether fewer clues make a statement that all clues do not make."""
        return (
            self.stated
            and not self._statements(fewer).keys() <= self._statements(self.clues).keys()
        )

    def _posed(self, changes: Changes) -> tuple[Clues, dict[int, bool]]:
        """Return the clues or statements, and the edges of a query, as an oracle takes them."""
        clues, edges = self.pose(changes)
        return (statements(self.board) if self.stated else clues), edges

    def _order(self, seed: int | None) -> list[Cell]:
        """Return all cells in an order that depends on ``seed`` only."""
        rows, cols = self.rows, self.cols
        rng = source(seed_or_fresh(seed), 0)
        if not rows:
            return [(face,) for face in shuffled(rng, range(cols))]
        many = rows * cols >= _SWEPT_CELLS
        faces = swept(rng, rows, cols) if many else shuffled(rng, range(rows * cols))
        return [divmod(face, cols) for face in faces]

    def without(self, cell: Cell) -> ReadChanges:
        """Return the changes that remove the clue of a cell; in a Numberlink, its whole pair."""
        return dict.fromkeys(self.clues.keys() - self._without(self.clues, cell))

    def _without(self, clues: Mapping[Cell, Clue], cell: Cell) -> dict[Cell, Clue]:
        """Return the clues without that of ``cell``; raise ``KeyError`` if the cell has none."""
        gone = clues[cell]
        pairs = self._puzzle.letters
        return {
            one: clue for one, clue in clues.items() if one != cell and not (pairs and clue == gone)
        }

    def _with(self, clues: Mapping[Cell, Any]) -> Puzzle:
        """Return the puzzle with these clues, and no others."""
        for cell, clue in clues.items():
            if not isinstance(clue, int | str):
                found = " or ".join(map(str, sorted(clue))) if isinstance(clue, Set) else clue
                raise PuzzleError(f"expected a clue that is one number, found {found}", cell)
        gone: dict[Any, Any] = dict.fromkeys(
            cell
            for name, _ in self._puzzle.clue_cells()
            if (cell := cell_named(name)) not in self._silent
        )
        return self._puzzle.with_clues({**gone, **clues})


def _size(changes: ReadChanges) -> int:
    """Return what a change counts in `MAX_UNDO`."""
    return max(1, len(changes))


def _bare(puzzle: Puzzle) -> LinkModel:
    """Return the board of a puzzle without clues on its faces."""
    return replace(puzzle.model, faces=puzzle.model.board.free_masks)


def cell_named(name: Any) -> Cell:
    """Return the name of a cell in a session, a tuple; names of edges are numbers.

    >>> cell_named((0, 1)), cell_named(4)
    ((0, 1), (4,))
    """
    return name if isinstance(name, tuple) else (name,)


@cache
def _clue(mask: int) -> Clue:
    """Return the clue of a mask of counts; one count is an exact clue."""
    allowed = frozenset(count for count in range(mask.bit_length()) if mask >> count & 1)
    return next(iter(allowed)) if len(allowed) == 1 else allowed
