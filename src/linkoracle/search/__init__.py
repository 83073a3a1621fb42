"""Find solutions other than a known one while some clues are shown.

Generators of Slitherlinks, and of other puzzles on loops and paths, query this compiled
conflict-driven search repeatedly: see docs/explanation/search.md.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "alternatives": "Alternative AlternativeSearch Alternatives",
    },
    inner={"nearby": "NearbyCounts NearbyFaces"},
)
