"""Slitherlinks as people design them: first the places for clues, then the loop and the deduction.

Options that a request leaves open are drawn as in published puzzles (`as_published`). The figures
are those of 206 published Slitherlinks of 10x10 cells, measured by ``scripts/layout_statistics.py``
(``docs/explanation/benchmarks.md``). Most have symmetric places. These have fewer clues and are
harder than the others. Loops that avoid part of the board can carry symmetric clues; loops that go
everywhere rarely can.

A layout then chooses cells (`places`), and clues are added until the deduction solves the puzzle
(`designed`). So few clues are outside the layout, and openings of the layout stay empty if other
clues suffice. A puzzle that is solved by deduction has one solution;
`linkoracle.generate.reducing` needs a search to prove that.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from linkoracle.board.colouring_kernel import LoopRepair
from linkoracle.board.lattice import Lattice
from linkoracle.board.symmetry import Symmetry
from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import below, pick, shuffled
from linkoracle.deduce.board import deck_for
from linkoracle.deduce.grades import GUESSED, label_of
from linkoracle.deduce.grading import within
from linkoracle.deduce.reduction import Reduction
from linkoracle.generate.colouring import Ends, beyond, neighbourhoods
from linkoracle.generate.evenness import CHANCE, SCATTERED, Evenness
from linkoracle.generate.making import Group, Reduced, Watching, showing, with_all_clues
from linkoracle.generate.reducing import DENSITY, reduced
from linkoracle.generate.regrading import EASED, MORE
from linkoracle.generate.request_parts import as_grade
from linkoracle.generate.slitherlink_request import Layout, SlitherlinkRequest
from linkoracle.kinds import Slitherlink

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.deduce.rules import Label

Thing = TypeVar("Thing")
#: A distribution by its least value, its quarters, and its largest value.
Quarters = tuple[float, float, float, float, float]


class Habits(NamedTuple):
    """The frequencies with which options are drawn; they need not add up to 1.

    ``square`` and ``oblong`` are the symmetries of boards with equal and with different sides.
    ``hardest`` has, for each label of the hardest techniques, its frequency and the clue densities
    to aim at: the least, the quartiles, and the largest. Most aims are slightly below published
    densities, since a loop or a label may need more clues. Two of three puzzles have the label of
    their hardest techniques. The frequencies make the labels as frequent as published.
    """

    square: Mapping[Symmetry, float]
    oblong: Mapping[Symmetry, float]
    layouts: Mapping[Layout, float]
    hardest: Mapping[Label, tuple[float, Quarters]]


SYMMETRIC = Habits(
    {"half-turn": 95, "quarter-turn": 25, "both": 12},
    {"half-turn": 112, "both": 48},
    {"even": 5, "openings": 70, "lines": 15, "pairs": 10},
    {
        "easy": (6, (0.32, 0.34, 0.36, 0.38, 0.50)),
        "normal": (12, (0.26, 0.32, 0.36, 0.44, 0.60)),
        "tricky": (20, (0.28, 0.32, 0.36, 0.40, 0.64)),
        "hard": (60, (0.22, 0.30, 0.34, 0.38, 0.52)),
        "extreme": (2, (0.30, 0.32, 0.34, 0.38, 0.48)),
    },
)
OTHERS = Habits(
    {"none": 1},
    {"none": 1},
    {"scattered": 1},
    {
        "easy": (10, (0.40, 0.45, 0.47, 0.49, 0.55)),
        "normal": (22, (0.35, 0.39, 0.41, 0.44, 0.53)),
        "tricky": (20, (0.34, 0.36, 0.40, 0.42, 0.47)),
        "hard": (38, (0.33, 0.35, 0.38, 0.42, 0.53)),
        "extreme": (10, (0.34, 0.36, 0.40, 0.44, 0.48)),
    },
)
#: Fractions of cells without a line: of loops with the first or less, a twentieth carries symmetric
#: clues; of loops with the second or more, all but a twentieth.
_WINDING, _SPARSE = 0.015, 0.115
_LEAST = 0.05
#: Boards with more cells are graded, as the label of the techniques is less precise there. For more
#: cells than the second number, only the symmetry is drawn: the rest would take ten times as long.
_GRADED, _LARGE = 150, 900


def as_published(
    request: SlitherlinkRequest, loop: Solution, rng: Random
) -> tuple[SlitherlinkRequest, Label]:
    """Return the request with its open options drawn, and the label of the hardest techniques.

    The options are a symmetry, a layout and a clue density; on larger boards a difficulty, too.
    Each is drawn whether it is needed or not, so the same ``rng`` draws the same ones. Requests
    that decide which cells have clues, how many, or which are removed stay unchanged. So do
    requests for a guess: no published puzzle needs one, and symmetric or few clues seldom need just
    one.

    >>> from linkoracle.generate import SlitherlinkRequest, loop
    >>> drawn, hardest = as_published(SlitherlinkRequest(10, 10), loop(10, 10, seed=1), Random(1))
    >>> drawn.symmetry, drawn.layout, round(drawn.clue_density, 2), hardest
    ('quarter-turn', 'openings', 0.39, 'hard')
    """
    hardest: Label = "extreme"
    if not request.is_open or request.tiling is not None:
        return request, hardest
    grade = as_grade(request.keeps)
    if grade is not None and grade.scores[0] >= GUESSED:
        return request, hardest
    kind, which, density, layout, label = (rng.random() for _ in range(5))
    empty = loop.counts().count(0) / loop.board.num_faces
    share = min(max((empty - _WINDING) / (_SPARSE - _WINDING), _LEAST), 1 - _LEAST)
    symmetric = kind < share if request.symmetry is None else request.is_symmetric
    habits = SYMMETRIC if symmetric else OTHERS
    found: dict[str, Any] = {}
    if request.symmetry is None:
        square = request.rows == request.cols
        found["symmetry"] = _cut(habits.square if square else habits.oblong, which)
    if request.cells > _LARGE:
        return request.with_drawn(**found), hardest
    shares = {label: share for label, (share, _) in habits.hardest.items()}
    hardest = _cut(shares, label)
    if grade is not None and (grade.label is not None or grade.score is not None):
        hardest = label_of(min(grade.scores[1], GUESSED - 1))
    if request.clue_density is None:
        found["clue_density"] = _between(habits.hardest[hardest][1], density)
    # A given loop may lead to no puzzle without a guess, and few choices of clues lead to a narrow
    # grade: in both cases, clues are removed instead.
    if request.layout is None and request.loop is None and not (grade and grade.narrow):
        found["layout"] = _cut(habits.layouts, layout)
    if request.keeps is None and request.loop is None and request.cells > _GRADED:
        found["keeps"] = within(hardest)
    return request.with_drawn(**found), hardest


def _cut(shares: Mapping[Thing, float], where: float) -> Thing:
    """Return the thing at a place from 0 to 1, if each thing is as wide as its share."""
    ends = [*accumulate(shares.values())]
    return [*shares][bisect(ends, where * ends[-1], hi=len(ends) - 1)]


def _between(quarters: tuple[float, ...], where: float) -> float:
    """Return the value at a place from 0 to 1 on the broken line through these values.

    >>> _between((0.0, 1.0, 5.0), 0.75)
    3.0
    """
    place = where * (len(quarters) - 1)
    low, high = [*pairwise(quarters)][int(place)]
    return low + (place - int(place)) * (high - low)


#: Cells of the board for each opening, and the sides of openings.
_PER_OPENING = 80
_OPENINGS = ((2, 5), (3, 4), (4, 4), (3, 5), (2, 6), (4, 5))
#: Parallel lines of clues: steps in rows and columns, and how many cells apart they are.
_LINES = ((1, 1, 3), (1, 1, 4), (1, 2, 5), (2, 1, 5), (1, 2, 4), (1, 3, 8), (0, 1, 2), (1, 0, 3))
#: Lines this far apart come in two families.
_FAR = 5
#: The fraction of the aimed clues that a layout places; the others suit the loop.
_FIRST = 0.75

#: Flips per cell of a loop that has to suit some cells better, their temperature, and the fraction
#: of the clues of these cells that may be 0.
_FLIPS_A_CELL, _FLIP_TEMPERATURE, _ZEROS = 2, 0.7, 0.15


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

    >>> from linkoracle.board.lattice import Lattice
    >>> from linkoracle.board.symmetry import orbits
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


def designed(
    request: SlitherlinkRequest,
    places: Places,
    hardest: Label,
    full: Slitherlink,
    loop: Solution,
    rng: Random,
    deadline: Deadline,
    watching: Watching,
) -> Reduced:
    """Return a puzzle with clues at these places, and some more; ``full`` has all of the loop.

    Techniques up to ``hardest`` solve the puzzle, or those that the request allows. Raises
    `NothingFound` if they do not suffice even with all clues, and if the grade is not as requested.
    """
    grade = as_grade(request.keeps)
    clues = None if grade is None else grade.clues(full, deadline)
    if clues is None:
        # If more clues may mean fewer arguments from uniqueness, the puzzle is graded afterwards.
        deck, without = deck_for(None, hardest)
        clues = Reduction(full, deck=deck, without=without, max_depth=0, deadline=deadline)
    evenness = Evenness(full.board, loop.counts(), rng, places.free)
    groups = request.groups

    def compare(shown: set[int]) -> int:
        return 0 if grade is None else grade.check(showing(full, shown), deadline)

    watching.show(lambda: (showing(full, places.shown), loop))
    evenness.only(places.shown)
    spare = [*evenness.voids(one for one in groups if places.shown.isdisjoint(one))]
    added = clues.grow(places.shown, spare, places.goal)
    if added is None:
        raise NothingFound("are not of this grade even with all clues")
    found = places.shown.union(*(spare[number] for number in added))
    shown = evenness.filled(found, groups, places.goal)
    difference = compare(shown)
    for _ in range(EASED):
        if difference > 0:
            shown = evenness.filled(shown, groups, len(shown) + MORE)
            difference = compare(shown)
    if difference < 0:
        evenness.only(found)
        there = evenness.ordered([one for one in groups if not found.isdisjoint(one)])
        shown = found.difference(*(there[number] for number in clues.reduce(found, there)))
        difference = compare(shown)
    if difference:
        raise NothingFound("are not of this grade")
    puzzle = showing(full, shown)
    watching.show(lambda: (puzzle, loop))
    return Reduced(puzzle)


def _suited(
    loop: Solution, shown: set[int], ends: Ends, rng: Random, deadline: Deadline
) -> Solution:
    """Return a loop near the given one, for which clues on these cells exclude more alternatives.

    Few flips of one or two cells then leave all these clues unchanged. Larger flips still may.
    """
    board = loop.lattice
    cells = range(board.num_faces)
    repair = LoopRepair(
        board,
        beyond(board, ends),
        bytes(face in shown for face in cells),
        array("b", [-1]) * len(cells),
        bytes([1]) * len(cells),
        neighbourhoods(board),
        below(rng, 1 << 48),
        _ZEROS,
    )
    repair.load(loop.edges)
    for throughout in (True, False):
        repair.anneal(_FLIPS_A_CELL * len(cells), _FLIP_TEMPERATURE, deadline, throughout)
    return repair.outline()


def with_few_clues(
    request: SlitherlinkRequest,
    loop: Solution,
    blank: Slitherlink,
    ends: Ends,
    rng: Random,
    deadline: Deadline,
    watching: Watching,
) -> tuple[Reduced, Solution]:
    """Return a puzzle of a loop, and the loop, which may be changed until it suits the clues."""
    drawn, hardest = as_published(request, loop, rng)
    layout = drawn.layout
    if layout is None:
        return reduced(drawn, with_all_clues(blank, loop), loop, rng, deadline, watching), loop
    density = drawn.clue_density or DENSITY
    chosen = places(layout, drawn.rows, drawn.cols, drawn.groups, density, rng)
    if request.is_drawn and layout != "scattered":
        loop = _suited(loop, chosen.shown, ends, rng, deadline)
    full = with_all_clues(blank, loop)
    return designed(drawn, chosen, hardest, full, loop, rng, deadline, watching), loop
