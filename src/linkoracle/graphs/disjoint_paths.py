"""Joining ends of paths in a graph: by one path, by two, by several, or by a cycle.

One path is a shortest one. Two disjoint paths have the least total length (J. W. Suurballe,
*Disjoint paths in a network*, Networks 4, 1974). Any number of pairs needs a search that may take
exponential time (R. E. Korf, *Depth-first iterative-deepening*, Artificial Intelligence 27, 1985).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence, Set
from math import inf

from linkoracle.board import END, HOLE, LinkModel
from linkoracle.core import Deadline

#: The values of an edge.
OFF, ON, OPEN = 0, 1, 2
#: Visited vertices between two looks at the clock.
RATE = 1_000
#: Most pairs, besides the first, for which the best order is found.
_MOST_PAIRS = 8

#: For each vertex its neighbours, each with the edge to it.
Near = list[list[tuple[int, int]]]
#: The vertices that a search has reached, each with the vertex before it and the edge from there.
_Tree = dict[int, tuple[int, int] | None]
#: A place of a vertex: where paths come in, or (true) where they go out.
_Place = tuple[int, bool]


class Undecided(Exception):
    """A search was given up."""


class Joining:
    """A graph whose edges are off, on or open; paths use open edges and free vertices.

    A vertex is free if it has no edge that is on, and is no end of all paths. ``visited`` counts
    the vertices that searches have visited.
    """

    def __init__(self, model: LinkModel) -> None:
        board = model.board
        self._near, self._ends = near_of(model), board.ends
        self._value = bytearray([OPEN]) * board.num_edges
        for edge in {*range(board.num_edges)} - {e for pairs in self._near for _, e in pairs}:
            self._value[edge] = OFF
        self._most = bytearray(1 if mask == END else 2 for mask in model.degrees)
        self._degree = bytearray(board.num_vertices)
        self._deadline = Deadline(None)
        self.visited = self._looked = 0

    def _visit(self, number: int) -> None:
        self.visited += number
        if self.visited >= self._looked + RATE:
            self._looked = self.visited
            self._deadline.check()

    def _is_free(self, vertex: int) -> bool:
        """Return whether a path may pass through a vertex."""
        return self._degree[vertex] == 0 and self._most[vertex] == 2

    def _path(self, one: int, other: int) -> list[int] | None:
        """Return a shortest path of open edges through free vertices: a search from both ends."""
        value, near = self._value, self._near
        sides: list[_Tree] = [{one: None}, {other: None}]
        fronts = [[one], [other]]
        while fronts[0] and fronts[1]:
            side = len(fronts[1]) < len(fronts[0])
            here, there = sides[side], sides[not side]
            front: list[int] = []
            self._visit(len(fronts[side]))
            for vertex in fronts[side]:
                for far, edge in near[vertex]:
                    if value[edge] != OPEN or far in here:
                        continue
                    if far in there:
                        return [edge, *_back(here, vertex), *_back(there, far)]
                    if self._is_free(far):
                        here[far] = vertex, edge
                        front.append(far)
            fronts[side] = front
        return None

    def _two_paths(self, sources: tuple[int, int], sinks: tuple[int, int]) -> set[int] | None:
        """Return two disjoint paths, from both sources to both sinks, with the fewest edges."""
        value, near = self._value, self._near
        tree: _Tree = dict.fromkeys(sources)
        queue = deque(sources)
        end = None
        while queue and end is None:
            vertex = queue.popleft()
            self._visit(1)
            for far, edge in near[vertex]:
                if value[edge] == OPEN and far not in tree:
                    if far in sinks:
                        tree[far], end = (vertex, edge), far
                        break
                    if self._is_free(far):
                        tree[far] = vertex, edge
                        queue.append(far)
        if end is None:
            return None
        before: dict[int, tuple[int, int]] = {}
        start, found = end, set()
        while (step := tree[start]) is not None:
            before[start] = step
            start = step[0]
            found.add(step[1])
        (goal,) = set(sinks) - {end}
        (begin,) = set(sources) - {start}
        second = self._second_path(begin, goal, before, before.keys() - {end}, sinks)
        return None if second is None else found ^ second

    def _second_path(
        self,
        begin: int,
        goal: int,
        before: dict[int, tuple[int, int]],
        passed: Set[int],
        sinks: tuple[int, int],
    ) -> set[int] | None:
        """Return the edges to add to a first path, and to take away, for two paths.

        Each vertex has a place where paths come in, and one where they go out. The second path may
        go back along the first, by the edge and the vertex ``before`` each vertex of it. Then the
        paths exchange their ends.
        """
        distance = {(begin, True): 0}
        parent: dict[_Place, tuple[_Place, int | None]] = {}
        places = deque([(begin, True)])
        while places:
            place = places.popleft()
            vertex, out = place
            self._visit(1)
            steps: list[tuple[_Place, int, int | None]]
            if place == (goal, False):
                continue
            if out:
                steps = [
                    ((far, False), 1, edge)
                    for far, edge in self._near[vertex]
                    if self._value[edge] == OPEN
                    and (far in sinks or self._is_free(far))
                    and before.get(far) != (vertex, edge)
                ]
                if vertex in passed:
                    steps.append(((vertex, False), 0, None))
            elif vertex in before:
                back, edge = before[vertex]
                steps = [((back, True), -1, edge)]
            else:
                steps = [((vertex, True), 0, None)]
            for onward, more, by in steps:
                if onward not in distance or distance[place] + more < distance[onward]:
                    distance[onward] = distance[place] + more
                    parent[onward] = place, by
                    places.append(onward)
        last = (goal, False)
        if last not in distance:
            return None
        found: set[int] = set()
        while last in parent:
            last, taken = parent[last]
            if taken is not None:
                found ^= {taken}
        return found

    def _last_cycle(self, order: Sequence[int], longest: int) -> list[int] | None:
        """Return a cycle of up to ``longest`` open edges that begins late, if no edge is on.

        Of its edges, the first in the order is as late as possible.
        """
        near: Near = [[] for _ in self._near]
        part = list(range(len(near)))
        for edge in reversed(order):
            if self._value[edge] != OPEN:
                continue
            one, other = self._ends(edge)
            # Without a path between them, no path is short enough.
            first, second = _part_of(part, one), _part_of(part, other)
            self._visit(1)
            if first == second:
                path = self._short_path(near, one, other, longest - 1)
                if path is not None:
                    return [edge, *path]
            part[first] = second
            near[one].append((other, edge))
            near[other].append((one, edge))
        return None

    def _short_path(self, near: Near, one: int, other: int, longest: int) -> list[int] | None:
        """Return a shortest path of up to ``longest`` edges between two vertices."""
        tree: _Tree = {one: None}
        front = [one]
        for _ in range(longest):
            after = []
            for vertex in front:
                for far, edge in near[vertex]:
                    if far not in tree:
                        tree[far] = vertex, edge
                        after.append(far)
            front = after
            self._visit(len(front))
            if other in tree or not front:
                break
        return [*_back(tree, other)] if other in tree else None

    def _shortest_cycle(self, longest: int) -> list[int] | None:
        """Return a shortest cycle of open edges up to a length, if no edge is used yet.

        From each vertex in turn, without those before it; branches of the search that meet make a
        cycle through the vertex.
        """
        near = [
            {far: edge for far, edge in pairs if self._value[edge] == OPEN} for pairs in self._near
        ]
        best: list[int] | None = None
        most = longest + 1
        for root in range(len(near)):
            tree: _Tree = {root: None}
            depth, branch = {root: 0}, {root: root}
            queue = deque([root])
            while queue:
                vertex = queue.popleft()
                self._visit(1)
                if 2 * depth[vertex] + 1 >= most:
                    break
                for far, edge in near[vertex].items():
                    if far not in tree:
                        tree[far], depth[far] = (vertex, edge), depth[vertex] + 1
                        branch[far] = far if vertex == root else branch[vertex]
                        queue.append(far)
                    elif (
                        branch[far] != branch[vertex]
                        and root not in (far, vertex)
                        and depth[far] + depth[vertex] + 1 < most
                    ):
                        most = depth[far] + depth[vertex] + 1
                        best = [edge, *_back(tree, vertex), *_back(tree, far)]
            # Of what is left, vertices with one edge are on no cycle.
            gone = [root]
            while gone:
                vertex = gone.pop()
                for far in near[vertex]:
                    del near[far][vertex]
                    if len(near[far]) == 1:
                        gone.append(far)
                near[vertex].clear()
        return best

    def _through(
        self, pairs: Sequence[tuple[int, int]], most: float, until: int
    ) -> tuple[list[int] | None, float]:
        """Return up to ``most`` open edges that join all pairs, or else the next larger bound.

        Depth first, where the distances to the other pairs, in the best order, allow it (IDA*, R.
        Korf, 1985). Raises `Undecided` when ``visited`` passes ``until``.
        """
        (begin, goal), *others = pairs
        number = {tip: place for place, pair in enumerate(others) for tip in pair}
        distance = {tip: self._distances(tip) for tip in (goal, *number)}
        other_end = dict([*others, *(pair[::-1] for pair in others)])
        known: dict[tuple[int, int], float] = {}
        if len(others) > _MOST_PAIRS:
            raise Undecided

        def least(vertex: int, missing: int) -> float:
            """Return a lower bound on the edges from a vertex through missing pairs to the goal."""
            key = vertex, missing
            if key not in known:
                known[key] = distance[goal].get(vertex, inf) if not missing else inf
                for place, pair in enumerate(others):
                    if missing >> place & 1:
                        for tip, far in (pair, pair[::-1]):
                            if (first := distance[tip].get(vertex)) is not None:
                                rest = least(far, missing ^ 1 << place)
                                known[key] = min(known[key], first + rest)
            return known[key]

        every = (1 << len(others)) - 1
        if least(begin, every) > most:
            return None, least(begin, every)
        beyond = inf
        path: list[int] = []
        seen: set[int] = set()
        stack = [(begin, every, iter(self._near[begin]))]
        while stack:
            _, missing, onward = stack[-1]
            for far, edge in onward:
                if self._value[edge] != OPEN or far in seen:
                    continue
                if far == goal:
                    if not missing:
                        return [*path, edge], most
                    continue
                after = missing
                if far in number:
                    after ^= 1 << number[far]
                    if after > missing:
                        continue
                    far = other_end[far]
                elif not self._is_free(far):
                    continue
                if (length := len(path) + 1 + least(far, after)) > most:
                    beyond = min(beyond, length)
                    continue
                path.append(edge)
                seen.add(far)
                stack.append((far, after, iter(self._near[far])))
                break
            else:
                self._visit(1)
                if self.visited > until:
                    raise Undecided
                seen.discard(stack.pop()[0])
                if path:
                    path.pop()
        return None, beyond

    def _distances(self, start: int) -> dict[int, int]:
        """Return the distances by open edges through free vertices, where there are such paths."""
        found, queue = {start: 0}, deque([start])
        while queue:
            vertex = queue.popleft()
            for far, edge in self._near[vertex]:
                if self._value[edge] == OPEN and far not in found:
                    found[far] = found[vertex] + 1
                    if self._is_free(far):
                        queue.append(far)
        self._visit(len(found))
        return found


def _part_of(part: list[int], vertex: int) -> int:
    """Return the number of the component of a vertex."""
    while part[vertex] != vertex:
        part[vertex] = part[part[vertex]]
        vertex = part[vertex]
    return vertex


def _back(tree: _Tree, vertex: int) -> Iterator[int]:
    """Yield the edges from a vertex to the root of its tree."""
    while (step := tree[vertex]) is not None:
        vertex, edge = step
        yield edge


def near_of(model: LinkModel) -> Near:
    near: Near = [[] for _ in model.degrees]
    forbidden = {*model.forbidden}
    for edge in range(model.board.num_edges):
        one, other = model.board.ends(edge)
        if edge not in forbidden and HOLE not in (model.degrees[one], model.degrees[other]):
            near[one].append((other, edge))
            near[other].append((one, edge))
    return near
