"""New puzzles for the page: of every kind that can be made, as the page asks for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from linkoracle.core.errors import PuzzleError
from linkoracle.core.limits import Option
from linkoracle.generate import SHAPES, Made, MadeSlitherlink, make, request_for
from linkoracle.generate.requests import REQUESTS, made_kinds, made_on_boards, options_for
from linkoracle.kinds import kind_named
from linkoracle.studio.boards import MAX_SIDE, check_size, tiling_of
from linkoracle.studio.tasks import Outcome, Task

#: What a field says where nothing is wished.
ANY = "any"
#: The shapes of lines there, the usual one first.
_SHAPES = ("mix", *(shape for shape in SHAPES if shape not in ("mix", "uniform")))
#: Runs of a maker that knows no other end than the time.
_TRIES = 10**9


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
        asked["rows"], asked["cols"] = _size(task)
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


def _size(task: Task) -> tuple[int, int]:
    rows, cols = task.number("rows", most=MAX_SIDE), task.number("cols", most=MAX_SIDE)
    if rows is None or cols is None:
        raise PuzzleError("expected rows and columns")
    check_size(rows, cols)
    return rows, cols


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
