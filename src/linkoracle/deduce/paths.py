"""`PathWish`: what the path of a puzzle must be like, and how far a path is from that.

A path is the list of steps that `linkoracle.deduce.deduced` makes, in numbers (`Made`). It is
*wide* where many steps are open at a time, and *narrow* where there are few.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple

from linkoracle.core import checked_int, counted
from linkoracle.deduce.deduction import TECHNIQUES
from linkoracle.deduce.grades import Grade, Made, narrowest, widest
from linkoracle.deduce.rules import CATALOGUE
from linkoracle.deduce.words import Step
from linkoracle.kinds import Puzzle

#: The lowest and the highest number.
Range = tuple[int, int]
#: A technique, and how often a path must use it at least and at most; ``None`` is no limit.
Use = tuple[str, int, int | None]

#: The techniques of patterns, easiest first, and those of all boards.
PATTERNED = tuple(technique.name for technique in CATALOGUE if technique.label is not None)
#: Names of steps that follow assumptions, and of those that no argument supports.
TRIALS, _GUESSES = ("trial", "refuted", "either", "guess"), frozenset({"guess"})
#: What the techniques of all boards argue from.
_MEANINGS = {
    "count": "a clue, a cell or a dot leaves one choice",
    "end": "a line would close or end too early, or join what must not be joined",
    "cases": "all ways to satisfy one clue, or to pass one place, agree",
    "crossing": "a loop crosses the border of any area an even number of times",
    "exit": "a line must be able to leave an area that it enters",
    "clues": "all ways to satisfy two clues together agree",
    "trial": "an assumption breaks a rule a few steps later",
    "guess": "an assumption breaks a rule after further trials, or only the solution says so",
}
#: What `like` allows around the numbers of a path: a fraction of each, and at least so many.
_SLACK, _LEAST = 1 / 3, 3
_USE = re.compile(r"([^=,]+?)(?:=(\d{1,6})(?:-(\d{1,6}))?)?", re.ASCII)
_CELL = r"r(\d{1,4})c(\d{1,4})"
_CELLS = re.compile(rf"{_CELL}(?:-{_CELL})?", re.ASCII | re.IGNORECASE)
_FACE = re.compile(r"(?:face )?(\d{1,6})", re.ASCII)


class Missed(NamedTuple):
    """Why a puzzle is not as requested, with a number that was too large."""

    reason: str
    number: int | None = None


@dataclass(frozen=True)
class PathWish:
    """Conditions for the path of a puzzle; ``None`` and ``()`` mean no condition.

    ``techniques`` are the names of the only ones that the path may use. ``no_trial`` forbids
    assumptions, ``guess`` allows steps that no argument supports. ``steps`` is a range of their
    number; ``uses`` says how often a technique must occur. ``widest`` and ``narrowest`` are ranges
    of the numbers of steps that are open at the `widest` and the `narrowest` place. ``begins`` are
    places: the first step is about one of them.
    """

    techniques: frozenset[str] | None = None
    no_trial: bool = False
    guess: bool = False
    steps: Range | None = None
    uses: tuple[Use, ...] = ()
    widest: Range | None = None
    narrowest: Range | None = None
    begins: frozenset[Any] | None = None

    def __post_init__(self) -> None:
        spans = {"steps": self.steps, "widest": self.widest, "narrowest": self.narrowest}
        for name, span in spans.items():
            if span is not None:
                object.__setattr__(self, name, checked_range(span, name, least=1))
        for name, least, most in self.uses:
            technique_named(name)
            if most is not None and least > most:
                raise ValueError(
                    f"the range {least}-{most} of {name} is empty. Give the lower number first"
                )
        for name in self.techniques or ():
            technique_named(name)
        self._check_together()

    def _check_together(self) -> None:
        """Raise ``ValueError`` for conditions that no path satisfies together."""
        for name, least, _ in self.uses:
            if least and not self.allows(name):
                why = "no trial is allowed" if name in TRIALS and self.no_trial else "not allowed"
                raise ValueError(f"the path cannot use {name}: {why}")
        if self.techniques is not None and not any(map(self.allows, self.techniques)):
            raise ValueError(
                "no technique is left. Allow more of them, such as count, or allow trials"
            )
        total = sum(least for _, least, _ in self.uses)
        if self.steps is not None and total > self.steps[1]:
            raise ValueError(
                f"the techniques to use take {counted(total, 'step')}, more than the "
                f"{self.steps[1]} allowed"
            )
        if self.widest and self.narrowest and self.narrowest[0] > self.widest[1]:
            raise ValueError(
                f"the narrowest point cannot be wider than the widest: {self.narrowest[0]} and "
                f"{self.widest[1]} open steps"
            )

    def allows(self, technique: str) -> bool:
        """Return whether the path may use a technique.

        >>> PathWish(no_trial=True).allows("trial"), PathWish().allows("trial")
        (False, True)
        """
        if technique in TRIALS and self.no_trial:
            return False
        if self.techniques is not None:
            return technique in self.techniques
        return self.guess or technique not in _GUESSES

    def enough(self, order: Sequence[str]) -> frozenset[str]:
        """Return the techniques to try, from ``order``, easiest first: up to the hardest allowed.

        With these a path is the same as with all, or the puzzle is harder than allowed.

        >>> sorted(PathWish(techniques=frozenset({"end"})).enough(("count", "end", "trial")))
        ['count', 'end']
        """
        last = max((at for at, name in enumerate(order) if self.allows(name)), default=-1)
        return frozenset(order[: last + 1])

    def difference(self, path: Sequence[Made]) -> int:
        """Return 1 for a path that is too hard, -1 for one that is too easy, else 0.

        Too hard: with too many steps, too hard techniques, or too few open steps.
        """
        used = Counter(step.technique for step in path)
        if not all(map(self.allows, used)):
            return 1
        wide = (widest(path), self.widest), (narrowest(path), self.narrowest)
        # Fewer open steps are harder, but a path with hardly any step is not.
        harder = [
            (-number if len(path) > span[0] else -span[1] - 1, (-span[1], -span[0]))
            for number, span in wide
            if span is not None
        ]
        harder += [(number, span) for _, number, span in self._counts(path)]
        signs = [(number > high) - (number < low) for number, (low, high) in harder]
        return max(signs, key=lambda sign: (abs(sign), sign), default=0)

    def missed(self, path: Sequence[Made]) -> Missed | None:
        """Return the first condition that a path misses; ``None`` if it is as requested.

        >>> wish = PathWish(steps=(1, 2))
        >>> wish.missed([Made("count", 1, 1, 1)] * 3)
        Missed(reason='with more than 2 steps', number=3)
        """
        used = Counter(step.technique for step in path)
        for name in used:
            if not self.allows(name):
                return Missed(self.not_allowed(name))
        spans = self._counts(path)
        if self.widest is not None:
            spans.append(("steps open where most are", widest(path), self.widest))
        if self.narrowest is not None:
            spans.append(("steps open where fewest are", narrowest(path), self.narrowest))
        for what, number, (low, high) in spans:
            if number > high:
                return Missed(f"with more than {high} {what}", number)
            if number < low:
                return Missed(f"with fewer than {low} {what}")
        return None

    def _counts(self, path: Sequence[Made]) -> list[tuple[str, int, Range]]:
        """Return what the conditions for steps count: what, how many of a path, and the range."""
        used = Counter(step.technique for step in path)
        found = [] if self.steps is None else [("steps", len(path), self.steps)]
        return found + [
            (f"steps by {name}", used[name], (least, len(path) if most is None else most))
            for name, least, most in self.uses
        ]

    def not_allowed(self, technique: str = "") -> str:
        """Return in words that a puzzle needs a technique, perhaps an unknown one."""
        if self.no_trial and (technique in TRIALS or not technique):
            return "needing a trial"
        if technique:
            return f"needing {technique}"
        return "needing a guess" if self.techniques is None else "needing other techniques"

    def begins_at(self, puzzle: Puzzle, step: Step | None) -> bool:
        """Return whether the first step is about one of the places of ``begins``.

        Its clue counts if it has one, else the cells beside the lines that it decides.
        """
        if self.begins is None:
            return True
        return step is not None and not self.begins.isdisjoint(places_of(puzzle, step)[:1])


def places_of(puzzle: Puzzle, step: Step) -> list[Any]:
    """Return the places of a step: of its argument, or else of what it decides."""
    if step.cells:
        return list(step.cells)
    board, name = puzzle.board, puzzle.faces.face_name
    edges = [*step.lines, *step.crosses]
    if puzzle.through_cells:
        vertices = [*step.visited, *step.unvisited]
        vertices += [end for edge in edges for end in board.ends(edge)]
        return [*dict.fromkeys(map(board.vertex_name, vertices))]
    faces = [*step.inside, *step.outside]
    faces += [face for edge in edges for face in board.faces_of(edge)]
    return [*dict.fromkeys(map(name, faces))]


def meaning_of(technique: str) -> str:
    """Return what a technique argues from.

    >>> meaning_of("count")
    'a clue, a cell or a dot leaves one choice'
    """
    patterns = {one.name: one.meaning for one in CATALOGUE}
    return _MEANINGS.get(technique) or patterns.get(technique, "")


def technique_named(name: str) -> str:
    """Return the name of a technique; raise ``ValueError`` with the nearest one for another.

    >>> technique_named("coutn")
    Traceback (most recent call last):
        ...
    ValueError: no technique is called 'coutn': did you mean 'count'?
    """
    every = list(dict.fromkeys((*TECHNIQUES, *PATTERNED)))
    if name in every:
        return name
    near = get_close_matches(str(name), every, 1, 0.0)
    raise ValueError(f"no technique is called {name!r}: did you mean {near[0]!r}?")


def techniques_in(names: str | Iterable[str]) -> frozenset[str]:
    """Return the techniques that a text with commas, or a list, names.

    >>> sorted(techniques_in("count, end"))
    ['count', 'end']
    """
    listed = names.split(",") if isinstance(names, str) else [*names]
    if not listed:
        raise ValueError("expected the names of techniques, found none")
    return frozenset(technique_named(str(name).strip()) for name in listed)


def uses_in(uses: str | Mapping[str, Any] | Iterable[Use]) -> tuple[Use, ...]:
    """Return how often techniques must occur: a text, a mapping to ranges, or triples.

    >>> uses_in("cases, crossing=2-4")
    (('cases', 1, None), ('crossing', 2, 4))
    >>> uses_in({"cases": 3}), uses_in([("cases", 3, None)])
    ((('cases', 3, 3),), (('cases', 3, None),))
    """
    if isinstance(uses, Mapping):
        spans = {name: checked_range(span, name, least=0) for name, span in uses.items()}
        return tuple((technique_named(name), *span) for name, span in spans.items())
    if not isinstance(uses, str):
        return tuple((technique_named(name), least, most) for name, least, most in uses)
    found: list[Use] = []
    for part in uses.split(","):
        match = _USE.fullmatch(part.strip())
        if match is None:
            raise ValueError(
                f"expected a technique, or NAME=N or NAME=LOW-HIGH as in crossing=2-4, got {part!r}"
            )
        name, low, high = match.groups()
        least = 1 if low is None else int(low)
        found.append((technique_named(name), least, None if low is None else int(high or low)))
    return tuple(found)


def checked_range(span: Any, what: str, least: int = 0) -> Range:
    """Return a range: a number, two, or both as text; raise ``ValueError`` for an empty one.

    >>> checked_range("10-20", "steps"), checked_range(7, "steps"), checked_range([1, 5], "steps")
    ((10, 20), (7, 7), (1, 5))
    """
    ends = span.split("-") if isinstance(span, str) else span
    ends = [ends] if isinstance(ends, int) else list(ends) if isinstance(ends, Iterable) else []
    try:
        numbers = [int(end) if isinstance(end, str) else end for end in ends]
        low, high = (checked_int(numbers[at], what, least) for at in (0, -1))
        if len(numbers) > 2:
            raise ValueError(span)
    except (ValueError, IndexError):
        raise ValueError(
            f"expected a number of {what} from {least}, or two such as 8-12, got {span!r}"
        ) from None
    if low > high:
        raise ValueError(f"the range {low}-{high} of {what} is empty. Give the lower number first")
    return low, high


def places_in(text: Any, rows: int, cols: int) -> frozenset[Any]:
    """Return the places that a text names: a cell, a block of cells, or a face.

    ``rows`` is 0 on a board that is not square, which has ``cols`` faces: see `Board.shape`.

    >>> sorted(places_in("r1c1-r2c1", 3, 3)), places_in("face 4", 0, 9)
    ([(0, 0), (1, 0)], frozenset({4}))
    """
    if not rows:
        match = _FACE.fullmatch(str(text))
        if match is None or int(match[1]) >= cols:
            raise ValueError(f"expected a face from 0 to {cols - 1}, such as 5, got {text!r}")
        return frozenset({int(match[1])})
    match = _CELLS.fullmatch(str(text))
    if match is None:
        raise ValueError(f"expected a cell such as r1c1, or a block r1c1-r3c3, got {text!r}")
    top, left, bottom, right = (int(end) - 1 if end else -1 for end in match.groups())
    if match[3] is None:
        bottom, right = top, left
    if not (0 <= top <= bottom < rows and 0 <= left <= right < cols):
        raise ValueError(f"expected cells of a board of {rows}x{cols}, got {text!r}")
    return frozenset((row, col) for row in range(top, bottom + 1) for col in range(left, right + 1))


def like(grade: Grade, scale: float = 1) -> dict[str, Any]:
    """Return the options of a request for puzzles whose path is like that of a grade.

    They have the same label and no other techniques; and the number of steps, times ``scale``, and
    the widest and the narrowest point may differ by a third, or by 3.

    >>> path = (Made("count", 1, 4, 2),) * 20
    >>> like(Grade("solved", "easy", 3, {"count": 20}, {}, 0, 0, 0, path=path))["steps"]
    (13, 27)
    """
    if grade.status != "solved":
        raise ValueError(f"expected a puzzle that deduction solves, found: {grade.status}")

    def around(number: float) -> Range:
        slack = max(_LEAST, round(_SLACK * number))
        return max(1, round(number) - slack), round(number) + slack

    return {
        "difficulty": grade.label,
        "techniques": ",".join(grade.steps),
        "steps": around(scale * grade.total),
        "widest": around(grade.widest),
        "narrowest": around(grade.narrowest),
    }
