"""Two colours on the faces of a board, and the loop or path between them.

A loop is the border of a region: colour its faces, and the line runs wherever the colours on the
two sides of an edge differ. An open path between two places of the border divides the board in the
same way. Generators keep the line a single one while they flip one face at a time (`Colouring`), by
looking only at what is around that face. They begin with a region on a board.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from random import Random
from typing import Any

from linkoracle.board import NO_FACE, Board, Colouring, Lattice, Solution, flat
from linkoracle.core import NothingFound, below, pick

#: A dot as ``(row, column)``, counted from 0; on boards that are not square the label of a vertex.
Dot = Any
#: The two dots on the border that an open path joins; ``None`` for a loop.
Ends = tuple[Dot, Dot] | None
#: The weight of each digit in `mix`, and by how much a board may differ from that. The digits, and
#: their variation, are then those of published puzzles (docs/explanation/benchmarks.md).
_WORTH, _VARIETY = (0.3, -0.1, 0.1, 0.7, -3.0), 0.4
#: Mean number of attempts of `mix` to flip each cell.
_STIRRED = 3
#: Boards with a side of at most this length are not halved.
_SMALLEST = 3
#: Local alternatives that change more faces are not worth keeping: they rarely decide anything.
_MOST_CHANGED = 8


def coloured(solution: Solution, ends: Ends = None) -> Colouring:
    """Return the colouring whose `outline` is this loop, or this path between ``ends``."""
    board = Colouring(solution.board, beyond(solution.board, ends))
    board.load(solution.edges)
    return board


def beyond(board: Board, ends: Ends) -> list[int]:
    """Return the edges of the border beyond which the outside has the colour 1: between the ends.

    There are none for a loop. Raises ``ValueError`` for ends that are equal or off the border.
    """
    if ends is None:
        return []
    vertices, edges = board.border()
    dots = [board.position(vertex) for vertex in vertices]
    if ends[0] not in dots or ends[1] not in dots or ends[0] == ends[1]:
        raise ValueError(f"expected two dots on the border, got {ends[0]} and {ends[1]}")
    first, second = sorted(map(dots.index, ends))
    return edges[first:second]


def divided(board: Board, ends: Ends) -> Colouring:
    """Return the colouring in which each face has the colour of the nearest part of the outside."""
    inner = beyond(board, ends)
    found = Colouring(board, inner)
    if ends is None:
        return found
    colours = dict[int, int]()
    for edge in board.border()[1]:
        colours.setdefault(board.faces_of(edge)[0], int(edge in inner))
    reached = list(colours)
    for face in reached:
        for other in found.across(face):
            if other != NO_FACE and other not in colours:
                colours[other] = colours[face]
                reached.append(other)
    found.paint(bytes(colours.get(face, 0) for face in range(board.num_faces)))
    return found


def local_alternatives(solution: Solution, ends: Ends = None) -> list[tuple[int, ...]]:
    """Return the sets of faces whose counts change if one face, or two near ones, are flipped.

    Each is another solution (an *alternative*). A flip changes the counts of the face and of its
    neighbours. O(faces).

    >>> from linkoracle.board import Lattice
    >>> square = Solution(Lattice(3, 3), (0, 1, 3, 5))
    >>> sorted(local_alternatives(square))[0]
    (0, 1, 2, 3)
    """
    board = coloured(solution, ends)
    faces = range(solution.board.num_faces)
    before = [board.count(face) for face in faces]
    across = [[other for other in board.across(face) if other != NO_FACE] for face in faces]
    simple = [board.can_flip(face) for face in faces]
    count = board.count
    found: dict[tuple[int, ...], None] = {}
    for face in faces:
        if not simple[face]:
            continue
        board.flip(face)
        first = {face, *across[face]}
        found[tuple(one for one in sorted(first) if count(one) != before[one])] = None
        near = first.union(*(across[other] for other in across[face]))
        for other in sorted(near - {face}):
            # Two faces that can each flip first occur twice; count the second time.
            if (other < face or not simple[other]) and board.can_flip(other):
                board.flip(other)
                seen = sorted(first.union((other,), across[other]))
                changed = tuple(one for one in seen if count(one) != before[one])
                if len(changed) <= _MOST_CHANGED:
                    found[changed] = None
                board.flip(other)
        board.flip(face)
    return [changed for changed in found if changed]


def board_of(rows: int | Board, cols: int | None) -> Board:
    """Return the board given instead of the rows, or the square board of this size."""
    if isinstance(rows, Board):
        if not rows.num_faces:
            raise ValueError(f"expected a board with faces, got {rows!r}")
        return rows
    if cols is None or min(rows, cols) < 1:
        raise ValueError(f"expected a board of at least 1x1 cells, got {rows}x{cols}")
    return Lattice(rows + 1, cols + 1)


def half(rng: Random, board: Lattice) -> Colouring:
    """Colour the left, right, upper or lower half of a board, at least one row or column."""
    upper, far = divmod(below(rng, 4), 2)
    rows, cols = board.rows - 1, board.cols - 1
    length = rows if upper else cols
    size = max(1, length // 2)
    inside = range(length - size, length) if far else range(size)
    found = Colouring(board)
    found.paint(
        bytes((row if upper else col) in inside for row in range(rows) for col in range(cols))
    )
    return found


def around_one(rng: Random, board: Board) -> tuple[Colouring, int]:
    """Colour a single random face that is bounded by one cycle."""
    found, faces = Colouring(board), list(range(board.num_faces))
    while faces:
        face = pick(rng, faces)
        found.flip(face)
        if found.is_single_line():
            return found, face
        found.flip(face)
        faces.remove(face)
    raise NothingFound(f"no loop bounds a face of {board!r}")


def region(rng: Random, board: Board, share: float) -> Colouring:
    """Colour a region around a random face, up to this fraction of the board if possible."""
    found, start = around_one(rng, board)
    reached = [start]
    for face in reached:
        for other in found.across(face):
            if other == NO_FACE or found.is_inside(other) or not found.can_flip(other):
                continue
            if len(reached) >= share * board.num_faces:
                return found
            found.flip(other)
            reached.append(other)
    return found


def mix(
    rng: Random,
    rows: int | Board,
    cols: int | None = None,
    *,
    ends: Ends = None,
    zeros: float = 0.0,
    threes: float = 0.0,
    variety: float = _VARIETY,
) -> Solution:
    """Draw a loop, or a path between ``ends``, with areas, straights and bends as designers do.

    Random faces of a `two_colour` loop are flipped or not, depending on the change of weight, until
    the digits are as frequent as in published puzzles: about 9 % are 0, 28 % 1, 41 % 2 and 22 % 3.
    The probability of a loop is then proportional to exp of the sum of the weights of its digits
    (Metropolis et al., *Equation of state calculations by fast computing machines*, J. Chemical
    Physics 21, 1953). The weights vary between boards by up to ``variety``; ``zeros`` and
    ``threes`` are added to those of 0 and 3: with 1 there are two to three times as many. For faces
    with another number of edges, the fraction of edges on the loop counts. O(cells).

    Raises ``ValueError`` for a variety outside 0 to 2, and for a weight outside -4 to 4.

    >>> loop = mix(Random(1), 10, 10)
    >>> len(loop), loop.face_counts().ravel().tolist().count(0)
    (90, 13)
    """
    for name, value, most in (("zeros", zeros, 4), ("threes", threes, 4), ("variety", variety, 2)):
        least = 0 if name == "variety" else -most
        if not (isinstance(value, (int, float)) and least <= value <= most):
            raise ValueError(f"expected {name} between {least} and {most}, got {value!r}")
    line = two_coloured(rng, board_of(rows, cols), ends)
    worth = [base + variety * (2 * rng.random() - 1) for base in _WORTH]
    worth[0] += zeros
    worth[3] += threes
    board, starts = line.board, line.board.layout.face_starts
    lengths = {starts[face + 1] - starts[face] for face in range(board.num_faces)}
    worths = {length: _worths(worth, length) for length in lengths}
    line.stir(worths, _STIRRED * board.num_faces, rng.random)
    return line.outline()


def _worths(worth: list[float], length: int) -> list[float]:
    """Return the weights of a face with ``length`` edges by the number of edges on the loop."""
    found = []
    for count in range(length + 1):
        whole, part = divmod(4 * count, length)
        share = part / length
        found.append(worth[whole] * (1 - share) + worth[min(whole + 1, 4)] * share)
    return found


def two_colour(
    rng: Random,
    rows: int | Board,
    cols: int | None = None,
    *,
    ends: Ends = None,
    diagonal_ties: bool = True,
    recursive: bool = True,
) -> Solution:
    """Draw a loop, or a path between ``ends``, that winds evenly over the board.

    Faces are flipped in random order if most neighbours have the same colour, or (with
    ``diagonal_ties``) half of them and most diagonal neighbours, and if the line stays single.
    Every flip makes the line longer, or equally long with more differences at corners, so the
    process ends. With ``recursive``, a square board starts with such a loop of half the size,
    scaled up, otherwise with one of its four halves; other boards start with a region around a
    random face. O(cells) flips in practice: 50x50 takes about 20 ms. The method is
    Liam Appelbe's, *How to generate Slither Link puzzles* (2020),
    https://liamappelbe.medium.com/how-to-generate-slither-link-puzzles-6c65510b2ba1

    >>> len(two_colour(Random(1), 10, 10))
    118
    """
    for name, value in (("diagonal_ties", diagonal_ties), ("recursive", recursive)):
        if not isinstance(value, bool):
            raise ValueError(f"expected {name} to be True or False, got {value!r}")
    return two_coloured(rng, board_of(rows, cols), ends, diagonal_ties, recursive).outline()


def two_coloured(
    rng: Random, board: Board, ends: Ends, ties: bool = True, recursive: bool = True
) -> Colouring:
    """Return the colouring of a `two_colour` loop or path."""
    line = _scaled(rng, board, ends, ties) if recursive else None
    if line is None and ends is not None:
        line = divided(board, ends)
    elif line is None:
        # Only rows and columns have halves.
        line = half(rng, board) if isinstance(board, Lattice) else region(rng, board, 0.5)
    line.flip_until_stable(ties, rng.random)
    return line


def _scaled(rng: Random, board: Board, ends: Ends, ties: bool) -> Colouring | None:
    """Scale up a colouring from a board of half the size; ``None`` if that fails.

    It fails on small boards, and on boards without rows.
    """
    rows, cols = board.shape
    if min(rows, cols) <= _SMALLEST:
        return None
    half_rows, half_cols = (rows + 1) // 2, (cols + 1) // 2
    half_ends = None
    if ends is not None:
        # Dots on the border stay on the border.
        first, second = (
            ((row + (row == rows)) // 2, (col + (col == cols)) // 2) for row, col in ends
        )
        if first == second:
            return None
        half_ends = first, second
    small = two_coloured(rng, Lattice(half_rows + 1, half_cols + 1), half_ends, ties).colours
    found = Colouring(board, beyond(board, ends) if ends else ())
    found.paint(
        bytes(small[row // 2 * half_cols + col // 2] for row in range(rows) for col in range(cols))
    )
    # The outside of a path is redrawn, not scaled, and its ends may have moved by a dot.
    return found if ends is None or found.is_single_line() else None


def enclosed(board: Colouring, walls: set[int]) -> list[list[int]]:
    """Return the regions of faces between walls that do not reach the border or have holes."""
    left = set(range(board.board.num_faces)) - walls
    found = []
    while left:
        start = min(left)
        left.discard(start)
        region, reached = [start], set[int]()
        for face in region:
            beside = board.across(face)
            reached.update(beside)
            region += left.intersection(beside)
            left.difference_update(beside)
        if NO_FACE not in reached:
            trial = Colouring(board.board)
            for face in region:
                trial.flip(face)
            if trial.is_single_line():
                found.append(sorted(region))
    return found


@lru_cache(maxsize=4)
def neighbourhoods(board: Board) -> list[tuple[array[int], array[int]]]:
    """Return three lists of faces for each face, as flat arrays, for `LoopRepair`.

    The lists are: later faces up to two steps across edges away; faces up to two steps across edges
    or corners away; and faces whose free flips may change if the face flips.
    """
    colouring, faces = Colouring(board), range(board.num_faces)
    around = [{face, *colouring.around(face)} for face in faces]
    across = [{face, *colouring.across(face)} - {NO_FACE} for face in faces]
    near = _joined(across, across)
    after = [[other for other in sorted(near[face]) if other > face] for face in faces]
    wide, reach = _joined(around, around), _joined(around, near)
    return [flat(after), flat(map(sorted, wide)), flat(map(sorted, reach))]


def _joined(sets: list[set[int]], more: list[set[int]]) -> list[set[int]]:
    return [set[int]().union(*(more[other] for other in others)) for others in sets]
