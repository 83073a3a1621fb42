from array import array
from typing import Any

def square_layout(
    rows: int, cols: int
) -> tuple[array[int], array[int], array[int], array[int], array[int], array[int]]: ...

class PlaneArrays:
    # A `linkoracle.board.board.Board`, which loads this module.
    def __init__(self, board: Any) -> None: ...
