"""Censuses: every puzzle of a loop, every puzzle of a board, every instance of Numberlink.

>>> from linkoracle import Slitherlink, solve
>>> puzzles = puzzles_of(solve(Slitherlink([[2, 2, None], [2, 2, 1], [3, None, None]])))
>>> puzzles.count(), puzzles.minimal().by_clues()
(150, {4: 10, 5: 4, 6: 2})
>>> sum(board_census(3, 3).puzzles), instances(3, 3).count()
(39129, 86)
"""

from linkoracle.census.board import BoardCensus, BoardRun, board_census
from linkoracle.census.loop import PuzzleFamily, puzzles_of
from linkoracle.census.numberlink import VARIANTS, InstanceFamily, instances
from linkoracle.zdd.families import SetFamily

__all__ = [
    "VARIANTS",
    "BoardCensus",
    "BoardRun",
    "InstanceFamily",
    "PuzzleFamily",
    "SetFamily",
    "board_census",
    "instances",
    "puzzles_of",
]
