from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def stir(
    colour: bytearray,
    simple: bytes,
    rows: int,
    cols: int,
    worth: NDArray[np.float64],
    tries: int,
    random: Callable[[], float],
) -> None: ...
def settle(
    colour: bytearray,
    may_flip: bytes,
    rows: int,
    cols: int,
    random: Callable[[], float],
) -> None: ...
