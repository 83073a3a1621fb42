import numpy as np
from numpy.typing import NDArray

def lay(
    heads: NDArray[np.int64],
    start: NDArray[np.int64],
    order: NDArray[np.int64],
    clues: NDArray[np.int64],
    premises: NDArray[np.int64],
    conclusions: NDArray[np.int64],
    board: NDArray[np.int64],
    right: NDArray[np.int32],
    down: NDArray[np.int32],
    ends: NDArray[np.int64],
    places: NDArray[np.int32],
    asks: NDArray[np.int32],
    if_literals: NDArray[np.int32],
    then_literals: NDArray[np.int32],
) -> int: ...
def by_key(
    rows: NDArray[np.int32], offsets: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
