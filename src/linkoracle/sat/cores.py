"""Minimal cores: clues and edges that contradict each other, none of them redundant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from linkoracle.board.board import Edge
from linkoracle.core.errors import SearchTimeout
from linkoracle.core.limits import Deadline, Timeout
from linkoracle.sat.answers import Cell, Clue, Clues, Edges, Verdict

Key = TypeVar("Key")
Value = TypeVar("Value")


class Ask(Protocol):
    """`Oracle.ask`, or a function like it."""

    def __call__(self, clues: Clues, edges: Edges, *, timeout: Timeout) -> Verdict: ...


class Contradict(Protocol):
    """`Oracle.contradiction`, or a function like it."""

    def __call__(self, clues: Clues, edges: Edges, *, timeout: Timeout) -> Verdict | None: ...


#: Clues by ``("clue", face)``, and by ``("edge", edge)`` whether the edge is chosen.
_Held = dict[tuple[str, Any], Clue | bool]

#: Seconds that making a core minimal may take where no shorter limit is set.
CORE_SECONDS = 10.0


def minimal_core(
    core: dict[Key, Value], contradiction: Callable[[dict[Key, Value]], dict[Key, Value] | None]
) -> tuple[dict[Key, Value], bool]:
    """Return a contradictory subset of ``core``, and whether it is proven to be minimal.

    ``contradiction`` returns the members of a subset that contradict each other, or ``None`` if
    none do. It may raise `SearchTimeout`; then the subset may have redundant members.

    Deletion-based, with the refinement by the solver's own cores, as in PySAT's
    `musx <https://pysathq.github.io/docs/html/api/examples/musx.html>`_ (Marques-Silva, *Minimal
    unsatisfiability: models, algorithms and applications*, ISMVL 2010). At most one query for
    each member.

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


def find_core(
    ask: Ask,
    contradiction: Contradict,
    clues: Clues = (),
    edges: Edges = (),
    *,
    timeout: Timeout = None,
) -> Verdict:
    """Return what `Oracle.core` returns, by the answers of these functions."""
    deadline = Deadline.of(timeout)
    verdict = ask(clues, edges, timeout=deadline)
    if verdict.status != "none":
        return verdict
    left = deadline.left
    limited = Deadline(CORE_SECONDS if left is None else min(CORE_SECONDS, left / 2))

    def smaller(part: _Held) -> _Held | None:
        found = contradiction(*_split(part), timeout=limited)
        return None if found is None else _held(found)

    core, minimal = minimal_core(_held(verdict), smaller)
    return Verdict("none", (), *_split(core), minimal)


def _held(verdict: Verdict) -> _Held:
    """Return the core of a verdict as one mapping."""
    held: _Held = {("clue", face): clue for face, clue in (verdict.core or {}).items()}
    for edge, on in (verdict.core_edges or {}).items():
        held["edge", edge] = on
    return held


def _split(held: _Held) -> tuple[dict[Cell, Clue], dict[Edge, bool]]:
    """Undo `_held`."""
    clues: dict[Cell, Clue] = {}
    edges: dict[Edge, bool] = {}
    for (what, name), value in held.items():
        if what == "clue":
            clues[name] = value
        else:
            edges[name] = bool(value)
    return clues, edges
