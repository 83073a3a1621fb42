"""Where clues stand: spread evenly, in layouts as people design them, or in preset masks.

A board looks even if its clues are spread like the dots of a good halftone. This is the
*void-and-cluster* method (R. Ulichney, *The void-and-cluster method for dither array generation*,
SPIE 1913, 1993): weigh the clues around a cell by a Gaussian of their distance, remove dots from
the tightest cluster and add them in the largest void. All weights are whole numbers, so the choice
is the same on every machine.

A mask has a row of characters for each row of cells: `#` for a clue, a digit for this clue, `.` for
none, `?` for either, `_` for a cell that is not marked. Masks without `?` or `_` need the strategy
``"mask"``, which searches for a loop that clues on exactly these cells make unique. All presets but
``spiral`` have half-turn symmetry; ``checkerboard`` has it only on boards whose sides are both even
or both odd.

>>> print(*pattern("rings", 5, 6), sep="\\n")
######
#....#
#.##.#
#....#
######
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import islice, product
from random import Random
from typing import Literal, NamedTuple, get_args

from linkoracle.board import Board, Lattice, flat, neighbours
from linkoracle.core import below, checked_int, pick, shuffled
from linkoracle.generate.evenness_kernel import Choice, Crowding

#: Faces whose clues are added and removed together.
Group = tuple[int, ...]
Layout = Literal["even", "openings", "lines", "pairs", "scattered"]
#: How the cells with clues lie.
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
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


class ZerosApart:
    """Chooses groups such that no two faces with 0 share a side, as people place them.

    A group stays out if it has such faces itself, or beside groups taken before.

    >>> apart = ZerosApart(Lattice(2, 5), [0, 0, 1, 0])
    >>> [apart.take(group) for group in ((0,), (1,), (2,), (3,))]
    [True, False, True, True]
    """

    def __init__(self, board: Board, counts: Sequence[int]) -> None:
        zeros = {face for face, count in enumerate(counts) if not count}
        at: dict[int, set[int]] = {}
        for face in zeros:
            for edge in board.edges_of(face):
                at.setdefault(edge, set()).add(face)
        #: For each face with 0, the others beside it.
        self.beside: dict[int, set[int]] = {face: set() for face in zeros}
        for faces in at.values():
            for face in faces:
                self.beside[face] |= faces - {face}
        self._taken: set[int] = set()

    def take(self, group: Group) -> bool:
        """Return whether a group may be taken beside the groups before, and take it if so."""
        zeros = self.beside.keys() & group
        there = self._taken | zeros
        if any(not there.isdisjoint(self.beside[face]) for face in zeros):
            return False
        self._taken |= zeros
        return True


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
    around = neighbours(Lattice(rows, cols))
    for face in shuffled(rng, range(rows * cols)):
        beside = around[face]
        images = {*group_of[face], *group_of[pick(rng, beside)]} if beside else set()
        if taken.isdisjoint(images):
            pairs |= images
            taken.update(images, *(around[image] for image in images))
    return set(range(rows * cols)) - pairs


Pattern = Literal[
    "rings", "spiral", "frame", "border", "opening", "checkerboard", "diagonals", "stripes"
]
#: The names of the presets.
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
#: Each letter and digit as five rows of three cells; a row is a binary number.
_DRAWN = """
0 75557  1 26227  2 71747  3 71717  4 55711  5 74717  6 74757  7 71222  8 75757  9 75717
A 25755  B 65656  C 34443  D 65556  E 74647  F 74644  G 34553  H 55755  I 72227  J 11152
K 55655  L 44447  M 57755  N 65555  O 25552  P 65644  Q 25573  R 65655  S 34216  T 72222
U 55557  V 55552  W 55775  X 55255  Y 55222  Z 71247
"""
_GLYPHS = {" ": "00000", **dict(zip(_DRAWN.split()[::2], _DRAWN.split()[1::2], strict=True))}
_HIGH, _WIDE = 5, 3


def pattern(name: Pattern, rows: int, cols: int) -> tuple[str, ...]:
    """Return a preset mask for a board of ``rows`` x ``cols`` cells.

    * ``"rings"``: every other ring of cells, from the border inwards;
    * ``"spiral"``: one line of cells from the border inwards;
    * ``"frame"``: the border, a gap next to it, and anything inside;
    * ``"border"``: 3 and 0 in turns at every other cell of the border, and anything inside;
    * ``"opening"``: no clue in the middle third of the rows and columns, anything around it;
    * ``"checkerboard"``: every other cell;
    * ``"diagonals"``: two of three diagonals;
    * ``"stripes"``: every other row, from the top and from the bottom.

    Raises ``ValueError`` for an unknown name, and for a board without cells.

    >>> print(*pattern("diagonals", 4, 6), sep="\\n")
    #.##.#
    .##.##
    ##.##.
    #.##.#
    """
    if name not in PATTERNS:
        raise ValueError(f"expected a pattern out of {', '.join(PATTERNS)}; got {name!r}")
    rows, cols = checked_int(rows, "rows", 1), checked_int(cols, "columns", 1)
    # A half-turn must map the diagonals without clues to each other.
    left_out = 2 * (rows + cols - 2) % 3

    def ring(row: int, col: int) -> int:
        return min(row, col, rows - 1 - row, cols - 1 - col)

    def on_border(row: int, col: int) -> str:
        """The mark of a cell of the border: clockwise, from two cells behind each corner."""
        if row in (0, rows - 1):
            place, size = col if row == 0 else cols - 1 - col, cols
        else:
            place, size = row if col else rows - 1 - row, rows
        is_inner = min(rows, cols) > 1 and 2 <= place < size - 2
        return "0.3."[place % 4] if is_inner else "."

    turning = _spiral(rows, cols)
    marks: dict[str, Callable[[int, int], str]] = {
        "rings": lambda row, col: "#."[ring(row, col) % 2],
        "spiral": lambda row, col: "#" if (row, col) in turning else ".",
        "opening": lambda row, col: ".?"[_off(row, rows) or _off(col, cols)],
        "frame": lambda row, col: "#.?"[min(ring(row, col), 2)],
        "border": lambda row, col: "?" if ring(row, col) else on_border(row, col),
        "checkerboard": lambda row, col: "#."[(row + col) % 2],
        "diagonals": lambda row, col: "#."[(row + col) % 3 == left_out],
        "stripes": lambda row, _: "#."[min(row, rows - 1 - row) % 2],
    }
    mark = marks[name]
    return tuple("".join(mark(row, col) for col in range(cols)) for row in range(rows))


def _off(place: int, size: int) -> bool:
    """Return whether a row or a column is outside of the middle third."""
    return not size // 3 <= place < size - size // 3


def _spiral(rows: int, cols: int) -> set[tuple[int, int]]:
    """Return the cells of a line that turns right before it meets itself."""
    row = col = down = 0
    right = 1
    found = {(0, 0)}
    turned = False
    while True:
        ahead = row + down, col + right
        beyond = ahead[0] + down, ahead[1] + right
        if 0 <= ahead[0] < rows and 0 <= ahead[1] < cols and found.isdisjoint((ahead, beyond)):
            (row, col), turned = ahead, False
            found.add(ahead)
        elif turned:
            return found
        else:
            (down, right), turned = (right, -down), True


def letters(text: str, rows: int, cols: int) -> tuple[str, ...]:
    """Return a mask that shows a line of letters and digits in the middle, as large as possible.

    The characters are made of clues. The cells around them are empty, so that they can be read, and
    the rest of the board is not marked. Lower case is written as upper case.

    Raises ``ValueError`` for other characters, an empty text, and a board that is too small.

    >>> letters("42", 7, 10)[1:4]
    ('.#.#.###._', '.#.#...#._', '.###.###._')
    """
    rows, cols = checked_int(rows, "rows", 1), checked_int(cols, "columns", 1)
    text = str(text).upper()
    unknown = [character for character in text if character not in _GLYPHS]
    if unknown or not text.strip():
        what = repr(unknown[0]) if unknown else "nothing"
        raise ValueError(f"expected letters and digits, such as 2026, found {what}")
    width = (_WIDE + 1) * len(text) - 1
    scale = min((rows - 2) // _HIGH, (cols - 2) // width)
    if scale < 1:
        least = f"{_HIGH + 2}x{width + 2}"
        raise ValueError(
            f"expected a board of {least} cells at least for {text!r}, got {rows}x{cols}"
        )
    top, left = (rows - scale * _HIGH) // 2, (cols - scale * width) // 2
    filled = {
        (top + row * scale + down, left + ((_WIDE + 1) * place + col) * scale + right)
        for place, character in enumerate(text)
        for row, bits in enumerate(map(int, _GLYPHS[character]))
        for col in range(_WIDE)
        if bits >> (_WIDE - 1 - col) & 1
        for down in range(scale)
        for right in range(scale)
    }
    near = [*product((-1, 0, 1), repeat=2)]
    around = {(row + down, col + right) for row, col in filled for down, right in near}
    return tuple(
        "".join(
            "#" if (row, col) in filled else "." if (row, col) in around else "_"
            for col in range(cols)
        )
        for row in range(rows)
    )
