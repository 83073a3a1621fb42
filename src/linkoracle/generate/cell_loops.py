"""`cell_loop`: how puzzles of kinds with one loop through cells are made.

A loop is drawn, and regions that it may visit as the kind demands; all clues that it allows are
written down; and clues are taken away while the solution stays the only one. Where even all clues
allow other loops, the loop is changed beside one of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from random import Random
from typing import Any

from linkoracle.board.lattice import Lattice
from linkoracle.board.solution import Solution
from linkoracle.core.errors import PuzzleError
from linkoracle.core.randomness import below, pick, shuffled
from linkoracle.generate import shapes
from linkoracle.generate.colouring import coloured
from linkoracle.kinds.cell_loops import CellLoop, ShadingLoop
from linkoracle.kinds.lines import DIRECTIONS, step
from linkoracle.kinds.puzzle import Another, Cell
from linkoracle.kinds.regions import RegionPuzzle

#: Exchanges of two sides of a loop through all cells, for each cell.
_STIRRED = 2
#: How often a loop is changed before another one is drawn.
_CHANGES = 30
#: Cells that a run of a loop has in a region, from and to.
_RUNS = 2, 7
#: Cells of a region where the loop may visit it as often as it likes, on average.
_REGION = 6


def cell_loop(
    kind: type[CellLoop], rows: int, cols: int, rng: Random, another: Another
) -> tuple[CellLoop, Solution] | None:
    """Make a puzzle of this kind and its only solution; ``None`` if this attempt failed.

    ``another`` looks for a second solution. No clue of the puzzle can be taken away. Raises
    `PuzzleError` for a size that has no such loop.
    """
    loop = _loop(kind, rows, cols, rng)
    for _ in range(_CHANGES):
        try:
            puzzle = kind.from_solution(loop, **_points(kind, loop, rng))
        except PuzzleError:
            # The kind allows no such loop, or none with these regions.
            loop = _loop(kind, rows, cols, rng)
            continue
        other = another(puzzle, loop)
        if other is None:
            return _reduced(puzzle, loop, rng, another), loop
        loop = _changed(kind, loop, other, rng)
    return None


def _reduced(puzzle: CellLoop, loop: Solution, rng: Random, another: Another) -> CellLoop:
    """Take away clues in random order, each for good if the solution stays the only one."""
    for cell, _ in shuffled(rng, list(puzzle.clue_cells())):
        fewer = puzzle.with_clues({cell: None})
        if not fewer.violations(loop) and another(fewer, loop) is None:
            puzzle = fewer
    return puzzle


def _loop(kind: type[CellLoop], rows: int, cols: int, rng: Random) -> Solution:
    board = Lattice(rows, cols)
    if board.num_faces < 1:
        raise PuzzleError(f"expected a board of at least 2x2 cells, found {rows}x{cols}")
    if kind.every_cell:
        return through_all(rng, rows, cols)
    if issubclass(kind, ShadingLoop):
        return shapes.long(rng, board)
    return shapes.mix(rng, board)


def through_all(rng: Random, rows: int, cols: int) -> Solution:
    """Return a random loop through all cells; `PuzzleError` if there is none.

    Begins as a comb. A step exchanges the two sides of a square that are on the loop for the two
    others, which leaves two loops, and does the same at a square that lies between these, which
    joins them. O(cells) steps of O(cells).

    >>> len(through_all(Random(1), 6, 5))
    30
    """
    board = Lattice(rows, cols)
    if rows * cols % 2 or min(rows, cols) < 2:
        raise PuzzleError(
            f"expected a board of an even number of cells and at least 2x2, found {rows}x{cols}"
        )
    chosen = set(_comb(rows, cols))
    for _ in range(_STIRRED * rows * cols):
        first = below(rng, board.num_faces)
        if not _exchange(board, chosen, first):
            continue
        part = Solution(board, tuple(chosen)).paths()[0]
        one = set(part)
        between = [
            face
            for face in range(board.num_faces)
            if face != first and _is_between(board, chosen, face, one)
        ]
        # To go back is a step, too.
        _exchange(board, chosen, pick(rng, [*between, first]))
    return Solution(board, tuple(chosen))


def _comb(rows: int, cols: int) -> Iterator[int]:
    """The edges of a loop through all cells that goes along a side, and to and fro beside it."""
    board = Lattice(rows, cols)
    flip = rows % 2 == 1
    height, width = (cols, rows) if flip else (rows, cols)
    walk = [(row, 0) for row in reversed(range(height))]
    for row in range(height):
        inner = range(1, width)
        walk += [(row, col) for col in (inner if row % 2 == 0 else reversed(inner))]
    for one, other in pairwise([*walk, walk[0]]):
        yield board.edge(one[::-1], other[::-1]) if flip else board.edge(one, other)


def _exchange(board: Lattice, chosen: set[int], face: int) -> bool:
    """Exchange two opposite sides of a square on the loop for the others, if it has just two."""
    sides = set(board.edges_of(face))
    on = sides & chosen
    if len(on) != 2:
        return False
    one, other = (set(board.ends(edge)) for edge in on)
    if one & other:
        return False
    chosen ^= sides
    return True


def _is_between(board: Lattice, chosen: set[int], face: int, part: set[Cell]) -> bool:
    """Whether two opposite sides of a square are on the loop, one in this part and one not."""
    on = [edge for edge in board.edges_of(face) if edge in chosen]
    if len(on) != 2:
        return False
    inside = {board.position(board.ends(edge)[0]) in part for edge in on}
    return len(inside) == 2


def _changed(kind: type[CellLoop], loop: Solution, other: Solution, rng: Random) -> Solution:
    """Return the loop with a square beside one of the lines of ``other`` flipped, if one can be."""
    board = loop.lattice
    if kind.every_cell or issubclass(kind, ShadingLoop):
        return _loop(kind, board.rows, board.cols, rng)
    colouring = coloured(loop)
    near = sorted({face for edge in set(loop) ^ set(other) for face in board.faces_of(edge)})
    flipped = 0
    for face in shuffled(rng, near):
        if colouring.can_flip(face):
            colouring.flip(face)
            flipped += 1
            if flipped == 2:
                break
    return colouring.outline() if flipped else _loop(kind, board.rows, board.cols, rng)


def _points(kind: type[CellLoop], loop: Solution, rng: Random) -> dict[str, Any]:
    """Return random regions, if the kind has some, that the loop visits as often as it should."""
    if not issubclass(kind, RegionPuzzle):
        return {}
    board = loop.lattice
    if kind.visits is None:
        seeds = shuffled(rng, range(board.num_vertices))[: 1 + board.num_vertices // _REGION]
        return {"regions": _grown(board, {board.position(one): one for one in seeds}, rng)}
    walk = loop.paths()[0][:-1]
    start = below(rng, len(walk))
    walk = walk[start:] + walk[:start]
    runs: list[list[Cell]] = []
    while walk:
        length = _RUNS[0] + below(rng, _RUNS[1] - _RUNS[0] + 1)
        runs.append(walk[:length])
        walk = walk[length:]
    groups = _paired(runs, rng) if kind.visits == 2 else list(range(len(runs)))
    owners = {cell: group for run, group in zip(runs, groups, strict=True) for cell in run}
    return {"regions": _grown(board, owners, rng)}


def _paired(runs: list[list[Cell]], rng: Random) -> list[int]:
    """Return for each run of a loop the number of a pair of runs that touch and do not follow.

    `PuzzleError` if not all find a partner.
    """
    import networkx as nx

    owner = {cell: number for number, run in enumerate(runs) for cell in run}
    graph: nx.Graph[int] = nx.Graph()
    for cell, one in owner.items():
        for direction in "es":
            other = owner.get(step(cell, direction), one)
            if (one - other) % len(runs) not in (0, 1, len(runs) - 1):
                graph.add_edge(one, other, weight=1 + rng.random())
    pairs = sorted(map(sorted, nx.max_weight_matching(graph, maxcardinality=True)))
    if 2 * len(pairs) != len(runs):
        raise PuzzleError("expected runs that all touch another")
    group = {run: number for number, pair in enumerate(pairs) for run in pair}
    return [group[run] for run in range(len(runs))]


def _grown(board: Lattice, owners: dict[Cell, int], rng: Random) -> list[list[int]]:
    """Return regions that begin as ``owners`` and have taken in all other cells.

    Cells without an owner that are next to each other go to one region, so that no border parts
    two of them; where there are many of them, cell by cell.
    """
    found = dict(owners)
    cells = list(product(range(board.rows), range(board.cols)))
    while len(found) < len(cells):
        at_rim = [
            (cell, found[other])
            for cell in cells
            if cell not in found
            for direction in DIRECTIONS
            if (other := step(cell, direction)) in found
        ]
        cell, region = pick(rng, at_rim)
        part = [cell]
        if len(owners) > board.num_vertices // 2:
            for one in part:
                beside = (step(one, direction) for direction in DIRECTIONS)
                part += [two for two in beside if two in cells and two not in {*found, *part}]
        found.update(dict.fromkeys(part, region))
    return [[found[row, col] for col in range(board.cols)] for row in range(board.rows)]
