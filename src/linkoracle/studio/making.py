"""What the page wants made, each task by a worker that can be stopped.

`Making` tells the answer to a task in stages, as dictionaries with the key ``stage``:

* ``going``: ``words`` about what goes on, and the ``share`` of it that is done, or ``None``;
* ``shown``: a ``board`` as it stands, and the ``lines`` that are meant to be its solution;
* ``made``: a ``board``, its only solution as ``lines`` (``null`` if it has several), and ``words``
  about it; other tasks make what their functions say; with the ``seed`` that makes it again, if
  something was left to chance;
* ``failed``: nothing came of it, with the ``reason``; of a mask perhaps with the ``nearest``
  puzzle, as of what is made, and with its ``extra`` cells, which have clues against the mask;
* ``done``: all is told.

What a task needs besides ``what`` stands with the function that does it; all may say how many
``seconds`` they take at most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from linkoracle.board.symmetry import orbits
from linkoracle.core.errors import PuzzleError, counted
from linkoracle.core.limits import Option
from linkoracle.generate import (
    PATTERNS,
    SHAPES,
    Made,
    MadeSlitherlink,
    add_clues,
    letters,
    make,
    pattern,
    request_for,
)
from linkoracle.generate.request_parts import UNMARKED
from linkoracle.generate.requests import (
    REQUESTS,
    made_kinds,
    made_on_boards,
    options_for,
    request_on,
)
from linkoracle.kinds import KINDS, Puzzle, Slitherlink, kind_named
from linkoracle.kinds.puzzle import empty_cells
from linkoracle.kinds.slitherlink import unknown_clues
from linkoracle.session import Session
from linkoracle.studio.boards import numbers, places, tiling_of
from linkoracle.studio.clue_tasks import clued_line, drawn_line, symmetry_of, taken_away, thinned
from linkoracle.studio.clues import can_go
from linkoracle.studio.files import file_of
from linkoracle.studio.grading import steps
from linkoracle.studio.limits import Limits
from linkoracle.studio.shelf import found, saved
from linkoracle.studio.tasks import Done, Outcome, Task, Tasks

#: What a mask may say of a cell; of one that is not marked, what is said of all these.
MUST, NONE, EITHER = "must", "none", "either"
#: Longer words fit on no board.
_MOST_LETTERS = 100

#: What a field says where nothing is wished.
ANY = "any"
#: The shapes of lines there, the usual one first.
_SHAPES = ("mix", *(shape for shape in SHAPES if shape not in ("mix", "uniform")))
#: Runs of a maker that knows no other end than the time.
_TRIES = 10**9


def offers(kind: str, *, on_faces: bool = False) -> dict[str, Any]:
    """The tasks that can be done with a kind, and the wishes that new puzzles may fulfil.

    With ``on_faces`` those on boards that are not square.

    >>> offers("simpleloop")["new"][0]["values"][:3]
    ['any', 'easy', 'normal']
    """
    is_made = made_on_boards(kind) if on_faces else kind in made_kinds()
    new, clued = (
        form_of(kind, on_faces=on_faces) if is_made else None,
        issubclass(KINDS[kind], Slitherlink),
    )
    if on_faces:
        return {"tasks": ["line", "thin", "add"] * clued, "new": new}
    tasks = ["line", *["mask", "complete"] * (kind in REQUESTS)]
    tasks += [*["thin"] * can_go(KINDS[kind]), *["add"] * clued]
    return {"tasks": tasks, "new": new, "patterns": list(PATTERNS) if clued else None}


def outcome_of(made: Made) -> Outcome:
    """What came of a maker."""
    return Outcome(made.puzzle, made.solution, words(made))


def new_puzzle(task: Task) -> Outcome:
    """A puzzle of a kind: of a size, or on the faces of a ``tiling``."""
    kind = kind_named(str(task.members.get("kind"))).kind
    on_faces = task.members.get("tiling") is not None
    if not (made_on_boards(kind) if on_faces else kind in made_kinds()):
        raise PuzzleError(f"no puzzles of the kind {kind!r} can be made{' here' * on_faces}")
    asked = wishes(task, kind, on_faces=on_faces)
    declared, variants = options_for(kind, on_board=on_faces), [*kind_named(kind).rules]
    if on_faces:
        asked["board"] = tiling_of(task.members["tiling"])
        variants = [*declared["rule"].words] if "rule" in declared else variants[:1]
    else:
        asked["rows"], asked["cols"] = task.rows_and_cols()
    variant = task.word("rule", variants, variants[0])
    if "rule" in declared:
        asked["rule"] = variant
    elif variant == "path" and kind in REQUESTS:
        asked["ends"] = "random"
    elif "fill" in declared:
        asked["fill"] = variant == "fill"
    if "memory" in declared:
        asked["memory"] = task.memory
    if kind not in REQUESTS:
        asked["tries"] = _TRIES
    return outcome_of(make(request_for(kind, **asked), **task.how()))


def words(made: Made) -> str:
    """How many clues a puzzle has, and what is known of how many it needs."""
    told = f"{made.puzzle.number_of_clues} {made.puzzle.unit}"
    if not isinstance(made, MadeSlitherlink):
        return told
    if made.redundant or made.lower_bound is None:
        return told + redundancy(made)
    if made.minimal:
        return f"{told}: no puzzle of this line has fewer"
    return f"{told}; at least {made.lower_bound} are needed for this line"


def redundancy(made: MadeSlitherlink) -> str:
    """How many clues are redundant, if any are."""
    if not made.redundant:
        return ""
    return f"; {len(made.redundant)} of them are redundant, kept for other options"


def wishes(task: Task, kind: str, *, on_faces: bool = False) -> dict[str, Any]:
    """What is wished of a puzzle: the options that the page offers."""
    asked: dict[str, Any] = {}
    for name, option in _offered(kind, on_faces).items():
        if choices := _choices(option):
            word = task.word(name, choices, choices[0])
            asked[name] = None if word == ANY else word
        else:
            asked[name] = task.option(name, option, option.default)
    if asked.get("strategy") == "fewest":
        # The fewest are minimal anyway.
        asked["minimal"] = False
    return asked


def form_of(kind: str, *, on_faces: bool = False) -> list[dict[str, Any]]:
    """The wishes that the maker of a kind knows, each with its name, a title and its values.

    The first value is the usual one. A field without values is a number or, where that is said, yes
    or no.

    >>> [field["name"] for field in form_of("numberlink")]
    ['difficulty', 'pairs', 'symmetry']
    """
    return [_field(name, one) for name, one in _offered(kind, on_faces).items()]


def _offered(kind: str, on_faces: bool) -> dict[str, Option]:
    """The options of a request that the page offers."""
    every = options_for(kind, on_board=on_faces).items()
    found = {name: one for name, one in every if one.title}
    if on_faces and "shape" in found:
        found["shape"] = replace(found["shape"], offered=_SHAPES)
    return found


def _choices(option: Option) -> list[str]:
    """The words that the page offers for an option, the usual one first."""
    words = [*(option.offered or option.words)]
    return [ANY, *words] if words and option.default is None else words


def _field(name: str, option: Option) -> dict[str, Any]:
    field = {"name": name, "title": option.title}
    if choices := _choices(option):
        return {**field, "type": "choice", "values": choices}
    return {**field, "type": "flag" if option.default is False else "number"}


def fill_mask(task: Task) -> Outcome:
    """Clues where ``marks`` say, a list with "must", "none", "either" or null for each cell.

    ``unmarked`` says what null is, "none" or "either". The clues that a Slitherlink has stay as
    they are; of other kinds, their places.
    """
    puzzle = task.puzzle
    marks = task.members.get("marks")
    if not isinstance(marks, list) or len(marks) != puzzle.rows * puzzle.cols:
        raise PuzzleError("expected marks as a list with one for each cell")
    if any(mark not in (MUST, NONE, EITHER, None) for mark in marks):
        raise PuzzleError(f"expected marks out of {MUST!r}, {NONE!r}, {EITHER!r} and null")
    must = {cell for cell, mark in enumerate(marks) if mark == MUST} | _clued(puzzle)
    none = {cell for cell, mark in enumerate(marks) if mark == NONE}
    if task.word("unmarked", UNMARKED, NONE) == NONE:
        none |= {cell for cell, mark in enumerate(marks) if mark is None} - must
    return _filled(task, puzzle, must, none)


def complete(task: Task) -> Outcome:
    """More clues where the ``symmetry`` wants them; elsewhere, too, if it says ``more``."""
    puzzle, symmetry = task.puzzle, symmetry_of(task)
    shown = _clued(puzzle)
    if not shown or symmetry == "none":
        raise PuzzleError("expected some clues and a symmetry")
    every = orbits(puzzle.rows, puzzle.cols, symmetry)
    must = {cell for orbit in every if not shown.isdisjoint(orbit) for cell in orbit}
    if must == shown:
        raise PuzzleError("the clues have this symmetry already")
    none = set() if task.flag("more") else set(range(puzzle.rows * puzzle.cols)) - must
    # Links need not be symmetric for their ends to be.
    return _filled(task, puzzle, must, none, symmetry="none")


def _clued(puzzle: Puzzle) -> set[int]:
    return {*places(puzzle, (cell for cell, _ in puzzle.clue_cells()))}


def _filled(task: Task, puzzle: Puzzle, must: set[int], none: set[int], **of_links: Any) -> Outcome:
    """What the maker of the kind makes, with cells that must carry a clue, or must not."""
    kind, clued, said = puzzle.kind, len(must), len(must) + len(none)
    declared = options_for(kind)
    if kind not in REQUESTS:
        raise PuzzleError(f"no masks of the kind {kind!r} can be filled")
    # Where all cells are said, there is no choice of clues.
    exact = said == puzzle.rows * puzzle.cols
    asked: dict[str, Any]
    if "strategy" in declared:
        asked = {"strategy": "mask"} if exact else _clue_wishes(task, kind)
    else:
        if exact and clued % 2:
            raise PuzzleError(f"numbers come in pairs, and there are {counted(clued, 'place')}")
        pairs = clued // 2 if exact else task.number("pairs", most=said // 2 + 1)
        asked = {**wishes(task, kind), **of_links, "pairs": pairs}
    where = {
        name: [divmod(cell, puzzle.cols) for cell in sorted(cells)]
        for name, cells in {"must": must, "must_not": none}.items()
    }
    return _made(task, puzzle, **asked, **where)


def _made(task: Task, puzzle: Puzzle, **asked: Any) -> Outcome:
    """What the maker of the kind makes of a board."""
    return outcome_of(make(request_on(puzzle, **asked), **task.how()))


def _clue_wishes(task: Task, kind: str) -> dict[str, Any]:
    """What is wished of the clues of a puzzle, not of its line."""
    return {name: one for name, one in wishes(task, kind).items() if name != "shape"}


def ready_mask(task: Task) -> dict[str, Any]:
    """The marks of a ``pattern`` by its name, or of ``letters``, for the size of the board."""
    puzzle, drawn = task.puzzle, task.members.get("letters")
    if isinstance(drawn, str):
        rows = letters(drawn[:_MOST_LETTERS], puzzle.rows, puzzle.cols)
    else:
        named: Any = task.word("pattern", PATTERNS)
        rows = pattern(named, puzzle.rows, puzzle.cols)
    said = {"#": MUST, ".": NONE, "?": EITHER, "_": None}
    return {"marks": [said[mark] for row in rows for mark in row]}


def thin_out(task: Task) -> Outcome:
    """As many clues away as can go, but not those of ``keep``, a list of cells."""
    puzzle = task.puzzle
    if not isinstance(puzzle, Slitherlink):
        return thinned(task)
    keep = numbers(task.members.get("keep"), "keep", puzzle.rows * puzzle.cols)
    unknown = unknown_clues(puzzle)
    puzzle = puzzle.with_clues(dict.fromkeys(unknown))
    with Session(puzzle, memory=task.memory) as session:
        only = task.only_solution(session)
        clues = dict(session.clues)
        session.set(dict.fromkeys(clues))
        made: Any = session.generate(
            loop=only,
            must=[cell for cell in (divmod(one, puzzle.cols) for one in keep) if cell in clues],
            must_not=empty_cells(puzzle),
            symmetry=symmetry_of(task),
            minimal=True,
            **task.how(),
        )
    told = taken_away(len(clues), made.puzzle.number_of_clues)
    told += ": none is redundant" if made.minimal else redundancy(made)
    return Outcome(made.puzzle.with_clues(unknown), made.solution, told)


def add(task: Task) -> Outcome:
    """The fewest more clues that make the board unique."""
    puzzle: Any = task.puzzle
    # Of a board that is not square, the page of its kind.
    if not issubclass(getattr(puzzle, "page", type(puzzle)), Slitherlink):
        raise PuzzleError(f"expected a Slitherlink, found the kind {puzzle.kind!r}")
    found = add_clues(puzzle, **task.within_time())
    return Outcome(found.puzzle, found.solution, str(found))


def clue_line(task: Task) -> Outcome:
    """A puzzle of a line that was drawn; of a Slitherlink, with clues as they are wished."""
    puzzle = task.puzzle
    if not isinstance(puzzle, Slitherlink):
        return clued_line(task)
    board = puzzle.with_clues(dict.fromkeys(cell for cell, _ in puzzle.clue_cells()))
    return _made(task, board, loop=drawn_line(task), **_clue_wishes(task, puzzle.kind))


_TASKS: dict[str, Callable[[Task], Done]] = {
    "new": new_puzzle,
    "mask": fill_mask,
    "complete": complete,
    "thin": thin_out,
    "add": add,
    "line": clue_line,
    "marks": ready_mask,
    "steps": steps,
    "file": file_of,
}


class Making(Tasks):
    """Does tasks on puzzles; with a ``catalogue`` also those that save to it and look into it.

    Cells are told by their numbers in reading order, edges by those of the lattice.
    """

    def __init__(self, limits: Limits | None = None, catalogue: Path | None = None) -> None:
        every = dict(_TASKS)
        if catalogue is not None:
            every["save"], every["find"] = (partial(one, path=catalogue) for one in (saved, found))
        super().__init__(limits or Limits(), every)
