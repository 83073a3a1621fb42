import numpy as np
from numpy.typing import NDArray

UNION: int
INTERSECTION: int
DIFFERENCE: int
MINIMAL_UNION: int
WITHOUT_SUPERSETS: int
MINIMAL_OF_UPSET: int
MINIMAL: int
HITTING: int
ATTACH: int
WITH: int
WITHOUT: int
AT_MOST: int
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
    def collect(self, roots: NDArray[np.int32]) -> NDArray[np.int32]: ...
    def num_nodes(self, family: int) -> int: ...
    def counts(self, family: int) -> NDArray[np.int64]: ...
    def by_size(self, family: int) -> dict[int, int]: ...
