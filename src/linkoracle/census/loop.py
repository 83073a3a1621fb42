"""`puzzles_of`: all Slitherlink puzzles whose only solution is a given loop.

For loops L and L' let D(L, L') be the cells to which they give different clues. A set of clue cells
makes L the only solution iff it intersects D(L, L') for every other L'; it suffices to intersect
the minimal ones. There are far too many loops to list: 279,285,399 on 5 x 7 cells. So the sets are
built by a pass over the lattice, like the count of loops.

A state of the pass is a node of the `Diagram` of all loops and, for each open cell, the number of
its edges chosen so far, or that its clue will differ in any case. The possible differences on the
rest of the board depend on the state alone. They are a family of sets of cells, the union over the
next decisions, and only the minimal sets of each family are kept. Moreover, a set is dropped if it
contains the whole difference of a loop that agrees with L before this step and leaves it now. Two
loops that part and meet again differ in few cells, so few sets are left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from linkoracle.board import LinkModel, Solution, Symmetry, orbits
from linkoracle.census.census_kernel import families_of_layer
from linkoracle.core import Progress, PuzzleError, checked_int
from linkoracle.frontier import Diagram
from linkoracle.kinds import Cell, Slitherlink
from linkoracle.zdd import EMPTY, UNIT, SetFamily, Zdd, zdd_kernel

#: The most cells of a board: far more than any feasible census.
MOST_CELLS = 62

#: A count that can no longer become the clue. Counts of an open cell are 0 to 3.
_DIFFERS = 7
_DIGIT_BITS = 3
_DIGIT = (1 << _DIGIT_BITS) - 1
#: The number of bits of a state for the counts of the open cells; the node is above them.
_DIGITS = 33
_DIGIT_MASK = (1 << _DIGITS) - 1
#: Least number of nodes for a garbage collection; it must also be twice that after the last one.
_COLLECT_AT = 1 << 13


def puzzles_of(
    loop: Solution,
    *,
    fours: bool = False,
    memory: int | None = None,
    progress: Progress | None = None,
) -> PuzzleFamily:
    """Return all sets of cells whose clues make ``loop`` the only solution.

    With ``fours`` the clue 4 may be shown (it occurs only in a loop around a single cell). These
    are the sets that intersect every minimal difference of the loop (`minimal_differences`). Toda's
    algorithm finds them: a set without the first cell must intersect the minimal sets without it,
    and a set with the cell only those that lack it. Boards of 5 x 5 cells take a second, 7 x 5
    cells 10 to 100 s and 10^5 to 10^6 nodes.

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
    node = sets.apply(zdd_kernel.HITTING, differences)
    clues = loop.face_counts().ravel().tolist()
    if not fours and 4 in clues:
        node = sets.narrowed(node, forbidden=[cells.index(clues.index(4))])
    return PuzzleFamily(loop, cells, sets, sets.alone(node), closed=True)


