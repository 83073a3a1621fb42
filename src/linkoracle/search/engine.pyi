from array import array

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.model import LinkModel
from linkoracle.core.limits import Deadline

#: Of 32 bits.
Numbers = array[int] | NDArray[np.int32]

class Engine:
    conflicts: int
    questions: int
    memory: int
    limit: int

    def __init__(
        self,
        model: LinkModel,
        true_ones: Numbers,
        order: Numbers,
        memory: int,
        limit: int = ...,
    ) -> None: ...
    def settle(self, faces: Numbers, stay: bool) -> None: ...
    def find(
        self,
        kept: bytearray | NDArray[np.uint8],
        denied: Numbers,
        conflicts: int,
        deadline: Deadline,
    ) -> bool | None: ...
    def thin(
        self,
        kept: bytearray | NDArray[np.uint8],
        order: Numbers,
        conflicts: int,
        deadline: Deadline,
    ) -> bool: ...
    def core(self) -> list[int]: ...
    def settled(self, stay: bool) -> list[int]: ...
    def flips(self) -> list[int]: ...
    def witness(self, face: int) -> list[int] | None: ...
