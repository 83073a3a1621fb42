"""Tasks of the page that make something, each done by a worker that can be stopped.

`Making` reports the answer to a task in stages, as dictionaries with the key ``stage``:

* ``going``: ``words`` about the current step, and the ``share`` of it that is done, or ``None``;
* ``shown``: the current ``board``, and the ``lines`` of its target solution;
* ``made``: a ``board``, its only solution as ``lines`` (``null`` if it has several), and ``words``
  about the board; of other tasks, the result of their function. If the result depends on chance,
  ``seed`` makes it again;
* ``failed``: the ``reason`` of a failure; for a mask perhaps with the ``nearest`` puzzle, in the
  form of ``made``, and with its ``extra`` cells, which have clues against the mask;
* ``done``: the answer is complete.

The function of a task documents its members besides ``what``. Every task may limit its time with
``seconds``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from linkoracle.board import Lattice, orbits
from linkoracle.core import MANY, Option, PuzzleError, counted
from linkoracle.generate import (
    PATH_OPTIONS,
    PATTERNS,
    REQUESTS,
    SHAPES,
    UNMARKED,
    Made,
    MadeSlitherlink,
    add_clues,
    adds_clues,
    label_spans,
    letters,
    made_kinds,
    made_on_boards,
    make,
    options_for,
    pattern,
    request_for,
    request_on,
    visits_all,
)
from linkoracle.kinds import (
    KINDS,
    Puzzle,
    RegionPuzzle,
    Slitherlink,
    empty_cells,
    kind_named,
    unknown_clues,
)
from linkoracle.session import Session
from linkoracle.studio import puzzle_tasks
from linkoracle.studio.boards import numbers, places, tiling_of
from linkoracle.studio.clues import can_go
from linkoracle.studio.tasks import Done, Limits, Outcome, Task, Tasks

#: The marks of a mask.
MUST, NONE, EITHER = "must", "none", "either"
#: Most letters of a mask; longer words fit on no board.
_MOST_LETTERS = 100

#: The value of a field without a request.
ANY = "any"
#: The shapes of loops on boards that are not square, the default first.
_SHAPES = ("mix", *(shape for shape in SHAPES if shape not in ("mix", "uniform")))
#: Attempts of a generator that only the time limit ends.
_TRIES = 10**9


def offers(kind: str, *, on_faces: bool = False) -> dict[str, Any]:
    """Return the tasks for a kind, and the options of its new puzzles.

    With ``on_faces``, those on boards that are not square. ``visitsAll`` is whether the loop of a
    new puzzle visits every cell or dot, for which their number must be even.

    >>> offers("simpleloop")["new"][0]["values"][:3], offers("detour")["visitsAll"]
    (['any', 'easy', 'normal'], True)
    """
    is_made = made_on_boards(kind) if on_faces else kind in made_kinds()
    new = form_of(kind, on_faces=on_faces) if is_made else None
    clued = issubclass(KINDS[kind], Slitherlink)
    if on_faces:
        return {"tasks": ["line", "thin", "add"] * clued, "new": new, "visitsAll": False}
    tasks = ["line", *["mask", "complete"] * ("mask" in _options(kind))]
    tasks += [*["thin"] * can_go(KINDS[kind]), *["add"] * adds_clues(KINDS[kind])]
    patterns = list(PATTERNS) if clued else None
    every = is_made and visits_all(kind_named(kind))
    return {"tasks": tasks, "new": new, "patterns": patterns, "visitsAll": every}


def _options(kind: str) -> dict[str, Option]:
    """Return the options of a kind that can be made."""
    return options_for(kind) if kind in made_kinds() else {}


def outcome_of(made: Made) -> Outcome:
    """Return the outcome for the result of a generator."""
    return Outcome(made.puzzle, made.solution, words(made))


def new_puzzle(task: Task) -> Outcome:
    """Generate a puzzle of a kind: of a size, or on the faces of a ``tiling``."""
    kind = kind_named(str(task.members.get("kind"))).kind
    on_faces = task.members.get("tiling") is not None
    if not (made_on_boards(kind) if on_faces else kind in made_kinds()):
        raise PuzzleError(f"no puzzles of the kind {kind!r} can be generated{' here' * on_faces}")
    options = chosen_options(task, kind, on_faces=on_faces)
    declared, variants = options_for(kind, on_board=on_faces), [*kind_named(kind).variants]
    if on_faces:
        options["board"] = tiling_of(task.members["tiling"])
        variants = [*declared["variant"].words] if "variant" in declared else variants[:1]
    else:
        options["rows"], options["cols"] = task.rows_and_cols()
    variant = task.word("variant", variants, variants[0])
    if "variant" in declared:
        options["variant"] = variant
    elif variant == "path" and kind in REQUESTS:
        options["ends"] = "random"
    elif "fill" in declared:
        options["fill"] = variant == "fill"
    if "memory" in declared:
        options["memory"] = task.memory
    if kind not in REQUESTS:
        options["tries"] = _TRIES
    return outcome_of(make(request_for(kind, **options), **task.how()))


def words(made: Made) -> str:
    """Say how many clues a puzzle has, and how many are needed, as far as known."""
    clues = f"{made.puzzle.number_of_clues} {made.puzzle.unit}"
    if not isinstance(made, MadeSlitherlink):
        return clues
    if made.redundant or made.lower_bound is None:
        return clues + redundancy(made)
    if made.minimal:
        return f"{clues}: the minimum for this solution"
    return f"{clues}; at least {made.lower_bound} are needed for this solution"


def redundancy(made: MadeSlitherlink) -> str:
    """Say how many clues are redundant, if any are."""
    if not made.redundant:
        return ""
    return f"; {len(made.redundant)} of them are redundant, kept for other options"


def chosen_options(task: Task, kind: str, *, on_faces: bool = False) -> dict[str, Any]:
    """Return the values that a task gives to the options that the page offers."""
    options: dict[str, Any] = {}
    for name, option in _offered(kind, on_faces).items():
        if choices := _choices(option):
            word = task.word(name, choices, choices[0])
            options[name] = None if word == ANY else word
        else:
            # A field that is left empty says nothing.
            options[name] = task.option(name, option, option.default) or option.default
    if options.get("strategy") == "fewest":
        # The fewest are minimal anyway.
        options["minimal"] = False
    return options


def form_of(kind: str, *, on_faces: bool = False) -> list[dict[str, Any]]:
    """Return the fields for the options of a kind, each with its name, title, type and values.

    The first value is the default. Fields of the types ``number``, ``text`` and ``flag`` have no
    values, those of the path of a puzzle a ``help``. Difficulties that not every board reaches have
    ``cells``: the fewest and the most cells.

    >>> fields = {field["name"]: field for field in form_of("numberlink")}
    >>> [name for name, field in fields.items() if "help" not in field]
    ['difficulty', 'pairs', 'symmetry']
    >>> fields["steps"]["type"], fields["difficulty"]["values"][:2]
    ('text', ['any', 'easy'])
    """
    fields = [_field(name, one) for name, one in _offered(kind, on_faces).items()]
    spans = {} if on_faces else label_spans(kind)
    limited = {label: list(span) for label, span in spans.items() if span != (1, MANY)}
    return [
        {**field, "cells": limited} if field["name"] == "difficulty" else field for field in fields
    ]


def _offered(kind: str, on_faces: bool) -> dict[str, Option]:
    """Return the options of a request that the page offers."""
    every = options_for(kind, on_board=on_faces).items()
    titled = {name: option for name, option in every if option.title}
    if on_faces and "shape" in titled:
        titled["shape"] = replace(titled["shape"], offered=_SHAPES)
    return titled


def _choices(option: Option) -> list[str]:
    """Return the words that the page offers for an option, the default first."""
    words = [*(option.offered or option.words)]
    return [ANY, *words] if words and option.default is None else words


def _field(name: str, option: Option) -> dict[str, Any]:
    field = {"name": name, "title": option.title}
    if name in PATH_OPTIONS:
        field["help"] = option.help
    if choices := _choices(option):
        return {**field, "type": "choice", "values": choices}
    if option.default is False:
        return {**field, "type": "flag"}
    return {**field, "type": "text" if option.form else "number"}


def fill_mask(task: Task) -> Outcome:
    """Put clues where ``marks`` allow: a list with "must", "none", "either" or null for each cell.

    ``unmarked`` is the meaning of null, "none" or "either". A Slitherlink keeps its clues; other
    kinds keep the cells of theirs.
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
    """Add the clues that the ``symmetry`` needs; with ``more``, also clues elsewhere."""
    puzzle, symmetry = task.puzzle, puzzle_tasks.symmetry_of(task)
    shown = _clued(puzzle)
    if not shown or symmetry == "none":
        raise PuzzleError("expected some clues and a symmetry")
    every = orbits(Lattice(puzzle.rows + 1, puzzle.cols + 1), symmetry)
    must = {cell for orbit in every if not shown.isdisjoint(orbit) for cell in orbit}
    if must == shown:
        raise PuzzleError("the clues have this symmetry already")
    none = set() if task.flag("more") else set(range(puzzle.rows * puzzle.cols)) - must
    # Paths need not be symmetric for their ends to be.
    return _filled(task, puzzle, must, none, symmetry="none")


