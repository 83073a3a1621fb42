import numpy as np
from numpy.typing import NDArray

from linkoracle.core.limits import Deadline

def reduce_layer(
    children: NDArray[np.uint32],
    renamed: NDArray[np.uint32],
    table: NDArray[np.int32],
    new_name: NDArray[np.uint32],
    deadline: Deadline,
) -> int: ...
def extents(
    nodes: NDArray[np.uint32], starts: NDArray[np.int64], sign: int, deadline: Deadline
) -> NDArray[np.int32]: ...
def restrict_layer(
    children: NDArray[np.uint32],
    pairs: NDArray[np.int64],
    decisions: int,
    accepts: bool,
    weights: NDArray[np.int64],
    lengths: NDArray[np.uint8],
    fewest: NDArray[np.int32],
    most: NDArray[np.int32],
    seen: NDArray[np.int32],
    out: NDArray[np.uint32],
    reached: NDArray[np.int64],
    deadline: Deadline,
) -> int: ...
def unroll(
    nodes: NDArray[np.uint32],
    starts: NDArray[np.int64],
    place: NDArray[np.int64],
    taken: NDArray[np.int64],
    decisions: NDArray[np.uint8],
    deadline: Deadline,
) -> int: ...
