"""The kinds of puzzles: a page each, with its rules and all that is known of them.

`KINDS` has them by name, `register` adds one; ``docs/kinds.md`` builds one step by step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from inspect import getattr_static
from typing import TYPE_CHECKING, Any, TypeVar

from linkoracle.board.model import Modelled, model_of
from linkoracle.board.solution import Solution
from linkoracle.core import loader
from linkoracle.core.errors import PuzzleError
from linkoracle.kinds.fixed import GridPuzzle
from linkoracle.kinds.puzzle import Example, Figure, Puzzle

if TYPE_CHECKING:
    from linkoracle.kinds.numberlink import Numberlink
    from linkoracle.kinds.simpleloop import SimpleLoop
    from linkoracle.kinds.slitherlink import Slitherlink

__all__ = [
    "KINDS",
    "Example",
    "Figure",
    "GridPuzzle",
    "Numberlink",
    "Puzzle",
    "SimpleLoop",
    "Slitherlink",
    "canonical",
    "check_solution",
    "images",
    "kind_named",
    "register",
    "violations",
]

AnyPuzzle = TypeVar("AnyPuzzle", bound=Puzzle)
AnyKind = TypeVar("AnyKind", bound=type[Any])

#: Our own kinds: the name, and the class on the page of that name.
_PAGES = {"slitherlink": "Slitherlink", "numberlink": "Numberlink", "simpleloop": "SimpleLoop"}

_load = loader(__name__)


def __getattr__(name: str) -> Any:
    for page, found in _PAGES.items():
        if found == name:
            return KINDS[page]
    return _load(name)


class _Kinds(Mapping[str, type[Puzzle]]):
    """The kinds by name; a page is loaded when its kind is first asked for."""

    def __init__(self) -> None:
        self._found: dict[str, type[Puzzle] | None] = dict.fromkeys(_PAGES)

    def __getitem__(self, name: str) -> type[Puzzle]:
        found = self._found[name]
        if found is None:
            found = getattr(import_module(f"linkoracle.kinds.{name}"), _PAGES[name])
            self.add(found)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def add(self, kind: type[Puzzle]) -> None:
        self._found[kind.kind] = kind


#: Every kind of puzzle by its name.
KINDS = _Kinds()


def register(kind: AnyKind) -> AnyKind:
    """Make a class a kind of puzzle, which all of linkoracle then knows. Fit for a decorator.

    Raises ``ValueError`` for a class that lacks something that `Puzzle` asks for, and when its name
    or a symbol cannot be told from other things in a file, or the name is that of another kind.
    """
    stubs = {name: member for name, member in vars(Puzzle).items() if not name.startswith("_")}
    # What `GridPuzzle` has, but each kind must say.
    stubs |= {name: vars(GridPuzzle)[name] for name in ("model", "from_solution")}
    if issubclass(kind, GridPuzzle):
        stubs["faults"] = GridPuzzle.faults
    missing = [
        *(name for name in Puzzle.__annotations__ if name != "grid" and not hasattr(kind, name)),
        *(name for name, stub in stubs.items() if getattr_static(kind, name, stub) is stub),
    ]
    if missing:
        raise ValueError(f"expected a kind of puzzle with {', '.join(missing)}, got {kind!r}")
    name = kind.kind
    if not (name.isascii() and name.isalpha() and name.islower() and len(name) > 1):
        raise ValueError(f"expected a kind named by a lower-case word, got {name!r}")
    if name in KINDS and KINDS[name] is not kind:
        raise ValueError(f"expected a kind of another name than {name!r}, which there is already")
    for symbol in kind.symbols.values():
        if len(symbol) != 1 or symbol.isalnum() or not symbol.isprintable() or symbol in " .-#":
            raise ValueError(f"expected symbols such as '*', got {symbol!r}")
    KINDS.add(kind)
    return kind


def kind_named(name: str) -> type[Puzzle]:
    """The kind of this name; `PuzzleError` if there is none.

    >>> kind_named("slitherlink").title
    'Slitherlink'
    """
    if name not in KINDS:
        raise PuzzleError(f"expected the kind {alternatives(KINDS)}, found {name!r}")
    return KINDS[name]


def kind_of_format(format_name: str) -> str:
    """The name of the one kind that a format has: see `Puzzle.formats`."""
    return next(name for name, kind in KINDS.items() if format_name in kind.formats)


def alternatives(names: Any) -> str:
    """Names in quotes, the last after an "or".

    >>> alternatives(["one", "two", "three"])
    "'one', 'two' or 'three'"
    """
    *others, last = map(repr, names)
    return f"{', '.join(others)} or {last}" if others else last


def check_solution(puzzle: Modelled, solution: Solution | Iterable[int]) -> bool:
    """Return whether ``solution`` obeys every rule of ``puzzle``, by a check of its own. O(cells).

    The check reads the rules of the puzzle as a person does, on coordinates and graphs. It shares
    no code with the engines, nor the `LinkModel` that they solve. A `LinkModel` is checked by its
    own constraints, and so is an object that has only a ``.model``.

    ``solution`` is a `Solution` or the ids of its edges. Raises ``ValueError`` for anything else.

    >>> from linkoracle import Slitherlink, solve
    >>> puzzle = Slitherlink([[3, 3], [None, None]])
    >>> check_solution(puzzle, solve(puzzle))
    True
    """
    return not violations(puzzle, solution)


def violations(puzzle: Modelled, solution: Solution | Iterable[int]) -> list[str]:
    """Return the rules that ``solution`` breaks, a sentence each; empty when it is right.

    Takes what `check_solution` takes.

    >>> from linkoracle import Lattice, Slitherlink, Solution
    >>> violations(Slitherlink([[2]]), Solution(Lattice(2, 2), (0, 1, 2, 3)))
    ['the clue 2 at row 1, column 1 has 4 lines around it']
    """
    if hasattr(puzzle, "violations"):
        found: list[str] = puzzle.violations(solution)
        return found
    # What merely has a model is checked by that.
    from linkoracle.board import checking

    return checking.violations(model_of(puzzle), solution)


if TYPE_CHECKING:
    verify = check_solution


def images(puzzle: AnyPuzzle) -> list[AnyPuzzle]:
    """The puzzle under each symmetry of its board: 8 of a square, 4 of any other.

    The first is the puzzle itself. Each symmetry stands once, also where two give the same puzzle.

    >>> from linkoracle import Slitherlink
    >>> [image.grid[0] for image in images(Slitherlink([[1, 2, None]]))]
    [(1, 2, None), (None, 2, 1), (None, 2, 1), (1, 2, None)]
    """
    step = 1 if puzzle.rows == puzzle.cols else 2
    return [
        side.rotate(turns) for side in (puzzle, puzzle.reflect()) for turns in range(0, 4, step)
    ]


def canonical(puzzle: AnyPuzzle) -> AnyPuzzle:
    """The puzzle that stands for all its turns, mirror images and, in Numberlink, renumberings.

    Two puzzles have the same canonical form exactly when a symmetry of the board takes one to the
    other: same rule, clues and ends, or numbers up to their names. Boards of 3x4 and of 4x3 cells
    are different boards. It is the least of the images, empty cells first, ends before clues.
    O(cells).

    >>> from linkoracle import Numberlink, Slitherlink
    >>> canonical(Numberlink([[2, None, 7], [2, None, 7]])).grid
    ((1, None, 2), (1, None, 2))
    >>> canonical(Slitherlink([[None, 3], [None, None]])).grid
    ((None, None), (None, 3))
    """
    return min((image.renumbered() for image in images(puzzle)), key=_order)


def _order(puzzle: Puzzle) -> tuple[Any, ...]:
    points = [getattr(puzzle, name) or () for name in puzzle.points]
    return points, [-1 if cell is None else cell for row in puzzle.grid for cell in row]
