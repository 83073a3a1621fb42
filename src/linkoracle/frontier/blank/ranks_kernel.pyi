from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkoracle.core.limits import Deadline

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
    def sizes(self, ends: bool) -> NDArray[np.int64]: ...
    def stop(self, stopped: bool) -> None: ...
    def rank(self, codes: Sequence[int]) -> int: ...
    def step(
        self,
        words: NDArray[np.uint64],
        corners: NDArray[np.uint64],
        answer: NDArray[np.uint64],
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
        words: NDArray[np.uint64],
        corners: NDArray[np.uint64],
        answer: NDArray[np.uint64],
        after: Ranks | None,
        targets: NDArray[np.uint64] | None,
        *,
        column: int,
        prime: int,
        deadline: Deadline,
    ) -> None: ...
