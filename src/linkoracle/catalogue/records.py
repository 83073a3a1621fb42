"""`Record`: a puzzle of a catalogue with its solution and where it came from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from linkoracle.formats import read, write
from linkoracle.model import Solution
from linkoracle.puzzles import Puzzle, canonical
from linkoracle.verify import violations


def key_of(puzzle: Puzzle) -> str:
    """The text that puzzles share when they are the same up to symmetry and names of numbers.

    Files hold these texts: a change here, or in the native format, makes old files miss
    duplicates, and needs a new schema.
    """
    return write(canonical(puzzle), "text")


def packed(solution: Solution) -> str:
    """A solution as text: a hexadecimal number whose bit *e* says that edge *e* is drawn.

    >>> from linkoracle import Lattice
    >>> packed(Solution(Lattice(3, 3), (0, 1, 3, 5)))
    '2b'
    """
    return f"{sum(1 << edge for edge in solution.edges):x}"


def unpacked(puzzle: Puzzle, text: str) -> Solution:
    """The solution of ``puzzle`` that `packed` wrote; ``ValueError`` if it cannot be one."""
    bits = int(text, 16)
    return Solution(puzzle.lattice, tuple(e for e in range(bits.bit_length()) if bits >> e & 1))


def number_of_clues(puzzle: Puzzle) -> int:
    """The clues of a Slitherlink, the pairs of a Numberlink."""
    filled = sum(cell is not None for row in puzzle.grid for cell in row)
    return filled if puzzle.kind == "slitherlink" else filled // 2


@dataclass(frozen=True)
class Record:
    """One puzzle of a catalogue.

    ``id`` counts from 1 in the order in which puzzles came. ``clues`` is the number of clues, or of
    pairs. ``grade`` is the label of the grade, ``"gave up"`` where deduction did not solve the
    puzzle, or ``None`` before grading; ``steps`` is how many steps it took and ``graded`` all of
    the grade, as `linkoracle.deduce.Grade` has it, with the version that graded. ``maker`` is the
    request that made the puzzle: command, version and parameters; ``seed`` its seed, and ``number``
    the place of the puzzle in that run, from 1. ``added`` is when, in UTC.
    """

    id: int
    kind: str
    rule: str
    rows: int
    cols: int
    clues: int
    text: str
    solved: str
    key: str
    name: str | None
    seed: int | None
    number: int | None
    maker: Mapping[str, Any]
    added: str
    grade: str | None
    steps: int | None
    graded: Mapping[str, Any] | None

    @property
    def size(self) -> str:
        """Rows and columns, as ``"10x12"``."""
        return f"{self.rows}x{self.cols}"

    @cached_property
    def puzzle(self) -> Puzzle:
        return read(self.text)

    @cached_property
    def solution(self) -> Solution:
        return unpacked(self.puzzle, self.solved)

    def faults(self) -> list[str]:
        """What is wrong with this record, a sentence each; empty when nothing is.

        Reads the puzzle again, compares what the file says of it, and puts the solution before
        `linkoracle.verify`. It does not prove again that there is no other solution.
        """
        try:
            puzzle, solution = self.puzzle, self.solution
        except ValueError as error:
            return [f"it cannot be read: {error}"]
        found = []
        said = (self.kind, self.rule, self.rows, self.cols, self.clues)
        if said != (puzzle.kind, puzzle.rule, puzzle.rows, puzzle.cols, number_of_clues(puzzle)):
            found.append("its description is of another puzzle")
        if self.key != key_of(puzzle):
            found.append("its canonical form is of another puzzle")
        return found + violations(puzzle, solution)

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON can hold it; the solution as walks over ``[row, column]``."""
        return {
            "id": self.id,
            "kind": self.kind,
            "rule": self.rule,
            "rows": self.rows,
            "cols": self.cols,
            "clues": self.clues,
            "name": self.name,
            "puzzle": json.loads(write(self.puzzle, "json")),
            "solution": self.solution.paths(),
            "grade": self.grade,
            "graded": self.graded,
            "maker": self.maker,
            "seed": self.seed,
            "number": self.number,
            "added": self.added,
        }
