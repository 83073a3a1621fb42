"""`Made`: a generated puzzle, with what it took."""

from __future__ import annotations

from dataclasses import dataclass

from linkoracle.model import Solution
from linkoracle.puzzles import Puzzle


@dataclass(frozen=True)
class Made:
    """A puzzle and its only solution.

    ``tried`` boards were put before the oracle until this one passed; ``repaired`` of them were
    changed where a second solution showed, instead of being made anew.
    """

    puzzle: Puzzle
    solution: Solution
    tried: int = 1
    repaired: int = 0

    def _repr_svg_(self) -> str:
        from linkoracle.render import picture, svg

        return svg(picture(self.puzzle, self.solution))