class PuzzleFamily(SetFamily[Slitherlink]):
    """Puzzles that share their only solution; see `puzzles_of`. Iterates over `Slitherlink`.

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
        #: Whether adding clues to a puzzle stays in the family, apart from its filters.
        self._closed = closed

    def _like(self, node: int, *, closed: bool = False) -> Self:
        return type(self)(self.loop, self._cells, self._sets, node, closed=closed)

    def _member(self, variables: tuple[int, ...]) -> Slitherlink:
        hidden = set(self._cells) - {self._cells[variable] for variable in variables}
        return self.full.with_clues({divmod(cell, self.full.cols): None for cell in hidden})

    def _variable(self, cell: Cell) -> int:
        return self._cells.index(cell_number(cell, self.full.rows, self.full.cols))

    def __contains__(self, puzzle: object) -> bool:
        """Return whether this puzzle is one of them. O(cells)."""
        if not isinstance(puzzle, Slitherlink):
            return False
        shown = dict(puzzle.clue_cells())
        hidden = [cell for cell, _ in self.full.clue_cells() if cell not in shown]
        if puzzle != self.full.with_clues(dict.fromkeys(hidden)):
            return False
        return self._sets.has(self._node, map(self._variable, shown))

    def by_clues(self) -> dict[int, int]:
        """Return the number of puzzles for each number of clues, without zeros."""
        return self._counts.by_size(self._node)

    def minimal(self) -> Self:
        """Return the puzzles such that no subset of their clues is in the family.

        For all puzzles of a loop, these are the minimal puzzles.
        """
        operation = zdd_kernel.MINIMAL_OF_UPSET if self._closed else zdd_kernel.MINIMAL
        return self._like(self._sets.apply(operation, self._node))

    def smallest(self) -> Self:
        """Return the puzzles with the fewest clues."""
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
        """Return the puzzles that satisfy all given conditions.

        Every ``required`` cell has a clue and no ``forbidden`` cell does; the number of clues is in
        the range ``clues`` (both ends included); no clue has the value ``without_value``. Raises
        ``ValueError`` for a cell outside the board.
        """
        valued = (cell for cell, clue in self.full.clue_cells() if clue == without_value)
        excluded = {self._variable(cell) for cell in (*forbidden, *valued)}
        included = [self._variable(cell) for cell in required]
        node = self._narrowed(included, sorted(excluded), clues)
        lower = clues is not None and clues[0] > 0
        return self._like(node, closed=self._closed and not lower)

    def symmetric(self, symmetry: Symmetry) -> Self:
        """Return the puzzles whose clue cells are invariant under a symmetry of the board.

        The symmetry is in `linkoracle.board.symmetry.SYMMETRIES`; ``ValueError`` if not, or if it
        needs a square board. The values of the clues need not be symmetric.
        """
        node = self._node
        for orbit in orbits(self.full.board, symmetry):
            same = [self._cells.index(cell) for cell in orbit]
            neither = self._sets.narrowed(node, forbidden=same)
            node = self._sets.union(neither, self._sets.narrowed(node, required=same))
        return self._like(node)

    def __repr__(self) -> str:
        return f"<PuzzleFamily of {self.count()} puzzles of {self.full.rows}x{self.full.cols}>"


@dataclass(frozen=True)
class _Layer:
    """The states before one step, and their successors.

    ``children`` has a column for each decision: an index, or -1. Indices count the states of the
    next layer, then ``ends``: the sets of later cells in which loops that end here differ from the
    loop. ``differing`` says whether the cell that the step completes (``variable``, -1 for none)
    differs. ``own`` is the state of the loop itself, -1 once the loop has ended. ``onward`` is the
    decision that the loop takes.
    """

    variable: int
    children: NDArray[np.int32]
    differing: NDArray[np.bool_]
    ends: list[tuple[int, ...]]
    own: int
    onward: int


class _Cells:
    """The step that decides the last edge of each cell, and the clues that the loop gives."""

    def __init__(self, loop: Solution, steps: list[list[int]]) -> None:
        lattice = loop.lattice
        decided = {edge: step for step, edges in enumerate(steps) for edge in edges}
        self.clues = loop.face_counts().ravel().tolist()
        self.when = [[decided[edge] for edge in edges] for edges in lattice.face_edges.tolist()]
        self.complete = [max(when) for when in self.when]
        #: The cells in the order of completion: the cell of each variable, and vice versa.
        self.order = sorted(range(lattice.num_faces), key=lambda cell: self.complete[cell])
        self.variable = {cell: variable for variable, cell in enumerate(self.order)}
        #: The cells on both sides of each edge.
        self.sides: list[list[int]] = [[] for _ in range(lattice.num_edges)]
        for cell, edges in enumerate(lattice.face_edges.tolist()):
            for edge in edges:
                self.sides[edge].append(cell)

    def open_after(self, step: int) -> list[int]:
        """Return the cells with some decided and some undecided edges."""
        return [cell for cell, when in enumerate(self.when) if min(when) <= step < max(when)]


def minimal_differences(
    loop: Solution, *, memory: int | None = None, progress: Progress | None = None
) -> tuple[Zdd, int, list[int]]:
    """Return the inclusion-minimal sets D(``loop``, L') over all other loops L' of the board.

    Returns the diagrams, the family, and the cell (face id) of each variable. The
    family is {{}} when another loop has the same clues. Time grows with the states of the pass,
    exponential in the short side, and with the sizes of the families. Raises `MemoryLimit`.

    >>> from linkoracle.board import Lattice
    >>> around_both = Solution(Lattice(2, 3), (0, 1, 2, 4, 5, 6))
    >>> sets, family, cells = minimal_differences(around_both)
    >>> [[cells[variable] for variable in one] for one in sets.sets(family)]
    [[0, 1]]
    """
    diagram = Diagram.build(LinkModel.blank_loop(loop.lattice), memory=memory)
    layers, cells = _layers(loop, diagram)
    sets = Zdd(len(cells.order), memory=memory)
    below = np.zeros(0, dtype=np.int32)
    own, collect_at = EMPTY, _COLLECT_AT
    for number, layer in reversed(list(enumerate(layers))):
        ends = [sets.from_sets([[cells.variable[cell] for cell in end]]) for end in layer.ends]
        families = np.append(below, np.array(ends, dtype=np.int32))
        own = _own_family(sets, layer, families, own)
        differing = layer.differing.view(np.uint8)
        below = families_of_layer(sets, layer.children, differing, layer.variable, families, own)
        if len(sets) > collect_at:
            *kept, own = sets.collect(np.append(below, np.int32(own))).tolist()
            below = np.array(kept, dtype=np.int32)
            collect_at = max(collect_at, 2 * len(sets))
        if progress is not None:
            progress(f"differences, step {number}", 1 - number / len(layers))
    return sets, sets.alone(own), cells.order


def _own_family(sets: Zdd, layer: _Layer, families: NDArray[np.int32], own: int) -> int:
    """Return the differences of other loops that agree with the loop so far."""
    if layer.own < 0:
        return own
    row = slice(layer.own, layer.own + 1)
    children = layer.children[row].copy()
    children[0, layer.onward] = -1
    differing = layer.differing[row].view(np.uint8)
    (others,) = families_of_layer(sets, children, differing, layer.variable, families, EMPTY)
    return sets.apply(zdd_kernel.MINIMAL_UNION, own, int(others))


def _layers(loop: Solution, diagram: Diagram) -> tuple[list[_Layer], _Cells]:
    """Return all reachable states, step by step, with the states of the loop itself."""
    cells = _Cells(loop, diagram.steps)
    widest = max(len(cells.open_after(step)) for step in range(len(diagram.steps)))
    if _DIGIT_BITS * widest > _DIGITS:
        raise ValueError(f"the short side of {loop.lattice} is too long for a census of its loops")
    chosen = set(loop.edges)
    nodes, root = diagram.nodes()
    states = np.array([root << _DIGITS])
    slots: dict[int, int] = {}
    own, place = 0, 0
    layers = []
    for step, edges in enumerate(diagram.steps):
        target = (states >> _DIGITS)[:, None]
        decision = 0
        for edge in edges:
            target = _followed(nodes, target, place)
            decision, place = 2 * decision + (edge in chosen), place + 1
        moves = _Moves(cells, edges, step, slots)
        digits, differing = moves.apply(states & _DIGIT_MASK, np.arange(target.shape[1]))
        ending, going = target == UNIT, target > UNIT
        keys = target << _DIGITS | digits
        following = np.unique(keys[going])
        last, which = np.unique(digits[ending], return_inverse=True)
        children = np.full(target.shape, -1, dtype=np.int32)
        children[going] = np.searchsorted(following, keys[going])
        children[ending] = len(following) + which
        ends = [moves.differing_at_end(end) for end in last.tolist()]
        layers.append(_Layer(moves.variable, children, differing, ends, own, decision))
        if own >= 0:
            own = int(children[own, decision]) if going[own, decision] else -1
        states, slots = following, moves.slots
    return layers, cells


def _followed(nodes: NDArray[np.int32], found: NDArray[np.int64], place: int) -> NDArray[np.int64]:
    """Return the successors of each node without and with the edge at ``place``: two columns."""
    decides = nodes[found, 0] == place
    low, high = np.where(decides, nodes[found, 1], found), np.where(decides, nodes[found, 2], EMPTY)
    return np.stack([low, high], axis=2).reshape(len(found), -1)


class _Moves:
    """The effect of one step on the counts of the open cells.

    ``slots`` maps each open cell to the position of its count: the argument before the step, the
    attribute after it.
    """

    def __init__(self, cells: _Cells, edges: list[int], step: int, slots: dict[int, int]) -> None:
        self._cells, self._edges, self._step, self._before = cells, edges, step, slots
        still_open = cells.open_after(step)
        self._touched = {cell for edge in edges for cell in cells.sides[edge]}
        self.slots = {cell: slot for cell, slot in slots.items() if cell in still_open}
        free = (slot for slot in range(len(still_open)) if slot not in self.slots.values())
        # A cell that opens may take the slot of the completed one.
        self.slots |= {cell: next(free) for cell in still_open if cell not in self.slots}
        completed = [cell for cell in self._touched if cells.complete[cell] == step]
        self.variable = cells.variable[completed[0]] if completed else -1

    def apply(
        self, digits: NDArray[np.int64], decisions: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the counts after each decision, in columns, and if the completed cell differs."""
        after = np.zeros((len(digits), len(decisions)), dtype=np.int64)
        differing = np.zeros(after.shape, dtype=np.bool_)
        for cell in self._touched | set(self._before):
            count = np.zeros((len(digits), 1), dtype=np.int64)
            if cell in self._before:
                count[:, 0] = digits >> _DIGIT_BITS * self._before[cell] & _DIGIT
            if cell in self._touched:
                count = self._counted(cell, count, decisions)
            if cell in self.slots:
                after |= count << _DIGIT_BITS * self.slots[cell]
            else:
                differing[:] = count == _DIFFERS
        return after, differing

    def _counted(
        self, cell: int, count: NDArray[np.int64], decisions: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        clue = self._cells.clues[cell]
        left = sum(when > self._step for when in self._cells.when[cell])
        now = count
        for bit, edge in enumerate(reversed(self._edges)):
            if cell in self._cells.sides[edge]:
                now = now + (decisions >> bit & 1)
        lost = (count == _DIFFERS) | (now > clue) | (now + left < clue)
        return np.where(lost, _DIFFERS, now)

    def differing_at_end(self, digits: int) -> tuple[int, ...]:
        """Return the cells after this step that differ if no further edge is chosen."""
        counts = {cell: digits >> _DIGIT_BITS * slot & _DIGIT for cell, slot in self.slots.items()}
        later = (cell for cell, when in enumerate(self._cells.when) if min(when) > self._step)
        counts |= dict.fromkeys(later, 0)
        return tuple(cell for cell, count in counts.items() if count != self._cells.clues[cell])


def checked_size(rows: int, cols: int, most: int) -> int:
    """Return the number of cells; raise ``ValueError`` for none, or for more than ``most``."""
    cells = checked_int(rows, "rows", 1) * checked_int(cols, "columns", 1)
    if cells > most:
        raise ValueError(f"expected a board of 1 to {most} cells, got {rows}x{cols}")
    return cells


def cell_number(cell: Cell, rows: int, cols: int) -> int:
    """Return the number of a cell, row by row; ``ValueError`` if it is not on the board."""
    row, col = cell
    if not (0 <= row < rows and 0 <= col < cols):
        raise ValueError(f"the board has no cell {row},{col}")
    return row * cols + col
