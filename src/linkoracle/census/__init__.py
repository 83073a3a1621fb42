"""Censuses: every puzzle of a loop, every puzzle of a board, every instance of Numberlink.

>>> from linkoracle import Slitherlink, solve
>>> puzzles = puzzles_of(solve(Slitherlink([[2, 2, None], [2, 2, 1], [3, None, None]])))
>>> puzzles.count(), puzzles.minimal().by_clues()
(150, {4: 10, 5: 4, 6: 2})
>>> sum(board_census(3, 3).puzzles), instances(3, 3).count()
(39129, 86)
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "board": "BoardCensus BoardRun board_census",
        "linkoracle.zdd.families": "SetFamily",
        "loop": "PuzzleFamily puzzles_of",
        "numberlink": "VARIANTS InstanceFamily instances",
    },
)
