from array import array

def square_layout(
    rows: int, cols: int
) -> tuple[array[int], array[int], array[int], array[int], array[int], array[int]]: ...

class PlaneArrays:
    def __init__(self, board: object) -> None: ...
