"""The studio: a page in the browser where puzzles are designed while the engines analyse them.

`linkoracle.studio.server` is the server, on this machine only; ``docs/how-to/studio.md`` shows the
page. `Board` is the same board in a notebook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkoracle.core import loader

if TYPE_CHECKING:
    from linkoracle.studio.widget import Board

__all__ = ["Board"]

if not TYPE_CHECKING:
    __getattr__ = loader(__name__, {"Board": "widget"})
