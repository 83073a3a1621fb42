"""Minimal cores: what contradicts itself, until none of it can be spared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from linkoracle.core.errors import SearchTimeout
from linkoracle.core.limits import Deadline
from linkoracle.sat.answers import Cell, Clue, Clues, Verdict

Key = TypeVar("Key")
Value = TypeVar("Value")


class Asks(Protocol):
    """What an `Oracle` is asked for a core."""

    def ask_within(
        self, deadline: Deadline, clues: Clues = (), edges: Mapping[int, bool] | None = None
    ) -> Verdict: ...

    def contradiction_within(
        self, deadline: Deadline, clues: Clues, edges: Mapping[int, bool]
    ) -> Verdict | None: ...


#: Clues by ``("clue", face)``, and edges by ``("edge", id)``, on or off.
_Held = dict[tuple[str, Cell], Clue | bool]

#: Seconds that making a core minimal may take where no shorter limit is set.
CORE_SECONDS = 10.0


def minimal_core(
    core: dict[Key, Value], contradiction: Callable[[dict[Key, Value]], dict[Key, Value] | None]
) -> tuple[dict[Key, Value], bool]:
    """Return a part of ``core`` that contradicts itself, and whether all of it is proven needed.

    ``contradiction`` returns which members of a part contradict each other, or ``None`` if none do.
    It may raise `SearchTimeout`: then some members of what is returned may not be needed.

    Deletion-based, with the refinement by the solver's own cores, as in PySAT's
    `musx <https://pysathq.github.io/docs/html/api/examples/musx.html>`_ (Marques-Silva, *Minimal
    unsatisfiability: models, algorithms and applications*, ISMVL 2010). One question for each
    member at most.

    >>> minimal_core({1: "a", 2: "b", 3: "c"}, lambda part: part if {1, 3} <= {*part} else None)
    ({1: 'a', 3: 'c'}, True)
    """
    try:
        for key in list(core):
            if key in core:
                fewer = {other: value for other, value in core.items() if other != key}
                found = contradiction(fewer)
                core = core if found is None else found
    except SearchTimeout:
        return core, False
    return core, True


def core_within(
    oracle: Asks,
    deadline: Deadline,
    clues: Clues = (),
    edges: Mapping[int, bool] | None = None,
) -> Verdict:
    """`Oracle.core`, for callers that share a deadline among questions."""
    verdict = oracle.ask_within(deadline, clues, edges)
    if verdict.status != "none":
        return verdict
    left = deadline.left
    limited = Deadline(CORE_SECONDS if left is None else min(CORE_SECONDS, left / 2))

    def contradiction(part: _Held) -> _Held | None:
        found = oracle.contradiction_within(limited, *_split(part))
        return None if found is None else _held(found)

    core, minimal = minimal_core(_held(verdict), contradiction)
    return Verdict("none", (), *_split(core), minimal)


def _held(verdict: Verdict) -> _Held:
    """The core of a verdict as one mapping."""
    held: _Held = {("clue", face): clue for face, clue in (verdict.core or {}).items()}
    for edge, on in (verdict.core_edges or {}).items():
        held["edge", edge] = on
    return held


def _split(held: _Held) -> tuple[dict[Cell, Clue], dict[int, bool]]:
    """What `_held` put together."""
    clues: dict[Cell, Clue] = {}
    edges: dict[int, bool] = {}
    for (what, name), value in held.items():
        if what == "clue":
            clues[name] = value
        else:
            edges[name] = bool(value)
    return clues, edges
