from collections.abc import Sequence

from linkoracle.core.limits import Deadline
from linkoracle.frontier.blank.arrays import Numbers

PLACES: int

class Ranks:
    def __init__(
        self, width: int, cut: int, labels: int, outside: bool, memory: int, deadline: Deadline
    ) -> None: ...
    @property
    def words(self) -> int: ...
    @property
    def corners(self) -> int: ...
    @property
    def room(self) -> int: ...
    def sizes(self, ends: bool) -> list[int]: ...
    def stop(self, stopped: bool) -> None: ...
    def rank(self, codes: Sequence[int]) -> int: ...
    def step(
        self,
        words: Numbers,
        corners: Numbers,
        answer: Numbers,
        *,
        ends: bool,
        first: int,
        last: int,
        column: int,
        until: int,
        loop: bool,
        depth: int,
        prime: int,
        weight: int,
        deadline: Deadline,
    ) -> None: ...
    def meet(
        self,
        words: Numbers,
        corners: Numbers,
        answer: Numbers,
        after: Ranks | None,
        targets: Numbers | None,
        *,
        column: int,
        prime: int,
        deadline: Deadline,
    ) -> None: ...
