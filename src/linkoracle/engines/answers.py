"""What callers and engines exchange: settings, queries and answers.

`Assumptions` are a query; `Verdict` and `CountResult` are answers; `Seen` is a solution that may
answer the next query. Callers check settings and read answers without loading an engine, so this
module imports nothing of the SAT engine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self, get_args

from linkoracle import core
from linkoracle.board import Board, Edge, Solution, count_mask

#: The engine to use; "auto" lets the fast ones work in turns.
Engine = Literal["auto", "sat", "frontier", "plain"]
#: Values of ``engine``.
ENGINES: tuple[Engine, ...] = get_args(Engine)

#: The default PySAT solver; `scripts/bench_oracle.py --solvers` compares the solvers of PySAT.
DEFAULT_SOLVER = "cadical195"

#: Valid solvers: those of PySAT with assumptions, cores, phases and conflict limits.
SOLVERS = (
    "cadical153",
    "cadical195",
    "cadical300",
    "gluecard4",
    "glucose3",
    "glucose4",
    "glucose42",
    "maplechrono",
    "maplecm",
    "maplesat",
    "mergesat3",
    "minicard",
    "minisat22",
)

#: The side of the board that counts as its bottom: see `docs/explanation/taut.md`.
Side = Literal["bottom", "top", "right", "left"]
SIDES: tuple[Side, ...] = get_args(Side)

#: Largest conflict budget of the first turn of SAT; each later turn has twice as many.
CONFLICT_BUDGET = 10_000

#: Conflict budget of one call of the solver. Calls of 20,000 take a third longer.
PIECE = 1_000

#: A face: on squares the cell ``(row, column)``, counted from 0; on other boards its number.
Cell = Any
#: A clue: the number of chosen edges around its cell, or a set of allowed numbers.
Clue = int | Set[int]
#: Clues by cell, as a mapping or as pairs; ``None`` is no clue.
Clues = Mapping[Cell, Clue | None] | Iterable[tuple[Cell, Clue | None]]
#: For each edge whether it is chosen, as a mapping or as pairs; ``None`` leaves it open.
Edges = Mapping[Any, bool | None] | Iterable[tuple[Edge, bool | None]] | None


@dataclass(frozen=True)
class Verdict:
    """The answer of `Oracle.ask`: how many solutions, up to two of them, and why if requested.

    If a core is requested, ``core`` is a small subset of the query's clues, and ``core_edges`` one
    of its edges, both named as in the query. With ``"unique"`` they already leave a single
    solution, with ``"none"`` they already contradict the board. Otherwise both are ``None``. If
    ``core_minimal``, a contradiction is proven to need all of them, which `Oracle.core` tries to
    prove. If ``core_smallest``, no fewer contradict each other: see `linkoracle.Session.core`.
    """

    status: Literal["none", "unique", "many"]
    solutions: tuple[Solution, ...]
    core: dict[Cell, Clue] | None
    core_edges: dict[Any, bool] | None = None
    core_minimal: bool = False
    core_smallest: bool = False

    @property
    def unique(self) -> bool:
        return self.status == "unique"

    def __bool__(self) -> bool:
        """Return whether there is exactly one solution."""
        return self.unique

    def _repr_svg_(self) -> str | None:
        # For notebooks: the first solution.
        return core.draw_svg(self.solutions[0]) if self.solutions else None


@dataclass(frozen=True)
class CountResult:
    """How many solutions were counted, and whether that is all of them.

    ``exact`` is false when the count stopped at the limit and more solutions exist. ``engine`` is
    the one that answered, or ``"direct"`` for cycles of a large board without constraints, which
    need none. ``solutions`` has the counted solutions if they were requested.
    """

    count: int
    exact: bool
    engine: str
    solutions: tuple[Solution, ...] = ()

    @classmethod
    def up_to(cls, limit: int | None, solutions: tuple[Solution, ...], engine: str) -> Self:
        """Return the result for ``solutions``: all of them, or one more than the limit."""
        count = len(solutions[:limit])
        return cls(count, count == len(solutions), engine, solutions)


@dataclass(eq=False)
class Seen:
    """A solution, with the counts of its faces and its edges for later queries."""

    solution: Solution
    #: What is known of other statements about it.
    holds: dict[Any, bool | None] = field(default_factory=dict)

    @cached_property
    def counts(self) -> list[int]:
        return self.solution.counts()

    @cached_property
    def chosen(self) -> bytearray:
        return self.solution.marks()

    @cached_property
    def true(self) -> set[int]:
        """The variables of chosen edges and of visited vertices."""
        board, edges = self.solution.board, self.solution.edges
        ends = (end for edge in edges for end in board.ends(edge))
        return {edge + 1 for edge in edges} | set(map(board.visited, ends))


class Assumptions(NamedTuple):
    """Clues and edges that hold for one query, as they were named and as the engine reads them."""

    clues: dict[Cell, Clue]
    #: The count mask of each clue, by face.
    masks: dict[int, int]
    #: For each edge, by id, whether it is chosen.
    edges: dict[int, bool]
    #: The name of each edge, by id.
    names: dict[int, Edge]

    @classmethod
    def of(cls, board: Board, clues: Clues, edges: Edges) -> Self:
        """Read a query about a board; raise ``ValueError`` for an invalid clue, cell or edge."""
        query = cls({}, {}, *_read_edges(board, edges))
        query._read(board, dict(clues))
        return query

    def _read(self, board: Board, clues: Mapping[Cell, Clue | None]) -> None:
        named, masks, free = self.clues, self.masks, board.free_masks
        for cell, clue in clues.items():
            face = board.face_of(cell)
            if clue is None:
                named.pop(cell, None)
                masks.pop(face, None)
            else:
                masks[face] = _mask(clue, free[face].bit_length() - 1)
                named[cell] = clue

    def changed(self, board: Board, clues: Mapping[Cell, Clue | None], edges: Edges) -> Self:
        """Change some clues in place, and return the query with them and with other edges.

        Raises ``ValueError`` like `of`; the query is then of no more use.
        """
        self._read(board, clues)
        chosen, names = _read_edges(board, edges)
        return self._replace(edges=chosen, names=names)

    def copy(self) -> Self:
        """Return a copy that stays when this query is changed in place."""
        return self._replace(clues=dict(self.clues), masks=dict(self.masks), edges=dict(self.edges))

    def fits(self, seen: Seen) -> bool:
        """Return whether a solution of the board has these clues and edges."""
        return all(mask >> seen.counts[face] & 1 for face, mask in self.masks.items()) and all(
            seen.chosen[edge] == on for edge, on in self.edges.items()
        )


def _read_edges(board: Board, edges: Edges) -> tuple[dict[int, bool], dict[int, Edge]]:
    """Return for each edge, by id, whether it is chosen, and its name."""
    chosen: dict[int, bool] = {}
    names: dict[int, Edge] = {}
    for name, on in dict(edges or ()).items():
        edge = board.edge_of(name)
        if on is None:
            continue
        if not _is_truth(on):
            raise ValueError(f"expected True or False for edge {name}, got {on!r}")
        if chosen.setdefault(edge, bool(on)) != bool(on):
            raise ValueError(f"edge {name} is both chosen and not chosen")
        names[edge] = name
    return chosen, names


def _is_truth(value: object) -> bool:
    """Return whether this is True or False, or NumPy's; does not load NumPy."""
    numpy = sys.modules.get("numpy")
    return isinstance(value, bool) or (numpy is not None and isinstance(value, numpy.bool_))


def _mask(clue: Clue, most: int) -> int:
    """Return the count mask of a clue; raise ``ValueError`` if it is invalid."""
    if type(clue) is int and 0 <= clue <= most:
        return 1 << clue
    return count_mask(clue, most)
