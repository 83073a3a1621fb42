"""Is there another solution than the one that is known, when some clues are shown?

What generators of Slitherlinks, and of other puzzles on loops and paths, ask again and again, by a
compiled conflict-driven search: see docs/explanation/search.md.
"""

from linkoracle.search.alternatives import Alternative, Alternatives, AlternativeSearch

__all__ = ["Alternative", "AlternativeSearch", "Alternatives"]
