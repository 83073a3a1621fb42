"""Witnesses: alternatives of a solution that show which clues are needed, without a search.

An alternative, another solution, is known by the set of faces whose counts it changes. Clues make
the solution unique iff they meet the set of every alternative; and when a set holds one clue only,
that clue is needed for good, however many others go. So every alternative that is known saves
questions later. Most of those that decide are small, and those that flip one or two cells are found
by looking.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import product

from linkoracle.board.solution import Solution
from linkoracle.generate.colouring import Colouring, Ends

#: Alternatives that change more faces than this are not worth keeping: they rarely decide anything.
_LARGEST = 8


class Witnesses:
    """Sets of faces that the clues must meet, and how many clues each has left.

    >>> witnesses = Witnesses([{0, 1}, {1, 2}], clues=range(3))
    >>> sorted(witnesses.needed), witnesses.remove(0), witnesses.remove(2)
    ([], [1], [])
    """

    def __init__(self, alternatives: Iterable[Collection[int]], clues: Iterable[int]) -> None:
        self._clues = set(clues)
        self._sets: list[Collection[int]] = []
        self._left: list[int] = []
        self._with: dict[int, list[int]] = {face: [] for face in self._clues}
        #: The clues that no longer can go.
        self.needed: set[int] = set()
        for alternative in alternatives:
            self.add(alternative)

    def add(self, alternative: Collection[int]) -> None:
        """Take note of an alternative that changes these faces, one clue of them at least."""
        members = [face for face in alternative if face in self._clues]
        for face in members:
            self._with[face].append(len(self._sets))
        self._sets.append(alternative)
        self._left.append(len(members))
        if len(members) == 1:
            self.needed.add(members[0])

    def remove(self, face: int) -> list[int]:
        """Take a clue away for good; the clues that are needed from now on. O(sets with it)."""
        self._clues.discard(face)
        now_needed = []
        for number in self._with.pop(face, ()):
            self._left[number] -= 1
            if self._left[number] == 1:
                last = next(other for other in self._sets[number] if other in self._clues)
                if last not in self.needed:
                    self.needed.add(last)
                    now_needed.append(last)
        return now_needed


def local_alternatives(solution: Solution, ends: Ends = None) -> list[tuple[int, ...]]:
    """The faces that alternatives change which flip one cell, or two cells near each other.
    O(cells).

    A flip moves a cell to the other side of the line. It changes the counts of up to five cells.

    >>> from linkoracle.board.lattice import Lattice
    >>> square = Solution(Lattice(3, 3), (0, 1, 3, 5))
    >>> sorted(local_alternatives(square))[0]
    (0, 1, 2, 3)
    """
    board = Colouring.of(solution, ends)
    colour, on_board, sides, step = board.colour, board.on_board, board.sides, board.step
    apart = product(range(-2, 3), repeat=2)
    near = [row * step + col for row, col in apart if 0 < abs(row) + abs(col) <= 2]

    def changes(cell: int) -> list[tuple[int, int]]:
        mine = colour[cell]
        around = [(cell + side, 1 if colour[cell + side] == mine else -1) for side in sides]
        return [(cell, sum(by for _, by in around)), *around]

    simple = bytearray(on_board)
    for cell in board.cells:
        simple[cell] = board.can_flip(cell)
    found: dict[tuple[int, ...], None] = {}
    for cell in board.cells:
        if not simple[cell]:
            continue
        first = changes(cell)
        found[_faces(board, dict(first))] = None
        board.flip(cell)
        for offset in near:
            other = cell + offset
            if not 0 <= other < len(on_board) or not on_board[other]:
                continue
            # Two cells that can each flip first are met twice; the second time is enough.
            if (other < cell or not simple[other]) and board.can_flip(other):
                total = dict(first)
                for place, by in changes(other):
                    total[place] = total.get(place, 0) + by
                faces = _faces(board, total)
                if len(faces) <= _LARGEST:
                    found[faces] = None
        board.flip(cell)
    return [faces for faces in found if faces]


def _faces(board: Colouring, changes: dict[int, int]) -> tuple[int, ...]:
    places = [place for place, by in changes.items() if by and board.on_board[place]]
    step, cols = board.step, board.cols
    return tuple(sorted((place // step - 1) * cols + place % step - 1 for place in places))
