"""`instances`: all Numberlink puzzles of a small board with exactly one solution."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Self

import numpy as np

from linkoracle.batch.runs import Checkpoint
from linkoracle.board.lattice import Lattice
from linkoracle.board.model import LinkModel
from linkoracle.census import families_kernel, pairs_check
from linkoracle.census.cells import cell_number, checked_size
from linkoracle.core.errors import RunError
from linkoracle.core.limits import Progress, checked_word
from linkoracle.core.machine import checked_limit
from linkoracle.frontier.plan import Plan
from linkoracle.kinds import Numberlink
from linkoracle.kinds.puzzle import Cell
from linkoracle.zdd import zdd_kernel as kernel
from linkoracle.zdd.families import UNIT, SetFamily, Zdd

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
        "nodes": kernel.TERMINALS,
        "cells": np.array(0),
    }
    file = None
    if checkpoint is not None:
        parameters = {"census": "numberlink", "rows": rows, "cols": cols, "variant": variant}
        file = Checkpoint(checkpoint, parameters, resume=resume)
        if (kept := file.load()) is not None:
            if found := pairs_check.fault(kept, plan):
                raise RunError(f"{checkpoint} was changed by another program: {found}")
            begin = kept
    sets = Zdd(cells * cells, memory=memory // 2, kept=begin["nodes"])
    states, families = begin["states"], begin["families"]
    for cell in range(int(begin["cells"]), cells):
        step = cell, covering, memory // 2
        states, families = families_kernel.advance(sets, tables, states, families, *step)
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
    unique = sets.apply(kernel.DIFFERENCE, reached, ambiguous)
    # The empty set of pairs is not a puzzle.
    unique = sets.apply(kernel.DIFFERENCE, unique, UNIT)
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
        return families_kernel.pair_variable(*numbers, self.rows * self.cols)

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
