import numpy as np
from numpy.typing import NDArray

from linkoracle.core.limits import Deadline

def count_below(
    children: NDArray[np.uint32],
    below: NDArray[np.uint64],
    counts: NDArray[np.uint64],
    deadline: Deadline,
) -> int: ...
def count_above(
    children: NDArray[np.uint32],
    above: NDArray[np.uint64],
    counts: NDArray[np.uint64],
    deadline: Deadline,
) -> int: ...
def share_layer(
    children: NDArray[np.uint32],
    above: NDArray[np.uint64],
    below: NDArray[np.uint64],
    totals: NDArray[np.uint64],
    deadline: Deadline,
) -> None: ...
def lengths_below(
    children: NDArray[np.uint32],
    below: NDArray[np.uint64],
    lengths: NDArray[np.uint64],
    deadline: Deadline,
) -> None: ...
