"""Shapes: methods to draw the target loop or path of a Slitherlink.

It is on ``(rows + 1) x (cols + 1)`` dots, or on any plane `linkoracle.Board` given instead of the
rows. The same state of ``rng`` gives the same loop. All methods but `uniform` flip the faces of a
`Colouring` one at a time.

>>> loop = SHAPES["two_colour"](Random(1), 10, 10)
>>> len(loop.paths())
1
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Literal

from linkoracle.board import NO_FACE, Board, Solution
from linkoracle.board.colouring_kernel import Colouring
from linkoracle.core import Deadline, NothingFound, below, checked_int, pick, shuffled
from linkoracle.generate.loops.colouring import (
    Ends,
    around_one,
    board_of,
    mix,
    region,
    two_colour,
    two_coloured,
)
from linkoracle.kinds import Slitherlink
from linkoracle.solving import diagram

if TYPE_CHECKING:
    from linkoracle.frontier import Diagram

Shape = Literal["mix", "two_colour", "crumple", "expand", "uniform", "long"]
#: Most steps of `long` for each cell of the board: 50x50 takes a quarter of a second.
_LONG_STEPS = 40
#: Steps between two checks of the deadline.
_CHECKED = 10_000
#: The last two diagrams of `uniform`.
_DIAGRAMS: dict[tuple[Slitherlink, int, int], Diagram] = {}


def crumple(
    rng: Random,
    rows: int | Board,
    cols: int | None = None,
    *,
    ratio: float = 1.9,
    share: float = 0.6,
) -> Solution:
    """Draw a loop that begins as the border of the board and is dented until it is long enough.

    Each step removes a random face from the edge of the inside: one that adds two edges if
    possible, else one that adds none. It ends when the loop has ``ratio`` edges for each cell
    inside and the inside is at most ``share`` of the board, or when any further removal would split
    the loop or make four edges meet in a dot. The ratio is scaled if faces have more or fewer than
    four edges. O(cells).

    Known from generators for Slitherlink that have no published description.
    Raises ``ValueError`` for a ratio or share that no loop has.

    >>> len(crumple(Random(1), 10, 10))
    116
    """
    if not 0 < ratio < 4:
        raise ValueError(f"expected a ratio between 0 and 4, got {ratio!r}")
    if not 0 < share <= 1:
        raise ValueError(f"expected a share above 0 and up to 1, got {share!r}")
    board = board_of(rows, cols)
    faces = range(board.num_faces)
    line = Colouring(board)
    line.paint(bytes([1]) * board.num_faces)
    if not line.is_single_line():
        line = region(rng, board, 1)
    # A tree of faces of n edges each has a border of n - 2 edges a face.
    ratio *= (len(board.layout.face_edges) / board.num_faces - 2) / 2
    area, length = sum(map(line.is_inside, faces)), len(line.outline())
    fresh, later = _Bag(faces), _Bag([])
    while (bag := fresh or later) and (length < ratio * area or area > share * len(faces)):
        face = bag.pop(rng)
        added = line.added(face)
        if not line.is_inside(face):
            continue
        if bag is fresh and added == 0:
            later.add(face)
        elif added >= 0 and line.can_flip(face):
            length += added
            area -= 1
            line.flip(face)
            for beside in filter(line.is_inside, line.around(face)):
                fresh.add(beside)
    return line.outline()


class _Bag:
    """A set of faces from which to draw at random."""

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = list(faces)
        self._held = set(self._faces)

    def add(self, face: int) -> None:
        if face not in self._held:
            self._held.add(face)
            self._faces.append(face)

    def __bool__(self) -> bool:
        return bool(self._faces)

    def pop(self, rng: Random) -> int:
        place = below(rng, len(self._faces))
        face, self._faces[place] = self._faces[place], self._faces[-1]
        self._faces.pop()
        self._held.discard(face)
        return face


def expand(
    rng: Random, rows: int | Board, cols: int | None = None, *, thickness: float = 0.1
) -> Solution:
    """Draw a loop around a region that grows like a tree until nothing fits.

    A random face next to a random face of the region is added if the line stays single, and if the
    region touches the new face only at the edge between the two, so that it encloses nothing. The
    new face may also touch the region with its flanks, but only in a fraction ``thickness`` of the
    attempts; with 0 every branch is one cell wide. Faces next to which nothing fits are dropped.

    Known from generators for Slitherlink that have no published description. O(cells).
    Raises ``ValueError`` for a thickness outside 0 to 1.

    >>> len(expand(Random(1), 10, 10))
    114
    """
    if not 0 <= thickness <= 1:
        raise ValueError(f"expected a thickness between 0 and 1, got {thickness}")
    line, start = around_one(rng, board_of(rows, cols))
    expandable = [start]
    while expandable:
        place = below(rng, len(expandable))
        face = expandable[place]
        across = line.across(face)
        for direction in shuffled(rng, range(len(across))):
            new = across[direction]
            if new == NO_FACE or line.is_inside(new):
                continue
            contact = line.contact(face, direction)
            if contact == 2 or (contact == 1 and rng.random() >= thickness):
                continue
            if line.can_flip(new):
                line.flip(new)
                expandable.append(new)
                break
        else:
            expandable[place] = expandable[-1]
            expandable.pop()
    return line.outline()


def uniform(
    rng: Random,
    rows: int | Board,
    cols: int | None = None,
    *,
    ends: Ends = None,
    length: int | tuple[int, int] | None = None,
    share: tuple[float, float] | None = None,
    memory: int | None = None,
    timeout: float | None = None,
) -> Solution:
    """Draw a loop, or a path between ``ends``, uniformly from all of a square board.

    ``length`` (a number of edges, or a range) and ``share`` (a range of the fraction of dots
    visited) restrict the choice. The `Diagram` is kept for the next call: 12x12 cells take seconds
    and hundreds of megabytes the first time, then less than a millisecond per loop.

    Raises `NothingFound` if no loop is as requested, `MemoryLimit` if the diagram needs more than
    ``memory`` bytes (``None``: half of the free memory), `SearchTimeout`, and `NotSupported` for a
    board that is not square.

    >>> len(uniform(Random(1), 4, 4, length=16))
    16
    """
    board = board_of(rows, cols).squares()
    dots = board.num_vertices
    both = (1, dots) if length is None else length if isinstance(length, tuple) else (length,) * 2
    least, most = (checked_int(edges, "a length in edges", 0) for edges in both)
    if share is not None:
        if not 0 <= share[0] <= share[1] <= 1:
            raise ValueError(f"expected a share of dots within 0 to 1, got {share!r}")
        # A path visits one more dot than it has edges.
        extra = ends is not None
        least = max(least, math.ceil(share[0] * dots - 1e-9) - extra)
        most = min(most, math.floor(share[1] * dots + 1e-9) - extra)
    puzzle = Slitherlink.blank(board.rows - 1, board.cols - 1, ends)
    key = (puzzle, least, most)
    if key not in _DIAGRAMS:
        everything = diagram(puzzle, memory=memory, timeout=timeout)
        if (least, most) != (1, dots):
            everything = everything.filter(length=(least, most))
        if len(_DIAGRAMS) > 1:
            del _DIAGRAMS[next(iter(_DIAGRAMS))]
        _DIAGRAMS[key] = everything
    if not _DIAGRAMS[key]:
        raise NothingFound(
            f"no loop or path on {puzzle.rows}x{puzzle.cols} cells has {least} to {most} edges"
        )
    return _DIAGRAMS[key].sample(1, seed=below(rng, 1 << 48))[0]


def long(
    rng: Random,
    rows: int | Board,
    cols: int | None = None,
    *,
    ends: Ends = None,
    timeout: float | None = None,
) -> Solution:
    """Draw a loop, or a path between ``ends``, that visits most dots, and omits no two neighbours.

    Starts from `two_colour`, which omits about one dot in twenty, and moves these omitted dots.
    Folding an adjacent corner of the line over an omitted dot keeps the length and moves the dot to
    the corner. Where two omitted dots meet, the line is pushed over both and gets two edges longer,
    until few are left. O(cells). Raises `SearchTimeout`.

    >>> len(long(Random(1), 9, 9))
    100
    """
    deadline = Deadline(timeout)
    board = board_of(rows, cols)
    line = two_coloured(rng, board, ends)
    holes = [dot for dot in range(board.num_vertices) if not line.is_visited(dot)]
    for number in range(_LONG_STEPS * board.num_faces):
        if len(holes) < 2:
            break
        if not number % _CHECKED:
            deadline.check()
        meeting = line.meeting(pick(rng, holes))
        face = pick(rng, meeting) if meeting else 0
        if not line.can_flip(face) or line.added(face) < 0:
            continue
        corners = board.walk(face)
        before = [line.is_visited(corner) for corner in corners]
        line.flip(face)
        for corner, was_visited in zip(corners, before, strict=True):
            visited = line.is_visited(corner)
            if visited and not was_visited:
                holes.remove(corner)
            elif was_visited and not visited:
                holes.append(corner)
    return line.outline()


#: The shapes by name.
SHAPES: dict[str, Callable[..., Solution]] = {
    shape.__name__: shape for shape in (mix, two_colour, crumple, expand, uniform, long)
}
#: The shapes that accept ``ends``, for an open path, and those that accept a ``timeout``.
OPEN_SHAPES, SLOW_SHAPES = ("mix", "two_colour", "uniform", "long"), ("uniform", "long")


@cache
def shape_parameters(shape: str) -> tuple[str, ...]:
    """Return the names of the options of a shape, apart from ``ends`` and ``timeout``."""
    named = inspect.signature(SHAPES[shape]).parameters.values()
    options = [one.name for one in named if one.kind is one.KEYWORD_ONLY]
    return tuple(name for name in options if name not in ("ends", "timeout"))
