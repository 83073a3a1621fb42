"""Find clues in cells with lines that contradict each other: of loops, and of pairs to join."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from linkoracle.board.model import LinkModel
from linkoracle.board.statements import Statements
from linkoracle.core.limits import Deadline, Timeout
from linkoracle.engines.answers import Cell, Clue, Verdict
from linkoracle.engines.cores import (
    Ask,
    Conflicts,
    Contradict,
    best_core,
    core_deadline,
    find_core,
)
from linkoracle.kinds import Puzzle, cell_named
from linkoracle.solving import solve


def conflicting_clues(
    statements_with: Callable[[dict[Cell, Any]], Statements],
    held: Mapping[Cell, Any],
    drawn: Mapping[int, bool],
    ask: Ask,
    contradiction: Contradict,
    **how: Any,
) -> Verdict:
    """Return the result of `Session.core` for one loop through cells.

    ``statements_with`` returns what the puzzle with some clues states, ``held`` are all clues,
    ``drawn`` edges on or off. ``ask`` and ``contradiction`` take statements. ``how`` is as for
    `find_core`.

    A subset of the clues stands for the statements that its puzzle shares with that of all clues. A
    cell whose clue is left out therefore has no statements. A cell that never had a clue may have
    some, as in a Yajilin. So clues that contradict each other do so whatever the other cells hold.
    """
    every = statements_with(dict(held))

    def stated(clues: Mapping[Cell, Any]) -> dict[Any, Any]:
        return {one: True for one in statements_with(dict(clues)) if one in every}

    @cache
    def statements_of(cell: Cell | None) -> frozenset[Any]:
        """Return the statements of the clue of a cell; for ``None``, of a board without clues."""
        return frozenset(stated({} if cell is None else {cell: held[cell]}))

    def with_clues(core: Verdict, clues: Mapping[Cell, Any]) -> Verdict:
        """Return the verdict with the clues that make the statements of its core."""
        missing = set(core.core or ()) - statements_of(None)
        some = {}
        for cell, clue in clues.items():
            if not missing.isdisjoint(statements_of(cell)):
                some[cell] = clue
                missing -= statements_of(cell)
        # Statements that no clue makes alone come from several together.
        return replace(core, core=dict(clues) if missing else some)

    def decided(clues: Any, edges: Any, *, timeout: Timeout) -> Verdict:
        verdict = ask(every, edges, timeout=timeout)
        if verdict.status == "none":
            return with_clues(verdict, clues)
        if verdict.status == "unique":
            return replace(verdict, core=dict(clues), core_edges=dict(edges))
        return verdict

    def contradicted(clues: Any, edges: Any, *, timeout: Timeout) -> Verdict | None:
        verdict = contradiction(stated(clues), edges, timeout=timeout)
        return None if verdict is None else with_clues(verdict, clues)

    return find_core(decided, contradicted, held, drawn, **how)


def conflicting_pairs(
    puzzle: Puzzle,
    deadline: Deadline,
    engines: dict[str, Any],
    containing: Collection[Cell] = (),
    preview: Callable[[dict[Cell, Clue]], object] | None = None,
) -> tuple[dict[Cell, Clue] | None, bool, bool]:
    """Return the clues of pairs that cannot be joined together, as few as time permits.

    Two flags follow: whether the core is minimal, and whether it is the smallest of those with a
    cell of ``containing``; see `find_core`. The core is ``None`` if all pairs can be joined when
    cells may stay empty, or if there are none.
    """
    model = puzzle.model
    limited = core_deadline(deadline)
    cells: dict[Any, Any] = {cell_named(cell): clue for cell, clue in puzzle.clue_cells()}
    pairs = [tuple(map(cell_named, map(model.board.position, pair))) for pair in model.terminals]
    joins = dict(zip(pairs, model.terminals, strict=True))

    def contradiction(some: Collection[Any]) -> Collection[Any] | None:
        # Paths for all pairs join any subset, if cells may stay empty and no line is given.
        ends = [joins[pair] for pair in some]
        board = LinkModel.blank_paths(model.board, ends).with_edges(forbidden=model.forbidden)
        joined = not ends or solve(board, timeout=limited.left, **engines) is not None
        return None if joined else some

    def clues_of(core: Collection[Any]) -> dict[Cell, Clue]:
        ends = {cell for pair in core for cell in pair}
        return {cell: clue for cell, clue in cells.items() if cell in ends}

    if contradiction(pairs) is None:
        return None, False, False
    edited = [pair for pair in pairs if not {*containing}.isdisjoint(pair)]
    conflicts = Conflicts(pairs, contradiction, pairs, edited)
    shown = None if preview is None else lambda core: preview(clues_of(core))
    core, minimal, smallest = best_core(conflicts, limited, shown, smallest=True)
    return clues_of(core), minimal, smallest


def distance(cells: Collection[Cell], held: tuple[str, Any]) -> tuple[Any, ...]:
    """Return a sort key for clues and edges, as `find_core` names them: the nearest come first."""
    what, name = held
    if what == "edge":
        return (1, name)
    if len(name) < 2:
        return (0, name)
    away = min(((row - name[0]) ** 2 + (col - name[1]) ** 2 for row, col in cells), default=0)
    return (0, away, name)
