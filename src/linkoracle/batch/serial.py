"""`Serial`: the executor that works here and now."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class Serial(Executor):
    """Does each job in this process before `submit` returns: nothing is pickled.

    >>> Serial().submit(max, 2, 3).result()
    3
    """

    workers = 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A future that is done. Ctrl-C is not an answer and comes out at once."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future
