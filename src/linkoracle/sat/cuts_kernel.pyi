from collections.abc import Iterable
from typing import NamedTuple

from linkoracle.board.model import LinkModel

class Component(NamedTuple):
    vertices: list[int]
    edges: list[int]
    closed: bool

class CutMaker:
    def __init__(self, model: LinkModel, fixed: bytes = b"") -> None: ...
    def judge(
        self, model: list[int], demanding: dict[int, list[int]], *, thorough: bool
    ) -> tuple[tuple[int, ...], list[list[int]]]: ...
    def cuts(
        self, edges: Iterable[int], demanding: dict[int, list[int]], *, thorough: bool = True
    ) -> list[list[int]]: ...
    def components(self, edges: Iterable[int]) -> list[Component]: ...
    def is_solution(self, edges: Iterable[int]) -> bool: ...
    def boundary(self, vertices: Iterable[int], used: bytearray | None = None) -> list[int]: ...
