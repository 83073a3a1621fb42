"""What the tests of boards share."""

from __future__ import annotations

from typing import Any

from linkoracle.board import Lattice
from linkoracle.deduce import DeductionState
from linkoracle.deduce.deduction_engine import Engine, Positions
from linkoracle.deduce.rules import TECHNIQUES, UNIQUE


def memory(board: DeductionState) -> dict[str, object]:
    """All that decides how a board goes on, by name."""
    found = board.memory()
    if not board.model.loop:
        # Only where regions are looked at it matters how many merges they have seen.
        del found["merges seen"]
    return found


def bare(lattice: Lattice, border: tuple[int, ...] = (), **other: Any) -> Engine:
    """A board of the kernel without clues, for a loop or the paths of ``pairs``; `UNIQUE` alone."""
    pairs = other.get("pairs", ())
    ends = {end for pair in pairs for end in pair}
    enabled = bytes(technique == UNIQUE for technique in range(TECHNIQUES))
    named = {
        "degrees": bytes(2 if vertex in ends else 5 for vertex in range(lattice.num_vertices)),
        "faces": bytes([31]) * lattice.num_faces,
        "pairs": [],
        "is_loop": not pairs,
        "coloured": True,
        "is_free": False,
        "local": True,
        "enabled": 2 * enabled,
        "hidden": False,
        "limit": 1 << 30,
        **other,
    }
    return Engine(lattice, border, named.pop("positions", None) or Positions([]), **named)
