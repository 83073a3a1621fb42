"""The kinds of puzzles: a page each, with its rules and all that is known of them.

`KINDS` has them by name, `register` adds one; ``docs/kinds.md`` builds one step by step.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from linkoracle.kinds.puzzle import Figure, GridPuzzle, Puzzle
from linkoracle.kinds.registry import (
    KINDS,
    PAGES,
    canonical,
    images,
    kind_named,
    register,
    verify,
    violations,
)

if TYPE_CHECKING:
    from linkoracle.kinds.numberlink import Numberlink
    from linkoracle.kinds.simpleloop import SimpleLoop
    from linkoracle.kinds.slitherlink import Slitherlink

__all__ = [
    "KINDS",
    "Figure",
    "GridPuzzle",
    "Numberlink",
    "Puzzle",
    "SimpleLoop",
    "Slitherlink",
    "canonical",
    "images",
    "kind_named",
    "register",
    "verify",
    "violations",
]


def __getattr__(name: str) -> Any:
    for page, found in PAGES.items():
        if found == name:
            return getattr(import_module(f"linkoracle.kinds.{page}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
