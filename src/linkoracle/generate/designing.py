"""Slitherlinks as people design them: places for clues come first, then the loop and the deduction.

What a request leaves open is drawn as in published puzzles (`as_published`): the figures are those
of 206 published Slitherlinks of 10x10 cells, measured by ``scripts/looks.py``
(``docs/explanation/benchmarks.md``). Most have symmetric places, and these have fewer clues and are
harder than the others. Loops that keep away from part of the board carry symmetric clues; loops
that go everywhere hardly ever do.

A layout then chooses cells (`places`), and clues come in until the deduction solves the puzzle
(`designed`). So clues outside of the layout are few, and none is where it leaves an opening if
another will do. A puzzle that is solved by deduction has one solution;
`linkoracle.generate.thinning` needs a search for that.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from linkoracle.board.lattice import Lattice
from linkoracle.board.symmetry import Symmetry
from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import below, pick, shuffled
from linkoracle.generate.colouring import Ends
from linkoracle.generate.evenness import CHANCE, SCATTERED, Evenness
from linkoracle.generate.making import Watching
from linkoracle.generate.mending import suited
from linkoracle.generate.regrading import EASED, MORE
from linkoracle.generate.removal import Group, showing, with_all_clues
from linkoracle.generate.request_parts import as_grade
from linkoracle.generate.slitherlink_request import Layout, SlitherlinkRequest
from linkoracle.generate.thinning import DENSITY, Reduced, thinned, to_fill
from linkoracle.kinds import Slitherlink

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.deduce.rules import Label

Thing = TypeVar("Thing")
#: A distribution by its least value, its quarters, and its largest value.
Quarters = tuple[float, float, float, float, float]


class Habits(NamedTuple):
    """How puzzles are made, as shares that need not add up to 1.

    ``square`` and ``oblong`` are the symmetries of boards with equal and with other sides.
    ``hardest`` has the label of the hardest techniques: how often it is drawn, and the share of
    cells with a clue that is aimed at: the least, its quarters, and the largest. Most aims are a
    little below what is published, since what a loop or a label needs stays anyway. Two of three
    puzzles have the label of their hardest techniques, and shares are such that the labels are as
    frequent as published.
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
#: Of loops with this share of cells without a line, or less, a twentieth carries symmetric clues;
#: of those with the other share or more, all but a twentieth.
_WINDING, _SPARSE = 0.015, 0.115
_LEAST = 0.05
#: Boards with more cells are graded, as the label of the techniques says less there. Of those with
#: more than the second number, only the symmetry is drawn: the rest would take ten times as long.
_JUDGED, _LARGE = 150, 900


def as_published(
    request: SlitherlinkRequest, line: Solution, rng: Random
) -> tuple[SlitherlinkRequest, Label]:
    """Return the request with what it leaves open, and the label of the hardest techniques.

    That is a symmetry, a layout and a clue density; on larger boards a difficulty, too. Each is
    drawn whatever else is said, so the same ``rng`` draws the same ones. Requests that say which
    cells or how many have clues, or which clues go, stay as they are. So do those that ask for a
    guess: no published puzzle needs one, and symmetric or few clues seldom lead to just one.

    >>> from linkoracle.generate import SlitherlinkRequest, loop
    >>> drawn, hardest = as_published(SlitherlinkRequest(10, 10), loop(10, 10, seed=1), Random(1))
    >>> drawn.symmetry, drawn.layout, round(drawn.clue_density, 2), hardest
    ('quarter-turn', 'openings', 0.39, 'hard')
    """
    hardest: Label = "extreme"
    if not request.is_open or request.tiling is not None:
        return request, hardest
    from linkoracle.deduce.grades import GUESSED, label_of
    from linkoracle.deduce.grading import within

    asked = as_grade(request.keeps)
    if asked is not None and asked.scores[0] >= GUESSED:
        return request, hardest
    kind, which, density, layout, label = (rng.random() for _ in range(5))
    empty = line.counts().count(0) / line.board.num_faces
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
    if asked is not None and (asked.label is not None or asked.score is not None):
        hardest = label_of(min(asked.scores[1], GUESSED - 1))
    if request.clue_density is None:
        found["clue_density"] = _between(habits.hardest[hardest][1], density)
    # Of a given loop, clues are removed: it may lead to no puzzle without a guess. So are they for
    # labels that few choices of clues lead to.
    if request.layout is None and request.loop is None and not (asked and asked.narrow):
        found["layout"] = _cut(habits.layouts, layout)
    if request.keeps is None and request.loop is None and request.cells > _JUDGED:
        found["keeps"] = within(hardest)
    return request.with_drawn(**found), hardest


