"""`Limits` of the answers to the page, and `Tell`, the function that gets them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

#: Gets each stage of an answer.
Tell = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Limits:
    """Seconds that each stage may take, or a puzzle to be made, and bytes for diagrams.

    Without seconds for a grade, nothing is graded.
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
    #: Solutions up to which they are counted; ``None`` where the count is exact, however many.
    solutions: int | None = None
    memory: int = 1 << 30
