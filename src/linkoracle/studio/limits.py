"""`Limits` of the answers to the page, and `Report`, the function that receives the answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

#: Receives each stage of an answer.
Report = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Limits:
    """Time limits in seconds for each stage and for generators, and bytes for diagrams.

    With 0 seconds for ``grade``, nothing is graded.
    """

    status: float = 20.0
    forced: float = 5.0
    count: float = 30.0
    shares: float = 15.0
    values: float = 10.0
    redundant: float = 10.0
    conflict: float = 10.0
    grade: float = 10.0
    making: float = 600.0
    #: Where a count of solutions stops; ``None`` for an exact count.
    solutions: int | None = None
    memory: int = 1 << 30
