"""Clue removal: from the full clues of a line down to a puzzle that it alone solves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from linkoracle.errors import NothingFound
from linkoracle.generate.balance import Crowd
from linkoracle.generate.clue_symmetry import orbits
from linkoracle.generate.graded import regrade
from linkoracle.generate.hooks import Graded, Keeps
from linkoracle.generate.randomness import shuffled, swept
from linkoracle.generate.session import ENGINES, Session
from linkoracle.generate.stack import by_stack
from linkoracle.puzzles import Slitherlink
from linkoracle.sat.search import Deadline

if TYPE_CHECKING:
    from linkoracle.generate.shapes import Ends
    from linkoracle.model import Solution

#: A cell as ``(row, column)``, counted from 0.
Cell = tuple[int, int]

#: Values of ``strategy``: see `thin`.
STRATEGIES = ("core", "random", "prefix", "stack")

#: Boards of so many cells are swept. On small ones that would save nothing that matters, and of the
#: puzzles of a line fewer would ever be made.
_SWEPT_CELLS = 64


@dataclass(frozen=True)
class Thinned:
    """A puzzle with one solution, and what it took to get there.

    ``minimal`` is true when it is proven that no clue can be taken away. ``questions`` counts the
    searches for another solution, ``rounds`` calls of the SAT solver, ``cuts`` clauses added to it.
    """

    puzzle: Slitherlink
    minimal: bool
    questions: int
    rounds: int
    cuts: int

    @property
    def clues(self) -> int:
        """How many cells carry a clue."""
        return sum(1 for _ in self.puzzle.clue_cells())


def thin(
    solution: Solution,
    rng: Random,
    *,
    ends: Ends = None,
    strategy: str = "core",
    symmetry: str = "none",
    must: Iterable[Cell] = (),
    must_not: Iterable[Cell] = (),
    clues: int | None = None,
    max_failures: int | None = None,
    balanced: bool = False,
    keeps: Keeps | None = None,
    engine: str = "sat",
    solver: str | None = None,
    timeout: float | Deadline | None = None,
) -> Thinned:
    """Take clues away from the full board of ``solution`` while it stays the only one.

    ``strategy`` is

    * ``"core"``: ask once whether the full board has another solution; only the clues on which the
      solver's "no" rests are kept. Then ask of each of these whether the others force it: a local
      question, answered without a search where a known rival decides it. The order is random on
      boards of less than 64 cells, and where an option stops early or says what to try next. Else
      one diagonal comes after the other, from a random corner on, and only those of a diagonal
      are in random order: in a random order it takes up to twice as long;
    * ``"random"``: the same without the first step, so that every clue has an equal chance;
    * ``"prefix"``: look, by halving, for the longest part of a random order that can go at once;
      what comes next in the order is needed; go on behind it;
    * ``"stack"``: reach exactly ``clues`` clues, putting back the last one that went, and trying
      others, when none can go.

    ``symmetry`` is one of `linkoracle.generate.CLUE_SYMMETRIES`: cells that it maps to each other
    lose their clues together. Cells of ``must`` keep theirs, those of ``must_not`` lose theirs at
    once. Stop at ``clues`` clues, or after ``max_failures`` clues in a row that cannot go. With
    ``balanced`` the next clue to try is not a random one but the most dispensable for the balance
    (`linkoracle.generate.balance`). A clue goes only if ``keeps`` says so of the puzzle without it.
    Where ``keeps`` is a `Graded` one, such as `linkoracle.deduce.within` makes, clues are taken
    away without it, and put back as it needs them (`linkoracle.generate.graded`); so the result may
    have fewer clues, but not another property.

    ``engine`` is who searches for other solutions: ``"sat"``, a SAT solver, which ``solver`` may
    name; or ``"cdcl"``, the compiled search of `linkoracle.cdcl`, which is faster on boards of up
    to some thousand cells, but takes half a second to load, and on a new machine some ten seconds
    to be compiled, once. With the strategy ``"core"`` they make different puzzles of the same line.

    Without ``must``, ``keeps``, a symmetry or an early stop, the result is minimal.

    Raises `NothingFound` when ``must_not`` leaves more than one solution or too hard a puzzle, or
    the stack method does not get there; ``ValueError`` for options that contradict each other;
    `SearchTimeout`.

    >>> from linkoracle.generate.shapes import two_colour
    >>> loop = two_colour(Random(1), 6, 6)
    >>> thinned = thin(loop, Random(1))
    >>> thinned.minimal, len(list(thinned.puzzle.clue_cells()))
    (True, 12)
    """
    rows, cols = solution.lattice.rows - 1, solution.lattice.cols - 1
    must, must_not = tuple(must), tuple(must_not)
    check_request(
        rows, cols, strategy=strategy, engine=engine, clues=clues, must=must, must_not=must_not
    )
    fixed, banned = _faces(must, rows, cols), _faces(must_not, rows, cols)
    groups = [
        group
        for group in orbits(rows, cols, symmetry)
        if fixed.isdisjoint(group) and banned.isdisjoint(group)
    ]
    deadline = Deadline.of(timeout)
    to_the_end = not balanced and clues is None and max_failures is None
    clues_of_grade = None
    if isinstance(keeps, Graded) and strategy != "stack" and max_failures is None:
        clues_of_grade = keeps.clues(Slitherlink.from_solution(solution, ends), deadline.check)
    hook = keeps if clues_of_grade is None else None
    sweeping = strategy == "core" and to_the_end and rows * cols >= _SWEPT_CELLS
    assumed: list[int] | None = None
    if strategy == "core":
        # A core prefers the clues that are assumed first. In reading order, large boards would end
        # without a clue in the last row.
        assumed = swept(rng, rows, cols) if sweeping else shuffled(rng, range(rows * cols))
    with Session(
        solution,
        ends,
        keeps=hook,
        engine=engine,
        solver=solver,
        order=assumed,
        timeout=deadline,
    ) as session:
        if not session.remove_at_once(sorted(banned)):
            raise NothingFound("without the clues that must not be there it is not unique")
        left = session.kept
        if strategy == "stack":
            assert clues is not None
            by_stack(session, groups, clues, rng)
            complete = False
        else:
            crowd = Crowd(rows, cols, session.rivals.counts) if balanced else None
            undecided = groups
            if strategy == "core" and not balanced:
                undecided = _keep_core(session, groups, clues)
            undecided = shuffled(rng, undecided)
            if sweeping and assumed is not None:
                # Those first that a core prefers least.
                place = {face: number for number, face in enumerate(assumed)}
                undecided.sort(key=lambda group: -max(place[face] for face in group))
            if strategy == "prefix":
                complete = _by_prefix(session, undecided, clues)
            else:
                if hook is None and to_the_end:
                    undecided = _in_pairs(session, undecided, at_once=clues_of_grade is None)
                complete = _one_by_one(session, undecided, clues, max_failures, crowd, rng)
            if clues_of_grade is not None:
                order = partial(shuffled, rng) if crowd is None else crowd.ordered
                left = regrade(session, clues_of_grade, groups, order, clues or 0)
                # On a board made anew, which owes nothing to clues that came and went.
                if keeps is not None and not keeps(session.puzzle(left)):
                    raise NothingFound("solved otherwise, it is not of this grade")
        minimal = complete and symmetry == "none" and keeps is None and not fixed
        rivals = session.rivals
        return Thinned(session.puzzle(left), minimal, session.questions, rivals.rounds, rivals.cuts)


def check_request(
    rows: int,
    cols: int,
    *,
    strategy: str = "core",
    engine: str = "sat",
    symmetry: str = "none",
    must: Iterable[Cell] = (),
    must_not: Iterable[Cell] = (),
    clues: int | None = None,
) -> None:
    """Raise ``ValueError`` for options of `thin` that make no sense on a board of this size."""
    if strategy not in STRATEGIES:
        raise ValueError(f"expected a strategy out of {', '.join(STRATEGIES)}; got {strategy!r}")
    if engine not in ENGINES:
        raise ValueError(f"expected an engine out of {', '.join(ENGINES)}; got {engine!r}")
    if strategy == "stack" and clues is None:
        raise ValueError("the stack method needs a number of clues to reach")
    if clues is not None and not 0 <= clues <= rows * cols:
        raise ValueError(f"expected 0 to {rows * cols} clues, got {clues}")
    if not _faces(must, rows, cols).isdisjoint(_faces(must_not, rows, cols)):
        raise ValueError("a cell cannot both have to carry a clue and not be allowed to")
    orbits(rows, cols, symmetry)


def _faces(cells: Iterable[Cell], rows: int, cols: int) -> set[int]:
    faces = set()
    for row, col in cells:
        if not (0 <= row < rows and 0 <= col < cols):
            raise ValueError(f"the board has no cell {row},{col}")
        faces.add(row * cols + col)
    return faces


def _keep_core(
    session: Session, groups: list[tuple[int, ...]], clues: int | None
) -> list[tuple[int, ...]]:
    """Remove what the proof of uniqueness does not need; the groups that are left to try."""
    core = session.core()
    spare = [group for group in groups if core.isdisjoint(group)]
    gone = [face for group in spare for face in group]
    if clues is not None and len(session.kept) - len(gone) < clues:
        return groups
    if not session.remove_at_once(gone, known_unique=True):
        return groups
    return [group for group in groups if not core.isdisjoint(group)]


def _in_pairs(
    session: Session, groups: list[tuple[int, ...]], *, at_once: bool
) -> list[tuple[int, ...]]:
    """Decide on single clues two at a time; the groups that are left to try."""
    waiting = [group[0] for group in reversed(groups) if len(group) == 1]
    first: int | None = None
    while waiting:
        if at_once and first is None:
            waiting = session.decide_at_once(waiting[::-1])[::-1]
            if not waiting:
                break
        face = waiting.pop()
        if session.needs(face):
            continue
        if first is None or session.needs(first):
            first = face
            continue
        decided = session.decide(first, face)
        undecided = [one for one in (first, face) if one not in decided]
        first = undecided[0] if undecided else None
        if at_once and first is not None:
            waiting.append(first)
            first = None
    left = [] if first is None else [(first,)]
    return left + [group for group in groups if len(group) > 1]


def _one_by_one(
    session: Session,
    groups: list[tuple[int, ...]],
    clues: int | None,
    max_failures: int | None,
    crowd: Crowd | None,
    rng: Random,
) -> bool:
    """Try every group once; whether that was done to the end."""
    failures = 0
    waiting = dict.fromkeys(reversed(groups))
    if crowd is not None:
        for face in range(len(session.rivals.counts)):
            if face not in session.kept:
                crowd.remove(face)
    while waiting:
        group = next(reversed(waiting)) if crowd is None else crowd.worst(waiting, rng)
        del waiting[group]
        if clues is not None and len(session.kept) - len(group) < clues:
            continue
        if session.remove(group):
            failures = 0
            if crowd is not None:
                for face in group:
                    crowd.remove(face)
        else:
            failures += 1
            if max_failures is not None and failures >= max_failures:
                return False
    return clues is None or len(session.kept) > clues


def _by_prefix(session: Session, groups: list[tuple[int, ...]], clues: int | None) -> bool:
    """Remove the longest prefix that can go, skip what comes next, and so on."""
    spare = len(session.kept) - clues if clues is not None else len(session.kept)
    start = 0
    while start < len(groups):
        # The first `low` groups from `start` can go together; those up to `high` cannot.
        low, high = 0, len(groups) - start + 1
        while high - low > 1:
            # Short prefixes first: about half of the groups can go, so most ends are near.
            middle = min((low + high) // 2, 2 * low + 1)
            faces = [face for group in groups[start : start + middle] for face in group]
            if len(faces) <= spare and session.could_remove(faces):
                low = middle
            else:
                high = middle
        faces = [face for group in groups[start : start + low] for face in group]
        session.remove_at_once(faces, known_unique=True, known_kept=True)
        spare -= len(faces)
        start += low + 1
    return clues is None or spare > 0
