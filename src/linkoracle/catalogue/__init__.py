"""Catalogues: files that collect puzzles with all that is known of them, none twice.

>>> from linkoracle.catalogue import Catalogue, Filter
>>> from linkoracle.generate import slitherlink
>>> made = slitherlink(5, 5, seed=1)
>>> with Catalogue(None) as catalogue:
...     catalogue.add(made.puzzle, made.solution, seed=1)
...     catalogue.add(made.puzzle.rotate())
...     [(record.size, record.clues) for record in catalogue.find(Filter(kind="slitherlink"))]
True
False
[('5x5', 9)]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkoracle.catalogue.filter import GRADES, MEASURES, OUTDATED, UNGRADED, Filter
from linkoracle.core import loader

if TYPE_CHECKING:
    from linkoracle.catalogue.catalogue import Catalogue, Group
    from linkoracle.catalogue.record import Record

__all__ = ["GRADES", "MEASURES", "OUTDATED", "UNGRADED", "Catalogue", "Filter", "Group", "Record"]

# SQLite is loaded with the first catalogue.
__getattr__ = loader(__name__, {"Catalogue": "catalogue", "Group": "catalogue", "Record": "record"})
