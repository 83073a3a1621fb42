"""New puzzles for the page: of every kind that has a maker, as the page asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from linkoracle.board.solution import Solution
from linkoracle.core.errors import PuzzleError
from linkoracle.core.limits import Option, options_of
from linkoracle.deduce.grading import LABELS, Within, within
from linkoracle.generate import (
    Made,
    MadeSlitherlink,
    NumberlinkRequest,
    SlitherlinkRequest,
    makers,
    numberlink,
    puzzles,
    slitherlink,
)
from linkoracle.kinds import KINDS, Puzzle, kind_named
from linkoracle.studio.boards import MAX_SIDE, check_size
from linkoracle.studio.tasks import Task

#: What a field says where nothing is wished.
ANY = "any"
#: The requests of kinds with makers of their own, and who makes what they ask for.
MAKERS: Mapping[str, tuple[type[Any], Callable[..., Made]]] = {
    "slitherlink": (SlitherlinkRequest, slitherlink),
    "numberlink": (NumberlinkRequest, numberlink),
}


@dataclass(frozen=True)
class Outcome:
    """A puzzle, its only solution unless it has several, and what there is to say of both."""

    puzzle: Puzzle
    solution: Solution | None
    words: str

    @classmethod
    def of(cls, made: Made) -> Self:
        """What came of a maker."""
        return cls(made.puzzle, made.solution, words(made))


def new_puzzle(task: Task) -> Outcome:
    """A puzzle of a kind and a size."""
    kind = task.word("kind", KINDS)
    if kind not in MAKERS and kind not in makers():
        raise PuzzleError(f"no puzzles of the kind {kind!r} can be made")
    rows, cols = task.number("rows", most=MAX_SIDE), task.number("cols", most=MAX_SIDE)
    if rows is None or cols is None:
        raise PuzzleError("expected rows and columns")
    check_size(rows, cols)
    if kind not in MAKERS:
        return Outcome.of(_of_any_kind(task, rows, cols))
    asked = wishes(task, kind)
    rules = kind_named(kind).rules
    rule = task.word("rule", rules, next(iter(rules)))
    if MAKERS[kind][0] is NumberlinkRequest:
        asked["rule"] = rule
    elif rule == "path":
        asked["ends"] = "random"
    if asked.get("shape") == "uniform":
        asked["shape_options"] = {"memory": task.memory}
    return Outcome.of(make(task, kind, rows, cols, **asked))


def make(task: Task, kind: str, rows: int, cols: int, **asked: Any) -> Made:
    """What the maker of a kind makes of a request."""
    request, maker = MAKERS[kind]
    return maker(request(rows, cols, **asked), **task.how())


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
    label = task.word("grade", [ANY, *LABELS], ANY)
    return None if label == ANY else within(label, least=label)


def wishes(task: Task, kind: str) -> dict[str, Any]:
    """What is wished of a puzzle: the options that the page offers, and the grade."""
    asked: dict[str, Any] = {"keeps": grade_asked(task)}
    for name, (option, default) in _offered(MAKERS[kind][0]).items():
        asked[name] = task.option(name, option, default)
    if asked.get("strategy") == "fewest":
        if asked["keeps"] is not None:
            raise PuzzleError("the fewest clues and a grade cannot be asked for together")
        # The fewest are minimal anyway.
        asked["minimal"] = False
    return asked


def _of_any_kind(task: Task, rows: int, cols: int) -> Made:
    """Puzzles by the maker on the page of their kind, until one has the grade asked for."""
    keeps, kind = grade_asked(task), task.word("kind", KINDS)
    made_all: Iterator[Made] = puzzles(kind, rows, cols, **task.how())
    for tried, made in enumerate(made_all, start=1):
        task.deadline.check()
        if keeps is None or keeps.judge(made.puzzle, task.deadline) == 0:
            return made
        task.progress(f"{tried} of other grades")
    raise AssertionError("makers end with an error only")


def form_of(kind: str) -> list[dict[str, Any]]:
    """The wishes that the maker of a kind knows, each with its name, a title and its values.

    The first value is the usual one. A field without values is a number or, where that is said, yes
    or no.

    >>> [field["name"] for field in form_of("numberlink")]
    ['grade', 'pairs', 'symmetry']
    """
    grades = {"name": "grade", "title": "Grade", "type": "choice", "values": [ANY, *LABELS]}
    offered = _offered(MAKERS[kind][0]) if kind in MAKERS else {}
    return [grades, *(_field(name, *one) for name, one in offered.items())]


def _offered(request: type[Any]) -> dict[str, tuple[Option, Any]]:
    """The options of a request that the page offers, and their defaults."""
    default = {one.name: one.default for one in fields(request)}
    return {name: (one, default[name]) for name, one in options_of(request).items() if one.title}


def _field(name: str, option: Option, default: Any) -> dict[str, Any]:
    field = {"name": name, "title": option.title}
    if option.words:
        return {**field, "type": "choice", "values": [*(option.offered or option.words)]}
    return {**field, "type": "flag" if default is False else "number"}
