"""Layouts: cells for clues, as designers choose them before they look for a loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from linkoracle.board.lattice import Lattice
from linkoracle.core.randomness import below, pick, shuffled
from linkoracle.generate.evenness import CHANCE, SCATTERED, Evenness

if TYPE_CHECKING:
    from linkoracle.generate.removal import Group

Layout = Literal["even", "openings", "lines", "pairs", "scattered"]
#: The layouts by name.
LAYOUTS: tuple[Layout, ...] = get_args(Layout)

#: Cells of the board for each opening, and the sides of openings.
_PER_OPENING = 80
_OPENINGS = ((2, 5), (3, 4), (4, 4), (3, 5), (2, 6), (4, 5))
#: Parallel lines of clues: steps in rows and columns, and how many cells apart they are.
_LINES = ((1, 1, 3), (1, 1, 4), (1, 2, 5), (2, 1, 5), (1, 2, 4), (1, 3, 8), (0, 1, 2), (1, 0, 3))
#: Lines this far apart come in two families.
_FAR = 5
#: The fraction of the clues to come that a layout places; the others suit the loop.
_FIRST = 0.75


class Places(NamedTuple):
    """Cells for clues, numbered row by row, those that had better stay free, and how many clues."""

    shown: set[int]
    free: set[int]
    goal: int


def places(
    layout: Layout, rows: int, cols: int, groups: Sequence[Group], density: float, rng: Random
) -> Places:
    """Return cells for three of four clues on a board, a fraction ``density`` of which has clues.

    Each of the ``groups`` of cells has clues in all cells or in none.

    * ``"even"``: spread as `Evenness` does;
    * ``"openings"``: the same, but for rectangles without a clue;
    * ``"lines"``: on parallel lines, mostly diagonals;
    * ``"pairs"``: mostly two next to each other, apart from all others.
    * ``"scattered"``: less evenly, as if by chance.

    >>> from linkoracle.board.symmetry import orbits
    >>> cells, _, goal = places("pairs", 8, 8, orbits(8, 8, "half-turn"), 0.4, Random(1))
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
    # A 1 is neither dearer nor cheaper than others.
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
