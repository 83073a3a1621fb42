"""`instances`: all Numberlink puzzles of a small board with exactly one solution.

The compiled code does not check the bounds of the numbers in a checkpoint. So everything it relies
on is checked before (`fault`): types, shapes, the bounds of node numbers, the order of the diagram,
and the consistency of the fields of a state. Moreover, a cell must not be in two pairs of a set,
which would not be a puzzle. Arrays that pass are the state of some pass. Whether it is the state of
this board is not checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from linkoracle.batch.runs import Checkpoint
from linkoracle.board import Lattice, LinkModel
from linkoracle.census import census_kernel
from linkoracle.census.loop import cell_number, checked_size
from linkoracle.core import Progress, RunError, checked_limit, checked_word
from linkoracle.frontier import FIRST_SLOT, Plan
from linkoracle.kinds import Cell, Numberlink
from linkoracle.zdd import UNIT, SetFamily, Zdd, zdd_kernel

#: For each variant: whether the only solution must use all cells, and the variant of the puzzles.
VARIANTS = {
    "unique_and_covering": (True, "free"),
    "unique_free": (False, "free"),
    "unique_fill": (False, "fill"),
}

#: The most cells of a board, so that a state is one word of 64 bits.
MOST_CELLS = 30


def instances(
    rows: int,
    cols: int,
    variant: str = "unique_and_covering",
    *,
    memory: int | None = None,
    progress: Progress | None = None,
    checkpoint: Path | None = None,
    resume: bool = False,
) -> InstanceFamily:
    """Return all non-empty sets of pairs of cells that make a Numberlink with one solution.

    ``variant`` is ``"unique_free"`` (cells may stay empty), ``"unique_fill"`` (all cells must be
    used) or ``"unique_and_covering"`` (cells may stay empty, but the only solution uses all). Time
    and memory are exponential in the short side. The file ``checkpoint`` is written after each
    cell; with ``resume`` the pass continues from it, if it exists. The file is checked completely;
    only a forged file with a matching checksum gives wrong numbers.

    Raises ``ValueError`` for another variant or a board of more than 30 cells, `MemoryLimit`, and
    `RunError` for a file that was changed or is of another run.

    >>> instances(3, 3).by_pairs()
    {2: 12, 3: 54, 4: 20}
    >>> instances(2, 2, "unique_fill").count()
    6
    """
    checked_word(variant, "a variant", VARIANTS)
    cells = checked_size(rows, cols, MOST_CELLS)
    memory = checked_limit(memory)
    covering, solved_as = VARIANTS[variant]
    model = LinkModel.blank_paths(Lattice(rows, cols), (), cover=solved_as == "fill")
    plan = Plan(model, free_ends=True, named=True)
    tables = plan.begin(counted=False, records=1, memory=memory)
    begin: dict[str, np.ndarray] = {
        "states": np.zeros(1, dtype=np.uint64),
        "families": np.array([[UNIT, 0]], dtype=np.int32),
        "nodes": zdd_kernel.TERMINALS,
        "cells": np.array(0),
    }
    file = None
    if checkpoint is not None:
        parameters = {"census": "numberlink", "rows": rows, "cols": cols, "variant": variant}
        file = Checkpoint(checkpoint, parameters, resume=resume)
        if (kept := file.load()) is not None:
            if found := fault(kept, plan):
                raise RunError(f"{checkpoint} was changed by another program: {found}")
            begin = kept
    sets = Zdd(cells * cells, memory=memory // 2, kept=begin["nodes"])
    states, families = begin["states"], begin["families"]
    for cell in range(int(begin["cells"]), cells):
        step = cell, covering, memory // 2
        states, families = census_kernel.advance(sets, tables, states, families, *step)
        families = sets.collect(families.ravel()).reshape(-1, 2)
        if file is not None:
            arrays: dict[str, np.ndarray] = {
                "states": states,
                "families": families,
                "cells": np.array(cell + 1),
            }
            file.save(arrays | {"nodes": sets.array()})
        if progress is not None:
            progress(f"cell {cell + 1} of {cells}, {len(states)} states", (cell + 1) / cells)
    reached, ambiguous = families[states == 0][0].tolist() if (states == 0).any() else (0, 0)
    unique = sets.apply(zdd_kernel.DIFFERENCE, reached, ambiguous)
    # The empty set of pairs is not a puzzle.
    unique = sets.apply(zdd_kernel.DIFFERENCE, unique, UNIT)
    return InstanceFamily(rows, cols, solved_as, sets, sets.alone(unique))


class InstanceFamily(SetFamily[Numberlink]):
    """Numberlinks of one board; see `instances`. Iterates over `Numberlink`.

    >>> puzzles = instances(4, 4)
    >>> puzzles.count(), puzzles.filter(adjacent_ends=False, pairs=(3, 3)).count()
    (16410, 320)
    """

    def __init__(self, rows: int, cols: int, variant: str, sets: Zdd, node: int) -> None:
        super().__init__(sets, node)
        self.rows, self.cols, self.variant = rows, cols, variant

    def _like(self, node: int) -> Self:
        return type(self)(self.rows, self.cols, self.variant, self._sets, node)

    def _number(self, cell: Cell) -> int:
        """Return the number of a cell in the order of the pass, along the short side."""
        number = cell_number(cell, self.rows, self.cols)
        return cell[1] * self.rows + cell[0] if self.cols > self.rows else number

    def _cell(self, number: int) -> Cell:
        row, col = divmod(number, min(self.rows, self.cols))
        return (col, row) if self.cols > self.rows else (row, col)

    def _variable(self, one: Cell, other: Cell) -> int:
        if one == other:
            raise ValueError(f"expected two different cells, got {one[0]},{one[1]} twice")
        numbers = self._number(one), self._number(other)
        return census_kernel.pair_variable(*numbers, self.rows * self.cols)

    def _pair(self, variable: int) -> tuple[Cell, Cell]:
        cells = self.rows * self.cols
        late, early = divmod(variable, cells)
        one, other = sorted((self._cell(cells - 1 - late), self._cell(early)))
        return one, other

    def _member(self, variables: tuple[int, ...]) -> Numberlink:
        pairs = sorted(map(self._pair, variables))
        return Numberlink.from_pairs(self.rows, self.cols, pairs, self.variant)

    def __contains__(self, puzzle: object) -> bool:
        """Return whether a puzzle with these pairs and this variant is one of them."""
        if not isinstance(puzzle, Numberlink) or puzzle.given or puzzle.forbidden:
            return False
        if (puzzle.faces.shape, puzzle.variant) != ((self.rows, self.cols), self.variant):
            return False
        pairs = puzzle.pairs().values()
        return self._sets.has(self._node, [self._variable(*pair) for pair in pairs])

    def by_pairs(self) -> dict[int, int]:
        """Return the number of puzzles for each number of pairs, without zeros."""
        return self._counts.by_size(self._node)

    def filter(
        self,
        *,
        pairs: tuple[int, int] | None = None,
        adjacent_ends: bool = True,
        required: Iterable[tuple[Cell, Cell]] = (),
        ends: Iterable[Cell] | None = None,
    ) -> Self:
        """Return the puzzles that satisfy all given conditions.

        The number of pairs is in the range ``pairs`` (both ends included); without
        ``adjacent_ends`` equal numbers are not neighbours; all ``required`` pairs are there; all
        numbers are on the cells ``ends``. Raises ``ValueError`` for cells outside the board.
        """
        every = [self._cell(number) for number in range(self.rows * self.cols)]
        allowed = set(every) if ends is None else {self._cell(self._number(end)) for end in ends}
        included = [self._variable(one, other) for one, other in required]
        excluded = [
            self._variable(one, other)
            for place, one in enumerate(every)
            for other in every[:place]
            if not {one, other} <= allowed
            or (not adjacent_ends and abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1)
        ]
        return self._like(self._narrowed(included, excluded, pairs))

    def __repr__(self) -> str:
        return f"<InstanceFamily of {self.count()} {self.rows}x{self.cols} Numberlinks>"


#: The arrays of a pass: type, dimensions, and shape without the first length, which is arbitrary.
_LAYOUT: dict[str, tuple[type[np.generic], int, tuple[int, ...]]] = {
    "states": (np.uint64, 1, ()),
    "families": (np.int32, 2, (2,)),
    "nodes": (np.int32, 2, (3,)),
    "cells": (np.int64, 0, ()),
}


def fault(arrays: Mapping[str, NDArray[Any]], plan: Plan) -> str | None:
    """Return the first fault in the arrays of a pass over a board, or ``None``.

    O(n log n) for n nodes and states, in compiled steps.

    >>> arrays = {
    ...     "states": np.zeros(1, np.uint64), "families": np.array([[0, 2]], np.int32),
    ...     "nodes": zdd_kernel.TERMINALS, "cells": np.array(2),
    ... }
    >>> from linkoracle import Lattice, LinkModel
    >>> blank = LinkModel.blank_paths(Lattice(2, 1), ())
    >>> fault(arrays, Plan(blank, free_ends=True, named=True))
    "a number in 'families' is not a node"
    """
    return next(_faults(arrays, plan), None)


def _faults(arrays: Mapping[str, NDArray[Any]], plan: Plan) -> Iterator[str]:
    """Yield faults. Use only the first: later checks rely on its absence."""
    if arrays.keys() != _LAYOUT.keys():
        yield f"its arrays are not {', '.join(_LAYOUT)}"
    for name, (dtype, dimensions, shape) in _LAYOUT.items():
        array = arrays[name]
        if array.dtype != dtype or array.ndim != dimensions or array.shape[1:] != shape:
            yield f"the array {name!r} has a wrong type or shape"
    states, families, nodes = (arrays[name] for name in ("states", "families", "nodes"))
    done = int(arrays["cells"])
    cells = plan.num_steps
    if not 1 <= done <= cells:
        yield "its number of cells is out of range"
    yield from _faults_of_states(states, plan, done)
    yield from _faults_of_nodes(nodes, cells, done)
    if len(families) != len(states):
        yield "it does not have two families for each state"
    if ((families < 0) | (families >= len(nodes))).any():
        yield "a number in 'families' is not a node"
    pairs = _pairs(nodes[:, 0], cells)
    used, twice = _cells_used(nodes, pairs)
    if twice or (used[families] & _open_ends(states, plan)[:, None]).any():
        yield "a cell is in two pairs"


def _held(states: NDArray[np.uint64], plan: Plan) -> NDArray[np.int64]:
    """Return the fields of each state, of shape (states, slots), as codes of `pass_kernel.pxd`."""
    places = np.array(plan.layout.fields, dtype=np.uint64)
    mask = np.uint64((1 << plan.layout.field_bits) - 1)
    return (states[:, None] >> places & mask).astype(np.int64)


def _open_ends(states: NDArray[np.uint64], plan: Plan) -> NDArray[np.int64]:
    """Return for each state the cells at which unfinished paths begin, as a bitmask."""
    ends = _held(states, plan) - (FIRST_SLOT + 2 * plan.num_slots)
    masks: NDArray[np.int64] = np.where(ends >= 0, np.int64(1) << np.maximum(ends, 0), 0).sum(
        axis=1
    )
    return masks


def _faults_of_states(states: NDArray[np.uint64], plan: Plan, done: int) -> Iterator[str]:
    slots, bits = plan.num_slots, plan.layout.field_bits
    if slots * bits < 64 and (states >> np.uint64(slots * bits)).any():
        yield "a state has more fields than the board"
    if len(np.unique(states)) < len(states):
        yield "a state is there twice"
    held = _held(states, plan)
    if np.delete(held, plan.slots[2][done - 1], axis=1).any():
        yield "a path of a state leads off the board"
    own = np.arange(slots)
    ends = held - (FIRST_SLOT + 2 * slots)
    if (ends >= done).any():
        yield "a path of a state begins at an undecided cell"
    joined = (held >= FIRST_SLOT) & (ends < 0)
    other = np.where(joined, held - FIRST_SLOT, own)
    back = np.take_along_axis(held, np.minimum(other, slots - 1), axis=1) - FIRST_SLOT
    if (joined & ((other == own) | (other >= slots) | (back != own))).any():
        yield "a path of a state has no other end"
    ends = np.sort(np.where(ends >= 0, ends, -1 - own), axis=1)
    if (ends[:, 1:] == ends[:, :-1]).any():
        yield "two paths of a state begin at one cell"


def _faults_of_nodes(nodes: NDArray[np.int32], cells: int, done: int) -> Iterator[str]:
    if len(nodes) < 2 or (nodes[:2] != zdd_kernel.TERMINALS).any():
        yield "the first two nodes are not the terminals"
    variables, children = nodes[2:, 0], nodes[2:, 1:]
    numbers = np.arange(2, len(nodes))
    if (children < [0, 1]).any() or (children >= numbers[:, None]).any():
        yield "a node leads to a later one"
    late, early = cells - 1 - variables // cells, variables % cells
    if ((variables < 0) | (late >= done) | (early >= late)).any():
        yield "a node has an invalid pair of cells"
    if (variables[:, None] >= nodes[children, 0]).any():
        yield "a node leads to one that is not below it"
    ordered = nodes[2:][np.lexsort(nodes[2:].T)]
    if (ordered[1:] == ordered[:-1]).all(axis=1).any():
        yield "a node is there twice"


def _pairs(variables: NDArray[np.int32], cells: int) -> NDArray[np.int64]:
    """Return the two cells of each variable as a bitmask; 0 for those of the two terminals."""
    late, early = cells - 1 - variables.astype(np.int64) // cells, variables % cells
    masks: NDArray[np.int64] = np.int64(1) << np.maximum(late, 0) | np.int64(1) << early
    return np.where(late >= 0, masks, 0)


def _cells_used(
    nodes: NDArray[np.int32], pairs: NDArray[np.int64]
) -> tuple[NDArray[np.int64], bool]:
    """Return the cells in the sets of each node as bitmasks, and if a set has one in two pairs.

    Only the first node is empty, so a cell below the branch with a pair is in some set with it.
    """
    used = np.zeros(len(nodes), dtype=np.int64)
    order = 2 + np.argsort(-nodes[2:, 0], kind="stable")
    # From the greatest variable, whose nodes lead only to the terminals.
    starts = np.flatnonzero(np.diff(nodes[order, 0], prepend=-1, append=-1))
    for start, stop in pairwise(starts):
        part = order[start:stop]
        below = used[nodes[part, 2]]
        if (below & pairs[part]).any():
            return used, True
        used[part] = used[nodes[part, 1]] | below | pairs[part]
    return used, False
