"""The generator of Slitherlinks: draw a loop, choose its clues, prove that they make it unique.

As people design them, a layout first chooses places for clues (`linkoracle.generate.clues.layout`),
and the loop is changed until it suits them. Then clues are added until deduction solves the puzzle
(`designed`). So few clues are outside the layout, and openings of the layout stay empty if other
clues suffice. A puzzle that is solved by deduction has one solution. Without a layout, clues are
removed from the full board instead, which needs a search to prove that
(`linkoracle.generate.clues.reducing`).
"""

from __future__ import annotations

from array import array
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal

from linkoracle.board import Board, LoopRepair, Solution
from linkoracle.core import (
    Deadline,
    NothingFound,
    SearchTimeout,
    below,
    counted,
    pick,
    seed_or_fresh,
    shuffled,
    source,
)
from linkoracle.deduce import Label, Reduction, deck_for, within
from linkoracle.generate.attempts import (
    Attempts,
    Made,
    Reduced,
    Watching,
    misfit,
    showing,
    with_all_clues,
)
from linkoracle.generate.clues import (
    DENSITY,
    Acceptance,
    CluePlan,
    LoopPlan,
    Plan,
    SearchPlan,
    as_published,
    plan_of,
)
from linkoracle.generate.clues.grading import EASED, MORE
from linkoracle.generate.clues.layout import Evenness, Group, Places, ZerosApart, places
from linkoracle.generate.clues.loop_search import LoopSearch, joining
from linkoracle.generate.clues.reducing import reduced, smallest
from linkoracle.generate.clues.request import MOST_SLITHERLINK_CELLS, SlitherlinkRequest
from linkoracle.generate.loops import through_all
from linkoracle.generate.loops.colouring import Ends, beyond, neighbourhoods
from linkoracle.generate.loops.designing import more_clues
from linkoracle.generate.loops.shapes import SHAPES, SLOW_SHAPES, Shape
from linkoracle.kinds import Slitherlink

#: Flips per cell of a loop that has to suit some cells better, their temperature, and the fraction
#: of the clues of these cells that may be 0.
_FLIPS_A_CELL, _FLIP_TEMPERATURE, _ZEROS = 2, 0.7, 0.15
#: Of so many boards that are not solved unless 0s are side by side, one has such 0s.
_TOGETHER = 4


@dataclass(frozen=True)
class MadeSlitherlink(Reduced, Made):
    """A Slitherlink and its only solution; ``extra`` are the cells with clues against a mask."""

    puzzle: Any
    seed: int = 0
    extra: tuple[Any, ...] = ()

    @property
    def remarks(self) -> dict[str, Any]:
        """Return the cells of redundant clues kept despite ``minimal``, and of ``extra`` clues."""
        return {
            # Faces of a board that is not square are numbers.
            name: [[*one] if isinstance(one, tuple) else one for one in cells]
            for name in ("redundant", "extra")
            if (cells := getattr(self, name))
        }


def make_slitherlink(
    request: SlitherlinkRequest, seed: int, index: int, attempts: Attempts
) -> MadeSlitherlink:
    """Make the Slitherlink of a request, a seed and an index.

    Raises `NothingFound` if that fails, `SearchTimeout`, and `MemoryLimit`.
    """
    attempts.begin(request)
    return _made(plan_of(request), seed, index, attempts)


