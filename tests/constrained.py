"""Random models with constraints of every sort, and their solutions by definition.

The solutions come from networkx' cycles and paths and from each constraint as its definition says
it; nothing here shares code with the engines.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations, pairwise, product

import networkx as nx

from linkoracle import Board, Count, LinkModel, Shape, Solution
from linkoracle.board import END, HOLE, PASS, PASS_OR_END, PASS_OR_SKIP

#: What may join the edges of a solution; "covering" paths use every vertex.
CONNECTIVITIES = ("loop", "pair", "pairs", "covering", "free ends")
#: The sorts of local constraints of a model; "auxiliary" are clauses with auxiliary variables.
CONSTRAINTS = (
    *("degrees", "holes", "faces", "given", "forbidden"),
    *("shapes", "counts", "clauses", "auxiliary"),
)
#: The degree mask of a vertex that is no end of a pair, where nothing else is said.
USUAL = dict.fromkeys(CONNECTIVITIES, PASS_OR_SKIP) | {"covering": PASS, "free ends": PASS_OR_END}


def line_sets(model: LinkModel) -> tuple[frozenset[int], ...]:
    """The sets of edges that fulfil the connectivity constraint."""
    return _line_sets(model.board, model.terminals, model.loop, model.free_ends)


@lru_cache(maxsize=200)
def _line_sets(board: Board, terminals, loop: bool, free_ends: bool) -> tuple[frozenset[int], ...]:
    edge_of = {board.ends(edge): edge for edge in range(board.num_edges)}
    graph = nx.Graph(list(edge_of))
    graph.add_nodes_from(range(board.num_vertices))

    def along(walk):
        return frozenset(edge_of[min(step), max(step)] for step in pairwise(walk))

    def joined(pairs, graph) -> Iterator[frozenset[int]]:
        if not pairs:
            yield frozenset()
            return
        (start, end), *others = pairs
        ends = {vertex for pair in others for vertex in pair}
        for path in nx.all_simple_paths(graph.subgraph(set(graph) - ends), start, end):
            rest = graph.subgraph(set(graph) - set(path))
            yield from (along(path) | more for more in joined(others, rest))

    if free_ends:
        pairs = combinations(graph, 2)
        return tuple(along(path) for two in pairs for path in nx.all_simple_paths(graph, *two))
    if loop:
        return tuple(along([*cycle, cycle[0]]) for cycle in nx.simple_cycles(graph))
    return tuple(joined(terminals, graph))


def breaking(model: LinkModel, usual: int | None = None) -> Callable[[Set[int]], Iterator[str]]:
    """A function that yields the sorts of local constraints that some edges break.

    A vertex that has not ``usual`` as its mask belongs to "degrees", all others to "connectivity".
    """
    board = model.board
    at = [
        [e for e in range(board.num_edges) if v in board.ends(e)] for v in range(board.num_vertices)
    ]
    rings = [(board.edges_at(vertex), mask) for vertex, mask in model.shapes]
    around = list(map(board.edges_of, range(board.num_faces)))
    known = board.num_edges + board.num_vertices
    clauses = {name: [] for name in ("clauses", "auxiliary")}
    for clause in model.clauses:
        clauses["auxiliary" if max(map(abs, clause), default=0) > known else "clauses"].append(
            clause
        )
    more = max(map(abs, chain(*clauses["auxiliary"])), default=known) - known
    ends = {vertex for pair in model.terminals for vertex in pair}
    names = {HOLE: "holes", usual: "connectivity"}

    def broken(chosen: Set[int]) -> Iterator[str]:
        degrees = [len(chosen.intersection(edges)) for edges in at]
        values = [edge in chosen for edge in range(board.num_edges)] + list(map(bool, degrees))

        def true(literals, values=values):
            return sum(values[abs(literal) - 1] == (literal > 0) for literal in literals)

        for vertex, (degree, mask) in enumerate(zip(degrees, model.degrees, strict=True)):
            if not mask >> degree & 1:
                yield "connectivity" if vertex in ends else names.get(mask, "degrees")
        if not chosen >= set(model.given):
            yield "given"
        if not chosen.isdisjoint(model.forbidden):
            yield "forbidden"
        for edges, mask in zip(around, model.faces, strict=True):
            if not mask >> len(chosen.intersection(edges)) & 1:
                yield "faces"
        for literals, mask in model.counts:
            if not mask >> true(literals) & 1:
                yield "counts"
        for edges, mask in rings:
            if not mask >> sum((edge in chosen) << place for place, edge in enumerate(edges)) & 1:
                yield "shapes"
        if not all(map(true, clauses["clauses"])):
            yield "clauses"
        every = product((False, True), repeat=more)
        if not any(all(true(one, [*values, *a]) for one in clauses["auxiliary"]) for a in every):
            yield "auxiliary"

    return broken


def fits(model: LinkModel, chosen: Set[int]) -> bool:
    """Whether edges fulfil every local constraint."""
    return not any(breaking(model)(chosen))


def solutions(model: LinkModel) -> set[tuple[int, ...]]:
    broken = breaking(model)
    return {tuple(sorted(one)) for one in line_sets(model) if not any(broken(one))}


def planted(
    rng: random.Random, board: Board, connectivity: str, holes: bool
) -> tuple[LinkModel, set[int]]:
    """A model of some connectivity without other constraints, and edges that fulfil it, if any.

    Where all vertices must be used, the edges mostly do so, unless there are ``holes``.
    """
    blank = LinkModel.blank_loop(board)
    most = {"pair": 1, "pairs": 3}.get(connectivity, 0)
    for _ in range(6 if most else 0):
        pairs = min(rng.randint(min(2, most), most), board.num_vertices // 2)
        ends = rng.sample(range(board.num_vertices), 2 * pairs)
        blank = LinkModel.blank_paths(board, zip(ends[::2], ends[1::2], strict=True))
        if line_sets(blank):
            break
    every = line_sets(blank)
    if USUAL[connectivity] != PASS_OR_SKIP:
        every = paths = _line_sets(board, (), False, True)
        if not holes:
            longest = max(map(len, paths), default=0)
            every = [path for path in paths if len(path) == longest]
    chosen = set(rng.choice(every)) if every else set()
    if connectivity == "free ends":
        masks = bytes([PASS_OR_END]) * board.num_vertices
        return LinkModel(board, masks, board.free_masks), chosen
    if connectivity == "covering" and chosen:
        # Cut one path into some.
        (walk,) = Solution(board, chosen).walks()
        cuts = [at for at in range(1, len(walk) - 2) if rng.random() < 0.3]
        cuts = [at for at, before in zip(cuts, [-1, *cuts], strict=False) if at - before > 1]
        edges = [board.edge_of((board.position(v), board.position(w))) for v, w in pairwise(walk)]
        chosen -= {edges[at] for at in cuts}
        pieces = zip([0, *(at + 1 for at in cuts)], [*cuts, len(walk) - 1], strict=True)
        pairs = [(walk[first], walk[last]) for first, last in pieces]
        blank = LinkModel.blank_paths(board, pairs, cover=True)
    return blank, chosen


def random_model(
    rng: random.Random,
    board: Board,
    connectivity: str | None = None,
    constraints: Collection[str] | None = None,
) -> LinkModel:
    """Constraints that fit a planted solution, for the most part: others leave nearly nothing.

    Those named are there wherever the board has room for them; by default any may be. Large boards
    have too many paths to list all.
    """
    few = board.num_edges <= 14
    connectivity = connectivity or rng.choice(CONNECTIVITIES if few else CONNECTIVITIES[:3])
    if constraints is None:
        constraints = [name for name in CONSTRAINTS if rng.random() < 0.35]
    blank, chosen = planted(rng, board, connectivity, "holes" in constraints)
    size, edges, usual = board.num_vertices, range(board.num_edges), USUAL[connectivity]
    at = [[e for e in edges if v in board.ends(e)] for v in range(size)]
    used = [bool(chosen.intersection(around)) for around in at]
    values = [edge in chosen for edge in edges] + used

    def some(things: Iterable, share: float) -> list:
        """Some of these, at least one."""
        things = list(things)
        return [one for one in things if rng.random() < share] or things[:1]

    degrees = bytearray(blank.degrees)
    inner = [v for v in range(size) if all(v not in pair for pair in blank.terminals)]
    rng.shuffle(inner)
    if "holes" in constraints:
        apart = [v for v in inner if not used[v]]
        for vertex in some(apart or inner, 0.5) if usual == PASS_OR_SKIP else apart or inner[:1]:
            degrees[vertex] = HOLE
    if "degrees" in constraints:
        ordinary = [v for v in inner if degrees[v] != HOLE]
        on = [v for v in ordinary if used[v]] if usual == PASS_OR_SKIP else ordinary
        for vertex in some(on or ordinary, 0.3):
            degrees[vertex] = PASS
            if usual == PASS:
                degrees[vertex] = PASS_OR_SKIP
            elif usual == PASS_OR_END and len(chosen.intersection(at[vertex])) == 1:
                degrees[vertex] = END
        if usual == PASS_OR_END and not any(mask & END for mask in degrees):
            degrees[rng.choice(ordinary)] = PASS_OR_END
    faces = list(blank.faces)
    for face in some(range(len(faces)), rng.choice([0.3, 0.8])) if "faces" in constraints else ():
        true = 1 << len(chosen.intersection(board.edges_of(face)))
        faces[face] = (true | rng.choice([0, 0, rng.getrandbits(12)])) & board.free_masks[face]
    # In most models all is as planted, in some not.
    wrong = rng.choice([0.0, 0.0, 0.0, 0.1])
    fixed: dict[str, list[int]] = {"given": [], "forbidden": []}
    for name in sorted(fixed.keys() & constraints):
        fit = [edge for edge in edges if (edge in chosen) == (name == "given")]
        fit = list(edges) if not fit or rng.random() < wrong else fit
        if name == "given":
            fit = [e for e in fit if all(degrees[v] != HOLE for v in board.ends(e))]
        fit = [edge for edge in rng.sample(fit, len(fit)) if edge not in fixed["forbidden"]]
        fixed[name] = some(fit, 0.05)
    model = replace(blank, degrees=bytes(degrees), faces=faces, **fixed)
    literals = [sign * (k + 1) for k in range(len(values)) for sign in (1, -1)]
    shapes, counts, clauses = [], [], []
    corners = [vertex for vertex in range(size) if len(at[vertex]) <= 6]
    for vertex in rng.choices(corners, k=rng.choice([1, 2, 4])) if "shapes" in constraints else ():
        ring = board.edges_at(vertex)
        allowed = rng.getrandbits(1 << len(ring))
        if rng.random() >= wrong:
            allowed |= 1 << sum((e in chosen) << place for place, e in enumerate(ring))
        shapes.append(Shape(vertex, allowed))
    for _ in range(rng.choice([1, 1, 3]) if "counts" in constraints else 0):
        counted = rng.choices(literals, k=rng.choice([1, 2, 4, 9, 12]))
        true = sum(values[abs(one) - 1] == (one > 0) for one in counted)
        numbers = rng.getrandbits(len(counted) + 1) & rng.getrandbits(len(counted) + 1)
        counts.append(Count(tuple(counted), numbers | (rng.random() >= wrong) << true))
    first, extra = len(values) + 1, rng.choice([1, 1, 2])
    values += [rng.random() < 0.5 for _ in range(extra)]
    # An auxiliary variable stands between two clauses.
    more: list[tuple[int, ...]] = []
    if "auxiliary" in constraints:
        more += [(sign * (first + k),) for k in range(extra) for sign in (1, -1)]
    more += [()] * (rng.choice([1, 2, 4]) if "clauses" in constraints else 0)
    for names in more:
        clause = [*rng.choices(literals, k=rng.choice([1, 1, 2, 3])), *names]
        if rng.random() >= wrong and not any(values[abs(x) - 1] == (x > 0) for x in clause):
            clause[0] *= -1
        clauses.append(clause)
    return model.with_constraints(shapes=shapes, counts=counts, clauses=clauses)


def present(model: LinkModel, usual: int) -> set[str]:
    """The sorts of constraints that say something in a model, whose vertices have ``usual``."""
    ends = {vertex for pair in model.terminals for vertex in pair}
    masks = {mask for vertex, mask in enumerate(model.degrees) if vertex not in ends}
    known = model.board.num_variables
    says = {
        "degrees": masks - {usual, HOLE},
        "holes": model.holes,
        "faces": model.has_face_rules,
        "given": model.given,
        "forbidden": model.forbidden,
        "shapes": any(excluded_sizes(model, shape) for shape in model.shapes),
        "counts": any(allowed + 1 < 2 << len(some) for some, allowed in model.counts),
        "clauses": any(max(map(abs, clause), default=0) <= known for clause in model.clauses),
        "auxiliary": model.has_auxiliary,
    }
    return {name for name, holds in says.items() if holds}


def excluded_sizes(model: LinkModel, shape: Shape) -> set[int]:
    """The sizes of sets of edges that a shape excludes, and the degree of its vertex does not."""
    places = range(len(model.board.edges_at(shape.vertex)))
    return {
        size
        for size in range(3)
        if model.degrees[shape.vertex] >> size & 1
        for chosen in combinations(places, size)
        if not shape.allowed >> sum(1 << place for place in chosen) & 1
    }


def without(model: LinkModel, name: str, usual: int) -> LinkModel:
    """The model without the constraints of one sort."""
    board, known = model.board, model.board.num_variables
    match name:
        case "degrees" | "holes":
            ends = {vertex for pair in model.terminals for vertex in pair}
            degrees = bytes(
                usual if vertex not in ends and (mask == HOLE) == (name == "holes") else mask
                for vertex, mask in enumerate(model.degrees)
            )
            return replace(model, degrees=degrees)
        case "clauses" | "auxiliary":
            kept = [
                clause
                for clause in model.clauses
                if (max(map(abs, clause), default=0) > known) == (name == "clauses")
            ]
            return replace(model, clauses=kept)
        case "faces":
            return replace(model, faces=board.free_masks)
    return replace(model, **{name: ()})
