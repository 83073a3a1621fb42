"""The clues of a session in three forms: how a solver takes them, how one is dropped, and cores.

`clues_of` chooses the form, once for a puzzle. `FaceClues` are of kinds whose lines run along the
sides of cells; `LoopClues` of kinds with one loop through cells; `PathClues` of kinds with paths
through cells, such as Numberlink. Clues do not change: `HeldClues.having` returns others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Set
from dataclasses import replace
from functools import cache, cached_property, partial
from itertools import chain, islice
from typing import Any, ClassVar, Self

from linkoracle.board import HOLE, Board, LinkModel, Solution
from linkoracle.board.statements import statements
from linkoracle.core import Deadline, PuzzleError
from linkoracle.engines import Assumptions, Clue, Verdict, find_core
from linkoracle.kinds import Puzzle, cell_named
from linkoracle.session.queries import Posed, Queries, conflicting_clues, conflicting_pairs
from linkoracle.solving import decide, solutions

#: A cell as ``(row, column)``, counted from 0; a face of a board that is not square as ``(face,)``.
Cell = tuple[int, ...]
#: Edges that are on or off, by their ids.
Drawn = dict[int, bool]


class HeldClues(ABC):
    """Clues by their cells, on the board of the puzzle that a session began with."""

    #: What an edge joins, in messages.
    ends: ClassVar[str]

    def __init__(self, begun: Puzzle, values: dict[Cell, Clue]) -> None:
        self.begun, self.values = begun, values

    def having(self, values: dict[Cell, Clue]) -> Self:
        """Return other clues on the same board."""
        return self if values == self.values else self._copied(values)

    def _copied(self, values: dict[Cell, Clue]) -> Self:
        return type(self)(self.begun, values)

    def without(self, cell: Cell) -> Self:
        """Return the clues without that of a cell; in a Numberlink, without its whole pair.

        Raises ``KeyError`` if the cell has none.
        """
        if cell not in self.values:
            raise KeyError(f"expected a cell with a clue, got {cell}")
        left = dict(self.values)
        gone = left.pop(cell)
        if self.begun.letters:
            left = {one: clue for one, clue in left.items() if clue != gone}
        return self.having(left)

    def has(self, cell: Cell) -> bool:
        """Return whether a cell has a clue, be it one that restricts nothing."""
        return cell in self.values

    @property
    @abstractmethod
    def model(self) -> LinkModel:
        """The board of a query, without clues that its oracle takes one by one."""

    @property
    @abstractmethod
    def posed(self) -> Posed:
        """These clues as an oracle takes them."""

    @property
    def graph(self) -> Board:
        """The board of every model."""
        return self.begun.model.board

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle with these clues, and no others; raises `PuzzleError` for a set of numbers."""
        for cell, clue in self.values.items():
            if not isinstance(clue, int | str):
                found = " or ".join(map(str, sorted(clue))) if isinstance(clue, Set) else clue
                raise PuzzleError(f"expected a clue that is one number, found {found}", cell)
        changes: dict[Any, Any] = {**self._removable(), **self.values}
        return self.begun.with_clues(changes)

    def _removable(self) -> dict[Cell, None]:
        """Return the changes that remove the clues of the puzzle at the beginning."""
        return dict.fromkeys(cell_named(name) for name, _ in self.begun.clue_cells())

    def full_model(self) -> LinkModel:
        """Return the model with these clues."""
        return self.model

    @abstractmethod
    def check(self, clues: Mapping[Cell, Any], edges: Mapping[int, Any]) -> None:
        """Raise ``ValueError`` for new clues and edges that no query takes."""

    @abstractmethod
    def admit(self, edges: Drawn) -> None:
        """Raise `PuzzleError` if these clues with these edges leave an invalid puzzle."""

    @abstractmethod
    def clue_of(self, cell: Cell, value: Any) -> Any:
        """Return a clue that was read from JSON; raise ``ValueError`` that says what is expected.

        The kind checks the range of clues in cells with lines.
        """

    @abstractmethod
    def prepare(self, queries: Queries) -> None:
        """Open the oracle of all queries, if they share one."""

    def decide(self, queries: Queries, edges: Drawn, deadline: Deadline) -> Verdict:
        """Decide whether there is no solution, one, or more."""
        return queries.decide(self.posed, self.posed.stated, edges, timeout=deadline)

    def some(
        self, queries: Queries, edges: Drawn, most: int, timeout: float | None
    ) -> tuple[Solution, ...]:
        """Find up to ``most`` solutions."""
        return queries.find(
            self.posed,
            lambda oracle, until: tuple(
                islice(oracle.solutions(self.posed.stated, edges=edges, timeout=until.left), most)
            ),
            Deadline(timeout),
        )

    @abstractmethod
    def core(self, queries: Queries, edges: Drawn, **how: Any) -> Verdict:
        """Find the fewest clues and edges that contradict each other: see `Session.core`.

        ``how`` is as for `find_core`.
        """

    def implies(self, queries: Queries, what: Cell | int, edges: Drawn, deadline: Deadline) -> bool:
        """Return whether a clue, or an edge being on or off, follows from all others."""
        return queries.find(
            self.posed,
            lambda oracle, until: oracle.implies(
                self.posed.stated, what, edges=edges, timeout=until.left
            ),
            deadline,
        )

    @abstractmethod
    def reduced(
        self, queries: Queries, cell: Cell, edges: Drawn, deadline: Deadline
    ) -> Self | None:
        """Return the clues without that of a cell, ``None`` if this changes the solutions."""

    def states_all_of(self, _fewer: Self) -> bool:
        """Return whether fewer clues demand nothing that these do not."""
        return True


