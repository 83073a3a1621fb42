"""What callers and engines say to each other: settings, queries and answers.

`Asked` is a query; `Verdict` and `Tally` are answers; `Seen` is a solution that may answer the next
query. Callers check settings and read answers without loading an engine, so this module imports
nothing of the SAT engine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from linkoracle.board.model import count_mask
from linkoracle.core.limits import checked_int

if TYPE_CHECKING:
    from typing import Self

    from linkoracle.board.board import Board
    from linkoracle.board.solution import Solution

#: The engine that answers; "auto" lets the fast ones work in turns.
Engine = Literal["auto", "sat", "frontier", "plain"]
#: Values of ``engine``.
ENGINES: tuple[Engine, ...] = get_args(Engine)

#: The PySAT solver used when the caller names none; `scripts/bench_oracle.py --solvers` compares
#: those that PySAT ships.
DEFAULT_SOLVER = "cadical195"

#: The solvers that can be named: what PySAT has with assumptions, cores, phases, conflict limits.
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

#: The side of the board that is down for an oracle: see `docs/taut.md`.
Side = Literal["bottom", "top", "right", "left"]
SIDES: tuple[Side, ...] = get_args(Side)

#: Conflict budget of the first turn of SAT, at most; each later turn has twice as many.
CONFLICT_BUDGET = 10_000

#: Conflict budget of one call of the solver. Calls of 20,000 take a third longer (docs/taut.md).
PIECE = 1_000

#: A face of the board: on squares the cell as ``(row, column)``, counted from 0; else its number.
Cell = Any
#: What a clue allows: one number of chosen edges around its cell, or any out of a set.
Clue = int | Set[int]
#: Clues by cell; pairs of cell and clue do as well.
Clues = Mapping[Cell, Clue] | Iterable[tuple[Cell, Clue]]


@dataclass(frozen=True)
class Verdict:
    """The answer of `Oracle.ask`: how many solutions, up to two of them, and why.

    ``core`` is a subset of the clues asked about, as they were given, and ``core_edges`` one of the
    edges: with ``"unique"`` together they already leave a single solution, with ``"none"`` they
    already contradict the board; with ``"many"`` both are ``None``. They are small. With
    ``core_minimal`` it is proven that a contradiction needs all of them, as `Oracle.core` tries to.
    """

    status: Literal["none", "unique", "many"]
    solutions: tuple[Solution, ...]
    core: dict[Cell, Clue] | None
    core_edges: dict[int, bool] | None = None
    core_minimal: bool = False

    @property
    def unique(self) -> bool:
        return self.status == "unique"

    def __bool__(self) -> bool:
        """Whether there is exactly one solution."""
        return self.unique


@dataclass(frozen=True)
class Tally:
    """How many solutions were counted, and whether that is all.

    ``exact`` is false when the count stopped at the limit and more solutions exist. ``engine`` is
    the one that answered. ``solutions`` holds the solutions counted, when they were asked for.
    """

    count: int
    exact: bool
    engine: str
    solutions: tuple[Solution, ...] = ()


@dataclass(eq=False)
class Seen:
    """A solution; and, for the questions after it, the counts of its faces and its edges."""

    solution: Solution

    @cached_property
    def counts(self) -> list[int]:
        return self.solution.counts()

    @cached_property
    def chosen(self) -> bytearray:
        return self.solution.marks()


class Asked(NamedTuple):
    """What is assumed: clues by cell as they were given, their masks by face, and edges."""

    clues: dict[Cell, Clue]
    masks: dict[int, int]
    edges: dict[int, bool]

    @classmethod
    def of(cls, board: Board, clues: Clues, edges: Mapping[int, bool] | None) -> Self:
        """What is asked about a board; ``ValueError`` for what is no clue, cell or edge."""
        wanted: dict[Cell, Clue] = dict(clues)
        masks = {}
        for cell, clue in wanted.items():
            face = board.face_of(cell)
            masks[face] = _mask(clue, board.free_masks[face].bit_length() - 1)
        for edge, on in (edges or {}).items():
            checked_int(edge, "an edge", 0, board.num_edges - 1)
            if not _is_truth(on):
                raise ValueError(f"expected True or False for edge {edge}, got {on!r}")
        return cls(wanted, masks, {int(edge): bool(on) for edge, on in (edges or {}).items()})

    def fits(self, seen: Seen) -> bool:
        """Whether a solution of the board has these clues and edges."""
        return all(mask >> seen.counts[face] & 1 for face, mask in self.masks.items()) and all(
            seen.chosen[edge] == on for edge, on in self.edges.items()
        )


def _is_truth(value: object) -> bool:
    """Whether this is True or False, maybe those of NumPy, which is not loaded for that."""
    numpy = sys.modules.get("numpy")
    return isinstance(value, bool) or (numpy is not None and isinstance(value, numpy.bool_))


def _mask(clue: Clue, most: int) -> int:
    """The count mask of a clue; ``ValueError`` for what is not one."""
    if type(clue) is int and 0 <= clue <= most:
        return 1 << clue
    return count_mask(clue, most)
