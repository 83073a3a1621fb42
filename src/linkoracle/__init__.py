"""Counts, enumerates and certifies the solutions of link puzzles.

Slitherlink (one loop on a dot lattice) and Numberlink (join equal numbers by disjoint paths).

>>> import linkoracle
>>> puzzle = linkoracle.Slitherlink([[3, None, None], [None, None, None], [3, None, 3]])
>>> linkoracle.count(puzzle)
4

The packages `linkoracle.generate`, `linkoracle.census` and `linkoracle.deduce` need no import of
their own; what takes Numba to load is loaded when it is first named.

>>> linkoracle.generate.slitherlink(5, 5, seed=1).puzzle.rows
5
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from linkoracle.errors import (
    FormatError,
    LinkOracleError,
    MemoryLimit,
    NothingFound,
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

if TYPE_CHECKING:
    from linkoracle import census, deduce, generate
    from linkoracle.deduce import grade
    from linkoracle.frontier import Diagram, Family

    __version__: str

__all__ = [
    "ENGINES",
    "FORMATS",
    "Diagram",
    "Entry",
    "Family",
    "FormatError",
    "Lattice",
    "LinkModel",
    "LinkOracleError",
    "MemoryLimit",
    "NothingFound",
    "Numberlink",
    "Oracle",
    "Puzzle",
    "PuzzleError",
    "SearchTimeout",
    "Slitherlink",
    "Solution",
    "Tally",
    "Verdict",
    "__version__",
    "census",
    "certify",
    "count",
    "deduce",
    "diagram",
    "draw",
    "generate",
    "grade",
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

#: Names that are loaded when they are first used, and the module that has them.
_LATER = {"Diagram": "frontier", "Family": "frontier", "grade": "deduce"}
_PACKAGES = ("census", "deduce", "generate")


def __getattr__(name: str) -> object:
    found: object
    if name == "__version__":
        from importlib.metadata import version

        found = version("linkoracle")
    elif name in _PACKAGES:
        found = import_module(f"linkoracle.{name}")
    elif name in _LATER:
        found = getattr(import_module(f"linkoracle.{_LATER[name]}"), name)
    else:
        raise AttributeError(f"module 'linkoracle' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
