from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from linkoracle.core.limits import Deadline

Share = Callable[[Callable[[], object], Callable[[bool], object]], object]

DEAD: int
ACCEPT: int

class Pass:
    def __init__(
        self,
        steps: NDArray[np.void],
        faces: NDArray[np.int64],
        plugs: NDArray[np.int64],
        tops: NDArray[np.int64],
        *,
        words: int,
        plug_bits: int,
        pair_base: int,
        spare_code: int,
        loop: bool,
        counted: bool,
        records: int,
        memory: int,
        wide: int,
    ) -> None: ...
    @property
    def step(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def room(self) -> int: ...
    @property
    def answer(self) -> int: ...
    def take(self, size: int) -> None: ...
    def foresee(self, table: NDArray[np.uint8]) -> None: ...
    def advance(
        self,
        deadline: Deadline,
        one_step: bool = False,
        children: NDArray[np.uint32] | None = None,
        share: Share | None = None,
    ) -> bool: ...
    def work(self, deadline: Deadline) -> None: ...
    def stop(self, stopped: bool) -> None: ...
