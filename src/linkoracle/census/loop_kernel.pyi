import numpy as np
from numpy.typing import NDArray

from linkoracle.zdd.zdd_kernel import Nodes

def families_of_layer(
    sets: Nodes,
    children: NDArray[np.int32],
    differing: NDArray[np.uint8],
    variable: int,
    families: NDArray[np.int32],
    own: int,
) -> NDArray[np.int32]: ...
