"""Clues through which lines run that contradict each other: of loops, and of pairs to be joined."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from linkoracle.board.model import LinkModel
from linkoracle.board.statements import Statements, statements
from linkoracle.core.limits import Deadline, Timeout
from linkoracle.sat.answers import Cell, Clue, Clues, Edges, Verdict
from linkoracle.sat.cores import Ask, Contradict, find_core, minimal_core
from linkoracle.solving import solve

if TYPE_CHECKING:
    from linkoracle.kinds import Puzzle


def conflicting_clues(
    puzzle_of: Callable[[Mapping[Cell, Any]], Puzzle],
    clues: Mapping[Cell, Any],
    edges: Mapping[int, bool],
    ask: Ask,
    contradiction: Contradict,
    *,
    timeout: Timeout,
) -> Verdict:
    """Return what `Session.core` returns for one loop through cells.

    ``puzzle_of`` is the puzzle with some clues; ``ask`` and ``contradiction`` take statements.

    Some clues stand for what their puzzle and that with all clues both state. So a cell without its
    clue is not one that never had one, of which other rules may hold, as in a Yajilin: nothing is
    said of it. Clues that contradict each other then do so whatever the other cells say.
    """
    every = statements(puzzle_of(clues).model)
    known = Verdict("none", (), every, dict(edges))

    def told(cells: Clues) -> Verdict:
        return Verdict("none", (), dict(cells), known.core_edges)

    def asked(cells: Clues, chosen: Edges, *, timeout: Timeout) -> Verdict:
        nonlocal known
        verdict = ask(every, chosen, timeout=timeout)
        if verdict.status == "many":
            return verdict
        if verdict.status == "unique":
            return Verdict("unique", verdict.solutions, dict(cells), dict(chosen or ()))
        known = verdict
        return told(cells)

    def contradicted(cells: Clues, chosen: Edges, *, timeout: Timeout) -> Verdict | None:
        nonlocal known
        part, chosen = dict(cells), dict(chosen or ())
        both: Statements = {one: True for one in statements(puzzle_of(part).model) if one in every}
        assert known.core is not None
        assert known.core_edges is not None
        if not (known.core.keys() <= both.keys() and known.core_edges.keys() <= chosen.keys()):
            verdict = contradiction(both, chosen, timeout=timeout)
            if verdict is None:
                return None
            known = verdict
        return told(part)

    return find_core(asked, contradicted, clues, edges, timeout=timeout)


def conflicting_pairs(
    puzzle: Puzzle, deadline: Deadline, engines: dict[str, Any]
) -> tuple[dict[Cell, Clue] | None, bool]:
    """Return the clues of pairs that cannot be joined together, and whether fewer pairs can.

    The latter is false where time ran out. ``None`` where all can be joined if cells may stay
    empty: then no fewer pairs are a reason. Or where a puzzle has no pairs.
    """
    model = puzzle.model

    def contradiction(pairs: dict[tuple[int, int], None]) -> dict[tuple[int, int], None] | None:
        # Whatever joins pairs joins fewer of them, where cells may stay empty and no line is given.
        board = LinkModel.blank_paths(model.board, [*pairs]).with_edges(forbidden=model.forbidden)
        joined = not pairs or solve(board, timeout=deadline.left, **engines) is not None
        return None if joined else pairs

    found = contradiction(dict.fromkeys(model.terminals))
    if found is None:
        return None, False
    core, minimal = minimal_core(found, contradiction)
    ends = {model.lattice.position(end) for pair in core for end in pair}
    return {cell: clue for cell, clue in puzzle.clue_cells() if cell in ends}, minimal
