"""What made puzzles aim at: the looks of published ones, in ``looks.json``.

``scripts/looks_of_kinds.py --fit`` measures them. Each is drawn once for a puzzle, so that puzzles
differ from each other as published ones do.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from linkoracle.board import Lattice, Symmetry, orbits
from linkoracle.generate.looks import colour_of, number_of
from linkoracle.kinds import DIRECTIONS, kind_named, step

#: The share of a number that published puzzles do not have, and groups compared.
_RARE, _COMPARED = 0.005, 6
#: The spread of what is not known.
_NONE = (0.0,) * 5
#: Symmetries that need a square board.
_SQUARE = ("quarter-turn", "diagonal", "antidiagonal")


@dataclass(frozen=True)
class Wanted:
    """The looks to aim at for one puzzle.

    ``clues`` is their number, ``symmetry`` that of their cells. ``visited``, ``turns`` and
    ``straight`` are as in `linkoracle.generate.loops.drawing.Aim`. ``numbers`` are the shares of
    the numbers 0, 1, 2 ... among the clues, ``black`` that of black ones. ``plain`` is the share of
    puzzles without a trial.
    """

    clues: int
    symmetry: Symmetry
    visited: float
    turns: float
    straight: int
    numbers: Sequence[float] = ()
    black: float | None = None
    lone: float | None = None
    region: float = 0.0
    plain: float = 1.0
    sizes: Sequence[float] = field(default=(), repr=False)

    def orbits(self, rows: int, cols: int) -> Sequence[tuple[int, ...]]:
        """Return the cells that have clues together."""
        return orbits(Lattice(rows + 1, cols + 1), self.symmetry)

    def eased(self, attempts: int, anywhere: bool) -> Wanted:
        """Return looks that are easier to reach after some attempts: another clue each second time.

        With ``anywhere``, clues are symmetric no more.
        """
        symmetry = "none" if anywhere else self.symmetry
        return replace(self, clues=self.clues + attempts % 2, symmetry=symmetry)

    def worth(self, number: int) -> float:
        """Return how welcome a number is: its share among published clues."""
        return self.numbers[number] if number < len(self.numbers) else _RARE

    def size(self, rng: Random) -> int:
        """Draw the number of cells of a region."""
        return 1 + drawn_place(rng, self.sizes)

    def run(self, rng: Random) -> int:
        """Draw how many cells of a region the loop visits, if it visits it once."""
        shares = self.numbers[1:] or self.sizes
        mean = sum(size * share for size, share in enumerate(shares, start=1)) / sum(shares)
        # Regions with numbers are smaller than others.
        return max(1, round((1 + drawn_place(rng, shares)) * self.visited * self.region / mean))

    def share(self, kind: type[Any], clue: Any) -> float:
        """Return the share of clues with the number and the colour of this one."""
        number, colour, found = number_of(clue), colour_of(kind, clue), 1.0
        if number is not None and self.numbers:
            found *= max(_RARE, self.worth(number))
        if colour and self.black is not None:
            found *= self.black if colour in "bx" else 1 - self.black
        return found

    def drawn(self, rng: Random, clues: Sequence[Any]) -> Any:
        """Draw one of some clues of a cell, as often as they are published."""
        weights = [max(_RARE, self.worth(number_of(clue) or 0)) for clue in clues]
        return clues[drawn_place(rng, weights)]

    def removed(
        self, groups: Sequence[list[Any]], clues: Mapping[Any, Any], kind: type[Any]
    ) -> list[list[Any]]:
        """Return groups of places in the order of their removal.

        Of the next few, that with the clue which is commonest, compared with published puzzles.
        Clues of a colour that is rarer than there stay, as many as there.
        """
        shares = {clue: self.share(kind, clue) for clue in {*clues.values()}}
        left, found, there = [*groups], [], {**clues}
        many = Counter(_look(kind, clues[cells[0]]) for cells in left)
        colours = Counter(colour_of(kind, clues[cells[0]]) for cells in left)
        share = {"b": self.black or 0.0, "x": self.black or 0.0}
        rare = {
            colour: most
            for colour in colours
            if colour and self.black is not None
            for most in [share.get(colour, 1 - self.black)]
            if colours[colour] < most * len(left)
        }
        while left:
            few = left[:_COMPARED]
            best = max(
                few,
                key=lambda cells: (
                    (1 + _equal(cells[0], there))
                    * many[_look(kind, clues[cells[0]])]
                    / shares[clues[cells[0]]]
                ),
            )
            left.remove(best)
            colour = colour_of(kind, clues[best[0]])
            if colours[colour] * len(best) <= rare.get(colour, 0.0) * self.clues:
                continue
            colours[colour] -= 1
            for cell in best:
                del there[cell]
            many[_look(kind, clues[best[0]])] -= 1
            found.append(best)
        return found

    def added(
        self,
        groups: Sequence[list[Any]],
        there: Mapping[Any, Any],
        clues: Mapping[Any, Any],
        kind: type[Any],
        *,
        whole: bool = False,
    ) -> Iterator[list[Any]]:
        """Yield groups of places to add, the rarest clues first, up to the number of clues.

        With ``whole``, all of them.
        """
        number, shown = len(there), {**there}
        many = Counter(_look(kind, clue) for clue in there.values())
        left = [cells for cells in groups if all(cell in clues for cell in cells)]
        while left and (whole or number < self.clues):
            best = min(
                left[:_COMPARED],
                key=lambda cells: (
                    (1 + many[_look(kind, clues[cells[0]])])
                    * (1 + _equal(cells[0], {**shown, cells[0]: clues[cells[0]]}))
                    / self.share(kind, clues[cells[0]])
                ),
            )
            shown |= {cell: clues[cell] for cell in best}
            left.remove(best)
            many[_look(kind, clues[best[0]])] += 1
            number += len(best)
            yield best


def drawn_place(rng: Random, weights: Sequence[float]) -> int:
    """Draw a place of a list, as often as its weight."""
    left = rng.random() * sum(weights)
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    return len(weights) - 1


def _equal(cell: Any, clues: Mapping[Any, Any]) -> int:
    """Return how many neighbours of a cell have the same clue."""
    if isinstance(cell, str):
        return 0
    return sum(clues.get(step(cell, direction)) == clues[cell] for direction in DIRECTIONS)


def _look(kind: type[Any], clue: Any) -> tuple[int | None, str]:
    return number_of(clue), colour_of(kind, clue)


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
    straight, region = drawn("straight", 7), drawn("region", 5.0)
    # Loops with more turns between straight cells have more black clues.
    state = rng.random()
    black, lone = (_between(looks.get(name, _NONE), state) for name in ("black", "lone"))
    which = _cut(looks.get("symmetry", {"none": 1.0}), rows == cols, rng.random())
    return Wanted(
        clues=round(clues * cells),
        symmetry=which if symmetry is None else symmetry,
        visited=visited,
        turns=turns,
        # Hardly any run is longer, and many are shorter.
        straight=round(straight * scale) + 1,
        numbers=looks.get("numbers", ()),
        black=black if "black" in looks else None,
        lone=lone if kind_named(kind).unit == "pearls" else None,
        region=region,
        plain=looks.get("plain", 1.0),
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
