"""Find solutions other than a known one while some clues are shown.

Generators of Slitherlinks, and of other puzzles on loops and paths, query this compiled
conflict-driven search repeatedly: see docs/explanation/search.md.
"""

from linkoracle.search.alternatives import Alternative, Alternatives, AlternativeSearch

__all__ = ["Alternative", "AlternativeSearch", "Alternatives"]
