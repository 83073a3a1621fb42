from linkoracle.deduce.geometry import Ints

class Grid:
    """The geometry of lattices with ``rows`` x ``cols`` vertices, in memory of its own."""

    def __init__(self, rows: int, cols: int, arrays: dict[str, Ints], limit: int) -> None: ...