def _made(plan: Plan, seed: int, index: int, attempts: Attempts) -> MadeSlitherlink:
    """Make the Slitherlink of a plan."""
    rng, deadline, watching = source(seed, index), attempts.deadline, attempts.watching
    accept, mask = plan.accept, plan.search
    search = None if mask is None else LoopSearch(mask, deadline, watching)
    nearest: MadeSlitherlink | None = None
    for tried in range(1, accept.tries + 1):
        deadline.check()
        attempts.add()
        about = {"tried": tried, "seed": seed, "index": index}
        ends = draw_ends(plan.loop, rng)
        blank = plan.blank(ends)
        loop = draw_loop(plan.loop, ends, rng, deadline)
        try:
            _show(loop, blank, watching)
            if search is not None:
                loop = search.improved(rng, loop, ends)
            if plan.clues.strategy == "fewest":
                full = with_all_clues(blank, loop)
                chosen: Reduced = smallest(full, loop, deadline, None, watching=watching)
            elif search is not None and plan.clues.strategy == "mask":
                chosen = search.puzzle(loop, ends)
            else:
                chosen, loop = _with_few_clues(
                    plan.clues, plan.loop, loop, blank, ends, rng, deadline, watching
                )
        except SearchTimeout as error:
            nearest = _nearer(mask, search, ends, nearest, **about)
            reached = error.reached or attempts.failures
            if nearest is not None:
                reached = ". ".join(filter(None, (reached, more_clues(nearest.extra))))
            elif search is not None:
                reached = reached or search.gaps
            failure: Exception = SearchTimeout(error.seconds, error.found, reached, nearest)
            break
        except NothingFound as error:
            attempts.fail(str(error), search.missed if search is not None else None)
            nearest = _nearer(mask, search, ends, nearest, **about)
            if search is not None and search.proof is not None:
                failure = NothingFound(search.proof, nearest=nearest)
                break
            continue
        if chosen.clues > accept.most:
            attempts.fail(f"kept more than {accept.most} clues", chosen.clues)
            continue
        return MadeSlitherlink(solution=loop, **{**vars(chosen), **about})
    else:
        if mask is not None and mask.exact:
            nearest = _joined(plan, mask, seed, index, attempts, nearest)
        failure = _failure(plan.loop, accept, attempts, nearest)
    if nearest is not None and len(nearest.extra) <= accept.most_extra:
        return nearest
    raise failure


def _failure(
    drawn: LoopPlan, accept: Acceptance, attempts: Attempts, nearest: MadeSlitherlink | None
) -> NothingFound:
    """Return the error after all attempts have failed."""
    if drawn.given is not None:
        advice = f"the given loop led to no puzzle as requested: {attempts.failures}. Change it"
        return NothingFound(f"{advice}, or request less.")
    default = ", the default" if accept.by_default else ""
    advice = "Try more attempts, another seed or shape, or request less."
    if nearest is not None:
        advice = f"{more_clues(nearest.extra)}, or try more attempts or another seed."
    reason = (
        f"no puzzle as requested in {counted(accept.tries, 'attempt')}{default}: "
        f"{attempts.failures}."
    )
    return NothingFound(reason, advice, nearest)


def _nearer(
    mask: SearchPlan | None,
    search: LoopSearch | None,
    ends: Ends,
    nearest: MadeSlitherlink | None,
    **about: int,
) -> MadeSlitherlink | None:
    """Return the puzzle nearer to a mask: ``nearest``, or that of the failed attempt."""
    if mask is None or search is None or search.left is None:
        return nearest
    if (near := search.nearest(ends)) is None:
        return nearest
    extra = mask.against(near.puzzle)
    if nearest is not None and len(nearest.extra) <= len(extra):
        return nearest
    return MadeSlitherlink(solution=search.left, extra=extra, **{**vars(near), **about})


def _joined(
    plan: Plan,
    mask: SearchPlan,
    seed: int,
    index: int,
    attempts: Attempts,
    nearest: MadeSlitherlink | None,
) -> MadeSlitherlink | None:
    """Return ``nearest``, or a nearer puzzle with clues that join those that meet at corners."""
    extra = sorted(
        divmod(face, mask.board.cols)
        for face in joining(mask.shown, mask.board.rows, mask.board.cols)
    )
    if not extra or (nearest is not None and len(nearest.extra) <= len(extra)):
        return nearest
    must, must_not = mask.must.union(extra), mask.must_not.difference(extra)
    joined = replace(mask, must=must, must_not=must_not)
    plan = replace(plan, search=joined, accept=replace(plan.accept, most_extra=0))
    try:
        made = _made(plan, seed, index, Attempts(attempts.deadline.left))
        return replace(made, extra=tuple(extra))
    except (NothingFound, SearchTimeout):
        return nearest


def _show(loop: Solution, blank: Slitherlink, watching: Watching) -> None:
    """Show a loop with all its clues."""
    watching.show(lambda: (with_all_clues(blank, loop), loop))