def _clued(puzzle: Puzzle) -> set[int]:
    return {*places(puzzle, (cell for cell, _ in puzzle.clue_cells()))}


def _filled(task: Task, puzzle: Puzzle, must: set[int], none: set[int], **of_paths: Any) -> Outcome:
    """Generate a puzzle with clues in the cells of ``must``, and in none of ``none``."""
    kind, clued, marked = puzzle.kind, len(must), len(must) + len(none)
    declared = _options(kind)
    if "mask" not in declared:
        raise PuzzleError(f"no puzzles of the kind {kind!r} are generated from masks")
    # Where all cells are marked, there is no choice of clues.
    exact = marked == puzzle.rows * puzzle.cols
    options: dict[str, Any]
    if kind not in REQUESTS:
        # A cell with a clue has it already.
        must = must - _clued(puzzle)
        options = chosen_options(task, kind)
        # The cells are chosen.
        options.pop("symmetry", None)
    elif "strategy" in declared:
        options = {"strategy": "mask"} if exact else _clue_options(task, kind)
    else:
        if exact and clued % 2:
            raise PuzzleError(f"numbers come in pairs, and there are {counted(clued, 'place')}")
        pairs = clued // 2 if exact else task.number("pairs", most=marked // 2 + 1)
        options = {**chosen_options(task, kind), **of_paths, "pairs": pairs}
    where = {
        name: [divmod(cell, puzzle.cols) for cell in sorted(cells)]
        for name, cells in {"must": must, "must_not": none}.items()
    }
    return _made(task, puzzle, **options, **where)


