"""Solutions by definition, found with nothing clever; shares no code with the engines.

An edge is an unordered pair of positions, a line or a solution a set of edges. Two ways lead to all
sets of edges that may be a solution:

* `line_sets`: those with an odd number of edges at given vertices and an even number elsewhere are
  exactly the sums (symmetric differences) of one of them and unit squares, one for each set of
  faces, because the lattice is planar: ``2**faces`` in place of ``2**edges``;
* `path_systems`: every edge is taken or left, unless three would meet or a cycle would close.

`solutions` answers for puzzles, `model_solutions` for models (in ids), and the censuses at the end
for whole boards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, combinations, pairwise, product
from typing import NamedTuple

from linkoracle import LinkModel, Numberlink, Puzzle, SimpleLoop, Slitherlink
from linkoracle.board import PASS

Edge = frozenset
Edges = frozenset


class Lines(NamedTuple):
    """A set of edges of which no three meet; the other end of each open path; how many cycles."""

    edges: Edges
    mate: dict
    cycles: int


@cache
def lattice_edges(rows: int, cols: int) -> list[Edge]:
    """The edges between rows x cols vertices, in the order of their ids."""
    return [
        Edge({(row, col), other})
        for row, col in product(range(rows), range(cols))
        for other in ((row, col + 1), (row + 1, col))
        if other[0] < rows and other[1] < cols
    ]


@cache
def square(row: int, col: int) -> Edges:
    """The four edges around a face."""
    corners = [(row, col), (row, col + 1), (row + 1, col + 1), (row + 1, col)]
    return Edges(Edge({corners[i - 1], corners[i]}) for i in range(4))


def face_counts(edges: Edges, rows: int, cols: int) -> tuple[int, ...]:
    """How many of the edges are around each cell of a board of rows x cols cells."""
    return tuple(len(square(*cell) & edges) for cell in product(range(rows), range(cols)))


def lines_of(edges: Edges) -> Lines | None:
    """What the edges are as paths and cycles; ``None`` where three or four meet."""
    around: dict = {}
    for u, v in edges:
        around.setdefault(u, []).append(v)
        around.setdefault(v, []).append(u)
    if any(len(near) > 2 for near in around.values()):
        return None
    mate, seen, cycles = {}, set(), 0
    for start in sorted(around, key=lambda vertex: len(around[vertex])):
        if start in seen:
            continue
        here: tuple | None = start
        while here is not None:
            seen.add(here)
            last = here
            here = next((vertex for vertex in around[here] if vertex not in seen), None)
        if len(around[start]) == 1:
            mate[start], mate[last] = last, start
        else:
            cycles += 1
    return Lines(edges, mate, cycles)


@cache
def line_sets(rows: int, cols: int, ends: frozenset = frozenset()) -> list[Lines]:
    """All sets of disjoint paths and cycles on rows x cols vertices; the paths end at ``ends``."""
    tips = sorted(ends)
    start: Edges = Edges()
    for (row, col), (to_row, to_col) in zip(tips[::2], tips[1::2], strict=True):
        step = 1 if to_col > col else -1
        walk = [(row, c) for c in range(col, to_col, step)]
        walk += [(r, to_col) for r in range(row, to_row + 1)]
        start ^= Edges(Edge(pair) for pair in pairwise(walk))
    sets = [start]
    for face in product(range(rows - 1), range(cols - 1)):
        unit = square(*face)
        sets += [chosen ^ unit for chosen in sets]
    return [lines for lines in map(lines_of, sets) if lines and lines.mate.keys() == ends]


@cache
def closed_curves(rows: int, cols: int, ends: tuple | None) -> list[Edges]:
    """All loops on the dots of a board of rows x cols cells, or all paths between two dots."""
    found = line_sets(rows + 1, cols + 1, frozenset(ends or ()))
    cycles = 0 if ends else 1
    return [lines.edges for lines in found if lines.cycles == cycles]


def path_systems_by_id(rows: int, cols: int) -> Iterator[tuple[tuple[int, ...], dict]]:
    """All sets of disjoint paths, one by one: edge ids, and the other end of each path's end."""
    edges = [tuple(sorted(edge)) for edge in lattice_edges(rows, cols)]
    degree = dict.fromkeys(product(range(rows), range(cols)), 0)

    def extend(edge: int, chosen: tuple[int, ...], mate: dict) -> Iterator:
        if edge == len(edges):
            yield chosen, mate
            return
        yield from extend(edge + 1, chosen, mate)
        u, v = edges[edge]
        if max(degree[u], degree[v]) < 2 and mate.get(u) != v:
            joined = dict(mate)
            far_u, far_v = joined.pop(u, u), joined.pop(v, v)
            joined[far_u], joined[far_v] = far_v, far_u
            degree[u] += 1
            degree[v] += 1
            yield from extend(edge + 1, (*chosen, edge), joined)
            degree[u] -= 1
            degree[v] -= 1

    return extend(0, (), {})


