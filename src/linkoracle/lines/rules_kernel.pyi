from collections.abc import Callable, Iterable

from linkoracle.board.model import LinkModel
from linkoracle.core.limits import Deadline

def count_clauses(
    literals: Iterable[int],
    allowed: int,
    unless: Iterable[int] = (),
    new: Callable[[int], int] | None = None,
) -> list[list[int]]: ...

class Rules:
    def __init__(self, model: LinkModel) -> None: ...
    def settle(self, deadline: Deadline) -> bool: ...
    def fixed(self) -> bytes: ...
    def is_complete(self) -> bool: ...
    def steps(self) -> list[tuple[int, int]]: ...
    def state(
        self,
        add: Callable[[list[int]], object],
        deadline: Deadline,
        new: Callable[[int], int] | None = None,
    ) -> None: ...
