"""`Part`: what a census knows of some of a board's loops, and how parts are added up."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from linkoracle.census import bitsets
from linkoracle.census.loop_table import LoopTable
from linkoracle.census.symmetries import cell_permutations, orbit_masks

#: A record and where it was set: the smallest such tuple is kept, so ties go to the first loop.
Record = tuple[int, ...]


@dataclass
class Part:
    """Numbers of puzzles on some loops of a board, by number of clues.

    ``puzzles`` and ``minimal`` count every loop of a symmetry class; the other two count puzzles
    that are turns or mirror images of each other once. ``barren`` is the number of loops that no
    clue set makes unique. Records: ``fewest`` is (clues, loop, mask) of a puzzle with the fewest
    clues, ``largest`` is (-clues, loop, mask) of a minimal puzzle with the most, ``richest`` is
    (-puzzles, loop) and ``poorest`` (puzzles, loop) of a loop with the most and with the fewest
    puzzles but some.
    """

    puzzles: list[int]
    minimal: list[int]
    puzzle_classes: list[int]
    minimal_classes: list[int]
    barren: int = 0
    records: dict[str, Record] = field(default_factory=dict)

    @classmethod
    def nothing(cls, cells: int) -> Self:
        none = [0] * (cells + 1)
        return cls(none.copy(), none.copy(), none.copy(), none.copy())

    def add(self, other: Part) -> None:
        """Add the numbers of other loops to these."""
        for name in ("puzzles", "minimal", "puzzle_classes", "minimal_classes"):
            mine = getattr(self, name)
            for size, number in enumerate(getattr(other, name)):
                mine[size] += number
        self.barren += other.barren
        for name, record in other.records.items():
            self.keep(name, record)

    def keep(self, name: str, record: Record) -> bool:
        """Keep the better record; whether it is the new one."""
        better = name not in self.records or record < self.records[name]
        if better:
            self.records[name] = record
        return better

    def to_json(self) -> dict[str, Any]:
        return {item.name: getattr(self, item.name) for item in fields(self)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        records = {name: tuple(record) for name, record in data["records"].items()}
        return cls(**{**data, "records": records})


def bytes_needed(cells: int) -> int:
    """The memory that `count_part` needs beside the table."""
    return (1 << max(cells, 6)) // 8 + (1 << 20)


def count_part(table: LoopTable, first: int, stop: int, *, fours: bool) -> Part:
    """Count the puzzles of the symmetry classes ``first`` to ``stop`` of ``table``.

    Without ``fours`` no cell whose clue is 4 may carry it. For each class, O(loops) time to compare
    and O(2^cells x cells / 64) to close: 6 ms for a loop of 5 x 5 cells.
    """
    cells = table.cells
    part = Part.nothing(cells)
    permutations = cell_permutations(table.rows, table.cols)
    orbits = [orbit_masks(permutation) for permutation in permutations]
    bad = bitsets.new_bitset(cells)
    full = (1 << cells) - 1
    for number in range(first, stop):
        loop = int(table.classes[number])
        bitsets.mark_agreements(table.planes, loop, full, bad)
        bitsets.close_downward(bad)
        if not fours and table.clue_four(loop):
            bitsets.forbid(bad, table.clue_four(loop))
        sizes = bitsets.count_sizes(bad, cells)
        fixing = [s for s in range(len(orbits)) if int(table.stabilisers[number]) >> s & 1]
        fixed = sizes.copy()
        for symmetry in fixing[1:]:
            fixed += bitsets.count_fixed(bad, cells, orbits[symmetry])
        _add_loop(part, sizes * (len(orbits) // len(fixing)), fixed // len(fixing))
        _keep_records(part, bad, sizes, loop)
        if not sizes[0].any():
            part.barren += len(orbits) // len(fixing)
    return part


def _add_loop(part: Part, sizes: NDArray[np.int64], classes: NDArray[np.int64]) -> None:
    # Burnside: a loop's puzzles up to the symmetries of that loop are the mean, over these
    # symmetries, of the number of puzzles that each leaves as they are.
    for mine, numbers in (
        (part.puzzles, sizes[0]),
        (part.minimal, sizes[1]),
        (part.puzzle_classes, classes[0]),
        (part.minimal_classes, classes[1]),
    ):
        for size, number in enumerate(numbers.tolist()):
            mine[size] += number


def _keep_records(part: Part, bad: NDArray[np.uint64], sizes: NDArray[np.int64], loop: int) -> None:
    cells = sizes.shape[1] - 1
    total = int(sizes[0].sum())
    if not total:
        return
    part.keep("richest", (-total, loop))
    part.keep("poorest", (total, loop))
    minimal = np.flatnonzero(sizes[1]).tolist()
    for name, size, value in (
        ("fewest", minimal[0], minimal[0]),
        ("largest", minimal[-1], -minimal[-1]),
    ):
        held = part.records.get(name)
        if held is None or value < held[0]:
            part.keep(name, (value, loop, int(bitsets.first_minimal(bad, cells, size))))
