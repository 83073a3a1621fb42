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
from linkoracle.kinds.cell_loops import FILL, CellLoop, LoopRules, circle_figure
from linkoracle.kinds.lines import DIRECTIONS, Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Figure, Pzpr, place_of


@dataclass(frozen=True)
class Arms:
    """Two arms that a cell may have, as the lines from the cell to the border, nearest first.

    Every constraint on two arms applies if the loop leaves the cell along both, and is a list of
    ``clauses``. None needs an extra variable: an arm of *k* lines is *k* consecutive lines and none
    after them.
    """

    one: Sequence[int]
    other: Sequence[int]
    straight: bool
    clauses: list[tuple[int, ...]]

    @classmethod
    def of(cls, rules: LoopRules, cell: Cell) -> Iterator[Arms]:
        """Yield all pairs of arms that a cell may have, with one list of clauses."""
        rays = {direction: rules.ray(cell, direction) for direction in DIRECTIONS}
        clauses: list[tuple[int, ...]] = []
        for one, other in combinations(filter(rays.get, rays), 2):
            straight = {one, other} in ({*"ns"}, {*"ew"})
            yield cls(rays[one], rays[other], straight, clauses)

    def exclude(self) -> None:
        """Require that the loop does not leave the cell along both arms."""
        self._clause()

    def have_sum(self, number: int) -> None:
        """Require the total number of lines of both arms."""
        one, other = self.one, self.other
        if not 2 <= number <= len(one) + len(other):
            # Each arm has at least one line.
            self.exclude()
            return
        for length in range(max(1, number + 1 - len(other)), min(number, len(one)) + 1):
            self._clause(*_below(one, length), *_below(other, number + 1 - length))
        # Beyond the border there is no line, so the other arm has the rest.
        for length in range(2, min(number - 1, len(one) + 1) + 1):
            for rest in range(2, min(number + 1 - length, len(other) + 1) + 1):
                self._clause(*_line(one, length), *_line(other, rest))

    def have_length(self, number: int) -> None:
        """Require the number of lines of each arm."""
        if not 1 <= number <= min(len(self.one), len(self.other)):
            self.exclude()
            return
        for arm in (self.one, self.other):
            if number < len(arm):
                self._clause(*_below(arm, number + 1))
            for length in range(2, number + 1):
                self._clause(*_line(arm, length))

    def are_equal(self) -> None:
        """Require that both arms have the same number of lines."""
        for arm, other in ((self.one, self.other), (self.other, self.one)):
            for length in range(2, min(len(arm), len(other) + 1) + 1):
                self._clause(*_below(arm, length), *_line(other, length))

    def differ(self) -> None:
        """Require that one arm has more lines than the other arm."""
        for length in range(1, min(len(self.one), len(self.other)) + 1):
            self.have_not_both(length)

    def have_not_both(self, length: int) -> None:
        """Require that not both arms have this number of lines."""
        arms = (self.one, self.other)
        if length <= min(map(len, arms)):
            below = (literal for arm in arms for literal in _below(arm, length))
            self._clause(*below, *(more for arm in arms for more in _line(arm, length + 1)))

    def _clause(self, *literals: int) -> None:
        self.clauses.append((*dict.fromkeys((-self.one[0], -self.other[0], *literals)),))


def _line(arm: Sequence[int], number: int) -> Sequence[int]:
    """Return the literal of line ``number`` of an arm, from 1; none beyond the border."""
    return arm[number - 1 : number]


def _below(arm: Sequence[int], number: int) -> list[int]:
    """Return literals, one of which is true exactly when an arm has fewer than ``number`` lines.

    There must be as many to the border.
    """
    return [-line for line in arm[:number]]


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
            rules.about("clue", cell)
            rules.clauses.extend(_stated(type(self), rules.board, cell, clue))


@lru_cache(maxsize=5_000)
def _stated(
    kind: type[ArmLoop], board: Lattice, cell: Cell, clue: Any
) -> Sequence[tuple[int, ...]]:
    """Return the clauses of a clue. Cached by board size, as generators need them many times."""
    clauses: Sequence[tuple[int, ...]] = ()
    for arms in Arms.of(LoopRules(board), cell):
        kind.constrain_arms(arms, clue)
        clauses = arms.clauses
    return clauses


