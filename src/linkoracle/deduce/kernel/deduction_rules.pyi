from collections.abc import Collection, Iterable
from typing import Any

from linkoracle.deduce.kernel.deduction_grid import Grid

#: Of a literal of a rule: whether the edge goes down, its row and column, whether it is a cross.
Part = tuple[int, int, int, int]
#: A position of a rule: see `Positions`.
Given = tuple[
    int,
    int,
    int,
    tuple[int, int, int, int],
    Collection[tuple[int, int, int]],
    Collection[Part],
    Collection[Part],
]

class Positions:
    """Rules in all their positions, ready to be laid on boards."""

    def __init__(self, given: list[Given]) -> None: ...

class Laid:
    """Every place of every rule on a board of a ``grid``, in the order of the rules."""

    def __init__(
        self, positions: Positions, grid: Grid, faces: bytes, ends: Iterable[int], limit: int
    ) -> None: ...
    def __len__(self) -> int: ...
    def rule(self, instance: Any) -> int: ...
    def anchor(self, instance: Any) -> int: ...
    def premises(self, instance: Any) -> list[int]: ...
    def conclusions(self, instance: Any) -> list[int]: ...