class FaceClues(HeldClues):
    """Clues on faces: the oracle of the board without clues takes them as they are."""

    ends = "dot"

    def __init__(
        self,
        begun: Puzzle,
        values: dict[Cell, Clue],
        blank: LinkModel,
        removable: dict[Cell, None],
    ) -> None:
        super().__init__(begun, values)
        self._blank, self._gone = blank, removable

    @classmethod
    def of(cls, puzzle: Puzzle) -> Self:
        model, name = puzzle.model, puzzle.board.face_name
        free = model.board.free_masks
        values = {
            cell_named(name(face)): _clue(mask)
            for face, (mask, every) in enumerate(zip(model.faces, free, strict=True))
            if mask != every
        }
        # The others restrict nothing, such as a clue of a Slitherlink without a number, and stay.
        named = (cell_named(name) for name, _ in puzzle.clue_cells())
        removable = dict.fromkeys(cell for cell in named if cell in values)
        return cls(puzzle, values, replace(model, faces=free), removable)

    def _copied(self, values: dict[Cell, Clue]) -> Self:
        return type(self)(self.begun, values, self._blank, self._gone)

    @property
    def model(self) -> LinkModel:
        return self._blank

    @property
    def posed(self) -> Posed:
        return Posed(self._blank, self._blank, self.values)

    def _removable(self) -> dict[Cell, None]:
        return self._gone

    @cached_property
    def _unrestricting(self) -> set[Cell]:
        """The cells whose clues restrict nothing, and stay."""
        return {*super()._removable()} - self._gone.keys() - self.values.keys()

    def has(self, cell: Cell) -> bool:
        return super().has(cell) or cell in self._unrestricting

    def without(self, cell: Cell) -> Self:
        if cell not in self.values and cell in self._unrestricting:
            return self
        return super().without(cell)

    def implies(self, queries: Queries, what: Cell | int, edges: Drawn, deadline: Deadline) -> bool:
        if what not in self.values and what in self._unrestricting:
            stated = self.posed.stated
            return queries.contradiction(self.posed, stated, edges, timeout=deadline) is None
        return super().implies(queries, what, edges, deadline)

    def full_model(self) -> LinkModel:
        return self.model.with_faces(self.values)

    def check(self, clues: Mapping[Cell, Any], edges: Mapping[int, Any]) -> None:
        Assumptions.of(self.graph, clues, edges)

    def clue_of(self, cell: Cell, value: Any) -> Any:
        counts = value if type(value) is list else [value]
        most = self.graph.free_masks[self.graph.face_of(cell)].bit_length() - 1
        if not (counts and all(type(one) is int and 0 <= one <= most for one in counts)):
            raise ValueError(f"a clue from 0 to {most}, a list of such, or null")
        # One count is an exact clue.
        return counts[0] if len({*counts}) == 1 else frozenset(counts)

    def admit(self, edges: Drawn) -> None:
        """Admit all: the oracle takes any."""

    def prepare(self, queries: Queries) -> None:
        queries.open(self.model)

    def core(self, queries: Queries, edges: Drawn, **how: Any) -> Verdict:
        def ask(*query: Any, **limit: Any) -> Verdict:
            return _named(queries.decide(self.posed, *query, **limit))

        def contradiction(*query: Any, **limit: Any) -> Verdict | None:
            found = queries.contradiction(self.posed, *query, **limit)
            return None if found is None else _named(found)

        return find_core(ask, contradiction, self.values, edges, **how)

    def reduced(
        self, queries: Queries, cell: Cell, edges: Drawn, deadline: Deadline
    ) -> Self | None:
        return self.without(cell) if self.implies(queries, cell, edges, deadline) else None


