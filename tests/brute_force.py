"""Solutions by definition: every edge subset is looked at, with nothing clever.

Shares no code with the engines. For Numberlink boards all ``2**edges`` subsets are tried. Subsets
with an even number of edges at every vertex are exactly the sums (symmetric differences) of unit
squares, one for each set of faces, because the lattice is planar; so for loops it is enough to try
``2**faces`` of them, and for an open path those sums added to one fixed path between the ends.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product

import networkx as nx

from linkoracle import Numberlink, Slitherlink

Edge = frozenset
Edges = frozenset


def lattice_edges(rows: int, cols: int) -> list[Edge]:
    edges = [Edge({(r, c), (r, c + 1)}) for r in range(rows) for c in range(cols - 1)]
    return edges + [Edge({(r, c), (r + 1, c)}) for r in range(rows - 1) for c in range(cols)]


def square(row: int, col: int) -> Edges:
    corners = [(row, col), (row, col + 1), (row + 1, col + 1), (row + 1, col)]
    return Edges(Edge({corners[i - 1], corners[i]}) for i in range(4))


@cache
def closed_curves(rows: int, cols: int, ends: tuple | None) -> list[Edges]:
    """All loops on the dots of a board of rows x cols cells, or all paths between two dots."""
    graph = nx.grid_2d_graph(rows + 1, cols + 1)
    start: Edges = Edges()
    if ends:
        walk = nx.shortest_path(graph, *ends)
        start = Edges(Edge(step) for step in pairwise(walk))
    squares = [square(r, c) for r in range(rows) for c in range(cols)]
    found = []
    for chosen in product((False, True), repeat=len(squares)):
        edges = start
        for take, unit in zip(chosen, squares, strict=True):
            if take:
                edges ^= unit
        if edges and is_one_line(edges, ends):
            found.append(edges)
    return found


def is_one_line(edges: Edges, ends: tuple | None) -> bool:
    graph = nx.Graph([tuple(edge) for edge in edges])
    degrees = dict(graph.degree)
    wanted = dict.fromkeys(ends or (), 1)
    return (
        nx.is_connected(graph)
        and all(dot in degrees for dot in wanted)
        and all(degree == wanted.get(dot, 2) for dot, degree in degrees.items())
    )


def slitherlink(puzzle: Slitherlink) -> list[Edges]:
    curves = closed_curves(puzzle.rows, puzzle.cols, puzzle.ends)
    clues = [(square(*cell), clue) for cell, clue in puzzle.clue_cells()]
    return [c for c in curves if all(len(c & unit) == clue for unit, clue in clues)]


@cache
def path_systems(rows: int, cols: int) -> list[tuple[Edges, dict, frozenset]]:
    """All sets of disjoint paths: edges, ends by end, and the cells used."""
    every = lattice_edges(rows, cols)
    found = []
    for chosen in product((False, True), repeat=len(every)):
        edges = [tuple(edge) for edge, take in zip(every, chosen, strict=True) if take]
        degrees: dict = {}
        for u, v in edges:
            degrees[u] = degrees.get(u, 0) + 1
            degrees[v] = degrees.get(v, 0) + 1
        if max(degrees.values(), default=0) > 2:
            continue
        graph = nx.Graph(edges)
        mate = {}
        for part in nx.connected_components(graph):
            tips = [cell for cell in part if degrees[cell] == 1]
            if not tips:
                break
            mate[tips[0]], mate[tips[1]] = tips[1], tips[0]
        else:
            found.append((Edges(map(Edge, edges)), mate, frozenset(degrees)))
    return found


def numberlink(puzzle: Numberlink) -> list[Edges]:
    mate = {}
    for one, other in puzzle.pairs().values():
        mate[one], mate[other] = other, one
    cells = puzzle.rows * puzzle.cols
    return [
        edges
        for edges, joined, used in path_systems(puzzle.rows, puzzle.cols)
        if joined == mate and (puzzle.rule == "free" or len(used) == cells)
    ]


def solutions(puzzle: Slitherlink | Numberlink) -> list[Edges]:
    return slitherlink(puzzle) if isinstance(puzzle, Slitherlink) else numberlink(puzzle)
