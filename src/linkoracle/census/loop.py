"""`puzzles_of`: all Slitherlink puzzles whose only solution is a given loop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from linkoracle.board.solution import Solution
from linkoracle.board.symmetry import Symmetry, orbits
from linkoracle.census import zdd_kernel as kernel
from linkoracle.census.differences import minimal_differences
from linkoracle.census.families import SetFamily, Zdd, cell_number
from linkoracle.core.errors import PuzzleError
from linkoracle.core.limits import Progress
from linkoracle.kinds import Slitherlink
from linkoracle.kinds.puzzle import Cell

#: Counts are 64-bit numbers, and all sets of cells must fit.
MOST_CELLS = 62


def puzzles_of(
    loop: Solution,
    *,
    fours: bool = False,
    memory: int | None = None,
    progress: Progress | None = None,
) -> PuzzleFamily:
    """All sets of cells whose clues have ``loop`` as their only solution.

    With ``fours`` the clue 4 may be shown (it occurs around a single cell only). They are the sets
    that meet every minimal difference of the loop (`linkoracle.census.differences`), found by
    Toda's algorithm: a set without the first cell must meet the minimal sets of what is left,
    one with it only those that lack the cell. Boards of 5 x 5 cells take a second, 7 x 5 some ten
    to a hundred; the diagram has 10^5 to 10^6 nodes there.

    Raises `PuzzleError` when ``loop`` is not one loop; ``ValueError`` for more than 62
    cells; `MemoryLimit`.

    Source: T. Toda, *Hypergraph Transversal Computation with Binary Decision Diagrams*, SEA 2013;
    Yoshinaka et al., *Finding All Solutions and Instances of Numberlink and Slitherlink by ZDDs*,
    Algorithms 5(2), 2012.

    >>> from linkoracle import solve
    >>> puzzle = Slitherlink([[2, 2, None], [2, 2, 1], [3, None, None]])
    >>> puzzles = puzzles_of(solve(puzzle))
    >>> puzzles.count(), puzzles.minimal().count(), puzzle in puzzles.minimal()
    (150, 16, True)
    """
    lattice = loop.lattice
    if lattice.num_faces > MOST_CELLS:
        raise ValueError(f"expected a board of at most {MOST_CELLS} cells, got {lattice.num_faces}")
    walks = loop.paths() if len(loop) else []
    if len(walks) != 1 or walks[0][0] != walks[0][-1]:
        raise PuzzleError("expected a single loop as the solution")
    sets, differences, cells = minimal_differences(loop, memory=memory, progress=progress)
    if progress is not None:
        progress(f"{sets.count(differences)} minimal differences; sets that meet them all", None)
    node = sets.apply(kernel.HITTING, differences)
    clues = loop.face_counts().ravel().tolist()
    if not fours and 4 in clues:
        node = sets.apply(kernel.WITHOUT, node, cells.index(clues.index(4)))
    return PuzzleFamily(loop, cells, sets, sets.alone(node), closed=True)


class PuzzleFamily(SetFamily[Slitherlink]):
    """Puzzles with one and the same only solution; see `puzzles_of`. Iterates over `Slitherlink`.

    Filters return smaller families, so they can be chained:

    >>> from linkoracle import solve
    >>> puzzles = puzzles_of(solve(Slitherlink([[2, 2, None], [2, 2, 1], [3, None, None]])))
    >>> puzzles.smallest().by_clues(), puzzles.minimal().by_clues()
    ({4: 10}, {4: 10, 5: 4, 6: 2})
    >>> puzzles.symmetric("diagonal").count(), puzzles.filter(without_value=2).count()
    (12, 5)
    """

    def __init__(
        self, loop: Solution, cells: list[int], sets: Zdd, node: int, *, closed: bool = False
    ) -> None:
        super().__init__(sets, node)
        self.loop, self.full = loop, Slitherlink.from_solution(loop)
        self._cells = cells
        #: Whether puzzles stay in the family when a clue is added, as far as its filters allow.
        self._closed = closed

    def _like(self, node: int, *, closed: bool = False) -> Self:
        return type(self)(self.loop, self._cells, self._sets, node, closed=closed)

    def _puzzle(self, members: tuple[int, ...]) -> Slitherlink:
        shown = {self._cells[variable] for variable in members}
        cols = self.full.cols
        hidden = (cell for cell in self._cells if cell not in shown)
        return self.full.with_clues({divmod(cell, cols): None for cell in hidden})

    def _variable(self, cell: Cell) -> int:
        return self._cells.index(cell_number(cell, self.full.rows, self.full.cols))

    def __contains__(self, puzzle: object) -> bool:
        """Whether this very puzzle is one of them. O(cells)."""
        if not isinstance(puzzle, Slitherlink) or puzzle.ends is not None:
            return False
        given = dict(puzzle.clue_cells())
        full = dict(self.full.clue_cells())
        size = self.full.rows, self.full.cols
        if (puzzle.rows, puzzle.cols) != size or given.items() - full.items():
            return False
        return self._sets.has(self._node, map(self._variable, given))

    def by_clues(self) -> dict[int, int]:
        """How many puzzles have each number of clues, without zeros."""
        return self._sets.by_size(self._node)

    def minimal(self) -> Self:
        """The puzzles of which no part with fewer clues is in the family.

        Of all puzzles of a loop, these are those from which no clue can be taken away.
        """
        operation = kernel.MINIMAL_OF_UPSET if self._closed else kernel.MINIMAL
        return self._like(self._sets.apply(operation, self._node))

    def smallest(self) -> Self:
        """The puzzles with the fewest clues."""
        fewest = min(self.by_clues(), default=0)
        return self._like(self._narrowed(sizes=(0, fewest)))

    def filter(
        self,
        *,
        required: Iterable[Cell] = (),
        forbidden: Iterable[Cell] = (),
        clues: tuple[int, int] | None = None,
        without_value: int | None = None,
    ) -> Self:
        """The puzzles that obey all that is given.

        Every ``required`` cell carries a clue and no ``forbidden`` one does, the number of clues is
        between the two ``clues`` (both included), and no clue has the value ``without_value``.
        Raises ``ValueError`` for a cell outside the board.
        """
        unwanted = {self._variable(cell) for cell in forbidden}
        if without_value is not None:
            clues_of = self.full.clue_cells()
            unwanted |= {self._variable(cell) for cell, clue in clues_of if clue == without_value}
        wanted = [self._variable(cell) for cell in required]
        node = self._narrowed(wanted, sorted(unwanted), clues)
        lower = clues is not None and clues[0] > 0
        return self._like(node, closed=self._closed and not lower)

    def symmetric(self, symmetry: Symmetry) -> Self:
        """The puzzles whose clue cells stay the same under a symmetry of the board.

        One of `linkoracle.board.symmetry.SYMMETRIES`; ``ValueError`` for another, or one that needs
        a square board. The clues' values need not be symmetric.
        """
        apply = self._sets.apply
        node = self._node
        for orbit in orbits(self.full.rows, self.full.cols, symmetry):
            neither = both = node
            for variable in map(self._cells.index, orbit):
                neither = apply(kernel.WITHOUT, neither, variable)
                both = apply(kernel.ATTACH, apply(kernel.WITH, both, variable), variable)
            node = apply(kernel.UNION, neither, both)
        return self._like(node)

    def __repr__(self) -> str:
        return f"<PuzzleFamily of {self.count()} puzzles of {self.full.rows}x{self.full.cols}>"
