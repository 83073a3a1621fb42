"""The walk through a puzzle: every step of the deduction as a sentence.

Cells are called ``r1c1`` from the top left, dots by row and column from 0, as in an ``ends`` line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from linkoracle.board.model import HOLE
from linkoracle.deduce.board import Board
from linkoracle.deduce.rules import (
    CATALOGUE,
    CLUE,
    COLOUR,
    DOT,
    EITHER,
    GIVEN,
    LOOP,
    PARITY,
    PATTERNS,
    POCKET,
    REFUTED,
    REGION,
    SHADE,
    UNIQUE,
    WIDE,
    WINDOW,
)
from linkoracle.kinds import Puzzle


@dataclass(frozen=True)
class Step:
    """One step: the technique by name, the rule if it is a pattern, the edges that it decides.

    ``reason`` is the argument, ``sentence`` the argument with what follows from it. ``cells`` are
    the cells that the argument is about, as ``(row, column)`` from 0, where there are such.
    """

    technique: str
    rule: str | None
    lines: tuple[int, ...]
    crosses: tuple[int, ...]
    reason: str
    sentence: str
    cells: tuple[tuple[int, int], ...] = ()


def walk(puzzle: Puzzle, board: Board) -> list[Step]:
    """The steps that a board of this puzzle has made.

    >>> from linkoracle import Slitherlink
    >>> puzzle = Slitherlink([[4, None]])
    >>> board = Board(puzzle.model)
    >>> board.begin()
    True
    >>> print(walk(puzzle, board)[0].reason)
    The 4 at r1c1 needs every edge that is left
    """
    tell = _Teller(puzzle, board)
    steps = []
    before: list[int] = []
    for (technique, place), part in groupby(board.trail(), key=lambda entry: entry[1:]):
        literals = [literal for literal, _, _ in part]
        if technique != GIVEN:
            steps.append(tell.step(technique, place, literals, before))
        before += literals
    return steps


class _Teller:
    def __init__(self, puzzle: Puzzle, board: Board) -> None:
        self.puzzle = puzzle
        self.board = board
        self.lattice = puzzle.lattice
        self.through_cells = puzzle.through_cells

    def step(self, technique: int, place: int, literals: list[int], before: list[int]) -> Step:
        lines = tuple(literal >> 1 for literal in literals if not literal & 1)
        crosses = tuple(literal >> 1 for literal in literals if literal & 1)
        rule = None
        if technique in PATTERNS:
            rule = self.board.deck.rules[self.board.laid.rule[place]].name
        reason = self.reason(technique, place, literals, before)
        parts = [f"a line {self.edges(lines)}"] if lines else []
        parts += [f"no line {self.edges(crosses)}"] if crosses else []
        sentence = f"{reason}: {'; '.join(parts)}."
        return Step(
            CATALOGUE[technique].name,
            rule,
            lines,
            crosses,
            reason,
            sentence,
            self.cells(technique, place),
        )

    def cells(self, technique: int, place: int) -> tuple[tuple[int, int], ...]:
        """Where to look on the board."""
        across = self.lattice.cols - 1
        faces: list[int] = []
        if technique in (CLUE, REGION):
            faces = [place]
        elif technique in PATTERNS:
            faces = [int(self.board.laid.anchor[place])]
        elif technique == COLOUR:
            faces = [int(face) for face in self.board.frame.sides[place]]
        elif technique == SHADE:
            faces = [place - self.lattice.num_vertices]
        elif technique in (WINDOW, WIDE):
            side = 2 if technique == WINDOW else 3
            top, left = divmod(place, self.lattice.cols - side)
            steps = range(side)
            return tuple((top + down, left + right) for down in steps for right in steps)
        found = [divmod(face, across) for face in faces if 0 <= face < self.lattice.num_faces]
        if self.through_cells:  # a face is a corner, where four cells meet
            steps = range(2)
            found = [(row + r, col + c) for row, col in found for r in steps for c in steps]
        return tuple(dict.fromkeys(found))

    def reason(self, technique: int, place: int, literals: list[int], before: list[int]) -> str:
        if technique == CLUE:
            return f"The {self.clue(place)} " + (
                "has all its lines" if literals[0] & 1 else "needs every edge that is left"
            )
        if technique == DOT:
            return self.dot_reason(place, literals, before)
        if technique == LOOP:
            loop = self.puzzle.model.loop
            if place < 0:
                return "The loop is complete" if loop else "All is joined"
            if loop:
                return "A line there would close a loop before all is done"
            return "A line there would join different ends or close a loop"
        if technique in PATTERNS:
            return self.pattern(place)
        if technique == PARITY:
            return f"The lines {self.cut(place)} are even in number, and one edge is open"
        if technique == COLOUR:
            one, other = (self.face(int(face)) for face in self.board.frame.sides[place])
            apart = "on different sides" if not literals[0] & 1 else "on the same side"
            return f"{one} and {other} are {apart} of the loop, as the lines around show"
        if technique == SHADE:
            vertices = self.lattice.num_vertices
            where = self.dot(place) if place < vertices else f"the {self.clue(place - vertices)}"
            return f"Around {where}, only this fits what is known to be inside and outside"
        if technique == REGION:
            return (
                f"All {'corners' if self.through_cells else 'cells'} inside hang together, and so "
                "do all outside, "
                f"which leaves one side for {self.face(place)}"
            )
        if technique in (WINDOW, WIDE):
            return f"All ways to fill {self.block(technique, place)} without a small loop agree"
        if technique == POCKET:
            return f"What lies behind {self.dot(place)} can be reached through it only"
        if technique == UNIQUE:
            return "Otherwise a part of the lines could be redrawn, and there were two solutions"
        return self.guess_reason(technique, place, literals, before)

    def pattern(self, place: int) -> str:
        rule = self.board.deck.rules[self.board.laid.rule[place]]
        premises = list(self.board.frame.premises[place].tolist())
        premises = premises[: premises.index(-1)]
        lines = [literal >> 1 for literal in premises if not literal & 1]
        crosses = [literal >> 1 for literal in premises if literal & 1]
        parts = [f"a line {self.edges(lines)}"] if lines else []
        parts += [f"no line {self.edges(crosses)}"] if crosses else []
        given = f", given {' and '.join(parts)}" if parts else ""
        return f'Pattern "{rule.name}" at {self.face(int(self.board.laid.anchor[place]))}{given}'

    def dot_reason(self, place: int, literals: list[int], before: list[int]) -> str:
        dot = self.dot(place)
        if self.puzzle.model.degrees[place] == HOLE:
            return f"No line goes to {dot}"
        around = {int(edge) for edge in self.board.frame.around[place]}
        lines = sum(1 for literal in before if not literal & 1 and literal >> 1 in around)
        if not literals[0] & 1:
            return (
                f"The line at {dot} has one way to go on"
                if lines
                else f"There is one way to use {dot}"
            )
        if lines:
            return f"{dot if self.through_cells else dot.capitalize()} has all its lines"
        return f"A line would end at {dot}"

    def guess_reason(
        self, technique: int, place: int, literals: list[int], before: list[int]
    ) -> str:
        if technique == EITHER:
            return f"With a line {self.edges([place])}, and without it as well"
        assert technique == REFUTED
        tried = literals[0] ^ 1
        shown = ("no line " if tried & 1 else "a line ") + self.edges([tried >> 1])
        trial = Board(self.puzzle.model, uniqueness=bool(self.board.frame.enabled[0, UNIQUE]))
        fits = trial.put(before) and trial.deduce()
        mark, _ = trial.mark()
        if not fits or trial.assume(tried):
            return f"Suppose {shown}: deeper guesses show that this cannot be"
        technique, _ = trial.fault
        steps = trial.mark()[0] - mark
        name = CATALOGUE[technique].name
        return f"Suppose {shown}: {steps} edges later it fails ({name}), so not that"

    def edges(self, edges: Iterable[int]) -> str:
        return ", ".join(self.edge(edge) for edge in edges)

    def edge(self, edge: int) -> str:
        (row, col), (row2, _) = (
            self.lattice.position(int(end)) for end in self.board.frame.ends[edge]
        )
        if self.through_cells:
            last = (row + 1, col) if row2 > row else (row, col + 1)
            return f"from {_cell(row, col)} to {_cell(*last)}"
        rows, cols = self.puzzle.rows, self.puzzle.cols
        if row2 == row:
            if row in (0, rows):
                return f"above {_cell(0, col)}" if row == 0 else f"below {_cell(rows - 1, col)}"
            return f"between {_cell(row - 1, col)} and {_cell(row, col)}"
        if col in (0, cols):
            return f"left of {_cell(row, 0)}" if col == 0 else f"right of {_cell(row, cols - 1)}"
        return f"between {_cell(row, col - 1)} and {_cell(row, col)}"

    def face(self, face: int) -> str:
        if face >= self.lattice.num_faces:
            return "the outside"
        row, col = divmod(face, self.lattice.cols - 1)
        if self.through_cells:
            return f"the corner of {_cell(row, col)} and {_cell(row + 1, col + 1)}"
        return _cell(row, col)

    def clue(self, face: int) -> str:
        row, col = divmod(face, self.lattice.cols - 1)
        return f"{self.puzzle.grid[row][col]} at {_cell(row, col)}"

    def dot(self, vertex: int) -> str:
        row, col = self.lattice.position(vertex)
        return _cell(row, col) if self.through_cells else f"dot {row},{col}"

    def cut(self, cut: int) -> str:
        rows = self.lattice.rows - 1
        what, at = ("row", cut + 1) if cut < rows else ("column", cut - rows + 1)
        return f"between {what}s {at} and {at + 1}" if self.through_cells else f"across {what} {at}"

    def block(self, technique: int, place: int) -> str:
        side = 2 if technique == WINDOW else 3
        row, col = divmod(place, self.lattice.cols - side)
        return f"{_cell(row, col)} to {_cell(row + side - 1, col + side - 1)}"


def _cell(row: int, col: int) -> str:
    return f"r{row + 1}c{col + 1}"


def counted(steps: Sequence[Step]) -> dict[str, int]:
    """How many steps each technique made, in the order of the techniques."""
    found = {technique.name: 0 for technique in CATALOGUE}
    for step in steps:
        found[step.technique] += 1
    return {name: number for name, number in found.items() if number}
