"""Makers of puzzles that provably have one solution.

>>> from linkoracle import is_unique
>>> is_unique(numberlink(7, 7, seed=1).puzzle), is_unique(slitherlink(7, 7, seed=1).puzzle)
(True, True)
"""

from linkoracle.generate.adding import Added, add_clues
from linkoracle.generate.hitting import Fewest, fewest
from linkoracle.generate.making import Made, makers, puzzle, puzzles
from linkoracle.generate.numberlink_request import MAKERS, NumberlinkRequest
from linkoracle.generate.numberlinks import numberlink, numberlinks
from linkoracle.generate.patterns import PATTERNS, letters, pattern
from linkoracle.generate.shapes import SHAPES
from linkoracle.generate.slitherlink_request import STRATEGIES, SlitherlinkRequest
from linkoracle.generate.slitherlinks import MadeSlitherlink, slitherlink, slitherlinks
from linkoracle.generate.thinning import Thinned, thin
from linkoracle.generate.witnesses import witnesses

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
    "SlitherlinkRequest",
    "Thinned",
    "add_clues",
    "fewest",
    "letters",
    "makers",
    "numberlink",
    "numberlinks",
    "pattern",
    "puzzle",
    "puzzles",
    "slitherlink",
    "slitherlinks",
    "thin",
    "witnesses",
]
