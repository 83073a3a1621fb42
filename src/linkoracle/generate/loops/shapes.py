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
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from linkoracle.board import NO_FACE, Board, Colouring, Solution
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
#: The longest short side for `uniform`: time and memory grow threefold with the next.
WIDEST_UNIFORM = 16
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


def checked_options(shape: Shape, options: Any, memory: int | None) -> dict[str, Any]:
    """Return the options of a shape, with the memory limit that it may need.

    Raises ``ValueError`` for unknown options, and for values that the shape cannot use. Whether
    they suit a board is not checked.
    """
    if not isinstance(options, Mapping):
        raise ValueError(f"expected options of a shape by name, got {options!r}")
    found, known = dict(options), shape_parameters(shape)
    # Other shapes need so little that they stay below every limit.
    if shape == "uniform" and memory is not None:
        found["memory"] = memory
    unknown = [option for option in found if option not in known]
    if unknown:
        takes = ", ".join(known) or "none"
        raise ValueError(f"the shape {shape} has no option {unknown[0]}, only {takes}")
    if found:
        # Only the shape can check the values.
        try:
            SHAPES[shape](Random(0), 2, 2, **found)
        except NothingFound:
            pass
        except TypeError:
            raise ValueError(f"the shape {shape} cannot use {found}") from None
    return found


#: Most cells of a board whose loops are listed: each loop is a number of this many base-5 digits.
_LISTED_CELLS = 27
#: Most loops that are listed: 5x5 cells have 1,222,363, which takes half a second.
_MOST_LOOPS = 2_000_000


class UniqueLoops:
    """All loops (or paths) of a small ``blank`` board that clues on just these faces make unique.

    Some of the clues are ``digits``. At most half of the others are 0; otherwise a loop around one
    cell would do for every mask. All loops of the diagram are listed, and the clues of each are
    written as one number; a loop is unique if its number occurs once. ``loops`` is the number of
    loops, or 0 if they are too many to list. Raises `SearchTimeout`.

    >>> found = UniqueLoops(Slitherlink.blank(3, 3), [0, 2, 6, 8], {}, Deadline(None))
    >>> found.loops, len(found)
    (213, 0)
    """

    def __init__(
        self,
        blank: Slitherlink,
        shown: Iterable[int],
        digits: Mapping[int, int],
        deadline: Deadline,
    ) -> None:
        # Rarely reached, and it needs NumPy.
        import numpy as np

        self.loops = 0
        self._places = np.array([], dtype=np.int64)
        if blank.board.num_faces > _LISTED_CELLS:
            return
        self._diagram = diagram(blank, timeout=deadline.left)
        if (loops := self._diagram.count()) > _MOST_LOOPS:
            return
        self.loops = loops
        faces = sorted(shown)
        edges = blank.lattice.face_edges[faces]
        required = np.array([digits.get(face, -1) for face in faces], dtype=np.int64)
        weights = 5 ** np.arange(len(faces), dtype=np.int64)
        numbers, fits, zeros = [], [], []
        for chosen in self._diagram.masks(1 << 14):
            deadline.check()
            counts = chosen[:, edges].sum(axis=2, dtype=np.int64)
            numbers.append(counts @ weights)
            fits.append(np.all((counts == required) | (required < 0), axis=1))
            zeros.append(np.count_nonzero((counts == 0) & (required < 0), axis=1))
        deadline.check()
        _, first, times = np.unique(np.concatenate(numbers), return_index=True, return_counts=True)
        alone = np.sort(first[times == 1])
        alone = alone[np.concatenate(fits)[alone]]
        few_zeros = 2 * np.concatenate(zeros)[alone] <= len(faces) - len(digits) + 1
        self._places = alone[few_zeros]

    def __len__(self) -> int:
        """The number of loops left to choose from."""
        return len(self._places)

    def draw(self, rng: Random) -> Solution:
        """Draw one of these loops uniformly."""
        return self._diagram[int(self._places[below(rng, len(self))])]
