"""The kinds of puzzles: one class each, with the rules of the kind and everything else about it.

`KINDS` maps names to kinds. It holds the kinds of this package, those of packages with an entry
point in the group ``linkoracle.kinds``, and those that a module registers with `register`. The
environment variable ``LINKORACLE_LOAD`` lists such modules. ``docs/kinds.md`` adds a kind step by
step.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from inspect import getattr_static
from typing import TYPE_CHECKING, Any, TypeVar

from linkoracle.board import Modelled, Solution, model_of
from linkoracle.core import LinkOracleError, PuzzleError, exports
from linkoracle.core import alternatives as alternatives
from linkoracle.kinds.puzzle import Puzzle as Puzzle

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from linkoracle.kinds.beside import BesideLoop as BesideLoop
    from linkoracle.kinds.beside import line_of as line_of
    from linkoracle.kinds.cell_loops import CellLoop as CellLoop
    from linkoracle.kinds.cell_loops import LoopRules as LoopRules
    from linkoracle.kinds.cell_paths import CellPath as CellPath
    from linkoracle.kinds.checking import disagreement as disagreement
    from linkoracle.kinds.codings import BITS as BITS
    from linkoracle.kinds.codings import BORDERS as BORDERS
    from linkoracle.kinds.codings import Code as Code
    from linkoracle.kinds.codings import Coding as Coding
    from linkoracle.kinds.codings import arrow_word as arrow_word
    from linkoracle.kinds.codings import coding_of as coding_of
    from linkoracle.kinds.codings import wall_word as wall_word
    from linkoracle.kinds.fixed import FIXED as FIXED
    from linkoracle.kinds.fixed import FixedPuzzle as FixedPuzzle
    from linkoracle.kinds.fixed import annotation_names as annotation_names
    from linkoracle.kinds.fixed import edges_shown as edges_shown
    from linkoracle.kinds.fixed import empty_cells as empty_cells
    from linkoracle.kinds.fixed import refuse as refuse
    from linkoracle.kinds.fixed import require_no_annotations as require_no_annotations
    from linkoracle.kinds.grid import EMPTY as EMPTY
    from linkoracle.kinds.grid import GridPuzzle as GridPuzzle
    from linkoracle.kinds.ice import IceLoop as IceLoop
    from linkoracle.kinds.lines import DIRECTIONS as DIRECTIONS
    from linkoracle.kinds.lines import Lines as Lines
    from linkoracle.kinds.lines import reached as reached
    from linkoracle.kinds.lines import step as step
    from linkoracle.kinds.numberlink import Numberlink as Numberlink
    from linkoracle.kinds.numberlink import Variant as Variant
    from linkoracle.kinds.puzzle import WHOLE as WHOLE
    from linkoracle.kinds.puzzle import AnnotationList as AnnotationList
    from linkoracle.kinds.puzzle import Another as Another
    from linkoracle.kinds.puzzle import Cell as Cell
    from linkoracle.kinds.puzzle import Ends as Ends
    from linkoracle.kinds.puzzle import Example as Example
    from linkoracle.kinds.puzzle import FaceMaker as FaceMaker
    from linkoracle.kinds.puzzle import Figure as Figure
    from linkoracle.kinds.puzzle import Grid as Grid
    from linkoracle.kinds.puzzle import IsEasy as IsEasy
    from linkoracle.kinds.puzzle import Maker as Maker
    from linkoracle.kinds.puzzle import Puzzle as Puzzle
    from linkoracle.kinds.puzzle import Pzpr as Pzpr
    from linkoracle.kinds.puzzle import cell_named as cell_named
    from linkoracle.kinds.puzzle import format_edge as format_edge
    from linkoracle.kinds.puzzle import format_place as format_place
    from linkoracle.kinds.puzzle import place_of as place_of
    from linkoracle.kinds.puzzle import vertex_of as vertex_of
    from linkoracle.kinds.regions import REGIONS as REGIONS
    from linkoracle.kinds.regions import RegionPuzzle as RegionPuzzle
    from linkoracle.kinds.regions import borders as borders
    from linkoracle.kinds.regions import regions_within as regions_within
    from linkoracle.kinds.shading import ShadingLoop as ShadingLoop
    from linkoracle.kinds.sides import SidePuzzle as SidePuzzle
    from linkoracle.kinds.simpleloop import SimpleLoop as SimpleLoop
    from linkoracle.kinds.slitherlink import Slitherlink as Slitherlink
    from linkoracle.kinds.slitherlink import unknown_clues as unknown_clues

__all__, _load, __dir__ = exports(
    __name__,
    {
        "beside": "BesideLoop line_of",
        "fixed": "FixedPuzzle",
        "cell_loops": "CellLoop LoopRules",
        "cell_paths": "CellPath",
        "checking": "disagreement",
        "grid": "GridPuzzle",
        "ice": "IceLoop",
        "lines": "DIRECTIONS Lines step",
        "numberlink": "Numberlink",
        "puzzle": "AnnotationList Example Figure Puzzle Pzpr place_of",
        "regions": "RegionPuzzle",
        "shading": "ShadingLoop",
        "sides": "SidePuzzle",
        "simpleloop": "SimpleLoop",
        "slitherlink": "Slitherlink",
    },
    inner={
        "fixed": ("FIXED annotation_names edges_shown empty_cells refuse require_no_annotations"),
        "codings": "BITS BORDERS Code Coding arrow_word coding_of wall_word",
        "grid": "EMPTY",
        "lines": "reached",
        "linkoracle.core": "alternatives",
        "numberlink": "Variant",
        "puzzle": (
            "WHOLE Another Cell Ends FaceMaker Grid IsEasy Maker cell_named format_edge "
            "format_place vertex_of"
        ),
        "regions": "REGIONS borders regions_within",
        "slitherlink": "unknown_clues",
    },
    own="KINDS canonical check_solution images kind_named load_kinds register violations",
)

AnyPuzzle = TypeVar("AnyPuzzle", bound=Puzzle)
AnyKind = TypeVar("AnyKind", bound=type[Any])
Loaded = TypeVar("Loaded")

#: The kinds of this package, the oldest first, and the module of each.
BUILT_IN = {
    "slitherlink": "slitherlink",
    "numberlink": "numberlink",
    "balanceloop": "arms",
    "castlewall": "closed_cells",
    "countryroad": "region_loops",
    "detour": "region_loops",
    "dotchiloop": "region_loops",
    "doubleback": "region_loops",
    "entryexit": "region_loops",
    "geradeweg": "arms",
    "grandtour": "grandtour",
    "koburin": "shading",
    "linesweeper": "closed_cells",
    "masyu": "masyu",
    "numbrix": "cell_paths",
    "regionalyajilin": "shading",
    "shingoki": "arms",
    "simpleloop": "simpleloop",
    "yajilin": "shading",
    "zip": "cell_paths",
    "barns": "barns",
    "hidoku": "hidoku",
    "icewalk": "icewalk",
    "maxiloop": "maxiloop",
    "midloop": "midloop",
    "moonorsun": "moonorsun",
    "nagareruloop": "nagareruloop",
    "nuriloop": "nuriloop",
    "railpool": "railpool",
    "tapaloop": "tapaloop",
    "turnaround": "turnaround",
    "vertexslitherlink": "vertexslitherlink",
}

#: The environment variable that names modules to load for their kinds, with commas between them.
LOAD = "LINKORACLE_LOAD"


def __getattr__(name: str) -> Any:
    try:
        return _load(name)
    except AttributeError:
        # The kinds of other packages are looked up last, as that takes long.
        if name.isalpha() and name.lower() in KINDS and KINDS[name.lower()].__name__ == name:
            return KINDS[name.lower()]
        raise


class _Kinds(Mapping[str, type[Puzzle]]):
    """The kinds by name; a module is loaded when its kind is first used."""

    def __init__(self) -> None:
        #: By name: a class, its entry point, or ``None`` for the module of that name.
        self._found: dict[str, type[Puzzle] | EntryPoint | None] = dict.fromkeys(BUILT_IN)
        self._looked = False

    def _look_further(self) -> None:
        """Find the kinds of other packages, and load the modules of ``LINKORACLE_LOAD``, once."""
        if self._looked:
            return
        from importlib.metadata import entry_points

        self._looked = True
        try:
            for module in filter(None, os.environ.get(LOAD, "").split(",")):
                _loaded(partial(import_module, module), f"{LOAD}: cannot load {module}")
        except LinkOracleError:
            self._looked = False
            raise
        for one in entry_points(group="linkoracle.kinds"):
            self._found.setdefault(one.name, one)

    def __getitem__(self, name: str) -> type[Puzzle]:
        if name not in self._found:
            self._look_further()
        found = self._found[name]
        if isinstance(found, type):
            return found
        if found is not None:
            entry, failure = found, f"cannot load the kind {name!r} from {found.value}"
            installed: type[Puzzle] = _loaded(lambda: register(entry.load()), failure)
            return installed
        module = import_module(f"linkoracle.kinds.{BUILT_IN[name]}")
        kind: type[Puzzle] = next(
            one for one in vars(module).values() if getattr(one, "kind", "") == name
        )
        self.add(kind)
        return kind

    def __contains__(self, name: object) -> bool:
        if name not in self._found:
            self._look_further()
        return name in self._found

    def __iter__(self) -> Iterator[str]:
        # Look up other packages last, so that the kinds of this package need not wait.
        yield from BUILT_IN
        self._look_further()
        yield from [name for name in self._found if name not in BUILT_IN]

    def __len__(self) -> int:
        self._look_further()
        return len(self._found)

    def add(self, kind: type[Puzzle]) -> None:
        """Add a kind under its name."""
        self._found[kind.kind] = kind


def _loaded(load: Callable[[], Loaded], failure: str) -> Loaded:
    """Return what code of other packages loads; raise `LinkOracleError` for any error in it."""
    try:
        return load()
    except Exception as error:
        reason = str(error) or type(error).__name__
        raise LinkOracleError(f"{failure}: {reason}") from error


#: Every kind of puzzle by its name.
KINDS = _Kinds()


def register(kind: AnyKind) -> AnyKind:
    """Register a class as a kind of puzzle for all of linkoracle. Can be used as a decorator.

    Replaces a kind of the same name, unless this package defines it. Compares the model of the
    kind with its ``faults`` on small boards (`linkoracle.kinds.checking`), which takes some tenths
    of a second.

    Raises ``ValueError`` if the class lacks a member of `Puzzle`, or if its name or a symbol has
    another meaning in files. Raises ``ValueError`` for the name of a built-in kind. Also raises
    ``ValueError`` if the model and ``faults`` differ; the message shows the board.
    """
    from linkoracle.kinds.grid import GridPuzzle

    declared = Puzzle.__annotations__
    stubs = {
        name: member
        for name, member in vars(Puzzle).items()
        if not name.startswith("_") and name not in declared
    }
    if issubclass(kind, GridPuzzle):
        stubs["faults"] = GridPuzzle.faults
    missing = [
        *(name for name in declared if name != "clues" and not hasattr(kind, name)),
        *(name for name, stub in stubs.items() if getattr_static(kind, name, stub) is stub),
    ]
    if missing:
        raise ValueError(f"expected a kind of puzzle with {', '.join(missing)}, got {kind!r}")
    name = kind.kind
    if not (name.isascii() and name.isalpha() and name.islower() and len(name) > 1):
        raise ValueError(f"expected a kind named by a lower-case word, got {name!r}")
    if name in BUILT_IN and KINDS[name] is not kind:
        raise ValueError(f"expected another name than {name!r}, which is a built-in kind")
    for symbol in kind.symbols.values():
        if len(symbol) != 1 or not symbol.isprintable() or symbol in " .-#" or symbol.isdigit():
            raise ValueError(
                f"expected as a symbol one character that is not a digit (a number), '.' or '-' "
                f"(an empty cell), '#' (a comment) or a space, got {symbol!r}"
            )
    from linkoracle.kinds.checking import disagreement

    if found := disagreement(kind, seed=0):
        raise ValueError(f"the model of {name} differs from its rules: {found}")
    KINDS.add(kind)
    return kind


def load_kinds(module: str) -> None:
    """Import a module that registers kinds, here and in all processes that this one starts.

    Raises ``ImportError`` if there is no such module, and ``ValueError`` if `register` refuses a
    kind.
    """
    # As for `python -m`, look for modules in the working directory, too.
    if "" not in sys.path:
        sys.path.insert(0, "")
    import_module(module)
    known = [name for name in os.environ.get(LOAD, "").split(",") if name]
    os.environ[LOAD] = ",".join(dict.fromkeys([*known, module]))


def kind_named(name: str) -> type[Puzzle]:
    """Return the kind of this name; raise `PuzzleError` if there is none.

    >>> kind_named("slitherlink").title
    'Slitherlink'
    """
    if name not in KINDS:
        raise PuzzleError(f"expected the kind {alternatives(KINDS)}, found {name!r}")
    return KINDS[name]


def kind_of_format(format_name: str) -> str:
    """Return the name of the only kind that a format can express: see `Puzzle.formats`."""
    return next(name for name, kind in KINDS.items() if format_name in kind.formats)


def check_solution(puzzle: Modelled, solution: Solution | Iterable[int]) -> bool:
    """Return whether ``solution`` obeys every rule of ``puzzle``. O(cells).

    The check applies the rules of the puzzle as a person does, on coordinates and graphs. It uses
    neither the code of the engines nor the `LinkModel` that they solve. A `LinkModel`, or an
    object that only has a ``.model``, is checked by its constraints.

    ``solution`` is a `Solution` or the ids of its edges. Raises ``ValueError`` for anything else.

    >>> from linkoracle import Slitherlink, solve
    >>> puzzle = Slitherlink([[3, 3], [None, None]])
    >>> check_solution(puzzle, solve(puzzle))
    True
    """
    return not violations(puzzle, solution)


def violations(puzzle: Modelled, solution: Solution | Iterable[int]) -> list[str]:
    """Return a sentence for each rule that ``solution`` breaks; an empty list if it is correct.

    Takes what `check_solution` takes.

    >>> from linkoracle import Lattice, Slitherlink, Solution
    >>> violations(Slitherlink([[2]]), Solution(Lattice(2, 2), (0, 1, 2, 3)))
    ['the clue 2 at r1c1 has 4 lines around it']
    """
    if hasattr(puzzle, "violations"):
        found: list[str] = puzzle.violations(solution)
        return found
    # An object that only has a model is checked by that model.
    from linkoracle.board import statements

    return statements.violations(model_of(puzzle), solution)


def images(puzzle: AnyPuzzle) -> list[AnyPuzzle]:
    """Return the puzzle under each symmetry of its board: 8 of a square, 4 of a rectangle.

    On other boards, the symmetries are the motions of the plane that map the board to itself. The
    first image is the puzzle itself. There is one image for each symmetry, even if two are equal.

    >>> from linkoracle import Slitherlink
    >>> [image.grid[0] for image in images(Slitherlink([[1, 2, None]]))]
    [(1, 2, None), (None, 2, 1), (None, 2, 1), (1, 2, None)]
    """
    # Rectangles turn into others, and clues that point turn with them: not so other boards.
    if puzzle.tiling is not None:
        from linkoracle.board.symmetry import motions

        on_board: Any = puzzle
        return [on_board.moved(*moved) for moved in motions(puzzle.tiling)]
    step = 1 if puzzle.rows == puzzle.cols else 2
    return [
        side.rotate(turns) for side in (puzzle, puzzle.reflect()) for turns in range(0, 4, step)
    ]


def canonical(puzzle: AnyPuzzle) -> AnyPuzzle:
    """Return the puzzle that represents all its images and renumberings (of Numberlink and Zip).

    Two puzzles have the same canonical form exactly when a symmetry of the board maps one to the
    other: same variant, clues and annotations. Numbers of a Numberlink are only names, those of a
    Zip are only an order. Boards of 3x4 and of 4x3 cells are different boards. The canonical form
    is the least of the images: ends count before clues, and an empty cell is less than any clue.
    O(cells).

    >>> from linkoracle import Numberlink, Slitherlink
    >>> canonical(Numberlink([[2, None, 7], [2, None, 7]])).grid
    ((1, None, 2), (1, None, 2))
    >>> canonical(Slitherlink([[None, 3], [None, None]])).grid
    ((None, None), (None, 3))
    """
    return min((image.renumbered() for image in images(puzzle)), key=_order)


def _order(puzzle: Any) -> tuple[Any, ...]:
    lists: list[Any] = []
    grids: list[Any] = [(puzzle.clues,)]
    for name, listed in puzzle.annotations.items():
        (grids if listed.grid else lists).append(getattr(puzzle, name) or ())
    # Empty cells come first, before numbers or words.
    return lists, [
        () if cell is None else (cell,) for grid in grids for row in grid for cell in row
    ]
