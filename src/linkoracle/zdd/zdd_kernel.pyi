import numpy as np
from numpy.typing import NDArray

from linkoracle.core.limits import Deadline

UNION: int
INTERSECTION: int
DIFFERENCE: int
MINIMAL_UNION: int
WITHOUT_SUPERSETS: int
MINIMAL_OF_UPSET: int
MINIMAL: int
HITTING: int
ATTACH: int
OPERATIONS: int
LAST: int
TERMINALS: NDArray[np.int32]

class Nodes:
    def __init__(
        self,
        variables: int,
        *,
        memory: int | None = None,
        kept: NDArray[np.int32] = ...,
        room: int = ...,
    ) -> None: ...
    @property
    def variables(self) -> int: ...
    def __len__(self) -> int: ...
    def node(self, node: int) -> tuple[int, int, int]: ...
    def array(self) -> NDArray[np.int32]: ...
    def apply(self, operation: int, f: int, g: int = 0) -> int: ...
    def part(
        self,
        family: int,
        demands: NDArray[np.uint8],
        sizes: NDArray[np.uint8] | None = None,
        into: Nodes | None = None,
    ) -> int: ...
    def add_layer(
        self,
        children: NDArray[np.uint32],
        decision_bits: int,
        decisions: NDArray[np.int32],
        variables: NDArray[np.int32],
        targets: NDArray[np.int32],
        deadline: Deadline | None = None,
    ) -> NDArray[np.int32]: ...
    def trim(self) -> None: ...
    def collect(self, roots: NDArray[np.int32]) -> NDArray[np.int32]: ...
    def num_nodes(self, family: int) -> int: ...
    def extents(self, family: int, sign: int) -> NDArray[np.int32]: ...
