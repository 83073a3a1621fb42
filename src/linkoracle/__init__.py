"""Counts, enumerates and certifies the solutions of link puzzles.

Slitherlink (one loop on a dot lattice) and Numberlink (join equal numbers by disjoint paths).

>>> import linkoracle
>>> puzzle = linkoracle.Slitherlink([[3, None, None], [None, None, None], [3, None, 3]])
>>> linkoracle.count(puzzle)
4
"""

from linkoracle.errors import (
    FormatError,
    LinkOracleError,
    MemoryLimit,
    PuzzleError,
    SearchTimeout,
)
from linkoracle.formats import FORMATS, Entry, read, read_all, write
from linkoracle.lattice import Lattice
from linkoracle.model import LinkModel, Solution
from linkoracle.puzzles import Numberlink, Puzzle, Slitherlink
from linkoracle.render import draw
from linkoracle.sat import Oracle, Verdict
from linkoracle.solving import (
    ENGINES,
    Tally,
    certify,
    count,
    diagram,
    is_unique,
    solutions,
    solve,
    tally,
)
from linkoracle.verify import verify, violations

__all__ = [
    "ENGINES",
    "FORMATS",
    "Entry",
    "FormatError",
    "Lattice",
    "LinkModel",
    "LinkOracleError",
    "MemoryLimit",
    "Numberlink",
    "Oracle",
    "Puzzle",
    "PuzzleError",
    "SearchTimeout",
    "Slitherlink",
    "Solution",
    "Tally",
    "Verdict",
    "certify",
    "count",
    "diagram",
    "draw",
    "is_unique",
    "read",
    "read_all",
    "solutions",
    "solve",
    "tally",
    "verify",
    "violations",
    "write",
]
