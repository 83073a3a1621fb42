from array import array

from linkoracle.board.board import Board

def square_layout(
    rows: int, cols: int
) -> tuple[array[int], array[int], array[int], array[int], array[int], array[int]]: ...

class PlaneArrays:
    def __init__(self, board: Board) -> None: ...
