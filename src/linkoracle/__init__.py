"""Counts, enumerates and certifies the solutions of link puzzles.

Slitherlink (one loop on a dot lattice) and Numberlink (join equal numbers by disjoint paths).

>>> import linkoracle
>>> puzzle = linkoracle.Slitherlink([[3, None, None], [None, None, None], [3, None, 3]])
>>> linkoracle.count(puzzle)
4

Every name is loaded when it is first used, and so are the packages, which need no import of their
own: a program waits for nothing that it does not use.

>>> linkoracle.generate.slitherlink(5, 5, seed=1).puzzle.rows
5
"""

from __future__ import annotations

from linkoracle import core

# To load `typing` takes longer than all else that comes before the programs see to Ctrl-C.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from linkoracle import (
        batch,
        catalogue,
        census,
        deduce,
        formats,
        frontier,
        generate,
        looks,
        plain,
        plain_count,
        render,
        search,
    )
    from linkoracle.board.board import Board
    from linkoracle.board.constraints import Count, Shape
    from linkoracle.board.lattice import Lattice
    from linkoracle.board.model import LinkModel
    from linkoracle.board.solution import Solution
    from linkoracle.certificates import Certificate, certificate
    from linkoracle.core.errors import (
        FormatError,
        LinkOracleError,
        MemoryLimit,
        NoCertificate,
        NothingFound,
        NotSupported,
        PuzzleError,
        SearchTimeout,
    )
    from linkoracle.deduce import grade
    from linkoracle.formats import FORMATS, Entry, read, read_all, write
    from linkoracle.frontier import Diagram, Family
    from linkoracle.kinds import (
        Numberlink,
        Puzzle,
        SimpleLoop,
        Slitherlink,
        register,
        verify,
        violations,
    )
    from linkoracle.render import draw
    from linkoracle.sat import Oracle, Verdict
    from linkoracle.session import Session
    from linkoracle.solving import (
        ENGINES,
        Engine,
        Options,
        Tally,
        certify,
        count,
        diagram,
        is_unique,
        solutions,
        solve,
        tally,
    )

    __version__: str

__all__ = [
    "ENGINES",
    "FORMATS",
    "Board",
    "Certificate",
    "Count",
    "Diagram",
    "Engine",
    "Entry",
    "Family",
    "FormatError",
    "Lattice",
    "LinkModel",
    "LinkOracleError",
    "MemoryLimit",
    "NoCertificate",
    "NotSupported",
    "NothingFound",
    "Numberlink",
    "Options",
    "Oracle",
    "Puzzle",
    "PuzzleError",
    "SearchTimeout",
    "Session",
    "Shape",
    "SimpleLoop",
    "Slitherlink",
    "Solution",
    "Tally",
    "Verdict",
    "__version__",
    "batch",
    "catalogue",
    "census",
    "certificate",
    "certify",
    "count",
    "deduce",
    "diagram",
    "draw",
    "formats",
    "frontier",
    "generate",
    "grade",
    "is_unique",
    "looks",
    "plain",
    "plain_count",
    "read",
    "read_all",
    "register",
    "render",
    "search",
    "solutions",
    "solve",
    "tally",
    "verify",
    "violations",
    "write",
]

#: The module or package of each name; a name that is not here is that of a module or package.
_HOMES = {
    name: home
    for home, names in {
        "board.board": "Board",
        "board.constraints": "Count Shape",
        "board.lattice": "Lattice",
        "board.solution": "Solution",
        "board.model": "LinkModel",
        "certificates": "Certificate certificate",
        "core.errors": (
            "FormatError LinkOracleError MemoryLimit NoCertificate NotSupported NothingFound "
            "PuzzleError SearchTimeout"
        ),
        "deduce": "grade",
        "formats": "FORMATS Entry read read_all write",
        "frontier": "Diagram Family",
        "kinds": "Numberlink Puzzle SimpleLoop Slitherlink register verify violations",
        "render": "draw",
        "sat": "Oracle Verdict",
        "session": "Session",
        "solving": (
            "ENGINES Engine Options Tally certify count diagram is_unique solutions solve tally"
        ),
    }.items()
    for name in names.split()
}


def _draw_svg(puzzle: Puzzle) -> str:
    """Draw a puzzle for a notebook. The modules of puzzles do not know those that draw."""
    from linkoracle import render

    return render.svg(render.picture(puzzle))


def _draw_text(puzzle: Puzzle) -> str:
    from linkoracle import render

    return render.draw(puzzle)


core.draw_svg, core.draw_text = _draw_svg, _draw_text


_load = core.loader(__name__, _HOMES)


def __getattr__(name: str) -> object:
    found: object
    if name == "__version__":
        from importlib.metadata import version

        found = version("linkoracle")
    else:
        found = _load(name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
