from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from linkoracle.core.limits import Deadline

Share = Callable[[Callable[[], object], Callable[[bool], object]], object]

DEAD: int
ACCEPT: int
MAX_DECISIONS: int

class Pass:
    def __init__(
        self,
        steps: NDArray[np.void],
        outs: NDArray[np.int32],
        choices: NDArray[np.int32],
        touches: NDArray[np.int32],
        masks: NDArray[np.uint64],
        entries: NDArray[np.uint16],
        fields: NDArray[np.int32],
        order: NDArray[np.int32],
        *,
        plane: bool,
        words: int,
        decision_bits: int,
        field_bits: int,
        closed: int,
        pairs: int,
        loop: bool,
        free_ends: bool,
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
    @property
    def most_children(self) -> int: ...
    def foresee(self, *tables: NDArray[np.generic]) -> None: ...
    def advance(
        self,
        deadline: Deadline,
        one_step: bool = False,
        children: NDArray[np.uint32] | None = None,
        share: Share | None = None,
    ) -> bool: ...
    def work(self, deadline: Deadline) -> None: ...
    def stop(self, stopped: bool) -> None: ...
