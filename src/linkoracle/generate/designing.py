"""`designed`: the cells of a layout have clues, and as many others as the deduction needs.

Puzzles made by hand begin with the places of clues. So clues outside of these are few, and none is
where the layout leaves an opening if another will do. A puzzle that is solved by deduction has one
solution; `linkoracle.generate.thinning` needs a search for that.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import Deadline
from linkoracle.generate.evenness import Evenness
from linkoracle.generate.layouts import Places
from linkoracle.generate.regrading import EASED, MORE
from linkoracle.generate.removal import showing
from linkoracle.generate.request_parts import as_grade
from linkoracle.generate.thinning import Reduced, to_fill
from linkoracle.generate.watching import Watching
from linkoracle.kinds import Slitherlink

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.deduce.rules import Label
    from linkoracle.generate.slitherlink_request import SlitherlinkRequest


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
        return 0 if grade is None else grade.check(showing(full, shown), deadline)

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
        shown = found.difference(*(there[number] for number in clues.reduce(found, there)))
        judged = judge(shown)
    if judged:
        raise NothingFound("are not of this grade")
    puzzle = showing(full, shown)
    watching.show(lambda: (puzzle, line))
    return Reduced(puzzle, False, 0, 0)
