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
    from linkoracle.kinds import Puzzle

__all__, _load, __dir__ = core.exports(
    __name__,
    {
        "board": "Board Count Lattice LinkModel Shape Solution",
        "certificates": "Certificate certificate",
        "core": (
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
    },
    own=(
        "__version__ batch boards booklets catalogue census dataset deduce engines formats "
        "frontier generate graphs render search"
    ),
)


def _draw_svg(puzzle: Puzzle) -> str:
    """Draw a puzzle for a notebook: the puzzle modules must not import the drawing code."""
    render = _load("render")
    return render.svg(render.picture(puzzle))


def _draw_text(puzzle: Puzzle) -> str:
    return _load("render").draw(puzzle)


core.draw_svg, core.draw_text = _draw_svg, _draw_text


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        found: object = version("linkoracle")
    else:
        found = _load(name)
    globals()[name] = found
    return found
