"""Tools that all other packages use; this one imports none of them.

`exports` makes packages load their names and modules on first use.
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
COMPILED: bool = True

#: Return the SVG of a puzzle or of a solution, a puzzle as a text, and the puzzle of a class in a
#: text. Puzzles must not import the code that draws and reads, so the package sets these functions.
draw_svg: Callable[[Any], str | None]
text_of: Callable[[Any], str]
read_text: Callable[[str, type[Any]], Any]


def exports(
    package: str,
    homes: Mapping[str, str],
    inner: Mapping[str, str] | None = None,
    own: str = "",
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` of a package, from its table of names.

    ``homes`` maps modules of the package to the names in them, separated by spaces; a module is
    loaded when one of its names, or the module itself, is first used. ``inner`` has more names in
    this form, for other packages of linkoracle: they are not in ``__all__``. ``own`` are public
    names of the package itself: its packages, and what ``__init__.py`` defines.

    Type checkers know the names of a table by a stub (``scripts/stubs.py``).

    >>> names, load, _ = exports("linkoracle.core", {"errors": "PuzzleError"})
    >>> names, load("PuzzleError").__name__, load("limits").__name__
    (['PuzzleError'], 'PuzzleError', 'linkoracle.core.limits')
    >>> load("sovle")
    Traceback (most recent call last):
        ...
    AttributeError: module 'linkoracle.core' has no attribute 'sovle'
    """
    public = {name: home for home, names in homes.items() for name in names.split()}
    modules_of = {name: home for home, names in (inner or {}).items() for name in names.split()}
    modules_of |= public

    def load(name: str) -> Any:
        if name in modules_of:
            home = modules_of[name]
            module = home if home.startswith("linkoracle.") else f"{package}.{home}"
            found = getattr(import_module(module), name)
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

    names = sorted([*public, *own.split()])
    return names, load, lambda: sorted({*vars(modules[package]), *modules_of, *names})


def importing(frame: FrameType | None) -> bool:
    """Return whether a module is being imported: one that is interrupted may stay broken."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "errors": (
            "CatalogueError CheckFailed ConflictLimit FormatError Interrupted LinkOracleError "
            "MemoryLimit MissingExtra NoCertificate NotCompiled NotSupported NothingFound "
            "PictureError PuzzleError RunError SearchTimeout WorkersLost"
        ),
    },
    inner={
        "errors": "alternatives counted listing parse_size quoted shown_size",
        "files": "atomic_write cannot_write data_text discard_empty no_folder sqlite_cannot_write",
        "limits": (
            "Call Closing Deadline Interruptible LABELS MANY Option Progress SCALE Timeout "
            "check_call check_memory check_names check_options checked_int checked_limit "
            "checked_memory checked_seconds checked_word declare deferred_signals interruptible "
            "limit_for named options_of"
        ),
        "machine": "default_limit processors share_processors",
        "randomness": (
            "Drawing Sample below big_below pick seed_or_fresh shuffled some source swept"
        ),
    },
)
