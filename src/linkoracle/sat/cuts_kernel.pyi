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
        self,
        model: list[int],
        demanding: dict[int, list[int]],
        *,
        thorough: bool,
        insides: list[list[int]] | None = None,
    ) -> tuple[tuple[int, ...], list[list[int]]]: ...
    def cuts(
        self, edges: Iterable[int], demanding: dict[int, list[int]], *, thorough: bool = True
    ) -> list[list[int]]: ...
    def components(self, edges: Iterable[int]) -> list[Component]: ...