def draw_ends(plan: LoopPlan, rng: Random) -> Ends:
    """Return the ends of a path, drawn if they are random; ``None`` for a loop."""
    if plan.ends != "random":
        return plan.ends
    dots = plan.board.border()[0]
    first = pick(rng, dots)
    second = pick(rng, [dot for dot in dots if dot != first])
    low, high = sorted((first, second))
    return plan.board.position(low), plan.board.position(high)


def draw_loop(plan: LoopPlan, ends: Ends, rng: Random, deadline: Deadline) -> Solution:
    """Return the given loop, or draw one, or a path between these ends."""
    if plan.given is not None:
        return plan.given
    if plan.fill:
        return through_all(rng, plan.board.squares())
    options = dict(plan.options)
    if plan.shape in SLOW_SHAPES:
        options["timeout"] = deadline.left
    if ends is not None:
        options["ends"] = ends
    try:
        return SHAPES[plan.shape](rng, plan.board, **options)
    except SearchTimeout:
        deadline.check()  # whose message has the whole time limit, not the rest
        raise


def loop(
    rows: int | Board,
    cols: int | None = None,
    *,
    shape: Shape = "mix",
    seed: int | None = None,
    ends: Ends | Literal["random"] = None,
    timeout: float | None = None,
    **options: Any,
) -> Solution:
    """Draw a random loop on a board of ``rows`` x ``cols`` cells, or an open path between ``ends``.

    Instead of ``rows``, any plane `linkoracle.Board` with faces is accepted; the shape ``uniform``
    needs a square board. ``shape`` is one of `SHAPES`, and ``options`` are its options, such as
    ``thickness`` for ``expand``. ``ends`` are two dots on the border, by their labels, or
    ``"random"``.

    Time and memory of all shapes but ``uniform`` grow with the number of cells, and 100x100 cells
    take a fraction of a second. Only ``uniform`` draws all loops with equal probability: it draws
    from `linkoracle.diagram`, whose memory grows threefold with each row and column (about 125 MB
    for 12x12 cells).

    The same ``seed`` draws the same loop; with ``None`` each call draws another one. `slitherlink`
    begins with this loop if it has this seed, and may change it to suit its clues.

    Raises ``ValueError`` for an unknown shape or option, for more than 10,000 cells, for a board
    without faces, and for ends on a board that one cycle does not bound; `SearchTimeout` after
    ``timeout`` seconds, `MemoryLimit` (only ``uniform``), and `NothingFound` for a board without a
    loop around a face, and for a length that no loop has.

    >>> from linkoracle import Slitherlink, check_solution
    >>> drawn = loop(20, 20, seed=1)
    >>> check_solution(Slitherlink.blank(20, 20), drawn), drawn == loop(20, 20, seed=1)
    (True, True)
    >>> len(loop(20, 20, shape="expand", thickness=0, seed=1)) > len(drawn)
    True
    >>> import networkx as nx
    >>> from linkoracle import Board
    >>> len(loop(Board.from_graph(nx.hexagonal_lattice_graph(4, 4)), seed=1).paths())
    1
    """
    rng = source(seed_or_fresh(seed), 0)
    if isinstance(rows, Board) and cols is None:
        board = rows
        if board.num_faces > MOST_SLITHERLINK_CELLS:
            most = f"boards of up to {MOST_SLITHERLINK_CELLS} faces"
            raise ValueError(f"loops are made on {most}, got {board!r}")
        # The options of a shape do not depend on the board.
        known: Literal["random"] | None = None if ends is None else "random"
        request = SlitherlinkRequest(2, 2, shape=shape, shape_options=options, ends=known)
    else:
        request = SlitherlinkRequest(rows, cols, shape=shape, shape_options=options, ends=ends)  # type: ignore[arg-type]
        board, ends = request.faces, request.ends
    plan = LoopPlan(board, request.shape, request.shape_options, ends)
    return draw_loop(plan, draw_ends(plan, rng), rng, Deadline(timeout))


