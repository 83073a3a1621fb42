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
    from typing import Any

    from linkoracle.kinds import Puzzle

__all__, _load, __dir__ = core.exports(
    __name__,
    {
        "board": "Board Count Lattice LinkModel Shape Solution",
        "certificates": "Certificate certificate",
        "core": (
            "CheckFailed FormatError LinkOracleError MemoryLimit NoCertificate NotSupported "
            "Interrupted NothingFound PuzzleError SearchTimeout"
        ),
        "deduce": "grade",
        "engines": "Oracle Verdict",
        "formats": "FORMATS Entry read read_all read_file write",
        "frontier": "Diagram Family",
        "kinds": (
            "BalanceLoop Barns CastleWall CountryRoad Detour DotchiLoop DoubleBack EntryExit "
            "Geradeweg GrandTour Hidoku IceWalk Koburin LineSweeper Masyu MaxiLoop MidLoop "
            "MoonOrSun NagareruLoop Numberlink Numbrix NuriLoop Puzzle RailPool RegionalYajilin "
            "Shingoki SimpleLoop Slitherlink TapaLoop Turnaround VertexSlitherlink Yajilin Zip "
            "check_solution register violations"
        ),
        "render": "draw",
        "session": "Limits Service Session",
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


def _draw_svg(shown: Any) -> str | None:
    """Draw a puzzle, or a solution on a blank board, for a notebook.

    Modules of puzzles and solutions must not import the drawing code.
    """
    render = _load("render")
    if not hasattr(shown, "walks"):
        return render.svg(render.picture(shown))
    board = shown.board
    if not board.num_faces or not board.num_edges:
        return None
    return render.svg(render.picture(_load("Slitherlink").on(board), shown))


def _text_of(puzzle: Puzzle) -> str:
    try:
        return _load("write")(puzzle).rstrip("\n")
    except _load("FormatError"):
        return _load("draw")(puzzle)


def _read_text(text: str, kind: type[Any]) -> Any:
    puzzle = _load("read")(text)
    if not isinstance(puzzle, kind):
        raise core.FormatError(f"expected a {kind.__name__}, found a {type(puzzle).__name__}")
    return puzzle


core.draw_svg, core.text_of, core.read_text = _draw_svg, _text_of, _read_text


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        found: object = version("linkoracle")
    elif name in __all__ or not name[:1].isupper():
        found = _load(name)
    else:
        # All other kinds, too, also those of other packages.
        try:
            found = getattr(_load("kinds"), name)
        except AttributeError:
            found = _load(name)
    globals()[name] = found
    return found
