"""Regions for loops: drawn for a loop, and changed until their clues exclude all other loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from functools import reduce
from itertools import product
from operator import and_
from random import Random
from typing import Any

from linkoracle.board import Lattice, Solution, board_lists
from linkoracle.core import below, pick, shuffled
from linkoracle.kinds import (
    DIRECTIONS,
    Another,
    Cell,
    CellLoop,
    IsEasy,
    Lines,
    RegionPuzzle,
    reached,
    step,
)

#: Least and most cells of a run of the loop in a region, by the number of runs in each region.
_RUNS = {1: (2, 7), 2: (2, 3)}
#: Average number of cells of a region that the loop may visit any number of times.
_REGION = 6
#: The least average.
_FINEST = 3
#: Attempts to cut a loop into runs that can be paired.
_CUTS = 10
#: For each cell, moves of cells to another region before a loop is given up.
_MOVES = 400
#: Moves between a puzzle that is too hard and the next puzzle.
_FURTHER = 10


def split(
    puzzle: RegionPuzzle, loop: Solution, others: Sequence[Solution], rng: Random
) -> list[list[int]]:
    """Return smaller regions, whose clues for a loop exclude all these other loops.

    Repeatedly splits a region in which another loop differs.
    """
    board = loop.lattice
    while others:
        ends = (board.ends(edge) for edge in set(loop) ^ set(others[0]))
        differing = {board.position(vertex) for pair in ends for vertex in pair}
        puzzle = _parted(puzzle, loop, differing, rng)
        others = [other for other in others if not puzzle.violations(other)]
    return [list(row) for row in puzzle.regions]


def finer(puzzle: RegionPuzzle, loop: Solution, rng: Random) -> list[list[int]]:
    """Return slightly smaller regions, whose clues say more; an empty list if there are none."""
    number = len(puzzle.cells_by_region())
    size = puzzle.rows * puzzle.cols
    if puzzle.visits is not None or not puzzle.region_clues or number * _FINEST > size:
        return []
    for _ in range(1 + number // _REGION):
        puzzle = _parted(puzzle, loop, set(), rng)
    return [list(row) for row in puzzle.regions]


def _parted(puzzle: RegionPuzzle, loop: Solution, near: Set[Cell], rng: Random) -> RegionPuzzle:
    """Split a region in two; prefer a region with cells of ``near``."""
    board = loop.lattice
    large = [cells for cells in puzzle.cells_by_region() if len(cells) > 1]
    some = [cells for cells in large if not near.isdisjoint(cells)] or large
    owners = {cell: puzzle.region_of(cell) or 0 for cell in puzzle.cells()}
    region = pick(rng, some)
    for cell in region:
        del owners[cell]
    for number, cell in enumerate(shuffled(rng, region)[:2], start=1):
        owners[cell] = board.num_vertices * number
    _grown(owners, region, rng)
    return type(puzzle).from_solution(loop, regions=_rows(board, owners))


def single_cells(loop: Solution) -> list[list[int]]:
    """Return a region for each cell. Alternatives that these allow fit all other regions, too."""
    board = loop.lattice
    return _rows(board, {board.position(v): v for v in range(board.num_vertices)})


def regions_for(kind: type[CellLoop], loop: Solution, rng: Random) -> dict[str, Any]:
    """Return random regions, if the kind has regions, with the required number of visits."""
    if not issubclass(kind, RegionPuzzle):
        return {}
    board = loop.lattice
    cells = list(product(range(board.rows), range(board.cols)))
    if kind.visits is None:
        seeds = shuffled(rng, cells)[: 1 + len(cells) // _REGION]
        owners = {cell: number for number, cell in enumerate(seeds)}
        _grown(owners, cells, rng)
        return {"regions": _rows(board, owners)}
    for _ in range(_CUTS):
        runs = _runs(loop, kind.visits, rng)
        groups = list(range(len(runs))) if kind.visits == 1 else _paired(runs, rng)
        if groups:
            break
    else:
        # The kind rejects these regions, and another loop is drawn.
        groups = list(range(len(runs)))
    owners = {cell: group for run, group in zip(runs, groups, strict=True) for cell in run}
    _grown(owners, cells, rng, whole=True)
    return {"regions": _rows(board, owners)}


def _runs(loop: Solution, visits: int, rng: Random) -> list[list[Cell]]:
    """Cut a loop into runs of cells."""
    walk = loop.paths()[0][:-1]
    start = below(rng, len(walk))
    walk = walk[start:] + walk[:start]
    runs: list[list[Cell]] = []
    least, most = _RUNS[visits]
    while walk:
        length = least + below(rng, most - least + 1)
        runs.append(walk[:length])
        walk = walk[length:]
    return runs


def _paired(runs: list[list[Cell]], rng: Random) -> list[int]:
    """Return for each run the number of its pair; an empty list if runs cannot be paired.

    The runs of a pair touch, but are not consecutive.
    """
    import networkx as nx

    owner = {cell: number for number, run in enumerate(runs) for cell in run}
    graph: nx.Graph[int] = nx.Graph()
    for cell, one in owner.items():
        for direction in "es":
            other = owner.get(step(cell, direction), one)
            if (one - other) % len(runs) not in (0, 1, len(runs) - 1):
                graph.add_edge(one, other, weight=1 + rng.random())
    groups: dict[int, int] = {}
    pairs = sorted(map(sorted, nx.max_weight_matching(graph, True)))
    for number, pair in enumerate(pairs):
        groups.update(dict.fromkeys(pair, number))
    # A run without a partner joins the run before or after, if its partner is not adjacent.
    partner = {run: other for pair in pairs for run, other in (pair, pair[::-1])}
    for run in range(len(runs)):
        if run not in partner:
            before, after = (run - 1) % len(runs), (run + 1) % len(runs)
            for beside, far in ((before, after), (after, before)):
                if partner.get(beside, far) != far:
                    groups[run] = groups[beside]
    return [groups[run] for run in range(len(runs))] if len(groups) == len(runs) else []


def _grown(
    owners: dict[Cell, int], cells: Iterable[Cell], rng: Random, *, whole: bool = False
) -> None:
    """Give each of these cells without an owner the owner of a neighbour, one at a time.

    With ``whole``, adjacent cells without an owner get the same owner together, so that no border
    separates them.
    """
    free = {cell for cell in cells if cell not in owners}
    taken = set(cells) - free
    while free:
        at_border = [
            (cell, owners[other])
            for cell in sorted(free)
            for direction in DIRECTIONS
            if (other := step(cell, direction)) in taken
        ]
        cell, owner = pick(rng, at_border)
        part = _reached(cell, free) if whole else {cell}
        owners.update(dict.fromkeys(part, owner))
        free -= part
        taken |= part


def _rows(board: Lattice, owners: dict[Cell, int]) -> list[list[int]]:
    return [[owners[row, col] for col in range(board.cols)] for row in range(board.rows)]


def redivided(
    puzzle: RegionPuzzle,
    loop: Solution,
    other: Solution,
    rng: Random,
    another: Another,
    is_easy: IsEasy,
) -> RegionPuzzle | None:
    """Move cells between regions that a loop visits equally often, until the loop is unique.

    Continues while ``is_easy`` rejects the puzzle; returns the last one if no puzzle is easy.
    ``other`` is an alternative. A cell at the end of a run moves to the region where the loop
    continues, unless more of the known alternatives would fit. Returns ``None`` if that fails. A
    move takes O(known alternatives), as operations on bits.
    """
    board, times = loop.lattice, 2 * (puzzle.visits or 1)
    owners = {cell: puzzle.region_of(cell) or 0 for cell in puzzle.cells()}
    regions = {owners[cells[0]]: set(cells) for cells in puzzle.cells_by_region()}
    place = board.position
    beside = {
        place(vertex): [(edge, place(other)) for edge, other in steps]
        for vertex, steps in enumerate(board_lists(board).around)
    }
    #: By edge, the known alternatives that use it, as bits of a number.
    using = [0] * board.num_edges
    known = 0

    def note(found: Solution) -> None:
        nonlocal known
        for edge in found:
            using[edge] |= 1 << known
        known += 1

    def fitting(region: int) -> int:
        """Return the known alternatives that cross the border of a region as often as required."""
        exactly = [(1 << known) - 1] + [0] * times
        for cell in regions[region]:
            for edge, other in beside[cell]:
                if owners[other] != region and (more := using[edge]):
                    for number in range(times, 0, -1):
                        exactly[number] += (exactly[number - 1] & more) - (exactly[number] & more)
                    exactly[0] &= ~more
        return exactly[times]

    def move(cell: Cell, old: int, new: int) -> None:
        owners[cell] = new
        regions[old].remove(cell)
        regions[new].add(cell)

    note(other)
    fits = {region: fitting(region) for region in regions}
    lines, ends = Lines.of(loop), [board.ends(edge) for edge in loop]
    unique: RegionPuzzle | None = None
    # Number of known alternatives that fit, and of moves before the next puzzle is tested.
    left, waits = 1, 0
    for _ in range(_MOVES * board.num_vertices):
        here, ahead = shuffled(rng, [*map(place, pick(rng, ends))])
        (behind,) = lines[here] - {ahead}
        old, new = owners[here], owners[ahead]
        if old == new or owners[behind] != old:
            continue
        move(here, old, new)
        now = {**fits, old: fitting(old), new: fitting(new)}
        still = reduce(and_, now.values()).bit_count()
        if still > left or _reached(behind, regions[old]) != regions[old]:
            move(here, new, old)
            continue
        fits, left, waits = now, still, waits - 1
        if not left and waits <= 0:
            puzzle = type(puzzle).from_solution(loop, regions=_rows(board, owners))
            found = another(puzzle, loop)
            if found is None:
                if is_easy is None or is_easy(puzzle):
                    return puzzle
                unique, waits = puzzle, _FURTHER
                continue
            note(found)
            fits, left = {region: fitting(region) for region in regions}, 1
    return unique


def _reached(start: Cell, cells: Set[Cell]) -> set[Cell]:
    """Return the cells that are connected with ``start``."""
    return reached(start, lambda here: cells & {step(here, d) for d in DIRECTIONS})
