"""The studio: a page in the browser where a puzzle is made while the engines look on.

`linkoracle.studio.server` is the server, on this machine only; ``docs/studio.md`` shows the page.
`Board` is the same board in a notebook.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from linkoracle.core import loader

if TYPE_CHECKING:
    from linkoracle.studio.widget import Board

__all__ = ["Board"]

_load = loader(__name__)


def __getattr__(name: str) -> Any:
    if name != "Board":
        return _load(name)
    # What makes puzzles in a browser needs no notebook.
    if find_spec("anywidget") is None:
        from linkoracle.core.errors import MissingExtra

        raise MissingExtra("boards in notebooks", "notebook")
    from linkoracle.studio.widget import Board

    return Board
