"""The studio in a browser tab: a worker answers the messages of the page, with the plain engine.

`Tab` takes what the page sends to the studio's server (`linkoracle.studio.server`), without a
network. ``docs/how-to/site.md`` shows the page.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from linkoracle.core.errors import LinkOracleError
from linkoracle.studio import texts
from linkoracle.studio.limits import Limits, Tell
from linkoracle.studio.playing import Playing
from linkoracle.studio.questions import Questions
from linkoracle.studio.tab_sessions import Sessions
from linkoracle.studio.tab_tasks import TASKS, offers
from linkoracle.studio.tasks import Tasks
from linkoracle.studio.texts import TEXTS, reason_of

#: Times for an engine that is slower, and solutions up to which it counts. Grades need an
#: installation.
LIMITS = Limits(
    forced=10.0, count=4.0, shares=4.0, conflict=10.0, grade=0.0, making=120.0, solutions=200
)
#: Bytes of a file that may be dropped on the page.
_MAX_BYTES = 100_000


class Tab:
    """Answers one question after the other, by sessions that it keeps.

    >>> tab, told = Tab(), []
    >>> board = {"kind": "slitherlink", "rule": "loop", "rows": 1, "cols": 1, "cells": [4]}
    >>> tab.answer("live", json.dumps(board), told.append)
    >>> [stage["stage"] for stage in told], told[0]["status"]
    (['status', 'forced', 'count', 'redundant', 'done'], 'unique')
    >>> tab.answer("read", "slitherlink\\n5", told.append)
    >>> told[-1]
    {'stage': 'done', 'error': "2:1: expected a clue from 0 to 4 or '?', found 5"}
    """

    def __init__(self) -> None:
        self._sessions = Sessions()
        self._answering: dict[str, Callable[[Any, Tell], None]] = {
            "live": Questions(LIMITS).answer,
            "playing": Playing(LIMITS).answer,
            "making": Tasks(LIMITS, TASKS).answer,
        }

    def answer(self, where: str, text: str, tell: Tell) -> None:
        """Tell the answer in stages, ``done`` at last.

        ``where`` is the address of the question at the server, or ``session``. Raises nothing but
        the ``KeyboardInterrupt`` of `linkoracle.core.limits.heed`.
        """
        if where in self._answering:
            self._answering[where](json.loads(text), tell)
            return
        try:
            found = self._sessions.answer(text) if where == "session" else TEXTS[where](text)
        except LinkOracleError as error:
            found = {"error": reason_of(error)}
        except (ValueError, KeyError, TypeError) as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        tell({"stage": "done", **found})


def about() -> dict[str, Any]:
    """Return what the page asks first: ``kinds`` and ``offers``, as from the server."""
    more: dict[str, Any] = {"files": ["certificate"], "catalogue": None, "grades": []}
    return texts.about(offers, LIMITS, _MAX_BYTES, **more)
