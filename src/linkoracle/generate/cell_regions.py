"""Regions for loops: how often a loop visits them, and what their clues tell apart.

Makers of kinds with regions draw them for a loop, and change them until no other loop fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from itertools import product
from random import Random
from typing import Any

from linkoracle.board.lattice import Lattice
from linkoracle.board.solution import Solution
from linkoracle.core.randomness import below, pick, shuffled
from linkoracle.kinds.cell_loops import CellLoop
from linkoracle.kinds.lines import DIRECTIONS, Lines, step
from linkoracle.kinds.puzzle import Another, Cell
from linkoracle.kinds.regions import RegionPuzzle

#: Cells that a run of a loop has in a region, from and to, by how many runs there are in one.
_RUNS = {1: (2, 7), 2: (2, 3)}
#: Cells of a region where the loop may visit it as often as it likes, on average.
_REGION = 6
#: How often a loop is cut into runs that should all touch another.
_CUTS = 10
#: Moves of a cell to another region before a loop is given up, for each cell.
_MOVES = 400


def split(
    puzzle: RegionPuzzle, loop: Solution, others: Sequence[Solution], rng: Random
) -> list[list[int]]:
    """Return smaller regions, whose clues for a loop exclude all these other loops.

    Time and again one of those where such a loop differs is parted in two.
    """
    board = loop.lattice
    while others:
        ends = (board.ends(edge) for edge in set(loop) ^ set(others[0]))
        differing = {board.position(vertex) for pair in ends for vertex in pair}
        large = [cells for cells in puzzle.cells_by_region() if len(cells) > 1]
        some = [cells for cells in large if not differing.isdisjoint(cells)] or large
        owners = {cell: puzzle.region_of(cell) or 0 for cell in puzzle.cells()}
        parted = pick(rng, some)
        for cell in parted:
            del owners[cell]
        for number, cell in enumerate(shuffled(rng, parted)[:2], start=1):
            owners[cell] = board.num_vertices * number
        _grown(owners, parted, rng)
        puzzle = type(puzzle).from_solution(loop, regions=_rows(board, owners))
        others = [other for other in others if not puzzle.violations(other)]
    return [list(row) for row in puzzle.regions]


def single_cells(loop: Solution) -> list[list[int]]:
    """Return the smallest regions. A loop that these leave open is open with all others."""
    board = loop.lattice
    return _rows(board, {board.position(v): v for v in range(board.num_vertices)})


def regions_for(kind: type[CellLoop], loop: Solution, rng: Random) -> dict[str, Any]:
    """Return random regions, if the kind has some, that the loop visits as often as it should."""
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
        # The kind refuses these, and another loop is drawn.
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
    """Return for each run the number of a pair of runs that touch and do not follow, or nothing."""
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
    # A run without a partner joins the one before or after it, whose partner is not beside it.
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
    """Let owners of some of these cells take in the others, one neighbour at a time.

    With ``whole``, cells without an owner that are next to each other are taken in together, so
    that no border parts two of them.
    """
    free = {cell for cell in cells if cell not in owners}
    taken = set(cells) - free
    while free:
        at_rim = [
            (cell, owners[other])
            for cell in sorted(free)
            for direction in DIRECTIONS
            if (other := step(cell, direction)) in taken
        ]
        cell, owner = pick(rng, at_rim)
        part = _reached(cell, free) if whole else {cell}
        owners.update(dict.fromkeys(part, owner))
        free -= part
        taken |= part


def _rows(board: Lattice, owners: dict[Cell, int]) -> list[list[int]]:
    return [[owners[row, col] for col in range(board.cols)] for row in range(board.rows)]


def redivided(
    puzzle: RegionPuzzle, loop: Solution, other: Solution, rng: Random, another: Another
) -> RegionPuzzle | None:
    """Move cells between regions that a loop visits equally often, until it is the only solution.

    ``other`` is another solution. A cell at the end of a run of the loop goes to the region where
    the loop goes on, if no more of the other solutions that are known fit then. ``None`` if that
    leads nowhere. O(known solutions) a move.
    """
    board, times = loop.lattice, 2 * (puzzle.visits or 1)
    owners = {cell: puzzle.region_of(cell) or 0 for cell in puzzle.cells()}
    known = [_Crossings(other, owners, times)]
    lines = Lines.of(loop)
    ends = [board.ends(edge) for edge in loop]
    fitting = 1
    for _ in range(_MOVES * board.num_vertices):
        here, ahead = shuffled(rng, list(map(board.position, pick(rng, ends))))
        (behind,) = lines[here] - {ahead}
        old, new = owners[here], owners[ahead]
        if old == new or owners[behind] != old:
            continue
        for one in known:
            one.move(here, old, new, owners)
        owners[here] = new
        now = sum(one.fits for one in known)
        if now > fitting or not _is_connected(owners, old):
            owners[here] = old
            for one in known:
                one.move(here, new, old, owners)
            continue
        fitting = now
        if not fitting:
            puzzle = type(puzzle).from_solution(loop, regions=_rows(board, owners))
            found = another(puzzle, loop)
            if found is None:
                return puzzle
            known.append(_Crossings(found, owners, times))
            fitting = 1
    return None


class _Crossings:
    """How often a loop crosses the border of each region, while cells move between regions."""

    def __init__(self, solution: Solution, owners: dict[Cell, int], times: int) -> None:
        self._lines = Lines.of(solution)
        self._times = times
        self._crossed = dict.fromkeys(owners.values(), 0)
        self._wrong = len(self._crossed)
        for cell in self._lines:
            for other in self._lines[cell]:
                if owners[cell] != owners[other]:
                    self._add(owners[cell], 1)

    @property
    def fits(self) -> bool:
        """Whether it crosses each border as often as it should."""
        return not self._wrong

    def _add(self, region: int, number: int) -> None:
        before = self._crossed[region]
        self._crossed[region] = before + number
        self._wrong += (before == self._times) - (before + number == self._times)

    def move(self, cell: Cell, old: int, new: int, owners: dict[Cell, int]) -> None:
        """A cell goes from one region to another; ``owners`` says where the others are."""
        for other in self._lines[cell]:
            owner = owners[other]
            if owner != old:
                self._add(old, -1)
                self._add(owner, -1)
            if owner != new:
                self._add(new, 1)
                self._add(owner, 1)


def _is_connected(owners: dict[Cell, int], region: int) -> bool:
    cells = {cell for cell, owner in owners.items() if owner == region}
    return _reached(min(cells), cells) == cells


def _reached(start: Cell, cells: Set[Cell]) -> set[Cell]:
    """The cells that are connected with one of them."""
    reached, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        new = {step(here, direction) for direction in DIRECTIONS} & cells - reached
        reached |= new
        waiting += new
    return reached
