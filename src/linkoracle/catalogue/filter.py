"""`Filter`: a condition for the puzzles of a catalogue."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from linkoracle.core import LABELS, SCALE, declare
from linkoracle.deduce import TRIALS, techniques_in, uses_in
from linkoracle.kinds import KINDS

#: The labels of grades, easiest first, and the name of a failed grading.
GRADES = (*LABELS, "gave up")
#: The greatest integer of SQLite.
MOST = 2**63 - 1
#: The name of a grade on another scale.
OUTDATED = "outdated"
#: SQL: whether a grade is on this scale, and the grade of a row.
_CURRENT = f"instr(graded, '\"scale\": {SCALE}')"
GRADE = f"CASE WHEN coalesce({_CURRENT}, 1) THEN grade ELSE '{OUTDATED}' END"
#: The name of "no grade yet" in a `Filter`.
UNGRADED = "none"
_NAMES = (*GRADES, OUTDATED, UNGRADED)
_VARIANTS = dict.fromkeys(variant for kind in KINDS.values() for variant in kind.variants)
#: The lowest and the highest allowed number.
Range = tuple[int, int]
#: Requests by the ids of their makers; ``None`` if a request cannot be read.
Makers = Mapping[int, Mapping[str, Any] | None]
#: SQL: the score is in a range, or the grade is damaged, which readers report.
_SCORED = (
    "CASE WHEN graded IS NULL THEN 0 WHEN NOT json_valid(graded) THEN 1 "
    f"WHEN NOT {_CURRENT} THEN 0 "
    "ELSE coalesce(json_extract(graded, '$.score') BETWEEN ? AND ?, 0) END"
)
#: SQL: a condition for a grade, as for `_SCORED`.
_GRADED = (
    "CASE WHEN graded IS NULL THEN 0 WHEN NOT json_valid(graded) THEN 1 "
    f"WHEN NOT {_CURRENT} THEN 0 ELSE coalesce({{}}, 0) END"
)
_OFTEN = "coalesce(json_extract(graded, '$.steps.{}'), 0)"
#: The keys of `Filter.layout`, and their places in the layout statistics of a puzzle.
MEASURES = {
    "density": "density",
    "blocks": "block_deviation",
    "run": "clue_run",
    "blank": "blank_run",
    "rectangle": "empty_rectangle",
    "zeros": "shares[0]",
    "ones": "shares[1]",
    "twos": "shares[2]",
    "threes": "shares[3]",
    "links": "links",
    "straight": "straight",
    "short": "short",
    "turns": "turns",
    "cells": "cells",
    "covered": "covered",
}
#: SQL: a measure is in a range, or the layout statistics are damaged.
_MEASURED = (
    "CASE WHEN looks IS NULL THEN 0 WHEN NOT json_valid(looks) THEN 1 "
    "ELSE coalesce(json_extract(looks, '$.{}') BETWEEN ? AND ?, 0) END"
)


@dataclass(frozen=True)
class Filter:
    """Conditions for puzzles; ``None`` and ``()`` mean no condition.

    ``rows``, ``cols``, ``clues`` (pairs, in a Numberlink) and ``score`` (of the grade) are ranges
    ``(low, high)`` that include both ends; ``size`` stands for ``rows`` and ``cols``. ``layout``
    has ranges of layout statistics by the names in `MEASURES`; fractions are from 0 to 1.
    ``steps``, ``techniques``, ``no_trial``, ``uses``, ``widest`` and ``narrowest`` are conditions
    for the path, as for generators: see `linkoracle.generate.PuzzleRequest`. Puzzles without a
    grade have none. ``grades`` are labels in `GRADES`, ranges such as ``"normal..hard"``,
    `OUTDATED` or `UNGRADED`.
    ``sources`` are words that must all be in the source of the puzzle: see `fits_source`.

    >>> Filter(size=((8, 12), (10, 10))).rows
    (8, 12)
    """

    kind: str | None = declare(None, "Only these puzzles.", words=KINDS)
    variant: str | None = declare(
        None,
        f"Only puzzles of this variant: {', '.join(_VARIANTS)}.",
        words=_VARIANTS,
        form="NAME",
        flag="--variant",
    )
    rows: Range | None = None
    cols: Range | None = None
    size: tuple[Range, Range] | None = declare(
        None, "Only boards of this size, such as 10x10 or 8-12x10.", form="ROWSxCOLS"
    )
    grades: tuple[str, ...] = declare(
        (),
        "Only puzzles of this difficulty: easy to brutal or a range, 'gave up', outdated, or none "
        "for those without a grade. May be repeated: any may match.",
        form="LABEL[..LABEL] GRADE",
        flag="--difficulty",
    )
    score: Range | None = declare(
        None, "Only puzzles with a score in this range, such as 200-300.", form="N|LOW-HIGH"
    )
    steps: Range | None = declare(
        None, "Only puzzles with a path of so many steps, such as 1-20.", form="N|LOW-HIGH"
    )
    techniques: str | None = declare(
        None,
        "Only puzzles whose path needs these techniques only, such as count,end,cases.",
        form="NAMES",
    )
    no_trial: bool = declare(False, "Only puzzles that are solved without a trial or a guess.")
    uses: str | None = declare(
        None,
        "Only puzzles whose path uses these techniques, at least once or so often, such as "
        "cases,crossing=2-4.",
        form="NAMES[=N|LOW-HIGH]",
    )
    widest: Range | None = declare(
        None, "Only puzzles with so many open steps where most are open.", form="N|LOW-HIGH"
    )
    narrowest: Range | None = declare(
        None,
        "Only puzzles with so many open steps where fewest are; the end does not count.",
        form="N|LOW-HIGH",
    )
    clues: Range | None = declare(
        None,
        "Only puzzles with this many clues, or pairs.",
        form="N|LOW-HIGH",
        flag="--clues --pairs",
    )
    layout: Mapping[str, tuple[float, float]] = declare(
        dict,
        "Only puzzles with these layout statistics, such as density=0.4-0.45 or turns=3-5. May be "
        "repeated.",
        form="NAME=LOW-HIGH",
        flag="--statistics",
        hash=False,
    )
    sources: tuple[str, ...] = declare(
        (),
        "Only puzzles of commands with this word, such as generate, or of requests with this "
        "value, such as shape=uniform. May be repeated: all must match.",
        form="WORD|NAME=VALUE",
        flag="--source",
    )

    def __post_init__(self) -> None:
        if self.size is not None:
            for name, span in zip(("rows", "cols"), self.size, strict=True):
                object.__setattr__(self, name, span)
        grades = tuple(name for word in self.grades for name in named_grades(word))
        object.__setattr__(self, "grades", grades)
        # Names of techniques are checked at once.
        self._of_path()
        for measure in self.layout:
            if measure not in MEASURES:
                raise ValueError(f"expected one of {', '.join(MEASURES)}, got {measure!r}")

    def _of_path(self) -> dict[str, list[Any]]:
        """Return the SQL conditions for the path, with their values."""
        found: dict[str, list[Any]] = {}
        for name in ("widest", "narrowest"):
            if (span := getattr(self, name)) is not None:
                found[f"json_extract(graded, '$.{name}') BETWEEN ? AND ?"] = [*span]
        for name, least, most in () if self.uses is None else uses_in(self.uses):
            found[f"{_OFTEN.format(name)} BETWEEN ? AND ?"] = [
                least,
                MOST if most is None else most,
            ]
        if self.no_trial:
            found[" AND ".join(f"{_OFTEN.format(name)} = 0" for name in TRIALS)] = []
        if self.techniques is not None:
            names = sorted(techniques_in(self.techniques))
            places = ", ".join("?" * len(names))
            # Without a label there is no path.
            others = f"SELECT 1 FROM json_each(graded, '$.steps') WHERE key NOT IN ({places})"
            found[f"NOT EXISTS ({others})"] = [*names]
        return found

    def fits_source(self, request: Mapping[str, Any]) -> bool:
        """Return whether a request matches all ``sources``: ``NAME=VALUE``, or part of the command.

        >>> request = {"command": "generate slitherlink", "shape": "uniform", "rows": 9}
        >>> some = [Filter(sources=(word,)) for word in ("slither", "rows=9", "rows=1")]
        >>> [one.fits_source(request) for one in some]
        [True, True, False]
        """
        return all(_has(request, word) for word in self.sources)

    def condition(self, makers: Makers) -> tuple[str, list[Any]]:
        """Return the SQL condition with its values.

        ``makers`` are the makers of the file. Puzzles with a missing or unreadable maker match all
        ``sources``, so that readers report them.
        """
        terms: list[str] = []
        values: list[Any] = []
        for column in ("kind", "variant"):
            if (value := getattr(self, column)) is not None:
                terms.append(f"{column} = ?")
                values.append(value)
        spans = {f"{one} BETWEEN ? AND ?": getattr(self, one) for one in ("rows", "cols", "clues")}
        for term, span in {**spans, _SCORED: self.score}.items():
            if span is not None:
                terms.append(term)
                values += [max(-MOST, min(end, MOST)) for end in span]
        if self.steps is not None:
            terms.append("coalesce(steps, -1) BETWEEN ? AND ?")
            values += self.steps
        for term, bounds in self._of_path().items():
            terms.append(_GRADED.format(term))
            values += bounds
        for measure, ends in self.layout.items():
            terms.append(_MEASURED.format(MEASURES[measure]))
            values += map(float, ends)
        if self.grades:
            places = ", ".join("?" * len(self.grades))
            terms.append(f"coalesce({GRADE}, '{UNGRADED}') IN ({places})")
            values += self.grades
        if self.sources:
            fitting = [
                str(one)
                for one, request in makers.items()
                if request is None or self.fits_source(request)
            ]
            terms.append(
                f"(puzzle.maker IN ({', '.join(fitting)}) "
                "OR puzzle.maker NOT IN (SELECT id FROM maker))"
            )
        return " AND ".join(terms) or "1", values


def named_grades(word: str) -> tuple[str, ...]:
    """Return the grades that a name or a range of labels stands for; ``ValueError`` for others."""
    if word in _NAMES:
        return (word,)
    low, _, high = str(word).partition("..")
    if low in LABELS and high in LABELS[LABELS.index(low) :]:
        return LABELS[LABELS.index(low) : LABELS.index(high) + 1]
    known = f"{', '.join(_NAMES)}, or a range such as normal..hard"
    raise ValueError(f"expected one of the grades {known}, got {word!r}")


def _has(request: Mapping[str, Any], word: str) -> bool:
    name, given, value = word.partition("=")
    if not given:
        return word in str(request.get("command", ""))
    found = request.get(name)
    return name in request and value in (found, json.dumps(found))


def sound_rows() -> str:
    """Return the SQL condition for rows that can be counted: the checks of `Record.of_row`."""
    kinds, grades = (", ".join(map(repr, names)) for names in (KINDS, GRADES))
    return (
        f"(kind IN ({kinds}) "
        "AND typeof(variant) = 'text' AND variant NOT GLOB '*[^a-z-]*' AND variant != '' "
        # `GLOB` ignores the rest of a text after a zero byte.
        "AND length(variant) = length(CAST(variant AS BLOB)) "
        "AND typeof(rows) = 'integer' AND typeof(cols) = 'integer' AND typeof(clues) = 'integer' "
        f"AND (grade IS NULL OR grade IN ({grades})))"
    )
