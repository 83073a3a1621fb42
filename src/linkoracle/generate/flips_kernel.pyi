from array import array
from collections.abc import Callable

def stir(
    colour: bytearray,
    simple: bytes,
    rows: int,
    cols: int,
    worth: array[float],
    tries: int,
    random: Callable[[], float],
) -> None: ...
def settle(
    colour: bytearray,
    may_flip: bytes,
    rows: int,
    cols: int,
    random: Callable[[], float],
) -> None: ...
