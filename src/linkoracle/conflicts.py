"""Clues through which lines run that contradict each other: of loops, and of pairs to be joined."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from linkoracle.board.model import LinkModel
from linkoracle.board.statements import statements
from linkoracle.changing import cell_named
from linkoracle.core.limits import Deadline, Timeout
from linkoracle.kinds import Puzzle
from linkoracle.sat.answers import Cell, Clue, Verdict
from linkoracle.sat.cores import (
    Ask,
    Conflicts,
    Contradict,
    best_core,
    core_deadline,
    find_core,
)
from linkoracle.solving import solve


def conflicting_clues(
    puzzle_of: Callable[[Mapping[Cell, Any]], Puzzle],
    held: Mapping[Cell, Any],
    drawn: Mapping[int, bool],
    ask: Ask,
    contradiction: Contradict,
    **how: Any,
) -> Verdict:
    """Return what `Session.core` returns for one loop through cells.

    ``puzzle_of`` is the puzzle with some clues, ``held`` are all of them, ``drawn`` edges on or
    off. ``ask`` and ``contradiction`` take statements. ``how`` is as for `find_core`.

    Some clues stand for what their puzzle and that with all clues both state. So a cell without its
    clue is not one that never had one, of which other rules may hold, as in a Yajilin: nothing is
    said of it. Clues that contradict each other then do so whatever the other cells say.
    """
    every = statements(puzzle_of(held).model)

    def stated(clues: Mapping[Cell, Any]) -> dict[Any, Any]:
        return {one: True for one in statements(puzzle_of(clues).model) if one in every}

    @cache
    def said_by(cell: Cell | None) -> frozenset[Any]:
        """What the clue of a cell states; or a board without clues."""
        return frozenset(stated({} if cell is None else {cell: held[cell]}))

    def told(core: Verdict, clues: Mapping[Cell, Any]) -> Verdict:
        """The clues that state what contradicts."""
        missing = set(core.core or ()) - said_by(None)
        some = {}
        for cell, clue in clues.items():
            if not missing.isdisjoint(said_by(cell)):
                some[cell] = clue
                missing -= said_by(cell)
        # What no clue states by itself, several do together.
        return replace(core, core=dict(clues) if missing else some)

    def asked(clues: Any, edges: Any, *, timeout: Timeout) -> Verdict:
        verdict = ask(every, edges, timeout=timeout)
        if verdict.status == "none":
            return told(verdict, clues)
        if verdict.status == "unique":
            return replace(verdict, core=dict(clues), core_edges=dict(edges))
        return verdict

    def contradicted(clues: Any, edges: Any, *, timeout: Timeout) -> Verdict | None:
        verdict = contradiction(stated(clues), edges, timeout=timeout)
        return None if verdict is None else told(verdict, clues)

    return find_core(asked, contradicted, held, drawn, **how)


def conflicting_pairs(
    puzzle: Puzzle,
    deadline: Deadline,
    engines: dict[str, Any],
    containing: Collection[Cell] = (),
    preview: Callable[[dict[Cell, Clue]], object] | None = None,
) -> tuple[dict[Cell, Clue] | None, bool, bool]:
    """Return the clues of pairs that cannot be joined together, as few as time permits.

    And whether fewer of these pairs can be joined, and whether any fewer pairs can, of those that
    have a cell of ``containing``; see `find_core`. ``None`` where all can be joined if cells may
    stay empty: then no fewer pairs are a reason. Or where a puzzle has no pairs.
    """
    model = puzzle.model
    limited = core_deadline(deadline)
    cells: dict[Any, Any] = {cell_named(cell): clue for cell, clue in puzzle.clue_cells()}
    pairs = [tuple(map(cell_named, map(model.board.position, pair))) for pair in model.terminals]
    joins = dict(zip(pairs, model.terminals, strict=True))

    def contradiction(some: Collection[Any]) -> Collection[Any] | None:
        # Whatever joins pairs joins fewer of them, where cells may stay empty and no line is given.
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
