"""Clues through which lines run that contradict each other: of loops, and of pairs to be joined."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from linkoracle.board.model import LinkModel
from linkoracle.board.statements import Statements, statements
from linkoracle.core.limits import Deadline, Timeout
from linkoracle.sat.answers import Cell, Clue, Verdict
from linkoracle.sat.cores import Ask, Contradict, find_core, minimal_core
from linkoracle.solving import solve

if TYPE_CHECKING:
    from linkoracle.kinds import Puzzle


def conflicting_clues(
    puzzle_of: Callable[[Mapping[Cell, Any]], Puzzle],
    held: Mapping[Cell, Any],
    drawn: Mapping[int, bool],
    ask: Ask,
    contradiction: Contradict,
    *,
    timeout: Timeout,
) -> Verdict:
    """Return what `Session.core` returns for one loop through cells.

    ``puzzle_of`` is the puzzle with some clues, ``held`` are all of them, ``drawn`` edges on or
    off. ``ask`` and ``contradiction`` take statements.

    Some clues stand for what their puzzle and that with all clues both state. So a cell without its
    clue is not one that never had one, of which other rules may hold, as in a Yajilin: nothing is
    said of it. Clues that contradict each other then do so whatever the other cells say.
    """
    every = statements(puzzle_of(held).model)
    known = Verdict("none", (), every, dict(drawn))

    def told(cells: Any) -> Verdict:
        return Verdict("none", (), dict(cells), known.core_edges)

    def asked(clues: Any, edges: Any, *, timeout: Timeout) -> Verdict:
        nonlocal known
        verdict = ask(every, edges, timeout=timeout)
        if verdict.status == "many":
            return verdict
        if verdict.status == "unique":
            return Verdict("unique", verdict.solutions, dict(clues), dict(edges))
        known = verdict
        return told(clues)

    def contradicted(clues: Any, edges: Any, *, timeout: Timeout) -> Verdict | None:
        nonlocal known
        stated = statements(puzzle_of(clues).model)
        both: Statements = {one: True for one in stated if one in every}
        assert known.core is not None
        assert known.core_edges is not None
        if not (known.core.keys() <= both.keys() and known.core_edges.keys() <= edges.keys()):
            verdict = contradiction(both, edges, timeout=timeout)
            if verdict is None:
                return None
            known = verdict
        return told(clues)

    return find_core(asked, contradicted, held, drawn, timeout=timeout)


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
