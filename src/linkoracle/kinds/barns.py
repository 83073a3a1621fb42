"""Barns: a loop through all cells, over ice, and past walls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from linkoracle.board import Solution
from linkoracle.core import pick, shuffled
from linkoracle.kinds.cell_loops import LoopRules
from linkoracle.kinds.ice import IceLoop, drawn_over_ice
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import (
    LOOP,
    AnnotationList,
    Another,
    Cell,
    Edges,
    Example,
    Pzpr,
    Rows,
    format_edge,
)


def _made(rows: int, cols: int, rng: Random, another: Another) -> tuple[Any, Solution] | None:
    """Make a puzzle and its only solution: walls until the loop is the only one, and no more."""
    loop = drawn_over_ice(Barns, rows, cols, rng, another)
    if loop is None:
        return None
    puzzle = Barns.from_solution(loop)
    while (other := another(puzzle, loop)) is not None:
        ends = loop.board.ends(pick(rng, sorted({*other} - {*loop})))
        wall = tuple(sorted(map(loop.board.position, ends)))
        puzzle = replace(puzzle, walls=(*puzzle.walls, wall))
    for wall in shuffled(rng, puzzle.walls):
        fewer = replace(puzzle, walls=tuple(one for one in puzzle.walls if one != wall))
        if another(fewer, loop) is None:
            puzzle = fewer
    return puzzle, loop


@dataclass(frozen=True, repr=False)
class Barns(IceLoop):
    """A Barns of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has no clues: rows of ``None``. The loop visits every cell, and does not cross
    ``walls``, which are pairs of neighbouring cells. It goes straight on in cells of ``ice``, and
    may cross itself there.

    >>> from linkoracle import count
    >>> count(Barns.blank(4, 4)), count(Barns.blank(4, 4, ice=[(1, 1)]))
    (6, 2)
    """

    walls: Edges = field(default=(), kw_only=True)

    kind = "barns"
    title = "Barns"
    instruction = (
        f"{LOOP}, and passes through every cell, but through no wall. On ice it goes straight on, "
        "and may cross itself."
    )
    example = Example(
        "..... ..... ..... ..... .....",
        (((0, 0), "RDRRRULLDDDDLLURRRDRUULLLLUU"),),
        {
            "walls": (((3, 1), (4, 1)),),
            "ice": ((1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)),
        },
    )
    annotations: ClassVar = {
        **IceLoop.annotations,
        "walls": AnnotationList("walls", "border", edges=True),
    }
    every_cell = True
    words = "(?!)"
    clue = "no clue"
    pzpr = Pzpr("bits", {("barns", ""): None}, layout="ice walls")
    maker = _made

    if TYPE_CHECKING:

        def __init__(
            self,
            clues: Rows,
            *,
            ice: Iterable[Any] = (),
            walls: Iterable[Any] = (),
            given: Iterable[Any] = (),
            forbidden: Iterable[Any] = (),
        ) -> None: ...

    def _check_annotations(self) -> None:
        super()._check_annotations()
        object.__setattr__(self, "walls", self._checked_edges("walls", self.walls))

    def constrain(self, rules: LoopRules) -> None:
        """Require that the loop passes every icy cell, and no wall."""
        self.use_ice(rules)
        for wall in self.walls:
            rules.clause(-rules.line_between(*wall))

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each crossed wall."""
        for wall in self.walls:
            if lines.has_edge(*wall):
                yield f"a line passes through the wall {format_edge(wall)}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:  # noqa: ARG002 - none
        """Yield no clue: there are none."""
        return iter(())
