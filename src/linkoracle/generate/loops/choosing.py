"""`chosen`: which of the clues that a loop allows are in a puzzle, where it allows several.

A set of clues makes a loop unique iff each alternative breaks one of them. So clues are chosen by
implicit hitting sets: an alternative that fits all clues chosen so far excludes this choice, a
smallest set of clues that excludes all known alternatives, with at most one in a place, is the
next, and other places keep their clues. If no choice excludes an alternative, the loop must change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import combinations
from random import Random
from typing import Any

from linkoracle.board import Solution
from linkoracle.core import Deadline, pick
from linkoracle.engines import HittingSets
from linkoracle.generate.loops.aims import Wanted
from linkoracle.kinds import CellLoop, Lines

#: The most choices for one loop, after which it changes.
_CHOICES = 60
#: A place and one of its clues.
Allowed = tuple[Any, Any]


def allowed(puzzle: CellLoop, loop: Solution) -> dict[Any, list[Any]]:
    """Return the clues that a loop allows in each place, without repeats."""
    found: dict[Any, dict[Any, None]] = {}
    for place, clue in puzzle.clues_of(Lines.of(loop)):
        found.setdefault(place, {})[clue] = None
    return {place: [*clues] for place, clues in found.items()}


def chosen(
    puzzle: CellLoop,
    loop: Solution,
    others: Callable[[CellLoop], list[Solution]],
    rng: Random,
    looks: Wanted | None = None,
    kept: Collection[Any] = (),
) -> tuple[CellLoop, list[Solution]]:
    """Return the puzzle with clues that make a loop unique, and the alternatives left, if any.

    ``puzzle`` has a clue in each place that may have one; ``others`` finds alternatives of a
    puzzle. Where the loop allows several clues in a place, takes other ones until there is no
    alternative, or each choice has one. ``rng`` draws the first choice, with ``looks`` as often as
    published puzzles have such clues. Places in ``kept`` keep their clues.
    """
    there = dict(puzzle.every_clue())
    every = {place: clues for place, clues in allowed(puzzle, loop).items() if place in there}
    every |= {place: [there[place]] for place in kept if place in every}
    several = [place for place, clues in every.items() if len(clues) > 1]
    if not several:
        return puzzle, others(puzzle)
    draw = pick if looks is None else looks.drawn
    puzzle = puzzle.with_clues({place: draw(rng, every[place]) for place in several})
    with HittingSets([(place, clue) for place, clues in every.items() for clue in clues]) as sets:
        for place in several:
            for pair in combinations(every[place], 2):
                sets.spare((place, clue) for clue in pair)
        for _ in range(_CHOICES):
            found = others(puzzle)
            if not found:
                break
            for other in found:
                sets.hit(_excluding(puzzle, every, other))
            best = sets.smallest(Deadline(None))
            if best is None:
                break
            puzzle = puzzle.with_clues(dict(best))
    return puzzle, found


def _excluding(puzzle: CellLoop, every: Mapping[Any, list[Any]], other: Solution) -> list[Allowed]:
    """Return the clues that another loop does not allow."""
    fits = allowed(puzzle, other)
    return [
        (place, clue)
        for place, clues in every.items()
        for clue in clues
        if clue not in fits.get(place, ())
    ]