def _made(task: Task, puzzle: Puzzle, **options: Any) -> Outcome:
    """Generate a puzzle on a board."""
    return outcome_of(make(request_on(puzzle, **options), **task.how()))


def _clue_options(task: Task, kind: str) -> dict[str, Any]:
    """Return the options for the clues of a puzzle, without those for its solution."""
    return {name: one for name, one in chosen_options(task, kind).items() if name != "shape"}


def ready_mask(task: Task) -> dict[str, Any]:
    """Return the marks of a ``pattern`` by its name, or of ``letters``, for the whole board."""
    puzzle, drawn = task.puzzle, task.members.get("letters")
    if isinstance(drawn, str):
        rows = letters(drawn[:_MOST_LETTERS], puzzle.rows, puzzle.cols)
    else:
        named: Any = task.word("pattern", PATTERNS)
        rows = pattern(named, puzzle.rows, puzzle.cols)
    marks = {"#": MUST, ".": NONE, "?": EITHER, "_": None}
    return {"marks": [marks[mark] for row in rows for mark in row]}


def reduce_clues(task: Task) -> Outcome:
    """Remove all redundant clues but those of ``keep``, a list of cells."""
    puzzle: Any = task.puzzle
    if not _has_options(puzzle):
        return puzzle_tasks.reduced(task)
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
            symmetry=puzzle_tasks.symmetry_of(task),
            minimal=True,
            **task.how(),
        )
    message = puzzle_tasks.removed(len(clues), made.puzzle.number_of_clues)
    message += ": none is redundant" if made.minimal else redundancy(made)
    return Outcome(made.puzzle.with_clues(unknown), made.solution, message)


def _has_options(puzzle: Puzzle) -> bool:
    """Return whether the options of new puzzles apply: to Slitherlinks of rows and columns."""
    # The options are about masks and given lines, which need rows and columns.
    return isinstance(puzzle, Slitherlink) and puzzle.tiling is None


def add(task: Task) -> Outcome:
    """Add as few clues as possible so that the solution is unique."""
    puzzle: Any = task.puzzle
    added = add_clues(puzzle, **task.within_time())
    return Outcome(added.puzzle, added.solution, str(added))


def clue_drawn(task: Task) -> Outcome:
    """Return a puzzle with the drawn solution, with clues as the options request where they may."""
    puzzle: Any = task.puzzle
    lacks_regions = isinstance(puzzle, RegionPuzzle) and not puzzle.regions
    designed = "loop" in _options(puzzle.kind) and puzzle.kind not in REQUESTS
    if designed and not lacks_regions:
        drawn, options = puzzle_tasks.drawn_solution(task), chosen_options(task, puzzle.kind)
        return _made(task, puzzle, loop=drawn, **options)
    if not _has_options(puzzle):
        return puzzle_tasks.drawn_puzzle(task)
    board = puzzle.with_clues(dict.fromkeys(cell for cell, _ in puzzle.clue_cells()))
    return _made(
        task, board, loop=puzzle_tasks.drawn_solution(task), **_clue_options(task, puzzle.kind)
    )


_TASKS: dict[str, Callable[[Task], Done]] = {
    "new": new_puzzle,
    "mask": fill_mask,
    "complete": complete,
    "thin": reduce_clues,
    "add": add,
    "line": clue_drawn,
    "marks": ready_mask,
    "steps": puzzle_tasks.steps,
    "file": puzzle_tasks.file_of,
}


class Making(Tasks):
    """Do tasks on puzzles; with a ``catalogue`` also those that save puzzles to it and find them.

    Cells are numbers in reading order, edges those of the lattice.
    """

    def __init__(self, limits: Limits | None = None, catalogue: Path | None = None) -> None:
        every = dict(_TASKS)
        if catalogue is not None:
            every["save"], every["find"] = (
                partial(work, path=catalogue) for work in (puzzle_tasks.save, puzzle_tasks.find)
            )
        super().__init__(limits or Limits(), every)
