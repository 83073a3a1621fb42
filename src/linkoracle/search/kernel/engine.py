"""The way into the compiled search, and many questions in a row: which clues can go?"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from numba import njit, types
from numba.extending import intrinsic

from linkoracle.core.compilation import digest, is_ready
from linkoracle.search.kernel import state as st
from linkoracle.search.kernel.propagation import add_clause, backtrack
from linkoracle.search.kernel.questions import leave, search

#: Faces of one batch. Those of a batch are assumed anew for each of its questions, all others once.
BATCH_SIZE = 8

#: How a series of trials ended, or why it stopped.
ALL_TRIED, INTERRUPTED, TOO_HARD = range(3)


@st.internal
def keep(s, face, kept):  # type: ignore[no-untyped-def]
    if face >= 0:
        s.nodes[st.N * (s.numbers[st.VERTICES] + face) + st.KEPT] = kept


@st.internal
def need(s, face):  # type: ignore[no-untyped-def]
    """Keep a face for good."""
    keep(s, face, 1)
    s.lists[st.UNITS * s.width + s.numbers[st.NEW_UNITS]] = 2 * (s.numbers[st.EDGES] + face)
    s.numbers[st.NEW_UNITS] += 1


@st.internal
def open_batch(s, faces):  # type: ignore[no-untyped-def]
    """Assume the next faces of `ORDER`, and the one that waits, apart from all others."""
    backtrack(s, 0)
    vertices = s.numbers[st.VERTICES]
    for face in range(s.numbers[st.FACES]):
        s.nodes[st.N * (vertices + face) + st.SOON] = 0
    s.numbers[st.BATCH] = s.numbers[st.NEXT] + faces
    for k in range(s.numbers[st.NEXT], min(s.numbers[st.TRIALS], s.numbers[st.BATCH])):
        s.nodes[st.N * (vertices + s.lists[st.ORDER * s.width + k]) + st.SOON] = 1
    if faces and s.numbers[st.WAITING] >= 0:
        s.nodes[st.N * (vertices + s.numbers[st.WAITING]) + st.SOON] = 1


@st.internal
def ask(s, first, face, conflicts):  # type: ignore[no-untyped-def]
    """Is there an alternative that changes one of two faces, or the first if that is the only one?

    Returns the answer, and whether the alternative changes the first and the second.
    """
    keep(s, first, 0)
    keep(s, face, 0)
    s.lists[st.ASKED * s.width], s.lists[st.ASKED * s.width + 1] = first, face
    s.numbers[st.DENIED] = 1 if face < 0 else 2
    s.numbers[st.QUESTIONS] += 1
    answer = search(s, conflicts, 1)
    changes_first, changes = False, False
    if answer == st.ALTERNATIVE:
        for k in range(s.numbers[st.CORE_SIZE]):
            changes_first = changes_first or s.lists[st.CORE * s.width + k] == first
            changes = changes or s.lists[st.CORE * s.width + k] == face
    return answer, changes_first, changes


@st.internal
def try_all(s, conflicts, spare):  # type: ignore[no-untyped-def]
    """Go through `ORDER`; faces whose clues can go lose `KEPT`.

    Two are asked about at a time: where both can go, one question takes the place of two, and where
    not, the alternative that shows it mostly changes one of them only, which is then needed. A
    question that takes more than ``conflicts`` ends the series (`TOO_HARD`), with its faces as they
    were. After ``spare`` conflicts in all it stops between two questions; call again to go on.
    """
    until = s.numbers[st.CONFLICTS] + spare
    outcome = ALL_TRIED
    while s.numbers[st.NEXT] < s.numbers[st.TRIALS] or s.numbers[st.WAITING] >= 0:
        if s.numbers[st.CONFLICTS] >= until:
            outcome = INTERRUPTED
            break
        if s.numbers[st.NEXT] >= s.numbers[st.BATCH]:
            open_batch(s, BATCH_SIZE)
        first, face = s.numbers[st.WAITING], -1
        if s.numbers[st.NEXT] < s.numbers[st.TRIALS]:
            face = s.lists[st.ORDER * s.width + s.numbers[st.NEXT]]
            if first < 0:
                s.numbers[st.WAITING] = face
                s.numbers[st.NEXT] += 1
                continue
        answer, changes_first, changes = ask(s, first, face, conflicts)
        both = changes_first and changes
        if both:
            # It may be that each can go, but not both.
            keep(s, face, 1)
            answer, changes_first, changes = ask(s, first, -1, conflicts)
        if answer == st.PAUSE:
            leave(s, 0)
            keep(s, first, 1)
            keep(s, face, 1)
            outcome = TOO_HARD
            break
        if face >= 0:
            s.numbers[st.NEXT] += 1
        if answer == st.NO_ALTERNATIVE:
            s.numbers[st.WAITING] = face if both else -1
        elif changes:
            need(s, face)
            keep(s, first, 1)
        else:
            need(s, first)
            keep(s, face, 1)
            s.numbers[st.WAITING] = face
    open_batch(s, 0)
    return outcome


def _address(typing_context, array):  # type: ignore[no-untyped-def] # noqa: ARG001
    """The address of the data of an array."""

    def code(context, builder, signature, arguments):  # type: ignore[no-untyped-def] # noqa: ARG001
        return context.make_array(array)(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), code  # type: ignore[no-untyped-call]


_pointer: Any = intrinsic(_address)


def _way_in(sources: str) -> Any:
    """Make `run`, one way in for all tasks, because every way in compiles all of this once more.

    It holds ``sources``: see `linkoracle.core.compilation.digest`.
    """

    @njit(cache=True)
    def run(numbers, value, edges, nodes, variables, lists, clauses, arena, task, argument, spare):  # type: ignore[no-untyped-def]
        """Do a task: see `state`. The argument is a number of conflicts, or of literals."""
        _ = sources
        s = st.State(
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
        if task == st.FIND:
            return search(s, argument, 0)
        if task == st.DROP:
            leave(s, 0)
            return 0
        if task == st.STATE:
            return add_clause(s, argument, 0)
        return try_all(s, argument, spare)

    return run


run = _way_in(digest((files("linkoracle.search") / "kernel").iterdir()))


def compiled() -> bool:
    """Whether the first question need not wait, some ten seconds, until all of this is compiled."""
    return is_ready(run)
