"""Ice Walk: a loop over ice, with the numbers of cells that it visits between icy ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any, ClassVar

from linkoracle.board import Solution
from linkoracle.core import shuffled
from linkoracle.kinds.cell_loops import FALSE, FILL, TRUE, LoopRules
from linkoracle.kinds.ice import IceLoop, drawn_over_ice, walk_over
from linkoracle.kinds.lines import DIRECTIONS, Lines, step
from linkoracle.kinds.puzzle import LOOP, Another, Cell, Example, Pzpr, place_of


def _made(rows: int, cols: int, rng: Random, another: Another) -> tuple[Any, Solution] | None:
    """Make a puzzle and its only solution: all numbers of a loop, less the redundant ones."""
    loop = drawn_over_ice(IceWalk, rows, cols, rng, another)
    if loop is None or another(puzzle := IceWalk.from_solution(loop), loop) is not None:
        return None
    for cell, _ in shuffled(rng, list(puzzle.clue_cells())):
        fewer = puzzle.with_clues({cell: None})
        if another(fewer, loop) is None:
            puzzle = fewer
    return puzzle, loop


class IceWalk(IceLoop):
    """An Ice Walk of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers from 1, of -1 (``?``) for an unknown number, or ``None``. The loop
    visits every number, and in the variant ``"fill"`` every cell. It goes straight on in cells of
    ``ice``, and may cross itself there. A number counts the cells from one icy cell to the next,
    along the loop, among which is its own.

    >>> from linkoracle import count
    >>> ice = [(0, 1), (1, 1), (2, 1), (2, 2), (3, 1)]
    >>> count(IceWalk(["...5", "....", "....", "..1."], ice=ice))
    1
    """

    kind = "icewalk"
    title = "Ice Walk"
    variants: ClassVar = FILL
    instructions: ClassVar = {
        variant: f"{LOOP}, and passes through every {place}. On ice it goes straight on, and may "
        "cross itself. A number shows through how many cells without ice the loop passes there, "
        "one after the other."
        for variant, place in (("loop", "number"), ("fill", "cell"))
    }
    examples: ClassVar = {
        "loop": Example(
            "..... ..... ...3. ..... ..2.3",
            (((0, 0), "RRDDDDLUULDRRRRDLUURULLLLU"),),
            {"ice": ((1, 1), (1, 2), (1, 3), (2, 2), (3, 1), (3, 2), (3, 3))},
        ),
        "fill": Example(
            "...... ...... ...... ...... ..5...",
            (((0, 0), "RRDDRRRUULLDDDDLLLURRRRRDLUUULLLDLUU"),),
            {"ice": ((1, 2), (1, 3), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3), (3, 4))},
        ),
    }
    min_clue = 1
    symbols: ClassVar = {-1: "?"}
    clue = "a number of cells from 1, or '?' (-1)"
    unknown = -1
    maker = _made
    general_rule = "The rule of walks between ice along the loop"
    pzpr = Pzpr(
        "hex_or_unknown",
        {("icewalk", ""): "loop", ("icewalk", "f"): "fill"},
        layout="ice cells",
        saved="ice-cells",
    )

    def constrain(self, rules: LoopRules) -> None:
        """Count the cells of walks in both directions, up to the greatest number."""
        for cell, _ in self.clue_cells():
            rules.visit(cell)
        if self.covers:
            self.use_ice(rules)
        numbers = {cell: number for cell, number in self.clue_cells() if number > 0}
        if not numbers:
            return
        for cell, number in numbers.items():
            rules.about("clue", cell)
            for pair in combinations(DIRECTIONS, 2):
                ends = sum(step(cell, way) in self.ice for way in pair)
                # A walk of one cell is between two icy ones, one of two cells beside one.
                if ends != 3 - number if number < 3 else ends == 2:
                    rules.clause(*(-rules.line(cell, way) for way in pair))
        rules.about()
        # Literal n of a cell, from 1: a walk has at least n cells up to there, or from there on.
        most = max(numbers.values()) + 1
        dry = [cell for cell in self.cells() if cell not in self.ice]
        passed, left = (
            {cell: [TRUE, *(rules.variable() for _ in range(2, most + 1))] for cell in dry}
            for _ in range(2)
        )
        for cell in dry:
            for direction in DIRECTIONS:
                if (line := rules.line(cell, direction)) == FALSE:
                    continue
                out, other = rules.onward(cell, direction), step(cell, direction)
                for way, walk in ((out, left), (-out, passed)):
                    beyond = walk.get(other, [FALSE] * most)
                    for here, there in zip(walk[cell][1:], beyond, strict=False):
                        rules.clause(-line, -way, -here, there)
                        rules.clause(-line, -way, here, -there)
        # A loop that meets no ice is one walk.
        alone = rules.every(-self.used(rules, cell) for cell in self.ice)
        for cell, number in numbers.items():
            for size in range(1, number + 1):
                at = -passed[cell][size - 1], passed[cell][size]
                rules.clause(alone, *at, left[cell][number - size])
                rules.clause(alone, *at, -left[cell][number - size + 1])
            rules.clause(alone, -passed[cell][number])
        visited = [rules.every((alone, rules.visited(cell))) for cell in dry]
        for number in {*numbers.values()}:
            rules.count(visited, [0, number])

    def _walks(self, lines: Lines) -> dict[Cell, int]:
        """Return the number of cells of the walk of each visited cell without ice."""
        walk, icy = walk_over(lines, self.ice), {*self.ice}
        if not icy.intersection(walk):
            return dict.fromkeys(walk, len(walk))
        # Begin on ice.
        start = next(place for place, cell in enumerate(walk) if cell in icy)
        found: dict[Cell, int] = {}
        part: list[Cell] = []
        for cell in [*walk[start:], *walk[: start + 1]]:
            if cell in icy:
                found |= dict.fromkeys(part, len(part))
                part = []
            else:
                part.append(cell)
        return found

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each number that is not visited, or that counts other cells."""
        found = self._walks(lines)
        for cell, number in self.clue_cells():
            if cell not in found:
                yield f"no line passes the number at {place_of(cell)}"
            elif number not in (-1, found[cell]):
                yield f"the walk of the {number} at {place_of(cell)} has {found[cell]} cells"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the numbers of all visited cells without ice."""
        yield from sorted(self._walks(lines).items())