class CellClues(HeldClues):
    """Clues in cells with lines: they are a part of the model."""

    ends = "cell"

    @cached_property
    def model(self) -> LinkModel:
        return self.puzzle.model

    def check(self, _clues: Mapping[Cell, Any], edges: Mapping[int, Any]) -> None:
        # The kind checks clues: see `admit`.
        Assumptions.of(self.graph, (), edges)

    def prepare(self, queries: Queries) -> None:
        """Do nothing: the board of a query depends on its clues."""

    def admit(self, edges: Drawn) -> None:
        model = self.model
        for edge, on in edges.items():
            for end in model.board.ends(edge):
                if on and model.degrees[end] == HOLE:
                    place = model.board.position(end)
                    at = "{},{}".format(*place) if isinstance(place, tuple) else f"face {place}"
                    raise PuzzleError(f"expected no hole at {at}, where an edge is on")

    def clue_of(self, _cell: Cell, value: Any) -> Any:
        words = self.begun.words is not None
        if type(value) is not (str if words else int):
            raise ValueError(f"{'a clue as a string' if words else 'a whole number'} or null")
        return value

    @abstractmethod
    def entails(self, queries: Queries, others: Self, edges: Drawn, deadline: Deadline) -> bool:
        """Return whether there are solutions with these clues, all of them also with ``others``."""

    def implies(self, queries: Queries, what: Cell | int, edges: Drawn, deadline: Deadline) -> bool:
        if isinstance(what, tuple):
            return self.without(what).entails(queries, self, edges, deadline)
        return super().implies(queries, what, edges, deadline)

    def reduced(
        self, queries: Queries, cell: Cell, edges: Drawn, deadline: Deadline
    ) -> Self | None:
        fewer, rest = self.without(cell), (edges, deadline)
        same = fewer.entails(queries, self, *rest) and self.entails(queries, fewer, *rest)
        return fewer if same else None


class LoopClues(CellClues):
    """Clues of one loop through cells: an oracle of all loops takes the statements of the model."""

    @cached_property
    def posed(self) -> Posed:
        return Posed(self.model, self.model.board, statements(self.model))

    def decide(self, queries: Queries, edges: Drawn, deadline: Deadline) -> Verdict:
        def verdict() -> Verdict:
            found = queries.afresh(self.model, edges, deadline)
            return (
                super(LoopClues, self).decide(queries, edges, deadline) if found is None else found
            )

        return queries.decided((self.model, {}, dict(edges)), verdict)

    def core(self, queries: Queries, edges: Drawn, **how: Any) -> Verdict:
        return conflicting_clues(
            lambda some: self.having(some).posed.stated,
            self.values,
            edges,
            partial(queries.decide, self.posed),
            partial(queries.contradiction, self.posed),
            **how,
        )

    def entails(self, queries: Queries, others: Self, edges: Drawn, deadline: Deadline) -> bool:
        return queries.find(
            self.posed,
            lambda oracle, until: oracle.implies_all(
                self.posed.stated, others.posed.stated, edges, timeout=until
            ),
            deadline,
        )

    def states_all_of(self, fewer: Self) -> bool:
        return fewer.posed.stated.keys() <= self.posed.stated.keys()


