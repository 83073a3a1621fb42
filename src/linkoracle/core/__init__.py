"""Tools that all other packages use; this one imports none of them.

`loader` makes packages load their names and modules on first use.
"""

from __future__ import annotations

from importlib import import_module
from sys import modules

# Importing `typing` here would delay every program: see `linkoracle/__init__.py`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType
    from typing import Any

#: Whether the package has its compiled modules. The wheel for a browser tab has none, and says so
#: here (`scripts/pure_wheel.py`): then the plain engine answers, and other modules raise
#: `NotCompiled`.
COMPILED = True

#: Return the SVG of a puzzle, and its board as text. Puzzles must not import the drawing code, so
#: the package sets these functions.
draw_svg: Callable[[Any], str]
draw_text: Callable[[Any], str]


def loader(package: str, homes: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package: it finds the package's modules, and names in them.

    ``homes`` maps a name to the module of the package that defines it.

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
            found = getattr(import_module(f"{package}.{homes[name]}"), name)
            # The next use finds it at once.
            setattr(modules[package], name, found)
            return found
        # Python itself looks up many special names, such as __wrapped__.
        if not name.startswith("_"):
            try:
                return import_module(f"{package}.{name}")
            except ModuleNotFoundError as error:
                # Raise if the module exists and fails to import something itself.
                if error.name != f"{package}.{name}":
                    raise
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load


def importing(frame: FrameType | None) -> bool:
    """Return whether a module is being imported: one that is interrupted may stay broken."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


if not TYPE_CHECKING:
    __getattr__ = loader(__name__)