class CircleLoop(ArmLoop):
    """Base of kinds whose clues are circles, with the sum of both arms as a number.

    A kind defines `constrain_circle` and `colour_of`.
    """

    unit = "circles"
    words = "[wb]([1-9][0-9]{0,2})?"
    clue = "a circle 'w' (white) or 'b' (black), perhaps with a number such as 'w4'"

    @staticmethod
    def constrain_circle(arms: Arms, colour: str, number: int | None) -> None:
        """Add the constraints on two arms of a circle of a colour, perhaps with a number."""
        raise NotImplementedError

    def colour_of(self, lines: Lines, cell: Cell) -> str:
        """Return ``"w"`` or ``"b"``: the circle that the loop allows in a cell that it visits."""
        raise NotImplementedError

    @classmethod
    def constrain_arms(cls, arms: Arms, clue: str) -> None:
        """Add the constraints of the colour and the number of a circle."""
        cls.constrain_circle(arms, clue[0], int(clue[1:]) if clue[1:] else None)

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each circle whose colour or number the lines violate."""
        for cell, circle in self.clue_cells():
            if cell not in lines:
                yield f"no line passes the circle at {place_of(cell)}"
                continue
            if circle[0] not in ("?", self.colour_of(lines, cell)):
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
    loop visits every number, and in the variant ``"fill"`` every cell. A number is the length of
    the straight line there. If the loop turns at a number, both straight lines that meet there have
    this length.

    >>> from linkoracle import count
    >>> count(Geradeweg(["..2.", "1..2", "...."]))
    1
    """

    kind = "geradeweg"
    title = "Geradeweg"
    variants: ClassVar = FILL
    instructions: ClassVar = {
        variant: f"{LOOP}, and passes through every cell{which}. A number is the length of the "
        "straight line through it. Where the loop turns at a number, both straight lines that meet "
        "there have this length. A question mark is any number."
        for variant, which in (("loop", " with a number"), ("fill", ""))
    }
    examples: ClassVar = {
        "loop": Example("..... .222. ....1 .4... .....", (((0, 0), "RDDRUURDDRDLLLLUUU"),)),
        "fill": Example(
            "...... ....3. ...... ....4. ...... ......",
            (((0, 0), "RRRRRDLLLDRRRDLLLLDRRRRDLLLLLUUURULU"),),
        ),
    }
    min_clue = 1
    symbols: ClassVar = {-1: "?"}
    clue = "a number from 1, or '?' (-1)"
    unknown = -1
    pzpr = Pzpr("hex_or_unknown", {("geradeweg", ""): "loop", ("geradeweg", "f"): "fill"})

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
    circle, with a number such as ``"b5"`` or without one. The loop visits every circle, and in the
    variant ``"fill"`` every cell. The two straight lines that leave a white circle have equal
    lengths; those that leave a black circle do not. A number is the sum of both lengths.

    >>> from linkoracle import count
    >>> count(BalanceLoop([". . . w4", ". . . .", ". . b3 ."]))
    1
    """

    kind = "balanceloop"
    title = "Balance Loop"
    variants: ClassVar = FILL
    instructions: ClassVar = {
        variant: f"{LOOP}, and passes through every {place}. Two straight lines leave a circle, "
        "each measured up to where the loop turns. They are equally long at white circles, and not "
        "at black ones. A number is the length of both together."
        for variant, place in (("loop", "circle"), ("fill", "cell"))
    }
    examples: ClassVar = {
        "loop": Example(
            ". . . . ./. . . . ./. . b3 b3 w2/b7 . . . ./. . . . .",
            (((0, 0), "RDDRUURDDRDLLLLUUU"),),
        ),
        "fill": Example(
            f"{'. . . . . ./' * 4}. b4 . . w4 ./. . . . . .",
            (((0, 0), "RRRDRURDDDDDLLLURRUULDLUULDDDDLUUUUU"),),
        ),
    }
    pzpr = Pzpr("circles", {("balance", ""): "loop", ("balance", "f"): "fill"})

    @staticmethod
    def constrain_circle(arms: Arms, colour: str, number: int | None) -> None:
        """Require equal arms of a white circle, and different arms of a black one."""
        white = colour == "w"
        if number is None:
            (arms.are_equal if white else arms.differ)()
        elif white:
            # No arm has 0 lines.
            arms.have_length(0 if number % 2 else number // 2)
        else:
            arms.have_sum(number)
            if number % 2 == 0:
                arms.have_not_both(number // 2)

    def colour_of(self, lines: Lines, cell: Cell) -> str:
        """Return ``"w"`` if all arms are equal, else ``"b"``."""
        return "w" if len({*arms_at(lines, cell)}) == 1 else "b"


class Shingoki(CircleLoop):
    """A Shingoki of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of words for circles, or ``None``: ``"w"`` for a white and ``"b"`` for a black
    circle, ``"?"`` for one of either colour, with a number such as ``"b5"`` or without one. The
    loop visits every circle. It goes straight on at white ones and turns at black ones. A number is
    the sum of the lengths of both straight lines that leave the circle.

    >>> from linkoracle import count
    >>> count(Shingoki([". . . b4", ". . . .", ". . w3 ."]))
    1
    """

    kind = "shingoki"
    title = "Shingoki"
    instruction = (
        f"{LOOP}, and passes through every circle. It turns at black circles, and goes straight on "
        "at white ones. A grey circle is white or black. A number is the length of the two "
        "straight lines together that leave its circle, each measured up to where the loop turns."
    )
    example = Example(
        ". . . . ./. . . w2 ./. . b3 . b2/b7 . . . ./. . . . .",
        (((0, 0), "RDDRUURDDRDLLLLUUU"),),
    )
    words = "[wb?]([1-9][0-9]{0,2})?"
    clue = "a circle 'w' (white), 'b' (black) or '?' (either), perhaps with a number such as 'w4'"
    unknown = "?"

    @staticmethod
    def constrain_circle(arms: Arms, colour: str, number: int | None) -> None:
        """Require that the loop turns at a black circle, and goes straight on at a white one."""
        if colour != "?" and arms.straight != (colour == "w"):
            arms.exclude()
        elif number is not None:
            arms.have_sum(number)

    def colour_of(self, lines: Lines, cell: Cell) -> str:
        """Return ``"b"`` if the loop turns, else ``"w"``."""
        return "b" if lines.turns(cell) else "w"
