import numpy as np
from numpy.typing import NDArray

from linkoracle.zdd.zdd_kernel import Nodes

ALLOWED: int
SPOILING: int
FORBIDDEN: int

def advance(
    sets: Nodes,
    states: NDArray[np.int64],
    families: NDArray[np.int32],
    cell: int,
    cols: int,
    rows: int,
    empty: int,
    memory: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
def pair_variable(one: int, other: int, cells: int) -> int: ...
