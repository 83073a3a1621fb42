"""What the tests of boards share."""

from __future__ import annotations

from linkoracle.deduce import Board


def memory(board: Board) -> dict[str, object]:
    """All that decides how a board goes on, by name."""
    found = board.memory()
    if not board.model.loop:
        # Only where regions are looked at it matters how many merges they have seen.
        del found["merges seen"]
    return found
