"""What a browser tab makes: new puzzles, fewer clues, more clues, the clues of a line."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

from linkoracle.board.lattice import Lattice
from linkoracle.board.solution import Solution
from linkoracle.core.errors import PuzzleError, SearchTimeout, counted
from linkoracle.core.randomness import pick, shuffled, source
from linkoracle.generate.cell_loops import cell_loop
from linkoracle.generate.plain_loops import plain_loop
from linkoracle.kinds import KINDS, Puzzle, Slitherlink, check_solution, kind_named
from linkoracle.kinds.cell_loops import CellLoop
from linkoracle.kinds.puzzle import empty_cells
from linkoracle.kinds.regions import RegionPuzzle
from linkoracle.session import Session
from linkoracle.solving import solutions
from linkoracle.studio.boards import check_size, numbers
from linkoracle.studio.clues import can_go
from linkoracle.studio.tasks import Outcome, Task
from linkoracle.studio.through_cells import thinned, told_by_line

#: Larger puzzles take too long to make.
MAX_SIDE = 10


def task(asked: Task) -> dict[str, Any]:
    """Do a task of the page: see `linkoracle.studio.making`."""
    tasks = {"new": _new, "thin": _thin, "add": _add, "line": _line}
    return tasks[asked.word("what", tasks)](asked).told()


def offers(kind: str) -> dict[str, Any]:
    """Return the tasks that can be done with a kind, and whether new ones are made.

    >>> offers("slitherlink"), offers("numberlink")
    ({'tasks': ['line', 'thin', 'add'], 'new': []}, {'tasks': ['line'], 'new': None})
    """
    found = KINDS[kind]
    tasks = ["line"]
    if can_go(found):
        tasks.append("thin")
    if issubclass(found, Slitherlink):
        tasks.append("add")
    return {"tasks": tasks, "new": [] if _is_made(found) else None}


def _is_made(kind: type[Puzzle]) -> bool:
    # Regions that a loop visits twice take a matching, for which networkx is needed.
    twice = issubclass(kind, RegionPuzzle) and kind.visits == 2
    return issubclass(kind, Slitherlink) or (issubclass(kind, CellLoop) and not twice)


def _new(asked: Task) -> Outcome:
    kind = kind_named(asked.word("kind", list(KINDS)))
    rows, cols = (asked.number(name, most=MAX_SIDE) for name in ("rows", "cols"))
    if rows is None or cols is None:
        raise PuzzleError(f"expected at most {MAX_SIDE} rows and columns")
    check_size(rows, cols)
    if not _is_made(kind):
        raise PuzzleError(f"puzzles of the kind {kind.kind!r} are made by an installed studio")
    rng = source(asked.seed(), 0)
    while True:
        asked.deadline.check()
        asked.progress("choosing a loop")
        if not issubclass(kind, CellLoop):
            loop = plain_loop(rng, Lattice(rows + 1, cols + 1))
            puzzle: Puzzle = Slitherlink.from_solution(loop)
            if _another(asked, puzzle, loop) is None:
                return _reduced(asked, puzzle, loop)
            continue
        found = cell_loop(kind, rows, cols, rng, partial(_another, asked), minimal=True)
        if found is not None:
            return Outcome(*found, f"{found[0].number_of_clues} {found[0].unit}")


def _another(asked: Task, puzzle: Puzzle, solution: Solution) -> Solution | None:
    """Return another solution than this one; ``None`` if there is none."""
    asked.progress("removing clues")
    every = solutions(puzzle, timeout=asked.deadline.left)
    return next((other for other in every if other != solution), None)


def _reduced(asked: Task, puzzle: Puzzle, loop: Solution) -> Outcome:
    with Session(puzzle) as session:
        _, minimal = session.reduce(seed=asked.seed(), timeout=asked.deadline.left)
        left = session.puzzle
    told = f"{left.number_of_clues} {left.unit}"
    return Outcome(left, loop, f"{told}: none is redundant" if minimal else told)


def _thin(asked: Task) -> Outcome:
    return thinned(asked, asked.puzzle)


def _add(asked: Task) -> Outcome:
    """Add clues of a solution until it is the only one, and none that is not needed.

    Those that were there stay. Fewer may do with another solution.
    """
    puzzle = asked.puzzle
    if not isinstance(puzzle, Slitherlink):
        raise PuzzleError(f"expected a Slitherlink, found the kind {puzzle.kind!r}")
    rng = source(asked.seed(), 0)
    before = dict(puzzle.clue_cells())
    with Session(puzzle) as session:
        verdict = session.ask(timeout=asked.deadline.left)
        if verdict.status == "none":
            raise PuzzleError("there is no solution")
        if verdict.unique:
            return Outcome(puzzle, verdict.solutions[0], "there is one solution already")
        target, other = verdict.solutions
        wanted = target.counts()
        while True:
            around = other.counts()
            differing = [
                (row, col)
                for row, col in empty_cells(session.puzzle)
                if wanted[row * puzzle.cols + col] != around[row * puzzle.cols + col]
            ]
            if not differing:
                raise PuzzleError("no clues make this solution the only one")
            row, col = pick(rng, differing)
            session.set({(row, col): wanted[row * puzzle.cols + col]})
            found = session.ask(timeout=asked.deadline.left).solutions
            asked.progress(f"{len(session.clues)} clues")
            if found == (target,):
                break
            other = next(one for one in found if one != target)
        order = shuffled(rng, list(session.clues))
        with suppress(SearchTimeout):
            session.reduce(order, keep=before, timeout=asked.deadline.left)
        made = session.puzzle
    added = made.number_of_clues - len(before)
    return Outcome(made, target, f"{counted(added, 'clue')} added, none of which can go")


def _line(asked: Task) -> Outcome:
    puzzle = asked.puzzle
    lattice = puzzle.lattice
    edges = numbers(asked.members.get("lines"), "lines", lattice.num_edges)
    if not edges:
        raise PuzzleError("expected a line")
    drawn = Solution(lattice, tuple(sorted(edges)))
    if not isinstance(puzzle, Slitherlink):
        return told_by_line(asked, puzzle, drawn)
    clues = dict.fromkeys(cell for cell, _ in puzzle.clue_cells())
    counts = drawn.counts()
    told = puzzle.with_clues(
        {**clues, **{divmod(face, puzzle.cols): count for face, count in enumerate(counts)}}
    )
    if not check_solution(told, drawn):
        raise PuzzleError(f"this is no solution: {told.violations(drawn)[0]}")
    if _another(asked, told, drawn) is not None:
        raise PuzzleError("even with all clues, this is not the only solution")
    return _reduced(asked, told, drawn)
