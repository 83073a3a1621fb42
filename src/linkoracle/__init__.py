"""Count, enumerate and certify the solutions of loop and path puzzles.

Slitherlink (one loop on a grid of dots) and Numberlink (join equal numbers by disjoint paths).

>>> import linkoracle
>>> puzzle = linkoracle.Slitherlink([[3, None, None], [None, None, None], [3, None, 3]])
>>> linkoracle.count(puzzle)
4

Names and packages are loaded on first use, so a program never waits for code that it does not use.
Packages need no import of their own:

>>> linkoracle.generate.slitherlink(5, 5, seed=1).puzzle.rows
5
"""

from __future__ import annotations

from linkoracle import core

# Importing `typing` takes longer than everything else before the programs handle Ctrl-C.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from linkoracle import (
        batch,
        boards,
        catalogue,
        census,
        deduce,
        formats,
        frontier,
        generate,
        graphs,
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
        check_solution,
        register,
        violations,
    )
    from linkoracle.render import draw
    from linkoracle.sat import Oracle, Verdict
    from linkoracle.session import Session
    from linkoracle.solving import (
        ENGINES,
        CountResult,
        Engine,
        Options,
        count,
        count_result,
        decide,
        diagram,
        is_unique,
        solutions,
        solve,
    )

    # Old names (`core.renamed`): type checkers accept them, too.
    Tally = CountResult
    certify, tally, verify = decide, count_result, check_solution

    __version__: str

__all__ = [
    "ENGINES",
    "FORMATS",
    "Board",
    "Certificate",
    "Count",
    "CountResult",
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
    "Verdict",
    "__version__",
    "batch",
    "boards",
    "catalogue",
    "census",
    "certificate",
    "check_solution",
    "count",
    "count_result",
    "decide",
    "deduce",
    "diagram",
    "draw",
    "formats",
    "frontier",
    "generate",
    "grade",
    "graphs",
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
    "violations",
    "write",
]

#: The module or package that defines each name; other names are modules and packages.
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
        "kinds": "Numberlink Puzzle SimpleLoop Slitherlink check_solution register violations",
        "render": "draw",
        "sat": "Oracle Verdict",
        "session": "Session",
        "solving": (
            "ENGINES CountResult Engine Options count count_result decide diagram is_unique "
            "solutions solve"
        ),
    }.items()
    for name in names.split()
}


def _draw_svg(puzzle: Puzzle) -> str:
    """Draw a puzzle for a notebook: the puzzle modules must not import the drawing code."""
    from linkoracle import render

    return render.svg(render.picture(puzzle))


def _draw_text(puzzle: Puzzle) -> str:
    from linkoracle import render

    return render.draw(puzzle)


core.draw_svg, core.draw_text = _draw_svg, _draw_text


_load = core.loader(__name__, _HOMES)


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        found: object = version("linkoracle")
    else:
        found = _load(name)
    # Not an old name, whose every use warns.
    if name in __all__:
        globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