def _cut(shares: Mapping[Thing, float], where: float) -> Thing:
    """Return what is at a place from 0 to 1, if each thing is as wide as its share."""
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


def designed(
    request: SlitherlinkRequest,
    places: Places,
    hardest: Label,
    full: Slitherlink,
    line: Solution,
    rng: Random,
    deadline: Deadline,
    watching: Watching,
) -> Reduced:
    """Return a puzzle with clues at these places, and some more; ``full`` has all those of a line.

    Techniques up to ``hardest`` solve it, or what the request allows. Raises `NothingFound` if they
    do not even with all clues, and if the puzzle is not of the grade that is requested.
    """
    from linkoracle.deduce.grading import within

    grade = as_grade(request.keeps)
    clues = (grade or within(hardest)).clues(full, deadline)
    if clues is None:
        # More clues may mean fewer arguments from uniqueness: judged afterwards.
        clues = within(hardest).clues(full, deadline)
    assert clues is not None
    evenness = Evenness(full.board, line.counts(), rng, places.free)
    groups = request.groups

    def filled(shown: set[int], most: int) -> set[int]:
        evenness.only(shown)
        return shown | to_fill(shown, groups, evenness, most, lambda _: True)

    def judge(shown: set[int]) -> int:
        return 0 if grade is None else grade.judge(showing(full, shown), deadline)

    watching.show(lambda: (showing(full, places.shown), line))
    evenness.only(places.shown)
    spare = [*evenness.voids(one for one in groups if places.shown.isdisjoint(one))]
    added = clues.grow(places.shown, spare, places.goal)
    if added is None:
        raise NothingFound("are not of this grade even with all clues")
    found = places.shown.union(*(spare[number] for number in added))
    shown = filled(found, places.goal)
    judged = judge(shown)
    for _ in range(EASED):
        if judged > 0:
            shown = filled(shown, len(shown) + MORE)
            judged = judge(shown)
    if judged < 0:
        evenness.only(found)
        there = evenness.ordered([one for one in groups if not found.isdisjoint(one)])
        shown = found.difference(*(there[number] for number in clues.thin(found, there)))
        judged = judge(shown)
    if judged:
        raise NothingFound("are not of this grade")
    puzzle = showing(full, shown)
    watching.show(lambda: (puzzle, line))
    return Reduced(puzzle, False, 0, 0)


def with_few_clues(
    request: SlitherlinkRequest,
    line: Solution,
    blank: Slitherlink,
    ends: Ends,
    rng: Random,
    deadline: Deadline,
    watching: Watching,
) -> tuple[Reduced, Solution]:
    """Return what is left of the clues of a line, which may be changed until it suits these."""
    drawn, hardest = as_published(request, line, rng)
    layout = drawn.layout
    if layout is None:
        return thinned(drawn, with_all_clues(blank, line), line, rng, deadline, watching), line
    density = drawn.clue_density or DENSITY
    chosen = places(layout, drawn.rows, drawn.cols, drawn.groups, density, rng)
    if request.is_drawn and layout != "scattered":
        line = suited(line, chosen.shown, ends, rng, deadline)
    full = with_all_clues(blank, line)
    return designed(drawn, chosen, hardest, full, line, rng, deadline, watching), line
