"""`PartialCensus`: the numbers of puzzles on some loops of a board, the result of a unit."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

#: A record and its loop. The smallest list is kept, so ties go to the first loop.
Record = list[int]
#: The keys in files, in the order of the fields of `PartialCensus`.
KEYS = ("puzzles", "minimal", "puzzle_classes", "minimal_classes", "barren", "records")
#: The names of records, and their lengths.
RECORDS = {"fewest": 3, "largest": 3, "richest": 2, "poorest": 2}


@dataclass
class PartialCensus:
    """The numbers of puzzles on some loops of a board, by number of clues.

    ``puzzles`` and ``minimal`` count every loop of a symmetry class; the other two count puzzles up
    to symmetry. ``unclueable`` is the number of loops that no clue set makes unique. Records:
    ``fewest`` is [clues, loop, mask] of a puzzle with the fewest clues, ``largest`` [-clues, loop,
    mask] of a minimal puzzle with the most, ``richest`` [-puzzles, loop] and ``poorest`` [puzzles,
    loop] of a loop with the most and the fewest puzzles.
    """

    puzzles: list[int]
    minimal: list[int]
    puzzle_classes: list[int]
    minimal_classes: list[int]
    unclueable: int = 0
    records: dict[str, Record] = field(default_factory=dict)

    @classmethod
    def nothing(cls, cells: int) -> Self:
        none: Any = ([0] * (cells + 1) for _ in range(4))
        return cls(*none)

    @property
    def numbers(self) -> tuple[list[int], ...]:
        """The four lists, in order."""
        return self.puzzles, self.minimal, self.puzzle_classes, self.minimal_classes

    def as_json(self) -> dict[str, Any]:
        """Return the fields by their `KEYS` in files."""
        return dict(zip(KEYS, vars(self).values(), strict=True))

    @classmethod
    def read(cls, kept: Any, cells: int, loops: int) -> Self:
        """Read what `as_json` returned for a board with these numbers of cells and loops.

        Raises ``ValueError`` if it is invalid. Does not detect wrong numbers.
        """
        if not isinstance(kept, dict) or kept.keys() != set(KEYS):
            raise ValueError("it is not a part of a census")
        part = cls(*map(kept.__getitem__, KEYS))
        for counts in part.numbers:
            if not (isinstance(counts, list) and len(counts) == cells + 1 and _are_counts(counts)):
                raise ValueError(f"expected {cells + 1} numbers from 0")
        if not _are_counts([part.unclueable]):
            raise ValueError("expected a number of loops without a puzzle")
        if not isinstance(part.records, dict) or not all(
            name in RECORDS and _is_record(record, RECORDS[name], (loops, 1 << cells))
            for name, record in part.records.items()
        ):
            raise ValueError("expected records of loops of this board")
        return part

    def count(self, *numbers: list[int]) -> None:
        """Add to each of the four lists."""
        for mine, more in zip(self.numbers, numbers, strict=True):
            mine[:] = map(operator.add, mine, more)

    def add(self, other: PartialCensus) -> None:
        """Add the numbers of other loops to these."""
        self.count(*other.numbers)
        self.unclueable += other.unclueable
        for name, record in other.records.items():
            self.keep(name, record)

    def keep(self, name: str, record: Record) -> None:
        """Keep the better record."""
        self.records[name] = min(record, self.records.get(name, record))


def _are_counts(numbers: Iterable[object]) -> bool:
    return all(type(number) is int and number >= 0 for number in numbers)


def _is_record(record: object, length: int, bounds: Sequence[int]) -> bool:
    """Return whether it is a number, then a loop, then maybe a set of cells, within bounds."""
    if not isinstance(record, list) or len(record) != length or type(record[0]) is not int:
        return False
    places = record[1:]
    return _are_counts(places) and all(map(operator.lt, places, bounds))
