"""The most crowded clue, and the empty cell in the largest void.

A board looks even if its clues are spread like the dots of a good halftone. This is the
*void-and-cluster* method (R. Ulichney, *The void-and-cluster method for dither array generation*,
SPIE 1913, 1993): weigh the clues around a cell by a Gaussian of their distance, remove dots from
the tightest cluster and add them in the largest void. All weights are whole numbers, so the choice
is the same on every machine.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import islice
from random import Random
from typing import NamedTuple

from linkoracle.board import Board, Lattice, flat
from linkoracle.core import below, pick, shuffled
from linkoracle.generate.clues.plan import Group
from linkoracle.generate.clues.request import Layout
from linkoracle.generate.evenness_kernel import Choice, Crowding

#: The weight of a clue by its distance in rows and columns: 1000 exp(-square / 2.88), a Gaussian
#: with a deviation of 1.2 cells, increased from the second cell in the same row or column, where
#: players notice gaps and runs.
_WEIGHTS = {
    (0, 1): 707,
    (1, 1): 499,
    (0, 2): 280,
    (1, 2): 176,
    (0, 3): 80,
    (2, 2): 62,
    (0, 4): 30,
}
#: The reach of the weights in rows and columns.
_REACH = 4
#: The offsets in rows and columns, and their weights.
_AROUND = [
    (down, right, _WEIGHTS[min(abs(down), abs(right)), max(abs(down), abs(right))])
    for down in range(-_REACH, _REACH + 1)
    for right in range(-_REACH, _REACH + 1)
    if (min(abs(down), abs(right)), max(abs(down), abs(right))) in _WEIGHTS
]
#: On other boards, the weight of a clue in a face that shares a side, a corner, or a neighbour with
#: another face: the mean of what such faces have on squares.
_SIDE, _CORNER, _SECOND = 700, 500, 190
#: The part of what is off the board that counts as empty, which leaves the border a little denser
#: than the rest, as people make it.
_BEYOND = 0.2
#: The cost of a 0, and of a clue for three of four sides or more, added to the crowding of its cell
#: (1 means a clue in every cell around). Players like to see a 0 or a 3, and most cells of a loop
#: have 1 or 2.
_NONE_COST, _MOST_COST = -0.005, -0.03
#: The cost of a cell that a layout leaves free.
_OUTSIDE_COST = 1.0
#: Number of voids tried for each missing clue.
_TRIED = 2
#: The largest random cost, so that one loop leads to many puzzles, and where clues lie unevenly.
CHANCE, SCATTERED = 0.05, 0.7


class Evenness(Crowding):
    """The crowding of clues on a board, while clues are hidden and shown; all are shown at first.

    ``counts`` has the clue of each face. Faces ``outside`` count as more crowded, and all by up to
    ``chance`` at random. A *group* is a tuple of faces whose clues are hidden and shown together.

    >>> even = Evenness(Lattice(4, 4), [2] * 9, Random(0))
    >>> even.of((4,)) > even.of((0,))
    True
    >>> even.only({4, 5, 6, 7, 8})
    >>> even.of((4,)) > even.of((8,))
    False
    """

    def __init__(
        self,
        board: Board,
        counts: Sequence[int],
        rng: Random,
        outside: Iterable[int] = (),
        chance: float = CHANCE,
    ) -> None:
        starts = board.layout.face_starts
        bias = array("d", [chance * rng.random() for _ in counts])
        for face, count in enumerate(counts):
            if not count:
                bias[face] += _NONE_COST
            elif 4 * count >= 3 * (starts[face + 1] - starts[face]):
                bias[face] += _MOST_COST
        for face in outside:
            bias[face] += _OUTSIDE_COST
        super().__init__(*_around(board), bias)

    def ordered(self, groups: Iterable[Group]) -> list[Group]:
        """Return the groups by their current crowding, the most crowded first."""
        return sorted(groups, key=self.of, reverse=True)

    def filling(self, groups: Iterable[Group]) -> list[Group]:
        """Return groups without clues; each is in the largest void if those behind it are shown."""
        return [*self.voids(groups)][::-1]

    def clusters(self, groups: Iterable[Group]) -> Choice:
        """Return groups with clues, the most crowded first; each is hidden when chosen."""
        return Choice(self, groups, -1)

    def voids(self, groups: Iterable[Group]) -> Choice:
        """Return groups without clues, the least crowded first; each is shown when chosen."""
        return Choice(self, groups, 1)

    def filled(
        self,
        shown: set[int],
        groups: Iterable[Group],
        goal: int,
        fits: Callable[[set[int]], bool] = lambda _: True,
    ) -> set[int]:
        """Return faces with more clues, up to the ``goal``, in the largest voids where that fits.

        Only the faces ``shown`` have clues at first.
        """
        self.only(shown)
        found = set(shown)
        choice = self.voids(group for group in groups if shown.isdisjoint(group))
        # In a puzzle of the highest allowed difficulty, hardly any additional clue may keep that.
        for group in islice(choice, _TRIED * max(0, goal - len(shown))):
            if len(found) + len(group) > goal:
                break
            if fits(found.union(group)):
                found.update(group)
            else:
                choice.undo([group])
        return found


@lru_cache(maxsize=4)
def _around(board: Board) -> tuple[array[int], array[int], array[int], array[float]]:
    """Return the faces near each face, as a list of lists, their weights, and the most of each."""
    # Published puzzles show how people weigh cells in rows and columns; of other boards little is
    # known.
    near, sums = _near_cells(board) if isinstance(board, Lattice) else _near_faces(board)
    starts, faces = flat(near)
    weights = array("i", [weight for around in near for weight in around.values()])
    return starts, faces, weights, array("d", [max(1, full) for full in sums])


#: For each face, those near it with their weights; and the weight that counts as full.
_Near = tuple[list[dict[int, int]], list[float]]


def _near_cells(board: Lattice) -> _Near:
    """Return for each cell the cells near it; what is off the board counts in part."""
    rows, cols = range(board.rows - 1), range(board.cols - 1)
    whole = sum(weight for _, _, weight in _AROUND)
    near = [
        {
            (row + down) * len(cols) + col + right: weight
            for down, right, weight in _AROUND
            if row + down in rows and col + right in cols
        }
        for row in rows
        for col in cols
    ]
    return near, [_BEYOND * whole + (1 - _BEYOND) * sum(around.values()) for around in near]


def _near_faces(board: Board) -> _Near:
    """Return for each face those near it; their weights are the same in both directions."""
    at: list[list[int]] = [[] for _ in range(board.num_vertices)]
    for face in range(board.num_faces):
        for vertex in set(board.walk(face)):
            at[vertex].append(face)
    corner = [
        {other for vertex in board.walk(face) for other in at[vertex] if other != face}
        for face in range(board.num_faces)
    ]
    found = []
    for face, near in enumerate(corner):
        weights = dict.fromkeys(set[int]().union(*(corner[other] for other in near)), _SECOND)
        weights |= dict.fromkeys(near, _CORNER)
        for edge in board.edges_of(face):
            weights |= dict.fromkeys(board.faces_of(edge), _SIDE)
        weights.pop(face, None)
        found.append(dict(sorted(weights.items())))
    return found, [sum(around.values()) for around in found]


#: Cells of the board for each opening, and the sides of openings.
_PER_OPENING = 80
_OPENINGS = ((2, 5), (3, 4), (4, 4), (3, 5), (2, 6), (4, 5))
#: Parallel lines of clues: steps in rows and columns, and how many cells apart they are.
_LINES = ((1, 1, 3), (1, 1, 4), (1, 2, 5), (2, 1, 5), (1, 2, 4), (1, 3, 8), (0, 1, 2), (1, 0, 3))
#: Lines this far apart come in two families.
_FAR = 5
#: The fraction of the aimed clues that a layout places; the others suit the loop.
_FIRST = 0.75


class Places(NamedTuple):
    """Cells for clues, numbered row by row, cells to leave empty, and the number of clues."""

    shown: set[int]
    free: set[int]
    goal: int


def places(
    layout: Layout, rows: int, cols: int, groups: Sequence[Group], density: float, rng: Random
) -> Places:
    """Return cells for three of four clues on a board, a fraction ``density`` of which has clues.

    Each of the ``groups`` of cells has clues in all cells or in none.

    * ``"even"``: spread as `Evenness` does;
    * ``"openings"``: the same, except for rectangles without a clue;
    * ``"lines"``: on parallel lines, mostly diagonals;
    * ``"pairs"``: mostly two next to each other, apart from all others.
    * ``"scattered"``: less evenly, as if by chance.

    >>> from linkoracle.board import Lattice
    >>> from linkoracle.board import orbits
    >>> cells, _, goal = places("pairs", 8, 8, orbits(Lattice(9, 9), "half-turn"), 0.4, Random(1))
    >>> len(cells), cells == {63 - cell for cell in cells}
    (18, True)
    """
    outside = {
        "even": lambda: set[int](),
        "openings": lambda: _openings(rows, cols, rng),
        "lines": lambda: _between_lines(rows, cols, rng),
        "pairs": lambda: _between_pairs(rows, cols, groups, rng),
        "scattered": lambda: set[int](),
    }[layout]()
    chance = SCATTERED if layout == "scattered" else CHANCE
    cells = range(rows * cols)
    # The cost of a clue 1 is neutral.
    evenness = Evenness(Lattice(rows + 1, cols + 1), [1] * len(cells), rng, outside, chance)
    shown, most = set(cells), _FIRST * density * len(cells)
    for group in evenness.clusters(groups):
        if len(shown) <= most:
            break
        shown.difference_update(group)
    return Places(shown, outside - shown, round(density * len(cells)))


def _openings(rows: int, cols: int, rng: Random) -> set[int]:
    """Return the cells of a few rectangles."""
    found: set[int] = set()
    for _ in range(max(1, rows * cols // _PER_OPENING)):
        sides = pick(rng, _OPENINGS)
        high, wide = sides if below(rng, 2) else sides[::-1]
        top, left = below(rng, max(1, rows - high + 1)), below(rng, max(1, cols - wide + 1))
        down, right = range(top, min(top + high, rows)), range(left, min(left + wide, cols))
        found.update(row * cols + col for row in down for col in right)
    return found


def _between_lines(rows: int, cols: int, rng: Random) -> set[int]:
    """Return the cells that are on none of some parallel lines."""
    down, right, apart = pick(rng, _LINES)
    right *= pick(rng, (1, -1))
    first = below(rng, apart)
    on = {first, (first + 1 + below(rng, apart - 1)) % apart if apart >= _FAR else first}
    cells = ((row, col) for row in range(rows) for col in range(cols))
    return {row * cols + col for row, col in cells if (down * row + right * col) % apart not in on}


def _between_pairs(rows: int, cols: int, groups: Iterable[Group], rng: Random) -> set[int]:
    """Return the cells in none of some pairs of neighbours, which touch at corners only."""
    group_of = {face: group for group in groups for face in group}
    pairs: set[int] = set()
    taken: set[int] = set()
    for face in shuffled(rng, range(rows * cols)):
        beside = _beside(face, rows, cols)
        images = {*group_of[face], *group_of[pick(rng, beside)]} if beside else set()
        if taken.isdisjoint(images):
            pairs |= images
            taken.update(images, *(_beside(image, rows, cols) for image in images))
    return set(range(rows * cols)) - pairs


def _beside(face: int, rows: int, cols: int) -> list[int]:
    """Return the cells that share an edge with a cell."""
    row, col = divmod(face, cols)
    near = ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col))
    return [r * cols + c for r, c in near if 0 <= r < rows and 0 <= c < cols]
