"""Generators of puzzles that provably have one solution.

>>> from linkoracle import is_unique
>>> from linkoracle.generate import numberlink, slitherlink
>>> is_unique(numberlink(7, 7, seed=1).puzzle), is_unique(slitherlink(7, 7, seed=1).puzzle)
(True, True)

Each module is loaded on first use.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "api": (
            "make make_all numberlink numberlinks puzzle puzzles request_for slitherlink "
            "slitherlinks"
        ),
        "attempts": "Made Reduced estimate",
        "clues.adding": "Added add_clues adds_clues",
        "clues.maker": "MadeSlitherlink loop",
        "clues.layout": "PATTERNS letters pattern",
        "clues.reducing": "Fewest fewest reduce_clues witnesses",
        "clues.request": "STRATEGIES SlitherlinkRequest",
        "loops.kinds": "PuzzleRequest",
        "loops.shapes": "SHAPES",
        "paths": "MAKERS",
        "paths.request": "NumberlinkRequest",
        "request": "makers",
    },
    inner={
        "api": "REQUESTS made_kinds made_on_boards options_for request_on",
        "looks": (
            "ClueStatistics LayoutStatistics LoopStatistics PathStatistics has_layout_statistics "
            "layout_statistics symmetry_of"
        ),
        "loops": "plain_loop",
        "loops.cells": "cell_loop",
        "request": (
            "MARKED MARKS PATH_OPTIONS UNMARKED Graded all_visited is_made label_spans visits_all"
        ),
    },
)
