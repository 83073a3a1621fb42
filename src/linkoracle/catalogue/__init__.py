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

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "catalogue": "Catalogue Group",
        "filter": "GRADES MEASURES OUTDATED UNGRADED Filter",
        "record": "Record",
    },
    inner={
        "filter": "named_grades",
        "record": "key_of",
    },
)
