"""The studio: a page in the browser where puzzles are designed while the engines analyse them.

`linkoracle.studio.server` is the server, on this machine only; ``docs/how-to/studio.md`` shows the
page. `Board` is the same board in a notebook.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "widget": "Board",
    },
    inner={
        "server": "run",
    },
)
