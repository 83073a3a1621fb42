"""Generators of puzzles that provably have one solution.

>>> from linkoracle import is_unique
>>> from linkoracle.generate import numberlink, slitherlink
>>> is_unique(numberlink(7, 7, seed=1).puzzle), is_unique(slitherlink(7, 7, seed=1).puzzle)
(True, True)

Each module is loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkoracle.core import loader

if TYPE_CHECKING:
    from linkoracle.generate.adding import Added, add_clues
    from linkoracle.generate.estimates import estimate
    from linkoracle.generate.hitting import Fewest, fewest
    from linkoracle.generate.kind_makers import makers
    from linkoracle.generate.making import Made, Reduced
    from linkoracle.generate.numberlink_maker import numberlink, numberlinks
    from linkoracle.generate.numberlink_request import MAKERS, NumberlinkRequest
    from linkoracle.generate.patterns import PATTERNS, letters, pattern
    from linkoracle.generate.puzzle_maker import PuzzleRequest, puzzle, puzzles
    from linkoracle.generate.reducing import reduce_clues
    from linkoracle.generate.removal import witnesses
    from linkoracle.generate.requests import make, make_all, request_for
    from linkoracle.generate.shapes import SHAPES
    from linkoracle.generate.slitherlink_maker import (
        MadeSlitherlink,
        loop,
        slitherlink,
        slitherlinks,
    )
    from linkoracle.generate.slitherlink_request import STRATEGIES, SlitherlinkRequest

__all__ = [
    "MAKERS",
    "PATTERNS",
    "SHAPES",
    "STRATEGIES",
    "Added",
    "Fewest",
    "Made",
    "MadeSlitherlink",
    "NumberlinkRequest",
    "PuzzleRequest",
    "Reduced",
    "SlitherlinkRequest",
    "add_clues",
    "estimate",
    "fewest",
    "letters",
    "loop",
    "make",
    "make_all",
    "makers",
    "numberlink",
    "numberlinks",
    "pattern",
    "puzzle",
    "puzzles",
    "reduce_clues",
    "request_for",
    "slitherlink",
    "slitherlinks",
    "witnesses",
]

_MODULES = {
    "adding": ("Added", "add_clues"),
    "estimates": ("estimate",),
    "hitting": ("Fewest", "fewest"),
    "kind_makers": ("makers",),
    "making": ("Made", "Reduced"),
    "puzzle_maker": ("PuzzleRequest", "puzzle", "puzzles"),
    "numberlink_request": ("MAKERS", "NumberlinkRequest"),
    "numberlink_maker": ("numberlink", "numberlinks"),
    "patterns": ("PATTERNS", "letters", "pattern"),
    "requests": ("make", "make_all", "request_for"),
    "shapes": ("SHAPES",),
    "slitherlink_request": ("STRATEGIES", "SlitherlinkRequest"),
    "slitherlink_maker": ("MadeSlitherlink", "loop", "slitherlink", "slitherlinks"),
    "reducing": ("reduce_clues",),
    "removal": ("witnesses",),
}
if not TYPE_CHECKING:
    __getattr__ = loader(
        __name__, {name: module for module, names in _MODULES.items() for name in names}
    )


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
