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
        "adding": "Added add_clues",
        "estimates": "estimate",
        "hitting": "Fewest fewest",
        "kind_makers": "makers",
        "making": "Made Reduced",
        "numberlink_maker": "numberlink numberlinks",
        "numberlink_request": "MAKERS NumberlinkRequest",
        "patterns": "PATTERNS letters pattern",
        "puzzle_maker": "PuzzleRequest puzzle puzzles",
        "reducing": "reduce_clues",
        "removal": "witnesses",
        "requests": "make make_all request_for",
        "shapes": "SHAPES",
        "slitherlink_maker": "MadeSlitherlink loop slitherlink slitherlinks",
        "slitherlink_request": "STRATEGIES SlitherlinkRequest",
    },
    inner={
        "cell_loops": "cell_loop",
        "drawn_loops": "plain_loop",
        "kind_makers": "is_made visits_all",
        "looks": (
            "ClueStatistics LayoutStatistics PathStatistics has_layout_statistics layout_statistics"
        ),
        "request_parts": "MARKED MARKS UNMARKED Graded all_visited",
        "requests": "REQUESTS made_kinds made_on_boards options_for request_on",
    },
)