def systems_by_ends(rows: int, cols: int) -> dict[tuple, list[tuple[int, ...]]]:
    """All sets of one disjoint path or more, as edge ids, by their pairs of ends."""
    found: dict[tuple, list[tuple[int, ...]]] = {}
    for chosen, mate in path_systems_by_id(rows, cols):
        if mate:
            found.setdefault(tuple(sorted(p for p in mate.items() if p[0] < p[1])), []).append(
                chosen
            )
    return found


@cache
def path_systems(rows: int, cols: int) -> list[tuple[Edges, dict, frozenset]]:
    """All sets of disjoint paths: edges, the other end of each path's end, and the cells used."""
    every = lattice_edges(rows, cols)
    found = []
    for chosen, mate in path_systems_by_id(rows, cols):
        edges = Edges(every[edge] for edge in chosen)
        found.append((edges, mate, frozenset(chain.from_iterable(edges))))
    return found


# ---- puzzles -------------------------------------------------------------------------------------


def slitherlink(puzzle: Slitherlink) -> list[Edges]:
    curves = closed_curves(puzzle.rows, puzzle.cols, puzzle.ends)
    clues = [(square(*cell), clue) for cell, clue in puzzle.clue_cells()]
    dots = (puzzle.rows + 1) * (puzzle.cols + 1) - len(puzzle.holes)
    return [
        curve
        for curve in curves
        if all(len(curve & unit) == clue for unit, clue in clues)
        and not any(hole in edge for hole in puzzle.holes for edge in curve)
        and (puzzle.variant != "fill" or len(curve) == dots)
    ]


def numberlink(puzzle: Numberlink) -> list[Edges]:
    """None for a board without numbers: a puzzle asks for a line."""
    mate = {}
    for one, other in puzzle.pairs().values():
        mate[one], mate[other] = other, one
    # Paths have one cell more than edges.
    filled = puzzle.rows * puzzle.cols - len(mate) // 2
    return [
        lines.edges
        for lines in line_sets(puzzle.rows, puzzle.cols, frozenset(mate))
        if mate
        and lines.mate == mate
        and not lines.cycles
        and (not puzzle.variant.startswith("fill") or len(lines.edges) == filled)
        and not (puzzle.variant.endswith("apart") and touches_itself(lines.edges))
    ]


def touches_itself(edges: Edges) -> bool:
    """Whether two neighbouring cells on one path are not joined."""
    path: dict = {}
    for u, v in edges:
        joined = path.get(u, {u}) | path.get(v, {v})
        path.update(dict.fromkeys(joined, joined))
    return any(
        Edge({cell, other}) not in edges
        for cell, cells in path.items()
        for other in ((cell[0], cell[1] + 1), (cell[0] + 1, cell[1]))
        if other in cells
    )


def simpleloop(puzzle: SimpleLoop) -> list[Edges]:
    cells = set(product(range(puzzle.rows), range(puzzle.cols))) - set(puzzle.holes)
    curves = closed_curves(puzzle.rows - 1, puzzle.cols - 1, None)
    return [curve for curve in curves if set(chain.from_iterable(curve)) == cells]


def solutions(puzzle: Puzzle) -> list[Edges]:
    by_kind = {Slitherlink: slitherlink, Numberlink: numberlink, SimpleLoop: simpleloop}
    given, forbidden = (set(map(Edge, edges)) for edges in (puzzle.given, puzzle.forbidden))
    found = by_kind[type(puzzle)](puzzle)
    return [lines for lines in found if given <= lines and lines.isdisjoint(forbidden)]


# ---- models --------------------------------------------------------------------------------------


