"""`Filter`: which puzzles of a catalogue are meant."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: The labels of grades, the easiest first: those of `linkoracle.deduce`, which takes Numba to load.
GRADES = ("easy", "normal", "tricky", "hard", "extreme", "gave up")
#: What a `Filter` calls puzzles that have no grade yet.
UNGRADED = "none"

#: The lowest and the highest number that will do.
Range = tuple[int, int]


@dataclass(frozen=True)
class Filter:
    """What puzzles must be; ``None`` and ``()`` leave it open.

    ``rows``, ``cols`` and ``clues`` (pairs, of a Numberlink) are ranges ``(low, high)``, both ends
    included. ``grades`` are labels out of `GRADES`, or `UNGRADED`. ``makers`` are words that must
    all be in the request that made the puzzle: see `fits_maker`.
    """

    kind: str | None = None
    rule: str | None = None
    rows: Range | None = None
    cols: Range | None = None
    clues: Range | None = None
    grades: tuple[str, ...] = ()
    makers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for grade in self.grades:
            if grade not in (*GRADES, UNGRADED):
                known = ", ".join((*GRADES, UNGRADED))
                raise ValueError(f"expected one of the grades {known}, got {grade!r}")

    def fits_maker(self, request: Mapping[str, Any]) -> bool:
        """Whether a request has all of ``makers``: ``NAME=VALUE``, or a part of its command.

        >>> request = {"command": "generate slitherlink", "shape": "uniform", "rows": 9}
        >>> [Filter(makers=(word,)).fits_maker(request) for word in ("slither", "rows=9", "rows=1")]
        [True, True, False]
        """
        return all(_has(request, word) for word in self.makers)

    def condition(self, makers: Mapping[int, Mapping[str, Any]]) -> tuple[str, list[Any]]:
        """The SQL condition with its values. ``makers`` are the requests of the file by id."""
        terms: list[str] = []
        values: list[Any] = []
        for column in ("kind", "rule"):
            wanted = getattr(self, column)
            if wanted is not None:
                terms.append(f"{column} = ?")
                values.append(wanted)
        for column in ("rows", "cols", "clues"):
            span = getattr(self, column)
            if span is not None:
                terms.append(f"{column} BETWEEN ? AND ?")
                values += span
        if self.grades:
            places = ", ".join("?" * len(self.grades))
            terms.append(f"coalesce(grade, '{UNGRADED}') IN ({places})")
            values += self.grades
        if self.makers:
            fitting = [str(one) for one, request in makers.items() if self.fits_maker(request)]
            terms.append(f"puzzle.maker IN ({', '.join(fitting)})")
        return " AND ".join(terms) or "1", values


def _has(request: Mapping[str, Any], word: str) -> bool:
    name, given, value = word.partition("=")
    if not given:
        return word in request.get("command", "")
    found = request.get(name)
    return name in request and value in (found, json.dumps(found))
