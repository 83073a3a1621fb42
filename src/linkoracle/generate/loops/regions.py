"""Regions for a loop through cells: drawn as people draw them, and changed near an alternative."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from itertools import product
from random import Random
from typing import Any

from linkoracle.board import Lattice, Solution
from linkoracle.core import MANY, below, pick, shuffled
from linkoracle.generate.loops.aims import Wanted
from linkoracle.kinds import DIRECTIONS, Cell, CellLoop, Lines, RegionPuzzle, reached, step

#: Least and most cells of a run of the loop in a region, by the number of runs in each region.
_RUNS = {1: (2, 7), 2: (2, 3)}
#: Average number of cells of a region that the loop may visit any number of times.
_REGION = 6
#: The least average.
_FINEST = 3
#: Attempts to cut a loop into runs that can be paired.
_CUTS = 10


def split(
    puzzle: RegionPuzzle, loop: Solution, others: Sequence[Solution], rng: Random, most: int = MANY
) -> list[list[int]]:
    """Return smaller regions, whose clues for a loop exclude all these other loops.

    Repeatedly splits a region in which another loop differs, up to so often.
    """
    board = loop.lattice
    while others and most:
        ends = (board.ends(edge) for edge in set(loop) ^ set(others[0]))
        differing = {board.position(vertex) for pair in ends for vertex in pair}
        puzzle = _parted(puzzle, loop, differing, rng)
        others = [other for other in others if not puzzle.violations(other)]
        most -= 1
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
    for _ in range(_CUTS):
        for cell in region:
            del owners[cell]
        for number, cell in enumerate(shuffled(rng, region)[:2], start=1):
            owners[cell] = board.num_vertices * number
        _grown(owners, region, rng)
        # A cell alone is seldom drawn.
        if [owners[cell] for cell in region].count(board.num_vertices) in range(2, len(region) - 1):
            break
    return type(puzzle).from_solution(loop, regions=rows_of(board, owners))


def single_cells(loop: Solution) -> list[list[int]]:
    """Return a region for each cell. Alternatives that these allow fit all other regions, too."""
    board = loop.lattice
    return rows_of(board, {board.position(v): v for v in range(board.num_vertices)})


def regions_for(
    kind: type[CellLoop], loop: Solution, rng: Random, looks: Wanted | None = None
) -> dict[str, Any]:
    """Return random regions, if the kind has regions, with the required number of visits."""
    if not issubclass(kind, RegionPuzzle):
        return {}
    board = loop.lattice
    cells = list(product(range(board.rows), range(board.cols)))
    visits = kind.visits or kind.drawn_visits
    if visits is None and looks is not None:
        return {"regions": rows_of(board, partition(cells, looks, rng))}
    if visits is None:
        seeds = shuffled(rng, cells)[: 1 + len(cells) // _REGION]
        owners = {cell: number for number, cell in enumerate(seeds)}
        _grown(owners, cells, rng)
        return {"regions": rows_of(board, owners)}
    return {"regions": _visited(visits, loop, {}, cells, rng, looks)}


def partition(cells: Sequence[Cell], looks: Wanted, rng: Random) -> dict[Cell, int]:
    """Divide cells into connected regions whose sizes are as published; return their owners.

    Each region begins where fewest neighbours are left, and grows by cells that have many
    neighbours in it, so that borders are short; what is left over joins the smallest neighbour.
    """
    free, owners = {*cells}, dict[Cell, int]()
    mean = sum(size * share for size, share in enumerate(looks.sizes, start=1))
    scale = looks.region / mean

    def left(cell: Cell) -> int:
        return sum(step(cell, direction) in free for direction in DIRECTIONS)

    number = 0
    while free:
        drawn = looks.size(rng)
        size = drawn if drawn == 1 else max(2, round(drawn * scale))
        start = min(shuffled(rng, sorted(free)), key=left)
        region = {start}
        free.remove(start)
        while len(region) < size:
            beside = {step(cell, d) for cell in region for d in DIRECTIONS} & free
            if not beside:
                break
            inside = {
                cell: sum(step(cell, direction) in region for direction in DIRECTIONS)
                for cell in sorted(beside)
            }
            best = max(
                inside, key=lambda cell: inside[cell] * 0.6 - left(cell) * 0.4 + rng.random()
            )
            region.add(best)
            free.remove(best)
        near = [
            owners[o]
            for cell in sorted(region)
            for d in DIRECTIONS
            if (o := step(cell, d)) in owners
        ]
        if len(region) < min(size, 2) and near:
            sizes = {owner: [*owners.values()].count(owner) for owner in near}
            owners.update(dict.fromkeys(region, min(near, key=sizes.__getitem__)))
            continue
        owners.update(dict.fromkeys(region, number))
        number += 1
    return owners


def regions_near(
    puzzle: RegionPuzzle,
    before: Solution,
    loop: Solution,
    others: Sequence[Solution],
    rng: Random,
    looks: Wanted | None = None,
) -> dict[str, Any]:
    """Return regions that a loop visits as often as required; those far from a change stay.

    ``puzzle`` has the regions of the loop ``before``. Those are drawn anew where the loop has
    changed, and where one of the ``others`` differs.
    """
    board, lines = loop.lattice, Lines.of(loop)
    edges = {*before} ^ {*loop}
    edges = edges.union(*({*before} ^ {*other} for other in others))
    changed = {board.position(vertex) for edge in edges for vertex in board.ends(edge)}
    owners = {cell: puzzle.region_of(cell) or 0 for cell in puzzle.cells()}
    regions = {owners[cells[0]]: cells for cells in puzzle.cells_by_region()}
    while changed:
        for region in {owners[cell] for cell in changed if cell in owners}:
            for cell in regions[region]:
                del owners[cell]
        # No border separates two cells that the loop omits.
        free = [cell for cell in puzzle.cells() if cell not in owners and cell not in lines]
        beside = (step(cell, direction) for cell in free for direction in DIRECTIONS)
        changed = {cell for cell in beside if cell in owners and cell not in lines}
    return {"regions": _visited(puzzle.visits or 1, loop, owners, puzzle.cells(), rng, looks)}


def _visited(
    visits: int,
    loop: Solution,
    owners: dict[Cell, int],
    cells: list[Cell],
    rng: Random,
    looks: Wanted | None = None,
) -> list[list[int]]:
    """Return regions in rows: those of ``owners``, and new ones that the loop visits as often.

    If no cuts of the loop suit two visits, the kind rejects the regions.
    """
    board, walk = loop.lattice, loop.paths()[0][:-1]
    start = next((place for place, cell in enumerate(walk) if cell in owners), None)
    start = below(rng, len(walk)) if start is None else start
    walk = walk[start:] + walk[:start]
    for _ in range(_CUTS):
        runs = _runs(walk, owners, visits, rng, looks, {*cells})
        groups = [*range(len(runs))] if visits == 1 else _paired(runs, walk, owners, rng)
        if groups or not runs:
            break
    else:
        groups = [*range(len(runs))]
    new = board.num_vertices
    found = dict(owners)
    for run, group in zip(runs, groups, strict=True):
        found.update(dict.fromkeys(run, new + group if group >= 0 else -1 - group))
    free = {cell for cell in cells if cell not in found}
    for run in runs if looks is not None else ():
        # A cell alone gets company, if there is some.
        beside = sorted(_beside(run[0], free))
        if len(run) == 1 and beside:
            part = connected(beside[0], free)
            found.update(dict.fromkeys(part, found[run[0]]))
            free -= part
    _grown(found, cells, rng, whole=True)
    return rows_of(board, found)


def _runs(
    walk: list[Cell],
    owners: dict[Cell, int],
    visits: int,
    rng: Random,
    looks: Wanted | None,
    cells: Set[Cell],
) -> list[list[Cell]]:
    """Cut what has no owner along a loop into runs of cells."""
    runs: list[list[Cell]] = []
    least, most = _RUNS[visits]
    aims = looks is not None and visits == 1
    on_loop, left = {*walk}, 0
    for cell in walk:
        if cell in owners:
            left = 0
            continue
        if not left:
            runs.append([])
            left = looks.run(rng) if aims and looks else least + below(rng, most - least + 1)
            if aims and left == 1 and on_loop.issuperset(_beside(cell, cells)):
                # Nothing else would belong to its region.
                left = 2
        runs[-1].append(cell)
        left -= 1
    # A run that was cut off joins the one before, which is next to it on the loop.
    joined: list[list[Cell]] = []
    for run in runs:
        short = aims and len(run) == 1 and on_loop.issuperset(_beside(run[0], cells))
        if short and joined and _touch(joined[-1][-1], run[0]):
            joined[-1] += run
        else:
            joined.append(run)
    return joined


def _beside(cell: Cell, cells: Set[Cell]) -> set[Cell]:
    return {step(cell, direction) for direction in DIRECTIONS} & cells


def _touch(one: Cell, other: Cell) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def _paired(
    runs: list[list[Cell]], walk: list[Cell], owners: dict[Cell, int], rng: Random
) -> list[int]:
    """Return for each run the number of its pair, or ``-1 - owner``; empty if that is impossible.

    The runs of a pair touch, but are not consecutive. A run without a partner joins the pair, or
    the region, of the run before or after.
    """
    import networkx as nx

    number_of = {cell: number for number, run in enumerate(runs) for cell in run}
    around = dict(
        zip(walk, zip([walk[-1], *walk[:-1]], [*walk[1:], walk[0]], strict=True), strict=True)
    )
    graph: nx.Graph[int] = nx.Graph()
    ends = [(around[run[0]][0], around[run[-1]][1]) for run in runs]
    for cell, one in number_of.items():
        for direction in "es":
            other = number_of.get(step(cell, direction), one)
            if one != other and not {*runs[other]} & {*ends[one]}:
                graph.add_edge(one, other, weight=1 + rng.random())
    groups: dict[int, int] = {}
    for number, pair in enumerate(sorted(map(sorted, nx.max_weight_matching(graph, True)))):
        groups.update(dict.fromkeys(pair, number))

    def group_at(cell: Cell) -> int | None:
        if cell in owners:
            return -1 - owners[cell]
        return groups.get(number_of[cell])

    for run, (before, after) in enumerate(ends):
        if run not in groups:
            beside = group_at(before), group_at(after)
            joined = next((one for one in beside if one is not None), None)
            if joined is None or beside[0] == beside[1]:
                return []
            groups[run] = joined
    return [groups[run] for run in range(len(runs))]


def _grown(
    owners: dict[Cell, int], cells: Iterable[Cell], rng: Random, *, whole: bool = False
) -> None:
    """Give each of these cells without an owner the owner of a neighbour, one at a time.

    With ``whole``, adjacent cells without an owner get the same owner together, so that no border
    separates them.
    """
    free = {cell for cell in cells if cell not in owners}
    #: Pairs of a cell beside an owned one and the owner: each free cell, and some that are taken.
    at_border: list[tuple[Cell, int]] = []

    def add(around: Iterable[Cell]) -> None:
        for cell in sorted(around):
            beside = (step(cell, direction) for direction in DIRECTIONS)
            at_border.extend((other, owners[cell]) for other in beside if other in free)

    add(set(cells) - free)
    while free:
        place = below(rng, len(at_border))
        (cell, owner), at_border[place] = at_border[place], at_border[-1]
        at_border.pop()
        if cell in free:
            part = connected(cell, free) if whole else {cell}
            owners.update(dict.fromkeys(part, owner))
            free -= part
            add(part)


def rows_of(board: Lattice, owners: dict[Cell, int]) -> list[list[int]]:
    """Return the owner of each cell, in rows."""
    return [[owners[row, col] for col in range(board.cols)] for row in range(board.rows)]


def connected(start: Cell, cells: Set[Cell]) -> set[Cell]:
    """Return the cells that are connected with ``start``."""
    return reached(start, lambda here: cells & {step(here, d) for d in DIRECTIONS})
