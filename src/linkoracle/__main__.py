"""Where the programs begin: ``linkoracle``, ``count-solutions`` and ``python -m linkoracle``.

Loading a program takes some tenths of a second. Until it can see to Ctrl-C itself, that ends it
here; so nothing else is imported before.
"""

from __future__ import annotations

import gc
import os
import signal
from importlib import import_module

# Not loaded: that would take longer than all else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


def main() -> None:
    """``linkoracle``, and ``python -m linkoracle``."""
    _load("linkoracle.cli.main")(prog_name="linkoracle")


def count_solutions() -> None:
    """``count-solutions``."""
    _load("linkoracle.cli.count_solutions")(prog_name="count-solutions")


def _load(module: str) -> Any:
    """``main`` of a module. Ctrl-C ends the process meanwhile."""
    # What modules are made of stays; to look through it for garbage takes a tenth of the time.
    gc.disable()
    # NumPy's library for matrices, of which there are none here, would start a thread for each
    # processor: that takes as long as all of NumPy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Otherwise the parent set a handler, such as a shell that runs this in the background.
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual:
        # No exception: raised inside of an import, it can come out as another one, with a
        # traceback.
        signal.signal(signal.SIGINT, _end)
    try:
        return import_module(module).main
    finally:
        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        gc.freeze()
        gc.enable()


def _end(*_: object) -> NoReturn:
    """End as `linkoracle.cli.program.end_interrupted` does; nothing is left to be tidied up yet."""
    try:
        os.write(2, b"interrupted\n")
    finally:
        os._exit(130)


if __name__ == "__main__":
    main()
