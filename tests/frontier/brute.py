"""An independent, simple and slow answer to every `LinkModel` on a small lattice.

Shares nothing with the engine: all edge subsets whose vertex degrees have the right parity are
listed by linear algebra over GF(2) (one such subset, XOR any set of faces), and each is checked by
walking along it.
"""

from __future__ import annotations

import random
from itertools import product

from linkoracle.lattice import Lattice
from linkoracle.model import ANY_COUNT, END, PASS, PASS_OR_SKIP, LinkModel


def _parity_classes(model: LinkModel) -> list[int]:
    """Every edge set, as a bitmask, that has odd degree exactly at the terminals."""
    lattice = model.lattice
    faces = [sum(1 << edge for edge in row) for row in lattice.face_edges.tolist()]
    base = 0
    for a, b in model.terminals:
        (row, col), (row2, col2) = lattice.position(a), lattice.position(b)
        while col != col2:
            step = 1 if col2 > col else -1
            base ^= 1 << lattice.edge((row, col), (row, col + step))
            col += step
        while row != row2:
            step = 1 if row2 > row else -1
            base ^= 1 << lattice.edge((row, col), (row + step, col))
            row += step
    sets = [base]
    for face in faces:
        sets += [chosen ^ face for chosen in sets]
    return sets


def is_solution(model: LinkModel, edges: frozenset[int]) -> bool:
    """Check one edge set against the model, by its definition."""
    lattice = model.lattice
    neighbours: dict[int, list[int]] = {v: [] for v in range(lattice.num_vertices)}
    for edge in edges:
        u, v = lattice.edge_vertices[edge].tolist()
        neighbours[u].append(v)
        neighbours[v].append(u)
    if any(not model.degrees[v] >> len(adjacent) & 1 for v, adjacent in neighbours.items()):
        return False
    for face, around in enumerate(lattice.face_edges.tolist()):
        if not model.faces[face] >> sum(edge in edges for edge in around) & 1:
            return False
    unused = {v for v, adjacent in neighbours.items() if adjacent}
    component = {}
    while unused:
        start = unused.pop()
        seen, stack = {start}, [start]
        while stack:
            for v in neighbours[stack.pop()]:
                if v not in seen:
                    seen.add(v)
                    stack.append(v)
        unused -= seen
        for v in seen:
            component[v] = start
    roots = set(component.values())
    if model.loop:
        return len(roots) == 1
    if len(roots) != len(model.terminals):
        return False
    ends = [component.get(a) for a, b in model.terminals]
    mates = [component.get(b) for a, b in model.terminals]
    return ends == mates and len(set(ends)) == len(ends) and None not in ends


def brute_force(model: LinkModel) -> set[frozenset[int]]:
    """All solutions, as sets of edge ids."""
    found = set()
    for chosen in _parity_classes(model):
        edges = frozenset(i for i in range(model.lattice.num_edges) if chosen >> i & 1)
        if is_solution(model, edges):
            found.add(edges)
    return found


def all_subsets(model: LinkModel) -> set[frozenset[int]]:
    """The same from every edge set without exception; for checking `brute_force` itself."""
    found = set()
    for bits in product((False, True), repeat=model.lattice.num_edges):
        edges = frozenset(i for i, bit in enumerate(bits) if bit)
        if is_solution(model, edges):
            found.add(edges)
    return found


def linkings(model: LinkModel) -> int:
    """How many ways there are to join all pairs, by walking; without face rules.

    For boards with too many faces for `brute_force`. A vertex not passed is fine unless `PASS`.
    """
    lattice = model.lattice
    neighbours: list[list[int]] = [[] for _ in range(lattice.num_vertices)]
    for u, v in lattice.edge_vertices.tolist():
        neighbours[u].append(v)
        neighbours[v].append(u)
    used = {v for pair in model.terminals for v in pair}
    used |= {v for v, mask in enumerate(model.degrees) if mask == 1}
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


def random_model(rng: random.Random, rows: int, cols: int, pairs: int, kind: str) -> LinkModel:
    """A model of ``kind`` "loop" or "paths", with some masks taken from a planted solution.

    Faces and degrees that no solution meets would make nearly every model empty; so a random even
    subset is planted, and most face masks allow its count.
    """
    lattice = Lattice(rows, cols)
    terminals: list[tuple[int, int]] = []
    if kind == "paths":
        ends = rng.sample(range(lattice.num_vertices), 2 * pairs)
        terminals = list(zip(ends[::2], ends[1::2], strict=True))
    blank = LinkModel(
        lattice,
        bytes(
            END if any(v in pair for pair in terminals) else PASS_OR_SKIP
            for v in range(lattice.num_vertices)
        ),
        bytes([ANY_COUNT]) * lattice.num_faces,
        tuple(terminals),
        kind == "loop",
    )
    planted = sorted(map(sorted, brute_force(blank)))
    chosen = set(rng.choice(planted)) if planted else set()
    degrees = bytearray(blank.degrees)
    strict = rng.choice([0.0, 0.1, 0.3, 1.0])
    for v, incident in enumerate(lattice.vertex_edges.tolist()):
        if degrees[v] == PASS_OR_SKIP and rng.random() < strict:
            used = sum(edge in chosen for edge in incident if edge >= 0)
            degrees[v] = PASS if used else 1
            if rng.random() < 0.05:
                degrees[v] ^= PASS_OR_SKIP
    faces = bytearray(blank.faces)
    density = rng.choice([0.0, 0.2, 0.5, 1.0])
    for f, around in enumerate(lattice.face_edges.tolist()):
        if rng.random() < density:
            count = sum(edge in chosen for edge in around)
            extra = rng.choice([0, 0, 0, rng.randrange(32)])
            faces[f] = 1 << count | extra
            if rng.random() < 0.03:
                faces[f] = rng.randrange(32)
    return LinkModel(lattice, bytes(degrees), bytes(faces), tuple(terminals), kind == "loop")