def fits(model: LinkModel, lines: Lines) -> bool:
    """Whether the lines are a solution of the model, by its definition."""
    rows, cols = model.lattice.rows, model.lattice.cols
    every = lattice_edges(rows, cols)
    if not all(every[edge] in lines.edges for edge in model.given):
        return False
    if any(every[edge] in lines.edges for edge in model.forbidden):
        return False
    degrees = Counter(chain.from_iterable(lines.edges))
    for vertex, mask in zip(product(range(rows), range(cols)), model.degrees, strict=True):
        if not mask >> degrees[vertex] & 1:
            return False
    counts = face_counts(lines.edges, rows - 1, cols - 1)
    if not all(mask >> count & 1 for mask, count in zip(model.faces, counts, strict=True)):
        return False
    mate = {}
    for one, other in model.terminals:
        a, b = divmod(one, cols), divmod(other, cols)
        mate[a], mate[b] = b, a
    return lines.mate == mate and lines.cycles == (1 if model.loop else 0)


def model_solutions(model: LinkModel) -> set[frozenset[int]]:
    """All solutions of a model, as sets of edge ids."""
    rows, cols = model.lattice.rows, model.lattice.cols
    number = {edge: index for index, edge in enumerate(lattice_edges(rows, cols))}
    ends = frozenset(divmod(vertex, cols) for pair in model.terminals for vertex in pair)
    return {
        frozenset(number[edge] for edge in lines.edges)
        for lines in line_sets(rows, cols, ends)
        if fits(model, lines)
    }


def linkings(model: LinkModel) -> int:
    """How many ways there are to join all pairs, by walking: for boards with too many faces.

    For models without face rules and fixed edges. A vertex not passed is fine unless `PASS`.
    """
    rows, cols = model.lattice.rows, model.lattice.cols
    neighbours: list[list[int]] = [[] for _ in range(rows * cols)]
    for edge in lattice_edges(rows, cols):
        (row, col), (row2, col2) = edge
        neighbours[row * cols + col].append(row2 * cols + col2)
        neighbours[row2 * cols + col2].append(row * cols + col)
    used = {v for pair in model.terminals for v in pair} | set(model.holes)
    needed = {v for v, mask in enumerate(model.degrees) if mask == PASS}

    def walk(pair: int, here: int) -> int:
        total = 0
        for v in neighbours[here]:
            if v == model.terminals[pair][1]:
                if pair + 1 < len(model.terminals):
                    total += walk(pair + 1, model.terminals[pair + 1][0])
                else:
                    total += needed <= used
            elif v not in used:
                used.add(v)
                total += walk(pair, v)
                used.remove(v)
        return total

    return walk(0, model.terminals[0][0])


# ---- censuses: every clue set of every loop ------------------------------------------------------


@cache
def all_puzzles(rows: int, cols: int, fours: bool) -> frozenset[Slitherlink]:
    """The clue boards that exactly one loop fits."""
    cells = list(product(range(rows), range(cols)))
    fitting: Counter = Counter()
    for curve in closed_curves(rows, cols, None):
        clues = dict(zip(cells, face_counts(curve, rows, cols), strict=True))
        shown = [cell for cell in cells if fours or clues[cell] < 4]
        for size in range(len(shown) + 1):
            for chosen in combinations(shown, size):
                fitting[tuple((cell, clues[cell]) for cell in chosen)] += 1
    blank = Slitherlink.blank(rows, cols)
    return frozenset(
        blank.with_clues(dict(clues)) for clues, loops in fitting.items() if loops == 1
    )


def minimal_puzzles(puzzles: frozenset[Slitherlink]) -> list[Slitherlink]:
    """Those that are in the set with no clue less."""
    return [
        puzzle
        for puzzle in puzzles
        if not any(puzzle.with_clues({cell: None}) in puzzles for cell, _ in puzzle.clue_cells())
    ]


def by_clues(puzzles: Iterable[Slitherlink], cells: int) -> tuple[int, ...]:
    """How many of the puzzles have each number of clues."""
    sizes = Counter(len(list(puzzle.clue_cells())) for puzzle in puzzles)
    return tuple(sizes[size] for size in range(cells + 1))


def up_to_symmetry(puzzles: Iterable[Slitherlink]) -> set[Slitherlink]:
    """One puzzle of each class: turns by half, and on square boards by quarters, and mirrors."""
    chosen = set()
    for puzzle in puzzles:
        turns = range(4) if puzzle.rows == puzzle.cols else (0, 2)
        images = [puzzle.rotate(turn) for turn in turns]
        images += [image.reflect() for image in images]
        chosen.add(min(images, key=lambda image: str(image.clues)))
    return chosen
