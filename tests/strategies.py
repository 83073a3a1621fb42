"""Random puzzles and models that mostly have solutions: their rules are taken from real ones."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import chain, product

from hypothesis import strategies as st

from linkoracle import Lattice, LinkModel, Numberlink, Puzzle, SimpleLoop, Slitherlink
from linkoracle.board import ANY_COUNT, HOLE, PASS, PASS_OR_SKIP
from tests import brute_force
from tests.brute_force import Edges

#: Sides of the boards on which brute force is quick.
SIDES = st.sampled_from(
    [(r, c) for r in range(1, 4) for c in range(1, 5)] + [(4, 2), (4, 3), (4, 1)]
)

#: Pairs of 40x40 cells, all to be used, that take a SAT solver very long.
HARD_PAIRS = [
    *[((12, 3), (15, 21)), ((5, 11), (36, 37)), ((20, 11), (24, 20))],
    *[((7, 37), (4, 24)), ((3, 16), (1, 0)), ((20, 22), (28, 5))],
]


def fixed_edges(draw: st.DrawFn, rows: int, cols: int, solution: Edges) -> dict[str, list]:
    """Given and forbidden lines for rows x cols vertices, which mostly fit a solution; or none."""
    found: dict[str, list] = {"given": [], "forbidden": []}
    if draw(st.integers(0, 3)):
        return found
    edges = [tuple(sorted(edge)) for edge in brute_force.lattice_edges(rows, cols)]
    chosen = draw(st.lists(st.sampled_from(edges), max_size=5, unique=True)) if edges else []
    for edge in chosen:
        fits = draw(st.integers(0, 9)) > 0
        is_line = brute_force.Edge(edge) in solution
        found["given" if is_line is fits else "forbidden"].append(edge)
    return found


@st.composite
def slitherlinks(draw: st.DrawFn, *, fixed: bool = False) -> Slitherlink:
    """Without ``fixed``, neither lines are given or forbidden, nor dots missing."""
    rows, cols = draw(SIDES)
    ends = None
    if draw(st.booleans()):
        rim = [
            (row, col)
            for row in range(rows + 1)
            for col in range(cols + 1)
            if row in (0, rows) or col in (0, cols)
        ]
        ends = tuple(sorted(draw(st.permutations(rim))[:2]))
    curves = brute_force.closed_curves(rows, cols, ends)
    curve = curves[draw(st.integers(0, len(curves) - 1))]
    # Mostly the true clue or none, so that boards have few solutions but rarely none.
    clues = [
        [
            draw(st.sampled_from([true] * 8 + [None] * 10 + [0, 1, 2, 3, 4]))
            for true in counts[cols * row : cols * row + cols]
        ]
        for counts in [brute_force.face_counts(curve, rows, cols)]
        for row in range(rows)
    ]
    if not fixed:
        return Slitherlink(clues, ends)
    lines = fixed_edges(draw, rows + 1, cols + 1, curve)
    used = set(chain(*curve, *lines["given"], ends or ()))
    dots = [dot for dot in product(range(rows + 1), range(cols + 1)) if dot not in used]
    some = st.lists(st.sampled_from(dots), max_size=3, unique=True) if dots else st.just([])
    holes = draw(st.sampled_from([st.just([])] * 3 + [some]).flatmap(lambda chosen: chosen))
    return Slitherlink(clues, ends, holes=holes, **lines)


@st.composite
def numberlinks(draw: st.DrawFn, *, fixed: bool = False) -> Numberlink:
    rows, cols = draw(SIDES)
    systems = brute_force.path_systems(rows, cols)
    edges, mate, _ = systems[draw(st.integers(0, len(systems) - 1))]
    cells = [cell for pair in mate.items() if pair[0] < pair[1] for cell in pair]
    if draw(st.integers(0, 4)) == 0:
        cells = draw(st.permutations(cells))
    pairs = list(zip(cells[::2], cells[1::2], strict=True))
    made = Numberlink.from_pairs(rows, cols, pairs, draw(st.sampled_from(["free", "fill"])))
    return replace(made, **fixed_edges(draw, rows, cols, edges)) if fixed else made


@st.composite
def simpleloops(draw: st.DrawFn, *, fixed: bool = False) -> SimpleLoop:
    """The holes of some loop; sometimes one that is changed, or every loop through the cells."""
    rows, cols = draw(SIDES)
    curves = [Edges(), *brute_force.closed_curves(rows - 1, cols - 1, None)]
    curve = curves[draw(st.integers(0, len(curves) - 1))]
    cells = set(product(range(rows), range(cols)))
    changed = draw(st.sampled_from([frozenset()] * 4 + [frozenset({cell}) for cell in cells]))
    made = SimpleLoop.from_holes(rows, cols, (cells - set(chain(*curve))) ^ changed)
    lines = fixed_edges(draw, rows, cols, curve) if fixed else {"given": [], "forbidden": []}
    given = [ends for ends in lines["given"] if not set(ends).intersection(made.holes)]
    return replace(made, given=given, forbidden=lines["forbidden"])


def puzzles() -> st.SearchStrategy[Puzzle]:
    """Of all kinds, some with lines that are given or forbidden, or with dots missing."""
    return st.one_of(slitherlinks(fixed=True), numberlinks(fixed=True), simpleloops(fixed=True))


# ---- models: masks and edges that no puzzle here asks for included -------------------------------

#: Sides in vertices of lattices that brute force handles in some hundredths of a second.
LATTICES = st.sampled_from(
    [(r, c) for r in range(1, 5) for c in range(1, 5) if r * c > 1]
    + [(2, 6), (6, 2), (3, 5), (5, 3), (1, 7), (7, 1)]
)


@st.composite
def models(draw: st.DrawFn) -> LinkModel:
    """A model of a loop, of nothing, or of up to four pairs."""
    rows, cols = draw(LATTICES)
    pairs = draw(st.integers(0, min(4, rows * cols // 2)))
    kind = draw(st.sampled_from(["loop", "paths", "paths"]))
    rng = random.Random(draw(st.integers(0, 2**32)))
    return random_model(rng, rows, cols, pairs, kind)


def random_model(rng: random.Random, rows: int, cols: int, pairs: int, kind: str) -> LinkModel:
    """A model of ``kind`` "loop" or "paths", with most of its rules taken from a planted solution.

    Rules that are drawn at random would make nearly every model empty.
    """
    lattice = Lattice(rows, cols)
    if kind == "loop":
        blank = LinkModel.blank_loop(lattice)
    else:
        ends = rng.sample(range(lattice.num_vertices), 2 * pairs)
        blank = LinkModel.blank_paths(lattice, zip(ends[::2], ends[1::2], strict=True))
    planted = sorted(map(sorted, brute_force.model_solutions(blank)))
    chosen = set(rng.choice(planted)) if planted else set()
    degrees = bytearray(blank.degrees)
    strict = rng.choice([0.0, 0.1, 0.3, 1.0])
    for v, incident in enumerate(lattice.vertex_edges.tolist()):
        if degrees[v] == PASS_OR_SKIP and rng.random() < strict:
            used = sum(edge in chosen for edge in incident if edge >= 0)
            degrees[v] = PASS if used else HOLE
            if rng.random() < 0.05:
                degrees[v] ^= PASS_OR_SKIP
    faces = bytearray(blank.faces)
    density = rng.choice([0.0, 0.2, 0.5, 1.0])
    for f, around in enumerate(lattice.face_edges.tolist()):
        if rng.random() < density:
            count = sum(edge in chosen for edge in around)
            extra = rng.choice([0, 0, 0, rng.randrange(ANY_COUNT + 1)])
            faces[f] = 1 << count | extra
            if rng.random() < 0.03:
                faces[f] = rng.randrange(ANY_COUNT + 1)
    fixed: tuple[list[int], list[int]] = [], []
    density = rng.choice([0.0, 0.0, 0.1, 0.3])
    for edge, ends in enumerate(lattice.edge_vertices.tolist()):
        if rng.random() < density:
            value = (edge in chosen) != (rng.random() < 0.03)
            if not value or all(degrees[v] != HOLE for v in ends):
                fixed[not value].append(edge)
    return LinkModel(
        lattice, bytes(degrees), bytes(faces), blank.terminals, blank.loop, *map(tuple, fixed)
    )
