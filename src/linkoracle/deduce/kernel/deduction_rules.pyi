from collections.abc import Iterable
from typing import Any

from linkoracle.deduce.kernel.deduction_grid import Grid

#: Of a clue or literal: whether the edge goes down, row and column, the clue or whether it crosses.
Parts = list[tuple[int, int, int, int]]
#: A position of a rule: see `Positions`.
Given = tuple[int, int, int, tuple[int, int, int, int], Parts, Parts, Parts]

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
