"""Tapa-Like Loop: a loop past cells with the lengths of its sections around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from linkoracle.kinds.cell_loops import FALSE, CellLoop, LoopRules
from linkoracle.kinds.lines import Lines, step
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Figure, Pzpr, place_of

#: The steps around a cell, from the one in its upper left corner.
_ROUND = "eesswwnn"


def ring(cell: Cell) -> list[Cell]:
    """Return the eight cells around a cell, in order, and the first again."""
    around = [step(step(cell, "n"), "w")]
    for direction in _ROUND:
        around.append(step(around[-1], direction))
    return around


class TapaLoop(CellLoop):
    """A Tapa-Like Loop of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of words such as ``"1,3"``, or ``None``. The loop leaves out all cells with
    words. Among the eight cells around a word, the loop has one section for each number, of as many
    cells, in any order; ``?`` is any number, and ``"0"`` says that the loop visits none of them. A
    loop around a single cell has no section, and fits no word.

    >>> from linkoracle import count
    >>> count(TapaLoop([". . . .", ". . . .", ". . . .", ". . 2,2 ."]))
    1
    """

    kind = "tapaloop"
    title = "Tapa-Like Loop"
    instruction = (
        f"{LOOP}, and passes through no cell with numbers. The numbers in a cell show the lengths, "
        "in cells, of the sections of the loop in the eight cells around it, in any order. A "
        "question mark is any number."
    )
    example = Example(
        ". . . . ./. 1,5 2,4 . ./. . . . ./. . . . ./? . . 2 .", (((0, 0), "RRRDRDLLDDLULUUU"),)
    )
    avoids_clues = True
    words = r"0|[1-8?](,[1-7?]){0,3}"
    clue = "numbers of cells such as '1,3' or '?'"
    unknown = "?"
    pzpr = Pzpr("sections", {("tapaloop", ""): None})

    def constrain(self, rules: LoopRules) -> None:
        """Count the sections around words by their length."""
        for cell, word in self.clue_cells():
            rules.about("clue", cell)
            around = ring(cell)
            on = [rules.visited(one) for one in around[:-1]]
            if word == "0":
                rules.count(on, [0])
                continue
            ways = zip(around, _ROUND, strict=False)
            joined = [rules.line(one, way) if rules.has(one) else FALSE for one, way in ways]
            begins = [rules.every((one, -joined[at - 1])) for at, one in enumerate(on)]
            numbers = Counter(word.split(","))
            # No section begins where the loop visits nothing around, or has a closed circle there.
            rules.clause(*(-line for line in joined))
            rules.count(begins, [0, 1] if word == "?" else [numbers.total()])
            for number, times in numbers.items():
                if number != "?":
                    last, most = int(number) - 1, numbers.total() if "?" in numbers else times
                    circle = [joined[at:] + joined[:at] for at in range(8)]
                    some = (
                        rules.every((first, *lines[:last], -lines[last]))
                        for first, lines in zip(begins, circle, strict=True)
                    )
                    rules.count(some, range(times, most + 1))

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each word with other sections around it."""
        for cell, word in self.clue_cells():
            numbers, found = Counter(word.split(",")), Counter(map(str, sections(lines, cell)))
            free = numbers.pop("?", 0)
            if numbers - found or (found - numbers).total() != free:
                yield f"the sections around the {word} at {place_of(cell)} are {', '.join(found)}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the lengths around each cell that the loop leaves out."""
        for cell in self.cells():
            if cell not in lines and (found := sections(lines, cell)):
                yield cell, ",".join(map(str, found))

    def clue_figures(self, cell: Cell, clue: str) -> Iterator[Figure]:
        """Yield what to draw: the numbers in a grey cell."""
        yield Figure("grey", cell)
        yield Figure("text", cell, str(clue).replace(",", " "))


def sections(lines: Lines, cell: Cell) -> list[int]:
    """Return the lengths of the sections of a loop around a cell, in order; 0 for none at all."""
    around = ring(cell)
    if not any(one in lines for one in around):
        return [0]
    joined = [lines.has_edge(*pair) for pair in pairwise(around)]
    found = []
    for start in range(8):
        if around[start] in lines and not joined[start - 1]:
            found.append(1)
            while joined[(start + found[-1] - 1) % 8]:
                found[-1] += 1
    return sorted(found)
