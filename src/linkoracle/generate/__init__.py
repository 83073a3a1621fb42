"""Makers of puzzles that provably have one solution.

>>> from linkoracle import is_unique
>>> is_unique(numberlink(7, 7, seed=1).puzzle), is_unique(slitherlink(7, 7, seed=1).puzzle)
(True, True)
"""

from linkoracle.generate.fewest import Fewest, fewest
from linkoracle.generate.kinds import makers, puzzle, puzzles
from linkoracle.generate.making import Made
from linkoracle.generate.numberlinks import numberlink, numberlinks
from linkoracle.generate.request import (
    ENGINES,
    MAKERS,
    STRATEGIES,
    NumberlinkRequest,
    SlitherlinkRequest,
)
from linkoracle.generate.shapes import SHAPES
from linkoracle.generate.slitherlinks import MadeSlitherlink, slitherlink, slitherlinks
from linkoracle.generate.thinning import Thinned, thin

__all__ = [
    "ENGINES",
    "MAKERS",
    "SHAPES",
    "STRATEGIES",
    "Fewest",
    "Made",
    "MadeSlitherlink",
    "NumberlinkRequest",
    "SlitherlinkRequest",
    "Thinned",
    "fewest",
    "makers",
    "numberlink",
    "numberlinks",
    "puzzle",
    "puzzles",
    "slitherlink",
    "slitherlinks",
    "thin",
]
