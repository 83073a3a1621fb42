"""Tools that all other packages use; this one imports none of them.

`loader` makes packages load their names and modules on first use. `loader`, `OldMethod` and
`OldAttribute` also find names that were renamed (`linkoracle.core.renamed`).
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

    ``homes`` maps a name to the module of the package that defines it. An old name in
    `linkoracle.core.renamed.RENAMED` is found by its new one, with a ``DeprecationWarning``.

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
            from linkoracle.core.renamed import new_name

            new = new_name(package, name)
            if new is not None:
                home, _, new = new.rpartition(".")
                return getattr(import_module(home or package), new)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load


def importing(frame: FrameType | None) -> bool:
    """Return whether a module is being imported: one that is interrupted may stay broken."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


class OldMethod:
    """A member under its old name, which warns: see `linkoracle.core.renamed`."""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self.owner, self.name = owner, name

    def __get__(self, one: object, owner: type[Any]) -> Any:
        from linkoracle.core.renamed import old_member

        return self if one is None else old_member(self.owner, self.name, one)


class OldAttribute(OldMethod):
    """An attribute under its old name, of objects or of their class."""

    def __get__(self, one: object, owner: type[Any]) -> Any:
        from linkoracle.core.renamed import old_member

        return old_member(self.owner, self.name, owner if one is None else one)


def take_old_attributes(kind: type[Any]) -> None:
    """Give a class, by their new names, the attributes that it defines by old names of its bases.

    Called while the class is made. Each old name raises a ``DeprecationWarning``.
    """
    for name in list(vars(kind)):
        for base in kind.__mro__[1:]:
            if isinstance(vars(base).get(name), OldAttribute):
                from linkoracle.core.renamed import rename_attribute

                rename_attribute(kind, base, name)


if not TYPE_CHECKING:
    __getattr__ = loader(__name__)
