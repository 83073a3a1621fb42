import numpy as np
from numpy.typing import NDArray

from linkoracle.core.limits import Deadline

class Engine:
    conflicts: int
    questions: int
    memory: int
    limit: int

    def __init__(
        self,
        rows: int,
        columns: int,
        degrees: bytes | NDArray[np.uint8],
        first_end: int,
        last_end: int,
        chosen: NDArray[np.int32],
        order: NDArray[np.int32],
        memory: int,
        limit: int = ...,
    ) -> None: ...
    def settle(self, faces: NDArray[np.int32], stay: bool) -> None: ...
    def find(
        self,
        kept: bytearray | NDArray[np.uint8],
        denied: NDArray[np.int32],
        conflicts: int,
        deadline: Deadline,
    ) -> bool | None: ...
    def thin(
        self,
        kept: bytearray | NDArray[np.uint8],
        order: NDArray[np.int32],
        conflicts: int,
        deadline: Deadline,
    ) -> bool: ...
    def core(self) -> list[int]: ...
    def settled(self, stay: bool) -> list[int]: ...
    def flips(self) -> list[int]: ...
    def witness(self, face: int) -> list[int] | None: ...
