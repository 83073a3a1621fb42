"""Where the programs begin: ``linkoracle``, ``count-solutions`` and ``python -m linkoracle``.

Loading a program takes tenths of a second. Until the program can handle Ctrl-C, this module does:
it imports nothing else first.
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
    """Run ``linkoracle``, also as ``python -m linkoracle``."""
    _load("linkoracle.cli.main")(prog_name="linkoracle")


def count_solutions() -> None:
    """Run ``count-solutions``."""
    _load("linkoracle.cli.count_solutions")(prog_name="count-solutions")


def _load(module: str) -> Any:
    """Load a module and return its ``main``; Ctrl-C ends the process meanwhile."""
    # Objects of modules are never garbage; searching them takes a tenth of the time.
    gc.disable()
    # NumPy's linear algebra library, not used here, would start a thread for each processor, which
    # takes as long as loading NumPy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Otherwise the parent set a handler, such as a shell that runs this in the background.
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual:
        # Not an exception: raised inside an import, it may turn into another one, with a traceback.
        signal.signal(signal.SIGINT, _end)
    try:
        return import_module(module).main
    finally:
        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        gc.freeze()
        gc.enable()


def _end(*_: object) -> NoReturn:
    """End like `linkoracle.cli.program.end_interrupted`; there is nothing to clean up yet."""
    try:
        os.write(2, b"interrupted\n")
    finally:
        os._exit(130)


if __name__ == "__main__":
    main()
