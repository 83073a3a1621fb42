"""Old names, which keep working for one more version and raise a ``DeprecationWarning``.

`RENAMED` is the only list of them. `linkoracle.core.loader` finds the old names of a module in it,
`linkoracle.core.OldMethod` those of members, and `with_old_arguments` those of arguments. A base
class of users' classes calls `linkoracle.core.take_old_attributes` for each derived class. So that
type checkers accept old names, the modules declare them under ``TYPE_CHECKING``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar
from warnings import warn

Function = TypeVar("Function", bound=Callable[..., Any])

#: By module, class or function: the new name of each old name, member or keyword argument. An old
#: method named ``..._within`` took a `Deadline` first, which the new one takes as ``timeout``.
#: The new name of what was in an old module begins with the new module.
RENAMED: dict[str, dict[str, str]] = {
    "linkoracle": {
        "Tally": "CountResult",
        "certify": "decide",
        "tally": "count_result",
        "verify": "check_solution",
    },
    "linkoracle.batch.Cluster.__init__": {"patience": "timeout"},
    "linkoracle.batch.Processes.__init__": {"patience": "serial_seconds"},
    "linkoracle.board.model.LinkModel": {"freed": "relaxed"},
    "linkoracle.catalogue.catalogue.Catalogue.add": {"maker": "source"},
    "linkoracle.catalogue.catalogue.Catalogue.find": {"wanted": "criteria"},
    "linkoracle.catalogue.catalogue.Catalogue.stats": {"wanted": "criteria"},
    "linkoracle.catalogue.filter.Filter": {
        "fits_maker": "fits_source",
        "looks": "layout",
        "makers": "sources",
    },
    "linkoracle.catalogue.filter.Filter.__init__": {"looks": "layout", "makers": "sources"},
    "linkoracle.catalogue.record.Record": {"looks": "layout", "maker": "source"},
    "linkoracle.census.board.BoardCensus": {"barren": "unclueable"},
    "linkoracle.census.numberlink.instances": {"store": "checkpoint"},
    "linkoracle.deduce": {
        "Board": "DeductionState",
        "course": "technique_runs",
        "walk": "solve_path",
    },
    "linkoracle.deduce.board": {"Board": "DeductionState"},
    "linkoracle.deduce.board.DeductionState": {
        "begin_within": "begin",
        "deduce_within": "deduce",
        "freed": "relaxed",
        "guess_within": "guess",
        "show_within": "show",
        "trials": "guesses",
    },
    "linkoracle.deduce.board.DeductionState.__new__": {"freed": "relaxed"},
    "linkoracle.deduce.grading.Within": {"judge": "check"},
    "linkoracle.deduce.grading.grade": {"asked": "puzzle"},
    "linkoracle.engines": {"Question": "Query"},
    "linkoracle.engines.Query": {"tally": "count_result"},
    "linkoracle.frontier.counts.count": {"asked": "puzzle"},
    "linkoracle.frontier.diagram.Diagram": {"edge_shares": "edge_frequencies"},
    "linkoracle.frontier.diagram.Diagram.build": {"asked": "puzzle"},
    "linkoracle.frontier.counts.by_length": {"asked": "puzzle"},
    "linkoracle.generate": {"Thinned": "Reduced", "thin": "reduce_clues"},
    "linkoracle.generate.adding.add_clues": {"watch": "preview"},
    "linkoracle.generate.puzzle_maker.puzzle": {"watch": "preview"},
    "linkoracle.generate.making.Reduced": {"questions": "queries"},
    "linkoracle.generate.puzzle_maker.puzzles": {"wanted": "limit", "watch": "preview"},
    "linkoracle.generate.numberlink_maker.numberlink": {"watch": "preview"},
    "linkoracle.generate.numberlink_maker.numberlinks": {"wanted": "limit"},
    "linkoracle.generate.slitherlink_maker.slitherlink": {"watch": "preview"},
    "linkoracle.generate.slitherlink_maker.slitherlinks": {"wanted": "limit"},
    "linkoracle.generate.numberlink_request.NumberlinkRequest": {"links": "pair_range"},
    "linkoracle.generate.reducing.reduce_clues": {"watch": "preview"},
    "linkoracle.session.Session.generate": {"watch": "preview"},
    "linkoracle.kinds": {"Listed": "AnnotationList", "verify": "check_solution"},
    "linkoracle.kinds.grid.GridPuzzle": {"least": "min_clue", "most": "max_clue"},
    "linkoracle.kinds.plane.PlanePuzzle": {"page": "grid_kind"},
    "linkoracle.kinds.puzzle": {"Listed": "AnnotationList"},
    "linkoracle.kinds.puzzle.DrawnPuzzle": {"points": "annotations"},
    "linkoracle.looks": {
        old: f"linkoracle.layout_statistics.{new}"
        for old, new in {
            "BLOCK": "BLOCK",
            "ClueLooks": "ClueStatistics",
            "FaceLooks": "FaceStatistics",
            "LinkLooks": "PathStatistics",
            "Looks": "LayoutStatistics",
            "SHORT": "SHORT",
            "bands": "bands",
            "block_densities": "block_densities",
            "clue_looks": "clue_statistics",
            "empty_rectangle": "empty_rectangle",
            "face_looks": "face_statistics",
            "has_looks": "has_layout_statistics",
            "link_looks": "path_statistics",
            "longest_run": "longest_run",
            "looks": "layout_statistics",
        }.items()
    },
    "linkoracle.sat.answers": {"Tally": "CountResult"},
    "linkoracle.sat.oracle.Oracle": {
        "another_within": "another",
        "ask_within": "ask",
        "contradiction_within": "contradiction",
        "solutions_within": "solutions",
    },
    "linkoracle.search.alternatives.Alternatives": {
        "find_within": "find",
        "questions": "queries",
        "settle": "fix_clues",
        "thin": "reduce",
        "thin_within": "reduce",
    },
    "linkoracle.search.alternatives.Alternatives.fix_clues": {"stay": "keep"},
    "linkoracle.solving": {"Tally": "CountResult", "certify": "decide", "tally": "count_result"},
    "linkoracle.solving.count": {"asked": "puzzle"},
    "linkoracle.solving.count_result": {"asked": "puzzle"},
    "linkoracle.solving.decide": {"asked": "puzzle"},
    "linkoracle.solving.diagram": {"asked": "puzzle"},
    "linkoracle.solving.is_unique": {"asked": "puzzle"},
    "linkoracle.solving.solutions": {"asked": "puzzle"},
    "linkoracle.solving.solve": {"asked": "puzzle"},
}


def new_name(package: str, name: str) -> str | None:
    """Return the new name of an old name of a module, with a warning; ``None`` if it has none.

    Called by the ``__getattr__`` of a module, or by what that calls.
    """
    new = RENAMED.get(package, {}).get(name)
    if new is not None:
        above = sys._getframe(2).f_code.co_name
        _warn(f"{package}.{name}", new, 5 if above == "__getattr__" else 4)
    return new


def old_member(owner: type[Any], name: str, one: object) -> Any:
    """Return the member of ``one`` for an old name that its class ``owner`` had, with a warning.

    Called by `linkoracle.core.OldMethod` and `linkoracle.core.OldAttribute`.
    """
    new = RENAMED[f"{owner.__module__}.{owner.__qualname__}"][name]
    _warn(f"{owner.__qualname__}.{name}", new, 4)
    member = getattr(one, new)
    if not name.endswith("_within"):
        return member
    return lambda deadline, *args, **given: member(*args, timeout=deadline, **given)


def rename_attribute(kind: type[Any], owner: type[Any], name: str) -> None:
    """Give a class an attribute that it defines by an old name of its base, with a warning."""
    new = RENAMED[f"{owner.__module__}.{owner.__qualname__}"][name]
    # Behind `take_old_attributes`, ``__init_subclass__`` and the metaclass `abc.ABCMeta`.
    _warn(f"{kind.__qualname__}.{name}", new, 6)
    setattr(kind, new, vars(kind)[name])


def with_old_arguments(function: Function) -> Function:
    """Make a function accept its old keyword arguments, too."""
    names = RENAMED[f"{function.__module__}.{function.__qualname__}"]
    called = function.__qualname__.removesuffix(".__init__").removesuffix(".__new__")
    called = called.rpartition(".")[2]

    def renamed(given: dict[str, Any]) -> dict[str, Any]:
        for name in names.keys() & given.keys():
            _warn(f"the argument {name} of {called}()", names[name], 4)
        return {names.get(name, name): value for name, value in given.items()}

    def call(*args: Any, **given: Any) -> Any:
        return function(*args, **(given if names.keys().isdisjoint(given) else renamed(given)))

    # With the globals of the function, so that doctest finds it in its module.
    made = FunctionType(call.__code__, function.__globals__, None, None, call.__closure__)
    wrapper: Function = wraps(function)(made)  # type: ignore[assignment]
    return wrapper


def _warn(old: str, new: str, level: int) -> None:
    message = f"{old} is now {new}: the old name goes with the next version"
    warn(message, DeprecationWarning, stacklevel=level)
