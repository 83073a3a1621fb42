"""Loops whose clues measure straight lines: Geradeweg, Balance Loop and Shingoki.

An *arm* of a cell is the straight run of lines that leaves the cell in one direction, up to where
the loop turns. A loop that visits a cell has two arms there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar

from linkoracle.board import Lattice
from linkoracle.kinds.cell_loops import FALSE, TRUE, CellLoop, LoopRules, circle_figure, labelled
from linkoracle.kinds.lines import DIRECTIONS, Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Figure, Pzpr, place_of


@dataclass(frozen=True)
class Arms:
    """Two arms that a cell may have, as the lines from the cell to the border, nearest first.

    Every constraint on two arms applies if the loop leaves the cell along both. No method needs
    an extra variable: an arm of *k* lines is *k* consecutive lines and none after them.
    """

    rules: LoopRules
    one: Sequence[int]
    other: Sequence[int]
    straight: bool

    @classmethod
    def of(cls, rules: LoopRules, cell: Cell) -> Iterator[Arms]:
        """Yield all pairs of arms that a cell may have."""
        rays = {direction: rules.ray(cell, direction) for direction in DIRECTIONS}
        for one, other in combinations(filter(rays.get, rays), 2):
            straight = {one, other} in ({*"ns"}, {*"ew"})
            yield cls(rules, rays[one], rays[other], straight=straight)

    def exclude(self) -> None:
        """Require that the loop does not leave the cell along both arms."""
        self._clause()

    def have_sum(self, number: int) -> None:
        """Require the total number of lines of both arms."""
        if number < 2:
            # Each arm has at least one line.
            self.exclude()
        for length in range(1, number + 1):
            self._clause(*_below(self.one, length), *_below(self.other, number + 1 - length))
        for length in range(2, number):
            for rest in range(2, number + 2 - length):
                self._clause(_line(self.one, length), _line(self.other, rest))

    def have_length(self, number: int) -> None:
        """Require the number of lines of each arm."""
        for arm in (self.one, self.other):
            self._clause(*_below(arm, number + 1))
            for length in range(2, number + 1):
                self._clause(_line(arm, length))

    def are_equal(self) -> None:
        """Require that both arms have the same number of lines."""
        for arm, other in ((self.one, self.other), (self.other, self.one)):
            for length in range(2, len(arm) + 1):
                self._clause(*_below(arm, length), _line(other, length))

    def differ(self) -> None:
        """Require that one arm has more lines than the other arm."""
        for length in range(1, len(self.one) + 1):
            arms = (self.one, self.other)
            below = (literal for arm in arms for literal in _below(arm, length))
            self._clause(*below, *(_line(arm, length + 1) for arm in arms))

    def _clause(self, *literals: int) -> None:
        self.rules.clause(*dict.fromkeys((-self.one[0], -self.other[0], *literals)))


def _line(arm: Sequence[int], number: int) -> int:
    """Return the literal of line ``number`` of an arm, counted from 1."""
    return arm[number - 1] if number <= len(arm) else FALSE


def _below(arm: Sequence[int], number: int) -> list[int]:
    """Return literals, one of which is true exactly when an arm has fewer than ``number`` lines."""
    return [-line for line in arm[:number]] if number <= len(arm) else [TRUE]


class ArmLoop(CellLoop):
    """Base of kinds whose loop passes through all clues, which restrict both arms.

    A kind defines `constrain_arms`.
    """

    @classmethod
    def constrain_arms(cls, arms: Arms, clue: Any) -> None:
        """Add the constraints on two arms of a cell with this clue."""
        raise NotImplementedError

    def constrain(self, rules: LoopRules) -> None:
        """Require that cells with clues are visited, and constrain their arms."""
        for cell, clue in self.clue_cells():
            rules.visit(cell)
            for clause in _stated(type(self), rules.board, cell, clue):
                rules.clause(*clause)


@lru_cache(maxsize=5_000)
def _stated(
    kind: type[ArmLoop], board: Lattice, cell: Cell, clue: Any
) -> Sequence[tuple[int, ...]]:
    """Return the clauses of a clue. Cached by board size, as generators need them many times."""
    rules = LoopRules(board)
    for arms in Arms.of(rules, cell):
        kind.constrain_arms(arms, clue)
    return rules.model().clauses


class CircleLoop(ArmLoop):
    """Base of kinds whose clues are circles, with the sum of both arms as a number.

    A kind defines `constrain_circle` and `colour_of`.
    """

    unit = "circles"
    words = "[wb]([1-9][0-9]{0,2})?"
    clue = "a circle 'w' (white) or 'b' (black), perhaps with a number such as 'w4'"

    @staticmethod
    def constrain_circle(arms: Arms, white: bool) -> None:
        """Add the constraints on two arms of a circle that follow from its colour."""
        raise NotImplementedError

    def colour_of(self, lines: Lines, cell: Cell) -> str:
        """Return ``"w"`` or ``"b"``: the circle that the loop allows in a cell that it visits."""
        raise NotImplementedError

    @classmethod
    def constrain_arms(cls, arms: Arms, clue: str) -> None:
        """Add the constraints of the colour and the number of a circle."""
        cls.constrain_circle(arms, clue[0] == "w")
        if clue[1:]:
            arms.have_sum(int(clue[1:]))

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each circle whose colour or number the lines violate."""
        for cell, circle in self.clue_cells():
            if cell not in lines:
                yield f"no line passes the circle at {place_of(cell)}"
                continue
            if circle[0] != self.colour_of(lines, cell):
                yield f"the circle at {place_of(cell)} has the wrong colour for its lines"
            if circle[1:] and (found := sum(arms_at(lines, cell))) != int(circle[1:]):
                yield f"the arms of the circle {circle} at {place_of(cell)} have the sum {found}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield a circle with its number in each cell that the loop visits."""
        for cell in sorted(lines):
            yield cell, f"{self.colour_of(lines, cell)}{sum(arms_at(lines, cell))}"

    def clue_figures(self, cell: Cell, clue: str) -> Iterator[Figure]:
        """Yield what to draw: a circle with its number."""
        yield circle_figure(cell, clue)