class PathClues(CellClues):
    """Clues of paths through cells: each query has a model, and an oracle, of its own.

    Without edges that are on or off, engines answer in the place of the oracle.
    """

    @property
    def posed(self) -> Posed:
        return Posed(self.model, self.model, {})

    def decide(self, queries: Queries, edges: Drawn, deadline: Deadline) -> Verdict:
        if edges:
            return super().decide(queries, edges, deadline)
        return queries.decided(
            (self.model, {}, {}),
            lambda: decide(self.model, timeout=deadline.left, **queries.engines),
        )

    def some(
        self, queries: Queries, edges: Drawn, most: int, timeout: float | None
    ) -> tuple[Solution, ...]:
        if edges:
            return super().some(queries, edges, most, timeout)
        return tuple(islice(solutions(self.model, timeout=timeout, **queries.engines), most))

    def core(self, queries: Queries, edges: Drawn, **how: Any) -> Verdict:
        if edges:
            return find_core(
                partial(queries.decide, self.posed),
                partial(queries.contradiction, self.posed),
                {},
                edges,
                **how,
            )
        deadline, preview = how["timeout"], how["preview"]
        verdict = self.decide(queries, edges, deadline)
        if verdict.status == "many":
            return verdict
        whole = replace(verdict, core=self.values, core_edges={})
        if verdict.status == "unique":
            return whole

        def show(some: dict[Cell, Clue]) -> None:
            if preview is not None:
                preview(replace(whole, core=some, core_minimal=True))

        containing = [cell for what, cell in how["containing"] if what == "clue"]
        found, minimal, smallest = conflicting_pairs(
            self.puzzle, deadline, queries.engines, containing, show
        )
        return replace(whole, core=found, core_minimal=minimal, core_smallest=smallest)

    def entails(self, queries: Queries, others: Self, edges: Drawn, deadline: Deadline) -> bool:
        if not self.model.free_ends and _joined(self.model) != _joined(others.model):
            # The ends of its paths say which pairs a solution joins.
            return False
        on = [edge for edge, drawn in edges.items() if drawn]
        if any(self.model.degrees[end] == HOLE for edge in on for end in self.graph.ends(edge)):
            # A Numberlink without its last pair has no lines at all.
            return False
        every = solutions(self.model.with_drawn(edges), timeout=deadline.left, **queries.engines)
        first = next(every, None)
        return first is not None and not any(map(others.puzzle.violations, chain((first,), every)))


def _joined(model: LinkModel) -> set[frozenset[int]]:
    """Return the pairs that the paths of a model join."""
    return {*map(frozenset, model.terminals)}


def clues_of(puzzle: Puzzle) -> HeldClues:
    """Return the clues of a puzzle, in the form of its kind."""
    if puzzle.counts_lines and not puzzle.through_cells:
        return FaceClues.of(puzzle)
    values: dict[Any, Any] = dict(puzzle.clue_cells())
    # Without pairs, a Numberlink has the model of a loop that is nowhere.
    form = LoopClues if puzzle.model.loop and not puzzle.letters else PathClues
    return form(puzzle, {cell_named(name): clue for name, clue in values.items()})


def _named(verdict: Verdict) -> Verdict:
    """Return a verdict with the faces of its core as a session names them."""
    if not verdict.core or isinstance(next(iter(verdict.core)), tuple):
        return verdict
    core: dict[Any, Any] = {cell_named(face): clue for face, clue in verdict.core.items()}
    return replace(verdict, core=core)


@cache
def _clue(mask: int) -> Clue:
    """Return the clue of a mask of counts; one count is an exact clue."""
    allowed = frozenset(count for count in range(mask.bit_length()) if mask >> count & 1)
    return next(iter(allowed)) if len(allowed) == 1 else allowed
