"""The generator of each kind: one in the module of the kind, or that of all loops through cells."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

from linkoracle.board.symmetry import Symmetry
from linkoracle.kinds import KINDS, GridPuzzle, Puzzle
from linkoracle.kinds.cell_loops import CellLoop
from linkoracle.kinds.puzzle import FaceMaker, IsEasy, Maker


def makers() -> list[str]:
    """Return the kinds that `puzzle` makes. Slitherlink and Numberlink have other generators."""
    return list(filter(is_made, KINDS))


def is_made(kind: str) -> bool:
    """Return whether `puzzle` makes this kind. Loads no other module than that of the kind."""
    if kind not in KINDS:
        return False
    return KINDS[kind].maker is not None or issubclass(KINDS[kind], CellLoop)


def maker_of(
    kind: type[Puzzle],
    *,
    minimal: bool = False,
    symmetry: Symmetry = "none",
    is_easy: IsEasy = None,
) -> Maker | None:
    """Return the generator of a kind, or that of all kinds with one loop through cells.

    ``is_easy`` is passed to the generator if it has such a parameter.
    """
    if kind.maker is None and issubclass(kind, CellLoop):
        from linkoracle.generate.cell_loops import cell_loop

        return partial(cell_loop, kind, minimal=minimal, symmetry=symmetry, is_easy=is_easy)
    return None if kind.maker is None else _with_is_easy(kind.maker, is_easy)


def _with_is_easy(maker: Callable[..., Any], is_easy: IsEasy) -> Callable[..., Any]:
    # Generators of other packages may not support grades.
    return partial(maker, is_easy=is_easy) if "is_easy" in signature(maker).parameters else maker


def has_face_maker(kind: type[Puzzle]) -> bool:
    """Return whether `puzzle` makes a kind on the faces of a board."""
    return _face_maker(kind) is not None


def _face_maker(kind: type[Puzzle]) -> FaceMaker | None:
    if not (issubclass(kind, GridPuzzle) and kind.fits_boards()):
        return None
    return kind.face_maker


def face_maker_of(kind: type[Puzzle], *, is_easy: IsEasy = None) -> FaceMaker:
    """Return the generator of a kind on the faces of a board: see `maker_of`.

    Raises ``ValueError`` if there is none.
    """
    if (maker := _face_maker(kind)) is None:
        raise ValueError(f"{kind.title}s are made on rows and columns only")
    return _with_is_easy(maker, is_easy)


def chooses_places(kind: type[Puzzle]) -> bool:
    """Return whether the generator of a kind chooses the cells that have clues.

    False for kinds whose clues may be anywhere in a region, are all cells that the loop omits, or
    do not exist.
    """
    return (
        kind.maker is None
        and issubclass(kind, CellLoop)
        and not (kind.every_cell or getattr(kind, "region_clues", False))
    )


def visits_all(kind: type[Puzzle]) -> bool:
    """Return whether the generator of a kind draws a loop through every cell, or dot."""
    return issubclass(kind, CellLoop) and kind.every_cell and "loop" in kind.variants
