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
    from linkoracle.generate.api import (
        loop,
        make,
        make_all,
        numberlink,
        numberlinks,
        puzzle,
        puzzles,
        request_for,
        slitherlink,
        slitherlinks,
    )
    from linkoracle.generate.attempts import Made, Reduced, estimate
    from linkoracle.generate.clues.adding import Added, add_clues
    from linkoracle.generate.clues.maker import MadeSlitherlink
    from linkoracle.generate.clues.masks import PATTERNS, letters, pattern
    from linkoracle.generate.clues.minimum import Fewest, fewest, witnesses
    from linkoracle.generate.clues.reducing import reduce_clues
    from linkoracle.generate.clues.request import STRATEGIES, SlitherlinkRequest
    from linkoracle.generate.loops.kinds import PuzzleRequest, makers
    from linkoracle.generate.loops.shapes import SHAPES
    from linkoracle.generate.paths.request import MAKERS, NumberlinkRequest

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
    "api": (
        *("loop", "make", "make_all", "numberlink", "numberlinks", "puzzle", "puzzles"),
        *("request_for", "slitherlink", "slitherlinks"),
    ),
    "attempts": ("Made", "Reduced", "estimate"),
    "clues.adding": ("Added", "add_clues"),
    "clues.maker": ("MadeSlitherlink",),
    "clues.masks": ("PATTERNS", "letters", "pattern"),
    "clues.minimum": ("Fewest", "fewest", "witnesses"),
    "clues.reducing": ("reduce_clues",),
    "clues.request": ("STRATEGIES", "SlitherlinkRequest"),
    "loops.kinds": ("PuzzleRequest", "makers"),
    "loops.shapes": ("SHAPES",),
    "paths.request": ("MAKERS", "NumberlinkRequest"),
}
if not TYPE_CHECKING:
    __getattr__ = loader(
        __name__, {name: module for module, names in _MODULES.items() for name in names}
    )


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
