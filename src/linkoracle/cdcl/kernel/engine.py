"""The way into the compiled search."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from numba import njit, types
from numba.extending import intrinsic

from linkoracle.cdcl.kernel.learning import add_clause
from linkoracle.cdcl.kernel.questions import leave, search
from linkoracle.cdcl.kernel.state import DROP, FIND, STATE, State
from linkoracle.cdcl.kernel.trials import try_all
from linkoracle.compilation import digest, is_ready


def _address(typing_context, array):  # type: ignore[no-untyped-def] # noqa: ARG001
    """The address of the data of an array."""

    def code(context, builder, signature, arguments):  # type: ignore[no-untyped-def] # noqa: ARG001
        return context.make_array(array)(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), code  # type: ignore[no-untyped-call]


_pointer: Any = intrinsic(_address)


def _way_in(sources: str) -> Any:
    """Make `run`, one way in for all tasks, because every way in compiles all of this once more.

    It holds ``sources``: see `linkoracle.compilation.digest`.
    """

    @njit(cache=True)
    def run(numbers, value, edges, nodes, variables, lists, clauses, arena, task, argument, spare):  # type: ignore[no-untyped-def]
        """Do a task: see `state`. The argument is a number of conflicts, or of literals."""
        _ = sources
        s = State(
            _pointer(numbers),
            _pointer(value),
            _pointer(edges),
            _pointer(nodes),
            _pointer(variables),
            _pointer(lists),
            lists.shape[1],
            _pointer(clauses),
            _pointer(arena),
        )
        if task == FIND:
            return search(s, argument, 0)
        if task == DROP:
            leave(s, 0)
            return 0
        if task == STATE:
            return add_clause(s, argument, 0)
        return try_all(s, argument, spare)

    return run


run = _way_in(digest((files("linkoracle.cdcl") / "kernel").iterdir()))


def compiled() -> bool:
    """Whether the first question need not wait, some ten seconds, until all of this is compiled."""
    return is_ready(run)
