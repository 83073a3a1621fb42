"""New puzzles for the page: of every kind that has a maker, as the page asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from linkoracle.board.symmetry import SYMMETRIES
from linkoracle.core.errors import PuzzleError
from linkoracle.deduce.grading import LABELS, Label, Within, within
from linkoracle.generate import (
    SHAPES,
    Made,
    MadeSlitherlink,
    NumberlinkRequest,
    SlitherlinkRequest,
    makers,
    numberlink,
    puzzles,
    slitherlink,
)
from linkoracle.kinds import KINDS, kind_named
from linkoracle.studio.boards import MAX_CELLS, MAX_SIDE, check_size
from linkoracle.studio.tasks import Task

#: What a field says where nothing is wished.
ANY = "any"
#: How clues of Slitherlinks are taken away, of what the library knows: the others need a number of
#: clues, or a mask.
STRATEGIES = ("even", "core", "random", "prefix", "fewest")


def new_puzzle(task: Task) -> tuple[Made, str]:
    """A puzzle of a kind and a size, and what there is to say of it."""
    kind = task.one_of("kind", KINDS)
    if kind not in WITH_WISHES and kind not in makers():
        raise PuzzleError(f"no puzzles of the kind {kind!r} can be made")
    rows, cols = task.number("rows", 1, MAX_SIDE), task.number("cols", 1, MAX_SIDE)
    if rows is None or cols is None:
        raise PuzzleError("expected rows and columns")
    check_size(rows, cols)
    made = WITH_WISHES.get(kind, _of_any_kind)(task, rows, cols)
    return made, words(made)


def words(made: Made) -> str:
    """How many clues a puzzle has, and what is known of how many it needs."""
    told = f"{made.puzzle.number_of_clues} {made.puzzle.unit}"
    if not isinstance(made, MadeSlitherlink):
        return told
    if made.redundant:
        return f"{told}; {len(made.redundant)} of them are redundant, kept for other options"
    if made.lower_bound is None:
        return told
    if made.minimal:
        return f"{told}: no puzzle of this line has fewer"
    return f"{told}; at least {made.lower_bound} are needed for this line"


def grade_asked(task: Task) -> Within | None:
    """What the puzzle must be to have the grade that is asked for."""
    label = task.one_of("grade", [ANY, *LABELS], ANY)
    if label == ANY:
        return None
    known: Label = next(one for one in LABELS if one == label)
    return within(known, least=known)


def symmetry_asked(task: Task) -> Any:
    """The symmetry asked for, by its name."""
    return task.one_of("symmetry", SYMMETRIES, "none")


def clue_wishes(task: Task) -> dict[str, Any]:
    """What is wished of the clues of a Slitherlink."""
    strategy, keeps = task.one_of("strategy", STRATEGIES, "even"), grade_asked(task)
    if strategy == "fewest" and keeps is not None:
        raise PuzzleError("the fewest clues and a grade cannot be asked for together")
    return {
        "strategy": strategy,
        "symmetry": symmetry_asked(task),
        # The fewest are minimal anyway.
        "minimal": task.flag("minimal") and strategy != "fewest",
        "keeps": keeps,
    }


def _slitherlink(task: Task, rows: int, cols: int) -> Made:
    shape: Any = task.one_of("shape", SHAPES, "mix")
    rule = task.one_of("rule", kind_named("slitherlink").rules, "loop")
    request = SlitherlinkRequest(
        rows,
        cols,
        shape=shape,
        shape_options={"memory": task.memory} if shape == "uniform" else {},
        ends="random" if rule == "path" else None,
        **clue_wishes(task),
    )
    return slitherlink(request, **task.how())


def _numberlink(task: Task, rows: int, cols: int) -> Made:
    rule: Any = task.one_of("rule", kind_named("numberlink").rules, "free")
    request = NumberlinkRequest(
        rows,
        cols,
        rule=rule,
        pairs=task.number("pairs", 1, MAX_CELLS // 2),
        symmetry=symmetry_asked(task),
        keeps=grade_asked(task),
    )
    return numberlink(request, **task.how())


def _of_any_kind(task: Task, rows: int, cols: int) -> Made:
    """Puzzles by the maker on the page of their kind, until one has the grade asked for."""
    keeps, kind = grade_asked(task), task.one_of("kind", KINDS)
    made_all: Iterator[Made] = puzzles(kind, rows, cols, **task.how())
    for tried, made in enumerate(made_all, start=1):
        task.deadline.check()
        if keeps is None or keeps.judge(made.puzzle, task.deadline) == 0:
            return made
        task.progress(f"{tried} of other grades")
    raise AssertionError("makers end with an error only")


#: Kinds with makers of their own, which know more wishes.
WITH_WISHES: Mapping[str, Callable[[Task, int, int], Made]] = {
    "slitherlink": _slitherlink,
    "numberlink": _numberlink,
}


def fields(kind: str) -> list[dict[str, Any]]:
    """The wishes that the maker of a kind knows, each with its name, a title and its values.

    A field without values is a number or, where that is said, yes or no.

    >>> [field["name"] for field in fields("numberlink")]
    ['grade', 'symmetry', 'pairs']
    """
    found: list[dict[str, Any]] = [_choice("grade", "Grade", [ANY, *LABELS])]
    if kind in WITH_WISHES:
        found.append(_choice("symmetry", "Symmetry", SYMMETRIES))
    return [*found, *_FIELDS.get(kind, ())]


def _choice(name: str, title: str, values: Any) -> dict[str, Any]:
    return {"name": name, "title": title, "type": "choice", "values": list(values)}


#: The wishes that only the maker of one kind knows.
_FIELDS: Mapping[str, Sequence[dict[str, Any]]] = {
    "slitherlink": (
        _choice("shape", "Shape", SHAPES),
        _choice("strategy", "Clues", STRATEGIES),
        {"name": "minimal", "title": "No clue too many", "type": "flag"},
    ),
    "numberlink": ({"name": "pairs", "title": "Pairs", "type": "number"},),
}
