"""What everything else may use; imports nothing of ours.

`loader` makes packages load their names and modules when these are first used.
"""

from __future__ import annotations

from importlib import import_module

# Loaded with the package itself: see there for why not from `typing`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

#: Return the SVG of a puzzle, and its board as text. Drawing is above puzzles, so the package sets
#: these functions.
draw_svg: Callable[[Any], str]
draw_text: Callable[[Any], str]


def loader(package: str, homes: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package: it finds the package's modules, and names in them.

    ``homes`` says for each name which module of the package has it.

    >>> load = loader("linkoracle.core", {"LinkOracleError": "errors"})
    >>> load("limits").__name__, load("LinkOracleError").__name__
    ('linkoracle.core.limits', 'LinkOracleError')
    >>> load("sovle")
    Traceback (most recent call last):
        ...
    AttributeError: module 'linkoracle.core' has no attribute 'sovle'
    """

    def load(name: str) -> Any:
        if homes is not None and name in homes:
            return getattr(import_module(f"{package}.{homes[name]}"), name)
        # Python asks for many names of its own, such as __wrapped__.
        if not name.startswith("_"):
            try:
                return import_module(f"{package}.{name}")
            except ModuleNotFoundError as error:
                # What a module lacks that is there is another matter.
                if error.name != f"{package}.{name}":
                    raise
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load


if not TYPE_CHECKING:
    __getattr__ = loader(__name__)
