from array import array
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.board import Board
from linkoracle.board.colouring_kernel import Colouring
from linkoracle.core.limits import Deadline

class Mending(Colouring):
    cost: int
    dull: int
    is_unfit: bool

    def __init__(
        self,
        board: Board,
        outside: Iterable[int],
        shown: bytes | bytearray | NDArray[np.uint8],
        wanted: array[int] | NDArray[np.int8],
        free: bytes | bytearray | NDArray[np.uint8],
        neighbourhoods: Iterable[tuple[array[int], array[int]]],
        seed: int,
    ) -> None: ...
    def is_loose(self, faces: array[int] | NDArray[np.int64]) -> bool: ...
    def shake(self, face: int, flips: int) -> None: ...
    def anneal(self, steps: int, warmth: float, deadline: Deadline) -> None: ...
