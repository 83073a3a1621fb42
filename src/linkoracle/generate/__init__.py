"""Makers of puzzles that provably have one solution.

>>> from linkoracle import is_unique
>>> is_unique(numberlink(7, 7, seed=1).puzzle), is_unique(slitherlink(7, 7, seed=1).puzzle)
(True, True)
"""

from linkoracle.generate.clue_symmetry import CLUE_SYMMETRIES
from linkoracle.generate.fewest import Fewest, fewest
from linkoracle.generate.from_mask import from_mask
from linkoracle.generate.made import Made
from linkoracle.generate.numberlinks import MAKERS, numberlink, numberlinks
from linkoracle.generate.session import ENGINES
from linkoracle.generate.shapes import SHAPES
from linkoracle.generate.slitherlinks import MadeSlitherlink, slitherlink, slitherlinks
from linkoracle.generate.symmetry import SYMMETRIES
from linkoracle.generate.thinning import STRATEGIES, Thinned, thin

__all__ = [
    "CLUE_SYMMETRIES",
    "ENGINES",
    "MAKERS",
    "SHAPES",
    "STRATEGIES",
    "SYMMETRIES",
    "Fewest",
    "Made",
    "MadeSlitherlink",
    "Thinned",
    "fewest",
    "from_mask",
    "numberlink",
    "numberlinks",
    "slitherlink",
    "slitherlinks",
    "thin",
]
