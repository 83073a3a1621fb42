"""What everything else may use; imports nothing of ours.

`loader` makes packages load their names and modules when these are first used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

_NONE: Mapping[str, str] = MappingProxyType({})


def loader(package: str, homes: Mapping[str, str] = _NONE) -> Callable[[str], Any]:
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
        if name in homes:
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
