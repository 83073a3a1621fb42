"""What made puzzles aim at: the looks of published ones, in ``looks.json``.

``scripts/looks_of_kinds.py --fit`` measures them. Each is drawn once for a puzzle, so that puzzles
differ from each other as published ones do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from linkoracle.board import Symmetry

#: The places of the values of a spread: a tenth, the quartiles, nine tenths.
_PLACES = (0.0, 0.25, 0.5, 0.75, 1.0)
#: Symmetries that need a square board.
_SQUARE = ("quarter-turn", "diagonal", "antidiagonal")


@dataclass(frozen=True)
class Wanted:
    """The looks to aim at for one puzzle.

    ``clues`` is their number, ``symmetry`` that of their cells. ``visited``, ``turns`` and
    ``straight`` are as in `linkoracle.generate.loops.drawing.Aim`. ``numbers`` are the shares of
    the numbers 0, 1, 2 ... among the clues, ``black`` that of black ones.
    """

    clues: int
    symmetry: Symmetry
    visited: float
    turns: float
    straight: int
    numbers: Sequence[float] = ()
    black: float | None = None
    region: float = 0.0
    sizes: Sequence[float] = field(default=(), repr=False)

    def worth(self, number: int, _most: int = 0) -> float:
        """Return how welcome a number is: its share among published clues."""
        return self.numbers[number] if number < len(self.numbers) else 0.001


@cache
def _looks() -> dict[str, dict[str, Any]]:
    text = (files("linkoracle.generate") / "looks.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found


def has_aims(kind: str) -> bool:
    """Return whether it is known how published puzzles of a kind look."""
    return kind in _looks()


def wanted(
    kind: str, rows: int, cols: int, rng: Random, symmetry: Symmetry | None = None
) -> Wanted:
    """Draw the looks for a puzzle of a kind; ``symmetry`` is drawn, too, if it is ``None``."""
    looks, cells = _looks()[kind], rows * cols
    # Long runs grow with the sides.
    scale = (cells / looks["cells"]) ** 0.5

    def drawn(name: str, default: float) -> float:
        place = rng.random()
        return _between(looks[name], place) if name in looks else default

    clues, visited, turns = drawn("density", 0.0), drawn("visited", 0.8), drawn("turns", 0.6)
    straight, black, region = drawn("straight", 7), drawn("black", 0.5), drawn("region", 5.0)
    which = _cut(looks.get("symmetry", {"none": 1.0}), rows == cols, rng.random())
    return Wanted(
        clues=round(clues * cells),
        symmetry=which if symmetry is None else symmetry,
        visited=visited,
        turns=turns,
        straight=round(straight * scale),
        numbers=looks.get("numbers", ()),
        black=black if "black" in looks else None,
        region=region,
        sizes=looks.get("sizes", ()),
    )


def _cut(shares: Mapping[Any, float], square: bool, place: float) -> Any:
    known = {name: share for name, share in shares.items() if square or name not in _SQUARE}
    place *= sum(known.values())
    for name, share in known.items():
        place -= share
        if place < 0:
            return name
    return "none"


def _between(values: Sequence[float], place: float) -> float:
    """Return the value at a place from 0 to 1 on the broken line through the values.

    >>> _between((0.0, 1.0, 2.0, 3.0, 7.0), 0.875)
    5.0
    """
    at = min(int(place * (len(values) - 1)), len(values) - 2)
    part = place * (len(values) - 1) - at
    return values[at] + part * (values[at + 1] - values[at])