def designed(
    plan: CluePlan,
    places: Places,
    hardest: Label,
    full: Slitherlink,
    loop: Solution,
    rng: Random,
    deadline: Deadline,
    watching: Watching,
) -> Reduced:
    """Return a puzzle with clues at these places, and some more; ``full`` has all of the loop.

    Techniques up to ``hardest`` solve the puzzle, or those that the plan allows. Raises
    `NothingFound` if they do not suffice even with all clues, and if the grade is not as requested.
    """
    grade = plan.grade
    clues = None if grade is None else grade.clues(full, deadline)
    if clues is None:
        # If more clues may mean fewer arguments from uniqueness, the puzzle is graded afterwards.
        deck, without = deck_for(None, hardest)
        clues = Reduction(full, deck=deck, without=without, max_depth=0, deadline=deadline)
    evenness = Evenness(full.board, loop.counts(), rng, places.free)

    def compare(shown: set[int]) -> int:
        return 0 if grade is None else grade.check(showing(full, shown), deadline)

    watching.show(lambda: (showing(full, places.shown), loop))
    first, spare = _apart(plan, places, evenness, ZerosApart(full.board, loop.counts()), rng)
    added = clues.grow(first, spare, places.goal)
    if added is None and (plan.is_given or not below(rng, _TOGETHER)):
        # Of some boards, only 0s side by side tell where the loop does not run.
        first, spare = _apart(plan, places, evenness, None, rng)
        added = clues.grow(first, spare, places.goal)
    if added is None:
        raise NothingFound("are not of this grade even with all clues")
    groups = [*(group for group in plan.groups if first.issuperset(group)), *spare]
    enough = first.union(*(spare[number] for number in added))
    if grade is None and len(enough) > places.goal:
        # With clues in other places, some of the first may be redundant: crowded ones go first.
        evenness.only(enough)
        there = evenness.ordered([group for group in groups if not enough.isdisjoint(group)])
        enough = enough.difference(*(there[number] for number in clues.reduce(enough, there)))
    shown = evenness.filled(enough, groups, places.goal)
    difference = compare(shown)
    for _ in range(EASED):
        if difference > 0:
            shown = evenness.filled(shown, groups, len(shown) + MORE)
            difference = compare(shown)
    if difference < 0:
        evenness.only(enough)
        there = evenness.ordered([group for group in groups if not enough.isdisjoint(group)])
        shown = enough.difference(*(there[number] for number in clues.reduce(enough, there)))
        difference = compare(shown)
    puzzle = showing(full, shown)
    if difference and (unfit := misfit(grade, puzzle, deadline)):
        raise NothingFound(unfit.reason)
    watching.show(lambda: (puzzle, loop))
    return Reduced(puzzle)


def _apart(
    plan: CluePlan, places: Places, evenness: Evenness, apart: ZerosApart | None, rng: Random
) -> tuple[set[int], list[Group]]:
    """Return the places, and the groups that may follow; with ``apart``, no 0s side by side."""
    first = [group for group in plan.groups if not places.shown.isdisjoint(group)]
    if apart is not None:
        first = [group for group in shuffled(rng, first) if apart.take(group)]
    shown = {face for group in first for face in group}
    evenness.only(shown)
    spare = [*evenness.voids([group for group in plan.groups if shown.isdisjoint(group)])]
    return shown, spare if apart is None else [group for group in spare if apart.take(group)]


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


def _with_few_clues(
    plan: CluePlan,
    drawn: LoopPlan,
    loop: Solution,
    blank: Slitherlink,
    ends: Ends,
    rng: Random,
    deadline: Deadline,
    watching: Watching,
) -> tuple[Reduced, Solution]:
    """Return a puzzle of a loop, and the loop, which may be changed until it suits the clues."""
    plan, hardest = as_published(plan, loop, rng)
    layout = plan.layout
    if plan.is_given and layout is not None:
        # The loop cannot be made to suit places. Search leaves fewer 0s than deduction from places.
        searched = replace(plan, layout=None, keeps=plan.keeps or within(hardest))
        full = with_all_clues(blank, loop)
        with suppress(NothingFound):
            return reduced(searched, full, loop, rng, deadline, watching), loop
    if layout is None:
        return reduced(plan, with_all_clues(blank, loop), loop, rng, deadline, watching), loop
    rows, cols, density = blank.rows, blank.cols, plan.density or DENSITY
    chosen = places(layout, rows, cols, plan.groups, density, rng)
    if drawn.may_change and layout != "scattered":
        loop = _suited(loop, chosen.shown, ends, rng, deadline)
    full = with_all_clues(blank, loop)
    return designed(plan, chosen, hardest, full, loop, rng, deadline, watching), loop
