"""Families of sets as zero-suppressed decision diagrams: all solutions, all puzzles, at once.

One implementation serves the frontier engine, the censuses and `linkoracle.frontier.Family`.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {},
    inner={
        "families": "EMPTY UNIT Indexed Listed SetFamily Zdd nodes_of",
    },
)
