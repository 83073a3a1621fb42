"""`Members`: the cycles or paths under some conditions, counted and found block by block."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterator
from contextlib import closing
from functools import cached_property
from itertools import accumulate, islice
from math import lcm
from typing import TYPE_CHECKING, Any

from linkoracle import frontier
from linkoracle.board import LinkModel, Solution
from linkoracle.core import (
    Deadline,
    MemoryLimit,
    NotSupported,
    Sample,
    big_below,
    checked_int,
    seed_or_fresh,
    source,
)
from linkoracle.graphs.blocks import Block, Blocks
from linkoracle.graphs.conditions import Conditions

if TYPE_CHECKING:
    from linkoracle.frontier import Diagram
    from linkoracle.graphs.backtracking import Backtracking

#: Bytes of diagrams that are built while members are found without them.
_MEANWHILE = 1 << 28


class Members:
    """The members of all blocks, by a pass, a decision diagram or a search in each block.

    ``limits`` has the ``timeout``, ``memory`` and ``progress`` of each pass. Diagrams are kept, so
    queries after the first that needs them take no pass. Their order is that of `Subgraphs`.

    A member is a list of nodes, or of edges with keys if edges are parallel.
    """

    def __init__(self, conditions: Conditions, blocks: Blocks, limits: dict[str, Any]) -> None:
        self.conditions, self.blocks, self.limits = conditions, blocks, limits

    def under(self, conditions: Conditions) -> Members:
        """Return the members of the same blocks under other conditions."""
        return Members(conditions, self.blocks, self.limits)

    def __getstate__(self) -> dict[str, Any]:
        # A function that shows progress belongs here.
        return {**vars(self), "limits": {**self.limits, "progress": None}}

    @cached_property
    def _eligible(self) -> list[Block]:
        """The blocks that have all required edges and nodes."""
        return [block for block in self.blocks.every if self.conditions.fit(block)]

    @cached_property
    def _diagrams(self) -> list[Diagram]:
        """The diagram of each eligible block."""
        return [self.diagram(block) for block in self._eligible]

    def _pairs(self) -> Iterator[tuple[Block, Diagram]]:
        """Return each eligible block with its diagram."""
        return zip(self._eligible, self._diagrams, strict=True)

    @property
    def is_built(self) -> bool:
        """Whether there are diagrams."""
        return "_diagrams" in self.__dict__

    @property
    def is_searched(self) -> bool:
        """Whether a search finds members one by one, as long as there are no diagrams.

        It knows no arcs, no required nodes and no budgets.
        """
        asked = self.conditions
        return not (self.is_built or asked.graph.directed or asked.visited or asked.budgets)

    def diagram(self, block: Block) -> Diagram:
        """Build the diagram of a block that has all required edges and nodes."""
        asked, order = self.conditions, self.blocks.order_of(block.model.board)
        fixed = asked.fixed(block)
        if asked.length_bound is None:
            diagram = frontier.Diagram.build(fixed, order=order, **self.limits)
        else:
            from linkoracle.graphs.bounded import bounded_diagram

            memory, timeout = self.limits["memory"], self.limits["timeout"]
            heads = self.blocks.heads(block)
            diagram = bounded_diagram(
                fixed, asked.length_bound, order, memory, timeout, self._short, heads
            )
        for weight, budget in asked.budgets:
            diagram = diagram.within(asked.weights(block, weight, 0), budget)
        return diagram

    def _short(self, diagram: Diagram) -> Diagram:
        """Return the part of a diagram within the bound of lengths."""
        most = self.conditions.length_bound
        return diagram if most is None else diagram.filter(length=(0, most))

    def count(self) -> int:
        """Return the number of members, by a pass over each kind of block if nothing is built."""
        asked = self.conditions
        if asked.length_bound is not None or asked.budgets or self.is_built:
            return self.total()
        # Graphs with many blocks have few different ones.
        known: dict[object, int] = {}
        total = 0
        for block in self._eligible:
            model, board = asked.fixed(block), block.model.board
            edges = tuple(map(board.ends, range(board.num_edges)))
            fixed = model.degrees, model.given, model.forbidden
            key = board.num_vertices, edges, model.terminals, model.counts, fixed
            if key not in known:
                order = self.blocks.order_of(board)
                faster = model if asked.is_filtered else self.blocks.faster(model)
                known[key] = frontier.count(faster, order=order, **self.limits)
            total += known[key]
        return total

    def on_lattice(self) -> LinkModel:
        """Return the only model, on a lattice, for counts in other processes or with files."""
        asked = self.conditions
        plain = not (asked.is_filtered or asked.budgets or self.blocks.order)
        plain = plain and not asked.graph.directed and asked.length_bound is None
        models = self.blocks.models if plain else []
        grid = self.blocks.on_lattice(models[0]) if len(models) == 1 else None
        if grid is None or min(grid.lattice.rows, grid.lattice.cols) < frontier.LEAST_WIDTH:
            raise ValueError(
                f"expected a grid of {frontier.LEAST_WIDTH} or more rows and columns to count in "
                "other processes or with files: any other graph takes one pass, whose states stay "
                "in this process, where threads share the work"
            )
        return grid

    @cached_property
    def _ranks(self) -> list[int]:
        """The rank of the first member of each diagram."""
        counts = [diagram.count() for diagram in self._diagrams]
        return list(accumulate(counts[:-1], initial=0))

    def total(self) -> int:
        """Return the number of members of the diagrams."""
        return self._ranks[-1] + self._diagrams[-1].count() if self._diagrams else 0

    def at(self, rank: int) -> list[Any]:
        """Return the member of a rank from 0 to below `total`."""
        at = bisect_right(self._ranks, rank) - 1
        return self._walk(self._eligible[at], self._diagrams[at][rank - self._ranks[at]])

    def by_length(self) -> dict[int, int]:
        """Return the number of members of each length, by increasing length."""
        numbers: dict[int, int] = {}
        for diagram in self._diagrams:
            for length, number in diagram.by_length().items():
                shown = length - self.conditions.extra
                numbers[shown] = numbers.get(shown, 0) + number
        return dict(sorted(numbers.items()))

    def __bool__(self) -> bool:
        if not self.is_searched:
            return any(self._diagrams)
        return any(search.exists() for _, search in self._searches())

    def _searches(self) -> Iterator[tuple[Block, Backtracking]]:
        """Yield each block that has all required edges, and a search in it."""
        from linkoracle.graphs.backtracking import Backtracking

        deadline, most = Deadline(self.limits["timeout"]), self.conditions.length_bound
        for block in self._eligible:
            fixed = self.conditions.fixed(block)
            yield block, Backtracking(fixed, length=most, timeout=deadline)

    def __iter__(self) -> Iterator[list[Any]]:
        number = 0
        if self.is_searched:
            from linkoracle.engines import Turns
            from linkoracle.graphs.bounded import FIRST_EFFORT

            # If there are many, diagrams are built meanwhile, unless they are too large.
            with closing(self._passing()) as work:
                diagrams: Turns[None] = Turns(work)
                effort, lost = FIRST_EFFORT, False
                for walk, visited in self._searched():
                    yield walk
                    number += 1
                    if visited < effort or lost:
                        continue
                    try:
                        if self.is_built or diagrams.go_on(effort):
                            break
                    except (MemoryLimit, NotSupported):
                        lost = True
                    effort *= 2
                else:
                    return
        every = (self._walk(block, one) for block, diagram in self._pairs() for one in diagram)
        yield from islice(every, number, None)

    def _passing(self) -> Generator[float, None, None]:
        """Build all diagrams, as work in steps."""
        from linkoracle.graphs.bounded import passing

        memory = min(self.limits["memory"] or _MEANWHILE, _MEANWHILE)
        built, deadline = [], Deadline(None)
        for block in self._eligible:
            order, fixed = self.blocks.order_of(block.model.board), self.conditions.fixed(block)
            built.append((yield from passing(fixed, order, memory, deadline, self._short)))
        self._diagrams = built

    def _searched(self) -> Iterator[tuple[list[Any], int]]:
        """Yield each member in order, found by search, and the vertices visited so far."""
        before = 0
        for block, search in self._searches():
            board = block.model.board
            order = frontier.Steps(block.model, given_order=self.blocks.order_of(board)).edge_order
            for edges in search.solutions(order):
                yield self._walk(block, Solution(board, tuple(edges))), before + search.visited
            before += search.visited

    def least_length(self) -> int | None:
        """Search for the fewest edges of a member, with those to added ends.

        Return ``None`` if there is no member. Raises `Undecided` if the search is given up.
        """
        lengths = [search.shortest() for _, search in self._searches()]
        return min((length for length in lengths if length is not None), default=None)

    def extreme(self, sign: int) -> list[Any] | None:
        """Return one with the most edges, or with the fewest if the ``sign`` is -1."""
        best = [
            (block, one)
            for block, diagram in self._pairs()
            if (one := diagram.longest() if sign > 0 else diagram.shortest()) is not None
        ]
        walks = [self._walk(block, one) for block, one in best]
        return max(walks, key=lambda walk: sign * len(walk), default=None)

    def weightiest(self, weight: str, sign: int) -> list[Any] | None:
        """Return one whose edges weigh most, or least if the ``sign`` is -1."""
        best: list[tuple[Any, Block, Solution]] = []
        for block, diagram in self._pairs():
            weights = self.conditions.weights(block, weight, 0)
            one = diagram.lightest(weights, sign=sign)
            if one is not None:
                best.append((sum(weights[edge] for edge in one.edges), block, one))
        if not best:
            return None
        _, block, solution = max(best, key=lambda one: sign * one[0])
        return self._walk(block, solution)

    def drawn(self, k: int, seed: int | None, weight: str) -> Sample[Any]:
        """Draw ``k``, each with a chance in proportion to the product of its edges' weights."""
        from fractions import Fraction

        parts = [
            (block, diagram, diagram.chances(self.conditions.weights(block, weight, 1)))
            for block, diagram in self._pairs()
        ]
        total = Fraction(sum(chances.total for _, _, chances in parts))
        kind = self.conditions.kind
        if checked_int(k, f"a number of {kind}s", 0) and not total:
            raise ValueError(f"there are no {kind}s of a weight above 0 to draw from")
        seed = seed_or_fresh(seed)
        rng = source(seed, 0)
        # The place of a point in all shares, one behind the other.
        scale = total.denominator * lcm(*(Fraction(one.total).denominator for *_, one in parts))
        walks = []
        for _ in range(k):
            point = big_below(rng, int(total * scale))
            for block, diagram, chances in parts:
                point -= int(chances.total * scale)
                if point < 0:
                    walks.append(self._walk(block, diagram.drawn(chances, rng)))
                    break
        return Sample(walks, seed)

    def _walk(self, block: Block, solution: Solution) -> list[Any]:
        """Return a solution as a list of nodes, or of edges with their keys."""
        graph, ends, board = self.conditions.graph, self.conditions.ends, block.model.board
        if not (graph.directed or graph.parallel):
            (walk,) = solution.paths()
            if not ends:
                return walk[:-1]
            walk = walk if walk[0] == ends[0] else walk[::-1]
            return walk[1:-1] if self.conditions.extra else walk
        at: dict[Any, list[int]] = {}
        for edge in solution.edges:
            for vertex in board.ends(edge):
                at.setdefault(board.position(vertex), []).append(block.links[edge])
        node = ends[0] if ends else board.position(board.ends(solution.edges[0])[0])
        link = next(one for one in at[node] if not graph.directed or graph.links[one].one == node)
        steps = []
        for _ in solution.edges:
            one, other, key, _ = graph.links[link]
            far = other if one == node else one
            steps.append((node, far, key))
            node = far
            link = next((number for number in at[node] if number != link), link)
        if self.conditions.extra:
            steps = steps[1:-1]
        if graph.parallel:
            return steps
        return [one for one, _, _ in steps] + [steps[-1][1]] * bool(ends)
