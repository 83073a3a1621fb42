import numpy as np
from numpy.typing import NDArray

from linkoracle.frontier.pass_kernel import Pass
from linkoracle.zdd.zdd_kernel import Nodes

def advance(
    sets: Nodes,
    plan: Pass,
    states: NDArray[np.uint64],
    families: NDArray[np.int32],
    step: int,
    spoiling: bool,
    memory: int,
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]: ...
def pair_variable(one: int, other: int, cells: int) -> int: ...
