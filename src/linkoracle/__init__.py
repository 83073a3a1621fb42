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
    from linkoracle import batch as batch
    from linkoracle import boards as boards
    from linkoracle import booklets as booklets
    from linkoracle import catalogue as catalogue
    from linkoracle import census as census
    from linkoracle import deduce as deduce
    from linkoracle import engines as engines
    from linkoracle import formats as formats
    from linkoracle import frontier as frontier
    from linkoracle import generate as generate
    from linkoracle import graphs as graphs
    from linkoracle import render as render
    from linkoracle import search as search
    from linkoracle.board.board import Board as Board
    from linkoracle.board.constraints import Count as Count
    from linkoracle.board.constraints import Shape as Shape
    from linkoracle.board.lattice import Lattice as Lattice
    from linkoracle.board.model import LinkModel as LinkModel
    from linkoracle.board.solution import Solution as Solution
    from linkoracle.certificates import Certificate as Certificate
    from linkoracle.certificates import certificate as certificate
    from linkoracle.core.errors import CheckFailed as CheckFailed
    from linkoracle.core.errors import FormatError as FormatError
    from linkoracle.core.errors import LinkOracleError as LinkOracleError
    from linkoracle.core.errors import MemoryLimit as MemoryLimit
    from linkoracle.core.errors import NoCertificate as NoCertificate
    from linkoracle.core.errors import NothingFound as NothingFound
    from linkoracle.core.errors import NotSupported as NotSupported
    from linkoracle.core.errors import PuzzleError as PuzzleError
    from linkoracle.core.errors import SearchTimeout as SearchTimeout
    from linkoracle.deduce import grade as grade
    from linkoracle.engines import Oracle as Oracle
    from linkoracle.engines import Verdict as Verdict
    from linkoracle.formats import FORMATS as FORMATS
    from linkoracle.formats import Entry as Entry
    from linkoracle.formats import read as read
    from linkoracle.formats import read_all as read_all
    from linkoracle.formats import read_file as read_file
    from linkoracle.formats import write as write
    from linkoracle.frontier import Diagram as Diagram
    from linkoracle.frontier import Family as Family
    from linkoracle.kinds import Numberlink as Numberlink
    from linkoracle.kinds import Puzzle as Puzzle
    from linkoracle.kinds import SimpleLoop as SimpleLoop
    from linkoracle.kinds import Slitherlink as Slitherlink
    from linkoracle.kinds import check_solution as check_solution
    from linkoracle.kinds import register as register
    from linkoracle.kinds import violations as violations
    from linkoracle.render import draw as draw
    from linkoracle.session import Session as Session
    from linkoracle.solving import ENGINES as ENGINES
    from linkoracle.solving import CountResult as CountResult
    from linkoracle.solving import Engine as Engine
    from linkoracle.solving import Options as Options
    from linkoracle.solving import count as count
    from linkoracle.solving import count_result as count_result
    from linkoracle.solving import decide as decide
    from linkoracle.solving import diagram as diagram
    from linkoracle.solving import is_unique as is_unique
    from linkoracle.solving import solutions as solutions
    from linkoracle.solving import solve as solve

    __version__: str

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
            "CheckFailed FormatError LinkOracleError MemoryLimit NoCertificate NotSupported "
            "NothingFound PuzzleError SearchTimeout"
        ),
        "deduce": "grade",
        "engines": "Oracle Verdict",
        "formats": "FORMATS Entry read read_all read_file write",
        "frontier": "Diagram Family",
        "kinds": "Numberlink Puzzle SimpleLoop Slitherlink check_solution register violations",
        "render": "draw",
        "session": "Session",
        "solving": (
            "ENGINES CountResult Engine Options count count_result decide diagram is_unique "
            "solutions solve"
        ),
    }.items()
    for name in names.split()
}
_PACKAGES = (
    "batch boards booklets catalogue census deduce engines formats frontier generate graphs render "
    "search"
)
__all__ = sorted([*_HOMES, *_PACKAGES.split(), "__version__"])


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
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
