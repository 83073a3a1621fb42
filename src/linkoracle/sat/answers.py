"""What an oracle is asked, and what the engines answer.

`Asked` is a question; `Verdict` and `Tally` are answers; `Seen` is a solution that may answer the
next question.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from linkoracle.core.limits import checked_int

if TYPE_CHECKING:
    from typing import Literal, Self

    from linkoracle.board.lattice import Lattice, Solution

#: A cell of the board (a face of the lattice) as ``(row, column)``, counted from 0.
Cell = tuple[int, int]
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
        return [*chain.from_iterable(self.solution.clues())]

    @cached_property
    def chosen(self) -> bytearray:
        return self.solution.marks()


class Asked(NamedTuple):
    """What is assumed: clues by cell as they were given, their masks by face, and edges."""

    clues: dict[Cell, Clue]
    masks: dict[int, int]
    edges: dict[int, bool]

    @classmethod
    def of(cls, lattice: Lattice, clues: Clues, edges: Mapping[int, bool] | None) -> Self:
        """What is asked about a board; ``ValueError`` for what is no clue, cell or edge."""
        wanted: dict[Cell, Clue] = dict(clues)
        masks = {_face(lattice, cell): _mask(clue) for cell, clue in wanted.items()}
        for edge, on in (edges or {}).items():
            checked_int(edge, "an edge", 0, lattice.num_edges - 1)
            if not _is_truth(on):
                raise ValueError(f"expected True or False for edge {edge}, got {on!r}")
        return cls(wanted, masks, {int(edge): bool(on) for edge, on in (edges or {}).items()})

    def fits(self, seen: Seen) -> bool:
        """Whether a solution of the board has these clues and edges."""
        return all(mask >> seen.counts[face] & 1 for face, mask in self.masks.items()) and all(
            seen.chosen[edge] == on for edge, on in self.edges.items()
        )


def _face(lattice: Lattice, cell: Cell) -> int:
    """The face of a cell; ``ValueError`` for what is none."""
    rows, cols = lattice.rows - 1, lattice.cols - 1
    try:
        row, col = cell
        # Questions have hundreds of cells: those as they should be are told at once.
        if type(row) is int and type(col) is int and 0 <= row < rows and 0 <= col < cols:
            return row * cols + col
        return lattice.face(checked_int(row, "a row", 0), checked_int(col, "a column", 0))
    except (TypeError, ValueError, IndexError):
        raise ValueError(
            f"expected a cell (row, column) of {rows} x {cols} cells, got {cell!r}"
        ) from None


def _is_truth(value: object) -> bool:
    """Whether this is True or False, maybe those of NumPy, which is not loaded for that."""
    numpy = sys.modules.get("numpy")
    return isinstance(value, bool) or (numpy is not None and isinstance(value, numpy.bool_))


def _mask(clue: Clue) -> int:
    """The count mask of a clue; ``ValueError`` for what is none."""
    if type(clue) is int and 0 <= clue <= 4:
        return 1 << clue
    if isinstance(clue, Set):
        return sum({1 << checked_int(value, "a clue", 0, 4) for value in clue})
    return 1 << checked_int(clue, "a clue", 0, 4)
