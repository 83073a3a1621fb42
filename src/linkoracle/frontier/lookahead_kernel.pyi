import numpy as np
from numpy.typing import NDArray

from linkoracle.core.limits import Deadline

def tabulate(
    degrees: NDArray[np.int64],
    faces: NDArray[np.int64],
    fixed: NDArray[np.int8],
    windows: NDArray[np.int64],
    table: NDArray[np.uint8],
    deadline: Deadline,
) -> None: ...
