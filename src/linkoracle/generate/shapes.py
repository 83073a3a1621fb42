"""Shapes: ways to make the line that a Slitherlink shall have, on ``(rows + 1) x (cols + 1)`` dots.

The same state of ``rng`` gives the same line. All but `uniform` flip the cells of a `Colouring` one
at a time.

>>> loop = SHAPES["two_colour"](Random(1), 10, 10)
>>> len(loop.paths())
1
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Literal

from linkoracle.board.solution import Solution
from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import Deadline, checked_int
from linkoracle.core.randomness import below, pick, shuffled
from linkoracle.generate import flips_kernel
from linkoracle.generate.colouring import CORNERS_ALIKE, SIDES_ALIKE, SIMPLE, Colouring, Ends
from linkoracle.generate.mixing import stir
from linkoracle.kinds import Slitherlink
from linkoracle.solving import diagram

if TYPE_CHECKING:
    from linkoracle.frontier import Diagram

Shape = Literal["mix", "two_colour", "crumple", "expand", "uniform", "long"]

#: What `mix` finds a cell worth by its number, and by how much a board may differ from that. Lines
#: then have the numbers of those of published puzzles, and as different ones (docs/generating.md).
_WORTH, _VARIETY = (0.3, -0.1, 0.1, 0.7, -3.0), 0.4
#: How often `mix` tries to flip each cell, in the mean.
_STIRRED = 3
#: A board with a side no longer than this is not halved any more.
_SMALLEST = 3
#: Steps of a walk for each cell of the board, at most: 50x50 takes a quarter of a second.
_LONG_STEPS = 40
#: Steps between two looks at the clock.
_CHECKED = 10_000
#: The last two diagrams of `uniform`.
_DIAGRAMS: dict[tuple[Slitherlink, int, int], Diagram] = {}


def mix(
    rng: Random,
    rows: int,
    cols: int,
    *,
    ends: Ends = None,
    zeros: float = 0.0,
    threes: float = 0.0,
    variety: float = _VARIETY,
) -> Solution:
    """A loop, or with ``ends`` an open path, of wide areas, straights and bends, as people draw it.

    A `two_colour` line is stirred (`linkoracle.generate.mixing`) until its cells have the numbers
    that those of published puzzles have: about 9 % are 0, 28 % 1, 41 % 2 and 22 % 3. Each board
    differs from that by up to ``variety`` in what each number is worth; ``zeros`` and ``threes``
    are added for all: with 1 there are two to three times as many. O(cells).

    Raises ``ValueError`` for a variety outside 0 to 2, and for a worth outside -4 to 4.

    >>> loop = mix(Random(1), 10, 10)
    >>> len(loop), loop.face_counts().ravel().tolist().count(0)
    (90, 13)
    """
    for name, value, most in (("zeros", zeros, 4), ("threes", threes, 4), ("variety", variety, 2)):
        least = 0 if name == "variety" else -most
        if not (isinstance(value, (int, float)) and least <= value <= most):
            raise ValueError(f"expected {name} between {least} and {most}, got {value!r}")
    board = Colouring.of(two_colour(rng, rows, cols, ends=ends), ends)
    worth = [base + variety * (2 * rng.random() - 1) for base in _WORTH]
    worth[0] += zeros
    worth[3] += threes
    stir(rng, board, worth, _STIRRED * rows * cols)
    return board.outline()


def two_colour(
    rng: Random,
    rows: int,
    cols: int,
    *,
    ends: Ends = None,
    diagonal_ties: bool = True,
    recursive: bool = True,
) -> Solution:
    """A loop, or with ``ends`` an open path, that winds evenly over the board.

    Cells flip in random order, each if most of its four neighbours have its colour, or (with
    ``diagonal_ties``) half of them and most of its four corners, and if both colours stay
    connected. Every flip makes the line longer, or as long with more corners unlike, so it ends.
    With ``recursive`` the start is such a line on a board of half the size, scaled up, else one
    half of the board, any of four. O(cells) flips in practice: 50x50 takes some 20 ms. The method
    is Liam Appelbe's, *How to generate Slither Link puzzles* (2020),
    https://liamappelbe.medium.com/how-to-generate-slither-link-puzzles-6c65510b2ba1

    >>> len(two_colour(Random(1), 10, 10))
    118
    """
    for name, value in (("diagonal_ties", diagonal_ties), ("recursive", recursive)):
        if not isinstance(value, bool):
            raise ValueError(f"expected {name} to be True or False, got {value!r}")
    board = _start(rng, rows, cols, ends, diagonal_ties) if recursive else None
    if board is None:
        board = Colouring(rows, cols, ends)
        if ends is None:
            for cell in _half(rng, board):
                board.flip(cell)
    may_flip = _may_flip(diagonal_ties)
    flips_kernel.settle(board.colour, may_flip, rows, cols, rng.random)
    return board.outline()


def _half(rng: Random, board: Colouring) -> list[int]:
    """The cells of the left, right, upper or lower half of a board, one at least."""
    upper, far = divmod(below(rng, 4), 2)
    length = board.rows if upper else board.cols
    size = max(1, length // 2)
    half = range(length + 1 - size, length + 1) if far else range(1, size + 1)
    return [cell for cell in board.cells if divmod(cell, board.step)[not upper] in half]


def _start(rng: Random, rows: int, cols: int, ends: Ends, diagonal_ties: bool) -> Colouring | None:
    """A colouring from a board of half the size, cell by cell; ``None`` where that fails."""
    if min(rows, cols) <= _SMALLEST:
        return None
    half_rows, half_cols = (rows + 1) // 2, (cols + 1) // 2
    half_ends = None
    if ends is not None:
        # What lies on the rim stays there.
        first, second = (
            ((row + (row == rows)) // 2, (col + (col == cols)) // 2) for row, col in ends
        )
        if first == second:
            return None
        half_ends = first, second
    line = two_colour(rng, half_rows, half_cols, ends=half_ends, diagonal_ties=diagonal_ties)
    small = Colouring.of(line, half_ends)
    board = Colouring(rows, cols, ends)
    for cell in board.cells:
        row, col = divmod(cell, board.step)
        board.colour[cell] = small.colour[(row + 1) // 2 * small.step + (col + 1) // 2]
    # The ring of a path is not scaled but drawn anew, and its ends may have moved by a dot.
    return board if ends is None or board.is_single_line() else None


@cache
def _may_flip(diagonal_ties: bool) -> bytes:
    """For each value of `Colouring.alike`, whether `two_colour` flips such a cell."""
    return bytes(
        simple and (sides == 3 or (diagonal_ties and sides == 2 and corners > 2))
        for simple, sides, corners in zip(SIMPLE, SIDES_ALIKE, CORNERS_ALIKE, strict=True)
    )


def crumple(
    rng: Random, rows: int, cols: int, *, ratio: float = 1.9, share: float = 0.6
) -> Solution:
    """A loop that begins as the rim of the board and is dented until it is long enough.

    Each step takes a random cell on the border of the inside out of it, one that adds two edges if
    there is any, else one that adds none. It ends when the loop has ``ratio`` edges for each cell
    inside and the inside is at most ``share`` of the board, or when no cell is left that may go
    without parting the loop in two or making four edges meet in a dot. O(cells).

    Known from generators for Slitherlink that have no published description.
    Raises ``ValueError`` for a ratio or share that no loop has.

    >>> len(crumple(Random(1), 10, 10))
    116
    """
    if not 0 < ratio < 4:
        raise ValueError(f"expected a ratio between 0 and 4, got {ratio!r}")
    if not 0 < share <= 1:
        raise ValueError(f"expected a share above 0 and up to 1, got {share!r}")
    board = Colouring(rows, cols)
    for cell in board.cells:
        board.flip(cell)
    area, length = rows * cols, 2 * (rows + cols)
    fresh, later = _Bag(board.cells), _Bag([])
    while (bag := fresh or later) and (length < ratio * area or area > share * rows * cols):
        cell = bag.pop(rng)
        added = board.added(cell)
        if not board.colour[cell]:
            continue
        if bag is fresh and added == 0:
            later.add(cell)
        elif added >= 0 and board.can_flip(cell):
            length += added
            area -= 1
            board.flip(cell)
            for beside in (cell + offset for offset in board.around):
                if board.on_board[beside] and board.colour[beside]:
                    fresh.add(beside)
    return board.outline()


class _Bag:
    """Cells to draw at random, each at most once in it."""

    def __init__(self, cells: list[int]) -> None:
        self._cells = list(cells)
        self._held = set(cells)

    def add(self, cell: int) -> None:
        if cell not in self._held:
            self._held.add(cell)
            self._cells.append(cell)

    def __bool__(self) -> bool:
        return bool(self._cells)

    def pop(self, rng: Random) -> int:
        place = below(rng, len(self._cells))
        cell, self._cells[place] = self._cells[place], self._cells[-1]
        self._cells.pop()
        self._held.discard(cell)
        return cell


def expand(rng: Random, rows: int, cols: int, *, thickness: float = 0.1) -> Solution:
    """A loop around a region that grows like a tree until nothing fits.

    A random cell beside a random one of the region joins it if the line stays a single one, and if
    neither the cell ahead of it nor the two that touch its far corners are in the region, so that
    this does not close around anything. A new cell may touch the region with its flanks, but only
    for a share of ``thickness`` of the tries; 0 makes every branch one cell wide. A cell beside
    which nothing fits is tried no more.

    Known from generators for Slitherlink that have no published description. O(cells).
    Raises ``ValueError`` for a thickness outside 0 to 1.

    >>> len(expand(Random(1), 10, 10))
    114
    """
    if not 0 <= thickness <= 1:
        raise ValueError(f"expected a thickness between 0 and 1, got {thickness}")
    board = Colouring(rows, cols)
    colour, sides = board.colour, board.sides
    start = pick(rng, board.cells)
    board.flip(start)
    expandable = [start]
    while expandable:
        place = below(rng, len(expandable))
        cell = expandable[place]
        for direction in shuffled(rng, range(4)):
            new = cell + sides[direction]
            if not board.on_board[new] or colour[new]:
                continue
            flank = sides[(direction + 1) % 4]
            ahead = new + sides[direction]
            if colour[ahead] or colour[ahead + flank] or colour[ahead - flank]:
                continue
            if (colour[new + flank] or colour[new - flank]) and rng.random() >= thickness:
                continue
            if board.can_flip(new):
                board.flip(new)
                expandable.append(new)
                break
        else:
            expandable[place] = expandable[-1]
            expandable.pop()
    return board.outline()


def uniform(
    rng: Random,
    rows: int,
    cols: int,
    *,
    ends: Ends = None,
    length: int | tuple[int, int] | None = None,
    share: tuple[float, float] | None = None,
    memory: int | None = None,
    timeout: float | None = None,
) -> Solution:
    """A loop, or with ``ends`` an open path, drawn uniformly from all of the board.

    ``length`` (a number of edges, or the least and the greatest) and ``share`` (of the dots that
    the line visits, the least and the greatest) say from which. The `Diagram` is kept for the next
    call: boards of up to 12x12 cells take seconds and hundreds of megabytes the first time, and
    less than a millisecond a loop from then on.

    Raises `NothingFound` when no loop is as asked, `MemoryLimit` when the diagram needs more than
    ``memory`` bytes (``None``: half of what is free), `SearchTimeout`.

    >>> len(uniform(Random(1), 4, 4, length=16))
    16
    """
    dots = (rows + 1) * (cols + 1)
    both = (1, dots) if length is None else length if isinstance(length, tuple) else (length,) * 2
    least, most = (checked_int(edges, "a length in edges", 0) for edges in both)
    if share is not None:
        if not 0 <= share[0] <= share[1] <= 1:
            raise ValueError(f"expected a share of dots within 0 to 1, got {share!r}")
        # A path visits one dot more than it has edges.
        extra = ends is not None
        least = max(least, math.ceil(share[0] * dots - 1e-9) - extra)
        most = min(most, math.floor(share[1] * dots + 1e-9) - extra)
    asked = (Slitherlink.blank(rows, cols, ends), least, most)
    if asked not in _DIAGRAMS:
        everything = diagram(asked[0], memory=memory, timeout=timeout)
        if (least, most) != (1, dots):
            everything = everything.filter(length=(least, most))
        if len(_DIAGRAMS) > 1:
            del _DIAGRAMS[next(iter(_DIAGRAMS))]
        _DIAGRAMS[asked] = everything
    if not _DIAGRAMS[asked]:
        raise NothingFound(f"no line on {rows}x{cols} cells has {least} to {most} edges")
    return _DIAGRAMS[asked].sample(1, seed=below(rng, 1 << 48))[0]


def long(
    rng: Random, rows: int, cols: int, *, ends: Ends = None, timeout: float | None = None
) -> Solution:
    """A loop, or with ``ends`` an open path, that visits most dots, and leaves out no two together.

    Starts from `two_colour`, where about one dot in twenty is not visited, and lets these *holes*
    walk. A hole takes a step when a corner of the line next to it is folded over it: the line stays
    as long, and the hole is now where the corner was. Where two meet, the line is pushed over both,
    which makes it two edges longer, until few are left. O(cells). Raises `SearchTimeout`.

    >>> len(long(Random(1), 9, 9))
    100
    """
    deadline = Deadline(timeout)
    board = Colouring.of(two_colour(rng, rows, cols, ends=ends), ends)
    step = board.step
    # A dot has the number of the cell below and to the right of it.
    dots = (row * step + col for row in range(1, rows + 2) for col in range(1, step))
    holes = [dot for dot in dots if not _visited(board, dot)]
    for number in range(_LONG_STEPS * rows * cols):
        if len(holes) < 2:
            break
        if not number % _CHECKED:
            deadline.check()
        cell = pick(rng, holes) - pick(rng, (0, 1, step, step + 1))
        if not board.on_board[cell] or not board.can_flip(cell) or board.added(cell) < 0:
            continue
        corners = (cell, cell + 1, cell + step, cell + step + 1)
        before = [_visited(board, corner) for corner in corners]
        board.flip(cell)
        for corner, was_visited in zip(corners, before, strict=True):
            visited = _visited(board, corner)
            if visited and not was_visited:
                holes.remove(corner)
            elif was_visited and not visited:
                holes.append(corner)
    return board.outline()


def _visited(board: Colouring, dot: int) -> bool:
    """Whether the line passes through a dot: its four cells have not all the same colour."""
    colour, step = board.colour, board.step
    return not colour[dot] == colour[dot - 1] == colour[dot - step] == colour[dot - step - 1]


#: The shapes by name.
SHAPES: dict[str, Callable[..., Solution]] = {
    shape.__name__: shape for shape in (mix, two_colour, crumple, expand, uniform, long)
}
#: The shapes that take ``ends``, for an open path, and those that take a ``timeout``.
OPEN_SHAPES, SLOW_SHAPES = ("mix", "two_colour", "uniform", "long"), ("uniform", "long")


@cache
def shape_parameters(shape: str) -> tuple[str, ...]:
    """The names of the options that a shape takes, besides ``ends`` and ``timeout``."""
    named = inspect.signature(SHAPES[shape]).parameters.values()
    options = [one.name for one in named if one.kind is one.KEYWORD_ONLY]
    return tuple(name for name in options if name not in ("ends", "timeout"))