def arms_at(lines: Lines, cell: Cell) -> list[int]:
    """Return how many lines there are in each arm of a cell."""
    return [lines.arm(cell, direction) for direction in lines.directions(cell)]


class Geradeweg(ArmLoop):
    """A Geradeweg of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers from 1, of -1 (``?``) for an unknown number, or ``None``. The
    loop visits every number, which is the length of the straight line there. If the loop turns at
    a number, both straight lines that meet there have this length.

    >>> from linkoracle import count
    >>> count(Geradeweg(["..2.", "1..2", "...."]))
    1
    """

    kind = "geradeweg"
    title = "Geradeweg"
    instruction = (
        f"{LOOP}, and passes through every cell with a number. A number is the length of the "
        "straight line through it. Where the loop turns at a number, both straight lines that meet "
        "there have this length. A question mark is any number."
    )
    example = Example("..... .222. ....1 .4... .....", (((0, 0), "RDDRUURDDRDLLLLUUU"),))
    min_clue = 1
    symbols: ClassVar = {-1: "?"}
    clue = "a number from 1, or '?' (-1)"
    unknown = -1
    pzpr = Pzpr("hex_or_unknown", {("geradeweg", ""): None})

    @classmethod
    def constrain_arms(cls, arms: Arms, clue: int) -> None:
        """Require the lengths of the arms."""
        if clue == -1:
            if not arms.straight:
                arms.are_equal()
        elif arms.straight:
            arms.have_sum(clue)
        else:
            arms.have_length(clue)

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each unvisited number, and each straight line of another length."""
        for cell, number in self.clue_cells():
            lengths = _lengths(lines, cell)
            if not lengths:
                yield f"no line passes the number at {place_of(cell)}"
            elif len(lengths) > 1:
                yield f"the straight lines that meet at {place_of(cell)} differ in length"
            elif number not in (-1, *lengths):
                yield f"the straight line at {place_of(cell)} is not of length {number}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the numbers of all cells that the loop allows."""
        for cell in sorted(lines):
            lengths = _lengths(lines, cell)
            if len(lengths) == 1:
                yield cell, lengths.pop()


def _lengths(lines: Lines, cell: Cell) -> set[int]:
    """Return the lengths of the straight lines through a cell."""
    arms = arms_at(lines, cell)
    return {sum(arms)} if lines.goes_straight(cell) else {*arms}


class BalanceLoop(CircleLoop):
    """A Balance Loop of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of words for circles, or ``None``: ``"w"`` for a white and ``"b"`` for a black
    circle, with a number such as ``"b5"`` or without one. The loop visits every circle. The two
    straight lines that leave a white circle have equal lengths; those that leave a black circle do
    not. A number is the sum of both lengths.

    >>> from linkoracle import count
    >>> count(BalanceLoop([". . . w4", ". . . .", ". . b3 ."]))
    1
    """

    kind = "balanceloop"
    title = "Balance Loop"
    instruction = (
        f"{LOOP}, and passes through every circle. Two straight lines leave a circle, each "
        "measured up to where the loop turns. They are equally long at white circles, and not at "
        "black ones. A number is the length of both together."
    )
    example = Example(
        ". . . . ./. . . . ./. . b3 b3 w2/b7 . . . ./. . . . .",
        (((0, 0), "RDDRUURDDRDLLLLUUU"),),
    )
    pzpr = Pzpr("circles", {("balance", ""): None})

    @staticmethod
    def constrain_circle(arms: Arms, white: bool) -> None:
        """Require equal arms of a white circle, and different arms of a black one."""
        (arms.are_equal if white else arms.differ)()

    def colour_of(self, lines: Lines, cell: Cell) -> str:
        """Return ``"w"`` if all arms are equal, else ``"b"``."""
        return "w" if len({*arms_at(lines, cell)}) == 1 else "b"


class Shingoki(CircleLoop):
    """A Shingoki of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of words for circles, or ``None``: ``"w"`` for a white and ``"b"`` for a black
    circle, with a number such as ``"b5"`` or without one. The loop visits every circle. It goes
    straight on at white ones and turns at black ones. A number is the sum of the lengths of
    both straight lines that leave the circle.

    >>> from linkoracle import count
    >>> count(Shingoki([". . . b4", ". . . .", ". . w3 ."]))
    1
    """

    kind = "shingoki"
    title = "Shingoki"
    instruction = (
        f"{LOOP}, and passes through every circle. It turns at black circles, and goes straight on "
        "at white ones. A number is the length of the two straight lines together that leave its "
        "circle, each measured up to where the loop turns."
    )
    example = Example(
        ". . . . ./. . . w2 ./. . b3 . b2/b7 . . . ./. . . . .",
        (((0, 0), "RDDRUURDDRDLLLLUUU"),),
    )
    difficulties: ClassVar = labelled(fiendish_from=64)

    @staticmethod
    def constrain_circle(arms: Arms, white: bool) -> None:
        """Require that the loop turns at a black circle, and goes straight on at a white one."""
        if arms.straight != white:
            arms.exclude()

    def colour_of(self, lines: Lines, cell: Cell) -> str:
        """Return ``"b"`` if the loop turns, else ``"w"``."""
        return "b" if lines.turns(cell) else "w"
