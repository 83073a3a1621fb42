from array import array

import numpy as np
from numpy.typing import NDArray

from linkoracle.core.limits import Deadline

class Mending:
    cost: int
    dull: int
    is_unfit: bool

    def __init__(
        self,
        rows: int,
        cols: int,
        simple: bytes,
        shown: bytes | bytearray | NDArray[np.uint8],
        wanted: array[int] | NDArray[np.int8],
        free: bytes | bytearray | NDArray[np.uint8],
        seed: int,
    ) -> None: ...
    def load(self, colours: bytes | NDArray[np.uint8]) -> None: ...
    def is_loose(self, faces: array[int] | NDArray[np.int64]) -> bool: ...
    def colours(self) -> bytes: ...
    def shake(self, face: int, flips: int) -> None: ...
    def settle(self, steps: int, warmth: float, deadline: Deadline) -> None: ...
